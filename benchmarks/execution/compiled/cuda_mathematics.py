"""mathematics.cu and narrow_floats.cu: functions, and formats of 8 and 16 bits."""

# ruff: noqa: ARG001 - oracles are called with a kernel's arguments
from __future__ import annotations

import math

import numpy as np
from scipy import special

from warpmill.benchmarks.execution.compiled.model import (
    APPROXIMATE,
    EXACT,
    Near,
    Program,
    from_bfloat,
    from_e4m3,
    from_e5m2,
    to_bfloat,
)

LIBRARY = Near(2e-5, 2e-4, "eighty functions, each right to a few units of f32 of up to 100")
LIBRARY_DOUBLE = Near(1e-12, 1e-12, "seventy functions, each right to a few units of f64")


def exponents(x):
    """Frexp's exponent, and ilogb, which is one less."""
    return np.frexp(x)[1]


def common_functions(x, y):
    """What the kernels for f32 and for f64 both sum up; f64."""
    r = np.sin(x) + np.cos(y) * np.tan(x) - np.exp(y) + np.log(x) * x**y + np.exp2(x) + np.log2(y)
    r += np.log10(x) + np.expm1(x) + np.log1p(y)
    r += np.sqrt(x) + 1 / np.sqrt(y) + np.cbrt(x) + np.hypot(x, y) + np.fmod(x, y)
    r += np.arctan2(y, x) + np.arcsin(x) + np.arccos(y)
    r += np.sinh(x) + np.cosh(y) + np.tanh(x) + np.arcsinh(y) + special.erf(x) + special.erfc(y)
    return r + special.gamma(x) + special.gammaln(y) + special.j0(x) + special.y1(y)


def mathematics_single(given, out, n):
    """The sum of `single`, in f64."""
    x, y = given.astype(np.float64).reshape(2, -1)
    r = common_functions(x, y) + np.vectorize(math.remainder)(x, y) + special.ndtr(x)
    r += np.sin(x) + np.exp(y) + x / y + (x + y) + x * y + (x * y + r) + 1 / x + np.sqrt(y)
    r += np.rint(x) + np.floor(y) + np.ceil(x) + np.trunc(y) + np.floor(x + 0.5) + np.abs(y)
    r += x + 8 * x + y / 4
    r += np.frexp(x)[0] + exponents(x) + (exponents(y) - 1) + np.ceil(x) + np.floor(y)
    r += np.clip(r, 0, 1)
    return {1: r + np.sin(x) * np.cos(x)}


def mathematics_twice(given, out, n):
    """The sum of `twice`, in f64 too: other functions, or the same by SciPy."""
    x, y = given.reshape(2, -1)
    r = common_functions(x, y) + 1 / x + x / y + special.ndtri(x)
    r += (x + y) + x * y + (x * y + r) + 1 / x + np.sqrt(y) + x / y
    r += np.rint(x) + np.floor(y) + np.ceil(x) + np.trunc(y) + np.abs(x) + x + np.rint(x)
    r += np.ceil(y) + x.astype(np.float32)
    high = np.uint64(0xFFFFFFFF00000000)
    xs, ys = x.view(np.uint64), y.view(np.uint64)
    return {1: r + (xs & high | ys & ~high).view(np.float64) + (ys ^ np.uint64(1)).view(np.float64)}


def _functions(dtype):
    return lambda rng: [
        rng.uniform(0.06, 0.97, (2, 200)).astype(dtype), np.zeros(200, dtype), np.int32(200)
    ]  # fmt: skip


def black_scholes(s, x, t, call, put, r, v, n):
    """Prices of European options."""
    s, x, t, r, v = (np.asarray(a, np.float64) for a in (s, x, t, r, v))
    d1 = (np.log(s / x) + (r + v * v / 2) * t) / (v * np.sqrt(t))
    d2 = d1 - v * np.sqrt(t)
    now = x * np.exp(-r * t)
    return {
        3: s * special.ndtr(d1) - now * special.ndtr(d2),
        4: now * special.ndtr(-d2) - s * special.ndtr(-d1),
    }


