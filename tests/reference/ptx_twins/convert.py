"""Conversions, PTX ISA 9.0, section 9.7.9.21 (cvt) and cvt.pack."""

import numpy as np

from tests.reference.ptx_twins.answers import Exact, Parts, bits_of, part
from tests.reference.ptx_twins.integer import clamp, limits, numbers
from tests.reference.ptx_twins.numbers import (
    FORMATS,
    NAN,
    align,
    decode,
    encode,
    flushed,
    rounds_up,
)
from warpmill.analyzer.ir.types import TYPES

_TO_INTEGER = {"rni": "rn", "rzi": "rz", "rmi": "rm", "rpi": "rp"}


def convert(form, sources):
    """The answer of any cvt by what it converts between."""
    if form.modifiers[0] == "pack":
        return _pack(form, sources)
    to, from_ = form.types[:2]
    if "ue8m0x2" in (to, from_):
        return _scales(form, sources)
    if TYPES[to].lanes > 1:
        return _packed(form, sources, to, from_)
    return [_one(form, sources[0], to, from_)]


def _one(form, values, to, from_):
    is_float = (to in FORMATS, from_ in FORMATS)
    if is_float == (False, False):
        return _between_integers(form, values, to, from_)
    if is_float == (True, False):
        return _from_integer(form, values, to, from_)
    return _from_float(form, values, to, from_)


def _between_integers(form, values, to, from_):
    results = numbers(values, from_)
    if "sat" in form.modifiers:
        results = clamp(results, to)
    return Exact(_extended(results, form, to))


def _extended(results, form, to):
    """Fill a register that is wider than the integer type, by its sign or with zeros."""
    plain = bits_of(results, TYPES[to].bits)
    return bits_of(numbers(plain, to), form.destinations[0].bits)


def _from_integer(form, values, to, from_):
    f = FORMATS[to]
    results = []
    for value in numbers(values, from_):
        number = ("finite", int(value < 0), abs(int(value)), 0)
        results.append(_unit(encode(number, f, _mode(form)), f, form))
    return Exact(bits_of(results, f.bits))


def _mode(form):
    modes = {"rn", "rz", "rm", "rp", "rna"}
    return next((m for m in form.modifiers if m in modes), "rn")


def _unit(bits, f, form):
    """Apply .sat of a float: to 0..1; -0 stays open to be written as +0 by the caller."""
    if "sat" not in form.modifiers:
        return bits
    return 0 if bits & f.sign else min(bits, f.bias << f.fraction)


def _from_float(form, values, to, from_):
    source = FORMATS[from_]
    found = [decode(int(v), source) for v in values]
    if "ftz" in form.modifiers and from_ == "f32":
        found = [flushed(n, source) for n in found]
    integral = next((m for m in form.modifiers if m in _TO_INTEGER), None)
    if to not in FORMATS:
        results = [_integer(n, _TO_INTEGER[integral], to, from_) for n in found]
        return Exact(_extended(results, form, to))
    if integral:
        found = [_whole(n, _TO_INTEGER[integral]) for n in found]
    return _to_float(form, found, to, from_)


def _integer(number, mode, to, from_):
    """Round and clamp; NaN is 0 from f32 and narrower to 32 bits and fewer, else the top bit."""
    low, high = limits(to)
    kind, sign = number[:2]
    if kind == "nan":
        wide = from_ == "f64" or TYPES[to].bits == 64
        return 1 << TYPES[to].bits - 1 if wide else 0
    if kind == "inf":
        return low if sign else high
    _, _, magnitude, exponent = _whole(number, mode)
    value = (-1) ** sign * (magnitude << exponent)
    return min(max(value, low), high)


def _whole(number, mode):
    """Round to an integer and keep the sign, also of zero."""
    kind, sign, magnitude, exponent = number
    if kind != "finite":
        return number
    cut = align(magnitude, exponent, 0)
    return (kind, sign, cut[0] + rounds_up(mode, sign, cut), 0)


def _to_float(form, found, to, from_):
    """Round to a format: .relu, .sat and .satfinite; results of .ftz to f32 are flushed."""
    f = FORMATS[to]
    results = [_float(form, n, f) for n in found]
    clamps = {"relu", "sat"} & set(form.modifiers)
    others = (
        bits_of([f.sign << f.shift if r == 0 else r for r in results], f.bits) if clamps else None
    )
    any_nan = to == "f64" or (to == from_ and _is_plain(form))
    return Exact(bits_of(results, f.bits), others, nan=to if any_nan else None)


def _is_plain(form):
    return not set(form.modifiers) & {*_TO_INTEGER, "sat", "ftz"}


