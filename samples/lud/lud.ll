; ModuleID = 'lud.cu'
source_filename = "lud.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ12lud_diagonalE4tile = internal unnamed_addr addrspace(3) global [16 x [17 x float]] undef, align 4
@_ZZ13lud_perimeterE5pivot = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@_ZZ13lud_perimeterE5right = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@_ZZ13lud_perimeterE5below = internal unnamed_addr addrspace(3) global [16 x [17 x float]] undef, align 4
@_ZZ12lud_internalE5below = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@_ZZ12lud_internalE5right = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@_ZZ11lud_productE4tile = internal unnamed_addr addrspace(3) global [16 x [17 x float]] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @lud_diagonal(ptr noalias noundef captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #0 !dbg !12 {
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !15
  %5 = mul nsw i32 %2, %1, !dbg !19
  %6 = sext i32 %5 to i64, !dbg !20
  %7 = getelementptr inbounds float, ptr %0, i64 %6, !dbg !20
  %8 = sext i32 %2 to i64, !dbg !21
  %9 = getelementptr inbounds float, ptr %7, i64 %8, !dbg !21
  %10 = zext nneg i32 %4 to i64
  %11 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ12lud_diagonalE4tile to ptr), i64 %10, !dbg !22
  br label %14, !dbg !23

12:                                               ; preds = %14
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !24
  %13 = getelementptr inbounds nuw [17 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ12lud_diagonalE4tile to ptr), i64 %10
  br label %25, !dbg !25

14:                                               ; preds = %3, %14
  %15 = phi i32 [ 0, %3 ], [ %23, %14 ]
  %16 = mul nsw i32 %15, %1, !dbg !26
  %17 = add nsw i32 %16, %4, !dbg !27
  %18 = sext i32 %17 to i64, !dbg !28
  %19 = getelementptr inbounds float, ptr %9, i64 %18, !dbg !28
  %20 = load float, ptr %19, align 4, !dbg !28, !tbaa !29
  %21 = zext nneg i32 %15 to i64, !dbg !31
  %22 = getelementptr inbounds nuw [17 x float], ptr %11, i64 %21, !dbg !31
  store float %20, ptr %22, align 4, !dbg !32, !tbaa !29
  %23 = add nuw nsw i32 %15, 1, !dbg !33
  %24 = icmp eq i32 %23, 16, !dbg !34
  br i1 %24, label %12, label %14, !dbg !23, !llvm.loop !35

25:                                               ; preds = %12, %47
  %26 = phi i32 [ 0, %12 ], [ %48, %47 ]
  %27 = icmp samesign ugt i32 %4, %26, !dbg !39
  br i1 %27, label %28, label %47, !dbg !39

28:                                               ; preds = %25
  %29 = zext nneg i32 %26 to i64, !dbg !40
  %30 = getelementptr inbounds nuw float, ptr %13, i64 %29, !dbg !40
  %31 = load float, ptr %30, align 4, !dbg !40, !tbaa !29
  %32 = getelementptr inbounds nuw [17 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ12lud_diagonalE4tile to ptr), i64 %29, !dbg !41
  %33 = getelementptr inbounds nuw float, ptr %32, i64 %29, !dbg !41
  %34 = load float, ptr %33, align 4, !dbg !41, !tbaa !29
  %35 = fdiv contract float %31, %34, !dbg !42
  store float %35, ptr %30, align 4, !dbg !43, !tbaa !29
  br label %36, !dbg !44

36:                                               ; preds = %28, %36
  %37 = phi i32 [ %38, %36 ], [ %26, %28 ]
  %38 = add nuw nsw i32 %37, 1, !dbg !45
  %39 = zext nneg i32 %38 to i64, !dbg !46
  %40 = getelementptr inbounds nuw float, ptr %32, i64 %39, !dbg !46
  %41 = load float, ptr %40, align 4, !dbg !46, !tbaa !29
  %42 = fmul contract float %35, %41, !dbg !47
  %43 = getelementptr inbounds nuw float, ptr %13, i64 %39, !dbg !48
  %44 = load float, ptr %43, align 4, !dbg !49, !tbaa !29
  %45 = fsub contract float %44, %42, !dbg !49
  store float %45, ptr %43, align 4, !dbg !49, !tbaa !29
  %46 = icmp eq i32 %38, 15, !dbg !50
  br i1 %46, label %47, label %36, !dbg !44, !llvm.loop !51

47:                                               ; preds = %36, %25
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !53
  %48 = add nuw nsw i32 %26, 1, !dbg !54
  %49 = icmp eq i32 %48, 15, !dbg !55
  br i1 %49, label %51, label %25, !dbg !25, !llvm.loop !56

50:                                               ; preds = %51
  ret void, !dbg !58

