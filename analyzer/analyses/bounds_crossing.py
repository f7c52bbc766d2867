"""When an exit's condition holds for the first time (hybrid estimation, §III-A-2)."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.analyses.bounds_values import DeeperValues
from analyzer.analyses.conditions import Combined, Compare, Condition
from analyzer.analyses.geometric import MIRRORED, crossing, geometric, simulated, tested
from analyzer.analyses.structure import Structure
from analyzer.cfg.loops import Loop
from analyzer.symbolic import AtomKind, Expression, apply, number


@dataclass(frozen=True, slots=True)
class Crossing:
    """The first iteration, from 0, in which a loop is left; ``at_most``: data may end it before."""

    iteration: Expression
    at_most: bool = False


def first_iteration(
    structure: Structure, values: DeeperValues, loop: Loop, leaving: Condition
) -> Crossing | None:
    """Give the first iteration in which a condition holds; None where none is found."""
    match leaving:
        case Compare(word, left, right):
            found = _first_crossing(structure, values, loop, word, left - right)
            return None if found is None else Crossing(found)
        case Combined(word, first, second):
            either = [first_iteration(structure, values, loop, c) for c in (first, second)]
            known = [c for c in either if c is not None]
            if word == "and":
                return _both(known) if _stays(first) and _stays(second) else None
            return _either(known)
    return None


def _either(known: list[Crossing]) -> Crossing | None:
    """Join what ends a loop by itself; what is not known may end it before."""
    if len(known) < 2:
        return Crossing(known[0].iteration, at_most=True) if known else None
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
    structure: Structure, values: DeeperValues, loop: Loop, word: str, difference: Expression
) -> Expression | None:
    """Solve ``difference word 0`` for the loop's counter."""
    counter = structure.values.counter(loop.id)
    (((atom,), _),) = counter.terms
    slope = difference.coefficient(atom)
    if slope is None:
        return None
    if slope.constant == 0:
        return _geometric_crossing(structure, values, loop, word, difference)
    return _linear_crossing(word, difference - slope * counter, slope)


def _linear_crossing(word: str, start: Expression, step: Expression) -> Expression | None:
    """First ``i >= 0`` with ``start + step * i word 0``, where the step leads there."""
    if _is_positive(-step):
        word, start, step = MIRRORED[word], -start, -step
    if not _is_positive(step):
        return None
    to_go = -start
    match word:
        case "gt":
            return _from_zero(apply("floordiv", to_go, step) + number(1))
        case "ge":
            return _from_zero(apply("ceildiv", to_go, step))
        case "eq":
            return apply("div", to_go, step)
    return None


def _is_positive(step: Expression) -> bool:
    """Whether a step is above zero in every launch: a number, or made of the launch's sizes."""
    return bool(step.terms) and all(
        coefficient > 0 and all(a.kind is AtomKind.SPECIAL and a.name in _SIZES for a in monomial)
        for monomial, coefficient in step.terms
    )


_SIZES = frozenset(f"{name}.{axis}" for name in ("ntid", "nctaid") for axis in "xyz")


def _from_zero(expression: Expression) -> Expression:
    return apply("max", number(0), expression)


def _geometric_crossing(
    structure: Structure, values: DeeperValues, loop: Loop, word: str, difference: Expression
) -> Expression | None:
    """Solve for a value that halves (until it is below) or doubles (until it has reached)."""
    carried = [
        a
        for a in difference.atoms
        if a.kind is AtomKind.CARRIED and structure.ssa.definitions[a.key].block == loop.header
    ]
    raw = structure.values.start_expression(carried[0].key) if len(carried) == 1 else None
    if raw is None:
        return None
    start = values.resolved(structure.values.closed(raw, loop.header), loop.header)
    moved = geometric(structure, carried[0].key)
    test = None if moved is None else tested(word, difference, carried[0], moved.after)
    found = None if moved is None or test is None else crossing(test, start, moved)
    if found is not None:
        return found
    steps = simulated(structure, carried[0], word, difference, start)
    return None if steps is None else number(steps)
