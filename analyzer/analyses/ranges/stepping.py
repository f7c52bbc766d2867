"""Loops of plain numbers, done iteration by iteration to count them.

What a loop carries may move in any way that is made of itself and of other such values: ``k *= 3``,
``a, b = b, a + b``, a division that branches round down. Nothing is done where the start is no
number, where memory or the launch has a part, and where a number leaves its register: that of the
value, or one on the way to it, whose upper bits what follows would read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from warpmill.analyzer.analyses.cfg.loops import Loop
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.conditions import Compare, truth
from warpmill.analyzer.analyses.values.joins import Split, Ways, ways_of
from warpmill.analyzer.analyses.values.ssa import Definition, DefinitionKind
from warpmill.analyzer.analyses.values.symbolic import (
    Atom,
    AtomKind,
    Expression,
    number,
    of,
    substitute,
)
from warpmill.analyzer.analyses.values.truths import fact_of
from warpmill.analyzer.ir.kernel import registers_in
from warpmill.analyzer.ir.types import TypeKind

MOST_STEPS = 256
"""Iterations that are done to count a loop: words have no more bits, and tables few more rows."""

Starts = Callable[[Expression], Expression]


def counted_by_steps(
    structure: Structure, loop: Loop, leaving: Compare, start_of: Starts
) -> int | None:
    """Give the first iteration, from 0, in which a comparison holds; None where it is not found.

    ``start_of`` makes numbers of what the loop's values are on entry, where they are.
    """
    steps = _steps_of(structure, loop, (leaving.left, leaving.right))
    if steps is None:
        return None
    (((counter,), _),) = structure.values.counter(loop.id).terms
    tested = _held_on_the_way(structure, loop, _tested(structure, loop))
    carried = _held_on_the_way(structure, loop, _carried_on(structure, loop, steps))
    now: dict[Atom, int] = {}
    for atom in steps:
        raw = structure.values.start_expression(atom.key)
        start = None if raw is None else start_of(raw).constant
        if start is None:
            return None
        now[atom] = start
    for iteration in range(MOST_STEPS + 1):
        stepped = _Evaluation(structure, {**now, counter: iteration})
        sides = [stepped.number(side) for side in (leaving.left, leaving.right)]
        holds = _holds(leaving, sides) if _are_held(stepped, tested) else None
        if holds is None or holds:
            return iteration if holds else None
        if not _are_held(stepped, carried):
            return None
        after = {atom: stepped.number(value) for atom, value in steps.items()}
        known = {a: v for a, v in after.items() if v is not None and _fits(structure, a, v)}
        if len(known) < len(after):
            return None
        now = known
    return None


def _holds(leaving: Compare, sides: list[int | None]) -> bool | None:
    """Whether a comparison of numbers holds; their bits are those of its type."""
    type_, known = leaving.type, [side for side in sides if side is not None]
    if len(known) < len(sides):
        return None
    if type_ is not None:
        known = [type_.read(side) for side in known]
    return truth(Compare(leaving.word, number(known[0]), number(known[1])))


def _fits(structure: Structure, atom: Atom, value: int) -> bool:
    bits = structure.ssa.register(atom.key).type.bits
    return -(1 << bits - 1) <= value < 1 << bits - 1


def _steps_of(
    structure: Structure, loop: Loop, values: tuple[Expression, ...]
) -> dict[Atom, Expression] | None:
    """Give what each carried value that others rest on becomes; None where more has a part."""
    found: dict[Atom, Expression] = {}
    seen: set[Atom] = set()
    todo = list(values)
    while todo:
        for atom in todo.pop().atoms - seen:
            seen.add(atom)
            if atom.kind is AtomKind.OPERATION and atom.key < 0:
                continue
            if atom.kind is AtomKind.COUNTER and atom.key == loop.id:
                continue
            if atom.kind is AtomKind.MERGE and atom.key >= 0:
                ways = ways_of(structure, atom.key)
                if ways is None:
                    return None
                todo += _parts(structure, ways)
                continue
            is_own = atom.kind is AtomKind.CARRIED
            if not is_own or structure.ssa.definitions[atom.key].block != loop.header:
                return None
            after = set(structure.values.step_expressions(atom.key))
            if len(after) != 1 or len(found) >= _MOST_VALUES:
                return None
            (found[atom],) = after
            todo.append(found[atom])
    return found


_MOST_VALUES = 8


def _parts(structure: Structure, ways: Ways) -> Iterator[Expression]:
    """Give what ways bring, and the predicates by which they part (raw)."""
    if not isinstance(ways, Split):
        yield structure.values.taken(ways)
        return
    yield structure.values.truths.guard(ways.block)
    yield from _parts(structure, ways.taken)
    yield from _parts(structure, ways.fallen)


# Values on the way to what a loop carries, and what their registers hold of them.

_Held = tuple[Expression, int, int]
"""A value (raw), and the numbers from the first to before the last that it is the same as."""

_UPPER_BITS_ASIDE = frozenset(
    "add and bfi bra lop3 mad mov mul neg not or selp setp shl sub xor".split()  # noqa: SIM905
)
"""Instructions whose lower bits follow from the lower bits of what they read alone."""


def _held_on_the_way(structure: Structure, loop: Loop, todo: list[int]) -> list[_Held]:
    """Integers that definitions are made of in an iteration, with what registers hold of them.

    An instruction that looks at upper bits (a shift to the right, a division, an extension) reads
    them as its type has signs; others go on with lower bits.
    """
    found, signs = set[int](), dict[int, set[TypeKind]]()
    while todo:
        id_ = todo.pop()
        made = structure.ssa.definitions[id_]
        if id_ in found or made.block not in loop.blocks:
            continue
        found.add(id_)
        if made.kind is DefinitionKind.PHI:
            todo += _taken_inside(structure, made)
        if made.kind is not DefinitionKind.INSTRUCTION:
            continue
        instruction = structure.kernel.blocks[made.block].instructions[made.instruction]
        read = structure.ssa.before[made.block][made.instruction].values()
        todo += read
        operation = instruction.operation
        if operation.name not in _UPPER_BITS_ASIDE or {"hi", "wide"} & set(operation.modifiers):
            for each in read:
                signs.setdefault(each, set()).update(t.kind for t in operation.types[-1:])
    return [held for id_ in sorted(found) for held in _held(structure, id_, signs.get(id_, set()))]


def _tested(structure: Structure, loop: Loop) -> list[int]:
    """Definitions that the exits of a loop test."""
    last = (
        (block, len(structure.kernel.blocks[block].instructions) - 1) for block, _ in loop.exits
    )
    return [id_ for block, at in last for id_ in structure.ssa.before[block][at].values()]


def _carried_on(structure: Structure, loop: Loop, carried: Iterable[Atom]) -> list[int]:
    """Definitions that carried values take around a loop."""
    return [
        structure.ssa.out[source.predecessor][index]
        for atom in carried
        for source in structure.ssa.phi_inputs[atom.key]
        if source.predecessor in loop.latches
        for index in registers_in(source.operand)
    ]


def _are_held(stepped: _Evaluation, values: Iterable[_Held]) -> bool:
    """Whether registers hold all of some numbers; what is not known has no part in the count."""
    numbers = ((stepped.number(value), low, end) for value, low, end in values)
    return all(n is None or low <= n < end for n, low, end in numbers)


def _taken_inside(structure: Structure, made: Definition) -> Iterator[int]:
    """Definitions that a φ takes, but for those of a loop's header from before."""
    for source in structure.ssa.phi_inputs[made.id]:
        at = structure.ssa.out[source.predecessor]
        yield from (at[index] for index in registers_in(source.operand) if index in at)


