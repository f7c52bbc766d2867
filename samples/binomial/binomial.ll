; ModuleID = 'binomial.cu'
source_filename = "binomial.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ14binomial_blockE6values = internal unnamed_addr addrspace(3) global [2 x [1025 x float]] undef, align 4
@_ZZ13binomial_pairE6values = internal unnamed_addr addrspace(3) global [33 x [128 x float]] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @binomial_block(ptr noalias noundef readonly captures(none) %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef writeonly captures(none) %2, i32 noundef %3, float noundef %4, float noundef %5, float noundef %6, float noundef %7) local_unnamed_addr #0 !dbg !12 {
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !15
  %10 = zext nneg i32 %9 to i64, !dbg !19
  %11 = getelementptr inbounds nuw float, ptr %0, i64 %10, !dbg !19
  %12 = load float, ptr %11, align 4, !dbg !19, !tbaa !20
  %13 = icmp sgt i32 %3, 0, !dbg !22
  br i1 %13, label %14, label %25, !dbg !25

14:                                               ; preds = %8, %14
  %15 = phi i32 [ %23, %14 ], [ %3, %8 ]
  %16 = phi float [ %21, %14 ], [ 1.000000e+00, %8 ]
  %17 = phi float [ %22, %14 ], [ %4, %8 ]
  %18 = and i32 %15, 1, !dbg !26
  %19 = icmp eq i32 %18, 0, !dbg !27
  %20 = fmul contract float %16, %17
  %21 = select i1 %19, float %16, float %20, !dbg !27
  %22 = fmul contract float %17, %17, !dbg !28
  %23 = lshr i32 %15, 1, !dbg !29
  %24 = icmp eq i32 %23, 0, !dbg !22
  br i1 %24, label %25, label %14, !dbg !25, !llvm.loop !30

25:                                               ; preds = %14, %8
  %26 = phi float [ 1.000000e+00, %8 ], [ %21, %14 ], !dbg !34
  %27 = fmul contract float %12, %26, !dbg !35
  %28 = getelementptr inbounds nuw float, ptr %1, i64 %10, !dbg !36
  %29 = load float, ptr %28, align 4, !dbg !36, !tbaa !20
  %30 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !37
  %31 = icmp sgt i32 %30, %3, !dbg !40
  br i1 %31, label %37, label %32, !dbg !41

32:                                               ; preds = %25
  %33 = and i32 %3, 1
  %34 = zext nneg i32 %33 to i64
  %35 = getelementptr inbounds nuw [1025 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ14binomial_blockE6values to ptr), i64 %34
  %36 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %40, !dbg !41

37:                                               ; preds = %54, %25
  br i1 %13, label %38, label %64, !dbg !42

38:                                               ; preds = %37
  %39 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %66, !dbg !42

40:                                               ; preds = %32, %54
  %41 = phi i32 [ %30, %32 ], [ %62, %54 ]
  %42 = icmp sgt i32 %41, 0, !dbg !43
  br i1 %42, label %43, label %54, !dbg !45

43:                                               ; preds = %40, %43
  %44 = phi i32 [ %52, %43 ], [ %41, %40 ]
  %45 = phi float [ %50, %43 ], [ 1.000000e+00, %40 ]
  %46 = phi float [ %51, %43 ], [ %5, %40 ]
  %47 = and i32 %44, 1, !dbg !46
  %48 = icmp eq i32 %47, 0, !dbg !47
  %49 = fmul contract float %45, %46
  %50 = select i1 %48, float %45, float %49, !dbg !47
  %51 = fmul contract float %46, %46, !dbg !48
  %52 = lshr i32 %44, 1, !dbg !49
  %53 = icmp eq i32 %52, 0, !dbg !43
  br i1 %53, label %54, label %43, !dbg !45, !llvm.loop !50

