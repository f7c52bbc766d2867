"""Events and their accesses as the machine code has them; traces have them as the text does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.jit import jit
from warpmill.analyzer.traces.event_batch import EventBatch
from warpmill.simulator.estimate.regions import Heads

Numbers = npt.NDArray[np.int64]


def as_regions(batch: EventBatch, heads: Heads) -> EventBatch:
    """Give a batch in which visits of blocks that are one in machine code are one event.

    An event is of the first of these blocks, and has the lanes of the first that was visited.
    """
    begins = heads.begins(batch.block, batch.warps)
    block = heads.of[batch.block[begins]]
    if len(begins) == len(batch.block) and bool((block == batch.block).all()):
        return batch
    return replace(
        batch,
        warps=np.searchsorted(begins, batch.warps),
        block=block,
        mask=batch.mask[begins],
        event_guards=np.r_[batch.event_guards[begins], batch.event_guards[-1:]],
        event_accesses=np.r_[batch.event_accesses[begins], batch.event_accesses[-1:]],
    )


def in_order(batch: EventBatch, rows: Numbers, widths: Mapping[tuple[int, int], int]) -> EventBatch:
    """Give a batch whose accesses stand event by event as the code has them.

    ``rows`` are the numbers of instructions in the code, by point; -1: it has none. ``widths`` are
    bytes a lane, by (block, instruction), of those that execute for others. The batch itself where
    accesses stand so already.
    """
    batch = _merged(batch, rows, widths)
    if not len(batch.access_point) or bool((np.diff(rows) >= 0).all()):
        return batch
    order = sorted_within(batch.event_accesses, rows[batch.access_point])
    return replace(
        batch,
        access_point=batch.access_point[order],
        access_mask=batch.access_mask[order],
        access_base=batch.access_base[order],
        access_pattern=batch.access_pattern[order],
    )


def _merged(batch: EventBatch, rows: Numbers, widths: Mapping[tuple[int, int], int]) -> EventBatch:
    """Leave out accesses without an instruction, and let those be wide that execute for them."""
    kept = rows[batch.access_point] >= 0
    if kept.all():
        return batch
    points = tuple(
        replace(p, width_bytes=widths.get((p.block, p.instruction), p.width_bytes))
        for p in batch.tables.points
    )
    before = np.concatenate([[0], np.cumsum(kept)])
    return replace(
        batch,
        tables=replace(batch.tables, points=points),
        event_accesses=before[batch.event_accesses],
        access_point=batch.access_point[kept],
        access_mask=batch.access_mask[kept],
        access_base=batch.access_base[kept],
        access_pattern=batch.access_pattern[kept],
    )


@jit
def sorted_within(first: Any, rows: Any) -> Any:
    """Give the order of accesses in which rows rise in each event; equal ones stay in turn."""
    order = np.arange(rows.size)
    for event in range(first.size - 1):
        for k in range(first[event] + 1, first[event + 1]):
            place, at = order[k], k
            while at > first[event] and rows[order[at - 1]] > rows[place]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = place
    return order
