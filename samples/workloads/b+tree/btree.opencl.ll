; ModuleID = 'btree.cl'
source_filename = "btree.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Node = type { i32, [257 x i32], [257 x i32], i8, i32 }

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @findK(i32 noundef %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, i32 noundef %2, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %3, ptr addrspace(1) noundef align 4 captures(none) %4, ptr addrspace(1) noundef align 4 captures(none) %5, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %6, ptr addrspace(1) noundef writeonly align 4 captures(none) %7) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_findK(i32 noundef %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2, ptr addrspace(1) noundef align 4 %3, ptr addrspace(1) noundef align 4 %4, ptr addrspace(1) noundef align 4 %5, ptr addrspace(1) noundef align 4 %6, ptr addrspace(1) noundef align 4 %7) #4, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_findK(i32 noundef %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, i32 noundef %2, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %3, ptr addrspace(1) noundef align 4 captures(none) %4, ptr addrspace(1) noundef align 4 captures(none) %5, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %6, ptr addrspace(1) noundef writeonly align 4 captures(none) %7) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %9 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #5, !dbg !22
  %10 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #5, !dbg !23
  %11 = icmp sgt i32 %0, 0, !dbg !24
  %12 = shl i64 %10, 32
  %13 = ashr exact i64 %12, 32
  br i1 %11, label %14, label %21, !dbg !25

14:                                               ; preds = %8
  %15 = getelementptr inbounds i32, ptr addrspace(1) %4, i64 %13
  %16 = getelementptr inbounds i32, ptr addrspace(1) %5, i64 %13
  %17 = getelementptr inbounds i32, ptr addrspace(1) %6, i64 %13
  %18 = load i32, ptr addrspace(1) %17, align 4, !tbaa !8
  %19 = and i64 %9, 4294967295
  %20 = icmp eq i64 %19, 0
  br label %34, !dbg !25

21:                                               ; preds = %64, %8
  %22 = getelementptr inbounds i32, ptr addrspace(1) %4, i64 %13, !dbg !26
  %23 = load i32, ptr addrspace(1) %22, align 4, !dbg !26, !tbaa !8
  %24 = sext i32 %23 to i64, !dbg !27
  %25 = getelementptr inbounds %struct.Node, ptr addrspace(1) %1, i64 %24, !dbg !27
  %26 = getelementptr inbounds nuw i8, ptr addrspace(1) %25, i64 1032, !dbg !28
  %27 = shl i64 %9, 32, !dbg !29
  %28 = ashr exact i64 %27, 32, !dbg !29
  %29 = getelementptr inbounds i32, ptr addrspace(1) %26, i64 %28, !dbg !29
  %30 = load i32, ptr addrspace(1) %29, align 4, !dbg !29, !tbaa !8
  %31 = getelementptr inbounds i32, ptr addrspace(1) %6, i64 %13, !dbg !30
  %32 = load i32, ptr addrspace(1) %31, align 4, !dbg !30, !tbaa !8
  %33 = icmp eq i32 %30, %32, !dbg !31
  br i1 %33, label %67, label %75, !dbg !31

34:                                               ; preds = %14, %64
  %35 = phi i32 [ 0, %14 ], [ %65, %64 ]
  %36 = load i32, ptr addrspace(1) %15, align 4, !dbg !32, !tbaa !8
  %37 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #5, !dbg !33
  %38 = sext i32 %36 to i64, !dbg !36
  %39 = getelementptr inbounds %struct.Node, ptr addrspace(1) %1, i64 %38, !dbg !36
  %40 = getelementptr inbounds nuw i8, ptr addrspace(1) %39, i64 1032, !dbg !37
  %41 = shl i64 %37, 32, !dbg !36
  %42 = ashr exact i64 %41, 32, !dbg !36
  %43 = getelementptr inbounds i32, ptr addrspace(1) %40, i64 %42, !dbg !36
  %44 = load i32, ptr addrspace(1) %43, align 4, !dbg !36, !tbaa !8
  %45 = icmp sgt i32 %44, %18, !dbg !38
  br i1 %45, label %61, label %46, !dbg !39

