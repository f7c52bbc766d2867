"""Rounds of CTAs as events: the same from trees and from arrays, and as long as asked."""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import pairwise
from math import ceil
from pathlib import Path

import numpy as np
import pytest

from warpmill.analyzer.traces.event_batch import EventBatch, joined
from warpmill.analyzer.traces.summary import sampled_ctas
from warpmill.session.jobs import Job
from warpmill.session.options import LaunchOptions, TraceOptions
from warpmill.session.prepare import prepare
from warpmill.session.traces import trace_source
from warpmill.simulator.assembler.program import KernelFacts
from warpmill.simulator.estimate import rounds as of_rounds
from warpmill.simulator.estimate.kernel import EstimateSubject
from warpmill.simulator.estimate.rounds import MOST_KEPT, MostUsed, Round, Rounds, beginning
from warpmill.simulator.machines import load_machine
from warpmill.simulator.streams import stream_rules

SAMPLES = Path(__file__).parents[2] / "samples"
RULES = stream_rules(load_machine("v100"))
SIZES = {
    "reduce": {"n": 65536},
    "matmul": {"n": 128},
    "stencil5": {"width": 64},
    "transpose": {"rows": 128},
}
GUARDED = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<99>;
.local .align 4 .b8 own[64]; .shared .align 4 .b8 tile[1024];
ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1;
mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 36; add.s64 %rd4, %rd2, %rd3;
and.b32 %r2, %r1, 7; setp.lt.u32 %p1, %r2, 3;
@%p1 ld.global.u32 %r3, [%rd4];
mov.u64 %rd5, own; mul.wide.u32 %rd6, %r2, 4; add.s64 %rd7, %rd5, %rd6;
st.local.u32 [%rd7], %r2; ld.local.u32 %r4, [%rd7];
mov.u32 %r5, tile; shl.b32 %r6, %r1, 3; and.b32 %r6, %r6, 1020; add.s32 %r7, %r5, %r6;
st.shared.u32 [%r7], %r4; atom.shared.add.u32 %r8, [%r7], 1;
atom.global.add.u32 %r9, [%rd2], 1;
ret;
}
"""


def subject_of(job: Job, source: str) -> EstimateSubject:
    traces = trace_source(job, TraceOptions(source=source))
    facts = KernelFacts(job.loaded.module, job.analysis.structure)
    return EstimateSubject(facts, job.required_launch(), traces)


def sample(name: str) -> Job:
    return prepare(SAMPLES / name / "launch.toml", options=LaunchOptions(sizes=SIZES[name]))


def corners(job: Job) -> tuple[tuple[int, int, int], ...]:
    x, y, _ = job.required_launch().grid
    return tuple(dict.fromkeys([(x - 1, y - 1, 0), (0, 0, 0), (x // 2, y // 2, 0), (x - 1, 0, 0)]))


def same_streams(ours: Round, theirs: Round) -> bool:
    """Whether both have the same transactions, however shapes are numbered."""

    def plain(one: Round) -> list[np.ndarray]:
        s = one.events(RULES).streams
        count = np.diff(s.shape_first)[s.access_shape]
        shapes = [
            s.txn_offset[s.shape_first[k] : s.shape_first[k + 1]] + base
            for k, base in zip(s.access_shape, s.access_base, strict=True)
        ]
        whole = np.concatenate(shapes) if shapes else np.zeros(0)
        return [s.warp_events, s.event_block, s.event_access, s.access_way, count, whole]

    return all(map(np.array_equal, plain(ours), plain(theirs)))


@pytest.mark.parametrize("name", SIZES)
def test_rounds_are_the_same_from_static_and_from_executed_traces(name: str) -> None:
    job = sample(name)
    ctas = corners(job)
    static, executed = (Round(subject_of(job, way), ctas) for way in ("static", "executed"))
    assert static.size == executed.size == len(ctas)
    present = [{b: n for b, n in one.executions.items() if n} for one in (static, executed)]
    assert present[0] == present[1]
    assert same_streams(static, executed)
    assert not static.events(RULES).unknown


def test_every_space_and_guard_is_the_same_from_both(tmp_path: Path) -> None:
    file = tmp_path / "k.ptx"
    file.write_text(GUARDED)
    job = prepare(file, None, LaunchOptions((5,), (80,), 0, ["buffer=i32:4096"]))
    static, executed = (
        Round(subject_of(job, way), ((4, 0, 0), (1, 0, 0))) for way in ("static", "executed")
    )
    assert same_streams(static, executed)


def test_ctas_of_a_round_ascend_whatever_was_asked() -> None:
    job = sample("transpose")
    one = Round(subject_of(job, "static"), ((3, 1, 0), (0, 2, 0), (1, 1, 0)))
    x, _, _ = job.required_launch().grid
    assert one.events(RULES).batch.ctas.tolist() == [1 + x, 3 + x, 2 * x]


def executed_batch() -> EventBatch:
    job = prepare(SAMPLES / "spmv" / "launch.toml", options=LaunchOptions(sizes={"rows": 1024}))
    source = subject_of(job, "executed").source
    each = list(source.batches([(0, 0, 0), (2, 0, 0), (5, 0, 0)]) or ())
    assert len(each) > 1
    whole = joined(each)
    parts = [trace for batch in each for n in range(len(batch.ctas)) for trace in batch.traces(n)]
    assert [t for n in range(len(whole.ctas)) for t in whole.traces(n)] == parts
    return whole


@pytest.mark.parametrize("factor", [0.1, 0.5, 1.0])
def test_the_beginning_of_a_batch_has_the_first_events_of_each_block(factor: float) -> None:
    """Of those of each warp: what it runs once is all there, and of loops the first iterations."""
    whole = executed_batch()
    short = beginning(whole, factor)
    expected, ends = [], [0]
    for begin, end in pairwise(whole.warps.tolist()):
        blocks = whole.block[begin:end].tolist()
        times, seen = Counter(blocks), Counter[int]()
        for event, block in enumerate(blocks, begin):
            seen[block] += 1
            if seen[block] <= ceil(times[block] * factor):
                expected.append(event)
        ends.append(len(expected))
    assert short.warps.tolist() == ends
    assert short.block.tolist() == whole.block[expected].tolist()
    assert short.mask.tolist() == whole.mask[expected].tolist()
    firsts = whole.event_accesses.tolist()
    accesses = [k for event in expected for k in range(firsts[event], firsts[event + 1])]
    assert len(accesses) > 20
    assert short.access_base.tolist() == whole.access_base[accesses].tolist()
    assert short.access_pattern.tolist() == whole.access_pattern[accesses].tolist()


def test_a_loop_that_is_cut_short_keeps_its_first_iterations() -> None:
    """matmul's loop has n / 16 = 64 iterations; a quarter of it is left."""
    job = prepare(SAMPLES / "matmul" / "launch.toml", options=LaunchOptions(sizes={"n": 1024}))
    one = Round(subject_of(job, "static"), ((1, 2, 0),))
    whole, short = one.events(RULES), one.events(RULES, 0.25)
    loop = max(one.executions, key=lambda block: one.executions[block])
    assert one.executions[loop] == 8 * 64
    assert np.count_nonzero(whole.batch.block == loop) == 8 * 64
    assert np.count_nonzero(short.batch.block == loop) == 8 * 16
    first = whole.batch.warps[0]
    kept = np.flatnonzero(short.batch.block[: short.batch.warps[1]] == loop)
    assert np.array_equal(
        short.batch.access_base[short.batch.event_accesses[kept]],
        whole.batch.access_base[whole.batch.event_accesses[first + kept]],
    )


