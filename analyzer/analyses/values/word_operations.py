"""Operations on the bits of words, lane by lane: what formulas and static walks both compute by.

Numbers come in and go out as unsigned words of the operation's width, in numpy's 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import TypeKind

Words = NDArray[np.uint64]


def word_operation(operation: Operation, values: list[NDArray[Any]]) -> Words | None:
    """Give what an operation makes of lanes of integers; None where it is not followed.

    The result is signed where the operation's type is.
    """
    rule = _RULES.get(operation.name)
    types = operation.types
    if rule is None or len(types) != 1 or types[0].lanes > 1 or types[0].bits > _WIDEST:
        return None
    type_ = types[0]
    if not type_.is_integer or not _OTHER.isdisjoint(operation.modifiers):
        return None
    full = np.uint64((1 << type_.bits) - 1)
    words = [np.asarray(v).astype(np.int64).astype(np.uint64) & full for v in values]
    with np.errstate(over="ignore"):  # words wrap around; numpy warns of single ones
        found = rule(operation, words, type_.bits) & full
    if type_.kind is not TypeKind.SIGNED or operation.name in _UNSIGNED:
        return found
    return _extended(found, np.uint64(type_.bits))


_WIDEST = 64
_OTHER = frozenset({"BoolOp", "and", "or", "xor", "sat"})
"""Forms of ``lop3`` with a predicate, and others that are not followed."""
_UNSIGNED = frozenset({"popc", "clz", "bfind"})
"""Operations that count, whatever the type."""

_ONE, _ZERO = np.uint64(1), np.uint64(0)


def _left(value: Words, places: Words | np.uint64) -> Words:
    inside: Words = np.left_shift(value, np.minimum(places, np.uint64(63)))
    return np.where(places < _WIDEST, inside, _ZERO)


def _right(value: Words, places: Words | np.uint64) -> Words:
    inside: Words = np.right_shift(value, np.minimum(places, np.uint64(63)))
    return np.where(places < _WIDEST, inside, _ZERO)


def _low(count: Words) -> Words:
    """So many bits set from the lowest on."""
    return np.where(count < _WIDEST, _left(np.ones_like(count), count) - _ONE, ~_ZERO)


def _extended(value: Words, bits: Words | np.uint64) -> Words:
    """A word of so many bits with its sign in all bits above."""
    spare = np.uint64(_WIDEST) - np.minimum(bits, np.uint64(_WIDEST))
    moved = _left(value, spare).astype(np.int64)
    shift = np.minimum(spare, np.uint64(63)).astype(np.int64)
    signed: Words = np.right_shift(moved, shift).astype(np.uint64)
    return np.where(bits > 0, signed, _ZERO)


def _byte(value: Words) -> Words:
    return value & np.uint64(255)


def _extract(operation: Operation, s: list[Words], bits: int) -> Words:
    start, length = _byte(s[1]), np.minimum(_byte(s[2]), np.uint64(bits))
    if operation.types[0].kind is not TypeKind.SIGNED:
        return _right(s[0], start) & _low(length)
    whole = _extended(s[0], np.uint64(bits)).astype(np.int64)
    moved = np.right_shift(whole, np.minimum(start, np.uint64(63)).astype(np.int64))
    return _extended(moved.astype(np.uint64) & _low(length), length)


def _insert(_: Operation, s: list[Words], __: int) -> Words:
    start, length = _byte(s[2]), _byte(s[3])
    mask = _left(_low(length), start)
    return s[1] & ~mask | _left(s[0], start) & mask


def _lookup(_: Operation, s: list[Words], __: int) -> Words:
    result = s[0] & _ZERO
    for entry in range(8):
        bit = _ZERO - (_right(s[3], np.uint64(entry)) & _ONE)  # all ones where the table has it
        chosen = [v if entry & k else ~v for v, k in zip(s[:3], (4, 2, 1), strict=True)]
        result = result | chosen[0] & chosen[1] & chosen[2] & bit
    return result


def _permute(operation: Operation, s: list[Words], _: int) -> Words:
    whole = s[0] | _left(s[1], np.uint64(32))
    result = s[0] & _ZERO
    mode = next((m for m in operation.modifiers if m in _CHOSEN_BYTES), None)
    for place in range(4):
        nibble = _right(s[2], np.uint64(4 * place)) & np.uint64(15)
        if mode is not None:
            rows = np.array([row[place] for row in _CHOSEN_BYTES[mode]], dtype=np.uint64)
            nibble = rows[(s[2] & np.uint64(3)).astype(np.int64)]
        byte = _byte(_right(whole, (nibble & np.uint64(7)) * np.uint64(8)))
        sign = np.where(byte >> np.uint64(7) != 0, np.uint64(255), _ZERO)
        byte = np.where(nibble >= 8, sign, byte)
        result = result | _left(byte, np.uint64(8 * place))
    return result


_CHOSEN_BYTES = {
    "f4e": ((0, 1, 2, 3), (1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6)),
    "b4e": ((0, 7, 6, 5), (1, 0, 7, 6), (2, 1, 0, 7), (3, 2, 1, 0)),
    "rc8": ((0, 0, 0, 0), (1, 1, 1, 1), (2, 2, 2, 2), (3, 3, 3, 3)),
    "ecl": ((0, 1, 2, 3), (1, 1, 2, 3), (2, 2, 2, 3), (3, 3, 3, 3)),
    "ecr": ((0, 0, 0, 0), (0, 1, 1, 1), (0, 1, 2, 2), (0, 1, 2, 3)),
    "rc16": ((0, 1, 0, 1), (2, 3, 2, 3), (0, 1, 0, 1), (2, 3, 2, 3)),
}
"""Bytes that the modes of ``prmt`` choose, by the selector's two low bits, the lowest first."""


