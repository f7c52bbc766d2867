"""Threads that work together: sums, scans, votes, atomics, histograms, sorting."""

from __future__ import annotations

from functools import partial

import numpy as np

from warpmill.benchmarks.execution.compiled.model import (
    DOUBLE,
    EXACT,
    SUMS,
    Draw,
    Near,
    Program,
    Strided,
    as_mask,
    integers,
    normal,
    same_set,
    spread,
    uniform,
    zeros,
)

TYPES = {
    "int": np.int32, "unsigned int": np.uint32, "long long": np.int64, "float": np.float32,
    "double": np.float64,
}  # fmt: skip
KEYS = {"int": np.int32, "unsigned long long": np.uint64, "float": np.float32, "double": np.float64}
NEARS = {np.float32: SUMS, np.float64: DOUBLE}
MIXED = Near(1e-4, 0, "3 a + b forty times over in f32, where a and b are positive")
SCANNED = Near(1e-5, 0, "two thousand positive numbers summed in f32 in another order")
OPERATIONS = {
    "Sum": (128, lambda a, b: a + b),
    "Largest": (256, np.maximum),
    "Mixed": (512, lambda a, b: a * a.dtype.type(3) + b),
}


def numbers(dtype, count):
    """Numbers of a type's whole range, or about 1."""
    return spread(dtype, count, real=partial(uniform, 0.1, 1.9))


def some_equal(*shape, dtype):
    """Numbers of all signs, some of them equal."""
    return Draw(lambda rng: (rng.standard_normal(shape) * 100).round(1).astype(dtype))


def in_butterflies(values, operation):
    """Join the values of a warp's lanes in the order of the kernel's exchanges; lane 0's."""
    lanes = np.arange(values.shape[-1])
    for step in (16, 8, 4, 2, 1):
        values = operation(values, values[..., lanes ^ step])
    return values[..., 0]


def reduced(given, out, n, start, *, threads, operation):
    """A reduction by CTAs side by side, in the kernel's order."""
    whole = out.size * threads
    value = np.full(whole, start)
    for at in range(0, n, whole):
        own = given[at : min(at + whole, n)]
        value[: own.size] = operation(value[: own.size], own)
    last = np.full((out.size, 32), start)
    parts = in_butterflies(value.reshape(out.size, -1, 32), operation)
    last[:, : parts.shape[1]] = parts
    return {1: in_butterflies(last, operation)}


def scanned(given, out, totals, n):
    """Sums up to each element, of each CTA for itself, and their totals."""
    padded = np.where(np.arange(given.size) < n, given, given.dtype.type(0))
    sums = padded.reshape(totals.size, -1).cumsum(axis=1, dtype=given.dtype)
    return {1: np.where(np.arange(given.size) < n, sums.reshape(-1), out), 2: sums[:, -1]}


def voted(artefact, given, out, n):
    """Votes and matches of full warps, and of CTAs of 64."""
    values = np.where(np.arange(128) < n, given, np.int32(0))
    warps = values.reshape(-1, 32)
    bits = warps.view(np.uint32)
    odd = as_mask(warps & 1)[:, None]
    same = as_mask((warps[:, :, None] == warps[:, None, :]).transpose(0, 1, 2))
    all_same = (warps == warps[:, :1]).all(1, keepdims=True)
    below = (np.uint32(1) << np.arange(32, dtype=np.uint32)) - np.uint32(1)
    rank = np.bitwise_count(odd & below).astype(np.uint32)
    rank += np.where((warps > 5).any(1) & ~(warps > 7).all(1), 100, 0).astype(np.uint32)[:, None]
    if ".sm_70." not in artefact and ".sm_75." not in artefact:
        rank += bits.sum(1, keepdims=True, dtype=np.uint32)
        rank += warps.max(1, keepdims=True).view(np.uint32)
        each, every = (join.reduce(bits, 1, keepdims=True)
                       for join in (np.bitwise_xor, np.bitwise_and))  # fmt: skip
        rank ^= each | every
    ctas = values.reshape(-1, 64)
    counted = (ctas > 3).sum(1) + (ctas != 0).any(1) + (ctas != 0).all(1)
    everyone = np.where(all_same, 0xFFFFFFFF, 0).astype(np.uint32)
    mixed = odd ^ same ^ everyone ^ rank ^ all_same.astype(np.uint32)
    mixed = mixed.reshape(-1, 64) ^ counted.astype(np.uint32)[:, None]
    return {1: mixed.reshape(-1)[:n]}


