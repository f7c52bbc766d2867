; Constructs that device code may have and compilers seldom write.
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @odd(ptr addrspace(1) %p, i24 %a, i48 %b, i128 %c, i256 %d, <8 x i1> %m, <4 x i3> %t, i1 %q) {
  %x = load i24, ptr addrspace(1) %p, align 4
  %y = add i24 %x, %a
  store i24 %y, ptr addrspace(1) %p, align 1
  %z = load i256, ptr addrspace(1) %p, align 32
  %z1 = lshr i256 %z, 100
  %z2 = trunc i256 %z1 to i64
  %z3 = shl i256 %d, 64
  %z4 = or i256 %z3, %z
  %sh = zext i24 %x to i256
  %z5 = ashr i256 %z4, %sh
  store i256 %z5, ptr addrspace(1) %p, align 8
  %m2 = load <8 x i1>, ptr addrspace(1) %p
  %m3 = and <8 x i1> %m, %m2
  store <8 x i1> %m3, ptr addrspace(1) %p
  %mi = bitcast <8 x i1> %m3 to i8
  %mb = bitcast i8 %mi to <8 x i1>
  %t2 = load <4 x i3>, ptr addrspace(1) %p
  %t3 = add <4 x i3> %t2, %t
  store <4 x i3> %t3, ptr addrspace(1) %p
  %i12 = bitcast <4 x i3> %t3 to i12
  %c2 = mul i128 %c, 340282366920938463463374607431768211455
  %c3 = sub i128 %c2, %c
  %v = bitcast i128 %c3 to <4 x float>
  %w = bitcast <4 x float> %v to i128
  %cm = icmp slt i128 %w, %c
  %cs = select i1 %cm, i128 %w, i128 -5
  %fp = sitofp i128 %cs to double
  %s3 = sext i48 %b to i128
  %cc = icmp eq i128 %s3, %cs
  %i100 = trunc i128 %s3 to i100
  %i101 = ashr i100 %i100, 3
  %i102 = sdiv i24 %y, 7
  %i103 = srem i48 %b, 9
  %i104 = icmp sgt i24 %i102, -3
  %u = uitofp i24 %y to float
  %mm = call i24 @llvm.smax.i24(i24 %x, i24 %y)
  %mn = call i24 @llvm.ctlz.i24(i24 %mm, i1 false)
  %br = call i24 @llvm.bitreverse.i24(i24 %mn)
  %bs = call i48 @llvm.bswap.i48(i48 %b)
  %sa = call i24 @llvm.sadd.sat.i24(i24 %mn, i24 %br)
  %ov = call {i24, i1} @llvm.uadd.with.overflow.i24(i24 %mn, i24 %br)
  %fr = freeze i128 %s3
  store i128 %fr, ptr addrspace(1) %p
  %vv = load <2 x i128>, ptr addrspace(1) %p
  %va = add <2 x i128> %vv, splat (i128 1)
  store <2 x i128> %va, ptr addrspace(1) %p
  %old = cmpxchg ptr addrspace(1) %p, i128 %c, i128 %fr seq_cst seq_cst
  %la = load atomic i32, ptr addrspace(1) %p syncscope("agent") seq_cst, align 4
  %ls = load volatile <3 x i8>, ptr addrspace(1) %p, align 1
  %sw = trunc i24 %x to i3
  switch i3 %sw, label %a1 [ i3 -1, label %a2
   i3 2, label %a3 ]
a1:
  ret void
a2:
  unreachable
a3:
  ret void
}
declare i24 @llvm.smax.i24(i24,i24)
declare i24 @llvm.ctlz.i24(i24,i1)
declare i24 @llvm.bitreverse.i24(i24)
declare i48 @llvm.bswap.i48(i48)
declare i24 @llvm.sadd.sat.i24(i24,i24)
declare {i24,i1} @llvm.uadd.with.overflow.i24(i24,i24)
define ptx_kernel void @ptrs(<4 x ptr addrspace(1)> %ps, ptr addrspace(1) %p, <4 x i64> %i, i32 %n, <4 x i1> %m, <4 x float> %v, half %h, bfloat %bf) {
  %g = getelementptr float, <4 x ptr addrspace(1)> %ps, <4 x i64> %i
  %g2 = getelementptr float, ptr addrspace(1) %p, <4 x i64> %i
  %ga = call <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)> %g, i32 4, <4 x i1> %m, <4 x float> %v)
  call void @llvm.masked.scatter.v4f32.v4p1(<4 x float> %ga, <4 x ptr addrspace(1)> %g2, i32 4, <4 x i1> %m)
  %ml = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) %p, i32 4, <4 x i1> <i1 1, i1 0, i1 1, i1 1>, <4 x float> %v)
  call void @llvm.masked.store.v4f32.p1(<4 x float> %ml, ptr addrspace(1) %p, i32 4, <4 x i1> %m)
  %e = extractelement <4 x float> %ml, i32 %n
  %ins = insertelement <4 x float> %ml, float %e, i32 %n
  %sv = shufflevector <4 x float> %ins, <4 x float> poison, <8 x i32> <i32 0, i32 poison, i32 3, i32 3, i32 1, i32 1, i32 1, i32 0>
  %r = call float @llvm.vector.reduce.fadd.v8f32(float 0.0, <8 x float> %sv)
  %r2 = call i32 @llvm.vector.reduce.umax.v4i32(<4 x i32> zeroinitializer)
  %ac = addrspacecast <4 x ptr addrspace(1)> %ps to <4 x ptr>
  %pi = ptrtoint <4 x ptr> %ac to <4 x i64>
  %nf = frem float %r, 3.0
  %ng = fneg <4 x float> %ins
  store <4 x ptr addrspace(1)> %ps, ptr addrspace(1) %p
  %lp = load <2 x ptr>, ptr addrspace(1) %p
  %dyn = alloca float, i32 %n, align 4
  store float %nf, ptr %dyn
  %ss = call ptr @llvm.stacksave.p0()
  call void @llvm.stackrestore.p0(ptr %ss)
  %ld = call float @llvm.ldexp.f32.i32(float %r, i32 %n)
  %isf = call i1 @llvm.is.fpclass.f16(half %h, i32 261)
  %nd = atomicrmw nand ptr addrspace(1) %p, i32 %n seq_cst
  %ui = atomicrmw uinc_wrap ptr addrspace(1) %p, i32 %n seq_cst
  %uc = atomicrmw usub_cond ptr addrspace(1) %p, i32 %n seq_cst
  %us = atomicrmw usub_sat ptr addrspace(1) %p, i16 7 seq_cst
  %fm = atomicrmw fmaximum ptr addrspace(1) %p, float %r seq_cst
  %fx = atomicrmw fmax ptr addrspace(1) %p, double 1.0 seq_cst
  %fa = atomicrmw fadd ptr addrspace(1) %p, <2 x half> splat (half 1.0) seq_cst
  %xp = atomicrmw xchg ptr addrspace(1) %p, ptr null seq_cst
  %x8 = atomicrmw add ptr addrspace(1) %p, i8 1 seq_cst
  %c8 = cmpxchg weak ptr addrspace(1) %p, i8 1, i8 2 monotonic monotonic
  %cp = cmpxchg ptr addrspace(1) %p, ptr null, ptr null acq_rel monotonic
  %bb = fadd bfloat %bf, %bf
  %cx = call bfloat @llvm.maximum.bf16(bfloat %bb, bfloat %bf)
  %agg = insertvalue {i32, [2 x <2 x i16>]} poison, <2 x i16> <i16 1, i16 2>, 1, 1
  %ag2 = freeze {i32, [2 x <2 x i16>]} %agg
  %ag3 = extractvalue {i32, [2 x <2 x i16>]} %ag2, 1
  br i1 %isf, label %f1, label %f2
