; ModuleID = 'bfs.cl'
source_filename = "bfs.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Range = type { i32, i32 }

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
  br i1 %10, label %11, label %78, !dbg !26

11:                                               ; preds = %7
  %12 = shl i64 %8, 32
  %13 = ashr exact i64 %12, 32
  %14 = getelementptr inbounds i8, ptr addrspace(1) %2, i64 %13
  %15 = load i8, ptr addrspace(1) %14, align 1, !dbg !27, !tbaa !28
  %16 = icmp eq i8 %15, 0, !dbg !26
  br i1 %16, label %78, label %17, !dbg !29

17:                                               ; preds = %11
  store i8 0, ptr addrspace(1) %14, align 1, !dbg !30, !tbaa !28
  %18 = getelementptr inbounds %struct.Range, ptr addrspace(1) %0, i64 %13, !dbg !31
  %19 = load i32, ptr addrspace(1) %18, align 4, !dbg !31, !tbaa !8
  %20 = getelementptr inbounds nuw i8, ptr addrspace(1) %18, i64 4, !dbg !31
  %21 = load i32, ptr addrspace(1) %20, align 4, !dbg !31, !tbaa !8
  %22 = icmp slt i32 %19, %21, !dbg !32
  br i1 %22, label %23, label %78, !dbg !33

23:                                               ; preds = %17
  %24 = getelementptr inbounds i32, ptr addrspace(1) %5, i64 %13
  %25 = sub i32 %21, %19, !dbg !33
  %26 = add i32 %19, 1, !dbg !33
  %27 = and i32 %25, 1, !dbg !33
  %28 = icmp eq i32 %27, 0, !dbg !33
  br i1 %28, label %44, label %29, !dbg !33

29:                                               ; preds = %23
  %30 = sext i32 %19 to i64, !dbg !34
  %31 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %30, !dbg !34
  %32 = load i32, ptr addrspace(1) %31, align 4, !dbg !34, !tbaa !8
  %33 = sext i32 %32 to i64, !dbg !35
  %34 = getelementptr inbounds i8, ptr addrspace(1) %4, i64 %33, !dbg !35
  %35 = load i8, ptr addrspace(1) %34, align 1, !dbg !35, !tbaa !28
  %36 = icmp eq i8 %35, 0, !dbg !35
  br i1 %36, label %37, label %42, !dbg !35

37:                                               ; preds = %29
  %38 = getelementptr inbounds i32, ptr addrspace(1) %5, i64 %33
  %39 = getelementptr inbounds i8, ptr addrspace(1) %3, i64 %33
  store i8 1, ptr addrspace(1) %39, align 1, !dbg !36, !tbaa !28
  %40 = load i32, ptr addrspace(1) %24, align 4, !dbg !37, !tbaa !8
  %41 = add nsw i32 %40, 1, !dbg !38
  store i32 %41, ptr addrspace(1) %38, align 4, !dbg !39, !tbaa !8
  br label %42, !dbg !40

42:                                               ; preds = %37, %29
  %43 = add nsw i32 %19, 1, !dbg !41
  br label %44, !dbg !33

44:                                               ; preds = %42, %23
  %45 = phi i32 [ %19, %23 ], [ %43, %42 ]
  %46 = icmp eq i32 %21, %26, !dbg !33
  br i1 %46, label %78, label %47, !dbg !33

47:                                               ; preds = %44, %75
  %48 = phi i32 [ %76, %75 ], [ %45, %44 ]
  %49 = sext i32 %48 to i64, !dbg !34
  %50 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %49, !dbg !34
  %51 = load i32, ptr addrspace(1) %50, align 4, !dbg !34, !tbaa !8
  %52 = sext i32 %51 to i64, !dbg !35
  %53 = getelementptr inbounds i8, ptr addrspace(1) %4, i64 %52, !dbg !35
  %54 = load i8, ptr addrspace(1) %53, align 1, !dbg !35, !tbaa !28
  %55 = icmp eq i8 %54, 0, !dbg !35
  br i1 %55, label %56, label %61, !dbg !35

