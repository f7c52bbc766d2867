; ModuleID = 'kmeans.cl'
source_filename = "kmeans.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @kmeans_swap(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_kmeans_swap(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2, i32 noundef %3) #5, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_kmeans_swap(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %5 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #6, !dbg !22
  %6 = trunc i64 %5 to i32, !dbg !22
  %7 = icmp sgt i32 %2, %6, !dbg !23
  %8 = icmp sgt i32 %3, 0
  %9 = and i1 %7, %8, !dbg !23
  br i1 %9, label %10, label %52, !dbg !23

10:                                               ; preds = %4
  %11 = mul nsw i32 %3, %6
  %12 = and i32 %3, 1, !dbg !24
  %13 = icmp eq i32 %3, 1, !dbg !24
  br i1 %13, label %41, label %14, !dbg !24

14:                                               ; preds = %10
  %15 = and i32 %3, 2147483646, !dbg !24
  br label %16, !dbg !24

16:                                               ; preds = %16, %14
  %17 = phi i32 [ 0, %14 ], [ %36, %16 ]
  %18 = phi i32 [ 0, %14 ], [ %37, %16 ]
  %19 = add nsw i32 %17, %11, !dbg !25
  %20 = sext i32 %19 to i64, !dbg !26
  %21 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %20, !dbg !26
  %22 = load float, ptr addrspace(1) %21, align 4, !dbg !26, !tbaa !27
  %23 = mul nsw i32 %17, %2, !dbg !29
  %24 = add nsw i32 %23, %6, !dbg !30
  %25 = sext i32 %24 to i64, !dbg !31
  %26 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %25, !dbg !31
  store float %22, ptr addrspace(1) %26, align 4, !dbg !32, !tbaa !27
  %27 = or disjoint i32 %17, 1, !dbg !33
  %28 = add nsw i32 %27, %11, !dbg !25
  %29 = sext i32 %28 to i64, !dbg !26
  %30 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %29, !dbg !26
  %31 = load float, ptr addrspace(1) %30, align 4, !dbg !26, !tbaa !27
  %32 = mul nsw i32 %27, %2, !dbg !29
  %33 = add nsw i32 %32, %6, !dbg !30
  %34 = sext i32 %33 to i64, !dbg !31
  %35 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %34, !dbg !31
  store float %31, ptr addrspace(1) %35, align 4, !dbg !32, !tbaa !27
  %36 = add nuw nsw i32 %17, 2, !dbg !33
  %37 = add i32 %18, 2, !dbg !24
  %38 = icmp eq i32 %37, %15, !dbg !24
  br i1 %38, label %39, label %16, !dbg !24, !llvm.loop !34

39:                                               ; preds = %16
  %40 = icmp eq i32 %12, 0, !dbg !24
  br i1 %40, label %52, label %41, !dbg !24

41:                                               ; preds = %39, %10
  %42 = phi i32 [ 0, %10 ], [ %36, %39 ]
  %43 = icmp ne i32 %12, 0, !dbg !24
  tail call void @llvm.assume(i1 %43), !dbg !24
  %44 = add nsw i32 %42, %11, !dbg !25
  %45 = sext i32 %44 to i64, !dbg !26
  %46 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %45, !dbg !26
  %47 = load float, ptr addrspace(1) %46, align 4, !dbg !26, !tbaa !27
  %48 = mul nsw i32 %42, %2, !dbg !29
  %49 = add nsw i32 %48, %6, !dbg !30
  %50 = sext i32 %49 to i64, !dbg !31
  %51 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %50, !dbg !31
  store float %47, ptr addrspace(1) %51, align 4, !dbg !32, !tbaa !27
  br label %52, !dbg !36

52:                                               ; preds = %41, %39, %4
  ret void, !dbg !36
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @kmeans_c(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %5) local_unnamed_addr #0 !dbg !37 !kernel_arg_addr_space !38 !kernel_arg_access_qual !39 !kernel_arg_type !40 !kernel_arg_base_type !40 !kernel_arg_type_qual !41 {
  tail call void @__clang_ocl_kern_imp_kmeans_c(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(1) noundef align 4 %5) #5, !dbg !42
  ret void, !dbg !43
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_kmeans_c(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %5) local_unnamed_addr #1 !dbg !44 !kernel_arg_addr_space !38 !kernel_arg_access_qual !39 !kernel_arg_type !40 !kernel_arg_base_type !40 !kernel_arg_type_qual !41 {
  %7 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #6, !dbg !45
  %8 = tail call i64 @_Z14get_num_groupsj(i32 noundef 0) #6, !dbg !46
  %9 = mul i64 %8, %7, !dbg !47
  %10 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #6, !dbg !48
  %11 = add i64 %9, %10, !dbg !49
  %12 = tail call i64 @_Z14get_local_sizej(i32 noundef 0) #6, !dbg !50
  %13 = mul i64 %11, %12, !dbg !51
  %14 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #6, !dbg !52
  %15 = add i64 %13, %14, !dbg !53
  %16 = trunc i64 %15 to i32, !dbg !54
  %17 = icmp sgt i32 %2, %16, !dbg !55
  br i1 %17, label %18, label %90, !dbg !55

