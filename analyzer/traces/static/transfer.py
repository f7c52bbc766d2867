"""Transfer functions of integer and predicate instructions in a static walk.

Floating point is not followed: its results are unknown, and say why. Everything here is exact in
the iteration that is walked; ``Decide`` is told of every comparison, so that the walk knows for
how many further iterations it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from warpmill.analyzer.analyses.values.operation_rules import NAMES, word_operation
from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import TYPES, Type, TypeKind
from warpmill.analyzer.traces.static.constraints import (
    COMPARISONS,
    Decide,
    Sign,
    compare,
    compare_parts,
    quotient_and_rest,
    ranged,
)
from warpmill.analyzer.traces.static.values import (
    KnownNumbers,
    Lanes,
    Number,
    Unknown,
    Value,
    as_unsigned,
    is_zero,
    linear,
    plain,
    pointwise,
    scaled,
    unsigned_64,
    where,
    wrapped,
)

Transfer = Callable[[Instruction, list[KnownNumbers], Decide], Value]


def evaluate(instruction: Instruction, sources: Sequence[Value], decide: Decide) -> Value:
    """The result of an instruction from its sources' values."""
    operation = instruction.operation
    how = _how(operation)
    if how is None:
        return Unknown(f"result of {operation.opcode}")
    rule, destination, is_truth = how
    if is_truth:
        shortcut = _shortcut(operation.name, sources)
        if shortcut is not None:
            return shortcut
    known = []
    for source in sources:
        if isinstance(source, Unknown):
            return source
        known.append(source)
    result = rule(instruction, known, decide)
    if destination is None or isinstance(result, Unknown):
        return result
    return wrapped(result, destination)


@lru_cache(maxsize=4096)
def _how(operation: Operation) -> tuple[Transfer, Type | None, bool] | None:
    """An operation's rule, its result's type, and whether it is logic of truth values.

    None where it is not followed.
    """
    rule = TRANSFERS.get(operation.name)
    if rule is None or any(t.is_float for t in operation.types):
        return None
    if "wide" in operation.modifiers and operation.types[0].bits > 32:
        return None  # a result that no register holds
    is_truth = operation.name in ("and", "or") and (
        operation.type is not None and operation.type.bits == 1
    )
    return rule, _result_type(operation), is_truth


def _shortcut(name: str, sources: Sequence[Value]) -> KnownNumbers | None:
    """False and anything is false, true or anything is true, in all lanes at once."""
    decisive = name == "or"
    for value in sources:
        if isinstance(value, KnownNumbers) and np.all(
            np.asarray(value.base, dtype=bool) == decisive
        ):
            return KnownNumbers(decisive)
    return None


def _result_type(operation: Operation) -> Type | None:
    """The type whose range the result wraps into; None for predicates and addresses.

    A conversion to less than 32 bits leaves a number that its register holds in full.
    """
    type_ = operation.types[0] if operation.types else None
    if type_ is None or operation.name in ("setp", "cvta"):
        return None
    if operation.name == "cvt" and type_.bits < 32:
        return None
    return TYPES[f"s{2 * type_.bits}"] if "wide" in operation.modifiers else type_


_UNSIGNED_WORDS = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}


def _set(instruction: Instruction, s: list[KnownNumbers], decide: Decide) -> Value:
    """``setp`` and ``set``: compare, then combine with a third predicate where there is one."""
    operation = instruction.operation
    words = operation.modifiers
    compute = operation.types[-1] if operation.name == "set" else operation.types[0]
    word = next((w for w in words if w in COMPARISONS or w in _UNSIGNED_WORDS), None)
    if word is None:
        return Unknown(f"comparison {operation.opcode}")
    unsigned = compute.kind is TypeKind.UNSIGNED or word in _UNSIGNED_WORDS
    if compute.kind is TypeKind.PREDICATE:
        a, b = s[0], s[1]
    else:
        a, b = (ranged(v, compute, unsigned=unsigned, decide=decide) for v in s[:2])
    result = None if unsigned else compare_parts(word, a, b, compute, decide)
    if result is None:
        result = compare(_UNSIGNED_WORDS.get(word, word), a, b, decide, unsigned=unsigned)
    taint: frozenset[int] = frozenset()
    if len(s) > 2:
        combine = next((w for w in ("and", "or", "xor") if w in words), "and")
        result = _LOGIC[combine](np.asarray(result), _truth(s[2].base))
        taint = s[2].taint
    if operation.name == "setp":
        return KnownNumbers(plain(result), (), taint)
    return pointwise(lambda holds: np.where(holds, -1, 0), KnownNumbers(result, (), taint))


