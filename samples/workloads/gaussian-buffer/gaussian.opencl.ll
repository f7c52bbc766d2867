; ModuleID = 'gaussian.cl'
source_filename = "gaussian.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@gaussian_rows.part = internal unnamed_addr addrspace(3) global [4 x [112 x <4 x float>]] undef, align 16
@gaussian_columns.part = internal unnamed_addr addrspace(3) global [64 x [16 x <4 x float>]] undef, align 16

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @gaussian_rows(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef readonly align 4 captures(none) %5) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !18 !kernel_arg_type_qual !19 {
  tail call void @__clang_ocl_kern_imp_gaussian_rows(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 16 %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef align 4 %5) #5, !dbg !20
  ret void, !dbg !21
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_gaussian_rows(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef readonly align 4 captures(none) %5) local_unnamed_addr #1 !dbg !22 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !18 !kernel_arg_type_qual !19 {
  %7 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #6, !dbg !23
  %8 = trunc i64 %7 to i32, !dbg !23
  %9 = tail call i64 @_Z12get_local_idj(i32 noundef 1) #6, !dbg !24
  %10 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #6, !dbg !25
  %11 = trunc i64 %10 to i32, !dbg !25
  %12 = shl i32 %11, 6, !dbg !25
  %13 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #6, !dbg !26
  %14 = shl i64 %13, 2, !dbg !27
  %15 = shl i64 %9, 32, !dbg !28
  %16 = ashr exact i64 %15, 32, !dbg !28
  %17 = add i64 %14, %9, !dbg !29
  %18 = trunc i64 %17 to i32, !dbg !26
  %19 = add nsw i32 %3, -1, !dbg !30
  %20 = tail call i32 @_Z3minii(i32 noundef %18, i32 noundef %19) #6, !dbg !31
  %21 = mul nsw i32 %20, %2, !dbg !32
  %22 = sext i32 %21 to i64, !dbg !33
  %23 = getelementptr inbounds <4 x i8>, ptr addrspace(1) %0, i64 %22, !dbg !33
  %24 = shl nsw i32 %4, 1
  %25 = add nsw i32 %24, 64
  %26 = icmp sgt i32 %25, %8, !dbg !34
  br i1 %26, label %27, label %31, !dbg !35

27:                                               ; preds = %6
  %28 = sub i32 %12, %4
  %29 = add nsw i32 %2, -1
  %30 = getelementptr inbounds [112 x <4 x float>], ptr addrspace(3) @gaussian_rows.part, i64 %16
  br label %40, !dbg !35

31:                                               ; preds = %40, %6
  tail call void @_Z7barrierj(i32 noundef 1) #5, !dbg !36
  %32 = add nsw i32 %12, %8, !dbg !37
  %33 = icmp slt i32 %32, %2, !dbg !38
  %34 = icmp sgt i32 %3, %18
  %35 = and i1 %33, %34, !dbg !39
  br i1 %35, label %36, label %73, !dbg !39

36:                                               ; preds = %31
  %37 = icmp slt i32 %4, 0, !dbg !40
  br i1 %37, label %52, label %38, !dbg !41

38:                                               ; preds = %36
  %39 = getelementptr inbounds [112 x <4 x float>], ptr addrspace(3) @gaussian_rows.part, i64 %16
  br label %58, !dbg !41

40:                                               ; preds = %27, %40
  %41 = phi i32 [ %8, %27 ], [ %50, %40 ]
  %42 = add i32 %28, %41, !dbg !42
  %43 = tail call i32 @_Z5clampiii(i32 noundef %42, i32 noundef 0, i32 noundef %29) #6, !dbg !43
  %44 = sext i32 %43 to i64, !dbg !44
  %45 = getelementptr inbounds <4 x i8>, ptr addrspace(1) %23, i64 %44, !dbg !44
  %46 = load <4 x i8>, ptr addrspace(1) %45, align 4, !dbg !44, !tbaa !45
  %47 = tail call <4 x float> @_Z14convert_float4Dv4_h(<4 x i8> noundef %46) #6, !dbg !46
  %48 = sext i32 %41 to i64, !dbg !47
  %49 = getelementptr inbounds <4 x float>, ptr addrspace(3) %30, i64 %48, !dbg !47
  store <4 x float> %47, ptr addrspace(3) %49, align 16, !dbg !48, !tbaa !45
  %50 = add nsw i32 %41, 64, !dbg !49
  %51 = icmp slt i32 %41, %24, !dbg !34
  br i1 %51, label %40, label %31, !dbg !35, !llvm.loop !50

52:                                               ; preds = %58, %36
  %53 = phi <4 x float> [ zeroinitializer, %36 ], [ %70, %58 ], !dbg !52
  %54 = mul nsw i32 %2, %18, !dbg !53
  %55 = add nsw i32 %54, %32, !dbg !54
  %56 = sext i32 %55 to i64, !dbg !55
  %57 = getelementptr inbounds <4 x float>, ptr addrspace(1) %1, i64 %56, !dbg !55
  store <4 x float> %53, ptr addrspace(1) %57, align 16, !dbg !56, !tbaa !45
  br label %73, !dbg !57

58:                                               ; preds = %38, %58
  %59 = phi i32 [ 0, %38 ], [ %71, %58 ]
  %60 = phi <4 x float> [ zeroinitializer, %38 ], [ %70, %58 ]
  %61 = zext nneg i32 %59 to i64, !dbg !58
  %62 = getelementptr inbounds nuw float, ptr addrspace(4) %5, i64 %61, !dbg !58
  %63 = load float, ptr addrspace(4) %62, align 4, !dbg !58, !tbaa !59
  %64 = insertelement <4 x float> poison, float %63, i64 0, !dbg !58
  %65 = shufflevector <4 x float> %64, <4 x float> poison, <4 x i32> zeroinitializer, !dbg !58
  %66 = add nsw i32 %59, %8, !dbg !61
  %67 = sext i32 %66 to i64, !dbg !62
  %68 = getelementptr inbounds <4 x float>, ptr addrspace(3) %39, i64 %67, !dbg !62
  %69 = load <4 x float>, ptr addrspace(3) %68, align 16, !dbg !62, !tbaa !45
  %70 = tail call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %65, <4 x float> %69, <4 x float> %60), !dbg !63
  %71 = add nuw nsw i32 %59, 1, !dbg !64
  %72 = icmp eq i32 %59, %24, !dbg !40
  br i1 %72, label %52, label %58, !dbg !41, !llvm.loop !65

