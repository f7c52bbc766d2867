"""Divergence flow graphs of small kernels, every count worked out by hand.

Launches have one CTA of 48 threads, a whole warp and a half one, unless they say otherwise.
"""

from dataclasses import replace

import pytest

from tests.reference import flow_kernels
from tests.reference.flow_kernels import kernel_of
from tests.reference.profile_twin import interpreted, profile_of, walk
from tests.reference.run_kernel import kernel_text
from warpmill.analyzer.analyses.cfg.graph import build_cfg, dominator_tree, find_loops
from warpmill.analyzer.base.diagnostics import Source, UsageError
from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.profile.counts import LoopProfile, WarpIterations
from warpmill.analyzer.profile.dfsg.flow import flow_errors
from warpmill.analyzer.profile.dfsg.graph import (
    Area,
    JumpCase,
    LoopPattern,
    TargetCase,
)
from warpmill.analyzer.profile.dfsg.make import make_dfsg

KERNELS = [name for name in dir(flow_kernels) if name.isupper()]


def graph(body, threads=48, **launch):
    return interpreted(kernel_of(body), block=(threads, 1, 1), **launch)


def nodes(dfsg):
    """ECount, LCount, SCount and threads by label."""
    return {n.label: (n.ecount, n.lcount, n.scount, n.threads) for n in dfsg.nodes}


def edges(dfsg):
    """OECount and TCount by labels."""
    labels = {None: None} | {n.block: n.label for n in dfsg.nodes}
    return {(labels[e.source], labels[e.target]): (e.oecount, e.tcount) for e in dfsg.edges}


def test_a_self_loop_that_all_threads_go_round_five_times():
    dfsg = graph(flow_kernels.SELF_LOOP)
    assert nodes(dfsg) == {
        "bb0": (48, 0, 0, 48),
        "LOOP": (240, 240, 0, 48),
        "DONE": (48, 0, 0, 48),
    }
    assert edges(dfsg) == {
        ("bb0", "LOOP"): (48, 48),
        ("LOOP", "LOOP"): (192, 48),
        ("LOOP", "DONE"): (48, 48),
        ("DONE", None): (48, 48),
    }
    (loop,) = dfsg.loops
    assert loop.pattern is LoopPattern.SELF
    assert loop.counts == LoopProfile(1, 48, 48, 240, 5, 5, (WarpIterations(5, 1, 2),))
    assert (loop.counts.iterations_per_thread, loop.counts.warps, loop.counts.iterates_alike) == (
        5,
        2,
        True,
    )
    assert loop.jump_points[0].case is JumpCase.ALL
    assert loop.target_case is None
    assert [n.area for n in dfsg.nodes] == [Area.OUTSIDE, Area.INSIDE, Area.OUTSIDE]
    assert [n.iterations_per_thread for n in dfsg.nodes] == [None, 5, None]
    assert [n.instructions for n in dfsg.nodes] == [2, 3, 1]


def test_trips_that_depend_on_the_thread():
    """Thread t iterates t + 1 times: 528 times the first warp, 648 the half one, 1,176 in all.

    Thread 0 never jumps back. A warp goes on until its last thread is done: 32 and 48 rounds, of
    which all but the last part it, in the half warp those from the 33rd on.
    """
    dfsg = graph(flow_kernels.OWN_TRIPS)
    assert nodes(dfsg)["LOOP"] == (1176, 1176, 0, 48)
    assert edges(dfsg)["LOOP", "LOOP"] == (1176 - 48, 47)
    assert dfsg.nodes[1].warps == 32 + 48
    (loop,) = dfsg.loops
    assert (loop.counts.iterations_min, loop.counts.iterations_max) == (1, 48)
    assert loop.counts.by_warp == (WarpIterations(33, 2, 1), WarpIterations(81, 2, 1))
    assert loop.counts.iterations_per_thread == 24.5
    assert loop.counts.iterates_alike is False
    assert loop.jump_points[0].case is JumpCase.SOME
    (branch,) = dfsg.branches
    assert branch.splits == 31 + 15


