"""Taken branches, for each warp and each loop iteration (hybrid estimation, §III-B-1).

The paper keeps the warps and the iterations that miss (``branchMissWarpID`` and
``branchMissLoopConfig`` of Listing 1) for a warp as a whole; here a branch also splits a warp, and
the lanes that take it are kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Annotated

from warpmill.analyzer.base.metric import INTERNAL, Id, Metric, derived
from warpmill.analyzer.traces.model import Count, executions, masks_of
from warpmill.analyzer.traces.static.nodes import BatchLoop, BatchNode, BatchVisit
from warpmill.analyzer.traces.static.values import KnownNumbers


@dataclass(frozen=True, slots=True)
class BranchRun:
    """Executions of a branch that are alike.

    ``first`` is the iteration, from 0, of the innermost loop around, ``iterations`` how many there
    are, ``step`` from one to the next; ``taken`` are the lanes of ``mask`` that take the branch.
    """

    first: int
    iterations: int
    mask: Annotated[int, INTERNAL]
    taken: Annotated[int, INTERNAL]
    step: int = 1

    @derived("Active mask")
    def active_mask(self) -> str:
        """The lanes that execute it, in hexadecimal, lane 0 lowest."""
        return hex(self.mask)

    @derived("Taken by")
    def taken_mask(self) -> str:
        """Those of them that take it."""
        return hex(self.taken)


@dataclass(frozen=True, slots=True)
class WarpOutcome:
    """How often all, none or some of a warp's lanes take a branch.

    ``runs`` are those of the first time that the innermost loop around runs, at most MOST_RUNS;
    ``more`` says that there are others.
    """

    warp: Id
    taken: Annotated[int, Metric("Taken")]
    not_taken: Annotated[int, Metric("Not taken")]
    divergent: Annotated[int, Metric("Divergent")]
    runs: tuple[BranchRun, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class BranchOutcome:
    """The outcomes of the branch at the end of a block, by warp of one CTA.

    A branch that data decide is in none of them.
    """

    block: Annotated[int, INTERNAL]
    cta: tuple[Id, Id, Id]
    warps: tuple[WarpOutcome, ...]

    @derived("Taken")
    def taken(self) -> int:
        """Warp executions in which all active lanes take it."""
        return sum(warp.taken for warp in self.warps)

    @derived("Not taken")
    def not_taken(self) -> int:
        """Warp executions in which no active lane takes it."""
        return sum(warp.not_taken for warp in self.warps)

    @derived("Divergent")
    def divergent(self) -> int:
        """Warp executions in which some active lanes take it."""
        return sum(warp.divergent for warp in self.warps)


MOST_RUNS = 64
"""Runs that are kept for a warp."""


@dataclass
class _Tally:
    all_take: int = 0
    none_takes: int = 0
    some_take: int = 0
    runs: list[BranchRun] = field(default_factory=list)
    more: bool = False

    def add(self, run: BranchRun, times: int, *, shown: bool) -> None:
        if run.taken == run.mask:
            self.all_take += times
        elif run.taken:
            self.some_take += times
        else:
            self.none_takes += times
        if not shown or len(self.runs) == MOST_RUNS:
            self.more |= not shown or len(self.runs) == MOST_RUNS
            return
        last = self.runs[-1] if self.runs else None
        alike = last is not None and (last.mask, last.taken) == (run.mask, run.taken)
        steps = last is not None and last.step == run.step == 1
        if last is not None and alike and steps and last.first + last.iterations == run.first:
            self.runs[-1] = BranchRun(
                last.first, last.iterations + run.iterations, run.mask, run.taken
            )
        else:
            self.runs.append(run)


@dataclass(frozen=True, slots=True)
class _Place:
    """Place of a visit: the counts around it, and the iterations before it in the innermost.

    ``step``: one count goes over so many iterations.
    """

    counts: tuple[Count, ...] = ()
    counters: tuple[int | None, ...] = ()
    before: int = 0
    step: int = 1
    is_first: bool = True


def branch_outcomes(
    cta: tuple[int, int, int], nodes: tuple[BatchNode, ...]
) -> tuple[BranchOutcome, ...]:
    """The decided branches of a walk of one CTA, by block."""
    tallies: dict[int, dict[int, _Tally]] = {}
    for visit, place in _visits(nodes, _Place()):
        if visit.taken is None:
            continue
        times = executions(place.counts)
        count = place.counts[-1].first if place.counts else 1
        by_warp = tallies.setdefault(visit.block, {})
        pairs = zip(masks_of(visit.lanes), masks_of(visit.taken), strict=True)
        for warp, (mask, taken) in enumerate(pairs):
            if mask:
                run = BranchRun(place.before, count, mask, taken, place.step)
                by_warp.setdefault(warp, _Tally()).add(run, times, shown=place.is_first)
    return tuple(
        BranchOutcome(
            block,
            cta,
            tuple(
                WarpOutcome(warp, t.all_take, t.none_takes, t.some_take, tuple(t.runs), t.more)
                for warp, t in sorted(by_warp.items())
            ),
        )
        for block, by_warp in sorted(tallies.items())
    )


def _visits(nodes: tuple[BatchNode, ...], place: _Place) -> Iterator[tuple[BatchVisit, _Place]]:
    for node in nodes:
        if isinstance(node, BatchVisit):
            yield node, place
        else:
            yield from _in_loop(node, place)


def _in_loop(loop: BatchLoop, place: _Place) -> Iterator[tuple[BatchVisit, _Place]]:
    before = 0
    for segment in loop.segments:
        count = _count(segment.count, place.counters)
        iterations = _iterations(loop.header, segment.body)
        for number, body in enumerate(iterations):
            inside = _Place(
                (*place.counts, count),
                (*place.counters, segment.counter),
                before + number,
                len(iterations),
                place.is_first and (not place.counts or place.before == 0),
            )
            yield from _visits(body, inside)
        before += count.first * len(iterations)


def _iterations(header: int, body: tuple[BatchNode, ...]) -> list[tuple[BatchNode, ...]]:
    """Part what a segment does into iterations: each begins at the loop's header."""
    starts = [i for i, n in enumerate(body) if isinstance(n, BatchVisit) and n.block == header]
    if not starts:
        return [body]
    return [body[a:b] for a, b in pairwise([*starts, len(body)])]


def _count(count: KnownNumbers, counters: tuple[int | None, ...]) -> Count:
    """A count with its strides by level."""
    assert isinstance(count.base, int)
    strides = tuple(0 if c is None else int(count.stride(c)) for c in counters)
    return Count(count.base, strides if any(strides) else ())