73:                                               ; preds = %31, %52
  ret void, !dbg !57
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @gaussian_columns(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef readonly align 4 captures(none) %5) local_unnamed_addr #0 !dbg !67 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !68 !kernel_arg_base_type !69 !kernel_arg_type_qual !19 {
  tail call void @__clang_ocl_kern_imp_gaussian_columns(ptr addrspace(1) noundef align 16 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef align 4 %5) #5, !dbg !70
  ret void, !dbg !71
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_gaussian_columns(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef readonly align 4 captures(none) %5) local_unnamed_addr #1 !dbg !72 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !68 !kernel_arg_base_type !69 !kernel_arg_type_qual !19 {
  %7 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #6, !dbg !73
  %8 = tail call i64 @_Z12get_local_idj(i32 noundef 1) #6, !dbg !74
  %9 = trunc i64 %8 to i32, !dbg !74
  %10 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #6, !dbg !75
  %11 = shl i64 %10, 4, !dbg !76
  %12 = shl i64 %7, 32, !dbg !77
  %13 = add i64 %11, %7, !dbg !78
  %14 = trunc i64 %13 to i32, !dbg !75
  %15 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #6, !dbg !79
  %16 = trunc i64 %15 to i32, !dbg !79
  %17 = shl i32 %16, 4, !dbg !79
  %18 = add nsw i32 %2, -1, !dbg !80
  %19 = tail call i32 @_Z3minii(i32 noundef %14, i32 noundef %18) #6, !dbg !81
  %20 = sext i32 %19 to i64, !dbg !82
  %21 = getelementptr inbounds <4 x float>, ptr addrspace(1) %0, i64 %20, !dbg !82
  %22 = shl nsw i32 %4, 1
  %23 = add nsw i32 %22, 16
  %24 = ashr exact i64 %12, 28, !dbg !83
  %25 = getelementptr i8, ptr addrspace(3) @gaussian_columns.part, i64 %24, !dbg !83
  %26 = icmp sgt i32 %23, %9, !dbg !84
  br i1 %26, label %27, label %30, !dbg !85

