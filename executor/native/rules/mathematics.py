"""``math.NAME.TYPE``: functions of mathematics libraries that stayed calls.

All are computed in double, by C's libm where that has the function and composed of what it has
where it does not; results of f32, f16 and bf16 are rounded once more. Errors are those of the C
library, or stated where a function is composed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import TYPES, Type
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.rules.float_forms import (
    bits_of,
    float_of,
    narrow,
    narrow_double,
    widen,
)
from warpmill.executor.native.rules.registry import refuses, rule
from warpmill.executor.native.step import LoweringStep

# Functions that C's libm lacks, composed of those it has; on doubles, all lanes at once.


def _number(value: float) -> LlvmValue:
    return constant(value, "double")


def _call(e: Emitter, name: str, *values: LlvmValue) -> LlvmValue:
    return e.external(name, *values, result="double")


def _polynomial(e: Emitter, x: LlvmValue, coefficients: list[float]) -> LlvmValue:
    total = _number(coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        total = e.call("llvm.fma", total, x, _number(coefficient))
    return total


def over_pi(name: str) -> Compute:
    """An inverse trigonometric function in half turns: one more rounding, 1.5 ulp."""

    def compute(e: Emitter, *values: LlvmValue) -> LlvmValue:
        return e.op("fdiv", _call(e, name, *values), _number(math.pi))

    return compute


def reciprocal(name: str) -> Compute:
    """1 / f(x): one more rounding."""

    def compute(e: Emitter, *values: LlvmValue) -> LlvmValue:
        return e.op("fdiv", _number(1.0), _call(e, name, *values))

    return compute


# Angles in half turns.


def _turned(e: Emitter, x: LlvmValue, shift: int) -> LlvmValue:
    """sin(pi (x + shift / 2)): the part off the nearest quarter turn is exact."""
    doubled = e.op("fadd", x, x)
    near = e.call("llvm.roundeven", doubled)
    angle = e.op("fmul", e.op("fsub", x, e.op("fmul", near, _number(0.5))), _number(math.pi))
    # Beyond 2^53 all numbers are even; the quarter is taken modulo 4 before it becomes an integer.
    turns = e.call("llvm.floor", e.op("fmul", near, _number(0.25)))
    rest = e.op("fsub", near, e.op("fmul", turns, _number(4.0)))
    quarter = e.op("add", e.call("llvm.fptosi.sat", rest, result="i32"), constant(shift, "i32"))
    odd = e.cast("trunc", quarter, "i1")
    value = e.select(odd, _call(e, "cos", angle), _call(e, "sin", angle))
    back = e.cast("trunc", e.op("lshr", quarter, constant(1, "i32")), "i1")
    return e.select(back, e.op("fneg", value), value)


def sine_of_pi(e: Emitter, x: LlvmValue) -> LlvmValue:
    """sin(pi x) within 2 ulp; a zero of the sign of x at whole numbers."""
    value = _turned(e, x, 0)
    zero = e.call("llvm.copysign", _number(0.0), x)
    return e.select(e.compare("oeq", value, _number(0.0)), zero, value)


def cosine_of_pi(e: Emitter, x: LlvmValue) -> LlvmValue:
    """cos(pi x) within 2 ulp; +0 at half numbers."""
    return e.op("fadd", _turned(e, x, 1), _number(0.0))


def tangent_of_pi(e: Emitter, x: LlvmValue) -> LlvmValue:
    """tan(pi x) within 4 ulp; infinite at half numbers."""
    return e.op("fdiv", sine_of_pi(e, x), cosine_of_pi(e, x))


# Powers and lengths.


def integer_power(e: Emitter, x: LlvmValue, n: LlvmValue) -> LlvmValue:
    """X^n for an integer n."""
    return _call(e, "pow", x, e.cast("sitofp", n, "double"))


def integer_root(e: Emitter, x: LlvmValue, n: LlvmValue) -> LlvmValue:
    """The nth root: relative error below 2^-43, as 1 / n is rounded; NaN for n = 0.

    Negative numbers have roots for odd n.
    """
    size = _call(e, "pow", e.call("llvm.fabs", x), e.op("fdiv", _number(1.0), _as_double(e, n)))
    odd = e.cast("trunc", n, "i1")
    even = e.select(e.compare("olt", x, _number(0.0)), _number(math.nan), size)
    result = e.select(odd, e.call("llvm.copysign", size, x), even)
    return e.select(e.compare("eq", n, constant(0, "i32")), _number(math.nan), result)


def _as_double(e: Emitter, n: LlvmValue) -> LlvmValue:
    return e.cast("sitofp", n, "double")


def length(e: Emitter, *values: LlvmValue) -> LlvmValue:
    """The length of a vector within 3 ulp, without overflow on the way."""
    total = values[0]
    for value in values[1:]:
        total = _call(e, "hypot", total, value)
    return total


def reciprocal_length(e: Emitter, *values: LlvmValue) -> LlvmValue:
    """1 / length within 4 ulp."""
    return e.op("fdiv", _number(1.0), length(e, *values))


def next_after(e: Emitter, x: LlvmValue, y: LlvmValue) -> LlvmValue:
    """The number next to x on the way to y, in the format of the operands."""
    wide_x, wide_y = (_comparable(e, v) for v in (x, y))
    bits, other = bits_of(e, x), bits_of(e, y)
    one, sign = constant(1, bits.type), constant(1 << bits.bits - 1, bits.type)
    zero = constant(0.0, wide_x.type)
    away = e.compare("eq", *_signs(e, e.compare("olt", wide_x, wide_y), wide_x, zero))
    moved = e.select(away, e.op("add", bits, one), e.op("sub", bits, one))
    least = e.op("or", e.op("and", other, sign), one)
    result = e.select(e.compare("oeq", wide_x, zero), least, moved)
    result = e.select(e.compare("oeq", wide_x, wide_y), other, result)
    result = e.select(e.compare("uno", wide_y, wide_y), other, result)
    result = e.select(e.compare("uno", wide_x, wide_x), bits, result)
    return result if x.type == "i16" else float_of(e, result)


def _comparable(e: Emitter, value: LlvmValue) -> LlvmValue:
    if value.type != "i16":  # else bf16
        return value
    return e.bitcast(e.op("shl", e.resize(value, "i32"), constant(16, "i32")), "float")


def _signs(
    e: Emitter, upward: LlvmValue, x: LlvmValue, zero: LlvmValue
) -> tuple[LlvmValue, LlvmValue]:
    """Whether the way is up, and whether x is positive: both alike lead away from zero."""
    positive = e.compare("ogt", x, zero)
    return e.resize(upward, "i8"), e.resize(positive, "i8")


# Parts of numbers.


def _normal(e: Emitter, x: LlvmValue) -> tuple[LlvmValue, LlvmValue, LlvmValue]:
    """The bits of x scaled to a normal number, the scale's exponent, and where x has none."""
    size = e.call("llvm.fabs", x)
    small = e.compare("olt", size, _number(2.0**-1022))
    scaled = bits_of(e, e.select(small, e.op("fmul", x, _number(2.0**54)), x))
    shift = e.select(small, constant(-54, "i32"), constant(0, "i32"))
    lowest, infinite = e.compare("oeq", x, _number(0.0)), e.compare("uge", size, _number(math.inf))
    return scaled, shift, e.op("or", lowest, infinite)


