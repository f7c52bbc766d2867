; ModuleID = 'histogram.cl'
source_filename = "histogram.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@histogram_tiles.counts = internal addrspace(3) global [1024 x i32] undef, align 4

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @histogram_tiles(ptr addrspace(1) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %5) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_histogram_tiles(ptr addrspace(1) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(1) noundef align 4 %5) #9, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_histogram_tiles(ptr addrspace(1) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %5) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %7 = tail call i64 @_Z12get_local_idj(i32 noundef 1) #10, !dbg !22
  %8 = shl i64 %7, 6, !dbg !23
  %9 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #10, !dbg !24
  %10 = add i64 %8, %9, !dbg !25
  %11 = trunc i64 %10 to i32, !dbg !22
  %12 = icmp slt i32 %11, 1024, !dbg !26
  br i1 %12, label %27, label %13, !dbg !27

13:                                               ; preds = %27, %6
  tail call void @_Z7barrierj(i32 noundef 1) #9, !dbg !28
  %14 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #10, !dbg !29
  %15 = shl i64 %14, 6, !dbg !30
  %16 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #10, !dbg !31
  %17 = add i64 %15, %16, !dbg !32
  %18 = trunc i64 %17 to i32, !dbg !29
  %19 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #10, !dbg !33
  %20 = shl i64 %19, 6, !dbg !34
  %21 = tail call i64 @_Z12get_local_idj(i32 noundef 1) #10, !dbg !35
  %22 = add i64 %20, %21, !dbg !36
  %23 = trunc i64 %22 to i32, !dbg !33
  %24 = icmp sgt i32 %3, %18
  %25 = add nsw i32 %1, %18
  %26 = insertelement <2 x i32> poison, i32 %25, i64 0
  br label %43, !dbg !37

27:                                               ; preds = %6, %27
  %28 = phi i32 [ %31, %27 ], [ %11, %6 ]
  %29 = sext i32 %28 to i64, !dbg !38
  %30 = getelementptr inbounds i32, ptr addrspace(3) @histogram_tiles.counts, i64 %29, !dbg !38
  store i32 0, ptr addrspace(3) %30, align 4, !dbg !39, !tbaa !8
  %31 = add nsw i32 %28, 256, !dbg !40
  %32 = icmp slt i32 %28, 768, !dbg !26
  br i1 %32, label %27, label %13, !dbg !27, !llvm.loop !41

33:                                               ; preds = %84
  tail call void @_Z7barrierj(i32 noundef 1) #9, !dbg !43
  %34 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #10, !dbg !44
  %35 = tail call i64 @_Z14get_num_groupsj(i32 noundef 0) #10, !dbg !45
  %36 = mul i64 %35, %34, !dbg !46
  %37 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #10, !dbg !47
  %38 = add i64 %36, %37, !dbg !48
  %39 = trunc i64 %38 to i32, !dbg !44
  %40 = shl nsw i32 %39, 10, !dbg !49
  %41 = sext i32 %40 to i64, !dbg !50
  %42 = getelementptr inbounds i32, ptr addrspace(1) %5, i64 %41, !dbg !50
  br i1 %12, label %88, label %87, !dbg !51

43:                                               ; preds = %13, %84
  %44 = phi i32 [ 0, %13 ], [ %85, %84 ]
  %45 = shl nuw nsw i32 %44, 2, !dbg !52
  %46 = add nsw i32 %45, %23, !dbg !53
  %47 = icmp slt i32 %46, %4
  %48 = select i1 %24, i1 %47, i1 false, !dbg !54
  br i1 %48, label %49, label %84, !dbg !54

