; ModuleID = 'lud.cl'
source_filename = "lud.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@lud_diagonal.tile = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@lud_perimeter.pivot = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
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
  %6 = mul nsw i32 %2, %1, !dbg !23
  %7 = sext i32 %6 to i64, !dbg !24
  %8 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %7, !dbg !24
  %9 = sext i32 %2 to i64, !dbg !25
  %10 = getelementptr inbounds float, ptr addrspace(1) %8, i64 %9, !dbg !25
  %11 = shl i64 %4, 32
  %12 = ashr exact i64 %11, 30
  %13 = getelementptr i8, ptr addrspace(3) @lud_diagonal.tile, i64 %12, !dbg !26
  %14 = shl i64 %4, 32, !dbg !27
  %15 = ashr exact i64 %14, 30, !dbg !27
  %16 = getelementptr inbounds i8, ptr addrspace(1) %10, i64 %15, !dbg !27
  %17 = load float, ptr addrspace(1) %16, align 4, !dbg !27, !tbaa !28
  store float %17, ptr addrspace(3) %13, align 4, !dbg !30, !tbaa !28
  %18 = add nsw i32 %1, %5, !dbg !31
  %19 = sext i32 %18 to i64, !dbg !27
  %20 = getelementptr inbounds float, ptr addrspace(1) %10, i64 %19, !dbg !27
  %21 = load float, ptr addrspace(1) %20, align 4, !dbg !27, !tbaa !28
  %22 = getelementptr i8, ptr addrspace(3) %13, i64 64, !dbg !32
  store float %21, ptr addrspace(3) %22, align 4, !dbg !30, !tbaa !28
  %23 = shl nsw i32 %1, 1, !dbg !33
  %24 = add nsw i32 %23, %5, !dbg !31
  %25 = sext i32 %24 to i64, !dbg !27
  %26 = getelementptr inbounds float, ptr addrspace(1) %10, i64 %25, !dbg !27
  %27 = load float, ptr addrspace(1) %26, align 4, !dbg !27, !tbaa !28
  %28 = getelementptr i8, ptr addrspace(3) %13, i64 128, !dbg !32
  store float %27, ptr addrspace(3) %28, align 4, !dbg !30, !tbaa !28
  %29 = mul nsw i32 %1, 3, !dbg !33
  %30 = add nsw i32 %29, %5, !dbg !31
  %31 = sext i32 %30 to i64, !dbg !27
  %32 = getelementptr inbounds float, ptr addrspace(1) %10, i64 %31, !dbg !27
  %33 = load float, ptr addrspace(1) %32, align 4, !dbg !27, !tbaa !28
  %34 = getelementptr i8, ptr addrspace(3) %13, i64 192, !dbg !32
  store float %33, ptr addrspace(3) %34, align 4, !dbg !30, !tbaa !28
  %35 = shl nsw i32 %1, 2, !dbg !33
  %36 = add nsw i32 %35, %5, !dbg !31
  %37 = sext i32 %36 to i64, !dbg !27
  %38 = getelementptr inbounds float, ptr addrspace(1) %10, i64 %37, !dbg !27
  %39 = load float, ptr addrspace(1) %38, align 4, !dbg !27, !tbaa !28
  %40 = getelementptr i8, ptr addrspace(3) %13, i64 256, !dbg !32
  store float %39, ptr addrspace(3) %40, align 4, !dbg !30, !tbaa !28
  %41 = mul nsw i32 %1, 5, !dbg !33
  %42 = add nsw i32 %41, %5, !dbg !31
  %43 = sext i32 %42 to i64, !dbg !27
  %44 = getelementptr inbounds float, ptr addrspace(1) %10, i64 %43, !dbg !27
  %45 = load float, ptr addrspace(1) %44, align 4, !dbg !27, !tbaa !28
  %46 = getelementptr i8, ptr addrspace(3) %13, i64 320, !dbg !32
  store float %45, ptr addrspace(3) %46, align 4, !dbg !30, !tbaa !28
  %47 = mul nsw i32 %1, 6, !dbg !33
  %48 = add nsw i32 %47, %5, !dbg !31
  %49 = sext i32 %48 to i64, !dbg !27
  %50 = getelementptr inbounds float, ptr addrspace(1) %10, i64 %49, !dbg !27
  %51 = load float, ptr addrspace(1) %50, align 4, !dbg !27, !tbaa !28
  %52 = getelementptr i8, ptr addrspace(3) %13, i64 384, !dbg !32
  store float %51, ptr addrspace(3) %52, align 4, !dbg !30, !tbaa !28
  %53 = mul nsw i32 %1, 7, !dbg !33
  %54 = add nsw i32 %53, %5, !dbg !31
  %55 = sext i32 %54 to i64, !dbg !27
  %56 = getelementptr inbounds float, ptr addrspace(1) %10, i64 %55, !dbg !27
  %57 = load float, ptr addrspace(1) %56, align 4, !dbg !27, !tbaa !28
  %58 = getelementptr i8, ptr addrspace(3) %13, i64 448, !dbg !32
  store float %57, ptr addrspace(3) %58, align 4, !dbg !30, !tbaa !28
  %59 = shl nsw i32 %1, 3, !dbg !33
  %60 = add nsw i32 %59, %5, !dbg !31
  %61 = sext i32 %60 to i64, !dbg !27
  %62 = getelementptr inbounds float, ptr addrspace(1) %10, i64 %61, !dbg !27
  %63 = load float, ptr addrspace(1) %62, align 4, !dbg !27, !tbaa !28
  %64 = getelementptr i8, ptr addrspace(3) %13, i64 512, !dbg !32
  store float %63, ptr addrspace(3) %64, align 4, !dbg !30, !tbaa !28
  %65 = mul nsw i32 %1, 9, !dbg !33
  %66 = add nsw i32 %65, %5, !dbg !31
  %67 = sext i32 %66 to i64, !dbg !27
  %68 = getelementptr inbounds float, ptr addrspace(1) %10, i64 %67, !dbg !27
  %69 = load float, ptr addrspace(1) %68, align 4, !dbg !27, !tbaa !28
  %70 = getelementptr i8, ptr addrspace(3) %13, i64 576, !dbg !32
  store float %69, ptr addrspace(3) %70, align 4, !dbg !30, !tbaa !28
  %71 = mul nsw i32 %1, 10, !dbg !33
  %72 = add nsw i32 %71, %5, !dbg !31
  %73 = sext i32 %72 to i64, !dbg !27
  %74 = getelementptr inbounds float, ptr addrspace(1) %10, i64 %73, !dbg !27
  %75 = load float, ptr addrspace(1) %74, align 4, !dbg !27, !tbaa !28
  %76 = getelementptr i8, ptr addrspace(3) %13, i64 640, !dbg !32
  store float %75, ptr addrspace(3) %76, align 4, !dbg !30, !tbaa !28
  %77 = mul nsw i32 %1, 11, !dbg !33
  %78 = add nsw i32 %77, %5, !dbg !31
  %79 = sext i32 %78 to i64, !dbg !27
  %80 = getelementptr inbounds float, ptr addrspace(1) %10, i64 %79, !dbg !27
  %81 = load float, ptr addrspace(1) %80, align 4, !dbg !27, !tbaa !28
  %82 = getelementptr i8, ptr addrspace(3) %13, i64 704, !dbg !32
  store float %81, ptr addrspace(3) %82, align 4, !dbg !30, !tbaa !28
  %83 = mul nsw i32 %1, 12, !dbg !33
  %84 = add nsw i32 %83, %5, !dbg !31
  %85 = sext i32 %84 to i64, !dbg !27
  %86 = getelementptr inbounds float, ptr addrspace(1) %10, i64 %85, !dbg !27
  %87 = load float, ptr addrspace(1) %86, align 4, !dbg !27, !tbaa !28
  %88 = getelementptr i8, ptr addrspace(3) %13, i64 768, !dbg !32
  store float %87, ptr addrspace(3) %88, align 4, !dbg !30, !tbaa !28
  %89 = mul nsw i32 %1, 13, !dbg !33
  %90 = add nsw i32 %89, %5, !dbg !31
  %91 = sext i32 %90 to i64, !dbg !27
  %92 = getelementptr inbounds float, ptr addrspace(1) %10, i64 %91, !dbg !27
  %93 = load float, ptr addrspace(1) %92, align 4, !dbg !27, !tbaa !28
  %94 = getelementptr i8, ptr addrspace(3) %13, i64 832, !dbg !32
  store float %93, ptr addrspace(3) %94, align 4, !dbg !30, !tbaa !28
  %95 = mul nsw i32 %1, 14, !dbg !33
  %96 = add nsw i32 %95, %5, !dbg !31
  %97 = sext i32 %96 to i64, !dbg !27
  %98 = getelementptr inbounds float, ptr addrspace(1) %10, i64 %97, !dbg !27
  %99 = load float, ptr addrspace(1) %98, align 4, !dbg !27, !tbaa !28
  %100 = getelementptr i8, ptr addrspace(3) %13, i64 896, !dbg !32
  store float %99, ptr addrspace(3) %100, align 4, !dbg !30, !tbaa !28
  %101 = mul nsw i32 %1, 15, !dbg !33
  %102 = add nsw i32 %101, %5, !dbg !31
  %103 = sext i32 %102 to i64, !dbg !27
  %104 = getelementptr inbounds float, ptr addrspace(1) %10, i64 %103, !dbg !27
  %105 = load float, ptr addrspace(1) %104, align 4, !dbg !27, !tbaa !28
  %106 = getelementptr i8, ptr addrspace(3) %13, i64 960, !dbg !32
  store float %105, ptr addrspace(3) %106, align 4, !dbg !30, !tbaa !28
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !34
  %107 = ashr exact i64 %11, 26
  %108 = getelementptr inbounds i8, ptr addrspace(3) @lud_diagonal.tile, i64 %107
  %109 = ashr exact i64 %11, 32
  %110 = getelementptr float, ptr addrspace(3) @lud_diagonal.tile, i64 %109
  br label %127, !dbg !35

