; ModuleID = 'scan.cl'
source_filename = "scan.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@scan_blocks.tree = internal unnamed_addr addrspace(3) global [512 x i32] undef, align 4

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @scan_blocks(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2, i32 noundef %3) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_scan_blocks(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, i32 noundef %3) #6, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_scan_blocks(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2, i32 noundef %3) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %5 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #7, !dbg !22
  %6 = trunc i64 %5 to i32, !dbg !22
  %7 = tail call i64 @_Z14get_local_sizej(i32 noundef 0) #7, !dbg !23
  %8 = trunc i64 %7 to i32, !dbg !23
  %9 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #7, !dbg !24
  %10 = shl i64 %7, 1, !dbg !25
  %11 = mul i64 %10, %9, !dbg !26
  %12 = shl i64 %5, 32, !dbg !27
  %13 = add i64 %11, %5, !dbg !28
  %14 = trunc i64 %13 to i32, !dbg !29
  %15 = add nsw i32 %14, %8, !dbg !30
  %16 = icmp sgt i32 %3, %14, !dbg !31
  br i1 %16, label %17, label %22, !dbg !32

17:                                               ; preds = %4
  %18 = shl i64 %13, 32
  %19 = ashr exact i64 %18, 30
  %20 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %19
  %21 = load i32, ptr addrspace(1) %20, align 4, !dbg !33, !tbaa !8
  br label %22, !dbg !32

22:                                               ; preds = %4, %17
  %23 = phi i32 [ %21, %17 ], [ 0, %4 ], !dbg !32
  %24 = ashr exact i64 %12, 30, !dbg !34
  %25 = getelementptr inbounds i8, ptr addrspace(3) @scan_blocks.tree, i64 %24, !dbg !34
  store i32 %23, ptr addrspace(3) %25, align 4, !dbg !35, !tbaa !8
  %26 = icmp slt i32 %15, %3, !dbg !36
  br i1 %26, label %27, label %31, !dbg !37

27:                                               ; preds = %22
  %28 = sext i32 %15 to i64
  %29 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %28
  %30 = load i32, ptr addrspace(1) %29, align 4, !dbg !38, !tbaa !8
  br label %31, !dbg !37

31:                                               ; preds = %22, %27
  %32 = phi i32 [ %30, %27 ], [ 0, %22 ], !dbg !37
  %33 = add i64 %7, %5, !dbg !39
  %34 = shl i64 %33, 32, !dbg !40
  %35 = ashr exact i64 %34, 30, !dbg !40
  %36 = getelementptr inbounds i8, ptr addrspace(3) @scan_blocks.tree, i64 %35, !dbg !40
  store i32 %32, ptr addrspace(3) %36, align 4, !dbg !41, !tbaa !8
  %37 = icmp sgt i32 %8, 0, !dbg !42
  br i1 %37, label %38, label %41, !dbg !43

38:                                               ; preds = %31
  %39 = shl nsw i32 %6, 1
  %40 = or disjoint i32 %39, 1
  br label %44, !dbg !43

41:                                               ; preds = %59, %31
  %42 = phi i32 [ 1, %31 ], [ %60, %59 ], !dbg !44
  %43 = icmp eq i32 %6, 0, !dbg !45
  br i1 %43, label %63, label %71, !dbg !45

44:                                               ; preds = %38, %59
  %45 = phi i32 [ 1, %38 ], [ %60, %59 ]
  %46 = phi i32 [ %8, %38 ], [ %61, %59 ]
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !46
  %47 = icmp sgt i32 %46, %6, !dbg !47
  br i1 %47, label %48, label %59, !dbg !47

48:                                               ; preds = %44
  %49 = mul nsw i32 %45, %40, !dbg !48
  %50 = add nsw i32 %49, -1, !dbg !49
  %51 = sext i32 %50 to i64, !dbg !50
  %52 = getelementptr inbounds i32, ptr addrspace(3) @scan_blocks.tree, i64 %51, !dbg !50
  %53 = load i32, ptr addrspace(3) %52, align 4, !dbg !50, !tbaa !8
  %54 = add nsw i32 %50, %45, !dbg !51
  %55 = sext i32 %54 to i64, !dbg !52
  %56 = getelementptr inbounds i32, ptr addrspace(3) @scan_blocks.tree, i64 %55, !dbg !52
  %57 = load i32, ptr addrspace(3) %56, align 4, !dbg !53, !tbaa !8
  %58 = add nsw i32 %57, %53, !dbg !53
  store i32 %58, ptr addrspace(3) %56, align 4, !dbg !53, !tbaa !8
  br label %59, !dbg !54