49:                                               ; preds = %43
  %50 = add nsw i32 %46, %2, !dbg !55
  %51 = insertelement <2 x i32> %26, i32 %50, i64 1, !dbg !56
  %52 = tail call <4 x float> @_Z11read_imagef14ocl_image2d_roDv2_i(ptr addrspace(1) %0, <2 x i32> noundef %51) #11, !dbg !57
  %53 = extractelement <4 x float> %52, i64 0, !dbg !58
  %54 = tail call float @llvm.fmuladd.f32(float %53, float 2.550000e+02, float 5.000000e-01), !dbg !61
  %55 = fptosi float %54 to i32, !dbg !64
  %56 = extractelement <4 x float> %52, i64 1, !dbg !65
  %57 = tail call float @llvm.fmuladd.f32(float %56, float 2.550000e+02, float 5.000000e-01), !dbg !66
  %58 = fptosi float %57 to i32, !dbg !68
  %59 = extractelement <4 x float> %52, i64 2, !dbg !69
  %60 = tail call float @llvm.fmuladd.f32(float %59, float 2.550000e+02, float 5.000000e-01), !dbg !70
  %61 = fptosi float %60 to i32, !dbg !72
  %62 = mul nsw i32 %55, 77, !dbg !73
  %63 = mul nsw i32 %58, 150, !dbg !74
  %64 = mul nsw i32 %61, 29, !dbg !75
  %65 = add i32 %63, 128, !dbg !76
  %66 = add i32 %65, %62, !dbg !77
  %67 = add i32 %66, %64, !dbg !78
  %68 = ashr i32 %67, 8, !dbg !79
  %69 = sext i32 %55 to i64, !dbg !80
  %70 = getelementptr inbounds i32, ptr addrspace(3) @histogram_tiles.counts, i64 %69, !dbg !80
  %71 = tail call i32 @_Z10atomic_incPU3AS3Vj(ptr addrspace(3) noundef %70) #9, !dbg !81
  %72 = sext i32 %58 to i64, !dbg !82
  %73 = getelementptr i32, ptr addrspace(3) @histogram_tiles.counts, i64 %72, !dbg !82
  %74 = getelementptr i8, ptr addrspace(3) %73, i64 1024, !dbg !82
  %75 = tail call i32 @_Z10atomic_incPU3AS3Vj(ptr addrspace(3) noundef %74) #9, !dbg !83
  %76 = sext i32 %61 to i64, !dbg !84
  %77 = getelementptr i32, ptr addrspace(3) @histogram_tiles.counts, i64 %76, !dbg !84
  %78 = getelementptr i8, ptr addrspace(3) %77, i64 2048, !dbg !84
  %79 = tail call i32 @_Z10atomic_incPU3AS3Vj(ptr addrspace(3) noundef %78) #9, !dbg !85
  %80 = sext i32 %68 to i64, !dbg !86
  %81 = getelementptr i32, ptr addrspace(3) @histogram_tiles.counts, i64 %80, !dbg !86
  %82 = getelementptr i8, ptr addrspace(3) %81, i64 3072, !dbg !86
  %83 = tail call i32 @_Z10atomic_incPU3AS3Vj(ptr addrspace(3) noundef %82) #9, !dbg !87
  br label %84, !dbg !88

84:                                               ; preds = %49, %43
  %85 = add nuw nsw i32 %44, 1, !dbg !89
  %86 = icmp eq i32 %85, 16, !dbg !90
  br i1 %86, label %33, label %43, !dbg !37, !llvm.loop !91

87:                                               ; preds = %88, %33
  ret void, !dbg !94

88:                                               ; preds = %33, %88
  %89 = phi i32 [ %94, %88 ], [ %11, %33 ]
  %90 = sext i32 %89 to i64, !dbg !95
  %91 = getelementptr inbounds i32, ptr addrspace(3) @histogram_tiles.counts, i64 %90, !dbg !95
  %92 = load i32, ptr addrspace(3) %91, align 4, !dbg !95, !tbaa !8
  %93 = getelementptr inbounds i32, ptr addrspace(1) %42, i64 %90, !dbg !96
  store i32 %92, ptr addrspace(1) %93, align 4, !dbg !97, !tbaa !8
  %94 = add nsw i32 %89, 256, !dbg !98
  %95 = icmp slt i32 %89, 768, !dbg !99
  br i1 %95, label %88, label %87, !dbg !51, !llvm.loop !100
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @histogram_sum(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, i32 noundef %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2) local_unnamed_addr #2 !dbg !102 !kernel_arg_addr_space !103 !kernel_arg_access_qual !104 !kernel_arg_type !105 !kernel_arg_base_type !105 !kernel_arg_type_qual !106 {
  tail call void @__clang_ocl_kern_imp_histogram_sum(ptr addrspace(1) noundef align 4 %0, i32 noundef %1, ptr addrspace(1) noundef align 4 %2) #9, !dbg !107
  ret void, !dbg !108
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_histogram_sum(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, i32 noundef %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2) local_unnamed_addr #3 !dbg !109 !kernel_arg_addr_space !103 !kernel_arg_access_qual !104 !kernel_arg_type !105 !kernel_arg_base_type !105 !kernel_arg_type_qual !106 {
  %4 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #10, !dbg !110
  %5 = trunc i64 %4 to i32, !dbg !110
  %6 = icmp sgt i32 %1, 0, !dbg !111
  br i1 %6, label %7, label %31, !dbg !112

