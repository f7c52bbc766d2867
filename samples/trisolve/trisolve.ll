; ModuleID = 'trisolve.cu'
source_filename = "trisolve.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @trisolve_forward(ptr noalias noundef readonly captures(none) %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef captures(none) %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #0 !dbg !12 {
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !15
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !19
  %8 = mul i32 %6, %7, !dbg !22
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !23
  %10 = add i32 %8, %9, !dbg !26
  %11 = icmp slt i32 %10, %4, !dbg !27
  %12 = icmp sgt i32 %3, 0
  %13 = and i1 %11, %12, !dbg !27
  br i1 %13, label %14, label %52, !dbg !27

14:                                               ; preds = %5
  %15 = add nuw i32 %3, 1
  br label %16, !dbg !28

16:                                               ; preds = %14, %26
  %17 = phi i32 [ 0, %14 ], [ %34, %26 ]
  %18 = mul nsw i32 %17, %4, !dbg !29
  %19 = add nsw i32 %18, %10, !dbg !30
  %20 = sext i32 %19 to i64, !dbg !31
  %21 = getelementptr inbounds float, ptr %1, i64 %20, !dbg !31
  %22 = load float, ptr %21, align 4, !dbg !31, !tbaa !32
  %23 = icmp eq i32 %17, 0, !dbg !34
  br i1 %23, label %26, label %24, !dbg !35

24:                                               ; preds = %16
  %25 = mul nuw nsw i32 %17, %3
  br label %36, !dbg !35

26:                                               ; preds = %36, %16
  %27 = phi float [ %22, %16 ], [ %49, %36 ], !dbg !36
  %28 = mul i32 %17, %15, !dbg !37
  %29 = sext i32 %28 to i64, !dbg !38
  %30 = getelementptr inbounds float, ptr %0, i64 %29, !dbg !38
  %31 = load float, ptr %30, align 4, !dbg !38, !tbaa !32
  %32 = fdiv contract float %27, %31, !dbg !39
  %33 = getelementptr inbounds float, ptr %2, i64 %20, !dbg !40
  store float %32, ptr %33, align 4, !dbg !41, !tbaa !32
  %34 = add nuw nsw i32 %17, 1, !dbg !42
  %35 = icmp eq i32 %34, %3, !dbg !43
  br i1 %35, label %52, label %16, !dbg !28, !llvm.loop !44

36:                                               ; preds = %24, %36
  %37 = phi i32 [ 0, %24 ], [ %50, %36 ]
  %38 = phi float [ %22, %24 ], [ %49, %36 ]
  %39 = add nuw nsw i32 %37, %25, !dbg !48
  %40 = zext nneg i32 %39 to i64, !dbg !49
  %41 = getelementptr inbounds nuw float, ptr %0, i64 %40, !dbg !49
  %42 = load float, ptr %41, align 4, !dbg !49, !tbaa !32
  %43 = mul nsw i32 %37, %4, !dbg !50
  %44 = add nsw i32 %43, %10, !dbg !51
  %45 = sext i32 %44 to i64, !dbg !52
  %46 = getelementptr inbounds float, ptr %2, i64 %45, !dbg !52
  %47 = load float, ptr %46, align 4, !dbg !52, !tbaa !32
  %48 = fmul contract float %42, %47, !dbg !53
  %49 = fsub contract float %38, %48, !dbg !54
  %50 = add nuw nsw i32 %37, 1, !dbg !55
  %51 = icmp eq i32 %50, %17, !dbg !34
  br i1 %51, label %26, label %36, !dbg !35, !llvm.loop !56

