"""cvt and cvt.pack (PTX ISA 9.0, section 9.7.9.21): between integers and floating-point formats.

Sources and destinations in wider registers are Step's matter: sources are read as their type, and
results are extended when they are written.
"""

from __future__ import annotations

from dataclasses import dataclass

from warpmill.analyzer.ir.kernel import Instruction, Operand, Vector
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.operation import decode as decode_opcode
from warpmill.analyzer.ir.types import TYPES, Type, TypeKind
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmValue, constant, float_constant
from warpmill.executor.native.rules.float_forms import (
    CANONICAL_NAN,
    FloatModifiers,
    bits_of,
    canonical,
    float_of,
    form_of,
    narrow,
    narrow_double,
    odd_sum,
    toward,
    two_sum,
    widen,
)
from warpmill.executor.native.rules.floats import clamp, finish, flush
from warpmill.executor.native.rules.registry import pure, refuses

_WHOLE = {
    "rni": "llvm.roundeven",
    "rzi": "llvm.trunc",
    "rmi": "llvm.floor",
    "rpi": "llvm.ceil",
}
"""Intrinsics that round to a whole number."""

_WIDE = frozenset({"f16", "bf16", "f32", "f64", "tf32"})
"""Formats that a conversion takes or gives one at a time."""

_LARGEST = {
    "f16": 0x477FE000, "bf16": 0x7F7F0000, "tf32": 0x7F7FE000, "f32": 0x7F7FFFFF,
}  # fmt: skip
"""The largest finite number of each format, as the bits of a float."""


@pure("cvt")
def convert(e: Emitter, operation: Operation, *sources: LlvmValue) -> LlvmValue:
    """Convert; of two sources the first goes into the upper half (``cvt.rn.f16x2.f32 d, a, b``)."""
    to, from_ = operation.types[0], operation.types[-1]
    if to.is_integer and from_.is_integer:
        return _between_integers(e, to, from_, sources[0], saturates="sat" in operation.modifiers)
    if _is_inline(operation, to, from_):
        return _one(e, operation, to, from_, *sources)

    def body(inner: Emitter, *values: LlvmValue) -> LlvmValue:
        if "rs" in operation.modifiers:
            return _stochastic(inner, operation, *values)
        if to.lanes == 1:
            return _one(inner, operation, to, from_, *values)
        return _packed(inner, operation, to, from_, *values)

    return e.outlined(operation.opcode, body, *sources)[0]


def _is_inline(operation: Operation, to: Type, from_: Type) -> bool:
    """Whether a conversion takes a few operations, as the plain ones of f16, f32 and f64 do."""
    words = operation.modifiers
    if not {"ftz", "sat", "relu", "satfinite", "rz", "rm", "rp"}.isdisjoint(words):
        return False
    if to.is_integer:
        return from_.name in ("f16", "f32", "f64")
    if from_.is_integer:
        return to.name in ("f32", "f64")
    return (from_.name, to.name) in _SHORT


_SHORT = {("f16", "f32"), ("bf16", "f32"), ("f32", "f16"), ("f32", "f64"), ("f64", "f32")}
"""Conversions between formats that the CPU has an instruction for, or that only move bits."""


@pure("cvt.pack")
def pack(
    e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue, *rest: LlvmValue
) -> LlvmValue:
    """Saturate two s32 and put ``a`` above ``b``, above them the low bits of a third operand."""
    to, from_ = operation.types[0], TYPES["s32"]
    parts = [_between_integers(e, to, from_, v, saturates=True) for v in (a, b)]
    mask = constant((1 << to.bits) - 1, "i32")
    high, low = (e.op("and", e.resize(part, "i32"), mask) for part in parts)
    packed = e.op("or", e.op("shl", high, constant(to.bits, "i32")), low)
    if not rest:
        return packed
    return e.op("or", e.op("shl", rest[0], constant(2 * to.bits, "i32")), packed)


@refuses("cvt")
def refuse_conversion(instruction: Instruction) -> str | None:
    """Conversions whose result the manual leaves open, or that read more than two numbers."""
    operation = instruction.operation
    if "rs" in operation.modifiers:
        is_known = operation.types[0].name in _DROPPED
        return None if is_known else "stochastic rounding of four elements is not executed"
    if any(word.startswith("scaled") for word in operation.modifiers):
        return "conversions with a scale are not executed"
    strange = [t.name for t in operation.types if not _is_known(t)]
    if strange:
        return f"conversions of {strange[0]} are not executed"
    fits = len(operation.types) == 2 and _fits(*operation.types, instruction.sources)
    return None if fits else "there is no such conversion"


