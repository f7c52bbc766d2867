"""Instructions on texels, whose addresses only executed traces have: textures and surfaces.

Where a texel lies follows from what a handle names on a device, which traces without data do not
know; they have no accesses for these instructions.
"""

from __future__ import annotations

from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.traces.event_batch import AccessPoint

TEXEL_SPACES = frozenset({Space.TEXTURE, Space.SURFACE})

_KINDS = {"tex": "load", "tld4": "load", "suld": "load", "sust": "store", "sured": "atomic"}
"""What is done to texels, by the opcode table's names; queries touch none."""


def is_texel_access(operation: Operation) -> bool:
    """Whether an operation touches texels."""
    return operation.name in _KINDS


def texel_points(kernel: Kernel) -> tuple[AccessPoint, ...]:
    """Give where a kernel touches texels, in program order; the execution alone tells widths."""
    return tuple(
        AccessPoint(block.id, place, _KINDS[own.name], own.space or Space.TEXTURE, None)
        for block in kernel.blocks
        for place, own in enumerate(i.operation for i in block.instructions)
        if is_texel_access(own)
    )
