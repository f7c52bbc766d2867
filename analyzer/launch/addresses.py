"""The addresses that launches have: the same for traces without data and for executed ones.

Addresses are numbers of our own, the same in every run. Buffers in global memory lie one after
another, with a gap between them that belongs to none, so that an access past an end is seen.
"""

from __future__ import annotations

from warpmill.analyzer.ir.indirect_calls import FUNCTIONS_END
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.types import Space

WINDOW_BYTES = 0x0100_0000
"""Bytes of each window of generic addresses."""

SHARED_WINDOW = 0x0100_0000
LOCAL_WINDOW = 0x0200_0000
CONST_WINDOW = 0x0300_0000
PARAM_WINDOW = 0x0400_0000
"""Where generic addresses of each space begin; global memory runs to the top."""

WINDOWS = {
    Space.SHARED: SHARED_WINDOW,
    Space.LOCAL: LOCAL_WINDOW,
    Space.CONST: CONST_WINDOW,
    Space.PARAM: PARAM_WINDOW,
}
"""The windows by space."""

GLOBAL_BASE = FUNCTIONS_END
"""Where global memory begins; it runs to the top."""

BUFFER_ALIGN = 256
"""Alignment in bytes of buffers, as CUDA's allocator guarantees."""

GAP_BYTES = 256
"""Bytes between neighbours that belong to neither, at the least."""

CONSTANT_BASE = 0x6_0000_0000_00
"""Where traces place constant memory, which has addresses of its own."""
PARAMETER_BASE = 0x5_0000_0000_00
"""Where traces place the parameters."""


def next_buffer(start: int, size_bytes: int) -> int:
    """Give where the buffer after one of so many bytes begins."""
    return -(-(start + size_bytes + GAP_BYTES) // BUFFER_ALIGN) * BUFFER_ALIGN


def parameter_offsets(kernel: Kernel) -> tuple[tuple[int, ...], int]:
    """Give the byte offset of each parameter, each aligned, and the bytes of all."""
    offsets, end = [], 0
    for parameter in kernel.parameters:
        offsets.append(-(-end // parameter.align) * parameter.align)
        end = offsets[-1] + parameter.size_bytes
    return tuple(offsets), end
