; ModuleID = 'gaussian.cl'
source_filename = "gaussian.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @gaussian_rows(ptr addrspace(1) %0, ptr addrspace(1) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef readonly align 4 captures(none) %5, ptr addrspace(4) %6) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_gaussian_rows(ptr addrspace(1) %0, ptr addrspace(1) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef align 4 %5, ptr addrspace(4) %6) #7, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_gaussian_rows(ptr addrspace(1) %0, ptr addrspace(1) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef readonly align 4 captures(none) %5, ptr addrspace(4) %6) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %8 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #8, !dbg !22
  %9 = trunc i64 %8 to i32, !dbg !22
  %10 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #8, !dbg !23
  %11 = trunc i64 %10 to i32, !dbg !23
  %12 = icmp sgt i32 %2, %9, !dbg !24
  %13 = icmp sgt i32 %3, %11
  %14 = select i1 %12, i1 %13, i1 false, !dbg !25
  br i1 %14, label %15, label %41, !dbg !25

15:                                               ; preds = %7
  %16 = icmp slt i32 %4, 0, !dbg !26
  br i1 %16, label %21, label %17, !dbg !27

17:                                               ; preds = %15
  %18 = shl nuw i32 %4, 1
  %19 = sub i32 %9, %4
  %20 = tail call i32 @llvm.smax.i32(i32 %18, i32 0), !dbg !27
  br label %25, !dbg !27

21:                                               ; preds = %25, %15
  %22 = phi <4 x float> [ zeroinitializer, %15 ], [ %38, %25 ], !dbg !28
  %23 = insertelement <2 x i32> poison, i32 %9, i64 0, !dbg !29
  %24 = insertelement <2 x i32> %23, i32 %11, i64 1, !dbg !29
  tail call void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(ptr addrspace(1) %1, <2 x i32> noundef %24, <4 x float> noundef %22) #7, !dbg !30
  br label %41, !dbg !31

25:                                               ; preds = %17, %25
  %26 = phi <4 x float> [ zeroinitializer, %17 ], [ %38, %25 ]
  %27 = phi i32 [ 0, %17 ], [ %39, %25 ]
  %28 = zext nneg i32 %27 to i64, !dbg !32
  %29 = getelementptr inbounds nuw float, ptr addrspace(4) %5, i64 %28, !dbg !32
  %30 = load float, ptr addrspace(4) %29, align 4, !dbg !32, !tbaa !33
  %31 = insertelement <4 x float> poison, float %30, i64 0, !dbg !32
  %32 = shufflevector <4 x float> %31, <4 x float> poison, <4 x i32> zeroinitializer, !dbg !32
  %33 = add i32 %19, %27, !dbg !35
  %34 = insertelement <2 x i32> poison, i32 %33, i64 0, !dbg !36
  %35 = insertelement <2 x i32> %34, i32 %11, i64 1, !dbg !36
  %36 = tail call <4 x i32> @_Z12read_imageui14ocl_image2d_ro11ocl_samplerDv2_i(ptr addrspace(1) %0, ptr addrspace(4) %6, <2 x i32> noundef %35) #9, !dbg !37
  %37 = tail call <4 x float> @_Z14convert_float4Dv4_j(<4 x i32> noundef %36) #8, !dbg !38
  %38 = tail call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %32, <4 x float> %37, <4 x float> %26), !dbg !39
  %39 = add nuw nsw i32 %27, 1, !dbg !40
  %40 = icmp eq i32 %27, %20, !dbg !26
  br i1 %40, label %21, label %25, !dbg !27, !llvm.loop !41

41:                                               ; preds = %7, %21
  ret void, !dbg !31
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @gaussian_columns(ptr addrspace(1) %0, ptr addrspace(1) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef readonly align 4 captures(none) %5, ptr addrspace(4) %6) local_unnamed_addr #0 !dbg !43 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_gaussian_columns(ptr addrspace(1) %0, ptr addrspace(1) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef align 4 %5, ptr addrspace(4) %6) #7, !dbg !44
  ret void, !dbg !45
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_gaussian_columns(ptr addrspace(1) %0, ptr addrspace(1) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef readonly align 4 captures(none) %5, ptr addrspace(4) %6) local_unnamed_addr #1 !dbg !46 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %8 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #8, !dbg !47
  %9 = trunc i64 %8 to i32, !dbg !47
  %10 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #8, !dbg !48
  %11 = trunc i64 %10 to i32, !dbg !48
  %12 = icmp sgt i32 %2, %9, !dbg !49
  %13 = icmp sgt i32 %3, %11
  %14 = select i1 %12, i1 %13, i1 false, !dbg !50
  br i1 %14, label %15, label %46, !dbg !50

