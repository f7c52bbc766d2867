"""Symbolic results of integer operations, and how they read constants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, Expression, apply, number, of
from warpmill.analyzer.ir.kernel import Imm, Instruction
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import TYPES, Type, TypeKind

WRAPPING = frozenset({"add", "sub", "mul", "mad"})
"""Operations of whose results the lowest bits are the same for signed and unsigned numbers."""

_ORDERED = {"min": 2, "max": 2, "div": 2, "rem": 2, "shr": 1}
"""Sources, from the first, whose sign has a part in the result, of operations that do not wrap."""


def as_read(instruction: Instruction, sources: list[Expression]) -> list[Expression]:
    """Sources with constants as the numbers that an operation takes them for.

    Where its result wraps, those are ones that do not overflow: ``0xffffffff`` added is -1.
    Elsewhere, and in products of twice the width, the type says: ``min.u32`` never sees -1.
    """
    operation, type_ = instruction.operation, instruction.operation.type
    if type_ is None or not type_.is_integer or type_.lanes > 1:
        return sources
    wide = operation.name in WRAPPING and not {"wide", "hi"}.isdisjoint(operation.modifiers)
    signed = 2 if wide else _ORDERED.get(operation.name, 0)
    if type_.bits < _WORD and (signed or operation.name == "setp"):
        return [*(as_loaded(s, type_, _WORD) for s in sources[:2]), *sources[2:]]
    if signed:
        return [*(_read(s, type_) for s in sources[:signed]), *sources[signed:]]
    if operation.name not in WRAPPING:
        return sources
    return [
        number(type_.read_near_zero(o.value)) if isinstance(o, Imm) else source
        for o, source in zip(instruction.sources, sources, strict=True)
    ]


def _read(source: Expression, type_: Type) -> Expression:
    """Read a constant, and those that are chosen from, as a type does."""
    if source.constant is not None:
        return number(type_.read(source.constant))
    monomial, coefficient = source.terms[0]
    if len(source.terms) > 1 or coefficient != 1 or len(monomial) != 1:
        return source
    (atom,) = monomial
    if not atom.name.startswith("selp.") or atom.key >= 0:
        return source
    sides = (_read(side, type_) for side in atom.operands[:2])
    return apply(atom.name, *sides, *atom.operands[2:])


_WORD = 32
"""Bits from which on formulas are taken not to overflow; of narrower registers they tell bits."""


def as_loaded(stored: Expression, type_: Type, bits: int) -> Expression:
    """Value loaded as a type, into a register of so many bits, where a value was stored.

    Bytes and half words are cut out of it, and so they are where a register that is no wider is
    read by what minds more than its bits. Of wider ones it is assumed that they hold it.
    """
    if type_.bits >= min(bits, _WORD) or not type_.is_integer:
        return stored
    if _fits(stored, type_):
        return stored
    low, mask = type_.read(1 << type_.bits - 1), number((1 << type_.bits) - 1)
    stored = without_cuts(stored, type_.bits)
    if low >= 0:
        return apply("and", stored, mask)
    return apply("and", stored - number(low), mask) + number(low)


def without_cuts(value: Expression, bits: int) -> Expression:
    """A value whose lowest bits are the same, without cuts that leave these as they are."""
    total = value
    for monomial, factor in value.terms:
        cut = _inner(monomial[0], bits) if len(monomial) == 1 else None
        if cut is not None:
            total = total + (without_cuts(cut, bits) - of(monomial[0])) * number(factor)
    return _near_zero(total, bits)


def _near_zero(value: Expression, bits: int) -> Expression:
    """A sum with its constant as the number of so many bits that is nearest to 0."""
    fixed, unit = next((c for m, c in value.terms if not m), 0), 1 << bits
    near = (fixed + unit // 2) % unit - unit // 2
    return value if near == fixed or value.constant is not None else value + number(near - fixed)


def _inner(atom: Atom, bits: int) -> Expression | None:
    """Operand of a cut to at least so many bits."""
    if atom.kind is not AtomKind.OPERATION or atom.name != "and" or atom.key >= 0:
        return None
    for value, mask in (atom.operands, atom.operands[::-1]):
        width = mask.constant
        if width is not None and width & ((1 << bits) - 1) == (1 << bits) - 1:
            return value
    return None


def cut_of(value: Expression) -> tuple[Expression, Type] | None:
    """Read a value as a cut of another one, with the type that it is read as; None: it is none."""
    constant = next((c for m, c in value.terms if not m), 0)
    rest = value - number(constant)
    if len(rest.terms) != 1 or rest.terms[0][1] != 1 or len(rest.terms[0][0]) != 1:
        return None
    (((atom,), _),) = rest.terms
    if atom.kind is not AtomKind.OPERATION or atom.name != "and" or atom.key >= 0:
        return None
    for inner, mask in (atom.operands, atom.operands[::-1]):
        type_ = None if mask.constant is None else _CUTS.get((mask.constant, -constant))
        if type_ is not None:
            return inner + number(constant), type_
    return None


_CUTS = {
    ((1 << t.bits) - 1, -t.read(1 << t.bits - 1) if t.kind is TypeKind.SIGNED else 0): t
    for t in (TYPES[name] for name in ("u8", "u16", "s8", "s16"))
}
"""Types of bytes and half words, by the mask and the number that is taken away behind it."""


def _fits(value: Expression, type_: Type) -> bool:
    """Whether a type holds a value: a number, a choice of numbers, what was cut to as many bits."""
    if value.constant is not None:
        return type_.read(value.constant) == value.constant
    monomial, coefficient = value.terms[0]
    if len(value.terms) > 1 or coefficient != 1 or len(monomial) != 1 or monomial[0].key >= 0:
        return False
    (atom,) = monomial
    if atom.name.startswith("selp."):
        return all(_fits(side, type_) for side in atom.operands[:2])
    masks = [o.constant for o in atom.operands if o.constant is not None and o.constant >= 0]
    if atom.kind is AtomKind.SPECIAL and atom.name.startswith(("tid.", "ntid.")):
        return type_.read(_MOST_THREADS) == _MOST_THREADS
    return atom.name == "and" and any(type_.read(mask) == mask for mask in masks)


_MOST_THREADS = 1024


Rule = Callable[[Instruction, list[Expression]], Expression | None]


def _power_of_two(expression: Expression) -> int | None:
    shift = expression.constant
    return 1 << shift if shift is not None and 0 <= shift < 64 else None


def _shl(_: Instruction, s: list[Expression]) -> Expression:
    factor = _power_of_two(s[1])
    return apply("shl", *s) if factor is None else s[0] * number(factor)


def _shr(i: Instruction, s: list[Expression]) -> Expression:
    divisor, type_ = _power_of_two(s[1]), i.operation.type
    if divisor is not None and type_ is not None and type_.kind is not TypeKind.SIGNED:
        left = (1 << type_.bits) // divisor
        if left > 1 and _is_sign(s[0], type_.bits):
            return apply("and", s[0], number(left - 1))
        if left == _SIGN_ALONE:  # 1 below zero: what is shifted may be a signed number
            return apply("and", apply("floordiv", s[0], number(divisor)), number(1))
    return apply("shr", *s) if divisor is None else apply("floordiv", s[0], number(divisor))


_SIGN_ALONE = 2
"""Values that are left of a word of which the sign alone is kept."""


def _is_sign(value: Expression, bits: int) -> bool:
    """Whether a value is a word's sign: 0 or -1."""
    if len(value.terms) != 1 or value.terms[0][1] != 1 or len(value.terms[0][0]) != 1:
        return False
    (((atom,), _),) = value.terms
    return atom.name == "floordiv" and atom.operands[1].constant == 1 << bits - 1


