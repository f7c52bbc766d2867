"""integers.cu and bulk_copies.cu: whole numbers and bytes."""

# ruff: noqa: ARG001, ARG005 - oracles are called with a kernel's arguments
from __future__ import annotations

import numpy as np

from warpmill.benchmarks.execution.compiled.model import Program

ROUNDS = np.zeros(64, np.uint32)
ROUNDS[:12] = [
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    1, 2, 3, 4,
]  # fmt: skip
START = (
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19
)  # fmt: skip


def turned(x, n):
    """Rotate words to the right."""
    return x >> np.uint32(n) | x << np.uint32(32 - n)


def digested(given, out, n):
    """SHA-2's rounds with the constants of the source."""
    w = list(given.byteswap().reshape(-1, 16).T)
    for t in range(16, 64):
        a = turned(w[t - 15], 7) ^ turned(w[t - 15], 18) ^ w[t - 15] >> np.uint32(3)
        b = turned(w[t - 2], 17) ^ turned(w[t - 2], 19) ^ w[t - 2] >> np.uint32(10)
        w.append(w[t - 16] + a + w[t - 7] + b)
    s = [np.full(n, v, np.uint32) for v in START]
    for t in range(64):
        e = turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)
        one = s[7] + e + (s[4] & s[5] ^ ~s[4] & s[6]) + ROUNDS[t] + w[t]
        a = turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)
        two = a + (s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2])
        s = [one + two, *s[:3], s[3] + one, *s[4:7]]
    return {1: np.stack(s, 1)}


def words(rng, *shape):
    """Words of 32 random bits."""
    return rng.integers(0, 1 << 32, shape, np.uint32)


def long_product(a, b, c):
    """The source's chain of carries: each `add.cc` carries into one word, no further."""
    n = a.shape[1]
    a, b = a.astype(np.uint64), b.astype(np.uint64)
    low = np.uint64(0xFFFFFFFF)
    sums = np.zeros((a.shape[0], 2 * n), np.uint64)
    for i in range(n):
        x = a[:, i]
        for j in range(0, n - 1, 2):
            product = x * b[:, j]
            for low_part, high_part in ((product & low, product >> 32), (x >> 31, 0)):
                first = sums[:, i + j] + low_part
                sums[:, i + j] = first & low
                sums[:, i + j + 1] = (sums[:, i + j + 1] + high_part + (first >> 32)) & low
    return {2: (sums[:, :n] ^ sums[:, n:]).astype(np.uint32)}


def philox(counter, key, rounds=10):
    """Philox 4x32 (Salmon and others, 2011): four words of a counter and two of a key."""
    c = [np.asarray(word, np.uint64) for word in counter]
    k = [np.uint64(word) for word in key]
    low = np.uint64(0xFFFFFFFF)
    for _ in range(rounds):
        first, second = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [second >> 32 ^ c[1] ^ k[0], second & low, first >> 32 ^ c[3] ^ k[1], first & low]
        k = [(k[0] + np.uint64(0x9E3779B9)) & low, (k[1] + np.uint64(0xBB67AE85)) & low]
    return [word.astype(np.uint32) for word in c]


def random_numbers(seed, out, n):
    """Xorshift a thread, each state through Philox."""
    s = np.uint64(seed) + np.arange(64, dtype=np.uint64)
    expected = np.zeros((64, n), np.float32)
    for i in range(n):
        for step in (13, -7, 17):
            s = s ^ (s << np.uint64(step) if step > 0 else s >> np.uint64(-step))
        drawn = philox((s & np.uint64(0xFFFFFFFF), s >> 32, i, 7), (0xA4093822, 0x299F31D0))
        expected[:, i] = (drawn[0] >> np.uint32(8)) * np.float32(2**-24)
    return {1: expected}


def bits_flipped(given, out, map_, n):
    """Bytes with every other bit turned over; a pointer that is not null turns over the last."""
    return {1: given ^ 0x55}


PROGRAMS = (
    Program(
        "integers", "digest", 2, 64,
        lambda rng: [words(rng, 100, 16), np.zeros((100, 8), np.uint32), np.int32(100)], digested,
    ),
    *(
        Program(
            "integers", f"long_product<{n}>", 2, 32,
            lambda rng, n=n: [words(rng, 64, n), words(rng, 64, n), np.zeros((64, n), np.uint32)],
            long_product,
        )
        for n in (8, 16)
    ),
    Program(
        "integers", "random_numbers", 1, 64,
        lambda rng: [np.uint64(0x123456789ABCDEF1), np.zeros((64, 5), np.float32), np.int32(5)],
        random_numbers,
    ),
    Program(
        "bulk_copies", "bulk_copy", 3, 128,
        lambda rng: [rng.integers(0, 256, 384, np.uint8), np.zeros(384, np.uint8), None,
                     np.int32(384)],
        bits_flipped, shared=4096,
    ),
    Program(
        "bulk_copies", "cluster_sum", 4, 32,
        lambda rng: [rng.integers(0, 99, 4).astype(np.int32), np.zeros(4, np.int32)],
        lambda given, out: {1: given.reshape(2, 2).sum(1).repeat(2) + np.tile([0, 1], 2)},
        without={".sm_75.": "sm_90 brought clusters", ".sm_70.": "sm_90 brought clusters",
                 ".sm_80.": "sm_90 brought clusters", "clang-cuda": "sm_90 brought clusters"},
    ),
)  # fmt: skip
