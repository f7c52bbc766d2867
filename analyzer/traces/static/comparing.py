"""Comparisons in a static walk: decided for this iteration, and watched for the next ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Protocol

import numpy as np

from warpmill.analyzer.ir.types import Type
from warpmill.analyzer.traces.static.batch import AXES
from warpmill.analyzer.traces.static.constraints import Sign
from warpmill.analyzer.traces.static.values import (
    KnownNumbers,
    Lanes,
    Number,
    as_unsigned,
    floor_divided,
    is_zero,
    linear,
    modulo,
    plain,
    unsigned_64,
    wrapped,
)


class Decide(Protocol):
    """Records that the walk relies on the sign of a difference as it is now, lane by lane."""

    def __call__(self, difference: KnownNumbers, true: Sign, false: Sign) -> Lanes | bool:
        """Tell in which lanes ``true`` holds."""


def compare(
    word: str, a: KnownNumbers, b: KnownNumbers, decide: Decide, *, unsigned: bool = False
) -> Lanes | bool:
    """Compare two values of one signedness; ``word`` is PTX's: eq ne lt le gt ge.

    ``unsigned`` matters for 64 bits only: narrower values have been read as what they are.
    """
    if _is_far(a, unsigned) or _is_far(b, unsigned):
        return _compare_far(word, a, b, decide, unsigned=unsigned)
    difference = linear(a, b, -1)
    match word:
        case "eq":
            return decide(difference, Sign.ZERO, Sign.NOT_ZERO)
        case "ne":
            return _not(decide(difference, Sign.ZERO, Sign.NOT_ZERO))
        case "lt":
            return decide(difference, Sign.NEGATIVE, Sign.NOT_NEGATIVE)
        case "ge":
            return _not(decide(difference, Sign.NEGATIVE, Sign.NOT_NEGATIVE))
        case "le":
            return decide(linear(difference, KnownNumbers(1), -1), Sign.NEGATIVE, Sign.NOT_NEGATIVE)
    assert word == "gt"
    return _not(decide(linear(difference, KnownNumbers(1), -1), Sign.NEGATIVE, Sign.NOT_NEGATIVE))


def compare_parts(
    word: str, a: KnownNumbers, b: KnownNumbers, type_: Type, decide: Decide
) -> Lanes | bool | None:
    """Compare a bitwise ``or`` with 0 by its parts; None where it is no such comparison.

    Compilers test several numbers by one comparison: ``a | b > -1`` where neither is negative.
    """
    if not a.parts or (word, b.constant) not in _OF_PARTS:
        return None
    are_zero = word in {"eq", "ne"}
    true, false = (Sign.ZERO, Sign.NOT_ZERO) if are_zero else (Sign.NEGATIVE, Sign.NOT_NEGATIVE)
    parts = (ranged(p, type_, unsigned=False, decide=decide) for p in a.parts)
    each = [np.asarray(decide(p, true, false)) for p in parts]
    together = np.logical_and if are_zero else np.logical_or
    holds = _truth(reduce(together, each))
    return holds if word in {"eq", "lt", "le"} else _not(holds)


_OF_PARTS = {("eq", 0), ("ne", 0), ("lt", 0), ("ge", 0), ("le", -1), ("gt", -1)}
"""Comparisons that ask whether a number is zero, or whether it is negative."""


def _truth(holds: Lanes) -> Lanes | bool:
    """Give a Python truth for one without a shape."""
    return bool(holds) if holds.ndim == 0 else holds


_FAR = 1 << 62
"""Numbers from here on may differ by more than 64 bits hold."""


def _is_far(value: KnownNumbers, unsigned: bool) -> bool:
    base, lowest = value.base, 0 if unsigned else -_FAR
    if isinstance(base, int):
        return not lowest <= base < _FAR
    return bool(base.size) and not lowest <= base.min() <= base.max() < _FAR


def _compare_far(
    word: str, a: KnownNumbers, b: KnownNumbers, decide: Decide, *, unsigned: bool
) -> Lanes | bool:
    """Compare number with number; what comes out ties the walk to this iteration."""
    x, y = (unsigned_64(v.base) if unsigned else np.asarray(v.base) for v in (a, b))
    outcome = plain(np.where(COMPARISONS[word](x, y), -1, 0))
    return decide(
        KnownNumbers(outcome, (), a.counters | b.counters), Sign.NEGATIVE, Sign.NOT_NEGATIVE
    )


def _not(lanes: Lanes | bool) -> Lanes | bool:
    return not lanes if isinstance(lanes, bool) else ~lanes


def ranged(value: KnownNumbers, type_: Type, *, unsigned: bool, decide: Decide) -> KnownNumbers:
    """Read a value with a sign, and have the walk watch that it stays in the type's range."""
    if type_.bits >= 64:
        if value.strides:
            _watch_far(value, unsigned=unsigned, decide=decide)
        return value
    read = as_unsigned(value, type_.bits) if unsigned else wrapped(value, type_)
    if read.strides:
        top = 1 << (type_.bits if unsigned else type_.bits - 1)
        bottom = 0 if unsigned else -top
        decide(linear(read, KnownNumbers(top), -1), Sign.NEGATIVE, Sign.NOT_NEGATIVE)
        decide(linear(read, KnownNumbers(bottom), -1), Sign.NEGATIVE, Sign.NOT_NEGATIVE)
    return read


