; ModuleID = 'matmul.cl'
source_filename = "matmul.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@matmul.a_tile = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@matmul.b_tile = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4

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
  %10 = shl i64 %9, 4, !dbg !25
  %11 = add i64 %10, %7, !dbg !26
  %12 = trunc i64 %11 to i32, !dbg !24
  %13 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #6, !dbg !27
  %14 = shl i64 %13, 4, !dbg !28
  %15 = add i64 %14, %6, !dbg !29
  %16 = trunc i64 %15 to i32, !dbg !27
  %17 = icmp sgt i32 %4, 0, !dbg !30
  br i1 %17, label %18, label %61, !dbg !31

18:                                               ; preds = %5
  %19 = shl i64 %6, 32, !dbg !32
  %20 = ashr exact i64 %19, 32, !dbg !32
  %21 = shl i64 %7, 32, !dbg !33
  %22 = ashr exact i64 %21, 32, !dbg !33
  %23 = trunc i64 %6 to i32, !dbg !22
  %24 = mul nsw i32 %4, %12
  %25 = add i32 %24, %23
  %26 = getelementptr inbounds [16 x float], ptr addrspace(3) @matmul.a_tile, i64 %22
  %27 = getelementptr inbounds float, ptr addrspace(3) %26, i64 %20
  %28 = getelementptr inbounds [16 x float], ptr addrspace(3) @matmul.b_tile, i64 %22
  %29 = getelementptr inbounds float, ptr addrspace(3) %28, i64 %20
  %30 = getelementptr float, ptr addrspace(3) @matmul.b_tile, i64 %20
  %31 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 4
  %32 = getelementptr i8, ptr addrspace(3) %30, i64 64
  %33 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 8
  %34 = getelementptr i8, ptr addrspace(3) %30, i64 128
  %35 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 12
  %36 = getelementptr i8, ptr addrspace(3) %30, i64 192
  %37 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 16
  %38 = getelementptr i8, ptr addrspace(3) %30, i64 256
  %39 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 20
  %40 = getelementptr i8, ptr addrspace(3) %30, i64 320
  %41 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 24
  %42 = getelementptr i8, ptr addrspace(3) %30, i64 384
  %43 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 28
  %44 = getelementptr i8, ptr addrspace(3) %30, i64 448
  %45 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 32
  %46 = getelementptr i8, ptr addrspace(3) %30, i64 512
  %47 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 36
  %48 = getelementptr i8, ptr addrspace(3) %30, i64 576
  %49 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 40
  %50 = getelementptr i8, ptr addrspace(3) %30, i64 640
  %51 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 44
  %52 = getelementptr i8, ptr addrspace(3) %30, i64 704
  %53 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 48
  %54 = getelementptr i8, ptr addrspace(3) %30, i64 768
  %55 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 52
  %56 = getelementptr i8, ptr addrspace(3) %30, i64 832
  %57 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 56
  %58 = getelementptr i8, ptr addrspace(3) %30, i64 896
  %59 = getelementptr inbounds nuw i8, ptr addrspace(3) %26, i64 60
  %60 = getelementptr i8, ptr addrspace(3) %30, i64 960
  br label %67, !dbg !31

61:                                               ; preds = %67, %5
  %62 = phi float [ 0.000000e+00, %5 ], [ %127, %67 ], !dbg !34
  %63 = mul nsw i32 %3, %12, !dbg !35
  %64 = add nsw i32 %63, %16, !dbg !36
  %65 = sext i32 %64 to i64, !dbg !37
  %66 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %65, !dbg !37
  store float %62, ptr addrspace(1) %66, align 4, !dbg !38, !tbaa !39
  ret void, !dbg !41

