"""What clang makes of the OpenCL sources: control, matrices, reductions, simulations.

An argument in local memory is an offset into the launch's dynamic shared memory.
"""

# ruff: noqa: ARG001, ARG005 - oracles are called with a kernel's arguments
from __future__ import annotations

import numpy as np

from warpmill.benchmarks.execution.compiled.cuda_calls import signed
from warpmill.benchmarks.execution.compiled.model import (
    APPROXIMATE,
    SINGLE,
    Near,
    Program,
)


def jumped(given, out, n):
    """The switch, the jump out of it, and the loop after it, one number at a time."""
    expected = out.copy()
    expected[:n] = [_jump(int(x)) for x in given[:n]]
    return {1: expected}


def _jump(x):
    y = 0
    for at in range(0, 18, 3):
        case = x >> at & 7
        if case == 2:
            continue
        if case == 5 and y > 100:
            return y
        steps = {0: y + x, 1: y ^ x, 3: y * 3 - 5, 4: y - 5, 5: y << 1}
        y = signed(steps.get(case, -y))
    while True:
        y -= x & 3
        if (y & 1 and x > 2) or y < -50:
            return y
        x >>= 1
        if x <= 0:
            return y


def collatz(given, out):
    """Steps until 1."""
    steps = []
    for value in map(int, given):
        count, v = 0, value
        while v != 1 and count < 10000:
            v, count = 3 * v + 1 if v & 1 else v // 2, count + 1
        steps.append(count)
    return {1: np.array(steps)}


def triangular(a, b, n):
    """A lower triangle times itself."""
    low = np.tril(a.astype(np.float64))
    return {1: np.where(np.tri(n, dtype=bool), low @ low, b)}


def escaped(out, w, x0, y0, step, most):
    """The step at which |z| is above 2, or the most; but for some points where rounding decides."""
    h = out.shape[0]
    c = (x0 + step * np.arange(w)) + 1j * (y0 + step * np.arange(h))[:, None]
    z, times, left = np.zeros_like(c), np.zeros(c.shape, int), np.ones(c.shape, bool)
    for _ in range(most):
        z = np.where(left, z * z + c, z)
        left &= ~(z.real**2 + z.imag**2 > 4)
        times += left
    return {0: lambda got: bool((got != times).mean() <= 0.005)}


def multiplied(a, b, c, *rest):
    """A product of matrices."""
    return {2: a.astype(np.float64) @ b}


def _matrices(n, *sizes):
    def inputs(rng):
        a, b = rng.standard_normal((2, n, n)).astype(np.float32)
        return [a, b, np.zeros((n, n), np.float32), *sizes]

    return inputs


def summed(given, out, part, n):
    """A sum of 32 bits."""
    return {1: (out + given[:n].sum(dtype=np.int32)).astype(np.int32)}


def scanned(given, out, a, b, n):
    """Sums within each group."""
    return {1: given.astype(np.float64).reshape(-1, 64).cumsum(1)}


def counted(given, out, n):
    """A histogram of bytes."""
    return {1: out + np.bincount(given[:n].reshape(-1), minlength=256).astype(np.uint32)}


def all_atomics(p, u, part):
    """What memory holds, whatever the order; nothing is said of exchanges."""
    ids = np.arange(32)
    mask = np.zeros(9, bool)
    mask[:2] = True
    expected = p.copy()
    expected[2:] = [
        min(p[2], 0), max(p[3], 31), 0, p[5] | 31, p[6], p[7] - 32, p[8] - ids.sum()
    ]  # fmt: skip
    return {0: np.ma.array(expected, mask=mask)}


def turned8(given, out, n):
    """Three rounds of butterflies, as the source has them."""
    v = given[..., 0] + 1j * given[..., 1].astype(np.float64)
    v = list(v)
    root = np.float32(0.70710678)

    def butterfly(i, j, c, s):
        t = complex(c, s) * v[j]
        v[i], v[j] = v[i] + t, v[i] - t

    for j in range(4):
        butterfly(j, j + 4, 1, 0)
    for j in (0, 4):
        butterfly(j, j + 2, 1, 0)
        butterfly(j + 1, j + 3, 0, -1)
    for j in (0, 2, 4, 6):
        butterfly(j, j + 1, root, -root)
    result = np.array(v)
    return {1: np.stack((result.real, result.imag), -1)}


def smoothed(given, out, nx, ny, nz):
    """A star of seven points."""
    wide, expected = given.astype(np.float64), out.astype(np.float64)
    around = sum(np.roll(wide, step, axis) for axis in range(3) for step in (-1, 1))
    inside = (slice(1, -1),) * 3
    expected[inside] = (0.4 * wide + 0.1 * around)[inside]
    return {1: expected}


