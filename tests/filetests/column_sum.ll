; test: cfg, loops, branches, accesses, trace
; launch: grid 1x1x1 block 40x1x1 args 65536B, 36, 3
; Each thread of a row below n adds down its column; the sum and the counter are phis.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @column_sum(ptr addrspace(1) %data, i32 %n, i32 %rows) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x() ; block entry: to end start, meet at end
  %inside = icmp ult i32 %tid, %n
  br i1 %inside, label %start, label %end       ; if tid.x < n (by argument, thread id)

start:
  %any = icmp sgt i32 %rows, 0                  ; block start: to store loop, meet at store
  br i1 %any, label %loop, label %store         ; if rows > 0 (by argument)

loop:
  %i = phi i32 [ 0, %start ], [ %next, %loop ]
  %sum = phi i32 [ 0, %start ], [ %more, %loop ]
  %row = mul nsw i32 %i, %n                     ; block loop: to store loop, meet at store   loop depth 1, tested at its end, trips max(1, rows)
  %at = add nsw i32 %row, %tid
  %wide = sext i32 %at to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %data, i64 %wide
  %value = load i32, ptr addrspace(1) %place, align 4 ; contiguous global 4 B: +4/lane ?/iteration
  %more = add i32 %sum, %value
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %rows
  br i1 %again, label %loop, label %store       ; if i(loop) + 1 < rows (by argument, loop counter)

store:
  %total = phi i32 [ 0, %start ], [ %more, %loop ]
  %column = zext i32 %tid to i64                ; block store: to end
  %out = getelementptr inbounds i32, ptr addrspace(1) %data, i64 %column
  store i32 %total, ptr addrspace(1) %out, align 4 ; contiguous global 4 B: +4/lane
  br label %end

end:
  ret void                                      ; block end: to exit
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
