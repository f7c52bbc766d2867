; ModuleID = 'lud.cl'
source_filename = "lud.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@lud_diagonal.tile = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@lud_perimeter.factored = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@lud_perimeter.upper = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@lud_perimeter.lower = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@lud_internal.upper = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@lud_internal.lower = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @lud_diagonal(ptr addrspace(1) noundef align 4 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_lud_diagonal(ptr addrspace(1) noundef align 4 %0, i32 noundef %1, i32 noundef %2) #6, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_lud_diagonal(ptr addrspace(1) noundef align 4 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %4 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #7, !dbg !22
  %5 = trunc i64 %4 to i32, !dbg !22
  %6 = add nsw i32 %1, 1, !dbg !23
  %7 = mul nsw i32 %2, %6, !dbg !24
  %8 = sext i32 %7 to i64, !dbg !25
  %9 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %8, !dbg !25
  %10 = shl i64 %4, 32
  %11 = ashr exact i64 %10, 30, !dbg !26
  %12 = getelementptr i8, ptr addrspace(3) @lud_diagonal.tile, i64 %11, !dbg !26
  %13 = shl i64 %4, 32, !dbg !29
  %14 = ashr exact i64 %13, 30, !dbg !29
  %15 = getelementptr inbounds i8, ptr addrspace(1) %9, i64 %14, !dbg !29
  %16 = load float, ptr addrspace(1) %15, align 4, !dbg !29, !tbaa !30
  store float %16, ptr addrspace(3) %12, align 4, !dbg !32, !tbaa !30
  %17 = add nsw i32 %1, %5, !dbg !33
  %18 = sext i32 %17 to i64, !dbg !29
  %19 = getelementptr inbounds float, ptr addrspace(1) %9, i64 %18, !dbg !29
  %20 = load float, ptr addrspace(1) %19, align 4, !dbg !29, !tbaa !30
  %21 = getelementptr i8, ptr addrspace(3) %12, i64 64, !dbg !34
  store float %20, ptr addrspace(3) %21, align 4, !dbg !32, !tbaa !30
  %22 = shl nsw i32 %1, 1, !dbg !35
  %23 = add nsw i32 %22, %5, !dbg !33
  %24 = sext i32 %23 to i64, !dbg !29
  %25 = getelementptr inbounds float, ptr addrspace(1) %9, i64 %24, !dbg !29
  %26 = load float, ptr addrspace(1) %25, align 4, !dbg !29, !tbaa !30
  %27 = getelementptr i8, ptr addrspace(3) %12, i64 128, !dbg !34
  store float %26, ptr addrspace(3) %27, align 4, !dbg !32, !tbaa !30
  %28 = mul nsw i32 %1, 3, !dbg !35
  %29 = add nsw i32 %28, %5, !dbg !33
  %30 = sext i32 %29 to i64, !dbg !29
  %31 = getelementptr inbounds float, ptr addrspace(1) %9, i64 %30, !dbg !29
  %32 = load float, ptr addrspace(1) %31, align 4, !dbg !29, !tbaa !30
  %33 = getelementptr i8, ptr addrspace(3) %12, i64 192, !dbg !34
  store float %32, ptr addrspace(3) %33, align 4, !dbg !32, !tbaa !30
  %34 = shl nsw i32 %1, 2, !dbg !35
  %35 = add nsw i32 %34, %5, !dbg !33
  %36 = sext i32 %35 to i64, !dbg !29
  %37 = getelementptr inbounds float, ptr addrspace(1) %9, i64 %36, !dbg !29
  %38 = load float, ptr addrspace(1) %37, align 4, !dbg !29, !tbaa !30
  %39 = getelementptr i8, ptr addrspace(3) %12, i64 256, !dbg !34
  store float %38, ptr addrspace(3) %39, align 4, !dbg !32, !tbaa !30
  %40 = mul nsw i32 %1, 5, !dbg !35
  %41 = add nsw i32 %40, %5, !dbg !33
  %42 = sext i32 %41 to i64, !dbg !29
  %43 = getelementptr inbounds float, ptr addrspace(1) %9, i64 %42, !dbg !29
  %44 = load float, ptr addrspace(1) %43, align 4, !dbg !29, !tbaa !30
  %45 = getelementptr i8, ptr addrspace(3) %12, i64 320, !dbg !34
  store float %44, ptr addrspace(3) %45, align 4, !dbg !32, !tbaa !30
  %46 = mul nsw i32 %1, 6, !dbg !35
  %47 = add nsw i32 %46, %5, !dbg !33
  %48 = sext i32 %47 to i64, !dbg !29
  %49 = getelementptr inbounds float, ptr addrspace(1) %9, i64 %48, !dbg !29
  %50 = load float, ptr addrspace(1) %49, align 4, !dbg !29, !tbaa !30
  %51 = getelementptr i8, ptr addrspace(3) %12, i64 384, !dbg !34
  store float %50, ptr addrspace(3) %51, align 4, !dbg !32, !tbaa !30
  %52 = mul nsw i32 %1, 7, !dbg !35
  %53 = add nsw i32 %52, %5, !dbg !33
  %54 = sext i32 %53 to i64, !dbg !29
  %55 = getelementptr inbounds float, ptr addrspace(1) %9, i64 %54, !dbg !29
  %56 = load float, ptr addrspace(1) %55, align 4, !dbg !29, !tbaa !30
  %57 = getelementptr i8, ptr addrspace(3) %12, i64 448, !dbg !34
  store float %56, ptr addrspace(3) %57, align 4, !dbg !32, !tbaa !30
  %58 = shl nsw i32 %1, 3, !dbg !35
  %59 = add nsw i32 %58, %5, !dbg !33
  %60 = sext i32 %59 to i64, !dbg !29
  %61 = getelementptr inbounds float, ptr addrspace(1) %9, i64 %60, !dbg !29
  %62 = load float, ptr addrspace(1) %61, align 4, !dbg !29, !tbaa !30
  %63 = getelementptr i8, ptr addrspace(3) %12, i64 512, !dbg !34
  store float %62, ptr addrspace(3) %63, align 4, !dbg !32, !tbaa !30
  %64 = mul nsw i32 %1, 9, !dbg !35
  %65 = add nsw i32 %64, %5, !dbg !33
  %66 = sext i32 %65 to i64, !dbg !29
  %67 = getelementptr inbounds float, ptr addrspace(1) %9, i64 %66, !dbg !29
  %68 = load float, ptr addrspace(1) %67, align 4, !dbg !29, !tbaa !30
  %69 = getelementptr i8, ptr addrspace(3) %12, i64 576, !dbg !34
  store float %68, ptr addrspace(3) %69, align 4, !dbg !32, !tbaa !30
  %70 = mul nsw i32 %1, 10, !dbg !35
  %71 = add nsw i32 %70, %5, !dbg !33
  %72 = sext i32 %71 to i64, !dbg !29
  %73 = getelementptr inbounds float, ptr addrspace(1) %9, i64 %72, !dbg !29
  %74 = load float, ptr addrspace(1) %73, align 4, !dbg !29, !tbaa !30
  %75 = getelementptr i8, ptr addrspace(3) %12, i64 640, !dbg !34
  store float %74, ptr addrspace(3) %75, align 4, !dbg !32, !tbaa !30
  %76 = mul nsw i32 %1, 11, !dbg !35
  %77 = add nsw i32 %76, %5, !dbg !33
  %78 = sext i32 %77 to i64, !dbg !29
  %79 = getelementptr inbounds float, ptr addrspace(1) %9, i64 %78, !dbg !29
  %80 = load float, ptr addrspace(1) %79, align 4, !dbg !29, !tbaa !30
  %81 = getelementptr i8, ptr addrspace(3) %12, i64 704, !dbg !34
  store float %80, ptr addrspace(3) %81, align 4, !dbg !32, !tbaa !30
  %82 = mul nsw i32 %1, 12, !dbg !35
  %83 = add nsw i32 %82, %5, !dbg !33
  %84 = sext i32 %83 to i64, !dbg !29
  %85 = getelementptr inbounds float, ptr addrspace(1) %9, i64 %84, !dbg !29
  %86 = load float, ptr addrspace(1) %85, align 4, !dbg !29, !tbaa !30
  %87 = getelementptr i8, ptr addrspace(3) %12, i64 768, !dbg !34
  store float %86, ptr addrspace(3) %87, align 4, !dbg !32, !tbaa !30
  %88 = mul nsw i32 %1, 13, !dbg !35
  %89 = add nsw i32 %88, %5, !dbg !33
  %90 = sext i32 %89 to i64, !dbg !29
  %91 = getelementptr inbounds float, ptr addrspace(1) %9, i64 %90, !dbg !29
  %92 = load float, ptr addrspace(1) %91, align 4, !dbg !29, !tbaa !30
  %93 = getelementptr i8, ptr addrspace(3) %12, i64 832, !dbg !34
  store float %92, ptr addrspace(3) %93, align 4, !dbg !32, !tbaa !30
  %94 = mul nsw i32 %1, 14, !dbg !35
  %95 = add nsw i32 %94, %5, !dbg !33
  %96 = sext i32 %95 to i64, !dbg !29
  %97 = getelementptr inbounds float, ptr addrspace(1) %9, i64 %96, !dbg !29
  %98 = load float, ptr addrspace(1) %97, align 4, !dbg !29, !tbaa !30
  %99 = getelementptr i8, ptr addrspace(3) %12, i64 896, !dbg !34
  store float %98, ptr addrspace(3) %99, align 4, !dbg !32, !tbaa !30
  %100 = mul nsw i32 %1, 15, !dbg !35
  %101 = add nsw i32 %100, %5, !dbg !33
  %102 = sext i32 %101 to i64, !dbg !29
  %103 = getelementptr inbounds float, ptr addrspace(1) %9, i64 %102, !dbg !29
  %104 = load float, ptr addrspace(1) %103, align 4, !dbg !29, !tbaa !30
  %105 = getelementptr i8, ptr addrspace(3) %12, i64 960, !dbg !34
  store float %104, ptr addrspace(3) %105, align 4, !dbg !32, !tbaa !30
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !36
  %106 = ashr exact i64 %10, 26
  %107 = getelementptr inbounds i8, ptr addrspace(3) @lud_diagonal.tile, i64 %106
  %108 = ashr exact i64 %10, 32
  %109 = getelementptr inbounds float, ptr addrspace(3) @lud_diagonal.tile, i64 %108
  br label %110, !dbg !37

110:                                              ; preds = %3, %224
  %111 = phi i32 [ 0, %3 ], [ %227, %224 ]
  %112 = phi i32 [ 1, %3 ], [ %225, %224 ]
  %113 = icmp sgt i32 %112, %5, !dbg !38
  br i1 %113, label %173, label %114, !dbg !39

114:                                              ; preds = %110
  %115 = add nsw i32 %112, -1, !dbg !40
  %116 = sext i32 %115 to i64, !dbg !41
  %117 = getelementptr inbounds float, ptr addrspace(3) %107, i64 %116, !dbg !41
  %118 = getelementptr inbounds float, ptr addrspace(3) @lud_diagonal.tile, i64 %116, !dbg !42
  %119 = icmp samesign ugt i32 %112, 1, !dbg !43
  %120 = load float, ptr addrspace(3) %117, align 4, !dbg !46, !tbaa !30
  br i1 %119, label %121, label %167, !dbg !47

121:                                              ; preds = %114
  %122 = and i32 %111, 1, !dbg !47
  %123 = icmp eq i32 %111, 1, !dbg !47
  br i1 %123, label %154, label %124, !dbg !47

124:                                              ; preds = %121
  %125 = and i32 %111, -2, !dbg !47
  br label %126, !dbg !47

