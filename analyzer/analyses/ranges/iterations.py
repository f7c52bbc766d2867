"""Iterations of loops in one launch: how often each runs (§III-A-2), which ones counts are made of.

The counts of a triangular loop stand as runs: so many outer iterations in each of which the count
grows by one step. Counts that are lines in the outer counters are summed as polynomials; others
are computed one by one, as many as a limit allows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import gcd
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.analyses.access.launch_warps import LaunchWarps, Numbers
from warpmill.analyzer.analyses.divergence.lane_operations import apply_to_lanes
from warpmill.analyzer.analyses.ranges.bounds import LoopBound, SymbolicTrips
from warpmill.analyzer.analyses.ranges.loop_entries import LoopEntries
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.symbolic import (
    Atom,
    AtomKind,
    Expression,
    number,
    substitute,
)
from warpmill.analyzer.base.metric import INTERNAL, Metric
from warpmill.analyzer.traces.model import Count, executions
from warpmill.analyzer.traces.static.values import Unknown

MOST_ENTRIES = 1 << 21
"""Times that a loop is come to, that are computed one by one."""

MOST_RUNS = 64
"""Runs that are told of a loop."""


@dataclass(frozen=True, slots=True)
class TripRun:
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

    marked_as_one: ClassVar[bool] = True

    loop: Annotated[int, INTERNAL]
    formula: Annotated[Expression | None, Metric("Trip count in the launch")]
    entries: Annotated[int | None, Metric("Entries")]
    total: Annotated[int | None, Metric("Iterations in all")]
    runs: tuple[TripRun, ...]
    has_more_runs: bool
    at_most: Annotated[bool, Metric("At most")]
    reason: str | None
    is_shared: Annotated[bool, INTERNAL] = False


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
"""Marker in the place of a loop around: whether the loop is entered, 0 or 1 times."""


def _is_shared(formula: Expression, values: Mapping[str, int]) -> bool:
    """Whether a formula is the same in all threads: no id is in it that has several values."""
    names = {a.name for a in formula.atoms if a.kind is AtomKind.SPECIAL}
    ids = {n for n in names if not n.startswith(("ntid.", "nctaid."))}
    return all("." in name and values.get(f"n{name}") == 1 for name in ids)


def _around(structure: Structure, loop: int) -> tuple[int, ...]:
    """The loops around one, outermost first."""
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


Counted = tuple[int | None, int | None, tuple[TripRun, ...], bool, str | None]
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


def _one_run(times: int, last: Count, *, passes: bool) -> TripRun | None:
    """Counts on a line over so many times; a loop that is passed by is so at one end."""
    if not times:
        return None
    step = last.strides[0] if any(last.strides) and times > 1 else 0
    first, end = last.first, last.first + step * (times - 1)
    if passes and 0 in (first, end):
        times -= 1 if step else times
        first = first or step
    return TripRun(0, times - 1, first, step if times > 1 else 0) if times else None


_FEW = 4096
"""Counts that are summed as integers of any size."""


def _lines(around: Sequence[int], formulas: Sequence[Expression]) -> tuple[Count, ...] | None:
    """Counts as lines in the outer counters; None where one is none, or comes below zero."""
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
    """A formula's value for each combination of counters."""
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


def runs_of(counts: Numbers) -> tuple[tuple[TripRun, ...], bool]:
    """Compress counts into runs of one step each; tells whether there are more than are given."""
    steps = np.diff(counts)
    changes = np.append(np.flatnonzero(np.diff(steps)) + 1, len(steps))
    runs: list[TripRun] = []
    first = 0
    while first < len(counts):
        if len(runs) == MOST_RUNS:
            return tuple(runs), True
        last = first
        if first < len(steps):
            last = int(changes[np.searchsorted(changes, first, side="right")])
        step = int(steps[first]) if last > first else 0
        runs.append(TripRun(first, last, int(counts[first]), step))
        first = last + 1
    return tuple(runs), False


# The iterations of an access that its counts are made of: which are computed, and how often.
#
# A loop that moves all lanes of a warp by one stride is folded: what an iteration costs follows
# from where the first lane lies in its line, and that goes round a short cycle. Other loops are
# walked, iteration by iteration, all of them or an even choice.

MOST_POINTS = 2048
"""Warps times iterations that are computed one by one, where accesses follow no cycle."""

GUESS = 8
"""Iterations of a loop that follows no cycle and whose count is not known."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A loop whose iterations move all lanes of a warp alike, and its counts by warp."""

    loop: int
    counts: list[int]


@dataclass(frozen=True, slots=True)
class IterationPoint:
    """One combination of iterations; ``weights`` say in which warps it happens."""

    at: Mapping[int, int]
    weights: Numbers
    folded: tuple[Folded, ...] = ()


