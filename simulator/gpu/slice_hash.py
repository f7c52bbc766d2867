"""Polynomial hashing of slices: a table of remainders, one look-up for each byte of an address.

The number of a chunk of memory, read as a polynomial over two elements, leaves its slice as the
remainder by an irreducible polynomial (Rau, "Pseudo-randomly interleaved memory", ISCA 1991), so
that chunks a power of two apart meet in no slice more often than others.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

TABLE_BYTES = 6
"""Bytes of a turn round the slices that the table knows; no address has more."""

TABLE_WORDS = TABLE_BYTES * 256

_POLYNOMIALS = (
    1, 0b11, 0b111, 0b1011, 0b10011, 0b100101, 0b1000011, 0b10000011, 0b100011101, 0b1000010001,
    0b10000001001, 0b100000000101, 0b1000001010011,
)  # fmt: skip
"""An irreducible polynomial of each degree."""


def can_divide(slices: int) -> bool:
    """Whether a number of slices has a polynomial: powers of two, up to 4096."""
    return slices & (slices - 1) == 0 and slices.bit_length() <= len(_POLYNOMIALS)


def remainders(slices: int) -> npt.NDArray[np.int64]:
    """Contribution of each byte of a turn to the remainder, shape (TABLE_WORDS,).

    Remainders add up bit by bit. A turn begins where the bits of one round of slices end.
    """
    degree = slices.bit_length() - 1
    bits, value = [], int(slices > 1)
    for _ in range(degree + 8 * TABLE_BYTES):
        bits.append(value)
        value <<= 1
        if value >> degree & 1:
            value ^= _POLYNOMIALS[degree]
    table = np.zeros((TABLE_BYTES, 256), np.int64)
    for byte in range(TABLE_BYTES):
        for bit in range(8):
            on = np.arange(256) >> bit & 1 != 0
            table[byte, on] ^= bits[degree + 8 * byte + bit]
    return table.reshape(-1)
