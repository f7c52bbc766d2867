; ModuleID = 'binomial.cl'
source_filename = "binomial.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@binomial_block.values = internal unnamed_addr addrspace(3) global [2 x [1025 x float]] undef, align 4
@binomial_pair.values = internal unnamed_addr addrspace(3) global [33 x [128 x float]] undef, align 4

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @binomial_block(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2, i32 noundef %3, float noundef %4, float noundef %5, float noundef %6, float noundef %7) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_binomial_block(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, i32 noundef %3, float noundef %4, float noundef %5, float noundef %6, float noundef %7) #10, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_binomial_block(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2, i32 noundef %3, float noundef %4, float noundef %5, float noundef %6, float noundef %7) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %9 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #11, !dbg !22
  %10 = getelementptr inbounds nuw float, ptr addrspace(1) %0, i64 %9, !dbg !23
  %11 = load float, ptr addrspace(1) %10, align 4, !dbg !23, !tbaa !24
  %12 = icmp sgt i32 %3, 0, !dbg !26
  br i1 %12, label %13, label %24, !dbg !29

13:                                               ; preds = %8, %13
  %14 = phi i32 [ %22, %13 ], [ %3, %8 ]
  %15 = phi float [ %20, %13 ], [ 1.000000e+00, %8 ]
  %16 = phi float [ %21, %13 ], [ %4, %8 ]
  %17 = and i32 %14, 1, !dbg !30
  %18 = icmp eq i32 %17, 0, !dbg !31
  %19 = fmul float %15, %16
  %20 = select i1 %18, float %15, float %19, !dbg !31
  %21 = fmul float %16, %16, !dbg !32
  %22 = lshr i32 %14, 1, !dbg !33
  %23 = icmp eq i32 %22, 0, !dbg !26
  br i1 %23, label %24, label %13, !dbg !29, !llvm.loop !34

24:                                               ; preds = %13, %8
  %25 = phi float [ 1.000000e+00, %8 ], [ %20, %13 ], !dbg !37
  %26 = fmul float %11, %25, !dbg !38
  %27 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #11, !dbg !39
  %28 = trunc i64 %27 to i32, !dbg !40
  %29 = icmp slt i32 %3, %28, !dbg !41
  br i1 %29, label %37, label %30, !dbg !42

30:                                               ; preds = %24
  %31 = getelementptr inbounds nuw float, ptr addrspace(1) %1, i64 %9, !dbg !43
  %32 = load float, ptr addrspace(1) %31, align 4, !dbg !43, !tbaa !24
  %33 = fneg float %32
  %34 = srem i32 %3, 2
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds [1025 x float], ptr addrspace(3) @binomial_block.values, i64 %35
  br label %38, !dbg !42

37:                                               ; preds = %53, %24
  br i1 %12, label %68, label %65, !dbg !44

38:                                               ; preds = %30, %53
  %39 = phi i32 [ %28, %30 ], [ %63, %53 ]
  %40 = phi i64 [ %27, %30 ], [ %62, %53 ]
  %41 = icmp sgt i32 %39, 0, !dbg !45
  br i1 %41, label %42, label %53, !dbg !47

42:                                               ; preds = %38, %42
  %43 = phi i32 [ %51, %42 ], [ %39, %38 ]
  %44 = phi float [ %49, %42 ], [ 1.000000e+00, %38 ]
  %45 = phi float [ %50, %42 ], [ %5, %38 ]
  %46 = and i32 %43, 1, !dbg !48
  %47 = icmp eq i32 %46, 0, !dbg !49
  %48 = fmul float %44, %45
  %49 = select i1 %47, float %44, float %48, !dbg !49
  %50 = fmul float %45, %45, !dbg !50
  %51 = lshr i32 %43, 1, !dbg !51
  %52 = icmp eq i32 %51, 0, !dbg !45
  br i1 %52, label %53, label %42, !dbg !47, !llvm.loop !52

53:                                               ; preds = %42, %38
  %54 = phi float [ 1.000000e+00, %38 ], [ %49, %42 ], !dbg !54
  %55 = tail call float @llvm.fmuladd.f32(float %26, float %54, float %33), !dbg !55
  %56 = fcmp ogt float %55, 0.000000e+00, !dbg !56
  %57 = select i1 %56, float %55, float 0.000000e+00, !dbg !57
  %58 = shl i64 %40, 32, !dbg !58
  %59 = ashr exact i64 %58, 32, !dbg !58
  %60 = getelementptr inbounds float, ptr addrspace(3) %36, i64 %59, !dbg !58
  store float %57, ptr addrspace(3) %60, align 4, !dbg !59, !tbaa !24
  %61 = tail call i64 @_Z14get_local_sizej(i32 noundef 0) #11, !dbg !60
  %62 = add i64 %61, %59, !dbg !61
  %63 = trunc i64 %62 to i32, !dbg !40
  %64 = icmp slt i32 %3, %63, !dbg !41
  br i1 %64, label %37, label %38, !dbg !42, !llvm.loop !62

