"""How often something in nested loops happens, where inner counts may depend on outer iterations.

``for i < n: for j < i: for k < j`` has counts ``n``, ``i`` and ``j``: each grows by a stride with
the iterations around. What happens in the innermost body is a sum over all of them, which is worked
out as a polynomial, and never by iterating.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import comb, prod

BEYOND_COUNTING = 1 << 63
"""Executions that no run comes to the end of: a warp a nanosecond takes three centuries."""


def endless(instructions: float) -> str | None:
    """Words for warp instructions that no run comes to the end of; None where one may."""
    if instructions < BEYOND_COUNTING:
        return None
    return (
        f"no run comes to the end of {Decimal(instructions):.4g} warp instructions: counts and "
        "times are those of loops that go through all of their iterations"
    )


@dataclass(frozen=True, slots=True)
class Count:
    """Iterations of a loop: ``first`` plus a stride for each iteration of each loop around.

    ``strides`` stand outermost first; empty where the count is the same always.
    """

    first: int
    strides: tuple[int, ...] = ()

    def at(self, iteration: Sequence[int]) -> int:
        """Give the count in an iteration of the loops around."""
        if not self.strides:
            return self.first
        return self.first + sum(s * i for s, i in zip(self.strides, iteration, strict=True))

    def least(self, last: Sequence[int]) -> int:
        """Give the smallest count where each loop around goes from iteration 0 to a last one."""
        if not any(self.strides):
            return self.first
        return self.first + sum(min(0, s * i) for s, i in zip(self.strides, last, strict=True))

    def most(self, last: Sequence[int]) -> int:
        """Give the largest count where each loop around goes from iteration 0 to a last one."""
        if not any(self.strides):
            return self.first
        return self.first + sum(max(0, s * i) for s, i in zip(self.strides, last, strict=True))


@lru_cache(maxsize=1 << 14)
def executions(counts: tuple[Count, ...]) -> int:
    """Count the executions of what stands inside loops with these counts, outermost first.

    A count may come down to zero, not below.
    """
    followed = {i for c in counts for i, stride in enumerate(c.strides) if stride}
    uneven = [i for i, c in enumerate(counts) if i in followed or any(c.strides)]
    even = prod(c.first for i, c in enumerate(counts) if i not in uneven)
    inner: _Polynomial = {(0,) * len(uneven): Fraction(1)}
    for level in reversed(range(len(uneven))):
        count = counts[uneven[level]]
        strides = {uneven.index(i): stride for i, stride in enumerate(count.strides) if stride}
        inner = _summed(inner, level, _linear(count.first, strides, len(uneven)))
    total = sum(inner.values(), Fraction(0))
    assert total.denominator == 1
    return even * total.numerator


_Polynomial = dict[tuple[int, ...], Fraction]
"""Coefficients by the exponents of the iterations of each level."""


def _summed(terms: _Polynomial, level: int, upper: _Polynomial) -> _Polynomial:
    """Sum over the iterations ``0 … upper - 1`` of one level."""
    powers = [_linear(1, {}, len(next(iter(upper))))]
    total: _Polynomial = {}
    for exponents, coefficient in terms.items():
        rest = (*exponents[:level], 0, *exponents[level + 1 :])
        for k, factor in enumerate(_sum_of_powers(exponents[level])):
            if k == len(powers):
                powers.append(_product(powers[-1], upper))
            for raised, c in powers[k].items() if factor else ():
                key = tuple(a + b for a, b in zip(rest, raised, strict=True))
                total[key] = total.get(key, Fraction(0)) + coefficient * factor * c
    return {key: value for key, value in total.items() if value}


def _linear(first: int, strides: Mapping[int, int], levels: int) -> _Polynomial:
    found: _Polynomial = {(0,) * levels: Fraction(first)}
    for level, stride in strides.items():
        found[tuple(int(i == level) for i in range(levels))] = Fraction(stride)
    return found


def _product(a: _Polynomial, b: _Polynomial) -> _Polynomial:
    found: _Polynomial = {}
    for x, p in a.items():
        for y, q in b.items():
            key = tuple(i + j for i, j in zip(x, y, strict=True))
            found[key] = found.get(key, Fraction(0)) + p * q
    return found


@lru_cache(maxsize=64)
def _sum_of_powers(power: int) -> tuple[Fraction, ...]:
    """Coefficients in n of ``0**p + 1**p + … + (n - 1)**p``.

    From the telescoping sum of ``(i + 1)**(p + 1) - i**(p + 1)``: each power follows from the lower
    ones.
    """
    coefficients = [Fraction(0)] * (power + 2)
    coefficients[power + 1] = Fraction(1)
    for lower in range(power):
        weight = comb(power + 1, lower)
        for k, c in enumerate(_sum_of_powers(lower)):
            coefficients[k] -= weight * c
    return tuple(c / (power + 1) for c in coefficients)
