; ModuleID = 'trisolve.cu'
source_filename = "trisolve.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.warpmill_ctaid = type { i8 }
%struct.warpmill_ntid = type { i8 }
%struct.warpmill_tid = type { i8 }

@blockIdx = external dso_local addrspace(1) global %struct.warpmill_ctaid, align 1
@blockDim = external dso_local addrspace(1) global %struct.warpmill_ntid, align 1
@threadIdx = external dso_local addrspace(1) global %struct.warpmill_tid, align 1

; Function Attrs: convergent mustprogress noinline norecurse nounwind optnone
define dso_local ptx_kernel void @trisolve_forward(ptr noalias noundef %0, ptr noalias noundef %1, ptr noalias noundef %2, i32 noundef %3, i32 noundef %4) #0 !dbg !8 {
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca float, align 4
  %14 = alloca i32, align 4
  store ptr %0, ptr %6, align 8
  store ptr %1, ptr %7, align 8
  store ptr %2, ptr %8, align 8
  store i32 %3, ptr %9, align 4
  store i32 %4, ptr %10, align 4
  %15 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !11
  %16 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !15
  %17 = mul i32 %15, %16, !dbg !18
  %18 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !19
  %19 = add i32 %17, %18, !dbg !22
  store i32 %19, ptr %11, align 4, !dbg !23
  %20 = load i32, ptr %11, align 4, !dbg !24
  %21 = load i32, ptr %10, align 4, !dbg !25
  %22 = icmp slt i32 %20, %21, !dbg !26
  br i1 %22, label %23, label %91, !dbg !26

23:                                               ; preds = %5
  store i32 0, ptr %12, align 4, !dbg !27
  br label %24, !dbg !28

24:                                               ; preds = %87, %23
  %25 = load i32, ptr %12, align 4, !dbg !29
  %26 = load i32, ptr %9, align 4, !dbg !30
  %27 = icmp slt i32 %25, %26, !dbg !31
  br i1 %27, label %28, label %90, !dbg !32

28:                                               ; preds = %24
  %29 = load ptr, ptr %7, align 8, !dbg !33
  %30 = load i32, ptr %12, align 4, !dbg !34
  %31 = load i32, ptr %10, align 4, !dbg !35
  %32 = mul nsw i32 %30, %31, !dbg !36
  %33 = load i32, ptr %11, align 4, !dbg !37
  %34 = add nsw i32 %32, %33, !dbg !38
  %35 = sext i32 %34 to i64, !dbg !33
  %36 = getelementptr inbounds float, ptr %29, i64 %35, !dbg !33
  %37 = load float, ptr %36, align 4, !dbg !33
  store float %37, ptr %13, align 4, !dbg !39
  store i32 0, ptr %14, align 4, !dbg !40
  br label %38, !dbg !41

38:                                               ; preds = %64, %28
  %39 = load i32, ptr %14, align 4, !dbg !42
  %40 = load i32, ptr %12, align 4, !dbg !43
  %41 = icmp slt i32 %39, %40, !dbg !44
  br i1 %41, label %42, label %67, !dbg !45

42:                                               ; preds = %38
  %43 = load ptr, ptr %6, align 8, !dbg !46
  %44 = load i32, ptr %12, align 4, !dbg !47
  %45 = load i32, ptr %9, align 4, !dbg !48
  %46 = mul nsw i32 %44, %45, !dbg !49
  %47 = load i32, ptr %14, align 4, !dbg !50
  %48 = add nsw i32 %46, %47, !dbg !51
  %49 = sext i32 %48 to i64, !dbg !46
  %50 = getelementptr inbounds float, ptr %43, i64 %49, !dbg !46
  %51 = load float, ptr %50, align 4, !dbg !46
  %52 = load ptr, ptr %8, align 8, !dbg !52
  %53 = load i32, ptr %14, align 4, !dbg !53
  %54 = load i32, ptr %10, align 4, !dbg !54
  %55 = mul nsw i32 %53, %54, !dbg !55
  %56 = load i32, ptr %11, align 4, !dbg !56
  %57 = add nsw i32 %55, %56, !dbg !57
  %58 = sext i32 %57 to i64, !dbg !52
  %59 = getelementptr inbounds float, ptr %52, i64 %58, !dbg !52
  %60 = load float, ptr %59, align 4, !dbg !52
  %61 = fmul contract float %51, %60, !dbg !58
  %62 = load float, ptr %13, align 4, !dbg !59
  %63 = fsub contract float %62, %61, !dbg !59
  store float %63, ptr %13, align 4, !dbg !59
  br label %64, !dbg !60

64:                                               ; preds = %42
  %65 = load i32, ptr %14, align 4, !dbg !61
  %66 = add nsw i32 %65, 1, !dbg !61
  store i32 %66, ptr %14, align 4, !dbg !61
  br label %38, !dbg !45, !llvm.loop !62

67:                                               ; preds = %38
  %68 = load float, ptr %13, align 4, !dbg !64
  %69 = load ptr, ptr %6, align 8, !dbg !65
  %70 = load i32, ptr %12, align 4, !dbg !66
  %71 = load i32, ptr %9, align 4, !dbg !67
  %72 = mul nsw i32 %70, %71, !dbg !68
  %73 = load i32, ptr %12, align 4, !dbg !69
  %74 = add nsw i32 %72, %73, !dbg !70
  %75 = sext i32 %74 to i64, !dbg !65
  %76 = getelementptr inbounds float, ptr %69, i64 %75, !dbg !65
  %77 = load float, ptr %76, align 4, !dbg !65
  %78 = fdiv contract float %68, %77, !dbg !71
  %79 = load ptr, ptr %8, align 8, !dbg !72
  %80 = load i32, ptr %12, align 4, !dbg !73
  %81 = load i32, ptr %10, align 4, !dbg !74
  %82 = mul nsw i32 %80, %81, !dbg !75
  %83 = load i32, ptr %11, align 4, !dbg !76
  %84 = add nsw i32 %82, %83, !dbg !77
  %85 = sext i32 %84 to i64, !dbg !72
  %86 = getelementptr inbounds float, ptr %79, i64 %85, !dbg !72
  store float %78, ptr %86, align 4, !dbg !78
  br label %87, !dbg !79

87:                                               ; preds = %67
  %88 = load i32, ptr %12, align 4, !dbg !80
  %89 = add nsw i32 %88, 1, !dbg !80
  store i32 %89, ptr %12, align 4, !dbg !80
  br label %24, !dbg !32, !llvm.loop !81

90:                                               ; preds = %24
  br label %91, !dbg !82

91:                                               ; preds = %90, %5
  ret void, !dbg !83
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind optnone
define dso_local ptx_kernel void @trisolve_backward(ptr noalias noundef %0, ptr noalias noundef %1, ptr noalias noundef %2, i32 noundef %3, i32 noundef %4) #0 !dbg !84 {
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca float, align 4
  %14 = alloca i32, align 4
  store ptr %0, ptr %6, align 8
  store ptr %1, ptr %7, align 8
  store ptr %2, ptr %8, align 8
  store i32 %3, ptr %9, align 4
  store i32 %4, ptr %10, align 4
  %15 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !85
  %16 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !87
  %17 = mul i32 %15, %16, !dbg !89
  %18 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !90
  %19 = add i32 %17, %18, !dbg !92
  store i32 %19, ptr %11, align 4, !dbg !93
  %20 = load i32, ptr %11, align 4, !dbg !94
  %21 = load i32, ptr %10, align 4, !dbg !95
  %22 = icmp slt i32 %20, %21, !dbg !96
  br i1 %22, label %23, label %94, !dbg !96

23:                                               ; preds = %5
  %24 = load i32, ptr %9, align 4, !dbg !97
  %25 = sub nsw i32 %24, 1, !dbg !98
  store i32 %25, ptr %12, align 4, !dbg !99
  br label %26, !dbg !100

26:                                               ; preds = %90, %23
  %27 = load i32, ptr %12, align 4, !dbg !101
  %28 = icmp sge i32 %27, 0, !dbg !102
  br i1 %28, label %29, label %93, !dbg !103

29:                                               ; preds = %26
  %30 = load ptr, ptr %7, align 8, !dbg !104
  %31 = load i32, ptr %12, align 4, !dbg !105
  %32 = load i32, ptr %10, align 4, !dbg !106
  %33 = mul nsw i32 %31, %32, !dbg !107
  %34 = load i32, ptr %11, align 4, !dbg !108
  %35 = add nsw i32 %33, %34, !dbg !109
  %36 = sext i32 %35 to i64, !dbg !104
  %37 = getelementptr inbounds float, ptr %30, i64 %36, !dbg !104
  %38 = load float, ptr %37, align 4, !dbg !104
  store float %38, ptr %13, align 4, !dbg !110
  %39 = load i32, ptr %12, align 4, !dbg !111
  %40 = add nsw i32 %39, 1, !dbg !112
  store i32 %40, ptr %14, align 4, !dbg !113
  br label %41, !dbg !114

41:                                               ; preds = %67, %29
  %42 = load i32, ptr %14, align 4, !dbg !115
  %43 = load i32, ptr %9, align 4, !dbg !116
  %44 = icmp slt i32 %42, %43, !dbg !117
  br i1 %44, label %45, label %70, !dbg !118

