; ModuleID = 'hotspot.cl'
source_filename = "hotspot.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@hotspot.cell = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@hotspot.heating = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@hotspot.next = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @hotspot(i32 noundef %0, ptr addrspace(1) noundef readonly align 4 captures(none) %1, ptr addrspace(1) noundef readonly align 4 captures(none) %2, ptr addrspace(1) noundef writeonly align 4 captures(none) %3, i32 noundef %4, i32 noundef %5, float noundef %6, float noundef %7, float noundef %8, float noundef %9, float noundef %10) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_hotspot(i32 noundef %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, ptr addrspace(1) noundef align 4 %3, i32 noundef %4, i32 noundef %5, float noundef %6, float noundef %7, float noundef %8, float noundef %9, float noundef %10) #5, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_hotspot(i32 noundef %0, ptr addrspace(1) noundef readonly align 4 captures(none) %1, ptr addrspace(1) noundef readonly align 4 captures(none) %2, ptr addrspace(1) noundef writeonly align 4 captures(none) %3, i32 noundef %4, i32 noundef %5, float noundef %6, float noundef %7, float noundef %8, float noundef %9, float noundef %10) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %12 = fdiv float %10, %6, !dbg !22, !fpmath !23
  %13 = fdiv float 1.000000e+00, %7, !dbg !24, !fpmath !23
  %14 = fdiv float 1.000000e+00, %8, !dbg !25, !fpmath !23
  %15 = fdiv float 1.000000e+00, %9, !dbg !26, !fpmath !23
  %16 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #6, !dbg !27
  %17 = trunc i64 %16 to i32, !dbg !27
  %18 = tail call i64 @_Z12get_local_idj(i32 noundef 1) #6, !dbg !28
  %19 = trunc i64 %18 to i32, !dbg !28
  %20 = shl nsw i32 %0, 1, !dbg !29
  %21 = sub nsw i32 16, %20, !dbg !30
  %22 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #6, !dbg !31
  %23 = trunc i64 %22 to i32, !dbg !32
  %24 = mul nsw i32 %21, %23, !dbg !33
  %25 = sub nsw i32 %24, %0, !dbg !34
  %26 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #6, !dbg !35
  %27 = trunc i64 %26 to i32, !dbg !36
  %28 = mul nsw i32 %21, %27, !dbg !37
  %29 = sub nsw i32 %28, %0, !dbg !38
  %30 = add nsw i32 %25, %17, !dbg !39
  %31 = add nsw i32 %29, %19, !dbg !40
  %32 = icmp sgt i32 %30, -1, !dbg !41
  %33 = icmp slt i32 %30, %4
  %34 = icmp sgt i32 %31, -1
  %35 = icmp slt i32 %31, %5
  %36 = and i1 %34, %35, !dbg !42
  %37 = and i1 %32, %33, !dbg !43
  %38 = select i1 %37, i1 %36, i1 false, !dbg !43
  %39 = mul nsw i32 %31, %4, !dbg !43
  %40 = add nsw i32 %39, %30, !dbg !44
  br i1 %38, label %41, label %55, !dbg !45

41:                                               ; preds = %11
  %42 = sext i32 %40 to i64, !dbg !46
  %43 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %42, !dbg !46
  %44 = load float, ptr addrspace(1) %43, align 4, !dbg !46, !tbaa !47
  %45 = shl i64 %18, 32, !dbg !49
  %46 = ashr exact i64 %45, 32, !dbg !49
  %47 = getelementptr inbounds [16 x float], ptr addrspace(3) @hotspot.cell, i64 %46, !dbg !49
  %48 = shl i64 %16, 32, !dbg !49
  %49 = ashr exact i64 %48, 32, !dbg !49
  %50 = getelementptr inbounds float, ptr addrspace(3) %47, i64 %49, !dbg !49
  store float %44, ptr addrspace(3) %50, align 4, !dbg !50, !tbaa !47
  %51 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %42, !dbg !51
  %52 = load float, ptr addrspace(1) %51, align 4, !dbg !51, !tbaa !47
  %53 = getelementptr inbounds [16 x float], ptr addrspace(3) @hotspot.heating, i64 %46, !dbg !52
  %54 = getelementptr inbounds float, ptr addrspace(3) %53, i64 %49, !dbg !52
  store float %52, ptr addrspace(3) %54, align 4, !dbg !53, !tbaa !47
  br label %55, !dbg !54

