"""When an exit's condition holds for the first time (hybrid estimation, §III-A-2)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from analyzer.analyses.bounds_values import DeeperValues
from analyzer.analyses.conditions import Combined, Compare, Condition, truth
from analyzer.analyses.geometric import MIRRORED, crossing, geometric, simulated, tested
from analyzer.analyses.structure import Structure
from analyzer.cfg.loops import Loop
from analyzer.ir.types import Type, TypeKind
from analyzer.symbolic import SIZES, AtomKind, Expression, apply, leaves, number


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
    """Give the first iteration in which a condition holds; None where none is found."""
    match leaving:
        case Compare():
            return _first_crossing(structure, values, loop, leaving)
        case Combined(word, first, second):
            either = [first_iteration(structure, values, loop, c) for c in (first, second)]
            known = [c for c in either if c is not None]
            if word == "and":
                return _both(known) if _stays(first) and _stays(second) else None
            return _either(known)
    return None


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
    match condition:
        case Compare(word):
            return word not in ("eq", "ne")
        case Combined(_, first, second):
            return _stays(first) and _stays(second)
    return False


def _first_crossing(
    structure: Structure, values: DeeperValues, loop: Loop, leaving: Compare
) -> Crossing | None:
    """Solve a comparison for the loop's counter."""
    counter = structure.values.counter(loop.id)
    (((atom,), _),) = counter.terms
    difference = leaving.left - leaving.right
    slope = difference.coefficient(atom)
    if slope is None:
        return None
    if difference.constant is not None:
        return Crossing(number(0)) if truth(leaving) else None
    if slope.constant == 0:
        found = _geometric_crossing(structure, values, loop, leaving)
        return None if found is None else Crossing(found)
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
    return _linear_crossing(leaving.word, difference - slope * counter, slope)


def first_of_numbers(word: str, start: int, step: int, limit: int, type_: Type) -> int | None:
    """Give the first ``i >= 0`` with ``start + step * i word limit`` in numbers of a type.

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
        steps = simulated(structure, carried[0], leaving, start.constant)
        return None if steps is None else number(steps)
    moved = geometric(structure, carried[0].key)
    test = None if moved is None else tested(leaving.word, difference, carried[0], moved.after)
    return None if moved is None or test is None else crossing(test, start, moved)