45:                                               ; preds = %41
  %46 = load ptr, ptr %6, align 8, !dbg !119
  %47 = load i32, ptr %12, align 4, !dbg !120
  %48 = load i32, ptr %9, align 4, !dbg !121
  %49 = mul nsw i32 %47, %48, !dbg !122
  %50 = load i32, ptr %14, align 4, !dbg !123
  %51 = add nsw i32 %49, %50, !dbg !124
  %52 = sext i32 %51 to i64, !dbg !119
  %53 = getelementptr inbounds float, ptr %46, i64 %52, !dbg !119
  %54 = load float, ptr %53, align 4, !dbg !119
  %55 = load ptr, ptr %8, align 8, !dbg !125
  %56 = load i32, ptr %14, align 4, !dbg !126
  %57 = load i32, ptr %10, align 4, !dbg !127
  %58 = mul nsw i32 %56, %57, !dbg !128
  %59 = load i32, ptr %11, align 4, !dbg !129
  %60 = add nsw i32 %58, %59, !dbg !130
  %61 = sext i32 %60 to i64, !dbg !125
  %62 = getelementptr inbounds float, ptr %55, i64 %61, !dbg !125
  %63 = load float, ptr %62, align 4, !dbg !125
  %64 = fmul contract float %54, %63, !dbg !131
  %65 = load float, ptr %13, align 4, !dbg !132
  %66 = fsub contract float %65, %64, !dbg !132
  store float %66, ptr %13, align 4, !dbg !132
  br label %67, !dbg !133

67:                                               ; preds = %45
  %68 = load i32, ptr %14, align 4, !dbg !134
  %69 = add nsw i32 %68, 1, !dbg !134
  store i32 %69, ptr %14, align 4, !dbg !134
  br label %41, !dbg !118, !llvm.loop !135

70:                                               ; preds = %41
  %71 = load float, ptr %13, align 4, !dbg !136
  %72 = load ptr, ptr %6, align 8, !dbg !137
  %73 = load i32, ptr %12, align 4, !dbg !138
  %74 = load i32, ptr %9, align 4, !dbg !139
  %75 = mul nsw i32 %73, %74, !dbg !140
  %76 = load i32, ptr %12, align 4, !dbg !141
  %77 = add nsw i32 %75, %76, !dbg !142
  %78 = sext i32 %77 to i64, !dbg !137
  %79 = getelementptr inbounds float, ptr %72, i64 %78, !dbg !137
  %80 = load float, ptr %79, align 4, !dbg !137
  %81 = fdiv contract float %71, %80, !dbg !143
  %82 = load ptr, ptr %8, align 8, !dbg !144
  %83 = load i32, ptr %12, align 4, !dbg !145
  %84 = load i32, ptr %10, align 4, !dbg !146
  %85 = mul nsw i32 %83, %84, !dbg !147
  %86 = load i32, ptr %11, align 4, !dbg !148
  %87 = add nsw i32 %85, %86, !dbg !149
  %88 = sext i32 %87 to i64, !dbg !144
  %89 = getelementptr inbounds float, ptr %82, i64 %88, !dbg !144
  store float %81, ptr %89, align 4, !dbg !150
  br label %90, !dbg !151

90:                                               ; preds = %70
  %91 = load i32, ptr %12, align 4, !dbg !152
  %92 = add nsw i32 %91, -1, !dbg !152
  store i32 %92, ptr %12, align 4, !dbg !152
  br label %26, !dbg !103, !llvm.loop !153

93:                                               ; preds = %26
  br label %94, !dbg !154

94:                                               ; preds = %93, %5
  ret void, !dbg !155
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind optnone
define dso_local ptx_kernel void @trisolve_pairs(ptr noalias noundef %0, ptr noalias noundef %1, ptr noalias noundef %2, i32 noundef %3, i32 noundef %4) #0 !dbg !156 {
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca float, align 4
  %14 = alloca float, align 4
  %15 = alloca i32, align 4
  store ptr %0, ptr %6, align 8
  store ptr %1, ptr %7, align 8
  store ptr %2, ptr %8, align 8
  store i32 %3, ptr %9, align 4
  store i32 %4, ptr %10, align 4
  %16 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !157
  %17 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !159
  %18 = mul i32 %16, %17, !dbg !161
  %19 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !162
  %20 = add i32 %18, %19, !dbg !164
  store i32 %20, ptr %11, align 4, !dbg !165
  %21 = load i32, ptr %11, align 4, !dbg !166
  %22 = load i32, ptr %10, align 4, !dbg !167
  %23 = icmp slt i32 %21, %22, !dbg !168
  br i1 %23, label %24, label %146, !dbg !168

24:                                               ; preds = %5
  store i32 0, ptr %12, align 4, !dbg !169
  br label %25, !dbg !170

25:                                               ; preds = %142, %24
  %26 = load i32, ptr %12, align 4, !dbg !171
  %27 = load i32, ptr %9, align 4, !dbg !172
  %28 = icmp slt i32 %26, %27, !dbg !173
  br i1 %28, label %29, label %145, !dbg !174

29:                                               ; preds = %25
  %30 = load ptr, ptr %7, align 8, !dbg !175
  %31 = load i32, ptr %12, align 4, !dbg !176
  %32 = load i32, ptr %10, align 4, !dbg !177
  %33 = mul nsw i32 %31, %32, !dbg !178
  %34 = load i32, ptr %11, align 4, !dbg !179
  %35 = add nsw i32 %33, %34, !dbg !180
  %36 = sext i32 %35 to i64, !dbg !175
  %37 = getelementptr inbounds float, ptr %30, i64 %36, !dbg !175
  %38 = load float, ptr %37, align 4, !dbg !175
  store float %38, ptr %13, align 4, !dbg !181
  store float 0.000000e+00, ptr %14, align 4, !dbg !182
  store i32 0, ptr %15, align 4, !dbg !183
  br label %39, !dbg !184

39:                                               ; preds = %89, %29
  %40 = load i32, ptr %15, align 4, !dbg !185
  %41 = add nsw i32 %40, 1, !dbg !186
  %42 = load i32, ptr %12, align 4, !dbg !187
  %43 = icmp slt i32 %41, %42, !dbg !188
  br i1 %43, label %44, label %92, !dbg !189

44:                                               ; preds = %39
  %45 = load ptr, ptr %6, align 8, !dbg !190
  %46 = load i32, ptr %12, align 4, !dbg !191
  %47 = load i32, ptr %9, align 4, !dbg !192
  %48 = mul nsw i32 %46, %47, !dbg !193
  %49 = load i32, ptr %15, align 4, !dbg !194
  %50 = add nsw i32 %48, %49, !dbg !195
  %51 = sext i32 %50 to i64, !dbg !190
  %52 = getelementptr inbounds float, ptr %45, i64 %51, !dbg !190
  %53 = load float, ptr %52, align 4, !dbg !190
  %54 = load ptr, ptr %8, align 8, !dbg !196
  %55 = load i32, ptr %15, align 4, !dbg !197
  %56 = load i32, ptr %10, align 4, !dbg !198
  %57 = mul nsw i32 %55, %56, !dbg !199
  %58 = load i32, ptr %11, align 4, !dbg !200
  %59 = add nsw i32 %57, %58, !dbg !201
  %60 = sext i32 %59 to i64, !dbg !196
  %61 = getelementptr inbounds float, ptr %54, i64 %60, !dbg !196
  %62 = load float, ptr %61, align 4, !dbg !196
  %63 = fmul contract float %53, %62, !dbg !202
  %64 = load float, ptr %13, align 4, !dbg !203
  %65 = fsub contract float %64, %63, !dbg !203
  store float %65, ptr %13, align 4, !dbg !203
  %66 = load ptr, ptr %6, align 8, !dbg !204
  %67 = load i32, ptr %12, align 4, !dbg !205
  %68 = load i32, ptr %9, align 4, !dbg !206
  %69 = mul nsw i32 %67, %68, !dbg !207
  %70 = load i32, ptr %15, align 4, !dbg !208
  %71 = add nsw i32 %69, %70, !dbg !209
  %72 = add nsw i32 %71, 1, !dbg !210
  %73 = sext i32 %72 to i64, !dbg !204
  %74 = getelementptr inbounds float, ptr %66, i64 %73, !dbg !204
  %75 = load float, ptr %74, align 4, !dbg !204
  %76 = load ptr, ptr %8, align 8, !dbg !211
  %77 = load i32, ptr %15, align 4, !dbg !212
  %78 = add nsw i32 %77, 1, !dbg !213
  %79 = load i32, ptr %10, align 4, !dbg !214
  %80 = mul nsw i32 %78, %79, !dbg !215
  %81 = load i32, ptr %11, align 4, !dbg !216
  %82 = add nsw i32 %80, %81, !dbg !217
  %83 = sext i32 %82 to i64, !dbg !211
  %84 = getelementptr inbounds float, ptr %76, i64 %83, !dbg !211
  %85 = load float, ptr %84, align 4, !dbg !211
  %86 = fmul contract float %75, %85, !dbg !218
  %87 = load float, ptr %14, align 4, !dbg !219
  %88 = fsub contract float %87, %86, !dbg !219
  store float %88, ptr %14, align 4, !dbg !219
  br label %89, !dbg !220

89:                                               ; preds = %44
  %90 = load i32, ptr %15, align 4, !dbg !221
  %91 = add nsw i32 %90, 2, !dbg !221
  store i32 %91, ptr %15, align 4, !dbg !221
  br label %39, !dbg !189, !llvm.loop !222

92:                                               ; preds = %39
  %93 = load i32, ptr %12, align 4, !dbg !223
  %94 = srem i32 %93, 2, !dbg !224
  %95 = icmp eq i32 %94, 1, !dbg !225
  br i1 %95, label %96, label %120, !dbg !225

96:                                               ; preds = %92
  %97 = load ptr, ptr %6, align 8, !dbg !226
  %98 = load i32, ptr %12, align 4, !dbg !227
  %99 = load i32, ptr %9, align 4, !dbg !228
  %100 = mul nsw i32 %98, %99, !dbg !229
  %101 = load i32, ptr %12, align 4, !dbg !230
  %102 = add nsw i32 %100, %101, !dbg !231
  %103 = sub nsw i32 %102, 1, !dbg !232
  %104 = sext i32 %103 to i64, !dbg !226
  %105 = getelementptr inbounds float, ptr %97, i64 %104, !dbg !226
  %106 = load float, ptr %105, align 4, !dbg !226
  %107 = load ptr, ptr %8, align 8, !dbg !233
  %108 = load i32, ptr %12, align 4, !dbg !234
  %109 = sub nsw i32 %108, 1, !dbg !235
  %110 = load i32, ptr %10, align 4, !dbg !236
  %111 = mul nsw i32 %109, %110, !dbg !237
  %112 = load i32, ptr %11, align 4, !dbg !238
  %113 = add nsw i32 %111, %112, !dbg !239
  %114 = sext i32 %113 to i64, !dbg !233
  %115 = getelementptr inbounds float, ptr %107, i64 %114, !dbg !233
  %116 = load float, ptr %115, align 4, !dbg !233
  %117 = fmul contract float %106, %116, !dbg !240
  %118 = load float, ptr %13, align 4, !dbg !241
  %119 = fsub contract float %118, %117, !dbg !241
  store float %119, ptr %13, align 4, !dbg !241
  br label %120, !dbg !242

