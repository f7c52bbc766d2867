"""How warps went at branches and round loops: by hand, and against a walk of each lane."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest

from analyzer.behaviour.branches import branch_behaviours
from analyzer.behaviour.loops import loop_behaviours
from analyzer.behaviour.model import FirstThreads, LoopBehaviour, Scope
from tests.reference.plain_graphs import graph_text
from warpmill.api import LaunchOptions, prepare
from warpmill.executed import executed_source

SAMPLES = Path(__file__).parents[2] / "samples"
HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .pred %p<9>; .reg .b32 %r<30>; .reg .b64 %rd<9>;
ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1;
mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %laneid; shr.u32 %r4, %r1, 5;
mov.u32 %r5, %ntid.x; mad.lo.u32 %r6, %r2, %r5, %r1; mov.u32 %r7, 0;
"""
TAIL = "END: st.global.u32 [%rd2], %r7; ret;\n}\n"
TID, CTAID, LANE, WARP, THREAD = "%r1", "%r2", "%r3", "%r4", "%r6"


@dataclass(frozen=True)
class Case:
    """A launch whose CTAs were all looked at, or those that are named."""

    job: object
    batches: list

    @property
    def structure(self):
        return self.job.analysis.structure

    @property
    def block(self):
        return self.job.required_launch().block

    def branches(self):
        return branch_behaviours(self.structure, self.block, self.batches)

    def loops(self):
        return loop_behaviours(self.structure, self.batches)


def case(file, kernel=None, ctas=None, options=None):
    job = prepare(file, kernel, options or LaunchOptions())
    x, y, z = job.required_launch().grid
    every = [(a, b, c) for c in range(z) for b in range(y) for a in range(x)]
    return Case(job, list(executed_source(job).batches(every if ctas is None else every[:ctas])))


def written(folder, body, grid=3, block=96):
    path = folder / "k.ptx"
    path.write_text(HEAD + body + TAIL)
    return case(path, options=LaunchOptions((grid,), (block,), 0, ["buffer=u32:4096"]))


def sample(name, sizes, kernel=None, ctas=None):
    options = LaunchOptions(sizes=sizes)
    return case(SAMPLES / name / "launch.toml", kernel, ctas, options)


# -- slow and obvious ------------------------------------------------------------------------------


@dataclass
class Went:
    """One execution of a branch: who stood there, and who took it, by lane."""

    cta: int
    warp: int
    on: list
    took: list

    @property
    def way(self):
        return 1 if self.took == self.on else 0 if not self.took else 2


def warps_of(one):
    """Give (number of the CTA, number in it, visits) of each warp."""
    x, y, _ = one.job.required_launch().grid
    for batch in one.batches:
        for place in range(len(batch.ctas)):
            for trace in batch.traces(place):
                a, b, c = trace.cta
                yield a + b * x + c * x * y, trace.warp, trace.nodes


def lanes(mask):
    return [lane for lane in range(64) if mask >> lane & 1]


def walked_branches(one):
    """Follow each lane from a branch to the block that it comes to next, or to its end."""
    cfg = one.structure.cfg
    found = defaultdict(list)
    for cta, warp, visits in warps_of(one):
        following, ways = {}, []
        for visit in reversed(visits):
            after = cfg.successors[visit.block]
            on = lanes(visit.mask)
            if len(after) == 2:
                went = {lane: following.get(lane, cfg.exit_id) for lane in on}
                assert set(went.values()) <= set(after)
                took = [lane for lane in on if went[lane] == after[1]]
                ways.append((visit.block, Went(cta, warp, on, took)))
            following.update(dict.fromkeys(on, visit.block))
        for block, way in reversed(ways):
            found[block].append(way)
    return dict(found)