65:                                               ; preds = %79, %37
  %66 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #11, !dbg !64
  %67 = icmp eq i64 %66, 0, !dbg !65
  br i1 %67, label %99, label %103, !dbg !65

68:                                               ; preds = %37, %79
  %69 = phi i32 [ %80, %79 ], [ %3, %37 ]
  tail call void @_Z7barrierj(i32 noundef 1) #10, !dbg !66
  %70 = and i32 %69, 1, !dbg !67
  %71 = zext nneg i32 %70 to i64, !dbg !68
  %72 = getelementptr inbounds nuw [1025 x float], ptr addrspace(3) @binomial_block.values, i64 %71, !dbg !68
  %73 = xor i32 %70, 1, !dbg !69
  %74 = zext nneg i32 %73 to i64, !dbg !70
  %75 = getelementptr inbounds nuw [1025 x float], ptr addrspace(3) @binomial_block.values, i64 %74, !dbg !70
  %76 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #11, !dbg !71
  %77 = trunc i64 %76 to i32, !dbg !72
  %78 = icmp sgt i32 %69, %77, !dbg !73
  br i1 %78, label %82, label %79, !dbg !74

79:                                               ; preds = %82, %68
  %80 = add nsw i32 %69, -1, !dbg !75
  %81 = icmp samesign ugt i32 %69, 1, !dbg !76
  br i1 %81, label %68, label %65, !dbg !44, !llvm.loop !77

82:                                               ; preds = %68, %82
  %83 = phi i64 [ %96, %82 ], [ %76, %68 ]
  %84 = shl i64 %83, 32, !dbg !79
  %85 = add i64 %84, 4294967296, !dbg !79
  %86 = ashr exact i64 %85, 30, !dbg !79
  %87 = getelementptr inbounds i8, ptr addrspace(3) %72, i64 %86, !dbg !79
  %88 = load float, ptr addrspace(3) %87, align 4, !dbg !79, !tbaa !24
  %89 = ashr exact i64 %84, 32, !dbg !80
  %90 = getelementptr inbounds float, ptr addrspace(3) %72, i64 %89, !dbg !80
  %91 = load float, ptr addrspace(3) %90, align 4, !dbg !80, !tbaa !24
  %92 = fmul float %7, %91, !dbg !81
  %93 = tail call float @llvm.fmuladd.f32(float %6, float %88, float %92), !dbg !82
  %94 = getelementptr inbounds float, ptr addrspace(3) %75, i64 %89, !dbg !83
  store float %93, ptr addrspace(3) %94, align 4, !dbg !84, !tbaa !24
  %95 = tail call i64 @_Z14get_local_sizej(i32 noundef 0) #11, !dbg !85
  %96 = add i64 %95, %89, !dbg !86
  %97 = trunc i64 %96 to i32, !dbg !72
  %98 = icmp sgt i32 %69, %97, !dbg !73
  br i1 %98, label %82, label %79, !dbg !74, !llvm.loop !87

99:                                               ; preds = %65
  %100 = load float, ptr addrspace(3) @binomial_block.values, align 4, !dbg !89, !tbaa !24
  %101 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #11, !dbg !90
  %102 = getelementptr inbounds nuw float, ptr addrspace(1) %2, i64 %101, !dbg !91
  store float %100, ptr addrspace(1) %102, align 4, !dbg !92, !tbaa !24
  br label %103, !dbg !93

103:                                              ; preds = %99, %65
  ret void, !dbg !94
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @binomial_thread(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2, i32 noundef %3, i32 noundef %4, float noundef %5, float noundef %6, float noundef %7, float noundef %8) local_unnamed_addr #2 !dbg !95 !kernel_arg_addr_space !96 !kernel_arg_access_qual !97 !kernel_arg_type !98 !kernel_arg_base_type !98 !kernel_arg_type_qual !99 {
  tail call void @__clang_ocl_kern_imp_binomial_thread(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, i32 noundef %3, i32 noundef %4, float noundef %5, float noundef %6, float noundef %7, float noundef %8) #10, !dbg !100
  ret void, !dbg !101
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_binomial_thread(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2, i32 noundef %3, i32 noundef %4, float noundef %5, float noundef %6, float noundef %7, float noundef %8) local_unnamed_addr #3 !dbg !102 !kernel_arg_addr_space !96 !kernel_arg_access_qual !97 !kernel_arg_type !98 !kernel_arg_base_type !98 !kernel_arg_type_qual !99 {
  %10 = alloca [65 x float], align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %10) #12, !dbg !103
  %11 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #11, !dbg !104
  %12 = trunc i64 %11 to i32, !dbg !104
  %13 = icmp sgt i32 %3, %12, !dbg !105
  br i1 %13, label %14, label %77, !dbg !105