class AccessIterations:
    """The iterations of the loops around one access.

    ``notes`` are what the counts rest on, as far as points were asked for; ``is_thinned``: not all
    iterations were among them; ``guessed``: the loops of which nobody knows how often they run.
    """

    def __init__(self, warps: LaunchWarps, access: MemoryAccess, cycle: int) -> None:
        self._warps, self._access, self._cycle = warps, access, cycle
        self.loops = [loop for loop, _ in access.loop_strides_bytes]
        self.start = dict.fromkeys(self.loops, 0)
        self.notes: dict[str, None] = {}
        self.is_thinned = False
        self.guessed: set[int] = set()

    @property
    def first(self) -> IterationPoint:
        """The first iteration of all loops, in all warps."""
        return IterationPoint(self.start, np.ones(self._warps.count, dtype=np.int64))

    @property
    def are_none(self) -> bool:
        """Whether no warp enters the outermost loop, by the tests before it, or runs it."""
        if not self.loops:
            return False
        loop, block = self.loops[0], self._access.block
        entered = self._warps.entered(loop)
        runs = self._warps.executions(loop, block, self.start)
        return any(not isinstance(n, Unknown) and not n.any() for n in (entered, runs))

    def points(self) -> Iterator[IterationPoint]:
        """The combinations of iterations of the loops that are walked, outermost first."""
        return self._points(self.loops, {}, self.first.weights, ())

    def slope(self, loop: int) -> Expression | None:
        """Increment per iteration; None where the address is not linear in the counter."""
        counter = next(iter(self._warps.structure.values.counter(loop).atoms))
        return self._access.address.coefficient(counter)

    def unit(self, loop: int) -> int:
        """A number that every stride of a loop is a multiple of."""
        slope = self.slope(loop)
        if slope is None:
            return 1
        if not counters_in(slope):
            strides = self._warps.per_warp(slope, self.start)
            if not isinstance(strides, Unknown):
                return int(np.gcd.reduce(strides))
        return gcd(*(c for _, c in slope.terms))

    @cached_property
    def uneven(self) -> frozenset[int]:
        """The loops in which the address does not move by one stride in all lanes of a warp.

        The stride may change with another loop's counter.
        """
        atoms = self._access.address.atoms
        uneven = {k for a in atoms for o in a.operands for k in counters_in(o)}
        uneven |= self._carrying
        for loop in self.loops:
            slope = self.slope(loop)
            if slope is None or (slope.constant is None and not self._is_even(slope)):
                uneven.add(loop)
        return frozenset(uneven & set(self.loops))

    @cached_property
    def _walked(self) -> frozenset[int]:
        """The uneven loops, and those that another loop's stride or count follows."""
        bounds = (self._warps.bound(loop).trips for loop in self.loops)
        formulas = [b.formula for b in bounds if isinstance(b, SymbolicTrips)]
        formulas += [s for s in map(self.slope, self.loops) if s is not None]
        followed = {k for formula in formulas for k in counters_in(formula)}
        return (self.uneven | followed) & frozenset(self.loops)

    @cached_property
    def _carrying(self) -> frozenset[int]:
        """The loops that carry or choose a part of the address in a way of their own."""
        structure = self._warps.structure
        chosen = (a for a in self._access.address.atoms if a.kind in _CHOSEN)
        blocks = (structure.ssa.definitions[a.key].block for a in chosen if a.key >= 0)
        return frozenset(loop.id for b in blocks for loop in structure.loops.containing(b))

    def _is_even(self, slope: Expression) -> bool:
        """Whether a stride is the same in all lanes of each warp, whatever the iteration."""
        if slope.kinds() & _CHOSEN:
            return False
        if counters_in(slope):
            return not any(a.name in _THREAD_IDS or a.operands for a in slope.atoms)
        lanes = self._warps.per_lane(slope, self.start)
        return not isinstance(lanes, Unknown) and bool(np.all(lanes == lanes[:, :1]))

    def _points(
        self,
        loops: Sequence[int],
        at: Mapping[int, int],
        weights: Numbers,
        folded: tuple[Folded, ...],
    ) -> Iterator[IterationPoint]:
        if not loops:
            yield IterationPoint(at, weights, folded)
            return
        loop, inner = loops[0], loops[1:]
        counts = self._counts(loop, {**self.start, **at})
        if loop not in self._walked:
            fold = Folded(loop, counts.tolist())
            yield from self._points(inner, {**at, loop: 0}, weights, (*folded, fold))
            return
        for i in self._chosen(loop, int(counts.max(initial=0))):
            yield from self._points(inner, {**at, loop: i}, weights * (counts > i), folded)

    def _chosen(self, loop: int, count: int) -> Sequence[int]:
        """Choose iterations of a loop that is walked: all, or so many that the work is bounded.

        An even choice, or the first where values are stepped from one to the next.
        """
        depth = len(self._walked)
        least = 2 if depth <= _DEEP else 1
        most = max(least, int((MOST_POINTS / self._warps.count) ** (1 / depth)))
        if count <= most:
            return range(count)
        self.is_thinned = True
        if loop in self._carrying:
            return range(most)
        return [i * count // most for i in range(most)]

    def _counts(self, loop: int, at: Mapping[int, int]) -> Numbers:
        """How often a loop runs in each warp; a whole cycle where nothing tells."""
        found = self._warps.executions(loop, self._access.block, at)
        label = self._warps.label(loop)
        if isinstance(found, Unknown):
            self.guessed.add(loop)
            count = GUESS if loop in self._walked else self._cycle
            taken = f"{count} iterations" if loop in self._walked else "whole cycles"
            self.notes[f"how often loop {label} runs is not known: {taken} are taken"] = None
            return np.full(self._warps.count, count, dtype=np.int64)
        if self._warps.bound(loop).at_most:
            self.notes[f"loop {label} runs as often as it can"] = None
        return found


_DEEP = 4
"""Loops in each other of which two iterations at least are computed."""

_CHOSEN = frozenset({AtomKind.CARRIED, AtomKind.MERGE})

_THREAD_IDS = frozenset({"tid.x", "tid.y", "tid.z", "laneid"})


def counters_in(expression: Expression) -> set[int]:
    """The loops whose counters take part in a formula."""
    return {a.key for a in expression.atoms if a.kind is AtomKind.COUNTER}
