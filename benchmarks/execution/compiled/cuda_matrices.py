"""gemm_tiles.cu, mma_assembly.cu, wmma_tiles.cu and attention.cu: products of matrices."""

# ruff: noqa: ARG001 - oracles are called with a kernel's arguments
from __future__ import annotations

import numpy as np
from scipy.special import softmax

from warpmill.benchmarks.execution.compiled.model import (
    APPROXIMATE,
    DOUBLE,
    EXACT,
    SINGLE,
    Near,
    Program,
    from_bfloat,
    to_bfloat,
)

GEMMS = (
    ("float", np.float32, np.float32, 64, 64, 8, 4, 4),
    ("float", np.float32, np.float32, 128, 128, 8, 8, 8),
    ("float", np.float32, np.float32, 64, 128, 16, 4, 8),
    ("double", np.float64, np.float64, 32, 32, 8, 2, 2),
    ("double", np.float64, np.float64, 64, 64, 8, 4, 4),
    ("__half", np.float16, np.float32, 64, 64, 16, 4, 4),
    ("signed char", np.int8, np.int32, 64, 64, 16, 4, 4),
    ("int", np.int32, np.int32, 32, 64, 8, 2, 4),
)
NEAR = {np.float32: SINGLE, np.float64: DOUBLE, np.int32: EXACT}


def matrix(rng, dtype, *shape):
    """Random elements: whole numbers over the type's whole range, or a normal distribution."""
    if np.dtype(dtype).kind == "f":
        return rng.standard_normal(shape).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, shape, dtype, endpoint=True)


def wide(values):
    """Take numbers as f64, or as i64 where they are whole."""
    return values.astype(np.float64 if values.dtype.kind == "f" else np.int64)


def scaled_product(a, b, c, m, n, k, alpha, beta):
    """A product with scale and sum."""
    return {2: wide(alpha) * (wide(a) @ wide(b)) + wide(beta) * wide(c)}


