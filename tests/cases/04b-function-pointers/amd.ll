; ModuleID = 'h_p.hip'
source_filename = "h_p.hip"
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

%struct.Sq = type <{ %struct.Shape, float, [4 x i8] }>
%struct.Shape = type { ptr }
%struct.Ci = type <{ %struct.Shape, float, [4 x i8] }>

$_ZTV2Sq = comdat any

$_ZTV2Ci = comdat any

@table = protected addrspace(1) externally_initialized global [3 x ptr] [ptr @addi, ptr @subi, ptr @muli], align 16
@_ZTV2Sq = linkonce_odr hidden unnamed_addr addrspace(1) constant { [4 x ptr addrspace(1)] } { [4 x ptr addrspace(1)] [ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) addrspacecast (ptr @_ZNK2Sq4areaEf to ptr addrspace(1)), ptr addrspace(1) addrspacecast (ptr @_ZNK5Shape4kindEv to ptr addrspace(1))] }, comdat, align 8
@_ZTV2Ci = linkonce_odr hidden unnamed_addr addrspace(1) constant { [4 x ptr addrspace(1)] } { [4 x ptr addrspace(1)] [ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) addrspacecast (ptr @_ZNK2Ci4areaEf to ptr addrspace(1)), ptr addrspace(1) addrspacecast (ptr @_ZNK2Ci4kindEv to ptr addrspace(1))] }, comdat, align 8
@__hip_cuid_77d44365aa0dba84 = addrspace(1) global i8 0
@llvm.compiler.used = appending addrspace(1) global [2 x ptr] [ptr addrspacecast (ptr addrspace(1) @__hip_cuid_77d44365aa0dba84 to ptr), ptr addrspacecast (ptr addrspace(1) @table to ptr)], section "llvm.metadata"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define internal i32 @addi(i32 noundef %0, i32 noundef %1) #0 {
  %3 = add nsw i32 %1, %0
  ret i32 %3
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define internal i32 @subi(i32 noundef %0, i32 noundef %1) #0 {
  %3 = sub nsw i32 %0, %1
  ret i32 %3
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define internal i32 @muli(i32 noundef %0, i32 noundef %1) #0 {
  %3 = mul nsw i32 %1, %0
  ret i32 %3
}