def rule_of(ways, threads, size):
    """Give the widest rule of numbers that all obeyed."""
    numbers = {
        Scope.CTAS: lambda w, _: w.cta,
        Scope.CTA: lambda w, lane: w.warp * size + lane,
        Scope.WARP: lambda _, lane: lane,
        Scope.GRID: lambda w, lane: w.cta * threads + w.warp * size + lane,
    }
    for scope, number in numbers.items():
        took = {number(w, lane) for w in ways for lane in w.took}
        fell = {number(w, lane) for w in ways for lane in w.on if lane not in w.took}
        if not took or not fell:
            return None
        if max(took) < min(fell):
            return FirstThreads(scope, min(fell), taken_below=True)
        if max(fell) < min(took):
            return FirstThreads(scope, min(took), taken_below=False)
    return None


def share(part, whole):
    return part / whole if whole else None


def alike(ways, key):
    found = defaultdict(set)
    for way in ways:
        found[key(way)].add(way.way)
    return all(len(each) == 1 for each in found.values())


def check_branches(one):
    tables = one.batches[0].tables
    size, threads = tables.warp_size, one.block[0] * one.block[1] * one.block[2]
    walked = walked_branches(one)
    behaviours = one.branches()
    assert [b.block for b in behaviours] == sorted(walked)
    for found in behaviours:
        ways = walked[found.block]
        count = Counter(way.way for way in ways)
        parted = [way for way in ways if way.way == 2]
        assert found.executions == len(ways)
        assert (found.none_taken, found.all_taken, found.split) == (count[0], count[1], count[2])
        shares = [len(way.took) / len(way.on) for way in parted]
        assert found.split_share == pytest.approx(sum(shares) / max(1, len(shares)))
        assert found.rule == rule_of(ways, threads, size)
        assert found.by_cta == alike(ways, lambda way: way.cta)
        assert found.by_warp == alike(ways, lambda way: (way.cta, way.warp))
        by_position = [
            share(
                sum(len(way.took) for way in ways if way.warp == place),
                sum(len(way.on) for way in ways if way.warp == place),
            )
            for place in range(tables.warps_per_cta)
        ]
        assert list(found.by_position) == by_position
        by_lane = [
            share(sum(lane in w.took for w in parted), sum(lane in w.on for w in parted))
            for lane in range(size)
        ]
        assert list(found.by_lane) == by_lane
    return behaviours


def walked_loops(one):
    """Follow the first lane on at each header: it came from outside, or from inside."""
    found = {}
    for loop in one.structure.loops.loops:
        runs, lanes_in = [], 0
        for cta, _, visits in warps_of(one):
            last, own = {}, {}
            for visit in visits:
                on = lanes(visit.mask)
                if visit.block == loop.header:
                    if last.get(on[0]) not in loop.blocks:
                        lanes_in += len(on)
                        runs.append([cta, 0])
                        own[on[0]] = len(runs) - 1
                    run = own[on[0]]
                    own.update(dict.fromkeys(on, run))
                    runs[run][1] += 1
                last.update(dict.fromkeys(on, visit.block))
        if runs:
            histogram = Counter(length for _, length in runs)
            lengths = defaultdict(set)
            for cta, length in runs:
                lengths[cta].add(length)
            found[loop.header] = LoopBehaviour(
                loop.header,
                len(runs),
                sum(length for _, length in runs),
                tuple(sorted(histogram.items())),
                all(len(each) == 1 for each in lengths.values()),
                lanes_in / len(runs),
            )
    return found


def check_loops(one):
    behaviours = one.loops()
    assert {b.header: b for b in behaviours} == walked_loops(one)
    assert len({b.header for b in behaviours}) == len(behaviours)
    return behaviours


