"""Loops whose values move by no even step: counted one by one, or by halves and doubles.

What a loop carries may move in any way that is made of itself and of other such values: ``k *= 3``,
``a, b = b, a + b``, a division that branches round down. Nothing is done where the start is no
number, where memory or the launch has a part, and where a number leaves its register: that of the
value, or one on the way to it, whose upper bits what follows would read. Values that halve or
double have a closed form, so that their limit may be a formula.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from warpmill.analyzer.analyses.cfg.graph import Loop
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.conditions import Compare, truth
from warpmill.analyzer.analyses.values.ssa import Definition, DefinitionKind, Split, Ways, ways_of
from warpmill.analyzer.analyses.values.symbolic import (
    Atom,
    AtomKind,
    Expression,
    apply,
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
    """The first iteration, from 0, in which a comparison holds; None where it is not found.

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
    """Next value of each carried value that others rest on; None where more has a part."""
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
    """Values that paths bring, and the predicates by which they diverge (raw)."""
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


# Values that halve or double around a loop, and the iteration in which they pass a limit.


@dataclass(frozen=True, slots=True)
class Geometric:
    """A value that moves left by ``shift`` bits each iteration; negative: to the right.

    ``start`` is raw, as the loop's header sees it; ``after`` is the value an iteration later, in
    terms of itself; ``is_rounded_to_zero``: a negative value is divided and not shifted.
    """

    start: Expression
    shift: int
    after: Expression
    is_rounded_to_zero: bool


def geometric(structure: Structure, definition: int) -> Geometric | None:
    """How a loop header's φ halves or doubles; None where it does neither."""
    start = structure.values.start_expression(definition)
    steps = set(structure.values.step_expressions(definition))
    if start is None or len(steps) != 1:
        return None
    (after,) = steps
    name = structure.ssa.register(definition).name
    own = Atom(AtomKind.CARRIED, name, definition)
    shift = _left(after, own) or -_right(after, own)
    if not shift:
        return None
    made = after.single
    return Geometric(start, shift, after, made is not None and made.name == "div")


def _left(after: Expression, own: Atom) -> int:
    if len(after.terms) != 1 or after.terms[0][0] != (own,):
        return 0
    return _bits(after.terms[0][1])


def _right(after: Expression, own: Atom) -> int:
    made = after.single
    if made is None or made.name not in ("floordiv", "div") or made.operands[0] != of(own):
        return 0
    return _bits(made.operands[1].constant or 0)


def _bits(factor: int) -> int:
    return factor.bit_length() - 1 if factor > 1 and not factor & (factor - 1) else 0


def closed_form(start: Expression, moved: Geometric, iteration: Expression) -> Expression:
    """The value in an iteration, where the start is not negative."""
    shift = number(abs(moved.shift)) * iteration
    if moved.shift > 0:
        return apply("shl", start, shift)
    return apply("shr", start, shift)


def bit_length(value: Expression) -> Expression:
    """How many binary digits a value has, in terms of what it was shifted from."""
    atom = value.single
    is_own = atom is not None and atom.kind is AtomKind.OPERATION and atom.key < 0
    if atom is None or not is_own or len(atom.operands) != 2:
        return apply("bitlength", value)
    inner, by = atom.operands
    if atom.name == "shl" and (inner.constant or 0) > 0:
        return apply("bitlength", inner) + by
    if atom.name in ("floordiv", "div") and _bits(by.constant or 0):
        left = bit_length(inner) - number(_bits(by.constant or 0))
        return left if is_natural(left) else apply("bitlength", value)
    return apply("bitlength", value)


def is_natural(value: Expression) -> bool:
    """Whether a value is never negative: a sum of ids, sizes, counters and numbers above zero."""
    return all(c > 0 and all(a.kind in _NATURAL for a in m) for m, c in value.terms)


_NATURAL = frozenset({AtomKind.SPECIAL, AtomKind.COUNTER})


def _from_zero(value: Expression) -> Expression:
    return value if is_natural(value) else apply("max", number(0), value)


