"""Integers and bits: each rule takes an operation and gives a function of arrays.

All follow the manual's pseudo-code (PTX ISA, chapter 9.7). Sums and products wrap as NumPy's do.
"""

from __future__ import annotations

import numpy as np

RULES = {}


def rule(*names):
    """Enter a function that makes the function of an operation."""

    def enter(make):
        RULES.update(dict.fromkeys(names, make))
        return make

    return enter


def bits_of(array):
    """See integers as unsigned."""
    return array.view(f"u{array.itemsize}")


def quotient(a, b):
    """Divide towards zero; by zero all bits are ones."""
    zero = b == 0
    safe = np.where(zero, b.dtype.type(1), b)
    if a.dtype.kind == "u":
        return np.where(zero, ~np.zeros(1, a.dtype), a // safe)
    lowest = np.iinfo(a.dtype).min
    wraps = (a == lowest) & (safe == -1)  # the quotient is the dividend again
    safe = np.where(wraps, b.dtype.type(1), safe)
    return np.where(zero, a.dtype.type(-1), (a - np.fmod(a, safe)) // safe)


def remainder(a, b):
    """What ``quotient`` leaves, with the dividend's sign; by zero the dividend."""
    safe = np.where((b == 0) | (b == b.dtype.type(-1) if b.dtype.kind == "i" else b == 0), 1, b)
    rest = np.fmod(a, safe.astype(b.dtype))
    return np.where(b == 0, a, rest)


def widened(array):
    """Give integers of twice the width."""
    return array.astype(f"{array.dtype.kind}{2 * array.itemsize}")


def high_product(a, b):
    """The upper half of the product."""
    bits = 8 * a.itemsize
    if bits < 64:
        return (widened(a) * widened(b) >> bits).astype(a.dtype)
    mask, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    x, y = bits_of(a), bits_of(b)
    low = (x & mask) * (y & mask)
    middle = (x >> half) * (y & mask) + (low >> half)
    other = (x & mask) * (y >> half) + (middle & mask)
    top = (x >> half) * (y >> half) + (middle >> half) + (other >> half)
    if a.dtype.kind == "i":  # a negative factor counts 2**64 too much of the other
        top = top - np.where(a < 0, y, np.uint64(0)) - np.where(b < 0, x, np.uint64(0))
    return top.view(a.dtype)


def product(operation):
    """The half of the product that mul and mad want."""
    if "wide" in operation.modifiers:
        return lambda a, b: widened(a) * widened(b)
    return high_product if "hi" in operation.modifiers else np.multiply


@rule("add")
def add(operation):
    return saturating(operation, np.add)


@rule("sub")
def sub(operation):
    return saturating(operation, np.subtract)


def saturating(operation, function):
    if "sat" not in operation.modifiers:
        return function

    def clamped(a, b):
        limits = np.iinfo(a.dtype)
        return np.clip(function(widened(a), widened(b)), limits.min, limits.max).astype(a.dtype)

    return clamped


@rule("mul")
def mul(operation):
    return product(operation)


@rule("mad")
def mad(operation):
    times = product(operation)
    if "sat" in operation.modifiers:
        raise NotImplementedError(operation.opcode)
    return lambda a, b, c: times(a, b) + c


@rule("mul24", "mad24")
def mul24(operation):
    if "lo" not in operation.modifiers:
        raise NotImplementedError(operation.opcode)

    def times(a, b, *c):
        x, y = (v << 8 >> 8 for v in (a, b))
        return x * y + c[0] if c else x * y

    return times


PLAIN = {
    "neg": np.negative, "abs": np.abs, "not": np.invert, "and": np.bitwise_and,
    "or": np.bitwise_or, "xor": np.bitwise_xor, "min": np.minimum, "max": np.maximum,
    "div": quotient, "rem": remainder, "mov": lambda a: a,
    "popc": lambda a: np.bitwise_count(a).astype(np.uint32),
    "cnot": lambda a: (a == 0).astype(a.dtype),
    "sad": lambda a, b, c: c + np.where(a < b, b - a, a - b),
    "lea": lambda base, index, scale, offset: base + index * scale + offset,
}  # fmt: skip
for _name, _function in PLAIN.items():
    RULES[_name] = lambda _, function=_function: function


@rule("shl")
def shl(operation):
    def shift(a, count):
        bits = 8 * a.itemsize
        by = np.minimum(count, bits - 1).astype(a.dtype)
        return np.where(count >= bits, a.dtype.type(0), a << by)

    return shift


@rule("shr")
def shr(operation):
    def shift(a, count):
        bits = 8 * a.itemsize
        shifted = a >> np.minimum(count, bits - 1).astype(a.dtype)
        return shifted if a.dtype.kind == "i" else np.where(count >= bits, a.dtype.type(0), shifted)

    return shift


@rule("shf")
def shf(operation):
    words = operation.modifiers

    def shift(low, high, count):
        by = np.minimum(count, 32) if "clamp" in words else count & 31
        both = high.astype(np.uint64) << np.uint64(32) | low.astype(np.uint64)
        by = by.astype(np.uint64)
        if "l" in words:
            return (both >> (np.uint64(32) - by)).astype(np.uint32)
        return (both >> by).astype(np.uint32)

    return shift


def leading_zeros(a):
    """Count the zeros above the highest one."""
    left = np.full(a.shape, 8 * a.itemsize, np.uint32)
    for step in (32, 16, 8, 4, 2, 1):
        if step < 8 * a.itemsize:
            has = a >> a.dtype.type(step) != 0
            left -= np.where(has, np.uint32(step), np.uint32(0))
            a = np.where(has, a >> a.dtype.type(step), a)
    return left - (a != 0).astype(np.uint32)


def reversed_bits(a):
    bits = np.unpackbits(a.reshape(-1, 1).view(np.uint8), axis=1, bitorder="little")
    return np.packbits(bits[:, ::-1], axis=1, bitorder="little").view(a.dtype).ravel()


RULES["clz"] = lambda _: leading_zeros
RULES["brev"] = lambda _: reversed_bits


@rule("bfind")
def bfind(operation):
    def find(a):
        a = bits_of(np.where(a < 0, ~a, a))
        place = 8 * a.itemsize - 1 - leading_zeros(a).astype(np.int32)
        if "shiftamt" in operation.modifiers:
            place = np.where(place < 0, place, 8 * a.itemsize - 1 - place)
        return place.astype(np.int32).view(np.uint32)

    return find


@rule("bfe")
def bfe(operation):
    def extract(a, start, length):
        bits = 8 * a.itemsize
        start, length = start & 255, length & 255
        last = np.minimum(start + length - 1, bits - 1).astype(np.int64)
        sign = (a >> last.clip(0).astype(a.dtype)) & 1 if a.dtype.kind == "i" else a & 0
        result = np.zeros(np.broadcast_shapes(a.shape, start.shape, length.shape), a.dtype)
        for bit in range(bits):
            place = (start + bit).astype(np.int64)
            taken = (a >> np.minimum(place, bits - 1).astype(a.dtype)) & 1
            inside = (bit < length) & (place < bits)
            value = np.where(inside, taken, np.where(length == 0, 0, sign)).astype(a.dtype)
            result |= value << a.dtype.type(bit)
        return result

    return extract


@rule("bfi")
def bfi(operation):
    def insert(a, b, start, length):
        result = np.array(np.broadcast_arrays(a, b, start, length)[1])
        start, length = start & 255, length & 255
        for bit in range(8 * a.itemsize):
            inside = (bit >= start) & (bit < start + length)
            from_ = np.where(inside, bit - start.astype(np.int64), 0).astype(a.dtype)
            one = a.dtype.type(1) << a.dtype.type(bit)
            value = ((a >> from_) & 1) << a.dtype.type(bit)
            result = np.where(inside, (result & ~one) | value, result)
        return result

    return insert


@rule("prmt")
def prmt(operation):
    if len(operation.modifiers) > 1:
        raise NotImplementedError(operation.opcode)

    def permute(a, b, selector):
        both = b.astype(np.uint64) << np.uint64(32) | a.astype(np.uint64)
        result = np.zeros(1, np.uint32)
        for byte in range(4):
            nibble = (selector >> np.uint32(4 * byte)) & np.uint32(15)
            chosen = both >> ((nibble & np.uint32(7)).astype(np.uint64) * np.uint64(8))
            chosen = (chosen & np.uint64(255)).astype(np.uint32)
            sign = np.where(chosen >> np.uint32(7), np.uint32(255), np.uint32(0))
            chosen = np.where(nibble & np.uint32(8), sign, chosen)
            result = result | chosen << np.uint32(8 * byte)
        return result

    return permute


@rule("lop3")
def lop3(operation):
    if "BoolOp" in operation.opcode or len(operation.modifiers) > 1:
        raise NotImplementedError(operation.opcode)

    def look_up(a, b, c, table):
        result = np.zeros(1, a.dtype)
        for case in range(8):
            terms = [v if case & weight else ~v for v, weight in ((a, 4), (b, 2), (c, 1))]
            wanted = (table >> table.dtype.type(case)) & 1 != 0
            result = result | np.where(wanted, terms[0] & terms[1] & terms[2], a.dtype.type(0))
        return result

    return look_up


@rule("dp4a")
def dp4a(operation):
    kinds = [t.kind.value == "s" for t in operation.types]

    def dot(a, b, c):
        total = c
        for byte in range(4):
            parts = [(v >> np.uint32(8 * byte)).astype(np.uint8) for v in (a, b)]
            signed = [
                p.view(np.int8) if is_signed else p
                for p, is_signed in zip(parts, kinds, strict=True)
            ]
            term = signed[0].astype(np.int32) * signed[1].astype(np.int32)
            total = total + term.view(np.uint32)
        return total

    return dot
