"""The number formats of matrix instructions: packed registers to numbers, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.values import LlvmValue, constant, float_constant


@dataclass(frozen=True)
class ElementFormat:
    """How an element lies in a register: ``bits`` of its place, ``per`` of them in a register."""

    bits: int
    per: int


FORMATS = {
    "f16": ElementFormat(16, 2), "bf16": ElementFormat(16, 2), "tf32": ElementFormat(32, 1),
    "f32": ElementFormat(32, 1), "f64": ElementFormat(64, 1), "s32": ElementFormat(32, 1),
    "e4m3": ElementFormat(8, 4), "e5m2": ElementFormat(8, 4), "e3m2": ElementFormat(8, 4),
    "e2m3": ElementFormat(8, 4), "e2m1": ElementFormat(8, 4),
    "s8": ElementFormat(8, 4), "u8": ElementFormat(8, 4),
    "s4": ElementFormat(4, 8), "u4": ElementFormat(4, 8), "b1": ElementFormat(32, 1),
}  # fmt: skip
"""The formats by PTX's names. Single bits are taken 32 at a time."""

_NARROW = {
    "e5m2": (2, 0, 0),
    "e4m3": (3, 8, 0),
    "e3m2": (2, 12, 0),
    "e2m3": (3, 14, 0),
    "e2m1": (1, 14, 2),
}
"""Of floats in bytes: bits of the fraction, how far the bias is below half's, bits below it all.

The number of 6 bits fills the low ones of its byte, that of 4 bits the middle ones.
"""

_MAGNITUDE = {"e5m2": 7, "e4m3": 7, "e3m2": 5, "e2m3": 5, "e2m1": 3}


def unpack(e: Emitter, registers: Sequence[LlvmValue], type_: str) -> list[LlvmValue]:
    """Give the elements of registers, as numbers that products are exact in.

    Double for f64, whole words for single bits, else float: it holds every element of 19 bits or
    fewer, and fma rounds only the sum. Sums of integers stay far below 2^24, so they are exact.
    """
    return [element for r in registers for element in _unpack_one(e, r, type_)]


def _unpack_one(e: Emitter, register: LlvmValue, type_: str) -> list[LlvmValue]:
    if type_ == "f64":
        return [e.bitcast(register, "double")]
    if type_ == "b1":
        return [register]
    if type_ in ("tf32", "f32"):
        kept = register if type_ == "f32" else e.op("and", register, constant(~0x1FFF, "i32"))
        return [e.bitcast(kept, "float")]
    if type_ == "bf16":
        high = e.op("and", register, constant(0xFFFF0000, "i32"))
        low = e.op("shl", register, constant(16, "i32"))
        return [e.bitcast(low, "float"), e.bitcast(high, "float")]
    if type_ == "f16":
        return [
            e.cast("fpext", e.bitcast(half, "half"), "float") for half in fields(e, register, 16)
        ]
    if type_[0] in "su":
        return _integers(e, register, type_)
    return [_narrow_float(e, byte, type_) for byte in fields(e, register, 8)]


def fields(e: Emitter, register: LlvmValue, bits: int) -> list[LlvmValue]:
    """Give the parts of 32 bits, from the lowest."""
    shifted = [
        e.op("lshr", register, constant(at, "i32")) if at else register for at in range(0, 32, bits)
    ]
    return [e.resize(value, f"i{bits}") for value in shifted]


def _integers(e: Emitter, register: LlvmValue, type_: str) -> list[LlvmValue]:
    bits, signed = FORMATS[type_].bits, type_[0] == "s"
    numbers = []
    for at in range(0, 32, bits):
        up = constant(32 - bits - at, "i32")
        top = e.op("shl", register, up) if at < 32 - bits else register
        whole = e.op("ashr" if signed else "lshr", top, constant(32 - bits, "i32"))
        numbers.append(e.cast("sitofp", whole, "float"))
    return numbers


def _narrow_float(e: Emitter, byte: LlvmValue, type_: str) -> LlvmValue:
    """Give a float of 8 bits or fewer: the bits of a half whose exponent is off, then scaled."""
    fraction, bias, below = _NARROW[type_]
    width = _MAGNITUDE[type_]
    wide = e.resize(byte, "i16")
    wide = e.op("lshr", wide, constant(below, "i16")) if below else wide
    size = e.op("and", wide, constant((1 << width) - 1, "i16"))
    sign = e.op("and", e.op("lshr", wide, constant(width, "i16")), constant(1, "i16"))
    bits = e.op(
        "or",
        e.op("shl", sign, constant(15, "i16")),
        e.op("shl", size, constant(10 - fraction, "i16")),
    )
    number = e.cast("fpext", e.bitcast(bits, "half"), "float")
    number = e.op("fmul", number, constant(2.0**bias, "float")) if bias else number
    if type_ != "e4m3":
        return number
    nan = e.compare("eq", size, constant(0x7F, "i16"))
    return e.select(nan, float_constant(0x7FFFFFFF, "float"), number)


def pack_halves(e: Emitter, numbers: Sequence[LlvmValue]) -> list[LlvmValue]:
    """Round floats to halves and put two in a register."""
    halves = [e.bitcast(e.cast("fptrunc", x, "half"), "i16") for x in numbers]
    return join(e, halves)


def join(e: Emitter, parts: Sequence[LlvmValue]) -> list[LlvmValue]:
    """Put integers of fewer bits into registers of 32, from the lowest bits."""
    bits, registers = parts[0].bits, []
    if bits >= 32:
        return list(parts)
    for start in range(0, len(parts), 32 // bits):
        whole = e.resize(parts[start], "i32")
        for at, part in enumerate(parts[start + 1 : start + 32 // bits], start=1):
            high = e.op("shl", e.resize(part, "i32"), constant(at * bits, "i32"))
            whole = e.op("or", whole, high)
        registers.append(whole)
    return registers