@refuses("cvt.pack")
def refuse_pack(instruction: Instruction) -> str | None:
    """``cvt.pack`` is defined for results of 2 to 16 bits."""
    to = instruction.operation.type
    return None if to is not None and to.is_integer and to.bits <= 16 else "not a packed type"


def _fits(to: Type, from_: Type, sources: tuple[Operand, ...]) -> bool:
    """Whether one element becomes one, two become two, or two sources one packed result."""
    if any(isinstance(source, Vector) for source in sources):
        return False
    if to.lanes == 1 or from_.lanes == 2:
        return to.lanes == from_.lanes and len(sources) == 1
    return from_.name == "f32" and len(sources) == 2


def _is_known(type_: Type) -> bool:
    if type_.is_integer:
        return type_.lanes == 1 and type_.bits in (8, 16, 32, 64)
    element = type_.name.removesuffix("x2")
    if type_.lanes == 1:
        return element in _WIDE
    return type_.lanes == 2 and (element in FORMATS or element in ("f16", "bf16", "ue8m0"))


# Integers.


def _between_integers(
    e: Emitter, to: Type, from_: Type, value: LlvmValue, *, saturates: bool
) -> LlvmValue:
    """Extend by the source's sign or cut; with ``.sat`` clamp to what the result can hold."""
    signed = from_.kind is TypeKind.SIGNED
    if saturates:
        value = _clamped(e, to, from_, value)
    return e.resize(value, f"i{max(8, to.bits)}", signed=signed)


def _clamped(e: Emitter, to: Type, from_: Type, value: LlvmValue) -> LlvmValue:
    signed = from_.kind is TypeKind.SIGNED
    low, high = _range(to)
    least, greatest = _range(from_)
    letter = "s" if signed else "u"
    if low > least:
        value = e.call(f"llvm.{letter}max", value, constant(low, value.type))
    if high < greatest:
        value = e.call(f"llvm.{letter}min", value, constant(high, value.type))
    return value


def _range(type_: Type) -> tuple[int, int]:
    if type_.kind is TypeKind.SIGNED:
        return -(1 << type_.bits - 1), (1 << type_.bits - 1) - 1
    return 0, (1 << type_.bits) - 1


# One element.


def _one(e: Emitter, operation: Operation, to: Type, from_: Type, value: LlvmValue) -> LlvmValue:
    form, words = form_of(operation), operation.modifiers
    whole = next((word for word in words if word in _WHOLE), "")
    if from_.is_integer:
        signed = from_.kind is TypeKind.SIGNED
        return finish(e, form, from_integer(e, to.name, form.rounding, value, signed=signed))
    value = _source(e, form, from_, value)
    if to.is_integer:
        return _to_integer(e, to, from_, value, whole or "rzi")
    if whole:
        value = e.call(_WHOLE[whole], value)
    return _to_format(e, operation, to.name, value)


def _source(e: Emitter, form: FloatModifiers, from_: Type, value: LlvmValue) -> LlvmValue:
    """A source as a float or double; ``.ftz`` flushes those that are f32."""
    if from_.name in ("f16", "bf16"):
        return widen(e, value, from_.name)
    if from_.name == "tf32":
        value = e.bitcast(value, "float")
    return flush(e, value) if form.ftz and value.type == "float" else value


def _to_integer(e: Emitter, to: Type, from_: Type, value: LlvmValue, whole: str) -> LlvmValue:
    """Round and saturate. NaN gives 0, but the sign bit alone where f64 or 64 bits are involved."""
    rounded = value if whole == "rzi" else e.call(_WHOLE[whole], value)
    name = "llvm.fptosi.sat" if to.kind is TypeKind.SIGNED else "llvm.fptoui.sat"
    result = e.call(name, rounded, result=f"i{to.bits}")
    if from_.bits < 64 and to.bits < 64:
        return result
    is_nan = e.compare("uno", value, value)
    return e.select(is_nan, constant(1 << to.bits - 1, result.type), result)


def _to_format(e: Emitter, operation: Operation, to: str, value: LlvmValue) -> LlvmValue:
    """Round a float or double to f64, f32, tf32, f16 or bf16, with what the modifiers ask for."""
    form = form_of(operation)
    if to == "f64":
        wide = e.cast("fpext", value, "double")
        return clamp(e, form, wide) if form.sat else wide
    mode = form.rounding
    if value.type == "double":
        value = narrow_double(e, value, mode if to == "f32" else "odd")
    if "satfinite" in operation.modifiers:
        value = _finite(e, value, to)
    if form.sat or form.relu:
        value = clamp(e, form, value)
    if to == "f32":
        value = flush(e, value) if form.ftz else value
        return canonical(e, value)
    if to == "tf32":
        return to_tf32(e, value, mode)
    return narrow(e, value, to, mode)


