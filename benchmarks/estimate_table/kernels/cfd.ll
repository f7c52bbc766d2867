; ModuleID = 'cfd.cl'
source_filename = "cfd.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: write)
define dso_local ptx_kernel void @cfd_memset(ptr addrspace(1) noundef writeonly align 1 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #0 !kernel_arg_addr_space !8 !kernel_arg_access_qual !9 !kernel_arg_type !10 !kernel_arg_base_type !10 !kernel_arg_type_qual !11 {
  tail call void @__clang_ocl_kern_imp_cfd_memset(ptr addrspace(1) noundef align 1 %0, i32 noundef %1, i32 noundef %2) #6
  ret void
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: write)
define dso_local void @__clang_ocl_kern_imp_cfd_memset(ptr addrspace(1) noundef writeonly align 1 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #1 !kernel_arg_addr_space !8 !kernel_arg_access_qual !9 !kernel_arg_type !10 !kernel_arg_base_type !10 !kernel_arg_type_qual !11 {
  %4 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #7
  %5 = trunc i64 %4 to i32
  %6 = icmp sgt i32 %2, %5
  br i1 %6, label %7, label %12

7:                                                ; preds = %3
  %8 = shl i64 %4, 32
  %9 = ashr exact i64 %8, 32
  %10 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %9
  %11 = trunc i32 %1 to i8
  store i8 %11, ptr addrspace(1) %10, align 1, !tbaa !12
  br label %12

12:                                               ; preds = %7, %3
  ret void
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: write)
define dso_local ptx_kernel void @initialize_variables(ptr addrspace(1) noundef writeonly align 4 captures(none) %0, i32 noundef %1, ptr addrspace(4) noalias noundef readonly align 4 captures(none) %2) local_unnamed_addr #0 !kernel_arg_addr_space !13 !kernel_arg_access_qual !9 !kernel_arg_type !14 !kernel_arg_base_type !14 !kernel_arg_type_qual !15 {
  tail call void @__clang_ocl_kern_imp_initialize_variables(ptr addrspace(1) noundef align 4 %0, i32 noundef %1, ptr addrspace(4) noundef align 4 %2) #6
  ret void
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: write)
define dso_local void @__clang_ocl_kern_imp_initialize_variables(ptr addrspace(1) noundef writeonly align 4 captures(none) %0, i32 noundef %1, ptr addrspace(4) noalias noundef readonly align 4 captures(none) %2) local_unnamed_addr #1 !kernel_arg_addr_space !13 !kernel_arg_access_qual !9 !kernel_arg_type !14 !kernel_arg_base_type !14 !kernel_arg_type_qual !15 {
  %4 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #7
  %5 = trunc i64 %4 to i32
  %6 = load float, ptr addrspace(4) %2, align 4, !tbaa !16
  %7 = shl i64 %4, 32
  %8 = ashr exact i64 %7, 30
  %9 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %8
  store float %6, ptr addrspace(1) %9, align 4, !tbaa !16
  %10 = getelementptr inbounds nuw i8, ptr addrspace(4) %2, i64 4
  %11 = load float, ptr addrspace(4) %10, align 4, !tbaa !16
  %12 = add nsw i32 %1, %5
  %13 = sext i32 %12 to i64
  %14 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %13
  store float %11, ptr addrspace(1) %14, align 4, !tbaa !16
  %15 = getelementptr inbounds nuw i8, ptr addrspace(4) %2, i64 8
  %16 = load float, ptr addrspace(4) %15, align 4, !tbaa !16
  %17 = shl nsw i32 %1, 1
  %18 = add nsw i32 %17, %5
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %19
  store float %16, ptr addrspace(1) %20, align 4, !tbaa !16
  %21 = getelementptr inbounds nuw i8, ptr addrspace(4) %2, i64 12
  %22 = load float, ptr addrspace(4) %21, align 4, !tbaa !16
  %23 = mul nsw i32 %1, 3
  %24 = add nsw i32 %23, %5
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %25
  store float %22, ptr addrspace(1) %26, align 4, !tbaa !16
  %27 = getelementptr inbounds nuw i8, ptr addrspace(4) %2, i64 16
  %28 = load float, ptr addrspace(4) %27, align 4, !tbaa !16
  %29 = shl nsw i32 %1, 2
  %30 = add nsw i32 %29, %5
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %31
  store float %28, ptr addrspace(1) %32, align 4, !tbaa !16
  ret void
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @compute_step_factor(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2, i32 noundef %3) local_unnamed_addr #2 !kernel_arg_addr_space !18 !kernel_arg_access_qual !19 !kernel_arg_type !20 !kernel_arg_base_type !20 !kernel_arg_type_qual !21 {
  tail call void @__clang_ocl_kern_imp_compute_step_factor(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, i32 noundef %3) #6
  ret void
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_compute_step_factor(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2, i32 noundef %3) local_unnamed_addr #3 !kernel_arg_addr_space !18 !kernel_arg_access_qual !19 !kernel_arg_type !20 !kernel_arg_base_type !20 !kernel_arg_type_qual !21 {
  %5 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #7
  %6 = trunc i64 %5 to i32
  %7 = shl i64 %5, 32
  %8 = ashr exact i64 %7, 30
  %9 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %8
  %10 = load float, ptr addrspace(1) %9, align 4, !tbaa !16
  %11 = add nsw i32 %3, %6
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %12
  %14 = load float, ptr addrspace(1) %13, align 4, !tbaa !16
  %15 = shl nsw i32 %3, 1
  %16 = add nsw i32 %15, %6
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %17
  %19 = load float, ptr addrspace(1) %18, align 4, !tbaa !16
  %20 = mul nsw i32 %3, 3
  %21 = add nsw i32 %20, %6
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %22
  %24 = load float, ptr addrspace(1) %23, align 4, !tbaa !16
  %25 = shl nsw i32 %3, 2
  %26 = add nsw i32 %25, %6
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %27
  %29 = load float, ptr addrspace(1) %28, align 4, !tbaa !16
  %30 = fdiv float 1.000000e+00, %10, !fpmath !22
  %31 = fmul float %30, %14
  %32 = fmul float %30, %19
  %33 = fmul float %30, %24
  %34 = fmul float %32, %32
  %35 = tail call float @llvm.fmuladd.f32(float %31, float %31, float %34)
  %36 = tail call float @llvm.fmuladd.f32(float %33, float %33, float %35)
  %37 = fmul float %10, -5.000000e-01
  %38 = tail call float @llvm.fmuladd.f32(float %37, float %36, float %29)
  %39 = fmul float %38, 0x3FD9999980000000
  %40 = fmul float %39, 0x3FF6666660000000
  %41 = fdiv float %40, %10, !fpmath !22
  %42 = tail call float @_Z4sqrtf(float noundef %41) #7, !fpmath !23
  %43 = ashr exact i64 %7, 32
  %44 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %43
  %45 = load float, ptr addrspace(1) %44, align 4, !tbaa !16
  %46 = tail call float @_Z4sqrtf(float noundef %36) #7, !fpmath !23
  %47 = fadd float %42, %46
  %48 = fmul float %45, %47
  %49 = fdiv float 5.000000e-01, %48, !fpmath !22
  %50 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %43
  store float %49, ptr addrspace(1) %50, align 4, !tbaa !16
  ret void
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @compute_flux(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %2, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %3, i32 noundef %4, ptr addrspace(4) noalias noundef readonly align 4 captures(none) %5, ptr addrspace(4) noalias noundef readonly align 4 captures(none) %6) local_unnamed_addr #2 !kernel_arg_addr_space !24 !kernel_arg_access_qual !25 !kernel_arg_type !26 !kernel_arg_base_type !26 !kernel_arg_type_qual !27 {
  tail call void @__clang_ocl_kern_imp_compute_flux(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, ptr addrspace(1) noundef align 4 %3, i32 noundef %4, ptr addrspace(4) noundef align 4 %5, ptr addrspace(4) noundef align 4 %6) #6
  ret void
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_compute_flux(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %2, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %3, i32 noundef %4, ptr addrspace(4) noalias noundef readonly align 4 captures(none) %5, ptr addrspace(4) noalias noundef readonly align 4 captures(none) %6) local_unnamed_addr #3 !kernel_arg_addr_space !24 !kernel_arg_access_qual !25 !kernel_arg_type !26 !kernel_arg_base_type !26 !kernel_arg_type_qual !27 {
  %8 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #7
  %9 = trunc i64 %8 to i32
  %10 = shl i64 %8, 32
  %11 = ashr exact i64 %10, 32
  %12 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %11
  %13 = load float, ptr addrspace(1) %12, align 4, !tbaa !16
  %14 = add nsw i32 %4, %9
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %15
  %17 = load float, ptr addrspace(1) %16, align 4, !tbaa !16
  %18 = shl nsw i32 %4, 1
  %19 = add nsw i32 %18, %9
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %20
  %22 = load float, ptr addrspace(1) %21, align 4, !tbaa !16
  %23 = mul nsw i32 %4, 3
  %24 = add nsw i32 %23, %9
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %25
  %27 = load float, ptr addrspace(1) %26, align 4, !tbaa !16
  %28 = shl nsw i32 %4, 2
  %29 = add nsw i32 %28, %9
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %30
  %32 = load float, ptr addrspace(1) %31, align 4, !tbaa !16
  %33 = fdiv float 1.000000e+00, %13, !fpmath !22
  %34 = fmul float %33, %17
  %35 = fmul float %33, %22
  %36 = fmul float %33, %27
  %37 = fmul float %35, %35
  %38 = tail call float @llvm.fmuladd.f32(float %34, float %34, float %37)
  %39 = tail call float @llvm.fmuladd.f32(float %36, float %36, float %38)
  %40 = tail call float @_Z4sqrtf(float noundef %39) #7, !fpmath !23
  %41 = fmul float %13, -5.000000e-01
  %42 = tail call float @llvm.fmuladd.f32(float %41, float %39, float %32)
  %43 = fmul float %42, 0x3FD9999980000000
  %44 = fmul float %43, 0x3FF6666660000000
  %45 = fdiv float %44, %13, !fpmath !22
  %46 = tail call float @_Z4sqrtf(float noundef %45) #7, !fpmath !23
  %47 = fmul float %17, %34
  %48 = fmul float %34, %22
  %49 = fmul float %34, %27
  %50 = fmul float %17, %35
  %51 = fmul float %22, %35
  %52 = fmul float %27, %35
  %53 = fmul float %17, %36
  %54 = fmul float %22, %36
  %55 = fmul float %27, %36
  %56 = fadd float %47, %43
  %57 = fadd float %51, %43
  %58 = fadd float %55, %43
  %59 = fadd float %32, %43
  %60 = fmul float %34, %59
  %61 = fmul float %35, %59
  %62 = fmul float %36, %59
  %63 = getelementptr inbounds nuw i8, ptr addrspace(4) %5, i64 4
  %64 = getelementptr inbounds nuw i8, ptr addrspace(4) %5, i64 8
  %65 = getelementptr inbounds nuw i8, ptr addrspace(4) %5, i64 12
  %66 = getelementptr inbounds nuw i8, ptr addrspace(4) %6, i64 4
  %67 = getelementptr inbounds nuw i8, ptr addrspace(4) %6, i64 8
  %68 = getelementptr inbounds nuw i8, ptr addrspace(4) %6, i64 12
  %69 = getelementptr inbounds nuw i8, ptr addrspace(4) %6, i64 16
  %70 = getelementptr inbounds nuw i8, ptr addrspace(4) %6, i64 20
  %71 = getelementptr inbounds nuw i8, ptr addrspace(4) %6, i64 24
  %72 = getelementptr inbounds nuw i8, ptr addrspace(4) %6, i64 28
  %73 = getelementptr inbounds nuw i8, ptr addrspace(4) %6, i64 32
  %74 = getelementptr inbounds nuw i8, ptr addrspace(4) %6, i64 36
  %75 = getelementptr inbounds nuw i8, ptr addrspace(4) %6, i64 40
  %76 = getelementptr inbounds nuw i8, ptr addrspace(4) %6, i64 44
  %77 = shl i64 %8, 32
  %78 = ashr exact i64 %77, 32
  %79 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %78
  %80 = load i32, ptr addrspace(1) %79, align 4, !tbaa !4
  %81 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %78
  %82 = load float, ptr addrspace(1) %81, align 4, !tbaa !16
  %83 = shl nsw i32 %4, 2
  %84 = add nsw i32 %83, %9
  %85 = sext i32 %84 to i64
  %86 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %85
  %87 = load float, ptr addrspace(1) %86, align 4, !tbaa !16
  %88 = shl nsw i32 %4, 3
  %89 = add nsw i32 %88, %9
  %90 = sext i32 %89 to i64
  %91 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %90
  %92 = load float, ptr addrspace(1) %91, align 4, !tbaa !16
  %93 = icmp sgt i32 %80, -1
  br i1 %93, label %94, label %206