56:                                               ; preds = %47
  %57 = getelementptr inbounds i32, ptr addrspace(1) %5, i64 %52
  %58 = getelementptr inbounds i8, ptr addrspace(1) %3, i64 %52
  store i8 1, ptr addrspace(1) %58, align 1, !dbg !36, !tbaa !28
  %59 = load i32, ptr addrspace(1) %24, align 4, !dbg !37, !tbaa !8
  %60 = add nsw i32 %59, 1, !dbg !38
  store i32 %60, ptr addrspace(1) %57, align 4, !dbg !39, !tbaa !8
  br label %61, !dbg !40

61:                                               ; preds = %47, %56
  %62 = sext i32 %48 to i64, !dbg !34
  %63 = getelementptr i32, ptr addrspace(1) %1, i64 %62, !dbg !34
  %64 = getelementptr i8, ptr addrspace(1) %63, i64 4, !dbg !34
  %65 = load i32, ptr addrspace(1) %64, align 4, !dbg !34, !tbaa !8
  %66 = sext i32 %65 to i64, !dbg !35
  %67 = getelementptr inbounds i8, ptr addrspace(1) %4, i64 %66, !dbg !35
  %68 = load i8, ptr addrspace(1) %67, align 1, !dbg !35, !tbaa !28
  %69 = icmp eq i8 %68, 0, !dbg !35
  br i1 %69, label %70, label %75, !dbg !35

70:                                               ; preds = %61
  %71 = getelementptr inbounds i32, ptr addrspace(1) %5, i64 %66
  %72 = getelementptr inbounds i8, ptr addrspace(1) %3, i64 %66
  store i8 1, ptr addrspace(1) %72, align 1, !dbg !36, !tbaa !28
  %73 = load i32, ptr addrspace(1) %24, align 4, !dbg !37, !tbaa !8
  %74 = add nsw i32 %73, 1, !dbg !38
  store i32 %74, ptr addrspace(1) %71, align 4, !dbg !39, !tbaa !8
  br label %75, !dbg !40

75:                                               ; preds = %70, %61
  %76 = add nsw i32 %48, 2, !dbg !41
  %77 = icmp eq i32 %76, %21, !dbg !32
  br i1 %77, label %78, label %47, !dbg !33, !llvm.loop !42

78:                                               ; preds = %44, %75, %17, %7, %11
  ret void, !dbg !43
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @bfs_advance(ptr addrspace(1) noundef writeonly align 1 captures(none) %0, ptr addrspace(1) noundef align 1 captures(none) %1, ptr addrspace(1) noundef writeonly align 1 captures(none) %2, ptr addrspace(1) noundef writeonly align 1 captures(none) %3, i32 noundef %4) local_unnamed_addr #2 !dbg !44 !kernel_arg_addr_space !45 !kernel_arg_access_qual !46 !kernel_arg_type !47 !kernel_arg_base_type !47 !kernel_arg_type_qual !48 {
  tail call void @__clang_ocl_kern_imp_bfs_advance(ptr addrspace(1) noundef align 1 %0, ptr addrspace(1) noundef align 1 %1, ptr addrspace(1) noundef align 1 %2, ptr addrspace(1) noundef align 1 %3, i32 noundef %4) #5, !dbg !49
  ret void, !dbg !50
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_bfs_advance(ptr addrspace(1) noundef writeonly align 1 captures(none) %0, ptr addrspace(1) noundef align 1 captures(none) %1, ptr addrspace(1) noundef writeonly align 1 captures(none) %2, ptr addrspace(1) noundef writeonly align 1 captures(none) %3, i32 noundef %4) local_unnamed_addr #3 !dbg !51 !kernel_arg_addr_space !45 !kernel_arg_access_qual !46 !kernel_arg_type !47 !kernel_arg_base_type !47 !kernel_arg_type_qual !48 {
  %6 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #6, !dbg !52
  %7 = trunc i64 %6 to i32, !dbg !52
  %8 = icmp sgt i32 %4, %7, !dbg !53
  br i1 %8, label %9, label %18, !dbg !55

9:                                                ; preds = %5
  %10 = shl i64 %6, 32
  %11 = ashr exact i64 %10, 32
  %12 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %11
  %13 = load i8, ptr addrspace(1) %12, align 1, !dbg !56, !tbaa !28
  %14 = icmp eq i8 %13, 0, !dbg !55
  br i1 %14, label %18, label %15, !dbg !57