def pulled(p, v, near, dt, n):
    """Velocities after a step; the fourth part of a vector is treated as the others."""
    at = p.astype(np.float64)
    between = at[None] - at[:, None]
    squared = (between[..., :3] ** 2).sum(-1) + np.float32(1e-4)
    force = ((at[None, :, 3] / squared**3)[..., None] * between).sum(1)
    return {1: v + float(dt) * force}


def _rotated(x, k):
    return x >> np.uint32(k) | x << np.uint32(32 - k)


def digested(given, out):
    """Sixty-four steps of a hash."""
    w = list(given.T.copy())
    a, b, c, d = (np.full(out.size, value, np.uint32) for value in (1, 2, 3, 4))
    for t in range(64):
        f = (b & c) ^ (~b & d)
        new = w[t & 15] + _rotated(a, 7) + f + np.uint32(0x5A827999 * t & 0xFFFFFFFF)
        w[t & 15] = w[t & 15] ^ _rotated(w[(t + 2) & 15], 11) + (w[(t + 9) & 15] >> np.uint32(3))
        a, b, c, d = new, a, b, c
    return {1: a ^ b ^ c ^ d}


def _volume(rng):
    given = rng.standard_normal((7, 18, 34)).astype(np.float32)
    return [given, np.zeros_like(given), np.int32(34), np.int32(18), np.int32(7)]


def _bodies(rng):
    p, v = rng.uniform(-5, 5, (2, 128, 4)).astype(np.float32)
    return [p, v, 0, np.float32(0.01), np.int32(128)]


def _atomic_inputs(rng):
    return [rng.integers(1, 99, 9).astype(np.int32), np.zeros(32, np.uint32), 0]


def complex_numbers(rng):
    """Columns of eight complex numbers."""
    given = rng.standard_normal((8, 64, 2)).astype(np.float32)
    return [given, np.zeros_like(given), np.int32(64)]


SCANNED = Near(1e-5, 1e-4, "64 numbers in another order, in f32")

PROGRAMS = (
    Program(
        "control", "jumps", 4, 64,
        lambda rng: [rng.integers(0, 1 << 18, 250).astype(np.int32), np.zeros(250, np.int32),
                     np.int32(245)],
        jumped,
    ),
    Program(
        "control", "collatz", 2, 64,
        lambda rng: [rng.integers(1, 1 << 40, 128).astype(np.uint64), np.zeros(128, np.uint32)],
        collatz,
    ),
    Program(
        "control", "triangles", 5, 32,
        lambda rng: [rng.integers(-3, 4, (40, 40)).astype(np.float32),
                     np.ones((40, 40), np.float32), np.int32(40)],
        triangular,
    ),
    Program(
        "control", "mandelbrot", (8, 5), (8, 8),
        lambda _rng: [np.zeros((40, 64), np.uint8), np.int32(64), -2.03, -1.01, 0.0437,
                      np.int32(90)],
        escaped,
    ),
    Program(
        "matrices", "product", (3, 3), (16, 16), _matrices(48, np.int32(48)), multiplied, SINGLE
    ),
    Program(
        "matrices", "product4", (2, 2), (8, 8), _matrices(64, np.int32(16)), multiplied, SINGLE
    ),
    Program(
        "matrices", "turn", (3, 2), (16, 16),
        lambda rng: [rng.standard_normal((32, 48)), np.zeros((48, 32)), 0, np.int32(48),
                     np.int32(32)],
        lambda given, *rest: {1: given.T}, shared=16 * 17 * 8,
    ),
    Program(
        "reductions", "sum", 3, 128,
        lambda rng: [rng.integers(-(1 << 30), 1 << 30, 1000).astype(np.int32),
                     np.ones(1, np.int32), 0, np.uint32(990)],
        summed, shared=512,
    ),
    Program(
        "reductions", "scan", 3, 64,
        lambda rng: [rng.standard_normal(192).astype(np.float32), np.zeros(192, np.float32), 0, 256,
                     np.int32(64)],
        scanned, SCANNED, shared=512,
    ),
    Program(
        "reductions", "histogram", 3, 96,
        lambda rng: [rng.integers(0, 256, (1000, 4)).astype(np.uint8),
                     rng.integers(0, 9, 256).astype(np.uint32), np.int32(1000)],
        counted,
    ),
    Program("reductions", "atomics", 1, 32, _atomic_inputs, all_atomics, shared=4),
    Program("simulations", "fourier8", 2, 32, complex_numbers, turned8, SINGLE),
    Program("simulations", "stencil", (4, 2), (8, 8), _volume, smoothed, SINGLE),
    Program("simulations", "bodies", 2, 64, _bodies, pulled, APPROXIMATE, shared=1024),
    Program(
        "simulations", "digest", 2, 64,
        lambda rng: [rng.integers(0, 1 << 32, (128, 16)).astype(np.uint32),
                     np.zeros(128, np.uint32)],
        digested,
    ),
)  # fmt: skip
