"""The static walk says what each warp does: event by event what the slow interpreter does."""

import random
from itertools import islice
from math import comb

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.reference.interpreter import TooLongError, Warp, lanes_of_warp
from tests.reference.programs import Loop, Lowering
from tests.reference.random_programs import IDS, NAMES, random_program, smaller
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.ranges.bounds import loop_bounds
from warpmill.analyzer.base.diagnostics import InputError, LimitError
from warpmill.analyzer.traces.model import Repeat, events, weighted_visits
from warpmill.analyzer.traces.static.evaluation import Inputs
from warpmill.analyzer.traces.static.grid import GridWalker
from warpmill.analyzer.traces.static.plan import make_plan
from warpmill.analyzer.traces.static.values import KnownNumbers
from warpmill.analyzer.traces.static.walk import WalkLimits

LIMITS = WalkLimits(20_000)
GRID = (4, 2, 1)
CTAS = [(1, 0, 0), (0, 0, 0), (3, 0, 0), (2, 1, 0)]
SHAPES = [((4, 1, 1), 4), ((6, 1, 1), 4), ((3, 2, 2), 8), ((2, 3, 1), 4), ((5, 1, 1), 8)]


def plan_of(kernel):
    structure = analyse_structure(kernel)
    return make_plan(structure, loop_bounds(structure))


def static(plan, shape, ctas, arguments, limits=LIMITS):
    """The folded traces of every warp, CTA by CTA."""
    inputs = Inputs({k: KnownNumbers(v) for k, v in arguments.items()}, {})
    walker = GridWalker(plan, (GRID, *shape), inputs, limits)
    traces = [trace for warps in walker.traces(ctas) for trace in warps]
    assert not walker.assumptions
    return traces


def side_by_side(plan, shape, ctas, arguments):
    """The same, with no CTA standing for another."""
    inputs = Inputs({k: KnownNumbers(v) for k, v in arguments.items()}, {})
    walker = GridWalker(plan, (GRID, *shape), inputs, LIMITS)
    walker._alone = 1000
    return [trace for warps in walker.traces(ctas) for trace in warps]


def unfolded(traces):
    """The events; more than the interpreter looks at need not be unfolded."""
    return [
        [(e.block, e.mask, e.guards, e.addresses) for e in islice(events(t), 6000)] for t in traces
    ]