7:                                                ; preds = %3
  %8 = and i32 %1, 3, !dbg !112
  %9 = icmp ult i32 %1, 4, !dbg !112
  br i1 %9, label %14, label %10, !dbg !112

10:                                               ; preds = %7
  %11 = and i32 %1, 2147483644, !dbg !112
  br label %36, !dbg !112

12:                                               ; preds = %36
  %13 = icmp eq i32 %8, 0, !dbg !112
  br i1 %13, label %31, label %14, !dbg !112

14:                                               ; preds = %12, %7
  %15 = phi i32 [ 0, %7 ], [ %67, %12 ]
  %16 = phi i32 [ 0, %7 ], [ %66, %12 ]
  %17 = icmp ne i32 %8, 0, !dbg !112
  tail call void @llvm.assume(i1 %17), !dbg !112
  br label %18, !dbg !112

18:                                               ; preds = %18, %14
  %19 = phi i32 [ %28, %18 ], [ %15, %14 ]
  %20 = phi i32 [ %27, %18 ], [ %16, %14 ]
  %21 = phi i32 [ %29, %18 ], [ 0, %14 ]
  %22 = shl nsw i32 %19, 10, !dbg !113
  %23 = add nsw i32 %22, %5, !dbg !114
  %24 = sext i32 %23 to i64, !dbg !115
  %25 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %24, !dbg !115
  %26 = load i32, ptr addrspace(1) %25, align 4, !dbg !115, !tbaa !8
  %27 = add i32 %26, %20, !dbg !116
  %28 = add nuw nsw i32 %19, 1, !dbg !117
  %29 = add i32 %21, 1, !dbg !112
  %30 = icmp eq i32 %29, %8, !dbg !112
  br i1 %30, label %31, label %18, !dbg !112, !llvm.loop !118

31:                                               ; preds = %12, %18, %3
  %32 = phi i32 [ 0, %3 ], [ %66, %12 ], [ %27, %18 ], !dbg !119
  %33 = shl i64 %4, 32, !dbg !120
  %34 = ashr exact i64 %33, 30, !dbg !120
  %35 = getelementptr inbounds i8, ptr addrspace(1) %2, i64 %34, !dbg !120
  store i32 %32, ptr addrspace(1) %35, align 4, !dbg !121, !tbaa !8
  ret void, !dbg !122

36:                                               ; preds = %36, %10
  %37 = phi i32 [ 0, %10 ], [ %67, %36 ]
  %38 = phi i32 [ 0, %10 ], [ %66, %36 ]
  %39 = phi i32 [ 0, %10 ], [ %68, %36 ]
  %40 = shl nsw i32 %37, 10, !dbg !113
  %41 = add nsw i32 %40, %5, !dbg !114
  %42 = sext i32 %41 to i64, !dbg !115
  %43 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %42, !dbg !115
  %44 = load i32, ptr addrspace(1) %43, align 4, !dbg !115, !tbaa !8
  %45 = add i32 %44, %38, !dbg !116
  %46 = shl i32 %37, 10, !dbg !113
  %47 = or disjoint i32 %46, 1024, !dbg !113
  %48 = add nsw i32 %47, %5, !dbg !114
  %49 = sext i32 %48 to i64, !dbg !115
  %50 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %49, !dbg !115
  %51 = load i32, ptr addrspace(1) %50, align 4, !dbg !115, !tbaa !8
  %52 = add i32 %51, %45, !dbg !116
  %53 = shl i32 %37, 10, !dbg !113
  %54 = or disjoint i32 %53, 2048, !dbg !113
  %55 = add nsw i32 %54, %5, !dbg !114
  %56 = sext i32 %55 to i64, !dbg !115
  %57 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %56, !dbg !115
  %58 = load i32, ptr addrspace(1) %57, align 4, !dbg !115, !tbaa !8
  %59 = add i32 %58, %52, !dbg !116
  %60 = shl i32 %37, 10, !dbg !113
  %61 = or disjoint i32 %60, 3072, !dbg !113
  %62 = add nsw i32 %61, %5, !dbg !114
  %63 = sext i32 %62 to i64, !dbg !115
  %64 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %63, !dbg !115
  %65 = load i32, ptr addrspace(1) %64, align 4, !dbg !115, !tbaa !8
  %66 = add i32 %65, %59, !dbg !116
  %67 = add nuw nsw i32 %37, 4, !dbg !117
  %68 = add i32 %39, 4, !dbg !112
  %69 = icmp eq i32 %68, %11, !dbg !112
  br i1 %69, label %12, label %36, !dbg !112, !llvm.loop !123
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #4

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #5

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #4

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(read)
declare dso_local <4 x float> @_Z11read_imagef14ocl_image2d_roDv2_i(ptr addrspace(1), <2 x i32> noundef) local_unnamed_addr #6

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z14get_num_groupsj(i32 noundef) local_unnamed_addr #4

