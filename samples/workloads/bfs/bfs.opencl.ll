; ModuleID = 'bfs.cl'
source_filename = "bfs.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Node = type { i32, i32 }

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @bfs_expand(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noundef align 1 captures(none) %2, ptr addrspace(1) noundef writeonly align 1 captures(none) %3, ptr addrspace(1) noundef readonly align 1 captures(none) %4, ptr addrspace(1) noundef align 4 captures(none) %5, i32 noundef %6) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_bfs_expand(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 1 %2, ptr addrspace(1) noundef align 1 %3, ptr addrspace(1) noundef align 1 %4, ptr addrspace(1) noundef align 4 %5, i32 noundef %6) #5, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_bfs_expand(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noundef align 1 captures(none) %2, ptr addrspace(1) noundef writeonly align 1 captures(none) %3, ptr addrspace(1) noundef readonly align 1 captures(none) %4, ptr addrspace(1) noundef align 4 captures(none) %5, i32 noundef %6) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %8 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #6, !dbg !22
  %9 = trunc i64 %8 to i32, !dbg !22
  %10 = icmp sgt i32 %6, %9, !dbg !23
  br i1 %10, label %11, label %43, !dbg !24

11:                                               ; preds = %7
  %12 = shl i64 %8, 32, !dbg !25
  %13 = ashr exact i64 %12, 32, !dbg !25
  %14 = getelementptr inbounds i8, ptr addrspace(1) %2, i64 %13, !dbg !25
  %15 = load i8, ptr addrspace(1) %14, align 1, !dbg !25, !tbaa !26
  %16 = icmp eq i8 %15, 0, !dbg !25
  br i1 %16, label %43, label %17, !dbg !24

17:                                               ; preds = %11
  store i8 0, ptr addrspace(1) %14, align 1, !dbg !27, !tbaa !26
  %18 = getelementptr inbounds %struct.Node, ptr addrspace(1) %0, i64 %13, !dbg !28
  %19 = load i32, ptr addrspace(1) %18, align 4, !dbg !28, !tbaa !8
  %20 = getelementptr inbounds nuw i8, ptr addrspace(1) %18, i64 4, !dbg !28
  %21 = load i32, ptr addrspace(1) %20, align 4, !dbg !28, !tbaa !8
  %22 = add nsw i32 %21, %19
  %23 = icmp sgt i32 %21, 0, !dbg !29
  br i1 %23, label %24, label %43, !dbg !30

24:                                               ; preds = %17
  %25 = getelementptr inbounds i32, ptr addrspace(1) %5, i64 %13
  br label %26, !dbg !30

26:                                               ; preds = %24, %40
  %27 = phi i32 [ %19, %24 ], [ %41, %40 ]
  %28 = sext i32 %27 to i64, !dbg !31
  %29 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %28, !dbg !31
  %30 = load i32, ptr addrspace(1) %29, align 4, !dbg !31, !tbaa !8
  %31 = sext i32 %30 to i64, !dbg !32
  %32 = getelementptr inbounds i8, ptr addrspace(1) %4, i64 %31, !dbg !32
  %33 = load i8, ptr addrspace(1) %32, align 1, !dbg !32, !tbaa !26
  %34 = icmp eq i8 %33, 0, !dbg !32
  br i1 %34, label %35, label %40, !dbg !33

35:                                               ; preds = %26
  %36 = getelementptr inbounds i8, ptr addrspace(1) %3, i64 %31
  %37 = getelementptr inbounds i32, ptr addrspace(1) %5, i64 %31
  %38 = load i32, ptr addrspace(1) %25, align 4, !dbg !34, !tbaa !8
  %39 = add nsw i32 %38, 1, !dbg !35
  store i32 %39, ptr addrspace(1) %37, align 4, !dbg !36, !tbaa !8
  store i8 1, ptr addrspace(1) %36, align 1, !dbg !37, !tbaa !26
  br label %40, !dbg !38

40:                                               ; preds = %35, %26
  %41 = add nsw i32 %27, 1, !dbg !39
  %42 = icmp slt i32 %41, %22, !dbg !29
  br i1 %42, label %26, label %43, !dbg !30, !llvm.loop !40

43:                                               ; preds = %40, %17, %11, %7
  ret void, !dbg !42
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @bfs_advance(ptr addrspace(1) noundef writeonly align 1 captures(none) %0, ptr addrspace(1) noundef align 1 captures(none) %1, ptr addrspace(1) noundef writeonly align 1 captures(none) %2, ptr addrspace(1) noundef writeonly align 1 captures(none) %3, i32 noundef %4) local_unnamed_addr #2 !dbg !43 !kernel_arg_addr_space !44 !kernel_arg_access_qual !45 !kernel_arg_type !46 !kernel_arg_base_type !46 !kernel_arg_type_qual !47 {
  tail call void @__clang_ocl_kern_imp_bfs_advance(ptr addrspace(1) noundef align 1 %0, ptr addrspace(1) noundef align 1 %1, ptr addrspace(1) noundef align 1 %2, ptr addrspace(1) noundef align 1 %3, i32 noundef %4) #5, !dbg !48
  ret void, !dbg !49
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_bfs_advance(ptr addrspace(1) noundef writeonly align 1 captures(none) %0, ptr addrspace(1) noundef align 1 captures(none) %1, ptr addrspace(1) noundef writeonly align 1 captures(none) %2, ptr addrspace(1) noundef writeonly align 1 captures(none) %3, i32 noundef %4) local_unnamed_addr #3 !dbg !50 !kernel_arg_addr_space !44 !kernel_arg_access_qual !45 !kernel_arg_type !46 !kernel_arg_base_type !46 !kernel_arg_type_qual !47 {
  %6 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #6, !dbg !51
  %7 = trunc i64 %6 to i32, !dbg !51
  %8 = icmp sgt i32 %4, %7, !dbg !52
  br i1 %8, label %9, label %18, !dbg !53

