"""Special functions: within the manual's errors, with its special values; and library calls."""

import math
import tomllib
from importlib.resources import files

import ml_dtypes
import numpy as np
import pytest
from scipy import special

from tests.reference.float_oracle import (
    assert_same,
    compute,
    first_instruction,
    random_bits,
)
from warpmill.executor.native.rules import REFUSALS
from warpmill.executor.native.rules.mathematics import FUNCTIONS

pytestmark = pytest.mark.filterwarnings("ignore:(invalid value|overflow|divide by zero)")

Wide = np.longdouble
INF, NAN = np.inf, np.nan
RANDOM = np.random.default_rng(11)


def across(low, high, count=20000):
    return RANDOM.uniform(low, high, count).astype(np.float32)


def powers(low, high, count=20000):
    return np.exp2(RANDOM.uniform(low, high, count)).astype(np.float32)


def close_to_one(count=20000):
    return (1 + RANDOM.uniform(-1, 1, count) * 2.0 ** -RANDOM.uniform(0, 22, count)).astype(
        np.float32
    )


def signed(values):
    return np.concatenate([values, -values])


def inverse_root(x):
    return 1 / np.sqrt(x)


# Function, arguments, the manual's bound as a power of two, whether it is of the absolute error.
BOUNDS = [
    ("ex2.approx.f32", np.exp2, across(-126, 128), -22, False),
    ("ex2.approx.ftz.f32", np.exp2, across(-126, 128), -22, False),
    ("lg2.approx.f32", np.log2, powers(-126, 128), -22, False),
    ("lg2.approx.ftz.f32", np.log2, close_to_one(), -22, False),
    ("sin.approx.f32", np.sin, across(-2 * np.pi, 2 * np.pi), -20.5, True),
    ("sin.approx.f32", np.sin, across(-100 * np.pi, 100 * np.pi), -20, True),
    ("sin.approx.ftz.f32", np.sin, across(-2e6, 2e6), -20, True),
    ("sin.approx.f32", np.sin, signed(powers(20, 47.9)), -20, True),
    ("cos.approx.f32", np.cos, signed(powers(-10, 47.9)), -20, True),
    ("cos.approx.f32", np.cos, across(-2 * np.pi, 2 * np.pi), -20.5, True),
    ("cos.approx.ftz.f32", np.cos, across(-100 * np.pi, 100 * np.pi), -20, True),
    ("tanh.approx.f32", np.tanh, signed(powers(-60, 6)), -11, False),
    ("rcp.approx.f32", np.reciprocal, signed(powers(-126, 126)), -23, False),
    ("rsqrt.approx.f32", inverse_root, powers(-126, 128), -22.9, False),
    ("sqrt.approx.f32", np.sqrt, powers(-149, 128), -23, False),
]


@pytest.mark.one_in(12)
@pytest.mark.parametrize(("opcode", "function", "values", "bound", "absolute"), BOUNDS)
def test_errors_are_within_the_manuals_bounds(opcode, function, values, bound, absolute):
    got = compute(f"{opcode} %f2, %f1;", "f2", np.float32, f1=values).astype(Wide)
    wanted = function(values.astype(Wide))
    assert not got[wanted == 0].any()
    error = abs(got - wanted) / (1 if absolute else np.where(wanted == 0, 1, abs(wanted)))
    assert error.max() < 2.0**bound, (values[error.argmax()], float(np.log2(error.max())))


def test_ex2_reaches_subnormal_numbers_and_both_ends():
    values = np.concatenate(
        [across(-150, -126), np.float32([-149, -150, -151, 127.99999, 128, 1e30, -1e30])]
    )
    got = compute("ex2.approx.f32 %f2, %f1;", "f2", np.float32, f1=values)
    wanted = np.exp2(values.astype(Wide))
    assert (abs(got - wanted)[:-4] <= 2.0**-149).all()
    assert_same(got[-3:], np.float32([INF, INF, 0]))
    ftz = compute("ex2.approx.ftz.f32 %f2, %f1;", "f2", np.float32, f1=values[:-7])
    assert (ftz[values[:-7] < -126.001] == 0).all()


HALVES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16}
OF_HALVES = [
    ("ex2.approx.f16", np.exp2, -9.9, False),
    ("ex2.approx.ftz.bf16", np.exp2, -7, False),
    ("tanh.approx.f16", np.tanh, -10.987, True),
    ("tanh.approx.bf16", np.tanh, -8, True),
]


