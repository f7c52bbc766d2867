; ModuleID = 'nw.cu'
source_filename = "nw.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@score = external dso_local local_unnamed_addr addrspace(3) global [0 x i32], align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @nw_kernel1(ptr noundef captures(none) %0, ptr noalias noundef readonly captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #0 {
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = sub nsw i32 %4, %6
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = add nuw nsw i32 %8, 1
  %10 = mul nuw nsw i32 %9, %9
  %11 = zext nneg i32 %10 to i64
  %12 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @score to ptr), i64 %11
  %13 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %14 = mul nsw i32 %7, %8
  %15 = mul nuw nsw i32 %6, %8
  %16 = add nsw i32 %2, 1
  %17 = icmp eq i32 %13, 0
  %18 = mul nsw i32 %14, %16
  br i1 %17, label %19, label %24

19:                                               ; preds = %5
  %20 = add nsw i32 %18, %15
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds i32, ptr %0, i64 %21
  %23 = load i32, ptr %22, align 4, !tbaa !4
  store i32 %23, ptr addrspacecast (ptr addrspace(3) @score to ptr), align 4, !tbaa !4
  br label %24

24:                                               ; preds = %19, %5
  %25 = add nuw i32 %15, %13
  %26 = add i32 %18, %25
  %27 = sext i32 %26 to i64
  %28 = getelementptr i32, ptr %0, i64 %27
  %29 = getelementptr i8, ptr %28, i64 4
  %30 = load i32, ptr %29, align 4, !tbaa !4
  %31 = add nuw nsw i32 %13, 1
  %32 = zext nneg i32 %31 to i64
  %33 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @score to ptr), i64 %32
  store i32 %30, ptr %33, align 4, !tbaa !4
  %34 = add i32 %14, %31
  %35 = mul nsw i32 %34, %16
  %36 = add nsw i32 %35, %15
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds i32, ptr %0, i64 %37
  %39 = load i32, ptr %38, align 4, !tbaa !4
  %40 = mul nuw nsw i32 %31, %9
  %41 = zext nneg i32 %40 to i64
  %42 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @score to ptr), i64 %41
  store i32 %39, ptr %42, align 4, !tbaa !4
  br label %44

43:                                               ; preds = %44
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %66

44:                                               ; preds = %44, %24
  %45 = phi i32 [ 0, %24 ], [ %56, %44 ]
  %46 = add nsw i32 %45, %14
  %47 = mul nsw i32 %46, %2
  %48 = add i32 %47, %25
  %49 = sext i32 %48 to i64
  %50 = getelementptr inbounds i32, ptr %1, i64 %49
  %51 = load i32, ptr %50, align 4, !tbaa !4
  %52 = mul nuw nsw i32 %45, %8
  %53 = add nuw nsw i32 %52, %13
  %54 = zext nneg i32 %53 to i64
  %55 = getelementptr inbounds nuw i32, ptr %12, i64 %54
  store i32 %51, ptr %55, align 4, !tbaa !4
  %56 = add nuw nsw i32 %45, 1
  %57 = icmp eq i32 %56, %8
  br i1 %57, label %43, label %44, !llvm.loop !8

58:                                               ; preds = %94
  %59 = icmp samesign ugt i32 %8, 1
  br i1 %59, label %60, label %97

60:                                               ; preds = %58
  %61 = add nsw i32 %8, -2
  %62 = sub nsw i32 %8, %13
  %63 = mul nsw i32 %62, %9
  %64 = add nsw i32 %62, -1
  %65 = mul nsw i32 %64, %8
  br label %99

66:                                               ; preds = %94, %43
  %67 = phi i32 [ 0, %43 ], [ %95, %94 ]
  %68 = icmp samesign ugt i32 %13, %67
  br i1 %68, label %94, label %69

