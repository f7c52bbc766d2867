"""Where loads may move to in a block, and where something keeps them apart."""

from __future__ import annotations

from collections.abc import Callable

from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.types import OpClass

_KEEP_APART = frozenset(
    {OpClass.ATOMIC, OpClass.ASYNC_COPY, OpClass.BARRIER, OpClass.FENCE, OpClass.CALL,
     OpClass.MATRIX_MOVE}
)  # fmt: skip

Stores = Callable[[Instruction], bool]
"""Tells whether a store is one that loads do not move past."""


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
