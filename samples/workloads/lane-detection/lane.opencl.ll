; ModuleID = 'lane.cl'
source_filename = "lane.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @lane_pre(ptr addrspace(1) noalias noundef readonly align 1 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 1 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr #0 !dbg !12 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  tail call void @__clang_ocl_kern_imp_lane_pre(ptr addrspace(1) noundef align 1 %0, ptr addrspace(1) noundef align 1 %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6) #5, !dbg !19
  ret void, !dbg !20
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_lane_pre(ptr addrspace(1) noalias noundef readonly align 1 captures(none) %0, ptr addrspace(1) noalias noundef writeonly align 1 captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr #1 !dbg !21 !kernel_arg_addr_space !15 !kernel_arg_access_qual !16 !kernel_arg_type !17 !kernel_arg_base_type !17 !kernel_arg_type_qual !18 {
  %8 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #6, !dbg !22
  %9 = trunc i64 %8 to i32, !dbg !22
  %10 = mul nsw i32 %6, %5, !dbg !23
  %11 = icmp sgt i32 %10, %9, !dbg !24
  br i1 %11, label %12, label %268, !dbg !24

12:                                               ; preds = %7
  %13 = freeze i32 %9, !dbg !25
  %14 = sdiv i32 %13, %5, !dbg !25
  %15 = add nsw i32 %14, %4, !dbg !26
  %16 = mul nsw i32 %15, %2, !dbg !27
  %17 = mul i32 %14, %5, !dbg !28
  %18 = sub i32 %13, %17, !dbg !28
  %19 = add i32 %18, %3, !dbg !29
  %20 = add i32 %19, %16, !dbg !30
  %21 = mul nsw i32 %14, 3, !dbg !31
  %22 = sdiv i32 %21, 32, !dbg !34
  %23 = add nsw i32 %22, 4, !dbg !35
  %24 = sext i32 %20 to i64
  %25 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %24
  %26 = sub nsw i32 0, %2, !dbg !36
  %27 = sext i32 %26 to i64, !dbg !39
  %28 = getelementptr inbounds i8, ptr addrspace(1) %25, i64 %27, !dbg !39
  %29 = getelementptr inbounds i8, ptr addrspace(1) %28, i64 -1, !dbg !40
  %30 = load i8, ptr addrspace(1) %29, align 1, !dbg !40, !tbaa !41
  %31 = zext i8 %30 to i32, !dbg !40
  %32 = load i8, ptr addrspace(1) %28, align 1, !dbg !42, !tbaa !41
  %33 = zext i8 %32 to i32, !dbg !42
  %34 = getelementptr inbounds nuw i8, ptr addrspace(1) %28, i64 1, !dbg !43
  %35 = load i8, ptr addrspace(1) %34, align 1, !dbg !43, !tbaa !41
  %36 = zext i8 %35 to i32, !dbg !43
  %37 = getelementptr inbounds i8, ptr addrspace(1) %25, i64 -1, !dbg !40
  %38 = load i8, ptr addrspace(1) %37, align 1, !dbg !40, !tbaa !41
  %39 = zext i8 %38 to i32, !dbg !40
  %40 = load i8, ptr addrspace(1) %25, align 1, !dbg !42, !tbaa !41
  %41 = zext i8 %40 to i32, !dbg !42
  %42 = shl nuw nsw i32 %41, 1, !dbg !44
  %43 = getelementptr inbounds nuw i8, ptr addrspace(1) %25, i64 1, !dbg !43
  %44 = load i8, ptr addrspace(1) %43, align 1, !dbg !43, !tbaa !41
  %45 = zext i8 %44 to i32, !dbg !43
  %46 = sext i32 %2 to i64, !dbg !39
  %47 = getelementptr inbounds i8, ptr addrspace(1) %25, i64 %46, !dbg !39
  %48 = getelementptr inbounds i8, ptr addrspace(1) %47, i64 -1, !dbg !40
  %49 = load i8, ptr addrspace(1) %48, align 1, !dbg !40, !tbaa !41
  %50 = zext i8 %49 to i32, !dbg !40
  %51 = load i8, ptr addrspace(1) %47, align 1, !dbg !42, !tbaa !41
  %52 = zext i8 %51 to i32, !dbg !42
  %53 = getelementptr inbounds nuw i8, ptr addrspace(1) %47, i64 1, !dbg !43
  %54 = load i8, ptr addrspace(1) %53, align 1, !dbg !43, !tbaa !41
  %55 = zext i8 %54 to i32, !dbg !43
  %56 = add nuw nsw i32 %39, %33, !dbg !45
  %57 = add nuw nsw i32 %56, %42, !dbg !46
  %58 = add nuw nsw i32 %57, %45, !dbg !47
  %59 = add nuw nsw i32 %58, %52, !dbg !47
  %60 = shl nuw nsw i32 %59, 1, !dbg !47
  %61 = add nuw nsw i32 %36, %31, !dbg !45
  %62 = add nuw nsw i32 %61, %50, !dbg !46
  %63 = add nuw nsw i32 %62, %55, !dbg !47
  %64 = add nuw nsw i32 %63, %60, !dbg !47
  %65 = lshr i32 %64, 4, !dbg !48
  %66 = sub nsw i32 %20, %23, !dbg !49
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %67
  %69 = getelementptr inbounds i8, ptr addrspace(1) %68, i64 %27, !dbg !50
  %70 = getelementptr inbounds i8, ptr addrspace(1) %69, i64 -1, !dbg !52
  %71 = load i8, ptr addrspace(1) %70, align 1, !dbg !52, !tbaa !41
  %72 = zext i8 %71 to i32, !dbg !52
  %73 = load i8, ptr addrspace(1) %69, align 1, !dbg !53, !tbaa !41
  %74 = zext i8 %73 to i32, !dbg !53
  %75 = getelementptr inbounds nuw i8, ptr addrspace(1) %69, i64 1, !dbg !54
  %76 = load i8, ptr addrspace(1) %75, align 1, !dbg !54, !tbaa !41
  %77 = zext i8 %76 to i32, !dbg !54
  %78 = getelementptr inbounds i8, ptr addrspace(1) %68, i64 -1, !dbg !52
  %79 = load i8, ptr addrspace(1) %78, align 1, !dbg !52, !tbaa !41
  %80 = zext i8 %79 to i32, !dbg !52
  %81 = load i8, ptr addrspace(1) %68, align 1, !dbg !53, !tbaa !41
  %82 = zext i8 %81 to i32, !dbg !53
  %83 = shl nuw nsw i32 %82, 1, !dbg !55
  %84 = getelementptr inbounds nuw i8, ptr addrspace(1) %68, i64 1, !dbg !54
  %85 = load i8, ptr addrspace(1) %84, align 1, !dbg !54, !tbaa !41
  %86 = zext i8 %85 to i32, !dbg !54
  %87 = getelementptr inbounds i8, ptr addrspace(1) %68, i64 %46, !dbg !50
  %88 = getelementptr inbounds i8, ptr addrspace(1) %87, i64 -1, !dbg !52
  %89 = load i8, ptr addrspace(1) %88, align 1, !dbg !52, !tbaa !41
  %90 = zext i8 %89 to i32, !dbg !52
  %91 = load i8, ptr addrspace(1) %87, align 1, !dbg !53, !tbaa !41
  %92 = zext i8 %91 to i32, !dbg !53
  %93 = getelementptr inbounds nuw i8, ptr addrspace(1) %87, i64 1, !dbg !54
  %94 = load i8, ptr addrspace(1) %93, align 1, !dbg !54, !tbaa !41
  %95 = zext i8 %94 to i32, !dbg !54
  %96 = add nuw nsw i32 %80, %74, !dbg !56
  %97 = add nuw nsw i32 %96, %83, !dbg !57
  %98 = add nuw nsw i32 %97, %86, !dbg !58
  %99 = add nuw nsw i32 %98, %92, !dbg !58
  %100 = shl nuw nsw i32 %99, 1, !dbg !58
  %101 = add nuw nsw i32 %77, %72, !dbg !56
  %102 = add nuw nsw i32 %101, %90, !dbg !57
  %103 = add nuw nsw i32 %102, %95, !dbg !58
  %104 = add nuw nsw i32 %103, %100, !dbg !58
  %105 = lshr i32 %104, 4, !dbg !59
  %106 = add nsw i32 %20, %23, !dbg !60
  %107 = sext i32 %106 to i64
  %108 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %107
  %109 = getelementptr inbounds i8, ptr addrspace(1) %108, i64 %27, !dbg !61
  %110 = getelementptr inbounds i8, ptr addrspace(1) %109, i64 -1, !dbg !63
  %111 = load i8, ptr addrspace(1) %110, align 1, !dbg !63, !tbaa !41
  %112 = zext i8 %111 to i32, !dbg !63
  %113 = load i8, ptr addrspace(1) %109, align 1, !dbg !64, !tbaa !41
  %114 = zext i8 %113 to i32, !dbg !64
  %115 = getelementptr inbounds nuw i8, ptr addrspace(1) %109, i64 1, !dbg !65
  %116 = load i8, ptr addrspace(1) %115, align 1, !dbg !65, !tbaa !41
  %117 = zext i8 %116 to i32, !dbg !65
  %118 = getelementptr inbounds i8, ptr addrspace(1) %108, i64 -1, !dbg !63
  %119 = load i8, ptr addrspace(1) %118, align 1, !dbg !63, !tbaa !41
  %120 = zext i8 %119 to i32, !dbg !63
  %121 = load i8, ptr addrspace(1) %108, align 1, !dbg !64, !tbaa !41
  %122 = zext i8 %121 to i32, !dbg !64
  %123 = shl nuw nsw i32 %122, 1, !dbg !66
  %124 = getelementptr inbounds nuw i8, ptr addrspace(1) %108, i64 1, !dbg !65
  %125 = load i8, ptr addrspace(1) %124, align 1, !dbg !65, !tbaa !41
  %126 = zext i8 %125 to i32, !dbg !65
  %127 = getelementptr inbounds i8, ptr addrspace(1) %108, i64 %46, !dbg !61
  %128 = getelementptr inbounds i8, ptr addrspace(1) %127, i64 -1, !dbg !63
  %129 = load i8, ptr addrspace(1) %128, align 1, !dbg !63, !tbaa !41
  %130 = zext i8 %129 to i32, !dbg !63
  %131 = load i8, ptr addrspace(1) %127, align 1, !dbg !64, !tbaa !41
  %132 = zext i8 %131 to i32, !dbg !64
  %133 = getelementptr inbounds nuw i8, ptr addrspace(1) %127, i64 1, !dbg !65
  %134 = load i8, ptr addrspace(1) %133, align 1, !dbg !65, !tbaa !41
  %135 = zext i8 %134 to i32, !dbg !65
  %136 = add nuw nsw i32 %120, %114, !dbg !67
  %137 = add nuw nsw i32 %136, %123, !dbg !68
  %138 = add nuw nsw i32 %137, %126, !dbg !69
  %139 = add nuw nsw i32 %138, %132, !dbg !69
  %140 = shl nuw nsw i32 %139, 1, !dbg !69
  %141 = add nuw nsw i32 %117, %112, !dbg !67
  %142 = add nuw nsw i32 %141, %130, !dbg !68
  %143 = add nuw nsw i32 %142, %135, !dbg !69
  %144 = add nuw nsw i32 %143, %140, !dbg !69
  %145 = lshr i32 %144, 4, !dbg !70
  %146 = tail call i32 @_Z3maxii(i32 noundef %105, i32 noundef %145) #6, !dbg !71
  %147 = sub nsw i32 %65, %146, !dbg !72
  %148 = add nuw nsw i32 %145, %105, !dbg !73
  %149 = lshr i32 %148, 4, !dbg !74
  %150 = add nuw nsw i32 %149, 8, !dbg !75
  %151 = icmp sgt i32 %147, %150, !dbg !76
  br i1 %151, label %152, label %263, !dbg !76

152:                                              ; preds = %12
  %153 = lshr i32 %147, 1, !dbg !77
  %154 = sub nsw i32 %65, %153, !dbg !78
  %155 = icmp sgt i32 %14, -32, !dbg !79
  br i1 %155, label %156, label %204, !dbg !80

156:                                              ; preds = %152
  %157 = tail call i32 @llvm.smax.i32(i32 %23, i32 2), !dbg !81
  br label %158, !dbg !81

158:                                              ; preds = %156, %201
  %159 = phi i32 [ %202, %201 ], [ 1, %156 ]
  %160 = sub nsw i32 %20, %159, !dbg !82
  %161 = sext i32 %160 to i64
  %162 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %161
  %163 = getelementptr inbounds i8, ptr addrspace(1) %162, i64 %27, !dbg !83
  %164 = getelementptr inbounds i8, ptr addrspace(1) %163, i64 -1, !dbg !85
  %165 = load i8, ptr addrspace(1) %164, align 1, !dbg !85, !tbaa !41
  %166 = zext i8 %165 to i32, !dbg !85
  %167 = load i8, ptr addrspace(1) %163, align 1, !dbg !86, !tbaa !41
  %168 = zext i8 %167 to i32, !dbg !86
  %169 = getelementptr inbounds nuw i8, ptr addrspace(1) %163, i64 1, !dbg !87
  %170 = load i8, ptr addrspace(1) %169, align 1, !dbg !87, !tbaa !41
  %171 = zext i8 %170 to i32, !dbg !87
  %172 = getelementptr inbounds i8, ptr addrspace(1) %162, i64 -1, !dbg !85
  %173 = load i8, ptr addrspace(1) %172, align 1, !dbg !85, !tbaa !41
  %174 = zext i8 %173 to i32, !dbg !85
  %175 = load i8, ptr addrspace(1) %162, align 1, !dbg !86, !tbaa !41
  %176 = zext i8 %175 to i32, !dbg !86
  %177 = shl nuw nsw i32 %176, 1, !dbg !88
  %178 = getelementptr inbounds nuw i8, ptr addrspace(1) %162, i64 1, !dbg !87
  %179 = load i8, ptr addrspace(1) %178, align 1, !dbg !87, !tbaa !41
  %180 = zext i8 %179 to i32, !dbg !87
  %181 = getelementptr inbounds i8, ptr addrspace(1) %162, i64 %46, !dbg !83
  %182 = getelementptr inbounds i8, ptr addrspace(1) %181, i64 -1, !dbg !85
  %183 = load i8, ptr addrspace(1) %182, align 1, !dbg !85, !tbaa !41
  %184 = zext i8 %183 to i32, !dbg !85
  %185 = load i8, ptr addrspace(1) %181, align 1, !dbg !86, !tbaa !41
  %186 = zext i8 %185 to i32, !dbg !86
  %187 = getelementptr inbounds nuw i8, ptr addrspace(1) %181, i64 1, !dbg !87
  %188 = load i8, ptr addrspace(1) %187, align 1, !dbg !87, !tbaa !41
  %189 = zext i8 %188 to i32, !dbg !87
  %190 = add nuw nsw i32 %174, %168, !dbg !89
  %191 = add nuw nsw i32 %190, %177, !dbg !90
  %192 = add nuw nsw i32 %191, %180, !dbg !91
  %193 = add nuw nsw i32 %192, %186, !dbg !91
  %194 = shl nuw nsw i32 %193, 1, !dbg !91
  %195 = add nuw nsw i32 %171, %166, !dbg !89
  %196 = add nuw nsw i32 %195, %184, !dbg !90
  %197 = add nuw nsw i32 %196, %189, !dbg !91
  %198 = add nuw nsw i32 %197, %194, !dbg !91
  %199 = lshr i32 %198, 4, !dbg !92
  %200 = icmp sgt i32 %199, %154, !dbg !93
  br i1 %200, label %201, label %204, !dbg !81

201:                                              ; preds = %158
  %202 = add nuw nsw i32 %159, 1, !dbg !94
  %203 = icmp eq i32 %202, %157, !dbg !79
  br i1 %203, label %204, label %158, !dbg !80, !llvm.loop !95

204:                                              ; preds = %158, %201, %152
  %205 = phi i32 [ 1, %152 ], [ %159, %158 ], [ %157, %201 ], !dbg !97
  br i1 %155, label %206, label %254, !dbg !98

206:                                              ; preds = %204
  %207 = tail call i32 @llvm.smax.i32(i32 %23, i32 2), !dbg !99
  br label %208, !dbg !99

208:                                              ; preds = %206, %251
  %209 = phi i32 [ %252, %251 ], [ 1, %206 ]
  %210 = add nsw i32 %209, %20, !dbg !100
  %211 = sext i32 %210 to i64
  %212 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %211
  %213 = getelementptr inbounds i8, ptr addrspace(1) %212, i64 %27, !dbg !101
  %214 = getelementptr inbounds i8, ptr addrspace(1) %213, i64 -1, !dbg !103
  %215 = load i8, ptr addrspace(1) %214, align 1, !dbg !103, !tbaa !41
  %216 = zext i8 %215 to i32, !dbg !103
  %217 = load i8, ptr addrspace(1) %213, align 1, !dbg !104, !tbaa !41
  %218 = zext i8 %217 to i32, !dbg !104
  %219 = getelementptr inbounds nuw i8, ptr addrspace(1) %213, i64 1, !dbg !105
  %220 = load i8, ptr addrspace(1) %219, align 1, !dbg !105, !tbaa !41
  %221 = zext i8 %220 to i32, !dbg !105
  %222 = getelementptr inbounds i8, ptr addrspace(1) %212, i64 -1, !dbg !103
  %223 = load i8, ptr addrspace(1) %222, align 1, !dbg !103, !tbaa !41
  %224 = zext i8 %223 to i32, !dbg !103
  %225 = load i8, ptr addrspace(1) %212, align 1, !dbg !104, !tbaa !41
  %226 = zext i8 %225 to i32, !dbg !104
  %227 = shl nuw nsw i32 %226, 1, !dbg !106
  %228 = getelementptr inbounds nuw i8, ptr addrspace(1) %212, i64 1, !dbg !105
  %229 = load i8, ptr addrspace(1) %228, align 1, !dbg !105, !tbaa !41
  %230 = zext i8 %229 to i32, !dbg !105
  %231 = getelementptr inbounds i8, ptr addrspace(1) %212, i64 %46, !dbg !101
  %232 = getelementptr inbounds i8, ptr addrspace(1) %231, i64 -1, !dbg !103
  %233 = load i8, ptr addrspace(1) %232, align 1, !dbg !103, !tbaa !41
  %234 = zext i8 %233 to i32, !dbg !103
  %235 = load i8, ptr addrspace(1) %231, align 1, !dbg !104, !tbaa !41
  %236 = zext i8 %235 to i32, !dbg !104
  %237 = getelementptr inbounds nuw i8, ptr addrspace(1) %231, i64 1, !dbg !105
  %238 = load i8, ptr addrspace(1) %237, align 1, !dbg !105, !tbaa !41
  %239 = zext i8 %238 to i32, !dbg !105
  %240 = add nuw nsw i32 %224, %218, !dbg !107
  %241 = add nuw nsw i32 %240, %227, !dbg !108
  %242 = add nuw nsw i32 %241, %230, !dbg !109
  %243 = add nuw nsw i32 %242, %236, !dbg !109
  %244 = shl nuw nsw i32 %243, 1, !dbg !109
  %245 = add nuw nsw i32 %221, %216, !dbg !107
  %246 = add nuw nsw i32 %245, %234, !dbg !108
  %247 = add nuw nsw i32 %246, %239, !dbg !109
  %248 = add nuw nsw i32 %247, %244, !dbg !109
  %249 = lshr i32 %248, 4, !dbg !110
  %250 = icmp sgt i32 %249, %154, !dbg !111
  br i1 %250, label %251, label %254, !dbg !99

251:                                              ; preds = %208
  %252 = add nuw nsw i32 %209, 1, !dbg !112
  %253 = icmp eq i32 %252, %207, !dbg !113
  br i1 %253, label %254, label %208, !dbg !98, !llvm.loop !114

254:                                              ; preds = %208, %251, %204
  %255 = phi i32 [ 1, %204 ], [ %209, %208 ], [ %207, %251 ], !dbg !97
  %256 = add nuw nsw i32 %255, %205, !dbg !116
  %257 = add nsw i32 %22, 6, !dbg !117
  %258 = icmp sgt i32 %256, %257, !dbg !118
  br i1 %258, label %263, label %259, !dbg !118

259:                                              ; preds = %254
  %260 = shl nuw nsw i32 %147, 1
  %261 = tail call i32 @_Z3minii(i32 noundef 255, i32 noundef %260) #6, !dbg !119
  %262 = trunc i32 %261 to i8, !dbg !120
  br label %263, !dbg !121

263:                                              ; preds = %254, %259, %12
  %264 = phi i8 [ 0, %12 ], [ %262, %259 ], [ 0, %254 ], !dbg !97
  %265 = shl i64 %8, 32, !dbg !122
  %266 = ashr exact i64 %265, 32, !dbg !122
  %267 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %266, !dbg !122
  store i8 %264, ptr addrspace(1) %267, align 1, !dbg !123, !tbaa !41
  br label %268, !dbg !124

268:                                              ; preds = %7, %263
  ret void, !dbg !124
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @lane_detect(ptr addrspace(1) noalias noundef readonly align 1 captures(none) %0, i32 noundef %1, i32 noundef %2, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %3, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %4, i32 noundef %5, float noundef %6, float noundef %7) local_unnamed_addr #0 !dbg !125 !kernel_arg_addr_space !126 !kernel_arg_access_qual !127 !kernel_arg_type !128 !kernel_arg_base_type !128 !kernel_arg_type_qual !129 {
  tail call void @__clang_ocl_kern_imp_lane_detect(ptr addrspace(1) noundef align 1 %0, i32 noundef %1, i32 noundef %2, ptr addrspace(1) noundef align 4 %3, ptr addrspace(1) noundef align 4 %4, i32 noundef %5, float noundef %6, float noundef %7) #5, !dbg !130
  ret void, !dbg !131
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_lane_detect(ptr addrspace(1) noalias noundef readonly align 1 captures(none) %0, i32 noundef %1, i32 noundef %2, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %3, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %4, i32 noundef %5, float noundef %6, float noundef %7) local_unnamed_addr #1 !dbg !132 !kernel_arg_addr_space !126 !kernel_arg_access_qual !127 !kernel_arg_type !128 !kernel_arg_base_type !128 !kernel_arg_type_qual !129 {
  %9 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #6, !dbg !133
  %10 = trunc i64 %9 to i32, !dbg !133
  %11 = icmp sgt i32 %5, %10, !dbg !134
  br i1 %11, label %12, label %109, !dbg !134

12:                                               ; preds = %8
  %13 = shl i64 %9, 32, !dbg !135
  %14 = ashr exact i64 %13, 32, !dbg !135
  %15 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %14, !dbg !135
  %16 = load float, ptr addrspace(1) %15, align 4, !dbg !135, !tbaa !136
  %17 = add nsw i32 %5, %10, !dbg !138
  %18 = sext i32 %17 to i64, !dbg !139
  %19 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %18, !dbg !139
  %20 = load float, ptr addrspace(1) %19, align 4, !dbg !139, !tbaa !136
  %21 = shl nsw i32 %5, 1, !dbg !140
  %22 = add nsw i32 %21, %10, !dbg !141
  %23 = sext i32 %22 to i64, !dbg !142
  %24 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %23, !dbg !142
  %25 = load float, ptr addrspace(1) %24, align 4, !dbg !142, !tbaa !136
  %26 = icmp sgt i32 %2, 0, !dbg !143
  br i1 %26, label %27, label %30, !dbg !144

27:                                               ; preds = %12
  %28 = fneg float %7
  %29 = add nsw i32 %1, -2
  br label %33, !dbg !144

30:                                               ; preds = %103, %12
  %31 = phi i32 [ 0, %12 ], [ %106, %103 ], !dbg !145
  %32 = getelementptr inbounds i32, ptr addrspace(1) %4, i64 %14, !dbg !146
  store i32 %31, ptr addrspace(1) %32, align 4, !dbg !147, !tbaa !8
  br label %109, !dbg !148

33:                                               ; preds = %27, %103
  %34 = phi i32 [ 0, %27 ], [ %106, %103 ]
  %35 = phi i32 [ 0, %27 ], [ %107, %103 ]
  %36 = xor i32 %35, -1, !dbg !149
  %37 = add nsw i32 %2, %36, !dbg !149
  %38 = mul nsw i32 %37, %1, !dbg !150
  %39 = sext i32 %38 to i64, !dbg !151
  %40 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %39, !dbg !151
  %41 = uitofp nneg i32 %35 to float, !dbg !152
  %42 = tail call float @llvm.fmuladd.f32(float %41, float %25, float %20), !dbg !153
  %43 = tail call float @llvm.fmuladd.f32(float %41, float %42, float %16), !dbg !154
  %44 = tail call float @llvm.fmuladd.f32(float %28, float %41, float %6), !dbg !155
  %45 = fsub float %43, %44, !dbg !156
  %46 = fadd float %45, 5.000000e-01, !dbg !157
  %47 = tail call float @_Z5floorf(float noundef %46) #6, !dbg !160
  %48 = fptosi float %47 to i32, !dbg !161
  %49 = icmp sgt i32 %48, 1, !dbg !162
  %50 = icmp sgt i32 %29, %48
  %51 = select i1 %49, i1 %50, i1 false, !dbg !163
  br i1 %51, label %52, label %73, !dbg !163

52:                                               ; preds = %33
  %53 = zext nneg i32 %48 to i64, !dbg !164
  %54 = getelementptr i8, ptr addrspace(1) %40, i64 %53, !dbg !164
  %55 = getelementptr i8, ptr addrspace(1) %54, i64 -2, !dbg !164
  %56 = load i8, ptr addrspace(1) %55, align 1, !dbg !164, !tbaa !41
  %57 = zext i8 %56 to i32, !dbg !164
  %58 = getelementptr i8, ptr addrspace(1) %54, i64 -1, !dbg !164
  %59 = load i8, ptr addrspace(1) %58, align 1, !dbg !164, !tbaa !41
  %60 = zext i8 %59 to i32, !dbg !164
  %61 = add nuw nsw i32 %60, %57, !dbg !165
  %62 = load i8, ptr addrspace(1) %54, align 1, !dbg !164, !tbaa !41
  %63 = zext i8 %62 to i32, !dbg !164
  %64 = add nuw nsw i32 %61, %63, !dbg !165
  %65 = getelementptr inbounds nuw i8, ptr addrspace(1) %54, i64 1, !dbg !164
  %66 = load i8, ptr addrspace(1) %65, align 1, !dbg !164, !tbaa !41
  %67 = zext i8 %66 to i32, !dbg !164
  %68 = add nuw nsw i32 %64, %67, !dbg !165
  %69 = getelementptr inbounds nuw i8, ptr addrspace(1) %54, i64 2, !dbg !164
  %70 = load i8, ptr addrspace(1) %69, align 1, !dbg !164, !tbaa !41
  %71 = zext i8 %70 to i32, !dbg !164
  %72 = add nuw nsw i32 %68, %71, !dbg !165
  br label %73, !dbg !166

73:                                               ; preds = %33, %52
  %74 = phi i32 [ 0, %33 ], [ %72, %52 ], !dbg !167
  %75 = fadd float %44, %43, !dbg !168
  %76 = fadd float %75, 5.000000e-01, !dbg !169
  %77 = tail call float @_Z5floorf(float noundef %76) #6, !dbg !171
  %78 = fptosi float %77 to i32, !dbg !172
  %79 = icmp sgt i32 %78, 1, !dbg !173
  %80 = icmp sgt i32 %29, %78
  %81 = select i1 %79, i1 %80, i1 false, !dbg !174
  br i1 %81, label %82, label %103, !dbg !174

82:                                               ; preds = %73
  %83 = zext nneg i32 %78 to i64, !dbg !175
  %84 = getelementptr i8, ptr addrspace(1) %40, i64 %83, !dbg !175
  %85 = getelementptr i8, ptr addrspace(1) %84, i64 -2, !dbg !175
  %86 = load i8, ptr addrspace(1) %85, align 1, !dbg !175, !tbaa !41
  %87 = zext i8 %86 to i32, !dbg !175
  %88 = getelementptr i8, ptr addrspace(1) %84, i64 -1, !dbg !175
  %89 = load i8, ptr addrspace(1) %88, align 1, !dbg !175, !tbaa !41
  %90 = zext i8 %89 to i32, !dbg !175
  %91 = add nuw nsw i32 %90, %87, !dbg !176
  %92 = load i8, ptr addrspace(1) %84, align 1, !dbg !175, !tbaa !41
  %93 = zext i8 %92 to i32, !dbg !175
  %94 = add nuw nsw i32 %91, %93, !dbg !176
  %95 = getelementptr inbounds nuw i8, ptr addrspace(1) %84, i64 1, !dbg !175
  %96 = load i8, ptr addrspace(1) %95, align 1, !dbg !175, !tbaa !41
  %97 = zext i8 %96 to i32, !dbg !175
  %98 = add nuw nsw i32 %94, %97, !dbg !176
  %99 = getelementptr inbounds nuw i8, ptr addrspace(1) %84, i64 2, !dbg !175
  %100 = load i8, ptr addrspace(1) %99, align 1, !dbg !175, !tbaa !41
  %101 = zext i8 %100 to i32, !dbg !175
  %102 = add nuw nsw i32 %98, %101, !dbg !176
  br label %103, !dbg !177

103:                                              ; preds = %73, %82
  %104 = phi i32 [ 0, %73 ], [ %102, %82 ], !dbg !178
  %105 = add i32 %74, %34, !dbg !179
  %106 = add i32 %105, %104, !dbg !180
  %107 = add nuw nsw i32 %35, 1, !dbg !181
  %108 = icmp eq i32 %107, %2, !dbg !143
  br i1 %108, label %30, label %33, !dbg !144, !llvm.loop !182

109:                                              ; preds = %8, %30
  ret void, !dbg !148
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @lane_track(ptr addrspace(1) noalias noundef readonly align 1 captures(none) %0, i32 noundef %1, i32 noundef %2, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %3, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %4, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %5, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %6, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %7, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %8, i32 noundef %9, float noundef %10, float noundef %11, float noundef %12) local_unnamed_addr #0 !dbg !184 !kernel_arg_addr_space !185 !kernel_arg_access_qual !186 !kernel_arg_type !187 !kernel_arg_base_type !187 !kernel_arg_type_qual !188 {
  tail call void @__clang_ocl_kern_imp_lane_track(ptr addrspace(1) noundef align 1 %0, i32 noundef %1, i32 noundef %2, ptr addrspace(1) noundef align 4 %3, ptr addrspace(1) noundef align 4 %4, ptr addrspace(1) noundef align 4 %5, ptr addrspace(1) noundef align 4 %6, ptr addrspace(1) noundef align 4 %7, ptr addrspace(1) noundef align 4 %8, i32 noundef %9, float noundef %10, float noundef %11, float noundef %12) #5, !dbg !189
  ret void, !dbg !190
}

