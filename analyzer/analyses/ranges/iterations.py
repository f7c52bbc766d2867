"""How often loops run in each iteration of those around, for one thread of a launch (§III-A-2).

The counts of a triangular loop stand as runs: so many outer iterations in each of which the count
grows by one step. Counts that are lines in the outer counters are summed as polynomials; others
are computed one by one, as many as a limit allows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.analyses.divergence.lane_operations import apply_to_lanes
from warpmill.analyzer.analyses.ranges.bounds import LoopBound
from warpmill.analyzer.analyses.ranges.loop_entries import LoopEntries
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.symbolic import (
    Atom,
    AtomKind,
    Expression,
    number,
    substitute,
)
from warpmill.analyzer.traces.counts import Count, executions

MOST_ENTRIES = 1 << 21
"""Times that a loop is come to, that are computed one by one."""

MOST_RUNS = 64
"""Runs that are told of a loop."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Run:
    """Times that a loop is entered, ``first`` to ``last`` counted from 0 in order of execution.

    It runs ``count`` times in the first and ``step`` times more in each that follows. With one
    level around, the times are that loop's iterations where each of them enters it.
    """

    first: int
    last: int
    count: int
    step: int


@dataclass(frozen=True, slots=True)
class LoopIterations:
    """One loop in one thread: ``entries`` times it is entered, ``total`` times its body runs.

    ``formula`` is the count with the launch's values in it, in terms of outer counters; 0 where it
    is not entered. ``runs`` are the first ``MOST_RUNS``; ``has_more_runs`` tells of others.
    ``at_most``: data may end it or a loop around earlier. ``is_shared``: no id has a part in it,
    and all threads of the launch do the same. Where ``reason`` is set, what is None or empty is not
    known.
    """

    loop: int
    formula: Expression | None
    entries: int | None
    total: int | None
    runs: tuple[Run, ...]
    has_more_runs: bool
    at_most: bool
    reason: str | None
    is_shared: bool = False


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
    formulas: list[Expression] = []
    is_shared = True
    for found in (*chain, entries.entered(loop), entries.count(loop)):
        formula = found if isinstance(found, str) else _with_values(found, values)
        if isinstance(formula, str):
            return LoopIterations(loop, None, None, None, (), False, at_most, formula)
        assert isinstance(found, Expression)
        is_shared = is_shared and _is_shared(found, values)
        formulas.append(formula)
    *before, entered, count = formulas
    passes = entered.constant != 1
    if passes and not entries.runs_once_entered(loop):
        around, before, passes = (*around, _NO_LOOP), [*before, entered], False
    numbers = _counted(around, [*before, count], passes=passes)
    return LoopIterations(loop, count, *numbers[:4], at_most, numbers[4], is_shared)


_NO_LOOP = -1
"""In the place of a loop around: whether the loop is entered, 0 or 1 times."""


def _is_shared(formula: Expression, values: Mapping[str, int]) -> bool:
    """Whether a formula is the same in all threads: no id is in it that has several values."""
    names = {a.name for a in formula.atoms if a.kind is AtomKind.SPECIAL}
    ids = {n for n in names if not n.startswith(("ntid.", "nctaid."))}
    return all("." in name and values.get(f"n{name}") == 1 for name in ids)


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


Counted = tuple[int | None, int | None, tuple[Run, ...], bool, str | None]
"""Entries, iterations in all, runs, whether there are more, and why something is missing."""


def _counted(around: Sequence[int], formulas: Sequence[Expression], *, passes: bool) -> Counted:
    """Count how often a loop is entered and runs. ``passes``: it is not entered where that is 0."""
    lines = _lines(around, formulas)
    times = total = None
    if lines is not None:
        times, total, last = executions(lines[:-1]), executions(lines), lines[-1]
        if not times or not any(last.strides) or len(around) == 1:
            run = _one_run(times, last, passes=passes)
            return (
                0 if run is None else run.last + 1,
                total,
                () if run is None else (run,),
                False,
                None,
            )
    found = _one_by_one(around, formulas)
    if isinstance(found, str):
        return None if passes else times, total, (), lines is not None, found
    found = found[found > 0] if passes else found
    runs, more = runs_of(found)
    total = sum(found.tolist()) if len(found) < _FEW else int(found.sum(dtype=np.int64))
    return len(found), total, runs, more, None


def _one_run(times: int, last: Count, *, passes: bool) -> Run | None:
    """Give counts on a line over so many times; a loop that is passed by is so at one end."""
    if not times:
        return None
    step = last.strides[0] if any(last.strides) and times > 1 else 0
    first, end = last.first, last.first + step * (times - 1)
    if passes and 0 in (first, end):
        times -= 1 if step else times
        first = first or step
    return Run(0, times - 1, first, step if times > 1 else 0) if times else None


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
        if line.least(most) < 0:
            return None
        most.append(max(0, line.most(most) - 1))
    return tuple(found)


def _line(formula: Expression, around: Sequence[int], most: Sequence[int]) -> Count | None:
    """Read a formula as a line over the outer iterations, its clamp left out where it is idle."""
    strides = [0] * len(around)
    for atom in formula.atoms:
        if atom.kind is not AtomKind.COUNTER or atom.key not in around:
            continue
        slope = formula.coefficient(atom)
        if slope is None or slope.constant is None:
            return _unclamped(formula, around, most)
        strides[around.index(atom.key)] = slope.constant
    first = substitute(formula, lambda a: number(0) if a.kind is AtomKind.COUNTER else None)
    constant = first.constant
    return None if constant is None else Count(constant, tuple(strides))


def _unclamped(formula: Expression, around: Sequence[int], most: Sequence[int]) -> Count | None:
    """Read ``max(0, line)`` where the line does not come below, or not above; ``min`` likewise."""
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
    low, high = line.least(most), line.most(most)
    if low >= limit if atom.name == "max" else high <= limit:
        return line
    beyond = high <= limit if atom.name == "max" else low >= limit
    return Count(limit, (0,) * len(around)) if beyond else None


def _one_by_one(around: Sequence[int], formulas: Sequence[Expression]) -> Numbers | str:
    """Compute the count each time that the innermost loop is come to, in order of execution."""
    counters: dict[int, Numbers] = {}
    entries = 1
    for level, formula in enumerate(formulas):
        counts = _computed(formula, _Values(counters, entries, {}))
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


class _Values(NamedTuple):
    """Counters of loops, how many combinations of them there are, and operations as computed."""

    counters: Mapping[int, Numbers]
    entries: int
    operations: dict[Atom, Numbers | str]


def _computed(formula: Expression, values: _Values) -> Numbers | str:
    """Give a formula's value for each combination of counters."""
    total = np.zeros(values.entries, dtype=np.int64)
    for monomial, coefficient in formula.terms:
        if not -(1 << 63) <= coefficient < 1 << 63:
            return f"{coefficient} is too large"
        term: Numbers | int = coefficient
        for atom in monomial:
            factor = _factor(atom, values)
            if isinstance(factor, str):
                return factor
            term = term * factor
        total = total + term
    return total


def _factor(atom: Atom, values: _Values) -> Numbers | str:
    if atom.kind is AtomKind.COUNTER:
        return values.counters.get(atom.key, f"{atom} is not known")
    if atom not in values.operations:
        values.operations[atom] = _operation(atom, values)
    return values.operations[atom]


def _operation(atom: Atom, values: _Values) -> Numbers | str:
    operands: list[NDArray[Any]] = []
    for operand in atom.operands:
        found = _computed(operand, values)
        if isinstance(found, str):
            return found
        operands.append(found)
    result = apply_to_lanes(atom.name, operands)
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
