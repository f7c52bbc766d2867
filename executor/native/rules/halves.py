"""f16 and bf16: what they are as floats, how floats are rounded to them, and pairs of them."""

from __future__ import annotations

from collections.abc import Callable

from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules.rounding import bits_of, float_of, toward
from warpmill.executor.native.values import LlvmValue, constant, float_constant

CANONICAL_NAN = {"f16": 0x7FFF, "bf16": 0x7FFF, "f32": 0x7FFFFFFF, "tf32": 0x7FFFFFFF}
"""The bits of the NaN that operations give (PTX ISA 9.0, section 9.7.3)."""


def widen(e: Emitter, value: LlvmValue, type_: str) -> LlvmValue:
    """Give an f16 (half) or bf16 (i16) as a float; it is exact."""
    if type_ == "f16":
        return e.cast("fpext", value, "float")
    bits = e.op("shl", e.resize(value, "i32"), constant(16, "i32"))
    return e.bitcast(bits, "float")


def narrow(e: Emitter, value: LlvmValue, type_: str, mode: str = "rn") -> LlvmValue:
    """Round a float to f16 (half) or bf16 (i16); NaN becomes the canonical one."""
    if type_ == "bf16":
        return _to_bf16(e, value, mode)
    near = e.cast("fptrunc", value, "half")
    if mode in ("rz", "rm", "rp"):
        back = e.cast("fpext", near, "float")
        near = float_of(e, toward(e, bits_of(e, near), value, mode, back))
    nan = float_constant(CANONICAL_NAN["f16"], "half")
    return e.select(e.compare("uno", value, value), nan, near)


def canonical(e: Emitter, value: LlvmValue) -> LlvmValue:
    """Give the canonical NaN for any NaN of a half or float; doubles keep theirs."""
    if value.type == "double":
        return value
    bits = CANONICAL_NAN["f16" if value.type == "half" else "f32"]
    is_nan = e.compare("uno", value, value)
    return e.select(is_nan, float_constant(bits, value.type), value)


def _to_bf16(e: Emitter, value: LlvmValue, mode: str) -> LlvmValue:
    """Cut 16 bits off a float; what is added before decides which way."""
    bits = e.bitcast(value, "i32")
    sixteen = constant(16, "i32")
    if mode == "rz":
        rounded = bits
    elif mode in ("rm", "rp"):
        # All that is cut off counts for a number that has the sign of the direction.
        direction = -1 if mode == "rm" else 0
        sign = e.op("ashr", bits, constant(31, "i32"))
        same = e.compare("eq", sign, constant(direction, "i32"))
        rounded = e.op("add", bits, e.select(same, constant(0xFFFF, "i32"), constant(0, "i32")))
    elif mode == "rna":
        rounded = e.op("add", bits, constant(0x8000, "i32"))
    else:
        last = e.op("and", e.op("lshr", bits, sixteen), constant(1, "i32"))
        rounded = e.op("add", e.op("add", bits, constant(0x7FFF, "i32")), last)
    short = e.resize(e.op("lshr", rounded, sixteen), "i16")
    is_nan = e.compare("uno", value, value)
    return e.select(is_nan, constant(CANONICAL_NAN["bf16"], "i16"), short)


def halves(e: Emitter, packed: LlvmValue) -> tuple[LlvmValue, LlvmValue]:
    """Give the lower and the upper half of an integer."""
    bits = packed.bits // 2
    upper = e.op("lshr", packed, constant(bits, packed.type))
    return e.resize(packed, f"i{bits}"), e.resize(upper, f"i{bits}")


def joined(e: Emitter, lower: LlvmValue, upper: LlvmValue) -> LlvmValue:
    """Put two integers or floats into one integer of twice the bits."""
    low, high = bits_of(e, lower), bits_of(e, upper)
    wide = f"i{2 * low.bits}"
    shifted = e.op("shl", e.resize(high, wide), constant(low.bits, wide))
    return e.op("or", shifted, e.resize(low, wide))


def on_halves(
    e: Emitter, type_: str, compute: Callable[..., LlvmValue], *sources: LlvmValue
) -> LlvmValue:
    """Do something on the lower and upper elements of packed sources; ``type_`` is of one."""
    pairs = [halves(e, source) for source in sources]
    lower, upper = (compute(*[_element(e, pair[half], type_) for pair in pairs]) for half in (0, 1))
    return joined(e, lower, upper)


def _element(e: Emitter, bits: LlvmValue, type_: str) -> LlvmValue:
    return bits if type_ == "bf16" else float_of(e, bits)
