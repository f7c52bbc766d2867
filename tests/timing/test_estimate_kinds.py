"""Kinds of CTAs by what some of them execute, and how many CTAs are of each."""

from __future__ import annotations

import pytest

from warpmill.simulator.estimate.waves import CtaKind, Waves, kinds


def test_ctas_that_differ_little_are_of_one_kind() -> None:
    counts = {0: 100.0, 30: 149.0, 60: 120.0, 90: 200.0}  # the largest step is 149 to 200
    assert kinds(counts, Waves((100, 1, 1), 4, 2)) == (
        CtaKind(1.0, 60, pytest.approx(142.25), tuple(sorted(counts, key=counts.__getitem__))),
    )


def test_the_end_of_a_grid_is_a_kind_of_its_own_from_its_row_on() -> None:
    """Seven rows of 50 CTAs, the last of which has little to do: one that is looked at is of it."""
    waves = Waves((50, 7, 1), 4, 2)
    counts = {10: 900.0, 120: 1000.0, 290: 1100.0, 325: 10.0}
    less, more = kinds(counts, waves)
    assert less == CtaKind(pytest.approx(1 / 7), 325, 10.0, (325,))
    assert more == CtaKind(pytest.approx(6 / 7), 120, 1000.0, (10, 120, 290))


def test_kinds_that_take_turns_have_the_ctas_around_those_that_were_looked_at() -> None:
    counts = {0: 10.0, 10: 100.0, 20: 10.0, 29: 100.0}
    less, more = kinds(counts, Waves((30, 1, 1), 4, 2))
    assert (less.share, more.share) == (pytest.approx(15 / 30), pytest.approx(15 / 30))
    assert (less.cta, more.cta) == (20, 29)


def test_there_are_three_kinds_at_most() -> None:
    counts = {k: 3.0**k for k in range(6)}
    counts[9] = 1e6  # the widest step, then the first of those that are alike
    assert len(kinds(counts, Waves((12, 1, 1), 2, 1))) == 3


@pytest.mark.parametrize("before", [0, 1, 2])
def test_the_sm_of_a_cta_runs_it_and_those_as_far_apart_as_there_are_sms(before: int) -> None:
    waves = Waves((100, 2, 1), 4, 2)
    found = [waves.number(cta) for cta in waves.beside(117, before, 2 * (before + 1))]
    first = (117 // 8 - before) * 8 + 1  # 117 is the second on its SM, which is the second
    assert found == [first + 4 * k for k in range(2 * (before + 1))]
    assert 117 in found


@pytest.mark.parametrize(("number", "before"), [(0, 1), (199, 0), (199, 2), (5, 3)])
def test_ctas_beside_one_are_in_the_grid_and_differ(number: int, before: int) -> None:
    waves = Waves((100, 2, 1), 4, 2)
    found = [waves.number(cta) for cta in waves.beside(number, before, 6)]
    assert len(set(found)) == 6
    assert min(found) >= 0 and max(found) < 200


def test_the_wave_of_a_cta() -> None:
    waves = Waves((100, 2, 1), 4, 2)
    assert waves.wave_of(117) == 14
    assert waves.wave_of(None) == 12  # in the middle of 25