51:                                               ; preds = %47, %51
  %52 = phi i32 [ %60, %51 ], [ 0, %47 ]
  %53 = zext nneg i32 %52 to i64, !dbg !59
  %54 = getelementptr inbounds nuw [17 x float], ptr %11, i64 %53, !dbg !59
  %55 = load float, ptr %54, align 4, !dbg !59, !tbaa !29
  %56 = mul nsw i32 %52, %1, !dbg !60
  %57 = add nsw i32 %56, %4, !dbg !61
  %58 = sext i32 %57 to i64, !dbg !62
  %59 = getelementptr inbounds float, ptr %9, i64 %58, !dbg !62
  store float %55, ptr %59, align 4, !dbg !63, !tbaa !29
  %60 = add nuw nsw i32 %52, 1, !dbg !64
  %61 = icmp eq i32 %60, 16, !dbg !65
  br i1 %61, label %50, label %51, !dbg !66, !llvm.loop !67
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @lud_perimeter(ptr noalias noundef captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #0 !dbg !69 {
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !70
  %5 = and i32 %4, 15, !dbg !72
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !73
  %7 = shl i32 %6, 4, !dbg !76
  %8 = add i32 %7, 16, !dbg !76
  %9 = add i32 %8, %2, !dbg !77
  %10 = lshr i32 %4, 4, !dbg !78
  %11 = icmp samesign ult i32 %4, 256, !dbg !79
  br i1 %11, label %12, label %19, !dbg !80

12:                                               ; preds = %3
  %13 = add i32 %2, %5
  %14 = zext nneg i32 %5 to i64
  %15 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ13lud_perimeterE5pivot to ptr), i64 %14, !dbg !80
  %16 = add i32 %9, %5
  %17 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ13lud_perimeterE5right to ptr), i64 %14, !dbg !80
  %18 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ13lud_perimeterE5below to ptr), i64 %14, !dbg !80
  br label %26, !dbg !80

19:                                               ; preds = %26, %3
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !81
  %20 = icmp samesign ult i32 %4, 16, !dbg !82
  %21 = zext nneg i32 %5 to i64
  br i1 %20, label %24, label %22, !dbg !82

22:                                               ; preds = %19
  %23 = getelementptr inbounds nuw [17 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ13lud_perimeterE5below to ptr), i64 %21
  br label %71, !dbg !83

24:                                               ; preds = %19
  %25 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ13lud_perimeterE5right to ptr), i64 %21, !dbg !84
  br label %50, !dbg !84

26:                                               ; preds = %12, %26
  %27 = phi i32 [ %10, %12 ], [ %48, %26 ]
  %28 = add nsw i32 %27, %2, !dbg !85
  %29 = mul nsw i32 %28, %1, !dbg !86
  %30 = add i32 %13, %29, !dbg !87
  %31 = sext i32 %30 to i64, !dbg !88
  %32 = getelementptr inbounds float, ptr %0, i64 %31, !dbg !88
  %33 = load float, ptr %32, align 4, !dbg !88, !tbaa !29
  %34 = zext nneg i32 %27 to i64, !dbg !89
  %35 = getelementptr inbounds nuw [16 x float], ptr %15, i64 %34, !dbg !89
  store float %33, ptr %35, align 4, !dbg !90, !tbaa !29
  %36 = add i32 %16, %29, !dbg !91
  %37 = sext i32 %36 to i64, !dbg !92
  %38 = getelementptr inbounds float, ptr %0, i64 %37, !dbg !92
  %39 = load float, ptr %38, align 4, !dbg !92, !tbaa !29
  %40 = getelementptr inbounds nuw [16 x float], ptr %17, i64 %34, !dbg !93
  store float %39, ptr %40, align 4, !dbg !94, !tbaa !29
  %41 = add nsw i32 %27, %9, !dbg !95
  %42 = mul nsw i32 %41, %1, !dbg !96
  %43 = add i32 %13, %42, !dbg !97
  %44 = sext i32 %43 to i64, !dbg !98
  %45 = getelementptr inbounds float, ptr %0, i64 %44, !dbg !98
  %46 = load float, ptr %45, align 4, !dbg !98, !tbaa !29
  %47 = getelementptr inbounds nuw [17 x float], ptr %18, i64 %34, !dbg !99
  store float %46, ptr %47, align 4, !dbg !100, !tbaa !29
  %48 = add nuw nsw i32 %27, 2, !dbg !101
  %49 = icmp samesign ult i32 %27, 14, !dbg !79
  br i1 %49, label %26, label %19, !dbg !80, !llvm.loop !102

50:                                               ; preds = %24, %56
  %51 = phi i32 [ 1, %24 ], [ %57, %56 ]
  %52 = zext nneg i32 %51 to i64, !dbg !104
  %53 = getelementptr inbounds nuw [16 x float], ptr %25, i64 %52, !dbg !104
  %54 = load float, ptr %53, align 4, !dbg !104, !tbaa !29
  %55 = getelementptr inbounds nuw [16 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ13lud_perimeterE5pivot to ptr), i64 %52
  br label %59, !dbg !105

56:                                               ; preds = %59
  store float %68, ptr %53, align 4, !dbg !106, !tbaa !29
  %57 = add nuw nsw i32 %51, 1, !dbg !107
  %58 = icmp eq i32 %57, 16, !dbg !108
  br i1 %58, label %98, label %50, !dbg !84, !llvm.loop !109

