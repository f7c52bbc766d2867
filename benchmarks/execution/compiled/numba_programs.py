"""What numba-cuda makes of numba_kernels.py; the number after a kernel is its place there."""

# ruff: noqa: ARG001 - oracles are called with a kernel's arguments
from __future__ import annotations

import numpy as np
from scipy import special

from warpmill.benchmarks.execution.compiled.cuda_reductions import as_mask
from warpmill.benchmarks.execution.compiled.model import (
    DOUBLE,
    SINGLE,
    Near,
    Program,
    Strided,
)

LIBRARY = Near(1e-4, 1e-4, "a dozen functions in f32, each right to a few units, of up to 100")
LIBRARY_DOUBLE = Near(1e-11, 1e-11, "a dozen functions in f64, each right to a few units")


def _matrices(dtype):
    def inputs(rng):
        shapes = (35, 50), (50, 40)
        a, b = (rng.standard_normal(shape).astype(dtype) for shape in shapes)
        return [Strided(a), Strided(b), Strided(np.zeros((35, 40), dtype))]

    return inputs


def multiplied(a, b, c):
    """A product, summed in f32 in both versions: the tiles are of f32."""
    return {2: a.astype(np.float64) @ b}


def summed(values, out):
    """A sum that an atomic adds."""
    return {1: out + values.sum()}


def escaped(image, low, high, most):
    """The step at which |z| is above 2; the first axis of the grid is that of the rows."""
    h, w = image.shape
    c = low.real + np.arange(w) * (high.real - low.real) / w
    c = c + 1j * (low.imag + np.arange(h) * (high.imag - low.imag) / h)[:, None]
    z, times = np.zeros_like(c), np.zeros(c.shape, int)
    left = np.ones(c.shape, bool)
    for i in range(most):
        z = np.where(left, z * z + c, z)
        out = left & (z.real**2 + z.imag**2 > 4)
        times[out] = i
        left &= ~out
    return {0: lambda got: bool((got != times.astype(image.dtype)).mean() <= 0.01)}


def pulled(position, velocity, dt):
    """Velocities after a step of gravity."""
    at = position[:, :3].astype(np.float64)
    between = at[None] - at[:, None]
    squared = (between**2).sum(-1) + 1e-6
    force = (position[None, :, 3, None] * between * squared[..., None] ** -1.5).sum(1)
    return {1: velocity + force * dt}


def _bodies(dtype):
    def inputs(rng):
        position = rng.uniform(-9, 9, (70, 4)).astype(dtype)
        return [Strided(position), Strided(rng.standard_normal((70, 3)).astype(dtype)), dtype(0.01)]

    return inputs


def counted(values, bins, low, width):
    """A histogram; the first bin also takes the largest value of the second at some moment."""
    at = ((values - low) / width).astype(int)
    expected = bins + np.bincount(at[(at >= 0) & (at < bins.size)], minlength=bins.size)
    return {1: np.ma.array(expected, mask=np.arange(bins.size) == 0)}


def _values(dtype, count):
    def inputs(rng):
        values = (rng.integers(2, 60, 900) + 0.5).astype(dtype)  # in the middle of a bin
        return [Strided(values), Strided(np.zeros(40, count)), dtype(1), dtype(1)]

    return inputs


def waved(z, out):
    """A chain of complex functions."""
    z = z.astype(np.complex128)
    w = z * z / (z + 1j) - z.conj()
    return {1: np.exp(w) * np.abs(z)}


def _complex(dtype):
    def inputs(rng):
        z = (rng.standard_normal(100) + 1j * rng.uniform(0, 1, 100)).astype(dtype)
        return [Strided(z), Strided(np.zeros(100, dtype))]

    return inputs


def special_functions(x, out):
    """A sum of functions, `//` and `%` as Python has them."""
    v = x.astype(np.float64)
    total = special.erf(v) + special.gammaln(v) + v**1.7 + np.arctan2(v, 2) + np.log1p(v)
    total += np.fmod(v, 3) + np.sinh(v) * np.cos(v) + np.rint(v) + v // 3 + v % 5
    return {1: total}


