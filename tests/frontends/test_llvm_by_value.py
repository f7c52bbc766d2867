"""Arguments by value of LLVM's functions, executed: a callee works on a copy of its own."""

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.llvm import parse
from warpmill.analyzer.ir.inline import inline_calls
from warpmill.executor.compile import compile_kernel
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.launching import Grid, execute

NVPTX = 'target triple = "nvptx64-nvidia-cuda"\n'
TID = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"


def run(text, *parameters, threads=64, ctas=2):
    """Run the kernel of a text over an array of results, which is the last parameter."""
    module = parse(Source("t.ll", text)).module
    kernel = inline_calls(module, module.kernels[0]).kernel
    memory = DeviceMemory()
    out = memory.allocate(4 * threads)
    given = b"".join(p.tobytes() for p in parameters)
    given += bytes(-len(given) % 8) + np.uint64(out).tobytes()
    execute(compile_kernel(module, kernel), memory, Grid((ctas, 1, 1), (threads, 1, 1)), given)
    return memory.view(out, 4 * threads).view(np.float32)


def kernel(body, parameter="ptr byval(float) align 4 %x, "):
    return f"""{NVPTX}{TID}
define ptx_kernel void @k({parameter}ptr %out) {{
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr float, ptr %out, i32 %i
{body}
  store float %s, ptr %q, align 4
  ret void
}}
"""


CHANGE = """
define internal float @change(ptr byval(float) align 4 %p) noinline {
  %a = load float, ptr %p, align 4
  %b = fadd float %a, 1.0
  store float %b, ptr %p, align 4
  %c = load float, ptr %p, align 4
  ret float %c
}
"""


def test_a_callee_changes_its_copy_only():
    text = (
        kernel("""  %v = call float @change(ptr byval(float) align 4 %x)
  %w = load float, ptr %x, align 4
  %s = fadd float %v, %w""")
        + CHANGE
    )
    assert (run(text, np.float32(10)) == 21).all()


def test_what_a_callee_does_to_the_original_is_not_in_its_copy():
    text = (
        kernel(
            """  %l = alloca float
  store float 5.0, ptr %l
  %s = call float @both(ptr byval(float) align 4 %l, ptr %l)""",
            "",
        )
        + """
define internal float @both(ptr byval(float) align 4 %p, ptr %same) noinline {
  store float 100.0, ptr %same
  %a = load float, ptr %p
  %b = load float, ptr %same
  %c = fadd float %a, %b
  ret float %c
}
"""
    )
    assert (run(text) == 105).all()


def test_a_copy_is_passed_on_and_taken_apart():
    text = (
        kernel(
            """  %l = alloca [3 x float]
  %m = getelementptr [3 x float], ptr %l, i32 0, i32 2
  store float 7.0, ptr %m
  %s = call float @outer(ptr byval([3 x float]) align 4 %l)""",
            "",
        )
        + """
define internal float @outer(ptr byval([3 x float]) align 4 %p) noinline {
  %a = call float @third(ptr %p)
  ret float %a
}
define internal float @third(ptr %p) noinline {
  %g = getelementptr float, ptr %p, i32 2
  %a = load float, ptr %g
  ret float %a
}
"""
    )
    assert (run(text) == 7).all()


@pytest.mark.parametrize(
    "write",
    [
        "  store float %t, ptr %x",
        "  call void @set(ptr %x, float %t)",
        "  %g = getelementptr i8, ptr %x, i32 0\n  store float %t, ptr %g",
    ],
)
def test_a_kernel_that_writes_its_parameter_writes_a_copy(write):
    """Each thread adds its number to the same parameter: none sees what the others did."""
    text = (
        kernel(
            f"""  %f = sitofp i32 %i to float
  %v = load float, ptr %x
  %t = fadd float %v, %f
{write}
  %s = load float, ptr %x""",
            "ptr byval([4 x float]) align 4 %x, ",
        )
        + """
define internal void @set(ptr %p, float %v) noinline {
  store float %v, ptr %p
  ret void
}
"""
    )
    given = np.array([10, 0, 0, 0], np.float32)
    assert (run(text, given) == 10 + np.arange(64)).all()


