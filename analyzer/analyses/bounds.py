"""How often loops iterate (hybrid estimation, §III-A-2).

A loop leaves through its exits. Each exit whose condition compares something that moves evenly
(``start + step * i``) or by halves and doubles gives a count; the loop's count is the least of
them. An exit that data decide makes the others an upper bound; where data decide all, the count
is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from analyzer.analyses.conditions import Combined, Compare, Condition, guard_condition, negated
from analyzer.analyses.structure import Structure
from analyzer.cfg.loops import Loop
from analyzer.symbolic import Atom, AtomKind, Expression, apply, number, of


@dataclass(frozen=True, slots=True)
class Known:
    """A trip count that is a plain number."""

    count: int

    def __str__(self) -> str:
        return str(self.count)


@dataclass(frozen=True, slots=True)
class Symbolic:
    """A trip count as a formula in launch parameters, ids and outer counters."""

    formula: Expression

    def __str__(self) -> str:
        return str(self.formula)


@dataclass(frozen=True, slots=True)
class Unknown:
    """A trip count that cannot be told, and why; ``most`` is the most that it can be, if known."""

    reason: str
    most: int | None = None

    def __str__(self) -> str:
        return f"unknown ({self.reason})"


TripCount = Known | Symbolic | Unknown


@dataclass(frozen=True, slots=True)
class ExitBound:
    """One edge out of a loop: when it is taken, and the iterations before that."""

    source: int
    target: int
    condition: Condition | None
    trips: TripCount


@dataclass(frozen=True, slots=True)
class LoopBound:
    """The trip count of one loop: how often its body runs each time it is entered.

    A loop that tests at its bottom runs at least once. ``at_most`` says that an exit which data
    decide may end it earlier.
    """

    loop: int
    header: int
    trips: TripCount
    at_most: bool
    bottom_tested: bool
    exits: tuple[ExitBound, ...]


def loop_bounds(structure: Structure) -> tuple[LoopBound, ...]:
    """Give the bound of every loop, outer loops before those inside."""
    return tuple(_bound(structure, loop) for loop in structure.loops.loops)


def _bound(structure: Structure, loop: Loop) -> LoopBound:
    exits = tuple(_exit_bound(structure, loop, s, t) for s, t in loop.exits)
    known = [e.trips for e in exits if not isinstance(e.trips, Unknown)]
    unknown = [e.trips for e in exits if isinstance(e.trips, Unknown)]
    bottom = all(source in loop.latches for source, _ in loop.exits)
    if not exits:
        trips: TripCount = Unknown("it has no exit")
    elif not known:
        trips = unknown[0]
    else:
        trips = _least(known)
    return LoopBound(loop.id, loop.header, trips, bool(known and unknown), bottom, exits)


def _least(counts: Iterable[Known | Symbolic]) -> TripCount:
    formulas = [number(c.count) if isinstance(c, Known) else c.formula for c in counts]
    least = formulas[0]
    for formula in formulas[1:]:
        least = apply("min", least, formula)
    return _trip_count(least)


def _trip_count(formula: Expression) -> TripCount:
    """Give a formula as a count; one that rests on loaded values is none before the run."""
    constant = formula.constant
    if constant is not None:
        return Known(constant)
    if formula.kinds() & _UNDECIDED:
        return Unknown(f"data decide it: {formula}", _most(formula))
    return Symbolic(formula)


def _most(formula: Expression) -> int | None:
    """Give an upper bound for a masked value or a remainder, as unrolled loops leave them."""
    if len(formula.terms) != 1 or formula.terms[0][1] != 1 or len(formula.terms[0][0]) != 1:
        return None
    (((atom,), _),) = formula.terms
    limits = [o.constant for o in atom.operands]
    if atom.name == "and":
        masks = [c for c in limits if c is not None and c >= 0]
        return min(masks) if masks else None
    if atom.name == "rem" and limits[1] is not None and limits[1] > 0:
        return limits[1] - 1
    return None


_UNDECIDED = frozenset({AtomKind.LOAD, AtomKind.MERGE, AtomKind.CARRIED, AtomKind.UNKNOWN})
"""What a launch alone does not tell."""


def _exit_bound(structure: Structure, loop: Loop, source: int, target: int) -> ExitBound:
    block = structure.kernel.blocks[source]
    last = block.terminator
    if last is None or last.guard is None:
        return ExitBound(source, target, None, Unknown("it leaves by a jump that is no test"))
    condition = guard_condition(structure, source, len(block.instructions) - 1, last.guard)
    leaves_when_true = target in last.targets or not last.targets
    if target == block.fallthrough and target not in last.targets:
        leaves_when_true = False
    leaving = condition if leaves_when_true else negated(condition)
    return ExitBound(source, target, leaving, _trips(structure, loop, source, leaving))


def _trips(structure: Structure, loop: Loop, source: int, leaving: Condition) -> TripCount:
    innermost = structure.loops.innermost(source)
    if innermost is None or innermost.id != loop.id:
        return Unknown("it leaves from inside an inner loop")
    if not all(structure.dominators.dominates(source, latch) for latch in loop.latches):
        return Unknown(f"its test is not made in every iteration: {leaving}")
    first = _first_iteration(structure, loop, leaving)
    if first is None:
        return Unknown(_reason(leaving))
    tested_after_body = source in loop.latches
    return _trip_count(_one_more(first) if tested_after_body else first)


def _one_more(count: Expression) -> Expression:
    """Add one to a count, inside its maximum and division so that the formula stays short."""
    ((monomial, coefficient), *rest) = count.terms or (((), 0),)
    if rest or coefficient != 1 or len(monomial) != 1:
        return count + number(1)
    (atom,) = monomial
    if atom.name == "max" and number(0) in atom.operands:
        (inner,) = [o for o in atom.operands if o != number(0)] or [number(0)]
        return apply("max", number(1), _one_more(inner))
    if atom.name in ("ceildiv", "floordiv"):
        above, below = atom.operands
        return apply(atom.name, above + below, below)
    return count + number(1)


def _reason(leaving: Condition) -> str:
    return f"it ends when {leaving}"


def _first_iteration(structure: Structure, loop: Loop, leaving: Condition) -> Expression | None:
    """Give the first iteration, from 0, in which a condition holds; None where none is found."""
    match leaving:
        case Compare(word, left, right):
            return _first_crossing(structure, loop, word, left - right)
        case Combined("or", first, second):
            either = [_first_iteration(structure, loop, c) for c in (first, second)]
            if either[0] is None or either[1] is None:
                return None
            return apply("min", either[0], either[1])
    return None


def _first_crossing(
    structure: Structure, loop: Loop, word: str, difference: Expression
) -> Expression | None:
    """Solve ``difference word 0`` for the loop's counter."""
    counter = structure.values.counter(loop.id)
    (((atom,), _),) = counter.terms
    slope = difference.coefficient(atom)
    if slope is None:
        return None
    if slope.constant == 0:
        return _geometric_crossing(structure, loop, word, difference)
    return _linear_crossing(word, difference - slope * counter, slope)


