"""narrow_floats.cu: chains of operations on pairs of f16 and bf16, each rounded.

Elements for which a rounding could turn a branch or a conversion to a whole number are left out.
"""

# ruff: noqa: ARG001 - oracles are called with a kernel's arguments
from __future__ import annotations

import numpy as np

from warpmill.benchmarks.execution.compiled.model import (
    Near,
    Program,
    from_bfloat,
    to_bfloat,
)

MARGIN = 0.03
HALVES = Near(1e-2, 1e-2, "ten operations rounded to f16, some approximate, one of them 1 / z")
BFLOATS = Near(3e-2, 3e-2, "eight operations rounded to bf16, two of them approximate")


def as_half(exact):
    """Round to f16."""
    return np.asarray(exact).astype(np.float16)


def wide(values):
    """Take f16 as f64."""
    return values.astype(np.float64)


def half_pairs(x, y, c, f, n):
    """What the kernel does with each pair of f16."""
    z = as_half(wide(x) * wide(y) + 1.5)
    z = z + np.clip(x * y, np.float16(0), np.float16(1))
    z = z - as_half(np.exp2(wide(x)))
    z = np.maximum(z, np.minimum(x, y))
    z = z / (y + as_half(np.sqrt(np.abs(wide(x)))))
    doubtful = (abs(wide(z) - wide(x)) < MARGIN).any(1) | (abs(z[:, 0] - z[:, 1]) < MARGIN)
    z = np.where((z > x).all(1, keepdims=True), -z, z)
    doubtful |= abs(z[:, 0] - z[:, 1]) < MARGIN
    z = np.where((z[:, :1] < z[:, 1:]), z[:, ::-1], z)
    sine, logarithm = as_half(np.sin(wide(x))), as_half(np.log2(wide(y)))
    z = as_half(wide(sine) * wide(logarithm) + 1 / wide(z)) + np.rint(np.floor(np.ceil(y)))
    z = wide(z)
    doubtful |= abs(z[:, 1] - np.floor(z[:, 1]) - 0.5) < MARGIN * (1 + abs(z[:, 1]))
    sums = z[:, 0] + np.rint(z[:, 1]) + np.trunc(wide(x[:, 0])) + np.exp(wide(y[:, 0]))
    second = np.where(x[:, 0] >= y[:, 1], wide(x[:, 0]), 1 / np.sqrt(wide(y[:, 1])))
    pairs = np.stack((np.tanh(z[:, 0]), second), 1)
    both = np.stack((doubtful, doubtful), 1)
    return {2: np.ma.array(pairs, mask=both), 3: np.ma.array(sums, mask=doubtful)}


def _half_inputs(rng):
    x, y = as_half(rng.uniform(0.3, 1.9, (2, 300, 2)))
    return [x, y, np.zeros((300, 2), np.float16), np.zeros(300, np.float32), np.int32(300)]


def rounded(exact):
    """Round to bf16, as f64."""
    return from_bfloat(to_bfloat(exact)).astype(np.float64)


def bfloats(artefact, a, b, c, n):
    """What the kernel does with each pair of bf16; the first fma only from sm_80 on."""
    x, y = from_bfloat(a).astype(np.float64), from_bfloat(b).astype(np.float64)[:, None]
    z = np.broadcast_to([0.5, 2.0], x.shape)
    if ".sm_70." not in artefact and ".sm_75." not in artefact:
        z = rounded(x * y + z)
    z = rounded(rounded(z * x) + np.maximum(y, x))
    z = rounded(z + y)
    doubtful = abs(z[:, 0] - y[:, 0]) < MARGIN * z[:, 0]
    first = np.where(z[:, 0] > y[:, 0], z[:, 0] * 3, z[:, 0])
    i = np.arange(n)
    second = rounded(rounded(np.exp(z[:, 1])) + rounded(np.log(y[:, 0])))
    second = rounded(rounded(second + rounded(i)) + 1 / i)
    expected = np.ma.array(np.stack((first, second), 1), mask=doubtful[:, None] | [[False, False]])

    def check(got):
        off = abs(from_bfloat(got) - expected) > BFLOATS.absolute + BFLOATS.relative * abs(expected)
        off &= from_bfloat(got) != expected  # both may be infinite
        return not np.ma.filled(off, fill_value=False).any()

    return {2: check}


def _bfloat_inputs(rng):
    a, b = to_bfloat(rng.uniform(0.2, 2, (300, 2))), to_bfloat(rng.uniform(0.2, 2, 300))
    return [a, b, np.zeros((300, 2), np.uint16), np.int32(300)]


PROGRAMS = (
    Program("narrow_floats", "half_pairs", 5, 64, _half_inputs, half_pairs, HALVES),
    Program(
        "narrow_floats", "bfloats", 5, 64, _bfloat_inputs, bfloats, BFLOATS, by_artefact=True
    ),
)  # fmt: skip
