; ModuleID = 'backprop.cl'
source_filename = "backprop.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@layerforward.input = internal unnamed_addr addrspace(3) global [32 x float] undef, align 4
@layerforward.products = internal unnamed_addr addrspace(3) global [32 x [16 x float]] undef, align 4

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @layerforward(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2, i32 noundef %3) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_layerforward(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, i32 noundef %3) #5, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_layerforward(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2, i32 noundef %3) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %5 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #6, !dbg !22
  %6 = trunc i64 %5 to i32, !dbg !22
  %7 = tail call i64 @_Z12get_local_idj(i32 noundef 1) #6, !dbg !23
  %8 = trunc i64 %7 to i32, !dbg !23
  %9 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #6, !dbg !24
  %10 = shl i64 %9, 5, !dbg !25
  %11 = shl i64 %7, 32, !dbg !26
  %12 = ashr exact i64 %11, 32, !dbg !26
  %13 = add i64 %7, 1, !dbg !27
  %14 = add i64 %13, %10, !dbg !28
  %15 = trunc i64 %14 to i32, !dbg !29
  %16 = add nsw i32 %3, 1, !dbg !30
  %17 = mul nsw i32 %16, %15, !dbg !31
  %18 = add i32 %6, 1, !dbg !32
  %19 = add i32 %18, %17, !dbg !33
  %20 = icmp eq i32 %6, 0, !dbg !34
  br i1 %20, label %21, label %27, !dbg !34

21:                                               ; preds = %4
  %22 = getelementptr inbounds float, ptr addrspace(3) @layerforward.input, i64 %12
  %23 = shl i64 %14, 32
  %24 = ashr exact i64 %23, 30
  %25 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %24
  %26 = load float, ptr addrspace(1) %25, align 4, !dbg !35, !tbaa !36
  store float %26, ptr addrspace(3) %22, align 4, !dbg !38, !tbaa !36
  br label %27, !dbg !39

27:                                               ; preds = %21, %4
  tail call void @_Z7barrierj(i32 noundef 1) #5, !dbg !40
  %28 = sext i32 %19 to i64, !dbg !41
  %29 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %28, !dbg !41
  %30 = load float, ptr addrspace(1) %29, align 4, !dbg !41, !tbaa !36
  %31 = getelementptr inbounds [16 x float], ptr addrspace(3) @layerforward.products, i64 %12, !dbg !42
  %32 = shl i64 %5, 32, !dbg !42
  %33 = ashr exact i64 %32, 32, !dbg !42
  %34 = getelementptr inbounds float, ptr addrspace(3) %31, i64 %33, !dbg !42
  store float %30, ptr addrspace(3) %34, align 4, !dbg !43, !tbaa !36
  tail call void @_Z7barrierj(i32 noundef 1) #5, !dbg !44
  %35 = getelementptr inbounds float, ptr addrspace(3) @layerforward.input, i64 %12, !dbg !45
  %36 = load float, ptr addrspace(3) %35, align 4, !dbg !45, !tbaa !36
  %37 = load float, ptr addrspace(3) %34, align 4, !dbg !46, !tbaa !36
  %38 = fmul float %36, %37, !dbg !46
  store float %38, ptr addrspace(3) %34, align 4, !dbg !46, !tbaa !36
  tail call void @_Z7barrierj(i32 noundef 1) #5, !dbg !47
  %39 = getelementptr float, ptr addrspace(3) @layerforward.products, i64 %33, !dbg !48
  %40 = and i32 %8, 1, !dbg !49
  %41 = icmp eq i32 %40, 0, !dbg !49
  br i1 %41, label %42, label %50, !dbg !49

42:                                               ; preds = %27
  %43 = shl i64 %7, 32
  %44 = ashr exact i64 %43, 32
  %45 = or i64 %44, 1
  %46 = getelementptr [16 x float], ptr addrspace(3) %39, i64 %45
  %47 = load float, ptr addrspace(3) %46, align 4, !dbg !50, !tbaa !36
  %48 = load float, ptr addrspace(3) %34, align 4, !dbg !51, !tbaa !36
  %49 = fadd float %47, %48, !dbg !51
  store float %49, ptr addrspace(3) %34, align 4, !dbg !51, !tbaa !36
  br label %50, !dbg !52

