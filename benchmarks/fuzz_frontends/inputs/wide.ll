; Many kinds of statement in few lines, for damage to begin at.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%pair = type { i32, [4 x double], <2 x half> }

@tile = internal addrspace(3) global [16 x [16 x float]] undef, align 4
@table = internal addrspace(4) constant [5 x i32] [i32 1, i32 -2, i32 3, i32 4, i32 5], align 4
@mixed = addrspace(1) global { i8, float, ptr } { i8 7, float 0x3FF8000000000000, ptr null }, align 8
@words = private unnamed_addr constant [8 x i8] c"n = %d\0A\00", align 1

define internal float @blend(float %a, float %b, i1 %choose) #1 {
  %sum = fadd fast float %a, %b
  %product = fmul float %a, 2.5
  %result = select i1 %choose, float %sum, float %product
  ret float %result
}

define ptx_kernel void @wide(ptr addrspace(1) noalias %p, ptr %q, i32 %n, i64 %l, float %f, <4 x float> %v, ptr byval(%pair) align 8 %s) #0 {
entry:
  %tid = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cta = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %wide = sext i32 %tid to i64
  %place = getelementptr inbounds float, ptr addrspace(1) %p, i64 %wide
  %loaded = load <4 x float>, ptr addrspace(1) %place, align 16, !invariant.load !3
  %lane = extractelement <4 x float> %loaded, i32 1
  %put = insertelement <4 x float> %v, float %lane, i32 2
  %mix = shufflevector <4 x float> %put, <4 x float> poison, <2 x i32> <i32 3, i32 0>
  %sums = fadd <4 x float> %loaded, splat (float 1.000000e+00)
  %field = getelementptr inbounds %pair, ptr %s, i64 0, i32 1, i64 2
  %double = load double, ptr %field, align 8
  %narrow = fptrunc double %double to float
  %generic = addrspacecast ptr addrspace(1) %p to ptr
  %bits = bitcast float %narrow to i32
  %whole = ptrtoint ptr %generic to i64
  switch i32 %n, label %loop [
    i32 0, label %done
    i32 7, label %atomics
    i32 -1, label %barrier
  ], !prof !4

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %acc = phi float [ %f, %entry ], [ %more, %loop ]
  %row = shl nuw nsw i32 %i, 4
  %cell = getelementptr inbounds [16 x [16 x float]], ptr addrspace(3) @tile, i32 0, i32 %tid, i32 %row
  %value = load float, ptr addrspace(3) %cell, align 4
  %more = call float @llvm.fma.f32(float %value, float %lane, float %acc)
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %barrier, !llvm.loop !5

barrier:
  %from = phi float [ %narrow, %entry ], [ %more, %loop ]
  store float %from, ptr addrspace(3) @tile, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %blended = call float @blend(float %from, float %lane, i1 true)
  %root = call float @llvm.sqrt.f32(float %blended)
  %most = call i32 @llvm.umax.i32(i32 %tid, i32 %bits)
  br label %atomics

atomics:
  %what = phi i32 [ %cta, %entry ], [ %most, %barrier ]
  %old = atomicrmw add ptr addrspace(1) %p, i32 %what syncscope("agent") monotonic, align 4
  %swapped = cmpxchg ptr %q, i32 %old, i32 %n acq_rel monotonic, align 4
  %first = extractvalue { i32, i1 } %swapped, 0
  %rest = urem i32 %first, 10
  %long = zext nneg i32 %rest to i64
  %order = fcmp ogt float %lane, 0x7FF0000000000000
  %picked = select i1 %order, i64 %long, i64 %l
  %slot = getelementptr i8, ptr addrspace(1) %p, i64 %picked
  store i64 %whole, ptr addrspace(1) %slot, align 8
  %constant = load i32, ptr addrspace(4) getelementptr inbounds ([5 x i32], ptr addrspace(4) @table, i64 0, i64 3), align 4
  %clock = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %said = call i32 @vprintf(ptr @words, ptr null)
  fence syncscope("block") seq_cst
  br label %done

done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.sqrt.f32(float)
declare i32 @llvm.umax.i32(i32, i32)
declare i32 @vprintf(ptr, ptr)

attributes #0 = { convergent nounwind "nvvm.maxntid"="256,1,1" "target-cpu"="sm_80" "target-features"="+ptx83,+sm_80" }
attributes #1 = { alwaysinline nounwind }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0}
!llvm.ident = !{!1}
!nvvm.annotations = !{!2}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{!"a compiler version 1.0"}
!2 = !{ptr @wide, !"maxntidx", i32 256}
!3 = !{}
!4 = !{!"branch_weights", i32 1, i32 2, i32 3, i32 4}
!5 = distinct !{!5, !6}
!6 = !{!"llvm.loop.mustprogress"}
