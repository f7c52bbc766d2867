"""f32 and f64 arithmetic against NumPy and exact rational rounding."""

from fractions import Fraction

import numpy as np
import pytest

from tests.reference.float_oracle import (
    F32,
    F64,
    assert_same,
    compute,
    first_instruction,
    fraction,
    near,
    random_bits,
    rounded,
)
from warpmill.analyzer.ir.operation import decode
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmModule, LlvmValue
from warpmill.executor.native.rules import REFUSALS, floats

pytestmark = pytest.mark.filterwarnings("ignore:(invalid value|overflow|divide by zero)")

TYPES = {"f32": (np.float32, "r", F32), "f64": (np.float64, "d", F64)}
EDGES = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 1e-45, -1e-45, 2.0**-126, -(2.0**-126),
         3.4028234e38, -3.4028234e38, 1 + 2.0**-23]  # fmt: skip
EXACT = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "fma": lambda a, b, c: a * b + c,
}
PLAIN = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide}


def pairs(dtype, count=1500):
    """All pairs of edges, numbers of ordinary size, random bits."""
    grid = np.array(np.meshgrid(EDGES, EDGES)).reshape(2, -1).astype(dtype)
    a = np.concatenate([grid[0], near(dtype, count, 1), random_bits(count, dtype, 2)])
    b = np.concatenate([grid[1], near(dtype, count, 3), random_bits(count, dtype, 4)])
    return a, b


def exact_results(name, format_, mode, *sources):
    """Round the rational results; None where a source or a divisor makes it no number."""
    for values in zip(*sources, strict=True):
        if not np.isfinite(values).all() or (name == "div" and values[1] == 0):
            yield None
            continue
        exact = EXACT[name](*[fraction(v) for v in values])
        yield None if exact == 0 else rounded(exact, format_, mode)


def check_against_exact(got, wanted, *sources):
    known = np.array([w is not None for w in wanted])
    numbers = np.array([w for w in wanted if w is not None])
    assert known.sum() > len(wanted) // 2
    assert_same(got[known].astype(np.float64), numbers, *[s[known] for s in sources])


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("name", PLAIN)
def test_nearest_is_that_of_numpy(name, type_):
    dtype, register, _ = TYPES[type_]
    a, b = pairs(dtype)
    word = "div.rn" if name == "div" else name
    got = compute(
        f"{word}.{type_} %{register}3, %{register}1, %{register}2;", f"{register}3", dtype,
        **{f"{register}1": a, f"{register}2": b},
    )  # fmt: skip
    assert_same(got, PLAIN[name](a, b), a, b)


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("mode", ["rn", "rz", "rm", "rp"])
def test_every_rounding_is_exact(name, type_, mode):
    dtype, register, format_ = TYPES[type_]
    sources = [*pairs(dtype, 400)]
    if name == "fma":
        sources.append(
            np.concatenate([near(dtype, len(sources[0]) - 400, 7), random_bits(400, dtype)])
        )
        sources[2][:300] = -(sources[0] * sources[1])[:300]  # only the product's error is left
    operands = ", ".join(f"%{register}{k}" for k in (5, *range(1, len(sources) + 1)))
    got = compute(
        f"{name}.{mode}.{type_} {operands};", f"{register}5", dtype,
        **{f"{register}{k}": s for k, s in enumerate(sources, 1)},
    )  # fmt: skip
    check_against_exact(got, list(exact_results(name, format_, mode, *sources)), *sources)


def test_the_rounding_mode_is_restored():
    third = np.full(32, 1 / 3, np.float32)
    statement = "fma.rp.f32 %f4, %f1, %f1, %f2; fma.rn.f32 %f5, %f1, %f1, %f2;"
    tiny = np.full(32, 1e-20, np.float32)
    up, near_ = (compute(statement, f"f{k}", np.float32, f1=third, f2=tiny) for k in (4, 5))
    exact = Fraction(float(third[0])) ** 2 + Fraction(float(tiny[0]))
    assert up[0] == rounded(exact, F32, "rp")
    assert near_[0] == rounded(exact, F32)
    assert np.nextafter(np.float32(1), np.float32(2)) - 1 == np.float32(2.0**-23)  # NumPy's too


def flushed(values):
    small = np.abs(values) < np.float32(2.0**-126)
    return np.where(small, np.copysign(np.float32(0), values), values)


