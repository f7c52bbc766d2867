"""The static traces visit the blocks that the paper's algorithms visit, in the same order."""

import random

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from tests.reference.bidirectional import generate
from tests.reference.bidirectional_inputs import Described
from tests.reference.bidirectional_random import Maker
from tests.reference.bidirectional_runner import TooLongError
from tests.reference.bidirectional_static import visited_blocks

WARPS = 3
RANDOM = settings(max_examples=30, deadline=None, phases=[Phase.generate])
SEEDS, ARGUMENTS = st.integers(0, 2**32), st.tuples(st.integers(0, 4), st.integers(-1, 3))


def agree(described, lanes, cta, n, m):
    """Compare the traces of all warps; ``lanes`` gives the differing ids of a warp's lanes."""
    ids = {"n": n, "m": m, "cta": cta}
    try:
        data = [
            described.of_warp(warp, *({**ids, "warp": warp, **lane} for lane in lanes))
            for warp in range(WARPS)
        ]
    except TooLongError:
        assume(False)
    ours = [generate(described.graph, infos, warp) for warp, infos in enumerate(data)]
    module, launch = described.launched(warps=WARPS, n=n, m=m, ctas=cta + 1)
    theirs = visited_blocks(module, launch, (cta, 0, 0))
    for expected, found in zip(ours, theirs, strict=True):
        if expected != found:
            pytest.fail(f"{described.program}:\n{' '.join(expected)}\n{' '.join(found)}")


@pytest.mark.slow
@given(SEEDS, st.integers(0, 2), ARGUMENTS)
@RANDOM
def test_a_warp_visits_what_the_algorithms_visit_where_branches_are_uniform(seed, cta, arguments):
    program = Maker(random.Random(seed)).program()
    agree(Described(program), [{}], cta, *arguments)


@pytest.mark.slow
@given(SEEDS, ARGUMENTS)
@RANDOM
def test_divergent_lanes_add_no_visit_where_loops_have_one_exit(seed, arguments):
    maker = Maker(random.Random(seed), ("if", "loop"), ("n", "m", "lane", "lane"))
    lanes = [{"lane": lane} for lane in range(32)]
    agree(Described(maker.body(2, ())), lanes, 0, *arguments)