111:                                              ; preds = %233
  %112 = load float, ptr addrspace(3) %22, align 4, !dbg !36, !tbaa !28
  store float %112, ptr addrspace(1) %20, align 4, !dbg !37, !tbaa !28
  %113 = load float, ptr addrspace(3) %28, align 4, !dbg !36, !tbaa !28
  store float %113, ptr addrspace(1) %26, align 4, !dbg !37, !tbaa !28
  %114 = load float, ptr addrspace(3) %34, align 4, !dbg !36, !tbaa !28
  store float %114, ptr addrspace(1) %32, align 4, !dbg !37, !tbaa !28
  %115 = load float, ptr addrspace(3) %40, align 4, !dbg !36, !tbaa !28
  store float %115, ptr addrspace(1) %38, align 4, !dbg !37, !tbaa !28
  %116 = load float, ptr addrspace(3) %46, align 4, !dbg !36, !tbaa !28
  store float %116, ptr addrspace(1) %44, align 4, !dbg !37, !tbaa !28
  %117 = load float, ptr addrspace(3) %52, align 4, !dbg !36, !tbaa !28
  store float %117, ptr addrspace(1) %50, align 4, !dbg !37, !tbaa !28
  %118 = load float, ptr addrspace(3) %58, align 4, !dbg !36, !tbaa !28
  store float %118, ptr addrspace(1) %56, align 4, !dbg !37, !tbaa !28
  %119 = load float, ptr addrspace(3) %64, align 4, !dbg !36, !tbaa !28
  store float %119, ptr addrspace(1) %62, align 4, !dbg !37, !tbaa !28
  %120 = load float, ptr addrspace(3) %70, align 4, !dbg !36, !tbaa !28
  store float %120, ptr addrspace(1) %68, align 4, !dbg !37, !tbaa !28
  %121 = load float, ptr addrspace(3) %76, align 4, !dbg !36, !tbaa !28
  store float %121, ptr addrspace(1) %74, align 4, !dbg !37, !tbaa !28
  %122 = load float, ptr addrspace(3) %82, align 4, !dbg !36, !tbaa !28
  store float %122, ptr addrspace(1) %80, align 4, !dbg !37, !tbaa !28
  %123 = load float, ptr addrspace(3) %88, align 4, !dbg !36, !tbaa !28
  store float %123, ptr addrspace(1) %86, align 4, !dbg !37, !tbaa !28
  %124 = load float, ptr addrspace(3) %94, align 4, !dbg !36, !tbaa !28
  store float %124, ptr addrspace(1) %92, align 4, !dbg !37, !tbaa !28
  %125 = load float, ptr addrspace(3) %100, align 4, !dbg !36, !tbaa !28
  store float %125, ptr addrspace(1) %98, align 4, !dbg !37, !tbaa !28
  %126 = load float, ptr addrspace(3) %106, align 4, !dbg !36, !tbaa !28
  store float %126, ptr addrspace(1) %104, align 4, !dbg !37, !tbaa !28
  ret void, !dbg !38

127:                                              ; preds = %3, %233
  %128 = phi i32 [ 1, %3 ], [ %235, %233 ]
  %129 = phi i32 [ 0, %3 ], [ %234, %233 ]
  %130 = icmp slt i32 %129, %5, !dbg !39
  br i1 %130, label %131, label %187, !dbg !39

131:                                              ; preds = %127
  %132 = icmp eq i32 %129, 0, !dbg !40
  br i1 %132, label %133, label %135, !dbg !41

133:                                              ; preds = %131
  %134 = load float, ptr addrspace(3) %108, align 4, !dbg !42, !tbaa !28
  br label %157, !dbg !41

135:                                              ; preds = %131
  %136 = zext nneg i32 %129 to i64
  %137 = getelementptr inbounds nuw float, ptr addrspace(3) @lud_diagonal.tile, i64 %136, !dbg !41
  %138 = getelementptr inbounds nuw float, ptr addrspace(3) %108, i64 %136
  %139 = load float, ptr addrspace(3) %138, align 4, !tbaa !28
  %140 = and i32 %129, 1, !dbg !41
  %141 = icmp eq i32 %129, 1, !dbg !41
  br i1 %141, label %146, label %142, !dbg !41

142:                                              ; preds = %135
  %143 = and i32 %129, 2147483646, !dbg !41
  br label %165, !dbg !41

144:                                              ; preds = %165
  %145 = icmp eq i32 %140, 0, !dbg !41
  br i1 %145, label %157, label %146, !dbg !41

146:                                              ; preds = %144, %135
  %147 = phi float [ %139, %135 ], [ %183, %144 ]
  %148 = phi i32 [ 0, %135 ], [ %184, %144 ]
  %149 = icmp ne i32 %140, 0, !dbg !41
  tail call void @llvm.assume(i1 %149), !dbg !41
  %150 = zext nneg i32 %148 to i64, !dbg !43
  %151 = getelementptr inbounds nuw float, ptr addrspace(3) %108, i64 %150, !dbg !43
  %152 = load float, ptr addrspace(3) %151, align 4, !dbg !43, !tbaa !28
  %153 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) %137, i64 %150, !dbg !44
  %154 = load float, ptr addrspace(3) %153, align 4, !dbg !44, !tbaa !28
  %155 = fneg float %152, !dbg !45
  %156 = tail call float @llvm.fmuladd.f32(float %155, float %154, float %147), !dbg !45
  store float %156, ptr addrspace(3) %138, align 4, !dbg !45, !tbaa !28
  br label %157, !dbg !46

157:                                              ; preds = %146, %144, %133
  %158 = phi i64 [ 0, %133 ], [ %136, %144 ], [ %136, %146 ], !dbg !46
  %159 = phi float [ %134, %133 ], [ %183, %144 ], [ %156, %146 ], !dbg !42
  %160 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) @lud_diagonal.tile, i64 %158, !dbg !46
  %161 = getelementptr inbounds nuw float, ptr addrspace(3) %160, i64 %158, !dbg !46
  %162 = load float, ptr addrspace(3) %161, align 4, !dbg !46, !tbaa !28
  %163 = getelementptr inbounds nuw float, ptr addrspace(3) %108, i64 %158, !dbg !47
  %164 = fdiv float %159, %162, !dbg !42, !fpmath !48
  store float %164, ptr addrspace(3) %163, align 4, !dbg !42, !tbaa !28
  br label %187, !dbg !49

165:                                              ; preds = %165, %142
  %166 = phi float [ %139, %142 ], [ %183, %165 ], !dbg !43
  %167 = phi i32 [ 0, %142 ], [ %184, %165 ]
  %168 = phi i32 [ 0, %142 ], [ %185, %165 ]
  %169 = zext nneg i32 %167 to i64, !dbg !43
  %170 = getelementptr inbounds nuw float, ptr addrspace(3) %108, i64 %169, !dbg !43
  %171 = load float, ptr addrspace(3) %170, align 4, !dbg !43, !tbaa !28
  %172 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) %137, i64 %169, !dbg !44
  %173 = load float, ptr addrspace(3) %172, align 4, !dbg !44, !tbaa !28
  %174 = fneg float %171, !dbg !45
  %175 = tail call float @llvm.fmuladd.f32(float %174, float %173, float %166), !dbg !45
  store float %175, ptr addrspace(3) %138, align 4, !dbg !45, !tbaa !28
  %176 = or disjoint i32 %167, 1, !dbg !50
  %177 = zext nneg i32 %176 to i64, !dbg !43
  %178 = getelementptr inbounds nuw float, ptr addrspace(3) %108, i64 %177, !dbg !43
  %179 = load float, ptr addrspace(3) %178, align 4, !dbg !43, !tbaa !28
  %180 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) %137, i64 %177, !dbg !44
  %181 = load float, ptr addrspace(3) %180, align 4, !dbg !44, !tbaa !28
  %182 = fneg float %179, !dbg !45
  %183 = tail call float @llvm.fmuladd.f32(float %182, float %181, float %175), !dbg !45
  store float %183, ptr addrspace(3) %138, align 4, !dbg !45, !tbaa !28
  %184 = add nuw nsw i32 %167, 2, !dbg !50
  %185 = add i32 %168, 2, !dbg !41
  %186 = icmp eq i32 %185, %143, !dbg !41
  br i1 %186, label %144, label %165, !dbg !41, !llvm.loop !51

187:                                              ; preds = %157, %127
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !53
  br i1 %130, label %188, label %233, !dbg !54

