; ModuleID = 'stress.cl'
source_filename = "stress.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @stress_float(ptr addrspace(1) noundef writeonly align 8 captures(none) %0, ptr addrspace(1) noundef readonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !18 !kernel_arg_type_qual !19 {
  tail call void @__clang_ocl_kern_imp_stress_float(ptr addrspace(1) noundef align 8 %0, ptr addrspace(1) noundef align 16 %1, i32 noundef %2, i32 noundef %3) #5, !dbg !20
  ret void, !dbg !21
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_stress_float(ptr addrspace(1) noundef writeonly align 8 captures(none) %0, ptr addrspace(1) noundef readonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #1 !dbg !22 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !18 !kernel_arg_type_qual !19 {
  %5 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #6, !dbg !23
  %6 = trunc i64 %5 to i32, !dbg !23
  %7 = icmp sgt i32 %2, %6, !dbg !24
  br i1 %7, label %8, label %133, !dbg !24

8:                                                ; preds = %4
  %9 = shl i64 %5, 32, !dbg !25
  %10 = ashr exact i64 %9, 28, !dbg !25
  %11 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %10, !dbg !25
  %12 = load <4 x float>, ptr addrspace(1) %11, align 16, !dbg !25, !tbaa !26
  %13 = extractelement <4 x float> %12, i64 0
  %14 = extractelement <4 x float> %12, i64 1
  %15 = fmul float %13, 2.000000e+00, !dbg !27
  %16 = fmul float %14, 2.000000e+00, !dbg !28
  %17 = fmul float %13, 3.000000e+00, !dbg !27
  %18 = fmul float %14, 3.000000e+00, !dbg !28
  %19 = fmul float %13, 4.000000e+00, !dbg !27
  %20 = fmul float %14, 4.000000e+00, !dbg !28
  %21 = icmp sgt i32 %3, 0, !dbg !29
  br i1 %21, label %22, label %102, !dbg !30

22:                                               ; preds = %8
  %23 = extractelement <4 x float> %12, i64 2
  %24 = extractelement <4 x float> %12, i64 3
  %25 = fneg float %24
  %26 = and i32 %3, 1, !dbg !30
  %27 = icmp eq i32 %3, 1, !dbg !30
  br i1 %27, label %76, label %28, !dbg !30

28:                                               ; preds = %22
  %29 = and i32 %3, 2147483646, !dbg !30
  br label %30, !dbg !30

30:                                               ; preds = %30, %28
  %31 = phi float [ %19, %28 ], [ %69, %30 ], !dbg !31
  %32 = phi float [ %17, %28 ], [ %65, %30 ], !dbg !31
  %33 = phi float [ %15, %28 ], [ %61, %30 ], !dbg !31
  %34 = phi float [ %13, %28 ], [ %57, %30 ], !dbg !31
  %35 = phi float [ %20, %28 ], [ %71, %30 ], !dbg !31
  %36 = phi float [ %18, %28 ], [ %67, %30 ], !dbg !31
  %37 = phi float [ %16, %28 ], [ %63, %30 ], !dbg !31
  %38 = phi float [ %14, %28 ], [ %59, %30 ], !dbg !31
  %39 = phi i32 [ 0, %28 ], [ %72, %30 ]
  %40 = fmul float %38, %25, !dbg !32
  %41 = tail call float @llvm.fmuladd.f32(float %34, float %23, float %40), !dbg !32
  %42 = fmul float %23, %38, !dbg !33
  %43 = tail call float @llvm.fmuladd.f32(float %34, float %24, float %42), !dbg !34
  %44 = fmul float %37, %25, !dbg !32
  %45 = tail call float @llvm.fmuladd.f32(float %33, float %23, float %44), !dbg !32
  %46 = fmul float %23, %37, !dbg !33
  %47 = tail call float @llvm.fmuladd.f32(float %33, float %24, float %46), !dbg !34
  %48 = fmul float %36, %25, !dbg !32
  %49 = tail call float @llvm.fmuladd.f32(float %32, float %23, float %48), !dbg !32
  %50 = fmul float %23, %36, !dbg !33
  %51 = tail call float @llvm.fmuladd.f32(float %32, float %24, float %50), !dbg !34
  %52 = fmul float %35, %25, !dbg !32
  %53 = tail call float @llvm.fmuladd.f32(float %31, float %23, float %52), !dbg !32
  %54 = fmul float %23, %35, !dbg !33
  %55 = tail call float @llvm.fmuladd.f32(float %31, float %24, float %54), !dbg !34
  %56 = fmul float %43, %25, !dbg !32
  %57 = tail call float @llvm.fmuladd.f32(float %41, float %23, float %56), !dbg !32
  %58 = fmul float %23, %43, !dbg !33
  %59 = tail call float @llvm.fmuladd.f32(float %41, float %24, float %58), !dbg !34
  %60 = fmul float %47, %25, !dbg !32
  %61 = tail call float @llvm.fmuladd.f32(float %45, float %23, float %60), !dbg !32
  %62 = fmul float %23, %47, !dbg !33
  %63 = tail call float @llvm.fmuladd.f32(float %45, float %24, float %62), !dbg !34
  %64 = fmul float %51, %25, !dbg !32
  %65 = tail call float @llvm.fmuladd.f32(float %49, float %23, float %64), !dbg !32
  %66 = fmul float %23, %51, !dbg !33
  %67 = tail call float @llvm.fmuladd.f32(float %49, float %24, float %66), !dbg !34
  %68 = fmul float %55, %25, !dbg !32
  %69 = tail call float @llvm.fmuladd.f32(float %53, float %23, float %68), !dbg !32
  %70 = fmul float %23, %55, !dbg !33
  %71 = tail call float @llvm.fmuladd.f32(float %53, float %24, float %70), !dbg !34
  %72 = add i32 %39, 2, !dbg !30
  %73 = icmp eq i32 %72, %29, !dbg !30
  br i1 %73, label %74, label %30, !dbg !30, !llvm.loop !35

74:                                               ; preds = %30
  %75 = icmp eq i32 %26, 0, !dbg !30
  br i1 %75, label %102, label %76, !dbg !30

76:                                               ; preds = %74, %22
  %77 = phi float [ %19, %22 ], [ %69, %74 ]
  %78 = phi float [ %17, %22 ], [ %65, %74 ]
  %79 = phi float [ %15, %22 ], [ %61, %74 ]
  %80 = phi float [ %13, %22 ], [ %57, %74 ]
  %81 = phi float [ %20, %22 ], [ %71, %74 ]
  %82 = phi float [ %18, %22 ], [ %67, %74 ]
  %83 = phi float [ %16, %22 ], [ %63, %74 ]
  %84 = phi float [ %14, %22 ], [ %59, %74 ]
  %85 = icmp ne i32 %26, 0, !dbg !30
  tail call void @llvm.assume(i1 %85), !dbg !30
  %86 = fmul float %84, %25, !dbg !32
  %87 = tail call float @llvm.fmuladd.f32(float %80, float %23, float %86), !dbg !32
  %88 = fmul float %23, %84, !dbg !33
  %89 = tail call float @llvm.fmuladd.f32(float %80, float %24, float %88), !dbg !34
  %90 = fmul float %83, %25, !dbg !32
  %91 = tail call float @llvm.fmuladd.f32(float %79, float %23, float %90), !dbg !32
  %92 = fmul float %23, %83, !dbg !33
  %93 = tail call float @llvm.fmuladd.f32(float %79, float %24, float %92), !dbg !34
  %94 = fmul float %82, %25, !dbg !32
  %95 = tail call float @llvm.fmuladd.f32(float %78, float %23, float %94), !dbg !32
  %96 = fmul float %23, %82, !dbg !33
  %97 = tail call float @llvm.fmuladd.f32(float %78, float %24, float %96), !dbg !34
  %98 = fmul float %81, %25, !dbg !32
  %99 = tail call float @llvm.fmuladd.f32(float %77, float %23, float %98), !dbg !32
  %100 = fmul float %23, %81, !dbg !33
  %101 = tail call float @llvm.fmuladd.f32(float %77, float %24, float %100), !dbg !34
  br label %102, !dbg !37

102:                                              ; preds = %76, %74, %8
  %103 = phi float [ %19, %8 ], [ %69, %74 ], [ %99, %76 ], !dbg !31
  %104 = phi float [ %17, %8 ], [ %65, %74 ], [ %95, %76 ], !dbg !31
  %105 = phi float [ %15, %8 ], [ %61, %74 ], [ %91, %76 ], !dbg !31
  %106 = phi float [ %13, %8 ], [ %57, %74 ], [ %87, %76 ], !dbg !31
  %107 = phi float [ %20, %8 ], [ %71, %74 ], [ %101, %76 ], !dbg !31
  %108 = phi float [ %18, %8 ], [ %67, %74 ], [ %97, %76 ], !dbg !31
  %109 = phi float [ %16, %8 ], [ %63, %74 ], [ %93, %76 ], !dbg !31
  %110 = phi float [ %14, %8 ], [ %59, %74 ], [ %89, %76 ], !dbg !31
  %111 = insertelement <2 x float> poison, float %106, i64 0, !dbg !37
  %112 = insertelement <2 x float> %111, float %110, i64 1, !dbg !37
  %113 = shl i64 %5, 32, !dbg !38
  %114 = ashr exact i64 %113, 29, !dbg !38
  %115 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %114, !dbg !38
  store <2 x float> %112, ptr addrspace(1) %115, align 8, !dbg !39, !tbaa !26
  %116 = insertelement <2 x float> poison, float %105, i64 0, !dbg !37
  %117 = insertelement <2 x float> %116, float %109, i64 1, !dbg !37
  %118 = add nsw i32 %2, %6, !dbg !40
  %119 = sext i32 %118 to i64, !dbg !38
  %120 = getelementptr inbounds <2 x float>, ptr addrspace(1) %0, i64 %119, !dbg !38
  store <2 x float> %117, ptr addrspace(1) %120, align 8, !dbg !39, !tbaa !26
  %121 = insertelement <2 x float> poison, float %104, i64 0, !dbg !37
  %122 = insertelement <2 x float> %121, float %108, i64 1, !dbg !37
  %123 = shl nsw i32 %2, 1, !dbg !41
  %124 = add nsw i32 %123, %6, !dbg !40
  %125 = sext i32 %124 to i64, !dbg !38
  %126 = getelementptr inbounds <2 x float>, ptr addrspace(1) %0, i64 %125, !dbg !38
  store <2 x float> %122, ptr addrspace(1) %126, align 8, !dbg !39, !tbaa !26
  %127 = insertelement <2 x float> poison, float %103, i64 0, !dbg !37
  %128 = insertelement <2 x float> %127, float %107, i64 1, !dbg !37
  %129 = mul nsw i32 %2, 3, !dbg !41
  %130 = add nsw i32 %129, %6, !dbg !40
  %131 = sext i32 %130 to i64, !dbg !38
  %132 = getelementptr inbounds <2 x float>, ptr addrspace(1) %0, i64 %131, !dbg !38
  store <2 x float> %128, ptr addrspace(1) %132, align 8, !dbg !39, !tbaa !26
  br label %133, !dbg !42

133:                                              ; preds = %4, %102
  ret void, !dbg !42
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @stress_double(ptr addrspace(1) noundef writeonly align 16 captures(none) %0, ptr addrspace(1) noundef readonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 !dbg !43 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !44 !kernel_arg_base_type !45 !kernel_arg_type_qual !19 {
  tail call void @__clang_ocl_kern_imp_stress_double(ptr addrspace(1) noundef align 16 %0, ptr addrspace(1) noundef align 16 %1, i32 noundef %2, i32 noundef %3) #5, !dbg !46
  ret void, !dbg !47
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_stress_double(ptr addrspace(1) noundef writeonly align 16 captures(none) %0, ptr addrspace(1) noundef readonly align 16 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #1 !dbg !48 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !44 !kernel_arg_base_type !45 !kernel_arg_type_qual !19 {
  %5 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #6, !dbg !49
  %6 = trunc i64 %5 to i32, !dbg !49
  %7 = icmp sgt i32 %2, %6, !dbg !50
  br i1 %7, label %8, label %135, !dbg !50

8:                                                ; preds = %4
  %9 = shl nsw i32 %6, 1, !dbg !51
  %10 = sext i32 %9 to i64, !dbg !52
  %11 = getelementptr inbounds <2 x double>, ptr addrspace(1) %1, i64 %10, !dbg !52
  %12 = load double, ptr addrspace(1) %11, align 16, !tbaa !26
  %13 = getelementptr inbounds nuw i8, ptr addrspace(1) %11, i64 8
  %14 = load double, ptr addrspace(1) %13, align 8, !tbaa !26
  %15 = fmul double %12, 2.000000e+00, !dbg !53
  %16 = fmul double %14, 2.000000e+00, !dbg !54
  %17 = fmul double %12, 3.000000e+00, !dbg !53
  %18 = fmul double %14, 3.000000e+00, !dbg !54
  %19 = fmul double %12, 4.000000e+00, !dbg !53
  %20 = fmul double %14, 4.000000e+00, !dbg !54
  %21 = icmp sgt i32 %3, 0, !dbg !55
  br i1 %21, label %22, label %104, !dbg !56

22:                                               ; preds = %8
  %23 = getelementptr i8, ptr addrspace(1) %11, i64 16, !dbg !57
  %24 = load double, ptr addrspace(1) %23, align 16, !tbaa !26
  %25 = getelementptr i8, ptr addrspace(1) %11, i64 24
  %26 = load double, ptr addrspace(1) %25, align 8, !tbaa !26
  %27 = fneg double %26
  %28 = and i32 %3, 1, !dbg !56
  %29 = icmp eq i32 %3, 1, !dbg !56
  br i1 %29, label %78, label %30, !dbg !56

30:                                               ; preds = %22
  %31 = and i32 %3, 2147483646, !dbg !56
  br label %32, !dbg !56

32:                                               ; preds = %32, %30
  %33 = phi double [ %19, %30 ], [ %71, %32 ], !dbg !58
  %34 = phi double [ %17, %30 ], [ %67, %32 ], !dbg !58
  %35 = phi double [ %15, %30 ], [ %63, %32 ], !dbg !58
  %36 = phi double [ %12, %30 ], [ %59, %32 ], !dbg !58
  %37 = phi double [ %20, %30 ], [ %73, %32 ], !dbg !58
  %38 = phi double [ %18, %30 ], [ %69, %32 ], !dbg !58
  %39 = phi double [ %16, %30 ], [ %65, %32 ], !dbg !58
  %40 = phi double [ %14, %30 ], [ %61, %32 ], !dbg !58
  %41 = phi i32 [ 0, %30 ], [ %74, %32 ]
  %42 = fmul double %40, %27, !dbg !59
  %43 = tail call double @llvm.fmuladd.f64(double %36, double %24, double %42), !dbg !59
  %44 = fmul double %24, %40, !dbg !60
  %45 = tail call double @llvm.fmuladd.f64(double %36, double %26, double %44), !dbg !61
  %46 = fmul double %39, %27, !dbg !59
  %47 = tail call double @llvm.fmuladd.f64(double %35, double %24, double %46), !dbg !59
  %48 = fmul double %24, %39, !dbg !60
  %49 = tail call double @llvm.fmuladd.f64(double %35, double %26, double %48), !dbg !61
  %50 = fmul double %38, %27, !dbg !59
  %51 = tail call double @llvm.fmuladd.f64(double %34, double %24, double %50), !dbg !59
  %52 = fmul double %24, %38, !dbg !60
  %53 = tail call double @llvm.fmuladd.f64(double %34, double %26, double %52), !dbg !61
  %54 = fmul double %37, %27, !dbg !59
  %55 = tail call double @llvm.fmuladd.f64(double %33, double %24, double %54), !dbg !59
  %56 = fmul double %24, %37, !dbg !60
  %57 = tail call double @llvm.fmuladd.f64(double %33, double %26, double %56), !dbg !61
  %58 = fmul double %45, %27, !dbg !59
  %59 = tail call double @llvm.fmuladd.f64(double %43, double %24, double %58), !dbg !59
  %60 = fmul double %24, %45, !dbg !60
  %61 = tail call double @llvm.fmuladd.f64(double %43, double %26, double %60), !dbg !61
  %62 = fmul double %49, %27, !dbg !59
  %63 = tail call double @llvm.fmuladd.f64(double %47, double %24, double %62), !dbg !59
  %64 = fmul double %24, %49, !dbg !60
  %65 = tail call double @llvm.fmuladd.f64(double %47, double %26, double %64), !dbg !61
  %66 = fmul double %53, %27, !dbg !59
  %67 = tail call double @llvm.fmuladd.f64(double %51, double %24, double %66), !dbg !59
  %68 = fmul double %24, %53, !dbg !60
  %69 = tail call double @llvm.fmuladd.f64(double %51, double %26, double %68), !dbg !61
  %70 = fmul double %57, %27, !dbg !59
  %71 = tail call double @llvm.fmuladd.f64(double %55, double %24, double %70), !dbg !59
  %72 = fmul double %24, %57, !dbg !60
  %73 = tail call double @llvm.fmuladd.f64(double %55, double %26, double %72), !dbg !61
  %74 = add i32 %41, 2, !dbg !56
  %75 = icmp eq i32 %74, %31, !dbg !56
  br i1 %75, label %76, label %32, !dbg !56, !llvm.loop !62

76:                                               ; preds = %32
  %77 = icmp eq i32 %28, 0, !dbg !56
  br i1 %77, label %104, label %78, !dbg !56

78:                                               ; preds = %76, %22
  %79 = phi double [ %19, %22 ], [ %71, %76 ]
  %80 = phi double [ %17, %22 ], [ %67, %76 ]
  %81 = phi double [ %15, %22 ], [ %63, %76 ]
  %82 = phi double [ %12, %22 ], [ %59, %76 ]
  %83 = phi double [ %20, %22 ], [ %73, %76 ]
  %84 = phi double [ %18, %22 ], [ %69, %76 ]
  %85 = phi double [ %16, %22 ], [ %65, %76 ]
  %86 = phi double [ %14, %22 ], [ %61, %76 ]
  %87 = icmp ne i32 %28, 0, !dbg !56
  tail call void @llvm.assume(i1 %87), !dbg !56
  %88 = fmul double %86, %27, !dbg !59
  %89 = tail call double @llvm.fmuladd.f64(double %82, double %24, double %88), !dbg !59
  %90 = fmul double %24, %86, !dbg !60
  %91 = tail call double @llvm.fmuladd.f64(double %82, double %26, double %90), !dbg !61
  %92 = fmul double %85, %27, !dbg !59
  %93 = tail call double @llvm.fmuladd.f64(double %81, double %24, double %92), !dbg !59
  %94 = fmul double %24, %85, !dbg !60
  %95 = tail call double @llvm.fmuladd.f64(double %81, double %26, double %94), !dbg !61
  %96 = fmul double %84, %27, !dbg !59
  %97 = tail call double @llvm.fmuladd.f64(double %80, double %24, double %96), !dbg !59
  %98 = fmul double %24, %84, !dbg !60
  %99 = tail call double @llvm.fmuladd.f64(double %80, double %26, double %98), !dbg !61
  %100 = fmul double %83, %27, !dbg !59
  %101 = tail call double @llvm.fmuladd.f64(double %79, double %24, double %100), !dbg !59
  %102 = fmul double %24, %83, !dbg !60
  %103 = tail call double @llvm.fmuladd.f64(double %79, double %26, double %102), !dbg !61
  br label %104, !dbg !64

104:                                              ; preds = %78, %76, %8
  %105 = phi double [ %19, %8 ], [ %71, %76 ], [ %101, %78 ], !dbg !58
  %106 = phi double [ %17, %8 ], [ %67, %76 ], [ %97, %78 ], !dbg !58
  %107 = phi double [ %15, %8 ], [ %63, %76 ], [ %93, %78 ], !dbg !58
  %108 = phi double [ %12, %8 ], [ %59, %76 ], [ %89, %78 ], !dbg !58
  %109 = phi double [ %20, %8 ], [ %73, %76 ], [ %103, %78 ], !dbg !58
  %110 = phi double [ %18, %8 ], [ %69, %76 ], [ %99, %78 ], !dbg !58
  %111 = phi double [ %16, %8 ], [ %65, %76 ], [ %95, %78 ], !dbg !58
  %112 = phi double [ %14, %8 ], [ %61, %76 ], [ %91, %78 ], !dbg !58
  %113 = insertelement <2 x double> poison, double %108, i64 0, !dbg !64
  %114 = insertelement <2 x double> %113, double %112, i64 1, !dbg !64
  %115 = shl i64 %5, 32, !dbg !65
  %116 = ashr exact i64 %115, 28, !dbg !65
  %117 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %116, !dbg !65
  store <2 x double> %114, ptr addrspace(1) %117, align 16, !dbg !66, !tbaa !26
  %118 = insertelement <2 x double> poison, double %107, i64 0, !dbg !64
  %119 = insertelement <2 x double> %118, double %111, i64 1, !dbg !64
  %120 = add nsw i32 %2, %6, !dbg !67
  %121 = sext i32 %120 to i64, !dbg !65
  %122 = getelementptr inbounds <2 x double>, ptr addrspace(1) %0, i64 %121, !dbg !65
  store <2 x double> %119, ptr addrspace(1) %122, align 16, !dbg !66, !tbaa !26
  %123 = insertelement <2 x double> poison, double %106, i64 0, !dbg !64
  %124 = insertelement <2 x double> %123, double %110, i64 1, !dbg !64
  %125 = shl nsw i32 %2, 1, !dbg !68
  %126 = add nsw i32 %125, %6, !dbg !67
  %127 = sext i32 %126 to i64, !dbg !65
  %128 = getelementptr inbounds <2 x double>, ptr addrspace(1) %0, i64 %127, !dbg !65
  store <2 x double> %124, ptr addrspace(1) %128, align 16, !dbg !66, !tbaa !26
  %129 = insertelement <2 x double> poison, double %105, i64 0, !dbg !64
  %130 = insertelement <2 x double> %129, double %109, i64 1, !dbg !64
  %131 = mul nsw i32 %2, 3, !dbg !68
  %132 = add nsw i32 %131, %6, !dbg !67
  %133 = sext i32 %132 to i64, !dbg !65
  %134 = getelementptr inbounds <2 x double>, ptr addrspace(1) %0, i64 %133, !dbg !65
  store <2 x double> %130, ptr addrspace(1) %134, align 16, !dbg !66, !tbaa !26
  br label %135, !dbg !69

135:                                              ; preds = %4, %104
  ret void, !dbg !69
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @stress_int(ptr addrspace(1) noundef writeonly align 4 captures(none) %0, ptr addrspace(1) noundef readonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr #0 !dbg !70 !kernel_arg_addr_space !71 !kernel_arg_access_qual !72 !kernel_arg_type !73 !kernel_arg_base_type !73 !kernel_arg_type_qual !74 {
  tail call void @__clang_ocl_kern_imp_stress_int(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) #5, !dbg !75
  ret void, !dbg !76
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_stress_int(ptr addrspace(1) noundef writeonly align 4 captures(none) %0, ptr addrspace(1) noundef readonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr #1 !dbg !77 !kernel_arg_addr_space !71 !kernel_arg_access_qual !72 !kernel_arg_type !73 !kernel_arg_base_type !73 !kernel_arg_type_qual !74 {
  %7 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #6, !dbg !78
  %8 = trunc i64 %7 to i32, !dbg !78
  %9 = icmp sgt i32 %2, %8, !dbg !79
  br i1 %9, label %10, label %83, !dbg !79

10:                                               ; preds = %6
  %11 = shl i64 %7, 32
  %12 = ashr exact i64 %11, 30
  %13 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %12
  %14 = load i32, ptr addrspace(1) %13, align 4, !tbaa !8
  %15 = add i32 %14, 1, !dbg !80
  %16 = add i32 %14, 2, !dbg !80
  %17 = add i32 %14, 3, !dbg !80
  %18 = icmp sgt i32 %3, 0, !dbg !81
  br i1 %18, label %19, label %64, !dbg !82

19:                                               ; preds = %10
  %20 = and i32 %3, 1, !dbg !82
  %21 = icmp eq i32 %3, 1, !dbg !82
  br i1 %21, label %50, label %22, !dbg !82

22:                                               ; preds = %19
  %23 = and i32 %3, 2147483646, !dbg !82
  br label %24, !dbg !82

24:                                               ; preds = %24, %22
  %25 = phi i32 [ %17, %22 ], [ %45, %24 ], !dbg !83
  %26 = phi i32 [ %16, %22 ], [ %43, %24 ], !dbg !83
  %27 = phi i32 [ %15, %22 ], [ %41, %24 ], !dbg !83
  %28 = phi i32 [ %14, %22 ], [ %39, %24 ], !dbg !83
  %29 = phi i32 [ 0, %22 ], [ %46, %24 ]
  %30 = mul i32 %28, %4, !dbg !84
  %31 = add i32 %30, %5, !dbg !85
  %32 = mul i32 %27, %4, !dbg !84
  %33 = add i32 %32, %5, !dbg !85
  %34 = mul i32 %26, %4, !dbg !84
  %35 = add i32 %34, %5, !dbg !85
  %36 = mul i32 %25, %4, !dbg !84
  %37 = add i32 %36, %5, !dbg !85
  %38 = mul i32 %31, %4, !dbg !84
  %39 = add i32 %38, %5, !dbg !85
  %40 = mul i32 %33, %4, !dbg !84
  %41 = add i32 %40, %5, !dbg !85
  %42 = mul i32 %35, %4, !dbg !84
  %43 = add i32 %42, %5, !dbg !85
  %44 = mul i32 %37, %4, !dbg !84
  %45 = add i32 %44, %5, !dbg !85
  %46 = add i32 %29, 2, !dbg !82
  %47 = icmp eq i32 %46, %23, !dbg !82
  br i1 %47, label %48, label %24, !dbg !82, !llvm.loop !86

48:                                               ; preds = %24
  %49 = icmp eq i32 %20, 0, !dbg !82
  br i1 %49, label %64, label %50, !dbg !82

50:                                               ; preds = %48, %19
  %51 = phi i32 [ %17, %19 ], [ %45, %48 ]
  %52 = phi i32 [ %16, %19 ], [ %43, %48 ]
  %53 = phi i32 [ %15, %19 ], [ %41, %48 ]
  %54 = phi i32 [ %14, %19 ], [ %39, %48 ]
  %55 = icmp ne i32 %20, 0, !dbg !82
  tail call void @llvm.assume(i1 %55), !dbg !82
  %56 = mul i32 %54, %4, !dbg !84
  %57 = add i32 %56, %5, !dbg !85
  %58 = mul i32 %53, %4, !dbg !84
  %59 = add i32 %58, %5, !dbg !85
  %60 = mul i32 %52, %4, !dbg !84
  %61 = add i32 %60, %5, !dbg !85
  %62 = mul i32 %51, %4, !dbg !84
  %63 = add i32 %62, %5, !dbg !85
  br label %64, !dbg !88

64:                                               ; preds = %50, %48, %10
  %65 = phi i32 [ %17, %10 ], [ %45, %48 ], [ %63, %50 ], !dbg !83
  %66 = phi i32 [ %16, %10 ], [ %43, %48 ], [ %61, %50 ], !dbg !83
  %67 = phi i32 [ %15, %10 ], [ %41, %48 ], [ %59, %50 ], !dbg !83
  %68 = phi i32 [ %14, %10 ], [ %39, %48 ], [ %57, %50 ], !dbg !83
  %69 = shl i64 %7, 32, !dbg !88
  %70 = ashr exact i64 %69, 30, !dbg !88
  %71 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %70, !dbg !88
  store i32 %68, ptr addrspace(1) %71, align 4, !dbg !89, !tbaa !8
  %72 = add nsw i32 %2, %8, !dbg !90
  %73 = sext i32 %72 to i64, !dbg !88
  %74 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %73, !dbg !88
  store i32 %67, ptr addrspace(1) %74, align 4, !dbg !89, !tbaa !8
  %75 = shl nsw i32 %2, 1, !dbg !91
  %76 = add nsw i32 %75, %8, !dbg !90
  %77 = sext i32 %76 to i64, !dbg !88
  %78 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %77, !dbg !88
  store i32 %66, ptr addrspace(1) %78, align 4, !dbg !89, !tbaa !8
  %79 = mul nsw i32 %2, 3, !dbg !91
  %80 = add nsw i32 %79, %8, !dbg !90
  %81 = sext i32 %80 to i64, !dbg !88
  %82 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %81, !dbg !88
  store i32 %65, ptr addrspace(1) %82, align 4, !dbg !89, !tbaa !8
  br label %83, !dbg !92

83:                                               ; preds = %6, %64
  ret void, !dbg !92
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @stress_long(ptr addrspace(1) noundef writeonly align 8 captures(none) %0, ptr addrspace(1) noundef readonly align 8 captures(none) %1, i32 noundef %2, i32 noundef %3, i64 noundef %4, i64 noundef %5) local_unnamed_addr #0 !dbg !93 !kernel_arg_addr_space !71 !kernel_arg_access_qual !72 !kernel_arg_type !94 !kernel_arg_base_type !94 !kernel_arg_type_qual !74 {
  tail call void @__clang_ocl_kern_imp_stress_long(ptr addrspace(1) noundef align 8 %0, ptr addrspace(1) noundef align 8 %1, i32 noundef %2, i32 noundef %3, i64 noundef %4, i64 noundef %5) #5, !dbg !95
  ret void, !dbg !96
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_stress_long(ptr addrspace(1) noundef writeonly align 8 captures(none) %0, ptr addrspace(1) noundef readonly align 8 captures(none) %1, i32 noundef %2, i32 noundef %3, i64 noundef %4, i64 noundef %5) local_unnamed_addr #1 !dbg !97 !kernel_arg_addr_space !71 !kernel_arg_access_qual !72 !kernel_arg_type !94 !kernel_arg_base_type !94 !kernel_arg_type_qual !74 {
  %7 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #6, !dbg !98
  %8 = trunc i64 %7 to i32, !dbg !98
  %9 = icmp sgt i32 %2, %8, !dbg !99
  br i1 %9, label %10, label %83, !dbg !99

10:                                               ; preds = %6
  %11 = shl i64 %7, 32
  %12 = ashr exact i64 %11, 29
  %13 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %12
  %14 = load i64, ptr addrspace(1) %13, align 8, !tbaa !100
  %15 = add i64 %14, 1, !dbg !102
  %16 = add i64 %14, 2, !dbg !102
  %17 = add i64 %14, 3, !dbg !102
  %18 = icmp sgt i32 %3, 0, !dbg !103
  br i1 %18, label %19, label %64, !dbg !104

19:                                               ; preds = %10
  %20 = and i32 %3, 1, !dbg !104
  %21 = icmp eq i32 %3, 1, !dbg !104
  br i1 %21, label %50, label %22, !dbg !104

22:                                               ; preds = %19
  %23 = and i32 %3, 2147483646, !dbg !104
  br label %24, !dbg !104

24:                                               ; preds = %24, %22
  %25 = phi i64 [ %17, %22 ], [ %45, %24 ], !dbg !105
  %26 = phi i64 [ %16, %22 ], [ %43, %24 ], !dbg !105
  %27 = phi i64 [ %15, %22 ], [ %41, %24 ], !dbg !105
  %28 = phi i64 [ %14, %22 ], [ %39, %24 ], !dbg !105
  %29 = phi i32 [ 0, %22 ], [ %46, %24 ]
  %30 = mul i64 %28, %4, !dbg !106
  %31 = add i64 %30, %5, !dbg !107
  %32 = mul i64 %27, %4, !dbg !106
  %33 = add i64 %32, %5, !dbg !107
  %34 = mul i64 %26, %4, !dbg !106
  %35 = add i64 %34, %5, !dbg !107
  %36 = mul i64 %25, %4, !dbg !106
  %37 = add i64 %36, %5, !dbg !107
  %38 = mul i64 %31, %4, !dbg !106
  %39 = add i64 %38, %5, !dbg !107
  %40 = mul i64 %33, %4, !dbg !106
  %41 = add i64 %40, %5, !dbg !107
  %42 = mul i64 %35, %4, !dbg !106
  %43 = add i64 %42, %5, !dbg !107
  %44 = mul i64 %37, %4, !dbg !106
  %45 = add i64 %44, %5, !dbg !107
  %46 = add i32 %29, 2, !dbg !104
  %47 = icmp eq i32 %46, %23, !dbg !104
  br i1 %47, label %48, label %24, !dbg !104, !llvm.loop !108

48:                                               ; preds = %24
  %49 = icmp eq i32 %20, 0, !dbg !104
  br i1 %49, label %64, label %50, !dbg !104

50:                                               ; preds = %48, %19
  %51 = phi i64 [ %17, %19 ], [ %45, %48 ]
  %52 = phi i64 [ %16, %19 ], [ %43, %48 ]
  %53 = phi i64 [ %15, %19 ], [ %41, %48 ]
  %54 = phi i64 [ %14, %19 ], [ %39, %48 ]
  %55 = icmp ne i32 %20, 0, !dbg !104
  tail call void @llvm.assume(i1 %55), !dbg !104
  %56 = mul i64 %54, %4, !dbg !106
  %57 = add i64 %56, %5, !dbg !107
  %58 = mul i64 %53, %4, !dbg !106
  %59 = add i64 %58, %5, !dbg !107
  %60 = mul i64 %52, %4, !dbg !106
  %61 = add i64 %60, %5, !dbg !107
  %62 = mul i64 %51, %4, !dbg !106
  %63 = add i64 %62, %5, !dbg !107
  br label %64, !dbg !110

64:                                               ; preds = %50, %48, %10
  %65 = phi i64 [ %17, %10 ], [ %45, %48 ], [ %63, %50 ], !dbg !105
  %66 = phi i64 [ %16, %10 ], [ %43, %48 ], [ %61, %50 ], !dbg !105
  %67 = phi i64 [ %15, %10 ], [ %41, %48 ], [ %59, %50 ], !dbg !105
  %68 = phi i64 [ %14, %10 ], [ %39, %48 ], [ %57, %50 ], !dbg !105
  %69 = shl i64 %7, 32, !dbg !110
  %70 = ashr exact i64 %69, 29, !dbg !110
  %71 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %70, !dbg !110
  store i64 %68, ptr addrspace(1) %71, align 8, !dbg !111, !tbaa !100
  %72 = add nsw i32 %2, %8, !dbg !112
  %73 = sext i32 %72 to i64, !dbg !110
  %74 = getelementptr inbounds i64, ptr addrspace(1) %0, i64 %73, !dbg !110
  store i64 %67, ptr addrspace(1) %74, align 8, !dbg !111, !tbaa !100
  %75 = shl nsw i32 %2, 1, !dbg !113
  %76 = add nsw i32 %75, %8, !dbg !112
  %77 = sext i32 %76 to i64, !dbg !110
  %78 = getelementptr inbounds i64, ptr addrspace(1) %0, i64 %77, !dbg !110
  store i64 %66, ptr addrspace(1) %78, align 8, !dbg !111, !tbaa !100
  %79 = mul nsw i32 %2, 3, !dbg !113
  %80 = add nsw i32 %79, %8, !dbg !112
  %81 = sext i32 %80 to i64, !dbg !110
  %82 = getelementptr inbounds i64, ptr addrspace(1) %0, i64 %81, !dbg !110
  store i64 %65, ptr addrspace(1) %82, align 8, !dbg !111, !tbaa !100
  br label %83, !dbg !114

83:                                               ; preds = %6, %64
  ret void, !dbg !114
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @stress_logic(ptr addrspace(1) noundef writeonly align 4 captures(none) %0, ptr addrspace(1) noundef readonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 !dbg !115 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !116 !kernel_arg_base_type !116 !kernel_arg_type_qual !19 {
  tail call void @__clang_ocl_kern_imp_stress_logic(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2, i32 noundef %3) #5, !dbg !117
  ret void, !dbg !118
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_stress_logic(ptr addrspace(1) noundef writeonly align 4 captures(none) %0, ptr addrspace(1) noundef readonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #1 !dbg !119 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !116 !kernel_arg_base_type !116 !kernel_arg_type_qual !19 {
  %5 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #6, !dbg !120
  %6 = trunc i64 %5 to i32, !dbg !120
  %7 = icmp sgt i32 %2, %6, !dbg !121
  br i1 %7, label %8, label %68, !dbg !121

8:                                                ; preds = %4
  %9 = shl i64 %5, 32
  %10 = ashr exact i64 %9, 30
  %11 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %10
  %12 = load i32, ptr addrspace(1) %11, align 4, !tbaa !8
  %13 = add i32 %12, 1, !dbg !122
  %14 = add i32 %12, 2, !dbg !122
  %15 = add i32 %12, 3, !dbg !122
  %16 = icmp sgt i32 %3, 0, !dbg !123
  br i1 %16, label %17, label %49, !dbg !124

17:                                               ; preds = %8, %17
  %18 = phi i32 [ %46, %17 ], [ %15, %8 ], !dbg !125
  %19 = phi i32 [ %40, %17 ], [ %14, %8 ], !dbg !125
  %20 = phi i32 [ %34, %17 ], [ %13, %8 ], !dbg !125
  %21 = phi i32 [ %28, %17 ], [ %12, %8 ], !dbg !125
  %22 = phi i32 [ %47, %17 ], [ 0, %8 ]
  %23 = shl i32 %21, 13, !dbg !126
  %24 = xor i32 %23, %21, !dbg !127
  %25 = lshr i32 %24, 17, !dbg !128
  %26 = xor i32 %25, %24, !dbg !129
  %27 = shl i32 %26, 5, !dbg !130
  %28 = xor i32 %27, %26, !dbg !131
  %29 = shl i32 %20, 13, !dbg !126
  %30 = xor i32 %29, %20, !dbg !127
  %31 = lshr i32 %30, 17, !dbg !128
  %32 = xor i32 %31, %30, !dbg !129
  %33 = shl i32 %32, 5, !dbg !130
  %34 = xor i32 %33, %32, !dbg !131
  %35 = shl i32 %19, 13, !dbg !126
  %36 = xor i32 %35, %19, !dbg !127
  %37 = lshr i32 %36, 17, !dbg !128
  %38 = xor i32 %37, %36, !dbg !129
  %39 = shl i32 %38, 5, !dbg !130
  %40 = xor i32 %39, %38, !dbg !131
  %41 = shl i32 %18, 13, !dbg !126
  %42 = xor i32 %41, %18, !dbg !127
  %43 = lshr i32 %42, 17, !dbg !128
  %44 = xor i32 %43, %42, !dbg !129
  %45 = shl i32 %44, 5, !dbg !130
  %46 = xor i32 %45, %44, !dbg !131
  %47 = add nuw nsw i32 %22, 1, !dbg !132
  %48 = icmp eq i32 %47, %3, !dbg !123
  br i1 %48, label %49, label %17, !dbg !124, !llvm.loop !133

49:                                               ; preds = %17, %8
  %50 = phi i32 [ %15, %8 ], [ %46, %17 ], !dbg !125
  %51 = phi i32 [ %14, %8 ], [ %40, %17 ], !dbg !125
  %52 = phi i32 [ %13, %8 ], [ %34, %17 ], !dbg !125
  %53 = phi i32 [ %12, %8 ], [ %28, %17 ], !dbg !125
  %54 = shl i64 %5, 32, !dbg !135
  %55 = ashr exact i64 %54, 30, !dbg !135
  %56 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %55, !dbg !135
  store i32 %53, ptr addrspace(1) %56, align 4, !dbg !136, !tbaa !8
  %57 = add nsw i32 %2, %6, !dbg !137
  %58 = sext i32 %57 to i64, !dbg !135
  %59 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %58, !dbg !135
  store i32 %52, ptr addrspace(1) %59, align 4, !dbg !136, !tbaa !8
  %60 = shl nsw i32 %2, 1, !dbg !138
  %61 = add nsw i32 %60, %6, !dbg !137
  %62 = sext i32 %61 to i64, !dbg !135
  %63 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %62, !dbg !135
  store i32 %51, ptr addrspace(1) %63, align 4, !dbg !136, !tbaa !8
  %64 = mul nsw i32 %2, 3, !dbg !138
  %65 = add nsw i32 %64, %6, !dbg !137
  %66 = sext i32 %65 to i64, !dbg !135
  %67 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %66, !dbg !135
  store i32 %50, ptr addrspace(1) %67, align 4, !dbg !136, !tbaa !8
  br label %68, !dbg !139

68:                                               ; preds = %4, %49
  ret void, !dbg !139
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @stress_roots(ptr addrspace(1) noundef writeonly align 4 captures(none) %0, ptr addrspace(1) noundef readonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 !dbg !140 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !141 !kernel_arg_base_type !141 !kernel_arg_type_qual !19 {
  tail call void @__clang_ocl_kern_imp_stress_roots(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2, i32 noundef %3) #5, !dbg !142
  ret void, !dbg !143
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_stress_roots(ptr addrspace(1) noundef writeonly align 4 captures(none) %0, ptr addrspace(1) noundef readonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #1 !dbg !144 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !141 !kernel_arg_base_type !141 !kernel_arg_type_qual !19 {
  %5 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #6, !dbg !145
  %6 = trunc i64 %5 to i32, !dbg !145
  %7 = icmp sgt i32 %2, %6, !dbg !146
  br i1 %7, label %8, label %43, !dbg !146

8:                                                ; preds = %4
  %9 = sitofp i32 %3 to float, !dbg !147
  %10 = fdiv float 5.000000e-01, %9, !dbg !148, !fpmath !149
  %11 = icmp sgt i32 %3, 0, !dbg !150
  %12 = shl i64 %5, 32
  %13 = ashr exact i64 %12, 30
  br i1 %11, label %14, label %17, !dbg !151

14:                                               ; preds = %8
  %15 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %13
  %16 = load float, ptr addrspace(1) %15, align 4, !tbaa !152
  br label %20, !dbg !151

17:                                               ; preds = %20, %8
  %18 = phi float [ 0.000000e+00, %8 ], [ %40, %20 ], !dbg !154
  %19 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %13, !dbg !155
  store float %18, ptr addrspace(1) %19, align 4, !dbg !156, !tbaa !152
  br label %43, !dbg !157

20:                                               ; preds = %14, %20
  %21 = phi i32 [ 0, %14 ], [ %41, %20 ]
  %22 = phi float [ 0.000000e+00, %14 ], [ %40, %20 ]
  %23 = uitofp nneg i32 %21 to float, !dbg !158
  %24 = fneg float %23, !dbg !159
  %25 = tail call float @llvm.fmuladd.f32(float %24, float %10, float 1.000000e+00), !dbg !159
  %26 = fmul float %25, %16, !dbg !160
  %27 = fadd float %26, 1.000000e+00, !dbg !161
  %28 = fmul float %27, 5.000000e-01, !dbg !162
  %29 = tail call float @_Z4sqrtf(float noundef %26) #6, !dbg !163, !fpmath !164
  %30 = fadd float %28, %29, !dbg !161
  %31 = fmul float %30, 5.000000e-01, !dbg !162
  %32 = fmul float %28, %29, !dbg !165
  %33 = tail call float @_Z4sqrtf(float noundef %32) #6, !dbg !163, !fpmath !164
  %34 = fadd float %31, %33, !dbg !161
  %35 = fmul float %34, 5.000000e-01, !dbg !162
  %36 = fmul float %31, %33, !dbg !165
  %37 = tail call float @_Z4sqrtf(float noundef %36) #6, !dbg !163, !fpmath !164
  %38 = fadd float %35, %37, !dbg !161
  %39 = fmul float %38, 5.000000e-01, !dbg !162
  %40 = fadd float %22, %39, !dbg !166
  %41 = add nuw nsw i32 %21, 1, !dbg !167
  %42 = icmp eq i32 %41, %3, !dbg !150
  br i1 %42, label %17, label %20, !dbg !151, !llvm.loop !168

43:                                               ; preds = %4, %17
  ret void, !dbg !157
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #3

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #3

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z4sqrtf(float noundef) local_unnamed_addr #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #4

attributes #0 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #3 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #5 = { convergent nounwind }
attributes #6 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "stress.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "stress_float", scope: !1, file: !1, line: 10, type: !13, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 0, i32 0}
!16 = !{!"none", !"none", !"none", !"none"}
!17 = !{!"float2*", !"float4*", !"int", !"int"}
!18 = !{!"float __attribute__((ext_vector_type(2)))*", !"float __attribute__((ext_vector_type(4)))*", !"int", !"int"}
!19 = !{!"", !"const", !"", !""}
!20 = !DILocation(line: 11, column: 39, scope: !12)
!21 = !DILocation(line: 32, column: 1, scope: !12)
!22 = distinct !DISubprogram(name: "stress_float", scope: !1, file: !1, line: 10, type: !13, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!23 = !DILocation(line: 12, column: 17, scope: !22)
!24 = !DILocation(line: 13, column: 9, scope: !22)
!25 = !DILocation(line: 14, column: 24, scope: !22)
!26 = !{!10, !10, i64 0}
!27 = !DILocation(line: 19, column: 20, scope: !22)
!28 = !DILocation(line: 20, column: 20, scope: !22)
!29 = !DILocation(line: 22, column: 27, scope: !22)
!30 = !DILocation(line: 22, column: 3, scope: !22)
!31 = !DILocation(line: 0, scope: !22)
!32 = !DILocation(line: 25, column: 43, scope: !22)
!33 = !DILocation(line: 26, column: 36, scope: !22)
!34 = !DILocation(line: 26, column: 29, scope: !22)
!35 = distinct !{!35, !30, !36}
!36 = !DILocation(line: 29, column: 3, scope: !22)
!37 = !DILocation(line: 31, column: 65, scope: !22)
!38 = !DILocation(line: 31, column: 36, scope: !22)
!39 = !DILocation(line: 31, column: 55, scope: !22)
!40 = !DILocation(line: 31, column: 50, scope: !22)
!41 = !DILocation(line: 31, column: 42, scope: !22)
!42 = !DILocation(line: 32, column: 1, scope: !22)
!43 = distinct !DISubprogram(name: "stress_double", scope: !1, file: !1, line: 35, type: !13, scopeLine: 36, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!44 = !{!"double2*", !"double2*", !"int", !"int"}
!45 = !{!"double __attribute__((ext_vector_type(2)))*", !"double __attribute__((ext_vector_type(2)))*", !"int", !"int"}
!46 = !DILocation(line: 36, column: 40, scope: !43)
!47 = !DILocation(line: 58, column: 1, scope: !43)
!48 = distinct !DISubprogram(name: "stress_double", scope: !1, file: !1, line: 35, type: !13, scopeLine: 36, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!49 = !DILocation(line: 37, column: 17, scope: !48)
!50 = !DILocation(line: 38, column: 9, scope: !48)
!51 = !DILocation(line: 39, column: 33, scope: !48)
!52 = !DILocation(line: 39, column: 25, scope: !48)
!53 = !DILocation(line: 45, column: 20, scope: !48)
!54 = !DILocation(line: 46, column: 20, scope: !48)
!55 = !DILocation(line: 48, column: 27, scope: !48)
!56 = !DILocation(line: 48, column: 3, scope: !48)
!57 = !DILocation(line: 40, column: 24, scope: !48)
!58 = !DILocation(line: 0, scope: !48)
!59 = !DILocation(line: 51, column: 43, scope: !48)
!60 = !DILocation(line: 52, column: 35, scope: !48)
!61 = !DILocation(line: 52, column: 28, scope: !48)
!62 = distinct !{!62, !56, !63}
!63 = !DILocation(line: 55, column: 3, scope: !48)
!64 = !DILocation(line: 57, column: 66, scope: !48)
!65 = !DILocation(line: 57, column: 36, scope: !48)
!66 = !DILocation(line: 57, column: 55, scope: !48)
!67 = !DILocation(line: 57, column: 50, scope: !48)
!68 = !DILocation(line: 57, column: 42, scope: !48)
!69 = !DILocation(line: 58, column: 1, scope: !48)
!70 = distinct !DISubprogram(name: "stress_int", scope: !1, file: !1, line: 61, type: !13, scopeLine: 62, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!71 = !{i32 1, i32 1, i32 0, i32 0, i32 0, i32 0}
!72 = !{!"none", !"none", !"none", !"none", !"none", !"none"}
!73 = !{!"uint*", !"uint*", !"int", !"int", !"uint", !"uint"}
!74 = !{!"", !"const", !"", !"", !"", !""}
!75 = !DILocation(line: 62, column: 61, scope: !70)
!76 = !DILocation(line: 74, column: 1, scope: !70)
!77 = distinct !DISubprogram(name: "stress_int", scope: !1, file: !1, line: 61, type: !13, scopeLine: 62, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!78 = !DILocation(line: 63, column: 17, scope: !77)
!79 = !DILocation(line: 64, column: 9, scope: !77)
!80 = !DILocation(line: 67, column: 52, scope: !77)
!81 = !DILocation(line: 68, column: 27, scope: !77)
!82 = !DILocation(line: 68, column: 3, scope: !77)
!83 = !DILocation(line: 0, scope: !77)
!84 = !DILocation(line: 70, column: 50, scope: !77)
!85 = !DILocation(line: 70, column: 59, scope: !77)
!86 = distinct !{!86, !82, !87}
!87 = !DILocation(line: 71, column: 3, scope: !77)
!88 = !DILocation(line: 73, column: 36, scope: !77)
!89 = !DILocation(line: 73, column: 55, scope: !77)
!90 = !DILocation(line: 73, column: 50, scope: !77)
!91 = !DILocation(line: 73, column: 42, scope: !77)
!92 = !DILocation(line: 74, column: 1, scope: !77)
!93 = distinct !DISubprogram(name: "stress_long", scope: !1, file: !1, line: 77, type: !13, scopeLine: 79, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!94 = !{!"ulong*", !"ulong*", !"int", !"int", !"ulong", !"ulong"}
!95 = !DILocation(line: 79, column: 53, scope: !93)
!96 = !DILocation(line: 91, column: 1, scope: !93)
!97 = distinct !DISubprogram(name: "stress_long", scope: !1, file: !1, line: 77, type: !13, scopeLine: 79, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!98 = !DILocation(line: 80, column: 17, scope: !97)
!99 = !DILocation(line: 81, column: 9, scope: !97)
!100 = !{!101, !101, i64 0}
!101 = !{!"long", !10, i64 0}
!102 = !DILocation(line: 84, column: 52, scope: !97)
!103 = !DILocation(line: 85, column: 27, scope: !97)
!104 = !DILocation(line: 85, column: 3, scope: !97)
!105 = !DILocation(line: 0, scope: !97)
!106 = !DILocation(line: 87, column: 50, scope: !97)
!107 = !DILocation(line: 87, column: 59, scope: !97)
!108 = distinct !{!108, !104, !109}
!109 = !DILocation(line: 88, column: 3, scope: !97)
!110 = !DILocation(line: 90, column: 36, scope: !97)
!111 = !DILocation(line: 90, column: 55, scope: !97)
!112 = !DILocation(line: 90, column: 50, scope: !97)
!113 = !DILocation(line: 90, column: 42, scope: !97)
!114 = !DILocation(line: 91, column: 1, scope: !97)
!115 = distinct !DISubprogram(name: "stress_logic", scope: !1, file: !1, line: 94, type: !13, scopeLine: 95, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!116 = !{!"uint*", !"uint*", !"int", !"int"}
!117 = !DILocation(line: 95, column: 50, scope: !115)
!118 = !DILocation(line: 111, column: 1, scope: !115)
!119 = distinct !DISubprogram(name: "stress_logic", scope: !1, file: !1, line: 94, type: !13, scopeLine: 95, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!120 = !DILocation(line: 96, column: 17, scope: !119)
!121 = !DILocation(line: 97, column: 9, scope: !119)
!122 = !DILocation(line: 100, column: 52, scope: !119)
!123 = !DILocation(line: 101, column: 27, scope: !119)
!124 = !DILocation(line: 101, column: 3, scope: !119)
!125 = !DILocation(line: 0, scope: !119)
!126 = !DILocation(line: 104, column: 20, scope: !119)
!127 = !DILocation(line: 104, column: 12, scope: !119)
!128 = !DILocation(line: 105, column: 20, scope: !119)
!129 = !DILocation(line: 105, column: 12, scope: !119)
!130 = !DILocation(line: 106, column: 20, scope: !119)
!131 = !DILocation(line: 106, column: 12, scope: !119)
!132 = !DILocation(line: 101, column: 36, scope: !119)
!133 = distinct !{!133, !124, !134}
!134 = !DILocation(line: 108, column: 3, scope: !119)
!135 = !DILocation(line: 110, column: 36, scope: !119)
!136 = !DILocation(line: 110, column: 55, scope: !119)
!137 = !DILocation(line: 110, column: 50, scope: !119)
!138 = !DILocation(line: 110, column: 42, scope: !119)
!139 = !DILocation(line: 111, column: 1, scope: !119)
!140 = distinct !DISubprogram(name: "stress_roots", scope: !1, file: !1, line: 115, type: !13, scopeLine: 115, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!141 = !{!"float*", !"float*", !"int", !"int"}
!142 = !DILocation(line: 115, column: 100, scope: !140)
!143 = !DILocation(line: 132, column: 1, scope: !140)
!144 = distinct !DISubprogram(name: "stress_roots", scope: !1, file: !1, line: 115, type: !13, scopeLine: 115, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!145 = !DILocation(line: 116, column: 17, scope: !144)
!146 = !DILocation(line: 117, column: 9, scope: !144)
!147 = !DILocation(line: 118, column: 31, scope: !144)
!148 = !DILocation(line: 118, column: 29, scope: !144)
!149 = !{float 2.500000e+00}
!150 = !DILocation(line: 120, column: 27, scope: !144)
!151 = !DILocation(line: 120, column: 3, scope: !144)
!152 = !{!153, !153, i64 0}
!153 = !{!"float", !10, i64 0}
!154 = !DILocation(line: 0, scope: !144)
!155 = !DILocation(line: 131, column: 3, scope: !144)
!156 = !DILocation(line: 131, column: 10, scope: !144)
!157 = !DILocation(line: 132, column: 1, scope: !144)
!158 = !DILocation(line: 122, column: 34, scope: !144)
!159 = !DILocation(line: 122, column: 32, scope: !144)
!160 = !DILocation(line: 122, column: 24, scope: !144)
!161 = !DILocation(line: 125, column: 38, scope: !144)
!162 = !DILocation(line: 125, column: 33, scope: !144)
!163 = !DILocation(line: 126, column: 11, scope: !144)
!164 = !{float 3.000000e+00}
!165 = !DILocation(line: 126, column: 18, scope: !144)
!166 = !DILocation(line: 129, column: 9, scope: !144)
!167 = !DILocation(line: 120, column: 36, scope: !144)
!168 = distinct !{!168, !151, !169}
!169 = !DILocation(line: 130, column: 3, scope: !144)