def test_events_of_some_blocks_have_all_their_accesses() -> None:
    """Of matmul the accesses to global memory: two loads an iteration, and one store."""
    subject = subject_of(sample("matmul"), "static")
    one = Round(subject, corners(sample("matmul")))
    off_chip = frozenset(subject.facts.off_chip)
    whole, some = one.events(RULES).batch, one.events(RULES, 1.0, off_chip).batch
    assert len(some.block) < len(whole.block)
    assert set(some.block.tolist()) == off_chip & set(whole.block.tolist())
    is_kept = np.isin(np.repeat(whole.block, np.diff(whole.event_accesses)), list(off_chip))
    assert np.array_equal(some.access_base, whole.access_base[is_kept])
    assert np.array_equal(some.access_point, whole.access_point[is_kept])


def test_accesses_that_may_leave_the_sm(tmp_path: Path) -> None:
    """Local and global ones, not those of shared memory: four of six."""
    file = tmp_path / "k.ptx"
    file.write_text(GUARDED)
    job = prepare(file, None, LaunchOptions((5,), (80,), 0, ["buffer=i32:4096"]))
    assert sum(subject_of(job, "static").facts.off_chip.values()) == 4


def spmv(source: str) -> EstimateSubject:
    options = LaunchOptions(sizes={"rows": 4096})
    return subject_of(prepare(SAMPLES / "spmv" / "launch.toml", options=options), source)


