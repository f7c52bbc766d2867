; ModuleID = 'particlefilter.cl'
source_filename = "particlefilter.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @particle_naive(ptr addrspace(1) noalias noundef readonly align 8 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %1, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %2, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %3, ptr addrspace(1) noalias noundef writeonly align 8 captures(none) %4, ptr addrspace(1) noalias noundef writeonly align 8 captures(none) %5, i32 noundef %6) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_particle_naive(ptr addrspace(1) noundef align 8 %0, ptr addrspace(1) noundef align 8 %1, ptr addrspace(1) noundef align 8 %2, ptr addrspace(1) noundef align 8 %3, ptr addrspace(1) noundef align 8 %4, ptr addrspace(1) noundef align 8 %5, i32 noundef %6) #4, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_particle_naive(ptr addrspace(1) noalias noundef readonly align 8 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %1, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %2, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %3, ptr addrspace(1) noalias noundef writeonly align 8 captures(none) %4, ptr addrspace(1) noalias noundef writeonly align 8 captures(none) %5, i32 noundef %6) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %8 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #5, !dbg !22
  %9 = trunc i64 %8 to i32, !dbg !22
  %10 = icmp sgt i32 %6, %9, !dbg !23
  br i1 %10, label %11, label %37, !dbg !23

11:                                               ; preds = %7
  %12 = shl i64 %8, 32, !dbg !24
  %13 = ashr exact i64 %12, 32, !dbg !24
  %14 = getelementptr inbounds double, ptr addrspace(1) %3, i64 %13, !dbg !24
  %15 = load double, ptr addrspace(1) %14, align 8, !dbg !24, !tbaa !25
  %16 = icmp sgt i32 %6, 0, !dbg !27
  br i1 %16, label %17, label %26, !dbg !30

17:                                               ; preds = %11, %23
  %18 = phi i32 [ %24, %23 ], [ 0, %11 ]
  %19 = zext nneg i32 %18 to i64, !dbg !31
  %20 = getelementptr inbounds nuw double, ptr addrspace(1) %2, i64 %19, !dbg !31
  %21 = load double, ptr addrspace(1) %20, align 8, !dbg !31, !tbaa !25, !alias.scope !32
  %22 = fcmp ugt double %15, %21, !dbg !35
  br i1 %22, label %23, label %26, !dbg !35

23:                                               ; preds = %17
  %24 = add nuw nsw i32 %18, 1, !dbg !36
  %25 = icmp eq i32 %24, %6, !dbg !27
  br i1 %25, label %26, label %17, !dbg !30, !llvm.loop !37

26:                                               ; preds = %17, %23, %11
  %27 = phi i32 [ 0, %11 ], [ %6, %23 ], [ %18, %17 ], !dbg !39
  %28 = add nsw i32 %6, -1
  %29 = tail call range(i32 -2147483648, 2147483647) i32 @llvm.smin.i32(i32 %27, i32 %28)
  %30 = sext i32 %29 to i64, !dbg !40
  %31 = getelementptr inbounds double, ptr addrspace(1) %1, i64 %30, !dbg !40
  %32 = load double, ptr addrspace(1) %31, align 8, !dbg !40, !tbaa !25
  %33 = getelementptr inbounds double, ptr addrspace(1) %5, i64 %13, !dbg !41
  store double %32, ptr addrspace(1) %33, align 8, !dbg !42, !tbaa !25
  %34 = getelementptr inbounds double, ptr addrspace(1) %0, i64 %30, !dbg !43
  %35 = load double, ptr addrspace(1) %34, align 8, !dbg !43, !tbaa !25
  %36 = getelementptr inbounds double, ptr addrspace(1) %4, i64 %13, !dbg !44
  store double %35, ptr addrspace(1) %36, align 8, !dbg !45, !tbaa !25
  br label %37, !dbg !46

37:                                               ; preds = %7, %26
  ret void, !dbg !46
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #3

attributes #0 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { convergent nounwind }
attributes #5 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "particlefilter.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "particle_naive", scope: !1, file: !1, line: 18, type: !13, scopeLine: 22, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 0}
!16 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!17 = !{!"double*", !"double*", !"double*", !"double*", !"double*", !"double*", !"int"}
!18 = !{!"restrict const", !"restrict const", !"restrict const", !"restrict const", !"restrict", !"restrict", !""}
!19 = !DILocation(line: 22, column: 77, scope: !12)
!20 = !DILocation(line: 29, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "particle_naive", scope: !1, file: !1, line: 18, type: !13, scopeLine: 22, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 23, column: 19, scope: !21)
!23 = !DILocation(line: 24, column: 11, scope: !21)
!24 = !DILocation(line: 26, column: 61, scope: !21)
!25 = !{!26, !26, i64 0}
!26 = !{!"double", !10, i64 0}
!27 = !DILocation(line: 10, column: 29, scope: !28, inlinedAt: !29)
!28 = distinct !DISubprogram(name: "first_reaching", scope: !1, file: !1, line: 8, type: !13, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!29 = distinct !DILocation(line: 26, column: 21, scope: !21)
!30 = !DILocation(line: 10, column: 3, scope: !28, inlinedAt: !29)
!31 = !DILocation(line: 11, column: 17, scope: !28, inlinedAt: !29)
!32 = !{!33}
!33 = distinct !{!33, !34, !"first_reaching: argument 0"}
!34 = distinct !{!34, !"first_reaching"}
!35 = !DILocation(line: 11, column: 14, scope: !28, inlinedAt: !29)
!36 = !DILocation(line: 10, column: 39, scope: !28, inlinedAt: !29)
!37 = distinct !{!37, !30, !38}
!38 = !DILocation(line: 13, column: 3, scope: !28, inlinedAt: !29)
!39 = !DILocation(line: 10, scope: !28, inlinedAt: !29)
!40 = !DILocation(line: 27, column: 15, scope: !21)
!41 = !DILocation(line: 27, column: 3, scope: !21)
!42 = !DILocation(line: 27, column: 13, scope: !21)
!43 = !DILocation(line: 28, column: 15, scope: !21)
!44 = !DILocation(line: 28, column: 3, scope: !21)
!45 = !DILocation(line: 28, column: 13, scope: !21)
!46 = !DILocation(line: 29, column: 1, scope: !21)
