"""sorting.cu and stencils.cu: what clang compiles as HIP too, for warps of 64."""

# ruff: noqa: ARG001 - oracles are called with a kernel's arguments
from __future__ import annotations

import numpy as np

from warpmill.benchmarks.execution.compiled.model import DOUBLE, SINGLE, Program

KEYS = {"int": np.int32, "unsigned long long": np.uint64, "float": np.float32, "double": np.float64}


def keys(rng, dtype, shape):
    """Numbers of all signs, some of them equal."""
    if np.dtype(dtype).kind == "f":
        return (rng.standard_normal(shape) * 100).round(1).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, shape, dtype, endpoint=True)


def sorted_rows(keys):
    """Each row in order."""
    return {0: np.sort(keys, axis=1)}


def merged(a, b, out, na, nb):
    """Two sorted arrays made one."""
    return {2: np.sort(np.concatenate((a, b)))}


def _merge_inputs(dtype):
    def inputs(rng):
        a, b = (np.sort(keys(rng, dtype, n)) for n in (300, 217))
        return [a, b, np.zeros(517, dtype), np.int32(300), np.int32(217)]

    return inputs


def _sorting():
    for name, dtype in KEYS.items():
        for size in (512, 2048):
            yield Program(
                "sorting", f"bitonic<{name}, {size}>", 2, size // 2,
                lambda rng, d=dtype, n=size: [keys(rng, d, (2, n))], sorted_rows,
            )  # fmt: skip
        for size in (8, 16, 32):
            yield Program(
                "sorting", f"in_registers<{name}, {size}>", 2, 96,
                lambda rng, d=dtype, n=size: [keys(rng, d, (192, n))], sorted_rows,
            )  # fmt: skip
        yield Program("sorting", f"merge<{name}>", 5, 128, _merge_inputs(dtype), merged)


def counted(bits):
    """The oracle of a radix count: digits by CTA, the CTAs side by side."""

    def oracle(keys, counts, n, shift):
        digits = (keys[:n] >> np.uint32(shift)) & (2**bits - 1)
        owner = np.arange(n) // 100 % 3
        return {
            1: np.stack([np.bincount(digits[owner == b], minlength=2**bits) for b in range(3)], 1)
        }

    return oracle


def _radix():
    for bits in (4, 8):
        yield Program(
            "sorting", f"radix_count<{bits}>", 3, 100,
            lambda rng, b=bits: [
                keys(rng, np.uint32, 1000), np.zeros(3 * 2**b, np.uint32), np.int32(990),
                np.int32(5),
            ],
            counted(bits),
        )  # fmt: skip


WEIGHTS = np.linspace(0.9, -0.4, 33).astype(np.float32)
WEIGHTS_DOUBLE = np.array([1.0, -0.5, 0.25, -0.125, 0.0625] + [0.0] * 28)


def star(radius, weights):
    """The oracle of a star in three dimensions: the centre and its arms."""

    def oracle(given, out, nx, ny, nz):
        wide = given.astype(np.float64)
        total = weights[0].astype(np.float64) * wide
        for r in range(1, radius + 1):
            arms = sum(np.roll(wide, step, axis) for axis in range(3) for step in (-r, r))
            total += weights[r].astype(np.float64) * arms
        inside = (slice(radius, -radius),) * 3
        expected = out.astype(np.float64)
        expected[inside] = total[inside]
        return {1: expected}

    return oracle


def box(radius, weights):
    """The oracle of a box in two dimensions, whose edges are repeated."""

    def oracle(given, out, w, h):
        wide = np.pad(given.astype(np.float64), radius, mode="edge")
        around = range(-radius, radius + 1)
        parts = (
            float(weights[abs(dx) + abs(dy)])
            * wide[radius + dy : radius + dy + h, radius + dx : radius + dx + w]
            for dy in around
            for dx in around
        )
        return {1: sum(parts)}

    return oracle


def _star_inputs(dtype, radius):
    def inputs(rng):
        shape = (2 * radius + 3, 16 + 2 * radius, 32 + 2 * radius)
        given = rng.standard_normal(shape).astype(dtype)
        return [given, np.zeros(shape, dtype), *map(np.int32, shape[::-1])]

    return inputs


def _box_inputs(dtype):
    def inputs(rng):
        given = rng.standard_normal((21, 37)).astype(dtype)
        return [given, np.zeros_like(given), np.int32(37), np.int32(21)]

    return inputs


def _stencils():
    kinds = [("float", np.float32, r) for r in (1, 2, 4, 8)]
    for name, dtype, radius in [*kinds, *(("double", np.float64, r) for r in (1, 3, 4))]:
        is_single = dtype is np.float32
        weights = WEIGHTS if is_single else WEIGHTS_DOUBLE
        common = {
            "near": SINGLE if is_single else DOUBLE,
            "symbols": {"weights": WEIGHTS} if is_single else {},
        }
        yield Program(
            "stencils", f"star3d<{name}, {radius}>", (2, 1), (16, 16), _star_inputs(dtype, radius),
            star(radius, weights), **common,
        )  # fmt: skip
        yield Program(
            "stencils", f"box2d<{name}, {radius}>", (3, 3), (16, 8), _box_inputs(dtype),
            box(radius, weights), **common,
        )  # fmt: skip


PROGRAMS = (*_sorting(), *_radix(), *_stencils())
