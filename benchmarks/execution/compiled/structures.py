"""Calls, jumps, and memory of all kinds: structs, vectors, variables of modules, local arrays."""

from __future__ import annotations

import numpy as np

from warpmill.benchmarks.execution.compiled.model import (
    Near,
    OnDevice,
    Program,
    integers,
    normal,
    rotated,
    signed,
    uniform,
    zeros,
)

DIVIDED = Near(2e-7, 0, "one operation of f32 that may divide approximately")
GROWN = Near(1e-5, 0, "nine products of f32 one after another")
ROUNDED = Near(2e-7, 0, "two operations that may be contracted, rounded to f32")
CONTRACTED = Near(1e-6, 0, "some products and sums in f32, contracted or not")
THREE = Near(1e-4, 1e-4, "cross products in f32 with cancellation, rsqrt.approx")


def struct(size, **fields):
    """A type of so many bytes, each field with its format and its place."""
    formats, offsets = zip(*fields.values(), strict=True)
    names = list(fields)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})


# --------------------------------------------------------------------------- calls and jumps

RAY = struct(40, origin=("3f4", 0), direction=("3f4", 12), far=("f8", 24), tag=("i1", 32))
START = np.array(((-3, 0.1, 0.2), (1, 0.02, 0.01), 100.0, 3), RAY)[()]


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
    return {1: np.select([which % 3 == 0, which % 3 == 1], [data + data, data * data], 1 / data)}


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
    return {"printed": lambda got: sorted(got.splitlines(keepends=True)) == sorted(lines)}