14:                                               ; preds = %9
  %15 = shl i64 %11, 32, !dbg !106
  %16 = ashr exact i64 %15, 32, !dbg !106
  %17 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %16, !dbg !106
  %18 = load float, ptr addrspace(1) %17, align 4, !dbg !106, !tbaa !24
  %19 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %16, !dbg !107
  %20 = load float, ptr addrspace(1) %19, align 4, !dbg !107, !tbaa !24
  %21 = icmp sgt i32 %4, 0, !dbg !108
  br i1 %21, label %22, label %33, !dbg !110

22:                                               ; preds = %14, %22
  %23 = phi i32 [ %31, %22 ], [ %4, %14 ]
  %24 = phi float [ %29, %22 ], [ 1.000000e+00, %14 ]
  %25 = phi float [ %30, %22 ], [ %5, %14 ]
  %26 = and i32 %23, 1, !dbg !111
  %27 = icmp eq i32 %26, 0, !dbg !112
  %28 = fmul float %24, %25
  %29 = select i1 %27, float %24, float %28, !dbg !112
  %30 = fmul float %25, %25, !dbg !113
  %31 = lshr i32 %23, 1, !dbg !114
  %32 = icmp eq i32 %31, 0, !dbg !108
  br i1 %32, label %33, label %22, !dbg !110, !llvm.loop !115

33:                                               ; preds = %22, %14
  %34 = phi float [ 1.000000e+00, %14 ], [ %29, %22 ], !dbg !117
  %35 = fmul float %20, %34, !dbg !118
  %36 = icmp slt i32 %4, 0, !dbg !119
  br i1 %36, label %37, label %38, !dbg !120

37:                                               ; preds = %38, %33
  br i1 %21, label %52, label %49, !dbg !121

38:                                               ; preds = %33, %38
  %39 = phi float [ %46, %38 ], [ %35, %33 ]
  %40 = phi i32 [ %47, %38 ], [ 0, %33 ]
  %41 = fsub float %18, %39, !dbg !122
  %42 = fcmp ogt float %41, 0.000000e+00, !dbg !123
  %43 = select i1 %42, float %41, float 0.000000e+00, !dbg !124
  %44 = zext nneg i32 %40 to i64, !dbg !125
  %45 = getelementptr inbounds nuw float, ptr %10, i64 %44, !dbg !125
  store float %43, ptr %45, align 4, !dbg !126, !tbaa !24
  %46 = fmul float %6, %39, !dbg !127
  %47 = add nuw i32 %40, 1, !dbg !128
  %48 = icmp eq i32 %40, %4, !dbg !119
  br i1 %48, label %37, label %38, !dbg !120, !llvm.loop !129

49:                                               ; preds = %57, %37
  %50 = load float, ptr %10, align 4, !dbg !131, !tbaa !24
  %51 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %16, !dbg !132
  store float %50, ptr addrspace(1) %51, align 4, !dbg !133, !tbaa !24
  br label %77, !dbg !134

52:                                               ; preds = %37, %57
  %53 = phi float [ %55, %57 ], [ %35, %37 ]
  %54 = phi i32 [ %58, %57 ], [ %4, %37 ]
  %55 = fdiv float %53, %5, !dbg !135, !fpmath !136
  %56 = load float, ptr %10, align 4, !dbg !137, !tbaa !24
  br label %60, !dbg !138

57:                                               ; preds = %60
  %58 = add nsw i32 %54, -1, !dbg !139
  %59 = icmp samesign ugt i32 %54, 1, !dbg !140
  br i1 %59, label %52, label %49, !dbg !121, !llvm.loop !141

