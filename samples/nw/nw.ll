; ModuleID = 'nw.cu'
source_filename = "nw.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ13nw_upper_leftE5score = internal unnamed_addr addrspace(3) global [17 x [17 x i32]] undef, align 4
@_ZZ13nw_upper_leftE5match = internal unnamed_addr addrspace(3) global [16 x [16 x i32]] undef, align 4
@_ZZ14nw_lower_rightE5score = internal unnamed_addr addrspace(3) global [17 x [17 x i32]] undef, align 4
@_ZZ14nw_lower_rightE5match = internal unnamed_addr addrspace(3) global [16 x [16 x i32]] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @nw_upper_left(ptr noalias noundef captures(none) %0, ptr noalias noundef readonly captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #0 !dbg !12 {
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !15
  %7 = sub nsw i32 %4, %6, !dbg !19
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !20
  %9 = shl nsw i32 %7, 4, !dbg !25
  %10 = shl nsw i32 %6, 4, !dbg !26
  %11 = add nsw i32 %2, 1, !dbg !27
  %12 = icmp eq i32 %8, 0, !dbg !28
  %13 = mul nsw i32 %9, %11
  br i1 %12, label %14, label %19, !dbg !28

14:                                               ; preds = %5
  %15 = add nsw i32 %13, %10
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds i32, ptr %0, i64 %16
  %18 = load i32, ptr %17, align 4, !dbg !29, !tbaa !8
  store i32 %18, ptr addrspacecast (ptr addrspace(3) @_ZZ13nw_upper_leftE5score to ptr), align 4, !dbg !30, !tbaa !8
  br label %19, !dbg !31

19:                                               ; preds = %14, %5
  %20 = add nuw i32 %10, %8, !dbg !32
  %21 = add i32 %13, %20, !dbg !33
  %22 = sext i32 %21 to i64, !dbg !34
  %23 = getelementptr i32, ptr %0, i64 %22, !dbg !34
  %24 = getelementptr i8, ptr %23, i64 4, !dbg !34
  %25 = load i32, ptr %24, align 4, !dbg !34, !tbaa !8
  %26 = add nuw nsw i32 %8, 1, !dbg !35
  %27 = zext nneg i32 %26 to i64, !dbg !36
  %28 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ13nw_upper_leftE5score to ptr), i64 %27, !dbg !36
  store i32 %25, ptr %28, align 4, !dbg !37, !tbaa !8
  %29 = add i32 %9, %26, !dbg !38
  %30 = mul nsw i32 %29, %11, !dbg !39
  %31 = add nsw i32 %30, %10, !dbg !40
  %32 = sext i32 %31 to i64, !dbg !41
  %33 = getelementptr inbounds i32, ptr %0, i64 %32, !dbg !41
  %34 = load i32, ptr %33, align 4, !dbg !41, !tbaa !8
  %35 = getelementptr inbounds nuw [17 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ13nw_upper_leftE5score to ptr), i64 %27, !dbg !42
  store i32 %34, ptr %35, align 4, !dbg !43, !tbaa !8
  %36 = zext nneg i32 %8 to i64
  %37 = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @_ZZ13nw_upper_leftE5match to ptr), i64 %36, !dbg !44
  br label %98, !dbg !45

38:                                               ; preds = %98
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !46
  br label %47, !dbg !47

39:                                               ; preds = %68
  %40 = sub nsw i32 16, %8
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [17 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ13nw_upper_leftE5score to ptr), i64 %41
  %43 = sub nsw i32 15, %8
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds [17 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ13nw_upper_leftE5score to ptr), i64 %44
  %46 = getelementptr inbounds [16 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ13nw_upper_leftE5match to ptr), i64 %44
  br label %71, !dbg !50

47:                                               ; preds = %68, %38
  %48 = phi i32 [ 0, %38 ], [ %69, %68 ]
  %49 = icmp samesign ugt i32 %8, %48, !dbg !51
  br i1 %49, label %68, label %50, !dbg !51

50:                                               ; preds = %47
  %51 = sub nuw nsw i32 %48, %8, !dbg !52
  %52 = zext nneg i32 %51 to i64, !dbg !53
  %53 = getelementptr inbounds nuw [17 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ13nw_upper_leftE5score to ptr), i64 %52, !dbg !53
  %54 = getelementptr inbounds nuw i8, ptr %53, i64 68, !dbg !53
  %55 = getelementptr inbounds nuw i32, ptr %54, i64 %36, !dbg !53
  %56 = load i32, ptr %55, align 4, !dbg !53, !tbaa !8
  %57 = getelementptr inbounds nuw i32, ptr %53, i64 %27, !dbg !54
  %58 = load i32, ptr %57, align 4, !dbg !54, !tbaa !8
  %59 = tail call noundef i32 @llvm.smax.i32(i32 %56, i32 %58), !dbg !55
  %60 = sub nsw i32 %59, %3, !dbg !58
  %61 = getelementptr inbounds nuw i32, ptr %53, i64 %36, !dbg !59
  %62 = load i32, ptr %61, align 4, !dbg !59, !tbaa !8
  %63 = getelementptr [16 x i32], ptr %37, i64 %52, !dbg !60
  %64 = load i32, ptr %63, align 4, !dbg !60, !tbaa !8
  %65 = add nsw i32 %64, %62, !dbg !61
  %66 = tail call noundef i32 @llvm.smax.i32(i32 %65, i32 %60), !dbg !62
  %67 = getelementptr inbounds nuw i32, ptr %54, i64 %27, !dbg !64
  store i32 %66, ptr %67, align 4, !dbg !65, !tbaa !8
  br label %68, !dbg !66

