"""Formulas of a kernel as numbers: for one launch, over all the threads that it has."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from warpmill.analyzer.analyses.ranges.bounds import Known, LoopBound, Unknown
from warpmill.analyzer.analyses.ranges.loop_entries import LoopEntries
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, Expression, evaluate
from warpmill.analyzer.ir.kernel import Kernel, Module
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.traces.layout import lay_out
from warpmill.analyzer.traces.static import values as lanes
from warpmill.reports.formula_points import Around, Domains, points_of


@dataclass(frozen=True)
class Range:
    """The least and the greatest value of a formula, or why there is none.

    ``over`` names what it ranges over (``tid.x``); ``sampled``: not every combination was tried;
    ``is_assumed``: that loops around go as far as they can, which data may decide.
    """

    low: int | None
    high: int | None
    reason: str | None = None
    over: tuple[str, ...] = ()
    sampled: bool = False
    is_assumed: bool = False


def loop_ranges(
    module: Module, structure: Structure, launch: Launch, bounds: Sequence[LoopBound]
) -> dict[int, Range]:
    """Give the trip count of each loop of a launch, by loop id.

    That of a loop inside others ranges over what these come to in one thread or another.
    """
    domains = _domains(module, structure.kernel, launch)
    entries, flags = LoopEntries(structure, bounds), {b.loop: b.at_most for b in bounds}
    found: dict[int, Range] = {}
    for bound in bounds:
        around = _around(structure, entries, flags, bound.loop)
        found[bound.loop] = _range_of(bound, domains, around)
    return found


def _around(
    structure: Structure, entries: LoopEntries, at_most: Mapping[int, bool], inner: int
) -> dict[int, Around]:
    """Give how often the loops around one come to what is inside, outermost first.

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


def _range_of(bound: LoopBound, domains: Domains, around: Mapping[int, Around]) -> Range:
    if isinstance(bound.trips, Known):
        return Range(bound.trips.count, bound.trips.count)
    if isinstance(bound.trips, Unknown):
        return Range(None, None, bound.trips.reason)
    return evaluate_over(bound.trips.formula, domains, around)


def evaluate_over(
    formula: Expression, domains: Domains, loops: Mapping[int, Around] | None = None
) -> Range:
    """Compute a formula for every combination of what it is made from, or an even choice.

    ``loops`` are those around, outermost first.
    """
    points = points_of(formula, domains, loops or {})
    if isinstance(points, Atom):
        return Range(None, None, f"it depends on a {points.kind.value}: {points.name}")
    numbers = []
    for point in points:
        value = None if point is None else evaluate(formula, point)
        if value is None:
            return Range(None, None, "it cannot be computed for every thread", points.over)
        numbers.append(value)
    if not numbers:
        return Range(None, None, "no loop around it comes to it", points.over)
    is_assumed = not points.are_sure
    return Range(min(numbers), max(numbers), None, points.over, points.is_thinned, is_assumed)


def _domains(module: Module, kernel: Kernel, launch: Launch) -> Domains:
    """Give the values that arguments and ids take in a launch; a float argument has none."""
    domains: dict[tuple[AtomKind, str], Sequence[int]] = {}
    for name, value in lay_out(module, kernel, launch).arguments.items():
        if isinstance(value, lanes.Known) and isinstance(value.base, int):
            domains[AtomKind.ARGUMENT, name] = (value.base,)
    for axis, grid, block in zip("xyz", launch.grid, launch.block, strict=True):
        domains[AtomKind.SPECIAL, f"tid.{axis}"] = range(block)
        domains[AtomKind.SPECIAL, f"ntid.{axis}"] = (block,)
        domains[AtomKind.SPECIAL, f"ctaid.{axis}"] = range(grid)
        domains[AtomKind.SPECIAL, f"nctaid.{axis}"] = (grid,)
    lanes_on = min(module.warp_size, math.prod(launch.block))
    domains[AtomKind.SPECIAL, "laneid"] = range(lanes_on)
    return domains