59:                                               ; preds = %50, %59
  %60 = phi i32 [ 0, %50 ], [ %69, %59 ]
  %61 = phi float [ %54, %50 ], [ %68, %59 ]
  %62 = zext nneg i32 %60 to i64, !dbg !111
  %63 = getelementptr inbounds nuw float, ptr %55, i64 %62, !dbg !111
  %64 = load float, ptr %63, align 4, !dbg !111, !tbaa !29
  %65 = getelementptr inbounds nuw [16 x float], ptr %25, i64 %62, !dbg !112
  %66 = load float, ptr %65, align 4, !dbg !112, !tbaa !29
  %67 = fmul contract float %64, %66, !dbg !113
  %68 = fsub contract float %61, %67, !dbg !114
  %69 = add nuw nsw i32 %60, 1, !dbg !115
  %70 = icmp eq i32 %69, %51, !dbg !116
  br i1 %70, label %56, label %59, !dbg !105, !llvm.loop !117

71:                                               ; preds = %22, %78
  %72 = phi i32 [ 0, %22 ], [ %84, %78 ]
  %73 = zext nneg i32 %72 to i64, !dbg !119
  %74 = getelementptr inbounds nuw float, ptr %23, i64 %73, !dbg !119
  %75 = load float, ptr %74, align 4, !dbg !119, !tbaa !29
  %76 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ13lud_perimeterE5pivot to ptr), i64 %73, !dbg !120
  %77 = icmp eq i32 %72, 0, !dbg !121
  br i1 %77, label %78, label %86, !dbg !122

78:                                               ; preds = %86, %71
  %79 = phi float [ %75, %71 ], [ %95, %86 ], !dbg !123
  %80 = getelementptr inbounds nuw [16 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ13lud_perimeterE5pivot to ptr), i64 %73, !dbg !124
  %81 = getelementptr inbounds nuw float, ptr %80, i64 %73, !dbg !124
  %82 = load float, ptr %81, align 4, !dbg !124, !tbaa !29
  %83 = fdiv contract float %79, %82, !dbg !125
  store float %83, ptr %74, align 4, !dbg !126, !tbaa !29
  %84 = add nuw nsw i32 %72, 1, !dbg !127
  %85 = icmp eq i32 %84, 16, !dbg !128
  br i1 %85, label %98, label %71, !dbg !83, !llvm.loop !129

86:                                               ; preds = %71, %86
  %87 = phi i32 [ %96, %86 ], [ 0, %71 ]
  %88 = phi float [ %95, %86 ], [ %75, %71 ]
  %89 = zext nneg i32 %87 to i64, !dbg !131
  %90 = getelementptr inbounds nuw float, ptr %23, i64 %89, !dbg !131
  %91 = load float, ptr %90, align 4, !dbg !131, !tbaa !29
  %92 = getelementptr inbounds nuw [16 x float], ptr %76, i64 %89, !dbg !132
  %93 = load float, ptr %92, align 4, !dbg !132, !tbaa !29
  %94 = fmul contract float %91, %93, !dbg !133
  %95 = fsub contract float %88, %94, !dbg !134
  %96 = add nuw nsw i32 %87, 1, !dbg !135
  %97 = icmp eq i32 %96, %72, !dbg !121
  br i1 %97, label %78, label %86, !dbg !122, !llvm.loop !136

98:                                               ; preds = %78, %56
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !138
  br i1 %11, label %99, label %105, !dbg !139

99:                                               ; preds = %98
  %100 = zext nneg i32 %5 to i64
  %101 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ13lud_perimeterE5right to ptr), i64 %100, !dbg !139
  %102 = add i32 %9, %5
  %103 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ13lud_perimeterE5below to ptr), i64 %100, !dbg !139
  %104 = add i32 %2, %5
  br label %106, !dbg !139

105:                                              ; preds = %106, %98
  ret void, !dbg !140