126:                                              ; preds = %126, %124
  %127 = phi float [ %120, %124 ], [ %148, %126 ], !dbg !48
  %128 = phi i32 [ 0, %124 ], [ %149, %126 ]
  %129 = phi i32 [ 0, %124 ], [ %150, %126 ]
  %130 = zext nneg i32 %128 to i64, !dbg !48
  %131 = getelementptr inbounds nuw float, ptr addrspace(3) %107, i64 %130, !dbg !48
  %132 = load float, ptr addrspace(3) %131, align 4, !dbg !48, !tbaa !30
  %133 = shl nsw i32 %128, 4, !dbg !49
  %134 = zext nneg i32 %133 to i64, !dbg !50
  %135 = getelementptr inbounds nuw float, ptr addrspace(3) %118, i64 %134, !dbg !50
  %136 = load float, ptr addrspace(3) %135, align 4, !dbg !50, !tbaa !30
  %137 = fneg float %132, !dbg !51
  %138 = tail call float @llvm.fmuladd.f32(float %137, float %136, float %127), !dbg !51
  store float %138, ptr addrspace(3) %117, align 4, !dbg !51, !tbaa !30
  %139 = or disjoint i32 %128, 1, !dbg !52
  %140 = zext nneg i32 %139 to i64, !dbg !48
  %141 = getelementptr inbounds nuw float, ptr addrspace(3) %107, i64 %140, !dbg !48
  %142 = load float, ptr addrspace(3) %141, align 4, !dbg !48, !tbaa !30
  %143 = shl nsw i32 %139, 4, !dbg !49
  %144 = zext nneg i32 %143 to i64, !dbg !50
  %145 = getelementptr inbounds nuw float, ptr addrspace(3) %118, i64 %144, !dbg !50
  %146 = load float, ptr addrspace(3) %145, align 4, !dbg !50, !tbaa !30
  %147 = fneg float %142, !dbg !51
  %148 = tail call float @llvm.fmuladd.f32(float %147, float %146, float %138), !dbg !51
  store float %148, ptr addrspace(3) %117, align 4, !dbg !51, !tbaa !30
  %149 = add nuw nsw i32 %128, 2, !dbg !52
  %150 = add i32 %129, 2, !dbg !47
  %151 = icmp eq i32 %150, %125, !dbg !47
  br i1 %151, label %152, label %126, !dbg !47, !llvm.loop !53

152:                                              ; preds = %126
  %153 = icmp eq i32 %122, 0, !dbg !47
  br i1 %153, label %167, label %154, !dbg !47

154:                                              ; preds = %152, %121
  %155 = phi float [ %120, %121 ], [ %148, %152 ]
  %156 = phi i32 [ 0, %121 ], [ %149, %152 ]
  %157 = icmp ne i32 %122, 0, !dbg !47
  tail call void @llvm.assume(i1 %157), !dbg !47
  %158 = zext nneg i32 %156 to i64, !dbg !48
  %159 = getelementptr inbounds nuw float, ptr addrspace(3) %107, i64 %158, !dbg !48
  %160 = load float, ptr addrspace(3) %159, align 4, !dbg !48, !tbaa !30
  %161 = shl nsw i32 %156, 4, !dbg !49
  %162 = zext nneg i32 %161 to i64, !dbg !50
  %163 = getelementptr inbounds nuw float, ptr addrspace(3) %118, i64 %162, !dbg !50
  %164 = load float, ptr addrspace(3) %163, align 4, !dbg !50, !tbaa !30
  %165 = fneg float %160, !dbg !51
  %166 = tail call float @llvm.fmuladd.f32(float %165, float %164, float %155), !dbg !51
  store float %166, ptr addrspace(3) %117, align 4, !dbg !51, !tbaa !30
  br label %167, !dbg !55

167:                                              ; preds = %154, %152, %114
  %168 = phi float [ %120, %114 ], [ %148, %152 ], [ %166, %154 ], !dbg !46
  %169 = getelementptr inbounds [16 x float], ptr addrspace(3) @lud_diagonal.tile, i64 %116, !dbg !55
  %170 = getelementptr inbounds float, ptr addrspace(3) %169, i64 %116, !dbg !55
  %171 = load float, ptr addrspace(3) %170, align 4, !dbg !55, !tbaa !30
  %172 = fdiv float %168, %171, !dbg !46, !fpmath !56
  store float %172, ptr addrspace(3) %117, align 4, !dbg !46, !tbaa !30
  br label %173, !dbg !57

173:                                              ; preds = %167, %110
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !58
  br i1 %113, label %224, label %174, !dbg !59

174:                                              ; preds = %173
  %175 = zext nneg i32 %112 to i64, !dbg !60
  %176 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) @lud_diagonal.tile, i64 %175, !dbg !60
  %177 = getelementptr inbounds float, ptr addrspace(3) %176, i64 %108, !dbg !60
  %178 = load float, ptr addrspace(3) %177, align 4, !tbaa !30
  %179 = and i32 %112, 1, !dbg !61
  %180 = icmp eq i32 %111, 0, !dbg !61
  br i1 %180, label %211, label %181, !dbg !61

181:                                              ; preds = %174
  %182 = and i32 %112, 2147483646, !dbg !61
  br label %183, !dbg !61

183:                                              ; preds = %183, %181
  %184 = phi float [ %178, %181 ], [ %205, %183 ], !dbg !63
  %185 = phi i32 [ 0, %181 ], [ %206, %183 ]
  %186 = phi i32 [ 0, %181 ], [ %207, %183 ]
  %187 = zext nneg i32 %185 to i64, !dbg !63
  %188 = getelementptr inbounds nuw float, ptr addrspace(3) %176, i64 %187, !dbg !63
  %189 = load float, ptr addrspace(3) %188, align 4, !dbg !63, !tbaa !30
  %190 = shl nsw i32 %185, 4, !dbg !64
  %191 = zext nneg i32 %190 to i64, !dbg !65
  %192 = getelementptr inbounds nuw float, ptr addrspace(3) %109, i64 %191, !dbg !65
  %193 = load float, ptr addrspace(3) %192, align 4, !dbg !65, !tbaa !30
  %194 = fneg float %189, !dbg !66
  %195 = tail call float @llvm.fmuladd.f32(float %194, float %193, float %184), !dbg !66
  store float %195, ptr addrspace(3) %177, align 4, !dbg !66, !tbaa !30
  %196 = or disjoint i32 %185, 1, !dbg !67
  %197 = zext nneg i32 %196 to i64, !dbg !63
  %198 = getelementptr inbounds nuw float, ptr addrspace(3) %176, i64 %197, !dbg !63
  %199 = load float, ptr addrspace(3) %198, align 4, !dbg !63, !tbaa !30
  %200 = shl nsw i32 %196, 4, !dbg !64
  %201 = zext nneg i32 %200 to i64, !dbg !65
  %202 = getelementptr inbounds nuw float, ptr addrspace(3) %109, i64 %201, !dbg !65
  %203 = load float, ptr addrspace(3) %202, align 4, !dbg !65, !tbaa !30
  %204 = fneg float %199, !dbg !66
  %205 = tail call float @llvm.fmuladd.f32(float %204, float %203, float %195), !dbg !66
  store float %205, ptr addrspace(3) %177, align 4, !dbg !66, !tbaa !30
  %206 = add nuw nsw i32 %185, 2, !dbg !67
  %207 = add i32 %186, 2, !dbg !61
  %208 = icmp eq i32 %207, %182, !dbg !61
  br i1 %208, label %209, label %183, !dbg !61, !llvm.loop !68

209:                                              ; preds = %183
  %210 = icmp eq i32 %179, 0, !dbg !61
  br i1 %210, label %224, label %211, !dbg !61

211:                                              ; preds = %209, %174
  %212 = phi float [ %178, %174 ], [ %205, %209 ]
  %213 = phi i32 [ 0, %174 ], [ %206, %209 ]
  %214 = icmp ne i32 %179, 0, !dbg !61
  tail call void @llvm.assume(i1 %214), !dbg !61
  %215 = zext nneg i32 %213 to i64, !dbg !63
  %216 = getelementptr inbounds nuw float, ptr addrspace(3) %176, i64 %215, !dbg !63
  %217 = load float, ptr addrspace(3) %216, align 4, !dbg !63, !tbaa !30
  %218 = shl nsw i32 %213, 4, !dbg !64
  %219 = zext nneg i32 %218 to i64, !dbg !65
  %220 = getelementptr inbounds nuw float, ptr addrspace(3) %109, i64 %219, !dbg !65
  %221 = load float, ptr addrspace(3) %220, align 4, !dbg !65, !tbaa !30
  %222 = fneg float %217, !dbg !66
  %223 = tail call float @llvm.fmuladd.f32(float %222, float %221, float %212), !dbg !66
  store float %223, ptr addrspace(3) %177, align 4, !dbg !66, !tbaa !30
  br label %224, !dbg !70

224:                                              ; preds = %211, %209, %173
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !70
  %225 = add nuw nsw i32 %112, 1, !dbg !71
  %226 = icmp eq i32 %225, 16, !dbg !72
  %227 = add i32 %111, 1, !dbg !37
  br i1 %226, label %228, label %110, !dbg !37, !llvm.loop !73