; Function Attrs: convergent nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local void @__clang_ocl_kern_imp_lane_track(ptr addrspace(1) noalias noundef readonly align 1 captures(none) %0, i32 noundef %1, i32 noundef %2, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %3, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %4, ptr addrspace(1) noalias noundef readonly align 4 captures(none) %5, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %6, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %7, ptr addrspace(1) noalias noundef writeonly align 4 captures(none) %8, i32 noundef %9, float noundef %10, float noundef %11, float noundef %12) local_unnamed_addr #1 !dbg !191 !kernel_arg_addr_space !185 !kernel_arg_access_qual !186 !kernel_arg_type !187 !kernel_arg_base_type !187 !kernel_arg_type_qual !188 {
  %14 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #6, !dbg !192
  %15 = trunc i64 %14 to i32, !dbg !192
  %16 = icmp sgt i32 %9, %15, !dbg !193
  br i1 %16, label %17, label %152, !dbg !193

17:                                               ; preds = %13
  %18 = shl i64 %14, 32, !dbg !194
  %19 = ashr exact i64 %18, 32, !dbg !194
  %20 = getelementptr inbounds i32, ptr addrspace(1) %4, i64 %19, !dbg !194
  %21 = load i32, ptr addrspace(1) %20, align 4, !dbg !194, !tbaa !8
  %22 = sext i32 %21 to i64, !dbg !195
  %23 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %22, !dbg !195
  %24 = load float, ptr addrspace(1) %23, align 4, !dbg !195, !tbaa !136
  %25 = getelementptr inbounds float, ptr addrspace(1) %5, i64 %19, !dbg !196
  %26 = load float, ptr addrspace(1) %25, align 4, !dbg !196, !tbaa !136
  %27 = fadd float %24, %26, !dbg !197
  %28 = add nsw i32 %21, %9, !dbg !198
  %29 = sext i32 %28 to i64, !dbg !199
  %30 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %29, !dbg !199
  %31 = load float, ptr addrspace(1) %30, align 4, !dbg !199, !tbaa !136
  %32 = add nsw i32 %9, %15, !dbg !200
  %33 = sext i32 %32 to i64, !dbg !201
  %34 = getelementptr inbounds float, ptr addrspace(1) %5, i64 %33, !dbg !201
  %35 = load float, ptr addrspace(1) %34, align 4, !dbg !201, !tbaa !136
  %36 = fadd float %31, %35, !dbg !202
  %37 = shl nsw i32 %9, 1, !dbg !203
  %38 = add nsw i32 %21, %37, !dbg !204
  %39 = sext i32 %38 to i64, !dbg !205
  %40 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %39, !dbg !205
  %41 = load float, ptr addrspace(1) %40, align 4, !dbg !205, !tbaa !136
  %42 = add nsw i32 %37, %15, !dbg !206
  %43 = sext i32 %42 to i64, !dbg !207
  %44 = getelementptr inbounds float, ptr addrspace(1) %5, i64 %43, !dbg !207
  %45 = load float, ptr addrspace(1) %44, align 4, !dbg !207, !tbaa !136
  %46 = fadd float %41, %45, !dbg !208
  %47 = add nsw i32 %2, -1, !dbg !209
  %48 = icmp sgt i32 %2, 0, !dbg !210
  br i1 %48, label %49, label %138, !dbg !211

