; ModuleID = 'bitonic.cu'
source_filename = "bitonic.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ12bitonic_sortE4tile = internal unnamed_addr addrspace(3) global [1024 x i32] undef, align 4
@_ZZ13bitonic_mergeE4tile = internal unnamed_addr addrspace(3) global [1024 x i32] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @bitonic_sort(ptr noalias noundef captures(none) %0) local_unnamed_addr #0 !dbg !12 {
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !15
  %3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !19
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !22
  %5 = shl nuw i32 %4, 1, !dbg !25
  %6 = mul i32 %5, %3, !dbg !26
  %7 = add i32 %6, %2, !dbg !27
  %8 = zext i32 %7 to i64, !dbg !28
  %9 = getelementptr inbounds nuw i32, ptr %0, i64 %8, !dbg !28
  %10 = load i32, ptr %9, align 4, !dbg !28, !tbaa !8
  %11 = zext nneg i32 %2 to i64, !dbg !29
  %12 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ12bitonic_sortE4tile to ptr), i64 %11, !dbg !29
  store i32 %10, ptr %12, align 4, !dbg !30, !tbaa !8
  %13 = add i32 %7, %3, !dbg !31
  %14 = zext i32 %13 to i64, !dbg !32
  %15 = getelementptr inbounds nuw i32, ptr %0, i64 %14, !dbg !32
  %16 = load i32, ptr %15, align 4, !dbg !32, !tbaa !8
  %17 = add nuw nsw i32 %2, %3, !dbg !33
  %18 = zext nneg i32 %17 to i64, !dbg !34
  %19 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ12bitonic_sortE4tile to ptr), i64 %18, !dbg !34
  store i32 %16, ptr %19, align 4, !dbg !35, !tbaa !8
  %20 = shl nuw nsw i32 %3, 1
  %21 = shl nuw nsw i32 %2, 1
  br label %22, !dbg !36

22:                                               ; preds = %1, %30
  %23 = phi i32 [ 2, %1 ], [ %31, %30 ]
  %24 = icmp eq i32 %23, 0, !dbg !37
  br i1 %24, label %30, label %25, !dbg !38

25:                                               ; preds = %22
  %26 = lshr exact i32 %23, 1, !dbg !39
  br label %33, !dbg !38

27:                                               ; preds = %30
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !40
  %28 = load i32, ptr %12, align 4, !dbg !41, !tbaa !8
  store i32 %28, ptr %9, align 4, !dbg !42, !tbaa !8
  %29 = load i32, ptr %19, align 4, !dbg !43, !tbaa !8
  store i32 %29, ptr %15, align 4, !dbg !44, !tbaa !8
  ret void, !dbg !45

30:                                               ; preds = %33, %22
  %31 = shl i32 %23, 1, !dbg !46
  %32 = icmp ugt i32 %31, %20, !dbg !47
  br i1 %32, label %27, label %22, !dbg !36, !llvm.loop !48