188:                                              ; preds = %187
  %189 = zext nneg i32 %129 to i64
  %190 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) @lud_diagonal.tile, i64 %189
  %191 = getelementptr inbounds nuw i8, ptr addrspace(3) %190, i64 64
  %192 = getelementptr inbounds float, ptr addrspace(3) %191, i64 %109
  %193 = load float, ptr addrspace(3) %192, align 4, !tbaa !28
  %194 = and i32 %128, 1, !dbg !55
  %195 = icmp eq i32 %129, 0, !dbg !55
  br i1 %195, label %222, label %196, !dbg !55

196:                                              ; preds = %188
  %197 = and i32 %128, 2147483646, !dbg !55
  br label %198, !dbg !55

198:                                              ; preds = %198, %196
  %199 = phi i32 [ 0, %196 ], [ %217, %198 ]
  %200 = phi float [ %193, %196 ], [ %216, %198 ]
  %201 = phi i32 [ 0, %196 ], [ %218, %198 ]
  %202 = zext nneg i32 %199 to i64, !dbg !56
  %203 = getelementptr inbounds nuw float, ptr addrspace(3) %191, i64 %202, !dbg !56
  %204 = load float, ptr addrspace(3) %203, align 4, !dbg !56, !tbaa !28
  %205 = getelementptr [16 x float], ptr addrspace(3) %110, i64 %202, !dbg !57
  %206 = load float, ptr addrspace(3) %205, align 4, !dbg !57, !tbaa !28
  %207 = fneg float %204, !dbg !58
  %208 = tail call float @llvm.fmuladd.f32(float %207, float %206, float %200), !dbg !58
  store float %208, ptr addrspace(3) %192, align 4, !dbg !58, !tbaa !28
  %209 = or disjoint i32 %199, 1, !dbg !59
  %210 = zext nneg i32 %209 to i64, !dbg !56
  %211 = getelementptr inbounds nuw float, ptr addrspace(3) %191, i64 %210, !dbg !56
  %212 = load float, ptr addrspace(3) %211, align 4, !dbg !56, !tbaa !28
  %213 = getelementptr [16 x float], ptr addrspace(3) %110, i64 %210, !dbg !57
  %214 = load float, ptr addrspace(3) %213, align 4, !dbg !57, !tbaa !28
  %215 = fneg float %212, !dbg !58
  %216 = tail call float @llvm.fmuladd.f32(float %215, float %214, float %208), !dbg !58
  store float %216, ptr addrspace(3) %192, align 4, !dbg !58, !tbaa !28
  %217 = add nuw nsw i32 %199, 2, !dbg !59
  %218 = add i32 %201, 2, !dbg !55
  %219 = icmp eq i32 %218, %197, !dbg !55
  br i1 %219, label %220, label %198, !dbg !55, !llvm.loop !60

220:                                              ; preds = %198
  %221 = icmp eq i32 %194, 0, !dbg !55
  br i1 %221, label %233, label %222, !dbg !55

222:                                              ; preds = %220, %188
  %223 = phi i32 [ 0, %188 ], [ %217, %220 ]
  %224 = phi float [ %193, %188 ], [ %216, %220 ]
  %225 = icmp ne i32 %194, 0, !dbg !55
  tail call void @llvm.assume(i1 %225), !dbg !55
  %226 = zext nneg i32 %223 to i64, !dbg !56
  %227 = getelementptr inbounds nuw float, ptr addrspace(3) %191, i64 %226, !dbg !56
  %228 = load float, ptr addrspace(3) %227, align 4, !dbg !56, !tbaa !28
  %229 = getelementptr [16 x float], ptr addrspace(3) %110, i64 %226, !dbg !57
  %230 = load float, ptr addrspace(3) %229, align 4, !dbg !57, !tbaa !28
  %231 = fneg float %228, !dbg !58
  %232 = tail call float @llvm.fmuladd.f32(float %231, float %230, float %224), !dbg !58
  store float %232, ptr addrspace(3) %192, align 4, !dbg !58, !tbaa !28
  br label %233, !dbg !62

