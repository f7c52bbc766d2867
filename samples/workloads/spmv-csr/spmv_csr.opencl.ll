; ModuleID = 'spmv_csr.cl'
source_filename = "spmv_csr.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@spmv_csr_vector.sums = internal unnamed_addr addrspace(3) global [192 x float] undef, align 4

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @spmv_csr_scalar(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %2, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %3, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %4, i32 noundef %5) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_spmv_csr_scalar(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, ptr addrspace(1) noundef align 4 %3, ptr addrspace(1) noundef align 4 %4, i32 noundef %5) #7, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_spmv_csr_scalar(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %2, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %3, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %4, i32 noundef %5) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %7 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #8, !dbg !22
  %8 = trunc i64 %7 to i32, !dbg !22
  %9 = icmp sgt i32 %5, %8, !dbg !23
  br i1 %9, label %10, label %68, !dbg !23

10:                                               ; preds = %6
  %11 = shl i64 %7, 32, !dbg !24
  %12 = add i64 %11, 4294967296, !dbg !24
  %13 = ashr exact i64 %12, 30, !dbg !24
  %14 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %13, !dbg !24
  %15 = load i32, ptr addrspace(1) %14, align 4, !dbg !24, !tbaa !8
  %16 = ashr exact i64 %11, 32, !dbg !25
  %17 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %16, !dbg !25
  %18 = load i32, ptr addrspace(1) %17, align 4, !dbg !25, !tbaa !8
  %19 = icmp slt i32 %18, %15, !dbg !26
  br i1 %19, label %20, label %41, !dbg !27

20:                                               ; preds = %10
  %21 = sub i32 %15, %18, !dbg !27
  %22 = add i32 %18, 1, !dbg !27
  %23 = and i32 %21, 1, !dbg !27
  %24 = icmp eq i32 %23, 0, !dbg !27
  br i1 %24, label %36, label %25, !dbg !27

25:                                               ; preds = %20
  %26 = sext i32 %18 to i64, !dbg !28
  %27 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %26, !dbg !28
  %28 = load float, ptr addrspace(1) %27, align 4, !dbg !28, !tbaa !29
  %29 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %26, !dbg !31
  %30 = load i32, ptr addrspace(1) %29, align 4, !dbg !31, !tbaa !8
  %31 = sext i32 %30 to i64, !dbg !32
  %32 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %31, !dbg !32
  %33 = load float, ptr addrspace(1) %32, align 4, !dbg !32, !tbaa !29
  %34 = tail call float @llvm.fmuladd.f32(float %28, float %33, float 0.000000e+00), !dbg !33
  %35 = add nsw i32 %18, 1, !dbg !34
  br label %36, !dbg !27

36:                                               ; preds = %25, %20
  %37 = phi float [ poison, %20 ], [ %34, %25 ]
  %38 = phi i32 [ %18, %20 ], [ %35, %25 ]
  %39 = phi float [ 0.000000e+00, %20 ], [ %34, %25 ]
  %40 = icmp eq i32 %15, %22, !dbg !27
  br i1 %40, label %41, label %44, !dbg !27

41:                                               ; preds = %36, %44, %10
  %42 = phi float [ 0.000000e+00, %10 ], [ %37, %36 ], [ %65, %44 ], !dbg !35
  %43 = getelementptr inbounds float, ptr addrspace(1) %4, i64 %16, !dbg !36
  store float %42, ptr addrspace(1) %43, align 4, !dbg !37, !tbaa !29
  br label %68, !dbg !38

44:                                               ; preds = %36, %44
  %45 = phi i32 [ %66, %44 ], [ %38, %36 ]
  %46 = phi float [ %65, %44 ], [ %39, %36 ]
  %47 = sext i32 %45 to i64, !dbg !28
  %48 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %47, !dbg !28
  %49 = load float, ptr addrspace(1) %48, align 4, !dbg !28, !tbaa !29
  %50 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %47, !dbg !31
  %51 = load i32, ptr addrspace(1) %50, align 4, !dbg !31, !tbaa !8
  %52 = sext i32 %51 to i64, !dbg !32
  %53 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %52, !dbg !32
  %54 = load float, ptr addrspace(1) %53, align 4, !dbg !32, !tbaa !29
  %55 = tail call float @llvm.fmuladd.f32(float %49, float %54, float %46), !dbg !33
  %56 = add nsw i32 %45, 1, !dbg !34
  %57 = sext i32 %56 to i64, !dbg !28
  %58 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %57, !dbg !28
  %59 = load float, ptr addrspace(1) %58, align 4, !dbg !28, !tbaa !29
  %60 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %57, !dbg !31
  %61 = load i32, ptr addrspace(1) %60, align 4, !dbg !31, !tbaa !8
  %62 = sext i32 %61 to i64, !dbg !32
  %63 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %62, !dbg !32
  %64 = load float, ptr addrspace(1) %63, align 4, !dbg !32, !tbaa !29
  %65 = tail call float @llvm.fmuladd.f32(float %59, float %64, float %55), !dbg !33
  %66 = add nsw i32 %45, 2, !dbg !34
  %67 = icmp eq i32 %66, %15, !dbg !26
  br i1 %67, label %41, label %44, !dbg !27, !llvm.loop !39

