"""The iterations of an access that its counts are made of: which are computed, and how often.

A loop that moves all lanes of a warp by one stride is folded: what an iteration costs follows from
where the first lane lies in its line, and that goes round a short cycle. Other loops are walked,
iteration by iteration, all of them or an even choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd

import numpy as np

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.analyses.access.launch_warps import Numbers, Warps
from warpmill.analyzer.analyses.ranges.bounds import Symbolic
from warpmill.analyzer.analyses.values.symbolic import AtomKind, Expression
from warpmill.analyzer.traces.static.values import Unknown

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
class Point:
    """One combination of iterations; ``weights`` say in which warps it happens."""

    at: Mapping[int, int]
    weights: Numbers
    folded: tuple[Folded, ...] = ()


class Iterations:
    """The iterations of the loops around one access.

    ``notes`` are what the counts rest on, as far as points were asked for; ``is_thinned``: not all
    iterations were among them; ``guessed``: the loops of which nobody knows how often they run.
    """

    def __init__(self, warps: Warps, access: MemoryAccess, cycle: int) -> None:
        self._warps, self._access, self._cycle = warps, access, cycle
        self.loops = [loop for loop, _ in access.loop_strides_bytes]
        self.start = dict.fromkeys(self.loops, 0)
        self.notes: dict[str, None] = {}
        self.is_thinned = False
        self.guessed: set[int] = set()

    @property
    def first(self) -> Point:
        """The first iteration of all loops, in all warps."""
        return Point(self.start, np.ones(self._warps.count, dtype=np.int64))

    @property
    def are_none(self) -> bool:
        """Whether no warp enters the outermost loop, by the tests before it, or runs it."""
        if not self.loops:
            return False
        loop, block = self.loops[0], self._access.block
        entered = self._warps.entered(loop)
        runs = self._warps.executions(loop, block, self.start)
        return any(not isinstance(n, Unknown) and not n.any() for n in (entered, runs))

    def points(self) -> Iterator[Point]:
        """Give the combinations of iterations of the loops that are walked, outermost first."""
        return self._points(self.loops, {}, self.first.weights, ())

    def slope(self, loop: int) -> Expression | None:
        """Give what an iteration adds; None where the address is no line in the counter."""
        counter = next(iter(self._warps.structure.values.counter(loop).atoms))
        return self._access.address.coefficient(counter)

    def unit(self, loop: int) -> int:
        """Give a number that every stride of a loop is a multiple of."""
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
        formulas = [b.formula for b in bounds if isinstance(b, Symbolic)]
        formulas += [s for s in map(self.slope, self.loops) if s is not None]
        followed = {k for formula in formulas for k in counters_in(formula)}
        return (self.uneven | followed) & frozenset(self.loops)

    @cached_property
    def _carrying(self) -> frozenset[int]:
        """Give the loops that carry or choose a part of the address in a way of their own."""
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
    ) -> Iterator[Point]:
        if not loops:
            yield Point(at, weights, folded)
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
        """Give how often a loop runs in each warp; a whole cycle where nothing tells."""
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
    """Give the loops whose counters take part in a formula."""
    return {a.key for a in expression.atoms if a.kind is AtomKind.COUNTER}
