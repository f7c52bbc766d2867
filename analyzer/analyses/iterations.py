"""How often loops run in each iteration of those around, for one thread of a launch (§III-A-2).

The counts of a triangular loop stand as runs: so many outer iterations in each of which the count
grows by one step. Counts that are lines in the outer counters are summed as polynomials; others
are computed one by one, as many as a limit allows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.analyses.bounds import LoopBound
from analyzer.analyses.lane_operations import apply_to_lanes
from analyzer.analyses.loop_entries import LoopEntries
from analyzer.analyses.structure import Structure
from analyzer.symbolic import Atom, AtomKind, Expression, number, substitute
from analyzer.trace.counts import Count, executions

MOST_ENTRIES = 1 << 21
"""Times that a loop is come to, that are computed one by one."""

MOST_RUNS = 64
"""Runs that are told of a loop."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Run:
    """Times that a loop is come to, ``first`` to ``last`` counted from 0 in order of execution.

    It runs ``count`` times in the first and ``step`` times more in each that follows. In a loop of
    one level around, the times are that loop's iterations.
    """

    first: int
    last: int
    count: int
    step: int


@dataclass(frozen=True, slots=True)
class LoopIterations:
    """One loop in one thread: ``entries`` times it is come to, ``total`` times its body runs.

    ``formula`` is the count with the launch's values in it, in terms of outer counters. ``runs``
    are the first ``MOST_RUNS``; ``has_more_runs`` tells of others. ``at_most``: data may end it or
    a loop around earlier. Where ``reason`` is set, what is None or empty is not known.
    """

    loop: int
    formula: Expression | None
    entries: int | None
    total: int | None
    runs: tuple[Run, ...]
    has_more_runs: bool
    at_most: bool
    reason: str | None


def iterations(
    structure: Structure, bounds: Sequence[LoopBound], values: Mapping[str, int]
) -> tuple[LoopIterations, ...]:
    """Count every loop of a kernel in one thread.

    ``values`` are those of arguments, of ids (``tid.x``) and of sizes (``ntid.x``), by name.
    """
    entries = LoopEntries(structure, bounds)
    flags = {b.loop: b.at_most for b in bounds}
    return tuple(_of_loop(structure, entries, b.loop, values, flags) for b in bounds)


def _of_loop(
    structure: Structure,
    entries: LoopEntries,
    loop: int,
    values: Mapping[str, int],
    flags: Mapping[int, bool],
) -> LoopIterations:
    around = _around(structure, loop)
    at_most = any(flags[number_] for number_ in (*around, loop))
    chain = [
        entries.visits(outer, structure.loops.loops[inner].header)
        for outer, inner in pairwise((*around, loop))
    ]
    counts = [*chain, entries.count(loop)]
    formulas: list[Expression] = []
    for found in counts:
        formula = found if isinstance(found, str) else _with_values(found, values)
        if isinstance(formula, str):
            return LoopIterations(loop, None, None, None, (), False, at_most, formula)
        formulas.append(formula)
    return _counted(loop, around, formulas, at_most=at_most)


def _around(structure: Structure, loop: int) -> tuple[int, ...]:
    """Give the loops around one, outermost first."""
    found = []
    parent = structure.loops.loops[loop].parent
    while parent is not None:
        found.append(parent)
        parent = structure.loops.loops[parent].parent
    return tuple(reversed(found))


def _with_values(formula: Expression, values: Mapping[str, int]) -> Expression | str:
    def replacement(atom: Atom) -> Expression | None:
        known = values.get(atom.name) if atom.kind in _GIVEN else None
        return None if known is None else number(known)

    result = substitute(formula, replacement)
    missing = sorted(str(a) for a in result.atoms if a.kind not in _COUNTED)
    return f"{missing[0]} is not known" if missing else result


_GIVEN = frozenset({AtomKind.ARGUMENT, AtomKind.SPECIAL})
_COUNTED = frozenset({AtomKind.COUNTER, AtomKind.OPERATION})


def _counted(
    loop: int, around: Sequence[int], formulas: Sequence[Expression], *, at_most: bool
) -> LoopIterations:
    lines = _lines(around, formulas)
    if lines is not None:
        times, total = executions(lines[:-1]), executions(lines)
        last = lines[-1]
        if not times:
            return LoopIterations(loop, formulas[-1], 0, 0, (), False, at_most, None)
        if not any(last.strides) or len(around) == 1:
            step = last.strides[0] if any(last.strides) and times > 1 else 0
            run = Run(0, times - 1, last.first, step)
            return LoopIterations(loop, formulas[-1], times, total, (run,), False, at_most, None)
    found = _one_by_one(around, formulas)
    if isinstance(found, str):
        if lines is None:
            return LoopIterations(loop, formulas[-1], None, None, (), False, at_most, found)
        return LoopIterations(loop, formulas[-1], times, total, (), True, at_most, found)
    runs, more = runs_of(found)
    total = sum(found.tolist()) if len(found) < _FEW else int(found.sum(dtype=np.int64))
    return LoopIterations(loop, formulas[-1], len(found), total, runs, more, at_most, None)