69:                                               ; preds = %66
  %70 = sub nuw nsw i32 %67, %13
  %71 = add nuw nsw i32 %70, 1
  %72 = mul nuw nsw i32 %71, %9
  %73 = add nuw nsw i32 %72, %31
  %74 = zext nneg i32 %73 to i64
  %75 = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @score to ptr), i64 %74
  %76 = getelementptr i8, ptr %75, i64 -4
  %77 = load i32, ptr %76, align 4, !tbaa !4
  %78 = sub nsw i32 %73, %9
  %79 = sext i32 %78 to i64
  %80 = getelementptr inbounds i32, ptr addrspacecast (ptr addrspace(3) @score to ptr), i64 %79
  %81 = load i32, ptr %80, align 4, !tbaa !4
  %82 = tail call noundef i32 @llvm.smax.i32(i32 %77, i32 %81)
  %83 = sub nsw i32 %82, %3
  %84 = getelementptr i8, ptr %80, i64 -4
  %85 = load i32, ptr %84, align 4, !tbaa !4
  %86 = mul nuw nsw i32 %70, %8
  %87 = add nuw nsw i32 %86, %31
  %88 = zext nneg i32 %87 to i64
  %89 = getelementptr i32, ptr %12, i64 %88
  %90 = getelementptr i8, ptr %89, i64 -4
  %91 = load i32, ptr %90, align 4, !tbaa !4
  %92 = add nsw i32 %91, %85
  %93 = tail call noundef i32 @llvm.smax.i32(i32 %92, i32 %83)
  store i32 %93, ptr %75, align 4, !tbaa !4
  br label %94

94:                                               ; preds = %69, %66
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %95 = add nuw nsw i32 %67, 1
  %96 = icmp eq i32 %95, %8
  br i1 %96, label %58, label %66, !llvm.loop !11

97:                                               ; preds = %125, %58
  %98 = add i32 %14, 1
  br label %128

99:                                               ; preds = %125, %60
  %100 = phi i32 [ %61, %60 ], [ %126, %125 ]
  %101 = icmp sgt i32 %13, %100
  br i1 %101, label %125, label %102

102:                                              ; preds = %99
  %103 = sub nsw i32 %8, %100
  %104 = add nuw nsw i32 %103, %13
  %105 = add nsw i32 %104, %63
  %106 = sext i32 %105 to i64
  %107 = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @score to ptr), i64 %106
  %108 = getelementptr i8, ptr %107, i64 -4
  %109 = load i32, ptr %108, align 4, !tbaa !4
  %110 = sub nsw i32 %105, %9
  %111 = sext i32 %110 to i64
  %112 = getelementptr inbounds i32, ptr addrspacecast (ptr addrspace(3) @score to ptr), i64 %111
  %113 = load i32, ptr %112, align 4, !tbaa !4
  %114 = tail call noundef i32 @llvm.smax.i32(i32 %109, i32 %113)
  %115 = sub nsw i32 %114, %3
  %116 = getelementptr i8, ptr %112, i64 -4
  %117 = load i32, ptr %116, align 4, !tbaa !4
  %118 = add nsw i32 %104, %65
  %119 = sext i32 %118 to i64
  %120 = getelementptr i32, ptr %12, i64 %119
  %121 = getelementptr i8, ptr %120, i64 -4
  %122 = load i32, ptr %121, align 4, !tbaa !4
  %123 = add nsw i32 %122, %117
  %124 = tail call noundef i32 @llvm.smax.i32(i32 %123, i32 %115)
  store i32 %124, ptr %107, align 4, !tbaa !4
  br label %125

125:                                              ; preds = %102, %99
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %126 = add nsw i32 %100, -1
  %127 = icmp sgt i32 %100, 0
  br i1 %127, label %99, label %97, !llvm.loop !12

128:                                              ; preds = %128, %97
  %129 = phi i32 [ 0, %97 ], [ %130, %128 ]
  %130 = add nuw nsw i32 %129, 1
  %131 = mul nuw nsw i32 %130, %9
  %132 = add nuw nsw i32 %131, %13
  %133 = zext nneg i32 %132 to i64
  %134 = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @score to ptr), i64 %133
  %135 = getelementptr i8, ptr %134, i64 4
  %136 = load i32, ptr %135, align 4, !tbaa !4
  %137 = add i32 %98, %129
  %138 = mul nsw i32 %137, %16
  %139 = add i32 %138, %25
  %140 = sext i32 %139 to i64
  %141 = getelementptr i32, ptr %0, i64 %140
  %142 = getelementptr i8, ptr %141, i64 4
  store i32 %136, ptr %142, align 4, !tbaa !4
  %143 = icmp eq i32 %130, %8
  br i1 %143, label %144, label %128, !llvm.loop !13