49:                                               ; preds = %17
  %50 = fneg float %11
  %51 = add nsw i32 %1, -2
  br label %52, !dbg !211

52:                                               ; preds = %133, %49
  %53 = phi i32 [ 0, %49 ], [ %134, %133 ]
  %54 = phi i32 [ %47, %49 ], [ %135, %133 ]
  %55 = uitofp nneg i32 %54 to float, !dbg !212
  %56 = tail call float @llvm.fmuladd.f32(float %55, float %46, float %36), !dbg !213
  %57 = tail call float @llvm.fmuladd.f32(float %55, float %56, float %27), !dbg !214
  %58 = tail call float @llvm.fmuladd.f32(float %50, float %55, float %10), !dbg !215
  %59 = fsub float %57, %58, !dbg !216
  %60 = fadd float %59, 5.000000e-01, !dbg !217
  %61 = tail call float @_Z5floorf(float noundef %60) #6, !dbg !218
  %62 = fptosi float %61 to i32, !dbg !219
  %63 = fadd float %58, %57, !dbg !220
  %64 = fadd float %63, 5.000000e-01, !dbg !221
  %65 = tail call float @_Z5floorf(float noundef %64) #6, !dbg !222
  %66 = fptosi float %65 to i32, !dbg !223
  %67 = icmp sgt i32 %62, 1, !dbg !224
  %68 = icmp sgt i32 %51, %66
  %69 = select i1 %67, i1 %68, i1 false, !dbg !225
  br i1 %69, label %70, label %133, !dbg !225