_LOGIC: dict[str, Callable[[Lanes, Lanes], Lanes]] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}


def _truth(number: Number) -> Lanes:
    return np.asarray(number, dtype=bool)


def _logic(name: str) -> Transfer:
    function = _LOGIC[name]

    def apply(instruction: Instruction, s: list[KnownNumbers], decide: Decide) -> Value:
        type_ = instruction.operation.type
        if type_ is not None and type_.bits == 1:
            return pointwise(lambda a, b: function(_truth(a), _truth(b)), *s)
        if name == "and":
            masked = _mask(s, decide)
            if masked is not None:
                return masked
        if name == "or" and _disjoint(s):
            return linear(s[0], s[1])
        if name == "xor":
            turned = next((a for a, b in (s[:2], s[1::-1]) if _is_all_ones(b, type_)), None)
            if turned is not None:
                return linear(KnownNumbers(-1), turned, -1)
        result = pointwise(function, *s)
        return result._replace(parts=_parts(s)) if name == "or" else result

    return apply


def _is_all_ones(value: KnownNumbers, type_: Type | None) -> bool:
    """Whether a value has every bit of its type: LLVM writes ``not`` as ``xor`` with that."""
    return value.constant is not None and wrapped(value, type_ or _S64).constant == -1


def _parts(s: list[KnownNumbers]) -> tuple[KnownNumbers, ...]:
    """Operands of an ``or``, where they carry more than its number does."""
    if all(v.taint and not v.parts for v in s if v.counters):
        return ()
    return tuple(part for v in s for part in (v.parts or (v,)))


def _mask(s: list[KnownNumbers], decide: Decide) -> KnownNumbers | None:
    """``and`` with 0…01…1 is a remainder, with 1…10…0 it takes the remainder away."""
    for value, other in ((s[0], s[1]), (s[1], s[0])):
        mask = other.constant
        if mask is None or not value.strides:
            continue
        if mask >= 0 and mask & (mask + 1) == 0:
            return quotient_and_rest(value, mask + 1, decide)[1]
        if mask < 0 and -mask & (-mask - 1) == 0:
            return linear(value, quotient_and_rest(value, -mask, decide)[1], -1)
    return None


def _disjoint(s: list[KnownNumbers]) -> bool:
    """Whether ``or`` adds: one side is a constant below every bit that the other side moves."""
    for value, other in ((s[0], s[1]), (s[1], s[0])):
        bits = other.constant
        if not value.strides or bits is None or bits < 0:
            continue
        unit = 1 << bits.bit_length()
        if all(is_zero(st % unit) for _, st in value.strides) and is_zero(value.base & bits):
            return True
    return False


def _invert(instruction: Instruction, s: list[KnownNumbers], _: Decide) -> Value:
    type_ = instruction.operation.type
    if type_ is not None and type_.bits == 1:
        return pointwise(np.logical_not, *s)
    return linear(KnownNumbers(-1), s[0], -1)


def _add(_: Instruction, s: list[KnownNumbers], __: Decide) -> Value:
    return linear(s[0], s[1])


def _subtract(_: Instruction, s: list[KnownNumbers], __: Decide) -> Value:
    return linear(s[0], s[1], -1)


def _negate(_: Instruction, s: list[KnownNumbers], __: Decide) -> Value:
    return linear(KnownNumbers(0), s[0], -1)


def _copy(instruction: Instruction, s: list[KnownNumbers], _: Decide) -> Value:
    type_ = instruction.operation.type
    if type_ is not None and type_.kind is TypeKind.PREDICATE:
        return pointwise(_truth, *s)
    return s[0]


def _multiply(instruction: Instruction, s: list[KnownNumbers], decide: Decide) -> Value:
    operation = instruction.operation
    type_ = operation.types[0]
    if "wide" in operation.modifiers:
        unsigned = type_.kind is TypeKind.UNSIGNED
        s = [ranged(v, type_, unsigned=unsigned, decide=decide) for v in s]
    if "hi" in operation.modifiers:
        return _high_product(s, type_)
    return scaled(s[0], s[1])


def _high_product(s: list[KnownNumbers], type_: Type) -> Value:
    if type_.bits > 32:
        return Unknown("high half of a 64-bit product")
    unsigned = type_.kind is TypeKind.UNSIGNED
    a, b = (as_unsigned(v, type_.bits) if unsigned else wrapped(v, type_) for v in s)
    # Unsigned products may fill all 64 bits: the sign is wrong then, the bits are not.
    return pointwise(lambda x, y: (x * y) >> type_.bits, a, b)


def _multiply_add(instruction: Instruction, s: list[KnownNumbers], decide: Decide) -> Value:
    product = _multiply(instruction, s[:2], decide)
    return product if isinstance(product, Unknown) else linear(wrapped(product, _S64), s[2])


