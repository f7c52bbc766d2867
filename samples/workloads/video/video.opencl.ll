; ModuleID = 'video.cl'
source_filename = "video.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@curves.table = internal unnamed_addr addrspace(3) global [192 x float] undef, align 4

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @yuv_to_rgb(ptr addrspace(1) noalias noundef readonly align 1 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !18 !kernel_arg_type_qual !19 {
  tail call void @__clang_ocl_kern_imp_yuv_to_rgb(ptr addrspace(1) noundef align 1 %0, ptr addrspace(1) noundef align 16 %1, i32 noundef %2, i32 noundef %3) #12, !dbg !20
  ret void, !dbg !21
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_yuv_to_rgb(ptr addrspace(1) noalias noundef readonly align 1 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #1 !dbg !22 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !18 !kernel_arg_type_qual !19 {
  %5 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #13, !dbg !23
  %6 = trunc i64 %5 to i32, !dbg !23
  %7 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #13, !dbg !24
  %8 = trunc i64 %7 to i32, !dbg !24
  %9 = icmp sgt i32 %2, %6, !dbg !25
  %10 = icmp sgt i32 %3, %8
  %11 = select i1 %9, i1 %10, i1 false, !dbg !26
  br i1 %11, label %12, label %53, !dbg !26

12:                                               ; preds = %4
  %13 = mul nsw i32 %3, %2, !dbg !27
  %14 = sdiv i32 %8, 2, !dbg !28
  %15 = sdiv i32 %2, 2, !dbg !29
  %16 = mul nsw i32 %14, %15, !dbg !30
  %17 = sdiv i32 %6, 2, !dbg !31
  %18 = add i32 %17, %13, !dbg !32
  %19 = add i32 %18, %16, !dbg !33
  %20 = mul nsw i32 %2, %8, !dbg !34
  %21 = add nsw i32 %20, %6, !dbg !35
  %22 = sext i32 %21 to i64, !dbg !36
  %23 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %22, !dbg !36
  %24 = load i8, ptr addrspace(1) %23, align 1, !dbg !36, !tbaa !37
  %25 = uitofp i8 %24 to float, !dbg !36
  %26 = fadd float %25, -1.600000e+01, !dbg !38
  %27 = fdiv float %26, 2.190000e+02, !dbg !39, !fpmath !40
  %28 = sext i32 %19 to i64, !dbg !41
  %29 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %28, !dbg !41
  %30 = load i8, ptr addrspace(1) %29, align 1, !dbg !41, !tbaa !37
  %31 = uitofp i8 %30 to float, !dbg !41
  %32 = fadd float %31, -1.280000e+02, !dbg !42
  %33 = fdiv float %32, 2.240000e+02, !dbg !43, !fpmath !40
  %34 = sdiv i32 %13, 4, !dbg !44
  %35 = add nsw i32 %19, %34, !dbg !45
  %36 = sext i32 %35 to i64, !dbg !46
  %37 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %36, !dbg !46
  %38 = load i8, ptr addrspace(1) %37, align 1, !dbg !46, !tbaa !37
  %39 = uitofp i8 %38 to float, !dbg !46
  %40 = fadd float %39, -1.280000e+02, !dbg !47
  %41 = fdiv float %40, 2.240000e+02, !dbg !48, !fpmath !40
  %42 = tail call float @llvm.fmuladd.f32(float %41, float 0x3FF9326180000000, float %27), !dbg !49
  %43 = tail call float @_Z5clampfff(float noundef %42, float noundef 0.000000e+00, float noundef 1.000000e+00) #13, !dbg !50
  %44 = tail call float @llvm.fmuladd.f32(float %33, float 0xBFC7FA3BA0000000, float %27), !dbg !53
  %45 = tail call float @llvm.fmuladd.f32(float %41, float 0xBFDDF5BE60000000, float %44), !dbg !54
  %46 = tail call float @_Z5clampfff(float noundef %45, float noundef 0.000000e+00, float noundef 1.000000e+00) #13, !dbg !55
  %47 = tail call float @llvm.fmuladd.f32(float %33, float 0x3FFDB089A0000000, float %27), !dbg !57
  %48 = tail call float @_Z5clampfff(float noundef %47, float noundef 0.000000e+00, float noundef 1.000000e+00) #13, !dbg !58
  %49 = insertelement <4 x float> <float poison, float poison, float poison, float 1.000000e+00>, float %43, i64 0, !dbg !60
  %50 = insertelement <4 x float> %49, float %46, i64 1, !dbg !60
  %51 = insertelement <4 x float> %50, float %48, i64 2, !dbg !60
  %52 = getelementptr inbounds <4 x float>, ptr addrspace(1) %1, i64 %22, !dbg !61
  store <4 x float> %51, ptr addrspace(1) %52, align 16, !dbg !62, !tbaa !37
  br label %53, !dbg !63

53:                                               ; preds = %4, %12
  ret void, !dbg !63
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @rgb_to_yuv(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 1 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #2 !dbg !64 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !65 !kernel_arg_base_type !66 !kernel_arg_type_qual !19 {
  tail call void @__clang_ocl_kern_imp_rgb_to_yuv(ptr addrspace(1) noundef align 16 %0, ptr addrspace(1) noundef align 1 %1, i32 noundef %2, i32 noundef %3) #12, !dbg !67
  ret void, !dbg !68
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_rgb_to_yuv(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 1 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #3 !dbg !69 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !65 !kernel_arg_base_type !66 !kernel_arg_type_qual !19 {
  %5 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #13, !dbg !70
  %6 = trunc i64 %5 to i32, !dbg !71
  %7 = shl i32 %6, 1, !dbg !71
  %8 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #13, !dbg !72
  %9 = trunc i64 %8 to i32, !dbg !73
  %10 = shl i32 %9, 1, !dbg !73
  %11 = icmp slt i32 %7, %2, !dbg !74
  %12 = icmp slt i32 %10, %3
  %13 = select i1 %11, i1 %12, i1 false, !dbg !75
  br i1 %13, label %50, label %77, !dbg !75

14:                                               ; preds = %50
  %15 = extractelement <4 x float> %74, i64 0, !dbg !76
  %16 = extractelement <4 x float> %74, i64 1, !dbg !79
  %17 = fmul float %16, 0x3FE6E2EB20000000, !dbg !80
  %18 = tail call float @llvm.fmuladd.f32(float %15, float 0x3FCB367A00000000, float %17), !dbg !81
  %19 = extractelement <4 x float> %74, i64 2, !dbg !82
  %20 = tail call noundef float @llvm.fmuladd.f32(float %19, float 0x3FB27BB300000000, float %18), !dbg !83
  %21 = mul nsw i32 %3, %2, !dbg !84
  %22 = ashr exact i32 %10, 1, !dbg !85
  %23 = sdiv i32 %2, 2, !dbg !86
  %24 = mul nsw i32 %22, %23, !dbg !87
  %25 = ashr exact i32 %7, 1, !dbg !88
  %26 = add i32 %25, %21, !dbg !89
  %27 = add i32 %26, %24, !dbg !90
  %28 = fsub float %19, %20, !dbg !91
  %29 = fmul float %28, 2.240000e+02, !dbg !92
  %30 = fdiv float %29, 0x3FFDB089A0000000, !dbg !93, !fpmath !40
  %31 = fadd float %30, 1.280000e+02, !dbg !94
  %32 = fadd float %31, 5.000000e-01, !dbg !95
  %33 = tail call float @_Z4fmaxff(float noundef %32, float noundef 0.000000e+00) #13, !dbg !98
  %34 = tail call float @_Z4fminff(float noundef %33, float noundef 2.550000e+02) #13, !dbg !99
  %35 = fptoui float %34 to i8, !dbg !100
  %36 = sext i32 %27 to i64, !dbg !101
  %37 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %36, !dbg !101
  store i8 %35, ptr addrspace(1) %37, align 1, !dbg !102, !tbaa !37
  %38 = fsub float %15, %20, !dbg !103
  %39 = fmul float %38, 2.240000e+02, !dbg !104
  %40 = fdiv float %39, 0x3FF9326180000000, !dbg !105, !fpmath !40
  %41 = fadd float %40, 1.280000e+02, !dbg !106
  %42 = fadd float %41, 5.000000e-01, !dbg !107
  %43 = tail call float @_Z4fmaxff(float noundef %42, float noundef 0.000000e+00) #13, !dbg !109
  %44 = tail call float @_Z4fminff(float noundef %43, float noundef 2.550000e+02) #13, !dbg !110
  %45 = fptoui float %44 to i8, !dbg !111
  %46 = sdiv i32 %21, 4, !dbg !112
  %47 = add nsw i32 %27, %46, !dbg !113
  %48 = sext i32 %47 to i64, !dbg !114
  %49 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %48, !dbg !114
  store i8 %45, ptr addrspace(1) %49, align 1, !dbg !115, !tbaa !37
  br label %77, !dbg !116

50:                                               ; preds = %4, %50
  %51 = phi <4 x float> [ %74, %50 ], [ zeroinitializer, %4 ]
  %52 = phi i32 [ %75, %50 ], [ 0, %4 ]
  %53 = lshr i32 %52, 1, !dbg !117
  %54 = add nuw nsw i32 %53, %10, !dbg !118
  %55 = mul nsw i32 %54, %2, !dbg !119
  %56 = and i32 %52, 1, !dbg !120
  %57 = or disjoint i32 %56, %7, !dbg !121
  %58 = add i32 %57, %55, !dbg !122
  %59 = sext i32 %58 to i64, !dbg !123
  %60 = getelementptr inbounds <4 x float>, ptr addrspace(1) %0, i64 %59, !dbg !123
  %61 = load <4 x float>, ptr addrspace(1) %60, align 16, !dbg !123, !tbaa !37
  %62 = extractelement <4 x float> %61, i64 0, !dbg !124
  %63 = extractelement <4 x float> %61, i64 1, !dbg !126
  %64 = fmul float %63, 0x3FE6E2EB20000000, !dbg !127
  %65 = tail call float @llvm.fmuladd.f32(float %62, float 0x3FCB367A00000000, float %64), !dbg !128
  %66 = extractelement <4 x float> %61, i64 2, !dbg !129
  %67 = tail call noundef float @llvm.fmuladd.f32(float %66, float 0x3FB27BB300000000, float %65), !dbg !130
  %68 = tail call float @llvm.fmuladd.f32(float %67, float 2.190000e+02, float 1.600000e+01), !dbg !131
  %69 = fadd float %68, 5.000000e-01, !dbg !132
  %70 = tail call float @_Z4fmaxff(float noundef %69, float noundef 0.000000e+00) #13, !dbg !134
  %71 = tail call float @_Z4fminff(float noundef %70, float noundef 2.550000e+02) #13, !dbg !135
  %72 = fptoui float %71 to i8, !dbg !136
  %73 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %59, !dbg !137
  store i8 %72, ptr addrspace(1) %73, align 1, !dbg !138, !tbaa !37
  %74 = tail call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %61, <4 x float> splat (float 2.500000e-01), <4 x float> %51), !dbg !139
  %75 = add nuw nsw i32 %52, 1, !dbg !140
  %76 = icmp eq i32 %75, 4, !dbg !141
  br i1 %76, label %14, label %50, !dbg !142, !llvm.loop !143

77:                                               ; preds = %4, %14
  ret void, !dbg !116
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @to_light(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 !dbg !145 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !146 !kernel_arg_base_type !147 !kernel_arg_type_qual !19 {
  tail call void @__clang_ocl_kern_imp_to_light(ptr addrspace(1) noundef align 16 %0, ptr addrspace(1) noundef align 16 %1, i32 noundef %2, i32 noundef %3) #12, !dbg !148
  ret void, !dbg !149
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_to_light(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #1 !dbg !150 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !146 !kernel_arg_base_type !147 !kernel_arg_type_qual !19 {
  %5 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #13, !dbg !151
  %6 = trunc i64 %5 to i32, !dbg !151
  %7 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #13, !dbg !152
  %8 = trunc i64 %7 to i32, !dbg !152
  %9 = icmp sgt i32 %2, %6, !dbg !153
  %10 = icmp sgt i32 %3, %8
  %11 = select i1 %9, i1 %10, i1 false, !dbg !154
  br i1 %11, label %12, label %53, !dbg !154

12:                                               ; preds = %4
  %13 = mul nsw i32 %2, %8, !dbg !155
  %14 = add nsw i32 %13, %6, !dbg !156
  %15 = sext i32 %14 to i64, !dbg !157
  %16 = getelementptr inbounds <4 x float>, ptr addrspace(1) %0, i64 %15, !dbg !157
  %17 = load <4 x float>, ptr addrspace(1) %16, align 16, !dbg !157, !tbaa !37
  %18 = extractelement <4 x float> %17, i64 0, !dbg !158
  %19 = fcmp olt float %18, 0x3FB4CC5500000000, !dbg !159
  br i1 %19, label %20, label %22, !dbg !159

20:                                               ; preds = %12
  %21 = fdiv float %18, 4.500000e+00, !dbg !162, !fpmath !40
  br label %26, !dbg !163

22:                                               ; preds = %12
  %23 = fadd float %18, 0x3FB96B8460000000, !dbg !164
  %24 = fdiv float %23, 0x3FF196B840000000, !dbg !165, !fpmath !40
  %25 = tail call float @_Z3powff(float noundef %24, float noundef 0x4001C71C80000000) #13, !dbg !166
  br label %26, !dbg !167

26:                                               ; preds = %20, %22
  %27 = phi float [ %21, %20 ], [ %25, %22 ], !dbg !168
  %28 = insertelement <4 x float> poison, float %27, i64 0, !dbg !169
  %29 = extractelement <4 x float> %17, i64 1, !dbg !170
  %30 = fcmp olt float %29, 0x3FB4CC5500000000, !dbg !171
  br i1 %30, label %31, label %33, !dbg !171

31:                                               ; preds = %26
  %32 = fdiv float %29, 4.500000e+00, !dbg !173, !fpmath !40
  br label %37, !dbg !174

33:                                               ; preds = %26
  %34 = fadd float %29, 0x3FB96B8460000000, !dbg !175
  %35 = fdiv float %34, 0x3FF196B840000000, !dbg !176, !fpmath !40
  %36 = tail call float @_Z3powff(float noundef %35, float noundef 0x4001C71C80000000) #13, !dbg !177
  br label %37, !dbg !178

37:                                               ; preds = %31, %33
  %38 = phi float [ %32, %31 ], [ %36, %33 ], !dbg !179
  %39 = insertelement <4 x float> %28, float %38, i64 1, !dbg !169
  %40 = extractelement <4 x float> %17, i64 2, !dbg !180
  %41 = fcmp olt float %40, 0x3FB4CC5500000000, !dbg !181
  br i1 %41, label %42, label %44, !dbg !181

42:                                               ; preds = %37
  %43 = fdiv float %40, 4.500000e+00, !dbg !183, !fpmath !40
  br label %48, !dbg !184

44:                                               ; preds = %37
  %45 = fadd float %40, 0x3FB96B8460000000, !dbg !185
  %46 = fdiv float %45, 0x3FF196B840000000, !dbg !186, !fpmath !40
  %47 = tail call float @_Z3powff(float noundef %46, float noundef 0x4001C71C80000000) #13, !dbg !187
  br label %48, !dbg !188

48:                                               ; preds = %42, %44
  %49 = phi float [ %43, %42 ], [ %47, %44 ], !dbg !189
  %50 = insertelement <4 x float> %39, float %49, i64 2, !dbg !169
  %51 = shufflevector <4 x float> %50, <4 x float> %17, <4 x i32> <i32 0, i32 1, i32 2, i32 7>, !dbg !169
  %52 = getelementptr inbounds <4 x float>, ptr addrspace(1) %1, i64 %15, !dbg !190
  store <4 x float> %51, ptr addrspace(1) %52, align 16, !dbg !191, !tbaa !37
  br label %53, !dbg !192

53:                                               ; preds = %4, %48
  ret void, !dbg !192
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @to_video(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 !dbg !193 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !146 !kernel_arg_base_type !147 !kernel_arg_type_qual !19 {
  tail call void @__clang_ocl_kern_imp_to_video(ptr addrspace(1) noundef align 16 %0, ptr addrspace(1) noundef align 16 %1, i32 noundef %2, i32 noundef %3) #12, !dbg !194
  ret void, !dbg !195
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_to_video(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #1 !dbg !196 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !146 !kernel_arg_base_type !147 !kernel_arg_type_qual !19 {
  %5 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #13, !dbg !197
  %6 = trunc i64 %5 to i32, !dbg !197
  %7 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #13, !dbg !198
  %8 = trunc i64 %7 to i32, !dbg !198
  %9 = icmp sgt i32 %2, %6, !dbg !199
  %10 = icmp sgt i32 %3, %8
  %11 = select i1 %9, i1 %10, i1 false, !dbg !200
  br i1 %11, label %12, label %50, !dbg !200

12:                                               ; preds = %4
  %13 = mul nsw i32 %2, %8, !dbg !201
  %14 = add nsw i32 %13, %6, !dbg !202
  %15 = sext i32 %14 to i64, !dbg !203
  %16 = getelementptr inbounds <4 x float>, ptr addrspace(1) %0, i64 %15, !dbg !203
  %17 = load <4 x float>, ptr addrspace(1) %16, align 16, !dbg !203, !tbaa !37
  %18 = extractelement <4 x float> %17, i64 0, !dbg !204
  %19 = fcmp olt float %18, 0x3F927CBD60000000, !dbg !205
  br i1 %19, label %20, label %22, !dbg !205

20:                                               ; preds = %12
  %21 = fmul float %18, 4.500000e+00, !dbg !208
  br label %25, !dbg !209

22:                                               ; preds = %12
  %23 = tail call float @_Z3powff(float noundef %18, float noundef 0x3FDCCCCCC0000000) #13, !dbg !210
  %24 = tail call float @llvm.fmuladd.f32(float %23, float 0x3FF196B840000000, float 0xBFB96B8460000000), !dbg !211
  br label %25, !dbg !212

25:                                               ; preds = %20, %22
  %26 = phi float [ %21, %20 ], [ %24, %22 ], !dbg !213
  %27 = insertelement <4 x float> poison, float %26, i64 0, !dbg !214
  %28 = extractelement <4 x float> %17, i64 1, !dbg !215
  %29 = fcmp olt float %28, 0x3F927CBD60000000, !dbg !216
  br i1 %29, label %30, label %32, !dbg !216

30:                                               ; preds = %25
  %31 = fmul float %28, 4.500000e+00, !dbg !218
  br label %35, !dbg !219

32:                                               ; preds = %25
  %33 = tail call float @_Z3powff(float noundef %28, float noundef 0x3FDCCCCCC0000000) #13, !dbg !220
  %34 = tail call float @llvm.fmuladd.f32(float %33, float 0x3FF196B840000000, float 0xBFB96B8460000000), !dbg !221
  br label %35, !dbg !222

35:                                               ; preds = %30, %32
  %36 = phi float [ %31, %30 ], [ %34, %32 ], !dbg !223
  %37 = insertelement <4 x float> %27, float %36, i64 1, !dbg !214
  %38 = extractelement <4 x float> %17, i64 2, !dbg !224
  %39 = fcmp olt float %38, 0x3F927CBD60000000, !dbg !225
  br i1 %39, label %40, label %42, !dbg !225

40:                                               ; preds = %35
  %41 = fmul float %38, 4.500000e+00, !dbg !227
  br label %45, !dbg !228

42:                                               ; preds = %35
  %43 = tail call float @_Z3powff(float noundef %38, float noundef 0x3FDCCCCCC0000000) #13, !dbg !229
  %44 = tail call float @llvm.fmuladd.f32(float %43, float 0x3FF196B840000000, float 0xBFB96B8460000000), !dbg !230
  br label %45, !dbg !231

45:                                               ; preds = %40, %42
  %46 = phi float [ %41, %40 ], [ %44, %42 ], !dbg !232
  %47 = insertelement <4 x float> %37, float %46, i64 2, !dbg !214
  %48 = shufflevector <4 x float> %47, <4 x float> %17, <4 x i32> <i32 0, i32 1, i32 2, i32 7>, !dbg !214
  %49 = getelementptr inbounds <4 x float>, ptr addrspace(1) %1, i64 %15, !dbg !233
  store <4 x float> %48, ptr addrspace(1) %49, align 16, !dbg !234, !tbaa !37
  br label %50, !dbg !235

50:                                               ; preds = %4, %45
  ret void, !dbg !235
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @scale(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, float noundef %6, float noundef %7, float noundef %8) local_unnamed_addr #0 !dbg !236 !kernel_arg_addr_space !237 !kernel_arg_access_qual !238 !kernel_arg_type !239 !kernel_arg_base_type !240 !kernel_arg_type_qual !241 {
  tail call void @__clang_ocl_kern_imp_scale(ptr addrspace(1) noundef align 16 %0, ptr addrspace(1) noundef align 16 %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, float noundef %6, float noundef %7, float noundef %8) #12, !dbg !242
  ret void, !dbg !243
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_scale(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, float noundef %6, float noundef %7, float noundef %8) local_unnamed_addr #1 !dbg !244 !kernel_arg_addr_space !237 !kernel_arg_access_qual !238 !kernel_arg_type !239 !kernel_arg_base_type !240 !kernel_arg_type_qual !241 {
  %10 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #13, !dbg !245
  %11 = trunc i64 %10 to i32, !dbg !245
  %12 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #13, !dbg !246
  %13 = trunc i64 %12 to i32, !dbg !246
  %14 = icmp sgt i32 %4, %11, !dbg !247
  %15 = icmp sgt i32 %5, %13
  %16 = select i1 %14, i1 %15, i1 false, !dbg !248
  br i1 %16, label %17, label %101, !dbg !248

17:                                               ; preds = %9
  %18 = sitofp i32 %11 to float, !dbg !249
  %19 = fadd float %18, 5.000000e-01, !dbg !250
  %20 = tail call float @llvm.fmuladd.f32(float %19, float %8, float %6), !dbg !251
  %21 = fadd float %20, -5.000000e-01, !dbg !252
  %22 = sitofp i32 %13 to float, !dbg !253
  %23 = fadd float %22, 5.000000e-01, !dbg !254
  %24 = tail call float @llvm.fmuladd.f32(float %23, float %8, float %7), !dbg !255
  %25 = fadd float %24, -5.000000e-01, !dbg !256
  %26 = tail call float @_Z5floorf(float noundef %21) #13, !dbg !257
  %27 = fptosi float %26 to i32, !dbg !258
  %28 = tail call float @_Z5floorf(float noundef %25) #13, !dbg !259
  %29 = fptosi float %28 to i32, !dbg !260
  %30 = icmp slt i32 %27, 0, !dbg !261
  br i1 %30, label %43, label %31, !dbg !264

31:                                               ; preds = %17
  %32 = icmp sgt i32 %2, %27, !dbg !265
  %33 = icmp sgt i32 %29, -1
  %34 = and i1 %32, %33, !dbg !266
  %35 = icmp sgt i32 %3, %29
  %36 = and i1 %35, %34, !dbg !266
  br i1 %36, label %37, label %43, !dbg !266

37:                                               ; preds = %31
  %38 = mul nsw i32 %2, %29
  %39 = add nuw nsw i32 %38, %27
  %40 = zext nneg i32 %39 to i64
  %41 = getelementptr inbounds nuw <4 x float>, ptr addrspace(1) %0, i64 %40
  %42 = load <4 x float>, ptr addrspace(1) %41, align 16, !dbg !267, !tbaa !37
  br label %43, !dbg !268

43:                                               ; preds = %17, %31, %37
  %44 = phi <4 x float> [ %42, %37 ], [ zeroinitializer, %31 ], [ zeroinitializer, %17 ], !dbg !269
  %45 = add nsw i32 %27, 1, !dbg !270
  %46 = icmp slt i32 %27, -1, !dbg !271
  br i1 %46, label %59, label %47, !dbg !273

47:                                               ; preds = %43
  %48 = icmp slt i32 %45, %2, !dbg !274
  %49 = icmp sgt i32 %29, -1
  %50 = and i1 %48, %49, !dbg !275
  %51 = icmp sgt i32 %3, %29
  %52 = and i1 %51, %50, !dbg !275
  br i1 %52, label %53, label %59, !dbg !275

53:                                               ; preds = %47
  %54 = mul nsw i32 %2, %29
  %55 = add nuw nsw i32 %54, %45
  %56 = zext nneg i32 %55 to i64
  %57 = getelementptr inbounds nuw <4 x float>, ptr addrspace(1) %0, i64 %56
  %58 = load <4 x float>, ptr addrspace(1) %57, align 16, !dbg !276, !tbaa !37
  br label %59, !dbg !277

59:                                               ; preds = %43, %47, %53
  %60 = phi <4 x float> [ %58, %53 ], [ zeroinitializer, %47 ], [ zeroinitializer, %43 ], !dbg !278
  %61 = sitofp i32 %27 to float, !dbg !279
  %62 = fsub float %21, %61, !dbg !280
  %63 = tail call <4 x float> @_Z3mixDv4_fS_f(<4 x float> noundef %44, <4 x float> noundef %60, float noundef %62) #13, !dbg !281
  %64 = add nsw i32 %29, 1, !dbg !282
  br i1 %30, label %77, label %65, !dbg !283

65:                                               ; preds = %59
  %66 = icmp sgt i32 %2, %27, !dbg !285
  %67 = icmp sgt i32 %29, -2
  %68 = and i1 %66, %67, !dbg !286
  %69 = icmp slt i32 %64, %3
  %70 = and i1 %69, %68, !dbg !286
  br i1 %70, label %71, label %77, !dbg !286

71:                                               ; preds = %65
  %72 = mul nsw i32 %64, %2
  %73 = add nuw nsw i32 %72, %27
  %74 = zext nneg i32 %73 to i64
  %75 = getelementptr inbounds nuw <4 x float>, ptr addrspace(1) %0, i64 %74
  %76 = load <4 x float>, ptr addrspace(1) %75, align 16, !dbg !287, !tbaa !37
  br label %77, !dbg !288

77:                                               ; preds = %59, %65, %71
  %78 = phi <4 x float> [ %76, %71 ], [ zeroinitializer, %65 ], [ zeroinitializer, %59 ], !dbg !289
  br i1 %46, label %91, label %79, !dbg !290

79:                                               ; preds = %77
  %80 = icmp slt i32 %45, %2, !dbg !292
  %81 = icmp sgt i32 %29, -2
  %82 = and i1 %80, %81, !dbg !293
  %83 = icmp slt i32 %64, %3
  %84 = and i1 %83, %82, !dbg !293
  br i1 %84, label %85, label %91, !dbg !293

85:                                               ; preds = %79
  %86 = mul nsw i32 %64, %2
  %87 = add nuw nsw i32 %86, %45
  %88 = zext nneg i32 %87 to i64
  %89 = getelementptr inbounds nuw <4 x float>, ptr addrspace(1) %0, i64 %88
  %90 = load <4 x float>, ptr addrspace(1) %89, align 16, !dbg !294, !tbaa !37
  br label %91, !dbg !295

91:                                               ; preds = %77, %79, %85
  %92 = phi <4 x float> [ %90, %85 ], [ zeroinitializer, %79 ], [ zeroinitializer, %77 ], !dbg !296
  %93 = tail call <4 x float> @_Z3mixDv4_fS_f(<4 x float> noundef %78, <4 x float> noundef %92, float noundef %62) #13, !dbg !297
  %94 = sitofp i32 %29 to float, !dbg !298
  %95 = fsub float %25, %94, !dbg !299
  %96 = tail call <4 x float> @_Z3mixDv4_fS_f(<4 x float> noundef %63, <4 x float> noundef %93, float noundef %95) #13, !dbg !300
  %97 = mul nsw i32 %4, %13, !dbg !301
  %98 = add nsw i32 %97, %11, !dbg !302
  %99 = sext i32 %98 to i64, !dbg !303
  %100 = getelementptr inbounds <4 x float>, ptr addrspace(1) %1, i64 %99, !dbg !303
  store <4 x float> %96, ptr addrspace(1) %100, align 16, !dbg !304, !tbaa !37
  br label %101, !dbg !305

101:                                              ; preds = %9, %91
  ret void, !dbg !305
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @blur_rows(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef readonly align 4 captures(none) %5) local_unnamed_addr #2 !dbg !306 !kernel_arg_addr_space !307 !kernel_arg_access_qual !308 !kernel_arg_type !309 !kernel_arg_base_type !310 !kernel_arg_type_qual !311 {
  tail call void @__clang_ocl_kern_imp_blur_rows(ptr addrspace(1) noundef align 16 %0, ptr addrspace(1) noundef align 16 %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef align 4 %5) #12, !dbg !312
  ret void, !dbg !313
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_blur_rows(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef readonly align 4 captures(none) %5) local_unnamed_addr #3 !dbg !314 !kernel_arg_addr_space !307 !kernel_arg_access_qual !308 !kernel_arg_type !309 !kernel_arg_base_type !310 !kernel_arg_type_qual !311 {
  %7 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #13, !dbg !315
  %8 = trunc i64 %7 to i32, !dbg !315
  %9 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #13, !dbg !316
  %10 = trunc i64 %9 to i32, !dbg !316
  %11 = icmp sgt i32 %2, %8, !dbg !317
  %12 = icmp sgt i32 %3, %10
  %13 = select i1 %11, i1 %12, i1 false, !dbg !318
  br i1 %13, label %14, label %48, !dbg !318

14:                                               ; preds = %6
  %15 = icmp slt i32 %4, 0, !dbg !319
  br i1 %15, label %16, label %18, !dbg !320

16:                                               ; preds = %14
  %17 = mul nsw i32 %2, %10, !dbg !321
  br label %24, !dbg !320

18:                                               ; preds = %14
  %19 = shl nuw i32 %4, 1
  %20 = mul nsw i32 %2, %10
  %21 = sub i32 %8, %4
  %22 = add nsw i32 %2, -1
  %23 = tail call i32 @llvm.smax.i32(i32 %19, i32 0), !dbg !320
  br label %30, !dbg !320

24:                                               ; preds = %30, %16
  %25 = phi i32 [ %17, %16 ], [ %20, %30 ], !dbg !321
  %26 = phi <4 x float> [ zeroinitializer, %16 ], [ %45, %30 ], !dbg !322
  %27 = add nsw i32 %25, %8, !dbg !323
  %28 = sext i32 %27 to i64, !dbg !324
  %29 = getelementptr inbounds <4 x float>, ptr addrspace(1) %1, i64 %28, !dbg !324
  store <4 x float> %26, ptr addrspace(1) %29, align 16, !dbg !325, !tbaa !37
  br label %48, !dbg !326

30:                                               ; preds = %18, %30
  %31 = phi i32 [ 0, %18 ], [ %46, %30 ]
  %32 = phi <4 x float> [ zeroinitializer, %18 ], [ %45, %30 ]
  %33 = zext nneg i32 %31 to i64, !dbg !327
  %34 = getelementptr inbounds nuw float, ptr addrspace(4) %5, i64 %33, !dbg !327
  %35 = load float, ptr addrspace(4) %34, align 4, !dbg !327, !tbaa !328
  %36 = insertelement <4 x float> poison, float %35, i64 0, !dbg !327
  %37 = shufflevector <4 x float> %36, <4 x float> poison, <4 x i32> zeroinitializer, !dbg !327
  %38 = add i32 %21, %31, !dbg !330
  %39 = tail call i32 @_Z3maxii(i32 noundef %38, i32 noundef 0) #13, !dbg !331
  %40 = tail call i32 @_Z3minii(i32 noundef %39, i32 noundef %22) #13, !dbg !332
  %41 = add nsw i32 %40, %20, !dbg !333
  %42 = sext i32 %41 to i64, !dbg !334
  %43 = getelementptr inbounds <4 x float>, ptr addrspace(1) %0, i64 %42, !dbg !334
  %44 = load <4 x float>, ptr addrspace(1) %43, align 16, !dbg !334, !tbaa !37
  %45 = tail call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %37, <4 x float> %44, <4 x float> %32), !dbg !335
  %46 = add nuw nsw i32 %31, 1, !dbg !336
  %47 = icmp eq i32 %31, %23, !dbg !319
  br i1 %47, label %24, label %30, !dbg !320, !llvm.loop !337

48:                                               ; preds = %6, %24
  ret void, !dbg !326
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @blur_columns(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef readonly align 4 captures(none) %5) local_unnamed_addr #2 !dbg !339 !kernel_arg_addr_space !307 !kernel_arg_access_qual !308 !kernel_arg_type !309 !kernel_arg_base_type !310 !kernel_arg_type_qual !311 {
  tail call void @__clang_ocl_kern_imp_blur_columns(ptr addrspace(1) noundef align 16 %0, ptr addrspace(1) noundef align 16 %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef align 4 %5) #12, !dbg !340
  ret void, !dbg !341
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_blur_columns(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(4) noundef readonly align 4 captures(none) %5) local_unnamed_addr #3 !dbg !342 !kernel_arg_addr_space !307 !kernel_arg_access_qual !308 !kernel_arg_type !309 !kernel_arg_base_type !310 !kernel_arg_type_qual !311 {
  %7 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #13, !dbg !343
  %8 = trunc i64 %7 to i32, !dbg !343
  %9 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #13, !dbg !344
  %10 = trunc i64 %9 to i32, !dbg !344
  %11 = icmp sgt i32 %2, %8, !dbg !345
  %12 = icmp sgt i32 %3, %10
  %13 = select i1 %11, i1 %12, i1 false, !dbg !346
  br i1 %13, label %14, label %46, !dbg !346

14:                                               ; preds = %6
  %15 = icmp slt i32 %4, 0, !dbg !347
  br i1 %15, label %21, label %16, !dbg !348

16:                                               ; preds = %14
  %17 = shl nuw i32 %4, 1
  %18 = sub i32 %10, %4
  %19 = add nsw i32 %3, -1
  %20 = tail call i32 @llvm.smax.i32(i32 %17, i32 0), !dbg !348
  br label %27, !dbg !348

21:                                               ; preds = %27, %14
  %22 = phi <4 x float> [ zeroinitializer, %14 ], [ %43, %27 ], !dbg !349
  %23 = mul nsw i32 %2, %10, !dbg !350
  %24 = add nsw i32 %23, %8, !dbg !351
  %25 = sext i32 %24 to i64, !dbg !352
  %26 = getelementptr inbounds <4 x float>, ptr addrspace(1) %1, i64 %25, !dbg !352
  store <4 x float> %22, ptr addrspace(1) %26, align 16, !dbg !353, !tbaa !37
  br label %46, !dbg !354

27:                                               ; preds = %16, %27
  %28 = phi i32 [ 0, %16 ], [ %44, %27 ]
  %29 = phi <4 x float> [ zeroinitializer, %16 ], [ %43, %27 ]
  %30 = zext nneg i32 %28 to i64, !dbg !355
  %31 = getelementptr inbounds nuw float, ptr addrspace(4) %5, i64 %30, !dbg !355
  %32 = load float, ptr addrspace(4) %31, align 4, !dbg !355, !tbaa !328
  %33 = insertelement <4 x float> poison, float %32, i64 0, !dbg !355
  %34 = shufflevector <4 x float> %33, <4 x float> poison, <4 x i32> zeroinitializer, !dbg !355
  %35 = add i32 %18, %28, !dbg !356
  %36 = tail call i32 @_Z3maxii(i32 noundef %35, i32 noundef 0) #13, !dbg !357
  %37 = tail call i32 @_Z3minii(i32 noundef %36, i32 noundef %19) #13, !dbg !358
  %38 = mul nsw i32 %37, %2, !dbg !359
  %39 = add nsw i32 %38, %8, !dbg !360
  %40 = sext i32 %39 to i64, !dbg !361
  %41 = getelementptr inbounds <4 x float>, ptr addrspace(1) %0, i64 %40, !dbg !361
  %42 = load <4 x float>, ptr addrspace(1) %41, align 16, !dbg !361, !tbaa !37
  %43 = tail call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %34, <4 x float> %42, <4 x float> %29), !dbg !362
  %44 = add nuw nsw i32 %28, 1, !dbg !363
  %45 = icmp eq i32 %28, %20, !dbg !347
  br i1 %45, label %21, label %27, !dbg !348, !llvm.loop !364

46:                                               ; preds = %6, %21
  ret void, !dbg !354
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @cross_fade(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 16 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %2, i32 noundef %3, i32 noundef %4, float noundef %5) local_unnamed_addr #0 !dbg !366 !kernel_arg_addr_space !367 !kernel_arg_access_qual !308 !kernel_arg_type !368 !kernel_arg_base_type !369 !kernel_arg_type_qual !370 {
  tail call void @__clang_ocl_kern_imp_cross_fade(ptr addrspace(1) noundef align 16 %0, ptr addrspace(1) noundef align 16 %1, ptr addrspace(1) noundef align 16 %2, i32 noundef %3, i32 noundef %4, float noundef %5) #12, !dbg !371
  ret void, !dbg !372
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_cross_fade(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 16 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %2, i32 noundef %3, i32 noundef %4, float noundef %5) local_unnamed_addr #1 !dbg !373 !kernel_arg_addr_space !367 !kernel_arg_access_qual !308 !kernel_arg_type !368 !kernel_arg_base_type !369 !kernel_arg_type_qual !370 {
  %7 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #13, !dbg !374
  %8 = trunc i64 %7 to i32, !dbg !374
  %9 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #13, !dbg !375
  %10 = trunc i64 %9 to i32, !dbg !375
  %11 = icmp sgt i32 %3, %8, !dbg !376
  %12 = icmp sgt i32 %4, %10
  %13 = select i1 %11, i1 %12, i1 false, !dbg !377
  br i1 %13, label %14, label %24, !dbg !377

14:                                               ; preds = %6
  %15 = mul nsw i32 %3, %10
  %16 = add nsw i32 %15, %8
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds <4 x float>, ptr addrspace(1) %2, i64 %17
  %19 = getelementptr inbounds <4 x float>, ptr addrspace(1) %1, i64 %17
  %20 = getelementptr inbounds <4 x float>, ptr addrspace(1) %0, i64 %17
  %21 = load <4 x float>, ptr addrspace(1) %20, align 16, !dbg !378, !tbaa !37
  %22 = load <4 x float>, ptr addrspace(1) %19, align 16, !dbg !379, !tbaa !37
  %23 = tail call <4 x float> @_Z3mixDv4_fS_f(<4 x float> noundef %21, <4 x float> noundef %22, float noundef %5) #13, !dbg !380
  store <4 x float> %23, ptr addrspace(1) %18, align 16, !dbg !381, !tbaa !37
  br label %24, !dbg !382

24:                                               ; preds = %6, %14
  ret void, !dbg !382
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @wipe(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 16 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %2, i32 noundef %3, i32 noundef %4, float noundef %5, float noundef %6, float noundef %7, float noundef %8) local_unnamed_addr #0 !dbg !383 !kernel_arg_addr_space !384 !kernel_arg_access_qual !238 !kernel_arg_type !385 !kernel_arg_base_type !386 !kernel_arg_type_qual !387 {
  tail call void @__clang_ocl_kern_imp_wipe(ptr addrspace(1) noundef align 16 %0, ptr addrspace(1) noundef align 16 %1, ptr addrspace(1) noundef align 16 %2, i32 noundef %3, i32 noundef %4, float noundef %5, float noundef %6, float noundef %7, float noundef %8) #12, !dbg !388
  ret void, !dbg !389
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_wipe(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 16 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %2, i32 noundef %3, i32 noundef %4, float noundef %5, float noundef %6, float noundef %7, float noundef %8) local_unnamed_addr #1 !dbg !390 !kernel_arg_addr_space !384 !kernel_arg_access_qual !238 !kernel_arg_type !385 !kernel_arg_base_type !386 !kernel_arg_type_qual !387 {
  %10 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #13, !dbg !391
  %11 = trunc i64 %10 to i32, !dbg !391
  %12 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #13, !dbg !392
  %13 = trunc i64 %12 to i32, !dbg !392
  %14 = icmp sgt i32 %3, %11, !dbg !393
  %15 = icmp sgt i32 %4, %13
  %16 = select i1 %14, i1 %15, i1 false, !dbg !394
  br i1 %16, label %17, label %52, !dbg !394

17:                                               ; preds = %9
  %18 = mul nsw i32 %3, %13, !dbg !395
  %19 = add nsw i32 %18, %11, !dbg !396
  %20 = sitofp i32 %11 to float, !dbg !397
  %21 = fneg float %5, !dbg !398
  %22 = tail call float @llvm.fmuladd.f32(float %21, float %20, float %7), !dbg !398
  %23 = sitofp i32 %13 to float, !dbg !399
  %24 = fneg float %6, !dbg !400
  %25 = tail call float @llvm.fmuladd.f32(float %24, float %23, float %22), !dbg !400
  %26 = fdiv float %25, %8, !dbg !401, !fpmath !40
  %27 = fcmp ugt float %26, 0.000000e+00, !dbg !402
  br i1 %27, label %32, label %28, !dbg !402

28:                                               ; preds = %17
  %29 = sext i32 %19 to i64, !dbg !403
  %30 = getelementptr inbounds <4 x float>, ptr addrspace(1) %0, i64 %29, !dbg !403
  %31 = load <4 x float>, ptr addrspace(1) %30, align 16, !dbg !403, !tbaa !37
  br label %48, !dbg !404

32:                                               ; preds = %17
  %33 = fcmp ult float %26, 1.000000e+00, !dbg !405
  br i1 %33, label %38, label %34, !dbg !405

34:                                               ; preds = %32
  %35 = sext i32 %19 to i64, !dbg !406
  %36 = getelementptr inbounds <4 x float>, ptr addrspace(1) %1, i64 %35, !dbg !406
  %37 = load <4 x float>, ptr addrspace(1) %36, align 16, !dbg !406, !tbaa !37
  br label %48, !dbg !407

38:                                               ; preds = %32
  %39 = fmul float %26, %26, !dbg !408
  %40 = tail call float @llvm.fmuladd.f32(float %26, float -2.000000e+00, float 3.000000e+00), !dbg !409
  %41 = fmul float %39, %40, !dbg !410
  %42 = sext i32 %19 to i64, !dbg !411
  %43 = getelementptr inbounds <4 x float>, ptr addrspace(1) %0, i64 %42, !dbg !411
  %44 = load <4 x float>, ptr addrspace(1) %43, align 16, !dbg !411, !tbaa !37
  %45 = getelementptr inbounds <4 x float>, ptr addrspace(1) %1, i64 %42, !dbg !412
  %46 = load <4 x float>, ptr addrspace(1) %45, align 16, !dbg !412, !tbaa !37
  %47 = tail call <4 x float> @_Z3mixDv4_fS_f(<4 x float> noundef %44, <4 x float> noundef %46, float noundef %41) #13, !dbg !413
  br label %48

48:                                               ; preds = %34, %38, %28
  %49 = phi i64 [ %29, %28 ], [ %42, %38 ], [ %35, %34 ]
  %50 = phi <4 x float> [ %31, %28 ], [ %47, %38 ], [ %37, %34 ]
  %51 = getelementptr inbounds <4 x float>, ptr addrspace(1) %2, i64 %49, !dbg !414
  store <4 x float> %50, ptr addrspace(1) %51, align 16, !dbg !414, !tbaa !37
  br label %52, !dbg !415

52:                                               ; preds = %48, %9
  ret void, !dbg !415
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @curves(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3, ptr addrspace(4) noundef readonly align 4 captures(none) %4) local_unnamed_addr #4 !dbg !416 !kernel_arg_addr_space !417 !kernel_arg_access_qual !418 !kernel_arg_type !419 !kernel_arg_base_type !420 !kernel_arg_type_qual !421 {
  tail call void @__clang_ocl_kern_imp_curves(ptr addrspace(1) noundef align 16 %0, ptr addrspace(1) noundef align 16 %1, i32 noundef %2, i32 noundef %3, ptr addrspace(4) noundef align 4 %4) #12, !dbg !422
  ret void, !dbg !423
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_curves(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3, ptr addrspace(4) noundef readonly align 4 captures(none) %4) local_unnamed_addr #5 !dbg !424 !kernel_arg_addr_space !417 !kernel_arg_access_qual !418 !kernel_arg_type !419 !kernel_arg_base_type !420 !kernel_arg_type_qual !421 {
  %6 = tail call i64 @_Z12get_local_idj(i32 noundef 1) #13, !dbg !425
  %7 = tail call i64 @_Z14get_local_sizej(i32 noundef 0) #13, !dbg !426
  %8 = mul i64 %7, %6, !dbg !427
  %9 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #13, !dbg !428
  %10 = add i64 %8, %9, !dbg !429
  %11 = trunc i64 %10 to i32, !dbg !430
  %12 = icmp slt i32 %11, 192, !dbg !431
  br i1 %12, label %21, label %13, !dbg !432

13:                                               ; preds = %21, %5
  tail call void @_Z7barrierj(i32 noundef 1) #12, !dbg !433
  %14 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #13, !dbg !434
  %15 = trunc i64 %14 to i32, !dbg !434
  %16 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #13, !dbg !435
  %17 = trunc i64 %16 to i32, !dbg !435
  %18 = icmp sgt i32 %2, %15, !dbg !436
  %19 = icmp sgt i32 %3, %17
  %20 = select i1 %18, i1 %19, i1 false, !dbg !437
  br i1 %20, label %34, label %87, !dbg !437

21:                                               ; preds = %5, %21
  %22 = phi i64 [ %31, %21 ], [ %10, %5 ]
  %23 = shl i64 %22, 32, !dbg !438
  %24 = ashr exact i64 %23, 32, !dbg !438
  %25 = getelementptr inbounds float, ptr addrspace(4) %4, i64 %24, !dbg !438
  %26 = load float, ptr addrspace(4) %25, align 4, !dbg !438, !tbaa !328
  %27 = getelementptr inbounds float, ptr addrspace(3) @curves.table, i64 %24, !dbg !439
  store float %26, ptr addrspace(3) %27, align 4, !dbg !440, !tbaa !328
  %28 = tail call i64 @_Z14get_local_sizej(i32 noundef 0) #13, !dbg !441
  %29 = tail call i64 @_Z14get_local_sizej(i32 noundef 1) #13, !dbg !442
  %30 = mul i64 %29, %28, !dbg !443
  %31 = add i64 %30, %24, !dbg !444
  %32 = trunc i64 %31 to i32, !dbg !430
  %33 = icmp slt i32 %32, 192, !dbg !431
  br i1 %33, label %21, label %13, !dbg !432, !llvm.loop !445

34:                                               ; preds = %13
  %35 = mul nsw i32 %2, %17, !dbg !447
  %36 = add nsw i32 %35, %15, !dbg !448
  %37 = sext i32 %36 to i64, !dbg !449
  %38 = getelementptr inbounds <4 x float>, ptr addrspace(1) %0, i64 %37, !dbg !449
  %39 = load <4 x float>, ptr addrspace(1) %38, align 16, !dbg !449, !tbaa !37
  %40 = extractelement <4 x float> %39, i64 0, !dbg !450
  %41 = tail call float @_Z5clampfff(float noundef %40, float noundef 0.000000e+00, float noundef 1.000000e+00) #13, !dbg !451
  %42 = fmul float %41, 6.300000e+01, !dbg !455
  %43 = fptosi float %42 to i32, !dbg !456
  %44 = tail call i32 @_Z3minii(i32 noundef %43, i32 noundef 62) #13, !dbg !457
  %45 = sext i32 %44 to i64, !dbg !458
  %46 = getelementptr inbounds float, ptr addrspace(3) @curves.table, i64 %45, !dbg !458
  %47 = load float, ptr addrspace(3) %46, align 4, !dbg !458, !tbaa !328
  %48 = sitofp i32 %44 to float, !dbg !459
  %49 = fsub float %42, %48, !dbg !460
  %50 = getelementptr i8, ptr addrspace(3) %46, i64 4, !dbg !461
  %51 = load float, ptr addrspace(3) %50, align 4, !dbg !461, !tbaa !328
  %52 = fsub float %51, %47, !dbg !462
  %53 = tail call float @llvm.fmuladd.f32(float %49, float %52, float %47), !dbg !463
  %54 = insertelement <4 x float> poison, float %53, i64 0, !dbg !464
  %55 = extractelement <4 x float> %39, i64 1, !dbg !465
  %56 = tail call float @_Z5clampfff(float noundef %55, float noundef 0.000000e+00, float noundef 1.000000e+00) #13, !dbg !466
  %57 = fmul float %56, 6.300000e+01, !dbg !469
  %58 = fptosi float %57 to i32, !dbg !470
  %59 = tail call i32 @_Z3minii(i32 noundef %58, i32 noundef 62) #13, !dbg !471
  %60 = sext i32 %59 to i64, !dbg !472
  %61 = getelementptr inbounds float, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @curves.table, i64 256), i64 %60, !dbg !472
  %62 = load float, ptr addrspace(3) %61, align 4, !dbg !472, !tbaa !328
  %63 = sitofp i32 %59 to float, !dbg !473
  %64 = fsub float %57, %63, !dbg !474
  %65 = getelementptr i8, ptr addrspace(3) %61, i64 4, !dbg !475
  %66 = load float, ptr addrspace(3) %65, align 4, !dbg !475, !tbaa !328
  %67 = fsub float %66, %62, !dbg !476
  %68 = tail call float @llvm.fmuladd.f32(float %64, float %67, float %62), !dbg !477
  %69 = insertelement <4 x float> %54, float %68, i64 1, !dbg !464
  %70 = extractelement <4 x float> %39, i64 2, !dbg !478
  %71 = tail call float @_Z5clampfff(float noundef %70, float noundef 0.000000e+00, float noundef 1.000000e+00) #13, !dbg !479
  %72 = fmul float %71, 6.300000e+01, !dbg !482
  %73 = fptosi float %72 to i32, !dbg !483
  %74 = tail call i32 @_Z3minii(i32 noundef %73, i32 noundef 62) #13, !dbg !484
  %75 = sext i32 %74 to i64, !dbg !485
  %76 = getelementptr inbounds float, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @curves.table, i64 512), i64 %75, !dbg !485
  %77 = load float, ptr addrspace(3) %76, align 4, !dbg !485, !tbaa !328
  %78 = sitofp i32 %74 to float, !dbg !486
  %79 = fsub float %72, %78, !dbg !487
  %80 = getelementptr i8, ptr addrspace(3) %76, i64 4, !dbg !488
  %81 = load float, ptr addrspace(3) %80, align 4, !dbg !488, !tbaa !328
  %82 = fsub float %81, %77, !dbg !489
  %83 = tail call float @llvm.fmuladd.f32(float %79, float %82, float %77), !dbg !490
  %84 = insertelement <4 x float> %69, float %83, i64 2, !dbg !464
  %85 = shufflevector <4 x float> %84, <4 x float> %39, <4 x i32> <i32 0, i32 1, i32 2, i32 7>, !dbg !464
  %86 = getelementptr inbounds <4 x float>, ptr addrspace(1) %1, i64 %37, !dbg !491
  store <4 x float> %85, ptr addrspace(1) %86, align 16, !dbg !492, !tbaa !37
  br label %87, !dbg !493

87:                                               ; preds = %13, %34
  ret void, !dbg !493
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @overlay(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef align 16 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7, float noundef %8) local_unnamed_addr #0 !dbg !494 !kernel_arg_addr_space !237 !kernel_arg_access_qual !238 !kernel_arg_type !495 !kernel_arg_base_type !496 !kernel_arg_type_qual !241 {
  tail call void @__clang_ocl_kern_imp_overlay(ptr addrspace(1) noundef align 16 %0, ptr addrspace(1) noundef align 16 %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7, float noundef %8) #12, !dbg !497
  ret void, !dbg !498
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_overlay(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef align 16 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7, float noundef %8) local_unnamed_addr #1 !dbg !499 !kernel_arg_addr_space !237 !kernel_arg_access_qual !238 !kernel_arg_type !495 !kernel_arg_base_type !496 !kernel_arg_type_qual !241 {
  %10 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #13, !dbg !500
  %11 = trunc i64 %10 to i32, !dbg !500
  %12 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #13, !dbg !501
  %13 = trunc i64 %12 to i32, !dbg !501
  %14 = icmp sgt i32 %2, %11, !dbg !502
  %15 = icmp sgt i32 %3, %13
  %16 = select i1 %14, i1 %15, i1 false, !dbg !503
  br i1 %16, label %17, label %44, !dbg !503

17:                                               ; preds = %9
  %18 = add nsw i32 %6, %11, !dbg !504
  %19 = add nsw i32 %7, %13, !dbg !505
  %20 = icmp slt i32 %18, 0, !dbg !506
  br i1 %20, label %44, label %21, !dbg !507

21:                                               ; preds = %17
  %22 = icmp slt i32 %18, %4, !dbg !508
  %23 = icmp sgt i32 %19, -1
  %24 = icmp slt i32 %19, %5
  %25 = and i1 %23, %24, !dbg !509
  %26 = select i1 %22, i1 %25, i1 false, !dbg !509
  br i1 %26, label %27, label %44, !dbg !509

27:                                               ; preds = %21
  %28 = mul nsw i32 %2, %13, !dbg !510
  %29 = add nsw i32 %28, %11, !dbg !511
  %30 = sext i32 %29 to i64, !dbg !512
  %31 = getelementptr inbounds <4 x float>, ptr addrspace(1) %0, i64 %30, !dbg !512
  %32 = load <4 x float>, ptr addrspace(1) %31, align 16, !dbg !512, !tbaa !37
  %33 = extractelement <4 x float> %32, i64 3, !dbg !513
  %34 = fmul float %8, %33, !dbg !514
  %35 = fcmp ugt float %34, 0.000000e+00, !dbg !515
  br i1 %35, label %36, label %44, !dbg !515

36:                                               ; preds = %27
  %37 = insertelement <4 x float> %32, float 1.000000e+00, i64 3
  %38 = mul nsw i32 %19, %4
  %39 = add nuw nsw i32 %38, %18
  %40 = zext nneg i32 %39 to i64
  %41 = getelementptr inbounds nuw <4 x float>, ptr addrspace(1) %1, i64 %40
  %42 = load <4 x float>, ptr addrspace(1) %41, align 16, !dbg !516, !tbaa !37
  %43 = tail call <4 x float> @_Z3mixDv4_fS_f(<4 x float> noundef %42, <4 x float> noundef %37, float noundef %34) #13, !dbg !517
  store <4 x float> %43, ptr addrspace(1) %41, align 16, !dbg !518, !tbaa !37
  br label %44, !dbg !519

44:                                               ; preds = %21, %17, %27, %36, %9
  ret void, !dbg !519
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @chroma_key(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 16 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %2, i32 noundef %3, i32 noundef %4, float noundef %5, float noundef %6) local_unnamed_addr #0 !dbg !520 !kernel_arg_addr_space !521 !kernel_arg_access_qual !522 !kernel_arg_type !523 !kernel_arg_base_type !524 !kernel_arg_type_qual !525 {
  tail call void @__clang_ocl_kern_imp_chroma_key(ptr addrspace(1) noundef align 16 %0, ptr addrspace(1) noundef align 16 %1, ptr addrspace(1) noundef align 16 %2, i32 noundef %3, i32 noundef %4, float noundef %5, float noundef %6) #12, !dbg !526
  ret void, !dbg !527
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_chroma_key(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 16 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %2, i32 noundef %3, i32 noundef %4, float noundef %5, float noundef %6) local_unnamed_addr #1 !dbg !528 !kernel_arg_addr_space !521 !kernel_arg_access_qual !522 !kernel_arg_type !523 !kernel_arg_base_type !524 !kernel_arg_type_qual !525 {
  %8 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #13, !dbg !529
  %9 = trunc i64 %8 to i32, !dbg !529
  %10 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #13, !dbg !530
  %11 = trunc i64 %10 to i32, !dbg !530
  %12 = icmp sgt i32 %3, %9, !dbg !531
  %13 = icmp sgt i32 %4, %11
  %14 = select i1 %12, i1 %13, i1 false, !dbg !532
  br i1 %14, label %15, label %45, !dbg !532

15:                                               ; preds = %7
  %16 = mul nsw i32 %3, %11, !dbg !533
  %17 = add nsw i32 %16, %9, !dbg !534
  %18 = sext i32 %17 to i64, !dbg !535
  %19 = getelementptr inbounds <4 x float>, ptr addrspace(1) %0, i64 %18, !dbg !535
  %20 = load <4 x float>, ptr addrspace(1) %19, align 16, !dbg !535, !tbaa !37
  %21 = extractelement <4 x float> %20, i64 1, !dbg !536
  %22 = extractelement <4 x float> %20, i64 0, !dbg !537
  %23 = extractelement <4 x float> %20, i64 2, !dbg !538
  %24 = tail call float @_Z4fmaxff(float noundef %22, float noundef %23) #13, !dbg !539
  %25 = fsub float %21, %24, !dbg !540
  %26 = fcmp ugt float %25, %5, !dbg !541
  br i1 %26, label %27, label %42, !dbg !541

27:                                               ; preds = %15
  %28 = fcmp ult float %25, %6, !dbg !542
  br i1 %28, label %32, label %29, !dbg !542

29:                                               ; preds = %27
  %30 = getelementptr inbounds <4 x float>, ptr addrspace(1) %1, i64 %18, !dbg !543
  %31 = load <4 x float>, ptr addrspace(1) %30, align 16, !dbg !543, !tbaa !37
  br label %42, !dbg !544

32:                                               ; preds = %27
  %33 = fsub float %25, %5, !dbg !545
  %34 = fsub float %21, %33, !dbg !546
  %35 = insertelement <4 x float> %20, float %34, i64 1, !dbg !547
  %36 = shufflevector <4 x float> %35, <4 x float> %20, <4 x i32> <i32 0, i32 1, i32 6, i32 7>, !dbg !547
  %37 = getelementptr inbounds <4 x float>, ptr addrspace(1) %1, i64 %18, !dbg !548
  %38 = load <4 x float>, ptr addrspace(1) %37, align 16, !dbg !548, !tbaa !37
  %39 = fsub float %6, %5, !dbg !549
  %40 = fdiv float %33, %39, !dbg !550, !fpmath !40
  %41 = tail call <4 x float> @_Z3mixDv4_fS_f(<4 x float> noundef %36, <4 x float> noundef %38, float noundef %40) #13, !dbg !551
  br label %42, !dbg !552

42:                                               ; preds = %15, %32, %29
  %43 = phi <4 x float> [ %41, %32 ], [ %31, %29 ], [ %20, %15 ]
  %44 = getelementptr inbounds <4 x float>, ptr addrspace(1) %2, i64 %18, !dbg !553
  store <4 x float> %43, ptr addrspace(1) %44, align 16, !dbg !553, !tbaa !37
  br label %45, !dbg !552

45:                                               ; preds = %42, %7
  ret void, !dbg !552
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @grade(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3, float noundef %4, float noundef %5, float noundef %6) local_unnamed_addr #0 !dbg !554 !kernel_arg_addr_space !555 !kernel_arg_access_qual !522 !kernel_arg_type !556 !kernel_arg_base_type !557 !kernel_arg_type_qual !558 {
  tail call void @__clang_ocl_kern_imp_grade(ptr addrspace(1) noundef align 16 %0, ptr addrspace(1) noundef align 16 %1, i32 noundef %2, i32 noundef %3, float noundef %4, float noundef %5, float noundef %6) #12, !dbg !559
  ret void, !dbg !560
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_grade(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3, float noundef %4, float noundef %5, float noundef %6) local_unnamed_addr #1 !dbg !561 !kernel_arg_addr_space !555 !kernel_arg_access_qual !522 !kernel_arg_type !556 !kernel_arg_base_type !557 !kernel_arg_type_qual !558 {
  %8 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #13, !dbg !562
  %9 = trunc i64 %8 to i32, !dbg !562
  %10 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #13, !dbg !563
  %11 = trunc i64 %10 to i32, !dbg !563
  %12 = icmp sgt i32 %2, %9, !dbg !564
  %13 = icmp sgt i32 %3, %11
  %14 = select i1 %12, i1 %13, i1 false, !dbg !565
  br i1 %14, label %15, label %50, !dbg !565

15:                                               ; preds = %7
  %16 = mul nsw i32 %2, %11, !dbg !566
  %17 = add nsw i32 %16, %9, !dbg !567
  %18 = sext i32 %17 to i64, !dbg !568
  %19 = getelementptr inbounds <4 x float>, ptr addrspace(1) %0, i64 %18, !dbg !568
  %20 = load <4 x float>, ptr addrspace(1) %19, align 16, !dbg !568, !tbaa !37
  %21 = extractelement <4 x float> %20, i64 0, !dbg !569
  %22 = extractelement <4 x float> %20, i64 1, !dbg !571
  %23 = fmul float %22, 0x3FE6E2EB20000000, !dbg !572
  %24 = tail call float @llvm.fmuladd.f32(float %21, float 0x3FCB367A00000000, float %23), !dbg !573
  %25 = extractelement <4 x float> %20, i64 2, !dbg !574
  %26 = tail call noundef float @llvm.fmuladd.f32(float %25, float 0x3FB27BB300000000, float %24), !dbg !575
  %27 = fsub float %21, %26, !dbg !576
  %28 = tail call float @llvm.fmuladd.f32(float %4, float %27, float %26), !dbg !579
  %29 = fadd float %28, -5.000000e-01, !dbg !580
  %30 = tail call float @llvm.fmuladd.f32(float %29, float %5, float 5.000000e-01), !dbg !581
  %31 = fadd float %6, %30, !dbg !582
  %32 = tail call float @_Z5clampfff(float noundef %31, float noundef 0.000000e+00, float noundef 1.000000e+00) #13, !dbg !583
  %33 = insertelement <4 x float> poison, float %32, i64 0, !dbg !585
  %34 = fsub float %22, %26, !dbg !586
  %35 = tail call float @llvm.fmuladd.f32(float %4, float %34, float %26), !dbg !588
  %36 = fadd float %35, -5.000000e-01, !dbg !589
  %37 = tail call float @llvm.fmuladd.f32(float %36, float %5, float 5.000000e-01), !dbg !590
  %38 = fadd float %6, %37, !dbg !591
  %39 = tail call float @_Z5clampfff(float noundef %38, float noundef 0.000000e+00, float noundef 1.000000e+00) #13, !dbg !592
  %40 = insertelement <4 x float> %33, float %39, i64 1, !dbg !585
  %41 = fsub float %25, %26, !dbg !594
  %42 = tail call float @llvm.fmuladd.f32(float %4, float %41, float %26), !dbg !596
  %43 = fadd float %42, -5.000000e-01, !dbg !597
  %44 = tail call float @llvm.fmuladd.f32(float %43, float %5, float 5.000000e-01), !dbg !598
  %45 = fadd float %6, %44, !dbg !599
  %46 = tail call float @_Z5clampfff(float noundef %45, float noundef 0.000000e+00, float noundef 1.000000e+00) #13, !dbg !600
  %47 = insertelement <4 x float> %40, float %46, i64 2, !dbg !585
  %48 = shufflevector <4 x float> %47, <4 x float> %20, <4 x i32> <i32 0, i32 1, i32 2, i32 7>, !dbg !585
  %49 = getelementptr inbounds <4 x float>, ptr addrspace(1) %1, i64 %18, !dbg !602
  store <4 x float> %48, ptr addrspace(1) %49, align 16, !dbg !603, !tbaa !37
  br label %50, !dbg !604

50:                                               ; preds = %7, %15
  ret void, !dbg !604
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @sharpen(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 16 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %2, i32 noundef %3, i32 noundef %4, float noundef %5) local_unnamed_addr #0 !dbg !605 !kernel_arg_addr_space !367 !kernel_arg_access_qual !308 !kernel_arg_type !368 !kernel_arg_base_type !369 !kernel_arg_type_qual !370 {
  tail call void @__clang_ocl_kern_imp_sharpen(ptr addrspace(1) noundef align 16 %0, ptr addrspace(1) noundef align 16 %1, ptr addrspace(1) noundef align 16 %2, i32 noundef %3, i32 noundef %4, float noundef %5) #12, !dbg !606
  ret void, !dbg !607
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_sharpen(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 16 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %2, i32 noundef %3, i32 noundef %4, float noundef %5) local_unnamed_addr #1 !dbg !608 !kernel_arg_addr_space !367 !kernel_arg_access_qual !308 !kernel_arg_type !368 !kernel_arg_base_type !369 !kernel_arg_type_qual !370 {
  %7 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #13, !dbg !609
  %8 = trunc i64 %7 to i32, !dbg !609
  %9 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #13, !dbg !610
  %10 = trunc i64 %9 to i32, !dbg !610
  %11 = icmp sgt i32 %3, %8, !dbg !611
  %12 = icmp sgt i32 %4, %10
  %13 = select i1 %11, i1 %12, i1 false, !dbg !612
  br i1 %13, label %14, label %35, !dbg !612

14:                                               ; preds = %6
  %15 = mul nsw i32 %3, %10, !dbg !613
  %16 = add nsw i32 %15, %8, !dbg !614
  %17 = sext i32 %16 to i64, !dbg !615
  %18 = getelementptr inbounds <4 x float>, ptr addrspace(1) %0, i64 %17, !dbg !615
  %19 = load <4 x float>, ptr addrspace(1) %18, align 16, !dbg !615, !tbaa !37
  %20 = getelementptr inbounds <4 x float>, ptr addrspace(1) %1, i64 %17, !dbg !616
  %21 = load <4 x float>, ptr addrspace(1) %20, align 16, !dbg !616, !tbaa !37
  %22 = fadd float %5, 1.000000e+00, !dbg !617
  %23 = tail call <4 x float> @_Z3mixDv4_fS_f(<4 x float> noundef %21, <4 x float> noundef %19, float noundef %22) #13, !dbg !618
  %24 = extractelement <4 x float> %23, i64 0, !dbg !619
  %25 = tail call float @_Z5clampfff(float noundef %24, float noundef 0.000000e+00, float noundef 1.000000e+00) #13, !dbg !620
  %26 = insertelement <4 x float> poison, float %25, i64 0, !dbg !622
  %27 = extractelement <4 x float> %23, i64 1, !dbg !623
  %28 = tail call float @_Z5clampfff(float noundef %27, float noundef 0.000000e+00, float noundef 1.000000e+00) #13, !dbg !624
  %29 = insertelement <4 x float> %26, float %28, i64 1, !dbg !622
  %30 = extractelement <4 x float> %23, i64 2, !dbg !626
  %31 = tail call float @_Z5clampfff(float noundef %30, float noundef 0.000000e+00, float noundef 1.000000e+00) #13, !dbg !627
  %32 = insertelement <4 x float> %29, float %31, i64 2, !dbg !622
  %33 = shufflevector <4 x float> %32, <4 x float> %19, <4 x i32> <i32 0, i32 1, i32 2, i32 7>, !dbg !622
  %34 = getelementptr inbounds <4 x float>, ptr addrspace(1) %2, i64 %17, !dbg !629
  store <4 x float> %33, ptr addrspace(1) %34, align 16, !dbg !630, !tbaa !37
  br label %35, !dbg !631

35:                                               ; preds = %6, %14
  ret void, !dbg !631
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @fade(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3, float noundef %4, float noundef %5, float noundef %6, float noundef %7) local_unnamed_addr #0 !dbg !632 !kernel_arg_addr_space !633 !kernel_arg_access_qual !634 !kernel_arg_type !635 !kernel_arg_base_type !636 !kernel_arg_type_qual !637 {
  tail call void @__clang_ocl_kern_imp_fade(ptr addrspace(1) noundef align 16 %0, ptr addrspace(1) noundef align 16 %1, i32 noundef %2, i32 noundef %3, float noundef %4, float noundef %5, float noundef %6, float noundef %7) #12, !dbg !638
  ret void, !dbg !639
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_fade(ptr addrspace(1) noalias noundef readonly align 16 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3, float noundef %4, float noundef %5, float noundef %6, float noundef %7) local_unnamed_addr #1 !dbg !640 !kernel_arg_addr_space !633 !kernel_arg_access_qual !634 !kernel_arg_type !635 !kernel_arg_base_type !636 !kernel_arg_type_qual !637 {
  %9 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #13, !dbg !641
  %10 = trunc i64 %9 to i32, !dbg !641
  %11 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #13, !dbg !642
  %12 = trunc i64 %11 to i32, !dbg !642
  %13 = icmp sgt i32 %2, %10, !dbg !643
  %14 = icmp sgt i32 %3, %12
  %15 = select i1 %13, i1 %14, i1 false, !dbg !644
  br i1 %15, label %16, label %27, !dbg !644

16:                                               ; preds = %8
  %17 = insertelement <4 x float> <float poison, float poison, float poison, float 1.000000e+00>, float %4, i64 0, !dbg !645
  %18 = insertelement <4 x float> %17, float %5, i64 1, !dbg !645
  %19 = insertelement <4 x float> %18, float %6, i64 2, !dbg !645
  %20 = mul nsw i32 %2, %12, !dbg !646
  %21 = add nsw i32 %20, %10, !dbg !647
  %22 = sext i32 %21 to i64, !dbg !648
  %23 = getelementptr inbounds <4 x float>, ptr addrspace(1) %0, i64 %22, !dbg !648
  %24 = load <4 x float>, ptr addrspace(1) %23, align 16, !dbg !648, !tbaa !37
  %25 = tail call <4 x float> @_Z3mixDv4_fS_f(<4 x float> noundef %24, <4 x float> noundef %19, float noundef %7) #13, !dbg !649
  %26 = getelementptr inbounds <4 x float>, ptr addrspace(1) %1, i64 %22, !dbg !650
  store <4 x float> %25, ptr addrspace(1) %26, align 16, !dbg !651, !tbaa !37
  br label %27, !dbg !652

27:                                               ; preds = %8, %16
  ret void, !dbg !652
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: write)
define dso_local ptx_kernel void @waves(ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %0, i32 noundef %1, i32 noundef %2, float noundef %3, float noundef %4, float noundef %5) local_unnamed_addr #6 !dbg !653 !kernel_arg_addr_space !654 !kernel_arg_access_qual !308 !kernel_arg_type !655 !kernel_arg_base_type !656 !kernel_arg_type_qual !657 {
  tail call void @__clang_ocl_kern_imp_waves(ptr addrspace(1) noundef align 16 %0, i32 noundef %1, i32 noundef %2, float noundef %3, float noundef %4, float noundef %5) #12, !dbg !658
  ret void, !dbg !659
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: write)
define dso_local void @__clang_ocl_kern_imp_waves(ptr addrspace(1) noalias noundef writeonly align 16 captures(none) %0, i32 noundef %1, i32 noundef %2, float noundef %3, float noundef %4, float noundef %5) local_unnamed_addr #7 !dbg !660 !kernel_arg_addr_space !654 !kernel_arg_access_qual !308 !kernel_arg_type !655 !kernel_arg_base_type !656 !kernel_arg_type_qual !657 {
  %7 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #13, !dbg !661
  %8 = trunc i64 %7 to i32, !dbg !661
  %9 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #13, !dbg !662
  %10 = trunc i64 %9 to i32, !dbg !662
  %11 = icmp sgt i32 %1, %8, !dbg !663
  %12 = icmp sgt i32 %2, %10
  %13 = select i1 %11, i1 %12, i1 false, !dbg !664
  br i1 %13, label %14, label %38, !dbg !664

14:                                               ; preds = %6
  %15 = sitofp i32 %8 to float, !dbg !665
  %16 = tail call float @llvm.fmuladd.f32(float %4, float %15, float %3), !dbg !666
  %17 = sitofp i32 %10 to float, !dbg !667
  %18 = tail call float @llvm.fmuladd.f32(float %5, float %17, float %16), !dbg !668
  %19 = tail call float @_Z3sinf(float noundef %18) #13, !dbg !669
  %20 = tail call float @llvm.fmuladd.f32(float %19, float 5.000000e-01, float 5.000000e-01), !dbg !670
  %21 = fneg float %15, !dbg !671
  %22 = fmul float %5, %21, !dbg !671
  %23 = tail call float @llvm.fmuladd.f32(float %3, float 2.000000e+00, float %22), !dbg !671
  %24 = tail call float @llvm.fmuladd.f32(float %4, float %17, float %23), !dbg !672
  %25 = tail call float @_Z3cosf(float noundef %24) #13, !dbg !673
  %26 = tail call float @llvm.fmuladd.f32(float %25, float 5.000000e-01, float 5.000000e-01), !dbg !674
  %27 = tail call float @llvm.fmuladd.f32(float %20, float 0x3FD3333340000000, float 0x3FB99999A0000000), !dbg !675
  %28 = tail call float @llvm.fmuladd.f32(float %26, float 0x3FC99999A0000000, float 0x3FC3333340000000), !dbg !676
  %29 = fmul float %20, 5.000000e-01, !dbg !677
  %30 = tail call float @llvm.fmuladd.f32(float %29, float %26, float 0x3FD99999A0000000), !dbg !678
  %31 = insertelement <4 x float> <float poison, float poison, float poison, float 1.000000e+00>, float %27, i64 0, !dbg !679
  %32 = insertelement <4 x float> %31, float %28, i64 1, !dbg !679
  %33 = insertelement <4 x float> %32, float %30, i64 2, !dbg !679
  %34 = mul nsw i32 %1, %10, !dbg !680
  %35 = add nsw i32 %34, %8, !dbg !681
  %36 = sext i32 %35 to i64, !dbg !682
  %37 = getelementptr inbounds <4 x float>, ptr addrspace(1) %0, i64 %36, !dbg !682
  store <4 x float> %33, ptr addrspace(1) %37, align 16, !dbg !683, !tbaa !37
  br label %38, !dbg !684

38:                                               ; preds = %6, %14
  ret void, !dbg !684
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #8

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #9

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z5clampfff(float noundef, float noundef, float noundef) local_unnamed_addr #8

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x float> @llvm.fmuladd.v4f32(<4 x float>, <4 x float>, <4 x float>) #9

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z4fminff(float noundef, float noundef) local_unnamed_addr #8

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z4fmaxff(float noundef, float noundef) local_unnamed_addr #8

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z3powff(float noundef, float noundef) local_unnamed_addr #8

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z5floorf(float noundef) local_unnamed_addr #8

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local <4 x float> @_Z3mixDv4_fS_f(<4 x float> noundef, <4 x float> noundef, float noundef) local_unnamed_addr #8

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i32 @_Z3minii(i32 noundef, i32 noundef) local_unnamed_addr #8

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i32 @_Z3maxii(i32 noundef, i32 noundef) local_unnamed_addr #8

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #8

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z14get_local_sizej(i32 noundef) local_unnamed_addr #8

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #10

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z3sinf(float noundef) local_unnamed_addr #8

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z3cosf(float noundef) local_unnamed_addr #8

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #11

attributes #0 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #5 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #6 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: write) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #7 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: write) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #8 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #9 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #10 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #11 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #12 = { convergent nounwind }
attributes #13 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "video.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "yuv_to_rgb", scope: !1, file: !1, line: 13, type: !13, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 0, i32 0}
!16 = !{!"none", !"none", !"none", !"none"}
!17 = !{!"uchar*", !"float4*", !"int", !"int"}
!18 = !{!"uchar*", !"float __attribute__((ext_vector_type(4)))*", !"int", !"int"}
!19 = !{!"restrict const", !"restrict", !"", !""}
!20 = !DILocation(line: 14, column: 49, scope: !12)
!21 = !DILocation(line: 27, column: 1, scope: !12)
!22 = distinct !DISubprogram(name: "yuv_to_rgb", scope: !1, file: !1, line: 13, type: !13, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!23 = !DILocation(line: 15, column: 17, scope: !22)
!24 = !DILocation(line: 16, column: 17, scope: !22)
!25 = !DILocation(line: 17, column: 9, scope: !22)
!26 = !DILocation(line: 17, column: 18, scope: !22)
!27 = !DILocation(line: 20, column: 28, scope: !22)
!28 = !DILocation(line: 20, column: 41, scope: !22)
!29 = !DILocation(line: 20, column: 54, scope: !22)
!30 = !DILocation(line: 20, column: 45, scope: !22)
!31 = !DILocation(line: 20, column: 63, scope: !22)
!32 = !DILocation(line: 20, column: 37, scope: !22)
!33 = !DILocation(line: 20, column: 59, scope: !22)
!34 = !DILocation(line: 21, column: 34, scope: !22)
!35 = !DILocation(line: 21, column: 42, scope: !22)
!36 = !DILocation(line: 21, column: 25, scope: !22)
!37 = !{!10, !10, i64 0}
!38 = !DILocation(line: 21, column: 47, scope: !22)
!39 = !DILocation(line: 21, column: 56, scope: !22)
!40 = !{float 2.500000e+00}
!41 = !DILocation(line: 22, column: 20, scope: !22)
!42 = !DILocation(line: 22, column: 35, scope: !22)
!43 = !DILocation(line: 22, column: 45, scope: !22)
!44 = !DILocation(line: 23, column: 51, scope: !22)
!45 = !DILocation(line: 23, column: 34, scope: !22)
!46 = !DILocation(line: 23, column: 20, scope: !22)
!47 = !DILocation(line: 23, column: 56, scope: !22)
!48 = !DILocation(line: 23, column: 66, scope: !22)
!49 = !DILocation(line: 24, column: 51, scope: !22)
!50 = !DILocation(line: 6, column: 51, scope: !51, inlinedAt: !52)
!51 = distinct !DISubprogram(name: "limited", scope: !1, file: !1, line: 6, type: !13, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!52 = distinct !DILocation(line: 24, column: 36, scope: !22)
!53 = !DILocation(line: 25, column: 51, scope: !22)
!54 = !DILocation(line: 25, column: 67, scope: !22)
!55 = !DILocation(line: 6, column: 51, scope: !51, inlinedAt: !56)
!56 = distinct !DILocation(line: 25, column: 36, scope: !22)
!57 = !DILocation(line: 26, column: 51, scope: !22)
!58 = !DILocation(line: 6, column: 51, scope: !51, inlinedAt: !59)
!59 = distinct !DILocation(line: 26, column: 36, scope: !22)
!60 = !DILocation(line: 24, column: 35, scope: !22)
!61 = !DILocation(line: 24, column: 3, scope: !22)
!62 = !DILocation(line: 24, column: 25, scope: !22)
!63 = !DILocation(line: 27, column: 1, scope: !22)
!64 = distinct !DISubprogram(name: "rgb_to_yuv", scope: !1, file: !1, line: 34, type: !13, scopeLine: 35, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!65 = !{!"float4*", !"uchar*", !"int", !"int"}
!66 = !{!"float __attribute__((ext_vector_type(4)))*", !"uchar*", !"int", !"int"}
!67 = !DILocation(line: 35, column: 49, scope: !64)
!68 = !DILocation(line: 51, column: 1, scope: !64)
!69 = distinct !DISubprogram(name: "rgb_to_yuv", scope: !1, file: !1, line: 34, type: !13, scopeLine: 35, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!70 = !DILocation(line: 36, column: 21, scope: !69)
!71 = !DILocation(line: 36, column: 17, scope: !69)
!72 = !DILocation(line: 37, column: 21, scope: !69)
!73 = !DILocation(line: 37, column: 17, scope: !69)
!74 = !DILocation(line: 38, column: 9, scope: !69)
!75 = !DILocation(line: 38, column: 18, scope: !69)
!76 = !DILocation(line: 30, column: 20, scope: !77, inlinedAt: !78)
!77 = distinct !DISubprogram(name: "brightness", scope: !1, file: !1, line: 29, type: !13, scopeLine: 29, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!78 = distinct !DILocation(line: 47, column: 24, scope: !69)
!79 = !DILocation(line: 30, column: 40, scope: !77, inlinedAt: !78)
!80 = !DILocation(line: 30, column: 38, scope: !77, inlinedAt: !78)
!81 = !DILocation(line: 30, column: 28, scope: !77, inlinedAt: !78)
!82 = !DILocation(line: 30, column: 60, scope: !77, inlinedAt: !78)
!83 = !DILocation(line: 30, column: 48, scope: !77, inlinedAt: !78)
!84 = !DILocation(line: 48, column: 28, scope: !69)
!85 = !DILocation(line: 48, column: 41, scope: !69)
!86 = !DILocation(line: 48, column: 54, scope: !69)
!87 = !DILocation(line: 48, column: 45, scope: !69)
!88 = !DILocation(line: 48, column: 63, scope: !69)
!89 = !DILocation(line: 48, column: 37, scope: !69)
!90 = !DILocation(line: 48, column: 59, scope: !69)
!91 = !DILocation(line: 49, column: 54, scope: !69)
!92 = !DILocation(line: 49, column: 44, scope: !69)
!93 = !DILocation(line: 49, column: 64, scope: !69)
!94 = !DILocation(line: 49, column: 35, scope: !69)
!95 = !DILocation(line: 9, column: 33, scope: !96, inlinedAt: !97)
!96 = distinct !DISubprogram(name: "byte_of", scope: !1, file: !1, line: 8, type: !13, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!97 = distinct !DILocation(line: 49, column: 20, scope: !69)
!98 = !DILocation(line: 9, column: 22, scope: !96, inlinedAt: !97)
!99 = !DILocation(line: 9, column: 17, scope: !96, inlinedAt: !97)
!100 = !DILocation(line: 9, column: 10, scope: !96, inlinedAt: !97)
!101 = !DILocation(line: 49, column: 3, scope: !69)
!102 = !DILocation(line: 49, column: 18, scope: !69)
!103 = !DILocation(line: 50, column: 75, scope: !69)
!104 = !DILocation(line: 50, column: 65, scope: !69)
!105 = !DILocation(line: 50, column: 85, scope: !69)
!106 = !DILocation(line: 50, column: 56, scope: !69)
!107 = !DILocation(line: 9, column: 33, scope: !96, inlinedAt: !108)
!108 = distinct !DILocation(line: 50, column: 41, scope: !69)
!109 = !DILocation(line: 9, column: 22, scope: !96, inlinedAt: !108)
!110 = !DILocation(line: 9, column: 17, scope: !96, inlinedAt: !108)
!111 = !DILocation(line: 9, column: 10, scope: !96, inlinedAt: !108)
!112 = !DILocation(line: 50, column: 34, scope: !69)
!113 = !DILocation(line: 50, column: 17, scope: !69)
!114 = !DILocation(line: 50, column: 3, scope: !69)
!115 = !DILocation(line: 50, column: 39, scope: !69)
!116 = !DILocation(line: 51, column: 1, scope: !69)
!117 = !DILocation(line: 43, column: 27, scope: !69)
!118 = !DILocation(line: 43, column: 23, scope: !69)
!119 = !DILocation(line: 43, column: 32, scope: !69)
!120 = !DILocation(line: 43, column: 48, scope: !69)
!121 = !DILocation(line: 43, column: 40, scope: !69)
!122 = !DILocation(line: 43, column: 44, scope: !69)
!123 = !DILocation(line: 44, column: 54, scope: !69)
!124 = !DILocation(line: 30, column: 20, scope: !77, inlinedAt: !125)
!125 = distinct !DILocation(line: 44, column: 43, scope: !69)
!126 = !DILocation(line: 30, column: 40, scope: !77, inlinedAt: !125)
!127 = !DILocation(line: 30, column: 38, scope: !77, inlinedAt: !125)
!128 = !DILocation(line: 30, column: 28, scope: !77, inlinedAt: !125)
!129 = !DILocation(line: 30, column: 60, scope: !77, inlinedAt: !125)
!130 = !DILocation(line: 30, column: 48, scope: !77, inlinedAt: !125)
!131 = !DILocation(line: 44, column: 32, scope: !69)
!132 = !DILocation(line: 9, column: 33, scope: !96, inlinedAt: !133)
!133 = distinct !DILocation(line: 44, column: 18, scope: !69)
!134 = !DILocation(line: 9, column: 22, scope: !96, inlinedAt: !133)
!135 = !DILocation(line: 9, column: 17, scope: !96, inlinedAt: !133)
!136 = !DILocation(line: 9, column: 10, scope: !96, inlinedAt: !133)
!137 = !DILocation(line: 44, column: 5, scope: !69)
!138 = !DILocation(line: 44, column: 16, scope: !69)
!139 = !DILocation(line: 45, column: 10, scope: !69)
!140 = !DILocation(line: 42, column: 26, scope: !69)
!141 = !DILocation(line: 42, column: 21, scope: !69)
!142 = !DILocation(line: 42, column: 3, scope: !69)
!143 = distinct !{!143, !142, !144}
!144 = !DILocation(line: 46, column: 3, scope: !69)
!145 = distinct !DISubprogram(name: "to_light", scope: !1, file: !1, line: 61, type: !13, scopeLine: 62, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!146 = !{!"float4*", !"float4*", !"int", !"int"}
!147 = !{!"float __attribute__((ext_vector_type(4)))*", !"float __attribute__((ext_vector_type(4)))*", !"int", !"int"}
!148 = !DILocation(line: 62, column: 47, scope: !145)
!149 = !DILocation(line: 71, column: 1, scope: !145)
!150 = distinct !DISubprogram(name: "to_light", scope: !1, file: !1, line: 61, type: !13, scopeLine: 62, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!151 = !DILocation(line: 63, column: 17, scope: !150)
!152 = !DILocation(line: 64, column: 17, scope: !150)
!153 = !DILocation(line: 65, column: 9, scope: !150)
!154 = !DILocation(line: 65, column: 18, scope: !150)
!155 = !DILocation(line: 68, column: 32, scope: !150)
!156 = !DILocation(line: 68, column: 40, scope: !150)
!157 = !DILocation(line: 68, column: 24, scope: !150)
!158 = !DILocation(line: 70, column: 25, scope: !150)
!159 = !DILocation(line: 54, column: 13, scope: !160, inlinedAt: !161)
!160 = distinct !DISubprogram(name: "light_of", scope: !1, file: !1, line: 53, type: !13, scopeLine: 53, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!161 = distinct !DILocation(line: 70, column: 16, scope: !150)
!162 = !DILocation(line: 55, column: 18, scope: !160, inlinedAt: !161)
!163 = !DILocation(line: 55, column: 5, scope: !160, inlinedAt: !161)
!164 = !DILocation(line: 57, column: 21, scope: !160, inlinedAt: !161)
!165 = !DILocation(line: 57, column: 36, scope: !160, inlinedAt: !161)
!166 = !DILocation(line: 57, column: 10, scope: !160, inlinedAt: !161)
!167 = !DILocation(line: 57, column: 3, scope: !160, inlinedAt: !161)
!168 = !DILocation(line: 0, scope: !160, inlinedAt: !161)
!169 = !DILocation(line: 70, column: 15, scope: !150)
!170 = !DILocation(line: 70, column: 44, scope: !150)
!171 = !DILocation(line: 54, column: 13, scope: !160, inlinedAt: !172)
!172 = distinct !DILocation(line: 70, column: 35, scope: !150)
!173 = !DILocation(line: 55, column: 18, scope: !160, inlinedAt: !172)
!174 = !DILocation(line: 55, column: 5, scope: !160, inlinedAt: !172)
!175 = !DILocation(line: 57, column: 21, scope: !160, inlinedAt: !172)
!176 = !DILocation(line: 57, column: 36, scope: !160, inlinedAt: !172)
!177 = !DILocation(line: 57, column: 10, scope: !160, inlinedAt: !172)
!178 = !DILocation(line: 57, column: 3, scope: !160, inlinedAt: !172)
!179 = !DILocation(line: 0, scope: !160, inlinedAt: !172)
!180 = !DILocation(line: 70, column: 63, scope: !150)
!181 = !DILocation(line: 54, column: 13, scope: !160, inlinedAt: !182)
!182 = distinct !DILocation(line: 70, column: 54, scope: !150)
!183 = !DILocation(line: 55, column: 18, scope: !160, inlinedAt: !182)
!184 = !DILocation(line: 55, column: 5, scope: !160, inlinedAt: !182)
!185 = !DILocation(line: 57, column: 21, scope: !160, inlinedAt: !182)
!186 = !DILocation(line: 57, column: 36, scope: !160, inlinedAt: !182)
!187 = !DILocation(line: 57, column: 10, scope: !160, inlinedAt: !182)
!188 = !DILocation(line: 57, column: 3, scope: !160, inlinedAt: !182)
!189 = !DILocation(line: 0, scope: !160, inlinedAt: !182)
!190 = !DILocation(line: 69, column: 3, scope: !150)
!191 = !DILocation(line: 69, column: 25, scope: !150)
!192 = !DILocation(line: 71, column: 1, scope: !150)
!193 = distinct !DISubprogram(name: "to_video", scope: !1, file: !1, line: 81, type: !13, scopeLine: 82, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!194 = !DILocation(line: 82, column: 47, scope: !193)
!195 = !DILocation(line: 91, column: 1, scope: !193)
!196 = distinct !DISubprogram(name: "to_video", scope: !1, file: !1, line: 81, type: !13, scopeLine: 82, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!197 = !DILocation(line: 83, column: 17, scope: !196)
!198 = !DILocation(line: 84, column: 17, scope: !196)
!199 = !DILocation(line: 85, column: 9, scope: !196)
!200 = !DILocation(line: 85, column: 18, scope: !196)
!201 = !DILocation(line: 88, column: 32, scope: !196)
!202 = !DILocation(line: 88, column: 40, scope: !196)
!203 = !DILocation(line: 88, column: 24, scope: !196)
!204 = !DILocation(line: 90, column: 25, scope: !196)
!205 = !DILocation(line: 74, column: 13, scope: !206, inlinedAt: !207)
!206 = distinct !DISubprogram(name: "video_of", scope: !1, file: !1, line: 73, type: !13, scopeLine: 73, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!207 = distinct !DILocation(line: 90, column: 16, scope: !196)
!208 = !DILocation(line: 75, column: 17, scope: !206, inlinedAt: !207)
!209 = !DILocation(line: 75, column: 5, scope: !206, inlinedAt: !207)
!210 = !DILocation(line: 77, column: 24, scope: !206, inlinedAt: !207)
!211 = !DILocation(line: 77, column: 42, scope: !206, inlinedAt: !207)
!212 = !DILocation(line: 77, column: 3, scope: !206, inlinedAt: !207)
!213 = !DILocation(line: 0, scope: !206, inlinedAt: !207)
!214 = !DILocation(line: 90, column: 15, scope: !196)
!215 = !DILocation(line: 90, column: 44, scope: !196)
!216 = !DILocation(line: 74, column: 13, scope: !206, inlinedAt: !217)
!217 = distinct !DILocation(line: 90, column: 35, scope: !196)
!218 = !DILocation(line: 75, column: 17, scope: !206, inlinedAt: !217)
!219 = !DILocation(line: 75, column: 5, scope: !206, inlinedAt: !217)
!220 = !DILocation(line: 77, column: 24, scope: !206, inlinedAt: !217)
!221 = !DILocation(line: 77, column: 42, scope: !206, inlinedAt: !217)
!222 = !DILocation(line: 77, column: 3, scope: !206, inlinedAt: !217)
!223 = !DILocation(line: 0, scope: !206, inlinedAt: !217)
!224 = !DILocation(line: 90, column: 63, scope: !196)
!225 = !DILocation(line: 74, column: 13, scope: !206, inlinedAt: !226)
!226 = distinct !DILocation(line: 90, column: 54, scope: !196)
!227 = !DILocation(line: 75, column: 17, scope: !206, inlinedAt: !226)
!228 = !DILocation(line: 75, column: 5, scope: !206, inlinedAt: !226)
!229 = !DILocation(line: 77, column: 24, scope: !206, inlinedAt: !226)
!230 = !DILocation(line: 77, column: 42, scope: !206, inlinedAt: !226)
!231 = !DILocation(line: 77, column: 3, scope: !206, inlinedAt: !226)
!232 = !DILocation(line: 0, scope: !206, inlinedAt: !226)
!233 = !DILocation(line: 89, column: 3, scope: !196)
!234 = !DILocation(line: 89, column: 25, scope: !196)
!235 = !DILocation(line: 91, column: 1, scope: !196)
!236 = distinct !DISubprogram(name: "scale", scope: !1, file: !1, line: 103, type: !13, scopeLine: 105, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!237 = !{i32 1, i32 1, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0}
!238 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!239 = !{!"float4*", !"float4*", !"int", !"int", !"int", !"int", !"float", !"float", !"float"}
!240 = !{!"float __attribute__((ext_vector_type(4)))*", !"float __attribute__((ext_vector_type(4)))*", !"int", !"int", !"int", !"int", !"float", !"float", !"float"}
!241 = !{!"restrict const", !"restrict", !"", !"", !"", !"", !"", !"", !""}
!242 = !DILocation(line: 105, column: 33, scope: !236)
!243 = !DILocation(line: 120, column: 1, scope: !236)
!244 = distinct !DISubprogram(name: "scale", scope: !1, file: !1, line: 103, type: !13, scopeLine: 105, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!245 = !DILocation(line: 106, column: 17, scope: !244)
!246 = !DILocation(line: 107, column: 17, scope: !244)
!247 = !DILocation(line: 108, column: 9, scope: !244)
!248 = !DILocation(line: 108, column: 22, scope: !244)
!249 = !DILocation(line: 111, column: 32, scope: !244)
!250 = !DILocation(line: 111, column: 34, scope: !244)
!251 = !DILocation(line: 111, column: 29, scope: !244)
!252 = !DILocation(line: 111, column: 49, scope: !244)
!253 = !DILocation(line: 112, column: 31, scope: !244)
!254 = !DILocation(line: 112, column: 33, scope: !244)
!255 = !DILocation(line: 112, column: 28, scope: !244)
!256 = !DILocation(line: 112, column: 48, scope: !244)
!257 = !DILocation(line: 113, column: 23, scope: !244)
!258 = !DILocation(line: 113, column: 18, scope: !244)
!259 = !DILocation(line: 114, column: 23, scope: !244)
!260 = !DILocation(line: 114, column: 18, scope: !244)
!261 = !DILocation(line: 95, column: 9, scope: !262, inlinedAt: !263)
!262 = distinct !DISubprogram(name: "pixel_at", scope: !1, file: !1, line: 94, type: !13, scopeLine: 94, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!263 = distinct !DILocation(line: 115, column: 28, scope: !244)
!264 = !DILocation(line: 95, column: 13, scope: !262, inlinedAt: !263)
!265 = !DILocation(line: 95, column: 18, scope: !262, inlinedAt: !263)
!266 = !DILocation(line: 95, column: 27, scope: !262, inlinedAt: !263)
!267 = !DILocation(line: 98, column: 10, scope: !262, inlinedAt: !263)
!268 = !DILocation(line: 98, column: 3, scope: !262, inlinedAt: !263)
!269 = !DILocation(line: 0, scope: !262, inlinedAt: !263)
!270 = !DILocation(line: 116, column: 62, scope: !244)
!271 = !DILocation(line: 95, column: 9, scope: !262, inlinedAt: !272)
!272 = distinct !DILocation(line: 116, column: 28, scope: !244)
!273 = !DILocation(line: 95, column: 13, scope: !262, inlinedAt: !272)
!274 = !DILocation(line: 95, column: 18, scope: !262, inlinedAt: !272)
!275 = !DILocation(line: 95, column: 27, scope: !262, inlinedAt: !272)
!276 = !DILocation(line: 98, column: 10, scope: !262, inlinedAt: !272)
!277 = !DILocation(line: 98, column: 3, scope: !262, inlinedAt: !272)
!278 = !DILocation(line: 0, scope: !262, inlinedAt: !272)
!279 = !DILocation(line: 116, column: 81, scope: !244)
!280 = !DILocation(line: 116, column: 79, scope: !244)
!281 = !DILocation(line: 115, column: 24, scope: !244)
!282 = !DILocation(line: 117, column: 66, scope: !244)
!283 = !DILocation(line: 95, column: 13, scope: !262, inlinedAt: !284)
!284 = distinct !DILocation(line: 117, column: 28, scope: !244)
!285 = !DILocation(line: 95, column: 18, scope: !262, inlinedAt: !284)
!286 = !DILocation(line: 95, column: 27, scope: !262, inlinedAt: !284)
!287 = !DILocation(line: 98, column: 10, scope: !262, inlinedAt: !284)
!288 = !DILocation(line: 98, column: 3, scope: !262, inlinedAt: !284)
!289 = !DILocation(line: 0, scope: !262, inlinedAt: !284)
!290 = !DILocation(line: 95, column: 13, scope: !262, inlinedAt: !291)
!291 = distinct !DILocation(line: 118, column: 28, scope: !244)
!292 = !DILocation(line: 95, column: 18, scope: !262, inlinedAt: !291)
!293 = !DILocation(line: 95, column: 27, scope: !262, inlinedAt: !291)
!294 = !DILocation(line: 98, column: 10, scope: !262, inlinedAt: !291)
!295 = !DILocation(line: 98, column: 3, scope: !262, inlinedAt: !291)
!296 = !DILocation(line: 0, scope: !262, inlinedAt: !291)
!297 = !DILocation(line: 117, column: 24, scope: !244)
!298 = !DILocation(line: 119, column: 58, scope: !244)
!299 = !DILocation(line: 119, column: 56, scope: !244)
!300 = !DILocation(line: 119, column: 31, scope: !244)
!301 = !DILocation(line: 119, column: 12, scope: !244)
!302 = !DILocation(line: 119, column: 24, scope: !244)
!303 = !DILocation(line: 119, column: 3, scope: !244)
!304 = !DILocation(line: 119, column: 29, scope: !244)
!305 = !DILocation(line: 120, column: 1, scope: !244)
!306 = distinct !DISubprogram(name: "blur_rows", scope: !1, file: !1, line: 123, type: !13, scopeLine: 124, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!307 = !{i32 1, i32 1, i32 0, i32 0, i32 0, i32 2}
!308 = !{!"none", !"none", !"none", !"none", !"none", !"none"}
!309 = !{!"float4*", !"float4*", !"int", !"int", !"int", !"float*"}
!310 = !{!"float __attribute__((ext_vector_type(4)))*", !"float __attribute__((ext_vector_type(4)))*", !"int", !"int", !"int", !"float*"}
!311 = !{!"restrict const", !"restrict", !"", !"", !"", !"const"}
!312 = !DILocation(line: 124, column: 87, scope: !306)
!313 = !DILocation(line: 135, column: 1, scope: !306)
!314 = distinct !DISubprogram(name: "blur_rows", scope: !1, file: !1, line: 123, type: !13, scopeLine: 124, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!315 = !DILocation(line: 125, column: 17, scope: !314)
!316 = !DILocation(line: 126, column: 17, scope: !314)
!317 = !DILocation(line: 127, column: 9, scope: !314)
!318 = !DILocation(line: 127, column: 18, scope: !314)
!319 = !DILocation(line: 131, column: 21, scope: !314)
!320 = !DILocation(line: 131, column: 3, scope: !314)
!321 = !DILocation(line: 134, column: 12, scope: !314)
!322 = !DILocation(line: 0, scope: !314)
!323 = !DILocation(line: 134, column: 20, scope: !314)
!324 = !DILocation(line: 134, column: 3, scope: !314)
!325 = !DILocation(line: 134, column: 25, scope: !314)
!326 = !DILocation(line: 135, column: 1, scope: !314)
!327 = !DILocation(line: 132, column: 12, scope: !314)
!328 = !{!329, !329, i64 0}
!329 = !{!"float", !10, i64 0}
!330 = !DILocation(line: 132, column: 57, scope: !314)
!331 = !DILocation(line: 132, column: 47, scope: !314)
!332 = !DILocation(line: 132, column: 43, scope: !314)
!333 = !DILocation(line: 132, column: 41, scope: !314)
!334 = !DILocation(line: 132, column: 25, scope: !314)
!335 = !DILocation(line: 132, column: 9, scope: !314)
!336 = !DILocation(line: 131, column: 39, scope: !314)
!337 = distinct !{!337, !320, !338}
!338 = !DILocation(line: 133, column: 3, scope: !314)
!339 = distinct !DISubprogram(name: "blur_columns", scope: !1, file: !1, line: 138, type: !13, scopeLine: 139, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!340 = !DILocation(line: 139, column: 90, scope: !339)
!341 = !DILocation(line: 150, column: 1, scope: !339)
!342 = distinct !DISubprogram(name: "blur_columns", scope: !1, file: !1, line: 138, type: !13, scopeLine: 139, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!343 = !DILocation(line: 140, column: 17, scope: !342)
!344 = !DILocation(line: 141, column: 17, scope: !342)
!345 = !DILocation(line: 142, column: 9, scope: !342)
!346 = !DILocation(line: 142, column: 18, scope: !342)
!347 = !DILocation(line: 146, column: 21, scope: !342)
!348 = !DILocation(line: 146, column: 3, scope: !342)
!349 = !DILocation(line: 0, scope: !342)
!350 = !DILocation(line: 149, column: 12, scope: !342)
!351 = !DILocation(line: 149, column: 20, scope: !342)
!352 = !DILocation(line: 149, column: 3, scope: !342)
!353 = !DILocation(line: 149, column: 25, scope: !342)
!354 = !DILocation(line: 150, column: 1, scope: !342)
!355 = !DILocation(line: 147, column: 12, scope: !342)
!356 = !DILocation(line: 147, column: 45, scope: !342)
!357 = !DILocation(line: 147, column: 35, scope: !342)
!358 = !DILocation(line: 147, column: 31, scope: !342)
!359 = !DILocation(line: 147, column: 71, scope: !342)
!360 = !DILocation(line: 147, column: 79, scope: !342)
!361 = !DILocation(line: 147, column: 25, scope: !342)
!362 = !DILocation(line: 147, column: 9, scope: !342)
!363 = !DILocation(line: 146, column: 39, scope: !342)
!364 = distinct !{!364, !348, !365}
!365 = !DILocation(line: 148, column: 3, scope: !342)
!366 = distinct !DISubprogram(name: "cross_fade", scope: !1, file: !1, line: 153, type: !13, scopeLine: 154, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!367 = !{i32 1, i32 1, i32 1, i32 0, i32 0, i32 0}
!368 = !{!"float4*", !"float4*", !"float4*", !"int", !"int", !"float"}
!369 = !{!"float __attribute__((ext_vector_type(4)))*", !"float __attribute__((ext_vector_type(4)))*", !"float __attribute__((ext_vector_type(4)))*", !"int", !"int", !"float"}
!370 = !{!"restrict const", !"restrict const", !"restrict", !"", !"", !""}
!371 = !DILocation(line: 154, column: 96, scope: !366)
!372 = !DILocation(line: 162, column: 1, scope: !366)
!373 = distinct !DISubprogram(name: "cross_fade", scope: !1, file: !1, line: 153, type: !13, scopeLine: 154, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!374 = !DILocation(line: 155, column: 17, scope: !373)
!375 = !DILocation(line: 156, column: 17, scope: !373)
!376 = !DILocation(line: 157, column: 9, scope: !373)
!377 = !DILocation(line: 157, column: 18, scope: !373)
!378 = !DILocation(line: 161, column: 20, scope: !373)
!379 = !DILocation(line: 161, column: 30, scope: !373)
!380 = !DILocation(line: 161, column: 16, scope: !373)
!381 = !DILocation(line: 161, column: 14, scope: !373)
!382 = !DILocation(line: 162, column: 1, scope: !373)
!383 = distinct !DISubprogram(name: "wipe", scope: !1, file: !1, line: 166, type: !13, scopeLine: 168, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!384 = !{i32 1, i32 1, i32 1, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0}
!385 = !{!"float4*", !"float4*", !"float4*", !"int", !"int", !"float", !"float", !"float", !"float"}
!386 = !{!"float __attribute__((ext_vector_type(4)))*", !"float __attribute__((ext_vector_type(4)))*", !"float __attribute__((ext_vector_type(4)))*", !"int", !"int", !"float", !"float", !"float", !"float"}
!387 = !{!"restrict const", !"restrict const", !"restrict", !"", !"", !"", !"", !"", !""}
!388 = !DILocation(line: 168, column: 44, scope: !383)
!389 = !DILocation(line: 184, column: 1, scope: !383)
!390 = distinct !DISubprogram(name: "wipe", scope: !1, file: !1, line: 166, type: !13, scopeLine: 168, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!391 = !DILocation(line: 169, column: 17, scope: !390)
!392 = !DILocation(line: 170, column: 17, scope: !390)
!393 = !DILocation(line: 171, column: 9, scope: !390)
!394 = !DILocation(line: 171, column: 18, scope: !390)
!395 = !DILocation(line: 174, column: 20, scope: !390)
!396 = !DILocation(line: 174, column: 28, scope: !390)
!397 = !DILocation(line: 175, column: 39, scope: !390)
!398 = !DILocation(line: 175, column: 29, scope: !390)
!399 = !DILocation(line: 175, column: 50, scope: !390)
!400 = !DILocation(line: 175, column: 41, scope: !390)
!401 = !DILocation(line: 175, column: 53, scope: !390)
!402 = !DILocation(line: 176, column: 13, scope: !390)
!403 = !DILocation(line: 177, column: 18, scope: !390)
!404 = !DILocation(line: 178, column: 3, scope: !390)
!405 = !DILocation(line: 178, column: 20, scope: !390)
!406 = !DILocation(line: 179, column: 18, scope: !390)
!407 = !DILocation(line: 180, column: 3, scope: !390)
!408 = !DILocation(line: 181, column: 32, scope: !390)
!409 = !DILocation(line: 181, column: 48, scope: !390)
!410 = !DILocation(line: 181, column: 40, scope: !390)
!411 = !DILocation(line: 182, column: 22, scope: !390)
!412 = !DILocation(line: 182, column: 32, scope: !390)
!413 = !DILocation(line: 182, column: 18, scope: !390)
!414 = !DILocation(line: 0, scope: !390)
!415 = !DILocation(line: 184, column: 1, scope: !390)
!416 = distinct !DISubprogram(name: "curves", scope: !1, file: !1, line: 194, type: !13, scopeLine: 195, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!417 = !{i32 1, i32 1, i32 0, i32 0, i32 2}
!418 = !{!"none", !"none", !"none", !"none", !"none"}
!419 = !{!"float4*", !"float4*", !"int", !"int", !"float*"}
!420 = !{!"float __attribute__((ext_vector_type(4)))*", !"float __attribute__((ext_vector_type(4)))*", !"int", !"int", !"float*"}
!421 = !{!"restrict const", !"restrict", !"", !"", !"const"}
!422 = !DILocation(line: 195, column: 76, scope: !416)
!423 = !DILocation(line: 211, column: 1, scope: !416)
!424 = distinct !DISubprogram(name: "curves", scope: !1, file: !1, line: 194, type: !13, scopeLine: 195, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!425 = !DILocation(line: 197, column: 21, scope: !424)
!426 = !DILocation(line: 197, column: 39, scope: !424)
!427 = !DILocation(line: 197, column: 37, scope: !424)
!428 = !DILocation(line: 197, column: 59, scope: !424)
!429 = !DILocation(line: 197, column: 57, scope: !424)
!430 = !DILocation(line: 0, scope: !424)
!431 = !DILocation(line: 198, column: 25, scope: !424)
!432 = !DILocation(line: 198, column: 3, scope: !424)
!433 = !DILocation(line: 201, column: 3, scope: !424)
!434 = !DILocation(line: 202, column: 17, scope: !424)
!435 = !DILocation(line: 203, column: 17, scope: !424)
!436 = !DILocation(line: 204, column: 9, scope: !424)
!437 = !DILocation(line: 204, column: 18, scope: !424)
!438 = !DILocation(line: 199, column: 16, scope: !424)
!439 = !DILocation(line: 199, column: 5, scope: !424)
!440 = !DILocation(line: 199, column: 14, scope: !424)
!441 = !DILocation(line: 198, column: 43, scope: !424)
!442 = !DILocation(line: 198, column: 63, scope: !424)
!443 = !DILocation(line: 198, column: 61, scope: !424)
!444 = !DILocation(line: 198, column: 40, scope: !424)
!445 = distinct !{!445, !432, !446}
!446 = !DILocation(line: 200, column: 3, scope: !424)
!447 = !DILocation(line: 207, column: 32, scope: !424)
!448 = !DILocation(line: 207, column: 40, scope: !424)
!449 = !DILocation(line: 207, column: 24, scope: !424)
!450 = !DILocation(line: 209, column: 32, scope: !424)
!451 = !DILocation(line: 6, column: 51, scope: !51, inlinedAt: !452)
!452 = distinct !DILocation(line: 187, column: 23, scope: !453, inlinedAt: !454)
!453 = distinct !DISubprogram(name: "on_curve", scope: !1, file: !1, line: 186, type: !13, scopeLine: 186, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!454 = distinct !DILocation(line: 209, column: 16, scope: !424)
!455 = !DILocation(line: 187, column: 38, scope: !453, inlinedAt: !454)
!456 = !DILocation(line: 188, column: 26, scope: !453, inlinedAt: !454)
!457 = !DILocation(line: 188, column: 22, scope: !453, inlinedAt: !454)
!458 = !DILocation(line: 189, column: 10, scope: !453, inlinedAt: !454)
!459 = !DILocation(line: 189, column: 35, scope: !453, inlinedAt: !454)
!460 = !DILocation(line: 189, column: 33, scope: !453, inlinedAt: !454)
!461 = !DILocation(line: 189, column: 46, scope: !453, inlinedAt: !454)
!462 = !DILocation(line: 189, column: 64, scope: !453, inlinedAt: !454)
!463 = !DILocation(line: 189, column: 24, scope: !453, inlinedAt: !454)
!464 = !DILocation(line: 209, column: 15, scope: !424)
!465 = !DILocation(line: 209, column: 66, scope: !424)
!466 = !DILocation(line: 6, column: 51, scope: !51, inlinedAt: !467)
!467 = distinct !DILocation(line: 187, column: 23, scope: !453, inlinedAt: !468)
!468 = distinct !DILocation(line: 209, column: 42, scope: !424)
!469 = !DILocation(line: 187, column: 38, scope: !453, inlinedAt: !468)
!470 = !DILocation(line: 188, column: 26, scope: !453, inlinedAt: !468)
!471 = !DILocation(line: 188, column: 22, scope: !453, inlinedAt: !468)
!472 = !DILocation(line: 189, column: 10, scope: !453, inlinedAt: !468)
!473 = !DILocation(line: 189, column: 35, scope: !453, inlinedAt: !468)
!474 = !DILocation(line: 189, column: 33, scope: !453, inlinedAt: !468)
!475 = !DILocation(line: 189, column: 46, scope: !453, inlinedAt: !468)
!476 = !DILocation(line: 189, column: 64, scope: !453, inlinedAt: !468)
!477 = !DILocation(line: 189, column: 24, scope: !453, inlinedAt: !468)
!478 = !DILocation(line: 210, column: 44, scope: !424)
!479 = !DILocation(line: 6, column: 51, scope: !51, inlinedAt: !480)
!480 = distinct !DILocation(line: 187, column: 23, scope: !453, inlinedAt: !481)
!481 = distinct !DILocation(line: 210, column: 16, scope: !424)
!482 = !DILocation(line: 187, column: 38, scope: !453, inlinedAt: !481)
!483 = !DILocation(line: 188, column: 26, scope: !453, inlinedAt: !481)
!484 = !DILocation(line: 188, column: 22, scope: !453, inlinedAt: !481)
!485 = !DILocation(line: 189, column: 10, scope: !453, inlinedAt: !481)
!486 = !DILocation(line: 189, column: 35, scope: !453, inlinedAt: !481)
!487 = !DILocation(line: 189, column: 33, scope: !453, inlinedAt: !481)
!488 = !DILocation(line: 189, column: 46, scope: !453, inlinedAt: !481)
!489 = !DILocation(line: 189, column: 64, scope: !453, inlinedAt: !481)
!490 = !DILocation(line: 189, column: 24, scope: !453, inlinedAt: !481)
!491 = !DILocation(line: 208, column: 3, scope: !424)
!492 = !DILocation(line: 208, column: 25, scope: !424)
!493 = !DILocation(line: 211, column: 1, scope: !424)
!494 = distinct !DISubprogram(name: "overlay", scope: !1, file: !1, line: 215, type: !13, scopeLine: 217, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!495 = !{!"float4*", !"float4*", !"int", !"int", !"int", !"int", !"int", !"int", !"float"}
!496 = !{!"float __attribute__((ext_vector_type(4)))*", !"float __attribute__((ext_vector_type(4)))*", !"int", !"int", !"int", !"int", !"int", !"int", !"float"}
!497 = !DILocation(line: 217, column: 38, scope: !494)
!498 = !DILocation(line: 236, column: 1, scope: !494)
!499 = distinct !DISubprogram(name: "overlay", scope: !1, file: !1, line: 215, type: !13, scopeLine: 217, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!500 = !DILocation(line: 218, column: 17, scope: !499)
!501 = !DILocation(line: 219, column: 17, scope: !499)
!502 = !DILocation(line: 220, column: 9, scope: !499)
!503 = !DILocation(line: 220, column: 24, scope: !499)
!504 = !DILocation(line: 223, column: 25, scope: !499)
!505 = !DILocation(line: 224, column: 24, scope: !499)
!506 = !DILocation(line: 225, column: 12, scope: !499)
!507 = !DILocation(line: 225, column: 16, scope: !499)
!508 = !DILocation(line: 225, column: 24, scope: !499)
!509 = !DILocation(line: 225, column: 33, scope: !499)
!510 = !DILocation(line: 228, column: 32, scope: !499)
!511 = !DILocation(line: 228, column: 46, scope: !499)
!512 = !DILocation(line: 228, column: 24, scope: !499)
!513 = !DILocation(line: 229, column: 33, scope: !499)
!514 = !DILocation(line: 229, column: 31, scope: !499)
!515 = !DILocation(line: 230, column: 13, scope: !499)
!516 = !DILocation(line: 233, column: 24, scope: !499)
!517 = !DILocation(line: 235, column: 32, scope: !499)
!518 = !DILocation(line: 235, column: 30, scope: !499)
!519 = !DILocation(line: 236, column: 1, scope: !499)
!520 = distinct !DISubprogram(name: "chroma_key", scope: !1, file: !1, line: 239, type: !13, scopeLine: 241, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!521 = !{i32 1, i32 1, i32 1, i32 0, i32 0, i32 0, i32 0}
!522 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!523 = !{!"float4*", !"float4*", !"float4*", !"int", !"int", !"float", !"float"}
!524 = !{!"float __attribute__((ext_vector_type(4)))*", !"float __attribute__((ext_vector_type(4)))*", !"float __attribute__((ext_vector_type(4)))*", !"int", !"int", !"float", !"float"}
!525 = !{!"restrict const", !"restrict const", !"restrict", !"", !"", !"", !""}
!526 = !DILocation(line: 241, column: 72, scope: !520)
!527 = !DILocation(line: 260, column: 1, scope: !520)
!528 = distinct !DISubprogram(name: "chroma_key", scope: !1, file: !1, line: 239, type: !13, scopeLine: 241, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!529 = !DILocation(line: 242, column: 17, scope: !528)
!530 = !DILocation(line: 243, column: 17, scope: !528)
!531 = !DILocation(line: 244, column: 9, scope: !528)
!532 = !DILocation(line: 244, column: 18, scope: !528)
!533 = !DILocation(line: 247, column: 20, scope: !528)
!534 = !DILocation(line: 247, column: 28, scope: !528)
!535 = !DILocation(line: 248, column: 24, scope: !528)
!536 = !DILocation(line: 249, column: 23, scope: !528)
!537 = !DILocation(line: 249, column: 38, scope: !528)
!538 = !DILocation(line: 249, column: 47, scope: !528)
!539 = !DILocation(line: 249, column: 33, scope: !528)
!540 = !DILocation(line: 249, column: 31, scope: !528)
!541 = !DILocation(line: 250, column: 13, scope: !528)
!542 = !DILocation(line: 254, column: 13, scope: !528)
!543 = !DILocation(line: 255, column: 18, scope: !528)
!544 = !DILocation(line: 256, column: 5, scope: !528)
!545 = !DILocation(line: 258, column: 64, scope: !528)
!546 = !DILocation(line: 258, column: 55, scope: !528)
!547 = !DILocation(line: 258, column: 37, scope: !528)
!548 = !DILocation(line: 259, column: 32, scope: !528)
!549 = !DILocation(line: 259, column: 64, scope: !528)
!550 = !DILocation(line: 259, column: 56, scope: !528)
!551 = !DILocation(line: 259, column: 16, scope: !528)
!552 = !DILocation(line: 260, column: 1, scope: !528)
!553 = !DILocation(line: 0, scope: !528)
!554 = distinct !DISubprogram(name: "grade", scope: !1, file: !1, line: 268, type: !13, scopeLine: 269, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!555 = !{i32 1, i32 1, i32 0, i32 0, i32 0, i32 0, i32 0}
!556 = !{!"float4*", !"float4*", !"int", !"int", !"float", !"float", !"float"}
!557 = !{!"float __attribute__((ext_vector_type(4)))*", !"float __attribute__((ext_vector_type(4)))*", !"int", !"int", !"float", !"float", !"float"}
!558 = !{!"restrict const", !"restrict", !"", !"", !"", !"", !""}
!559 = !DILocation(line: 269, column: 92, scope: !554)
!560 = !DILocation(line: 281, column: 1, scope: !554)
!561 = distinct !DISubprogram(name: "grade", scope: !1, file: !1, line: 268, type: !13, scopeLine: 269, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!562 = !DILocation(line: 270, column: 17, scope: !561)
!563 = !DILocation(line: 271, column: 17, scope: !561)
!564 = !DILocation(line: 272, column: 9, scope: !561)
!565 = !DILocation(line: 272, column: 18, scope: !561)
!566 = !DILocation(line: 275, column: 32, scope: !561)
!567 = !DILocation(line: 275, column: 40, scope: !561)
!568 = !DILocation(line: 275, column: 24, scope: !561)
!569 = !DILocation(line: 30, column: 20, scope: !77, inlinedAt: !570)
!570 = distinct !DILocation(line: 276, column: 24, scope: !561)
!571 = !DILocation(line: 30, column: 40, scope: !77, inlinedAt: !570)
!572 = !DILocation(line: 30, column: 38, scope: !77, inlinedAt: !570)
!573 = !DILocation(line: 30, column: 28, scope: !77, inlinedAt: !570)
!574 = !DILocation(line: 30, column: 60, scope: !77, inlinedAt: !570)
!575 = !DILocation(line: 30, column: 48, scope: !77, inlinedAt: !570)
!576 = !DILocation(line: 264, column: 48, scope: !577, inlinedAt: !578)
!577 = distinct !DISubprogram(name: "graded", scope: !1, file: !1, line: 262, type: !13, scopeLine: 263, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!578 = distinct !DILocation(line: 277, column: 36, scope: !561)
!579 = !DILocation(line: 264, column: 26, scope: !577, inlinedAt: !578)
!580 = !DILocation(line: 264, column: 58, scope: !577, inlinedAt: !578)
!581 = !DILocation(line: 264, column: 77, scope: !577, inlinedAt: !578)
!582 = !DILocation(line: 264, column: 84, scope: !577, inlinedAt: !578)
!583 = !DILocation(line: 6, column: 51, scope: !51, inlinedAt: !584)
!584 = distinct !DILocation(line: 264, column: 10, scope: !577, inlinedAt: !578)
!585 = !DILocation(line: 277, column: 35, scope: !561)
!586 = !DILocation(line: 264, column: 48, scope: !577, inlinedAt: !587)
!587 = distinct !DILocation(line: 278, column: 36, scope: !561)
!588 = !DILocation(line: 264, column: 26, scope: !577, inlinedAt: !587)
!589 = !DILocation(line: 264, column: 58, scope: !577, inlinedAt: !587)
!590 = !DILocation(line: 264, column: 77, scope: !577, inlinedAt: !587)
!591 = !DILocation(line: 264, column: 84, scope: !577, inlinedAt: !587)
!592 = !DILocation(line: 6, column: 51, scope: !51, inlinedAt: !593)
!593 = distinct !DILocation(line: 264, column: 10, scope: !577, inlinedAt: !587)
!594 = !DILocation(line: 264, column: 48, scope: !577, inlinedAt: !595)
!595 = distinct !DILocation(line: 279, column: 36, scope: !561)
!596 = !DILocation(line: 264, column: 26, scope: !577, inlinedAt: !595)
!597 = !DILocation(line: 264, column: 58, scope: !577, inlinedAt: !595)
!598 = !DILocation(line: 264, column: 77, scope: !577, inlinedAt: !595)
!599 = !DILocation(line: 264, column: 84, scope: !577, inlinedAt: !595)
!600 = !DILocation(line: 6, column: 51, scope: !51, inlinedAt: !601)
!601 = distinct !DILocation(line: 264, column: 10, scope: !577, inlinedAt: !595)
!602 = !DILocation(line: 277, column: 3, scope: !561)
!603 = !DILocation(line: 277, column: 25, scope: !561)
!604 = !DILocation(line: 281, column: 1, scope: !561)
!605 = distinct !DISubprogram(name: "sharpen", scope: !1, file: !1, line: 284, type: !13, scopeLine: 286, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!606 = !DILocation(line: 286, column: 60, scope: !605)
!607 = !DILocation(line: 295, column: 1, scope: !605)
!608 = distinct !DISubprogram(name: "sharpen", scope: !1, file: !1, line: 284, type: !13, scopeLine: 286, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!609 = !DILocation(line: 287, column: 17, scope: !608)
!610 = !DILocation(line: 288, column: 17, scope: !608)
!611 = !DILocation(line: 289, column: 9, scope: !608)
!612 = !DILocation(line: 289, column: 18, scope: !608)
!613 = !DILocation(line: 292, column: 32, scope: !608)
!614 = !DILocation(line: 292, column: 40, scope: !608)
!615 = !DILocation(line: 292, column: 24, scope: !608)
!616 = !DILocation(line: 293, column: 27, scope: !608)
!617 = !DILocation(line: 293, column: 63, scope: !608)
!618 = !DILocation(line: 293, column: 23, scope: !608)
!619 = !DILocation(line: 294, column: 44, scope: !608)
!620 = !DILocation(line: 6, column: 51, scope: !51, inlinedAt: !621)
!621 = distinct !DILocation(line: 294, column: 36, scope: !608)
!622 = !DILocation(line: 294, column: 35, scope: !608)
!623 = !DILocation(line: 294, column: 61, scope: !608)
!624 = !DILocation(line: 6, column: 51, scope: !51, inlinedAt: !625)
!625 = distinct !DILocation(line: 294, column: 53, scope: !608)
!626 = !DILocation(line: 294, column: 78, scope: !608)
!627 = !DILocation(line: 6, column: 51, scope: !51, inlinedAt: !628)
!628 = distinct !DILocation(line: 294, column: 70, scope: !608)
!629 = !DILocation(line: 294, column: 3, scope: !608)
!630 = !DILocation(line: 294, column: 25, scope: !608)
!631 = !DILocation(line: 295, column: 1, scope: !608)
!632 = distinct !DISubprogram(name: "fade", scope: !1, file: !1, line: 298, type: !13, scopeLine: 299, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!633 = !{i32 1, i32 1, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0}
!634 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!635 = !{!"float4*", !"float4*", !"int", !"int", !"float", !"float", !"float", !"float"}
!636 = !{!"float __attribute__((ext_vector_type(4)))*", !"float __attribute__((ext_vector_type(4)))*", !"int", !"int", !"float", !"float", !"float", !"float"}
!637 = !{!"restrict const", !"restrict", !"", !"", !"", !"", !"", !""}
!638 = !DILocation(line: 299, column: 92, scope: !632)
!639 = !DILocation(line: 307, column: 1, scope: !632)
!640 = distinct !DISubprogram(name: "fade", scope: !1, file: !1, line: 298, type: !13, scopeLine: 299, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!641 = !DILocation(line: 300, column: 17, scope: !640)
!642 = !DILocation(line: 301, column: 17, scope: !640)
!643 = !DILocation(line: 302, column: 9, scope: !640)
!644 = !DILocation(line: 302, column: 18, scope: !640)
!645 = !DILocation(line: 305, column: 33, scope: !640)
!646 = !DILocation(line: 306, column: 39, scope: !640)
!647 = !DILocation(line: 306, column: 47, scope: !640)
!648 = !DILocation(line: 306, column: 31, scope: !640)
!649 = !DILocation(line: 306, column: 27, scope: !640)
!650 = !DILocation(line: 306, column: 3, scope: !640)
!651 = !DILocation(line: 306, column: 25, scope: !640)
!652 = !DILocation(line: 307, column: 1, scope: !640)
!653 = distinct !DISubprogram(name: "waves", scope: !1, file: !1, line: 310, type: !13, scopeLine: 311, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!654 = !{i32 1, i32 0, i32 0, i32 0, i32 0, i32 0}
!655 = !{!"float4*", !"int", !"int", !"float", !"float", !"float"}
!656 = !{!"float __attribute__((ext_vector_type(4)))*", !"int", !"int", !"float", !"float", !"float"}
!657 = !{!"restrict", !"", !"", !"", !"", !""}
!658 = !DILocation(line: 311, column: 47, scope: !653)
!659 = !DILocation(line: 321, column: 1, scope: !653)
!660 = distinct !DISubprogram(name: "waves", scope: !1, file: !1, line: 310, type: !13, scopeLine: 311, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!661 = !DILocation(line: 312, column: 17, scope: !660)
!662 = !DILocation(line: 313, column: 17, scope: !660)
!663 = !DILocation(line: 314, column: 9, scope: !660)
!664 = !DILocation(line: 314, column: 18, scope: !660)
!665 = !DILocation(line: 317, column: 58, scope: !660)
!666 = !DILocation(line: 317, column: 47, scope: !660)
!667 = !DILocation(line: 317, column: 69, scope: !660)
!668 = !DILocation(line: 317, column: 60, scope: !660)
!669 = !DILocation(line: 317, column: 37, scope: !660)
!670 = !DILocation(line: 317, column: 28, scope: !660)
!671 = !DILocation(line: 318, column: 55, scope: !660)
!672 = !DILocation(line: 318, column: 66, scope: !660)
!673 = !DILocation(line: 318, column: 38, scope: !660)
!674 = !DILocation(line: 318, column: 29, scope: !660)
!675 = !DILocation(line: 320, column: 21, scope: !660)
!676 = !DILocation(line: 320, column: 43, scope: !660)
!677 = !DILocation(line: 320, column: 72, scope: !660)
!678 = !DILocation(line: 320, column: 65, scope: !660)
!679 = !DILocation(line: 320, column: 15, scope: !660)
!680 = !DILocation(line: 319, column: 12, scope: !660)
!681 = !DILocation(line: 319, column: 20, scope: !660)
!682 = !DILocation(line: 319, column: 3, scope: !660)
!683 = !DILocation(line: 319, column: 25, scope: !660)
!684 = !DILocation(line: 321, column: 1, scope: !660)
