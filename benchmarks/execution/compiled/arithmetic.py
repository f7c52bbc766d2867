"""Each thread for itself: mathematical functions, whole numbers, hashes, narrow formats."""

from __future__ import annotations

import math

import numpy as np
from ml_dtypes import bfloat16, finfo, float8_e4m3fn, float8_e5m2
from scipy import special

from warpmill.benchmarks.execution.compiled.model import (
    APPROXIMATE,
    Near,
    Program,
    Strided,
    integers,
    normal,
    rotated,
    spread,
    uniform,
    wide,
    zeros,
)

# --------------------------------------------------------------------------------- functions

LIBRARY = Near(2e-5, 2e-4, "eighty functions, each right to a few units of f32 of up to 100")
LIBRARY_DOUBLE = Near(1e-12, 1e-12, "seventy functions, each right to a few units of f64")
NATIVE = Near(1e-4, 2e-3, "fifty functions in f32, some of them native, of up to 100")
PYTHON = Near(1e-4, 1e-4, "a dozen functions in f32, each right to a few units, of up to 100")
PYTHON_DOUBLE = Near(1e-11, 1e-11, "a dozen functions in f64, each right to a few units")


def elementary(x, y):
    """What the kernels of CUDA and OpenCL both sum up."""
    r = np.sin(x) + np.cos(y) * np.tan(x) - np.exp(y) + np.log(x) * x**y + np.exp2(x) + np.log2(y)
    r += np.sqrt(x) + 1 / np.sqrt(y) + np.cbrt(x) + np.hypot(x, y) + np.fmod(x, y)
    return r + np.arctan2(y, x)


def library(x, y):
    """What the kernels of CUDA for f32 and for f64 both sum up."""
    r = elementary(x, y) + np.log10(x) + np.expm1(x) + np.log1p(y) + np.arcsin(x) + np.arccos(y)
    r += np.sinh(x) + np.cosh(y) + np.tanh(x) + np.arcsinh(y) + special.erf(x) + special.erfc(y)
    return r + special.gamma(x) + special.gammaln(y) + special.j0(x) + special.y1(y)


def whole_parts(x, y):
    """Both numbers rounded in the four ways."""
    return np.rint(x) + np.floor(y) + np.ceil(x) + np.trunc(y)


def single(given, *_):
    """The sum of CUDA's `single`."""
    x, y = given
    r = library(x, y) + np.vectorize(math.remainder)(x, y) + special.ndtr(x)
    r += np.sin(x) + np.exp(y) + x / y + (x + y) + x * y + (x * y + r) + 1 / x + np.sqrt(y)
    r += whole_parts(x, y) + np.floor(x + 0.5) + np.abs(y) + x + 8 * x + y / 4
    r += np.frexp(x)[0] + np.frexp(x)[1] + (np.frexp(y)[1] - 1) + np.ceil(x) + np.floor(y)
    r += np.clip(r, 0, 1)
    return {1: r + np.sin(x) * np.cos(x)}


def twice(given, *_):
    """The sum of CUDA's `twice`: other functions, or the same by SciPy."""
    x, y = given
    r = library(x, y) + 1 / x + x / y + special.ndtri(x)
    r += (x + y) + x * y + (x * y + r) + 1 / x + np.sqrt(y) + x / y + whole_parts(x, y)
    r += np.abs(x) + x + np.rint(x) + np.ceil(y) + x.astype(np.float32)
    high = np.uint64(0xFFFFFFFF00000000)
    xs, ys = x.view(np.uint64), y.view(np.uint64)
    return {1: r + (xs & high | ys & ~high).view(np.float64) + (ys ^ np.uint64(1)).view(np.float64)}


def opencl_single(given, *_):
    """The built-in functions of OpenCL in f32."""
    x, y = given
    r = elementary(x, y) + np.floor(x) + np.ceil(y) + np.trunc(x) + np.rint(y)
    r += np.floor(x + 0.5) + x + np.maximum(x, y) + np.minimum(x, y) + x
    smooth = np.clip(x, 0, 1)
    r += np.sin(x) + np.exp(y) + 1 / x + np.sqrt(y) + (x + (y - x) * 0.3) + (y >= x)
    r += smooth * smooth * (3 - 2 * smooth) + 1 + np.degrees(x)
    last = (x - np.floor(x)) + np.frexp(y)[0] + 8 * x + np.floor(x) + np.frexp(y)[1] + smooth
    return {1: r + last + (x * y + r) + (x * y + r)}


