; ModuleID = 'scan.cu'
source_filename = "scan.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ11scan_blocksE4tree = internal unnamed_addr addrspace(3) global [512 x i32] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @scan_blocks(ptr noalias noundef readonly captures(none) %0, ptr noalias noundef writeonly captures(none) %1, ptr noalias noundef writeonly captures(none) %2, i32 noundef %3) local_unnamed_addr #0 !dbg !12 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !15
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !19
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !22
  %8 = shl nuw i32 %7, 1, !dbg !25
  %9 = mul i32 %8, %6, !dbg !26
  %10 = add i32 %9, %5, !dbg !27
  %11 = add nsw i32 %10, %6, !dbg !28
  %12 = icmp slt i32 %10, %3, !dbg !29
  br i1 %12, label %13, label %17, !dbg !30

13:                                               ; preds = %4
  %14 = sext i32 %10 to i64
  %15 = getelementptr inbounds i32, ptr %0, i64 %14
  %16 = load i32, ptr %15, align 4, !dbg !31, !tbaa !8
  br label %17, !dbg !30

17:                                               ; preds = %4, %13
  %18 = phi i32 [ %16, %13 ], [ 0, %4 ], !dbg !30
  %19 = zext nneg i32 %5 to i64, !dbg !32
  %20 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ11scan_blocksE4tree to ptr), i64 %19, !dbg !32
  store i32 %18, ptr %20, align 4, !dbg !33, !tbaa !8
  %21 = icmp slt i32 %11, %3, !dbg !34
  br i1 %21, label %22, label %26, !dbg !35

22:                                               ; preds = %17
  %23 = sext i32 %11 to i64
  %24 = getelementptr inbounds i32, ptr %0, i64 %23
  %25 = load i32, ptr %24, align 4, !dbg !36, !tbaa !8
  br label %26, !dbg !35

26:                                               ; preds = %17, %22
  %27 = phi i32 [ %25, %22 ], [ 0, %17 ], !dbg !35
  %28 = add nuw nsw i32 %5, %6, !dbg !37
  %29 = zext nneg i32 %28 to i64, !dbg !38
  %30 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ11scan_blocksE4tree to ptr), i64 %29, !dbg !38
  store i32 %27, ptr %30, align 4, !dbg !39, !tbaa !8
  %31 = shl nuw nsw i32 %5, 1
  %32 = or disjoint i32 %31, 1
  br label %36, !dbg !40

33:                                               ; preds = %51
  %34 = icmp eq i32 %5, 0, !dbg !41
  br i1 %34, label %55, label %35, !dbg !41

35:                                               ; preds = %55, %33
  br label %64, !dbg !42

36:                                               ; preds = %26, %51
  %37 = phi i32 [ 1, %26 ], [ %52, %51 ]
  %38 = phi i32 [ %6, %26 ], [ %53, %51 ]
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !43
  %39 = icmp samesign ult i32 %5, %38, !dbg !44
  br i1 %39, label %40, label %51, !dbg !44

40:                                               ; preds = %36
  %41 = mul nsw i32 %37, %32, !dbg !45
  %42 = add nsw i32 %41, -1, !dbg !46
  %43 = sext i32 %42 to i64, !dbg !47
  %44 = getelementptr inbounds i32, ptr addrspacecast (ptr addrspace(3) @_ZZ11scan_blocksE4tree to ptr), i64 %43, !dbg !47
  %45 = load i32, ptr %44, align 4, !dbg !47, !tbaa !8
  %46 = add nsw i32 %42, %37, !dbg !48
  %47 = sext i32 %46 to i64, !dbg !49
  %48 = getelementptr inbounds i32, ptr addrspacecast (ptr addrspace(3) @_ZZ11scan_blocksE4tree to ptr), i64 %47, !dbg !49
  %49 = load i32, ptr %48, align 4, !dbg !50, !tbaa !8
  %50 = add nsw i32 %49, %45, !dbg !50
  store i32 %50, ptr %48, align 4, !dbg !50, !tbaa !8
  br label %51, !dbg !51