94:                                               ; preds = %7
  %95 = zext nneg i32 %80 to i64
  %96 = getelementptr inbounds nuw float, ptr addrspace(1) %2, i64 %95
  %97 = load float, ptr addrspace(1) %96, align 4, !tbaa !16
  %98 = add nsw i32 %80, %4
  %99 = sext i32 %98 to i64
  %100 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %99
  %101 = load float, ptr addrspace(1) %100, align 4, !tbaa !16
  %102 = add nsw i32 %80, %18
  %103 = sext i32 %102 to i64
  %104 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %103
  %105 = load float, ptr addrspace(1) %104, align 4, !tbaa !16
  %106 = add nsw i32 %80, %23
  %107 = sext i32 %106 to i64
  %108 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %107
  %109 = load float, ptr addrspace(1) %108, align 4, !tbaa !16
  %110 = add nsw i32 %80, %28
  %111 = sext i32 %110 to i64
  %112 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %111
  %113 = load float, ptr addrspace(1) %112, align 4, !tbaa !16
  %114 = fdiv float 1.000000e+00, %97, !fpmath !22
  %115 = fmul float %114, %101
  %116 = fmul float %114, %105
  %117 = fmul float %114, %109
  %118 = fmul float %116, %116
  %119 = tail call float @llvm.fmuladd.f32(float %115, float %115, float %118)
  %120 = tail call float @llvm.fmuladd.f32(float %117, float %117, float %119)
  %121 = fmul float %97, -5.000000e-01
  %122 = tail call float @llvm.fmuladd.f32(float %121, float %120, float %113)
  %123 = fmul float %122, 0x3FD9999980000000
  %124 = fmul float %123, 0x3FF6666660000000
  %125 = fdiv float %124, %97, !fpmath !22
  %126 = tail call float @_Z4sqrtf(float noundef %125) #7, !fpmath !23
  %127 = fmul float %101, %115
  %128 = fmul float %115, %105
  %129 = fmul float %115, %109
  %130 = fmul float %101, %116
  %131 = fmul float %105, %116
  %132 = fmul float %109, %116
  %133 = fmul float %101, %117
  %134 = fmul float %105, %117
  %135 = fmul float %109, %117
  %136 = fadd float %127, %123
  %137 = fadd float %131, %123
  %138 = fadd float %135, %123
  %139 = fadd float %113, %123
  %140 = fmul float %115, %139
  %141 = fmul float %116, %139
  %142 = fmul float %117, %139
  %143 = fmul float %87, %87
  %144 = tail call float @llvm.fmuladd.f32(float %82, float %82, float %143)
  %145 = tail call float @llvm.fmuladd.f32(float %92, float %92, float %144)
  %146 = tail call float @_Z4sqrtf(float noundef %145) #7, !fpmath !23
  %147 = tail call float @_Z4sqrtf(float noundef %120) #7, !fpmath !23
  %148 = fadd float %40, %147
  %149 = fadd float %46, %148
  %150 = fadd float %126, %149
  %151 = fmul float %146, 0x3FB99999A0000000
  %152 = fmul float %151, %150
  %153 = fsub float %97, %13
  %154 = tail call float @llvm.fmuladd.f32(float %152, float %153, float 0.000000e+00)
  %155 = fsub float %101, %17
  %156 = tail call float @llvm.fmuladd.f32(float %152, float %155, float 0.000000e+00)
  %157 = fsub float %105, %22
  %158 = tail call float @llvm.fmuladd.f32(float %152, float %157, float 0.000000e+00)
  %159 = fsub float %109, %27
  %160 = tail call float @llvm.fmuladd.f32(float %152, float %159, float 0.000000e+00)
  %161 = fsub float %113, %32
  %162 = tail call float @llvm.fmuladd.f32(float %152, float %161, float 0.000000e+00)
  %163 = fmul float %82, 5.000000e-01
  %164 = fmul float %87, 5.000000e-01
  %165 = fmul float %92, 5.000000e-01
  %166 = fmul float %22, %164
  %167 = tail call float @llvm.fmuladd.f32(float %163, float %17, float %166)
  %168 = tail call float @llvm.fmuladd.f32(float %165, float %27, float %167)
  %169 = fsub float %154, %168
  %170 = fmul float %48, %164
  %171 = tail call float @llvm.fmuladd.f32(float %163, float %56, float %170)
  %172 = tail call float @llvm.fmuladd.f32(float %165, float %49, float %171)
  %173 = fsub float %156, %172
  %174 = fmul float %57, %164
  %175 = tail call float @llvm.fmuladd.f32(float %163, float %50, float %174)
  %176 = tail call float @llvm.fmuladd.f32(float %165, float %52, float %175)
  %177 = fsub float %158, %176
  %178 = fmul float %54, %164
  %179 = tail call float @llvm.fmuladd.f32(float %163, float %53, float %178)
  %180 = tail call float @llvm.fmuladd.f32(float %165, float %58, float %179)
  %181 = fsub float %160, %180
  %182 = fmul float %61, %164
  %183 = tail call float @llvm.fmuladd.f32(float %163, float %60, float %182)
  %184 = tail call float @llvm.fmuladd.f32(float %165, float %62, float %183)
  %185 = fsub float %162, %184
  %186 = fmul float %164, %105
  %187 = tail call float @llvm.fmuladd.f32(float %163, float %101, float %186)
  %188 = tail call float @llvm.fmuladd.f32(float %165, float %109, float %187)
  %189 = fsub float %169, %188
  %190 = fmul float %164, %128
  %191 = tail call float @llvm.fmuladd.f32(float %163, float %136, float %190)
  %192 = tail call float @llvm.fmuladd.f32(float %165, float %129, float %191)
  %193 = fsub float %173, %192
  %194 = fmul float %164, %137
  %195 = tail call float @llvm.fmuladd.f32(float %163, float %130, float %194)
  %196 = tail call float @llvm.fmuladd.f32(float %165, float %132, float %195)
  %197 = fsub float %177, %196
  %198 = fmul float %164, %134
  %199 = tail call float @llvm.fmuladd.f32(float %163, float %133, float %198)
  %200 = tail call float @llvm.fmuladd.f32(float %165, float %138, float %199)
  %201 = fsub float %181, %200
  %202 = fmul float %164, %141
  %203 = tail call float @llvm.fmuladd.f32(float %163, float %140, float %202)
  %204 = tail call float @llvm.fmuladd.f32(float %165, float %142, float %203)
  %205 = fsub float %185, %204
  br label %273

