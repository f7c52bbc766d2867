"""Atomics that compilers make once a warp, not once a lane."""

from __future__ import annotations

from collections.abc import Iterable

from warpmill.analyzer.analyses.access.accesses import AccessPattern, MemoryAccess
from warpmill.analyzer.ir.kernel import Imm, Kernel
from warpmill.analyzer.ir.types import OpClass, Place, Space

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