@dataclass(frozen=True, slots=True)
class Tested:
    """Comparison in a loop: ``value word threshold``; ``ahead`` iterations before is the value."""

    word: str
    threshold: Expression
    ahead: int


MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
"""Comparisons read from the other side."""


def tested(word: str, difference: Expression, own: Atom, after: Expression) -> Tested | None:
    """Solve ``difference word 0`` for a carried value, as it is or as it will be next."""
    for ahead, value in enumerate((of(own), after)):
        for rest, turned in ((difference - value, word), (-difference - value, MIRRORED[word])):
            if own not in rest.atoms:
                return Tested(turned, -rest, ahead)
    return None


def crossing(test: Tested, start: Expression, moved: Geometric) -> Expression | None:
    """The first iteration, from 0, in which a halving or doubling value passes its test."""
    if moved.shift < 0:
        return _halving(test, start, moved)
    return _doubling(test, start, moved.shift)


def _halving(test: Tested, start: Expression, moved: Geometric) -> Expression | None:
    """First ``i`` with ``start >> (shift * i)`` below a power of two."""
    limit, shift = test.threshold.constant, -moved.shift
    if limit is None:
        return None
    if test.word == "eq" and moved.is_rounded_to_zero and not is_natural(start):
        return None
    below = {"lt": limit, "le": limit + 1, "eq": 1 if limit == 0 else 0}.get(test.word, 0)
    if below <= 0 or below & (below - 1):
        return None
    small = below.bit_length() - 1 + shift * test.ahead
    bits = bit_length(start) - number(small)
    return apply("ceildiv", _from_zero(bits), number(shift))


def _doubling(test: Tested, start: Expression, shift: int) -> Expression | None:
    """First ``i`` with ``start << (shift * i)`` at or above a threshold, for a plain start."""
    first = start.constant
    if first is None or first <= 0 or test.word not in ("ge", "gt"):
        return None
    first <<= shift * test.ahead
    reach = test.threshold + number(1) if test.word == "gt" else test.threshold
    doublings = apply("log2ceil", apply("ceildiv", reach, number(first)))
    return apply("ceildiv", doublings, number(shift))


@dataclass(frozen=True, slots=True)
class Saturating:
    """A value that moves by one each iteration, up or down, until it has come to ``limit``."""

    start: Expression
    step: int
    limit: Expression


def saturating(structure: Structure, definition: int) -> Saturating | None:
    """How a loop header's φ counts to a limit and stays there, as numba's ranges do.

    ``n + selp(-1, 0, n > 0)``: what is added is chosen by whether the limit is still ahead.
    """
    start = structure.values.start_expression(definition)
    steps = set(structure.values.step_expressions(definition))
    if start is None or len(steps) != 1:
        return None
    own = of(Atom(AtomKind.CARRIED, structure.ssa.register(definition).name, definition))
    chosen = (steps.pop() - own).single
    if chosen is None or not chosen.name.startswith("selp.") or chosen.key >= 0:
        return None
    step, rest, by = chosen.operands
    known = fact_of(by)
    if rest.constant != 0 or isinstance(known, bool) or known[0].word != "gt":
        return None
    fact, is_so = known
    # where it still moves: own > limit for a way down, own < limit for a way up
    if step.constant == -1 and is_so and fact.left == own and _is_steady(fact.right):
        return None if fact.is_unsigned else Saturating(start, -1, fact.right)
    if step.constant == 1 and is_so and fact.right == own and _is_steady(fact.left):
        return None if fact.is_unsigned else Saturating(start, 1, fact.left)
    return None


def _is_steady(limit: Expression) -> bool:
    """Whether a limit is the same in all iterations of all loops."""
    return limit.kinds() <= {AtomKind.ARGUMENT, AtomKind.SPECIAL}


def saturated(start: Expression, moved: Saturating, iteration: Expression) -> Expression:
    """The value in an iteration: one that starts beyond the limit stays where it is."""
    there = "max" if moved.step < 0 else "min"
    stays = apply("min" if moved.step < 0 else "max", start, moved.limit)
    return apply(there, stays, start + number(moved.step) * iteration)
