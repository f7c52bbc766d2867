"""The distance of divergence flow graphs: what it is at, and which blocks are paired."""

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import flow_kernels
from tests.reference.flow_kernels import kernel_of
from tests.reference.pairing_twin import cost_of, least_cost
from tests.reference.profile_twin import interpreted
from tests.reference.programs import Lowering
from tests.reference.random_graphs import GraphMaker
from tests.reference.random_programs import NAMES, random_program
from warpmill.analyzer.profile.dfsg.distance import (
    cfg_of,
    compare_dfsgs,
    dfsg_distance,
    pair_blocks,
)

KERNELS = [name for name in dir(flow_kernels) if name.isupper()]


def graph(body, threads=48, **launch):
    return interpreted(kernel_of(body), block=(threads, 1, 1), **launch)


GRAPHS = {name: graph(getattr(flow_kernels, name)) for name in KERNELS}


def labels(a, b):
    """The pairs of blocks by their labels."""
    pairs = pair_blocks(a, b).partners
    return {a.nodes[x].label: b.nodes[y].label for x, y in pairs.items()}


def trips(count):
    return flow_kernels.SELF_LOOP.replace("%r2, 5", f"%r2, {count}")


# The number.


def test_the_example_of_the_definition():
    """Shares 1/6, 4/6, 1/6 and 1/14, 12/14, 1/14.

    Edges by OECount and TCount, in, back, out, end: 64 64, 192 64, 64 64, 64 64 are 1, 1, 3, 1, 1,
    1, 1, 1 tenths; with eleven times back 1, 1, 11, 1, 1, 1, 1, 1 eighteenths.
    """
    found = compare_dfsgs(graph(trips(4), 64), graph(trips(12), 64))
    assert found.exact_node_distance == Fraction(4, 21)
    assert found.exact_edge_distance == Fraction(11, 18) - Fraction(3, 10)
    assert found.exact_distance == (found.exact_node_distance + found.exact_edge_distance) / 2


@pytest.mark.parametrize("name", KERNELS)
def test_a_graph_is_at_0_from_itself(name):
    assert dfsg_distance(GRAPHS[name], graph(getattr(flow_kernels, name))) == 0


@pytest.mark.parametrize("other", KERNELS)
@pytest.mark.parametrize("name", KERNELS)
def test_it_is_symmetric_and_between_0_and_1(name, other):
    a, b = GRAPHS[name], GRAPHS[other]
    there, back = compare_dfsgs(a, b), compare_dfsgs(b, a)
    assert there.exact_distance == back.exact_distance
    assert 0 <= there.exact_distance <= 1
    assert (there.exact_distance == 0) == (name == other)
    assert {y: x for x, y in there.pairing.partners.items()} == back.pairing.partners


def test_the_same_by_more_threads_is_at_0_and_anything_else_is_not():
    a = graph(flow_kernels.SELF_LOOP, 32)
    assert dfsg_distance(a, graph(flow_kernels.SELF_LOOP, 32, grid=(5, 1, 1))) == 0
    assert dfsg_distance(a, graph(trips(6), 32)) > 0
    guarded = flow_kernels.GUARDED_BARRIER
    assert dfsg_distance(graph(guarded), graph(guarded.replace("16", "17"))) > 0


def test_threads_count_beside_crossings():
    """Four threads jump 12 times in all; or one does it 12 times, and the others never."""
    a = graph(trips(4), 4)
    edges = [replace(e, tcount=1) if e.source == e.target else e for e in a.edges]
    assert dfsg_distance(a, replace(a, edges=tuple(edges))) > 0


