; ModuleID = 'matmul.cl'
source_filename = "matmul.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@matmul.a_tile = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@matmul.b_tile = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @matmul(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2, i32 noundef %3) local_unnamed_addr #0 !kernel_arg_addr_space !8 !kernel_arg_access_qual !9 !kernel_arg_type !10 !kernel_arg_base_type !10 !kernel_arg_type_qual !11 !reqd_work_group_size !12 {
  tail call void @__clang_ocl_kern_imp_matmul(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(1) noundef align 4 %2, i32 noundef %3) #5
  ret void
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_matmul(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %1, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %2, i32 noundef %3) local_unnamed_addr #1 !kernel_arg_addr_space !8 !kernel_arg_access_qual !9 !kernel_arg_type !10 !kernel_arg_base_type !10 !kernel_arg_type_qual !11 !reqd_work_group_size !12 {
  %5 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #6
  %6 = tail call i64 @_Z12get_local_idj(i32 noundef 1) #6
  %7 = trunc i64 %6 to i32
  %8 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #6
  %9 = shl i64 %8, 4
  %10 = add i64 %9, %6
  %11 = trunc i64 %10 to i32
  %12 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #6
  %13 = shl i64 %12, 4
  %14 = add i64 %13, %5
  %15 = trunc i64 %14 to i32
  %16 = icmp sgt i32 %3, 0
  br i1 %16, label %19, label %17

17:                                               ; preds = %4
  %18 = mul nsw i32 %3, %11
  br label %62

19:                                               ; preds = %4
  %20 = shl i64 %5, 32
  %21 = ashr exact i64 %20, 32
  %22 = shl i64 %6, 32
  %23 = ashr exact i64 %22, 32
  %24 = trunc i64 %5 to i32
  %25 = mul nsw i32 %3, %11
  %26 = add i32 %25, %24
  %27 = getelementptr inbounds [16 x float], ptr addrspace(3) @matmul.a_tile, i64 %23
  %28 = getelementptr inbounds float, ptr addrspace(3) %27, i64 %21
  %29 = getelementptr inbounds [16 x float], ptr addrspace(3) @matmul.b_tile, i64 %23
  %30 = getelementptr inbounds float, ptr addrspace(3) %29, i64 %21
  %31 = getelementptr float, ptr addrspace(3) @matmul.b_tile, i64 %21
  %32 = getelementptr inbounds nuw i8, ptr addrspace(3) %27, i64 4
  %33 = getelementptr i8, ptr addrspace(3) %31, i64 64
  %34 = getelementptr inbounds nuw i8, ptr addrspace(3) %27, i64 8
  %35 = getelementptr i8, ptr addrspace(3) %31, i64 128
  %36 = getelementptr inbounds nuw i8, ptr addrspace(3) %27, i64 12
  %37 = getelementptr i8, ptr addrspace(3) %31, i64 192
  %38 = getelementptr inbounds nuw i8, ptr addrspace(3) %27, i64 16
  %39 = getelementptr i8, ptr addrspace(3) %31, i64 256
  %40 = getelementptr inbounds nuw i8, ptr addrspace(3) %27, i64 20
  %41 = getelementptr i8, ptr addrspace(3) %31, i64 320
  %42 = getelementptr inbounds nuw i8, ptr addrspace(3) %27, i64 24
  %43 = getelementptr i8, ptr addrspace(3) %31, i64 384
  %44 = getelementptr inbounds nuw i8, ptr addrspace(3) %27, i64 28
  %45 = getelementptr i8, ptr addrspace(3) %31, i64 448
  %46 = getelementptr inbounds nuw i8, ptr addrspace(3) %27, i64 32
  %47 = getelementptr i8, ptr addrspace(3) %31, i64 512
  %48 = getelementptr inbounds nuw i8, ptr addrspace(3) %27, i64 36
  %49 = getelementptr i8, ptr addrspace(3) %31, i64 576
  %50 = getelementptr inbounds nuw i8, ptr addrspace(3) %27, i64 40
  %51 = getelementptr i8, ptr addrspace(3) %31, i64 640
  %52 = getelementptr inbounds nuw i8, ptr addrspace(3) %27, i64 44
  %53 = getelementptr i8, ptr addrspace(3) %31, i64 704
  %54 = getelementptr inbounds nuw i8, ptr addrspace(3) %27, i64 48
  %55 = getelementptr i8, ptr addrspace(3) %31, i64 768
  %56 = getelementptr inbounds nuw i8, ptr addrspace(3) %27, i64 52
  %57 = getelementptr i8, ptr addrspace(3) %31, i64 832
  %58 = getelementptr inbounds nuw i8, ptr addrspace(3) %27, i64 56
  %59 = getelementptr i8, ptr addrspace(3) %31, i64 896
  %60 = getelementptr inbounds nuw i8, ptr addrspace(3) %27, i64 60
  %61 = getelementptr i8, ptr addrspace(3) %31, i64 960
  br label %68

62:                                               ; preds = %68, %17
  %63 = phi i32 [ %18, %17 ], [ %25, %68 ]
  %64 = phi float [ 0.000000e+00, %17 ], [ %128, %68 ]
  %65 = add nsw i32 %63, %15
  %66 = sext i32 %65 to i64
  %67 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %66
  store float %64, ptr addrspace(1) %67, align 4, !tbaa !13
  ret void

