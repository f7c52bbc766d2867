"""Moves of matrices between an SM's memory and the registers of a warp: ldmatrix, wmma.load.

Traces without data do not tell where the matrices lie, and executed ones tell it piece by piece.
Neither is asked, so that both give the same: the load-store unit serves a move for as long as its
bytes take, as if they were on the SM and in banks of their own.
"""

from __future__ import annotations

from warpmill.analyzer.ir.kernel import Instruction, Vector
from warpmill.analyzer.ir.types import OpClass
from warpmill.simulator.estimate.costs import mma_shape

_REGISTER_BYTES = 4


def is_matrix_move(instruction: Instruction) -> bool:
    """Whether an instruction moves matrices, or parts of them, from or to memory."""
    return instruction.operation.op_class is OpClass.MATRIX_MOVE


def moved_bytes(instruction: Instruction, lanes: int) -> int:
    """Give the bytes that a warp moves: those of wmma's matrix, else of its lanes' registers.

    Where lanes hold the same elements of a wmma.load, these are read once.
    """
    operation = instruction.operation
    shape = mma_shape(operation.opcode)
    if shape is None or not operation.types:
        stored = [len(o.elements) for o in instruction.operands if isinstance(o, Vector)]
        return lanes * _REGISTER_BYTES * max(1, len(instruction.writes), *stored)
    m, n, k = shape
    which = next((word for word in operation.modifiers if len(word) == 1), "")
    elements = {"a": m * k, "b": k * n}.get(which, m * n)
    return -(-elements * operation.types[0].bits // 8)
