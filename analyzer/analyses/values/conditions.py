"""Branch conditions as expressions, and what decides them (hybrid estimation, §III-A-3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.formula_text import Formula
from warpmill.analyzer.analyses.values.operation_rules import as_loaded
from warpmill.analyzer.analyses.values.ssa import PhiInput, Ways, ways_of
from warpmill.analyzer.analyses.values.symbolic import Expression, apply, digest, number
from warpmill.analyzer.analyses.values.truths import WORDS
from warpmill.analyzer.base.many_objects import lazy
from warpmill.analyzer.ir.kernel import Guard, Imm, Instruction, NotPredicate, Operand, Reg
from warpmill.analyzer.ir.types import TYPES, Type, TypeKind


@dataclass(frozen=True, repr=False)
class Compare(Formula):
    """``left word right``; ``word`` is one of eq, ne, lt, le, gt, ge.

    ``type`` is the integer type as which both are compared; None where it is not known.
    """

    word: str
    left: Expression
    right: Expression
    type: Type | None = field(default=None, compare=False)

    @property
    def pieces(self) -> tuple[str | Formula, ...]:
        """Both sides, and the sign between them."""
        sides = [side.single or side for side in (self.left, self.right)]
        return sides[0], f" {_SIGNS[self.word]} ", sides[1]

    @property
    def digest(self) -> int:
        """A number that follows from what is compared, equal only for equal comparisons."""
        return digest((self.word, self.left.digest, self.right.digest))


@dataclass(frozen=True, eq=False, repr=False)
class Combined(Formula):
    """Two conditions joined by ``and`` or ``or``.

    Conditions that stand in several places, as in exclusive or, are one object there.
    """

    word: str
    first: Condition
    second: Condition

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Combined) and self.digest == other.digest)

    def __hash__(self) -> int:
        return self.digest

    @property
    def pieces(self) -> tuple[str | Formula, ...]:
        """Both conditions in brackets, and the word between them."""
        return "(", self.first, f") {self.word} (", self.second, ")"

    @lazy
    def digest(self) -> int:
        """A number that follows from what is joined, equal only for equal conditions."""
        return digest((self.word, self.first.digest, self.second.digest))

    @lazy
    def opposite(self) -> Combined:
        """The condition that holds where this one does not."""
        word = "or" if self.word == "and" else "and"
        made = Combined(word, negated(self.first), negated(self.second))
        made.__dict__["opposite"] = self
        return made


@dataclass(frozen=True, repr=False)
class Opaque(Formula):
    """A condition that is no comparison of integers; ``inputs`` are what it is made from.

    Where there are inputs, each ``{}`` in ``text`` stands for the next of them.
    """

    text: str
    inputs: tuple[Expression, ...] = ()

    @property
    def pieces(self) -> tuple[str | Formula, ...]:
        """Its text, with the inputs where they belong."""
        if not self.inputs:
            return (self.text,)
        first, *texts = self.text.split("{}")
        return first, *(p for pair in zip(self.inputs, texts, strict=False) for p in pair)

    @property
    def digest(self) -> int:
        """A number that follows from what it is made of, equal only for equal conditions."""
        return digest((self.text, *(e.digest for e in self.inputs)))


Condition = Compare | Combined | Opaque

_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "le": "gt", "gt": "le"}
_HOLDS: dict[str, Callable[[int], bool]] = {
    "eq": lambda d: d == 0, "ne": lambda d: d != 0, "lt": lambda d: d < 0,
    "le": lambda d: d <= 0, "gt": lambda d: d > 0, "ge": lambda d: d >= 0,
}  # fmt: skip
_SIGNED = {spelled: word for spelled, word in WORDS.items() if spelled != word}


def compare(spelled: str, left: Expression, right: Expression, type_: Type) -> Compare:
    """Make the comparison that an instruction spells, ``lo`` and ``hs`` of unsigned numbers too.

    A constant that says which of two is greater is read as the type does.
    """
    word = _SIGNED.get(spelled, spelled)
    if word != spelled and type_.kind is TypeKind.BITS:
        type_ = TYPES.get(f"u{type_.bits}", type_)
    left, right = (as_loaded(side, type_, _WORD) for side in (left, right))
    if word not in ("eq", "ne"):
        left, right = (
            side if side.constant is None else number(type_.read(side.constant))
            for side in (left, right)
        )
    return Compare(word, left, right, type_)


_WORD = 32


def as_words(condition: Condition) -> Condition:
    """A condition that holds of a launch's numbers as it does of the machine's words.

    What is compared with a constant at the top of the unsigned numbers may be below zero, as in
    ``n - 65 < -61``: its word counts.
    """
    match condition:
        case Combined(word, first, second):
            return combined(word, as_words(first), as_words(second))
        case Compare(word, left, right, type_) if type_ is not None and word in _TURNED:
            if type_.kind is TypeKind.UNSIGNED and type_.bits >= _WORD:
                return _near_top(word, left, right, type_)
    return condition


def _near_top(word: str, left: Expression, right: Expression, type_: Type) -> Condition:
    """Compare unsigned numbers, one of which may be a constant at the top."""
    if left.constant is not None:
        left, right, word = right, left, _TURNED[word]
    top = right.constant
    if top is None or top < 1 << type_.bits - 1:
        return Compare(word, left, right, type_)
    if left.constant is not None:
        return Compare(word, number(type_.read(left.constant)), right, type_)
    if type_.bits == _WORD:
        mask = number((1 << _WORD) - 1)
        return Compare(word, apply("and", left, mask), right, type_)
    below = number(top - (1 << type_.bits))  # as a signed number, which formulas can have
    signed, zero = TYPES[f"s{type_.bits}"], number(0)
    if word in ("gt", "ge"):
        sides = Compare("lt", left, zero, signed), Compare(word, left, below, signed)
        return combined("and", *sides)
    return combined("or", Compare("ge", left, zero, signed), Compare(word, left, below, signed))


_TURNED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


def truth(condition: Condition) -> bool | None:
    """Whether a comparison of plain numbers holds; None for any other condition."""
    if not isinstance(condition, Compare):
        return None
    difference = (condition.left - condition.right).constant
    return None if difference is None else _HOLDS[condition.word](difference)


def combined(word: str, first: Condition, second: Condition) -> Condition:
    """Join two conditions; one that always or never holds is left out, or decides."""
    for condition, other in ((first, second), (second, first)):
        known = truth(condition)
        if known is not None:
            return other if known == (word == "and") else condition
    return Combined(word, first, second)


def chosen(by: Condition, first: Condition, second: Condition) -> Condition:
    """``first`` where ``by`` holds, else ``second``."""
    return combined("or", combined("and", by, first), combined("and", negated(by), second))


def negated(condition: Condition) -> Condition:
    """The opposite condition."""
    match condition:
        case Compare(word, left, right, type_):
            return Compare(_OPPOSITE[word], left, right, type_)
        case Combined():
            return condition.opposite
        case Opaque(text, inputs):
            return Opaque(text[4:] if text.startswith("not ") else f"not {text}", inputs)


def comparisons(condition: Condition) -> Iterator[Compare | Opaque]:
    """Parts that a condition is joined of, each once."""
    seen: set[int] = set()
    open_ = [condition]
    while open_:
        found = open_.pop()
        if id(found) in seen:
            continue
        seen.add(id(found))
        if isinstance(found, Combined):
            open_ += (found.second, found.first)
        else:
            yield found


def rewritten(condition: Condition, rewrite: Callable[[Compare | Opaque], Condition]) -> Condition:
    """A condition with others in place of what it is joined of, each part made once."""
    known: dict[int, Condition] = {}

    def made(part: Condition) -> Condition:
        if id(part) not in known:
            if isinstance(part, Combined):
                known[id(part)] = Combined(part.word, made(part.first), made(part.second))
            else:
                known[id(part)] = rewrite(part)
        return known[id(part)]

    return made(condition)


def guard_condition(structure: Structure, block: int, instruction: int, guard: Guard) -> Condition:
    """The condition under which a guarded instruction executes."""
    definition = structure.ssa.before[block][instruction][guard.register.index]
    condition = _of_definition(structure, definition, depth=0)
    return negated(condition) if guard.negated else condition


_DEEPEST = 16
"""Nested logical operations that are followed; deeper ones are opaque."""


def _of_definition(structure: Structure, id_: int, depth: int) -> Condition:
    found: Condition | None = structure.predicates.get((id_, depth))
    if found is None:
        found = structure.predicates[id_, depth] = _made(structure, id_, depth)
    return found


def _made(structure: Structure, id_: int, depth: int) -> Condition:
    definition = structure.ssa.definitions[id_]
    name = structure.ssa.register(id_).name
    if definition.instruction < 0 or depth > _DEEPEST:
        ways = None if depth > _DEEPEST else ways_of(structure, id_)
        found = None if ways is None else _of_ways(structure, ways, depth + 1)
        return found or Opaque(f"{name} chosen by control flow")
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
        flag = _of_flag(structure, place, word, instruction, depth + 1)
        if flag is not None:
            return flag
        if word is not None:
            left, right = (structure.values.of_operand(*place, s) for s in sources[:2])
            compared = compare(word, left, right, operation.type)
            joined = next((w for w in operation.modifiers if w in ("and", "or")), None)
            if len(sources) == 2:
                return compared
            if joined is not None:
                return Combined(joined, compared, part(sources[2]))
    if operation.type.kind is TypeKind.PREDICATE:
        if operation.name in ("and", "or"):
            return combined(operation.name, part(sources[0]), part(sources[1]))
        if operation.name == "xor":
            first, second = part(sources[0]), part(sources[1])
            return chosen(first, negated(second), second)
        if operation.name == "selp":
            return chosen(part(sources[2]), part(sources[0]), part(sources[1]))
        if operation.name in ("not", "mov"):
            inner = part(sources[0])
            return negated(inner) if operation.name == "not" else inner
    inputs = tuple(structure.values.of_operand(*place, s) for s in sources)
    return Opaque(f"{operation.opcode}({', '.join(['{}'] * len(inputs))})", inputs)


def _of_ways(structure: Structure, ways: Ways, depth: int) -> Condition | None:
    """The condition that a φ of predicates is; None where a part of it is not followed."""
    if isinstance(ways, PhiInput):
        return _of_input(structure, ways, depth)
    last = structure.kernel.blocks[ways.block].terminator
    assert last is not None and last.guard is not None
    place = (ways.block, len(structure.kernel.blocks[ways.block].instructions) - 1)
    operand = NotPredicate(last.guard.register) if last.guard.negated else last.guard.register
    sides = [_of_ways(structure, side, depth + 1) for side in (ways.taken, ways.fallen)]
    if sides[0] is None or sides[1] is None or depth > _DEEPEST:
        return None
    return chosen(_of_operand(structure, place, operand, depth + 1), sides[0], sides[1])


def _of_input(structure: Structure, source: PhiInput, depth: int) -> Condition | None:
    at = structure.ssa.out[source.predecessor]
    match source.operand:
        case Imm(value):
            return _constant(value)
        case Reg(index) if index in at:
            return _of_definition(structure, at[index], depth)
    return None


def _constant(value: int) -> Condition:
    return Compare("ne", number(value & 1), number(0))


def _of_flag(
    structure: Structure,
    place: tuple[int, int],
    word: str | None,
    instruction: Instruction,
    depth: int,
) -> Condition | None:
    """Read a comparison of a predicate as a number: what ``selp 1, 0, %p`` gives, with 0 or 1."""
    match instruction.sources:
        case (Reg(index), Imm(limit)) if word is not None and depth <= _DEEPEST:
            made = structure.ssa.operand_definition(*place, index)
        case _:
            return None
    if made.instruction < 0:
        return None
    origin = structure.kernel.blocks[made.block].instructions[made.instruction]
    if origin.operation.name != "selp" or origin.guard is not None:
        return None
    match origin.sources:
        case (Imm(one), Imm(other), (Reg() | NotPredicate()) as by):
            values = (one, other)
        case _:
            return None
    word = _SIGNED.get(word, word)
    outcomes = [truth(Compare(word, number(v), number(limit))) for v in values]
    if outcomes[0] == outcomes[1]:
        return _constant(int(bool(outcomes[0])))
    inner = _of_operand(structure, (made.block, made.instruction), by, depth)
    return inner if outcomes[0] else negated(inner)


def _of_operand(
    structure: Structure, place: tuple[int, int], operand: Operand, depth: int
) -> Condition:
    before = structure.ssa.before[place[0]][place[1]]
    match operand:
        case Reg(index):
            return _of_definition(structure, before[index], depth)
        case NotPredicate(register):
            return negated(_of_definition(structure, before[register.index], depth))
        case Imm(value):
            return _constant(value)
    return Opaque(str(operand))
