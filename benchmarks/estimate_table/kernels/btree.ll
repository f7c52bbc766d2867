; ModuleID = 'btree.cu'
source_filename = "btree.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @findK(i32 noundef %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef readonly captures(none) %2, i32 noundef %3, ptr noalias noundef readonly captures(none) %4, ptr noundef captures(none) %5, ptr noundef captures(none) %6, ptr noalias noundef readonly captures(none) %7, ptr noundef writeonly captures(none) %8) local_unnamed_addr #0 {
  %10 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %12 = icmp sgt i32 %0, 0
  %13 = zext nneg i32 %11 to i64
  br i1 %12, label %19, label %14

14:                                               ; preds = %9
  %15 = getelementptr inbounds nuw i32, ptr %7, i64 %13
  %16 = load i32, ptr %15, align 4, !tbaa !4
  %17 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %18 = add nuw nsw i32 %17, 1
  br label %27

19:                                               ; preds = %9
  %20 = getelementptr inbounds nuw i32, ptr %5, i64 %13
  %21 = getelementptr inbounds nuw i32, ptr %6, i64 %13
  %22 = getelementptr inbounds nuw i32, ptr %7, i64 %13
  %23 = load i32, ptr %22, align 4, !tbaa !4
  %24 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %25 = add nuw nsw i32 %24, 1
  %26 = icmp eq i32 %10, 0
  br label %38

27:                                               ; preds = %63, %14
  %28 = phi i32 [ %18, %14 ], [ %25, %63 ]
  %29 = phi i32 [ %16, %14 ], [ %23, %63 ]
  %30 = getelementptr inbounds nuw i32, ptr %5, i64 %13
  %31 = load i32, ptr %30, align 4, !tbaa !4
  %32 = mul i32 %31, %28
  %33 = add i32 %32, %10
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds i32, ptr %1, i64 %34
  %36 = load i32, ptr %35, align 4, !tbaa !4
  %37 = icmp eq i32 %36, %29
  br i1 %37, label %66, label %73

38:                                               ; preds = %19, %63
  %39 = phi i32 [ 0, %19 ], [ %64, %63 ]
  %40 = load i32, ptr %20, align 4, !tbaa !4
  %41 = mul nsw i32 %40, %25
  %42 = add nsw i32 %41, %10
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds i32, ptr %1, i64 %43
  %45 = load i32, ptr %44, align 4, !tbaa !4
  %46 = icmp sgt i32 %45, %23
  br i1 %46, label %60, label %47

47:                                               ; preds = %38
  %48 = getelementptr i8, ptr %44, i64 4
  %49 = load i32, ptr %48, align 4, !tbaa !4
  %50 = icmp sgt i32 %49, %23
  br i1 %50, label %51, label %60

51:                                               ; preds = %47
  %52 = load i32, ptr %21, align 4, !tbaa !4
  %53 = mul nsw i32 %52, %25
  %54 = add nsw i32 %53, %10
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds i32, ptr %2, i64 %55
  %57 = load i32, ptr %56, align 4, !tbaa !4
  %58 = icmp slt i32 %57, %3
  br i1 %58, label %59, label %60

59:                                               ; preds = %51
  store i32 %57, ptr %21, align 4, !tbaa !4
  br label %60

60:                                               ; preds = %38, %47, %51, %59
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %26, label %61, label %63

61:                                               ; preds = %60
  %62 = load i32, ptr %21, align 4, !tbaa !4
  store i32 %62, ptr %20, align 4, !tbaa !4
  br label %63

63:                                               ; preds = %61, %60
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %64 = add nuw nsw i32 %39, 1
  %65 = icmp eq i32 %64, %0
  br i1 %65, label %27, label %38, !llvm.loop !8