120:                                              ; preds = %96, %92
  %121 = load float, ptr %13, align 4, !dbg !243
  %122 = load float, ptr %14, align 4, !dbg !244
  %123 = fadd contract float %121, %122, !dbg !245
  %124 = load ptr, ptr %6, align 8, !dbg !246
  %125 = load i32, ptr %12, align 4, !dbg !247
  %126 = load i32, ptr %9, align 4, !dbg !248
  %127 = mul nsw i32 %125, %126, !dbg !249
  %128 = load i32, ptr %12, align 4, !dbg !250
  %129 = add nsw i32 %127, %128, !dbg !251
  %130 = sext i32 %129 to i64, !dbg !246
  %131 = getelementptr inbounds float, ptr %124, i64 %130, !dbg !246
  %132 = load float, ptr %131, align 4, !dbg !246
  %133 = fdiv contract float %123, %132, !dbg !252
  %134 = load ptr, ptr %8, align 8, !dbg !253
  %135 = load i32, ptr %12, align 4, !dbg !254
  %136 = load i32, ptr %10, align 4, !dbg !255
  %137 = mul nsw i32 %135, %136, !dbg !256
  %138 = load i32, ptr %11, align 4, !dbg !257
  %139 = add nsw i32 %137, %138, !dbg !258
  %140 = sext i32 %139 to i64, !dbg !253
  %141 = getelementptr inbounds float, ptr %134, i64 %140, !dbg !253
  store float %133, ptr %141, align 4, !dbg !259
  br label %142, !dbg !260

142:                                              ; preds = %120
  %143 = load i32, ptr %12, align 4, !dbg !261
  %144 = add nsw i32 %143, 1, !dbg !261
  store i32 %144, ptr %12, align 4, !dbg !261
  br label %25, !dbg !174, !llvm.loop !262

145:                                              ; preds = %25
  br label %146, !dbg !263

146:                                              ; preds = %145, %5
  ret void, !dbg !264
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind optnone
define dso_local ptx_kernel void @trisolve_factor(ptr noalias noundef %0, i32 noundef %1, i32 noundef %2) #0 !dbg !265 {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca float, align 4
  %10 = alloca i32, align 4
  %11 = alloca float, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca float, align 4
  %15 = alloca float, align 4
  store ptr %0, ptr %4, align 8
  store i32 %1, ptr %5, align 4
  store i32 %2, ptr %6, align 4
  %16 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !266
  %17 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !268
  %18 = mul i32 %16, %17, !dbg !270
  %19 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !271
  %20 = add i32 %18, %19, !dbg !273
  store i32 %20, ptr %7, align 4, !dbg !274
  %21 = load i32, ptr %7, align 4, !dbg !275
  %22 = load i32, ptr %6, align 4, !dbg !276
  %23 = icmp slt i32 %21, %22, !dbg !277
  br i1 %23, label %24, label %188, !dbg !277

24:                                               ; preds = %3
  store i32 0, ptr %8, align 4, !dbg !278
  br label %25, !dbg !279

25:                                               ; preds = %184, %24
  %26 = load i32, ptr %8, align 4, !dbg !280
  %27 = load i32, ptr %5, align 4, !dbg !281
  %28 = icmp slt i32 %26, %27, !dbg !282
  br i1 %28, label %29, label %187, !dbg !283

29:                                               ; preds = %25
  %30 = load ptr, ptr %4, align 8, !dbg !284
  %31 = load i32, ptr %8, align 4, !dbg !285
  %32 = load i32, ptr %5, align 4, !dbg !286
  %33 = mul nsw i32 %31, %32, !dbg !287
  %34 = load i32, ptr %8, align 4, !dbg !288
  %35 = add nsw i32 %33, %34, !dbg !289
  %36 = load i32, ptr %6, align 4, !dbg !290
  %37 = mul nsw i32 %35, %36, !dbg !291
  %38 = load i32, ptr %7, align 4, !dbg !292
  %39 = add nsw i32 %37, %38, !dbg !293
  %40 = sext i32 %39 to i64, !dbg !284
  %41 = getelementptr inbounds float, ptr %30, i64 %40, !dbg !284
  %42 = load float, ptr %41, align 4, !dbg !284
  store float %42, ptr %9, align 4, !dbg !294
  store i32 0, ptr %10, align 4, !dbg !295
  br label %43, !dbg !296

43:                                               ; preds = %112, %29
  %44 = load i32, ptr %10, align 4, !dbg !297
  %45 = load i32, ptr %8, align 4, !dbg !298
  %46 = icmp slt i32 %44, %45, !dbg !299
  br i1 %46, label %47, label %115, !dbg !300

47:                                               ; preds = %43
  %48 = load ptr, ptr %4, align 8, !dbg !301
  %49 = load i32, ptr %8, align 4, !dbg !302
  %50 = load i32, ptr %5, align 4, !dbg !303
  %51 = mul nsw i32 %49, %50, !dbg !304
  %52 = load i32, ptr %10, align 4, !dbg !305
  %53 = add nsw i32 %51, %52, !dbg !306
  %54 = load i32, ptr %6, align 4, !dbg !307
  %55 = mul nsw i32 %53, %54, !dbg !308
  %56 = load i32, ptr %7, align 4, !dbg !309
  %57 = add nsw i32 %55, %56, !dbg !310
  %58 = sext i32 %57 to i64, !dbg !301
  %59 = getelementptr inbounds float, ptr %48, i64 %58, !dbg !301
  %60 = load float, ptr %59, align 4, !dbg !301
  store float %60, ptr %11, align 4, !dbg !311
  store i32 0, ptr %12, align 4, !dbg !312
  br label %61, !dbg !313

61:                                               ; preds = %95, %47
  %62 = load i32, ptr %12, align 4, !dbg !314
  %63 = load i32, ptr %10, align 4, !dbg !315
  %64 = icmp slt i32 %62, %63, !dbg !316
  br i1 %64, label %65, label %98, !dbg !317

65:                                               ; preds = %61
  %66 = load ptr, ptr %4, align 8, !dbg !318
  %67 = load i32, ptr %8, align 4, !dbg !319
  %68 = load i32, ptr %5, align 4, !dbg !320
  %69 = mul nsw i32 %67, %68, !dbg !321
  %70 = load i32, ptr %12, align 4, !dbg !322
  %71 = add nsw i32 %69, %70, !dbg !323
  %72 = load i32, ptr %6, align 4, !dbg !324
  %73 = mul nsw i32 %71, %72, !dbg !325
  %74 = load i32, ptr %7, align 4, !dbg !326
  %75 = add nsw i32 %73, %74, !dbg !327
  %76 = sext i32 %75 to i64, !dbg !318
  %77 = getelementptr inbounds float, ptr %66, i64 %76, !dbg !318
  %78 = load float, ptr %77, align 4, !dbg !318
  %79 = load ptr, ptr %4, align 8, !dbg !328
  %80 = load i32, ptr %10, align 4, !dbg !329
  %81 = load i32, ptr %5, align 4, !dbg !330
  %82 = mul nsw i32 %80, %81, !dbg !331
  %83 = load i32, ptr %12, align 4, !dbg !332
  %84 = add nsw i32 %82, %83, !dbg !333
  %85 = load i32, ptr %6, align 4, !dbg !334
  %86 = mul nsw i32 %84, %85, !dbg !335
  %87 = load i32, ptr %7, align 4, !dbg !336
  %88 = add nsw i32 %86, %87, !dbg !337
  %89 = sext i32 %88 to i64, !dbg !328
  %90 = getelementptr inbounds float, ptr %79, i64 %89, !dbg !328
  %91 = load float, ptr %90, align 4, !dbg !328
  %92 = fmul contract float %78, %91, !dbg !338
  %93 = load float, ptr %11, align 4, !dbg !339
  %94 = fsub contract float %93, %92, !dbg !339
  store float %94, ptr %11, align 4, !dbg !339
  br label %95, !dbg !340

95:                                               ; preds = %65
  %96 = load i32, ptr %12, align 4, !dbg !341
  %97 = add nsw i32 %96, 1, !dbg !341
  store i32 %97, ptr %12, align 4, !dbg !341
  br label %61, !dbg !317, !llvm.loop !342

98:                                               ; preds = %61
  %99 = load float, ptr %11, align 4, !dbg !343
  %100 = load ptr, ptr %4, align 8, !dbg !344
  %101 = load i32, ptr %8, align 4, !dbg !345
  %102 = load i32, ptr %5, align 4, !dbg !346
  %103 = mul nsw i32 %101, %102, !dbg !347
  %104 = load i32, ptr %10, align 4, !dbg !348
  %105 = add nsw i32 %103, %104, !dbg !349
  %106 = load i32, ptr %6, align 4, !dbg !350
  %107 = mul nsw i32 %105, %106, !dbg !351
  %108 = load i32, ptr %7, align 4, !dbg !352
  %109 = add nsw i32 %107, %108, !dbg !353
  %110 = sext i32 %109 to i64, !dbg !344
  %111 = getelementptr inbounds float, ptr %100, i64 %110, !dbg !344
  store float %99, ptr %111, align 4, !dbg !354
  br label %112, !dbg !355

