; ModuleID = 'reduce.cl'
source_filename = "reduce.cl"
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

@reduce.sums = internal unnamed_addr addrspace(3) global [256 x float] undef, align 4

; Function Attrs: convergent norecurse nounwind
define protected amdgpu_kernel void @reduce(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2) local_unnamed_addr #0 !kernel_arg_addr_space !9 !kernel_arg_access_qual !10 !kernel_arg_type !11 !kernel_arg_base_type !11 !kernel_arg_type_qual !12 {
  tail call void @llvm.experimental.noalias.scope.decl(metadata !13)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !16)
  %4 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #5
  %5 = trunc i64 %4 to i32
  %6 = tail call i64 @_Z14get_local_sizej(i32 noundef 0) #5
  %7 = trunc i64 %6 to i32
  %8 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #5
  %9 = shl i64 %6, 1
  %10 = mul i64 %9, %8
  %11 = add i64 %10, %4
  %12 = trunc i64 %11 to i32
  %13 = add i32 %12, %7
  %14 = icmp sgt i32 %2, %12
  br i1 %14, label %15, label %20

15:                                               ; preds = %3
  %16 = shl i64 %11, 32
  %17 = ashr exact i64 %16, 30
  %18 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %17
  %19 = load float, ptr addrspace(1) %18, align 4, !tbaa !18, !alias.scope !13, !noalias !16, !amdgpu.noclobber !20
  br label %20

20:                                               ; preds = %15, %3
  %21 = phi float [ %19, %15 ], [ 0.000000e+00, %3 ]
  %22 = icmp slt i32 %13, %2
  br i1 %22, label %23, label %28

23:                                               ; preds = %20
  %24 = sext i32 %13 to i64
  %25 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %24
  %26 = load float, ptr addrspace(1) %25, align 4, !tbaa !18, !alias.scope !13, !noalias !16, !amdgpu.noclobber !20
  %27 = fadd float %21, %26
  br label %28

28:                                               ; preds = %23, %20
  %29 = phi float [ %27, %23 ], [ %21, %20 ]
  %30 = getelementptr float, ptr addrspace(3) @reduce.sums, i32 %5
  store float %29, ptr addrspace(3) %30, align 4, !tbaa !18, !noalias !21
  tail call void @_Z7barrierj(i32 noundef 1) #6, !noalias !21
  %31 = lshr i32 %7, 1
  %32 = icmp eq i32 %31, 0
  br i1 %32, label %33, label %35

33:                                               ; preds = %43, %28
  %34 = icmp eq i32 %5, 0
  br i1 %34, label %46, label %50

35:                                               ; preds = %28, %43
  %36 = phi i32 [ %44, %43 ], [ %31, %28 ]
  %37 = icmp ugt i32 %36, %5
  br i1 %37, label %38, label %43

38:                                               ; preds = %35
  %39 = getelementptr float, ptr addrspace(3) %30, i32 %36
  %40 = load float, ptr addrspace(3) %39, align 4, !tbaa !18, !noalias !21
  %41 = load float, ptr addrspace(3) %30, align 4, !tbaa !18, !noalias !21
  %42 = fadd float %40, %41
  store float %42, ptr addrspace(3) %30, align 4, !tbaa !18, !noalias !21
  br label %43

43:                                               ; preds = %38, %35
  tail call void @_Z7barrierj(i32 noundef 1) #6, !noalias !21
  %44 = lshr i32 %36, 1
  %45 = icmp eq i32 %44, 0
  br i1 %45, label %33, label %35

46:                                               ; preds = %33
  %47 = load float, ptr addrspace(3) @reduce.sums, align 4, !tbaa !18, !noalias !21
  %48 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #5
  %49 = getelementptr inbounds nuw float, ptr addrspace(1) %1, i64 %48
  store float %47, ptr addrspace(1) %49, align 4, !tbaa !18, !alias.scope !16, !noalias !13
  br label %50

50:                                               ; preds = %33, %46
  ret void
}

