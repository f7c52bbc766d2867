"""Which registers of a kernel take room in the register file, and what stands for the others.

A compiler's text names more registers than machine code has: constants are operands of the
instructions that use them, kernel parameters lie in the constant bank, what is the same for all
threads of a CTA is computed in the uniform register file (compute capability 7.5; AMD's scalar
registers), copies are merged, and an address plus a constant is part of the access.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from warpmill.analyzer.analyses.cfg.graph import Cfg
from warpmill.analyzer.ir.kernel import (
    Address,
    FloatImm,
    Imm,
    Instruction,
    Kernel,
    Operand,
    Reg,
    Special,
    Symbol,
    registers_in,
)
from warpmill.analyzer.ir.types import OpClass, Space, TypeKind

REGISTER_BITS = 32
ADDRESS_BITS = 64

UNIFORM_SPECIALS = frozenset(
    f"{name}.{axis}" for name in ("ctaid", "nctaid", "ntid") for axis in "xyz"
)
"""Special registers that are the same for all threads of a CTA."""

UNIFORM_CLASSES = frozenset(
    {
        OpClass.ADD, OpClass.MUL, OpClass.FMA, OpClass.MINMAX, OpClass.LOGIC, OpClass.SHIFT,
        OpClass.COMPARE, OpClass.SELECT, OpClass.MOVE, OpClass.CONVERT, OpClass.BIT,
        OpClass.ADDRESS,
    }
)  # fmt: skip
"""What the uniform datapath computes, on integers."""


class InstructionRegisters(NamedTuple):
    """An instruction that machine code has too: the registers it reads and writes, each once.

    A guarded one reads what it writes, as lanes that are off keep the old value.
    """

    instruction: Instruction
    reads: tuple[int, ...]
    writes: tuple[int, ...]


@dataclass(frozen=True)
class MachineView:
    """A kernel with the registers that take room only.

    ``weights`` are the 32-bit registers of each virtual one, 0 for predicates, which have their own
    file. ``plain`` has each block's instructions with the registers of the text, ``lines`` those
    that take room; ``copies`` for each edge (from, to) the registers that are written on it and
    those that are read.
    """

    weights: tuple[int, ...]
    plain: tuple[tuple[InstructionRegisters, ...], ...]
    lines: tuple[tuple[InstructionRegisters, ...], ...]
    copies: dict[tuple[int, int], tuple[tuple[int, ...], tuple[int, ...]]]


def machine_view(kernel: Kernel, cfg: Cfg) -> MachineView:
    """Leave out of a kernel what takes no register. Goes over the instructions a few times."""
    plain = tuple(tuple(plain_line(i) for i in b.instructions) for b in kernel.blocks)
    names = _Names(kernel, cfg, plain)
    copies = {
        (edge.predecessor, block.id): (
            tuple(register.index for register, _ in edge.copies),
            names.resolved(r for _, operand in edge.copies for r in registers_in(operand)),
        )
        for block in kernel.blocks
        for edge in block.incoming
    }
    weights = tuple(
        0 if r.type.kind is TypeKind.PREDICATE else r.vector * -(-r.type.bits // REGISTER_BITS)
        for r in kernel.registers
    )
    return MachineView(weights, plain, tuple(names.kept(lines) for lines in plain), copies)


def plain_line(instruction: Instruction) -> InstructionRegisters:
    """Give an instruction with the registers of the text."""
    reads, writes = instruction.reads, instruction.writes
    if instruction.guard is not None:
        reads = (*reads, *writes)
    return InstructionRegisters(
        instruction, tuple(dict.fromkeys(reads)), tuple(dict.fromkeys(writes))
    )


class _Names:
    """What stands for each register: another one, or nothing.

    Only registers that one unguarded instruction writes are looked at. Blocks go in reverse
    postorder, so that what an instruction reads is mostly decided before it.
    """

    def __init__(
        self, kernel: Kernel, cfg: Cfg, plain: tuple[tuple[InstructionRegisters, ...], ...]
    ) -> None:
        self._written = Counter(r for lines in plain for line in lines for r in line.writes)
        self._written.update(
            register.index for b in kernel.blocks for e in b.incoming for register, _ in e.copies
        )
        self._kernel = kernel
        self._in_addresses = _only_in_addresses(kernel, cfg, plain)
        self._free = {p.register.index for p in kernel.parameters if p.register is not None}
        self._written.update(self._free)
        self._behind: dict[int, int] = {}
        self._bits = [r.type.bits for r in kernel.registers]
        for block in cfg.reverse_postorder:
            for line in plain[block]:
                if len(line.writes) == 1 and self._written[line.writes[0]] == 1:
                    self._decide(line.instruction, line.writes[0])

    def kept(self, lines: Iterable[InstructionRegisters]) -> tuple[InstructionRegisters, ...]:
        """Give the instructions that machine code has too, with the registers that count."""
        return tuple(
            InstructionRegisters(line.instruction, self.resolved(line.reads), line.writes)
            for line in lines
            if not line.writes or not all(self._is_replaced(r) for r in line.writes)
        )

    def _is_replaced(self, register: int) -> bool:
        return register in self._free or register in self._behind

    def resolved(self, registers: Iterable[int]) -> tuple[int, ...]:
        """Give the registers that stand for others, each once, without those that take no room."""
        behind = dict.fromkeys(self._behind.get(r, r) for r in registers)
        return tuple(r for r in behind if r not in self._free)

    def _decide(self, instruction: Instruction, result: int) -> None:
        operands = instruction.operands
        if instruction.guard is not None or len(operands) < 2:
            return
        to = operands[0]
        if not isinstance(to, Reg) or to.index != result:
            return
        base = self._renamed(instruction)
        if self._is_operand(instruction) or self._is_uniform(instruction):
            self._free.add(result)
        elif base is not None and self._written[base] <= 1:
            base = self._behind.get(base, base)
            if base in self._free:
                self._free.add(result)
            else:
                self._behind[result] = base

    def _renamed(self, instruction: Instruction) -> int | None:
        """Give the register that an instruction only renames, or adds a constant to in accesses."""
        match instruction.operation.name, instruction.operands:
            case "mov" | "cvta", (Reg(result), Reg(base)) if self._same_size(result, base):
                return base
            case "lea", (Reg(), Reg(base), Imm(), Imm(), Imm()):
                return base
            case "add", (Reg(result), Reg(base), Imm()) if result in self._in_addresses:
                return base
            case _:
                return None

    def _same_size(self, one: int, other: int) -> bool:
        return self._bits[one] == self._bits[other]

    def _is_uniform(self, instruction: Instruction) -> bool:
        operation = instruction.operation
        if operation.op_class not in UNIFORM_CLASSES or operation.effects:
            return False
        sources = instruction.operands[1:]
        if instruction.operation.name in ("mov", "cvta") and not isinstance(sources[0], Special):
            return all(self._is_free(o) for o in sources)  # a constant of any type
        is_integer = not any(t.is_float for t in operation.types)
        return is_integer and all(self._is_free(o) for o in sources)

    def _is_free(self, operand: Operand) -> bool:
        match operand:
            case Reg(register):
                return self._behind.get(register, register) in self._free
            case Special(name):
                return name in UNIFORM_SPECIALS
            case _:
                return isinstance(operand, Imm | FloatImm | Symbol)

    def _is_operand(self, instruction: Instruction) -> bool:
        """Tell whether it loads a parameter or a constant by its name: an operand in their bank."""
        address, is_const = instruction.operands[1], instruction.operation.space is Space.CONST
        return (
            instruction.operation.name == "ld"
            and (is_const or self._kernel.reads_parameter(instruction))
            and isinstance(address, Address)
            and isinstance(address.base, Symbol)
        )


def _only_in_addresses(
    kernel: Kernel, cfg: Cfg, plain: tuple[tuple[InstructionRegisters, ...], ...]
) -> frozenset[int]:
    """Give the 64-bit registers that are read as the base of a memory address and nowhere else.

    Adding a constant to them for another such register is no use elsewhere. Blocks go backwards, so
    that what a register is for is known before the one that it is made of.
    """
    elsewhere = {n for n, r in enumerate(kernel.registers) if r.type.bits != ADDRESS_BITS}
    for block in kernel.blocks:
        for edge in block.incoming:
            elsewhere.update(r for _, operand in edge.copies for r in registers_in(operand))
    for number in reversed(cfg.reverse_postorder):
        for line in reversed(plain[number]):
            elsewhere.update(_read_elsewhere(line, elsewhere))
    return frozenset(range(len(kernel.registers))) - elsewhere


def _read_elsewhere(line: InstructionRegisters, elsewhere: set[int]) -> Iterable[int]:
    """Give the registers that an instruction reads for something else than an address."""
    instruction = line.instruction
    match instruction.operation.name, instruction.operands:
        case "add", (Reg(result), Reg(), Imm()) if result not in elsewhere:
            return ()
    if any(isinstance(operand, Address) for operand in instruction.operands):
        values = (o for o in instruction.sources if not isinstance(o, Address))
        return (r for operand in values for r in registers_in(operand))
    return line.reads
