"""Constants of PTX as values."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import overload

from warpmill.analyzer.ir.kernel import FloatImm
from warpmill.analyzer.ir.types import TYPES, Type

_F32 = TYPES["f32"]
_F64 = TYPES["f64"]
_LONGEST = 80  # characters; 64 binary digits with their prefix are 67


class FaultError(Exception):
    """A constant that cannot be: division by zero, too many bits."""


@dataclass(frozen=True, slots=True)
class DecimalLiteral:
    """A floating-point constant in decimal, whose width the instruction gives."""

    text: str

    @property
    def value(self) -> float:
        """The number, rounded to f64; infinite where it is too large."""
        return float(self.text)

    def as_type(self, type_: Type | None) -> FloatImm:
        """Give it as f32 where the instruction computes on f32, as f64 otherwise."""
        if type_ is _F32:
            return FloatImm(f32_bits(self.value), _F32)
        return FloatImm(f64_bits(self.value), _F64)


class Unsigned(int):
    """A number that expressions compute with as unsigned, and all that it meets with it."""


def integer(text: str) -> int:
    """Read an integer in base 2, 8, 10 or 16 with an optional U at its end."""
    digits = text.rstrip("U")
    if len(digits) > _LONGEST:
        raise FaultError("the constant has more than 64 bits")
    if digits[:2] in ("0x", "0X"):
        value = int(digits, 16)
    elif digits[:2] in ("0b", "0B"):
        value = int(digits, 2)
    else:
        value = int(digits, 8 if digits[0] == "0" else 10)
    if value >> 64:
        raise FaultError("the constant has more than 64 bits")
    return Unsigned(value) if digits != text or value >> 63 else value


def float_bits(text: str) -> FloatImm:
    """Read ``0fXXXXXXXX`` or ``0dXXXXXXXXXXXXXXXX``."""
    return FloatImm(int(text[2:], 16), _F32 if text[1] in "fF" else _F64)


@overload
def negated(constant: FloatImm) -> FloatImm: ...
@overload
def negated(constant: DecimalLiteral) -> DecimalLiteral: ...
def negated(constant: FloatImm | DecimalLiteral) -> FloatImm | DecimalLiteral:
    """Flip the sign."""
    if isinstance(constant, DecimalLiteral):
        return DecimalLiteral("-" + constant.text)
    return FloatImm(constant.bits ^ (1 << (constant.type.bits - 1)), constant.type)


def float_value(constant: FloatImm) -> float:
    """The number that the bits of an f32 or f64 stand for."""
    if constant.type is _F32:
        value = struct.unpack("<f", struct.pack("<I", constant.bits))[0]
    else:
        value = struct.unpack("<d", struct.pack("<Q", constant.bits))[0]
    return float(value)


def f32_bits(value: float) -> int:
    """Round to f32 and give the bits; what is too large becomes infinite."""
    try:
        packed = struct.pack("<f", value)
    except OverflowError:
        packed = struct.pack("<f", math.copysign(math.inf, value))
    return int.from_bytes(packed, "little")


def f64_bits(value: float) -> int:
    """Give the bits of an f64."""
    return int.from_bytes(struct.pack("<d", value), "little")


def wrapped(value: int) -> int:
    """Bring the result of an expression back into 64 bits, as PTX computes it."""
    if isinstance(value, Unsigned) or not -(1 << 63) <= value < 1 << 63:
        low = int(value) & ((1 << 64) - 1)
        return Unsigned(low) if isinstance(value, Unsigned) else low - ((low >> 63) << 64)
    return value
