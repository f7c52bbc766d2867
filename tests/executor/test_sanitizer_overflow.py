"""Overflow: exact integers beside Python's, what wraps by intention, and what wraps unseen."""

import random

import numpy as np
import pytest

import warpmill
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.executor.compile import CompileOptions, compile_kernel
from warpmill.executor.host.cpu_device import CpuOptions
from warpmill.executor.sanitizers.exact_integers import CHECK, original_places, with_exact_addresses
from warpmill.executor.sanitizers.findings import Tool
from warpmill.executor.sanitizers.sanitizer import Sanitizer, provide_all

HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .u32 x, .param .u32 y)
{
  .reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %d<20>; .reg .f32 %f<9>;
  ld.param.u64 %d0, [a];
  ld.param.u32 %r0, [x];
  ld.param.u32 %r1, [y];
  mov.u32 %r2, %tid.x;
"""
TAIL = """
  add.s64 %d9, %d0, %d8;
  ld.global.b8 %r39, [%d9];
  ret;
}
"""


def kernel_of(body):
    module = parse(Source("k.ptx", HEAD + body + TAIL)).module
    return module, module.kernels[0]


def findings(body, x, y, threads=1):
    """What memcheck and overflow find in a kernel of one warp."""
    sanitizer = Sanitizer(frozenset({Tool.MEMCHECK, Tool.OVERFLOW}))
    device = warpmill.Device(options=CpuOptions(sanitizer=sanitizer))
    array = device.zeros(64, np.uint8)
    module = device.load(HEAD + body + TAIL)
    device.launch(module["k"], 1, threads, [array, np.uint32(x % 2**32), np.uint32(y % 2**32)])
    return array, [one for one in sanitizer.findings if one.tool is Tool.OVERFLOW]


WIDE = "mul.wide.s32 %d8, %r9, 1;"
CASES = [
    ("a product that wraps", f"mul.lo.s32 %r9, %r0, %r1;\n{WIDE}", 1 << 16, 1 << 15, 1),
    ("one that does not", f"mul.lo.s32 %r9, %r0, %r1;\n{WIDE}", 1 << 16, (1 << 15) - 1, 0),
    ("a sum that wraps and comes back", f"add.s32 %r8, %r0, %r1;\nsub.s32 %r9, %r8, %r1;\n{WIDE}",
     2**31 - 1, 5, 0),
    ("below zero, read as unsigned, and back", "add.s32 %r8, %r0, -1;\nadd.s32 %r9, %r8, 1;\n"
     "mul.wide.u32 %d8, %r9, 1;", 0, 0, 0),
    ("below zero, read as unsigned", "add.s32 %r9, %r0, -1;\nmul.wide.u32 %d8, %r9, 1;", 0, 0, 1),
    ("a hash that is masked", f"mul.lo.s32 %r8, %r0, -1640531527;\nand.b32 %r9, %r8, 63;\n{WIDE}",
     77, 0, 0),
    ("a hash modulo the size", f"mul.lo.s32 %r8, %r0, 1103515245;\nrem.u32 %r9, %r8, 64;\n{WIDE}",
     77, 0, 0),
    ("a shift that loses bits", f"shl.b32 %r9, %r0, 4;\n{WIDE}", 1 << 29, 0, 1),
    ("a long cut to an int", "cvt.u64.u32 %d1, %r0;\nmul.lo.s64 %d2, %d1, 16;\n"
     f"cvt.u32.u64 %r9, %d2;\n{WIDE}", 1 << 29, 0, 1),
    ("an access that a guard keeps from", f"mul.lo.s32 %r9, %r0, %r1;\n{WIDE}\n"
     "setp.gt.s32 %p1, %r0, 100;\n@%p1 bra OUT;\n", 1 << 16, 1 << 15, 0),
    ("a loop whose counter wraps", "mov.u32 %r9, 0;\nmov.u32 %r8, 0;\nLOOP:\n"
     "add.s32 %r9, %r9, %r0;\nadd.s32 %r8, %r8, 1;\nsetp.lt.u32 %p1, %r8, 8;\n@%p1 bra LOOP;\n"
     f"{WIDE}", 1 << 29, 0, 1),
    ("under a guard that is off", f"mov.u32 %r9, 3;\nsetp.eq.s32 %p1, %r0, 1;\n"
     f"@%p1 mul.lo.s32 %r9, %r0, %r1;\n{WIDE}", 1 << 16, 1 << 16, 0),
    ("a register that is loaded after it wrapped", f"mul.lo.s32 %r9, %r0, %r1;\n"
     f"ld.param.u32 %r9, [y];\n{WIDE}", 1 << 16, 1 << 15, 0),
]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "x", "y", "number"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_addresses_that_follow_from_what_wrapped_are_told(body, x, y, number):
    text = body if "OUT" not in body else body + "\nbra ON;\nOUT:\nret;\nON:\n"
    assert len(findings(text, x, y)[1]) == number


def test_a_finding_says_where_the_index_was_to_lead():
    array, (found,) = findings(f"mul.lo.s32 %r9, %r0, %r1;\n{WIDE}", 1 << 16, 1 << 15, threads=5)
    assert found.count == 5
    assert found.address == (array.address - (1 << 31)) % (1 << 64)
    assert "4,294,967,296 B from" in found.message
    assert f"{array.address + (1 << 31):#x}" in found.message
    assert found.access.opcode == "ld.global.b8"
    assert found.access.excerpt.strip() == "ld.global.b8 %r39, [%d9];"


def linear_program(rng):
    """A random program of linear operations on 32 bits, and its exact value as a function."""
    lines, exact = [], {0: lambda x, _: x, 1: lambda _, y: y}
    for k in range(3, 9):
        a, b = rng.choice(list(exact)), rng.choice(list(exact))
        one, two, number = exact[a], exact[b], rng.choice([-3, 2, 5, 1000])
        word = rng.choice(["add", "sub", "mul", "mad", "shl", "neg"])
        shown = {
            "add": f"add.s32 %r{k}, %r{a}, %r{b};",
            "sub": f"sub.s32 %r{k}, %r{a}, %r{b};",
            "mul": f"mul.lo.s32 %r{k}, %r{a}, {number};",
            "mad": f"mad.lo.s32 %r{k}, %r{a}, {number}, %r{b};",
            "shl": f"shl.b32 %r{k}, %r{a}, 3;",
            "neg": f"neg.s32 %r{k}, %r{a};",
        }
        value = {
            "add": lambda x, y, f=one, g=two: f(x, y) + g(x, y),
            "sub": lambda x, y, f=one, g=two: f(x, y) - g(x, y),
            "mul": lambda x, y, f=one, n=number: f(x, y) * n,
            "mad": lambda x, y, f=one, g=two, n=number: f(x, y) * n + g(x, y),
            "shl": lambda x, y, f=one: f(x, y) * 8,
            "neg": lambda x, y, f=one: -f(x, y),
        }
        lines.append(shown[word])
        exact[k] = value[word]
    return "\n".join([*lines, "mov.u32 %r9, %r8;", WIDE]), exact[8]


@pytest.mark.one_in(12)
@pytest.mark.parametrize("seed", range(24))
def test_random_programs_wrap_where_pythons_integers_do(seed):
    rng = random.Random(seed)
    body, exact = linear_program(rng)
    for _ in range(3):
        x, y = (
            rng.randrange(-(2 ** rng.randrange(2, 31)), 2 ** rng.randrange(2, 31)) for _ in "xy"
        )
        wraps = not -(2**31) <= exact(x, y) < 2**31
        assert len(findings(body, x, y)[1]) == wraps, (body, x, y)


def test_only_what_may_wrap_is_computed_twice():
    plain = kernel_of("and.b32 %r9, %r0, 7;\nmul.wide.s32 %d8, %r9, 4;")[1]
    assert with_exact_addresses(plain) is plain
    module, kernel = kernel_of(f"mul.lo.s32 %r9, %r0, %r1;\n{WIDE}")
    rewritten = with_exact_addresses(kernel)
    checks = [i for i in rewritten.instructions if i.operation.name == CHECK]
    assert len(checks) == 1
    assert len(rewritten.registers) > len(kernel.registers)
    places = original_places(kernel, rewritten)
    load = next(
        k for k, i in enumerate(kernel.blocks[0].instructions) if "ld.global" in i.operation.opcode
    )
    site = next(
        k for k, i in enumerate(rewritten.blocks[0].instructions) if i.operation.name == CHECK
    )
    assert places[0, site] == places[0, site + 1] == (0, load)
    provide_all()
    compiled = compile_kernel(module, kernel, CompileOptions(tools=frozenset({Tool.OVERFLOW})))
    assert compiled.kernel is kernel
