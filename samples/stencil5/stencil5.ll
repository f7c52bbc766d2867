; ModuleID = 'stencil5.cu'
source_filename = "stencil5.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ8stencil5E4tile = internal unnamed_addr addrspace(3) global [10 x [34 x float]] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @stencil5(ptr noalias noundef readonly captures(none) %0, ptr noalias noundef writeonly captures(none) %1, i32 noundef %2, i32 noundef %3, float noundef %4, float noundef %5) local_unnamed_addr #0 !dbg !12 {
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !15
  %8 = shl i32 %7, 5, !dbg !19
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !20
  %10 = add i32 %8, %9, !dbg !23
  %11 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y(), !dbg !24
  %12 = shl nuw nsw i32 %11, 3, !dbg !27
  %13 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y(), !dbg !28
  %14 = add nuw nsw i32 %12, %13, !dbg !31
  %15 = add nuw nsw i32 %9, 1, !dbg !32
  %16 = add nuw nsw i32 %13, 1, !dbg !33
  %17 = icmp slt i32 %10, 0, !dbg !34
  %18 = add nsw i32 %2, -1, !dbg !37
  %19 = tail call i32 @llvm.smin.i32(i32 %10, i32 %18), !dbg !37
  %20 = select i1 %17, i32 0, i32 %19, !dbg !37
  %21 = add nsw i32 %3, -1, !dbg !38
  %22 = tail call i32 @llvm.smin.i32(i32 %14, i32 %21), !dbg !38
  %23 = mul nsw i32 %22, %2, !dbg !40
  %24 = add nsw i32 %23, %20, !dbg !41
  %25 = sext i32 %24 to i64, !dbg !42
  %26 = getelementptr inbounds float, ptr %0, i64 %25, !dbg !42
  %27 = load float, ptr %26, align 4, !dbg !42, !tbaa !43
  %28 = zext nneg i32 %16 to i64, !dbg !45
  %29 = getelementptr inbounds nuw [34 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ8stencil5E4tile to ptr), i64 %28, !dbg !45
  %30 = zext nneg i32 %15 to i64, !dbg !45
  %31 = getelementptr inbounds nuw float, ptr %29, i64 %30, !dbg !45
  store float %27, ptr %31, align 4, !dbg !46, !tbaa !43
  %32 = icmp eq i32 %9, 0, !dbg !47
  br i1 %32, label %33, label %42, !dbg !47

33:                                               ; preds = %6
  %34 = icmp sgt i32 %10, 0
  %35 = add nsw i32 %10, -1
  %36 = tail call i32 @llvm.smin.i32(i32 %35, i32 %18)
  %37 = select i1 %34, i32 %36, i32 0
  %38 = add nsw i32 %23, %37
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds float, ptr %0, i64 %39
  %41 = load float, ptr %40, align 4, !dbg !48, !tbaa !43
  store float %41, ptr %29, align 4, !dbg !49, !tbaa !43
  br label %42, !dbg !50

42:                                               ; preds = %33, %6
  %43 = icmp eq i32 %15, 32, !dbg !51
  br i1 %43, label %44, label %54, !dbg !51

44:                                               ; preds = %42
  %45 = getelementptr inbounds nuw i8, ptr %29, i64 132
  %46 = icmp slt i32 %10, -1
  %47 = add nsw i32 %10, 1
  %48 = tail call i32 @llvm.smin.i32(i32 %47, i32 %18)
  %49 = select i1 %46, i32 0, i32 %48
  %50 = add nsw i32 %23, %49
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds float, ptr %0, i64 %51
  %53 = load float, ptr %52, align 4, !dbg !52, !tbaa !43
  store float %53, ptr %45, align 4, !dbg !53, !tbaa !43
  br label %54, !dbg !54

54:                                               ; preds = %44, %42
  %55 = icmp eq i32 %13, 0, !dbg !55
  br i1 %55, label %56, label %67, !dbg !55

56:                                               ; preds = %54
  %57 = add nsw i32 %14, -1, !dbg !56
  %58 = icmp eq i32 %14, 0, !dbg !57
  %59 = tail call i32 @llvm.smin.i32(i32 %57, i32 %21), !dbg !59
  %60 = select i1 %58, i32 0, i32 %59, !dbg !59
  %61 = mul nsw i32 %60, %2, !dbg !60
  %62 = add nsw i32 %61, %20, !dbg !61
  %63 = sext i32 %62 to i64, !dbg !62
  %64 = getelementptr inbounds float, ptr %0, i64 %63, !dbg !62
  %65 = load float, ptr %64, align 4, !dbg !62, !tbaa !43
  %66 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ8stencil5E4tile to ptr), i64 %30, !dbg !63
  store float %65, ptr %66, align 4, !dbg !64, !tbaa !43
  br label %67, !dbg !65

