; ModuleID = 'stencil5.cl'
source_filename = "stencil5.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@stencil5.tile = internal unnamed_addr addrspace(3) global [10 x [34 x float]] undef, align 4

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @stencil5(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3, float noundef %4, float noundef %5) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_stencil5(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2, i32 noundef %3, float noundef %4, float noundef %5) #5, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_stencil5(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3, float noundef %4, float noundef %5) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %7 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #6, !dbg !22
  %8 = shl i64 %7, 5, !dbg !23
  %9 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #6, !dbg !24
  %10 = add i64 %8, %9, !dbg !25
  %11 = trunc i64 %10 to i32, !dbg !22
  %12 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #6, !dbg !26
  %13 = shl i64 %12, 3, !dbg !27
  %14 = tail call i64 @_Z12get_local_idj(i32 noundef 1) #6, !dbg !28
  %15 = add i64 %13, %14, !dbg !29
  %16 = trunc i64 %15 to i32, !dbg !26
  %17 = trunc i64 %9 to i32, !dbg !30
  %18 = add i32 %17, 1, !dbg !30
  %19 = trunc i64 %14 to i32, !dbg !31
  %20 = add i32 %19, 1, !dbg !31
  %21 = add nsw i32 %2, -1, !dbg !32
  %22 = tail call i32 @_Z5clampiii(i32 noundef %11, i32 noundef 0, i32 noundef %21) #6, !dbg !33
  %23 = add nsw i32 %3, -1, !dbg !34
  %24 = tail call i32 @_Z5clampiii(i32 noundef %16, i32 noundef 0, i32 noundef %23) #6, !dbg !35
  %25 = mul nsw i32 %24, %2, !dbg !36
  %26 = add nsw i32 %25, %22, !dbg !37
  %27 = sext i32 %26 to i64, !dbg !38
  %28 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %27, !dbg !38
  %29 = load float, ptr addrspace(1) %28, align 4, !dbg !38, !tbaa !39
  %30 = sext i32 %20 to i64, !dbg !41
  %31 = getelementptr inbounds [34 x float], ptr addrspace(3) @stencil5.tile, i64 %30, !dbg !41
  %32 = sext i32 %18 to i64, !dbg !41
  %33 = getelementptr inbounds float, ptr addrspace(3) %31, i64 %32, !dbg !41
  store float %29, ptr addrspace(3) %33, align 4, !dbg !42, !tbaa !39
  %34 = icmp eq i32 %17, 0, !dbg !43
  br i1 %34, label %35, label %42, !dbg !43

35:                                               ; preds = %6
  %36 = add nsw i32 %11, -1, !dbg !44
  %37 = tail call i32 @_Z5clampiii(i32 noundef %36, i32 noundef 0, i32 noundef %21) #6, !dbg !45
  %38 = add nsw i32 %37, %25, !dbg !46
  %39 = sext i32 %38 to i64, !dbg !47
  %40 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %39, !dbg !47
  %41 = load float, ptr addrspace(1) %40, align 4, !dbg !47, !tbaa !39
  store float %41, ptr addrspace(3) %31, align 4, !dbg !48, !tbaa !39
  br label %42, !dbg !49

42:                                               ; preds = %35, %6
  %43 = icmp eq i32 %18, 32, !dbg !50
  br i1 %43, label %44, label %52, !dbg !50

44:                                               ; preds = %42
  %45 = add nsw i32 %11, 1, !dbg !51
  %46 = tail call i32 @_Z5clampiii(i32 noundef %45, i32 noundef 0, i32 noundef %21) #6, !dbg !52
  %47 = add nsw i32 %46, %25, !dbg !53
  %48 = sext i32 %47 to i64, !dbg !54
  %49 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %48, !dbg !54
  %50 = load float, ptr addrspace(1) %49, align 4, !dbg !54, !tbaa !39
  %51 = getelementptr inbounds nuw i8, ptr addrspace(3) %31, i64 132, !dbg !55
  store float %50, ptr addrspace(3) %51, align 4, !dbg !56, !tbaa !39
  br label %52, !dbg !57

52:                                               ; preds = %44, %42
  %53 = icmp eq i32 %19, 0, !dbg !58
  br i1 %53, label %54, label %63, !dbg !58

54:                                               ; preds = %52
  %55 = add nsw i32 %16, -1, !dbg !59
  %56 = tail call i32 @_Z5clampiii(i32 noundef %55, i32 noundef 0, i32 noundef %23) #6, !dbg !60
  %57 = mul nsw i32 %56, %2, !dbg !61
  %58 = add nsw i32 %57, %22, !dbg !62
  %59 = sext i32 %58 to i64, !dbg !63
  %60 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %59, !dbg !63
  %61 = load float, ptr addrspace(1) %60, align 4, !dbg !63, !tbaa !39
  %62 = getelementptr inbounds float, ptr addrspace(3) @stencil5.tile, i64 %32, !dbg !64
  store float %61, ptr addrspace(3) %62, align 4, !dbg !65, !tbaa !39
  br label %63, !dbg !66

