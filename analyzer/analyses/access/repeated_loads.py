"""Loads that an assembler makes once: at the same address, with nothing between that may write.

What compilers compute in other words, neighbouring outputs of a stencil above all, often loads the
same word again. ptxas (11.8, for sm_86) keeps one of such loads: of the 450 loads through
``ld.global.nc`` of a 15 x 15 convolution with two outputs a thread, two rows apart, 255 are left.
Other loads of global memory are one while no store, barrier, fence or atomic stands between; a
store to shared memory is enough to keep them apart (ptxas 11.8; 13.0, for sm_90, lets it pass).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.analyses.access.load_epochs import epochs
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.ir.kernel import Instruction, Kernel
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import OpClass, Place, Space

_UNCHANGING = "nc"
"""The modifier of loads of memory that the kernel does not write."""

_ORDERED = frozenset({"volatile", "relaxed", "acquire", "mmio", "cv"})
"""Modifiers of loads that are made as they stand: others may write meanwhile."""


@dataclass(frozen=True, slots=True)
class RepeatedLoad:
    """Loads of one address: the first one in order, and the others, which it stands for."""

    first: Place
    others: tuple[Place, ...]


def repeated_loads(
    structure: Structure, accesses: Sequence[MemoryAccess]
) -> tuple[RepeatedLoad, ...]:
    """Find the loads of one block that are of the same bytes, in the order of their first ones."""
    candidates = [access for access in accesses if _is_candidate(structure, access)]
    if not candidates:
        return ()
    numbered = epochs(structure, lambda _: True)
    groups: dict[tuple[object, ...], list[Place]] = {}
    for access in candidates:
        place = access.block, access.instruction
        epoch = numbered[place[0]][place[1]] if _may_change(structure, place) else None
        key = access.block, epoch, access.opcode, access.width_bytes, access.address
        groups.setdefault(key, []).append(place)
    found = (sorted(places) for places in groups.values() if len(places) > 1)
    return tuple(sorted((RepeatedLoad(p[0], tuple(p[1:])) for p in found), key=lambda r: r.first))


def with_copies(kernel: Kernel, repeated: Iterable[RepeatedLoad]) -> Kernel:
    """Give the kernel as an assembler sees it: loads that others stand for are copies of these."""
    first = {other: load.first for load in repeated for other in load.others}
    if not first:
        return kernel
    blocks = []
    for block in kernel.blocks:
        own = list(block.instructions)
        for (at, place), (_, maker) in first.items():
            if at == block.id:
                own[place] = _copy(kernel, own[place], own[maker])
        blocks.append(replace(block, instructions=tuple(own)))
    return replace(kernel, blocks=tuple(blocks))


def _copy(kernel: Kernel, load: Instruction, first: Instruction) -> Instruction:
    """Make the copy of what a load gave into the registers of another one."""
    to, source = load.destinations[0], first.destinations[0]
    bits = max((kernel.registers[r].type.bits for r in load.writes), default=32)
    return replace(load, operation=decode(f"mov.b{max(16, bits)}"), operands=(to, source))


def _may_change(structure: Structure, place: Place) -> bool:
    """Whether the kernel may write what a load reads."""
    instruction = structure.kernel.blocks[place[0]].instructions[place[1]]
    return _UNCHANGING not in instruction.operation.modifiers


def _is_candidate(structure: Structure, access: MemoryAccess) -> bool:
    if access.op_class is not OpClass.LOAD or access.space is not Space.GLOBAL:
        return False
    instruction = structure.kernel.blocks[access.block].instructions[access.instruction]
    return instruction.guard is None and _is_plain(instruction)


def _is_plain(instruction: Instruction) -> bool:
    """Whether nothing hangs on a load's being made, but for what it gives."""
    return not _ORDERED.intersection(instruction.operation.modifiers)
