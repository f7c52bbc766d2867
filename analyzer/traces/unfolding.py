"""Traces of any source as batches of events: folded ones are unfolded, some CTAs at a time.

A tree is unfolded once for all the warps that share it, which differ in their bases alone. Where
a trace does not know addresses, it gets some (``spread_addresses``), and they are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.analyzer.base.linear import number_of
from warpmill.analyzer.traces.event_batch import EventBatch, EventTables, Triple
from warpmill.analyzer.traces.many_warps import ManyWarps
from warpmill.analyzer.traces.model import Node
from warpmill.analyzer.traces.source import TraceSource
from warpmill.analyzer.traces.spread_addresses import Spreader
from warpmill.analyzer.traces.static_tables import static_tables
from warpmill.analyzer.traces.tree_facts import Numbering
from warpmill.analyzer.traces.unfolded_batch import TOGETHER, Cta, Together, Warps, assembled
from warpmill.analyzer.traces.unfolded_tree import UnfoldedTree

_ITERATIONS = "iterations of a loop"

_KEPT = 1 << 24
"""Events and accesses of the trees that are kept unfolded for CTAs to come."""


def unfolded(  # noqa: PLR0913 - each by its name
    source: TraceSource,
    ctas: Iterable[Triple],
    *,
    grid: Triple,
    warp_size: int,
    max_events: int,
    accesses: Sequence[MemoryAccess] = (),
) -> Iterator[EventBatch]:
    """Give the events of some CTAs as arrays, in order; see ``Unfolder``."""
    unfolder = Unfolder(
        source, grid=grid, warp_size=warp_size, max_events=max_events, accesses=accesses
    )
    return unfolder.batches(ctas)


class Unfolder:
    """Gives the events of a source as arrays; those of one that has batches as they are.

    ``accesses`` are what analysis says of the kernel (``memory_accesses``): spaces of generic
    addresses, and where unknown ones may point. ``unknown_accesses`` counts, by (block,
    instruction), the warps' accesses so far whose addresses were not known.

    LimitError where a CTA has more than ``max_events`` events, before they take memory; InputError
    where the traces do not fit the kernel. CTAs of a batch ascend. The first batch has
    ``first_events`` or so, each that follows twice as many, up to ``TOGETHER``.
    """

    def __init__(  # noqa: PLR0913 - each by its name
        self,
        source: TraceSource,
        *,
        grid: Triple,
        warp_size: int,
        max_events: int,
        accesses: Sequence[MemoryAccess] = (),
        first_events: int = TOGETHER,
    ) -> None:
        self._source, self._grid, self._lanes = source, grid, warp_size
        self._max_events, self._accesses = max_events, accesses
        self._first_events = first_events
        self._work: _Work | None = None
        self.unknown_accesses: dict[tuple[int, int], int] = {}

    def batches(self, ctas: Iterable[Triple]) -> Iterator[EventBatch]:
        """Give the events of CTAs in the order that is asked for, some CTAs at a time."""
        given = self._source.batches(ctas)
        return self._unfolded(ctas) if given is None else given

    def _unfolded(self, ctas: Iterable[Triple]) -> Iterator[EventBatch]:
        room = self._first_events
        waiting = Together(room)
        for warps in self._source.many(ctas):
            work = self._work = self._work or self._begun(len(warps))
            x, y, z = warps[0].cta
            number = x + self._grid[0] * (y + self._grid[1] * z)
            cta = Cta.of(number, warps, [work.tree(w.nodes) for w in warps])
            self._check(cta, warps[0].cta)
            if not waiting.has_room(cta):
                yield self._batch(work, waiting)
                room *= 2
                waiting = Together(room)
            waiting.add(cta)
        if waiting.has_any:
            yield self._batch(work, waiting)

    def together(self, many: ManyWarps) -> EventBatch:
        """Give the events of warps, those of all CTAs as one batch; CTAs ascend."""
        work = self._work = self._work or self._begun(many.warps_per_cta)
        trees = [work.tree(nodes) for nodes in many.trees]
        events = np.array([tree.events for tree in trees], np.int64)[many.which]
        each = events.reshape(len(many.ctas), -1).sum(axis=1)
        self._limit(int(each.max()), "events", many.ctas[int(each.argmax())])
        for tree, first in zip(trees, np.unique(many.which, return_index=True)[1], strict=True):
            self._limit(tree.iterations, _ITERATIONS, many.ctas[first // many.warps_per_cta])
        numbers = np.array([number_of(cta, self._grid) for cta in many.ctas], np.int64)
        own = Warps(numbers, trees, many.which, many.bases, many.starts)
        return self._counted(work, assembled(own, work.tables, work.spreader))

    def _begun(self, warps_per_cta: int) -> _Work:
        kernel, lanes = self._source.kernel, self._lanes
        tables = static_tables(kernel, self._grid, lanes, warps_per_cta, self._accesses)
        bases = {(a.block, a.instruction): a.base for a in self._accesses}
        return _Work(tables, Spreader(tables.points, bases, self._source.layout, lanes))

    def _check(self, cta: Cta, at: Triple) -> None:
        """Refuse a CTA that would take too much memory."""
        self._limit(cta.events, "events", at)
        for tree in cta.trees:
            self._limit(tree.iterations, _ITERATIONS, at)

    def _limit(self, number: int, what: str, at: Triple) -> None:
        if number > self._max_events:
            place = ",".join(map(str, at))
            raise LimitError(
                f"kernel {self._source.kernel.name}: CTA {place} has {number:,} {what}, more than "
                f"{self._max_events:,}; raise the limit with --max-trace-events"
            )

    def _batch(self, work: _Work, waiting: Together) -> EventBatch:
        return self._counted(work, waiting.batch(work.tables, work.spreader))

    def _counted(self, work: _Work, made: tuple[EventBatch, dict[int, int]]) -> EventBatch:
        """Count the accesses whose addresses are not known, and give the batch."""
        batch, unknown = made
        for number, times in unknown.items():
            point = work.tables.points[number]
            place = (point.block, point.instruction)
            self.unknown_accesses[place] = self.unknown_accesses.get(place, 0) + times
        work.forget()
        return batch


class _Work:
    """What is remembered from CTA to CTA: the trees that were met, by identity."""

    def __init__(self, tables: EventTables, spreader: Spreader) -> None:
        self.tables, self.spreader = tables, spreader
        self._numbering = Numbering.of(tables)
        self._trees: dict[int, UnfoldedTree] = {}

    def tree(self, nodes: tuple[Node, ...]) -> UnfoldedTree:
        """Give a tree, the same one for the same nodes."""
        found = self._trees.get(id(nodes))
        if found is None:
            found = self._trees[id(nodes)] = UnfoldedTree(nodes, self._numbering)
        return found

    def forget(self) -> None:
        """Let trees go where they take much; a CTA that waits keeps its own."""
        if sum(t.events + t.accesses for t in self._trees.values()) > _KEPT:
            self._trees.clear()
