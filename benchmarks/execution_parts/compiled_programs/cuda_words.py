"""integers.cu, calls.cu, layouts.cu and bulk_copies.cu: whole numbers, control flow, memory."""

from __future__ import annotations

import numpy as np

from benchmarks.execution_parts.compiled_programs.model import EXACT, Near, OnDevice, Program

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


# ------------------------------------------------------------------------------------------ calls

RAY = np.dtype(
    {
        "names": ["origin", "direction", "far", "tag"],
        "formats": ["3f4", "3f4", "f8", "i1"],
        "offsets": [0, 12, 24, 32],
        "itemsize": 40,
    }
)


def _march_inputs(rng):
    ray = np.zeros((), RAY)
    ray["origin"], ray["direction"], ray["far"] = (-3, 0.1, 0.2), (1, 0.02, 0.01), 100.0
    ray["tag"] = 3
    return [ray[()], np.zeros(32, np.float32), np.int32(50)]


def marched(ray, out, steps):
    """Steps until the ray is in the unit sphere, in f32; no step ends near its surface."""
    one, expected = np.float32(0.1), np.zeros(32)
    for t in range(32):
        origin, direction = ray["origin"].copy(), ray["direction"].copy()
        direction[0] += np.float32(t) * np.float32(0.01)
        far, i = ray["far"], 0
        while i < steps and not (origin * origin).sum() < 1:
            origin += direction * one
            far, i = far - one, i + 1
        expected[t] = i + np.float32(far) + ray["tag"] + i
    return {1: expected}


def chosen(which, data, n):
    """Twice, squared or inverted."""
    each = np.select([which % 3 == 0, which % 3 == 1], [data + data, data * data], 1 / data)
    return {1: each}


def areas(out, n):
    """Circles at odd places, boxes at even ones, grown n times."""
    t = np.arange(32)
    factor = np.float64(np.float32(1.1)) ** (2 * n)
    return {0: np.where(t & 1, 3.14159 * t * t, 2.0 * t) * factor}


def told(given, n):
    """What is printed, a line for each negative number; threads' order is not defined."""
    lines = [
        f'thread {i}: {v}, {v * 0.5:f} and "text; with {{ marks }} // in it"\n'
        for i, v in enumerate(given[:n])
        if v < 0
    ]
    wanted = "".join(sorted(lines))
    return {
        "printed": lambda got: "".join(sorted(_text(got).splitlines(True))) == wanted or repr(got)
    }


def _text(printed):
    if isinstance(printed, bytes):
        return printed.decode()
    return printed if isinstance(printed, str) else "".join(map(str, printed))


def signed(value):
    """Take the lower 32 bits as a number with a sign."""
    return (value + 0x80000000 & 0xFFFFFFFF) - 0x80000000


