"""What traces take: warps that do alike share one tree, and trees do not grow with running time."""

from pathlib import Path

import pytest

from tests.reference.programs import Loop, Lowering
from tests.reference.random_programs import NAMES
from tests.traces.test_static_traces import plan_of
from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.analyzer.traces.model import Repeat, weighted_visits
from warpmill.analyzer.traces.source import StaticSource
from warpmill.analyzer.traces.static.evaluation import Inputs
from warpmill.analyzer.traces.static.grid import GridWalker
from warpmill.analyzer.traces.static.values import KnownNumbers
from warpmill.analyzer.traces.static.walk import WalkLimits
from warpmill.analyzer.traces.summary import sampled_ctas
from warpmill.session.prepare import prepare_all

SAMPLES = Path(__file__).parents[2] / "samples"


def source_of(sample):
    job = prepare_all(SAMPLES / sample / "launch.toml")[0]
    return StaticSource(job.loaded.module, job.analysis.structure, job.launch), job.launch


def trees(warps):
    """The different trees of warps, by identity."""
    return {id(w.nodes): w.nodes for w in warps}.values()


# -- samples -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sample", "number"),
    [
        ("vecadd", 1),
        ("matmul", 1),
        ("transpose", 1),
        ("reduce", 4),  # warp 0; 1; 2 and 3; 4 to 7: by the steps that they take part in
        ("stencil5", 3),  # the first row, the last row, those between
        ("scan", 4),
    ],
)
def test_the_whole_grid_of_a_sample_has_a_few_trees(sample, number):
    source, launch = source_of(sample)
    warps = [w for ctas in source.many(sampled_ctas(launch.grid, 40)) for w in ctas]
    found = list(trees(warps))
    assert len(found) == number
    assert len(set(found)) == number  # and none of them twice


def test_equal_traces_are_the_same_object_however_they_were_made():
    source, launch = source_of("reduce")
    one = source.warps((5, 0, 0))
    other = source.warps((launch.grid[0] - 1, 0, 0))
    assert [w.nodes for w in one] == [w.nodes for w in other]
    assert all(a.nodes is b.nodes for a, b in zip(one, other, strict=True))
    assert one[4].nodes is one[7].nodes
    assert one[0].nodes is not one[1].nodes


def test_only_the_bases_stand_apart():
    source, _ = source_of("vecadd")
    first, later = source.warps((0, 0, 0))[0], source.warps((3, 0, 0))[2]
    assert first.nodes is later.nodes
    moved = [b - a for a, b in zip(first.bases, later.bases, strict=True)]
    assert moved == [4 * (3 * 256 + 2 * 32)] * 3  # a, b and c, 4 B each


# -- programs ------------------------------------------------------------------------------------

ARGUMENTS = {"out": 1 << 40, "arg0": 3, "arg1": 4}


def walker_of(program, *, phis=False, grid=(64, 1, 1), shape=((8, 1, 1), 4), visits=600):
    kernel = Lowering(NAMES, phis=phis).kernel(program)
    inputs = Inputs({k: KnownNumbers(v) for k, v in ARGUMENTS.items()}, {})
    return GridWalker(plan_of(kernel), (grid, *shape), inputs, WalkLimits(visits))


def traced(program, ctas, **how):
    return [w for warps in walker_of(program, **how).traces(ctas) for w in warps]


def loop(counter, limit, *body, start=0, step=1, word="lt"):
    return ("loop", Loop(counter, start, ("add", step), word, limit), list(body))


ROW = [(x, 0, 0) for x in range(64)]


def test_ctas_that_decide_one_by_one_still_share_trees():
    """By a remainder no CTA is like the next; walked side by side they have two trees."""
    program = [
        ("if", ("eq", ("rem.s32", "ctaid.x", 3), 1), [("store", 1, None)], [], True),
        ("store", ("mul.lo.s32", "ctaid.x", "ctaid.x"), None),
    ]
    warps = traced(program, ROW)
    assert len(trees(warps)) == 2
    by_cta = {w.cta[0]: w.nodes for w in warps}
    assert all(by_cta[x] is by_cta[x % 3] for x in range(64))