52:                                               ; preds = %26, %5
  ret void, !dbg !58
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @trisolve_backward(ptr noalias noundef readonly captures(none) %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef captures(none) %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #0 !dbg !59 {
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !60
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !62
  %8 = mul i32 %6, %7, !dbg !64
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !65
  %10 = add i32 %8, %9, !dbg !67
  %11 = icmp slt i32 %10, %4, !dbg !68
  %12 = icmp sgt i32 %3, 0
  %13 = and i1 %11, %12, !dbg !68
  br i1 %13, label %14, label %52, !dbg !68

14:                                               ; preds = %5
  %15 = add nuw i32 %3, 1
  br label %16, !dbg !69

16:                                               ; preds = %14, %27
  %17 = phi i32 [ %3, %14 ], [ %18, %27 ]
  %18 = add nsw i32 %17, -1, !dbg !70
  %19 = mul nsw i32 %18, %4, !dbg !71
  %20 = add nsw i32 %19, %10, !dbg !72
  %21 = sext i32 %20 to i64, !dbg !73
  %22 = getelementptr inbounds float, ptr %1, i64 %21, !dbg !73
  %23 = load float, ptr %22, align 4, !dbg !73, !tbaa !32
  %24 = icmp slt i32 %17, %3, !dbg !74
  br i1 %24, label %25, label %27, !dbg !75

25:                                               ; preds = %16
  %26 = mul nsw i32 %18, %3
  br label %36, !dbg !75

27:                                               ; preds = %36, %16
  %28 = phi float [ %23, %16 ], [ %49, %36 ], !dbg !76
  %29 = mul i32 %18, %15, !dbg !77
  %30 = sext i32 %29 to i64, !dbg !78
  %31 = getelementptr inbounds float, ptr %0, i64 %30, !dbg !78
  %32 = load float, ptr %31, align 4, !dbg !78, !tbaa !32
  %33 = fdiv contract float %28, %32, !dbg !79
  %34 = getelementptr inbounds float, ptr %2, i64 %21, !dbg !80
  store float %33, ptr %34, align 4, !dbg !81, !tbaa !32
  %35 = icmp samesign ugt i32 %17, 1, !dbg !82
  br i1 %35, label %16, label %52, !dbg !69, !llvm.loop !83

36:                                               ; preds = %25, %36
  %37 = phi i32 [ %17, %25 ], [ %50, %36 ]
  %38 = phi float [ %23, %25 ], [ %49, %36 ]
  %39 = add nuw nsw i32 %37, %26, !dbg !85
  %40 = zext nneg i32 %39 to i64, !dbg !86
  %41 = getelementptr inbounds nuw float, ptr %0, i64 %40, !dbg !86
  %42 = load float, ptr %41, align 4, !dbg !86, !tbaa !32
  %43 = mul nsw i32 %37, %4, !dbg !87
  %44 = add nsw i32 %43, %10, !dbg !88
  %45 = sext i32 %44 to i64, !dbg !89
  %46 = getelementptr inbounds float, ptr %2, i64 %45, !dbg !89
  %47 = load float, ptr %46, align 4, !dbg !89, !tbaa !32
  %48 = fmul contract float %42, %47, !dbg !90
  %49 = fsub contract float %38, %48, !dbg !91
  %50 = add nuw nsw i32 %37, 1, !dbg !92
  %51 = icmp eq i32 %50, %3, !dbg !74
  br i1 %51, label %27, label %36, !dbg !75, !llvm.loop !93

52:                                               ; preds = %27, %5
  ret void, !dbg !95
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @trisolve_pairs(ptr noalias noundef readonly captures(none) %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef captures(none) %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #0 !dbg !96 {
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !97
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !99
  %8 = mul i32 %6, %7, !dbg !101
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !102
  %10 = add i32 %8, %9, !dbg !104
  %11 = icmp slt i32 %10, %4, !dbg !105
  %12 = icmp sgt i32 %3, 0
  %13 = and i1 %11, %12, !dbg !105
  br i1 %13, label %14, label %82, !dbg !105

14:                                               ; preds = %5
  %15 = add nuw i32 %3, 1
  br label %16, !dbg !106

16:                                               ; preds = %14, %73
  %17 = phi i32 [ 0, %14 ], [ %80, %73 ]
  %18 = mul nsw i32 %17, %4, !dbg !107
  %19 = add nsw i32 %18, %10, !dbg !108
  %20 = sext i32 %19 to i64, !dbg !109
  %21 = getelementptr inbounds float, ptr %1, i64 %20, !dbg !109
  %22 = load float, ptr %21, align 4, !dbg !109, !tbaa !32
  %23 = icmp samesign ugt i32 %17, 1, !dbg !110
  br i1 %23, label %24, label %26, !dbg !111

24:                                               ; preds = %16
  %25 = mul nuw nsw i32 %17, %3
  br label %33, !dbg !111

26:                                               ; preds = %33, %16
  %27 = phi float [ %22, %16 ], [ %48, %33 ], !dbg !112
  %28 = phi float [ 0.000000e+00, %16 ], [ %57, %33 ], !dbg !112
  %29 = and i32 %17, 1, !dbg !113
  %30 = icmp eq i32 %29, 0, !dbg !114
  %31 = mul i32 %17, %15, !dbg !112
  %32 = sext i32 %31 to i64, !dbg !112
  br i1 %30, label %73, label %61, !dbg !114

33:                                               ; preds = %24, %33
  %34 = phi i32 [ 0, %24 ], [ %58, %33 ]
  %35 = phi float [ 0.000000e+00, %24 ], [ %57, %33 ]
  %36 = phi float [ %22, %24 ], [ %48, %33 ]
  %37 = or disjoint i32 %34, 1, !dbg !115
  %38 = add nuw nsw i32 %34, %25, !dbg !115
  %39 = zext nneg i32 %38 to i64, !dbg !116
  %40 = getelementptr inbounds nuw float, ptr %0, i64 %39, !dbg !116
  %41 = load float, ptr %40, align 4, !dbg !116, !tbaa !32
  %42 = mul nsw i32 %34, %4, !dbg !117
  %43 = add nsw i32 %42, %10, !dbg !118
  %44 = sext i32 %43 to i64, !dbg !119
  %45 = getelementptr inbounds float, ptr %2, i64 %44, !dbg !119
  %46 = load float, ptr %45, align 4, !dbg !119, !tbaa !32
  %47 = fmul contract float %41, %46, !dbg !120
  %48 = fsub contract float %36, %47, !dbg !121
  %49 = getelementptr i8, ptr %40, i64 4, !dbg !122
  %50 = load float, ptr %49, align 4, !dbg !122, !tbaa !32
  %51 = mul nsw i32 %37, %4, !dbg !123
  %52 = add nsw i32 %51, %10, !dbg !124
  %53 = sext i32 %52 to i64, !dbg !125
  %54 = getelementptr inbounds float, ptr %2, i64 %53, !dbg !125
  %55 = load float, ptr %54, align 4, !dbg !125, !tbaa !32
  %56 = fmul contract float %50, %55, !dbg !126
  %57 = fsub contract float %35, %56, !dbg !127
  %58 = add nuw nsw i32 %34, 2, !dbg !128
  %59 = or disjoint i32 %58, 1, !dbg !129
  %60 = icmp samesign ult i32 %59, %17, !dbg !110
  br i1 %60, label %33, label %26, !dbg !111, !llvm.loop !130

61:                                               ; preds = %26
  %62 = getelementptr float, ptr %0, i64 %32, !dbg !132
  %63 = getelementptr i8, ptr %62, i64 -4, !dbg !132
  %64 = load float, ptr %63, align 4, !dbg !132, !tbaa !32
  %65 = add nsw i32 %17, -1, !dbg !133
  %66 = mul nsw i32 %65, %4, !dbg !134
  %67 = add nsw i32 %66, %10, !dbg !135
  %68 = sext i32 %67 to i64, !dbg !136
  %69 = getelementptr inbounds float, ptr %2, i64 %68, !dbg !136
  %70 = load float, ptr %69, align 4, !dbg !136, !tbaa !32
  %71 = fmul contract float %64, %70, !dbg !137
  %72 = fsub contract float %27, %71, !dbg !138
  br label %73, !dbg !139

73:                                               ; preds = %26, %61
  %74 = phi float [ %72, %61 ], [ %27, %26 ], !dbg !112
  %75 = fadd contract float %28, %74, !dbg !140
  %76 = getelementptr inbounds float, ptr %0, i64 %32, !dbg !141
  %77 = load float, ptr %76, align 4, !dbg !141, !tbaa !32
  %78 = fdiv contract float %75, %77, !dbg !142
  %79 = getelementptr inbounds float, ptr %2, i64 %20, !dbg !143
  store float %78, ptr %79, align 4, !dbg !144, !tbaa !32
  %80 = add nuw nsw i32 %17, 1, !dbg !145
  %81 = icmp eq i32 %80, %3, !dbg !146
  br i1 %81, label %82, label %16, !dbg !106, !llvm.loop !147

82:                                               ; preds = %73, %5
  ret void, !dbg !149
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @trisolve_factor(ptr noalias noundef captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #0 !dbg !150 {
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !151
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !153
  %6 = mul i32 %4, %5, !dbg !155
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !156
  %8 = add i32 %6, %7, !dbg !158
  %9 = icmp slt i32 %8, %2, !dbg !159
  %10 = icmp sgt i32 %1, 0
  %11 = and i1 %9, %10, !dbg !159
  br i1 %11, label %12, label %82, !dbg !159

12:                                               ; preds = %3
  %13 = add nuw i32 %1, 1
  %14 = mul i32 %2, %13
  br label %15, !dbg !160

15:                                               ; preds = %12, %59
  %16 = phi i32 [ 0, %12 ], [ %61, %59 ]
  %17 = mul nuw nsw i32 %16, %1, !dbg !161
  %18 = add nuw nsw i32 %17, %16, !dbg !162
  %19 = mul nsw i32 %18, %2, !dbg !163
  %20 = add nsw i32 %19, %8, !dbg !164
  %21 = sext i32 %20 to i64, !dbg !165
  %22 = getelementptr inbounds float, ptr %0, i64 %21, !dbg !165
  %23 = load float, ptr %22, align 4, !dbg !165, !tbaa !32
  %24 = icmp eq i32 %16, 0, !dbg !166
  br i1 %24, label %59, label %25, !dbg !167

25:                                               ; preds = %15, %36
  %26 = phi i32 [ %38, %36 ], [ 0, %15 ]
  %27 = add nuw nsw i32 %26, %17, !dbg !168
  %28 = mul nsw i32 %27, %2, !dbg !169
  %29 = add nsw i32 %28, %8, !dbg !170
  %30 = sext i32 %29 to i64, !dbg !171
  %31 = getelementptr inbounds float, ptr %0, i64 %30, !dbg !171
  %32 = load float, ptr %31, align 4, !dbg !171, !tbaa !32
  %33 = icmp eq i32 %26, 0, !dbg !172
  br i1 %33, label %36, label %34, !dbg !173

34:                                               ; preds = %25
  %35 = mul nuw nsw i32 %26, %1
  br label %40, !dbg !173

36:                                               ; preds = %40, %25
  %37 = phi float [ %32, %25 ], [ %56, %40 ], !dbg !174
  store float %37, ptr %31, align 4, !dbg !175, !tbaa !32
  %38 = add nuw nsw i32 %26, 1, !dbg !176
  %39 = icmp eq i32 %38, %16, !dbg !166
  br i1 %39, label %63, label %25, !dbg !167, !llvm.loop !177

40:                                               ; preds = %34, %40
  %41 = phi i32 [ 0, %34 ], [ %57, %40 ]
  %42 = phi float [ %32, %34 ], [ %56, %40 ]
  %43 = add nuw nsw i32 %41, %17, !dbg !179
  %44 = mul nsw i32 %43, %2, !dbg !180
  %45 = add nsw i32 %44, %8, !dbg !181
  %46 = sext i32 %45 to i64, !dbg !182
  %47 = getelementptr inbounds float, ptr %0, i64 %46, !dbg !182
  %48 = load float, ptr %47, align 4, !dbg !182, !tbaa !32
  %49 = add nuw nsw i32 %41, %35, !dbg !183
  %50 = mul nsw i32 %49, %2, !dbg !184
  %51 = add nsw i32 %50, %8, !dbg !185
  %52 = sext i32 %51 to i64, !dbg !186
  %53 = getelementptr inbounds float, ptr %0, i64 %52, !dbg !186
  %54 = load float, ptr %53, align 4, !dbg !186, !tbaa !32
  %55 = fmul contract float %48, %54, !dbg !187
  %56 = fsub contract float %42, %55, !dbg !188
  %57 = add nuw nsw i32 %41, 1, !dbg !189
  %58 = icmp eq i32 %57, %26, !dbg !172
  br i1 %58, label %36, label %40, !dbg !173, !llvm.loop !190

59:                                               ; preds = %63, %15
  %60 = phi float [ %23, %15 ], [ %79, %63 ], !dbg !174
  store float %60, ptr %22, align 4, !dbg !192, !tbaa !32
  %61 = add nuw nsw i32 %16, 1, !dbg !193
  %62 = icmp eq i32 %61, %1, !dbg !194
  br i1 %62, label %82, label %15, !dbg !160, !llvm.loop !195

63:                                               ; preds = %36, %63
  %64 = phi i32 [ %80, %63 ], [ 0, %36 ]
  %65 = phi float [ %79, %63 ], [ %23, %36 ]
  %66 = add nuw nsw i32 %64, %17, !dbg !197
  %67 = mul nsw i32 %66, %2, !dbg !198
  %68 = add nsw i32 %67, %8, !dbg !199
  %69 = sext i32 %68 to i64, !dbg !200
  %70 = getelementptr inbounds float, ptr %0, i64 %69, !dbg !200
  %71 = load float, ptr %70, align 4, !dbg !200, !tbaa !32
  %72 = mul i32 %14, %64, !dbg !201
  %73 = add nsw i32 %72, %8, !dbg !202
  %74 = sext i32 %73 to i64, !dbg !203
  %75 = getelementptr inbounds float, ptr %0, i64 %74, !dbg !203
  %76 = load float, ptr %75, align 4, !dbg !203, !tbaa !32
  %77 = fdiv contract float %71, %76, !dbg !204
  %78 = fmul contract float %71, %77, !dbg !205
  %79 = fsub contract float %65, %78, !dbg !206
  store float %77, ptr %70, align 4, !dbg !207, !tbaa !32
  %80 = add nuw nsw i32 %64, 1, !dbg !208
  %81 = icmp eq i32 %80, %16, !dbg !209
  br i1 %81, label %59, label %63, !dbg !210, !llvm.loop !211

82:                                               ; preds = %59, %3
  ret void, !dbg !213
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @trisolve_inverse(ptr noalias noundef readonly captures(none) %0, ptr noalias noundef captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 !dbg !214 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !215
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !217
  %7 = mul i32 %5, %6, !dbg !219
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !220
  %9 = add i32 %7, %8, !dbg !222
  %10 = icmp slt i32 %9, %3, !dbg !223
  %11 = icmp sgt i32 %2, 0
  %12 = and i1 %10, %11, !dbg !223
  br i1 %12, label %13, label %59, !dbg !223

13:                                               ; preds = %4, %26
  %14 = phi i32 [ %28, %26 ], [ 0, %4 ]
  %15 = mul nuw nsw i32 %14, %2, !dbg !224
  %16 = add nuw nsw i32 %15, %14, !dbg !225
  %17 = mul nsw i32 %16, %3, !dbg !226
  %18 = add nsw i32 %17, %9, !dbg !227
  %19 = sext i32 %18 to i64, !dbg !228
  %20 = getelementptr inbounds float, ptr %0, i64 %19, !dbg !228
  %21 = load float, ptr %20, align 4, !dbg !228, !tbaa !32
  %22 = fdiv contract float 1.000000e+00, %21, !dbg !229
  %23 = icmp eq i32 %14, 0, !dbg !230
  br i1 %23, label %26, label %24, !dbg !231

24:                                               ; preds = %13, %30
  %25 = phi i32 [ %37, %30 ], [ 0, %13 ]
  br label %39, !dbg !232

26:                                               ; preds = %30, %13
  %27 = getelementptr inbounds float, ptr %1, i64 %19, !dbg !233
  store float %22, ptr %27, align 4, !dbg !234, !tbaa !32
  %28 = add nuw nsw i32 %14, 1, !dbg !235
  %29 = icmp eq i32 %28, %2, !dbg !236
  br i1 %29, label %59, label %13, !dbg !237, !llvm.loop !238

30:                                               ; preds = %39
  %31 = fmul contract float %22, %56, !dbg !240
  %32 = add nuw nsw i32 %25, %15, !dbg !241
  %33 = mul nsw i32 %32, %3, !dbg !242
  %34 = add nsw i32 %33, %9, !dbg !243
  %35 = sext i32 %34 to i64, !dbg !244
  %36 = getelementptr inbounds float, ptr %1, i64 %35, !dbg !244
  store float %31, ptr %36, align 4, !dbg !245, !tbaa !32
  %37 = add nuw nsw i32 %25, 1, !dbg !246
  %38 = icmp eq i32 %37, %14, !dbg !230
  br i1 %38, label %26, label %24, !dbg !231, !llvm.loop !247

39:                                               ; preds = %24, %39
  %40 = phi i32 [ %25, %24 ], [ %57, %39 ]
  %41 = phi float [ 0.000000e+00, %24 ], [ %56, %39 ]
  %42 = add nuw nsw i32 %40, %15, !dbg !249
  %43 = mul nsw i32 %42, %3, !dbg !250
  %44 = add nsw i32 %43, %9, !dbg !251
  %45 = sext i32 %44 to i64, !dbg !252
  %46 = getelementptr inbounds float, ptr %0, i64 %45, !dbg !252
  %47 = load float, ptr %46, align 4, !dbg !252, !tbaa !32
  %48 = mul nuw nsw i32 %40, %2, !dbg !253
  %49 = add nuw nsw i32 %48, %25, !dbg !254
  %50 = mul nsw i32 %49, %3, !dbg !255
  %51 = add nsw i32 %50, %9, !dbg !256
  %52 = sext i32 %51 to i64, !dbg !257
  %53 = getelementptr inbounds float, ptr %1, i64 %52, !dbg !257
  %54 = load float, ptr %53, align 4, !dbg !257, !tbaa !32
  %55 = fmul contract float %47, %54, !dbg !258
  %56 = fsub contract float %41, %55, !dbg !259
  %57 = add nuw nsw i32 %40, 1, !dbg !260
  %58 = icmp eq i32 %57, %14, !dbg !261
  br i1 %58, label %30, label %39, !dbg !232, !llvm.loop !262

59:                                               ; preds = %26, %4
  ret void, !dbg !264
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "trisolve.cu", directory: ".")
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
!12 = distinct !DISubprogram(name: "trisolve_forward", scope: !1, file: !1, line: 7, type: !13, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 31, column: 1, scope: !16, inlinedAt: !18)
!16 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 31, type: !13, scopeLine: 31, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!17 = !DIFile(filename: "./../common/cuda_words.h", directory: ".")
!18 = distinct !DILocation(line: 10, column: 17, scope: !12)
!19 = !DILocation(line: 32, column: 1, scope: !20, inlinedAt: !21)
!20 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 32, type: !13, scopeLine: 32, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!21 = distinct !DILocation(line: 10, column: 30, scope: !12)
!22 = !DILocation(line: 10, column: 28, scope: !12)
!23 = !DILocation(line: 30, column: 1, scope: !24, inlinedAt: !25)
!24 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 30, type: !13, scopeLine: 30, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!25 = distinct !DILocation(line: 10, column: 43, scope: !12)
!26 = !DILocation(line: 10, column: 41, scope: !12)
!27 = !DILocation(line: 11, column: 9, scope: !12)
!28 = !DILocation(line: 12, column: 5, scope: !12)
!29 = !DILocation(line: 13, column: 23, scope: !12)
!30 = !DILocation(line: 13, column: 31, scope: !12)
!31 = !DILocation(line: 13, column: 19, scope: !12)
!32 = !{!33, !33, i64 0}
!33 = !{!"float", !10, i64 0}
!34 = !DILocation(line: 14, column: 25, scope: !12)
!35 = !DILocation(line: 14, column: 7, scope: !12)
!36 = !DILocation(line: 0, scope: !12)
!37 = !DILocation(line: 17, column: 40, scope: !12)
!38 = !DILocation(line: 17, column: 32, scope: !12)
!39 = !DILocation(line: 17, column: 30, scope: !12)
!40 = !DILocation(line: 17, column: 7, scope: !12)
!41 = !DILocation(line: 17, column: 24, scope: !12)
!42 = !DILocation(line: 12, column: 28, scope: !12)
!43 = !DILocation(line: 12, column: 23, scope: !12)
!44 = distinct !{!44, !28, !45, !46, !47}
!45 = !DILocation(line: 18, column: 5, scope: !12)
!46 = !{!"llvm.loop.mustprogress"}
!47 = !{!"llvm.loop.unroll.disable"}
!48 = !DILocation(line: 15, column: 24, scope: !12)
!49 = !DILocation(line: 15, column: 16, scope: !12)
!50 = !DILocation(line: 15, column: 35, scope: !12)
!51 = !DILocation(line: 15, column: 43, scope: !12)
!52 = !DILocation(line: 15, column: 31, scope: !12)
!53 = !DILocation(line: 15, column: 29, scope: !12)
!54 = !DILocation(line: 15, column: 13, scope: !12)
!55 = !DILocation(line: 14, column: 30, scope: !12)
!56 = distinct !{!56, !35, !57, !46, !47}
!57 = !DILocation(line: 16, column: 7, scope: !12)
!58 = !DILocation(line: 20, column: 1, scope: !12)
!59 = distinct !DISubprogram(name: "trisolve_backward", scope: !1, file: !1, line: 23, type: !13, scopeLine: 25, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!60 = !DILocation(line: 31, column: 1, scope: !16, inlinedAt: !61)
!61 = distinct !DILocation(line: 26, column: 17, scope: !59)
!62 = !DILocation(line: 32, column: 1, scope: !20, inlinedAt: !63)
!63 = distinct !DILocation(line: 26, column: 30, scope: !59)
!64 = !DILocation(line: 26, column: 28, scope: !59)
!65 = !DILocation(line: 30, column: 1, scope: !24, inlinedAt: !66)
!66 = distinct !DILocation(line: 26, column: 43, scope: !59)
!67 = !DILocation(line: 26, column: 41, scope: !59)
!68 = !DILocation(line: 27, column: 9, scope: !59)
!69 = !DILocation(line: 28, column: 5, scope: !59)
!70 = !DILocation(line: 28, scope: !59)
!71 = !DILocation(line: 29, column: 23, scope: !59)
!72 = !DILocation(line: 29, column: 31, scope: !59)
!73 = !DILocation(line: 29, column: 19, scope: !59)
!74 = !DILocation(line: 30, column: 29, scope: !59)
!75 = !DILocation(line: 30, column: 7, scope: !59)
!76 = !DILocation(line: 0, scope: !59)
!77 = !DILocation(line: 33, column: 40, scope: !59)
!78 = !DILocation(line: 33, column: 32, scope: !59)
!79 = !DILocation(line: 33, column: 30, scope: !59)
!80 = !DILocation(line: 33, column: 7, scope: !59)
!81 = !DILocation(line: 33, column: 24, scope: !59)
!82 = !DILocation(line: 28, column: 27, scope: !59)
!83 = distinct !{!83, !69, !84, !46, !47}
!84 = !DILocation(line: 34, column: 5, scope: !59)
!85 = !DILocation(line: 31, column: 24, scope: !59)
!86 = !DILocation(line: 31, column: 16, scope: !59)
!87 = !DILocation(line: 31, column: 35, scope: !59)
!88 = !DILocation(line: 31, column: 43, scope: !59)
!89 = !DILocation(line: 31, column: 31, scope: !59)
!90 = !DILocation(line: 31, column: 29, scope: !59)
!91 = !DILocation(line: 31, column: 13, scope: !59)
!92 = !DILocation(line: 30, column: 34, scope: !59)
!93 = distinct !{!93, !75, !94, !46, !47}
!94 = !DILocation(line: 32, column: 7, scope: !59)
!95 = !DILocation(line: 36, column: 1, scope: !59)
!96 = distinct !DISubprogram(name: "trisolve_pairs", scope: !1, file: !1, line: 39, type: !13, scopeLine: 40, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!97 = !DILocation(line: 31, column: 1, scope: !16, inlinedAt: !98)
!98 = distinct !DILocation(line: 41, column: 17, scope: !96)
!99 = !DILocation(line: 32, column: 1, scope: !20, inlinedAt: !100)
!100 = distinct !DILocation(line: 41, column: 30, scope: !96)
!101 = !DILocation(line: 41, column: 28, scope: !96)
!102 = !DILocation(line: 30, column: 1, scope: !24, inlinedAt: !103)
!103 = distinct !DILocation(line: 41, column: 43, scope: !96)
!104 = !DILocation(line: 41, column: 41, scope: !96)
!105 = !DILocation(line: 42, column: 9, scope: !96)
!106 = !DILocation(line: 43, column: 5, scope: !96)
!107 = !DILocation(line: 44, column: 24, scope: !96)
!108 = !DILocation(line: 44, column: 32, scope: !96)
!109 = !DILocation(line: 44, column: 20, scope: !96)
!110 = !DILocation(line: 46, column: 29, scope: !96)
!111 = !DILocation(line: 46, column: 7, scope: !96)
!112 = !DILocation(line: 0, scope: !96)
!113 = !DILocation(line: 50, column: 13, scope: !96)
!114 = !DILocation(line: 50, column: 17, scope: !96)
!115 = !DILocation(line: 47, column: 25, scope: !96)
!116 = !DILocation(line: 47, column: 17, scope: !96)
!117 = !DILocation(line: 47, column: 36, scope: !96)
!118 = !DILocation(line: 47, column: 44, scope: !96)
!119 = !DILocation(line: 47, column: 32, scope: !96)
!120 = !DILocation(line: 47, column: 30, scope: !96)
!121 = !DILocation(line: 47, column: 14, scope: !96)
!122 = !DILocation(line: 48, column: 16, scope: !96)
!123 = !DILocation(line: 48, column: 45, scope: !96)
!124 = !DILocation(line: 48, column: 53, scope: !96)
!125 = !DILocation(line: 48, column: 35, scope: !96)
!126 = !DILocation(line: 48, column: 33, scope: !96)
!127 = !DILocation(line: 48, column: 13, scope: !96)
!128 = !DILocation(line: 46, column: 36, scope: !96)
!129 = !DILocation(line: 46, column: 25, scope: !96)
!130 = distinct !{!130, !111, !131, !46, !47}
!131 = !DILocation(line: 49, column: 7, scope: !96)
!132 = !DILocation(line: 51, column: 17, scope: !96)
!133 = !DILocation(line: 51, column: 41, scope: !96)
!134 = !DILocation(line: 51, column: 46, scope: !96)
!135 = !DILocation(line: 51, column: 54, scope: !96)
!136 = !DILocation(line: 51, column: 36, scope: !96)
!137 = !DILocation(line: 51, column: 34, scope: !96)
!138 = !DILocation(line: 51, column: 14, scope: !96)
!139 = !DILocation(line: 52, column: 7, scope: !96)
!140 = !DILocation(line: 53, column: 32, scope: !96)
!141 = !DILocation(line: 53, column: 41, scope: !96)
!142 = !DILocation(line: 53, column: 39, scope: !96)
!143 = !DILocation(line: 53, column: 7, scope: !96)
!144 = !DILocation(line: 53, column: 24, scope: !96)
!145 = !DILocation(line: 43, column: 28, scope: !96)
!146 = !DILocation(line: 43, column: 23, scope: !96)
!147 = distinct !{!147, !106, !148, !46, !47}
!148 = !DILocation(line: 54, column: 5, scope: !96)
!149 = !DILocation(line: 56, column: 1, scope: !96)
!150 = distinct !DISubprogram(name: "trisolve_factor", scope: !1, file: !1, line: 59, type: !13, scopeLine: 59, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!151 = !DILocation(line: 31, column: 1, scope: !16, inlinedAt: !152)
!152 = distinct !DILocation(line: 60, column: 17, scope: !150)
!153 = !DILocation(line: 32, column: 1, scope: !20, inlinedAt: !154)
!154 = distinct !DILocation(line: 60, column: 30, scope: !150)
!155 = !DILocation(line: 60, column: 28, scope: !150)
!156 = !DILocation(line: 30, column: 1, scope: !24, inlinedAt: !157)
!157 = distinct !DILocation(line: 60, column: 43, scope: !150)
!158 = !DILocation(line: 60, column: 41, scope: !150)
!159 = !DILocation(line: 61, column: 9, scope: !150)
!160 = !DILocation(line: 62, column: 5, scope: !150)
!161 = !DILocation(line: 63, column: 26, scope: !150)
!162 = !DILocation(line: 63, column: 30, scope: !150)
!163 = !DILocation(line: 63, column: 35, scope: !150)
!164 = !DILocation(line: 63, column: 43, scope: !150)
!165 = !DILocation(line: 63, column: 21, scope: !150)
!166 = !DILocation(line: 64, column: 25, scope: !150)
!167 = !DILocation(line: 64, column: 7, scope: !150)
!168 = !DILocation(line: 65, column: 30, scope: !150)
!169 = !DILocation(line: 65, column: 35, scope: !150)
!170 = !DILocation(line: 65, column: 43, scope: !150)
!171 = !DILocation(line: 65, column: 21, scope: !150)
!172 = !DILocation(line: 66, column: 27, scope: !150)
!173 = !DILocation(line: 66, column: 9, scope: !150)
!174 = !DILocation(line: 0, scope: !150)
!175 = !DILocation(line: 69, column: 36, scope: !150)
!176 = !DILocation(line: 64, column: 30, scope: !150)
!177 = distinct !{!177, !167, !178, !46, !47}
!178 = !DILocation(line: 70, column: 7, scope: !150)
!179 = !DILocation(line: 67, column: 27, scope: !150)
!180 = !DILocation(line: 67, column: 32, scope: !150)
!181 = !DILocation(line: 67, column: 40, scope: !150)
!182 = !DILocation(line: 67, column: 18, scope: !150)
!183 = !DILocation(line: 67, column: 56, scope: !150)
!184 = !DILocation(line: 67, column: 61, scope: !150)
!185 = !DILocation(line: 67, column: 69, scope: !150)
!186 = !DILocation(line: 67, column: 47, scope: !150)
!187 = !DILocation(line: 67, column: 45, scope: !150)
!188 = !DILocation(line: 67, column: 15, scope: !150)
!189 = !DILocation(line: 66, column: 32, scope: !150)
!190 = distinct !{!190, !173, !191, !46, !47}
!191 = !DILocation(line: 68, column: 9, scope: !150)
!192 = !DILocation(line: 77, column: 34, scope: !150)
!193 = !DILocation(line: 62, column: 28, scope: !150)
!194 = !DILocation(line: 62, column: 23, scope: !150)
!195 = distinct !{!195, !160, !196, !46, !47}
!196 = !DILocation(line: 78, column: 5, scope: !150)
!197 = !DILocation(line: 72, column: 39, scope: !150)
!198 = !DILocation(line: 72, column: 44, scope: !150)
!199 = !DILocation(line: 72, column: 52, scope: !150)
!200 = !DILocation(line: 72, column: 30, scope: !150)
!201 = !DILocation(line: 73, column: 53, scope: !150)
!202 = !DILocation(line: 73, column: 61, scope: !150)
!203 = !DILocation(line: 73, column: 39, scope: !150)
!204 = !DILocation(line: 73, column: 37, scope: !150)
!205 = !DILocation(line: 74, column: 25, scope: !150)
!206 = !DILocation(line: 74, column: 15, scope: !150)
!207 = !DILocation(line: 75, column: 36, scope: !150)
!208 = !DILocation(line: 71, column: 30, scope: !150)
!209 = !DILocation(line: 71, column: 25, scope: !150)
!210 = !DILocation(line: 71, column: 7, scope: !150)
!211 = distinct !{!211, !210, !212, !46, !47}
!212 = !DILocation(line: 76, column: 7, scope: !150)
!213 = !DILocation(line: 80, column: 1, scope: !150)
!214 = distinct !DISubprogram(name: "trisolve_inverse", scope: !1, file: !1, line: 83, type: !13, scopeLine: 84, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!215 = !DILocation(line: 31, column: 1, scope: !16, inlinedAt: !216)
!216 = distinct !DILocation(line: 85, column: 17, scope: !214)
!217 = !DILocation(line: 32, column: 1, scope: !20, inlinedAt: !218)
!218 = distinct !DILocation(line: 85, column: 30, scope: !214)
!219 = !DILocation(line: 85, column: 28, scope: !214)
!220 = !DILocation(line: 30, column: 1, scope: !24, inlinedAt: !221)
!221 = distinct !DILocation(line: 85, column: 43, scope: !214)
!222 = !DILocation(line: 85, column: 41, scope: !214)
!223 = !DILocation(line: 86, column: 9, scope: !214)
!224 = !DILocation(line: 88, column: 39, scope: !214)
!225 = !DILocation(line: 88, column: 43, scope: !214)
!226 = !DILocation(line: 88, column: 48, scope: !214)
!227 = !DILocation(line: 88, column: 56, scope: !214)
!228 = !DILocation(line: 88, column: 34, scope: !214)
!229 = !DILocation(line: 88, column: 32, scope: !214)
!230 = !DILocation(line: 89, column: 25, scope: !214)
!231 = !DILocation(line: 89, column: 7, scope: !214)
!232 = !DILocation(line: 91, column: 9, scope: !214)
!233 = !DILocation(line: 96, column: 7, scope: !214)
!234 = !DILocation(line: 96, column: 34, scope: !214)
!235 = !DILocation(line: 87, column: 28, scope: !214)
!236 = !DILocation(line: 87, column: 23, scope: !214)
!237 = !DILocation(line: 87, column: 5, scope: !214)
!238 = distinct !{!238, !237, !239, !46, !47}
!239 = !DILocation(line: 97, column: 5, scope: !214)
!240 = !DILocation(line: 94, column: 42, scope: !214)
!241 = !DILocation(line: 94, column: 18, scope: !214)
!242 = !DILocation(line: 94, column: 23, scope: !214)
!243 = !DILocation(line: 94, column: 31, scope: !214)
!244 = !DILocation(line: 94, column: 9, scope: !214)
!245 = !DILocation(line: 94, column: 36, scope: !214)
!246 = !DILocation(line: 89, column: 30, scope: !214)
!247 = distinct !{!247, !231, !248, !46, !47}
!248 = !DILocation(line: 95, column: 7, scope: !214)
!249 = !DILocation(line: 92, column: 27, scope: !214)
!250 = !DILocation(line: 92, column: 32, scope: !214)
!251 = !DILocation(line: 92, column: 40, scope: !214)
!252 = !DILocation(line: 92, column: 18, scope: !214)
!253 = !DILocation(line: 92, column: 52, scope: !214)
!254 = !DILocation(line: 92, column: 56, scope: !214)
!255 = !DILocation(line: 92, column: 61, scope: !214)
!256 = !DILocation(line: 92, column: 69, scope: !214)
!257 = !DILocation(line: 92, column: 47, scope: !214)
!258 = !DILocation(line: 92, column: 45, scope: !214)
!259 = !DILocation(line: 92, column: 15, scope: !214)
!260 = !DILocation(line: 91, column: 32, scope: !214)
!261 = !DILocation(line: 91, column: 27, scope: !214)
!262 = distinct !{!262, !232, !263, !46, !47}
!263 = !DILocation(line: 93, column: 9, scope: !214)
!264 = !DILocation(line: 99, column: 1, scope: !214)
