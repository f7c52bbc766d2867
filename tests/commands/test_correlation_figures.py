"""Errors and correlations of measured and estimated times: by hand, and by every two rows."""

import math
import random

import pytest

from tests.reference.kendall_twin import kendall_tau_b as tau_by_pairs
from warpmill.measurements.correlation_figures import (
    Coefficient,
    TimePair,
    agreement,
    grouped,
    kendall_tau_b,
    pearson_log,
    worst_first,
)


def pairs(*each):
    return [TimePair(float(measured), float(estimated)) for measured, estimated in each]


FOUR = pairs((10, 15), (20, 10), (40, 36), (80, 100))
"""Errors +0.5, -0.5, -0.1, +0.25."""


def test_errors_by_hand():
    found = agreement(FOUR)
    assert found.rows == 4
    assert found.mean_absolute_error_fraction == pytest.approx(1.35 / 4)
    assert found.median_absolute_error_fraction == pytest.approx((0.25 + 0.5) / 2)
    assert found.bias_fraction == pytest.approx(0.15 / 4)
    assert found.geometric_mean_ratio == pytest.approx((1.5 * 0.5 * 0.9 * 1.25) ** 0.25)
    assert found.worst == 0  # as bad as the second, and before it


def test_correlations_by_hand():
    """Of six pairs one is in the wrong order; logarithms of what was measured are 0, 1, 2, 3."""
    assert kendall_tau_b(FOUR).value == pytest.approx((5 - 1) / 6)
    logs = [math.log2(y) for y in (15, 10, 36, 100)]
    mean = sum(logs) / 4
    covariance = sum((x - 1.5) * (y - mean) for x, y in enumerate(logs))
    spread = math.sqrt(5.0 * sum((y - mean) ** 2 for y in logs))
    assert pearson_log(FOUR).value == pytest.approx(covariance / spread)


def test_ties_by_hand():
    """3 pairs agree, none disagrees, one ties in what was measured, two in estimates."""
    found = kendall_tau_b(pairs((1, 1), (2, 2), (3, 2), (3, 5)))
    assert found.value == pytest.approx(4 / math.sqrt(5 * 5))


def test_errors_have_the_sign_of_estimates():
    low, high = pairs((4, 1), (1, 4))
    assert (low.error, high.error) == (-0.75, 3.0)
    assert (low.ratio, high.ratio) == (0.25, 4.0)
    assert agreement([low, high]).geometric_mean_ratio == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(40))
def test_tau_is_that_of_all_pairs(seed):
    chance = random.Random(seed)
    count = chance.randint(3, 30)
    values = range(1, chance.choice((3, 6, 1000)))  # few values: many ties
    found = pairs(*((chance.choice(values), chance.choice(values)) for _ in range(count)))
    wanted = tau_by_pairs([p.measured for p in found], [p.estimated for p in found])
    if wanted is None:
        assert kendall_tau_b(found).value is None
    else:
        assert kendall_tau_b(found).value == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (pairs((1, 1)), "fewer than 3 rows"),
        (pairs((1, 1), (2, 3)), "fewer than 3 rows"),
        (pairs((5, 1), (5, 2), (5, 3)), "all measured times are equal"),
        (pairs((1, 5), (2, 5), (3, 5)), "all estimated times are equal"),
    ],
)
def test_no_correlation_is_no_number(rows, reason):
    found = agreement(rows)
    assert found.kendall_tau_b == found.pearson_log == Coefficient(None, reason)
    assert math.isfinite(found.mean_absolute_error_fraction)


def test_times_that_hardly_differ():
    """Their logarithms are equal: nothing is divided by zero, nothing is NaN."""
    tiny = math.nextafter(1e9, 2e9)
    found = agreement(pairs((1e9, 1), (tiny, 2), (1e9, 3)))
    assert found.pearson_log == Coefficient(None, "all times are nearly equal")
    assert found.kendall_tau_b.value == 0.0


def test_correlations_are_no_more_than_one():
    rows = pairs(*((x, 3 * x) for x in (1e-3, 0.7, 13, 1e7)))
    assert pearson_log(rows).value == pytest.approx(1.0)
    assert pearson_log(rows).value <= 1.0
    assert kendall_tau_b(rows).value == 1.0
    assert kendall_tau_b(pairs((1, 9), (2, 8), (3, 7))).value == -1.0


def test_the_order_of_rows_changes_no_figure():
    chance = random.Random(5)
    rows = pairs(*((chance.uniform(1, 9), chance.uniform(1, 9)) for _ in range(50)))
    first = agreement(rows)
    chance.shuffle(rows)
    second = agreement(rows)
    for name in (
        "mean_absolute_error_fraction",
        "median_absolute_error_fraction",
        "bias_fraction",
        "geometric_mean_ratio",
    ):
        assert getattr(first, name) == getattr(second, name)
    assert first.kendall_tau_b == second.kendall_tau_b


def test_groups_and_the_worst_first():
    assert grouped(["b", "a", "b"]) == {"b": (0, 2), "a": (1,)}
    assert list(grouped(["b", "a", "b"])) == ["b", "a"]
    assert worst_first(FOUR) == (0, 1, 3, 2)
