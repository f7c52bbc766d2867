; ModuleID = 'hotspot.cu'
source_filename = "hotspot.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@cell = external dso_local local_unnamed_addr addrspace(3) global [0 x float], align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @hotspot(i32 noundef %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef readonly captures(none) %2, ptr noalias noundef writeonly captures(none) %3, i32 noundef %4, i32 noundef %5, float noundef %6, float noundef %7, float noundef %8, float noundef %9) local_unnamed_addr #0 {
  %11 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %12 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %13 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %14 = add nuw nsw i32 %13, 2
  %15 = add nuw nsw i32 %12, 1
  %16 = mul nuw nsw i32 %15, %14
  %17 = add nuw nsw i32 %16, %11
  %18 = add nuw nsw i32 %17, 1
  %19 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %20 = mul i32 %19, %13
  %21 = add i32 %20, %11
  %22 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %23 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %24 = mul nuw nsw i32 %22, %23
  %25 = add nuw nsw i32 %24, %12
  %26 = mul nsw i32 %4, %25
  %27 = add nsw i32 %26, %21
  %28 = icmp slt i32 %21, %4
  %29 = icmp slt i32 %25, %5
  %30 = and i1 %28, %29
  %31 = icmp ne i32 %25, 0
  %32 = select i1 %31, i32 %14, i32 0
  %33 = sub nsw i32 %18, %32
  %34 = add nsw i32 %5, -1
  %35 = icmp sge i32 %25, %34
  %36 = select i1 %35, i32 0, i32 %14
  %37 = add nuw nsw i32 %36, %18
  %38 = icmp sgt i32 %21, 0
  %39 = select i1 %38, i32 %17, i32 %18
  %40 = add nsw i32 %4, -1
  %41 = icmp sge i32 %21, %40
  %42 = add nuw nsw i32 %17, 2
  %43 = select i1 %41, i32 %18, i32 %42
  br i1 %30, label %44, label %89

44:                                               ; preds = %10
  %45 = sext i32 %27 to i64
  %46 = getelementptr inbounds float, ptr %2, i64 %45
  %47 = load float, ptr %46, align 4, !tbaa !8
  %48 = zext nneg i32 %18 to i64
  %49 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @cell to ptr), i64 %48
  store float %47, ptr %49, align 4, !tbaa !8
  %50 = getelementptr inbounds float, ptr %1, i64 %45
  %51 = load float, ptr %50, align 4, !tbaa !8
  %52 = icmp eq i32 %12, 0
  %53 = and i1 %52, %31
  br i1 %53, label %54, label %61

54:                                               ; preds = %44
  %55 = sext i32 %33 to i64
  %56 = getelementptr inbounds float, ptr addrspacecast (ptr addrspace(3) @cell to ptr), i64 %55
  %57 = sub nsw i32 %27, %4
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds float, ptr %2, i64 %58
  %60 = load float, ptr %59, align 4, !tbaa !8
  store float %60, ptr %56, align 4, !tbaa !8
  br label %61

61:                                               ; preds = %54, %44
  %62 = add nsw i32 %23, -1
  %63 = icmp ne i32 %12, %62
  %64 = select i1 %63, i1 true, i1 %35
  br i1 %64, label %72, label %65

65:                                               ; preds = %61
  %66 = zext nneg i32 %37 to i64
  %67 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @cell to ptr), i64 %66
  %68 = add nsw i32 %27, %4
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds float, ptr %2, i64 %69
  %71 = load float, ptr %70, align 4, !tbaa !8
  store float %71, ptr %67, align 4, !tbaa !8
  br label %72

72:                                               ; preds = %61, %65
  %73 = icmp eq i32 %11, 0
  %74 = and i1 %73, %38
  br i1 %74, label %75, label %80

75:                                               ; preds = %72
  %76 = zext nneg i32 %17 to i64
  %77 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @cell to ptr), i64 %76
  %78 = getelementptr i8, ptr %46, i64 -4
  %79 = load float, ptr %78, align 4, !tbaa !8
  store float %79, ptr %77, align 4, !tbaa !8
  br label %80

80:                                               ; preds = %75, %72
  %81 = add nsw i32 %13, -1
  %82 = icmp ne i32 %11, %81
  %83 = select i1 %82, i1 true, i1 %41
  br i1 %83, label %89, label %84

84:                                               ; preds = %80
  %85 = zext nneg i32 %43 to i64
  %86 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @cell to ptr), i64 %85
  %87 = getelementptr i8, ptr %46, i64 4
  %88 = load float, ptr %87, align 4, !tbaa !8
  store float %88, ptr %86, align 4, !tbaa !8
  br label %89

89:                                               ; preds = %80, %84, %10
  %90 = phi float [ %51, %84 ], [ 0.000000e+00, %10 ], [ %51, %80 ]
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %91 = icmp sgt i32 %0, 0
  br i1 %91, label %92, label %103

92:                                               ; preds = %89
  %93 = zext nneg i32 %18 to i64
  %94 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @cell to ptr), i64 %93
  %95 = zext nneg i32 %37 to i64
  %96 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @cell to ptr), i64 %95
  %97 = sext i32 %33 to i64
  %98 = getelementptr inbounds float, ptr addrspacecast (ptr addrspace(3) @cell to ptr), i64 %97
  %99 = zext nneg i32 %43 to i64
  %100 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @cell to ptr), i64 %99
  %101 = zext nneg i32 %39 to i64
  %102 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @cell to ptr), i64 %101
  br label %104

103:                                              ; preds = %104, %89
  br i1 %30, label %127, label %133

104:                                              ; preds = %92, %104
  %105 = phi i32 [ 0, %92 ], [ %125, %104 ]
  %106 = load float, ptr %94, align 4, !tbaa !8
  %107 = load float, ptr %96, align 4, !tbaa !8
  %108 = load float, ptr %98, align 4, !tbaa !8
  %109 = fadd contract float %107, %108
  %110 = fmul contract float %106, 2.000000e+00
  %111 = fsub contract float %109, %110
  %112 = fmul contract float %8, %111
  %113 = load float, ptr %100, align 4, !tbaa !8
  %114 = load float, ptr %102, align 4, !tbaa !8
  %115 = fadd contract float %113, %114
  %116 = fsub contract float %115, %110
  %117 = fmul contract float %7, %116
  %118 = fsub contract float 8.000000e+01, %106
  %119 = fmul contract float %9, %118
  %120 = fadd contract float %90, %112
  %121 = fadd contract float %120, %117
  %122 = fadd contract float %119, %121
  %123 = fmul contract float %6, %122
  %124 = fadd contract float %106, %123
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store float %124, ptr %94, align 4, !tbaa !8
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %125 = add nuw nsw i32 %105, 1
  %126 = icmp eq i32 %125, %0
  br i1 %126, label %103, label %104, !llvm.loop !10

127:                                              ; preds = %103
  %128 = sext i32 %27 to i64
  %129 = getelementptr inbounds float, ptr %3, i64 %128
  %130 = zext nneg i32 %18 to i64
  %131 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @cell to ptr), i64 %130
  %132 = load float, ptr %131, align 4, !tbaa !8
  store float %132, ptr %129, align 4, !tbaa !8
  br label %133

133:                                              ; preds = %127, %103
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #2

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
