; ModuleID = 'kmeans.cl'
source_filename = "kmeans.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @kmeans_swap(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 !kernel_arg_addr_space !8 !kernel_arg_access_qual !9 !kernel_arg_type !10 !kernel_arg_base_type !10 !kernel_arg_type_qual !11 {
  tail call void @__clang_ocl_kern_imp_kmeans_swap(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2, i32 noundef %3) #4
  ret void
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_kmeans_swap(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #1 !kernel_arg_addr_space !8 !kernel_arg_access_qual !9 !kernel_arg_type !10 !kernel_arg_base_type !10 !kernel_arg_type_qual !11 {
  %5 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #5
  %6 = trunc i64 %5 to i32
  %7 = icmp sgt i32 %2, %6
  %8 = icmp sgt i32 %3, 0
  %9 = and i1 %7, %8
  br i1 %9, label %10, label %24

10:                                               ; preds = %4
  %11 = mul nsw i32 %3, %6
  br label %12

12:                                               ; preds = %10, %12
  %13 = phi i32 [ 0, %10 ], [ %22, %12 ]
  %14 = add nsw i32 %13, %11
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %15
  %17 = load float, ptr addrspace(1) %16, align 4, !tbaa !12
  %18 = mul nsw i32 %13, %2
  %19 = add nsw i32 %18, %6
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %20
  store float %17, ptr addrspace(1) %21, align 4, !tbaa !12
  %22 = add nuw nsw i32 %13, 1
  %23 = icmp eq i32 %22, %3
  br i1 %23, label %24, label %12, !llvm.loop !14

24:                                               ; preds = %12, %4
  ret void
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @kmeans_c(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %5) local_unnamed_addr #0 !kernel_arg_addr_space !16 !kernel_arg_access_qual !17 !kernel_arg_type !18 !kernel_arg_base_type !18 !kernel_arg_type_qual !19 {
  tail call void @__clang_ocl_kern_imp_kmeans_c(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(1) noundef align 4 %5) #4
  ret void
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_kmeans_c(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %5) local_unnamed_addr #1 !kernel_arg_addr_space !16 !kernel_arg_access_qual !17 !kernel_arg_type !18 !kernel_arg_base_type !18 !kernel_arg_type_qual !19 {
  %7 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #5
  %8 = tail call i64 @_Z14get_num_groupsj(i32 noundef 0) #5
  %9 = mul i64 %8, %7
  %10 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #5
  %11 = add i64 %9, %10
  %12 = tail call i64 @_Z14get_local_sizej(i32 noundef 0) #5
  %13 = mul i64 %11, %12
  %14 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #5
  %15 = add i64 %13, %14
  %16 = trunc i64 %15 to i32
  %17 = icmp sgt i32 %2, %16
  br i1 %17, label %18, label %56

18:                                               ; preds = %6
  %19 = icmp sgt i32 %3, 0
  br i1 %19, label %20, label %28

20:                                               ; preds = %18
  %21 = icmp sgt i32 %4, 0
  br label %22

22:                                               ; preds = %20, %33
  %23 = phi i32 [ -1, %20 ], [ %37, %33 ]
  %24 = phi i32 [ 0, %20 ], [ %38, %33 ]
  %25 = phi float [ 0x47EFFFFFE0000000, %20 ], [ %36, %33 ]
  br i1 %21, label %26, label %33

26:                                               ; preds = %22
  %27 = mul nuw nsw i32 %24, %4
  br label %40

28:                                               ; preds = %33, %18
  %29 = phi i32 [ -1, %18 ], [ %37, %33 ]
  %30 = shl i64 %15, 32
  %31 = ashr exact i64 %30, 30
  %32 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %31
  store i32 %29, ptr addrspace(1) %32, align 4, !tbaa !4
  br label %56

33:                                               ; preds = %40, %22
  %34 = phi float [ 0.000000e+00, %22 ], [ %53, %40 ]
  %35 = fcmp olt float %34, %25
  %36 = select i1 %35, float %34, float %25
  %37 = select i1 %35, i32 %24, i32 %23
  %38 = add nuw nsw i32 %24, 1
  %39 = icmp eq i32 %38, %3
  br i1 %39, label %28, label %22, !llvm.loop !20

40:                                               ; preds = %26, %40
  %41 = phi i32 [ 0, %26 ], [ %54, %40 ]
  %42 = phi float [ 0.000000e+00, %26 ], [ %53, %40 ]
  %43 = mul nsw i32 %41, %2
  %44 = add nsw i32 %43, %16
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %45
  %47 = load float, ptr addrspace(1) %46, align 4, !tbaa !12
  %48 = add nuw nsw i32 %41, %27
  %49 = zext nneg i32 %48 to i64
  %50 = getelementptr inbounds nuw float, ptr addrspace(1) %5, i64 %49
  %51 = load float, ptr addrspace(1) %50, align 4, !tbaa !12
  %52 = fsub float %47, %51
  %53 = tail call float @llvm.fmuladd.f32(float %52, float %52, float %42)
  %54 = add nuw nsw i32 %41, 1
  %55 = icmp eq i32 %54, %4
  br i1 %55, label %33, label %40, !llvm.loop !21

56:                                               ; preds = %28, %6
  ret void
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z14get_num_groupsj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z14get_local_sizej(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #3

attributes #0 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #3 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { convergent nounwind }
attributes #5 = { convergent nounwind willreturn memory(none) }

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
!8 = !{i32 1, i32 1, i32 0, i32 0}
!9 = !{!"none", !"none", !"none", !"none"}
!10 = !{!"float*", !"float*", !"int", !"int"}
!11 = !{!"restrict const", !"restrict", !"", !""}
!12 = !{!13, !13, i64 0}
!13 = !{!"float", !6, i64 0}
!14 = distinct !{!14, !15}
!15 = !{!"llvm.loop.unroll.disable"}
!16 = !{i32 1, i32 1, i32 0, i32 0, i32 0, i32 1}
!17 = !{!"none", !"none", !"none", !"none", !"none", !"none"}
!18 = !{!"float*", !"int*", !"int", !"int", !"int", !"float*"}
!19 = !{!"restrict const", !"restrict", !"", !"", !"", !"restrict const"}
!20 = distinct !{!20, !15}
!21 = distinct !{!21, !15}
