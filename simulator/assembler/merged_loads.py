"""Accesses that assemblers merge: loads into wider ones, atomics into one a warp."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from warpmill.analyzer.analyses.access.accesses import AccessPattern, MemoryAccess
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.ir.kernel import Imm, Instruction, Kernel, Module
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import OpClass, Place, Space

MERGES = 52
"""The compute capability, 5.2, from which on assemblers were seen to do so."""

PLACED_BYTES = 16
"""Alignment of variables in shared memory that an assembler may choose."""

WIDEST_BYTES = 16
"""Widest load of a lane."""

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
    from warpmill.analyzer.analyses.access.coalescing import (  # noqa: PLC0415 - seldom needed
        alignments,
    )

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


# Where loads may move to in a block, and where something keeps them apart.

_KEEP_APART = frozenset(
    {OpClass.ATOMIC, OpClass.ASYNC_COPY, OpClass.BARRIER, OpClass.FENCE, OpClass.CALL,
     OpClass.MATRIX_MOVE}
)  # fmt: skip

Stores = Callable[[Instruction], bool]
"""Predicate of stores that loads do not move past."""


def epochs(structure: Structure, stores: Stores) -> list[list[int]]:
    """Number the instructions of each block by how many before them keep loads from moving.

    Those are some stores, and all atomics, barriers, fences, calls and copies.
    """
    found = []
    for block in structure.kernel.blocks:
        epoch, own = 0, []
        for instruction in block.instructions:
            own.append(epoch)
            epoch += _keeps_apart(instruction, stores)
        found.append(own)
    return found


def _keeps_apart(instruction: Instruction, stores: Stores) -> bool:
    class_ = instruction.operation.op_class
    return stores(instruction) if class_ is OpClass.STORE else class_ in _KEEP_APART


# Loads that an assembler makes once: at the same address, with nothing between that may write.
#
# What compilers compute in other words, neighbouring outputs of a stencil above all, often loads
# the same word again. ptxas (11.8, for sm_86) keeps one of such loads: of the 450 loads through
# ``ld.global.nc`` of a 15 x 15 convolution with two outputs a thread, two rows apart, 255 are
# left. Other loads of global memory are one while no store, barrier, fence or atomic stands
# between; a store to shared memory is enough to keep them apart (ptxas 11.8; 13.0, for sm_90, lets
# it pass).

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
    candidates = [access for access in accesses if _may_repeat(structure, access)]
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
    """The kernel as an assembler sees it: loads that others stand for are copies of these."""
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


def _may_repeat(structure: Structure, access: MemoryAccess) -> bool:
    if access.op_class is not OpClass.LOAD or access.space is not Space.GLOBAL:
        return False
    instruction = structure.kernel.blocks[access.block].instructions[access.instruction]
    return instruction.guard is None and _is_plain(instruction)


def _is_plain(instruction: Instruction) -> bool:
    """Whether nothing hangs on a load's being made, but for what it gives."""
    return not _ORDERED.intersection(instruction.operation.modifiers)


_ADDS = frozenset({"add", "inc"})
_ROWS = frozenset({"tid.y", "tid.z"})
"""Ids that differ between lanes where a warp holds several rows of a block."""


def aggregated_atomics(accesses: Iterable[MemoryAccess]) -> frozenset[Place]:
    """The atomics that a warp makes as one, by (block, instruction).

    Compilers add up what the lanes of a warp add to one address, where the address is the same for
    all of them whatever the data and the block's shape (NVIDIA's nvcc since CUDA 9); PTX still has
    one a lane.
    """
    return frozenset(
        (a.block, a.instruction)
        for a in accesses
        if a.op_class is OpClass.ATOMIC
        and a.pattern is AccessPattern.BROADCAST
        and _ROWS.isdisjoint(atom.name for atom in a.address.atoms)
        and _ADDS & set(a.opcode.split("."))
    )


COUNTS = 80
"""The compute capability, 8.0, from which on an instruction counts the lanes at each word."""


def counted_atomics(kernel: Kernel, accesses: Iterable[MemoryAccess]) -> frozenset[Place]:
    """The atomics that count lanes, by (block, instruction): one addition a word, not a lane.

    They add 1 to 32 bits of shared memory, and nothing reads what was there: seen as
    ATOMS.POPC.INC of ptxas 12.9 for chips from 8.0 on, where 7.5 still has ATOMS.ADD.
    """
    read = {r for block in kernel.blocks for one in block.instructions for r in one.reads}
    found = set()
    for a in accesses:
        if a.op_class is not OpClass.ATOMIC or a.space is not Space.SHARED or a.width_bytes != 4:
            continue
        instruction = kernel.blocks[a.block].instructions[a.instruction]
        words = a.opcode.split(".")
        adds = "add" in words and bool({"u32", "s32"} & set(words))
        ones = any(isinstance(o, Imm) and o.value == 1 for o in instruction.operands)
        if adds and ones and not read & set(instruction.writes):
            found.add((a.block, a.instruction))
    return frozenset(found)
