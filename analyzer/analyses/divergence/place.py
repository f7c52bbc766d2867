"""Classes of an instruction's operands: the place that the rules ask about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from warpmill.analyzer.analyses.divergence.classes import (
    AXES,
    READ_CARRY,
    UNIFORM,
    Affine,
    Divergent,
    Read,
    ValueClass,
    is_invariant,
    special_class,
)
from warpmill.analyzer.analyses.values.symbolic import AtomKind, Expression, symbol
from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Element,
    Instruction,
    Kernel,
    Negated,
    NotPredicate,
    Operand,
    Pair,
    Reg,
    Special,
    TupleAddress,
    Vector,
)
from warpmill.analyzer.ir.types import OpClass, Space

if TYPE_CHECKING:
    from warpmill.analyzer.analyses.structure import Structure

Classes = Callable[[int, int], ValueClass]
"""The class of a definition as a block sees it."""


@dataclass(slots=True)
class InstructionPlace:
    """An instruction's place, with the classes known so far: one for each look at a definition."""

    structure: Structure
    classes: Classes
    block: int
    index: int

    @property
    def instruction(self) -> Instruction:
        """The instruction that stands here."""
        return self.structure.kernel.blocks[self.block].instructions[self.index]

    def read(self, operand: Operand) -> Read:
        """The class of an operand."""
        return read_operand(
            operand, self.structure.ssa.before[self.block][self.index], self.block, self.classes
        )

    def factor(self, operand: Operand) -> tuple[Expression, bool]:
        """A uniform operand as a formula, and whether that assumes no overflow.

        What is no formula in the launch's values is named after its register.
        """
        formula = self.structure.values.of_operand(self.block, self.index, operand)
        if not isinstance(operand, Reg):
            return formula, formula.constant is None
        if is_invariant(formula):
            return formula, True
        id_ = self.structure.ssa.before[self.block][self.index][operand.index]
        name = self.structure.kernel.registers[operand.index].name
        return symbol(AtomKind.MERGE, name, id_), False

    def is_thread_id(self, operand: Operand) -> bool:
        """Whether an operand is a thread id as it was read."""
        formula = self.structure.values.of_operand(self.block, self.index, operand)
        return formula in _THREAD_IDS

    def may_be_private(self) -> bool:
        """Whether the instruction's address may lie in memory that each thread has for itself.

        That is local memory and what calls hand over; a kernel's parameters are one for all.
        """
        address, space = self.instruction.address, self.instruction.operation.space
        if address is None or space not in _MAY_BE_PRIVATE:
            return False
        own = self.structure.private_memory
        if space is Space.LOCAL or not own:
            return space is Space.LOCAL
        formula = self.structure.values.of_operand(self.block, self.index, address)
        bases = {m[0] for m, factor in formula.terms if len(m) == factor == 1}
        known = {a.name for a in bases if a.kind in (AtomKind.ADDRESS, AtomKind.ARGUMENT)}
        return not known or bool(known & own)

    def carry(self) -> Read:
        """The class of the carry flag: that of the result which was written with it."""
        writer = carry_writer(self.structure, self.block, self.index)
        if writer is None:
            return Read(Divergent("the carry flag is set in another block"))
        for id_ in self.structure.ssa.written[self.block][writer].values():
            return Read(self.classes(id_, self.block), id_)
        return Read(Divergent("the carry flag is set without a result"))


def carry_writer(structure: Structure, block: int, index: int) -> int | None:
    """The last instruction of the block before ``index`` that writes the carry flag."""
    instructions = structure.kernel.blocks[block].instructions
    before = range(index - 1, -1, -1)
    return next((i for i in before if "cc" in instructions[i].operation.modifiers), None)


_THREAD_IDS = frozenset(symbol(AtomKind.SPECIAL, axis) for axis in AXES)


_MAY_BE_PRIVATE = frozenset({Space.LOCAL, Space.GENERIC, Space.PARAM})


def read_operand(operand: Operand, at: dict[int, int], block: int, classes: Classes) -> Read:
    """The class of an operand; ``at`` maps registers to the definitions that reach it."""
    match operand:
        case Reg(index) | NotPredicate(Reg(index)) | Element(Reg(index), _):
            return Read(classes(at.get(index, -1), block), at.get(index, -1))
        case Special(name):
            return Read(special_class(name))
        case Address(base):
            return read_operand(base, at, block, classes)
        case Negated(inner):
            return _not_affine([read_operand(inner, at, block, classes)])
        case Vector(items) | Arguments(items) | TupleAddress(items):
            return _not_affine([read_operand(o, at, block, classes) for o in items])
        case Pair(first, second):
            return _not_affine([read_operand(o, at, block, classes) for o in (first, second)])
    return Read(UNIFORM)


def _not_affine(parts: list[Read]) -> Read:
    """The class of several parts as one value; affine parts make no affine whole."""
    for part in parts:
        if isinstance(part.value, Affine):
            return Read(Divergent("made of several parts", part.definition), part.definition)
        if not part.is_uniform:
            return part
    return Read(UNIFORM)


def is_steady(kernel: Kernel, instruction: Instruction) -> bool:
    """Whether an instruction gives the same again as long as what it reads stays the same."""
    operation = instruction.operation
    if operation.op_class is OpClass.LOAD:
        is_fixed = operation.space is Space.CONST or "nc" in operation.modifiers
        return is_fixed or kernel.reads_parameter(instruction)
    if operation.name in READ_CARRY:
        return False
    return operation.op_class.is_arithmetic and not operation.effects