def divided(a, b):
    """Divide as C does, towards zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _reversed_bits(value):
    return int(f"{value & 0xFFFFFFFF:032b}"[::-1], 2)


STEPS = {
    0: lambda x, y: y + x, 1: lambda x, y: y - x * 3, 2: lambda x, y: y ^ x,
    3: lambda x, y: y * x + 1, 4: lambda x, y: (y & 0xFFFFFFFF).bit_count() + x,
    5: lambda x, y: divided(y, x | 1), 6: lambda x, y: y - divided(y, x | 1) * (x | 1),
    8: lambda x, y: ~y, 9: lambda x, y: _reversed_bits(max(x, y)), 10: lambda x, y: _reversed_bits(y),
}  # fmt: skip


def jumped(given, out, n):
    """Four cases of the switch a number; 11 ends."""
    expected = out.copy()
    for i in range(n):
        x, y = int(given[i]), int(out[i])
        for at in range(0, 16, 4):
            case = x >> at & 15
            if case == 11:
                break
            y = signed(STEPS.get(case, lambda x, y: y + 1)(x, y))
        expected[i] = y
    return {1: expected}


def _jump_inputs(rng):
    given = rng.integers(-(1 << 31), 1 << 31, 200).astype(np.int32)
    digits = given[:, None] >> np.arange(0, 16, 4) & 15
    given = given[(digits != 7).all(1)]  # case 7 reads what another thread may have written
    return [given, rng.integers(-999, 999, given.size).astype(np.int32), np.int32(given.size - 3)]


# ---------------------------------------------------------------------------------------- layouts


def in_vectors(a, b, c, d, e, f, n):
    """Parts of vectors of several types put into others."""
    i = np.arange(n)
    x, y, z, w = a[i], a[i + n], a[2 * i], a[3 * i]
    q = c[i]
    first = np.stack((x[:, 0] + y[:, 1], z[:, 2] * w[:, 3]), 1).astype(np.float64)
    wide = q.astype(np.int64)
    return {
        1: np.concatenate((first, q[:, :2].astype(np.float64))),
        3: q.astype(np.uint8),
        4: np.stack((wide[:, 0] * 3, -wide[:, 1]), 1).astype(np.int16),
        5: np.stack((wide[:, 0] * wide[:, 1], wide[:, 2] & 0xFFFFFFFF), 1),
    }


def _vector_inputs(rng):
    n = 70
    return [
        rng.standard_normal((3 * n, 4)).astype(np.float32), np.zeros((2 * n, 2)),
        rng.integers(-(1 << 30), 1 << 30, (n, 4)).astype(np.int32), np.zeros((n, 4), np.uint8),
        np.zeros((n, 2), np.int16), np.zeros((n, 2), np.int64), np.int32(n),
    ]  # fmt: skip


PACKET = np.dtype(
    {
        "names": ["id", "kind", "bytes", "payload"],
        "formats": ["i4", "i2", "6i1", "3f4"],
        "offsets": [0, 4, 6, 12],
        "itemsize": 32,
    }
)
BIG = np.dtype([("values", "50i4"), ("scale", "f8")])
NODE = np.dtype([("next", "u8"), ("value", "i8")])
LIST = (11, -4, 30)
LOOKUP = np.array([1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 0, 0, 0, 0])
SERIES = np.array([1.0, -2.5, 3e8, 0.0, 1e-30], np.float32)


def _linked_list(device):
    nodes = device.array(np.zeros(len(LIST), NODE).view(np.uint64))
    made = np.zeros(len(LIST), NODE)
    made["value"] = LIST
    made["next"][:-1] = nodes.address + NODE.itemsize * np.arange(1, len(LIST))
    nodes.set(made.view(np.uint64))
    return nodes


def _structure_inputs(rng):
    packets, big = np.zeros(32, PACKET), np.zeros((), BIG)
    for name in ("id", "kind", "bytes"):
        packets[name] = rng.integers(-100, 100, packets[name].shape)
    packets["payload"] = rng.standard_normal((32, 3))
    big["values"], big["scale"] = rng.integers(-9, 9, 50), 0.75
    flag = np.ones(1, np.int32)
    return [packets.view(np.uint8), big[()], OnDevice(_linked_list), np.zeros(32, np.float32), flag]


def in_structures(raw, big, nodes, out, flag):
    """Packets changed by what lies in structs, unions and the module's variables."""
    t = np.arange(32)
    packets = raw.copy().view(PACKET)
    bits = packets["payload"][:, 1].copy().view(np.uint32) ^ np.uint32(0x800000)
    second = np.array([ord(c) for c in "nwh"])[t % 3]
    packets["id"] += sum(LIST) + big["values"].sum() + LOOKUP[t & 15] + 7 + 2 + second + 5
    kept = np.array([97, 98, 99, 100, 101, 0])[t % 6] + np.array([1, 0, 1])[t % 3]
    packets["bytes"][:, 3] = (kept + np.array([1, 2, 65535, 4, 0, 0])[t % 6]).astype(np.int8)
    first = (bits.view(np.float32) + SERIES[t % 5]).astype(np.float64)
    total = first + np.array([2.0, 0.25])[t & 1] * big["scale"] + packets["kind"][31 - t]
    total += np.array([-1, 1 << 62, 0x7FFFFFFFFFFFFFFF]).astype(np.float64)[t % 3]
    return {0: packets.view(np.uint8), 3: total.astype(np.float32)}


def transposed(given, out, w, h):
    """Rows made columns."""
    return {1: given.T}


ROUNDED = Near(2e-7, 0, "one operation of f32 that may be contracted or divide approximately")
BOTH = Near(1e-5, 0, "nine products of f32 one after another")
POINTERS = {
    "clang-cuda.": "clang's LLVM IR keeps the pointers of the table to functions of the module",
}

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
    Program("calls", "march", 1, 32, _march_inputs, marched, EXACT),
    Program(
        "calls", "by_pointer", 2, 64,
        lambda rng: [rng.integers(0, 9, 120).astype(np.int32),
                     rng.uniform(0.5, 2, 120).astype(np.float32), np.int32(120)],
        chosen, ROUNDED,
    ),
    Program("calls", "shapes", 1, 32, lambda rng: [np.zeros(32, np.float32), np.int32(5)], areas, BOTH),
    Program(
        "calls", "talk", 2, 32,
        lambda rng: [rng.integers(-50, 50, 64).astype(np.int32), np.int32(64)], told,
    ),
    Program("calls", "jumps", 4, 64, _jump_inputs, jumped),
    Program("layouts", "vectors", 2, 40, _vector_inputs, in_vectors),
    Program("layouts", "structures", 1, 32, _structure_inputs, in_structures, ROUNDED),
    Program(
        "layouts", "transpose_dynamic", (2, 3), (32, 32),
        lambda rng: [rng.standard_normal((70, 50)).astype(np.float32),
                     np.zeros((50, 70), np.float32), np.int32(50), np.int32(70)],
        transposed, shared=32 * 33 * 4,
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