def test_a_normal_loop_with_a_choice_and_a_barrier():
    dfsg = graph(flow_kernels.NORMAL_LOOP)
    assert nodes(dfsg) == {
        "bb0": (48, 0, 0, 48),
        "HEAD": (192, 192, 0, 48),
        "HIGH": (160, 160, 0, 40),
        "LOW": (32, 32, 0, 8),
        "NEXT": (192, 192, 192, 48),
        "DONE": (48, 0, 0, 48),
    }
    assert edges(dfsg)["HEAD", "LOW"] == (32, 8)
    assert edges(dfsg)["NEXT", "HEAD"] == (144, 48)
    assert edges(dfsg)["NEXT", "DONE"] == (48, 48)
    (loop,) = dfsg.loops
    assert loop.pattern is LoopPattern.NORMAL
    assert (loop.shape.header, loop.shape.latches) == (1, (4,))
    assert (loop.counts.entries, loop.counts.iterations) == (48, 192)
    assert loop.jump_points[0].case is JumpCase.ALL
    assert loop.target_case is TargetCase.GROUPS
    barrier = dfsg.nodes[4]
    assert (barrier.barriers, barrier.scount_warps) == (1, 8)


@pytest.mark.parametrize(
    ("old", "new", "case"),
    [
        ("setp.lt.u32 %p1, %r1, 8;", "setp.lt.u32 %p1, %r1, 99;", TargetCase.ONE_WAY),
        ("setp.lt.u32 %p1, %r1, 8;", "setp.lt.u32 %p1, %r2, 2;", TargetCase.CHANGING),
        ("setp.lt.u32 %p2, %r2, 4;", "setp.lt.u32 %p2, %r3, 5;", None),
    ],
)
def test_how_threads_go_on_from_a_target_point(old, new, case):
    """Always LOW; LOW in two of four iterations; LOW four times, but HIGH three times only."""
    body = flow_kernels.NORMAL_LOOP.replace(old, new)
    dfsg = graph(body.replace("bar.sync 0;", ""))
    assert dfsg.loops[0].target_case is case


def test_only_warps_that_have_both_sides_part():
    """Of two warps the first has the threads below 8: it parts in each of four iterations."""
    first, second = graph(flow_kernels.NORMAL_LOOP).branches
    assert (first.splits, first.divergent, first.area) == (4, True, Area.INSIDE)
    assert [(side.target, side.tcount, side.warps) for side in first.sides] == [
        (2, 40, 8),
        (3, 8, 4),
    ]
    assert (second.splits, second.divergent) == (0, False)


def test_a_loop_tested_at_its_top_runs_its_header_once_more():
    dfsg = graph(flow_kernels.TOP_TESTED)
    assert nodes(dfsg)["HEAD"] == (192, 192, 0, 48)
    assert nodes(dfsg)["BODY"] == (144, 144, 0, 48)
    (loop,) = dfsg.loops
    assert (loop.pattern, loop.counts.iterations, loop.counts.iterations_max) == (
        LoopPattern.NORMAL,
        192,
        4,
    )
    assert loop.jump_points[0].case is JumpCase.ALL
    assert loop.target_case is TargetCase.ONE_WAY  # the other way is the loop's end


def test_nested_loops_count_iterations_of_all_entries():
    """The inner loop is entered three times by each thread, and iterates seven times each."""
    dfsg = graph(flow_kernels.NESTED)
    assert nodes(dfsg)["OUTER"] == nodes(dfsg)["NEXT"] == (144, 144, 0, 48)
    assert nodes(dfsg)["INNER"] == (1008, 1008, 0, 48)
    assert edges(dfsg)["OUTER", "INNER"] == (144, 48)
    assert edges(dfsg)["INNER", "INNER"] == (864, 48)
    outer, inner = dfsg.loops
    assert (outer.pattern, inner.pattern) == (LoopPattern.NESTED, LoopPattern.SELF)
    assert (inner.shape.parent, inner.shape.depth) == (outer.shape.id, 2)
    assert (outer.counts.iterations_per_thread, inner.counts.iterations_per_thread) == (3, 21)
    assert (inner.counts.entries, inner.counts.threads) == (144, 48)
    assert dfsg.nodes[2].loop == inner.shape.id