106:                                              ; preds = %99, %106
  %107 = phi i32 [ %10, %99 ], [ %123, %106 ]
  %108 = zext nneg i32 %107 to i64, !dbg !141
  %109 = getelementptr inbounds nuw [16 x float], ptr %101, i64 %108, !dbg !141
  %110 = load float, ptr %109, align 4, !dbg !141, !tbaa !29
  %111 = add nsw i32 %107, %2, !dbg !142
  %112 = mul nsw i32 %111, %1, !dbg !143
  %113 = add i32 %102, %112, !dbg !144
  %114 = sext i32 %113 to i64, !dbg !145
  %115 = getelementptr inbounds float, ptr %0, i64 %114, !dbg !145
  store float %110, ptr %115, align 4, !dbg !146, !tbaa !29
  %116 = getelementptr inbounds nuw [17 x float], ptr %103, i64 %108, !dbg !147
  %117 = load float, ptr %116, align 4, !dbg !147, !tbaa !29
  %118 = add nsw i32 %107, %9, !dbg !148
  %119 = mul nsw i32 %118, %1, !dbg !149
  %120 = add i32 %104, %119, !dbg !150
  %121 = sext i32 %120 to i64, !dbg !151
  %122 = getelementptr inbounds float, ptr %0, i64 %121, !dbg !151
  store float %117, ptr %122, align 4, !dbg !152, !tbaa !29
  %123 = add nuw nsw i32 %107, 2, !dbg !153
  %124 = icmp samesign ult i32 %107, 14, !dbg !154
  br i1 %124, label %106, label %105, !dbg !139, !llvm.loop !155
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @lud_internal(ptr noalias noundef captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #0 !dbg !157 {
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !158
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y(), !dbg !160
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y(), !dbg !163
  %7 = shl nuw nsw i32 %6, 4, !dbg !166
  %8 = add i32 %2, 16, !dbg !166
  %9 = add i32 %8, %5, !dbg !167
  %10 = add i32 %9, %7, !dbg !168
  %11 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !169
  %12 = shl i32 %11, 4, !dbg !171
  %13 = add i32 %8, %4, !dbg !172
  %14 = add i32 %13, %12, !dbg !173
  %15 = mul nsw i32 %10, %1, !dbg !174
  %16 = add i32 %2, %4, !dbg !175
  %17 = add i32 %16, %15, !dbg !176
  %18 = sext i32 %17 to i64, !dbg !177
  %19 = getelementptr inbounds float, ptr %0, i64 %18, !dbg !177
  %20 = load float, ptr %19, align 4, !dbg !177, !tbaa !29
  %21 = zext nneg i32 %5 to i64, !dbg !178
  %22 = getelementptr inbounds nuw [16 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ12lud_internalE5below to ptr), i64 %21, !dbg !178
  %23 = zext nneg i32 %4 to i64, !dbg !178
  %24 = getelementptr inbounds nuw float, ptr %22, i64 %23, !dbg !178
  store float %20, ptr %24, align 4, !dbg !179, !tbaa !29
  %25 = add nsw i32 %2, %5, !dbg !180
  %26 = mul nsw i32 %25, %1, !dbg !181
  %27 = add nsw i32 %26, %14, !dbg !182
  %28 = sext i32 %27 to i64, !dbg !183
  %29 = getelementptr inbounds float, ptr %0, i64 %28, !dbg !183
  %30 = load float, ptr %29, align 4, !dbg !183, !tbaa !29
  %31 = getelementptr inbounds nuw [16 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ12lud_internalE5right to ptr), i64 %21, !dbg !184
  %32 = getelementptr inbounds nuw float, ptr %31, i64 %23, !dbg !184
  store float %30, ptr %32, align 4, !dbg !185, !tbaa !29
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !186
  %33 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ12lud_internalE5right to ptr), i64 %23, !dbg !187
  br label %40, !dbg !188

34:                                               ; preds = %40
  %35 = add nsw i32 %15, %14, !dbg !189
  %36 = sext i32 %35 to i64, !dbg !190
  %37 = getelementptr inbounds float, ptr %0, i64 %36, !dbg !190
  %38 = load float, ptr %37, align 4, !dbg !191, !tbaa !29
  %39 = fsub contract float %38, %49, !dbg !191
  store float %39, ptr %37, align 4, !dbg !191, !tbaa !29
  ret void, !dbg !192

40:                                               ; preds = %3, %40
  %41 = phi i32 [ 0, %3 ], [ %50, %40 ]
  %42 = phi float [ 0.000000e+00, %3 ], [ %49, %40 ]
  %43 = zext nneg i32 %41 to i64, !dbg !193
  %44 = getelementptr inbounds nuw float, ptr %22, i64 %43, !dbg !193
  %45 = load float, ptr %44, align 4, !dbg !193, !tbaa !29
  %46 = getelementptr inbounds nuw [16 x float], ptr %33, i64 %43, !dbg !194
  %47 = load float, ptr %46, align 4, !dbg !194, !tbaa !29
  %48 = fmul contract float %45, %47, !dbg !195
  %49 = fadd contract float %42, %48, !dbg !196
  %50 = add nuw nsw i32 %41, 1, !dbg !197
  %51 = icmp eq i32 %50, 16, !dbg !198
  br i1 %51, label %34, label %40, !dbg !188, !llvm.loop !199
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @lud_product(ptr noalias noundef readonly captures(none) %0, ptr noalias noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #0 !dbg !201 {
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !202
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !204
  %6 = shl i32 %5, 4, !dbg !206
  %7 = add nsw i32 %2, 1, !dbg !207
  %8 = mul i32 %6, %7, !dbg !208
  %9 = zext i32 %8 to i64, !dbg !209
  %10 = getelementptr inbounds nuw float, ptr %0, i64 %9, !dbg !209
  %11 = zext nneg i32 %4 to i64
  %12 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ11lud_productE4tile to ptr), i64 %11, !dbg !210
  br label %18, !dbg !211

13:                                               ; preds = %18
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !212
  %14 = shl i32 %5, 8
  %15 = shl nuw nsw i32 %4, 4
  %16 = add i32 %14, %15
  %17 = getelementptr inbounds nuw [17 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ11lud_productE4tile to ptr), i64 %11
  br label %30, !dbg !213

