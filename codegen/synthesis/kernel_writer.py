"""What the parts that write a clone's kernel share."""

from __future__ import annotations

from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.operation import Operation
from warpmill.codegen.model import CloneBlock, CloneModel
from warpmill.codegen.synthesis.prologue import Prologue
from warpmill.codegen.synthesis.writing import KernelRegisters


class KernelWriter:
    """A kernel that is being written: its registers, what is worked out once, what is added.

    ``added`` has what it executes beyond its chains, by block.
    """

    def __init__(self, model: CloneModel) -> None:
        self.model = model
        self.registers = KernelRegisters(model.registers)
        self.pointer = f"{model.name}_param_0"
        self.prologue = Prologue(model, self.registers, self.pointer)
        self.added: list[tuple[int, Operation]] = []

    def extra(self, block: CloneBlock, body: list[Instruction], made: Instruction) -> None:
        """Write an instruction that is in no chain."""
        body.append(made)
        self.added.append((block.id, made.operation))