59:                                               ; preds = %48, %44
  %60 = shl nsw i32 %45, 1, !dbg !55
  %61 = lshr i32 %46, 1, !dbg !56
  %62 = icmp eq i32 %61, 0, !dbg !42
  br i1 %62, label %41, label %44, !dbg !43, !llvm.loop !57

63:                                               ; preds = %41
  %64 = shl nsw i32 %8, 1, !dbg !60
  %65 = sext i32 %64 to i64, !dbg !61
  %66 = getelementptr i32, ptr addrspace(3) @scan_blocks.tree, i64 %65, !dbg !61
  %67 = getelementptr i8, ptr addrspace(3) %66, i64 -4, !dbg !61
  %68 = load i32, ptr addrspace(3) %67, align 4, !dbg !61, !tbaa !8
  %69 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #7, !dbg !62
  %70 = getelementptr inbounds nuw i32, ptr addrspace(1) %2, i64 %69, !dbg !63
  store i32 %68, ptr addrspace(1) %70, align 4, !dbg !64, !tbaa !8
  store i32 0, ptr addrspace(3) %67, align 4, !dbg !65, !tbaa !8
  br label %71, !dbg !66

71:                                               ; preds = %63, %41
  %72 = icmp slt i32 %8, 1, !dbg !67
  br i1 %72, label %76, label %73, !dbg !68

73:                                               ; preds = %71
  %74 = shl nsw i32 %6, 1
  %75 = or disjoint i32 %74, 1
  br label %77, !dbg !68

76:                                               ; preds = %93, %71
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !69
  br i1 %16, label %96, label %101, !dbg !70

77:                                               ; preds = %73, %93
  %78 = phi i32 [ %42, %73 ], [ %80, %93 ]
  %79 = phi i32 [ 1, %73 ], [ %94, %93 ]
  %80 = sdiv i32 %78, 2, !dbg !71
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !72
  %81 = icmp sgt i32 %79, %6, !dbg !73
  br i1 %81, label %82, label %93, !dbg !73

82:                                               ; preds = %77
  %83 = mul nsw i32 %80, %75, !dbg !74
  %84 = add nsw i32 %83, -1, !dbg !75
  %85 = sext i32 %84 to i64, !dbg !76
  %86 = getelementptr inbounds i32, ptr addrspace(3) @scan_blocks.tree, i64 %85, !dbg !76
  %87 = load i32, ptr addrspace(3) %86, align 4, !dbg !76, !tbaa !8
  %88 = add nsw i32 %84, %80, !dbg !77
  %89 = sext i32 %88 to i64, !dbg !78
  %90 = getelementptr inbounds i32, ptr addrspace(3) @scan_blocks.tree, i64 %89, !dbg !78
  %91 = load i32, ptr addrspace(3) %90, align 4, !dbg !78, !tbaa !8
  store i32 %91, ptr addrspace(3) %86, align 4, !dbg !79, !tbaa !8
  %92 = add nsw i32 %91, %87, !dbg !80
  store i32 %92, ptr addrspace(3) %90, align 4, !dbg !80, !tbaa !8
  br label %93, !dbg !81

93:                                               ; preds = %77, %82
  %94 = shl nsw i32 %79, 1, !dbg !82
  %95 = icmp sgt i32 %94, %8, !dbg !67
  br i1 %95, label %76, label %77, !dbg !68, !llvm.loop !83

96:                                               ; preds = %76
  %97 = shl i64 %13, 32
  %98 = ashr exact i64 %97, 30
  %99 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %98
  %100 = load i32, ptr addrspace(3) %25, align 4, !dbg !85, !tbaa !8
  store i32 %100, ptr addrspace(1) %99, align 4, !dbg !86, !tbaa !8
  br label %101, !dbg !87

101:                                              ; preds = %96, %76
  br i1 %26, label %102, label %106, !dbg !88

102:                                              ; preds = %101
  %103 = sext i32 %15 to i64
  %104 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %103
  %105 = load i32, ptr addrspace(3) %36, align 4, !dbg !89, !tbaa !8
  store i32 %105, ptr addrspace(1) %104, align 4, !dbg !90, !tbaa !8
  br label %106, !dbg !91

