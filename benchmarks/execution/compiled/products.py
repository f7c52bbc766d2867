"""Products of matrices and what is made of them: attention, normalised rows, sparse products."""

from __future__ import annotations

from functools import partial

import numpy as np
from ml_dtypes import bfloat16
from scipy.sparse import csr_array, random_array
from scipy.special import softmax

from warpmill.benchmarks.execution.compiled.model import (
    APPROXIMATE,
    DOUBLE,
    EXACT,
    SINGLE,
    Near,
    Program,
    Strided,
    integers,
    normal,
    spread,
    wide,
    zeros,
)

HALF_SUM = Near(1e-2, 6e-2, "sums of 64 products of about 1, each rounded to f16 near 16")
NEAR = {np.float16: HALF_SUM, np.float32: SINGLE, np.float64: DOUBLE, np.int32: EXACT}
LATER = {".sm_75.": "sm_80 brought this type", ".sm_70.": "sm_80 brought this type"}
LATE = {".sm_70.": "sm_72 brought this type"}


def product(a, b, c, *_):
    """The product of two matrices."""
    return {2: a @ b}


def scaled_product(a, b, c, m, n, k, alpha, beta):
    """A product with scale and sum."""
    return {2: alpha * (wide(a) @ wide(b)) + beta * wide(c)}


def tensor_product(artefact, a, b, c, m, n, k):
    """A product; below sm_80 the source multiplies eight of each sixteen columns only."""
    kept = np.arange(k) % 16 < (8 if ".sm_75." in artefact else 16)
    return {2: a[:, kept] @ b[kept]}


def laid_out_product(a, b, c, m, n, k, *, layouts):
    """C += 2 a b, with a and b stored by rows or by columns."""
    a = wide(a).reshape(m, k) if layouts[0] == "row" else wide(a).reshape(k, m).T
    b = wide(b).reshape(k, n) if layouts[1] == "row" else wide(b).reshape(n, k).T
    return {2: wide(c) + 2 * (a @ b)}


def tf32(values):
    """Round f32 to ten bits after the point, to nearest, ties away from zero."""
    bits = values.astype(np.float32).view(np.uint32) + np.uint32(0x1000)
    return wide((bits & np.uint32(0xFFFFE000)).view(np.float32))


def tf32_product(a, b, c, k):
    """Rows of a by columns of b, stored by columns."""
    return {2: tf32(b) @ tf32(a).T}


def triangular(a, b, n):
    """A lower triangle times itself."""
    low = np.tril(wide(a))
    return {1: np.where(np.tri(n, dtype=bool), low @ low, b)}


def attention(q, k, v, scale, causal):
    """Attention, each query with the keys up to its own place where causal."""
    scores = q @ k.swapaxes(1, 2) * scale
    if causal:
        scores = np.where(np.tri(q.shape[1], dtype=bool), scores, -np.inf)
    return softmax(scores, axis=-1) @ v


def standardised(rows, eps):
    """Rows with mean 0 and deviation 1; the means and the scales."""
    mean, scale = rows.mean(1, keepdims=True), 1 / np.sqrt(rows.var(1, keepdims=True) + eps)
    return (rows - mean) * scale, mean, scale


def normalised(x, g, b, y, width, eps):
    """Rows with mean 0 and deviation 1, scaled, through z sigmoid(z) tanh(z)."""
    z = standardised(x, eps)[0] * g + b
    return {3: z / (1 + np.exp(-z)) * np.tanh(z)}


def _sparse(dtype):
    """Draw a sparse matrix of 100 rows and a vector."""

    def inputs(rng):
        matrix = random_array((100, 80), density=0.15, format="csr", rng=rng, dtype=np.float64)
        parts = (matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32))
        x = rng.standard_normal(80).astype(dtype)
        return [*parts, matrix.data.astype(dtype), x, zeros(100, dtype=dtype), 100]

    return inputs