66:                                               ; preds = %27
  %67 = getelementptr inbounds i32, ptr %2, i64 %34
  %68 = load i32, ptr %67, align 4, !tbaa !4
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds i32, ptr %4, i64 %69
  %71 = load i32, ptr %70, align 4, !tbaa !4
  %72 = getelementptr inbounds nuw i32, ptr %8, i64 %13
  store i32 %71, ptr %72, align 4, !tbaa !4
  br label %73

73:                                               ; preds = %66, %27
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @findRangeK(i32 noundef %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef readonly captures(none) %2, i32 noundef %3, ptr noundef captures(none) %4, ptr noundef captures(none) %5, ptr noundef captures(none) %6, ptr noundef captures(none) %7, ptr noalias noundef readonly captures(none) %8, ptr noalias noundef readonly captures(none) %9, ptr noundef captures(none) %10, ptr noundef writeonly captures(none) %11) local_unnamed_addr #0 {
  %13 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %14 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %15 = icmp sgt i32 %0, 0
  %16 = zext nneg i32 %14 to i64
  br i1 %15, label %22, label %17

17:                                               ; preds = %12
  %18 = getelementptr inbounds nuw i32, ptr %8, i64 %16
  %19 = load i32, ptr %18, align 4, !tbaa !4
  %20 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %21 = add nuw nsw i32 %20, 1
  br label %34

22:                                               ; preds = %12
  %23 = getelementptr inbounds nuw i32, ptr %4, i64 %16
  %24 = getelementptr inbounds nuw i32, ptr %5, i64 %16
  %25 = getelementptr inbounds nuw i32, ptr %8, i64 %16
  %26 = load i32, ptr %25, align 4, !tbaa !4
  %27 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %28 = add nuw nsw i32 %27, 1
  %29 = getelementptr inbounds nuw i32, ptr %6, i64 %16
  %30 = getelementptr inbounds nuw i32, ptr %7, i64 %16
  %31 = getelementptr inbounds nuw i32, ptr %9, i64 %16
  %32 = load i32, ptr %31, align 4, !tbaa !4
  %33 = icmp eq i32 %13, 0
  br label %45

34:                                               ; preds = %92, %17
  %35 = phi i32 [ %21, %17 ], [ %28, %92 ]
  %36 = phi i32 [ %19, %17 ], [ %26, %92 ]
  %37 = getelementptr inbounds nuw i32, ptr %4, i64 %16
  %38 = load i32, ptr %37, align 4, !tbaa !4
  %39 = mul i32 %38, %35
  %40 = add i32 %39, %13
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds i32, ptr %1, i64 %41
  %43 = load i32, ptr %42, align 4, !tbaa !4
  %44 = icmp eq i32 %43, %36
  br i1 %44, label %95, label %99

45:                                               ; preds = %22, %92
  %46 = phi i32 [ 0, %22 ], [ %93, %92 ]
  %47 = load i32, ptr %23, align 4, !tbaa !4
  %48 = mul nsw i32 %47, %28
  %49 = add nsw i32 %48, %13
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds i32, ptr %1, i64 %50
  %52 = load i32, ptr %51, align 4, !tbaa !4
  %53 = icmp sgt i32 %52, %26
  br i1 %53, label %67, label %54

54:                                               ; preds = %45
  %55 = getelementptr i8, ptr %51, i64 4
  %56 = load i32, ptr %55, align 4, !tbaa !4
  %57 = icmp sgt i32 %56, %26
  br i1 %57, label %58, label %67

58:                                               ; preds = %54
  %59 = load i32, ptr %24, align 4, !tbaa !4
  %60 = mul nsw i32 %59, %28
  %61 = add nsw i32 %60, %13
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds i32, ptr %2, i64 %62
  %64 = load i32, ptr %63, align 4, !tbaa !4
  %65 = icmp slt i32 %64, %3
  br i1 %65, label %66, label %67

66:                                               ; preds = %58
  store i32 %64, ptr %24, align 4, !tbaa !4
  br label %67

