"""Numbers of PTX in plain Python, for the checker of all schedules.

A register holds the bits of its value as an unsigned integer, and None where nothing has defined
it: every function here raises TypeError or struct.error for None, which makes its result undefined.
Results of add, sub, mul, div, sqrt and fma are rounded once. The ``.approx`` and ``.full``
functions round what the C library gives: the same in every schedule, which is all that comparing
schedules needs, and no claim about a GPU's last bits.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from fractions import Fraction
from math import isnan

from tests.reference.ptx_twins import numbers as soft

UNDEFINED_OPERAND = (TypeError, struct.error)
"""What an operation raises that has got an undefined operand."""

_U2, _U4, _U8 = struct.Struct("<H"), struct.Struct("<I"), struct.Struct("<Q")
_F2, _F4, _F8 = struct.Struct("<e"), struct.Struct("<f"), struct.Struct("<d")
_STRUCTS = {"f16": (_U2, _F2), "f32": (_U4, _F4), "f64": (_U8, _F8)}
_NAN = {"f16": 0x7FFF, "f32": 0x7FFFFFFF, "f64": 0x7FFFFFFFFFFFFFFF}
_INFINITY = {"f16": 0x7C00, "f32": 0x7F800000, "f64": 0x7FF0000000000000}


def to_float(bits: int, kind: str) -> float:
    """The number that bits of a format mean."""
    integer, real = _STRUCTS[kind]
    return real.unpack(integer.pack(bits))[0]  # type: ignore[no-any-return]


def to_bits(value: float, kind: str) -> int:
    """The bits of a number rounded to the nearest of a format."""
    integer, real = _STRUCTS[kind]
    if isnan(value):
        return _NAN[kind]
    try:
        return integer.unpack(real.pack(value))[0]  # type: ignore[no-any-return]
    except OverflowError:
        return _INFINITY[kind] | (1 << integer.size * 8 - 1 if value < 0 else 0)


def flush(bits: int, kind: str) -> int:
    """Bits with a subnormal number as a zero of its sign."""
    return bits if bits & _INFINITY[kind] else bits & 1 << _STRUCTS[kind][0].size * 8 - 1


# Arithmetic on floats of Python: f32 and f16 are rounded from double precision, which is exact
# enough for one rounding of a sum, product, quotient or root of them.


def _quotient(a: float, b: float) -> float:
    if b == 0:
        if a == 0 or isnan(a):
            return math.nan
        return math.copysign(math.inf, a) * math.copysign(1, b)
    return a / b


def _root(a: float) -> float:
    return math.sqrt(a) if a >= 0 else math.nan if a != 0 else a


def _fused_exactly(a: float, b: float, c: float) -> float:
    """The fused product and sum of doubles."""
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)):
        return a * b + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return a * b + c if a == 0 or b == 0 else 0.0
    try:
        return exact.numerator / exact.denominator
    except OverflowError:
        return math.copysign(math.inf, exact)


def _fused_to_odd(a: float, b: float, c: float) -> float:
    """The fused product and sum of narrower numbers, to odd in double: rounds well once more."""
    product = a * b
    total = product + c
    if not math.isfinite(total):
        return total
    part = total - product
    error = (product - (total - part)) + (c - part)
    if error and not _U8.unpack(_F8.pack(total))[0] & 1:
        return math.nextafter(total, math.inf if error > 0 else -math.inf)
    return total


def _guarded(function: Callable[..., float]) -> Callable[..., float]:
    """A function of the C library that gives what IEEE 754 does where Python raises."""

    def safe(*values: float) -> float:
        if any(isnan(v) for v in values):
            return math.nan
        try:
            return function(*values)
        except OverflowError:
            return math.inf
        except (ValueError, ZeroDivisionError):
            return math.nan

    return safe


def _log2(a: float) -> float:
    return -math.inf if a == 0 else math.log2(a)


_FLOAT: dict[str, Callable[..., float]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": _quotient,
    "rcp": lambda a: _quotient(1.0, a),
    "sqrt": _root,
    "rsqrt": lambda a: _quotient(1.0, _root(a)),
    "ex2": _guarded(lambda a: 2.0**a),
    "lg2": _guarded(_log2),
    "sin": _guarded(math.sin),
    "cos": _guarded(math.cos),
    "tanh": _guarded(math.tanh),
}
_SOFT: dict[str, Callable[..., tuple[tuple[str, int, int, int], bool]]] = {
    "add": lambda mode, a, b: (soft.add(a, b, mode), False),
    "sub": lambda mode, a, b: (soft.add(a, _minus(b), mode), False),
    "mul": lambda _, a, b: (soft.multiply(a, b), False),
    "fma": lambda mode, a, b, c: (soft.add(soft.multiply(a, b), c, mode), False),
    "mad": lambda mode, a, b, c: (soft.add(soft.multiply(a, b), c, mode), False),
    "div": lambda _, a, b: soft.divide(a, b),
    "rcp": lambda _, a: soft.divide(("finite", 0, 1, 0), a),
    "sqrt": lambda _, a: soft.square_root(a),
}
"""What rounds another way than to the nearest: exact numbers, and whether they go on."""


def _minus(number: tuple[str, int, int, int]) -> tuple[str, int, int, int]:
    return number if number[0] == "nan" else soft.negated(number)


def float_function(name: str, words: tuple[str, ...], kind: str) -> Callable[..., int] | None:
    """An operation on the bits of floats, by its words; None where there is none."""
    if kind not in _STRUCTS:
        return None
    mode = next((w for w in words if w in ("rz", "rm", "rp")), None)
    inner = _rounded(name, mode, kind) if mode else _nearest(name, kind)
    if inner is None:
        return None
    if "ftz" in words and kind == "f32":
        inner = _flushing(inner, kind)
    return _saturating(inner, kind) if "sat" in words else inner


def _nearest(name: str, kind: str) -> Callable[..., int] | None:
    fused = _fused_exactly if kind == "f64" else _fused_to_odd
    function = fused if name in ("fma", "mad") else _FLOAT.get(name)
    if function is None:
        return None
    return lambda *bits: to_bits(function(*[to_float(b, kind) for b in bits]), kind)


def _rounded(name: str, mode: str, kind: str) -> Callable[..., int] | None:
    function, format_ = _SOFT.get(name), soft.FORMATS[kind]
    if function is None:
        return None

    def rounded(*bits: int) -> int:
        number, goes_on = function(mode, *[soft.decode(b, format_) for b in bits])
        return int(soft.encode(number, format_, mode, sticky=goes_on))

    return rounded


def _flushing(function: Callable[..., int], kind: str) -> Callable[..., int]:
    return lambda *bits: flush(function(*[flush(b, kind) for b in bits]), kind)


def _saturating(function: Callable[..., int], kind: str) -> Callable[..., int]:
    return lambda *bits: saturate(function(*bits), kind)


def saturate(bits: int, kind: str) -> int:
    """Bits of a float clamped to 0 … 1; a NaN is 0."""
    value = to_float(bits, kind)
    return to_bits(min(max(value, 0.0), 1.0), kind) if not isnan(value) else 0


def float_extreme(a: int, b: int, kind: str, name: str, passes_nan: bool) -> int:
    """``min`` or ``max`` of two floats: -0 is below +0, a NaN loses unless ``passes_nan``."""
    x, y = to_float(a, kind), to_float(b, kind)
    if isnan(x) or isnan(y):
        if passes_nan or (isnan(x) and isnan(y)):
            return _NAN[kind]
        return b if isnan(x) else a
    smaller = x < y or (x == y and math.copysign(1, x) < math.copysign(1, y))
    return (a if smaller else b) if name == "min" else (b if smaller else a)


_ORDERED: dict[str, Callable[[float, float], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a not in (b,),
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def float_compare(a: int, b: int, kind: str, word: str, ftz: bool) -> int:
    """A comparison of floats: with a NaN ordered ones are false, those that end in u true."""
    if ftz:
        a, b = flush(a, kind), flush(b, kind)
    x, y = to_float(a, kind), to_float(b, kind)
    unordered = isnan(x) or isnan(y)
    if word in ("num", "nan"):
        return int(unordered == (word == "nan"))
    if word in _ORDERED:
        return int(not unordered and _ORDERED[word](x, y))
    return int(unordered or _ORDERED[word[:-1]](x, y))


# Conversions.

_INTEGRAL: dict[str, Callable[[float], int]] = {
    "rni": round,
    "rzi": math.trunc,
    "rmi": math.floor,
    "rpi": math.ceil,
}


def float_to_integer(bits: int, kind: str, mode: str, limits: tuple[int, int], ftz: bool) -> int:
    """A float rounded to an integer within limits, as PTX's cvt does, as a number with its sign."""
    value = to_float(flush(bits, kind) if ftz else bits, kind)
    low, high = limits
    if isnan(value):
        wide = kind == "f64" or high - low >= 1 << 32
        return 1 << (high - low).bit_length() - 1 if wide else 0
    if math.isinf(value):
        return high if value > 0 else low
    return min(max(_INTEGRAL[mode](value), low), high)