27:                                               ; preds = %6
  %28 = sub i32 %17, %4
  %29 = add nsw i32 %3, -1
  br label %37, !dbg !85

30:                                               ; preds = %37, %6
  tail call void @_Z7barrierj(i32 noundef 1) #5, !dbg !86
  %31 = add nsw i32 %17, %9, !dbg !87
  %32 = icmp sgt i32 %2, %14, !dbg !88
  %33 = icmp slt i32 %31, %3
  %34 = select i1 %32, i1 %33, i1 false, !dbg !89
  br i1 %34, label %35, label %73, !dbg !89

35:                                               ; preds = %30
  %36 = icmp slt i32 %4, 0, !dbg !90
  br i1 %36, label %51, label %58, !dbg !91

37:                                               ; preds = %27, %37
  %38 = phi i32 [ %9, %27 ], [ %47, %37 ]
  %39 = add i32 %28, %38, !dbg !92
  %40 = tail call i32 @_Z5clampiii(i32 noundef %39, i32 noundef 0, i32 noundef %29) #6, !dbg !93
  %41 = mul nsw i32 %40, %2, !dbg !94
  %42 = sext i32 %41 to i64, !dbg !95
  %43 = getelementptr inbounds <4 x float>, ptr addrspace(1) %21, i64 %42, !dbg !95
  %44 = load <4 x float>, ptr addrspace(1) %43, align 16, !dbg !95, !tbaa !45
  %45 = sext i32 %38 to i64, !dbg !96
  %46 = getelementptr [16 x <4 x float>], ptr addrspace(3) %25, i64 %45, !dbg !96
  store <4 x float> %44, ptr addrspace(3) %46, align 16, !dbg !97, !tbaa !45
  %47 = add nsw i32 %38, 16, !dbg !98
  %48 = icmp slt i32 %38, %22, !dbg !84
  br i1 %48, label %37, label %30, !dbg !85, !llvm.loop !99

49:                                               ; preds = %58
  %50 = fadd <4 x float> %70, splat (float 5.000000e-01), !dbg !101
  br label %51, !dbg !101

51:                                               ; preds = %49, %35
  %52 = phi <4 x float> [ splat (float 5.000000e-01), %35 ], [ %50, %49 ], !dbg !102
  %53 = tail call <4 x i8> @_Z18convert_uchar4_satDv4_f(<4 x float> noundef %52) #6, !dbg !103
  %54 = mul nsw i32 %31, %2, !dbg !104
  %55 = add nsw i32 %54, %14, !dbg !105
  %56 = sext i32 %55 to i64, !dbg !106
  %57 = getelementptr inbounds <4 x i8>, ptr addrspace(1) %1, i64 %56, !dbg !106
  store <4 x i8> %53, ptr addrspace(1) %57, align 4, !dbg !107, !tbaa !45
  br label %73, !dbg !108

58:                                               ; preds = %35, %58
  %59 = phi i32 [ %71, %58 ], [ 0, %35 ]
  %60 = phi <4 x float> [ %70, %58 ], [ zeroinitializer, %35 ]
  %61 = zext nneg i32 %59 to i64, !dbg !109
  %62 = getelementptr inbounds nuw float, ptr addrspace(4) %5, i64 %61, !dbg !109
  %63 = load float, ptr addrspace(4) %62, align 4, !dbg !109, !tbaa !59
  %64 = insertelement <4 x float> poison, float %63, i64 0, !dbg !109
  %65 = shufflevector <4 x float> %64, <4 x float> poison, <4 x i32> zeroinitializer, !dbg !109
  %66 = add nsw i32 %59, %9, !dbg !110
  %67 = sext i32 %66 to i64, !dbg !111
  %68 = getelementptr [16 x <4 x float>], ptr addrspace(3) %25, i64 %67, !dbg !111
  %69 = load <4 x float>, ptr addrspace(3) %68, align 16, !dbg !111, !tbaa !45
  %70 = tail call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %65, <4 x float> %69, <4 x float> %60), !dbg !112
  %71 = add nuw nsw i32 %59, 1, !dbg !113
  %72 = icmp eq i32 %59, %22, !dbg !90
  br i1 %72, label %49, label %58, !dbg !91, !llvm.loop !114