67:                                               ; preds = %18, %67
  %68 = phi i32 [ 0, %18 ], [ %128, %67 ]
  %69 = phi float [ 0.000000e+00, %18 ], [ %127, %67 ]
  %70 = add i32 %25, %68, !dbg !42
  %71 = sext i32 %70 to i64, !dbg !43
  %72 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %71, !dbg !43
  %73 = load float, ptr addrspace(1) %72, align 4, !dbg !43, !tbaa !39
  store float %73, ptr addrspace(3) %27, align 4, !dbg !44, !tbaa !39
  %74 = add nsw i32 %68, %8, !dbg !45
  %75 = mul nsw i32 %74, %3, !dbg !46
  %76 = add nsw i32 %75, %16, !dbg !47
  %77 = sext i32 %76 to i64, !dbg !48
  %78 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %77, !dbg !48
  %79 = load float, ptr addrspace(1) %78, align 4, !dbg !48, !tbaa !39
  store float %79, ptr addrspace(3) %29, align 4, !dbg !49, !tbaa !39
  tail call void @_Z7barrierj(i32 noundef 1) #5, !dbg !50
  %80 = load float, ptr addrspace(3) %26, align 4, !dbg !51, !tbaa !39
  %81 = load float, ptr addrspace(3) %30, align 4, !dbg !52, !tbaa !39
  %82 = tail call float @llvm.fmuladd.f32(float %80, float %81, float %69), !dbg !53
  %83 = load float, ptr addrspace(3) %31, align 4, !dbg !51, !tbaa !39
  %84 = load float, ptr addrspace(3) %32, align 4, !dbg !52, !tbaa !39
  %85 = tail call float @llvm.fmuladd.f32(float %83, float %84, float %82), !dbg !53
  %86 = load float, ptr addrspace(3) %33, align 4, !dbg !51, !tbaa !39
  %87 = load float, ptr addrspace(3) %34, align 4, !dbg !52, !tbaa !39
  %88 = tail call float @llvm.fmuladd.f32(float %86, float %87, float %85), !dbg !53
  %89 = load float, ptr addrspace(3) %35, align 4, !dbg !51, !tbaa !39
  %90 = load float, ptr addrspace(3) %36, align 4, !dbg !52, !tbaa !39
  %91 = tail call float @llvm.fmuladd.f32(float %89, float %90, float %88), !dbg !53
  %92 = load float, ptr addrspace(3) %37, align 4, !dbg !51, !tbaa !39
  %93 = load float, ptr addrspace(3) %38, align 4, !dbg !52, !tbaa !39
  %94 = tail call float @llvm.fmuladd.f32(float %92, float %93, float %91), !dbg !53
  %95 = load float, ptr addrspace(3) %39, align 4, !dbg !51, !tbaa !39
  %96 = load float, ptr addrspace(3) %40, align 4, !dbg !52, !tbaa !39
  %97 = tail call float @llvm.fmuladd.f32(float %95, float %96, float %94), !dbg !53
  %98 = load float, ptr addrspace(3) %41, align 4, !dbg !51, !tbaa !39
  %99 = load float, ptr addrspace(3) %42, align 4, !dbg !52, !tbaa !39
  %100 = tail call float @llvm.fmuladd.f32(float %98, float %99, float %97), !dbg !53
  %101 = load float, ptr addrspace(3) %43, align 4, !dbg !51, !tbaa !39
  %102 = load float, ptr addrspace(3) %44, align 4, !dbg !52, !tbaa !39
  %103 = tail call float @llvm.fmuladd.f32(float %101, float %102, float %100), !dbg !53
  %104 = load float, ptr addrspace(3) %45, align 4, !dbg !51, !tbaa !39
  %105 = load float, ptr addrspace(3) %46, align 4, !dbg !52, !tbaa !39
  %106 = tail call float @llvm.fmuladd.f32(float %104, float %105, float %103), !dbg !53
  %107 = load float, ptr addrspace(3) %47, align 4, !dbg !51, !tbaa !39
  %108 = load float, ptr addrspace(3) %48, align 4, !dbg !52, !tbaa !39
  %109 = tail call float @llvm.fmuladd.f32(float %107, float %108, float %106), !dbg !53
  %110 = load float, ptr addrspace(3) %49, align 4, !dbg !51, !tbaa !39
  %111 = load float, ptr addrspace(3) %50, align 4, !dbg !52, !tbaa !39
  %112 = tail call float @llvm.fmuladd.f32(float %110, float %111, float %109), !dbg !53
  %113 = load float, ptr addrspace(3) %51, align 4, !dbg !51, !tbaa !39
  %114 = load float, ptr addrspace(3) %52, align 4, !dbg !52, !tbaa !39
  %115 = tail call float @llvm.fmuladd.f32(float %113, float %114, float %112), !dbg !53
  %116 = load float, ptr addrspace(3) %53, align 4, !dbg !51, !tbaa !39
  %117 = load float, ptr addrspace(3) %54, align 4, !dbg !52, !tbaa !39
  %118 = tail call float @llvm.fmuladd.f32(float %116, float %117, float %115), !dbg !53
  %119 = load float, ptr addrspace(3) %55, align 4, !dbg !51, !tbaa !39
  %120 = load float, ptr addrspace(3) %56, align 4, !dbg !52, !tbaa !39
  %121 = tail call float @llvm.fmuladd.f32(float %119, float %120, float %118), !dbg !53
  %122 = load float, ptr addrspace(3) %57, align 4, !dbg !51, !tbaa !39
  %123 = load float, ptr addrspace(3) %58, align 4, !dbg !52, !tbaa !39
  %124 = tail call float @llvm.fmuladd.f32(float %122, float %123, float %121), !dbg !53
  %125 = load float, ptr addrspace(3) %59, align 4, !dbg !51, !tbaa !39
  %126 = load float, ptr addrspace(3) %60, align 4, !dbg !52, !tbaa !39
  %127 = tail call float @llvm.fmuladd.f32(float %125, float %126, float %124), !dbg !53
  tail call void @_Z7barrierj(i32 noundef 1) #5, !dbg !54
  %128 = add nuw nsw i32 %68, 16, !dbg !55
  %129 = icmp slt i32 %128, %4, !dbg !30
  br i1 %129, label %67, label %61, !dbg !31, !llvm.loop !56
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