50:                                               ; preds = %42, %27
  tail call void @_Z7barrierj(i32 noundef 1) #5, !dbg !53
  %51 = and i32 %8, 3, !dbg !49
  %52 = icmp eq i32 %51, 0, !dbg !49
  br i1 %52, label %53, label %61, !dbg !49

53:                                               ; preds = %50
  %54 = shl i64 %7, 32
  %55 = ashr exact i64 %54, 32
  %56 = or i64 %55, 2
  %57 = getelementptr [16 x float], ptr addrspace(3) %39, i64 %56
  %58 = load float, ptr addrspace(3) %57, align 4, !dbg !50, !tbaa !36
  %59 = load float, ptr addrspace(3) %34, align 4, !dbg !51, !tbaa !36
  %60 = fadd float %58, %59, !dbg !51
  store float %60, ptr addrspace(3) %34, align 4, !dbg !51, !tbaa !36
  br label %61, !dbg !52

61:                                               ; preds = %53, %50
  tail call void @_Z7barrierj(i32 noundef 1) #5, !dbg !53
  %62 = and i32 %8, 7, !dbg !49
  %63 = icmp eq i32 %62, 0, !dbg !49
  br i1 %63, label %64, label %72, !dbg !49

64:                                               ; preds = %61
  %65 = shl i64 %7, 32
  %66 = ashr exact i64 %65, 32
  %67 = or i64 %66, 4
  %68 = getelementptr [16 x float], ptr addrspace(3) %39, i64 %67
  %69 = load float, ptr addrspace(3) %68, align 4, !dbg !50, !tbaa !36
  %70 = load float, ptr addrspace(3) %34, align 4, !dbg !51, !tbaa !36
  %71 = fadd float %69, %70, !dbg !51
  store float %71, ptr addrspace(3) %34, align 4, !dbg !51, !tbaa !36
  br label %72, !dbg !52

72:                                               ; preds = %64, %61
  tail call void @_Z7barrierj(i32 noundef 1) #5, !dbg !53
  %73 = and i32 %8, 15, !dbg !49
  %74 = icmp eq i32 %73, 0, !dbg !49
  br i1 %74, label %75, label %83, !dbg !49

75:                                               ; preds = %72
  %76 = shl i64 %7, 32
  %77 = ashr exact i64 %76, 32
  %78 = or i64 %77, 8
  %79 = getelementptr [16 x float], ptr addrspace(3) %39, i64 %78
  %80 = load float, ptr addrspace(3) %79, align 4, !dbg !50, !tbaa !36
  %81 = load float, ptr addrspace(3) %34, align 4, !dbg !51, !tbaa !36
  %82 = fadd float %80, %81, !dbg !51
  store float %82, ptr addrspace(3) %34, align 4, !dbg !51, !tbaa !36
  br label %83, !dbg !52

83:                                               ; preds = %75, %72
  tail call void @_Z7barrierj(i32 noundef 1) #5, !dbg !53
  %84 = and i32 %8, 31, !dbg !49
  %85 = icmp eq i32 %84, 0, !dbg !49
  br i1 %85, label %86, label %94, !dbg !49

86:                                               ; preds = %83
  %87 = shl i64 %7, 32
  %88 = ashr exact i64 %87, 32
  %89 = or i64 %88, 16
  %90 = getelementptr [16 x float], ptr addrspace(3) %39, i64 %89
  %91 = load float, ptr addrspace(3) %90, align 4, !dbg !50, !tbaa !36
  %92 = load float, ptr addrspace(3) %34, align 4, !dbg !51, !tbaa !36
  %93 = fadd float %91, %92, !dbg !51
  store float %93, ptr addrspace(3) %34, align 4, !dbg !51, !tbaa !36
  br label %94, !dbg !52

