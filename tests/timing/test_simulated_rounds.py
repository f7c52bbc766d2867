"""What whole rounds of CTAs tell of all of them."""

from functools import cache
from pathlib import Path

import pytest

from warpmill.session.options import LaunchOptions, RegisterSources
from warpmill.session.prepare import prepare_all
from warpmill.session.simulations import simulate
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.machines import load_machine

SAMPLES = Path(__file__).parents[2] / "samples"


@cache
def cycles(name, size, rounds):
    (job,) = prepare_all(SAMPLES / name / "launch.toml", None, LaunchOptions(sizes=dict(size)))
    part = {"sm.count": 2, "dram.channels": 2, "l2.slices": 4, "l2.bytes_per_clk": 1775.0}
    machine = load_machine("v100", part)  # L2 is to hold nothing up
    registers = RegisterSources(registers=32)
    return simulate(job, machine, registers=registers, options=Options(waves=rounds)).cycles


@pytest.mark.parametrize(("rounds", "error"), [(1, 0.05), (2, 0.01), (3, 0.01)])
def test_rounds_of_long_ctas_are_continued_at_their_steady_rate(rounds, error):
    """16 x 16 CTAs of matrix products, 16 at a time: one alone begins and ends together."""
    size = (("n", 256),)
    whole = cycles("matmul", size, None)
    assert cycles("matmul", size, rounds) == pytest.approx(whole, rel=error)


@pytest.mark.parametrize(("rounds", "error"), [(2, 0.25), (3, 0.1), (4, 0.05), (8, 0.03)])
def test_rounds_of_short_ctas_are_continued_by_those_between(rounds, error):
    """64 rounds of CTAs that do the same at the same time: load, add, store."""
    size = (("n", 1 << 18),)
    assert cycles("vecadd", size, rounds) == pytest.approx(cycles("vecadd", size, None), rel=error)


PRODUCT = """.version 8.0
.target sm_70
.address_size 64
.visible .entry product(.param .u64 a, .param .u64 b, .param .u64 c)
{
.reg .pred %p<2>; .reg .b32 %r<9>; .reg .f32 %f<4>; .reg .b64 %rd<12>;
ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c];
mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ctaid.y;
mad.lo.u32 %r1, %r3, 16, %r1; mad.lo.u32 %r2, %r4, 16, %r2;
mul.wide.u32 %rd4, %r1, 4; add.s64 %rd5, %rd2, %rd4;
mul.wide.u32 %rd6, %r2, 4096; add.s64 %rd7, %rd1, %rd6;
mov.u32 %r5, 0; mov.f32 %f1, 0f00000000;
L: ld.global.f32 %f2, [%rd7]; ld.global.f32 %f3, [%rd5]; fma.rn.f32 %f1, %f2, %f3, %f1;
add.s64 %rd7, %rd7, 4; add.s64 %rd5, %rd5, 4096;
add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 128; @%p1 bra L;
add.s64 %rd8, %rd3, %rd6; add.s64 %rd9, %rd8, %rd4; st.global.f32 [%rd9], %f1;
ret;
}
"""
"""A part of a product of matrices of 1024 columns, a thread an element, without barriers."""

CHAINS = """.version 8.0
.target sm_70
.address_size 64
.visible .entry chains(.param .u64 a)
{
.reg .pred %p<2>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<6>;
ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
mad.lo.u32 %r3, %r2, 256, %r1; mul.wide.u32 %rd2, %r3, 4; add.s64 %rd3, %rd1, %rd2;
ld.global.f32 %f1, [%rd3]; mov.f32 %f2, %f1; mov.f32 %f3, %f1; mov.f32 %f4, %f1;
mov.u32 %r5, 0;
L: fma.rn.f32 %f1, %f1, %f1, %f1; fma.rn.f32 %f2, %f2, %f2, %f2;
fma.rn.f32 %f3, %f3, %f3, %f3; fma.rn.f32 %f4, %f4, %f4, %f4;
add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 100; @%p1 bra L;
add.f32 %f1, %f1, %f2; add.f32 %f3, %f3, %f4; add.f32 %f1, %f1, %f3;
st.global.f32 [%rd3], %f1;
ret;
}
"""


def test_rounds_of_ctas_that_end_together_are_continued_by_the_time_between_ends(tmp_path):
    """Caches fill in the first round: at its rate the launch would take 1.6 times as long."""
    file = tmp_path / "product.ptx"
    file.write_text(PRODUCT)
    launch = LaunchOptions((16, 16), (16, 16), 0, ["buffer=f32:1048576"] * 3)
    (job,) = prepare_all(file, None, launch)
    machine = load_machine("v100", {"sm.count": 2})
    two, whole = (
        simulate(
            job,
            machine,
            registers=RegisterSources(registers=32),
            options=Options(waves=rounds, l2="warm"),
        )
        for rounds in (2, None)
    )
    ends = sorted(two.ctas.end_cycle.tolist())
    assert ends[15] < 1.01 * ends[0]
    assert two.cycles == pytest.approx(whole.cycles, rel=0.02)


def test_what_ctas_execute_from_middle_to_middle_is_a_round(tmp_path):
    """Warps that were there first go first, so that CTAs of a round end one after another."""
    file = tmp_path / "chains.ptx"
    file.write_text(CHAINS)
    (job,) = prepare_all(file, None, LaunchOptions((128,), (256,), 0, ["buffer=f32:65536"]))
    machine = load_machine("v100", {"sm.count": 1})
    each = {
        rounds: simulate(
            job, machine, registers=RegisterSources(registers=32), options=Options(waves=rounds)
        )
        for rounds in (2, 3, None)
    }
    ends = sorted(each[2].ctas.end_cycle.tolist())[:8]
    assert ends[-1] > 5 * ends[0]
    for rounds in (2, 3):
        assert each[rounds].cycles == pytest.approx(each[None].cycles, rel=0.02)