60:                                               ; preds = %52, %60
  %61 = phi float [ %56, %52 ], [ %67, %60 ], !dbg !137
  %62 = phi float [ %55, %52 ], [ %75, %60 ]
  %63 = phi i32 [ 0, %52 ], [ %64, %60 ]
  %64 = add nuw nsw i32 %63, 1, !dbg !143
  %65 = zext nneg i32 %64 to i64, !dbg !144
  %66 = getelementptr inbounds nuw float, ptr %10, i64 %65, !dbg !144
  %67 = load float, ptr %66, align 4, !dbg !144, !tbaa !24
  %68 = zext nneg i32 %63 to i64, !dbg !137
  %69 = getelementptr inbounds nuw float, ptr %10, i64 %68, !dbg !137
  %70 = fmul float %8, %61, !dbg !145
  %71 = tail call float @llvm.fmuladd.f32(float %7, float %67, float %70), !dbg !146
  %72 = fsub float %18, %62, !dbg !147
  %73 = fcmp ogt float %71, %72, !dbg !148
  %74 = select i1 %73, float %71, float %72, !dbg !149
  store float %74, ptr %69, align 4, !dbg !150, !tbaa !24
  %75 = fmul float %6, %62, !dbg !151
  %76 = icmp eq i32 %64, %54, !dbg !152
  br i1 %76, label %57, label %60, !dbg !138, !llvm.loop !153

77:                                               ; preds = %49, %9
  call void @llvm.lifetime.end.p0(ptr nonnull %10) #12, !dbg !155
  ret void, !dbg !155
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define dso_local ptx_kernel void @binomial_pair(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2, float noundef %3, float noundef %4, float noundef %5, float noundef %6) local_unnamed_addr #4 !dbg !156 !kernel_arg_addr_space !157 !kernel_arg_access_qual !158 !kernel_arg_type !159 !kernel_arg_base_type !159 !kernel_arg_type_qual !160 {
  tail call void @__clang_ocl_kern_imp_binomial_pair(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, float noundef %3, float noundef %4, float noundef %5, float noundef %6) #10, !dbg !161
  ret void, !dbg !162
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define dso_local void @__clang_ocl_kern_imp_binomial_pair(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2, float noundef %3, float noundef %4, float noundef %5, float noundef %6) local_unnamed_addr #5 !dbg !163 !kernel_arg_addr_space !157 !kernel_arg_access_qual !158 !kernel_arg_type !159 !kernel_arg_base_type !159 !kernel_arg_type_qual !160 {
  %8 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #11, !dbg !164
  %9 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #11, !dbg !165
  %10 = shl i64 %8, 32, !dbg !166
  %11 = shl i64 %9, 39, !dbg !167
  %12 = add i64 %11, %10, !dbg !167
  %13 = ashr exact i64 %12, 32, !dbg !167
  %14 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %13, !dbg !167
  %15 = load float, ptr addrspace(1) %14, align 4, !dbg !167, !tbaa !24
  %16 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %13, !dbg !168
  %17 = load float, ptr addrspace(1) %16, align 4, !dbg !168, !tbaa !24
  br label %18, !dbg !169

18:                                               ; preds = %18, %7
  %19 = phi i32 [ %27, %18 ], [ 32, %7 ]
  %20 = phi float [ %25, %18 ], [ 1.000000e+00, %7 ]
  %21 = phi float [ %26, %18 ], [ %3, %7 ]
  %22 = and i32 %19, 1, !dbg !171
  %23 = icmp eq i32 %22, 0, !dbg !172
  %24 = fmul float %20, %21
  %25 = select i1 %23, float %20, float %24, !dbg !172
  %26 = fmul float %21, %21, !dbg !173
  %27 = lshr i32 %19, 1, !dbg !174
  %28 = icmp eq i32 %27, 0, !dbg !175
  br i1 %28, label %29, label %18, !dbg !169, !llvm.loop !176

29:                                               ; preds = %18
  %30 = ashr exact i64 %10, 32, !dbg !166
  %31 = fmul float %17, %25, !dbg !178
  %32 = getelementptr float, ptr addrspace(3) @binomial_pair.values, i64 %30, !dbg !179
  br label %38, !dbg !180

33:                                               ; preds = %38
  %34 = fmul float %5, %5, !dbg !181
  %35 = fmul float %5, 2.000000e+00, !dbg !182
  %36 = fmul float %35, %6, !dbg !183
  %37 = fmul float %6, %6, !dbg !184
  br label %49, !dbg !185

