target datalayout = "e-p:64:64-p1:64:64-p3:32:32-p7:160:256:256:32-p8:128:128"
target triple = "amdgcn-amd-amdhsa"

@large = addrspace(1) global [9223372036854775807 x i8] zeroinitializer

define amdgpu_kernel void @wide(ptr addrspace(1) %p) {
  %v = load i32, ptr addrspace(1) @large
  store i32 %v, ptr addrspace(1) %p
  %q = addrspacecast ptr addrspace(1) %p to ptr addrspace(7)
  store i32 1, ptr addrspace(7) %q
  %c = icmp eq ptr addrspace(7) %q, null
  %two = addrspacecast <2 x ptr addrspace(7)> undef to <2 x ptr addrspace(1)>
  ret void
}