; Function Attrs: convergent mustprogress norecurse nounwind
define protected amdgpu_kernel void @k(ptr addrspace(1) nocapture noundef writeonly %0, ptr addrspace(1) nocapture noundef writeonly %1, i32 noundef %2) local_unnamed_addr #1 {
  %4 = alloca %struct.Sq, align 8, addrspace(5)
  %5 = alloca %struct.Ci, align 8, addrspace(5)
  %6 = tail call noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
  %7 = add nsw i32 %6, %2
  %8 = srem i32 %7, 3
  %9 = sext i32 %8 to i64
  %10 = getelementptr inbounds [3 x ptr], ptr addrspace(1) @table, i64 0, i64 %9
  %11 = load ptr, ptr addrspace(1) %10, align 8, !tbaa !5
  %12 = tail call noundef i32 %11(i32 noundef %6, i32 noundef 5) #5
  %13 = zext nneg i32 %6 to i64
  %14 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %13
  store i32 %12, ptr addrspace(1) %14, align 4, !tbaa !9
  %15 = and i32 %6, 4
  %16 = icmp eq i32 %15, 0
  %17 = select i1 %16, ptr @muli, ptr @addi
  %18 = tail call noundef i32 %17(i32 noundef %6, i32 noundef %2) #5, !callees !11
  %19 = getelementptr inbounds i8, ptr addrspace(1) %14, i64 128
  store i32 %18, ptr addrspace(1) %19, align 4, !tbaa !9
  call void @llvm.lifetime.start.p5(i64 16, ptr addrspace(5) %4) #6
  %20 = uitofp nneg i32 %6 to float
  store ptr addrspace(1) getelementptr inbounds inrange(-16, 16) (i8, ptr addrspace(1) @_ZTV2Sq, i64 16), ptr addrspace(5) %4, align 8, !tbaa !12
  %21 = getelementptr inbounds i8, ptr addrspace(5) %4, i32 8
  store float %20, ptr addrspace(5) %21, align 8, !tbaa !14
  call void @llvm.lifetime.start.p5(i64 16, ptr addrspace(5) %5) #6
  %22 = add nuw nsw i32 %6, 1
  %23 = uitofp nneg i32 %22 to float
  store ptr addrspace(1) getelementptr inbounds inrange(-16, 16) (i8, ptr addrspace(1) @_ZTV2Ci, i64 16), ptr addrspace(5) %5, align 8, !tbaa !12
  %24 = getelementptr inbounds i8, ptr addrspace(5) %5, i32 8
  store float %23, ptr addrspace(5) %24, align 8, !tbaa !18
  %25 = trunc nuw nsw i32 %6 to i16
  %26 = urem i16 %25, 3
  %27 = icmp eq i16 %26, 1
  %28 = select i1 %27, ptr addrspace(5) %4, ptr addrspace(5) %5
  %29 = addrspacecast ptr addrspace(5) %28 to ptr
  %30 = sitofp i32 %2 to float
  %31 = load ptr addrspace(1), ptr addrspace(5) %28, align 8, !tbaa !12
  %32 = load ptr addrspace(1), ptr addrspace(1) %31, align 8
  %33 = call contract noundef addrspace(1) float %32(ptr noundef nonnull align 8 dereferenceable(8) %29, float noundef %30) #5
  %34 = load ptr addrspace(1), ptr addrspace(5) %28, align 8, !tbaa !12
  %35 = getelementptr inbounds i8, ptr addrspace(1) %34, i64 8
  %36 = load ptr addrspace(1), ptr addrspace(1) %35, align 8
  %37 = call noundef addrspace(1) i32 %36(ptr noundef nonnull align 8 dereferenceable(8) %29) #5
  %38 = sitofp i32 %37 to float
  %39 = fadd contract float %33, %38
  %40 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %13
  store float %39, ptr addrspace(1) %40, align 4, !tbaa !20
  call void @llvm.lifetime.end.p5(i64 16, ptr addrspace(5) %5) #6
  call void @llvm.lifetime.end.p5(i64 16, ptr addrspace(5) %4) #6
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p5(i64 immarg, ptr addrspace(5) nocapture) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p5(i64 immarg, ptr addrspace(5) nocapture) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workitem.id.x() #3

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read)
define internal noundef float @_ZNK2Sq4areaEf(ptr nocapture noundef nonnull readonly align 8 dereferenceable(12) %0, float noundef %1) unnamed_addr #4 align 2 {
  %3 = getelementptr inbounds i8, ptr %0, i64 8
  %4 = load float, ptr %3, align 8, !tbaa !14
  %5 = fmul contract float %4, %4
  %6 = fmul contract float %5, %1
  ret float %6
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define internal noundef i32 @_ZNK5Shape4kindEv(ptr nocapture nonnull readnone align 8 %0) unnamed_addr #0 align 2 {
  ret i32 0
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read)
define internal noundef float @_ZNK2Ci4areaEf(ptr nocapture noundef nonnull readonly align 8 dereferenceable(12) %0, float noundef %1) unnamed_addr #4 align 2 {
  %3 = getelementptr inbounds i8, ptr %0, i64 8
  %4 = load float, ptr %3, align 8, !tbaa !18
  %5 = fmul contract float %4, 3.000000e+00
  %6 = fmul contract float %4, %5
  %7 = fadd contract float %6, %1
  ret float %7
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define internal noundef i32 @_ZNK2Ci4kindEv(ptr nocapture nonnull readnone align 8 %0) unnamed_addr #0 align 2 {
  ret i32 7
}

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "amdgpu-no-agpr" "amdgpu-no-completion-action" "amdgpu-no-default-queue" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-lds-kernel-id" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-queue-ptr" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-x" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "amdgpu-waves-per-eu"="4,8" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="gfx90a" "target-features"="+16-bit-insts,+atomic-buffer-global-pk-add-f16-insts,+atomic-fadd-rtn-insts,+ci-insts,+dl-insts,+dot1-insts,+dot10-insts,+dot2-insts,+dot3-insts,+dot4-insts,+dot5-insts,+dot6-insts,+dot7-insts,+dpp,+gfx8-insts,+gfx9-insts,+gfx90a-insts,+mai-insts,+s-memrealtime,+s-memtime-inst,+wavefrontsize64" "uniform-work-group-size"="false" }
attributes #1 = { convergent mustprogress norecurse nounwind "amdgpu-flat-work-group-size"="1,1024" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="gfx90a" "target-features"="+16-bit-insts,+atomic-buffer-global-pk-add-f16-insts,+atomic-fadd-rtn-insts,+ci-insts,+dl-insts,+dot1-insts,+dot10-insts,+dot2-insts,+dot3-insts,+dot4-insts,+dot5-insts,+dot6-insts,+dot7-insts,+dpp,+gfx8-insts,+gfx9-insts,+gfx90a-insts,+mai-insts,+s-memrealtime,+s-memtime-inst,+wavefrontsize64" "uniform-work-group-size"="true" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) "amdgpu-no-agpr" "amdgpu-no-completion-action" "amdgpu-no-default-queue" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-lds-kernel-id" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-queue-ptr" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-x" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "amdgpu-waves-per-eu"="4,8" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="gfx90a" "target-features"="+16-bit-insts,+atomic-buffer-global-pk-add-f16-insts,+atomic-fadd-rtn-insts,+ci-insts,+dl-insts,+dot1-insts,+dot10-insts,+dot2-insts,+dot3-insts,+dot4-insts,+dot5-insts,+dot6-insts,+dot7-insts,+dpp,+gfx8-insts,+gfx9-insts,+gfx90a-insts,+mai-insts,+s-memrealtime,+s-memtime-inst,+wavefrontsize64" "uniform-work-group-size"="false" }
attributes #5 = { convergent nounwind }
attributes #6 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
!1 = !{i32 1, !"amdgpu_printf_kind", !"hostcall"}
!2 = !{i32 1, !"wchar_size", i32 4}
!3 = !{i32 8, !"PIC Level", i32 2}
!4 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"any pointer", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C++ TBAA"}
!9 = !{!10, !10, i64 0}
!10 = !{!"int", !7, i64 0}
!11 = !{ptr @addi, ptr @muli}
!12 = !{!13, !13, i64 0}
!13 = !{!"vtable pointer", !8, i64 0}
!14 = !{!15, !17, i64 8}
!15 = !{!"_ZTS2Sq", !16, i64 0, !17, i64 8}
!16 = !{!"_ZTS5Shape"}
!17 = !{!"float", !7, i64 0}
!18 = !{!19, !17, i64 8}
!19 = !{!"_ZTS2Ci", !16, i64 0, !17, i64 8}
!20 = !{!17, !17, i64 0}
