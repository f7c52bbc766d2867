"""Ranges of trip counts in a launch, against what each thread of it executes."""

import random

import pytest

from tests.reference.interpreter import TooLongError, Warp, lanes_of_warp
from tests.reference.loop_trips import trips
from tests.reference.programs import Loop, Lowering
from tests.reference.run_kernel import module_of
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.ranges.bounds import loop_bounds
from warpmill.analyzer.analyses.ranges.launch_trips import loop_ranges
from warpmill.analyzer.launch import BufferArgument, Launch, ScalarArgument

VARIABLES = ("c0", "c1", "c2")
GRID, BLOCK, WARP = (3, 2, 1), (3, 2, 1), 4
IDS = ["tid.x", "tid.y", "ctaid.x", "ctaid.y", "laneid"]


def nest(rng, names=VARIABLES):
    """Make loops in each other whose ends rest on ids, arguments and the counters around."""
    name, *inner = names
    around = [n for n in VARIABLES if n < name]
    step = rng.choice([1, 1, 2, -1])
    ends = [rng.randint(0, 4), "arg0", *IDS, *around, *around]
    ends += [("add.s32", n, rng.choice(IDS)) for n in around]
    start, limit = rng.sample(ends, 2)
    word = rng.choice(["lt", "le"] if step > 0 else ["gt", "ge"])
    body = nest(rng, inner) if inner and rng.random() < 0.8 else [("store", name, None)]
    body = [("break", ("ge", name, rng.choice(ends)), [], True), *body][rng.random() < 0.8 :]
    early = body[0][0] == "store" and rng.random() < 0.5
    loop = Loop(name, start, ("add", step), word, limit, rng.random() < 0.5, early)
    return [("loop", loop, body)]


def executed(structure, arguments):
    """How often each loop iterates, each time that a thread comes to it."""
    loops = structure.loops.loops
    found = {loop.id: [] for loop in loops}
    ctas = [(x, y, 0) for x in range(GRID[0]) for y in range(GRID[1])]
    for cta in ctas:
        for warp in range(2):
            for lane in filter(None, lanes_of_warp(warp, WARP, GRID, BLOCK, cta)):
                visits = [e[0] for e in Warp(structure.kernel, [lane], arguments).run()]
                for loop in loops:
                    found[loop.id] += trips(visits, loop)
    return found


@pytest.mark.one_in(12)
@pytest.mark.parametrize("seed", range(80))
def test_ranges_are_those_of_what_threads_execute(seed):
    rng = random.Random(seed)
    kernel = Lowering(VARIABLES, phis=rng.random() < 0.5).kernel(nest(rng))
    structure, arg0 = analyse_structure(kernel), rng.randint(0, 5)
    bounds = loop_bounds(structure)
    given = (BufferArgument("f32", (64,)), ScalarArgument("i32", arg0), ScalarArgument("i32", 0))
    launch = Launch.of("k", grid=GRID, block=BLOCK, arguments=given)
    ranges = loop_ranges(module_of(kernel, WARP), structure, launch, bounds)
    try:
        counts = executed(structure, {"out": 0, "arg0": arg0, "arg1": 0})
    except TooLongError:
        pytest.skip("it runs on")
    for bound in bounds:
        found, real = ranges[bound.loop], counts[bound.loop]
        if not real or found.low is None or found.is_assumed or bound.at_most:
            continue
        assert not found.sampled
        assert (found.low, found.high) == (min(real), max(real)), (str(bound.trips), found)
