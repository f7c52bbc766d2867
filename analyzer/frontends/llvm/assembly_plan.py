"""Plans of inline assembly: its constraints, and the instructions that replace the call.

An operand stands in the instructions as it is where their rules allow its type, else a register of
the type that its constraint asks for does, and the value is moved.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from warpmill.analyzer.frontends.llvm.context import string_bytes
from warpmill.analyzer.frontends.ptx.module import OPERAND, read_assembly
from warpmill.analyzer.ir import kernel as ir
from warpmill.analyzer.ir.kernel import (
    Function,
    Guard,
    Instruction,
    Operand,
    Reg,
    Register,
    match_roles,
    match_types,
    registers_in,
)
from warpmill.analyzer.ir.operand_rules import operand_faults
from warpmill.analyzer.ir.operation import Knowledge, Operation, Role
from warpmill.analyzer.ir.types import TYPES, OpClass, Type, TypeKind

# Inputs of inline assembly that lie in the register of a result, without a copy where that goes.
#
# ``mma`` with its accumulators as ``"=f,0"`` reads them before it writes them: the input may stand
# where the text reads the result's register. LLVM's back end does without the copy, too, mostly.


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


_TAKES_CONSTANTS = frozenset(c for c in OpClass if c.is_arithmetic or c is OpClass.STORE) - {
    OpClass.CONVERT,
    OpClass.VIDEO,
    OpClass.ADDRESS,
}
_FLOATS = frozenset("fd")  # halves have no letter of their own
_CONSTANT_FLOATS = frozenset({"f32", "f64"})


class AssemblyKey(NamedTuple):
    """All that decides about a plan.

    ``text`` and ``constraints`` are as LLVM writes them, ``written`` is what stands in the text for
    some operands, ``types`` are those of the registers that constraints ask for; ``forms`` tell
    what the values are, None for those that have to be moved.
    """

    text: str
    constraints: str
    written: tuple[tuple[int, str], ...]
    types: tuple[str, ...]
    forms: tuple[str | None, ...]

    @property
    def places(self) -> tuple[AssemblyOperand, ...]:
        """The operands."""
        places = places_of(self.constraints)
        assert places is not None
        return places

    @property
    def constants(self) -> frozenset[int]:
        """The operands that the text has no register for at all."""
        return frozenset(number for number, word in self.written if "$" not in word)


class AssemblyPlan(NamedTuple):
    """Lowered form of an assembly text.

    ``steps`` are put in place of the call where it ``is_straight``; else ``function`` is called.
    ``operands`` gives for each of the ``registers`` the operand that it stands for, None for the
    text's own; the function's registers come first. ``moved`` are the operands that lie in a
    register of their constraint's type in between, ``copied`` the inputs that are copied into the
    register of a result. ``guessed`` are operations that no table knows; ``ends`` says that control
    does not go on.
    """

    function: Function
    is_straight: bool
    steps: tuple[AssemblyStep, ...]
    registers: tuple[Register, ...]
    operands: tuple[int | None, ...]
    moved: frozenset[int]
    copied: tuple[int, ...]
    guessed: tuple[Operation, ...]
    ends: bool


@lru_cache(maxsize=4096)
def make_plan(key: AssemblyKey) -> AssemblyPlan | str:
    """Read an assembly text and say how it is put in place; the reason where it is no PTX."""
    places, results = key.places, results_of(key.places)
    ties = {n: results[place.tie] for n, place in enumerate(places) if place.tie is not None}
    shared = tuple((number, f"${{{result}}}") for number, result in ties.items())
    function = read_assembly(assembly_text(key.text, key.written + shared), key.types)
    if isinstance(function, str):
        return function
    if any(i.operation.name == "ret" and not _is_end(i) for i in function.instructions):
        return "it returns from the function that it stands in"
    body = _Body(function, ties)
    own = [r for r, n in zip(function.registers, body.operands, strict=False) if n is None]
    last = function.blocks[-1].terminator
    straight = len(function.blocks) == 1 and last is not None and not last.targets
    known = dict.fromkeys(i.operation for i in function.instructions)
    return AssemblyPlan(
        function,
        straight and not function.variables and all(r.vector == 1 for r in own),
        body.steps,
        tuple(body.registers),
        tuple(body.operands),
        _moved(key, body),
        tuple(body.copied),
        tuple(o for o in known if o.knowledge is Knowledge.NEAREST),
        last is not None and last.operation.name != "ret",
    )


class _Body:
    """A text's instructions with the operands that their registers stand for.

    Where the input of a tie need not be copied it has a register of its own that is read.
    """

    def __init__(self, function: Function, ties: Mapping[int, int]) -> None:
        self.registers = list(function.registers)
        self.operands = [_number(register) for register in function.registers]
        self.copied: list[int] = []
        read: list[Operand | None] = [Reg(index) for index in range(len(self.registers))]
        instructions = tuple(function.instructions)
        for number, result in ties.items():
            at = self.operands.index(result) if result in self.operands else None
            if at is None or not reads_first(instructions, at):
                self.copied.append(number)
                continue
            read[at] = Reg(len(self.registers))
            self.registers.append(self.registers[at])
            self.operands.append(number)
        self.steps = tuple(
            with_inputs(AssemblyStep(i.operation, i.operands, i.guard), read)
            for i in instructions
            if not _is_end(i)
        )


def _is_end(instruction: Instruction) -> bool:
    """Whether it is the return that stands for the text's end: its place is the closing brace."""
    span = instruction.span
    return instruction.operation.name == "ret" and span.end_column - span.column == 1


