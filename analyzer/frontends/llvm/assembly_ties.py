"""Inputs of inline assembly that lie in the register of a result, without a copy where that goes.

``mma`` with its accumulators as ``"=f,0"`` reads them before it writes them: the input may stand
where the text reads the result's register. LLVM's back end does without the copy, too, mostly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from warpmill.analyzer.ir import kernel as ir
from warpmill.analyzer.ir.kernel import Guard, Instruction, Operand, Reg, match_roles, registers_in
from warpmill.analyzer.ir.operation import Operation, Role


class AssemblyStep(NamedTuple):
    """An instruction whose registers are those of the text."""

    operation: Operation
    operands: tuple[Operand, ...]
    guard: Guard | None


def reads_first(instructions: Iterable[Instruction], register: int) -> bool:
    """Whether a text reads a register no more after it wrote it, and writes it for certain."""
    is_written = False
    for instruction in instructions:
        if is_written and register in instruction.reads:
            return False
        pairs = zip(instruction.operands, instruction.roles, strict=True)
        if any(role is Role.READ_WRITE and register in registers_in(o) for o, role in pairs):
            return False
        if register in instruction.writes and not is_written:
            if instruction.guard is not None:
                return False
            is_written = True
    return is_written


def with_inputs(step: AssemblyStep, registers: Sequence[Operand | None]) -> AssemblyStep:
    """A step that reads ``registers`` in place of the text's, and writes what the text does."""
    roles = match_roles(step.operation, step.operands)
    return AssemblyStep(
        step.operation,
        tuple(
            operand if role is Role.DESTINATION else replaced(operand, registers)
            for operand, role in zip(step.operands, roles, strict=True)
        ),
        step.guard and replaced_guard(step.guard, registers),
    )


def replaced(operand: Operand, registers: Sequence[Operand | None]) -> Operand:
    """An operand with others in place of the registers; None stands where none is used."""
    match operand:
        case Reg(index):
            found = registers[index]
            assert found is not None
            return found
        case ir.Address(Reg() as base, offset):
            return ir.Address(_register(base, registers), offset)
        case ir.Vector(items) | ir.TupleAddress(items) | ir.Arguments(items):
            return type(operand)(tuple([replaced(item, registers) for item in items]))
        case ir.Pair(first, second):
            return ir.Pair(replaced(first, registers), replaced(second, registers))
        case ir.NotPredicate(register):
            return ir.NotPredicate(_register(register, registers))
        case ir.Negated(Reg() as register):
            return ir.Negated(_register(register, registers))
    return operand


def replaced_guard(guard: Guard, registers: Sequence[Operand | None]) -> Guard:
    """A guard with another register."""
    return Guard(_register(guard.register, registers), guard.negated)


def _register(register: Reg, registers: Sequence[Operand | None]) -> Reg:
    found = registers[register.index]
    assert isinstance(found, Reg)
    return found
