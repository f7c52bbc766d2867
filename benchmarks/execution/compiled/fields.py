"""Points beside each other: stencils, images, fractals, bodies, transforms, graphs."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.ndimage import correlate

from warpmill.benchmarks.execution.compiled.model import (
    APPROXIMATE,
    DOUBLE,
    SINGLE,
    Image,
    Program,
    Strided,
    all_but,
    integers,
    normal,
    same_set,
    uniform,
    wide,
    zeros,
)

WEIGHTS = np.linspace(0.9, -0.4, 33).astype(np.float32)
WEIGHTS_DOUBLE = np.array([1.0, -0.5, 0.25, -0.125, 0.0625] + [0.0] * 28)
BLUR = np.outer([1, 2, 1], [1, 2, 1])


def star(given, out, *_, radius, weights):
    """A star in three dimensions: the centre and its arms, where they lie within."""
    kernel = np.zeros((2 * radius + 1,) * 3)
    along = weights[np.abs(np.arange(-radius, radius + 1))]
    kernel[radius, radius], kernel[radius, :, radius], kernel[:, radius, radius] = (along,) * 3
    inside = (slice(radius, -radius),) * 3
    expected = out.copy()
    expected[inside] = correlate(given, kernel)[inside]
    return {1: expected}


def box(given, *_, radius, weights):
    """A box in two dimensions, whose edges are repeated."""
    away = np.abs(np.arange(-radius, radius + 1))
    return {1: correlate(given, wide(weights)[away[:, None] + away], mode="nearest")}


def blurred(given, *_):
    """Weighted sums of nine, edges repeated; plus the last bit of the f32, turned over."""
    mean = correlate(wide(given), BLUR, mode="nearest").astype(np.float32) / np.float32(16)
    return {1: mean.astype(np.uint8) + ((mean.view(np.uint32) ^ 1) & 1).astype(np.uint8)}


def averaged(image, out, radius):
    """Means of squares, where they lie within the image."""
    inside = (slice(radius, -radius),) * 2
    square = np.ones((2 * radius + 1,) * 2, int)
    expected = out.copy()
    expected[inside] = (correlate(wide(image), square) // square.size)[inside]
    return {1: expected}


def smoothed_with_edges(image, out, w, h, s, *, radius):
    """A bilateral filter with clamped edges."""
    side = 2 * radius + 1
    edged = np.pad(image, radius, mode="edge")
    around = np.lib.stride_tricks.sliding_window_view(edged, (side, side))
    away = np.arange(-radius, radius + 1) ** 2
    g = np.exp(-(away[:, None] + away) * 0.1 - (around - image[..., None, None]) ** 2 * s)
    return {1: (g * around).sum((2, 3)) / g.sum((2, 3))}


def plane(shape, x0, y0, dx, dy):
    """Points of the complex plane, the imaginary part down."""
    h, w = shape
    return (x0 + dx * np.arange(w)) + 1j * (y0 + dy * np.arange(h))[:, None]


def steps_within(c, most):
    """Of the first steps of z^2 + c, how many stay within 2."""
    z, times, left = np.zeros_like(c), np.zeros(c.shape, int), np.ones(c.shape, bool)
    for _ in range(most):
        z = np.where(left, z * z + c, z)
        left &= z.real**2 + z.imag**2 <= 4
        times += left
    return times


def fractal(out, w, h, x0, y0, step, most, *, share):
    """Points within before each step, in a byte; 0 where they stay."""
    times = 1 + steps_within(plane(out.shape, x0, y0, step, step), most - 1)
    return {0: all_but(share, np.where(times == most, 0, times & 255))}


def mandelbrot(out, w, x0, y0, step, most):
    """The step at which |z| is above 2, or the most."""
    return {0: all_but(0.005, steps_within(plane(out.shape, x0, y0, step, step), most))}


def mandelbrot_between(image, low, high, most):
    """The step at which |z| is above 2, or 0, between two corners."""
    low, step = np.complex128(low), (np.complex128(high) - low)
    h, w = image.shape
    times = steps_within(plane(image.shape, low.real, low.imag, step.real / w, step.imag / h), most)
    return {0: all_but(0.01, np.where(times == most, 0, times).astype(image.dtype))}


def pull(bodies, softening, power=1.5):
    """What pulls at each of some bodies: their places, and their masses in the fourth part."""
    between = bodies[None] - bodies[:, None]
    squared = (between[..., :3] ** 2).sum(-1) + softening
    return ((bodies[:, 3] / squared**power)[..., None] * between).sum(1)


def pulled(p, v, dt, n):
    """Velocities after a step of gravity between all bodies."""
    return {1: v + dt * pull(p, np.float32(1e-4)) * [1, 1, 1, 0]}


def pulled_by_vectors(p, v, near, dt, n):
    """Velocities after a step; the fourth part of a vector is treated as the others."""
    return {1: v + dt * pull(p, np.float32(1e-4), power=3)}


def complex_parts(values):
    """Complex numbers as two parts."""
    return np.stack((values.real, values.imag), -1)


def transformed(given, *_):
    """The Fourier transform of each column."""
    return {1: complex_parts(np.fft.fft(given[..., 0] + 1j * given[..., 1], axis=0))}


def three_rounds(given, *_):
    """Three rounds of butterflies, as the source has them."""
    v = list(given[..., 0] + 1j * given[..., 1])
    root = np.float32(0.70710678)
    plain, turned, last = 1, -1j, complex(root, -root)
    rounds = (
        *((j, j + 4, plain) for j in range(4)),
        (0, 2, plain), (1, 3, turned), (4, 6, plain), (5, 7, turned),
        *((j, j + 1, last) for j in (0, 2, 4, 6)),
    )  # fmt: skip
    for i, j, factor in rounds:
        v[i], v[j] = v[i] + factor * v[j], v[i] - factor * v[j]
    return {1: complex_parts(np.array(v))}


def visited(start, edges, depth, frontier, nexts, n_next, n, level):
    """One level of a breadth-first search; the next frontier in any order."""
    around = np.concatenate([edges[start[v] : start[v + 1]] for v in frontier[:n]])
    found = np.unique(around[depth[around] == -1])
    reached = depth.copy()
    reached[found] = level + 1
    return {2: reached, 4: same_set(found), 5: np.array([found.size])}


def _graph(rng):
    degrees = rng.integers(0, 9, 200)
    start = np.concatenate(([0], degrees.cumsum())).astype(np.int32)
    edges = rng.integers(0, 200, start[-1]).astype(np.int32)
    depth = np.where(rng.random(200) < 0.4, 2, -1).astype(np.int32)
    frontier = rng.permutation(200)[:70].astype(np.int32)
    return [start, edges, depth, frontier, zeros(200, dtype=np.int32), zeros(1, dtype=np.int32),
            70, 4]  # fmt: skip


PROGRAMS = (
    *(
        Program("cuda", f"stencils:{kernel}", grid, block,
                [normal(*shape, dtype=dtype), zeros(*shape, dtype=dtype), *shape[::-1]],
                partial(oracle, radius=radius, weights=weights),
                near, symbols={"weights": WEIGHTS} if dtype is np.float32 else {})
        for name, dtype, near, weights, radii in (
            ("float", np.float32, SINGLE, WEIGHTS, (1, 2, 4, 8)),
            ("double", np.float64, DOUBLE, WEIGHTS_DOUBLE, (1, 3, 4)),
        )
        for radius in radii
        for kernel, oracle, grid, block, shape in (
            (f"star3d<{name}, {radius}>", star, (2, 1), (16, 16),
             (2 * radius + 3, 16 + 2 * radius, 32 + 2 * radius)),
            (f"box2d<{name}, {radius}>", box, (3, 3), (16, 8), (21, 37)),
        )
    ),
    *(
        Program("cuda", f"textures:bilateral<{radius}>", (4, 3), (8, 8),
                [Image(uniform(0, 1, 20, 30)), zeros(20, 30), 30, 20, np.float32(3)],
                partial(smoothed_with_edges, radius=radius), APPROXIMATE)
        for radius in (2, 5)
    ),
    *(
        Program("cuda", f"simulations:fractal<{name}>", (9, 6), (8, 8),
                [zeros(45, 70, dtype=np.uint8), 70, 45, dtype(-2.03), dtype(-1.013), dtype(0.0421),
                 90],
                partial(fractal, share=share))
        for name, dtype, share in (("float", np.float32, 0.02), ("double", np.float64, 0))
    ),
    *(
        Program("cuda", f"simulations:fourier<{n}>", 2, 32,
                [normal(n, 50, 2), zeros(n, 50, 2), 50], transformed, SINGLE)
        for n in (8, 16, 32, 64)
    ),
    Program("cuda", "simulations:bodies", 4, 64,
            [uniform(-1, 1, 256, 4), uniform(-1, 1, 256, 4), np.float32(0.01), 256],
            pulled, APPROXIMATE, shared=1024),
    Program("cuda", "simulations:breadth_first", 2, 64, _graph, visited),
    Program("opencl", "structures:blur", (5, 3), (8, 8),
            [integers(0, 256, 24, 40, dtype=np.uint8), zeros(24, 40, dtype=np.uint8), 40, 24],
            blurred),
    Program("opencl", "control:mandelbrot", (8, 5), (8, 8),
            [zeros(40, 64, dtype=np.uint8), 64, -2.03, -1.01, 0.0437, 90], mandelbrot),
    Program("opencl", "simulations:fourier8", 2, 32, [normal(8, 64, 2), zeros(8, 64, 2), 64],
            three_rounds, SINGLE),
    Program("opencl", "simulations:stencil", (4, 2), (8, 8),
            [normal(7, 18, 34), zeros(7, 18, 34), 34, 18, 7],
            partial(star, radius=1, weights=np.array([0.4, 0.1])), SINGLE),
    Program("opencl", "simulations:bodies", 2, 64,
            [uniform(-5, 5, 128, 4), uniform(-5, 5, 128, 4), 0, np.float32(0.01), 128],
            pulled_by_vectors, APPROXIMATE, shared=1024),
    *(
        Program("numba", name, (5, 8), (8, 8),
                [Strided(zeros(40, 60, dtype=dtype)), kind(-2.03 - 1.21j), kind(0.61 + 1.19j),
                 80],
                mandelbrot_between)
        for name, dtype, kind in (
            ("mandelbrot3", np.uint8, np.complex128), ("mandelbrot4", np.int32, np.complex64)
        )
    ),
    *(
        Program("numba", name, 2, 64,
                [Strided(uniform(-9, 9, 70, 4, dtype=dtype)), Strided(normal(70, 3, dtype=dtype)),
                 dtype(0.01)],
                lambda p, v, dt: {1: v + dt * pull(p, 1e-6)[:, :3]}, near)
        for name, dtype, near in (("bodies5", np.float32, SINGLE), ("bodies6", np.float64, DOUBLE))
    ),
    Program("numba", "blur14", (4, 6), (8, 8),
            [Strided(integers(0, 256, 30, 45, dtype=np.uint8)),
             Strided(zeros(30, 45, dtype=np.uint8)), 2],
            averaged),
)  # fmt: skip