def _votes(rng):
    given = rng.integers(0, 12, 128, np.int32)
    given[32:64] = 9
    return [given, zeros(120, dtype=np.uint32), 120]


def tile_sums(given, out, n, *, tile):
    """Sums, largest ones and scans in tiles of a warp."""
    tiles = np.where(np.arange(256) < n, given, 0).reshape(-1, tile)
    sums = tiles.sum(1)
    before = tiles.cumsum(1) - tiles
    ballot = ((tiles & 1) << np.arange(tile)).sum(1)
    before += np.where((tiles > 3).any(1), sums + ballot, 0)[:, None]
    expected = out.copy()
    expected[: tiles.shape[0]] = sums + tiles.max(1)
    expected[n : 2 * n] = before.reshape(-1)[:n].astype(np.int32)
    return {1: expected}


def warp_scan(values, out):
    """Sums within a warp; where one is above 100, plus the number of odd ones."""
    sums = values.reshape(-1, 32).cumsum(1)
    odd = np.bitwise_count(as_mask(sums & 1))
    return {1: sums + np.where((sums > 100).any(1), odd, 0)[:, None]}


def filtered(given, out, count, n):
    """The positive ones in any order, and how many there are."""
    kept = given[:n][given[:n] > 0]
    return {1: same_set(kept), 2: np.array([kept.size])}


def stepped(first, second, n, steps):
    """Steps of a three-point mean between two buffers, the whole grid waiting after each."""
    a, b = first.copy(), second.copy()
    for _ in range(steps):
        b[1:-1] = 0.25 * (a[:-2] + 2 * a[1:-1] + a[2:])
        a, b = b, a
    return {steps % 2: a, 1 - steps % 2: b}


def _stepped(rng):
    given = rng.random(1000, dtype=np.float32)
    return [given, given.copy(), 1000, 5]


def histogram(given, out, n):
    """A histogram of bytes added to what was there."""
    return {1: out + np.bincount(given[:n].reshape(-1), minlength=256).astype(np.uint32)}


def histogram_of_values(values, bins, low, width):
    """A histogram; the first bin also takes the largest value of the second at some moment."""
    at = ((values - low) / width).astype(int)
    counted = bins + np.bincount(at[(at >= 0) & (at < bins.size)], minlength=bins.size)
    return {1: np.ma.array(counted, mask=np.arange(bins.size) == 0)}


ATOMIC_THREADS = 64


def all_atomics(i, u, w, s, f, d, h, v):
    """What memory holds after all threads, in whatever order; what they read depends on it."""
    t, i, u, w = ATOMIC_THREADS, i.copy(), u.copy(), w.copy()
    i[0], i[1], i[2] = i[0] + v * t, i[1] - v * t, v
    i[3], i[4], i[5], i[6] = min(i[3], v), max(i[4], v), i[5] & v, i[6] | v
    i[9], i[10], i[11] = i[9] + v * t, i[10] + v * t, 3
    u[0], u[1] = (int(u[0]) + t) % 78, (int(u[1]) - t) % 100
    u[2], u[3] = max(u[2], v), min(u[3], v)
    w[0], w[2], w[3], w[4] = w[0] + np.uint64(v * t), v, max(w[3], v), w[4] & np.uint64(v)
    reads = (np.arange(i.size) >= 100) & (np.arange(i.size) < 100 + t)
    return {
        0: np.ma.array(i, mask=reads), 1: u, 2: w, 3: np.minimum(s, v),
        4: np.array([f[0] + 1.5 * t, 2.0]), 5: d + 2.5 * t, 6: h + np.float16(t),
    }  # fmt: skip