def _gemms():
    m, n, k = 70, 133, 19
    for name, dtype, out, bm, bn, bk, tm, tn in GEMMS:
        yield Program(
            "gemm_tiles", f"gemm<{name}, {bm}, {bn}, {bk}, {tm}, {tn}>",
            (-(-n // bn), -(-m // bm)), bm // tm * (bn // tn),
            lambda rng, d=dtype, o=out: [
                matrix(rng, d, m, k), matrix(rng, d, k, n), matrix(rng, o, m, n),
                *map(np.int32, (m, n, k)), o(3), o(-2),
            ],
            scaled_product, NEAR[out],
        )  # fmt: skip


def tensor_product(artefact, a, b, c, m, n, k):
    """A product; below sm_80 the source multiplies eight of each sixteen columns only."""
    kept = np.arange(k) % 16 < (8 if ".sm_75." in artefact else 16)
    return {2: wide(a)[:, kept] @ wide(b)[kept]}


def _pipelines():
    k = 160
    for bm, bn, bk, stages in (
        (64, 64, 32, 2),
        (128, 128, 32, 3),
        (128, 64, 32, 4),
        (64, 128, 64, 3),
    ):
        m, n = bm, 2 * bn
        yield Program(
            "mma_assembly", f"pipelined<{bm}, {bn}, {bk}, {stages}>", (2, 1), 128,
            lambda rng, m=m, n=n: [
                matrix(rng, np.float16, m, k), matrix(rng, np.float16, k, n),
                np.zeros((m, n), np.float32), *map(np.int32, (m, n, k)),
            ],
            tensor_product, SINGLE, shared=stages * (bm + bn) * bk * 2, by_artefact=True,
        )  # fmt: skip


WMMAS = (
    ("__half", "float", np.float16, np.float32, "row", "col", 16, 16, 16),
    ("__half", "float", np.float16, np.float32, "col", "row", 32, 8, 16),
    ("__half", "__half", np.float16, np.float16, "row", "row", 8, 32, 16),
    ("signed char", "int", np.int8, np.int32, "row", "col", 16, 16, 16),
    ("unsigned char", "int", np.uint8, np.int32, "row", "col", 32, 8, 16),
    ("__nv_bfloat16", "float", "bf16", np.float32, "row", "col", 16, 16, 16),
    ("__nv_bfloat16", "float", "bf16", np.float32, "row", "row", 8, 32, 16),
    ("double", "double", np.float64, np.float64, "row", "col", 8, 8, 4),
)
HALF_SUM = Near(1e-2, 6e-2, "sums of 64 products of about 1, each rounded to f16 near 16")
LATER = {".sm_75.": "sm_80 brought this type", ".sm_70.": "sm_80 brought this type"}
LATE = {".sm_70.": "sm_72 brought this type"}


def accumulated(rows_a, rows_b, is_bfloat):
    """The oracle of c += 2 a b with the layouts of a and b."""

    def oracle(a, b, c, m, n, k):
        a, b = (from_bfloat(v) if is_bfloat else v for v in (a, b))
        a = wide(a).reshape(m, k) if rows_a else wide(a).reshape(k, m).T
        b = wide(b).reshape(k, n) if rows_b else wide(b).reshape(n, k).T
        return {2: wide(c) + 2 * (a @ b)}

    return oracle


def _wmma_inputs(dtype, out, m, n, k):
    def inputs(rng):
        kind = np.float32 if dtype == "bf16" else dtype
        a, b = matrix(rng, kind, m * k), matrix(rng, kind, k * n)
        if dtype == "bf16":
            a, b = to_bfloat(a), to_bfloat(b)
        return [a, b, matrix(rng, out, m, n), *map(np.int32, (m, n, k))]

    return inputs


def _wmmas():
    nears = {np.float16: HALF_SUM, **NEAR}
    for name, accumulator, dtype, out, la, lb, m, n, k in WMMAS:
        shape = (8 * m, 3 * n, 4 * k)
        is_late = dtype in {"bf16", np.float64}
        is_byte = dtype in {np.int8, np.uint8}
        yield Program(
            "wmma_tiles",
            f"wmma_gemm<{name}, {accumulator}, {la}_major, {lb}_major, {m}, {n}, {k}, 4>",
            (3, 2), 128, _wmma_inputs(dtype, out, *shape),
            accumulated(la == "row", lb == "row", dtype == "bf16"), nears[out],
            without=LATER if is_late else LATE if is_byte else {},
        )  # fmt: skip


def tf32(values):
    """Round f32 to ten bits after the point, to nearest, ties away from zero."""
    return ((values.view(np.uint32) + np.uint32(0x1000)) & np.uint32(0xFFFFE000)).view(np.float32)


def tf32_product(a, b, c, k):
    """Rows of a by columns of b, stored by columns."""
    return {2: (wide(tf32(a)) @ wide(tf32(b)).T).T}


def _tf32_inputs(rng):
    a, b = matrix(rng, np.float32, 16, 32), matrix(rng, np.float32, 16, 32)
    return [a, b, np.zeros((16, 16), np.float32), np.int32(32)]


def attended(q, k, v, o, n, scale, causal):
    """Attention, each query with the keys up to its own place where causal."""
    scores = wide(q) @ wide(k).swapaxes(1, 2) * float(scale)
    if causal:
        scores = np.where(np.tri(int(n), dtype=bool), scores, -np.inf)
    return {3: softmax(scores, axis=-1) @ wide(v)}


def _attentions():
    for head, rows, cols in (32, 64, 32), (64, 128, 32), (128, 64, 16):
        for causal in (False, True):
            yield Program(
                "attention", f"attention<{head}, {rows}, {cols}>", (-(-96 // rows), 2), rows,
                lambda rng, d=head, c=causal: [
                    *(matrix(rng, np.float32, 2, 96, d) for _ in range(3)),
                    np.zeros((2, 96, d), np.float32), np.int32(96), np.float32(d**-0.5), c,
                ],
                attended, APPROXIMATE, case="causal" if causal else "all keys",
            )  # fmt: skip


def normalised(x, g, b, y, width, eps):
    """Rows with mean 0 and deviation 1, scaled, through z sigmoid(z) tanh(z)."""
    rows = wide(x)
    z = (rows - rows.mean(1, keepdims=True)) / np.sqrt(rows.var(1, keepdims=True) + float(eps))
    z = z * g + b
    return {3: z / (1 + np.exp(-z)) * np.tanh(z)}


def _norms():
    for threads, items in (128, 8), (256, 16), (1024, 4):
        width = threads * items - 37
        yield Program(
            "attention", f"layer_norm<{threads}, {items}>", 3, threads,
            lambda rng, w=width: [
                matrix(rng, np.float32, 3, w), matrix(rng, np.float32, w),
                matrix(rng, np.float32, w), np.zeros((3, w), np.float32), np.int32(w),
                np.float32(1e-5),
            ],
            normalised, APPROXIMATE,
        )  # fmt: skip


PROGRAMS = (
    *_gemms(),
    *_pipelines(),
    *_wmmas(),
    Program("wmma_tiles", "tf32_product", 1, 32, _tf32_inputs, tf32_product, SINGLE, without=LATER),
    *_attentions(),
    *_norms(),
)
