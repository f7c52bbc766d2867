; ModuleID = 'nn.cl'
source_filename = "nn.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Place = type { float, float }

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @nearest_neighbor(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2, float noundef %3, float noundef %4) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_nearest_neighbor(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2, float noundef %3, float noundef %4) #4, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_nearest_neighbor(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2, float noundef %3, float noundef %4) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %6 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #5, !dbg !22
  %7 = tail call i64 @_Z14get_num_groupsj(i32 noundef 0) #5, !dbg !23
  %8 = mul i64 %7, %6, !dbg !24
  %9 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #5, !dbg !25
  %10 = add i64 %8, %9, !dbg !26
  %11 = tail call i64 @_Z14get_local_sizej(i32 noundef 0) #5, !dbg !27
  %12 = mul i64 %10, %11, !dbg !28
  %13 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #5, !dbg !29
  %14 = add i64 %12, %13, !dbg !30
  %15 = trunc i64 %14 to i32, !dbg !31
  %16 = icmp sgt i32 %2, %15, !dbg !32
  br i1 %16, label %17, label %30, !dbg !32

17:                                               ; preds = %5
  %18 = shl i64 %14, 32, !dbg !33
  %19 = ashr exact i64 %18, 32, !dbg !33
  %20 = getelementptr inbounds %struct.Place, ptr addrspace(1) %0, i64 %19, !dbg !33
  %21 = load float, ptr addrspace(1) %20, align 4, !dbg !33, !tbaa !34
  %22 = getelementptr inbounds nuw i8, ptr addrspace(1) %20, i64 4, !dbg !33
  %23 = load float, ptr addrspace(1) %22, align 4, !dbg !33, !tbaa !34
  %24 = fsub float %3, %21, !dbg !36
  %25 = fsub float %4, %23, !dbg !37
  %26 = fmul float %25, %25, !dbg !38
  %27 = tail call float @llvm.fmuladd.f32(float %24, float %24, float %26), !dbg !39
  %28 = tail call float @_Z4sqrtf(float noundef %27) #5, !dbg !40, !fpmath !41
  %29 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %19, !dbg !42
  store float %28, ptr addrspace(1) %29, align 4, !dbg !43, !tbaa !34
  br label %30, !dbg !44

30:                                               ; preds = %17, %5
  ret void, !dbg !45
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z14get_num_groupsj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z14get_local_sizej(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z4sqrtf(float noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #3

attributes #0 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #3 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { convergent nounwind }
attributes #5 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "nn.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "nearest_neighbor", scope: !1, file: !1, line: 10, type: !13, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 0, i32 0, i32 0}
!16 = !{!"none", !"none", !"none", !"none", !"none"}
!17 = !{!"Place*", !"float*", !"int", !"float", !"float"}
!18 = !{!"restrict const", !"restrict", !"", !"", !""}
!19 = !DILocation(line: 12, column: 49, scope: !12)
!20 = !DILocation(line: 21, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "nearest_neighbor", scope: !1, file: !1, line: 10, type: !13, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 13, column: 21, scope: !21)
!23 = !DILocation(line: 13, column: 39, scope: !21)
!24 = !DILocation(line: 13, column: 37, scope: !21)
!25 = !DILocation(line: 13, column: 59, scope: !21)
!26 = !DILocation(line: 13, column: 57, scope: !21)
!27 = !DILocation(line: 14, column: 25, scope: !21)
!28 = !DILocation(line: 14, column: 23, scope: !21)
!29 = !DILocation(line: 14, column: 45, scope: !21)
!30 = !DILocation(line: 14, column: 43, scope: !21)
!31 = !DILocation(line: 14, column: 17, scope: !21)
!32 = !DILocation(line: 15, column: 9, scope: !21)
!33 = !DILocation(line: 16, column: 25, scope: !21)
!34 = !{!35, !35, i64 0}
!35 = !{!"float", !10, i64 0}
!36 = !DILocation(line: 17, column: 34, scope: !21)
!37 = !DILocation(line: 18, column: 34, scope: !21)
!38 = !DILocation(line: 19, column: 46, scope: !21)
!39 = !DILocation(line: 19, column: 39, scope: !21)
!40 = !DILocation(line: 19, column: 20, scope: !21)
!41 = !{float 3.000000e+00}
!42 = !DILocation(line: 19, column: 5, scope: !21)
!43 = !DILocation(line: 19, column: 18, scope: !21)
!44 = !DILocation(line: 20, column: 3, scope: !21)
!45 = !DILocation(line: 21, column: 1, scope: !21)