206:                                              ; preds = %7
  switch i32 %80, label %273 [
    i32 -1, label %207
    i32 -2, label %214
  ]

207:                                              ; preds = %206
  %208 = fneg float %82
  %209 = tail call float @llvm.fmuladd.f32(float %208, float %43, float 0.000000e+00)
  %210 = fneg float %87
  %211 = tail call float @llvm.fmuladd.f32(float %210, float %43, float 0.000000e+00)
  %212 = fneg float %92
  %213 = tail call float @llvm.fmuladd.f32(float %212, float %43, float 0.000000e+00)
  br label %273

214:                                              ; preds = %206
  %215 = load float, ptr addrspace(4) %63, align 4, !tbaa !16
  %216 = load float, ptr addrspace(4) %64, align 4, !tbaa !16
  %217 = load float, ptr addrspace(4) %65, align 4, !tbaa !16
  %218 = load float, ptr addrspace(4) %6, align 4, !tbaa !16
  %219 = load float, ptr addrspace(4) %66, align 4, !tbaa !16
  %220 = load float, ptr addrspace(4) %67, align 4, !tbaa !16
  %221 = load float, ptr addrspace(4) %68, align 4, !tbaa !16
  %222 = load float, ptr addrspace(4) %69, align 4, !tbaa !16
  %223 = load float, ptr addrspace(4) %70, align 4, !tbaa !16
  %224 = load float, ptr addrspace(4) %71, align 4, !tbaa !16
  %225 = load float, ptr addrspace(4) %72, align 4, !tbaa !16
  %226 = load float, ptr addrspace(4) %73, align 4, !tbaa !16
  %227 = load float, ptr addrspace(4) %74, align 4, !tbaa !16
  %228 = load float, ptr addrspace(4) %75, align 4, !tbaa !16
  %229 = load float, ptr addrspace(4) %76, align 4, !tbaa !16
  %230 = fmul float %82, 5.000000e-01
  %231 = fmul float %87, 5.000000e-01
  %232 = fmul float %92, 5.000000e-01
  %233 = fmul float %22, %231
  %234 = tail call float @llvm.fmuladd.f32(float %230, float %17, float %233)
  %235 = tail call float @llvm.fmuladd.f32(float %232, float %27, float %234)
  %236 = fsub float 0.000000e+00, %235
  %237 = fmul float %48, %231
  %238 = tail call float @llvm.fmuladd.f32(float %230, float %56, float %237)
  %239 = tail call float @llvm.fmuladd.f32(float %232, float %49, float %238)
  %240 = fsub float 0.000000e+00, %239
  %241 = fmul float %57, %231
  %242 = tail call float @llvm.fmuladd.f32(float %230, float %50, float %241)
  %243 = tail call float @llvm.fmuladd.f32(float %232, float %52, float %242)
  %244 = fsub float 0.000000e+00, %243
  %245 = fmul float %54, %231
  %246 = tail call float @llvm.fmuladd.f32(float %230, float %53, float %245)
  %247 = tail call float @llvm.fmuladd.f32(float %232, float %58, float %246)
  %248 = fsub float 0.000000e+00, %247
  %249 = fmul float %61, %231
  %250 = tail call float @llvm.fmuladd.f32(float %230, float %60, float %249)
  %251 = tail call float @llvm.fmuladd.f32(float %232, float %62, float %250)
  %252 = fsub float 0.000000e+00, %251
  %253 = fmul float %231, %216
  %254 = tail call float @llvm.fmuladd.f32(float %230, float %215, float %253)
  %255 = tail call float @llvm.fmuladd.f32(float %232, float %217, float %254)
  %256 = fsub float %236, %255
  %257 = fmul float %231, %219
  %258 = tail call float @llvm.fmuladd.f32(float %230, float %218, float %257)
  %259 = tail call float @llvm.fmuladd.f32(float %232, float %220, float %258)
  %260 = fsub float %240, %259
  %261 = fmul float %231, %222
  %262 = tail call float @llvm.fmuladd.f32(float %230, float %221, float %261)
  %263 = tail call float @llvm.fmuladd.f32(float %232, float %223, float %262)
  %264 = fsub float %244, %263
  %265 = fmul float %231, %225
  %266 = tail call float @llvm.fmuladd.f32(float %230, float %224, float %265)
  %267 = tail call float @llvm.fmuladd.f32(float %232, float %226, float %266)
  %268 = fsub float %248, %267
  %269 = fmul float %231, %228
  %270 = tail call float @llvm.fmuladd.f32(float %230, float %227, float %269)
  %271 = tail call float @llvm.fmuladd.f32(float %232, float %229, float %270)
  %272 = fsub float %252, %271
  br label %273

273:                                              ; preds = %206, %207, %214, %94
  %274 = phi float [ %205, %94 ], [ 0.000000e+00, %206 ], [ 0.000000e+00, %207 ], [ %272, %214 ]
  %275 = phi float [ %201, %94 ], [ 0.000000e+00, %206 ], [ %213, %207 ], [ %268, %214 ]
  %276 = phi float [ %197, %94 ], [ 0.000000e+00, %206 ], [ %211, %207 ], [ %264, %214 ]
  %277 = phi float [ %193, %94 ], [ 0.000000e+00, %206 ], [ %209, %207 ], [ %260, %214 ]
  %278 = phi float [ %189, %94 ], [ 0.000000e+00, %206 ], [ 0.000000e+00, %207 ], [ %256, %214 ]
  %279 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %15
  %280 = load i32, ptr addrspace(1) %279, align 4, !tbaa !4
  %281 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %15
  %282 = load float, ptr addrspace(1) %281, align 4, !tbaa !16
  %283 = mul nsw i32 %4, 5
  %284 = add nsw i32 %283, %9
  %285 = sext i32 %284 to i64
  %286 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %285
  %287 = load float, ptr addrspace(1) %286, align 4, !tbaa !16
  %288 = mul nsw i32 %4, 9
  %289 = add nsw i32 %288, %9
  %290 = sext i32 %289 to i64
  %291 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %290
  %292 = load float, ptr addrspace(1) %291, align 4, !tbaa !16
  %293 = icmp sgt i32 %280, -1
  br i1 %293, label %361, label %294

