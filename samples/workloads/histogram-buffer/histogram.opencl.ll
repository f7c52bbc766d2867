; ModuleID = 'histogram.cl'
source_filename = "histogram.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@histogram_tiles.counts = internal addrspace(3) global [1024 x i32] undef, align 4

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @histogram_tiles(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %4) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !18 !kernel_arg_type_qual !19 {
  tail call void @__clang_ocl_kern_imp_histogram_tiles(ptr addrspace(1) noundef align 4 %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, ptr addrspace(1) noundef align 4 %4) #7, !dbg !20
  ret void, !dbg !21
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_histogram_tiles(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %4) local_unnamed_addr #1 !dbg !22 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !18 !kernel_arg_type_qual !19 {
  %6 = tail call i64 @_Z12get_local_idj(i32 noundef 1) #8, !dbg !23
  %7 = shl i64 %6, 6, !dbg !24
  %8 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #8, !dbg !25
  %9 = add i64 %7, %8, !dbg !26
  %10 = trunc i64 %9 to i32, !dbg !23
  %11 = icmp slt i32 %10, 1024, !dbg !27
  br i1 %11, label %24, label %12, !dbg !28

12:                                               ; preds = %24, %5
  tail call void @_Z7barrierj(i32 noundef 1) #7, !dbg !29
  %13 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #8, !dbg !30
  %14 = shl i64 %13, 6, !dbg !31
  %15 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #8, !dbg !32
  %16 = add i64 %14, %15, !dbg !33
  %17 = trunc i64 %16 to i32, !dbg !30
  %18 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #8, !dbg !34
  %19 = shl i64 %18, 6, !dbg !35
  %20 = tail call i64 @_Z12get_local_idj(i32 noundef 1) #8, !dbg !36
  %21 = add i64 %19, %20, !dbg !37
  %22 = trunc i64 %21 to i32, !dbg !34
  %23 = icmp sgt i32 %2, %17
  br label %40, !dbg !38

24:                                               ; preds = %5, %24
  %25 = phi i32 [ %28, %24 ], [ %10, %5 ]
  %26 = sext i32 %25 to i64, !dbg !39
  %27 = getelementptr inbounds i32, ptr addrspace(3) @histogram_tiles.counts, i64 %26, !dbg !39
  store i32 0, ptr addrspace(3) %27, align 4, !dbg !40, !tbaa !8
  %28 = add nsw i32 %25, 256, !dbg !41
  %29 = icmp slt i32 %25, 768, !dbg !27
  br i1 %29, label %24, label %12, !dbg !28, !llvm.loop !42

30:                                               ; preds = %77
  tail call void @_Z7barrierj(i32 noundef 1) #7, !dbg !44
  %31 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #8, !dbg !45
  %32 = tail call i64 @_Z14get_num_groupsj(i32 noundef 0) #8, !dbg !46
  %33 = mul i64 %32, %31, !dbg !47
  %34 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #8, !dbg !48
  %35 = add i64 %33, %34, !dbg !49
  %36 = trunc i64 %35 to i32, !dbg !45
  %37 = shl nsw i32 %36, 10, !dbg !50
  %38 = sext i32 %37 to i64, !dbg !51
  %39 = getelementptr inbounds i32, ptr addrspace(1) %4, i64 %38, !dbg !51
  br i1 %11, label %81, label %80, !dbg !52

40:                                               ; preds = %12, %77
  %41 = phi i32 [ 0, %12 ], [ %78, %77 ]
  %42 = shl nuw nsw i32 %41, 2, !dbg !53
  %43 = add nsw i32 %42, %22, !dbg !54
  %44 = icmp slt i32 %43, %3
  %45 = select i1 %23, i1 %44, i1 false, !dbg !55
  br i1 %45, label %46, label %77, !dbg !55

46:                                               ; preds = %40
  %47 = mul nsw i32 %43, %1, !dbg !56
  %48 = add nsw i32 %47, %17, !dbg !57
  %49 = sext i32 %48 to i64, !dbg !58
  %50 = getelementptr inbounds <4 x i8>, ptr addrspace(1) %0, i64 %49, !dbg !58
  %51 = load i8, ptr addrspace(1) %50, align 4, !dbg !59, !tbaa !62
  %52 = zext i8 %51 to i64, !dbg !59
  %53 = mul nuw nsw i64 %52, 77, !dbg !63
  %54 = getelementptr inbounds nuw i8, ptr addrspace(1) %50, i64 1, !dbg !64
  %55 = load i8, ptr addrspace(1) %54, align 1, !dbg !64, !tbaa !62
  %56 = zext i8 %55 to i64, !dbg !64
  %57 = mul nuw nsw i64 %56, 150, !dbg !65
  %58 = getelementptr inbounds nuw i8, ptr addrspace(1) %50, i64 2, !dbg !66
  %59 = load i8, ptr addrspace(1) %58, align 2, !dbg !66, !tbaa !62
  %60 = zext i8 %59 to i64, !dbg !66
  %61 = mul nuw nsw i64 %60, 29, !dbg !67
  %62 = add nuw nsw i64 %57, 128, !dbg !68
  %63 = add nuw nsw i64 %62, %53, !dbg !69
  %64 = add nuw nsw i64 %63, %61, !dbg !70
  %65 = lshr i64 %64, 8, !dbg !71
  %66 = getelementptr inbounds nuw i32, ptr addrspace(3) @histogram_tiles.counts, i64 %52, !dbg !72
  %67 = tail call i32 @_Z10atomic_incPU3AS3Vj(ptr addrspace(3) noundef %66) #7, !dbg !73
  %68 = getelementptr inbounds nuw i32, ptr addrspace(3) @histogram_tiles.counts, i64 %56, !dbg !74
  %69 = getelementptr inbounds nuw i8, ptr addrspace(3) %68, i64 1024, !dbg !74
  %70 = tail call i32 @_Z10atomic_incPU3AS3Vj(ptr addrspace(3) noundef nonnull %69) #7, !dbg !75
  %71 = getelementptr inbounds nuw i32, ptr addrspace(3) @histogram_tiles.counts, i64 %60, !dbg !76
  %72 = getelementptr inbounds nuw i8, ptr addrspace(3) %71, i64 2048, !dbg !76
  %73 = tail call i32 @_Z10atomic_incPU3AS3Vj(ptr addrspace(3) noundef nonnull %72) #7, !dbg !77
  %74 = getelementptr inbounds nuw i32, ptr addrspace(3) @histogram_tiles.counts, i64 %65, !dbg !78
  %75 = getelementptr inbounds nuw i8, ptr addrspace(3) %74, i64 3072, !dbg !78
  %76 = tail call i32 @_Z10atomic_incPU3AS3Vj(ptr addrspace(3) noundef nonnull %75) #7, !dbg !79
  br label %77, !dbg !80

77:                                               ; preds = %46, %40
  %78 = add nuw nsw i32 %41, 1, !dbg !81
  %79 = icmp eq i32 %78, 16, !dbg !82
  br i1 %79, label %30, label %40, !dbg !38, !llvm.loop !83

80:                                               ; preds = %81, %30
  ret void, !dbg !86

81:                                               ; preds = %30, %81
  %82 = phi i32 [ %87, %81 ], [ %10, %30 ]
  %83 = sext i32 %82 to i64, !dbg !87
  %84 = getelementptr inbounds i32, ptr addrspace(3) @histogram_tiles.counts, i64 %83, !dbg !87
  %85 = load i32, ptr addrspace(3) %84, align 4, !dbg !87, !tbaa !8
  %86 = getelementptr inbounds i32, ptr addrspace(1) %39, i64 %83, !dbg !88
  store i32 %85, ptr addrspace(1) %86, align 4, !dbg !89, !tbaa !8
  %87 = add nsw i32 %82, 256, !dbg !90
  %88 = icmp slt i32 %82, 768, !dbg !91
  br i1 %88, label %81, label %80, !dbg !52, !llvm.loop !92
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @histogram_sum(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, i32 noundef %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2) local_unnamed_addr #2 !dbg !94 !kernel_arg_addr_space !95 !kernel_arg_access_qual !96 !kernel_arg_type !97 !kernel_arg_base_type !97 !kernel_arg_type_qual !98 {
  tail call void @__clang_ocl_kern_imp_histogram_sum(ptr addrspace(1) noundef align 4 %0, i32 noundef %1, ptr addrspace(1) noundef align 4 %2) #7, !dbg !99
  ret void, !dbg !100
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_histogram_sum(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, i32 noundef %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2) local_unnamed_addr #3 !dbg !101 !kernel_arg_addr_space !95 !kernel_arg_access_qual !96 !kernel_arg_type !97 !kernel_arg_base_type !97 !kernel_arg_type_qual !98 {
  %4 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #8, !dbg !102
  %5 = trunc i64 %4 to i32, !dbg !102
  %6 = icmp sgt i32 %1, 0, !dbg !103
  br i1 %6, label %7, label %31, !dbg !104

7:                                                ; preds = %3
  %8 = and i32 %1, 3, !dbg !104
  %9 = icmp ult i32 %1, 4, !dbg !104
  br i1 %9, label %14, label %10, !dbg !104

10:                                               ; preds = %7
  %11 = and i32 %1, 2147483644, !dbg !104
  br label %36, !dbg !104

12:                                               ; preds = %36
  %13 = icmp eq i32 %8, 0, !dbg !104
  br i1 %13, label %31, label %14, !dbg !104

14:                                               ; preds = %12, %7
  %15 = phi i32 [ 0, %7 ], [ %67, %12 ]
  %16 = phi i32 [ 0, %7 ], [ %66, %12 ]
  %17 = icmp ne i32 %8, 0, !dbg !104
  tail call void @llvm.assume(i1 %17), !dbg !104
  br label %18, !dbg !104

18:                                               ; preds = %18, %14
  %19 = phi i32 [ %28, %18 ], [ %15, %14 ]
  %20 = phi i32 [ %27, %18 ], [ %16, %14 ]
  %21 = phi i32 [ %29, %18 ], [ 0, %14 ]
  %22 = shl nsw i32 %19, 10, !dbg !105
  %23 = add nsw i32 %22, %5, !dbg !106
  %24 = sext i32 %23 to i64, !dbg !107
  %25 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %24, !dbg !107
  %26 = load i32, ptr addrspace(1) %25, align 4, !dbg !107, !tbaa !8
  %27 = add i32 %26, %20, !dbg !108
  %28 = add nuw nsw i32 %19, 1, !dbg !109
  %29 = add i32 %21, 1, !dbg !104
  %30 = icmp eq i32 %29, %8, !dbg !104
  br i1 %30, label %31, label %18, !dbg !104, !llvm.loop !110

31:                                               ; preds = %12, %18, %3
  %32 = phi i32 [ 0, %3 ], [ %66, %12 ], [ %27, %18 ], !dbg !111
  %33 = shl i64 %4, 32, !dbg !112
  %34 = ashr exact i64 %33, 30, !dbg !112
  %35 = getelementptr inbounds i8, ptr addrspace(1) %2, i64 %34, !dbg !112
  store i32 %32, ptr addrspace(1) %35, align 4, !dbg !113, !tbaa !8
  ret void, !dbg !114

36:                                               ; preds = %36, %10
  %37 = phi i32 [ 0, %10 ], [ %67, %36 ]
  %38 = phi i32 [ 0, %10 ], [ %66, %36 ]
  %39 = phi i32 [ 0, %10 ], [ %68, %36 ]
  %40 = shl nsw i32 %37, 10, !dbg !105
  %41 = add nsw i32 %40, %5, !dbg !106
  %42 = sext i32 %41 to i64, !dbg !107
  %43 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %42, !dbg !107
  %44 = load i32, ptr addrspace(1) %43, align 4, !dbg !107, !tbaa !8
  %45 = add i32 %44, %38, !dbg !108
  %46 = shl i32 %37, 10, !dbg !105
  %47 = or disjoint i32 %46, 1024, !dbg !105
  %48 = add nsw i32 %47, %5, !dbg !106
  %49 = sext i32 %48 to i64, !dbg !107
  %50 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %49, !dbg !107
  %51 = load i32, ptr addrspace(1) %50, align 4, !dbg !107, !tbaa !8
  %52 = add i32 %51, %45, !dbg !108
  %53 = shl i32 %37, 10, !dbg !105
  %54 = or disjoint i32 %53, 2048, !dbg !105
  %55 = add nsw i32 %54, %5, !dbg !106
  %56 = sext i32 %55 to i64, !dbg !107
  %57 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %56, !dbg !107
  %58 = load i32, ptr addrspace(1) %57, align 4, !dbg !107, !tbaa !8
  %59 = add i32 %58, %52, !dbg !108
  %60 = shl i32 %37, 10, !dbg !105
  %61 = or disjoint i32 %60, 3072, !dbg !105
  %62 = add nsw i32 %61, %5, !dbg !106
  %63 = sext i32 %62 to i64, !dbg !107
  %64 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %63, !dbg !107
  %65 = load i32, ptr addrspace(1) %64, align 4, !dbg !107, !tbaa !8
  %66 = add i32 %65, %59, !dbg !108
  %67 = add nuw nsw i32 %37, 4, !dbg !109
  %68 = add i32 %39, 4, !dbg !104
  %69 = icmp eq i32 %68, %11, !dbg !104
  br i1 %69, label %12, label %36, !dbg !104, !llvm.loop !115
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #4

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #5

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #4

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z14get_num_groupsj(i32 noundef) local_unnamed_addr #4

; Function Attrs: convergent nounwind
declare dso_local i32 @_Z10atomic_incPU3AS3Vj(ptr addrspace(3) noundef) local_unnamed_addr #5

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #4

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #6

attributes #0 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #5 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #6 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #7 = { convergent nounwind }
attributes #8 = { convergent nounwind willreturn memory(none) }

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
!12 = distinct !DISubprogram(name: "histogram_tiles", scope: !1, file: !1, line: 19, type: !13, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 0, i32 0, i32 0, i32 1}
!16 = !{!"none", !"none", !"none", !"none", !"none"}
!17 = !{!"uchar4*", !"int", !"int", !"int", !"uint*"}
!18 = !{!"uchar __attribute__((ext_vector_type(4)))*", !"int", !"int", !"int", !"uint*"}
!19 = !{!"restrict const", !"", !"", !"", !"restrict"}
!20 = !DILocation(line: 20, column: 85, scope: !12)
!21 = !DILocation(line: 38, column: 1, scope: !12)
!22 = distinct !DISubprogram(name: "histogram_tiles", scope: !1, file: !1, line: 19, type: !13, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!23 = !DILocation(line: 22, column: 17, scope: !22)
!24 = !DILocation(line: 22, column: 33, scope: !22)
!25 = !DILocation(line: 22, column: 42, scope: !22)
!26 = !DILocation(line: 22, column: 40, scope: !22)
!27 = !DILocation(line: 23, column: 21, scope: !22)
!28 = !DILocation(line: 23, column: 3, scope: !22)
!29 = !DILocation(line: 24, column: 3, scope: !22)
!30 = !DILocation(line: 26, column: 17, scope: !22)
!31 = !DILocation(line: 26, column: 33, scope: !22)
!32 = !DILocation(line: 26, column: 42, scope: !22)
!33 = !DILocation(line: 26, column: 40, scope: !22)
!34 = !DILocation(line: 27, column: 19, scope: !22)
!35 = !DILocation(line: 27, column: 35, scope: !22)
!36 = !DILocation(line: 27, column: 44, scope: !22)
!37 = !DILocation(line: 27, column: 42, scope: !22)
!38 = !DILocation(line: 29, column: 3, scope: !22)
!39 = !DILocation(line: 23, column: 49, scope: !22)
!40 = !DILocation(line: 23, column: 59, scope: !22)
!41 = !DILocation(line: 23, column: 33, scope: !22)
!42 = distinct !{!42, !28, !43}
!43 = !DILocation(line: 23, column: 61, scope: !22)
!44 = !DILocation(line: 33, column: 3, scope: !22)
!45 = !DILocation(line: 35, column: 20, scope: !22)
!46 = !DILocation(line: 35, column: 38, scope: !22)
!47 = !DILocation(line: 35, column: 36, scope: !22)
!48 = !DILocation(line: 35, column: 58, scope: !22)
!49 = !DILocation(line: 35, column: 56, scope: !22)
!50 = !DILocation(line: 36, column: 54, scope: !22)
!51 = !DILocation(line: 36, column: 47, scope: !22)
!52 = !DILocation(line: 37, column: 3, scope: !22)
!53 = !DILocation(line: 30, column: 27, scope: !22)
!54 = !DILocation(line: 30, column: 23, scope: !22)
!55 = !DILocation(line: 31, column: 19, scope: !22)
!56 = !DILocation(line: 31, column: 61, scope: !22)
!57 = !DILocation(line: 31, column: 69, scope: !22)
!58 = !DILocation(line: 31, column: 54, scope: !22)
!59 = !DILocation(line: 11, column: 32, scope: !60, inlinedAt: !61)
!60 = distinct !DISubprogram(name: "count_pixel", scope: !1, file: !1, line: 10, type: !13, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!61 = distinct !DILocation(line: 31, column: 34, scope: !22)
!62 = !{!10, !10, i64 0}
!63 = !DILocation(line: 11, column: 30, scope: !60, inlinedAt: !61)
!64 = !DILocation(line: 11, column: 48, scope: !60, inlinedAt: !61)
!65 = !DILocation(line: 11, column: 46, scope: !60, inlinedAt: !61)
!66 = !DILocation(line: 11, column: 63, scope: !60, inlinedAt: !61)
!67 = !DILocation(line: 11, column: 61, scope: !60, inlinedAt: !61)
!68 = !DILocation(line: 11, column: 40, scope: !60, inlinedAt: !61)
!69 = !DILocation(line: 11, column: 56, scope: !60, inlinedAt: !61)
!70 = !DILocation(line: 11, column: 71, scope: !60, inlinedAt: !61)
!71 = !DILocation(line: 11, column: 78, scope: !60, inlinedAt: !61)
!72 = !DILocation(line: 12, column: 15, scope: !60, inlinedAt: !61)
!73 = !DILocation(line: 12, column: 3, scope: !60, inlinedAt: !61)
!74 = !DILocation(line: 13, column: 15, scope: !60, inlinedAt: !61)
!75 = !DILocation(line: 13, column: 3, scope: !60, inlinedAt: !61)
!76 = !DILocation(line: 14, column: 15, scope: !60, inlinedAt: !61)
!77 = !DILocation(line: 14, column: 3, scope: !60, inlinedAt: !61)
!78 = !DILocation(line: 15, column: 15, scope: !60, inlinedAt: !61)
!79 = !DILocation(line: 15, column: 3, scope: !60, inlinedAt: !61)
!80 = !DILocation(line: 31, column: 34, scope: !22)
!81 = !DILocation(line: 29, column: 36, scope: !22)
!82 = !DILocation(line: 29, column: 21, scope: !22)
!83 = distinct !{!83, !38, !84, !85}
!84 = !DILocation(line: 32, column: 3, scope: !22)
!85 = !{!"llvm.loop.unroll.disable"}
!86 = !DILocation(line: 38, column: 1, scope: !22)
!87 = !DILocation(line: 37, column: 58, scope: !22)
!88 = !DILocation(line: 37, column: 49, scope: !22)
!89 = !DILocation(line: 37, column: 56, scope: !22)
!90 = !DILocation(line: 37, column: 33, scope: !22)
!91 = !DILocation(line: 37, column: 21, scope: !22)
!92 = distinct !{!92, !52, !93}
!93 = !DILocation(line: 37, column: 66, scope: !22)
!94 = distinct !DISubprogram(name: "histogram_sum", scope: !1, file: !1, line: 41, type: !13, scopeLine: 42, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!95 = !{i32 1, i32 0, i32 1}
!96 = !{!"none", !"none", !"none"}
!97 = !{!"uint*", !"int", !"uint*"}
!98 = !{!"restrict const", !"", !"restrict"}
!99 = !DILocation(line: 42, column: 72, scope: !94)
!100 = !DILocation(line: 47, column: 1, scope: !94)
!101 = distinct !DISubprogram(name: "histogram_sum", scope: !1, file: !1, line: 41, type: !13, scopeLine: 42, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!102 = !DILocation(line: 43, column: 21, scope: !101)
!103 = !DILocation(line: 45, column: 21, scope: !101)
!104 = !DILocation(line: 45, column: 3, scope: !101)
!105 = !DILocation(line: 45, column: 53, scope: !101)
!106 = !DILocation(line: 45, column: 62, scope: !101)
!107 = !DILocation(line: 45, column: 42, scope: !101)
!108 = !DILocation(line: 45, column: 39, scope: !101)
!109 = !DILocation(line: 45, column: 30, scope: !101)
!110 = distinct !{!110, !85}
!111 = !DILocation(line: 0, scope: !101)
!112 = !DILocation(line: 46, column: 3, scope: !101)
!113 = !DILocation(line: 46, column: 20, scope: !101)
!114 = !DILocation(line: 47, column: 1, scope: !101)
!115 = distinct !{!115, !104, !116}
!116 = !DILocation(line: 45, column: 69, scope: !101)