46:                                               ; preds = %34
  %47 = add i64 %41, 4294967296, !dbg !40
  %48 = ashr exact i64 %47, 30, !dbg !40
  %49 = getelementptr inbounds i8, ptr addrspace(1) %40, i64 %48, !dbg !40
  %50 = load i32, ptr addrspace(1) %49, align 4, !dbg !40, !tbaa !8
  %51 = icmp sgt i32 %50, %18, !dbg !41
  br i1 %51, label %52, label %61, !dbg !39

52:                                               ; preds = %46
  %53 = load i32, ptr addrspace(1) %16, align 4, !dbg !42, !tbaa !8
  %54 = sext i32 %53 to i64, !dbg !43
  %55 = getelementptr inbounds %struct.Node, ptr addrspace(1) %1, i64 %54, !dbg !43
  %56 = getelementptr inbounds nuw i8, ptr addrspace(1) %55, i64 4, !dbg !44
  %57 = getelementptr inbounds i32, ptr addrspace(1) %56, i64 %42, !dbg !43
  %58 = load i32, ptr addrspace(1) %57, align 4, !dbg !43, !tbaa !8
  %59 = icmp slt i32 %58, %2, !dbg !45
  br i1 %59, label %60, label %61, !dbg !45

60:                                               ; preds = %52
  store i32 %58, ptr addrspace(1) %16, align 4, !dbg !46, !tbaa !8
  br label %61, !dbg !47

61:                                               ; preds = %34, %46, %52, %60
  tail call void @_Z7barrierj(i32 noundef 2) #4, !dbg !48
  br i1 %20, label %62, label %64, !dbg !49

62:                                               ; preds = %61
  %63 = load i32, ptr addrspace(1) %16, align 4, !dbg !50, !tbaa !8
  store i32 %63, ptr addrspace(1) %15, align 4, !dbg !51, !tbaa !8
  br label %64, !dbg !52

64:                                               ; preds = %62, %61
  tail call void @_Z7barrierj(i32 noundef 2) #4, !dbg !53
  %65 = add nuw nsw i32 %35, 1, !dbg !54
  %66 = icmp eq i32 %65, %0, !dbg !24
  br i1 %66, label %21, label %34, !dbg !25, !llvm.loop !55

67:                                               ; preds = %21
  %68 = getelementptr inbounds nuw i8, ptr addrspace(1) %25, i64 4, !dbg !57
  %69 = getelementptr inbounds i32, ptr addrspace(1) %68, i64 %28, !dbg !58
  %70 = load i32, ptr addrspace(1) %69, align 4, !dbg !58, !tbaa !8
  %71 = sext i32 %70 to i64, !dbg !59
  %72 = getelementptr inbounds i32, ptr addrspace(1) %3, i64 %71, !dbg !59
  %73 = load i32, ptr addrspace(1) %72, align 4, !dbg !59, !tbaa !8
  %74 = getelementptr inbounds i32, ptr addrspace(1) %7, i64 %13, !dbg !60
  store i32 %73, ptr addrspace(1) %74, align 4, !dbg !61, !tbaa !8
  br label %75, !dbg !62

75:                                               ; preds = %67, %21
  ret void, !dbg !63
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @findRangeK(i32 noundef %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, i32 noundef %2, ptr addrspace(1) noundef align 4 captures(none) %3, ptr addrspace(1) noundef align 4 captures(none) %4, ptr addrspace(1) noundef align 4 captures(none) %5, ptr addrspace(1) noundef align 4 captures(none) %6, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %7, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %8, ptr addrspace(1) noundef align 4 captures(none) %9, ptr addrspace(1) noundef writeonly align 4 captures(none) %10) local_unnamed_addr #0 !dbg !64 !kernel_arg_addr_space !65 !kernel_arg_access_qual !66 !kernel_arg_type !67 !kernel_arg_base_type !67 !kernel_arg_type_qual !68 {
  tail call void @__clang_ocl_kern_imp_findRangeK(i32 noundef %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2, ptr addrspace(1) noundef align 4 %3, ptr addrspace(1) noundef align 4 %4, ptr addrspace(1) noundef align 4 %5, ptr addrspace(1) noundef align 4 %6, ptr addrspace(1) noundef align 4 %7, ptr addrspace(1) noundef align 4 %8, ptr addrspace(1) noundef align 4 %9, ptr addrspace(1) noundef align 4 %10) #4, !dbg !69
  ret void, !dbg !70
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_findRangeK(i32 noundef %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, i32 noundef %2, ptr addrspace(1) noundef align 4 captures(none) %3, ptr addrspace(1) noundef align 4 captures(none) %4, ptr addrspace(1) noundef align 4 captures(none) %5, ptr addrspace(1) noundef align 4 captures(none) %6, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %7, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %8, ptr addrspace(1) noundef align 4 captures(none) %9, ptr addrspace(1) noundef writeonly align 4 captures(none) %10) local_unnamed_addr #1 !dbg !71 !kernel_arg_addr_space !65 !kernel_arg_access_qual !66 !kernel_arg_type !67 !kernel_arg_base_type !67 !kernel_arg_type_qual !68 {
  %12 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #5, !dbg !72
  %13 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #5, !dbg !73
  %14 = icmp sgt i32 %0, 0, !dbg !74
  %15 = shl i64 %13, 32
  %16 = ashr exact i64 %15, 32
  br i1 %14, label %17, label %28, !dbg !75

