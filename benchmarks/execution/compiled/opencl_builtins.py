"""What clang makes of the OpenCL sources: structs, vectors and built-in functions."""

# ruff: noqa: ARG001 - oracles are called with a kernel's arguments
from __future__ import annotations

import numpy as np

from warpmill.benchmarks.execution.compiled.model import EXACT, Near, Program

BODY = np.dtype(
    {
        "names": ["position", "mass", "tag"],
        "formats": ["3f4", "f4", "i4"],
        "offsets": [0, 16, 20],
        "itemsize": 32,
    }
)
PAIR = np.dtype(
    {
        "names": ["count", "first", "second", "flags"],
        "formats": ["i4", BODY, BODY, "7u1"],
        "offsets": [0, 16, 48, 80],
        "itemsize": 96,
    }
)
TABLE = np.arange(1, 13).reshape(4, 3)
KERNEL = np.array([[1, 2, 1], [2, 4, 2], [1, 2, 1]])


def _pairs(rng):
    pairs, extra = np.zeros(70, PAIR), np.zeros((), BODY)
    pairs["count"] = rng.integers(0, 256, 70)
    for part in (pairs["first"], pairs["second"], extra):
        part["position"] = rng.standard_normal((*part.shape, 3))
        part["mass"] = rng.uniform(1, 2, part.shape)
        part["tag"] = 5
    pairs["flags"] = rng.integers(0, 256, (70, 7))
    return [pairs.view(np.uint8), np.zeros(70, np.float32), extra[()]]


def moved(raw, out, extra):
    """Both bodies of each pair moved, and their energies; padding may hold anything."""
    pairs = raw.copy().view(PAIR)
    one = np.array([1, 2, 3], np.float32)
    pairs["second"] = extra
    pairs["first"]["position"] += np.float32(0.1) * one
    pairs["second"]["position"] += np.float32(0.2) * one
    for name in ("first", "second"):
        pairs[name]["tag"] += 1
    i = np.arange(70)
    pairs["flags"][i, i % 7] = pairs["count"].astype(np.uint8)
    energies = [
        0.5 * p["mass"] * (p["position"] ** 2).sum(-1) for p in (pairs["first"], pairs["second"])
    ]

    def check(got):
        found = got.view(PAIR)
        same = all((found[n] == pairs[n]).all() for n in ("count", "flags"))
        for name in ("first", "second"):
            same &= bool((found[name]["tag"] == pairs[name]["tag"]).all())
            near = np.abs(found[name]["position"] - pairs[name]["position"]) < 1e-6
            same &= bool(near.all() and (found[name]["mass"] == pairs[name]["mass"]).all())
        return bool(same)

    return {0: check, 1: sum(energies)}


def in_private_arrays(given, out, n):
    """Sums by the lower bits of squares."""
    expected = []
    for start in map(int, given):
        counts = np.zeros(8, int)
        for i in range(n):
            counts[start + (i & 31) ** 2 & 7] += TABLE[i & 3][i % 3]
        expected.append(counts.max())
    return {1: np.array(expected)}


def blurred(given, out, w, h):
    """Weighted sums of nine, edges repeated; plus the last bit of the f32, turned over."""
    wide = np.pad(given.astype(np.int64), 1, mode="edge")
    total = sum(
        KERNEL[dy, dx] * wide[dy : dy + h, dx : dx + w] for dy in range(3) for dx in range(3)
    )
    mean = total.astype(np.float32) / np.float32(16)
    return {1: mean.astype(np.uint8) + ((mean.view(np.uint32) ^ 1) & 1).astype(np.uint8)}


def _rotated(x, k):
    return x << np.uint32(k) | x >> np.uint32(32 - k)


def swizzled(a, b, c, d):
    """Parts of vectors in other orders; conversions; bits taken as f32."""
    low, high = a[:, :4], a[:, 4:]
    r = np.concatenate((a[:, 1::2], a[:, ::2], high, low), 1)
    r[:, :4] += b[:, ::-1].astype(np.float32) * a[:, 7:]
    r[:, 4:8] = np.where(low < high, high, low)
    bits = b.view(np.uint32)
    shifted = (bits << np.uint32(3)).view(np.float32) + _rotated(bits, 7).view(np.float32)
    r[:, 12:] = shifted[:, ::-1]
    return {2: r, 3: np.clip(b, 0, 255).astype(np.uint8) + low.astype(np.uint8)}


def _swizzle_inputs(rng):
    a = rng.uniform(0, 100, (64, 8)).astype(np.float32)
    b = rng.integers(-400, 400, (64, 4)).astype(np.int32)
    return [a, b, np.zeros((64, 16), np.float32), np.zeros((64, 4), np.uint8)]


def three_at_a_time(given, out, offset, size):
    """Cross products and lengths, clamped."""
    offset = np.frombuffer(offset, np.float32)[:3].astype(np.float64)
    size = np.frombuffer(size, np.int32)
    p = given.reshape(-1, 3) - offset
    square = (p**2).sum(1, keepdims=True)
    q = np.cross(p, offset) * square + p / np.sqrt(square) * np.sqrt((offset**2).sum())
    q = np.where((q > 0).all(1, keepdims=True), p * q + offset, q)
    return {1: np.clip(q, 0, float(size[0]))}