def fraction(e: Emitter, x: LlvmValue) -> LlvmValue:
    """The significand of 0.5 to 1, as C's ``frexp``; zeros, infinities and NaN stay."""
    bits, _, special = _normal(e, x)
    kept = e.op("and", bits, constant(~(0x7FF << 52), "i64"))
    return e.select(special, x, float_of(e, e.op("or", kept, constant(1022 << 52, "i64"))))


def exponent(e: Emitter, x: LlvmValue) -> LlvmValue:
    """The exponent that goes with ``fraction``; 0 for zeros, infinities and NaN."""
    bits, shift, special = _normal(e, x)
    field = e.op("and", e.op("lshr", bits, constant(52, "i64")), constant(0x7FF, "i64"))
    number = e.op("sub", e.resize(field, "i32"), constant(1022, "i32"))
    return e.select(special, constant(0, "i32"), e.op("add", number, shift))


def quotient(e: Emitter, x: LlvmValue, y: LlvmValue) -> LlvmValue:
    """The low 7 bits of the quotient of ``remainder``, with its sign, as ``remquo`` does."""
    rest = _call(e, "remainder", x, y)
    near = _call(e, "fmod", x, e.op("fmul", y, _number(128.0)))
    whole = e.call("llvm.roundeven", e.op("fdiv", e.op("fsub", near, rest), y))
    number = e.call("llvm.fptosi.sat", whole, result="i32")
    return e.op("srem", number, constant(128, "i32"))


