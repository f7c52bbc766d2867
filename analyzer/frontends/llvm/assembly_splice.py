"""Inline assembly in place of its call: instructions with the call's values, or a call of them."""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.analyzer.frontends.llvm.assembly_constraints import Place, results_of
from warpmill.analyzer.frontends.llvm.assembly_operands import Given, Operand, entered, left
from warpmill.analyzer.frontends.llvm.assembly_plan import Plan
from warpmill.analyzer.frontends.llvm.assembly_ties import replaced, replaced_guard
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.ir import kernel as ir
from warpmill.analyzer.ir.kernel import Instruction, Reg
from warpmill.analyzer.ir.types import TYPES


def splice(
    low: Lowering, plan: Plan, places: tuple[Place, ...], operands: Sequence[Operand]
) -> None:
    """Emit the instructions of a straight text with the call's values in them."""
    builder, moved = low.builder, plan.moved
    values: list[ir.Operand | None] = []
    late: list[tuple[Given, str, Reg]] = []
    for number, (given, type_, _) in enumerate(operands):
        if given is None or number in plan.copied:
            values.append(None)
        elif number not in moved:
            values.append(given.parts[0])
        elif places[number].is_result:
            between = builder.temporary(type_)
            late.append((given, type_, between))
            values.append(between)
        else:
            values.append(entered(low, given, type_, builder.temporary(type_)))
    results = results_of(places)
    for number in plan.copied:
        _enter_tied(low, operands[number], values[results[places[number].tie or 0]])
    registers = [
        builder.temporary(register.type) if number is None else values[number]
        for register, number in zip(plan.registers, plan.operands, strict=True)
    ]
    span, debug, out = builder.span, builder.debug, builder.out
    for operation, names, guard in plan.steps:
        given_operands = tuple([replaced(name, registers) for name in names])
        given_guard = guard and replaced_guard(guard, registers)
        out.append(Instruction(operation, given_operands, span, given_guard, (), debug))
    for given, type_, between in late:
        left(low, given, type_, between)


def _enter_tied(low: Lowering, operand: Operand, to: ir.Operand | None) -> None:
    """Put an input into the register of the result that it lies with."""
    given, type_, _ = operand
    assert given is not None
    assert isinstance(to, Reg)
    if low.builder.type_of(to).bits == TYPES[type_].bits:
        entered(low, given, type_, to)
    else:
        low.builder.move(to, given.parts[0])  # both are narrower than the constraint's


def call_function(
    low: Lowering, name: str, places: tuple[Place, ...], operands: Sequence[Operand]
) -> None:
    """Emit a call of the function that a text became, with values as its registers want them."""
    arguments: list[ir.Operand] = []
    results: list[ir.Operand] = []
    late: list[tuple[Given, str, Reg]] = []
    for place, (given, type_, _) in zip(places, operands, strict=True):
        if given is None:
            continue
        if not place.is_result:
            arguments.append(entered(low, given, type_, None))
        elif _is_as_wide(low, given, type_):
            results.append(given.parts[0])
        else:
            between = low.builder.temporary(type_)
            late.append((given, type_, between))
            results.append(between)
    low.emit("call", ir.Arguments(tuple(results)), ir.Symbol(name), ir.Arguments(tuple(arguments)))
    for given, type_, between in late:
        left(low, given, type_, between)


def _is_as_wide(low: Lowering, given: Given, type_: str) -> bool:
    return len(given.parts) == 1 and low.module.width(given.scalars[0]) == TYPES[type_].bits