51:                                               ; preds = %40, %36
  %52 = shl nsw i32 %37, 1, !dbg !52
  %53 = lshr i32 %38, 1, !dbg !53
  %54 = icmp eq i32 %53, 0, !dbg !54
  br i1 %54, label %33, label %36, !dbg !40, !llvm.loop !55

55:                                               ; preds = %33
  %56 = zext nneg i32 %7 to i64
  %57 = getelementptr inbounds nuw i32, ptr %2, i64 %56
  %58 = shl nuw nsw i32 %6, 1
  %59 = zext nneg i32 %58 to i64
  %60 = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @_ZZ11scan_blocksE4tree to ptr), i64 %59
  %61 = getelementptr i8, ptr %60, i64 -4
  %62 = load i32, ptr %61, align 4, !dbg !59, !tbaa !8
  store i32 %62, ptr %57, align 4, !dbg !60, !tbaa !8
  store i32 0, ptr %61, align 4, !dbg !61, !tbaa !8
  br label %35, !dbg !62

63:                                               ; preds = %80
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !63
  br i1 %12, label %83, label %87, !dbg !64

64:                                               ; preds = %35, %80
  %65 = phi i32 [ %67, %80 ], [ %52, %35 ]
  %66 = phi i32 [ %81, %80 ], [ 1, %35 ]
  %67 = sdiv i32 %65, 2, !dbg !65
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !66
  %68 = icmp slt i32 %5, %66, !dbg !67
  br i1 %68, label %69, label %80, !dbg !67

69:                                               ; preds = %64
  %70 = mul nsw i32 %67, %32, !dbg !68
  %71 = add nsw i32 %70, -1, !dbg !69
  %72 = sext i32 %71 to i64, !dbg !70
  %73 = getelementptr inbounds i32, ptr addrspacecast (ptr addrspace(3) @_ZZ11scan_blocksE4tree to ptr), i64 %72, !dbg !70
  %74 = load i32, ptr %73, align 4, !dbg !70, !tbaa !8
  %75 = add nsw i32 %71, %67, !dbg !71
  %76 = sext i32 %75 to i64, !dbg !72
  %77 = getelementptr inbounds i32, ptr addrspacecast (ptr addrspace(3) @_ZZ11scan_blocksE4tree to ptr), i64 %76, !dbg !72
  %78 = load i32, ptr %77, align 4, !dbg !72, !tbaa !8
  store i32 %78, ptr %73, align 4, !dbg !73, !tbaa !8
  %79 = add nsw i32 %78, %74, !dbg !74
  store i32 %79, ptr %77, align 4, !dbg !74, !tbaa !8
  br label %80, !dbg !75

80:                                               ; preds = %64, %69
  %81 = shl nsw i32 %66, 1, !dbg !76
  %82 = icmp sgt i32 %81, %6, !dbg !77
  br i1 %82, label %63, label %64, !dbg !42, !llvm.loop !78

83:                                               ; preds = %63
  %84 = sext i32 %10 to i64
  %85 = getelementptr inbounds i32, ptr %1, i64 %84
  %86 = load i32, ptr %20, align 4, !dbg !80, !tbaa !8
  store i32 %86, ptr %85, align 4, !dbg !81, !tbaa !8
  br label %87, !dbg !82

87:                                               ; preds = %83, %63
  br i1 %21, label %88, label %92, !dbg !83

88:                                               ; preds = %87
  %89 = sext i32 %11 to i64
  %90 = getelementptr inbounds i32, ptr %1, i64 %89
  %91 = load i32, ptr %30, align 4, !dbg !84, !tbaa !8
  store i32 %91, ptr %90, align 4, !dbg !85, !tbaa !8
  br label %92, !dbg !86