54:                                               ; preds = %43, %40
  %55 = phi float [ 1.000000e+00, %40 ], [ %50, %43 ], !dbg !52
  %56 = fmul contract float %27, %55, !dbg !53
  %57 = fsub contract float %56, %29, !dbg !54
  %58 = fcmp contract ogt float %57, 0.000000e+00, !dbg !55
  %59 = select contract i1 %58, float %57, float 0.000000e+00, !dbg !56
  %60 = sext i32 %41 to i64, !dbg !57
  %61 = getelementptr inbounds float, ptr %35, i64 %60, !dbg !57
  store float %59, ptr %61, align 4, !dbg !58, !tbaa !20
  %62 = add i32 %41, %36, !dbg !59
  %63 = icmp sgt i32 %62, %3, !dbg !40
  br i1 %63, label %37, label %40, !dbg !41, !llvm.loop !60

64:                                               ; preds = %75, %37
  %65 = icmp eq i32 %30, 0, !dbg !62
  br i1 %65, label %91, label %94, !dbg !62

66:                                               ; preds = %38, %75
  %67 = phi i32 [ %3, %38 ], [ %76, %75 ]
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !63
  %68 = and i32 %67, 1, !dbg !64
  %69 = zext nneg i32 %68 to i64, !dbg !65
  %70 = getelementptr inbounds nuw [1025 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ14binomial_blockE6values to ptr), i64 %69, !dbg !65
  %71 = xor i32 %68, 1, !dbg !66
  %72 = zext nneg i32 %71 to i64, !dbg !67
  %73 = getelementptr inbounds nuw [1025 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ14binomial_blockE6values to ptr), i64 %72, !dbg !67
  %74 = icmp slt i32 %30, %67, !dbg !68
  br i1 %74, label %78, label %75, !dbg !69

75:                                               ; preds = %78, %66
  %76 = add nsw i32 %67, -1, !dbg !70
  %77 = icmp samesign ugt i32 %67, 1, !dbg !71
  br i1 %77, label %66, label %64, !dbg !42, !llvm.loop !72

78:                                               ; preds = %66, %78
  %79 = phi i32 [ %89, %78 ], [ %30, %66 ]
  %80 = sext i32 %79 to i64, !dbg !74
  %81 = getelementptr float, ptr %70, i64 %80, !dbg !74
  %82 = getelementptr i8, ptr %81, i64 4, !dbg !74
  %83 = load float, ptr %82, align 4, !dbg !74, !tbaa !20
  %84 = fmul contract float %6, %83, !dbg !75
  %85 = load float, ptr %81, align 4, !dbg !76, !tbaa !20
  %86 = fmul contract float %7, %85, !dbg !77
  %87 = fadd contract float %84, %86, !dbg !78
  %88 = getelementptr inbounds float, ptr %73, i64 %80, !dbg !79
  store float %87, ptr %88, align 4, !dbg !80, !tbaa !20
  %89 = add i32 %79, %39, !dbg !81
  %90 = icmp slt i32 %89, %67, !dbg !68
  br i1 %90, label %78, label %75, !dbg !69, !llvm.loop !82

91:                                               ; preds = %64
  %92 = getelementptr inbounds nuw float, ptr %2, i64 %10
  %93 = load float, ptr addrspacecast (ptr addrspace(3) @_ZZ14binomial_blockE6values to ptr), align 4, !dbg !84, !tbaa !20
  store float %93, ptr %92, align 4, !dbg !85, !tbaa !20
  br label %94, !dbg !86

94:                                               ; preds = %91, %64
  ret void, !dbg !87
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @binomial_thread(ptr noalias noundef readonly captures(none) %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef writeonly captures(none) %2, i32 noundef %3, i32 noundef %4, float noundef %5, float noundef %6, float noundef %7, float noundef %8) local_unnamed_addr #3 !dbg !88 {
  %10 = alloca [65 x float], align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %10) #6, !dbg !89
  %11 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !90
  %12 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !92
  %13 = mul i32 %11, %12, !dbg !95
  %14 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !96
  %15 = add i32 %13, %14, !dbg !98
  %16 = icmp slt i32 %15, %3, !dbg !99
  br i1 %16, label %17, label %80, !dbg !99

17:                                               ; preds = %9
  %18 = sext i32 %15 to i64, !dbg !100
  %19 = getelementptr inbounds float, ptr %1, i64 %18, !dbg !100
  %20 = load float, ptr %19, align 4, !dbg !100, !tbaa !20
  %21 = getelementptr inbounds float, ptr %0, i64 %18, !dbg !101
  %22 = load float, ptr %21, align 4, !dbg !101, !tbaa !20
  %23 = icmp sgt i32 %4, 0, !dbg !102
  br i1 %23, label %24, label %35, !dbg !104

