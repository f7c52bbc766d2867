; ModuleID = 'lud.cu'
source_filename = "lud.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@upper = external dso_local local_unnamed_addr addrspace(3) global [0 x float], align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @lud_internal(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %5 = mul nuw nsw i32 %4, %4
  %6 = zext nneg i32 %5 to i64
  %7 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @upper to ptr), i64 %6
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %10 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %11 = add nuw nsw i32 %10, 1
  %12 = mul i32 %11, %4
  %13 = add i32 %12, %8
  %14 = add nsw i32 %1, 1
  %15 = mul nsw i32 %2, %14
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds float, ptr %0, i64 %16
  %18 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %19 = add nuw nsw i32 %18, 1
  %20 = mul nuw nsw i32 %19, %4
  %21 = add nuw nsw i32 %20, %9
  %22 = mul i32 %21, %1
  %23 = zext i32 %22 to i64
  %24 = getelementptr inbounds nuw float, ptr %17, i64 %23
  %25 = mul nsw i32 %1, %9
  %26 = add nsw i32 %25, %13
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds float, ptr %17, i64 %27
  %29 = load float, ptr %28, align 4, !tbaa !8
  %30 = mul nuw nsw i32 %9, %4
  %31 = add nuw nsw i32 %30, %8
  %32 = zext nneg i32 %31 to i64
  %33 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @upper to ptr), i64 %32
  store float %29, ptr %33, align 4, !tbaa !8
  %34 = zext nneg i32 %8 to i64
  %35 = getelementptr inbounds nuw float, ptr %24, i64 %34
  %36 = load float, ptr %35, align 4, !tbaa !8
  %37 = getelementptr inbounds nuw float, ptr %7, i64 %32
  store float %36, ptr %37, align 4, !tbaa !8
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %43

38:                                               ; preds = %43
  %39 = sext i32 %13 to i64
  %40 = getelementptr inbounds float, ptr %24, i64 %39
  %41 = load float, ptr %40, align 4, !tbaa !8
  %42 = fsub contract float %41, %56
  store float %42, ptr %40, align 4, !tbaa !8
  ret void

43:                                               ; preds = %3, %43
  %44 = phi i32 [ 0, %3 ], [ %57, %43 ]
  %45 = phi float [ 0.000000e+00, %3 ], [ %56, %43 ]
  %46 = add nuw nsw i32 %44, %30
  %47 = zext nneg i32 %46 to i64
  %48 = getelementptr inbounds nuw float, ptr %7, i64 %47
  %49 = load float, ptr %48, align 4, !tbaa !8
  %50 = mul nuw nsw i32 %44, %4
  %51 = add nuw nsw i32 %50, %8
  %52 = zext nneg i32 %51 to i64
  %53 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @upper to ptr), i64 %52
  %54 = load float, ptr %53, align 4, !tbaa !8
  %55 = fmul contract float %49, %54
  %56 = fadd contract float %45, %55
  %57 = add nuw nsw i32 %44, 1
  %58 = icmp eq i32 %57, %4
  br i1 %58, label %38, label %43, !llvm.loop !10
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

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
