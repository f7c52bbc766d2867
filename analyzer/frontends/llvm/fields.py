"""Bits side by side: values packed into words of at most 64 bits, and taken out of them.

Vectors of ``i1`` and of other odd widths lie so in memory, and a bit cast between values of
different make-up goes by way of such words. The first value is in the lowest bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from warpmill.analyzer.frontends.llvm.builder import is_predicate
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.types import BOOL, FloatType, IntType, Scalar
from warpmill.analyzer.ir.kernel import FloatImm, Imm, Operand, Reg

WORD_BITS = 64


class PackedWord(NamedTuple):
    """``bits`` bits, the upper ones of its register of ``width`` bits are zero."""

    operand: Operand
    bits: int
    width: int


def container(bits: int) -> int:
    """The width of the narrowest register for so many bits."""
    return next(w for w in (8, 16, 32, 64) if bits <= w)


def word_sizes(bits: int) -> list[int]:
    """How many bits each word of a value has."""
    return [min(WORD_BITS, bits - start) for start in range(0, bits, WORD_BITS)]


def pack(low: Lowering, parts: Sequence[Operand], leaves: Sequence[Scalar]) -> list[PackedWord]:
    """Put values side by side into words."""
    sizes = [low.layout.scalar_bits(leaf) for leaf in leaves]
    words = [PackedWord(Imm(0), n, container(n)) for n in word_sizes(sum(sizes))]
    start = 0
    for part, leaf, bits in zip(parts, leaves, sizes, strict=True):
        _put(low, words, as_integer(low, part, leaf), BitField(start, bits), low.module.width(leaf))
        start += bits
    return words


class BitField(NamedTuple):
    """A field: its first bit and its size."""

    start: int
    bits: int


def as_integer(low: Lowering, part: Operand, leaf: Scalar) -> Operand:
    """A scalar's bits as an integer operand; of ``i1`` 0 or 1."""
    if is_predicate(leaf):
        if isinstance(part, Imm):
            return Imm(part.value & 1)
        return low.builder.compute("selp.b8", "b8", Imm(1), Imm(0), part)
    if isinstance(part, FloatImm):
        return Imm(part.bits)
    if isinstance(leaf, FloatType):
        width = low.module.width(leaf)
        return low.builder.compute(f"mov.b{width}", f"b{width}", part)
    if isinstance(part, Imm):
        return Imm(part.value & ((1 << low.layout.scalar_bits(leaf)) - 1))
    return part


def _put(
    low: Lowering, words: list[PackedWord], value: Operand, place: BitField, width: int
) -> None:
    """Add a field to the words that it lies in: one, or two."""
    width = max(width, 8)
    done = 0
    while done < place.bits:
        number, at = divmod(place.start + done, WORD_BITS)
        into = words[number].width
        part = value
        if done:
            part = _shifted(low, "shr.u", value, width, done)
        part = _resized(low, part, width, into)
        part = _shifted(low, "shl.b", part, into, at)
        words[number] = words[number]._replace(
            operand=_joined(low, words[number].operand, part, into)
        )
        done += WORD_BITS - at


def _joined(low: Lowering, left: Operand, right: Operand, width: int) -> Operand:
    if left == Imm(0):
        return right
    if right == Imm(0):
        return left
    if isinstance(left, Imm) and isinstance(right, Imm):
        return Imm(left.value | right.value)
    return low.builder.compute(f"or.b{width}", f"b{width}", left, right)


def _shifted(low: Lowering, opcode: str, value: Operand, width: int, amount: int) -> Operand:
    if amount == 0:
        return value
    if isinstance(value, Imm):
        moved = value.value << amount if opcode == "shl.b" else value.value >> amount
        return Imm(moved & ((1 << width) - 1))
    return low.builder.compute(f"{opcode}{width}", f"b{width}", value, Imm(amount))


def _resized(low: Lowering, value: Operand, width: int, into: int) -> Operand:
    if isinstance(value, Imm):
        return Imm(value.value & ((1 << into) - 1))
    if width == into:
        return value
    return low.builder.resize(None, value, into, width, "u")


def field(low: Lowering, words: Sequence[PackedWord], place: BitField, width: int = 0) -> Operand:
    """The bits of a field, zero above, in a register of ``width``, or that ``container`` tells."""
    number, at = divmod(place.start, WORD_BITS)
    word = words[number]
    into = width or container(place.bits)
    value = _shifted(low, "shr.u", word.operand, word.width, at)
    here = min(place.bits, word.bits - at)
    value = _resized(low, value, word.width, into)
    if here < place.bits:
        rest = field(low, words, BitField(place.start + here, place.bits - here))
        rest = _resized(low, rest, container(place.bits - here), into)
        return _joined(low, value, _shifted(low, "shl.b", rest, into, here), into)
    exact = at + place.bits == word.bits or place.bits == into
    return value if exact else masked(low, value, into, place.bits)


def masked(low: Lowering, value: Operand, width: int, bits: int) -> Operand:
    """The lowest bits of a value."""
    mask = (1 << bits) - 1
    if isinstance(value, Imm):
        return Imm(value.value & mask)
    return low.builder.compute(f"and.b{width}", f"b{width}", value, Imm(mask))


def unpack(
    low: Lowering, words: Sequence[PackedWord], leaves: Sequence[Scalar], results: Sequence[Reg]
) -> None:
    """Take values out of words, one after the other, into their registers."""
    start = 0
    for leaf, to in zip(leaves, results, strict=True):
        bits = low.layout.scalar_bits(leaf)
        if is_predicate(leaf):
            _test_bit(low, words, start, to)
        else:
            low.builder.move(to, field(low, words, BitField(start, bits), low.module.width(leaf)))
        start += bits


def _test_bit(low: Lowering, words: Sequence[PackedWord], start: int, to: Reg) -> None:
    number, at = divmod(start, WORD_BITS)
    word = words[number]
    width = word.width
    if isinstance(word.operand, Imm):
        low.builder.move(to, Imm(word.operand.value >> at & 1))
        return
    bit = low.builder.compute(f"and.b{width}", f"b{width}", word.operand, Imm(1 << at))
    low.emit(f"setp.ne.b{width}", to, bit, Imm(0))


def is_odd(low: Lowering, scalar: Scalar) -> bool:
    """Whether it is an integer, ``i1`` apart, that is narrower than its register."""
    return (
        isinstance(scalar, IntType)
        and scalar is not BOOL
        and low.module.width(scalar) != scalar.bits
    )


def sign_extended(low: Lowering, value: Operand, scalar: Scalar) -> Operand:
    """An odd integer with its sign in all upper bits of its register."""
    width, bits = low.module.width(scalar), low.layout.scalar_bits(scalar)
    if isinstance(value, Imm):
        number = value.value & ((1 << bits) - 1)
        return Imm(number - (1 << bits) if number >> (bits - 1) else number)
    left = low.builder.compute(f"shl.b{width}", f"b{width}", value, Imm(width - bits))
    return low.builder.compute(f"shr.s{width}", f"b{width}", left, Imm(width - bits))
