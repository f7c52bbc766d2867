; ModuleID = 'particlefilter.cl'
source_filename = "particlefilter.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @particle_naive(ptr addrspace(1) noalias noundef readonly align 8 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %1, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %2, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %3, ptr addrspace(1) noalias noundef writeonly align 8 captures(none) %4, ptr addrspace(1) noalias noundef writeonly align 8 captures(none) %5, i32 noundef %6) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_particle_naive(ptr addrspace(1) noundef align 8 %0, ptr addrspace(1) noundef align 8 %1, ptr addrspace(1) noundef align 8 %2, ptr addrspace(1) noundef align 8 %3, ptr addrspace(1) noundef align 8 %4, ptr addrspace(1) noundef align 8 %5, i32 noundef %6) #3, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_particle_naive(ptr addrspace(1) noalias noundef readonly align 8 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %1, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %2, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %3, ptr addrspace(1) noalias noundef writeonly align 8 captures(none) %4, ptr addrspace(1) noalias noundef writeonly align 8 captures(none) %5, i32 noundef %6) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %8 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #4, !dbg !22
  %9 = trunc i64 %8 to i32, !dbg !22
  %10 = icmp sgt i32 %6, %9, !dbg !23
  br i1 %10, label %11, label %40, !dbg !23

11:                                               ; preds = %7
  %12 = icmp sgt i32 %6, 0, !dbg !24
  %13 = shl i64 %8, 32
  br i1 %12, label %14, label %27, !dbg !25

14:                                               ; preds = %11
  %15 = ashr exact i64 %13, 29
  %16 = getelementptr inbounds i8, ptr addrspace(1) %3, i64 %15
  %17 = load double, ptr addrspace(1) %16, align 8, !tbaa !26
  br label %18, !dbg !25

18:                                               ; preds = %14, %24
  %19 = phi i32 [ 0, %14 ], [ %25, %24 ]
  %20 = zext nneg i32 %19 to i64, !dbg !28
  %21 = getelementptr inbounds nuw double, ptr addrspace(1) %2, i64 %20, !dbg !28
  %22 = load double, ptr addrspace(1) %21, align 8, !dbg !28, !tbaa !26
  %23 = fcmp ult double %22, %17, !dbg !29
  br i1 %23, label %24, label %27, !dbg !29

24:                                               ; preds = %18
  %25 = add nuw nsw i32 %19, 1, !dbg !30
  %26 = icmp eq i32 %25, %6, !dbg !24
  br i1 %26, label %27, label %18, !dbg !25, !llvm.loop !31

27:                                               ; preds = %24, %18, %11
  %28 = phi i32 [ -1, %11 ], [ -1, %24 ], [ %19, %18 ], !dbg !33
  %29 = icmp eq i32 %28, -1, !dbg !34
  %30 = add nsw i32 %6, -1
  %31 = select i1 %29, i32 %30, i32 %28, !dbg !34
  %32 = sext i32 %31 to i64, !dbg !35
  %33 = getelementptr inbounds double, ptr addrspace(1) %0, i64 %32, !dbg !35
  %34 = load double, ptr addrspace(1) %33, align 8, !dbg !35, !tbaa !26
  %35 = ashr exact i64 %13, 32, !dbg !36
  %36 = getelementptr inbounds double, ptr addrspace(1) %4, i64 %35, !dbg !36
  store double %34, ptr addrspace(1) %36, align 8, !dbg !37, !tbaa !26
  %37 = getelementptr inbounds double, ptr addrspace(1) %1, i64 %32, !dbg !38
  %38 = load double, ptr addrspace(1) %37, align 8, !dbg !38, !tbaa !26
  %39 = getelementptr inbounds double, ptr addrspace(1) %5, i64 %35, !dbg !39
  store double %38, ptr addrspace(1) %39, align 8, !dbg !40, !tbaa !26
  br label %40, !dbg !41

40:                                               ; preds = %27, %7
  ret void, !dbg !42
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #2

attributes #0 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #3 = { convergent nounwind }
attributes #4 = { convergent nounwind willreturn memory(none) }

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
!12 = distinct !DISubprogram(name: "particle_naive", scope: !1, file: !1, line: 8, type: !13, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 0}
!16 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!17 = !{!"double*", !"double*", !"double*", !"double*", !"double*", !"double*", !"int"}
!18 = !{!"restrict const", !"restrict const", !"restrict const", !"restrict const", !"restrict", !"restrict", !""}
!19 = !DILocation(line: 12, column: 77, scope: !12)
!20 = !DILocation(line: 28, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "particle_naive", scope: !1, file: !1, line: 8, type: !13, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 13, column: 17, scope: !21)
!23 = !DILocation(line: 14, column: 9, scope: !21)
!24 = !DILocation(line: 16, column: 23, scope: !21)
!25 = !DILocation(line: 16, column: 5, scope: !21)
!26 = !{!27, !27, i64 0}
!27 = !{!"double", !10, i64 0}
!28 = !DILocation(line: 17, column: 11, scope: !21)
!29 = !DILocation(line: 17, column: 27, scope: !21)
!30 = !DILocation(line: 16, column: 36, scope: !21)
!31 = distinct !{!31, !25, !32}
!32 = !DILocation(line: 21, column: 5, scope: !21)
!33 = !DILocation(line: 0, scope: !21)
!34 = !DILocation(line: 22, column: 15, scope: !21)
!35 = !DILocation(line: 25, column: 15, scope: !21)
!36 = !DILocation(line: 25, column: 5, scope: !21)
!37 = !DILocation(line: 25, column: 13, scope: !21)
!38 = !DILocation(line: 26, column: 15, scope: !21)
!39 = !DILocation(line: 26, column: 5, scope: !21)
!40 = !DILocation(line: 26, column: 13, scope: !21)
!41 = !DILocation(line: 27, column: 3, scope: !21)
!42 = !DILocation(line: 28, column: 1, scope: !21)