38:                                               ; preds = %29, %38
  %39 = phi float [ %31, %29 ], [ %46, %38 ]
  %40 = phi i32 [ 0, %29 ], [ %47, %38 ]
  %41 = fsub float %39, %15, !dbg !186
  %42 = fcmp ogt float %41, 0.000000e+00, !dbg !187
  %43 = select i1 %42, float %41, float 0.000000e+00, !dbg !188
  %44 = zext nneg i32 %40 to i64, !dbg !189
  %45 = getelementptr [128 x float], ptr addrspace(3) %32, i64 %44, !dbg !189
  store float %43, ptr addrspace(3) %45, align 4, !dbg !190, !tbaa !24
  %46 = fmul float %4, %39, !dbg !191
  %47 = add nuw nsw i32 %40, 1, !dbg !192
  %48 = icmp eq i32 %47, 33, !dbg !193
  br i1 %48, label %33, label %38, !dbg !180, !llvm.loop !194

49:                                               ; preds = %33, %55
  %50 = phi i32 [ 31, %33 ], [ %58, %55 ]
  %51 = phi i32 [ 32, %33 ], [ %56, %55 ]
  br label %59, !dbg !196

52:                                               ; preds = %55
  %53 = load float, ptr addrspace(3) %32, align 4, !dbg !197, !tbaa !24
  %54 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %13, !dbg !198
  store float %53, ptr addrspace(1) %54, align 4, !dbg !199, !tbaa !24
  ret void, !dbg !200

55:                                               ; preds = %59
  %56 = add nsw i32 %51, -2, !dbg !201
  %57 = icmp samesign ugt i32 %51, 2, !dbg !202
  %58 = add nsw i32 %50, -2, !dbg !185
  br i1 %57, label %49, label %52, !dbg !185, !llvm.loop !203

59:                                               ; preds = %49, %59
  %60 = phi i32 [ %70, %59 ], [ 0, %49 ]
  %61 = zext nneg i32 %60 to i64, !dbg !205
  %62 = getelementptr inbounds nuw [128 x float], ptr addrspace(3) @binomial_pair.values, i64 %61, !dbg !205
  %63 = getelementptr inbounds nuw i8, ptr addrspace(3) %62, i64 1024, !dbg !205
  %64 = getelementptr inbounds float, ptr addrspace(3) %63, i64 %30, !dbg !205
  %65 = load float, ptr addrspace(3) %64, align 4, !dbg !205, !tbaa !24
  %66 = getelementptr inbounds float, ptr addrspace(3) %62, i64 %30, !dbg !206
  %67 = load float, ptr addrspace(3) %66, align 4, !dbg !206, !tbaa !24
  %68 = fmul float %37, %67, !dbg !207
  %69 = tail call float @llvm.fmuladd.f32(float %34, float %65, float %68), !dbg !208
  %70 = add nuw nsw i32 %60, 1, !dbg !209
  %71 = zext nneg i32 %70 to i64, !dbg !210
  %72 = getelementptr [128 x float], ptr addrspace(3) %32, i64 %71, !dbg !210
  %73 = load float, ptr addrspace(3) %72, align 4, !dbg !210, !tbaa !24
  %74 = tail call float @llvm.fmuladd.f32(float %36, float %73, float %69), !dbg !211
  store float %74, ptr addrspace(3) %66, align 4, !dbg !212, !tbaa !24
  %75 = icmp eq i32 %70, %50, !dbg !213
  br i1 %75, label %55, label %59, !dbg !196, !llvm.loop !214
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #6

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #7

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #7

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #8

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #6

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z14get_local_sizej(i32 noundef) local_unnamed_addr #7

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #9

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #7