68:                                               ; preds = %41, %6
  ret void, !dbg !41
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @spmv_csr_vector(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %2, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %3, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %4, i32 noundef %5) local_unnamed_addr #2 !dbg !42 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 !reqd_work_group_size !43 {
  tail call void @__clang_ocl_kern_imp_spmv_csr_vector(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, ptr addrspace(1) noundef align 4 %3, ptr addrspace(1) noundef align 4 %4, i32 noundef %5) #7, !dbg !44
  ret void, !dbg !45
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_spmv_csr_vector(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %2, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %3, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %4, i32 noundef %5) local_unnamed_addr #3 !dbg !46 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 !reqd_work_group_size !43 {
  %7 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #8, !dbg !47
  %8 = trunc i64 %7 to i32, !dbg !47
  %9 = freeze i32 %8, !dbg !48
  %10 = sdiv i32 %9, 32, !dbg !48
  %11 = mul i32 %10, 32, !dbg !49
  %12 = sub i32 %9, %11, !dbg !49
  %13 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #8, !dbg !50
  %14 = trunc i64 %13 to i32, !dbg !50
  %15 = mul i32 %14, 6, !dbg !50
  %16 = add i32 %15, %10, !dbg !50
  %17 = icmp sge i32 %16, %5, !dbg !51
  br i1 %17, label %40, label %18, !dbg !51

18:                                               ; preds = %6
  %19 = sext i32 %16 to i64, !dbg !52
  %20 = getelementptr i32, ptr addrspace(1) %0, i64 %19, !dbg !52
  %21 = getelementptr i8, ptr addrspace(1) %20, i64 4, !dbg !52
  %22 = load i32, ptr addrspace(1) %21, align 4, !dbg !52, !tbaa !8
  %23 = load i32, ptr addrspace(1) %20, align 4, !dbg !53, !tbaa !8
  %24 = add nsw i32 %23, %12, !dbg !54
  %25 = icmp slt i32 %24, %22, !dbg !55
  br i1 %25, label %26, label %40, !dbg !56

26:                                               ; preds = %18, %26
  %27 = phi i32 [ %38, %26 ], [ %24, %18 ]
  %28 = phi float [ %37, %26 ], [ 0.000000e+00, %18 ]
  %29 = sext i32 %27 to i64, !dbg !57
  %30 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %29, !dbg !57
  %31 = load float, ptr addrspace(1) %30, align 4, !dbg !57, !tbaa !29
  %32 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %29, !dbg !58
  %33 = load i32, ptr addrspace(1) %32, align 4, !dbg !58, !tbaa !8
  %34 = sext i32 %33 to i64, !dbg !59
  %35 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %34, !dbg !59
  %36 = load float, ptr addrspace(1) %35, align 4, !dbg !59, !tbaa !29
  %37 = tail call float @llvm.fmuladd.f32(float %31, float %36, float %28), !dbg !60
  %38 = add nsw i32 %27, 32, !dbg !61
  %39 = icmp slt i32 %38, %22, !dbg !55
  br i1 %39, label %26, label %40, !dbg !56, !llvm.loop !62

40:                                               ; preds = %26, %18, %6
  %41 = phi float [ 0.000000e+00, %6 ], [ 0.000000e+00, %18 ], [ %37, %26 ], !dbg !64
  %42 = shl i64 %7, 32, !dbg !65
  %43 = ashr exact i64 %42, 30, !dbg !65
  %44 = getelementptr inbounds i8, ptr addrspace(3) @spmv_csr_vector.sums, i64 %43, !dbg !65
  store float %41, ptr addrspace(3) %44, align 4, !dbg !66, !tbaa !29
  tail call void @_Z7barrierj(i32 noundef 1) #7, !dbg !67
  %45 = icmp slt i32 %12, 16, !dbg !68
  br i1 %45, label %46, label %53, !dbg !68

46:                                               ; preds = %40
  %47 = shl i64 %7, 32
  %48 = add i64 %47, 68719476736
  %49 = ashr exact i64 %48, 30
  %50 = getelementptr inbounds i8, ptr addrspace(3) @spmv_csr_vector.sums, i64 %49
  %51 = load float, ptr addrspace(3) %50, align 4, !dbg !69, !tbaa !29
  %52 = fadd float %41, %51, !dbg !70
  store float %52, ptr addrspace(3) %44, align 4, !dbg !71, !tbaa !29
  br label %53, !dbg !72