68:                                               ; preds = %50, %47
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !67
  %69 = add nuw nsw i32 %48, 1, !dbg !68
  %70 = icmp eq i32 %69, 16, !dbg !69
  br i1 %70, label %39, label %47, !dbg !47, !llvm.loop !70

71:                                               ; preds = %93, %39
  %72 = phi i32 [ 14, %39 ], [ %94, %93 ]
  %73 = icmp samesign ugt i32 %8, %72, !dbg !74
  br i1 %73, label %93, label %74, !dbg !74

74:                                               ; preds = %71
  %75 = sub nsw i32 %8, %72, !dbg !75
  %76 = add nsw i32 %75, 16, !dbg !75
  %77 = add nsw i32 %75, 15, !dbg !76
  %78 = sext i32 %77 to i64, !dbg !77
  %79 = getelementptr inbounds i32, ptr %42, i64 %78, !dbg !77
  %80 = load i32, ptr %79, align 4, !dbg !77, !tbaa !8
  %81 = sext i32 %76 to i64, !dbg !78
  %82 = getelementptr inbounds i32, ptr %45, i64 %81, !dbg !78
  %83 = load i32, ptr %82, align 4, !dbg !78, !tbaa !8
  %84 = tail call noundef i32 @llvm.smax.i32(i32 %80, i32 %83), !dbg !79
  %85 = sub nsw i32 %84, %3, !dbg !81
  %86 = getelementptr inbounds i32, ptr %45, i64 %78, !dbg !82
  %87 = load i32, ptr %86, align 4, !dbg !82, !tbaa !8
  %88 = getelementptr inbounds i32, ptr %46, i64 %78, !dbg !83
  %89 = load i32, ptr %88, align 4, !dbg !83, !tbaa !8
  %90 = add nsw i32 %89, %87, !dbg !84
  %91 = tail call noundef i32 @llvm.smax.i32(i32 %90, i32 %85), !dbg !85
  %92 = getelementptr inbounds i32, ptr %42, i64 %81, !dbg !87
  store i32 %91, ptr %92, align 4, !dbg !88, !tbaa !8
  br label %93, !dbg !89

93:                                               ; preds = %74, %71
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !90
  %94 = add nsw i32 %72, -1, !dbg !91
  %95 = icmp eq i32 %72, 0, !dbg !92
  br i1 %95, label %96, label %71, !dbg !50, !llvm.loop !93

96:                                               ; preds = %93
  %97 = or disjoint i32 %9, 1
  br label %110, !dbg !95

98:                                               ; preds = %98, %19
  %99 = phi i32 [ 0, %19 ], [ %108, %98 ]
  %100 = add nuw nsw i32 %99, %9, !dbg !96
  %101 = mul nsw i32 %100, %2, !dbg !97
  %102 = add i32 %101, %20, !dbg !98
  %103 = sext i32 %102 to i64, !dbg !99
  %104 = getelementptr inbounds i32, ptr %1, i64 %103, !dbg !99
  %105 = load i32, ptr %104, align 4, !dbg !99, !tbaa !8
  %106 = zext nneg i32 %99 to i64, !dbg !100
  %107 = getelementptr inbounds nuw [16 x i32], ptr %37, i64 %106, !dbg !100
  store i32 %105, ptr %107, align 4, !dbg !101, !tbaa !8
  %108 = add nuw nsw i32 %99, 1, !dbg !102
  %109 = icmp eq i32 %108, 16, !dbg !103
  br i1 %109, label %38, label %98, !dbg !45, !llvm.loop !104

