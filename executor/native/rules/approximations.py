"""Elementary functions of floats as vector code: polynomials after a reduction of the argument.

They are within the errors that the PTX manual documents for the hardware's, and give the same bits
on every CPU: each step is an operation that IEEE 754 defines. The coefficients are least-squares
fits at Chebyshev nodes, reweighted until the error is level.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules.halves import CANONICAL_NAN
from warpmill.executor.native.values import Value, constant, float_constant

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


def _float(value: float) -> Value:
    return constant(value, "float")


def _horner(e: Emitter, coefficients: Sequence[float], x: Value) -> Value:
    total = _float(coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        total = e.call("llvm.fma", total, x, _float(coefficient))
    return total


def _nan_where(e: Emitter, condition: Value, otherwise: Value) -> Value:
    return e.select(condition, float_constant(CANONICAL_NAN["f32"], "float"), otherwise)


def exponential(e: Emitter, x: Value) -> Value:
    """Give 2^x: relative error below 2^-22.9, subnormal results rounded once more.

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


def _power_of_two(e: Emitter, exponent: Value) -> Value:
    """Give 2^n for n of -126 to 127, from its bits."""
    biased = e.op("add", exponent, constant(127, "i32"))
    return e.bitcast(e.op("shl", biased, constant(23, "i32")), "float")


def logarithm(e: Emitter, x: Value) -> Value:
    """Give log2(x): relative error below 2^-22; -inf at zeros, NaN below.

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


def _logarithm_of_special(e: Emitter, x: Value, result: Value) -> Value:
    infinite = e.compare("oeq", x, _float(math.inf))
    result = e.select(infinite, x, result)
    result = e.select(e.compare("oeq", x, _float(0.0)), _float(-math.inf), result)
    return _nan_where(e, e.compare("ult", x, _float(0.0)), result)


def sine(e: Emitter, x: Value) -> Value:
    """Give sin(x): absolute error below 2^-23 up to 2^48; 0 beyond, where nothing is promised."""
    t, quadrant = _reduced(e, x)
    result = _of_quadrant(e, t, quadrant)
    return _bad_angle(e, x, e.select(e.compare("oeq", x, _float(0.0)), x, result))


def cosine(e: Emitter, x: Value) -> Value:
    """Give cos(x): absolute error below 2^-23 up to 2^48; 1 beyond, where nothing is promised."""
    t, quadrant = _reduced(e, x)
    return _bad_angle(e, x, _of_quadrant(e, t, e.op("add", quadrant, constant(1, "i32"))))


def _bad_angle(e: Emitter, x: Value, result: Value) -> Value:
    return _nan_where(e, e.compare("uge", e.call("llvm.fabs", x), _float(math.inf)), result)


def _reduced(e: Emitter, x: Value) -> tuple[Value, Value]:
    """Give t and n, or n modulo 4, with x = n pi/2 + t, t about -pi/4 to pi/4.

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


def _reduced_in(e: Emitter, x: Value) -> tuple[Value, Value]:
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


def _of_quadrant(e: Emitter, t: Value, quadrant: Value) -> Value:
    """Give sin(t + quadrant pi/2)."""
    square = e.op("fmul", t, t)
    sin = e.call("llvm.fma", e.op("fmul", t, square), _horner(e, _SIN, square), t)
    rest = e.call("llvm.fma", square, _horner(e, _COS, square), _float(-0.5))
    cos = e.call("llvm.fma", square, rest, _float(1.0))
    odd = e.cast("trunc", quadrant, "i1")
    value = e.bitcast(e.select(odd, cos, sin), "i32")
    sign = e.op("shl", e.op("lshr", quadrant, constant(1, "i32")), constant(31, "i32"))
    return e.bitcast(e.op("xor", value, sign), "float")


def hyperbolic_tangent(e: Emitter, x: Value) -> Value:
    """Give tanh(x): relative error below 2^-21.

    A polynomial up to 0.625, 1 - 2 / (e^2x + 1) above; the sign is put back last.
    """
    size = e.call("llvm.fabs", x)
    square = e.op("fmul", size, size)
    small = e.call("llvm.fma", e.op("fmul", size, square), _horner(e, _TANH, square), size)
    power = exponential(e, e.op("fmul", size, _float(2 / math.log(2))))
    large = e.op("fsub", _float(1.0), e.op("fdiv", _float(2.0), e.op("fadd", power, _float(1.0))))
    result = e.select(e.compare("olt", size, _float(_TANH_BOUND)), small, large)
    return _nan_where(e, e.compare("uno", x, x), e.call("llvm.copysign", result, x))
