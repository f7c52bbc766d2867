"""How often loops iterate (hybrid estimation, §III-A-2).

A loop leaves through its exits. Each exit whose condition compares something that moves evenly
(``start + step * i``) or by halves and doubles gives a count; the loop's count is the least of
them. An exit that data decide makes the others an upper bound; where data decide all, the count
is unknown. Counts may rest on those of loops before, as in what unrolling leaves over.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from warpmill.analyzer.analyses.cfg.graph import Loop
from warpmill.analyzer.analyses.ranges.bounds_values import DeeperValues
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.choices import without_choices
from warpmill.analyzer.analyses.values.conditions import Condition, guard_condition, negated, truth
from warpmill.analyzer.analyses.values.shared_slots import unfollowed
from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, Expression, apply, number
from warpmill.analyzer.base.metric import INTERNAL, Metric, derived
from warpmill.analyzer.ir.types import Space

if TYPE_CHECKING:
    from warpmill.analyzer.analyses.ranges.bounds_crossing import Crossing


@dataclass(frozen=True, slots=True)
class KnownTrips:
    """A trip count that is a plain number."""

    shown_as_text: ClassVar[bool] = True

    count: int

    def __str__(self) -> str:
        return str(self.count)


@dataclass(frozen=True, slots=True)
class SymbolicTrips:
    """A trip count as a formula in launch parameters, ids and outer counters."""

    shown_as_text: ClassVar[bool] = True

    formula: Expression

    def __str__(self) -> str:
        return str(self.formula)


@dataclass(frozen=True, slots=True)
class UnknownTrips:
    """A trip count that cannot be told, and why; ``most`` is the most that it can be, if known.

    ``decided`` says what decides it, to be followed by what it decides.
    """

    shown_as_text: ClassVar[bool] = True

    reason: str
    most: int | None = None
    decided: str = "data decide"

    def __str__(self) -> str:
        return f"unknown ({self.reason})"


TripCount = KnownTrips | SymbolicTrips | UnknownTrips


@dataclass(frozen=True, slots=True)
class ExitBound:
    """One edge out of a loop: when it is taken, and the iterations before that.

    ``at_most``: data have a part in it, and may let it be taken earlier.
    """

    source: Annotated[int, INTERNAL]
    target: Annotated[int, INTERNAL]
    condition: Condition | None
    trips: Annotated[TripCount, Metric("Trip count")]
    at_most: Annotated[bool, Metric("At most")] = False


@dataclass(frozen=True, slots=True)
class LoopBound:
    """The trip count of one loop: how often its body runs each time it is entered.

    A loop that tests at its bottom runs at least once. ``at_most`` says that an exit which data
    decide may end it earlier. ``reason`` says why the trip count is not known.
    """

    loop: Annotated[int, INTERNAL]
    header: Annotated[int, INTERNAL]
    trips: Annotated[TripCount, INTERNAL]
    at_most: Annotated[bool, Metric("At most")]
    bottom_tested: bool
    exits: Annotated[tuple[ExitBound, ...], INTERNAL]

    @derived("Kind of trip count")
    def kind(self) -> Literal["known", "symbolic", "unknown"]:
        """Known is a number, symbolic a formula."""
        if isinstance(self.trips, KnownTrips):
            return "known"
        return "symbolic" if isinstance(self.trips, SymbolicTrips) else "unknown"

    @derived("Trip count")
    def trip_count(self) -> str | None:
        """The number or the formula; null where it is not known."""
        return None if isinstance(self.trips, UnknownTrips) else str(self.trips)

    @derived("Reason")
    def reason(self) -> str | None:
        """Reason why the trip count is not known."""
        return self.trips.reason if isinstance(self.trips, UnknownTrips) else None


def loop_bounds(structure: Structure) -> tuple[LoopBound, ...]:
    """The bound of every loop, outer loops before those inside."""
    bounds = _Bounds(structure)
    return tuple(bounds.bound(loop.id) for loop in structure.loops.loops)


def deeper_values(structure: Structure) -> DeeperValues:
    """Values that formulas rest on, those of earlier loops included."""
    return DeeperValues(structure, _Bounds(structure).last_iteration)


class _Bounds:
    """Works out each loop once, those first that others rest on."""

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self._values = DeeperValues(structure, self.last_iteration)
        self._found: dict[int, LoopBound] = {}
        self._crossings: dict[tuple[int, int], Crossing | None] = {}
        self._open: set[int] = set()
        self._never: set[tuple[int, int]] = set()

    def bound(self, loop: int) -> LoopBound:
        """A loop's bound."""
        if loop not in self._found:
            self._open.add(loop)
            self._found[loop] = self._bound(self._structure.loops.loops[loop])
            self._open.remove(loop)
        return self._found[loop]

    def last_iteration(self, loop: int) -> Expression | None:
        """The iteration, from 0, in which a loop ends; None where data have a part in it."""
        if loop in self._open:
            return None
        bound = self.bound(loop)
        if bound.at_most or isinstance(bound.trips, UnknownTrips):
            return None
        crossings = [self._crossings.get((loop, exit_.source)) for exit_ in bound.exits]
        return _least([c.iteration for c in crossings if c is not None])

    def _bound(self, loop: Loop) -> LoopBound:
        exits = self._sure(loop, [self._exit_bound(loop, s, t) for s, t in loop.exits])
        known = [e.trips for e in exits if not isinstance(e.trips, UnknownTrips)]
        unknown = [
            e.trips
            for e in exits
            if isinstance(e.trips, UnknownTrips) and (loop.id, e.source) not in self._never
        ]
        bottom = all(source in loop.latches for source, _ in loop.exits)
        if not exits:
            trips: TripCount = UnknownTrips("it has no exit")
        elif not known:
            trips = unknown[0] if unknown else UnknownTrips("its tests never end it")
        else:
            trips = self._trip_count(_least([_formula(c) for c in known]))
        if isinstance(trips, UnknownTrips):
            why = unfollowed(self._structure, [source for source, _ in loop.exits])
            more = (f"; {name} is not followed: {reason}" for name, reason in why.items())
            trips = replace(trips, reason="".join((trips.reason, *more)))
        at_most = bool(known) and (bool(unknown) or any(e.at_most for e in exits))
        return LoopBound(loop.id, loop.header, trips, at_most, bottom, exits)

    def _sure(self, loop: Loop, exits: list[ExitBound]) -> tuple[ExitBound, ...]:
        """Take no count from a test for equality that may never hold, where others count.

        Alone it ends the loop, else nothing would.
        """
        known = [e for e in exits if not isinstance(e.trips, UnknownTrips)]
        crossings = [(e, self._crossings[loop.id, e.source]) for e in known]
        unsure = [e for e, crossing in crossings if crossing is not None and crossing.if_met]
        if len(known) < 2 or not unsure:
            return tuple(exits)
        return tuple(
            replace(e, trips=UnknownTrips(f"it ends when {e.condition}, if ever"), at_most=False)
            if e in unsure
            else e
            for e in exits
        )

    def _exit_bound(self, loop: Loop, source: int, target: int) -> ExitBound:
        block = self._structure.kernel.blocks[source]
        last = block.terminator
        if last is None or last.guard is None:
            return ExitBound(
                source, target, None, UnknownTrips("it leaves by a jump that is no test")
            )
        condition = guard_condition(
            self._structure, source, len(block.instructions) - 1, last.guard
        )
        leaves_when_true = target in last.targets or not last.targets
        if target == block.fallthrough and target not in last.targets:
            leaves_when_true = False
        leaving = condition if leaves_when_true else negated(condition)
        trips, at_most = self._trips(loop, source, leaving)
        return ExitBound(source, target, leaving, trips, at_most)

    def _trips(self, loop: Loop, source: int, leaving: Condition) -> tuple[TripCount, bool]:
        """The iterations up to an exit, and whether data may make them fewer."""
        from warpmill.analyzer.analyses.ranges.bounds_crossing import (  # noqa: PLC0415 - only for loops
            first_iteration,
        )

        innermost = self._structure.loops.innermost(source)
        if innermost is None or innermost.id != loop.id:
            return UnknownTrips("it leaves from inside an inner loop"), False
        dominates = self._structure.dominators.dominates
        if not all(dominates(source, latch) for latch in loop.latches):
            return UnknownTrips(f"its test is not made in every iteration: {leaving}"), False
        sharp = without_choices(leaving)
        resolved = self._values.condition(sharp, source, loop.header)
        if truth(resolved) is False:
            self._never.add((loop.id, source))
            return UnknownTrips(f"it never holds that {leaving}"), False
        crossing = first_iteration(self._structure, self._values, loop, resolved)
        self._crossings[loop.id, source] = crossing
        if crossing is None:
            return UnknownTrips(f"it ends when {leaving}"), False
        trips = self._count(loop, source, crossing)
        if isinstance(
            trips, UnknownTrips
        ):  # what data decide is told in the words of the test itself
            plain = first_iteration(self._structure, self._values, loop, sharp)
            return trips if plain is None else self._count(loop, source, plain), False
        return trips, crossing.at_most

    def _count(self, loop: Loop, source: int, crossing: Crossing) -> TripCount:
        """Count the iterations before an exit; one that is tested after the body ran it once.

        A test for equality has a count below that only where the loop is not entered.
        """
        first = crossing.iteration
        if source in loop.latches:
            return self._trip_count(_at_least(1, _one_more(first)))
        return self._trip_count(_at_least(0, first))

    def _trip_count(self, formula: Expression) -> TripCount:
        """A formula as a count; one that rests on loaded values is none before the run."""
        constant = formula.constant
        if constant is not None:
            return KnownTrips(constant)
        if formula.kinds() & _UNDECIDED.keys():
            decided = self._decided(formula)
            return UnknownTrips(f"{decided} it: {formula}", _most(formula), decided)
        return SymbolicTrips(formula)

    def _decided(self, formula: Expression) -> str:
        """Reason why a launch alone does not decide a formula: data, where they have a part."""
        undecided = [a for a in formula.atoms if a.kind in _UNDECIDED]
        spaces = {self._loaded_from(a) for a in undecided if a.kind is AtomKind.LOAD}
        if spaces - set(_KEPT):
            return "data decide"
        if spaces:
            kept = " and ".join(sorted(_KEPT[space] for space in spaces if space is not None))
            return f"{kept} at a place that is not followed decides"
        kinds = {atom.kind for atom in undecided}
        return next(words for kind, words in _UNDECIDED.items() if kind in kinds)

    def _loaded_from(self, load: Atom) -> Space | None:
        """The memory that a value comes from, that of a variable too; None where it is unclear."""
        kernel = self._structure.kernel
        spaces = {v.name: v.space for v in kernel.variables}
        if load.key >= 0:
            made = self._structure.ssa.definitions[load.key]
            own = kernel.blocks[made.block].instructions[made.instruction].operation.space
            if own not in (None, Space.GENERIC):
                return own
        bases = [a for where in load.operands for m, _ in where.terms for a in m]
        return next((spaces[a.name] for a in bases if a.name in spaces), None)


