; ModuleID = 'particles.cl'
source_filename = "particles.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@sort_local.part = internal unnamed_addr addrspace(3) global [512 x i32] undef, align 4
@sort_local.part_ids = internal unnamed_addr addrspace(3) global [512 x i32] undef, align 4
@merge_local.part = internal unnamed_addr addrspace(3) global [512 x i32] undef, align 4
@merge_local.part_ids = internal unnamed_addr addrspace(3) global [512 x i32] undef, align 4
@find_cells.before = internal unnamed_addr addrspace(3) global [257 x i32] undef, align 4

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @integrate(ptr addrspace(1) noundef align 16 captures(none) %0, ptr addrspace(1) noundef align 16 captures(none) %1, i32 noundef %2, ptr addrspace(4) noundef readonly align 4 captures(none) %3) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !18 !kernel_arg_type_qual !19 {
  tail call void @__clang_ocl_kern_imp_integrate(ptr addrspace(1) noundef align 16 %0, ptr addrspace(1) noundef align 16 %1, i32 noundef %2, ptr addrspace(4) noundef align 4 %3) #11, !dbg !20
  ret void, !dbg !21
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_integrate(ptr addrspace(1) noundef align 16 captures(none) %0, ptr addrspace(1) noundef align 16 captures(none) %1, i32 noundef %2, ptr addrspace(4) noundef readonly align 4 captures(none) %3) local_unnamed_addr #1 !dbg !22 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !18 !kernel_arg_type_qual !19 {
  %5 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #12, !dbg !23
  %6 = trunc i64 %5 to i32, !dbg !23
  %7 = icmp sgt i32 %2, %6, !dbg !24
  br i1 %7, label %8, label %71, !dbg !24

8:                                                ; preds = %4
  %9 = shl i64 %5, 32, !dbg !25
  %10 = ashr exact i64 %9, 32, !dbg !25
  %11 = getelementptr inbounds <4 x float>, ptr addrspace(1) %0, i64 %10, !dbg !25
  %12 = load <4 x float>, ptr addrspace(1) %11, align 16, !dbg !25, !tbaa !26
  %13 = getelementptr inbounds <4 x float>, ptr addrspace(1) %1, i64 %10, !dbg !27
  %14 = load <4 x float>, ptr addrspace(1) %13, align 16, !dbg !27, !tbaa !26
  %15 = extractelement <4 x float> %12, i64 0, !dbg !28
  %16 = extractelement <4 x float> %12, i64 1, !dbg !29
  %17 = extractelement <4 x float> %12, i64 2, !dbg !30
  %18 = extractelement <4 x float> %14, i64 0, !dbg !31
  %19 = getelementptr inbounds nuw i8, ptr addrspace(4) %3, i64 8, !dbg !32
  %20 = load float, ptr addrspace(4) %19, align 4, !dbg !32, !tbaa !33
  %21 = fmul float %18, %20, !dbg !36
  %22 = extractelement <4 x float> %14, i64 1, !dbg !37
  %23 = getelementptr inbounds nuw i8, ptr addrspace(4) %3, i64 4, !dbg !38
  %24 = load float, ptr addrspace(4) %23, align 4, !dbg !38, !tbaa !39
  %25 = load float, ptr addrspace(4) %3, align 4, !dbg !40, !tbaa !41
  %26 = tail call float @llvm.fmuladd.f32(float %24, float %25, float %22), !dbg !42
  %27 = fmul float %20, %26, !dbg !43
  %28 = extractelement <4 x float> %14, i64 2, !dbg !44
  %29 = fmul float %28, %20, !dbg !45
  %30 = tail call float @llvm.fmuladd.f32(float %21, float %25, float %15), !dbg !46
  %31 = tail call float @llvm.fmuladd.f32(float %27, float %25, float %16), !dbg !47
  %32 = tail call float @llvm.fmuladd.f32(float %29, float %25, float %17), !dbg !48
  %33 = getelementptr inbounds nuw i8, ptr addrspace(4) %3, i64 16, !dbg !49
  %34 = load float, ptr addrspace(4) %33, align 4, !dbg !49, !tbaa !50
  %35 = getelementptr inbounds nuw i8, ptr addrspace(4) %3, i64 12, !dbg !51
  %36 = load float, ptr addrspace(4) %35, align 4, !dbg !51, !tbaa !52
  %37 = fsub float 1.000000e+00, %34, !dbg !53
  %38 = fcmp ogt float %30, %37, !dbg !56
  %39 = fmul float %21, %36
  %40 = select i1 %38, float %37, float %30, !dbg !56
  %41 = select i1 %38, float %39, float %21, !dbg !56
  %42 = fneg float %37, !dbg !57
  %43 = fcmp olt float %40, %42, !dbg !58
  %44 = fmul float %36, %41
  %45 = select i1 %43, float %42, float %40, !dbg !58
  %46 = select i1 %43, float %44, float %41, !dbg !58
  %47 = fcmp ogt float %31, %37, !dbg !59
  %48 = fmul float %36, %27
  %49 = select i1 %47, float %37, float %31, !dbg !59
  %50 = select i1 %47, float %48, float %27, !dbg !59
  %51 = fcmp olt float %49, %42, !dbg !61
  %52 = fmul float %36, %50
  %53 = select i1 %51, float %42, float %49, !dbg !61
  %54 = select i1 %51, float %52, float %50, !dbg !61
  %55 = fcmp ogt float %32, %37, !dbg !62
  %56 = fmul float %29, %36
  %57 = select i1 %55, float %37, float %32, !dbg !62
  %58 = select i1 %55, float %56, float %29, !dbg !62
  %59 = fcmp olt float %57, %42, !dbg !64
  %60 = fmul float %36, %58
  %61 = select i1 %59, float %42, float %57, !dbg !64
  %62 = select i1 %59, float %60, float %58, !dbg !64
  %63 = insertelement <4 x float> poison, float %45, i64 0, !dbg !65
  %64 = insertelement <4 x float> %63, float %53, i64 1, !dbg !65
  %65 = insertelement <4 x float> %64, float %61, i64 2, !dbg !65
  %66 = shufflevector <4 x float> %65, <4 x float> %12, <4 x i32> <i32 0, i32 1, i32 2, i32 7>, !dbg !65
  store <4 x float> %66, ptr addrspace(1) %11, align 16, !dbg !66, !tbaa !26
  %67 = insertelement <4 x float> poison, float %46, i64 0, !dbg !67
  %68 = insertelement <4 x float> %67, float %54, i64 1, !dbg !67
  %69 = insertelement <4 x float> %68, float %62, i64 2, !dbg !67
  %70 = shufflevector <4 x float> %69, <4 x float> %14, <4 x i32> <i32 0, i32 1, i32 2, i32 7>, !dbg !67
  store <4 x float> %70, ptr addrspace(1) %13, align 16, !dbg !68, !tbaa !26
  br label %71, !dbg !69

71:                                               ; preds = %4, %8
  ret void, !dbg !69
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @hash_balls(ptr addrspace(1) noundef writeonly align 4 captures(none) %0, ptr addrspace(1) noundef writeonly align 4 captures(none) %1, ptr addrspace(1) noundef readonly align 16 captures(none) %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef readonly align 4 captures(none) %5) local_unnamed_addr #0 !dbg !70 !kernel_arg_addr_space !71 !kernel_arg_access_qual !72 !kernel_arg_type !73 !kernel_arg_base_type !74 !kernel_arg_type_qual !75 {
  tail call void @__clang_ocl_kern_imp_hash_balls(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 16 %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef align 4 %5) #11, !dbg !76
  ret void, !dbg !77
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_hash_balls(ptr addrspace(1) noundef writeonly align 4 captures(none) %0, ptr addrspace(1) noundef writeonly align 4 captures(none) %1, ptr addrspace(1) noundef readonly align 16 captures(none) %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef readonly align 4 captures(none) %5) local_unnamed_addr #1 !dbg !78 !kernel_arg_addr_space !71 !kernel_arg_access_qual !72 !kernel_arg_type !73 !kernel_arg_base_type !74 !kernel_arg_type_qual !75 {
  %7 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #12, !dbg !79
  %8 = trunc i64 %7 to i32, !dbg !79
  %9 = shl i64 %7, 32, !dbg !80
  %10 = ashr exact i64 %9, 32, !dbg !80
  %11 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %10, !dbg !80
  store i32 %8, ptr addrspace(1) %11, align 4, !dbg !81, !tbaa !8
  %12 = icmp sgt i32 %3, %8, !dbg !82
  br i1 %12, label %13, label %41, !dbg !82

13:                                               ; preds = %6
  %14 = getelementptr inbounds <4 x float>, ptr addrspace(1) %2, i64 %10, !dbg !83
  %15 = load <3 x float>, ptr addrspace(1) %14, align 16, !dbg !83
  %16 = getelementptr inbounds nuw i8, ptr addrspace(4) %5, i64 48, !dbg !84
  %17 = load float, ptr addrspace(4) %16, align 4, !dbg !84, !tbaa !85
  %18 = fadd <3 x float> %15, splat (float 1.000000e+00), !dbg !86
  %19 = insertelement <3 x float> poison, float %17, i64 0, !dbg !89
  %20 = shufflevector <3 x float> %19, <3 x float> poison, <3 x i32> zeroinitializer, !dbg !89
  %21 = fmul <3 x float> %18, %20, !dbg !90
  %22 = extractelement <3 x float> %21, i64 0, !dbg !91
  %23 = tail call float @_Z5floorf(float noundef %22) #12, !dbg !92
  %24 = fptosi float %23 to i32, !dbg !93
  %25 = extractelement <3 x float> %21, i64 1, !dbg !94
  %26 = tail call float @_Z5floorf(float noundef %25) #12, !dbg !95
  %27 = fptosi float %26 to i32, !dbg !96
  %28 = extractelement <3 x float> %21, i64 2, !dbg !97
  %29 = tail call float @_Z5floorf(float noundef %28) #12, !dbg !98
  %30 = fptosi float %29 to i32, !dbg !99
  %31 = and i32 %4, 31, !dbg !100
  %32 = shl nsw i32 -1, %31, !dbg !103
  %33 = xor i32 %32, -1, !dbg !103
  %34 = and i32 %30, %33, !dbg !104
  %35 = shl i32 %34, %31, !dbg !105
  %36 = and i32 %27, %33, !dbg !106
  %37 = or i32 %35, %36, !dbg !107
  %38 = shl i32 %37, %31, !dbg !108
  %39 = and i32 %24, %33, !dbg !109
  %40 = or i32 %38, %39, !dbg !110
  br label %41, !dbg !111

41:                                               ; preds = %6, %13
  %42 = phi i32 [ %40, %13 ], [ -1, %6 ], !dbg !112
  %43 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %10, !dbg !112
  store i32 %42, ptr addrspace(1) %43, align 4, !dbg !112, !tbaa !8
  ret void, !dbg !111
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @sort_local(ptr addrspace(1) noundef align 4 captures(none) %0, ptr addrspace(1) noundef align 4 captures(none) %1) local_unnamed_addr #2 !dbg !113 !kernel_arg_addr_space !114 !kernel_arg_access_qual !115 !kernel_arg_type !116 !kernel_arg_base_type !116 !kernel_arg_type_qual !117 {
  tail call void @__clang_ocl_kern_imp_sort_local(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1) #11, !dbg !118
  ret void, !dbg !119
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_sort_local(ptr addrspace(1) noundef align 4 captures(none) %0, ptr addrspace(1) noundef align 4 captures(none) %1) local_unnamed_addr #3 !dbg !120 !kernel_arg_addr_space !114 !kernel_arg_access_qual !115 !kernel_arg_type !116 !kernel_arg_base_type !116 !kernel_arg_type_qual !117 {
  %3 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #12, !dbg !121
  %4 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #12, !dbg !124
  %5 = shl i64 %3, 41, !dbg !125
  %6 = shl i64 %4, 32, !dbg !125
  %7 = add i64 %6, %5, !dbg !125
  %8 = ashr exact i64 %7, 30, !dbg !125
  %9 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %8, !dbg !125
  %10 = load i32, ptr addrspace(1) %9, align 4, !dbg !125, !tbaa !8
  %11 = getelementptr inbounds nuw i32, ptr addrspace(3) @sort_local.part, i64 %4, !dbg !126
  store i32 %10, ptr addrspace(3) %11, align 4, !dbg !127, !tbaa !8
  %12 = add i64 %7, 1099511627776, !dbg !128
  %13 = ashr exact i64 %12, 30, !dbg !128
  %14 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %13, !dbg !128
  %15 = load i32, ptr addrspace(1) %14, align 4, !dbg !128, !tbaa !8
  %16 = getelementptr i8, ptr addrspace(3) %11, i64 1024, !dbg !129
  store i32 %15, ptr addrspace(3) %16, align 4, !dbg !130, !tbaa !8
  %17 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %8, !dbg !131
  %18 = load i32, ptr addrspace(1) %17, align 4, !dbg !131, !tbaa !8
  %19 = getelementptr inbounds nuw i32, ptr addrspace(3) @sort_local.part_ids, i64 %4, !dbg !133
  store i32 %18, ptr addrspace(3) %19, align 4, !dbg !134, !tbaa !8
  %20 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %13, !dbg !135
  %21 = load i32, ptr addrspace(1) %20, align 4, !dbg !135, !tbaa !8
  %22 = getelementptr i8, ptr addrspace(3) %19, i64 1024, !dbg !136
  store i32 %21, ptr addrspace(3) %22, align 4, !dbg !137, !tbaa !8
  br label %44, !dbg !138

23:                                               ; preds = %79
  tail call void @_Z7barrierj(i32 noundef 1) #11, !dbg !139
  %24 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #12, !dbg !140
  %25 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #12, !dbg !143
  %26 = getelementptr inbounds nuw i32, ptr addrspace(3) @sort_local.part, i64 %25, !dbg !144
  %27 = load i32, ptr addrspace(3) %26, align 4, !dbg !144, !tbaa !8
  %28 = shl i64 %24, 41, !dbg !145
  %29 = shl i64 %25, 32, !dbg !145
  %30 = add i64 %29, %28, !dbg !145
  %31 = ashr exact i64 %30, 30, !dbg !145
  %32 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %31, !dbg !145
  store i32 %27, ptr addrspace(1) %32, align 4, !dbg !146, !tbaa !8
  %33 = getelementptr i8, ptr addrspace(3) %26, i64 1024, !dbg !147
  %34 = load i32, ptr addrspace(3) %33, align 4, !dbg !147, !tbaa !8
  %35 = add i64 %30, 1099511627776, !dbg !148
  %36 = ashr exact i64 %35, 30, !dbg !148
  %37 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %36, !dbg !148
  store i32 %34, ptr addrspace(1) %37, align 4, !dbg !149, !tbaa !8
  %38 = getelementptr inbounds nuw i32, ptr addrspace(3) @sort_local.part_ids, i64 %25, !dbg !150
  %39 = load i32, ptr addrspace(3) %38, align 4, !dbg !150, !tbaa !8
  %40 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %31, !dbg !152
  store i32 %39, ptr addrspace(1) %40, align 4, !dbg !153, !tbaa !8
  %41 = getelementptr i8, ptr addrspace(3) %38, i64 1024, !dbg !154
  %42 = load i32, ptr addrspace(3) %41, align 4, !dbg !154, !tbaa !8
  %43 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %36, !dbg !155
  store i32 %42, ptr addrspace(1) %43, align 4, !dbg !156, !tbaa !8
  ret void, !dbg !157

44:                                               ; preds = %2, %79
  %45 = phi i32 [ 0, %2 ], [ %80, %79 ]
  %46 = shl nuw nsw i32 2, %45, !dbg !158
  %47 = shl nuw nsw i32 1, %45, !dbg !159
  %48 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #12, !dbg !160
  %49 = trunc i64 %48 to i32, !dbg !160
  %50 = shl i32 %49, 9, !dbg !160
  %51 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #12, !dbg !163
  %52 = trunc i64 %51 to i32, !dbg !163
  %53 = shl nsw i32 %52, 1
  br label %54, !dbg !164

54:                                               ; preds = %76, %44
  %55 = phi i32 [ %47, %44 ], [ %77, %76 ]
  tail call void @_Z7barrierj(i32 noundef 1) #11, !dbg !165
  %56 = add nsw i32 %55, -1, !dbg !166
  %57 = and i32 %56, %52, !dbg !167
  %58 = sub nsw i32 %53, %57, !dbg !168
  %59 = add nsw i32 %58, %55, !dbg !169
  %60 = add nsw i32 %58, %50, !dbg !170
  %61 = and i32 %60, %46, !dbg !171
  %62 = sext i32 %58 to i64, !dbg !172
  %63 = getelementptr inbounds i32, ptr addrspace(3) @sort_local.part, i64 %62, !dbg !172
  %64 = load i32, ptr addrspace(3) %63, align 4, !dbg !172, !tbaa !8
  %65 = sext i32 %59 to i64, !dbg !173
  %66 = getelementptr inbounds i32, ptr addrspace(3) @sort_local.part, i64 %65, !dbg !173
  %67 = load i32, ptr addrspace(3) %66, align 4, !dbg !173, !tbaa !8
  %68 = icmp ugt i32 %64, %67, !dbg !174
  %69 = icmp ne i32 %61, 0, !dbg !175
  %70 = xor i1 %68, %69, !dbg !175
  br i1 %70, label %71, label %76, !dbg !175

71:                                               ; preds = %54
  %72 = getelementptr inbounds i32, ptr addrspace(3) @sort_local.part_ids, i64 %62, !dbg !176
  %73 = load i32, ptr addrspace(3) %72, align 4, !dbg !176, !tbaa !8
  store i32 %67, ptr addrspace(3) %63, align 4, !dbg !177, !tbaa !8
  %74 = getelementptr inbounds i32, ptr addrspace(3) @sort_local.part_ids, i64 %65, !dbg !178
  %75 = load i32, ptr addrspace(3) %74, align 4, !dbg !178, !tbaa !8
  store i32 %75, ptr addrspace(3) %72, align 4, !dbg !179, !tbaa !8
  store i32 %64, ptr addrspace(3) %66, align 4, !dbg !180, !tbaa !8
  store i32 %73, ptr addrspace(3) %74, align 4, !dbg !181, !tbaa !8
  br label %76, !dbg !182

76:                                               ; preds = %71, %54
  %77 = lshr i32 %55, 1, !dbg !183
  %78 = icmp eq i32 %77, 0, !dbg !184
  br i1 %78, label %79, label %54, !dbg !164, !llvm.loop !185

79:                                               ; preds = %76
  %80 = add nuw nsw i32 %45, 1, !dbg !187
  %81 = icmp eq i32 %80, 9, !dbg !188
  br i1 %81, label %23, label %44, !dbg !138, !llvm.loop !189
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @merge_global(ptr addrspace(1) noundef align 4 captures(none) %0, ptr addrspace(1) noundef align 4 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 !dbg !191 !kernel_arg_addr_space !192 !kernel_arg_access_qual !16 !kernel_arg_type !193 !kernel_arg_base_type !193 !kernel_arg_type_qual !194 {
  tail call void @__clang_ocl_kern_imp_merge_global(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2, i32 noundef %3) #11, !dbg !195
  ret void, !dbg !196
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_merge_global(ptr addrspace(1) noundef align 4 captures(none) %0, ptr addrspace(1) noundef align 4 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #1 !dbg !197 !kernel_arg_addr_space !192 !kernel_arg_access_qual !16 !kernel_arg_type !193 !kernel_arg_base_type !193 !kernel_arg_type_qual !194 {
  %5 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #12, !dbg !198
  %6 = trunc i64 %5 to i32, !dbg !198
  %7 = shl nsw i32 %6, 1, !dbg !199
  %8 = add nsw i32 %3, -1, !dbg !200
  %9 = and i32 %8, %6, !dbg !201
  %10 = sub nsw i32 %7, %9, !dbg !202
  %11 = add nsw i32 %10, %3, !dbg !203
  %12 = sext i32 %10 to i64, !dbg !204
  %13 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %12, !dbg !204
  %14 = load i32, ptr addrspace(1) %13, align 4, !dbg !204, !tbaa !8
  %15 = sext i32 %11 to i64, !dbg !205
  %16 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %15, !dbg !205
  %17 = load i32, ptr addrspace(1) %16, align 4, !dbg !205, !tbaa !8
  %18 = icmp ugt i32 %14, %17, !dbg !206
  %19 = and i32 %10, %2, !dbg !207
  %20 = icmp ne i32 %19, 0, !dbg !208
  %21 = xor i1 %18, %20, !dbg !208
  br i1 %21, label %22, label %27, !dbg !208

22:                                               ; preds = %4
  %23 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %12, !dbg !209
  %24 = load i32, ptr addrspace(1) %23, align 4, !dbg !209, !tbaa !8
  store i32 %17, ptr addrspace(1) %13, align 4, !dbg !210, !tbaa !8
  %25 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %15, !dbg !211
  %26 = load i32, ptr addrspace(1) %25, align 4, !dbg !211, !tbaa !8
  store i32 %26, ptr addrspace(1) %23, align 4, !dbg !212, !tbaa !8
  store i32 %14, ptr addrspace(1) %16, align 4, !dbg !213, !tbaa !8
  store i32 %24, ptr addrspace(1) %25, align 4, !dbg !214, !tbaa !8
  br label %27, !dbg !215

27:                                               ; preds = %22, %4
  ret void, !dbg !216
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @merge_local(ptr addrspace(1) noundef align 4 captures(none) %0, ptr addrspace(1) noundef align 4 captures(none) %1, i32 noundef %2) local_unnamed_addr #2 !dbg !217 !kernel_arg_addr_space !218 !kernel_arg_access_qual !219 !kernel_arg_type !220 !kernel_arg_base_type !220 !kernel_arg_type_qual !221 {
  tail call void @__clang_ocl_kern_imp_merge_local(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2) #11, !dbg !222
  ret void, !dbg !223
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_merge_local(ptr addrspace(1) noundef align 4 captures(none) %0, ptr addrspace(1) noundef align 4 captures(none) %1, i32 noundef %2) local_unnamed_addr #3 !dbg !224 !kernel_arg_addr_space !218 !kernel_arg_access_qual !219 !kernel_arg_type !220 !kernel_arg_base_type !220 !kernel_arg_type_qual !221 {
  %4 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #12, !dbg !225
  %5 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #12, !dbg !227
  %6 = shl i64 %4, 41, !dbg !228
  %7 = shl i64 %5, 32, !dbg !228
  %8 = add i64 %7, %6, !dbg !228
  %9 = ashr exact i64 %8, 30, !dbg !228
  %10 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %9, !dbg !228
  %11 = load i32, ptr addrspace(1) %10, align 4, !dbg !228, !tbaa !8
  %12 = getelementptr inbounds nuw i32, ptr addrspace(3) @merge_local.part, i64 %5, !dbg !229
  store i32 %11, ptr addrspace(3) %12, align 4, !dbg !230, !tbaa !8
  %13 = add i64 %8, 1099511627776, !dbg !231
  %14 = ashr exact i64 %13, 30, !dbg !231
  %15 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %14, !dbg !231
  %16 = load i32, ptr addrspace(1) %15, align 4, !dbg !231, !tbaa !8
  %17 = getelementptr i8, ptr addrspace(3) %12, i64 1024, !dbg !232
  store i32 %16, ptr addrspace(3) %17, align 4, !dbg !233, !tbaa !8
  %18 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %9, !dbg !234
  %19 = load i32, ptr addrspace(1) %18, align 4, !dbg !234, !tbaa !8
  %20 = getelementptr inbounds nuw i32, ptr addrspace(3) @merge_local.part_ids, i64 %5, !dbg !236
  store i32 %19, ptr addrspace(3) %20, align 4, !dbg !237, !tbaa !8
  %21 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %14, !dbg !238
  %22 = load i32, ptr addrspace(1) %21, align 4, !dbg !238, !tbaa !8
  %23 = getelementptr i8, ptr addrspace(3) %20, i64 1024, !dbg !239
  store i32 %22, ptr addrspace(3) %23, align 4, !dbg !240, !tbaa !8
  %24 = trunc i64 %4 to i32, !dbg !241
  %25 = shl i32 %24, 9, !dbg !241
  %26 = trunc i64 %5 to i32, !dbg !243
  %27 = shl nsw i32 %26, 1
  br label %28, !dbg !244

28:                                               ; preds = %50, %3
  %29 = phi i32 [ 256, %3 ], [ %51, %50 ]
  tail call void @_Z7barrierj(i32 noundef 1) #11, !dbg !245
  %30 = add nsw i32 %29, -1, !dbg !246
  %31 = and i32 %30, %26, !dbg !247
  %32 = sub nsw i32 %27, %31, !dbg !248
  %33 = add nsw i32 %32, %29, !dbg !249
  %34 = add nsw i32 %32, %25, !dbg !250
  %35 = and i32 %34, %2, !dbg !251
  %36 = sext i32 %32 to i64, !dbg !252
  %37 = getelementptr inbounds i32, ptr addrspace(3) @merge_local.part, i64 %36, !dbg !252
  %38 = load i32, ptr addrspace(3) %37, align 4, !dbg !252, !tbaa !8
  %39 = sext i32 %33 to i64, !dbg !253
  %40 = getelementptr inbounds i32, ptr addrspace(3) @merge_local.part, i64 %39, !dbg !253
  %41 = load i32, ptr addrspace(3) %40, align 4, !dbg !253, !tbaa !8
  %42 = icmp ugt i32 %38, %41, !dbg !254
  %43 = icmp ne i32 %35, 0, !dbg !255
  %44 = xor i1 %42, %43, !dbg !255
  br i1 %44, label %45, label %50, !dbg !255

45:                                               ; preds = %28
  %46 = getelementptr inbounds i32, ptr addrspace(3) @merge_local.part_ids, i64 %36, !dbg !256
  %47 = load i32, ptr addrspace(3) %46, align 4, !dbg !256, !tbaa !8
  store i32 %41, ptr addrspace(3) %37, align 4, !dbg !257, !tbaa !8
  %48 = getelementptr inbounds i32, ptr addrspace(3) @merge_local.part_ids, i64 %39, !dbg !258
  %49 = load i32, ptr addrspace(3) %48, align 4, !dbg !258, !tbaa !8
  store i32 %49, ptr addrspace(3) %46, align 4, !dbg !259, !tbaa !8
  store i32 %38, ptr addrspace(3) %40, align 4, !dbg !260, !tbaa !8
  store i32 %47, ptr addrspace(3) %48, align 4, !dbg !261, !tbaa !8
  br label %50, !dbg !262

50:                                               ; preds = %45, %28
  %51 = lshr i32 %29, 1, !dbg !263
  %52 = icmp eq i32 %51, 0, !dbg !264
  br i1 %52, label %53, label %28, !dbg !244, !llvm.loop !265

53:                                               ; preds = %50
  tail call void @_Z7barrierj(i32 noundef 1) #11, !dbg !267
  %54 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #12, !dbg !268
  %55 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #12, !dbg !270
  %56 = getelementptr inbounds nuw i32, ptr addrspace(3) @merge_local.part, i64 %55, !dbg !271
  %57 = load i32, ptr addrspace(3) %56, align 4, !dbg !271, !tbaa !8
  %58 = shl i64 %54, 41, !dbg !272
  %59 = shl i64 %55, 32, !dbg !272
  %60 = add i64 %59, %58, !dbg !272
  %61 = ashr exact i64 %60, 30, !dbg !272
  %62 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %61, !dbg !272
  store i32 %57, ptr addrspace(1) %62, align 4, !dbg !273, !tbaa !8
  %63 = getelementptr i8, ptr addrspace(3) %56, i64 1024, !dbg !274
  %64 = load i32, ptr addrspace(3) %63, align 4, !dbg !274, !tbaa !8
  %65 = add i64 %60, 1099511627776, !dbg !275
  %66 = ashr exact i64 %65, 30, !dbg !275
  %67 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %66, !dbg !275
  store i32 %64, ptr addrspace(1) %67, align 4, !dbg !276, !tbaa !8
  %68 = getelementptr inbounds nuw i32, ptr addrspace(3) @merge_local.part_ids, i64 %55, !dbg !277
  %69 = load i32, ptr addrspace(3) %68, align 4, !dbg !277, !tbaa !8
  %70 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %61, !dbg !279
  store i32 %69, ptr addrspace(1) %70, align 4, !dbg !280, !tbaa !8
  %71 = getelementptr i8, ptr addrspace(3) %68, i64 1024, !dbg !281
  %72 = load i32, ptr addrspace(3) %71, align 4, !dbg !281, !tbaa !8
  %73 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %66, !dbg !282
  store i32 %72, ptr addrspace(1) %73, align 4, !dbg !283, !tbaa !8
  ret void, !dbg !284
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: write)
define dso_local ptx_kernel void @clear_cells(ptr addrspace(1) noundef writeonly align 4 captures(none) %0, i32 noundef %1) local_unnamed_addr #4 !dbg !285 !kernel_arg_addr_space !286 !kernel_arg_access_qual !115 !kernel_arg_type !287 !kernel_arg_base_type !287 !kernel_arg_type_qual !117 {
  tail call void @__clang_ocl_kern_imp_clear_cells(ptr addrspace(1) noundef align 4 %0, i32 noundef %1) #11, !dbg !288
  ret void, !dbg !289
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: write)
define dso_local void @__clang_ocl_kern_imp_clear_cells(ptr addrspace(1) noundef writeonly align 4 captures(none) %0, i32 noundef %1) local_unnamed_addr #5 !dbg !290 !kernel_arg_addr_space !286 !kernel_arg_access_qual !115 !kernel_arg_type !287 !kernel_arg_base_type !287 !kernel_arg_type_qual !117 {
  %3 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #12, !dbg !291
  %4 = trunc i64 %3 to i32, !dbg !291
  %5 = icmp sgt i32 %1, %4, !dbg !292
  br i1 %5, label %6, label %10, !dbg !292

6:                                                ; preds = %2
  %7 = shl i64 %3, 32
  %8 = ashr exact i64 %7, 30
  %9 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %8
  store i32 -1, ptr addrspace(1) %9, align 4, !dbg !293, !tbaa !8
  br label %10, !dbg !294

10:                                               ; preds = %6, %2
  ret void, !dbg !295
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @find_cells(ptr addrspace(1) noundef writeonly align 4 captures(none) %0, ptr addrspace(1) noundef writeonly align 4 captures(none) %1, ptr addrspace(1) noundef writeonly align 16 captures(none) %2, ptr addrspace(1) noundef writeonly align 16 captures(none) %3, ptr addrspace(1) noundef readonly align 4 captures(none) %4, ptr addrspace(1) noundef readonly align 4 captures(none) %5, ptr addrspace(1) noundef readonly align 16 captures(none) %6, ptr addrspace(1) noundef readonly align 16 captures(none) %7, i32 noundef %8) local_unnamed_addr #2 !dbg !296 !kernel_arg_addr_space !297 !kernel_arg_access_qual !298 !kernel_arg_type !299 !kernel_arg_base_type !300 !kernel_arg_type_qual !301 {
  tail call void @__clang_ocl_kern_imp_find_cells(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 16 %2, ptr addrspace(1) noundef align 16 %3, ptr addrspace(1) noundef align 4 %4, ptr addrspace(1) noundef align 4 %5, ptr addrspace(1) noundef align 16 %6, ptr addrspace(1) noundef align 16 %7, i32 noundef %8) #11, !dbg !302
  ret void, !dbg !303
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_find_cells(ptr addrspace(1) noundef writeonly align 4 captures(none) %0, ptr addrspace(1) noundef writeonly align 4 captures(none) %1, ptr addrspace(1) noundef writeonly align 16 captures(none) %2, ptr addrspace(1) noundef writeonly align 16 captures(none) %3, ptr addrspace(1) noundef readonly align 4 captures(none) %4, ptr addrspace(1) noundef readonly align 4 captures(none) %5, ptr addrspace(1) noundef readonly align 16 captures(none) %6, ptr addrspace(1) noundef readonly align 16 captures(none) %7, i32 noundef %8) local_unnamed_addr #3 !dbg !304 !kernel_arg_addr_space !297 !kernel_arg_access_qual !298 !kernel_arg_type !299 !kernel_arg_base_type !300 !kernel_arg_type_qual !301 {
  %10 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #12, !dbg !305
  %11 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #12, !dbg !306
  %12 = trunc i64 %11 to i32, !dbg !306
  %13 = icmp sgt i32 %8, %12, !dbg !307
  br i1 %13, label %14, label %32, !dbg !307

14:                                               ; preds = %9
  %15 = shl i64 %11, 32, !dbg !308
  %16 = ashr exact i64 %15, 30, !dbg !308
  %17 = getelementptr inbounds i8, ptr addrspace(1) %4, i64 %16, !dbg !308
  %18 = load i32, ptr addrspace(1) %17, align 4, !dbg !308, !tbaa !8
  %19 = shl i64 %10, 32, !dbg !309
  %20 = add i64 %19, 4294967296, !dbg !309
  %21 = ashr exact i64 %20, 30, !dbg !309
  %22 = getelementptr inbounds i8, ptr addrspace(3) @find_cells.before, i64 %21, !dbg !309
  store i32 %18, ptr addrspace(3) %22, align 4, !dbg !310, !tbaa !8
  %23 = and i64 %10, 4294967295, !dbg !311
  %24 = icmp eq i64 %23, 0, !dbg !311
  %25 = icmp sgt i32 %12, 0
  %26 = and i1 %24, %25, !dbg !312
  br i1 %26, label %27, label %32, !dbg !312

27:                                               ; preds = %14
  %28 = add i64 %11, 4294967295
  %29 = and i64 %28, 4294967295
  %30 = getelementptr inbounds nuw i32, ptr addrspace(1) %4, i64 %29
  %31 = load i32, ptr addrspace(1) %30, align 4, !dbg !313, !tbaa !8
  store i32 %31, ptr addrspace(3) @find_cells.before, align 4, !dbg !314, !tbaa !8
  br label %32, !dbg !315

32:                                               ; preds = %14, %27, %9
  %33 = phi i32 [ %18, %27 ], [ %18, %14 ], [ -1, %9 ], !dbg !316
  tail call void @_Z7barrierj(i32 noundef 1) #11, !dbg !317
  br i1 %13, label %34, label %71, !dbg !318

34:                                               ; preds = %32
  %35 = icmp eq i32 %12, 0, !dbg !319
  br i1 %35, label %42, label %36, !dbg !320

36:                                               ; preds = %34
  %37 = shl i64 %10, 32, !dbg !321
  %38 = ashr exact i64 %37, 30, !dbg !321
  %39 = getelementptr inbounds i8, ptr addrspace(3) @find_cells.before, i64 %38, !dbg !321
  %40 = load i32, ptr addrspace(3) %39, align 4, !dbg !321, !tbaa !8
  %41 = icmp eq i32 %33, %40, !dbg !322
  br i1 %41, label %53, label %42, !dbg !320

42:                                               ; preds = %36, %34
  %43 = zext i32 %33 to i64, !dbg !323
  %44 = getelementptr inbounds nuw i32, ptr addrspace(1) %0, i64 %43, !dbg !323
  store i32 %12, ptr addrspace(1) %44, align 4, !dbg !324, !tbaa !8
  %45 = icmp sgt i32 %12, 0, !dbg !325
  br i1 %45, label %46, label %53, !dbg !325

46:                                               ; preds = %42
  %47 = shl i64 %10, 32
  %48 = ashr exact i64 %47, 30
  %49 = getelementptr inbounds i8, ptr addrspace(3) @find_cells.before, i64 %48
  %50 = load i32, ptr addrspace(3) %49, align 4, !dbg !326, !tbaa !8
  %51 = zext i32 %50 to i64, !dbg !327
  %52 = getelementptr inbounds nuw i32, ptr addrspace(1) %1, i64 %51, !dbg !327
  store i32 %12, ptr addrspace(1) %52, align 4, !dbg !328, !tbaa !8
  br label %53, !dbg !327

53:                                               ; preds = %42, %46, %36
  %54 = add nsw i32 %8, -1, !dbg !329
  %55 = icmp eq i32 %54, %12, !dbg !330
  br i1 %55, label %56, label %59, !dbg !330

56:                                               ; preds = %53
  %57 = zext i32 %33 to i64
  %58 = getelementptr inbounds nuw i32, ptr addrspace(1) %1, i64 %57
  store i32 %8, ptr addrspace(1) %58, align 4, !dbg !331, !tbaa !8
  br label %59, !dbg !332

59:                                               ; preds = %56, %53
  %60 = shl i64 %11, 32, !dbg !333
  %61 = ashr exact i64 %60, 32, !dbg !333
  %62 = getelementptr inbounds i32, ptr addrspace(1) %5, i64 %61, !dbg !333
  %63 = load i32, ptr addrspace(1) %62, align 4, !dbg !333, !tbaa !8
  %64 = zext i32 %63 to i64, !dbg !334
  %65 = getelementptr inbounds nuw <4 x float>, ptr addrspace(1) %6, i64 %64, !dbg !334
  %66 = load <4 x float>, ptr addrspace(1) %65, align 16, !dbg !334, !tbaa !26
  %67 = getelementptr inbounds <4 x float>, ptr addrspace(1) %2, i64 %61, !dbg !335
  store <4 x float> %66, ptr addrspace(1) %67, align 16, !dbg !336, !tbaa !26
  %68 = getelementptr inbounds nuw <4 x float>, ptr addrspace(1) %7, i64 %64, !dbg !337
  %69 = load <4 x float>, ptr addrspace(1) %68, align 16, !dbg !337, !tbaa !26
  %70 = getelementptr inbounds <4 x float>, ptr addrspace(1) %3, i64 %61, !dbg !338
  store <4 x float> %69, ptr addrspace(1) %70, align 16, !dbg !339, !tbaa !26
  br label %71, !dbg !340

71:                                               ; preds = %32, %59
  ret void, !dbg !340
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @collide(ptr addrspace(1) noundef writeonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 16 captures(none) %1, ptr addrspace(1) noalias noundef readonly align 16 captures(none) %2, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %3, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %4, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %5, i32 noundef %6, i32 noundef %7, ptr addrspace(4) noundef readonly align 4 captures(none) %8) local_unnamed_addr #6 !dbg !341 !kernel_arg_addr_space !342 !kernel_arg_access_qual !298 !kernel_arg_type !343 !kernel_arg_base_type !344 !kernel_arg_type_qual !345 {
  tail call void @__clang_ocl_kern_imp_collide(ptr addrspace(1) noundef align 16 %0, ptr addrspace(1) noundef align 16 %1, ptr addrspace(1) noundef align 16 %2, ptr addrspace(1) noundef align 4 %3, ptr addrspace(1) noundef align 4 %4, ptr addrspace(1) noundef align 4 %5, i32 noundef %6, i32 noundef %7, ptr addrspace(4) noundef align 4 %8) #11, !dbg !346
  ret void, !dbg !347
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_collide(ptr addrspace(1) noundef writeonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 16 captures(none) %1, ptr addrspace(1) noalias noundef readonly align 16 captures(none) %2, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %3, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %4, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %5, i32 noundef %6, i32 noundef %7, ptr addrspace(4) noundef readonly align 4 captures(none) %8) local_unnamed_addr #7 !dbg !348 !kernel_arg_addr_space !342 !kernel_arg_access_qual !298 !kernel_arg_type !343 !kernel_arg_base_type !344 !kernel_arg_type_qual !345 {
  %10 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #12, !dbg !349
  %11 = trunc i64 %10 to i32, !dbg !349
  %12 = icmp sgt i32 %6, %11, !dbg !350
  br i1 %12, label %13, label %218, !dbg !350

13:                                               ; preds = %9
  %14 = shl i64 %10, 32, !dbg !351
  %15 = ashr exact i64 %14, 32, !dbg !351
  %16 = getelementptr inbounds <4 x float>, ptr addrspace(1) %1, i64 %15, !dbg !351
  %17 = load <4 x float>, ptr addrspace(1) %16, align 16, !dbg !351
  %18 = getelementptr inbounds <4 x float>, ptr addrspace(1) %2, i64 %15, !dbg !352
  %19 = load <4 x float>, ptr addrspace(1) %18, align 16, !dbg !352
  %20 = shufflevector <4 x float> %17, <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>, !dbg !353
  %21 = getelementptr inbounds nuw i8, ptr addrspace(4) %8, i64 48, !dbg !354
  %22 = load float, ptr addrspace(4) %21, align 4, !dbg !354, !tbaa !85
  %23 = fadd <3 x float> %20, splat (float 1.000000e+00), !dbg !355
  %24 = insertelement <3 x float> poison, float %22, i64 0, !dbg !357
  %25 = shufflevector <3 x float> %24, <3 x float> poison, <3 x i32> zeroinitializer, !dbg !357
  %26 = fmul <3 x float> %23, %25, !dbg !358
  %27 = extractelement <3 x float> %26, i64 0, !dbg !359
  %28 = tail call float @_Z5floorf(float noundef %27) #12, !dbg !360
  %29 = fptosi float %28 to i32, !dbg !361
  %30 = insertelement <3 x i32> poison, i32 %29, i64 0, !dbg !362
  %31 = extractelement <3 x float> %26, i64 1, !dbg !363
  %32 = tail call float @_Z5floorf(float noundef %31) #12, !dbg !364
  %33 = fptosi float %32 to i32, !dbg !365
  %34 = insertelement <3 x i32> %30, i32 %33, i64 1, !dbg !362
  %35 = extractelement <3 x float> %26, i64 2, !dbg !366
  %36 = tail call float @_Z5floorf(float noundef %35) #12, !dbg !367
  %37 = fptosi float %36 to i32, !dbg !368
  %38 = insertelement <3 x i32> %34, i32 %37, i64 2, !dbg !362
  %39 = and i32 %7, 31
  %40 = shl nsw i32 -1, %39
  %41 = xor i32 %40, -1
  %42 = getelementptr inbounds nuw i8, ptr addrspace(4) %8, i64 16
  %43 = getelementptr inbounds nuw i8, ptr addrspace(4) %8, i64 20
  %44 = getelementptr inbounds nuw i8, ptr addrspace(4) %8, i64 28
  %45 = getelementptr inbounds nuw i8, ptr addrspace(4) %8, i64 24
  br label %46, !dbg !369

46:                                               ; preds = %13, %119
  %47 = phi <4 x float> [ <float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float undef>, %13 ], [ %215, %119 ]
  %48 = phi i32 [ -1, %13 ], [ %120, %119 ]
  br label %116, !dbg !370

49:                                               ; preds = %119
  %50 = getelementptr inbounds nuw i8, ptr addrspace(4) %8, i64 32, !dbg !371
  %51 = load float, ptr addrspace(4) %50, align 4, !dbg !371, !tbaa !372
  %52 = insertelement <3 x float> poison, float %51, i64 0, !dbg !373
  %53 = getelementptr inbounds nuw i8, ptr addrspace(4) %8, i64 36, !dbg !374
  %54 = load float, ptr addrspace(4) %53, align 4, !dbg !374, !tbaa !375
  %55 = insertelement <3 x float> %52, float %54, i64 1, !dbg !373
  %56 = getelementptr inbounds nuw i8, ptr addrspace(4) %8, i64 40, !dbg !376
  %57 = load float, ptr addrspace(4) %56, align 4, !dbg !376, !tbaa !377
  %58 = insertelement <3 x float> %55, float %57, i64 2, !dbg !373
  %59 = fsub <3 x float> %58, %20, !dbg !378
  %60 = load float, ptr addrspace(4) %42, align 4, !dbg !379, !tbaa !50
  %61 = getelementptr inbounds nuw i8, ptr addrspace(4) %8, i64 44, !dbg !380
  %62 = load float, ptr addrspace(4) %61, align 4, !dbg !380, !tbaa !381
  %63 = fadd float %60, %62, !dbg !382
  %64 = extractelement <3 x float> %59, i64 0, !dbg !383
  %65 = extractelement <3 x float> %59, i64 1, !dbg !386
  %66 = fmul float %65, %65, !dbg !387
  %67 = tail call float @llvm.fmuladd.f32(float %64, float %64, float %66), !dbg !388
  %68 = extractelement <3 x float> %59, i64 2, !dbg !389
  %69 = tail call float @llvm.fmuladd.f32(float %68, float %68, float %67), !dbg !390
  %70 = tail call float @_Z4sqrtf(float noundef %69) #12, !dbg !391, !fpmath !392
  %71 = fcmp oge float %70, %63, !dbg !393
  %72 = fcmp oeq float %70, 0.000000e+00
  %73 = or i1 %71, %72, !dbg !394
  br i1 %73, label %105, label %74, !dbg !394

74:                                               ; preds = %49
  %75 = fneg <4 x float> %19, !dbg !395
  %76 = shufflevector <4 x float> %75, <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>, !dbg !395
  %77 = fdiv float 1.000000e+00, %70, !dbg !396, !fpmath !397
  %78 = insertelement <3 x float> poison, float %77, i64 0, !dbg !398
  %79 = shufflevector <3 x float> %78, <3 x float> poison, <3 x i32> zeroinitializer, !dbg !398
  %80 = fmul <3 x float> %59, %79, !dbg !399
  %81 = extractelement <4 x float> %75, i64 0, !dbg !400
  %82 = extractelement <3 x float> %80, i64 0, !dbg !401
  %83 = extractelement <4 x float> %75, i64 1, !dbg !402
  %84 = extractelement <3 x float> %80, i64 1, !dbg !403
  %85 = fmul float %83, %84, !dbg !404
  %86 = tail call float @llvm.fmuladd.f32(float %81, float %82, float %85), !dbg !405
  %87 = extractelement <4 x float> %75, i64 2, !dbg !406
  %88 = extractelement <3 x float> %80, i64 2, !dbg !407
  %89 = tail call float @llvm.fmuladd.f32(float %87, float %88, float %86), !dbg !408
  %90 = load float, ptr addrspace(4) %43, align 4, !dbg !409, !tbaa !410
  %91 = fneg float %90, !dbg !411
  %92 = fsub float %63, %70, !dbg !412
  %93 = load float, ptr addrspace(4) %44, align 4, !dbg !413, !tbaa !414
  %94 = fneg float %89, !dbg !415
  %95 = fmul float %93, %94, !dbg !415
  %96 = tail call float @llvm.fmuladd.f32(float %91, float %92, float %95), !dbg !415
  %97 = insertelement <3 x float> poison, float %96, i64 0, !dbg !416
  %98 = shufflevector <3 x float> %97, <3 x float> poison, <3 x i32> zeroinitializer, !dbg !416
  %99 = load float, ptr addrspace(4) %45, align 4, !dbg !417, !tbaa !418
  %100 = fadd float %93, %99, !dbg !419
  %101 = insertelement <3 x float> poison, float %100, i64 0, !dbg !420
  %102 = shufflevector <3 x float> %101, <3 x float> poison, <3 x i32> zeroinitializer, !dbg !420
  %103 = fmul <3 x float> %102, %76, !dbg !421
  %104 = tail call <3 x float> @llvm.fmuladd.v3f32(<3 x float> %98, <3 x float> %80, <3 x float> %103), !dbg !422
  br label %105

105:                                              ; preds = %49, %74
  %106 = phi <3 x float> [ %104, %74 ], [ zeroinitializer, %49 ], !dbg !423
  %107 = shufflevector <4 x float> %215, <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>, !dbg !424
  %108 = fadd <3 x float> %107, %106, !dbg !424
  %109 = shufflevector <3 x float> %108, <3 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>, !dbg !425
  %110 = fadd <4 x float> %19, %109, !dbg !425
  %111 = insertelement <4 x float> %110, float 0.000000e+00, i64 3, !dbg !425
  %112 = getelementptr inbounds i32, ptr addrspace(1) %3, i64 %15, !dbg !426
  %113 = load i32, ptr addrspace(1) %112, align 4, !dbg !426, !tbaa !8
  %114 = zext i32 %113 to i64, !dbg !427
  %115 = getelementptr inbounds nuw <4 x float>, ptr addrspace(1) %0, i64 %114, !dbg !427
  store <4 x float> %111, ptr addrspace(1) %115, align 16, !dbg !428, !tbaa !26
  br label %218, !dbg !429

116:                                              ; preds = %46, %122
  %117 = phi <4 x float> [ %47, %46 ], [ %215, %122 ]
  %118 = phi i32 [ -1, %46 ], [ %123, %122 ]
  br label %125, !dbg !430

119:                                              ; preds = %122
  %120 = add nsw i32 %48, 1, !dbg !431
  %121 = icmp eq i32 %120, 2, !dbg !432
  br i1 %121, label %49, label %46, !dbg !369, !llvm.loop !433

122:                                              ; preds = %214
  %123 = add nsw i32 %118, 1, !dbg !435
  %124 = icmp eq i32 %123, 2, !dbg !436
  br i1 %124, label %119, label %116, !dbg !370, !llvm.loop !437

125:                                              ; preds = %116, %214
  %126 = phi <4 x float> [ %117, %116 ], [ %215, %214 ]
  %127 = phi i32 [ -1, %116 ], [ %216, %214 ]
  %128 = insertelement <3 x i32> poison, i32 %127, i64 0, !dbg !439
  %129 = insertelement <3 x i32> %128, i32 %118, i64 1, !dbg !439
  %130 = insertelement <3 x i32> %129, i32 %48, i64 2, !dbg !439
  %131 = add <3 x i32> %130, %38, !dbg !440
  %132 = extractelement <3 x i32> %131, i64 2, !dbg !441
  %133 = and i32 %132, %41, !dbg !443
  %134 = shl i32 %133, %39, !dbg !444
  %135 = extractelement <3 x i32> %131, i64 1, !dbg !445
  %136 = and i32 %135, %41, !dbg !446
  %137 = or i32 %134, %136, !dbg !447
  %138 = shl i32 %137, %39, !dbg !448
  %139 = extractelement <3 x i32> %131, i64 0, !dbg !449
  %140 = and i32 %139, %41, !dbg !450
  %141 = or i32 %138, %140, !dbg !451
  %142 = zext i32 %141 to i64, !dbg !452
  %143 = getelementptr inbounds nuw i32, ptr addrspace(1) %4, i64 %142, !dbg !452
  %144 = load i32, ptr addrspace(1) %143, align 4, !dbg !452, !tbaa !8
  %145 = icmp eq i32 %144, -1, !dbg !453
  br i1 %145, label %214, label %146, !dbg !453

146:                                              ; preds = %125
  %147 = getelementptr inbounds nuw i32, ptr addrspace(1) %5, i64 %142, !dbg !454
  %148 = load i32, ptr addrspace(1) %147, align 4, !dbg !454, !tbaa !8
  %149 = icmp ult i32 %144, %148, !dbg !455
  br i1 %149, label %150, label %214, !dbg !456

150:                                              ; preds = %146, %210
  %151 = phi <4 x float> [ %211, %210 ], [ %126, %146 ]
  %152 = phi i32 [ %212, %210 ], [ %144, %146 ]
  %153 = icmp eq i32 %152, %11, !dbg !457
  br i1 %153, label %210, label %154, !dbg !457

154:                                              ; preds = %150
  %155 = zext i32 %152 to i64, !dbg !458
  %156 = getelementptr inbounds nuw <4 x float>, ptr addrspace(1) %1, i64 %155, !dbg !458
  %157 = load <4 x float>, ptr addrspace(1) %156, align 16, !dbg !458
  %158 = fsub <4 x float> %157, %17, !dbg !459
  %159 = load float, ptr addrspace(4) %42, align 4, !dbg !460, !tbaa !50
  %160 = fmul float %159, 2.000000e+00, !dbg !461
  %161 = extractelement <4 x float> %158, i64 0, !dbg !462
  %162 = extractelement <4 x float> %158, i64 1, !dbg !464
  %163 = fmul float %162, %162, !dbg !465
  %164 = tail call float @llvm.fmuladd.f32(float %161, float %161, float %163), !dbg !466
  %165 = extractelement <4 x float> %158, i64 2, !dbg !467
  %166 = tail call float @llvm.fmuladd.f32(float %165, float %165, float %164), !dbg !468
  %167 = tail call float @_Z4sqrtf(float noundef %166) #12, !dbg !469, !fpmath !392
  %168 = fcmp oge float %167, %160, !dbg !470
  %169 = fcmp oeq float %167, 0.000000e+00
  %170 = or i1 %168, %169, !dbg !471
  br i1 %170, label %205, label %171, !dbg !471

171:                                              ; preds = %154
  %172 = shufflevector <4 x float> %158, <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>, !dbg !459
  %173 = getelementptr inbounds nuw <4 x float>, ptr addrspace(1) %2, i64 %155, !dbg !472
  %174 = load <4 x float>, ptr addrspace(1) %173, align 16, !dbg !472
  %175 = fsub <4 x float> %174, %19, !dbg !473
  %176 = shufflevector <4 x float> %175, <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>, !dbg !473
  %177 = fdiv float 1.000000e+00, %167, !dbg !474, !fpmath !397
  %178 = insertelement <3 x float> poison, float %177, i64 0, !dbg !475
  %179 = shufflevector <3 x float> %178, <3 x float> poison, <3 x i32> zeroinitializer, !dbg !475
  %180 = fmul <3 x float> %172, %179, !dbg !476
  %181 = extractelement <4 x float> %175, i64 0, !dbg !477
  %182 = extractelement <3 x float> %180, i64 0, !dbg !478
  %183 = extractelement <4 x float> %175, i64 1, !dbg !479
  %184 = extractelement <3 x float> %180, i64 1, !dbg !480
  %185 = fmul float %184, %183, !dbg !481
  %186 = tail call float @llvm.fmuladd.f32(float %181, float %182, float %185), !dbg !482
  %187 = extractelement <4 x float> %175, i64 2, !dbg !483
  %188 = extractelement <3 x float> %180, i64 2, !dbg !484
  %189 = tail call float @llvm.fmuladd.f32(float %187, float %188, float %186), !dbg !485
  %190 = load float, ptr addrspace(4) %43, align 4, !dbg !486, !tbaa !410
  %191 = fneg float %190, !dbg !487
  %192 = fsub float %160, %167, !dbg !488
  %193 = load float, ptr addrspace(4) %44, align 4, !dbg !489, !tbaa !414
  %194 = fneg float %189, !dbg !490
  %195 = fmul float %193, %194, !dbg !490
  %196 = tail call float @llvm.fmuladd.f32(float %191, float %192, float %195), !dbg !490
  %197 = insertelement <3 x float> poison, float %196, i64 0, !dbg !491
  %198 = shufflevector <3 x float> %197, <3 x float> poison, <3 x i32> zeroinitializer, !dbg !491
  %199 = load float, ptr addrspace(4) %45, align 4, !dbg !492, !tbaa !418
  %200 = fadd float %193, %199, !dbg !493
  %201 = insertelement <3 x float> poison, float %200, i64 0, !dbg !494
  %202 = shufflevector <3 x float> %201, <3 x float> poison, <3 x i32> zeroinitializer, !dbg !494
  %203 = fmul <3 x float> %176, %202, !dbg !495
  %204 = tail call <3 x float> @llvm.fmuladd.v3f32(<3 x float> %198, <3 x float> %180, <3 x float> %203), !dbg !496
  br label %205

205:                                              ; preds = %154, %171
  %206 = phi <3 x float> [ %204, %171 ], [ zeroinitializer, %154 ], !dbg !497
  %207 = shufflevector <4 x float> %151, <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>, !dbg !498
  %208 = fadd <3 x float> %207, %206, !dbg !498
  %209 = shufflevector <3 x float> %208, <3 x float> <float undef, float poison, float poison>, <4 x i32> <i32 0, i32 1, i32 2, i32 3>, !dbg !498
  br label %210, !dbg !499

210:                                              ; preds = %150, %205
  %211 = phi <4 x float> [ %151, %150 ], [ %209, %205 ], !dbg !500
  %212 = add nuw i32 %152, 1, !dbg !501
  %213 = icmp eq i32 %212, %148, !dbg !455
  br i1 %213, label %214, label %150, !dbg !456, !llvm.loop !502

214:                                              ; preds = %210, %146, %125
  %215 = phi <4 x float> [ %126, %125 ], [ %126, %146 ], [ %211, %210 ], !dbg !503
  %216 = add nsw i32 %127, 1, !dbg !504
  %217 = icmp eq i32 %216, 2, !dbg !505
  br i1 %217, label %122, label %125, !dbg !430, !llvm.loop !506

218:                                              ; preds = %9, %105
  ret void, !dbg !429
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #8

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #9

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z5floorf(float noundef) local_unnamed_addr #8

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #10

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #8

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #8

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z4sqrtf(float noundef) local_unnamed_addr #8

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <3 x float> @llvm.fmuladd.v3f32(<3 x float>, <3 x float>, <3 x float>) #9

attributes #0 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: write) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #5 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: write) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #6 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #7 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #8 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #9 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #10 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #11 = { convergent nounwind }
attributes #12 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "particles.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "integrate", scope: !1, file: !1, line: 42, type: !13, scopeLine: 43, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 0, i32 2}
!16 = !{!"none", !"none", !"none", !"none"}
!17 = !{!"float4*", !"float4*", !"int", !"Rules*"}
!18 = !{!"float __attribute__((ext_vector_type(4)))*", !"float __attribute__((ext_vector_type(4)))*", !"int", !"Rules*"}
!19 = !{!"", !"", !"", !"const"}
!20 = !DILocation(line: 43, column: 50, scope: !12)
!21 = !DILocation(line: 60, column: 1, scope: !12)
!22 = distinct !DISubprogram(name: "integrate", scope: !1, file: !1, line: 42, type: !13, scopeLine: 43, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!23 = !DILocation(line: 44, column: 17, scope: !22)
!24 = !DILocation(line: 45, column: 9, scope: !22)
!25 = !DILocation(line: 46, column: 18, scope: !22)
!26 = !{!10, !10, i64 0}
!27 = !DILocation(line: 47, column: 18, scope: !22)
!28 = !DILocation(line: 48, column: 13, scope: !22)
!29 = !DILocation(line: 48, column: 26, scope: !22)
!30 = !DILocation(line: 48, column: 39, scope: !22)
!31 = !DILocation(line: 49, column: 14, scope: !22)
!32 = !DILocation(line: 49, column: 31, scope: !22)
!33 = !{!34, !35, i64 8}
!34 = !{!"", !35, i64 0, !35, i64 4, !35, i64 8, !35, i64 12, !35, i64 16, !35, i64 20, !35, i64 24, !35, i64 28, !35, i64 32, !35, i64 36, !35, i64 40, !35, i64 44, !35, i64 48}
!35 = !{!"float", !10, i64 0}
!36 = !DILocation(line: 49, column: 22, scope: !22)
!37 = !DILocation(line: 50, column: 15, scope: !22)
!38 = !DILocation(line: 50, column: 32, scope: !22)
!39 = !{!34, !35, i64 4}
!40 = !DILocation(line: 50, column: 49, scope: !22)
!41 = !{!34, !35, i64 0}
!42 = !DILocation(line: 50, column: 23, scope: !22)
!43 = !DILocation(line: 50, column: 58, scope: !22)
!44 = !DILocation(line: 51, column: 14, scope: !22)
!45 = !DILocation(line: 51, column: 22, scope: !22)
!46 = !DILocation(line: 52, column: 5, scope: !22)
!47 = !DILocation(line: 53, column: 5, scope: !22)
!48 = !DILocation(line: 54, column: 5, scope: !22)
!49 = !DILocation(line: 55, column: 27, scope: !22)
!50 = !{!34, !35, i64 16}
!51 = !DILocation(line: 55, column: 42, scope: !22)
!52 = !{!34, !35, i64 12}
!53 = !DILocation(line: 31, column: 27, scope: !54, inlinedAt: !55)
!54 = distinct !DISubprogram(name: "reflect", scope: !1, file: !1, line: 30, type: !13, scopeLine: 30, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!55 = distinct !DILocation(line: 55, column: 3, scope: !22)
!56 = !DILocation(line: 32, column: 14, scope: !54, inlinedAt: !55)
!57 = !DILocation(line: 36, column: 16, scope: !54, inlinedAt: !55)
!58 = !DILocation(line: 36, column: 14, scope: !54, inlinedAt: !55)
!59 = !DILocation(line: 32, column: 14, scope: !54, inlinedAt: !60)
!60 = distinct !DILocation(line: 56, column: 3, scope: !22)
!61 = !DILocation(line: 36, column: 14, scope: !54, inlinedAt: !60)
!62 = !DILocation(line: 32, column: 14, scope: !54, inlinedAt: !63)
!63 = distinct !DILocation(line: 57, column: 3, scope: !22)
!64 = !DILocation(line: 36, column: 14, scope: !54, inlinedAt: !63)
!65 = !DILocation(line: 58, column: 23, scope: !22)
!66 = !DILocation(line: 58, column: 13, scope: !22)
!67 = !DILocation(line: 59, column: 23, scope: !22)
!68 = !DILocation(line: 59, column: 13, scope: !22)
!69 = !DILocation(line: 60, column: 1, scope: !22)
!70 = distinct !DISubprogram(name: "hash_balls", scope: !1, file: !1, line: 63, type: !13, scopeLine: 64, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!71 = !{i32 1, i32 1, i32 1, i32 0, i32 0, i32 2}
!72 = !{!"none", !"none", !"none", !"none", !"none", !"none"}
!73 = !{!"uint*", !"uint*", !"float4*", !"int", !"int", !"Rules*"}
!74 = !{!"uint*", !"uint*", !"float __attribute__((ext_vector_type(4)))*", !"int", !"int", !"Rules*"}
!75 = !{!"", !"", !"const", !"", !"", !"const"}
!76 = !DILocation(line: 64, column: 72, scope: !70)
!77 = !DILocation(line: 72, column: 1, scope: !70)
!78 = distinct !DISubprogram(name: "hash_balls", scope: !1, file: !1, line: 63, type: !13, scopeLine: 64, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!79 = !DILocation(line: 65, column: 17, scope: !78)
!80 = !DILocation(line: 66, column: 3, scope: !78)
!81 = !DILocation(line: 66, column: 10, scope: !78)
!82 = !DILocation(line: 67, column: 9, scope: !78)
!83 = !DILocation(line: 71, column: 31, scope: !78)
!84 = !DILocation(line: 71, column: 53, scope: !78)
!85 = !{!34, !35, i64 48}
!86 = !DILocation(line: 19, column: 31, scope: !87, inlinedAt: !88)
!87 = distinct !DISubprogram(name: "cell_of", scope: !1, file: !1, line: 18, type: !13, scopeLine: 18, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!88 = distinct !DILocation(line: 71, column: 23, scope: !78)
!89 = !DILocation(line: 19, column: 41, scope: !87, inlinedAt: !88)
!90 = !DILocation(line: 19, column: 39, scope: !87, inlinedAt: !88)
!91 = !DILocation(line: 20, column: 28, scope: !87, inlinedAt: !88)
!92 = !DILocation(line: 20, column: 22, scope: !87, inlinedAt: !88)
!93 = !DILocation(line: 20, column: 17, scope: !87, inlinedAt: !88)
!94 = !DILocation(line: 20, column: 49, scope: !87, inlinedAt: !88)
!95 = !DILocation(line: 20, column: 43, scope: !87, inlinedAt: !88)
!96 = !DILocation(line: 20, column: 38, scope: !87, inlinedAt: !88)
!97 = !DILocation(line: 20, column: 70, scope: !87, inlinedAt: !88)
!98 = !DILocation(line: 20, column: 64, scope: !87, inlinedAt: !88)
!99 = !DILocation(line: 20, column: 59, scope: !87, inlinedAt: !88)
!100 = !DILocation(line: 25, column: 23, scope: !101, inlinedAt: !102)
!101 = distinct !DISubprogram(name: "number_of", scope: !1, file: !1, line: 24, type: !13, scopeLine: 24, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!102 = distinct !DILocation(line: 71, column: 13, scope: !78)
!103 = !DILocation(line: 25, column: 32, scope: !101, inlinedAt: !102)
!104 = !DILocation(line: 26, column: 26, scope: !101, inlinedAt: !102)
!105 = !DILocation(line: 26, column: 34, scope: !101, inlinedAt: !102)
!106 = !DILocation(line: 26, column: 52, scope: !101, inlinedAt: !102)
!107 = !DILocation(line: 26, column: 42, scope: !101, inlinedAt: !102)
!108 = !DILocation(line: 26, column: 61, scope: !101, inlinedAt: !102)
!109 = !DILocation(line: 26, column: 79, scope: !101, inlinedAt: !102)
!110 = !DILocation(line: 26, column: 69, scope: !101, inlinedAt: !102)
!111 = !DILocation(line: 72, column: 1, scope: !78)
!112 = !DILocation(line: 0, scope: !78)
!113 = distinct !DISubprogram(name: "sort_local", scope: !1, file: !1, line: 109, type: !13, scopeLine: 109, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!114 = !{i32 1, i32 1}
!115 = !{!"none", !"none"}
!116 = !{!"uint*", !"uint*"}
!117 = !{!"", !""}
!118 = !DILocation(line: 109, column: 67, scope: !113)
!119 = !DILocation(line: 120, column: 1, scope: !113)
!120 = distinct !DISubprogram(name: "sort_local", scope: !1, file: !1, line: 109, type: !13, scopeLine: 109, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!121 = !DILocation(line: 76, column: 21, scope: !122, inlinedAt: !123)
!122 = distinct !DISubprogram(name: "take", scope: !1, file: !1, line: 75, type: !13, scopeLine: 75, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!123 = distinct !DILocation(line: 112, column: 3, scope: !120)
!124 = !DILocation(line: 76, column: 47, scope: !122, inlinedAt: !123)
!125 = !DILocation(line: 77, column: 27, scope: !122, inlinedAt: !123)
!126 = !DILocation(line: 77, column: 3, scope: !122, inlinedAt: !123)
!127 = !DILocation(line: 77, column: 25, scope: !122, inlinedAt: !123)
!128 = !DILocation(line: 78, column: 35, scope: !122, inlinedAt: !123)
!129 = !DILocation(line: 78, column: 3, scope: !122, inlinedAt: !123)
!130 = !DILocation(line: 78, column: 33, scope: !122, inlinedAt: !123)
!131 = !DILocation(line: 77, column: 27, scope: !122, inlinedAt: !132)
!132 = distinct !DILocation(line: 113, column: 3, scope: !120)
!133 = !DILocation(line: 77, column: 3, scope: !122, inlinedAt: !132)
!134 = !DILocation(line: 77, column: 25, scope: !122, inlinedAt: !132)
!135 = !DILocation(line: 78, column: 35, scope: !122, inlinedAt: !132)
!136 = !DILocation(line: 78, column: 3, scope: !122, inlinedAt: !132)
!137 = !DILocation(line: 78, column: 33, scope: !122, inlinedAt: !132)
!138 = !DILocation(line: 114, column: 3, scope: !120)
!139 = !DILocation(line: 117, column: 3, scope: !120)
!140 = !DILocation(line: 82, column: 21, scope: !141, inlinedAt: !142)
!141 = distinct !DISubprogram(name: "give", scope: !1, file: !1, line: 81, type: !13, scopeLine: 81, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!142 = distinct !DILocation(line: 118, column: 3, scope: !120)
!143 = !DILocation(line: 82, column: 47, scope: !141, inlinedAt: !142)
!144 = !DILocation(line: 83, column: 16, scope: !141, inlinedAt: !142)
!145 = !DILocation(line: 83, column: 3, scope: !141, inlinedAt: !142)
!146 = !DILocation(line: 83, column: 14, scope: !141, inlinedAt: !142)
!147 = !DILocation(line: 84, column: 24, scope: !141, inlinedAt: !142)
!148 = !DILocation(line: 84, column: 3, scope: !141, inlinedAt: !142)
!149 = !DILocation(line: 84, column: 22, scope: !141, inlinedAt: !142)
!150 = !DILocation(line: 83, column: 16, scope: !141, inlinedAt: !151)
!151 = distinct !DILocation(line: 119, column: 3, scope: !120)
!152 = !DILocation(line: 83, column: 3, scope: !141, inlinedAt: !151)
!153 = !DILocation(line: 83, column: 14, scope: !141, inlinedAt: !151)
!154 = !DILocation(line: 84, column: 24, scope: !141, inlinedAt: !151)
!155 = !DILocation(line: 84, column: 3, scope: !141, inlinedAt: !151)
!156 = !DILocation(line: 84, column: 22, scope: !141, inlinedAt: !151)
!157 = !DILocation(line: 120, column: 1, scope: !120)
!158 = !DILocation(line: 115, column: 29, scope: !120)
!159 = !DILocation(line: 115, column: 41, scope: !120)
!160 = !DILocation(line: 89, column: 21, scope: !161, inlinedAt: !162)
!161 = distinct !DISubprogram(name: "merge", scope: !1, file: !1, line: 88, type: !13, scopeLine: 88, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!162 = distinct !DILocation(line: 115, column: 5, scope: !120)
!163 = !DILocation(line: 90, column: 17, scope: !161, inlinedAt: !162)
!164 = !DILocation(line: 91, column: 3, scope: !161, inlinedAt: !162)
!165 = !DILocation(line: 92, column: 5, scope: !161, inlinedAt: !162)
!166 = !DILocation(line: 93, column: 42, scope: !161, inlinedAt: !162)
!167 = !DILocation(line: 93, column: 32, scope: !161, inlinedAt: !162)
!168 = !DILocation(line: 93, column: 27, scope: !161, inlinedAt: !162)
!169 = !DILocation(line: 94, column: 26, scope: !161, inlinedAt: !162)
!170 = !DILocation(line: 95, column: 29, scope: !161, inlinedAt: !162)
!171 = !DILocation(line: 95, column: 36, scope: !161, inlinedAt: !162)
!172 = !DILocation(line: 96, column: 22, scope: !161, inlinedAt: !162)
!173 = !DILocation(line: 97, column: 27, scope: !161, inlinedAt: !162)
!174 = !DILocation(line: 98, column: 14, scope: !161, inlinedAt: !162)
!175 = !DILocation(line: 98, column: 26, scope: !161, inlinedAt: !162)
!176 = !DILocation(line: 99, column: 23, scope: !161, inlinedAt: !162)
!177 = !DILocation(line: 100, column: 17, scope: !161, inlinedAt: !162)
!178 = !DILocation(line: 101, column: 18, scope: !161, inlinedAt: !162)
!179 = !DILocation(line: 101, column: 16, scope: !161, inlinedAt: !162)
!180 = !DILocation(line: 102, column: 18, scope: !161, inlinedAt: !162)
!181 = !DILocation(line: 103, column: 17, scope: !161, inlinedAt: !162)
!182 = !DILocation(line: 104, column: 5, scope: !161, inlinedAt: !162)
!183 = !DILocation(line: 91, column: 29, scope: !161, inlinedAt: !162)
!184 = !DILocation(line: 91, column: 17, scope: !161, inlinedAt: !162)
!185 = distinct !{!185, !164, !186}
!186 = !DILocation(line: 105, column: 3, scope: !161, inlinedAt: !162)
!187 = !DILocation(line: 114, column: 45, scope: !120)
!188 = !DILocation(line: 114, column: 29, scope: !120)
!189 = distinct !{!189, !138, !190}
!190 = !DILocation(line: 116, column: 3, scope: !120)
!191 = distinct !DISubprogram(name: "merge_global", scope: !1, file: !1, line: 123, type: !13, scopeLine: 123, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!192 = !{i32 1, i32 1, i32 0, i32 0}
!193 = !{!"uint*", !"uint*", !"int", !"int"}
!194 = !{!"", !"", !"", !""}
!195 = !DILocation(line: 123, column: 91, scope: !191)
!196 = !DILocation(line: 136, column: 1, scope: !191)
!197 = distinct !DISubprogram(name: "merge_global", scope: !1, file: !1, line: 123, type: !13, scopeLine: 123, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!198 = !DILocation(line: 124, column: 17, scope: !197)
!199 = !DILocation(line: 125, column: 21, scope: !197)
!200 = !DILocation(line: 125, column: 40, scope: !197)
!201 = !DILocation(line: 125, column: 30, scope: !197)
!202 = !DILocation(line: 125, column: 25, scope: !197)
!203 = !DILocation(line: 126, column: 24, scope: !197)
!204 = !DILocation(line: 127, column: 20, scope: !197)
!205 = !DILocation(line: 128, column: 25, scope: !197)
!206 = !DILocation(line: 129, column: 12, scope: !197)
!207 = !DILocation(line: 129, column: 33, scope: !197)
!208 = !DILocation(line: 129, column: 24, scope: !197)
!209 = !DILocation(line: 130, column: 21, scope: !197)
!210 = !DILocation(line: 131, column: 15, scope: !197)
!211 = !DILocation(line: 132, column: 16, scope: !197)
!212 = !DILocation(line: 132, column: 14, scope: !197)
!213 = !DILocation(line: 133, column: 16, scope: !197)
!214 = !DILocation(line: 134, column: 15, scope: !197)
!215 = !DILocation(line: 135, column: 3, scope: !197)
!216 = !DILocation(line: 136, column: 1, scope: !197)
!217 = distinct !DISubprogram(name: "merge_local", scope: !1, file: !1, line: 139, type: !13, scopeLine: 139, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!218 = !{i32 1, i32 1, i32 0}
!219 = !{!"none", !"none", !"none"}
!220 = !{!"uint*", !"uint*", !"int"}
!221 = !{!"", !"", !""}
!222 = !DILocation(line: 139, column: 78, scope: !217)
!223 = !DILocation(line: 148, column: 1, scope: !217)
!224 = distinct !DISubprogram(name: "merge_local", scope: !1, file: !1, line: 139, type: !13, scopeLine: 139, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!225 = !DILocation(line: 76, column: 21, scope: !122, inlinedAt: !226)
!226 = distinct !DILocation(line: 142, column: 3, scope: !224)
!227 = !DILocation(line: 76, column: 47, scope: !122, inlinedAt: !226)
!228 = !DILocation(line: 77, column: 27, scope: !122, inlinedAt: !226)
!229 = !DILocation(line: 77, column: 3, scope: !122, inlinedAt: !226)
!230 = !DILocation(line: 77, column: 25, scope: !122, inlinedAt: !226)
!231 = !DILocation(line: 78, column: 35, scope: !122, inlinedAt: !226)
!232 = !DILocation(line: 78, column: 3, scope: !122, inlinedAt: !226)
!233 = !DILocation(line: 78, column: 33, scope: !122, inlinedAt: !226)
!234 = !DILocation(line: 77, column: 27, scope: !122, inlinedAt: !235)
!235 = distinct !DILocation(line: 143, column: 3, scope: !224)
!236 = !DILocation(line: 77, column: 3, scope: !122, inlinedAt: !235)
!237 = !DILocation(line: 77, column: 25, scope: !122, inlinedAt: !235)
!238 = !DILocation(line: 78, column: 35, scope: !122, inlinedAt: !235)
!239 = !DILocation(line: 78, column: 3, scope: !122, inlinedAt: !235)
!240 = !DILocation(line: 78, column: 33, scope: !122, inlinedAt: !235)
!241 = !DILocation(line: 89, column: 21, scope: !161, inlinedAt: !242)
!242 = distinct !DILocation(line: 144, column: 3, scope: !224)
!243 = !DILocation(line: 90, column: 17, scope: !161, inlinedAt: !242)
!244 = !DILocation(line: 91, column: 3, scope: !161, inlinedAt: !242)
!245 = !DILocation(line: 92, column: 5, scope: !161, inlinedAt: !242)
!246 = !DILocation(line: 93, column: 42, scope: !161, inlinedAt: !242)
!247 = !DILocation(line: 93, column: 32, scope: !161, inlinedAt: !242)
!248 = !DILocation(line: 93, column: 27, scope: !161, inlinedAt: !242)
!249 = !DILocation(line: 94, column: 26, scope: !161, inlinedAt: !242)
!250 = !DILocation(line: 95, column: 29, scope: !161, inlinedAt: !242)
!251 = !DILocation(line: 95, column: 36, scope: !161, inlinedAt: !242)
!252 = !DILocation(line: 96, column: 22, scope: !161, inlinedAt: !242)
!253 = !DILocation(line: 97, column: 27, scope: !161, inlinedAt: !242)
!254 = !DILocation(line: 98, column: 14, scope: !161, inlinedAt: !242)
!255 = !DILocation(line: 98, column: 26, scope: !161, inlinedAt: !242)
!256 = !DILocation(line: 99, column: 23, scope: !161, inlinedAt: !242)
!257 = !DILocation(line: 100, column: 17, scope: !161, inlinedAt: !242)
!258 = !DILocation(line: 101, column: 18, scope: !161, inlinedAt: !242)
!259 = !DILocation(line: 101, column: 16, scope: !161, inlinedAt: !242)
!260 = !DILocation(line: 102, column: 18, scope: !161, inlinedAt: !242)
!261 = !DILocation(line: 103, column: 17, scope: !161, inlinedAt: !242)
!262 = !DILocation(line: 104, column: 5, scope: !161, inlinedAt: !242)
!263 = !DILocation(line: 91, column: 29, scope: !161, inlinedAt: !242)
!264 = !DILocation(line: 91, column: 17, scope: !161, inlinedAt: !242)
!265 = distinct !{!265, !244, !266}
!266 = !DILocation(line: 105, column: 3, scope: !161, inlinedAt: !242)
!267 = !DILocation(line: 145, column: 3, scope: !224)
!268 = !DILocation(line: 82, column: 21, scope: !141, inlinedAt: !269)
!269 = distinct !DILocation(line: 146, column: 3, scope: !224)
!270 = !DILocation(line: 82, column: 47, scope: !141, inlinedAt: !269)
!271 = !DILocation(line: 83, column: 16, scope: !141, inlinedAt: !269)
!272 = !DILocation(line: 83, column: 3, scope: !141, inlinedAt: !269)
!273 = !DILocation(line: 83, column: 14, scope: !141, inlinedAt: !269)
!274 = !DILocation(line: 84, column: 24, scope: !141, inlinedAt: !269)
!275 = !DILocation(line: 84, column: 3, scope: !141, inlinedAt: !269)
!276 = !DILocation(line: 84, column: 22, scope: !141, inlinedAt: !269)
!277 = !DILocation(line: 83, column: 16, scope: !141, inlinedAt: !278)
!278 = distinct !DILocation(line: 147, column: 3, scope: !224)
!279 = !DILocation(line: 83, column: 3, scope: !141, inlinedAt: !278)
!280 = !DILocation(line: 83, column: 14, scope: !141, inlinedAt: !278)
!281 = !DILocation(line: 84, column: 24, scope: !141, inlinedAt: !278)
!282 = !DILocation(line: 84, column: 3, scope: !141, inlinedAt: !278)
!283 = !DILocation(line: 84, column: 22, scope: !141, inlinedAt: !278)
!284 = !DILocation(line: 148, column: 1, scope: !224)
!285 = distinct !DISubprogram(name: "clear_cells", scope: !1, file: !1, line: 150, type: !13, scopeLine: 150, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!286 = !{i32 1, i32 0}
!287 = !{!"uint*", !"int"}
!288 = !DILocation(line: 150, column: 61, scope: !285)
!289 = !DILocation(line: 153, column: 1, scope: !285)
!290 = distinct !DISubprogram(name: "clear_cells", scope: !1, file: !1, line: 150, type: !13, scopeLine: 150, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!291 = !DILocation(line: 151, column: 17, scope: !290)
!292 = !DILocation(line: 152, column: 9, scope: !290)
!293 = !DILocation(line: 152, column: 28, scope: !290)
!294 = !DILocation(line: 152, column: 18, scope: !290)
!295 = !DILocation(line: 153, column: 1, scope: !290)
!296 = distinct !DISubprogram(name: "find_cells", scope: !1, file: !1, line: 157, type: !13, scopeLine: 160, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!297 = !{i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 0}
!298 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!299 = !{!"uint*", !"uint*", !"float4*", !"float4*", !"uint*", !"uint*", !"float4*", !"float4*", !"int"}
!300 = !{!"uint*", !"uint*", !"float __attribute__((ext_vector_type(4)))*", !"float __attribute__((ext_vector_type(4)))*", !"uint*", !"uint*", !"float __attribute__((ext_vector_type(4)))*", !"float __attribute__((ext_vector_type(4)))*", !"int"}
!301 = !{!"", !"", !"", !"", !"const", !"const", !"const", !"const", !""}
!302 = !DILocation(line: 160, column: 68, scope: !296)
!303 = !DILocation(line: 180, column: 1, scope: !296)
!304 = distinct !DISubprogram(name: "find_cells", scope: !1, file: !1, line: 157, type: !13, scopeLine: 160, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!305 = !DILocation(line: 162, column: 17, scope: !304)
!306 = !DILocation(line: 163, column: 17, scope: !304)
!307 = !DILocation(line: 165, column: 9, scope: !304)
!308 = !DILocation(line: 166, column: 11, scope: !304)
!309 = !DILocation(line: 167, column: 5, scope: !304)
!310 = !DILocation(line: 167, column: 19, scope: !304)
!311 = !DILocation(line: 168, column: 11, scope: !304)
!312 = !DILocation(line: 168, column: 16, scope: !304)
!313 = !DILocation(line: 168, column: 38, scope: !304)
!314 = !DILocation(line: 168, column: 36, scope: !304)
!315 = !DILocation(line: 168, column: 26, scope: !304)
!316 = !DILocation(line: 0, scope: !304)
!317 = !DILocation(line: 170, column: 3, scope: !304)
!318 = !DILocation(line: 171, column: 9, scope: !304)
!319 = !DILocation(line: 172, column: 9, scope: !304)
!320 = !DILocation(line: 172, column: 14, scope: !304)
!321 = !DILocation(line: 172, column: 24, scope: !304)
!322 = !DILocation(line: 172, column: 21, scope: !304)
!323 = !DILocation(line: 173, column: 5, scope: !304)
!324 = !DILocation(line: 173, column: 17, scope: !304)
!325 = !DILocation(line: 174, column: 11, scope: !304)
!326 = !DILocation(line: 174, column: 21, scope: !304)
!327 = !DILocation(line: 174, column: 16, scope: !304)
!328 = !DILocation(line: 174, column: 32, scope: !304)
!329 = !DILocation(line: 176, column: 18, scope: !304)
!330 = !DILocation(line: 176, column: 9, scope: !304)
!331 = !DILocation(line: 176, column: 33, scope: !304)
!332 = !DILocation(line: 176, column: 23, scope: !304)
!333 = !DILocation(line: 177, column: 19, scope: !304)
!334 = !DILocation(line: 178, column: 22, scope: !304)
!335 = !DILocation(line: 178, column: 3, scope: !304)
!336 = !DILocation(line: 178, column: 20, scope: !304)
!337 = !DILocation(line: 179, column: 22, scope: !304)
!338 = !DILocation(line: 179, column: 3, scope: !304)
!339 = !DILocation(line: 179, column: 20, scope: !304)
!340 = !DILocation(line: 180, column: 1, scope: !304)
!341 = distinct !DISubprogram(name: "collide", scope: !1, file: !1, line: 194, type: !13, scopeLine: 198, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!342 = !{i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 0, i32 0, i32 2}
!343 = !{!"float4*", !"float4*", !"float4*", !"uint*", !"uint*", !"uint*", !"int", !"int", !"Rules*"}
!344 = !{!"float __attribute__((ext_vector_type(4)))*", !"float __attribute__((ext_vector_type(4)))*", !"float __attribute__((ext_vector_type(4)))*", !"uint*", !"uint*", !"uint*", !"int", !"int", !"Rules*"}
!345 = !{!"", !"restrict const", !"restrict const", !"restrict const", !"restrict const", !"restrict const", !"", !"", !"const"}
!346 = !DILocation(line: 198, column: 48, scope: !341)
!347 = !DILocation(line: 223, column: 1, scope: !341)
!348 = distinct !DISubprogram(name: "collide", scope: !1, file: !1, line: 194, type: !13, scopeLine: 198, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!349 = !DILocation(line: 199, column: 17, scope: !348)
!350 = !DILocation(line: 200, column: 9, scope: !348)
!351 = !DILocation(line: 201, column: 24, scope: !348)
!352 = !DILocation(line: 202, column: 24, scope: !348)
!353 = !DILocation(line: 203, column: 29, scope: !348)
!354 = !DILocation(line: 203, column: 43, scope: !348)
!355 = !DILocation(line: 19, column: 31, scope: !87, inlinedAt: !356)
!356 = distinct !DILocation(line: 203, column: 21, scope: !348)
!357 = !DILocation(line: 19, column: 41, scope: !87, inlinedAt: !356)
!358 = !DILocation(line: 19, column: 39, scope: !87, inlinedAt: !356)
!359 = !DILocation(line: 20, column: 28, scope: !87, inlinedAt: !356)
!360 = !DILocation(line: 20, column: 22, scope: !87, inlinedAt: !356)
!361 = !DILocation(line: 20, column: 17, scope: !87, inlinedAt: !356)
!362 = !DILocation(line: 20, column: 16, scope: !87, inlinedAt: !356)
!363 = !DILocation(line: 20, column: 49, scope: !87, inlinedAt: !356)
!364 = !DILocation(line: 20, column: 43, scope: !87, inlinedAt: !356)
!365 = !DILocation(line: 20, column: 38, scope: !87, inlinedAt: !356)
!366 = !DILocation(line: 20, column: 70, scope: !87, inlinedAt: !356)
!367 = !DILocation(line: 20, column: 64, scope: !87, inlinedAt: !356)
!368 = !DILocation(line: 20, column: 59, scope: !87, inlinedAt: !356)
!369 = !DILocation(line: 205, column: 3, scope: !348)
!370 = !DILocation(line: 206, column: 5, scope: !348)
!371 = !DILocation(line: 220, column: 43, scope: !348)
!372 = !{!34, !35, i64 32}
!373 = !DILocation(line: 220, column: 35, scope: !348)
!374 = !DILocation(line: 220, column: 62, scope: !348)
!375 = !{!34, !35, i64 36}
!376 = !DILocation(line: 220, column: 81, scope: !348)
!377 = !{!34, !35, i64 40}
!378 = !DILocation(line: 221, column: 24, scope: !348)
!379 = !DILocation(line: 221, column: 48, scope: !348)
!380 = !DILocation(line: 221, column: 64, scope: !348)
!381 = !{!34, !35, i64 44}
!382 = !DILocation(line: 221, column: 55, scope: !348)
!383 = !DILocation(line: 184, column: 31, scope: !384, inlinedAt: !385)
!384 = distinct !DISubprogram(name: "push", scope: !1, file: !1, line: 183, type: !13, scopeLine: 183, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!385 = distinct !DILocation(line: 221, column: 10, scope: !348)
!386 = !DILocation(line: 184, column: 47, scope: !384, inlinedAt: !385)
!387 = !DILocation(line: 184, column: 53, scope: !384, inlinedAt: !385)
!388 = !DILocation(line: 184, column: 45, scope: !384, inlinedAt: !385)
!389 = !DILocation(line: 184, column: 63, scope: !384, inlinedAt: !385)
!390 = !DILocation(line: 184, column: 61, scope: !384, inlinedAt: !385)
!391 = !DILocation(line: 184, column: 26, scope: !384, inlinedAt: !385)
!392 = !{float 3.000000e+00}
!393 = !DILocation(line: 185, column: 16, scope: !384, inlinedAt: !385)
!394 = !DILocation(line: 185, column: 25, scope: !384, inlinedAt: !385)
!395 = !DILocation(line: 221, column: 33, scope: !348)
!396 = !DILocation(line: 186, column: 35, scope: !384, inlinedAt: !385)
!397 = !{float 2.500000e+00}
!398 = !DILocation(line: 186, column: 29, scope: !384, inlinedAt: !385)
!399 = !DILocation(line: 186, column: 27, scope: !384, inlinedAt: !385)
!400 = !DILocation(line: 187, column: 23, scope: !384, inlinedAt: !385)
!401 = !DILocation(line: 187, column: 33, scope: !384, inlinedAt: !385)
!402 = !DILocation(line: 187, column: 42, scope: !384, inlinedAt: !385)
!403 = !DILocation(line: 187, column: 52, scope: !384, inlinedAt: !385)
!404 = !DILocation(line: 187, column: 50, scope: !384, inlinedAt: !385)
!405 = !DILocation(line: 187, column: 40, scope: !384, inlinedAt: !385)
!406 = !DILocation(line: 187, column: 61, scope: !384, inlinedAt: !385)
!407 = !DILocation(line: 187, column: 71, scope: !384, inlinedAt: !385)
!408 = !DILocation(line: 187, column: 59, scope: !384, inlinedAt: !385)
!409 = !DILocation(line: 188, column: 34, scope: !384, inlinedAt: !385)
!410 = !{!34, !35, i64 20}
!411 = !DILocation(line: 188, column: 26, scope: !384, inlinedAt: !385)
!412 = !DILocation(line: 188, column: 50, scope: !384, inlinedAt: !385)
!413 = !DILocation(line: 188, column: 71, scope: !384, inlinedAt: !385)
!414 = !{!34, !35, i64 28}
!415 = !DILocation(line: 188, column: 62, scope: !384, inlinedAt: !385)
!416 = !DILocation(line: 189, column: 10, scope: !384, inlinedAt: !385)
!417 = !DILocation(line: 189, column: 36, scope: !384, inlinedAt: !385)
!418 = !{!34, !35, i64 24}
!419 = !DILocation(line: 189, column: 44, scope: !384, inlinedAt: !385)
!420 = !DILocation(line: 189, column: 28, scope: !384, inlinedAt: !385)
!421 = !DILocation(line: 189, column: 60, scope: !384, inlinedAt: !385)
!422 = !DILocation(line: 189, column: 26, scope: !384, inlinedAt: !385)
!423 = !DILocation(line: 0, scope: !384, inlinedAt: !385)
!424 = !DILocation(line: 221, column: 7, scope: !348)
!425 = !DILocation(line: 222, column: 32, scope: !348)
!426 = !DILocation(line: 222, column: 14, scope: !348)
!427 = !DILocation(line: 222, column: 3, scope: !348)
!428 = !DILocation(line: 222, column: 22, scope: !348)
!429 = !DILocation(line: 223, column: 1, scope: !348)
!430 = !DILocation(line: 207, column: 7, scope: !348)
!431 = !DILocation(line: 205, column: 28, scope: !348)
!432 = !DILocation(line: 205, column: 22, scope: !348)
!433 = distinct !{!433, !369, !434}
!434 = !DILocation(line: 219, column: 3, scope: !348)
!435 = !DILocation(line: 206, column: 30, scope: !348)
!436 = !DILocation(line: 206, column: 24, scope: !348)
!437 = distinct !{!437, !370, !438}
!438 = !DILocation(line: 218, column: 5, scope: !348)
!439 = !DILocation(line: 208, column: 52, scope: !348)
!440 = !DILocation(line: 208, column: 44, scope: !348)
!441 = !DILocation(line: 26, column: 19, scope: !101, inlinedAt: !442)
!442 = distinct !DILocation(line: 208, column: 29, scope: !348)
!443 = !DILocation(line: 26, column: 26, scope: !101, inlinedAt: !442)
!444 = !DILocation(line: 26, column: 34, scope: !101, inlinedAt: !442)
!445 = !DILocation(line: 26, column: 45, scope: !101, inlinedAt: !442)
!446 = !DILocation(line: 26, column: 52, scope: !101, inlinedAt: !442)
!447 = !DILocation(line: 26, column: 42, scope: !101, inlinedAt: !442)
!448 = !DILocation(line: 26, column: 61, scope: !101, inlinedAt: !442)
!449 = !DILocation(line: 26, column: 72, scope: !101, inlinedAt: !442)
!450 = !DILocation(line: 26, column: 79, scope: !101, inlinedAt: !442)
!451 = !DILocation(line: 26, column: 69, scope: !101, inlinedAt: !442)
!452 = !DILocation(line: 209, column: 28, scope: !348)
!453 = !DILocation(line: 210, column: 19, scope: !348)
!454 = !DILocation(line: 211, column: 26, scope: !348)
!455 = !DILocation(line: 212, column: 32, scope: !348)
!456 = !DILocation(line: 212, column: 9, scope: !348)
!457 = !DILocation(line: 213, column: 17, scope: !348)
!458 = !DILocation(line: 214, column: 23, scope: !348)
!459 = !DILocation(line: 214, column: 44, scope: !348)
!460 = !DILocation(line: 215, column: 37, scope: !348)
!461 = !DILocation(line: 215, column: 28, scope: !348)
!462 = !DILocation(line: 184, column: 31, scope: !384, inlinedAt: !463)
!463 = distinct !DILocation(line: 214, column: 18, scope: !348)
!464 = !DILocation(line: 184, column: 47, scope: !384, inlinedAt: !463)
!465 = !DILocation(line: 184, column: 53, scope: !384, inlinedAt: !463)
!466 = !DILocation(line: 184, column: 45, scope: !384, inlinedAt: !463)
!467 = !DILocation(line: 184, column: 63, scope: !384, inlinedAt: !463)
!468 = !DILocation(line: 184, column: 61, scope: !384, inlinedAt: !463)
!469 = !DILocation(line: 184, column: 26, scope: !384, inlinedAt: !463)
!470 = !DILocation(line: 185, column: 16, scope: !384, inlinedAt: !463)
!471 = !DILocation(line: 185, column: 25, scope: !384, inlinedAt: !463)
!472 = !DILocation(line: 214, column: 53, scope: !348)
!473 = !DILocation(line: 214, column: 74, scope: !348)
!474 = !DILocation(line: 186, column: 35, scope: !384, inlinedAt: !463)
!475 = !DILocation(line: 186, column: 29, scope: !384, inlinedAt: !463)
!476 = !DILocation(line: 186, column: 27, scope: !384, inlinedAt: !463)
!477 = !DILocation(line: 187, column: 23, scope: !384, inlinedAt: !463)
!478 = !DILocation(line: 187, column: 33, scope: !384, inlinedAt: !463)
!479 = !DILocation(line: 187, column: 42, scope: !384, inlinedAt: !463)
!480 = !DILocation(line: 187, column: 52, scope: !384, inlinedAt: !463)
!481 = !DILocation(line: 187, column: 50, scope: !384, inlinedAt: !463)
!482 = !DILocation(line: 187, column: 40, scope: !384, inlinedAt: !463)
!483 = !DILocation(line: 187, column: 61, scope: !384, inlinedAt: !463)
!484 = !DILocation(line: 187, column: 71, scope: !384, inlinedAt: !463)
!485 = !DILocation(line: 187, column: 59, scope: !384, inlinedAt: !463)
!486 = !DILocation(line: 188, column: 34, scope: !384, inlinedAt: !463)
!487 = !DILocation(line: 188, column: 26, scope: !384, inlinedAt: !463)
!488 = !DILocation(line: 188, column: 50, scope: !384, inlinedAt: !463)
!489 = !DILocation(line: 188, column: 71, scope: !384, inlinedAt: !463)
!490 = !DILocation(line: 188, column: 62, scope: !384, inlinedAt: !463)
!491 = !DILocation(line: 189, column: 10, scope: !384, inlinedAt: !463)
!492 = !DILocation(line: 189, column: 36, scope: !384, inlinedAt: !463)
!493 = !DILocation(line: 189, column: 44, scope: !384, inlinedAt: !463)
!494 = !DILocation(line: 189, column: 28, scope: !384, inlinedAt: !463)
!495 = !DILocation(line: 189, column: 60, scope: !384, inlinedAt: !463)
!496 = !DILocation(line: 189, column: 26, scope: !384, inlinedAt: !463)
!497 = !DILocation(line: 0, scope: !384, inlinedAt: !463)
!498 = !DILocation(line: 214, column: 15, scope: !348)
!499 = !DILocation(line: 216, column: 9, scope: !348)
!500 = !DILocation(line: 0, scope: !348)
!501 = !DILocation(line: 212, column: 39, scope: !348)
!502 = distinct !{!502, !456, !499}
!503 = !DILocation(line: 204, column: 10, scope: !348)
!504 = !DILocation(line: 207, column: 32, scope: !348)
!505 = !DILocation(line: 207, column: 26, scope: !348)
!506 = distinct !{!506, !430, !507}
!507 = !DILocation(line: 217, column: 7, scope: !348)