_S64 = TYPES["s64"]


def _address(_: Instruction, s: list[KnownNumbers], __: Decide) -> Value:
    return linear(linear(s[0], wrapped(scaled(s[1], s[2]), _S64)), s[3])


def _shift_left(instruction: Instruction, s: list[KnownNumbers], _: Decide) -> Value:
    bits = instruction.operation.types[0].bits
    shift = s[1].constant
    if shift is not None:
        factor = wrapped(KnownNumbers(1 << shift), _S64) if 0 <= shift < bits else KnownNumbers(0)
        return scaled(s[0], factor)
    return pointwise(
        lambda x, n: np.where((n < 0) | (n >= bits), 0, np.left_shift(x, np.clip(n, 0, 63))),
        *s[:2],
    )


def _shift_right(instruction: Instruction, s: list[KnownNumbers], decide: Decide) -> Value:
    type_ = instruction.operation.types[0]
    unsigned = type_.kind is not TypeKind.SIGNED
    value = ranged(s[0], type_, unsigned=unsigned, decide=decide)
    shift = s[1].constant
    if type_.bits >= 64 and unsigned and np.any(np.less(value.base, 0)):
        return pointwise(_shifted_64, value, s[1])
    is_sign = not unsigned and shift is not None and shift >= type_.bits - 1
    if is_sign and value.strides and not value.taint:  # sizes are added where indices are below 0
        negative = decide(value, Sign.NEGATIVE, Sign.NOT_NEGATIVE)
        return KnownNumbers(plain(np.where(negative, -1, 0)))
    if shift is not None and 0 <= shift < 63:
        return quotient_and_rest(value, 1 << shift, decide)[0]
    return pointwise(
        lambda x, n: np.right_shift(x, np.where((n < 0) | (n > 63), 63, n)), value, s[1]
    )


def _divide(instruction: Instruction, s: list[KnownNumbers], decide: Decide) -> Value:
    return _division(instruction, s, decide, 0, _quotient)


def _remainder(instruction: Instruction, s: list[KnownNumbers], decide: Decide) -> Value:
    return _division(instruction, s, decide, 1, lambda x, y: x - y * _quotient(x, y))


def _division(
    instruction: Instruction,
    s: list[KnownNumbers],
    decide: Decide,
    part: int,
    lane_by_lane: Callable[[Lanes, Lanes], Lanes],
) -> Value:
    """Divide; linear in the counters where one positive number divides what is never negative.

    ``part`` is 0 for the quotient and 1 for the rest.
    """
    type_ = instruction.operation.types[0]
    unsigned = type_.kind is TypeKind.UNSIGNED
    a, b = (ranged(v, type_, unsigned=unsigned, decide=decide) for v in s[:2])
    divisor = b.constant
    if divisor is not None and divisor > 0 and a.strides:
        negative = decide(a, Sign.NEGATIVE, Sign.NOT_NEGATIVE)
        if not np.any(negative):
            return quotient_and_rest(a, divisor, decide)[part]
    if type_.bits >= 64 and unsigned:
        return pointwise(lambda x, y: lane_by_lane(unsigned_64(x), unsigned_64(y)), a, b)
    return pointwise(lambda x, y: lane_by_lane(np.asarray(x), np.asarray(y)), a, b)


def _quotient(x: Lanes, y: Lanes) -> Lanes:
    """Quotient towards zero; division by zero gives all ones, as GPUs do."""
    divisor = np.where(y == 0, y.dtype.type(1), y)
    with np.errstate(over="ignore"):  # the least number by -1 wraps
        floor = x // divisor
    inexact = (floor * divisor != x) & ((x < 0) != (divisor < 0))
    return np.where(y == 0, ~np.zeros_like(floor), floor + inexact)


def _shifted_64(x: Number, n: Number) -> Lanes:
    """Shift unsigned numbers of 64 bits to the right."""
    moved: Lanes = unsigned_64(x) >> np.clip(n, 0, 63).astype(np.uint64)
    return np.where((np.asarray(n) < 0) | (np.asarray(n) > 63), np.uint64(0), moved)


def _extreme(word: str) -> Transfer:
    def apply(instruction: Instruction, s: list[KnownNumbers], decide: Decide) -> Value:
        type_ = instruction.operation.types[0]
        unsigned = type_.kind is TypeKind.UNSIGNED
        a, b = (ranged(v, type_, unsigned=unsigned, decide=decide) for v in s[:2])
        return where(compare(word, a, b, decide, unsigned=unsigned), a, b)

    return apply