68:                                               ; preds = %19, %68
  %69 = phi i32 [ 0, %19 ], [ %129, %68 ]
  %70 = phi float [ 0.000000e+00, %19 ], [ %128, %68 ]
  %71 = add i32 %26, %69
  %72 = sext i32 %71 to i64
  %73 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %72
  %74 = load float, ptr addrspace(1) %73, align 4, !tbaa !13
  store float %74, ptr addrspace(3) %28, align 4, !tbaa !13
  %75 = add nsw i32 %69, %7
  %76 = mul nsw i32 %75, %3
  %77 = add nsw i32 %76, %15
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %78
  %80 = load float, ptr addrspace(1) %79, align 4, !tbaa !13
  store float %80, ptr addrspace(3) %30, align 4, !tbaa !13
  tail call void @_Z7barrierj(i32 noundef 1) #5
  %81 = load float, ptr addrspace(3) %27, align 4, !tbaa !13
  %82 = load float, ptr addrspace(3) %31, align 4, !tbaa !13
  %83 = tail call float @llvm.fmuladd.f32(float %81, float %82, float %70)
  %84 = load float, ptr addrspace(3) %32, align 4, !tbaa !13
  %85 = load float, ptr addrspace(3) %33, align 4, !tbaa !13
  %86 = tail call float @llvm.fmuladd.f32(float %84, float %85, float %83)
  %87 = load float, ptr addrspace(3) %34, align 4, !tbaa !13
  %88 = load float, ptr addrspace(3) %35, align 4, !tbaa !13
  %89 = tail call float @llvm.fmuladd.f32(float %87, float %88, float %86)
  %90 = load float, ptr addrspace(3) %36, align 4, !tbaa !13
  %91 = load float, ptr addrspace(3) %37, align 4, !tbaa !13
  %92 = tail call float @llvm.fmuladd.f32(float %90, float %91, float %89)
  %93 = load float, ptr addrspace(3) %38, align 4, !tbaa !13
  %94 = load float, ptr addrspace(3) %39, align 4, !tbaa !13
  %95 = tail call float @llvm.fmuladd.f32(float %93, float %94, float %92)
  %96 = load float, ptr addrspace(3) %40, align 4, !tbaa !13
  %97 = load float, ptr addrspace(3) %41, align 4, !tbaa !13
  %98 = tail call float @llvm.fmuladd.f32(float %96, float %97, float %95)
  %99 = load float, ptr addrspace(3) %42, align 4, !tbaa !13
  %100 = load float, ptr addrspace(3) %43, align 4, !tbaa !13
  %101 = tail call float @llvm.fmuladd.f32(float %99, float %100, float %98)
  %102 = load float, ptr addrspace(3) %44, align 4, !tbaa !13
  %103 = load float, ptr addrspace(3) %45, align 4, !tbaa !13
  %104 = tail call float @llvm.fmuladd.f32(float %102, float %103, float %101)
  %105 = load float, ptr addrspace(3) %46, align 4, !tbaa !13
  %106 = load float, ptr addrspace(3) %47, align 4, !tbaa !13
  %107 = tail call float @llvm.fmuladd.f32(float %105, float %106, float %104)
  %108 = load float, ptr addrspace(3) %48, align 4, !tbaa !13
  %109 = load float, ptr addrspace(3) %49, align 4, !tbaa !13
  %110 = tail call float @llvm.fmuladd.f32(float %108, float %109, float %107)
  %111 = load float, ptr addrspace(3) %50, align 4, !tbaa !13
  %112 = load float, ptr addrspace(3) %51, align 4, !tbaa !13
  %113 = tail call float @llvm.fmuladd.f32(float %111, float %112, float %110)
  %114 = load float, ptr addrspace(3) %52, align 4, !tbaa !13
  %115 = load float, ptr addrspace(3) %53, align 4, !tbaa !13
  %116 = tail call float @llvm.fmuladd.f32(float %114, float %115, float %113)
  %117 = load float, ptr addrspace(3) %54, align 4, !tbaa !13
  %118 = load float, ptr addrspace(3) %55, align 4, !tbaa !13
  %119 = tail call float @llvm.fmuladd.f32(float %117, float %118, float %116)
  %120 = load float, ptr addrspace(3) %56, align 4, !tbaa !13
  %121 = load float, ptr addrspace(3) %57, align 4, !tbaa !13
  %122 = tail call float @llvm.fmuladd.f32(float %120, float %121, float %119)
  %123 = load float, ptr addrspace(3) %58, align 4, !tbaa !13
  %124 = load float, ptr addrspace(3) %59, align 4, !tbaa !13
  %125 = tail call float @llvm.fmuladd.f32(float %123, float %124, float %122)
  %126 = load float, ptr addrspace(3) %60, align 4, !tbaa !13
  %127 = load float, ptr addrspace(3) %61, align 4, !tbaa !13
  %128 = tail call float @llvm.fmuladd.f32(float %126, float %127, float %125)
  tail call void @_Z7barrierj(i32 noundef 1) #5
  %129 = add nuw nsw i32 %69, 16
  %130 = icmp slt i32 %129, %3
  br i1 %130, label %68, label %62
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #3

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #4

attributes #0 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #3 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { convergent nounwind }
attributes #6 = { convergent nounwind willreturn memory(none) }

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
!8 = !{i32 1, i32 1, i32 1, i32 0}
!9 = !{!"none", !"none", !"none", !"none"}
!10 = !{!"float*", !"float*", !"float*", !"int"}
!11 = !{!"restrict const", !"restrict const", !"restrict", !""}
!12 = !{i32 16, i32 16, i32 1}
!13 = !{!14, !14, i64 0}
!14 = !{!"float", !6, i64 0}
