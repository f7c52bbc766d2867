"""Operands of inline assembly between LLVM's values and the registers that constraints ask for.

A constraint asks for a register of some width; the value may be a vector, which is packed, or a
narrower integer or pointer (of 32 bits in shared memory), which is extended with zeros, as LLVM's
back end does it.
"""

from __future__ import annotations

from typing import NamedTuple

from warpmill.analyzer.frontends.llvm.constants import bits_as
from warpmill.analyzer.frontends.llvm.fields import is_odd
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.types import (
    WORD_BITS,
    IntType,
    PointerType,
    Scalar,
    Unsupported,
)
from warpmill.analyzer.ir import kernel as ir
from warpmill.analyzer.ir.kernel import FloatImm, Imm, Reg, Vector
from warpmill.analyzer.ir.types import TYPES

_PACKED = frozenset({16, 32, 64, 128})


class Given(NamedTuple):
    """A value or a result as LLVM has it: its parts with their scalars."""

    parts: tuple[ir.Operand, ...]
    scalars: tuple[Scalar, ...]


class Operand(NamedTuple):
    """One operand of a text: the value or result behind it, the type of register that it asks for.

    ``written`` is what stands for it in the text, where that is anything else than a register.
    """

    given: Given | None
    type: str
    written: str = ""


def form_of(low: Lowering, given: Given) -> str | None:
    """What decides how a value may stand in an instruction: its register's type, or its constant's.

    None where it has to be packed.
    """
    if len(given.parts) != 1:
        return None
    match given.parts[0]:
        case Reg() as register:
            return low.builder.type_of(register).name
        case FloatImm(_, type_):
            return f"={type_.name}"
        case Imm():
            return "=pred" if low.module.width(given.scalars[0]) == 1 else "="
    return None


def whole_constant(low: Lowering, given: Given) -> Given:
    """A vector of constants as one constant; any other value as it is."""
    if len(given.parts) < 2:
        return given
    value, at = 0, 0
    for part, scalar in zip(given.parts, given.scalars, strict=True):
        width = low.layout.scalar_bits(scalar)
        number = bits_as(part, IntType(width), width)
        if not isinstance(number, Imm):
            return given
        value |= (number.value & ((1 << width) - 1)) << at
        at += width
    return Given((Imm(value),), (IntType(at),)) if at <= WORD_BITS else given


def entered(low: Lowering, given: Given, type_: str, into: Reg | None) -> ir.Operand:
    """A value in the register ``into`` of type ``type_``; in a new one, or as it is, without it.

    Raise Unsupported where LLVM has no such register for it.
    """
    builder, bits = low.builder, TYPES[type_].bits
    if len(given.parts) > 1:
        packed = _packed(low, given, bits)
        into = into or builder.temporary(type_)
        builder.emit(f"mov.{type_}", into, packed)
        return into
    ((part,), (scalar,)) = given
    width = low.module.width(scalar)
    if width == bits:
        if into is None and not (isinstance(part, Imm) and bits == 1):
            return part
        into = into or builder.temporary(type_)
        builder.emit(f"mov.{type_}", into, part)
        return into
    if not isinstance(scalar, IntType | PointerType) or width > bits or bits == 1:
        raise Unsupported(_misfit(width, bits))
    return builder.resize(into, part, bits, width, "u")


def _packed(low: Lowering, given: Given, bits: int) -> Vector:
    widths = [low.layout.scalar_bits(scalar) for scalar in given.scalars]
    if sum(widths) != bits or bits not in _PACKED or min(widths) < 8:
        raise Unsupported(_misfit(sum(widths), bits))
    return Vector(
        tuple(bits_as(p, IntType(w), w) for p, w in zip(given.parts, widths, strict=True))
    )


def left(low: Lowering, given: Given, type_: str, source: Reg) -> None:
    """Give a result's registers what lies in the register ``source`` of type ``type_``."""
    builder, bits = low.builder, TYPES[type_].bits
    if len(given.parts) > 1:
        builder.emit(f"mov.{type_}", _packed(low, given, bits), source)
        return
    ((to,), (scalar,)) = given
    assert isinstance(to, Reg)
    width = low.module.width(scalar)
    if width == bits:
        builder.emit(f"mov.{type_}", to, source)
    elif not isinstance(scalar, IntType | PointerType) or bits == 1:
        raise Unsupported(_misfit(width, bits))
    elif width == 1:
        lowest = builder.compute(f"and.{type_}", type_, source, Imm(1))
        builder.emit(f"setp.ne.{type_}", to, lowest, Imm(0))
    else:
        builder.resize(to, source, width, bits, "u")
    if is_odd(low, scalar):
        builder.emit(f"and.b{width}", to, to, Imm((1 << low.layout.scalar_bits(scalar)) - 1))


def _misfit(width: int, bits: int) -> str:
    return f"a value of {width} bits in a register of {bits} for inline assembly"
