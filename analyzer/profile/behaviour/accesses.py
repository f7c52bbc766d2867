"""How each instruction accessed memory in the CTAs that were traced (GPGPU-MiniBench, §4.1.4-5).

The paper keeps an array's base and an index that is affine in the thread's number. Here the form
has the CTA and the loops around as well, and what is not affine is told by its distribution.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from warpmill.analyzer.analyses.cfg.loops import Loop
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.addresses import CONSTANT_BASE, GLOBAL_BASE, PARAMETER_BASE
from warpmill.analyzer.profile.behaviour.access_counts import Counts, PointAccesses
from warpmill.analyzer.profile.behaviour.access_reuse import Reuse
from warpmill.analyzer.profile.behaviour.access_samples import Sample
from warpmill.analyzer.profile.behaviour.iterations import Iterations, event_iterations
from warpmill.analyzer.profile.behaviour.model import AccessBehaviour, Triple
from warpmill.analyzer.traces.event_batch import (
    AccessPoint,
    EventBatch,
    EventTables,
    Numbers,
    joined,
)
from warpmill.analyzer.traces.layout import Region

_TOGETHER = 1 << 20
"""Accesses, about, of which batches are joined, so that small ones cost no time of their own."""

_ACCESS_WORDS = 8
"""Words of patterns that are held for as much as an access."""


def access_behaviours(
    structure: Structure,
    block: Triple,
    batches: Iterable[EventBatch],
    regions: Sequence[Region],
    spaces: Mapping[tuple[int, int], Space] | None = None,
) -> tuple[AccessBehaviour, ...]:
    """Tell how the access points of a launch's CTAs accessed memory, in program order.

    ``batches`` are events of CTAs of one launch, each CTA once, ``block`` their shape, ``regions``
    where memory lies. All figures are exact over what is given, but for affine forms: they are
    found and tried on up to 2,048 executions of each point. ``spaces`` tells by (block,
    instruction) what is known of generic accesses; otherwise their addresses tell whether all are
    to global memory, and where they do not, the space stays generic and only executions in global
    memory have sectors.

    An instruction that accesses one space several times in an event, as texture fetches do, counts
    as several executions. ``width_bytes`` is 0 where only the execution knew it; sectors are then
    counted as of one byte a lane. Of shared memory, reuse and footprint are of 32 B pieces of the
    CTA's window, of which no two CTAs share any; of local memory they are of each warp's.
    """
    found: dict[int, _Point] = {}
    for batch in _merged(batches):
        iterations = event_iterations(structure.loops, batch)
        reach = _Reach(batch.patterns.min(axis=1), batch.patterns.max(axis=1))
        for number, own in _by_point(batch):
            if number not in found:
                found[number] = _Point.of(batch.tables, number, structure, spaces or {})
            found[number].add(own, reach, batch, iterations)
    ordered = sorted(found, key=lambda n: (found[n].at.block, found[n].at.instruction, n))
    return tuple(found[number].behaviour(block, regions) for number in ordered)


def _merged(batches: Iterable[EventBatch]) -> Iterator[EventBatch]:
    """Give batches with small ones joined."""
    waiting: list[EventBatch] = []
    held = 0
    for batch in batches:
        waiting.append(batch)
        held += len(batch.access_base) + batch.patterns.size // _ACCESS_WORDS
        if held >= _TOGETHER:
            whole, waiting, held = joined(waiting), [], 0
            yield whole
    if waiting:
        yield joined(waiting)


def _by_point(batch: EventBatch) -> Iterator[tuple[int, PointAccesses]]:
    """Give the accesses of each point of the tables that has any, with a lane on."""
    events = np.arange(batch.events)
    event = np.repeat(events, np.diff(batch.event_accesses))
    warp = (np.searchsorted(batch.warps, events, side="right") - 1)[event]
    some = np.flatnonzero(batch.access_mask)
    order = some[np.argsort(batch.access_point[some], kind="stable")]
    points = np.arange(len(batch.tables.points) + 1)
    ends = np.searchsorted(batch.access_point[order], points)
    for number, (start, end) in enumerate(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)):
        if start < end:
            own = order[start:end]
            yield (
                number,
                PointAccesses(
                    batch.access_base[own],
                    batch.access_pattern[own],
                    batch.access_mask[own],
                    warp[own],
                    event[own],
                    batch.patterns,
                ),
            )


class _Reach(NamedTuple):
    """How far the lanes of each pattern of a batch reach down and up from the base, in bytes."""

    low: Numbers
    high: Numbers


@dataclass
class _Point:
    """What is known of an access point so far: ``low`` and ``high``: its bytes lie between.

    ``costs`` are the counts of executions outside the SM: all, unless the space is generic.
    """

    at: AccessPoint
    space: Space
    loops: tuple[Loop, ...]
    counts: Counts
    costs: Counts
    reuse: Reuse
    sample: Sample
    low: int = 1 << 62
    high: int = 0

    @classmethod
    def of(
        cls,
        tables: EventTables,
        number: int,
        structure: Structure,
        spaces: Mapping[tuple[int, int], Space],
    ) -> _Point:
        """Begin a point."""
        at = tables.points[number]
        operation = structure.kernel.blocks[at.block].instructions[at.instruction].operation
        known = spaces.get((at.block, at.instruction), at.space)
        space = known if at.space is Space.GENERIC else at.space
        width = at.width_bytes or operation.width_bytes or 0
        counts = Counts(width, space is Space.LOCAL)
        costs = Counts(width, is_local=False) if space is Space.GENERIC else counts
        loops = structure.loops.containing(at.block)[::-1]
        reuse = Reuse(width, space, tables.warps_per_cta)
        return cls(at, space, loops, counts, costs, reuse, Sample(loops))

    def add(
        self, own: PointAccesses, reach: _Reach, batch: EventBatch, iterations: Iterations
    ) -> None:
        """Add the point's executions in a batch."""
        lows = own.base + reach.low[own.pattern]
        self.low = min(self.low, int(lows.min()))
        last = max(self.counts.width_bytes, 1) - 1
        self.high = max(self.high, int((own.base + reach.high[own.pattern]).max()) + last)
        self.counts.add(own)
        self.sample.add(own, batch, iterations)
        if self.space is Space.GENERIC:
            own = own.some(lows >= GLOBAL_BASE)
            self.costs.add(own)
        self.reuse.add(own)

    def behaviour(self, block: Triple, regions: Sequence[Region]) -> AccessBehaviour:
        """Give what all executions say."""
        counts, space = self.counts, self._space()
        start, size = self._region(space, regions)
        sectors, lines, passes = self.costs.costs.tolist()
        shared, whole = space is Space.SHARED, counts.executions
        origin = 0 if space is Space.LOCAL else start
        of_warp, of_cta, of_grid = self.reuse.shares
        return AccessBehaviour(
            block=self.at.block,
            instruction=self.at.instruction,
            kind=self.at.kind,
            space=space,
            width_bytes=counts.width_bytes,
            executions=whole,
            lanes=counts.lanes / whole,
            sectors=0.0 if shared else sectors / whole,
            lines=0.0 if shared else lines / whole,
            passes=passes / whole if shared else 0.0,
            region=start,
            region_bytes=size,
            lane_stride=counts.lane_stride,
            affine=None if origin is None else self.sample.affine(block, origin),
            of_warp=of_warp,
            of_cta=of_cta,
            of_grid=of_grid,
            footprint_sectors=self.reuse.footprint,
        )

    def _space(self) -> Space:
        """Give the space, which the addresses tell of generic ones that are all alike."""
        if self.space is not Space.GENERIC or self.low < GLOBAL_BASE:
            return self.space
        if self.high < PARAMETER_BASE:
            return Space.GLOBAL
        return Space.CONST if self.low >= CONSTANT_BASE else Space.GENERIC

    def _region(self, space: Space, regions: Sequence[Region]) -> tuple[int | None, int]:
        """Give start and size of what all addresses lie in."""
        if space is Space.SHARED:
            return 0, 0
        if space is Space.LOCAL:
            return None, 0
        found = next((r for r in regions if r.holds(self.low) and r.holds(self.high)), None)
        return (None, 0) if found is None else (found.start, found.size_bytes)