110:                                              ; preds = %110, %96
  %111 = phi i32 [ 0, %96 ], [ %112, %110 ]
  %112 = add nuw nsw i32 %111, 1, !dbg !106
  %113 = zext nneg i32 %112 to i64, !dbg !107
  %114 = getelementptr inbounds nuw [17 x i32], ptr %28, i64 %113, !dbg !107
  %115 = load i32, ptr %114, align 4, !dbg !107, !tbaa !8
  %116 = add i32 %97, %111, !dbg !108
  %117 = mul nsw i32 %116, %11, !dbg !109
  %118 = add i32 %117, %20, !dbg !110
  %119 = sext i32 %118 to i64, !dbg !111
  %120 = getelementptr i32, ptr %0, i64 %119, !dbg !111
  %121 = getelementptr i8, ptr %120, i64 4, !dbg !111
  store i32 %115, ptr %121, align 4, !dbg !112, !tbaa !8
  %122 = icmp eq i32 %112, 16, !dbg !113
  br i1 %122, label %123, label %110, !dbg !95, !llvm.loop !114

123:                                              ; preds = %110
  ret void, !dbg !116
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @nw_lower_right(ptr noalias noundef captures(none) %0, ptr noalias noundef readonly captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #0 !dbg !117 {
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !118
  %7 = sdiv i32 %2, 16, !dbg !120
  %8 = xor i32 %6, -1, !dbg !121
  %9 = add i32 %7, %8, !dbg !121
  %10 = add nsw i32 %4, %6, !dbg !122
  %11 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !123
  %12 = shl nsw i32 %9, 4, !dbg !126
  %13 = shl nsw i32 %10, 4, !dbg !127
  %14 = add nsw i32 %2, 1, !dbg !128
  %15 = icmp eq i32 %11, 0, !dbg !129
  %16 = mul nsw i32 %12, %14
  br i1 %15, label %17, label %22, !dbg !129

17:                                               ; preds = %5
  %18 = add nsw i32 %16, %13
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds i32, ptr %0, i64 %19
  %21 = load i32, ptr %20, align 4, !dbg !130, !tbaa !8
  store i32 %21, ptr addrspacecast (ptr addrspace(3) @_ZZ14nw_lower_rightE5score to ptr), align 4, !dbg !131, !tbaa !8
  br label %22, !dbg !132

22:                                               ; preds = %17, %5
  %23 = add i32 %13, %11, !dbg !133
  %24 = add i32 %23, %16, !dbg !134
  %25 = sext i32 %24 to i64, !dbg !135
  %26 = getelementptr i32, ptr %0, i64 %25, !dbg !135
  %27 = getelementptr i8, ptr %26, i64 4, !dbg !135
  %28 = load i32, ptr %27, align 4, !dbg !135, !tbaa !8
  %29 = add nuw nsw i32 %11, 1, !dbg !136
  %30 = zext nneg i32 %29 to i64, !dbg !137
  %31 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ14nw_lower_rightE5score to ptr), i64 %30, !dbg !137
  store i32 %28, ptr %31, align 4, !dbg !138, !tbaa !8
  %32 = add i32 %12, %29, !dbg !139
  %33 = mul nsw i32 %32, %14, !dbg !140
  %34 = add nsw i32 %33, %13, !dbg !141
  %35 = sext i32 %34 to i64, !dbg !142
  %36 = getelementptr inbounds i32, ptr %0, i64 %35, !dbg !142
  %37 = load i32, ptr %36, align 4, !dbg !142, !tbaa !8
  %38 = getelementptr inbounds nuw [17 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ14nw_lower_rightE5score to ptr), i64 %30, !dbg !143
  store i32 %37, ptr %38, align 4, !dbg !144, !tbaa !8
  %39 = zext nneg i32 %11 to i64
  %40 = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @_ZZ14nw_lower_rightE5match to ptr), i64 %39, !dbg !145
  br label %101, !dbg !146

41:                                               ; preds = %101
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !147
  br label %50, !dbg !148

42:                                               ; preds = %71
  %43 = sub nsw i32 16, %11
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds [17 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ14nw_lower_rightE5score to ptr), i64 %44
  %46 = sub nsw i32 15, %11
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds [17 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ14nw_lower_rightE5score to ptr), i64 %47
  %49 = getelementptr inbounds [16 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ14nw_lower_rightE5match to ptr), i64 %47
  br label %74, !dbg !150

50:                                               ; preds = %71, %41
  %51 = phi i32 [ 0, %41 ], [ %72, %71 ]
  %52 = icmp samesign ugt i32 %11, %51, !dbg !151
  br i1 %52, label %71, label %53, !dbg !151