294:                                              ; preds = %273
  switch i32 %280, label %473 [
    i32 -1, label %354
    i32 -2, label %295
  ]

295:                                              ; preds = %294
  %296 = load float, ptr addrspace(4) %63, align 4, !tbaa !16
  %297 = load float, ptr addrspace(4) %64, align 4, !tbaa !16
  %298 = load float, ptr addrspace(4) %65, align 4, !tbaa !16
  %299 = load float, ptr addrspace(4) %6, align 4, !tbaa !16
  %300 = load float, ptr addrspace(4) %66, align 4, !tbaa !16
  %301 = load float, ptr addrspace(4) %67, align 4, !tbaa !16
  %302 = load float, ptr addrspace(4) %68, align 4, !tbaa !16
  %303 = load float, ptr addrspace(4) %69, align 4, !tbaa !16
  %304 = load float, ptr addrspace(4) %70, align 4, !tbaa !16
  %305 = load float, ptr addrspace(4) %71, align 4, !tbaa !16
  %306 = load float, ptr addrspace(4) %72, align 4, !tbaa !16
  %307 = load float, ptr addrspace(4) %73, align 4, !tbaa !16
  %308 = load float, ptr addrspace(4) %74, align 4, !tbaa !16
  %309 = load float, ptr addrspace(4) %75, align 4, !tbaa !16
  %310 = load float, ptr addrspace(4) %76, align 4, !tbaa !16
  %311 = fmul float %282, 5.000000e-01
  %312 = fmul float %287, 5.000000e-01
  %313 = fmul float %292, 5.000000e-01
  %314 = fmul float %22, %312
  %315 = tail call float @llvm.fmuladd.f32(float %311, float %17, float %314)
  %316 = tail call float @llvm.fmuladd.f32(float %313, float %27, float %315)
  %317 = fsub float %278, %316
  %318 = fmul float %48, %312
  %319 = tail call float @llvm.fmuladd.f32(float %311, float %56, float %318)
  %320 = tail call float @llvm.fmuladd.f32(float %313, float %49, float %319)
  %321 = fsub float %277, %320
  %322 = fmul float %57, %312
  %323 = tail call float @llvm.fmuladd.f32(float %311, float %50, float %322)
  %324 = tail call float @llvm.fmuladd.f32(float %313, float %52, float %323)
  %325 = fsub float %276, %324
  %326 = fmul float %54, %312
  %327 = tail call float @llvm.fmuladd.f32(float %311, float %53, float %326)
  %328 = tail call float @llvm.fmuladd.f32(float %313, float %58, float %327)
  %329 = fsub float %275, %328
  %330 = fmul float %61, %312
  %331 = tail call float @llvm.fmuladd.f32(float %311, float %60, float %330)
  %332 = tail call float @llvm.fmuladd.f32(float %313, float %62, float %331)
  %333 = fsub float %274, %332
  %334 = fmul float %312, %297
  %335 = tail call float @llvm.fmuladd.f32(float %311, float %296, float %334)
  %336 = tail call float @llvm.fmuladd.f32(float %313, float %298, float %335)
  %337 = fsub float %317, %336
  %338 = fmul float %312, %300
  %339 = tail call float @llvm.fmuladd.f32(float %311, float %299, float %338)
  %340 = tail call float @llvm.fmuladd.f32(float %313, float %301, float %339)
  %341 = fsub float %321, %340
  %342 = fmul float %312, %303
  %343 = tail call float @llvm.fmuladd.f32(float %311, float %302, float %342)
  %344 = tail call float @llvm.fmuladd.f32(float %313, float %304, float %343)
  %345 = fsub float %325, %344
  %346 = fmul float %312, %306
  %347 = tail call float @llvm.fmuladd.f32(float %311, float %305, float %346)
  %348 = tail call float @llvm.fmuladd.f32(float %313, float %307, float %347)
  %349 = fsub float %329, %348
  %350 = fmul float %312, %309
  %351 = tail call float @llvm.fmuladd.f32(float %311, float %308, float %350)
  %352 = tail call float @llvm.fmuladd.f32(float %313, float %310, float %351)
  %353 = fsub float %333, %352
  br label %473

354:                                              ; preds = %294
  %355 = fneg float %282
  %356 = tail call float @llvm.fmuladd.f32(float %355, float %43, float %277)
  %357 = fneg float %287
  %358 = tail call float @llvm.fmuladd.f32(float %357, float %43, float %276)
  %359 = fneg float %292
  %360 = tail call float @llvm.fmuladd.f32(float %359, float %43, float %275)
  br label %473

361:                                              ; preds = %273
  %362 = zext nneg i32 %280 to i64
  %363 = getelementptr inbounds nuw float, ptr addrspace(1) %2, i64 %362
  %364 = load float, ptr addrspace(1) %363, align 4, !tbaa !16
  %365 = add nsw i32 %280, %4
  %366 = sext i32 %365 to i64
  %367 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %366
  %368 = load float, ptr addrspace(1) %367, align 4, !tbaa !16
  %369 = add nsw i32 %280, %18
  %370 = sext i32 %369 to i64
  %371 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %370
  %372 = load float, ptr addrspace(1) %371, align 4, !tbaa !16
  %373 = add nsw i32 %280, %23
  %374 = sext i32 %373 to i64
  %375 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %374
  %376 = load float, ptr addrspace(1) %375, align 4, !tbaa !16
  %377 = add nsw i32 %280, %28
  %378 = sext i32 %377 to i64
  %379 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %378
  %380 = load float, ptr addrspace(1) %379, align 4, !tbaa !16
  %381 = fdiv float 1.000000e+00, %364, !fpmath !22
  %382 = fmul float %381, %368
  %383 = fmul float %381, %372
  %384 = fmul float %381, %376
  %385 = fmul float %383, %383
  %386 = tail call float @llvm.fmuladd.f32(float %382, float %382, float %385)
  %387 = tail call float @llvm.fmuladd.f32(float %384, float %384, float %386)
  %388 = fmul float %364, -5.000000e-01
  %389 = tail call float @llvm.fmuladd.f32(float %388, float %387, float %380)
  %390 = fmul float %389, 0x3FD9999980000000
  %391 = fmul float %390, 0x3FF6666660000000
  %392 = fdiv float %391, %364, !fpmath !22
  %393 = tail call float @_Z4sqrtf(float noundef %392) #7, !fpmath !23
  %394 = fmul float %368, %382
  %395 = fmul float %382, %372
  %396 = fmul float %382, %376
  %397 = fmul float %368, %383
  %398 = fmul float %372, %383
  %399 = fmul float %376, %383
  %400 = fmul float %368, %384
  %401 = fmul float %372, %384
  %402 = fmul float %376, %384
  %403 = fadd float %394, %390
  %404 = fadd float %398, %390
  %405 = fadd float %402, %390
  %406 = fadd float %380, %390
  %407 = fmul float %382, %406
  %408 = fmul float %383, %406
  %409 = fmul float %384, %406
  %410 = fmul float %287, %287
  %411 = tail call float @llvm.fmuladd.f32(float %282, float %282, float %410)
  %412 = tail call float @llvm.fmuladd.f32(float %292, float %292, float %411)
  %413 = tail call float @_Z4sqrtf(float noundef %412) #7, !fpmath !23
  %414 = tail call float @_Z4sqrtf(float noundef %387) #7, !fpmath !23
  %415 = fadd float %40, %414
  %416 = fadd float %46, %415
  %417 = fadd float %393, %416
  %418 = fmul float %413, 0x3FB99999A0000000
  %419 = fmul float %418, %417
  %420 = fsub float %364, %13
  %421 = tail call float @llvm.fmuladd.f32(float %419, float %420, float %278)
  %422 = fsub float %368, %17
  %423 = tail call float @llvm.fmuladd.f32(float %419, float %422, float %277)
  %424 = fsub float %372, %22
  %425 = tail call float @llvm.fmuladd.f32(float %419, float %424, float %276)
  %426 = fsub float %376, %27
  %427 = tail call float @llvm.fmuladd.f32(float %419, float %426, float %275)
  %428 = fsub float %380, %32
  %429 = tail call float @llvm.fmuladd.f32(float %419, float %428, float %274)
  %430 = fmul float %282, 5.000000e-01
  %431 = fmul float %287, 5.000000e-01
  %432 = fmul float %292, 5.000000e-01
  %433 = fmul float %22, %431
  %434 = tail call float @llvm.fmuladd.f32(float %430, float %17, float %433)
  %435 = tail call float @llvm.fmuladd.f32(float %432, float %27, float %434)
  %436 = fsub float %421, %435
  %437 = fmul float %48, %431
  %438 = tail call float @llvm.fmuladd.f32(float %430, float %56, float %437)
  %439 = tail call float @llvm.fmuladd.f32(float %432, float %49, float %438)
  %440 = fsub float %423, %439
  %441 = fmul float %57, %431
  %442 = tail call float @llvm.fmuladd.f32(float %430, float %50, float %441)
  %443 = tail call float @llvm.fmuladd.f32(float %432, float %52, float %442)
  %444 = fsub float %425, %443
  %445 = fmul float %54, %431
  %446 = tail call float @llvm.fmuladd.f32(float %430, float %53, float %445)
  %447 = tail call float @llvm.fmuladd.f32(float %432, float %58, float %446)
  %448 = fsub float %427, %447
  %449 = fmul float %61, %431
  %450 = tail call float @llvm.fmuladd.f32(float %430, float %60, float %449)
  %451 = tail call float @llvm.fmuladd.f32(float %432, float %62, float %450)
  %452 = fsub float %429, %451
  %453 = fmul float %431, %372
  %454 = tail call float @llvm.fmuladd.f32(float %430, float %368, float %453)
  %455 = tail call float @llvm.fmuladd.f32(float %432, float %376, float %454)
  %456 = fsub float %436, %455
  %457 = fmul float %431, %395
  %458 = tail call float @llvm.fmuladd.f32(float %430, float %403, float %457)
  %459 = tail call float @llvm.fmuladd.f32(float %432, float %396, float %458)
  %460 = fsub float %440, %459
  %461 = fmul float %431, %404
  %462 = tail call float @llvm.fmuladd.f32(float %430, float %397, float %461)
  %463 = tail call float @llvm.fmuladd.f32(float %432, float %399, float %462)
  %464 = fsub float %444, %463
  %465 = fmul float %431, %401
  %466 = tail call float @llvm.fmuladd.f32(float %430, float %400, float %465)
  %467 = tail call float @llvm.fmuladd.f32(float %432, float %405, float %466)
  %468 = fsub float %448, %467
  %469 = fmul float %431, %408
  %470 = tail call float @llvm.fmuladd.f32(float %430, float %407, float %469)
  %471 = tail call float @llvm.fmuladd.f32(float %432, float %409, float %470)
  %472 = fsub float %452, %471
  br label %473

