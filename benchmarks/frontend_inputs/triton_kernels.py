"""Triton kernels of the usual kinds, and the variants of them that are compiled.

A variant is a kernel, the types of its pointers, its compile-time constants and its options. This
module needs Triton, and is loaded by ``triton_build`` alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, m, n, k, sa, sb, sc, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
           GROUP: tl.constexpr, RELU: tl.constexpr):  # fmt: skip
    pid = tl.program_id(0)
    rows, cols = tl.cdiv(m, M), tl.cdiv(n, N)
    group = pid // (GROUP * cols)
    first = group * GROUP
    size = min(rows - first, GROUP)
    row = first + (pid % (GROUP * cols)) % size
    col = (pid % (GROUP * cols)) // size
    offs_m = (row * M + tl.arange(0, M)) % m
    offs_n = (col * N + tl.arange(0, N)) % n
    offs_k = tl.arange(0, K)
    at = a + offs_m[:, None] * sa + offs_k[None, :]
    bt = b + offs_k[:, None] * sb + offs_n[None, :]
    total = tl.zeros((M, N), dtype=tl.float32)
    for step in range(0, tl.cdiv(k, K)):
        left = tl.load(at, mask=offs_k[None, :] < k - step * K, other=0.0)
        right = tl.load(bt, mask=offs_k[:, None] < k - step * K, other=0.0)
        total = tl.dot(left, right, total)
        at += K
        bt += K * sb
    if RELU:
        total = tl.where(total > 0, total, 0.01 * total)
    om = row * M + tl.arange(0, M)
    on = col * N + tl.arange(0, N)
    mask = (om[:, None] < m) & (on[None, :] < n)
    tl.store(c + om[:, None] * sc + on[None, :], total.to(c.dtype.element_ty), mask=mask)


@triton.jit
def attention(q, k, v, o, stride, n, scale, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr,
              CAUSAL: tl.constexpr):  # fmt: skip
    start = tl.program_id(0)
    base = tl.program_id(1).to(tl.int64) * stride
    rows = start * M + tl.arange(0, M)
    dims = tl.arange(0, D)
    own = tl.load(q + base + rows[:, None] * D + dims[None, :], mask=rows[:, None] < n, other=0.0)
    most = tl.zeros((M,), dtype=tl.float32) - float("inf")
    norm = tl.zeros((M,), dtype=tl.float32) + 1.0
    total = tl.zeros((M, D), dtype=tl.float32)
    last = (start + 1) * M if CAUSAL else n
    for at in range(0, last, N):
        cols = at + tl.arange(0, N)
        keys = tl.load(
            k + base + cols[None, :] * D + dims[:, None], mask=cols[None, :] < n, other=0.0
        )
        score = tl.dot(own, keys) * scale
        if CAUSAL:
            score = tl.where(rows[:, None] >= cols[None, :], score, float("-inf"))
        higher = tl.maximum(most, tl.max(score, 1))
        weight = tl.exp2(score - higher[:, None])
        old = tl.exp2(most - higher)
        norm = norm * old + tl.sum(weight, 1)
        values = tl.load(
            v + base + cols[:, None] * D + dims[None, :], mask=cols[:, None] < n, other=0.0
        )
        total = tl.dot(weight.to(values.dtype), values, total * old[:, None])
        most = higher
    total = total / norm[:, None]
    tl.store(
        o + base + rows[:, None] * D + dims[None, :],
        total.to(o.dtype.element_ty),
        mask=rows[:, None] < n,
    )


@triton.jit
def layer_norm(x, y, w, b, mean, rstd, stride, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x += row * stride
    y += row * stride
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for at in range(0, n, BLOCK):
        cols = at + tl.arange(0, BLOCK)
        total += tl.load(x + cols, mask=cols < n, other=0.0).to(tl.float32)
    centre = tl.sum(total, axis=0) / n
    squares = tl.zeros((BLOCK,), dtype=tl.float32)
    for at in range(0, n, BLOCK):
        cols = at + tl.arange(0, BLOCK)
        d = tl.load(x + cols, mask=cols < n, other=0.0).to(tl.float32) - centre
        squares += tl.where(cols < n, d * d, 0.0)
    scale = 1 / tl.sqrt(tl.sum(squares, axis=0) / n + eps)
    tl.store(mean + row, centre)
    tl.store(rstd + row, scale)
    for at in range(0, n, BLOCK):
        cols = at + tl.arange(0, BLOCK)
        mask = cols < n
        z = (tl.load(x + cols, mask=mask, other=0.0).to(tl.float32) - centre) * scale
        z = z * tl.load(w + cols, mask=mask) + tl.load(b + cols, mask=mask)
        tl.store(y + cols, z, mask=mask)


@triton.jit
def softmax(out, x, in_stride, out_stride, rows, cols, BLOCK: tl.constexpr):
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0)):
        c = tl.arange(0, BLOCK)
        values = tl.load(x + row * in_stride + c, mask=c < cols, other=-float("inf")).to(tl.float32)
        e = tl.exp(values - tl.max(values, axis=0))
        tl.store(out + row * out_stride + c, e / tl.sum(e, axis=0), mask=c < cols)


@triton.jit
def dropout_gelu(x, y, seed, n, p, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    v = tl.load(x + at, mask=mask).to(tl.float32)
    v = 0.5 * v * (1 + tl.erf(v * 0.70710678))
    keep = tl.rand(seed, at) > p
    tl.store(y + at, tl.where(keep, v / (1 - p), 0.0), mask=mask)


@triton.jit
def scatter_sort(keys, values, counts, out, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    k = tl.load(keys + at, mask=mask, other=0)
    tl.atomic_add(counts + k % BINS, 1, mask=mask)
    tl.store(out + at, tl.sort(tl.load(values + at, mask=mask, other=0.0)), mask=mask)
    s = tl.associative_scan(k, 0, _plus)
    tl.atomic_max(counts + BINS, tl.max(s, axis=0))


@triton.jit
def _plus(a, b):
    return a + b


TYPES = {
    matmul: "*{0} *{0} *{1} i32 i32 i32 i32 i32 i32",
    attention: "*{0} *{0} *{0} *{0} i32 i32 fp32",
    layer_norm: "*{0} *{0} *fp32 *fp32 *fp32 *fp32 i32 i32 fp32",
    softmax: "*{0} *{0} i32 i32 i32 i32",
    dropout_gelu: "*{0} *{1} i32 i32 fp32",
    scatter_sort: "*{0} *fp32 *i32 *fp32 i32",
}
"""Of the parameters that are no constants, by Triton's names; the results may have another."""