106:                                              ; preds = %102, %101
  ret void, !dbg !92
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @scan_add(ptr addrspace(1) noalias noundef align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, i32 noundef %2) local_unnamed_addr #2 !dbg !93 !kernel_arg_addr_space !94 !kernel_arg_access_qual !95 !kernel_arg_type !96 !kernel_arg_base_type !96 !kernel_arg_type_qual !97 {
  tail call void @__clang_ocl_kern_imp_scan_add(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2) #6, !dbg !98
  ret void, !dbg !99
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_scan_add(ptr addrspace(1) noalias noundef align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, i32 noundef %2) local_unnamed_addr #3 !dbg !100 !kernel_arg_addr_space !94 !kernel_arg_access_qual !95 !kernel_arg_type !96 !kernel_arg_base_type !96 !kernel_arg_type_qual !97 {
  %4 = tail call i64 @_Z14get_local_sizej(i32 noundef 0) #7, !dbg !101
  %5 = trunc i64 %4 to i32, !dbg !101
  %6 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #7, !dbg !102
  %7 = shl i64 %4, 1, !dbg !103
  %8 = mul i64 %7, %6, !dbg !104
  %9 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #7, !dbg !105
  %10 = add i64 %8, %9, !dbg !106
  %11 = trunc i64 %10 to i32, !dbg !107
  %12 = add nsw i32 %11, %5, !dbg !108
  %13 = getelementptr inbounds nuw i32, ptr addrspace(1) %1, i64 %6, !dbg !109
  %14 = load i32, ptr addrspace(1) %13, align 4, !dbg !109, !tbaa !8
  %15 = icmp sgt i32 %2, %11, !dbg !110
  br i1 %15, label %16, label %22, !dbg !110

16:                                               ; preds = %3
  %17 = shl i64 %10, 32
  %18 = ashr exact i64 %17, 30
  %19 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %18
  %20 = load i32, ptr addrspace(1) %19, align 4, !dbg !111, !tbaa !8
  %21 = add nsw i32 %20, %14, !dbg !111
  store i32 %21, ptr addrspace(1) %19, align 4, !dbg !111, !tbaa !8
  br label %22, !dbg !112

22:                                               ; preds = %16, %3
  %23 = icmp slt i32 %12, %2, !dbg !113
  br i1 %23, label %24, label %29, !dbg !113

24:                                               ; preds = %22
  %25 = sext i32 %12 to i64
  %26 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %25
  %27 = load i32, ptr addrspace(1) %26, align 4, !dbg !114, !tbaa !8
  %28 = add nsw i32 %27, %14, !dbg !114
  store i32 %28, ptr addrspace(1) %26, align 4, !dbg !114, !tbaa !8
  br label %29, !dbg !115

29:                                               ; preds = %24, %22
  ret void, !dbg !116
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #4

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z14get_local_sizej(i32 noundef) local_unnamed_addr #4

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #4

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #5

