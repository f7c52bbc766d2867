"""How warps went at branches and round loops: by hand, and against a walk of each lane."""

from __future__ import annotations

import pytest

from tests.reference.behaviour_walks import (
    CTAID,
    LANE,
    THREAD,
    TID,
    WARP,
    case,
    check_branches,
    check_loops,
    sample,
    written,
)
from tests.reference.plain_graphs import graph_text
from warpmill.analyzer.profile.behaviour.model import BehaviourScope, FirstThreads
from warpmill.session.options import LaunchOptions


@pytest.mark.one_in(3)
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


@pytest.mark.one_in(3)
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


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("condition", "counts", "rule"),
    [
        (f"setp.lt.u32 %p1, {TID}, 40;", (3, 3, 3), FirstThreads(BehaviourScope.CTA, 40, True)),
        (f"setp.ge.u32 %p1, {TID}, 40;", (3, 3, 3), FirstThreads(BehaviourScope.CTA, 40, False)),
        (f"setp.lt.u32 %p1, {CTAID}, 2;", (6, 3, 0), FirstThreads(BehaviourScope.CTAS, 2, True)),
        (f"setp.gt.u32 %p1, {CTAID}, 0;", (6, 3, 0), FirstThreads(BehaviourScope.CTAS, 1, False)),
        (f"setp.lt.u32 %p1, {LANE}, 5;", (0, 0, 9), FirstThreads(BehaviourScope.WARP, 5, True)),
        (
            f"setp.lt.u32 %p1, {THREAD}, 100;",
            (3, 5, 1),
            FirstThreads(BehaviourScope.GRID, 100, True),
        ),
        (f"setp.ge.u32 %p1, {WARP}, 2;", (3, 6, 0), FirstThreads(BehaviourScope.CTA, 64, False)),
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
    assert found.rule == FirstThreads(BehaviourScope.GRID, 110, taken_below=False)
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
    assert last.rule == FirstThreads(BehaviourScope.CTA, 1, taken_below=False)


def test_the_rims_of_a_tile():
    """8 warps of 32 by 8 threads: one lane at each side, one warp above and one below."""
    one = sample("stencil5", {"width": 64, "height": 16})
    found = check_branches(one)
    of_lanes = [b for b in found if b.split]
    assert [(b.split, b.executions) for b in of_lanes] == [(32, 32), (32, 32)]
    rules = [b.rule for b in of_lanes]
    assert rules == [
        FirstThreads(BehaviourScope.WARP, 1, False),
        FirstThreads(BehaviourScope.WARP, 31, True),
    ]
    of_warps = [b for b in found if not b.split and b.all_taken and b.none_taken]
    assert [(b.none_taken, b.all_taken) for b in of_warps] == [(4, 28), (4, 28)]
    rules = [b.rule for b in of_warps]
    assert rules == [
        FirstThreads(BehaviourScope.CTA, 32, False),
        FirstThreads(BehaviourScope.CTA, 224, True),
    ]


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
    """Each warp has one run: what differs lies between warps."""
    one = written(tmp_path, times(number))
    check_branches(one)
    (found,) = check_loops(one)
    assert found.histogram == histogram
    assert (found.runs, found.iterations) == (9, sum(n * runs for n, runs in histogram))
    assert (found.by_cta, found.by_warp, found.lanes_in) == (by_cta, 1.0, 32.0)


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
    assert (outer.by_warp, inner.by_warp) == (1.0, 0.0)  # every warp has a run of each length
    assert inner.in_step == 1.0  # the first of 1 for all, the second of 2


def test_runs_that_differ_between_warps_and_in_each(tmp_path):
    """Warps 0, 1, 2 have runs of 1 and 3, 2 and 4, 3 and 5: variance 2/3 of them, 1 in each."""
    body = f"""
OUTER: mov.u32 %r8, 0; shl.b32 %r9, %r7, 1; add.u32 %r9, %r9, {WARP};
INNER: add.u32 %r8, %r8, 1; setp.le.u32 %p1, %r8, %r9; @%p1 bra INNER;
add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, 2; @%p2 bra OUTER;
"""
    outer, inner = check_loops(written(tmp_path, body))
    assert outer.by_warp == 1.0
    assert inner.histogram == ((1, 3), (2, 3), (3, 6), (4, 3), (5, 3))
    assert inner.by_warp == pytest.approx((2 / 3) / (2 / 3 + 1))
    assert inner.in_step == pytest.approx(1 / (2 / 3 + 1))
    assert not inner.by_cta


def test_a_loop_that_nobody_enters_is_left_out(tmp_path):
    body = f"setp.lt.u32 %p2, {TID}, 999; @%p2 bra END;\n" + times("2")
    one = written(tmp_path, body)
    assert len(one.structure.loops.loops) == 1
    assert check_loops(one) == ()