def _funnel(operation: Operation, s: list[Words], _: int) -> Words:
    whole, words = s[0] | _left(s[1], np.uint64(32)), operation.modifiers
    amount = s[2] & np.uint64(31) if "wrap" in words else np.minimum(s[2], np.uint64(32))
    if "l" in words:
        return _right(_left(whole, amount), np.uint64(32))
    return _right(whole, amount)


def _length(value: Words) -> Words:
    """The number of the highest bit that is set, from 1; 0 where none is."""
    shifted = value[..., None] >> np.arange(64, dtype=np.uint64)
    return np.asarray(np.count_nonzero(shifted, axis=-1), dtype=np.uint64)


def _count(_: Operation, s: list[Words], __: int) -> Words:
    single = s[0][..., None] >> np.arange(64, dtype=np.uint64) & _ONE
    return np.asarray(single.sum(axis=-1), dtype=np.uint64)


def _leading_zeros(_: Operation, s: list[Words], bits: int) -> Words:
    return np.uint64(bits) - _length(s[0])


def _find(operation: Operation, s: list[Words], bits: int) -> Words:
    value, full = s[0], np.uint64((1 << bits) - 1)
    if operation.types[0].kind is TypeKind.SIGNED:
        value = np.where(value >> np.uint64(bits - 1) != 0, ~value & full, value)
    place = _length(value) - _ONE  # all ones where there is none
    if "shiftamt" in operation.modifiers:
        place = np.where(value == 0, place, np.uint64(bits - 1) - place)
    return place & np.uint64((1 << 32) - 1)


def _reverse(_: Operation, s: list[Words], bits: int) -> Words:
    result = s[0] & _ZERO
    for place in range(bits):
        bit = _right(s[0], np.uint64(place)) & _ONE
        result = result | _left(bit, np.uint64(bits - 1 - place))
    return result


def _mask(operation: Operation, s: list[Words], _: int) -> Words:
    start, length = s[:2]
    if "wrap" in operation.modifiers:
        start, length = (v & np.uint64(31) for v in s[:2])
    return _left(_low(length), start)


def _extend(operation: Operation, s: list[Words], bits: int) -> Words:
    length = s[1] & np.uint64(31) if "wrap" in operation.modifiers else s[1]
    length = np.minimum(length, np.uint64(bits))
    if operation.types[0].kind is not TypeKind.SIGNED:
        return s[0] & _low(length)
    return _extended(s[0] & _low(length), length)


def _is_zero(_: Operation, s: list[Words], __: int) -> Words:
    return np.asarray(s[0] == 0).astype(np.uint64)


Rule = Callable[[Operation, list[Words], int], Words]

_RULES: dict[str, Rule] = {
    "bfe": _extract,
    "bfi": _insert,
    "lop3": _lookup,
    "prmt": _permute,
    "shf": _funnel,
    "popc": _count,
    "clz": _leading_zeros,
    "bfind": _find,
    "brev": _reverse,
    "bmsk": _mask,
    "szext": _extend,
    "cnot": _is_zero,
}
"""What an operation makes of unsigned words, by its name."""

NAMES = frozenset(_RULES)
"""The operations that are followed."""