def _positive(dtype):
    def inputs(rng):
        return [Strided(rng.uniform(0.1, 4.4, 200).astype(dtype)), Strided(np.zeros(200, dtype))]

    return inputs


def scanned(values, out):
    """Sums within a warp; where one is above 100, plus the number of odd ones."""
    sums = values.reshape(-1, 32).cumsum(1)
    odd = np.bitwise_count(as_mask(sums & 1))
    return {1: sums + np.where((sums > 100).any(1), odd, 0)[:, None]}


def blurred(image, out, radius):
    """Means of squares, where they lie within the image."""
    side = 2 * radius + 1
    windows = np.lib.stride_tricks.sliding_window_view(image.astype(np.int64), (side, side))
    expected = out.copy()
    expected[radius:-radius, radius:-radius] = windows.sum((2, 3)) // side**2
    return {1: expected}


def hashed(values, out, n):
    """Words of 64 bits that wrap, in an array of a thread's own."""
    expected, kept = out.copy(), [int(v) for v in values]
    for i in range(n):
        own = [_wrapped(kept[(i * 17 + j) % n] ^ kept[i] << (j & 7)) for j in range(64)]
        best = own[0]
        for j in range(1, 64):
            best = max(best, own[j * best & 63])
            if best < 0:
                break
        expected[i] = best
    return {1: expected}


def _wrapped(value):
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def _words(rng):
    values = rng.integers(-(1 << 62), 1 << 62, 128)
    return [Strided(values), Strided(np.zeros(128, np.int64)), np.int64(128)]


def _image(rng):
    image = rng.integers(0, 256, (30, 45)).astype(np.uint8)
    return [Strided(image), Strided(np.zeros_like(image)), np.int32(2)]


def _plane(dtype, low, high, most):
    return lambda _rng: [Strided(np.zeros((40, 60), dtype)), low, high, most]


PROGRAMS = (
    Program("matmul0", "", (3, 3), (16, 16), _matrices(np.float32), multiplied, SINGLE),
    Program("matmul1", "", (3, 3), (16, 16), _matrices(np.float64), multiplied, SINGLE),
    Program(
        "reduction2", "", 3, 256,
        lambda rng: [Strided(rng.standard_normal(3000)), Strided(np.ones(1))], summed, DOUBLE,
    ),
    Program(
        "mandelbrot3", "", (5, 8), (8, 8),
        _plane(np.uint8, np.complex128(-2.03 - 1.21j), np.complex128(0.61 + 1.19j), np.int32(80)),
        escaped,
    ),
    Program(
        "mandelbrot4", "", (5, 8), (8, 8),
        _plane(np.int32, np.complex64(-2.03 - 1.21j), np.complex64(0.61 + 1.19j), np.int64(80)),
        escaped,
    ),
    Program("bodies5", "", 2, 64, _bodies(np.float32), pulled, SINGLE),
    Program("bodies6", "", 2, 64, _bodies(np.float64), pulled, DOUBLE),
    Program("histogram7", "", 2, 64, _values(np.float32, np.int32), counted),
    Program("histogram8", "", 2, 64, _values(np.float64, np.uint32), counted),
    Program("waves9", "", 2, 64, _complex(np.complex128), waved, LIBRARY_DOUBLE),
    Program("waves10", "", 2, 64, _complex(np.complex64), waved, LIBRARY),
    Program("special11", "", 4, 64, _positive(np.float64), special_functions, LIBRARY_DOUBLE),
    Program("special12", "", 4, 64, _positive(np.float32), special_functions, LIBRARY),
    Program(
        "scan13", "", 2, 64,
        lambda rng: [Strided(rng.integers(0, 9, 128).astype(np.int32)),
                     Strided(np.zeros(128, np.int32))],
        scanned, without={".debug.": "numba's code stores 0 to `v` before it writes it out"},
    ),
    Program("blur14", "", (4, 6), (8, 8), _image, blurred),
    Program("words15", "", 2, 64, _words, hashed),
)  # fmt: skip
