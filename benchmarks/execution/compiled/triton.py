"""What Triton makes of triton_kernels.py: its artefacts' names say kernel, types and sizes.

A name is `triton.KERNEL.TYPE.CONSTANTS.wWARPSsSTAGES.sm_CHIP`. Where Triton was told that whole
numbers are multiples of 16, they have to be. All shared memory is dynamic.
"""

from __future__ import annotations

import re

import numpy as np
from ml_dtypes import bfloat16, float8_e4m3fn, float8_e5m2
from scipy.special import erf, softmax

from warpmill.benchmarks.execution.compiled.arithmetic import philox
from warpmill.benchmarks.execution.compiled.model import (
    EXACT,
    Draw,
    Near,
    Program,
    integers,
    normal,
    wide,
    zeros,
)
from warpmill.benchmarks.execution.compiled.products import attention, standardised

SHARED = 200 * 1024
TYPES = {
    "fp32": np.float32, "fp16": np.float16, "bf16": bfloat16, "fp8e5": float8_e5m2,
    "fp8e4nv": float8_e4m3fn, "i32": np.int32,
}  # fmt: skip
NEAR = {
    np.float32: Near(2e-3, 2e-2, "products of f32 are of tf32, with ten bits after the point"),
    np.float16: Near(2e-3, 4e-3, "rounded to f16; weights of attention too"),
    bfloat16: Near(1.6e-2, 3e-2, "rounded to bf16; weights of attention too"),
}
ROWS = {
    np.float32: Near(1e-4, 1e-5, "f32 with ex2.approx and sums in another order"),
    np.float16: Near(1e-3, 1e-4, "rounded to f16"),
    bfloat16: Near(4e-3, 1e-5, "rounded to bf16"),
}
SEED, DROPPED = 20240607, 0.3


def random(dtype, *shape):
    """Numbers of a type; those of 8 bits are at most 2."""
    if np.dtype(dtype).itemsize > 1:
        return normal(*shape, dtype=dtype)

    def make(rng):
        drawn = rng.integers(0, 256, shape, np.uint8).view(dtype)
        return np.where(np.abs(wide(drawn)) <= 2, drawn, np.uint8(0x31).view(dtype))

    return Draw(make)


def _matmul(dtype, rows, cols, inner, group, relu):
    """The grid, the arguments, the oracle and the tolerance of a product."""
    m, n, k = 208, 144, 96
    out = dtype if dtype in NEAR else np.float16

    def oracle(a, b, *_):
        c = a @ b
        return {2: np.where(relu and c < 0, 0.01 * c, c)}

    given = [random(dtype, m, k), random(dtype, k, n), zeros(m, n, dtype=out), m, n, k, k, n, n]
    return -(-m // rows) * -(-n // cols), given, oracle, NEAR[out]


def _attention(dtype, rows, cols, width, causal):
    n = 2 * rows
    given = [*[random(dtype, 2, n, width)] * 3, zeros(2, n, width, dtype=dtype), n * width, n,
             np.float32(width**-0.5)]  # fmt: skip

    def oracle(q, k, v, o, stride, n, scale):  # the kernel takes powers of 2
        return {3: attention(q, k, v, scale * np.log(2), causal)}

    return (n // rows, 2), given, oracle, NEAR[dtype]


def _layer_norm(dtype, block):
    rows, n = 3, 1456
    given = [random(dtype, rows, n), zeros(rows, n, dtype=dtype), normal(n), normal(n),
             zeros(rows), zeros(rows), n, n, np.float32(1e-5)]  # fmt: skip

    def oracle(x, y, w, b, *_):
        z, mean, scale = standardised(x, 1e-5)
        near = ROWS[np.float32]
        return {1: z * w + b, 4: (mean, near), 5: (scale, near)}

    return rows, given, oracle, ROWS[dtype]


def _softmax(dtype, block):
    rows, cols = 5, min(block, 5000) - 24
    given = [zeros(rows, cols, dtype=dtype), random(dtype, rows, cols), cols, cols, rows, cols]
    return 3, given, lambda out, x, *_: {0: softmax(x, 1)}, ROWS[dtype]


def uniform(seed, offsets):
    """Triton's `rand`: the first word of Philox as a number with a sign, without it, scaled."""
    zero = np.zeros_like(offsets)
    word = philox((offsets, zero, zero, zero), (seed & 0xFFFFFFFF, seed >> 32))[0].view(np.int32)
    return np.where(word < 0, -word - 1, word) * np.float32(4.6566127342e-10)


def _dropout_gelu(dtype, block):
    n, out = 2 * block - 76, np.float32 if dtype is bfloat16 else dtype

    def oracle(v, y, seed, n, p):
        kept = uniform(seed, np.arange(n, dtype=np.uint64)) > p
        gelu = 0.5 * v * (1 + erf(v * 0.70710678)) / (1 - p)
        return {1: np.where(kept, gelu, 0)}

    given = [random(dtype, n), zeros(n, dtype=out), SEED, n, np.float32(DROPPED)]
    return 2, given, oracle, ROWS[out]


def _scatter_sort(dtype, block, bins):
    n = 3 * block

    def oracle(keys, values, counts, *_):
        most = keys.reshape(3, block).sum(1).max()
        counted = counts[:-1] + np.bincount(keys % bins, minlength=bins)
        return {2: np.append(counted, most), 3: np.sort(values.reshape(3, block), 1)}

    given = [integers(0, 1000, n), normal(n), integers(0, 9, bins + 1), zeros(n), n]
    return 3, given, oracle, EXACT


MAKERS = {
    "matmul": _matmul, "attention": _attention, "layer_norm": _layer_norm, "softmax": _softmax,
    "dropout_gelu": _dropout_gelu, "scatter_sort": _scatter_sort,
}  # fmt: skip


def programs(names):
    """The programs that artefacts' names tell of."""
    return [_program(source) for source in
            sorted({n.removeprefix("triton.").rpartition(".sm_")[0] for n in names})]  # fmt: skip


def _program(source):
    kernel, kind, sizes, rest = source.split(".")
    made = MAKERS[kernel](TYPES[kind], *map(int, sizes.split("x")))
    grid, given, oracle, near = made
    warps = int(re.match(r"w(\d+)", rest)[1])
    return Program("triton", source, grid, 32 * warps, given, oracle, near, shared=SHARED)