24:                                               ; preds = %17, %24
  %25 = phi i32 [ %33, %24 ], [ %4, %17 ]
  %26 = phi float [ %31, %24 ], [ 1.000000e+00, %17 ]
  %27 = phi float [ %32, %24 ], [ %5, %17 ]
  %28 = and i32 %25, 1, !dbg !105
  %29 = icmp eq i32 %28, 0, !dbg !106
  %30 = fmul contract float %26, %27
  %31 = select i1 %29, float %26, float %30, !dbg !106
  %32 = fmul contract float %27, %27, !dbg !107
  %33 = lshr i32 %25, 1, !dbg !108
  %34 = icmp eq i32 %33, 0, !dbg !102
  br i1 %34, label %35, label %24, !dbg !104, !llvm.loop !109

35:                                               ; preds = %24, %17
  %36 = phi float [ 1.000000e+00, %17 ], [ %31, %24 ], !dbg !111
  %37 = fmul contract float %22, %36, !dbg !112
  %38 = icmp slt i32 %4, 0, !dbg !113
  br i1 %38, label %39, label %40, !dbg !114

39:                                               ; preds = %40, %35
  br i1 %23, label %54, label %51, !dbg !115

40:                                               ; preds = %35, %40
  %41 = phi float [ %48, %40 ], [ %37, %35 ]
  %42 = phi i32 [ %49, %40 ], [ 0, %35 ]
  %43 = fsub contract float %20, %41, !dbg !116
  %44 = fcmp contract ogt float %43, 0.000000e+00, !dbg !117
  %45 = select contract i1 %44, float %43, float 0.000000e+00, !dbg !118
  %46 = zext nneg i32 %42 to i64, !dbg !119
  %47 = getelementptr inbounds nuw float, ptr %10, i64 %46, !dbg !119
  store float %45, ptr %47, align 4, !dbg !120, !tbaa !20
  %48 = fmul contract float %6, %41, !dbg !121
  %49 = add nuw i32 %42, 1, !dbg !122
  %50 = icmp eq i32 %42, %4, !dbg !113
  br i1 %50, label %39, label %40, !dbg !114, !llvm.loop !123

51:                                               ; preds = %59, %39
  %52 = load float, ptr %10, align 4, !dbg !125, !tbaa !20
  %53 = getelementptr inbounds float, ptr %2, i64 %18, !dbg !126
  store float %52, ptr %53, align 4, !dbg !127, !tbaa !20
  br label %80, !dbg !128

54:                                               ; preds = %39, %59
  %55 = phi float [ %57, %59 ], [ %37, %39 ]
  %56 = phi i32 [ %60, %59 ], [ %4, %39 ]
  %57 = fdiv contract float %55, %5, !dbg !129
  %58 = load float, ptr %10, align 4, !dbg !130, !tbaa !20
  br label %62, !dbg !131

59:                                               ; preds = %62
  %60 = add nsw i32 %56, -1, !dbg !132
  %61 = icmp samesign ugt i32 %56, 1, !dbg !133
  br i1 %61, label %54, label %51, !dbg !115, !llvm.loop !134

62:                                               ; preds = %54, %62
  %63 = phi float [ %58, %54 ], [ %69, %62 ], !dbg !130
  %64 = phi float [ %57, %54 ], [ %78, %62 ]
  %65 = phi i32 [ 0, %54 ], [ %66, %62 ]
  %66 = add nuw nsw i32 %65, 1, !dbg !136
  %67 = zext nneg i32 %66 to i64, !dbg !137
  %68 = getelementptr inbounds nuw float, ptr %10, i64 %67, !dbg !137
  %69 = load float, ptr %68, align 4, !dbg !137, !tbaa !20
  %70 = fmul contract float %7, %69, !dbg !138
  %71 = zext nneg i32 %65 to i64, !dbg !130
  %72 = getelementptr inbounds nuw float, ptr %10, i64 %71, !dbg !130
  %73 = fmul contract float %8, %63, !dbg !139
  %74 = fadd contract float %70, %73, !dbg !140
  %75 = fsub contract float %20, %64, !dbg !141
  %76 = fcmp contract ogt float %74, %75, !dbg !142
  %77 = select contract i1 %76, float %74, float %75, !dbg !143
  store float %77, ptr %72, align 4, !dbg !144, !tbaa !20
  %78 = fmul contract float %6, %64, !dbg !145
  %79 = icmp eq i32 %66, %56, !dbg !146
  br i1 %79, label %59, label %62, !dbg !131, !llvm.loop !147