def gamma_sign(e: Emitter, x: LlvmValue) -> LlvmValue:
    """The sign of the gamma function, 1 or -1; at its poles that from the right."""
    below = e.call("llvm.floor", x)
    half = e.op("fmul", below, _number(0.5))
    odd = e.compare("one", half, e.call("llvm.floor", half))
    negative = e.op("and", odd, e.compare("olt", x, _number(0.0)))
    at_zero = e.compare("slt", bits_of(e, x), constant(0, "i64"))
    zero = e.op("and", e.compare("oeq", x, _number(0.0)), at_zero)
    return e.select(e.op("or", negative, zero), constant(-1, "i32"), constant(1, "i32"))


# The normal distribution.


def normal_distribution(e: Emitter, x: LlvmValue) -> LlvmValue:
    """The cumulative distribution, erfc(-x / sqrt 2) / 2: relative error below x^2 2^-52."""
    argument = e.op("fmul", x, _number(-math.sqrt(0.5)))
    return e.op("fmul", _call(e, "erfc", argument), _number(0.5))


def normal_quantile(e: Emitter, p: LlvmValue) -> LlvmValue:
    """The inverse of ``normal_distribution``: relative error below 2^-45, but near 1/2."""
    root = inverse_complement(e, e.op("fmul", p, _number(2.0)))
    return e.op("fmul", root, _number(-math.sqrt(2.0)))


def scaled_complement(e: Emitter, x: LlvmValue) -> LlvmValue:
    """exp(x^2) erfc(x): relative error below 2^-46.

    x^2 is split, so that the exponential keeps its digits; from 26 on, where erfc is about to
    vanish, the asymptotic series.
    """
    upper = float_of(e, e.op("and", bits_of(e, x), constant(-1 << 27, "i64")))
    rest = e.op("fmul", e.op("fsub", x, upper), e.op("fadd", x, upper))
    power = e.op("fmul", _call(e, "exp", e.op("fmul", upper, upper)), _call(e, "exp", rest))
    near = e.op("fmul", power, _call(e, "erfc", x))
    inverse = e.op("fdiv", _number(1.0), x)
    series = _polynomial(e, e.op("fmul", inverse, inverse), [1, -0.5, 0.75, -1.875, 6.5625])
    far = e.op("fmul", e.op("fmul", inverse, series), _number(1 / math.sqrt(math.pi)))
    result = e.select(e.compare("ogt", x, _number(26.0)), far, near)
    # exp(x^2) is infinite from -26.7 down, where the split leaves infinity times 0.
    return e.select(e.compare("olt", x, _number(-27.0)), _number(math.inf), result)


def inverse_error_function(e: Emitter, x: LlvmValue) -> LlvmValue:
    """Y with erf(y) = x: relative error below 2^-45; infinite at 1 and -1, NaN beyond."""
    size = e.call("llvm.fabs", x)
    middle = _newton(e, _guess(e, size), lambda y: e.op("fsub", _call(e, "erf", y), size))
    tail = inverse_complement(e, e.op("fsub", _number(1.0), size))
    small = e.op("fmul", size, _number(math.sqrt(math.pi) / 2))
    value = e.select(e.compare("olt", size, _number(0.5)), middle, tail)
    value = e.select(e.compare("olt", size, _number(1e-9)), small, value)
    return e.call("llvm.copysign", value, x)


def inverse_complement(e: Emitter, z: LlvmValue) -> LlvmValue:
    """Y with erfc(y) = z: relative error below 2^-45 away from y = 0; NaN outside 0 to 2.

    Newton's method on the logarithm of erfc, which is nearly a parabola in the tail: that of
    exp(-y^2) times ``scaled_complement``, which keeps its digits where erfc is subnormal.
    """
    above = e.compare("ogt", z, _number(1.0))
    tail = e.select(above, e.op("fsub", _number(2.0), z), z)
    guess = _guess(e, e.op("fsub", _number(1.0), tail), tail)
    target, y = _call(e, "log", tail), guess
    for _ in range(4):
        value = scaled_complement(e, y)
        log = e.op("fsub", _call(e, "log", value), e.op("fmul", y, y))
        slope = e.op("fdiv", _number(2 / math.sqrt(math.pi)), value)
        y = e.op("fadd", y, e.op("fdiv", e.op("fsub", log, target), slope))
    exact = e.op("fsub", _number(1.0), tail)
    near = _newton(e, guess, lambda v: e.op("fsub", _call(e, "erf", v), exact))
    y = e.select(e.compare("ogt", tail, _number(0.5)), near, y)
    y = e.select(e.compare("oeq", tail, _number(1.0)), _number(0.0), y)
    y = e.select(e.compare("oeq", tail, _number(0.0)), _number(math.inf), y)
    y = e.select(e.compare("uge", tail, _number(0.0)), y, _number(math.nan))
    return e.select(above, e.op("fneg", y), y)


