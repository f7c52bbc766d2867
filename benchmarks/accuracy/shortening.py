"""Launches whose loops are cut short, as one round of them is too much to simulate.

Folded traces keep fewer iterations of their loops, executed ones the first, event by event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.analyses.cfg.graph import LoopForest
from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.analyzer.base.jit import jit
from warpmill.analyzer.traces.event_batch import EventBatch
from warpmill.analyzer.traces.model import LEAST_ITERATIONS, Assumption, Shortener, WarpTrace
from warpmill.analyzer.traces.source import TraceSource
from warpmill.analyzer.traces.static.constraints import Triple
from warpmill.analyzer.traces.summary import sampled_ctas, summarise
from warpmill.session.jobs import Job

COUNTED_CTAS = 8
"""CTAs whose instructions are counted."""
TOO_MUCH = 2.0
"""How much more than was asked for may be left of a launch whose loops were cut short."""
LESS = 0.75
"""How much of the longer one the shorter of two parts may have, for a line through both."""


class ShortenedSource:
    """The traces of a source with about the share ``factor`` of its loops (a ``TraceSource``)."""

    ctas = None
    data = ""

    def __init__(self, source: TraceSource, loops: LoopForest, factor: float) -> None:
        self._source, self._loops, self._factor = source, loops, factor
        self._shortener = Shortener(factor)
        self.kind, self.reason = source.kind, source.reason
        self.kernel, self.layout = source.kernel, source.layout

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """What was assumed, by block."""
        return self._source.assumptions

    def warps(self, cta: Triple) -> tuple[WarpTrace, ...]:
        """The traces of a CTA's warps, in order."""
        return next(iter(self.many([cta])))

    def many(self, ctas: Iterable[Triple]) -> Iterator[tuple[WarpTrace, ...]]:
        """The traces of several CTAs, in order."""
        batches = self.batches(ctas)
        if batches is not None:
            for batch in batches:
                yield from map(batch.traces, range(len(batch.ctas)))
            return
        for warps in self._source.many(ctas):
            yield tuple(replace(warp, nodes=self._shortener.tree(warp.nodes)) for warp in warps)

    def batches(self, ctas: Iterable[Triple]) -> Iterator[EventBatch] | None:
        """The events of executed CTAs as arrays, some CTAs at a time; folded ones have none."""
        given = None if self.kind == "static" else self._source.batches(ctas)
        if given is None:
            return None
        return (shortened_batch(batch, self._loops, self._factor) for batch in given)


@dataclass(frozen=True)
class Part:
    """Traces of which a ``share`` of the instructions is left, above 0."""

    source: TraceSource
    share: float


def shorter(job: Job, source: TraceSource, factor: float) -> tuple[Part, ...]:
    """Leave about the share ``factor`` of what is executed, and half of that where loops allow it.

    LimitError where loops are too few.
    """
    whole, loops = instructions(job, source), job.analysis.structure.loops
    part, half = (
        Part(short, instructions(job, short) / whole)
        for short in (ShortenedSource(source, loops, own) for own in (factor, factor / 2))
    )
    if part.share > TOO_MUCH * factor:
        times = part.share / factor
        raise LimitError(f"one round is {times:.2g} times too long with loops cut short")
    return (part, half) if half.share < LESS * part.share else (part,)


def instructions(job: Job, source: TraceSource) -> float:
    """The instructions of all warps of a launch, from an even sample of its CTAs."""
    grid = job.required_launch().grid
    ctas = sampled_ctas(grid, COUNTED_CTAS)
    batches = source.batches(ctas)
    if batches is None:
        summary = summarise(job.kernel, source.many(ctas), job.loaded.module.warp_size)
        return summary.warp_instructions * prod(grid) / len(ctas)
    lengths = np.array([len(block.instructions) for block in job.kernel.blocks])
    counted = sum(int(lengths[batch.block].sum()) for batch in batches)
    return counted * prod(grid) / len(ctas)


def shortened_batch(batch: EventBatch, loops: LoopForest, factor: float) -> EventBatch:
    """Leave about the share ``factor`` of the iterations of each warp's loops.

    From the outside in: an outer loop that has few of them keeps two, and what is left to save is
    saved inside, as ``analyzer.traces.model.Shortener`` does with folded traces.
    """
    at, headers = _by_depth(loops)
    kept = np.ones(len(batch.block), np.bool_)
    share = np.full(len(batch.block), factor)
    for own in at:
        cut(batch.block, batch.warps, own, headers, kept, share, LEAST_ITERATIONS)
    before = np.concatenate([[0], np.cumsum(kept)])
    accesses, guards = (np.diff(first) for first in (batch.event_accesses, batch.event_guards))
    accessed, guarded = np.repeat(kept, accesses), np.repeat(kept, guards)
    return replace(
        batch,
        warps=before[batch.warps],
        block=batch.block[kept],
        mask=batch.mask[kept],
        event_guards=np.concatenate([[0], np.cumsum(guards[kept])]),
        guard_number=batch.guard_number[guarded],
        guard_mask=batch.guard_mask[guarded],
        event_accesses=np.concatenate([[0], np.cumsum(accesses[kept])]),
        access_point=batch.access_point[accessed],
        access_mask=batch.access_mask[accessed],
        access_base=batch.access_base[accessed],
        access_pattern=batch.access_pattern[accessed],
    )


def _by_depth(loops: LoopForest) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The loop of each block by depth, shape (depths, blocks), -1: none; and the headers."""
    depths = max((loop.depth for loop in loops.loops), default=0)
    found = np.full((depths, len(loops.innermost_ids)), -1, np.int64)
    for loop in loops.loops:
        found[loop.depth - 1, list(loop.blocks)] = loop.id
    return found, np.array([loop.header for loop in loops.loops], np.int64)


@jit
def cut(block: Any, warps: Any, own: Any, headers: Any, kept: Any, share: Any, least: int) -> None:
    """Leave events out of loops of one depth, behind the iterations that they keep.

    ``own`` is the loop of each block; ``share`` is what should be left of each event's loops, and
    what is left to save further in.
    """
    for warp in range(warps.size - 1):
        event, last = warps[warp], warps[warp + 1]
        while event < last:
            loop = own[block[event]]
            if loop < 0 or not kept[event]:
                event += 1
                continue
            end, turns = event, 0
            while end < last and own[block[end]] == loop and kept[end]:
                turns += block[end] == headers[loop]
                end += 1
            count = min(turns, max(least, round(turns * share[event])))
            left = min(1.0, share[event] * turns / max(count, 1))
            turn = 0
            for at in range(event, end):
                turn += block[at] == headers[loop]
                if turn > count:
                    kept[at] = False
                share[at] = left
            event = end
