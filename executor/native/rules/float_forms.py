"""Modifiers of floating-point instructions, rounding, and halves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import Type
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import FLOAT_BITS, LlvmValue, constant, float_constant

HALF_TYPES = {"f16x2": "f16", "bf16x2": "bf16", "f32x2": "f32"}
"""The types that hold two values in one register, and the type of each."""

_ROUNDINGS = ("rn", "rz", "rm", "rp", "rna", "rs")


@dataclass(frozen=True, slots=True)
class FloatModifiers:
    """The modifiers of a floating-point instruction (PTX ISA 9.0, section 9.7.3).

    ``type`` is what it computes on. ``rounding`` is empty where the opcode has no word for it,
    which means to nearest even.
    """

    type: str
    rounding: str = ""
    ftz: bool = False
    sat: bool = False
    relu: bool = False
    propagates_nan: bool = False
    xorsign: bool = False
    abs: bool = False
    oob: bool = False
    approx: bool = False

    @property
    def each(self) -> FloatModifiers:
        """The form of one half of a packed instruction."""
        return replace(self, type=HALF_TYPES.get(self.type, self.type))

    @property
    def is_plain(self) -> bool:
        """Whether nothing happens beside the operation itself, rounded to nearest."""
        return self.rounding in ("", "rn") and not (
            self.ftz or self.sat or self.relu or self.oob or self.approx
        )

    @property
    def text(self) -> str:
        """The form as part of a function's name."""
        flags = (
            ("ftz", self.ftz),
            ("sat", self.sat),
            ("relu", self.relu),
            ("nan", self.propagates_nan),
            ("xorsign", self.xorsign),
            ("abs", self.abs),
            ("oob", self.oob),
            ("approx", self.approx),
        )
        words = [word for word, present in flags if present]
        return ".".join([self.type, *filter(None, [self.rounding]), *words])


@lru_cache(maxsize=4096)
def form_of(operation: Operation) -> FloatModifiers:
    """Read the form off an opcode: ``fma.rn.relu.f16x2``."""
    words = operation.modifiers
    type_: Type | None = operation.type
    assert type_ is not None, operation.opcode
    return FloatModifiers(
        type=type_.name,
        rounding=next((word for word in words if word in _ROUNDINGS), ""),
        ftz="ftz" in words,
        sat="sat" in words,
        relu="relu" in words,
        propagates_nan="NaN" in words,
        xorsign="xorsign" in words,
        abs="abs" in words,
        oob="oob" in words,
        approx="approx" in words,
    )


# Rounding that the CPU's plain arithmetic does not give: directed, to odd, to narrower formats.
#
# A result that was rounded to odd in a format with at least two more bits can be rounded again, in
# any direction, without an error of double rounding (Boldo and Melquiond, 2008).

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
    """The bits of a float as an integer."""
    return e.bitcast(value, f"i{value.bits}")


def float_of(e: Emitter, bits: LlvmValue) -> LlvmValue:
    """The float of an integer's bits."""
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
    """A sum rounded to nearest, and what the rounding left out; NaN where it overflows."""
    total = e.op("fadd", a, b)
    part = e.op("fsub", total, a)
    rest = e.op("fsub", total, part)
    return total, e.op("fadd", e.op("fsub", a, rest), e.op("fsub", b, part))


# f16 and bf16: what they are as floats, how floats are rounded to them, and pairs of them.

CANONICAL_NAN = {"f16": 0x7FFF, "bf16": 0x7FFF, "f32": 0x7FFFFFFF, "tf32": 0x7FFFFFFF}
"""The bits of the NaN that operations give (PTX ISA 9.0, section 9.7.3)."""


def widen(e: Emitter, value: LlvmValue, type_: str) -> LlvmValue:
    """An f16 (half) or bf16 (i16) as a float; it is exact."""
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
    """The canonical NaN for any NaN of a half or float; doubles keep theirs."""
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
    """The lower and the upper half of an integer."""
    bits = packed.bits // 2
    upper = e.op("lshr", packed, constant(bits, packed.type))
    return e.resize(packed, f"i{bits}"), e.resize(upper, f"i{bits}")


def joined(e: Emitter, lower: LlvmValue, upper: LlvmValue) -> LlvmValue:
    """Integer of twice the bits, from two integers or floats."""
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
