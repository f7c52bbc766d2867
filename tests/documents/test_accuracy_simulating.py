"""Measured launches simulated by rounds of CTAs, and with loops cut short, beside all of them."""

from itertools import pairwise
from math import prod

import pytest

import warpmill
from tests.documents.accuracy_rows import case
from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.benchmarks.accuracy.launches import job_of, warp_instructions
from warpmill.benchmarks.accuracy.model import Compiled
from warpmill.benchmarks.accuracy.predicting import estimated, in_line, simulated, simulated_in_full
from warpmill.benchmarks.accuracy.shortening import shortened, shorter
from warpmill.session.options import RegisterSources
from warpmill.session.traces import trace_source
from warpmill.simulator.assembler.costs import launch_overhead
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.machines import load_machine

LOOP = """\
.version 7.0
.target sm_70
.address_size 64
.visible .entry copy(.param .u64 a, .param .u64 b, .param .u32 n)
{
.reg .pred %p<2>;
.reg .b32 %r<9>;
.reg .f32 %f<3>;
.reg .b64 %rd<6>;
ld.param.u64 %rd1, [a];
ld.param.u64 %rd2, [b];
ld.param.u32 %r1, [n];
mov.u32 %r2, %ctaid.x;
mov.u32 %r3, %ntid.x;
mov.u32 %r4, %tid.x;
mad.lo.s32 %r5, %r2, %r3, %r4;
mul.wide.u32 %rd3, %r5, 4;
add.s64 %rd4, %rd1, %rd3;
add.s64 %rd5, %rd2, %rd3;
ld.global.f32 %f1, [%rd4];
mov.u32 %r6, 0;
LOOP:
fma.rn.f32 %f1, %f1, %f1, %f1;
add.s32 %r6, %r6, 1;
setp.lt.s32 %p1, %r6, %r1;
@%p1 bra LOOP;
st.global.f32 [%rd5], %f1;
ret;
}
"""
BEFORE, EACH, AFTER = 12, 4, 2
"""Instructions before the loop, in an iteration of it, and behind."""
TRIPS = 64
WARPS = 8
OF_CTA = WARPS * (BEFORE + EACH * TRIPS + AFTER)
A_ROUND = 80 * 8  # TITAN V: SMs, and CTAs of 256 threads an SM, by its 64 warps


def copying(ctas, trips=TRIPS, **more):
    vector = {"buffer": "f32", "shape": ["n"], "init": {"uniform": [0, 1]}, "seed": 1}
    return case(
        0, 1.0, grid=(ctas, 1, 1), block=(32 * WARPS, 1, 1),
        args=(vector, {**vector, "seed": 2}, {"i32": "trips"}),
        sizes={"n": ctas * 32 * WARPS, "trips": trips}, **more,
    )  # fmt: skip


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    path = tmp_path_factory.mktemp("code") / "copy.ptx"
    path.write_text(LOOP)
    return Compiled(path, "by hand", 16, "table")


def test_the_instructions_of_a_launch(compiled):
    job = job_of(copying(100), compiled.ptx)
    assert warp_instructions(job, trace_source(job)) == 100 * OF_CTA


def test_a_short_launch_is_simulated_whole_as_the_command_does(compiled):
    one = copying(100)
    found = simulated(one, compiled)
    job, machine = job_of(one, compiled.ptx), load_machine("titan_v")
    whole = warpmill.simulate(job, machine, registers=RegisterSources(registers=16))
    beside = launch_overhead(machine, 100, "event").total_us(whole.time_us)
    assert found.ms == pytest.approx(beside / 1e3)
    assert found.ms > whole.time_us / 1e3
    assert (found.share, found.registers, found.trace) == (1.0, 16, "static")
    assert found.warp_instructions == 100 * OF_CTA