233:                                              ; preds = %222, %220, %187
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !62
  %234 = add nuw nsw i32 %129, 1, !dbg !63
  %235 = add nuw nsw i32 %128, 1, !dbg !35
  %236 = icmp eq i32 %234, 15, !dbg !64
  br i1 %236, label %111, label %127, !dbg !35, !llvm.loop !65
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @lud_perimeter(ptr addrspace(1) noundef align 4 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #0 !dbg !67 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_lud_perimeter(ptr addrspace(1) noundef align 4 %0, i32 noundef %1, i32 noundef %2) #6, !dbg !68
  ret void, !dbg !69
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_lud_perimeter(ptr addrspace(1) noundef align 4 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #1 !dbg !70 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %4 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #7, !dbg !71
  %5 = icmp ult i64 %4, 16, !dbg !72
  %6 = trunc i64 %4 to i32, !dbg !73
  %7 = and i32 %6, 15, !dbg !73
  %8 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #7, !dbg !74
  %9 = trunc i64 %8 to i32, !dbg !75
  %10 = shl i32 %9, 4, !dbg !75
  %11 = add i32 %2, 16, !dbg !75
  %12 = add i32 %11, %10, !dbg !75
  %13 = add i32 %7, %2
  br i1 %5, label %74, label %14, !dbg !76

14:                                               ; preds = %3
  %15 = and i64 %4, 15
  %16 = getelementptr inbounds nuw float, ptr addrspace(3) @lud_perimeter.pivot, i64 %15, !dbg !77
  %17 = add nsw i32 %2, 8, !dbg !78
  %18 = mul nsw i32 %17, %1, !dbg !79
  %19 = add i32 %13, %18, !dbg !80
  %20 = sext i32 %19 to i64, !dbg !81
  %21 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %20, !dbg !81
  %22 = load float, ptr addrspace(1) %21, align 4, !dbg !81, !tbaa !28
  %23 = getelementptr inbounds nuw i8, ptr addrspace(3) %16, i64 512, !dbg !82
  store float %22, ptr addrspace(3) %23, align 4, !dbg !83, !tbaa !28
  %24 = add nsw i32 %2, 9, !dbg !78
  %25 = mul nsw i32 %24, %1, !dbg !79
  %26 = add i32 %13, %25, !dbg !80
  %27 = sext i32 %26 to i64, !dbg !81
  %28 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %27, !dbg !81
  %29 = load float, ptr addrspace(1) %28, align 4, !dbg !81, !tbaa !28
  %30 = getelementptr inbounds nuw i8, ptr addrspace(3) %16, i64 576, !dbg !82
  store float %29, ptr addrspace(3) %30, align 4, !dbg !83, !tbaa !28
  %31 = add nsw i32 %2, 10, !dbg !78
  %32 = mul nsw i32 %31, %1, !dbg !79
  %33 = add i32 %13, %32, !dbg !80
  %34 = sext i32 %33 to i64, !dbg !81
  %35 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %34, !dbg !81
  %36 = load float, ptr addrspace(1) %35, align 4, !dbg !81, !tbaa !28
  %37 = getelementptr inbounds nuw i8, ptr addrspace(3) %16, i64 640, !dbg !82
  store float %36, ptr addrspace(3) %37, align 4, !dbg !83, !tbaa !28
  %38 = add nsw i32 %2, 11, !dbg !78
  %39 = mul nsw i32 %38, %1, !dbg !79
  %40 = add i32 %13, %39, !dbg !80
  %41 = sext i32 %40 to i64, !dbg !81
  %42 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %41, !dbg !81
  %43 = load float, ptr addrspace(1) %42, align 4, !dbg !81, !tbaa !28
  %44 = getelementptr inbounds nuw i8, ptr addrspace(3) %16, i64 704, !dbg !82
  store float %43, ptr addrspace(3) %44, align 4, !dbg !83, !tbaa !28
  %45 = add nsw i32 %2, 12, !dbg !78
  %46 = mul nsw i32 %45, %1, !dbg !79
  %47 = add i32 %13, %46, !dbg !80
  %48 = sext i32 %47 to i64, !dbg !81
  %49 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %48, !dbg !81
  %50 = load float, ptr addrspace(1) %49, align 4, !dbg !81, !tbaa !28
  %51 = getelementptr inbounds nuw i8, ptr addrspace(3) %16, i64 768, !dbg !82
  store float %50, ptr addrspace(3) %51, align 4, !dbg !83, !tbaa !28
  %52 = add nsw i32 %2, 13, !dbg !78
  %53 = mul nsw i32 %52, %1, !dbg !79
  %54 = add i32 %13, %53, !dbg !80
  %55 = sext i32 %54 to i64, !dbg !81
  %56 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %55, !dbg !81
  %57 = load float, ptr addrspace(1) %56, align 4, !dbg !81, !tbaa !28
  %58 = getelementptr inbounds nuw i8, ptr addrspace(3) %16, i64 832, !dbg !82
  store float %57, ptr addrspace(3) %58, align 4, !dbg !83, !tbaa !28
  %59 = add nsw i32 %2, 14, !dbg !78
  %60 = mul nsw i32 %59, %1, !dbg !79
  %61 = add i32 %13, %60, !dbg !80
  %62 = sext i32 %61 to i64, !dbg !81
  %63 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %62, !dbg !81
  %64 = load float, ptr addrspace(1) %63, align 4, !dbg !81, !tbaa !28
  %65 = getelementptr inbounds nuw i8, ptr addrspace(3) %16, i64 896, !dbg !82
  store float %64, ptr addrspace(3) %65, align 4, !dbg !83, !tbaa !28
  %66 = add nsw i32 %2, 15, !dbg !78
  %67 = mul nsw i32 %66, %1, !dbg !79
  %68 = add i32 %13, %67, !dbg !80
  %69 = sext i32 %68 to i64, !dbg !81
  %70 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %69, !dbg !81
  %71 = load float, ptr addrspace(1) %70, align 4, !dbg !81, !tbaa !28
  %72 = getelementptr inbounds nuw i8, ptr addrspace(3) %16, i64 960, !dbg !82
  store float %71, ptr addrspace(3) %72, align 4, !dbg !83, !tbaa !28
  %73 = getelementptr inbounds nuw float, ptr addrspace(3) @lud_perimeter.lower, i64 %15, !dbg !84
  br label %153, !dbg !84

74:                                               ; preds = %3
  %75 = getelementptr float, ptr addrspace(3) @lud_perimeter.pivot, i64 %4, !dbg !85
  %76 = mul nsw i32 %2, %1, !dbg !86
  %77 = add i32 %13, %76, !dbg !87
  %78 = sext i32 %77 to i64, !dbg !88
  %79 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %78, !dbg !88
  %80 = load float, ptr addrspace(1) %79, align 4, !dbg !88, !tbaa !28
  store float %80, ptr addrspace(3) %75, align 4, !dbg !89, !tbaa !28
  %81 = add nsw i32 %2, 1, !dbg !90
  %82 = mul nsw i32 %81, %1, !dbg !86
  %83 = add i32 %13, %82, !dbg !87
  %84 = sext i32 %83 to i64, !dbg !88
  %85 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %84, !dbg !88
  %86 = load float, ptr addrspace(1) %85, align 4, !dbg !88, !tbaa !28
  %87 = getelementptr i8, ptr addrspace(3) %75, i64 64, !dbg !91
  store float %86, ptr addrspace(3) %87, align 4, !dbg !89, !tbaa !28
  %88 = add nsw i32 %2, 2, !dbg !90
  %89 = mul nsw i32 %88, %1, !dbg !86
  %90 = add i32 %13, %89, !dbg !87
  %91 = sext i32 %90 to i64, !dbg !88
  %92 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %91, !dbg !88
  %93 = load float, ptr addrspace(1) %92, align 4, !dbg !88, !tbaa !28
  %94 = getelementptr i8, ptr addrspace(3) %75, i64 128, !dbg !91
  store float %93, ptr addrspace(3) %94, align 4, !dbg !89, !tbaa !28
  %95 = add nsw i32 %2, 3, !dbg !90
  %96 = mul nsw i32 %95, %1, !dbg !86
  %97 = add i32 %13, %96, !dbg !87
  %98 = sext i32 %97 to i64, !dbg !88
  %99 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %98, !dbg !88
  %100 = load float, ptr addrspace(1) %99, align 4, !dbg !88, !tbaa !28
  %101 = getelementptr i8, ptr addrspace(3) %75, i64 192, !dbg !91
  store float %100, ptr addrspace(3) %101, align 4, !dbg !89, !tbaa !28
  %102 = add nsw i32 %2, 4, !dbg !90
  %103 = mul nsw i32 %102, %1, !dbg !86
  %104 = add i32 %13, %103, !dbg !87
  %105 = sext i32 %104 to i64, !dbg !88
  %106 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %105, !dbg !88
  %107 = load float, ptr addrspace(1) %106, align 4, !dbg !88, !tbaa !28
  %108 = getelementptr i8, ptr addrspace(3) %75, i64 256, !dbg !91
  store float %107, ptr addrspace(3) %108, align 4, !dbg !89, !tbaa !28
  %109 = add nsw i32 %2, 5, !dbg !90
  %110 = mul nsw i32 %109, %1, !dbg !86
  %111 = add i32 %13, %110, !dbg !87
  %112 = sext i32 %111 to i64, !dbg !88
  %113 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %112, !dbg !88
  %114 = load float, ptr addrspace(1) %113, align 4, !dbg !88, !tbaa !28
  %115 = getelementptr i8, ptr addrspace(3) %75, i64 320, !dbg !91
  store float %114, ptr addrspace(3) %115, align 4, !dbg !89, !tbaa !28
  %116 = add nsw i32 %2, 6, !dbg !90
  %117 = mul nsw i32 %116, %1, !dbg !86
  %118 = add i32 %13, %117, !dbg !87
  %119 = sext i32 %118 to i64, !dbg !88
  %120 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %119, !dbg !88
  %121 = load float, ptr addrspace(1) %120, align 4, !dbg !88, !tbaa !28
  %122 = getelementptr i8, ptr addrspace(3) %75, i64 384, !dbg !91
  store float %121, ptr addrspace(3) %122, align 4, !dbg !89, !tbaa !28
  %123 = add nsw i32 %2, 7, !dbg !90
  %124 = mul nsw i32 %123, %1, !dbg !86
  %125 = add i32 %13, %124, !dbg !87
  %126 = sext i32 %125 to i64, !dbg !88
  %127 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %126, !dbg !88
  %128 = load float, ptr addrspace(1) %127, align 4, !dbg !88, !tbaa !28
  %129 = getelementptr i8, ptr addrspace(3) %75, i64 448, !dbg !91
  store float %128, ptr addrspace(3) %129, align 4, !dbg !89, !tbaa !28
  %130 = add i32 %12, %7
  %131 = getelementptr float, ptr addrspace(3) @lud_perimeter.upper, i64 %4, !dbg !92
  br label %132, !dbg !92

132:                                              ; preds = %132, %74
  %133 = phi i32 [ 0, %74 ], [ %151, %132 ]
  %134 = add nsw i32 %133, %2, !dbg !93
  %135 = mul nsw i32 %134, %1, !dbg !94
  %136 = add i32 %130, %135, !dbg !95
  %137 = sext i32 %136 to i64, !dbg !96
  %138 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %137, !dbg !96
  %139 = load float, ptr addrspace(1) %138, align 4, !dbg !96, !tbaa !28
  %140 = zext nneg i32 %133 to i64, !dbg !97
  %141 = getelementptr [16 x float], ptr addrspace(3) %131, i64 %140, !dbg !97
  store float %139, ptr addrspace(3) %141, align 4, !dbg !98, !tbaa !28
  %142 = or disjoint i32 %133, 1, !dbg !99
  %143 = add nsw i32 %142, %2, !dbg !93
  %144 = mul nsw i32 %143, %1, !dbg !94
  %145 = add i32 %130, %144, !dbg !95
  %146 = sext i32 %145 to i64, !dbg !96
  %147 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %146, !dbg !96
  %148 = load float, ptr addrspace(1) %147, align 4, !dbg !96, !tbaa !28
  %149 = zext nneg i32 %142 to i64, !dbg !97
  %150 = getelementptr [16 x float], ptr addrspace(3) %131, i64 %149, !dbg !97
  store float %148, ptr addrspace(3) %150, align 4, !dbg !98, !tbaa !28
  %151 = add nuw nsw i32 %133, 2, !dbg !99
  %152 = icmp eq i32 %151, 16, !dbg !100
  br i1 %152, label %174, label %132, !dbg !92, !llvm.loop !101

153:                                              ; preds = %153, %14
  %154 = phi i32 [ 0, %14 ], [ %172, %153 ]
  %155 = add nsw i32 %154, %12, !dbg !103
  %156 = mul nsw i32 %155, %1, !dbg !104
  %157 = add i32 %13, %156, !dbg !105
  %158 = sext i32 %157 to i64, !dbg !106
  %159 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %158, !dbg !106
  %160 = load float, ptr addrspace(1) %159, align 4, !dbg !106, !tbaa !28
  %161 = zext nneg i32 %154 to i64, !dbg !107
  %162 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) %73, i64 %161, !dbg !107
  store float %160, ptr addrspace(3) %162, align 4, !dbg !108, !tbaa !28
  %163 = or disjoint i32 %154, 1, !dbg !109
  %164 = add nsw i32 %163, %12, !dbg !103
  %165 = mul nsw i32 %164, %1, !dbg !104
  %166 = add i32 %13, %165, !dbg !105
  %167 = sext i32 %166 to i64, !dbg !106
  %168 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %167, !dbg !106
  %169 = load float, ptr addrspace(1) %168, align 4, !dbg !106, !tbaa !28
  %170 = zext nneg i32 %163 to i64, !dbg !107
  %171 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) %73, i64 %170, !dbg !107
  store float %169, ptr addrspace(3) %171, align 4, !dbg !108, !tbaa !28
  %172 = add nuw nsw i32 %154, 2, !dbg !109
  %173 = icmp eq i32 %172, 16, !dbg !110
  br i1 %173, label %174, label %153, !dbg !84, !llvm.loop !111

174:                                              ; preds = %153, %132
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !113
  br i1 %5, label %178, label %175, !dbg !114

175:                                              ; preds = %174
  %176 = and i64 %4, 15
  %177 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) @lud_perimeter.lower, i64 %176
  br label %230, !dbg !115

178:                                              ; preds = %174
  %179 = getelementptr float, ptr addrspace(3) @lud_perimeter.upper, i64 %4
  br label %180, !dbg !116

