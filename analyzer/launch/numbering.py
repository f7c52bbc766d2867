"""Addresses of a launch's buffers, and indices of its CTAs and threads: the same in every engine.

Addresses are numbers of our own, the same in every run. Buffers in global memory lie one after
another, with a gap between them that belongs to none, so that an access past an end is seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from warpmill.analyzer.ir.call_rewriting import FUNCTIONS_END
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.types import Space

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


WINDOW_BYTES = 0x0100_0000
"""Bytes of each window of generic addresses."""

SHARED_WINDOW = 0x0100_0000
LOCAL_WINDOW = 0x0200_0000
CONST_WINDOW = 0x0300_0000
PARAM_WINDOW = 0x0400_0000
"""Start of each space's generic addresses; global memory runs to the top."""

WINDOWS = {
    Space.SHARED: SHARED_WINDOW,
    Space.LOCAL: LOCAL_WINDOW,
    Space.CONST: CONST_WINDOW,
    Space.PARAM: PARAM_WINDOW,
}
"""The windows by space."""

GLOBAL_BASE = FUNCTIONS_END
"""Start of global memory; it runs to the top."""

BUFFER_ALIGN = 256
"""Alignment in bytes of buffers, as CUDA's allocator guarantees."""

GAP_BYTES = 256
"""Bytes between neighbours that belong to neither, at the least."""

CONSTANT_BASE = 0x6_0000_0000_00
"""Start of constant memory in traces, which has addresses of its own."""
PARAMETER_BASE = 0x5_0000_0000_00
"""Start of the parameters in traces."""


def next_buffer(start: int, size_bytes: int, gap_bytes: int = GAP_BYTES) -> int:
    """Start of the buffer after one of so many bytes."""
    return -(-(start + size_bytes + gap_bytes) // BUFFER_ALIGN) * BUFFER_ALIGN


def parameter_offsets(kernel: Kernel) -> tuple[tuple[int, ...], int]:
    """The byte offset of each parameter, each aligned, and the bytes of all."""
    offsets, end = [], 0
    for parameter in kernel.parameters:
        offsets.append(-(-end // parameter.align) * parameter.align)
        end = offsets[-1] + parameter.size_bytes
    return tuple(offsets), end


# Places in a grid or a block, and their numbers: x turns fastest, then y, then z.
#
# It is how threads of a block are numbered (CUDA guide, Thread Hierarchy), and how CTAs go to SMs.

N = TypeVar("N", int, "npt.NDArray[np.int64]")

Sides = tuple[int, int, int]


def ravel_index(place: tuple[N, N, N], sides: Sides) -> N:
    """The number of a place, or those of arrays of them.

    >>> ravel_index((1, 2, 3), (4, 5, 6))
    69
    """
    return place[0] + sides[0] * (place[1] + sides[1] * place[2])


def unravel_index(number: N, sides: Sides) -> tuple[N, N, N]:
    """The place of a number, or of an array of them.

    >>> unravel_index(69, (4, 5, 6))
    (1, 2, 3)
    """
    x, y, _ = sides
    return number % x, number // x % y, number // (x * y)


class Places(tuple[Sides, ...]):
    """Places in the order of their numbers, with the arrays of their ``axes``.

    It is a tuple whose hash is worked out once.
    """

    axes: tuple[npt.NDArray[np.int64], ...]
    _hash: int | None = None

    def __hash__(self) -> int:
        """The hash of the tuple."""
        if self._hash is None:
            self._hash = super().__hash__()
        return self._hash

    def __eq__(self, other: object) -> bool:
        """Whether all places are equal."""
        return self is other or super().__eq__(other)


def places_of(numbers: npt.NDArray[np.int64], sides: Sides) -> Places:
    """The places of an array of numbers that ascend, each as plain numbers."""
    axes = unravel_index(numbers, sides)
    found = Places(zip(*(axis.tolist() for axis in axes), strict=True))
    found.axes = axes
    return found
