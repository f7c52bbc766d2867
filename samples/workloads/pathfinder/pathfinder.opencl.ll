; ModuleID = 'pathfinder.cl'
source_filename = "pathfinder.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@dynproc.above = internal unnamed_addr addrspace(3) global [256 x i32] undef, align 4
@dynproc.sums = internal unnamed_addr addrspace(3) global [256 x i32] undef, align 4

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @dynproc(i32 noundef %0, ptr addrspace(1) noundef readonly align 4 captures(none) %1, ptr addrspace(1) noundef readonly align 4 captures(none) %2, ptr addrspace(1) noundef writeonly align 4 captures(none) %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_dynproc(i32 noundef %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, ptr addrspace(1) noundef align 4 %3, i32 noundef %4, i32 noundef %5) #4, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_dynproc(i32 noundef %0, ptr addrspace(1) noundef readonly align 4 captures(none) %1, ptr addrspace(1) noundef readonly align 4 captures(none) %2, ptr addrspace(1) noundef writeonly align 4 captures(none) %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %7 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #5, !dbg !22
  %8 = trunc i64 %7 to i32, !dbg !22
  %9 = shl nsw i32 %0, 1, !dbg !23
  %10 = sub nsw i32 256, %9, !dbg !24
  %11 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #5, !dbg !25
  %12 = trunc i64 %11 to i32, !dbg !26
  %13 = mul nsw i32 %10, %12, !dbg !27
  %14 = sub i32 %8, %0, !dbg !28
  %15 = add i32 %14, %13, !dbg !29
  %16 = icmp sgt i32 %15, 0, !dbg !30
  %17 = icmp sle i32 %15, %4
  %18 = and i1 %16, %17, !dbg !33
  %19 = sext i1 %18 to i64, !dbg !33
  %20 = add i64 %7, %19, !dbg !33
  %21 = add nsw i32 %15, 1, !dbg !34
  %22 = icmp sgt i32 %15, -2, !dbg !36
  %23 = icmp slt i32 %21, %4
  %24 = and i1 %22, %23, !dbg !37
  %25 = zext i1 %24 to i64, !dbg !37
  %26 = add i64 %7, %25, !dbg !37
  %27 = icmp sgt i32 %15, -1, !dbg !38
  %28 = icmp slt i32 %15, %4, !dbg !39
  %29 = and i1 %27, %28, !dbg !39
  %30 = shl i64 %7, 32
  %31 = ashr exact i64 %30, 30
  br i1 %29, label %32, label %37, !dbg !40

32:                                               ; preds = %6
  %33 = getelementptr inbounds i8, ptr addrspace(3) @dynproc.above, i64 %31
  %34 = zext nneg i32 %15 to i64
  %35 = getelementptr inbounds nuw i32, ptr addrspace(1) %2, i64 %34
  %36 = load i32, ptr addrspace(1) %35, align 4, !dbg !41, !tbaa !8
  store i32 %36, ptr addrspace(3) %33, align 4, !dbg !42, !tbaa !8
  br label %37, !dbg !43

37:                                               ; preds = %6, %32
  tail call void @_Z7barrierj(i32 noundef 1) #4, !dbg !44
  %38 = mul nsw i32 %5, %4, !dbg !45
  %39 = sext i32 %38 to i64, !dbg !46
  %40 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %39, !dbg !46
  %41 = sext i32 %15 to i64, !dbg !47
  %42 = getelementptr inbounds i32, ptr addrspace(1) %40, i64 %41, !dbg !47
  %43 = ashr exact i64 %30, 32
  %44 = getelementptr inbounds i32, ptr addrspace(3) @dynproc.above, i64 %43
  %45 = shl i64 %20, 32
  %46 = ashr exact i64 %45, 30
  %47 = getelementptr inbounds i8, ptr addrspace(3) @dynproc.above, i64 %46
  %48 = shl i64 %26, 32
  %49 = ashr exact i64 %48, 30
  %50 = getelementptr inbounds i8, ptr addrspace(3) @dynproc.above, i64 %49
  %51 = getelementptr inbounds i32, ptr addrspace(3) @dynproc.sums, i64 %43
  %52 = add nsw i32 %0, -1
  %53 = getelementptr inbounds nuw i32, ptr addrspace(1) %3, i64 %41
  %54 = getelementptr inbounds i8, ptr addrspace(3) @dynproc.sums, i64 %31
  %55 = sext i32 %4 to i64
  br label %56, !dbg !48

56:                                               ; preds = %82, %37
  %57 = phi i32 [ 0, %37 ], [ %83, %82 ], !dbg !49
  %58 = phi ptr addrspace(1) [ %42, %37 ], [ %84, %82 ], !dbg !50
  %59 = icmp slt i32 %57, %8, !dbg !51
  %60 = sub nsw i32 255, %57, !dbg !54
  %61 = icmp sgt i32 %60, %8, !dbg !54
  %62 = select i1 %59, i1 %61, i1 false, !dbg !54
  %63 = and i1 %29, %62, !dbg !55
  br i1 %63, label %64, label %72, !dbg !56

64:                                               ; preds = %56
  %65 = load i32, ptr addrspace(1) %58, align 4, !dbg !57, !tbaa !8
  %66 = load i32, ptr addrspace(3) %44, align 4, !dbg !58, !tbaa !8
  %67 = load i32, ptr addrspace(3) %47, align 4, !dbg !59, !tbaa !8
  %68 = load i32, ptr addrspace(3) %50, align 4, !dbg !60, !tbaa !8
  %69 = tail call i32 @_Z3minii(i32 noundef %67, i32 noundef %68) #5, !dbg !61
  %70 = tail call i32 @_Z3minii(i32 noundef %66, i32 noundef %69) #5, !dbg !62
  %71 = add nsw i32 %70, %65, !dbg !63
  store i32 %71, ptr addrspace(3) %51, align 4, !dbg !64, !tbaa !8
  br label %72, !dbg !65

72:                                               ; preds = %64, %56
  tail call void @_Z7barrierj(i32 noundef 1) #4, !dbg !66
  %73 = icmp eq i32 %57, %52, !dbg !67
  br i1 %73, label %74, label %77, !dbg !67

74:                                               ; preds = %72
  br i1 %63, label %75, label %81, !dbg !68

75:                                               ; preds = %74
  %76 = load i32, ptr addrspace(3) %54, align 4, !dbg !69, !tbaa !8
  store i32 %76, ptr addrspace(1) %53, align 4, !dbg !70, !tbaa !8
  br label %81, !dbg !71

77:                                               ; preds = %72
  br i1 %63, label %78, label %80, !dbg !72

78:                                               ; preds = %77
  %79 = load i32, ptr addrspace(3) %51, align 4, !dbg !73, !tbaa !8
  store i32 %79, ptr addrspace(3) %44, align 4, !dbg !74, !tbaa !8
  br label %80, !dbg !75

80:                                               ; preds = %78, %77
  tail call void @_Z7barrierj(i32 noundef 1) #4, !dbg !76
  br label %81, !dbg !77

81:                                               ; preds = %74, %75, %80
  br i1 %73, label %85, label %82

82:                                               ; preds = %81
  %83 = add nuw nsw i32 %57, 1, !dbg !78
  %84 = getelementptr inbounds i32, ptr addrspace(1) %58, i64 %55, !dbg !79
  br label %56, !dbg !80, !llvm.loop !81

85:                                               ; preds = %81
  ret void, !dbg !82
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #3

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i32 @_Z3minii(i32 noundef, i32 noundef) local_unnamed_addr #2

attributes #0 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #3 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { convergent nounwind }
attributes #5 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "pathfinder.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "dynproc", scope: !1, file: !1, line: 21, type: !13, scopeLine: 22, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 0, i32 1, i32 1, i32 1, i32 0, i32 0}
!16 = !{!"none", !"none", !"none", !"none", !"none", !"none"}
!17 = !{!"int", !"int*", !"int*", !"int*", !"int", !"int"}
!18 = !{!"", !"const", !"const", !"", !"", !""}
!19 = !DILocation(line: 22, column: 72, scope: !12)
!20 = !DILocation(line: 51, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "dynproc", scope: !1, file: !1, line: 21, type: !13, scopeLine: 22, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 26, column: 20, scope: !21)
!23 = !DILocation(line: 27, column: 32, scope: !21)
!24 = !DILocation(line: 27, column: 28, scope: !21)
!25 = !DILocation(line: 28, column: 36, scope: !21)
!26 = !DILocation(line: 28, column: 31, scope: !21)
!27 = !DILocation(line: 28, column: 29, scope: !21)
!28 = !DILocation(line: 28, column: 52, scope: !21)
!29 = !DILocation(line: 28, column: 59, scope: !21)
!30 = !DILocation(line: 13, column: 12, scope: !31, inlinedAt: !32)
!31 = distinct !DISubprogram(name: "beside", scope: !1, file: !1, line: 11, type: !13, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!32 = distinct !DILocation(line: 29, column: 20, scope: !21)
!33 = !DILocation(line: 13, column: 21, scope: !31, inlinedAt: !32)
!34 = !DILocation(line: 12, column: 28, scope: !31, inlinedAt: !35)
!35 = distinct !DILocation(line: 30, column: 21, scope: !21)
!36 = !DILocation(line: 13, column: 12, scope: !31, inlinedAt: !35)
!37 = !DILocation(line: 13, column: 21, scope: !31, inlinedAt: !35)
!38 = !DILocation(line: 31, column: 26, scope: !21)
!39 = !DILocation(line: 31, column: 36, scope: !21)
!40 = !DILocation(line: 32, column: 7, scope: !21)
!41 = !DILocation(line: 33, column: 19, scope: !21)
!42 = !DILocation(line: 33, column: 17, scope: !21)
!43 = !DILocation(line: 33, column: 5, scope: !21)
!44 = !DILocation(line: 34, column: 3, scope: !21)
!45 = !DILocation(line: 36, column: 48, scope: !21)
!46 = !DILocation(line: 36, column: 36, scope: !21)
!47 = !DILocation(line: 36, column: 58, scope: !21)
!48 = !DILocation(line: 37, column: 8, scope: !21)
!49 = !DILocation(line: 37, scope: !21)
!50 = !DILocation(line: 0, scope: !21)
!51 = !DILocation(line: 17, column: 61, scope: !52, inlinedAt: !53)
!52 = distinct !DISubprogram(name: "is_inner", scope: !1, file: !1, line: 17, type: !13, scopeLine: 17, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!53 = distinct !DILocation(line: 38, column: 37, scope: !21)
!54 = !DILocation(line: 17, column: 68, scope: !52, inlinedAt: !53)
!55 = !DILocation(line: 38, column: 35, scope: !21)
!56 = !DILocation(line: 39, column: 9, scope: !21)
!57 = !DILocation(line: 40, column: 20, scope: !21)
!58 = !DILocation(line: 40, column: 32, scope: !21)
!59 = !DILocation(line: 40, column: 49, scope: !21)
!60 = !DILocation(line: 40, column: 62, scope: !21)
!61 = !DILocation(line: 40, column: 45, scope: !21)
!62 = !DILocation(line: 40, column: 28, scope: !21)
!63 = !DILocation(line: 40, column: 26, scope: !21)
!64 = !DILocation(line: 40, column: 18, scope: !21)
!65 = !DILocation(line: 40, column: 7, scope: !21)
!66 = !DILocation(line: 41, column: 5, scope: !21)
!67 = !DILocation(line: 42, column: 13, scope: !21)
!68 = !DILocation(line: 43, column: 11, scope: !21)
!69 = !DILocation(line: 44, column: 25, scope: !21)
!70 = !DILocation(line: 44, column: 23, scope: !21)
!71 = !DILocation(line: 44, column: 9, scope: !21)
!72 = !DILocation(line: 47, column: 9, scope: !21)
!73 = !DILocation(line: 48, column: 21, scope: !21)
!74 = !DILocation(line: 48, column: 19, scope: !21)
!75 = !DILocation(line: 48, column: 7, scope: !21)
!76 = !DILocation(line: 49, column: 5, scope: !21)
!77 = !DILocation(line: 50, column: 3, scope: !21)
!78 = !DILocation(line: 37, column: 22, scope: !21)
!79 = !DILocation(line: 37, column: 34, scope: !21)
!80 = !DILocation(line: 37, column: 3, scope: !21)
!81 = distinct !{!81, !80, !77}
!82 = !DILocation(line: 51, column: 1, scope: !21)
