; ModuleID = 'bitonic.cl'
source_filename = "bitonic.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@bitonic_sort.tile = internal unnamed_addr addrspace(3) global [1024 x i32] undef, align 4
@bitonic_merge.tile = internal unnamed_addr addrspace(3) global [1024 x i32] undef, align 4

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @bitonic_sort(ptr addrspace(1) noalias noundef align 4 captures(none) %0) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_bitonic_sort(ptr addrspace(1) noundef align 4 %0) #7, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_bitonic_sort(ptr addrspace(1) noalias noundef align 4 captures(none) %0) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %2 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #8, !dbg !22
  %3 = trunc i64 %2 to i32, !dbg !22
  %4 = tail call i64 @_Z14get_local_sizej(i32 noundef 0) #8, !dbg !23
  %5 = trunc i64 %4 to i32, !dbg !23
  %6 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #8, !dbg !24
  %7 = shl i64 %4, 1, !dbg !25
  %8 = mul i64 %7, %6, !dbg !26
  %9 = trunc i64 %8 to i32, !dbg !27
  %10 = add i32 %9, %3, !dbg !28
  %11 = zext i32 %10 to i64, !dbg !29
  %12 = getelementptr inbounds nuw i32, ptr addrspace(1) %0, i64 %11, !dbg !29
  %13 = load i32, ptr addrspace(1) %12, align 4, !dbg !29, !tbaa !8
  %14 = and i64 %2, 4294967295, !dbg !30
  %15 = getelementptr inbounds nuw i32, ptr addrspace(3) @bitonic_sort.tile, i64 %14, !dbg !30
  store i32 %13, ptr addrspace(3) %15, align 4, !dbg !31, !tbaa !8
  %16 = add i32 %10, %5, !dbg !32
  %17 = zext i32 %16 to i64, !dbg !33
  %18 = getelementptr inbounds nuw i32, ptr addrspace(1) %0, i64 %17, !dbg !33
  %19 = load i32, ptr addrspace(1) %18, align 4, !dbg !33, !tbaa !8
  %20 = add i64 %4, %2, !dbg !34
  %21 = and i64 %20, 4294967295, !dbg !35
  %22 = getelementptr inbounds nuw i32, ptr addrspace(3) @bitonic_sort.tile, i64 %21, !dbg !35
  store i32 %19, ptr addrspace(3) %22, align 4, !dbg !36, !tbaa !8
  %23 = shl i32 %5, 1
  %24 = icmp eq i32 %23, 0, !dbg !37
  br i1 %24, label %32, label %25, !dbg !38

25:                                               ; preds = %1
  %26 = shl i32 %3, 1
  br label %27, !dbg !38

27:                                               ; preds = %25, %35
  %28 = phi i32 [ 2, %25 ], [ %36, %35 ]
  %29 = icmp eq i32 %28, 0, !dbg !39
  br i1 %29, label %35, label %30, !dbg !40

30:                                               ; preds = %27
  %31 = lshr exact i32 %28, 1, !dbg !41
  br label %38, !dbg !40

32:                                               ; preds = %35, %1
  tail call void @_Z7barrierj(i32 noundef 1) #7, !dbg !42
  %33 = load i32, ptr addrspace(3) %15, align 4, !dbg !43, !tbaa !8
  store i32 %33, ptr addrspace(1) %12, align 4, !dbg !44, !tbaa !8
  %34 = load i32, ptr addrspace(3) %22, align 4, !dbg !45, !tbaa !8
  store i32 %34, ptr addrspace(1) %18, align 4, !dbg !46, !tbaa !8
  ret void, !dbg !47

35:                                               ; preds = %38, %27
  %36 = shl i32 %28, 1, !dbg !48
  %37 = icmp ugt i32 %36, %23, !dbg !37
  br i1 %37, label %32, label %27, !dbg !38, !llvm.loop !49