@pytest.mark.parametrize(
    ("name", "sizes", "kernel"),
    [
        ("reduce", {"n": 2048}, None),
        ("spmv", {"rows": 512, "cols": 512}, None),
        ("stencil5", {"width": 64, "height": 24}, None),
        ("matmul", {"n": 32}, None),
        ("bitonic", {"n": 2048}, "bitonic_sort"),
        ("nw", {"n": 64}, "nw_upper_left"),
        ("trisolve", {"n": 24, "sides": 256}, "trisolve_forward"),
    ],
)
def test_samples_go_as_a_walk_of_each_lane_says(name, sizes, kernel):
    one = sample(name, sizes, kernel, ctas=4)
    assert check_branches(one)
    check_loops(one)


@pytest.mark.parametrize("seed", range(12))
def test_graphs_of_any_form_go_as_a_walk_of_each_lane_says(tmp_path, seed):
    path = tmp_path / "graph.ptx"
    path.write_text(graph_text(f"branches {seed}", 4 + seed % 6))
    one = case(path, options=LaunchOptions((2,), (72,), 0, ["buffer=u32:65536"]))
    if not one.structure.loops.irreducible:
        check_loops(one)
    check_branches(one)


# -- who goes where --------------------------------------------------------------------------------


def side(condition):
    return f"{condition} @%p1 bra SIDE; add.u32 %r7, %r7, 1; bra END; SIDE: add.u32 %r7, %r7, 2;\n"


@pytest.mark.parametrize(
    ("condition", "counts", "rule"),
    [
        (f"setp.lt.u32 %p1, {TID}, 40;", (3, 3, 3), FirstThreads(Scope.CTA, 40, True)),
        (f"setp.ge.u32 %p1, {TID}, 40;", (3, 3, 3), FirstThreads(Scope.CTA, 40, False)),
        (f"setp.lt.u32 %p1, {CTAID}, 2;", (6, 3, 0), FirstThreads(Scope.CTAS, 2, True)),
        (f"setp.gt.u32 %p1, {CTAID}, 0;", (6, 3, 0), FirstThreads(Scope.CTAS, 1, False)),
        (f"setp.lt.u32 %p1, {LANE}, 5;", (0, 0, 9), FirstThreads(Scope.WARP, 5, True)),
        (f"setp.lt.u32 %p1, {THREAD}, 100;", (3, 5, 1), FirstThreads(Scope.GRID, 100, True)),
        (f"setp.ge.u32 %p1, {WARP}, 2;", (3, 6, 0), FirstThreads(Scope.CTA, 64, False)),
        (f"setp.eq.u32 %p1, {WARP}, 1;", (3, 6, 0), None),
        (f"setp.lt.u32 %p1, {TID}, 96;", (9, 0, 0), None),
        (f"setp.gt.u32 %p1, {TID}, 96;", (0, 9, 0), None),
        (f"and.b32 %r8, {TID}, 1; setp.ne.u32 %p1, %r8, 0;", (0, 0, 9), None),
    ],
)
def test_rules_of_first_threads(tmp_path, condition, counts, rule):
    (found,) = check_branches(written(tmp_path, side(condition)))
    assert (found.all_taken, found.none_taken, found.split) == counts
    assert found.executions == 9
    assert found.rule == rule


def test_the_first_forty_of_each_cta(tmp_path):
    (found,) = check_branches(written(tmp_path, side(f"setp.lt.u32 %p1, {TID}, 40;")))
    assert found.split_share == 0.25  # 8 lanes of the second warp
    assert found.by_position == (1.0, 0.25, 0.0)
    assert found.by_lane == (*[1.0] * 8, *[0.0] * 24)
    assert (found.by_cta, found.by_warp) == (False, True)


def test_a_warp_that_is_not_full(tmp_path):
    (found,) = check_branches(written(tmp_path, side(f"setp.ge.u32 %p1, {TID}, 36;"), 2, 40))
    assert (found.all_taken, found.none_taken, found.split) == (0, 2, 2)
    assert found.by_position == (0.0, 0.5)
    assert found.by_lane == (0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, *[None] * 24)


