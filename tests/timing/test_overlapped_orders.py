"""Orders in which loads overlap: hand-made blocks, and random ones against obvious twins."""

import pytest

from tests.timing.test_pressure_orders import is_possible, random_region
from warpmill.analyzer.analyses.liveness import BlockGraph, GraphStep
from warpmill.simulator.assembler.registers import latency_order, peak
from warpmill.simulator.assembler.schedule import (
    overlapped_order,
    pulled_forward,
    slots,
)

LOAD, ADD = 30, 4


def streamed(loads):
    """Loads of one base, each added to a sum right behind it: text order waits for each."""
    steps = []
    sum_now, made_by = 1, {}
    for n in range(loads):
        value, total = 2 + 2 * n, 3 + 2 * n
        steps.append(GraphStep((0,), (value,), (), LOAD))
        made_by[value] = 2 * n
        after = (2 * n,) if n == 0 else (2 * n - 1, 2 * n)
        steps.append(GraphStep((sum_now, value), (total,), after, ADD))
        sum_now = total
    uses = [loads, 1] + [1] * (2 * loads - 1) + [0]
    weights = (1,) * len(uses)
    return BlockGraph(
        tuple(steps), weights, tuple(uses), 2, frozenset({0, sum_now}), (len(steps) - 1,)
    )


def twice(rows):
    """A row of values that two sums take, the second one a row later, as stencils do.

    The text makes the first sum whole before the second, and holds all rows between.
    """
    loads = [GraphStep((0,), (3 + n,), (), LOAD) for n in range(rows)]
    steps, uses = list(loads), [rows, 1, 1] + [2] * rows
    for which in range(2):
        before, now = -1, 1 + which
        for n in range(rows):
            value = 3 + rows + which * rows + n
            after = (n,) if before < 0 else (n, before)
            steps.append(GraphStep((now, 3 + n), (value,), after, ADD))
            uses.append(1 if n + 1 < rows else 0)
            before, now = len(steps) - 1, value
    leaving = frozenset({3 + 2 * rows - 1, 3 + 3 * rows - 1})
    anchors = (rows + rows - 1, rows + 2 * rows - 1)
    return BlockGraph(tuple(steps), (1,) * len(uses), tuple(uses), 3, leaving, anchors)


def test_slots_are_counted_in_order():
    region = streamed(3)
    assert slots(region, range(6)) == 3 * (LOAD + 1) + ADD - 1  # a load goes after each sum
    assert slots(region, [0, 2, 4, 1, 3, 5]) == LOAD + 3 * ADD  # each sum waits for the one before
    assert slots(region, [0, 2, 1, 4, 3, 5]) == LOAD + 1 + LOAD + ADD  # the third behind a sum


@pytest.mark.parametrize(("limit", "ahead"), [(3, 1), (4, 2), (5, 3), (99, 8)])
def test_as_many_loads_are_under_way_as_registers_hold(limit, ahead):
    """The base and the sum take two; what is left holds loads."""
    region = streamed(8)
    order, most = pulled_forward(region, range(16), limit)
    assert most == peak(region, order)
    assert is_possible(region, order)
    assert peak(region, order) <= max(limit, peak(region, range(16)))
    first_sum = order.index(1)
    assert first_sum == ahead


def test_a_load_comes_with_its_address():
    """Addresses in the text far before their loads, and two at a time fit."""
    addresses = [GraphStep((0,), (1 + n,), (), ADD) for n in range(4)]
    loads = [GraphStep((1 + n,), (5 + n,), (n,), LOAD) for n in range(4)]
    stores = [GraphStep((5 + n,), (), (4 + n, *((7 + n,) if n else ())), ADD) for n in range(4)]
    steps = (*addresses, *loads, *stores)
    weights = (1, *(2,) * 4, *(1,) * 4)
    region = BlockGraph(steps, weights, (4, *(1,) * 8), 1, frozenset({0}), (8, 9, 10, 11))
    order = overlapped_order(region, range(12), 5)
    assert is_possible(region, order)
    assert peak(region, order) <= 5
    assert slots(region, order) < 3 * (ADD + LOAD)  # four one by one take 136
    assert peak(region, range(12)) == 9


def test_what_two_sums_take_is_not_held_for_the_second():
    region = twice(40)
    text = range(len(region.steps))
    assert peak(region, text) == 42
    order = overlapped_order(region, text, 8)
    assert is_possible(region, order)
    assert peak(region, order) <= 8
    assert slots(region, order) < 400


@pytest.mark.parametrize("seed", range(40))
def test_orders_are_possible_and_keep_the_limit_where_one_does(seed):
    region = random_region(seed, steps=14)
    text = list(range(14))
    for limit in (0, 6, 12, 99):
        order = overlapped_order(region, text, limit)
        assert is_possible(region, order)
        others = [latency_order(region, text, limit)[0], pulled_forward(region, text, limit)[0]]
        fitting = [o for o in others if peak(region, o) <= limit]
        if fitting:
            assert peak(region, order) <= limit
            assert slots(region, order) <= min(slots(region, o) for o in fitting)


def test_no_load_passes_what_has_an_effect():
    """A store between two loads, which the second waits for."""
    steps = (
        GraphStep((0,), (1,), (), LOAD), GraphStep((1,), (), (0,), ADD),
        GraphStep((0,), (2,), (1,), LOAD), GraphStep((2,), (), (1, 2), ADD),
    )  # fmt: skip
    region = BlockGraph(steps, (1, 1, 1), (2, 1, 1), 1, frozenset({0}), (1, 3))
    assert pulled_forward(region, range(4), 99)[0] == [0, 1, 2, 3]
