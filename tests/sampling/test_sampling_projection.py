"""The whole from a part: cycles, and where they lie."""

import math

import numpy as np
import pytest

from warpmill.simulator.sampling.model import (
    BY_DISTANCE,
    BY_SIZE,
    EQUAL,
    Selection,
    SelectionUnit,
    Stratum,
    project,
)


def selected(instructions, strata):
    """A selection of units of so many instructions; strata as (members, chosen)."""
    units = tuple(SelectionUnit(k, k + 1, n) for k, n in enumerate(instructions))
    total = sum(instructions)
    made = tuple(
        Stratum(tuple(members), tuple(chosen), sum(instructions[k] for k in members) / total)
        for members, chosen in strata
    )
    return Selection("by hand", units, made)


def test_the_instructions_of_a_stratum_go_on_at_the_rate_of_its_units():
    """100 of 400 take 50 cycles, 30 of 30 take 90; in all 4 * 50 + 90."""
    found = project(selected([100, 300, 30], [([0, 1], [0]), ([2], [2])]), {0: 50.0, 2: 90.0})
    assert found.cycles == pytest.approx(290.0)
    assert found.interval is None


def test_what_was_measured_whole_is_certain():
    found = project(selected([10, 20], [([0], [0]), ([1], [1])]), {0: 7.0, 1: 9.0})
    assert (found.cycles, found.interval) == (16.0, (16.0, 16.0))


def test_units_without_instructions_cost_what_was_measured_of_them():
    found = project(selected([0, 10], [([0], [0]), ([1], [1])]), {0: 7.0, 1: 9.0})
    assert found.cycles == 16.0


def test_two_measured_units_tell_the_spread():
    """Rates 0.9 and 1.1: deviation sqrt(0.02) = 0.141 of the mean, of two and two others.

    Those not measured: 100 each, so variance 2e4 * 0.02 for themselves, 4e4 * 0.02 / 2 for the
    mean; one degree of freedom: 12.706 times its root.
    """
    found = project(selected([100] * 4, [(range(4), [0, 1])]), {0: 90.0, 1: 110.0})
    assert found.cycles == pytest.approx(400.0)
    half = 12.706 * (0.02 * 2e4 + 0.02 * 4e4 / 2) ** 0.5
    assert found.interval == pytest.approx((400.0 - half, 400.0 + half), rel=1e-3)


def test_strata_of_one_measured_unit_take_the_spread_of_the_others():
    strata = [(range(4), [0, 1]), ([4, 5], [4])]
    cycles = {0: 90.0, 1: 110.0, 4: 300.0}
    wider = project(selected([100] * 6, strata), cycles)
    alone = project(selected([100] * 4, strata[:1]), {0: 90.0, 1: 110.0})
    assert wider.cycles == pytest.approx(1000.0)
    assert wider.interval[1] - wider.cycles > alone.interval[1] - alone.cycles


PAIR = [([0, 1], [0]), ([2], [2])]
"""Two units of which the first is measured, and one for itself."""


def half(found):
    return found.interval[1] - found.cycles


def of_pair(features, *, sizes=(100, 100, 100), rate=2.0):
    """Project three units; the third one has a rate of its own, the first one 1."""
    found = project(
        selected(sizes, PAIR), {0: float(sizes[0]), 2: rate * sizes[2]}, np.array(features)
    )
    assert found.cycles == pytest.approx(sizes[0] + sizes[1] + rate * sizes[2])
    return found


def scaled(rate, expected):
    """The scale by the two measured units: three that are as expected, and one that is."""
    return (3 + math.log(rate) ** 2 / (2 * EQUAL**2 + expected)) / 4


def test_equal_members_differ_a_little():
    assert half(of_pair([[0.0], [0.0], [1.0]])) == pytest.approx(1.96 * 100 * EQUAL, rel=1e-3)


def test_unlike_members_are_less_certain():
    """A member 0.1 away: its variance grows by that of 0.1, by how unlike measured units are."""
    g = scaled(2.0, BY_DISTANCE**2)
    for apart in (0.01, 0.1):
        variance = EQUAL**2 + g * (BY_DISTANCE * apart) ** 2
        found = half(of_pair([[0.0], [apart], [1.0]]))
        assert found == pytest.approx(1.96 * 100 * variance**0.5, rel=1e-3)
    same = half(of_pair([[0.0], [0.1], [1.0]], rate=1.0))
    variance = EQUAL**2 + 0.75 * (BY_DISTANCE * 0.1) ** 2
    assert same == pytest.approx(1.96 * 100 * variance**0.5, rel=1e-3)


def test_members_of_other_sizes_are_less_certain():
    sizes, apart = (100, 300, 200), BY_SIZE * math.log(3)
    g = scaled(1.5, BY_DISTANCE**2 + (BY_SIZE * math.log(2)) ** 2)
    found = half(of_pair([[0.0], [0.0], [1.0]], sizes=sizes, rate=1.5))
    variance = EQUAL**2 + g * apart**2
    assert found == pytest.approx(1.96 * 300 * variance**0.5, rel=1e-3)


def test_of_members_that_have_nothing_in_common_nothing_is_known():
    assert of_pair([[0.0], [0.31], [1.0]]).interval is None
    little = selected([1, 1, 200], PAIR)
    found = project(little, {0: 1.0, 2: 200.0}, np.array([[0.0], [0.31], [1.0]]))
    assert found.interval is not None  # a hundredth of all


@pytest.mark.parametrize(
    ("other", "many", "is_known"),
    [(100, 1, True), (1_900, 1, True), (5_000, 1, False), (3, 1, True), (3, 40, False)],
)
def test_measured_units_say_nothing_of_those_of_quite_other_sizes(other, many, is_known):
    """A factor of 20 and 2% of all instructions are where that begins, either way."""
    sizes = [100, 100, 100] + [other] * many
    made = selected(sizes, [(range(len(sizes)), [0, 1])])
    found = project(made, {0: 210.0, 1: 190.0})
    assert (found.interval is not None) == is_known


def test_a_chosen_unit_without_cycles_is_told():
    with pytest.raises(ValueError, match=r"no cycles of chosen units \[2\]"):
        project(selected([1, 1, 1], [([0, 1], [0]), ([2], [2])]), {0: 1.0})


def test_intervals_hold_what_they_should():
    """Rates of 10 % spread: 95 of 100 intervals of 5 in 40 hold the whole, a few more or less."""
    generator = np.random.default_rng(5)
    held = 0
    for _ in range(400):
        cycles = 100.0 * generator.normal(1.0, 0.1, 40)
        chosen = sorted(generator.choice(40, 5, replace=False).tolist())
        found = project(selected([100] * 40, [(range(40), chosen)]), {k: cycles[k] for k in chosen})
        low, high = found.interval
        held += low <= cycles.sum() <= high
    assert 0.92 < held / 400 < 0.98