def test_lanes_that_return_early(tmp_path):
    body = f"setp.ge.u32 %p1, {THREAD}, 110; @%p1 ret; add.u32 %r7, %r7, 1;\n"
    (found,) = check_branches(written(tmp_path, body))
    assert (found.all_taken, found.none_taken, found.split) == (5, 3, 1)
    assert found.rule == FirstThreads(Scope.GRID, 110, taken_below=False)
    assert found.split_share == 18 / 32


def test_ctas_that_go_one_way_and_warps_that_change_their_mind(tmp_path):
    body = f"""
LOOP: xor.b32 %r8, %r7, {CTAID}; and.b32 %r8, %r8, 1; setp.ne.u32 %p1, %r8, 0; @%p1 bra ODD;
add.u32 %r9, %r9, 3; bra NEXT;
ODD: add.u32 %r9, %r9, 5;
NEXT: add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, 4; @%p2 bra LOOP;
"""
    odd, back = check_branches(written(tmp_path, body))
    assert (odd.all_taken, odd.none_taken, odd.by_warp, odd.by_cta) == (18, 18, False, False)
    assert (back.all_taken, back.none_taken, back.by_warp) == (27, 9, False)
    assert odd.by_position == (0.5, 0.5, 0.5)


def test_ctas_of_different_minds_that_stay_the_same(tmp_path):
    body = side(f"and.b32 %r8, {CTAID}, 1; setp.ne.u32 %p1, %r8, 0;")
    (found,) = check_branches(written(tmp_path, body))
    assert (found.by_cta, found.by_warp, found.rule) == (True, True, None)
    assert found.by_position == (1 / 3,) * 3


def test_a_branch_with_two_equal_sides_or_that_nobody_meets_is_left_out(tmp_path):
    body = f"""setp.lt.u32 %p1, {TID}, 4; @%p1 bra NEXT;
NEXT: add.u32 %r7, %r7, 1; bra END;
setp.lt.u32 %p2, {TID}, 9; @%p2 bra END;
"""
    assert written(tmp_path, body).branches() == ()


EPILOGUE = f"""
LOOP: add.u32 %r7, %r7, 1; setp.eq.u32 %p1, {LANE}, %r7; @%p1 bra FOUND;
setp.lt.u32 %p2, %r7, 4; @%p2 bra LOOP;
DONE: bra END;
FOUND: add.u32 %r8, %r8, 7; bra DONE;
"""
"""Lanes 1 to 4 find something and leave; the others leave at the fall-through, and wait there."""


@pytest.mark.xfail(
    strict=True, reason="lanes that wait at the fall-through while others run count as taken"
)
def test_lanes_that_wait_behind_a_branch_fell_through(tmp_path):
    found = check_branches(written(tmp_path, EPILOGUE))
    assert [(b.all_taken, b.none_taken, b.split) for b in found] == [(0, 0, 36), (27, 9, 0)]


# -- samples by hand -------------------------------------------------------------------------------


def test_a_tree_of_sums_halves_those_that_add():
    """128, 64, .. 1 of 256 threads add: 4, 2, 1 warps, then one with 16, 8, 4, 2, 1 lanes."""
    one = sample("reduce", {"n": 4 * 512})
    branches = check_branches(one)
    (loop,) = check_loops(one)
    assert (loop.runs, loop.iterations, loop.histogram) == (4 * 8, 4 * 8 * 8, ((8, 32),))
    assert (loop.by_cta, loop.lanes_in) == (True, 32.0)
    tree = next(b for b in branches if b.split == 4 * 5)
    assert tree.executions == 4 * 64
    assert tree.none_taken == 4 * (4 + 2 + 1)  # taking it skips the sum
    assert tree.split_share == pytest.approx(1 - (16 + 8 + 4 + 2 + 1) / 32 / 5)
    one_on = [(3 * 32 + 31) / 256, 2 / 8, 1 / 8, 1 / 8, 0, 0, 0, 0]
    assert tree.by_position == pytest.approx([1 - part for part in one_on])
    assert tree.by_lane[:3] == (0.0, 0.2, 0.4)  # lane 0 adds always, lane 1 down to 2
    assert tree.by_lane[16:] == (1.0,) * 16
    assert tree.rule is None
    last = branches[-1]  # thread 0 stores
    assert (last.all_taken, last.none_taken, last.split) == (4 * 7, 0, 4)
    assert last.rule == FirstThreads(Scope.CTA, 1, taken_below=False)


