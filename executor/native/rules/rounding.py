"""Rounding that the CPU's plain arithmetic does not give: directed, to odd, to narrower formats.

A result that was rounded to odd in a format with at least two more bits can be rounded again, in
any direction, without an error of double rounding (Boldo and Melquiond, 2008).
"""

from __future__ import annotations

from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.values import FLOAT_BITS, LlvmValue, constant

_MODES = {"rz": 0, "rn": 1, "rp": 2, "rm": 3}
"""The numbers of ``llvm.set.rounding``."""

_DYNAMIC = ', metadata !"round.dynamic", metadata !"fpexcept.ignore"'


def directed(e: Emitter, opcode: str, mode: str, *operands: LlvmValue) -> LlvmValue:
    """Do ``fadd``, ``fsub``, ``fmul``, ``fdiv``, ``fma`` or ``sqrt`` rounded by ``mode``.

    The mode is changed around the one operation, and set back to nearest, which all other code
    relies on.
    """

    def body(inner: Emitter, *values: LlvmValue) -> LlvmValue:
        _set_rounding(inner, mode)
        result = inner.call(f"llvm.experimental.constrained.{opcode}", *values, extra=_DYNAMIC)
        _set_rounding(inner, "rn")
        return result

    return e.outlined(f"{opcode}.{mode}", body, *operands, strict=True)[0]


def _set_rounding(e: Emitter, mode: str) -> None:
    symbol = "@llvm.set.rounding"
    e.module.declarations.setdefault(symbol, f"declare void {symbol}(i32)")
    e.raw(f"  call void {symbol}(i32 {_MODES[mode]})")


def bits_of(e: Emitter, value: LlvmValue) -> LlvmValue:
    """Give the bits of a float as an integer."""
    return e.bitcast(value, f"i{value.bits}")


def float_of(e: Emitter, bits: LlvmValue) -> LlvmValue:
    """Give the float of an integer's bits."""
    names = {bits: name for name, bits in FLOAT_BITS.items()}
    return e.bitcast(bits, names[bits.bits])


def toward(
    e: Emitter, rounded: LlvmValue, exact: LlvmValue, mode: str, back: LlvmValue
) -> LlvmValue:
    """Correct the bits of a result rounded to nearest into one rounded by ``rz``, ``rm`` or ``rp``.

    ``back`` is the rounded result in the format of ``exact``. All formats order like their bits,
    so that the neighbours of a number are its bits plus and minus one.
    """
    step = constant(1, rounded.type)
    inward = e.op("sub", rounded, step)
    if mode == "rz":
        too_far = e.compare("ogt", e.call("llvm.fabs", back), e.call("llvm.fabs", exact))
        return e.select(too_far, inward, rounded)
    is_negative = e.compare("slt", rounded, constant(0, rounded.type))
    outward = e.op("add", rounded, step)
    below, above = (outward, inward) if mode == "rm" else (inward, outward)
    wrong = e.compare("ogt" if mode == "rm" else "olt", back, exact)
    return e.select(wrong, e.select(is_negative, below, above), rounded)


def narrow_double(e: Emitter, value: LlvmValue, mode: str) -> LlvmValue:
    """Round a double to a float: ``rn``, ``rz``, ``rm``, ``rp``, or ``odd``."""
    near = e.cast("fptrunc", value, "float")
    if mode in ("", "rn"):
        return near
    back = e.cast("fpext", near, "double")
    if mode != "odd":
        return float_of(e, toward(e, bits_of(e, near), value, mode, back))
    bits = bits_of(e, near)
    beyond = e.compare("ogt", e.call("llvm.fabs", back), e.call("llvm.fabs", value))
    one = constant(1, "i32")
    other = e.select(beyond, e.op("sub", bits, one), e.op("add", bits, one))
    is_even = e.compare("eq", e.op("and", bits, one), constant(0, "i32"))
    inexact = e.compare("one", back, value)
    return float_of(e, e.select(e.op("and", inexact, is_even), other, bits))


def odd_sum(e: Emitter, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    """Add floats or doubles and round the sum to odd; exact products and integers may be the terms.

    The error of the rounded sum is exact (Knuth's TwoSum) and tells on which side the sum lies.
    """
    total, error = two_sum(e, a, b)
    bits = bits_of(e, total)
    zero, none, one = constant(0.0, a.type), constant(0, bits.type), constant(1, bits.type)
    is_even = e.compare("eq", e.op("and", bits, one), none)
    inexact = e.compare("one", error, zero)
    outside = e.op("xor", e.compare("olt", error, zero), e.compare("olt", total, zero))
    other = e.select(outside, e.op("sub", bits, one), e.op("add", bits, one))
    return float_of(e, e.select(e.op("and", inexact, is_even), other, bits))


def two_sum(e: Emitter, a: LlvmValue, b: LlvmValue) -> tuple[LlvmValue, LlvmValue]:
    """Give a sum rounded to nearest, and what the rounding left out; NaN where it overflows."""
    total = e.op("fadd", a, b)
    part = e.op("fsub", total, a)
    rest = e.op("fsub", total, part)
    return total, e.op("fadd", e.op("fsub", a, rest), e.op("fsub", b, part))
