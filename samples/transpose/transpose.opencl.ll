; ModuleID = 'transpose.cl'
source_filename = "transpose.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@transpose.tile = internal unnamed_addr addrspace(3) global [32 x [33 x float]] undef, align 4

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @transpose(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 !kernel_arg_addr_space !8 !kernel_arg_access_qual !9 !kernel_arg_type !10 !kernel_arg_base_type !10 !kernel_arg_type_qual !11 {
  tail call void @__clang_ocl_kern_imp_transpose(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2, i32 noundef %3) #4
  ret void
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_transpose(ptr addrspace(1) noalias noundef readonly align 4 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #1 !kernel_arg_addr_space !8 !kernel_arg_access_qual !9 !kernel_arg_type !10 !kernel_arg_base_type !10 !kernel_arg_type_qual !11 {
  %5 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #5
  %6 = trunc i64 %5 to i32
  %7 = tail call i64 @_Z12get_local_idj(i32 noundef 1) #5
  %8 = trunc i64 %7 to i32
  %9 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #5
  %10 = trunc i64 %9 to i32
  %11 = shl i32 %10, 5
  %12 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #5
  %13 = trunc i64 %12 to i32
  %14 = shl i32 %13, 5
  %15 = add nsw i32 %11, %8
  %16 = add nsw i32 %14, %6
  %17 = icmp slt i32 %16, %3
  %18 = shl i64 %5, 32
  %19 = ashr exact i64 %18, 30
  %20 = getelementptr i8, ptr addrspace(3) @transpose.tile, i64 %19
  %21 = icmp slt i32 %15, %2
  %22 = select i1 %21, i1 %17, i1 false
  br i1 %22, label %23, label %32

23:                                               ; preds = %4
  %24 = mul nsw i32 %15, %3
  %25 = add nsw i32 %24, %16
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %26
  %28 = load float, ptr addrspace(1) %27, align 4, !tbaa !12
  %29 = shl i64 %7, 32
  %30 = ashr exact i64 %29, 32
  %31 = getelementptr [33 x float], ptr addrspace(3) %20, i64 %30
  store float %28, ptr addrspace(3) %31, align 4, !tbaa !12
  br label %32

32:                                               ; preds = %23, %4
  %33 = add nsw i32 %15, 8
  %34 = icmp slt i32 %33, %2
  %35 = select i1 %34, i1 %17, i1 false
  br i1 %35, label %36, label %46

36:                                               ; preds = %32
  %37 = mul nsw i32 %33, %3
  %38 = add nsw i32 %37, %16
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %39
  %41 = load float, ptr addrspace(1) %40, align 4, !tbaa !12
  %42 = shl i64 %7, 32
  %43 = add i64 %42, 34359738368
  %44 = ashr exact i64 %43, 32
  %45 = getelementptr [33 x float], ptr addrspace(3) %20, i64 %44
  store float %41, ptr addrspace(3) %45, align 4, !tbaa !12
  br label %46

46:                                               ; preds = %36, %32
  %47 = add nsw i32 %15, 16
  %48 = icmp slt i32 %47, %2
  %49 = select i1 %48, i1 %17, i1 false
  br i1 %49, label %50, label %60

50:                                               ; preds = %46
  %51 = mul nsw i32 %47, %3
  %52 = add nsw i32 %51, %16
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %53
  %55 = load float, ptr addrspace(1) %54, align 4, !tbaa !12
  %56 = shl i64 %7, 32
  %57 = add i64 %56, 68719476736
  %58 = ashr exact i64 %57, 32
  %59 = getelementptr [33 x float], ptr addrspace(3) %20, i64 %58
  store float %55, ptr addrspace(3) %59, align 4, !tbaa !12
  br label %60

60:                                               ; preds = %50, %46
  %61 = add nsw i32 %15, 24
  %62 = icmp slt i32 %61, %2
  %63 = select i1 %62, i1 %17, i1 false
  br i1 %63, label %64, label %74

64:                                               ; preds = %60
  %65 = mul nsw i32 %61, %3
  %66 = add nsw i32 %65, %16
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %67
  %69 = load float, ptr addrspace(1) %68, align 4, !tbaa !12
  %70 = shl i64 %7, 32
  %71 = add i64 %70, 103079215104
  %72 = ashr exact i64 %71, 32
  %73 = getelementptr [33 x float], ptr addrspace(3) %20, i64 %72
  store float %69, ptr addrspace(3) %73, align 4, !tbaa !12
  br label %74

74:                                               ; preds = %64, %60
  tail call void @_Z7barrierj(i32 noundef 1) #4
  %75 = add nsw i32 %11, %6
  %76 = add nsw i32 %14, %8
  %77 = icmp slt i32 %75, %2
  %78 = ashr exact i64 %18, 32
  %79 = getelementptr inbounds [33 x float], ptr addrspace(3) @transpose.tile, i64 %78
  %80 = icmp slt i32 %76, %3
  %81 = select i1 %77, i1 %80, i1 false
  br i1 %81, label %82, label %91

82:                                               ; preds = %74
  %83 = shl i64 %7, 32
  %84 = ashr exact i64 %83, 30
  %85 = getelementptr inbounds i8, ptr addrspace(3) %79, i64 %84
  %86 = load float, ptr addrspace(3) %85, align 4, !tbaa !12
  %87 = mul nsw i32 %76, %2
  %88 = add nsw i32 %87, %75
  %89 = sext i32 %88 to i64
  %90 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %89
  store float %86, ptr addrspace(1) %90, align 4, !tbaa !12
  br label %91

91:                                               ; preds = %82, %74
  %92 = add nsw i32 %76, 8
  %93 = icmp slt i32 %92, %3
  %94 = select i1 %77, i1 %93, i1 false
  br i1 %94, label %95, label %105

95:                                               ; preds = %91
  %96 = shl i64 %7, 32
  %97 = add i64 %96, 34359738368
  %98 = ashr exact i64 %97, 30
  %99 = getelementptr inbounds i8, ptr addrspace(3) %79, i64 %98
  %100 = load float, ptr addrspace(3) %99, align 4, !tbaa !12
  %101 = mul nsw i32 %92, %2
  %102 = add nsw i32 %101, %75
  %103 = sext i32 %102 to i64
  %104 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %103
  store float %100, ptr addrspace(1) %104, align 4, !tbaa !12
  br label %105

105:                                              ; preds = %95, %91
  %106 = add nsw i32 %76, 16
  %107 = icmp slt i32 %106, %3
  %108 = select i1 %77, i1 %107, i1 false
  br i1 %108, label %109, label %119

109:                                              ; preds = %105
  %110 = shl i64 %7, 32
  %111 = add i64 %110, 68719476736
  %112 = ashr exact i64 %111, 30
  %113 = getelementptr inbounds i8, ptr addrspace(3) %79, i64 %112
  %114 = load float, ptr addrspace(3) %113, align 4, !tbaa !12
  %115 = mul nsw i32 %106, %2
  %116 = add nsw i32 %115, %75
  %117 = sext i32 %116 to i64
  %118 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %117
  store float %114, ptr addrspace(1) %118, align 4, !tbaa !12
  br label %119

119:                                              ; preds = %109, %105
  %120 = add nsw i32 %76, 24
  %121 = icmp slt i32 %120, %3
  %122 = select i1 %77, i1 %121, i1 false
  br i1 %122, label %123, label %133

123:                                              ; preds = %119
  %124 = shl i64 %7, 32
  %125 = add i64 %124, 103079215104
  %126 = ashr exact i64 %125, 30
  %127 = getelementptr inbounds i8, ptr addrspace(3) %79, i64 %126
  %128 = load float, ptr addrspace(3) %127, align 4, !tbaa !12
  %129 = mul nsw i32 %120, %2
  %130 = add nsw i32 %129, %75
  %131 = sext i32 %130 to i64
  %132 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %131
  store float %128, ptr addrspace(1) %132, align 4, !tbaa !12
  br label %133

133:                                              ; preds = %123, %119
  ret void
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #3

attributes #0 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #3 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
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
!8 = !{i32 1, i32 1, i32 0, i32 0}
!9 = !{!"none", !"none", !"none", !"none"}
!10 = !{!"float*", !"float*", !"int", !"int"}
!11 = !{!"restrict const", !"restrict", !"", !""}
!12 = !{!13, !13, i64 0}
!13 = !{!"float", !6, i64 0}
