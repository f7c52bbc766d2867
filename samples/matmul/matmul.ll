; ModuleID = 'matmul.cu'
source_filename = "matmul.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ6matmulE6a_tile = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@_ZZ6matmulE6b_tile = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @matmul(ptr noalias noundef readonly captures(none) %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef writeonly captures(none) %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %8 = shl nuw nsw i32 %7, 4
  %9 = add nuw nsw i32 %8, %6
  %10 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %11 = shl i32 %10, 4
  %12 = add i32 %11, %5
  %13 = icmp sgt i32 %3, 0
  %14 = mul nsw i32 %3, %9
  br i1 %13, label %15, label %54

15:                                               ; preds = %4
  %16 = add nuw i32 %14, %5
  %17 = zext nneg i32 %6 to i64
  %18 = getelementptr inbounds nuw [16 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6matmulE6a_tile to ptr), i64 %17
  %19 = zext nneg i32 %5 to i64
  %20 = getelementptr inbounds nuw float, ptr %18, i64 %19
  %21 = getelementptr inbounds nuw [16 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6matmulE6b_tile to ptr), i64 %17
  %22 = getelementptr inbounds nuw float, ptr %21, i64 %19
  %23 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ6matmulE6b_tile to ptr), i64 %19
  %24 = getelementptr inbounds nuw i8, ptr %18, i64 4
  %25 = getelementptr inbounds nuw i8, ptr %23, i64 64
  %26 = getelementptr inbounds nuw i8, ptr %18, i64 8
  %27 = getelementptr inbounds nuw i8, ptr %23, i64 128
  %28 = getelementptr inbounds nuw i8, ptr %18, i64 12
  %29 = getelementptr inbounds nuw i8, ptr %23, i64 192
  %30 = getelementptr inbounds nuw i8, ptr %18, i64 16
  %31 = getelementptr inbounds nuw i8, ptr %23, i64 256
  %32 = getelementptr inbounds nuw i8, ptr %18, i64 20
  %33 = getelementptr inbounds nuw i8, ptr %23, i64 320
  %34 = getelementptr inbounds nuw i8, ptr %18, i64 24
  %35 = getelementptr inbounds nuw i8, ptr %23, i64 384
  %36 = getelementptr inbounds nuw i8, ptr %18, i64 28
  %37 = getelementptr inbounds nuw i8, ptr %23, i64 448
  %38 = getelementptr inbounds nuw i8, ptr %18, i64 32
  %39 = getelementptr inbounds nuw i8, ptr %23, i64 512
  %40 = getelementptr inbounds nuw i8, ptr %18, i64 36
  %41 = getelementptr inbounds nuw i8, ptr %23, i64 576
  %42 = getelementptr inbounds nuw i8, ptr %18, i64 40
  %43 = getelementptr inbounds nuw i8, ptr %23, i64 640
  %44 = getelementptr inbounds nuw i8, ptr %18, i64 44
  %45 = getelementptr inbounds nuw i8, ptr %23, i64 704
  %46 = getelementptr inbounds nuw i8, ptr %18, i64 48
  %47 = getelementptr inbounds nuw i8, ptr %23, i64 768
  %48 = getelementptr inbounds nuw i8, ptr %18, i64 52
  %49 = getelementptr inbounds nuw i8, ptr %23, i64 832
  %50 = getelementptr inbounds nuw i8, ptr %18, i64 56
  %51 = getelementptr inbounds nuw i8, ptr %23, i64 896
  %52 = getelementptr inbounds nuw i8, ptr %18, i64 60
  %53 = getelementptr inbounds nuw i8, ptr %23, i64 960
  br label %59

54:                                               ; preds = %59, %4
  %55 = phi float [ 0.000000e+00, %4 ], [ %135, %59 ]
  %56 = add nsw i32 %14, %12
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds float, ptr %2, i64 %57
  store float %55, ptr %58, align 4, !tbaa !8
  ret void