def test_counts_that_differ_by_cta_make_a_tree_each_and_one_walk():
    """``for i < ctaid + 2``: the trees differ in their count, and one walk serves all."""
    program = [loop("c0", ("add.s32", "ctaid.x", 2), ("store", "c0", None))]
    walker = walker_of(program, visits=40)
    warps = [w for cta in walker.traces(ROW) for w in cta]
    assert len(trees(warps)) == 64
    assert all(a.nodes is b.nodes for a, b in zip(warps[::2], warps[1::2], strict=True))
    stores = [sum(n for v, n in weighted_visits(w.nodes) if v.accesses) for w in warps[::2]]
    assert stores == [x + 2 for x in range(64)]


def test_a_grid_as_large_as_they_come_is_walked_once():
    last = (2**31 - 2, 65534, 65534)
    program = [("store", ("add.s32", "ctaid.x", "ctaid.y"), None)]
    walker = walker_of(program, grid=(2**31 - 1, 65535, 65535), visits=10)
    (first,), (end,) = (w[:1] for w in walker.traces([(0, 0, 0), last]))
    assert first.nodes is end.nodes


def nodes_in(nodes):
    return sum(1 + (nodes_in(n.body) if isinstance(n, Repeat) else 0) for n in nodes)


STORE = ("store", "c0", None)
LONG = 10**9
NESTS = {
    "one loop": [loop("c0", LONG, STORE)],
    "three loops": [loop("c0", 1000, loop("c1", 1000, loop("c2", 1000, STORE)))],
    "triangle": [loop("c0", 50_000, loop("c1", "c0", ("store", "c1", None)))],
    "triangle, shrinking": [
        loop("c0", 50_000, loop("c1", 50_000, ("store", "c1", None), start="c0"))
    ],
    "triangle, downwards": [
        loop("c0", 0, loop("c1", 0, STORE, start="c0", step=-1, word="gt"), start=50_000, step=-1,
             word="gt")
    ],
    "pyramid": [loop("c0", 2000, loop("c1", "c0", loop("c2", "c1", ("store", "c2", None))))],
    "every fourth": [
        loop("c0", LONG, ("if", ("eq", ("and.b32", "c0", 3), 1), [STORE], [], True))
    ],
}  # fmt: skip


@pytest.mark.parametrize("phis", [False, True])
@pytest.mark.parametrize("name", NESTS)
def test_a_thousand_million_iterations_are_a_few_nodes(name, phis):
    for trace in traced(NESTS[name], ROW[:1], phis=phis):
        assert trace.visits > 10**9
        assert nodes_in(trace.nodes) < 130
        assert len(trace.bases) < 50


def test_the_walk_of_loops_that_differ_all_the_time_ends_at_its_limit():
    squares = ("store", ("rem.s32", ("mul.lo.s32", "c0", "c0"), 7), None)
    with pytest.raises(LimitError, match="--max-trace-visits"):
        traced([loop("c0", LONG, squares)], ROW[:1], visits=500)


# -- odd shapes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("block", "warp_size", "masks"),
    [
        ((1, 1, 1), 32, [1]),
        ((1, 1024, 1), 32, [2**32 - 1] * 32),
        ((33, 3, 2), 32, [2**32 - 1] * 6 + [63]),
        ((33, 3, 2), 64, [2**64 - 1] * 3 + [63]),
        ((5, 1, 1), 3, [7, 3]),
    ],
)
def test_warps_of_odd_blocks_have_the_lanes_that_are_threads(block, warp_size, masks):
    warps = traced([("store", "tid.y", None)], ROW[:1], shape=(block, warp_size))
    assert [w.nodes[0].mask for w in warps] == masks


def nested_ifs(depth):
    body = [("store", 1, None)]
    for bit in range(depth):
        body = [("if", ("ge", "tid.x", bit % 31 + 1), body, [("store", bit, None)], True)]
    return body


def nested_loops(depth):
    body = [("store", 1, None)]
    for _ in range(depth):
        body = [loop("c0", 3, *body)]
    return body


@pytest.mark.parametrize("make", [nested_ifs, nested_loops])
def test_deep_nests_end_in_a_trace_or_at_a_limit(make):
    for depth in (20, 200):
        try:
            warps = traced(make(depth), ROW[:1], shape=((32, 1, 1), 32), visits=3_000)
        except LimitError:
            continue
        assert warps[0].visits