; Function Attrs: convergent nounwind
declare dso_local i32 @_Z10atomic_incPU3AS3Vj(ptr addrspace(3) noundef) local_unnamed_addr #5

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #7

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #4

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #8

attributes #0 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #5 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #6 = { convergent mustprogress nofree nounwind willreturn memory(read) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #7 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #8 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #9 = { convergent nounwind }
attributes #10 = { convergent nounwind willreturn memory(none) }
attributes #11 = { convergent nounwind willreturn memory(read) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "histogram.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "histogram_tiles", scope: !1, file: !1, line: 24, type: !13, scopeLine: 25, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 0, i32 0, i32 0, i32 0, i32 1}
!16 = !{!"read_only", !"none", !"none", !"none", !"none", !"none"}
!17 = !{!"image2d_t", !"int", !"int", !"int", !"int", !"uint*"}
!18 = !{!"", !"", !"", !"", !"", !"restrict"}
!19 = !DILocation(line: 25, column: 85, scope: !12)
!20 = !DILocation(line: 45, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "histogram_tiles", scope: !1, file: !1, line: 24, type: !13, scopeLine: 25, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 27, column: 17, scope: !21)
!23 = !DILocation(line: 27, column: 33, scope: !21)
!24 = !DILocation(line: 27, column: 42, scope: !21)
!25 = !DILocation(line: 27, column: 40, scope: !21)
!26 = !DILocation(line: 28, column: 21, scope: !21)
!27 = !DILocation(line: 28, column: 3, scope: !21)
!28 = !DILocation(line: 29, column: 3, scope: !21)
!29 = !DILocation(line: 31, column: 17, scope: !21)
!30 = !DILocation(line: 31, column: 33, scope: !21)
!31 = !DILocation(line: 31, column: 42, scope: !21)
!32 = !DILocation(line: 31, column: 40, scope: !21)
!33 = !DILocation(line: 32, column: 21, scope: !21)
!34 = !DILocation(line: 32, column: 37, scope: !21)
!35 = !DILocation(line: 32, column: 46, scope: !21)
!36 = !DILocation(line: 32, column: 44, scope: !21)
!37 = !DILocation(line: 34, column: 3, scope: !21)
!38 = !DILocation(line: 28, column: 49, scope: !21)
!39 = !DILocation(line: 28, column: 59, scope: !21)
!40 = !DILocation(line: 28, column: 33, scope: !21)
!41 = distinct !{!41, !27, !42}
!42 = !DILocation(line: 28, column: 61, scope: !21)
!43 = !DILocation(line: 40, column: 3, scope: !21)
!44 = !DILocation(line: 42, column: 20, scope: !21)
!45 = !DILocation(line: 42, column: 38, scope: !21)
!46 = !DILocation(line: 42, column: 36, scope: !21)
!47 = !DILocation(line: 42, column: 58, scope: !21)
!48 = !DILocation(line: 42, column: 56, scope: !21)
!49 = !DILocation(line: 43, column: 54, scope: !21)
!50 = !DILocation(line: 43, column: 47, scope: !21)
!51 = !DILocation(line: 44, column: 3, scope: !21)
!52 = !DILocation(line: 35, column: 29, scope: !21)
!53 = !DILocation(line: 35, column: 25, scope: !21)
!54 = !DILocation(line: 36, column: 19, scope: !21)
!55 = !DILocation(line: 37, column: 67, scope: !21)
!56 = !DILocation(line: 37, column: 52, scope: !21)
!57 = !DILocation(line: 37, column: 27, scope: !21)
!58 = !DILocation(line: 15, column: 28, scope: !59, inlinedAt: !60)
!59 = distinct !DISubprogram(name: "count_pixel", scope: !1, file: !1, line: 14, type: !13, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!60 = distinct !DILocation(line: 37, column: 7, scope: !21)
!61 = !DILocation(line: 11, column: 68, scope: !62, inlinedAt: !63)
!62 = distinct !DISubprogram(name: "level_of", scope: !1, file: !1, line: 11, type: !13, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!63 = distinct !DILocation(line: 15, column: 19, scope: !59, inlinedAt: !60)
!64 = !DILocation(line: 11, column: 42, scope: !62, inlinedAt: !63)
!65 = !DILocation(line: 15, column: 55, scope: !59, inlinedAt: !60)
!66 = !DILocation(line: 11, column: 68, scope: !62, inlinedAt: !67)
!67 = distinct !DILocation(line: 15, column: 46, scope: !59, inlinedAt: !60)
!68 = !DILocation(line: 11, column: 42, scope: !62, inlinedAt: !67)
!69 = !DILocation(line: 15, column: 81, scope: !59, inlinedAt: !60)
!70 = !DILocation(line: 11, column: 68, scope: !62, inlinedAt: !71)
!71 = distinct !DILocation(line: 15, column: 72, scope: !59, inlinedAt: !60)
!72 = !DILocation(line: 11, column: 42, scope: !62, inlinedAt: !71)
!73 = !DILocation(line: 16, column: 30, scope: !59, inlinedAt: !60)
!74 = !DILocation(line: 16, column: 42, scope: !59, inlinedAt: !60)
!75 = !DILocation(line: 16, column: 55, scope: !59, inlinedAt: !60)
!76 = !DILocation(line: 16, column: 36, scope: !59, inlinedAt: !60)
!77 = !DILocation(line: 16, column: 50, scope: !59, inlinedAt: !60)
!78 = !DILocation(line: 16, column: 62, scope: !59, inlinedAt: !60)
!79 = !DILocation(line: 16, column: 69, scope: !59, inlinedAt: !60)
!80 = !DILocation(line: 17, column: 15, scope: !59, inlinedAt: !60)
!81 = !DILocation(line: 17, column: 3, scope: !59, inlinedAt: !60)
!82 = !DILocation(line: 18, column: 15, scope: !59, inlinedAt: !60)
!83 = !DILocation(line: 18, column: 3, scope: !59, inlinedAt: !60)
!84 = !DILocation(line: 19, column: 15, scope: !59, inlinedAt: !60)
!85 = !DILocation(line: 19, column: 3, scope: !59, inlinedAt: !60)
!86 = !DILocation(line: 20, column: 15, scope: !59, inlinedAt: !60)
!87 = !DILocation(line: 20, column: 3, scope: !59, inlinedAt: !60)
!88 = !DILocation(line: 38, column: 5, scope: !21)
!89 = !DILocation(line: 34, column: 36, scope: !21)
!90 = !DILocation(line: 34, column: 21, scope: !21)
!91 = distinct !{!91, !37, !92, !93}
!92 = !DILocation(line: 39, column: 3, scope: !21)
!93 = !{!"llvm.loop.unroll.disable"}
!94 = !DILocation(line: 45, column: 1, scope: !21)
!95 = !DILocation(line: 44, column: 58, scope: !21)
!96 = !DILocation(line: 44, column: 49, scope: !21)
!97 = !DILocation(line: 44, column: 56, scope: !21)
!98 = !DILocation(line: 44, column: 33, scope: !21)
!99 = !DILocation(line: 44, column: 21, scope: !21)
!100 = distinct !{!100, !51, !101}
!101 = !DILocation(line: 44, column: 66, scope: !21)
!102 = distinct !DISubprogram(name: "histogram_sum", scope: !1, file: !1, line: 48, type: !13, scopeLine: 49, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!103 = !{i32 1, i32 0, i32 1}
!104 = !{!"none", !"none", !"none"}
!105 = !{!"uint*", !"int", !"uint*"}
!106 = !{!"restrict const", !"", !"restrict"}
!107 = !DILocation(line: 49, column: 72, scope: !102)
!108 = !DILocation(line: 54, column: 1, scope: !102)
!109 = distinct !DISubprogram(name: "histogram_sum", scope: !1, file: !1, line: 48, type: !13, scopeLine: 49, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!110 = !DILocation(line: 50, column: 21, scope: !109)
!111 = !DILocation(line: 52, column: 21, scope: !109)
!112 = !DILocation(line: 52, column: 3, scope: !109)
!113 = !DILocation(line: 52, column: 53, scope: !109)
!114 = !DILocation(line: 52, column: 62, scope: !109)
!115 = !DILocation(line: 52, column: 42, scope: !109)
!116 = !DILocation(line: 52, column: 39, scope: !109)
!117 = !DILocation(line: 52, column: 30, scope: !109)
!118 = distinct !{!118, !93}
!119 = !DILocation(line: 0, scope: !109)
!120 = !DILocation(line: 53, column: 3, scope: !109)
!121 = !DILocation(line: 53, column: 20, scope: !109)
!122 = !DILocation(line: 54, column: 1, scope: !109)
!123 = distinct !{!123, !112, !124}
!124 = !DILocation(line: 52, column: 69, scope: !109)
