"""Values of registers in a static walk: one number a lane, linear in the loop counters around.

A value is a base (a Python int where all lanes agree, else an array of lanes) plus a stride for
each symbolic loop counter. Where an operation is not linear, the result is right for the present
iteration only, and the counters that it came from are its ``taint``: a decision or an address
that is made from a tainted value ties the walk to this one iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.ir.types import TYPES, Type, TypeKind
from warpmill.analyzer.traces.model import wrapped as as_64_bits

Lanes = NDArray[Any]
"""An array of shape (warps, lanes): int64 numbers or bools."""

Number = int | Lanes
"""The same in every lane, or one a lane."""


class KnownNumbers(NamedTuple):
    """A number in every lane; ``strides`` are (counter, bytes or units an iteration).

    ``parts`` are those that it is the bitwise ``or`` of, if they are known: it is negative where
    one of them is and zero where all are, in every iteration.
    """

    base: Number
    strides: tuple[tuple[int, Number], ...] = ()
    taint: frozenset[int] = frozenset()
    parts: tuple[KnownNumbers, ...] = ()

    def stride(self, counter: int) -> Number:
        """Increment per iteration of ``counter``."""
        for own, stride in self.strides:  # a loop, as generators cost too much here
            if own == counter:
                return stride
        return 0

    @property
    def counters(self) -> frozenset[int]:
        """All counters that the value depends on."""
        return self.taint | {c for c, _ in self.strides}

    @property
    def constant(self) -> int | None:
        """The number that it is in every lane and every iteration, if it is one."""
        is_one = isinstance(self.base, int) and not self.strides and not self.taint
        return self.base if is_one else None  # type: ignore[return-value] # as was asked


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that a static walk cannot tell, and why."""

    reason: str


Value = KnownNumbers | Unknown


def is_zero(number: Number) -> bool:
    """Whether a number is zero in every lane."""
    return number == 0 if isinstance(number, int) else not number.any()


def _strides(pairs: Iterable[tuple[int, Number]]) -> tuple[tuple[int, Number], ...]:
    return tuple([pair for pair in pairs if not is_zero(pair[1])])


def linear(a: KnownNumbers, b: KnownNumbers, sign: int = 1) -> KnownNumbers:
    """``a + sign * b``."""
    base = a.base + b.base if sign == 1 else a.base + sign * b.base
    if not b.strides:
        return KnownNumbers(base, a.strides, a.taint | b.taint)
    merged: dict[int, Number] = dict(a.strides)
    for counter, stride in b.strides:
        if counter not in merged:
            merged[counter] = stride if sign == 1 else sign * stride
        elif is_zero(total := merged[counter] + sign * stride):
            del merged[counter]
        else:
            merged[counter] = total
    return KnownNumbers(base, tuple(merged.items()), a.taint | b.taint)


def moved(value: KnownNumbers, offset: int) -> KnownNumbers:
    """The address so many bytes behind another one; addresses go round at 64 bits."""
    found = linear(value, KnownNumbers(as_64_bits(offset)))
    return wrapped(found, TYPES["b64"]) if isinstance(found.base, int) else found


def scaled(a: KnownNumbers, factor: KnownNumbers) -> KnownNumbers:
    """``a * factor``; linear where one of the two does not change with a counter."""
    if a.strides and factor.strides:
        return KnownNumbers(a.base * factor.base, (), a.counters | factor.counters)
    if factor.strides:
        a, factor = factor, a
    strides = _strides((c, s * factor.base) for c, s in a.strides)
    return KnownNumbers(a.base * factor.base, strides, a.taint | factor.taint)


def pointwise(function: Callable[..., Number], *values: KnownNumbers) -> KnownNumbers:
    """Apply a function that is not linear: the result holds in this iteration only."""
    taint: frozenset[int] = frozenset().union(*(v.counters for v in values))
    return KnownNumbers(plain(function(*(v.base for v in values))), (), taint)


def plain(number: Number) -> Number:
    """A Python number for an array without a shape, and signed numbers for unsigned ones."""
    if isinstance(number, int):
        return number
    if number.ndim == 0:
        value: int = number.item()
        return value
    return number.astype(np.int64) if number.dtype == np.uint64 else number


def floor_divided(a: KnownNumbers, divisor: int) -> KnownNumbers:
    """``floor(a / divisor)``, linear where the divisor divides every stride."""
    if all(is_zero(s % divisor) for _, s in a.strides):
        return KnownNumbers(
            a.base // divisor, _strides((c, s // divisor) for c, s in a.strides), a.taint
        )
    return pointwise(lambda x: x // divisor, a)


def modulo(a: KnownNumbers, divisor: int) -> KnownNumbers:
    """``a mod divisor`` (never negative), free of counters whose strides it divides."""
    if all(is_zero(s % divisor) for _, s in a.strides):
        return KnownNumbers(a.base % divisor, (), a.taint)
    return pointwise(lambda x: x % divisor, a)


def where(condition: Lanes | bool, a: KnownNumbers, b: KnownNumbers) -> KnownNumbers:
    """``a`` in the lanes where ``condition`` holds and ``b`` in the others."""
    if isinstance(condition, bool) or condition.ndim == 0:
        return a if condition else b
    counters = dict.fromkeys(c for c, _ in (*a.strides, *b.strides))
    strides = _strides((c, _select(condition, a.stride(c), b.stride(c))) for c in counters)
    return KnownNumbers(_select(condition, a.base, b.base), strides, a.taint | b.taint)


def _select(condition: Lanes, a: Number, b: Number) -> Number:
    if isinstance(a, int) and isinstance(b, int) and a == b:
        return a
    return np.where(condition, a, b)


def substituted(value: KnownNumbers, counter: int, iteration: KnownNumbers) -> KnownNumbers:
    """The value at one iteration of ``counter``, which may depend on other counters."""
    rest = KnownNumbers(
        value.base,
        tuple((c, s) for c, s in value.strides if c != counter),
        value.taint - {counter},
    )
    return linear(rest, scaled(KnownNumbers(value.stride(counter)), iteration))


def wrapped(value: KnownNumbers, type_: Type) -> KnownNumbers:
    """Bring a result into the range of its type; arrays of 64-bit numbers wrap by themselves.

    Signed and untyped values lie in the signed range, unsigned ones too up to 32 bits: the bits
    are the same, and the operations that care about the sign ask for it.
    """
    if type_.kind is TypeKind.PREDICATE:
        return value
    bits = type_.bits
    base = _wrapped_number(value.base, bits)
    if not value.strides and base is value.base:
        return value
    strides = value.strides and _strides([(c, _wrapped_number(s, bits)) for c, s in value.strides])
    parts = value.parts if value.parts and np.array_equal(base, value.base) else ()
    return KnownNumbers(base, strides, value.taint, parts)


def _wrapped_number(number: Number, bits: int) -> Number:
    if bits >= 64 and not isinstance(number, int):
        return number
    half = 1 << (bits - 1)
    if isinstance(number, int) and -half <= number < half:
        return number
    return ((number + half) & (2 * half - 1)) - half


def as_unsigned(value: KnownNumbers, bits: int) -> KnownNumbers:
    """Read a value of up to 32 bits as unsigned; 64-bit values are taken as they are."""
    if bits >= 64:
        return value
    return KnownNumbers(value.base & ((1 << bits) - 1), value.strides, value.taint)


def unsigned_64(number: Number) -> Lanes:
    """64-bit numbers as numpy's unsigned ones, by their bits."""
    return np.asarray(number, dtype=np.int64).astype(np.uint64)