def test_ftz_flushes_sources_and_results():
    a, b = pairs(np.float32, 800)
    c = random_bits(len(a), np.float32, 9)
    got = compute("fma.rn.ftz.f32 %f5, %f1, %f2, %f3;", "f5", np.float32, f1=a, f2=b, f3=c)
    x, y, z = (flushed(v) for v in (a, b, c))
    exact = list(exact_results("fma", F32, "rn", x, y, z))
    wanted = [None if w is None else flushed(np.float32(w)) for w in exact]
    check_against_exact(got, wanted, a, b, c)
    keeps = compute("fma.rn.f32 %f5, %f1, %f2, %f3;", "f5", np.float32,
                    f1=np.float32([1e-39]), f2=np.float32([1]), f3=np.float32([1e-40]))  # fmt: skip
    assert keeps[0] == np.float32(1e-39) + np.float32(1e-40)


def test_sat_clamps_and_makes_nan_zero():
    a = np.float32([-1, -0.0, 0.25, 0.5, 2, np.inf, -np.inf, np.nan])
    one, zero = np.ones_like(a), np.zeros_like(a)
    got = compute("fma.rn.sat.f32 %f5, %f1, %f2, %f3;", "f5", np.float32, f1=a, f2=one, f3=zero)
    assert_same(got, np.float32([0, 0, 0.25, 0.5, 1, 1, 0, 0]))
    got = compute("fma.rz.ftz.sat.f32 %f5, %f1, %f2, %f3;", "f5", np.float32, f1=a, f2=one, f3=zero)
    assert_same(got, np.float32([0, 0, 0.25, 0.5, 1, 1, 0, 0]))


def test_division_by_large_numbers_is_approximate():
    """As ``a`` times a reciprocal that is subnormal, taken as zero, above 2^126."""
    a = np.float32([1, -1, np.inf, 2.0**127, 2.0**127, 3, 0, 1])
    b = np.float32([2.0**127, 2.0**127, 2.0**127, -(2.0**127), 2.0**126, 2, 0, 2.0**-126])
    wanted = np.float32([0, -0.0, np.nan, -0.0, 2, 1.5, np.nan, 2.0**126])
    got = compute("div.approx.f32 %f3, %f1, %f2;", "f3", np.float32, f1=a, f2=b)
    assert_same(got, wanted, a, b)
    got = compute("div.full.f32 %f3, %f1, %f2;", "f3", np.float32, f1=a, f2=b)
    assert_same(got, a / b, a, b)


def test_pairs_of_f32():
    a, b, c = (near(np.float32, 64, k) for k in (1, 2, 3))
    packed = {f"d{k}": v.view(np.uint64) for k, v in enumerate((a, b, c), 1)}
    got = compute("fma.rz.f32x2 %d5, %d1, %d2, %d3;", "d5", np.float32, **packed)
    check_against_exact(got, list(exact_results("fma", F32, "rz", a, b, c)), a, b, c)


def test_mixed_types():
    a, b = near(np.float16, 500, 1), near(np.float16, 500, 2)
    c = near(np.float32, 500, 3)
    got = compute("fma.rn.f32.f16 %f5, %h1, %h2, %f3;", "f5", np.float32, h1=a, h2=b, f3=c)
    wide = a.astype(np.float32), b.astype(np.float32), c
    check_against_exact(got, list(exact_results("fma", F32, "rn", *wide)), *wide)
    for name in ("add", "sub"):
        got = compute(f"{name}.rz.f32.f16 %f5, %h1, %f3;", "f5", np.float32, h1=a, f3=c)
        check_against_exact(got, list(exact_results(name, F32, "rz", wide[0], c)), a, c)


def run_function(function, opcode, *types):
    """Write one of the functions that other rules call, and give its text."""
    e = Emitter(LlvmModule(32))
    sources = [LlvmValue(f"%a{k}", t) for k, t in enumerate(types)]
    result = function(e, decode(opcode), *sources)
    return "\n".join([*e.lines, *[f.text for f in e.module.shared.values()]]), result


def test_plain_arithmetic_is_one_instruction():
    for function, opcode in (
        (floats.add, "add.f32"),
        (floats.mul, "mul.rn.f64"),
        (floats.sub, "sub.f32"),
    ):
        type_ = "float" if "32" in opcode else "double"
        text, result = run_function(function, opcode, type_, type_)
        assert text.count("=") == 1, text
        assert result.type == type_
    text, _ = run_function(floats.multiply_add, "fma.rn.f32", "float", "float", "float")
    assert text.count("call") == 1


EXTREMA = ("min", "max")


def extremum(name, a, b, *, nan=False):
    """The manual's rules, number by number: -0 is less than +0."""
    if np.isnan(a) or np.isnan(b):
        return np.nan if nan or (np.isnan(a) and np.isnan(b)) else (b if np.isnan(a) else a)
    first = (a, not np.signbit(a)) < (b, not np.signbit(b))
    return a if first == (name == "min") else b


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("name", EXTREMA)
def test_extrema(name, type_):
    dtype, register, _ = TYPES[type_]
    a, b = pairs(dtype, 200)
    registers = {f"{register}1": a, f"{register}2": b}
    operands = f"%{register}3, %{register}1, %{register}2;"
    got = compute(f"{name}.{type_} {operands}", f"{register}3", dtype, **registers)
    assert_same(got, np.array([extremum(name, *v) for v in zip(a, b, strict=True)]), a, b)
    if type_ == "f32":
        bits = got.view(np.uint32)[np.isnan(got)]
        assert set(bits.tolist()) == {0x7FFFFFFF}