; Function Attrs: alwaysinline convergent norecurse nounwind
define protected void @__clang_ocl_kern_imp_reduce(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2) local_unnamed_addr #1 !kernel_arg_addr_space !9 !kernel_arg_access_qual !10 !kernel_arg_type !11 !kernel_arg_base_type !11 !kernel_arg_type_qual !12 {
  %4 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #5
  %5 = trunc i64 %4 to i32
  %6 = tail call i64 @_Z14get_local_sizej(i32 noundef 0) #5
  %7 = trunc i64 %6 to i32
  %8 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #5
  %9 = shl i64 %6, 1
  %10 = mul i64 %9, %8
  %11 = add i64 %10, %4
  %12 = trunc i64 %11 to i32
  %13 = add i32 %12, %7
  %14 = icmp sgt i32 %2, %12
  br i1 %14, label %15, label %20

15:                                               ; preds = %3
  %16 = shl i64 %11, 32
  %17 = ashr exact i64 %16, 30
  %18 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %17
  %19 = load float, ptr addrspace(1) %18, align 4, !tbaa !18
  br label %20

20:                                               ; preds = %3, %15
  %21 = phi float [ %19, %15 ], [ 0.000000e+00, %3 ]
  %22 = icmp slt i32 %13, %2
  br i1 %22, label %23, label %28

23:                                               ; preds = %20
  %24 = sext i32 %13 to i64
  %25 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %24
  %26 = load float, ptr addrspace(1) %25, align 4, !tbaa !18
  %27 = fadd float %21, %26
  br label %28

28:                                               ; preds = %23, %20
  %29 = phi float [ %27, %23 ], [ %21, %20 ]
  %30 = getelementptr float, ptr addrspace(3) @reduce.sums, i32 %5
  store float %29, ptr addrspace(3) %30, align 4, !tbaa !18
  tail call void @_Z7barrierj(i32 noundef 1) #6
  %31 = lshr i32 %7, 1
  %32 = icmp eq i32 %31, 0
  br i1 %32, label %33, label %35

33:                                               ; preds = %43, %28
  %34 = icmp eq i32 %5, 0
  br i1 %34, label %46, label %50

35:                                               ; preds = %28, %43
  %36 = phi i32 [ %44, %43 ], [ %31, %28 ]
  %37 = icmp ugt i32 %36, %5
  br i1 %37, label %38, label %43

38:                                               ; preds = %35
  %39 = getelementptr float, ptr addrspace(3) %30, i32 %36
  %40 = load float, ptr addrspace(3) %39, align 4, !tbaa !18
  %41 = load float, ptr addrspace(3) %30, align 4, !tbaa !18
  %42 = fadd float %40, %41
  store float %42, ptr addrspace(3) %30, align 4, !tbaa !18
  br label %43

43:                                               ; preds = %38, %35
  tail call void @_Z7barrierj(i32 noundef 1) #6
  %44 = lshr i32 %36, 1
  %45 = icmp eq i32 %44, 0
  br i1 %45, label %33, label %35

46:                                               ; preds = %33
  %47 = load float, ptr addrspace(3) @reduce.sums, align 4, !tbaa !18
  %48 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #5
  %49 = getelementptr inbounds nuw float, ptr addrspace(1) %1, i64 %48
  store float %47, ptr addrspace(1) %49, align 4, !tbaa !18
  br label %50