def test_if_and_else():
    dfsg = graph(flow_kernels.IF_ELSE)
    assert nodes(dfsg) == {
        "bb0": (48, 0, 0, 48),
        "ELSE": (38, 0, 0, 38),
        "THEN": (10, 0, 0, 10),
        "JOIN": (48, 0, 48, 48),
    }
    assert dfsg.loops == ()
    (branch,) = dfsg.branches
    assert (branch.area, branch.splits) == (Area.OUTSIDE, 1)


def test_threads_that_return_early_cross_to_the_end():
    dfsg = graph(flow_kernels.EARLY_RETURN)
    assert edges(dfsg) == {
        ("bb0", "WORK"): (24, 24),
        ("bb0", None): (24, 24),
        ("WORK", None): (24, 24),
    }
    assert sum(edge.iecount for edge in dfsg.arriving[-1]) == dfsg.launch.threads == 48
    (branch,) = dfsg.branches
    assert branch.splits == 1  # eight lanes of the first warp leave, all of the second


def test_synchronisations_count_threads_whose_guard_holds():
    """Sixteen threads come to the first barrier, all to the second; two warps execute both."""
    (node,) = graph(flow_kernels.GUARDED_BARRIER).nodes
    assert (node.barriers, node.scount, node.scount_warps) == (2, 16 + 48, 4)


def test_a_cycle_with_two_entries_is_no_loop():
    dfsg = graph(flow_kernels.TWO_ENTRIES)
    assert dfsg.loops == ()
    assert dfsg.irreducible == ((1, 2),)
    assert nodes(dfsg)["SECOND"] == (4 * 3 + 44 * 2, 0, 0, 48)


def test_blocks_and_edges_that_nobody_came_to_are_there_with_zeros():
    dfsg = graph(flow_kernels.IF_ELSE, threads=10)
    assert nodes(dfsg)["ELSE"] == (0, 0, 0, 0)
    assert edges(dfsg)["bb0", "ELSE"] == edges(dfsg)["ELSE", "JOIN"] == (0, 0)
    never = "setp.lt.u32 %p1, %r1, 99; @%p1 bra DONE;"
    (loop,) = graph(flow_kernels.SELF_LOOP.replace("mov.u32 %r2, 0;", never)).loops
    assert loop.counts == LoopProfile(1, 0, 0, 0, 0, 0, ())
    assert (loop.counts.iterations_per_thread, loop.counts.iterates_alike, loop.counts.warps) == (
        None,
        None,
        0,
    )


def test_an_entry_that_is_a_header_is_entered_by_the_launch():
    dfsg = graph("LOOP: setp.eq.u32 %p1, %tid.x, 99; @%p1 bra LOOP; ret;")
    assert nodes(dfsg)["LOOP"] == (48, 48, 0, 48)
    assert dfsg.loops[0].counts.entries == 48


@pytest.mark.parametrize("name", KERNELS)
def test_what_arrives_leaves(name):
    dfsg = graph(getattr(flow_kernels, name), grid=(2, 1, 1))
    assert dfsg.launch.threads == 96
    assert flow_errors(dfsg) == ()
    for node in dfsg.nodes:
        begun = 96 if node.block == 0 else 0
        assert begun + sum(e.iecount for e in dfsg.arriving[node.block]) == node.ecount
        assert sum(e.oecount for e in dfsg.leaving[node.block]) == node.ecount


def changed(dfsg, part, place, **counts):
    items = list(getattr(dfsg, part))
    items[place] = replace(items[place], **counts)
    return replace(dfsg, **{part: tuple(items)})