@pytest.mark.parametrize(("opcode", "function", "bound", "absolute"), OF_HALVES)
def test_every_half(opcode, function, bound, absolute):
    type_ = opcode.rpartition(".")[2]
    dtype, bits = HALVES[type_], np.arange(65536, dtype=np.uint16)
    values = bits.view(dtype).astype(np.float64)
    got = compute(f"{opcode} %h2, %h1;", "h2", dtype, h1=bits).astype(np.float64)
    wanted = function(values)
    smallest = 2.0**-14 if type_ == "f16" else 2.0**-126
    largest = float(ml_dtypes.finfo(dtype).max)
    plain = np.isfinite(values) & (abs(wanted) <= largest) & ((abs(wanted) >= smallest) | absolute)
    error = abs(got - wanted) / (1 if absolute else np.where(wanted == 0, 1, abs(wanted)))
    assert error[plain].max() < 2.0**bound
    assert (np.isnan(got) == np.isnan(values)).all()
    beyond = np.isinf(values)
    assert_same(got[beyond], wanted[beyond])
    packed = opcode + "x2"
    both = compute(
        f"{packed} %r2, %r1;", "r2", np.uint32, r1=bits.astype(np.uint32) << 16 | bits[::-1]
    )
    assert_same((both >> 16).astype(np.uint16).view(dtype).astype(np.float64), got)
    assert_same(both.astype(np.uint16).view(dtype).astype(np.float64), got[::-1])


def test_gross_approximations_of_f64_look_at_32_bits():
    values = np.concatenate(
        [[0.0, -0.0, INF, -INF, NAN, 1e-310, -1e-310, 1e308], random_bits(2000, np.float64)]
    )
    upper = (values.view(np.uint64) & np.uint64(0xFFFFFFFF00000000)).view(np.float64)
    for name, function in (("rcp", np.reciprocal), ("rsqrt", inverse_root)):
        got = compute(f"{name}.approx.ftz.f64 %fd2, %fd1;", "fd2", np.float64, fd1=values)
        assert not (got.view(np.uint64) & np.uint64(0xFFFFFFFF)).any()
        small = abs(upper) < 2.0**-1022
        wanted = function(np.where(small, np.copysign(0.0, upper), upper))
        wanted = np.where(abs(wanted) < 2.0**-1022, np.copysign(0.0, wanted), wanted)
        plain = np.isfinite(wanted) & (wanted != 0)
        assert (abs(got[plain] / wanted[plain] - 1) < 2.0**-20).all()
        assert_same(got[~plain], wanted[~plain], values[~plain])
    got = compute("rsqrt.approx.f64 %fd2, %fd1;", "fd2", np.float64, fd1=abs(values[8:]))
    assert np.nanmax(abs(got * np.sqrt(abs(values[8:]).astype(Wide)) - 1)) < 2.0**-52


@pytest.mark.parametrize(
    "opcode", ["sin.approx", "cos.approx", "ex2.approx", "lg2.approx", "tanh.approx"]
)
def test_doubles_of_llvm_come_from_the_c_library(opcode):
    function = {"sin": np.sin, "cos": np.cos, "ex2": np.exp2, "lg2": np.log2, "tanh": np.tanh}[
        opcode[:-7]
    ]
    values = abs(RANDOM.standard_normal(100)) * 10
    got = compute(f"{opcode}.f64 %fd2, %fd1;", "fd2", np.float64, fd1=values)
    assert (abs(got / function(values.astype(Wide)) - 1) < 2.0**-51).all()


# Library functions. Arguments, what SciPy or NumPy say, and the relative error allowed.