38:                                               ; preds = %30, %38
  %39 = phi i32 [ %57, %38 ], [ %31, %30 ]
  tail call void @_Z7barrierj(i32 noundef 1) #7, !dbg !52
  %40 = add nsw i32 %39, -1, !dbg !53
  %41 = and i32 %40, %3, !dbg !54
  %42 = sub i32 %26, %41, !dbg !55
  %43 = zext i32 %42 to i64, !dbg !56
  %44 = getelementptr inbounds nuw i32, ptr addrspace(3) @bitonic_sort.tile, i64 %43, !dbg !56
  %45 = load i32, ptr addrspace(3) %44, align 4, !dbg !56, !tbaa !8
  %46 = add i32 %42, %39, !dbg !57
  %47 = zext i32 %46 to i64, !dbg !58
  %48 = getelementptr inbounds nuw i32, ptr addrspace(3) @bitonic_sort.tile, i64 %47, !dbg !58
  %49 = load i32, ptr addrspace(3) %48, align 4, !dbg !58, !tbaa !8
  %50 = add i32 %42, %9, !dbg !59
  %51 = and i32 %50, %28, !dbg !60
  %52 = icmp eq i32 %51, 0, !dbg !61
  %53 = tail call i32 @llvm.umin.i32(i32 %45, i32 %49), !dbg !62
  %54 = tail call i32 @llvm.umax.i32(i32 %45, i32 %49), !dbg !62
  %55 = select i1 %52, i32 %53, i32 %54, !dbg !62
  store i32 %55, ptr addrspace(3) %44, align 4, !dbg !63, !tbaa !8
  %56 = select i1 %52, i32 %54, i32 %53, !dbg !64
  store i32 %56, ptr addrspace(3) %48, align 4, !dbg !65, !tbaa !8
  %57 = lshr i32 %39, 1, !dbg !41
  %58 = icmp eq i32 %57, 0, !dbg !39
  br i1 %58, label %35, label %38, !dbg !40, !llvm.loop !66
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @bitonic_global(ptr addrspace(1) noalias noundef align 4 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #2 !dbg !68 !kernel_arg_addr_space !69 !kernel_arg_access_qual !70 !kernel_arg_type !71 !kernel_arg_base_type !71 !kernel_arg_type_qual !72 {
  tail call void @__clang_ocl_kern_imp_bitonic_global(ptr addrspace(1) noundef align 4 %0, i32 noundef %1, i32 noundef %2) #7, !dbg !73
  ret void, !dbg !74
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_bitonic_global(ptr addrspace(1) noalias noundef align 4 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #3 !dbg !75 !kernel_arg_addr_space !69 !kernel_arg_access_qual !70 !kernel_arg_type !71 !kernel_arg_base_type !71 !kernel_arg_type_qual !72 {
  %4 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #8, !dbg !76
  %5 = trunc i64 %4 to i32, !dbg !76
  %6 = shl i32 %5, 1, !dbg !77
  %7 = add i32 %2, -1, !dbg !78
  %8 = and i32 %7, %5, !dbg !79
  %9 = sub i32 %6, %8, !dbg !80
  %10 = zext i32 %9 to i64, !dbg !81
  %11 = getelementptr inbounds nuw i32, ptr addrspace(1) %0, i64 %10, !dbg !81
  %12 = load i32, ptr addrspace(1) %11, align 4, !dbg !81, !tbaa !8
  %13 = add i32 %9, %2, !dbg !82
  %14 = zext i32 %13 to i64, !dbg !83
  %15 = getelementptr inbounds nuw i32, ptr addrspace(1) %0, i64 %14, !dbg !83
  %16 = load i32, ptr addrspace(1) %15, align 4, !dbg !83, !tbaa !8
  %17 = and i32 %9, %1, !dbg !84
  %18 = icmp eq i32 %17, 0, !dbg !85
  %19 = tail call i32 @llvm.umin.i32(i32 %12, i32 %16), !dbg !86
  %20 = tail call i32 @llvm.umax.i32(i32 %12, i32 %16), !dbg !86
  %21 = select i1 %18, i32 %19, i32 %20, !dbg !86
  store i32 %21, ptr addrspace(1) %11, align 4, !dbg !87, !tbaa !8
  %22 = select i1 %18, i32 %20, i32 %19, !dbg !88
  store i32 %22, ptr addrspace(1) %15, align 4, !dbg !89, !tbaa !8
  ret void, !dbg !90
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @bitonic_merge(ptr addrspace(1) noalias noundef align 4 captures(none) %0, i32 noundef %1) local_unnamed_addr #0 !dbg !91 !kernel_arg_addr_space !92 !kernel_arg_access_qual !93 !kernel_arg_type !94 !kernel_arg_base_type !94 !kernel_arg_type_qual !95 {
  tail call void @__clang_ocl_kern_imp_bitonic_merge(ptr addrspace(1) noundef align 4 %0, i32 noundef %1) #7, !dbg !96
  ret void, !dbg !97
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_bitonic_merge(ptr addrspace(1) noalias noundef align 4 captures(none) %0, i32 noundef %1) local_unnamed_addr #1 !dbg !98 !kernel_arg_addr_space !92 !kernel_arg_access_qual !93 !kernel_arg_type !94 !kernel_arg_base_type !94 !kernel_arg_type_qual !95 {
  %3 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #8, !dbg !99
  %4 = trunc i64 %3 to i32, !dbg !99
  %5 = tail call i64 @_Z14get_local_sizej(i32 noundef 0) #8, !dbg !100
  %6 = trunc i64 %5 to i32, !dbg !100
  %7 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #8, !dbg !101
  %8 = shl i64 %5, 1, !dbg !102
  %9 = mul i64 %8, %7, !dbg !103
  %10 = trunc i64 %9 to i32, !dbg !104
  %11 = and i32 %1, %10, !dbg !105
  %12 = icmp eq i32 %11, 0, !dbg !106
  %13 = add i32 %10, %4, !dbg !107
  %14 = zext i32 %13 to i64, !dbg !108
  %15 = getelementptr inbounds nuw i32, ptr addrspace(1) %0, i64 %14, !dbg !108
  %16 = load i32, ptr addrspace(1) %15, align 4, !dbg !108, !tbaa !8
  %17 = and i64 %3, 4294967295, !dbg !109
  %18 = getelementptr inbounds nuw i32, ptr addrspace(3) @bitonic_merge.tile, i64 %17, !dbg !109
  store i32 %16, ptr addrspace(3) %18, align 4, !dbg !110, !tbaa !8
  %19 = add i32 %13, %6, !dbg !111
  %20 = zext i32 %19 to i64, !dbg !112
  %21 = getelementptr inbounds nuw i32, ptr addrspace(1) %0, i64 %20, !dbg !112
  %22 = load i32, ptr addrspace(1) %21, align 4, !dbg !112, !tbaa !8
  %23 = add i64 %5, %3, !dbg !113
  %24 = and i64 %23, 4294967295, !dbg !114
  %25 = getelementptr inbounds nuw i32, ptr addrspace(3) @bitonic_merge.tile, i64 %24, !dbg !114
  store i32 %22, ptr addrspace(3) %25, align 4, !dbg !115, !tbaa !8
  %26 = icmp eq i32 %6, 0, !dbg !116
  br i1 %26, label %29, label %27, !dbg !117

27:                                               ; preds = %2
  %28 = shl i32 %4, 1
  br label %32, !dbg !117

29:                                               ; preds = %32, %2
  tail call void @_Z7barrierj(i32 noundef 1) #7, !dbg !118
  %30 = load i32, ptr addrspace(3) %18, align 4, !dbg !119, !tbaa !8
  store i32 %30, ptr addrspace(1) %15, align 4, !dbg !120, !tbaa !8
  %31 = load i32, ptr addrspace(3) %25, align 4, !dbg !121, !tbaa !8
  store i32 %31, ptr addrspace(1) %21, align 4, !dbg !122, !tbaa !8
  ret void, !dbg !123

32:                                               ; preds = %27, %32
  %33 = phi i32 [ %6, %27 ], [ %48, %32 ]
  tail call void @_Z7barrierj(i32 noundef 1) #7, !dbg !124
  %34 = add i32 %33, -1, !dbg !125
  %35 = and i32 %34, %4, !dbg !126
  %36 = sub i32 %28, %35, !dbg !127
  %37 = zext i32 %36 to i64, !dbg !128
  %38 = getelementptr inbounds nuw i32, ptr addrspace(3) @bitonic_merge.tile, i64 %37, !dbg !128
  %39 = load i32, ptr addrspace(3) %38, align 4, !dbg !128, !tbaa !8
  %40 = add i32 %36, %33, !dbg !129
  %41 = zext i32 %40 to i64, !dbg !130
  %42 = getelementptr inbounds nuw i32, ptr addrspace(3) @bitonic_merge.tile, i64 %41, !dbg !130
  %43 = load i32, ptr addrspace(3) %42, align 4, !dbg !130, !tbaa !8
  %44 = tail call i32 @llvm.umin.i32(i32 %39, i32 %43), !dbg !131
  %45 = tail call i32 @llvm.umax.i32(i32 %39, i32 %43), !dbg !131
  %46 = select i1 %12, i32 %44, i32 %45, !dbg !131
  store i32 %46, ptr addrspace(3) %38, align 4, !dbg !132, !tbaa !8
  %47 = select i1 %12, i32 %45, i32 %44, !dbg !133
  store i32 %47, ptr addrspace(3) %42, align 4, !dbg !134, !tbaa !8
  %48 = lshr i32 %33, 1, !dbg !135
  %49 = icmp eq i32 %48, 0, !dbg !116
  br i1 %49, label %29, label %32, !dbg !117, !llvm.loop !136
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #4

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z14get_local_sizej(i32 noundef) local_unnamed_addr #4

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #4

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #5

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umax.i32(i32, i32) #6

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umin.i32(i32, i32) #6

attributes #0 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #5 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #6 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { convergent nounwind }
attributes #8 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "bitonic.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "bitonic_sort", scope: !1, file: !1, line: 8, type: !13, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1}
!16 = !{!"none"}
!17 = !{!"uint*"}
!18 = !{!"restrict"}
!19 = !DILocation(line: 8, column: 58, scope: !12)
!20 = !DILocation(line: 32, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "bitonic_sort", scope: !1, file: !1, line: 8, type: !13, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 11, column: 18, scope: !21)
!23 = !DILocation(line: 12, column: 22, scope: !21)
!24 = !DILocation(line: 13, column: 26, scope: !21)
!25 = !DILocation(line: 13, column: 24, scope: !21)
!26 = !DILocation(line: 13, column: 42, scope: !21)
!27 = !DILocation(line: 13, column: 22, scope: !21)
!28 = !DILocation(line: 14, column: 24, scope: !21)
!29 = !DILocation(line: 14, column: 13, scope: !21)
!30 = !DILocation(line: 14, column: 3, scope: !21)
!31 = !DILocation(line: 14, column: 11, scope: !21)
!32 = !DILocation(line: 15, column: 36, scope: !21)
!33 = !DILocation(line: 15, column: 21, scope: !21)
!34 = !DILocation(line: 15, column: 10, scope: !21)
!35 = !DILocation(line: 15, column: 3, scope: !21)
!36 = !DILocation(line: 15, column: 19, scope: !21)
!37 = !DILocation(line: 17, column: 22, scope: !21)
!38 = !DILocation(line: 17, column: 3, scope: !21)
!39 = !DILocation(line: 18, column: 28, scope: !21)
!40 = !DILocation(line: 18, column: 5, scope: !21)
!41 = !DILocation(line: 18, scope: !21)
!42 = !DILocation(line: 28, column: 3, scope: !21)
!43 = !DILocation(line: 30, column: 21, scope: !21)
!44 = !DILocation(line: 30, column: 19, scope: !21)
!45 = !DILocation(line: 31, column: 29, scope: !21)
!46 = !DILocation(line: 31, column: 27, scope: !21)
!47 = !DILocation(line: 32, column: 1, scope: !21)
!48 = !DILocation(line: 17, column: 38, scope: !21)
!49 = distinct !{!49, !38, !50, !51}
!50 = !DILocation(line: 27, column: 3, scope: !21)
!51 = !{!"llvm.loop.unroll.disable"}
!52 = !DILocation(line: 19, column: 7, scope: !21)
!53 = !DILocation(line: 20, column: 40, scope: !21)
!54 = !DILocation(line: 20, column: 35, scope: !21)
!55 = !DILocation(line: 20, column: 30, scope: !21)
!56 = !DILocation(line: 21, column: 22, scope: !21)
!57 = !DILocation(line: 22, column: 31, scope: !21)
!58 = !DILocation(line: 22, column: 22, scope: !21)
!59 = !DILocation(line: 23, column: 36, scope: !21)
!60 = !DILocation(line: 23, column: 43, scope: !21)
!61 = !DILocation(line: 23, column: 48, scope: !21)
!62 = !DILocation(line: 24, column: 19, scope: !21)
!63 = !DILocation(line: 24, column: 17, scope: !21)
!64 = !DILocation(line: 25, column: 23, scope: !21)
!65 = !DILocation(line: 25, column: 21, scope: !21)
!66 = distinct !{!66, !40, !67, !51}
!67 = !DILocation(line: 26, column: 5, scope: !21)
!68 = distinct !DISubprogram(name: "bitonic_global", scope: !1, file: !1, line: 35, type: !13, scopeLine: 35, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!69 = !{i32 1, i32 0, i32 0}
!70 = !{!"none", !"none", !"none"}
!71 = !{!"uint*", !"uint", !"uint"}
!72 = !{!"restrict", !"", !""}
!73 = !DILocation(line: 35, column: 76, scope: !68)
!74 = !DILocation(line: 43, column: 1, scope: !68)
!75 = distinct !DISubprogram(name: "bitonic_global", scope: !1, file: !1, line: 35, type: !13, scopeLine: 35, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!76 = !DILocation(line: 36, column: 18, scope: !75)
!77 = !DILocation(line: 37, column: 22, scope: !75)
!78 = !DILocation(line: 37, column: 36, scope: !75)
!79 = !DILocation(line: 37, column: 31, scope: !75)
!80 = !DILocation(line: 37, column: 26, scope: !75)
!81 = !DILocation(line: 38, column: 18, scope: !75)
!82 = !DILocation(line: 39, column: 27, scope: !75)
!83 = !DILocation(line: 39, column: 18, scope: !75)
!84 = !DILocation(line: 40, column: 29, scope: !75)
!85 = !DILocation(line: 40, column: 34, scope: !75)
!86 = !DILocation(line: 41, column: 15, scope: !75)
!87 = !DILocation(line: 41, column: 13, scope: !75)
!88 = !DILocation(line: 42, column: 19, scope: !75)
!89 = !DILocation(line: 42, column: 17, scope: !75)
!90 = !DILocation(line: 43, column: 1, scope: !75)
!91 = distinct !DISubprogram(name: "bitonic_merge", scope: !1, file: !1, line: 46, type: !13, scopeLine: 46, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!92 = !{i32 1, i32 0}
!93 = !{!"none", !"none"}
!94 = !{!"uint*", !"uint"}
!95 = !{!"restrict", !""}
!96 = !DILocation(line: 46, column: 67, scope: !91)
!97 = !DILocation(line: 68, column: 1, scope: !91)
!98 = distinct !DISubprogram(name: "bitonic_merge", scope: !1, file: !1, line: 46, type: !13, scopeLine: 46, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!99 = !DILocation(line: 49, column: 18, scope: !98)
!100 = !DILocation(line: 50, column: 22, scope: !98)
!101 = !DILocation(line: 51, column: 26, scope: !98)
!102 = !DILocation(line: 51, column: 24, scope: !98)
!103 = !DILocation(line: 51, column: 42, scope: !98)
!104 = !DILocation(line: 51, column: 22, scope: !98)
!105 = !DILocation(line: 52, column: 31, scope: !98)
!106 = !DILocation(line: 52, column: 36, scope: !98)
!107 = !DILocation(line: 53, column: 24, scope: !98)
!108 = !DILocation(line: 53, column: 13, scope: !98)
!109 = !DILocation(line: 53, column: 3, scope: !98)
!110 = !DILocation(line: 53, column: 11, scope: !98)
!111 = !DILocation(line: 54, column: 36, scope: !98)
!112 = !DILocation(line: 54, column: 21, scope: !98)
!113 = !DILocation(line: 54, column: 10, scope: !98)
!114 = !DILocation(line: 54, column: 3, scope: !98)
!115 = !DILocation(line: 54, column: 19, scope: !98)
!116 = !DILocation(line: 56, column: 26, scope: !98)
!117 = !DILocation(line: 56, column: 3, scope: !98)
!118 = !DILocation(line: 64, column: 3, scope: !98)
!119 = !DILocation(line: 66, column: 21, scope: !98)
!120 = !DILocation(line: 66, column: 19, scope: !98)
!121 = !DILocation(line: 67, column: 29, scope: !98)
!122 = !DILocation(line: 67, column: 27, scope: !98)
!123 = !DILocation(line: 68, column: 1, scope: !98)
!124 = !DILocation(line: 57, column: 5, scope: !98)
!125 = !DILocation(line: 58, column: 38, scope: !98)
!126 = !DILocation(line: 58, column: 33, scope: !98)
!127 = !DILocation(line: 58, column: 28, scope: !98)
!128 = !DILocation(line: 59, column: 20, scope: !98)
!129 = !DILocation(line: 60, column: 29, scope: !98)
!130 = !DILocation(line: 60, column: 20, scope: !98)
!131 = !DILocation(line: 61, column: 17, scope: !98)
!132 = !DILocation(line: 61, column: 15, scope: !98)
!133 = !DILocation(line: 62, column: 21, scope: !98)
!134 = !DILocation(line: 62, column: 19, scope: !98)
!135 = !DILocation(line: 56, column: 33, scope: !98)
!136 = distinct !{!136, !117, !137, !51}
!137 = !DILocation(line: 63, column: 3, scope: !98)