59:                                               ; preds = %15, %59
  %60 = phi i32 [ 0, %15 ], [ %136, %59 ]
  %61 = phi float [ 0.000000e+00, %15 ], [ %135, %59 ]
  %62 = add i32 %16, %60
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds float, ptr %0, i64 %63
  %65 = load float, ptr %64, align 4, !tbaa !8
  store float %65, ptr %20, align 4, !tbaa !8
  %66 = add nuw nsw i32 %60, %6
  %67 = mul nuw nsw i32 %66, %3
  %68 = add nsw i32 %67, %12
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds float, ptr %1, i64 %69
  %71 = load float, ptr %70, align 4, !tbaa !8
  store float %71, ptr %22, align 4, !tbaa !8
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %72 = load float, ptr %18, align 4, !tbaa !8
  %73 = load float, ptr %23, align 4, !tbaa !8
  %74 = fmul contract float %72, %73
  %75 = fadd contract float %61, %74
  %76 = load float, ptr %24, align 4, !tbaa !8
  %77 = load float, ptr %25, align 4, !tbaa !8
  %78 = fmul contract float %76, %77
  %79 = fadd contract float %75, %78
  %80 = load float, ptr %26, align 4, !tbaa !8
  %81 = load float, ptr %27, align 4, !tbaa !8
  %82 = fmul contract float %80, %81
  %83 = fadd contract float %79, %82
  %84 = load float, ptr %28, align 4, !tbaa !8
  %85 = load float, ptr %29, align 4, !tbaa !8
  %86 = fmul contract float %84, %85
  %87 = fadd contract float %83, %86
  %88 = load float, ptr %30, align 4, !tbaa !8
  %89 = load float, ptr %31, align 4, !tbaa !8
  %90 = fmul contract float %88, %89
  %91 = fadd contract float %87, %90
  %92 = load float, ptr %32, align 4, !tbaa !8
  %93 = load float, ptr %33, align 4, !tbaa !8
  %94 = fmul contract float %92, %93
  %95 = fadd contract float %91, %94
  %96 = load float, ptr %34, align 4, !tbaa !8
  %97 = load float, ptr %35, align 4, !tbaa !8
  %98 = fmul contract float %96, %97
  %99 = fadd contract float %95, %98
  %100 = load float, ptr %36, align 4, !tbaa !8
  %101 = load float, ptr %37, align 4, !tbaa !8
  %102 = fmul contract float %100, %101
  %103 = fadd contract float %99, %102
  %104 = load float, ptr %38, align 4, !tbaa !8
  %105 = load float, ptr %39, align 4, !tbaa !8
  %106 = fmul contract float %104, %105
  %107 = fadd contract float %103, %106
  %108 = load float, ptr %40, align 4, !tbaa !8
  %109 = load float, ptr %41, align 4, !tbaa !8
  %110 = fmul contract float %108, %109
  %111 = fadd contract float %107, %110
  %112 = load float, ptr %42, align 4, !tbaa !8
  %113 = load float, ptr %43, align 4, !tbaa !8
  %114 = fmul contract float %112, %113
  %115 = fadd contract float %111, %114
  %116 = load float, ptr %44, align 4, !tbaa !8
  %117 = load float, ptr %45, align 4, !tbaa !8
  %118 = fmul contract float %116, %117
  %119 = fadd contract float %115, %118
  %120 = load float, ptr %46, align 4, !tbaa !8
  %121 = load float, ptr %47, align 4, !tbaa !8
  %122 = fmul contract float %120, %121
  %123 = fadd contract float %119, %122
  %124 = load float, ptr %48, align 4, !tbaa !8
  %125 = load float, ptr %49, align 4, !tbaa !8
  %126 = fmul contract float %124, %125
  %127 = fadd contract float %123, %126
  %128 = load float, ptr %50, align 4, !tbaa !8
  %129 = load float, ptr %51, align 4, !tbaa !8
  %130 = fmul contract float %128, %129
  %131 = fadd contract float %127, %130
  %132 = load float, ptr %52, align 4, !tbaa !8
  %133 = load float, ptr %53, align 4, !tbaa !8
  %134 = fmul contract float %132, %133
  %135 = fadd contract float %131, %134
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %136 = add nuw nsw i32 %60, 16
  %137 = icmp slt i32 %136, %3
  br i1 %137, label %59, label %54, !llvm.loop !10
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "nvvm.maxntid"="256" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
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
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.mustprogress"}