473:                                              ; preds = %361, %354, %295, %294
  %474 = phi float [ %472, %361 ], [ %274, %294 ], [ %274, %354 ], [ %353, %295 ]
  %475 = phi float [ %468, %361 ], [ %275, %294 ], [ %360, %354 ], [ %349, %295 ]
  %476 = phi float [ %464, %361 ], [ %276, %294 ], [ %358, %354 ], [ %345, %295 ]
  %477 = phi float [ %460, %361 ], [ %277, %294 ], [ %356, %354 ], [ %341, %295 ]
  %478 = phi float [ %456, %361 ], [ %278, %294 ], [ %278, %354 ], [ %337, %295 ]
  %479 = shl nsw i32 %4, 1
  %480 = add nsw i32 %479, %9
  %481 = sext i32 %480 to i64
  %482 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %481
  %483 = load i32, ptr addrspace(1) %482, align 4, !tbaa !4
  %484 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %481
  %485 = load float, ptr addrspace(1) %484, align 4, !tbaa !16
  %486 = mul nsw i32 %4, 6
  %487 = add nsw i32 %486, %9
  %488 = sext i32 %487 to i64
  %489 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %488
  %490 = load float, ptr addrspace(1) %489, align 4, !tbaa !16
  %491 = mul nsw i32 %4, 10
  %492 = add nsw i32 %491, %9
  %493 = sext i32 %492 to i64
  %494 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %493
  %495 = load float, ptr addrspace(1) %494, align 4, !tbaa !16
  %496 = icmp sgt i32 %483, -1
  br i1 %496, label %564, label %497

497:                                              ; preds = %473
  switch i32 %483, label %676 [
    i32 -1, label %557
    i32 -2, label %498
  ]

498:                                              ; preds = %497
  %499 = load float, ptr addrspace(4) %63, align 4, !tbaa !16
  %500 = load float, ptr addrspace(4) %64, align 4, !tbaa !16
  %501 = load float, ptr addrspace(4) %65, align 4, !tbaa !16
  %502 = load float, ptr addrspace(4) %6, align 4, !tbaa !16
  %503 = load float, ptr addrspace(4) %66, align 4, !tbaa !16
  %504 = load float, ptr addrspace(4) %67, align 4, !tbaa !16
  %505 = load float, ptr addrspace(4) %68, align 4, !tbaa !16
  %506 = load float, ptr addrspace(4) %69, align 4, !tbaa !16
  %507 = load float, ptr addrspace(4) %70, align 4, !tbaa !16
  %508 = load float, ptr addrspace(4) %71, align 4, !tbaa !16
  %509 = load float, ptr addrspace(4) %72, align 4, !tbaa !16
  %510 = load float, ptr addrspace(4) %73, align 4, !tbaa !16
  %511 = load float, ptr addrspace(4) %74, align 4, !tbaa !16
  %512 = load float, ptr addrspace(4) %75, align 4, !tbaa !16
  %513 = load float, ptr addrspace(4) %76, align 4, !tbaa !16
  %514 = fmul float %485, 5.000000e-01
  %515 = fmul float %490, 5.000000e-01
  %516 = fmul float %495, 5.000000e-01
  %517 = fmul float %22, %515
  %518 = tail call float @llvm.fmuladd.f32(float %514, float %17, float %517)
  %519 = tail call float @llvm.fmuladd.f32(float %516, float %27, float %518)
  %520 = fsub float %478, %519
  %521 = fmul float %48, %515
  %522 = tail call float @llvm.fmuladd.f32(float %514, float %56, float %521)
  %523 = tail call float @llvm.fmuladd.f32(float %516, float %49, float %522)
  %524 = fsub float %477, %523
  %525 = fmul float %57, %515
  %526 = tail call float @llvm.fmuladd.f32(float %514, float %50, float %525)
  %527 = tail call float @llvm.fmuladd.f32(float %516, float %52, float %526)
  %528 = fsub float %476, %527
  %529 = fmul float %54, %515
  %530 = tail call float @llvm.fmuladd.f32(float %514, float %53, float %529)
  %531 = tail call float @llvm.fmuladd.f32(float %516, float %58, float %530)
  %532 = fsub float %475, %531
  %533 = fmul float %61, %515
  %534 = tail call float @llvm.fmuladd.f32(float %514, float %60, float %533)
  %535 = tail call float @llvm.fmuladd.f32(float %516, float %62, float %534)
  %536 = fsub float %474, %535
  %537 = fmul float %515, %500
  %538 = tail call float @llvm.fmuladd.f32(float %514, float %499, float %537)
  %539 = tail call float @llvm.fmuladd.f32(float %516, float %501, float %538)
  %540 = fsub float %520, %539
  %541 = fmul float %515, %503
  %542 = tail call float @llvm.fmuladd.f32(float %514, float %502, float %541)
  %543 = tail call float @llvm.fmuladd.f32(float %516, float %504, float %542)
  %544 = fsub float %524, %543
  %545 = fmul float %515, %506
  %546 = tail call float @llvm.fmuladd.f32(float %514, float %505, float %545)
  %547 = tail call float @llvm.fmuladd.f32(float %516, float %507, float %546)
  %548 = fsub float %528, %547
  %549 = fmul float %515, %509
  %550 = tail call float @llvm.fmuladd.f32(float %514, float %508, float %549)
  %551 = tail call float @llvm.fmuladd.f32(float %516, float %510, float %550)
  %552 = fsub float %532, %551
  %553 = fmul float %515, %512
  %554 = tail call float @llvm.fmuladd.f32(float %514, float %511, float %553)
  %555 = tail call float @llvm.fmuladd.f32(float %516, float %513, float %554)
  %556 = fsub float %536, %555
  br label %676

557:                                              ; preds = %497
  %558 = fneg float %485
  %559 = tail call float @llvm.fmuladd.f32(float %558, float %43, float %477)
  %560 = fneg float %490
  %561 = tail call float @llvm.fmuladd.f32(float %560, float %43, float %476)
  %562 = fneg float %495
  %563 = tail call float @llvm.fmuladd.f32(float %562, float %43, float %475)
  br label %676