70:                                               ; preds = %52
  %71 = sub nuw nsw i32 %47, %54, !dbg !226
  %72 = mul nsw i32 %71, %1, !dbg !227
  %73 = sext i32 %72 to i64, !dbg !228
  %74 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 %73, !dbg !228
  %75 = zext nneg i32 %62 to i64, !dbg !229
  %76 = getelementptr i8, ptr addrspace(1) %74, i64 %75, !dbg !229
  %77 = getelementptr i8, ptr addrspace(1) %76, i64 -2, !dbg !229
  %78 = load i8, ptr addrspace(1) %77, align 1, !dbg !229, !tbaa !41
  %79 = zext i8 %78 to i32, !dbg !229
  %80 = sext i32 %66 to i64, !dbg !230
  %81 = getelementptr i8, ptr addrspace(1) %74, i64 %80, !dbg !230
  %82 = getelementptr i8, ptr addrspace(1) %81, i64 -2, !dbg !230
  %83 = load i8, ptr addrspace(1) %82, align 1, !dbg !230, !tbaa !41
  %84 = zext i8 %83 to i32, !dbg !230
  %85 = add i32 %53, %79, !dbg !231
  %86 = add i32 %85, %84, !dbg !232
  %87 = zext nneg i32 %62 to i64, !dbg !229
  %88 = getelementptr i8, ptr addrspace(1) %74, i64 %87, !dbg !229
  %89 = getelementptr i8, ptr addrspace(1) %88, i64 -1, !dbg !229
  %90 = load i8, ptr addrspace(1) %89, align 1, !dbg !229, !tbaa !41
  %91 = zext i8 %90 to i32, !dbg !229
  %92 = sext i32 %66 to i64, !dbg !230
  %93 = getelementptr i8, ptr addrspace(1) %74, i64 %92, !dbg !230
  %94 = getelementptr i8, ptr addrspace(1) %93, i64 -1, !dbg !230
  %95 = load i8, ptr addrspace(1) %94, align 1, !dbg !230, !tbaa !41
  %96 = zext i8 %95 to i32, !dbg !230
  %97 = add i32 %86, %91, !dbg !231
  %98 = add i32 %97, %96, !dbg !232
  %99 = zext nneg i32 %62 to i64, !dbg !229
  %100 = getelementptr inbounds nuw i8, ptr addrspace(1) %74, i64 %99, !dbg !229
  %101 = load i8, ptr addrspace(1) %100, align 1, !dbg !229, !tbaa !41
  %102 = zext i8 %101 to i32, !dbg !229
  %103 = sext i32 %66 to i64, !dbg !230
  %104 = getelementptr inbounds i8, ptr addrspace(1) %74, i64 %103, !dbg !230
  %105 = load i8, ptr addrspace(1) %104, align 1, !dbg !230, !tbaa !41
  %106 = zext i8 %105 to i32, !dbg !230
  %107 = add i32 %98, %102, !dbg !231
  %108 = add i32 %107, %106, !dbg !232
  %109 = zext nneg i32 %62 to i64, !dbg !229
  %110 = getelementptr inbounds nuw i8, ptr addrspace(1) %74, i64 %109, !dbg !229
  %111 = getelementptr inbounds nuw i8, ptr addrspace(1) %110, i64 1, !dbg !229
  %112 = load i8, ptr addrspace(1) %111, align 1, !dbg !229, !tbaa !41
  %113 = zext i8 %112 to i32, !dbg !229
  %114 = sext i32 %66 to i64, !dbg !230
  %115 = getelementptr i8, ptr addrspace(1) %74, i64 %114, !dbg !230
  %116 = getelementptr i8, ptr addrspace(1) %115, i64 1, !dbg !230
  %117 = load i8, ptr addrspace(1) %116, align 1, !dbg !230, !tbaa !41
  %118 = zext i8 %117 to i32, !dbg !230
  %119 = add i32 %108, %113, !dbg !231
  %120 = add i32 %119, %118, !dbg !232
  %121 = zext nneg i32 %62 to i64, !dbg !229
  %122 = getelementptr inbounds nuw i8, ptr addrspace(1) %74, i64 %121, !dbg !229
  %123 = getelementptr inbounds nuw i8, ptr addrspace(1) %122, i64 2, !dbg !229
  %124 = load i8, ptr addrspace(1) %123, align 1, !dbg !229, !tbaa !41
  %125 = zext i8 %124 to i32, !dbg !229
  %126 = sext i32 %66 to i64, !dbg !230
  %127 = getelementptr i8, ptr addrspace(1) %74, i64 %126, !dbg !230
  %128 = getelementptr i8, ptr addrspace(1) %127, i64 2, !dbg !230
  %129 = load i8, ptr addrspace(1) %128, align 1, !dbg !230, !tbaa !41
  %130 = zext i8 %129 to i32, !dbg !230
  %131 = add i32 %120, %125, !dbg !231
  %132 = add i32 %131, %130, !dbg !232
  br label %133

