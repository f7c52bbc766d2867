"""The operations of symbolic formulas on the lanes of warps: numbers, as the machine computes them.

What is missing here is not followed: the result is unknown and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.analyses.values.operation_rules import NAMES, word_operation
from warpmill.analyzer.analyses.values.symbolic import Expression
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import Type, TypeKind
from warpmill.analyzer.traces.static.values import Unknown

Lanes = NDArray[Any]
"""Shape (warps, lanes), or what broadcasts to it; int64, or bool for predicates."""


def apply_to_lanes(name: str, values: list[Lanes]) -> Lanes | Unknown:
    """Apply an operation of symbolic expressions, or an opcode that they keep, to lanes."""
    plain = _PLAIN.get(name)
    if plain is not None:
        if name in _DIVISIONS and not np.all(values[1]):
            return Unknown("it divides by zero")
        result: Lanes = plain(*values)
        return result
    operation = decode(name)
    if operation.name in NAMES:
        found = word_operation(operation, values)
        missing = Unknown(f"the result of {name} is not followed")
        return missing if found is None else found.astype(np.int64)
    rule = _OPCODES.get(operation.name)
    if rule is None or operation.type is None or any(t.is_float for t in operation.types):
        return Unknown(f"the result of {name} is not followed")
    return rule(operation.modifiers, operation.type, values)


def operation_in_lanes(
    name: str,
    operands: Sequence[Expression],
    value_of: Callable[[Expression], Lanes | Unknown],
) -> Lanes | Unknown:
    """Result of an operation on formulas, whose lanes' numbers ``value_of`` returns."""
    is_sign = name == "floordiv" and operands[1].constant == _SIGN
    if is_beyond(name, operands) and not is_sign:
        return Unknown(f"{name} of numbers of 64 bits without sign is not followed")
    values = []
    for operand in operands[: 1 if is_sign else None]:
        value = value_of(operand)
        if isinstance(value, Unknown):
            return value
        values.append(value)
    if is_sign:  # shifted as a signed word it is -1 below zero, as one without a sign 1
        below = np.any(values[0] < 0)
        return Unknown("the sign of a number below zero") if below else values[0] >> 63
    with np.errstate(all="ignore"):
        return apply_to_lanes(name, values)


_SIGN = 1 << 63


def is_beyond(name: str, operands: Iterable[Expression]) -> bool:
    """Whether an operation weighs numbers that signed words of 64 bits do not hold."""
    return name in _ORDERED and any(
        not -(1 << 63) <= c < 1 << 63 for operand in operands for _, c in operand.terms
    )


_ORDERED = frozenset({"min", "max", "div", "rem", "floordiv", "ceildiv", "shr"})


def _truncated(a: Lanes, b: Lanes) -> Lanes:
    floor = np.floor_divide(a, b)
    result: Lanes = floor + ((floor * b != a) & ((a < 0) != (b < 0)))
    return result


def _bit_length(a: Lanes) -> Lanes:
    shifted = np.maximum(a, 0)[..., None] >> np.arange(63)
    length: Lanes = np.asarray(np.count_nonzero(shifted, axis=-1))
    return length


_PLAIN: dict[str, Callable[..., Lanes]] = {
    "min": np.minimum,
    "max": np.maximum,
    "div": _truncated,
    "rem": lambda a, b: a - b * _truncated(a, b),
    "floordiv": np.floor_divide,
    "ceildiv": lambda a, b: -np.floor_divide(-a, b),
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "shl": lambda a, n: np.where((n < 0) | (n > 63), 0, np.left_shift(a, np.clip(n, 0, 63))),
    "shr": lambda a, n: np.right_shift(a, np.where((n < 0) | (n > 63), 63, n)),
    "log2ceil": lambda a: _bit_length(np.maximum(a, 1) - 1),
    "bitlength": _bit_length,
}
"""The operations of ``analyzer.analyses.values.symbolic.FOLDS``, on lanes."""

_DIVISIONS = frozenset({"div", "rem", "floordiv", "ceildiv"})

Rule = Callable[[tuple[str, ...], Type, list[Lanes]], Lanes | Unknown]


def _unsigned(value: Lanes, type_: Type) -> Lanes:
    """Read a word of up to 32 bits as unsigned, of 64 as numpy's unsigned."""
    if type_.bits >= 64:
        return value.astype(np.int64).view(np.uint64)
    return value & ((1 << type_.bits) - 1)


def _compare(words: tuple[str, ...], type_: Type, s: list[Lanes]) -> Lanes | Unknown:
    word = next((w for w in words if w in COMPARISONS), None)
    if word is None or len(s) > 2:
        return Unknown(f"the comparison setp.{'.'.join(words)} is not followed")
    a, b = s
    if type_.kind is TypeKind.UNSIGNED or word in _UNSIGNED_WORDS:
        a, b = _unsigned(a, type_), _unsigned(b, type_)
    return np.asarray(COMPARISONS[word](a, b))


COMPARISONS: dict[str, Callable[[Lanes, Lanes], Lanes]] = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal,
    "gt": np.greater, "ge": np.greater_equal, "lo": np.less, "ls": np.less_equal,
    "hi": np.greater, "hs": np.greater_equal,
}  # fmt: skip
_UNSIGNED_WORDS = frozenset({"lo", "ls", "hi", "hs"})


def _invert(_: tuple[str, ...], type_: Type, s: list[Lanes]) -> Lanes:
    return s[0] == 0 if type_.bits == 1 else ~s[0]


def _high(words: tuple[str, ...], type_: Type, s: list[Lanes]) -> Lanes | Unknown:
    """The high half of a 32-bit product, for ``mad`` plus a third number."""
    if type_.bits != 32 or "hi" not in words:
        return Unknown(f"{'.'.join(words)} of {type_} is not followed")
    a, b = (_unsigned(v, type_) if type_.kind is TypeKind.UNSIGNED else v for v in s[:2])
    # an unsigned product may fill all 64 bits: shifted as a signed one it keeps the low 32 right
    high = (a * b) >> 32
    high = high & 0xFFFFFFFF if type_.kind is TypeKind.UNSIGNED else high
    return high + s[2] if len(s) > 2 else high


_OPCODES: dict[str, Rule] = {
    "selp": lambda _, __, s: np.where(s[2] != 0, s[0], s[1]),
    "setp": _compare,
    "not": _invert,
    "abs": lambda _, __, s: np.abs(s[0]),
    "mul": _high,
    "mad": _high,
}
