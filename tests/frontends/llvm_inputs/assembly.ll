; Straight kernels with inline assembly. What they compute is compared with LLVM's own back end.
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k_tied(ptr addrspace(1) %p, i32 %x, i32 %y) {
  %r = call i32 asm "mad.lo.s32 $0, $1, $2, $0;", "=r,r,r,0"(i32 %x, i32 5, i32 %y)
  store i32 %r, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @k_tied_by_its_own_name(ptr addrspace(1) %p, i32 %x, i32 %y) {
  %r = call i32 asm "mad.lo.s32 $0, $1, $2, $3;", "=&r,r,r,0"(i32 %x, i32 5, i32 %y)
  store i32 %r, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @k_tied_crosswise(ptr addrspace(1) %p, i32 %x, i32 %y) {
  %m = call { i32, i32 } asm "sub.s32 $0, $0, $1; sub.s32 $1, $1, $0;", "=&r,=&r,1,0"(i32 %x, i32 %y)
  %a = extractvalue { i32, i32 } %m, 0
  %b = extractvalue { i32, i32 } %m, 1
  %r = sub i32 %b, %a
  store i32 %r, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @k_tied_written_twice(ptr addrspace(1) %p, double %d) {
  %r = call double asm "{ add.f64 $0, $1, $0; mul.f64 $0, $0, $1; }", "=d,d,0"(double %d, double 3.0)
  %b = bitcast double %r to i64
  store i64 %b, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @k_accumulators(ptr addrspace(1) %p, float %f, float %g, i32 %x, i32 %y) {
  %m = call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %f, float %g, float %f, float 0.0, i32 %x, i32 %y, i32 %y, i32 0, i32 %x, i32 7)
  %n = extractvalue { float, float, float, float } %m, 1
  %a = extractvalue { float, float, float, float } %m, 2
  %k = call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {$0,$1,$2,$3}, {$4,$5,$6,$7}, {$8,$9}, {$0,$1,$2,$3};\0A", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %x, i32 %y, i32 %y, i32 0, i32 %x, float %f, float %a, float %n, float %n, float %a)
  %r = extractvalue { float, float, float, float } %k, 3
  %b = bitcast float %r to i32
  store i32 %b, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @k_constants(ptr addrspace(1) %p, i32 %x, float %g) {
  %s = call i32 asm "shf.r.wrap.b32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %x, i32 -3, i32 24)
  %f = call float asm "fma.rn.f32 $0, $1, $2, $1;", "=f,f,f"(float 2.0, float %g)
  %r = call i32 asm "{ .reg .b32 t; add.u32 t, $1, 1; xor.b32 $0, t, $2; }", "=r,r,r"(i32 %s, float %f)
  store i32 %r, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @k_words(ptr addrspace(1) %p, i32 %x, i32 %y, i64 %l) {
  %m = call { i32, i32 } asm "mov.b64 {$0, $1}, $2;", "=r,=r,l"(i64 %l)
  %a = extractvalue { i32, i32 } %m, 1
  %c = call i32 asm "popc.b32 $0, $1;", "=r,r"(i32 %a)
  %r = call i64 asm "mov.b64 $0, {$2, $1};", "=l,r,r"(i32 %c, i32 %y)
  store i64 %r, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @k_guarded(ptr addrspace(1) %p, i32 %x, i32 %y, float %f) {
  %c = icmp slt i32 %x, %y
  %r = call i32 asm sideeffect "mov.u32 $0, $1;\0A\09@!$3 ld.global.b32 { $0 }, [ $2 + 12 ];", "=r,r,l,b"(i32 %x, ptr addrspace(1) %p, i1 %c)
  call void asm sideeffect "@$2 st.global.v2.b32 [ $3 + 0 ], { $0, $1 };", "r,r,b,l"(i32 %r, float %f, i1 %c, ptr addrspace(1) %p)
  %b = call i32 asm "bar.red.popc.u32 $0, 1, $2, $1;", "=r,b,n"(i1 true, i32 64)
  store i32 %b, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @k_copies(ptr addrspace(1) %p, i32 %x) {
  call void asm sideeffect "cp.async.cg.shared.global [ $0 + 4 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(i32 %x, ptr addrspace(1) %p, i32 16)
  call void asm sideeffect "cp.async.ca.shared.global [$0], [$1], $2, $3;", "r,l,n,n,~{memory}"(i32 %x, ptr addrspace(1) %p, i32 8, i32 4)
  call void asm sideeffect "cp.async.wait_group $0;", "n"(i32 0)
  %r = call i32 asm "mov.u32 $0, %laneid;", "=r"()
  store i32 %r, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @k_in_memory(ptr addrspace(1) %p, i32 %y) {
  call void asm sideeffect "st.global.u32 $0, $1;", "=*m,r"(ptr addrspace(1) elementtype(i32) %p, i32 %y)
  %r = call i32 asm sideeffect "ld.global.u32 $0, $1;", "=r,*m"(ptr addrspace(1) elementtype(i32) %p)
  store i32 %r, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @k_halves(ptr addrspace(1) %p, half %h, half %g, i32 %x) {
  %v0 = insertelement <2 x half> poison, half %h, i32 0
  %v1 = insertelement <2 x half> %v0, half %g, i32 1
  %v = call <2 x half> asm "fma.rn.f16x2 $0, $1, $2, $1;", "=r,r,r"(<2 x half> %v1, i32 %x)
  %w = call <2 x half> asm "add.f16x2 $0, $1, $2;", "=r,r,r"(<2 x half> %v, <2 x half> <half 1.0, half 2.0>)
  %r = bitcast <2 x half> %w to i32
  store i32 %r, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @k_scopes(ptr addrspace(1) %p, i32 %x) {
  call void asm sideeffect "{", ""()
  %a = call i32 asm sideeffect "{ .reg .u32 t<3>; add.u32 t1, $1, $1; add.u32 $0, t1, $1; }", "=r,r"(i32 %x)
  call void asm sideeffect "}", ""()
  %r = call i32 asm sideeffect "{ .reg .u32 t; mul.lo.u32 t, $1, $2; /* $$ */ add.u32 ${0:r}, t, $1; }", "=r,r,r"(i32 %a, i32 %a)
  store i32 %r, ptr addrspace(1) %p
  ret void
}