133:                                              ; preds = %70, %52
  %134 = phi i32 [ %53, %52 ], [ %132, %70 ], !dbg !233
  %135 = add nsw i32 %54, -1
  %136 = icmp ne i32 %54, 0
  %137 = select i1 %69, i1 %136, i1 false
  br i1 %137, label %52, label %138, !llvm.loop !234

138:                                              ; preds = %133, %17
  %139 = phi i32 [ 0, %17 ], [ %134, %133 ], !dbg !233
  %140 = getelementptr inbounds float, ptr addrspace(1) %6, i64 %19, !dbg !236
  store float %27, ptr addrspace(1) %140, align 4, !dbg !237, !tbaa !136
  %141 = getelementptr inbounds float, ptr addrspace(1) %6, i64 %33, !dbg !238
  store float %36, ptr addrspace(1) %141, align 4, !dbg !239, !tbaa !136
  %142 = getelementptr inbounds float, ptr addrspace(1) %6, i64 %43, !dbg !240
  store float %46, ptr addrspace(1) %142, align 4, !dbg !241, !tbaa !136
  %143 = getelementptr inbounds i32, ptr addrspace(1) %7, i64 %19, !dbg !242
  store i32 %139, ptr addrspace(1) %143, align 4, !dbg !243, !tbaa !8
  %144 = sitofp i32 %2 to float, !dbg !244
  %145 = fmul float %144, 2.550000e+03, !dbg !245
  %146 = sitofp i32 %139 to float, !dbg !246
  %147 = fdiv float %146, %145, !dbg !247, !fpmath !248
  %148 = fadd float %147, -1.000000e+00, !dbg !249
  %149 = fmul float %12, %148, !dbg !250
  %150 = tail call float @_Z3expf(float noundef %149) #6, !dbg !251
  %151 = getelementptr inbounds float, ptr addrspace(1) %8, i64 %19, !dbg !252
  store float %150, ptr addrspace(1) %151, align 4, !dbg !253, !tbaa !136
  br label %152, !dbg !254