94:                                               ; preds = %86, %83
  tail call void @_Z7barrierj(i32 noundef 1) #5, !dbg !53
  %95 = load float, ptr addrspace(3) %34, align 4, !dbg !54, !tbaa !36
  store float %95, ptr addrspace(1) %29, align 4, !dbg !55, !tbaa !36
  tail call void @_Z7barrierj(i32 noundef 1) #5, !dbg !56
  %96 = icmp slt i32 %8, 16
  %97 = select i1 %20, i1 %96, i1 false, !dbg !57
  br i1 %97, label %98, label %107, !dbg !57

98:                                               ; preds = %94
  %99 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) @layerforward.products, i64 %33, !dbg !58
  %100 = getelementptr inbounds float, ptr addrspace(3) %99, i64 %12, !dbg !58
  %101 = load float, ptr addrspace(3) %100, align 4, !dbg !58, !tbaa !36
  %102 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #6, !dbg !59
  %103 = sext i32 %3 to i64, !dbg !60
  %104 = mul i64 %102, %103, !dbg !61
  %105 = getelementptr float, ptr addrspace(1) %2, i64 %104, !dbg !62
  %106 = getelementptr float, ptr addrspace(1) %105, i64 %12, !dbg !62
  store float %101, ptr addrspace(1) %106, align 4, !dbg !63, !tbaa !36
  br label %107, !dbg !64

107:                                              ; preds = %98, %94
  ret void, !dbg !65
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @adjust_weights(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef align 4 captures(none) %2, ptr addrspace(1) noalias noundef align 4 captures(none) %3, i32 noundef %4) local_unnamed_addr #0 !dbg !66 !kernel_arg_addr_space !67 !kernel_arg_access_qual !68 !kernel_arg_type !69 !kernel_arg_base_type !69 !kernel_arg_type_qual !70 {
  tail call void @__clang_ocl_kern_imp_adjust_weights(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, ptr addrspace(1) noundef align 4 %3, i32 noundef %4) #5, !dbg !71
  ret void, !dbg !72
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_adjust_weights(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef align 4 captures(none) %2, ptr addrspace(1) noalias noundef align 4 captures(none) %3, i32 noundef %4) local_unnamed_addr #1 !dbg !73 !kernel_arg_addr_space !67 !kernel_arg_access_qual !68 !kernel_arg_type !69 !kernel_arg_base_type !69 !kernel_arg_type_qual !70 {
  %6 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #6, !dbg !74
  %7 = trunc i64 %6 to i32, !dbg !75
  %8 = add i32 %7, 1, !dbg !75
  %9 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #6, !dbg !76
  %10 = shl i64 %9, 5, !dbg !77
  %11 = or disjoint i64 %10, 1, !dbg !78
  %12 = tail call i64 @_Z12get_local_idj(i32 noundef 1) #6, !dbg !79
  %13 = add i64 %11, %12, !dbg !80
  %14 = trunc i64 %13 to i32, !dbg !81
  %15 = add nsw i32 %4, 1, !dbg !82
  %16 = mul nsw i32 %15, %14, !dbg !83
  %17 = add nsw i32 %16, %8, !dbg !84
  %18 = sext i32 %8 to i64, !dbg !85
  %19 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %18, !dbg !85
  %20 = load float, ptr addrspace(1) %19, align 4, !dbg !85, !tbaa !36
  %21 = fmul float %20, 0x3FD3333340000000, !dbg !86
  %22 = shl i64 %13, 32, !dbg !87
  %23 = ashr exact i64 %22, 30, !dbg !87
  %24 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %23, !dbg !87
  %25 = load float, ptr addrspace(1) %24, align 4, !dbg !87, !tbaa !36
  %26 = sext i32 %17 to i64, !dbg !88
  %27 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %26, !dbg !88
  %28 = load float, ptr addrspace(1) %27, align 4, !dbg !88, !tbaa !36
  %29 = fmul float %28, 0x3FD3333340000000, !dbg !89
  %30 = tail call float @llvm.fmuladd.f32(float %21, float %25, float %29), !dbg !90
  %31 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %26, !dbg !91
  %32 = load float, ptr addrspace(1) %31, align 4, !dbg !92, !tbaa !36
  %33 = fadd float %32, %30, !dbg !92
  store float %33, ptr addrspace(1) %31, align 4, !dbg !92, !tbaa !36
  store float %30, ptr addrspace(1) %27, align 4, !dbg !93, !tbaa !36
  tail call void @_Z7barrierj(i32 noundef 1) #5, !dbg !94
  %34 = icmp eq i64 %12, 0, !dbg !95
  br i1 %34, label %35, label %46, !dbg !96

