"""What operations on integers make of symbolic values, and how they read constants."""

from __future__ import annotations

from collections.abc import Callable

from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, Expression, apply, number, of
from warpmill.analyzer.ir.kernel import Imm, Instruction
from warpmill.analyzer.ir.types import TYPES, Type, TypeKind

WRAPPING = frozenset({"add", "sub", "mul", "mad"})
"""Operations of whose results the lowest bits are the same for signed and unsigned numbers."""

_ORDERED = {"min": 2, "max": 2, "div": 2, "rem": 2, "shr": 1}
"""Sources, from the first, whose sign has a part in the result, of operations that do not wrap."""


def as_read(instruction: Instruction, sources: list[Expression]) -> list[Expression]:
    """Give sources with constants as the numbers that an operation takes them for.

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
    """Give what is loaded as a type, into a register of so many bits, where a value was stored.

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
    """Give a value whose lowest bits are the same, without cuts that leave these as they are."""
    total = value
    for monomial, factor in value.terms:
        cut = _inner(monomial[0], bits) if len(monomial) == 1 else None
        if cut is not None:
            total = total + (without_cuts(cut, bits) - of(monomial[0])) * number(factor)
    return _near_zero(total, bits)


def _near_zero(value: Expression, bits: int) -> Expression:
    """Give a sum with its constant as the number of so many bits that is nearest to 0."""
    fixed, unit = next((c for m, c in value.terms if not m), 0), 1 << bits
    near = (fixed + unit // 2) % unit - unit // 2
    return value if near == fixed or value.constant is not None else value + number(near - fixed)


def _inner(atom: Atom, bits: int) -> Expression | None:
    """Give what a cut to at least so many bits is of."""
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
    """Give the greater; beside an unsigned constant at the top, as the signed words that both are.

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
"""What an operation on integers gives, by its name; None where it is no formula."""