attributes #0 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #5 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #6 = { convergent nounwind }
attributes #7 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "scan.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "scan_blocks", scope: !1, file: !1, line: 7, type: !13, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 1, i32 0}
!16 = !{!"none", !"none", !"none", !"none"}
!17 = !{!"int*", !"int*", !"int*", !"int"}
!18 = !{!"restrict const", !"restrict", !"restrict", !""}
!19 = !DILocation(line: 8, column: 63, scope: !12)
!20 = !DILocation(line: 49, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "scan_blocks", scope: !1, file: !1, line: 7, type: !13, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 11, column: 17, scope: !21)
!23 = !DILocation(line: 12, column: 20, scope: !21)
!24 = !DILocation(line: 13, column: 25, scope: !21)
!25 = !DILocation(line: 13, column: 23, scope: !21)
!26 = !DILocation(line: 13, column: 41, scope: !21)
!27 = !DILocation(line: 13, column: 50, scope: !21)
!28 = !DILocation(line: 13, column: 48, scope: !21)
!29 = !DILocation(line: 13, column: 21, scope: !21)
!30 = !DILocation(line: 14, column: 28, scope: !21)
!31 = !DILocation(line: 15, column: 19, scope: !21)
!32 = !DILocation(line: 15, column: 13, scope: !21)
!33 = !DILocation(line: 15, column: 25, scope: !21)
!34 = !DILocation(line: 15, column: 3, scope: !21)
!35 = !DILocation(line: 15, column: 11, scope: !21)
!36 = !DILocation(line: 16, column: 27, scope: !21)
!37 = !DILocation(line: 16, column: 20, scope: !21)
!38 = !DILocation(line: 16, column: 33, scope: !21)
!39 = !DILocation(line: 16, column: 10, scope: !21)
!40 = !DILocation(line: 16, column: 3, scope: !21)
!41 = !DILocation(line: 16, column: 18, scope: !21)
!42 = !DILocation(line: 19, column: 32, scope: !21)
!43 = !DILocation(line: 19, column: 3, scope: !21)
!44 = !DILocation(line: 0, scope: !21)
!45 = !DILocation(line: 27, column: 9, scope: !21)
!46 = !DILocation(line: 20, column: 5, scope: !21)
!47 = !DILocation(line: 21, column: 11, scope: !21)
!48 = !DILocation(line: 22, column: 33, scope: !21)
!49 = !DILocation(line: 22, column: 47, scope: !21)
!50 = !DILocation(line: 23, column: 32, scope: !21)
!51 = !DILocation(line: 23, column: 17, scope: !21)
!52 = !DILocation(line: 23, column: 7, scope: !21)
!53 = !DILocation(line: 23, column: 29, scope: !21)
!54 = !DILocation(line: 24, column: 5, scope: !21)
!55 = !DILocation(line: 25, column: 14, scope: !21)
!56 = !DILocation(line: 19, column: 43, scope: !21)
!57 = distinct !{!57, !43, !58, !59}
!58 = !DILocation(line: 26, column: 3, scope: !21)
!59 = !{!"llvm.loop.unroll.disable"}
!60 = !DILocation(line: 28, column: 36, scope: !21)
!61 = !DILocation(line: 28, column: 29, scope: !21)
!62 = !DILocation(line: 28, column: 10, scope: !21)
!63 = !DILocation(line: 28, column: 5, scope: !21)
!64 = !DILocation(line: 28, column: 27, scope: !21)
!65 = !DILocation(line: 29, column: 24, scope: !21)
!66 = !DILocation(line: 30, column: 3, scope: !21)
!67 = !DILocation(line: 31, column: 29, scope: !21)
!68 = !DILocation(line: 31, column: 3, scope: !21)
!69 = !DILocation(line: 41, column: 3, scope: !21)
!70 = !DILocation(line: 43, column: 13, scope: !21)
!71 = !DILocation(line: 32, column: 14, scope: !21)
!72 = !DILocation(line: 33, column: 5, scope: !21)
!73 = !DILocation(line: 34, column: 11, scope: !21)
!74 = !DILocation(line: 35, column: 33, scope: !21)
!75 = !DILocation(line: 35, column: 47, scope: !21)
!76 = !DILocation(line: 36, column: 30, scope: !21)
!77 = !DILocation(line: 37, column: 30, scope: !21)
!78 = !DILocation(line: 37, column: 20, scope: !21)
!79 = !DILocation(line: 37, column: 18, scope: !21)
!80 = !DILocation(line: 38, column: 29, scope: !21)
!81 = !DILocation(line: 39, column: 5, scope: !21)
!82 = !DILocation(line: 31, column: 44, scope: !21)
!83 = distinct !{!83, !68, !84, !59}
!84 = !DILocation(line: 40, column: 3, scope: !21)
!85 = !DILocation(line: 44, column: 18, scope: !21)
!86 = !DILocation(line: 44, column: 16, scope: !21)
!87 = !DILocation(line: 45, column: 3, scope: !21)
!88 = !DILocation(line: 46, column: 14, scope: !21)
!89 = !DILocation(line: 47, column: 19, scope: !21)
!90 = !DILocation(line: 47, column: 17, scope: !21)
!91 = !DILocation(line: 48, column: 3, scope: !21)
!92 = !DILocation(line: 49, column: 1, scope: !21)
!93 = distinct !DISubprogram(name: "scan_add", scope: !1, file: !1, line: 51, type: !13, scopeLine: 51, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!94 = !{i32 1, i32 1, i32 0}
!95 = !{!"none", !"none", !"none"}
!96 = !{!"int*", !"int*", !"int"}
!97 = !{!"restrict", !"restrict const", !""}
!98 = !DILocation(line: 51, column: 94, scope: !93)
!99 = !DILocation(line: 62, column: 1, scope: !93)
!100 = distinct !DISubprogram(name: "scan_add", scope: !1, file: !1, line: 51, type: !13, scopeLine: 51, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!101 = !DILocation(line: 52, column: 20, scope: !100)
!102 = !DILocation(line: 53, column: 25, scope: !100)
!103 = !DILocation(line: 53, column: 23, scope: !100)
!104 = !DILocation(line: 53, column: 41, scope: !100)
!105 = !DILocation(line: 53, column: 50, scope: !100)
!106 = !DILocation(line: 53, column: 48, scope: !100)
!107 = !DILocation(line: 53, column: 21, scope: !100)
!108 = !DILocation(line: 54, column: 28, scope: !100)
!109 = !DILocation(line: 55, column: 22, scope: !100)
!110 = !DILocation(line: 56, column: 13, scope: !100)
!111 = !DILocation(line: 57, column: 16, scope: !100)
!112 = !DILocation(line: 58, column: 3, scope: !100)
!113 = !DILocation(line: 59, column: 14, scope: !100)
!114 = !DILocation(line: 60, column: 17, scope: !100)
!115 = !DILocation(line: 61, column: 3, scope: !100)
!116 = !DILocation(line: 62, column: 1, scope: !100)
