"""What the instructions of a block wait for: which of their sources comes last, and from where."""

from __future__ import annotations

from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.types import OpClass

SIMPLE = frozenset({
    OpClass.ADD, OpClass.LOGIC, OpClass.SHIFT, OpClass.MOVE, OpClass.MINMAX, OpClass.SELECT,
    OpClass.COMPARE,
})  # fmt: skip
"""What any unit for integers or floats does at once; all of it takes about as long."""
PRODUCTS = frozenset({OpClass.MUL, OpClass.FMA})
"""Products, with a sum or without: on integers a warp waits longer for them."""
ARITHMETIC = SIMPLE | PRODUCTS | {OpClass.CONVERT}
"""What makes registers of registers, and may read other ones in a clone."""
MEMORY = frozenset({OpClass.LOAD, OpClass.ATOMIC, OpClass.TEXTURE, OpClass.SURFACE})
"""What brings results from memory, which takes its own time."""

_SIMPLE_SLOTS, _PRODUCT_SLOTS = 6, 16
_SLOTS = {
    OpClass.CONVERT: 12, OpClass.DIV: 60, OpClass.SPECIAL: 24, **dict.fromkeys(MEMORY, 100),
    OpClass.SHUFFLE: 24, OpClass.VOTE: 12, OpClass.MMA: 30,
}  # fmt: skip
"""Instructions that a warp may issue, about, before a result of a class is there. Only their order
counts: it tells which of several sources is waited for."""


def binding_producers(instructions: tuple[Instruction, ...]) -> tuple[int | None, ...]:
    """Give for each instruction the place in its block of the producer that it waits for.

    None where nothing that it reads is made in the block before it.
    """
    last: dict[int, int] = {}
    found: list[int | None] = []
    for place, instruction in enumerate(instructions):
        before = [last[r] for r in instruction.reads if r in last]
        found.append(
            max(before, key=lambda p: (p + latency_slots(instructions[p]), p), default=None)
        )
        last.update(dict.fromkeys(instruction.writes, place))
    return tuple(found)


def latency_slots(instruction: Instruction) -> int:
    """Give how many instructions a warp may issue, about, before the results are there."""
    operation = instruction.operation
    if (
        operation.op_class in PRODUCTS
        and operation.type is not None
        and not operation.type.is_float
    ):
        return _PRODUCT_SLOTS
    return _SLOTS.get(operation.op_class, _SIMPLE_SLOTS)
