"""The verifier's rules about one instruction: its operands, targets and types.

Instructions of one operation whose operands have the same forms and types pass or fail alike, so
each such combination is looked at once. What fails, branches or ends is looked at each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from warpmill.analyzer.base.source import Span
from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Block,
    Element,
    FloatImm,
    Function,
    Guard,
    Imm,
    Instruction,
    Negated,
    NotPredicate,
    Operand,
    Pair,
    Reg,
    Symbol,
    TupleAddress,
    Vector,
    registers_in,
)
from warpmill.analyzer.ir.operand_rules import operand_faults
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import TYPES, OpClass, Type, TypeKind


class Finding(NamedTuple):
    """A broken rule: its number, what is wrong, and where."""

    rule: int
    message: str
    span: Span | None


@dataclass(frozen=True)
class Scope:
    """A function with what its names may mean; ``edges`` are its (from, to)."""

    function: Function
    symbols: frozenset[str]
    edges: frozenset[tuple[int, int]] = field(default=frozenset())

    @property
    def where(self) -> str:
        """The function, in words."""
        return f"in `{self.function.name}`"


Sound = set[tuple[object, ...]]
"""Operations with forms of operands that break no rule; of any function of one module."""

_BROKEN = ""  # the form of an operand that breaks a rule by itself


class InstructionRules:
    """The rules for the instructions of one function."""

    def __init__(self, scope: Scope, sound: Sound) -> None:
        self._scope = scope
        self._sound = sound
        self._forms = _forms(scope)

    def findings(self, block: Block) -> Iterator[Finding]:
        """Give what is wrong with the instructions of a block."""
        forms, sound = self._forms, self._sound
        for instruction in block.instructions:
            key = (
                id(instruction.operation),
                forms[id(instruction.guard)],
                *[forms[id(operand)] for operand in instruction.operands],
            )
            if key in sound and not instruction.targets:
                continue
            found = list(_instruction(instruction, self._scope))
            yield from found
            if _transfers(instruction):
                yield from _not_last(instruction, block, self._scope)
            elif not found and _BROKEN not in key:
                sound.add(key)


def _transfers(instruction: Instruction) -> bool:
    operation = instruction.operation
    is_branch = operation.op_class is OpClass.BRANCH or instruction.is_branch
    return is_branch or "ends" in operation.effects


def _not_last(instruction: Instruction, block: Block, scope: Scope) -> Iterator[Finding]:
    if instruction is not block.instructions[-1]:
        where = f"block `{block.label}` {scope.where}"
        message = f"`{instruction.operation.opcode}` is not the last instruction of {where}"
        yield Finding(5, message, instruction.span)


def _forms(scope: Scope) -> dict[int, str]:
    """Give the form of each operand and guard of a function: what the rules look at, as a text.

    Operands go by identity: front-ends use one object often, and hashing them takes longer.
    """
    instructions = [i for block in scope.function.blocks for i in block.instructions]
    operands: dict[int, Operand | Guard | None] = {id(i.guard): i.guard for i in instructions}
    operands |= {id(operand): operand for i in instructions for operand in i.operands}
    declared = scope.function.registers
    different = {(id(r.type), r.vector): f"{r.type.name}x{r.vector}" for r in declared}
    registers = _RegisterForms(enumerate([different[id(r.type), r.vector] for r in declared]))
    return {
        key: registers[operand.index]
        if type(operand) is Reg  # most are
        else _form(operand, registers, scope)
        for key, operand in operands.items()
    }


class _RegisterForms(dict[int, str]):
    """The forms of registers by their index; one out of range is broken."""

    def __missing__(self, index: int) -> str:
        return _BROKEN


def _form(operand: Operand | Guard | None, registers: _RegisterForms, scope: Scope) -> str:
    match operand:
        case Reg(index):
            return registers[index]
        case Address(base):
            parts: tuple[Operand, ...] = (base,)
        case FloatImm(_, type_):
            return f"float {type_.name}" if TYPES.get(type_.name) == type_ else _BROKEN
        case Symbol(name):
            return "symbol" if name in scope.symbols else _BROKEN
        case Guard(register) | NotPredicate(register) | Element(register):
            parts = (register,)
        case Negated(inner):
            parts = (inner,)
        case Vector(items) | TupleAddress(items) | Arguments(items):
            parts = items
        case Pair(first, second):
            parts = (first, second)
        case _:
            return type(operand).__name__
    forms = [_form(part, registers, scope) for part in parts]
    return _BROKEN if _BROKEN in forms else f"{type(operand).__name__}({' '.join(forms)})"


def _instruction(instruction: Instruction, scope: Scope) -> Iterator[Finding]:
    operation, span = instruction.operation, instruction.span
    if decode(operation.opcode) != operation:
        yield Finding(20, f"`{operation.opcode}` decodes to another operation {scope.where}", span)
    if instruction.guard is not None:
        yield from operand_findings(NotPredicate(instruction.guard.register), span, scope)
    broken: list[Finding] = []
    for operand in instruction.operands:
        broken += operand_findings(operand, span, scope)
    named = instruction.operands[:3] if operation.op_class is OpClass.CALL else instruction.operands
    yield from (*broken, *symbol_findings(named, span, scope), *_targets(instruction, scope))
    if not broken:
        registers = scope.function.registers
        for fault in operand_faults(operation, instruction.operands, registers):
            yield Finding(fault.rule, f"{fault.message} {scope.where}", span)


def operand_findings(operand: Operand, span: Span, scope: Scope) -> Iterator[Finding]:
    """Give the rules about registers and types that an operand breaks by itself."""
    yield from register_findings(registers_in(operand), span, scope)
    for part in _parts(operand):
        match part:
            case NotPredicate(register):
                yield from _predicate(register, span, scope)
            case FloatImm(_, type_):
                yield from type_findings(type_, span, scope.where)


def register_findings(indices: Iterable[int], span: Span, scope: Scope) -> Iterator[Finding]:
    """Give the registers that the function does not have."""
    count = len(scope.function.registers)
    for index in indices:
        if not 0 <= index < count:
            message = f"there is no register {index}, only {count} {scope.where}"
            yield Finding(8, message, span)


def symbol_findings(operands: Iterable[Operand], span: Span, scope: Scope) -> Iterator[Finding]:
    """Give the symbols that stand for nothing."""
    for operand in operands:
        for part in _parts(operand):
            if isinstance(part, Symbol) and part.name not in scope.symbols:
                yield Finding(15, f"there is no `{part.name}` {scope.where}", span)


def type_findings(type_: Type, span: Span | None, where: str) -> Iterator[Finding]:
    """Say that a type is not one of the table's."""
    if TYPES.get(type_.name) != type_:
        yield Finding(20, f"type `{type_.name}` is not in the table, {where}", span)