152:                                              ; preds = %13, %138
  ret void, !dbg !254
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i32 @_Z3maxii(i32 noundef, i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i32 @_Z3minii(i32 noundef, i32 noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #3

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z5floorf(float noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z3expf(float noundef) local_unnamed_addr #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #4

attributes #0 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #3 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { convergent nounwind }
attributes #6 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "lane.cl", directory: ".")
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
!12 = distinct !DISubprogram(name: "lane_pre", scope: !1, file: !1, line: 27, type: !13, scopeLine: 28, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !{i32 1, i32 1, i32 0, i32 0, i32 0, i32 0, i32 0}
!16 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!17 = !{!"uchar*", !"uchar*", !"int", !"int", !"int", !"int", !"int"}
!18 = !{!"restrict const", !"restrict", !"", !"", !"", !"", !""}
!19 = !DILocation(line: 28, column: 83, scope: !12)
!20 = !DILocation(line: 56, column: 1, scope: !12)
!21 = distinct !DISubprogram(name: "lane_pre", scope: !1, file: !1, line: 27, type: !13, scopeLine: 28, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = !DILocation(line: 29, column: 18, scope: !21)
!23 = !DILocation(line: 30, column: 19, scope: !21)
!24 = !DILocation(line: 30, column: 10, scope: !21)
!25 = !DILocation(line: 33, column: 22, scope: !21)
!26 = !DILocation(line: 34, column: 23, scope: !21)
!27 = !DILocation(line: 34, column: 30, scope: !21)
!28 = !DILocation(line: 34, column: 56, scope: !21)
!29 = !DILocation(line: 34, column: 44, scope: !21)
!30 = !DILocation(line: 34, column: 51, scope: !21)
!31 = !DILocation(line: 12, column: 18, scope: !32, inlinedAt: !33)
!32 = distinct !DISubprogram(name: "reach_of", scope: !1, file: !1, line: 11, type: !13, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!33 = distinct !DILocation(line: 35, column: 21, scope: !21)
!34 = !DILocation(line: 12, column: 22, scope: !32, inlinedAt: !33)
!35 = !DILocation(line: 12, column: 12, scope: !32, inlinedAt: !33)
!36 = !DILocation(line: 19, column: 49, scope: !37, inlinedAt: !38)
!37 = distinct !DISubprogram(name: "smoothed", scope: !1, file: !1, line: 16, type: !13, scopeLine: 16, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!38 = distinct !DILocation(line: 36, column: 20, scope: !21)
!39 = !DILocation(line: 19, column: 44, scope: !37, inlinedAt: !38)
!40 = !DILocation(line: 20, column: 29, scope: !37, inlinedAt: !38)
!41 = !{!10, !10, i64 0}
!42 = !DILocation(line: 20, column: 43, scope: !37, inlinedAt: !38)
!43 = !DILocation(line: 20, column: 52, scope: !37, inlinedAt: !38)
!44 = !DILocation(line: 20, column: 41, scope: !37, inlinedAt: !38)
!45 = !DILocation(line: 20, column: 37, scope: !37, inlinedAt: !38)
!46 = !DILocation(line: 20, column: 50, scope: !37, inlinedAt: !38)
!47 = !DILocation(line: 20, column: 9, scope: !37, inlinedAt: !38)
!48 = !DILocation(line: 22, column: 14, scope: !37, inlinedAt: !38)
!49 = !DILocation(line: 37, column: 54, scope: !21)
!50 = !DILocation(line: 19, column: 44, scope: !37, inlinedAt: !51)
!51 = distinct !DILocation(line: 37, column: 22, scope: !21)
!52 = !DILocation(line: 20, column: 29, scope: !37, inlinedAt: !51)
!53 = !DILocation(line: 20, column: 43, scope: !37, inlinedAt: !51)
!54 = !DILocation(line: 20, column: 52, scope: !37, inlinedAt: !51)
!55 = !DILocation(line: 20, column: 41, scope: !37, inlinedAt: !51)
!56 = !DILocation(line: 20, column: 37, scope: !37, inlinedAt: !51)
!57 = !DILocation(line: 20, column: 50, scope: !37, inlinedAt: !51)
!58 = !DILocation(line: 20, column: 9, scope: !37, inlinedAt: !51)
!59 = !DILocation(line: 22, column: 14, scope: !37, inlinedAt: !51)
!60 = !DILocation(line: 38, column: 54, scope: !21)
!61 = !DILocation(line: 19, column: 44, scope: !37, inlinedAt: !62)
!62 = distinct !DILocation(line: 38, column: 22, scope: !21)
!63 = !DILocation(line: 20, column: 29, scope: !37, inlinedAt: !62)
!64 = !DILocation(line: 20, column: 43, scope: !37, inlinedAt: !62)
!65 = !DILocation(line: 20, column: 52, scope: !37, inlinedAt: !62)
!66 = !DILocation(line: 20, column: 41, scope: !37, inlinedAt: !62)
!67 = !DILocation(line: 20, column: 37, scope: !37, inlinedAt: !62)
!68 = !DILocation(line: 20, column: 50, scope: !37, inlinedAt: !62)
!69 = !DILocation(line: 20, column: 9, scope: !37, inlinedAt: !62)
!70 = !DILocation(line: 22, column: 14, scope: !37, inlinedAt: !62)
!71 = !DILocation(line: 39, column: 31, scope: !21)
!72 = !DILocation(line: 39, column: 29, scope: !21)
!73 = !DILocation(line: 41, column: 30, scope: !21)
!74 = !DILocation(line: 41, column: 40, scope: !21)
!75 = !DILocation(line: 41, column: 20, scope: !21)
!76 = !DILocation(line: 41, column: 16, scope: !21)
!77 = !DILocation(line: 42, column: 38, scope: !21)
!78 = !DILocation(line: 42, column: 27, scope: !21)
!79 = !DILocation(line: 44, column: 20, scope: !21)
!80 = !DILocation(line: 44, column: 28, scope: !21)
!81 = !DILocation(line: 44, column: 5, scope: !21)
!82 = !DILocation(line: 44, column: 63, scope: !21)
!83 = !DILocation(line: 19, column: 44, scope: !37, inlinedAt: !84)
!84 = distinct !DILocation(line: 44, column: 31, scope: !21)
!85 = !DILocation(line: 20, column: 29, scope: !37, inlinedAt: !84)
!86 = !DILocation(line: 20, column: 43, scope: !37, inlinedAt: !84)
!87 = !DILocation(line: 20, column: 52, scope: !37, inlinedAt: !84)
!88 = !DILocation(line: 20, column: 41, scope: !37, inlinedAt: !84)
!89 = !DILocation(line: 20, column: 37, scope: !37, inlinedAt: !84)
!90 = !DILocation(line: 20, column: 50, scope: !37, inlinedAt: !84)
!91 = !DILocation(line: 20, column: 9, scope: !37, inlinedAt: !84)
!92 = !DILocation(line: 22, column: 14, scope: !37, inlinedAt: !84)
!93 = !DILocation(line: 44, column: 74, scope: !21)
!94 = !DILocation(line: 45, column: 7, scope: !21)
!95 = distinct !{!95, !81, !96}
!96 = !DILocation(line: 46, column: 5, scope: !21)
!97 = !DILocation(line: 0, scope: !21)
!98 = !DILocation(line: 48, column: 29, scope: !21)
!99 = !DILocation(line: 48, column: 5, scope: !21)
!100 = !DILocation(line: 48, column: 64, scope: !21)
!101 = !DILocation(line: 19, column: 44, scope: !37, inlinedAt: !102)
!102 = distinct !DILocation(line: 48, column: 32, scope: !21)
!103 = !DILocation(line: 20, column: 29, scope: !37, inlinedAt: !102)
!104 = !DILocation(line: 20, column: 43, scope: !37, inlinedAt: !102)
!105 = !DILocation(line: 20, column: 52, scope: !37, inlinedAt: !102)
!106 = !DILocation(line: 20, column: 41, scope: !37, inlinedAt: !102)
!107 = !DILocation(line: 20, column: 37, scope: !37, inlinedAt: !102)
!108 = !DILocation(line: 20, column: 50, scope: !37, inlinedAt: !102)
!109 = !DILocation(line: 20, column: 9, scope: !37, inlinedAt: !102)
!110 = !DILocation(line: 22, column: 14, scope: !37, inlinedAt: !102)
!111 = !DILocation(line: 48, column: 76, scope: !21)
!112 = !DILocation(line: 49, column: 7, scope: !21)
!113 = !DILocation(line: 48, column: 21, scope: !21)
!114 = distinct !{!114, !99, !115}
!115 = !DILocation(line: 50, column: 5, scope: !21)
!116 = !DILocation(line: 51, column: 17, scope: !21)
!117 = !DILocation(line: 51, column: 37, scope: !21)
!118 = !DILocation(line: 51, column: 28, scope: !21)
!119 = !DILocation(line: 52, column: 14, scope: !21)
!120 = !DILocation(line: 55, column: 18, scope: !21)
!121 = !DILocation(line: 53, column: 5, scope: !21)
!122 = !DILocation(line: 55, column: 3, scope: !21)
!123 = !DILocation(line: 55, column: 16, scope: !21)
!124 = !DILocation(line: 56, column: 1, scope: !21)
!125 = distinct !DISubprogram(name: "lane_detect", scope: !1, file: !1, line: 72, type: !13, scopeLine: 74, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!126 = !{i32 1, i32 0, i32 0, i32 1, i32 1, i32 0, i32 0, i32 0}
!127 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!128 = !{!"uchar*", !"int", !"int", !"float*", !"int*", !"int", !"float", !"float"}
!129 = !{!"restrict const", !"", !"", !"restrict const", !"restrict", !"", !"", !""}
!130 = !DILocation(line: 74, column: 72, scope: !125)
!131 = !DILocation(line: 90, column: 1, scope: !125)
!132 = distinct !DISubprogram(name: "lane_detect", scope: !1, file: !1, line: 72, type: !13, scopeLine: 74, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!133 = !DILocation(line: 75, column: 18, scope: !132)
!134 = !DILocation(line: 76, column: 10, scope: !132)
!135 = !DILocation(line: 79, column: 24, scope: !132)
!136 = !{!137, !137, i64 0}
!137 = !{!"float", !10, i64 0}
!138 = !DILocation(line: 80, column: 35, scope: !132)
!139 = !DILocation(line: 80, column: 23, scope: !132)
!140 = !DILocation(line: 81, column: 31, scope: !132)
!141 = !DILocation(line: 81, column: 39, scope: !132)
!142 = !DILocation(line: 81, column: 23, scope: !132)
!143 = !DILocation(line: 83, column: 25, scope: !132)
!144 = !DILocation(line: 83, column: 3, scope: !132)
!145 = !DILocation(line: 0, scope: !132)
!146 = !DILocation(line: 89, column: 3, scope: !132)
!147 = !DILocation(line: 89, column: 14, scope: !132)
!148 = !DILocation(line: 90, column: 1, scope: !132)
!149 = !DILocation(line: 84, column: 56, scope: !132)
!150 = !DILocation(line: 84, column: 63, scope: !132)
!151 = !DILocation(line: 84, column: 42, scope: !132)
!152 = !DILocation(line: 85, column: 35, scope: !132)
!153 = !DILocation(line: 85, column: 48, scope: !132)
!154 = !DILocation(line: 85, column: 33, scope: !132)
!155 = !DILocation(line: 86, column: 35, scope: !132)
!156 = !DILocation(line: 87, column: 46, scope: !132)
!157 = !DILocation(line: 60, column: 35, scope: !158, inlinedAt: !159)
!158 = distinct !DISubprogram(name: "marks_around", scope: !1, file: !1, line: 59, type: !13, scopeLine: 59, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!159 = distinct !DILocation(line: 87, column: 14, scope: !132)
!160 = !DILocation(line: 60, column: 27, scope: !158, inlinedAt: !159)
!161 = !DILocation(line: 60, column: 22, scope: !158, inlinedAt: !159)
!162 = !DILocation(line: 62, column: 14, scope: !158, inlinedAt: !159)
!163 = !DILocation(line: 62, column: 22, scope: !158, inlinedAt: !159)
!164 = !DILocation(line: 64, column: 14, scope: !158, inlinedAt: !159)
!165 = !DILocation(line: 64, column: 11, scope: !158, inlinedAt: !159)
!166 = !DILocation(line: 67, column: 3, scope: !158, inlinedAt: !159)
!167 = !DILocation(line: 61, column: 7, scope: !158, inlinedAt: !159)
!168 = !DILocation(line: 87, column: 89, scope: !132)
!169 = !DILocation(line: 60, column: 35, scope: !158, inlinedAt: !170)
!170 = distinct !DILocation(line: 87, column: 57, scope: !132)
!171 = !DILocation(line: 60, column: 27, scope: !158, inlinedAt: !170)
!172 = !DILocation(line: 60, column: 22, scope: !158, inlinedAt: !170)
!173 = !DILocation(line: 62, column: 14, scope: !158, inlinedAt: !170)
!174 = !DILocation(line: 62, column: 22, scope: !158, inlinedAt: !170)
!175 = !DILocation(line: 64, column: 14, scope: !158, inlinedAt: !170)
!176 = !DILocation(line: 64, column: 11, scope: !158, inlinedAt: !170)
!177 = !DILocation(line: 67, column: 3, scope: !158, inlinedAt: !170)
!178 = !DILocation(line: 61, column: 7, scope: !158, inlinedAt: !170)
!179 = !DILocation(line: 87, column: 55, scope: !132)
!180 = !DILocation(line: 87, column: 11, scope: !132)
!181 = !DILocation(line: 83, column: 35, scope: !132)
!182 = distinct !{!182, !144, !183}
!183 = !DILocation(line: 88, column: 3, scope: !132)
!184 = distinct !DISubprogram(name: "lane_track", scope: !1, file: !1, line: 95, type: !13, scopeLine: 100, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!185 = !{i32 1, i32 0, i32 0, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 0, i32 0, i32 0, i32 0}
!186 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!187 = !{!"uchar*", !"int", !"int", !"float*", !"int*", !"float*", !"float*", !"int*", !"float*", !"int", !"float", !"float", !"float"}
!188 = !{!"restrict const", !"", !"", !"restrict const", !"restrict const", !"restrict const", !"restrict", !"restrict", !"restrict", !"", !"", !"", !""}
!189 = !DILocation(line: 100, column: 77, scope: !184)
!190 = !DILocation(line: 129, column: 1, scope: !184)
!191 = distinct !DISubprogram(name: "lane_track", scope: !1, file: !1, line: 95, type: !13, scopeLine: 100, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!192 = !DILocation(line: 101, column: 18, scope: !191)
!193 = !DILocation(line: 102, column: 10, scope: !191)
!194 = !DILocation(line: 105, column: 20, scope: !191)
!195 = !DILocation(line: 106, column: 24, scope: !191)
!196 = !DILocation(line: 106, column: 39, scope: !191)
!197 = !DILocation(line: 106, column: 37, scope: !191)
!198 = !DILocation(line: 107, column: 36, scope: !191)
!199 = !DILocation(line: 107, column: 23, scope: !191)
!200 = !DILocation(line: 107, column: 58, scope: !191)
!201 = !DILocation(line: 107, column: 46, scope: !191)
!202 = !DILocation(line: 107, column: 44, scope: !191)
!203 = !DILocation(line: 108, column: 32, scope: !191)
!204 = !DILocation(line: 108, column: 40, scope: !191)
!205 = !DILocation(line: 108, column: 23, scope: !191)
!206 = !DILocation(line: 108, column: 66, scope: !191)
!207 = !DILocation(line: 108, column: 50, scope: !191)
!208 = !DILocation(line: 108, column: 48, scope: !191)
!209 = !DILocation(line: 110, column: 25, scope: !191)
!210 = !DILocation(line: 110, column: 34, scope: !191)
!211 = !DILocation(line: 110, column: 3, scope: !191)
!212 = !DILocation(line: 112, column: 35, scope: !191)
!213 = !DILocation(line: 112, column: 48, scope: !191)
!214 = !DILocation(line: 112, column: 33, scope: !191)
!215 = !DILocation(line: 113, column: 35, scope: !191)
!216 = !DILocation(line: 114, column: 45, scope: !191)
!217 = !DILocation(line: 114, column: 53, scope: !191)
!218 = !DILocation(line: 114, column: 32, scope: !191)
!219 = !DILocation(line: 114, column: 27, scope: !191)
!220 = !DILocation(line: 115, column: 46, scope: !191)
!221 = !DILocation(line: 115, column: 54, scope: !191)
!222 = !DILocation(line: 115, column: 33, scope: !191)
!223 = !DILocation(line: 115, column: 28, scope: !191)
!224 = !DILocation(line: 116, column: 19, scope: !191)
!225 = !DILocation(line: 116, column: 26, scope: !191)
!226 = !DILocation(line: 111, column: 56, scope: !191)
!227 = !DILocation(line: 111, column: 63, scope: !191)
!228 = !DILocation(line: 111, column: 42, scope: !191)
!229 = !DILocation(line: 120, column: 16, scope: !191)
!230 = !DILocation(line: 120, column: 37, scope: !191)
!231 = !DILocation(line: 120, column: 35, scope: !191)
!232 = !DILocation(line: 120, column: 13, scope: !191)
!233 = !DILocation(line: 109, column: 7, scope: !191)
!234 = distinct !{!234, !211, !235}
!235 = !DILocation(line: 122, column: 3, scope: !191)
!236 = !DILocation(line: 123, column: 3, scope: !191)
!237 = !DILocation(line: 123, column: 13, scope: !191)
!238 = !DILocation(line: 124, column: 3, scope: !191)
!239 = !DILocation(line: 124, column: 21, scope: !191)
!240 = !DILocation(line: 125, column: 3, scope: !191)
!241 = !DILocation(line: 125, column: 25, scope: !191)
!242 = !DILocation(line: 126, column: 3, scope: !191)
!243 = !DILocation(line: 126, column: 14, scope: !191)
!244 = !DILocation(line: 127, column: 52, scope: !191)
!245 = !DILocation(line: 127, column: 50, scope: !191)
!246 = !DILocation(line: 128, column: 34, scope: !191)
!247 = !DILocation(line: 128, column: 40, scope: !191)
!248 = !{float 2.500000e+00}
!249 = !DILocation(line: 128, column: 47, scope: !191)
!250 = !DILocation(line: 128, column: 31, scope: !191)
!251 = !DILocation(line: 128, column: 17, scope: !191)
!252 = !DILocation(line: 128, column: 3, scope: !191)
!253 = !DILocation(line: 128, column: 15, scope: !191)
!254 = !DILocation(line: 129, column: 1, scope: !191)
