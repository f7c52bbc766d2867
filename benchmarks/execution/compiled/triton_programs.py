"""What Triton makes of triton_kernels.py: its artefacts' names say kernel, types and sizes.

A name is `triton.KERNEL.TYPE.CONSTANTS.wWARPSsSTAGES.sm_CHIP`. Where Triton was told that whole
numbers are multiples of 16, they have to be. All shared memory is dynamic.
"""

# ruff: noqa: ARG001 - oracles are called with a kernel's arguments
from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import erf, softmax

from warpmill.benchmarks.execution.compiled.cuda_integers import philox
from warpmill.benchmarks.execution.compiled.model import (
    Near,
    Program,
    from_bfloat,
    from_e4m3,
    from_e5m2,
    to_bfloat,
)

SHARED = 200 * 1024
WIDTHS = {"bf16": from_bfloat, "fp8e5": from_e5m2, "fp8e4nv": from_e4m3}
PLAIN = {"fp16": np.float16, "fp32": np.float32}
NEAR = {
    "fp32": Near(2e-3, 2e-2, "products of f32 are of tf32, with ten bits after the point"),
    "fp16": Near(2e-3, 4e-3, "rounded to f16; weights of attention too"),
    "bf16": Near(1.6e-2, 3e-2, "rounded to bf16; weights of attention too"),
}
ROWS = {
    "fp32": Near(1e-4, 1e-5, "f32 with ex2.approx and sums in another order"),
    "fp16": Near(1e-3, 1e-4, "rounded to f16"),
    "bf16": Near(4e-3, 1e-5, "rounded to bf16"),
}


@dataclass(frozen=True)
class Variant:
    """The parts of a name."""

    kernel: str
    kind: str
    sizes: tuple[int, ...]
    warps: int


def parsed(source):
    """Take a variant's name apart."""
    kernel, kind, sizes, rest = source.split(".")
    warps = int(re.match(r"w(\d+)", rest)[1])
    return Variant(kernel, kind, tuple(map(int, sizes.split("x"))), warps)


def random(rng, kind, *shape):
    """Numbers of a type, as what stores them."""
    if kind.startswith("fp8"):
        bits = rng.integers(0, 256, shape).astype(np.uint8)
        return np.where(np.abs(WIDTHS[kind](bits)) <= 2, bits, 0x31).astype(np.uint8)
    values = rng.standard_normal(shape).astype(np.float32)
    return to_bfloat(values) if kind == "bf16" else values.astype(PLAIN[kind])


def widened(values, kind):
    """Take what stores a type as f64."""
    return (WIDTHS[kind](values) if kind in WIDTHS else values).astype(np.float64)


def near_in(kind, expected, near):
    """A predicate: results of a type, widened, are within the tolerance."""

    def check(got):
        off = abs(widened(got, kind) - expected) - near.absolute - near.relative * abs(expected)
        return True if (off <= 0).all() else f"off by {off.max():.3g} more than allowed"

    return check


