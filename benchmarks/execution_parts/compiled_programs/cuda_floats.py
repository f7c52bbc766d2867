"""mathematics.cu, narrow_floats.cu, simulations.cu and textures.cu: floating point."""

from __future__ import annotations

import math

import numpy as np
from scipy import special
from scipy.sparse import random_array

from benchmarks.execution_parts.compiled_programs.model import (
    APPROXIMATE,
    DOUBLE,
    EXACT,
    SINGLE,
    Image,
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
    """Give frexp's exponent, and ilogb, which is one less."""
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


# ------------------------------------------------------------------------------------ simulations


def transformed(given, out, batch):
    """The Fourier transform of each column."""
    result = np.fft.fft(given[..., 0] + 1j * given[..., 1].astype(np.float64), axis=0)
    return {1: np.stack((result.real, result.imag), -1)}


def pulled(p, v, dt, n):
    """Velocities after a step of gravity between all bodies."""
    at = p[:, :3].astype(np.float64)
    between = at[None] - at[:, None]
    squared = (between**2).sum(-1) + np.float32(1e-4)
    force = (p[None, :, 3, None] * between * squared[..., None] ** -1.5).sum(1)
    expected = v.astype(np.float64)
    expected[:, :3] += dt * force
    return {1: expected}


def _bodies(rng):
    p, v = rng.uniform(-1, 1, (2, 256, 4)).astype(np.float32)
    return [p, v, np.float32(0.01), np.int32(256)]


def escape_times(w, h, x0, y0, step, most):
    """Steps of z^2 + c until |z| is 2 or more; `most` where it never is."""
    c = (x0 + step * np.arange(w)) + 1j * (y0 + step * np.arange(h))[:, None]
    z, times = np.zeros_like(c), np.zeros(c.shape, int)
    for _ in range(most):
        inside = z.real**2 + z.imag**2 < 4
        times += inside
        z = np.where(inside, z * z + c, z)
    return times


def escaped(share):
    """Give the oracle of a fractal: but for a share of points, where rounding decides."""

    def oracle(out, w, h, *rest):
        times = escape_times(w, h, *map(float, rest[:3]), rest[3])
        expected = np.where(times == rest[3], 0, times & 255)
        return {0: lambda got: bool((got != expected).mean() <= share)}

    return oracle


def _fractal_inputs(dtype):
    return lambda _rng: [
        np.zeros((45, 70), np.uint8), np.int32(70), np.int32(45), dtype(-2.03), dtype(-1.013),
        dtype(0.0421), np.int32(90),
    ]  # fmt: skip


def _sparse_inputs(dtype):
    def inputs(rng):
        matrix = random_array((100, 80), density=0.15, format="csr", rng=rng, dtype=np.float64)
        x = rng.standard_normal(80).astype(dtype)
        parts = (matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32))
        return [*parts, matrix.data.astype(dtype), x, np.zeros(100, dtype), np.int32(100)]

    return inputs


def multiplied(rows, cols, values, x, y, n):
    """A sparse matrix times a vector."""
    from scipy.sparse import csr_array  # noqa: PLC0415 - only here

    return {4: csr_array((values.astype(np.float64), cols, rows), (n, x.size)) @ x}


def visited(start, edges, depth, frontier, nexts, n_next, n, level):
    """One level of a breadth-first search; the next frontier in any order."""
    around = np.concatenate([edges[start[v] : start[v + 1]] for v in frontier[:n]])
    found = np.unique(around[depth[around] == -1])
    reached = depth.copy()
    reached[found] = level + 1
    return {
        2: reached,
        4: lambda got: bool((np.sort(got[: found.size]) == found).all()),
        5: np.array([found.size]),
    }


def _graph(rng):
    degrees = rng.integers(0, 9, 200)
    start = np.concatenate(([0], degrees.cumsum())).astype(np.int32)
    edges = rng.integers(0, 200, start[-1]).astype(np.int32)
    depth = np.where(rng.random(200) < 0.4, 2, -1).astype(np.int32)
    frontier = rng.permutation(200)[:70].astype(np.int32)
    counts = [np.zeros(200, np.int32), np.zeros(1, np.int32), np.int32(70), np.int32(4)]
    return [start, edges, depth, frontier, *counts]


def smoothed_with_edges(radius):
    """Give the oracle of a bilateral filter with clamped edges."""

    def oracle(image, out, w, h, s):
        wide = np.pad(image.values.astype(np.float64), radius, mode="edge")
        centre, total, weight = image.values.astype(np.float64), 0.0, 0.0
        for dy in range(2 * radius + 1):
            for dx in range(2 * radius + 1):
                value = wide[dy : dy + h, dx : dx + w]
                squared = (dx - radius) ** 2 + (dy - radius) ** 2
                g = np.exp(-squared * 0.1 - (value - centre) ** 2 * s)
                total, weight = total + g * value, weight + g
        return {1: total / weight}

    return oracle


def _image(rng):
    values = rng.uniform(0, 1, (20, 30)).astype(np.float32)
    return [
        Image(values),
        np.zeros((20, 30), np.float32),
        np.int32(30),
        np.int32(20),
        np.float32(3),
    ]


SPARSE = (("float", np.float32, 1), ("float", np.float32, 8), ("double", np.float64, 32))

PROGRAMS = (
    Program("mathematics", "single", 4, 64, _functions(np.float32), mathematics_single, LIBRARY),
    Program("mathematics", "twice", 4, 64, _functions(np.float64), mathematics_twice, LIBRARY_DOUBLE),
    Program("mathematics", "black_scholes", 2, 64, _options, black_scholes, APPROXIMATE),
    Program("narrow_floats", "bytes", 8, 64, _bytes_inputs, in_bytes, EXACT),
    Program("narrow_floats", "axpy<__half, 8>", 2, 64, _half_inputs,
            lambda alpha, x, y, n: half_axpy(np.frombuffer(alpha, np.float16), x, y, n)),
    Program("narrow_floats", "axpy<__nv_bfloat16, 8>", 2, 64, _bfloat_inputs, bfloat_axpy),
    *(
        Program(
            "simulations", f"fourier<{n}>", 2, 32,
            lambda rng, n=n: [rng.standard_normal((n, 50, 2)).astype(np.float32),
                              np.zeros((n, 50, 2), np.float32), np.int32(50)],
            transformed, SINGLE,
        )
        for n in (8, 16, 32, 64)
    ),
    Program("simulations", "bodies", 4, 64, _bodies, pulled, APPROXIMATE, shared=1024),
    Program("simulations", "fractal<float>", (9, 6), (8, 8), _fractal_inputs(np.float32), escaped(0.02)),
    Program("simulations", "fractal<double>", (9, 6), (8, 8), _fractal_inputs(np.float64), escaped(0)),
    *(
        Program("simulations", f"sparse<{name}, {lanes}>", -(-100 * lanes // 96), 96,
                _sparse_inputs(dtype), multiplied, SINGLE if dtype is np.float32 else DOUBLE)
        for name, dtype, lanes in SPARSE
    ),
    Program("simulations", "breadth_first", 2, 64, _graph, visited),
    *(
        Program("textures", f"bilateral<{r}>", (4, 3), (8, 8), _image, smoothed_with_edges(r), APPROXIMATE)
        for r in (2, 5)
    ),
)  # fmt: skip
