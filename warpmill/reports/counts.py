"""Formulas of a kernel as numbers: for one launch, over all the threads that it has."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analyzer.analyses.bounds import Known, LoopBound, Unknown
from analyzer.ir.kernel import Kernel, Module
from analyzer.launch.model import Launch
from analyzer.symbolic import Atom, AtomKind, Expression, evaluate, leaves
from analyzer.trace.layout import lay_out
from analyzer.trace.static import values as lanes

MOST_POINTS = 2048
"""Combinations of ids and counters that a formula is computed for; beyond, an even choice."""


@dataclass(frozen=True)
class Range:
    """The least and the greatest value of a formula, or why there is none.

    ``over`` names what it ranges over (``tid.x``); ``sampled``: not every combination was tried.
    """

    low: int | None
    high: int | None
    reason: str | None = None
    over: tuple[str, ...] = ()
    sampled: bool = False


Domains = Mapping[tuple[AtomKind, str], Sequence[int]]


def loop_ranges(
    module: Module, kernel: Kernel, launch: Launch, bounds: Sequence[LoopBound]
) -> dict[int, Range]:
    """Give the trip count of each loop of a launch, by loop id; outer loops stand first."""
    domains = _domains(module, kernel, launch)
    found: dict[int, Range] = {}
    for bound in bounds:
        found[bound.loop] = _range_of(bound, domains, found)
    return found


def _range_of(bound: LoopBound, domains: Domains, outer: Mapping[int, Range]) -> Range:
    if isinstance(bound.trips, Known):
        return Range(bound.trips.count, bound.trips.count)
    if isinstance(bound.trips, Unknown):
        return Range(None, None, bound.trips.reason)
    return evaluate_over(bound.trips.formula, domains, outer)


def evaluate_over(
    formula: Expression, domains: Domains, loops: Mapping[int, Range] | None = None
) -> Range:
    """Compute a formula for every combination of what it is made from, or an even choice."""
    atoms = tuple(leaves(formula))
    choices: list[Sequence[int]] = []
    for atom in atoms:
        found = _values_of(atom, domains, loops or {})
        if found is None:
            return Range(None, None, f"it depends on a {atom.kind.value}: {atom.name}")
        choices.append(found)
    over = tuple(a.name for a, c in zip(atoms, choices, strict=True) if len(c) > 1)
    each = [_thinned(c, choices) for c in choices]
    sampled = any(len(e) < len(c) for e, c in zip(each, choices, strict=True))
    numbers = []
    for point in itertools.product(*each):
        number = evaluate(formula, dict(zip(atoms, point, strict=True)))
        if number is None:
            return Range(None, None, "it cannot be computed for every thread", over)
        numbers.append(number)
    return Range(min(numbers), max(numbers), None, over, sampled)


def _values_of(atom: Atom, domains: Domains, loops: Mapping[int, Range]) -> Sequence[int] | None:
    if atom.kind is AtomKind.COUNTER:
        around = loops.get(atom.key)
        return None if around is None or not around.high else range(around.high)
    return domains.get((atom.kind, atom.name))


def _thinned(values: Sequence[int], choices: Sequence[Sequence[int]]) -> Sequence[int]:
    """Take so many of the values, both ends among them, that all combinations stay few."""
    total = math.prod(len(c) for c in choices)
    wide = sum(len(c) > 1 for c in choices)
    if total <= MOST_POINTS or len(values) < 3:
        return values
    most = max(2, int(MOST_POINTS ** (1 / wide)))
    if len(values) <= most:
        return values
    last = len(values) - 1
    return [values[i * last // (most - 1)] for i in range(most)]


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
    domains[AtomKind.SPECIAL, "laneid"] = range(module.warp_size)
    return domains
