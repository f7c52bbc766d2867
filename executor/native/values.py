"""Values of generated code: constants and LLVM's, one for all lanes or one a lane."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass

FLOAT_BITS = {"half": 16, "float": 32, "double": 64}
"""LLVM's floating-point types, by name, with their bits."""


@dataclass(frozen=True, slots=True)
class LlvmValue:
    """An LLVM value. ``type`` is that of one lane: ``i32``, ``float``, ``i1``, ``ptr``.

    ``text`` is a name (``%v7``) or a constant. A uniform value is a scalar of the type, another a
    vector of as many as the warp has lanes.
    """

    text: str
    type: str
    uniform: bool = False

    @property
    def bits(self) -> int:
        """Size of one lane in bits."""
        return FLOAT_BITS[self.type] if self.type in FLOAT_BITS else int(self.type[1:])

    @property
    def is_float(self) -> bool:
        """Whether it is of one of LLVM's floating-point types."""
        return self.type in FLOAT_BITS

    @property
    def is_constant(self) -> bool:
        """Whether it is written out and not computed."""
        return self.text[0] not in "%@"


def constant(value: int | float, type_: str) -> LlvmValue:
    """Give a uniform constant; an integer is taken modulo its width."""
    if type_ in FLOAT_BITS:
        return LlvmValue(_float_text(float(value), type_), type_, uniform=True)
    if type_ == "i1":
        return LlvmValue("true" if value else "false", "i1", uniform=True)
    return LlvmValue(str(int(value) % (1 << int(type_[1:]))), type_, uniform=True)


def float_constant(bits: int, type_: str) -> LlvmValue:
    """Give a uniform constant of a floating-point type by its bits, NaNs included."""
    if type_ == "double":
        return LlvmValue(f"0x{bits:016X}", type_, uniform=True)
    code = {"float": "<f", "half": "<e"}[type_]
    number = struct.unpack(code, bits.to_bytes(FLOAT_BITS[type_] // 8, "little"))[0]
    if type_ == "half":
        return LlvmValue(f"0xH{bits:04X}", type_, uniform=True)
    if math.isnan(number):
        wide = (bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29
        return LlvmValue(f"0x{wide:016X}", type_, uniform=True)
    return LlvmValue(_float_text(number, type_), type_, uniform=True)


def _float_text(number: float, type_: str) -> str:
    if type_ == "half":
        return f"0xH{int.from_bytes(struct.pack('<e', number), 'little'):04X}"
    if type_ == "float":
        number = struct.unpack("<f", struct.pack("<f", number))[0]
    return f"0x{int.from_bytes(struct.pack('<d', number), 'little'):016X}"