@pytest.mark.parametrize("name", EXTREMA)
def test_extrema_with_modifiers(name):
    a, b = pairs(np.float32, 200)
    c = random_bits(len(a), np.float32, 5)
    c[:100] = np.resize(np.float32(EDGES), 100)
    got = compute(f"{name}.NaN.f32 %f4, %f1, %f2;", "f4", np.float32, f1=a, f2=b)
    assert_same(got, np.array([extremum(name, *v, nan=True) for v in zip(a, b, strict=True)]), a, b)
    got = compute(f"{name}.ftz.f32 %f4, %f1, %f2;", "f4", np.float32, f1=a, f2=b)
    small = zip(flushed(a), flushed(b), strict=True)
    assert_same(got, np.array([extremum(name, *v) for v in small]), a, b)
    got = compute(f"{name}.f32 %f4, %f1, %f2, %f3;", "f4", np.float32, f1=a, f2=b, f3=c)
    three = [extremum(name, extremum(name, x, y), z) for x, y, z in zip(a, b, c, strict=True)]
    assert_same(got, np.array(three), a, b, c)
    got = compute(f"{name}.xorsign.abs.f32 %f4, %f1, %f2;", "f4", np.float32, f1=a, f2=b)
    sizes = np.array([extremum(name, abs(x), abs(y)) for x, y in zip(a, b, strict=True)])
    signs = np.where(np.signbit(a) != np.signbit(b), -1, 1)
    assert_same(got, np.copysign(sizes, signs), a, b)


def test_signs():
    values = np.concatenate([np.array(EDGES, np.float32), random_bits(500, np.float32)])
    for name, wanted in (("neg", 0x80000000), ("abs", None)):
        bits = values.view(np.uint32)
        got = compute(f"{name}.f32 %f2, %f1;", "f2", np.uint32, f1=values)
        assert (got == (bits ^ wanted if wanted else bits & 0x7FFFFFFF)).all()
        got = compute(f"{name}.ftz.f32 %f2, %f1;", "f2", np.float32, f1=values)
        assert_same(got, (-flushed(values) if wanted else np.abs(flushed(values))))


def test_out_of_bounds_fma_is_refused():
    instruction = first_instruction("fma.rn.oob.f16 %h1, %h2, %h3, %h4;")
    assert "oob" in REFUSALS["fma"](instruction)


CONSTANT = [
    ("fma.rn.f32", "f", np.float32, 3),
    ("fma.rz.f32", "f", np.float32, 3),
    ("fma.rn.ftz.sat.f32", "f", np.float32, 3),
    ("add.rp.f64", "fd", np.float64, 2),
    ("min.xorsign.abs.f32", "f", np.float32, 2),
    ("max.f64", "fd", np.float64, 2),
    ("div.approx.f32", "f", np.float32, 2),
    ("sqrt.rm.f64", "fd", np.float64, 1),
    ("sin.approx.f32", "f", np.float32, 1),
    ("lg2.approx.ftz.f32", "f", np.float32, 1),
    ("tanh.approx.f64", "fd", np.float64, 1),
    ("rcp.approx.ftz.f64", "fd", np.float64, 1),
    ("cvt.rpi.f32.f32", "f", np.float32, 1),
    ("math.erfinv.f32", "f", np.float32, 1),
]


@pytest.mark.parametrize(("opcode", "register", "dtype", "count"), CONSTANT)
def test_uniform_sources_give_the_same(opcode, register, dtype, count):
    """Constants are scalars, what is computed from them too: the code differs, not the result."""
    values = [dtype(v) for v in (0.7, -0.3, 1.1)][:count]
    prefix, digits = ("0f", 8) if dtype is np.float32 else ("0d", 16)
    texts = [f"{prefix}{int(v.view(f'u{digits // 2}')):0{digits}X}" for v in values]
    result = f"{register}5"
    uniform = compute(
        f"{opcode} %{result}, {', '.join(texts)};", result, dtype, **{result: np.zeros(1, dtype)}
    )
    arrays = {f"{register}{k}": np.full(32, v) for k, v in enumerate(values, 1)}
    operands = ", ".join(f"%{name}" for name in arrays)
    assert_same(uniform, compute(f"{opcode} %{result}, {operands};", result, dtype, **arrays)[:1])