112:                                              ; preds = %98
  %113 = load i32, ptr %10, align 4, !dbg !356
  %114 = add nsw i32 %113, 1, !dbg !356
  store i32 %114, ptr %10, align 4, !dbg !356
  br label %43, !dbg !300, !llvm.loop !357

115:                                              ; preds = %43
  store i32 0, ptr %13, align 4, !dbg !358
  br label %116, !dbg !359

116:                                              ; preds = %167, %115
  %117 = load i32, ptr %13, align 4, !dbg !360
  %118 = load i32, ptr %8, align 4, !dbg !361
  %119 = icmp slt i32 %117, %118, !dbg !362
  br i1 %119, label %120, label %170, !dbg !363

120:                                              ; preds = %116
  %121 = load ptr, ptr %4, align 8, !dbg !364
  %122 = load i32, ptr %8, align 4, !dbg !365
  %123 = load i32, ptr %5, align 4, !dbg !366
  %124 = mul nsw i32 %122, %123, !dbg !367
  %125 = load i32, ptr %13, align 4, !dbg !368
  %126 = add nsw i32 %124, %125, !dbg !369
  %127 = load i32, ptr %6, align 4, !dbg !370
  %128 = mul nsw i32 %126, %127, !dbg !371
  %129 = load i32, ptr %7, align 4, !dbg !372
  %130 = add nsw i32 %128, %129, !dbg !373
  %131 = sext i32 %130 to i64, !dbg !364
  %132 = getelementptr inbounds float, ptr %121, i64 %131, !dbg !364
  %133 = load float, ptr %132, align 4, !dbg !364
  store float %133, ptr %14, align 4, !dbg !374
  %134 = load float, ptr %14, align 4, !dbg !375
  %135 = load ptr, ptr %4, align 8, !dbg !376
  %136 = load i32, ptr %13, align 4, !dbg !377
  %137 = load i32, ptr %5, align 4, !dbg !378
  %138 = mul nsw i32 %136, %137, !dbg !379
  %139 = load i32, ptr %13, align 4, !dbg !380
  %140 = add nsw i32 %138, %139, !dbg !381
  %141 = load i32, ptr %6, align 4, !dbg !382
  %142 = mul nsw i32 %140, %141, !dbg !383
  %143 = load i32, ptr %7, align 4, !dbg !384
  %144 = add nsw i32 %142, %143, !dbg !385
  %145 = sext i32 %144 to i64, !dbg !376
  %146 = getelementptr inbounds float, ptr %135, i64 %145, !dbg !376
  %147 = load float, ptr %146, align 4, !dbg !376
  %148 = fdiv contract float %134, %147, !dbg !386
  store float %148, ptr %15, align 4, !dbg !387
  %149 = load float, ptr %14, align 4, !dbg !388
  %150 = load float, ptr %15, align 4, !dbg !389
  %151 = fmul contract float %149, %150, !dbg !390
  %152 = load float, ptr %9, align 4, !dbg !391
  %153 = fsub contract float %152, %151, !dbg !391
  store float %153, ptr %9, align 4, !dbg !391
  %154 = load float, ptr %15, align 4, !dbg !392
  %155 = load ptr, ptr %4, align 8, !dbg !393
  %156 = load i32, ptr %8, align 4, !dbg !394
  %157 = load i32, ptr %5, align 4, !dbg !395
  %158 = mul nsw i32 %156, %157, !dbg !396
  %159 = load i32, ptr %13, align 4, !dbg !397
  %160 = add nsw i32 %158, %159, !dbg !398
  %161 = load i32, ptr %6, align 4, !dbg !399
  %162 = mul nsw i32 %160, %161, !dbg !400
  %163 = load i32, ptr %7, align 4, !dbg !401
  %164 = add nsw i32 %162, %163, !dbg !402
  %165 = sext i32 %164 to i64, !dbg !393
  %166 = getelementptr inbounds float, ptr %155, i64 %165, !dbg !393
  store float %154, ptr %166, align 4, !dbg !403
  br label %167, !dbg !404

167:                                              ; preds = %120
  %168 = load i32, ptr %13, align 4, !dbg !405
  %169 = add nsw i32 %168, 1, !dbg !405
  store i32 %169, ptr %13, align 4, !dbg !405
  br label %116, !dbg !363, !llvm.loop !406

170:                                              ; preds = %116
  %171 = load float, ptr %9, align 4, !dbg !407
  %172 = load ptr, ptr %4, align 8, !dbg !408
  %173 = load i32, ptr %8, align 4, !dbg !409
  %174 = load i32, ptr %5, align 4, !dbg !410
  %175 = mul nsw i32 %173, %174, !dbg !411
  %176 = load i32, ptr %8, align 4, !dbg !412
  %177 = add nsw i32 %175, %176, !dbg !413
  %178 = load i32, ptr %6, align 4, !dbg !414
  %179 = mul nsw i32 %177, %178, !dbg !415
  %180 = load i32, ptr %7, align 4, !dbg !416
  %181 = add nsw i32 %179, %180, !dbg !417
  %182 = sext i32 %181 to i64, !dbg !408
  %183 = getelementptr inbounds float, ptr %172, i64 %182, !dbg !408
  store float %171, ptr %183, align 4, !dbg !418
  br label %184, !dbg !419

184:                                              ; preds = %170
  %185 = load i32, ptr %8, align 4, !dbg !420
  %186 = add nsw i32 %185, 1, !dbg !420
  store i32 %186, ptr %8, align 4, !dbg !420
  br label %25, !dbg !283, !llvm.loop !421

187:                                              ; preds = %25
  br label %188, !dbg !422

188:                                              ; preds = %187, %3
  ret void, !dbg !423
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind optnone
define dso_local ptx_kernel void @trisolve_inverse(ptr noalias noundef %0, ptr noalias noundef %1, i32 noundef %2, i32 noundef %3) #0 !dbg !424 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca float, align 4
  %12 = alloca i32, align 4
  %13 = alloca float, align 4
  %14 = alloca i32, align 4
  store ptr %0, ptr %5, align 8
  store ptr %1, ptr %6, align 8
  store i32 %2, ptr %7, align 4
  store i32 %3, ptr %8, align 4
  %15 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !425
  %16 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !427
  %17 = mul i32 %15, %16, !dbg !429
  %18 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !430
  %19 = add i32 %17, %18, !dbg !432
  store i32 %19, ptr %9, align 4, !dbg !433
  %20 = load i32, ptr %9, align 4, !dbg !434
  %21 = load i32, ptr %8, align 4, !dbg !435
  %22 = icmp slt i32 %20, %21, !dbg !436
  br i1 %22, label %23, label %123, !dbg !436

23:                                               ; preds = %4
  store i32 0, ptr %10, align 4, !dbg !437
  br label %24, !dbg !438

24:                                               ; preds = %119, %23
  %25 = load i32, ptr %10, align 4, !dbg !439
  %26 = load i32, ptr %7, align 4, !dbg !440
  %27 = icmp slt i32 %25, %26, !dbg !441
  br i1 %27, label %28, label %122, !dbg !442

28:                                               ; preds = %24
  %29 = load ptr, ptr %5, align 8, !dbg !443
  %30 = load i32, ptr %10, align 4, !dbg !444
  %31 = load i32, ptr %7, align 4, !dbg !445
  %32 = mul nsw i32 %30, %31, !dbg !446
  %33 = load i32, ptr %10, align 4, !dbg !447
  %34 = add nsw i32 %32, %33, !dbg !448
  %35 = load i32, ptr %8, align 4, !dbg !449
  %36 = mul nsw i32 %34, %35, !dbg !450
  %37 = load i32, ptr %9, align 4, !dbg !451
  %38 = add nsw i32 %36, %37, !dbg !452
  %39 = sext i32 %38 to i64, !dbg !443
  %40 = getelementptr inbounds float, ptr %29, i64 %39, !dbg !443
  %41 = load float, ptr %40, align 4, !dbg !443
  %42 = fdiv contract float 1.000000e+00, %41, !dbg !453
  store float %42, ptr %11, align 4, !dbg !454
  store i32 0, ptr %12, align 4, !dbg !455
  br label %43, !dbg !456

43:                                               ; preds = %102, %28
  %44 = load i32, ptr %12, align 4, !dbg !457
  %45 = load i32, ptr %10, align 4, !dbg !458
  %46 = icmp slt i32 %44, %45, !dbg !459
  br i1 %46, label %47, label %105, !dbg !460

47:                                               ; preds = %43
  store float 0.000000e+00, ptr %13, align 4, !dbg !461
  %48 = load i32, ptr %12, align 4, !dbg !462
  store i32 %48, ptr %14, align 4, !dbg !463
  br label %49, !dbg !464

49:                                               ; preds = %83, %47
  %50 = load i32, ptr %14, align 4, !dbg !465
  %51 = load i32, ptr %10, align 4, !dbg !466
  %52 = icmp slt i32 %50, %51, !dbg !467
  br i1 %52, label %53, label %86, !dbg !468

53:                                               ; preds = %49
  %54 = load ptr, ptr %5, align 8, !dbg !469
  %55 = load i32, ptr %10, align 4, !dbg !470
  %56 = load i32, ptr %7, align 4, !dbg !471
  %57 = mul nsw i32 %55, %56, !dbg !472
  %58 = load i32, ptr %14, align 4, !dbg !473
  %59 = add nsw i32 %57, %58, !dbg !474
  %60 = load i32, ptr %8, align 4, !dbg !475
  %61 = mul nsw i32 %59, %60, !dbg !476
  %62 = load i32, ptr %9, align 4, !dbg !477
  %63 = add nsw i32 %61, %62, !dbg !478
  %64 = sext i32 %63 to i64, !dbg !469
  %65 = getelementptr inbounds float, ptr %54, i64 %64, !dbg !469
  %66 = load float, ptr %65, align 4, !dbg !469
  %67 = load ptr, ptr %6, align 8, !dbg !479
  %68 = load i32, ptr %14, align 4, !dbg !480
  %69 = load i32, ptr %7, align 4, !dbg !481
  %70 = mul nsw i32 %68, %69, !dbg !482
  %71 = load i32, ptr %12, align 4, !dbg !483
  %72 = add nsw i32 %70, %71, !dbg !484
  %73 = load i32, ptr %8, align 4, !dbg !485
  %74 = mul nsw i32 %72, %73, !dbg !486
  %75 = load i32, ptr %9, align 4, !dbg !487
  %76 = add nsw i32 %74, %75, !dbg !488
  %77 = sext i32 %76 to i64, !dbg !479
  %78 = getelementptr inbounds float, ptr %67, i64 %77, !dbg !479
  %79 = load float, ptr %78, align 4, !dbg !479
  %80 = fmul contract float %66, %79, !dbg !489
  %81 = load float, ptr %13, align 4, !dbg !490
  %82 = fsub contract float %81, %80, !dbg !490
  store float %82, ptr %13, align 4, !dbg !490
  br label %83, !dbg !491

