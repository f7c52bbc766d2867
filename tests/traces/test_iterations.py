"""Counts of triangular loops by outer iteration, against programs that are executed."""

import random
from itertools import product

import numpy as np
import pytest

from tests.reference.interpreter import TooLongError, Warp, lanes_of_warp
from tests.reference.loop_trips import trips
from tests.reference.programs import Loop, Lowering
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.ranges.bounds import loop_bounds
from warpmill.analyzer.analyses.ranges.iterations import MOST_RUNS, TripRun, iterations, runs_of

BODY = [("store", "c0", None)]
VARIABLES = ("c0", "c1", "c2")


def found(program, given, *, phis=False):
    kernel = Lowering(VARIABLES, phis=phis).kernel(program)
    structure = analyse_structure(kernel)
    return kernel, iterations(structure, loop_bounds(structure), given)


def events(kernel, given):
    lanes = lanes_of_warp(0, 1, (1, 1, 1), (1, 1, 1), (0, 0, 0))
    lanes[0]["tid.x"] = given["tid.x"]
    return Warp(kernel, lanes, {"out": 0, **given}, most_events=20000).run()


def stores(kernel, given):
    return sum(len(accesses) for _, _, _, accesses in events(kernel, given))


def visits(kernel, given):
    return [block for block, _, _, _ in events(kernel, given)]


def nest(rng, depth, names=VARIABLES):
    """Make loops in each other that start, end and step by constants and by those around."""
    name, *inner = names
    around = [n for n in VARIABLES if n < name]
    step = rng.choice([1, 1, 2, 3, -1, -2])
    ends = [rng.randint(0, 6), "arg0", "arg1", "tid.x", *around, *around]
    start, limit = rng.sample(ends, 2)
    word = rng.choice(["lt", "le"] if step > 0 else ["gt", "ge"])
    form = [rng.random() < 0.5 for _ in range(4)]
    body = nest(rng, depth - 1, inner) if depth > 1 else BODY
    loop = Loop(name, start, ("add", step), word, limit, form[0], form[1] and depth == 1, form[2])
    whole = [("loop", loop, body)]
    if rng.random() < 0.4:  # as compilers do: a loop that tests at its end behind a test of its own
        whole = [("if", (word, start, limit), whole, [], form[3])]
    return whole


@pytest.mark.one_in(12)
@pytest.mark.parametrize("seed", range(60))
def test_bodies_run_as_often_as_executed(seed):
    rng = random.Random(seed)
    depth = rng.randint(1, 3)
    program = nest(rng, depth)
    phis = rng.random() < 0.5
    for arg0, arg1, tid in [(0, 5, 1), (6, 2, 3), (rng.randint(0, 7), rng.randint(0, 7), 0)]:
        given = {"arg0": arg0, "arg1": arg1, "tid.x": tid}
        kernel, loops = found(program, given, phis=phis)
        try:
            executed = visits(kernel, given)
        except TooLongError:
            continue
        for loop, around in zip(loops, analyse_structure(kernel).loops.loops, strict=True):
            if loop.total is None:
                assert loop.reason
                continue
            times = trips(executed, around)
            assert (loop.entries, loop.total) == (len(times), sum(times)), (program, given)
            assert times_of(loop) == times and not loop.at_most


def test_most_random_nests_are_counted():
    known = [
        found(nest(random.Random(seed), 3), {"arg0": 4, "arg1": 5, "tid.x": 2})[1][-1].total
        for seed in range(60)
    ]
    assert sum(total is not None for total in known) >= 45


def triangle(n, *, bottom=False):
    inner = ("loop", Loop("c1", "c0", ("add", 1), "lt", "arg0", bottom=bottom), BODY)
    if bottom:
        inner = ("if", ("lt", "c0", "arg0"), [inner], [], True)
    outer = ("loop", Loop("c0", 0, ("add", 1), "lt", "arg0"), [inner])
    return found([outer], {"arg0": n})[1]


