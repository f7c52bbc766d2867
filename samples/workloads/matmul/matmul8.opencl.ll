; ModuleID = 'matmul.cl'
source_filename = "matmul.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@matmul.a_tile = internal unnamed_addr addrspace(3) global [8 x [8 x float]] undef, align 4
@matmul.b_tile = internal unnamed_addr addrspace(3) global [8 x [8 x float]] undef, align 4

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @matmul(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_matmul(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, i32 noundef %3, i32 noundef %4) #5, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_matmul(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %6 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #6, !dbg !22
  %7 = tail call i64 @_Z12get_local_idj(i32 noundef 1) #6, !dbg !23
  %8 = trunc i64 %7 to i32, !dbg !23
  %9 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #6, !dbg !24
  %10 = shl i64 %9, 3, !dbg !25
  %11 = add i64 %10, %7, !dbg !26
  %12 = trunc i64 %11 to i32, !dbg !24
  %13 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #6, !dbg !27
  %14 = shl i64 %13, 3, !dbg !28
  %15 = add i64 %14, %6, !dbg !29
  %16 = trunc i64 %15 to i32, !dbg !27
  %17 = icmp sgt i32 %4, 0, !dbg !30
  br i1 %17, label %18, label %45, !dbg !31

18:                                               ; preds = %5
  %19 = shl i64 %6, 32, !dbg !32
  %20 = ashr exact i64 %19, 32, !dbg !32
  %21 = shl i64 %7, 32, !dbg !33
  %22 = ashr exact i64 %21, 32, !dbg !33
  %23 = trunc i64 %6 to i32, !dbg !22
  %24 = mul nsw i32 %4, %12
  %25 = add i32 %24, %23
  %26 = getelementptr inbounds [8 x float], ptr addrspace(3) @matmul.a_tile, i64 %22
  %27 = getelementptr inbounds float, ptr addrspace(3) %26, i64 %20
  %28 = getelementptr inbounds [8 x float], ptr addrspace(3) @matmul.b_tile, i64 %22
  %29 = getelementptr inbounds float, ptr addrspace(3) %28, i64 %20
  %30 = getelementptr float, ptr addrspace(3) @matmul.b_tile, i64 %20
  %31 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 4
  %32 = getelementptr i8, ptr addrspace(3) %30, i64 32
  %33 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 8
  %34 = getelementptr i8, ptr addrspace(3) %30, i64 64
  %35 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 12
  %36 = getelementptr i8, ptr addrspace(3) %30, i64 96
  %37 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 16
  %38 = getelementptr i8, ptr addrspace(3) %30, i64 128
  %39 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 20
  %40 = getelementptr i8, ptr addrspace(3) %30, i64 160
  %41 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 24
  %42 = getelementptr i8, ptr addrspace(3) %30, i64 192
  %43 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 28
  %44 = getelementptr i8, ptr addrspace(3) %30, i64 224
  br label %51, !dbg !31

45:                                               ; preds = %51, %5
  %46 = phi float [ 0.000000e+00, %5 ], [ %87, %51 ], !dbg !34
  %47 = mul nsw i32 %3, %12, !dbg !35
  %48 = add nsw i32 %47, %16, !dbg !36
  %49 = sext i32 %48 to i64, !dbg !37
  %50 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %49, !dbg !37
  store float %46, ptr addrspace(1) %50, align 4, !dbg !38, !tbaa !39
  ret void, !dbg !41

51:                                               ; preds = %18, %51
  %52 = phi i32 [ 0, %18 ], [ %88, %51 ]
  %53 = phi float [ 0.000000e+00, %18 ], [ %87, %51 ]
  %54 = add i32 %25, %52, !dbg !42
  %55 = sext i32 %54 to i64, !dbg !43
  %56 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %55, !dbg !43
  %57 = load float, ptr addrspace(1) %56, align 4, !dbg !43, !tbaa !39
  store float %57, ptr addrspace(3) %27, align 4, !dbg !44, !tbaa !39
  %58 = add nsw i32 %52, %8, !dbg !45
  %59 = mul nsw i32 %58, %3, !dbg !46
  %60 = add nsw i32 %59, %16, !dbg !47
  %61 = sext i32 %60 to i64, !dbg !48
  %62 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %61, !dbg !48
  %63 = load float, ptr addrspace(1) %62, align 4, !dbg !48, !tbaa !39
  store float %63, ptr addrspace(3) %29, align 4, !dbg !49, !tbaa !39
  tail call void @_Z7barrierj(i32 noundef 1) #5, !dbg !50
  %64 = load float, ptr addrspace(3) %26, align 4, !dbg !51, !tbaa !39
  %65 = load float, ptr addrspace(3) %30, align 4, !dbg !52, !tbaa !39
  %66 = tail call float @llvm.fmuladd.f32(float %64, float %65, float %53), !dbg !53
  %67 = load float, ptr addrspace(3) %31, align 4, !dbg !51, !tbaa !39
  %68 = load float, ptr addrspace(3) %32, align 4, !dbg !52, !tbaa !39
  %69 = tail call float @llvm.fmuladd.f32(float %67, float %68, float %66), !dbg !53
  %70 = load float, ptr addrspace(3) %33, align 4, !dbg !51, !tbaa !39
  %71 = load float, ptr addrspace(3) %34, align 4, !dbg !52, !tbaa !39
  %72 = tail call float @llvm.fmuladd.f32(float %70, float %71, float %69), !dbg !53
  %73 = load float, ptr addrspace(3) %35, align 4, !dbg !51, !tbaa !39
  %74 = load float, ptr addrspace(3) %36, align 4, !dbg !52, !tbaa !39
  %75 = tail call float @llvm.fmuladd.f32(float %73, float %74, float %72), !dbg !53
  %76 = load float, ptr addrspace(3) %37, align 4, !dbg !51, !tbaa !39
  %77 = load float, ptr addrspace(3) %38, align 4, !dbg !52, !tbaa !39
  %78 = tail call float @llvm.fmuladd.f32(float %76, float %77, float %75), !dbg !53
  %79 = load float, ptr addrspace(3) %39, align 4, !dbg !51, !tbaa !39
  %80 = load float, ptr addrspace(3) %40, align 4, !dbg !52, !tbaa !39
  %81 = tail call float @llvm.fmuladd.f32(float %79, float %80, float %78), !dbg !53
  %82 = load float, ptr addrspace(3) %41, align 4, !dbg !51, !tbaa !39
  %83 = load float, ptr addrspace(3) %42, align 4, !dbg !52, !tbaa !39
  %84 = tail call float @llvm.fmuladd.f32(float %82, float %83, float %81), !dbg !53
  %85 = load float, ptr addrspace(3) %43, align 4, !dbg !51, !tbaa !39
  %86 = load float, ptr addrspace(3) %44, align 4, !dbg !52, !tbaa !39
  %87 = tail call float @llvm.fmuladd.f32(float %85, float %86, float %84), !dbg !53
  tail call void @_Z7barrierj(i32 noundef 1) #5, !dbg !54
  %88 = add nuw nsw i32 %52, 8, !dbg !55
  %89 = icmp slt i32 %88, %4, !dbg !30
  br i1 %89, label %51, label %45, !dbg !31, !llvm.loop !56
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #3

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #4

attributes #0 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #3 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { convergent nounwind }
attributes #6 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "matmul.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "matmul", scope: !1, file: !1, line: 10, type: !13, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 1, i32 0, i32 0}
!16 = !{!"none", !"none", !"none", !"none", !"none"}
!17 = !{!"float*", !"float*", !"float*", !"int", !"int"}
!18 = !{!"restrict const", !"restrict const", !"restrict", !"", !""}
!19 = !DILocation(line: 11, column: 72, scope: !12)
!20 = !DILocation(line: 32, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "matmul", scope: !1, file: !1, line: 10, type: !13, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 15, column: 18, scope: !21)
!23 = !DILocation(line: 16, column: 18, scope: !21)
!24 = !DILocation(line: 17, column: 19, scope: !21)
!25 = !DILocation(line: 17, column: 35, scope: !21)
!26 = !DILocation(line: 17, column: 42, scope: !21)
!27 = !DILocation(line: 18, column: 22, scope: !21)
!28 = !DILocation(line: 18, column: 38, scope: !21)
!29 = !DILocation(line: 18, column: 45, scope: !21)
!30 = !DILocation(line: 22, column: 23, scope: !21)
!31 = !DILocation(line: 22, column: 3, scope: !21)
!32 = !DILocation(line: 18, column: 47, scope: !21)
!33 = !DILocation(line: 17, column: 44, scope: !21)
!34 = !DILocation(line: 20, column: 9, scope: !21)
!35 = !DILocation(line: 31, column: 9, scope: !21)
!36 = !DILocation(line: 31, column: 17, scope: !21)
!37 = !DILocation(line: 31, column: 3, scope: !21)
!38 = !DILocation(line: 31, column: 27, scope: !21)
!39 = !{!40, !40, i64 0}
!40 = !{!"float", !10, i64 0}
!41 = !DILocation(line: 32, column: 1, scope: !21)
!42 = !DILocation(line: 23, column: 41, scope: !21)
!43 = !DILocation(line: 23, column: 22, scope: !21)
!44 = !DILocation(line: 23, column: 20, scope: !21)
!45 = !DILocation(line: 24, column: 28, scope: !21)
!46 = !DILocation(line: 24, column: 34, scope: !21)
!47 = !DILocation(line: 24, column: 42, scope: !21)
!48 = !DILocation(line: 24, column: 22, scope: !21)
!49 = !DILocation(line: 24, column: 20, scope: !21)
!50 = !DILocation(line: 25, column: 5, scope: !21)
!51 = !DILocation(line: 27, column: 14, scope: !21)
!52 = !DILocation(line: 27, column: 30, scope: !21)
!53 = !DILocation(line: 27, column: 11, scope: !21)
!54 = !DILocation(line: 29, column: 5, scope: !21)
!55 = !DILocation(line: 22, column: 35, scope: !21)
!56 = distinct !{!56, !31, !57, !58}
!57 = !DILocation(line: 30, column: 3, scope: !21)
!58 = !{!"llvm.loop.unroll.disable"}