def _bell(e: Emitter, y: LlvmValue) -> LlvmValue:
    """The slope of erf."""
    power = _call(e, "exp", e.op("fneg", e.op("fmul", y, y)))
    return e.op("fmul", power, _number(2 / math.sqrt(math.pi)))


def _newton(e: Emitter, guess: LlvmValue, off: Callable[[LlvmValue], LlvmValue]) -> LlvmValue:
    y = guess
    for _ in range(3):
        y = e.op("fsub", y, e.op("fdiv", off(y), _bell(e, y)))
    return y


def _guess(e: Emitter, x: LlvmValue, tail: LlvmValue | None = None) -> LlvmValue:
    """The inverse of erf for x of 0 to 1 within 0.4 % (Winitzki, 2008); ``tail`` is 1 - x."""
    a = 0.147
    other = tail or e.op("fsub", _number(1.0), x)
    product = e.op("fmul", other, e.op("fadd", _number(1.0), x))
    log = _call(e, "log", product)
    first = e.op("fadd", e.op("fmul", log, _number(0.5)), _number(2 / (math.pi * a)))
    square = e.op("fmul", first, first)
    root = e.call("llvm.sqrt", e.op("fsub", square, e.op("fmul", log, _number(1 / a))))
    return e.call("llvm.sqrt", e.op("fsub", root, first))


# Modified Bessel functions.


def bessel(order: int) -> Compute:
    """I0 or I1: relative error below 2^-46 up to 20, and x 2^-52 above.

    The power series up to 20, the asymptotic one above.
    """

    def compute(e: Emitter, x: LlvmValue) -> LlvmValue:
        size = e.call("llvm.fabs", x)
        square = e.op("fmul", e.op("fmul", size, size), _number(0.25))
        near = _polynomial(e, square, _series(order))
        if order:
            near = e.op("fmul", near, e.op("fmul", size, _number(0.5)))
        inverse = e.op("fdiv", _number(1.0), size)
        root = e.call("llvm.sqrt", e.op("fmul", inverse, _number(1 / (2 * math.pi))))
        # The exponential in two factors: it overflows before the function does.
        half = _call(e, "exp", e.op("fmul", size, _number(0.5)))
        far = e.op("fmul", _polynomial(e, inverse, _asymptotic(order)), root)
        far = e.op("fmul", e.op("fmul", far, half), half)
        far = e.select(e.compare("oeq", size, _number(math.inf)), size, far)
        value = e.select(e.compare("olt", size, _number(20.0)), near, far)
        return e.call("llvm.copysign", value, x) if order else value

    return compute


def _series(order: int) -> list[float]:
    """1 / (k! (k + order)!): 45 terms are enough for arguments up to 20."""
    return [1 / (math.factorial(k) * math.factorial(k + order)) for k in range(45)]


def _asymptotic(order: int) -> list[float]:
    """The coefficients of 1 / x^k; the 26th term is below 2^-53 at 20."""
    terms = [1.0]
    for k in range(1, 27):
        terms.append(-terms[-1] * (4 * order * order - (2 * k - 1) ** 2) / (8 * k))
    return terms


Compute = Callable[..., LlvmValue]
"""Result from an emitter, doubles and 32-bit integers."""


@dataclass(frozen=True, slots=True)
class MathFunction:
    """How a function is computed, and what its operands are: ``f`` floats, ``i`` integers."""

    compute: Compute
    operands: str = "f"


def _libm(name: str, operands: str = "f", result: str = "double") -> MathFunction:
    def compute(e: Emitter, *values: LlvmValue) -> LlvmValue:
        return e.external(name, *values, result=result)

    return MathFunction(compute, operands)


_OF_LIBM = (
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cosh", "erf", "erfc", "expm1",
    "j0", "j1", "lgamma", "log1p", "logb", "sinh", "tgamma", "y0", "y1",
)  # fmt: skip
"""Functions of one number that C's libm has."""