35:                                               ; preds = %5
  %36 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #6, !dbg !97
  %37 = icmp eq i64 %36, 0, !dbg !98
  br i1 %37, label %38, label %46, !dbg !96

38:                                               ; preds = %35
  %39 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %18, !dbg !99
  %40 = load float, ptr addrspace(1) %39, align 4, !dbg !99, !tbaa !36
  %41 = fmul float %40, 0x3FD3333340000000, !dbg !100
  %42 = tail call float @llvm.fmuladd.f32(float %20, float 0x3FD3333340000000, float %41), !dbg !101
  %43 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %18, !dbg !102
  %44 = load float, ptr addrspace(1) %43, align 4, !dbg !103, !tbaa !36
  %45 = fadd float %44, %42, !dbg !103
  store float %45, ptr addrspace(1) %43, align 4, !dbg !103, !tbaa !36
  store float %42, ptr addrspace(1) %39, align 4, !dbg !104, !tbaa !36
  br label %46, !dbg !105

46:                                               ; preds = %38, %35, %5
  ret void, !dbg !106
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #2

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
!1 = !DIFile(filename: "backprop.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "layerforward", scope: !1, file: !1, line: 16, type: !13, scopeLine: 17, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 1, i32 0}
!16 = !{!"none", !"none", !"none", !"none"}
!17 = !{!"float*", !"float*", !"float*", !"int"}
!18 = !{!"restrict const", !"restrict", !"restrict", !""}
!19 = !DILocation(line: 17, column: 74, scope: !12)
!20 = !DILocation(line: 48, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "layerforward", scope: !1, file: !1, line: 16, type: !13, scopeLine: 17, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 21, column: 18, scope: !21)
!23 = !DILocation(line: 22, column: 18, scope: !21)
!24 = !DILocation(line: 23, column: 23, scope: !21)
!25 = !DILocation(line: 23, column: 39, scope: !21)
!26 = !DILocation(line: 23, column: 50, scope: !21)
!27 = !DILocation(line: 23, column: 21, scope: !21)
!28 = !DILocation(line: 23, column: 48, scope: !21)
!29 = !DILocation(line: 23, column: 19, scope: !21)
!30 = !DILocation(line: 24, column: 35, scope: !21)
!31 = !DILocation(line: 24, column: 25, scope: !21)
!32 = !DILocation(line: 24, column: 40, scope: !21)
!33 = !DILocation(line: 24, column: 44, scope: !21)
!34 = !DILocation(line: 26, column: 10, scope: !21)
!35 = !DILocation(line: 27, column: 17, scope: !21)
!36 = !{!37, !37, i64 0}
!37 = !{!"float", !10, i64 0}
!38 = !DILocation(line: 27, column: 15, scope: !21)
!39 = !DILocation(line: 28, column: 3, scope: !21)
!40 = !DILocation(line: 29, column: 3, scope: !21)
!41 = !DILocation(line: 30, column: 22, scope: !21)
!42 = !DILocation(line: 30, column: 3, scope: !21)
!43 = !DILocation(line: 30, column: 20, scope: !21)
!44 = !DILocation(line: 31, column: 3, scope: !21)
!45 = !DILocation(line: 32, column: 23, scope: !21)
!46 = !DILocation(line: 32, column: 20, scope: !21)
!47 = !DILocation(line: 33, column: 3, scope: !21)
!48 = !DILocation(line: 35, column: 8, scope: !21)
!49 = !DILocation(line: 36, column: 19, scope: !21)
!50 = !DILocation(line: 37, column: 27, scope: !21)
!51 = !DILocation(line: 37, column: 24, scope: !21)
!52 = !DILocation(line: 38, column: 5, scope: !21)
!53 = !DILocation(line: 39, column: 5, scope: !21)
!54 = !DILocation(line: 42, column: 20, scope: !21)
!55 = !DILocation(line: 42, column: 18, scope: !21)
!56 = !DILocation(line: 43, column: 3, scope: !21)
!57 = !DILocation(line: 45, column: 15, scope: !21)
!58 = !DILocation(line: 46, column: 46, scope: !21)
!59 = !DILocation(line: 46, column: 13, scope: !21)
!60 = !DILocation(line: 46, column: 31, scope: !21)
!61 = !DILocation(line: 46, column: 29, scope: !21)
!62 = !DILocation(line: 46, column: 5, scope: !21)
!63 = !DILocation(line: 46, column: 44, scope: !21)
!64 = !DILocation(line: 47, column: 3, scope: !21)
!65 = !DILocation(line: 48, column: 1, scope: !21)
!66 = distinct !DISubprogram(name: "adjust_weights", scope: !1, file: !1, line: 52, type: !13, scopeLine: 55, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!67 = !{i32 1, i32 1, i32 1, i32 1, i32 0}
!68 = !{!"none", !"none", !"none", !"none", !"none"}
!69 = !{!"float*", !"float*", !"float*", !"float*", !"int"}
!70 = !{!"restrict const", !"restrict const", !"restrict", !"restrict", !""}
!71 = !DILocation(line: 55, column: 42, scope: !66)
!72 = !DILocation(line: 70, column: 1, scope: !66)
!73 = distinct !DISubprogram(name: "adjust_weights", scope: !1, file: !1, line: 52, type: !13, scopeLine: 55, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!74 = !DILocation(line: 56, column: 24, scope: !73)
!75 = !DILocation(line: 56, column: 20, scope: !73)
!76 = !DILocation(line: 57, column: 23, scope: !73)
!77 = !DILocation(line: 57, column: 39, scope: !73)
!78 = !DILocation(line: 57, column: 21, scope: !73)
!79 = !DILocation(line: 57, column: 50, scope: !73)
!80 = !DILocation(line: 57, column: 48, scope: !73)
!81 = !DILocation(line: 57, column: 19, scope: !73)
!82 = !DILocation(line: 58, column: 35, scope: !73)
!83 = !DILocation(line: 58, column: 25, scope: !73)
!84 = !DILocation(line: 58, column: 40, scope: !73)
!85 = !DILocation(line: 60, column: 31, scope: !73)
!86 = !DILocation(line: 60, column: 29, scope: !73)
!87 = !DILocation(line: 60, column: 46, scope: !73)
!88 = !DILocation(line: 60, column: 71, scope: !73)
!89 = !DILocation(line: 60, column: 69, scope: !73)
!90 = !DILocation(line: 60, column: 58, scope: !73)
!91 = !DILocation(line: 61, column: 3, scope: !73)
!92 = !DILocation(line: 61, column: 18, scope: !73)
!93 = !DILocation(line: 62, column: 18, scope: !73)
!94 = !DILocation(line: 63, column: 3, scope: !73)
!95 = !DILocation(line: 65, column: 23, scope: !73)
!96 = !DILocation(line: 65, column: 28, scope: !73)
!97 = !DILocation(line: 65, column: 31, scope: !73)
!98 = !DILocation(line: 65, column: 47, scope: !73)
!99 = !DILocation(line: 66, column: 57, scope: !73)
!100 = !DILocation(line: 66, column: 55, scope: !73)
!101 = !DILocation(line: 66, column: 44, scope: !73)
!102 = !DILocation(line: 67, column: 5, scope: !73)
!103 = !DILocation(line: 67, column: 19, scope: !73)
!104 = !DILocation(line: 68, column: 19, scope: !73)
!105 = !DILocation(line: 69, column: 3, scope: !73)
!106 = !DILocation(line: 70, column: 1, scope: !73)