144:                                              ; preds = %128
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @nw_kernel2(ptr noundef captures(none) %0, ptr noalias noundef readonly captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #0 {
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = sdiv i32 %2, %7
  %9 = xor i32 %6, -1
  %10 = add i32 %8, %9
  %11 = add nsw i32 %4, %6
  %12 = add nuw nsw i32 %7, 1
  %13 = mul nuw nsw i32 %12, %12
  %14 = zext nneg i32 %13 to i64
  %15 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @score to ptr), i64 %14
  %16 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %17 = mul nsw i32 %10, %7
  %18 = mul nsw i32 %11, %7
  %19 = add nsw i32 %2, 1
  %20 = icmp eq i32 %16, 0
  %21 = mul nsw i32 %17, %19
  br i1 %20, label %22, label %27

22:                                               ; preds = %5
  %23 = add nsw i32 %21, %18
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds i32, ptr %0, i64 %24
  %26 = load i32, ptr %25, align 4, !tbaa !4
  store i32 %26, ptr addrspacecast (ptr addrspace(3) @score to ptr), align 4, !tbaa !4
  br label %27

27:                                               ; preds = %22, %5
  %28 = add i32 %18, %16
  %29 = add i32 %21, %28
  %30 = sext i32 %29 to i64
  %31 = getelementptr i32, ptr %0, i64 %30
  %32 = getelementptr i8, ptr %31, i64 4
  %33 = load i32, ptr %32, align 4, !tbaa !4
  %34 = add nuw nsw i32 %16, 1
  %35 = zext nneg i32 %34 to i64
  %36 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @score to ptr), i64 %35
  store i32 %33, ptr %36, align 4, !tbaa !4
  %37 = add i32 %17, %34
  %38 = mul nsw i32 %37, %19
  %39 = add nsw i32 %38, %18
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds i32, ptr %0, i64 %40
  %42 = load i32, ptr %41, align 4, !tbaa !4
  %43 = mul nuw nsw i32 %34, %12
  %44 = zext nneg i32 %43 to i64
  %45 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @score to ptr), i64 %44
  store i32 %42, ptr %45, align 4, !tbaa !4
  br label %47

46:                                               ; preds = %47
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %69

47:                                               ; preds = %47, %27
  %48 = phi i32 [ 0, %27 ], [ %59, %47 ]
  %49 = add nsw i32 %48, %17
  %50 = mul nsw i32 %49, %2
  %51 = add i32 %50, %28
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds i32, ptr %1, i64 %52
  %54 = load i32, ptr %53, align 4, !tbaa !4
  %55 = mul nuw nsw i32 %48, %7
  %56 = add nuw nsw i32 %55, %16
  %57 = zext nneg i32 %56 to i64
  %58 = getelementptr inbounds nuw i32, ptr %15, i64 %57
  store i32 %54, ptr %58, align 4, !tbaa !4
  %59 = add nuw nsw i32 %48, 1
  %60 = icmp eq i32 %59, %7
  br i1 %60, label %46, label %47, !llvm.loop !8

61:                                               ; preds = %97
  %62 = icmp samesign ugt i32 %7, 1
  br i1 %62, label %63, label %100

63:                                               ; preds = %61
  %64 = add nsw i32 %7, -2
  %65 = sub nsw i32 %7, %16
  %66 = mul nsw i32 %65, %12
  %67 = add nsw i32 %65, -1
  %68 = mul nsw i32 %67, %7
  br label %102

69:                                               ; preds = %97, %46
  %70 = phi i32 [ 0, %46 ], [ %98, %97 ]
  %71 = icmp samesign ugt i32 %16, %70
  br i1 %71, label %97, label %72