_WRITTEN = re.compile(r"\$\$|\$\{:uid\}|\$(?:\{(\d{1,4})(?::\w+)?\}|(\d{1,4}))")


@lru_cache(maxsize=4096)
def assembly_text(text: str, written: tuple[tuple[int, str], ...] = ()) -> str:
    """The assembly behind LLVM's quotes, with some operands replaced by what is ``written``."""
    words = dict(written)

    def word(match: re.Match[str]) -> str:
        if match[0] == "${:uid}":
            return "0"  # labels are their scope's own
        number = match[1] or match[2]
        return match[0] if number is None else words.get(int(number), match[0])

    return _WRITTEN.sub(word, string_bytes(text).decode("utf-8", "replace"))


def _number(register: Register) -> int | None:
    number = register.name.removeprefix(OPERAND)
    return int(number) if number != register.name and number.isdigit() else None


# -- which operands cannot stand as they are
def _moved(key: AssemblyKey, body: _Body) -> frozenset[int]:
    moved = {n for n, form in enumerate(key.forms) if form is None}
    for use in _uses(body.steps):
        number = body.operands[use.register]
        if number is not None and number not in moved and not _may_stand(key, number, use):
            moved.add(number)
    while True:
        found = set(_at_fault(key, body, moved)) - moved
        if not found:
            return frozenset(moved)
        moved |= found


class _Use(NamedTuple):
    """A register in an instruction: how it is used, and the type that is wanted there."""

    register: int
    operation: Operation
    role: Role | None
    wanted: Type | None
    is_plain: bool


def _uses(steps: tuple[AssemblyStep, ...]) -> Iterator[_Use]:
    for operation, operands, guard in steps:
        if guard is not None:
            yield _Use(guard.register.index, operation, None, TYPES["pred"], False)
        columns = match_roles(operation, operands), match_types(operation, operands)
        for operand, role, wanted in zip(operands, *columns, strict=True):
            for register in registers_in(operand):
                yield _Use(register, operation, role, wanted, isinstance(operand, Reg))


def _may_stand(key: AssemblyKey, number: int, use: _Use) -> bool:
    """Whether a value of this form may stand here, as far as widths and constants go."""
    form, type_ = key.forms[number], TYPES[key.types[number]]
    assert form is not None
    if form.startswith("="):
        return _may_be_constant(form[1:], use)
    given, place = TYPES[form], key.places[number]
    letter = place.letter if place.tie is None else _result(key.places, place.tie).letter
    if use.role in (Role.DESTINATION, Role.READ_WRITE) and not place.is_result:
        return False  # an input that the text overwrites: LLVM's value stays
    is_like = not given.is_float or given.bits == 16 or letter in _FLOATS
    if given.bits == type_.bits and (is_like or use.wanted is not None):
        return True
    if use.wanted is None or type_.kind is TypeKind.PREDICATE:
        return False
    return use.operation.op_class in (OpClass.LOAD, OpClass.STORE)