92:                                               ; preds = %88, %87
  ret void, !dbg !87
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @scan_add(ptr noalias noundef captures(none) %0, ptr noalias noundef readonly captures(none) %1, i32 noundef %2) local_unnamed_addr #2 !dbg !88 {
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !89
  %5 = shl nuw i32 %4, 1, !dbg !91
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !92
  %7 = mul i32 %5, %6, !dbg !94
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !95
  %9 = add i32 %7, %8, !dbg !97
  %10 = add i32 %9, %6, !dbg !98
  %11 = zext nneg i32 %4 to i64, !dbg !99
  %12 = getelementptr inbounds nuw i32, ptr %1, i64 %11, !dbg !99
  %13 = load i32, ptr %12, align 4, !dbg !99, !tbaa !8
  %14 = icmp slt i32 %9, %2, !dbg !100
  br i1 %14, label %15, label %20, !dbg !100

15:                                               ; preds = %3
  %16 = sext i32 %9 to i64
  %17 = getelementptr inbounds i32, ptr %0, i64 %16
  %18 = load i32, ptr %17, align 4, !dbg !101, !tbaa !8
  %19 = add nsw i32 %18, %13, !dbg !101
  store i32 %19, ptr %17, align 4, !dbg !101, !tbaa !8
  br label %20, !dbg !102

20:                                               ; preds = %15, %3
  %21 = icmp slt i32 %10, %2, !dbg !103
  br i1 %21, label %22, label %27, !dbg !103

22:                                               ; preds = %20
  %23 = sext i32 %10 to i64
  %24 = getelementptr inbounds i32, ptr %0, i64 %23
  %25 = load i32, ptr %24, align 4, !dbg !104, !tbaa !8
  %26 = add nsw i32 %25, %13, !dbg !104
  store i32 %26, ptr %24, align 4, !dbg !104, !tbaa !8
  br label %27, !dbg !105

