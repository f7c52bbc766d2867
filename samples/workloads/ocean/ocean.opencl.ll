; ModuleID = 'ocean.cl'
source_filename = "ocean.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@ocean_rows.line = internal unnamed_addr addrspace(3) global [2 x [256 x <2 x float>]] undef, align 8
@ocean_transpose.tile = internal unnamed_addr addrspace(3) global [16 x [17 x <2 x float>]] undef, align 8

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @ocean_spectrum(ptr addrspace(1) noalias noundef readonly align 8 captures(none) %0, ptr addrspace(1) noundef writeonly align 8 captures(none) %1, ptr addrspace(1) noundef writeonly align 8 captures(none) %2, i32 noundef %3, float noundef %4, float noundef %5) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !18 !kernel_arg_type_qual !19 {
  tail call void @__clang_ocl_kern_imp_ocean_spectrum(ptr addrspace(1) noundef align 8 %0, ptr addrspace(1) noundef align 8 %1, ptr addrspace(1) noundef align 8 %2, i32 noundef %3, float noundef %4, float noundef %5) #7, !dbg !20
  ret void, !dbg !21
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_ocean_spectrum(ptr addrspace(1) noalias noundef readonly align 8 captures(none) %0, ptr addrspace(1) noundef writeonly align 8 captures(none) %1, ptr addrspace(1) noundef writeonly align 8 captures(none) %2, i32 noundef %3, float noundef %4, float noundef %5) local_unnamed_addr #1 !dbg !22 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !18 !kernel_arg_type_qual !19 {
  %7 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #8, !dbg !23
  %8 = trunc i64 %7 to i32, !dbg !23
  %9 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #8, !dbg !24
  %10 = trunc i64 %9 to i32, !dbg !24
  %11 = icmp sgt i32 %3, %8, !dbg !25
  %12 = icmp sgt i32 %3, %10
  %13 = select i1 %11, i1 %12, i1 false, !dbg !26
  br i1 %13, label %14, label %93, !dbg !26

14:                                               ; preds = %6
  %15 = mul nsw i32 %3, %10, !dbg !27
  %16 = add nsw i32 %15, %8, !dbg !28
  %17 = sub nsw i32 %3, %10, !dbg !29
  %18 = add nsw i32 %3, -1, !dbg !30
  %19 = and i32 %17, %18, !dbg !31
  %20 = mul nsw i32 %19, %3, !dbg !32
  %21 = sub nsw i32 %3, %8, !dbg !33
  %22 = and i32 %21, %18, !dbg !34
  %23 = add nsw i32 %20, %22, !dbg !35
  %24 = sext i32 %16 to i64, !dbg !36
  %25 = getelementptr inbounds <2 x float>, ptr addrspace(1) %0, i64 %24, !dbg !36
  %26 = sext i32 %23 to i64, !dbg !37
  %27 = getelementptr inbounds <2 x float>, ptr addrspace(1) %0, i64 %26, !dbg !37
  %28 = load float, ptr addrspace(1) %25, align 8, !dbg !38, !tbaa !39
  %29 = fcmp une float %28, 0.000000e+00, !dbg !40
  %30 = getelementptr inbounds nuw i8, ptr addrspace(1) %25, i64 4
  %31 = load float, ptr addrspace(1) %30, align 4, !tbaa !39
  %32 = fcmp une float %31, 0.000000e+00
  %33 = select i1 %29, i1 true, i1 %32, !dbg !41
  %34 = load float, ptr addrspace(1) %27, align 8, !tbaa !39
  %35 = fcmp une float %34, 0.000000e+00
  %36 = select i1 %33, i1 true, i1 %35, !dbg !41
  %37 = getelementptr inbounds nuw i8, ptr addrspace(1) %27, i64 4
  %38 = load float, ptr addrspace(1) %37, align 4, !tbaa !39
  %39 = fcmp une float %38, 0.000000e+00
  %40 = select i1 %36, i1 true, i1 %39, !dbg !41
  br i1 %40, label %41, label %88, !dbg !41

41:                                               ; preds = %14
  %42 = sdiv i32 %3, 2, !dbg !42
  %43 = icmp sgt i32 %42, %8, !dbg !43
  %44 = select i1 %43, i32 0, i32 %3, !dbg !44
  %45 = sub nsw i32 %8, %44, !dbg !44
  %46 = sitofp i32 %45 to float, !dbg !45
  %47 = fdiv float 0x401921FB60000000, %4, !dbg !46, !fpmath !47
  %48 = fmul float %47, %46, !dbg !48
  %49 = icmp sgt i32 %42, %10, !dbg !49
  %50 = select i1 %49, i32 0, i32 %3, !dbg !50
  %51 = sub nsw i32 %10, %50, !dbg !50
  %52 = sitofp i32 %51 to float, !dbg !51
  %53 = fmul float %47, %52, !dbg !52
  %54 = fmul float %53, %53, !dbg !53
  %55 = tail call float @llvm.fmuladd.f32(float %48, float %48, float %54), !dbg !54
  %56 = tail call float @_Z4sqrtf(float noundef %55) #8, !dbg !55, !fpmath !56
  %57 = fmul float %56, 0x40239EB860000000, !dbg !57
  %58 = tail call float @_Z4sqrtf(float noundef %57) #8, !dbg !58, !fpmath !56
  %59 = fmul float %5, %58, !dbg !59
  %60 = fmul float %59, 0x3FC45F3060000000, !dbg !60
  %61 = tail call float @_Z4rintf(float noundef %60) #8, !dbg !61
  %62 = fsub float %60, %61, !dbg !62
  %63 = fmul float %62, 0x401921FB60000000, !dbg !63
  %64 = tail call float @_Z10native_cosf(float noundef %63) #8, !dbg !64
  %65 = tail call float @_Z10native_sinf(float noundef %63) #8, !dbg !65
  %66 = fneg float %65, !dbg !66
  %67 = fmul float %31, %66, !dbg !66
  %68 = tail call float @llvm.fmuladd.f32(float %28, float %64, float %67), !dbg !66
  %69 = tail call float @llvm.fmuladd.f32(float %34, float %64, float %68), !dbg !67
  %70 = fneg float %38, !dbg !68
  %71 = tail call float @llvm.fmuladd.f32(float %70, float %65, float %69), !dbg !68
  %72 = insertelement <2 x float> poison, float %71, i64 0, !dbg !69
  %73 = fmul float %31, %64, !dbg !70
  %74 = tail call float @llvm.fmuladd.f32(float %28, float %65, float %73), !dbg !71
  %75 = fneg float %34, !dbg !72
  %76 = tail call float @llvm.fmuladd.f32(float %75, float %65, float %74), !dbg !72
  %77 = tail call float @llvm.fmuladd.f32(float %70, float %64, float %76), !dbg !73
  %78 = insertelement <2 x float> %72, float %77, i64 1, !dbg !74
  %79 = fdiv float %48, %56, !dbg !75, !fpmath !47
  %80 = fdiv float %53, %56, !dbg !76, !fpmath !47
  %81 = fmul float %80, %71, !dbg !77
  %82 = tail call float @llvm.fmuladd.f32(float %79, float %77, float %81), !dbg !78
  %83 = insertelement <2 x float> poison, float %82, i64 0, !dbg !79
  %84 = fneg float %71, !dbg !80
  %85 = fmul float %79, %84, !dbg !80
  %86 = tail call float @llvm.fmuladd.f32(float %80, float %77, float %85), !dbg !80
  %87 = insertelement <2 x float> %83, float %86, i64 1, !dbg !81
  br label %88, !dbg !82

88:                                               ; preds = %14, %41
  %89 = phi <2 x float> [ %87, %41 ], [ zeroinitializer, %14 ], !dbg !83
  %90 = phi <2 x float> [ %78, %41 ], [ zeroinitializer, %14 ], !dbg !83
  %91 = getelementptr inbounds <2 x float>, ptr addrspace(1) %1, i64 %24, !dbg !84
  store <2 x float> %90, ptr addrspace(1) %91, align 8, !dbg !85, !tbaa !39
  %92 = getelementptr inbounds <2 x float>, ptr addrspace(1) %2, i64 %24, !dbg !86
  store <2 x float> %89, ptr addrspace(1) %92, align 8, !dbg !87, !tbaa !39
  br label %93, !dbg !88

93:                                               ; preds = %6, %88
  ret void, !dbg !88
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @ocean_rows(ptr addrspace(1) noundef align 8 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #2 !dbg !89 !kernel_arg_addr_space !90 !kernel_arg_access_qual !91 !kernel_arg_type !92 !kernel_arg_base_type !93 !kernel_arg_type_qual !94 {
  tail call void @__clang_ocl_kern_imp_ocean_rows(ptr addrspace(1) noundef align 8 %0, ptr addrspace(1) noundef align 8 %1, i32 noundef %2, i32 noundef %3) #7, !dbg !95
  ret void, !dbg !96
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_ocean_rows(ptr addrspace(1) noundef align 8 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #3 !dbg !97 !kernel_arg_addr_space !90 !kernel_arg_access_qual !91 !kernel_arg_type !92 !kernel_arg_base_type !93 !kernel_arg_type_qual !94 {
  %5 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #8, !dbg !98
  %6 = trunc i64 %5 to i32, !dbg !98
  %7 = sdiv i32 %2, 2, !dbg !99
  %8 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #8, !dbg !100
  %9 = sext i32 %2 to i64, !dbg !101
  %10 = mul i64 %8, %9, !dbg !102
  %11 = getelementptr inbounds nuw <2 x float>, ptr addrspace(1) %0, i64 %10, !dbg !103
  %12 = shl i64 %5, 32, !dbg !104
  %13 = ashr exact i64 %12, 32, !dbg !104
  %14 = getelementptr inbounds <2 x float>, ptr addrspace(1) %11, i64 %13, !dbg !104
  %15 = load <2 x float>, ptr addrspace(1) %14, align 8, !dbg !104, !tbaa !39
  %16 = getelementptr inbounds <2 x float>, ptr addrspace(3) @ocean_rows.line, i64 %13, !dbg !105
  store <2 x float> %15, ptr addrspace(3) %16, align 8, !dbg !106, !tbaa !39
  %17 = add nsw i32 %7, %6, !dbg !107
  %18 = sext i32 %17 to i64, !dbg !108
  %19 = getelementptr inbounds <2 x float>, ptr addrspace(1) %11, i64 %18, !dbg !108
  %20 = load <2 x float>, ptr addrspace(1) %19, align 8, !dbg !108, !tbaa !39
  %21 = getelementptr inbounds <2 x float>, ptr addrspace(3) @ocean_rows.line, i64 %18, !dbg !109
  store <2 x float> %20, ptr addrspace(3) %21, align 8, !dbg !110, !tbaa !39
  %22 = icmp sgt i32 %3, 0, !dbg !111
  br i1 %22, label %23, label %25, !dbg !112

23:                                               ; preds = %4
  %24 = shl nsw i32 %6, 1
  br label %33, !dbg !112

25:                                               ; preds = %33, %4
  %26 = and i32 %3, 1, !dbg !113
  %27 = zext nneg i32 %26 to i64, !dbg !114
  %28 = getelementptr inbounds nuw [256 x <2 x float>], ptr addrspace(3) @ocean_rows.line, i64 %27, !dbg !114
  %29 = getelementptr inbounds <2 x float>, ptr addrspace(3) %28, i64 %13, !dbg !114
  %30 = load <2 x float>, ptr addrspace(3) %29, align 8, !dbg !114, !tbaa !39
  store <2 x float> %30, ptr addrspace(1) %14, align 8, !dbg !115, !tbaa !39
  %31 = getelementptr inbounds <2 x float>, ptr addrspace(3) %28, i64 %18, !dbg !116
  %32 = load <2 x float>, ptr addrspace(3) %31, align 8, !dbg !116, !tbaa !39
  store <2 x float> %32, ptr addrspace(1) %19, align 8, !dbg !117, !tbaa !39
  ret void, !dbg !118

33:                                               ; preds = %23, %33
  %34 = phi i32 [ 0, %23 ], [ %79, %33 ]
  %35 = and i32 %34, 1, !dbg !119
  %36 = zext nneg i32 %35 to i64, !dbg !120
  %37 = getelementptr inbounds nuw [256 x <2 x float>], ptr addrspace(3) @ocean_rows.line, i64 %36, !dbg !120
  %38 = xor i32 %35, 1, !dbg !121
  %39 = zext nneg i32 %38 to i64, !dbg !122
  %40 = getelementptr inbounds nuw [256 x <2 x float>], ptr addrspace(3) @ocean_rows.line, i64 %39, !dbg !122
  %41 = and i32 %34, 31, !dbg !123
  %42 = shl nuw i32 1, %41, !dbg !123
  %43 = add nsw i32 %42, -1, !dbg !124
  %44 = and i32 %43, %6, !dbg !125
  %45 = getelementptr inbounds <2 x float>, ptr addrspace(3) %37, i64 %13, !dbg !126
  %46 = load <2 x float>, ptr addrspace(3) %45, align 8, !dbg !126, !tbaa !39
  %47 = getelementptr inbounds <2 x float>, ptr addrspace(3) %37, i64 %18, !dbg !127
  %48 = ashr i32 %7, %41, !dbg !128
  %49 = mul nsw i32 %44, %48, !dbg !129
  %50 = sext i32 %49 to i64, !dbg !130
  %51 = getelementptr inbounds <2 x float>, ptr addrspace(1) %1, i64 %50, !dbg !130
  %52 = load float, ptr addrspace(3) %47, align 8, !dbg !131, !tbaa !39
  %53 = load float, ptr addrspace(1) %51, align 8, !dbg !134, !tbaa !39
  %54 = getelementptr inbounds nuw i8, ptr addrspace(3) %47, i64 4, !dbg !135
  %55 = load float, ptr addrspace(3) %54, align 4, !dbg !135, !tbaa !39
  %56 = getelementptr inbounds nuw i8, ptr addrspace(1) %51, i64 4, !dbg !136
  %57 = load float, ptr addrspace(1) %56, align 4, !dbg !136, !tbaa !39
  %58 = fneg float %57, !dbg !137
  %59 = fmul float %55, %58, !dbg !137
  %60 = tail call float @llvm.fmuladd.f32(float %52, float %53, float %59), !dbg !137
  %61 = fmul float %55, %53, !dbg !138
  %62 = tail call float @llvm.fmuladd.f32(float %52, float %57, float %61), !dbg !139
  %63 = sub nsw i32 %24, %44, !dbg !140
  %64 = extractelement <2 x float> %46, i64 0, !dbg !141
  %65 = fadd float %64, %60, !dbg !142
  %66 = insertelement <2 x float> poison, float %65, i64 0, !dbg !143
  %67 = extractelement <2 x float> %46, i64 1, !dbg !144
  %68 = fadd float %67, %62, !dbg !145
  %69 = insertelement <2 x float> %66, float %68, i64 1, !dbg !143
  %70 = sext i32 %63 to i64, !dbg !146
  %71 = getelementptr inbounds <2 x float>, ptr addrspace(3) %40, i64 %70, !dbg !146
  store <2 x float> %69, ptr addrspace(3) %71, align 8, !dbg !147, !tbaa !39
  %72 = fsub float %64, %60, !dbg !148
  %73 = insertelement <2 x float> poison, float %72, i64 0, !dbg !149
  %74 = fsub float %67, %62, !dbg !150
  %75 = insertelement <2 x float> %73, float %74, i64 1, !dbg !149
  %76 = add nsw i32 %63, %42, !dbg !151
  %77 = sext i32 %76 to i64, !dbg !152
  %78 = getelementptr inbounds <2 x float>, ptr addrspace(3) %40, i64 %77, !dbg !152
  store <2 x float> %75, ptr addrspace(3) %78, align 8, !dbg !153, !tbaa !39
  tail call void @_Z7barrierj(i32 noundef 1) #7, !dbg !154
  %79 = add nuw nsw i32 %34, 1, !dbg !155
  %80 = icmp eq i32 %79, %3, !dbg !111
  br i1 %80, label %25, label %33, !dbg !112, !llvm.loop !156
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @ocean_transpose(ptr addrspace(1) noalias noundef writeonly align 8 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %1, i32 noundef %2) local_unnamed_addr #2 !dbg !158 !kernel_arg_addr_space !159 !kernel_arg_access_qual !160 !kernel_arg_type !161 !kernel_arg_base_type !162 !kernel_arg_type_qual !163 {
  tail call void @__clang_ocl_kern_imp_ocean_transpose(ptr addrspace(1) noundef align 8 %0, ptr addrspace(1) noundef align 8 %1, i32 noundef %2) #7, !dbg !164
  ret void, !dbg !165
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_ocean_transpose(ptr addrspace(1) noalias noundef writeonly align 8 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %1, i32 noundef %2) local_unnamed_addr #3 !dbg !166 !kernel_arg_addr_space !159 !kernel_arg_access_qual !160 !kernel_arg_type !161 !kernel_arg_base_type !162 !kernel_arg_type_qual !163 {
  %4 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #8, !dbg !167
  %5 = tail call i64 @_Z12get_local_idj(i32 noundef 1) #8, !dbg !168
  %6 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #8, !dbg !169
  %7 = shl i64 %6, 4, !dbg !170
  %8 = shl i64 %5, 32, !dbg !171
  %9 = ashr exact i64 %8, 32, !dbg !171
  %10 = add i64 %7, %9, !dbg !172
  %11 = sext i32 %2 to i64, !dbg !173
  %12 = mul i64 %10, %11, !dbg !174
  %13 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #8, !dbg !175
  %14 = shl i64 %13, 4, !dbg !176
  %15 = shl i64 %4, 32, !dbg !177
  %16 = ashr exact i64 %15, 32, !dbg !177
  %17 = getelementptr <2 x float>, ptr addrspace(1) %1, i64 %12, !dbg !178
  %18 = getelementptr <2 x float>, ptr addrspace(1) %17, i64 %14, !dbg !178
  %19 = getelementptr <2 x float>, ptr addrspace(1) %18, i64 %16, !dbg !178
  %20 = load <2 x float>, ptr addrspace(1) %19, align 8, !dbg !178, !tbaa !39
  %21 = getelementptr inbounds [17 x <2 x float>], ptr addrspace(3) @ocean_transpose.tile, i64 %9, !dbg !179
  %22 = getelementptr inbounds <2 x float>, ptr addrspace(3) %21, i64 %16, !dbg !179
  store <2 x float> %20, ptr addrspace(3) %22, align 8, !dbg !180, !tbaa !39
  tail call void @_Z7barrierj(i32 noundef 1) #7, !dbg !181
  %23 = getelementptr inbounds [17 x <2 x float>], ptr addrspace(3) @ocean_transpose.tile, i64 %16, !dbg !182
  %24 = getelementptr inbounds <2 x float>, ptr addrspace(3) %23, i64 %9, !dbg !182
  %25 = load <2 x float>, ptr addrspace(3) %24, align 8, !dbg !182, !tbaa !39
  %26 = add i64 %14, %9, !dbg !183
  %27 = mul i64 %26, %11, !dbg !184
  %28 = getelementptr <2 x float>, ptr addrspace(1) %0, i64 %27, !dbg !185
  %29 = getelementptr <2 x float>, ptr addrspace(1) %28, i64 %7, !dbg !185
  %30 = getelementptr <2 x float>, ptr addrspace(1) %29, i64 %16, !dbg !185
  store <2 x float> %25, ptr addrspace(1) %30, align 8, !dbg !186, !tbaa !39
  ret void, !dbg !187
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @ocean_surface(ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef align 4 captures(none) %2, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %3, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %4, i32 noundef %5, float noundef %6, float noundef %7) local_unnamed_addr #0 !dbg !188 !kernel_arg_addr_space !189 !kernel_arg_access_qual !190 !kernel_arg_type !191 !kernel_arg_base_type !192 !kernel_arg_type_qual !193 {
  tail call void @__clang_ocl_kern_imp_ocean_surface(ptr addrspace(1) noundef align 16 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, ptr addrspace(1) noundef align 8 %3, ptr addrspace(1) noundef align 8 %4, i32 noundef %5, float noundef %6, float noundef %7) #7, !dbg !194
  ret void, !dbg !195
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_ocean_surface(ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef align 4 captures(none) %2, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %3, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %4, i32 noundef %5, float noundef %6, float noundef %7) local_unnamed_addr #1 !dbg !196 !kernel_arg_addr_space !189 !kernel_arg_access_qual !190 !kernel_arg_type !191 !kernel_arg_base_type !192 !kernel_arg_type_qual !193 {
  %9 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #8, !dbg !197
  %10 = trunc i64 %9 to i32, !dbg !197
  %11 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #8, !dbg !198
  %12 = trunc i64 %11 to i32, !dbg !198
  %13 = icmp sgt i32 %5, %12, !dbg !199
  %14 = icmp sgt i32 %5, %10
  %15 = select i1 %13, i1 %14, i1 false, !dbg !200
  br i1 %15, label %16, label %116, !dbg !200

16:                                               ; preds = %8
  %17 = add nsw i32 %5, -1, !dbg !201
  %18 = mul nsw i32 %5, %12, !dbg !202
  %19 = add nsw i32 %18, %10, !dbg !203
  %20 = add nsw i32 %12, 1, !dbg !204
  %21 = and i32 %20, %17, !dbg !205
  %22 = mul nsw i32 %21, %5, !dbg !206
  %23 = add nsw i32 %22, %10, !dbg !207
  %24 = add nsw i32 %12, -1, !dbg !208
  %25 = and i32 %24, %17, !dbg !209
  %26 = mul nsw i32 %25, %5, !dbg !210
  %27 = add nsw i32 %26, %10, !dbg !211
  %28 = add nsw i32 %10, 1, !dbg !212
  %29 = and i32 %28, %17, !dbg !213
  %30 = add nsw i32 %18, %29, !dbg !214
  %31 = add nsw i32 %10, -1, !dbg !215
  %32 = and i32 %31, %17, !dbg !216
  %33 = add nsw i32 %18, %32, !dbg !217
  %34 = sitofp i32 %5 to float, !dbg !218
  %35 = fmul float %6, 2.000000e+00, !dbg !219
  %36 = fdiv float %34, %35, !dbg !220, !fpmath !47
  %37 = sext i32 %23 to i64, !dbg !221
  %38 = getelementptr inbounds <2 x float>, ptr addrspace(1) %3, i64 %37, !dbg !221
  %39 = load float, ptr addrspace(1) %38, align 8, !dbg !221
  %40 = sext i32 %27 to i64, !dbg !222
  %41 = getelementptr inbounds <2 x float>, ptr addrspace(1) %3, i64 %40, !dbg !222
  %42 = load float, ptr addrspace(1) %41, align 8, !dbg !222
  %43 = fsub float %39, %42, !dbg !223
  %44 = fmul float %36, %43, !dbg !224
  %45 = sext i32 %30 to i64, !dbg !225
  %46 = getelementptr inbounds <2 x float>, ptr addrspace(1) %3, i64 %45, !dbg !225
  %47 = load float, ptr addrspace(1) %46, align 8, !dbg !225
  %48 = sext i32 %33 to i64, !dbg !226
  %49 = getelementptr inbounds <2 x float>, ptr addrspace(1) %3, i64 %48, !dbg !226
  %50 = load float, ptr addrspace(1) %49, align 8, !dbg !226
  %51 = fsub float %47, %50, !dbg !227
  %52 = fmul float %36, %51, !dbg !228
  %53 = fmul float %52, %52, !dbg !229
  %54 = tail call float @llvm.fmuladd.f32(float %44, float %44, float %53), !dbg !230
  %55 = fadd float %54, 1.000000e+00, !dbg !231
  %56 = tail call float @_Z5rsqrtf(float noundef %55) #8, !dbg !232
  %57 = fmul float %7, %36, !dbg !233
  %58 = getelementptr inbounds <2 x float>, ptr addrspace(1) %4, i64 %37, !dbg !234
  %59 = load float, ptr addrspace(1) %58, align 8, !dbg !234
  %60 = getelementptr inbounds <2 x float>, ptr addrspace(1) %4, i64 %40, !dbg !235
  %61 = load float, ptr addrspace(1) %60, align 8, !dbg !235
  %62 = fsub float %59, %61, !dbg !236
  %63 = tail call float @llvm.fmuladd.f32(float %62, float %57, float 1.000000e+00), !dbg !237
  %64 = getelementptr inbounds <2 x float>, ptr addrspace(1) %4, i64 %45, !dbg !238
  %65 = getelementptr inbounds nuw i8, ptr addrspace(1) %64, i64 4, !dbg !238
  %66 = load float, ptr addrspace(1) %65, align 4, !dbg !238
  %67 = getelementptr inbounds <2 x float>, ptr addrspace(1) %4, i64 %48, !dbg !239
  %68 = getelementptr inbounds nuw i8, ptr addrspace(1) %67, i64 4, !dbg !239
  %69 = load float, ptr addrspace(1) %68, align 4, !dbg !239
  %70 = fsub float %66, %69, !dbg !240
  %71 = tail call float @llvm.fmuladd.f32(float %70, float %57, float 1.000000e+00), !dbg !241
  %72 = load float, ptr addrspace(1) %64, align 8, !dbg !242
  %73 = load float, ptr addrspace(1) %67, align 8, !dbg !243
  %74 = fsub float %72, %73, !dbg !244
  %75 = fmul float %57, %74, !dbg !245
  %76 = getelementptr inbounds nuw i8, ptr addrspace(1) %58, i64 4, !dbg !246
  %77 = load float, ptr addrspace(1) %76, align 4, !dbg !246
  %78 = getelementptr inbounds nuw i8, ptr addrspace(1) %60, i64 4, !dbg !247
  %79 = load float, ptr addrspace(1) %78, align 4, !dbg !247
  %80 = fsub float %77, %79, !dbg !248
  %81 = fneg float %57, !dbg !249
  %82 = fmul float %80, %81, !dbg !249
  %83 = fmul float %82, %75, !dbg !249
  %84 = tail call float @llvm.fmuladd.f32(float %63, float %71, float %83), !dbg !249
  %85 = sext i32 %19 to i64, !dbg !250
  %86 = getelementptr inbounds <2 x float>, ptr addrspace(1) %3, i64 %85, !dbg !250
  %87 = load float, ptr addrspace(1) %86, align 8, !dbg !250
  %88 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %85, !dbg !251
  store float %87, ptr addrspace(1) %88, align 4, !dbg !252, !tbaa !253
  %89 = fneg float %44, !dbg !255
  %90 = fmul float %56, %89, !dbg !256
  %91 = insertelement <4 x float> poison, float %90, i64 0, !dbg !257
  %92 = fneg float %52, !dbg !258
  %93 = fmul float %56, %92, !dbg !259
  %94 = insertelement <4 x float> %91, float %93, i64 1, !dbg !257
  %95 = insertelement <4 x float> %94, float %56, i64 2, !dbg !257
  %96 = insertelement <4 x float> %95, float %84, i64 3, !dbg !257
  %97 = getelementptr inbounds <4 x float>, ptr addrspace(1) %0, i64 %85, !dbg !260
  store <4 x float> %96, ptr addrspace(1) %97, align 16, !dbg !261, !tbaa !39
  %98 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %85, !dbg !262
  %99 = load float, ptr addrspace(1) %98, align 4, !dbg !262, !tbaa !253
  %100 = fcmp oge float %84, 0x3FE6666660000000, !dbg !263
  %101 = fcmp oeq float %99, 0.000000e+00
  %102 = select i1 %100, i1 %101, i1 false, !dbg !264
  br i1 %102, label %116, label %103, !dbg !264

103:                                              ; preds = %16
  %104 = fcmp ogt float %99, 0x3F847AE140000000, !dbg !265
  %105 = fmul float %99, 0x3FECCCCCC0000000, !dbg !266
  %106 = select i1 %104, float %105, float 0.000000e+00, !dbg !266
  %107 = fcmp olt float %84, 0x3FE6666660000000, !dbg !267
  br i1 %107, label %108, label %114, !dbg !267

108:                                              ; preds = %103
  %109 = fadd float %84, 0xBFE6666660000000
  %110 = fmul float %109, 2.000000e+00
  %111 = tail call float @_Z10native_expf(float noundef %110) #8, !dbg !268
  %112 = fsub float 1.000000e+00, %111, !dbg !269
  %113 = tail call float @_Z4fmaxff(float noundef %106, float noundef %112) #8, !dbg !270
  br label %114, !dbg !271

114:                                              ; preds = %108, %103
  %115 = phi float [ %113, %108 ], [ %106, %103 ], !dbg !272
  store float %115, ptr addrspace(1) %98, align 4, !dbg !273, !tbaa !253
  br label %116, !dbg !274

116:                                              ; preds = %114, %16, %8
  ret void, !dbg !274
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #4

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z4sqrtf(float noundef) local_unnamed_addr #4

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #5

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z4rintf(float noundef) local_unnamed_addr #4

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z10native_cosf(float noundef) local_unnamed_addr #4

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z10native_sinf(float noundef) local_unnamed_addr #4

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #4

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #4

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #6

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z5rsqrtf(float noundef) local_unnamed_addr #4

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z4fmaxff(float noundef, float noundef) local_unnamed_addr #4

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z10native_expf(float noundef) local_unnamed_addr #4

attributes #0 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #5 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #7 = { convergent nounwind }
attributes #8 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "ocean.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "ocean_spectrum", scope: !1, file: !1, line: 15, type: !13, scopeLine: 16, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 1, i32 0, i32 0, i32 0}
!16 = !{!"none", !"none", !"none", !"none", !"none", !"none"}
!17 = !{!"float2*", !"float2*", !"float2*", !"int", !"float", !"float"}
!18 = !{!"float __attribute__((ext_vector_type(2)))*", !"float __attribute__((ext_vector_type(2)))*", !"float __attribute__((ext_vector_type(2)))*", !"int", !"float", !"float"}
!19 = !{!"restrict const", !"", !"", !"", !"", !""}
!20 = !DILocation(line: 16, column: 90, scope: !12)
!21 = !DILocation(line: 45, column: 1, scope: !12)
!22 = distinct !DISubprogram(name: "ocean_spectrum", scope: !1, file: !1, line: 15, type: !13, scopeLine: 16, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!23 = !DILocation(line: 17, column: 17, scope: !22)
!24 = !DILocation(line: 18, column: 17, scope: !22)
!25 = !DILocation(line: 19, column: 9, scope: !22)
!26 = !DILocation(line: 19, column: 17, scope: !22)
!27 = !DILocation(line: 20, column: 23, scope: !22)
!28 = !DILocation(line: 20, column: 30, scope: !22)
!29 = !DILocation(line: 21, column: 31, scope: !22)
!30 = !DILocation(line: 21, column: 44, scope: !22)
!31 = !DILocation(line: 21, column: 36, scope: !22)
!32 = !DILocation(line: 21, column: 50, scope: !22)
!33 = !DILocation(line: 21, column: 66, scope: !22)
!34 = !DILocation(line: 21, column: 71, scope: !22)
!35 = !DILocation(line: 21, column: 57, scope: !22)
!36 = !DILocation(line: 22, column: 24, scope: !22)
!37 = !DILocation(line: 23, column: 26, scope: !22)
!38 = !DILocation(line: 26, column: 7, scope: !22)
!39 = !{!10, !10, i64 0}
!40 = !DILocation(line: 26, column: 15, scope: !22)
!41 = !DILocation(line: 26, column: 23, scope: !22)
!42 = !DILocation(line: 27, column: 32, scope: !22)
!43 = !DILocation(line: 27, column: 25, scope: !22)
!44 = !DILocation(line: 27, column: 23, scope: !22)
!45 = !DILocation(line: 27, column: 22, scope: !22)
!46 = !DILocation(line: 27, column: 60, scope: !22)
!47 = !{float 2.500000e+00}
!48 = !DILocation(line: 27, column: 52, scope: !22)
!49 = !DILocation(line: 28, column: 25, scope: !22)
!50 = !DILocation(line: 28, column: 23, scope: !22)
!51 = !DILocation(line: 28, column: 22, scope: !22)
!52 = !DILocation(line: 28, column: 52, scope: !22)
!53 = !DILocation(line: 29, column: 39, scope: !22)
!54 = !DILocation(line: 29, column: 34, scope: !22)
!55 = !DILocation(line: 29, column: 21, scope: !22)
!56 = !{float 3.000000e+00}
!57 = !DILocation(line: 31, column: 38, scope: !22)
!58 = !DILocation(line: 31, column: 25, scope: !22)
!59 = !DILocation(line: 31, column: 43, scope: !22)
!60 = !DILocation(line: 31, column: 50, scope: !22)
!61 = !DILocation(line: 32, column: 34, scope: !22)
!62 = !DILocation(line: 32, column: 32, scope: !22)
!63 = !DILocation(line: 32, column: 47, scope: !22)
!64 = !DILocation(line: 33, column: 21, scope: !22)
!65 = !DILocation(line: 34, column: 21, scope: !22)
!66 = !DILocation(line: 35, column: 23, scope: !22)
!67 = !DILocation(line: 35, column: 37, scope: !22)
!68 = !DILocation(line: 35, column: 53, scope: !22)
!69 = !DILocation(line: 35, column: 9, scope: !22)
!70 = !DILocation(line: 36, column: 33, scope: !22)
!71 = !DILocation(line: 36, column: 23, scope: !22)
!72 = !DILocation(line: 36, column: 37, scope: !22)
!73 = !DILocation(line: 36, column: 53, scope: !22)
!74 = !DILocation(line: 36, column: 9, scope: !22)
!75 = !DILocation(line: 38, column: 25, scope: !22)
!76 = !DILocation(line: 39, column: 25, scope: !22)
!77 = !DILocation(line: 40, column: 25, scope: !22)
!78 = !DILocation(line: 40, column: 20, scope: !22)
!79 = !DILocation(line: 40, column: 9, scope: !22)
!80 = !DILocation(line: 41, column: 20, scope: !22)
!81 = !DILocation(line: 41, column: 9, scope: !22)
!82 = !DILocation(line: 42, column: 3, scope: !22)
!83 = !DILocation(line: 0, scope: !22)
!84 = !DILocation(line: 43, column: 3, scope: !22)
!85 = !DILocation(line: 43, column: 17, scope: !22)
!86 = !DILocation(line: 44, column: 3, scope: !22)
!87 = !DILocation(line: 44, column: 16, scope: !22)
!88 = !DILocation(line: 45, column: 1, scope: !22)
!89 = distinct !DISubprogram(name: "ocean_rows", scope: !1, file: !1, line: 54, type: !13, scopeLine: 55, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!90 = !{i32 1, i32 1, i32 0, i32 0}
!91 = !{!"none", !"none", !"none", !"none"}
!92 = !{!"float2*", !"float2*", !"int", !"int"}
!93 = !{!"float __attribute__((ext_vector_type(2)))*", !"float __attribute__((ext_vector_type(2)))*", !"int", !"int"}
!94 = !{!"", !"restrict const", !"", !""}
!95 = !DILocation(line: 55, column: 38, scope: !89)
!96 = !DILocation(line: 76, column: 1, scope: !89)
!97 = distinct !DISubprogram(name: "ocean_rows", scope: !1, file: !1, line: 54, type: !13, scopeLine: 55, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!98 = !DILocation(line: 57, column: 17, scope: !97)
!99 = !DILocation(line: 58, column: 26, scope: !97)
!100 = !DILocation(line: 59, column: 33, scope: !97)
!101 = !DILocation(line: 59, column: 51, scope: !97)
!102 = !DILocation(line: 59, column: 49, scope: !97)
!103 = !DILocation(line: 59, column: 31, scope: !97)
!104 = !DILocation(line: 60, column: 16, scope: !97)
!105 = !DILocation(line: 60, column: 3, scope: !97)
!106 = !DILocation(line: 60, column: 14, scope: !97)
!107 = !DILocation(line: 61, column: 30, scope: !97)
!108 = !DILocation(line: 61, column: 24, scope: !97)
!109 = !DILocation(line: 61, column: 3, scope: !97)
!110 = !DILocation(line: 61, column: 22, scope: !97)
!111 = !DILocation(line: 62, column: 29, scope: !97)
!112 = !DILocation(line: 62, column: 3, scope: !97)
!113 = !DILocation(line: 74, column: 24, scope: !97)
!114 = !DILocation(line: 74, column: 12, scope: !97)
!115 = !DILocation(line: 74, column: 10, scope: !97)
!116 = !DILocation(line: 75, column: 20, scope: !97)
!117 = !DILocation(line: 75, column: 18, scope: !97)
!118 = !DILocation(line: 76, column: 1, scope: !97)
!119 = !DILocation(line: 63, column: 45, scope: !97)
!120 = !DILocation(line: 63, column: 34, scope: !97)
!121 = !DILocation(line: 64, column: 38, scope: !97)
!122 = !DILocation(line: 64, column: 26, scope: !97)
!123 = !DILocation(line: 65, column: 24, scope: !97)
!124 = !DILocation(line: 66, column: 34, scope: !97)
!125 = !DILocation(line: 66, column: 26, scope: !97)
!126 = !DILocation(line: 67, column: 22, scope: !97)
!127 = !DILocation(line: 68, column: 29, scope: !97)
!128 = !DILocation(line: 68, column: 68, scope: !97)
!129 = !DILocation(line: 68, column: 59, scope: !97)
!130 = !DILocation(line: 68, column: 46, scope: !97)
!131 = !DILocation(line: 48, column: 19, scope: !132, inlinedAt: !133)
!132 = distinct !DISubprogram(name: "turned", scope: !1, file: !1, line: 47, type: !13, scopeLine: 47, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!133 = distinct !DILocation(line: 68, column: 22, scope: !97)
!134 = !DILocation(line: 48, column: 25, scope: !132, inlinedAt: !133)
!135 = !DILocation(line: 48, column: 32, scope: !132, inlinedAt: !133)
!136 = !DILocation(line: 48, column: 38, scope: !132, inlinedAt: !133)
!137 = !DILocation(line: 48, column: 30, scope: !132, inlinedAt: !133)
!138 = !DILocation(line: 48, column: 61, scope: !132, inlinedAt: !133)
!139 = !DILocation(line: 48, column: 55, scope: !132, inlinedAt: !133)
!140 = !DILocation(line: 69, column: 26, scope: !97)
!141 = !DILocation(line: 70, column: 23, scope: !97)
!142 = !DILocation(line: 70, column: 27, scope: !97)
!143 = !DILocation(line: 70, column: 22, scope: !97)
!144 = !DILocation(line: 70, column: 34, scope: !97)
!145 = !DILocation(line: 70, column: 38, scope: !97)
!146 = !DILocation(line: 70, column: 5, scope: !97)
!147 = !DILocation(line: 70, column: 12, scope: !97)
!148 = !DILocation(line: 71, column: 34, scope: !97)
!149 = !DILocation(line: 71, column: 29, scope: !97)
!150 = !DILocation(line: 71, column: 45, scope: !97)
!151 = !DILocation(line: 71, column: 11, scope: !97)
!152 = !DILocation(line: 71, column: 5, scope: !97)
!153 = !DILocation(line: 71, column: 19, scope: !97)
!154 = !DILocation(line: 72, column: 5, scope: !97)
!155 = !DILocation(line: 62, column: 39, scope: !97)
!156 = distinct !{!156, !112, !157}
!157 = !DILocation(line: 73, column: 3, scope: !97)
!158 = distinct !DISubprogram(name: "ocean_transpose", scope: !1, file: !1, line: 79, type: !13, scopeLine: 80, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!159 = !{i32 1, i32 1, i32 0}
!160 = !{!"none", !"none", !"none"}
!161 = !{!"float2*", !"float2*", !"int"}
!162 = !{!"float __attribute__((ext_vector_type(2)))*", !"float __attribute__((ext_vector_type(2)))*", !"int"}
!163 = !{!"restrict", !"restrict const", !""}
!164 = !DILocation(line: 80, column: 41, scope: !158)
!165 = !DILocation(line: 87, column: 1, scope: !158)
!166 = distinct !DISubprogram(name: "ocean_transpose", scope: !1, file: !1, line: 79, type: !13, scopeLine: 80, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!167 = !DILocation(line: 82, column: 18, scope: !166)
!168 = !DILocation(line: 83, column: 18, scope: !166)
!169 = !DILocation(line: 84, column: 24, scope: !166)
!170 = !DILocation(line: 84, column: 40, scope: !166)
!171 = !DILocation(line: 84, column: 49, scope: !166)
!172 = !DILocation(line: 84, column: 47, scope: !166)
!173 = !DILocation(line: 84, column: 55, scope: !166)
!174 = !DILocation(line: 84, column: 53, scope: !166)
!175 = !DILocation(line: 84, column: 62, scope: !166)
!176 = !DILocation(line: 84, column: 78, scope: !166)
!177 = !DILocation(line: 84, column: 87, scope: !166)
!178 = !DILocation(line: 84, column: 18, scope: !166)
!179 = !DILocation(line: 84, column: 3, scope: !166)
!180 = !DILocation(line: 84, column: 16, scope: !166)
!181 = !DILocation(line: 85, column: 3, scope: !166)
!182 = !DILocation(line: 86, column: 76, scope: !166)
!183 = !DILocation(line: 86, column: 30, scope: !166)
!184 = !DILocation(line: 86, column: 36, scope: !166)
!185 = !DILocation(line: 86, column: 3, scope: !166)
!186 = !DILocation(line: 86, column: 74, scope: !166)
!187 = !DILocation(line: 87, column: 1, scope: !166)
!188 = distinct !DISubprogram(name: "ocean_surface", scope: !1, file: !1, line: 93, type: !13, scopeLine: 96, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!189 = !{i32 1, i32 1, i32 1, i32 1, i32 1, i32 0, i32 0, i32 0}
!190 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!191 = !{!"float4*", !"float*", !"float*", !"float2*", !"float2*", !"int", !"float", !"float"}
!192 = !{!"float __attribute__((ext_vector_type(4)))*", !"float*", !"float*", !"float __attribute__((ext_vector_type(2)))*", !"float __attribute__((ext_vector_type(2)))*", !"int", !"float", !"float"}
!193 = !{!"restrict", !"restrict", !"restrict", !"restrict const", !"restrict const", !"", !"", !""}
!194 = !DILocation(line: 96, column: 47, scope: !188)
!195 = !DILocation(line: 123, column: 1, scope: !188)
!196 = distinct !DISubprogram(name: "ocean_surface", scope: !1, file: !1, line: 93, type: !13, scopeLine: 96, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!197 = !DILocation(line: 97, column: 17, scope: !196)
!198 = !DILocation(line: 98, column: 17, scope: !196)
!199 = !DILocation(line: 99, column: 9, scope: !196)
!200 = !DILocation(line: 99, column: 17, scope: !196)
!201 = !DILocation(line: 100, column: 25, scope: !196)
!202 = !DILocation(line: 101, column: 22, scope: !196)
!203 = !DILocation(line: 101, column: 29, scope: !196)
!204 = !DILocation(line: 102, column: 24, scope: !196)
!205 = !DILocation(line: 102, column: 29, scope: !196)
!206 = !DILocation(line: 102, column: 37, scope: !196)
!207 = !DILocation(line: 102, column: 44, scope: !196)
!208 = !DILocation(line: 103, column: 24, scope: !196)
!209 = !DILocation(line: 103, column: 29, scope: !196)
!210 = !DILocation(line: 103, column: 37, scope: !196)
!211 = !DILocation(line: 103, column: 44, scope: !196)
!212 = !DILocation(line: 104, column: 36, scope: !196)
!213 = !DILocation(line: 104, column: 41, scope: !196)
!214 = !DILocation(line: 104, column: 30, scope: !196)
!215 = !DILocation(line: 105, column: 36, scope: !196)
!216 = !DILocation(line: 105, column: 41, scope: !196)
!217 = !DILocation(line: 105, column: 30, scope: !196)
!218 = !DILocation(line: 106, column: 26, scope: !196)
!219 = !DILocation(line: 106, column: 39, scope: !196)
!220 = !DILocation(line: 106, column: 31, scope: !196)
!221 = !DILocation(line: 107, column: 25, scope: !196)
!222 = !DILocation(line: 107, column: 42, scope: !196)
!223 = !DILocation(line: 107, column: 40, scope: !196)
!224 = !DILocation(line: 107, column: 58, scope: !196)
!225 = !DILocation(line: 108, column: 25, scope: !196)
!226 = !DILocation(line: 108, column: 43, scope: !196)
!227 = !DILocation(line: 108, column: 41, scope: !196)
!228 = !DILocation(line: 108, column: 60, scope: !196)
!229 = !DILocation(line: 109, column: 54, scope: !196)
!230 = !DILocation(line: 109, column: 45, scope: !196)
!231 = !DILocation(line: 109, column: 63, scope: !196)
!232 = !DILocation(line: 109, column: 23, scope: !196)
!233 = !DILocation(line: 110, column: 36, scope: !196)
!234 = !DILocation(line: 111, column: 28, scope: !196)
!235 = !DILocation(line: 111, column: 44, scope: !196)
!236 = !DILocation(line: 111, column: 42, scope: !196)
!237 = !DILocation(line: 111, column: 25, scope: !196)
!238 = !DILocation(line: 112, column: 28, scope: !196)
!239 = !DILocation(line: 112, column: 45, scope: !196)
!240 = !DILocation(line: 112, column: 43, scope: !196)
!241 = !DILocation(line: 112, column: 25, scope: !196)
!242 = !DILocation(line: 113, column: 21, scope: !196)
!243 = !DILocation(line: 113, column: 38, scope: !196)
!244 = !DILocation(line: 113, column: 36, scope: !196)
!245 = !DILocation(line: 113, column: 54, scope: !196)
!246 = !DILocation(line: 114, column: 21, scope: !196)
!247 = !DILocation(line: 114, column: 37, scope: !196)
!248 = !DILocation(line: 114, column: 35, scope: !196)
!249 = !DILocation(line: 115, column: 32, scope: !196)
!250 = !DILocation(line: 116, column: 19, scope: !196)
!251 = !DILocation(line: 116, column: 3, scope: !196)
!252 = !DILocation(line: 116, column: 17, scope: !196)
!253 = !{!254, !254, i64 0}
!254 = !{!"float", !10, i64 0}
!255 = !DILocation(line: 117, column: 28, scope: !196)
!256 = !DILocation(line: 117, column: 36, scope: !196)
!257 = !DILocation(line: 117, column: 27, scope: !196)
!258 = !DILocation(line: 117, column: 45, scope: !196)
!259 = !DILocation(line: 117, column: 53, scope: !196)
!260 = !DILocation(line: 117, column: 3, scope: !196)
!261 = !DILocation(line: 117, column: 17, scope: !196)
!262 = !DILocation(line: 118, column: 24, scope: !196)
!263 = !DILocation(line: 119, column: 14, scope: !196)
!264 = !DILocation(line: 119, column: 25, scope: !196)
!265 = !DILocation(line: 120, column: 22, scope: !196)
!266 = !DILocation(line: 120, column: 15, scope: !196)
!267 = !DILocation(line: 121, column: 14, scope: !196)
!268 = !DILocation(line: 121, column: 48, scope: !196)
!269 = !DILocation(line: 121, column: 46, scope: !196)
!270 = !DILocation(line: 121, column: 31, scope: !196)
!271 = !DILocation(line: 121, column: 25, scope: !196)
!272 = !DILocation(line: 0, scope: !196)
!273 = !DILocation(line: 122, column: 14, scope: !196)
!274 = !DILocation(line: 123, column: 1, scope: !196)