15:                                               ; preds = %7
  %16 = icmp slt i32 %4, 0, !dbg !51
  br i1 %16, label %17, label %19, !dbg !52

17:                                               ; preds = %15
  %18 = insertelement <2 x i32> poison, i32 %9, i64 0, !dbg !53
  br label %26, !dbg !52

19:                                               ; preds = %15
  %20 = shl nuw i32 %4, 1
  %21 = insertelement <2 x i32> poison, i32 %9, i64 0
  %22 = sub i32 %11, %4
  %23 = tail call i32 @llvm.smax.i32(i32 %20, i32 0), !dbg !52
  br label %32, !dbg !52

24:                                               ; preds = %32
  %25 = fadd <4 x float> %43, splat (float 5.000000e-01), !dbg !54
  br label %26, !dbg !53

26:                                               ; preds = %17, %24
  %27 = phi <2 x i32> [ %18, %17 ], [ %21, %24 ], !dbg !53
  %28 = phi <4 x float> [ splat (float 5.000000e-01), %17 ], [ %25, %24 ], !dbg !55
  %29 = insertelement <2 x i32> %27, i32 %11, i64 1, !dbg !53
  %30 = tail call <4 x float> @_Z5clampDv4_fff(<4 x float> noundef %28, float noundef 0.000000e+00, float noundef 2.550000e+02) #8, !dbg !56
  %31 = tail call <4 x i32> @_Z13convert_uint4Dv4_f(<4 x float> noundef %30) #8, !dbg !57
  tail call void @_Z13write_imageui14ocl_image2d_woDv2_iDv4_j(ptr addrspace(1) %1, <2 x i32> noundef %29, <4 x i32> noundef %31) #7, !dbg !58
  br label %46, !dbg !59

32:                                               ; preds = %19, %32
  %33 = phi <4 x float> [ zeroinitializer, %19 ], [ %43, %32 ]
  %34 = phi i32 [ 0, %19 ], [ %44, %32 ]
  %35 = zext nneg i32 %34 to i64, !dbg !60
  %36 = getelementptr inbounds nuw float, ptr addrspace(4) %5, i64 %35, !dbg !60
  %37 = load float, ptr addrspace(4) %36, align 4, !dbg !60, !tbaa !33
  %38 = insertelement <4 x float> poison, float %37, i64 0, !dbg !60
  %39 = shufflevector <4 x float> %38, <4 x float> poison, <4 x i32> zeroinitializer, !dbg !60
  %40 = add i32 %22, %34, !dbg !61
  %41 = insertelement <2 x i32> %21, i32 %40, i64 1, !dbg !62
  %42 = tail call <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(ptr addrspace(1) %0, ptr addrspace(4) %6, <2 x i32> noundef %41) #9, !dbg !63
  %43 = tail call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %39, <4 x float> %42, <4 x float> %33), !dbg !64
  %44 = add nuw nsw i32 %34, 1, !dbg !65
  %45 = icmp eq i32 %34, %23, !dbg !51
  br i1 %45, label %24, label %32, !dbg !52, !llvm.loop !66