def opencl_twice(given, *_):
    """The built-in functions of OpenCL in f64."""
    x, y = given
    r = np.sin(x) * np.exp(y) + np.log(x) / np.sqrt(y) + np.floor(x) - (x * y + 1)
    return {1: r + np.trunc(y) + x.astype(np.float32) + np.trunc(x) + np.maximum(x, y) / 3}


def python_functions(v, out):
    """A sum of functions, `//` and `%` as Python has them."""
    total = special.erf(v) + special.gammaln(v) + v**1.7 + np.arctan2(v, 2) + np.log1p(v)
    total += np.fmod(v, 3) + np.sinh(v) * np.cos(v) + np.rint(v) + v // 3 + v % 5
    return {1: total}


def complex_functions(z, out):
    """A chain of complex functions."""
    return {1: np.exp(z * z / (z + 1j) - z.conj()) * np.abs(z)}


def _complex(dtype):
    """Draw complex numbers."""

    def inputs(rng):
        z = (rng.standard_normal(100) + 1j * rng.uniform(0, 1, 100)).astype(dtype)
        return [Strided(z), Strided(zeros(100, dtype=dtype))]

    return inputs


def black_scholes(s, x, t, call, put, r, v, n):
    """Prices of European options."""
    d1 = (np.log(s / x) + (r + v * v / 2) * t) / (v * np.sqrt(t))
    d2 = d1 - v * np.sqrt(t)
    now = x * np.exp(-r * t)
    return {
        3: s * special.ndtr(d1) - now * special.ndtr(d2),
        4: now * special.ndtr(-d2) - s * special.ndtr(-d1),
    }


FUNCTIONS = (
    *(
        Program(language, f"mathematics:{kernel}", grid, block,
                [uniform(low, high, 2, count, dtype=dtype), zeros(count, dtype=dtype), count],
                oracle, near)
        for language, kernel, grid, block, low, high, count, dtype, oracle, near in (
            ("cuda", "single", 4, 64, 0.06, 0.97, 200, np.float32, single, LIBRARY),
            ("cuda", "twice", 4, 64, 0.06, 0.97, 200, np.float64, twice, LIBRARY_DOUBLE),
            ("opencl", "single", 1, 100, 0.1, 3, 100, np.float32, opencl_single, NATIVE),
            ("opencl", "twice", 1, 100, 0.5, 9, 100, np.float64, opencl_twice, LIBRARY_DOUBLE),
        )
    ),
    Program("cuda", "mathematics:black_scholes", 2, 64,
            [uniform(5, 30, 300), uniform(5, 30, 300), uniform(0.3, 5, 300), zeros(300),
             zeros(300), np.float32(0.02), np.float32(0.3), 300],
            black_scholes, APPROXIMATE),
    *(
        Program("numba", name, 4, 64,
                [Strided(uniform(0.1, 4.4, 200, dtype=dtype)), Strided(zeros(200, dtype=dtype))],
                python_functions, near)
        for name, dtype, near in (
            ("special11", np.float64, PYTHON_DOUBLE), ("special12", np.float32, PYTHON)
        )
    ),
    Program("numba", "waves9", 2, 64, _complex(np.complex128), complex_functions, PYTHON_DOUBLE),
    Program("numba", "waves10", 2, 64, _complex(np.complex64), complex_functions, PYTHON),
)  # fmt: skip

# ----------------------------------------------------------------------------- narrow formats

MARGIN = 0.03
"""Elements nearer to where a rounding could turn a branch or a whole number are left out."""
HALVES = Near(1e-2, 1e-2, "ten operations rounded to f16, some approximate, one of them 1 / z")
BFLOATS = Near(3e-2, 3e-2, "eight operations rounded to bf16, two of them approximate")


def rounded(exact, dtype):
    """Numbers rounded to a type, as f64."""
    return wide(np.asarray(exact).astype(dtype))


