"""Collects the instructions and registers of one function while it is lowered."""

from __future__ import annotations

from warpmill.analyzer.base.diagnostics import DebugLocation, Span
from warpmill.analyzer.frontends.llvm.context import ModuleContext
from warpmill.analyzer.frontends.llvm.types import BOOL, PointerType, Scalar
from warpmill.analyzer.ir.kernel import Guard, Imm, Instruction, Operand, Reg, Register, Symbol
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import TYPES, Type


class Builder:
    """Registers by name in the order of their first appearance, and the open block's code.

    ``named`` finds a register; ``out`` takes the instructions; ``span`` and ``debug`` are those of
    the statement at hand.
    """

    def __init__(self, module: ModuleContext, span: Span) -> None:
        self.module = module
        self.registers: list[Register] = []
        self.out: list[Instruction] = []
        self.span = span
        self.debug: DebugLocation | None = None
        self.named: dict[str, Reg] = {}
        self._temporaries = 0

    def register(self, name: str, type_: Type) -> Reg:
        """The register of a name, made where it is new."""
        register = self.named.get(name)
        if register is None:
            register = self.named[name] = Reg(len(self.registers))
            self.registers.append(Register(name, type_))
        return register

    def temporary(self, type_: Type | str) -> Reg:
        """A new register that the text has no name for."""
        while True:
            self._temporaries += 1
            name = f"%.t{self._temporaries}"
            if name not in self.named:
                return self.register(name, TYPES[type_] if isinstance(type_, str) else type_)

    def type_of(self, register: Reg) -> Type:
        """The type of a register."""
        return self.registers[register.index].type

    def emit(
        self,
        opcode: str,
        *operands: Operand,
        guard: Guard | None = None,
        targets: tuple[int, ...] = (),
    ) -> None:
        """Add an instruction to the open block."""
        self.out.append(
            Instruction(decode(opcode), operands, self.span, guard, targets, self.debug)
        )

    def compute(self, opcode: str, type_: Type | str, *sources: Operand) -> Reg:
        """Add an instruction whose result goes to a new register; give that."""
        result = self.temporary(type_)
        self.emit(opcode, result, *sources)
        return result

    def move(self, to: Reg, value: Operand) -> None:
        """Copy a value of the register's type."""
        self.emit(f"mov.{self.type_of(to)}", to, value)

    def resize(self, to: Reg | None, value: Operand, bits: int, from_bits: int, letter: str) -> Reg:
        """Bring an integer to another width, with the sign where ``letter`` is ``s``."""
        to = to or self.temporary(f"b{bits}")
        if isinstance(value, Imm) or bits == from_bits:
            self.emit(f"mov.b{bits}", to, value)
        elif from_bits == 1:
            one = Imm(-1 if letter == "s" else 1)
            self.emit(f"selp.b{bits}", to, one, Imm(0), value)
        else:
            self.emit(f"cvt.{letter}{bits}.{letter}{from_bits}", to, value)
        return to

    def resized(self, value: Operand, scalar: Scalar, bits: int, letter: str = "u") -> Operand:
        """An integer or pointer operand at another width; the operand itself where it fits."""
        width = self.module.width(scalar)
        if isinstance(value, Imm | Symbol) or width == bits:
            return value
        return self.resize(None, value, bits, width, letter)

    def predicate(self, value: Operand) -> Reg:
        """A register for a predicate operand."""
        return value if isinstance(value, Reg) else self.compute("mov.pred", "pred", value)


def is_predicate(scalar: Scalar) -> bool:
    """Whether a scalar is an ``i1``."""
    return scalar is BOOL


def is_pointer(scalar: Scalar) -> bool:
    """Whether a scalar is an address."""
    return isinstance(scalar, PointerType)