17:                                               ; preds = %11
  %18 = getelementptr inbounds i32, ptr addrspace(1) %3, i64 %16
  %19 = getelementptr inbounds i32, ptr addrspace(1) %4, i64 %16
  %20 = getelementptr inbounds i32, ptr addrspace(1) %7, i64 %16
  %21 = load i32, ptr addrspace(1) %20, align 4, !tbaa !8
  %22 = getelementptr inbounds i32, ptr addrspace(1) %5, i64 %16
  %23 = getelementptr inbounds i32, ptr addrspace(1) %6, i64 %16
  %24 = getelementptr inbounds i32, ptr addrspace(1) %8, i64 %16
  %25 = load i32, ptr addrspace(1) %24, align 4, !tbaa !8
  %26 = and i64 %12, 4294967295
  %27 = icmp eq i64 %26, 0
  br label %41, !dbg !75

28:                                               ; preds = %98, %11
  %29 = getelementptr inbounds i32, ptr addrspace(1) %3, i64 %16, !dbg !76
  %30 = load i32, ptr addrspace(1) %29, align 4, !dbg !76, !tbaa !8
  %31 = sext i32 %30 to i64, !dbg !77
  %32 = getelementptr inbounds %struct.Node, ptr addrspace(1) %1, i64 %31, !dbg !77
  %33 = getelementptr inbounds nuw i8, ptr addrspace(1) %32, i64 1032, !dbg !78
  %34 = shl i64 %12, 32, !dbg !79
  %35 = ashr exact i64 %34, 32, !dbg !79
  %36 = getelementptr inbounds i32, ptr addrspace(1) %33, i64 %35, !dbg !79
  %37 = load i32, ptr addrspace(1) %36, align 4, !dbg !79, !tbaa !8
  %38 = getelementptr inbounds i32, ptr addrspace(1) %7, i64 %16, !dbg !80
  %39 = load i32, ptr addrspace(1) %38, align 4, !dbg !80, !tbaa !8
  %40 = icmp eq i32 %37, %39, !dbg !81
  br i1 %40, label %101, label %106, !dbg !81

41:                                               ; preds = %17, %98
  %42 = phi i32 [ 0, %17 ], [ %99, %98 ]
  %43 = load i32, ptr addrspace(1) %18, align 4, !dbg !82, !tbaa !8
  %44 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #5, !dbg !83
  %45 = sext i32 %43 to i64, !dbg !85
  %46 = getelementptr inbounds %struct.Node, ptr addrspace(1) %1, i64 %45, !dbg !85
  %47 = getelementptr inbounds nuw i8, ptr addrspace(1) %46, i64 1032, !dbg !86
  %48 = shl i64 %44, 32, !dbg !85
  %49 = ashr exact i64 %48, 32, !dbg !85
  %50 = getelementptr inbounds i32, ptr addrspace(1) %47, i64 %49, !dbg !85
  %51 = load i32, ptr addrspace(1) %50, align 4, !dbg !85, !tbaa !8
  %52 = icmp sgt i32 %51, %21, !dbg !87
  br i1 %52, label %68, label %53, !dbg !88

53:                                               ; preds = %41
  %54 = add i64 %48, 4294967296, !dbg !89
  %55 = ashr exact i64 %54, 30, !dbg !89
  %56 = getelementptr inbounds i8, ptr addrspace(1) %47, i64 %55, !dbg !89
  %57 = load i32, ptr addrspace(1) %56, align 4, !dbg !89, !tbaa !8
  %58 = icmp sgt i32 %57, %21, !dbg !90
  br i1 %58, label %59, label %68, !dbg !88

