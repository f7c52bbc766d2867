"""The static walk says what each warp does: event by event what the slow interpreter does."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.analyses.bounds import loop_bounds
from analyzer.analyses.structure import analyse_structure
from analyzer.diagnostics import InputError, LimitError
from analyzer.trace.model import Repeat, events, weighted_visits
from analyzer.trace.static.batch import Batch
from analyzer.trace.static.cut import warp_traces
from analyzer.trace.static.plan import make_plan
from analyzer.trace.static.values import Known
from analyzer.trace.static.walk import Inputs, Walk, WalkLimits
from tests.reference.interpreter import TooLongError, Warp, lanes_of_warp
from tests.reference.programs import Loop, Lowering
from tests.reference.random_programs import COUNTERS, VARIABLES, random_program, smaller

LIMITS = WalkLimits(20_000)
GRID = (4, 2, 1)
CTAS = [(0, 0, 0), (3, 0, 0), (1, 1, 0)]
SHAPES = [((4, 1, 1), 4), ((6, 1, 1), 4), ((3, 2, 2), 8), ((2, 3, 1), 4), ((5, 1, 1), 8)]


def static(kernel, shape, ctas, arguments, limits=LIMITS):
    """Give the folded traces of every warp, CTA by CTA, from one walk."""
    structure = analyse_structure(kernel)
    plan = make_plan(structure, loop_bounds(structure))
    batch = Batch(GRID, *shape, tuple(ctas))
    walk = Walk(plan, batch, Inputs({k: Known(v) for k, v in arguments.items()}, {}), limits)
    walk.run()
    assert not walk.assumptions
    return list(warp_traces(walk.nodes, len(ctas) * batch.warps_per_cta))


def unfolded(traces):
    return [[(e.block, e.mask, e.guards, e.addresses) for e in events(t)] for t in traces]


def interpreted(kernel, shape, ctas, arguments):
    (x, y, z), warp_size = shape
    return [
        Warp(kernel, lanes_of_warp(w, warp_size, GRID, (x, y, z), cta), arguments).run()
        for cta in ctas
        for w in range(-(-x * y * z // warp_size))
    ]


def agrees(program, *, phis, shape, arg0, arg1):
    kernel = Lowering((*VARIABLES, *COUNTERS), phis=phis).kernel(program)
    arguments = {"out": 0x7_0000_0000_00, "arg0": arg0, "arg1": arg1}
    expected = interpreted(kernel, shape, CTAS, arguments)
    together = unfolded(static(kernel, shape, CTAS, arguments))
    apart = [t for cta in CTAS[:2] for t in unfolded(static(kernel, shape, [cta], arguments))]
    return together == expected and apart == expected[: len(apart)]


@given(
    st.integers(0, 2**32), st.booleans(), st.sampled_from(SHAPES),
    st.integers(0, 6), st.integers(-2, 4),
)  # fmt: skip
@settings(max_examples=150, deadline=None)
def test_static_traces_are_what_the_interpreter_does(seed, phis, shape, arg0, arg1):
    def fails(program):
        try:
            return not agrees(program, phis=phis, shape=shape, arg0=arg0, arg1=arg1)
        except TooLongError:
            return False

    program = random_program(random.Random(seed))
    if fails(program):
        pytest.fail(f"differs for {smaller(program, fails)}")


LONG = 10**6
UP = {"start": 0, "step": ("add", 1), "word": "lt", "limit": LONG}


@pytest.mark.parametrize("phis", [False, True])
@pytest.mark.parametrize(
    ("body", "most"),
    [
        ([("store", "c0", None)], 10),
        ([("store", ("mad.lo.s32", "c0", 12, "tid.x"), None)], 10),
        ([("if", ("lt", "c0", 700000), [("store", "c0", None)], [], True)], 20),  # changes once
        ([("if", ("lt", "tid.x", 2), [("store", "c0", None)], [], True)], 15),  # parts every time
        ([("store", ("and.b32", "v0", 3), ("lt", "tid.x", "c0"))], 40),  # early iterations differ
        ([("break", ("eq", "c0", 123456), [], True), ("store", "c0", None)], 20),
        ([("loop", Loop("c1", 0, ("add", 1), "lt", LONG), [("store", "c1", None)])], 40),
        ([("loop", Loop("c1", 0, ("add", 1), "lt", "tid.x"), [("store", "c1", None)])], 60),
    ],
)
def test_a_million_iterations_that_are_alike_are_a_few_nodes(body, most, phis):
    kernel = Lowering((*VARIABLES, *COUNTERS), phis=phis).kernel([("loop", Loop("c0", **UP), body)])
    arguments = {"out": 0x7_0000_0000_00, "arg0": 0, "arg1": 0}
    limits = WalkLimits(visits=300)
    for nodes in static(kernel, SHAPES[1], CTAS[:2], arguments, limits):
        assert count_nodes(nodes) <= most


def count_nodes(nodes):
    return sum(1 + (count_nodes(n.body) if isinstance(n, Repeat) else 0) for n in nodes)


def test_a_folded_loop_counts_its_iterations():
    body = [("store", "c0", None)]
    kernel = Lowering(("c0",), phis=False).kernel([("loop", Loop("c0", **UP), body)])
    (nodes,) = static(kernel, SHAPES[0], CTAS[:1], {"out": 1 << 40, "arg0": 0, "arg1": 0})
    stores = [(v, n) for v, n in weighted_visits(nodes) if v.accesses]
    assert sum(n for _, n in stores) == LONG
    assert sum(v.accesses[0].addresses.loop_strides == (4,) for v, _ in stores) == 1


def test_a_loop_that_never_ends_is_an_error_that_names_it():
    loop = Loop("c0", 0, ("add", 0), "lt", 5)
    kernel = Lowering(("c0",), phis=False).kernel([("loop", loop, [])])
    with pytest.raises(InputError, match=r"kernel test: loop B1 never ends"):
        static(kernel, SHAPES[0], CTAS[:1], {"out": 0, "arg0": 0, "arg1": 0})


def test_a_walk_that_is_too_long_names_the_flag():
    loop = Loop("c0", 0, ("add", 1), "lt", 5000)
    body = [("store", ("rem.s32", ("mul.lo.s32", "c0", "c0"), 7), None)]
    kernel = Lowering(("c0",), phis=False).kernel([("loop", loop, body)])
    with pytest.raises(LimitError, match="--max-trace-visits"):
        static(kernel, SHAPES[0], CTAS[:1], {"out": 0, "arg0": 0, "arg1": 0}, WalkLimits(500))
