"""Logic, shifts and bit fields, PTX ISA 9.0, sections 9.7.1 and 9.7.8."""

import numpy as np

from tests.reference.ptx_twins.answers import Exact, bits_of
from tests.reference.ptx_twins.integer import numbers, width

WORD = 0xFFFFFFFF


def _each(function):
    """Make a twin from a function of one element: of Python's integers and the type's bits."""

    def twin(form, sources):
        bits = width(form.types[-1])
        rows = zip(*[s.astype(object) for s in sources], strict=True)
        return [
            Exact(bits_of([function(form, bits, *row) for row in rows], form.destinations[0].bits))
        ]

    return twin


def _logic(function):
    def twin(form, sources):
        return [Exact(function(*sources))]

    return twin


def _cnot(form, sources):
    return [Exact((sources[0] == 0).astype(sources[0].dtype))]


def lop3(form, sources):
    """The bit of the table that the bits of a, b and c number; .or and .and add a predicate."""
    table = next(p.immediate for p in form.sources if p.immediate is not None)
    a, b, c = sources[:3]
    result = np.zeros_like(a)
    for k in range(8):
        if table >> k & 1:
            result |= (a if k & 4 else ~a) & (b if k & 2 else ~b) & (c if k & 1 else ~c)
    if form.modifiers[0] == "b32":
        return [Exact(result)]
    some = result != 0
    predicate = some | sources[-1] if form.modifiers[0] == "or" else some & sources[-1]
    return [Exact(result), Exact(predicate)][-len(form.destinations) :]


def _shift_left(form, bits, a, count):
    return a << min(count, bits)


def _shift_right(form, sources):
    bits = width(form.types[-1])
    values = numbers(sources[0], form.types[-1])
    counts = [min(int(c), bits) for c in sources[1]]
    return [Exact(bits_of([v >> c for v, c in zip(values, counts, strict=True)], bits))]


def _funnel(form, bits, low, high, count):
    count = min(count, 32) if "clamp" in form.modifiers else count & 31
    whole = high << 32 | low
    return whole << count >> 32 if "l" in form.modifiers else whole >> count


def _population(form, bits, a):
    return a.bit_count()


def _leading_zeros(form, bits, a):
    return bits - a.bit_length()


def _find_leading(form, bits, a):
    if form.types[-1][0] == "s" and a >> bits - 1:
        a = ~a & (1 << bits) - 1
    if a == 0:
        return WORD
    place = a.bit_length() - 1
    return bits - 1 - place if "shiftamt" in form.modifiers else place


def _find_nth(form, bits, mask, base, offset):
    offset -= (offset >> 31) << 32
    if offset == 0:
        return base if mask >> base & 1 else WORD
    order = range(base, 32) if offset > 0 else range(base, -1, -1)
    found = [k for k in order if mask >> k & 1]
    return found[abs(offset) - 1] if abs(offset) <= len(found) else WORD


def _reverse(form, bits, a):
    return int(f"{a:0{bits}b}"[::-1], 2)


def _extract(form, bits, a, start, length):
    start, length = start & 255, length & 255
    field = a >> start & (1 << length) - 1
    if form.types[-1][0] == "s" and length and a >> min(start + length - 1, bits - 1) & 1:
        field |= -1 << min(length, max(bits - start, 0))
    return field


def _insert(form, bits, a, b, *field):
    start, length = (v & 255 for v in field)
    mask = (1 << length) - 1 << start & (1 << bits) - 1
    return b & ~mask | a << start & mask


def _mask(form, bits, start, length):
    if "wrap" in form.modifiers:
        start, length = start & 31, length & 31
    return (
        (1 << length) - 1 << start
        if start < 32 and length < 64
        else -1 << start
        if start < 32
        else 0
    )


def _extend(form, bits, a, count):
    if "clamp" in form.modifiers and count >= 32:
        return a
    count &= 31
    low = a & (1 << count) - 1
    return low | -1 << count if form.types[-1] == "s32" and count and low >> count - 1 else low


_PERMUTED = {
    "f4e": ((0, 1, 2, 3), (1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6)),
    "b4e": ((0, 7, 6, 5), (1, 0, 7, 6), (2, 1, 0, 7), (3, 2, 1, 0)),
    "rc8": ((0,) * 4, (1,) * 4, (2,) * 4, (3,) * 4),
    "ecl": ((0, 1, 2, 3), (1, 1, 2, 3), (2, 2, 2, 3), (3, 3, 3, 3)),
    "ecr": ((0, 0, 0, 0), (0, 1, 1, 1), (0, 1, 2, 2), (0, 1, 2, 3)),
    "rc16": ((0, 1, 0, 1), (2, 3, 2, 3), (0, 1, 0, 1), (2, 3, 2, 3)),
}
"""Bytes that prmt's modes choose for the result, from the lowest, by the two low bits of c."""


def _permute(form, bits, a, b, c):
    whole = b << 32 | a
    mode = form.modifiers[-1]
    if mode in _PERMUTED:
        return sum((whole >> 8 * k & 255) << 8 * i for i, k in enumerate(_PERMUTED[mode][c & 3]))
    result = 0
    for i in range(4):
        nibble = c >> 4 * i & 15
        byte = whole >> 8 * (nibble & 7) & 255
        result |= (255 * (byte >> 7) if nibble & 8 else byte) << 8 * i
    return result


TWINS = {
    "and": _logic(np.bitwise_and),
    "or": _logic(np.bitwise_or),
    "xor": _logic(np.bitwise_xor),
    "not": _logic(np.invert),
    "cnot": _cnot,
    "lop3": lop3,
    "shl": _each(_shift_left),
    "shr": _shift_right,
    "shf": _each(_funnel),
    "popc": _each(_population),
    "clz": _each(_leading_zeros),
    "bfind": _each(_find_leading),
    "fns": _each(_find_nth),
    "brev": _each(_reverse),
    "bfe": _each(_extract),
    "bfi": _each(_insert),
    "bmsk": _each(_mask),
    "szext": _each(_extend),
    "prmt": _each(_permute),
}
"""Twins of operations on bits, by the opcode's first word."""