@pytest.mark.parametrize(("name", "source"), [("reduce", "static"), ("reduce", "executed")])
def test_what_each_cta_of_the_launch_executes(name: str, source: str) -> None:
    job = sample(name)
    subject = subject_of(job, source)
    x, y, z = job.required_launch().grid
    every = tuple((a, b, c) for c in range(z) for b in range(y) for a in range(x))
    whole = Round(subject_of(job, "static"), every).executions
    found = Rounds(subject).each(len(every))
    assert found is not None
    assert tuple(cta for cta, _ in found) == every
    assert added(own for _, own in found) == added([whole])


def added(each: Iterable[Mapping[int, int]]) -> Counter[int]:
    """Add up executions by block; those of none are left out."""
    return sum((Counter({b: n for b, n in own.items() if n}) for own in each), Counter())


@pytest.mark.slow
def test_ctas_that_data_decide_tell_of_all_or_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each as if it were looked at alone; they differ."""
    subject = spmv("executed")
    every = Rounds(spmv("executed")).each(4)
    assert every is not None
    assert [cta for cta, _ in every] == [(k, 0, 0) for k in range(subject.launch.grid[0])]
    monkeypatch.setattr(of_rounds, "MOST_EXECUTED", 8)
    found = Rounds(spmv("executed")).each(4)
    assert found is not None
    assert set(map(str, found)) < set(map(str, every))
    chosen = {*sampled_ctas(subject.launch.grid, 4), (subject.launch.grid[0] // 2, 0, 0)}
    assert {cta for cta, _ in found} == chosen
    for cta, own in found:
        assert added([own]) == added([Round(spmv("executed"), (cta,)).executions])
    assert len({tuple(sorted(own.items())) for _, own in found}) > 1


@pytest.mark.parametrize("way", ["each", "all_or_some"])
def test_not_all_ctas_are_executed_that_run_for_long(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of 16 CTAs may take as many instructions as they do, and not one less."""
    subject = spmv("executed")
    whole = getattr(Rounds(subject), way)(4)
    assert len(whole) == 16
    blocks = subject.kernel.blocks
    monkeypatch.setattr(of_rounds, "MOST_COUNTED_INSTRUCTIONS", 0)
    chosen = dict(getattr(Rounds(spmv("executed")), way)(4))
    assert 4 <= len(chosen) < 16 and chosen.keys() < dict(whole).keys()
    assert all(dict(whole)[cta] == own for cta, own in chosen.items())
    ran = [32 * len(blocks[b].instructions) * n for own in chosen.values() for b, n in own.items()]
    monkeypatch.setattr(of_rounds, "MOST_COUNTED_INSTRUCTIONS", 16 * sum(ran) / len(chosen))
    assert len(getattr(Rounds(spmv("executed")), way)(4)) == 16


def test_one_of_the_ctas_is_of_the_last_row() -> None:
    launch = LaunchOptions((9, 40), (32,), 0, ["buffer=i32:16"] * 3 + ["16"])
    job = prepare(SAMPLES / "vecadd" / "vecadd.sm_80.ptx", None, launch)
    found = Rounds(subject_of(job, "static")).each(2)
    assert found is not None
    assert found[-1][0] == (4, 39, 0)
    assert len(found) == 3


def test_beginnings_are_the_first_events_of_each_warp() -> None:
    ctas = ((1, 0, 0), (7, 0, 0), (12, 0, 0))
    whole = Round(spmv("executed"), ctas).events(RULES).batch
    begun = Rounds(spmv("executed")).beginnings(ctas, 200)
    assert begun is not None
    batch = begun.events(RULES).batch
    assert batch.ctas.tolist() == whole.ctas.tolist() == [1, 7, 12]
    assert 3 * 200 // 8 < len(batch.block) < len(whole.block)
    for n in range(len(ctas)):
        pairs = list(zip(batch.traces(n), whole.traces(n), strict=True))
        assert all(own.nodes == one.nodes[: len(own.nodes)] for own, one in pairs)
        lengths = [len(own.nodes) for own, _ in pairs]
        assert min(lengths) > 0.5 * max(lengths), "warps take turns"


