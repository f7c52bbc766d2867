"""Linear forms over what differs between threads, with sound bounds: what CTAs can reach.

A form is ``constant + Σ coefficient · term``; a term is an integer between two bounds that a thread
has of its own: an index of its thread or CTA, the count of a loop, a value that is not known. All
numbers are Python's integers, so that nothing wraps here; whether a register did is for the caller.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

Bound = float
"""An integer, or an infinity."""


@dataclass(frozen=True, eq=False)
class Term:
    """An integer from ``low`` to ``high``; two are one only where they are the same object."""

    name: str
    low: int
    high: Bound


@dataclass(frozen=True)
class Form:
    """A linear form; no coefficient is zero."""

    constant: int = 0
    terms: dict[Term, int] = field(default_factory=dict)

    def __add__(self, other: Form) -> Form:
        if not other.terms:
            return Form(self.constant + other.constant, self.terms)
        return self.plus(other, 1)

    def __sub__(self, other: Form) -> Form:
        return self.plus(other, -1)

    def plus(self, other: Form, factor: int) -> Form:
        """Add a multiple of another form."""
        terms = dict(self.terms)
        for term, coefficient in other.terms.items():
            total = terms.get(term, 0) + factor * coefficient
            if total:
                terms[term] = total
            else:
                terms.pop(term, None)
        return Form(self.constant + factor * other.constant, terms)

    def times(self, factor: int) -> Form:
        """Multiply by a number."""
        if not factor:
            return Form()
        terms = {t: c * factor for t, c in self.terms.items()}
        return Form(self.constant * factor, terms)

    def moved(self, offset: int) -> Form:
        """Add a number."""
        return Form(self.constant + offset, self.terms) if offset else self

    def wrapped(self, bits: int) -> Form:
        """Give the form with the smallest numbers that agrees with this one modulo ``2**bits``."""
        terms = {t: _signed(c, bits) for t, c in self.terms.items()}
        kept = {t: c for t, c in terms.items() if c}
        return Form(_signed(self.constant, bits), kept)

    @cached_property
    def key(self) -> tuple[int, frozenset[tuple[Term, int]]]:
        """What tells it from other forms."""
        return self.constant, frozenset(self.terms.items())

    @cached_property
    def high(self) -> Bound:
        """The most that it can be, whatever its terms are."""
        return self.constant + sum(c * (t.high if c > 0 else t.low) for t, c in self.terms.items())

    @cached_property
    def low(self) -> Bound:
        """The least that it can be."""
        return self.constant + sum(c * (t.low if c > 0 else t.high) for t, c in self.terms.items())


def _signed(number: int, bits: int) -> int:
    half = 1 << bits - 1
    return (number + half & (half << 1) - 1) - half


Constraints = Sequence[Form]
"""Forms that are none of them above zero where they are said to hold."""

_DEEPEST = 2  # constraints that are joined to bound one form


def most(form: Form, constraints: Constraints, depth: int = _DEEPEST) -> Bound:
    """Bound a form from above, given what holds.

    Where ``c <= 0``, a form is at most ``form - q·c`` for any q above zero; q is chosen so that a
    term goes away.
    """
    best = form.high
    if depth == 0:
        return best
    for constraint in constraints:
        for factor in _factors(form, constraint):
            rest = form.plus(constraint, -factor)
            best = min(best, most(rest, constraints, depth - 1))
    return best


def _factors(form: Form, constraint: Form) -> set[int]:
    found = set()
    for term, coefficient in constraint.terms.items():
        quotient, rest = divmod(form.terms.get(term, 0), coefficient)
        if quotient > 0 and not rest:
            found.add(quotient)
    return found


def least(form: Form, constraints: Constraints) -> Bound:
    """Bound a form from below, given what holds."""
    return -most(form.times(-1), constraints)


def exact(form: Form, bits: int, *, signed: bool, constraints: Constraints) -> Form | None:
    """Give the form of a word's value, from its form modulo ``2**bits``; None where it may wrap."""
    low, high = least(form, constraints), most(form, constraints)
    if math.isinf(low) or math.isinf(high):
        return None
    first = -(1 << bits - 1) if signed else 0
    turns = -((int(low) - first) >> bits)
    if int(high) + (turns << bits) >= first + (1 << bits):
        return None
    return form.moved(turns << bits)


# Disjointness.


@dataclass(frozen=True)
class Reach:
    """The bytes that an access may touch: a form of the first, how many, and what holds there."""

    form: Form
    width: int
    constraints: tuple[Form, ...] = ()

    @cached_property
    def first(self) -> Bound:
        """The lowest byte of all."""
        return least(self.form, self.constraints)

    @cached_property
    def end(self) -> Bound:
        """One past the highest byte of all."""
        return most(self.form, self.constraints) + self.width

    def below(self, size: int) -> Form:
        """Give the part of the form whose coefficients are smaller than a number."""
        kept = {t: c for t, c in self.form.terms.items() if abs(c) < size}
        return Form(self.form.constant, kept)

    def at(self, size: int) -> dict[Term, int]:
        """Give the terms whose coefficients are of a size, with their signs."""
        return {t: c for t, c in self.form.terms.items() if abs(c) == size}

    def span(self, size: int) -> tuple[Bound, Bound]:
        """Bound the part of the form below a size."""
        part = self.below(size)
        return least(part, self.constraints), most(part, self.constraints)

    def fixed(self, term: Term) -> int | None:
        """Give the one value that a term has at the access, if it has one."""
        alone = Form(0, {term: 1})
        low, high = least(alone, self.constraints), most(alone, self.constraints)
        return int(low) if low == high else None


def are_apart(a: Reach, b: Reach) -> bool:
    """Tell whether two accesses can touch no byte in common."""
    return a.end <= b.first or b.end <= a.first


def is_private(a: Reach, b: Reach, ctas: Sequence[Term]) -> bool:
    """Tell whether accesses by different CTAs touch no byte in common.

    ``ctas`` are the indices of the CTA. The forms are read as numbers in a mixed radix: where a
    coefficient exceeds all that the smaller terms of both can make up, with the accesses' widths,
    bytes in common mean that the digits there are the same. From the largest coefficient down, the
    digits of all indices have to come out equal.
    """
    if are_apart(a, b):
        return True
    left = {t for t in ctas if t.high > t.low}
    left -= {t for t in left if a.fixed(t) is not None and a.fixed(t) == b.fixed(t)}
    sizes = {abs(c) for reach in (a, b) for c in reach.form.terms.values()}
    for size in sorted(sizes, reverse=True):
        if not left:
            return True
        if not _is_digit(a, b, size):
            return False
        here = a.at(size)
        if len(here) == 1 and here == b.at(size):
            left -= set(here)
    return not left


def _is_digit(a: Reach, b: Reach, size: int) -> bool:
    (low_a, high_a), (low_b, high_b) = a.span(size), b.span(size)
    return size > max(a.width - 1 + high_a - low_b, b.width - 1 + high_b - low_a)