18:                                               ; preds = %3, %18
  %19 = phi i32 [ 0, %3 ], [ %27, %18 ]
  %20 = mul nsw i32 %19, %2, !dbg !214
  %21 = add nsw i32 %20, %4, !dbg !215
  %22 = sext i32 %21 to i64, !dbg !216
  %23 = getelementptr inbounds float, ptr %10, i64 %22, !dbg !216
  %24 = load float, ptr %23, align 4, !dbg !216, !tbaa !29
  %25 = zext nneg i32 %19 to i64, !dbg !217
  %26 = getelementptr inbounds nuw [17 x float], ptr %12, i64 %25, !dbg !217
  store float %24, ptr %26, align 4, !dbg !218, !tbaa !29
  %27 = add nuw nsw i32 %19, 1, !dbg !219
  %28 = icmp eq i32 %27, 16, !dbg !220
  br i1 %28, label %13, label %18, !dbg !211, !llvm.loop !221

29:                                               ; preds = %48
  ret void, !dbg !223

30:                                               ; preds = %13, %48
  %31 = phi i32 [ 0, %13 ], [ %53, %48 ]
  %32 = tail call i32 @llvm.smin.i32(i32 %4, i32 %31), !dbg !224
  %33 = icmp samesign ugt i32 %4, %31, !dbg !225
  %34 = zext nneg i32 %31 to i64, !dbg !226
  %35 = getelementptr inbounds nuw float, ptr %17, i64 %34, !dbg !226
  %36 = load float, ptr %35, align 4, !dbg !226, !tbaa !29
  br i1 %33, label %37, label %42, !dbg !227

37:                                               ; preds = %30
  %38 = getelementptr inbounds nuw [17 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ11lud_productE4tile to ptr), i64 %34, !dbg !228
  %39 = getelementptr inbounds nuw float, ptr %38, i64 %34, !dbg !228
  %40 = load float, ptr %39, align 4, !dbg !228, !tbaa !29
  %41 = fmul contract float %36, %40, !dbg !229
  br label %42, !dbg !227

42:                                               ; preds = %30, %37
  %43 = phi contract float [ %41, %37 ], [ %36, %30 ], !dbg !227
  %44 = icmp eq i32 %32, 0, !dbg !230
  br i1 %44, label %48, label %45, !dbg !231

45:                                               ; preds = %42
  %46 = zext nneg i32 %31 to i64
  %47 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ11lud_productE4tile to ptr), i64 %46, !dbg !231
  br label %55, !dbg !231

48:                                               ; preds = %55, %42
  %49 = phi float [ %43, %42 ], [ %64, %55 ], !dbg !232
  %50 = add nuw nsw i32 %31, %16, !dbg !233
  %51 = zext i32 %50 to i64, !dbg !234
  %52 = getelementptr inbounds nuw float, ptr %1, i64 %51, !dbg !234
  store float %49, ptr %52, align 4, !dbg !235, !tbaa !29
  %53 = add nuw nsw i32 %31, 1, !dbg !236
  %54 = icmp eq i32 %53, 16, !dbg !237
  br i1 %54, label %29, label %30, !dbg !213, !llvm.loop !238