67:                                               ; preds = %56, %54
  %68 = icmp eq i32 %16, 8, !dbg !66
  br i1 %68, label %69, label %78, !dbg !66

69:                                               ; preds = %67
  %70 = getelementptr inbounds nuw float, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ8stencil5E4tile to ptr), i64 1224), i64 %30
  %71 = add nuw nsw i32 %14, 1
  %72 = tail call i32 @llvm.smin.i32(i32 %71, i32 %21)
  %73 = mul nsw i32 %72, %2
  %74 = add nsw i32 %73, %20
  %75 = sext i32 %74 to i64
  %76 = getelementptr inbounds float, ptr %0, i64 %75
  %77 = load float, ptr %76, align 4, !dbg !67, !tbaa !43
  store float %77, ptr %70, align 4, !dbg !68, !tbaa !43
  br label %78, !dbg !69

78:                                               ; preds = %69, %67
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !70
  %79 = icmp slt i32 %10, %2, !dbg !71
  %80 = icmp slt i32 %14, %3
  %81 = and i1 %79, %80, !dbg !72
  br i1 %81, label %82, label %106, !dbg !72

82:                                               ; preds = %78
  %83 = zext nneg i32 %13 to i64, !dbg !73
  %84 = getelementptr inbounds nuw [34 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ8stencil5E4tile to ptr), i64 %83, !dbg !73
  %85 = getelementptr inbounds nuw float, ptr %84, i64 %30, !dbg !73
  %86 = load float, ptr %85, align 4, !dbg !73, !tbaa !43
  %87 = getelementptr inbounds nuw i8, ptr %84, i64 272, !dbg !74
  %88 = getelementptr inbounds nuw float, ptr %87, i64 %30, !dbg !74
  %89 = load float, ptr %88, align 4, !dbg !74, !tbaa !43
  %90 = fadd contract float %86, %89, !dbg !75
  %91 = zext nneg i32 %9 to i64, !dbg !76
  %92 = getelementptr inbounds nuw float, ptr %29, i64 %91, !dbg !76
  %93 = load float, ptr %92, align 4, !dbg !76, !tbaa !43
  %94 = fadd contract float %90, %93, !dbg !77
  %95 = getelementptr inbounds nuw i8, ptr %92, i64 8, !dbg !78
  %96 = load float, ptr %95, align 4, !dbg !78, !tbaa !43
  %97 = fadd contract float %94, %96, !dbg !79
  %98 = load float, ptr %31, align 4, !dbg !80, !tbaa !43
  %99 = fmul contract float %4, %98, !dbg !81
  %100 = fmul contract float %5, %97, !dbg !82
  %101 = fadd contract float %99, %100, !dbg !83
  %102 = mul nsw i32 %2, %14, !dbg !84
  %103 = add nsw i32 %102, %10, !dbg !85
  %104 = sext i32 %103 to i64, !dbg !86
  %105 = getelementptr inbounds float, ptr %1, i64 %104, !dbg !86
  store float %101, ptr %105, align 4, !dbg !87, !tbaa !43
  br label %106, !dbg !88