attributes #0 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { convergent nofree noinline norecurse nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #5 = { convergent nofree noinline norecurse nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #6 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #7 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #8 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #9 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #10 = { convergent nounwind }
attributes #11 = { convergent nounwind willreturn memory(none) }
attributes #12 = { nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "binomial.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "binomial_block", scope: !1, file: !1, line: 22, type: !13, scopeLine: 25, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 1, i32 0, i32 0, i32 0, i32 0, i32 0}
!16 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!17 = !{!"float*", !"float*", !"float*", !"int", !"float", !"float", !"float", !"float"}
!18 = !{!"restrict const", !"restrict const", !"restrict", !"", !"", !"", !"", !""}
!19 = !DILocation(line: 25, column: 49, scope: !12)
!20 = !DILocation(line: 45, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "binomial_block", scope: !1, file: !1, line: 22, type: !13, scopeLine: 25, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 28, column: 29, scope: !21)
!23 = !DILocation(line: 28, column: 24, scope: !21)
!24 = !{!25, !25, i64 0}
!25 = !{!"float", !10, i64 0}
!26 = !DILocation(line: 11, column: 28, scope: !27, inlinedAt: !28)
!27 = distinct !DISubprogram(name: "power", scope: !1, file: !1, line: 9, type: !13, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!28 = distinct !DILocation(line: 28, column: 48, scope: !21)
!29 = !DILocation(line: 11, column: 3, scope: !27, inlinedAt: !28)
!30 = !DILocation(line: 12, column: 11, scope: !27, inlinedAt: !28)
!31 = !DILocation(line: 12, column: 15, scope: !27, inlinedAt: !28)
!32 = !DILocation(line: 15, column: 10, scope: !27, inlinedAt: !28)
!33 = !DILocation(line: 11, column: 35, scope: !27, inlinedAt: !28)
!34 = distinct !{!34, !29, !35, !36}
!35 = !DILocation(line: 16, column: 3, scope: !27, inlinedAt: !28)
!36 = !{!"llvm.loop.unroll.disable"}
!37 = !DILocation(line: 0, scope: !27, inlinedAt: !28)
!38 = !DILocation(line: 28, column: 46, scope: !21)
!39 = !DILocation(line: 30, column: 16, scope: !21)
!40 = !DILocation(line: 30, scope: !21)
!41 = !DILocation(line: 30, column: 35, scope: !21)
!42 = !DILocation(line: 30, column: 3, scope: !21)
!43 = !DILocation(line: 29, column: 26, scope: !21)
!44 = !DILocation(line: 34, column: 3, scope: !21)
!45 = !DILocation(line: 11, column: 28, scope: !27, inlinedAt: !46)
!46 = distinct !DILocation(line: 31, column: 33, scope: !21)
!47 = !DILocation(line: 11, column: 3, scope: !27, inlinedAt: !46)
!48 = !DILocation(line: 12, column: 11, scope: !27, inlinedAt: !46)
!49 = !DILocation(line: 12, column: 15, scope: !27, inlinedAt: !46)
!50 = !DILocation(line: 15, column: 10, scope: !27, inlinedAt: !46)
!51 = !DILocation(line: 11, column: 35, scope: !27, inlinedAt: !46)
!52 = distinct !{!52, !47, !53, !36}
!53 = !DILocation(line: 16, column: 3, scope: !27, inlinedAt: !46)
!54 = !DILocation(line: 0, scope: !27, inlinedAt: !46)
!55 = !DILocation(line: 31, column: 49, scope: !21)
!56 = !DILocation(line: 32, column: 33, scope: !21)
!57 = !DILocation(line: 32, column: 28, scope: !21)
!58 = !DILocation(line: 32, column: 5, scope: !21)
!59 = !DILocation(line: 32, column: 26, scope: !21)
!60 = !DILocation(line: 30, column: 50, scope: !21)
!61 = !DILocation(line: 30, column: 47, scope: !21)
!62 = distinct !{!62, !42, !63, !36}
!63 = !DILocation(line: 33, column: 3, scope: !21)
!64 = !DILocation(line: 42, column: 7, scope: !21)
!65 = !DILocation(line: 42, column: 23, scope: !21)
!66 = !DILocation(line: 35, column: 5, scope: !21)
!67 = !DILocation(line: 36, column: 43, scope: !21)
!68 = !DILocation(line: 36, column: 34, scope: !21)
!69 = !DILocation(line: 37, column: 44, scope: !21)
!70 = !DILocation(line: 37, column: 29, scope: !21)
!71 = !DILocation(line: 38, column: 18, scope: !21)
!72 = !DILocation(line: 38, scope: !21)
!73 = !DILocation(line: 38, column: 37, scope: !21)
!74 = !DILocation(line: 38, column: 5, scope: !21)
!75 = !DILocation(line: 34, column: 30, scope: !21)
!76 = !DILocation(line: 34, column: 25, scope: !21)
!77 = distinct !{!77, !44, !78, !36}
!78 = !DILocation(line: 41, column: 3, scope: !21)
!79 = !DILocation(line: 39, column: 31, scope: !21)
!80 = !DILocation(line: 39, column: 60, scope: !21)
!81 = !DILocation(line: 39, column: 58, scope: !21)
!82 = !DILocation(line: 39, column: 44, scope: !21)
!83 = !DILocation(line: 39, column: 7, scope: !21)
!84 = !DILocation(line: 39, column: 17, scope: !21)
!85 = !DILocation(line: 38, column: 47, scope: !21)
!86 = !DILocation(line: 38, column: 44, scope: !21)
!87 = distinct !{!87, !74, !88, !36}
!88 = !DILocation(line: 40, column: 5, scope: !21)
!89 = !DILocation(line: 43, column: 30, scope: !21)
!90 = !DILocation(line: 43, column: 11, scope: !21)
!91 = !DILocation(line: 43, column: 5, scope: !21)
!92 = !DILocation(line: 43, column: 28, scope: !21)
!93 = !DILocation(line: 44, column: 3, scope: !21)
!94 = !DILocation(line: 45, column: 1, scope: !21)
!95 = distinct !DISubprogram(name: "binomial_thread", scope: !1, file: !1, line: 49, type: !13, scopeLine: 52, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!96 = !{i32 1, i32 1, i32 1, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0}
!97 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!98 = !{!"float*", !"float*", !"float*", !"int", !"int", !"float", !"float", !"float", !"float"}
!99 = !{!"restrict const", !"restrict const", !"restrict", !"", !"", !"", !"", !"", !""}
!100 = !DILocation(line: 52, column: 50, scope: !95)
!101 = !DILocation(line: 77, column: 1, scope: !95)
!102 = distinct !DISubprogram(name: "binomial_thread", scope: !1, file: !1, line: 49, type: !13, scopeLine: 52, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!103 = !DILocation(line: 53, column: 3, scope: !102)
!104 = !DILocation(line: 55, column: 22, scope: !102)
!105 = !DILocation(line: 56, column: 14, scope: !102)
!106 = !DILocation(line: 57, column: 28, scope: !102)
!107 = !DILocation(line: 58, column: 20, scope: !102)
!108 = !DILocation(line: 11, column: 28, scope: !27, inlinedAt: !109)
!109 = distinct !DILocation(line: 58, column: 35, scope: !102)
!110 = !DILocation(line: 11, column: 3, scope: !27, inlinedAt: !109)
!111 = !DILocation(line: 12, column: 11, scope: !27, inlinedAt: !109)
!112 = !DILocation(line: 12, column: 15, scope: !27, inlinedAt: !109)
!113 = !DILocation(line: 15, column: 10, scope: !27, inlinedAt: !109)
!114 = !DILocation(line: 11, column: 35, scope: !27, inlinedAt: !109)
!115 = distinct !{!115, !110, !116, !36}
!116 = !DILocation(line: 16, column: 3, scope: !27, inlinedAt: !109)
!117 = !DILocation(line: 0, scope: !27, inlinedAt: !109)
!118 = !DILocation(line: 58, column: 33, scope: !102)
!119 = !DILocation(line: 60, column: 23, scope: !102)
!120 = !DILocation(line: 60, column: 5, scope: !102)
!121 = !DILocation(line: 65, column: 5, scope: !102)
!122 = !DILocation(line: 61, column: 35, scope: !102)
!123 = !DILocation(line: 62, column: 24, scope: !102)
!124 = !DILocation(line: 62, column: 19, scope: !102)
!125 = !DILocation(line: 62, column: 7, scope: !102)
!126 = !DILocation(line: 62, column: 17, scope: !102)
!127 = !DILocation(line: 63, column: 13, scope: !102)
!128 = !DILocation(line: 60, column: 33, scope: !102)
!129 = distinct !{!129, !120, !130, !36}
!130 = !DILocation(line: 64, column: 5, scope: !102)
!131 = !DILocation(line: 75, column: 21, scope: !102)
!132 = !DILocation(line: 75, column: 5, scope: !102)
!133 = !DILocation(line: 75, column: 19, scope: !102)
!134 = !DILocation(line: 76, column: 3, scope: !102)
!135 = !DILocation(line: 66, column: 14, scope: !102)
!136 = !{float 2.500000e+00}
!137 = !DILocation(line: 69, column: 70, scope: !102)
!138 = !DILocation(line: 68, column: 7, scope: !102)
!139 = !DILocation(line: 65, column: 32, scope: !102)
!140 = !DILocation(line: 65, column: 27, scope: !102)
!141 = distinct !{!141, !121, !142, !36}
!142 = !DILocation(line: 74, column: 5, scope: !102)
!143 = !DILocation(line: 69, column: 49, scope: !102)
!144 = !DILocation(line: 69, column: 40, scope: !102)
!145 = !DILocation(line: 69, column: 68, scope: !102)
!146 = !DILocation(line: 69, column: 54, scope: !102)
!147 = !DILocation(line: 70, column: 37, scope: !102)
!148 = !DILocation(line: 71, column: 26, scope: !102)
!149 = !DILocation(line: 71, column: 21, scope: !102)
!150 = !DILocation(line: 71, column: 19, scope: !102)
!151 = !DILocation(line: 72, column: 15, scope: !102)
!152 = !DILocation(line: 68, column: 25, scope: !102)
!153 = distinct !{!153, !138, !154, !36}
!154 = !DILocation(line: 73, column: 7, scope: !102)
!155 = !DILocation(line: 77, column: 1, scope: !102)
!156 = distinct !DISubprogram(name: "binomial_pair", scope: !1, file: !1, line: 81, type: !13, scopeLine: 83, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!157 = !{i32 1, i32 1, i32 1, i32 0, i32 0, i32 0, i32 0}
!158 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!159 = !{!"float*", !"float*", !"float*", !"float", !"float", !"float", !"float"}
!160 = !{!"restrict const", !"restrict const", !"restrict", !"", !"", !"", !""}
!161 = !DILocation(line: 83, column: 90, scope: !156)
!162 = !DILocation(line: 105, column: 1, scope: !156)
!163 = distinct !DISubprogram(name: "binomial_pair", scope: !1, file: !1, line: 81, type: !13, scopeLine: 83, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!164 = !DILocation(line: 86, column: 17, scope: !163)
!165 = !DILocation(line: 87, column: 22, scope: !163)
!166 = !DILocation(line: 87, column: 53, scope: !163)
!167 = !DILocation(line: 88, column: 26, scope: !163)
!168 = !DILocation(line: 89, column: 17, scope: !163)
!169 = !DILocation(line: 11, column: 3, scope: !27, inlinedAt: !170)
!170 = distinct !DILocation(line: 89, column: 32, scope: !163)
!171 = !DILocation(line: 12, column: 11, scope: !27, inlinedAt: !170)
!172 = !DILocation(line: 12, column: 15, scope: !27, inlinedAt: !170)
!173 = !DILocation(line: 15, column: 10, scope: !27, inlinedAt: !170)
!174 = !DILocation(line: 11, column: 35, scope: !27, inlinedAt: !170)
!175 = !DILocation(line: 11, column: 28, scope: !27, inlinedAt: !170)
!176 = distinct !{!176, !169, !177, !36}
!177 = !DILocation(line: 16, column: 3, scope: !27, inlinedAt: !170)
!178 = !DILocation(line: 89, column: 30, scope: !163)
!179 = !DILocation(line: 90, column: 8, scope: !163)
!180 = !DILocation(line: 90, column: 3, scope: !163)
!181 = !DILocation(line: 95, column: 34, scope: !163)
!182 = !DILocation(line: 96, column: 29, scope: !163)
!183 = !DILocation(line: 96, column: 41, scope: !163)
!184 = !DILocation(line: 97, column: 37, scope: !163)
!185 = !DILocation(line: 98, column: 3, scope: !163)
!186 = !DILocation(line: 91, column: 30, scope: !163)
!187 = !DILocation(line: 92, column: 25, scope: !163)
!188 = !DILocation(line: 92, column: 20, scope: !163)
!189 = !DILocation(line: 92, column: 5, scope: !163)
!190 = !DILocation(line: 92, column: 18, scope: !163)
!191 = !DILocation(line: 93, column: 11, scope: !163)
!192 = !DILocation(line: 90, column: 36, scope: !163)
!193 = !DILocation(line: 90, column: 21, scope: !163)
!194 = distinct !{!194, !180, !195, !36}
!195 = !DILocation(line: 94, column: 3, scope: !163)
!196 = !DILocation(line: 99, column: 5, scope: !163)
!197 = !DILocation(line: 104, column: 19, scope: !163)
!198 = !DILocation(line: 104, column: 3, scope: !163)
!199 = !DILocation(line: 104, column: 17, scope: !163)
!200 = !DILocation(line: 105, column: 1, scope: !163)
!201 = !DILocation(line: 98, column: 37, scope: !163)
!202 = !DILocation(line: 98, column: 30, scope: !163)
!203 = distinct !{!203, !185, !204, !36}
!204 = !DILocation(line: 103, column: 3, scope: !163)
!205 = !DILocation(line: 100, column: 36, scope: !163)
!206 = !DILocation(line: 100, column: 65, scope: !163)
!207 = !DILocation(line: 100, column: 63, scope: !163)
!208 = !DILocation(line: 100, column: 53, scope: !163)
!209 = !DILocation(line: 101, column: 48, scope: !163)
!210 = !DILocation(line: 101, column: 39, scope: !163)
!211 = !DILocation(line: 101, column: 28, scope: !163)
!212 = !DILocation(line: 101, column: 20, scope: !163)
!213 = !DILocation(line: 99, column: 23, scope: !163)
!214 = distinct !{!214, !196, !215, !36}
!215 = !DILocation(line: 102, column: 5, scope: !163)
