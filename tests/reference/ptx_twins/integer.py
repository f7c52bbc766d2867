"""Integer arithmetic, PTX ISA 9.0, section 9.7.1, on Python's integers."""

import numpy as np

from tests.reference.ptx_twins.answers import Exact, Parts, bits_of, part
from warpmill.analyzer.ir.types import TYPES


def width(type_):
    """The bits of a type."""
    return TYPES[type_].bits


def numbers(values, type_):
    """Registers as Python's integers, by a type: signed ones from two's complement."""
    bits = width(type_)
    plain = np.asarray(values).astype(object) & ((1 << bits) - 1)
    if type_[0] != "s":
        return plain
    return plain - ((plain >> (bits - 1)) << bits)


def limits(type_):
    """The least and the largest value of an integer type."""
    bits = width(type_)
    return (-1 << bits - 1, (1 << bits - 1) - 1) if type_[0] == "s" else (0, (1 << bits) - 1)


def clamp(values, type_):
    """Saturate to an integer type."""
    low, high = limits(type_)
    return np.array([min(max(int(v), low), high) for v in values], object)


def _binary(function):
    """Make the twin of an operation on two or three numbers of one type, wrapping or .sat."""

    def twin(form, sources):
        type_ = form.types[-1]
        if TYPES[type_].lanes > 1:
            inner = type_[:3]
            pieces = [
                _one(form, function, [part(s, k, 16) for s in sources], inner) for k in (0, 1)
            ]
            return [Parts(pieces, 16)]
        return [_one(form, function, sources, type_)]

    return twin


def _one(form, function, sources, type_):
    result = function(*[numbers(s, type_) for s in sources])
    if "sat" in form.modifiers:
        result = clamp(result, type_)
    if "relu" in form.modifiers:
        result = np.maximum(result, 0)
    return Exact(bits_of(result, width(type_)))


def _with_carry(form, total, type_, carry):
    """The sum or difference, and the carry where the form writes it."""
    answers = [Exact(bits_of(total, width(type_)))]
    return (
        [*answers, Exact(np.array([bool(c) for c in carry]))] if "cc" in form.modifiers else answers
    )


def add_carry(form, sources):
    """add.cc, addc: unsigned addition tells the carry, whatever the type's sign."""
    bits = width(form.types[-1])
    total = sum(s.astype(object) for s in sources)
    return _with_carry(form, total, form.types[-1], total >> bits)


def subtract_borrow(form, sources):
    """sub.cc, subc: a - (b + CC.CF); the flag then says that a borrow was needed."""
    total = sources[0].astype(object) - sum(s.astype(object) for s in sources[1:])
    return _with_carry(form, total, form.types[-1], total < 0)


def _product(form, sources, type_):
    """The half of a product that .hi or .lo names, or the whole of .wide."""
    whole = numbers(sources[0], type_) * numbers(sources[1], type_)
    return whole >> width(type_) if "hi" in form.modifiers else whole


def multiply(form, sources):
    """mul: low or high half, or all of the product."""
    return [Exact(bits_of(_product(form, sources, form.types[-1]), form.destinations[0].bits))]


def multiply_add(form, sources):
    """mad: that and an addend; .sat clamps the sum of the high half; .cc and madc carry."""
    type_ = form.types[-1]
    bits = width(type_)
    product = _product(form, sources, type_)
    if form.operation == "madc" or "cc" in form.modifiers:
        total = (product & (1 << bits) - 1) + sum(s.astype(object) for s in sources[2:])
        return _with_carry(form, total, type_, total >> bits)
    wide = form.destinations[0].type
    total = product + numbers(sources[2], wide)
    if "sat" in form.modifiers:
        total = clamp(total, type_)
    return [Exact(bits_of(total, form.destinations[0].bits))]


def multiply_24(form, sources):
    """mul24, mad24: of 24-bit factors, bits 47..16 or 31..0 of the product."""
    type_ = form.types[-1]
    product = numbers(sources[0], type_) * numbers(sources[1], type_)
    high = "hi" in form.modifiers
    result = numbers(bits_of(product >> 16 if high else product, 32), type_)
    if form.operation == "mad24":
        result = result + numbers(sources[2], type_)
    if "sat" in form.modifiers:
        result = clamp(result, type_)
    return [Exact(bits_of(result, 32))]


def divide(form, sources):
    """div, rem: towards zero; the remainder has the sign of the dividend."""
    a, b = (numbers(s, form.types[-1]) for s in sources)
    pairs = zip(a, b, strict=True)
    signed = [abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1) for x, y in pairs]
    quotient = np.array(signed, object)
    result = a - quotient * b if form.operation == "rem" else quotient
    return [Exact(bits_of(result, width(form.types[-1])))]


def dot_product(form, sources):
    """dp4a, dp2a: the sum of products of four pairs of bytes, or of two of halves and bytes."""
    a_type, b_type = form.types
    total = sources[2].astype(object)
    pairs = 4 if form.operation == "dp4a" else 2
    size = 32 // pairs
    first = 2 if "hi" in form.modifiers else 0
    for k in range(pairs):
        x = numbers(part(sources[0], k, size), f"{a_type[0]}{size}")
        y = numbers(part(sources[1], k + first, 8), f"{b_type[0]}8")
        total = total + x * y
    return [Exact(bits_of(total, 32))]


def _carrying(plain, carrying):
    def twin(form, sources):
        return (carrying if "cc" in form.modifiers else plain)(form, sources)

    return twin


TWINS = {
    "add": _carrying(_binary(lambda a, b: a + b), add_carry),
    "sub": _carrying(_binary(lambda a, b: a - b), subtract_borrow),
    "addc": add_carry,
    "subc": subtract_borrow,
    "mul": multiply,
    "mad": multiply_add,
    "madc": multiply_add,
    "mul24": multiply_24,
    "mad24": multiply_24,
    "div": divide,
    "rem": divide,
    "sad": _binary(lambda a, b, c: c + abs(a - b)),
    "abs": _binary(abs),
    "neg": _binary(lambda a: -a),
    "min": _binary(np.minimum),
    "max": _binary(np.maximum),
    "dp4a": dot_product,
    "dp2a": dot_product,
}
"""Twins of operations on integers, by the opcode's first word."""