def _parts(operand: Operand) -> Iterator[Operand]:
    """Give an operand and all that is in it, the base of an address included."""
    stack: list[Operand] = [operand]
    while stack:
        part = stack.pop()
        yield part
        match part:
            case Vector(items) | Arguments(items) | TupleAddress(items):
                stack += reversed(items)
            case Pair(first, second):
                stack += (second, first)
            case Address(base):
                stack.append(base)


def _predicate(register: Reg, span: Span, scope: Scope) -> Iterator[Finding]:
    registers = scope.function.registers
    if not 0 <= register.index < len(registers):
        return  # rule 8 tells
    declared = registers[register.index]
    if declared.type.kind is not TypeKind.PREDICATE or declared.vector != 1:
        yield Finding(9, f"register `{declared.name}` is not a predicate {scope.where}", span)


def _targets(instruction: Instruction, scope: Scope) -> Iterator[Finding]:
    operation, span = instruction.operation, instruction.span
    opcode, count = operation.opcode, len(instruction.targets)
    for target in instruction.targets:
        if not 0 <= target < len(scope.function.blocks):
            message = f"`{opcode}` targets block {target}, which is not there {scope.where}"
            yield Finding(3, message, span)
    if operation.op_class is not OpClass.BRANCH:
        if count:
            yield Finding(7, f"`{opcode}` has targets {scope.where}", span)
        return
    if (operation.name == "bra" and count != 1) or (operation.name == "brx.idx" and count == 0):
        yield Finding(7, f"`{opcode}` has {count} targets {scope.where}", span)
    if operation.name == "switch":
        yield from _cases(instruction, scope)


def _cases(instruction: Instruction, scope: Scope) -> Iterator[Finding]:
    values, span = instruction.operands[1:], instruction.span
    if len(values) != len(instruction.targets):
        message = f"{len(values)} case values for {len(instruction.targets)} targets {scope.where}"
        yield Finding(17, message, span)
    if not all(isinstance(value, Imm) for value in values) or len(set(values)) < len(values):
        yield Finding(17, f"the case values are not distinct integers {scope.where}", span)
