"""Sizes of types, as their names in the PTX manual tell them, and numbers that they hold."""

import re

import pytest

from warpmill.analyzer.ir.types import TYPES, TypeKind

PLAIN = re.compile(r"(?:b|u|s|f|bf|tf)(\d+)(?:p(\d+))?(?:x(\d+))?(?:_p(\d+))?")
SMALL = re.compile(r"(u?)e(\d)m(\d)(?:x(\d+))?")
NAMED = {
    "pred": (1, 1),
    "s2f6x2": (16, 2),
    **dict.fromkeys(("texref", "surfref", "samplerref"), (64, 1)),
}


def size_of(name):
    """Bits and elements. Padding counts, of each as in `b6p2x16`, at the end as in `b6x16_p32`.

    Small floats are a sign but for `u`, exponent and mantissa; those of more than four bits take a
    byte each where they are packed or have no sign.
    """
    if name in NAMED:
        return NAMED[name]
    if plain := PLAIN.fullmatch(name):
        bits, pad, lanes, at_end = (int(one or 0) for one in plain.groups())
        return (bits + pad) * (lanes or 1) + at_end, lanes or 1
    unsigned, exponent, mantissa, lanes = SMALL.fullmatch(name).groups()
    bits = int(exponent) + int(mantissa) + (not unsigned)
    is_byte = bits > 4 and (lanes or unsigned)
    return (8 if is_byte else bits) * int(lanes or 1), int(lanes or 1)


def test_names_tell_sizes():
    assert {name: (t.bits, t.lanes) for name, t in TYPES.items()} == {n: size_of(n) for n in TYPES}


def test_sizes_in_bytes_are_rounded_up():
    assert [TYPES[n].size_bytes for n in ("pred", "u4", "e2m3", "u8", "b16", "b1024")] == [
        1, 1, 1, 1, 2, 128,
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["u8", "s8", "b8", "u16", "s16"])
def test_a_type_reads_the_number_whose_lowest_bits_are_the_same(name):
    type_, whole = TYPES[name], 1 << TYPES[name].bits
    low = -whole // 2 if type_.kind is TypeKind.SIGNED else 0
    for bits in (0, 1, -1, whole // 2 - 1, whole // 2, whole - 1, whole, 3 * whole + 7, -whole - 5):
        read, near = type_.read(bits), type_.read_near_zero(bits)
        assert (read - bits) % whole == (near - bits) % whole == 0
        assert low <= read < low + whole and -whole // 2 <= near < whole // 2
