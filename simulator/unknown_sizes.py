"""Accesses of which nobody knows how many bytes they move: what engines say of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.ir.kernel import Kernel


def told_unknown_sizes(
    kernel: Kernel, accesses: Iterable[MemoryAccess], is_executed: Callable[[int, int], bool]
) -> tuple[str, ...]:
    """Say of each access of unknown size that is executed how it was counted.

    ``is_executed`` tells it by block and instruction.
    """
    return tuple(
        f"line {kernel.blocks[a.block].instructions[a.instruction].span.line}: data decide how "
        f"many bytes {a.opcode} moves; 1 is counted"
        for a in accesses
        if a.width_bytes is None and is_executed(a.block, a.instruction)
    )
