; ModuleID = '../../nw/nw.cl'
source_filename = "../../nw/nw.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@nw_upper_left.score = internal unnamed_addr addrspace(3) global [17 x [17 x i32]] undef, align 4
@nw_upper_left.match = internal unnamed_addr addrspace(3) global [16 x [16 x i32]] undef, align 4
@nw_lower_right.score = internal unnamed_addr addrspace(3) global [17 x [17 x i32]] undef, align 4
@nw_lower_right.match = internal unnamed_addr addrspace(3) global [16 x [16 x i32]] undef, align 4

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @nw_upper_left(ptr addrspace(1) noalias noundef align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_nw_upper_left(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2, i32 noundef %3, i32 noundef %4) #4, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_nw_upper_left(ptr addrspace(1) noalias noundef align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %6 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #5, !dbg !22
  %7 = trunc i64 %6 to i32, !dbg !22
  %8 = sub nsw i32 %4, %7, !dbg !23
  %9 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #5, !dbg !24
  %10 = trunc i64 %9 to i32, !dbg !24
  %11 = shl nsw i32 %8, 4, !dbg !27
  %12 = shl nsw i32 %7, 4, !dbg !28
  %13 = add nsw i32 %2, 1, !dbg !29
  %14 = icmp eq i32 %10, 0, !dbg !30
  %15 = mul nsw i32 %11, %13
  %16 = add nsw i32 %15, %12
  br i1 %14, label %17, label %21, !dbg !30

17:                                               ; preds = %5
  %18 = sext i32 %16 to i64
  %19 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %18
  %20 = load i32, ptr addrspace(1) %19, align 4, !dbg !31, !tbaa !8
  store i32 %20, ptr addrspace(3) @nw_upper_left.score, align 4, !dbg !32, !tbaa !8
  br label %21, !dbg !33

21:                                               ; preds = %17, %5
  %22 = add nsw i32 %16, %10, !dbg !34
  %23 = sext i32 %22 to i64, !dbg !35
  %24 = getelementptr i32, ptr addrspace(1) %0, i64 %23, !dbg !35
  %25 = getelementptr i8, ptr addrspace(1) %24, i64 4, !dbg !35
  %26 = load i32, ptr addrspace(1) %25, align 4, !dbg !35, !tbaa !8
  %27 = shl i64 %9, 32, !dbg !36
  %28 = add i64 %27, 4294967296, !dbg !36
  %29 = ashr exact i64 %28, 32, !dbg !36
  %30 = getelementptr i32, ptr addrspace(3) @nw_upper_left.score, i64 %29, !dbg !36
  store i32 %26, ptr addrspace(3) %30, align 4, !dbg !37, !tbaa !8
  %31 = or disjoint i32 %11, 1, !dbg !38
  %32 = add i32 %31, %10, !dbg !39
  %33 = mul nsw i32 %32, %13, !dbg !40
  %34 = add nsw i32 %33, %12, !dbg !41
  %35 = sext i32 %34 to i64, !dbg !42
  %36 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %35, !dbg !42
  %37 = load i32, ptr addrspace(1) %36, align 4, !dbg !42, !tbaa !8
  %38 = getelementptr inbounds [17 x i32], ptr addrspace(3) @nw_upper_left.score, i64 %29, !dbg !43
  store i32 %37, ptr addrspace(3) %38, align 4, !dbg !44, !tbaa !8
  %39 = add i32 %12, %10
  %40 = ashr exact i64 %27, 30
  %41 = getelementptr i8, ptr addrspace(3) @nw_upper_left.match, i64 %40, !dbg !45
  br label %102, !dbg !46

42:                                               ; preds = %102
  tail call void @_Z7barrierj(i32 noundef 1) #4, !dbg !47
  %43 = ashr exact i64 %27, 32
  %44 = getelementptr i32, ptr addrspace(3) @nw_upper_left.match, i64 %43, !dbg !48
  br label %53, !dbg !48

45:                                               ; preds = %74
  %46 = sub i64 68719476736, %27
  %47 = ashr exact i64 %46, 32
  %48 = getelementptr inbounds [17 x i32], ptr addrspace(3) @nw_upper_left.score, i64 %47
  %49 = sub i64 64424509440, %27
  %50 = ashr exact i64 %49, 32
  %51 = getelementptr inbounds [17 x i32], ptr addrspace(3) @nw_upper_left.score, i64 %50
  %52 = getelementptr inbounds [16 x i32], ptr addrspace(3) @nw_upper_left.match, i64 %50
  br label %77, !dbg !51

53:                                               ; preds = %74, %42
  %54 = phi i32 [ 0, %42 ], [ %75, %74 ]
  %55 = icmp slt i32 %54, %10, !dbg !52
  br i1 %55, label %74, label %56, !dbg !52

56:                                               ; preds = %53
  %57 = sub nsw i32 %54, %10, !dbg !53
  %58 = zext nneg i32 %57 to i64, !dbg !54
  %59 = getelementptr inbounds nuw [17 x i32], ptr addrspace(3) @nw_upper_left.score, i64 %58, !dbg !54
  %60 = getelementptr inbounds nuw i8, ptr addrspace(3) %59, i64 68, !dbg !54
  %61 = getelementptr inbounds i32, ptr addrspace(3) %60, i64 %43, !dbg !54
  %62 = load i32, ptr addrspace(3) %61, align 4, !dbg !54, !tbaa !8
  %63 = getelementptr inbounds i32, ptr addrspace(3) %59, i64 %29, !dbg !55
  %64 = load i32, ptr addrspace(3) %63, align 4, !dbg !55, !tbaa !8
  %65 = tail call i32 @_Z3maxii(i32 noundef %62, i32 noundef %64) #5, !dbg !56
  %66 = sub nsw i32 %65, %3, !dbg !57
  %67 = getelementptr inbounds i32, ptr addrspace(3) %59, i64 %43, !dbg !58
  %68 = load i32, ptr addrspace(3) %67, align 4, !dbg !58, !tbaa !8
  %69 = getelementptr [16 x i32], ptr addrspace(3) %44, i64 %58, !dbg !59
  %70 = load i32, ptr addrspace(3) %69, align 4, !dbg !59, !tbaa !8
  %71 = add nsw i32 %70, %68, !dbg !60
  %72 = tail call i32 @_Z3maxii(i32 noundef %71, i32 noundef %66) #5, !dbg !61
  %73 = getelementptr inbounds i32, ptr addrspace(3) %60, i64 %29, !dbg !62
  store i32 %72, ptr addrspace(3) %73, align 4, !dbg !63, !tbaa !8
  br label %74, !dbg !64

74:                                               ; preds = %56, %53
  tail call void @_Z7barrierj(i32 noundef 1) #4, !dbg !65
  %75 = add nuw nsw i32 %54, 1, !dbg !66
  %76 = icmp eq i32 %75, 16, !dbg !67
  br i1 %76, label %45, label %53, !dbg !48, !llvm.loop !68

77:                                               ; preds = %99, %45
  %78 = phi i32 [ 14, %45 ], [ %100, %99 ]
  %79 = icmp slt i32 %78, %10, !dbg !71
  br i1 %79, label %99, label %80, !dbg !71

80:                                               ; preds = %77
  %81 = sub i32 %10, %78, !dbg !72
  %82 = add i32 %81, 16, !dbg !72
  %83 = add i32 %81, 15, !dbg !73
  %84 = sext i32 %83 to i64, !dbg !74
  %85 = getelementptr inbounds i32, ptr addrspace(3) %48, i64 %84, !dbg !74
  %86 = load i32, ptr addrspace(3) %85, align 4, !dbg !74, !tbaa !8
  %87 = sext i32 %82 to i64, !dbg !75
  %88 = getelementptr inbounds i32, ptr addrspace(3) %51, i64 %87, !dbg !75
  %89 = load i32, ptr addrspace(3) %88, align 4, !dbg !75, !tbaa !8
  %90 = tail call i32 @_Z3maxii(i32 noundef %86, i32 noundef %89) #5, !dbg !76
  %91 = sub nsw i32 %90, %3, !dbg !77
  %92 = getelementptr inbounds i32, ptr addrspace(3) %51, i64 %84, !dbg !78
  %93 = load i32, ptr addrspace(3) %92, align 4, !dbg !78, !tbaa !8
  %94 = getelementptr inbounds i32, ptr addrspace(3) %52, i64 %84, !dbg !79
  %95 = load i32, ptr addrspace(3) %94, align 4, !dbg !79, !tbaa !8
  %96 = add nsw i32 %95, %93, !dbg !80
  %97 = tail call i32 @_Z3maxii(i32 noundef %96, i32 noundef %91) #5, !dbg !81
  %98 = getelementptr inbounds i32, ptr addrspace(3) %48, i64 %87, !dbg !82
  store i32 %97, ptr addrspace(3) %98, align 4, !dbg !83, !tbaa !8
  br label %99, !dbg !84

99:                                               ; preds = %80, %77
  tail call void @_Z7barrierj(i32 noundef 1) #4, !dbg !85
  %100 = add nsw i32 %78, -1, !dbg !86
  %101 = icmp eq i32 %78, 0, !dbg !87
  br i1 %101, label %114, label %77, !dbg !51, !llvm.loop !88

102:                                              ; preds = %102, %21
  %103 = phi i32 [ 0, %21 ], [ %112, %102 ]
  %104 = add nuw nsw i32 %103, %11, !dbg !90
  %105 = mul nsw i32 %104, %2, !dbg !91
  %106 = add i32 %105, %39, !dbg !92
  %107 = sext i32 %106 to i64, !dbg !93
  %108 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %107, !dbg !93
  %109 = load i32, ptr addrspace(1) %108, align 4, !dbg !93, !tbaa !8
  %110 = zext nneg i32 %103 to i64, !dbg !94
  %111 = getelementptr [16 x i32], ptr addrspace(3) %41, i64 %110, !dbg !94
  store i32 %109, ptr addrspace(3) %111, align 4, !dbg !95, !tbaa !8
  %112 = add nuw nsw i32 %103, 1, !dbg !96
  %113 = icmp eq i32 %112, 16, !dbg !97
  br i1 %113, label %42, label %102, !dbg !46, !llvm.loop !98

114:                                              ; preds = %99, %114
  %115 = phi i32 [ %116, %114 ], [ 0, %99 ]
  %116 = add nuw nsw i32 %115, 1, !dbg !100
  %117 = zext nneg i32 %116 to i64, !dbg !101
  %118 = getelementptr [17 x i32], ptr addrspace(3) %30, i64 %117, !dbg !101
  %119 = load i32, ptr addrspace(3) %118, align 4, !dbg !101, !tbaa !8
  %120 = add i32 %115, %31, !dbg !102
  %121 = mul nsw i32 %120, %13, !dbg !103
  %122 = add i32 %121, %39, !dbg !104
  %123 = sext i32 %122 to i64, !dbg !105
  %124 = getelementptr i32, ptr addrspace(1) %0, i64 %123, !dbg !105
  %125 = getelementptr i8, ptr addrspace(1) %124, i64 4, !dbg !105
  store i32 %119, ptr addrspace(1) %125, align 4, !dbg !106, !tbaa !8
  %126 = icmp eq i32 %116, 16, !dbg !107
  br i1 %126, label %127, label %114, !dbg !108, !llvm.loop !109

127:                                              ; preds = %114
  ret void, !dbg !111
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @nw_lower_right(ptr addrspace(1) noalias noundef align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #0 !dbg !112 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_nw_lower_right(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2, i32 noundef %3, i32 noundef %4) #4, !dbg !113
  ret void, !dbg !114
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_nw_lower_right(ptr addrspace(1) noalias noundef align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #1 !dbg !115 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %6 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #5, !dbg !116
  %7 = trunc i64 %6 to i32, !dbg !116
  %8 = sdiv i32 %2, 16, !dbg !117
  %9 = xor i32 %7, -1, !dbg !118
  %10 = add i32 %8, %9, !dbg !118
  %11 = add nsw i32 %4, %7, !dbg !119
  %12 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #5, !dbg !120
  %13 = trunc i64 %12 to i32, !dbg !120
  %14 = shl nsw i32 %10, 4, !dbg !122
  %15 = shl nsw i32 %11, 4, !dbg !123
  %16 = add nsw i32 %2, 1, !dbg !124
  %17 = icmp eq i32 %13, 0, !dbg !125
  %18 = mul nsw i32 %14, %16
  %19 = add nsw i32 %18, %15
  br i1 %17, label %20, label %24, !dbg !125

20:                                               ; preds = %5
  %21 = sext i32 %19 to i64
  %22 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %21
  %23 = load i32, ptr addrspace(1) %22, align 4, !dbg !126, !tbaa !8
  store i32 %23, ptr addrspace(3) @nw_lower_right.score, align 4, !dbg !127, !tbaa !8
  br label %24, !dbg !128

24:                                               ; preds = %20, %5
  %25 = add nsw i32 %19, %13, !dbg !129
  %26 = sext i32 %25 to i64, !dbg !130
  %27 = getelementptr i32, ptr addrspace(1) %0, i64 %26, !dbg !130
  %28 = getelementptr i8, ptr addrspace(1) %27, i64 4, !dbg !130
  %29 = load i32, ptr addrspace(1) %28, align 4, !dbg !130, !tbaa !8
  %30 = shl i64 %12, 32, !dbg !131
  %31 = add i64 %30, 4294967296, !dbg !131
  %32 = ashr exact i64 %31, 32, !dbg !131
  %33 = getelementptr i32, ptr addrspace(3) @nw_lower_right.score, i64 %32, !dbg !131
  store i32 %29, ptr addrspace(3) %33, align 4, !dbg !132, !tbaa !8
  %34 = or disjoint i32 %14, 1, !dbg !133
  %35 = add i32 %34, %13, !dbg !134
  %36 = mul nsw i32 %35, %16, !dbg !135
  %37 = add nsw i32 %36, %15, !dbg !136
  %38 = sext i32 %37 to i64, !dbg !137
  %39 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %38, !dbg !137
  %40 = load i32, ptr addrspace(1) %39, align 4, !dbg !137, !tbaa !8
  %41 = getelementptr inbounds [17 x i32], ptr addrspace(3) @nw_lower_right.score, i64 %32, !dbg !138
  store i32 %40, ptr addrspace(3) %41, align 4, !dbg !139, !tbaa !8
  %42 = add i32 %15, %13
  %43 = ashr exact i64 %30, 30
  %44 = getelementptr i8, ptr addrspace(3) @nw_lower_right.match, i64 %43, !dbg !140
  br label %105, !dbg !141

45:                                               ; preds = %105
  tail call void @_Z7barrierj(i32 noundef 1) #4, !dbg !142
  %46 = ashr exact i64 %30, 32
  %47 = getelementptr i32, ptr addrspace(3) @nw_lower_right.match, i64 %46, !dbg !143
  br label %56, !dbg !143

48:                                               ; preds = %77
  %49 = sub i64 68719476736, %30
  %50 = ashr exact i64 %49, 32
  %51 = getelementptr inbounds [17 x i32], ptr addrspace(3) @nw_lower_right.score, i64 %50
  %52 = sub i64 64424509440, %30
  %53 = ashr exact i64 %52, 32
  %54 = getelementptr inbounds [17 x i32], ptr addrspace(3) @nw_lower_right.score, i64 %53
  %55 = getelementptr inbounds [16 x i32], ptr addrspace(3) @nw_lower_right.match, i64 %53
  br label %80, !dbg !145

56:                                               ; preds = %77, %45
  %57 = phi i32 [ 0, %45 ], [ %78, %77 ]
  %58 = icmp slt i32 %57, %13, !dbg !146
  br i1 %58, label %77, label %59, !dbg !146

59:                                               ; preds = %56
  %60 = sub nsw i32 %57, %13, !dbg !147
  %61 = zext nneg i32 %60 to i64, !dbg !148
  %62 = getelementptr inbounds nuw [17 x i32], ptr addrspace(3) @nw_lower_right.score, i64 %61, !dbg !148
  %63 = getelementptr inbounds nuw i8, ptr addrspace(3) %62, i64 68, !dbg !148
  %64 = getelementptr inbounds i32, ptr addrspace(3) %63, i64 %46, !dbg !148
  %65 = load i32, ptr addrspace(3) %64, align 4, !dbg !148, !tbaa !8
  %66 = getelementptr inbounds i32, ptr addrspace(3) %62, i64 %32, !dbg !149
  %67 = load i32, ptr addrspace(3) %66, align 4, !dbg !149, !tbaa !8
  %68 = tail call i32 @_Z3maxii(i32 noundef %65, i32 noundef %67) #5, !dbg !150
  %69 = sub nsw i32 %68, %3, !dbg !151
  %70 = getelementptr inbounds i32, ptr addrspace(3) %62, i64 %46, !dbg !152
  %71 = load i32, ptr addrspace(3) %70, align 4, !dbg !152, !tbaa !8
  %72 = getelementptr [16 x i32], ptr addrspace(3) %47, i64 %61, !dbg !153
  %73 = load i32, ptr addrspace(3) %72, align 4, !dbg !153, !tbaa !8
  %74 = add nsw i32 %73, %71, !dbg !154
  %75 = tail call i32 @_Z3maxii(i32 noundef %74, i32 noundef %69) #5, !dbg !155
  %76 = getelementptr inbounds i32, ptr addrspace(3) %63, i64 %32, !dbg !156
  store i32 %75, ptr addrspace(3) %76, align 4, !dbg !157, !tbaa !8
  br label %77, !dbg !158

77:                                               ; preds = %59, %56
  tail call void @_Z7barrierj(i32 noundef 1) #4, !dbg !159
  %78 = add nuw nsw i32 %57, 1, !dbg !160
  %79 = icmp eq i32 %78, 16, !dbg !161
  br i1 %79, label %48, label %56, !dbg !143, !llvm.loop !162

80:                                               ; preds = %102, %48
  %81 = phi i32 [ 14, %48 ], [ %103, %102 ]
  %82 = icmp slt i32 %81, %13, !dbg !164
  br i1 %82, label %102, label %83, !dbg !164

83:                                               ; preds = %80
  %84 = sub i32 %13, %81, !dbg !165
  %85 = add i32 %84, 16, !dbg !165
  %86 = add i32 %84, 15, !dbg !166
  %87 = sext i32 %86 to i64, !dbg !167
  %88 = getelementptr inbounds i32, ptr addrspace(3) %51, i64 %87, !dbg !167
  %89 = load i32, ptr addrspace(3) %88, align 4, !dbg !167, !tbaa !8
  %90 = sext i32 %85 to i64, !dbg !168
  %91 = getelementptr inbounds i32, ptr addrspace(3) %54, i64 %90, !dbg !168
  %92 = load i32, ptr addrspace(3) %91, align 4, !dbg !168, !tbaa !8
  %93 = tail call i32 @_Z3maxii(i32 noundef %89, i32 noundef %92) #5, !dbg !169
  %94 = sub nsw i32 %93, %3, !dbg !170
  %95 = getelementptr inbounds i32, ptr addrspace(3) %54, i64 %87, !dbg !171
  %96 = load i32, ptr addrspace(3) %95, align 4, !dbg !171, !tbaa !8
  %97 = getelementptr inbounds i32, ptr addrspace(3) %55, i64 %87, !dbg !172
  %98 = load i32, ptr addrspace(3) %97, align 4, !dbg !172, !tbaa !8
  %99 = add nsw i32 %98, %96, !dbg !173
  %100 = tail call i32 @_Z3maxii(i32 noundef %99, i32 noundef %94) #5, !dbg !174
  %101 = getelementptr inbounds i32, ptr addrspace(3) %51, i64 %90, !dbg !175
  store i32 %100, ptr addrspace(3) %101, align 4, !dbg !176, !tbaa !8
  br label %102, !dbg !177

102:                                              ; preds = %83, %80
  tail call void @_Z7barrierj(i32 noundef 1) #4, !dbg !178
  %103 = add nsw i32 %81, -1, !dbg !179
  %104 = icmp eq i32 %81, 0, !dbg !180
  br i1 %104, label %117, label %80, !dbg !145, !llvm.loop !181

105:                                              ; preds = %105, %24
  %106 = phi i32 [ 0, %24 ], [ %115, %105 ]
  %107 = add nuw nsw i32 %106, %14, !dbg !183
  %108 = mul nsw i32 %107, %2, !dbg !184
  %109 = add i32 %108, %42, !dbg !185
  %110 = sext i32 %109 to i64, !dbg !186
  %111 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %110, !dbg !186
  %112 = load i32, ptr addrspace(1) %111, align 4, !dbg !186, !tbaa !8
  %113 = zext nneg i32 %106 to i64, !dbg !187
  %114 = getelementptr [16 x i32], ptr addrspace(3) %44, i64 %113, !dbg !187
  store i32 %112, ptr addrspace(3) %114, align 4, !dbg !188, !tbaa !8
  %115 = add nuw nsw i32 %106, 1, !dbg !189
  %116 = icmp eq i32 %115, 16, !dbg !190
  br i1 %116, label %45, label %105, !dbg !141, !llvm.loop !191

117:                                              ; preds = %102, %117
  %118 = phi i32 [ %119, %117 ], [ 0, %102 ]
  %119 = add nuw nsw i32 %118, 1, !dbg !193
  %120 = zext nneg i32 %119 to i64, !dbg !194
  %121 = getelementptr [17 x i32], ptr addrspace(3) %33, i64 %120, !dbg !194
  %122 = load i32, ptr addrspace(3) %121, align 4, !dbg !194, !tbaa !8
  %123 = add i32 %118, %34, !dbg !195
  %124 = mul nsw i32 %123, %16, !dbg !196
  %125 = add i32 %124, %42, !dbg !197
  %126 = sext i32 %125 to i64, !dbg !198
  %127 = getelementptr i32, ptr addrspace(1) %0, i64 %126, !dbg !198
  %128 = getelementptr i8, ptr addrspace(1) %127, i64 4, !dbg !198
  store i32 %122, ptr addrspace(1) %128, align 4, !dbg !199, !tbaa !8
  %129 = icmp eq i32 %119, 16, !dbg !200
  br i1 %129, label %130, label %117, !dbg !201, !llvm.loop !202

130:                                              ; preds = %117
  ret void, !dbg !204
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #3

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i32 @_Z3maxii(i32 noundef, i32 noundef) local_unnamed_addr #2

attributes #0 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #3 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { convergent nounwind }
attributes #5 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "../../nw/nw.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "nw_upper_left", scope: !1, file: !1, line: 58, type: !13, scopeLine: 59, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 0, i32 0, i32 0}
!16 = !{!"none", !"none", !"none", !"none", !"none"}
!17 = !{!"int*", !"int*", !"int", !"int", !"int"}
!18 = !{!"restrict", !"restrict const", !"", !"", !""}
!19 = !DILocation(line: 59, column: 63, scope: !12)
!20 = !DILocation(line: 64, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "nw_upper_left", scope: !1, file: !1, line: 58, type: !13, scopeLine: 59, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 62, column: 17, scope: !21)
!23 = !DILocation(line: 63, column: 55, scope: !21)
!24 = !DILocation(line: 36, column: 19, scope: !25, inlinedAt: !26)
!25 = distinct !DISubprogram(name: "align_tile", scope: !1, file: !1, line: 33, type: !13, scopeLine: 35, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!26 = distinct !DILocation(line: 63, column: 3, scope: !21)
!27 = !DILocation(line: 37, column: 28, scope: !25, inlinedAt: !26)
!28 = !DILocation(line: 38, column: 34, scope: !25, inlinedAt: !26)
!29 = !DILocation(line: 39, column: 23, scope: !25, inlinedAt: !26)
!30 = !DILocation(line: 40, column: 11, scope: !25, inlinedAt: !26)
!31 = !DILocation(line: 41, column: 19, scope: !25, inlinedAt: !26)
!32 = !DILocation(line: 41, column: 17, scope: !25, inlinedAt: !26)
!33 = !DILocation(line: 42, column: 3, scope: !25, inlinedAt: !26)
!34 = !DILocation(line: 43, column: 51, scope: !25, inlinedAt: !26)
!35 = !DILocation(line: 43, column: 23, scope: !25, inlinedAt: !26)
!36 = !DILocation(line: 43, column: 3, scope: !25, inlinedAt: !26)
!37 = !DILocation(line: 43, column: 21, scope: !25, inlinedAt: !26)
!38 = !DILocation(line: 44, column: 35, scope: !25, inlinedAt: !26)
!39 = !DILocation(line: 44, column: 41, scope: !25, inlinedAt: !26)
!40 = !DILocation(line: 44, column: 46, scope: !25, inlinedAt: !26)
!41 = !DILocation(line: 44, column: 54, scope: !25, inlinedAt: !26)
!42 = !DILocation(line: 44, column: 23, scope: !25, inlinedAt: !26)
!43 = !DILocation(line: 44, column: 3, scope: !25, inlinedAt: !26)
!44 = !DILocation(line: 44, column: 21, scope: !25, inlinedAt: !26)
!45 = !DILocation(line: 45, column: 8, scope: !25, inlinedAt: !26)
!46 = !DILocation(line: 45, column: 3, scope: !25, inlinedAt: !26)
!47 = !DILocation(line: 48, column: 3, scope: !25, inlinedAt: !26)
!48 = !DILocation(line: 12, column: 3, scope: !49, inlinedAt: !50)
!49 = distinct !DISubprogram(name: "fill_tile", scope: !1, file: !1, line: 10, type: !13, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!50 = distinct !DILocation(line: 50, column: 3, scope: !25, inlinedAt: !26)
!51 = !DILocation(line: 21, column: 3, scope: !49, inlinedAt: !50)
!52 = !DILocation(line: 13, column: 13, scope: !49, inlinedAt: !50)
!53 = !DILocation(line: 15, column: 23, scope: !49, inlinedAt: !50)
!54 = !DILocation(line: 16, column: 27, scope: !49, inlinedAt: !50)
!55 = !DILocation(line: 16, column: 44, scope: !49, inlinedAt: !50)
!56 = !DILocation(line: 16, column: 23, scope: !49, inlinedAt: !50)
!57 = !DILocation(line: 16, column: 61, scope: !49, inlinedAt: !50)
!58 = !DILocation(line: 17, column: 25, scope: !49, inlinedAt: !50)
!59 = !DILocation(line: 17, column: 47, scope: !49, inlinedAt: !50)
!60 = !DILocation(line: 17, column: 45, scope: !49, inlinedAt: !50)
!61 = !DILocation(line: 17, column: 21, scope: !49, inlinedAt: !50)
!62 = !DILocation(line: 17, column: 7, scope: !49, inlinedAt: !50)
!63 = !DILocation(line: 17, column: 19, scope: !49, inlinedAt: !50)
!64 = !DILocation(line: 18, column: 5, scope: !49, inlinedAt: !50)
!65 = !DILocation(line: 19, column: 5, scope: !49, inlinedAt: !50)
!66 = !DILocation(line: 12, column: 29, scope: !49, inlinedAt: !50)
!67 = !DILocation(line: 12, column: 21, scope: !49, inlinedAt: !50)
!68 = distinct !{!68, !48, !69, !70}
!69 = !DILocation(line: 20, column: 3, scope: !49, inlinedAt: !50)
!70 = !{!"llvm.loop.unroll.disable"}
!71 = !DILocation(line: 22, column: 13, scope: !49, inlinedAt: !50)
!72 = !DILocation(line: 23, column: 30, scope: !49, inlinedAt: !50)
!73 = !DILocation(line: 25, column: 38, scope: !49, inlinedAt: !50)
!74 = !DILocation(line: 25, column: 27, scope: !49, inlinedAt: !50)
!75 = !DILocation(line: 25, column: 44, scope: !49, inlinedAt: !50)
!76 = !DILocation(line: 25, column: 23, scope: !49, inlinedAt: !50)
!77 = !DILocation(line: 25, column: 61, scope: !49, inlinedAt: !50)
!78 = !DILocation(line: 26, column: 25, scope: !49, inlinedAt: !50)
!79 = !DILocation(line: 26, column: 47, scope: !49, inlinedAt: !50)
!80 = !DILocation(line: 26, column: 45, scope: !49, inlinedAt: !50)
!81 = !DILocation(line: 26, column: 21, scope: !49, inlinedAt: !50)
!82 = !DILocation(line: 26, column: 7, scope: !49, inlinedAt: !50)
!83 = !DILocation(line: 26, column: 19, scope: !49, inlinedAt: !50)
!84 = !DILocation(line: 27, column: 5, scope: !49, inlinedAt: !50)
!85 = !DILocation(line: 28, column: 5, scope: !49, inlinedAt: !50)
!86 = !DILocation(line: 21, column: 34, scope: !49, inlinedAt: !50)
!87 = !DILocation(line: 21, column: 28, scope: !49, inlinedAt: !50)
!88 = distinct !{!88, !51, !89, !70}
!89 = !DILocation(line: 29, column: 3, scope: !49, inlinedAt: !50)
!90 = !DILocation(line: 46, column: 37, scope: !25, inlinedAt: !26)
!91 = !DILocation(line: 46, column: 42, scope: !25, inlinedAt: !26)
!92 = !DILocation(line: 46, column: 55, scope: !25, inlinedAt: !26)
!93 = !DILocation(line: 46, column: 21, scope: !25, inlinedAt: !26)
!94 = !DILocation(line: 46, column: 5, scope: !25, inlinedAt: !26)
!95 = !DILocation(line: 46, column: 19, scope: !25, inlinedAt: !26)
!96 = !DILocation(line: 45, column: 29, scope: !25, inlinedAt: !26)
!97 = !DILocation(line: 45, column: 21, scope: !25, inlinedAt: !26)
!98 = distinct !{!98, !46, !99, !70}
!99 = !DILocation(line: 47, column: 3, scope: !25, inlinedAt: !26)
!100 = !DILocation(line: 53, column: 64, scope: !25, inlinedAt: !26)
!101 = !DILocation(line: 53, column: 56, scope: !25, inlinedAt: !26)
!102 = !DILocation(line: 53, column: 21, scope: !25, inlinedAt: !26)
!103 = !DILocation(line: 53, column: 26, scope: !25, inlinedAt: !26)
!104 = !DILocation(line: 53, column: 43, scope: !25, inlinedAt: !26)
!105 = !DILocation(line: 53, column: 5, scope: !25, inlinedAt: !26)
!106 = !DILocation(line: 53, column: 54, scope: !25, inlinedAt: !26)
!107 = !DILocation(line: 52, column: 21, scope: !25, inlinedAt: !26)
!108 = !DILocation(line: 52, column: 3, scope: !25, inlinedAt: !26)
!109 = distinct !{!109, !108, !110, !70}
!110 = !DILocation(line: 54, column: 3, scope: !25, inlinedAt: !26)
!111 = !DILocation(line: 64, column: 1, scope: !21)
!112 = distinct !DISubprogram(name: "nw_lower_right", scope: !1, file: !1, line: 67, type: !13, scopeLine: 68, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!113 = !DILocation(line: 68, column: 64, scope: !112)
!114 = !DILocation(line: 73, column: 1, scope: !112)
!115 = distinct !DISubprogram(name: "nw_lower_right", scope: !1, file: !1, line: 67, type: !13, scopeLine: 68, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!116 = !DILocation(line: 71, column: 17, scope: !115)
!117 = !DILocation(line: 72, column: 48, scope: !115)
!118 = !DILocation(line: 72, column: 59, scope: !115)
!119 = !DILocation(line: 72, column: 73, scope: !115)
!120 = !DILocation(line: 36, column: 19, scope: !25, inlinedAt: !121)
!121 = distinct !DILocation(line: 72, column: 3, scope: !115)
!122 = !DILocation(line: 37, column: 28, scope: !25, inlinedAt: !121)
!123 = !DILocation(line: 38, column: 34, scope: !25, inlinedAt: !121)
!124 = !DILocation(line: 39, column: 23, scope: !25, inlinedAt: !121)
!125 = !DILocation(line: 40, column: 11, scope: !25, inlinedAt: !121)
!126 = !DILocation(line: 41, column: 19, scope: !25, inlinedAt: !121)
!127 = !DILocation(line: 41, column: 17, scope: !25, inlinedAt: !121)
!128 = !DILocation(line: 42, column: 3, scope: !25, inlinedAt: !121)
!129 = !DILocation(line: 43, column: 51, scope: !25, inlinedAt: !121)
!130 = !DILocation(line: 43, column: 23, scope: !25, inlinedAt: !121)
!131 = !DILocation(line: 43, column: 3, scope: !25, inlinedAt: !121)
!132 = !DILocation(line: 43, column: 21, scope: !25, inlinedAt: !121)
!133 = !DILocation(line: 44, column: 35, scope: !25, inlinedAt: !121)
!134 = !DILocation(line: 44, column: 41, scope: !25, inlinedAt: !121)
!135 = !DILocation(line: 44, column: 46, scope: !25, inlinedAt: !121)
!136 = !DILocation(line: 44, column: 54, scope: !25, inlinedAt: !121)
!137 = !DILocation(line: 44, column: 23, scope: !25, inlinedAt: !121)
!138 = !DILocation(line: 44, column: 3, scope: !25, inlinedAt: !121)
!139 = !DILocation(line: 44, column: 21, scope: !25, inlinedAt: !121)
!140 = !DILocation(line: 45, column: 8, scope: !25, inlinedAt: !121)
!141 = !DILocation(line: 45, column: 3, scope: !25, inlinedAt: !121)
!142 = !DILocation(line: 48, column: 3, scope: !25, inlinedAt: !121)
!143 = !DILocation(line: 12, column: 3, scope: !49, inlinedAt: !144)
!144 = distinct !DILocation(line: 50, column: 3, scope: !25, inlinedAt: !121)
!145 = !DILocation(line: 21, column: 3, scope: !49, inlinedAt: !144)
!146 = !DILocation(line: 13, column: 13, scope: !49, inlinedAt: !144)
!147 = !DILocation(line: 15, column: 23, scope: !49, inlinedAt: !144)
!148 = !DILocation(line: 16, column: 27, scope: !49, inlinedAt: !144)
!149 = !DILocation(line: 16, column: 44, scope: !49, inlinedAt: !144)
!150 = !DILocation(line: 16, column: 23, scope: !49, inlinedAt: !144)
!151 = !DILocation(line: 16, column: 61, scope: !49, inlinedAt: !144)
!152 = !DILocation(line: 17, column: 25, scope: !49, inlinedAt: !144)
!153 = !DILocation(line: 17, column: 47, scope: !49, inlinedAt: !144)
!154 = !DILocation(line: 17, column: 45, scope: !49, inlinedAt: !144)
!155 = !DILocation(line: 17, column: 21, scope: !49, inlinedAt: !144)
!156 = !DILocation(line: 17, column: 7, scope: !49, inlinedAt: !144)
!157 = !DILocation(line: 17, column: 19, scope: !49, inlinedAt: !144)
!158 = !DILocation(line: 18, column: 5, scope: !49, inlinedAt: !144)
!159 = !DILocation(line: 19, column: 5, scope: !49, inlinedAt: !144)
!160 = !DILocation(line: 12, column: 29, scope: !49, inlinedAt: !144)
!161 = !DILocation(line: 12, column: 21, scope: !49, inlinedAt: !144)
!162 = distinct !{!162, !143, !163, !70}
!163 = !DILocation(line: 20, column: 3, scope: !49, inlinedAt: !144)
!164 = !DILocation(line: 22, column: 13, scope: !49, inlinedAt: !144)
!165 = !DILocation(line: 23, column: 30, scope: !49, inlinedAt: !144)
!166 = !DILocation(line: 25, column: 38, scope: !49, inlinedAt: !144)
!167 = !DILocation(line: 25, column: 27, scope: !49, inlinedAt: !144)
!168 = !DILocation(line: 25, column: 44, scope: !49, inlinedAt: !144)
!169 = !DILocation(line: 25, column: 23, scope: !49, inlinedAt: !144)
!170 = !DILocation(line: 25, column: 61, scope: !49, inlinedAt: !144)
!171 = !DILocation(line: 26, column: 25, scope: !49, inlinedAt: !144)
!172 = !DILocation(line: 26, column: 47, scope: !49, inlinedAt: !144)
!173 = !DILocation(line: 26, column: 45, scope: !49, inlinedAt: !144)
!174 = !DILocation(line: 26, column: 21, scope: !49, inlinedAt: !144)
!175 = !DILocation(line: 26, column: 7, scope: !49, inlinedAt: !144)
!176 = !DILocation(line: 26, column: 19, scope: !49, inlinedAt: !144)
!177 = !DILocation(line: 27, column: 5, scope: !49, inlinedAt: !144)
!178 = !DILocation(line: 28, column: 5, scope: !49, inlinedAt: !144)
!179 = !DILocation(line: 21, column: 34, scope: !49, inlinedAt: !144)
!180 = !DILocation(line: 21, column: 28, scope: !49, inlinedAt: !144)
!181 = distinct !{!181, !145, !182, !70}
!182 = !DILocation(line: 29, column: 3, scope: !49, inlinedAt: !144)
!183 = !DILocation(line: 46, column: 37, scope: !25, inlinedAt: !121)
!184 = !DILocation(line: 46, column: 42, scope: !25, inlinedAt: !121)
!185 = !DILocation(line: 46, column: 55, scope: !25, inlinedAt: !121)
!186 = !DILocation(line: 46, column: 21, scope: !25, inlinedAt: !121)
!187 = !DILocation(line: 46, column: 5, scope: !25, inlinedAt: !121)
!188 = !DILocation(line: 46, column: 19, scope: !25, inlinedAt: !121)
!189 = !DILocation(line: 45, column: 29, scope: !25, inlinedAt: !121)
!190 = !DILocation(line: 45, column: 21, scope: !25, inlinedAt: !121)
!191 = distinct !{!191, !141, !192, !70}
!192 = !DILocation(line: 47, column: 3, scope: !25, inlinedAt: !121)
!193 = !DILocation(line: 53, column: 64, scope: !25, inlinedAt: !121)
!194 = !DILocation(line: 53, column: 56, scope: !25, inlinedAt: !121)
!195 = !DILocation(line: 53, column: 21, scope: !25, inlinedAt: !121)
!196 = !DILocation(line: 53, column: 26, scope: !25, inlinedAt: !121)
!197 = !DILocation(line: 53, column: 43, scope: !25, inlinedAt: !121)
!198 = !DILocation(line: 53, column: 5, scope: !25, inlinedAt: !121)
!199 = !DILocation(line: 53, column: 54, scope: !25, inlinedAt: !121)
!200 = !DILocation(line: 52, column: 21, scope: !25, inlinedAt: !121)
!201 = !DILocation(line: 52, column: 3, scope: !25, inlinedAt: !121)
!202 = distinct !{!202, !201, !203, !70}
!203 = !DILocation(line: 54, column: 3, scope: !25, inlinedAt: !121)
!204 = !DILocation(line: 73, column: 1, scope: !115)
