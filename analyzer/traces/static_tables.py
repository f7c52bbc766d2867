"""What the numbers in events of traces without data stand for: accesses and guards of a kernel.

As executing it gives them (``executor.entries``), with one difference: an address whose
opcode says no space has the space of what it is counted from, where that is known.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from warpmill.analyzer.analyses.access.accesses import MemoryAccess, access_width
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.ir.kernel import Instruction, Kernel
from warpmill.analyzer.ir.types import Place, Space
from warpmill.analyzer.traces.event_batch import AccessPoint, EventTables, Triple
from warpmill.analyzer.traces.static.plan import is_access


def static_tables(
    kernel: Kernel,
    grid: Triple,
    warp_size: int,
    warps_per_cta: int,
    accesses: Sequence[MemoryAccess] = (),
) -> EventTables:
    """Give the tables of a kernel's events. ``accesses`` are what analysis says of its accesses.

    Points are all instructions whose addresses a trace without data has, in program order.
    """
    known = {(a.block, a.instruction): a for a in accesses}
    points, guards = [], []
    for block in kernel.blocks:
        for place, instruction in enumerate(block.instructions):
            if is_access(instruction):
                found = known.get((block.id, place))
                kinds = [kind for _, kind in instruction.accesses]
                if len(kinds) > 1:
                    points.append(_source(block.id, place, instruction, found))
                points.append(_point(block.id, place, instruction, kinds[-1], found))
            if instruction.guard is not None and instruction is not block.terminator:
                guards.append((block.id, place))
    return EventTables(grid, warp_size, warps_per_cta, tuple(points), tuple(guards))


def _source(
    block: int, place: int, instruction: Instruction, found: MemoryAccess | None
) -> AccessPoint:
    """Give what a copy loads, of as many bytes as it stores."""
    spaces = instruction.operation.spaces
    width = instruction.width_bytes if found is None else found.width_bytes
    return AccessPoint(block, place, "load", spaces[-1] if spaces else Space.GENERIC, width or None)


def _point(
    block: int, place: int, instruction: Instruction, kind: str, found: MemoryAccess | None
) -> AccessPoint:
    operation = instruction.operation
    space, width = operation.space or Space.GENERIC, instruction.width_bytes
    if found is not None:
        space, width = found.space, found.width_bytes
    return AccessPoint(block, place, kind, space, width or None)


def known_widths(kernel: Kernel, places: Collection[Place]) -> Mapping[Place, int | None]:
    """Bytes of a lane at some accesses, where the kernel tells them for all its launches."""
    own = {(b, i): kernel.blocks[b].instructions[i] for b, i in places}
    told = {place: i.width_bytes for place, i in own.items()}
    unsaid = [p for p, i in own.items() if told[p] is None and i.bytes_operand is not None]
    if unsaid:
        structure = analyse_structure(kernel, follows_memory=False)
        told |= {place: access_width(structure, place, own[place]) for place in unsaid}
    return told


_WIDEST_UNTOLD = 16
"""Bytes that a lane has at most in an access of a shape: a row of a matrix, a texel."""

_POINT_KINDS = ("load", "store", "atomic")


def access_widths(kernel: Kernel) -> Mapping[Place, int | None]:
    """Bytes of a lane at all accesses in traces without data, where the kernel tells them."""
    return known_widths(
        kernel,
        {
            (block.id, place)
            for block in kernel.blocks
            for place, instruction in enumerate(block.instructions)
            if is_access(instruction)
        },
    )


def fits_kernel(tables: EventTables, kernel: Kernel) -> bool:
    """Whether tables from outside name instructions of a kernel, and what these may access."""
    lengths = [len(b.instructions) for b in kernel.blocks]
    places = (*((p.block, p.instruction) for p in tables.points), *tables.guards)
    if not all(0 <= b < len(lengths) and 0 <= i < lengths[b] for b, i in places):
        return False
    widths = known_widths(kernel, {(p.block, p.instruction) for p in tables.points})
    return all(
        p.kind in _POINT_KINDS and is_width(p.width_bytes, widths[p.block, p.instruction])
        for p in tables.points
    )


def is_width(found: int | None, told: int | None) -> bool:
    """Whether an access may have so many bytes a lane, where the kernel tells so many."""
    return found is None or found == told or (told is None and 0 < found <= _WIDEST_UNTOLD)
