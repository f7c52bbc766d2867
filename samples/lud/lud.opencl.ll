; ModuleID = 'lud.cl'
source_filename = "lud.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@lud_diagonal.tile = internal unnamed_addr addrspace(3) global [16 x [17 x float]] undef, align 4
@lud_perimeter.pivot = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@lud_perimeter.right = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@lud_perimeter.below = internal unnamed_addr addrspace(3) global [16 x [17 x float]] undef, align 4
@lud_internal.below = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@lud_internal.right = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@lud_product.tile = internal unnamed_addr addrspace(3) global [16 x [17 x float]] undef, align 4

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @lud_diagonal(ptr addrspace(1) noalias noundef align 4 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_lud_diagonal(ptr addrspace(1) noundef align 4 %0, i32 noundef %1, i32 noundef %2) #6, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_lud_diagonal(ptr addrspace(1) noalias noundef align 4 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %4 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #7, !dbg !22
  %5 = trunc i64 %4 to i32, !dbg !22
  %6 = mul nsw i32 %2, %1, !dbg !23
  %7 = sext i32 %6 to i64, !dbg !24
  %8 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %7, !dbg !24
  %9 = sext i32 %2 to i64, !dbg !25
  %10 = getelementptr inbounds float, ptr addrspace(1) %8, i64 %9, !dbg !25
  %11 = shl i64 %4, 32
  %12 = ashr exact i64 %11, 30
  %13 = getelementptr i8, ptr addrspace(3) @lud_diagonal.tile, i64 %12, !dbg !26
  br label %17, !dbg !27

14:                                               ; preds = %17
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !28
  %15 = ashr exact i64 %11, 32
  %16 = getelementptr inbounds [17 x float], ptr addrspace(3) @lud_diagonal.tile, i64 %15
  br label %28, !dbg !29

17:                                               ; preds = %3, %17
  %18 = phi i32 [ 0, %3 ], [ %26, %17 ]
  %19 = mul nsw i32 %18, %1, !dbg !30
  %20 = add nsw i32 %19, %5, !dbg !31
  %21 = sext i32 %20 to i64, !dbg !32
  %22 = getelementptr inbounds float, ptr addrspace(1) %10, i64 %21, !dbg !32
  %23 = load float, ptr addrspace(1) %22, align 4, !dbg !32, !tbaa !33
  %24 = zext nneg i32 %18 to i64, !dbg !35
  %25 = getelementptr [17 x float], ptr addrspace(3) %13, i64 %24, !dbg !35
  store float %23, ptr addrspace(3) %25, align 4, !dbg !36, !tbaa !33
  %26 = add nuw nsw i32 %18, 1, !dbg !37
  %27 = icmp eq i32 %26, 16, !dbg !38
  br i1 %27, label %14, label %17, !dbg !27, !llvm.loop !39

28:                                               ; preds = %14, %50
  %29 = phi i32 [ 0, %14 ], [ %51, %50 ]
  %30 = icmp slt i32 %29, %5, !dbg !42
  br i1 %30, label %31, label %50, !dbg !42

31:                                               ; preds = %28
  %32 = zext nneg i32 %29 to i64, !dbg !43
  %33 = getelementptr inbounds nuw float, ptr addrspace(3) %16, i64 %32, !dbg !43
  %34 = load float, ptr addrspace(3) %33, align 4, !dbg !43, !tbaa !33
  %35 = getelementptr inbounds nuw [17 x float], ptr addrspace(3) @lud_diagonal.tile, i64 %32, !dbg !44
  %36 = getelementptr inbounds nuw float, ptr addrspace(3) %35, i64 %32, !dbg !44
  %37 = load float, ptr addrspace(3) %36, align 4, !dbg !44, !tbaa !33
  %38 = fdiv float %34, %37, !dbg !45, !fpmath !46
  store float %38, ptr addrspace(3) %33, align 4, !dbg !47, !tbaa !33
  %39 = fneg float %38
  br label %40, !dbg !48

40:                                               ; preds = %31, %40
  %41 = phi i32 [ %29, %31 ], [ %42, %40 ]
  %42 = add nuw nsw i32 %41, 1, !dbg !49
  %43 = zext nneg i32 %42 to i64, !dbg !50
  %44 = getelementptr inbounds nuw float, ptr addrspace(3) %35, i64 %43, !dbg !50
  %45 = load float, ptr addrspace(3) %44, align 4, !dbg !50, !tbaa !33
  %46 = getelementptr inbounds nuw float, ptr addrspace(3) %16, i64 %43, !dbg !51
  %47 = load float, ptr addrspace(3) %46, align 4, !dbg !52, !tbaa !33
  %48 = tail call float @llvm.fmuladd.f32(float %39, float %45, float %47), !dbg !52
  store float %48, ptr addrspace(3) %46, align 4, !dbg !52, !tbaa !33
  %49 = icmp eq i32 %42, 15, !dbg !53
  br i1 %49, label %50, label %40, !dbg !48, !llvm.loop !54

50:                                               ; preds = %40, %28
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !56
  %51 = add nuw nsw i32 %29, 1, !dbg !57
  %52 = icmp eq i32 %51, 15, !dbg !58
  br i1 %52, label %54, label %28, !dbg !29, !llvm.loop !59

53:                                               ; preds = %54
  ret void, !dbg !61

54:                                               ; preds = %50, %54
  %55 = phi i32 [ %63, %54 ], [ 0, %50 ]
  %56 = zext nneg i32 %55 to i64, !dbg !62
  %57 = getelementptr [17 x float], ptr addrspace(3) %13, i64 %56, !dbg !62
  %58 = load float, ptr addrspace(3) %57, align 4, !dbg !62, !tbaa !33
  %59 = mul nsw i32 %55, %1, !dbg !63
  %60 = add nsw i32 %59, %5, !dbg !64
  %61 = sext i32 %60 to i64, !dbg !65
  %62 = getelementptr inbounds float, ptr addrspace(1) %10, i64 %61, !dbg !65
  store float %58, ptr addrspace(1) %62, align 4, !dbg !66, !tbaa !33
  %63 = add nuw nsw i32 %55, 1, !dbg !67
  %64 = icmp eq i32 %63, 16, !dbg !68
  br i1 %64, label %53, label %54, !dbg !69, !llvm.loop !70
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @lud_perimeter(ptr addrspace(1) noalias noundef align 4 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #0 !dbg !72 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_lud_perimeter(ptr addrspace(1) noundef align 4 %0, i32 noundef %1, i32 noundef %2) #6, !dbg !73
  ret void, !dbg !74
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_lud_perimeter(ptr addrspace(1) noalias noundef align 4 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #1 !dbg !75 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %4 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #7, !dbg !76
  %5 = trunc i64 %4 to i32, !dbg !76
  %6 = freeze i32 %5, !dbg !77
  %7 = sdiv i32 %6, 16, !dbg !77
  %8 = mul i32 %7, 16, !dbg !78
  %9 = sub i32 %6, %8, !dbg !78
  %10 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #7, !dbg !79
  %11 = trunc i64 %10 to i32, !dbg !80
  %12 = shl i32 %11, 4, !dbg !80
  %13 = add i32 %2, 16, !dbg !80
  %14 = add i32 %13, %12, !dbg !80
  %15 = icmp slt i32 %5, 256, !dbg !81
  br i1 %15, label %16, label %23, !dbg !82

16:                                               ; preds = %3
  %17 = add i32 %9, %2
  %18 = sext i32 %9 to i64
  %19 = getelementptr float, ptr addrspace(3) @lud_perimeter.pivot, i64 %18, !dbg !82
  %20 = add i32 %14, %9
  %21 = getelementptr float, ptr addrspace(3) @lud_perimeter.right, i64 %18, !dbg !82
  %22 = getelementptr float, ptr addrspace(3) @lud_perimeter.below, i64 %18, !dbg !82
  br label %31, !dbg !82

23:                                               ; preds = %31, %3
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !83
  %24 = icmp slt i32 %5, 16, !dbg !84
  br i1 %24, label %28, label %25, !dbg !84

25:                                               ; preds = %23
  %26 = zext nneg i32 %9 to i64
  %27 = getelementptr inbounds nuw [17 x float], ptr addrspace(3) @lud_perimeter.below, i64 %26
  br label %76, !dbg !85

28:                                               ; preds = %23
  %29 = sext i32 %9 to i64
  %30 = getelementptr float, ptr addrspace(3) @lud_perimeter.right, i64 %29, !dbg !86
  br label %55, !dbg !86

31:                                               ; preds = %16, %31
  %32 = phi i32 [ %7, %16 ], [ %53, %31 ]
  %33 = add nsw i32 %32, %2, !dbg !87
  %34 = mul nsw i32 %33, %1, !dbg !88
  %35 = add i32 %17, %34, !dbg !89
  %36 = sext i32 %35 to i64, !dbg !90
  %37 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %36, !dbg !90
  %38 = load float, ptr addrspace(1) %37, align 4, !dbg !90, !tbaa !33
  %39 = sext i32 %32 to i64, !dbg !91
  %40 = getelementptr [16 x float], ptr addrspace(3) %19, i64 %39, !dbg !91
  store float %38, ptr addrspace(3) %40, align 4, !dbg !92, !tbaa !33
  %41 = add i32 %20, %34, !dbg !93
  %42 = sext i32 %41 to i64, !dbg !94
  %43 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %42, !dbg !94
  %44 = load float, ptr addrspace(1) %43, align 4, !dbg !94, !tbaa !33
  %45 = getelementptr [16 x float], ptr addrspace(3) %21, i64 %39, !dbg !95
  store float %44, ptr addrspace(3) %45, align 4, !dbg !96, !tbaa !33
  %46 = add nsw i32 %32, %14, !dbg !97
  %47 = mul nsw i32 %46, %1, !dbg !98
  %48 = add i32 %17, %47, !dbg !99
  %49 = sext i32 %48 to i64, !dbg !100
  %50 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %49, !dbg !100
  %51 = load float, ptr addrspace(1) %50, align 4, !dbg !100, !tbaa !33
  %52 = getelementptr [17 x float], ptr addrspace(3) %22, i64 %39, !dbg !101
  store float %51, ptr addrspace(3) %52, align 4, !dbg !102, !tbaa !33
  %53 = add nsw i32 %32, 2, !dbg !103
  %54 = icmp slt i32 %32, 14, !dbg !81
  br i1 %54, label %31, label %23, !dbg !82, !llvm.loop !104

55:                                               ; preds = %28, %61
  %56 = phi i32 [ 1, %28 ], [ %62, %61 ]
  %57 = zext nneg i32 %56 to i64, !dbg !106
  %58 = getelementptr [16 x float], ptr addrspace(3) %30, i64 %57, !dbg !106
  %59 = load float, ptr addrspace(3) %58, align 4, !dbg !106, !tbaa !33
  %60 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) @lud_perimeter.pivot, i64 %57
  br label %64, !dbg !107

61:                                               ; preds = %64
  store float %73, ptr addrspace(3) %58, align 4, !dbg !108, !tbaa !33
  %62 = add nuw nsw i32 %56, 1, !dbg !109
  %63 = icmp eq i32 %62, 16, !dbg !110
  br i1 %63, label %103, label %55, !dbg !86, !llvm.loop !111

64:                                               ; preds = %55, %64
  %65 = phi i32 [ 0, %55 ], [ %74, %64 ]
  %66 = phi float [ %59, %55 ], [ %73, %64 ]
  %67 = zext nneg i32 %65 to i64, !dbg !113
  %68 = getelementptr inbounds nuw float, ptr addrspace(3) %60, i64 %67, !dbg !113
  %69 = load float, ptr addrspace(3) %68, align 4, !dbg !113, !tbaa !33
  %70 = getelementptr [16 x float], ptr addrspace(3) %30, i64 %67, !dbg !114
  %71 = load float, ptr addrspace(3) %70, align 4, !dbg !114, !tbaa !33
  %72 = fneg float %69, !dbg !115
  %73 = tail call float @llvm.fmuladd.f32(float %72, float %71, float %66), !dbg !115
  %74 = add nuw nsw i32 %65, 1, !dbg !116
  %75 = icmp eq i32 %74, %56, !dbg !117
  br i1 %75, label %61, label %64, !dbg !107, !llvm.loop !118

76:                                               ; preds = %25, %83
  %77 = phi i32 [ 0, %25 ], [ %89, %83 ]
  %78 = zext nneg i32 %77 to i64, !dbg !120
  %79 = getelementptr inbounds nuw float, ptr addrspace(3) %27, i64 %78, !dbg !120
  %80 = load float, ptr addrspace(3) %79, align 4, !dbg !120, !tbaa !33
  %81 = getelementptr inbounds nuw float, ptr addrspace(3) @lud_perimeter.pivot, i64 %78, !dbg !121
  %82 = icmp eq i32 %77, 0, !dbg !122
  br i1 %82, label %83, label %91, !dbg !123

83:                                               ; preds = %91, %76
  %84 = phi float [ %80, %76 ], [ %100, %91 ], !dbg !124
  %85 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) @lud_perimeter.pivot, i64 %78, !dbg !125
  %86 = getelementptr inbounds nuw float, ptr addrspace(3) %85, i64 %78, !dbg !125
  %87 = load float, ptr addrspace(3) %86, align 4, !dbg !125, !tbaa !33
  %88 = fdiv float %84, %87, !dbg !126, !fpmath !46
  store float %88, ptr addrspace(3) %79, align 4, !dbg !127, !tbaa !33
  %89 = add nuw nsw i32 %77, 1, !dbg !128
  %90 = icmp eq i32 %89, 16, !dbg !129
  br i1 %90, label %103, label %76, !dbg !85, !llvm.loop !130

91:                                               ; preds = %76, %91
  %92 = phi i32 [ %101, %91 ], [ 0, %76 ]
  %93 = phi float [ %100, %91 ], [ %80, %76 ]
  %94 = zext nneg i32 %92 to i64, !dbg !132
  %95 = getelementptr inbounds nuw float, ptr addrspace(3) %27, i64 %94, !dbg !132
  %96 = load float, ptr addrspace(3) %95, align 4, !dbg !132, !tbaa !33
  %97 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) %81, i64 %94, !dbg !133
  %98 = load float, ptr addrspace(3) %97, align 4, !dbg !133, !tbaa !33
  %99 = fneg float %96, !dbg !134
  %100 = tail call float @llvm.fmuladd.f32(float %99, float %98, float %93), !dbg !134
  %101 = add nuw nsw i32 %92, 1, !dbg !135
  %102 = icmp eq i32 %101, %77, !dbg !122
  br i1 %102, label %83, label %91, !dbg !123, !llvm.loop !136