def saturated(exact, dtype):
    """Numbers rounded to a type of 8 bits, the largest ones to its largest."""
    most = float(finfo(dtype).max)
    return np.clip(exact, -most, most).astype(dtype)


def in_bytes(a, b, c, d, n):
    """Arithmetic on 8-bit floats, rounded back to E4M3; of y x, through E5M2."""
    x, y = wide(a), wide(b)
    v = np.stack((x + y, x * y, x - y, (x * y + 1).astype(np.float32)), 1)
    bits = saturated(v, float8_e4m3fn).view(np.uint8)
    v[:, 0] += wide(saturated(v[:, 1], float8_e5m2))
    return {2: bits, 3: v.astype(np.float32)}


def _bytes(rng):
    every = np.arange(256, dtype=np.uint8)
    finite = np.isfinite(wide(every.view(float8_e4m3fn)))
    small = np.abs(wide(every.view(float8_e5m2))) < 64
    a, b = rng.choice(every[finite], 500), rng.choice(every[small], 500)
    return [a.view(float8_e4m3fn), b.view(float8_e5m2), zeros(500, 4, dtype=np.uint8),
            zeros(500, 4), 500]  # fmt: skip


def half_pairs(x, y, c, f, n):
    """What the kernel does with each pair of f16."""

    def half(exact):
        return rounded(exact, np.float16)

    z = half(x * y + 1.5)
    z = half(z + np.clip(half(x * y), 0, 1))
    z = half(z - half(np.exp2(x)))
    z = np.maximum(z, np.minimum(x, y))
    z = half(z / half(y + half(np.sqrt(np.abs(x)))))
    doubtful = (abs(z - x) < MARGIN).any(1) | (abs(z[:, 0] - z[:, 1]) < MARGIN)
    z = np.where((z > x).all(1, keepdims=True), -z, z)
    doubtful |= abs(z[:, 0] - z[:, 1]) < MARGIN
    z = np.where((z[:, :1] < z[:, 1:]), z[:, ::-1], z)
    z = half(half(half(np.sin(x)) * half(np.log2(y)) + 1 / z) + np.rint(np.floor(np.ceil(y))))
    doubtful |= abs(z[:, 1] - np.floor(z[:, 1]) - 0.5) < MARGIN * (1 + abs(z[:, 1]))
    sums = z[:, 0] + np.rint(z[:, 1]) + np.trunc(x[:, 0]) + np.exp(y[:, 0])
    second = np.where(x[:, 0] >= y[:, 1], x[:, 0], 1 / np.sqrt(y[:, 1]))
    pairs = np.stack((np.tanh(z[:, 0]), second), 1)
    both = np.stack((doubtful, doubtful), 1)
    return {2: np.ma.array(pairs, mask=both), 3: np.ma.array(sums, mask=doubtful)}


def bfloat_pairs(artefact, x, y, c, n):
    """What the kernel does with each pair of bf16; the first fma only from sm_80 on."""

    def bfloat(exact):
        return rounded(exact, bfloat16)

    y, z = y[:, None], np.broadcast_to([0.5, 2.0], x.shape)
    if ".sm_70." not in artefact and ".sm_75." not in artefact:
        z = bfloat(x * y + z)
    z = bfloat(bfloat(z * x) + np.maximum(y, x))
    z = bfloat(z + y)
    doubtful = abs(z[:, 0] - y[:, 0]) < MARGIN * z[:, 0]
    first = np.where(z[:, 0] > y[:, 0], z[:, 0] * 3, z[:, 0])
    i = np.arange(n)
    second = bfloat(bfloat(np.exp(z[:, 1])) + bfloat(np.log(y[:, 0])))
    second = bfloat(bfloat(second + bfloat(i)) + 1 / i)
    unknown = np.stack((doubtful, doubtful), 1)
    return {2: np.ma.array(np.stack((first, second), 1), mask=unknown)}


