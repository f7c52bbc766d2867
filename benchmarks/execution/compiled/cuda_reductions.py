"""reductions.cu, atomics.cu and groups.cu: threads that work together."""

# ruff: noqa: ARG001 - oracles are called with a kernel's arguments
from __future__ import annotations

import numpy as np

from warpmill.benchmarks.execution.compiled.model import (
    DOUBLE,
    EXACT,
    Near,
    Program,
)

TYPES = {
    "int": np.int32, "unsigned int": np.uint32, "long long": np.int64, "float": np.float32,
    "double": np.float64,
}  # fmt: skip
SUMS = Near(1e-5, 1e-4, "sums of some hundred numbers near 1 in f32, in another order")
MIXED = Near(1e-4, 0, "3 a + b forty times over in f32, where a and b are positive")
NEARS = {np.float32: SUMS, np.float64: DOUBLE}
OPERATIONS = {
    "Sum": (128, lambda a, b: a + b),
    "Largest": (256, np.maximum),
    "Mixed": (512, lambda a, b: a * a.dtype.type(3) + b),
}


def numbers(rng, dtype, count):
    """Numbers of the whole range, or about 1."""
    if np.dtype(dtype).kind == "f":
        return rng.uniform(0.1, 1.9, count).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, count, dtype, endpoint=True)


def in_butterflies(values, operation):
    """Join the values of a warp's lanes in the order of the kernel's exchanges; lane 0's."""
    lanes = np.arange(values.shape[-1])
    for step in (16, 8, 4, 2, 1):
        values = operation(values, values[..., lanes ^ step])
    return values[..., 0]