def test_the_rims_of_a_tile():
    """8 warps of 32 by 8 threads: one lane at each side, one warp above and one below."""
    one = sample("stencil5", {"width": 64, "height": 16})
    found = check_branches(one)
    of_lanes = [b for b in found if b.split]
    assert [(b.split, b.executions) for b in of_lanes] == [(32, 32), (32, 32)]
    rules = [b.rule for b in of_lanes]
    assert rules == [FirstThreads(Scope.WARP, 1, False), FirstThreads(Scope.WARP, 31, True)]
    of_warps = [b for b in found if not b.split and b.all_taken and b.none_taken]
    assert [(b.none_taken, b.all_taken) for b in of_warps] == [(4, 28), (4, 28)]
    rules = [b.rule for b in of_warps]
    assert rules == [FirstThreads(Scope.CTA, 32, False), FirstThreads(Scope.CTA, 224, True)]


def test_tiles_of_a_product_are_as_many_for_all():
    (loop,) = check_loops(sample("matmul", {"n": 64}))
    assert (loop.runs, loop.histogram) == (16 * 8, ((4, 128),))
    assert (loop.by_cta, loop.lanes_in) == (True, 32.0)


# -- loops -----------------------------------------------------------------------------------------


def times(number):
    return f"""mov.u32 %r8, {number}; LOOP: add.u32 %r7, %r7, 1; setp.le.u32 %p1, %r7, %r8;
@%p1 bra LOOP;
"""


@pytest.mark.parametrize(
    ("number", "histogram", "by_cta"),
    [
        ("5", ((6, 9),), True),
        (CTAID, ((1, 3), (2, 3), (3, 3)), True),
        (WARP, ((1, 3), (2, 3), (3, 3)), False),
        (LANE, ((32, 9),), True),
    ],
)
def test_runs_of_a_loop(tmp_path, number, histogram, by_cta):
    one = written(tmp_path, times(number))
    check_branches(one)
    (found,) = check_loops(one)
    assert found.histogram == histogram
    assert (found.runs, found.iterations) == (9, sum(n * runs for n, runs in histogram))
    assert (found.by_cta, found.lanes_in) == (by_cta, 32.0)


def test_lanes_that_come_in(tmp_path):
    body = f"setp.ge.u32 %p2, {LANE}, 12; @%p2 bra END;\n" + times("2")
    (found,) = check_loops(written(tmp_path, body))
    assert (found.runs, found.histogram, found.lanes_in) == (9, ((3, 9),), 12.0)


def test_a_loop_inside_another(tmp_path):
    """The outer one three times, the inner one as often as it is in the outer: 1, 2, 3."""
    body = """
OUTER: mov.u32 %r8, 0;
INNER: add.u32 %r8, %r8, 1; setp.le.u32 %p1, %r8, %r7; @%p1 bra INNER;
add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, 3; @%p2 bra OUTER;
"""
    outer, inner = check_loops(written(tmp_path, body))
    assert outer.histogram == ((3, 9),)
    assert inner.histogram == ((1, 9), (2, 9), (3, 9))
    assert (outer.by_cta, inner.by_cta) == (True, False)


def test_a_loop_that_nobody_enters_is_left_out(tmp_path):
    body = f"setp.lt.u32 %p2, {TID}, 999; @%p2 bra END;\n" + times("2")
    one = written(tmp_path, body)
    assert len(one.structure.loops.loops) == 1
    assert check_loops(one) == ()