46:                                               ; preds = %7, %26
  ret void, !dbg !59
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local <4 x float> @_Z14convert_float4Dv4_j(<4 x i32> noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(read)
declare dso_local <4 x i32> @_Z12read_imageui14ocl_image2d_ro11ocl_samplerDv2_i(ptr addrspace(1), ptr addrspace(4), <2 x i32> noundef) local_unnamed_addr #3

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x float> @llvm.fmuladd.v4f32(<4 x float>, <4 x float>, <4 x float>) #4

; Function Attrs: convergent nounwind
declare dso_local void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(ptr addrspace(1), <2 x i32> noundef, <4 x float> noundef) local_unnamed_addr #5

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(read)
declare dso_local <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(ptr addrspace(1), ptr addrspace(4), <2 x i32> noundef) local_unnamed_addr #3

; Function Attrs: convergent nounwind
declare dso_local void @_Z13write_imageui14ocl_image2d_woDv2_iDv4_j(ptr addrspace(1), <2 x i32> noundef, <4 x i32> noundef) local_unnamed_addr #5

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local <4 x i32> @_Z13convert_uint4Dv4_f(<4 x float> noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local <4 x float> @_Z5clampDv4_fff(<4 x float> noundef, float noundef, float noundef) local_unnamed_addr #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #6

attributes #0 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #3 = { convergent mustprogress nofree nounwind willreturn memory(read) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #6 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { convergent nounwind }
attributes #8 = { convergent nounwind willreturn memory(none) }
attributes #9 = { convergent nounwind willreturn memory(read) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "gaussian.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "gaussian_rows", scope: !1, file: !1, line: 6, type: !13, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 0, i32 0, i32 0, i32 2, i32 0}
!16 = !{!"read_only", !"write_only", !"none", !"none", !"none", !"none", !"none"}
!17 = !{!"image2d_t", !"image2d_t", !"int", !"int", !"int", !"float*", !"sampler_t"}
!18 = !{!"", !"", !"", !"", !"", !"const", !""}
!19 = !DILocation(line: 8, column: 49, scope: !12)
!20 = !DILocation(line: 19, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "gaussian_rows", scope: !1, file: !1, line: 6, type: !13, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 9, column: 17, scope: !21)
!23 = !DILocation(line: 10, column: 17, scope: !21)
!24 = !DILocation(line: 11, column: 9, scope: !21)
!25 = !DILocation(line: 11, column: 18, scope: !21)
!26 = !DILocation(line: 15, column: 21, scope: !21)
!27 = !DILocation(line: 15, column: 3, scope: !21)
!28 = !DILocation(line: 0, scope: !21)
!29 = !DILocation(line: 18, column: 31, scope: !21)
!30 = !DILocation(line: 18, column: 3, scope: !21)
!31 = !DILocation(line: 19, column: 1, scope: !21)
!32 = !DILocation(line: 16, column: 12, scope: !21)
!33 = !{!34, !34, i64 0}
!34 = !{!"float", !10, i64 0}
!35 = !DILocation(line: 16, column: 83, scope: !21)
!36 = !DILocation(line: 16, column: 76, scope: !21)
!37 = !DILocation(line: 16, column: 40, scope: !21)
!38 = !DILocation(line: 16, column: 25, scope: !21)
!39 = !DILocation(line: 16, column: 9, scope: !21)
!40 = !DILocation(line: 15, column: 39, scope: !21)
!41 = distinct !{!41, !27, !42}
!42 = !DILocation(line: 17, column: 3, scope: !21)
!43 = distinct !DISubprogram(name: "gaussian_columns", scope: !1, file: !1, line: 22, type: !13, scopeLine: 24, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!44 = !DILocation(line: 24, column: 52, scope: !43)
!45 = !DILocation(line: 35, column: 1, scope: !43)
!46 = distinct !DISubprogram(name: "gaussian_columns", scope: !1, file: !1, line: 22, type: !13, scopeLine: 24, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!47 = !DILocation(line: 25, column: 17, scope: !46)
!48 = !DILocation(line: 26, column: 17, scope: !46)
!49 = !DILocation(line: 27, column: 9, scope: !46)
!50 = !DILocation(line: 27, column: 18, scope: !46)
!51 = !DILocation(line: 31, column: 21, scope: !46)
!52 = !DILocation(line: 31, column: 3, scope: !46)
!53 = !DILocation(line: 34, column: 31, scope: !46)
!54 = !DILocation(line: 34, column: 63, scope: !46)
!55 = !DILocation(line: 0, scope: !46)
!56 = !DILocation(line: 34, column: 53, scope: !46)
!57 = !DILocation(line: 34, column: 39, scope: !46)
!58 = !DILocation(line: 34, column: 3, scope: !46)
!59 = !DILocation(line: 35, column: 1, scope: !46)
!60 = !DILocation(line: 32, column: 12, scope: !46)
!61 = !DILocation(line: 32, column: 72, scope: !46)
!62 = !DILocation(line: 32, column: 62, scope: !46)
!63 = !DILocation(line: 32, column: 25, scope: !46)
!64 = !DILocation(line: 32, column: 9, scope: !46)
!65 = !DILocation(line: 31, column: 39, scope: !46)
!66 = distinct !{!66, !52, !67}
!67 = !DILocation(line: 33, column: 3, scope: !46)