def _finite(e: Emitter, value: LlvmValue, to: str) -> LlvmValue:
    """The largest finite number of a format for larger ones and infinity; NaN stays."""
    largest = float_constant(_LARGEST[to], "float")
    too_large = e.compare("ogt", e.call("llvm.fabs", value), largest)
    return e.select(too_large, e.call("llvm.copysign", largest, value), value)


# Two elements.

_DROPPED = {"f16x2": 13, "bf16x2": 16}
"""Bits of an f32's mantissa that an element does not keep."""


def _stochastic(e: Emitter, operation: Operation, *sources: LlvmValue) -> LlvmValue:
    """Add random bits to those that are dropped, then cut: ``a`` takes the upper, ``b`` the lower.

    A denormal result drops more bits than are drawn; it is cut toward zero.
    """
    a, b, drawn = sources
    to = operation.types[0]
    lowest = constant((1 << _DROPPED[to.name]) - 1, "i32")
    upper = constant(-1 << _DROPPED[to.name], "i32")
    nearest = decode_opcode(operation.opcode.replace(".rs", ".rn"))
    cutting = decode_opcode(operation.opcode.replace(".rs", ".rz"))
    infinity, normal = float_constant(0x7F800000, "float"), float_constant(0x38800000, "float")
    codes = []
    for value, random in ((b, drawn), (a, e.op("lshr", drawn, constant(16, "i32")))):
        bits, size = bits_of(e, value), e.call("llvm.fabs", value)
        cut = e.op("and", e.op("add", bits, e.op("and", random, lowest)), upper)
        kept = e.bitcast(e.select(e.compare("olt", size, infinity), cut, bits), "float")
        is_small = e.compare("olt", e.call("llvm.fabs", kept), normal)
        both = [_code(e, form, to, kept) for form in (cutting, nearest)]
        codes.append(e.select(is_small, *both))
    return e.op("or", codes[0], e.op("shl", codes[1], constant(16, "i32")))


def _packed(
    e: Emitter, operation: Operation, to: Type, from_: Type, *sources: LlvmValue
) -> LlvmValue:
    """Convert two elements: of two sources the first is the upper one."""
    if len(sources) == 2:
        values = [_source(e, form_of(operation), from_, source) for source in sources[::-1]]
    else:
        values = _elements(e, from_, sources[0])
    codes = [_code(e, operation, to, value) for value in values]
    each = to.bits // 2
    upper = e.op("shl", codes[1], constant(each, "i32"))
    return e.resize(e.op("or", upper, codes[0]), f"i{to.bits}")


def _elements(e: Emitter, from_: Type, packed: LlvmValue) -> list[LlvmValue]:
    """Both elements of a packed source as floats."""
    element, each = from_.name.removesuffix("x2"), from_.bits // 2
    bits = e.resize(packed, "i32")
    mask = constant((1 << each) - 1, "i32")
    codes = [e.op("and", bits, mask), e.op("lshr", bits, constant(each, "i32"))]
    if element in FORMATS:
        return [decode(e, _within(e, code, element), FORMATS[element]) for code in codes]
    if element == "ue8m0":
        return [decode_power(e, code) for code in codes]
    shorts = [e.resize(code, "i16") for code in codes]
    typed = [e.bitcast(s, "half") for s in shorts] if element == "f16" else shorts
    return [widen(e, value, element) for value in typed]


def _within(e: Emitter, code: LlvmValue, element: str) -> LlvmValue:
    """Drop the padding above a code of 6 bits."""
    return e.op("and", code, constant((1 << FORMATS[element].width) - 1, "i32"))


def _code(e: Emitter, operation: Operation, to: Type, value: LlvmValue) -> LlvmValue:
    """The bits of one element of a packed result, as i32."""
    form, element = form_of(operation), to.name.removesuffix("x2")
    if element in FORMATS:
        limited = clamp(e, form, value) if form.relu else value
        return encode(e, limited, FORMATS[element])
    if element == "ue8m0":
        satfinite = "satfinite" in operation.modifiers
        return encode_power(e, value, form.rounding, satfinite=satfinite)
    return e.resize(bits_of(e, _to_format(e, operation, element, value)), "i32")


# Integers as floating-point numbers, in every rounding.