33:                                               ; preds = %25, %33
  %34 = phi i32 [ %52, %33 ], [ %26, %25 ]
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !52
  %35 = add nuw i32 %34, 1023, !dbg !53
  %36 = and i32 %35, %2, !dbg !54
  %37 = sub nsw i32 %21, %36, !dbg !55
  %38 = zext i32 %37 to i64, !dbg !56
  %39 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ12bitonic_sortE4tile to ptr), i64 %38, !dbg !56
  %40 = load i32, ptr %39, align 4, !dbg !56, !tbaa !8
  %41 = add i32 %37, %34, !dbg !57
  %42 = zext i32 %41 to i64, !dbg !58
  %43 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ12bitonic_sortE4tile to ptr), i64 %42, !dbg !58
  %44 = load i32, ptr %43, align 4, !dbg !58, !tbaa !8
  %45 = add i32 %37, %6, !dbg !59
  %46 = and i32 %45, %23, !dbg !60
  %47 = icmp eq i32 %46, 0, !dbg !61
  %48 = tail call i32 @llvm.umin.i32(i32 %40, i32 %44), !dbg !62
  %49 = tail call i32 @llvm.umax.i32(i32 %40, i32 %44), !dbg !62
  %50 = select i1 %47, i32 %48, i32 %49, !dbg !62
  store i32 %50, ptr %39, align 4, !dbg !63, !tbaa !8
  %51 = select i1 %47, i32 %49, i32 %48, !dbg !64
  store i32 %51, ptr %43, align 4, !dbg !65, !tbaa !8
  %52 = lshr i32 %34, 1, !dbg !39
  %53 = icmp eq i32 %52, 0, !dbg !37
  br i1 %53, label %30, label %33, !dbg !38, !llvm.loop !66
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @bitonic_global(ptr noalias noundef captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #2 !dbg !68 {
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !69
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !71
  %6 = mul i32 %4, %5, !dbg !73
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !74
  %8 = add i32 %6, %7, !dbg !76
  %9 = shl i32 %8, 1, !dbg !77
  %10 = add i32 %2, -1, !dbg !78
  %11 = and i32 %10, %8, !dbg !79
  %12 = sub i32 %9, %11, !dbg !80
  %13 = zext i32 %12 to i64, !dbg !81
  %14 = getelementptr inbounds nuw i32, ptr %0, i64 %13, !dbg !81
  %15 = load i32, ptr %14, align 4, !dbg !81, !tbaa !8
  %16 = add i32 %12, %2, !dbg !82
  %17 = zext i32 %16 to i64, !dbg !83
  %18 = getelementptr inbounds nuw i32, ptr %0, i64 %17, !dbg !83
  %19 = load i32, ptr %18, align 4, !dbg !83, !tbaa !8
  %20 = and i32 %12, %1, !dbg !84
  %21 = icmp eq i32 %20, 0, !dbg !85
  %22 = tail call i32 @llvm.umin.i32(i32 %15, i32 %19), !dbg !86
  %23 = tail call i32 @llvm.umax.i32(i32 %15, i32 %19), !dbg !86
  %24 = select i1 %21, i32 %22, i32 %23, !dbg !86
  store i32 %24, ptr %14, align 4, !dbg !87, !tbaa !8
  %25 = select i1 %21, i32 %23, i32 %22, !dbg !88
  store i32 %25, ptr %18, align 4, !dbg !89, !tbaa !8
  ret void, !dbg !90
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @bitonic_merge(ptr noalias noundef captures(none) %0, i32 noundef %1) local_unnamed_addr #0 !dbg !91 {
  %3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !92
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !94
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !96
  %6 = shl nuw i32 %5, 1, !dbg !98
  %7 = mul i32 %6, %4, !dbg !99
  %8 = and i32 %1, %7, !dbg !100
  %9 = icmp eq i32 %8, 0, !dbg !101
  %10 = add i32 %7, %3, !dbg !102
  %11 = zext i32 %10 to i64, !dbg !103
  %12 = getelementptr inbounds nuw i32, ptr %0, i64 %11, !dbg !103
  %13 = load i32, ptr %12, align 4, !dbg !103, !tbaa !8
  %14 = zext nneg i32 %3 to i64, !dbg !104
  %15 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ13bitonic_mergeE4tile to ptr), i64 %14, !dbg !104
  store i32 %13, ptr %15, align 4, !dbg !105, !tbaa !8
  %16 = add i32 %10, %4, !dbg !106
  %17 = zext i32 %16 to i64, !dbg !107
  %18 = getelementptr inbounds nuw i32, ptr %0, i64 %17, !dbg !107
  %19 = load i32, ptr %18, align 4, !dbg !107, !tbaa !8
  %20 = add nuw nsw i32 %3, %4, !dbg !108
  %21 = zext nneg i32 %20 to i64, !dbg !109
  %22 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ13bitonic_mergeE4tile to ptr), i64 %21, !dbg !109
  store i32 %19, ptr %22, align 4, !dbg !110, !tbaa !8
  %23 = shl nuw nsw i32 %3, 1
  br label %27, !dbg !111

24:                                               ; preds = %27
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !112
  %25 = load i32, ptr %15, align 4, !dbg !113, !tbaa !8
  store i32 %25, ptr %12, align 4, !dbg !114, !tbaa !8
  %26 = load i32, ptr %22, align 4, !dbg !115, !tbaa !8
  store i32 %26, ptr %18, align 4, !dbg !116, !tbaa !8
  ret void, !dbg !117