53:                                               ; preds = %50
  %54 = sub nuw nsw i32 %51, %11, !dbg !152
  %55 = zext nneg i32 %54 to i64, !dbg !153
  %56 = getelementptr inbounds nuw [17 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ14nw_lower_rightE5score to ptr), i64 %55, !dbg !153
  %57 = getelementptr inbounds nuw i8, ptr %56, i64 68, !dbg !153
  %58 = getelementptr inbounds nuw i32, ptr %57, i64 %39, !dbg !153
  %59 = load i32, ptr %58, align 4, !dbg !153, !tbaa !8
  %60 = getelementptr inbounds nuw i32, ptr %56, i64 %30, !dbg !154
  %61 = load i32, ptr %60, align 4, !dbg !154, !tbaa !8
  %62 = tail call noundef i32 @llvm.smax.i32(i32 %59, i32 %61), !dbg !155
  %63 = sub nsw i32 %62, %3, !dbg !157
  %64 = getelementptr inbounds nuw i32, ptr %56, i64 %39, !dbg !158
  %65 = load i32, ptr %64, align 4, !dbg !158, !tbaa !8
  %66 = getelementptr [16 x i32], ptr %40, i64 %55, !dbg !159
  %67 = load i32, ptr %66, align 4, !dbg !159, !tbaa !8
  %68 = add nsw i32 %67, %65, !dbg !160
  %69 = tail call noundef i32 @llvm.smax.i32(i32 %68, i32 %63), !dbg !161
  %70 = getelementptr inbounds nuw i32, ptr %57, i64 %30, !dbg !163
  store i32 %69, ptr %70, align 4, !dbg !164, !tbaa !8
  br label %71, !dbg !165

71:                                               ; preds = %53, %50
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !166
  %72 = add nuw nsw i32 %51, 1, !dbg !167
  %73 = icmp eq i32 %72, 16, !dbg !168
  br i1 %73, label %42, label %50, !dbg !148, !llvm.loop !169

74:                                               ; preds = %96, %42
  %75 = phi i32 [ 14, %42 ], [ %97, %96 ]
  %76 = icmp samesign ugt i32 %11, %75, !dbg !171
  br i1 %76, label %96, label %77, !dbg !171

77:                                               ; preds = %74
  %78 = sub nsw i32 %11, %75, !dbg !172
  %79 = add nsw i32 %78, 16, !dbg !172
  %80 = add nsw i32 %78, 15, !dbg !173
  %81 = sext i32 %80 to i64, !dbg !174
  %82 = getelementptr inbounds i32, ptr %45, i64 %81, !dbg !174
  %83 = load i32, ptr %82, align 4, !dbg !174, !tbaa !8
  %84 = sext i32 %79 to i64, !dbg !175
  %85 = getelementptr inbounds i32, ptr %48, i64 %84, !dbg !175
  %86 = load i32, ptr %85, align 4, !dbg !175, !tbaa !8
  %87 = tail call noundef i32 @llvm.smax.i32(i32 %83, i32 %86), !dbg !176
  %88 = sub nsw i32 %87, %3, !dbg !178
  %89 = getelementptr inbounds i32, ptr %48, i64 %81, !dbg !179
  %90 = load i32, ptr %89, align 4, !dbg !179, !tbaa !8
  %91 = getelementptr inbounds i32, ptr %49, i64 %81, !dbg !180
  %92 = load i32, ptr %91, align 4, !dbg !180, !tbaa !8
  %93 = add nsw i32 %92, %90, !dbg !181
  %94 = tail call noundef i32 @llvm.smax.i32(i32 %93, i32 %88), !dbg !182
  %95 = getelementptr inbounds i32, ptr %45, i64 %84, !dbg !184
  store i32 %94, ptr %95, align 4, !dbg !185, !tbaa !8
  br label %96, !dbg !186

96:                                               ; preds = %77, %74
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !187
  %97 = add nsw i32 %75, -1, !dbg !188
  %98 = icmp eq i32 %75, 0, !dbg !189
  br i1 %98, label %99, label %74, !dbg !150, !llvm.loop !190

99:                                               ; preds = %96
  %100 = or disjoint i32 %12, 1
  br label %113, !dbg !192

101:                                              ; preds = %101, %22
  %102 = phi i32 [ 0, %22 ], [ %111, %101 ]
  %103 = add nuw nsw i32 %102, %12, !dbg !193
  %104 = mul nsw i32 %103, %2, !dbg !194
  %105 = add i32 %104, %23, !dbg !195
  %106 = sext i32 %105 to i64, !dbg !196
  %107 = getelementptr inbounds i32, ptr %1, i64 %106, !dbg !196
  %108 = load i32, ptr %107, align 4, !dbg !196, !tbaa !8
  %109 = zext nneg i32 %102 to i64, !dbg !197
  %110 = getelementptr inbounds nuw [16 x i32], ptr %40, i64 %109, !dbg !197
  store i32 %108, ptr %110, align 4, !dbg !198, !tbaa !8
  %111 = add nuw nsw i32 %102, 1, !dbg !199
  %112 = icmp eq i32 %111, 16, !dbg !200
  br i1 %112, label %41, label %101, !dbg !146, !llvm.loop !201

