target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spir64-unknown-unknown"
@__spirv_BuiltInGlobalInvocationId = external addrspace(1) constant <3 x i64>, align 32
@__spirv_BuiltInWorkgroupId = external addrspace(1) constant <3 x i64>, align 32
@__spirv_BuiltInWorkgroupSize = external addrspace(1) constant <3 x i64>, align 32
@__spirv_BuiltInLocalInvocationIndex = external addrspace(1) constant i64, align 8
@__spirv_BuiltInSubgroupLocalInvocationId = external addrspace(1) constant i32, align 4
; each through another way to the variable: an element by its offset, a low word, a generic address
define spir_kernel void @variables(ptr addrspace(1) %out) {
  %y = load i64, ptr addrspace(1) getelementptr inbounds (i8, ptr addrspace(1) @__spirv_BuiltInGlobalInvocationId, i64 8), align 8
  %x = load i32, ptr addrspace(1) @__spirv_BuiltInGlobalInvocationId, align 32
  %generic = addrspacecast ptr addrspace(1) @__spirv_BuiltInWorkgroupId to ptr addrspace(4)
  %p = getelementptr inbounds <3 x i64>, ptr addrspace(4) %generic, i64 0, i64 1
  %wy = load i64, ptr addrspace(4) %p, align 8
  %size = load <3 x i64>, ptr addrspace(4) addrspacecast (ptr addrspace(1) @__spirv_BuiltInWorkgroupSize to ptr addrspace(4)), align 32
  %sx = extractelement <3 x i64> %size, i64 0
  %index = load i64, ptr addrspace(1) @__spirv_BuiltInLocalInvocationIndex, align 8
  %lane = load i32, ptr addrspace(1) @__spirv_BuiltInSubgroupLocalInvocationId, align 4
  %lane64 = zext i32 %lane to i64
  %a = mul i64 %y, 1000000
  %b = mul i64 %wy, 100000
  %c = mul i64 %sx, 1000
  %d = add i64 %a, %b
  %e = add i64 %d, %c
  %f = add i64 %e, %index
  %g = mul i64 %lane64, 0
  %h = add i64 %f, %g
  %v = trunc i64 %h to i32
  %row = mul i64 %y, 8
  %x64 = zext i32 %x to i64
  %at = add i64 %row, %x64
  %to = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %at
  store i32 %v, ptr addrspace(1) %to, align 4
  ret void
}
define spir_kernel void @functions(ptr addrspace(1) %x, ptr addrspace(1) %out) {
  %i = call spir_func i64 @_Z28__spirv_GlobalInvocationId_xv()
  %from = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %i
  %v = load i32, ptr addrspace(1) %from, align 4
  %sum = call spir_func i32 @_Z17__spirv_GroupIAddjjj(i32 3, i32 0, i32 %v)
  %scan = call spir_func i32 @_Z27__spirv_GroupNonUniformIAddiij(i32 3, i32 2, i32 %v)
  %other = call spir_func i32 @_Z33__spirv_GroupNonUniformShuffleXorijj(i32 3, i32 %v, i32 1)
  call spir_func void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 272)
  call spir_func void @_Z21__spirv_MemoryBarrierjj(i32 1, i32 272)
  %most = call spir_func i32 @_Z17__spirv_ocl_s_maxii(i32 %scan, i32 %other)
  %ballot = call spir_func <4 x i32> @_Z29__spirv_GroupNonUniformBallotjb(i32 3, i1 true)
  %word = extractelement <4 x i32> %ballot, i32 0
  %n = call i32 @llvm.ctpop.i32(i32 %word)
  %a = mul i32 %sum, %n
  %r = add i32 %a, %most
  %to = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %i
  store i32 %r, ptr addrspace(1) %to, align 4
  %end = getelementptr inbounds i32, ptr addrspace(1) %out, i64 64
  %old = call spir_func i32 @_Z18__spirv_AtomicIAddPU3AS1iN5__spv5Scope4FlagENS1_19MemorySemanticsMask4FlagEi(ptr addrspace(1) %end, i32 1, i32 896, i32 2)
  ret void
}
; an element that only data decide: nothing tells which
define spir_kernel void @chosen(ptr addrspace(1) %out, i64 %n) {
  %p = getelementptr inbounds [3 x i64], ptr addrspace(1) @__spirv_BuiltInWorkgroupId, i64 0, i64 %n
  %v = load i64, ptr addrspace(1) %p, align 8
  store i64 %v, ptr addrspace(1) %out, align 8
  ret void
}
declare spir_func i64 @_Z28__spirv_GlobalInvocationId_xv()
declare spir_func i32 @_Z17__spirv_GroupIAddjjj(i32, i32, i32)
declare spir_func i32 @_Z27__spirv_GroupNonUniformIAddiij(i32, i32, i32)
declare spir_func i32 @_Z33__spirv_GroupNonUniformShuffleXorijj(i32, i32, i32)
declare spir_func void @_Z22__spirv_ControlBarrieriii(i32, i32, i32)
declare spir_func void @_Z21__spirv_MemoryBarrierjj(i32, i32)
declare spir_func i32 @_Z17__spirv_ocl_s_maxii(i32, i32)
declare spir_func <4 x i32> @_Z29__spirv_GroupNonUniformBallotjb(i32, i1)
declare i32 @llvm.ctpop.i32(i32)
declare spir_func i32 @_Z18__spirv_AtomicIAddPU3AS1iN5__spv5Scope4FlagENS1_19MemorySemanticsMask4FlagEi(ptr addrspace(1), i32, i32, i32)