def interpreted(kernel, shape, ctas, arguments):
    (x, y, z), warp_size = shape
    return [
        Warp(kernel, lanes_of_warp(w, warp_size, GRID, (x, y, z), cta), arguments).run()
        for cta in ctas
        for w in range(-(-x * y * z // warp_size))
    ]


def agrees(program, *, phis, shape, arg0, arg1):
    kernel = Lowering(NAMES, phis=phis).kernel(program)
    arguments = {"out": 0x7_0000_0000_00, "arg0": arg0, "arg1": arg1}
    expected = interpreted(kernel, shape, CTAS, arguments)
    plan = plan_of(kernel)
    in_boxes = unfolded(static(plan, shape, CTAS, arguments))
    together = unfolded(side_by_side(plan, shape, CTAS, arguments))
    return in_boxes == together == expected


@pytest.mark.slow
@given(
    st.integers(0, 2**32),
    st.booleans(),
    st.sampled_from(SHAPES),
    st.integers(0, 6),
    st.integers(-2, 4),
)
@settings(max_examples=60, deadline=None, phases=[Phase.generate])  # smaller() shrinks
def test_static_traces_are_what_the_interpreter_does(seed, phis, shape, arg0, arg1):
    def fails(program):
        try:
            return not agrees(program, phis=phis, shape=shape, arg0=arg0, arg1=arg1)
        except TooLongError:
            return False

    program = random_program(random.Random(seed))
    if fails(program):
        pytest.fail(f"differs for {smaller(program, fails)}")


def loop(*body, **changes):
    """Count c0 from 0 to 8, or as the changes say."""
    plain = {"start": 0, "step": ("add", 1), "word": "lt", "limit": 9}
    return ("loop", Loop("c0", **{**plain, **changes}), list(body))


def inner(*body, start, step, limit):
    return ("loop", Loop("c1", start, ("add", step), "lt", limit), list(body))


STORE = ("store", "c0", None)
EVEN = ("and.b32", "tid.x", 6)
SET_FLAG = ("if", ("eq", "c0", 4), [("flag", "f0", ("eq", 1, 1))], [], True)
AWKWARD = {
    "lanes leave two by two": [loop(STORE, limit=EVEN, bottom=True)],
    "lanes leave by a break": [loop(("break", ("gt", "c0", EVEN), [STORE], True), STORE)],
    "lanes return inside": [loop(("return", ("gt", "c0", EVEN)), STORE)],
    "lanes skip ahead": [loop(("continue", ("lt", "c0", "tid.x")), STORE, early=True)],
    "strides differ by lane": [loop(("store", ("mul.lo.s32", "c0", "tid.x"), None))],
    "strides differ by warp": [loop(("store", ("mul.lo.s32", "c0", "warpid"), None))],
    "two values change places": [
        ("set", "v0", 3),
        loop(("swap", "v0", "v1"), ("store", "v1", None)),
    ],
    "a case is met after wrapping": [
        loop(("switch", ("shl.b32", "c0", 30), [[STORE], [STORE]], [], False))
    ],
    "a comparison wraps": [loop(("store", 1, ("lt", ("mul.lo.s32", "c0", 2**29), 2**30)))],
    "an unsigned one passes zero": [loop(("store", 1, ("lo", ("sub.s32", "c0", 4), 3)))],
    "a shift by what changes": [loop(("store", ("shl.b32", "arg1", ("and.b32", "c0", 3)), None))],
    "a remainder turns negative": [
        loop(("store", ("rem.s32", ("sub.s32", 6, ("shl.b32", "c0", 2)), 4), None))
    ],
    "squares": [loop(("store", ("mul.lo.s32", "c0", "c0"), None))],
    "the last of what is no sum": [loop(("set", "v0", ("xor.b32", "c0", 5)), STORE, bottom=True)],
    "an address stops moving": [loop(("store", ("min.s32", "c0", 5), None))],
    "one iteration is elsewhere": [loop(("store", ("selp", 100, "c0", ("eq", "c0", 4)), None))],
    "a guard opens lane by lane": [loop(("guarded", "v0", ("lt", "tid.x", "c0"), 7))],
    "a value grows by itself": [
        loop(("set", "v0", ("mad.lo.s32", "v0", 3, 1)), ("store", "v0", None))
    ],
    "lanes return on one side": [
        ("if", ("lt", "tid.x", 3), [("return", ("eq", "tid.x", 1))], [], True),
        ("store", 1, None),
    ],
    "all ids": [("store", name, None) for name in IDS],
    "a flag is set once": [loop(SET_FLAG, ("store", "c0", ("is", "f0")))],
    "an inner loop by the outer counter": [
        loop(inner(("store", ("add.s32", "c0", "c1"), None), start="c0", step=2, limit=9)),
        ("store", "c1", None),
    ],
    "lanes that left keep their counter": [
        (
            "loop",
            Loop("c1", 0, ("add", 1), "lt", ("mul.lo.s32", "tid.x", 3), bottom=True),
            [],
        ),
        ("store", "c1", None),
        ("store", "c0", None),
    ],
    "an inner value is the outer counter from the second time on": [
        loop(
            ("set", "v1", 0),
            inner(("store", "v1", None), ("set", "v1", "c0"), start=0, step=1, limit=2),
        )
    ],
    "a loop goes on for the CTA's number": [
        loop(("store", ("add.s32", "c0", "ctaid.y"), None), limit=("add.s32", "ctaid.x", 2))
    ],
    "CTAs of an edge do more": [("if", ("eq", "ctaid.x", 3), [STORE], [], True)],
    "CTAs do one of two things": [("if", ("eq", ("and.b32", "ctaid.x", 1), 1), [STORE], [], True)],
    "an inner test by both counters": [
        loop(inner(("store", 1, ("ne", ("add.s32", "c0", "c1"), 8)), start=0, step=1, limit=5))
    ],
}


@pytest.mark.one_in(12)
@pytest.mark.parametrize("phis", [False, True])
@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_loops_are_what_the_interpreter_does(name, phis):
    program = [*AWKWARD[name], ("store", "v0", None)]
    for shape in (((8, 1, 1), 8), ((3, 2, 2), 4)):
        assert agrees(program, phis=phis, shape=shape, arg0=3, arg1=4)


LONG = 10**6


@pytest.mark.parametrize("phis", [False, True])
@pytest.mark.parametrize(
    ("body", "most"),
    [
        (STORE, 10),
        (("store", ("mad.lo.s32", "c0", 12, "tid.x"), None), 10),
        (("if", ("lt", "c0", 700000), [STORE], [], True), 20),  # changes once
        (("if", ("lt", "tid.x", 2), [STORE], [], True), 15),  # parts every time
        (("store", 3, ("lt", "tid.x", "c0")), 40),  # early iterations differ
        (("break", ("eq", "c0", 123456), [STORE], True), 20),
        (inner(("store", "c1", None), start=0, step=1, limit=LONG), 40),
        (inner(("store", "c1", None), start=0, step=1, limit="tid.x"), 60),
    ],
)
def test_a_million_iterations_that_are_alike_are_a_few_nodes(body, most, phis):
    kernel = Lowering(NAMES, phis=phis).kernel([loop(body, limit=LONG)])
    arguments = {"out": 0x7_0000_0000_00, "arg0": 0, "arg1": 0}
    limits = WalkLimits(visits=300)
    for trace in static(plan_of(kernel), SHAPES[1], CTAS[:2], arguments, limits):
        assert count_nodes(trace.nodes) <= most


def third(*body, start, step, limit):
    return ("loop", Loop("c2", start, ("add", step), "lt", limit), list(body))


PYRAMID = inner(
    third(("store", "c2", None), start=0, step=1, limit="c1"), start=0, step=1, limit="c0"
)
LOWER = inner(("store", ("add.s32", "c0", "c1"), None), start=0, step=1, limit="c0")


def upper(limit):
    return inner(("store", "c1", None), start=("add.s32", "c0", 1), step=1, limit=limit)


EVERY_FOURTH = inner(("store", "c1", None), start="c0", step=4, limit=("add.s32", "c0", 17))
REMAINDERS = inner(("store", "c1", None), start=0, step=1, limit=("and.b32", "c0", 3))
QUARTERS = inner(("store", "c1", None), start=0, step=1, limit=("shr.u32", "c0", 2))
STEEP = inner(("store", 1, None), start=0, step=1, limit=("mul.lo.s32", "c0", 3))


@pytest.mark.parametrize("phis", [False, True])
@pytest.mark.parametrize(
    ("body", "limit", "stores"),
    [
        (LOWER, LONG, comb(LONG, 2)),
        (upper(LONG), LONG, comb(LONG, 2)),
        (PYRAMID, 10_000, comb(10_000, 3)),
        (EVERY_FOURTH, LONG, 5 * LONG),
        (STEEP, 10_000, 3 * comb(10_000, 2)),
        (REMAINDERS, LONG, LONG // 4 * 6),
        (QUARTERS, LONG, 4 * comb(LONG // 4, 2)),
    ],
)
def test_triangular_loops_are_a_few_nodes(body, limit, stores, phis):
    kernel = Lowering(NAMES, phis=phis).kernel([loop(body, limit=limit)])
    arguments = {"out": 0x7_0000_0000_00, "arg0": 0, "arg1": 0}
    plan, limits = plan_of(kernel), WalkLimits(visits=600)
    for trace in static(plan, SHAPES[1], CTAS[:1], arguments, limits):
        assert count_nodes(trace.nodes) <= 130
        assert sum(n for v, n in weighted_visits(trace.nodes) if v.accesses) == stores


@pytest.mark.one_in(12)
@pytest.mark.parametrize("phis", [False, True])
@pytest.mark.parametrize(
    "body", [LOWER, upper(19), PYRAMID, EVERY_FOURTH, STEEP, REMAINDERS, QUARTERS]
)
def test_triangular_loops_are_what_the_interpreter_does(body, phis):
    assert agrees([loop(body, limit=19)], phis=phis, shape=((6, 1, 1), 4), arg0=3, arg1=4)


def count_nodes(nodes):
    return sum(1 + (count_nodes(n.body) if isinstance(n, Repeat) else 0) for n in nodes)


NO_ARGUMENTS = {"out": 1 << 40, "arg0": 0, "arg1": 0}


def walked(program, limits=LIMITS):
    kernel = Lowering(("c0",), phis=False).kernel(program)
    return static(plan_of(kernel), SHAPES[0], CTAS[:1], NO_ARGUMENTS, limits)


def test_a_folded_loop_counts_its_iterations():
    (trace,) = walked([loop(STORE, limit=LONG)])
    stores = [(v, n) for v, n in weighted_visits(trace.nodes) if v.accesses]
    assert sum(n for _, n in stores) == LONG
    assert sum(v.accesses[0].addresses.loop_strides == (4,) for v, _ in stores) == 1


def test_a_loop_that_never_ends_is_an_error_that_names_it():
    with pytest.raises(InputError, match=r"kernel test: loop B1 .*never ends"):
        walked([loop(step=("add", 0))])


def test_a_walk_that_is_too_long_names_the_flag():
    squares = ("store", ("rem.s32", ("mul.lo.s32", "c0", "c0"), 7), None)
    with pytest.raises(LimitError, match="--max-trace-visits"):
        walked([loop(squares, limit=5000)], WalkLimits(500))
