"""Numbers with their spread, from readings of several lengths."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from warpmill.calibration.probes import Reading


@dataclass(frozen=True)
class FittedNumber:
    """A number that was fitted, and its spread: by how much it might be another one."""

    value: float
    spread: float

    def plus(self, other: FittedNumber, times: float = 1.0) -> FittedNumber:
        """Add so many times another one; spreads add up as those of independent numbers."""
        return FittedNumber(
            self.value + times * other.value, math.hypot(self.spread, times * other.spread)
        )

    def times(self, factor: float) -> FittedNumber:
        """Number scaled by a factor."""
        return FittedNumber(self.value * factor, self.spread * abs(factor))

    def over(self, total: float) -> FittedNumber:
        """A rate: so much over it."""
        return FittedNumber(total / self.value, abs(total / self.value**2) * self.spread)


def slope(xs: Sequence[float], ys: Sequence[float]) -> FittedNumber:
    """Fit a line by least squares, and give its slope with the standard error.

    Of two points the error is 0: nothing says how well a line fits them.
    """
    n, mean_x, mean_y = len(xs), sum(xs) / len(xs), sum(ys) / len(ys)
    across = sum((x - mean_x) ** 2 for x in xs)
    value = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / across
    if n < 3:
        return FittedNumber(value, 0.0)
    left = sum((y - mean_y - value * (x - mean_x)) ** 2 for x, y in zip(xs, ys, strict=True))
    return FittedNumber(value, math.sqrt(left / (n - 2) / across))


def slope_of_readings(xs: Sequence[float], readings: Sequence[Reading]) -> FittedNumber:
    """Fit cycles over ``xs`` for each repetition; the median, and how repetitions deviate from it.

    The spread is the median absolute deviation, or the standard error of the fit where that is
    more.
    """
    each = [slope(xs, cycles) for cycles in zip(*(r.cycles for r in readings), strict=True)]
    return combined(each)


def combined(each: Sequence[FittedNumber]) -> FittedNumber:
    """Median of repetitions."""
    middle = median(one.value for one in each)
    deviation = median(abs(one.value - middle) for one in each)
    return FittedNumber(middle, max(deviation, median(one.spread for one in each)))


def differences(longer: Reading, shorter: Reading, times: float) -> Reading:
    """Time of a longer launch beyond a shorter one, over ``times``, by repetition."""
    return Reading(
        tuple((a - b) / times for a, b in zip(longer.cycles, shorter.cycles, strict=True)),
        tuple((a - b) / times for a, b in zip(longer.seconds, shorter.seconds, strict=True)),
    )


def multiples(count: int, of: int) -> int:
    """Round up to a multiple."""
    return -(-count // of) * of
