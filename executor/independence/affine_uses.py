"""An instruction as rules of linear forms see it; what is known of predicates and parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from warpmill.analyzer.ir.kernel import (
    Address,
    Instruction,
    NotPredicate,
    Operand,
    Pair,
    Reg,
    Symbol,
    Vector,
)
from warpmill.analyzer.ir.types import Space, Type, TypeKind
from warpmill.executor.independence.affine import LinearForm
from warpmill.executor.independence.affine_conditions import (
    ALWAYS,
    WORDS,
    Condition,
    WordComparison,
)

if TYPE_CHECKING:
    from warpmill.executor.independence.affine_values import BlockPass, FormPlace


@dataclass(frozen=True)
class Use:
    """One instruction at its place."""

    values: BlockPass
    place: FormPlace
    instruction: Instruction
    key: int  # the definition it makes

    @property
    def type(self) -> Type | None:
        """What it computes on."""
        return self.instruction.operation.type

    @property
    def bits(self) -> int:
        """Bits of what it computes on."""
        return 0 if self.type is None else self.type.bits

    @property
    def signed(self) -> bool:
        """Whether it reads words as signed numbers."""
        return self.type is not None and self.type.kind is TypeKind.SIGNED

    def has(self, *words: str) -> bool:
        """Whether the opcode has one of some words."""
        return any(w in self.instruction.operation.modifiers for w in words)

    def source(self, number: int) -> LinearForm | None:
        """Give a source modulo two to its bits."""
        sources = self.instruction.sources
        if number >= len(sources):
            return None
        return self.values.operand(sources[number], self.place)

    def word(self, number: int, bits: int = 0, *, signed: bool | None = None) -> LinearForm | None:
        """Give a source's value."""
        form = self.source(number)
        if form is None:
            return None
        signed = self.signed if signed is None else signed
        return self.values.word(form, bits or self.bits, self.place.constraints, signed=signed)

    def between(self, low: int, high: float) -> LinearForm:
        """Give a result of which only bounds are known."""
        return self.values.unknown(self.key, low, high)

    def predicate(self, operand: Operand) -> Condition:
        """Give what is known of a predicate."""
        match operand:
            case Reg(index):
                return self.values.conditions.get(self.place.at.get(index, -1), ALWAYS)
            case NotPredicate(register):
                return self.predicate(register).negated
        return ALWAYS


# Predicates.


def note_condition(
    values: BlockPass, place: FormPlace, instruction: Instruction, written: dict[int, int]
) -> None:
    """Note what a predicate that is written says."""
    if instruction.guard is not None or not instruction.destinations:
        return
    first = instruction.destinations[0]
    first = first.first if isinstance(first, Pair) else first
    if not isinstance(first, Reg) or first.index not in written:
        return
    rule = PREDICATES.get(instruction.operation.name)
    if rule is not None:
        id_ = written[first.index]
        found = rule(Use(values, place, instruction, id_))
        if found != ALWAYS:
            values.conditions[id_] = found


def _setp(use: Use) -> Condition:
    words, sources = use.instruction.operation.modifiers, use.instruction.sources
    found = ALWAYS
    a, b = use.source(0), use.source(1)
    is_integer = use.type is not None and use.type.is_integer and use.type.lanes == 1
    if words[0] in WORDS and is_integer and a is not None and b is not None:
        signed = use.signed
        found = Condition.of(WordComparison(WORDS[words[0]], signed, use.bits, a, b))
    if len(sources) < 3:
        return found
    other = use.predicate(sources[2])
    if "and" in words:
        return found.joined(other)
    return found.either(other) if "or" in words else ALWAYS


def _both(use: Use) -> Condition:
    a, b = use.instruction.sources
    return use.predicate(a).joined(use.predicate(b))


def _either(use: Use) -> Condition:
    a, b = use.instruction.sources
    return use.predicate(a).either(use.predicate(b))


def _not(use: Use) -> Condition:
    return use.predicate(use.instruction.sources[0]).negated


def _differs(use: Use) -> Condition:
    """``xor`` with true is ``not``."""
    other = use.source(1)
    return _not(use) if other is not None and other.key in _TRUE else ALWAYS


_TRUE = (LinearForm(1).key, LinearForm(-1).key)

PREDICATES: dict[str, Callable[[Use], Condition]] = {
    "setp": _setp,
    "and": _both,
    "or": _either,
    "xor": _differs,
    "not": _not,
    "mov": lambda use: use.predicate(use.instruction.sources[0]),
}


# Loads of parameters.


def loaded(use: Use) -> LinearForm | None:
    """Give what a load of one register reads from the parameters."""
    parts = parameters(use.values, use.instruction)
    return parts[0] if parts else None


def parameters(values: BlockPass, instruction: Instruction) -> list[LinearForm] | None:
    """Give what a load from the parameters reads; None for other loads."""
    operation, address = instruction.operation, instruction.address
    type_ = operation.type
    if operation.name != "ld" or operation.space is not Space.PARAM or type_ is None:
        return None
    if not isinstance(address, Address) or not isinstance(address.base, Symbol):
        return None
    target = instruction.destinations[0]
    count = len(target.elements) if isinstance(target, Vector) else 1
    found = []
    for k in range(count):
        offset = address.base.offset + address.offset + k * type_.size_bytes
        number = values.values.parameter(address.base.name, offset, type_.size_bytes)
        if number is None:
            return None
        if type_.kind is TypeKind.SIGNED:
            number = LinearForm(number).wrapped(type_.bits).constant
        found.append(LinearForm(number))
    return found if all(isinstance(e, Reg) for e in _elements(target)) else None


def _elements(target: Operand) -> tuple[Operand, ...]:
    return target.elements if isinstance(target, Vector) else (target,)