def integer_to_float(value: int, kind: str, mode: str) -> int:
    """An integer rounded to a float's bits."""
    number = ("finite", int(value < 0), abs(value), 0)
    return int(soft.encode(number, soft.FORMATS[kind], mode))


def float_to_float(bits: int, to: str, kind: str, words: tuple[str, ...]) -> int:
    """A float in another format, or rounded to an integral number of its own."""
    ftz = "ftz" in words and kind == "f32"
    value = to_float(flush(bits, kind) if ftz else bits, kind)
    integral = next((w for w in words if w in _INTEGRAL), None)
    if integral and math.isfinite(value):
        value = math.copysign(float(_INTEGRAL[integral](value)), value)
    mode = next((w for w in words if w in ("rz", "rm", "rp")), None)
    if mode:
        number = soft.decode(to_bits(value, "f64"), soft.FORMATS["f64"])
        return int(soft.encode(number, soft.FORMATS[to], mode))
    result = to_bits(value, to)
    if "ftz" in words and to == "f32":
        result = flush(result, to)
    return saturate(result, to) if "sat" in words else result


# Integers.


def quotient(a: int, b: int) -> int:
    """Division towards zero; all ones where the divisor is 0."""
    if b == 0:
        return -1
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a: int, b: int) -> int:
    """What division towards zero leaves; the dividend where the divisor is 0."""
    return a - b * quotient(a, b) if b else a