180:                                              ; preds = %178, %204
  %181 = phi i32 [ 0, %178 ], [ %207, %204 ]
  %182 = phi i32 [ 1, %178 ], [ %205, %204 ]
  %183 = zext nneg i32 %182 to i64
  %184 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) @lud_perimeter.pivot, i64 %183
  %185 = getelementptr [16 x float], ptr addrspace(3) %179, i64 %183
  %186 = load float, ptr addrspace(3) %185, align 4, !tbaa !28
  %187 = and i32 %182, 1, !dbg !117
  %188 = icmp eq i32 %181, 0, !dbg !117
  br i1 %188, label %193, label %189, !dbg !117

189:                                              ; preds = %180
  %190 = and i32 %182, 2147483646, !dbg !117
  br label %208, !dbg !117

191:                                              ; preds = %208
  %192 = icmp eq i32 %187, 0, !dbg !117
  br i1 %192, label %204, label %193, !dbg !117

193:                                              ; preds = %191, %180
  %194 = phi i32 [ 0, %180 ], [ %227, %191 ]
  %195 = phi float [ %186, %180 ], [ %226, %191 ]
  %196 = icmp ne i32 %187, 0, !dbg !117
  tail call void @llvm.assume(i1 %196), !dbg !117
  %197 = zext nneg i32 %194 to i64, !dbg !118
  %198 = getelementptr inbounds nuw float, ptr addrspace(3) %184, i64 %197, !dbg !118
  %199 = load float, ptr addrspace(3) %198, align 4, !dbg !118, !tbaa !28
  %200 = getelementptr [16 x float], ptr addrspace(3) %179, i64 %197, !dbg !119
  %201 = load float, ptr addrspace(3) %200, align 4, !dbg !119, !tbaa !28
  %202 = fneg float %199, !dbg !120
  %203 = tail call float @llvm.fmuladd.f32(float %202, float %201, float %195), !dbg !120
  store float %203, ptr addrspace(3) %185, align 4, !dbg !120, !tbaa !28
  br label %204, !dbg !121

204:                                              ; preds = %191, %193
  %205 = add nuw nsw i32 %182, 1, !dbg !121
  %206 = icmp eq i32 %205, 16, !dbg !122
  %207 = add i32 %181, 1, !dbg !116
  br i1 %206, label %289, label %180, !dbg !116, !llvm.loop !123

208:                                              ; preds = %208, %189
  %209 = phi i32 [ 0, %189 ], [ %227, %208 ]
  %210 = phi float [ %186, %189 ], [ %226, %208 ]
  %211 = phi i32 [ 0, %189 ], [ %228, %208 ]
  %212 = zext nneg i32 %209 to i64, !dbg !118
  %213 = getelementptr inbounds nuw float, ptr addrspace(3) %184, i64 %212, !dbg !118
  %214 = load float, ptr addrspace(3) %213, align 4, !dbg !118, !tbaa !28
  %215 = getelementptr [16 x float], ptr addrspace(3) %179, i64 %212, !dbg !119
  %216 = load float, ptr addrspace(3) %215, align 4, !dbg !119, !tbaa !28
  %217 = fneg float %214, !dbg !120
  %218 = tail call float @llvm.fmuladd.f32(float %217, float %216, float %210), !dbg !120
  store float %218, ptr addrspace(3) %185, align 4, !dbg !120, !tbaa !28
  %219 = or disjoint i32 %209, 1, !dbg !125
  %220 = zext nneg i32 %219 to i64, !dbg !118
  %221 = getelementptr inbounds nuw float, ptr addrspace(3) %184, i64 %220, !dbg !118
  %222 = load float, ptr addrspace(3) %221, align 4, !dbg !118, !tbaa !28
  %223 = getelementptr [16 x float], ptr addrspace(3) %179, i64 %220, !dbg !119
  %224 = load float, ptr addrspace(3) %223, align 4, !dbg !119, !tbaa !28
  %225 = fneg float %222, !dbg !120
  %226 = tail call float @llvm.fmuladd.f32(float %225, float %224, float %218), !dbg !120
  store float %226, ptr addrspace(3) %185, align 4, !dbg !120, !tbaa !28
  %227 = add nuw nsw i32 %209, 2, !dbg !125
  %228 = add i32 %211, 2, !dbg !117
  %229 = icmp eq i32 %228, %190, !dbg !117
  br i1 %229, label %191, label %208, !dbg !117, !llvm.loop !126

230:                                              ; preds = %175, %257
  %231 = phi i32 [ 0, %175 ], [ %265, %257 ]
  %232 = icmp eq i32 %231, 0, !dbg !128
  br i1 %232, label %233, label %235, !dbg !129

233:                                              ; preds = %230
  %234 = load float, ptr addrspace(3) %177, align 4, !dbg !130, !tbaa !28
  br label %257, !dbg !129

235:                                              ; preds = %230
  %236 = zext nneg i32 %231 to i64
  %237 = getelementptr inbounds nuw float, ptr addrspace(3) @lud_perimeter.pivot, i64 %236, !dbg !129
  %238 = getelementptr inbounds nuw float, ptr addrspace(3) %177, i64 %236
  %239 = load float, ptr addrspace(3) %238, align 4, !tbaa !28
  %240 = and i32 %231, 1, !dbg !129
  %241 = icmp eq i32 %231, 1, !dbg !129
  br i1 %241, label %246, label %242, !dbg !129

242:                                              ; preds = %235
  %243 = and i32 %231, 2147483646, !dbg !129
  br label %267, !dbg !129

244:                                              ; preds = %267
  %245 = icmp eq i32 %240, 0, !dbg !129
  br i1 %245, label %257, label %246, !dbg !129

246:                                              ; preds = %244, %235
  %247 = phi float [ %239, %235 ], [ %285, %244 ]
  %248 = phi i32 [ 0, %235 ], [ %286, %244 ]
  %249 = icmp ne i32 %240, 0, !dbg !129
  tail call void @llvm.assume(i1 %249), !dbg !129
  %250 = zext nneg i32 %248 to i64, !dbg !131
  %251 = getelementptr inbounds nuw float, ptr addrspace(3) %177, i64 %250, !dbg !131
  %252 = load float, ptr addrspace(3) %251, align 4, !dbg !131, !tbaa !28
  %253 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) %237, i64 %250, !dbg !132
  %254 = load float, ptr addrspace(3) %253, align 4, !dbg !132, !tbaa !28
  %255 = fneg float %252, !dbg !133
  %256 = tail call float @llvm.fmuladd.f32(float %255, float %254, float %247), !dbg !133
  store float %256, ptr addrspace(3) %238, align 4, !dbg !133, !tbaa !28
  br label %257, !dbg !134

257:                                              ; preds = %246, %244, %233
  %258 = phi i64 [ 0, %233 ], [ %236, %244 ], [ %236, %246 ], !dbg !134
  %259 = phi float [ %234, %233 ], [ %285, %244 ], [ %256, %246 ], !dbg !130
  %260 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) @lud_perimeter.pivot, i64 %258, !dbg !134
  %261 = getelementptr inbounds nuw float, ptr addrspace(3) %260, i64 %258, !dbg !134
  %262 = load float, ptr addrspace(3) %261, align 4, !dbg !134, !tbaa !28
  %263 = getelementptr inbounds nuw float, ptr addrspace(3) %177, i64 %258, !dbg !135
  %264 = fdiv float %259, %262, !dbg !130, !fpmath !48
  store float %264, ptr addrspace(3) %263, align 4, !dbg !130, !tbaa !28
  %265 = add nuw nsw i32 %231, 1, !dbg !136
  %266 = icmp eq i32 %265, 16, !dbg !137
  br i1 %266, label %289, label %230, !dbg !115, !llvm.loop !138

267:                                              ; preds = %267, %242
  %268 = phi float [ %239, %242 ], [ %285, %267 ], !dbg !131
  %269 = phi i32 [ 0, %242 ], [ %286, %267 ]
  %270 = phi i32 [ 0, %242 ], [ %287, %267 ]
  %271 = zext nneg i32 %269 to i64, !dbg !131
  %272 = getelementptr inbounds nuw float, ptr addrspace(3) %177, i64 %271, !dbg !131
  %273 = load float, ptr addrspace(3) %272, align 4, !dbg !131, !tbaa !28
  %274 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) %237, i64 %271, !dbg !132
  %275 = load float, ptr addrspace(3) %274, align 4, !dbg !132, !tbaa !28
  %276 = fneg float %273, !dbg !133
  %277 = tail call float @llvm.fmuladd.f32(float %276, float %275, float %268), !dbg !133
  store float %277, ptr addrspace(3) %238, align 4, !dbg !133, !tbaa !28
  %278 = or disjoint i32 %269, 1, !dbg !140
  %279 = zext nneg i32 %278 to i64, !dbg !131
  %280 = getelementptr inbounds nuw float, ptr addrspace(3) %177, i64 %279, !dbg !131
  %281 = load float, ptr addrspace(3) %280, align 4, !dbg !131, !tbaa !28
  %282 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) %237, i64 %279, !dbg !132
  %283 = load float, ptr addrspace(3) %282, align 4, !dbg !132, !tbaa !28
  %284 = fneg float %281, !dbg !133
  %285 = tail call float @llvm.fmuladd.f32(float %284, float %283, float %277), !dbg !133
  store float %285, ptr addrspace(3) %238, align 4, !dbg !133, !tbaa !28
  %286 = add nuw nsw i32 %269, 2, !dbg !140
  %287 = add i32 %270, 2, !dbg !129
  %288 = icmp eq i32 %287, %243, !dbg !129
  br i1 %288, label %244, label %267, !dbg !129, !llvm.loop !141

