target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @slots(ptr addrspace(1) %p, i32 %n) {
entry:
  %large = alloca i128, i32 -1, align 64
  %array = alloca [8 x i32], align 4
  store i32 1, ptr %large
  %start = load i32, ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %at = getelementptr [8 x i32], ptr %array, i32 0, i32 %i
  store i32 %i, ptr %at
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %last = load i32, ptr %array
  store i32 %last, ptr addrspace(1) %p
  ret void
never:
  store ptr %array, ptr addrspace(1) %p
  ret void
}
