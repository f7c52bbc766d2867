"""Floating point that NumPy has no function for: exact fused multiply-add, directed rounding.

The fused sums follow Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved
algorithms using rounding to odd" (IEEE Transactions on Computers 57(4), 2008).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

TINY = np.float32(2.0**-125)


def two_sum(a, b):
    """A + b rounded, and what rounding took away, exactly (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def two_product(a, b):
    """A * b rounded, and what rounding took away, exactly (Veltkamp, Dekker)."""
    product = a * b
    high_a, high_b = _high(a), _high(b)
    low_a, low_b = a - high_a, b - high_b
    lost = low_a * low_b - (((product - high_a * high_b) - low_a * high_b) - high_a * low_b)
    return product, lost


def _high(a):
    spread = a * 134217729.0  # 2**27 + 1
    return spread - (spread - a)


def odd_sum(a, b):
    """Add doubles and round to odd: where it is inexact the last bit becomes 1."""
    total, lost = two_sum(a, b)
    bits = total.view(np.int64)
    inexact = (lost != 0) & np.isfinite(lost) & (bits & 1 == 0)
    away = (lost > 0) == (total > 0)
    return np.where(inexact, bits + np.where(away, 1, -1), bits).view(np.float64)


def fma(a, b, c):
    """A * b + c, rounded once."""
    dtype = a.dtype
    if dtype == np.float64:
        return _fma_double(*np.broadcast_arrays(a, b, c))
    product = a.astype(np.float64) * b.astype(np.float64)  # exact: 48 bits or 22
    addend = c.astype(np.float64)
    total = product + addend
    result = total.astype(dtype)
    if dtype == np.float16:
        return odd_sum(*np.broadcast_arrays(product, addend)).astype(dtype)
    # Rounding twice errs only half-way between two floats, or where the result is subnormal.
    doubtful = total.view(np.uint64) << np.uint64(35) == np.uint64(1 << 63)
    tiny = np.abs(result) < TINY
    if tiny.any():
        doubtful |= tiny & (total != 0)
    if doubtful.any():
        product, addend = np.broadcast_arrays(product, addend)
        result[doubtful] = odd_sum(product[doubtful], addend[doubtful]).astype(dtype)
    return result


def _fma_double(a, b, c):
    high, low = two_product(a, b)
    first, rest = two_sum(c, low)
    total, lost = two_sum(high, first)
    result = total + odd_sum(rest, lost)
    sizes = [np.frexp(x)[1] for x in (a, b, c)]
    plain = (sizes[0] + sizes[1] > -900) & (sizes[0] + sizes[1] < 900)
    for size, x in zip(sizes, (a, b, c), strict=True):
        plain &= (np.abs(size) < 900) & np.isfinite(x)
    plain |= (a == 0) | (b == 0)  # then low is 0 and the sum is c, or a NaN
    result = np.where((a == 0) | (b == 0), a * b + c, result)
    for place in np.flatnonzero(~plain):
        result[place] = _fma_by_fractions(float(a[place]), float(b[place]), float(c[place]))
    return result


def _fma_by_fractions(a, b, c):
    if not (np.isfinite(a) and np.isfinite(b)):
        return np.float64(a) * np.float64(b) + np.float64(c)
    if not np.isfinite(c):
        return c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    try:
        return float(exact)
    except OverflowError:
        return np.inf if exact > 0 else -np.inf


def narrowed(value, dtype, rounding="rn"):
    """Convert to a narrower floating-point type in a direction: rn, rz, rm (down), rp (up)."""
    nearest = value.astype(dtype)
    if rounding == "rn":
        return nearest
    back = nearest.astype(value.dtype)
    if rounding == "rz":
        wrong, towards = np.abs(back) > np.abs(value), dtype.type(0)
    elif rounding == "rm":
        wrong, towards = back > value, dtype.type(-np.inf)
    else:
        wrong, towards = back < value, dtype.type(np.inf)
    return np.where(wrong, np.nextafter(nearest, towards), nearest)


def flushed(value):
    """Subnormal numbers as zeros of their sign."""
    tiny = np.finfo(value.dtype).tiny
    return np.where(np.abs(value) < tiny, np.copysign(value.dtype.type(0), value), value)


def extreme(larger, a, b):
    """The larger or the smaller; a NaN gives way to a number, -0 is below +0."""
    chosen = np.fmax(a, b) if larger else np.fmin(a, b)
    zeros = (a == 0) & (b == 0)
    if zeros.any():
        bits = [x.view(f"u{x.itemsize}") for x in np.broadcast_arrays(a, b)]
        both = (bits[0] & bits[1] if larger else bits[0] | bits[1]).view(a.dtype)
        chosen = np.where(zeros, both, chosen)
    return chosen
