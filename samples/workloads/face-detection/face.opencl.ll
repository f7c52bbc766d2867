; ModuleID = 'face.cl'
source_filename = "face.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Stage = type { i32, i32, i32 }
%struct.Stump = type { [3 x i32], [3 x i32], float, i32, i32 }

@integral_rows.sum = internal unnamed_addr addrspace(3) global [128 x i32] undef, align 4
@integral_rows.square = internal unnamed_addr addrspace(3) global [128 x i32] undef, align 4

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @shrink(ptr addrspace(1) noalias noundef readonly align 1 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 1 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_shrink(ptr addrspace(1) noundef align 1 %0, ptr addrspace(1) noundef align 1 %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) #9, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_shrink(ptr addrspace(1) noalias noundef readonly align 1 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 1 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %7 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #10, !dbg !22
  %8 = trunc i64 %7 to i32, !dbg !22
  %9 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #10, !dbg !23
  %10 = trunc i64 %9 to i32, !dbg !23
  %11 = icmp sgt i32 %3, %8, !dbg !24
  %12 = icmp sgt i32 %4, %10
  %13 = select i1 %11, i1 %12, i1 false, !dbg !25
  br i1 %13, label %14, label %65, !dbg !25

14:                                               ; preds = %6
  %15 = mul nsw i32 %5, %8, !dbg !26
  %16 = lshr i32 %15, 8, !dbg !27
  %17 = mul nsw i32 %5, %10, !dbg !28
  %18 = lshr i32 %17, 8, !dbg !29
  %19 = and i32 %16, 255, !dbg !30
  %20 = and i32 %18, 255, !dbg !31
  %21 = ashr i32 %17, 16, !dbg !32
  %22 = mul nsw i32 %21, %2, !dbg !33
  %23 = sext i32 %22 to i64, !dbg !34
  %24 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %23, !dbg !34
  %25 = ashr i32 %15, 16, !dbg !35
  %26 = sext i32 %25 to i64, !dbg !36
  %27 = getelementptr inbounds i8, ptr addrspace(1) %24, i64 %26, !dbg !36
  %28 = icmp ne i32 %19, 0, !dbg !37
  %29 = zext i1 %28 to i32, !dbg !37
  %30 = icmp eq i32 %20, 0, !dbg !38
  %31 = select i1 %30, i32 0, i32 %2, !dbg !38
  %32 = sub nuw nsw i32 256, %19, !dbg !39
  %33 = load i8, ptr addrspace(1) %27, align 1, !dbg !40, !tbaa !41
  %34 = zext i8 %33 to i32, !dbg !40
  %35 = mul nuw nsw i32 %32, %34, !dbg !42
  %36 = zext i1 %28 to i64, !dbg !43
  %37 = getelementptr inbounds nuw i8, ptr addrspace(1) %27, i64 %36, !dbg !43
  %38 = load i8, ptr addrspace(1) %37, align 1, !dbg !43, !tbaa !41
  %39 = zext i8 %38 to i32, !dbg !43
  %40 = mul nuw nsw i32 %19, %39, !dbg !44
  %41 = add nuw nsw i32 %40, %35, !dbg !45
  %42 = sext i32 %31 to i64, !dbg !46
  %43 = getelementptr inbounds i8, ptr addrspace(1) %27, i64 %42, !dbg !46
  %44 = load i8, ptr addrspace(1) %43, align 1, !dbg !46, !tbaa !41
  %45 = zext i8 %44 to i32, !dbg !46
  %46 = mul nuw nsw i32 %32, %45, !dbg !47
  %47 = add nsw i32 %31, %29, !dbg !48
  %48 = sext i32 %47 to i64, !dbg !49
  %49 = getelementptr inbounds i8, ptr addrspace(1) %27, i64 %48, !dbg !49
  %50 = load i8, ptr addrspace(1) %49, align 1, !dbg !49, !tbaa !41
  %51 = zext i8 %50 to i32, !dbg !49
  %52 = mul nuw nsw i32 %19, %51, !dbg !50
  %53 = add nuw nsw i32 %52, %46, !dbg !51
  %54 = sub nuw nsw i32 256, %20, !dbg !52
  %55 = mul nuw nsw i32 %41, %54, !dbg !53
  %56 = mul nuw nsw i32 %53, %20, !dbg !54
  %57 = add nuw nsw i32 %55, 32768, !dbg !55
  %58 = add nuw nsw i32 %57, %56, !dbg !56
  %59 = lshr i32 %58, 16, !dbg !57
  %60 = trunc i32 %59 to i8, !dbg !58
  %61 = mul nsw i32 %3, %10, !dbg !59
  %62 = add nsw i32 %61, %8, !dbg !60
  %63 = sext i32 %62 to i64, !dbg !61
  %64 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %63, !dbg !61
  store i8 %60, ptr addrspace(1) %64, align 1, !dbg !62, !tbaa !41
  br label %65, !dbg !63

65:                                               ; preds = %6, %14
  ret void, !dbg !63
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @integral_rows(ptr addrspace(1) noalias noundef readonly align 1 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2, i32 noundef %3) local_unnamed_addr #2 !dbg !64 !kernel_arg_addr_space !65 !kernel_arg_access_qual !66 !kernel_arg_type !67 !kernel_arg_base_type !67 !kernel_arg_type_qual !68 {
  tail call void @__clang_ocl_kern_imp_integral_rows(ptr addrspace(1) noundef align 1 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, i32 noundef %3) #9, !dbg !69
  ret void, !dbg !70
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_integral_rows(ptr addrspace(1) noalias noundef readonly align 1 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2, i32 noundef %3) local_unnamed_addr #3 !dbg !71 !kernel_arg_addr_space !65 !kernel_arg_access_qual !66 !kernel_arg_type !67 !kernel_arg_base_type !67 !kernel_arg_type_qual !68 {
  %5 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #10, !dbg !72
  %6 = trunc i64 %5 to i32, !dbg !72
  %7 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #10, !dbg !73
  %8 = trunc i64 %7 to i32, !dbg !74
  %9 = mul nsw i32 %3, %8, !dbg !75
  %10 = sext i32 %9 to i64, !dbg !76
  %11 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %10, !dbg !76
  %12 = add nsw i32 %8, 1, !dbg !77
  %13 = add nsw i32 %3, 1, !dbg !78
  %14 = mul nsw i32 %12, %13, !dbg !79
  %15 = icmp eq i32 %6, 0, !dbg !80
  br i1 %15, label %16, label %20, !dbg !80

16:                                               ; preds = %4
  %17 = sext i32 %14 to i64
  %18 = getelementptr inbounds i32, ptr addrspace(1) %2, i64 %17
  %19 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %17
  store i32 0, ptr addrspace(1) %19, align 4, !dbg !81, !tbaa !8
  store i32 0, ptr addrspace(1) %18, align 4, !dbg !82, !tbaa !8
  br label %20, !dbg !83

20:                                               ; preds = %16, %4
  %21 = icmp sgt i32 %3, 0, !dbg !84
  br i1 %21, label %22, label %29, !dbg !85

22:                                               ; preds = %20
  %23 = shl i64 %5, 32
  %24 = ashr exact i64 %23, 32
  %25 = getelementptr inbounds i32, ptr addrspace(3) @integral_rows.sum, i64 %24
  %26 = getelementptr inbounds i32, ptr addrspace(3) @integral_rows.square, i64 %24
  %27 = add i32 %6, 1
  %28 = add i32 %27, %14
  br label %30, !dbg !85

29:                                               ; preds = %77, %20
  ret void, !dbg !86

30:                                               ; preds = %22, %77
  %31 = phi i32 [ 0, %22 ], [ %79, %77 ]
  %32 = phi i32 [ 0, %22 ], [ %81, %77 ]
  %33 = phi i32 [ 0, %22 ], [ %82, %77 ]
  %34 = add nsw i32 %33, %6, !dbg !87
  %35 = icmp slt i32 %34, %3, !dbg !88
  br i1 %35, label %36, label %41, !dbg !89

36:                                               ; preds = %30
  %37 = sext i32 %34 to i64
  %38 = getelementptr inbounds i8, ptr addrspace(1) %11, i64 %37
  %39 = load i8, ptr addrspace(1) %38, align 1, !dbg !90, !tbaa !41
  %40 = zext i8 %39 to i32, !dbg !90
  br label %41, !dbg !89

41:                                               ; preds = %30, %36
  %42 = phi i32 [ %40, %36 ], [ 0, %30 ], !dbg !89
  store i32 %42, ptr addrspace(3) %25, align 4, !dbg !91, !tbaa !8
  %43 = mul nuw nsw i32 %42, %42, !dbg !92
  store i32 %43, ptr addrspace(3) %26, align 4, !dbg !93, !tbaa !8
  tail call void @_Z7barrierj(i32 noundef 1) #9, !dbg !94
  br label %45, !dbg !95

44:                                               ; preds = %60
  br i1 %35, label %68, label %77, !dbg !96

45:                                               ; preds = %41, %60
  %46 = phi i32 [ 1, %41 ], [ %66, %60 ]
  %47 = icmp sgt i32 %46, %6, !dbg !97
  br i1 %47, label %53, label %48, !dbg !98

48:                                               ; preds = %45
  %49 = sub nsw i32 %6, %46
  %50 = zext nneg i32 %49 to i64
  %51 = getelementptr inbounds nuw i32, ptr addrspace(3) @integral_rows.sum, i64 %50
  %52 = load i32, ptr addrspace(3) %51, align 4, !dbg !99, !tbaa !8
  br label %53, !dbg !98

53:                                               ; preds = %45, %48
  %54 = phi i32 [ %52, %48 ], [ 0, %45 ], !dbg !98
  br i1 %47, label %60, label %55, !dbg !100

55:                                               ; preds = %53
  %56 = sub nsw i32 %6, %46
  %57 = zext nneg i32 %56 to i64
  %58 = getelementptr inbounds nuw i32, ptr addrspace(3) @integral_rows.square, i64 %57
  %59 = load i32, ptr addrspace(3) %58, align 4, !dbg !101, !tbaa !8
  br label %60, !dbg !100

60:                                               ; preds = %53, %55
  %61 = phi i32 [ %59, %55 ], [ 0, %53 ], !dbg !100
  tail call void @_Z7barrierj(i32 noundef 1) #9, !dbg !102
  %62 = load i32, ptr addrspace(3) %25, align 4, !dbg !103, !tbaa !8
  %63 = add i32 %62, %54, !dbg !103
  store i32 %63, ptr addrspace(3) %25, align 4, !dbg !103, !tbaa !8
  %64 = load i32, ptr addrspace(3) %26, align 4, !dbg !104, !tbaa !8
  %65 = add i32 %64, %61, !dbg !104
  store i32 %65, ptr addrspace(3) %26, align 4, !dbg !104, !tbaa !8
  tail call void @_Z7barrierj(i32 noundef 1) #9, !dbg !105
  %66 = shl nuw nsw i32 %46, 1, !dbg !106
  %67 = icmp samesign ult i32 %46, 64, !dbg !107
  br i1 %67, label %45, label %44, !dbg !95, !llvm.loop !108

68:                                               ; preds = %44
  %69 = load i32, ptr addrspace(3) %25, align 4, !dbg !110, !tbaa !8
  %70 = add i32 %69, %31, !dbg !111
  %71 = add i32 %28, %33, !dbg !112
  %72 = sext i32 %71 to i64, !dbg !113
  %73 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %72, !dbg !113
  store i32 %70, ptr addrspace(1) %73, align 4, !dbg !114, !tbaa !8
  %74 = load i32, ptr addrspace(3) %26, align 4, !dbg !115, !tbaa !8
  %75 = add i32 %74, %32, !dbg !116
  %76 = getelementptr inbounds i32, ptr addrspace(1) %2, i64 %72, !dbg !117
  store i32 %75, ptr addrspace(1) %76, align 4, !dbg !118, !tbaa !8
  br label %77, !dbg !119

77:                                               ; preds = %68, %44
  %78 = load i32, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @integral_rows.sum, i64 508), align 4, !dbg !120, !tbaa !8
  %79 = add i32 %78, %31, !dbg !121
  %80 = load i32, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @integral_rows.square, i64 508), align 4, !dbg !122, !tbaa !8
  %81 = add i32 %80, %32, !dbg !123
  tail call void @_Z7barrierj(i32 noundef 1) #9, !dbg !124
  %82 = add nuw nsw i32 %33, 128, !dbg !125
  %83 = icmp slt i32 %82, %3, !dbg !84
  br i1 %83, label %30, label %29, !dbg !85, !llvm.loop !126
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @integral_columns(ptr addrspace(1) noalias noundef align 4 captures(none) %0, ptr addrspace(1) noalias noundef align 4 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #4 !dbg !128 !kernel_arg_addr_space !129 !kernel_arg_access_qual !66 !kernel_arg_type !130 !kernel_arg_base_type !130 !kernel_arg_type_qual !131 {
  tail call void @__clang_ocl_kern_imp_integral_columns(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2, i32 noundef %3) #9, !dbg !132
  ret void, !dbg !133
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_integral_columns(ptr addrspace(1) noalias noundef align 4 captures(none) %0, ptr addrspace(1) noalias noundef align 4 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #5 !dbg !134 !kernel_arg_addr_space !129 !kernel_arg_access_qual !66 !kernel_arg_type !130 !kernel_arg_base_type !130 !kernel_arg_type_qual !131 {
  %5 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #10, !dbg !135
  %6 = trunc i64 %5 to i32, !dbg !135
  %7 = icmp slt i32 %2, %6, !dbg !136
  br i1 %7, label %63, label %8, !dbg !136

8:                                                ; preds = %4
  %9 = shl i64 %5, 32, !dbg !137
  %10 = ashr exact i64 %9, 32, !dbg !137
  %11 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %10, !dbg !137
  store i32 0, ptr addrspace(1) %11, align 4, !dbg !138, !tbaa !8
  %12 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %10, !dbg !139
  store i32 0, ptr addrspace(1) %12, align 4, !dbg !140, !tbaa !8
  %13 = icmp slt i32 %3, 1, !dbg !141
  br i1 %13, label %63, label %14, !dbg !142

14:                                               ; preds = %8
  %15 = add nsw i32 %2, 1
  %16 = and i32 %3, 1, !dbg !142
  %17 = icmp eq i32 %3, 1, !dbg !142
  br i1 %17, label %49, label %18, !dbg !142

18:                                               ; preds = %14
  %19 = and i32 %3, 2147483646, !dbg !142
  br label %20, !dbg !142

20:                                               ; preds = %20, %18
  %21 = phi i32 [ 1, %18 ], [ %44, %20 ]
  %22 = phi i32 [ 0, %18 ], [ %43, %20 ]
  %23 = phi i32 [ 0, %18 ], [ %40, %20 ]
  %24 = phi i32 [ 0, %18 ], [ %45, %20 ]
  %25 = mul nsw i32 %21, %15, !dbg !143
  %26 = add nsw i32 %25, %6, !dbg !144
  %27 = sext i32 %26 to i64, !dbg !145
  %28 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %27, !dbg !145
  %29 = load i32, ptr addrspace(1) %28, align 4, !dbg !145, !tbaa !8
  %30 = add i32 %29, %23, !dbg !146
  %31 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %27, !dbg !147
  %32 = load i32, ptr addrspace(1) %31, align 4, !dbg !147, !tbaa !8
  %33 = add i32 %32, %22, !dbg !148
  store i32 %30, ptr addrspace(1) %28, align 4, !dbg !149, !tbaa !8
  store i32 %33, ptr addrspace(1) %31, align 4, !dbg !150, !tbaa !8
  %34 = add nuw i32 %21, 1, !dbg !151
  %35 = mul nsw i32 %34, %15, !dbg !143
  %36 = add nsw i32 %35, %6, !dbg !144
  %37 = sext i32 %36 to i64, !dbg !145
  %38 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %37, !dbg !145
  %39 = load i32, ptr addrspace(1) %38, align 4, !dbg !145, !tbaa !8
  %40 = add i32 %39, %30, !dbg !146
  %41 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %37, !dbg !147
  %42 = load i32, ptr addrspace(1) %41, align 4, !dbg !147, !tbaa !8
  %43 = add i32 %42, %33, !dbg !148
  store i32 %40, ptr addrspace(1) %38, align 4, !dbg !149, !tbaa !8
  store i32 %43, ptr addrspace(1) %41, align 4, !dbg !150, !tbaa !8
  %44 = add nuw i32 %21, 2, !dbg !151
  %45 = add nuw i32 %24, 2, !dbg !142
  %46 = icmp eq i32 %45, %19, !dbg !142
  br i1 %46, label %47, label %20, !dbg !142, !llvm.loop !152

47:                                               ; preds = %20
  %48 = icmp eq i32 %16, 0, !dbg !142
  br i1 %48, label %63, label %49, !dbg !142

49:                                               ; preds = %47, %14
  %50 = phi i32 [ 1, %14 ], [ %44, %47 ]
  %51 = phi i32 [ 0, %14 ], [ %43, %47 ]
  %52 = phi i32 [ 0, %14 ], [ %40, %47 ]
  %53 = icmp ne i32 %16, 0, !dbg !142
  tail call void @llvm.assume(i1 %53), !dbg !142
  %54 = mul nsw i32 %50, %15, !dbg !143
  %55 = add nsw i32 %54, %6, !dbg !144
  %56 = sext i32 %55 to i64, !dbg !145
  %57 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %56, !dbg !145
  %58 = load i32, ptr addrspace(1) %57, align 4, !dbg !145, !tbaa !8
  %59 = add i32 %58, %52, !dbg !146
  %60 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %56, !dbg !147
  %61 = load i32, ptr addrspace(1) %60, align 4, !dbg !147, !tbaa !8
  %62 = add i32 %61, %51, !dbg !148
  store i32 %59, ptr addrspace(1) %57, align 4, !dbg !149, !tbaa !8
  store i32 %62, ptr addrspace(1) %60, align 4, !dbg !150, !tbaa !8
  br label %63, !dbg !154

63:                                               ; preds = %49, %47, %8, %4
  ret void, !dbg !154
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @cascade_begin(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 1 captures(none) %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7, ptr addrspace(4) noundef readonly align 4 captures(none) %8, ptr addrspace(4) noundef readonly align 4 captures(none) %9) local_unnamed_addr #4 !dbg !155 !kernel_arg_addr_space !156 !kernel_arg_access_qual !157 !kernel_arg_type !158 !kernel_arg_base_type !158 !kernel_arg_type_qual !159 {
  tail call void @__clang_ocl_kern_imp_cascade_begin(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 1 %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7, ptr addrspace(4) noundef align 4 %8, ptr addrspace(4) noundef align 4 %9) #9, !dbg !160
  ret void, !dbg !161
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_cascade_begin(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 1 captures(none) %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7, ptr addrspace(4) noundef readonly align 4 captures(none) %8, ptr addrspace(4) noundef readonly align 4 captures(none) %9) local_unnamed_addr #5 !dbg !162 !kernel_arg_addr_space !156 !kernel_arg_access_qual !157 !kernel_arg_type !158 !kernel_arg_base_type !158 !kernel_arg_type_qual !159 {
  %11 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #10, !dbg !163
  %12 = trunc i64 %11 to i32, !dbg !163
  %13 = tail call i64 @_Z13get_global_idj(i32 noundef 1) #10, !dbg !164
  %14 = trunc i64 %13 to i32, !dbg !164
  %15 = icmp sgt i32 %4, %12, !dbg !165
  %16 = icmp sgt i32 %5, %14
  %17 = select i1 %15, i1 %16, i1 false, !dbg !166
  br i1 %17, label %18, label %206, !dbg !166

18:                                               ; preds = %10
  %19 = add nsw i32 %3, 1, !dbg !167
  %20 = mul nsw i32 %19, %14, !dbg !168
  %21 = add nsw i32 %20, %12, !dbg !169
  %22 = mul nsw i32 %21, %6, !dbg !170
  %23 = sext i32 %22 to i64, !dbg !171
  %24 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %23, !dbg !171
  %25 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %23, !dbg !172
  %26 = mul i32 %19, 24, !dbg !173
  %27 = load i32, ptr addrspace(1) %24, align 4, !dbg !178, !tbaa !8
  %28 = add nsw i32 %26, 24, !dbg !179
  %29 = sext i32 %28 to i64, !dbg !180
  %30 = getelementptr inbounds i32, ptr addrspace(1) %24, i64 %29, !dbg !180
  %31 = load i32, ptr addrspace(1) %30, align 4, !dbg !180, !tbaa !8
  %32 = getelementptr inbounds nuw i8, ptr addrspace(1) %24, i64 96, !dbg !181
  %33 = load i32, ptr addrspace(1) %32, align 4, !dbg !181, !tbaa !8
  %34 = sext i32 %26 to i64, !dbg !182
  %35 = getelementptr inbounds i32, ptr addrspace(1) %24, i64 %34, !dbg !182
  %36 = load i32, ptr addrspace(1) %35, align 4, !dbg !182, !tbaa !8
  %37 = add i32 %31, %27, !dbg !183
  %38 = add i32 %33, %36, !dbg !183
  %39 = sub i32 %37, %38, !dbg !183
  %40 = zext i32 %39 to i64, !dbg !184
  %41 = load i32, ptr addrspace(1) %25, align 4, !dbg !185, !tbaa !8
  %42 = getelementptr inbounds i32, ptr addrspace(1) %25, i64 %29, !dbg !187
  %43 = load i32, ptr addrspace(1) %42, align 4, !dbg !187, !tbaa !8
  %44 = getelementptr inbounds nuw i8, ptr addrspace(1) %25, i64 96, !dbg !188
  %45 = load i32, ptr addrspace(1) %44, align 4, !dbg !188, !tbaa !8
  %46 = getelementptr inbounds i32, ptr addrspace(1) %25, i64 %34, !dbg !189
  %47 = load i32, ptr addrspace(1) %46, align 4, !dbg !189, !tbaa !8
  %48 = add i32 %43, %41, !dbg !190
  %49 = add i32 %45, %47, !dbg !190
  %50 = sub i32 %48, %49, !dbg !190
  %51 = zext i32 %50 to i64, !dbg !191
  %52 = mul nuw nsw i64 %51, 576, !dbg !192
  %53 = mul nuw nsw i64 %40, %40, !dbg !193
  %54 = sub nsw i64 %52, %53, !dbg !194
  %55 = icmp slt i64 %54, 8294400, !dbg !195
  br i1 %55, label %59, label %56, !dbg !196

56:                                               ; preds = %18
  %57 = uitofp nneg i64 %54 to float
  %58 = tail call float @_Z4sqrtf(float noundef %57) #10, !dbg !197, !fpmath !198
  br label %59, !dbg !196

59:                                               ; preds = %18, %56
  %60 = phi float [ %58, %56 ], [ 0.000000e+00, %18 ], !dbg !196
  %61 = fcmp ogt float %60, 0.000000e+00, !dbg !199
  %62 = icmp sgt i32 %7, 0
  %63 = and i1 %61, %62, !dbg !199
  br i1 %63, label %64, label %200, !dbg !199

64:                                               ; preds = %59, %194
  %65 = phi i32 [ %195, %194 ], [ 0, %59 ]
  %66 = zext nneg i32 %65 to i64, !dbg !200
  %67 = getelementptr inbounds nuw %struct.Stage, ptr addrspace(4) %9, i64 %66, !dbg !200
  %68 = getelementptr inbounds nuw i8, ptr addrspace(4) %67, i64 4
  %69 = load i32, ptr addrspace(4) %68, align 4, !tbaa !203
  %70 = icmp sgt i32 %69, 0, !dbg !205
  br i1 %70, label %71, label %75, !dbg !206

71:                                               ; preds = %64
  %72 = load i32, ptr addrspace(4) %67, align 4, !dbg !207, !tbaa !208
  %73 = sext i32 %72 to i64, !dbg !209
  %74 = getelementptr inbounds %struct.Stump, ptr addrspace(4) %8, i64 %73, !dbg !209
  br label %80, !dbg !206

75:                                               ; preds = %180, %64
  %76 = phi i32 [ 0, %64 ], [ %190, %180 ], !dbg !210
  %77 = getelementptr inbounds nuw i8, ptr addrspace(4) %67, i64 8, !dbg !211
  %78 = load i32, ptr addrspace(4) %77, align 4, !dbg !211, !tbaa !212
  %79 = icmp slt i32 %76, %78, !dbg !213
  br i1 %79, label %197, label %194

80:                                               ; preds = %180, %71
  %81 = phi i32 [ %191, %180 ], [ 0, %71 ]
  %82 = phi i32 [ %190, %180 ], [ 0, %71 ]
  %83 = phi ptr addrspace(4) [ %192, %180 ], [ %74, %71 ]
  %84 = getelementptr inbounds nuw i8, ptr addrspace(4) %83, i64 12, !dbg !214
  %85 = load i32, ptr addrspace(4) %84, align 4, !dbg !215, !tbaa !8
  %86 = load i32, ptr addrspace(4) %83, align 4, !dbg !216, !tbaa !8
  %87 = lshr i32 %86, 16, !dbg !217
  %88 = and i32 %87, 255, !dbg !219
  %89 = lshr i32 %86, 24, !dbg !220
  %90 = mul i32 %89, %19, !dbg !221
  %91 = lshr i32 %86, 8, !dbg !222
  %92 = and i32 %91, 255, !dbg !223
  %93 = mul i32 %92, %19, !dbg !224
  %94 = zext i32 %93 to i64, !dbg !225
  %95 = getelementptr inbounds nuw i32, ptr addrspace(1) %24, i64 %94, !dbg !225
  %96 = and i32 %86, 255, !dbg !226
  %97 = zext nneg i32 %96 to i64, !dbg !227
  %98 = getelementptr inbounds nuw i32, ptr addrspace(1) %95, i64 %97, !dbg !227
  %99 = load i32, ptr addrspace(1) %98, align 4, !dbg !228, !tbaa !8
  %100 = add nsw i32 %90, %88, !dbg !229
  %101 = sext i32 %100 to i64, !dbg !230
  %102 = getelementptr inbounds i32, ptr addrspace(1) %98, i64 %101, !dbg !230
  %103 = load i32, ptr addrspace(1) %102, align 4, !dbg !230, !tbaa !8
  %104 = zext nneg i32 %88 to i64, !dbg !231
  %105 = getelementptr inbounds nuw i32, ptr addrspace(1) %98, i64 %104, !dbg !231
  %106 = load i32, ptr addrspace(1) %105, align 4, !dbg !231, !tbaa !8
  %107 = sext i32 %90 to i64, !dbg !232
  %108 = getelementptr inbounds i32, ptr addrspace(1) %98, i64 %107, !dbg !232
  %109 = load i32, ptr addrspace(1) %108, align 4, !dbg !232, !tbaa !8
  %110 = add i32 %103, %99, !dbg !233
  %111 = add i32 %106, %109, !dbg !233
  %112 = sub i32 %110, %111, !dbg !233
  %113 = mul nsw i32 %112, %85, !dbg !234
  %114 = getelementptr inbounds nuw i8, ptr addrspace(4) %83, i64 16, !dbg !235
  %115 = load i32, ptr addrspace(4) %114, align 4, !dbg !235, !tbaa !8
  %116 = getelementptr inbounds nuw i8, ptr addrspace(4) %83, i64 4, !dbg !236
  %117 = load i32, ptr addrspace(4) %116, align 4, !dbg !236, !tbaa !8
  %118 = lshr i32 %117, 16, !dbg !237
  %119 = and i32 %118, 255, !dbg !239
  %120 = lshr i32 %117, 24, !dbg !240
  %121 = mul i32 %120, %19, !dbg !241
  %122 = lshr i32 %117, 8, !dbg !242
  %123 = and i32 %122, 255, !dbg !243
  %124 = mul i32 %123, %19, !dbg !244
  %125 = zext i32 %124 to i64, !dbg !245
  %126 = getelementptr inbounds nuw i32, ptr addrspace(1) %24, i64 %125, !dbg !245
  %127 = and i32 %117, 255, !dbg !246
  %128 = zext nneg i32 %127 to i64, !dbg !247
  %129 = getelementptr inbounds nuw i32, ptr addrspace(1) %126, i64 %128, !dbg !247
  %130 = load i32, ptr addrspace(1) %129, align 4, !dbg !248, !tbaa !8
  %131 = add nsw i32 %121, %119, !dbg !249
  %132 = sext i32 %131 to i64, !dbg !250
  %133 = getelementptr inbounds i32, ptr addrspace(1) %129, i64 %132, !dbg !250
  %134 = load i32, ptr addrspace(1) %133, align 4, !dbg !250, !tbaa !8
  %135 = zext nneg i32 %119 to i64, !dbg !251
  %136 = getelementptr inbounds nuw i32, ptr addrspace(1) %129, i64 %135, !dbg !251
  %137 = load i32, ptr addrspace(1) %136, align 4, !dbg !251, !tbaa !8
  %138 = sext i32 %121 to i64, !dbg !252
  %139 = getelementptr inbounds i32, ptr addrspace(1) %129, i64 %138, !dbg !252
  %140 = load i32, ptr addrspace(1) %139, align 4, !dbg !252, !tbaa !8
  %141 = add i32 %134, %130, !dbg !253
  %142 = add i32 %137, %140, !dbg !253
  %143 = sub i32 %141, %142, !dbg !253
  %144 = mul nsw i32 %143, %115, !dbg !254
  %145 = add nsw i32 %144, %113, !dbg !255
  %146 = getelementptr inbounds nuw i8, ptr addrspace(4) %83, i64 8, !dbg !256
  %147 = load i32, ptr addrspace(4) %146, align 4, !dbg !256, !tbaa !8
  %148 = icmp eq i32 %147, 0, !dbg !257
  br i1 %148, label %180, label %149, !dbg !257

149:                                              ; preds = %80
  %150 = getelementptr inbounds nuw i8, ptr addrspace(4) %83, i64 20, !dbg !258
  %151 = load i32, ptr addrspace(4) %150, align 4, !dbg !258, !tbaa !8
  %152 = lshr i32 %147, 16, !dbg !259
  %153 = and i32 %152, 255, !dbg !261
  %154 = lshr i32 %147, 24, !dbg !262
  %155 = mul i32 %154, %19, !dbg !263
  %156 = lshr i32 %147, 8, !dbg !264
  %157 = and i32 %156, 255, !dbg !265
  %158 = mul i32 %157, %19, !dbg !266
  %159 = zext i32 %158 to i64, !dbg !267
  %160 = getelementptr inbounds nuw i32, ptr addrspace(1) %24, i64 %159, !dbg !267
  %161 = and i32 %147, 255, !dbg !268
  %162 = zext nneg i32 %161 to i64, !dbg !269
  %163 = getelementptr inbounds nuw i32, ptr addrspace(1) %160, i64 %162, !dbg !269
  %164 = load i32, ptr addrspace(1) %163, align 4, !dbg !270, !tbaa !8
  %165 = add nsw i32 %155, %153, !dbg !271
  %166 = sext i32 %165 to i64, !dbg !272
  %167 = getelementptr inbounds i32, ptr addrspace(1) %163, i64 %166, !dbg !272
  %168 = load i32, ptr addrspace(1) %167, align 4, !dbg !272, !tbaa !8
  %169 = zext nneg i32 %153 to i64, !dbg !273
  %170 = getelementptr inbounds nuw i32, ptr addrspace(1) %163, i64 %169, !dbg !273
  %171 = load i32, ptr addrspace(1) %170, align 4, !dbg !273, !tbaa !8
  %172 = sext i32 %155 to i64, !dbg !274
  %173 = getelementptr inbounds i32, ptr addrspace(1) %163, i64 %172, !dbg !274
  %174 = load i32, ptr addrspace(1) %173, align 4, !dbg !274, !tbaa !8
  %175 = add i32 %168, %164, !dbg !275
  %176 = add i32 %171, %174, !dbg !275
  %177 = sub i32 %175, %176, !dbg !275
  %178 = mul nsw i32 %177, %151, !dbg !276
  %179 = add nsw i32 %178, %145, !dbg !277
  br label %180, !dbg !278

180:                                              ; preds = %149, %80
  %181 = phi i32 [ %179, %149 ], [ %145, %80 ], !dbg !210
  %182 = sitofp i32 %181 to float, !dbg !279
  %183 = getelementptr inbounds nuw i8, ptr addrspace(4) %83, i64 24, !dbg !280
  %184 = load float, ptr addrspace(4) %183, align 4, !dbg !280, !tbaa !281
  %185 = fmul float %60, %184, !dbg !284
  %186 = fcmp ogt float %185, %182, !dbg !285
  %187 = select i1 %186, i64 28, i64 32, !dbg !279
  %188 = getelementptr inbounds nuw i8, ptr addrspace(4) %83, i64 %187, !dbg !279
  %189 = load i32, ptr addrspace(4) %188, align 4, !dbg !286, !tbaa !8
  %190 = add nsw i32 %189, %82, !dbg !287
  %191 = add nuw nsw i32 %81, 1, !dbg !288
  %192 = getelementptr inbounds nuw i8, ptr addrspace(4) %83, i64 36, !dbg !289
  %193 = icmp eq i32 %191, %69, !dbg !205
  br i1 %193, label %75, label %80, !dbg !206, !llvm.loop !290

194:                                              ; preds = %75
  %195 = add nuw nsw i32 %65, 1, !dbg !292
  %196 = icmp eq i32 %195, %7, !dbg !293
  br i1 %196, label %197, label %64, !dbg !294, !llvm.loop !295

197:                                              ; preds = %194, %75
  %198 = phi i32 [ %7, %194 ], [ %65, %75 ]
  %199 = trunc i32 %198 to i8, !dbg !297
  br label %200, !dbg !297

200:                                              ; preds = %197, %59
  %201 = phi i8 [ 0, %59 ], [ %199, %197 ], !dbg !298
  %202 = mul nsw i32 %4, %14, !dbg !299
  %203 = add nsw i32 %202, %12, !dbg !300
  %204 = sext i32 %203 to i64, !dbg !301
  %205 = getelementptr inbounds i8, ptr addrspace(1) %2, i64 %204, !dbg !301
  store i8 %201, ptr addrspace(1) %205, align 1, !dbg !302, !tbaa !41
  br label %206, !dbg !303

206:                                              ; preds = %10, %200
  ret void, !dbg !303
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @cascade_rest(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %2, ptr addrspace(1) noalias noundef writeonly align 1 captures(none) %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7, i32 noundef %8, i32 noundef %9, ptr addrspace(4) noundef readonly align 4 captures(none) %10, ptr addrspace(4) noundef readonly align 4 captures(none) %11) local_unnamed_addr #4 !dbg !304 !kernel_arg_addr_space !305 !kernel_arg_access_qual !306 !kernel_arg_type !307 !kernel_arg_base_type !307 !kernel_arg_type_qual !308 {
  tail call void @__clang_ocl_kern_imp_cascade_rest(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, ptr addrspace(1) noundef align 1 %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7, i32 noundef %8, i32 noundef %9, ptr addrspace(4) noundef align 4 %10, ptr addrspace(4) noundef align 4 %11) #9, !dbg !309
  ret void, !dbg !310
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_cascade_rest(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %2, ptr addrspace(1) noalias noundef writeonly align 1 captures(none) %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7, i32 noundef %8, i32 noundef %9, ptr addrspace(4) noundef readonly align 4 captures(none) %10, ptr addrspace(4) noundef readonly align 4 captures(none) %11) local_unnamed_addr #5 !dbg !311 !kernel_arg_addr_space !305 !kernel_arg_access_qual !306 !kernel_arg_type !307 !kernel_arg_base_type !307 !kernel_arg_type_qual !308 {
  %13 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #10, !dbg !312
  %14 = trunc i64 %13 to i32, !dbg !312
  %15 = icmp sgt i32 %4, %14, !dbg !313
  br i1 %15, label %16, label %206, !dbg !313

16:                                               ; preds = %12
  %17 = shl i64 %13, 32, !dbg !314
  %18 = ashr exact i64 %17, 30, !dbg !314
  %19 = getelementptr inbounds i8, ptr addrspace(1) %2, i64 %18, !dbg !314
  %20 = load i32, ptr addrspace(1) %19, align 4, !dbg !314, !tbaa !8
  %21 = add nsw i32 %5, 1, !dbg !315
  %22 = freeze i32 %20, !dbg !316
  %23 = sdiv i32 %22, %6, !dbg !316
  %24 = mul nsw i32 %23, %21, !dbg !317
  %25 = mul i32 %23, %6, !dbg !318
  %26 = sub i32 %22, %25, !dbg !318
  %27 = add nsw i32 %24, %26, !dbg !319
  %28 = mul nsw i32 %27, %7, !dbg !320
  %29 = sext i32 %28 to i64, !dbg !321
  %30 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %29, !dbg !321
  %31 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %29, !dbg !322
  %32 = mul i32 %21, 24, !dbg !323
  %33 = load i32, ptr addrspace(1) %30, align 4, !dbg !326, !tbaa !8
  %34 = add nsw i32 %32, 24, !dbg !327
  %35 = sext i32 %34 to i64, !dbg !328
  %36 = getelementptr inbounds i32, ptr addrspace(1) %30, i64 %35, !dbg !328
  %37 = load i32, ptr addrspace(1) %36, align 4, !dbg !328, !tbaa !8
  %38 = getelementptr inbounds nuw i8, ptr addrspace(1) %30, i64 96, !dbg !329
  %39 = load i32, ptr addrspace(1) %38, align 4, !dbg !329, !tbaa !8
  %40 = sext i32 %32 to i64, !dbg !330
  %41 = getelementptr inbounds i32, ptr addrspace(1) %30, i64 %40, !dbg !330
  %42 = load i32, ptr addrspace(1) %41, align 4, !dbg !330, !tbaa !8
  %43 = add i32 %37, %33, !dbg !331
  %44 = add i32 %39, %42, !dbg !331
  %45 = sub i32 %43, %44, !dbg !331
  %46 = zext i32 %45 to i64, !dbg !332
  %47 = load i32, ptr addrspace(1) %31, align 4, !dbg !333, !tbaa !8
  %48 = getelementptr inbounds i32, ptr addrspace(1) %31, i64 %35, !dbg !335
  %49 = load i32, ptr addrspace(1) %48, align 4, !dbg !335, !tbaa !8
  %50 = getelementptr inbounds nuw i8, ptr addrspace(1) %31, i64 96, !dbg !336
  %51 = load i32, ptr addrspace(1) %50, align 4, !dbg !336, !tbaa !8
  %52 = getelementptr inbounds i32, ptr addrspace(1) %31, i64 %40, !dbg !337
  %53 = load i32, ptr addrspace(1) %52, align 4, !dbg !337, !tbaa !8
  %54 = add i32 %49, %47, !dbg !338
  %55 = add i32 %51, %53, !dbg !338
  %56 = sub i32 %54, %55, !dbg !338
  %57 = zext i32 %56 to i64, !dbg !339
  %58 = mul nuw nsw i64 %57, 576, !dbg !340
  %59 = mul nuw nsw i64 %46, %46, !dbg !341
  %60 = sub nsw i64 %58, %59, !dbg !342
  %61 = icmp slt i64 %60, 8294400, !dbg !343
  br i1 %61, label %65, label %62, !dbg !344

62:                                               ; preds = %16
  %63 = uitofp nneg i64 %60 to float
  %64 = tail call float @_Z4sqrtf(float noundef %63) #10, !dbg !345, !fpmath !198
  br label %65, !dbg !344

65:                                               ; preds = %16, %62
  %66 = phi float [ %64, %62 ], [ 0.000000e+00, %16 ], !dbg !344
  %67 = icmp slt i32 %8, %9, !dbg !346
  br i1 %67, label %68, label %201, !dbg !348

68:                                               ; preds = %65, %198
  %69 = phi i32 [ %199, %198 ], [ %8, %65 ]
  %70 = sext i32 %69 to i64, !dbg !349
  %71 = getelementptr inbounds %struct.Stage, ptr addrspace(4) %11, i64 %70, !dbg !349
  %72 = getelementptr inbounds nuw i8, ptr addrspace(4) %71, i64 4
  %73 = load i32, ptr addrspace(4) %72, align 4, !tbaa !203
  %74 = icmp sgt i32 %73, 0, !dbg !350
  br i1 %74, label %75, label %79, !dbg !351

75:                                               ; preds = %68
  %76 = load i32, ptr addrspace(4) %71, align 4, !dbg !352, !tbaa !208
  %77 = sext i32 %76 to i64, !dbg !353
  %78 = getelementptr inbounds %struct.Stump, ptr addrspace(4) %10, i64 %77, !dbg !353
  br label %84, !dbg !351

79:                                               ; preds = %184, %68
  %80 = phi i32 [ 0, %68 ], [ %194, %184 ], !dbg !354
  %81 = getelementptr inbounds nuw i8, ptr addrspace(4) %71, i64 8, !dbg !355
  %82 = load i32, ptr addrspace(4) %81, align 4, !dbg !355, !tbaa !212
  %83 = icmp slt i32 %80, %82, !dbg !356
  br i1 %83, label %201, label %198

84:                                               ; preds = %184, %75
  %85 = phi i32 [ %195, %184 ], [ 0, %75 ]
  %86 = phi i32 [ %194, %184 ], [ 0, %75 ]
  %87 = phi ptr addrspace(4) [ %196, %184 ], [ %78, %75 ]
  %88 = getelementptr inbounds nuw i8, ptr addrspace(4) %87, i64 12, !dbg !357
  %89 = load i32, ptr addrspace(4) %88, align 4, !dbg !358, !tbaa !8
  %90 = load i32, ptr addrspace(4) %87, align 4, !dbg !359, !tbaa !8
  %91 = lshr i32 %90, 16, !dbg !360
  %92 = and i32 %91, 255, !dbg !362
  %93 = lshr i32 %90, 24, !dbg !363
  %94 = mul i32 %93, %21, !dbg !364
  %95 = lshr i32 %90, 8, !dbg !365
  %96 = and i32 %95, 255, !dbg !366
  %97 = mul i32 %96, %21, !dbg !367
  %98 = zext i32 %97 to i64, !dbg !368
  %99 = getelementptr inbounds nuw i32, ptr addrspace(1) %30, i64 %98, !dbg !368
  %100 = and i32 %90, 255, !dbg !369
  %101 = zext nneg i32 %100 to i64, !dbg !370
  %102 = getelementptr inbounds nuw i32, ptr addrspace(1) %99, i64 %101, !dbg !370
  %103 = load i32, ptr addrspace(1) %102, align 4, !dbg !371, !tbaa !8
  %104 = add nsw i32 %94, %92, !dbg !372
  %105 = sext i32 %104 to i64, !dbg !373
  %106 = getelementptr inbounds i32, ptr addrspace(1) %102, i64 %105, !dbg !373
  %107 = load i32, ptr addrspace(1) %106, align 4, !dbg !373, !tbaa !8
  %108 = zext nneg i32 %92 to i64, !dbg !374
  %109 = getelementptr inbounds nuw i32, ptr addrspace(1) %102, i64 %108, !dbg !374
  %110 = load i32, ptr addrspace(1) %109, align 4, !dbg !374, !tbaa !8
  %111 = sext i32 %94 to i64, !dbg !375
  %112 = getelementptr inbounds i32, ptr addrspace(1) %102, i64 %111, !dbg !375
  %113 = load i32, ptr addrspace(1) %112, align 4, !dbg !375, !tbaa !8
  %114 = add i32 %107, %103, !dbg !376
  %115 = add i32 %110, %113, !dbg !376
  %116 = sub i32 %114, %115, !dbg !376
  %117 = mul nsw i32 %116, %89, !dbg !377
  %118 = getelementptr inbounds nuw i8, ptr addrspace(4) %87, i64 16, !dbg !378
  %119 = load i32, ptr addrspace(4) %118, align 4, !dbg !378, !tbaa !8
  %120 = getelementptr inbounds nuw i8, ptr addrspace(4) %87, i64 4, !dbg !379
  %121 = load i32, ptr addrspace(4) %120, align 4, !dbg !379, !tbaa !8
  %122 = lshr i32 %121, 16, !dbg !380
  %123 = and i32 %122, 255, !dbg !382
  %124 = lshr i32 %121, 24, !dbg !383
  %125 = mul i32 %124, %21, !dbg !384
  %126 = lshr i32 %121, 8, !dbg !385
  %127 = and i32 %126, 255, !dbg !386
  %128 = mul i32 %127, %21, !dbg !387
  %129 = zext i32 %128 to i64, !dbg !388
  %130 = getelementptr inbounds nuw i32, ptr addrspace(1) %30, i64 %129, !dbg !388
  %131 = and i32 %121, 255, !dbg !389
  %132 = zext nneg i32 %131 to i64, !dbg !390
  %133 = getelementptr inbounds nuw i32, ptr addrspace(1) %130, i64 %132, !dbg !390
  %134 = load i32, ptr addrspace(1) %133, align 4, !dbg !391, !tbaa !8
  %135 = add nsw i32 %125, %123, !dbg !392
  %136 = sext i32 %135 to i64, !dbg !393
  %137 = getelementptr inbounds i32, ptr addrspace(1) %133, i64 %136, !dbg !393
  %138 = load i32, ptr addrspace(1) %137, align 4, !dbg !393, !tbaa !8
  %139 = zext nneg i32 %123 to i64, !dbg !394
  %140 = getelementptr inbounds nuw i32, ptr addrspace(1) %133, i64 %139, !dbg !394
  %141 = load i32, ptr addrspace(1) %140, align 4, !dbg !394, !tbaa !8
  %142 = sext i32 %125 to i64, !dbg !395
  %143 = getelementptr inbounds i32, ptr addrspace(1) %133, i64 %142, !dbg !395
  %144 = load i32, ptr addrspace(1) %143, align 4, !dbg !395, !tbaa !8
  %145 = add i32 %138, %134, !dbg !396
  %146 = add i32 %141, %144, !dbg !396
  %147 = sub i32 %145, %146, !dbg !396
  %148 = mul nsw i32 %147, %119, !dbg !397
  %149 = add nsw i32 %148, %117, !dbg !398
  %150 = getelementptr inbounds nuw i8, ptr addrspace(4) %87, i64 8, !dbg !399
  %151 = load i32, ptr addrspace(4) %150, align 4, !dbg !399, !tbaa !8
  %152 = icmp eq i32 %151, 0, !dbg !400
  br i1 %152, label %184, label %153, !dbg !400

153:                                              ; preds = %84
  %154 = getelementptr inbounds nuw i8, ptr addrspace(4) %87, i64 20, !dbg !401
  %155 = load i32, ptr addrspace(4) %154, align 4, !dbg !401, !tbaa !8
  %156 = lshr i32 %151, 16, !dbg !402
  %157 = and i32 %156, 255, !dbg !404
  %158 = lshr i32 %151, 24, !dbg !405
  %159 = mul i32 %158, %21, !dbg !406
  %160 = lshr i32 %151, 8, !dbg !407
  %161 = and i32 %160, 255, !dbg !408
  %162 = mul i32 %161, %21, !dbg !409
  %163 = zext i32 %162 to i64, !dbg !410
  %164 = getelementptr inbounds nuw i32, ptr addrspace(1) %30, i64 %163, !dbg !410
  %165 = and i32 %151, 255, !dbg !411
  %166 = zext nneg i32 %165 to i64, !dbg !412
  %167 = getelementptr inbounds nuw i32, ptr addrspace(1) %164, i64 %166, !dbg !412
  %168 = load i32, ptr addrspace(1) %167, align 4, !dbg !413, !tbaa !8
  %169 = add nsw i32 %159, %157, !dbg !414
  %170 = sext i32 %169 to i64, !dbg !415
  %171 = getelementptr inbounds i32, ptr addrspace(1) %167, i64 %170, !dbg !415
  %172 = load i32, ptr addrspace(1) %171, align 4, !dbg !415, !tbaa !8
  %173 = zext nneg i32 %157 to i64, !dbg !416
  %174 = getelementptr inbounds nuw i32, ptr addrspace(1) %167, i64 %173, !dbg !416
  %175 = load i32, ptr addrspace(1) %174, align 4, !dbg !416, !tbaa !8
  %176 = sext i32 %159 to i64, !dbg !417
  %177 = getelementptr inbounds i32, ptr addrspace(1) %167, i64 %176, !dbg !417
  %178 = load i32, ptr addrspace(1) %177, align 4, !dbg !417, !tbaa !8
  %179 = add i32 %172, %168, !dbg !418
  %180 = add i32 %175, %178, !dbg !418
  %181 = sub i32 %179, %180, !dbg !418
  %182 = mul nsw i32 %181, %155, !dbg !419
  %183 = add nsw i32 %182, %149, !dbg !420
  br label %184, !dbg !421

184:                                              ; preds = %153, %84
  %185 = phi i32 [ %183, %153 ], [ %149, %84 ], !dbg !354
  %186 = sitofp i32 %185 to float, !dbg !422
  %187 = getelementptr inbounds nuw i8, ptr addrspace(4) %87, i64 24, !dbg !423
  %188 = load float, ptr addrspace(4) %187, align 4, !dbg !423, !tbaa !281
  %189 = fmul float %66, %188, !dbg !424
  %190 = fcmp ogt float %189, %186, !dbg !425
  %191 = select i1 %190, i64 28, i64 32, !dbg !422
  %192 = getelementptr inbounds nuw i8, ptr addrspace(4) %87, i64 %191, !dbg !422
  %193 = load i32, ptr addrspace(4) %192, align 4, !dbg !426, !tbaa !8
  %194 = add nsw i32 %193, %86, !dbg !427
  %195 = add nuw nsw i32 %85, 1, !dbg !428
  %196 = getelementptr inbounds nuw i8, ptr addrspace(4) %87, i64 36, !dbg !429
  %197 = icmp eq i32 %195, %73, !dbg !350
  br i1 %197, label %79, label %84, !dbg !351, !llvm.loop !430

198:                                              ; preds = %79
  %199 = add i32 %69, 1, !dbg !432
  %200 = icmp eq i32 %199, %9, !dbg !346
  br i1 %200, label %201, label %68, !dbg !348, !llvm.loop !433

201:                                              ; preds = %79, %198, %65
  %202 = phi i32 [ %8, %65 ], [ %9, %198 ], [ %69, %79 ], !dbg !354
  %203 = trunc i32 %202 to i8, !dbg !435
  %204 = sext i32 %20 to i64, !dbg !436
  %205 = getelementptr inbounds i8, ptr addrspace(1) %3, i64 %204, !dbg !436
  store i8 %203, ptr addrspace(1) %205, align 1, !dbg !437, !tbaa !41
  br label %206, !dbg !438

206:                                              ; preds = %12, %201
  ret void, !dbg !438
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #6

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #6

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #6

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #7

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z4sqrtf(float noundef) local_unnamed_addr #6

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #8

attributes #0 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #5 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #6 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #7 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #8 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #9 = { convergent nounwind }
attributes #10 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "face.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "shrink", scope: !1, file: !1, line: 26, type: !13, scopeLine: 27, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 0, i32 0, i32 0, i32 0}
!16 = !{!"none", !"none", !"none", !"none", !"none", !"none"}
!17 = !{!"uchar*", !"uchar*", !"int", !"int", !"int", !"int"}
!18 = !{!"restrict const", !"restrict", !"", !"", !"", !""}
!19 = !DILocation(line: 27, column: 72, scope: !12)
!20 = !DILocation(line: 43, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "shrink", scope: !1, file: !1, line: 26, type: !13, scopeLine: 27, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 28, column: 17, scope: !21)
!23 = !DILocation(line: 29, column: 17, scope: !21)
!24 = !DILocation(line: 30, column: 9, scope: !21)
!25 = !DILocation(line: 30, column: 18, scope: !21)
!26 = !DILocation(line: 33, column: 24, scope: !21)
!27 = !DILocation(line: 33, column: 31, scope: !21)
!28 = !DILocation(line: 34, column: 22, scope: !21)
!29 = !DILocation(line: 34, column: 29, scope: !21)
!30 = !DILocation(line: 35, column: 28, scope: !21)
!31 = !DILocation(line: 36, column: 24, scope: !21)
!32 = !DILocation(line: 37, column: 46, scope: !21)
!33 = !DILocation(line: 37, column: 52, scope: !21)
!34 = !DILocation(line: 37, column: 38, scope: !21)
!35 = !DILocation(line: 37, column: 76, scope: !21)
!36 = !DILocation(line: 37, column: 66, scope: !21)
!37 = !DILocation(line: 38, column: 20, scope: !21)
!38 = !DILocation(line: 39, column: 21, scope: !21)
!39 = !DILocation(line: 40, column: 26, scope: !21)
!40 = !DILocation(line: 40, column: 37, scope: !21)
!41 = !{!10, !10, i64 0}
!42 = !DILocation(line: 40, column: 35, scope: !21)
!43 = !DILocation(line: 40, column: 55, scope: !21)
!44 = !DILocation(line: 40, column: 53, scope: !21)
!45 = !DILocation(line: 40, column: 45, scope: !21)
!46 = !DILocation(line: 41, column: 37, scope: !21)
!47 = !DILocation(line: 41, column: 35, scope: !21)
!48 = !DILocation(line: 41, column: 70, scope: !21)
!49 = !DILocation(line: 41, column: 59, scope: !21)
!50 = !DILocation(line: 41, column: 57, scope: !21)
!51 = !DILocation(line: 41, column: 49, scope: !21)
!52 = !DILocation(line: 42, column: 32, scope: !21)
!53 = !DILocation(line: 42, column: 39, scope: !21)
!54 = !DILocation(line: 42, column: 53, scope: !21)
!55 = !DILocation(line: 42, column: 47, scope: !21)
!56 = !DILocation(line: 42, column: 61, scope: !21)
!57 = !DILocation(line: 42, column: 70, scope: !21)
!58 = !DILocation(line: 42, column: 26, scope: !21)
!59 = !DILocation(line: 42, column: 11, scope: !21)
!60 = !DILocation(line: 42, column: 19, scope: !21)
!61 = !DILocation(line: 42, column: 3, scope: !21)
!62 = !DILocation(line: 42, column: 24, scope: !21)
!63 = !DILocation(line: 43, column: 1, scope: !21)
!64 = distinct !DISubprogram(name: "integral_rows", scope: !1, file: !1, line: 47, type: !13, scopeLine: 48, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!65 = !{i32 1, i32 1, i32 1, i32 0}
!66 = !{!"none", !"none", !"none", !"none"}
!67 = !{!"uchar*", !"uint*", !"uint*", !"int"}
!68 = !{!"restrict const", !"restrict", !"restrict", !""}
!69 = !DILocation(line: 48, column: 73, scope: !64)
!70 = !DILocation(line: 81, column: 1, scope: !64)
!71 = distinct !DISubprogram(name: "integral_rows", scope: !1, file: !1, line: 47, type: !13, scopeLine: 48, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!72 = !DILocation(line: 51, column: 17, scope: !71)
!73 = !DILocation(line: 52, column: 45, scope: !71)
!74 = !DILocation(line: 52, column: 40, scope: !71)
!75 = !DILocation(line: 52, column: 61, scope: !71)
!76 = !DILocation(line: 52, column: 38, scope: !71)
!77 = !DILocation(line: 53, column: 41, scope: !71)
!78 = !DILocation(line: 53, column: 55, scope: !71)
!79 = !DILocation(line: 53, column: 46, scope: !71)
!80 = !DILocation(line: 56, column: 9, scope: !71)
!81 = !DILocation(line: 57, column: 15, scope: !71)
!82 = !DILocation(line: 58, column: 18, scope: !71)
!83 = !DILocation(line: 59, column: 3, scope: !71)
!84 = !DILocation(line: 60, column: 29, scope: !71)
!85 = !DILocation(line: 60, column: 3, scope: !71)
!86 = !DILocation(line: 81, column: 1, scope: !71)
!87 = !DILocation(line: 61, column: 30, scope: !71)
!88 = !DILocation(line: 61, column: 34, scope: !71)
!89 = !DILocation(line: 61, column: 24, scope: !71)
!90 = !DILocation(line: 61, column: 44, scope: !71)
!91 = !DILocation(line: 62, column: 12, scope: !71)
!92 = !DILocation(line: 63, column: 23, scope: !71)
!93 = !DILocation(line: 63, column: 15, scope: !71)
!94 = !DILocation(line: 64, column: 5, scope: !71)
!95 = !DILocation(line: 65, column: 5, scope: !71)
!96 = !DILocation(line: 73, column: 19, scope: !71)
!97 = !DILocation(line: 66, column: 31, scope: !71)
!98 = !DILocation(line: 66, column: 29, scope: !71)
!99 = !DILocation(line: 66, column: 42, scope: !71)
!100 = !DILocation(line: 67, column: 32, scope: !71)
!101 = !DILocation(line: 67, column: 45, scope: !71)
!102 = !DILocation(line: 68, column: 7, scope: !71)
!103 = !DILocation(line: 69, column: 14, scope: !71)
!104 = !DILocation(line: 70, column: 17, scope: !71)
!105 = !DILocation(line: 71, column: 7, scope: !71)
!106 = !DILocation(line: 65, column: 45, scope: !71)
!107 = !DILocation(line: 65, column: 31, scope: !71)
!108 = distinct !{!108, !95, !109}
!109 = !DILocation(line: 72, column: 5, scope: !71)
!110 = !DILocation(line: 74, column: 48, scope: !71)
!111 = !DILocation(line: 74, column: 46, scope: !71)
!112 = !DILocation(line: 74, column: 28, scope: !71)
!113 = !DILocation(line: 74, column: 7, scope: !71)
!114 = !DILocation(line: 74, column: 33, scope: !71)
!115 = !DILocation(line: 75, column: 54, scope: !71)
!116 = !DILocation(line: 75, column: 52, scope: !71)
!117 = !DILocation(line: 75, column: 7, scope: !71)
!118 = !DILocation(line: 75, column: 36, scope: !71)
!119 = !DILocation(line: 76, column: 5, scope: !71)
!120 = !DILocation(line: 77, column: 19, scope: !71)
!121 = !DILocation(line: 77, column: 16, scope: !71)
!122 = !DILocation(line: 78, column: 22, scope: !71)
!123 = !DILocation(line: 78, column: 19, scope: !71)
!124 = !DILocation(line: 79, column: 5, scope: !71)
!125 = !DILocation(line: 60, column: 44, scope: !71)
!126 = distinct !{!126, !85, !127}
!127 = !DILocation(line: 80, column: 3, scope: !71)
!128 = distinct !DISubprogram(name: "integral_columns", scope: !1, file: !1, line: 84, type: !13, scopeLine: 85, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!129 = !{i32 1, i32 1, i32 0, i32 0}
!130 = !{!"uint*", !"uint*", !"int", !"int"}
!131 = !{!"restrict", !"restrict", !"", !""}
!132 = !DILocation(line: 85, column: 55, scope: !128)
!133 = !DILocation(line: 101, column: 1, scope: !128)
!134 = distinct !DISubprogram(name: "integral_columns", scope: !1, file: !1, line: 84, type: !13, scopeLine: 85, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!135 = !DILocation(line: 86, column: 17, scope: !134)
!136 = !DILocation(line: 87, column: 9, scope: !134)
!137 = !DILocation(line: 92, column: 3, scope: !134)
!138 = !DILocation(line: 92, column: 11, scope: !134)
!139 = !DILocation(line: 93, column: 3, scope: !134)
!140 = !DILocation(line: 93, column: 14, scope: !134)
!141 = !DILocation(line: 94, column: 21, scope: !134)
!142 = !DILocation(line: 94, column: 3, scope: !134)
!143 = !DILocation(line: 95, column: 22, scope: !134)
!144 = !DILocation(line: 95, column: 36, scope: !134)
!145 = !DILocation(line: 96, column: 12, scope: !134)
!146 = !DILocation(line: 96, column: 9, scope: !134)
!147 = !DILocation(line: 97, column: 15, scope: !134)
!148 = !DILocation(line: 97, column: 12, scope: !134)
!149 = !DILocation(line: 98, column: 14, scope: !134)
!150 = !DILocation(line: 99, column: 17, scope: !134)
!151 = !DILocation(line: 94, column: 32, scope: !134)
!152 = distinct !{!152, !142, !153}
!153 = !DILocation(line: 100, column: 3, scope: !134)
!154 = !DILocation(line: 101, column: 1, scope: !134)
!155 = distinct !DISubprogram(name: "cascade_begin", scope: !1, file: !1, line: 146, type: !13, scopeLine: 150, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!156 = !{i32 1, i32 1, i32 1, i32 0, i32 0, i32 0, i32 0, i32 0, i32 2, i32 2}
!157 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!158 = !{!"uint*", !"uint*", !"uchar*", !"int", !"int", !"int", !"int", !"int", !"Stump*", !"Stage*"}
!159 = !{!"restrict const", !"restrict const", !"restrict", !"", !"", !"", !"", !"", !"const", !"const"}
!160 = !DILocation(line: 150, column: 61, scope: !155)
!161 = !DILocation(line: 164, column: 1, scope: !155)
!162 = distinct !DISubprogram(name: "cascade_begin", scope: !1, file: !1, line: 146, type: !13, scopeLine: 150, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!163 = !DILocation(line: 151, column: 17, scope: !162)
!164 = !DILocation(line: 152, column: 17, scope: !162)
!165 = !DILocation(line: 153, column: 9, scope: !162)
!166 = !DILocation(line: 153, column: 27, scope: !162)
!167 = !DILocation(line: 156, column: 27, scope: !162)
!168 = !DILocation(line: 157, column: 29, scope: !162)
!169 = !DILocation(line: 157, column: 37, scope: !162)
!170 = !DILocation(line: 157, column: 24, scope: !162)
!171 = !DILocation(line: 158, column: 39, scope: !162)
!172 = !DILocation(line: 158, column: 53, scope: !162)
!173 = !DILocation(line: 106, column: 34, scope: !174, inlinedAt: !175)
!174 = distinct !DISubprogram(name: "sum_in", scope: !1, file: !1, line: 104, type: !13, scopeLine: 104, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!175 = distinct !DILocation(line: 114, column: 20, scope: !176, inlinedAt: !177)
!176 = distinct !DISubprogram(name: "deviation", scope: !1, file: !1, line: 112, type: !13, scopeLine: 112, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!177 = distinct !DILocation(line: 158, column: 24, scope: !162)
!178 = !DILocation(line: 108, column: 10, scope: !174, inlinedAt: !175)
!179 = !DILocation(line: 108, column: 30, scope: !174, inlinedAt: !175)
!180 = !DILocation(line: 108, column: 20, scope: !174, inlinedAt: !175)
!181 = !DILocation(line: 108, column: 41, scope: !174, inlinedAt: !175)
!182 = !DILocation(line: 108, column: 55, scope: !174, inlinedAt: !175)
!183 = !DILocation(line: 108, column: 53, scope: !174, inlinedAt: !175)
!184 = !DILocation(line: 114, column: 20, scope: !176, inlinedAt: !177)
!185 = !DILocation(line: 108, column: 10, scope: !174, inlinedAt: !186)
!186 = distinct !DILocation(line: 115, column: 23, scope: !176, inlinedAt: !177)
!187 = !DILocation(line: 108, column: 20, scope: !174, inlinedAt: !186)
!188 = !DILocation(line: 108, column: 41, scope: !174, inlinedAt: !186)
!189 = !DILocation(line: 108, column: 55, scope: !174, inlinedAt: !186)
!190 = !DILocation(line: 108, column: 53, scope: !174, inlinedAt: !186)
!191 = !DILocation(line: 115, column: 23, scope: !176, inlinedAt: !177)
!192 = !DILocation(line: 117, column: 30, scope: !176, inlinedAt: !177)
!193 = !DILocation(line: 117, column: 45, scope: !176, inlinedAt: !177)
!194 = !DILocation(line: 117, column: 39, scope: !176, inlinedAt: !177)
!195 = !DILocation(line: 118, column: 17, scope: !176, inlinedAt: !177)
!196 = !DILocation(line: 118, column: 10, scope: !176, inlinedAt: !177)
!197 = !DILocation(line: 118, column: 59, scope: !176, inlinedAt: !177)
!198 = !{float 3.000000e+00}
!199 = !DILocation(line: 160, column: 14, scope: !162)
!200 = !DILocation(line: 127, column: 46, scope: !201, inlinedAt: !202)
!201 = distinct !DISubprogram(name: "stages_passed", scope: !1, file: !1, line: 122, type: !13, scopeLine: 124, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!202 = distinct !DILocation(line: 161, column: 13, scope: !162)
!203 = !{!204, !9, i64 4}
!204 = !{!"", !9, i64 0, !9, i64 4, !9, i64 8}
!205 = !DILocation(line: 129, column: 23, scope: !201, inlinedAt: !202)
!206 = !DILocation(line: 129, column: 5, scope: !201, inlinedAt: !202)
!207 = !DILocation(line: 127, column: 60, scope: !201, inlinedAt: !202)
!208 = !{!204, !9, i64 0}
!209 = !DILocation(line: 127, column: 44, scope: !201, inlinedAt: !202)
!210 = !DILocation(line: 0, scope: !201, inlinedAt: !202)
!211 = !DILocation(line: 137, column: 31, scope: !201, inlinedAt: !202)
!212 = !{!204, !9, i64 8}
!213 = !DILocation(line: 137, column: 15, scope: !201, inlinedAt: !202)
!214 = !DILocation(line: 130, column: 26, scope: !201, inlinedAt: !202)
!215 = !DILocation(line: 130, column: 19, scope: !201, inlinedAt: !202)
!216 = !DILocation(line: 130, column: 65, scope: !201, inlinedAt: !202)
!217 = !DILocation(line: 105, column: 27, scope: !174, inlinedAt: !218)
!218 = distinct !DILocation(line: 130, column: 43, scope: !201, inlinedAt: !202)
!219 = !DILocation(line: 105, column: 33, scope: !174, inlinedAt: !218)
!220 = !DILocation(line: 106, column: 27, scope: !174, inlinedAt: !218)
!221 = !DILocation(line: 106, column: 34, scope: !174, inlinedAt: !218)
!222 = !DILocation(line: 107, column: 47, scope: !174, inlinedAt: !218)
!223 = !DILocation(line: 107, column: 52, scope: !174, inlinedAt: !218)
!224 = !DILocation(line: 107, column: 59, scope: !174, inlinedAt: !218)
!225 = !DILocation(line: 107, column: 38, scope: !174, inlinedAt: !218)
!226 = !DILocation(line: 107, column: 76, scope: !174, inlinedAt: !218)
!227 = !DILocation(line: 107, column: 67, scope: !174, inlinedAt: !218)
!228 = !DILocation(line: 108, column: 10, scope: !174, inlinedAt: !218)
!229 = !DILocation(line: 108, column: 30, scope: !174, inlinedAt: !218)
!230 = !DILocation(line: 108, column: 20, scope: !174, inlinedAt: !218)
!231 = !DILocation(line: 108, column: 41, scope: !174, inlinedAt: !218)
!232 = !DILocation(line: 108, column: 55, scope: !174, inlinedAt: !218)
!233 = !DILocation(line: 108, column: 53, scope: !174, inlinedAt: !218)
!234 = !DILocation(line: 130, column: 36, scope: !201, inlinedAt: !202)
!235 = !DILocation(line: 131, column: 19, scope: !201, inlinedAt: !202)
!236 = !DILocation(line: 131, column: 65, scope: !201, inlinedAt: !202)
!237 = !DILocation(line: 105, column: 27, scope: !174, inlinedAt: !238)
!238 = distinct !DILocation(line: 131, column: 43, scope: !201, inlinedAt: !202)
!239 = !DILocation(line: 105, column: 33, scope: !174, inlinedAt: !238)
!240 = !DILocation(line: 106, column: 27, scope: !174, inlinedAt: !238)
!241 = !DILocation(line: 106, column: 34, scope: !174, inlinedAt: !238)
!242 = !DILocation(line: 107, column: 47, scope: !174, inlinedAt: !238)
!243 = !DILocation(line: 107, column: 52, scope: !174, inlinedAt: !238)
!244 = !DILocation(line: 107, column: 59, scope: !174, inlinedAt: !238)
!245 = !DILocation(line: 107, column: 38, scope: !174, inlinedAt: !238)
!246 = !DILocation(line: 107, column: 76, scope: !174, inlinedAt: !238)
!247 = !DILocation(line: 107, column: 67, scope: !174, inlinedAt: !238)
!248 = !DILocation(line: 108, column: 10, scope: !174, inlinedAt: !238)
!249 = !DILocation(line: 108, column: 30, scope: !174, inlinedAt: !238)
!250 = !DILocation(line: 108, column: 20, scope: !174, inlinedAt: !238)
!251 = !DILocation(line: 108, column: 41, scope: !174, inlinedAt: !238)
!252 = !DILocation(line: 108, column: 55, scope: !174, inlinedAt: !238)
!253 = !DILocation(line: 108, column: 53, scope: !174, inlinedAt: !238)
!254 = !DILocation(line: 131, column: 36, scope: !201, inlinedAt: !202)
!255 = !DILocation(line: 130, column: 82, scope: !201, inlinedAt: !202)
!256 = !DILocation(line: 132, column: 11, scope: !201, inlinedAt: !202)
!257 = !DILocation(line: 132, column: 27, scope: !201, inlinedAt: !202)
!258 = !DILocation(line: 133, column: 18, scope: !201, inlinedAt: !202)
!259 = !DILocation(line: 105, column: 27, scope: !174, inlinedAt: !260)
!260 = distinct !DILocation(line: 133, column: 42, scope: !201, inlinedAt: !202)
!261 = !DILocation(line: 105, column: 33, scope: !174, inlinedAt: !260)
!262 = !DILocation(line: 106, column: 27, scope: !174, inlinedAt: !260)
!263 = !DILocation(line: 106, column: 34, scope: !174, inlinedAt: !260)
!264 = !DILocation(line: 107, column: 47, scope: !174, inlinedAt: !260)
!265 = !DILocation(line: 107, column: 52, scope: !174, inlinedAt: !260)
!266 = !DILocation(line: 107, column: 59, scope: !174, inlinedAt: !260)
!267 = !DILocation(line: 107, column: 38, scope: !174, inlinedAt: !260)
!268 = !DILocation(line: 107, column: 76, scope: !174, inlinedAt: !260)
!269 = !DILocation(line: 107, column: 67, scope: !174, inlinedAt: !260)
!270 = !DILocation(line: 108, column: 10, scope: !174, inlinedAt: !260)
!271 = !DILocation(line: 108, column: 30, scope: !174, inlinedAt: !260)
!272 = !DILocation(line: 108, column: 20, scope: !174, inlinedAt: !260)
!273 = !DILocation(line: 108, column: 41, scope: !174, inlinedAt: !260)
!274 = !DILocation(line: 108, column: 55, scope: !174, inlinedAt: !260)
!275 = !DILocation(line: 108, column: 53, scope: !174, inlinedAt: !260)
!276 = !DILocation(line: 133, column: 35, scope: !201, inlinedAt: !202)
!277 = !DILocation(line: 133, column: 15, scope: !201, inlinedAt: !202)
!278 = !DILocation(line: 134, column: 7, scope: !201, inlinedAt: !202)
!279 = !DILocation(line: 135, column: 16, scope: !201, inlinedAt: !202)
!280 = !DILocation(line: 135, column: 38, scope: !201, inlinedAt: !202)
!281 = !{!282, !283, i64 24}
!282 = !{!"", !10, i64 0, !10, i64 12, !283, i64 24, !9, i64 28, !9, i64 32}
!283 = !{!"float", !10, i64 0}
!284 = !DILocation(line: 135, column: 48, scope: !201, inlinedAt: !202)
!285 = !DILocation(line: 135, column: 29, scope: !201, inlinedAt: !202)
!286 = !DILocation(line: 135, scope: !201, inlinedAt: !202)
!287 = !DILocation(line: 135, column: 13, scope: !201, inlinedAt: !202)
!288 = !DILocation(line: 129, column: 46, scope: !201, inlinedAt: !202)
!289 = !DILocation(line: 129, column: 51, scope: !201, inlinedAt: !202)
!290 = distinct !{!290, !206, !291}
!291 = !DILocation(line: 136, column: 5, scope: !201, inlinedAt: !202)
!292 = !DILocation(line: 126, column: 22, scope: !201, inlinedAt: !202)
!293 = !DILocation(line: 126, column: 16, scope: !201, inlinedAt: !202)
!294 = !DILocation(line: 126, column: 3, scope: !201, inlinedAt: !202)
!295 = distinct !{!295, !294, !296}
!296 = !DILocation(line: 140, column: 3, scope: !201, inlinedAt: !202)
!297 = !DILocation(line: 163, column: 36, scope: !162)
!298 = !DILocation(line: 0, scope: !162)
!299 = !DILocation(line: 163, column: 12, scope: !162)
!300 = !DILocation(line: 163, column: 29, scope: !162)
!301 = !DILocation(line: 163, column: 3, scope: !162)
!302 = !DILocation(line: 163, column: 34, scope: !162)
!303 = !DILocation(line: 164, column: 1, scope: !162)
!304 = distinct !DISubprogram(name: "cascade_rest", scope: !1, file: !1, line: 167, type: !13, scopeLine: 172, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!305 = !{i32 1, i32 1, i32 1, i32 1, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 2, i32 2}
!306 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!307 = !{!"uint*", !"uint*", !"int*", !"uchar*", !"int", !"int", !"int", !"int", !"int", !"int", !"Stump*", !"Stage*"}
!308 = !{!"restrict const", !"restrict const", !"restrict const", !"restrict", !"", !"", !"", !"", !"", !"", !"const", !"const"}
!309 = !DILocation(line: 172, column: 60, scope: !304)
!310 = !DILocation(line: 183, column: 1, scope: !304)
!311 = distinct !DISubprogram(name: "cascade_rest", scope: !1, file: !1, line: 167, type: !13, scopeLine: 172, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!312 = !DILocation(line: 173, column: 18, scope: !311)
!313 = !DILocation(line: 174, column: 10, scope: !311)
!314 = !DILocation(line: 177, column: 22, scope: !311)
!315 = !DILocation(line: 178, column: 27, scope: !311)
!316 = !DILocation(line: 179, column: 34, scope: !311)
!317 = !DILocation(line: 179, column: 51, scope: !311)
!318 = !DILocation(line: 179, column: 68, scope: !311)
!319 = !DILocation(line: 179, column: 59, scope: !311)
!320 = !DILocation(line: 179, column: 24, scope: !311)
!321 = !DILocation(line: 180, column: 39, scope: !311)
!322 = !DILocation(line: 180, column: 53, scope: !311)
!323 = !DILocation(line: 106, column: 34, scope: !174, inlinedAt: !324)
!324 = distinct !DILocation(line: 114, column: 20, scope: !176, inlinedAt: !325)
!325 = distinct !DILocation(line: 180, column: 24, scope: !311)
!326 = !DILocation(line: 108, column: 10, scope: !174, inlinedAt: !324)
!327 = !DILocation(line: 108, column: 30, scope: !174, inlinedAt: !324)
!328 = !DILocation(line: 108, column: 20, scope: !174, inlinedAt: !324)
!329 = !DILocation(line: 108, column: 41, scope: !174, inlinedAt: !324)
!330 = !DILocation(line: 108, column: 55, scope: !174, inlinedAt: !324)
!331 = !DILocation(line: 108, column: 53, scope: !174, inlinedAt: !324)
!332 = !DILocation(line: 114, column: 20, scope: !176, inlinedAt: !325)
!333 = !DILocation(line: 108, column: 10, scope: !174, inlinedAt: !334)
!334 = distinct !DILocation(line: 115, column: 23, scope: !176, inlinedAt: !325)
!335 = !DILocation(line: 108, column: 20, scope: !174, inlinedAt: !334)
!336 = !DILocation(line: 108, column: 41, scope: !174, inlinedAt: !334)
!337 = !DILocation(line: 108, column: 55, scope: !174, inlinedAt: !334)
!338 = !DILocation(line: 108, column: 53, scope: !174, inlinedAt: !334)
!339 = !DILocation(line: 115, column: 23, scope: !176, inlinedAt: !325)
!340 = !DILocation(line: 117, column: 30, scope: !176, inlinedAt: !325)
!341 = !DILocation(line: 117, column: 45, scope: !176, inlinedAt: !325)
!342 = !DILocation(line: 117, column: 39, scope: !176, inlinedAt: !325)
!343 = !DILocation(line: 118, column: 17, scope: !176, inlinedAt: !325)
!344 = !DILocation(line: 118, column: 10, scope: !176, inlinedAt: !325)
!345 = !DILocation(line: 118, column: 59, scope: !176, inlinedAt: !325)
!346 = !DILocation(line: 126, column: 16, scope: !201, inlinedAt: !347)
!347 = distinct !DILocation(line: 182, column: 7, scope: !311)
!348 = !DILocation(line: 126, column: 3, scope: !201, inlinedAt: !347)
!349 = !DILocation(line: 127, column: 46, scope: !201, inlinedAt: !347)
!350 = !DILocation(line: 129, column: 23, scope: !201, inlinedAt: !347)
!351 = !DILocation(line: 129, column: 5, scope: !201, inlinedAt: !347)
!352 = !DILocation(line: 127, column: 60, scope: !201, inlinedAt: !347)
!353 = !DILocation(line: 127, column: 44, scope: !201, inlinedAt: !347)
!354 = !DILocation(line: 0, scope: !201, inlinedAt: !347)
!355 = !DILocation(line: 137, column: 31, scope: !201, inlinedAt: !347)
!356 = !DILocation(line: 137, column: 15, scope: !201, inlinedAt: !347)
!357 = !DILocation(line: 130, column: 26, scope: !201, inlinedAt: !347)
!358 = !DILocation(line: 130, column: 19, scope: !201, inlinedAt: !347)
!359 = !DILocation(line: 130, column: 65, scope: !201, inlinedAt: !347)
!360 = !DILocation(line: 105, column: 27, scope: !174, inlinedAt: !361)
!361 = distinct !DILocation(line: 130, column: 43, scope: !201, inlinedAt: !347)
!362 = !DILocation(line: 105, column: 33, scope: !174, inlinedAt: !361)
!363 = !DILocation(line: 106, column: 27, scope: !174, inlinedAt: !361)
!364 = !DILocation(line: 106, column: 34, scope: !174, inlinedAt: !361)
!365 = !DILocation(line: 107, column: 47, scope: !174, inlinedAt: !361)
!366 = !DILocation(line: 107, column: 52, scope: !174, inlinedAt: !361)
!367 = !DILocation(line: 107, column: 59, scope: !174, inlinedAt: !361)
!368 = !DILocation(line: 107, column: 38, scope: !174, inlinedAt: !361)
!369 = !DILocation(line: 107, column: 76, scope: !174, inlinedAt: !361)
!370 = !DILocation(line: 107, column: 67, scope: !174, inlinedAt: !361)
!371 = !DILocation(line: 108, column: 10, scope: !174, inlinedAt: !361)
!372 = !DILocation(line: 108, column: 30, scope: !174, inlinedAt: !361)
!373 = !DILocation(line: 108, column: 20, scope: !174, inlinedAt: !361)
!374 = !DILocation(line: 108, column: 41, scope: !174, inlinedAt: !361)
!375 = !DILocation(line: 108, column: 55, scope: !174, inlinedAt: !361)
!376 = !DILocation(line: 108, column: 53, scope: !174, inlinedAt: !361)
!377 = !DILocation(line: 130, column: 36, scope: !201, inlinedAt: !347)
!378 = !DILocation(line: 131, column: 19, scope: !201, inlinedAt: !347)
!379 = !DILocation(line: 131, column: 65, scope: !201, inlinedAt: !347)
!380 = !DILocation(line: 105, column: 27, scope: !174, inlinedAt: !381)
!381 = distinct !DILocation(line: 131, column: 43, scope: !201, inlinedAt: !347)
!382 = !DILocation(line: 105, column: 33, scope: !174, inlinedAt: !381)
!383 = !DILocation(line: 106, column: 27, scope: !174, inlinedAt: !381)
!384 = !DILocation(line: 106, column: 34, scope: !174, inlinedAt: !381)
!385 = !DILocation(line: 107, column: 47, scope: !174, inlinedAt: !381)
!386 = !DILocation(line: 107, column: 52, scope: !174, inlinedAt: !381)
!387 = !DILocation(line: 107, column: 59, scope: !174, inlinedAt: !381)
!388 = !DILocation(line: 107, column: 38, scope: !174, inlinedAt: !381)
!389 = !DILocation(line: 107, column: 76, scope: !174, inlinedAt: !381)
!390 = !DILocation(line: 107, column: 67, scope: !174, inlinedAt: !381)
!391 = !DILocation(line: 108, column: 10, scope: !174, inlinedAt: !381)
!392 = !DILocation(line: 108, column: 30, scope: !174, inlinedAt: !381)
!393 = !DILocation(line: 108, column: 20, scope: !174, inlinedAt: !381)
!394 = !DILocation(line: 108, column: 41, scope: !174, inlinedAt: !381)
!395 = !DILocation(line: 108, column: 55, scope: !174, inlinedAt: !381)
!396 = !DILocation(line: 108, column: 53, scope: !174, inlinedAt: !381)
!397 = !DILocation(line: 131, column: 36, scope: !201, inlinedAt: !347)
!398 = !DILocation(line: 130, column: 82, scope: !201, inlinedAt: !347)
!399 = !DILocation(line: 132, column: 11, scope: !201, inlinedAt: !347)
!400 = !DILocation(line: 132, column: 27, scope: !201, inlinedAt: !347)
!401 = !DILocation(line: 133, column: 18, scope: !201, inlinedAt: !347)
!402 = !DILocation(line: 105, column: 27, scope: !174, inlinedAt: !403)
!403 = distinct !DILocation(line: 133, column: 42, scope: !201, inlinedAt: !347)
!404 = !DILocation(line: 105, column: 33, scope: !174, inlinedAt: !403)
!405 = !DILocation(line: 106, column: 27, scope: !174, inlinedAt: !403)
!406 = !DILocation(line: 106, column: 34, scope: !174, inlinedAt: !403)
!407 = !DILocation(line: 107, column: 47, scope: !174, inlinedAt: !403)
!408 = !DILocation(line: 107, column: 52, scope: !174, inlinedAt: !403)
!409 = !DILocation(line: 107, column: 59, scope: !174, inlinedAt: !403)
!410 = !DILocation(line: 107, column: 38, scope: !174, inlinedAt: !403)
!411 = !DILocation(line: 107, column: 76, scope: !174, inlinedAt: !403)
!412 = !DILocation(line: 107, column: 67, scope: !174, inlinedAt: !403)
!413 = !DILocation(line: 108, column: 10, scope: !174, inlinedAt: !403)
!414 = !DILocation(line: 108, column: 30, scope: !174, inlinedAt: !403)
!415 = !DILocation(line: 108, column: 20, scope: !174, inlinedAt: !403)
!416 = !DILocation(line: 108, column: 41, scope: !174, inlinedAt: !403)
!417 = !DILocation(line: 108, column: 55, scope: !174, inlinedAt: !403)
!418 = !DILocation(line: 108, column: 53, scope: !174, inlinedAt: !403)
!419 = !DILocation(line: 133, column: 35, scope: !201, inlinedAt: !347)
!420 = !DILocation(line: 133, column: 15, scope: !201, inlinedAt: !347)
!421 = !DILocation(line: 134, column: 7, scope: !201, inlinedAt: !347)
!422 = !DILocation(line: 135, column: 16, scope: !201, inlinedAt: !347)
!423 = !DILocation(line: 135, column: 38, scope: !201, inlinedAt: !347)
!424 = !DILocation(line: 135, column: 48, scope: !201, inlinedAt: !347)
!425 = !DILocation(line: 135, column: 29, scope: !201, inlinedAt: !347)
!426 = !DILocation(line: 135, scope: !201, inlinedAt: !347)
!427 = !DILocation(line: 135, column: 13, scope: !201, inlinedAt: !347)
!428 = !DILocation(line: 129, column: 46, scope: !201, inlinedAt: !347)
!429 = !DILocation(line: 129, column: 51, scope: !201, inlinedAt: !347)
!430 = distinct !{!430, !351, !431}
!431 = !DILocation(line: 136, column: 5, scope: !201, inlinedAt: !347)
!432 = !DILocation(line: 126, column: 22, scope: !201, inlinedAt: !347)
!433 = distinct !{!433, !348, !434}
!434 = !DILocation(line: 140, column: 3, scope: !201, inlinedAt: !347)
!435 = !DILocation(line: 182, column: 7, scope: !311)
!436 = !DILocation(line: 181, column: 3, scope: !311)
!437 = !DILocation(line: 181, column: 18, scope: !311)
!438 = !DILocation(line: 183, column: 1, scope: !311)
