; ModuleID = 'pathfinder.cl'
source_filename = "pathfinder.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@dynproc.sum = internal unnamed_addr addrspace(3) global [256 x i32] undef, align 4
@dynproc.next = internal unnamed_addr addrspace(3) global [256 x i32] undef, align 4

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
  %14 = sub nsw i32 %13, %0, !dbg !28
  %15 = add nsw i32 %14, %8, !dbg !29
  %16 = icmp sgt i32 %15, -1, !dbg !30
  %17 = icmp slt i32 %15, %4, !dbg !31
  %18 = and i1 %16, %17, !dbg !32
  %19 = add nsw i32 %8, -1, !dbg !32
  %20 = sub nsw i32 0, %14, !dbg !33
  %21 = tail call i32 @_Z3maxii(i32 noundef %20, i32 noundef 0) #5, !dbg !34
  %22 = tail call i32 @_Z3maxii(i32 noundef %19, i32 noundef %21) #5, !dbg !35
  %23 = add nsw i32 %8, 1, !dbg !36
  %24 = sub nsw i32 %4, %14, !dbg !37
  %25 = tail call i32 @_Z3minii(i32 noundef %24, i32 noundef 256) #5, !dbg !38
  %26 = add nsw i32 %25, -1, !dbg !39
  %27 = tail call i32 @_Z3minii(i32 noundef %23, i32 noundef %26) #5, !dbg !40
  br i1 %18, label %28, label %35, !dbg !41

28:                                               ; preds = %6
  %29 = shl i64 %7, 32
  %30 = ashr exact i64 %29, 30
  %31 = getelementptr inbounds i8, ptr addrspace(3) @dynproc.sum, i64 %30
  %32 = zext nneg i32 %15 to i64
  %33 = getelementptr inbounds nuw i32, ptr addrspace(1) %2, i64 %32
  %34 = load i32, ptr addrspace(1) %33, align 4, !dbg !42, !tbaa !8
  store i32 %34, ptr addrspace(3) %31, align 4, !dbg !43, !tbaa !8
  br label %35, !dbg !44

35:                                               ; preds = %28, %6
  tail call void @_Z7barrierj(i32 noundef 1) #4, !dbg !45
  %36 = icmp slt i32 %0, 1, !dbg !46
  br i1 %36, label %81, label %37, !dbg !47

37:                                               ; preds = %35
  %38 = sext i32 %22 to i64
  %39 = getelementptr inbounds i32, ptr addrspace(3) @dynproc.sum, i64 %38
  %40 = shl i64 %7, 32
  %41 = ashr exact i64 %40, 32
  %42 = getelementptr inbounds i32, ptr addrspace(3) @dynproc.sum, i64 %41
  %43 = sext i32 %27 to i64
  %44 = getelementptr inbounds i32, ptr addrspace(3) @dynproc.sum, i64 %43
  %45 = add i32 %5, -1
  %46 = getelementptr inbounds i32, ptr addrspace(3) @dynproc.next, i64 %41
  br label %47, !dbg !47

47:                                               ; preds = %72, %37
  %48 = phi i32 [ 1, %37 ], [ %73, %72 ]
  %49 = icmp sle i32 %48, %8
  %50 = and i1 %18, %49
  %51 = sub nsw i32 256, %48
  %52 = icmp sgt i32 %51, %8
  %53 = select i1 %50, i1 %52, i1 false, !dbg !48
  br i1 %53, label %54, label %67, !dbg !49

54:                                               ; preds = %47
  %55 = load i32, ptr addrspace(3) %39, align 4, !dbg !50, !tbaa !8
  %56 = load i32, ptr addrspace(3) %42, align 4, !dbg !51, !tbaa !8
  %57 = tail call i32 @_Z3minii(i32 noundef %55, i32 noundef %56) #5, !dbg !52
  %58 = load i32, ptr addrspace(3) %44, align 4, !dbg !53, !tbaa !8
  %59 = tail call i32 @_Z3minii(i32 noundef %57, i32 noundef %58) #5, !dbg !54
  %60 = add i32 %45, %48, !dbg !55
  %61 = mul nsw i32 %60, %4, !dbg !56
  %62 = add nsw i32 %61, %15, !dbg !57
  %63 = sext i32 %62 to i64, !dbg !58
  %64 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %63, !dbg !58
  %65 = load i32, ptr addrspace(1) %64, align 4, !dbg !58, !tbaa !8
  %66 = add nsw i32 %65, %59, !dbg !59
  store i32 %66, ptr addrspace(3) %46, align 4, !dbg !60, !tbaa !8
  br label %67, !dbg !61

67:                                               ; preds = %54, %47
  tail call void @_Z7barrierj(i32 noundef 1) #4, !dbg !62
  %68 = icmp eq i32 %48, %0, !dbg !63
  br i1 %68, label %74, label %69, !dbg !63

69:                                               ; preds = %67
  br i1 %53, label %70, label %72, !dbg !64

70:                                               ; preds = %69
  %71 = load i32, ptr addrspace(3) %46, align 4, !dbg !65, !tbaa !8
  store i32 %71, ptr addrspace(3) %42, align 4, !dbg !66, !tbaa !8
  br label %72, !dbg !67