564:                                              ; preds = %473
  %565 = zext nneg i32 %483 to i64
  %566 = getelementptr inbounds nuw float, ptr addrspace(1) %2, i64 %565
  %567 = load float, ptr addrspace(1) %566, align 4, !tbaa !16
  %568 = add nsw i32 %483, %4
  %569 = sext i32 %568 to i64
  %570 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %569
  %571 = load float, ptr addrspace(1) %570, align 4, !tbaa !16
  %572 = add nsw i32 %483, %18
  %573 = sext i32 %572 to i64
  %574 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %573
  %575 = load float, ptr addrspace(1) %574, align 4, !tbaa !16
  %576 = add nsw i32 %483, %23
  %577 = sext i32 %576 to i64
  %578 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %577
  %579 = load float, ptr addrspace(1) %578, align 4, !tbaa !16
  %580 = add nsw i32 %483, %28
  %581 = sext i32 %580 to i64
  %582 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %581
  %583 = load float, ptr addrspace(1) %582, align 4, !tbaa !16
  %584 = fdiv float 1.000000e+00, %567, !fpmath !22
  %585 = fmul float %584, %571
  %586 = fmul float %584, %575
  %587 = fmul float %584, %579
  %588 = fmul float %586, %586
  %589 = tail call float @llvm.fmuladd.f32(float %585, float %585, float %588)
  %590 = tail call float @llvm.fmuladd.f32(float %587, float %587, float %589)
  %591 = fmul float %567, -5.000000e-01
  %592 = tail call float @llvm.fmuladd.f32(float %591, float %590, float %583)
  %593 = fmul float %592, 0x3FD9999980000000
  %594 = fmul float %593, 0x3FF6666660000000
  %595 = fdiv float %594, %567, !fpmath !22
  %596 = tail call float @_Z4sqrtf(float noundef %595) #7, !fpmath !23
  %597 = fmul float %571, %585
  %598 = fmul float %585, %575
  %599 = fmul float %585, %579
  %600 = fmul float %571, %586
  %601 = fmul float %575, %586
  %602 = fmul float %579, %586
  %603 = fmul float %571, %587
  %604 = fmul float %575, %587
  %605 = fmul float %579, %587
  %606 = fadd float %597, %593
  %607 = fadd float %601, %593
  %608 = fadd float %605, %593
  %609 = fadd float %583, %593
  %610 = fmul float %585, %609
  %611 = fmul float %586, %609
  %612 = fmul float %587, %609
  %613 = fmul float %490, %490
  %614 = tail call float @llvm.fmuladd.f32(float %485, float %485, float %613)
  %615 = tail call float @llvm.fmuladd.f32(float %495, float %495, float %614)
  %616 = tail call float @_Z4sqrtf(float noundef %615) #7, !fpmath !23
  %617 = tail call float @_Z4sqrtf(float noundef %590) #7, !fpmath !23
  %618 = fadd float %40, %617
  %619 = fadd float %46, %618
  %620 = fadd float %596, %619
  %621 = fmul float %616, 0x3FB99999A0000000
  %622 = fmul float %621, %620
  %623 = fsub float %567, %13
  %624 = tail call float @llvm.fmuladd.f32(float %622, float %623, float %478)
  %625 = fsub float %571, %17
  %626 = tail call float @llvm.fmuladd.f32(float %622, float %625, float %477)
  %627 = fsub float %575, %22
  %628 = tail call float @llvm.fmuladd.f32(float %622, float %627, float %476)
  %629 = fsub float %579, %27
  %630 = tail call float @llvm.fmuladd.f32(float %622, float %629, float %475)
  %631 = fsub float %583, %32
  %632 = tail call float @llvm.fmuladd.f32(float %622, float %631, float %474)
  %633 = fmul float %485, 5.000000e-01
  %634 = fmul float %490, 5.000000e-01
  %635 = fmul float %495, 5.000000e-01
  %636 = fmul float %22, %634
  %637 = tail call float @llvm.fmuladd.f32(float %633, float %17, float %636)
  %638 = tail call float @llvm.fmuladd.f32(float %635, float %27, float %637)
  %639 = fsub float %624, %638
  %640 = fmul float %48, %634
  %641 = tail call float @llvm.fmuladd.f32(float %633, float %56, float %640)
  %642 = tail call float @llvm.fmuladd.f32(float %635, float %49, float %641)
  %643 = fsub float %626, %642
  %644 = fmul float %57, %634
  %645 = tail call float @llvm.fmuladd.f32(float %633, float %50, float %644)
  %646 = tail call float @llvm.fmuladd.f32(float %635, float %52, float %645)
  %647 = fsub float %628, %646
  %648 = fmul float %54, %634
  %649 = tail call float @llvm.fmuladd.f32(float %633, float %53, float %648)
  %650 = tail call float @llvm.fmuladd.f32(float %635, float %58, float %649)
  %651 = fsub float %630, %650
  %652 = fmul float %61, %634
  %653 = tail call float @llvm.fmuladd.f32(float %633, float %60, float %652)
  %654 = tail call float @llvm.fmuladd.f32(float %635, float %62, float %653)
  %655 = fsub float %632, %654
  %656 = fmul float %634, %575
  %657 = tail call float @llvm.fmuladd.f32(float %633, float %571, float %656)
  %658 = tail call float @llvm.fmuladd.f32(float %635, float %579, float %657)
  %659 = fsub float %639, %658
  %660 = fmul float %634, %598
  %661 = tail call float @llvm.fmuladd.f32(float %633, float %606, float %660)
  %662 = tail call float @llvm.fmuladd.f32(float %635, float %599, float %661)
  %663 = fsub float %643, %662
  %664 = fmul float %634, %607
  %665 = tail call float @llvm.fmuladd.f32(float %633, float %600, float %664)
  %666 = tail call float @llvm.fmuladd.f32(float %635, float %602, float %665)
  %667 = fsub float %647, %666
  %668 = fmul float %634, %604
  %669 = tail call float @llvm.fmuladd.f32(float %633, float %603, float %668)
  %670 = tail call float @llvm.fmuladd.f32(float %635, float %608, float %669)
  %671 = fsub float %651, %670
  %672 = fmul float %634, %611
  %673 = tail call float @llvm.fmuladd.f32(float %633, float %610, float %672)
  %674 = tail call float @llvm.fmuladd.f32(float %635, float %612, float %673)
  %675 = fsub float %655, %674
  br label %676

676:                                              ; preds = %564, %557, %498, %497
  %677 = phi float [ %675, %564 ], [ %474, %497 ], [ %474, %557 ], [ %556, %498 ]
  %678 = phi float [ %671, %564 ], [ %475, %497 ], [ %563, %557 ], [ %552, %498 ]
  %679 = phi float [ %667, %564 ], [ %476, %497 ], [ %561, %557 ], [ %548, %498 ]
  %680 = phi float [ %663, %564 ], [ %477, %497 ], [ %559, %557 ], [ %544, %498 ]
  %681 = phi float [ %659, %564 ], [ %478, %497 ], [ %478, %557 ], [ %540, %498 ]
  %682 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %25
  %683 = load i32, ptr addrspace(1) %682, align 4, !tbaa !4
  %684 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %25
  %685 = load float, ptr addrspace(1) %684, align 4, !tbaa !16
  %686 = mul nsw i32 %4, 7
  %687 = add nsw i32 %686, %9
  %688 = sext i32 %687 to i64
  %689 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %688
  %690 = load float, ptr addrspace(1) %689, align 4, !tbaa !16
  %691 = mul nsw i32 %4, 11
  %692 = add nsw i32 %691, %9
  %693 = sext i32 %692 to i64
  %694 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %693
  %695 = load float, ptr addrspace(1) %694, align 4, !tbaa !16
  %696 = icmp sgt i32 %683, -1
  br i1 %696, label %764, label %697

697:                                              ; preds = %676
  switch i32 %683, label %876 [
    i32 -1, label %757
    i32 -2, label %698
  ]

