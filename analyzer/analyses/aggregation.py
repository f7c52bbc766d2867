"""Atomics that compilers make once a warp, not once a lane."""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.analyses.memory import MemoryAccess, Pattern
from analyzer.ir.types import OpClass

Place = tuple[int, int]
"""A block and the index of an instruction in it."""

_ADDS = frozenset({"add", "inc"})


def aggregated_atomics(accesses: Iterable[MemoryAccess]) -> frozenset[Place]:
    """Give the atomics that a warp makes as one, by (block, instruction).

    Compilers add up what the lanes of a warp add to one address, where the address is the same for
    all of them whatever the data (NVIDIA's nvcc since CUDA 9); PTX still has one a lane.
    """
    return frozenset(
        (a.block, a.instruction)
        for a in accesses
        if a.op_class is OpClass.ATOMIC
        and a.pattern is Pattern.BROADCAST
        and _ADDS & set(a.opcode.split("."))
    )
