"""Linear forms over what differs between threads, with sound bounds: what CTAs can reach.

A form is ``constant + Σ coefficient · term``; a term is an integer between two bounds that a thread
has of its own: an index of its thread or CTA, the count of a loop, a value that is not known. All
numbers are Python's integers, so that nothing wraps here; whether a register did is for the caller.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from warpmill.analyzer.ir.kernel import Module

Bound = float
"""An integer, or an infinity."""


@dataclass(frozen=True, eq=False)
class Term:
    """An integer from ``low`` to ``high``; two are one only where they are the same object."""

    name: str
    low: int
    high: Bound


@dataclass(frozen=True)
class LinearForm:
    """A linear form; no coefficient is zero."""

    constant: int = 0
    terms: dict[Term, int] = field(default_factory=dict)

    def __add__(self, other: LinearForm) -> LinearForm:
        if not other.terms:
            return LinearForm(self.constant + other.constant, self.terms)
        return self.plus(other, 1)

    def __sub__(self, other: LinearForm) -> LinearForm:
        return self.plus(other, -1)

    def plus(self, other: LinearForm, factor: int) -> LinearForm:
        """Add a multiple of another form."""
        terms = dict(self.terms)
        for term, coefficient in other.terms.items():
            total = terms.get(term, 0) + factor * coefficient
            if total:
                terms[term] = total
            else:
                terms.pop(term, None)
        return LinearForm(self.constant + factor * other.constant, terms)

    def times(self, factor: int) -> LinearForm:
        """Multiply by a number."""
        if not factor:
            return LinearForm()
        terms = {t: c * factor for t, c in self.terms.items()}
        return LinearForm(self.constant * factor, terms)

    def moved(self, offset: int) -> LinearForm:
        """Add a number."""
        return LinearForm(self.constant + offset, self.terms) if offset else self

    def wrapped(self, bits: int) -> LinearForm:
        """The form with the smallest numbers that agrees with this one modulo ``2**bits``."""
        terms = {t: _signed(c, bits) for t, c in self.terms.items()}
        kept = {t: c for t, c in terms.items() if c}
        return LinearForm(_signed(self.constant, bits), kept)

    @cached_property
    def key(self) -> tuple[int, frozenset[tuple[Term, int]]]:
        """Identity of the form among others."""
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


Constraints = Sequence[LinearForm]
"""Forms that are none of them above zero where they are said to hold."""


def tightened(constraints: Constraints, more: Sequence[LinearForm]) -> Constraints:
    """Add constraints; of those with the same terms the tightest stays."""
    found = {frozenset(c.terms.items()): c for c in constraints}
    for form in more:
        key = frozenset(form.terms.items())
        before = found.pop(key, form)
        found[key] = form if form.constant >= before.constant else before
    return tuple(found.values())


_DEEPEST = 2  # constraints that are joined to bound one form


def most(form: LinearForm, constraints: Constraints, depth: int = _DEEPEST) -> Bound:
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


def _factors(form: LinearForm, constraint: LinearForm) -> set[int]:
    found = set()
    for term, coefficient in constraint.terms.items():
        quotient, rest = divmod(form.terms.get(term, 0), coefficient)
        if quotient > 0 and not rest:
            found.add(quotient)
    return found


def least(form: LinearForm, constraints: Constraints) -> Bound:
    """Bound a form from below, given what holds."""
    return -most(form.times(-1), constraints)


def exact(
    form: LinearForm, bits: int, *, signed: bool, constraints: Constraints
) -> LinearForm | None:
    """The form of a word's value, from its form modulo ``2**bits``; None where it may wrap."""
    first = -(1 << bits - 1) if signed else 0
    found = _turned(form, (form.low, form.high), first, bits)
    if found is None and constraints:
        bounds = least(form, constraints), most(form, constraints)
        found = _turned(form, bounds, first, bits)
    return found


def _turned(
    form: LinearForm, bounds: tuple[Bound, Bound], first: int, bits: int
) -> LinearForm | None:
    """Move a form by a multiple of ``2**bits`` so that it is within a word's values, if it can."""
    low, high = bounds
    if math.isinf(low) or math.isinf(high):
        return None
    turns = -((int(low) - first) >> bits)
    if int(high) + (turns << bits) >= first + (1 << bits):
        return None
    return form.moved(turns << bits)


# Disjointness.