_FEW = 4096
"""Counts that are summed as integers of any size."""


def _lines(around: Sequence[int], formulas: Sequence[Expression]) -> tuple[Count, ...] | None:
    """Give counts as lines in the outer counters; None where one is none, or comes below zero."""
    found: list[Count] = []
    most: list[int] = []
    for level, formula in enumerate(formulas):
        line = _line(formula, around[:level], most)
        if line is None:
            return None
        found.append(line)
        corners = [line.at(at) for at in product(*((0, m) for m in most))]
        if min(corners) < 0:
            return None
        most.append(max(0, max(corners) - 1))
    return tuple(found)


def _line(formula: Expression, around: Sequence[int], most: Sequence[int]) -> Count | None:
    """Read a formula as a line over the outer iterations, its clamp left out where it is idle."""
    strides = []
    for loop in around:
        atom = next(
            (a for a in formula.atoms if a.kind is AtomKind.COUNTER and a.key == loop), None
        )
        slope = None if atom is None else formula.coefficient(atom)
        if atom is not None and (slope is None or slope.constant is None):
            return _unclamped(formula, around, most)
        strides.append(0 if slope is None else slope.constant or 0)
    first = substitute(formula, lambda a: number(0) if a.kind is AtomKind.COUNTER else None)
    constant = first.constant
    return None if constant is None else Count(constant, tuple(strides))


def _unclamped(formula: Expression, around: Sequence[int], most: Sequence[int]) -> Count | None:
    """Read ``max(0, line)`` where the line does not come below, ``min`` likewise."""
    if len(formula.terms) != 1 or formula.terms[0][1] != 1 or len(formula.terms[0][0]) != 1:
        return None
    (atom,) = formula.terms[0][0]
    sides = sorted(atom.operands, key=lambda o: o.constant is None)
    limit = sides[0].constant if atom.name in ("min", "max") else None
    if limit is None:
        return None
    line = _line(sides[1], around, most)
    if line is None:
        return None
    corners = [line.at(at) for at in product(*((0, m) for m in most))]
    idle = min(corners) >= limit if atom.name == "max" else max(corners) <= limit
    return line if idle else None


def _one_by_one(around: Sequence[int], formulas: Sequence[Expression]) -> Numbers | str:
    """Compute the count each time that the innermost loop is come to, in order of execution."""
    counters: dict[int, Numbers] = {}
    entries = 1
    for level, formula in enumerate(formulas):
        counts = _computed(formula, counters, entries)
        if isinstance(counts, str):
            return counts
        counts = np.maximum(counts, 0)
        if level == len(around):
            return counts
        entries = int(counts.sum(dtype=np.int64))
        if entries > MOST_ENTRIES:
            return f"it is come to {entries:,} times, more than are computed one by one"
        starts = np.cumsum(counts) - counts
        counters = {loop: np.repeat(values, counts) for loop, values in counters.items()}
        counters[around[level]] = np.arange(entries, dtype=np.int64) - np.repeat(starts, counts)
    raise AssertionError("the innermost loop's count is the last formula")


def _computed(formula: Expression, counters: Mapping[int, Numbers], entries: int) -> Numbers | str:
    """Give a formula's value for each combination of counters."""
    total = np.zeros(entries, dtype=np.int64)
    for monomial, coefficient in formula.terms:
        term: Numbers | int = coefficient
        for atom in monomial:
            factor = _factor(atom, counters, entries)
            if isinstance(factor, str):
                return factor
            term = term * factor
        total = total + term
    return total


def _factor(atom: Atom, counters: Mapping[int, Numbers], entries: int) -> Numbers | str:
    if atom.kind is AtomKind.COUNTER:
        return counters.get(atom.key, f"{atom} is not known")
    values: list[NDArray[Any]] = []
    for operand in atom.operands:
        found = _computed(operand, counters, entries)
        if isinstance(found, str):
            return found
        values.append(found)
    result = apply_to_lanes(atom.name, values)
    return np.asarray(result) if isinstance(result, np.ndarray) else f"{atom} is not followed"


def runs_of(counts: Numbers) -> tuple[tuple[Run, ...], bool]:
    """Compress counts into runs of one step each; tells whether there are more than are given."""
    steps = np.diff(counts)
    changes = np.append(np.flatnonzero(np.diff(steps)) + 1, len(steps))
    runs: list[Run] = []
    first = 0
    while first < len(counts):
        if len(runs) == MOST_RUNS:
            return tuple(runs), True
        last = first
        if first < len(steps):
            last = int(changes[np.searchsorted(changes, first, side="right")])
        step = int(steps[first]) if last > first else 0
        runs.append(Run(first, last, int(counts[first]), step))
        first = last + 1
    return tuple(runs), False