f1:
  %ph = phi [2 x <2 x i16>] [ %ag3, %0 ]
  store [2 x <2 x i16>] %ph, ptr addrspace(1) %p
  ret void
f2:
  call void @llvm.memset.inline.p1.i64(ptr addrspace(1) %p, i8 0, i64 16, i1 false)
  call void @llvm.memcpy.inline.p1.p1.i64(ptr addrspace(1) %p, ptr addrspace(1) %p, i64 7, i1 false)
  ret void
}
declare <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)>, i32, <4 x i1>, <4 x float>)
declare void @llvm.masked.scatter.v4f32.v4p1(<4 x float>, <4 x ptr addrspace(1)>, i32, <4 x i1>)
declare <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1), i32, <4 x i1>, <4 x float>)
declare void @llvm.masked.store.v4f32.p1(<4 x float>, ptr addrspace(1), i32, <4 x i1>)
declare float @llvm.vector.reduce.fadd.v8f32(float, <8 x float>)
declare i32 @llvm.vector.reduce.umax.v4i32(<4 x i32>)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare float @llvm.ldexp.f32.i32(float,i32)
declare i1 @llvm.is.fpclass.f16(half, i32)
declare bfloat @llvm.maximum.bf16(bfloat,bfloat)
declare void @llvm.memset.inline.p1.i64(ptr addrspace(1), i8, i64, i1)
declare void @llvm.memcpy.inline.p1.p1.i64(ptr addrspace(1),ptr addrspace(1), i64, i1)
define ptx_kernel void @nv(i64 %t, float %x, i32 %i, ptr addrspace(3) %s, ptr %g, <2 x half> %h2, float %f) {
  %r = call {float,float,float,float} @llvm.nvvm.tex.unified.2d.v4f32.f32(i64 %t, float %x, float %x)
  %r2 = call {i32,i32,i32,i32} @llvm.nvvm.tex.unified.3d.v4s32.s32(i64 %t, i32 %i, i32 %i, i32 %i)
  %s2 = call i32 @llvm.nvvm.suld.2d.i32.trap(i64 %t, i32 %i, i32 %i)
  call void @llvm.nvvm.sust.b.2d.v2i32.clamp(i64 %t, i32 %i, i32 %i, i32 %i, i32 %i)
  %l4 = call {i32,i32,i32,i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3) %s)
  %m = call {<2 x half>,<2 x half>} @llvm.nvvm.mma.m16n8k16.row.col.f16.f16(<2 x half> %h2,<2 x half> %h2,<2 x half> %h2,<2 x half> %h2,<2 x half> %h2,<2 x half> %h2,<2 x half> %h2,<2 x half> %h2)
  %m2 = call {float,float,float,float} @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32 %i,i32 %i,i32 %i,i32 %i,i32 %i,i32 %i,float %f,float %f,float %f,float %f)
  %m3 = call {i32,i32,i32,i32} @llvm.nvvm.mma.m16n8k32.row.col.satfinite.s8(i32 %i,i32 %i,i32 %i,i32 %i,i32 %i,i32 %i,i32 %i,i32 %i,i32 %i,i32 %i)
  %ci = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.x()
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  call void @llvm.nvvm.fence.proxy.alias()
  %q = call i1 @llvm.nvvm.isspacep.shared.cluster(ptr %g)
  %rf = call i32 @llvm.nvvm.redux.sync.umin(i32 %i, i32 -1)
  %el = call {i32,i1} @llvm.nvvm.elect.sync(i32 -1)
  %b = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %q)
  ret void
}
declare {float,float,float,float} @llvm.nvvm.tex.unified.2d.v4f32.f32(i64,float,float)
declare {i32,i32,i32,i32} @llvm.nvvm.tex.unified.3d.v4s32.s32(i64,i32,i32,i32)
declare i32 @llvm.nvvm.suld.2d.i32.trap(i64,i32,i32)
declare void @llvm.nvvm.sust.b.2d.v2i32.clamp(i64,i32,i32,i32,i32)
declare {i32,i32,i32,i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3))
declare {<2 x half>,<2 x half>} @llvm.nvvm.mma.m16n8k16.row.col.f16.f16(<2 x half>,<2 x half>,<2 x half>,<2 x half>,<2 x half>,<2 x half>,<2 x half>,<2 x half>)
declare {float,float,float,float} @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32,i32,i32,i32,i32,i32,float,float,float,float)
declare {i32,i32,i32,i32} @llvm.nvvm.mma.m16n8k32.row.col.satfinite.s8(i32,i32,i32,i32,i32,i32,i32,i32,i32,i32)
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.x()
declare void @llvm.nvvm.barrier.cluster.arrive.aligned()
declare void @llvm.nvvm.barrier.cluster.wait.aligned()
declare void @llvm.nvvm.fence.proxy.alias()
declare i1 @llvm.nvvm.isspacep.shared.cluster(ptr)
declare i32 @llvm.nvvm.redux.sync.umin(i32,i32)
declare {i32,i1} @llvm.nvvm.elect.sync(i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32,i1)
