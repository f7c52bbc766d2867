"""Branch conditions as expressions, and what decides them (hybrid estimation, §III-A-3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from analyzer.analyses.structure import Structure
from analyzer.ir.kernel import Guard, NotPredicate, Operand, Reg
from analyzer.ir.types import TypeKind
from analyzer.symbolic import AtomKind, Expression


@dataclass(frozen=True, slots=True)
class Compare:
    """``left word right``; ``word`` is one of eq, ne, lt, le, gt, ge."""

    word: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        return f"{self.left} {_SIGNS[self.word]} {self.right}"


@dataclass(frozen=True, slots=True)
class Combined:
    """Two conditions joined by ``and`` or ``or``."""

    word: str
    first: Condition
    second: Condition

    def __str__(self) -> str:
        return f"({self.first}) {self.word} ({self.second})"


@dataclass(frozen=True, slots=True)
class Opaque:
    """A condition that is no comparison of integers; ``inputs`` are what it is made from."""

    text: str
    inputs: tuple[Expression, ...] = ()

    def __str__(self) -> str:
        return self.text


Condition = Compare | Combined | Opaque

_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "le": "gt", "gt": "le"}
_SIGNED = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}


def negated(condition: Condition) -> Condition:
    """Give the opposite condition."""
    match condition:
        case Compare(word, left, right):
            return Compare(_OPPOSITE[word], left, right)
        case Combined(word, first, second):
            return Combined("or" if word == "and" else "and", negated(first), negated(second))
        case Opaque(text, inputs):
            return Opaque(text[4:] if text.startswith("not ") else f"not {text}", inputs)


def guard_condition(structure: Structure, block: int, instruction: int, guard: Guard) -> Condition:
    """Give the condition under which a guarded instruction executes."""
    definition = structure.ssa.before[block][instruction][guard.register.index]
    condition = _of_definition(structure, definition, depth=0)
    return negated(condition) if guard.negated else condition


_DEEPEST = 16
"""Nested logical operations that are followed; deeper ones are opaque."""


def _of_definition(structure: Structure, id_: int, depth: int) -> Condition:
    definition = structure.ssa.definitions[id_]
    name = structure.kernel.registers[definition.register].name
    if definition.instruction < 0 or depth > _DEEPEST:
        return Opaque(f"{name} chosen by control flow")
    instruction = structure.kernel.blocks[definition.block].instructions[definition.instruction]
    operation = instruction.operation
    place = (definition.block, definition.instruction)
    sources = instruction.sources

    def part(operand: Operand) -> Condition:
        return _of_operand(structure, place, operand, depth + 1)

    if instruction.guard is not None or operation.type is None:
        return Opaque(f"{name} from {operation.opcode}")
    if operation.name == "setp" and operation.type.is_integer:
        word = next((w for w in operation.modifiers if w in _OPPOSITE or w in _SIGNED), None)
        if word is not None:
            left, right = (structure.values.of_operand(*place, s) for s in sources[:2])
            compared = Compare(_SIGNED.get(word, word), left, right)
            joined = next((w for w in operation.modifiers if w in ("and", "or")), None)
            if len(sources) == 2:
                return compared
            if joined is not None:
                return Combined(joined, compared, part(sources[2]))
    if operation.type.kind is TypeKind.PREDICATE:
        if operation.name in ("and", "or"):
            return Combined(operation.name, part(sources[0]), part(sources[1]))
        if operation.name in ("not", "mov"):
            inner = part(sources[0])
            return negated(inner) if operation.name == "not" else inner
    inputs = tuple(structure.values.of_operand(*place, s) for s in sources)
    return Opaque(f"{operation.opcode}({', '.join(map(str, inputs))})", inputs)


def _of_operand(
    structure: Structure, place: tuple[int, int], operand: Operand, depth: int
) -> Condition:
    before = structure.ssa.before[place[0]][place[1]]
    match operand:
        case Reg(index):
            return _of_definition(structure, before[index], depth)
        case NotPredicate(register):
            return negated(_of_definition(structure, before[register.index], depth))
    return Opaque(str(operand))


class DecidedBy(Enum):
    """What the value of a condition rests on; the paper's cases 1 to 3, case 2 told apart."""

    ARGUMENT = "argument"
    THREAD = "thread id"
    BLOCK = "block id"
    LAUNCH = "launch size"
    COUNTER = "loop counter"
    MEMORY = "memory load"
    FLOW = "control flow"
    OTHER = "other"


def decided_by(condition: Condition) -> tuple[DecidedBy, ...]:
    """Tell what decides a condition, in the order of DecidedBy; constant ones give nothing."""
    found = {_decider(kind, name) for kind, name in _atoms(condition)}
    return tuple(d for d in DecidedBy if d in found)


def _atoms(condition: Condition) -> set[tuple[AtomKind, str]]:
    match condition:
        case Compare(_, left, right):
            return {(a.kind, a.name) for a in left.atoms | right.atoms}
        case Combined(_, first, second):
            return _atoms(first) | _atoms(second)
        case Opaque(_, inputs) if inputs:
            return {(a.kind, a.name) for e in inputs for a in e.atoms}
    return {(AtomKind.MERGE, "")}


def _decider(kind: AtomKind, name: str) -> DecidedBy | None:
    if kind is AtomKind.SPECIAL:
        return next(
            (d for prefix, d in _SPECIALS.items() if name.startswith(prefix)), DecidedBy.OTHER
        )
    return _KINDS.get(kind)


_SPECIALS = {
    "tid": DecidedBy.THREAD,
    "laneid": DecidedBy.THREAD,
    "warpid": DecidedBy.THREAD,
    "ctaid": DecidedBy.BLOCK,
    "ntid": DecidedBy.LAUNCH,
    "nctaid": DecidedBy.LAUNCH,
}
_KINDS = {
    AtomKind.ARGUMENT: DecidedBy.ARGUMENT,
    AtomKind.COUNTER: DecidedBy.COUNTER,
    AtomKind.CARRIED: DecidedBy.COUNTER,
    AtomKind.LOAD: DecidedBy.MEMORY,
    AtomKind.MERGE: DecidedBy.FLOW,
    AtomKind.UNKNOWN: DecidedBy.OTHER,
}
