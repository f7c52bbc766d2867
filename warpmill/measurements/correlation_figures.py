"""How estimates and measurements agree: errors, and whether the one goes with the other.

The error of an estimate is (estimated - measured) / measured: -0.5 is half the time, 1.0 twice.
All functions take pairs of positive, finite times in one unit, and depend on their order only
where they say so.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import StatisticsError, correlation, fmean, median
from typing import Annotated, TypeVar

from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric

FEWEST = 3
"""Pairs that a correlation needs: through two points there is always a line."""


@dataclass(frozen=True)
class TimePair:
    """A measured time, and the one that was estimated for it."""

    measured: float
    estimated: float

    @property
    def error(self) -> float:
        """The error of the estimate, as a share of what was measured."""
        return (self.estimated - self.measured) / self.measured

    @property
    def ratio(self) -> float:
        """Estimated over measured."""
        return self.estimated / self.measured


@dataclass(frozen=True)
class Coefficient:
    """A correlation from -1 to 1, or the reason why there is none."""

    value: Annotated[float | None, Metric("Correlation")]
    reason: str | None = None


@dataclass(frozen=True)
class Agreement:
    """How some pairs agree.

    ``mean_absolute_error_fraction`` is the mean absolute percentage error (MAPE), as a share;
    ``median_absolute_error_fraction`` is the median of the same, ``bias_fraction`` the mean of
    signed errors. ``geometric_mean_ratio`` is of estimated over measured. ``worst`` is the place of
    the pair with the largest absolute error, of those that are alike the first. ``pearson_log``
    correlates the logarithms of times, ``kendall_tau_b`` their order, ties as in Kendall's tau-b.
    """

    rows: Annotated[int, Metric("Rows", mark=Mark.EXACT)]
    mean_absolute_error_fraction: Annotated[float, Metric("MAPE", "%")]
    median_absolute_error_fraction: Annotated[float, Metric("Median", "%")]
    bias_fraction: Annotated[float, Metric("Bias", "%")]
    geometric_mean_ratio: Annotated[float, Metric("Ratio")]
    worst: Annotated[int, INTERNAL]
    pearson_log: Annotated[Coefficient, Metric("Pearson")]
    kendall_tau_b: Annotated[Coefficient, Metric("Kendall")]


def agreement(pairs: Sequence[TimePair]) -> Agreement:
    """How pairs agree, of which there is one at least.

    >>> found = agreement([Pair(1.0, 2.0), Pair(4.0, 2.0)])
    >>> found.mean_absolute_error_fraction, found.bias_fraction, found.geometric_mean_ratio
    (0.75, 0.25, 1.0)
    >>> found.kendall_tau_b
    Coefficient(value=None, reason='fewer than 3 rows')
    """
    errors = [pair.error for pair in pairs]
    sizes = [abs(error) for error in errors]
    return Agreement(
        rows=len(pairs),
        mean_absolute_error_fraction=fmean(sizes),
        median_absolute_error_fraction=median(sizes),
        bias_fraction=fmean(errors),
        geometric_mean_ratio=math.exp(fmean([math.log(pair.ratio) for pair in pairs])),
        worst=sizes.index(max(sizes)),
        pearson_log=pearson_log(pairs),
        kendall_tau_b=kendall_tau_b(pairs),
    )


def pearson_log(pairs: Sequence[TimePair]) -> Coefficient:
    """The correlation of the logarithms of times: 1 for a line on paper with log axes."""
    reason = _no_correlation(pairs)
    if reason is not None:
        return Coefficient(None, reason)
    measured = [math.log(pair.measured) for pair in pairs]
    try:
        value = correlation(measured, [math.log(pair.estimated) for pair in pairs])
    except StatisticsError:  # times differ, and their logarithms do not
        return Coefficient(None, "all times are nearly equal")
    return Coefficient(min(1.0, max(-1.0, value)))


def kendall_tau_b(pairs: Sequence[TimePair]) -> Coefficient:
    """How far estimates have the order of measurements: Kendall's tau-b.

    1 where every two rows are in the same order, -1 where in the other; pairs that tie on one side
    count as tau-b has it.
    """
    reason = _no_correlation(pairs)
    if reason is not None:
        return Coefficient(None, reason)
    from scipy.stats import kendalltau  # noqa: PLC0415 - slow to load

    measured = [pair.measured for pair in pairs]
    estimated = [pair.estimated for pair in pairs]
    # the asymptotic p-value, which is not used, takes no time
    found = kendalltau(measured, estimated, variant="b", method="asymptotic")
    return Coefficient(float(found.statistic))


def _no_correlation(pairs: Sequence[TimePair]) -> str | None:
    """Reason why the correlation of pairs is unknown; None: it is known."""
    if len(pairs) < FEWEST:
        return f"fewer than {FEWEST} rows"
    if len({pair.measured for pair in pairs}) == 1:
        return "all measured times are equal"
    if len({pair.estimated for pair in pairs}) == 1:
        return "all estimated times are equal"
    return None


Name = TypeVar("Name", bound=Hashable)


def grouped(names: Sequence[Name]) -> Mapping[Name, tuple[int, ...]]:
    """The places of each name, names in the order in which they come first."""
    found: dict[Name, list[int]] = {}
    for place, name in enumerate(names):
        found.setdefault(name, []).append(place)
    return {name: tuple(places) for name, places in found.items()}


def worst_first(pairs: Sequence[TimePair]) -> tuple[int, ...]:
    """The places of pairs by their absolute errors, the largest first."""
    return tuple(sorted(range(len(pairs)), key=lambda place: -abs(pairs[place].error)))