228:                                              ; preds = %224
  %229 = load float, ptr addrspace(3) %21, align 4, !dbg !75, !tbaa !30
  store float %229, ptr addrspace(1) %19, align 4, !dbg !78, !tbaa !30
  %230 = load float, ptr addrspace(3) %27, align 4, !dbg !75, !tbaa !30
  store float %230, ptr addrspace(1) %25, align 4, !dbg !78, !tbaa !30
  %231 = load float, ptr addrspace(3) %33, align 4, !dbg !75, !tbaa !30
  store float %231, ptr addrspace(1) %31, align 4, !dbg !78, !tbaa !30
  %232 = load float, ptr addrspace(3) %39, align 4, !dbg !75, !tbaa !30
  store float %232, ptr addrspace(1) %37, align 4, !dbg !78, !tbaa !30
  %233 = load float, ptr addrspace(3) %45, align 4, !dbg !75, !tbaa !30
  store float %233, ptr addrspace(1) %43, align 4, !dbg !78, !tbaa !30
  %234 = load float, ptr addrspace(3) %51, align 4, !dbg !75, !tbaa !30
  store float %234, ptr addrspace(1) %49, align 4, !dbg !78, !tbaa !30
  %235 = load float, ptr addrspace(3) %57, align 4, !dbg !75, !tbaa !30
  store float %235, ptr addrspace(1) %55, align 4, !dbg !78, !tbaa !30
  %236 = load float, ptr addrspace(3) %63, align 4, !dbg !75, !tbaa !30
  store float %236, ptr addrspace(1) %61, align 4, !dbg !78, !tbaa !30
  %237 = load float, ptr addrspace(3) %69, align 4, !dbg !75, !tbaa !30
  store float %237, ptr addrspace(1) %67, align 4, !dbg !78, !tbaa !30
  %238 = load float, ptr addrspace(3) %75, align 4, !dbg !75, !tbaa !30
  store float %238, ptr addrspace(1) %73, align 4, !dbg !78, !tbaa !30
  %239 = load float, ptr addrspace(3) %81, align 4, !dbg !75, !tbaa !30
  store float %239, ptr addrspace(1) %79, align 4, !dbg !78, !tbaa !30
  %240 = load float, ptr addrspace(3) %87, align 4, !dbg !75, !tbaa !30
  store float %240, ptr addrspace(1) %85, align 4, !dbg !78, !tbaa !30
  %241 = load float, ptr addrspace(3) %93, align 4, !dbg !75, !tbaa !30
  store float %241, ptr addrspace(1) %91, align 4, !dbg !78, !tbaa !30
  %242 = load float, ptr addrspace(3) %99, align 4, !dbg !75, !tbaa !30
  store float %242, ptr addrspace(1) %97, align 4, !dbg !78, !tbaa !30
  %243 = load float, ptr addrspace(3) %105, align 4, !dbg !75, !tbaa !30
  store float %243, ptr addrspace(1) %103, align 4, !dbg !78, !tbaa !30
  ret void, !dbg !79
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @lud_perimeter(ptr addrspace(1) noundef align 4 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #0 !dbg !80 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_lud_perimeter(ptr addrspace(1) noundef align 4 %0, i32 noundef %1, i32 noundef %2) #6, !dbg !81
  ret void, !dbg !82
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_lud_perimeter(ptr addrspace(1) noundef align 4 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #1 !dbg !83 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %4 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #7, !dbg !84
  %5 = icmp ult i64 %4, 16, !dbg !85
  %6 = trunc i64 %4 to i32, !dbg !86
  %7 = and i32 %6, 15, !dbg !86
  %8 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #7, !dbg !87
  %9 = trunc i64 %8 to i32, !dbg !88
  %10 = shl i32 %9, 4, !dbg !89
  %11 = add i32 %10, 16, !dbg !89
  %12 = add nsw i32 %1, 1, !dbg !90
  %13 = mul nsw i32 %2, %12, !dbg !91
  %14 = sext i32 %13 to i64, !dbg !92
  %15 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %14, !dbg !92
  %16 = sext i32 %11 to i64, !dbg !93
  %17 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %16, !dbg !93
  %18 = mul nsw i32 %11, %1, !dbg !94
  %19 = sext i32 %18 to i64, !dbg !95
  %20 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %19, !dbg !95
  br i1 %5, label %21, label %136, !dbg !96

21:                                               ; preds = %3
  %22 = getelementptr float, ptr addrspace(3) @lud_perimeter.factored, i64 %4, !dbg !97
  %23 = getelementptr inbounds nuw float, ptr addrspace(1) %15, i64 %4, !dbg !99
  %24 = load float, ptr addrspace(1) %23, align 4, !dbg !99, !tbaa !30
  store float %24, ptr addrspace(3) %22, align 4, !dbg !100, !tbaa !30
  %25 = add nsw i32 %1, %7, !dbg !101
  %26 = sext i32 %25 to i64, !dbg !99
  %27 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %26, !dbg !99
  %28 = load float, ptr addrspace(1) %27, align 4, !dbg !99, !tbaa !30
  %29 = getelementptr i8, ptr addrspace(3) %22, i64 64, !dbg !102
  store float %28, ptr addrspace(3) %29, align 4, !dbg !100, !tbaa !30
  %30 = shl nsw i32 %1, 1, !dbg !103
  %31 = add nsw i32 %30, %7, !dbg !101
  %32 = sext i32 %31 to i64, !dbg !99
  %33 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %32, !dbg !99
  %34 = load float, ptr addrspace(1) %33, align 4, !dbg !99, !tbaa !30
  %35 = getelementptr i8, ptr addrspace(3) %22, i64 128, !dbg !102
  store float %34, ptr addrspace(3) %35, align 4, !dbg !100, !tbaa !30
  %36 = mul nsw i32 %1, 3, !dbg !103
  %37 = add nsw i32 %36, %7, !dbg !101
  %38 = sext i32 %37 to i64, !dbg !99
  %39 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %38, !dbg !99
  %40 = load float, ptr addrspace(1) %39, align 4, !dbg !99, !tbaa !30
  %41 = getelementptr i8, ptr addrspace(3) %22, i64 192, !dbg !102
  store float %40, ptr addrspace(3) %41, align 4, !dbg !100, !tbaa !30
  %42 = shl nsw i32 %1, 2, !dbg !103
  %43 = add nsw i32 %42, %7, !dbg !101
  %44 = sext i32 %43 to i64, !dbg !99
  %45 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %44, !dbg !99
  %46 = load float, ptr addrspace(1) %45, align 4, !dbg !99, !tbaa !30
  %47 = getelementptr i8, ptr addrspace(3) %22, i64 256, !dbg !102
  store float %46, ptr addrspace(3) %47, align 4, !dbg !100, !tbaa !30
  %48 = mul nsw i32 %1, 5, !dbg !103
  %49 = add nsw i32 %48, %7, !dbg !101
  %50 = sext i32 %49 to i64, !dbg !99
  %51 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %50, !dbg !99
  %52 = load float, ptr addrspace(1) %51, align 4, !dbg !99, !tbaa !30
  %53 = getelementptr i8, ptr addrspace(3) %22, i64 320, !dbg !102
  store float %52, ptr addrspace(3) %53, align 4, !dbg !100, !tbaa !30
  %54 = mul nsw i32 %1, 6, !dbg !103
  %55 = add nsw i32 %54, %7, !dbg !101
  %56 = sext i32 %55 to i64, !dbg !99
  %57 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %56, !dbg !99
  %58 = load float, ptr addrspace(1) %57, align 4, !dbg !99, !tbaa !30
  %59 = getelementptr i8, ptr addrspace(3) %22, i64 384, !dbg !102
  store float %58, ptr addrspace(3) %59, align 4, !dbg !100, !tbaa !30
  %60 = mul nsw i32 %1, 7, !dbg !103
  %61 = add nsw i32 %60, %7, !dbg !101
  %62 = sext i32 %61 to i64, !dbg !99
  %63 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %62, !dbg !99
  %64 = load float, ptr addrspace(1) %63, align 4, !dbg !99, !tbaa !30
  %65 = getelementptr i8, ptr addrspace(3) %22, i64 448, !dbg !102
  store float %64, ptr addrspace(3) %65, align 4, !dbg !100, !tbaa !30
  %66 = getelementptr float, ptr addrspace(3) @lud_perimeter.upper, i64 %4, !dbg !104
  %67 = getelementptr inbounds nuw float, ptr addrspace(1) %17, i64 %4, !dbg !106
  %68 = load float, ptr addrspace(1) %67, align 4, !dbg !106, !tbaa !30
  store float %68, ptr addrspace(3) %66, align 4, !dbg !107, !tbaa !30
  %69 = getelementptr inbounds float, ptr addrspace(1) %17, i64 %26, !dbg !106
  %70 = load float, ptr addrspace(1) %69, align 4, !dbg !106, !tbaa !30
  %71 = getelementptr i8, ptr addrspace(3) %66, i64 64, !dbg !108
  store float %70, ptr addrspace(3) %71, align 4, !dbg !107, !tbaa !30
  %72 = getelementptr inbounds float, ptr addrspace(1) %17, i64 %32, !dbg !106
  %73 = load float, ptr addrspace(1) %72, align 4, !dbg !106, !tbaa !30
  %74 = getelementptr i8, ptr addrspace(3) %66, i64 128, !dbg !108
  store float %73, ptr addrspace(3) %74, align 4, !dbg !107, !tbaa !30
  %75 = getelementptr inbounds float, ptr addrspace(1) %17, i64 %38, !dbg !106
  %76 = load float, ptr addrspace(1) %75, align 4, !dbg !106, !tbaa !30
  %77 = getelementptr i8, ptr addrspace(3) %66, i64 192, !dbg !108
  store float %76, ptr addrspace(3) %77, align 4, !dbg !107, !tbaa !30
  %78 = getelementptr inbounds float, ptr addrspace(1) %17, i64 %44, !dbg !106
  %79 = load float, ptr addrspace(1) %78, align 4, !dbg !106, !tbaa !30
  %80 = getelementptr i8, ptr addrspace(3) %66, i64 256, !dbg !108
  store float %79, ptr addrspace(3) %80, align 4, !dbg !107, !tbaa !30
  %81 = getelementptr inbounds float, ptr addrspace(1) %17, i64 %50, !dbg !106
  %82 = load float, ptr addrspace(1) %81, align 4, !dbg !106, !tbaa !30
  %83 = getelementptr i8, ptr addrspace(3) %66, i64 320, !dbg !108
  store float %82, ptr addrspace(3) %83, align 4, !dbg !107, !tbaa !30
  %84 = getelementptr inbounds float, ptr addrspace(1) %17, i64 %56, !dbg !106
  %85 = load float, ptr addrspace(1) %84, align 4, !dbg !106, !tbaa !30
  %86 = getelementptr i8, ptr addrspace(3) %66, i64 384, !dbg !108
  store float %85, ptr addrspace(3) %86, align 4, !dbg !107, !tbaa !30
  %87 = getelementptr inbounds float, ptr addrspace(1) %17, i64 %62, !dbg !106
  %88 = load float, ptr addrspace(1) %87, align 4, !dbg !106, !tbaa !30
  %89 = getelementptr i8, ptr addrspace(3) %66, i64 448, !dbg !108
  store float %88, ptr addrspace(3) %89, align 4, !dbg !107, !tbaa !30
  %90 = shl nsw i32 %1, 3, !dbg !109
  %91 = add nsw i32 %90, %7, !dbg !110
  %92 = sext i32 %91 to i64, !dbg !106
  %93 = getelementptr inbounds float, ptr addrspace(1) %17, i64 %92, !dbg !106
  %94 = load float, ptr addrspace(1) %93, align 4, !dbg !106, !tbaa !30
  %95 = getelementptr i8, ptr addrspace(3) %66, i64 512, !dbg !108
  store float %94, ptr addrspace(3) %95, align 4, !dbg !107, !tbaa !30
  %96 = mul nsw i32 %1, 9, !dbg !109
  %97 = add nsw i32 %96, %7, !dbg !110
  %98 = sext i32 %97 to i64, !dbg !106
  %99 = getelementptr inbounds float, ptr addrspace(1) %17, i64 %98, !dbg !106
  %100 = load float, ptr addrspace(1) %99, align 4, !dbg !106, !tbaa !30
  %101 = getelementptr i8, ptr addrspace(3) %66, i64 576, !dbg !108
  store float %100, ptr addrspace(3) %101, align 4, !dbg !107, !tbaa !30
  %102 = mul nsw i32 %1, 10, !dbg !109
  %103 = add nsw i32 %102, %7, !dbg !110
  %104 = sext i32 %103 to i64, !dbg !106
  %105 = getelementptr inbounds float, ptr addrspace(1) %17, i64 %104, !dbg !106
  %106 = load float, ptr addrspace(1) %105, align 4, !dbg !106, !tbaa !30
  %107 = getelementptr i8, ptr addrspace(3) %66, i64 640, !dbg !108
  store float %106, ptr addrspace(3) %107, align 4, !dbg !107, !tbaa !30
  %108 = mul nsw i32 %1, 11, !dbg !109
  %109 = add nsw i32 %108, %7, !dbg !110
  %110 = sext i32 %109 to i64, !dbg !106
  %111 = getelementptr inbounds float, ptr addrspace(1) %17, i64 %110, !dbg !106
  %112 = load float, ptr addrspace(1) %111, align 4, !dbg !106, !tbaa !30
  %113 = getelementptr i8, ptr addrspace(3) %66, i64 704, !dbg !108
  store float %112, ptr addrspace(3) %113, align 4, !dbg !107, !tbaa !30
  %114 = mul nsw i32 %1, 12, !dbg !109
  %115 = add nsw i32 %114, %7, !dbg !110
  %116 = sext i32 %115 to i64, !dbg !106
  %117 = getelementptr inbounds float, ptr addrspace(1) %17, i64 %116, !dbg !106
  %118 = load float, ptr addrspace(1) %117, align 4, !dbg !106, !tbaa !30
  %119 = getelementptr i8, ptr addrspace(3) %66, i64 768, !dbg !108
  store float %118, ptr addrspace(3) %119, align 4, !dbg !107, !tbaa !30
  %120 = mul nsw i32 %1, 13, !dbg !109
  %121 = add nsw i32 %120, %7, !dbg !110
  %122 = sext i32 %121 to i64, !dbg !106
  %123 = getelementptr inbounds float, ptr addrspace(1) %17, i64 %122, !dbg !106
  %124 = load float, ptr addrspace(1) %123, align 4, !dbg !106, !tbaa !30
  %125 = getelementptr i8, ptr addrspace(3) %66, i64 832, !dbg !108
  store float %124, ptr addrspace(3) %125, align 4, !dbg !107, !tbaa !30
  %126 = mul nsw i32 %1, 14, !dbg !109
  %127 = add nsw i32 %126, %7, !dbg !110
  %128 = sext i32 %127 to i64, !dbg !106
  %129 = getelementptr inbounds float, ptr addrspace(1) %17, i64 %128, !dbg !106
  %130 = load float, ptr addrspace(1) %129, align 4, !dbg !106, !tbaa !30
  %131 = getelementptr i8, ptr addrspace(3) %66, i64 896, !dbg !108
  store float %130, ptr addrspace(3) %131, align 4, !dbg !107, !tbaa !30
  %132 = mul nsw i32 %1, 15, !dbg !109
  %133 = add nsw i32 %132, %7, !dbg !110
  %134 = sext i32 %133 to i64, !dbg !106
  %135 = getelementptr inbounds float, ptr addrspace(1) %17, i64 %134, !dbg !106
  br label %254, !dbg !111

136:                                              ; preds = %3
  %137 = and i64 %4, 15
  %138 = getelementptr float, ptr addrspace(3) @lud_perimeter.factored, i64 %137, !dbg !112
  %139 = shl nsw i32 %1, 3, !dbg !114
  %140 = add nsw i32 %139, %7, !dbg !115
  %141 = sext i32 %140 to i64, !dbg !116
  %142 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %141, !dbg !116
  %143 = load float, ptr addrspace(1) %142, align 4, !dbg !116, !tbaa !30
  %144 = getelementptr i8, ptr addrspace(3) %138, i64 512, !dbg !117
  store float %143, ptr addrspace(3) %144, align 4, !dbg !118, !tbaa !30
  %145 = mul nsw i32 %1, 9, !dbg !114
  %146 = add nsw i32 %145, %7, !dbg !115
  %147 = sext i32 %146 to i64, !dbg !116
  %148 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %147, !dbg !116
  %149 = load float, ptr addrspace(1) %148, align 4, !dbg !116, !tbaa !30
  %150 = getelementptr i8, ptr addrspace(3) %138, i64 576, !dbg !117
  store float %149, ptr addrspace(3) %150, align 4, !dbg !118, !tbaa !30
  %151 = mul nsw i32 %1, 10, !dbg !114
  %152 = add nsw i32 %151, %7, !dbg !115
  %153 = sext i32 %152 to i64, !dbg !116
  %154 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %153, !dbg !116
  %155 = load float, ptr addrspace(1) %154, align 4, !dbg !116, !tbaa !30
  %156 = getelementptr i8, ptr addrspace(3) %138, i64 640, !dbg !117
  store float %155, ptr addrspace(3) %156, align 4, !dbg !118, !tbaa !30
  %157 = mul nsw i32 %1, 11, !dbg !114
  %158 = add nsw i32 %157, %7, !dbg !115
  %159 = sext i32 %158 to i64, !dbg !116
  %160 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %159, !dbg !116
  %161 = load float, ptr addrspace(1) %160, align 4, !dbg !116, !tbaa !30
  %162 = getelementptr i8, ptr addrspace(3) %138, i64 704, !dbg !117
  store float %161, ptr addrspace(3) %162, align 4, !dbg !118, !tbaa !30
  %163 = mul nsw i32 %1, 12, !dbg !114
  %164 = add nsw i32 %163, %7, !dbg !115
  %165 = sext i32 %164 to i64, !dbg !116
  %166 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %165, !dbg !116
  %167 = load float, ptr addrspace(1) %166, align 4, !dbg !116, !tbaa !30
  %168 = getelementptr i8, ptr addrspace(3) %138, i64 768, !dbg !117
  store float %167, ptr addrspace(3) %168, align 4, !dbg !118, !tbaa !30
  %169 = mul nsw i32 %1, 13, !dbg !114
  %170 = add nsw i32 %169, %7, !dbg !115
  %171 = sext i32 %170 to i64, !dbg !116
  %172 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %171, !dbg !116
  %173 = load float, ptr addrspace(1) %172, align 4, !dbg !116, !tbaa !30
  %174 = getelementptr i8, ptr addrspace(3) %138, i64 832, !dbg !117
  store float %173, ptr addrspace(3) %174, align 4, !dbg !118, !tbaa !30
  %175 = mul nsw i32 %1, 14, !dbg !114
  %176 = add nsw i32 %175, %7, !dbg !115
  %177 = sext i32 %176 to i64, !dbg !116
  %178 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %177, !dbg !116
  %179 = load float, ptr addrspace(1) %178, align 4, !dbg !116, !tbaa !30
  %180 = getelementptr i8, ptr addrspace(3) %138, i64 896, !dbg !117
  store float %179, ptr addrspace(3) %180, align 4, !dbg !118, !tbaa !30
  %181 = mul nsw i32 %1, 15, !dbg !114
  %182 = add nsw i32 %181, %7, !dbg !115
  %183 = sext i32 %182 to i64, !dbg !116
  %184 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %183, !dbg !116
  %185 = load float, ptr addrspace(1) %184, align 4, !dbg !116, !tbaa !30
  %186 = getelementptr i8, ptr addrspace(3) %138, i64 960, !dbg !117
  store float %185, ptr addrspace(3) %186, align 4, !dbg !118, !tbaa !30
  %187 = getelementptr float, ptr addrspace(3) @lud_perimeter.lower, i64 %137, !dbg !119
  %188 = and i64 %4, 15, !dbg !121
  %189 = getelementptr inbounds nuw float, ptr addrspace(1) %20, i64 %188, !dbg !121
  %190 = load float, ptr addrspace(1) %189, align 4, !dbg !121, !tbaa !30
  store float %190, ptr addrspace(3) %187, align 4, !dbg !122, !tbaa !30
  %191 = add nsw i32 %1, %7, !dbg !123
  %192 = sext i32 %191 to i64, !dbg !121
  %193 = getelementptr inbounds float, ptr addrspace(1) %20, i64 %192, !dbg !121
  %194 = load float, ptr addrspace(1) %193, align 4, !dbg !121, !tbaa !30
  %195 = getelementptr i8, ptr addrspace(3) %187, i64 64, !dbg !124
  store float %194, ptr addrspace(3) %195, align 4, !dbg !122, !tbaa !30
  %196 = shl nsw i32 %1, 1, !dbg !125
  %197 = add nsw i32 %196, %7, !dbg !123
  %198 = sext i32 %197 to i64, !dbg !121
  %199 = getelementptr inbounds float, ptr addrspace(1) %20, i64 %198, !dbg !121
  %200 = load float, ptr addrspace(1) %199, align 4, !dbg !121, !tbaa !30
  %201 = getelementptr i8, ptr addrspace(3) %187, i64 128, !dbg !124
  store float %200, ptr addrspace(3) %201, align 4, !dbg !122, !tbaa !30
  %202 = mul nsw i32 %1, 3, !dbg !125
  %203 = add nsw i32 %202, %7, !dbg !123
  %204 = sext i32 %203 to i64, !dbg !121
  %205 = getelementptr inbounds float, ptr addrspace(1) %20, i64 %204, !dbg !121
  %206 = load float, ptr addrspace(1) %205, align 4, !dbg !121, !tbaa !30
  %207 = getelementptr i8, ptr addrspace(3) %187, i64 192, !dbg !124
  store float %206, ptr addrspace(3) %207, align 4, !dbg !122, !tbaa !30
  %208 = shl nsw i32 %1, 2, !dbg !125
  %209 = add nsw i32 %208, %7, !dbg !123
  %210 = sext i32 %209 to i64, !dbg !121
  %211 = getelementptr inbounds float, ptr addrspace(1) %20, i64 %210, !dbg !121
  %212 = load float, ptr addrspace(1) %211, align 4, !dbg !121, !tbaa !30
  %213 = getelementptr i8, ptr addrspace(3) %187, i64 256, !dbg !124
  store float %212, ptr addrspace(3) %213, align 4, !dbg !122, !tbaa !30
  %214 = mul nsw i32 %1, 5, !dbg !125
  %215 = add nsw i32 %214, %7, !dbg !123
  %216 = sext i32 %215 to i64, !dbg !121
  %217 = getelementptr inbounds float, ptr addrspace(1) %20, i64 %216, !dbg !121
  %218 = load float, ptr addrspace(1) %217, align 4, !dbg !121, !tbaa !30
  %219 = getelementptr i8, ptr addrspace(3) %187, i64 320, !dbg !124
  store float %218, ptr addrspace(3) %219, align 4, !dbg !122, !tbaa !30
  %220 = mul nsw i32 %1, 6, !dbg !125
  %221 = add nsw i32 %220, %7, !dbg !123
  %222 = sext i32 %221 to i64, !dbg !121
  %223 = getelementptr inbounds float, ptr addrspace(1) %20, i64 %222, !dbg !121
  %224 = load float, ptr addrspace(1) %223, align 4, !dbg !121, !tbaa !30
  %225 = getelementptr i8, ptr addrspace(3) %187, i64 384, !dbg !124
  store float %224, ptr addrspace(3) %225, align 4, !dbg !122, !tbaa !30
  %226 = mul nsw i32 %1, 7, !dbg !125
  %227 = add nsw i32 %226, %7, !dbg !123
  %228 = sext i32 %227 to i64, !dbg !121
  %229 = getelementptr inbounds float, ptr addrspace(1) %20, i64 %228, !dbg !121
  %230 = load float, ptr addrspace(1) %229, align 4, !dbg !121, !tbaa !30
  %231 = getelementptr i8, ptr addrspace(3) %187, i64 448, !dbg !124
  store float %230, ptr addrspace(3) %231, align 4, !dbg !122, !tbaa !30
  %232 = getelementptr inbounds float, ptr addrspace(1) %20, i64 %141, !dbg !121
  %233 = load float, ptr addrspace(1) %232, align 4, !dbg !121, !tbaa !30
  %234 = getelementptr i8, ptr addrspace(3) %187, i64 512, !dbg !124
  store float %233, ptr addrspace(3) %234, align 4, !dbg !122, !tbaa !30
  %235 = getelementptr inbounds float, ptr addrspace(1) %20, i64 %147, !dbg !121
  %236 = load float, ptr addrspace(1) %235, align 4, !dbg !121, !tbaa !30
  %237 = getelementptr i8, ptr addrspace(3) %187, i64 576, !dbg !124
  store float %236, ptr addrspace(3) %237, align 4, !dbg !122, !tbaa !30
  %238 = getelementptr inbounds float, ptr addrspace(1) %20, i64 %153, !dbg !121
  %239 = load float, ptr addrspace(1) %238, align 4, !dbg !121, !tbaa !30
  %240 = getelementptr i8, ptr addrspace(3) %187, i64 640, !dbg !124
  store float %239, ptr addrspace(3) %240, align 4, !dbg !122, !tbaa !30
  %241 = getelementptr inbounds float, ptr addrspace(1) %20, i64 %159, !dbg !121
  %242 = load float, ptr addrspace(1) %241, align 4, !dbg !121, !tbaa !30
  %243 = getelementptr i8, ptr addrspace(3) %187, i64 704, !dbg !124
  store float %242, ptr addrspace(3) %243, align 4, !dbg !122, !tbaa !30
  %244 = getelementptr inbounds float, ptr addrspace(1) %20, i64 %165, !dbg !121
  %245 = load float, ptr addrspace(1) %244, align 4, !dbg !121, !tbaa !30
  %246 = getelementptr i8, ptr addrspace(3) %187, i64 768, !dbg !124
  store float %245, ptr addrspace(3) %246, align 4, !dbg !122, !tbaa !30
  %247 = getelementptr inbounds float, ptr addrspace(1) %20, i64 %171, !dbg !121
  %248 = load float, ptr addrspace(1) %247, align 4, !dbg !121, !tbaa !30
  %249 = getelementptr i8, ptr addrspace(3) %187, i64 832, !dbg !124
  store float %248, ptr addrspace(3) %249, align 4, !dbg !122, !tbaa !30
  %250 = getelementptr inbounds float, ptr addrspace(1) %20, i64 %177, !dbg !121
  %251 = load float, ptr addrspace(1) %250, align 4, !dbg !121, !tbaa !30
  %252 = getelementptr i8, ptr addrspace(3) %187, i64 896, !dbg !124
  store float %251, ptr addrspace(3) %252, align 4, !dbg !122, !tbaa !30
  %253 = getelementptr inbounds float, ptr addrspace(1) %20, i64 %183, !dbg !121
  br label %254, !dbg !111

254:                                              ; preds = %136, %21
  %255 = phi ptr addrspace(3) [ %187, %136 ], [ %66, %21 ]
  %256 = phi ptr addrspace(1) [ %253, %136 ], [ %135, %21 ]
  %257 = load float, ptr addrspace(1) %256, align 4, !dbg !126, !tbaa !30
  %258 = getelementptr i8, ptr addrspace(3) %255, i64 960, !dbg !128
  store float %257, ptr addrspace(3) %258, align 4, !dbg !129, !tbaa !30
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !111
  br i1 %5, label %259, label %317, !dbg !130

259:                                              ; preds = %254
  %260 = getelementptr inbounds nuw float, ptr addrspace(3) @lud_perimeter.upper, i64 %4, !dbg !131
  br label %261, !dbg !134

261:                                              ; preds = %313, %259
  %262 = phi i32 [ %316, %313 ], [ 0, %259 ]
  %263 = phi i32 [ %314, %313 ], [ 1, %259 ]
  %264 = zext nneg i32 %263 to i64, !dbg !135
  %265 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) %260, i64 %264, !dbg !135
  %266 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) @lud_perimeter.factored, i64 %264, !dbg !136
  %267 = load float, ptr addrspace(3) %265, align 4, !tbaa !30
  %268 = and i32 %263, 1, !dbg !137
  %269 = icmp eq i32 %262, 0, !dbg !137
  br i1 %269, label %300, label %270, !dbg !137

