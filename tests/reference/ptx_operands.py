"""Values for operands: edges of each type crossed with each other, patterns and random bits.

Every array is of unsigned integers, the bits of a register of the operand's size.
"""

import zlib
from functools import cache
from itertools import product
from math import prod

import numpy as np

from tests.reference.ptx_forms import Place
from tests.reference.ptx_twins.numbers import FORMATS
from warpmill.analyzer.ir.types import TYPES

RUNS = 12
LANES = 32


def operands(form, runs=RUNS, lanes=LANES):
    """Values for each source of a form, the same ones in every process.

    Forms of an operation with operands of the same types get the same ones.
    """
    kinds = tuple((p.type, p.domain) for p in form.sources if p.immediate is None)
    made = iter(_made(form.operation, kinds, runs * lanes))
    return [
        next(made).copy() if p.immediate is None else _constant(p, runs * lanes)
        for p in form.sources
    ]


def _constant(place, count):
    return np.full(count, place.immediate & (1 << 64) - 1, np.uint64)


@cache
def _made(operation, kinds, count):
    rng = np.random.default_rng(zlib.crc32(repr((operation, kinds)).encode()))
    places = [Place(*kind) for kind in kinds]
    edges = [_edges(p) for p in places]
    rows = _crossed(edges, count // 2, rng)
    columns = []
    for k, place in enumerate(places):
        spread = _spread(place, rng, count - len(rows))
        values = np.array([r[k] for r in rows] + spread, object)
        columns.append(_register(values, place))
    return _related(columns, places, rng)


def _crossed(edges, count, rng):
    """``count`` combinations of the edges, all of them where they are few."""
    if prod(len(e) for e in edges) <= count:
        return list(product(*edges))[: count if edges else 0]
    columns = [rng.integers(0, len(e), count).tolist() for e in edges]
    return [
        tuple(e[k] for e, k in zip(edges, row, strict=True)) for row in zip(*columns, strict=True)
    ]


def _related(columns, places, rng):
    """Make a part of the later floats of a statement near to the first, with either sign."""
    if len(places) < 2 or places[0].type not in ("f16", "bf16", "f32", "f64"):
        return columns
    for column, place in zip(columns[1:], places[1:], strict=True):
        if place.type == places[0].type and not place.domain:
            chosen = rng.random(column.size) < 0.15
            moved = columns[0] + rng.integers(0, 3, column.size).astype(column.dtype)
            sign = column.dtype.type(1 << (place.bits - 1))
            column[chosen] = (
                moved ^ (sign * rng.integers(0, 2, column.size).astype(column.dtype))
            )[chosen]
    return columns


def _register(values, place):
    """The bits as an array of registers; what a type leaves over is filled with ones."""
    bits = place.bits
    if bits == 128:
        whole = [(int(v) & (1 << 64) - 1, int(v) >> 64 & (1 << 64) - 1) for v in values]
        return np.array(whole, np.uint64)
    if bits == 1:
        return np.array([bool(v & 1) for v in values])
    return np.array([int(v) & (1 << bits) - 1 for v in values], f"u{bits // 8}")


def _edges(place):
    if place.domain:
        return _domain_edges(place)
    return _typed_edges(place.type)


def _typed_edges(type_):
    if type_ in ("pred", "cc"):
        return [0, 1]
    known = TYPES[type_]
    if known.lanes > 1:
        part = known.bits // known.lanes
        inner = _typed_edges(type_[: type_.index("x")])
        return [a | b << part for a in inner for b in inner[:: 1 + len(inner) // 8]]
    if known.is_float and type_ in FORMATS:
        return float_edges(FORMATS[type_])
    return integer_edges(known.bits)


def integer_edges(bits):
    """0, 1, -1, the ends of both ranges, a few patterns and numbers."""
    top = 1 << (bits - 1)
    low = [0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 100, 255, 256]
    high = [top - 2, top - 1, top, top + 1, top >> 1, 2 * top - 1, 2 * top - 2, 2 * top - 3]
    repeated = [int("5" * 32, 16), int("a" * 32, 16), int("7f80" * 8, 16), int("00ff" * 8, 16)]
    return sorted({v & (2 * top - 1) for v in low + high + repeated})


def float_edges(f):
    """Zeros, ones, ends of the normal and subnormal ranges, halves, infinities and NaNs."""
    one = f.bias << f.fraction
    numbers = [
        0, 1, 2, (1 << f.fraction) - 1, 1 << f.fraction, (1 << f.fraction) + 1,
        one - 1, one, one + 1, one + (1 << f.fraction >> 1), one - (1 << f.fraction),
        one + (1 << f.fraction), one + (3 << f.fraction >> 1), one + (5 << f.fraction >> 1),
        f.largest - 1, f.largest, one - (3 << f.fraction >> 1),
        one + (f.fraction << f.fraction), one + (f.fraction + 1 << f.fraction) + 1,
    ]  # fmt: skip
    if f.infinity is not None:
        numbers += [f.infinity, f.infinity + 1]
    if f.nan is not None:
        numbers += [f.nan, f.infinity + (1 << f.fraction >> 1) if f.infinity else f.nan]
    if f.name in ("f32", "f64"):
        numbers += [one + (k << f.fraction) + d for k in (15, 16, 30, 31, 32, 62, 63, 64)
                    for d in (-1, 0, 1)]  # fmt: skip
    for narrower in (7, 10, 23):  # halfway between two numbers of bf16, f16 and f32, and beside it
        step = 1 << max(0, f.fraction - narrower)
        numbers += [one + n * step + step // 2 + d for n in (4, 5) for d in (-1, 0, 1) if step > 1]
    limit = 1 << (f.exponent + f.fraction)
    values = sorted({n << f.shift for n in numbers if 0 <= n < limit})
    return [v | s << f.bits - 1 for s in (0, 1) for v in values]


def _spread(place, rng, count):
    """Random values: plain bits, bits with a long tail of zeros, floats of a middling size."""
    if place.domain:
        return _random_domain(place, rng, count)
    bits = place.bits
    values = []
    for k in range(count):
        value = int.from_bytes(rng.bytes(16), "little") & (1 << bits) - 1
        if k % 3 == 1:
            tail = int(rng.integers(bits))
            value = (value >> tail << tail) + int(rng.integers(-1, 2)) & (1 << bits) - 1
        if k % 3 != 0 and place.type in ("f32", "f64", "f16", "bf16"):
            value = _middling(value, FORMATS[place.type], rng)
        values.append(value)
    return values


def _middling(value, f, rng):
    """Replace the exponent by one near that of 1, at times by that of a large integer."""
    reach = min(f.bias - 1, 26 if rng.random() < 0.7 else 66)
    exponent = f.bias + int(rng.integers(-min(reach, 26), reach + 1))
    kept = value & ~(((1 << f.exponent) - 1) << f.fraction)
    return kept | exponent << f.fraction


def _signed_24(place):
    values = [0, 1, 2, 0x7FFFFF, 0x7FFFFE, 0x400000, 12345]
    negative = [-v & 0xFFFFFFFF for v in values]
    return values + (negative if place.type == "s32" else [0xFFFFFF, 0x800000, 0xFFFF00])


_DOMAINS = {
    "lane": [0, 1, 2, 5, 15, 16, 30, 31],
    "near": [v & 0xFFFFFFFF for v in (0, 1, -1, 2, -2, 3, -5, 9, 31, -31, 32, 33, -33)],
    "count": [0, 1, 2, 7, 8, 15, 16, 17, 24, 30, 31, 32, 33, 47, 48, 63, 64, 65, 127, 128,
              200, 255, 256, 257, 0x80000000, 0x80000001, 0xFFFFFFFF],
    "zero": [0],
    "clamp": [31, 0x1F1F, 0x181F, 0x1C1F, 0x1000, 0x1F, 0x1E1F, 0x0F10, 0, 0x1C00, 0x0A1F],
    "few": [5, 7],
    "members": [0xFFFFFFFF],
    "dice": [0, 0xFFFFFFFF, 0x80008000, 0x7FFF7FFF, 0x12345678],
}  # fmt: skip
"""The values of domains that are the same for all types."""


def _domain_edges(place):
    """The edges of a part of a type's values."""
    match place.domain:
        case "24":
            return _signed_24(place)
        case "nonzero":
            return [v for v in integer_edges(place.bits) if v]
        case "scale":
            is_pair = place.type.endswith("x2")
            return _positive(FORMATS[place.type.removesuffix("x2")], is_pair)
    return _DOMAINS[place.domain]


def _positive(f, is_pair):
    one = f.bias << f.fraction
    numbers = [one, one + 1, one - 1, one + (1 << f.fraction >> 1), one + (9 << f.fraction),
               one - (9 << f.fraction) + 1, 1 << f.fraction, (1 << f.fraction) + 1,
               (254 << f.fraction), (253 << f.fraction) + 1]  # fmt: skip
    return [a | b << 16 for a in numbers for b in numbers] if is_pair else numbers


def _random_domain(place, rng, count):
    match place.domain:
        case "24" if place.type == "s32":
            return [int(v) & 0xFFFFFFFF for v in rng.integers(-1 << 23, 1 << 23, count)]
        case "24":
            return [int(v) for v in rng.integers(0, 1 << 24, count)]
        case "nonzero":
            bits = place.bits
            plain = [int.from_bytes(rng.bytes(8), "little") & (1 << bits) - 1 for _ in range(count)]
            return [(v >> int(rng.integers(bits))) or 1 for v in plain]
    edges = _domain_edges(place)
    return [edges[int(k)] for k in rng.integers(0, len(edges), count)]