def _matmul(variant, source):
    rows, cols, _, _, relu = variant.sizes
    kind, m, n, k = variant.kind, 208, 144, 96
    out = "fp16" if kind.startswith("fp8") else kind

    def inputs(rng):
        c = np.zeros((m, n), np.uint16 if out == "bf16" else PLAIN[out])
        return [random(rng, kind, m, k), random(rng, kind, k, n), c, m, n, k, k, n, n]

    def oracle(a, b, c, *sizes):
        product = widened(a, kind) @ widened(b, kind)
        return {2: near_in(out, np.where(relu and product < 0, 0.01 * product, product), NEAR[out])}

    return Program(source, "", -(-m // rows) * -(-n // cols), 32 * variant.warps, inputs, oracle)


def _attention(variant, source):
    rows, _, width, causal = variant.sizes
    kind, n = variant.kind, 2 * rows
    scale = np.float32(width**-0.5)

    def inputs(rng):
        q, k, v = (random(rng, kind, 2, n, width) for _ in range(3))
        return [q, k, v, np.zeros_like(q), n * width, n, scale]

    def oracle(q, k, v, *rest):
        q, k, v = (widened(a, kind) for a in (q, k, v))
        score = q @ k.swapaxes(1, 2) * (float(scale) * np.log(2))  # the kernel takes powers of 2
        if causal:
            score = np.where(np.tri(n, dtype=bool), score, -np.inf)
        return {3: near_in(kind, softmax(score, -1) @ v, NEAR[kind])}

    return Program(source, "", (n // rows, 2), 32 * variant.warps, inputs, oracle)


def _layer_norm(variant, source):
    kind, n, rows = variant.kind, 1456, 3

    def inputs(rng):
        x = random(rng, kind, rows, n)
        w, b = random(rng, "fp32", 2, n)
        means, scales = np.zeros((2, rows), np.float32)
        return [x, np.zeros_like(x), w, b, means, scales, n, n, np.float32(1e-5)]

    def oracle(x, y, w, b, *rest):
        x = widened(x, kind)
        mean, scale = x.mean(1, keepdims=True), 1 / np.sqrt(x.var(1, keepdims=True) + 1e-5)
        near = ROWS["fp32"]
        return {
            1: near_in(kind, (x - mean) * scale * w + b, ROWS[kind]),
            4: near_in("fp32", mean[:, 0], near), 5: near_in("fp32", scale[:, 0], near),
        }  # fmt: skip

    return Program(source, "", rows, 32 * variant.warps, inputs, oracle)


def _softmax(variant, source):
    kind, rows, cols = variant.kind, 5, min(variant.sizes[0], 5000) - 24

    def inputs(rng):
        x = random(rng, kind, rows, cols)
        return [np.zeros_like(x), x, cols, cols, rows, cols]

    def oracle(out, x, *rest):
        return {0: near_in(kind, softmax(widened(x, kind), 1), ROWS[kind])}

    return Program(source, "", 3, 32 * variant.warps, inputs, oracle)


SEED, DROPPED = 20240607, 0.3


def uniform(seed, offsets):
    """Triton's `rand`: the first word of Philox as a number with a sign, without it, scaled."""
    zero = np.zeros_like(offsets)
    word = philox((offsets, zero, zero, zero), (seed & 0xFFFFFFFF, seed >> 32))[0].view(np.int32)
    return np.where(word < 0, -word - 1, word) * np.float32(4.6566127342e-10)


def _dropout_gelu(variant, source):
    kind, block = variant.kind, variant.sizes[0]
    n, out = 2 * block - 76, "fp32" if variant.kind == "bf16" else variant.kind

    def inputs(rng):
        return [random(rng, kind, n), np.zeros(n, PLAIN[out]), SEED, n, np.float32(DROPPED)]

    def oracle(x, y, seed, n, p):
        v = widened(x, kind)
        kept = uniform(seed, np.arange(n, dtype=np.uint64)) > p
        gelu = 0.5 * v * (1 + erf(v * 0.70710678)) / (1 - float(p))
        return {1: near_in(out, np.where(kept, gelu, 0), ROWS[out])}

    return Program(source, "", 2, 32 * variant.warps, inputs, oracle)


def _scatter_sort(variant, source):
    block, bins = variant.sizes
    n = 3 * block

    def inputs(rng):
        keys = rng.integers(0, 1000, n).astype(np.int32)
        values = random(rng, "fp32", n)
        counts = rng.integers(0, 9, bins + 1).astype(np.int32)
        return [keys, values, counts, np.zeros_like(values), n]

    def oracle(keys, values, counts, *rest):
        total = np.concatenate((counts[:-1] + np.bincount(keys % bins, minlength=bins), [0]))
        total[-1] = keys.reshape(3, block).sum(1).max()
        return {2: total, 3: np.sort(values.reshape(3, block), 1)}

    return Program(source, "", 3, 32 * variant.warps, inputs, oracle)


MAKERS = {
    "matmul": _matmul, "attention": _attention, "layer_norm": _layer_norm, "softmax": _softmax,
    "dropout_gelu": _dropout_gelu, "scatter_sort": _scatter_sort,
}  # fmt: skip


def programs(names):
    """The programs that artefacts' names tell of."""
    sources = sorted({n.removeprefix("triton.").rpartition(".sm_")[0] for n in names})
    variants = [(parsed(source), source) for source in sources]
    return [replace(MAKERS[v.kernel](v, source), shared=SHARED) for v, source in variants]