83:                                               ; preds = %53
  %84 = load i32, ptr %14, align 4, !dbg !492
  %85 = add nsw i32 %84, 1, !dbg !492
  store i32 %85, ptr %14, align 4, !dbg !492
  br label %49, !dbg !468, !llvm.loop !493

86:                                               ; preds = %49
  %87 = load float, ptr %13, align 4, !dbg !494
  %88 = load float, ptr %11, align 4, !dbg !495
  %89 = fmul contract float %87, %88, !dbg !496
  %90 = load ptr, ptr %6, align 8, !dbg !497
  %91 = load i32, ptr %10, align 4, !dbg !498
  %92 = load i32, ptr %7, align 4, !dbg !499
  %93 = mul nsw i32 %91, %92, !dbg !500
  %94 = load i32, ptr %12, align 4, !dbg !501
  %95 = add nsw i32 %93, %94, !dbg !502
  %96 = load i32, ptr %8, align 4, !dbg !503
  %97 = mul nsw i32 %95, %96, !dbg !504
  %98 = load i32, ptr %9, align 4, !dbg !505
  %99 = add nsw i32 %97, %98, !dbg !506
  %100 = sext i32 %99 to i64, !dbg !497
  %101 = getelementptr inbounds float, ptr %90, i64 %100, !dbg !497
  store float %89, ptr %101, align 4, !dbg !507
  br label %102, !dbg !508

102:                                              ; preds = %86
  %103 = load i32, ptr %12, align 4, !dbg !509
  %104 = add nsw i32 %103, 1, !dbg !509
  store i32 %104, ptr %12, align 4, !dbg !509
  br label %43, !dbg !460, !llvm.loop !510

105:                                              ; preds = %43
  %106 = load float, ptr %11, align 4, !dbg !511
  %107 = load ptr, ptr %6, align 8, !dbg !512
  %108 = load i32, ptr %10, align 4, !dbg !513
  %109 = load i32, ptr %7, align 4, !dbg !514
  %110 = mul nsw i32 %108, %109, !dbg !515
  %111 = load i32, ptr %10, align 4, !dbg !516
  %112 = add nsw i32 %110, %111, !dbg !517
  %113 = load i32, ptr %8, align 4, !dbg !518
  %114 = mul nsw i32 %112, %113, !dbg !519
  %115 = load i32, ptr %9, align 4, !dbg !520
  %116 = add nsw i32 %114, %115, !dbg !521
  %117 = sext i32 %116 to i64, !dbg !512
  %118 = getelementptr inbounds float, ptr %107, i64 %117, !dbg !512
  store float %106, ptr %118, align 4, !dbg !522
  br label %119, !dbg !523

119:                                              ; preds = %105
  %120 = load i32, ptr %10, align 4, !dbg !524
  %121 = add nsw i32 %120, 1, !dbg !524
  store i32 %121, ptr %10, align 4, !dbg !524
  br label %24, !dbg !442, !llvm.loop !525

122:                                              ; preds = %24
  br label %123, !dbg !526