def reduced(threads, operation):
    """The oracle of a reduction: CTAs side by side, in the kernel's order."""

    def oracle(given, out, n, start):
        grid = out.size
        value = np.full(grid * threads, start)
        for at in range(0, n, grid * threads):
            own = given[at : min(at + grid * threads, n)]
            value[: own.size] = operation(value[: own.size], own)
        parts = in_butterflies(value.reshape(grid, threads // 32, 32), operation)
        last = np.full((grid, 32), start)
        last[:, : threads // 32] = parts
        return {1: in_butterflies(last, operation)}

    return oracle


def scanned(threads, items):
    """The oracle of sums up to each element, of each CTA for itself, and of their totals."""

    def oracle(given, out, totals, n):
        padded = np.zeros(totals.size * threads * items, given.dtype)
        padded[:n] = given[:n]
        sums = padded.reshape(totals.size, -1).cumsum(axis=1, dtype=given.dtype)
        expected = out.copy()
        expected[:n] = sums.reshape(-1)[:n]
        return {1: expected, 2: sums[:, -1]}

    return oracle


def _reductions():
    for name, dtype in TYPES.items():
        for operation, (threads, join) in OPERATIONS.items():
            is_mixed = operation == "Mixed" and dtype is np.float32
            yield Program(
                "reductions", f"reduce<{name}, {operation}, {threads}>", 3, threads,
                lambda rng, d=dtype: [numbers(rng, d, 4000), np.zeros(3, d), np.int32(3990), d(1)],
                reduced(threads, join), MIXED if is_mixed else NEARS.get(dtype, EXACT),
            )  # fmt: skip
        for threads, items in (128, 4), (256, 8):
            size = 2 * threads * items
            yield Program(
                "reductions", f"inclusive_scan<{name}, {threads}, {items}>", 2, threads,
                lambda rng, d=dtype, n=size: [
                    numbers(rng, d, n) // d(2), np.zeros(n, d), np.zeros(2, d), np.int32(n - 77)
                ],
                scanned(threads, items),
                Near(1e-5, 0, "two thousand positive numbers summed in f32 in another order")
                if dtype is np.float32 else NEARS.get(dtype, EXACT),
            )  # fmt: skip


def as_mask(bits):
    """Pack the bits of 32 lanes."""
    return (bits.astype(np.uint32) << np.arange(32, dtype=np.uint32)).sum(-1, dtype=np.uint32)


def voted(artefact, given, out, n):
    """Votes and matches of full warps, and of CTAs of 64."""
    values = np.zeros(128, np.int32)
    values[:n] = given[:n]
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
        rank ^= np.bitwise_xor.reduce(bits, 1, keepdims=True) | np.bitwise_and.reduce(
            bits, 1, keepdims=True
        )
    ctas = values.reshape(-1, 64)
    counted = (ctas > 3).sum(1) + (ctas != 0).any(1) + (ctas != 0).all(1)
    everyone = np.where(all_same, 0xFFFFFFFF, 0).astype(np.uint32)
    mixed = odd ^ same ^ everyone ^ rank ^ all_same.astype(np.uint32)
    mixed = mixed.reshape(-1, 64) ^ counted.astype(np.uint32)[:, None]
    return {1: mixed.reshape(-1)[:n]}


def _vote_inputs(rng):
    given = rng.integers(0, 12, 128, np.int32)
    given[32:64] = 9
    return [given, np.zeros(120, np.uint32), np.int32(120)]


def bytes_counted(given, out, n):
    """A histogram added to what was there."""
    return {1: out + np.bincount(given[:n], minlength=256).astype(np.uint32)}


def _byte_inputs(rng):
    return [rng.integers(0, 256, 5003, np.uint8), numbers(rng, np.uint32, 256), np.int32(5000)]


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
    reads = np.zeros(i.size, bool)
    reads[100 : 100 + t] = True
    expected = np.array([f[0] + 1.5 * t, 2.0])
    return {
        0: np.ma.array(i, mask=reads), 1: u, 2: w, 3: np.minimum(s, v), 4: expected, 5: d + 2.5 * t,
        6: h + np.float16(t),
    }  # fmt: skip


def _atomic_inputs(rng):
    i = rng.integers(1000, 2000, 164, np.int32)
    i[8], i[11] = 12, 5
    u = np.array([70, 40, 3, 9], np.uint32)
    s = np.array([7], np.int64)
    return [
        i, u, rng.integers(100, 1000, 5).astype(np.uint64), s, np.array([0.25, 9], np.float32),
        np.array([1.0]), np.array([1, -3], np.float16), np.int32(5),
    ]  # fmt: skip


def spun(lock, shared_value, given, n):
    """The largest, and a sum under a lock of what the first threads have."""
    largest = max(shared_value[0], given.max())
    return {0: lock, 1: np.array([largest, shared_value[1] + given[::64].sum()])}


def _spin_inputs(rng):
    given = rng.integers(-100, 1000, 192).astype(np.float64)
    return [np.zeros(1, np.int32), np.array([5.0, 2.0]), given, np.int32(192)]


def scoped(p, out, v):
    """One thread: loads, stores and atomics with an order and a scope."""
    stored = p.copy()
    stored[1], stored[2] = v, p[2] + v
    stored[3] = p[0] if p[3] == v else p[3]
    stored[4] |= v
    seen = np.ma.array(out, mask=np.arange(out.size) == 0)
    seen[4], seen[5] = p[5], p[2]
    return {0: stored, 1: seen}


def _scope_inputs(rng):
    p = rng.integers(0, 99, 8, np.int32)
    p[3] = 21
    return [p, np.zeros(8, np.int32), np.int32(21)]


def tiled(tile):
    """The oracle of sums, largest ones and scans in tiles of a warp."""

    def oracle(given, out, n):
        values = np.zeros(256, np.int64)
        values[:n] = given[:n]
        tiles = values.reshape(-1, tile)
        sums = tiles.sum(1)
        before = tiles.cumsum(1) - tiles
        ballot = ((tiles & 1) << np.arange(tile)).sum(1)
        before += np.where((tiles > 3).any(1), sums + ballot, 0)[:, None]
        expected = out.copy()
        expected[: tiles.shape[0]] = sums + tiles.max(1)
        expected[n : 2 * n] = before.reshape(-1)[:n].astype(np.int32)
        return {1: expected}

    return oracle


def _tile_inputs(rng):
    return [rng.integers(-9, 9, 256, np.int32), np.zeros(500, np.int32), np.int32(250)]


def filtered(given, out, count, n):
    """The positive ones in any order, and how many there are."""
    kept = np.sort(given[:n][given[:n] > 0])
    return {
        1: lambda got: bool((np.sort(got[: kept.size]) == kept).all()),
        2: np.array([kept.size]),
    }  # fmt: skip


def stepped(first, second, n, steps):
    """Steps of a three-point mean between two buffers, the whole grid waiting after each."""
    a, b = first.copy(), second.copy()
    for _ in range(steps):
        b[1:-1] = np.float32(0.25) * (a[:-2] + 2 * a[1:-1] + a[2:])
        a, b = b, a
    return {steps % 2: a, 1 - steps % 2: b}


def _grid_inputs(rng):
    given = rng.random(1000, dtype=np.float32)
    return [given, given.copy(), np.int32(1000), np.int32(5)]


def staged(given, out, n):
    """Of each four numbers x + y z - w."""
    x, y, z, w = given.astype(np.float64).T
    return {1: x + y * z - w}


PROGRAMS = (
    *_reductions(),
    Program("reductions", "votes", 2, 64, _vote_inputs, voted, by_artefact=True),
    Program("atomics", "histogram", 4, 96, _byte_inputs, bytes_counted),
    Program("atomics", "all_kinds", 1, ATOMIC_THREADS, _atomic_inputs, all_atomics),
    Program("atomics", "spin", 3, 64, _spin_inputs, spun),
    Program("atomics", "scopes", 1, 1, _scope_inputs, scoped,
            without={".sm_70.": "sm_75 and later only"}),
    *(Program("groups", f"tile_sums<{n}>", 2, 128, _tile_inputs, tiled(n)) for n in (4, 16, 32)),
    Program(
        "groups", "filter", 3, 100,
        lambda rng: [rng.integers(-50, 50, 300, np.int32), np.zeros(300, np.int32),
                     np.zeros(1, np.int32), np.int32(290)],
        filtered,
    ),
    Program("groups", "whole_grid", 6, 64, _grid_inputs, stepped, SUMS),
    Program(
        "groups", "copies", 1, 256,
        lambda rng: [rng.standard_normal((512, 4)).astype(np.float32), np.zeros(512, np.float32),
                     np.int32(512)],
        staged, SUMS, shared=4096,
    ),
)  # fmt: skip