270:                                              ; preds = %261
  %271 = and i32 %263, 2147483646, !dbg !137
  br label %272, !dbg !137

272:                                              ; preds = %272, %270
  %273 = phi float [ %267, %270 ], [ %294, %272 ], !dbg !139
  %274 = phi i32 [ 0, %270 ], [ %295, %272 ]
  %275 = phi i32 [ 0, %270 ], [ %296, %272 ]
  %276 = zext nneg i32 %274 to i64, !dbg !139
  %277 = getelementptr inbounds nuw float, ptr addrspace(3) %266, i64 %276, !dbg !139
  %278 = load float, ptr addrspace(3) %277, align 4, !dbg !139, !tbaa !30
  %279 = shl nsw i32 %274, 4, !dbg !140
  %280 = zext nneg i32 %279 to i64, !dbg !141
  %281 = getelementptr inbounds nuw float, ptr addrspace(3) %260, i64 %280, !dbg !141
  %282 = load float, ptr addrspace(3) %281, align 4, !dbg !141, !tbaa !30
  %283 = fneg float %278, !dbg !142
  %284 = tail call float @llvm.fmuladd.f32(float %283, float %282, float %273), !dbg !142
  store float %284, ptr addrspace(3) %265, align 4, !dbg !142, !tbaa !30
  %285 = or disjoint i32 %274, 1, !dbg !143
  %286 = zext nneg i32 %285 to i64, !dbg !139
  %287 = getelementptr inbounds nuw float, ptr addrspace(3) %266, i64 %286, !dbg !139
  %288 = load float, ptr addrspace(3) %287, align 4, !dbg !139, !tbaa !30
  %289 = shl nsw i32 %285, 4, !dbg !140
  %290 = zext nneg i32 %289 to i64, !dbg !141
  %291 = getelementptr inbounds nuw float, ptr addrspace(3) %260, i64 %290, !dbg !141
  %292 = load float, ptr addrspace(3) %291, align 4, !dbg !141, !tbaa !30
  %293 = fneg float %288, !dbg !142
  %294 = tail call float @llvm.fmuladd.f32(float %293, float %292, float %284), !dbg !142
  store float %294, ptr addrspace(3) %265, align 4, !dbg !142, !tbaa !30
  %295 = add nuw nsw i32 %274, 2, !dbg !143
  %296 = add i32 %275, 2, !dbg !137
  %297 = icmp eq i32 %296, %271, !dbg !137
  br i1 %297, label %298, label %272, !dbg !137, !llvm.loop !144