def test_beginnings_of_short_ctas_are_all_of_them() -> None:
    ctas = ((0, 0, 0), (3, 0, 0))
    whole = Round(spmv("executed"), ctas)
    begun = Rounds(spmv("executed")).beginnings(ctas, 1 << 40)
    assert begun is not None
    assert begun.executions == whole.executions
    assert same_streams(begun, whole)


def test_running_some_leaves_what_is_run_later_as_it_was() -> None:
    ctas = ((2, 0, 0), (9, 0, 0))
    subject = spmv("executed")
    rounds = Rounds(subject)
    first = rounds.of(ctas).executions
    assert rounds.beginnings(((4, 0, 0), (5, 0, 0)), 100) is not None
    assert rounds.each(8) is not None
    assert Round(subject, ctas).executions == first


def test_static_traces_have_no_beginnings() -> None:
    assert Rounds(subject_of(sample("reduce"), "static")).beginnings(((0, 0, 0),), 100) is None


CHAINED = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<99>;
ld.param.u64 %rd1, [p]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd2, %r1, 8;
add.s64 %rd3, %rd1, %rd2;
setp.eq.u32 %p1, %r1, 0;
@%p1 bra STORE;
ld.global.u64 %rd4, [%rd3]; ld.global.u32 %r2, [%rd4];
STORE: add.s64 %rd5, %rd3, 8; st.global.u64 [%rd3+8], %rd1;
ret;
}
"""
"""Each CTA follows an address that the one before it has stored."""


def test_ctas_that_need_those_before_them_are_not_run_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "k.ptx"
    file.write_text(CHAINED)
    job = prepare(file, None, LaunchOptions((64,), (32,), 0, ["buffer=i64:128"]))
    rounds = Rounds(subject_of(job, "executed"))
    assert rounds.beginnings(((40, 0, 0),), 100) is None
    assert rounds.each(4) is not None  # all of them, from the first on
    monkeypatch.setattr(of_rounds, "MOST_EXECUTED", 8)
    assert rounds.each(4) is None


def test_what_is_asked_for_most_often_stays() -> None:
    """Of what was asked for as often the oldest goes, and it is made anew."""
    kept: MostUsed[str, str] = MostUsed(2)
    made: list[str] = []

    def make(key: str) -> str:
        made.append(key)
        return key

    assert [kept.of(key, partial(make, key)) for key in "abababcdcab"] == list("abababcdcab")
    assert "".join(made) == "abcdca"
    assert kept.get("a") == "a"
    assert kept.get("c") is None


def test_a_wave_is_the_round_of_an_sm_that_runs_all_of_it() -> None:
    rounds = Rounds(subject_of(sample("reduce"), "static"))
    one, other = (((k, 0, 0), (k + 1, 0, 0)) for k in (0, 4))
    assert rounds.wave(one) is rounds.wave(one) is rounds.of(one)
    assert rounds.of(other) is rounds.wave(other)
    assert rounds.wave(one) is not rounds.wave(other)


def test_rounds_go_without_the_collector() -> None:
    """Nothing that is kept for others refers to what keeps it: rounds hold many megabytes."""
    rounds = Rounds(subject_of(sample("reduce"), "static"))
    rounds.wave(((0, 0, 0), (1, 0, 0))).events(RULES)
    rounds.of(((3, 0, 0),)).events(RULES)
    alive = weakref.ref(rounds), weakref.ref(rounds.of(((3, 0, 0),)))
    gc.collect()
    gc.disable()
    try:
        del rounds
        assert [one() for one in alive] == [None, None]
    finally:
        gc.enable()


def test_some_rounds_are_kept() -> None:
    rounds = Rounds(subject_of(sample("reduce"), "static"))
    first = rounds.of(((0, 0, 0),))
    assert rounds.of(((0, 0, 0),)) is first
    for k in range(MOST_KEPT):
        rounds.of(((k + 1, 0, 0),))
    assert rounds.of(((0, 0, 0),)) is not first