63:                                               ; preds = %54, %52
  %64 = icmp eq i32 %20, 8, !dbg !67
  br i1 %64, label %65, label %74, !dbg !67

65:                                               ; preds = %63
  %66 = add nsw i32 %16, 1, !dbg !68
  %67 = tail call i32 @_Z5clampiii(i32 noundef %66, i32 noundef 0, i32 noundef %23) #6, !dbg !69
  %68 = mul nsw i32 %67, %2, !dbg !70
  %69 = add nsw i32 %68, %22, !dbg !71
  %70 = sext i32 %69 to i64, !dbg !72
  %71 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %70, !dbg !72
  %72 = load float, ptr addrspace(1) %71, align 4, !dbg !72, !tbaa !39
  %73 = getelementptr inbounds float, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @stencil5.tile, i64 1224), i64 %32, !dbg !73
  store float %72, ptr addrspace(3) %73, align 4, !dbg !74, !tbaa !39
  br label %74, !dbg !75

74:                                               ; preds = %65, %63
  tail call void @_Z7barrierj(i32 noundef 1) #5, !dbg !76
  %75 = icmp sgt i32 %2, %11, !dbg !77
  %76 = icmp sgt i32 %3, %16
  %77 = and i1 %75, %76, !dbg !78
  br i1 %77, label %78, label %107, !dbg !78

78:                                               ; preds = %74
  %79 = shl i64 %14, 32, !dbg !79
  %80 = ashr exact i64 %79, 32, !dbg !79
  %81 = getelementptr inbounds [34 x float], ptr addrspace(3) @stencil5.tile, i64 %80, !dbg !79
  %82 = getelementptr inbounds float, ptr addrspace(3) %81, i64 %32, !dbg !79
  %83 = load float, ptr addrspace(3) %82, align 4, !dbg !79, !tbaa !39
  %84 = add i64 %79, 8589934592, !dbg !80
  %85 = ashr exact i64 %84, 32, !dbg !80
  %86 = getelementptr inbounds [34 x float], ptr addrspace(3) @stencil5.tile, i64 %85, !dbg !80
  %87 = getelementptr inbounds float, ptr addrspace(3) %86, i64 %32, !dbg !80
  %88 = load float, ptr addrspace(3) %87, align 4, !dbg !80, !tbaa !39
  %89 = fadd float %83, %88, !dbg !81
  %90 = shl i64 %9, 32, !dbg !82
  %91 = ashr exact i64 %90, 30, !dbg !82
  %92 = getelementptr inbounds i8, ptr addrspace(3) %31, i64 %91, !dbg !82
  %93 = load float, ptr addrspace(3) %92, align 4, !dbg !82, !tbaa !39
  %94 = fadd float %89, %93, !dbg !83
  %95 = add i64 %90, 8589934592, !dbg !84
  %96 = ashr exact i64 %95, 30, !dbg !84
  %97 = getelementptr inbounds i8, ptr addrspace(3) %31, i64 %96, !dbg !84
  %98 = load float, ptr addrspace(3) %97, align 4, !dbg !84, !tbaa !39
  %99 = fadd float %94, %98, !dbg !85
  %100 = load float, ptr addrspace(3) %33, align 4, !dbg !86, !tbaa !39
  %101 = fmul float %5, %99, !dbg !87
  %102 = tail call float @llvm.fmuladd.f32(float %4, float %100, float %101), !dbg !88
  %103 = mul nsw i32 %2, %16, !dbg !89
  %104 = add nsw i32 %103, %11, !dbg !90
  %105 = sext i32 %104 to i64, !dbg !91
  %106 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %105, !dbg !91
  store float %102, ptr addrspace(1) %106, align 4, !dbg !92, !tbaa !39
  br label %107, !dbg !93