def _atomics(rng):
    i = rng.integers(1000, 2000, 164, np.int32)
    i[8], i[11] = 12, 5
    return [
        i, np.array([70, 40, 3, 9], np.uint32), rng.integers(100, 1000, 5).astype(np.uint64),
        np.array([7]), np.array([0.25, 9], np.float32), np.array([1.0]),
        np.array([1, -3], np.float16), 5,
    ]  # fmt: skip


def opencl_atomics(p, u, part):
    """What memory holds, whatever the order; nothing is said of exchanges."""
    ids = np.arange(32)
    last = [min(p[2], 0), max(p[3], 31), 0, p[5] | 31, p[6], p[7] - 32, p[8] - ids.sum()]
    return {0: np.ma.array([*p[:2], *last], mask=np.arange(9) < 2)}


def spun(lock, shared_value, given, n):
    """The largest, and a sum under a lock of what the first threads have."""
    largest = max(shared_value[0], given.max())
    return {0: lock, 1: np.array([largest, shared_value[1] + given[::64].sum()])}


def scoped(p, out, v):
    """One thread: loads, stores and atomics with an order and a scope."""
    stored = p.copy()
    stored[1], stored[2] = v, p[2] + v
    stored[3] = p[0] if p[3] == v else p[3]
    stored[4] |= v
    seen = np.ma.array(out.copy(), mask=np.arange(out.size) == 0)
    seen[4], seen[5] = p[5], p[2]
    return {0: stored, 1: seen}


def _scopes(rng):
    p = rng.integers(0, 99, 8, np.int32)
    p[3] = 21
    return [p, zeros(8, dtype=np.int32), 21]


def digits_counted(keys, counts, n, shift, *, bits):
    """A radix count: digits by CTA, the CTAs side by side."""
    digits = (keys[:n] >> np.uint32(shift)) & (2**bits - 1)
    owner = np.arange(n) // 100 % 3
    each = [np.bincount(digits[owner == cta], minlength=2**bits) for cta in range(3)]
    return {1: np.stack(each, 1)}


def _two_sorted(dtype):
    """Draw two sorted arrays."""

    def inputs(rng):
        a, b = (np.sort(spread(dtype, n, real=some_equal).make(rng)) for n in (300, 217))
        return [a, b, zeros(517, dtype=dtype), 300, 217]

    return inputs