FUNCTIONS: dict[str, MathFunction] = {
    **{name: _libm(name) for name in _OF_LIBM},
    "atan2": _libm("atan2", "ff"),
    "hypot": _libm("hypot", "ff"),
    "remainder": _libm("remainder", "ff"),
    "scalb": _libm("scalb", "ff"),
    "jn": _libm("jn", "if"),
    "yn": _libm("yn", "if"),
    "ldexp": _libm("ldexp", "fi"),
    "scalbn": _libm("ldexp", "fi"),
    "scalbln": _libm("ldexp", "fi"),
    "ilogb": _libm("ilogb", "f", "i32"),
    "pown": MathFunction(integer_power, "fi"),
    "powi": MathFunction(integer_power, "fi"),
    "rootn": MathFunction(integer_root, "fi"),
    "acospi": MathFunction(over_pi("acos")),
    "asinpi": MathFunction(over_pi("asin")),
    "atanpi": MathFunction(over_pi("atan")),
    "atan2pi": MathFunction(over_pi("atan2"), "ff"),
    "sinpi": MathFunction(sine_of_pi),
    "cospi": MathFunction(cosine_of_pi),
    "tanpi": MathFunction(tangent_of_pi),
    "rcbrt": MathFunction(reciprocal("cbrt")),
    "rhypot": MathFunction(reciprocal("hypot"), "ff"),
    "len3": MathFunction(length, "fff"),
    "len4": MathFunction(length, "ffff"),
    "norm3d": MathFunction(length, "fff"),
    "norm4d": MathFunction(length, "ffff"),
    "rlen3": MathFunction(reciprocal_length, "fff"),
    "rlen4": MathFunction(reciprocal_length, "ffff"),
    "ncdf": MathFunction(normal_distribution),
    "normcdf": MathFunction(normal_distribution),
    "ncdfinv": MathFunction(normal_quantile),
    "normcdfinv": MathFunction(normal_quantile),
    "erfinv": MathFunction(inverse_error_function),
    "erfcinv": MathFunction(inverse_complement),
    "erfcx": MathFunction(scaled_complement),
    "i0": MathFunction(bessel(0)),
    "i1": MathFunction(bessel(1)),
    "cyl_bessel_i0": MathFunction(bessel(0)),
    "cyl_bessel_i1": MathFunction(bessel(1)),
    "frexp": MathFunction(fraction),
    "frexp_exp": MathFunction(exponent),
    "quotient": MathFunction(quotient, "ff"),
    "lgamma_sign": MathFunction(gamma_sign),
}
"""Every function that has code, by its name in the opcode."""

_FLOATS = ("f16", "bf16", "f32", "f64")


@rule("math")
def mathematics(step: LoweringStep) -> None:
    """Compute a function of a mathematics library."""
    operation = step.operation
    name, type_ = _name(operation), operation.types[-1]
    if name == "nextafter":
        a, b = (step.read(operand, type_) for operand in step.instruction.sources)
        step.give(step.emitter.outlined(operation.opcode, next_after, a, b)[0])
        return
    function = FUNCTIONS[name]
    kinds = [type_ if kind == "f" else TYPES["s32"] for kind in function.operands]
    operands = zip(step.instruction.sources, kinds, strict=True)
    values = [step.read(operand, kind) for operand, kind in operands]
    if "i" in function.operands:
        values = [_within_mask(step, v) for v in values]

    def body(e: Emitter, *given: LlvmValue) -> LlvmValue:
        wide = [_double(e, v, k) for v, k in zip(given, kinds, strict=True)]
        return _result(e, function.compute(e, *wide), type_)

    step.give(step.emitter.outlined(operation.opcode, body, *values)[0])


def _within_mask(step: LoweringStep, value: LlvmValue) -> LlvmValue:
    """0 in lanes that are off: some functions take as long as their operand is large."""
    if value.uniform or value.is_float:
        return value
    return step.emitter.select(step.mask, value, constant(0, value.type))


@refuses("math")
def refuse_mathematics(instruction: Instruction) -> str | None:
    """Functions that have no code, or too few operands."""
    operation = instruction.operation
    name = _name(operation)
    if name not in FUNCTIONS and name != "nextafter":
        return f"the function {name} is not executed"
    if not operation.types or operation.types[-1].name not in _FLOATS:
        return f"{name} is executed for f16, bf16, f32 and f64 only"
    count = 2 if name == "nextafter" else len(FUNCTIONS[name].operands)
    given = len(instruction.sources)
    return None if given == count else f"{name} takes {count} operands, not {given}"


def _name(operation: Operation) -> str:
    return operation.modifiers[0]


def _double(e: Emitter, value: LlvmValue, type_: Type) -> LlvmValue:
    if type_.is_integer:
        return value
    if type_.name in ("f16", "bf16"):
        value = widen(e, value, type_.name)
    return e.cast("fpext", value, "double")


def _result(e: Emitter, value: LlvmValue, type_: Type) -> LlvmValue:
    """Round a double to the type; an integer stays."""
    if value.type != "double" or type_.name == "f64":
        return value
    if type_.name == "f32":
        return narrow_double(e, value, "rn")
    return narrow(e, narrow_double(e, value, "odd"), type_.name)