55:                                               ; preds = %41, %11
  tail call void @_Z7barrierj(i32 noundef 1) #5, !dbg !55
  %56 = add nsw i32 %19, -1, !dbg !56
  %57 = sub nsw i32 0, %29, !dbg !57
  %58 = tail call i32 @_Z3maxii(i32 noundef %57, i32 noundef 0) #6, !dbg !58
  %59 = tail call i32 @_Z3maxii(i32 noundef %56, i32 noundef %58) #6, !dbg !59
  %60 = add nsw i32 %19, 1, !dbg !60
  %61 = sub nsw i32 %5, %29, !dbg !61
  %62 = tail call i32 @_Z3minii(i32 noundef %61, i32 noundef 16) #6, !dbg !62
  %63 = add nsw i32 %62, -1, !dbg !63
  %64 = tail call i32 @_Z3minii(i32 noundef %60, i32 noundef %63) #6, !dbg !64
  %65 = add nsw i32 %17, -1, !dbg !65
  %66 = sub nsw i32 0, %25, !dbg !66
  %67 = tail call i32 @_Z3maxii(i32 noundef %66, i32 noundef 0) #6, !dbg !67
  %68 = tail call i32 @_Z3maxii(i32 noundef %65, i32 noundef %67) #6, !dbg !68
  %69 = add nsw i32 %17, 1, !dbg !69
  %70 = sub nsw i32 %4, %25, !dbg !70
  %71 = tail call i32 @_Z3minii(i32 noundef %70, i32 noundef 16) #6, !dbg !71
  %72 = add nsw i32 %71, -1, !dbg !72
  %73 = tail call i32 @_Z3minii(i32 noundef %69, i32 noundef %72) #6, !dbg !73
  %74 = icmp slt i32 %0, 1, !dbg !74
  br i1 %74, label %142, label %75, !dbg !75

75:                                               ; preds = %55
  %76 = shl i64 %18, 32
  %77 = ashr exact i64 %76, 32
  %78 = getelementptr inbounds [16 x float], ptr addrspace(3) @hotspot.cell, i64 %77
  %79 = shl i64 %16, 32
  %80 = ashr exact i64 %79, 32
  %81 = getelementptr inbounds float, ptr addrspace(3) %78, i64 %80
  %82 = sext i32 %64 to i64
  %83 = getelementptr inbounds [16 x float], ptr addrspace(3) @hotspot.cell, i64 %82
  %84 = getelementptr inbounds float, ptr addrspace(3) %83, i64 %80
  %85 = sext i32 %59 to i64
  %86 = getelementptr inbounds [16 x float], ptr addrspace(3) @hotspot.cell, i64 %85
  %87 = getelementptr inbounds float, ptr addrspace(3) %86, i64 %80
  %88 = sext i32 %73 to i64
  %89 = getelementptr inbounds float, ptr addrspace(3) %78, i64 %88
  %90 = sext i32 %68 to i64
  %91 = getelementptr inbounds float, ptr addrspace(3) %78, i64 %90
  %92 = getelementptr inbounds [16 x float], ptr addrspace(3) @hotspot.heating, i64 %77
  %93 = getelementptr inbounds float, ptr addrspace(3) %92, i64 %80
  %94 = getelementptr inbounds [16 x float], ptr addrspace(3) @hotspot.next, i64 %77
  %95 = getelementptr inbounds float, ptr addrspace(3) %94, i64 %80
  br label %96, !dbg !75

96:                                               ; preds = %131, %75
  %97 = phi i32 [ 1, %75 ], [ %132, %131 ]
  %98 = icmp sle i32 %97, %17
  %99 = and i1 %38, %98
  %100 = sub nsw i32 16, %97
  %101 = icmp sgt i32 %100, %17
  %102 = icmp sle i32 %97, %19
  %103 = icmp sgt i32 %100, %19
  %104 = select i1 %99, i1 %101, i1 false, !dbg !76
  %105 = select i1 %104, i1 %102, i1 false, !dbg !76
  %106 = select i1 %105, i1 %103, i1 false, !dbg !76
  br i1 %106, label %107, label %126, !dbg !77

107:                                              ; preds = %96
  %108 = load float, ptr addrspace(3) %81, align 4, !dbg !78, !tbaa !47
  %109 = load float, ptr addrspace(3) %84, align 4, !dbg !79, !tbaa !47
  %110 = load float, ptr addrspace(3) %87, align 4, !dbg !80, !tbaa !47
  %111 = fadd float %109, %110, !dbg !81
  %112 = tail call float @llvm.fmuladd.f32(float %108, float -2.000000e+00, float %111), !dbg !82
  %113 = fmul float %14, %112, !dbg !83
  %114 = load float, ptr addrspace(3) %89, align 4, !dbg !84, !tbaa !47
  %115 = load float, ptr addrspace(3) %91, align 4, !dbg !85, !tbaa !47
  %116 = fadd float %114, %115, !dbg !86
  %117 = tail call float @llvm.fmuladd.f32(float %108, float -2.000000e+00, float %116), !dbg !87
  %118 = fmul float %13, %117, !dbg !88
  %119 = fsub float 8.000000e+01, %108, !dbg !89
  %120 = fmul float %15, %119, !dbg !90
  %121 = load float, ptr addrspace(3) %93, align 4, !dbg !91, !tbaa !47
  %122 = fadd float %121, %113, !dbg !92
  %123 = fadd float %122, %118, !dbg !93
  %124 = fadd float %120, %123, !dbg !94
  %125 = tail call float @llvm.fmuladd.f32(float %12, float %124, float %108), !dbg !95
  store float %125, ptr addrspace(3) %95, align 4, !dbg !96, !tbaa !47
  br label %126, !dbg !97