53:                                               ; preds = %46, %40
  %54 = phi float [ %52, %46 ], [ %41, %40 ], !dbg !73
  tail call void @_Z7barrierj(i32 noundef 1) #7, !dbg !74
  %55 = icmp slt i32 %12, 8, !dbg !68
  br i1 %55, label %56, label %63, !dbg !68

56:                                               ; preds = %53
  %57 = shl i64 %7, 32
  %58 = add i64 %57, 34359738368
  %59 = ashr exact i64 %58, 30
  %60 = getelementptr inbounds i8, ptr addrspace(3) @spmv_csr_vector.sums, i64 %59
  %61 = load float, ptr addrspace(3) %60, align 4, !dbg !69, !tbaa !29
  %62 = fadd float %54, %61, !dbg !70
  store float %62, ptr addrspace(3) %44, align 4, !dbg !71, !tbaa !29
  br label %63, !dbg !72

63:                                               ; preds = %56, %53
  %64 = phi float [ %62, %56 ], [ %54, %53 ], !dbg !73
  tail call void @_Z7barrierj(i32 noundef 1) #7, !dbg !74
  %65 = icmp slt i32 %12, 4, !dbg !68
  br i1 %65, label %66, label %73, !dbg !68

66:                                               ; preds = %63
  %67 = shl i64 %7, 32
  %68 = add i64 %67, 17179869184
  %69 = ashr exact i64 %68, 30
  %70 = getelementptr inbounds i8, ptr addrspace(3) @spmv_csr_vector.sums, i64 %69
  %71 = load float, ptr addrspace(3) %70, align 4, !dbg !69, !tbaa !29
  %72 = fadd float %64, %71, !dbg !70
  store float %72, ptr addrspace(3) %44, align 4, !dbg !71, !tbaa !29
  br label %73, !dbg !72

73:                                               ; preds = %66, %63
  %74 = phi float [ %72, %66 ], [ %64, %63 ], !dbg !73
  tail call void @_Z7barrierj(i32 noundef 1) #7, !dbg !74
  %75 = icmp slt i32 %12, 2, !dbg !68
  br i1 %75, label %76, label %83, !dbg !68

76:                                               ; preds = %73
  %77 = shl i64 %7, 32
  %78 = add i64 %77, 8589934592
  %79 = ashr exact i64 %78, 30
  %80 = getelementptr inbounds i8, ptr addrspace(3) @spmv_csr_vector.sums, i64 %79
  %81 = load float, ptr addrspace(3) %80, align 4, !dbg !69, !tbaa !29
  %82 = fadd float %74, %81, !dbg !70
  store float %82, ptr addrspace(3) %44, align 4, !dbg !71, !tbaa !29
  br label %83, !dbg !72

83:                                               ; preds = %76, %73
  %84 = phi float [ %82, %76 ], [ %74, %73 ], !dbg !73
  tail call void @_Z7barrierj(i32 noundef 1) #7, !dbg !74
  %85 = icmp slt i32 %12, 1, !dbg !68
  br i1 %85, label %86, label %93, !dbg !68

86:                                               ; preds = %83
  %87 = shl i64 %7, 32
  %88 = add i64 %87, 4294967296
  %89 = ashr exact i64 %88, 30
  %90 = getelementptr inbounds i8, ptr addrspace(3) @spmv_csr_vector.sums, i64 %89
  %91 = load float, ptr addrspace(3) %90, align 4, !dbg !69, !tbaa !29
  %92 = fadd float %84, %91, !dbg !70
  store float %92, ptr addrspace(3) %44, align 4, !dbg !71, !tbaa !29
  br label %93, !dbg !72

93:                                               ; preds = %86, %83
  %94 = phi float [ %92, %86 ], [ %84, %83 ], !dbg !73
  tail call void @_Z7barrierj(i32 noundef 1) #7, !dbg !74
  %95 = icmp ne i32 %12, 0, !dbg !75
  %96 = or i1 %95, %17, !dbg !76
  br i1 %96, label %100, label %97, !dbg !76

97:                                               ; preds = %93
  %98 = sext i32 %16 to i64
  %99 = getelementptr inbounds float, ptr addrspace(1) %4, i64 %98
  store float %94, ptr addrspace(1) %99, align 4, !dbg !77, !tbaa !29
  br label %100, !dbg !78

100:                                              ; preds = %93, %97
  ret void, !dbg !79
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #4

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #5

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #4

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #4

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #6