18:                                               ; preds = %6
  %19 = icmp sgt i32 %3, 0, !dbg !56
  br i1 %19, label %20, label %33, !dbg !57

20:                                               ; preds = %18
  %21 = icmp sgt i32 %4, 0
  %22 = and i32 %4, 1
  %23 = icmp eq i32 %4, 1
  %24 = and i32 %4, 2147483646
  %25 = icmp eq i32 %22, 0
  %26 = icmp ne i32 %22, 0
  br label %27, !dbg !57

27:                                               ; preds = %20, %53
  %28 = phi i32 [ -1, %20 ], [ %57, %53 ]
  %29 = phi i32 [ 0, %20 ], [ %58, %53 ]
  %30 = phi float [ 0x47EFFFFFE0000000, %20 ], [ %56, %53 ]
  br i1 %21, label %31, label %53, !dbg !58

31:                                               ; preds = %27
  %32 = mul nuw nsw i32 %29, %4
  br i1 %23, label %39, label %60, !dbg !58

33:                                               ; preds = %53, %18
  %34 = phi i32 [ -1, %18 ], [ %57, %53 ], !dbg !59
  %35 = shl i64 %15, 32, !dbg !60
  %36 = ashr exact i64 %35, 30, !dbg !60
  %37 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %36, !dbg !60
  store i32 %34, ptr addrspace(1) %37, align 4, !dbg !61, !tbaa !8
  br label %90, !dbg !62

38:                                               ; preds = %60
  br i1 %25, label %53, label %39, !dbg !58

39:                                               ; preds = %38, %31
  %40 = phi i32 [ 0, %31 ], [ %87, %38 ]
  %41 = phi float [ 0.000000e+00, %31 ], [ %86, %38 ]
  tail call void @llvm.assume(i1 %26), !dbg !58
  %42 = mul nsw i32 %40, %2, !dbg !63
  %43 = add nsw i32 %42, %16, !dbg !64
  %44 = sext i32 %43 to i64, !dbg !65
  %45 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %44, !dbg !65
  %46 = load float, ptr addrspace(1) %45, align 4, !dbg !65, !tbaa !27
  %47 = add nuw nsw i32 %40, %32, !dbg !66
  %48 = zext nneg i32 %47 to i64, !dbg !67
  %49 = getelementptr inbounds nuw float, ptr addrspace(1) %5, i64 %48, !dbg !67
  %50 = load float, ptr addrspace(1) %49, align 4, !dbg !67, !tbaa !27
  %51 = fsub float %46, %50, !dbg !68
  %52 = tail call float @llvm.fmuladd.f32(float %51, float %51, float %41), !dbg !69
  br label %53, !dbg !70

53:                                               ; preds = %39, %38, %27
  %54 = phi float [ 0.000000e+00, %27 ], [ %86, %38 ], [ %52, %39 ], !dbg !59
  %55 = fcmp olt float %54, %30, !dbg !70
  %56 = select i1 %55, float %54, float %30, !dbg !70
  %57 = select i1 %55, i32 %29, i32 %28, !dbg !70
  %58 = add nuw nsw i32 %29, 1, !dbg !71
  %59 = icmp eq i32 %58, %3, !dbg !56
  br i1 %59, label %33, label %27, !dbg !57, !llvm.loop !72

60:                                               ; preds = %31, %60
  %61 = phi i32 [ %87, %60 ], [ 0, %31 ]
  %62 = phi float [ %86, %60 ], [ 0.000000e+00, %31 ]
  %63 = phi i32 [ %88, %60 ], [ 0, %31 ]
  %64 = mul nsw i32 %61, %2, !dbg !63
  %65 = add nsw i32 %64, %16, !dbg !64
  %66 = sext i32 %65 to i64, !dbg !65
  %67 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %66, !dbg !65
  %68 = load float, ptr addrspace(1) %67, align 4, !dbg !65, !tbaa !27
  %69 = add nuw nsw i32 %61, %32, !dbg !66
  %70 = zext nneg i32 %69 to i64, !dbg !67
  %71 = getelementptr inbounds nuw float, ptr addrspace(1) %5, i64 %70, !dbg !67
  %72 = load float, ptr addrspace(1) %71, align 4, !dbg !67, !tbaa !27
  %73 = fsub float %68, %72, !dbg !68
  %74 = tail call float @llvm.fmuladd.f32(float %73, float %73, float %62), !dbg !69
  %75 = or disjoint i32 %61, 1, !dbg !74
  %76 = mul nsw i32 %75, %2, !dbg !63
  %77 = add nsw i32 %76, %16, !dbg !64
  %78 = sext i32 %77 to i64, !dbg !65
  %79 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %78, !dbg !65
  %80 = load float, ptr addrspace(1) %79, align 4, !dbg !65, !tbaa !27
  %81 = add nuw nsw i32 %75, %32, !dbg !66
  %82 = zext nneg i32 %81 to i64, !dbg !67
  %83 = getelementptr inbounds nuw float, ptr addrspace(1) %5, i64 %82, !dbg !67
  %84 = load float, ptr addrspace(1) %83, align 4, !dbg !67, !tbaa !27
  %85 = fsub float %80, %84, !dbg !68
  %86 = tail call float @llvm.fmuladd.f32(float %85, float %85, float %74), !dbg !69
  %87 = add nuw nsw i32 %61, 2, !dbg !74
  %88 = add i32 %63, 2, !dbg !58
  %89 = icmp eq i32 %88, %24, !dbg !58
  br i1 %89, label %38, label %60, !dbg !58, !llvm.loop !75