67:                                               ; preds = %45, %54, %58, %66
  %68 = load i32, ptr %29, align 4, !tbaa !4
  %69 = mul nsw i32 %68, %28
  %70 = add nsw i32 %69, %13
  %71 = sext i32 %70 to i64
  %72 = getelementptr inbounds i32, ptr %1, i64 %71
  %73 = load i32, ptr %72, align 4, !tbaa !4
  %74 = icmp sgt i32 %73, %32
  br i1 %74, label %88, label %75

75:                                               ; preds = %67
  %76 = getelementptr i8, ptr %72, i64 4
  %77 = load i32, ptr %76, align 4, !tbaa !4
  %78 = icmp sgt i32 %77, %32
  br i1 %78, label %79, label %88

79:                                               ; preds = %75
  %80 = load i32, ptr %30, align 4, !tbaa !4
  %81 = mul nsw i32 %80, %28
  %82 = add nsw i32 %81, %13
  %83 = sext i32 %82 to i64
  %84 = getelementptr inbounds i32, ptr %2, i64 %83
  %85 = load i32, ptr %84, align 4, !tbaa !4
  %86 = icmp slt i32 %85, %3
  br i1 %86, label %87, label %88

87:                                               ; preds = %79
  store i32 %85, ptr %30, align 4, !tbaa !4
  br label %88

88:                                               ; preds = %67, %75, %79, %87
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %33, label %89, label %92

89:                                               ; preds = %88
  %90 = load i32, ptr %24, align 4, !tbaa !4
  store i32 %90, ptr %23, align 4, !tbaa !4
  %91 = load i32, ptr %30, align 4, !tbaa !4
  store i32 %91, ptr %29, align 4, !tbaa !4
  br label %92

92:                                               ; preds = %89, %88
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %93 = add nuw nsw i32 %46, 1
  %94 = icmp eq i32 %93, %0
  br i1 %94, label %34, label %45, !llvm.loop !11

95:                                               ; preds = %34
  %96 = getelementptr inbounds nuw i32, ptr %10, i64 %16
  %97 = getelementptr inbounds i32, ptr %2, i64 %41
  %98 = load i32, ptr %97, align 4, !tbaa !4
  store i32 %98, ptr %96, align 4, !tbaa !4
  br label %99

99:                                               ; preds = %95, %34
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %100 = getelementptr inbounds nuw i32, ptr %6, i64 %16
  %101 = load i32, ptr %100, align 4, !tbaa !4
  %102 = mul i32 %101, %35
  %103 = add i32 %102, %13
  %104 = sext i32 %103 to i64
  %105 = getelementptr inbounds i32, ptr %1, i64 %104
  %106 = load i32, ptr %105, align 4, !tbaa !4
  %107 = getelementptr inbounds nuw i32, ptr %9, i64 %16
  %108 = load i32, ptr %107, align 4, !tbaa !4
  %109 = icmp eq i32 %106, %108
  br i1 %109, label %110, label %120

110:                                              ; preds = %99
  %111 = getelementptr inbounds nuw i32, ptr %10, i64 %16
  %112 = load i32, ptr %111, align 4, !tbaa !4
  %113 = icmp sgt i32 %112, -1
  br i1 %113, label %114, label %120

114:                                              ; preds = %110
  %115 = getelementptr inbounds nuw i32, ptr %11, i64 %16
  %116 = getelementptr inbounds i32, ptr %2, i64 %104
  %117 = load i32, ptr %116, align 4, !tbaa !4
  %118 = sub i32 %117, %112
  %119 = add i32 %118, 1
  store i32 %119, ptr %115, align 4, !tbaa !4
  br label %120

120:                                              ; preds = %114, %110, %99
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

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
!8 = distinct !{!8, !9, !10}
!9 = !{!"llvm.loop.mustprogress"}
!10 = !{!"llvm.loop.unroll.disable"}
!11 = distinct !{!11, !9, !10}
