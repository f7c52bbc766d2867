"""Traces of any source as batches of events: folded ones are unfolded, some CTAs at a time.

A tree is unfolded once for all the warps that share it, which differ in their bases alone. Where
a trace does not know addresses, it gets some (``spread_addresses``), and they are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.analyzer.launch.numbering import ravel_index
from warpmill.analyzer.traces.event_batch import (
    EventBatch,
    EventTables,
    ManyWarps,
    Triple,
    axes_of,
    firsts,
)
from warpmill.analyzer.traces.layout import (
    AddressSynthesizer,
    Occasions,
    SynthesizedAddresses,
)
from warpmill.analyzer.traces.model import Node, WarpTrace
from warpmill.analyzer.traces.source import TraceSource
from warpmill.analyzer.traces.static.plan import static_tables
from warpmill.analyzer.traces.unfolded_tree import UNKNOWN, Facts, Numbering, UnfoldedTree

# A batch of events put together: the arrays of unfolded trees, with each warp's own bases.

Numbers = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]

TOGETHER = 1 << 18
"""Events of a batch, about; a CTA that has more is a batch of its own."""

_MUCH = 4
"""Accesses that may come with an event before a batch ends earlier: they take memory too."""


class _Assembly:
    """Assembly of one batch from warps and their ``trees``; ``ctas`` are linear numbers."""

    def __init__(
        self,
        ctas: Numbers,
        warps: ManyWarps,
        trees: Sequence[UnfoldedTree],
        tables: EventTables,
        synthesizer: AddressSynthesizer,
    ) -> None:
        self._tables, self._synthesizer = tables, synthesizer
        self._warps, self._ctas, self._which = warps, ctas, warps.which
        distinct = trees
        self._facts = Facts.joined([t.facts for t in distinct])
        self._unfolded = [t.unfolded for t in distinct]
        self._visits = firsts([len(t.facts.block) for t in distinct])
        self._touches = firsts([len(t.facts.access_point) for t in distinct])
        self._events = _OfTrees([len(t.visit) for t in self._unfolded], self._which)
        self._accesses = _OfTrees([len(t.access) for t in self._unfolded], self._which)

    def batch(self) -> tuple[EventBatch, dict[int, int]]:
        """Batch, and by point the number of accesses whose addresses are synthesized."""
        facts = self._facts
        visit = self._events.of([t.visit for t in self._unfolded], self._visits)
        guard, event_guards = self._guards(visit)
        access = self._accesses.of([t.access for t in self._unfolded], self._touches)
        warps, event_accesses = firsts(self._events.each), firsts(facts.accesses[visit])
        base, point = self._bases(access), facts.access_point[access]
        unknown = np.flatnonzero(facts.access_slot[access] == UNKNOWN)
        spread = self._spread(access, unknown, warps, event_accesses)
        base[unknown] = spread.base
        patterns, row = _patterns(facts.offsets, access, spread, unknown)
        batch = EventBatch(
            tables=self._tables,
            ctas=self._ctas,
            warps=warps,
            block=facts.block[visit],
            mask=facts.mask[visit],
            event_guards=event_guards,
            guard_number=facts.guard_number[guard],
            guard_mask=facts.guard_mask[guard],
            event_accesses=event_accesses,
            access_point=point,
            access_mask=facts.access_mask[access],
            access_base=base,
            access_pattern=row,
            patterns=patterns,
        )
        times = np.bincount(point[unknown], minlength=1)
        return batch, {n: int(times[n]) for n in np.flatnonzero(times).tolist()}

    def _guards(self, visit: Small) -> tuple[Numbers, Numbers]:
        """The guards of all events, by their number among the facts, and where they begin."""
        each = self._facts.guards[visit]
        guarded = np.flatnonzero(each)
        counts = each[guarded]
        starts = firsts(self._facts.guards)[visit[guarded]] - firsts(counts)[:-1]
        return np.repeat(starts, counts) + np.arange(int(counts.sum())), firsts(each)

    def _bases(self, access: Small) -> Numbers:
        """The address of the first lane of each access; of unknown ones any number."""
        slot = np.repeat(self._warps.starts[:-1].astype(np.int32), self._accesses.each)
        slot += np.maximum(self._facts.access_slot, 0)[access]
        moved = self._accesses.of([t.moved for t in self._unfolded])
        moved += np.append(self._warps.bases, 0)[slot]
        return moved

    def _spread(
        self, access: Small, unknown: Numbers, warps: Numbers, event_accesses: Numbers
    ) -> SynthesizedAddresses:
        """Synthesized addresses of accesses without any."""
        event = np.searchsorted(event_accesses, unknown, side="right") - 1
        warp = np.searchsorted(warps, event, side="right") - 1
        place, number = np.divmod(warp, self._tables.warps_per_cta)
        when = Occasions(self._ctas[place], number, event - warps[warp])
        touched = access[unknown]
        facts = self._facts
        return self._synthesizer.spread(
            facts.access_point[touched], facts.access_mask[touched], when
        )


class _OfTrees:
    """What trees have some of, for all of the warps, each of which has a tree by number.

    ``each`` is how many a warp has.
    """

    def __init__(self, lengths: Sequence[int], which: Numbers) -> None:
        self._lengths, self._which = lengths, which
        self.each = _of(lengths)[which]

    @cached_property
    def _places(self) -> Numbers:
        """The places of all warps' own, where those of each tree stand once, one after another."""
        ends = np.cumsum(self.each)
        begins = firsts(self._lengths)[self._which] - (ends - self.each)
        places: Numbers = np.repeat(begins, self.each) + np.arange(int(ends[-1]))
        return places

    def of(self, own: Sequence[npt.NDArray[Any]], added: Numbers | None = None) -> npt.NDArray[Any]:
        """The warps' own, one after another; a number may be added to all that a tree has."""
        if len(own) == 1:
            return np.tile(own[0], len(self._which))
        whole = np.concatenate(own)
        if added is not None:
            whole += np.repeat(added[: len(own)].astype(whole.dtype), self._lengths)
        return whole[self._places]