698:                                              ; preds = %697
  %699 = load float, ptr addrspace(4) %63, align 4, !tbaa !16
  %700 = load float, ptr addrspace(4) %64, align 4, !tbaa !16
  %701 = load float, ptr addrspace(4) %65, align 4, !tbaa !16
  %702 = load float, ptr addrspace(4) %6, align 4, !tbaa !16
  %703 = load float, ptr addrspace(4) %66, align 4, !tbaa !16
  %704 = load float, ptr addrspace(4) %67, align 4, !tbaa !16
  %705 = load float, ptr addrspace(4) %68, align 4, !tbaa !16
  %706 = load float, ptr addrspace(4) %69, align 4, !tbaa !16
  %707 = load float, ptr addrspace(4) %70, align 4, !tbaa !16
  %708 = load float, ptr addrspace(4) %71, align 4, !tbaa !16
  %709 = load float, ptr addrspace(4) %72, align 4, !tbaa !16
  %710 = load float, ptr addrspace(4) %73, align 4, !tbaa !16
  %711 = load float, ptr addrspace(4) %74, align 4, !tbaa !16
  %712 = load float, ptr addrspace(4) %75, align 4, !tbaa !16
  %713 = load float, ptr addrspace(4) %76, align 4, !tbaa !16
  %714 = fmul float %685, 5.000000e-01
  %715 = fmul float %690, 5.000000e-01
  %716 = fmul float %695, 5.000000e-01
  %717 = fmul float %22, %715
  %718 = tail call float @llvm.fmuladd.f32(float %714, float %17, float %717)
  %719 = tail call float @llvm.fmuladd.f32(float %716, float %27, float %718)
  %720 = fsub float %681, %719
  %721 = fmul float %48, %715
  %722 = tail call float @llvm.fmuladd.f32(float %714, float %56, float %721)
  %723 = tail call float @llvm.fmuladd.f32(float %716, float %49, float %722)
  %724 = fsub float %680, %723
  %725 = fmul float %57, %715
  %726 = tail call float @llvm.fmuladd.f32(float %714, float %50, float %725)
  %727 = tail call float @llvm.fmuladd.f32(float %716, float %52, float %726)
  %728 = fsub float %679, %727
  %729 = fmul float %54, %715
  %730 = tail call float @llvm.fmuladd.f32(float %714, float %53, float %729)
  %731 = tail call float @llvm.fmuladd.f32(float %716, float %58, float %730)
  %732 = fsub float %678, %731
  %733 = fmul float %61, %715
  %734 = tail call float @llvm.fmuladd.f32(float %714, float %60, float %733)
  %735 = tail call float @llvm.fmuladd.f32(float %716, float %62, float %734)
  %736 = fsub float %677, %735
  %737 = fmul float %715, %700
  %738 = tail call float @llvm.fmuladd.f32(float %714, float %699, float %737)
  %739 = tail call float @llvm.fmuladd.f32(float %716, float %701, float %738)
  %740 = fsub float %720, %739
  %741 = fmul float %715, %703
  %742 = tail call float @llvm.fmuladd.f32(float %714, float %702, float %741)
  %743 = tail call float @llvm.fmuladd.f32(float %716, float %704, float %742)
  %744 = fsub float %724, %743
  %745 = fmul float %715, %706
  %746 = tail call float @llvm.fmuladd.f32(float %714, float %705, float %745)
  %747 = tail call float @llvm.fmuladd.f32(float %716, float %707, float %746)
  %748 = fsub float %728, %747
  %749 = fmul float %715, %709
  %750 = tail call float @llvm.fmuladd.f32(float %714, float %708, float %749)
  %751 = tail call float @llvm.fmuladd.f32(float %716, float %710, float %750)
  %752 = fsub float %732, %751
  %753 = fmul float %715, %712
  %754 = tail call float @llvm.fmuladd.f32(float %714, float %711, float %753)
  %755 = tail call float @llvm.fmuladd.f32(float %716, float %713, float %754)
  %756 = fsub float %736, %755
  br label %876

757:                                              ; preds = %697
  %758 = fneg float %685
  %759 = tail call float @llvm.fmuladd.f32(float %758, float %43, float %680)
  %760 = fneg float %690
  %761 = tail call float @llvm.fmuladd.f32(float %760, float %43, float %679)
  %762 = fneg float %695
  %763 = tail call float @llvm.fmuladd.f32(float %762, float %43, float %678)
  br label %876

764:                                              ; preds = %676
  %765 = zext nneg i32 %683 to i64
  %766 = getelementptr inbounds nuw float, ptr addrspace(1) %2, i64 %765
  %767 = load float, ptr addrspace(1) %766, align 4, !tbaa !16
  %768 = add nsw i32 %683, %4
  %769 = sext i32 %768 to i64
  %770 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %769
  %771 = load float, ptr addrspace(1) %770, align 4, !tbaa !16
  %772 = add nsw i32 %683, %18
  %773 = sext i32 %772 to i64
  %774 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %773
  %775 = load float, ptr addrspace(1) %774, align 4, !tbaa !16
  %776 = add nsw i32 %683, %23
  %777 = sext i32 %776 to i64
  %778 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %777
  %779 = load float, ptr addrspace(1) %778, align 4, !tbaa !16
  %780 = add nsw i32 %683, %28
  %781 = sext i32 %780 to i64
  %782 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %781
  %783 = load float, ptr addrspace(1) %782, align 4, !tbaa !16
  %784 = fdiv float 1.000000e+00, %767, !fpmath !22
  %785 = fmul float %784, %771
  %786 = fmul float %784, %775
  %787 = fmul float %784, %779
  %788 = fmul float %786, %786
  %789 = tail call float @llvm.fmuladd.f32(float %785, float %785, float %788)
  %790 = tail call float @llvm.fmuladd.f32(float %787, float %787, float %789)
  %791 = fmul float %767, -5.000000e-01
  %792 = tail call float @llvm.fmuladd.f32(float %791, float %790, float %783)
  %793 = fmul float %792, 0x3FD9999980000000
  %794 = fmul float %793, 0x3FF6666660000000
  %795 = fdiv float %794, %767, !fpmath !22
  %796 = tail call float @_Z4sqrtf(float noundef %795) #7, !fpmath !23
  %797 = fmul float %771, %785
  %798 = fmul float %785, %775
  %799 = fmul float %785, %779
  %800 = fmul float %771, %786
  %801 = fmul float %775, %786
  %802 = fmul float %779, %786
  %803 = fmul float %771, %787
  %804 = fmul float %775, %787
  %805 = fmul float %779, %787
  %806 = fadd float %797, %793
  %807 = fadd float %801, %793
  %808 = fadd float %805, %793
  %809 = fadd float %783, %793
  %810 = fmul float %785, %809
  %811 = fmul float %786, %809
  %812 = fmul float %787, %809
  %813 = fmul float %690, %690
  %814 = tail call float @llvm.fmuladd.f32(float %685, float %685, float %813)
  %815 = tail call float @llvm.fmuladd.f32(float %695, float %695, float %814)
  %816 = tail call float @_Z4sqrtf(float noundef %815) #7, !fpmath !23
  %817 = tail call float @_Z4sqrtf(float noundef %790) #7, !fpmath !23
  %818 = fadd float %40, %817
  %819 = fadd float %46, %818
  %820 = fadd float %796, %819
  %821 = fmul float %816, 0x3FB99999A0000000
  %822 = fmul float %821, %820
  %823 = fsub float %767, %13
  %824 = tail call float @llvm.fmuladd.f32(float %822, float %823, float %681)
  %825 = fsub float %771, %17
  %826 = tail call float @llvm.fmuladd.f32(float %822, float %825, float %680)
  %827 = fsub float %775, %22
  %828 = tail call float @llvm.fmuladd.f32(float %822, float %827, float %679)
  %829 = fsub float %779, %27
  %830 = tail call float @llvm.fmuladd.f32(float %822, float %829, float %678)
  %831 = fsub float %783, %32
  %832 = tail call float @llvm.fmuladd.f32(float %822, float %831, float %677)
  %833 = fmul float %685, 5.000000e-01
  %834 = fmul float %690, 5.000000e-01
  %835 = fmul float %695, 5.000000e-01
  %836 = fmul float %22, %834
  %837 = tail call float @llvm.fmuladd.f32(float %833, float %17, float %836)
  %838 = tail call float @llvm.fmuladd.f32(float %835, float %27, float %837)
  %839 = fsub float %824, %838
  %840 = fmul float %48, %834
  %841 = tail call float @llvm.fmuladd.f32(float %833, float %56, float %840)
  %842 = tail call float @llvm.fmuladd.f32(float %835, float %49, float %841)
  %843 = fsub float %826, %842
  %844 = fmul float %57, %834
  %845 = tail call float @llvm.fmuladd.f32(float %833, float %50, float %844)
  %846 = tail call float @llvm.fmuladd.f32(float %835, float %52, float %845)
  %847 = fsub float %828, %846
  %848 = fmul float %54, %834
  %849 = tail call float @llvm.fmuladd.f32(float %833, float %53, float %848)
  %850 = tail call float @llvm.fmuladd.f32(float %835, float %58, float %849)
  %851 = fsub float %830, %850
  %852 = fmul float %61, %834
  %853 = tail call float @llvm.fmuladd.f32(float %833, float %60, float %852)
  %854 = tail call float @llvm.fmuladd.f32(float %835, float %62, float %853)
  %855 = fsub float %832, %854
  %856 = fmul float %834, %775
  %857 = tail call float @llvm.fmuladd.f32(float %833, float %771, float %856)
  %858 = tail call float @llvm.fmuladd.f32(float %835, float %779, float %857)
  %859 = fsub float %839, %858
  %860 = fmul float %834, %798
  %861 = tail call float @llvm.fmuladd.f32(float %833, float %806, float %860)
  %862 = tail call float @llvm.fmuladd.f32(float %835, float %799, float %861)
  %863 = fsub float %843, %862
  %864 = fmul float %834, %807
  %865 = tail call float @llvm.fmuladd.f32(float %833, float %800, float %864)
  %866 = tail call float @llvm.fmuladd.f32(float %835, float %802, float %865)
  %867 = fsub float %847, %866
  %868 = fmul float %834, %804
  %869 = tail call float @llvm.fmuladd.f32(float %833, float %803, float %868)
  %870 = tail call float @llvm.fmuladd.f32(float %835, float %808, float %869)
  %871 = fsub float %851, %870
  %872 = fmul float %834, %811
  %873 = tail call float @llvm.fmuladd.f32(float %833, float %810, float %872)
  %874 = tail call float @llvm.fmuladd.f32(float %835, float %812, float %873)
  %875 = fsub float %855, %874
  br label %876