@pytest.mark.slow
def test_a_long_launch_is_simulated_by_whole_rounds(compiled):
    one = copying(4 * A_ROUND)
    most = 2.9 * A_ROUND * OF_CTA
    found, whole = simulated(one, compiled, most), simulated_in_full(one, compiled)
    assert (found.share, whole.share) == (0.5, 1.0)
    assert found.ms == pytest.approx(whole.ms, rel=0.1)
    assert found.ms != whole.ms
    job = job_of(one, compiled.ptx)
    by_command = warpmill.simulate(
        job, "titan_v", registers=RegisterSources(registers=16), options=Options(waves=2)
    )
    overhead = launch_overhead(load_machine("titan_v"), 4 * A_ROUND, "event")
    assert found.ms == pytest.approx(overhead.total_us(by_command.time_us) / 1e3)


@pytest.mark.slow
def test_rounds_that_are_too_long_have_their_loops_cut_short(compiled):
    one = copying(2 * A_ROUND, 16 * TRIPS)
    whole = simulated_in_full(one, compiled)
    found = simulated(one, compiled, A_ROUND * OF_CTA)
    left = (BEFORE + EACH * TRIPS + AFTER) / (BEFORE + EACH * 16 * TRIPS + AFTER)
    assert found.share == pytest.approx(left / 2, rel=0.1)
    assert found.trace.startswith("static, loops cut to 6.")
    assert found.ms == pytest.approx(whole.ms, rel=0.2)


def test_what_is_left_of_loops(compiled):
    job = job_of(copying(1, 1000), compiled.ptx)
    source = trace_source(job)
    whole = WARPS * (BEFORE + EACH * 1000 + AFTER)
    part = shortened(job, source, 0.1)
    assert part.share == WARPS * (BEFORE + EACH * 100 + AFTER) / whole
    assert len(part.source.warps((0, 0, 0))) == WARPS
    assert (part.source.kernel, part.source.kind) == (source.kernel, "static")
    assert part.source.batches([(0, 0, 0)]) is None
    longer, half = shorter(job, source, 0.1)
    assert (longer.share, half.share) == (part.share, WARPS * (BEFORE + EACH * 50 + AFTER) / whole)
    few = job_of(copying(1, 4), compiled.ptx)
    assert len(shorter(few, trace_source(few), 0.6)) == 1, "two iterations are the least"


def test_times_of_parts_are_continued_in_a_line():
    assert in_line([(1.0, 7.0)]) == 7.0
    assert in_line([(0.25, 2.0)]) == 8.0
    assert in_line([(0.5, 6.0), (0.25, 4.0)]) == 10.0


def test_rounds_without_loops_to_cut_are_refused(compiled):
    with pytest.raises(LimitError, match="times too long with loops cut short"):
        simulated(copying(A_ROUND, 1), compiled, 0.1 * A_ROUND * WARPS * (BEFORE + EACH + AFTER))


def test_what_the_launch_before_left_in_l2_is_there(compiled):
    cold, warm = (simulated(copying(640, 1, warm=warm), compiled) for warm in (False, True))
    assert warm.ms < cold.ms


def test_how_times_were_taken_adds_what_launching_takes(compiled):
    configs = ({"config": (("cache", "cold_single_nvprof"),)}, {"back_to_back": True}, {})
    kernel, queued, event = (simulated(copying(100, **more), compiled).ms for more in configs)
    machine = load_machine("titan_v")
    overheads = [launch_overhead(machine, 100, m) for m in ("kernel", "back-to-back", "event")]
    times = [kernel, queued, event]
    assert all(a.floor_us < x * 1e3 for a, x in zip(overheads, times, strict=True))
    for (a, b), (x, y) in zip(pairwise(overheads), pairwise(times), strict=True):
        assert (x - y) * 1e3 == pytest.approx(a.fixed_us - b.fixed_us)


def test_both_engines_take_the_same_launch(compiled):
    one = copying(100)
    told, found = estimated(one, compiled), simulated(one, compiled)
    assert told.ms == pytest.approx(found.ms, rel=0.5)
    assert (told.registers, told.registers_source) == (found.registers, found.registers_source)
    assert prod(one.grid) == 100