80:                                               ; preds = %51, %9
  call void @llvm.lifetime.end.p0(ptr nonnull %10) #6, !dbg !149
  ret void, !dbg !149
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define dso_local ptx_kernel void @binomial_pair(ptr noalias noundef readonly captures(none) %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef writeonly captures(none) %2, float noundef %3, float noundef %4, float noundef %5, float noundef %6) local_unnamed_addr #4 !dbg !150 {
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !151
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !153
  %10 = shl i32 %9, 7, !dbg !155
  %11 = add i32 %10, %8, !dbg !156
  %12 = sext i32 %11 to i64, !dbg !157
  %13 = getelementptr inbounds float, ptr %1, i64 %12, !dbg !157
  %14 = load float, ptr %13, align 4, !dbg !157, !tbaa !20
  %15 = getelementptr inbounds float, ptr %0, i64 %12, !dbg !158
  %16 = load float, ptr %15, align 4, !dbg !158, !tbaa !20
  br label %17, !dbg !159

17:                                               ; preds = %17, %7
  %18 = phi i32 [ %26, %17 ], [ 32, %7 ]
  %19 = phi float [ %24, %17 ], [ 1.000000e+00, %7 ]
  %20 = phi float [ %25, %17 ], [ %3, %7 ]
  %21 = and i32 %18, 1, !dbg !161
  %22 = icmp eq i32 %21, 0, !dbg !162
  %23 = fmul contract float %19, %20
  %24 = select i1 %22, float %19, float %23, !dbg !162
  %25 = fmul contract float %20, %20, !dbg !163
  %26 = lshr i32 %18, 1, !dbg !164
  %27 = icmp eq i32 %26, 0, !dbg !165
  br i1 %27, label %28, label %17, !dbg !159, !llvm.loop !166

28:                                               ; preds = %17
  %29 = fmul contract float %16, %24, !dbg !168
  %30 = zext nneg i32 %8 to i64
  %31 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ13binomial_pairE6values to ptr), i64 %30, !dbg !169
  br label %37, !dbg !170

32:                                               ; preds = %37
  %33 = fmul contract float %5, %5, !dbg !171
  %34 = fmul contract float %5, 2.000000e+00, !dbg !172
  %35 = fmul contract float %34, %6, !dbg !173
  %36 = fmul contract float %6, %6, !dbg !174
  br label %48, !dbg !175

37:                                               ; preds = %28, %37
  %38 = phi float [ %29, %28 ], [ %45, %37 ]
  %39 = phi i32 [ 0, %28 ], [ %46, %37 ]
  %40 = fsub contract float %38, %14, !dbg !176
  %41 = fcmp contract ogt float %40, 0.000000e+00, !dbg !177
  %42 = select contract i1 %41, float %40, float 0.000000e+00, !dbg !178
  %43 = zext nneg i32 %39 to i64, !dbg !179
  %44 = getelementptr inbounds nuw [128 x float], ptr %31, i64 %43, !dbg !179
  store float %42, ptr %44, align 4, !dbg !180, !tbaa !20
  %45 = fmul contract float %4, %38, !dbg !181
  %46 = add nuw nsw i32 %39, 1, !dbg !182
  %47 = icmp eq i32 %46, 33, !dbg !183
  br i1 %47, label %32, label %37, !dbg !170, !llvm.loop !184

48:                                               ; preds = %32, %54
  %49 = phi i32 [ 31, %32 ], [ %57, %54 ]
  %50 = phi i32 [ 32, %32 ], [ %55, %54 ]
  br label %58, !dbg !186

