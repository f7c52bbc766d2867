"""rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh (PTX ISA 9.0, sections 9.7.3.13 to 9.7.3.22).

Approximate forms of f32, f16 and bf16 are computed in float by vector code; f64, which PTX has for
a few and LLVM for all, comes from C's libm. Errors are those of the result before it is rounded to
f16 or bf16.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from warpmill.analyzer.ir.operation import Operation
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmValue, constant, float_constant
from warpmill.executor.native.rules.float_forms import (
    CANONICAL_NAN,
    FloatModifiers,
    bits_of,
    canonical,
    directed,
    float_of,
    form_of,
    narrow,
    widen,
)
from warpmill.executor.native.rules.floats import by_element, finish, flushed_source
from warpmill.executor.native.rules.registry import pure

Function = Callable[[Emitter, FloatModifiers, LlvmValue], LlvmValue]
"""Function on a float or a double."""


@pure("rcp")
def reciprocal(e: Emitter, operation: Operation, a: LlvmValue) -> LlvmValue:
    """1 / a, correctly rounded; ``rcp.approx`` allows 1 ulp.

    ``rcp.approx.ftz.f64`` looks at the upper 32 bits and gives so many, rounded.
    """
    form = form_of(operation)
    return _unary(e, operation, a, _gross(_reciprocal) if _is_gross(form) else _reciprocal)


@pure("sqrt")
def square_root(e: Emitter, operation: Operation, a: LlvmValue) -> LlvmValue:
    """The square root, correctly rounded; ``sqrt.approx`` allows a relative error of 2^-23."""
    return _unary(e, operation, a, _square_root)


@pure("rsqrt")
def reciprocal_square_root(e: Emitter, operation: Operation, a: LlvmValue) -> LlvmValue:
    """1 / sqrt(a) by two rounded steps: within 2^-23, where the manual allows 2^-22.9.

    ``rsqrt.approx.ftz.f64`` looks at the upper 32 bits and gives so many, rounded.
    """
    form = form_of(operation)
    function = _gross(_reciprocal_square_root) if _is_gross(form) else _reciprocal_square_root
    return _unary(e, operation, a, function)


@pure("sin")
def sine(e: Emitter, operation: Operation, a: LlvmValue) -> LlvmValue:
    """The sine: absolute error below 2^-20.5 in -2 pi to 2 pi and 2^-14.7 in 100 pi."""
    return _unary(e, operation, a, _by("sin", approximate_sine))


@pure("cos")
def cosine(e: Emitter, operation: Operation, a: LlvmValue) -> LlvmValue:
    """The cosine: absolute error below 2^-20.5 in -2 pi to 2 pi and 2^-14.7 in 100 pi."""
    return _unary(e, operation, a, _by("cos", approximate_cosine))


@pure("lg2")
def logarithm(e: Emitter, operation: Operation, a: LlvmValue) -> LlvmValue:
    """The logarithm to base 2: relative error below 2^-22."""
    return _unary(e, operation, a, _by("log2", approximate_logarithm))


@pure("ex2")
def exponential(e: Emitter, operation: Operation, a: LlvmValue) -> LlvmValue:
    """Power of 2: 2 ulp of f32, relative error below 2^-9.9 of f16 and 2^-7 of bf16."""
    return _unary(e, operation, a, _by("exp2", approximate_exponential))


@pure("tanh")
def hyperbolic_tangent(e: Emitter, operation: Operation, a: LlvmValue) -> LlvmValue:
    """Tanh: relative error below 2^-11 of f32; 2^-10.987 of f16 and 2^-8 of bf16, absolute."""
    return _unary(e, operation, a, _by("tanh", approximate_hyperbolic_tangent))


def _unary(e: Emitter, operation: Operation, a: LlvmValue, function: Function) -> LlvmValue:
    """Do a function on each element in a function of its own."""
    form = form_of(operation)

    def one(inner: Emitter, each: FloatModifiers, value: LlvmValue) -> LlvmValue:
        if each.type not in ("f16", "bf16"):
            source = flushed_source(inner, each, value)
            return finish(inner, each, canonical(inner, function(inner, each, source)))
        # Subnormal numbers of bf16 are those of f32, so that .ftz is done on the floats.
        wide = flushed_source(inner, each, widen(inner, value, each.type))
        result = flushed_source(inner, each, function(inner, each, wide))
        return narrow(inner, result, each.type)

    def body(inner: Emitter, value: LlvmValue) -> LlvmValue:
        return by_element(inner, form, lambda each, part: one(inner, each, part), value)

    return e.outlined(f"{operation.name}.{form.text}", body, a)[0]


def _by(name: str, approximation: Callable[[Emitter, LlvmValue], LlvmValue]) -> Function:
    def function(e: Emitter, form: FloatModifiers, value: LlvmValue) -> LlvmValue:
        if form.type == "f64":
            return e.external(name, value, result="double")
        return approximation(e, value)

    return function


def _reciprocal(e: Emitter, form: FloatModifiers, value: LlvmValue) -> LlvmValue:
    one = constant(1.0, value.type)
    if form.rounding in ("", "rn"):
        return e.op("fdiv", one, value)
    return directed(e, "fdiv", form.rounding, one, value)


def _square_root(e: Emitter, form: FloatModifiers, value: LlvmValue) -> LlvmValue:
    if form.rounding in ("", "rn"):
        return e.call("llvm.sqrt", value)
    return directed(e, "sqrt", form.rounding, value)


def _reciprocal_square_root(e: Emitter, _: FloatModifiers, value: LlvmValue) -> LlvmValue:
    return e.op("fdiv", constant(1.0, value.type), e.call("llvm.sqrt", value))


def _is_gross(form: FloatModifiers) -> bool:
    return form.type == "f64" and form.approx and form.ftz


def _gross(function: Function) -> Function:
    """Make a function of doubles one of their upper 32 bits, without subnormal numbers."""

    def gross(e: Emitter, form: FloatModifiers, value: LlvmValue) -> LlvmValue:
        upper = e.op("and", bits_of(e, value), constant(_UPPER, "i64"))
        result = bits_of(
            e, _flush_double(e, function(e, form, _flush_double(e, float_of(e, upper))))
        )
        nearest = e.op("add", result, constant(1 << 31, "i64"))
        return float_of(e, e.op("and", nearest, constant(_UPPER, "i64")))

    return gross


_UPPER = 0xFFFFFFFF00000000


def _flush_double(e: Emitter, value: LlvmValue) -> LlvmValue:
    small = e.compare("olt", e.call("llvm.fabs", value), constant(2.0**-1022, "double"))
    zero = e.call("llvm.copysign", constant(0.0, "double"), value)
    return e.select(small, zero, value)


# Elementary functions of floats as vector code: polynomials after a reduction of the argument.
#
# They are within the errors that the PTX manual documents for the hardware's, and give the same
# bits on every CPU: each step is an operation that IEEE 754 defines. The coefficients are
# least-squares fits at Chebyshev nodes, reweighted until the error is level.

_EX2 = (
    1.0, 0.6931471824645996, 0.24022647738456726, 0.055503323674201965,
    0.00961843691766262, 0.0013398875016719103, 0.00015353360504377633,
)  # fmt: skip
"""2^t for t of -1/2 to 1/2; relative error below 2^-28."""

_LG2 = (
    1.4426950216293335, -0.7213475108146667, 0.4808979034423828, -0.3606741428375244,
    0.2885761857032776, -0.24046719074249268, 0.2050434798002243, -0.17890886962413788,
    0.17205704748630524, -0.16906258463859558, 0.09703255444765091,
)  # fmt: skip
"""log2(1 + t) / t for 1 + t of sqrt(1/2) to sqrt(2); relative error below 2^-25."""

_SIN = (-0.1666666716337204, 0.008333323523402214, -0.00019837653962895274, 2.7046648938267026e-06)
"""(sin(t) - t) / t^3 in t^2, for t up to 0.91 (pi/4 and what the choice of quadrant may err)."""

_COS = (0.0416666679084301, -0.0013888876419514418, 2.479778413544409e-05, -2.708684405661188e-07)
"""(cos(t) - 1 + t^2 / 2) / t^4 in t^2, for t up to 0.91."""

_TANH = (
    -0.3333325982093811, 0.1333083063364029, -0.05368801951408386, 0.020469410344958305,
    -0.005515154916793108,
)  # fmt: skip
"""(tanh(t) - t) / t^3 in t^2, for t up to 0.65; relative error of tanh below 2^-26."""

_TANH_BOUND = 0.625
_LARGEST_ANGLE = {"float": 2.0**21, "double": 2.0**48}
"""Up to where an angle is reduced in a type; the quadrant is off by little there."""


def _float(value: float) -> LlvmValue:
    return constant(value, "float")


def _horner(e: Emitter, coefficients: Sequence[float], x: LlvmValue) -> LlvmValue:
    total = _float(coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        total = e.call("llvm.fma", total, x, _float(coefficient))
    return total


def _nan_where(e: Emitter, condition: LlvmValue, otherwise: LlvmValue) -> LlvmValue:
    return e.select(condition, float_constant(CANONICAL_NAN["f32"], "float"), otherwise)


def approximate_exponential(e: Emitter, x: LlvmValue) -> LlvmValue:
    """2^x: relative error below 2^-22.9, subnormal results rounded once more.

    2^x = 2^n p(t) with n the integer next to x. The scale is applied in two factors, so that
    subnormal results and those next to overflow come out.
    """
    low = e.select(e.compare("ogt", x, _float(-160.0)), x, _float(-160.0))
    bounded = e.select(e.compare("olt", low, _float(130.0)), low, _float(130.0))
    near = e.call("llvm.roundeven", bounded)
    power = _horner(e, _EX2, e.op("fsub", bounded, near))
    number = e.cast("fptosi", near, "i32")
    half = e.op("ashr", number, constant(1, "i32"))
    scaled = e.op("fmul", power, _power_of_two(e, half))
    result = e.op("fmul", scaled, _power_of_two(e, e.op("sub", number, half)))
    return _nan_where(e, e.compare("uno", x, x), result)


def _power_of_two(e: Emitter, exponent: LlvmValue) -> LlvmValue:
    """2^n for n of -126 to 127, from its bits."""
    biased = e.op("add", exponent, constant(127, "i32"))
    return e.bitcast(e.op("shl", biased, constant(23, "i32")), "float")


def approximate_logarithm(e: Emitter, x: LlvmValue) -> LlvmValue:
    """log2(x): relative error below 2^-22; -inf at zeros, NaN below.

    x = 2^n m with m of sqrt(1/2) to sqrt(2); subnormal numbers are scaled up first.
    """
    tiny = e.compare("olt", x, _float(2.0**-126))
    scaled = e.select(tiny, e.op("fmul", x, _float(2.0**23)), x)
    bits = e.bitcast(scaled, "i32")
    root = 0x3F3504F3  # sqrt(1/2)
    offset = e.op("sub", bits, constant(root, "i32"))
    number = e.op("ashr", offset, constant(23, "i32"))
    mantissa = e.op("sub", bits, e.op("shl", number, constant(23, "i32")))
    t = e.op("fsub", e.bitcast(mantissa, "float"), _float(1.0))
    exponent = e.cast("sitofp", number, "float")
    shift = e.select(tiny, _float(-23.0), _float(0.0))
    result = e.call("llvm.fma", t, _horner(e, _LG2, t), e.op("fadd", exponent, shift))
    return _logarithm_of_special(e, x, result)


def _logarithm_of_special(e: Emitter, x: LlvmValue, result: LlvmValue) -> LlvmValue:
    infinite = e.compare("oeq", x, _float(math.inf))
    result = e.select(infinite, x, result)
    result = e.select(e.compare("oeq", x, _float(0.0)), _float(-math.inf), result)
    return _nan_where(e, e.compare("ult", x, _float(0.0)), result)


def approximate_sine(e: Emitter, x: LlvmValue) -> LlvmValue:
    """sin(x): absolute error below 2^-23 up to 2^48; 0 beyond, where nothing is promised."""
    t, quadrant = _reduced(e, x)
    result = _of_quadrant(e, t, quadrant)
    return _bad_angle(e, x, e.select(e.compare("oeq", x, _float(0.0)), x, result))


def approximate_cosine(e: Emitter, x: LlvmValue) -> LlvmValue:
    """cos(x): absolute error below 2^-23 up to 2^48; 1 beyond, where nothing is promised."""
    t, quadrant = _reduced(e, x)
    return _bad_angle(e, x, _of_quadrant(e, t, e.op("add", quadrant, constant(1, "i32"))))


def _bad_angle(e: Emitter, x: LlvmValue, result: LlvmValue) -> LlvmValue:
    return _nan_where(e, e.compare("uge", e.call("llvm.fabs", x), _float(math.inf)), result)


def _reduced(e: Emitter, x: LlvmValue) -> tuple[LlvmValue, LlvmValue]:
    """T and n, or n modulo 4, with x = n pi/2 + t, t about -pi/4 to pi/4.

    Where the angle of any lane is too large for floats, all are reduced in double.
    """
    short, wide, done = (e.label(stem) for stem in ("short", "wide", "reduced"))
    e.jump(short)
    e.start(short)
    near = _reduced_in(e, x)
    large = e.compare("uge", e.call("llvm.fabs", x), _float(_LARGEST_ANGLE["float"]))
    if not large.uniform:
        large = e.compare("ne", e.bits(large), constant(0, f"i{e.lanes}"))
    e.branch(large, wide, done)
    e.start(wide)
    angle, quadrant = _reduced_in(e, e.cast("fpext", x, "double"))
    far = e.cast("fptrunc", angle, "float"), quadrant
    e.jump(done)
    e.start(done)
    angle, quadrant = (
        e.define(
            f"phi {e.llvm_type(a)} [ {a.text}, %{short} ], [ {b.text}, %{wide} ]",
            a.type,
            uniform=a.uniform,
        )
        for a, b in zip(near, far, strict=True)
    )
    return angle, quadrant


def _reduced_in(e: Emitter, x: LlvmValue) -> tuple[LlvmValue, LlvmValue]:
    """Reduce in the type of x; what is too large for it, and NaN, as 0.

    pi/2 is taken off in parts; a fused multiply-add makes the first step exact.
    """
    type_ = x.type
    limit = constant(_LARGEST_ANGLE[type_], type_)
    inside = e.compare("olt", e.call("llvm.fabs", x), limit)
    angle = e.select(inside, x, constant(0.0, type_))
    near = e.call("llvm.roundeven", e.op("fmul", angle, constant(2 / math.pi, type_)))
    t = angle
    for part in _HALF_PI[type_]:
        t = e.call("llvm.fma", near, constant(-part, type_), t)
    if type_ == "double":  # the quadrants may be too many for 32 bits
        turns = e.call("llvm.floor", e.op("fmul", near, constant(0.25, type_)))
        near = e.call("llvm.fma", turns, constant(-4.0, type_), near)
    return t, e.cast("fptosi", near, "i32")


_HALF_PI = {
    "float": tuple(map(float.fromhex, ("0x1.921fb6p+0", "-0x1.777a5cp-25", "-0x1.ee59dap-50"))),
    "double": tuple(map(float.fromhex, ("0x1.921fb54442d18p+0", "0x1.1a62633145c07p-54"))),
}
"""pi/2 as a sum of numbers of a type; what is left is below 2^-75 and 2^-108."""


def _of_quadrant(e: Emitter, t: LlvmValue, quadrant: LlvmValue) -> LlvmValue:
    """sin(t + quadrant pi/2)."""
    square = e.op("fmul", t, t)
    sin = e.call("llvm.fma", e.op("fmul", t, square), _horner(e, _SIN, square), t)
    rest = e.call("llvm.fma", square, _horner(e, _COS, square), _float(-0.5))
    cos = e.call("llvm.fma", square, rest, _float(1.0))
    odd = e.cast("trunc", quadrant, "i1")
    value = e.bitcast(e.select(odd, cos, sin), "i32")
    sign = e.op("shl", e.op("lshr", quadrant, constant(1, "i32")), constant(31, "i32"))
    return e.bitcast(e.op("xor", value, sign), "float")


def approximate_hyperbolic_tangent(e: Emitter, x: LlvmValue) -> LlvmValue:
    """tanh(x): relative error below 2^-21.

    A polynomial up to 0.625, 1 - 2 / (e^2x + 1) above; the sign is put back last.
    """
    size = e.call("llvm.fabs", x)
    square = e.op("fmul", size, size)
    small = e.call("llvm.fma", e.op("fmul", size, square), _horner(e, _TANH, square), size)
    power = approximate_exponential(e, e.op("fmul", size, _float(2 / math.log(2))))
    large = e.op("fsub", _float(1.0), e.op("fdiv", _float(2.0), e.op("fadd", power, _float(1.0))))
    result = e.select(e.compare("olt", size, _float(_TANH_BOUND)), small, large)
    return _nan_where(e, e.compare("uno", x, x), e.call("llvm.copysign", result, x))