289:                                              ; preds = %257, %204
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !143
  br i1 %5, label %294, label %290, !dbg !144

290:                                              ; preds = %289
  %291 = and i64 %4, 15
  %292 = getelementptr inbounds nuw float, ptr addrspace(3) @lud_perimeter.lower, i64 %291, !dbg !145
  %293 = add i32 %7, %2
  br label %327, !dbg !145

294:                                              ; preds = %289
  %295 = getelementptr float, ptr addrspace(3) @lud_perimeter.upper, i64 %4, !dbg !146
  %296 = add i32 %12, %7
  br label %297, !dbg !146

297:                                              ; preds = %297, %294
  %298 = phi i32 [ 1, %294 ], [ %325, %297 ]
  %299 = zext nneg i32 %298 to i64, !dbg !147
  %300 = getelementptr [16 x float], ptr addrspace(3) %295, i64 %299, !dbg !147
  %301 = load float, ptr addrspace(3) %300, align 4, !dbg !147, !tbaa !28
  %302 = add nsw i32 %298, %2, !dbg !148
  %303 = mul nsw i32 %302, %1, !dbg !149
  %304 = add i32 %296, %303, !dbg !150
  %305 = sext i32 %304 to i64, !dbg !151
  %306 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %305, !dbg !151
  store float %301, ptr addrspace(1) %306, align 4, !dbg !152, !tbaa !28
  %307 = add nuw nsw i32 %298, 1, !dbg !153
  %308 = zext nneg i32 %307 to i64, !dbg !147
  %309 = getelementptr [16 x float], ptr addrspace(3) %295, i64 %308, !dbg !147
  %310 = load float, ptr addrspace(3) %309, align 4, !dbg !147, !tbaa !28
  %311 = add nsw i32 %307, %2, !dbg !148
  %312 = mul nsw i32 %311, %1, !dbg !149
  %313 = add i32 %296, %312, !dbg !150
  %314 = sext i32 %313 to i64, !dbg !151
  %315 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %314, !dbg !151
  store float %310, ptr addrspace(1) %315, align 4, !dbg !152, !tbaa !28
  %316 = add nuw nsw i32 %298, 2, !dbg !153
  %317 = zext nneg i32 %316 to i64, !dbg !147
  %318 = getelementptr [16 x float], ptr addrspace(3) %295, i64 %317, !dbg !147
  %319 = load float, ptr addrspace(3) %318, align 4, !dbg !147, !tbaa !28
  %320 = add nsw i32 %316, %2, !dbg !148
  %321 = mul nsw i32 %320, %1, !dbg !149
  %322 = add i32 %296, %321, !dbg !150
  %323 = sext i32 %322 to i64, !dbg !151
  %324 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %323, !dbg !151
  store float %319, ptr addrspace(1) %324, align 4, !dbg !152, !tbaa !28
  %325 = add nuw nsw i32 %298, 3, !dbg !153
  %326 = icmp eq i32 %325, 16, !dbg !154
  br i1 %326, label %348, label %297, !dbg !146, !llvm.loop !155

327:                                              ; preds = %327, %290
  %328 = phi i32 [ 0, %290 ], [ %346, %327 ]
  %329 = zext nneg i32 %328 to i64, !dbg !157
  %330 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) %292, i64 %329, !dbg !157
  %331 = load float, ptr addrspace(3) %330, align 4, !dbg !157, !tbaa !28
  %332 = add nsw i32 %328, %12, !dbg !158
  %333 = mul nsw i32 %332, %1, !dbg !159
  %334 = add i32 %293, %333, !dbg !160
  %335 = sext i32 %334 to i64, !dbg !161
  %336 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %335, !dbg !161
  store float %331, ptr addrspace(1) %336, align 4, !dbg !162, !tbaa !28
  %337 = or disjoint i32 %328, 1, !dbg !163
  %338 = zext nneg i32 %337 to i64, !dbg !157
  %339 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) %292, i64 %338, !dbg !157
  %340 = load float, ptr addrspace(3) %339, align 4, !dbg !157, !tbaa !28
  %341 = add nsw i32 %337, %12, !dbg !158
  %342 = mul nsw i32 %341, %1, !dbg !159
  %343 = add i32 %293, %342, !dbg !160
  %344 = sext i32 %343 to i64, !dbg !161
  %345 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %344, !dbg !161
  store float %340, ptr addrspace(1) %345, align 4, !dbg !162, !tbaa !28
  %346 = add nuw nsw i32 %328, 2, !dbg !163
  %347 = icmp eq i32 %346, 16, !dbg !164
  br i1 %347, label %348, label %327, !dbg !145, !llvm.loop !165