103:                                              ; preds = %83, %61
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !138
  br i1 %15, label %104, label %110, !dbg !139

104:                                              ; preds = %103
  %105 = sext i32 %9 to i64
  %106 = getelementptr float, ptr addrspace(3) @lud_perimeter.right, i64 %105, !dbg !139
  %107 = add i32 %14, %9
  %108 = getelementptr float, ptr addrspace(3) @lud_perimeter.below, i64 %105, !dbg !139
  %109 = add i32 %9, %2
  br label %111, !dbg !139

110:                                              ; preds = %111, %103
  ret void, !dbg !140

111:                                              ; preds = %104, %111
  %112 = phi i32 [ %7, %104 ], [ %128, %111 ]
  %113 = sext i32 %112 to i64, !dbg !141
  %114 = getelementptr [16 x float], ptr addrspace(3) %106, i64 %113, !dbg !141
  %115 = load float, ptr addrspace(3) %114, align 4, !dbg !141, !tbaa !33
  %116 = add nsw i32 %112, %2, !dbg !142
  %117 = mul nsw i32 %116, %1, !dbg !143
  %118 = add i32 %107, %117, !dbg !144
  %119 = sext i32 %118 to i64, !dbg !145
  %120 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %119, !dbg !145
  store float %115, ptr addrspace(1) %120, align 4, !dbg !146, !tbaa !33
  %121 = getelementptr [17 x float], ptr addrspace(3) %108, i64 %113, !dbg !147
  %122 = load float, ptr addrspace(3) %121, align 4, !dbg !147, !tbaa !33
  %123 = add nsw i32 %112, %14, !dbg !148
  %124 = mul nsw i32 %123, %1, !dbg !149
  %125 = add i32 %109, %124, !dbg !150
  %126 = sext i32 %125 to i64, !dbg !151
  %127 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %126, !dbg !151
  store float %122, ptr addrspace(1) %127, align 4, !dbg !152, !tbaa !33
  %128 = add nsw i32 %112, 2, !dbg !153
  %129 = icmp slt i32 %112, 14, !dbg !154
  br i1 %129, label %111, label %110, !dbg !139, !llvm.loop !155
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @lud_internal(ptr addrspace(1) noalias noundef align 4 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #0 !dbg !157 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_lud_internal(ptr addrspace(1) noundef align 4 %0, i32 noundef %1, i32 noundef %2) #6, !dbg !158
  ret void, !dbg !159
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_lud_internal(ptr addrspace(1) noalias noundef align 4 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #1 !dbg !160 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %4 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #7, !dbg !161
  %5 = trunc i64 %4 to i32, !dbg !161
  %6 = tail call i64 @_Z12get_local_idj(i32 noundef 1) #7, !dbg !162
  %7 = trunc i64 %6 to i32, !dbg !162
  %8 = zext i32 %2 to i64, !dbg !163
  %9 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #7, !dbg !164
  %10 = shl i64 %9, 4, !dbg !165
  %11 = shl i64 %6, 32, !dbg !166
  %12 = ashr exact i64 %11, 32, !dbg !166
  %13 = add nuw nsw i64 %8, 16, !dbg !165
  %14 = add i64 %13, %6, !dbg !167
  %15 = add i64 %14, %10, !dbg !168
  %16 = trunc i64 %15 to i32, !dbg !163
  %17 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #7, !dbg !169
  %18 = shl i64 %17, 4, !dbg !170
  %19 = shl i64 %4, 32, !dbg !171
  %20 = ashr exact i64 %19, 32, !dbg !171
  %21 = add i64 %13, %4, !dbg !172
  %22 = add i64 %21, %18, !dbg !173
  %23 = trunc i64 %22 to i32, !dbg !174
  %24 = mul nsw i32 %1, %16, !dbg !175
  %25 = add i32 %2, %5, !dbg !176
  %26 = add i32 %25, %24, !dbg !177
  %27 = sext i32 %26 to i64, !dbg !178
  %28 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %27, !dbg !178
  %29 = load float, ptr addrspace(1) %28, align 4, !dbg !178, !tbaa !33
  %30 = getelementptr inbounds [16 x float], ptr addrspace(3) @lud_internal.below, i64 %12, !dbg !179
  %31 = getelementptr inbounds float, ptr addrspace(3) %30, i64 %20, !dbg !179
  store float %29, ptr addrspace(3) %31, align 4, !dbg !180, !tbaa !33
  %32 = add nsw i32 %2, %7, !dbg !181
  %33 = mul nsw i32 %32, %1, !dbg !182
  %34 = add nsw i32 %33, %23, !dbg !183
  %35 = sext i32 %34 to i64, !dbg !184
  %36 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %35, !dbg !184
  %37 = load float, ptr addrspace(1) %36, align 4, !dbg !184, !tbaa !33
  %38 = getelementptr inbounds [16 x float], ptr addrspace(3) @lud_internal.right, i64 %12, !dbg !185
  %39 = getelementptr inbounds float, ptr addrspace(3) %38, i64 %20, !dbg !185
  store float %37, ptr addrspace(3) %39, align 4, !dbg !186, !tbaa !33
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !187
  %40 = getelementptr float, ptr addrspace(3) @lud_internal.right, i64 %20, !dbg !188
  br label %47, !dbg !189

41:                                               ; preds = %47
  %42 = add nsw i32 %24, %23, !dbg !190
  %43 = sext i32 %42 to i64, !dbg !191
  %44 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %43, !dbg !191
  %45 = load float, ptr addrspace(1) %44, align 4, !dbg !192, !tbaa !33
  %46 = fsub float %45, %55, !dbg !192
  store float %46, ptr addrspace(1) %44, align 4, !dbg !192, !tbaa !33
  ret void, !dbg !193

47:                                               ; preds = %3, %47
  %48 = phi i32 [ 0, %3 ], [ %56, %47 ]
  %49 = phi float [ 0.000000e+00, %3 ], [ %55, %47 ]
  %50 = zext nneg i32 %48 to i64, !dbg !194
  %51 = getelementptr inbounds nuw float, ptr addrspace(3) %30, i64 %50, !dbg !194
  %52 = load float, ptr addrspace(3) %51, align 4, !dbg !194, !tbaa !33
  %53 = getelementptr [16 x float], ptr addrspace(3) %40, i64 %50, !dbg !195
  %54 = load float, ptr addrspace(3) %53, align 4, !dbg !195, !tbaa !33
  %55 = tail call float @llvm.fmuladd.f32(float %52, float %54, float %49), !dbg !196
  %56 = add nuw nsw i32 %48, 1, !dbg !197
  %57 = icmp eq i32 %56, 16, !dbg !198
  br i1 %57, label %41, label %47, !dbg !189, !llvm.loop !199
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @lud_product(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2) local_unnamed_addr #0 !dbg !201 !kernel_arg_addr_space !202 !kernel_arg_access_qual !16 !kernel_arg_type !203 !kernel_arg_base_type !203 !kernel_arg_type_qual !204 {
  tail call void @__clang_ocl_kern_imp_lud_product(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2) #6, !dbg !205
  ret void, !dbg !206
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_lud_product(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2) local_unnamed_addr #1 !dbg !207 !kernel_arg_addr_space !202 !kernel_arg_access_qual !16 !kernel_arg_type !203 !kernel_arg_base_type !203 !kernel_arg_type_qual !204 {
  %4 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #7, !dbg !208
  %5 = trunc i64 %4 to i32, !dbg !208
  %6 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #7, !dbg !209
  %7 = trunc i64 %6 to i32, !dbg !209
  %8 = shl nsw i32 %7, 4, !dbg !210
  %9 = add nsw i32 %2, 1, !dbg !211
  %10 = mul nsw i32 %8, %9, !dbg !212
  %11 = sext i32 %10 to i64, !dbg !213
  %12 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %11, !dbg !213
  %13 = shl i64 %4, 32
  %14 = ashr exact i64 %13, 30
  %15 = getelementptr i8, ptr addrspace(3) @lud_product.tile, i64 %14, !dbg !214
  br label %21, !dbg !215

16:                                               ; preds = %21
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !216
  %17 = add nsw i32 %8, %5
  %18 = shl nsw i32 %17, 4
  %19 = ashr exact i64 %13, 32
  %20 = getelementptr inbounds [17 x float], ptr addrspace(3) @lud_product.tile, i64 %19
  br label %33, !dbg !217

21:                                               ; preds = %3, %21
  %22 = phi i32 [ 0, %3 ], [ %30, %21 ]
  %23 = mul nsw i32 %22, %2, !dbg !218
  %24 = add nsw i32 %23, %5, !dbg !219
  %25 = sext i32 %24 to i64, !dbg !220
  %26 = getelementptr inbounds float, ptr addrspace(1) %12, i64 %25, !dbg !220
  %27 = load float, ptr addrspace(1) %26, align 4, !dbg !220, !tbaa !33
  %28 = zext nneg i32 %22 to i64, !dbg !221
  %29 = getelementptr [17 x float], ptr addrspace(3) %15, i64 %28, !dbg !221
  store float %27, ptr addrspace(3) %29, align 4, !dbg !222, !tbaa !33
  %30 = add nuw nsw i32 %22, 1, !dbg !223
  %31 = icmp eq i32 %30, 16, !dbg !224
  br i1 %31, label %16, label %21, !dbg !215, !llvm.loop !225

32:                                               ; preds = %51
  ret void, !dbg !227

33:                                               ; preds = %16, %51
  %34 = phi i32 [ 0, %16 ], [ %56, %51 ]
  %35 = tail call i32 @llvm.smin.i32(i32 %34, i32 %5), !dbg !228
  %36 = icmp slt i32 %34, %5, !dbg !229
  %37 = zext nneg i32 %34 to i64, !dbg !230
  %38 = getelementptr inbounds nuw float, ptr addrspace(3) %20, i64 %37, !dbg !230
  %39 = load float, ptr addrspace(3) %38, align 4, !dbg !230, !tbaa !33
  br i1 %36, label %40, label %45, !dbg !231

40:                                               ; preds = %33
  %41 = getelementptr inbounds nuw [17 x float], ptr addrspace(3) @lud_product.tile, i64 %37, !dbg !232
  %42 = getelementptr inbounds nuw float, ptr addrspace(3) %41, i64 %37, !dbg !232
  %43 = load float, ptr addrspace(3) %42, align 4, !dbg !232, !tbaa !33
  %44 = fmul float %39, %43, !dbg !233
  br label %45, !dbg !231

45:                                               ; preds = %33, %40
  %46 = phi float [ %44, %40 ], [ %39, %33 ], !dbg !231
  %47 = icmp sgt i32 %35, 0, !dbg !234
  br i1 %47, label %48, label %51, !dbg !235

48:                                               ; preds = %45
  %49 = zext nneg i32 %34 to i64
  %50 = getelementptr inbounds nuw float, ptr addrspace(3) @lud_product.tile, i64 %49, !dbg !235
  br label %58, !dbg !235

51:                                               ; preds = %58, %45
  %52 = phi float [ %46, %45 ], [ %66, %58 ], !dbg !236
  %53 = add nuw nsw i32 %34, %18, !dbg !237
  %54 = sext i32 %53 to i64, !dbg !238
  %55 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %54, !dbg !238
  store float %52, ptr addrspace(1) %55, align 4, !dbg !239, !tbaa !33
  %56 = add nuw nsw i32 %34, 1, !dbg !240
  %57 = icmp eq i32 %56, 16, !dbg !241
  br i1 %57, label %32, label %33, !dbg !217, !llvm.loop !242

58:                                               ; preds = %48, %58
  %59 = phi i32 [ 0, %48 ], [ %67, %58 ]
  %60 = phi float [ %46, %48 ], [ %66, %58 ]
  %61 = zext nneg i32 %59 to i64, !dbg !244
  %62 = getelementptr inbounds nuw float, ptr addrspace(3) %20, i64 %61, !dbg !244
  %63 = load float, ptr addrspace(3) %62, align 4, !dbg !244, !tbaa !33
  %64 = getelementptr inbounds nuw [17 x float], ptr addrspace(3) %50, i64 %61, !dbg !245
  %65 = load float, ptr addrspace(3) %64, align 4, !dbg !245, !tbaa !33
  %66 = tail call float @llvm.fmuladd.f32(float %63, float %65, float %60), !dbg !246
  %67 = add nuw nsw i32 %59, 1, !dbg !247
  %68 = icmp eq i32 %67, %35, !dbg !234
  br i1 %68, label %51, label %58, !dbg !235, !llvm.loop !248
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #3

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #4

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #5

attributes #0 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #3 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { convergent nounwind }
attributes #7 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "lud.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "lud_diagonal", scope: !1, file: !1, line: 8, type: !13, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 0, i32 0}
!16 = !{!"none", !"none", !"none"}
!17 = !{!"float*", !"int", !"int"}
!18 = !{!"restrict", !"", !""}
!19 = !DILocation(line: 8, column: 71, scope: !12)
!20 = !DILocation(line: 32, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "lud_diagonal", scope: !1, file: !1, line: 8, type: !13, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 11, column: 18, scope: !21)
!23 = !DILocation(line: 12, column: 35, scope: !21)
!24 = !DILocation(line: 12, column: 30, scope: !21)
!25 = !DILocation(line: 12, column: 39, scope: !21)
!26 = !DILocation(line: 13, column: 8, scope: !21)
!27 = !DILocation(line: 13, column: 3, scope: !21)
!28 = !DILocation(line: 16, column: 3, scope: !21)
!29 = !DILocation(line: 18, column: 3, scope: !21)
!30 = !DILocation(line: 14, column: 28, scope: !21)
!31 = !DILocation(line: 14, column: 32, scope: !21)
!32 = !DILocation(line: 14, column: 19, scope: !21)
!33 = !{!34, !34, i64 0}
!34 = !{!"float", !10, i64 0}
!35 = !DILocation(line: 14, column: 5, scope: !21)
!36 = !DILocation(line: 14, column: 17, scope: !21)
!37 = !DILocation(line: 13, column: 29, scope: !21)
!38 = !DILocation(line: 13, column: 21, scope: !21)
!39 = distinct !{!39, !27, !40, !41}
!40 = !DILocation(line: 15, column: 3, scope: !21)
!41 = !{!"llvm.loop.unroll.disable"}
!42 = !DILocation(line: 19, column: 12, scope: !21)
!43 = !DILocation(line: 20, column: 28, scope: !21)
!44 = !DILocation(line: 20, column: 42, scope: !21)
!45 = !DILocation(line: 20, column: 40, scope: !21)
!46 = !{float 2.500000e+00}
!47 = !DILocation(line: 21, column: 19, scope: !21)
!48 = !DILocation(line: 22, column: 7, scope: !21)
!49 = !DILocation(line: 22, scope: !21)
!50 = !DILocation(line: 23, column: 33, scope: !21)
!51 = !DILocation(line: 23, column: 9, scope: !21)
!52 = !DILocation(line: 23, column: 21, scope: !21)
!53 = !DILocation(line: 22, column: 29, scope: !21)
!54 = distinct !{!54, !48, !55, !41}
!55 = !DILocation(line: 24, column: 7, scope: !21)
!56 = !DILocation(line: 26, column: 5, scope: !21)
!57 = !DILocation(line: 18, column: 33, scope: !21)
!58 = !DILocation(line: 18, column: 21, scope: !21)
!59 = distinct !{!59, !29, !60, !41}
!60 = !DILocation(line: 27, column: 3, scope: !21)
!61 = !DILocation(line: 32, column: 1, scope: !21)
!62 = !DILocation(line: 30, column: 26, scope: !21)
!63 = !DILocation(line: 30, column: 14, scope: !21)
!64 = !DILocation(line: 30, column: 18, scope: !21)
!65 = !DILocation(line: 30, column: 5, scope: !21)
!66 = !DILocation(line: 30, column: 24, scope: !21)
!67 = !DILocation(line: 29, column: 29, scope: !21)
!68 = !DILocation(line: 29, column: 21, scope: !21)
!69 = !DILocation(line: 29, column: 3, scope: !21)
!70 = distinct !{!70, !69, !71, !41}
!71 = !DILocation(line: 31, column: 3, scope: !21)
!72 = distinct !DISubprogram(name: "lud_perimeter", scope: !1, file: !1, line: 36, type: !13, scopeLine: 36, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!73 = !DILocation(line: 36, column: 72, scope: !72)
!74 = !DILocation(line: 74, column: 1, scope: !72)
!75 = distinct !DISubprogram(name: "lud_perimeter", scope: !1, file: !1, line: 36, type: !13, scopeLine: 36, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!76 = !DILocation(line: 41, column: 18, scope: !75)
!77 = !DILocation(line: 44, column: 19, scope: !75)
!78 = !DILocation(line: 42, column: 20, scope: !75)
!79 = !DILocation(line: 43, column: 25, scope: !75)
!80 = !DILocation(line: 43, column: 19, scope: !75)
!81 = !DILocation(line: 44, column: 29, scope: !75)
!82 = !DILocation(line: 44, column: 3, scope: !75)
!83 = !DILocation(line: 49, column: 3, scope: !75)
!84 = !DILocation(line: 51, column: 10, scope: !75)
!85 = !DILocation(line: 60, column: 5, scope: !75)
!86 = !DILocation(line: 52, column: 5, scope: !75)
!87 = !DILocation(line: 45, column: 25, scope: !75)
!88 = !DILocation(line: 45, column: 30, scope: !75)
!89 = !DILocation(line: 45, column: 39, scope: !75)
!90 = !DILocation(line: 45, column: 19, scope: !75)
!91 = !DILocation(line: 45, column: 5, scope: !75)
!92 = !DILocation(line: 45, column: 17, scope: !75)
!93 = !DILocation(line: 46, column: 40, scope: !75)
!94 = !DILocation(line: 46, column: 19, scope: !75)
!95 = !DILocation(line: 46, column: 5, scope: !75)
!96 = !DILocation(line: 46, column: 17, scope: !75)
!97 = !DILocation(line: 47, column: 26, scope: !75)
!98 = !DILocation(line: 47, column: 31, scope: !75)
!99 = !DILocation(line: 47, column: 40, scope: !75)
!100 = !DILocation(line: 47, column: 19, scope: !75)
!101 = !DILocation(line: 47, column: 5, scope: !75)
!102 = !DILocation(line: 47, column: 17, scope: !75)
!103 = !DILocation(line: 44, column: 39, scope: !75)
!104 = distinct !{!104, !82, !105, !41}
!105 = !DILocation(line: 48, column: 3, scope: !75)
!106 = !DILocation(line: 53, column: 19, scope: !75)
!107 = !DILocation(line: 54, column: 7, scope: !75)
!108 = !DILocation(line: 57, column: 19, scope: !75)
!109 = !DILocation(line: 52, column: 31, scope: !75)
!110 = !DILocation(line: 52, column: 23, scope: !75)
!111 = distinct !{!111, !86, !112, !41}
!112 = !DILocation(line: 58, column: 5, scope: !75)
!113 = !DILocation(line: 55, column: 16, scope: !75)
!114 = !DILocation(line: 55, column: 30, scope: !75)
!115 = !DILocation(line: 55, column: 13, scope: !75)
!116 = !DILocation(line: 54, column: 30, scope: !75)
!117 = !DILocation(line: 54, column: 25, scope: !75)
!118 = distinct !{!118, !107, !119, !41}
!119 = !DILocation(line: 56, column: 7, scope: !75)
!120 = !DILocation(line: 61, column: 19, scope: !75)
!121 = !DILocation(line: 62, column: 12, scope: !75)
!122 = !DILocation(line: 62, column: 25, scope: !75)
!123 = !DILocation(line: 62, column: 7, scope: !75)
!124 = !DILocation(line: 0, scope: !75)
!125 = !DILocation(line: 65, column: 27, scope: !75)
!126 = !DILocation(line: 65, column: 25, scope: !75)
!127 = !DILocation(line: 65, column: 19, scope: !75)
!128 = !DILocation(line: 60, column: 31, scope: !75)
!129 = !DILocation(line: 60, column: 23, scope: !75)
!130 = distinct !{!130, !85, !131, !41}
!131 = !DILocation(line: 66, column: 5, scope: !75)
!132 = !DILocation(line: 63, column: 16, scope: !75)
!133 = !DILocation(line: 63, column: 30, scope: !75)
!134 = !DILocation(line: 63, column: 13, scope: !75)
!135 = !DILocation(line: 62, column: 30, scope: !75)
!136 = distinct !{!136, !123, !137, !41}
!137 = !DILocation(line: 64, column: 7, scope: !75)
!138 = !DILocation(line: 68, column: 3, scope: !75)
!139 = !DILocation(line: 70, column: 3, scope: !75)
!140 = !DILocation(line: 74, column: 1, scope: !75)
!141 = !DILocation(line: 71, column: 33, scope: !75)
!142 = !DILocation(line: 71, column: 11, scope: !75)
!143 = !DILocation(line: 71, column: 16, scope: !75)
!144 = !DILocation(line: 71, column: 26, scope: !75)
!145 = !DILocation(line: 71, column: 5, scope: !75)
!146 = !DILocation(line: 71, column: 31, scope: !75)
!147 = !DILocation(line: 72, column: 33, scope: !75)
!148 = !DILocation(line: 72, column: 12, scope: !75)
!149 = !DILocation(line: 72, column: 17, scope: !75)
!150 = !DILocation(line: 72, column: 26, scope: !75)
!151 = !DILocation(line: 72, column: 5, scope: !75)
!152 = !DILocation(line: 72, column: 31, scope: !75)
!153 = !DILocation(line: 70, column: 39, scope: !75)
!154 = !DILocation(line: 70, column: 29, scope: !75)
!155 = distinct !{!155, !139, !156, !41}
!156 = !DILocation(line: 73, column: 3, scope: !75)
!157 = distinct !DISubprogram(name: "lud_internal", scope: !1, file: !1, line: 77, type: !13, scopeLine: 77, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!158 = !DILocation(line: 77, column: 71, scope: !157)
!159 = !DILocation(line: 94, column: 1, scope: !157)
!160 = distinct !DISubprogram(name: "lud_internal", scope: !1, file: !1, line: 77, type: !13, scopeLine: 77, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!161 = !DILocation(line: 81, column: 18, scope: !160)
!162 = !DILocation(line: 82, column: 18, scope: !160)
!163 = !DILocation(line: 83, column: 19, scope: !160)
!164 = !DILocation(line: 83, column: 25, scope: !160)
!165 = !DILocation(line: 83, column: 46, scope: !160)
!166 = !DILocation(line: 83, column: 55, scope: !160)
!167 = !DILocation(line: 83, column: 22, scope: !160)
!168 = !DILocation(line: 83, column: 53, scope: !160)
!169 = !DILocation(line: 84, column: 28, scope: !160)
!170 = !DILocation(line: 84, column: 49, scope: !160)
!171 = !DILocation(line: 84, column: 58, scope: !160)
!172 = !DILocation(line: 84, column: 25, scope: !160)
!173 = !DILocation(line: 84, column: 56, scope: !160)
!174 = !DILocation(line: 84, column: 22, scope: !160)
!175 = !DILocation(line: 85, column: 25, scope: !160)
!176 = !DILocation(line: 85, column: 29, scope: !160)
!177 = !DILocation(line: 85, column: 34, scope: !160)
!178 = !DILocation(line: 85, column: 19, scope: !160)
!179 = !DILocation(line: 85, column: 3, scope: !160)
!180 = !DILocation(line: 85, column: 17, scope: !160)
!181 = !DILocation(line: 86, column: 25, scope: !160)
!182 = !DILocation(line: 86, column: 31, scope: !160)
!183 = !DILocation(line: 86, column: 35, scope: !160)
!184 = !DILocation(line: 86, column: 19, scope: !160)
!185 = !DILocation(line: 86, column: 3, scope: !160)
!186 = !DILocation(line: 86, column: 17, scope: !160)
!187 = !DILocation(line: 87, column: 3, scope: !160)
!188 = !DILocation(line: 90, column: 8, scope: !160)
!189 = !DILocation(line: 90, column: 3, scope: !160)
!190 = !DILocation(line: 93, column: 13, scope: !160)
!191 = !DILocation(line: 93, column: 3, scope: !160)
!192 = !DILocation(line: 93, column: 23, scope: !160)
!193 = !DILocation(line: 94, column: 1, scope: !160)
!194 = !DILocation(line: 91, column: 12, scope: !160)
!195 = !DILocation(line: 91, column: 27, scope: !160)
!196 = !DILocation(line: 91, column: 9, scope: !160)
!197 = !DILocation(line: 90, column: 29, scope: !160)
!198 = !DILocation(line: 90, column: 21, scope: !160)
!199 = distinct !{!199, !189, !200, !41}
!200 = !DILocation(line: 92, column: 3, scope: !160)
!201 = distinct !DISubprogram(name: "lud_product", scope: !1, file: !1, line: 97, type: !13, scopeLine: 98, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!202 = !{i32 1, i32 1, i32 0}
!203 = !{!"float*", !"float*", !"int"}
!204 = !{!"restrict const", !"restrict", !""}
!205 = !DILocation(line: 98, column: 34, scope: !201)
!206 = !DILocation(line: 117, column: 1, scope: !201)
!207 = distinct !DISubprogram(name: "lud_product", scope: !1, file: !1, line: 97, type: !13, scopeLine: 98, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!208 = !DILocation(line: 101, column: 18, scope: !207)
!209 = !DILocation(line: 102, column: 21, scope: !207)
!210 = !DILocation(line: 103, column: 44, scope: !207)
!211 = !DILocation(line: 103, column: 56, scope: !207)
!212 = !DILocation(line: 103, column: 51, scope: !207)
!213 = !DILocation(line: 103, column: 36, scope: !207)
!214 = !DILocation(line: 104, column: 8, scope: !207)
!215 = !DILocation(line: 104, column: 3, scope: !207)
!216 = !DILocation(line: 107, column: 3, scope: !207)
!217 = !DILocation(line: 109, column: 3, scope: !207)
!218 = !DILocation(line: 105, column: 28, scope: !207)
!219 = !DILocation(line: 105, column: 32, scope: !207)
!220 = !DILocation(line: 105, column: 19, scope: !207)
!221 = !DILocation(line: 105, column: 5, scope: !207)
!222 = !DILocation(line: 105, column: 17, scope: !207)
!223 = !DILocation(line: 104, column: 29, scope: !207)
!224 = !DILocation(line: 104, column: 21, scope: !207)
!225 = distinct !{!225, !215, !226, !41}
!226 = !DILocation(line: 106, column: 3, scope: !207)
!227 = !DILocation(line: 117, column: 1, scope: !207)
!228 = !DILocation(line: 110, column: 25, scope: !207)
!229 = !DILocation(line: 111, column: 20, scope: !207)
!230 = !DILocation(line: 111, scope: !207)
!231 = !DILocation(line: 111, column: 17, scope: !207)
!232 = !DILocation(line: 111, column: 55, scope: !207)
!233 = !DILocation(line: 111, column: 53, scope: !207)
!234 = !DILocation(line: 112, column: 23, scope: !207)
!235 = !DILocation(line: 112, column: 5, scope: !207)
!236 = !DILocation(line: 0, scope: !207)
!237 = !DILocation(line: 115, column: 40, scope: !207)
!238 = !DILocation(line: 115, column: 5, scope: !207)
!239 = !DILocation(line: 115, column: 45, scope: !207)
!240 = !DILocation(line: 109, column: 29, scope: !207)
!241 = !DILocation(line: 109, column: 21, scope: !207)
!242 = distinct !{!242, !217, !243, !41}
!243 = !DILocation(line: 116, column: 3, scope: !207)
!244 = !DILocation(line: 113, column: 14, scope: !207)
!245 = !DILocation(line: 113, column: 28, scope: !207)
!246 = !DILocation(line: 113, column: 11, scope: !207)
!247 = !DILocation(line: 112, column: 34, scope: !207)
!248 = distinct !{!248, !235, !249, !41}
!249 = !DILocation(line: 114, column: 5, scope: !207)