@dataclass(frozen=True)
class TouchedBytes:
    """The bytes that an access may touch: a form of the first, how many, and what holds there."""

    form: LinearForm
    width: int
    constraints: tuple[LinearForm, ...] = ()
    _digits: dict[tuple[int, ...], tuple[Bound, Bound]] = field(default_factory=dict)
    _spans: dict[int, tuple[Bound, Bound]] = field(default_factory=dict)

    @cached_property
    def first(self) -> Bound:
        """The lowest byte of all."""
        return least(self.form, self.constraints)

    @cached_property
    def end(self) -> Bound:
        """One past the highest byte of all."""
        return most(self.form, self.constraints) + self.width

    def below(self, size: int) -> LinearForm:
        """The part of the form whose coefficients are smaller than a number."""
        kept = {t: c for t, c in self.form.terms.items() if abs(c) < size}
        return LinearForm(self.form.constant, kept)

    def at(self, sizes: Sequence[int]) -> dict[Term, int]:
        """The terms whose coefficients are of some sizes, with their signs."""
        return {t: c for t, c in self.form.terms.items() if abs(c) in sizes}

    def digit(self, sizes: tuple[int, ...]) -> tuple[Bound, Bound]:
        """Bound a digit: the terms of some sizes, which the last divides, counted in that."""
        if sizes not in self._digits:
            ones = LinearForm(0, {t: c // sizes[-1] for t, c in self.at(sizes).items()})
            self._digits[sizes] = least(ones, self.constraints), most(ones, self.constraints)
        return self._digits[sizes]

    def span(self, size: int) -> tuple[Bound, Bound]:
        """Bound the part of the form below a size."""
        if size not in self._spans:
            part = self.below(size)
            self._spans[size] = least(part, self.constraints), most(part, self.constraints)
        return self._spans[size]

    def fixed(self, term: Term) -> int | None:
        """The one value that a term has at the access, if it has one."""
        alone = LinearForm(0, {term: 1})
        low, high = least(alone, self.constraints), most(alone, self.constraints)
        return int(low) if low == high else None


def are_apart(a: TouchedBytes, b: TouchedBytes) -> bool:
    """Whether two accesses can touch no byte in common."""
    return a.end <= b.first or b.end <= a.first


def is_private(a: TouchedBytes, b: TouchedBytes, ctas: Sequence[Term]) -> bool:
    """Whether accesses by different CTAs touch no byte in common.

    ``ctas`` are the indices of the CTA. The forms are read as numbers in a mixed radix: from the
    largest coefficient down, all that the smaller terms of both can make up, with the accesses'
    widths, leaves few differences (mostly one) between the digits of two accesses to one byte.
    They have to say that all indices are the same, or to be impossible.
    """
    if are_apart(a, b):
        return True
    left = {t for t in ctas if t.high > t.low}
    left -= {t for t in left if a.fixed(t) is not None and a.fixed(t) == b.fixed(t)}
    sizes = {abs(c) for reach in (a, b) for c in reach.form.terms.values()}
    return not _Meeting(a, b, tuple(sorted(sizes, reverse=True))).may_be(0, 0, frozenset(left))


_MOST_DIFFERENCES = 4  # between digits of a level, each of which is looked into
_MOST_LOOKS = 400


@dataclass(frozen=True)
class _Meeting:
    """Two accesses, and the sizes of their coefficients from the largest."""

    a: TouchedBytes
    b: TouchedBytes
    sizes: tuple[int, ...]
    looks: list[int] = field(default_factory=list)

    def may_be(
        self, level: int, shift: int, left: frozenset[Term], held: tuple[int, ...] = ()
    ) -> bool:
        """Whether different CTAs may meet, the digits before a level differing by ``shift``.

        ``left`` are the indices that are not known to be the same in both, ``held`` sizes of
        levels before that count in this one's digit.
        """
        if not left:
            return False
        self.looks.append(level)
        if len(self.looks) > _MOST_LOOKS:
            return True
        if level == len(self.sizes):
            apart = shift + self.a.form.constant - self.b.form.constant
            return -self.a.width < apart < self.b.width
        size, after = self.sizes[level], self.sizes[level + 1 : level + 2]
        sizes = (*held, size)
        low, high = self._differences(sizes, shift)
        if high - low >= _MOST_DIFFERENCES:
            is_held = bool(after) and not any(n % after[0] for n in sizes)
            return self.may_be(level + 1, shift, left, sizes) if is_held else True
        here = self.a.at(sizes)
        same = frozenset(here) if len(here) == 1 and here == self.b.at(sizes) else frozenset()
        return any(
            self.may_be(level + 1, shift + k * size, left if k else left - same)
            for k in range(int(low), int(high) + 1)
        )

    def _differences(self, sizes: tuple[int, ...], shift: int) -> tuple[Bound, Bound]:
        """Bound the difference of the digits of a level, where the accesses meet."""
        size = sizes[-1]
        (low_a, high_a), (low_b, high_b) = self.a.span(size), self.b.span(size)
        least_ = 1 - self.a.width - shift - (high_a - low_b)
        most_ = self.b.width - 1 - shift - (low_a - high_b)
        (from_a, to_a), (from_b, to_b) = self.a.digit(sizes), self.b.digit(sizes)
        low = least_ if math.isinf(least_) else -(-least_ // size)
        high = most_ if math.isinf(most_) else most_ // size
        return max(low, from_a - to_b), min(high, to_a - from_b)


# The numbers of a launch, and the terms of its linear forms: what its threads differ in.

Dim3 = tuple[int, int, int]


@dataclass(frozen=True)
class LaunchNumbers:
    """Known numbers of a launch: its sizes, the bytes of its parameters, symbols' addresses."""

    grid: Dim3
    block: Dim3
    params: bytes = b""
    symbols: Mapping[str, int] = field(default_factory=dict)


class LaunchTerms:
    """The terms of one launch by what they stand for; each is made once."""

    def __init__(self, module: Module, facts: LaunchNumbers) -> None:
        self._made: dict[object, Term] = {}
        self._remainders: dict[Term, tuple[LinearForm, int]] = {}
        self.fixed: set[Term] = set()
        """Terms that no instruction makes."""
        lanes, threads = module.warp_size, math.prod(facts.block)
        self._counts = {"laneid": min(lanes, threads), "warpid": -(-threads // lanes)}
        self._numbers = {"nwarpid": -(-threads // lanes)}
        for axis, size, count in zip("xyz", facts.block, facts.grid, strict=True):
            self._counts |= {f"tid.{axis}": size, f"ctaid.{axis}": count}
            self._numbers |= {f"ntid.{axis}": size, f"nctaid.{axis}": count}
        self.ctas = [
            self.between(f"ctaid.{a}", 0, n - 1) for a, n in zip("xyz", facts.grid, strict=True)
        ]

    def between(self, key: object, low: int, high: Bound) -> Term:
        """The term of a key; the bounds count when it is asked for first."""
        if key not in self._made:
            self._made[key] = Term(str(key), low, high)
        return self._made[key]

    def special(self, name: str) -> LinearForm:
        """A special register."""
        if name in self._numbers:
            return LinearForm(self._numbers[name])
        return self.given(name, 0, self._counts.get(name, 1 << 64) - 1)

    def given(self, key: object, low: int, high: Bound) -> LinearForm:
        """The form of a term that no instruction makes."""
        form = self.form(key, low, high)
        self.fixed |= set(form.terms)
        return form

    def remainder(self, form: LinearForm, divisor: int) -> LinearForm:
        """Remainder of a form's division, from 0 on."""
        found = self.form(("remainder", divisor, form.key), 0, divisor - 1)
        for term in found.terms:
            self._remainders[term] = form, divisor
        return found

    def is_multiple(self, form: LinearForm, divisor: int) -> bool:
        """Whether a number divides a form for sure, as 4 does ``x - x mod 4``."""
        whole = LinearForm(form.constant)
        for term, coefficient in form.terms.items():
            of, by = self._remainders.get(term, (LinearForm(0, {term: 1}), 0))
            known = of if by * coefficient % divisor == 0 else LinearForm(0, {term: 1})
            whole = whole.plus(known, coefficient)
        return not any(n % divisor for n in (whole.constant, *whole.terms.values()))

    def form(self, key: object, low: int, high: Bound) -> LinearForm:
        """The form of a term alone, or a number where its bounds are one."""
        return LinearForm(low) if low == high else LinearForm(0, {self.between(key, low, high): 1})


# What comparisons and branches say of linear forms.

NEGATED = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt", "eq": "ne", "ne": "eq"}
FLIPPED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}
WORDS = {w: w for w in NEGATED} | {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
"""PTX's comparisons of integers, those of unsigned numbers by the same names."""


@dataclass(frozen=True)
class WordComparison:
    """A comparison of two words, whose forms agree with them modulo two to their bits."""

    word: str
    signed: bool
    bits: int
    a: LinearForm
    b: LinearForm

    @property
    def negated(self) -> WordComparison:
        """The comparison that is true where this is false."""
        return replace(self, word=NEGATED[self.word])

    def forms(self, a: LinearForm, b: LinearForm) -> list[LinearForm]:
        """Forms that are at most zero where it is true, from the two words' values."""
        match self.word:
            case "lt":
                return [(a - b).moved(1)]
            case "le":
                return [a - b]
            case "gt":
                return [(b - a).moved(1)]
            case "ge":
                return [b - a]
            case "eq":
                return [a - b, b - a]
        return self._unequal(a, b)

    @staticmethod
    def _unequal(a: LinearForm, b: LinearForm) -> list[LinearForm]:
        """Forms for unequal words: a difference at the end of its range is not zero."""
        difference = a - b
        if difference.low == 0:
            return [difference.times(-1).moved(1)]
        return [difference.moved(1)] if difference.high == 0 else []


@dataclass(frozen=True)
class Condition:
    """Constraints where a predicate is true, and where it is false."""

    true: tuple[WordComparison, ...] = ()
    false: tuple[WordComparison, ...] = ()

    def when(self, value: bool) -> list[WordComparison]:
        """The comparisons that are true where the predicate has a value."""
        return list(self.true if value else self.false)

    @property
    def negated(self) -> Condition:
        """The condition of the inverse predicate."""
        return Condition(self.false, self.true)

    def joined(self, other: Condition) -> Condition:
        """The condition of both together."""
        return Condition((*self.true, *other.true), ())

    def either(self, other: Condition) -> Condition:
        """The condition of at least one of two."""
        return Condition((), (*self.false, *other.false))

    @classmethod
    def of(cls, comparison: WordComparison) -> Condition:
        """The condition of a comparison's result."""
        return cls((comparison,), (comparison.negated,))


ALWAYS = Condition()
"""Condition of a predicate that nothing is known of."""