50:                                               ; preds = %46, %33
  ret void
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare hidden i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare hidden i64 @_Z14get_local_sizej(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare hidden i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare hidden void @_Z7barrierj(i32 noundef) local_unnamed_addr #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #4

attributes #0 = { convergent norecurse nounwind "amdgpu-flat-work-group-size"="1,256" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="gfx90a" "target-features"="+16-bit-insts,+atomic-buffer-global-pk-add-f16-insts,+atomic-fadd-rtn-insts,+atomic-fmin-fmax-global-f64,+ci-insts,+cube-insts,+cvt-pknorm-vop2-insts,+dl-insts,+dot1-insts,+dot10-insts,+dot2-insts,+dot3-insts,+dot4-insts,+dot5-insts,+dot6-insts,+dot7-insts,+dpp,+gfx8-insts,+gfx9-insts,+gfx90a-insts,+lerp-inst,+mai-insts,+qsad-insts,+s-memrealtime,+s-memtime-inst,+sad-insts,+wavefrontsize64" "uniform-work-group-size"="true" }
attributes #1 = { alwaysinline convergent norecurse nounwind "amdgpu-flat-work-group-size"="1,256" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="gfx90a" "target-features"="+16-bit-insts,+atomic-buffer-global-pk-add-f16-insts,+atomic-fadd-rtn-insts,+atomic-fmin-fmax-global-f64,+ci-insts,+cube-insts,+cvt-pknorm-vop2-insts,+dl-insts,+dot1-insts,+dot10-insts,+dot2-insts,+dot3-insts,+dot4-insts,+dot5-insts,+dot6-insts,+dot7-insts,+dpp,+gfx8-insts,+gfx9-insts,+gfx90a-insts,+lerp-inst,+mai-insts,+qsad-insts,+s-memrealtime,+s-memtime-inst,+sad-insts,+wavefrontsize64" "uniform-work-group-size"="false" }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="gfx90a" "target-features"="+16-bit-insts,+atomic-buffer-global-pk-add-f16-insts,+atomic-fadd-rtn-insts,+atomic-fmin-fmax-global-f64,+ci-insts,+cube-insts,+cvt-pknorm-vop2-insts,+dl-insts,+dot1-insts,+dot10-insts,+dot2-insts,+dot3-insts,+dot4-insts,+dot5-insts,+dot6-insts,+dot7-insts,+dpp,+gfx8-insts,+gfx9-insts,+gfx90a-insts,+lerp-inst,+mai-insts,+qsad-insts,+s-memrealtime,+s-memtime-inst,+sad-insts,+wavefrontsize64" "uniform-work-group-size"="false" }
attributes #3 = { convergent nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="gfx90a" "target-features"="+16-bit-insts,+atomic-buffer-global-pk-add-f16-insts,+atomic-fadd-rtn-insts,+atomic-fmin-fmax-global-f64,+ci-insts,+cube-insts,+cvt-pknorm-vop2-insts,+dl-insts,+dot1-insts,+dot10-insts,+dot2-insts,+dot3-insts,+dot4-insts,+dot5-insts,+dot6-insts,+dot7-insts,+dpp,+gfx8-insts,+gfx9-insts,+gfx90a-insts,+lerp-inst,+mai-insts,+qsad-insts,+s-memrealtime,+s-memtime-inst,+sad-insts,+wavefrontsize64" "uniform-work-group-size"="false" }
attributes #4 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #5 = { convergent nounwind willreturn memory(none) }
attributes #6 = { convergent nounwind }

!llvm.module.flags = !{!0, !1, !2}
!opencl.ocl.version = !{!3}
!llvm.ident = !{!4}
!llvm.errno.tbaa = !{!5}

!0 = !{i32 1, !"amdhsa_code_object_version", i32 600}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 8, !"PIC Level", i32 2}
!3 = !{i32 1, i32 2}
!4 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{i32 1, i32 1, i32 0}
!10 = !{!"none", !"none", !"none"}
!11 = !{!"float*", !"float*", !"int"}
!12 = !{!"restrict const", !"restrict", !""}
!13 = !{!14}
!14 = distinct !{!14, !15, !"__clang_ocl_kern_imp_reduce: argument 0"}
!15 = distinct !{!15, !"__clang_ocl_kern_imp_reduce"}
!16 = !{!17}
!17 = distinct !{!17, !15, !"__clang_ocl_kern_imp_reduce: argument 1"}
!18 = !{!19, !19, i64 0}
!19 = !{!"float", !7, i64 0}
!20 = !{}
!21 = !{!14, !17}
