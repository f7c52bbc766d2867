"""First iteration in which an exit's condition holds (hybrid estimation, §III-A-2).

A condition compares values that move by steps, that halve or double, or it reads a flag that the
loop sets; what else numbers alone decide is done iteration by iteration (``uneven_loops``).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from warpmill.analyzer.analyses.cfg.graph import Loop
from warpmill.analyzer.analyses.ranges.bounds_values import DeeperValues
from warpmill.analyzer.analyses.ranges.uneven_loops import (
    MIRRORED,
    counted_by_steps,
    crossing,
    geometric,
    tested,
)
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.choices import unchosen, without_choices
from warpmill.analyzer.analyses.values.conditions import (
    Combined,
    Compare,
    Condition,
    Opaque,
    chosen,
    comparisons,
    guard_condition,
    rewritten,
    truth,
)
from warpmill.analyzer.analyses.values.operation_rules import cut_of
from warpmill.analyzer.analyses.values.ssa import Split, Ways, ways_of
from warpmill.analyzer.analyses.values.symbolic import (
    SIZES,
    Atom,
    AtomKind,
    Expression,
    apply,
    leaves,
    number,
    of,
    substitute,
)
from warpmill.analyzer.ir.types import Type, TypeKind


@dataclass(frozen=True, slots=True)
class Crossing:
    """The first iteration, from 0, in which a loop is left; ``at_most``: data may end it before.

    ``if_met``: it is a test for equality, and whether a counter comes to be equal is not known. It
    counts where nothing else is known to end the loop.
    """

    iteration: Expression
    at_most: bool = False
    if_met: bool = False


def first_iteration(
    structure: Structure, values: DeeperValues, loop: Loop, leaving: Condition
) -> Crossing | None:
    """The first iteration in which a condition holds; None where none is found."""
    found: dict[int, Crossing | None] = {}  # by identity: equal ones may differ in their type

    def first_of(condition: Condition) -> Crossing | None:
        if id(condition) not in found:
            found[id(condition)] = joined(condition)
        return found[id(condition)]

    def joined(condition: Condition) -> Crossing | None:
        match condition:
            case Compare():
                return _first_crossing(structure, values, loop, condition)
            case Combined(word, first, second):
                known = [c for c in (first_of(first), first_of(second)) if c is not None]
                if word == "and":
                    return _both(known) if _stays(condition) else None
                return _either(known)
        return None

    return first_of(leaving)


def _either(known: list[Crossing]) -> Crossing | None:
    """Join what ends a loop by itself; what is not known may end it before."""
    sure = [c for c in known if not c.if_met]
    known = sure or known
    if len(known) < 2:
        return replace(known[0], at_most=True) if known else None
    if not sure:
        return None
    iteration = apply("min", known[0].iteration, known[1].iteration)
    return Crossing(iteration, known[0].at_most or known[1].at_most)


def _both(known: list[Crossing]) -> Crossing | None:
    """Join what ends a loop together, where each goes on to hold once it does."""
    if len(known) < 2 or known[0].at_most or known[1].at_most:
        return None
    return Crossing(apply("max", known[0].iteration, known[1].iteration))


def _stays(condition: Condition) -> bool:
    return all(
        isinstance(part, Compare) and part.word not in ("eq", "ne")
        for part in comparisons(condition)
    )


def _first_crossing(
    structure: Structure, values: DeeperValues, loop: Loop, leaving: Compare
) -> Crossing | None:
    """Solve a comparison for the loop's counter."""
    counter = structure.values.counter(loop.id)
    (((atom,), _),) = counter.terms
    difference = leaving.left - leaving.right
    slope = difference.coefficient(atom)
    if slope is None:
        return _cut_crossing(structure, loop, leaving) or _stepped(structure, values, loop, leaving)
    if difference.constant is not None:
        return Crossing(number(0)) if truth(leaving) else None
    if slope.constant == 0:
        cut = _cut_crossing(structure, loop, leaving)
        if cut is not None:
            return cut
        stepped = _stepped(structure, values, loop, leaving)
        if stepped is not None:
            return stepped
        found = _geometric_crossing(structure, values, loop, leaving)
        return (
            _flag_crossing(structure, values, loop, leaving) if found is None else Crossing(found)
        )
    if leaving.type is not None:
        turned = (leaving.word, leaving.left, leaving.right)
        for word, own, limit in (turned, (MIRRORED[leaving.word], leaving.right, leaving.left)):
            step = own.coefficient(atom)
            numbers = [] if step is None else [own - step * counter, step, limit]
            known = [n.constant for n in numbers if n.constant is not None]
            if len(known) == 3:
                start, by, end = known
                first = first_of_numbers(word, start, by, end, leaving.type)
                return None if first is None else Crossing(number(first))
    wrapped = _wrapping(leaving, counter, atom)
    return wrapped or _linear_crossing(leaving.word, difference - slope * counter, slope)