SPREAD = signed(np.exp2(RANDOM.uniform(-30, 5, 300)))
UNIT = signed(
    np.concatenate(
        [
            RANDOM.uniform(0, 1, 200),
            np.exp2(-RANDOM.uniform(0, 50, 100)),
            1 - np.exp2(-RANDOM.uniform(0, 40, 100)),
        ]
    )
)
POSITIVE = np.exp2(RANDOM.uniform(-30, 9, 300))
CHANCES = np.concatenate(
    [
        RANDOM.uniform(0.001, 0.45, 200),
        np.exp2(-RANDOM.uniform(1.5, 1000, 300)),
        [0, 1, 1.5, -1, NAN, 5e-324],
    ]
)
FEW = 2.0**-49
LIBRARY = {
    "acos": (np.arccos, UNIT, FEW), "acosh": (np.arccosh, 1 + POSITIVE, FEW),
    "acospi": (lambda x: np.arccos(x) / Wide(np.pi), UNIT, FEW), "asin": (np.arcsin, UNIT, FEW),
    "asinh": (np.arcsinh, SPREAD, FEW), "asinpi": (lambda x: np.arcsin(x) / np.pi, UNIT, FEW),
    "atan": (np.arctan, SPREAD, FEW), "atanh": (np.arctanh, UNIT, FEW),
    "atanpi": (lambda x: np.arctan(x) / np.pi, SPREAD, FEW), "cbrt": (np.cbrt, SPREAD, FEW),
    "rcbrt": (lambda x: 1 / np.cbrt(x), SPREAD, FEW), "cosh": (np.cosh, SPREAD, FEW),
    "sinh": (np.sinh, SPREAD, FEW), "erf": (special.erf, SPREAD, FEW),
    "erfc": (special.erfc, SPREAD[SPREAD < 26], 2.0**-42), "expm1": (np.expm1, SPREAD, FEW),
    "log1p": (np.log1p, POSITIVE, FEW), "logb": (lambda x: np.frexp(x)[1] - 1.0, SPREAD, 0),
    "lgamma": (special.gammaln, POSITIVE, 2.0**-46),
    "tgamma": (special.gamma, POSITIVE[POSITIVE < 170], 2.0**-43),
    "i0": (special.i0, SPREAD * 20, 2.0**-42), "i1": (special.i1, SPREAD * 20, 2.0**-42),
    "cyl_bessel_i0": (special.i0, SPREAD, 2.0**-46),
    "cyl_bessel_i1": (special.i1, SPREAD, 2.0**-46),
    "erfinv": (special.erfinv, np.concatenate([UNIT, [0, 1, -1, 2, NAN]]), 2.0**-45),
    "erfcinv": (special.erfcinv, 2 * CHANCES, 2.0**-45),
    "erfcx": (special.erfcx, np.concatenate([SPREAD, [25.9, 26.1, 1e10, INF, -30, NAN]]), 2.0**-42),
    "normcdf": (special.ndtr, SPREAD, 2.0**-42), "ncdf": (special.ndtr, SPREAD, 2.0**-42),
    "normcdfinv": (special.ndtri, CHANCES, 2.0**-45),
    "ncdfinv": (special.ndtri, CHANCES, 2.0**-45),
    "frexp": (lambda x: np.frexp(x)[0], [*SPREAD, 0, -0.0, INF, NAN, 5e-324, 1.7e308], 0),
}  # fmt: skip


@pytest.mark.parametrize("name", LIBRARY)
def test_library_functions(name):
    function, values, bound = LIBRARY[name]
    values = np.asarray(values)
    got = compute(f"math.{name}.f64 %fd2, %fd1;", "fd2", np.float64, fd1=values)
    wanted = np.asarray(function(values), np.float64)
    plain = np.isfinite(wanted) & (wanted != 0)
    assert_same(got[~plain], wanted[~plain], values[~plain])
    error = abs(got[plain] / wanted[plain] - 1)
    assert error.max() <= bound, (values[plain][error.argmax()], float(np.log2(error.max())))
    short = values.astype(np.float32)
    got = compute(f"math.{name}.f32 %f2, %f1;", "f2", np.float32, f1=short)
    wanted = np.asarray(function(short.astype(np.float64)), np.float64).astype(np.float32)
    plain = np.isfinite(wanted) & (abs(wanted) > 1e-30)
    assert (abs(got[plain] / wanted[plain] - 1) <= 2.0**-22).all()


def test_bessel_functions_of_the_first_and_second_kind():
    values = RANDOM.uniform(0.1, 30, 200)
    for name, function in (
        ("j0", special.j0),
        ("j1", special.j1),
        ("y0", special.y0),
        ("y1", special.y1),
    ):
        got = compute(f"math.{name}.f64 %fd2, %fd1;", "fd2", np.float64, fd1=values)
        assert (abs(got - function(values)) < 1e-14).all(), name
    orders = np.resize(np.arange(5, dtype=np.int32), 200)
    for name, function in (("jn", special.jv), ("yn", special.yv)):
        got = compute(f"math.{name}.f64 %fd2, %r1, %fd1;", "fd2", np.float64, r1=orders, fd1=values)
        wanted = function(orders, values)
        assert (abs(got - wanted) < 1e-12 * (1 + abs(wanted))).all(), name


def test_functions_of_half_turns_are_exact_where_they_can_be():
    values = np.concatenate([np.arange(-9, 10) / 4, [2.0**53, 2.0**60, 1e300, -0.0, INF, NAN]])
    degrees = [math.radians(float(v) % 2 * 180) for v in values[:19]]
    sine = compute("math.sinpi.f64 %fd2, %fd1;", "fd2", np.float64, fd1=values)
    cosine = compute("math.cospi.f64 %fd2, %fd1;", "fd2", np.float64, fd1=values)
    assert np.allclose(sine[:19], np.sin(degrees), rtol=0, atol=1e-15)
    assert np.allclose(cosine[:19], np.cos(degrees), rtol=0, atol=1e-15)
    whole, half = values % 1 == 0, values % 1 == 0.5
    assert not sine[whole].any()
    assert set(cosine[whole]) == {1.0, -1.0}
    assert not cosine[half].any()
    assert np.isnan(sine[-2:]).all()
    tangent = compute(
        "math.tanpi.f64 %fd2, %fd1;", "fd2", np.float64, fd1=np.array([0.25, -0.25, 0.5])
    )
    assert np.allclose(tangent[:2], [1, -1], rtol=2.0**-50, atol=0)
    assert np.isinf(tangent[2])