113:                                              ; preds = %113, %99
  %114 = phi i32 [ 0, %99 ], [ %115, %113 ]
  %115 = add nuw nsw i32 %114, 1, !dbg !203
  %116 = zext nneg i32 %115 to i64, !dbg !204
  %117 = getelementptr inbounds nuw [17 x i32], ptr %31, i64 %116, !dbg !204
  %118 = load i32, ptr %117, align 4, !dbg !204, !tbaa !8
  %119 = add i32 %100, %114, !dbg !205
  %120 = mul nsw i32 %119, %14, !dbg !206
  %121 = add i32 %120, %23, !dbg !207
  %122 = sext i32 %121 to i64, !dbg !208
  %123 = getelementptr i32, ptr %0, i64 %122, !dbg !208
  %124 = getelementptr i8, ptr %123, i64 4, !dbg !208
  store i32 %118, ptr %124, align 4, !dbg !209, !tbaa !8
  %125 = icmp eq i32 %115, 16, !dbg !210
  br i1 %125, label %126, label %113, !dbg !192, !llvm.loop !211

126:                                              ; preds = %113
  ret void, !dbg !213
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #3

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "nw.cu", directory: ".")
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
!12 = distinct !DISubprogram(name: "nw_upper_left", scope: !1, file: !1, line: 65, type: !13, scopeLine: 67, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 31, column: 1, scope: !16, inlinedAt: !18)
!16 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 31, type: !13, scopeLine: 31, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!17 = !DIFile(filename: "./../common/cuda_words.h", directory: ".")
!18 = distinct !DILocation(line: 70, column: 17, scope: !12)
!19 = !DILocation(line: 71, column: 55, scope: !12)
!20 = !DILocation(line: 30, column: 1, scope: !21, inlinedAt: !22)
!21 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 30, type: !13, scopeLine: 30, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = distinct !DILocation(line: 43, column: 19, scope: !23, inlinedAt: !24)
!23 = distinct !DISubprogram(name: "align_tile", scope: !1, file: !1, line: 40, type: !13, scopeLine: 42, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!24 = distinct !DILocation(line: 71, column: 3, scope: !12)
!25 = !DILocation(line: 44, column: 28, scope: !23, inlinedAt: !24)
!26 = !DILocation(line: 45, column: 34, scope: !23, inlinedAt: !24)
!27 = !DILocation(line: 46, column: 23, scope: !23, inlinedAt: !24)
!28 = !DILocation(line: 47, column: 11, scope: !23, inlinedAt: !24)
!29 = !DILocation(line: 48, column: 19, scope: !23, inlinedAt: !24)
!30 = !DILocation(line: 48, column: 17, scope: !23, inlinedAt: !24)
!31 = !DILocation(line: 49, column: 3, scope: !23, inlinedAt: !24)
!32 = !DILocation(line: 50, column: 42, scope: !23, inlinedAt: !24)
!33 = !DILocation(line: 50, column: 51, scope: !23, inlinedAt: !24)
!34 = !DILocation(line: 50, column: 23, scope: !23, inlinedAt: !24)
!35 = !DILocation(line: 50, column: 16, scope: !23, inlinedAt: !24)
!36 = !DILocation(line: 50, column: 3, scope: !23, inlinedAt: !24)
!37 = !DILocation(line: 50, column: 21, scope: !23, inlinedAt: !24)
!38 = !DILocation(line: 51, column: 41, scope: !23, inlinedAt: !24)
!39 = !DILocation(line: 51, column: 46, scope: !23, inlinedAt: !24)
!40 = !DILocation(line: 51, column: 54, scope: !23, inlinedAt: !24)
!41 = !DILocation(line: 51, column: 23, scope: !23, inlinedAt: !24)
!42 = !DILocation(line: 51, column: 3, scope: !23, inlinedAt: !24)
!43 = !DILocation(line: 51, column: 21, scope: !23, inlinedAt: !24)
!44 = !DILocation(line: 52, column: 8, scope: !23, inlinedAt: !24)
!45 = !DILocation(line: 52, column: 3, scope: !23, inlinedAt: !24)
!46 = !DILocation(line: 55, column: 3, scope: !23, inlinedAt: !24)
!47 = !DILocation(line: 19, column: 3, scope: !48, inlinedAt: !49)
!48 = distinct !DISubprogram(name: "fill_tile", scope: !1, file: !1, line: 17, type: !13, scopeLine: 18, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!49 = distinct !DILocation(line: 57, column: 3, scope: !23, inlinedAt: !24)
!50 = !DILocation(line: 28, column: 3, scope: !48, inlinedAt: !49)
!51 = !DILocation(line: 20, column: 13, scope: !48, inlinedAt: !49)
!52 = !DILocation(line: 22, column: 23, scope: !48, inlinedAt: !49)
!53 = !DILocation(line: 23, column: 30, scope: !48, inlinedAt: !49)
!54 = !DILocation(line: 23, column: 47, scope: !48, inlinedAt: !49)
!55 = !DILocation(line: 13, column: 53, scope: !56, inlinedAt: !57)
!56 = distinct !DISubprogram(name: "larger", scope: !1, file: !1, line: 13, type: !13, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!57 = distinct !DILocation(line: 23, column: 23, scope: !48, inlinedAt: !49)
!58 = !DILocation(line: 23, column: 64, scope: !48, inlinedAt: !49)
!59 = !DILocation(line: 24, column: 28, scope: !48, inlinedAt: !49)
!60 = !DILocation(line: 24, column: 50, scope: !48, inlinedAt: !49)
!61 = !DILocation(line: 24, column: 48, scope: !48, inlinedAt: !49)
!62 = !DILocation(line: 13, column: 53, scope: !56, inlinedAt: !63)
!63 = distinct !DILocation(line: 24, column: 21, scope: !48, inlinedAt: !49)
!64 = !DILocation(line: 24, column: 7, scope: !48, inlinedAt: !49)
!65 = !DILocation(line: 24, column: 19, scope: !48, inlinedAt: !49)
!66 = !DILocation(line: 25, column: 5, scope: !48, inlinedAt: !49)
!67 = !DILocation(line: 26, column: 5, scope: !48, inlinedAt: !49)
!68 = !DILocation(line: 19, column: 36, scope: !48, inlinedAt: !49)
!69 = !DILocation(line: 19, column: 21, scope: !48, inlinedAt: !49)
!70 = distinct !{!70, !47, !71, !72, !73}
!71 = !DILocation(line: 27, column: 3, scope: !48, inlinedAt: !49)
!72 = !{!"llvm.loop.mustprogress"}
!73 = !{!"llvm.loop.unroll.disable"}
!74 = !DILocation(line: 29, column: 13, scope: !48, inlinedAt: !49)
!75 = !DILocation(line: 30, column: 30, scope: !48, inlinedAt: !49)
!76 = !DILocation(line: 32, column: 41, scope: !48, inlinedAt: !49)
!77 = !DILocation(line: 32, column: 30, scope: !48, inlinedAt: !49)
!78 = !DILocation(line: 32, column: 47, scope: !48, inlinedAt: !49)
!79 = !DILocation(line: 13, column: 53, scope: !56, inlinedAt: !80)
!80 = distinct !DILocation(line: 32, column: 23, scope: !48, inlinedAt: !49)
!81 = !DILocation(line: 32, column: 64, scope: !48, inlinedAt: !49)
!82 = !DILocation(line: 33, column: 28, scope: !48, inlinedAt: !49)
!83 = !DILocation(line: 33, column: 50, scope: !48, inlinedAt: !49)
!84 = !DILocation(line: 33, column: 48, scope: !48, inlinedAt: !49)
!85 = !DILocation(line: 13, column: 53, scope: !56, inlinedAt: !86)
!86 = distinct !DILocation(line: 33, column: 21, scope: !48, inlinedAt: !49)
!87 = !DILocation(line: 33, column: 7, scope: !48, inlinedAt: !49)
!88 = !DILocation(line: 33, column: 19, scope: !48, inlinedAt: !49)
!89 = !DILocation(line: 34, column: 5, scope: !48, inlinedAt: !49)
!90 = !DILocation(line: 35, column: 5, scope: !48, inlinedAt: !49)
!91 = !DILocation(line: 28, column: 59, scope: !48, inlinedAt: !49)
!92 = !DILocation(line: 28, column: 28, scope: !48, inlinedAt: !49)
!93 = distinct !{!93, !50, !94, !72, !73}
!94 = !DILocation(line: 36, column: 3, scope: !48, inlinedAt: !49)
!95 = !DILocation(line: 59, column: 3, scope: !23, inlinedAt: !24)
!96 = !DILocation(line: 53, column: 37, scope: !23, inlinedAt: !24)
!97 = !DILocation(line: 53, column: 42, scope: !23, inlinedAt: !24)
!98 = !DILocation(line: 53, column: 55, scope: !23, inlinedAt: !24)
!99 = !DILocation(line: 53, column: 21, scope: !23, inlinedAt: !24)
!100 = !DILocation(line: 53, column: 5, scope: !23, inlinedAt: !24)
!101 = !DILocation(line: 53, column: 19, scope: !23, inlinedAt: !24)
!102 = !DILocation(line: 52, column: 29, scope: !23, inlinedAt: !24)
!103 = !DILocation(line: 52, column: 21, scope: !23, inlinedAt: !24)
!104 = distinct !{!104, !45, !105, !72, !73}
!105 = !DILocation(line: 54, column: 3, scope: !23, inlinedAt: !24)
!106 = !DILocation(line: 60, column: 64, scope: !23, inlinedAt: !24)
!107 = !DILocation(line: 60, column: 56, scope: !23, inlinedAt: !24)
!108 = !DILocation(line: 60, column: 21, scope: !23, inlinedAt: !24)
!109 = !DILocation(line: 60, column: 26, scope: !23, inlinedAt: !24)
!110 = !DILocation(line: 60, column: 43, scope: !23, inlinedAt: !24)
!111 = !DILocation(line: 60, column: 5, scope: !23, inlinedAt: !24)
!112 = !DILocation(line: 60, column: 54, scope: !23, inlinedAt: !24)
!113 = !DILocation(line: 59, column: 21, scope: !23, inlinedAt: !24)
!114 = distinct !{!114, !95, !115, !72, !73}
!115 = !DILocation(line: 61, column: 3, scope: !23, inlinedAt: !24)
!116 = !DILocation(line: 72, column: 1, scope: !12)
!117 = distinct !DISubprogram(name: "nw_lower_right", scope: !1, file: !1, line: 75, type: !13, scopeLine: 77, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!118 = !DILocation(line: 31, column: 1, scope: !16, inlinedAt: !119)
!119 = distinct !DILocation(line: 80, column: 17, scope: !117)
!120 = !DILocation(line: 81, column: 48, scope: !117)
!121 = !DILocation(line: 81, column: 59, scope: !117)
!122 = !DILocation(line: 81, column: 73, scope: !117)
!123 = !DILocation(line: 30, column: 1, scope: !21, inlinedAt: !124)
!124 = distinct !DILocation(line: 43, column: 19, scope: !23, inlinedAt: !125)
!125 = distinct !DILocation(line: 81, column: 3, scope: !117)
!126 = !DILocation(line: 44, column: 28, scope: !23, inlinedAt: !125)
!127 = !DILocation(line: 45, column: 34, scope: !23, inlinedAt: !125)
!128 = !DILocation(line: 46, column: 23, scope: !23, inlinedAt: !125)
!129 = !DILocation(line: 47, column: 11, scope: !23, inlinedAt: !125)
!130 = !DILocation(line: 48, column: 19, scope: !23, inlinedAt: !125)
!131 = !DILocation(line: 48, column: 17, scope: !23, inlinedAt: !125)
!132 = !DILocation(line: 49, column: 3, scope: !23, inlinedAt: !125)
!133 = !DILocation(line: 50, column: 42, scope: !23, inlinedAt: !125)
!134 = !DILocation(line: 50, column: 51, scope: !23, inlinedAt: !125)
!135 = !DILocation(line: 50, column: 23, scope: !23, inlinedAt: !125)
!136 = !DILocation(line: 50, column: 16, scope: !23, inlinedAt: !125)
!137 = !DILocation(line: 50, column: 3, scope: !23, inlinedAt: !125)
!138 = !DILocation(line: 50, column: 21, scope: !23, inlinedAt: !125)
!139 = !DILocation(line: 51, column: 41, scope: !23, inlinedAt: !125)
!140 = !DILocation(line: 51, column: 46, scope: !23, inlinedAt: !125)
!141 = !DILocation(line: 51, column: 54, scope: !23, inlinedAt: !125)
!142 = !DILocation(line: 51, column: 23, scope: !23, inlinedAt: !125)
!143 = !DILocation(line: 51, column: 3, scope: !23, inlinedAt: !125)
!144 = !DILocation(line: 51, column: 21, scope: !23, inlinedAt: !125)
!145 = !DILocation(line: 52, column: 8, scope: !23, inlinedAt: !125)
!146 = !DILocation(line: 52, column: 3, scope: !23, inlinedAt: !125)
!147 = !DILocation(line: 55, column: 3, scope: !23, inlinedAt: !125)
!148 = !DILocation(line: 19, column: 3, scope: !48, inlinedAt: !149)
!149 = distinct !DILocation(line: 57, column: 3, scope: !23, inlinedAt: !125)
!150 = !DILocation(line: 28, column: 3, scope: !48, inlinedAt: !149)
!151 = !DILocation(line: 20, column: 13, scope: !48, inlinedAt: !149)
!152 = !DILocation(line: 22, column: 23, scope: !48, inlinedAt: !149)
!153 = !DILocation(line: 23, column: 30, scope: !48, inlinedAt: !149)
!154 = !DILocation(line: 23, column: 47, scope: !48, inlinedAt: !149)
!155 = !DILocation(line: 13, column: 53, scope: !56, inlinedAt: !156)
!156 = distinct !DILocation(line: 23, column: 23, scope: !48, inlinedAt: !149)
!157 = !DILocation(line: 23, column: 64, scope: !48, inlinedAt: !149)
!158 = !DILocation(line: 24, column: 28, scope: !48, inlinedAt: !149)
!159 = !DILocation(line: 24, column: 50, scope: !48, inlinedAt: !149)
!160 = !DILocation(line: 24, column: 48, scope: !48, inlinedAt: !149)
!161 = !DILocation(line: 13, column: 53, scope: !56, inlinedAt: !162)
!162 = distinct !DILocation(line: 24, column: 21, scope: !48, inlinedAt: !149)
!163 = !DILocation(line: 24, column: 7, scope: !48, inlinedAt: !149)
!164 = !DILocation(line: 24, column: 19, scope: !48, inlinedAt: !149)
!165 = !DILocation(line: 25, column: 5, scope: !48, inlinedAt: !149)
!166 = !DILocation(line: 26, column: 5, scope: !48, inlinedAt: !149)
!167 = !DILocation(line: 19, column: 36, scope: !48, inlinedAt: !149)
!168 = !DILocation(line: 19, column: 21, scope: !48, inlinedAt: !149)
!169 = distinct !{!169, !148, !170, !72, !73}
!170 = !DILocation(line: 27, column: 3, scope: !48, inlinedAt: !149)
!171 = !DILocation(line: 29, column: 13, scope: !48, inlinedAt: !149)
!172 = !DILocation(line: 30, column: 30, scope: !48, inlinedAt: !149)
!173 = !DILocation(line: 32, column: 41, scope: !48, inlinedAt: !149)
!174 = !DILocation(line: 32, column: 30, scope: !48, inlinedAt: !149)
!175 = !DILocation(line: 32, column: 47, scope: !48, inlinedAt: !149)
!176 = !DILocation(line: 13, column: 53, scope: !56, inlinedAt: !177)
!177 = distinct !DILocation(line: 32, column: 23, scope: !48, inlinedAt: !149)
!178 = !DILocation(line: 32, column: 64, scope: !48, inlinedAt: !149)
!179 = !DILocation(line: 33, column: 28, scope: !48, inlinedAt: !149)
!180 = !DILocation(line: 33, column: 50, scope: !48, inlinedAt: !149)
!181 = !DILocation(line: 33, column: 48, scope: !48, inlinedAt: !149)
!182 = !DILocation(line: 13, column: 53, scope: !56, inlinedAt: !183)
!183 = distinct !DILocation(line: 33, column: 21, scope: !48, inlinedAt: !149)
!184 = !DILocation(line: 33, column: 7, scope: !48, inlinedAt: !149)
!185 = !DILocation(line: 33, column: 19, scope: !48, inlinedAt: !149)
!186 = !DILocation(line: 34, column: 5, scope: !48, inlinedAt: !149)
!187 = !DILocation(line: 35, column: 5, scope: !48, inlinedAt: !149)
!188 = !DILocation(line: 28, column: 59, scope: !48, inlinedAt: !149)
!189 = !DILocation(line: 28, column: 28, scope: !48, inlinedAt: !149)
!190 = distinct !{!190, !150, !191, !72, !73}
!191 = !DILocation(line: 36, column: 3, scope: !48, inlinedAt: !149)
!192 = !DILocation(line: 59, column: 3, scope: !23, inlinedAt: !125)
!193 = !DILocation(line: 53, column: 37, scope: !23, inlinedAt: !125)
!194 = !DILocation(line: 53, column: 42, scope: !23, inlinedAt: !125)
!195 = !DILocation(line: 53, column: 55, scope: !23, inlinedAt: !125)
!196 = !DILocation(line: 53, column: 21, scope: !23, inlinedAt: !125)
!197 = !DILocation(line: 53, column: 5, scope: !23, inlinedAt: !125)
!198 = !DILocation(line: 53, column: 19, scope: !23, inlinedAt: !125)
!199 = !DILocation(line: 52, column: 29, scope: !23, inlinedAt: !125)
!200 = !DILocation(line: 52, column: 21, scope: !23, inlinedAt: !125)
!201 = distinct !{!201, !146, !202, !72, !73}
!202 = !DILocation(line: 54, column: 3, scope: !23, inlinedAt: !125)
!203 = !DILocation(line: 60, column: 64, scope: !23, inlinedAt: !125)
!204 = !DILocation(line: 60, column: 56, scope: !23, inlinedAt: !125)
!205 = !DILocation(line: 60, column: 21, scope: !23, inlinedAt: !125)
!206 = !DILocation(line: 60, column: 26, scope: !23, inlinedAt: !125)
!207 = !DILocation(line: 60, column: 43, scope: !23, inlinedAt: !125)
!208 = !DILocation(line: 60, column: 5, scope: !23, inlinedAt: !125)
!209 = !DILocation(line: 60, column: 54, scope: !23, inlinedAt: !125)
!210 = !DILocation(line: 59, column: 21, scope: !23, inlinedAt: !125)
!211 = distinct !{!211, !192, !212, !72, !73}
!212 = !DILocation(line: 61, column: 3, scope: !23, inlinedAt: !125)
!213 = !DILocation(line: 82, column: 1, scope: !117)