def _options(rng):
    prices = [
        rng.uniform(low, high, 300).astype(np.float32) for low, high in ((5, 30), (5, 30), (0.3, 5))
    ]
    return [
        *prices,
        *np.zeros((2, 300), np.float32),
        np.float32(0.02),
        np.float32(0.3),
        np.int32(300),
    ]


# --------------------------------------------------------------------------------- narrow formats


def all_finite(bits, from_bits):
    """Leave out the bits that are infinite or no number."""
    return bits[np.isfinite(from_bits(bits))]


def _bytes_inputs(rng):
    every = np.arange(256, dtype=np.uint8)
    a = rng.choice(all_finite(every, from_e4m3), 500)
    b = rng.choice(every[np.abs(from_e5m2(every)) < 64], 500)
    return [a, b, np.zeros((500, 4), np.uint8), np.zeros((500, 4), np.float32), np.int32(500)]


def nearest(values, table):
    """Round to the nearest of a format's numbers, ties to the even bits, saturating; f64."""
    bits = np.arange(table.size // 2)[np.isfinite(table[: table.size // 2])]
    magnitudes = table[bits].astype(np.float64)
    size = np.minimum(np.abs(values), magnitudes[-1])
    above = np.clip(np.searchsorted(magnitudes, size), 1, magnitudes.size - 1)
    low, high = magnitudes[above - 1], magnitudes[above]
    goes_up = (size - low > high - size) | ((size - low == high - size) & (bits[above] % 2 == 0))
    return np.copysign(np.where(goes_up, high, low), values), bits[above - 1] + goes_up


def in_bytes(a, b, c, d, n):
    """Arithmetic on 8-bit floats, rounded back to E4M3; of y x, through E5M2."""
    every = np.arange(256)
    x, y = from_e4m3(a).astype(np.float64), from_e5m2(b).astype(np.float64)
    v = np.stack((x + y, x * y, x - y, (x * y + 1).astype(np.float32)), 1)
    bits = nearest(v, from_e4m3(every))[1] | np.signbit(v) << 7
    widened = nearest(v[:, 1], from_e5m2(every).astype(np.float64))[0]
    v[:, 0] += widened
    return {2: bits, 3: v.astype(np.float32)}


def half_axpy(alpha, x, y, n):
    """Alpha x + y in f16, rounded after each operation."""
    return {2: alpha * x + y}


def _half_inputs(rng):
    x, y = rng.standard_normal((2, 600)).astype(np.float16)
    return [alpha_bytes(np.float16(1.5)), x, y, np.int32(600)]


def alpha_bytes(value):
    """Pass a number of a class type: a struct of its bytes."""
    return np.asarray(value).tobytes()


def bfloat_axpy(alpha, x, y, n):
    """Alpha x + y in bf16, rounded after each operation."""
    scale = from_bfloat(np.frombuffer(alpha, np.uint16))
    product = from_bfloat(to_bfloat(scale * from_bfloat(x)))
    return {2: to_bfloat(product + from_bfloat(y))}


def _bfloat_inputs(rng):
    x, y = to_bfloat(rng.standard_normal((2, 600)))
    return [to_bfloat([1.5]).tobytes(), x, y, np.int32(600)]


PROGRAMS = (
    Program("mathematics", "single", 4, 64, _functions(np.float32), mathematics_single, LIBRARY),
    Program(
        "mathematics", "twice", 4, 64, _functions(np.float64), mathematics_twice, LIBRARY_DOUBLE
    ),
    Program("mathematics", "black_scholes", 2, 64, _options, black_scholes, APPROXIMATE),
    Program("narrow_floats", "bytes", 8, 64, _bytes_inputs, in_bytes, EXACT),
    Program("narrow_floats", "axpy<__half, 8>", 2, 64, _half_inputs,
            lambda alpha, x, y, n: half_axpy(np.frombuffer(alpha, np.float16), x, y, n)),
    Program("narrow_floats", "axpy<__nv_bfloat16, 8>", 2, 64, _bfloat_inputs, bfloat_axpy),
)  # fmt: skip