@pytest.mark.parametrize(
    ("n", "bottom"), [*product((1, 2, 9, 10**6), (False, True)), (10**9, False)]
)
def test_a_triangle_is_one_run_however_large(n, bottom):
    outer, inner = triangle(n, bottom=bottom)
    assert (outer.entries, outer.total, outer.runs) == (1, n, (TripRun(0, 0, n, 0),))
    assert (inner.entries, inner.total) == (n, n * (n + 1) // 2)
    assert inner.runs == (TripRun(0, n - 1, n, -1 if n > 1 else 0),)
    assert not inner.has_more_runs


@pytest.mark.parametrize("n", [1, 2, 9, 10**9])
def test_loops_until_a_number_is_met_are_one_run_however_large(n):
    inner = ("loop", Loop("c1", 0, ("add", 1), "ne", "c0", bottom=True), BODY)
    guarded = ("if", ("ne", "c0", 0), [inner], [], True)
    _, loop = found([("loop", Loop("c0", 0, ("add", 1), "lt", "arg0"), [guarded])], {"arg0": n})[1]
    assert (loop.entries, loop.total) == (n - 1, n * (n - 1) // 2)
    assert loop.runs == ((TripRun(0, n - 2, 1, 1 if n > 2 else 0),) if n > 1 else ())


def times_of(loop):
    """How often a loop runs each time that it is entered, as its runs tell."""
    assert not loop.has_more_runs
    return [r.count + r.step * i for r in loop.runs for i in range(r.last - r.first + 1)]


@pytest.mark.parametrize("bottom", [False, True])
@pytest.mark.parametrize(
    "guard",
    [
        ("eq", ("and.b32", "c0", 1), 0),
        ("gt", "c0", "tid.x"),
        ("lt", "c0", 2),
        ("eq", "tid.x", 1),
        ("ge", "arg0", 9),
    ],
)
@pytest.mark.parametrize("limit", [3, "c0"])
def test_a_loop_that_is_passed_by_is_not_entered(guard, limit, bottom):
    inner = ("loop", Loop("c1", 0, ("add", 1), "lt", limit, bottom=bottom), BODY)
    guarded = ("if", guard, [inner], [], True)
    program = [("loop", Loop("c0", 0, ("add", 1), "lt", "arg0"), [guarded])]
    for tid in (0, 1, 3):
        given = {"arg0": 7, "arg1": 0, "tid.x": tid}
        kernel, (_, loop) = found(program, given)
        executed = trips(visits(kernel, given), analyse_structure(kernel).loops.loops[1])
        assert (loop.entries, loop.total) == (len(executed), sum(executed))
        assert times_of(loop) == executed


def test_what_no_id_decides_all_threads_share():
    inner = ("loop", Loop("c1", 0, ("add", 1), "lt", "c0"), BODY)
    for guard, is_shared in ((("gt", "c0", 2), True), (("gt", "c0", "tid.x"), False)):
        guarded = ("if", guard, [inner], [], True)
        program = [("loop", Loop("c0", 0, ("add", 1), "lt", "arg0"), [guarded])]
        assert found(program, {"arg0": 7, "tid.x": 0, "ntid.x": 32})[1][1].is_shared is is_shared
        assert found(program, {"arg0": 7, "tid.x": 0, "ntid.x": 1})[1][1].is_shared


@pytest.mark.parametrize("less", [0, 1, 3])
def test_a_body_that_runs_once_at_least_is_no_line_where_the_count_falls_below(less):
    inner = ("loop", Loop("c1", "c0", ("add", 1), "lt", "arg1", bottom=True), BODY)
    outer = ("loop", Loop("c0", 0, ("add", 1), "lt", "arg0"), [inner])
    _, loop = found([outer], {"arg0": 9, "arg1": 9 - less})[1]
    assert loop.total == sum(max(1, 9 - less - i) for i in range(9))


def test_what_stands_before_the_test_that_ends_a_loop_runs_once_more():
    inner = ("loop", Loop("c1", "c0", ("add", 1), "lt", 9), BODY)
    leaving = [inner, ("break", ("ge", "c0", "arg0"), [], True)]
    outer = ("loop", Loop("c0", 0, ("add", 1), "lt", 20), leaving)
    kernel, (around, loop) = found([outer], {"arg0": 4, "tid.x": 0})
    assert (around.total, loop.entries, loop.total) == (4, 5, 9 + 8 + 7 + 6 + 5)
    assert stores(kernel, {"arg0": 4, "tid.x": 0}) == loop.total


def test_no_outer_iteration_is_no_entry():
    _, inner = triangle(0)
    assert (inner.entries, inner.total, inner.runs) == (0, 0, ())


def test_counts_by_four_are_told_as_runs_of_four():
    inner = ("loop", Loop("c1", "c0", ("add", 4), "lt", 16), BODY)
    outer = ("loop", Loop("c0", 0, ("add", 1), "lt", 16), [inner])
    loop = found([outer], {})[1][1]
    assert loop.runs == tuple(TripRun(4 * k, 4 * k + 3, 4 - k, 0) for k in range(4))
    assert loop.total == 4 * (4 + 3 + 2 + 1)


def test_a_value_that_is_not_given_is_named():
    loops = triangle(4)
    assert all(loop.reason is None for loop in loops)
    inner = ("loop", Loop("c1", "c0", ("add", 1), "lt", "arg1"), BODY)
    loops = found([("loop", Loop("c0", 0, ("add", 1), "lt", "arg0"), [inner])], {"arg0": 3})[1]
    assert (loops[0].total, loops[1].total) == (3, None)
    assert loops[1].reason == "arg1 is not known"


def test_the_larger_of_two_words_is_no_limit_however_it_is_spelled():
    bottom = Loop("c1", 0, ("add", 1), "lt", ("min.u64", -1, ("shr.u32", "c0", 1)))
    loop = found([("loop", Loop("c0", 0, ("add", 1), "lt", 5), [("loop", bottom, BODY)])], {})[1][1]
    assert loop.total == 0 + 0 + 1 + 1 + 2


def test_too_many_entries_are_said_and_not_computed():
    inner = ("loop", Loop("c1", "c0", ("add", 4), "lt", "arg0"), BODY)
    outer = ("loop", Loop("c0", 0, ("add", 1), "lt", "arg0"), [inner])
    loop = found([outer], {"arg0": 1 << 24})[1][1]
    assert loop.total is None
    assert "more than are computed" in loop.reason


@pytest.mark.parametrize("seed", range(20))
def test_runs_say_what_they_were_made_of(seed):
    rng = random.Random(seed)
    parts = [(rng.randint(0, 9), rng.randint(-2, 2), rng.randint(1, 6)) for _ in range(8)]
    counts = [first + step * i for first, step, length in parts for i in range(length)]
    runs, more = runs_of(np.array(counts))
    assert not more
    assert [r.count + r.step * i for r in runs for i in range(r.last - r.first + 1)] == counts
    assert [r.first for r in runs[1:]] == [r.last + 1 for r in runs[:-1]]


def test_only_so_many_runs_are_told():
    runs, more = runs_of(np.array([a * b for a, b in product(range(1, 100), (0, 1, 5))]))
    assert (len(runs), more) == (MOST_RUNS, True)
    assert runs_of(np.array([], dtype=np.int64)) == ((), False)
