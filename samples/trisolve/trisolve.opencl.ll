; ModuleID = 'trisolve.cl'
source_filename = "trisolve.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @trisolve_forward(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef align 4 captures(none) %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_trisolve_forward(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, i32 noundef %3, i32 noundef %4) #4, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_trisolve_forward(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef align 4 captures(none) %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %6 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #5, !dbg !22
  %7 = trunc i64 %6 to i32, !dbg !22
  %8 = icmp sgt i32 %4, %7, !dbg !23
  %9 = icmp sgt i32 %3, 0
  %10 = and i1 %8, %9, !dbg !23
  br i1 %10, label %11, label %49, !dbg !23

11:                                               ; preds = %5
  %12 = add nuw i32 %3, 1
  br label %13, !dbg !24

13:                                               ; preds = %11, %23
  %14 = phi i32 [ 0, %11 ], [ %31, %23 ]
  %15 = mul nsw i32 %14, %4, !dbg !25
  %16 = add nsw i32 %15, %7, !dbg !26
  %17 = sext i32 %16 to i64, !dbg !27
  %18 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %17, !dbg !27
  %19 = load float, ptr addrspace(1) %18, align 4, !dbg !27, !tbaa !28
  %20 = icmp eq i32 %14, 0, !dbg !30
  br i1 %20, label %23, label %21, !dbg !31

21:                                               ; preds = %13
  %22 = mul nuw nsw i32 %14, %3
  br label %33, !dbg !31

23:                                               ; preds = %33, %13
  %24 = phi float [ %19, %13 ], [ %46, %33 ], !dbg !32
  %25 = mul i32 %14, %12, !dbg !33
  %26 = sext i32 %25 to i64, !dbg !34
  %27 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %26, !dbg !34
  %28 = load float, ptr addrspace(1) %27, align 4, !dbg !34, !tbaa !28
  %29 = fdiv float %24, %28, !dbg !35, !fpmath !36
  %30 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %17, !dbg !37
  store float %29, ptr addrspace(1) %30, align 4, !dbg !38, !tbaa !28
  %31 = add nuw nsw i32 %14, 1, !dbg !39
  %32 = icmp eq i32 %31, %3, !dbg !40
  br i1 %32, label %49, label %13, !dbg !24, !llvm.loop !41

33:                                               ; preds = %21, %33
  %34 = phi i32 [ 0, %21 ], [ %47, %33 ]
  %35 = phi float [ %19, %21 ], [ %46, %33 ]
  %36 = add nuw nsw i32 %34, %22, !dbg !44
  %37 = zext nneg i32 %36 to i64, !dbg !45
  %38 = getelementptr inbounds nuw float, ptr addrspace(1) %0, i64 %37, !dbg !45
  %39 = load float, ptr addrspace(1) %38, align 4, !dbg !45, !tbaa !28
  %40 = mul nsw i32 %34, %4, !dbg !46
  %41 = add nsw i32 %40, %7, !dbg !47
  %42 = sext i32 %41 to i64, !dbg !48
  %43 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %42, !dbg !48
  %44 = load float, ptr addrspace(1) %43, align 4, !dbg !48, !tbaa !28
  %45 = fneg float %39, !dbg !49
  %46 = tail call float @llvm.fmuladd.f32(float %45, float %44, float %35), !dbg !49
  %47 = add nuw nsw i32 %34, 1, !dbg !50
  %48 = icmp eq i32 %47, %14, !dbg !30
  br i1 %48, label %23, label %33, !dbg !31, !llvm.loop !51