PROGRAMS = (
    *(
        Program(
            "cuda", f"gemm_tiles:gemm<{name}, {bm}, {bn}, {bk}, {tm}, {tn}>",
            (-(-133 // bn), -(-70 // bm)), bm // tm * (bn // tn),
            [spread(dtype, 70, 19), spread(dtype, 19, 133), spread(out, 70, 133), 70, 133, 19,
             out(3), out(-2)],
            scaled_product, NEAR[out],
        )
        for name, dtype, out, bm, bn, bk, tm, tn in (
            ("float", np.float32, np.float32, 64, 64, 8, 4, 4),
            ("float", np.float32, np.float32, 128, 128, 8, 8, 8),
            ("float", np.float32, np.float32, 64, 128, 16, 4, 8),
            ("double", np.float64, np.float64, 32, 32, 8, 2, 2),
            ("double", np.float64, np.float64, 64, 64, 8, 4, 4),
            ("__half", np.float16, np.float32, 64, 64, 16, 4, 4),
            ("signed char", np.int8, np.int32, 64, 64, 16, 4, 4),
            ("int", np.int32, np.int32, 32, 64, 8, 2, 4),
        )
    ),
    *(
        Program(
            "cuda", f"mma_assembly:pipelined<{m}, {n}, {k}, {stages}>", (2, 1), 128,
            [normal(m, 160, dtype=np.float16), normal(160, 2 * n, dtype=np.float16),
             zeros(m, 2 * n), m, 2 * n, 160],
            tensor_product, SINGLE, shared=stages * (m + n) * k * 2, by_artefact=True,
        )
        for m, n, k, stages in (
            (64, 64, 32, 2), (128, 128, 32, 3), (128, 64, 32, 4), (64, 128, 64, 3)
        )
    ),
    *(
        Program(
            "cuda", f"wmma_tiles:wmma_gemm<{name}, {total}, {left}_major, {right}_major, "
            f"{m}, {n}, {k}, 4>", (3, 2), 128,
            [spread(dtype, 32 * m * k), spread(dtype, 12 * k * n), spread(out, 8 * m, 3 * n),
             8 * m, 3 * n, 4 * k],
            partial(laid_out_product, layouts=(left, right)), NEAR[out], without=without,
        )
        for name, total, dtype, out, left, right, m, n, k, without in (
            ("__half", "float", np.float16, np.float32, "row", "col", 16, 16, 16, {}),
            ("__half", "float", np.float16, np.float32, "col", "row", 32, 8, 16, {}),
            ("__half", "__half", np.float16, np.float16, "row", "row", 8, 32, 16, {}),
            ("signed char", "int", np.int8, np.int32, "row", "col", 16, 16, 16, LATE),
            ("unsigned char", "int", np.uint8, np.int32, "row", "col", 32, 8, 16, LATE),
            ("__nv_bfloat16", "float", bfloat16, np.float32, "row", "col", 16, 16, 16, LATER),
            ("__nv_bfloat16", "float", bfloat16, np.float32, "row", "row", 8, 32, 16, LATER),
            ("double", "double", np.float64, np.float64, "row", "col", 8, 8, 4, LATER),
        )
    ),
    Program("cuda", "wmma_tiles:tf32_product", 1, 32,
            [normal(16, 32), normal(16, 32), zeros(16, 16), 32],
            tf32_product, SINGLE, without=LATER),
    *(
        Program(
            "cuda", f"attention:attention<{width}, {rows}, {cols}>:{case}",
            (-(-96 // rows), 2), rows,
            [*[normal(2, 96, width)] * 3, zeros(2, 96, width), 96, np.float32(width**-0.5),
             case == "causal"],
            lambda q, k, v, o, n, scale, causal: {3: attention(q, k, v, scale, causal)},
            APPROXIMATE,
        )
        for width, rows, cols in ((32, 64, 32), (64, 128, 32), (128, 64, 16))
        for case in ("all keys", "causal")
    ),
    *(
        Program(
            "cuda", f"attention:layer_norm<{threads}, {items}>", 3, threads,
            [normal(3, width), normal(width), normal(width), zeros(3, width), width,
             np.float32(1e-5)],
            normalised, APPROXIMATE,
        )
        for threads, items in ((128, 8), (256, 16), (1024, 4))
        for width in [threads * items - 37]
    ),
    *(
        Program("cuda", f"simulations:sparse<{name}, {lanes}>", -(-100 * lanes // 96), 96,
                _sparse(dtype),
                lambda rows, cols, values, x, y, n:
                    {4: csr_array((values, cols, rows), (n, x.size)) @ x},
                NEAR[dtype])
        for name, dtype, lanes in (
            ("float", np.float32, 1), ("float", np.float32, 8), ("double", np.float64, 32)
        )
    ),
    Program("cuda", "layouts:transpose_dynamic", (2, 3), (32, 32),
            [normal(70, 50), zeros(50, 70), 50, 70],
            lambda given, *_: {1: given.T}, shared=32 * 33 * 4),
    Program("opencl", "control:triangles", 5, 32,
            [integers(-3, 4, 40, 40, dtype=np.float32), np.ones((40, 40), np.float32), 40],
            triangular),
    Program("opencl", "matrices:product", (3, 3), (16, 16),
            [normal(48, 48), normal(48, 48), zeros(48, 48), 48], product, SINGLE),
    Program("opencl", "matrices:product4", (2, 2), (8, 8),
            [normal(64, 64), normal(64, 64), zeros(64, 64), 16], product, SINGLE),
    Program("opencl", "matrices:turn", (3, 2), (16, 16),
            [normal(32, 48, dtype=np.float64), zeros(48, 32, dtype=np.float64), 0, 48, 32],
            lambda given, *_: {1: given.T}, shared=16 * 17 * 8),
    *(
        Program("numba", name, (3, 3), (16, 16),
                [Strided(normal(35, 50, dtype=dtype)), Strided(normal(50, 40, dtype=dtype)),
                 Strided(zeros(35, 40, dtype=dtype))],
                product, SINGLE)  # both are summed in f32: the tiles are of f32
        for name, dtype in (("matmul0", np.float32), ("matmul1", np.float64))
    ),
)  # fmt: skip
