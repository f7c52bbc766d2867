"""Floating-point formats and exact arithmetic on them, with Python's integers.

A number is ``(kind, sign, magnitude, exponent)``: kind "nan", "inf" or "finite", and of a finite
one the value is ``magnitude * 2 ** exponent``.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import isqrt


@dataclass(frozen=True)
class Format:
    """A binary format. ``shift`` are bits below the fraction that stay zero, as in tf32."""

    name: str
    bits: int
    exponent: int
    fraction: int
    infinity: int | None  # its bits, without those of ``shift``
    nan: int | None  # the canonical one
    largest: int
    shift: int = 0

    @property
    def bias(self):
        """What the exponent's field has more than the exponent."""
        return (1 << (self.exponent - 1)) - 1

    @property
    def lowest(self):
        """Exponent of the last place of subnormal numbers."""
        return 1 - self.bias - self.fraction

    @property
    def sign(self):
        """The bit of the sign, without those of ``shift``."""
        return 1 << (self.exponent + self.fraction)


def _ieee(name, exponent, fraction, shift=0):
    infinity = (1 << exponent) - 1 << fraction
    nan = (1 << (exponent + fraction)) - 1
    bits = 1 + exponent + fraction + shift
    return Format(name, bits, exponent, fraction, infinity, nan, infinity - 1, shift)


FORMATS = {
    f.name: f
    for f in (
        _ieee("f64", 11, 52),
        _ieee("f32", 8, 23),
        _ieee("f16", 5, 10),
        _ieee("bf16", 8, 7),
        _ieee("tf32", 8, 10, shift=13),
        _ieee("e5m2", 5, 2),
        Format("e4m3", 8, 4, 3, None, 0x7F, 0x7E),
        Format("e2m3", 6, 2, 3, None, None, 0x1F),
        Format("e3m2", 6, 3, 2, None, None, 0x1F),
        Format("e2m1", 4, 2, 1, None, None, 0x7),
    )
}
"""The formats by PTX's names."""

NAN = ("nan", 0, 0, 0)


def infinity(sign):
    """An infinity."""
    return ("inf", sign, 0, 0)


@lru_cache(maxsize=1 << 17)
def decode(bits, f):
    """The number that bits of a format mean."""
    bits >>= f.shift
    sign, rest = int(bool(bits & f.sign)), bits & f.sign - 1
    if rest == f.nan or (f.infinity is not None and rest > f.infinity):
        return NAN
    if rest == f.infinity:
        return infinity(sign)
    field, fraction = rest >> f.fraction, rest & (1 << f.fraction) - 1
    if field == 0:
        return ("finite", sign, fraction, f.lowest)
    return ("finite", sign, fraction | 1 << f.fraction, f.lowest + field - 1)


def encode(number, f, mode="rn", *, finite=False, sticky=False):
    """Round a number to a format; ``finite`` gives the largest number for what is beyond.

    ``sticky`` says that the number is a little larger in magnitude than it is written, by less
    than any bit that rounding looks at.
    """
    kind, sign = number[:2]
    if kind == "nan":
        low = (1 << f.shift) - 1  # tf32's has the bits set that are zero elsewhere
        return (f.largest if f.nan is None else f.nan) << f.shift | low
    if kind == "inf":
        bits = f.infinity if f.infinity is not None and not finite else f.largest
    else:
        bits = _rounded(number, f, mode, sticky)
        if bits > f.largest:
            bits = _beyond(sign, f, mode, finite)
    return (bits | sign * f.sign) << f.shift


def _rounded(number, f, mode, sticky):
    _, sign, magnitude, exponent = number
    if magnitude == 0:
        return 0
    last = max(magnitude.bit_length() + exponent - 1 - f.fraction, f.lowest)
    cut = align(magnitude, exponent, last)
    return (last - f.lowest << f.fraction) + cut[0] + rounds_up(mode, sign, cut, sticky=sticky)


def align(magnitude, exponent, last):
    """How often ``2 ** last`` fits, what is left, and half of it in the same unit."""
    shift = last - exponent
    if shift <= 0:
        return magnitude << -shift, 0, 1
    return magnitude >> shift, 2 * (magnitude & (1 << shift) - 1), 1 << shift


def rounds_up(mode, sign, cut, *, sticky=False):
    """Whether the magnitude grows by a unit, of what ``align`` gives."""
    kept, dropped, half = cut
    match mode[:2]:
        case "rn" if mode == "rna":
            return dropped >= half
        case "rn":
            return dropped > half or (dropped == half and (sticky or bool(kept & 1)))
        case "rz":
            return False
        case "rm":
            return bool(sign and (dropped or sticky))
        case "rp":
            return bool(not sign and (dropped or sticky))
    raise ValueError(mode)


def _beyond(sign, f, mode, finite):
    toward_zero = mode == "rz" or (mode == "rm" and not sign) or (mode == "rp" and sign)
    return f.largest if finite or toward_zero or f.infinity is None else f.infinity


def flushed(number, f):
    """A subnormal number of a format as a zero of its sign."""
    kind, sign, magnitude, _ = number
    subnormal = kind == "finite" and magnitude.bit_length() + number[3] <= f.lowest + f.fraction
    return (kind, sign, 0, 0) if subnormal else number


def negated(number):
    """The number with the other sign."""
    kind, sign, magnitude, exponent = number
    return (kind, 1 - sign, magnitude, exponent)


def add(a, b, mode="rn"):
    """Add exactly; the mode decides the sign of a zero."""
    if "nan" in (a[0], b[0]):
        return NAN
    if "inf" in (a[0], b[0]):
        if a[0] == b[0] and a[1] != b[1]:
            return NAN
        return a if a[0] == "inf" else b
    exponent = min(a[3], b[3])
    total = sum((-1) ** n[1] * (n[2] << n[3] - exponent) for n in (a, b))
    if total == 0:
        sign = a[1] if a[1] == b[1] and not a[2] else int(mode == "rm")
        return ("finite", sign, 0, exponent)
    return ("finite", int(total < 0), abs(total), exponent)


def multiply(a, b):
    """Multiply exactly."""
    sign = a[1] ^ b[1]
    if "nan" in (a[0], b[0]):
        return NAN
    if "inf" in (a[0], b[0]):
        zero = any(n[0] == "finite" and n[2] == 0 for n in (a, b))
        return NAN if zero else infinity(sign)
    return ("finite", sign, a[2] * b[2], a[3] + b[3])


def divide(a, b):
    """Divide; gives the quotient to more bits than any format has, and whether it goes on."""
    sign = a[1] ^ b[1]
    if "nan" in (a[0], b[0]) or (a[0] == b[0] == "inf"):
        return NAN, False
    if a[0] == "inf":
        return infinity(sign), False
    if b[0] == "inf":
        return ("finite", sign, 0, 0), False
    if b[2] == 0:
        return (NAN if a[2] == 0 else infinity(sign)), False
    shift = 130 + b[2].bit_length()
    quotient, rest = divmod(a[2] << shift, b[2])
    return ("finite", sign, quotient, a[3] - b[3] - shift), rest != 0


def square_root(a):
    """The root to more bits than any format has, and whether it goes on."""
    kind, sign, magnitude, exponent = a
    if kind == "nan" or (sign and (kind == "inf" or magnitude)):
        return NAN, False
    if kind == "inf" or magnitude == 0:
        return a, False
    magnitude, exponent = magnitude << 240 + exponent % 2, exponent - 240 - exponent % 2
    root = isqrt(magnitude)
    return ("finite", 0, root, exponent // 2), root * root != magnitude
