"""simulations.cu and textures.cu: transforms, bodies, fractals, graphs, images."""

# ruff: noqa: ARG001 - oracles are called with a kernel's arguments
from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, random_array

from warpmill.benchmarks.execution.compiled.model import (
    APPROXIMATE,
    DOUBLE,
    SINGLE,
    Image,
    Program,
)


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
    """The oracle of a fractal: but for a share of points, where rounding decides."""

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
    """The oracle of a bilateral filter with clamped edges."""

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
    Program(
        "simulations", "fractal<float>", (9, 6), (8, 8), _fractal_inputs(np.float32), escaped(0.02)
    ),
    Program(
        "simulations", "fractal<double>", (9, 6), (8, 8), _fractal_inputs(np.float64), escaped(0)
    ),
    *(
        Program("simulations", f"sparse<{name}, {lanes}>", -(-100 * lanes // 96), 96,
                _sparse_inputs(dtype), multiplied, SINGLE if dtype is np.float32 else DOUBLE)
        for name, dtype, lanes in SPARSE
    ),
    Program("simulations", "breadth_first", 2, 64, _graph, visited),
    *(
        Program("textures", f"bilateral<{r}>", (4, 3), (8, 8), _image, smoothed_with_edges(r),
                APPROXIMATE)
        for r in (2, 5)
    ),
)  # fmt: skip
