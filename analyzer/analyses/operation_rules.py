"""What operations on integers make of symbolic values, and how they read constants."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.ir.kernel import Imm, Instruction
from analyzer.ir.types import Type
from analyzer.symbolic import Expression, apply, number

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


def as_loaded(stored: Expression, type_: Type, bits: int) -> Expression:
    """Give what is loaded as a type, into a register of so many bits, where a value was stored.

    Bytes and half words are cut out of it. Of wider ones it is assumed, as of conversions, that
    they hold it.
    """
    if type_.bits >= min(bits, 32) or not type_.is_integer:
        return stored
    if _fits(stored, type_):
        return stored
    low, mask = type_.read(1 << type_.bits - 1), number((1 << type_.bits) - 1)
    if low >= 0:
        return apply("and", stored, mask)
    return apply("and", stored - number(low), mask) + number(low)


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
    return atom.name == "and" and any(type_.read(mask) == mask for mask in masks)


Rule = Callable[[Instruction, list[Expression]], Expression | None]


def _power_of_two(expression: Expression) -> int | None:
    shift = expression.constant
    return 1 << shift if shift is not None and 0 <= shift < 64 else None


def _shl(_: Instruction, s: list[Expression]) -> Expression:
    factor = _power_of_two(s[1])
    return apply("shl", *s) if factor is None else s[0] * number(factor)


def _shr(_: Instruction, s: list[Expression]) -> Expression:
    divisor = _power_of_two(s[1])
    return apply("shr", *s) if divisor is None else apply("floordiv", s[0], number(divisor))


def _mul(instruction: Instruction, s: list[Expression]) -> Expression | None:
    return None if "hi" in instruction.operation.modifiers else s[0] * s[1]


def _mad(instruction: Instruction, s: list[Expression]) -> Expression | None:
    return None if "hi" in instruction.operation.modifiers else s[0] * s[1] + s[2]


def _lea(_: Instruction, s: list[Expression]) -> Expression:
    return s[0] + s[1] * s[2] + s[3]


def _binary(name: str) -> Rule:
    return lambda _, s: apply(name, s[0], s[1])


RULES: dict[str, Rule] = {
    "mov": lambda _, s: s[0],
    "cvta": lambda _, s: s[0],
    "cvt": lambda i, s: s[0] if not any(t.is_float for t in i.operation.types) else None,
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
    "max": _binary("max"),
    "div": _binary("div"),
    "rem": _binary("rem"),
}
"""What an operation on integers gives, by its name; None where it is no formula."""