59:                                               ; preds = %53
  %60 = load i32, ptr addrspace(1) %19, align 4, !dbg !91, !tbaa !8
  %61 = sext i32 %60 to i64, !dbg !92
  %62 = getelementptr inbounds %struct.Node, ptr addrspace(1) %1, i64 %61, !dbg !92
  %63 = getelementptr inbounds nuw i8, ptr addrspace(1) %62, i64 4, !dbg !93
  %64 = getelementptr inbounds i32, ptr addrspace(1) %63, i64 %49, !dbg !92
  %65 = load i32, ptr addrspace(1) %64, align 4, !dbg !92, !tbaa !8
  %66 = icmp slt i32 %65, %2, !dbg !94
  br i1 %66, label %67, label %68, !dbg !94

67:                                               ; preds = %59
  store i32 %65, ptr addrspace(1) %19, align 4, !dbg !95, !tbaa !8
  br label %68, !dbg !96

68:                                               ; preds = %41, %53, %59, %67
  %69 = load i32, ptr addrspace(1) %22, align 4, !dbg !97, !tbaa !8
  %70 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #5, !dbg !98
  %71 = sext i32 %69 to i64, !dbg !100
  %72 = getelementptr inbounds %struct.Node, ptr addrspace(1) %1, i64 %71, !dbg !100
  %73 = getelementptr inbounds nuw i8, ptr addrspace(1) %72, i64 1032, !dbg !101
  %74 = shl i64 %70, 32, !dbg !100
  %75 = ashr exact i64 %74, 32, !dbg !100
  %76 = getelementptr inbounds i32, ptr addrspace(1) %73, i64 %75, !dbg !100
  %77 = load i32, ptr addrspace(1) %76, align 4, !dbg !100, !tbaa !8
  %78 = icmp sgt i32 %77, %25, !dbg !102
  br i1 %78, label %94, label %79, !dbg !103

79:                                               ; preds = %68
  %80 = add i64 %74, 4294967296, !dbg !104
  %81 = ashr exact i64 %80, 30, !dbg !104
  %82 = getelementptr inbounds i8, ptr addrspace(1) %73, i64 %81, !dbg !104
  %83 = load i32, ptr addrspace(1) %82, align 4, !dbg !104, !tbaa !8
  %84 = icmp sgt i32 %83, %25, !dbg !105
  br i1 %84, label %85, label %94, !dbg !103

85:                                               ; preds = %79
  %86 = load i32, ptr addrspace(1) %23, align 4, !dbg !106, !tbaa !8
  %87 = sext i32 %86 to i64, !dbg !107
  %88 = getelementptr inbounds %struct.Node, ptr addrspace(1) %1, i64 %87, !dbg !107
  %89 = getelementptr inbounds nuw i8, ptr addrspace(1) %88, i64 4, !dbg !108
  %90 = getelementptr inbounds i32, ptr addrspace(1) %89, i64 %75, !dbg !107
  %91 = load i32, ptr addrspace(1) %90, align 4, !dbg !107, !tbaa !8
  %92 = icmp slt i32 %91, %2, !dbg !109
  br i1 %92, label %93, label %94, !dbg !109

93:                                               ; preds = %85
  store i32 %91, ptr addrspace(1) %23, align 4, !dbg !110, !tbaa !8
  br label %94, !dbg !111

94:                                               ; preds = %68, %79, %85, %93
  tail call void @_Z7barrierj(i32 noundef 2) #4, !dbg !112
  br i1 %27, label %95, label %98, !dbg !113

95:                                               ; preds = %94
  %96 = load i32, ptr addrspace(1) %19, align 4, !dbg !114, !tbaa !8
  store i32 %96, ptr addrspace(1) %18, align 4, !dbg !115, !tbaa !8
  %97 = load i32, ptr addrspace(1) %23, align 4, !dbg !116, !tbaa !8
  store i32 %97, ptr addrspace(1) %22, align 4, !dbg !117, !tbaa !8
  br label %98, !dbg !118

98:                                               ; preds = %95, %94
  tail call void @_Z7barrierj(i32 noundef 2) #4, !dbg !119
  %99 = add nuw nsw i32 %42, 1, !dbg !120
  %100 = icmp eq i32 %99, %0, !dbg !74
  br i1 %100, label %28, label %41, !dbg !75, !llvm.loop !121