def extract(a: int, start: int, length: int, bits: int, signed: bool) -> int:
    """``bfe``: a field of bits, filled up by its sign."""
    start, length = start & 255, length & 255
    if length == 0:
        return 0
    top = min(start + length - 1, bits - 1)
    sign = a >> top & 1 if signed else 0
    field = (a >> start & (1 << length) - 1) if start < bits else 0
    kept = min(length, max(bits - start, 0))
    return field & (1 << kept) - 1 | (-1 << kept if sign else 0)


def insert(a: int, b: int, start: int, length: int, bits: int) -> int:
    """``bfi``: the lowest bits of a in a field of b."""
    start, length = start & 255, length & 255
    mask = (1 << length) - 1 << start & (1 << bits) - 1
    return b & ~mask | a << start & mask


def permute(a: int, b: int, selector: int) -> int:
    """``prmt`` without a mode: each byte by four bits of the selector."""
    whole, result = b << 32 | a, 0
    for k in range(4):
        chosen = selector >> 4 * k & 15
        byte = whole >> 8 * (chosen & 7) & 255
        result |= ((255 if byte >> 7 else 0) if chosen & 8 else byte) << 8 * k
    return result


def table_logic(a: int, b: int, c: int, table: int) -> int:
    """``lop3``: the bit of the table that the bits of a, b and c number."""
    result = 0
    for k in range(8):
        if table >> k & 1:
            result |= (a if k & 4 else ~a) & (b if k & 2 else ~b) & (c if k & 1 else ~c)
    return result


def funnel(low: int, high: int, count: int, left: bool, clamps: bool) -> int:
    """``shf``: 32 bits of two registers side by side."""
    count = min(count, 32) if clamps else count & 31
    whole = high << 32 | low
    return whole << count >> 32 if left else whole >> count


def reverse(a: int, bits: int) -> int:
    """``brev``."""
    return int(f"{a:0{bits}b}"[::-1], 2)


def find_first(a: int, bits: int, signed: bool) -> int:
    """``bfind``: the place of the highest bit that is no sign; all ones where there is none."""
    if signed and a >> bits - 1:
        a ^= (1 << bits) - 1
    return a.bit_length() - 1


def shift_to(place: int, bits: int) -> int:
    """``bfind.shiftamt``: how far a bit is from the highest; all ones where there is none."""
    return bits - 1 - place if place >= 0 else -1


def dot4(a: int, b: int, c: int, signed: tuple[bool, bool]) -> int:
    """``dp4a``: four products of bytes, added."""

    def parts(word: int, is_signed: bool) -> list[int]:
        found = [word >> 8 * k & 255 for k in range(4)]
        return [f - 256 if is_signed and f > 127 else f for f in found]

    products = zip(parts(a, signed[0]), parts(b, signed[1]), strict=True)
    return c + sum(x * y for x, y in products)