72:                                               ; preds = %70, %69
  tail call void @_Z7barrierj(i32 noundef 1) #4, !dbg !68
  %73 = add nuw nsw i32 %48, 1, !dbg !69
  br label %47, !dbg !47

74:                                               ; preds = %67
  br i1 %53, label %75, label %81, !dbg !70

75:                                               ; preds = %74
  %76 = zext nneg i32 %15 to i64
  %77 = getelementptr inbounds nuw i32, ptr addrspace(1) %3, i64 %76
  %78 = ashr exact i64 %40, 30
  %79 = getelementptr inbounds i8, ptr addrspace(3) @dynproc.next, i64 %78
  %80 = load i32, ptr addrspace(3) %79, align 4, !dbg !71, !tbaa !8
  store i32 %80, ptr addrspace(1) %77, align 4, !dbg !72, !tbaa !8
  br label %81, !dbg !73

81:                                               ; preds = %35, %75, %74
  ret void, !dbg !74
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i32 @_Z3maxii(i32 noundef, i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i32 @_Z3minii(i32 noundef, i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #3

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
!12 = distinct !DISubprogram(name: "dynproc", scope: !1, file: !1, line: 12, type: !13, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 0, i32 1, i32 1, i32 1, i32 0, i32 0}
!16 = !{!"none", !"none", !"none", !"none", !"none", !"none"}
!17 = !{!"int", !"int*", !"int*", !"int*", !"int", !"int"}
!18 = !{!"", !"const", !"const", !"", !"", !""}
!19 = !DILocation(line: 13, column: 72, scope: !12)
!20 = !DILocation(line: 51, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "dynproc", scope: !1, file: !1, line: 12, type: !13, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 17, column: 18, scope: !21)
!23 = !DILocation(line: 18, column: 39, scope: !21)
!24 = !DILocation(line: 18, column: 35, scope: !21)
!25 = !DILocation(line: 18, column: 55, scope: !21)
!26 = !DILocation(line: 18, column: 50, scope: !21)
!27 = !DILocation(line: 18, column: 48, scope: !21)
!28 = !DILocation(line: 18, column: 71, scope: !21)
!29 = !DILocation(line: 19, column: 35, scope: !21)
!30 = !DILocation(line: 20, column: 31, scope: !21)
!31 = !DILocation(line: 20, column: 36, scope: !21)
!32 = !DILocation(line: 23, column: 27, scope: !21)
!33 = !DILocation(line: 23, column: 36, scope: !21)
!34 = !DILocation(line: 23, column: 32, scope: !21)
!35 = !DILocation(line: 23, column: 20, scope: !21)
!36 = !DILocation(line: 24, column: 27, scope: !21)
!37 = !DILocation(line: 24, column: 44, scope: !21)
!38 = !DILocation(line: 24, column: 32, scope: !21)
!39 = !DILocation(line: 24, column: 67, scope: !21)
!40 = !DILocation(line: 24, column: 20, scope: !21)
!41 = !DILocation(line: 26, column: 7, scope: !21)
!42 = !DILocation(line: 27, column: 15, scope: !21)
!43 = !DILocation(line: 27, column: 13, scope: !21)
!44 = !DILocation(line: 28, column: 3, scope: !21)
!45 = !DILocation(line: 29, column: 3, scope: !21)
!46 = !DILocation(line: 32, column: 27, scope: !21)
!47 = !DILocation(line: 32, column: 3, scope: !21)
!48 = !DILocation(line: 33, column: 23, scope: !21)
!49 = !DILocation(line: 34, column: 9, scope: !21)
!50 = !DILocation(line: 35, column: 36, scope: !21)
!51 = !DILocation(line: 35, column: 47, scope: !21)
!52 = !DILocation(line: 35, column: 32, scope: !21)
!53 = !DILocation(line: 35, column: 57, scope: !21)
!54 = !DILocation(line: 35, column: 28, scope: !21)
!55 = !DILocation(line: 36, column: 53, scope: !21)
!56 = !DILocation(line: 36, column: 58, scope: !21)
!57 = !DILocation(line: 36, column: 68, scope: !21)
!58 = !DILocation(line: 36, column: 29, scope: !21)
!59 = !DILocation(line: 36, column: 27, scope: !21)
!60 = !DILocation(line: 36, column: 16, scope: !21)
!61 = !DILocation(line: 37, column: 5, scope: !21)
!62 = !DILocation(line: 38, column: 5, scope: !21)
!63 = !DILocation(line: 39, column: 14, scope: !21)
!64 = !DILocation(line: 42, column: 9, scope: !21)
!65 = !DILocation(line: 43, column: 17, scope: !21)
!66 = !DILocation(line: 43, column: 15, scope: !21)
!67 = !DILocation(line: 44, column: 5, scope: !21)
!68 = !DILocation(line: 45, column: 5, scope: !21)
!69 = !DILocation(line: 32, column: 37, scope: !21)
!70 = !DILocation(line: 48, column: 7, scope: !21)
!71 = !DILocation(line: 49, column: 21, scope: !21)
!72 = !DILocation(line: 49, column: 19, scope: !21)
!73 = !DILocation(line: 50, column: 3, scope: !21)
!74 = !DILocation(line: 51, column: 1, scope: !21)
