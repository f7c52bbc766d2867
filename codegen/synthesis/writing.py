"""Instructions and registers of a kernel that is being written."""

from __future__ import annotations

from warpmill.analyzer.base.diagnostics import Span
from warpmill.analyzer.ir.kernel import Guard, Imm, Instruction, Operand, Reg, Register
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import TYPES

NOWHERE = Span(0, 0, 0)
"""The place of instructions that stand in no input."""


class KernelRegisters:
    """The registers of a kernel; new ones get names by their type."""

    def __init__(self, first: tuple[Register, ...] = ()) -> None:
        self.declared: list[Register] = []
        self._counts: dict[str, int] = {}
        for register in first:
            self.new(register.type.name, register.vector)

    def new(self, type_name: str, vector: int = 1) -> Reg:
        """Declare a register of a type."""
        stem = _stem(type_name) + ("v" if vector > 1 else "")
        number = self._counts.get(stem, 0)
        self._counts[stem] = number + 1
        self.declared.append(Register(f"%{stem}{number}", TYPES[type_name], vector))
        return Reg(len(self.declared) - 1)


def _stem(type_name: str) -> str:
    """The beginning of the names of registers of a type, after nvcc's habit."""
    type_ = TYPES[type_name]
    if type_name == "pred":
        return "p"
    if type_.is_float:
        return {16: "h", 32: "f", 64: "fd"}.get(type_.bits, f"w{type_.bits}")
    return {8: "rb", 16: "rs", 32: "r", 64: "rd"}.get(type_.bits, f"q{type_.bits}")


def write(
    opcode: str, *operands: Operand, guard: Guard | None = None, targets: tuple[int, ...] = ()
) -> Instruction:
    """An instruction by its opcode."""
    return Instruction(decode(opcode), operands, NOWHERE, guard, targets)


def imm(value: int, bits: int = 32) -> Imm:
    """A number as an operand, within so many bits, without a sign."""
    return Imm(value & ((1 << bits) - 1))