298:                                              ; preds = %272
  %299 = icmp eq i32 %268, 0, !dbg !137
  br i1 %299, label %313, label %300, !dbg !137

300:                                              ; preds = %298, %261
  %301 = phi float [ %267, %261 ], [ %294, %298 ]
  %302 = phi i32 [ 0, %261 ], [ %295, %298 ]
  %303 = icmp ne i32 %268, 0, !dbg !137
  tail call void @llvm.assume(i1 %303), !dbg !137
  %304 = zext nneg i32 %302 to i64, !dbg !139
  %305 = getelementptr inbounds nuw float, ptr addrspace(3) %266, i64 %304, !dbg !139
  %306 = load float, ptr addrspace(3) %305, align 4, !dbg !139, !tbaa !30
  %307 = shl nsw i32 %302, 4, !dbg !140
  %308 = zext nneg i32 %307 to i64, !dbg !141
  %309 = getelementptr inbounds nuw float, ptr addrspace(3) %260, i64 %308, !dbg !141
  %310 = load float, ptr addrspace(3) %309, align 4, !dbg !141, !tbaa !30
  %311 = fneg float %306, !dbg !142
  %312 = tail call float @llvm.fmuladd.f32(float %311, float %310, float %301), !dbg !142
  store float %312, ptr addrspace(3) %265, align 4, !dbg !142, !tbaa !30
  br label %313, !dbg !146

313:                                              ; preds = %298, %300
  %314 = add nuw nsw i32 %263, 1, !dbg !146
  %315 = icmp eq i32 %314, 16, !dbg !147
  %316 = add i32 %262, 1, !dbg !134
  br i1 %315, label %381, label %261, !dbg !134, !llvm.loop !148

317:                                              ; preds = %254
  %318 = and i64 %4, 15
  %319 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) @lud_perimeter.lower, i64 %318
  br label %320, !dbg !150

320:                                              ; preds = %373, %317
  %321 = phi i32 [ 0, %317 ], [ %379, %373 ]
  %322 = zext nneg i32 %321 to i64, !dbg !153
  %323 = getelementptr inbounds nuw float, ptr addrspace(3) %319, i64 %322, !dbg !153
  %324 = getelementptr inbounds nuw float, ptr addrspace(3) @lud_perimeter.factored, i64 %322, !dbg !154
  %325 = icmp eq i32 %321, 0, !dbg !155
  %326 = load float, ptr addrspace(3) %323, align 4, !dbg !157, !tbaa !30
  br i1 %325, label %373, label %327, !dbg !158

327:                                              ; preds = %320
  %328 = and i32 %321, 1, !dbg !158
  %329 = icmp eq i32 %321, 1, !dbg !158
  br i1 %329, label %360, label %330, !dbg !158

330:                                              ; preds = %327
  %331 = and i32 %321, 2147483646, !dbg !158
  br label %332, !dbg !158

332:                                              ; preds = %332, %330
  %333 = phi float [ %326, %330 ], [ %354, %332 ], !dbg !159
  %334 = phi i32 [ 0, %330 ], [ %355, %332 ]
  %335 = phi i32 [ 0, %330 ], [ %356, %332 ]
  %336 = zext nneg i32 %334 to i64, !dbg !159
  %337 = getelementptr inbounds nuw float, ptr addrspace(3) %319, i64 %336, !dbg !159
  %338 = load float, ptr addrspace(3) %337, align 4, !dbg !159, !tbaa !30
  %339 = shl nsw i32 %334, 4, !dbg !160
  %340 = zext nneg i32 %339 to i64, !dbg !161
  %341 = getelementptr inbounds nuw float, ptr addrspace(3) %324, i64 %340, !dbg !161
  %342 = load float, ptr addrspace(3) %341, align 4, !dbg !161, !tbaa !30
  %343 = fneg float %338, !dbg !162
  %344 = tail call float @llvm.fmuladd.f32(float %343, float %342, float %333), !dbg !162
  store float %344, ptr addrspace(3) %323, align 4, !dbg !162, !tbaa !30
  %345 = or disjoint i32 %334, 1, !dbg !163
  %346 = zext nneg i32 %345 to i64, !dbg !159
  %347 = getelementptr inbounds nuw float, ptr addrspace(3) %319, i64 %346, !dbg !159
  %348 = load float, ptr addrspace(3) %347, align 4, !dbg !159, !tbaa !30
  %349 = shl nsw i32 %345, 4, !dbg !160
  %350 = zext nneg i32 %349 to i64, !dbg !161
  %351 = getelementptr inbounds nuw float, ptr addrspace(3) %324, i64 %350, !dbg !161
  %352 = load float, ptr addrspace(3) %351, align 4, !dbg !161, !tbaa !30
  %353 = fneg float %348, !dbg !162
  %354 = tail call float @llvm.fmuladd.f32(float %353, float %352, float %344), !dbg !162
  store float %354, ptr addrspace(3) %323, align 4, !dbg !162, !tbaa !30
  %355 = add nuw nsw i32 %334, 2, !dbg !163
  %356 = add i32 %335, 2, !dbg !158
  %357 = icmp eq i32 %356, %331, !dbg !158
  br i1 %357, label %358, label %332, !dbg !158, !llvm.loop !164

358:                                              ; preds = %332
  %359 = icmp eq i32 %328, 0, !dbg !158
  br i1 %359, label %373, label %360, !dbg !158

360:                                              ; preds = %358, %327
  %361 = phi float [ %326, %327 ], [ %354, %358 ]
  %362 = phi i32 [ 0, %327 ], [ %355, %358 ]
  %363 = icmp ne i32 %328, 0, !dbg !158
  tail call void @llvm.assume(i1 %363), !dbg !158
  %364 = zext nneg i32 %362 to i64, !dbg !159
  %365 = getelementptr inbounds nuw float, ptr addrspace(3) %319, i64 %364, !dbg !159
  %366 = load float, ptr addrspace(3) %365, align 4, !dbg !159, !tbaa !30
  %367 = shl nsw i32 %362, 4, !dbg !160
  %368 = zext nneg i32 %367 to i64, !dbg !161
  %369 = getelementptr inbounds nuw float, ptr addrspace(3) %324, i64 %368, !dbg !161
  %370 = load float, ptr addrspace(3) %369, align 4, !dbg !161, !tbaa !30
  %371 = fneg float %366, !dbg !162
  %372 = tail call float @llvm.fmuladd.f32(float %371, float %370, float %361), !dbg !162
  store float %372, ptr addrspace(3) %323, align 4, !dbg !162, !tbaa !30
  br label %373, !dbg !166

373:                                              ; preds = %360, %358, %320
  %374 = phi float [ %326, %320 ], [ %354, %358 ], [ %372, %360 ], !dbg !157
  %375 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) @lud_perimeter.factored, i64 %322, !dbg !166
  %376 = getelementptr inbounds nuw float, ptr addrspace(3) %375, i64 %322, !dbg !166
  %377 = load float, ptr addrspace(3) %376, align 4, !dbg !166, !tbaa !30
  %378 = fdiv float %374, %377, !dbg !157, !fpmath !56
  store float %378, ptr addrspace(3) %323, align 4, !dbg !157, !tbaa !30
  %379 = add nuw nsw i32 %321, 1, !dbg !167
  %380 = icmp eq i32 %379, 16, !dbg !168
  br i1 %380, label %381, label %320, !dbg !150, !llvm.loop !169

381:                                              ; preds = %373, %313
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !171
  br i1 %5, label %382, label %384, !dbg !172

382:                                              ; preds = %381
  %383 = getelementptr float, ptr addrspace(3) @lud_perimeter.upper, i64 %4, !dbg !173
  br label %390, !dbg !175

384:                                              ; preds = %381
  %385 = and i64 %4, 15
  %386 = getelementptr float, ptr addrspace(3) @lud_perimeter.lower, i64 %385, !dbg !176
  %387 = load float, ptr addrspace(3) %386, align 4, !dbg !178, !tbaa !30
  %388 = and i64 %4, 15, !dbg !179
  %389 = getelementptr inbounds nuw float, ptr addrspace(1) %20, i64 %388, !dbg !179
  store float %387, ptr addrspace(1) %389, align 4, !dbg !180, !tbaa !30
  br label %390, !dbg !175