73:                                               ; preds = %30, %51
  ret void, !dbg !108
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i32 @_Z3minii(i32 noundef, i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local <4 x float> @_Z14convert_float4Dv4_h(<4 x i8> noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i32 @_Z5clampiii(i32 noundef, i32 noundef, i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #3

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x float> @llvm.fmuladd.v4f32(<4 x float>, <4 x float>, <4 x float>) #4

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local <4 x i8> @_Z18convert_uchar4_satDv4_f(<4 x float> noundef) local_unnamed_addr #2

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
!1 = !DIFile(filename: "gaussian.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "gaussian_rows", scope: !1, file: !1, line: 11, type: !13, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 0, i32 0, i32 0, i32 2}
!16 = !{!"none", !"none", !"none", !"none", !"none", !"none"}
!17 = !{!"uchar4*", !"float4*", !"int", !"int", !"int", !"float*"}
!18 = !{!"uchar __attribute__((ext_vector_type(4)))*", !"float __attribute__((ext_vector_type(4)))*", !"int", !"int", !"int", !"float*"}
!19 = !{!"restrict const", !"restrict", !"", !"", !"", !"const"}
!20 = !DILocation(line: 12, column: 91, scope: !12)
!21 = !DILocation(line: 33, column: 1, scope: !12)
!22 = distinct !DISubprogram(name: "gaussian_rows", scope: !1, file: !1, line: 11, type: !13, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!23 = !DILocation(line: 14, column: 17, scope: !22)
!24 = !DILocation(line: 15, column: 17, scope: !22)
!25 = !DILocation(line: 16, column: 21, scope: !22)
!26 = !DILocation(line: 17, column: 19, scope: !22)
!27 = !DILocation(line: 17, column: 35, scope: !22)
!28 = !DILocation(line: 17, column: 50, scope: !22)
!29 = !DILocation(line: 17, column: 48, scope: !22)
!30 = !DILocation(line: 18, column: 57, scope: !22)
!31 = !DILocation(line: 18, column: 41, scope: !22)
!32 = !DILocation(line: 18, column: 62, scope: !22)
!33 = !DILocation(line: 18, column: 39, scope: !22)
!34 = !DILocation(line: 19, column: 21, scope: !22)
!35 = !DILocation(line: 19, column: 3, scope: !22)
!36 = !DILocation(line: 22, column: 3, scope: !22)
!37 = !DILocation(line: 24, column: 28, scope: !22)
!38 = !DILocation(line: 25, column: 14, scope: !22)
!39 = !DILocation(line: 25, column: 23, scope: !22)
!40 = !DILocation(line: 29, column: 21, scope: !22)
!41 = !DILocation(line: 29, column: 3, scope: !22)
!42 = !DILocation(line: 20, column: 54, scope: !22)
!43 = !DILocation(line: 20, column: 38, scope: !22)
!44 = !DILocation(line: 20, column: 33, scope: !22)
!45 = !{!10, !10, i64 0}
!46 = !DILocation(line: 20, column: 18, scope: !22)
!47 = !DILocation(line: 20, column: 5, scope: !22)
!48 = !DILocation(line: 20, column: 16, scope: !22)
!49 = !DILocation(line: 19, column: 49, scope: !22)
!50 = distinct !{!50, !35, !51}
!51 = !DILocation(line: 21, column: 3, scope: !22)
!52 = !DILocation(line: 0, scope: !22)
!53 = !DILocation(line: 32, column: 15, scope: !22)
!54 = !DILocation(line: 32, column: 23, scope: !22)
!55 = !DILocation(line: 32, column: 3, scope: !22)
!56 = !DILocation(line: 32, column: 33, scope: !22)
!57 = !DILocation(line: 33, column: 1, scope: !22)
!58 = !DILocation(line: 30, column: 12, scope: !22)
!59 = !{!60, !60, i64 0}
!60 = !{!"float", !10, i64 0}
!61 = !DILocation(line: 30, column: 35, scope: !22)
!62 = !DILocation(line: 30, column: 25, scope: !22)
!63 = !DILocation(line: 30, column: 9, scope: !22)
!64 = !DILocation(line: 29, column: 39, scope: !22)
!65 = distinct !{!65, !41, !66}
!66 = !DILocation(line: 31, column: 3, scope: !22)
!67 = distinct !DISubprogram(name: "gaussian_columns", scope: !1, file: !1, line: 36, type: !13, scopeLine: 38, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!68 = !{!"float4*", !"uchar4*", !"int", !"int", !"int", !"float*"}
!69 = !{!"float __attribute__((ext_vector_type(4)))*", !"uchar __attribute__((ext_vector_type(4)))*", !"int", !"int", !"int", !"float*"}
!70 = !DILocation(line: 38, column: 59, scope: !67)
!71 = !DILocation(line: 59, column: 1, scope: !67)
!72 = distinct !DISubprogram(name: "gaussian_columns", scope: !1, file: !1, line: 36, type: !13, scopeLine: 38, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!73 = !DILocation(line: 40, column: 17, scope: !72)
!74 = !DILocation(line: 41, column: 17, scope: !72)
!75 = !DILocation(line: 42, column: 22, scope: !72)
!76 = !DILocation(line: 42, column: 38, scope: !72)
!77 = !DILocation(line: 42, column: 55, scope: !72)
!78 = !DILocation(line: 42, column: 53, scope: !72)
!79 = !DILocation(line: 43, column: 21, scope: !72)
!80 = !DILocation(line: 44, column: 61, scope: !72)
!81 = !DILocation(line: 44, column: 43, scope: !72)
!82 = !DILocation(line: 44, column: 41, scope: !72)
!83 = !DILocation(line: 45, column: 8, scope: !72)
!84 = !DILocation(line: 45, column: 21, scope: !72)
!85 = !DILocation(line: 45, column: 3, scope: !72)
!86 = !DILocation(line: 48, column: 3, scope: !72)
!87 = !DILocation(line: 50, column: 25, scope: !72)
!88 = !DILocation(line: 51, column: 14, scope: !72)
!89 = !DILocation(line: 51, column: 23, scope: !72)
!90 = !DILocation(line: 55, column: 21, scope: !72)
!91 = !DILocation(line: 55, column: 3, scope: !72)
!92 = !DILocation(line: 46, column: 39, scope: !72)
!93 = !DILocation(line: 46, column: 23, scope: !72)
!94 = !DILocation(line: 46, column: 64, scope: !72)
!95 = !DILocation(line: 46, column: 18, scope: !72)
!96 = !DILocation(line: 46, column: 5, scope: !72)
!97 = !DILocation(line: 46, column: 16, scope: !72)
!98 = !DILocation(line: 45, column: 53, scope: !72)
!99 = distinct !{!99, !85, !100}
!100 = !DILocation(line: 47, column: 3, scope: !72)
!101 = !DILocation(line: 58, column: 57, scope: !72)
!102 = !DILocation(line: 0, scope: !72)
!103 = !DILocation(line: 58, column: 34, scope: !72)
!104 = !DILocation(line: 58, column: 14, scope: !72)
!105 = !DILocation(line: 58, column: 22, scope: !72)
!106 = !DILocation(line: 58, column: 3, scope: !72)
!107 = !DILocation(line: 58, column: 32, scope: !72)
!108 = !DILocation(line: 59, column: 1, scope: !72)
!109 = !DILocation(line: 56, column: 12, scope: !72)
!110 = !DILocation(line: 56, column: 32, scope: !72)
!111 = !DILocation(line: 56, column: 25, scope: !72)
!112 = !DILocation(line: 56, column: 9, scope: !72)
!113 = !DILocation(line: 55, column: 39, scope: !72)
!114 = distinct !{!114, !91, !115}
!115 = !DILocation(line: 57, column: 3, scope: !72)
