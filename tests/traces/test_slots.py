"""Values that a kernel keeps in local memory are those that it would keep in registers."""

import random

import pytest

from tests.reference.interpreter import TooLongError, Warp, lanes_of_warp
from tests.reference.programs import Lowering
from tests.reference.random_programs import NAMES, random_program
from tests.reference.spilled import ADDRESSES, spilled
from tests.traces.test_static_traces import CTAS, GRID, LIMITS, SHAPES, plan_of, unfolded
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.ranges.bounds import UnknownTrips, loop_bounds
from warpmill.analyzer.base.diagnostics import InputError, LimitError
from warpmill.analyzer.traces.static.evaluation import Inputs
from warpmill.analyzer.traces.static.grid import GridWalker
from warpmill.analyzer.traces.static.values import KnownNumbers
from warpmill.analyzer.traces.static.walk import WalkLimits


def interpreted(kernel, shape, arguments):
    block, size = shape
    return [
        Warp(kernel, lanes_of_warp(w, size, GRID, block, cta), arguments, ADDRESSES).run()
        for cta in CTAS
        for w in range(-(-block[0] * block[1] * block[2] // size))
    ]


def random_kernel(seed, *, is_wild=False):
    rng = random.Random(seed)
    plain = Lowering(NAMES, phis=False).kernel(random_program(rng))
    return plain, spilled(plain, rng, is_wild=is_wild)


def compared(seed, kernel, limits=LIMITS):
    """What was assumed, and whether static traces are what the interpreter does."""
    shape, arguments = SHAPES[seed % len(SHAPES)], {"out": 7 << 40, "arg0": seed % 7, "arg1": 2}
    try:
        expected = interpreted(kernel, shape, arguments)
    except TooLongError:
        pytest.skip("it runs on")
    inputs = Inputs({k: KnownNumbers(v) for k, v in arguments.items()}, ADDRESSES)
    walker = GridWalker(plan_of(kernel), (GRID, *shape), inputs, limits)
    traces = [trace for warps in walker.traces(CTAS) for trace in warps]
    return walker.assumptions, unfolded(traces) == expected


@pytest.mark.one_in(12)
@pytest.mark.parametrize("seed", range(40))
def test_static_traces_through_memory_are_what_the_interpreter_does(seed):
    _, kernel = random_kernel(seed)
    assert compared(seed, kernel) == ((), True)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(80))
def test_stores_that_may_be_anywhere_leave_nothing_known_wrongly(seed):
    _, kernel = random_kernel(seed, is_wild=True)
    try:
        assumptions, is_equal = compared(seed, kernel, WalkLimits(2000))
    except (InputError, LimitError):
        pytest.skip("a loop that data decide")
    assert assumptions or is_equal


@pytest.mark.one_in(12)
@pytest.mark.parametrize("seed", range(200))
def test_counts_through_memory_are_those_of_registers(seed):
    plain, kernel = random_kernel(seed)
    each = zip(*(loop_bounds(analyse_structure(k)) for k in (plain, kernel)), strict=True)
    for own, in_memory in each:
        if not isinstance(own.trips, UnknownTrips) or not isinstance(in_memory.trips, UnknownTrips):
            assert (str(own.trips), own.at_most) == (str(in_memory.trips), in_memory.at_most)
