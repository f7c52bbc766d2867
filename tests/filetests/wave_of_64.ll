; test: branches, accesses, trace
; launch: grid 2x1x1 block 96x1x1 args 65536B, 5
; Waves of 64 lanes, the second half full; the first n lanes of a wave go through a loop.
target datalayout = "e-p:64:64-p1:64:64-p3:32:32-p4:64:64-p5:32:32-p8:128:128-A5"
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @wave_of_64(ptr addrspace(1) %data, i32 %n) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %lane = and i32 %id, 63
  %first = mul i32 %group, 96
  %at = add i32 %first, %id
  %inside = icmp ult i32 %lane, %n
  br i1 %inside, label %loop, label %end        ; if and(tid.x, 63) < n (by argument, thread id)

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %row = shl i32 %i, 8
  %place = add i32 %row, %at
  %wide = zext i32 %place to i64
  %address = getelementptr inbounds i32, ptr addrspace(1) %data, i64 %wide
  store i32 %i, ptr addrspace(1) %address, align 4 ; contiguous global 4 B: +4/lane +1024/iteration
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 7
  br i1 %again, label %loop, label %end         ; if i(loop) + 1 < 7 (by loop counter)

end:
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