126:                                              ; preds = %107, %96
  tail call void @_Z7barrierj(i32 noundef 1) #5, !dbg !98
  %127 = icmp eq i32 %97, %0, !dbg !99
  br i1 %127, label %133, label %128, !dbg !99

128:                                              ; preds = %126
  br i1 %106, label %129, label %131, !dbg !100

129:                                              ; preds = %128
  %130 = load float, ptr addrspace(3) %95, align 4, !dbg !101, !tbaa !47
  store float %130, ptr addrspace(3) %81, align 4, !dbg !102, !tbaa !47
  br label %131, !dbg !103

131:                                              ; preds = %129, %128
  tail call void @_Z7barrierj(i32 noundef 1) #5, !dbg !104
  %132 = add nuw nsw i32 %97, 1, !dbg !105
  br label %96, !dbg !75

133:                                              ; preds = %126
  br i1 %106, label %134, label %142, !dbg !106

134:                                              ; preds = %133
  %135 = ashr exact i64 %76, 26, !dbg !107
  %136 = getelementptr inbounds i8, ptr addrspace(3) @hotspot.next, i64 %135, !dbg !107
  %137 = ashr exact i64 %79, 30, !dbg !107
  %138 = getelementptr inbounds i8, ptr addrspace(3) %136, i64 %137, !dbg !107
  %139 = load float, ptr addrspace(3) %138, align 4, !dbg !107, !tbaa !47
  %140 = sext i32 %40 to i64, !dbg !108
  %141 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %140, !dbg !108
  store float %139, ptr addrspace(1) %141, align 4, !dbg !109, !tbaa !47
  br label %142, !dbg !110