51:                                               ; preds = %54
  %52 = load float, ptr %31, align 4, !dbg !187, !tbaa !20
  %53 = getelementptr inbounds float, ptr %2, i64 %12, !dbg !188
  store float %52, ptr %53, align 4, !dbg !189, !tbaa !20
  ret void, !dbg !190

54:                                               ; preds = %58
  %55 = add nsw i32 %50, -2, !dbg !191
  %56 = icmp samesign ugt i32 %50, 2, !dbg !192
  %57 = add nsw i32 %49, -2, !dbg !175
  br i1 %56, label %48, label %51, !dbg !175, !llvm.loop !193

58:                                               ; preds = %48, %58
  %59 = phi i32 [ %70, %58 ], [ 0, %48 ]
  %60 = zext nneg i32 %59 to i64, !dbg !195
  %61 = getelementptr inbounds nuw [128 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ13binomial_pairE6values to ptr), i64 %60, !dbg !195
  %62 = getelementptr inbounds nuw i8, ptr %61, i64 1024, !dbg !195
  %63 = getelementptr inbounds nuw float, ptr %62, i64 %30, !dbg !195
  %64 = load float, ptr %63, align 4, !dbg !195, !tbaa !20
  %65 = fmul contract float %33, %64, !dbg !196
  %66 = getelementptr inbounds nuw float, ptr %61, i64 %30, !dbg !197
  %67 = load float, ptr %66, align 4, !dbg !197, !tbaa !20
  %68 = fmul contract float %36, %67, !dbg !198
  %69 = fadd contract float %65, %68, !dbg !199
  %70 = add nuw nsw i32 %59, 1, !dbg !200
  %71 = zext nneg i32 %70 to i64, !dbg !201
  %72 = getelementptr inbounds nuw [128 x float], ptr %31, i64 %71, !dbg !201
  %73 = load float, ptr %72, align 4, !dbg !201, !tbaa !20
  %74 = fmul contract float %35, %73, !dbg !202
  %75 = fadd contract float %69, %74, !dbg !203
  store float %75, ptr %66, align 4, !dbg !204, !tbaa !20
  %76 = icmp eq i32 %70, %49, !dbg !205
  br i1 %76, label %54, label %58, !dbg !186, !llvm.loop !206
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #5

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #5

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #5

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { convergent nocallback nounwind }
attributes #3 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #4 = { mustprogress nofree noinline norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #5 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "binomial.cu", directory: ".")
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
!12 = distinct !DISubprogram(name: "binomial_block", scope: !1, file: !1, line: 24, type: !13, scopeLine: 27, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 31, column: 1, scope: !16, inlinedAt: !18)
!16 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 31, type: !13, scopeLine: 31, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!17 = !DIFile(filename: "./../common/cuda_words.h", directory: ".")
!18 = distinct !DILocation(line: 30, column: 29, scope: !12)
!19 = !DILocation(line: 30, column: 24, scope: !12)
!20 = !{!21, !21, i64 0}
!21 = !{!"float", !10, i64 0}
!22 = !DILocation(line: 13, column: 28, scope: !23, inlinedAt: !24)
!23 = distinct !DISubprogram(name: "power", scope: !1, file: !1, line: 11, type: !13, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!24 = distinct !DILocation(line: 30, column: 43, scope: !12)
!25 = !DILocation(line: 13, column: 3, scope: !23, inlinedAt: !24)
!26 = !DILocation(line: 14, column: 11, scope: !23, inlinedAt: !24)
!27 = !DILocation(line: 14, column: 15, scope: !23, inlinedAt: !24)
!28 = !DILocation(line: 17, column: 10, scope: !23, inlinedAt: !24)
!29 = !DILocation(line: 13, column: 35, scope: !23, inlinedAt: !24)
!30 = distinct !{!30, !25, !31, !32, !33}
!31 = !DILocation(line: 18, column: 3, scope: !23, inlinedAt: !24)
!32 = !{!"llvm.loop.mustprogress"}
!33 = !{!"llvm.loop.unroll.disable"}
!34 = !DILocation(line: 0, scope: !23, inlinedAt: !24)
!35 = !DILocation(line: 30, column: 41, scope: !12)
!36 = !DILocation(line: 31, column: 26, scope: !12)
!37 = !DILocation(line: 30, column: 1, scope: !38, inlinedAt: !39)
!38 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 30, type: !13, scopeLine: 30, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!39 = distinct !DILocation(line: 32, column: 16, scope: !12)
!40 = !DILocation(line: 32, column: 31, scope: !12)
!41 = !DILocation(line: 32, column: 3, scope: !12)
!42 = !DILocation(line: 36, column: 3, scope: !12)
!43 = !DILocation(line: 13, column: 28, scope: !23, inlinedAt: !44)
!44 = distinct !DILocation(line: 33, column: 33, scope: !12)
!45 = !DILocation(line: 13, column: 3, scope: !23, inlinedAt: !44)
!46 = !DILocation(line: 14, column: 11, scope: !23, inlinedAt: !44)
!47 = !DILocation(line: 14, column: 15, scope: !23, inlinedAt: !44)
!48 = !DILocation(line: 17, column: 10, scope: !23, inlinedAt: !44)
!49 = !DILocation(line: 13, column: 35, scope: !23, inlinedAt: !44)
!50 = distinct !{!50, !45, !51, !32, !33}
!51 = !DILocation(line: 18, column: 3, scope: !23, inlinedAt: !44)
!52 = !DILocation(line: 0, scope: !23, inlinedAt: !44)
!53 = !DILocation(line: 33, column: 31, scope: !12)
!54 = !DILocation(line: 33, column: 49, scope: !12)
!55 = !DILocation(line: 34, column: 33, scope: !12)
!56 = !DILocation(line: 34, column: 28, scope: !12)
!57 = !DILocation(line: 34, column: 5, scope: !12)
!58 = !DILocation(line: 34, column: 26, scope: !12)
!59 = !DILocation(line: 32, column: 43, scope: !12)
!60 = distinct !{!60, !41, !61, !32, !33}
!61 = !DILocation(line: 35, column: 3, scope: !12)
!62 = !DILocation(line: 44, column: 19, scope: !12)
!63 = !DILocation(line: 37, column: 5, scope: !12)
!64 = !DILocation(line: 38, column: 35, scope: !12)
!65 = !DILocation(line: 38, column: 26, scope: !12)
!66 = !DILocation(line: 39, column: 36, scope: !12)
!67 = !DILocation(line: 39, column: 21, scope: !12)
!68 = !DILocation(line: 40, column: 33, scope: !12)
!69 = !DILocation(line: 40, column: 5, scope: !12)
!70 = !DILocation(line: 36, column: 30, scope: !12)
!71 = !DILocation(line: 36, column: 25, scope: !12)
!72 = distinct !{!72, !42, !73, !32, !33}
!73 = !DILocation(line: 43, column: 3, scope: !12)
!74 = !DILocation(line: 41, column: 31, scope: !12)
!75 = !DILocation(line: 41, column: 29, scope: !12)
!76 = !DILocation(line: 41, column: 60, scope: !12)
!77 = !DILocation(line: 41, column: 58, scope: !12)
!78 = !DILocation(line: 41, column: 44, scope: !12)
!79 = !DILocation(line: 41, column: 7, scope: !12)
!80 = !DILocation(line: 41, column: 17, scope: !12)
!81 = !DILocation(line: 40, column: 40, scope: !12)
!82 = distinct !{!82, !69, !83, !32, !33}
!83 = !DILocation(line: 42, column: 5, scope: !12)
!84 = !DILocation(line: 45, column: 25, scope: !12)
!85 = !DILocation(line: 45, column: 23, scope: !12)
!86 = !DILocation(line: 46, column: 3, scope: !12)
!87 = !DILocation(line: 47, column: 1, scope: !12)
!88 = distinct !DISubprogram(name: "binomial_thread", scope: !1, file: !1, line: 50, type: !13, scopeLine: 54, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!89 = !DILocation(line: 55, column: 3, scope: !88)
!90 = !DILocation(line: 31, column: 1, scope: !16, inlinedAt: !91)
!91 = distinct !DILocation(line: 57, column: 22, scope: !88)
!92 = !DILocation(line: 32, column: 1, scope: !93, inlinedAt: !94)
!93 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 32, type: !13, scopeLine: 32, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!94 = distinct !DILocation(line: 57, column: 35, scope: !88)
!95 = !DILocation(line: 57, column: 33, scope: !88)
!96 = !DILocation(line: 30, column: 1, scope: !38, inlinedAt: !97)
!97 = distinct !DILocation(line: 57, column: 48, scope: !88)
!98 = !DILocation(line: 57, column: 46, scope: !88)
!99 = !DILocation(line: 58, column: 14, scope: !88)
!100 = !DILocation(line: 59, column: 28, scope: !88)
!101 = !DILocation(line: 60, column: 20, scope: !88)
!102 = !DILocation(line: 13, column: 28, scope: !23, inlinedAt: !103)
!103 = distinct !DILocation(line: 60, column: 35, scope: !88)
!104 = !DILocation(line: 13, column: 3, scope: !23, inlinedAt: !103)
!105 = !DILocation(line: 14, column: 11, scope: !23, inlinedAt: !103)
!106 = !DILocation(line: 14, column: 15, scope: !23, inlinedAt: !103)
!107 = !DILocation(line: 17, column: 10, scope: !23, inlinedAt: !103)
!108 = !DILocation(line: 13, column: 35, scope: !23, inlinedAt: !103)
!109 = distinct !{!109, !104, !110, !32, !33}
!110 = !DILocation(line: 18, column: 3, scope: !23, inlinedAt: !103)
!111 = !DILocation(line: 0, scope: !23, inlinedAt: !103)
!112 = !DILocation(line: 60, column: 33, scope: !88)
!113 = !DILocation(line: 62, column: 23, scope: !88)
!114 = !DILocation(line: 62, column: 5, scope: !88)
!115 = !DILocation(line: 67, column: 5, scope: !88)
!116 = !DILocation(line: 63, column: 35, scope: !88)
!117 = !DILocation(line: 64, column: 24, scope: !88)
!118 = !DILocation(line: 64, column: 19, scope: !88)
!119 = !DILocation(line: 64, column: 7, scope: !88)
!120 = !DILocation(line: 64, column: 17, scope: !88)
!121 = !DILocation(line: 65, column: 13, scope: !88)
!122 = !DILocation(line: 62, column: 33, scope: !88)
!123 = distinct !{!123, !114, !124, !32, !33}
!124 = !DILocation(line: 66, column: 5, scope: !88)
!125 = !DILocation(line: 77, column: 21, scope: !88)
!126 = !DILocation(line: 77, column: 5, scope: !88)
!127 = !DILocation(line: 77, column: 19, scope: !88)
!128 = !DILocation(line: 78, column: 3, scope: !88)
!129 = !DILocation(line: 68, column: 14, scope: !88)
!130 = !DILocation(line: 71, column: 70, scope: !88)
!131 = !DILocation(line: 70, column: 7, scope: !88)
!132 = !DILocation(line: 67, column: 32, scope: !88)
!133 = !DILocation(line: 67, column: 27, scope: !88)
!134 = distinct !{!134, !115, !135, !32, !33}
!135 = !DILocation(line: 76, column: 5, scope: !88)
!136 = !DILocation(line: 71, column: 49, scope: !88)
!137 = !DILocation(line: 71, column: 40, scope: !88)
!138 = !DILocation(line: 71, column: 38, scope: !88)
!139 = !DILocation(line: 71, column: 68, scope: !88)
!140 = !DILocation(line: 71, column: 54, scope: !88)
!141 = !DILocation(line: 72, column: 37, scope: !88)
!142 = !DILocation(line: 73, column: 26, scope: !88)
!143 = !DILocation(line: 73, column: 21, scope: !88)
!144 = !DILocation(line: 73, column: 19, scope: !88)
!145 = !DILocation(line: 74, column: 15, scope: !88)
!146 = !DILocation(line: 70, column: 25, scope: !88)
!147 = distinct !{!147, !131, !148, !32, !33}
!148 = !DILocation(line: 75, column: 7, scope: !88)
!149 = !DILocation(line: 79, column: 1, scope: !88)
!150 = distinct !DISubprogram(name: "binomial_pair", scope: !1, file: !1, line: 83, type: !13, scopeLine: 86, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!151 = !DILocation(line: 30, column: 1, scope: !38, inlinedAt: !152)
!152 = distinct !DILocation(line: 89, column: 17, scope: !150)
!153 = !DILocation(line: 31, column: 1, scope: !16, inlinedAt: !154)
!154 = distinct !DILocation(line: 90, column: 22, scope: !150)
!155 = !DILocation(line: 90, column: 33, scope: !150)
!156 = !DILocation(line: 90, column: 46, scope: !150)
!157 = !DILocation(line: 91, column: 26, scope: !150)
!158 = !DILocation(line: 92, column: 17, scope: !150)
!159 = !DILocation(line: 13, column: 3, scope: !23, inlinedAt: !160)
!160 = distinct !DILocation(line: 92, column: 32, scope: !150)
!161 = !DILocation(line: 14, column: 11, scope: !23, inlinedAt: !160)
!162 = !DILocation(line: 14, column: 15, scope: !23, inlinedAt: !160)
!163 = !DILocation(line: 17, column: 10, scope: !23, inlinedAt: !160)
!164 = !DILocation(line: 13, column: 35, scope: !23, inlinedAt: !160)
!165 = !DILocation(line: 13, column: 28, scope: !23, inlinedAt: !160)
!166 = distinct !{!166, !159, !167, !32, !33}
!167 = !DILocation(line: 18, column: 3, scope: !23, inlinedAt: !160)
!168 = !DILocation(line: 92, column: 30, scope: !150)
!169 = !DILocation(line: 93, column: 8, scope: !150)
!170 = !DILocation(line: 93, column: 3, scope: !150)
!171 = !DILocation(line: 98, column: 34, scope: !150)
!172 = !DILocation(line: 99, column: 29, scope: !150)
!173 = !DILocation(line: 99, column: 41, scope: !150)
!174 = !DILocation(line: 100, column: 37, scope: !150)
!175 = !DILocation(line: 101, column: 3, scope: !150)
!176 = !DILocation(line: 94, column: 30, scope: !150)
!177 = !DILocation(line: 95, column: 25, scope: !150)
!178 = !DILocation(line: 95, column: 20, scope: !150)
!179 = !DILocation(line: 95, column: 5, scope: !150)
!180 = !DILocation(line: 95, column: 18, scope: !150)
!181 = !DILocation(line: 96, column: 11, scope: !150)
!182 = !DILocation(line: 93, column: 36, scope: !150)
!183 = !DILocation(line: 93, column: 21, scope: !150)
!184 = distinct !{!184, !170, !185, !32, !33}
!185 = !DILocation(line: 97, column: 3, scope: !150)
!186 = !DILocation(line: 102, column: 5, scope: !150)
!187 = !DILocation(line: 107, column: 19, scope: !150)
!188 = !DILocation(line: 107, column: 3, scope: !150)
!189 = !DILocation(line: 107, column: 17, scope: !150)
!190 = !DILocation(line: 108, column: 1, scope: !150)
!191 = !DILocation(line: 101, column: 37, scope: !150)
!192 = !DILocation(line: 101, column: 30, scope: !150)
!193 = distinct !{!193, !175, !194, !32, !33}
!194 = !DILocation(line: 106, column: 3, scope: !150)
!195 = !DILocation(line: 103, column: 36, scope: !150)
!196 = !DILocation(line: 103, column: 34, scope: !150)
!197 = !DILocation(line: 103, column: 65, scope: !150)
!198 = !DILocation(line: 103, column: 63, scope: !150)
!199 = !DILocation(line: 103, column: 53, scope: !150)
!200 = !DILocation(line: 104, column: 48, scope: !150)
!201 = !DILocation(line: 104, column: 39, scope: !150)
!202 = !DILocation(line: 104, column: 37, scope: !150)
!203 = !DILocation(line: 104, column: 28, scope: !150)
!204 = !DILocation(line: 104, column: 20, scope: !150)
!205 = !DILocation(line: 102, column: 23, scope: !150)
!206 = distinct !{!206, !186, !207, !32, !33}
!207 = !DILocation(line: 105, column: 5, scope: !150)