9:                                                ; preds = %5
  %10 = shl i64 %6, 32, !dbg !54
  %11 = ashr exact i64 %10, 32, !dbg !54
  %12 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %11, !dbg !54
  %13 = load i8, ptr addrspace(1) %12, align 1, !dbg !54, !tbaa !26
  %14 = icmp eq i8 %13, 0, !dbg !54
  br i1 %14, label %18, label %15, !dbg !53

15:                                               ; preds = %9
  %16 = getelementptr inbounds i8, ptr addrspace(1) %2, i64 %11
  %17 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %11
  store i8 1, ptr addrspace(1) %17, align 1, !dbg !55, !tbaa !26
  store i8 1, ptr addrspace(1) %16, align 1, !dbg !56, !tbaa !26
  store i8 1, ptr addrspace(1) %3, align 1, !dbg !57, !tbaa !26
  store i8 0, ptr addrspace(1) %12, align 1, !dbg !58, !tbaa !26
  br label %18, !dbg !59

18:                                               ; preds = %15, %9, %5
  ret void, !dbg !60
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #4

attributes #0 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #5 = { convergent nounwind }
attributes #6 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "bfs.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "bfs_expand", scope: !1, file: !1, line: 11, type: !13, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 0}
!16 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!17 = !{!"Node*", !"int*", !"char*", !"char*", !"char*", !"int*", !"int"}
!18 = !{!"restrict const", !"restrict const", !"", !"", !"const", !"", !""}
!19 = !DILocation(line: 13, column: 64, scope: !12)
!20 = !DILocation(line: 26, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "bfs_expand", scope: !1, file: !1, line: 11, type: !13, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 14, column: 17, scope: !21)
!23 = !DILocation(line: 15, column: 9, scope: !21)
!24 = !DILocation(line: 15, column: 22, scope: !21)
!25 = !DILocation(line: 15, column: 25, scope: !21)
!26 = !{!10, !10, i64 0}
!27 = !DILocation(line: 16, column: 17, scope: !21)
!28 = !DILocation(line: 17, column: 23, scope: !21)
!29 = !DILocation(line: 18, column: 37, scope: !21)
!30 = !DILocation(line: 18, column: 5, scope: !21)
!31 = !DILocation(line: 19, column: 21, scope: !21)
!32 = !DILocation(line: 20, column: 12, scope: !21)
!33 = !DILocation(line: 20, column: 11, scope: !21)
!34 = !DILocation(line: 21, column: 21, scope: !21)
!35 = !DILocation(line: 21, column: 31, scope: !21)
!36 = !DILocation(line: 21, column: 19, scope: !21)
!37 = !DILocation(line: 22, column: 17, scope: !21)
!38 = !DILocation(line: 23, column: 7, scope: !21)
!39 = !DILocation(line: 18, column: 69, scope: !21)
!40 = distinct !{!40, !30, !41}
!41 = !DILocation(line: 24, column: 5, scope: !21)
!42 = !DILocation(line: 26, column: 1, scope: !21)
!43 = distinct !DISubprogram(name: "bfs_advance", scope: !1, file: !1, line: 29, type: !13, scopeLine: 30, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!44 = !{i32 1, i32 1, i32 1, i32 1, i32 0}
!45 = !{!"none", !"none", !"none", !"none", !"none"}
!46 = !{!"char*", !"char*", !"char*", !"char*", !"int"}
!47 = !{!"", !"", !"", !"", !""}
!48 = !DILocation(line: 30, column: 65, scope: !43)
!49 = !DILocation(line: 38, column: 1, scope: !43)
!50 = distinct !DISubprogram(name: "bfs_advance", scope: !1, file: !1, line: 29, type: !13, scopeLine: 30, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!51 = !DILocation(line: 31, column: 17, scope: !50)
!52 = !DILocation(line: 32, column: 9, scope: !50)
!53 = !DILocation(line: 32, column: 22, scope: !50)
!54 = !DILocation(line: 32, column: 25, scope: !50)
!55 = !DILocation(line: 33, column: 17, scope: !50)
!56 = !DILocation(line: 34, column: 16, scope: !50)
!57 = !DILocation(line: 35, column: 12, scope: !50)
!58 = !DILocation(line: 36, column: 13, scope: !50)
!59 = !DILocation(line: 37, column: 3, scope: !50)
!60 = !DILocation(line: 38, column: 1, scope: !50)
