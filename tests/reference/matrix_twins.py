"""Matrix instructions of a warp in NumPy, element by element as the PTX manual's tables say.

Each layout is written as the manual writes it, shape by shape: the row and the column of element
``i`` of lane ``lane``, with ``group`` = lane / 4 and ``place`` = lane mod 4.
"""

import numpy as np


def _a_16x4(group, place, i):
    return (group if i == 0 else group + 8), place


def _a_16x8_halves(group, place, i):
    return (group if i in (0, 1) else group + 8), place * 2 + (i & 1)


def _a_16x16_halves(group, place, i):
    row = group if 0 <= i < 2 or 4 <= i < 6 else group + 8
    column = place * 2 + (i & 1)
    return row, (column if i < 4 else column + 8)


def _a_16x8_words(group, place, i):
    return (group if i in (0, 2) else group + 8), (place if i in (0, 1) else place + 4)


def _a_16x16_doubles(group, place, i):
    return (group if i % 2 == 0 else group + 8), place + {0: 0, 1: 4, 2: 8, 3: 12}[i // 2]


def _a_16x16_bytes(group, place, i):
    return (group if i < 4 else group + 8), place * 4 + (i & 3)


def _a_16x32_bytes(group, place, i):
    row = group if 0 <= i < 4 or 8 <= i < 12 else group + 8
    return row, place * 4 + (i & 3) + (0 if i < 8 else 16)


def _a_16x32_nibbles(group, place, i):
    return (group if i < 8 else group + 8), place * 8 + (i & 7)


def _a_16x64_nibbles(group, place, i):
    row = group if 0 <= i < 8 or 16 <= i < 24 else group + 8
    return row, place * 8 + (i & 7) + (0 if i < 16 else 32)


def _a_16x128_bits(group, place, i):
    return (group if i < 32 else group + 8), place * 32 + (i & 31)


def _a_16x256_bits(group, place, i):
    row = group if 0 <= i < 32 or 64 <= i < 96 else group + 8
    return row, place * 32 + (i & 31) + (0 if i < 64 else 128)


def _b_halves(group, place, i):
    return place * 2 + (i & 1) + (0 if i < 2 else 8), group


def _b_words(group, place, i):
    return place + 4 * i, group


def _b_bytes(group, place, i):
    return place * 4 + (i & 3) + (0 if i < 4 else 16), group


def _b_nibbles(group, place, i):
    return place * 8 + (i & 7) + (0 if i < 8 else 32), group


def _b_bits(group, place, i):
    return place * 32 + (i & 31) + (0 if i < 32 else 128), group


def _transposed(layout):
    return lambda group, place, i: layout(group, place, i)[::-1]


def _c_16x8(group, place, i):
    return (group if i < 2 else group + 8), place * 2 + (i & 1)


def _c_8x8(group, place, i):
    return group, place * 2 + i


# By shape and bits of an element: layouts of A and B.
FRAGMENTS = {
    ("m16n8k4", 32): (_a_16x4, _b_words),
    ("m16n8k4", 64): (_a_16x4, _b_words),
    ("m16n8k8", 16): (_a_16x8_halves, _b_halves),
    ("m16n8k8", 32): (_a_16x8_words, _b_words),
    ("m16n8k8", 64): (_a_16x8_words, _b_words),
    ("m16n8k16", 16): (_a_16x16_halves, _b_halves),
    ("m16n8k16", 64): (_a_16x16_doubles, _b_words),
    ("m16n8k16", 8): (_a_16x16_bytes, _b_bytes),
    ("m16n8k32", 8): (_a_16x32_bytes, _b_bytes),
    ("m16n8k32", 4): (_a_16x32_nibbles, _b_nibbles),
    ("m16n8k64", 4): (_a_16x64_nibbles, _b_nibbles),
    ("m16n8k128", 1): (_a_16x128_bits, _b_bits),
    ("m16n8k256", 1): (_a_16x256_bits, _b_bits),
    ("m8n8k4", 64): (_transposed(_b_words), _b_words),
    ("m8n8k16", 8): (_transposed(_b_bytes), _b_bytes),
    ("m8n8k32", 4): (_transposed(_b_nibbles), _b_nibbles),
    ("m8n8k128", 1): (_transposed(_b_bits), _b_bits),
}


def fragments(shape, bits):
    """The layouts of A, B and C as functions of lane and element."""
    a, b = FRAGMENTS[shape, bits]
    c = _c_8x8 if shape.startswith("m8") else _c_16x8
    return tuple(lambda lane, i, f=f: f(lane // 4, lane % 4, i) for f in (a, b, c))


def sizes(shape):
    m, _, rest = shape[1:].partition("n")
    n, _, k = rest.partition("k")
    return int(m), int(n), int(k)


def spread(matrix, where, lanes=range(32)):
    """Give each lane its elements of a matrix: an array by lane and element."""
    count = 0
    seen = 0
    while seen < matrix.size:
        count += 1
        seen = count * len(lanes)
    return np.array([[matrix[where(lane, i)] for i in range(count)] for lane in lanes])


def pack(elements, bits):
    """Put elements, as unsigned integers by lane and element, into registers by register."""
    size = max(32, bits)
    per = size // bits
    whole = elements.astype(np.uint64).reshape(elements.shape[0], -1, per)
    words = sum(whole[:, :, j] << np.uint64(j * bits) for j in range(per))
    return [words[:, r].astype(f"u{size // 8}") for r in range(words.shape[1])]


def float_bits(bits, exponent, fraction, bias):
    """The value of a small float from its bits, by the definition of such formats."""
    bits = int(bits)
    sign = -1.0 if bits >> (exponent + fraction) & 1 else 1.0
    power, part = bits >> fraction & ((1 << exponent) - 1), bits & ((1 << fraction) - 1)
    if power == 0:
        return sign * part * 2.0 ** (1 - bias - fraction)
    return sign * (1 + part / (1 << fraction)) * 2.0 ** (power - bias)


# Exponent bits, fraction bits, bias, and where in the byte the number begins.
NARROW = {
    "e4m3": (4, 3, 7, 0),
    "e5m2": (5, 2, 15, 0),
    "e3m2": (3, 2, 3, 0),
    "e2m3": (2, 3, 1, 0),
    "e2m1": (2, 1, 1, 2),
}


def narrow_value(byte, type_):
    """The value of a byte that holds a float of 8 bits or fewer; NaN and infinity too."""
    exponent, fraction, bias, below = NARROW[type_]
    bits = int(byte) >> below & ((1 << (1 + exponent + fraction)) - 1)
    size = bits & ((1 << (exponent + fraction)) - 1)
    if type_ == "e4m3" and size == 0x7F:
        return np.nan
    if type_ == "e5m2" and size >= 0x7C:
        return np.nan if size > 0x7C else (-np.inf if bits >> 7 else np.inf)
    return float_bits(bits, exponent, fraction, bias)


def values_of(raw, type_):
    """The numbers (float64 or int64) that raw elements of a type are."""
    if type_ == "f16":
        return raw.astype(np.uint16).view(np.float16).astype(np.float64)
    if type_ == "bf16":
        return (raw.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if type_ == "tf32":
        return (raw.astype(np.uint32) & 0xFFFFE000).view(np.float32).astype(np.float64)
    if type_ == "f64":
        return raw.astype(np.uint64).view(np.float64)
    if type_ in NARROW:
        return np.vectorize(lambda byte: narrow_value(byte, type_))(raw)
    bits, raw = int(type_[1:]), raw.astype(np.int64)
    return raw - ((raw >> (bits - 1)) << bits) if type_[0] == "s" else raw


def bit_product(a, b, combine):
    """The sums of a AND b, or of a XOR b, over single bits."""
    a, b = a.astype(np.int64), b.astype(np.int64)
    if combine == "and":
        return a @ b
    return a @ (1 - b) + (1 - a) @ b


def bound(a, b, c):
    """Bound the error of summing in single precision: (terms + 1) roundings of sums of sizes."""
    terms = a.shape[1] + 1
    return 2.0**-24 * terms * (abs(a) @ abs(b) + abs(c)) + 1e-300