@pytest.mark.parametrize(
    "bodies",
    [
        [trips(n) for n in (5, 6, 8, 12, 40, 500)],
        [flow_kernels.IF_ELSE.replace("10;", f"{n};") for n in (10, 12, 20, 33, 48)],
        [flow_kernels.EARLY_RETURN.replace("24;", f"{n};") for n in (48, 40, 24, 3, 0)],
        [flow_kernels.GUARDED_BARRIER.replace("16;", f"{n};") for n in (48, 40, 16, 1)],
    ],
)
def test_more_of_a_change_is_farther_away(bodies):
    first, *others = map(graph, bodies)
    distances = [dfsg_distance(first, other) for other in others]
    assert distances == sorted(set(distances))
    assert distances[0] > 0


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(seeds=st.lists(st.integers(0, 400), min_size=3, max_size=3))
def test_random_graphs(seeds):
    a, b, c = map(random_graph, seeds)
    there, back = compare_dfsgs(a, b), compare_dfsgs(b, a)
    assert there.exact_distance == back.exact_distance
    assert 0 <= there.exact_distance <= 1
    assert dfsg_distance(a, a) == 0
    if there.pairing.same_structure and a.by_pair.keys() == c.by_pair.keys():
        way = compare_dfsgs(a, c).exact_distance
        assert there.exact_distance <= way + compare_dfsgs(c, b).exact_distance
    check_pairs(a, b, there.pairing)


@cache
def program_graph(seed):
    """The graph of a random structured program: loops in loops, choices, early ends."""
    kernel = Lowering(NAMES, phis=False).kernel(random_program(random.Random(f"distance {seed}")))
    return interpreted(kernel, block=(8, 1, 1), arguments={"out": 1 << 20, "arg0": 3, "arg1": 2})


@pytest.mark.slow
def test_random_programs():
    graphs = [program_graph(seed) for seed in range(14)]
    assert sum(any(loop.shape.depth > 1 for loop in dfsg.loops) for dfsg in graphs) >= 4
    for a in graphs:
        for b in graphs:
            pairing = pair_blocks(a, b)
            check_pairs(a, b, pairing)
            assert {y: x for x, y in pairing.partners.items()} == pair_blocks(b, a).partners


_MADE = {}


def random_graph(seed):
    if seed not in _MADE:
        chance = random.Random(f"distance {seed}")
        kernel = GraphMaker(chance, chance.randint(1, 7)).kernel()
        _MADE[seed] = interpreted(kernel, block=(8, 1, 1), arguments={"out": 1 << 20})
    return _MADE[seed]


def check_pairs(a, b, pairing):
    """No block has two partners; each level keeps its order; nothing else costs less."""
    partners = pairing.partners
    assert len(set(partners.values())) == len(partners)
    if pairing.same_structure:
        return
    headers = [{loop.shape.header: loop.shape for loop in dfsg.loops} for dfsg in (a, b)]
    levels = {}
    for x, y in partners.items():
        assert (x in headers[0]) == (y in headers[1])
        around = [loops_around(dfsg, block) for dfsg, block in ((a, x), (b, y))]
        assert [partners[header] for header in around[0]] == around[1]
        if x in headers[0]:
            around = [each[:-1] for each in around]
        levels.setdefault(tuple(around[0]), []).append((x, y))
    numbers = [cfg_of(dfsg).rpo_number for dfsg in (a, b)]
    for pairs in levels.values():
        ordered = sorted((numbers[0][x], numbers[1][y]) for x, y in pairs)
        assert [y for _, y in ordered] == sorted(y for _, y in ordered)
    assert cost_of(a, b, partners) == least_cost(a, b)


def loops_around(dfsg, block):
    """The headers of the loops that a block lies in, the outermost first."""
    found, loop = [], dfsg.nodes[block].loop
    while loop is not None:
        found.insert(0, dfsg.loops[loop].shape.header)
        loop = dfsg.loops[loop].shape.parent
    return found


# The rows.


def test_rows_add_up_and_the_largest_stands_first():
    found = compare_dfsgs(GRAPHS["NORMAL_LOOP"], GRAPHS["NESTED"])
    for rows, total in (
        (found.nodes, found.exact_node_distance),
        (found.edges, found.exact_edge_distance),
    ):
        parts = [row.contribution for row in rows]
        assert parts == sorted(parts, reverse=True)
        assert sum(parts) == total


def test_what_only_one_has_stands_against_nothing():
    found = compare_dfsgs(GRAPHS["IF_ELSE"], GRAPHS["EARLY_RETURN"])
    assert {row.a.label for row in found.nodes if row.b is None} == {"ELSE", "THEN"}
    lone = next(row for row in found.nodes if row.a is not None and row.a.label == "ELSE")
    assert lone.contribution == Fraction(38, 2 * (144 + 48))  # 48 synchronisations count too
    assert [row.b for row in found.edges if row.a is None] != []