def from_integer(e: Emitter, to: str, mode: str, value: LlvmValue, *, signed: bool) -> LlvmValue:
    """Convert an integer to f16, bf16, f32 or f64, rounded by ``mode``."""
    opcode = "sitofp" if signed else "uitofp"
    nearest = mode in ("", "rn")
    if to in ("f32", "f64") and (nearest or (to == "f64" and value.bits < 64)):
        return e.cast(opcode, value, "float" if to == "f32" else "double")
    if to == "f64":
        return _directed_double(e, mode, *_parts(e, value, signed=signed))
    if value.bits == 64:
        exact = odd_sum(e, *_parts(e, value, signed=signed))
    else:
        exact = e.cast(opcode, value, "double")
    if to == "f32":
        return narrow_double(e, exact, mode)
    return narrow(e, narrow_double(e, exact, "odd"), to, mode)


def _parts(e: Emitter, value: LlvmValue, *, signed: bool) -> tuple[LlvmValue, LlvmValue]:
    """The upper and lower half of 64 bits as doubles, the upper times 2^32; both exact."""
    low = e.cast("uitofp", e.resize(value, "i32"), "double")
    upper = e.resize(e.op("lshr", value, constant(32, "i64")), "i32")
    high = e.cast("sitofp" if signed else "uitofp", upper, "double")
    return e.op("fmul", high, constant(2.0**32, "double")), low


def _directed_double(e: Emitter, mode: str, high: LlvmValue, low: LlvmValue) -> LlvmValue:
    """Add two doubles, rounded by ``mode``: the error tells on which side the exact sum lies."""
    total, error = two_sum(e, high, low)
    zero, bits = constant(0.0, "double"), bits_of(e, total)
    if mode != "rz":
        return float_of(e, toward(e, bits, error, mode, zero))
    negative = e.compare("olt", total, zero)
    outward = e.select(negative, e.op("fneg", error), error)
    inward = e.op("sub", bits, constant(1, "i64"))
    return float_of(e, e.select(e.compare("olt", outward, zero), inward, bits))


# Formats that only conversions know: tf32, and those of 8, 6 and 4 bits.
#
# Encoding counts in units of the format's last place: the number of units plus the exponent's step
# is the code, and a carry out of the mantissa moves into the exponent by itself.


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


def _int(value: int) -> LlvmValue:
    return constant(value, _WORD)


def encode(e: Emitter, x: LlvmValue, format_: NarrowFormat) -> LlvmValue:
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


def decode(e: Emitter, code: LlvmValue, format_: NarrowFormat) -> LlvmValue:
    """The float of a code (i32; bits above the format's width count for nothing)."""
    magnitude = e.op("and", code, _int((1 << format_.width - 1) - 1))
    bits = e.op("shl", magnitude, _int(_FRACTION - format_.mantissa))
    scale = constant(2.0 ** (_BIAS - format_.bias), "float")
    size = e.bitcast(e.op("fmul", e.bitcast(bits, "float"), scale), _WORD)
    sign = e.op("shl", e.op("lshr", code, _int(format_.width - 1)), _int(31))
    value = e.bitcast(e.op("or", size, sign), "float")
    return value if format_.nan is None else _with_specials(e, code, value, format_)


def _with_specials(
    e: Emitter, code: LlvmValue, value: LlvmValue, format_: NarrowFormat
) -> LlvmValue:
    """Code with the NaNs, and the infinities of e5m2: the codes above the largest number's."""
    magnitude = e.op("and", code, _int(0x7F))
    nan = float_constant(CANONICAL_NAN["f32"], "float")
    is_nan = e.compare("ugt", magnitude, _int(format_.largest))
    if format_.largest + 1 < 0x7F:
        is_nan = e.compare("ugt", magnitude, _int(format_.largest + 1))
        infinity = e.call("llvm.copysign", constant(float("inf"), "float"), value)
        value = e.select(e.compare("eq", magnitude, _int(format_.largest + 1)), infinity, value)
    return e.select(is_nan, nan, value)


def encode_power(e: Emitter, x: LlvmValue, mode: str, *, satfinite: bool) -> LlvmValue:
    """The ue8m0 code of a float's magnitude: the exponent of a power of two, 255 for NaN.

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


def decode_power(e: Emitter, code: LlvmValue) -> LlvmValue:
    """The float of a ue8m0 code (i32): 2^(code - 127)."""
    exponent = e.op("and", code, _int(0xFF))
    bits = e.op("shl", exponent, _int(_FRACTION))
    lowest = e.compare("eq", exponent, _int(0))
    value = e.bitcast(e.select(lowest, _int(1 << _FRACTION - 1), bits), "float")
    nan = float_constant(CANONICAL_NAN["f32"], "float")
    return e.select(e.compare("eq", exponent, _int(255)), nan, value)


def to_tf32(e: Emitter, x: LlvmValue, mode: str) -> LlvmValue:
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
