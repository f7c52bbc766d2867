"""The static walk says what each warp does: event by event what the slow interpreter does."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.interpreter import TooLong, Warp, lanes_of_warp
from tests.reference.programs import Loop, Lowering
from tests.reference.random_programs import COUNTERS, VARIABLES, random_program, smaller

from analyzer.analyses.bounds import loop_bounds
from analyzer.analyses.structure import analyse_structure
from analyzer.trace.model import events
from analyzer.trace.static.batch import Batch
from analyzer.trace.static.cut import warp_traces
from analyzer.trace.static.plan import make_plan
from analyzer.trace.static.values import Known
from analyzer.trace.static.walk import Inputs, Walk, WalkLimits

GRID = (4, 2, 1)
CTAS = [(0, 0, 0), (3, 0, 0), (1, 1, 0)]
SHAPES = [((4, 1, 1), 4), ((6, 1, 1), 4), ((3, 2, 2), 8), ((2, 3, 1), 4), ((5, 1, 1), 8)]


def static(kernel, shape, ctas, arguments):
    """Give the folded traces of every warp, CTA by CTA, from one walk."""
    structure = analyse_structure(kernel)
    plan = make_plan(structure, loop_bounds(structure))
    batch = Batch(GRID, *shape, tuple(ctas))
    walk = Walk(plan, batch, Inputs({k: Known(v) for k, v in arguments.items()}, {}), WalkLimits())
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
        except TooLong:
            return False

    program = random_program(random.Random(seed))
    if fails(program):
        pytest.fail(f"differs for {smaller(program, fails)}")