def test_loops_pair_by_their_headers():
    found = compare_dfsgs(GRAPHS["SELF_LOOP"], graph(trips(9)))
    (row,) = found.loops
    assert (row.a.counts.iterations_max, row.b.counts.iterations_max) == (5, 9)
    lone = compare_dfsgs(GRAPHS["SELF_LOOP"], GRAPHS["IF_ELSE"]).loops
    assert [(row.a is None, row.b is None) for row in lone] == [(False, True)]


# The pairing.


def test_as_many_blocks_are_no_structure():
    a, b = GRAPHS["SELF_LOOP"], graph(IF_ONLY)
    assert len(a.nodes) == len(b.nodes)
    assert not pair_blocks(a, b).same_structure
    assert labels(a, b) == {"bb0": "bb0", "DONE": "DONE"}


IF_ONLY = """mov.u32 %r1, %tid.x; setp.gt.u32 %p1, %r1, 9; @%p1 bra DONE;
    THEN: mov.u32 %r2, 1;
    DONE: ret;"""


def test_graphs_of_one_structure_pair_by_id():
    pairing = pair_blocks(GRAPHS["SELF_LOOP"], GRAPHS["OWN_TRIPS"])
    assert pairing.same_structure
    assert pairing.partners == {0: 0, 1: 1, 2: 2}


PEELED = """mov.u32 %r1, %tid.x; mov.u32 %r2, 0; setp.gt.u32 %p1, %r1, 99; @%p1 bra DONE;
    FIRST: add.u32 %r2, %r2, 1; setp.gt.u32 %p1, %r2, 99; @%p1 bra DONE;
    LOOP: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 5; @%p1 bra LOOP;
    DONE: ret;"""
"""SELF_LOOP with a guard before it, and its first iteration before the loop."""


def test_a_loop_pairs_with_a_loop_whatever_was_put_before_it():
    found = labels(GRAPHS["SELF_LOOP"], graph(PEELED))
    assert (found["LOOP"], found["DONE"], len(found)) == ("LOOP", "DONE", 3)


def test_a_loop_does_not_pair_with_a_block_and_keeps_its_depth():
    assert labels(GRAPHS["NESTED"], GRAPHS["SELF_LOOP"]) == {
        "bb0": "bb0",
        "OUTER": "LOOP",
        "DONE": "DONE",
    }
    flat = labels(GRAPHS["SELF_LOOP"], GRAPHS["IF_ELSE"])
    assert "LOOP" not in flat


TWO_LOOPS = """mov.u32 %r2, 0;
    ONE: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, {0}; @%p1 bra ONE;
    BETWEEN: mov.u32 %r2, 0;
    TWO: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, {1}; @%p1 bra TWO;
    {2} DONE: ret;"""


def test_a_lone_loop_pairs_with_the_one_that_does_what_it_does():
    """Of loops of 3 and of 40 iterations the one of 40 is the loop of 40; then that of 3."""
    alone = graph(trips(40))
    assert labels(alone, graph(TWO_LOOPS.format(3, 40, "")))["LOOP"] == "TWO"
    assert labels(alone, graph(TWO_LOOPS.format(40, 3, "")))["LOOP"] == "ONE"


@pytest.mark.parametrize(("trips_", "partner"), [((5, 40), "ONE"), ((40, 5), "TWO")])
def test_executions_a_thread_tell_loops_apart_and_not_executions(trips_, partner):
    """Ten times the threads execute each loop more often than the lone one of 5 iterations is."""
    more = graph(TWO_LOOPS.format(*trips_, ""), grid=(10, 1, 1))
    assert labels(graph(trips(5)), more)["LOOP"] == partner
    assert labels(more, graph(trips(5)))[partner] == "LOOP"


def test_pairs_keep_the_order():
    """The loops of 3 and of 40 iterations changed places: one pair of loops is left, that of 40."""
    more = "setp.gt.u32 %p1, %r2, 99; @%p1 bra DONE; MORE: mov.u32 %r2, 0;"
    swapped = TWO_LOOPS.format(40, 3, more)
    found = labels(graph(TWO_LOOPS.format(3, 40, "")), graph(swapped))
    assert found["TWO"] == "ONE"
    assert "ONE" not in found