NARROW = (
    Program("cuda", "narrow_floats:bytes", 8, 64, _bytes, in_bytes),
    *(
        Program("cuda", f"narrow_floats:axpy<{name}, 8>", 2, 64,
                [dtype(1.5).tobytes(), normal(600, dtype=dtype), normal(600, dtype=dtype), 600],
                lambda alpha, x, y, n: {2: np.frombuffer(alpha, x.dtype) * x + y})
        for name, dtype in (("__half", np.float16), ("__nv_bfloat16", bfloat16))
    ),
    Program("cuda", "narrow_floats:half_pairs", 5, 64,
            [uniform(0.3, 1.9, 300, 2, dtype=np.float16),
             uniform(0.3, 1.9, 300, 2, dtype=np.float16), zeros(300, 2, dtype=np.float16),
             zeros(300), 300],
            half_pairs, HALVES),
    Program("cuda", "narrow_floats:bfloats", 5, 64,
            [uniform(0.2, 2, 300, 2, dtype=bfloat16), uniform(0.2, 2, 300, dtype=bfloat16),
             zeros(300, 2, dtype=bfloat16), 300],
            bfloat_pairs, BFLOATS, by_artefact=True),
)  # fmt: skip

# ------------------------------------------------------------------------------ whole numbers

LOW = np.uint64(0xFFFFFFFF)
"""32 bits: sums of the sources' `uint` wrap there, and only then become `ulong`."""
ROUNDS = np.zeros(64, np.uint32)
ROUNDS[:12] = [
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    1, 2, 3, 4,
]  # fmt: skip
START = (
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19
)  # fmt: skip


def right_turned(x, *places):
    """Words rotated to the right by so many places each, joined by xor."""
    return np.bitwise_xor.reduce([rotated(x, 32 - place) for place in places])


def digested(given, out, n):
    """SHA-2's rounds with the constants of the source."""
    w = list(given.byteswap().T)
    for t in range(16, 64):
        a = right_turned(w[t - 15], 7, 18) ^ w[t - 15] >> np.uint32(3)
        b = right_turned(w[t - 2], 17, 19) ^ w[t - 2] >> np.uint32(10)
        w.append(w[t - 16] + a + w[t - 7] + b)
    s = [np.full(n, v, np.uint32) for v in START]
    for t in range(64):
        mixed = right_turned(s[4], 6, 11, 25) + (s[4] & s[5] ^ ~s[4] & s[6])
        one = s[7] + mixed + ROUNDS[t] + w[t]
        two = right_turned(s[0], 2, 13, 22) + (s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2])
        s = [one + two, *s[:3], s[3] + one, *s[4:7]]
    return {1: np.stack(s, 1)}


def opencl_digested(given, out):
    """Sixty-four steps of a hash."""
    w = list(given.T.copy())
    a, b, c, d = (np.full(out.size, value, np.uint32) for value in (1, 2, 3, 4))
    for t in range(64):
        f = (b & c) ^ (~b & d)
        new = w[t & 15] + right_turned(a, 7) + f + np.uint32(0x5A827999 * t & 0xFFFFFFFF)
        w[t & 15] ^= right_turned(w[(t + 2) & 15], 11) + (w[(t + 9) & 15] >> np.uint32(3))
        a, b, c, d = new, a, b, c
    return {1: a ^ b ^ c ^ d}


def long_product(a, b, c):
    """The source's chain of carries: each `add.cc` carries into one word, no further."""
    n = a.shape[1]
    a, b = a.astype(np.uint64), b.astype(np.uint64)
    sums = np.zeros((a.shape[0], 2 * n), np.uint64)
    for i in range(n):
        x = a[:, i]
        for j in range(0, n - 1, 2):
            product = x * b[:, j]
            for low_part, high_part in ((product & LOW, product >> 32), (x >> 31, 0)):
                first = sums[:, i + j] + low_part
                sums[:, i + j] = first & LOW
                sums[:, i + j + 1] = (sums[:, i + j + 1] + high_part + (first >> 32)) & LOW
    return {2: (sums[:, :n] ^ sums[:, n:]).astype(np.uint32)}


def philox(counter, key, rounds=10):
    """Philox 4x32 (Salmon and others, 2011): four words of a counter and two of a key."""
    c = [np.asarray(word, np.uint64) for word in counter]
    k = [np.uint64(word) for word in key]
    for _ in range(rounds):
        first, second = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [second >> 32 ^ c[1] ^ k[0], second & LOW, first >> 32 ^ c[3] ^ k[1], first & LOW]
        k = [(k[0] + np.uint64(0x9E3779B9)) & LOW, (k[1] + np.uint64(0xBB67AE85)) & LOW]
    return [word.astype(np.uint32) for word in c]