27:                                               ; preds = %22, %20
  ret void, !dbg !106
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #3

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nocallback nounwind }
attributes #2 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "scan.cu", directory: ".")
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
!12 = distinct !DISubprogram(name: "scan_blocks", scope: !1, file: !1, line: 9, type: !13, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 30, column: 1, scope: !16, inlinedAt: !18)
!16 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 30, type: !13, scopeLine: 30, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!17 = !DIFile(filename: "./../common/cuda_words.h", directory: ".")
!18 = distinct !DILocation(line: 13, column: 17, scope: !12)
!19 = !DILocation(line: 32, column: 1, scope: !20, inlinedAt: !21)
!20 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 32, type: !13, scopeLine: 32, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!21 = distinct !DILocation(line: 14, column: 20, scope: !12)
!22 = !DILocation(line: 31, column: 1, scope: !23, inlinedAt: !24)
!23 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 31, type: !13, scopeLine: 31, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!24 = distinct !DILocation(line: 15, column: 25, scope: !12)
!25 = !DILocation(line: 15, column: 23, scope: !12)
!26 = !DILocation(line: 15, column: 36, scope: !12)
!27 = !DILocation(line: 15, column: 43, scope: !12)
!28 = !DILocation(line: 16, column: 28, scope: !12)
!29 = !DILocation(line: 17, column: 19, scope: !12)
!30 = !DILocation(line: 17, column: 13, scope: !12)
!31 = !DILocation(line: 17, column: 25, scope: !12)
!32 = !DILocation(line: 17, column: 3, scope: !12)
!33 = !DILocation(line: 17, column: 11, scope: !12)
!34 = !DILocation(line: 18, column: 27, scope: !12)
!35 = !DILocation(line: 18, column: 20, scope: !12)
!36 = !DILocation(line: 18, column: 33, scope: !12)
!37 = !DILocation(line: 18, column: 10, scope: !12)
!38 = !DILocation(line: 18, column: 3, scope: !12)
!39 = !DILocation(line: 18, column: 18, scope: !12)
!40 = !DILocation(line: 21, column: 3, scope: !12)
!41 = !DILocation(line: 29, column: 9, scope: !12)
!42 = !DILocation(line: 33, column: 3, scope: !12)
!43 = !DILocation(line: 22, column: 5, scope: !12)
!44 = !DILocation(line: 23, column: 11, scope: !12)
!45 = !DILocation(line: 24, column: 33, scope: !12)
!46 = !DILocation(line: 24, column: 47, scope: !12)
!47 = !DILocation(line: 25, column: 32, scope: !12)
!48 = !DILocation(line: 25, column: 17, scope: !12)
!49 = !DILocation(line: 25, column: 7, scope: !12)
!50 = !DILocation(line: 25, column: 29, scope: !12)
!51 = !DILocation(line: 26, column: 5, scope: !12)
!52 = !DILocation(line: 27, column: 14, scope: !12)
!53 = !DILocation(line: 21, column: 43, scope: !12)
!54 = !DILocation(line: 21, column: 32, scope: !12)
!55 = distinct !{!55, !40, !56, !57, !58}
!56 = !DILocation(line: 28, column: 3, scope: !12)
!57 = !{!"llvm.loop.mustprogress"}
!58 = !{!"llvm.loop.unroll.disable"}
!59 = !DILocation(line: 30, column: 24, scope: !12)
!60 = !DILocation(line: 30, column: 22, scope: !12)
!61 = !DILocation(line: 31, column: 24, scope: !12)
!62 = !DILocation(line: 32, column: 3, scope: !12)
!63 = !DILocation(line: 43, column: 3, scope: !12)
!64 = !DILocation(line: 45, column: 13, scope: !12)
!65 = !DILocation(line: 34, column: 14, scope: !12)
!66 = !DILocation(line: 35, column: 5, scope: !12)
!67 = !DILocation(line: 36, column: 11, scope: !12)
!68 = !DILocation(line: 37, column: 33, scope: !12)
!69 = !DILocation(line: 37, column: 47, scope: !12)
!70 = !DILocation(line: 38, column: 30, scope: !12)
!71 = !DILocation(line: 39, column: 30, scope: !12)
!72 = !DILocation(line: 39, column: 20, scope: !12)
!73 = !DILocation(line: 39, column: 18, scope: !12)
!74 = !DILocation(line: 40, column: 29, scope: !12)
!75 = !DILocation(line: 41, column: 5, scope: !12)
!76 = !DILocation(line: 33, column: 44, scope: !12)
!77 = !DILocation(line: 33, column: 29, scope: !12)
!78 = distinct !{!78, !42, !79, !57, !58}
!79 = !DILocation(line: 42, column: 3, scope: !12)
!80 = !DILocation(line: 46, column: 18, scope: !12)
!81 = !DILocation(line: 46, column: 16, scope: !12)
!82 = !DILocation(line: 47, column: 3, scope: !12)
!83 = !DILocation(line: 48, column: 14, scope: !12)
!84 = !DILocation(line: 49, column: 19, scope: !12)
!85 = !DILocation(line: 49, column: 17, scope: !12)
!86 = !DILocation(line: 50, column: 3, scope: !12)
!87 = !DILocation(line: 51, column: 1, scope: !12)
!88 = distinct !DISubprogram(name: "scan_add", scope: !1, file: !1, line: 53, type: !13, scopeLine: 53, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!89 = !DILocation(line: 31, column: 1, scope: !23, inlinedAt: !90)
!90 = distinct !DILocation(line: 54, column: 25, scope: !88)
!91 = !DILocation(line: 54, column: 23, scope: !88)
!92 = !DILocation(line: 32, column: 1, scope: !20, inlinedAt: !93)
!93 = distinct !DILocation(line: 54, column: 38, scope: !88)
!94 = !DILocation(line: 54, column: 36, scope: !88)
!95 = !DILocation(line: 30, column: 1, scope: !16, inlinedAt: !96)
!96 = distinct !DILocation(line: 54, column: 51, scope: !88)
!97 = !DILocation(line: 54, column: 49, scope: !88)
!98 = !DILocation(line: 55, column: 28, scope: !88)
!99 = !DILocation(line: 56, column: 22, scope: !88)
!100 = !DILocation(line: 57, column: 13, scope: !88)
!101 = !DILocation(line: 58, column: 16, scope: !88)
!102 = !DILocation(line: 59, column: 3, scope: !88)
!103 = !DILocation(line: 60, column: 14, scope: !88)
!104 = !DILocation(line: 61, column: 17, scope: !88)
!105 = !DILocation(line: 62, column: 3, scope: !88)
!106 = !DILocation(line: 63, column: 1, scope: !88)