90:                                               ; preds = %33, %6
  ret void, !dbg !77
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z14get_num_groupsj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z14get_local_sizej(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #4

attributes #0 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #3 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #5 = { convergent nounwind }
attributes #6 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "kmeans.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "kmeans_swap", scope: !1, file: !1, line: 6, type: !13, scopeLine: 7, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 0, i32 0}
!16 = !{!"none", !"none", !"none", !"none"}
!17 = !{!"float*", !"float*", !"int", !"int"}
!18 = !{!"restrict const", !"restrict", !"", !""}
!19 = !DILocation(line: 7, column: 90, scope: !12)
!20 = !DILocation(line: 14, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "kmeans_swap", scope: !1, file: !1, line: 6, type: !13, scopeLine: 7, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 8, column: 21, scope: !21)
!23 = !DILocation(line: 9, column: 13, scope: !21)
!24 = !DILocation(line: 10, column: 5, scope: !21)
!25 = !DILocation(line: 11, column: 66, scope: !21)
!26 = !DILocation(line: 11, column: 40, scope: !21)
!27 = !{!28, !28, i64 0}
!28 = !{!"float", !10, i64 0}
!29 = !DILocation(line: 11, column: 20, scope: !21)
!30 = !DILocation(line: 11, column: 29, scope: !21)
!31 = !DILocation(line: 11, column: 7, scope: !21)
!32 = !DILocation(line: 11, column: 38, scope: !21)
!33 = !DILocation(line: 10, column: 35, scope: !21)
!34 = distinct !{!34, !24, !35}
!35 = !DILocation(line: 12, column: 5, scope: !21)
!36 = !DILocation(line: 14, column: 1, scope: !21)
!37 = distinct !DISubprogram(name: "kmeans_c", scope: !1, file: !1, line: 17, type: !13, scopeLine: 19, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!38 = !{i32 1, i32 1, i32 0, i32 0, i32 0, i32 1}
!39 = !{!"none", !"none", !"none", !"none", !"none", !"none"}
!40 = !{!"float*", !"int*", !"int", !"int", !"int", !"float*"}
!41 = !{!"restrict const", !"restrict", !"", !"", !"", !"restrict const"}
!42 = !DILocation(line: 19, column: 64, scope: !37)
!43 = !DILocation(line: 38, column: 1, scope: !37)
!44 = distinct !DISubprogram(name: "kmeans_c", scope: !1, file: !1, line: 17, type: !13, scopeLine: 19, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!45 = !DILocation(line: 20, column: 21, scope: !44)
!46 = !DILocation(line: 20, column: 39, scope: !44)
!47 = !DILocation(line: 20, column: 37, scope: !44)
!48 = !DILocation(line: 20, column: 59, scope: !44)
!49 = !DILocation(line: 20, column: 57, scope: !44)
!50 = !DILocation(line: 21, column: 29, scope: !44)
!51 = !DILocation(line: 21, column: 27, scope: !44)
!52 = !DILocation(line: 21, column: 49, scope: !44)
!53 = !DILocation(line: 21, column: 47, scope: !44)
!54 = !DILocation(line: 21, column: 21, scope: !44)
!55 = !DILocation(line: 22, column: 13, scope: !44)
!56 = !DILocation(line: 25, column: 23, scope: !44)
!57 = !DILocation(line: 25, column: 5, scope: !44)
!58 = !DILocation(line: 27, column: 7, scope: !44)
!59 = !DILocation(line: 0, scope: !44)
!60 = !DILocation(line: 36, column: 5, scope: !44)
!61 = !DILocation(line: 36, column: 23, scope: !44)
!62 = !DILocation(line: 37, column: 3, scope: !44)
!63 = !DILocation(line: 28, column: 40, scope: !44)
!64 = !DILocation(line: 28, column: 49, scope: !44)
!65 = !DILocation(line: 28, column: 27, scope: !44)
!66 = !DILocation(line: 28, column: 81, scope: !44)
!67 = !DILocation(line: 28, column: 60, scope: !44)
!68 = !DILocation(line: 28, column: 58, scope: !44)
!69 = !DILocation(line: 29, column: 18, scope: !44)
!70 = !DILocation(line: 31, column: 20, scope: !44)
!71 = !DILocation(line: 25, column: 35, scope: !44)
!72 = distinct !{!72, !57, !73}
!73 = !DILocation(line: 35, column: 5, scope: !44)
!74 = !DILocation(line: 27, column: 37, scope: !44)
!75 = distinct !{!75, !58, !76}
!76 = !DILocation(line: 30, column: 7, scope: !44)
!77 = !DILocation(line: 38, column: 1, scope: !44)