def _held(structure: Structure, id_: int, signs: set[TypeKind]) -> Iterator[_Held]:
    made, type_ = structure.ssa.definitions[id_], structure.ssa.register(id_).type
    if made.kind is not DefinitionKind.INSTRUCTION or not type_.is_integer or not signs:
        return
    unsigned = signs & {TypeKind.UNSIGNED, TypeKind.BITS}
    low = 0 if unsigned else -(1 << type_.bits - 1)
    end = 1 << (type_.bits - 1 if TypeKind.SIGNED in signs else type_.bits)
    yield structure.values.made_from(id_)[0], low, end


class _Evaluation:
    """Numbers of one iteration. What is not known stays as it is."""

    def __init__(self, structure: Structure, given: Mapping[Atom, int]) -> None:
        self._structure, self._given = structure, given
        self._values: dict[Atom, Expression | None] = {}
        self._truths: dict[Atom, bool | None] = {}

    def number(self, value: Expression) -> int | None:
        return self._of(value).constant

    def _of(self, value: Expression) -> Expression:
        return substitute(value, self._known)

    def _known(self, atom: Atom) -> Expression | None:
        if atom not in self._values:
            self._values[atom] = self._value(atom)
        return self._values[atom]

    def _value(self, atom: Atom) -> Expression | None:
        if atom in self._given:
            return number(self._given[atom])
        if atom.kind is AtomKind.MERGE and atom.key >= 0:
            return self._by_way(ways_of(self._structure, atom.key))
        if atom.kind is not AtomKind.OPERATION or atom.key >= 0:
            return None
        if atom.name.startswith("selp."):
            by = self._truth(atom.operands[2])
            return None if by is None else self._of(atom.operands[0 if by else 1])
        if atom.name.startswith("setp.") or atom.name.endswith(".pred"):
            known = self._truth(of(atom))
            return None if known is None else number(int(known))
        return None

    def _truth(self, predicate: Expression) -> bool | None:
        if predicate.constant is not None:
            return bool(predicate.constant & 1)
        atom = predicate.single
        if atom is None:
            return None
        if atom not in self._truths:
            self._truths[atom] = self._outcome(atom)
        return self._truths[atom]

    def _outcome(self, atom: Atom) -> bool | None:
        if atom.kind is not AtomKind.OPERATION:
            found = self._known(atom)
            return None if found is None or found.constant is None else bool(found.constant & 1)
        if atom.name.partition(".")[0] in _LOGIC:
            parts = [self._truth(part) for part in atom.operands]
            return _joined(atom.name, [part for part in parts if part is not None], len(parts))
        sides = tuple(self._of(side) for side in atom.operands)
        known = fact_of(of(Atom(atom.kind, atom.name, atom.key, sides)))
        return known if isinstance(known, bool) else None

    def _by_way(self, ways: Ways | None) -> Expression | None:
        while isinstance(ways, Split):
            last = self._structure.kernel.blocks[ways.block].terminator
            by = self._truth(self._structure.values.truths.guard(ways.block))
            if by is None or last is None or last.guard is None:
                return None
            ways = ways.taken if by != last.guard.negated else ways.fallen
        return None if ways is None else self._of(self._structure.values.taken(ways))


_LOGIC = frozenset({"not", "and", "or", "xor"})


def _joined(name: str, known: list[bool], count: int) -> bool | None:
    """Join the truths of predicates; None where one is missing that decides."""
    if len(known) == count:
        match name.partition(".")[0]:
            case "not":
                return not known[0]
            case "and":
                return all(known)
            case "or":
                return any(known)
            case "xor":
                return known[0] != known[1]
    if name.startswith("and") and not all(known):
        return False
    return True if name.startswith("or") and any(known) else None