107:                                              ; preds = %78, %74
  ret void, !dbg !94
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i32 @_Z5clampiii(i32 noundef, i32 noundef, i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #3

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #4

attributes #0 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #3 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { convergent nounwind }
attributes #6 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "stencil5.cl", directory: ".")
!2 = !{i32 7, !"Dwarf Version", i32 2}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 7, !"frame-pointer", i32 2}
!6 = !{i32 1, i32 2}
!7 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!8 = !{!9, !9, i64 0}
!9 = !{!"int", !10, i64 0}
!10 = !{!"omnipotent char", !11, i64 0}
!11 = !{!"Simple C/C++ TBAA"}
!12 = distinct !DISubprogram(name: "stencil5", scope: !1, file: !1, line: 7, type: !13, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 0, i32 0, i32 0, i32 0}
!16 = !{!"none", !"none", !"none", !"none", !"none", !"none"}
!17 = !{!"float*", !"float*", !"int", !"int", !"float", !"float"}
!18 = !{!"restrict const", !"restrict", !"", !"", !"", !""}
!19 = !DILocation(line: 8, column: 78, scope: !12)
!20 = !DILocation(line: 37, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "stencil5", scope: !1, file: !1, line: 7, type: !13, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 11, column: 17, scope: !21)
!23 = !DILocation(line: 11, column: 33, scope: !21)
!24 = !DILocation(line: 11, column: 45, scope: !21)
!25 = !DILocation(line: 11, column: 43, scope: !21)
!26 = !DILocation(line: 12, column: 17, scope: !21)
!27 = !DILocation(line: 12, column: 33, scope: !21)
!28 = !DILocation(line: 12, column: 45, scope: !21)
!29 = !DILocation(line: 12, column: 43, scope: !21)
!30 = !DILocation(line: 13, column: 18, scope: !21)
!31 = !DILocation(line: 14, column: 18, scope: !21)
!32 = !DILocation(line: 15, column: 40, scope: !21)
!33 = !DILocation(line: 15, column: 22, scope: !21)
!34 = !DILocation(line: 16, column: 38, scope: !21)
!35 = !DILocation(line: 16, column: 19, scope: !21)
!36 = !DILocation(line: 18, column: 25, scope: !21)
!37 = !DILocation(line: 18, column: 33, scope: !21)
!38 = !DILocation(line: 18, column: 18, scope: !21)
!39 = !{!40, !40, i64 0}
!40 = !{!"float", !10, i64 0}
!41 = !DILocation(line: 18, column: 3, scope: !21)
!42 = !DILocation(line: 18, column: 16, scope: !21)
!43 = !DILocation(line: 19, column: 10, scope: !21)
!44 = !DILocation(line: 20, column: 44, scope: !21)
!45 = !DILocation(line: 20, column: 36, scope: !21)
!46 = !DILocation(line: 20, column: 34, scope: !21)
!47 = !DILocation(line: 20, column: 19, scope: !21)
!48 = !DILocation(line: 20, column: 17, scope: !21)
!49 = !DILocation(line: 21, column: 3, scope: !21)
!50 = !DILocation(line: 22, column: 10, scope: !21)
!51 = !DILocation(line: 23, column: 54, scope: !21)
!52 = !DILocation(line: 23, column: 46, scope: !21)
!53 = !DILocation(line: 23, column: 44, scope: !21)
!54 = !DILocation(line: 23, column: 29, scope: !21)
!55 = !DILocation(line: 23, column: 5, scope: !21)
!56 = !DILocation(line: 23, column: 27, scope: !21)
!57 = !DILocation(line: 24, column: 3, scope: !21)
!58 = !DILocation(line: 25, column: 10, scope: !21)
!59 = !DILocation(line: 26, column: 30, scope: !21)
!60 = !DILocation(line: 26, column: 22, scope: !21)
!61 = !DILocation(line: 26, column: 50, scope: !21)
!62 = !DILocation(line: 26, column: 58, scope: !21)
!63 = !DILocation(line: 26, column: 19, scope: !21)
!64 = !DILocation(line: 26, column: 5, scope: !21)
!65 = !DILocation(line: 26, column: 17, scope: !21)
!66 = !DILocation(line: 27, column: 3, scope: !21)
!67 = !DILocation(line: 28, column: 10, scope: !21)
!68 = !DILocation(line: 29, column: 40, scope: !21)
!69 = !DILocation(line: 29, column: 32, scope: !21)
!70 = !DILocation(line: 29, column: 60, scope: !21)
!71 = !DILocation(line: 29, column: 68, scope: !21)
!72 = !DILocation(line: 29, column: 29, scope: !21)
!73 = !DILocation(line: 29, column: 5, scope: !21)
!74 = !DILocation(line: 29, column: 27, scope: !21)
!75 = !DILocation(line: 30, column: 3, scope: !21)
!76 = !DILocation(line: 31, column: 3, scope: !21)
!77 = !DILocation(line: 33, column: 9, scope: !21)
!78 = !DILocation(line: 33, column: 17, scope: !21)
!79 = !DILocation(line: 34, column: 26, scope: !21)
!80 = !DILocation(line: 34, column: 45, scope: !21)
!81 = !DILocation(line: 34, column: 43, scope: !21)
!82 = !DILocation(line: 34, column: 64, scope: !21)
!83 = !DILocation(line: 34, column: 62, scope: !21)
!84 = !DILocation(line: 34, column: 83, scope: !21)
!85 = !DILocation(line: 34, column: 81, scope: !21)
!86 = !DILocation(line: 35, column: 35, scope: !21)
!87 = !DILocation(line: 35, column: 60, scope: !21)
!88 = !DILocation(line: 35, column: 48, scope: !21)
!89 = !DILocation(line: 35, column: 11, scope: !21)
!90 = !DILocation(line: 35, column: 19, scope: !21)
!91 = !DILocation(line: 35, column: 5, scope: !21)
!92 = !DILocation(line: 35, column: 24, scope: !21)
!93 = !DILocation(line: 36, column: 3, scope: !21)
!94 = !DILocation(line: 37, column: 1, scope: !21)