55:                                               ; preds = %45, %55
  %56 = phi i32 [ 0, %45 ], [ %65, %55 ]
  %57 = phi float [ %43, %45 ], [ %64, %55 ]
  %58 = zext nneg i32 %56 to i64, !dbg !240
  %59 = getelementptr inbounds nuw float, ptr %17, i64 %58, !dbg !240
  %60 = load float, ptr %59, align 4, !dbg !240, !tbaa !29
  %61 = getelementptr inbounds nuw [17 x float], ptr %47, i64 %58, !dbg !241
  %62 = load float, ptr %61, align 4, !dbg !241, !tbaa !29
  %63 = fmul contract float %60, %62, !dbg !242
  %64 = fadd contract float %57, %63, !dbg !243
  %65 = add nuw nsw i32 %56, 1, !dbg !244
  %66 = icmp eq i32 %65, %32, !dbg !230
  br i1 %66, label %48, label %55, !dbg !231, !llvm.loop !245
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #3

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nocallback nounwind }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "lud.cu", directory: ".")
!2 = !{i32 7, !"Dwarf Version", i32 2}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!6 = !{i32 7, !"frame-pointer", i32 2}
!7 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!8 = !{!9, !9, i64 0}
!9 = !{!"int", !10, i64 0}
!10 = !{!"omnipotent char", !11, i64 0}
!11 = !{!"Simple C++ TBAA"}
!12 = distinct !DISubprogram(name: "lud_diagonal", scope: !1, file: !1, line: 10, type: !13, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 30, column: 1, scope: !16, inlinedAt: !18)
!16 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 30, type: !13, scopeLine: 30, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!17 = !DIFile(filename: "./../common/cuda_words.h", directory: ".")
!18 = distinct !DILocation(line: 13, column: 18, scope: !12)
!19 = !DILocation(line: 14, column: 26, scope: !12)
!20 = !DILocation(line: 14, column: 21, scope: !12)
!21 = !DILocation(line: 14, column: 30, scope: !12)
!22 = !DILocation(line: 15, column: 8, scope: !12)
!23 = !DILocation(line: 15, column: 3, scope: !12)
!24 = !DILocation(line: 18, column: 3, scope: !12)
!25 = !DILocation(line: 20, column: 3, scope: !12)
!26 = !DILocation(line: 16, column: 28, scope: !12)
!27 = !DILocation(line: 16, column: 32, scope: !12)
!28 = !DILocation(line: 16, column: 19, scope: !12)
!29 = !{!30, !30, i64 0}
!30 = !{!"float", !10, i64 0}
!31 = !DILocation(line: 16, column: 5, scope: !12)
!32 = !DILocation(line: 16, column: 17, scope: !12)
!33 = !DILocation(line: 15, column: 29, scope: !12)
!34 = !DILocation(line: 15, column: 21, scope: !12)
!35 = distinct !{!35, !23, !36, !37, !38}
!36 = !DILocation(line: 17, column: 3, scope: !12)
!37 = !{!"llvm.loop.mustprogress"}
!38 = !{!"llvm.loop.unroll.disable"}
!39 = !DILocation(line: 21, column: 12, scope: !12)
!40 = !DILocation(line: 22, column: 28, scope: !12)
!41 = !DILocation(line: 22, column: 42, scope: !12)
!42 = !DILocation(line: 22, column: 40, scope: !12)
!43 = !DILocation(line: 23, column: 19, scope: !12)
!44 = !DILocation(line: 24, column: 7, scope: !12)
!45 = !DILocation(line: 24, scope: !12)
!46 = !DILocation(line: 25, column: 33, scope: !12)
!47 = !DILocation(line: 25, column: 31, scope: !12)
!48 = !DILocation(line: 25, column: 9, scope: !12)
!49 = !DILocation(line: 25, column: 21, scope: !12)
!50 = !DILocation(line: 24, column: 29, scope: !12)
!51 = distinct !{!51, !44, !52, !37, !38}
!52 = !DILocation(line: 26, column: 7, scope: !12)
!53 = !DILocation(line: 28, column: 5, scope: !12)
!54 = !DILocation(line: 20, column: 33, scope: !12)
!55 = !DILocation(line: 20, column: 21, scope: !12)
!56 = distinct !{!56, !25, !57, !37, !38}
!57 = !DILocation(line: 29, column: 3, scope: !12)
!58 = !DILocation(line: 34, column: 1, scope: !12)
!59 = !DILocation(line: 32, column: 26, scope: !12)
!60 = !DILocation(line: 32, column: 14, scope: !12)
!61 = !DILocation(line: 32, column: 18, scope: !12)
!62 = !DILocation(line: 32, column: 5, scope: !12)
!63 = !DILocation(line: 32, column: 24, scope: !12)
!64 = !DILocation(line: 31, column: 29, scope: !12)
!65 = !DILocation(line: 31, column: 21, scope: !12)
!66 = !DILocation(line: 31, column: 3, scope: !12)
!67 = distinct !{!67, !66, !68, !37, !38}
!68 = !DILocation(line: 33, column: 3, scope: !12)
!69 = distinct !DISubprogram(name: "lud_perimeter", scope: !1, file: !1, line: 38, type: !13, scopeLine: 38, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!70 = !DILocation(line: 30, column: 1, scope: !16, inlinedAt: !71)
!71 = distinct !DILocation(line: 43, column: 17, scope: !69)
!72 = !DILocation(line: 43, column: 29, scope: !69)
!73 = !DILocation(line: 31, column: 1, scope: !74, inlinedAt: !75)
!74 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 31, type: !13, scopeLine: 31, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!75 = distinct !DILocation(line: 44, column: 25, scope: !69)
!76 = !DILocation(line: 44, column: 41, scope: !69)
!77 = !DILocation(line: 44, column: 22, scope: !69)
!78 = !DILocation(line: 45, column: 28, scope: !69)
!79 = !DILocation(line: 45, column: 38, scope: !69)
!80 = !DILocation(line: 45, column: 3, scope: !69)
!81 = !DILocation(line: 50, column: 3, scope: !69)
!82 = !DILocation(line: 52, column: 19, scope: !69)
!83 = !DILocation(line: 61, column: 5, scope: !69)
!84 = !DILocation(line: 53, column: 5, scope: !69)
!85 = !DILocation(line: 46, column: 25, scope: !69)
!86 = !DILocation(line: 46, column: 30, scope: !69)
!87 = !DILocation(line: 46, column: 39, scope: !69)
!88 = !DILocation(line: 46, column: 19, scope: !69)
!89 = !DILocation(line: 46, column: 5, scope: !69)
!90 = !DILocation(line: 46, column: 17, scope: !69)
!91 = !DILocation(line: 47, column: 40, scope: !69)
!92 = !DILocation(line: 47, column: 19, scope: !69)
!93 = !DILocation(line: 47, column: 5, scope: !69)
!94 = !DILocation(line: 47, column: 17, scope: !69)
!95 = !DILocation(line: 48, column: 26, scope: !69)
!96 = !DILocation(line: 48, column: 31, scope: !69)
!97 = !DILocation(line: 48, column: 40, scope: !69)
!98 = !DILocation(line: 48, column: 19, scope: !69)
!99 = !DILocation(line: 48, column: 5, scope: !69)
!100 = !DILocation(line: 48, column: 17, scope: !69)
!101 = !DILocation(line: 45, column: 48, scope: !69)
!102 = distinct !{!102, !80, !103, !37, !38}
!103 = !DILocation(line: 49, column: 3, scope: !69)
!104 = !DILocation(line: 54, column: 19, scope: !69)
!105 = !DILocation(line: 55, column: 7, scope: !69)
!106 = !DILocation(line: 58, column: 19, scope: !69)
!107 = !DILocation(line: 53, column: 31, scope: !69)
!108 = !DILocation(line: 53, column: 23, scope: !69)
!109 = distinct !{!109, !84, !110, !37, !38}
!110 = !DILocation(line: 59, column: 5, scope: !69)
!111 = !DILocation(line: 56, column: 16, scope: !69)
!112 = !DILocation(line: 56, column: 30, scope: !69)
!113 = !DILocation(line: 56, column: 28, scope: !69)
!114 = !DILocation(line: 56, column: 13, scope: !69)
!115 = !DILocation(line: 55, column: 30, scope: !69)
!116 = !DILocation(line: 55, column: 25, scope: !69)
!117 = distinct !{!117, !105, !118, !37, !38}
!118 = !DILocation(line: 57, column: 7, scope: !69)
!119 = !DILocation(line: 62, column: 19, scope: !69)
!120 = !DILocation(line: 63, column: 12, scope: !69)
!121 = !DILocation(line: 63, column: 25, scope: !69)
!122 = !DILocation(line: 63, column: 7, scope: !69)
!123 = !DILocation(line: 0, scope: !69)
!124 = !DILocation(line: 66, column: 27, scope: !69)
!125 = !DILocation(line: 66, column: 25, scope: !69)
!126 = !DILocation(line: 66, column: 19, scope: !69)
!127 = !DILocation(line: 61, column: 31, scope: !69)
!128 = !DILocation(line: 61, column: 23, scope: !69)
!129 = distinct !{!129, !83, !130, !37, !38}
!130 = !DILocation(line: 67, column: 5, scope: !69)
!131 = !DILocation(line: 64, column: 16, scope: !69)
!132 = !DILocation(line: 64, column: 30, scope: !69)
!133 = !DILocation(line: 64, column: 28, scope: !69)
!134 = !DILocation(line: 64, column: 13, scope: !69)
!135 = !DILocation(line: 63, column: 30, scope: !69)
!136 = distinct !{!136, !122, !137, !37, !38}
!137 = !DILocation(line: 65, column: 7, scope: !69)
!138 = !DILocation(line: 69, column: 3, scope: !69)
!139 = !DILocation(line: 71, column: 3, scope: !69)
!140 = !DILocation(line: 75, column: 1, scope: !69)
!141 = !DILocation(line: 72, column: 33, scope: !69)
!142 = !DILocation(line: 72, column: 11, scope: !69)
!143 = !DILocation(line: 72, column: 16, scope: !69)
!144 = !DILocation(line: 72, column: 26, scope: !69)
!145 = !DILocation(line: 72, column: 5, scope: !69)
!146 = !DILocation(line: 72, column: 31, scope: !69)
!147 = !DILocation(line: 73, column: 33, scope: !69)
!148 = !DILocation(line: 73, column: 12, scope: !69)
!149 = !DILocation(line: 73, column: 17, scope: !69)
!150 = !DILocation(line: 73, column: 26, scope: !69)
!151 = !DILocation(line: 73, column: 5, scope: !69)
!152 = !DILocation(line: 73, column: 31, scope: !69)
!153 = !DILocation(line: 71, column: 48, scope: !69)
!154 = !DILocation(line: 71, column: 38, scope: !69)
!155 = distinct !{!155, !139, !156, !37, !38}
!156 = !DILocation(line: 74, column: 3, scope: !69)
!157 = distinct !DISubprogram(name: "lud_internal", scope: !1, file: !1, line: 78, type: !13, scopeLine: 78, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!158 = !DILocation(line: 30, column: 1, scope: !16, inlinedAt: !159)
!159 = distinct !DILocation(line: 82, column: 18, scope: !157)
!160 = !DILocation(line: 30, column: 1, scope: !161, inlinedAt: !162)
!161 = distinct !DISubprogram(name: "read_y", scope: !17, file: !17, line: 30, type: !13, scopeLine: 30, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!162 = distinct !DILocation(line: 83, column: 18, scope: !157)
!163 = !DILocation(line: 31, column: 1, scope: !164, inlinedAt: !165)
!164 = distinct !DISubprogram(name: "read_y", scope: !17, file: !17, line: 31, type: !13, scopeLine: 31, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!165 = distinct !DILocation(line: 84, column: 25, scope: !157)
!166 = !DILocation(line: 84, column: 41, scope: !157)
!167 = !DILocation(line: 84, column: 22, scope: !157)
!168 = !DILocation(line: 84, column: 48, scope: !157)
!169 = !DILocation(line: 31, column: 1, scope: !74, inlinedAt: !170)
!170 = distinct !DILocation(line: 85, column: 28, scope: !157)
!171 = !DILocation(line: 85, column: 44, scope: !157)
!172 = !DILocation(line: 85, column: 25, scope: !157)
!173 = !DILocation(line: 85, column: 51, scope: !157)
!174 = !DILocation(line: 86, column: 25, scope: !157)
!175 = !DILocation(line: 86, column: 29, scope: !157)
!176 = !DILocation(line: 86, column: 34, scope: !157)
!177 = !DILocation(line: 86, column: 19, scope: !157)
!178 = !DILocation(line: 86, column: 3, scope: !157)
!179 = !DILocation(line: 86, column: 17, scope: !157)
!180 = !DILocation(line: 87, column: 25, scope: !157)
!181 = !DILocation(line: 87, column: 31, scope: !157)
!182 = !DILocation(line: 87, column: 35, scope: !157)
!183 = !DILocation(line: 87, column: 19, scope: !157)
!184 = !DILocation(line: 87, column: 3, scope: !157)
!185 = !DILocation(line: 87, column: 17, scope: !157)
!186 = !DILocation(line: 88, column: 3, scope: !157)
!187 = !DILocation(line: 91, column: 8, scope: !157)
!188 = !DILocation(line: 91, column: 3, scope: !157)
!189 = !DILocation(line: 94, column: 13, scope: !157)
!190 = !DILocation(line: 94, column: 3, scope: !157)
!191 = !DILocation(line: 94, column: 23, scope: !157)
!192 = !DILocation(line: 95, column: 1, scope: !157)
!193 = !DILocation(line: 92, column: 12, scope: !157)
!194 = !DILocation(line: 92, column: 27, scope: !157)
!195 = !DILocation(line: 92, column: 25, scope: !157)
!196 = !DILocation(line: 92, column: 9, scope: !157)
!197 = !DILocation(line: 91, column: 29, scope: !157)
!198 = !DILocation(line: 91, column: 21, scope: !157)
!199 = distinct !{!199, !188, !200, !37, !38}
!200 = !DILocation(line: 93, column: 3, scope: !157)
!201 = distinct !DISubprogram(name: "lud_product", scope: !1, file: !1, line: 98, type: !13, scopeLine: 99, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!202 = !DILocation(line: 30, column: 1, scope: !16, inlinedAt: !203)
!203 = distinct !DILocation(line: 102, column: 18, scope: !201)
!204 = !DILocation(line: 31, column: 1, scope: !74, inlinedAt: !205)
!205 = distinct !DILocation(line: 103, column: 29, scope: !201)
!206 = !DILocation(line: 103, column: 40, scope: !201)
!207 = !DILocation(line: 103, column: 52, scope: !201)
!208 = !DILocation(line: 103, column: 47, scope: !201)
!209 = !DILocation(line: 103, column: 27, scope: !201)
!210 = !DILocation(line: 104, column: 8, scope: !201)
!211 = !DILocation(line: 104, column: 3, scope: !201)
!212 = !DILocation(line: 107, column: 3, scope: !201)
!213 = !DILocation(line: 109, column: 3, scope: !201)
!214 = !DILocation(line: 105, column: 28, scope: !201)
!215 = !DILocation(line: 105, column: 32, scope: !201)
!216 = !DILocation(line: 105, column: 19, scope: !201)
!217 = !DILocation(line: 105, column: 5, scope: !201)
!218 = !DILocation(line: 105, column: 17, scope: !201)
!219 = !DILocation(line: 104, column: 29, scope: !201)
!220 = !DILocation(line: 104, column: 21, scope: !201)
!221 = distinct !{!221, !211, !222, !37, !38}
!222 = !DILocation(line: 106, column: 3, scope: !201)
!223 = !DILocation(line: 117, column: 1, scope: !201)
!224 = !DILocation(line: 110, column: 25, scope: !201)
!225 = !DILocation(line: 111, column: 20, scope: !201)
!226 = !DILocation(line: 111, scope: !201)
!227 = !DILocation(line: 111, column: 17, scope: !201)
!228 = !DILocation(line: 111, column: 55, scope: !201)
!229 = !DILocation(line: 111, column: 53, scope: !201)
!230 = !DILocation(line: 112, column: 23, scope: !201)
!231 = !DILocation(line: 112, column: 5, scope: !201)
!232 = !DILocation(line: 0, scope: !201)
!233 = !DILocation(line: 115, column: 45, scope: !201)
!234 = !DILocation(line: 115, column: 5, scope: !201)
!235 = !DILocation(line: 115, column: 50, scope: !201)
!236 = !DILocation(line: 109, column: 29, scope: !201)
!237 = !DILocation(line: 109, column: 21, scope: !201)
!238 = distinct !{!238, !213, !239, !37, !38}
!239 = !DILocation(line: 116, column: 3, scope: !201)
!240 = !DILocation(line: 113, column: 14, scope: !201)
!241 = !DILocation(line: 113, column: 28, scope: !201)
!242 = !DILocation(line: 113, column: 26, scope: !201)
!243 = !DILocation(line: 113, column: 11, scope: !201)
!244 = !DILocation(line: 112, column: 34, scope: !201)
!245 = distinct !{!245, !231, !246, !37, !38}
!246 = !DILocation(line: 114, column: 5, scope: !201)