def random_numbers(seed, out, n):
    """Xorshift a thread, each state through Philox."""
    s = np.uint64(seed) + np.arange(64, dtype=np.uint64)
    expected = out.copy()
    for i in range(n):
        for step in (13, -7, 17):
            s = s ^ (s << np.uint64(step) if step > 0 else s >> np.uint64(-step))
        drawn = philox((s & LOW, s >> 32, i, 7), (0xA4093822, 0x299F31D0))
        expected[:, i] = (drawn[0] >> np.uint32(8)) * np.float32(2**-24)
    return {1: expected}


def opencl_integers(given, out, n):
    """The built-in functions of whole numbers."""
    a, b = given.astype(np.uint64)
    bits = np.uint64(0xF0F0F0F0)
    counts = np.bitwise_count(a) + np.array([32 - int(v).bit_length() for v in b], np.uint64)
    turned = (a << np.uint64(5) | a >> np.uint64(27)) & LOW
    products = (a * b >> np.uint64(32)) + 2 * (a * b & LOW) + np.uint64(3)
    means = (a + b >> np.uint64(1)) + (a + b + np.uint64(1) >> np.uint64(1))
    saturating = np.minimum(a + b, LOW) + np.where(a > b, a - b, np.uint64(0))
    z = (a << np.uint64(32) | b) + (counts + turned + products + means + saturating & LOW)
    most, least = np.maximum(a, b), np.minimum(a, b)
    mixed = (a + (most - least) + most + least + a // b + a % np.uint64(7)) & LOW
    signed = z.view(np.int64)
    quotient = (np.sign(signed) * (np.abs(signed) // 13)).view(np.uint64)
    return {1: z ^ mixed + quotient + (a & (LOW ^ bits) | b & bits)}


def hashed(values, out, n):
    """Words of 64 bits that wrap, in an array of a thread's own."""
    expected, kept = out.copy(), [int(v) for v in values]
    for i in range(n):
        own = [_wrapped(kept[(i * 17 + j) % n] ^ kept[i] << (j & 7)) for j in range(64)]
        best = own[0]
        for j in range(1, 64):
            best = max(best, own[j * best & 63])
            if best < 0:
                break
        expected[i] = best
    return {1: expected}


def _wrapped(value):
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def collatz(given, out):
    """Steps until 1."""
    steps = []
    for value in map(int, given):
        count, v = 0, value
        while v != 1 and count < 10000:
            v, count = 3 * v + 1 if v & 1 else v // 2, count + 1
        steps.append(count)
    return {1: np.array(steps)}


WHOLE = (
    Program("cuda", "integers:digest", 2, 64,
            [spread(np.uint32, 100, 16), zeros(100, 8, dtype=np.uint32), 100], digested),
    *(
        Program("cuda", f"integers:long_product<{n}>", 2, 32,
                [spread(np.uint32, 64, n), spread(np.uint32, 64, n), zeros(64, n, dtype=np.uint32)],
                long_product)
        for n in (8, 16)
    ),
    Program("cuda", "integers:random_numbers", 1, 64,
            [np.uint64(0x123456789ABCDEF1), zeros(64, 5), 5], random_numbers),
    Program("opencl", "mathematics:integers", 1, 64,  # mul24 takes 24 bits
            [integers(1, 1 << 24, 2, 64, dtype=np.uint32), zeros(64, dtype=np.uint64), 64],
            opencl_integers),
    Program("opencl", "simulations:digest", 2, 64,
            [spread(np.uint32, 128, 16), zeros(128, dtype=np.uint32)], opencl_digested),
    Program("opencl", "control:collatz", 2, 64,
            [integers(1, 1 << 40, 128, dtype=np.uint64), zeros(128, dtype=np.uint32)], collatz),
    Program("numba", "words15", 2, 64,
            [Strided(integers(-(1 << 62), 1 << 62, 128, dtype=np.int64)),
             Strided(zeros(128, dtype=np.int64)), 128], hashed),
)  # fmt: skip

PROGRAMS = (*FUNCTIONS, *NARROW, *WHOLE)