PROGRAMS = (
    *(
        Program(
            "cuda", f"reductions:reduce<{name}, {kind}, {threads}>", 3, threads,
            [numbers(dtype, 4000), zeros(3, dtype=dtype), 3990, dtype(1)],
            partial(reduced, threads=threads, operation=operation),
            MIXED if (kind, name) == ("Mixed", "float") else NEARS.get(dtype, EXACT),
        )
        for name, dtype in TYPES.items()
        for kind, (threads, operation) in OPERATIONS.items()
    ),
    *(
        Program(
            "cuda", f"reductions:inclusive_scan<{name}, {threads}, {items}>", 2, threads,
            lambda rng, dtype=dtype, size=2 * threads * items:
                [numbers(dtype, size).make(rng) // dtype(2), zeros(size, dtype=dtype),
                 zeros(2, dtype=dtype), size - 77],
            scanned, SCANNED if dtype is np.float32 else NEARS.get(dtype, EXACT),
        )
        for name, dtype in TYPES.items()
        for threads, items in ((128, 4), (256, 8))
    ),
    Program("cuda", "reductions:votes", 2, 64, _votes, voted, by_artefact=True),
    Program("cuda", "atomics:histogram", 4, 96,
            [integers(0, 256, 5003, dtype=np.uint8), spread(np.uint32, 256), 5000], histogram),
    Program("cuda", "atomics:all_kinds", 1, ATOMIC_THREADS, _atomics, all_atomics),
    Program("cuda", "atomics:spin", 3, 64,
            [zeros(1, dtype=np.int32), np.array([5.0, 2.0]),
             integers(-100, 1000, 192, dtype=np.float64), 192], spun),
    Program("cuda", "atomics:scopes", 1, 1, _scopes, scoped,
            without={".sm_70.": "sm_75 and later only"}),
    *(
        Program("cuda", f"groups:tile_sums<{tile}>", 2, 128,
                [integers(-9, 9, 256), zeros(500, dtype=np.int32), 250],
                partial(tile_sums, tile=tile))
        for tile in (4, 16, 32)
    ),
    Program("cuda", "groups:filter", 3, 100,
            [integers(-50, 50, 300), zeros(300, dtype=np.int32), zeros(1, dtype=np.int32), 290],
            filtered),
    Program("cuda", "groups:whole_grid", 6, 64, _stepped, stepped, SUMS),
    Program("cuda", "groups:copies", 1, 256, [normal(512, 4), zeros(512), 512],
            lambda x, *_: {1: x[:, 0] + x[:, 1] * x[:, 2] - x[:, 3]}, SUMS, shared=4096),
    *(
        Program("cuda", f"sorting:{kernel}<{name}, {size}>", 2, threads,
                [spread(dtype, rows, size, real=some_equal)],
                lambda keys: {0: np.sort(keys, axis=1)})
        for name, dtype in KEYS.items()
        for kernel, size, threads, rows in (
            ("bitonic", 512, 256, 2), ("bitonic", 2048, 1024, 2),
            ("in_registers", 8, 96, 192), ("in_registers", 16, 96, 192),
            ("in_registers", 32, 96, 192),
        )
    ),
    *(
        Program("cuda", f"sorting:merge<{name}>", 5, 128, _two_sorted(dtype),
                lambda a, b, *_: {2: np.sort(np.concatenate((a, b)))})
        for name, dtype in KEYS.items()
    ),
    *(
        Program("cuda", f"sorting:radix_count<{bits}>", 3, 100,
                [spread(np.uint32, 1000), zeros(3 * 2**bits, dtype=np.uint32), 990, 5],
                partial(digits_counted, bits=bits))
        for bits in (4, 8)
    ),
    Program("cuda", "bulk_copies:cluster_sum", 4, 32,
            [integers(0, 99, 4), zeros(4, dtype=np.int32)],
            lambda given, _: {1: given.reshape(2, 2).sum(1).repeat(2) + np.tile([0, 1], 2)},
            without=dict.fromkeys((".sm_75.", ".sm_70.", ".sm_80.", "clang-cuda"),
                                  "sm_90 brought clusters")),
    Program("opencl", "reductions:sum", 3, 128,
            [integers(-(1 << 30), 1 << 30, 1000), np.ones(1, np.int32), 0, 990],
            lambda given, out, part, n: {1: out + given[:n].sum(dtype=np.int32)}, shared=512),
    Program("opencl", "reductions:scan", 3, 64, [normal(192), zeros(192), 0, 256, 64],
            lambda given, *_: {1: given.reshape(-1, 64).cumsum(1)}, SUMS, shared=512),
    Program("opencl", "reductions:histogram", 3, 96,
            [integers(0, 256, 1000, 4, dtype=np.uint8), integers(0, 9, 256, dtype=np.uint32), 1000],
            histogram),
    Program("opencl", "reductions:atomics", 1, 32,
            [integers(1, 99, 9), zeros(32, dtype=np.uint32), 0], opencl_atomics, shared=4),
    Program("numba", "reduction2", 3, 256,
            [Strided(normal(3000, dtype=np.float64)), Strided(np.ones(1))],
            lambda values, out: {1: out + values.sum()}, DOUBLE),
    *(
        Program("numba", name, 2, 64,
                lambda rng, dtype=dtype, count=count:  # in the middle of a bin
                    [Strided((rng.integers(2, 60, 900) + 0.5).astype(dtype)),
                     Strided(zeros(40, dtype=count)), dtype(1), dtype(1)],
                histogram_of_values)
        for name, dtype, count in (
            ("histogram7", np.float32, np.int32), ("histogram8", np.float64, np.uint32)
        )
    ),
    Program("numba", "scan13", 2, 64,
            [Strided(integers(0, 9, 128)), Strided(zeros(128, dtype=np.int32))], warp_scan,
            without={".debug.": "numba's code stores 0 to `v` before it writes it out"}),
)  # fmt: skip
