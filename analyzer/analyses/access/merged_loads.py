"""Loads of shared memory that an assembler makes one: neighbouring words, together aligned.

PTX reads a row of a tile word by word where loops are unrolled. ptxas places the tile itself, so
that it knows how the row is aligned, and reads two or four words at once (LDS.64, LDS.128): seen
with releases 11.8 to 13 for chips from 5.2 on. It does not do so with global memory, whose pointers
may be aligned to a word only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.analyses.access.alignment import alignments
from warpmill.analyzer.analyses.access.load_epochs import epochs
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.ir.kernel import Instruction, Module
from warpmill.analyzer.ir.types import OpClass, Place, Space

MERGES = 52
"""The compute capability, 5.2, from which on assemblers were seen to do so."""

PLACED_BYTES = 16
"""What an assembler aligns variables in shared memory to, where it wants to."""

WIDEST_BYTES = 16
"""What a lane loads at once at most."""

_WORDS = (4, 8)
"""Widths in bytes of what is merged."""


@dataclass(frozen=True, slots=True)
class MergedLoad:
    """Loads that become one of ``width_bytes`` a lane: the first one in order, and the others."""

    first: Place
    others: tuple[Place, ...]
    width_bytes: int


def merged_loads(
    module: Module, structure: Structure, accesses: Sequence[MemoryAccess]
) -> tuple[MergedLoad, ...]:
    """Find the loads of shared memory that become one, in the order of their first ones.

    They stand in one block with no store, atomic, barrier or call between them, and their
    addresses differ by constants.
    """
    candidates = [a for a in accesses if _is_candidate(structure, a)]
    if not candidates:
        return ()
    known = alignments(module, structure, candidates, PLACED_BYTES)
    groups: dict[tuple[object, ...], list[tuple[MemoryAccess, int]]] = {}
    numbered = epochs(structure, _may_be_shared)
    for access, alignment in zip(candidates, known, strict=True):
        terms = tuple(term for term in access.address.terms if term[0])
        key = access.block, numbered[access.block][access.instruction], access.width_bytes, terms
        groups.setdefault(key, []).append((access, alignment.proved_bytes))
    found = [merged for group in groups.values() for merged in _merged(group)]
    return tuple(sorted(found, key=lambda m: m.first))


def _is_candidate(structure: Structure, access: MemoryAccess) -> bool:
    if access.op_class is not OpClass.LOAD or access.space is not Space.SHARED:
        return False
    instruction = structure.kernel.blocks[access.block].instructions[access.instruction]
    if "volatile" in instruction.operation.modifiers or instruction.guard is not None:
        return False
    return access.width_bytes in _WORDS and len(instruction.destinations) == 1


def _may_be_shared(store: Instruction) -> bool:
    """Whether a store may be to shared memory."""
    return store.operation.space in (Space.SHARED, Space.GENERIC, None)


def _merged(group: Sequence[tuple[MemoryAccess, int]]) -> Iterator[MergedLoad]:
    """Merge the loads of one base, the widest first: each begins where that width is aligned."""
    by_offset: dict[int, tuple[MemoryAccess, int]] = {}
    for access, aligned in group:
        by_offset.setdefault(_offset(access), (access, aligned))
    word = group[0][0].width_bytes or 0
    for width in (WIDEST_BYTES, WIDEST_BYTES // 2):
        if width <= word:
            continue
        for begin in sorted(by_offset):
            parts = range(begin, begin + width, word)
            if begin not in by_offset or not all(part in by_offset for part in parts):
                continue
            if by_offset[begin][1] < width:
                continue
            members = [by_offset.pop(part)[0] for part in parts]
            places = sorted((m.block, m.instruction) for m in members)
            yield MergedLoad(places[0], tuple(places[1:]), width)


def _offset(access: MemoryAccess) -> int:
    return sum(value for monomial, value in access.address.terms if not monomial)
