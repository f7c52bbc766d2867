"""Register pressure of small kernels against counts made by hand, and what limits it."""

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


X, Y = "mov.u32 %r1, %tid.x;", "mov.u32 %r2, %tid.y;"

LIVE = [
    # Two numbers of 32 bits are live at the add.
    (f"{X}{Y} add.s32 %r3, %r1, %r2; st.shared.u32 [tile], %r3;", 2),
    # A result takes the register of an operand that is read for the last time; %r1 is not.
    (f"{X} add.s32 %r2, %r1, 1; add.s32 %r3, %r1, %r2; st.shared.u32 [tile], %r3;", 2),
    # A number of 64 bits takes two.
    (f"{X} cvt.u64.u32 %rd1, %r1; mul.lo.s64 %rd2, %rd1, %rd1; st.shared.u64 [tile], %rd2;", 2),
    # One of 16 bits takes a whole one.
    (f"{X} cvt.u16.u32 %rs1, %r1; st.shared.v2.u16 [tile], {{%rs1, %rs1}};", 1),
    # A copy is the register that it copies, as long as that keeps its value.
    (f"{X} mov.u32 %r2, %r1; st.shared.v2.u32 [tile], {{%r1, %r2}};", 1),
    (f"{X} mov.u32 %r2, %r1; add.s32 %r1, %r1, 1; st.shared.v2.u32 [tile], {{%r1, %r2}};", 2),
    # Predicates have their own file.
    (f"{X} setp.eq.s32 %p1, %r1, 0; @%p1 st.shared.u32 [tile], %r1;", 1),
    # What a guarded instruction may leave as it was stays live.
    (f"{X} {Y} mov.u32 %r3, %tid.z; add.s32 %r4, %r2, %r3; setp.eq.s32 %p1, %r4, 0;"
     "@%p1 mov.u32 %r1, %laneid; st.shared.u32 [tile], %r1;", 3),
    # Four loads at once, then a sum; nothing else.
    ("ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [tile]; add.f32 %f5, %f1, %f2;"
     "add.f32 %f6, %f3, %f4; add.f32 %f7, %f5, %f6; st.shared.f32 [tile], %f7;", 4),
    # Around a loop go the counter and the sum; the limit lies in the constant bank. The counter's
    # next value is made first, as the branch waits for it, and the old one is still needed.
    ("mov.u32 %r1, 0; mov.u32 %r2, 0; ld.param.u32 %r3, [n];"
     "L: add.s32 %r2, %r2, %r1; add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, %r3; @%p1 bra L;"
     "st.shared.u32 [tile], %r2;", 3),
    # ... a limit that was loaded does not.
    ("mov.u32 %r1, 0; mov.u32 %r2, 0; ld.shared.u32 %r3, [tile];"
     "L: add.s32 %r2, %r2, %r1; add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, %r3; @%p1 bra L;"
     "st.shared.u32 [tile], %r2;", 4),
    # A result that nobody reads is held for a moment.
    (f"{X} ld.shared.f64 %fd1, [tile]; st.shared.u32 [tile], %r1;", 3),
    # What comes in parameters, is a constant or the same for all threads takes nothing.
    ("ld.param.u32 %r1, [n]; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r9, 7;"
     "mad.lo.s32 %r4, %r2, %r3, %r1; xor.b32 %r5, %r4, %r9; mov.u32 %r6, %tid.x;"
     "add.s32 %r7, %r6, %r5; st.shared.u32 [tile], %r7;", 1),
    # Floating-point arithmetic has no uniform datapath.
    ("ld.param.u32 %r1, [n]; cvt.rn.f32.u32 %f1, %r1; mul.f32 %f2, %f1, %f1;"
     "st.shared.v2.f32 [tile], {%f1, %f2};", 2),
    # An address plus a constant, and one converted to another space, are the address.
    (f"{X} ld.param.u64 %rd1, [data]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;"
     "cvta.to.global.u64 %rd4, %rd3; add.s64 %rd5, %rd4, 16; add.s64 %rd6, %rd5, 64;"
     "st.global.u32 [%rd6], 1; st.global.u32 [%rd5], 1; st.global.u32 [%rd4], 1;", 2),
    # ... but one that is stored, too, is a number of its own.
    (f"{X} ld.param.u64 %rd1, [data]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;"
     "add.s64 %rd5, %rd3, 16; st.global.u64 [%rd5], %rd5; st.global.u32 [%rd3], 1;", 4),
]  # fmt: skip


@pytest.mark.parametrize(("text", "live"), LIVE)
def test_what_is_live_at_once_counts_in_units_of_32_bits(text, live):
    assert pressure(text) == live + RESERVED


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