def _of(numbers: Sequence[int]) -> Numbers:
    return np.array(numbers, np.int64)


def _patterns(
    offsets: Numbers, access: Small, spread: SynthesizedAddresses, unknown: Numbers
) -> tuple[Numbers, Small]:
    """Keep equal patterns once; give them, and the row of each access."""
    each = np.ascontiguousarray(np.concatenate([offsets, spread.rows]))
    if not len(each):
        return each, np.zeros(0, np.int32)
    as_bytes = each.view(np.dtype((np.void, each.itemsize * each.shape[1]))).reshape(-1)
    _, first, number = np.unique(as_bytes, return_index=True, return_inverse=True)
    row: Small = number.astype(np.int32)[access]
    row[unknown] = number[len(offsets) + spread.row]
    patterns: Numbers = each[first]
    return patterns, row


_ITERATIONS = "iterations of a loop"

MOST_KEPT = 1 << 24
"""Events and accesses of the trees that are kept unfolded for CTAs to come."""


def unfolded(
    source: TraceSource,
    ctas: Iterable[Triple],
    *,
    grid: Triple,
    warp_size: int,
    max_events: int,
    accesses: Sequence[MemoryAccess] = (),
) -> Iterator[EventBatch]:
    """The events of some CTAs as arrays, in order; see ``Unfolder``."""
    unfolder = Unfolder(
        source, grid=grid, warp_size=warp_size, max_events=max_events, accesses=accesses
    )
    return unfolder.batches(ctas)