142:                                              ; preds = %55, %134, %133
  ret void, !dbg !111
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #3

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i32 @_Z3maxii(i32 noundef, i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i32 @_Z3minii(i32 noundef, i32 noundef) local_unnamed_addr #2

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
!1 = !DIFile(filename: "hotspot.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "hotspot", scope: !1, file: !1, line: 15, type: !13, scopeLine: 17, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 0, i32 1, i32 1, i32 1, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0}
!16 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!17 = !{!"int", !"float*", !"float*", !"float*", !"int", !"int", !"float", !"float", !"float", !"float", !"float"}
!18 = !{!"", !"const", !"const", !"", !"", !"", !"", !"", !"", !"", !""}
!19 = !DILocation(line: 17, column: 62, scope: !12)
!20 = !DILocation(line: 71, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "hotspot", scope: !1, file: !1, line: 15, type: !13, scopeLine: 17, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 22, column: 30, scope: !21)
!23 = !{float 2.500000e+00}
!24 = !DILocation(line: 23, column: 31, scope: !21)
!25 = !DILocation(line: 24, column: 30, scope: !21)
!26 = !DILocation(line: 25, column: 28, scope: !21)
!27 = !DILocation(line: 27, column: 18, scope: !21)
!28 = !DILocation(line: 28, column: 18, scope: !21)
!29 = !DILocation(line: 29, column: 30, scope: !21)
!30 = !DILocation(line: 29, column: 26, scope: !21)
!31 = !DILocation(line: 30, column: 41, scope: !21)
!32 = !DILocation(line: 30, column: 36, scope: !21)
!33 = !DILocation(line: 30, column: 34, scope: !21)
!34 = !DILocation(line: 30, column: 57, scope: !21)
!35 = !DILocation(line: 31, column: 38, scope: !21)
!36 = !DILocation(line: 31, column: 33, scope: !21)
!37 = !DILocation(line: 31, column: 31, scope: !21)
!38 = !DILocation(line: 31, column: 54, scope: !21)
!39 = !DILocation(line: 32, column: 35, scope: !21)
!40 = !DILocation(line: 33, column: 29, scope: !21)
!41 = !DILocation(line: 34, column: 31, scope: !21)
!42 = !DILocation(line: 34, column: 36, scope: !21)
!43 = !DILocation(line: 35, column: 25, scope: !21)
!44 = !DILocation(line: 35, column: 35, scope: !21)
!45 = !DILocation(line: 36, column: 7, scope: !21)
!46 = !DILocation(line: 37, column: 20, scope: !21)
!47 = !{!48, !48, i64 0}
!48 = !{!"float", !10, i64 0}
!49 = !DILocation(line: 37, column: 5, scope: !21)
!50 = !DILocation(line: 37, column: 18, scope: !21)
!51 = !DILocation(line: 38, column: 23, scope: !21)
!52 = !DILocation(line: 38, column: 5, scope: !21)
!53 = !DILocation(line: 38, column: 21, scope: !21)
!54 = !DILocation(line: 39, column: 3, scope: !21)
!55 = !DILocation(line: 40, column: 3, scope: !21)
!56 = !DILocation(line: 43, column: 28, scope: !21)
!57 = !DILocation(line: 43, column: 37, scope: !21)
!58 = !DILocation(line: 43, column: 33, scope: !21)
!59 = !DILocation(line: 43, column: 21, scope: !21)
!60 = !DILocation(line: 44, column: 28, scope: !21)
!61 = !DILocation(line: 44, column: 42, scope: !21)
!62 = !DILocation(line: 44, column: 33, scope: !21)
!63 = !DILocation(line: 44, column: 61, scope: !21)
!64 = !DILocation(line: 44, column: 21, scope: !21)
!65 = !DILocation(line: 45, column: 27, scope: !21)
!66 = !DILocation(line: 45, column: 36, scope: !21)
!67 = !DILocation(line: 45, column: 32, scope: !21)
!68 = !DILocation(line: 45, column: 20, scope: !21)
!69 = !DILocation(line: 46, column: 27, scope: !21)
!70 = !DILocation(line: 46, column: 44, scope: !21)
!71 = !DILocation(line: 46, column: 32, scope: !21)
!72 = !DILocation(line: 46, column: 66, scope: !21)
!73 = !DILocation(line: 46, column: 20, scope: !21)
!74 = !DILocation(line: 49, column: 27, scope: !21)
!75 = !DILocation(line: 49, column: 3, scope: !21)
!76 = !DILocation(line: 50, column: 24, scope: !21)
!77 = !DILocation(line: 51, column: 9, scope: !21)
!78 = !DILocation(line: 52, column: 26, scope: !21)
!79 = !DILocation(line: 53, column: 33, scope: !21)
!80 = !DILocation(line: 53, column: 51, scope: !21)
!81 = !DILocation(line: 53, column: 49, scope: !21)
!82 = !DILocation(line: 53, column: 67, scope: !21)
!83 = !DILocation(line: 53, column: 79, scope: !21)
!84 = !DILocation(line: 54, column: 34, scope: !21)
!85 = !DILocation(line: 54, column: 51, scope: !21)
!86 = !DILocation(line: 54, column: 49, scope: !21)
!87 = !DILocation(line: 54, column: 66, scope: !21)
!88 = !DILocation(line: 54, column: 78, scope: !21)
!89 = !DILocation(line: 55, column: 44, scope: !21)
!90 = !DILocation(line: 55, column: 52, scope: !21)
!91 = !DILocation(line: 56, column: 37, scope: !21)
!92 = !DILocation(line: 56, column: 53, scope: !21)
!93 = !DILocation(line: 56, column: 66, scope: !21)
!94 = !DILocation(line: 56, column: 80, scope: !21)
!95 = !DILocation(line: 56, column: 27, scope: !21)
!96 = !DILocation(line: 56, column: 20, scope: !21)
!97 = !DILocation(line: 57, column: 5, scope: !21)
!98 = !DILocation(line: 58, column: 5, scope: !21)
!99 = !DILocation(line: 59, column: 14, scope: !21)
!100 = !DILocation(line: 62, column: 9, scope: !21)
!101 = !DILocation(line: 63, column: 22, scope: !21)
!102 = !DILocation(line: 63, column: 20, scope: !21)
!103 = !DILocation(line: 64, column: 5, scope: !21)
!104 = !DILocation(line: 65, column: 5, scope: !21)
!105 = !DILocation(line: 49, column: 37, scope: !21)
!106 = !DILocation(line: 68, column: 7, scope: !21)
!107 = !DILocation(line: 69, column: 20, scope: !21)
!108 = !DILocation(line: 69, column: 5, scope: !21)
!109 = !DILocation(line: 69, column: 18, scope: !21)
!110 = !DILocation(line: 70, column: 3, scope: !21)
!111 = !DILocation(line: 71, column: 1, scope: !21)