def _result(places: tuple[AssemblyOperand, ...], number: int) -> AssemblyOperand:
    return places[results_of(places)[number]]


def _may_be_constant(type_: str, use: _Use) -> bool:
    wanted = use.wanted
    if not use.is_plain or use.role is not Role.SOURCE or wanted is None or wanted.lanes > 1:
        return False
    if use.operation.op_class not in _TAKES_CONSTANTS or wanted.kind is TypeKind.PREDICATE:
        return False
    if not type_:
        return wanted.is_integer
    same_bits = type_ in _CONSTANT_FLOATS and wanted.bits == TYPES[type_].bits
    return same_bits and (wanted.name == type_ or wanted.kind is TypeKind.BITS)


def _at_fault(key: AssemblyKey, body: _Body, moved: set[int]) -> Iterator[int]:
    """Operands that break a rule about types where they stand as they are."""
    registers = tuple(
        register if n is None or n in moved else _as_given(register, key.forms[n])
        for register, n in zip(body.registers, body.operands, strict=True)
    )
    for operation, operands, _ in body.steps:
        for fault in operand_faults(operation, operands, registers):
            if fault.place is not None:
                named = registers_in(operands[fault.place])
                yield from (n for r in named if (n := body.operands[r]) is not None)


def _as_given(register: Register, form: str | None) -> Register:
    if form is None or form.startswith("="):
        return register
    return replace(register, type=TYPES[form])


# What the constraints of an inline assembly say of its operands, for NVIDIA's targets.
#
# Source: the language reference's chapter on inline assembler expressions, and the letters that
# LLVM's NVPTX back end takes.

REGISTERS = {
    "b": "pred", "c": "b16", "h": "b16", "r": "b32", "f": "b32", "l": "b64", "N": "b64",
    "d": "b64", "q": "b128",
}  # fmt: skip
"""The type of the register that a letter asks for; floats are bits in registers of assembly."""

NUMBERS = frozenset("ni")
"""Letters of constants that are written into the text."""

ADDRESSES = frozenset("is")
"""Letters of addresses that are written into the text."""

MEMORY = frozenset("mo")
"""Letters of operands that are an address in the text, with its brackets."""


class AssemblyOperand(NamedTuple):
    """One operand of an assembly text.

    ``letters`` are the kinds that it may be. An input without letters lies in the register of a
    result, the one at ``tie`` among the results.
    """

    is_result: bool
    letters: str
    tie: int | None = None

    @property
    def letter(self) -> str | None:
        """The first letter of a register; None where it may be in none."""
        return next((c for c in self.letters if c in REGISTERS), None)


_CONSTRAINT = re.compile(r"(=?)[&%]*(\*?)(?:(\d+)|([A-Za-z]+))")


@lru_cache(maxsize=4096)
def places_of(constraints: str) -> tuple[AssemblyOperand, ...] | None:
    """Read a list of constraints such as ``"=r,r,n,0,~{memory}"``; clobbers are no operands.

    None where one is of a form that NVIDIA's assembly does not have: a register by its name, a
    label. Results in memory are arguments, as they are for LLVM. Of alternatives the first counts.
    """
    found = []
    for word in constraints.strip('"').split(","):
        if not word or word.startswith("~"):
            continue
        match = _CONSTRAINT.fullmatch(word.partition("|")[0])
        if match is None:
            return None
        result, indirect, tie, letters = match.groups()
        is_result = bool(result) and not indirect
        found.append(AssemblyOperand(is_result, letters or "", None if tie is None else int(tie)))
    count = len(results_of(tuple(found)))
    sound = all(place.tie is None or place.tie < count for place in found)
    return tuple(found) if sound else None


def results_of(places: tuple[AssemblyOperand, ...]) -> tuple[int, ...]:
    """The numbers of the operands that are results."""
    return tuple(number for number, place in enumerate(places) if place.is_result)