def _absolute(instruction: Instruction, s: list[KnownNumbers], decide: Decide) -> Value:
    value = ranged(s[0], instruction.operation.types[0], unsigned=False, decide=decide)
    return where(
        compare("lt", value, KnownNumbers(0), decide), linear(KnownNumbers(0), value, -1), value
    )


def _select(_: Instruction, s: list[KnownNumbers], __: Decide) -> Value:
    return _chosen(s[2], s[0], s[1])


def _chosen(condition: KnownNumbers, a: KnownNumbers, b: KnownNumbers) -> KnownNumbers:
    """``a`` where a predicate holds and ``b`` elsewhere, tied to what the predicate is."""
    one = where(_truth(condition.base), a, b)
    return KnownNumbers(one.base, one.strides, one.taint | condition.taint)


def _convert(instruction: Instruction, s: list[KnownNumbers], decide: Decide) -> Value:
    types = instruction.operation.types
    if len(types) < 2 or "sat" in instruction.operation.modifiers:
        return Unknown(f"result of {instruction.operation.opcode}")
    to, source = types[0], types[1]
    if source.kind is TypeKind.PREDICATE:
        return _chosen(s[0], KnownNumbers(1), KnownNumbers(0))
    value = s[0]
    if to.bits > source.bits:
        value = ranged(value, source, unsigned=source.kind is not TypeKind.SIGNED, decide=decide)
    if to.bits < 32:
        value = ranged(value, to, unsigned=to.kind is not TypeKind.SIGNED, decide=decide)
    return value


def _of_bits(instruction: Instruction, s: list[KnownNumbers], decide: Decide) -> Value:
    """Operations on the bits of words; fields that move with counters are divisions and sums."""
    operation = instruction.operation
    field = _FIELDS.get(operation.name)
    if field is not None and any(value.strides for value in s[:2]):
        moved = field(operation.types[0], s, decide)
        if moved is not None:
            return moved
    found = word_operation(operation, [np.asarray(value.base) for value in s])
    if found is None:
        return Unknown(f"result of {operation.opcode}")
    return pointwise(lambda *_: found, *s)


def _place(type_: Type, start: KnownNumbers, length: KnownNumbers) -> tuple[int, int] | None:
    """Place of a field, the same in all lanes and iterations, and within the word."""
    if start.constant is None or length.constant is None:
        return None
    place = start.constant & 255, length.constant & 255
    return place if place[1] and sum(place) <= type_.bits else None


def _extracted(type_: Type, s: list[KnownNumbers], decide: Decide) -> KnownNumbers | None:
    place = _place(type_, s[1], s[2])
    if place is None or type_.kind is TypeKind.SIGNED:
        return None
    value = ranged(s[0], type_, unsigned=True, decide=decide)
    moved = quotient_and_rest(value, 1 << place[0], decide)[0]
    return quotient_and_rest(moved, 1 << place[1], decide)[1]


def _inserted(type_: Type, s: list[KnownNumbers], decide: Decide) -> KnownNumbers | None:
    place = _place(type_, s[2], s[3])
    if place is None:
        return None
    start, end = place[0], sum(place)
    field, kept = s[0], quotient_and_rest(s[1], 1 << start, decide)[1]
    if end < type_.bits:
        field = quotient_and_rest(field, 1 << place[1], decide)[1]
        above = ranged(s[1], type_, unsigned=True, decide=decide)
        above = quotient_and_rest(above, 1 << end, decide)[0]
        kept = linear(kept, scaled(above, KnownNumbers(1 << end)))
    return linear(kept, scaled(field, wrapped(KnownNumbers(1 << start), _S64)))


_FIELDS: dict[str, Callable[[Type, list[KnownNumbers], Decide], KnownNumbers | None]] = {
    "bfe": _extracted,
    "bfi": _inserted,
}
"""Operations on fields that stay linear in counters where the fields' ends allow it."""


TRANSFERS: dict[str, Transfer] = {
    "mov": _copy,
    "cvta": _copy,
    "cvt": _convert,
    "add": _add,
    "sub": _subtract,
    "neg": _negate,
    "abs": _absolute,
    "mul": _multiply,
    "mad": _multiply_add,
    "lea": _address,
    "shl": _shift_left,
    "shr": _shift_right,
    "and": _logic("and"),
    "or": _logic("or"),
    "xor": _logic("xor"),
    "not": _invert,
    "min": _extreme("lt"),
    "max": _extreme("gt"),
    "div": _divide,
    "rem": _remainder,
    "set": _set,
    "setp": _set,
    "selp": _select,
    **dict.fromkeys(NAMES, _of_bits),
}
"""Transfer functions by operation name; all others give an unknown."""
