"""f16, bf16 and pairs of them against exact rational rounding."""

import ml_dtypes
import numpy as np
import pytest

from tests.reference.float_oracle import (
    BF16,
    F16,
    assert_same,
    compute,
    fraction,
    near,
    random_bits,
    rounded,
)

pytestmark = pytest.mark.filterwarnings("ignore:(invalid value|overflow|divide by zero)")

TYPES = {"f16": (np.float16, F16), "bf16": (ml_dtypes.bfloat16, BF16)}
EDGES = {  # zero, least subnormal and normal numbers, one, largest, infinity, NaN; and negative
    "f16": [0, 1, 0x3FF, 0x400, 0x3C00, 0x3C01, 0x7BFF, 0x7C00, 0x7E00],
    "bf16": [0, 1, 0x7F, 0x80, 0x3F80, 0x3F81, 0x7F7F, 0x7F80, 0x7FC0],
}
EXACT = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
         "fma": lambda a, b, c: a * b + c}  # fmt: skip
EVERY = np.arange(65536, dtype=np.uint16)


def bits_of(type_, count, seed):
    """Edges, bits of numbers of ordinary size, random bits."""
    edges = np.array([v | s for v in EDGES[type_] for s in (0, 0x8000)], np.uint16)
    ordinary = near(np.float32, count, seed).astype(TYPES[type_][0]).view(np.uint16)
    return np.concatenate([np.roll(np.resize(edges, 18 * 18), seed), ordinary,
                           random_bits(count, np.float16, seed).view(np.uint16)])  # fmt: skip


def sources_of(type_, count, number):
    """Operands of which the first two meet at all pairs of edges."""
    first = bits_of(type_, count, 0)
    first[: 18 * 18] = np.repeat(first[:18], 18)
    return [first, *[bits_of(type_, count, k) for k in range(1, number)]]


def exact_results(name, type_, *sources):
    dtype, format_ = TYPES[type_]
    wide = [s.view(dtype).astype(np.float64) for s in sources]
    for values in zip(*wide, strict=True):
        finite = np.isfinite(values).all()
        exact = EXACT[name](*[fraction(v) for v in values]) if finite else 0
        # Doubles hold all special cases and the signs of zero.
        yield rounded(exact, format_) if exact else EXACT[name](*values)


def check(got, wanted, type_, *sources):
    dtype = TYPES[type_][0]
    assert_same(
        got.view(dtype).astype(np.float64), np.array(wanted), *[s.view(dtype) for s in sources]
    )


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("name", EXACT)
def test_results_are_rounded_once(name, type_):
    sources = sources_of(type_, 1500, 3 if name == "fma" else 2)
    operands = ", ".join(f"%h{k}" for k in (4, *range(1, len(sources) + 1)))
    registers = {f"h{k}": s for k, s in enumerate(sources, 1)}
    got = compute(f"{name}.rn.{type_} {operands};", "h4", np.uint16, **registers)
    wanted = list(exact_results(name, type_, *sources))
    check(got, wanted, type_, *sources)
    others = [s[::-1].copy() for s in sources]
    packed = {
        f"r{k}": s.astype(np.uint32) << 16 | o
        for k, (s, o) in enumerate(zip(sources, others, strict=True), 1)
    }
    operands = operands.replace("h", "r")
    both = compute(f"{name}.rn.{type_}x2 {operands};", "r4", np.uint32, **packed)
    check((both >> 16).astype(np.uint16), wanted, type_, *sources)
    check(both.astype(np.uint16), wanted[::-1], type_, *others)


@pytest.mark.parametrize("type_", TYPES)
def test_fma_next_to_the_middle_of_two_numbers(type_):
    """Products that end exactly between two numbers, and a third operand that tips the balance."""
    dtype, format_ = TYPES[type_]
    step = 2.0 ** (1 - format_.precision)
    odd = 1 + np.arange(1, 64, 2) * step
    a = np.concatenate([odd, -odd]).astype(dtype)
    b = np.full(a.shape, 1 + step * (1 << format_.precision - 2), dtype)  # 1.5: half a unit left
    least = 2.0 ** (-24 if type_ == "f16" else -133)
    for tip in (least, -least, 0.0):
        c = np.full(a.shape, tip, dtype)
        got = compute(f"fma.rn.{type_} %h4, %h1, %h2, %h3;", "h4", np.uint16, h1=a, h2=b, h3=c)
        wanted = list(exact_results("fma", type_, *[v.view(np.uint16) for v in (a, b, c)]))
        check(got, wanted, type_, a.view(np.uint16))
        through_float = (a.astype(np.float32) * b.astype(np.float32) + np.float32(tip)).astype(
            dtype
        )
        rounded_twice = through_float.astype(np.float64) != np.array(wanted)
        assert rounded_twice.any() == (tip != 0)  # else the case would show nothing


def flushed(values):
    return np.where(abs(values) < 2.0**-14, np.copysign(0.0, values), values)