def _wrapping(leaving: Compare, counter: Expression, atom: Atom) -> Crossing | None:
    """Count down an unsigned number that starts below its limit: it ends beyond 0, at the top."""
    if leaving.type is None or leaving.type.kind is not TypeKind.UNSIGNED:
        return None
    turned = (leaving.word, leaving.left, leaving.right)
    for word, own, limit in (turned, (MIRRORED[leaving.word], leaving.right, leaving.left)):
        step = own.coefficient(atom)
        down = None if step is None else (-step).constant
        if word not in ("gt", "ge") or down is None or down <= 0 or atom in limit.atoms:
            continue
        start = own + number(down) * counter
        ahead = (start - limit).constant
        if ahead is not None and ahead < (word == "gt"):
            return Crossing(_from_zero(apply("floordiv", start, number(down)) + number(1)))
    return None


def first_of_numbers(word: str, start: int, step: int, limit: int, type_: Type) -> int | None:
    """The first ``i >= 0`` with ``start + step * i word limit`` in numbers of a type.

    None where there is none before the numbers leave the type's range. Where equal ones are looked
    for, they may leave that of signed or of unsigned numbers: the bits are the same.
    """
    step = type_.read_near_zero(step)
    if word == "ne":
        is_equal = type_.read(start) == type_.read(limit)
        return None if is_equal and not step else int(is_equal)
    if word == "eq":
        spans = (read(limit) - read(start) for read in (type_.read, type_.read_near_zero))
        return next((n // step for n in spans if step and not n % step and n // step >= 0), None)
    start, limit = type_.read(start), type_.read(limit)
    low = type_.read(1 << type_.bits - 1) if type_.kind is TypeKind.SIGNED else 0
    last = low + (1 << type_.bits) - 1
    if step < 0:
        word, start, step, limit, last = MIRRORED[word], -start, -step, -limit, -low
    if word in ("lt", "le"):
        return 0 if start < limit + (word == "le") else None
    to_go = limit + (word == "gt") - start
    if to_go <= 0 or not step:
        return 0 if to_go <= 0 else None
    found = -(-to_go // step)
    return found if start + step * found <= last else None


def _cut_crossing(structure: Structure, loop: Loop, leaving: Compare) -> Crossing | None:
    """Solve for a counter of bytes or half words, which is cut to its type where it is read."""
    counter = structure.values.counter(loop.id)
    (((atom,), _),) = counter.terms
    turned = (leaving.word, leaving.left, leaving.right)
    for word, own, limit in (turned, (MIRRORED[leaving.word], leaving.right, leaving.left)):
        cut = cut_of(own)
        if cut is None or atom in limit.atoms:
            continue
        moving, type_ = _by_counter(structure, loop, cut[0], cut[1].bits), cut[1]
        step = None if moving is None else moving.coefficient(atom)
        if moving is None or step is None or not step.constant:
            continue
        start = moving - step * counter
        if start.constant is not None and limit.constant is not None:
            numbers = (start.constant, step.constant, limit.constant)
            return _first_in_type(word, *numbers, type_)
        if start.constant is None or type_.read(start.constant) != start.constant:
            return None
        if step.constant < 0:
            return _of_one_step(MIRRORED[word], -start, -step, -limit, type_)
        return _of_one_step(word, start, step, limit, type_)
    return None


def _of_one_step(
    word: str, start: Expression, step: Expression, limit: Expression, type_: Type
) -> Crossing | None:
    """Count steps of one up to a limit, which others may leave out, and go round beyond it.

    Where the type has no such number the loop does not end by it.
    """
    if step.constant != 1:
        return None
    if word in ("gt", "ge"):
        return Crossing(_from_zero(limit - start + number(word == "gt")))
    if word == "eq":
        return Crossing(apply("and", limit - start, number((1 << type_.bits) - 1)))
    return None


def _by_counter(
    structure: Structure, loop: Loop, value: Expression, bits: int
) -> Expression | None:
    """A value's lowest bits in terms of the loop's counter; None where they are not even."""
    counter = structure.values.counter(loop.id)
    for atom in value.atoms:
        if atom.kind is not AtomKind.CARRIED:
            continue
        if structure.ssa.definitions[atom.key].block != loop.header:
            return None
        low = structure.values.low_bits(atom.key, bits)
        slope = value.coefficient(atom)
        if low is None or slope is None:
            return None
        start, step = (structure.values.closed(each, loop.header) for each in low)
        value = value + slope * (start + step * counter - of(atom))
    return value


def _first_in_type(word: str, start: int, step: int, limit: int, type_: Type) -> Crossing | None:
    """Go through the numbers of a type as they wrap around; None where no one ends it."""
    holds = _HOLDS[word]
    first = (i for i in range(1 << type_.bits) if holds(type_.read(start + step * i), limit))
    found = next(first, None)
    return None if found is None else Crossing(number(found))


_HOLDS: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt,
    "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip


def _linear_crossing(word: str, start: Expression, step: Expression) -> Crossing | None:
    """First ``i >= 0`` with ``start + step * i word 0``, where the step leads there."""
    if _is_positive(-step):
        word, start, step = MIRRORED[word], -start, -step
    if not _is_positive(step):
        return _given_crossing(word, start, step)
    to_go = -start
    match word:
        case "gt":
            return Crossing(_from_zero(apply("floordiv", to_go, step) + number(1)))
        case "ge":
            return Crossing(_from_zero(apply("ceildiv", to_go, step)))
        case "eq":
            return Crossing(apply("div", to_go, step), if_met=not _is_met(to_go, step))
    return None


def _given_crossing(word: str, start: Expression, step: Expression) -> Crossing | None:
    """Do it with a step that the launch gives: a loop that goes on at first ends by one alone.

    A step of the other sign, or none, has no count: the formula then divides by zero.
    """
    if word in ("lt", "le"):
        word, start, step = MIRRORED[word], -start, -step
    if word not in ("gt", "ge") or step.kinds() != {AtomKind.ARGUMENT}:
        return None
    to_go = _from_zero(-start + number(word == "gt"))
    return Crossing(apply("ceildiv", to_go, apply("max", number(0), step)))


def _is_met(to_go: Expression, step: Expression) -> bool:
    """Whether steps lead to what is just that far away in every launch."""
    unit, low = step.constant, to_go.lower_bound
    whole = unit is not None and all(c % unit == 0 for _, c in to_go.terms)
    return whole and low is not None and low >= 0


def _is_positive(step: Expression) -> bool:
    """Whether a step is above zero in every launch: a number, or made of the launch's sizes."""
    return bool(step.terms) and all(
        coefficient > 0 and all(a.kind is AtomKind.SPECIAL and a.name in SIZES for a in monomial)
        for monomial, coefficient in step.terms
    )


def _from_zero(expression: Expression) -> Expression:
    return apply("max", number(0), expression)


def _stepped(
    structure: Structure, values: DeeperValues, loop: Loop, leaving: Compare
) -> Crossing | None:
    """Count by doing it, where what the loop carries starts at plain numbers."""

    def start_of(raw: Expression) -> Expression:
        return values.resolved(structure.values.closed(raw, loop.header), loop.header)

    found = counted_by_steps(structure, loop, leaving, start_of)
    return None if found is None else Crossing(number(found))


def _flag_crossing(
    structure: Structure, values: DeeperValues, loop: Loop, leaving: Compare
) -> Crossing | None:
    """Count a loop that ends by a flag: one iteration after that in which the flag is raised."""
    carried = [
        a
        for a in (leaving.left - leaving.right).atoms
        if a.kind is AtomKind.CARRIED and structure.ssa.definitions[a.key].block == loop.header
    ]
    after = set(structure.values.step_expressions(carried[0].key)) if len(carried) == 1 else set()
    raw = structure.values.start_expression(carried[0].key) if after else None
    if raw is None or len(after) != 1:
        return None
    flag = Flag(structure, leaving, carried[0])
    start = values.resolved(structure.values.closed(raw, loop.header), loop.header)
    is_raised = truth(flag.raised_by(start))
    if is_raised is None:
        return None
    if is_raised:
        return Crossing(number(0))
    raised = flag.raised(after.pop())
    if raised is None:
        return None
    resolved = values.condition(without_choices(raised), loop.latches[0], loop.header)
    if any(carried[0] in side.atoms for side in sides_of(resolved)):
        return None
    first = first_iteration(structure, values, loop, resolved)
    return None if first is None else replace(first, iteration=first.iteration + number(1))


def _geometric_crossing(
    structure: Structure, values: DeeperValues, loop: Loop, leaving: Compare
) -> Expression | None:
    """Solve for a value that halves (until it is below) or doubles (until it has reached)."""
    difference = leaving.left - leaving.right
    carried = [
        a
        for a in difference.atoms
        if a.kind is AtomKind.CARRIED and structure.ssa.definitions[a.key].block == loop.header
    ]
    raw = structure.values.start_expression(carried[0].key) if len(carried) == 1 else None
    if raw is None:
        return None
    start = values.resolved(structure.values.closed(raw, loop.header), loop.header)
    if start.constant is not None and set(leaves(difference)) == set(carried):
        return None  # done by steps, it came to no end
    moved = geometric(structure, carried[0].key)
    test = None if moved is None else tested(leaving.word, difference, carried[0], moved.after)
    return None if moved is None or test is None else crossing(test, start, moved)


# Flags that loops end by: when the value that a test looks at becomes one that ends it.


class Flag:
    """A value ``own`` that a loop carries and its test ``leaving`` looks at."""

    def __init__(self, structure: Structure, leaving: Compare, own: Atom) -> None:
        self._structure, self._leaving, self._own = structure, leaving, own

    def raised_by(self, value: Expression) -> Condition:
        """Condition under which the test ends the loop for a value of the flag."""

        def replacement(atom: Atom) -> Expression | None:
            return value if atom == self._own else None

        test = self._leaving
        left, right = (
            _read(substitute(side, replacement), test.type) for side in (test.left, test.right)
        )
        return unchosen(Compare(test.word, left, right, test.type))

    def raised(self, after: Expression) -> Condition | None:
        """Condition under which an iteration ends the loop (raw ``after``); None: unknown.

        Where it stays what it was, the loop goes on as it did.
        """
        if after == of(self._own):
            return _NEVER
        if len(after.terms) == 1 and len(after.terms[0][0]) == 1 and after.terms[0][1] == 1:
            (atom,) = after.terms[0][0]
            if atom.kind is AtomKind.MERGE and atom.key >= 0:
                ways = ways_of(self._structure, atom.key)
                return None if ways is None else self._by_ways(ways)
        made = self.raised_by(after)
        return None if isinstance(made, Opaque) else self._closed(made)

    def _by_ways(self, ways: Ways) -> Condition | None:
        if not isinstance(ways, Split):
            return self.raised(self._structure.values.taken(ways))
        sides = [self._by_ways(side) for side in (ways.taken, ways.fallen)]
        last = self._structure.kernel.blocks[ways.block].terminator
        if sides[0] is None or sides[1] is None or last is None or last.guard is None:
            return None
        place = len(self._structure.kernel.blocks[ways.block].instructions) - 1
        by = guard_condition(self._structure, ways.block, place, last.guard)
        return chosen(by, sides[0], sides[1])

    def _closed(self, condition: Condition) -> Condition:
        """A condition in terms of the loop's counter, as in the flag's block."""
        block = self._structure.ssa.definitions[self._own.key].block

        def closed(part: Compare | Opaque) -> Condition:
            if isinstance(part, Opaque):
                return part
            left, right = (self._structure.values.closed(s, block) for s in (part.left, part.right))
            return Compare(part.word, left, right, part.type)

        return rewritten(condition, closed)


def _read(side: Expression, type_: Type | None) -> Expression:
    """A number as the comparison's type reads its bits."""
    known = side.constant
    return side if known is None or type_ is None else number(type_.read(known))


_NEVER = Compare("ne", number(0), number(0))


def sides_of(condition: Condition) -> Iterator[Expression]:
    """All that is compared in a condition."""
    for part in comparisons(condition):
        yield from (part.left, part.right) if isinstance(part, Compare) else part.inputs