348:                                              ; preds = %327, %297
  ret void, !dbg !167
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @lud_internal(ptr addrspace(1) noundef align 4 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #0 !dbg !168 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_lud_internal(ptr addrspace(1) noundef align 4 %0, i32 noundef %1, i32 noundef %2) #6, !dbg !169
  ret void, !dbg !170
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_lud_internal(ptr addrspace(1) noundef align 4 captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #1 !dbg !171 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %4 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #7, !dbg !172
  %5 = trunc i64 %4 to i32, !dbg !172
  %6 = tail call i64 @_Z12get_local_idj(i32 noundef 1) #7, !dbg !173
  %7 = trunc i64 %6 to i32, !dbg !173
  %8 = zext i32 %2 to i64, !dbg !174
  %9 = tail call i64 @_Z12get_group_idj(i32 noundef 1) #7, !dbg !175
  %10 = shl i64 %9, 4, !dbg !176
  %11 = shl i64 %6, 32, !dbg !177
  %12 = ashr exact i64 %11, 32, !dbg !177
  %13 = add nuw nsw i64 %8, 16, !dbg !176
  %14 = add i64 %13, %6, !dbg !178
  %15 = add i64 %14, %10, !dbg !179
  %16 = trunc i64 %15 to i32, !dbg !174
  %17 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #7, !dbg !180
  %18 = shl i64 %17, 4, !dbg !181
  %19 = shl i64 %4, 32, !dbg !182
  %20 = ashr exact i64 %19, 32, !dbg !182
  %21 = add i64 %13, %4, !dbg !183
  %22 = add i64 %21, %18, !dbg !184
  %23 = trunc i64 %22 to i32, !dbg !185
  %24 = add nsw i32 %2, %7, !dbg !186
  %25 = mul nsw i32 %24, %1, !dbg !187
  %26 = add nsw i32 %25, %23, !dbg !188
  %27 = sext i32 %26 to i64, !dbg !189
  %28 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %27, !dbg !189
  %29 = load float, ptr addrspace(1) %28, align 4, !dbg !189, !tbaa !28
  %30 = getelementptr inbounds [16 x float], ptr addrspace(3) @lud_internal.upper, i64 %12, !dbg !190
  %31 = getelementptr inbounds float, ptr addrspace(3) %30, i64 %20, !dbg !190
  store float %29, ptr addrspace(3) %31, align 4, !dbg !191, !tbaa !28
  %32 = mul nsw i32 %1, %16, !dbg !192
  %33 = add i32 %2, %5, !dbg !193
  %34 = add i32 %33, %32, !dbg !194
  %35 = sext i32 %34 to i64, !dbg !195
  %36 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %35, !dbg !195
  %37 = load float, ptr addrspace(1) %36, align 4, !dbg !195, !tbaa !28
  %38 = getelementptr inbounds [16 x float], ptr addrspace(3) @lud_internal.lower, i64 %12, !dbg !196
  %39 = getelementptr inbounds float, ptr addrspace(3) %38, i64 %20, !dbg !196
  store float %37, ptr addrspace(3) %39, align 4, !dbg !197, !tbaa !28
  tail call void @_Z7barrierj(i32 noundef 1) #6, !dbg !198
  %40 = getelementptr float, ptr addrspace(3) @lud_internal.upper, i64 %20, !dbg !199
  %41 = load float, ptr addrspace(3) %38, align 4, !dbg !200, !tbaa !28
  %42 = load float, ptr addrspace(3) %40, align 4, !dbg !201, !tbaa !28
  %43 = tail call float @llvm.fmuladd.f32(float %41, float %42, float 0.000000e+00), !dbg !202
  %44 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 4, !dbg !200
  %45 = load float, ptr addrspace(3) %44, align 4, !dbg !200, !tbaa !28
  %46 = getelementptr i8, ptr addrspace(3) %40, i64 64, !dbg !201
  %47 = load float, ptr addrspace(3) %46, align 4, !dbg !201, !tbaa !28
  %48 = tail call float @llvm.fmuladd.f32(float %45, float %47, float %43), !dbg !202
  %49 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 8, !dbg !200
  %50 = load float, ptr addrspace(3) %49, align 4, !dbg !200, !tbaa !28
  %51 = getelementptr i8, ptr addrspace(3) %40, i64 128, !dbg !201
  %52 = load float, ptr addrspace(3) %51, align 4, !dbg !201, !tbaa !28
  %53 = tail call float @llvm.fmuladd.f32(float %50, float %52, float %48), !dbg !202
  %54 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 12, !dbg !200
  %55 = load float, ptr addrspace(3) %54, align 4, !dbg !200, !tbaa !28
  %56 = getelementptr i8, ptr addrspace(3) %40, i64 192, !dbg !201
  %57 = load float, ptr addrspace(3) %56, align 4, !dbg !201, !tbaa !28
  %58 = tail call float @llvm.fmuladd.f32(float %55, float %57, float %53), !dbg !202
  %59 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 16, !dbg !200
  %60 = load float, ptr addrspace(3) %59, align 4, !dbg !200, !tbaa !28
  %61 = getelementptr i8, ptr addrspace(3) %40, i64 256, !dbg !201
  %62 = load float, ptr addrspace(3) %61, align 4, !dbg !201, !tbaa !28
  %63 = tail call float @llvm.fmuladd.f32(float %60, float %62, float %58), !dbg !202
  %64 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 20, !dbg !200
  %65 = load float, ptr addrspace(3) %64, align 4, !dbg !200, !tbaa !28
  %66 = getelementptr i8, ptr addrspace(3) %40, i64 320, !dbg !201
  %67 = load float, ptr addrspace(3) %66, align 4, !dbg !201, !tbaa !28
  %68 = tail call float @llvm.fmuladd.f32(float %65, float %67, float %63), !dbg !202
  %69 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 24, !dbg !200
  %70 = load float, ptr addrspace(3) %69, align 4, !dbg !200, !tbaa !28
  %71 = getelementptr i8, ptr addrspace(3) %40, i64 384, !dbg !201
  %72 = load float, ptr addrspace(3) %71, align 4, !dbg !201, !tbaa !28
  %73 = tail call float @llvm.fmuladd.f32(float %70, float %72, float %68), !dbg !202
  %74 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 28, !dbg !200
  %75 = load float, ptr addrspace(3) %74, align 4, !dbg !200, !tbaa !28
  %76 = getelementptr i8, ptr addrspace(3) %40, i64 448, !dbg !201
  %77 = load float, ptr addrspace(3) %76, align 4, !dbg !201, !tbaa !28
  %78 = tail call float @llvm.fmuladd.f32(float %75, float %77, float %73), !dbg !202
  %79 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 32, !dbg !200
  %80 = load float, ptr addrspace(3) %79, align 4, !dbg !200, !tbaa !28
  %81 = getelementptr i8, ptr addrspace(3) %40, i64 512, !dbg !201
  %82 = load float, ptr addrspace(3) %81, align 4, !dbg !201, !tbaa !28
  %83 = tail call float @llvm.fmuladd.f32(float %80, float %82, float %78), !dbg !202
  %84 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 36, !dbg !200
  %85 = load float, ptr addrspace(3) %84, align 4, !dbg !200, !tbaa !28
  %86 = getelementptr i8, ptr addrspace(3) %40, i64 576, !dbg !201
  %87 = load float, ptr addrspace(3) %86, align 4, !dbg !201, !tbaa !28
  %88 = tail call float @llvm.fmuladd.f32(float %85, float %87, float %83), !dbg !202
  %89 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 40, !dbg !200
  %90 = load float, ptr addrspace(3) %89, align 4, !dbg !200, !tbaa !28
  %91 = getelementptr i8, ptr addrspace(3) %40, i64 640, !dbg !201
  %92 = load float, ptr addrspace(3) %91, align 4, !dbg !201, !tbaa !28
  %93 = tail call float @llvm.fmuladd.f32(float %90, float %92, float %88), !dbg !202
  %94 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 44, !dbg !200
  %95 = load float, ptr addrspace(3) %94, align 4, !dbg !200, !tbaa !28
  %96 = getelementptr i8, ptr addrspace(3) %40, i64 704, !dbg !201
  %97 = load float, ptr addrspace(3) %96, align 4, !dbg !201, !tbaa !28
  %98 = tail call float @llvm.fmuladd.f32(float %95, float %97, float %93), !dbg !202
  %99 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 48, !dbg !200
  %100 = load float, ptr addrspace(3) %99, align 4, !dbg !200, !tbaa !28
  %101 = getelementptr i8, ptr addrspace(3) %40, i64 768, !dbg !201
  %102 = load float, ptr addrspace(3) %101, align 4, !dbg !201, !tbaa !28
  %103 = tail call float @llvm.fmuladd.f32(float %100, float %102, float %98), !dbg !202
  %104 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 52, !dbg !200
  %105 = load float, ptr addrspace(3) %104, align 4, !dbg !200, !tbaa !28
  %106 = getelementptr i8, ptr addrspace(3) %40, i64 832, !dbg !201
  %107 = load float, ptr addrspace(3) %106, align 4, !dbg !201, !tbaa !28
  %108 = tail call float @llvm.fmuladd.f32(float %105, float %107, float %103), !dbg !202
  %109 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 56, !dbg !200
  %110 = load float, ptr addrspace(3) %109, align 4, !dbg !200, !tbaa !28
  %111 = getelementptr i8, ptr addrspace(3) %40, i64 896, !dbg !201
  %112 = load float, ptr addrspace(3) %111, align 4, !dbg !201, !tbaa !28
  %113 = tail call float @llvm.fmuladd.f32(float %110, float %112, float %108), !dbg !202
  %114 = getelementptr inbounds nuw i8, ptr addrspace(3) %38, i64 60, !dbg !200
  %115 = load float, ptr addrspace(3) %114, align 4, !dbg !200, !tbaa !28
  %116 = getelementptr i8, ptr addrspace(3) %40, i64 960, !dbg !201
  %117 = load float, ptr addrspace(3) %116, align 4, !dbg !201, !tbaa !28
  %118 = tail call float @llvm.fmuladd.f32(float %115, float %117, float %113), !dbg !202
  %119 = add nsw i32 %32, %23, !dbg !203
  %120 = sext i32 %119 to i64, !dbg !204
  %121 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %120, !dbg !204
  %122 = load float, ptr addrspace(1) %121, align 4, !dbg !205, !tbaa !28
  %123 = fsub float %122, %118, !dbg !205
  store float %123, ptr addrspace(1) %121, align 4, !dbg !205, !tbaa !28
  ret void, !dbg !206
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
!12 = distinct !DISubprogram(name: "lud_diagonal", scope: !1, file: !1, line: 11, type: !13, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 0, i32 0}
!16 = !{!"none", !"none", !"none"}
!17 = !{!"float*", !"int", !"int"}
!18 = !{!"", !"", !""}
!19 = !DILocation(line: 11, column: 73, scope: !12)
!20 = !DILocation(line: 40, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "lud_diagonal", scope: !1, file: !1, line: 11, type: !13, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 14, column: 17, scope: !21)
!23 = !DILocation(line: 15, column: 43, scope: !21)
!24 = !DILocation(line: 15, column: 35, scope: !21)
!25 = !DILocation(line: 15, column: 50, scope: !21)
!26 = !DILocation(line: 16, column: 8, scope: !21)
!27 = !DILocation(line: 17, column: 18, scope: !21)
!28 = !{!29, !29, i64 0}
!29 = !{!"float", !10, i64 0}
!30 = !DILocation(line: 17, column: 16, scope: !21)
!31 = !DILocation(line: 17, column: 34, scope: !21)
!32 = !DILocation(line: 17, column: 5, scope: !21)
!33 = !DILocation(line: 17, column: 27, scope: !21)
!34 = !DILocation(line: 19, column: 3, scope: !21)
!35 = !DILocation(line: 21, column: 3, scope: !21)
!36 = !DILocation(line: 38, column: 28, scope: !21)
!37 = !DILocation(line: 38, column: 26, scope: !21)
!38 = !DILocation(line: 40, column: 1, scope: !21)
!39 = !DILocation(line: 22, column: 11, scope: !21)
!40 = !DILocation(line: 23, column: 25, scope: !21)
!41 = !DILocation(line: 23, column: 7, scope: !21)
!42 = !DILocation(line: 26, column: 21, scope: !21)
!43 = !DILocation(line: 24, column: 26, scope: !21)
!44 = !DILocation(line: 24, column: 39, scope: !21)
!45 = !DILocation(line: 24, column: 23, scope: !21)
!46 = !DILocation(line: 26, column: 24, scope: !21)
!47 = !DILocation(line: 26, column: 7, scope: !21)
!48 = !{float 2.500000e+00}
!49 = !DILocation(line: 27, column: 5, scope: !21)
!50 = !DILocation(line: 23, column: 33, scope: !21)
!51 = distinct !{!51, !41, !52}
!52 = !DILocation(line: 25, column: 7, scope: !21)
!53 = !DILocation(line: 28, column: 5, scope: !21)
!54 = !DILocation(line: 29, column: 11, scope: !21)
!55 = !DILocation(line: 30, column: 7, scope: !21)
!56 = !DILocation(line: 31, column: 30, scope: !21)
!57 = !DILocation(line: 31, column: 50, scope: !21)
!58 = !DILocation(line: 31, column: 27, scope: !21)
!59 = !DILocation(line: 30, column: 34, scope: !21)
!60 = distinct !{!60, !55, !61}
!61 = !DILocation(line: 32, column: 7, scope: !21)
!62 = !DILocation(line: 34, column: 5, scope: !21)
!63 = !DILocation(line: 21, column: 39, scope: !21)
!64 = !DILocation(line: 21, column: 27, scope: !21)
!65 = distinct !{!65, !35, !66}
!66 = !DILocation(line: 35, column: 3, scope: !21)
!67 = distinct !DISubprogram(name: "lud_perimeter", scope: !1, file: !1, line: 45, type: !13, scopeLine: 45, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!68 = !DILocation(line: 45, column: 74, scope: !67)
!69 = !DILocation(line: 95, column: 1, scope: !67)
!70 = distinct !DISubprogram(name: "lud_perimeter", scope: !1, file: !1, line: 45, type: !13, scopeLine: 45, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!71 = !DILocation(line: 50, column: 25, scope: !70)
!72 = !DILocation(line: 50, column: 41, scope: !70)
!73 = !DILocation(line: 51, column: 17, scope: !70)
!74 = !DILocation(line: 52, column: 28, scope: !70)
!75 = !DILocation(line: 52, column: 19, scope: !70)
!76 = !DILocation(line: 53, column: 7, scope: !70)
!77 = !DILocation(line: 61, column: 5, scope: !70)
!78 = !DILocation(line: 62, column: 35, scope: !70)
!79 = !DILocation(line: 62, column: 40, scope: !70)
!80 = !DILocation(line: 62, column: 55, scope: !70)
!81 = !DILocation(line: 62, column: 21, scope: !70)
!82 = !DILocation(line: 62, column: 7, scope: !70)
!83 = !DILocation(line: 62, column: 19, scope: !70)
!84 = !DILocation(line: 64, column: 5, scope: !70)
!85 = !DILocation(line: 54, column: 5, scope: !70)
!86 = !DILocation(line: 55, column: 40, scope: !70)
!87 = !DILocation(line: 55, column: 55, scope: !70)
!88 = !DILocation(line: 55, column: 21, scope: !70)
!89 = !DILocation(line: 55, column: 19, scope: !70)
!90 = !DILocation(line: 55, column: 35, scope: !70)
!91 = !DILocation(line: 55, column: 7, scope: !70)
!92 = !DILocation(line: 57, column: 5, scope: !70)
!93 = !DILocation(line: 58, column: 35, scope: !70)
!94 = !DILocation(line: 58, column: 40, scope: !70)
!95 = !DILocation(line: 58, column: 53, scope: !70)
!96 = !DILocation(line: 58, column: 21, scope: !70)
!97 = !DILocation(line: 58, column: 7, scope: !70)
!98 = !DILocation(line: 58, column: 19, scope: !70)
!99 = !DILocation(line: 57, column: 31, scope: !70)
!100 = !DILocation(line: 57, column: 23, scope: !70)
!101 = distinct !{!101, !92, !102}
!102 = !DILocation(line: 59, column: 5, scope: !70)
!103 = !DILocation(line: 65, column: 33, scope: !70)
!104 = !DILocation(line: 65, column: 38, scope: !70)
!105 = !DILocation(line: 65, column: 53, scope: !70)
!106 = !DILocation(line: 65, column: 21, scope: !70)
!107 = !DILocation(line: 65, column: 7, scope: !70)
!108 = !DILocation(line: 65, column: 19, scope: !70)
!109 = !DILocation(line: 64, column: 31, scope: !70)
!110 = !DILocation(line: 64, column: 23, scope: !70)
!111 = distinct !{!111, !84, !112}
!112 = !DILocation(line: 66, column: 5, scope: !70)
!113 = !DILocation(line: 68, column: 3, scope: !70)
!114 = !DILocation(line: 70, column: 7, scope: !70)
!115 = !DILocation(line: 77, column: 5, scope: !70)
!116 = !DILocation(line: 71, column: 5, scope: !70)
!117 = !DILocation(line: 72, column: 7, scope: !70)
!118 = !DILocation(line: 73, column: 24, scope: !70)
!119 = !DILocation(line: 73, column: 38, scope: !70)
!120 = !DILocation(line: 73, column: 21, scope: !70)
!121 = !DILocation(line: 71, column: 31, scope: !70)
!122 = !DILocation(line: 71, column: 23, scope: !70)
!123 = distinct !{!123, !116, !124}
!124 = !DILocation(line: 75, column: 5, scope: !70)
!125 = !DILocation(line: 72, column: 30, scope: !70)
!126 = distinct !{!126, !117, !127}
!127 = !DILocation(line: 74, column: 7, scope: !70)
!128 = !DILocation(line: 78, column: 25, scope: !70)
!129 = !DILocation(line: 78, column: 7, scope: !70)
!130 = !DILocation(line: 81, column: 19, scope: !70)
!131 = !DILocation(line: 79, column: 24, scope: !70)
!132 = !DILocation(line: 79, column: 38, scope: !70)
!133 = !DILocation(line: 79, column: 21, scope: !70)
!134 = !DILocation(line: 81, column: 22, scope: !70)
!135 = !DILocation(line: 81, column: 7, scope: !70)
!136 = !DILocation(line: 77, column: 31, scope: !70)
!137 = !DILocation(line: 77, column: 23, scope: !70)
!138 = distinct !{!138, !115, !139}
!139 = !DILocation(line: 82, column: 5, scope: !70)
!140 = !DILocation(line: 78, column: 30, scope: !70)
!141 = distinct !{!141, !129, !142}
!142 = !DILocation(line: 80, column: 7, scope: !70)
!143 = !DILocation(line: 84, column: 3, scope: !70)
!144 = !DILocation(line: 86, column: 7, scope: !70)
!145 = !DILocation(line: 91, column: 5, scope: !70)
!146 = !DILocation(line: 87, column: 5, scope: !70)
!147 = !DILocation(line: 88, column: 46, scope: !70)
!148 = !DILocation(line: 88, column: 21, scope: !70)
!149 = !DILocation(line: 88, column: 26, scope: !70)
!150 = !DILocation(line: 88, column: 39, scope: !70)
!151 = !DILocation(line: 88, column: 7, scope: !70)
!152 = !DILocation(line: 88, column: 44, scope: !70)
!153 = !DILocation(line: 87, column: 31, scope: !70)
!154 = !DILocation(line: 87, column: 23, scope: !70)
!155 = distinct !{!155, !146, !156}
!156 = !DILocation(line: 89, column: 5, scope: !70)
!157 = !DILocation(line: 92, column: 46, scope: !70)
!158 = !DILocation(line: 92, column: 19, scope: !70)
!159 = !DILocation(line: 92, column: 24, scope: !70)
!160 = !DILocation(line: 92, column: 39, scope: !70)
!161 = !DILocation(line: 92, column: 7, scope: !70)
!162 = !DILocation(line: 92, column: 44, scope: !70)
!163 = !DILocation(line: 91, column: 31, scope: !70)
!164 = !DILocation(line: 91, column: 23, scope: !70)
!165 = distinct !{!165, !145, !166}
!166 = !DILocation(line: 93, column: 5, scope: !70)
!167 = !DILocation(line: 95, column: 1, scope: !70)
!168 = distinct !DISubprogram(name: "lud_internal", scope: !1, file: !1, line: 99, type: !13, scopeLine: 99, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!169 = !DILocation(line: 99, column: 73, scope: !168)
!170 = !DILocation(line: 116, column: 1, scope: !168)
!171 = distinct !DISubprogram(name: "lud_internal", scope: !1, file: !1, line: 99, type: !13, scopeLine: 99, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!172 = !DILocation(line: 103, column: 18, scope: !171)
!173 = !DILocation(line: 104, column: 18, scope: !171)
!174 = !DILocation(line: 105, column: 19, scope: !171)
!175 = !DILocation(line: 105, column: 28, scope: !171)
!176 = !DILocation(line: 105, column: 49, scope: !171)
!177 = !DILocation(line: 105, column: 58, scope: !171)
!178 = !DILocation(line: 105, column: 25, scope: !171)
!179 = !DILocation(line: 105, column: 56, scope: !171)
!180 = !DILocation(line: 106, column: 31, scope: !171)
!181 = !DILocation(line: 106, column: 52, scope: !171)
!182 = !DILocation(line: 106, column: 61, scope: !171)
!183 = !DILocation(line: 106, column: 28, scope: !171)
!184 = !DILocation(line: 106, column: 59, scope: !171)
!185 = !DILocation(line: 106, column: 22, scope: !171)
!186 = !DILocation(line: 107, column: 33, scope: !171)
!187 = !DILocation(line: 107, column: 39, scope: !171)
!188 = !DILocation(line: 107, column: 46, scope: !171)
!189 = !DILocation(line: 107, column: 19, scope: !171)
!190 = !DILocation(line: 107, column: 3, scope: !171)
!191 = !DILocation(line: 107, column: 17, scope: !171)
!192 = !DILocation(line: 108, column: 30, scope: !171)
!193 = !DILocation(line: 108, column: 37, scope: !171)
!194 = !DILocation(line: 108, column: 45, scope: !171)
!195 = !DILocation(line: 108, column: 19, scope: !171)
!196 = !DILocation(line: 108, column: 3, scope: !171)
!197 = !DILocation(line: 108, column: 17, scope: !171)
!198 = !DILocation(line: 109, column: 3, scope: !171)
!199 = !DILocation(line: 112, column: 8, scope: !171)
!200 = !DILocation(line: 113, column: 12, scope: !171)
!201 = !DILocation(line: 113, column: 27, scope: !171)
!202 = !DILocation(line: 113, column: 9, scope: !171)
!203 = !DILocation(line: 115, column: 21, scope: !171)
!204 = !DILocation(line: 115, column: 3, scope: !171)
!205 = !DILocation(line: 115, column: 31, scope: !171)
!206 = !DILocation(line: 116, column: 1, scope: !171)