15:                                               ; preds = %9
  %16 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %11
  %17 = getelementptr inbounds i8, ptr addrspace(1) %2, i64 %11
  store i8 0, ptr addrspace(1) %12, align 1, !dbg !58, !tbaa !28
  store i8 1, ptr addrspace(1) %3, align 1, !dbg !59, !tbaa !28
  store i8 1, ptr addrspace(1) %17, align 1, !dbg !60, !tbaa !28
  store i8 1, ptr addrspace(1) %16, align 1, !dbg !61, !tbaa !28
  br label %18, !dbg !62

18:                                               ; preds = %5, %9, %15
  ret void, !dbg !62
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
!12 = distinct !DISubprogram(name: "bfs_expand", scope: !1, file: !1, line: 17, type: !13, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 0}
!16 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!17 = !{!"Range*", !"int*", !"char*", !"char*", !"char*", !"int*", !"int"}
!18 = !{!"restrict const", !"restrict const", !"", !"", !"const", !"", !""}
!19 = !DILocation(line: 20, column: 42, scope: !12)
!20 = !DILocation(line: 33, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "bfs_expand", scope: !1, file: !1, line: 17, type: !13, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 21, column: 20, scope: !21)
!23 = !DILocation(line: 13, column: 15, scope: !24, inlinedAt: !25)
!24 = distinct !DISubprogram(name: "is_marked", scope: !1, file: !1, line: 12, type: !13, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!25 = distinct !DILocation(line: 22, column: 8, scope: !21)
!26 = !DILocation(line: 13, column: 28, scope: !24, inlinedAt: !25)
!27 = !DILocation(line: 13, column: 31, scope: !24, inlinedAt: !25)
!28 = !{!10, !10, i64 0}
!29 = !DILocation(line: 22, column: 7, scope: !21)
!30 = !DILocation(line: 24, column: 18, scope: !21)
!31 = !DILocation(line: 25, column: 23, scope: !21)
!32 = !DILocation(line: 26, column: 31, scope: !21)
!33 = !DILocation(line: 26, column: 3, scope: !21)
!34 = !DILocation(line: 27, column: 20, scope: !21)
!35 = !DILocation(line: 28, column: 9, scope: !21)
!36 = !DILocation(line: 30, column: 14, scope: !21)
!37 = !DILocation(line: 31, column: 22, scope: !21)
!38 = !DILocation(line: 31, column: 20, scope: !21)
!39 = !DILocation(line: 31, column: 16, scope: !21)
!40 = !DILocation(line: 32, column: 3, scope: !21)
!41 = !DILocation(line: 26, column: 44, scope: !21)
!42 = distinct !{!42, !33, !40}
!43 = !DILocation(line: 33, column: 1, scope: !21)
!44 = distinct !DISubprogram(name: "bfs_advance", scope: !1, file: !1, line: 36, type: !13, scopeLine: 37, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!45 = !{i32 1, i32 1, i32 1, i32 1, i32 0}
!46 = !{!"none", !"none", !"none", !"none", !"none"}
!47 = !{!"char*", !"char*", !"char*", !"char*", !"int"}
!48 = !{!"", !"", !"", !"", !""}
!49 = !DILocation(line: 37, column: 65, scope: !44)
!50 = !DILocation(line: 45, column: 1, scope: !44)
!51 = distinct !DISubprogram(name: "bfs_advance", scope: !1, file: !1, line: 36, type: !13, scopeLine: 37, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!52 = !DILocation(line: 38, column: 23, scope: !51)
!53 = !DILocation(line: 13, column: 15, scope: !24, inlinedAt: !54)
!54 = distinct !DILocation(line: 39, column: 8, scope: !51)
!55 = !DILocation(line: 13, column: 28, scope: !24, inlinedAt: !54)
!56 = !DILocation(line: 13, column: 31, scope: !24, inlinedAt: !54)
!57 = !DILocation(line: 39, column: 7, scope: !51)
!58 = !DILocation(line: 41, column: 17, scope: !51)
!59 = !DILocation(line: 42, column: 10, scope: !51)
!60 = !DILocation(line: 43, column: 20, scope: !51)
!61 = !DILocation(line: 44, column: 21, scope: !51)
!62 = !DILocation(line: 45, column: 1, scope: !51)
