"""Trip counts of a launch: formulas as numbers, over all the threads that it has."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from warpmill.analyzer.analyses.ranges.bounds import KnownTrips, LoopBound, UnknownTrips
from warpmill.analyzer.analyses.ranges.iterations import LoopIterations, iterations
from warpmill.analyzer.analyses.ranges.loop_entries import LoopEntries
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, Expression, evaluate, leaves
from warpmill.analyzer.base.metric import INTERNAL, Metric
from warpmill.analyzer.ir.kernel import Kernel, Module
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.traces.layout import lay_out
from warpmill.analyzer.traces.static import values as lanes

# Combinations of ids and loop counters that come up together in a launch, for a formula.
#
# A counter goes as far as its loop does at the same ids, and the lane is that of the thread.

MOST_POINTS = 2048
"""Combinations that a formula is computed for; beyond, an even choice."""

MOST_COUNTERS = 8
"""Counters that a formula is computed over; points of more are too many to tell its range."""

Domains = Mapping[tuple[AtomKind, str], Sequence[int]]
"""Possible values of arguments, sizes and ids, by kind and name."""


@dataclass(frozen=True, slots=True)
class Around:
    """How often a loop comes to what is inside it, as a formula in ids and counters further out.

    Not ``is_sure``: data have a part in it, and it may be less.
    """

    visits: Expression
    is_sure: bool = True


@dataclass(frozen=True, slots=True)
class Points:
    """The values that a formula is computed at.

    ``ids`` have the values of each argument, size and id, ``counters`` are outermost first, with
    the most that each comes to. ``checks`` are above 0 where other loops around come to it.
    ``lanes``: as many as a warp has, where the lane is told by the thread. ``most`` is how many
    values of each are taken; None: all. ``over`` are the names of what makes the formula's value
    and has several itself.
    """

    ids: Mapping[Atom, Sequence[int]]
    counters: Mapping[Atom, tuple[Around, int]]
    checks: Sequence[Around]
    lanes: int | None
    most: int | None
    over: tuple[str, ...]

    @property
    def is_thinned(self) -> bool:
        """Whether not all values are taken."""
        widths = [*map(len, self.ids.values()), *(most for _, most in self.counters.values())]
        return self.most is not None and max(widths, default=0) > self.most

    @property
    def are_sure(self) -> bool:
        """Whether the launch alone decides which there are."""
        loops = [*self.checks, *(around for around, _ in self.counters.values())]
        return all(around.is_sure for around in loops)

    def __iter__(self) -> Iterator[dict[Atom, int] | None]:
        """The combinations; None for those where a loop around has no number."""
        for values in itertools.product(*(_thinned(v, self.most) for v in self.ids.values())):
            point = dict(zip(self.ids, values, strict=True))
            if self.lanes is not None:
                point[_LANE] = _linear(point) % self.lanes
            yield from self._counted(point, tuple(self.counters))

    def _counted(
        self, point: dict[Atom, int], counters: Sequence[Atom]
    ) -> Iterator[dict[Atom, int] | None]:
        if not counters:
            if all((evaluate(check.visits, point) or 0) > 0 for check in self.checks):
                yield point
            return
        count = evaluate(self.counters[counters[0]][0].visits, point)
        if count is None:
            yield None
            return
        for value in _thinned(range(max(0, count)), self.most):
            yield from self._counted({**point, counters[0]: value}, counters[1:])


def points_of(
    formula: Expression,
    domains: Domains,
    loops: Mapping[int, Around],
    known: dict[int, int] | None = None,
) -> Points | Atom:
    """Points at which a formula is to be computed, or an atom whose values are not known.

    ``loops`` are those around, outermost first. ``known`` is the most that each of them comes to,
    which is filled in.
    """
    own = _made_from((formula,), loops)
    checks = _checks(own, domains, loops)
    atoms = _made_from((formula, *(check.visits for check in checks)), loops)
    missing = [a for a in atoms if not _is_known(a, domains, loops)]
    missing += [a for a in atoms if a.kind is AtomKind.COUNTER][MOST_COUNTERS:]
    if missing:
        return missing[0]
    ids = [a for a in atoms if a.kind is not AtomKind.COUNTER]
    lanes = None
    if _LANE in ids and any(t in ids for t in _THREAD):
        lanes = len(domains[_LANE.kind, _LANE.name])
        ids = list(dict.fromkeys((*(a for a in ids if a != _LANE), *_THREAD, *_BLOCK)))
    given = {a: domains[a.kind, a.name] for a in ids}
    counters = _counters(atoms, domains, loops, {} if known is None else known)
    widths = {a: len(v) for a, v in given.items()} | {a: most for a, (_, most) in counters.items()}
    over = tuple(a.name for a in own if widths.get(a, 1) > 1)
    return Points(given, counters, checks, lanes, _share(list(widths.values())), over)


def _is_known(atom: Atom, domains: Domains, loops: Mapping[int, Around]) -> bool:
    if atom.kind is AtomKind.COUNTER:
        return atom.key in loops
    return (atom.kind, atom.name) in domains


def _counters(
    atoms: Iterable[Atom], domains: Domains, loops: Mapping[int, Around], known: dict[int, int]
) -> dict[Atom, tuple[Around, int]]:
    """The counters among atoms, outermost first, and the most that each comes to."""
    by_loop = {a.key: a for a in atoms if a.kind is AtomKind.COUNTER}
    found: dict[Atom, tuple[Around, int]] = {}
    further: dict[int, Around] = {}
    for loop, around in loops.items():
        if loop in by_loop:
            if loop not in known:
                known[loop] = _most(around.visits, domains, further, known)
            found[by_loop[loop]] = around, known[loop]
        further[loop] = around
    return found


_LANE = Atom(AtomKind.SPECIAL, "laneid")
_THREAD = tuple(Atom(AtomKind.SPECIAL, f"tid.{axis}") for axis in "xyz")
_BLOCK = tuple(Atom(AtomKind.SPECIAL, f"ntid.{axis}") for axis in "xy")


def _linear(point: Mapping[Atom, int]) -> int:
    """The number of a thread in its CTA."""
    (x, y, z), (width, height) = ([point[a] for a in ids] for ids in (_THREAD, _BLOCK))
    return x + width * (y + height * z)


def _made_from(formulas: Iterable[Expression], loops: Mapping[int, Around]) -> tuple[Atom, ...]:
    """Atoms that formulas are made from, and the ends of their counters, in a fixed order."""
    found = {atom for formula in formulas for atom in leaves(formula)}
    for loop in reversed(tuple(loops)):
        if any(a.kind is AtomKind.COUNTER and a.key == loop for a in found):
            found.update(leaves(loops[loop].visits))
    return tuple(sorted(found, key=lambda a: a.order))


def _checks(
    own: Iterable[Atom], domains: Domains, loops: Mapping[int, Around]
) -> tuple[Around, ...]:
    """The further loops around that may not come to a formula for each of its values."""
    found = set(own)
    if all(a.kind is not AtomKind.COUNTER and _count(a, domains) == 1 for a in found):
        return ()
    checks: list[Around] = []
    for loop, around in reversed(tuple(loops.items())):
        if not any(a.kind is AtomKind.COUNTER and a.key == loop for a in found):
            lowest = around.visits.lower_bound
            made_from = _made_from((around.visits,), loops)
            is_known = all(_is_known(a, domains, loops) for a in made_from)
            if is_known and (lowest is None or lowest < 1):
                checks.append(around)
                found.update(made_from)
    return tuple(checks)


def _count(atom: Atom, domains: Domains) -> int:
    return len(domains.get((atom.kind, atom.name), ()))


def _most(
    visits: Expression, domains: Domains, further: Mapping[int, Around], known: dict[int, int]
) -> int:
    """The most that a loop comes to what is inside; 1 where that has no number."""
    points = points_of(visits, domains, further, known)
    if isinstance(points, Atom):
        return 1
    counts = [evaluate(visits, point) for point in points if point is not None]
    return max((c for c in counts if c is not None), default=1)


def _share(widths: Sequence[int]) -> int | None:
    """How many values of each are taken that all combinations stay few; None: all."""
    wide = sum(width > 1 for width in widths)
    if math.prod(max(1, width) for width in widths) <= MOST_POINTS:
        return None
    return max(2, int(MOST_POINTS ** (1 / wide)))


def _thinned(values: Sequence[int], most: int | None) -> Sequence[int]:
    """Take so many of the values evenly, both ends among them."""
    if most is None or len(values) <= most:
        return values
    last = len(values) - 1
    return [values[i * last // (most - 1)] for i in range(most)]


@dataclass(frozen=True)
class TripRange:
    """The least and the greatest value of a formula, or why there is none.

    ``over`` names what it ranges over (``tid.x``); ``sampled``: not every combination was tried;
    ``is_assumed``: that loops around go as far as they can, which data may decide.
    """

    low: Annotated[int | None, Metric("Trip count at least")]
    high: Annotated[int | None, Metric("Trip count at most")]
    reason: str | None = None
    over: Annotated[tuple[str, ...], Metric("Over")] = ()
    sampled: Annotated[bool, INTERNAL] = False
    is_assumed: Annotated[bool, INTERNAL] = False


def loop_ranges(
    module: Module, structure: Structure, launch: Launch, bounds: Sequence[LoopBound]
) -> dict[int, TripRange]:
    """The trip count of each loop of a launch, by loop id.

    That of a loop inside others ranges over what these come to in one thread or another.
    """
    domains = _domains(module, structure.kernel, launch)
    entries, flags = LoopEntries(structure, bounds), {b.loop: b.at_most for b in bounds}
    found: dict[int, TripRange] = {}
    for bound in bounds:
        around = _around(structure, entries, flags, bound.loop)
        found[bound.loop] = _range_of(bound, domains, around)
    return found


def _around(
    structure: Structure, entries: LoopEntries, at_most: Mapping[int, bool], inner: int
) -> dict[int, Around]:
    """How often the loops around one come to what is inside, outermost first.

    Where nothing tells whether one is entered, it is taken to be; one that data end is left out.
    """
    found: dict[int, Around] = {}
    loop = structure.loops.loops[inner]
    while loop.parent is not None:
        visits = entries.visits(loop.parent, loop.header)
        is_sure = isinstance(visits, Expression) and not at_most[loop.parent]
        if isinstance(visits, str):
            visits = entries.visits_once_entered(loop.parent, loop.header)
        if isinstance(visits, Expression):
            found[loop.parent] = Around(visits, is_sure)
        loop = structure.loops.loops[loop.parent]
    return dict(reversed(found.items()))


def _range_of(bound: LoopBound, domains: Domains, around: Mapping[int, Around]) -> TripRange:
    if isinstance(bound.trips, KnownTrips):
        return TripRange(bound.trips.count, bound.trips.count)
    if isinstance(bound.trips, UnknownTrips):
        return TripRange(None, None, bound.trips.reason)
    return evaluate_over(bound.trips.formula, domains, around)


def evaluate_over(
    formula: Expression, domains: Domains, loops: Mapping[int, Around] | None = None
) -> TripRange:
    """Compute a formula for every combination of what it is made from, or an even choice.

    ``loops`` are those around, outermost first.
    """
    points = points_of(formula, domains, loops or {})
    if isinstance(points, Atom):
        return TripRange(None, None, f"it depends on a {points.kind.value}: {points.name}")
    numbers = []
    for point in points:
        value = None if point is None else evaluate(formula, point)
        if value is None:
            return TripRange(None, None, "it cannot be computed for every thread", points.over)
        numbers.append(value)
    if not numbers:
        return TripRange(None, None, "no loop around it comes to it", points.over)
    is_assumed = not points.are_sure
    return TripRange(min(numbers), max(numbers), None, points.over, points.is_thinned, is_assumed)


def _domains(module: Module, kernel: Kernel, launch: Launch) -> Domains:
    """The values that arguments and ids take in a launch; a float argument has none."""
    domains: dict[tuple[AtomKind, str], Sequence[int]] = {}
    for name, value in lay_out(module, kernel, launch).arguments.items():
        if isinstance(value, lanes.KnownNumbers) and isinstance(value.base, int):
            domains[AtomKind.ARGUMENT, name] = (value.base,)
    for axis, grid, block in zip("xyz", launch.grid, launch.block, strict=True):
        domains[AtomKind.SPECIAL, f"tid.{axis}"] = range(block)
        domains[AtomKind.SPECIAL, f"ntid.{axis}"] = (block,)
        domains[AtomKind.SPECIAL, f"ctaid.{axis}"] = range(grid)
        domains[AtomKind.SPECIAL, f"nctaid.{axis}"] = (grid,)
    lanes_on = min(module.warp_size, math.prod(launch.block))
    domains[AtomKind.SPECIAL, "laneid"] = range(lanes_on)
    return domains


def first_thread(
    module: Module, structure: Structure, bounds: Sequence[LoopBound], launch: Launch
) -> tuple[LoopIterations, ...]:
    """Iterations of every loop in the first thread of a launch."""
    given = lay_out(module, structure.kernel, launch).arguments
    values = {
        name: value.base
        for name, value in given.items()
        if isinstance(value, lanes.KnownNumbers) and isinstance(value.base, int)
    }
    for axis, grid, block in zip("xyz", launch.grid, launch.block, strict=True):
        values |= {f"tid.{axis}": 0, f"ctaid.{axis}": 0}
        values |= {f"ntid.{axis}": block, f"nctaid.{axis}": grid}
    values["laneid"] = 0
    return iterations(structure, bounds, values)
