"""What integer and predicate instructions do to the values of a static walk.

Floating point is not followed: its results are unknown, and say why. Everything here is exact in
the iteration that is walked; ``Decide`` is told of every comparison, so that the walk knows for
how many further iterations it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from analyzer.ir.kernel import Instruction
from analyzer.ir.types import Type, TypeKind
from analyzer.trace.static.constraints import Sign
from analyzer.trace.static.values import (
    Known,
    Lanes,
    Number,
    Unknown,
    Value,
    as_unsigned,
    first_unknown,
    floor_divided,
    is_zero,
    linear,
    modulo,
    pointwise,
    scaled,
    where,
    wrapped,
)


class Decide(Protocol):
    """Records that the walk relies on the sign of a difference as it is now, lane by lane."""

    def __call__(self, difference: Known, true: Sign, false: Sign) -> Lanes | bool:
        """Tell in which lanes ``true`` holds."""


Transfer = Callable[[Instruction, list[Known], Decide], Value]


def evaluate(instruction: Instruction, sources: Sequence[Value], decide: Decide) -> Value:
    """Give the result of an instruction from its sources' values."""
    operation = instruction.operation
    rule = TRANSFERS.get(operation.name)
    if rule is None or any(t.is_float for t in operation.types):
        return Unknown(f"result of {operation.opcode}")
    if operation.name in ("and", "or") and operation.type is not None and operation.type.bits == 1:
        shortcut = _shortcut(operation.name, sources)
        if shortcut is not None:
            return shortcut
    unknown = first_unknown(sources)
    if unknown is not None:
        return unknown
    known = [s for s in sources if isinstance(s, Known)]
    result = rule(instruction, known, decide)
    destination = _result_type(instruction)
    if isinstance(result, Unknown) or destination is None:
        return result
    return wrapped(result, destination)


def _shortcut(name: str, sources: Sequence[Value]) -> Known | None:
    """False and anything is false, true or anything is true, in all lanes at once."""
    decisive = name == "or"
    for value in sources:
        if isinstance(value, Known) and np.all(np.asarray(value.base, dtype=bool) == decisive):
            return Known(decisive)
    return None


def _result_type(instruction: Instruction) -> Type | None:
    """The type whose range the result wraps into; None for predicates and addresses."""
    operation = instruction.operation
    type_ = operation.types[0] if operation.types else None
    if (
        type_ is None
        or type_.kind is TypeKind.PREDICATE
        or operation.name in ("setp", "lea", "cvta")
    ):
        return None
    return None if "wide" in operation.modifiers else type_


def compare(word: str, a: Known, b: Known, decide: Decide) -> Lanes | bool:
    """Compare two values of one signedness; ``word`` is PTX's: eq ne lt le gt ge."""
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
            return decide(linear(difference, Known(1), -1), Sign.NEGATIVE, Sign.NOT_NEGATIVE)
    assert word == "gt"
    return _not(decide(linear(difference, Known(1), -1), Sign.NEGATIVE, Sign.NOT_NEGATIVE))


def _not(lanes: Lanes | bool) -> Lanes | bool:
    return not lanes if isinstance(lanes, bool) else ~lanes


def ranged(value: Known, type_: Type, *, unsigned: bool, decide: Decide) -> Known:
    """Read a value with a sign, and have the walk watch that it stays in the type's range."""
    if type_.bits >= 64:
        return value
    read = as_unsigned(value, type_.bits) if unsigned else wrapped(value, type_)
    if read.strides:
        top = 1 << (type_.bits if unsigned else type_.bits - 1)
        bottom = 0 if unsigned else -top
        decide(linear(read, Known(top), -1), Sign.NEGATIVE, Sign.NOT_NEGATIVE)
        decide(linear(read, Known(bottom), -1), Sign.NEGATIVE, Sign.NOT_NEGATIVE)
    return read


_UNSIGNED_WORDS = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}


def _set(instruction: Instruction, s: list[Known], decide: Decide) -> Value:
    """``setp`` and ``set``: compare, then combine with a third predicate where there is one."""
    operation = instruction.operation
    words = operation.modifiers
    compute = operation.types[-1] if operation.name == "set" else operation.types[0]
    word = next((w for w in words if w in _COMPARISONS), None)
    if word is None:
        return Unknown(f"comparison {operation.opcode}")
    unsigned = compute.kind is TypeKind.UNSIGNED or word in _UNSIGNED_WORDS
    if compute.kind is TypeKind.PREDICATE:
        a, b = s[0], s[1]
    else:
        a, b = (ranged(v, compute, unsigned=unsigned, decide=decide) for v in s[:2])
    result = compare(_UNSIGNED_WORDS.get(word, word), a, b, decide)
    if len(s) > 2:
        combine = next((w for w in ("and", "or", "xor") if w in words), "and")
        result = _LOGIC[combine](np.asarray(result), np.asarray(s[2].base, dtype=bool))
    if operation.name == "setp":
        return Known(result)
    return where(result, Known(-1), Known(0))


_COMPARISONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"})
_LOGIC: dict[str, Callable[[Lanes, Lanes], Lanes]] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}


def _logic(name: str) -> Transfer:
    function = _LOGIC[name]

    def apply(instruction: Instruction, s: list[Known], _: Decide) -> Value:
        type_ = instruction.operation.type
        if type_ is not None and type_.bits == 1:
            a, b = (np.asarray(v.base, dtype=bool) for v in s)
            return Known(function(a, b), (), s[0].taint | s[1].taint)
        if name == "and":
            masked = _mask(s)
            if masked is not None:
                return masked
        if name == "or" and _disjoint(s):
            return linear(s[0], s[1])
        return pointwise(function, *s)

    return apply


def _mask(s: list[Known]) -> Known | None:
    """``and`` with 0…01…1 is a remainder, with 1…10…0 it takes the remainder away."""
    for value, other in ((s[0], s[1]), (s[1], s[0])):
        mask = other.base
        if not isinstance(mask, int) or other.strides or not value.strides:
            continue
        if mask >= 0 and mask & (mask + 1) == 0:
            return modulo(value, mask + 1)
        if mask < 0 and -mask & (-mask - 1) == 0:
            return linear(value, modulo(value, -mask), -1)
    return None


def _disjoint(s: list[Known]) -> bool:
    """Whether ``or`` adds: one side is a constant below every bit that the other side moves."""
    for value, other in ((s[0], s[1]), (s[1], s[0])):
        bits = other.base
        if not value.strides or not isinstance(bits, int) or other.strides or bits < 0:
            continue
        unit = 1 << bits.bit_length()
        if all(is_zero(st % unit) for _, st in value.strides) and is_zero(value.base & bits):
            return True
    return False


def _invert(instruction: Instruction, s: list[Known], _: Decide) -> Value:
    type_ = instruction.operation.type
    if type_ is not None and type_.bits == 1:
        return Known(np.logical_not(s[0].base), (), s[0].taint)
    return linear(Known(-1), s[0], -1)


def _add(_: Instruction, s: list[Known], __: Decide) -> Value:
    return linear(s[0], s[1])


def _subtract(_: Instruction, s: list[Known], __: Decide) -> Value:
    return linear(s[0], s[1], -1)


def _negate(_: Instruction, s: list[Known], __: Decide) -> Value:
    return linear(Known(0), s[0], -1)


def _copy(instruction: Instruction, s: list[Known], _: Decide) -> Value:
    type_ = instruction.operation.type
    if type_ is not None and type_.kind is TypeKind.PREDICATE:
        return Known(np.asarray(s[0].base, dtype=bool), (), s[0].taint)
    return s[0]


def _multiply(instruction: Instruction, s: list[Known], decide: Decide) -> Value:
    operation = instruction.operation
    type_ = operation.types[0]
    if "wide" in operation.modifiers:
        unsigned = type_.kind is TypeKind.UNSIGNED
        s = [ranged(v, type_, unsigned=unsigned, decide=decide) for v in s[:2]]
    if "hi" in operation.modifiers:
        return _high_product(s, type_)
    return scaled(s[0], s[1])


def _high_product(s: list[Known], type_: Type) -> Value:
    if type_.bits > 32:
        return Unknown("high half of a 64-bit product")
    unsigned = type_.kind is TypeKind.UNSIGNED
    a, b = (as_unsigned(v, type_.bits) if unsigned else wrapped(v, type_) for v in s[:2])
    return pointwise(lambda x, y: (x * y) >> type_.bits, a, b)


def _multiply_add(instruction: Instruction, s: list[Known], decide: Decide) -> Value:
    product = _multiply(instruction, s[:2], decide)
    return product if isinstance(product, Unknown) else linear(product, s[2])


def _address(_: Instruction, s: list[Known], __: Decide) -> Value:
    return linear(linear(s[0], scaled(s[1], s[2])), s[3])


def _shift_left(instruction: Instruction, s: list[Known], _: Decide) -> Value:
    bits = instruction.operation.types[0].bits
    if isinstance(s[1].base, int) and not s[1].strides:
        return scaled(s[0], Known(1 << s[1].base)) if 0 <= s[1].base < bits else Known(0)
    return pointwise(
        lambda x, n: np.where((n < 0) | (n >= bits), 0, x << np.clip(n, 0, 63)), *s[:2]
    )


