"""How often something in nested loops happens, where inner counts may depend on outer iterations.

``for i < n: for j < i: for k < j`` has counts ``n``, ``i`` and ``j``: each grows by a stride with
the iterations around. What happens in the innermost body is a sum over all of them, which is worked
out as a polynomial, and never by iterating.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, prod


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


@lru_cache(maxsize=1 << 14)
def executions(counts: tuple[Count, ...]) -> int:
    """Count the executions of what stands inside loops with these counts, outermost first.

    A count may come down to zero, not below.
    """
    if not any(c.strides for c in counts):
        return prod(c.first for c in counts)
    inner: _Polynomial = {(0,) * len(counts): Fraction(1)}
    for level in reversed(range(len(counts))):
        inner = _summed(inner, level, counts[level], len(counts))
    total = sum(inner.values(), Fraction(0))
    assert total.denominator == 1
    return total.numerator


_Polynomial = dict[tuple[int, ...], Fraction]
"""Coefficients by the exponents of the iterations of each level."""


def _summed(terms: _Polynomial, level: int, count: Count, levels: int) -> _Polynomial:
    """Sum over the iterations ``0 … count - 1`` of one level."""
    upper = _linear(count, levels)
    total: _Polynomial = {}
    for exponents, coefficient in terms.items():
        rest = (*exponents[:level], 0, *exponents[level + 1 :])
        power: _Polynomial = {(0,) * levels: Fraction(1)}
        for k, factor in enumerate(_sum_of_powers(exponents[level])):
            if k:
                power = _product(power, upper)
            for raised, c in power.items():
                key = tuple(a + b for a, b in zip(rest, raised, strict=True))
                total[key] = total.get(key, Fraction(0)) + coefficient * factor * c
    return {key: value for key, value in total.items() if value}


def _linear(count: Count, levels: int) -> _Polynomial:
    found: _Polynomial = {(0,) * levels: Fraction(count.first)}
    for level, stride in enumerate(count.strides):
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