def test_a_place_in_an_argument_by_reference_is_computed():
    text = (
        kernel(
            """  %l = alloca [3 x float]
  %m = getelementptr [3 x float], ptr %l, i32 0, i32 2
  store float 7.0, ptr %m
  %s = call float @nth(ptr byref([3 x float]) align 4 %l, i32 2)""",
            "",
        )
        + """
define internal float @nth(ptr byref([3 x float]) align 4 %p, i32 %n) noinline {
  %g = getelementptr float, ptr %p, i32 %n
  %a = load float, ptr %g
  ret float %a
}
"""
    )
    assert (run(text) == 7).all()


def test_private_addresses_of_spir():
    text = """
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-n8:16:32:64-G1"
target triple = "spir64"
define spir_func float @first(ptr byval({ float, float }) align 4 %p) noinline {
  %a = load float, ptr %p, align 4
  ret float %a
}
define spir_kernel void @k(ptr addrspace(1) %out) {
  %l = alloca { float, float }, align 4
  store float 7.0, ptr %l
  %v = call spir_func float @first(ptr byval({ float, float }) align 4 %l)
  store float %v, ptr addrspace(1) %out, align 4
  ret void
}
"""
    assert run(text)[0] == 7


def test_exchanges_by_number():
    """NVVM's numbers: 0 takes a lane's value, 1 from below, 2 from above, 3 across."""
    wanted = {0: [5] * 32, 1: [0, *range(31)], 2: [*range(1, 32), 31],
              3: [k ^ 5 for k in range(32)]}  # fmt: skip
    for mode, expected in wanted.items():
        lane = 5 if mode in (0, 3) else 1
        clamp = 0 if mode == 1 else 31
        text = kernel(
            f"""  %r = call {{ i32, i1 }} @llvm.nvvm.shfl.sync.i32(i32 -1, i32 {mode}, i32 %i,
    i32 {lane}, i32 {clamp})
  %e = extractvalue {{ i32, i1 }} %r, 0
  %s = sitofp i32 %e to float""",
            "",
        )
        text += "declare { i32, i1 } @llvm.nvvm.shfl.sync.i32(i32, i32, i32, i32, i32)\n"
        assert run(text, threads=32, ctas=1).tolist() == expected


def test_a_private_address_of_a_kernels_parameter():
    text = """
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-n8:16:32:64-G1"
target triple = "spir64"
define spir_func float @second(ptr %p) noinline {
  %g = getelementptr float, ptr %p, i64 1
  %a = load float, ptr %g, align 4
  ret float %a
}
define spir_kernel void @k(ptr byval({ float, float }) align 4 %x, ptr addrspace(1) %out) {
  %v = call spir_func float @second(ptr %x)
  store float %v, ptr addrspace(1) %out, align 4
  ret void
}
"""
    assert run(text, np.array([3, 9], np.float32))[0] == 9


@pytest.mark.parametrize(("mode", "expected"), [(0, 0), (1, 1), (2, 0), (3, 0xFFFF)])
def test_votes_by_number(mode, expected):
    """NVVM's numbers: all, any, uni, ballot; half of the lanes say yes."""
    part, kind = (0, "i32") if mode == 3 else (1, "i1")
    text = kernel(
        f"""  %c = icmp ult i32 %i, 16
  %r = call {{ i32, i1 }} @llvm.nvvm.vote.sync(i32 -1, i32 {mode}, i1 %c)
  %e = extractvalue {{ i32, i1 }} %r, {part}
  %s = uitofp {kind} %e to float""",
        "",
    )
    text += "declare { i32, i1 } @llvm.nvvm.vote.sync(i32, i32, i1)\n"
    assert (run(text, threads=32, ctas=1) == expected).all()