390:                                              ; preds = %384, %382
  %391 = phi ptr addrspace(3) [ %386, %384 ], [ %383, %382 ]
  %392 = phi ptr addrspace(1) [ %20, %384 ], [ %17, %382 ]
  %393 = getelementptr i8, ptr addrspace(3) %391, i64 64, !dbg !181
  %394 = load float, ptr addrspace(3) %393, align 4, !dbg !181, !tbaa !30
  %395 = add nsw i32 %1, %7, !dbg !182
  %396 = sext i32 %395 to i64, !dbg !183
  %397 = getelementptr inbounds float, ptr addrspace(1) %392, i64 %396, !dbg !183
  store float %394, ptr addrspace(1) %397, align 4, !dbg !184, !tbaa !30
  %398 = getelementptr i8, ptr addrspace(3) %391, i64 128, !dbg !181
  %399 = load float, ptr addrspace(3) %398, align 4, !dbg !181, !tbaa !30
  %400 = shl nsw i32 %1, 1, !dbg !185
  %401 = add nsw i32 %400, %7, !dbg !182
  %402 = sext i32 %401 to i64, !dbg !183
  %403 = getelementptr inbounds float, ptr addrspace(1) %392, i64 %402, !dbg !183
  store float %399, ptr addrspace(1) %403, align 4, !dbg !184, !tbaa !30
  %404 = getelementptr i8, ptr addrspace(3) %391, i64 192, !dbg !181
  %405 = load float, ptr addrspace(3) %404, align 4, !dbg !181, !tbaa !30
  %406 = mul nsw i32 %1, 3, !dbg !185
  %407 = add nsw i32 %406, %7, !dbg !182
  %408 = sext i32 %407 to i64, !dbg !183
  %409 = getelementptr inbounds float, ptr addrspace(1) %392, i64 %408, !dbg !183
  store float %405, ptr addrspace(1) %409, align 4, !dbg !184, !tbaa !30
  %410 = getelementptr i8, ptr addrspace(3) %391, i64 256, !dbg !181
  %411 = load float, ptr addrspace(3) %410, align 4, !dbg !181, !tbaa !30
  %412 = shl nsw i32 %1, 2, !dbg !185
  %413 = add nsw i32 %412, %7, !dbg !182
  %414 = sext i32 %413 to i64, !dbg !183
  %415 = getelementptr inbounds float, ptr addrspace(1) %392, i64 %414, !dbg !183
  store float %411, ptr addrspace(1) %415, align 4, !dbg !184, !tbaa !30
  %416 = getelementptr i8, ptr addrspace(3) %391, i64 320, !dbg !181
  %417 = load float, ptr addrspace(3) %416, align 4, !dbg !181, !tbaa !30
  %418 = mul nsw i32 %1, 5, !dbg !185
  %419 = add nsw i32 %418, %7, !dbg !182
  %420 = sext i32 %419 to i64, !dbg !183
  %421 = getelementptr inbounds float, ptr addrspace(1) %392, i64 %420, !dbg !183
  store float %417, ptr addrspace(1) %421, align 4, !dbg !184, !tbaa !30
  %422 = getelementptr i8, ptr addrspace(3) %391, i64 384, !dbg !181
  %423 = load float, ptr addrspace(3) %422, align 4, !dbg !181, !tbaa !30
  %424 = mul nsw i32 %1, 6, !dbg !185
  %425 = add nsw i32 %424, %7, !dbg !182
  %426 = sext i32 %425 to i64, !dbg !183
  %427 = getelementptr inbounds float, ptr addrspace(1) %392, i64 %426, !dbg !183
  store float %423, ptr addrspace(1) %427, align 4, !dbg !184, !tbaa !30
  %428 = getelementptr i8, ptr addrspace(3) %391, i64 448, !dbg !181
  %429 = load float, ptr addrspace(3) %428, align 4, !dbg !181, !tbaa !30
  %430 = mul nsw i32 %1, 7, !dbg !185
  %431 = add nsw i32 %430, %7, !dbg !182
  %432 = sext i32 %431 to i64, !dbg !183
  %433 = getelementptr inbounds float, ptr addrspace(1) %392, i64 %432, !dbg !183
  store float %429, ptr addrspace(1) %433, align 4, !dbg !184, !tbaa !30
  %434 = getelementptr i8, ptr addrspace(3) %391, i64 512, !dbg !181
  %435 = load float, ptr addrspace(3) %434, align 4, !dbg !181, !tbaa !30
  %436 = shl nsw i32 %1, 3, !dbg !185
  %437 = add nsw i32 %436, %7, !dbg !182
  %438 = sext i32 %437 to i64, !dbg !183
  %439 = getelementptr inbounds float, ptr addrspace(1) %392, i64 %438, !dbg !183
  store float %435, ptr addrspace(1) %439, align 4, !dbg !184, !tbaa !30
  %440 = getelementptr i8, ptr addrspace(3) %391, i64 576, !dbg !181
  %441 = load float, ptr addrspace(3) %440, align 4, !dbg !181, !tbaa !30
  %442 = mul nsw i32 %1, 9, !dbg !185
  %443 = add nsw i32 %442, %7, !dbg !182
  %444 = sext i32 %443 to i64, !dbg !183
  %445 = getelementptr inbounds float, ptr addrspace(1) %392, i64 %444, !dbg !183
  store float %441, ptr addrspace(1) %445, align 4, !dbg !184, !tbaa !30
  %446 = getelementptr i8, ptr addrspace(3) %391, i64 640, !dbg !181
  %447 = load float, ptr addrspace(3) %446, align 4, !dbg !181, !tbaa !30
  %448 = mul nsw i32 %1, 10, !dbg !185
  %449 = add nsw i32 %448, %7, !dbg !182
  %450 = sext i32 %449 to i64, !dbg !183
  %451 = getelementptr inbounds float, ptr addrspace(1) %392, i64 %450, !dbg !183
  store float %447, ptr addrspace(1) %451, align 4, !dbg !184, !tbaa !30
  %452 = getelementptr i8, ptr addrspace(3) %391, i64 704, !dbg !181
  %453 = load float, ptr addrspace(3) %452, align 4, !dbg !181, !tbaa !30
  %454 = mul nsw i32 %1, 11, !dbg !185
  %455 = add nsw i32 %454, %7, !dbg !182
  %456 = sext i32 %455 to i64, !dbg !183
  %457 = getelementptr inbounds float, ptr addrspace(1) %392, i64 %456, !dbg !183
  store float %453, ptr addrspace(1) %457, align 4, !dbg !184, !tbaa !30
  %458 = getelementptr i8, ptr addrspace(3) %391, i64 768, !dbg !181
  %459 = load float, ptr addrspace(3) %458, align 4, !dbg !181, !tbaa !30
  %460 = mul nsw i32 %1, 12, !dbg !185
  %461 = add nsw i32 %460, %7, !dbg !182
  %462 = sext i32 %461 to i64, !dbg !183
  %463 = getelementptr inbounds float, ptr addrspace(1) %392, i64 %462, !dbg !183
  store float %459, ptr addrspace(1) %463, align 4, !dbg !184, !tbaa !30
  %464 = getelementptr i8, ptr addrspace(3) %391, i64 832, !dbg !181
  %465 = load float, ptr addrspace(3) %464, align 4, !dbg !181, !tbaa !30
  %466 = mul nsw i32 %1, 13, !dbg !185
  %467 = add nsw i32 %466, %7, !dbg !182
  %468 = sext i32 %467 to i64, !dbg !183
  %469 = getelementptr inbounds float, ptr addrspace(1) %392, i64 %468, !dbg !183
  store float %465, ptr addrspace(1) %469, align 4, !dbg !184, !tbaa !30
  %470 = getelementptr i8, ptr addrspace(3) %391, i64 896, !dbg !181
  %471 = load float, ptr addrspace(3) %470, align 4, !dbg !181, !tbaa !30
  %472 = mul nsw i32 %1, 14, !dbg !185
  %473 = add nsw i32 %472, %7, !dbg !182
  %474 = sext i32 %473 to i64, !dbg !183
  %475 = getelementptr inbounds float, ptr addrspace(1) %392, i64 %474, !dbg !183
  store float %471, ptr addrspace(1) %475, align 4, !dbg !184, !tbaa !30
  %476 = getelementptr i8, ptr addrspace(3) %391, i64 960, !dbg !181
  %477 = load float, ptr addrspace(3) %476, align 4, !dbg !181, !tbaa !30
  %478 = mul nsw i32 %1, 15, !dbg !185
  %479 = add nsw i32 %478, %7, !dbg !182
  %480 = sext i32 %479 to i64, !dbg !183
  %481 = getelementptr inbounds float, ptr addrspace(1) %392, i64 %480, !dbg !183
  store float %477, ptr addrspace(1) %481, align 4, !dbg !184, !tbaa !30
  ret void, !dbg !175
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @lud_internal(ptr addrspace(1) noundef align 4 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #0 !dbg !186 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_lud_internal(ptr addrspace(1) noundef align 4 %0, i32 noundef %1, i32 noundef %2) #6, !dbg !187
  ret void, !dbg !188
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_lud_internal(ptr addrspace(1) noundef align 4 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #1 !dbg !189 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %4 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #7, !dbg !190
  %5 = trunc i64 %4 to i32, !dbg !190
  %6 = tail call i64 @_Z12get_local_idj(i32 noundef 1) #7, !dbg !191
  %7 = trunc i64 %6 to i32, !dbg !191
  %8 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #7, !dbg !192
  %9 = trunc i64 %8 to i32, !dbg !193
  %10 = shl i32 %9, 4, !dbg !194
  %11 = add i32 %5, 16, !dbg !194
  %12 = add i32 %11, %10, !dbg !195
  %13 = add nsw i32 %1, 1, !dbg !196
  %14 = mul nsw i32 %2, %13, !dbg !197
  %15 = sext i32 %14 to i64, !dbg !198
  %16 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %15, !dbg !198
  %17 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #7, !dbg !199
  %18 = trunc i64 %17 to i32, !dbg !200
  %19 = shl i32 %18, 4, !dbg !201
  %20 = add i32 %7, 16, !dbg !201
  %21 = add i32 %20, %19, !dbg !202
  %22 = mul nsw i32 %21, %1, !dbg !203
  %23 = sext i32 %22 to i64, !dbg !204
  %24 = getelementptr inbounds float, ptr addrspace(1) %16, i64 %23, !dbg !204
  %25 = mul nsw i32 %1, %7, !dbg !205
  %26 = add nsw i32 %12, %25, !dbg !206
  %27 = sext i32 %26 to i64, !dbg !207
  %28 = getelementptr inbounds float, ptr addrspace(1) %16, i64 %27, !dbg !207
  %29 = load float, ptr addrspace(1) %28, align 4, !dbg !207, !tbaa !30
  %30 = shl i64 %6, 32, !dbg !208
  %31 = ashr exact i64 %30, 32, !dbg !208
  %32 = getelementptr inbounds [16 x float], ptr addrspace(3) @lud_internal.upper, i64 %31, !dbg !208
  %33 = shl i64 %4, 32, !dbg !208
  %34 = ashr exact i64 %33, 32, !dbg !208
  %35 = getelementptr inbounds float, ptr addrspace(3) %32, i64 %34, !dbg !208
  store float %29, ptr addrspace(3) %35, align 4, !dbg !209, !tbaa !30
  %36 = getelementptr inbounds float, ptr addrspace(1) %24, i64 %34, !dbg !210
  %37 = load float, ptr addrspace(1) %36, align 4, !dbg !210, !tbaa !30
  %38 = getelementptr inbounds [16 x float], ptr addrspace(3) @lud_internal.lower, i64 %31, !dbg !211
  %39 = getelementptr inbounds float, ptr addrspace(3) %38, i64 %34, !dbg !211
  store float %37, ptr addrspace(3) %39, align 4, !dbg !212, !tbaa !30
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !213
  %40 = getelementptr float, ptr addrspace(3) @lud_internal.upper, i64 %34, !dbg !214
  %41 = load float, ptr addrspace(3) %38, align 4, !dbg !215, !tbaa !30
  %42 = load float, ptr addrspace(3) %40, align 4, !dbg !216, !tbaa !30
  %43 = tail call float @llvm.fmuladd.f32(float %41, float %42, float 0.000000e+00), !dbg !217
  %44 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 4, !dbg !215
  %45 = load float, ptr addrspace(3) %44, align 4, !dbg !215, !tbaa !30
  %46 = getelementptr i8, ptr addrspace(3) %40, i64 64, !dbg !216
  %47 = load float, ptr addrspace(3) %46, align 4, !dbg !216, !tbaa !30
  %48 = tail call float @llvm.fmuladd.f32(float %45, float %47, float %43), !dbg !217
  %49 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 8, !dbg !215
  %50 = load float, ptr addrspace(3) %49, align 4, !dbg !215, !tbaa !30
  %51 = getelementptr i8, ptr addrspace(3) %40, i64 128, !dbg !216
  %52 = load float, ptr addrspace(3) %51, align 4, !dbg !216, !tbaa !30
  %53 = tail call float @llvm.fmuladd.f32(float %50, float %52, float %48), !dbg !217
  %54 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 12, !dbg !215
  %55 = load float, ptr addrspace(3) %54, align 4, !dbg !215, !tbaa !30
  %56 = getelementptr i8, ptr addrspace(3) %40, i64 192, !dbg !216
  %57 = load float, ptr addrspace(3) %56, align 4, !dbg !216, !tbaa !30
  %58 = tail call float @llvm.fmuladd.f32(float %55, float %57, float %53), !dbg !217
  %59 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 16, !dbg !215
  %60 = load float, ptr addrspace(3) %59, align 4, !dbg !215, !tbaa !30
  %61 = getelementptr i8, ptr addrspace(3) %40, i64 256, !dbg !216
  %62 = load float, ptr addrspace(3) %61, align 4, !dbg !216, !tbaa !30
  %63 = tail call float @llvm.fmuladd.f32(float %60, float %62, float %58), !dbg !217
  %64 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 20, !dbg !215
  %65 = load float, ptr addrspace(3) %64, align 4, !dbg !215, !tbaa !30
  %66 = getelementptr i8, ptr addrspace(3) %40, i64 320, !dbg !216
  %67 = load float, ptr addrspace(3) %66, align 4, !dbg !216, !tbaa !30
  %68 = tail call float @llvm.fmuladd.f32(float %65, float %67, float %63), !dbg !217
  %69 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 24, !dbg !215
  %70 = load float, ptr addrspace(3) %69, align 4, !dbg !215, !tbaa !30
  %71 = getelementptr i8, ptr addrspace(3) %40, i64 384, !dbg !216
  %72 = load float, ptr addrspace(3) %71, align 4, !dbg !216, !tbaa !30
  %73 = tail call float @llvm.fmuladd.f32(float %70, float %72, float %68), !dbg !217
  %74 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 28, !dbg !215
  %75 = load float, ptr addrspace(3) %74, align 4, !dbg !215, !tbaa !30
  %76 = getelementptr i8, ptr addrspace(3) %40, i64 448, !dbg !216
  %77 = load float, ptr addrspace(3) %76, align 4, !dbg !216, !tbaa !30
  %78 = tail call float @llvm.fmuladd.f32(float %75, float %77, float %73), !dbg !217
  %79 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 32, !dbg !215
  %80 = load float, ptr addrspace(3) %79, align 4, !dbg !215, !tbaa !30
  %81 = getelementptr i8, ptr addrspace(3) %40, i64 512, !dbg !216
  %82 = load float, ptr addrspace(3) %81, align 4, !dbg !216, !tbaa !30
  %83 = tail call float @llvm.fmuladd.f32(float %80, float %82, float %78), !dbg !217
  %84 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 36, !dbg !215
  %85 = load float, ptr addrspace(3) %84, align 4, !dbg !215, !tbaa !30
  %86 = getelementptr i8, ptr addrspace(3) %40, i64 576, !dbg !216
  %87 = load float, ptr addrspace(3) %86, align 4, !dbg !216, !tbaa !30
  %88 = tail call float @llvm.fmuladd.f32(float %85, float %87, float %83), !dbg !217
  %89 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 40, !dbg !215
  %90 = load float, ptr addrspace(3) %89, align 4, !dbg !215, !tbaa !30
  %91 = getelementptr i8, ptr addrspace(3) %40, i64 640, !dbg !216
  %92 = load float, ptr addrspace(3) %91, align 4, !dbg !216, !tbaa !30
  %93 = tail call float @llvm.fmuladd.f32(float %90, float %92, float %88), !dbg !217
  %94 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 44, !dbg !215
  %95 = load float, ptr addrspace(3) %94, align 4, !dbg !215, !tbaa !30
  %96 = getelementptr i8, ptr addrspace(3) %40, i64 704, !dbg !216
  %97 = load float, ptr addrspace(3) %96, align 4, !dbg !216, !tbaa !30
  %98 = tail call float @llvm.fmuladd.f32(float %95, float %97, float %93), !dbg !217
  %99 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 48, !dbg !215
  %100 = load float, ptr addrspace(3) %99, align 4, !dbg !215, !tbaa !30
  %101 = getelementptr i8, ptr addrspace(3) %40, i64 768, !dbg !216
  %102 = load float, ptr addrspace(3) %101, align 4, !dbg !216, !tbaa !30
  %103 = tail call float @llvm.fmuladd.f32(float %100, float %102, float %98), !dbg !217
  %104 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 52, !dbg !215
  %105 = load float, ptr addrspace(3) %104, align 4, !dbg !215, !tbaa !30
  %106 = getelementptr i8, ptr addrspace(3) %40, i64 832, !dbg !216
  %107 = load float, ptr addrspace(3) %106, align 4, !dbg !216, !tbaa !30
  %108 = tail call float @llvm.fmuladd.f32(float %105, float %107, float %103), !dbg !217
  %109 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 56, !dbg !215
  %110 = load float, ptr addrspace(3) %109, align 4, !dbg !215, !tbaa !30
  %111 = getelementptr i8, ptr addrspace(3) %40, i64 896, !dbg !216
  %112 = load float, ptr addrspace(3) %111, align 4, !dbg !216, !tbaa !30
  %113 = tail call float @llvm.fmuladd.f32(float %110, float %112, float %108), !dbg !217
  %114 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 60, !dbg !215
  %115 = load float, ptr addrspace(3) %114, align 4, !dbg !215, !tbaa !30
  %116 = getelementptr i8, ptr addrspace(3) %40, i64 960, !dbg !216
  %117 = load float, ptr addrspace(3) %116, align 4, !dbg !216, !tbaa !30
  %118 = tail call float @llvm.fmuladd.f32(float %115, float %117, float %113), !dbg !217
  %119 = sext i32 %12 to i64, !dbg !218
  %120 = getelementptr inbounds float, ptr addrspace(1) %24, i64 %119, !dbg !218
  %121 = load float, ptr addrspace(1) %120, align 4, !dbg !219, !tbaa !30
  %122 = fsub float %121, %118, !dbg !219
  store float %122, ptr addrspace(1) %120, align 4, !dbg !219, !tbaa !30
  ret void, !dbg !220
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #3

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #4

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #5

attributes #0 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #3 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #6 = { convergent nounwind }
attributes #7 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "lud.cl", directory: ".")
!2 = !{i32 7, !"Dwarf Version", i32 2}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 7, !"frame-pointer", i32 2}
!6 = !{i32 1, i32 2}
!7 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!8 = !{!9, !9, i64 0}
!9 = !{!"int", !10, i64 0}
!10 = !{!"omnipotent char", !11, i64 0}
!11 = !{!"Simple C/C++ TBAA"}
!12 = distinct !DISubprogram(name: "lud_diagonal", scope: !1, file: !1, line: 49, type: !13, scopeLine: 49, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 0, i32 0}
!16 = !{!"none", !"none", !"none"}
!17 = !{!"float*", !"int", !"int"}
!18 = !{!"", !"", !""}
!19 = !DILocation(line: 49, column: 73, scope: !12)
!20 = !DILocation(line: 71, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "lud_diagonal", scope: !1, file: !1, line: 49, type: !13, scopeLine: 49, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 52, column: 17, scope: !21)
!23 = !DILocation(line: 53, column: 57, scope: !21)
!24 = !DILocation(line: 53, column: 49, scope: !21)
!25 = !DILocation(line: 53, column: 41, scope: !21)
!26 = !DILocation(line: 11, column: 3, scope: !27, inlinedAt: !28)
!27 = distinct !DISubprogram(name: "load_rows", scope: !1, file: !1, line: 9, type: !13, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!28 = distinct !DILocation(line: 54, column: 3, scope: !21)
!29 = !DILocation(line: 12, column: 25, scope: !27, inlinedAt: !28)
!30 = !{!31, !31, i64 0}
!31 = !{!"float", !10, i64 0}
!32 = !DILocation(line: 12, column: 23, scope: !27, inlinedAt: !28)
!33 = !DILocation(line: 12, column: 42, scope: !27, inlinedAt: !28)
!34 = !DILocation(line: 12, column: 5, scope: !27, inlinedAt: !28)
!35 = !DILocation(line: 12, column: 34, scope: !27, inlinedAt: !28)
!36 = !DILocation(line: 55, column: 3, scope: !21)
!37 = !DILocation(line: 57, column: 3, scope: !21)
!38 = !DILocation(line: 59, column: 30, scope: !21)
!39 = !DILocation(line: 60, column: 9, scope: !21)
!40 = !DILocation(line: 58, column: 28, scope: !21)
!41 = !DILocation(line: 61, column: 18, scope: !21)
!42 = !DILocation(line: 61, column: 45, scope: !21)
!43 = !DILocation(line: 26, column: 21, scope: !44, inlinedAt: !45)
!44 = distinct !DISubprogram(name: "eliminate", scope: !1, file: !1, line: 24, type: !13, scopeLine: 25, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!45 = distinct !DILocation(line: 61, column: 7, scope: !21)
!46 = !DILocation(line: 62, column: 23, scope: !21)
!47 = !DILocation(line: 26, column: 3, scope: !44, inlinedAt: !45)
!48 = !DILocation(line: 27, column: 17, scope: !44, inlinedAt: !45)
!49 = !DILocation(line: 27, column: 35, scope: !44, inlinedAt: !45)
!50 = !DILocation(line: 27, column: 26, scope: !44, inlinedAt: !45)
!51 = !DILocation(line: 27, column: 14, scope: !44, inlinedAt: !45)
!52 = !DILocation(line: 26, column: 30, scope: !44, inlinedAt: !45)
!53 = distinct !{!53, !47, !54}
!54 = !DILocation(line: 27, column: 41, scope: !44, inlinedAt: !45)
!55 = !DILocation(line: 62, column: 26, scope: !21)
!56 = !{float 2.500000e+00}
!57 = !DILocation(line: 63, column: 5, scope: !21)
!58 = !DILocation(line: 64, column: 5, scope: !21)
!59 = !DILocation(line: 65, column: 9, scope: !21)
!60 = !DILocation(line: 66, column: 18, scope: !21)
!61 = !DILocation(line: 26, column: 3, scope: !44, inlinedAt: !62)
!62 = distinct !DILocation(line: 66, column: 7, scope: !21)
!63 = !DILocation(line: 27, column: 17, scope: !44, inlinedAt: !62)
!64 = !DILocation(line: 27, column: 35, scope: !44, inlinedAt: !62)
!65 = !DILocation(line: 27, column: 26, scope: !44, inlinedAt: !62)
!66 = !DILocation(line: 27, column: 14, scope: !44, inlinedAt: !62)
!67 = !DILocation(line: 26, column: 30, scope: !44, inlinedAt: !62)
!68 = distinct !{!68, !61, !69}
!69 = !DILocation(line: 27, column: 41, scope: !44, inlinedAt: !62)
!70 = !DILocation(line: 67, column: 5, scope: !21)
!71 = !DILocation(line: 57, column: 33, scope: !21)
!72 = !DILocation(line: 57, column: 25, scope: !21)
!73 = distinct !{!73, !37, !74}
!74 = !DILocation(line: 68, column: 3, scope: !21)
!75 = !DILocation(line: 19, column: 32, scope: !76, inlinedAt: !77)
!76 = distinct !DISubprogram(name: "store_rows", scope: !1, file: !1, line: 16, type: !13, scopeLine: 17, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!77 = distinct !DILocation(line: 70, column: 3, scope: !21)
!78 = !DILocation(line: 19, column: 30, scope: !76, inlinedAt: !77)
!79 = !DILocation(line: 71, column: 1, scope: !21)
!80 = distinct !DISubprogram(name: "lud_perimeter", scope: !1, file: !1, line: 77, type: !13, scopeLine: 77, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!81 = !DILocation(line: 77, column: 74, scope: !80)
!82 = !DILocation(line: 108, column: 1, scope: !80)
!83 = distinct !DISubprogram(name: "lud_perimeter", scope: !1, file: !1, line: 77, type: !13, scopeLine: 77, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!84 = !DILocation(line: 82, column: 29, scope: !83)
!85 = !DILocation(line: 82, column: 45, scope: !83)
!86 = !DILocation(line: 83, column: 17, scope: !83)
!87 = !DILocation(line: 84, column: 33, scope: !83)
!88 = !DILocation(line: 84, column: 28, scope: !83)
!89 = !DILocation(line: 84, column: 25, scope: !83)
!90 = !DILocation(line: 85, column: 57, scope: !83)
!91 = !DILocation(line: 85, column: 49, scope: !83)
!92 = !DILocation(line: 85, column: 41, scope: !83)
!93 = !DILocation(line: 86, column: 40, scope: !83)
!94 = !DILocation(line: 87, column: 47, scope: !83)
!95 = !DILocation(line: 87, column: 40, scope: !83)
!96 = !DILocation(line: 89, column: 7, scope: !83)
!97 = !DILocation(line: 11, column: 3, scope: !27, inlinedAt: !98)
!98 = distinct !DILocation(line: 90, column: 5, scope: !83)
!99 = !DILocation(line: 12, column: 25, scope: !27, inlinedAt: !98)
!100 = !DILocation(line: 12, column: 23, scope: !27, inlinedAt: !98)
!101 = !DILocation(line: 12, column: 42, scope: !27, inlinedAt: !98)
!102 = !DILocation(line: 12, column: 5, scope: !27, inlinedAt: !98)
!103 = !DILocation(line: 12, column: 34, scope: !27, inlinedAt: !98)
!104 = !DILocation(line: 11, column: 3, scope: !27, inlinedAt: !105)
!105 = distinct !DILocation(line: 91, column: 5, scope: !83)
!106 = !DILocation(line: 12, column: 25, scope: !27, inlinedAt: !105)
!107 = !DILocation(line: 12, column: 23, scope: !27, inlinedAt: !105)
!108 = !DILocation(line: 12, column: 5, scope: !27, inlinedAt: !105)
!109 = !DILocation(line: 12, column: 34, scope: !27, inlinedAt: !105)
!110 = !DILocation(line: 12, column: 42, scope: !27, inlinedAt: !105)
!111 = !DILocation(line: 96, column: 3, scope: !83)
!112 = !DILocation(line: 11, column: 3, scope: !27, inlinedAt: !113)
!113 = distinct !DILocation(line: 93, column: 5, scope: !83)
!114 = !DILocation(line: 12, column: 34, scope: !27, inlinedAt: !113)
!115 = !DILocation(line: 12, column: 42, scope: !27, inlinedAt: !113)
!116 = !DILocation(line: 12, column: 25, scope: !27, inlinedAt: !113)
!117 = !DILocation(line: 12, column: 5, scope: !27, inlinedAt: !113)
!118 = !DILocation(line: 12, column: 23, scope: !27, inlinedAt: !113)
!119 = !DILocation(line: 11, column: 3, scope: !27, inlinedAt: !120)
!120 = distinct !DILocation(line: 94, column: 5, scope: !83)
!121 = !DILocation(line: 12, column: 25, scope: !27, inlinedAt: !120)
!122 = !DILocation(line: 12, column: 23, scope: !27, inlinedAt: !120)
!123 = !DILocation(line: 12, column: 42, scope: !27, inlinedAt: !120)
!124 = !DILocation(line: 12, column: 5, scope: !27, inlinedAt: !120)
!125 = !DILocation(line: 12, column: 34, scope: !27, inlinedAt: !120)
!126 = !DILocation(line: 12, column: 25, scope: !27, inlinedAt: !127)
!127 = !DILocation(line: 0, scope: !83)
!128 = !DILocation(line: 12, column: 5, scope: !27, inlinedAt: !127)
!129 = !DILocation(line: 12, column: 23, scope: !27, inlinedAt: !127)
!130 = !DILocation(line: 98, column: 7, scope: !83)
!131 = !DILocation(line: 33, column: 8, scope: !132, inlinedAt: !133)
!132 = distinct !DISubprogram(name: "solve_column", scope: !1, file: !1, line: 31, type: !13, scopeLine: 32, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!133 = distinct !DILocation(line: 99, column: 5, scope: !83)
!134 = !DILocation(line: 33, column: 3, scope: !132, inlinedAt: !133)
!135 = !DILocation(line: 34, column: 16, scope: !132, inlinedAt: !133)
!136 = !DILocation(line: 34, column: 31, scope: !132, inlinedAt: !133)
!137 = !DILocation(line: 26, column: 3, scope: !44, inlinedAt: !138)
!138 = distinct !DILocation(line: 34, column: 5, scope: !132, inlinedAt: !133)
!139 = !DILocation(line: 27, column: 17, scope: !44, inlinedAt: !138)
!140 = !DILocation(line: 27, column: 35, scope: !44, inlinedAt: !138)
!141 = !DILocation(line: 27, column: 26, scope: !44, inlinedAt: !138)
!142 = !DILocation(line: 27, column: 14, scope: !44, inlinedAt: !138)
!143 = !DILocation(line: 26, column: 30, scope: !44, inlinedAt: !138)
!144 = distinct !{!144, !137, !145}
!145 = !DILocation(line: 27, column: 41, scope: !44, inlinedAt: !138)
!146 = !DILocation(line: 33, column: 33, scope: !132, inlinedAt: !133)
!147 = !DILocation(line: 33, column: 25, scope: !132, inlinedAt: !133)
!148 = distinct !{!148, !134, !149}
!149 = !DILocation(line: 34, column: 63, scope: !132, inlinedAt: !133)
!150 = !DILocation(line: 40, column: 3, scope: !151, inlinedAt: !152)
!151 = distinct !DISubprogram(name: "solve_row", scope: !1, file: !1, line: 38, type: !13, scopeLine: 39, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!152 = distinct !DILocation(line: 101, column: 5, scope: !83)
!153 = !DILocation(line: 41, column: 16, scope: !151, inlinedAt: !152)
!154 = !DILocation(line: 41, column: 45, scope: !151, inlinedAt: !152)
!155 = !DILocation(line: 26, column: 21, scope: !44, inlinedAt: !156)
!156 = distinct !DILocation(line: 41, column: 5, scope: !151, inlinedAt: !152)
!157 = !DILocation(line: 42, column: 22, scope: !151, inlinedAt: !152)
!158 = !DILocation(line: 26, column: 3, scope: !44, inlinedAt: !156)
!159 = !DILocation(line: 27, column: 17, scope: !44, inlinedAt: !156)
!160 = !DILocation(line: 27, column: 35, scope: !44, inlinedAt: !156)
!161 = !DILocation(line: 27, column: 26, scope: !44, inlinedAt: !156)
!162 = !DILocation(line: 27, column: 14, scope: !44, inlinedAt: !156)
!163 = !DILocation(line: 26, column: 30, scope: !44, inlinedAt: !156)
!164 = distinct !{!164, !158, !165}
!165 = !DILocation(line: 27, column: 41, scope: !44, inlinedAt: !156)
!166 = !DILocation(line: 42, column: 25, scope: !151, inlinedAt: !152)
!167 = !DILocation(line: 40, column: 39, scope: !151, inlinedAt: !152)
!168 = !DILocation(line: 40, column: 31, scope: !151, inlinedAt: !152)
!169 = distinct !{!169, !150, !170}
!170 = !DILocation(line: 43, column: 3, scope: !151, inlinedAt: !152)
!171 = !DILocation(line: 102, column: 3, scope: !83)
!172 = !DILocation(line: 104, column: 7, scope: !83)
!173 = !DILocation(line: 18, column: 8, scope: !76, inlinedAt: !174)
!174 = distinct !DILocation(line: 105, column: 5, scope: !83)
!175 = !DILocation(line: 108, column: 1, scope: !83)
!176 = !DILocation(line: 18, column: 8, scope: !76, inlinedAt: !177)
!177 = distinct !DILocation(line: 107, column: 5, scope: !83)
!178 = !DILocation(line: 19, column: 32, scope: !76, inlinedAt: !177)
!179 = !DILocation(line: 19, column: 5, scope: !76, inlinedAt: !177)
!180 = !DILocation(line: 19, column: 30, scope: !76, inlinedAt: !177)
!181 = !DILocation(line: 19, column: 32, scope: !76, inlinedAt: !127)
!182 = !DILocation(line: 19, column: 20, scope: !76, inlinedAt: !127)
!183 = !DILocation(line: 19, column: 5, scope: !76, inlinedAt: !127)
!184 = !DILocation(line: 19, column: 30, scope: !76, inlinedAt: !127)
!185 = !DILocation(line: 19, column: 12, scope: !76, inlinedAt: !127)
!186 = distinct !DISubprogram(name: "lud_internal", scope: !1, file: !1, line: 112, type: !13, scopeLine: 112, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!187 = !DILocation(line: 112, column: 73, scope: !186)
!188 = !DILocation(line: 128, column: 1, scope: !186)
!189 = distinct !DISubprogram(name: "lud_internal", scope: !1, file: !1, line: 112, type: !13, scopeLine: 112, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!190 = !DILocation(line: 116, column: 18, scope: !189)
!191 = !DILocation(line: 116, column: 40, scope: !189)
!192 = !DILocation(line: 117, column: 35, scope: !189)
!193 = !DILocation(line: 117, column: 30, scope: !189)
!194 = !DILocation(line: 117, column: 27, scope: !189)
!195 = !DILocation(line: 117, column: 56, scope: !189)
!196 = !DILocation(line: 118, column: 57, scope: !189)
!197 = !DILocation(line: 118, column: 49, scope: !189)
!198 = !DILocation(line: 118, column: 41, scope: !189)
!199 = !DILocation(line: 119, column: 58, scope: !189)
!200 = !DILocation(line: 119, column: 53, scope: !189)
!201 = !DILocation(line: 119, column: 50, scope: !189)
!202 = !DILocation(line: 119, column: 79, scope: !189)
!203 = !DILocation(line: 119, column: 85, scope: !189)
!204 = !DILocation(line: 119, column: 42, scope: !189)
!205 = !DILocation(line: 120, column: 29, scope: !189)
!206 = !DILocation(line: 120, column: 36, scope: !189)
!207 = !DILocation(line: 120, column: 19, scope: !189)
!208 = !DILocation(line: 120, column: 3, scope: !189)
!209 = !DILocation(line: 120, column: 17, scope: !189)
!210 = !DILocation(line: 121, column: 19, scope: !189)
!211 = !DILocation(line: 121, column: 3, scope: !189)
!212 = !DILocation(line: 121, column: 17, scope: !189)
!213 = !DILocation(line: 122, column: 3, scope: !189)
!214 = !DILocation(line: 125, column: 8, scope: !189)
!215 = !DILocation(line: 126, column: 16, scope: !189)
!216 = !DILocation(line: 126, column: 31, scope: !189)
!217 = !DILocation(line: 126, column: 13, scope: !189)
!218 = !DILocation(line: 127, column: 3, scope: !189)
!219 = !DILocation(line: 127, column: 19, scope: !189)
!220 = !DILocation(line: 128, column: 1, scope: !189)
