"""Known bits of a machine word, zero or one, and its bounds, unsigned and signed.

Everything holds modulo two to the width, as the machine computes: a sum that may wrap around has
no bounds, but keeps the low bits that are known.
"""

from __future__ import annotations

from functools import reduce
from typing import NamedTuple


class KnownWord(NamedTuple):
    """A word of ``bits`` bits: ``zeros`` and ``ones`` are masks of the bits that are surely so.

    ``low`` to ``high`` bound it as an unsigned number, ``least`` to ``most`` as a signed one.
    """

    bits: int
    zeros: int
    ones: int
    low: int
    high: int
    least: int
    most: int

    @property
    def full(self) -> int:
        """The word with every bit set."""
        return (1 << self.bits) - 1

    @property
    def possible(self) -> int:
        """The bits that may be one."""
        return self.full & ~self.zeros

    @property
    def constant(self) -> int | None:
        """The number that it is, unsigned, where it is one."""
        return self.low if self.low == self.high else None

    @property
    def trailing_zeros(self) -> int:
        """How many of the lowest bits are surely zero."""
        possible = self.possible
        return (possible & -possible).bit_length() - 1 if possible else self.bits

    @property
    def known_low(self) -> int:
        """How many of the lowest bits are known."""
        unknown = self.full & ~(self.zeros | self.ones)
        return (unknown & -unknown).bit_length() - 1 if unknown else self.bits

    @property
    def is_natural(self) -> bool:
        """Whether it is never below zero as a signed number."""
        return self.least >= 0

    def bounds(self, *, signed: bool) -> tuple[int, int]:
        """The least and the most that it is."""
        return (self.least, self.most) if signed else (self.low, self.high)


def anything(bits: int) -> KnownWord:
    """A word of which nothing is known."""
    full = (1 << bits) - 1
    return KnownWord(bits, 0, 0, 0, full, -(full + 1 >> 1), full >> 1)


def exactly(bits: int, value: int) -> KnownWord:
    """A word that is a number, signed or not."""
    full = (1 << bits) - 1
    number = value & full
    signed = number - full - 1 if number > full >> 1 else number
    return KnownWord(bits, full & ~number, number, number, number, signed, signed)


def known(
    bits: int,
    zeros: int = 0,
    ones: int = 0,
    unsigned: tuple[int, int] | None = None,
    signed: tuple[int, int] | None = None,
) -> KnownWord:
    """A word with some of its facts given, each made as sharp as the others allow.

    Bounds may lie beyond the word's range: they then say nothing, as the word wraps.
    """
    full = (1 << bits) - 1
    half = full + 1 >> 1
    low, high = 0, full
    least, most = -half, half - 1
    if unsigned is not None and unsigned[0] >= 0 and unsigned[1] <= full:
        low, high = unsigned
    if signed is not None and signed[0] >= least and signed[1] <= most:
        least, most = signed
        if least >= 0:
            low, high = max(low, least), min(high, most)
        elif most < 0:
            low, high = max(low, least + full + 1), min(high, most + full + 1)
    low, high = max(low, ones), min(high, full & ~zeros)
    if low > high:
        return anything(bits)  # facts that exclude each other: the place is never reached
    prefix = full & ~((1 << (low ^ high).bit_length()) - 1)
    ones |= low & prefix
    zeros |= ~low & prefix
    if high < half:
        least, most = max(least, low), min(most, high)
    elif low >= half:
        least, most = max(least, low - full - 1), min(most, high - full - 1)
    if zeros & ones or least > most:
        return anything(bits)
    return KnownWord(bits, zeros, ones, low, high, least, most)


def joined(*words: KnownWord) -> KnownWord:
    """Facts that hold for each of several words of one width."""
    return reduce(_join, words)


def _join(a: KnownWord, b: KnownWord) -> KnownWord:
    if a == b:
        return a
    return KnownWord(
        a.bits,
        a.zeros & b.zeros,
        a.ones & b.ones,
        min(a.low, b.low),
        max(a.high, b.high),
        min(a.least, b.least),
        max(a.most, b.most),
    )


def widened(before: KnownWord, after: KnownWord) -> KnownWord:
    """A word that holds of both, with no bound that still moves: what ends a search for loops."""
    wide = anything(after.bits)
    return known(
        after.bits,
        before.zeros & after.zeros,
        before.ones & after.ones,
        (
            before.low if after.low >= before.low else wide.low,
            before.high if after.high <= before.high else wide.high,
        ),
        (
            before.least if after.least >= before.least else wide.least,
            before.most if after.most <= before.most else wide.most,
        ),
    )


def low_part(word: KnownWord) -> KnownWord:
    """Known bits of the lowest part of a word, and nothing else."""
    mask = (1 << word.known_low) - 1
    return known(word.bits, word.zeros & mask, word.ones & mask)


def resized(word: KnownWord, bits: int, *, signed: bool) -> KnownWord:
    """The word cut to fewer bits, or widened by its sign or by zeros."""
    if bits == word.bits:
        return word
    full = (1 << bits) - 1
    if bits < word.bits:
        fits = (word.low, word.high) if word.high <= full else None
        half = full + 1 >> 1
        near = (word.least, word.most) if -half <= word.least and word.most < half else None
        return known(bits, word.zeros & full, word.ones & full, fits, near)
    above = full & ~word.full
    if not signed:
        return known(bits, word.zeros | above, word.ones, (word.low, word.high))
    top = word.full + 1 >> 1
    zeros = word.zeros | (above if word.zeros & top else 0)
    ones = word.ones | (above if word.ones & top else 0)
    return known(bits, zeros, ones, None, (word.least, word.most))