27:                                               ; preds = %2, %27
  %28 = phi i32 [ %4, %2 ], [ %43, %27 ]
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !118
  %29 = add nuw nsw i32 %28, 1023, !dbg !119
  %30 = and i32 %29, %3, !dbg !120
  %31 = sub nsw i32 %23, %30, !dbg !121
  %32 = zext i32 %31 to i64, !dbg !122
  %33 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ13bitonic_mergeE4tile to ptr), i64 %32, !dbg !122
  %34 = load i32, ptr %33, align 4, !dbg !122, !tbaa !8
  %35 = add nsw i32 %31, %28, !dbg !123
  %36 = zext i32 %35 to i64, !dbg !124
  %37 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ13bitonic_mergeE4tile to ptr), i64 %36, !dbg !124
  %38 = load i32, ptr %37, align 4, !dbg !124, !tbaa !8
  %39 = tail call i32 @llvm.umin.i32(i32 %34, i32 %38), !dbg !125
  %40 = tail call i32 @llvm.umax.i32(i32 %34, i32 %38), !dbg !125
  %41 = select i1 %9, i32 %39, i32 %40, !dbg !125
  store i32 %41, ptr %33, align 4, !dbg !126, !tbaa !8
  %42 = select i1 %9, i32 %40, i32 %39, !dbg !127
  store i32 %42, ptr %37, align 4, !dbg !128, !tbaa !8
  %43 = lshr i32 %28, 1, !dbg !129
  %44 = icmp eq i32 %43, 0, !dbg !130
  br i1 %44, label %24, label %27, !dbg !111, !llvm.loop !131
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umax.i32(i32, i32) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umin.i32(i32, i32) #4

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nocallback nounwind }
attributes #2 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "bitonic.cu", directory: ".")
!2 = !{i32 7, !"Dwarf Version", i32 2}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!6 = !{i32 7, !"frame-pointer", i32 2}
!7 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!8 = !{!9, !9, i64 0}
!9 = !{!"int", !10, i64 0}
!10 = !{!"omnipotent char", !11, i64 0}
!11 = !{!"Simple C++ TBAA"}
!12 = distinct !DISubprogram(name: "bitonic_sort", scope: !1, file: !1, line: 10, type: !13, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 30, column: 1, scope: !16, inlinedAt: !18)
!16 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 30, type: !13, scopeLine: 30, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!17 = !DIFile(filename: "./../common/cuda_words.h", directory: ".")
!18 = distinct !DILocation(line: 13, column: 22, scope: !12)
!19 = !DILocation(line: 32, column: 1, scope: !20, inlinedAt: !21)
!20 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 32, type: !13, scopeLine: 32, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!21 = distinct !DILocation(line: 14, column: 26, scope: !12)
!22 = !DILocation(line: 31, column: 1, scope: !23, inlinedAt: !24)
!23 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 31, type: !13, scopeLine: 31, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!24 = distinct !DILocation(line: 15, column: 30, scope: !12)
!25 = !DILocation(line: 15, column: 28, scope: !12)
!26 = !DILocation(line: 15, column: 41, scope: !12)
!27 = !DILocation(line: 16, column: 24, scope: !12)
!28 = !DILocation(line: 16, column: 13, scope: !12)
!29 = !DILocation(line: 16, column: 3, scope: !12)
!30 = !DILocation(line: 16, column: 11, scope: !12)
!31 = !DILocation(line: 17, column: 36, scope: !12)
!32 = !DILocation(line: 17, column: 21, scope: !12)
!33 = !DILocation(line: 17, column: 10, scope: !12)
!34 = !DILocation(line: 17, column: 3, scope: !12)
!35 = !DILocation(line: 17, column: 19, scope: !12)
!36 = !DILocation(line: 19, column: 3, scope: !12)
!37 = !DILocation(line: 20, column: 32, scope: !12)
!38 = !DILocation(line: 20, column: 5, scope: !12)
!39 = !DILocation(line: 20, scope: !12)
!40 = !DILocation(line: 30, column: 3, scope: !12)
!41 = !DILocation(line: 32, column: 21, scope: !12)
!42 = !DILocation(line: 32, column: 19, scope: !12)
!43 = !DILocation(line: 33, column: 29, scope: !12)
!44 = !DILocation(line: 33, column: 27, scope: !12)
!45 = !DILocation(line: 34, column: 1, scope: !12)
!46 = !DILocation(line: 19, column: 42, scope: !12)
!47 = !DILocation(line: 19, column: 26, scope: !12)
!48 = distinct !{!48, !36, !49, !50, !51}
!49 = !DILocation(line: 29, column: 3, scope: !12)
!50 = !{!"llvm.loop.mustprogress"}
!51 = !{!"llvm.loop.unroll.disable"}
!52 = !DILocation(line: 21, column: 7, scope: !12)
!53 = !DILocation(line: 22, column: 44, scope: !12)
!54 = !DILocation(line: 22, column: 39, scope: !12)
!55 = !DILocation(line: 22, column: 34, scope: !12)
!56 = !DILocation(line: 23, column: 26, scope: !12)
!57 = !DILocation(line: 24, column: 35, scope: !12)
!58 = !DILocation(line: 24, column: 26, scope: !12)
!59 = !DILocation(line: 25, column: 36, scope: !12)
!60 = !DILocation(line: 25, column: 43, scope: !12)
!61 = !DILocation(line: 25, column: 48, scope: !12)
!62 = !DILocation(line: 26, column: 19, scope: !12)
!63 = !DILocation(line: 26, column: 17, scope: !12)
!64 = !DILocation(line: 27, column: 23, scope: !12)
!65 = !DILocation(line: 27, column: 21, scope: !12)
!66 = distinct !{!66, !38, !67, !50, !51}
!67 = !DILocation(line: 28, column: 5, scope: !12)
!68 = distinct !DISubprogram(name: "bitonic_global", scope: !1, file: !1, line: 37, type: !13, scopeLine: 37, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!69 = !DILocation(line: 31, column: 1, scope: !23, inlinedAt: !70)
!70 = distinct !DILocation(line: 38, column: 22, scope: !68)
!71 = !DILocation(line: 32, column: 1, scope: !20, inlinedAt: !72)
!72 = distinct !DILocation(line: 38, column: 35, scope: !68)
!73 = !DILocation(line: 38, column: 33, scope: !68)
!74 = !DILocation(line: 30, column: 1, scope: !16, inlinedAt: !75)
!75 = distinct !DILocation(line: 38, column: 48, scope: !68)
!76 = !DILocation(line: 38, column: 46, scope: !68)
!77 = !DILocation(line: 39, column: 26, scope: !68)
!78 = !DILocation(line: 39, column: 40, scope: !68)
!79 = !DILocation(line: 39, column: 35, scope: !68)
!80 = !DILocation(line: 39, column: 30, scope: !68)
!81 = !DILocation(line: 40, column: 22, scope: !68)
!82 = !DILocation(line: 41, column: 31, scope: !68)
!83 = !DILocation(line: 41, column: 22, scope: !68)
!84 = !DILocation(line: 42, column: 29, scope: !68)
!85 = !DILocation(line: 42, column: 34, scope: !68)
!86 = !DILocation(line: 43, column: 15, scope: !68)
!87 = !DILocation(line: 43, column: 13, scope: !68)
!88 = !DILocation(line: 44, column: 19, scope: !68)
!89 = !DILocation(line: 44, column: 17, scope: !68)
!90 = !DILocation(line: 45, column: 1, scope: !68)
!91 = distinct !DISubprogram(name: "bitonic_merge", scope: !1, file: !1, line: 48, type: !13, scopeLine: 48, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!92 = !DILocation(line: 30, column: 1, scope: !16, inlinedAt: !93)
!93 = distinct !DILocation(line: 51, column: 22, scope: !91)
!94 = !DILocation(line: 32, column: 1, scope: !20, inlinedAt: !95)
!95 = distinct !DILocation(line: 52, column: 26, scope: !91)
!96 = !DILocation(line: 31, column: 1, scope: !23, inlinedAt: !97)
!97 = distinct !DILocation(line: 53, column: 30, scope: !91)
!98 = !DILocation(line: 53, column: 28, scope: !91)
!99 = !DILocation(line: 53, column: 41, scope: !91)
!100 = !DILocation(line: 54, column: 31, scope: !91)
!101 = !DILocation(line: 54, column: 36, scope: !91)
!102 = !DILocation(line: 55, column: 24, scope: !91)
!103 = !DILocation(line: 55, column: 13, scope: !91)
!104 = !DILocation(line: 55, column: 3, scope: !91)
!105 = !DILocation(line: 55, column: 11, scope: !91)
!106 = !DILocation(line: 56, column: 36, scope: !91)
!107 = !DILocation(line: 56, column: 21, scope: !91)
!108 = !DILocation(line: 56, column: 10, scope: !91)
!109 = !DILocation(line: 56, column: 3, scope: !91)
!110 = !DILocation(line: 56, column: 19, scope: !91)
!111 = !DILocation(line: 58, column: 3, scope: !91)
!112 = !DILocation(line: 66, column: 3, scope: !91)
!113 = !DILocation(line: 68, column: 21, scope: !91)
!114 = !DILocation(line: 68, column: 19, scope: !91)
!115 = !DILocation(line: 69, column: 29, scope: !91)
!116 = !DILocation(line: 69, column: 27, scope: !91)
!117 = !DILocation(line: 70, column: 1, scope: !91)
!118 = !DILocation(line: 59, column: 5, scope: !91)
!119 = !DILocation(line: 60, column: 42, scope: !91)
!120 = !DILocation(line: 60, column: 37, scope: !91)
!121 = !DILocation(line: 60, column: 32, scope: !91)
!122 = !DILocation(line: 61, column: 24, scope: !91)
!123 = !DILocation(line: 62, column: 33, scope: !91)
!124 = !DILocation(line: 62, column: 24, scope: !91)
!125 = !DILocation(line: 63, column: 17, scope: !91)
!126 = !DILocation(line: 63, column: 15, scope: !91)
!127 = !DILocation(line: 64, column: 21, scope: !91)
!128 = !DILocation(line: 64, column: 19, scope: !91)
!129 = !DILocation(line: 58, column: 37, scope: !91)
!130 = !DILocation(line: 58, column: 30, scope: !91)
!131 = distinct !{!131, !111, !132, !50, !51}
!132 = !DILocation(line: 65, column: 3, scope: !91)
