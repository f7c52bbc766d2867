"""The whole from a part: cycles, and where they lie."""

import numpy as np
import pytest

from simulator.sampling.model import Selection, Stratum, Unit
from simulator.sampling.projection import project


def selected(instructions, strata):
    """Give a selection of units of so many instructions; strata as (members, chosen)."""
    units = tuple(Unit(k, k + 1, n) for k, n in enumerate(instructions))
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


def test_unlike_members_are_less_certain():
    """Features of measured units differ by 1 where rates differ by e; a member 0.1 away by 10 %."""
    selection = selected([100] * 3, [([0, 1], [0]), ([2], [2])])
    cycles = {0: 100.0, 2: 100.0 * np.e}
    near, far = (project(selection, cycles, np.array([[0.0], [x], [1.0]])) for x in (0.01, 0.1))
    assert near.cycles == far.cycles
    half = far.interval[1] - far.cycles
    assert half == pytest.approx(1.96 * 0.1 * 100 * 2**0.5, rel=1e-3)
    assert near.interval[1] - near.cycles == pytest.approx(half / 10)


def test_members_that_are_equal_in_all_features_are_certain():
    selection = selected([100] * 3, [([0, 1], [0]), ([2], [2])])
    found = project(selection, {0: 10.0, 2: 20.0}, np.array([[0.0], [0.0], [1.0]]))
    assert found.interval == (found.cycles, found.cycles)


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