@pytest.mark.parametrize(
    ("part", "place", "counts", "words"),
    [
        ("nodes", 4, {"ecount": 191}, "block NEXT is executed 191 times and come to 192 times"),
        ("nodes", 4, {"threads": 49}, "block NEXT has 192 executions by 49 of 48 threads"),
        ("nodes", 4, {"threads": 0}, "block NEXT has 192 executions by 0 of 48 threads"),
        ("edges", 6, {"oecount": 143}, "block HEAD is executed 192 times and come to 191 times"),
        ("edges", 2, {"tcount": 33}, "the edge from HEAD to LOW has 32 executions by 33 of 48"),
        ("edges", 7, {"oecount": 47}, "block DONE is executed 48 times and left 47 times"),
        ("nodes", 4, {"warps": 1}, "block NEXT has 192 executions in 1 of warps of 32 lanes"),
        ("nodes", 4, {"warps": 193}, "block NEXT has 192 executions in 193 of warps of 32 lanes"),
        ("nodes", 4, {"barriers": 99}, "block NEXT has 99 barriers among"),
        ("nodes", 4, {"scount_warps": 9}, "of 1 barriers by warps and an SCount of 9 by warps"),
        ("nodes", 4, {"scount": 1}, "an SCount of 1 by threads and 8 by warps of 32 lanes"),
    ],
)
def test_counts_that_no_threads_can_have_are_told(part, place, counts, words):
    dfsg = changed(graph(flow_kernels.NORMAL_LOOP), part, place, **counts)
    assert any(words in error for error in flow_errors(dfsg)), flow_errors(dfsg)


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({"iterations": 191}, "the loop of HEAD has 191 iterations by 48 threads, and its header"),
        ({"entries": 47}, "the loop of HEAD has 47 entries, and 48 crossings lead into it"),
        ({"iterations_min": 5}, "the loop of HEAD has 192 iterations, not 240 to 192"),
    ],
)
def test_iterations_that_no_threads_can_have_are_told(counts, words):
    dfsg = graph(flow_kernels.NORMAL_LOOP)
    (loop,) = dfsg.loops
    wrong = replace(dfsg, loops=(replace(loop, counts=replace(loop.counts, **counts)),))
    assert words in flow_errors(wrong)[0]


def profile(body):
    kernel = kernel_of(body)
    walked = walk(kernel, 32, (1, 1, 1), (48, 1, 1), {})
    cfg = build_cfg(kernel)
    loops = find_loops(cfg, dominator_tree(cfg))
    return cfg, loops, profile_of(kernel, 32, (1, 1, 1), (48, 1, 1), walked)


def without_distinct(counts):
    return tuple(replace(each, distinct_threads=None) for each in counts)


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        (lambda p: replace(p, edges=None), "has no edges"),
        (lambda p: replace(p, loops=None), "has no loops"),
        (lambda p: replace(p, edges=None, loops=None), "has no edges, no loops"),
        (lambda p: replace(p, blocks=without_distinct(p.blocks)), "no distinct threads by block"),
        (lambda p: replace(p, edges=without_distinct(p.edges)), "no distinct threads by edge"),
    ],
)
def test_what_was_not_collected_is_no_zero(missing, words):
    cfg, loops, whole = profile(flow_kernels.NORMAL_LOOP)
    with pytest.raises(UsageError, match=words) as caught:
        make_dfsg(cfg, loops, missing(whole))
    assert "collect them" in str(caught.value)


def test_a_profile_that_contradicts_itself_is_refused():
    cfg, loops, whole = profile(flow_kernels.NORMAL_LOOP)
    with pytest.raises(ValueError, match="contradicts itself: block HEAD is executed 192 times"):
        make_dfsg(cfg, loops, replace(whole, edges=whole.edges[:-2]))


def test_blocks_know_the_line_that_they_begin_at():
    body = ".loc 1 7 3\nmov.u32 %r1, %tid.x; bra DONE;\nDONE:\n.loc 1 8 0\nret;"
    text = kernel_text(body, {}, '.file 1 "flow.cu"')
    kernel = ptx.parse(Source("k.ptx", text)).module.kernels[0]
    places = [node.place for node in interpreted(kernel).nodes]
    assert [(p.file, p.line, p.column) for p in places] == [("flow.cu", 7, 3), ("flow.cu", 8, None)]
    assert [node.place for node in graph(flow_kernels.SELF_LOOP).nodes] == [None] * 3
