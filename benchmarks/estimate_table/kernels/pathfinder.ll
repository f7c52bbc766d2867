; ModuleID = 'pathfinder.cu'
source_filename = "pathfinder.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@above = external dso_local local_unnamed_addr addrspace(3) global [0 x i32], align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @dynproc(i32 noundef %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef readonly captures(none) %2, ptr noalias noundef writeonly captures(none) %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr #0 {
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = zext nneg i32 %7 to i64
  %9 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @above to ptr), i64 %8
  %10 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = shl nsw i32 %0, 1
  %12 = sub nsw i32 %7, %11
  %13 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %14 = mul nsw i32 %12, %13
  %15 = sub i32 %10, %0
  %16 = add i32 %15, %14
  %17 = icmp sgt i32 %16, 0
  %18 = sext i1 %17 to i32
  %19 = add nsw i32 %10, %18
  %20 = add nsw i32 %4, -1
  %21 = icmp slt i32 %16, %20
  %22 = zext i1 %21 to i32
  %23 = add nuw nsw i32 %10, %22
  %24 = icmp sgt i32 %16, -1
  %25 = icmp slt i32 %16, %4
  %26 = and i1 %24, %25
  br i1 %26, label %27, label %33

27:                                               ; preds = %6
  %28 = zext nneg i32 %10 to i64
  %29 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @above to ptr), i64 %28
  %30 = zext nneg i32 %16 to i64
  %31 = getelementptr inbounds nuw i32, ptr %2, i64 %30
  %32 = load i32, ptr %31, align 4, !tbaa !4
  store i32 %32, ptr %29, align 4, !tbaa !4
  br label %33

33:                                               ; preds = %27, %6
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %34 = sext i32 %16 to i64
  %35 = sub nsw i32 %10, %7
  %36 = icmp sgt i32 %0, 0
  br i1 %36, label %37, label %77

37:                                               ; preds = %33
  %38 = mul nsw i32 %5, %4
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds i32, ptr %1, i64 %39
  %41 = getelementptr inbounds i32, ptr %40, i64 %34
  %42 = zext nneg i32 %10 to i64
  %43 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @above to ptr), i64 %42
  %44 = sext i32 %19 to i64
  %45 = getelementptr inbounds i32, ptr addrspacecast (ptr addrspace(3) @above to ptr), i64 %44
  %46 = zext nneg i32 %23 to i64
  %47 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @above to ptr), i64 %46
  %48 = getelementptr inbounds nuw i32, ptr %9, i64 %42
  %49 = sext i32 %4 to i64
  br label %51

50:                                               ; preds = %70
  br i1 %58, label %74, label %77

51:                                               ; preds = %37, %70
  %52 = phi i32 [ 0, %37 ], [ %72, %70 ]
  %53 = phi ptr [ %41, %37 ], [ %71, %70 ]
  %54 = icmp samesign ult i32 %52, %10
  %55 = xor i32 %52, -1
  %56 = icmp slt i32 %35, %55
  %57 = and i1 %54, %56
  %58 = and i1 %26, %57
  br i1 %58, label %59, label %67

59:                                               ; preds = %51
  %60 = load i32, ptr %53, align 4, !tbaa !4
  %61 = load i32, ptr %43, align 4, !tbaa !4
  %62 = load i32, ptr %45, align 4, !tbaa !4
  %63 = load i32, ptr %47, align 4, !tbaa !4
  %64 = tail call noundef i32 @llvm.smin.i32(i32 %62, i32 %63)
  %65 = tail call noundef i32 @llvm.smin.i32(i32 %61, i32 %64)
  %66 = add nsw i32 %65, %60
  store i32 %66, ptr %48, align 4, !tbaa !4
  br label %67

67:                                               ; preds = %59, %51
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %58, label %68, label %70

68:                                               ; preds = %67
  %69 = load i32, ptr %48, align 4, !tbaa !4
  store i32 %69, ptr %43, align 4, !tbaa !4
  br label %70

70:                                               ; preds = %68, %67
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %71 = getelementptr inbounds i32, ptr %53, i64 %49
  %72 = add nuw nsw i32 %52, 1
  %73 = icmp eq i32 %72, %0
  br i1 %73, label %50, label %51, !llvm.loop !8

74:                                               ; preds = %50
  %75 = getelementptr inbounds nuw i32, ptr %3, i64 %34
  %76 = load i32, ptr %48, align 4, !tbaa !4
  store i32 %76, ptr %75, align 4, !tbaa !4
  br label %77

77:                                               ; preds = %33, %74, %50
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #3

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nocallback nounwind }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

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
!8 = distinct !{!8, !9, !10}
!9 = !{!"llvm.loop.mustprogress"}
!10 = !{!"llvm.loop.unroll.disable"}