@dataclass(frozen=True)
class Variant:
    """A kernel with its type, constants (its last parameters), options and chips to compile for."""

    kernel: Any
    kind: str
    numbers: tuple[int, ...]
    warps: int = 4
    stages: int = 3
    chips: tuple[int, ...] = (80, 90, 100)
    out: str = ""

    @property
    def name(self) -> str:
        """A name for files: the kernel, the first type, numbers, warps and stages."""
        numbers = "x".join(str(int(v)) for v in self.numbers)
        return f"{self.kernel.__name__}.{self.kind}.{numbers}.w{self.warps}s{self.stages}"


VARIANTS = (
    Variant(matmul, "fp16", (64, 64, 32, 8, False)),
    Variant(matmul, "fp16", (128, 128, 64, 8, True)),
    Variant(matmul, "fp16", (128, 256, 64, 8, True), 8),
    Variant(matmul, "bf16", (128, 128, 32, 8, True), 8, 4),
    Variant(matmul, "bf16", (64, 256, 32, 8, False), 4, 4),
    Variant(matmul, "fp32", (64, 64, 32, 8, False), 4, 2),
    Variant(matmul, "fp32", (128, 128, 32, 8, True)),
    Variant(matmul, "fp16", (256, 128, 64, 8, False), chips=(80, 100)),
    Variant(matmul, "fp8e5", (128, 128, 128, 8, True), 8, out="fp16"),
    Variant(matmul, "fp8e4nv", (128, 256, 64, 8, True), 8, 4, (90, 100), "fp16"),
    Variant(attention, "fp16", (64, 64, 64, True), 4, 2),
    Variant(attention, "fp16", (128, 64, 128, False), 8),
    Variant(attention, "bf16", (128, 128, 64, True), 8, 2),
    Variant(attention, "bf16", (64, 32, 256, False), 4, 2),
    Variant(attention, "fp32", (64, 64, 64, True), 4, 2),
    Variant(layer_norm, "fp16", (1024,)),
    Variant(layer_norm, "fp32", (8192,), 8),
    Variant(softmax, "fp32", (1024,), 4, 2),
    Variant(softmax, "bf16", (16384,), 8, 4),
    Variant(dropout_gelu, "fp16", (4096,)),
    Variant(dropout_gelu, "bf16", (8192,), 8, out="fp32"),
    Variant(scatter_sort, "i32", (512, 64)),
    Variant(scatter_sort, "i32", (2048, 16)),
)