876:                                              ; preds = %764, %757, %698, %697
  %877 = phi float [ %875, %764 ], [ %677, %697 ], [ %677, %757 ], [ %756, %698 ]
  %878 = phi float [ %871, %764 ], [ %678, %697 ], [ %763, %757 ], [ %752, %698 ]
  %879 = phi float [ %867, %764 ], [ %679, %697 ], [ %761, %757 ], [ %748, %698 ]
  %880 = phi float [ %863, %764 ], [ %680, %697 ], [ %759, %757 ], [ %744, %698 ]
  %881 = phi float [ %859, %764 ], [ %681, %697 ], [ %681, %757 ], [ %740, %698 ]
  %882 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %11
  store float %881, ptr addrspace(1) %882, align 4, !tbaa !16
  %883 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %15
  store float %880, ptr addrspace(1) %883, align 4, !tbaa !16
  %884 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %20
  store float %879, ptr addrspace(1) %884, align 4, !tbaa !16
  %885 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %25
  store float %878, ptr addrspace(1) %885, align 4, !tbaa !16
  %886 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %30
  store float %877, ptr addrspace(1) %886, align 4, !tbaa !16
  ret void
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @time_step(i32 noundef %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %3, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %4, i32 noundef %5) local_unnamed_addr #2 !kernel_arg_addr_space !28 !kernel_arg_access_qual !29 !kernel_arg_type !30 !kernel_arg_base_type !30 !kernel_arg_type_qual !31 {
  tail call void @__clang_ocl_kern_imp_time_step(i32 noundef %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, ptr addrspace(1) noundef align 4 %3, ptr addrspace(1) noundef align 4 %4, i32 noundef %5) #6
  ret void
}

; Function Attrs: convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_time_step(i32 noundef %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %3, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %4, i32 noundef %5) local_unnamed_addr #3 !kernel_arg_addr_space !28 !kernel_arg_access_qual !29 !kernel_arg_type !30 !kernel_arg_base_type !30 !kernel_arg_type_qual !31 {
  %7 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #7
  %8 = trunc i64 %7 to i32
  %9 = shl i64 %7, 32
  %10 = ashr exact i64 %9, 30
  %11 = getelementptr inbounds i8, ptr addrspace(1) %3, i64 %10
  %12 = load float, ptr addrspace(1) %11, align 4, !tbaa !16
  %13 = sub nsw i32 3, %0
  %14 = sitofp i32 %13 to float
  %15 = fdiv float %12, %14, !fpmath !22
  %16 = shl i64 %7, 32
  %17 = ashr exact i64 %16, 32
  %18 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %17
  %19 = load float, ptr addrspace(1) %18, align 4, !tbaa !16
  %20 = getelementptr inbounds float, ptr addrspace(1) %4, i64 %17
  %21 = load float, ptr addrspace(1) %20, align 4, !tbaa !16
  %22 = tail call float @llvm.fmuladd.f32(float %15, float %21, float %19)
  %23 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %17
  store float %22, ptr addrspace(1) %23, align 4, !tbaa !16
  %24 = add nsw i32 %5, %8
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %25
  %27 = load float, ptr addrspace(1) %26, align 4, !tbaa !16
  %28 = getelementptr inbounds float, ptr addrspace(1) %4, i64 %25
  %29 = load float, ptr addrspace(1) %28, align 4, !tbaa !16
  %30 = tail call float @llvm.fmuladd.f32(float %15, float %29, float %27)
  %31 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %25
  store float %30, ptr addrspace(1) %31, align 4, !tbaa !16
  %32 = shl nsw i32 %5, 1
  %33 = add nsw i32 %32, %8
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %34
  %36 = load float, ptr addrspace(1) %35, align 4, !tbaa !16
  %37 = getelementptr inbounds float, ptr addrspace(1) %4, i64 %34
  %38 = load float, ptr addrspace(1) %37, align 4, !tbaa !16
  %39 = tail call float @llvm.fmuladd.f32(float %15, float %38, float %36)
  %40 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %34
  store float %39, ptr addrspace(1) %40, align 4, !tbaa !16
  %41 = mul nsw i32 %5, 3
  %42 = add nsw i32 %41, %8
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %43
  %45 = load float, ptr addrspace(1) %44, align 4, !tbaa !16
  %46 = getelementptr inbounds float, ptr addrspace(1) %4, i64 %43
  %47 = load float, ptr addrspace(1) %46, align 4, !tbaa !16
  %48 = tail call float @llvm.fmuladd.f32(float %15, float %47, float %45)
  %49 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %43
  store float %48, ptr addrspace(1) %49, align 4, !tbaa !16
  %50 = shl nsw i32 %5, 2
  %51 = add nsw i32 %50, %8
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %52
  %54 = load float, ptr addrspace(1) %53, align 4, !tbaa !16
  %55 = getelementptr inbounds float, ptr addrspace(1) %4, i64 %52
  %56 = load float, ptr addrspace(1) %55, align 4, !tbaa !16
  %57 = tail call float @llvm.fmuladd.f32(float %15, float %56, float %54)
  %58 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %52
  store float %57, ptr addrspace(1) %58, align 4, !tbaa !16
  ret void
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #4

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z4sqrtf(float noundef) local_unnamed_addr #4

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #5

attributes #0 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: write) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: write) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { convergent mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #5 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { convergent nounwind }
attributes #7 = { convergent nounwind willreturn memory(none) }

!llvm.module.flags = !{!0, !1}
!opencl.ocl.version = !{!2}
!llvm.ident = !{!3}
!llvm.errno.tbaa = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"frame-pointer", i32 2}
!2 = !{i32 1, i32 2}
!3 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C/C++ TBAA"}
!8 = !{i32 1, i32 0, i32 0}
!9 = !{!"none", !"none", !"none"}
!10 = !{!"char*", !"int", !"int"}
!11 = !{!"", !"", !""}
!12 = !{!6, !6, i64 0}
!13 = !{i32 1, i32 0, i32 2}
!14 = !{!"float*", !"int", !"float*"}
!15 = !{!"", !"", !"restrict const"}
!16 = !{!17, !17, i64 0}
!17 = !{!"float", !6, i64 0}
!18 = !{i32 1, i32 1, i32 1, i32 0}
!19 = !{!"none", !"none", !"none", !"none"}
!20 = !{!"float*", !"float*", !"float*", !"int"}
!21 = !{!"restrict const", !"restrict const", !"restrict", !""}
!22 = !{float 2.500000e+00}
!23 = !{float 3.000000e+00}
!24 = !{i32 1, i32 1, i32 1, i32 1, i32 0, i32 2, i32 2}
!25 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!26 = !{!"int*", !"float*", !"float*", !"float*", !"int", !"float*", !"float*"}
!27 = !{!"restrict const", !"restrict const", !"restrict const", !"restrict", !"", !"restrict const", !"restrict const"}
!28 = !{i32 0, i32 1, i32 1, i32 1, i32 1, i32 0}
!29 = !{!"none", !"none", !"none", !"none", !"none", !"none"}
!30 = !{!"int", !"float*", !"float*", !"float*", !"float*", !"int"}
!31 = !{!"", !"restrict const", !"restrict", !"restrict const", !"restrict const", !""}
