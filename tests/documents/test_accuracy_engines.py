"""Measured launches as engines take them: by rounds of CTAs, and with loops cut short."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import warpmill
from tests.documents.accuracy_rows import case
from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.analyzer.traces.model import events
from warpmill.benchmarks.accuracy.model import Code
from warpmill.benchmarks.accuracy.predicting import (
    ENGINES,
    FULL,
    estimated,
    in_line,
    job_of,
    simulated,
)
from warpmill.benchmarks.accuracy.shortening import (
    ShortenedSource,
    instructions,
    shortened_batch,
    shorter,
)
from warpmill.session.executed import executed_source
from warpmill.session.options import LaunchOptions, RegisterSources
from warpmill.session.prepare import prepare_all
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
    return Code(path, "by hand", {"copy": 16}, "ptxas")


def test_the_instructions_of_a_launch(compiled):
    job = job_of(copying(100), compiled.ptx)
    assert instructions(job, trace_source(job)) == 100 * OF_CTA


def test_a_short_launch_is_simulated_whole_as_the_command_does(compiled):
    one = copying(100)
    found = simulated(one, compiled)
    job, machine = job_of(one, compiled.ptx), load_machine("titan_v")
    whole = warpmill.simulate(job, machine, registers=RegisterSources(registers=16))
    beside = launch_overhead(machine, 100, "event").total_us(whole.time_us)
    assert found.ms == pytest.approx(beside / 1e3)
    assert found.ms > whole.time_us / 1e3
    assert (found.share, found.registers_source) == (1.0, "ptxas")
    assert found.warp_instructions == 100 * OF_CTA


@pytest.mark.slow
def test_a_long_launch_is_simulated_by_whole_rounds(compiled):
    one = copying(4 * A_ROUND)
    most = 2.9 * A_ROUND * OF_CTA
    found, whole = simulated(one, compiled, most), ENGINES[FULL](one, compiled)
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
    whole = ENGINES[FULL](one, compiled)
    found = simulated(one, compiled, A_ROUND * OF_CTA)
    left = (BEFORE + EACH * TRIPS + AFTER) / (BEFORE + EACH * 16 * TRIPS + AFTER)
    assert found.share == pytest.approx(left / 2, rel=0.1)
    assert found.ms == pytest.approx(whole.ms, rel=0.2)


def test_what_is_left_of_loops(compiled):
    job = job_of(copying(1, 1000), compiled.ptx)
    source = trace_source(job)
    whole = WARPS * (BEFORE + EACH * 1000 + AFTER)
    longer, half = shorter(job, source, 0.1)
    assert longer.share == WARPS * (BEFORE + EACH * 100 + AFTER) / whole
    assert half.share == WARPS * (BEFORE + EACH * 50 + AFTER) / whole
    assert len(longer.source.warps((0, 0, 0))) == WARPS
    assert (longer.source.kernel, longer.source.kind) == (source.kernel, "static")
    assert longer.source.batches([(0, 0, 0)]) is None
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
    configs = ({"config": {"cache": "cold_single_nvprof"}}, {"back_to_back": True}, {})
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
    assert told.registers_source == found.registers_source


# ----------------------------------------------------------------------- executed traces cut short

SAMPLES = Path(__file__).parents[2] / "samples"
CTAS = [(0, 0, 0), (1, 1, 0)]


def sources(name, **sizes):
    (job,) = prepare_all(SAMPLES / name / "launch.toml", None, LaunchOptions(sizes=sizes))
    return job, trace_source(job), executed_source(job)


def blocks(warp):
    return [event.block for event in events(warp)]


@pytest.mark.parametrize("factor", [0.5, 0.25, 0.01])
def test_iterations_left_are_those_of_folded_traces(factor):
    """Matrix products of 16 tiles: the loop over tiles keeps some, two at the least."""
    job, static, executed = sources("matmul", n=256)
    assert (static.kind, executed.kind) == ("static", "executed")
    loops = job.analysis.structure.loops
    folded = ShortenedSource(static, loops, factor)
    short = ShortenedSource(executed, loops, factor)
    assert instructions(job, short) == instructions(job, folded) < instructions(job, static)
    for one, other in zip(short.many(CTAS), folded.many(CTAS), strict=True):
        for executed_warp, folded_warp in zip(one, other, strict=True):
            assert blocks(executed_warp) == blocks(folded_warp)


def test_nothing_is_left_out_of_what_is_short_enough():
    job, _, executed = sources("matmul", n=32)
    (batch,) = executed.batches(CTAS[:1])
    loops = job.analysis.structure.loops
    assert shortened_batch(batch, loops, 1.0) == batch
    assert shortened_batch(batch, loops, 0.1) == batch  # two iterations


def test_accesses_and_guards_go_with_their_events():
    job, _, executed = sources("matmul", n=256)
    (batch,) = executed.batches(CTAS[:1])
    short = shortened_batch(batch, job.analysis.structure.loops, 0.25)
    accesses = np.diff(short.event_accesses)
    each = dict(zip(batch.block.tolist(), np.diff(batch.event_accesses).tolist(), strict=True))
    assert accesses.tolist() == [each[block] for block in short.block.tolist()]
    assert short.event_accesses[-1] == len(short.access_base) < len(batch.access_base)
    assert short.warps[-1] == len(short.block) == len(short.mask) < len(batch.block)


def test_both_kinds_have_the_same_shares_left():
    job, *both = sources("matmul", n=256)
    found = [[part.share for part in shorter(job, source, 0.5)] for source in both]
    assert found[0] == found[1]