def test_functions_of_two_and_more():
    x, y, z = (RANDOM.standard_normal(64) for _ in range(3))
    n = np.resize(np.arange(-8, 8, dtype=np.int32), 64)
    n = np.where(n == 0, 3, n).astype(np.int32)
    three = np.sqrt(x * x + y * y + z * z)
    power = n.astype(float)
    roots = np.sign(x) * abs(x) ** (1 / power)
    rests = np.array([math.remainder(a, b) for a, b in zip(x, y, strict=True)])
    cases = [
        ("atan2", "%fd1, %fd2", np.arctan2(x, y)),
        ("atan2pi", "%fd1, %fd2", np.arctan2(x, y) / np.pi),
        ("rhypot", "%fd1, %fd2", 1 / np.hypot(x, y)),
        ("norm3d", "%fd1, %fd2, %fd3", three),
        ("rlen3", "%fd1, %fd2, %fd3", 1 / three),
        ("pown", "%fd1, %r1", x**power),
        ("ldexp", "%fd1, %r1", np.ldexp(x, n)),
        ("rootn", "%fd1, %r1", np.where((n % 2 == 0) & (x < 0), NAN, roots)),
        ("remainder", "%fd1, %fd2", rests),
    ]
    for name, operands, wanted in cases:
        registers = {"fd1": x, "fd2": y, "fd3": z, "r1": n}
        used = {k: v for k, v in registers.items() if f"%{k}" in operands}
        got = compute(f"math.{name}.f64 %fd5, {operands};", "fd5", np.float64, **used)
        plain = ~np.isnan(wanted)
        assert np.isnan(got[~plain]).all(), name
        assert (abs(got[plain] - wanted[plain]) <= 1e-14 * abs(wanted[plain]) + 1e-300).all(), name


@pytest.mark.parametrize(
    ("type_", "register", "dtype"),
    [("f32", "f", np.float32), ("f64", "fd", np.float64), ("f16", "h", np.float16)],
)
def test_next_numbers(type_, register, dtype):
    x, y = random_bits(2000, dtype, 1), random_bits(2000, dtype, 2)
    x[:6], y[:6] = [0, -0.0, 1, INF, 1, NAN], [1, -1, 1, 0, NAN, 1]
    operands = ", ".join(f"%{register}{k}" for k in (3, 1, 2))
    registers = {f"{register}1": x, f"{register}2": y}
    got = compute(f"math.nextafter.{type_} {operands};", f"{register}3", dtype, **registers)
    assert_same(got, np.nextafter(x, y), x, y)


def test_parts_of_numbers():
    values = np.array([1.0, -3.5, 5e-324, 1.7e308, 0.0, INF, NAN])
    got = compute("math.frexp_exp.s32.f64 %r1, %fd1;", "r1", np.int32, fd1=values)
    assert got.tolist() == [1, 2, -1073, 1024, 0, 0, 0]
    got = compute("math.ilogb.s32.f32 %r1, %f1;", "r1", np.int32, f1=np.float32([1, 1e-45, 12]))
    assert got.tolist() == [0, -149, 3]
    x, y = np.array([17.0, -17.0, 1000.0, 5.0]), np.array([5.0, 5.0, 3.0, -2.0])
    got = compute("math.quotient.s32.f64 %r1, %fd1, %fd2;", "r1", np.int32, fd1=x, fd2=y)
    assert got.tolist() == [3, -3, 333 % 128, -2]
    values = np.array([0.5, -0.5, -1.5, -2.5, 0.0, -0.0, -3.0])
    got = compute("math.lgamma_sign.s32.f64 %r1, %fd1;", "r1", np.int32, fd1=values)
    assert got.tolist()[:6] == [1, -1, 1, -1, 1, -1]


def reason(statement):
    return REFUSALS["math"](first_instruction(statement))


def test_functions_without_code_are_refused_by_name():
    assert "cubeid" in reason("math.cubeid.f32 %f1, %f2, %f3, %f4;")
    assert "2 operands" in reason("math.atan2.f32 %f1, %f2;")
    assert reason("math.erf.f32 %f1, %f2;") is None
    assert reason("math.nextafter.f32 %f1, %f2, %f3;") is None


def test_every_function_that_a_front_end_emits_has_code():
    text = files("warpmill.analyzer.frontends.llvm").joinpath("calls_math.toml").read_text()
    table = tomllib.loads(text)
    assert {*table["functions"], *table["to_integer"]} <= {*FUNCTIONS, "nextafter"}