def _float(form, number, f):
    sign = number[1]
    if number[0] == "nan" and "sat" in form.modifiers:
        return 0
    if number[0] != "nan" and sign and "relu" in form.modifiers:
        return 0
    finite = "satfinite" in form.modifiers
    bits = encode(number, f, _mode(form), finite=finite)
    if "ftz" in form.modifiers and f.name == "f32":
        bits = encode(flushed(decode(bits, f), f), f)
    return bits if number[0] == "nan" else _unit(bits, f, form)


def _packed(form, sources, to, from_):
    """Each element of a packed result; of two or four f32 the first is the highest."""
    element = to[: to.index("x")]
    size = TYPES[to].bits // TYPES[to].lanes
    if TYPES[from_].lanes > 1:
        from_size = TYPES[from_].bits // TYPES[from_].lanes
        inner = from_[: from_.index("x")]
        parts = [part(sources[0], k, from_size) for k in (0, 1)]
        return [Parts([_one(form, p, element, inner) for p in parts], size)]
    if "rs" in form.modifiers:
        half = len(sources) // 2  # the first sources use the upper random bits
        dice = [sources[-1] >> np.uint32(16), sources[-1] & np.uint32(0xFFFF)]
        rounded = zip(sources[:-1], [dice[0]] * half + [dice[1]] * half, strict=False)
        answers = [_stochastic(form, s, d, element) for s, d in rounded]
    else:
        answers = [_one(form, s, element, from_) for s in sources]
    return [Parts(answers[::-1], size)]


def _stochastic(form, values, dice, to):
    """.rs: a neighbour, the further one where random bits added to those dropped carry over.

    To f16 and bf16 a normal number drops as many bits as the random ones are. Elsewhere either
    neighbour will do, but for random bits of zeros, which never carry. What is too large has no
    neighbour above but infinity: the manual leaves open which of the two it gives.
    """
    f = FORMATS[to]
    rows = [_stochastic_row(form, *row, f) for row in zip(values, dice, strict=True)]
    return Exact(*[bits_of(column, f.bits) for column in zip(*rows, strict=True)])


def _stochastic_row(form, value, random, f):
    """The two results that will do."""
    number = decode(int(value), FORMATS["f32"])
    kind, sign, magnitude, exponent = number
    if kind == "nan" or (sign and "relu" in form.modifiers):
        bits = 0 if kind != "nan" else encode(NAN, f)
        return bits, bits
    finite = "satfinite" in form.modifiers
    low = encode(number, f, "rz", finite=finite)
    high = encode(number, f, "rm" if sign else "rp", finite=finite)
    dropped = 23 - f.fraction
    if kind == "finite" and low & ~(sign * f.sign) == f.largest:
        return low, high  # where infinity is the neighbour, the manual leaves open which it is
    is_normal = kind == "finite" and magnitude.bit_length() + exponent > f.lowest + f.fraction
    if f.name in ("f16", "bf16") and is_normal and magnitude >> 23:
        mask = (1 << dropped) - 1
        carries = (magnitude & mask) + (random & mask) > mask
        return (high, high) if carries else (low, low)
    return low, low if random == 0 else high


def _scales(form, sources):
    """ue8m0: a power of two by its exponent and a bias of 127; of bf16x2 it is exact."""
    if form.types[-1] == "ue8m0x2":
        return [Parts([_from_scale(part(sources[0], k, 8)) for k in (0, 1)], 16)]
    if form.types[-1] == "bf16x2":
        parts = [part(sources[0], k, 16).astype(np.uint32) << np.uint32(16) for k in (0, 1)]
    else:
        parts = sources[::-1]
    return [Parts([_to_scale(p, "rp" in form.modifiers) for p in parts], 8)]


def _to_scale(values, up):
    """Of positive numbers in the range of powers 2**-127 .. 2**127 only."""
    results = []
    for value in values:
        _, _, magnitude, exponent = decode(int(value), FORMATS["f32"])
        power = magnitude.bit_length() - 1 + exponent
        exact = magnitude & (magnitude - 1) == 0
        results.append(power + 127 + (1 if up and not exact else 0))
    return Exact(bits_of(results, 8))


def _from_scale(values):
    results = []
    for value in values:
        number = NAN if value == 255 else ("finite", 0, 1, int(value) - 127)
        results.append(encode(number, FORMATS["bf16"]))
    return Exact(bits_of(results, 16))


def _pack(form, sources):
    """cvt.pack: a above b, each saturated; what is above them comes from c."""
    narrow = form.types[0]
    bits = int(narrow[1:])
    ends = limits(narrow) if narrow in TYPES else None
    assert ends is not None
    a, b = (clamp(numbers(s, "s32"), narrow) & (1 << bits) - 1 for s in sources[:2])
    result = a << bits | b
    if len(sources) == 3:
        result = result | sources[2].astype(object) << 2 * bits
    return [Exact(bits_of(result, 32))]


TWINS = {"cvt": convert}
"""Twins of conversions, by the opcode's first word."""