49:                                               ; preds = %23, %5
  ret void, !dbg !53
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @trisolve_backward(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef align 4 captures(none) %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #0 !dbg !54 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_trisolve_backward(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, i32 noundef %3, i32 noundef %4) #4, !dbg !55
  ret void, !dbg !56
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_trisolve_backward(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef align 4 captures(none) %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #1 !dbg !57 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %6 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #5, !dbg !58
  %7 = trunc i64 %6 to i32, !dbg !58
  %8 = icmp sgt i32 %4, %7, !dbg !59
  %9 = icmp sgt i32 %3, 0
  %10 = and i1 %8, %9, !dbg !59
  br i1 %10, label %11, label %49, !dbg !59

11:                                               ; preds = %5
  %12 = add nuw i32 %3, 1
  br label %13, !dbg !60

13:                                               ; preds = %11, %24
  %14 = phi i32 [ %3, %11 ], [ %15, %24 ]
  %15 = add nsw i32 %14, -1, !dbg !61
  %16 = mul nsw i32 %15, %4, !dbg !62
  %17 = add nsw i32 %16, %7, !dbg !63
  %18 = sext i32 %17 to i64, !dbg !64
  %19 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %18, !dbg !64
  %20 = load float, ptr addrspace(1) %19, align 4, !dbg !64, !tbaa !28
  %21 = icmp slt i32 %14, %3, !dbg !65
  br i1 %21, label %22, label %24, !dbg !66

22:                                               ; preds = %13
  %23 = mul nsw i32 %15, %3
  br label %33, !dbg !66

24:                                               ; preds = %33, %13
  %25 = phi float [ %20, %13 ], [ %46, %33 ], !dbg !67
  %26 = mul i32 %15, %12, !dbg !68
  %27 = sext i32 %26 to i64, !dbg !69
  %28 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %27, !dbg !69
  %29 = load float, ptr addrspace(1) %28, align 4, !dbg !69, !tbaa !28
  %30 = fdiv float %25, %29, !dbg !70, !fpmath !36
  %31 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %18, !dbg !71
  store float %30, ptr addrspace(1) %31, align 4, !dbg !72, !tbaa !28
  %32 = icmp samesign ugt i32 %14, 1, !dbg !73
  br i1 %32, label %13, label %49, !dbg !60, !llvm.loop !74

33:                                               ; preds = %22, %33
  %34 = phi i32 [ %14, %22 ], [ %47, %33 ]
  %35 = phi float [ %20, %22 ], [ %46, %33 ]
  %36 = add nuw nsw i32 %34, %23, !dbg !76
  %37 = zext nneg i32 %36 to i64, !dbg !77
  %38 = getelementptr inbounds nuw float, ptr addrspace(1) %0, i64 %37, !dbg !77
  %39 = load float, ptr addrspace(1) %38, align 4, !dbg !77, !tbaa !28
  %40 = mul nsw i32 %34, %4, !dbg !78
  %41 = add nsw i32 %40, %7, !dbg !79
  %42 = sext i32 %41 to i64, !dbg !80
  %43 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %42, !dbg !80
  %44 = load float, ptr addrspace(1) %43, align 4, !dbg !80, !tbaa !28
  %45 = fneg float %39, !dbg !81
  %46 = tail call float @llvm.fmuladd.f32(float %45, float %44, float %35), !dbg !81
  %47 = add nuw nsw i32 %34, 1, !dbg !82
  %48 = icmp eq i32 %47, %3, !dbg !65
  br i1 %48, label %24, label %33, !dbg !66, !llvm.loop !83

49:                                               ; preds = %24, %5
  ret void, !dbg !85
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @trisolve_pairs(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef align 4 captures(none) %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #0 !dbg !86 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_trisolve_pairs(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, i32 noundef %3, i32 noundef %4) #4, !dbg !87
  ret void, !dbg !88
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_trisolve_pairs(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef align 4 captures(none) %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #1 !dbg !89 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %6 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #5, !dbg !90
  %7 = trunc i64 %6 to i32, !dbg !90
  %8 = icmp sgt i32 %4, %7, !dbg !91
  %9 = icmp sgt i32 %3, 0
  %10 = and i1 %8, %9, !dbg !91
  br i1 %10, label %11, label %79, !dbg !91

11:                                               ; preds = %5
  %12 = add nuw i32 %3, 1
  br label %13, !dbg !92

13:                                               ; preds = %11, %70
  %14 = phi i32 [ 0, %11 ], [ %77, %70 ]
  %15 = mul nsw i32 %14, %4, !dbg !93
  %16 = add nsw i32 %15, %7, !dbg !94
  %17 = sext i32 %16 to i64, !dbg !95
  %18 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %17, !dbg !95
  %19 = load float, ptr addrspace(1) %18, align 4, !dbg !95, !tbaa !28
  %20 = icmp samesign ugt i32 %14, 1, !dbg !96
  br i1 %20, label %21, label %23, !dbg !97

21:                                               ; preds = %13
  %22 = mul nuw nsw i32 %14, %3
  br label %30, !dbg !97

23:                                               ; preds = %30, %13
  %24 = phi float [ %19, %13 ], [ %45, %30 ], !dbg !98
  %25 = phi float [ 0.000000e+00, %13 ], [ %54, %30 ], !dbg !98
  %26 = and i32 %14, 1, !dbg !99
  %27 = icmp eq i32 %26, 0, !dbg !100
  %28 = mul i32 %14, %12, !dbg !98
  %29 = sext i32 %28 to i64, !dbg !98
  br i1 %27, label %70, label %58, !dbg !100

30:                                               ; preds = %21, %30
  %31 = phi i32 [ 0, %21 ], [ %55, %30 ]
  %32 = phi float [ 0.000000e+00, %21 ], [ %54, %30 ]
  %33 = phi float [ %19, %21 ], [ %45, %30 ]
  %34 = or disjoint i32 %31, 1, !dbg !101
  %35 = add nuw nsw i32 %31, %22, !dbg !101
  %36 = zext nneg i32 %35 to i64, !dbg !102
  %37 = getelementptr inbounds nuw float, ptr addrspace(1) %0, i64 %36, !dbg !102
  %38 = load float, ptr addrspace(1) %37, align 4, !dbg !102, !tbaa !28
  %39 = mul nsw i32 %31, %4, !dbg !103
  %40 = add nsw i32 %39, %7, !dbg !104
  %41 = sext i32 %40 to i64, !dbg !105
  %42 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %41, !dbg !105
  %43 = load float, ptr addrspace(1) %42, align 4, !dbg !105, !tbaa !28
  %44 = fneg float %38, !dbg !106
  %45 = tail call float @llvm.fmuladd.f32(float %44, float %43, float %33), !dbg !106
  %46 = getelementptr i8, ptr addrspace(1) %37, i64 4, !dbg !107
  %47 = load float, ptr addrspace(1) %46, align 4, !dbg !107, !tbaa !28
  %48 = mul nsw i32 %34, %4, !dbg !108
  %49 = add nsw i32 %48, %7, !dbg !109
  %50 = sext i32 %49 to i64, !dbg !110
  %51 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %50, !dbg !110
  %52 = load float, ptr addrspace(1) %51, align 4, !dbg !110, !tbaa !28
  %53 = fneg float %47, !dbg !111
  %54 = tail call float @llvm.fmuladd.f32(float %53, float %52, float %32), !dbg !111
  %55 = add nuw nsw i32 %31, 2, !dbg !112
  %56 = or disjoint i32 %55, 1, !dbg !113
  %57 = icmp samesign ult i32 %56, %14, !dbg !96
  br i1 %57, label %30, label %23, !dbg !97, !llvm.loop !114

58:                                               ; preds = %23
  %59 = getelementptr float, ptr addrspace(1) %0, i64 %29, !dbg !116
  %60 = getelementptr i8, ptr addrspace(1) %59, i64 -4, !dbg !116
  %61 = load float, ptr addrspace(1) %60, align 4, !dbg !116, !tbaa !28
  %62 = add nsw i32 %14, -1, !dbg !117
  %63 = mul nsw i32 %62, %4, !dbg !118
  %64 = add nsw i32 %63, %7, !dbg !119
  %65 = sext i32 %64 to i64, !dbg !120
  %66 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %65, !dbg !120
  %67 = load float, ptr addrspace(1) %66, align 4, !dbg !120, !tbaa !28
  %68 = fneg float %61, !dbg !121
  %69 = tail call float @llvm.fmuladd.f32(float %68, float %67, float %24), !dbg !121
  br label %70, !dbg !122

70:                                               ; preds = %23, %58
  %71 = phi float [ %69, %58 ], [ %24, %23 ], !dbg !98
  %72 = fadd float %25, %71, !dbg !123
  %73 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %29, !dbg !124
  %74 = load float, ptr addrspace(1) %73, align 4, !dbg !124, !tbaa !28
  %75 = fdiv float %72, %74, !dbg !125, !fpmath !36
  %76 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %17, !dbg !126
  store float %75, ptr addrspace(1) %76, align 4, !dbg !127, !tbaa !28
  %77 = add nuw nsw i32 %14, 1, !dbg !128
  %78 = icmp eq i32 %77, %3, !dbg !129
  br i1 %78, label %79, label %13, !dbg !92, !llvm.loop !130

79:                                               ; preds = %70, %5
  ret void, !dbg !132
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @trisolve_factor(ptr addrspace(1) noalias noundef align 4 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #0 !dbg !133 !kernel_arg_addr_space !134 !kernel_arg_access_qual !135 !kernel_arg_type !136 !kernel_arg_base_type !136 !kernel_arg_type_qual !137 {
  tail call void @__clang_ocl_kern_imp_trisolve_factor(ptr addrspace(1) noundef align 4 %0, i32 noundef %1, i32 noundef %2) #4, !dbg !138
  ret void, !dbg !139
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_trisolve_factor(ptr addrspace(1) noalias noundef align 4 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #1 !dbg !140 !kernel_arg_addr_space !134 !kernel_arg_access_qual !135 !kernel_arg_type !136 !kernel_arg_base_type !136 !kernel_arg_type_qual !137 {
  %4 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #5, !dbg !141
  %5 = trunc i64 %4 to i32, !dbg !141
  %6 = icmp sgt i32 %2, %5, !dbg !142
  %7 = icmp sgt i32 %1, 0
  %8 = and i1 %6, %7, !dbg !142
  br i1 %8, label %9, label %79, !dbg !142

9:                                                ; preds = %3
  %10 = add nuw i32 %1, 1
  %11 = mul i32 %2, %10
  br label %12, !dbg !143

12:                                               ; preds = %9, %56
  %13 = phi i32 [ 0, %9 ], [ %58, %56 ]
  %14 = mul nuw nsw i32 %13, %1, !dbg !144
  %15 = add nuw nsw i32 %14, %13, !dbg !145
  %16 = mul nsw i32 %15, %2, !dbg !146
  %17 = add nsw i32 %16, %5, !dbg !147
  %18 = sext i32 %17 to i64, !dbg !148
  %19 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %18, !dbg !148
  %20 = load float, ptr addrspace(1) %19, align 4, !dbg !148, !tbaa !28
  %21 = icmp eq i32 %13, 0, !dbg !149
  br i1 %21, label %56, label %22, !dbg !150

22:                                               ; preds = %12, %33
  %23 = phi i32 [ %35, %33 ], [ 0, %12 ]
  %24 = add nuw nsw i32 %23, %14, !dbg !151
  %25 = mul nsw i32 %24, %2, !dbg !152
  %26 = add nsw i32 %25, %5, !dbg !153
  %27 = sext i32 %26 to i64, !dbg !154
  %28 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %27, !dbg !154
  %29 = load float, ptr addrspace(1) %28, align 4, !dbg !154, !tbaa !28
  %30 = icmp eq i32 %23, 0, !dbg !155
  br i1 %30, label %33, label %31, !dbg !156

31:                                               ; preds = %22
  %32 = mul nuw nsw i32 %23, %1
  br label %37, !dbg !156

33:                                               ; preds = %37, %22
  %34 = phi float [ %29, %22 ], [ %53, %37 ], !dbg !157
  store float %34, ptr addrspace(1) %28, align 4, !dbg !158, !tbaa !28
  %35 = add nuw nsw i32 %23, 1, !dbg !159
  %36 = icmp eq i32 %35, %13, !dbg !149
  br i1 %36, label %60, label %22, !dbg !150, !llvm.loop !160

37:                                               ; preds = %31, %37
  %38 = phi i32 [ 0, %31 ], [ %54, %37 ]
  %39 = phi float [ %29, %31 ], [ %53, %37 ]
  %40 = add nuw nsw i32 %38, %14, !dbg !162
  %41 = mul nsw i32 %40, %2, !dbg !163
  %42 = add nsw i32 %41, %5, !dbg !164
  %43 = sext i32 %42 to i64, !dbg !165
  %44 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %43, !dbg !165
  %45 = load float, ptr addrspace(1) %44, align 4, !dbg !165, !tbaa !28
  %46 = add nuw nsw i32 %38, %32, !dbg !166
  %47 = mul nsw i32 %46, %2, !dbg !167
  %48 = add nsw i32 %47, %5, !dbg !168
  %49 = sext i32 %48 to i64, !dbg !169
  %50 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %49, !dbg !169
  %51 = load float, ptr addrspace(1) %50, align 4, !dbg !169, !tbaa !28
  %52 = fneg float %45, !dbg !170
  %53 = tail call float @llvm.fmuladd.f32(float %52, float %51, float %39), !dbg !170
  %54 = add nuw nsw i32 %38, 1, !dbg !171
  %55 = icmp eq i32 %54, %23, !dbg !155
  br i1 %55, label %33, label %37, !dbg !156, !llvm.loop !172

56:                                               ; preds = %60, %12
  %57 = phi float [ %20, %12 ], [ %76, %60 ], !dbg !157
  store float %57, ptr addrspace(1) %19, align 4, !dbg !174, !tbaa !28
  %58 = add nuw nsw i32 %13, 1, !dbg !175
  %59 = icmp eq i32 %58, %1, !dbg !176
  br i1 %59, label %79, label %12, !dbg !143, !llvm.loop !177

60:                                               ; preds = %33, %60
  %61 = phi i32 [ %77, %60 ], [ 0, %33 ]
  %62 = phi float [ %76, %60 ], [ %20, %33 ]
  %63 = add nuw nsw i32 %61, %14, !dbg !179
  %64 = mul nsw i32 %63, %2, !dbg !180
  %65 = add nsw i32 %64, %5, !dbg !181
  %66 = sext i32 %65 to i64, !dbg !182
  %67 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %66, !dbg !182
  %68 = load float, ptr addrspace(1) %67, align 4, !dbg !182, !tbaa !28
  %69 = mul i32 %11, %61, !dbg !183
  %70 = add nsw i32 %69, %5, !dbg !184
  %71 = sext i32 %70 to i64, !dbg !185
  %72 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %71, !dbg !185
  %73 = load float, ptr addrspace(1) %72, align 4, !dbg !185, !tbaa !28
  %74 = fdiv float %68, %73, !dbg !186, !fpmath !36
  %75 = fneg float %68, !dbg !187
  %76 = tail call float @llvm.fmuladd.f32(float %75, float %74, float %62), !dbg !187
  store float %74, ptr addrspace(1) %67, align 4, !dbg !188, !tbaa !28
  %77 = add nuw nsw i32 %61, 1, !dbg !189
  %78 = icmp eq i32 %77, %13, !dbg !190
  br i1 %78, label %56, label %60, !dbg !191, !llvm.loop !192

79:                                               ; preds = %56, %3
  ret void, !dbg !194
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @trisolve_inverse(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef align 4 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 !dbg !195 !kernel_arg_addr_space !196 !kernel_arg_access_qual !197 !kernel_arg_type !198 !kernel_arg_base_type !198 !kernel_arg_type_qual !199 {
  tail call void @__clang_ocl_kern_imp_trisolve_inverse(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2, i32 noundef %3) #4, !dbg !200
  ret void, !dbg !201
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_trisolve_inverse(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef align 4 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #1 !dbg !202 !kernel_arg_addr_space !196 !kernel_arg_access_qual !197 !kernel_arg_type !198 !kernel_arg_base_type !198 !kernel_arg_type_qual !199 {
  %5 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #5, !dbg !203
  %6 = trunc i64 %5 to i32, !dbg !203
  %7 = icmp sgt i32 %3, %6, !dbg !204
  %8 = icmp sgt i32 %2, 0
  %9 = and i1 %7, %8, !dbg !204
  br i1 %9, label %10, label %56, !dbg !204

10:                                               ; preds = %4, %23
  %11 = phi i32 [ %25, %23 ], [ 0, %4 ]
  %12 = mul nuw nsw i32 %11, %2, !dbg !205
  %13 = add nuw nsw i32 %12, %11, !dbg !206
  %14 = mul nsw i32 %13, %3, !dbg !207
  %15 = add nsw i32 %14, %6, !dbg !208
  %16 = sext i32 %15 to i64, !dbg !209
  %17 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %16, !dbg !209
  %18 = load float, ptr addrspace(1) %17, align 4, !dbg !209, !tbaa !28
  %19 = fdiv float 1.000000e+00, %18, !dbg !210, !fpmath !36
  %20 = icmp eq i32 %11, 0, !dbg !211
  br i1 %20, label %23, label %21, !dbg !212

21:                                               ; preds = %10, %27
  %22 = phi i32 [ %34, %27 ], [ 0, %10 ]
  br label %36, !dbg !213

23:                                               ; preds = %27, %10
  %24 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %16, !dbg !214
  store float %19, ptr addrspace(1) %24, align 4, !dbg !215, !tbaa !28
  %25 = add nuw nsw i32 %11, 1, !dbg !216
  %26 = icmp eq i32 %25, %2, !dbg !217
  br i1 %26, label %56, label %10, !dbg !218, !llvm.loop !219

27:                                               ; preds = %36
  %28 = fmul float %19, %53, !dbg !221
  %29 = add nuw nsw i32 %22, %12, !dbg !222
  %30 = mul nsw i32 %29, %3, !dbg !223
  %31 = add nsw i32 %30, %6, !dbg !224
  %32 = sext i32 %31 to i64, !dbg !225
  %33 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %32, !dbg !225
  store float %28, ptr addrspace(1) %33, align 4, !dbg !226, !tbaa !28
  %34 = add nuw nsw i32 %22, 1, !dbg !227
  %35 = icmp eq i32 %34, %11, !dbg !211
  br i1 %35, label %23, label %21, !dbg !212, !llvm.loop !228

36:                                               ; preds = %21, %36
  %37 = phi i32 [ %22, %21 ], [ %54, %36 ]
  %38 = phi float [ 0.000000e+00, %21 ], [ %53, %36 ]
  %39 = add nuw nsw i32 %37, %12, !dbg !230
  %40 = mul nsw i32 %39, %3, !dbg !231
  %41 = add nsw i32 %40, %6, !dbg !232
  %42 = sext i32 %41 to i64, !dbg !233
  %43 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %42, !dbg !233
  %44 = load float, ptr addrspace(1) %43, align 4, !dbg !233, !tbaa !28
  %45 = mul nuw nsw i32 %37, %2, !dbg !234
  %46 = add nuw nsw i32 %45, %22, !dbg !235
  %47 = mul nsw i32 %46, %3, !dbg !236
  %48 = add nsw i32 %47, %6, !dbg !237
  %49 = sext i32 %48 to i64, !dbg !238
  %50 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %49, !dbg !238
  %51 = load float, ptr addrspace(1) %50, align 4, !dbg !238, !tbaa !28
  %52 = fneg float %44, !dbg !239
  %53 = tail call float @llvm.fmuladd.f32(float %52, float %51, float %38), !dbg !239
  %54 = add nuw nsw i32 %37, 1, !dbg !240
  %55 = icmp eq i32 %54, %11, !dbg !241
  br i1 %55, label %27, label %36, !dbg !213, !llvm.loop !242

56:                                               ; preds = %23, %4
  ret void, !dbg !244
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #3

attributes #0 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
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
!1 = !DIFile(filename: "trisolve.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "trisolve_forward", scope: !1, file: !1, line: 6, type: !13, scopeLine: 7, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 1, i32 0, i32 0}
!16 = !{!"none", !"none", !"none", !"none", !"none"}
!17 = !{!"float*", !"float*", !"float*", !"int", !"int"}
!18 = !{!"restrict const", !"restrict const", !"restrict", !"", !""}
!19 = !DILocation(line: 7, column: 78, scope: !12)
!20 = !DILocation(line: 18, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "trisolve_forward", scope: !1, file: !1, line: 6, type: !13, scopeLine: 7, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 8, column: 17, scope: !21)
!23 = !DILocation(line: 9, column: 9, scope: !21)
!24 = !DILocation(line: 10, column: 5, scope: !21)
!25 = !DILocation(line: 11, column: 23, scope: !21)
!26 = !DILocation(line: 11, column: 31, scope: !21)
!27 = !DILocation(line: 11, column: 19, scope: !21)
!28 = !{!29, !29, i64 0}
!29 = !{!"float", !10, i64 0}
!30 = !DILocation(line: 12, column: 25, scope: !21)
!31 = !DILocation(line: 12, column: 7, scope: !21)
!32 = !DILocation(line: 0, scope: !21)
!33 = !DILocation(line: 15, column: 40, scope: !21)
!34 = !DILocation(line: 15, column: 32, scope: !21)
!35 = !DILocation(line: 15, column: 30, scope: !21)
!36 = !{float 2.500000e+00}
!37 = !DILocation(line: 15, column: 7, scope: !21)
!38 = !DILocation(line: 15, column: 24, scope: !21)
!39 = !DILocation(line: 10, column: 28, scope: !21)
!40 = !DILocation(line: 10, column: 23, scope: !21)
!41 = distinct !{!41, !24, !42, !43}
!42 = !DILocation(line: 16, column: 5, scope: !21)
!43 = !{!"llvm.loop.unroll.disable"}
!44 = !DILocation(line: 13, column: 24, scope: !21)
!45 = !DILocation(line: 13, column: 16, scope: !21)
!46 = !DILocation(line: 13, column: 35, scope: !21)
!47 = !DILocation(line: 13, column: 43, scope: !21)
!48 = !DILocation(line: 13, column: 31, scope: !21)
!49 = !DILocation(line: 13, column: 13, scope: !21)
!50 = !DILocation(line: 12, column: 30, scope: !21)
!51 = distinct !{!51, !31, !52, !43}
!52 = !DILocation(line: 14, column: 7, scope: !21)
!53 = !DILocation(line: 18, column: 1, scope: !21)
!54 = distinct !DISubprogram(name: "trisolve_backward", scope: !1, file: !1, line: 21, type: !13, scopeLine: 22, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!55 = !DILocation(line: 22, column: 79, scope: !54)
!56 = !DILocation(line: 33, column: 1, scope: !54)
!57 = distinct !DISubprogram(name: "trisolve_backward", scope: !1, file: !1, line: 21, type: !13, scopeLine: 22, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!58 = !DILocation(line: 23, column: 17, scope: !57)
!59 = !DILocation(line: 24, column: 9, scope: !57)
!60 = !DILocation(line: 25, column: 5, scope: !57)
!61 = !DILocation(line: 25, scope: !57)
!62 = !DILocation(line: 26, column: 23, scope: !57)
!63 = !DILocation(line: 26, column: 31, scope: !57)
!64 = !DILocation(line: 26, column: 19, scope: !57)
!65 = !DILocation(line: 27, column: 29, scope: !57)
!66 = !DILocation(line: 27, column: 7, scope: !57)
!67 = !DILocation(line: 0, scope: !57)
!68 = !DILocation(line: 30, column: 40, scope: !57)
!69 = !DILocation(line: 30, column: 32, scope: !57)
!70 = !DILocation(line: 30, column: 30, scope: !57)
!71 = !DILocation(line: 30, column: 7, scope: !57)
!72 = !DILocation(line: 30, column: 24, scope: !57)
!73 = !DILocation(line: 25, column: 27, scope: !57)
!74 = distinct !{!74, !60, !75, !43}
!75 = !DILocation(line: 31, column: 5, scope: !57)
!76 = !DILocation(line: 28, column: 24, scope: !57)
!77 = !DILocation(line: 28, column: 16, scope: !57)
!78 = !DILocation(line: 28, column: 35, scope: !57)
!79 = !DILocation(line: 28, column: 43, scope: !57)
!80 = !DILocation(line: 28, column: 31, scope: !57)
!81 = !DILocation(line: 28, column: 13, scope: !57)
!82 = !DILocation(line: 27, column: 34, scope: !57)
!83 = distinct !{!83, !66, !84, !43}
!84 = !DILocation(line: 29, column: 7, scope: !57)
!85 = !DILocation(line: 33, column: 1, scope: !57)
!86 = distinct !DISubprogram(name: "trisolve_pairs", scope: !1, file: !1, line: 36, type: !13, scopeLine: 37, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!87 = !DILocation(line: 37, column: 76, scope: !86)
!88 = !DILocation(line: 53, column: 1, scope: !86)
!89 = distinct !DISubprogram(name: "trisolve_pairs", scope: !1, file: !1, line: 36, type: !13, scopeLine: 37, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!90 = !DILocation(line: 38, column: 17, scope: !89)
!91 = !DILocation(line: 39, column: 9, scope: !89)
!92 = !DILocation(line: 40, column: 5, scope: !89)
!93 = !DILocation(line: 41, column: 24, scope: !89)
!94 = !DILocation(line: 41, column: 32, scope: !89)
!95 = !DILocation(line: 41, column: 20, scope: !89)
!96 = !DILocation(line: 43, column: 29, scope: !89)
!97 = !DILocation(line: 43, column: 7, scope: !89)
!98 = !DILocation(line: 0, scope: !89)
!99 = !DILocation(line: 47, column: 13, scope: !89)
!100 = !DILocation(line: 47, column: 17, scope: !89)
!101 = !DILocation(line: 44, column: 25, scope: !89)
!102 = !DILocation(line: 44, column: 17, scope: !89)
!103 = !DILocation(line: 44, column: 36, scope: !89)
!104 = !DILocation(line: 44, column: 44, scope: !89)
!105 = !DILocation(line: 44, column: 32, scope: !89)
!106 = !DILocation(line: 44, column: 14, scope: !89)
!107 = !DILocation(line: 45, column: 16, scope: !89)
!108 = !DILocation(line: 45, column: 45, scope: !89)
!109 = !DILocation(line: 45, column: 53, scope: !89)
!110 = !DILocation(line: 45, column: 35, scope: !89)
!111 = !DILocation(line: 45, column: 13, scope: !89)
!112 = !DILocation(line: 43, column: 36, scope: !89)
!113 = !DILocation(line: 43, column: 25, scope: !89)
!114 = distinct !{!114, !97, !115, !43}
!115 = !DILocation(line: 46, column: 7, scope: !89)
!116 = !DILocation(line: 48, column: 17, scope: !89)
!117 = !DILocation(line: 48, column: 41, scope: !89)
!118 = !DILocation(line: 48, column: 46, scope: !89)
!119 = !DILocation(line: 48, column: 54, scope: !89)
!120 = !DILocation(line: 48, column: 36, scope: !89)
!121 = !DILocation(line: 48, column: 14, scope: !89)
!122 = !DILocation(line: 49, column: 7, scope: !89)
!123 = !DILocation(line: 50, column: 32, scope: !89)
!124 = !DILocation(line: 50, column: 41, scope: !89)
!125 = !DILocation(line: 50, column: 39, scope: !89)
!126 = !DILocation(line: 50, column: 7, scope: !89)
!127 = !DILocation(line: 50, column: 24, scope: !89)
!128 = !DILocation(line: 40, column: 28, scope: !89)
!129 = !DILocation(line: 40, column: 23, scope: !89)
!130 = distinct !{!130, !92, !131, !43}
!131 = !DILocation(line: 51, column: 5, scope: !89)
!132 = !DILocation(line: 53, column: 1, scope: !89)
!133 = distinct !DISubprogram(name: "trisolve_factor", scope: !1, file: !1, line: 56, type: !13, scopeLine: 56, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!134 = !{i32 1, i32 0, i32 0}
!135 = !{!"none", !"none", !"none"}
!136 = !{!"float*", !"int", !"int"}
!137 = !{!"restrict", !"", !""}
!138 = !DILocation(line: 56, column: 77, scope: !133)
!139 = !DILocation(line: 77, column: 1, scope: !133)
!140 = distinct !DISubprogram(name: "trisolve_factor", scope: !1, file: !1, line: 56, type: !13, scopeLine: 56, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!141 = !DILocation(line: 57, column: 17, scope: !140)
!142 = !DILocation(line: 58, column: 9, scope: !140)
!143 = !DILocation(line: 59, column: 5, scope: !140)
!144 = !DILocation(line: 60, column: 26, scope: !140)
!145 = !DILocation(line: 60, column: 30, scope: !140)
!146 = !DILocation(line: 60, column: 35, scope: !140)
!147 = !DILocation(line: 60, column: 43, scope: !140)
!148 = !DILocation(line: 60, column: 21, scope: !140)
!149 = !DILocation(line: 61, column: 25, scope: !140)
!150 = !DILocation(line: 61, column: 7, scope: !140)
!151 = !DILocation(line: 62, column: 30, scope: !140)
!152 = !DILocation(line: 62, column: 35, scope: !140)
!153 = !DILocation(line: 62, column: 43, scope: !140)
!154 = !DILocation(line: 62, column: 21, scope: !140)
!155 = !DILocation(line: 63, column: 27, scope: !140)
!156 = !DILocation(line: 63, column: 9, scope: !140)
!157 = !DILocation(line: 0, scope: !140)
!158 = !DILocation(line: 66, column: 36, scope: !140)
!159 = !DILocation(line: 61, column: 30, scope: !140)
!160 = distinct !{!160, !150, !161, !43}
!161 = !DILocation(line: 67, column: 7, scope: !140)
!162 = !DILocation(line: 64, column: 27, scope: !140)
!163 = !DILocation(line: 64, column: 32, scope: !140)
!164 = !DILocation(line: 64, column: 40, scope: !140)
!165 = !DILocation(line: 64, column: 18, scope: !140)
!166 = !DILocation(line: 64, column: 56, scope: !140)
!167 = !DILocation(line: 64, column: 61, scope: !140)
!168 = !DILocation(line: 64, column: 69, scope: !140)
!169 = !DILocation(line: 64, column: 47, scope: !140)
!170 = !DILocation(line: 64, column: 15, scope: !140)
!171 = !DILocation(line: 63, column: 32, scope: !140)
!172 = distinct !{!172, !156, !173, !43}
!173 = !DILocation(line: 65, column: 9, scope: !140)
!174 = !DILocation(line: 74, column: 34, scope: !140)
!175 = !DILocation(line: 59, column: 28, scope: !140)
!176 = !DILocation(line: 59, column: 23, scope: !140)
!177 = distinct !{!177, !143, !178, !43}
!178 = !DILocation(line: 75, column: 5, scope: !140)
!179 = !DILocation(line: 69, column: 39, scope: !140)
!180 = !DILocation(line: 69, column: 44, scope: !140)
!181 = !DILocation(line: 69, column: 52, scope: !140)
!182 = !DILocation(line: 69, column: 30, scope: !140)
!183 = !DILocation(line: 70, column: 53, scope: !140)
!184 = !DILocation(line: 70, column: 61, scope: !140)
!185 = !DILocation(line: 70, column: 39, scope: !140)
!186 = !DILocation(line: 70, column: 37, scope: !140)
!187 = !DILocation(line: 71, column: 15, scope: !140)
!188 = !DILocation(line: 72, column: 36, scope: !140)
!189 = !DILocation(line: 68, column: 30, scope: !140)
!190 = !DILocation(line: 68, column: 25, scope: !140)
!191 = !DILocation(line: 68, column: 7, scope: !140)
!192 = distinct !{!192, !191, !193, !43}
!193 = !DILocation(line: 73, column: 7, scope: !140)
!194 = !DILocation(line: 77, column: 1, scope: !140)
!195 = distinct !DISubprogram(name: "trisolve_inverse", scope: !1, file: !1, line: 80, type: !13, scopeLine: 81, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!196 = !{i32 1, i32 1, i32 0, i32 0}
!197 = !{!"none", !"none", !"none", !"none"}
!198 = !{!"float*", !"float*", !"int", !"int"}
!199 = !{!"restrict const", !"restrict", !"", !""}
!200 = !DILocation(line: 81, column: 43, scope: !195)
!201 = !DILocation(line: 96, column: 1, scope: !195)
!202 = distinct !DISubprogram(name: "trisolve_inverse", scope: !1, file: !1, line: 80, type: !13, scopeLine: 81, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!203 = !DILocation(line: 82, column: 17, scope: !202)
!204 = !DILocation(line: 83, column: 9, scope: !202)
!205 = !DILocation(line: 85, column: 39, scope: !202)
!206 = !DILocation(line: 85, column: 43, scope: !202)
!207 = !DILocation(line: 85, column: 48, scope: !202)
!208 = !DILocation(line: 85, column: 56, scope: !202)
!209 = !DILocation(line: 85, column: 34, scope: !202)
!210 = !DILocation(line: 85, column: 32, scope: !202)
!211 = !DILocation(line: 86, column: 25, scope: !202)
!212 = !DILocation(line: 86, column: 7, scope: !202)
!213 = !DILocation(line: 88, column: 9, scope: !202)
!214 = !DILocation(line: 93, column: 7, scope: !202)
!215 = !DILocation(line: 93, column: 34, scope: !202)
!216 = !DILocation(line: 84, column: 28, scope: !202)
!217 = !DILocation(line: 84, column: 23, scope: !202)
!218 = !DILocation(line: 84, column: 5, scope: !202)
!219 = distinct !{!219, !218, !220, !43}
!220 = !DILocation(line: 94, column: 5, scope: !202)
!221 = !DILocation(line: 91, column: 42, scope: !202)
!222 = !DILocation(line: 91, column: 18, scope: !202)
!223 = !DILocation(line: 91, column: 23, scope: !202)
!224 = !DILocation(line: 91, column: 31, scope: !202)
!225 = !DILocation(line: 91, column: 9, scope: !202)
!226 = !DILocation(line: 91, column: 36, scope: !202)
!227 = !DILocation(line: 86, column: 30, scope: !202)
!228 = distinct !{!228, !212, !229, !43}
!229 = !DILocation(line: 92, column: 7, scope: !202)
!230 = !DILocation(line: 89, column: 27, scope: !202)
!231 = !DILocation(line: 89, column: 32, scope: !202)
!232 = !DILocation(line: 89, column: 40, scope: !202)
!233 = !DILocation(line: 89, column: 18, scope: !202)
!234 = !DILocation(line: 89, column: 52, scope: !202)
!235 = !DILocation(line: 89, column: 56, scope: !202)
!236 = !DILocation(line: 89, column: 61, scope: !202)
!237 = !DILocation(line: 89, column: 69, scope: !202)
!238 = !DILocation(line: 89, column: 47, scope: !202)
!239 = !DILocation(line: 89, column: 15, scope: !202)
!240 = !DILocation(line: 88, column: 32, scope: !202)
!241 = !DILocation(line: 88, column: 27, scope: !202)
!242 = distinct !{!242, !213, !243, !43}
!243 = !DILocation(line: 90, column: 9, scope: !202)
!244 = !DILocation(line: 96, column: 1, scope: !202)