class Unfolder:
    """Events of a source as arrays; those of one that has batches as they are.

    ``accesses`` are what analysis says of the kernel (``memory_accesses``): spaces of generic
    addresses, and where unknown ones may point. ``unknown_accesses`` counts, by (block,
    instruction), the warps' accesses so far whose addresses were not known.

    LimitError where a CTA has more than ``max_events`` events, before they take memory; InputError
    where the traces do not fit the kernel. CTAs of a batch ascend. The first batch has
    ``first_events`` or so, each that follows twice as many, up to ``TOGETHER``. Trees of
    ``most_kept`` events and accesses, ``MOST_KEPT`` without it, stay unfolded for CTAs to come.
    """

    def __init__(
        self,
        source: TraceSource,
        *,
        grid: Triple,
        warp_size: int,
        max_events: int,
        accesses: Sequence[MemoryAccess] = (),
        first_events: int = TOGETHER,
        most_kept: int | None = None,
    ) -> None:
        self._source, self._grid, self._lanes = source, grid, warp_size
        self._max_events, self._accesses = max_events, accesses
        self._first_events = first_events
        self._most_kept = MOST_KEPT if most_kept is None else most_kept
        self._work: _Work | None = None
        self.unknown_accesses: dict[tuple[int, int], int] = {}

    def batches(self, ctas: Iterable[Triple]) -> Iterator[EventBatch]:
        """The events of CTAs in the order that is asked for, some CTAs at a time."""
        given = self._source.batches(ctas)
        return self._unfolded(ctas) if given is None else given

    def _unfolded(self, ctas: Iterable[Triple]) -> Iterator[EventBatch]:
        room = min(self._first_events, TOGETHER)
        waiting, size, last = list[tuple[WarpTrace, ...]](), 0, -1
        for warps in self._source.many(ctas):
            x, y, z = warps[0].cta
            number = x + self._grid[0] * (y + self._grid[1] * z)
            own = self._size(warps)
            if waiting and (number <= last or size + own > room):
                yield self.together(ManyWarps.of(waiting))
                room, waiting, size = min(2 * room, TOGETHER), [], 0
            waiting.append(warps)
            size, last = size + own, number
        if waiting:
            yield self.together(ManyWarps.of(waiting))

    def _size(self, warps: Sequence[WarpTrace]) -> int:
        """How much a CTA takes of a batch, in events."""
        work = self._work = self._work or self._begun(len(warps))
        trees = [work.tree(w.nodes) for w in warps]
        return max(sum([t.events for t in trees]), sum([t.accesses for t in trees]) // _MUCH)

    def together(self, many: ManyWarps) -> EventBatch:
        """The events of warps, those of all CTAs as one batch; CTAs ascend."""
        work = self._work = self._work or self._begun(many.warps_per_cta)
        trees = [work.tree(nodes) for nodes in many.trees]
        events = np.array([tree.events for tree in trees], np.int64)[many.which]
        each = events.reshape(len(many.ctas), -1).sum(axis=1)
        self._limit(int(each.max()), "events", many.ctas[int(each.argmax())])
        for tree, first in zip(trees, np.unique(many.which, return_index=True)[1], strict=True):
            self._limit(tree.iterations, _ITERATIONS, many.ctas[first // many.warps_per_cta])
        x, y, z = axes_of(many.ctas).T
        numbers = ravel_index((x, y, z), self._grid)
        made = _Assembly(numbers, many, trees, work.tables, work.synthesizer).batch()
        return self._counted(work, made)

    def _begun(self, warps_per_cta: int) -> _Work:
        kernel, lanes = self._source.kernel, self._lanes
        tables = static_tables(kernel, self._grid, lanes, warps_per_cta, self._accesses)
        bases = {(a.block, a.instruction): a.base for a in self._accesses}
        return _Work(tables, AddressSynthesizer(tables.points, bases, self._source.layout, lanes))

    def _limit(self, number: int, what: str, at: Triple) -> None:
        if number > self._max_events:
            place = ",".join(map(str, at))
            raise LimitError(
                f"kernel {self._source.kernel.name}: CTA {place} has {number:,} {what}, more than "
                f"{self._max_events:,}; raise the limit with --max-trace-events"
            )

    def _counted(self, work: _Work, made: tuple[EventBatch, dict[int, int]]) -> EventBatch:
        """Count the accesses whose addresses are not known, and give the batch."""
        batch, unknown = made
        for number, times in unknown.items():
            point = work.tables.points[number]
            place = (point.block, point.instruction)
            self.unknown_accesses[place] = self.unknown_accesses.get(place, 0) + times
        work.forget(self._most_kept)
        return batch

    def take_unknown_accesses(self) -> dict[tuple[int, int], int]:
        """``unknown_accesses`` since they were taken last."""
        found, self.unknown_accesses = self.unknown_accesses, {}
        return found


class _Work:
    """State that is remembered from CTA to CTA: the trees that were met, by identity."""

    def __init__(self, tables: EventTables, synthesizer: AddressSynthesizer) -> None:
        self.tables, self.synthesizer = tables, synthesizer
        self._numbering = Numbering.of(tables)
        self._trees: dict[int, UnfoldedTree] = {}

    def tree(self, nodes: tuple[Node, ...]) -> UnfoldedTree:
        """A tree, the same one for the same nodes."""
        found = self._trees.get(id(nodes))
        if found is None:
            found = self._trees[id(nodes)] = UnfoldedTree(nodes, self._numbering)
        return found

    def forget(self, most: int) -> None:
        """Drop trees where they take much."""
        if sum(t.events + t.accesses for t in self._trees.values()) > most:
            self._trees.clear()