72:                                               ; preds = %69
  %73 = sub nuw nsw i32 %70, %16
  %74 = add nuw nsw i32 %73, 1
  %75 = mul nuw nsw i32 %74, %12
  %76 = add nuw nsw i32 %75, %34
  %77 = zext nneg i32 %76 to i64
  %78 = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @score to ptr), i64 %77
  %79 = getelementptr i8, ptr %78, i64 -4
  %80 = load i32, ptr %79, align 4, !tbaa !4
  %81 = sub nsw i32 %76, %12
  %82 = sext i32 %81 to i64
  %83 = getelementptr inbounds i32, ptr addrspacecast (ptr addrspace(3) @score to ptr), i64 %82
  %84 = load i32, ptr %83, align 4, !tbaa !4
  %85 = tail call noundef i32 @llvm.smax.i32(i32 %80, i32 %84)
  %86 = sub nsw i32 %85, %3
  %87 = getelementptr i8, ptr %83, i64 -4
  %88 = load i32, ptr %87, align 4, !tbaa !4
  %89 = mul nuw nsw i32 %73, %7
  %90 = add nuw nsw i32 %89, %34
  %91 = zext nneg i32 %90 to i64
  %92 = getelementptr i32, ptr %15, i64 %91
  %93 = getelementptr i8, ptr %92, i64 -4
  %94 = load i32, ptr %93, align 4, !tbaa !4
  %95 = add nsw i32 %94, %88
  %96 = tail call noundef i32 @llvm.smax.i32(i32 %95, i32 %86)
  store i32 %96, ptr %78, align 4, !tbaa !4
  br label %97

97:                                               ; preds = %72, %69
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %98 = add nuw nsw i32 %70, 1
  %99 = icmp eq i32 %98, %7
  br i1 %99, label %61, label %69, !llvm.loop !11

100:                                              ; preds = %128, %61
  %101 = add i32 %17, 1
  br label %131

102:                                              ; preds = %128, %63
  %103 = phi i32 [ %64, %63 ], [ %129, %128 ]
  %104 = icmp sgt i32 %16, %103
  br i1 %104, label %128, label %105

105:                                              ; preds = %102
  %106 = sub nsw i32 %7, %103
  %107 = add nuw nsw i32 %106, %16
  %108 = add nsw i32 %107, %66
  %109 = sext i32 %108 to i64
  %110 = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @score to ptr), i64 %109
  %111 = getelementptr i8, ptr %110, i64 -4
  %112 = load i32, ptr %111, align 4, !tbaa !4
  %113 = sub nsw i32 %108, %12
  %114 = sext i32 %113 to i64
  %115 = getelementptr inbounds i32, ptr addrspacecast (ptr addrspace(3) @score to ptr), i64 %114
  %116 = load i32, ptr %115, align 4, !tbaa !4
  %117 = tail call noundef i32 @llvm.smax.i32(i32 %112, i32 %116)
  %118 = sub nsw i32 %117, %3
  %119 = getelementptr i8, ptr %115, i64 -4
  %120 = load i32, ptr %119, align 4, !tbaa !4
  %121 = add nsw i32 %107, %68
  %122 = sext i32 %121 to i64
  %123 = getelementptr i32, ptr %15, i64 %122
  %124 = getelementptr i8, ptr %123, i64 -4
  %125 = load i32, ptr %124, align 4, !tbaa !4
  %126 = add nsw i32 %125, %120
  %127 = tail call noundef i32 @llvm.smax.i32(i32 %126, i32 %118)
  store i32 %127, ptr %110, align 4, !tbaa !4
  br label %128

128:                                              ; preds = %105, %102
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %129 = add nsw i32 %103, -1
  %130 = icmp sgt i32 %103, 0
  br i1 %130, label %102, label %100, !llvm.loop !12

131:                                              ; preds = %131, %100
  %132 = phi i32 [ 0, %100 ], [ %133, %131 ]
  %133 = add nuw nsw i32 %132, 1
  %134 = mul nuw nsw i32 %133, %12
  %135 = add nuw nsw i32 %134, %16
  %136 = zext nneg i32 %135 to i64
  %137 = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @score to ptr), i64 %136
  %138 = getelementptr i8, ptr %137, i64 4
  %139 = load i32, ptr %138, align 4, !tbaa !4
  %140 = add i32 %101, %132
  %141 = mul nsw i32 %140, %19
  %142 = add i32 %141, %28
  %143 = sext i32 %142 to i64
  %144 = getelementptr i32, ptr %0, i64 %143
  %145 = getelementptr i8, ptr %144, i64 4
  store i32 %139, ptr %145, align 4, !tbaa !4
  %146 = icmp eq i32 %133, %7
  br i1 %146, label %147, label %131, !llvm.loop !13

147:                                              ; preds = %131
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #3

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }
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
!11 = distinct !{!11, !9, !10}
!12 = distinct !{!12, !9, !10}
!13 = distinct !{!13, !9, !10}