def _shift_right(instruction: Instruction, s: list[Known], decide: Decide) -> Value:
    type_ = instruction.operation.types[0]
    unsigned = type_.kind is not TypeKind.SIGNED
    value = ranged(s[0], type_, unsigned=unsigned, decide=decide)
    if isinstance(s[1].base, int) and not s[1].strides:
        return floor_divided(value, 1 << min(max(s[1].base, 0), 62))
    return pointwise(lambda x, n: x >> np.clip(n, 0, type_.bits - 1), value, s[1])


def _divide(instruction: Instruction, s: list[Known], decide: Decide) -> Value:
    a, b = _dividends(instruction, s, decide)
    if _plain_divisor(a, b, decide):
        assert isinstance(b.base, int)
        return floor_divided(a, b.base)
    return pointwise(_truncated, a, b)


def _remainder(instruction: Instruction, s: list[Known], decide: Decide) -> Value:
    a, b = _dividends(instruction, s, decide)
    if _plain_divisor(a, b, decide):
        assert isinstance(b.base, int)
        return modulo(a, b.base)
    return pointwise(lambda x, y: x - y * _truncated(x, y), a, b)


def _dividends(instruction: Instruction, s: list[Known], decide: Decide) -> tuple[Known, Known]:
    type_ = instruction.operation.types[0]
    unsigned = type_.kind is TypeKind.UNSIGNED
    a, b = (ranged(v, type_, unsigned=unsigned, decide=decide) for v in s[:2])
    return a, b


def _plain_divisor(a: Known, b: Known, decide: Decide) -> bool:
    """Whether division is by one positive number and the dividend stays positive throughout."""
    if not isinstance(b.base, int) or b.base <= 0 or b.strides or not a.strides:
        return False
    return not np.any(decide(a, Sign.NEGATIVE, Sign.NOT_NEGATIVE))


def _truncated(x: Number, y: Number) -> Number:
    """Quotient towards zero; division by zero gives all ones, as GPUs do."""
    divisor = np.where(np.equal(y, 0), 1, y)
    quotient = np.abs(x) // np.abs(divisor) * np.where((np.asarray(x) < 0) == (divisor < 0), 1, -1)
    return np.where(np.equal(y, 0), -1, quotient)


def _extreme(word: str) -> Transfer:
    def apply(instruction: Instruction, s: list[Known], decide: Decide) -> Value:
        type_ = instruction.operation.types[0]
        unsigned = type_.kind is TypeKind.UNSIGNED
        a, b = (ranged(v, type_, unsigned=unsigned, decide=decide) for v in s[:2])
        return where(compare(word, a, b, decide), a, b)

    return apply


def _absolute(_: Instruction, s: list[Known], decide: Decide) -> Value:
    return where(compare("lt", s[0], Known(0), decide), linear(Known(0), s[0], -1), s[0])


def _select(_: Instruction, s: list[Known], __: Decide) -> Value:
    chosen = s[2].base
    if isinstance(chosen, int | np.bool_) or np.asarray(chosen).ndim == 0:
        return s[0] if bool(chosen) else s[1]
    return where(np.asarray(chosen, dtype=bool), s[0], s[1])


def _convert(instruction: Instruction, s: list[Known], decide: Decide) -> Value:
    types = instruction.operation.types
    if len(types) < 2 or "sat" in instruction.operation.modifiers:
        return Unknown(f"result of {instruction.operation.opcode}")
    to, source = types[0], types[1]
    if source.kind is TypeKind.PREDICATE:
        return where(np.asarray(s[0].base, dtype=bool), Known(1), Known(0))
    if to.bits <= source.bits:
        return s[0]
    return ranged(s[0], source, unsigned=source.kind is not TypeKind.SIGNED, decide=decide)


def _extract(instruction: Instruction, s: list[Known], _: Decide) -> Value:
    """``bfe``: a field of bits, sign-extended for signed types."""
    type_ = instruction.operation.types[0]
    if type_.bits > 32 or any(not isinstance(v.base, int) for v in s[1:]):
        return Unknown(f"result of {instruction.operation.opcode}")
    start, length = (int(np.asarray(v.base)) & 255 for v in s[1:3])
    if type_.kind is TypeKind.SIGNED or start + length > type_.bits or length == 0:
        return Unknown(f"result of {instruction.operation.opcode}")
    return pointwise(lambda x: (x >> start) & ((1 << length) - 1), as_unsigned(s[0], type_.bits))


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
    "bfe": _extract,
}
"""Transfer functions by operation name; all others give an unknown."""