def _mul(instruction: Instruction, s: list[Expression]) -> Expression | None:
    return None if "hi" in instruction.operation.modifiers else s[0] * s[1]


def _mad(instruction: Instruction, s: list[Expression]) -> Expression | None:
    return None if "hi" in instruction.operation.modifiers else s[0] * s[1] + s[2]


def _lea(_: Instruction, s: list[Expression]) -> Expression:
    return s[0] + s[1] * s[2] + s[3]


def _cvt(instruction: Instruction, s: list[Expression]) -> Expression | None:
    """Convert integers: bytes and half words are cut out; words are taken to hold the value."""
    types = instruction.operation.types
    if any(t.is_float or t.lanes > 1 for t in types):
        return None
    value = as_loaded(s[0], types[-1], _WORD)
    return as_loaded(value, types[0], _WORD) if types[0].bits < types[-1].bits else value


def _binary(name: str) -> Rule:
    return lambda _, s: apply(name, s[0], s[1])


def _maximum(instruction: Instruction, s: list[Expression]) -> Expression:
    """The greater; beside an unsigned constant at the top, as the signed words that both are.

    ``max.u32(-n, -4)`` bounds how often a loop that is unrolled by four runs.
    """
    type_ = instruction.operation.type
    tops = [o for o in s[:2] if o.constant is not None and o.constant >= 1 << _WORD - 1]
    if type_ is None or type_ != TYPES["u32"] or len(tops) != 1 or s[0] == s[1]:
        return apply("max", s[0], s[1])
    value, beyond = s[1] if tops[0] == s[0] else s[0], number(1 << _WORD)
    word = apply("and", value, number((1 << _WORD) - 1))
    return apply("max", word - beyond, tops[0] - beyond)


RULES: dict[str, Rule] = {
    "mov": lambda _, s: s[0],
    "cvta": lambda _, s: s[0],
    "cvt": _cvt,
    "add": lambda _, s: s[0] + s[1],
    "sub": lambda _, s: s[0] - s[1],
    "neg": lambda _, s: -s[0],
    "mul": _mul,
    "mad": _mad,
    "mul24": _mul,
    "mad24": _mad,
    "lea": _lea,
    "shl": _shl,
    "shr": _shr,
    "and": _binary("and"),
    "or": _binary("or"),
    "xor": _binary("xor"),
    "min": _binary("min"),
    "max": _maximum,
    "div": _binary("div"),
    "rem": _binary("rem"),
}
"""Formula rule of each integer operation, by its name; None where it is no formula."""


# Operations on the bits of words, lane by lane: what formulas and static walks both compute by.
#
# Numbers come in and go out as unsigned words of the operation's width, in numpy's 64 bits.

Words = NDArray[np.uint64]


def word_operation(operation: Operation, values: list[NDArray[Any]]) -> Words | None:
    """Result of an operation on lanes of integers; None where it is not followed.

    The result is signed where the operation's type is.
    """
    rule = _WORD_RULES.get(operation.name)
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


WordRule = Callable[[Operation, list[Words], int], Words]

_WORD_RULES: dict[str, WordRule] = {
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
"""Rule of each operation on unsigned words, by its name."""

NAMES = frozenset(_WORD_RULES)
"""The operations that are followed."""
