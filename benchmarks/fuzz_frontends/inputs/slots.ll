; Values in stack slots, as compilers without optimisation leave them.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @slots(ptr addrspace(1) %out, i32 %n) {
entry:
  %i = alloca i32, align 4
  %sum = alloca float, align 4
  %buffer = alloca [8 x float], align 4
  store i32 0, ptr %i, align 4
  store float 0.000000e+00, ptr %sum, align 4
  br label %test

test:
  %now = load i32, ptr %i, align 4
  %inside = icmp slt i32 %now, %n
  br i1 %inside, label %body, label %end

body:
  %low = and i32 %now, 7
  %place = getelementptr inbounds [8 x float], ptr %buffer, i32 0, i32 %low
  %had = load float, ptr %place, align 4
  %was = load float, ptr %sum, align 4
  %is = fadd float %was, %had
  store float %is, ptr %sum, align 4
  store float %is, ptr %place, align 4
  %next = add nsw i32 %now, 1
  store i32 %next, ptr %i, align 4
  br label %test

end:
  %result = load float, ptr %sum, align 4
  store float %result, ptr addrspace(1) %out, align 4
  ret void
}
