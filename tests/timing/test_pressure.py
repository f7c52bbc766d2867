"""Register pressure of small kernels against counts made by hand, and what limits it."""

from pathlib import Path

import pytest

from warpmill.analyzer.analyses.cfg.graph import build_cfg
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.llvm import parse as parse_llvm
from warpmill.analyzer.frontends.ptx import parse
from warpmill.simulator.assembler.registers import (
    CALL_REGISTERS,
    MOST_REGISTERS,
    RESERVED,
    occupancy_steps,
    register_pressure,
)

HEAD = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data, .param .u32 n) BOUNDS
{
    .reg .pred %p<9>;
    .reg .b16 %rs<9>;
    .reg .b32 %r<99>;
    .reg .b64 %rd<99>;
    .reg .f32 %f<99>;
    .reg .f64 %fd<9>;
    .shared .align 4 .b8 tile[4096];
"""


def kernel_of(text, bounds=""):
    text = f"{HEAD.replace('BOUNDS', bounds)}{text}\nret;\n}}\n"
    return parse(Source("k.ptx", text)).module.kernels[0]


def pressure(text, bounds="", target=None):
    kernel = kernel_of(text, bounds)
    return register_pressure(kernel, build_cfg(kernel), target)


X = "mov.u32 %r1, %tid.x;"

LIVE = Path(__file__).with_name("live_registers.txt").read_text("utf-8").split("\n\n")


@pytest.mark.parametrize("case", LIVE)
def test_what_is_live_at_once_counts_in_units_of_32_bits(case):
    *lines, live = case.strip().split("\n")
    text = "\n".join(line for line in lines if not line.startswith("#"))
    assert pressure(text) == int(live) + RESERVED


def test_values_that_are_made_early_and_read_late_are_made_late():
    """All products first need 58 registers and three; one at a time would do with four.

    What is free at full occupancy is spent on the latency of multiplication.
    """
    made = "".join(f"mul.lo.s32 %r{i}, %r1, {i};" for i in range(2, 60))
    added = "".join(f"add.s32 %r62, %r62, %r{i}; xor.b32 %r62, %r62, %r61;" for i in range(2, 60))
    text = f"{X} mov.u32 %r61, %tid.y; {made} mov.u32 %r62, %tid.z; {added}"
    assert pressure(f"{text} st.shared.u32 [tile], %r62;") == 32


def loads_and_adds(count):
    """A sum of numbers from memory, each loaded where it is added."""
    each = (
        f"ld.global.f32 %f{i}, [%rd3+{4 * i}]; add.f32 %f98, %f98, %f{i};" for i in range(count)
    )
    return (
        f"{X} ld.param.u64 %rd1, [data]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;"
        f"ld.shared.f32 %f98, [tile]; {''.join(each)} st.shared.f32 [tile], %f98;"
    )


@pytest.mark.parametrize(
    ("count", "target", "registers"),
    [
        # All go first: all numbers but one, the sum, and the address for the last.
        (16, "sm_80", 15 + 2 + 1 + RESERVED),
        # More than fit beside as many threads as there can be: 2048, and 1536 on other chips.
        (60, "sm_80", 32),
        (60, "sm_86", 40),
        (60, None, 32),
    ],
)
def test_loads_are_issued_early_as_far_as_full_occupancy_goes(count, target, registers):
    assert pressure(loads_and_adds(count), target=target) == registers


def test_loads_do_not_pass_a_store_that_they_may_read():
    text = loads_and_adds(60).replace("add.f32 %f98", "st.global.f32 [%rd3], %f98; add.f32 %f98")
    assert pressure(text) == 4 + RESERVED  # the address, the sum, a number
    assert pressure(text.replace("ld.global", "ld.global.nc")) == 32


def test_loads_do_not_pass_a_barrier():
    assert (
        pressure(loads_and_adds(60).replace("add.f32 %f98", "bar.sync 0; add.f32 %f98"))
        <= 5 + RESERVED
    )


@pytest.mark.parametrize(
    ("bounds", "most"),
    [(".maxntid 1024, 1, 1", 64), (".maxntid 32, 32, 1 .minnctapersm 2", 32),
     (".maxnreg 24", 24), (".reqntid 256", 255)],
)  # fmt: skip
def test_launch_bounds_limit_the_registers(bounds, most):
    names = [f"%rd{i}" for i in range(1, 90)]
    loads = "".join(f"ld.shared.u64 {name}, [tile+{8 * i}];" for i, name in enumerate(names))
    stores = "".join(f"st.shared.u64 [tile+{8 * i}], {name};" for i, name in enumerate(names))
    assert pressure(loads + "bar.sync 0;" + stores) > most or most == MOST_REGISTERS
    assert pressure(loads + "bar.sync 0;" + stores, bounds) == min(most, 2 * 89 + RESERVED)


def test_no_thread_has_more_registers_than_there_are():
    names = [f"%rd{i}" for i in range(1, 99)]
    more = [f"%f{i}" for i in range(1, 99)]
    loads = "".join(f"ld.shared.u64 {n}, [tile];" for n in names)
    loads += "".join(f"ld.shared.f32 {n}, [tile];" for n in more)
    stores = "".join(f"st.shared.u64 [tile], {n};" for n in names)
    stores += "".join(f"st.shared.f32 [tile], {n};" for n in more)
    assert pressure(loads + "bar.sync 0;" + stores) == MOST_REGISTERS


def test_a_call_that_stays_takes_the_registers_of_the_abi():
    text = f".version 8.0\n.target sm_80\n.address_size 64\n.extern .func f;\n{KERNEL_WITH_CALL}"
    kernel = parse(Source("k.ptx", text)).module.kernels[0]
    assert register_pressure(kernel, build_cfg(kernel)) == CALL_REGISTERS


def test_what_calls_gave_is_held_in_registers():
    call = "{ .param .b64 r; call (r), f; ld.param.b64 %rd@, [r]; }\n"
    calls = "".join(call.replace("@", str(n)) for n in range(40))
    stores = "".join(f"st.shared.u64 [tile], %rd{n};" for n in range(40))
    head = HEAD.replace("BOUNDS", "").replace(
        ".visible", ".extern .func (.param .b64 r) f;\n.visible"
    )
    loop = "L: setp.lt.u64 %p1, %rd0, %rd1; @%p1 bra L;\n"
    kernel = parse(Source("k.ptx", f"{head}{calls}{loop}{stores}\nret;\n}}\n")).module.kernels[0]
    assert register_pressure(kernel, build_cfg(kernel)) >= 80


KERNEL_WITH_CALL = ".visible .entry k()\n{\n call f;\n ret;\n}\n"


def test_steps_of_occupancy_follow_the_threads_of_an_sm():
    assert occupancy_steps("sm_90a") == (32, 40, 48, 56, 64, 72, 80, 96, 128, 168)
    assert occupancy_steps("sm_86")[0] == 40
    assert occupancy_steps("sm_75")[0] == 64
    assert occupancy_steps(None) == occupancy_steps("gfx90a") == occupancy_steps("sm_80")


PHIS = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(3) %to, i32 %n) {
entry:
  %first = load i32, ptr addrspace(3) %to
  br label %loop
loop:
  %a = phi i32 [ %first, %entry ], [ %b, %loop ]
  %b = phi i32 [ 1, %entry ], [ %sum, %loop ]
  %sum = add i32 %a, %b
  %more = icmp slt i32 %sum, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %sum, ptr addrspace(3) %to
  ret void
}
"""


def test_phis_take_one_register_each_and_parameters_of_llvm_none():
    kernel = parse_llvm(Source("k.ll", PHIS)).module.kernels[0]
    assert register_pressure(kernel, build_cfg(kernel)) == 2 + RESERVED  # %a or %sum, and %b


def test_a_kernel_without_instructions_has_the_reserved_ones():
    assert pressure("") == RESERVED