101:                                              ; preds = %28
  %102 = getelementptr inbounds i32, ptr addrspace(1) %9, i64 %16
  %103 = getelementptr inbounds nuw i8, ptr addrspace(1) %32, i64 4
  %104 = getelementptr inbounds i32, ptr addrspace(1) %103, i64 %35
  %105 = load i32, ptr addrspace(1) %104, align 4, !dbg !123, !tbaa !8
  store i32 %105, ptr addrspace(1) %102, align 4, !dbg !124, !tbaa !8
  br label %106, !dbg !125

106:                                              ; preds = %101, %28
  tail call void @_Z7barrierj(i32 noundef 2) #4, !dbg !126
  %107 = getelementptr inbounds i32, ptr addrspace(1) %5, i64 %16, !dbg !127
  %108 = load i32, ptr addrspace(1) %107, align 4, !dbg !127, !tbaa !8
  %109 = sext i32 %108 to i64, !dbg !128
  %110 = getelementptr inbounds %struct.Node, ptr addrspace(1) %1, i64 %109, !dbg !128
  %111 = getelementptr inbounds nuw i8, ptr addrspace(1) %110, i64 1032, !dbg !129
  %112 = getelementptr inbounds i32, ptr addrspace(1) %111, i64 %35, !dbg !130
  %113 = load i32, ptr addrspace(1) %112, align 4, !dbg !130, !tbaa !8
  %114 = getelementptr inbounds i32, ptr addrspace(1) %8, i64 %16, !dbg !131
  %115 = load i32, ptr addrspace(1) %114, align 4, !dbg !131, !tbaa !8
  %116 = icmp eq i32 %113, %115, !dbg !132
  br i1 %116, label %117, label %128, !dbg !133

117:                                              ; preds = %106
  %118 = getelementptr inbounds i32, ptr addrspace(1) %9, i64 %16, !dbg !134
  %119 = load i32, ptr addrspace(1) %118, align 4, !dbg !134, !tbaa !8
  %120 = icmp sgt i32 %119, -1, !dbg !135
  br i1 %120, label %121, label %128, !dbg !133

121:                                              ; preds = %117
  %122 = getelementptr inbounds i32, ptr addrspace(1) %10, i64 %16
  %123 = getelementptr inbounds nuw i8, ptr addrspace(1) %110, i64 4
  %124 = getelementptr inbounds i32, ptr addrspace(1) %123, i64 %35
  %125 = load i32, ptr addrspace(1) %124, align 4, !dbg !136, !tbaa !8
  %126 = sub i32 %125, %119, !dbg !137
  %127 = add i32 %126, 1, !dbg !137
  store i32 %127, ptr addrspace(1) %122, align 4, !dbg !138, !tbaa !8
  br label %128, !dbg !139