123:                                              ; preds = %122, %4
  ret void, !dbg !527
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { convergent mustprogress noinline norecurse nounwind optnone "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}
!llvm.ident = !{!7}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "trisolve.cu", directory: ".")
!2 = !{i32 7, !"Dwarf Version", i32 2}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!6 = !{i32 7, !"frame-pointer", i32 2}
!7 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!8 = distinct !DISubprogram(name: "trisolve_forward", scope: !1, file: !1, line: 7, type: !9, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!9 = !DISubroutineType(types: !10)
!10 = !{}
!11 = !DILocation(line: 31, column: 1, scope: !12, inlinedAt: !14)
!12 = distinct !DISubprogram(name: "read_x", scope: !13, file: !13, line: 31, type: !9, scopeLine: 31, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!13 = !DIFile(filename: "./../common/cuda_words.h", directory: ".")
!14 = distinct !DILocation(line: 10, column: 17, scope: !8)
!15 = !DILocation(line: 32, column: 1, scope: !16, inlinedAt: !17)
!16 = distinct !DISubprogram(name: "read_x", scope: !13, file: !13, line: 32, type: !9, scopeLine: 32, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!17 = distinct !DILocation(line: 10, column: 30, scope: !8)
!18 = !DILocation(line: 10, column: 28, scope: !8)
!19 = !DILocation(line: 30, column: 1, scope: !20, inlinedAt: !21)
!20 = distinct !DISubprogram(name: "read_x", scope: !13, file: !13, line: 30, type: !9, scopeLine: 30, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!21 = distinct !DILocation(line: 10, column: 43, scope: !8)
!22 = !DILocation(line: 10, column: 41, scope: !8)
!23 = !DILocation(line: 10, column: 13, scope: !8)
!24 = !DILocation(line: 11, column: 7, scope: !8)
!25 = !DILocation(line: 11, column: 11, scope: !8)
!26 = !DILocation(line: 11, column: 9, scope: !8)
!27 = !DILocation(line: 12, column: 14, scope: !8)
!28 = !DILocation(line: 12, column: 10, scope: !8)
!29 = !DILocation(line: 12, column: 21, scope: !8)
!30 = !DILocation(line: 12, column: 25, scope: !8)
!31 = !DILocation(line: 12, column: 23, scope: !8)
!32 = !DILocation(line: 12, column: 5, scope: !8)
!33 = !DILocation(line: 13, column: 19, scope: !8)
!34 = !DILocation(line: 13, column: 21, scope: !8)
!35 = !DILocation(line: 13, column: 25, scope: !8)
!36 = !DILocation(line: 13, column: 23, scope: !8)
!37 = !DILocation(line: 13, column: 33, scope: !8)
!38 = !DILocation(line: 13, column: 31, scope: !8)
!39 = !DILocation(line: 13, column: 13, scope: !8)
!40 = !DILocation(line: 14, column: 16, scope: !8)
!41 = !DILocation(line: 14, column: 12, scope: !8)
!42 = !DILocation(line: 14, column: 23, scope: !8)
!43 = !DILocation(line: 14, column: 27, scope: !8)
!44 = !DILocation(line: 14, column: 25, scope: !8)
!45 = !DILocation(line: 14, column: 7, scope: !8)
!46 = !DILocation(line: 15, column: 16, scope: !8)
!47 = !DILocation(line: 15, column: 18, scope: !8)
!48 = !DILocation(line: 15, column: 22, scope: !8)
!49 = !DILocation(line: 15, column: 20, scope: !8)
!50 = !DILocation(line: 15, column: 26, scope: !8)
!51 = !DILocation(line: 15, column: 24, scope: !8)
!52 = !DILocation(line: 15, column: 31, scope: !8)
!53 = !DILocation(line: 15, column: 33, scope: !8)
!54 = !DILocation(line: 15, column: 37, scope: !8)
!55 = !DILocation(line: 15, column: 35, scope: !8)
!56 = !DILocation(line: 15, column: 45, scope: !8)
!57 = !DILocation(line: 15, column: 43, scope: !8)
!58 = !DILocation(line: 15, column: 29, scope: !8)
!59 = !DILocation(line: 15, column: 13, scope: !8)
!60 = !DILocation(line: 16, column: 7, scope: !8)
!61 = !DILocation(line: 14, column: 30, scope: !8)
!62 = distinct !{!62, !45, !60, !63}
!63 = !{!"llvm.loop.mustprogress"}
!64 = !DILocation(line: 17, column: 26, scope: !8)
!65 = !DILocation(line: 17, column: 32, scope: !8)
!66 = !DILocation(line: 17, column: 34, scope: !8)
!67 = !DILocation(line: 17, column: 38, scope: !8)
!68 = !DILocation(line: 17, column: 36, scope: !8)
!69 = !DILocation(line: 17, column: 42, scope: !8)
!70 = !DILocation(line: 17, column: 40, scope: !8)
!71 = !DILocation(line: 17, column: 30, scope: !8)
!72 = !DILocation(line: 17, column: 7, scope: !8)
!73 = !DILocation(line: 17, column: 9, scope: !8)
!74 = !DILocation(line: 17, column: 13, scope: !8)
!75 = !DILocation(line: 17, column: 11, scope: !8)
!76 = !DILocation(line: 17, column: 21, scope: !8)
!77 = !DILocation(line: 17, column: 19, scope: !8)
!78 = !DILocation(line: 17, column: 24, scope: !8)
!79 = !DILocation(line: 18, column: 5, scope: !8)
!80 = !DILocation(line: 12, column: 28, scope: !8)
!81 = distinct !{!81, !32, !79, !63}
!82 = !DILocation(line: 19, column: 3, scope: !8)
!83 = !DILocation(line: 20, column: 1, scope: !8)
!84 = distinct !DISubprogram(name: "trisolve_backward", scope: !1, file: !1, line: 23, type: !9, scopeLine: 25, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!85 = !DILocation(line: 31, column: 1, scope: !12, inlinedAt: !86)
!86 = distinct !DILocation(line: 26, column: 17, scope: !84)
!87 = !DILocation(line: 32, column: 1, scope: !16, inlinedAt: !88)
!88 = distinct !DILocation(line: 26, column: 30, scope: !84)
!89 = !DILocation(line: 26, column: 28, scope: !84)
!90 = !DILocation(line: 30, column: 1, scope: !20, inlinedAt: !91)
!91 = distinct !DILocation(line: 26, column: 43, scope: !84)
!92 = !DILocation(line: 26, column: 41, scope: !84)
!93 = !DILocation(line: 26, column: 13, scope: !84)
!94 = !DILocation(line: 27, column: 7, scope: !84)
!95 = !DILocation(line: 27, column: 11, scope: !84)
!96 = !DILocation(line: 27, column: 9, scope: !84)
!97 = !DILocation(line: 28, column: 18, scope: !84)
!98 = !DILocation(line: 28, column: 20, scope: !84)
!99 = !DILocation(line: 28, column: 14, scope: !84)
!100 = !DILocation(line: 28, column: 10, scope: !84)
!101 = !DILocation(line: 28, column: 25, scope: !84)
!102 = !DILocation(line: 28, column: 27, scope: !84)
!103 = !DILocation(line: 28, column: 5, scope: !84)
!104 = !DILocation(line: 29, column: 19, scope: !84)
!105 = !DILocation(line: 29, column: 21, scope: !84)
!106 = !DILocation(line: 29, column: 25, scope: !84)
!107 = !DILocation(line: 29, column: 23, scope: !84)
!108 = !DILocation(line: 29, column: 33, scope: !84)
!109 = !DILocation(line: 29, column: 31, scope: !84)
!110 = !DILocation(line: 29, column: 13, scope: !84)
!111 = !DILocation(line: 30, column: 20, scope: !84)
!112 = !DILocation(line: 30, column: 22, scope: !84)
!113 = !DILocation(line: 30, column: 16, scope: !84)
!114 = !DILocation(line: 30, column: 12, scope: !84)
!115 = !DILocation(line: 30, column: 27, scope: !84)
!116 = !DILocation(line: 30, column: 31, scope: !84)
!117 = !DILocation(line: 30, column: 29, scope: !84)
!118 = !DILocation(line: 30, column: 7, scope: !84)
!119 = !DILocation(line: 31, column: 16, scope: !84)
!120 = !DILocation(line: 31, column: 18, scope: !84)
!121 = !DILocation(line: 31, column: 22, scope: !84)
!122 = !DILocation(line: 31, column: 20, scope: !84)
!123 = !DILocation(line: 31, column: 26, scope: !84)
!124 = !DILocation(line: 31, column: 24, scope: !84)
!125 = !DILocation(line: 31, column: 31, scope: !84)
!126 = !DILocation(line: 31, column: 33, scope: !84)
!127 = !DILocation(line: 31, column: 37, scope: !84)
!128 = !DILocation(line: 31, column: 35, scope: !84)
!129 = !DILocation(line: 31, column: 45, scope: !84)
!130 = !DILocation(line: 31, column: 43, scope: !84)
!131 = !DILocation(line: 31, column: 29, scope: !84)
!132 = !DILocation(line: 31, column: 13, scope: !84)
!133 = !DILocation(line: 32, column: 7, scope: !84)
!134 = !DILocation(line: 30, column: 34, scope: !84)
!135 = distinct !{!135, !118, !133, !63}
!136 = !DILocation(line: 33, column: 26, scope: !84)
!137 = !DILocation(line: 33, column: 32, scope: !84)
!138 = !DILocation(line: 33, column: 34, scope: !84)
!139 = !DILocation(line: 33, column: 38, scope: !84)
!140 = !DILocation(line: 33, column: 36, scope: !84)
!141 = !DILocation(line: 33, column: 42, scope: !84)
!142 = !DILocation(line: 33, column: 40, scope: !84)
!143 = !DILocation(line: 33, column: 30, scope: !84)
!144 = !DILocation(line: 33, column: 7, scope: !84)
!145 = !DILocation(line: 33, column: 9, scope: !84)
!146 = !DILocation(line: 33, column: 13, scope: !84)
!147 = !DILocation(line: 33, column: 11, scope: !84)
!148 = !DILocation(line: 33, column: 21, scope: !84)
!149 = !DILocation(line: 33, column: 19, scope: !84)
!150 = !DILocation(line: 33, column: 24, scope: !84)
!151 = !DILocation(line: 34, column: 5, scope: !84)
!152 = !DILocation(line: 28, column: 33, scope: !84)
!153 = distinct !{!153, !103, !151, !63}
!154 = !DILocation(line: 35, column: 3, scope: !84)
!155 = !DILocation(line: 36, column: 1, scope: !84)
!156 = distinct !DISubprogram(name: "trisolve_pairs", scope: !1, file: !1, line: 39, type: !9, scopeLine: 40, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!157 = !DILocation(line: 31, column: 1, scope: !12, inlinedAt: !158)
!158 = distinct !DILocation(line: 41, column: 17, scope: !156)
!159 = !DILocation(line: 32, column: 1, scope: !16, inlinedAt: !160)
!160 = distinct !DILocation(line: 41, column: 30, scope: !156)
!161 = !DILocation(line: 41, column: 28, scope: !156)
!162 = !DILocation(line: 30, column: 1, scope: !20, inlinedAt: !163)
!163 = distinct !DILocation(line: 41, column: 43, scope: !156)
!164 = !DILocation(line: 41, column: 41, scope: !156)
!165 = !DILocation(line: 41, column: 13, scope: !156)
!166 = !DILocation(line: 42, column: 7, scope: !156)
!167 = !DILocation(line: 42, column: 11, scope: !156)
!168 = !DILocation(line: 42, column: 9, scope: !156)
!169 = !DILocation(line: 43, column: 14, scope: !156)
!170 = !DILocation(line: 43, column: 10, scope: !156)
!171 = !DILocation(line: 43, column: 21, scope: !156)
!172 = !DILocation(line: 43, column: 25, scope: !156)
!173 = !DILocation(line: 43, column: 23, scope: !156)
!174 = !DILocation(line: 43, column: 5, scope: !156)
!175 = !DILocation(line: 44, column: 20, scope: !156)
!176 = !DILocation(line: 44, column: 22, scope: !156)
!177 = !DILocation(line: 44, column: 26, scope: !156)
!178 = !DILocation(line: 44, column: 24, scope: !156)
!179 = !DILocation(line: 44, column: 34, scope: !156)
!180 = !DILocation(line: 44, column: 32, scope: !156)
!181 = !DILocation(line: 44, column: 13, scope: !156)
!182 = !DILocation(line: 45, column: 13, scope: !156)
!183 = !DILocation(line: 46, column: 16, scope: !156)
!184 = !DILocation(line: 46, column: 12, scope: !156)
!185 = !DILocation(line: 46, column: 23, scope: !156)
!186 = !DILocation(line: 46, column: 25, scope: !156)
!187 = !DILocation(line: 46, column: 31, scope: !156)
!188 = !DILocation(line: 46, column: 29, scope: !156)
!189 = !DILocation(line: 46, column: 7, scope: !156)
!190 = !DILocation(line: 47, column: 17, scope: !156)
!191 = !DILocation(line: 47, column: 19, scope: !156)
!192 = !DILocation(line: 47, column: 23, scope: !156)
!193 = !DILocation(line: 47, column: 21, scope: !156)
!194 = !DILocation(line: 47, column: 27, scope: !156)
!195 = !DILocation(line: 47, column: 25, scope: !156)
!196 = !DILocation(line: 47, column: 32, scope: !156)
!197 = !DILocation(line: 47, column: 34, scope: !156)
!198 = !DILocation(line: 47, column: 38, scope: !156)
!199 = !DILocation(line: 47, column: 36, scope: !156)
!200 = !DILocation(line: 47, column: 46, scope: !156)
!201 = !DILocation(line: 47, column: 44, scope: !156)
!202 = !DILocation(line: 47, column: 30, scope: !156)
!203 = !DILocation(line: 47, column: 14, scope: !156)
!204 = !DILocation(line: 48, column: 16, scope: !156)
!205 = !DILocation(line: 48, column: 18, scope: !156)
!206 = !DILocation(line: 48, column: 22, scope: !156)
!207 = !DILocation(line: 48, column: 20, scope: !156)
!208 = !DILocation(line: 48, column: 26, scope: !156)
!209 = !DILocation(line: 48, column: 24, scope: !156)
!210 = !DILocation(line: 48, column: 28, scope: !156)
!211 = !DILocation(line: 48, column: 35, scope: !156)
!212 = !DILocation(line: 48, column: 38, scope: !156)
!213 = !DILocation(line: 48, column: 40, scope: !156)
!214 = !DILocation(line: 48, column: 47, scope: !156)
!215 = !DILocation(line: 48, column: 45, scope: !156)
!216 = !DILocation(line: 48, column: 55, scope: !156)
!217 = !DILocation(line: 48, column: 53, scope: !156)
!218 = !DILocation(line: 48, column: 33, scope: !156)
!219 = !DILocation(line: 48, column: 13, scope: !156)
!220 = !DILocation(line: 49, column: 7, scope: !156)
!221 = !DILocation(line: 46, column: 36, scope: !156)
!222 = distinct !{!222, !189, !220, !63}
!223 = !DILocation(line: 50, column: 11, scope: !156)
!224 = !DILocation(line: 50, column: 13, scope: !156)
!225 = !DILocation(line: 50, column: 17, scope: !156)
!226 = !DILocation(line: 51, column: 17, scope: !156)
!227 = !DILocation(line: 51, column: 19, scope: !156)
!228 = !DILocation(line: 51, column: 23, scope: !156)
!229 = !DILocation(line: 51, column: 21, scope: !156)
!230 = !DILocation(line: 51, column: 27, scope: !156)
!231 = !DILocation(line: 51, column: 25, scope: !156)
!232 = !DILocation(line: 51, column: 29, scope: !156)
!233 = !DILocation(line: 51, column: 36, scope: !156)
!234 = !DILocation(line: 51, column: 39, scope: !156)
!235 = !DILocation(line: 51, column: 41, scope: !156)
!236 = !DILocation(line: 51, column: 48, scope: !156)
!237 = !DILocation(line: 51, column: 46, scope: !156)
!238 = !DILocation(line: 51, column: 56, scope: !156)
!239 = !DILocation(line: 51, column: 54, scope: !156)
!240 = !DILocation(line: 51, column: 34, scope: !156)
!241 = !DILocation(line: 51, column: 14, scope: !156)
!242 = !DILocation(line: 52, column: 7, scope: !156)
!243 = !DILocation(line: 53, column: 27, scope: !156)
!244 = !DILocation(line: 53, column: 34, scope: !156)
!245 = !DILocation(line: 53, column: 32, scope: !156)
!246 = !DILocation(line: 53, column: 41, scope: !156)
!247 = !DILocation(line: 53, column: 43, scope: !156)
!248 = !DILocation(line: 53, column: 47, scope: !156)
!249 = !DILocation(line: 53, column: 45, scope: !156)
!250 = !DILocation(line: 53, column: 51, scope: !156)
!251 = !DILocation(line: 53, column: 49, scope: !156)
!252 = !DILocation(line: 53, column: 39, scope: !156)
!253 = !DILocation(line: 53, column: 7, scope: !156)
!254 = !DILocation(line: 53, column: 9, scope: !156)
!255 = !DILocation(line: 53, column: 13, scope: !156)
!256 = !DILocation(line: 53, column: 11, scope: !156)
!257 = !DILocation(line: 53, column: 21, scope: !156)
!258 = !DILocation(line: 53, column: 19, scope: !156)
!259 = !DILocation(line: 53, column: 24, scope: !156)
!260 = !DILocation(line: 54, column: 5, scope: !156)
!261 = !DILocation(line: 43, column: 28, scope: !156)
!262 = distinct !{!262, !174, !260, !63}
!263 = !DILocation(line: 55, column: 3, scope: !156)
!264 = !DILocation(line: 56, column: 1, scope: !156)
!265 = distinct !DISubprogram(name: "trisolve_factor", scope: !1, file: !1, line: 59, type: !9, scopeLine: 59, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!266 = !DILocation(line: 31, column: 1, scope: !12, inlinedAt: !267)
!267 = distinct !DILocation(line: 60, column: 17, scope: !265)
!268 = !DILocation(line: 32, column: 1, scope: !16, inlinedAt: !269)
!269 = distinct !DILocation(line: 60, column: 30, scope: !265)
!270 = !DILocation(line: 60, column: 28, scope: !265)
!271 = !DILocation(line: 30, column: 1, scope: !20, inlinedAt: !272)
!272 = distinct !DILocation(line: 60, column: 43, scope: !265)
!273 = !DILocation(line: 60, column: 41, scope: !265)
!274 = !DILocation(line: 60, column: 13, scope: !265)
!275 = !DILocation(line: 61, column: 7, scope: !265)
!276 = !DILocation(line: 61, column: 11, scope: !265)
!277 = !DILocation(line: 61, column: 9, scope: !265)
!278 = !DILocation(line: 62, column: 14, scope: !265)
!279 = !DILocation(line: 62, column: 10, scope: !265)
!280 = !DILocation(line: 62, column: 21, scope: !265)
!281 = !DILocation(line: 62, column: 25, scope: !265)
!282 = !DILocation(line: 62, column: 23, scope: !265)
!283 = !DILocation(line: 62, column: 5, scope: !265)
!284 = !DILocation(line: 63, column: 21, scope: !265)
!285 = !DILocation(line: 63, column: 24, scope: !265)
!286 = !DILocation(line: 63, column: 28, scope: !265)
!287 = !DILocation(line: 63, column: 26, scope: !265)
!288 = !DILocation(line: 63, column: 32, scope: !265)
!289 = !DILocation(line: 63, column: 30, scope: !265)
!290 = !DILocation(line: 63, column: 37, scope: !265)
!291 = !DILocation(line: 63, column: 35, scope: !265)
!292 = !DILocation(line: 63, column: 45, scope: !265)
!293 = !DILocation(line: 63, column: 43, scope: !265)
!294 = !DILocation(line: 63, column: 13, scope: !265)
!295 = !DILocation(line: 64, column: 16, scope: !265)
!296 = !DILocation(line: 64, column: 12, scope: !265)
!297 = !DILocation(line: 64, column: 23, scope: !265)
!298 = !DILocation(line: 64, column: 27, scope: !265)
!299 = !DILocation(line: 64, column: 25, scope: !265)
!300 = !DILocation(line: 64, column: 7, scope: !265)
!301 = !DILocation(line: 65, column: 21, scope: !265)
!302 = !DILocation(line: 65, column: 24, scope: !265)
!303 = !DILocation(line: 65, column: 28, scope: !265)
!304 = !DILocation(line: 65, column: 26, scope: !265)
!305 = !DILocation(line: 65, column: 32, scope: !265)
!306 = !DILocation(line: 65, column: 30, scope: !265)
!307 = !DILocation(line: 65, column: 37, scope: !265)
!308 = !DILocation(line: 65, column: 35, scope: !265)
!309 = !DILocation(line: 65, column: 45, scope: !265)
!310 = !DILocation(line: 65, column: 43, scope: !265)
!311 = !DILocation(line: 65, column: 15, scope: !265)
!312 = !DILocation(line: 66, column: 18, scope: !265)
!313 = !DILocation(line: 66, column: 14, scope: !265)
!314 = !DILocation(line: 66, column: 25, scope: !265)
!315 = !DILocation(line: 66, column: 29, scope: !265)
!316 = !DILocation(line: 66, column: 27, scope: !265)
!317 = !DILocation(line: 66, column: 9, scope: !265)
!318 = !DILocation(line: 67, column: 18, scope: !265)
!319 = !DILocation(line: 67, column: 21, scope: !265)
!320 = !DILocation(line: 67, column: 25, scope: !265)
!321 = !DILocation(line: 67, column: 23, scope: !265)
!322 = !DILocation(line: 67, column: 29, scope: !265)
!323 = !DILocation(line: 67, column: 27, scope: !265)
!324 = !DILocation(line: 67, column: 34, scope: !265)
!325 = !DILocation(line: 67, column: 32, scope: !265)
!326 = !DILocation(line: 67, column: 42, scope: !265)
!327 = !DILocation(line: 67, column: 40, scope: !265)
!328 = !DILocation(line: 67, column: 47, scope: !265)
!329 = !DILocation(line: 67, column: 50, scope: !265)
!330 = !DILocation(line: 67, column: 54, scope: !265)
!331 = !DILocation(line: 67, column: 52, scope: !265)
!332 = !DILocation(line: 67, column: 58, scope: !265)
!333 = !DILocation(line: 67, column: 56, scope: !265)
!334 = !DILocation(line: 67, column: 63, scope: !265)
!335 = !DILocation(line: 67, column: 61, scope: !265)
!336 = !DILocation(line: 67, column: 71, scope: !265)
!337 = !DILocation(line: 67, column: 69, scope: !265)
!338 = !DILocation(line: 67, column: 45, scope: !265)
!339 = !DILocation(line: 67, column: 15, scope: !265)
!340 = !DILocation(line: 68, column: 9, scope: !265)
!341 = !DILocation(line: 66, column: 32, scope: !265)
!342 = distinct !{!342, !317, !340, !63}
!343 = !DILocation(line: 69, column: 38, scope: !265)
!344 = !DILocation(line: 69, column: 9, scope: !265)
!345 = !DILocation(line: 69, column: 12, scope: !265)
!346 = !DILocation(line: 69, column: 16, scope: !265)
!347 = !DILocation(line: 69, column: 14, scope: !265)
!348 = !DILocation(line: 69, column: 20, scope: !265)
!349 = !DILocation(line: 69, column: 18, scope: !265)
!350 = !DILocation(line: 69, column: 25, scope: !265)
!351 = !DILocation(line: 69, column: 23, scope: !265)
!352 = !DILocation(line: 69, column: 33, scope: !265)
!353 = !DILocation(line: 69, column: 31, scope: !265)
!354 = !DILocation(line: 69, column: 36, scope: !265)
!355 = !DILocation(line: 70, column: 7, scope: !265)
!356 = !DILocation(line: 64, column: 30, scope: !265)
!357 = distinct !{!357, !300, !355, !63}
!358 = !DILocation(line: 71, column: 16, scope: !265)
!359 = !DILocation(line: 71, column: 12, scope: !265)
!360 = !DILocation(line: 71, column: 23, scope: !265)
!361 = !DILocation(line: 71, column: 27, scope: !265)
!362 = !DILocation(line: 71, column: 25, scope: !265)
!363 = !DILocation(line: 71, column: 7, scope: !265)
!364 = !DILocation(line: 72, column: 30, scope: !265)
!365 = !DILocation(line: 72, column: 33, scope: !265)
!366 = !DILocation(line: 72, column: 37, scope: !265)
!367 = !DILocation(line: 72, column: 35, scope: !265)
!368 = !DILocation(line: 72, column: 41, scope: !265)
!369 = !DILocation(line: 72, column: 39, scope: !265)
!370 = !DILocation(line: 72, column: 46, scope: !265)
!371 = !DILocation(line: 72, column: 44, scope: !265)
!372 = !DILocation(line: 72, column: 54, scope: !265)
!373 = !DILocation(line: 72, column: 52, scope: !265)
!374 = !DILocation(line: 72, column: 21, scope: !265)
!375 = !DILocation(line: 73, column: 30, scope: !265)
!376 = !DILocation(line: 73, column: 39, scope: !265)
!377 = !DILocation(line: 73, column: 42, scope: !265)
!378 = !DILocation(line: 73, column: 46, scope: !265)
!379 = !DILocation(line: 73, column: 44, scope: !265)
!380 = !DILocation(line: 73, column: 50, scope: !265)
!381 = !DILocation(line: 73, column: 48, scope: !265)
!382 = !DILocation(line: 73, column: 55, scope: !265)
!383 = !DILocation(line: 73, column: 53, scope: !265)
!384 = !DILocation(line: 73, column: 63, scope: !265)
!385 = !DILocation(line: 73, column: 61, scope: !265)
!386 = !DILocation(line: 73, column: 37, scope: !265)
!387 = !DILocation(line: 73, column: 21, scope: !265)
!388 = !DILocation(line: 74, column: 18, scope: !265)
!389 = !DILocation(line: 74, column: 27, scope: !265)
!390 = !DILocation(line: 74, column: 25, scope: !265)
!391 = !DILocation(line: 74, column: 15, scope: !265)
!392 = !DILocation(line: 75, column: 38, scope: !265)
!393 = !DILocation(line: 75, column: 9, scope: !265)
!394 = !DILocation(line: 75, column: 12, scope: !265)
!395 = !DILocation(line: 75, column: 16, scope: !265)
!396 = !DILocation(line: 75, column: 14, scope: !265)
!397 = !DILocation(line: 75, column: 20, scope: !265)
!398 = !DILocation(line: 75, column: 18, scope: !265)
!399 = !DILocation(line: 75, column: 25, scope: !265)
!400 = !DILocation(line: 75, column: 23, scope: !265)
!401 = !DILocation(line: 75, column: 33, scope: !265)
!402 = !DILocation(line: 75, column: 31, scope: !265)
!403 = !DILocation(line: 75, column: 36, scope: !265)
!404 = !DILocation(line: 76, column: 7, scope: !265)
!405 = !DILocation(line: 71, column: 30, scope: !265)
!406 = distinct !{!406, !363, !404, !63}
!407 = !DILocation(line: 77, column: 36, scope: !265)
!408 = !DILocation(line: 77, column: 7, scope: !265)
!409 = !DILocation(line: 77, column: 10, scope: !265)
!410 = !DILocation(line: 77, column: 14, scope: !265)
!411 = !DILocation(line: 77, column: 12, scope: !265)
!412 = !DILocation(line: 77, column: 18, scope: !265)
!413 = !DILocation(line: 77, column: 16, scope: !265)
!414 = !DILocation(line: 77, column: 23, scope: !265)
!415 = !DILocation(line: 77, column: 21, scope: !265)
!416 = !DILocation(line: 77, column: 31, scope: !265)
!417 = !DILocation(line: 77, column: 29, scope: !265)
!418 = !DILocation(line: 77, column: 34, scope: !265)
!419 = !DILocation(line: 78, column: 5, scope: !265)
!420 = !DILocation(line: 62, column: 28, scope: !265)
!421 = distinct !{!421, !283, !419, !63}
!422 = !DILocation(line: 79, column: 3, scope: !265)
!423 = !DILocation(line: 80, column: 1, scope: !265)
!424 = distinct !DISubprogram(name: "trisolve_inverse", scope: !1, file: !1, line: 83, type: !9, scopeLine: 84, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!425 = !DILocation(line: 31, column: 1, scope: !12, inlinedAt: !426)
!426 = distinct !DILocation(line: 85, column: 17, scope: !424)
!427 = !DILocation(line: 32, column: 1, scope: !16, inlinedAt: !428)
!428 = distinct !DILocation(line: 85, column: 30, scope: !424)
!429 = !DILocation(line: 85, column: 28, scope: !424)
!430 = !DILocation(line: 30, column: 1, scope: !20, inlinedAt: !431)
!431 = distinct !DILocation(line: 85, column: 43, scope: !424)
!432 = !DILocation(line: 85, column: 41, scope: !424)
!433 = !DILocation(line: 85, column: 13, scope: !424)
!434 = !DILocation(line: 86, column: 7, scope: !424)
!435 = !DILocation(line: 86, column: 11, scope: !424)
!436 = !DILocation(line: 86, column: 9, scope: !424)
!437 = !DILocation(line: 87, column: 14, scope: !424)
!438 = !DILocation(line: 87, column: 10, scope: !424)
!439 = !DILocation(line: 87, column: 21, scope: !424)
!440 = !DILocation(line: 87, column: 25, scope: !424)
!441 = !DILocation(line: 87, column: 23, scope: !424)
!442 = !DILocation(line: 87, column: 5, scope: !424)
!443 = !DILocation(line: 88, column: 34, scope: !424)
!444 = !DILocation(line: 88, column: 37, scope: !424)
!445 = !DILocation(line: 88, column: 41, scope: !424)
!446 = !DILocation(line: 88, column: 39, scope: !424)
!447 = !DILocation(line: 88, column: 45, scope: !424)
!448 = !DILocation(line: 88, column: 43, scope: !424)
!449 = !DILocation(line: 88, column: 50, scope: !424)
!450 = !DILocation(line: 88, column: 48, scope: !424)
!451 = !DILocation(line: 88, column: 58, scope: !424)
!452 = !DILocation(line: 88, column: 56, scope: !424)
!453 = !DILocation(line: 88, column: 32, scope: !424)
!454 = !DILocation(line: 88, column: 19, scope: !424)
!455 = !DILocation(line: 89, column: 16, scope: !424)
!456 = !DILocation(line: 89, column: 12, scope: !424)
!457 = !DILocation(line: 89, column: 23, scope: !424)
!458 = !DILocation(line: 89, column: 27, scope: !424)
!459 = !DILocation(line: 89, column: 25, scope: !424)
!460 = !DILocation(line: 89, column: 7, scope: !424)
!461 = !DILocation(line: 90, column: 15, scope: !424)
!462 = !DILocation(line: 91, column: 22, scope: !424)
!463 = !DILocation(line: 91, column: 18, scope: !424)
!464 = !DILocation(line: 91, column: 14, scope: !424)
!465 = !DILocation(line: 91, column: 25, scope: !424)
!466 = !DILocation(line: 91, column: 29, scope: !424)
!467 = !DILocation(line: 91, column: 27, scope: !424)
!468 = !DILocation(line: 91, column: 9, scope: !424)
!469 = !DILocation(line: 92, column: 18, scope: !424)
!470 = !DILocation(line: 92, column: 21, scope: !424)
!471 = !DILocation(line: 92, column: 25, scope: !424)
!472 = !DILocation(line: 92, column: 23, scope: !424)
!473 = !DILocation(line: 92, column: 29, scope: !424)
!474 = !DILocation(line: 92, column: 27, scope: !424)
!475 = !DILocation(line: 92, column: 34, scope: !424)
!476 = !DILocation(line: 92, column: 32, scope: !424)
!477 = !DILocation(line: 92, column: 42, scope: !424)
!478 = !DILocation(line: 92, column: 40, scope: !424)
!479 = !DILocation(line: 92, column: 47, scope: !424)
!480 = !DILocation(line: 92, column: 50, scope: !424)
!481 = !DILocation(line: 92, column: 54, scope: !424)
!482 = !DILocation(line: 92, column: 52, scope: !424)
!483 = !DILocation(line: 92, column: 58, scope: !424)
!484 = !DILocation(line: 92, column: 56, scope: !424)
!485 = !DILocation(line: 92, column: 63, scope: !424)
!486 = !DILocation(line: 92, column: 61, scope: !424)
!487 = !DILocation(line: 92, column: 71, scope: !424)
!488 = !DILocation(line: 92, column: 69, scope: !424)
!489 = !DILocation(line: 92, column: 45, scope: !424)
!490 = !DILocation(line: 92, column: 15, scope: !424)
!491 = !DILocation(line: 93, column: 9, scope: !424)
!492 = !DILocation(line: 91, column: 32, scope: !424)
!493 = distinct !{!493, !468, !491, !63}
!494 = !DILocation(line: 94, column: 38, scope: !424)
!495 = !DILocation(line: 94, column: 44, scope: !424)
!496 = !DILocation(line: 94, column: 42, scope: !424)
!497 = !DILocation(line: 94, column: 9, scope: !424)
!498 = !DILocation(line: 94, column: 12, scope: !424)
!499 = !DILocation(line: 94, column: 16, scope: !424)
!500 = !DILocation(line: 94, column: 14, scope: !424)
!501 = !DILocation(line: 94, column: 20, scope: !424)
!502 = !DILocation(line: 94, column: 18, scope: !424)
!503 = !DILocation(line: 94, column: 25, scope: !424)
!504 = !DILocation(line: 94, column: 23, scope: !424)
!505 = !DILocation(line: 94, column: 33, scope: !424)
!506 = !DILocation(line: 94, column: 31, scope: !424)
!507 = !DILocation(line: 94, column: 36, scope: !424)
!508 = !DILocation(line: 95, column: 7, scope: !424)
!509 = !DILocation(line: 89, column: 30, scope: !424)
!510 = distinct !{!510, !460, !508, !63}
!511 = !DILocation(line: 96, column: 36, scope: !424)
!512 = !DILocation(line: 96, column: 7, scope: !424)
!513 = !DILocation(line: 96, column: 10, scope: !424)
!514 = !DILocation(line: 96, column: 14, scope: !424)
!515 = !DILocation(line: 96, column: 12, scope: !424)
!516 = !DILocation(line: 96, column: 18, scope: !424)
!517 = !DILocation(line: 96, column: 16, scope: !424)
!518 = !DILocation(line: 96, column: 23, scope: !424)
!519 = !DILocation(line: 96, column: 21, scope: !424)
!520 = !DILocation(line: 96, column: 31, scope: !424)
!521 = !DILocation(line: 96, column: 29, scope: !424)
!522 = !DILocation(line: 96, column: 34, scope: !424)
!523 = !DILocation(line: 97, column: 5, scope: !424)
!524 = !DILocation(line: 87, column: 28, scope: !424)
!525 = distinct !{!525, !442, !523, !63}
!526 = !DILocation(line: 98, column: 3, scope: !424)
!527 = !DILocation(line: 99, column: 1, scope: !424)
