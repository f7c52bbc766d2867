; ModuleID = 'reduce.cl'
source_filename = "reduce.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@reduce.sums = internal unnamed_addr addrspace(3) global [256 x float] undef, align 4

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @reduce(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2) local_unnamed_addr #0 !kernel_arg_addr_space !8 !kernel_arg_access_qual !9 !kernel_arg_type !10 !kernel_arg_base_type !10 !kernel_arg_type_qual !11 {
  tail call void @__clang_ocl_kern_imp_reduce(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2) #4
  ret void
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_reduce(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2) local_unnamed_addr #1 !kernel_arg_addr_space !8 !kernel_arg_access_qual !9 !kernel_arg_type !10 !kernel_arg_base_type !10 !kernel_arg_type_qual !11 {
  %4 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #5
  %5 = trunc i64 %4 to i32
  %6 = tail call i64 @_Z14get_local_sizej(i32 noundef 0) #5
  %7 = trunc i64 %6 to i32
  %8 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #5
  %9 = shl i64 %6, 1
  %10 = mul i64 %9, %8
  %11 = and i64 %4, 4294967295
  %12 = add i64 %10, %4
  %13 = trunc i64 %12 to i32
  %14 = add i32 %13, %7
  %15 = icmp sgt i32 %2, %13
  br i1 %15, label %16, label %21

16:                                               ; preds = %3
  %17 = shl i64 %12, 32
  %18 = ashr exact i64 %17, 30
  %19 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %18
  %20 = load float, ptr addrspace(1) %19, align 4, !tbaa !12
  br label %21

21:                                               ; preds = %3, %16
  %22 = phi float [ %20, %16 ], [ 0.000000e+00, %3 ]
  %23 = icmp slt i32 %14, %2
  br i1 %23, label %24, label %29

24:                                               ; preds = %21
  %25 = sext i32 %14 to i64
  %26 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %25
  %27 = load float, ptr addrspace(1) %26, align 4, !tbaa !12
  %28 = fadd float %22, %27
  br label %29

29:                                               ; preds = %24, %21
  %30 = phi float [ %28, %24 ], [ %22, %21 ]
  %31 = getelementptr inbounds nuw float, ptr addrspace(3) @reduce.sums, i64 %11
  store float %30, ptr addrspace(3) %31, align 4, !tbaa !12
  tail call void @_Z7barrierj(i32 noundef 1) #4
  %32 = lshr i32 %7, 1
  %33 = icmp eq i32 %32, 0
  br i1 %33, label %34, label %36

34:                                               ; preds = %46, %29
  %35 = icmp eq i32 %5, 0
  br i1 %35, label %49, label %53

36:                                               ; preds = %29, %46
  %37 = phi i32 [ %47, %46 ], [ %32, %29 ]
  %38 = icmp ugt i32 %37, %5
  br i1 %38, label %39, label %46

39:                                               ; preds = %36
  %40 = add nuw i32 %37, %5
  %41 = zext i32 %40 to i64
  %42 = getelementptr inbounds nuw float, ptr addrspace(3) @reduce.sums, i64 %41
  %43 = load float, ptr addrspace(3) %42, align 4, !tbaa !12
  %44 = load float, ptr addrspace(3) %31, align 4, !tbaa !12
  %45 = fadd float %43, %44
  store float %45, ptr addrspace(3) %31, align 4, !tbaa !12
  br label %46

46:                                               ; preds = %39, %36
  tail call void @_Z7barrierj(i32 noundef 1) #4
  %47 = lshr i32 %37, 1
  %48 = icmp eq i32 %47, 0
  br i1 %48, label %34, label %36

49:                                               ; preds = %34
  %50 = load float, ptr addrspace(3) @reduce.sums, align 4, !tbaa !12
  %51 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #5
  %52 = getelementptr inbounds nuw float, ptr addrspace(1) %1, i64 %51
  store float %50, ptr addrspace(1) %52, align 4, !tbaa !12
  br label %53

53:                                               ; preds = %49, %34
  ret void
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z14get_local_sizej(i32 noundef) local_unnamed_addr #2

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
!8 = !{i32 1, i32 1, i32 0}
!9 = !{!"none", !"none", !"none"}
!10 = !{!"float*", !"float*", !"int"}
!11 = !{!"restrict const", !"restrict", !""}
!12 = !{!13, !13, i64 0}
!13 = !{!"float", !6, i64 0}