attributes #0 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #5 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #7 = { convergent nounwind }
attributes #8 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "spmv_csr.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "spmv_csr_scalar", scope: !1, file: !1, line: 11, type: !13, scopeLine: 15, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 1, i32 1, i32 1, i32 0}
!16 = !{!"none", !"none", !"none", !"none", !"none", !"none"}
!17 = !{!"int*", !"int*", !"float*", !"float*", !"float*", !"int"}
!18 = !{!"restrict const", !"restrict const", !"restrict const", !"restrict const", !"restrict", !""}
!19 = !DILocation(line: 15, column: 41, scope: !12)
!20 = !DILocation(line: 25, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "spmv_csr_scalar", scope: !1, file: !1, line: 11, type: !13, scopeLine: 15, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 16, column: 19, scope: !21)
!23 = !DILocation(line: 17, column: 11, scope: !21)
!24 = !DILocation(line: 18, column: 21, scope: !21)
!25 = !DILocation(line: 20, column: 18, scope: !21)
!26 = !DILocation(line: 20, column: 32, scope: !21)
!27 = !DILocation(line: 20, column: 5, scope: !21)
!28 = !DILocation(line: 21, column: 14, scope: !21)
!29 = !{!30, !30, i64 0}
!30 = !{!"float", !10, i64 0}
!31 = !DILocation(line: 21, column: 28, scope: !21)
!32 = !DILocation(line: 21, column: 26, scope: !21)
!33 = !DILocation(line: 21, column: 11, scope: !21)
!34 = !DILocation(line: 20, column: 39, scope: !21)
!35 = !DILocation(line: 0, scope: !21)
!36 = !DILocation(line: 23, column: 5, scope: !21)
!37 = !DILocation(line: 23, column: 12, scope: !21)
!38 = !DILocation(line: 24, column: 3, scope: !21)
!39 = distinct !{!39, !27, !40}
!40 = !DILocation(line: 22, column: 5, scope: !21)
!41 = !DILocation(line: 25, column: 1, scope: !21)
!42 = distinct !DISubprogram(name: "spmv_csr_vector", scope: !1, file: !1, line: 31, type: !13, scopeLine: 33, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!43 = !{i32 192, i32 1, i32 1}
!44 = !DILocation(line: 33, column: 55, scope: !42)
!45 = !DILocation(line: 57, column: 1, scope: !42)
!46 = distinct !DISubprogram(name: "spmv_csr_vector", scope: !1, file: !1, line: 31, type: !13, scopeLine: 33, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!47 = !DILocation(line: 35, column: 18, scope: !46)
!48 = !DILocation(line: 37, column: 57, scope: !46)
!49 = !DILocation(line: 36, column: 23, scope: !46)
!50 = !DILocation(line: 37, column: 19, scope: !46)
!51 = !DILocation(line: 39, column: 11, scope: !46)
!52 = !DILocation(line: 40, column: 21, scope: !46)
!53 = !DILocation(line: 41, column: 18, scope: !46)
!54 = !DILocation(line: 41, column: 29, scope: !46)
!55 = !DILocation(line: 41, column: 39, scope: !46)
!56 = !DILocation(line: 41, column: 5, scope: !46)
!57 = !DILocation(line: 42, column: 14, scope: !46)
!58 = !DILocation(line: 42, column: 28, scope: !46)
!59 = !DILocation(line: 42, column: 26, scope: !46)
!60 = !DILocation(line: 42, column: 11, scope: !46)
!61 = !DILocation(line: 41, column: 48, scope: !46)
!62 = distinct !{!62, !56, !63}
!63 = !DILocation(line: 43, column: 5, scope: !46)
!64 = !DILocation(line: 38, column: 9, scope: !46)
!65 = !DILocation(line: 45, column: 3, scope: !46)
!66 = !DILocation(line: 45, column: 12, scope: !46)
!67 = !DILocation(line: 46, column: 3, scope: !46)
!68 = !DILocation(line: 48, column: 14, scope: !46)
!69 = !DILocation(line: 49, column: 14, scope: !46)
!70 = !DILocation(line: 49, column: 11, scope: !46)
!71 = !DILocation(line: 50, column: 16, scope: !46)
!72 = !DILocation(line: 51, column: 5, scope: !46)
!73 = !DILocation(line: 0, scope: !46)
!74 = !DILocation(line: 52, column: 5, scope: !46)
!75 = !DILocation(line: 54, column: 12, scope: !46)
!76 = !DILocation(line: 54, column: 17, scope: !46)
!77 = !DILocation(line: 55, column: 12, scope: !46)
!78 = !DILocation(line: 56, column: 3, scope: !46)
!79 = !DILocation(line: 57, column: 1, scope: !46)
