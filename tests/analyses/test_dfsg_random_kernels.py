"""Divergence flow graphs of random kernels, against counting every thread's path."""

import random
from collections import Counter

import numpy as np
import pytest

from tests.reference.dfsg_twin import twin_of
from tests.reference.profile_twin import dfsg_of, profile_of, walk
from tests.reference.random_graphs import GraphMaker
from tests.reference.random_programs import NAMES, random_program
from tests.reference.storing import ObservedLowering
from warpmill.analyzer.launch.numbering import GLOBAL_BASE
from warpmill.analyzer.profile.dfsg.flow import flow_errors
from warpmill.analyzer.profile.dfsg.graph import Area, LoopPattern


def check(kernel, lanes, grid, block, numbers):
    arguments = {"out": GLOBAL_BASE, **numbers}
    walked = walk(kernel, lanes, grid, block, arguments)
    profile = profile_of(kernel, lanes, grid, block, walked)
    dfsg, twin = dfsg_of(profile), twin_of(kernel, walked)
    for node in dfsg.nodes:
        found = (node.ecount, node.threads, node.lcount, node.scount)
        each = (twin.ecount, twin.threads, twin.lcount, twin.scount)
        assert found == tuple(counts.get(node.block, 0) for counts in each)
    assert {(e.source, e.target) for e in dfsg.edges} >= set(twin.crossings)
    for edge in dfsg.edges:
        pair = (edge.source, edge.target)
        assert edge.oecount == edge.iecount == twin.crossings.get(pair, 0)
        assert edge.tcount == twin.tcount.get(pair, 0)
    assert {loop.shape.header for loop in dfsg.loops} == set(twin.loops)
    for loop in dfsg.loops:
        c = loop.counts
        found = (c.entries, c.threads, c.iterations, c.iterations_min, c.iterations_max)
        assert found == twin.loops[c.header]
    assert flow_errors(dfsg) == ()
    check_warps(dfsg, walked)
    return dfsg


def check_warps(dfsg, walked):
    """A warp that parts in k ways splits k - 1 times; ways are counted where they were taken."""
    ways, splits = Counter(), Counter()
    for warp in walked:
        ways.update((source, target) for source, target, _ in warp.ways)
        for block, count in warp.parted:
            splits[block] += count - 1
    assert {pair: e.warps for pair, e in dfsg.by_pair.items() if e.warps} == ways
    found = {branch.block: branch.splits for branch in dfsg.branches}
    assert found == {block: splits[block] for block in found}
    assert not set(+splits) - set(found)


@pytest.mark.parametrize(("threads", "lanes"), [(40, 32), (64, 64), (100, 64), (8, 4)])
def test_graphs_of_any_form(threads, lanes):
    seen = set()
    for seed in range(12):
        chance = random.Random(f"dfsg {seed} {threads} {lanes}")
        kernel = GraphMaker(chance, chance.randint(2, 10)).kernel()
        dfsg = check(kernel, lanes, (2, 1, 1), (threads, 1, 1), {})
        seen |= {loop.pattern for loop in dfsg.loops} | {bool(dfsg.irreducible)}
    assert seen == {*LoopPattern, True, False}


def test_graphs_with_barriers():
    counts = []
    for seed in range(10):
        chance = random.Random(f"dfsg barriers {seed}")
        kernel = GraphMaker(chance, chance.randint(2, 8), barriers=True).kernel()
        dfsg = check(kernel, 32, (2, 1, 1), (40, 1, 1), {})
        counts.append(sum(node.scount for node in dfsg.nodes))
    assert sum(count > 0 for count in counts) >= 5


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(10))
def test_structured_programs(seed):
    block, lanes = [((40, 1, 1), 32), ((3, 5, 2), 32), ((8, 9, 1), 64)][seed % 3]
    warps = -(-int(np.prod(block)) // lanes)
    kernel = ObservedLowering(NAMES, phis=bool(seed % 2), warps=warps).kernel(
        random_program(random.Random(seed))
    )
    numbers = {"arg0": seed % 7, "arg1": (seed % 5 - 1) % 2**32}
    dfsg = check(kernel, lanes, (1, 1, 1), block, numbers)
    assert any(node.area is Area.INSIDE for node in dfsg.nodes)
