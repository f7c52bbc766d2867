"""Profiles of executed launches against those counted event by event from the slow interpreter."""

import random
from collections import Counter
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest

from tests.reference import profile_twin
from tests.reference.random_graphs import GraphMaker, words_of
from tests.reference.random_programs import NAMES, random_program
from tests.reference.run_kernel import Prepared, kernel_text, module_of, prepare
from tests.reference.storing import AREA_WORDS, ObservedLowering
from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.analyzer.launch.numbering import GLOBAL_BASE
from warpmill.analyzer.profile.counts import WarpIterations
from warpmill.executor.compile import CompileOptions
from warpmill.executor.launching import Grid, RunLimits
from warpmill.executor.native import paths as tallies
from warpmill.executor.native.paths import Lines
from warpmill.executor.observation import profile_of

EVERYTHING = CompileOptions(count_edges=True, count_lanes=True, count_paths=True, count_ctas=True)


def profiled(prepared, grid, block, arguments, **how):
    ran = prepared.run(grid, block, arguments, **how)
    return profile_of(prepared.compiled, Grid(grid, block), ran.execution)


def lanes_of(profile, walked):
    """Count the executions of each block by the lanes that are on."""
    table = np.zeros((len(profile.kernel.blocks), profile.warp_size + 1), int)
    for warp in walked:
        for block, mask, _ in warp.events:
            table[block, mask.bit_count()] += 1
    return tuple(map(tuple, table.tolist()))