106:                                              ; preds = %82, %78
  ret void, !dbg !89
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #3

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nocallback nounwind }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "stencil5.cu", directory: ".")
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
!12 = distinct !DISubprogram(name: "stencil5", scope: !1, file: !1, line: 13, type: !13, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 31, column: 1, scope: !16, inlinedAt: !18)
!16 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 31, type: !13, scopeLine: 31, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!17 = !DIFile(filename: "./../common/cuda_words.h", directory: ".")
!18 = distinct !DILocation(line: 17, column: 17, scope: !12)
!19 = !DILocation(line: 17, column: 28, scope: !12)
!20 = !DILocation(line: 30, column: 1, scope: !21, inlinedAt: !22)
!21 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 30, type: !13, scopeLine: 30, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = distinct !DILocation(line: 17, column: 40, scope: !12)
!23 = !DILocation(line: 17, column: 38, scope: !12)
!24 = !DILocation(line: 31, column: 1, scope: !25, inlinedAt: !26)
!25 = distinct !DISubprogram(name: "read_y", scope: !17, file: !17, line: 31, type: !13, scopeLine: 31, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!26 = distinct !DILocation(line: 18, column: 17, scope: !12)
!27 = !DILocation(line: 18, column: 28, scope: !12)
!28 = !DILocation(line: 30, column: 1, scope: !29, inlinedAt: !30)
!29 = distinct !DISubprogram(name: "read_y", scope: !17, file: !17, line: 30, type: !13, scopeLine: 30, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!30 = distinct !DILocation(line: 18, column: 40, scope: !12)
!31 = !DILocation(line: 18, column: 38, scope: !12)
!32 = !DILocation(line: 19, column: 30, scope: !12)
!33 = !DILocation(line: 20, column: 30, scope: !12)
!34 = !DILocation(line: 10, column: 12, scope: !35, inlinedAt: !36)
!35 = distinct !DISubprogram(name: "clamp_index", scope: !1, file: !1, line: 9, type: !13, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!36 = distinct !DILocation(line: 21, column: 22, scope: !12)
!37 = !DILocation(line: 10, column: 10, scope: !35, inlinedAt: !36)
!38 = !DILocation(line: 10, column: 10, scope: !35, inlinedAt: !39)
!39 = distinct !DILocation(line: 22, column: 19, scope: !12)
!40 = !DILocation(line: 24, column: 25, scope: !12)
!41 = !DILocation(line: 24, column: 33, scope: !12)
!42 = !DILocation(line: 24, column: 18, scope: !12)
!43 = !{!44, !44, i64 0}
!44 = !{!"float", !10, i64 0}
!45 = !DILocation(line: 24, column: 3, scope: !12)
!46 = !DILocation(line: 24, column: 16, scope: !12)
!47 = !DILocation(line: 25, column: 10, scope: !12)
!48 = !DILocation(line: 26, column: 19, scope: !12)
!49 = !DILocation(line: 26, column: 17, scope: !12)
!50 = !DILocation(line: 27, column: 3, scope: !12)
!51 = !DILocation(line: 28, column: 10, scope: !12)
!52 = !DILocation(line: 29, column: 29, scope: !12)
!53 = !DILocation(line: 29, column: 27, scope: !12)
!54 = !DILocation(line: 30, column: 3, scope: !12)
!55 = !DILocation(line: 31, column: 10, scope: !12)
!56 = !DILocation(line: 32, column: 36, scope: !12)
!57 = !DILocation(line: 10, column: 12, scope: !35, inlinedAt: !58)
!58 = distinct !DILocation(line: 32, column: 22, scope: !12)
!59 = !DILocation(line: 10, column: 10, scope: !35, inlinedAt: !58)
!60 = !DILocation(line: 32, column: 49, scope: !12)
!61 = !DILocation(line: 32, column: 57, scope: !12)
!62 = !DILocation(line: 32, column: 19, scope: !12)
!63 = !DILocation(line: 32, column: 5, scope: !12)
!64 = !DILocation(line: 32, column: 17, scope: !12)
!65 = !DILocation(line: 33, column: 3, scope: !12)
!66 = !DILocation(line: 34, column: 10, scope: !12)
!67 = !DILocation(line: 35, column: 29, scope: !12)
!68 = !DILocation(line: 35, column: 27, scope: !12)
!69 = !DILocation(line: 36, column: 3, scope: !12)
!70 = !DILocation(line: 37, column: 3, scope: !12)
!71 = !DILocation(line: 39, column: 9, scope: !12)
!72 = !DILocation(line: 39, column: 17, scope: !12)
!73 = !DILocation(line: 40, column: 26, scope: !12)
!74 = !DILocation(line: 40, column: 45, scope: !12)
!75 = !DILocation(line: 40, column: 43, scope: !12)
!76 = !DILocation(line: 40, column: 64, scope: !12)
!77 = !DILocation(line: 40, column: 62, scope: !12)
!78 = !DILocation(line: 40, column: 83, scope: !12)
!79 = !DILocation(line: 40, column: 81, scope: !12)
!80 = !DILocation(line: 41, column: 35, scope: !12)
!81 = !DILocation(line: 41, column: 33, scope: !12)
!82 = !DILocation(line: 41, column: 60, scope: !12)
!83 = !DILocation(line: 41, column: 48, scope: !12)
!84 = !DILocation(line: 41, column: 11, scope: !12)
!85 = !DILocation(line: 41, column: 19, scope: !12)
!86 = !DILocation(line: 41, column: 5, scope: !12)
!87 = !DILocation(line: 41, column: 24, scope: !12)
!88 = !DILocation(line: 42, column: 3, scope: !12)
!89 = !DILocation(line: 43, column: 1, scope: !12)