def _formula(count: KnownTrips | SymbolicTrips) -> Expression:
    return number(count.count) if isinstance(count, KnownTrips) else count.formula


def _least(formulas: list[Expression]) -> Expression:
    least = formulas[0]
    for formula in formulas[1:]:
        least = apply("min", least, formula)
    return least


def _at_least(least: int, count: Expression) -> Expression:
    lowest = count.lower_bound
    if lowest is not None and lowest >= least:
        return count
    return apply("max", number(least), count)


def _most(formula: Expression) -> int | None:
    """An upper bound for a masked value or a remainder, as unrolled loops leave them."""
    if len(formula.terms) != 1 or formula.terms[0][1] != 1 or len(formula.terms[0][0]) != 1:
        return None
    (((atom,), _),) = formula.terms
    limits = [o.constant for o in atom.operands]
    if atom.name == "max":
        sides = [o.constant if o.constant is not None else _most(o) for o in atom.operands]
        known = [s for s in sides if s is not None]
        return max(known) if len(known) == len(sides) else None
    if atom.name == "and":
        masks = [c for c in limits if c is not None and c >= 0]
        return min(masks) if masks else None
    if atom.name == "rem" and limits[1] is not None and limits[1] > 0:
        return limits[1] - 1
    return None


_UNDECIDED = {
    AtomKind.LOAD: "data decide",
    AtomKind.UNKNOWN: "a value that is not followed decides",
    AtomKind.CARRIED: "a value that a loop carries decides",
    AtomKind.MERGE: "control flow decides",
}
"""Reasons why a launch alone does not decide a value, in words; of several the first."""

_KEPT = {Space.LOCAL: "local memory", Space.SHARED: "shared memory"}
"""Memory that a kernel itself fills, so that what it holds need not be data."""


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