def divided(a, b):
    """Divide as C does, towards zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def reversed_bits(value):
    """The lower 32 bits in the other order."""
    return int(f"{value & 0xFFFFFFFF:032b}"[::-1], 2)


CASES = {
    0: lambda x, y: y + x, 1: lambda x, y: y - x * 3, 2: lambda x, y: y ^ x,
    3: lambda x, y: y * x + 1, 4: lambda x, y: (y & 0xFFFFFFFF).bit_count() + x,
    5: lambda x, y: divided(y, x | 1), 6: lambda x, y: y - divided(y, x | 1) * (x | 1),
    8: lambda _, y: ~y, 9: lambda x, y: reversed_bits(max(x, y)), 10: lambda _, y: reversed_bits(y),
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
            y = signed(CASES.get(case, lambda _, y: y + 1)(x, y))
        expected[i] = y
    return {1: expected}


def _jumps(rng):
    given = rng.integers(-(1 << 31), 1 << 31, 200).astype(np.int32)
    digits = given[:, None] >> np.arange(0, 16, 4) & 15
    given = given[(digits != 7).all(1)]  # case 7 reads what another thread may have written
    return [given, rng.integers(-999, 999, given.size).astype(np.int32), given.size - 3]


def opencl_jumped(given, out, n):
    """The switch, the jump out of it, and the loop after it, one number at a time."""
    return {1: np.array([*(_jump(int(x)) for x in given[:n]), *out[n:]])}


def _jump(x):
    y = 0
    for at in range(0, 18, 3):
        case = x >> at & 7
        if case == 2:
            continue
        if case == 5 and y > 100:
            return y
        steps = {0: y + x, 1: y ^ x, 3: y * 3 - 5, 4: y - 5, 5: y << 1}
        y = signed(steps.get(case, -y))
    while True:
        y -= x & 3
        if (y & 1 and x > 2) or y < -50:
            return y
        x >>= 1
        if x <= 0:
            return y


JUMPS = (
    Program("cuda", "calls:march", 1, 32, [START, zeros(32), 50], marched),
    Program("cuda", "calls:by_pointer", 2, 64, [integers(0, 9, 120), uniform(0.5, 2, 120), 120],
            chosen, DIVIDED),
    Program("cuda", "calls:shapes", 1, 32, [zeros(32), 5], areas, GROWN),
    Program("cuda", "calls:talk", 2, 32, [integers(-50, 50, 64), 64], told),
    Program("cuda", "calls:jumps", 4, 64, _jumps, jumped),
    Program("opencl", "control:jumps", 4, 64,
            [integers(0, 1 << 18, 250), zeros(250, dtype=np.int32), 245], opencl_jumped),
)  # fmt: skip

# ------------------------------------------------------------------------------------- memory

PACKET = struct(32, id=("i4", 0), kind=("i2", 4), bytes=("6i1", 6), payload=("3f4", 12))
BIG = np.dtype([("values", "50i4"), ("scale", "f8")])
NODE = np.dtype([("next", "u8"), ("value", "i8")])
LIST = (11, -4, 30)
LOOKUP = np.array([1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 0, 0, 0, 0])
SERIES = np.array([1.0, -2.5, 3e8, 0.0, 1e-30], np.float32)
BODY = struct(32, position=("3f4", 0), mass=("f4", 16), tag=("i4", 20))
PAIR = struct(96, count=("i4", 0), first=(BODY, 16), second=(BODY, 48), flags=("7u1", 80))
TABLE = np.arange(1, 13).reshape(4, 3)


def in_vectors(a, b, c, d, e, f, n):
    """Parts of vectors of several types put into others."""
    x, y, z, w = a[:n], a[n : 2 * n], a[: 2 * n : 2], a[::3]
    first = np.stack((x[:, 0] + y[:, 1], z[:, 2] * w[:, 3]), 1)
    wide = c.astype(np.int64)
    return {
        1: np.concatenate((first, c[:, :2])),
        3: c.astype(np.uint8),
        4: np.stack((wide[:, 0] * 3, -wide[:, 1]), 1).astype(np.int16),
        5: np.stack((wide[:, 0] * wide[:, 1], wide[:, 2] & 0xFFFFFFFF), 1),
    }


def _linked_list(device):
    nodes = device.array(np.zeros(len(LIST), NODE).view(np.uint64))
    made = np.zeros(len(LIST), NODE)
    made["value"] = LIST
    made["next"][:-1] = nodes.address + NODE.itemsize * np.arange(1, len(LIST))
    nodes.set(made.view(np.uint64))
    return nodes


def _packets(rng):
    packets, big = np.zeros(32, PACKET), np.zeros((), BIG)
    for name in ("id", "kind", "bytes"):
        packets[name] = rng.integers(-100, 100, packets[name].shape)
    packets["payload"] = rng.standard_normal((32, 3))
    big["values"], big["scale"] = rng.integers(-9, 9, 50), 0.75
    return [packets.view(np.uint8), big[()], OnDevice(_linked_list), zeros(32),
            np.ones(1, np.int32)]  # fmt: skip


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


def _pairs(rng):
    pairs, extra = np.zeros(70, PAIR), np.zeros((), BODY)
    pairs["count"] = rng.integers(0, 256, 70)
    for part in (pairs["first"], pairs["second"], extra):
        part["position"] = rng.standard_normal((*part.shape, 3))
        part["mass"] = rng.uniform(1, 2, part.shape)
        part["tag"] = 5
    pairs["flags"] = rng.integers(0, 256, (70, 7))
    return [pairs.view(np.uint8), zeros(70), extra[()]]


def moved(raw, out, extra):
    """Both bodies of each pair moved, and their energies; padding may hold anything."""
    pairs, i = raw.copy().view(PAIR), np.arange(70)
    pairs["second"] = extra
    pairs["flags"][i, i % 7] = pairs["count"].astype(np.uint8)
    energies = 0.0
    for name, step in (("first", 0.1), ("second", 0.2)):
        body = pairs[name]
        body["position"] += np.float32(step) * np.array([1, 2, 3], np.float32)
        body["tag"] += 1
        energies += 0.5 * body["mass"] * (body["position"] ** 2).sum(-1)

    def check(got):
        found = got.view(PAIR)
        same = [(found[name], pairs[name]) for name in ("count", "flags")]
        for name in ("first", "second"):
            same += [(found[name][part], pairs[name][part]) for part in ("tag", "mass")]
        near = [abs(found[name]["position"] - pairs[name]["position"]) < 1e-6
                for name in ("first", "second")]  # fmt: skip
        return bool(all((a == b).all() for a, b in same) and np.all(near))

    return {0: check, 1: energies}


def in_private_arrays(given, out, n):
    """Sums by the lower bits of squares."""
    i = np.arange(n)
    steps = TABLE[i & 3, i % 3]
    places = given[:, None] + (i & 31) ** 2 & 7
    return {1: np.array([np.bincount(own, steps, 8).max() for own in places])}


def swizzled(a, b, c, d):
    """Parts of vectors in other orders; conversions; bits taken as f32."""
    low, high = a[:, :4], a[:, 4:]
    r = np.concatenate((a[:, 1::2], a[:, ::2], high, low), 1)
    r[:, :4] += b[:, ::-1].astype(np.float32) * a[:, 7:]
    r[:, 4:8] = np.where(low < high, high, low)
    bits = b.view(np.uint32)
    shifted = (bits << np.uint32(3)).view(np.float32) + rotated(bits, 7).view(np.float32)
    r[:, 12:] = shifted[:, ::-1]
    return {2: r, 3: np.clip(b, 0, 255).astype(np.uint8) + low.astype(np.uint8)}


def three_at_a_time(given, out, offset, size):
    """Cross products and lengths, clamped."""
    offset = np.frombuffer(offset, np.float32)[:3].astype(np.float64)
    p = given.reshape(-1, 3) - offset
    square = (p**2).sum(1, keepdims=True)
    q = np.cross(p, offset) * square + p / np.sqrt(square) * np.sqrt((offset**2).sum())
    q = np.where((q > 0).all(1, keepdims=True), p * q + offset, q)
    return {1: np.clip(q, 0, np.frombuffer(size, np.int32)[0])}


MEMORY = (
    Program("cuda", "layouts:vectors", 2, 40,
            [normal(210, 4), zeros(140, 2, dtype=np.float64),
             integers(-(1 << 30), 1 << 30, 70, 4), zeros(70, 4, dtype=np.uint8),
             zeros(70, 2, dtype=np.int16), zeros(70, 2, dtype=np.int64), 70],
            in_vectors),
    Program("cuda", "layouts:structures", 1, 32, _packets, in_structures, ROUNDED),
    Program("cuda", "bulk_copies:bulk_copy", 3, 128,  # a pointer that is not null turns the last
            [integers(0, 256, 384, dtype=np.uint8), zeros(384, dtype=np.uint8), None, 384],
            lambda given, *_: {1: given ^ 0x55}, shared=4096),
    Program("opencl", "structures:bodies", 1, 70, _pairs, moved, CONTRACTED),
    Program("opencl", "structures:private_arrays", 2, 64,
            [integers(0, 1000, 128), zeros(128, dtype=np.int32), 50], in_private_arrays),
    Program("opencl", "vectors:swizzles", 1, 64,
            [uniform(0, 100, 64, 8), integers(-400, 400, 64, 4), zeros(64, 16),
             zeros(64, 4, dtype=np.uint8)],
            swizzled, CONTRACTED),
    Program("opencl", "vectors:three", 1, 64,
            [normal(192), zeros(192), np.array([0.5, -0.25, 0.75, 0], np.float32).tobytes(),
             np.array([40, 7], np.int32).tobytes()],
            three_at_a_time, THREE),
)  # fmt: skip

PROGRAMS = (*JUMPS, *MEMORY)
