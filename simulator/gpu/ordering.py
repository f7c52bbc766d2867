"""The accesses of events in the order of the machine code; traces have them in that of the text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from analyzer.jit import jit
from analyzer.trace.event_batch import EventBatch

Numbers = npt.NDArray[np.int64]


def in_order(batch: EventBatch, rows: Numbers) -> EventBatch:
    """Give a batch whose accesses stand event by event as the code has them.

    ``rows`` are the numbers of instructions in the code, by point. The batch itself where they
    stand so already.
    """
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