def by_cta(profile, walked):
    """Count warp and thread instructions of each CTA."""
    lengths = [len(b.instructions) for b in profile.kernel.blocks]
    warps, threads = Counter(), Counter()
    per_cta = -(-int(np.prod(profile.block)) // profile.warp_size)
    for warp in walked:
        for block, mask, _ in warp.events:
            warps[warp.number // per_cta] += lengths[block]
            threads[warp.number // per_cta] += lengths[block] * mask.bit_count()
    ctas = range(int(np.prod(profile.grid)))
    return [warps[k] for k in ctas], [threads[k] for k in ctas]


def check(kernel, lanes, grid, block, numbers, words):
    prepared = Prepared(module_of(kernel, lanes), kernel, EVERYTHING)
    given = {k: np.uint32(v % 2**32) for k, v in numbers.items()}
    arguments = {"out": np.zeros(words, np.uint32), **given}
    walked = profile_twin.walk(kernel, lanes, grid, block, {"out": GLOBAL_BASE, **numbers})
    wanted = profile_twin.profile_of(kernel, lanes, grid, block, walked)
    found = profiled(prepared, grid, block, arguments)
    assert replace(found, lanes=None, by_cta=None) == wanted
    assert found.lanes == lanes_of(found, walked)
    warps, threads = by_cta(found, walked)
    assert found.by_cta.warp_instructions.tolist() == warps
    assert found.by_cta.thread_instructions.tolist() == threads


@pytest.mark.slow
@pytest.mark.parametrize(("threads", "lanes"), [(40, 32), (64, 64), (100, 64), (32, 32)])
def test_graphs_of_any_form(threads, lanes):
    for seed in range(8):
        chance = random.Random(f"profiles {seed} {threads} {lanes}")
        kernel = GraphMaker(chance, chance.randint(2, 10)).kernel()
        check(kernel, lanes, (2, 1, 1), (threads, 1, 1), {}, words_of(2, threads))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(12))
def test_structured_programs(seed):
    block, lanes = [((40, 1, 1), 32), ((3, 5, 2), 32), ((8, 9, 1), 64)][seed % 3]
    warps = -(-int(np.prod(block)) // lanes)
    kernel = ObservedLowering(NAMES, phis=bool(seed % 2), warps=warps).kernel(
        random_program(random.Random(seed))
    )
    words = warps * AREA_WORDS + int(np.prod(block)) * len(NAMES)
    numbers = {"arg0": seed % 7, "arg1": seed % 5 - 1}
    check(kernel, lanes, (1, 1, 1), block, {k: v % 2**32 for k, v in numbers.items()}, words)


TRIPS = """ld.param.u64 %d0, [out]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; and.b32 %r3, %r2, 3;
    add.u32 %r3, %r3, %r1; mov.u32 %r4, 0;
    L: add.u32 %r4, %r4, 1; setp.le.u32 %p1, %r4, %r3; @%p1 bra L;
    mul.wide.u32 %d1, %r2, 4; add.u64 %d1, %d1, %d0; st.global.u32 [%d1], %r4; ret;"""
"""Thread t of CTA c goes round its loop 1 + t mod 4 + c times."""


class WatchedLines(Lines):
    """Lines with room behind them that nobody may write to."""

    BEHIND = 4096
    made: ClassVar[list] = []

    def __init__(self, *sizes):
        super().__init__(*sizes)
        self.loop_words, self.behind_loops = self.watched(self.loop_words)
        self.cta_words, self.behind_ctas = self.watched(self.cta_words)
        self.made.append(self)

    def watched(self, words):
        whole = np.zeros(words.size + self.BEHIND, np.int64)
        return whole[: words.size], whole[words.size :]


def test_ctas_and_loops_when_there_is_room_for_few_lines(monkeypatch):
    monkeypatch.setattr("warpmill.executor.native.paths.LINES", 3)
    monkeypatch.setattr("warpmill.executor.cta_runs.Lines", WatchedLines)
    ctas, threads = 50, 96
    prepared = prepare(kernel_text(TRIPS, {"out": np.zeros(threads, np.uint32)}), 32, EVERYTHING)
    found = profiled(prepared, (ctas, 1, 1), (threads, 1, 1), {"out": np.zeros(threads, np.uint32)})
    (loop,) = found.loops
    trips = 1 + np.arange(threads) % 4 + np.arange(ctas)[:, None]
    assert (loop.entries, loop.threads) == (trips.size, trips.size)
    assert (loop.iterations, loop.iterations_min, loop.iterations_max) == (trips.sum(), 1, ctas + 3)
    # a warp has as many threads of each remainder: 1 + 1.5 + c iterations a thread
    assert loop.by_warp == tuple(WarpIterations(2 * c + 5, 2, 3) for c in range(ctas))
    inside = 3  # instructions of the loop
    outside = found.by_cta.thread_instructions - inside * trips.sum(axis=1)
    assert set(outside.tolist()) == {threads * (found.kernel.instruction_count - inside)}
    assert found.by_cta.block_threads.shape == (ctas, len(found.kernel.blocks))
    assert found.by_cta.memory_lines is None  # not asked for
    (lines,) = WatchedLines.made
    assert not lines.behind_loops.any()
    assert not lines.behind_ctas.any()


def test_a_loop_that_begins_with_the_kernel_is_entered_by_the_launch():
    body = """L: ld.param.u64 %d0, [out]; atom.global.add.u32 %r1, [%d0], 1;
        setp.lt.u32 %p1, %r1, 200; @%p1 bra L; ret;"""
    out = {"out": np.zeros(1, np.uint32)}
    text = kernel_text(body, out)
    found = profiled(prepare(text, 32, EVERYTHING), (1, 1, 1), (64, 1, 1), out)
    (loop,) = found.loops
    assert (loop.header, loop.entries, loop.threads) == (0, 64, 64)
    assert loop.iterations == found.blocks[0].threads > 200


def test_workers_and_ctas_that_take_turns_count_the_same(monkeypatch):
    monkeypatch.setattr("warpmill.executor.launching.ENOUGH", 0)
    own_place = "mad.lo.u32 %r5, %r1, 96, %r2; mul.wide.u32 %d1, %r5, 4;"
    body = TRIPS.replace("mul.wide.u32 %d1, %r2, 4;", own_place)
    out = {"out": np.zeros(96 * 40, np.uint32)}
    prepared = prepare(kernel_text(body, out), 32, EVERYTHING)
    one = profiled(prepared, (40, 1, 1), (96, 1, 1), out)
    assert profiled(prepared, (40, 1, 1), (96, 1, 1), out, workers=3) == one
    assert profiled(prepared, (40, 1, 1), (96, 1, 1), out, resident_ctas=7) == one


def test_counts_by_cta_have_a_limit():
    out = {"out": np.zeros(96, np.uint32)}
    prepared = prepare(kernel_text(TRIPS, out), 32, EVERYTHING)
    with pytest.raises(LimitError, match=r"counts by CTA take 13[12]\d{3} bytes"):
        prepared.run(5000, 96, out, limits=RunLimits(max_bytes=1 << 17))


@pytest.mark.parametrize("factor", [tallies._FACTOR, np.uint64(0)])
def test_distinct_rows_whatever_the_hash(factor, monkeypatch):
    monkeypatch.setattr(tallies, "_FACTOR", factor)  # of 0 all rows have one hash
    random = np.random.default_rng(1)
    rows = random.integers(-5, 5, (500, 3))
    found, numbers, counts = tallies.distinct_rows(rows)
    assert np.array_equal(found[numbers], rows)
    wanted, times = np.unique(rows, axis=0, return_counts=True)
    assert sorted(zip(found.tolist(), counts.tolist(), strict=True)) == sorted(
        zip(wanted.tolist(), times.tolist(), strict=True)
    )