128:                                              ; preds = %121, %117, %106
  ret void, !dbg !140
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #3

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
!1 = !DIFile(filename: "btree.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "findK", scope: !1, file: !1, line: 32, type: !13, scopeLine: 35, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 0, i32 1, i32 0, i32 1, i32 1, i32 1, i32 1, i32 1}
!16 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!17 = !{!"int", !"Node*", !"int", !"int*", !"int*", !"int*", !"int*", !"int*"}
!18 = !{!"", !"restrict const", !"", !"restrict const", !"", !"", !"restrict const", !""}
!19 = !DILocation(line: 35, column: 44, scope: !12)
!20 = !DILocation(line: 50, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "findK", scope: !1, file: !1, line: 32, type: !13, scopeLine: 35, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 36, column: 17, scope: !21)
!23 = !DILocation(line: 37, column: 21, scope: !21)
!24 = !DILocation(line: 38, column: 29, scope: !21)
!25 = !DILocation(line: 38, column: 3, scope: !21)
!26 = !DILocation(line: 46, column: 38, scope: !21)
!27 = !DILocation(line: 46, column: 32, scope: !21)
!28 = !DILocation(line: 47, column: 13, scope: !21)
!29 = !DILocation(line: 47, column: 7, scope: !21)
!30 = !DILocation(line: 47, column: 24, scope: !21)
!31 = !DILocation(line: 47, column: 21, scope: !21)
!32 = !DILocation(line: 39, column: 32, scope: !21)
!33 = !DILocation(line: 21, column: 17, scope: !34, inlinedAt: !35)
!34 = distinct !DISubprogram(name: "descend", scope: !1, file: !1, line: 19, type: !13, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!35 = distinct !DILocation(line: 39, column: 5, scope: !21)
!36 = !DILocation(line: 22, column: 7, scope: !34, inlinedAt: !35)
!37 = !DILocation(line: 22, column: 17, scope: !34, inlinedAt: !35)
!38 = !DILocation(line: 22, column: 25, scope: !34, inlinedAt: !35)
!39 = !DILocation(line: 22, column: 35, scope: !34, inlinedAt: !35)
!40 = !DILocation(line: 22, column: 38, scope: !34, inlinedAt: !35)
!41 = !DILocation(line: 22, column: 60, scope: !34, inlinedAt: !35)
!42 = !DILocation(line: 23, column: 29, scope: !34, inlinedAt: !35)
!43 = !DILocation(line: 23, column: 23, scope: !34, inlinedAt: !35)
!44 = !DILocation(line: 23, column: 36, scope: !34, inlinedAt: !35)
!45 = !DILocation(line: 24, column: 15, scope: !34, inlinedAt: !35)
!46 = !DILocation(line: 25, column: 13, scope: !34, inlinedAt: !35)
!47 = !DILocation(line: 26, column: 5, scope: !34, inlinedAt: !35)
!48 = !DILocation(line: 40, column: 5, scope: !21)
!49 = !DILocation(line: 41, column: 11, scope: !21)
!50 = !DILocation(line: 42, column: 24, scope: !21)
!51 = !DILocation(line: 42, column: 22, scope: !21)
!52 = !DILocation(line: 43, column: 5, scope: !21)
!53 = !DILocation(line: 44, column: 5, scope: !21)
!54 = !DILocation(line: 38, column: 39, scope: !21)
!55 = distinct !{!55, !25, !56}
!56 = !DILocation(line: 45, column: 3, scope: !21)
!57 = !DILocation(line: 48, column: 36, scope: !21)
!58 = !DILocation(line: 48, column: 30, scope: !21)
!59 = !DILocation(line: 48, column: 22, scope: !21)
!60 = !DILocation(line: 48, column: 5, scope: !21)
!61 = !DILocation(line: 48, column: 20, scope: !21)
!62 = !DILocation(line: 49, column: 3, scope: !21)
!63 = !DILocation(line: 50, column: 1, scope: !21)
!64 = distinct !DISubprogram(name: "findRangeK", scope: !1, file: !1, line: 54, type: !13, scopeLine: 58, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!65 = !{i32 0, i32 1, i32 0, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1}
!66 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!67 = !{!"int", !"Node*", !"int", !"int*", !"int*", !"int*", !"int*", !"int*", !"int*", !"int*", !"int*"}
!68 = !{!"", !"restrict const", !"", !"", !"", !"", !"", !"restrict const", !"restrict const", !"", !""}
!69 = !DILocation(line: 58, column: 49, scope: !64)
!70 = !DILocation(line: 80, column: 1, scope: !64)
!71 = distinct !DISubprogram(name: "findRangeK", scope: !1, file: !1, line: 54, type: !13, scopeLine: 58, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!72 = !DILocation(line: 59, column: 17, scope: !71)
!73 = !DILocation(line: 60, column: 21, scope: !71)
!74 = !DILocation(line: 61, column: 29, scope: !71)
!75 = !DILocation(line: 61, column: 3, scope: !71)
!76 = !DILocation(line: 71, column: 38, scope: !71)
!77 = !DILocation(line: 71, column: 32, scope: !71)
!78 = !DILocation(line: 72, column: 13, scope: !71)
!79 = !DILocation(line: 72, column: 7, scope: !71)
!80 = !DILocation(line: 72, column: 24, scope: !71)
!81 = !DILocation(line: 72, column: 21, scope: !71)
!82 = !DILocation(line: 62, column: 32, scope: !71)
!83 = !DILocation(line: 21, column: 17, scope: !34, inlinedAt: !84)
!84 = distinct !DILocation(line: 62, column: 5, scope: !71)
!85 = !DILocation(line: 22, column: 7, scope: !34, inlinedAt: !84)
!86 = !DILocation(line: 22, column: 17, scope: !34, inlinedAt: !84)
!87 = !DILocation(line: 22, column: 25, scope: !34, inlinedAt: !84)
!88 = !DILocation(line: 22, column: 35, scope: !34, inlinedAt: !84)
!89 = !DILocation(line: 22, column: 38, scope: !34, inlinedAt: !84)
!90 = !DILocation(line: 22, column: 60, scope: !34, inlinedAt: !84)
!91 = !DILocation(line: 23, column: 29, scope: !34, inlinedAt: !84)
!92 = !DILocation(line: 23, column: 23, scope: !34, inlinedAt: !84)
!93 = !DILocation(line: 23, column: 36, scope: !34, inlinedAt: !84)
!94 = !DILocation(line: 24, column: 15, scope: !34, inlinedAt: !84)
!95 = !DILocation(line: 25, column: 13, scope: !34, inlinedAt: !84)
!96 = !DILocation(line: 26, column: 5, scope: !34, inlinedAt: !84)
!97 = !DILocation(line: 63, column: 32, scope: !71)
!98 = !DILocation(line: 21, column: 17, scope: !34, inlinedAt: !99)
!99 = distinct !DILocation(line: 63, column: 5, scope: !71)
!100 = !DILocation(line: 22, column: 7, scope: !34, inlinedAt: !99)
!101 = !DILocation(line: 22, column: 17, scope: !34, inlinedAt: !99)
!102 = !DILocation(line: 22, column: 25, scope: !34, inlinedAt: !99)
!103 = !DILocation(line: 22, column: 35, scope: !34, inlinedAt: !99)
!104 = !DILocation(line: 22, column: 38, scope: !34, inlinedAt: !99)
!105 = !DILocation(line: 22, column: 60, scope: !34, inlinedAt: !99)
!106 = !DILocation(line: 23, column: 29, scope: !34, inlinedAt: !99)
!107 = !DILocation(line: 23, column: 23, scope: !34, inlinedAt: !99)
!108 = !DILocation(line: 23, column: 36, scope: !34, inlinedAt: !99)
!109 = !DILocation(line: 24, column: 15, scope: !34, inlinedAt: !99)
!110 = !DILocation(line: 25, column: 13, scope: !34, inlinedAt: !99)
!111 = !DILocation(line: 26, column: 5, scope: !34, inlinedAt: !99)
!112 = !DILocation(line: 64, column: 5, scope: !71)
!113 = !DILocation(line: 65, column: 11, scope: !71)
!114 = !DILocation(line: 66, column: 24, scope: !71)
!115 = !DILocation(line: 66, column: 22, scope: !71)
!116 = !DILocation(line: 67, column: 29, scope: !71)
!117 = !DILocation(line: 67, column: 27, scope: !71)
!118 = !DILocation(line: 68, column: 5, scope: !71)
!119 = !DILocation(line: 69, column: 5, scope: !71)
!120 = !DILocation(line: 61, column: 39, scope: !71)
!121 = distinct !{!121, !75, !122}
!122 = !DILocation(line: 70, column: 3, scope: !71)
!123 = !DILocation(line: 73, column: 21, scope: !71)
!124 = !DILocation(line: 73, column: 19, scope: !71)
!125 = !DILocation(line: 74, column: 3, scope: !71)
!126 = !DILocation(line: 75, column: 3, scope: !71)
!127 = !DILocation(line: 76, column: 43, scope: !71)
!128 = !DILocation(line: 76, column: 37, scope: !71)
!129 = !DILocation(line: 77, column: 18, scope: !71)
!130 = !DILocation(line: 77, column: 7, scope: !71)
!131 = !DILocation(line: 77, column: 29, scope: !71)
!132 = !DILocation(line: 77, column: 26, scope: !71)
!133 = !DILocation(line: 77, column: 41, scope: !71)
!134 = !DILocation(line: 77, column: 44, scope: !71)
!135 = !DILocation(line: 77, column: 58, scope: !71)
!136 = !DILocation(line: 78, column: 22, scope: !71)
!137 = !DILocation(line: 78, column: 60, scope: !71)
!138 = !DILocation(line: 78, column: 20, scope: !71)
!139 = !DILocation(line: 79, column: 3, scope: !71)
!140 = !DILocation(line: 80, column: 1, scope: !71)
