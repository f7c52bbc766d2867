; ModuleID = 'backprop.cu'
source_filename = "backprop.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@shared = external dso_local local_unnamed_addr addrspace(3) global [0 x float], align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @bpnn_layerforward(ptr noalias noundef readonly captures(none) %0, ptr noalias noundef captures(none) %1, ptr noalias noundef writeonly captures(none) %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %6 = zext nneg i32 %5 to i64
  %7 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @shared to ptr), i64 %6
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %10 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %11 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %12 = mul nuw nsw i32 %11, %5
  %13 = add nuw nsw i32 %9, 1
  %14 = add nuw nsw i32 %13, %12
  %15 = add nsw i32 %3, 1
  %16 = mul nsw i32 %15, %14
  %17 = add nuw nsw i32 %8, 1
  %18 = add i32 %17, %16
  %19 = mul nuw nsw i32 %9, %10
  %20 = add nuw nsw i32 %19, %8
  %21 = icmp eq i32 %8, 0
  %22 = zext nneg i32 %9 to i64
  br i1 %21, label %23, label %28

23:                                               ; preds = %4
  %24 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @shared to ptr), i64 %22
  %25 = zext nneg i32 %14 to i64
  %26 = getelementptr inbounds nuw float, ptr %0, i64 %25
  %27 = load float, ptr %26, align 4, !tbaa !8
  store float %27, ptr %24, align 4, !tbaa !8
  br label %28

28:                                               ; preds = %4, %23
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %29 = sext i32 %18 to i64
  %30 = getelementptr inbounds float, ptr %1, i64 %29
  %31 = load float, ptr %30, align 4, !tbaa !8
  %32 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @shared to ptr), i64 %22
  %33 = load float, ptr %32, align 4, !tbaa !8
  %34 = fmul contract float %31, %33
  %35 = zext nneg i32 %20 to i64
  %36 = getelementptr inbounds nuw float, ptr %7, i64 %35
  store float %34, ptr %36, align 4, !tbaa !8
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %37 = sub nsw i32 %5, %9
  %38 = icmp samesign ugt i32 %5, 1
  br i1 %38, label %42, label %39

39:                                               ; preds = %58, %28
  %40 = load float, ptr %36, align 4, !tbaa !8
  store float %40, ptr %30, align 4, !tbaa !8
  %41 = icmp eq i32 %9, 0
  br i1 %41, label %60, label %68

42:                                               ; preds = %28, %58
  %43 = phi i32 [ %44, %58 ], [ 1, %28 ]
  %44 = shl nsw i32 %43, 1
  %45 = add i32 %44, 1023
  %46 = and i32 %45, %9
  %47 = icmp eq i32 %46, 0
  %48 = icmp slt i32 %43, %37
  %49 = select i1 %47, i1 %48, i1 false
  br i1 %49, label %50, label %58

50:                                               ; preds = %42
  %51 = mul nsw i32 %43, %10
  %52 = add nsw i32 %51, %20
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds float, ptr %7, i64 %53
  %55 = load float, ptr %54, align 4, !tbaa !8
  %56 = load float, ptr %36, align 4, !tbaa !8
  %57 = fadd contract float %55, %56
  store float %57, ptr %36, align 4, !tbaa !8
  br label %58

58:                                               ; preds = %50, %42
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %59 = icmp slt i32 %44, %5
  br i1 %59, label %42, label %39, !llvm.loop !10

60:                                               ; preds = %39
  %61 = mul i32 %3, %11
  %62 = add i32 %61, %8
  %63 = zext i32 %62 to i64
  %64 = getelementptr inbounds nuw float, ptr %2, i64 %63
  %65 = zext nneg i32 %8 to i64
  %66 = getelementptr inbounds nuw float, ptr %7, i64 %65
  %67 = load float, ptr %66, align 4, !tbaa !8
  store float %67, ptr %64, align 4, !tbaa !8
  br label %68

68:                                               ; preds = %60, %39
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @bpnn_adjust_weights(ptr noalias noundef readonly captures(none) %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef captures(none) %2, ptr noalias noundef captures(none) %3, i32 noundef %4) local_unnamed_addr #0 {
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %7 = add nuw nsw i32 %6, 1
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %10 = mul nuw nsw i32 %8, %9
  %11 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %12 = add nuw nsw i32 %11, 1
  %13 = add nuw nsw i32 %12, %10
  %14 = add nsw i32 %4, 1
  %15 = mul nsw i32 %14, %13
  %16 = add nsw i32 %15, %7
  %17 = zext nneg i32 %7 to i64
  %18 = getelementptr inbounds nuw float, ptr %0, i64 %17
  %19 = load float, ptr %18, align 4, !tbaa !8
  %20 = fmul contract float %19, 0x3FD3333340000000
  %21 = zext nneg i32 %13 to i64
  %22 = getelementptr inbounds nuw float, ptr %1, i64 %21
  %23 = load float, ptr %22, align 4, !tbaa !8
  %24 = fmul contract float %20, %23
  %25 = sext i32 %16 to i64
  %26 = getelementptr inbounds float, ptr %3, i64 %25
  %27 = load float, ptr %26, align 4, !tbaa !8
  %28 = fmul contract float %27, 0x3FD3333340000000
  %29 = fadd contract float %24, %28
  %30 = getelementptr inbounds float, ptr %2, i64 %25
  %31 = load float, ptr %30, align 4, !tbaa !8
  %32 = fadd contract float %31, %29
  store float %32, ptr %30, align 4, !tbaa !8
  store float %29, ptr %26, align 4, !tbaa !8
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %33 = or i32 %11, %8
  %34 = icmp eq i32 %33, 0
  br i1 %34, label %35, label %43

35:                                               ; preds = %5
  %36 = getelementptr inbounds nuw float, ptr %3, i64 %17
  %37 = load float, ptr %36, align 4, !tbaa !8
  %38 = fmul contract float %37, 0x3FD3333340000000
  %39 = fadd contract float %20, %38
  %40 = getelementptr inbounds nuw float, ptr %2, i64 %17
  %41 = load float, ptr %40, align 4, !tbaa !8
  %42 = fadd contract float %41, %39
  store float %42, ptr %40, align 4, !tbaa !8
  store float %39, ptr %36, align 4, !tbaa !8
  br label %43

43:                                               ; preds = %35, %5
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #2

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nocallback nounwind }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0, !1, !2}
!llvm.ident = !{!3}
!llvm.errno.tbaa = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!2 = !{i32 7, !"frame-pointer", i32 2}
!3 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C++ TBAA"}
!8 = !{!9, !9, i64 0}
!9 = !{!"float", !6, i64 0}
!10 = distinct !{!10, !11, !12}
!11 = !{!"llvm.loop.mustprogress"}
!12 = !{!"llvm.loop.unroll.disable"}