def _threes(rng):
    offset = np.array([0.5, -0.25, 0.75, 0], np.float32).tobytes()
    size = np.array([40, 7], np.int32).tobytes()
    return [rng.standard_normal(192).astype(np.float32), np.zeros(192, np.float32), offset, size]


LOW = np.uint64(0xFFFFFFFF)
"""32 bits: sums of the source's `uint` wrap there, and only then become `ulong`."""


def whole_numbers(given, out, n):
    """The built-in functions of whole numbers."""
    a, b = given.reshape(2, -1).astype(np.uint64)
    bits = np.uint64(0xF0F0F0F0)
    counts = np.bitwise_count(a) + np.array([32 - int(v).bit_length() for v in b], np.uint64)
    rotated = (a << np.uint64(5) | a >> np.uint64(27)) & LOW
    products = (a * b >> np.uint64(32)) + 2 * (a * b & LOW) + np.uint64(3)
    means = (a + b >> np.uint64(1)) + (a + b + np.uint64(1) >> np.uint64(1))
    saturated = np.minimum(a + b, LOW) + np.where(a > b, a - b, np.uint64(0))
    z = (a << np.uint64(32) | b) + (counts + rotated + products + means + saturated & LOW)
    most, least = np.maximum(a, b), np.minimum(a, b)
    mixed = (a + (most - least) + most + least + a // b + a % np.uint64(7)) & LOW
    signed = z.view(np.int64)
    quotient = (np.sign(signed) * (np.abs(signed) // 13)).view(np.uint64)
    return {1: z ^ mixed + quotient + (a & (LOW ^ bits) | b & bits)}


def _whole_inputs(rng):
    given = rng.integers(1, 1 << 24, (2, 64)).astype(np.uint32)  # mul24 takes 24 bits
    return [given, np.zeros(64, np.uint64), np.int32(64)]


def doubles(given, out, n):
    """The built-in functions in f64."""
    x, y = given.reshape(2, -1)
    r = np.sin(x) * np.exp(y) + np.log(x) / np.sqrt(y) + np.floor(x) - (x * y + 1)
    return {1: r + np.trunc(y) + x.astype(np.float32) + np.trunc(x) + np.maximum(x, y) / 3}


def singles(given, out, n):
    """The built-in functions in f32, summed in f64."""
    x, y = given.astype(np.float64).reshape(2, -1)
    r = np.sin(x) + np.cos(y) * np.tan(x) - np.exp(y) + np.log(x) * x**y + np.exp2(x) + np.log2(y)
    r += np.sqrt(x) + 1 / np.sqrt(y) + np.cbrt(x) + np.hypot(x, y)
    r += np.fmod(x, y) + np.arctan2(y, x) + np.floor(x) + np.ceil(y) + np.trunc(x) + np.rint(y)
    r += np.floor(x + 0.5) + x + np.maximum(x, y) + np.minimum(x, y) + x
    smooth = np.clip(x, 0, 1)
    r += np.sin(x) + np.exp(y) + 1 / x + np.sqrt(y) + (x + (y - x) * 0.3) + (y >= x)
    r += smooth * smooth * (3 - 2 * smooth) + 1 + np.degrees(x)
    last = (x - np.floor(x)) + np.frexp(y)[0] + 8 * x + np.floor(x) + np.frexp(y)[1] + smooth
    return {1: r + last + (x * y + r) + (x * y + r)}


def _functions(dtype, low, high):
    return lambda rng: [
        rng.uniform(low, high, (2, 100)).astype(dtype), np.zeros(100, dtype), np.int32(100)
    ]  # fmt: skip


CONTRACTED = Near(1e-6, 0, "a product and a sum in f32, contracted or not")
ENERGY = Near(1e-6, 0, "five products in f32, contracted or not")
THREE = Near(1e-4, 1e-4, "cross products in f32 with cancellation, rsqrt.approx")
FUNCTIONS = Near(
    1e-4, 2e-3, "fifty functions in f32, some of them native, of up to 100; order of sums"
)
DOUBLES = Near(1e-12, 1e-12, "a dozen functions in f64")

PROGRAMS = (
    Program("structures", "bodies", 1, 70, _pairs, moved, ENERGY),
    Program(
        "structures", "private_arrays", 2, 64,
        lambda rng: [rng.integers(0, 1000, 128).astype(np.int32), np.zeros(128, np.int32),
                     np.int32(50)],
        in_private_arrays,
    ),
    Program(
        "structures", "blur", (5, 3), (8, 8),
        lambda rng: [rng.integers(0, 256, (24, 40)).astype(np.uint8), np.zeros((24, 40), np.uint8),
                     np.int32(40), np.int32(24)],
        blurred,
    ),
    Program("vectors", "swizzles", 1, 64, _swizzle_inputs, swizzled, CONTRACTED),
    Program("vectors", "three", 1, 64, _threes, three_at_a_time, THREE),
    Program("mathematics", "integers", 1, 64, _whole_inputs, whole_numbers, EXACT),
    Program("mathematics", "twice", 1, 100, _functions(np.float64, 0.5, 9), doubles, DOUBLES),
    Program("mathematics", "single", 1, 100, _functions(np.float32, 0.1, 3), singles, FUNCTIONS),
)  # fmt: skip
