"""Liveness and the orders of a block against slow, obvious twins on random kernels."""

import random
from itertools import permutations

import pytest

from tests.reference.liveness import live_around_blocks, most_alive
from tests.reference.programs import Lowering
from tests.reference.random_programs import NAMES, random_program
from warpmill.analyzer.analyses.cfg.graph import build_cfg
from warpmill.analyzer.analyses.liveness import (
    BlockGraph,
    GraphStep,
    MachineView,
    build_region,
    live_registers,
    machine_view,
    members,
    plain_line,
)
from warpmill.analyzer.ir.kernel import registers_in
from warpmill.simulator.assembler.registers import latency_order, on_demand, peak, shrinking


def kernel_of(seed, phis):
    return Lowering(NAMES, phis=phis).kernel(random_program(random.Random(seed)))


def plain_view(kernel):
    """A view in which every register stands for itself."""
    lines = tuple(tuple(plain_line(i) for i in b.instructions) for b in kernel.blocks)
    copies = {
        (edge.predecessor, block.id): (
            tuple(r.index for r, _ in edge.copies),
            tuple(i for _, o in edge.copies for i in registers_in(o)),
        )
        for block in kernel.blocks
        for edge in block.incoming
    }
    return MachineView((1,) * len(kernel.registers), lines, lines, copies)


@pytest.mark.parametrize("phis", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_liveness_is_what_walks_back_from_each_read_find(seed, phis):
    kernel = kernel_of(seed, phis)
    cfg = build_cfg(kernel)
    found = live_registers(plain_view(kernel), cfg)
    entry, end = live_around_blocks(kernel, cfg)
    assert [set(members(s)) for s in found.on_entry] == entry
    assert [set(members(s)) for s in found.at_end] == end


def regions_of(kernel):
    cfg = build_cfg(kernel)
    view = machine_view(kernel, cfg)
    live = live_registers(view, cfg)
    for block in sorted(cfg.reachable):
        lines = view.lines[block]
        yield build_region(lines, live.on_entry[block], live.at_end[block], view.weights)


def random_region(seed, steps):
    """Steps that read some values made before, of random weights."""
    rng = random.Random(seed)
    weights = [rng.choice((1, 1, 2, 4)) for _ in range(steps + 3)]
    made_by = {3 + n: n for n in range(steps)}  # the first three are there from the start
    uses = [0] * len(weights)
    made = []
    for number in range(steps):
        reads = tuple(sorted(rng.sample(range(number + 3), rng.randint(1, min(3, number + 1)))))
        for value in reads:
            uses[value] += 1
        after = tuple(sorted({made_by[v] for v in reads if v in made_by}))
        made.append(GraphStep(reads, (number + 3,), after, rng.choice((4, 30))))
    leaving = frozenset(rng.sample(range(len(weights)), 2))
    entering = frozenset(v for v in range(3) if not uses[v])  # read by none: they go through
    return BlockGraph(tuple(made), tuple(weights), tuple(uses), 3, leaving | entering, (steps - 1,))


def is_possible(region, order):
    place = {number: when for when, number in enumerate(order)}
    return sorted(order) == list(range(len(region.steps))) and all(
        place[before] < place[n] for n, s in enumerate(region.steps) for before in s.after
    )


@pytest.mark.parametrize("seed", range(60))
def test_every_order_is_possible_and_its_peak_is_what_is_alive(seed):
    region = random_region(seed, steps=12)
    orders = (list(range(12)), on_demand(region), shrinking(region, on_demand(region)))
    for order in orders:
        assert is_possible(region, order)
        assert peak(region, order) == most_alive(region, order)


@pytest.mark.parametrize("seed", range(25))
def test_no_order_needs_less_than_the_best_of_all_or_more_than_all_values(seed):
    region = random_region(seed, steps=6)
    possible = [o for o in permutations(range(6)) if is_possible(region, o)]
    best = min(most_alive(region, order) for order in possible)
    base = shrinking(region, on_demand(region))
    assert best <= peak(region, base) <= region.most
    for limit in (0, best, 2 * best, 10**6):
        assert best <= latency_order(region, base, limit)[1] <= region.most


def test_what_shrinks_goes_first():
    """Two loads of a pair each, and sums of the pairs: one sum at a time, not both loads first."""
    load, total = ((), 2), (1, 1)
    steps = (
        GraphStep((), (0,), (), 4), GraphStep((), (1,), (), 4), GraphStep((0,), (2,), (0,), 4),
        GraphStep((1,), (3,), (1,), 4), GraphStep((2, 3), (4,), (2, 3), 4),
    )  # fmt: skip
    weights = (load[1], load[1], *total, 1)
    region = BlockGraph(steps, weights, (1, 1, 1, 1, 0), 0, frozenset({4}), (4,))
    assert peak(region, range(5)) == 4
    order = shrinking(region, list(range(5)))
    assert order == [0, 2, 1, 3, 4]
    assert peak(region, order) == 3


def test_the_last_reader_of_a_value_goes_as_soon_as_it_is_the_last():
    """Two readers of a pair, and something else between them in the text."""
    steps = (GraphStep((0,), (1,), (), 4), GraphStep((), (2,), (), 4), GraphStep((0,), (3,), (), 4))
    region = BlockGraph(steps, (2, 1, 2, 1), (2, 0, 0, 0), 1, frozenset({1, 2, 3}), ())
    assert shrinking(region, [0, 1, 2]) == [0, 2, 1]


def test_latency_is_hidden_within_the_limit():
    """Four loads, each added to a sum: all four early, or as many as the limit lets."""
    loads = [GraphStep((0,), (2 + n,), (), 30) for n in range(4)]
    sums = [GraphStep((1, 2), (6,), (0,), 4)]
    sums += [GraphStep((5 + n, 2 + n), (6 + n,), (n, 3 + n), 4) for n in range(1, 4)]
    steps = (loads[0], loads[1], loads[2], loads[3], *sums)
    weights = (2,) + (1,) * 9
    region = BlockGraph(steps, weights, (4, 1) + (1,) * 7 + (0,), 2, frozenset({0, 9}), (7,))
    base = [0, 4, 1, 5, 2, 6, 3, 7]
    assert is_possible(region, base)
    assert peak(region, base) == 4  # the address, the sum, one number
    assert latency_order(region, base, 4)[1] == 4
    assert latency_order(region, base, 5)[1] == 5
    assert latency_order(region, base, 99)[1] == 7


@pytest.mark.parametrize("phis", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_peaks_of_random_kernels_are_what_is_alive(seed, phis):
    for region in regions_of(kernel_of(seed, phis)):
        order = list(range(len(region.steps)))
        better = shrinking(region, on_demand(region))
        assert is_possible(region, better)
        assert peak(region, order) == most_alive(region, order)
        assert peak(region, better) == most_alive(region, better)