def _linear_crossing(word: str, start: Expression, step: Expression) -> Expression | None:
    """First ``i >= 0`` with ``start + step * i word 0``, where the step leads there."""
    if _is_positive(-step):
        word, start, step = _MIRRORED[word], -start, -step
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
    structure: Structure, loop: Loop, word: str, difference: Expression
) -> Expression | None:
    """Solve for a value that halves (until it is below) or doubles (until it has reached)."""
    carried = [
        a
        for a in difference.atoms
        if a.kind is AtomKind.CARRIED and structure.ssa.definitions[a.key].block == loop.header
    ]
    if len(carried) != 1:
        return None
    start = _starts(structure, loop, carried[0])
    shift = _shift(structure, carried[0])
    tested = None if shift is None else _tested(word, difference, carried[0], shift)
    if start is None or shift is None or tested is None:
        return None
    if shift < 0:
        return _halving(tested, start, -shift)
    return _doubling(tested, start, shift)


@dataclass(frozen=True, slots=True)
class _Tested:
    """What is compared: ``value word threshold``; ``ahead`` iterations before it is the value."""

    word: str
    threshold: Expression
    ahead: int


def _tested(word: str, difference: Expression, carried: Atom, shift: int) -> _Tested | None:
    """Solve ``difference word 0`` for a shifted value, as it is or as it will be next."""
    for ahead, value in enumerate((of(carried), _shifted(of(carried), shift))):
        for rest, turned in ((difference - value, word), (-difference - value, _MIRRORED[word])):
            if carried not in rest.atoms:
                return _Tested(turned, -rest, ahead)
    return None


_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
"""Comparisons read from the other side."""


def _shifted(value: Expression, shift: int) -> Expression:
    """Give a value moved left by ``shift`` bits; negative: to the right."""
    if shift < 0:
        return apply("floordiv", value, number(1 << -shift))
    return value * number(1 << shift)


def _starts(structure: Structure, loop: Loop, atom: Atom) -> Expression | None:
    found = {
        structure.values.of_phi_input(i)
        for i in structure.ssa.phi_inputs[atom.key]
        if i.predecessor not in loop.blocks
    }
    return found.pop() if len(found) == 1 else None


def _shift(structure: Structure, atom: Atom) -> int | None:
    """Bits that a carried value moves left each iteration; negative: to the right."""
    after = set(structure.values.step_expressions(atom.key))
    if len(after) != 1:
        return None
    next_ = after.pop()
    shifts = (sign * bits for bits in range(1, 32) for sign in (1, -1))
    return next((shift for shift in shifts if next_ == _shifted(of(atom), shift)), None)


def _halving(tested: _Tested, start: Expression, shift: int) -> Expression | None:
    """First ``i`` with ``start >> (shift * i)`` below a power of two."""
    limit = tested.threshold.constant
    if limit is None:
        return None
    below = {"lt": limit, "le": limit + 1, "eq": 1 if limit == 0 else 0}.get(tested.word, 0)
    if below <= 0 or below & (below - 1):
        return None
    small = below.bit_length() - 1 + shift * tested.ahead
    bits = apply("bitlength", start) - number(small)
    return apply("ceildiv", _from_zero(bits), number(shift))


def _doubling(tested: _Tested, start: Expression, shift: int) -> Expression | None:
    """First ``i`` with ``start << (shift * i)`` at or above a threshold, for a plain start."""
    first = start.constant
    if first is None or first <= 0 or tested.word not in ("ge", "gt"):
        return None
    first <<= shift * tested.ahead
    reach = tested.threshold + number(1) if tested.word == "gt" else tested.threshold
    doublings = apply("log2ceil", apply("ceildiv", reach, number(first)))
    return apply("ceildiv", doublings, number(shift))
