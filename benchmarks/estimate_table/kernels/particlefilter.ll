; ModuleID = 'particlefilter.cl'
source_filename = "particlefilter.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @particle_naive(ptr addrspace(1) noalias noundef readonly align 8 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %1, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %2, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %3, ptr addrspace(1) noalias noundef writeonly align 8 captures(none) %4, ptr addrspace(1) noalias noundef writeonly align 8 captures(none) %5, i32 noundef %6) local_unnamed_addr #0 !kernel_arg_addr_space !8 !kernel_arg_access_qual !9 !kernel_arg_type !10 !kernel_arg_base_type !10 !kernel_arg_type_qual !11 {
  tail call void @__clang_ocl_kern_imp_particle_naive(ptr addrspace(1) noundef align 8 %0, ptr addrspace(1) noundef align 8 %1, ptr addrspace(1) noundef align 8 %2, ptr addrspace(1) noundef align 8 %3, ptr addrspace(1) noundef align 8 %4, ptr addrspace(1) noundef align 8 %5, i32 noundef %6) #4
  ret void
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_particle_naive(ptr addrspace(1) noalias noundef readonly align 8 captures(none) %0, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %1, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %2, ptr addrspace(1) noalias noundef readonly align 8 captures(none) %3, ptr addrspace(1) noalias noundef writeonly align 8 captures(none) %4, ptr addrspace(1) noalias noundef writeonly align 8 captures(none) %5, i32 noundef %6) local_unnamed_addr #1 !kernel_arg_addr_space !8 !kernel_arg_access_qual !9 !kernel_arg_type !10 !kernel_arg_base_type !10 !kernel_arg_type_qual !11 {
  %8 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #5
  %9 = trunc i64 %8 to i32
  %10 = icmp sgt i32 %6, %9
  br i1 %10, label %11, label %37

11:                                               ; preds = %7
  %12 = shl i64 %8, 32
  %13 = ashr exact i64 %12, 32
  %14 = getelementptr inbounds double, ptr addrspace(1) %3, i64 %13
  %15 = load double, ptr addrspace(1) %14, align 8, !tbaa !12
  %16 = icmp sgt i32 %6, 0
  br i1 %16, label %17, label %26

17:                                               ; preds = %11, %23
  %18 = phi i32 [ %24, %23 ], [ 0, %11 ]
  %19 = zext nneg i32 %18 to i64
  %20 = getelementptr inbounds nuw double, ptr addrspace(1) %2, i64 %19
  %21 = load double, ptr addrspace(1) %20, align 8, !tbaa !12, !alias.scope !14
  %22 = fcmp ugt double %15, %21
  br i1 %22, label %23, label %26

23:                                               ; preds = %17
  %24 = add nuw nsw i32 %18, 1
  %25 = icmp eq i32 %24, %6
  br i1 %25, label %26, label %17, !llvm.loop !17

26:                                               ; preds = %17, %23, %11
  %27 = phi i32 [ 0, %11 ], [ %6, %23 ], [ %18, %17 ]
  %28 = add nsw i32 %6, -1
  %29 = tail call range(i32 -2147483648, 2147483647) i32 @llvm.smin.i32(i32 %27, i32 %28)
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds double, ptr addrspace(1) %1, i64 %30
  %32 = load double, ptr addrspace(1) %31, align 8, !tbaa !12
  %33 = getelementptr inbounds double, ptr addrspace(1) %5, i64 %13
  store double %32, ptr addrspace(1) %33, align 8, !tbaa !12
  %34 = getelementptr inbounds double, ptr addrspace(1) %0, i64 %30
  %35 = load double, ptr addrspace(1) %34, align 8, !tbaa !12
  %36 = getelementptr inbounds double, ptr addrspace(1) %4, i64 %13
  store double %35, ptr addrspace(1) %36, align 8, !tbaa !12
  br label %37

37:                                               ; preds = %7, %26
  ret void
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #3

attributes #0 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
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
!8 = !{i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 0}
!9 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!10 = !{!"double*", !"double*", !"double*", !"double*", !"double*", !"double*", !"int"}
!11 = !{!"restrict const", !"restrict const", !"restrict const", !"restrict const", !"restrict", !"restrict", !""}
!12 = !{!13, !13, i64 0}
!13 = !{!"double", !6, i64 0}
!14 = !{!15}
!15 = distinct !{!15, !16, !"first_reaching: argument 0"}
!16 = distinct !{!16, !"first_reaching"}
!17 = distinct !{!17, !18}
!18 = !{!"llvm.loop.unroll.disable"}