def test_modifiers_of_f16():
    sources = sources_of("f16", 800, 2)
    a, b = (s.view(np.float16).astype(np.float64) for s in sources)
    registers = {"h1": sources[0], "h2": sources[1]}
    got = compute("add.ftz.f16 %h3, %h1, %h2;", "h3", np.uint16, **registers)
    small = [flushed(v).astype(np.float16).view(np.uint16) for v in (a, b)]
    check(got, flushed(np.array(list(exact_results("add", "f16", *small)))), "f16", *sources)
    got = compute("mul.sat.f16 %h3, %h1, %h2;", "h3", np.uint16, **registers)
    product = np.array(list(exact_results("mul", "f16", *sources)))
    check(got, np.where(product > 0, np.minimum(product, 1), 0.0), "f16", *sources)
    got = compute(
        "fma.rn.relu.f16 %h3, %h1, %h2, %h4;", "h3", np.uint16, h4=sources[0], **registers
    )
    total = np.array(list(exact_results("fma", "f16", *sources, sources[0])))
    check(got, np.where(total <= 0, 0.0, total), "f16", *sources)
    assert set(got[np.isnan(total)].tolist()) == {0x7FFF}


def test_relu_of_packed_bf16():
    sources = sources_of("bf16", 300, 3)
    packed = {f"r{k}": s.astype(np.uint32) << 16 | s for k, s in enumerate(sources, 1)}
    got = compute("fma.rn.relu.bf16x2 %r4, %r1, %r2, %r3;", "r4", np.uint32, **packed)
    total = np.array(list(exact_results("fma", "bf16", *sources)))
    for half in (got >> 16, got & 0xFFFF):
        check(half.astype(np.uint16), np.where(total <= 0, 0.0, total), "bf16", *sources)
        assert set(half[np.isnan(total)].tolist()) == {0x7FFF}


@pytest.mark.parametrize("type_", TYPES)
def test_signs_of_every_number(type_):
    assert (compute(f"neg.{type_} %h2, %h1;", "h2", np.uint16, h1=EVERY) == EVERY ^ 0x8000).all()
    assert (compute(f"abs.{type_} %h2, %h1;", "h2", np.uint16, h1=EVERY) == EVERY & 0x7FFF).all()
    packed = EVERY.astype(np.uint32) << 16 | EVERY[::-1]
    got = compute(f"neg.{type_}x2 %r2, %r1;", "r2", np.uint32, r1=packed)
    assert (got == packed ^ np.uint32(0x80008000)).all()
    got = compute(f"abs.{type_}x2 %r2, %r1;", "r2", np.uint32, r1=packed)
    assert (got == packed & np.uint32(0x7FFF7FFF)).all()


def test_signs_with_ftz():
    values = EVERY.view(np.float16).astype(np.float64)
    got = compute("neg.ftz.f16 %h2, %h1;", "h2", np.float16, h1=EVERY)
    assert_same(got.astype(np.float64), -flushed(values))


def extremum(name, a, b, *, nan):
    if np.isnan(a) or np.isnan(b):
        return np.nan if nan or (np.isnan(a) and np.isnan(b)) else (b if np.isnan(a) else a)
    first = (a, not np.signbit(a)) < (b, not np.signbit(b))
    return a if first == (name == "min") else b


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("name", ["min", "max"])
@pytest.mark.parametrize("modifiers", ["", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs"])
def test_extrema(name, type_, modifiers):
    sources = sources_of(type_, 500, 2)
    dtype = TYPES[type_][0]
    a, b = (s.view(dtype).astype(np.float64) for s in sources)
    got = compute(
        f"{name}{modifiers}.{type_} %h3, %h1, %h2;", "h3", np.uint16, h1=sources[0], h2=sources[1]
    )
    x, y = (abs(a), abs(b)) if "abs" in modifiers else (a, b)
    wanted = np.array([extremum(name, *v, nan="NaN" in modifiers) for v in zip(x, y, strict=True)])
    if "xorsign" in modifiers:
        wanted = np.copysign(wanted, np.where(np.signbit(a) != np.signbit(b), -1, 1))
    check(got, wanted, type_, *sources)
    assert set(got[np.isnan(wanted)].tolist()) == {0x7FFF}
    packed = [s.astype(np.uint32) << 16 | s[::-1] for s in sources]
    both = compute(
        f"{name}{modifiers}.{type_}x2 %r3, %r1, %r2;", "r3", np.uint32, r1=packed[0], r2=packed[1]
    )
    assert ((both >> 16) == got).all()
    assert ((both & 0xFFFF) == got[::-1]).all()


def test_a_warp_of_64_lanes():
    a, b = (np.clip(near(np.float16, 256, k), -8, 8) for k in (1, 2))
    got = compute("add.f16 %h3, %h1, %h2;", "h3", np.float16, lanes=64, h1=a, h2=b)
    assert_same(got, a + b)
    got = compute("ex2.approx.f16 %h3, %h1;", "h3", np.float16, lanes=64, h1=a)
    assert np.allclose(got.astype(float), np.exp2(a.astype(float)), rtol=2.0**-9.9, atol=2.0**-25)
