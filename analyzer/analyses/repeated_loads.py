"""Loads that an assembler makes once: of memory that no one writes, at the same address.

What compilers compute in other words, neighbouring outputs of a stencil above all, often loads the
same word again through ``ld.global.nc``. ptxas (11.8, for sm_86) keeps one of such loads: of the
450 of a 15 x 15 convolution with two outputs a thread, two rows apart, 255 are left. Loads that
memory may change for are not its to drop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.analyses.memory import MemoryAccess
from analyzer.analyses.structure import Structure
from analyzer.ir.types import OpClass, Space

Place = tuple[int, int]
"""A block and the index of an instruction in it."""

_UNCHANGING = "nc"
"""The modifier of loads of memory that the kernel does not write."""


@dataclass(frozen=True, slots=True)
class RepeatedLoad:
    """Loads of one address: the first one in order, and the others, which it stands for."""

    first: Place
    others: tuple[Place, ...]


def repeated_loads(
    structure: Structure, accesses: Sequence[MemoryAccess]
) -> tuple[RepeatedLoad, ...]:
    """Find the loads of one block that are of the same bytes, in the order of their first ones."""
    groups: dict[tuple[object, ...], list[Place]] = {}
    for access in accesses:
        if _is_candidate(structure, access):
            key = access.block, access.opcode, access.width_bytes, access.address
            groups.setdefault(key, []).append((access.block, access.instruction))
    found = (sorted(places) for places in groups.values() if len(places) > 1)
    return tuple(sorted((RepeatedLoad(p[0], tuple(p[1:])) for p in found), key=lambda r: r.first))


def _is_candidate(structure: Structure, access: MemoryAccess) -> bool:
    if access.op_class is not OpClass.LOAD or access.space is not Space.GLOBAL:
        return False
    instruction = structure.kernel.blocks[access.block].instructions[access.instruction]
    return _UNCHANGING in instruction.operation.modifiers and instruction.guard is None
