"""Formats that only conversions know: tf32, and those of 8, 6 and 4 bits.

Encoding counts in units of the format's last place: the number of units plus the exponent's step is
the code, and a carry out of the mantissa moves into the exponent by itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules.halves import CANONICAL_NAN
from warpmill.executor.native.values import Value, constant, float_constant


@dataclass(frozen=True, slots=True)
class NarrowFormat:
    """A format of a sign, an exponent and ``mantissa`` bits (PTX ISA 9.0, section 5.2.3).

    ``bits`` is how far apart two of them lie in a packed value. ``bias`` is the exponent's;
    ``largest`` the code of the largest finite number, ``nan`` that of NaN or None where the format
    has none, which then becomes the largest number.
    """

    bits: int
    width: int
    mantissa: int
    bias: int
    largest: int
    nan: int | None

    @property
    def largest_value(self) -> float:
        """The largest finite number."""
        exponent, fraction = divmod(self.largest, 1 << self.mantissa)
        return (1 + fraction / (1 << self.mantissa)) * 2.0 ** (exponent - self.bias)


FORMATS = {
    "e4m3": NarrowFormat(8, 8, 3, 7, 0x7E, 0x7F),
    "e5m2": NarrowFormat(8, 8, 2, 15, 0x7B, 0x7F),
    "e2m3": NarrowFormat(8, 6, 3, 1, 0x1F, None),
    "e3m2": NarrowFormat(8, 6, 2, 3, 0x1F, None),
    "e2m1": NarrowFormat(4, 4, 1, 1, 0x07, None),
}
"""The formats that have a sign, by the name of one element."""

_WORD = "i32"
_BIAS = 127
_FRACTION = 23
_EXPONENTS = 0xFF << _FRACTION


def _int(value: int) -> Value:
    return constant(value, _WORD)


def encode(e: Emitter, x: Value, format_: NarrowFormat) -> Value:
    """Round a float to nearest even and give its code as i32; what is too large the largest."""
    size = e.call("llvm.fabs", x)
    largest = constant(format_.largest_value, "float")
    bounded = e.select(e.compare("olt", size, largest), size, largest)
    field = e.op("lshr", e.bitcast(bounded, _WORD), _int(_FRACTION))
    lowest = _int(_BIAS + 1 - format_.bias)
    exponent = e.select(e.compare("ugt", field, lowest), field, lowest)
    # The unit is 2^(exponent - 127 - mantissa); its inverse is a normal number.
    inverse = e.op("sub", _int(2 * _BIAS + format_.mantissa), exponent)
    scale = e.bitcast(e.op("shl", inverse, _int(_FRACTION)), "float")
    units = e.cast("fptosi", e.call("llvm.roundeven", e.op("fmul", bounded, scale)), _WORD)
    steps = e.op("shl", e.op("sub", exponent, lowest), _int(format_.mantissa))
    code = e.op("add", steps, units)
    sign = e.op("lshr", e.bitcast(x, _WORD), _int(31))
    signed = e.op("or", code, e.op("shl", sign, _int(format_.width - 1)))
    nan = format_.largest if format_.nan is None else format_.nan
    return e.select(e.compare("uno", x, x), _int(nan), signed)


def decode(e: Emitter, code: Value, format_: NarrowFormat) -> Value:
    """Give the float of a code (i32; bits above the format's width count for nothing)."""
    magnitude = e.op("and", code, _int((1 << format_.width - 1) - 1))
    bits = e.op("shl", magnitude, _int(_FRACTION - format_.mantissa))
    scale = constant(2.0 ** (_BIAS - format_.bias), "float")
    size = e.bitcast(e.op("fmul", e.bitcast(bits, "float"), scale), _WORD)
    sign = e.op("shl", e.op("lshr", code, _int(format_.width - 1)), _int(31))
    value = e.bitcast(e.op("or", size, sign), "float")
    return value if format_.nan is None else _with_specials(e, code, value, format_)


def _with_specials(e: Emitter, code: Value, value: Value, format_: NarrowFormat) -> Value:
    """Put in the NaNs, and the infinities of e5m2: the codes above the largest number's."""
    magnitude = e.op("and", code, _int(0x7F))
    nan = float_constant(CANONICAL_NAN["f32"], "float")
    is_nan = e.compare("ugt", magnitude, _int(format_.largest))
    if format_.largest + 1 < 0x7F:
        is_nan = e.compare("ugt", magnitude, _int(format_.largest + 1))
        infinity = e.call("llvm.copysign", constant(float("inf"), "float"), value)
        value = e.select(e.compare("eq", magnitude, _int(format_.largest + 1)), infinity, value)
    return e.select(is_nan, nan, value)


def encode_power(e: Emitter, x: Value, mode: str, *, satfinite: bool) -> Value:
    """Give the ue8m0 code of a float's magnitude: the exponent of a power of two, 255 for NaN.

    ``rz`` takes the power below, ``rp`` the one above; what is less than 2^-127 becomes that.
    """
    bits = e.op("and", e.bitcast(x, _WORD), _int(0x7FFFFFFF))
    if mode == "rp":
        # 2^-127 is subnormal: the code is 0 up to there and 1 beyond. One that is past a power is
        # lifted into the next exponent.
        lifted = e.op("lshr", e.op("add", bits, _int((1 << _FRACTION) - 1)), _int(_FRACTION))
        tiny = e.compare("ule", bits, _int(1 << _FRACTION - 1))
        code = e.select(tiny, _int(0), lifted)
    else:
        code = e.op("lshr", bits, _int(_FRACTION))
    most = _int(254 if satfinite else 255)
    bounded = e.select(e.compare("ult", code, most), code, most)
    return e.select(e.compare("ugt", bits, _int(_EXPONENTS)), _int(255), bounded)


def decode_power(e: Emitter, code: Value) -> Value:
    """Give the float of a ue8m0 code (i32): 2^(code - 127)."""
    exponent = e.op("and", code, _int(0xFF))
    bits = e.op("shl", exponent, _int(_FRACTION))
    lowest = e.compare("eq", exponent, _int(0))
    value = e.bitcast(e.select(lowest, _int(1 << _FRACTION - 1), bits), "float")
    nan = float_constant(CANONICAL_NAN["f32"], "float")
    return e.select(e.compare("eq", exponent, _int(255)), nan, value)


def to_tf32(e: Emitter, x: Value, mode: str) -> Value:
    """Round a float to the 10 bits of mantissa of tf32: ``rn``, ``rna`` or ``rz``; bits as i32."""
    cut, bits = _FRACTION - 10, e.bitcast(x, _WORD)
    half = 1 << cut - 1
    if mode == "rna":
        bits = e.op("add", bits, _int(half))
    elif mode != "rz":
        last = e.op("and", e.op("lshr", bits, _int(cut)), _int(1))
        bits = e.op("add", e.op("add", bits, _int(half - 1)), last)
    short = e.op("and", bits, _int(-1 << cut))
    return e.select(e.compare("uno", x, x), _int(CANONICAL_NAN["tf32"]), short)