def _watch_far(value: KnownNumbers, *, unsigned: bool, decide: Decide) -> None:
    """Have the walk watch that a 64-bit number does not come near to where it wraps."""
    steps = (KnownNumbers(stride) for _, stride in value.strides)
    if _is_far(value, unsigned=False) or any(_is_far(s, unsigned=False) for s in steps):
        decide(KnownNumbers(0, (), value.counters), Sign.ZERO, Sign.NOT_ZERO)
        return
    decide(linear(value, KnownNumbers(_FAR), -1), Sign.NEGATIVE, Sign.NOT_NEGATIVE)
    decide(linear(value, KnownNumbers(-_FAR), -1), Sign.NEGATIVE, Sign.NOT_NEGATIVE)
    if unsigned:
        decide(value, Sign.NEGATIVE, Sign.NOT_NEGATIVE)


def quotient_and_rest(
    a: KnownNumbers, divisor: int, decide: Decide
) -> tuple[KnownNumbers, KnownNumbers]:
    """Give ``floor(a / divisor)`` and ``a mod divisor``, which is never negative.

    Where CTAs next to each other move ``a`` by less than the divisor, or iterations by next to
    nothing of it, the walk watches that the quotient stays what it is; then the rest moves with
    them.
    """
    moving = [(c, s) for c, s in a.strides if not is_zero(s % divisor)]
    slow = all(_is_slow(c, s, divisor) for c, s in moving)
    if not moving or not slow or a.taint:
        return floor_divided(a, divisor), modulo(a, divisor)
    rest = KnownNumbers(a.base % divisor, tuple(moving))
    decide(rest, Sign.NEGATIVE, Sign.NOT_NEGATIVE)
    decide(linear(rest, KnownNumbers(divisor), -1), Sign.NEGATIVE, Sign.NOT_NEGATIVE)
    return floor_divided(linear(a, rest, -1), divisor), rest


def _is_slow(counter: int, stride: Number, divisor: int) -> bool:
    most = divisor - 1 if counter in AXES else divisor // _MANY_ITERATIONS
    return bool(np.all(np.less_equal(np.abs(stride), most)))


_MANY_ITERATIONS = 1 << 16
"""Iterations for which a quotient has to stay the same to be watched: as signs of words do."""


COMPARISONS: dict[str, Callable[[Lanes, Lanes], Lanes]] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}
"""Comparisons of numbers lane by lane, by PTX's words."""
