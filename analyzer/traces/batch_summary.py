"""Totals of batches of events: the summary of traces, without making Visits of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.memory.batches import access_costs
from warpmill.analyzer.memory.rules import DEFAULT_RULES, LOCAL, MEMORY, MemoryRules, WarpAccesses
from warpmill.analyzer.traces.event_batch import EventBatch, EventTables
from warpmill.analyzer.traces.summary import (
    AccessSummary,
    TraceSummary,
    by_class,
    counted_instructions,
)

Numbers = npt.NDArray[np.int64]


def summarise_batches(
    kernel: Kernel,
    batches: Iterable[EventBatch],
    warp_size: int,
    rules: MemoryRules = DEFAULT_RULES,
    spaces: Mapping[tuple[int, int], Space] | None = None,
    kept: Sequence[frozenset[int]] | None = None,
) -> TraceSummary:
    """Add up batches of events as ``summarise`` does the traces that they stand for."""
    ctas = warps = 0
    blocks = np.zeros((len(kernel.blocks), 2), np.int64)
    memory: dict[tuple[int, int, int], Numbers] = {}
    unsized: set[tuple[int, int, int]] = set()
    for batch in batches:
        ctas, warps = ctas + len(batch.ctas), warps + len(batch.warps) - 1
        for column, weights in enumerate((None, np.bitwise_count(batch.mask))):
            own = np.bincount(batch.block, weights, len(kernel.blocks))
            blocks[:, column] += own.astype(np.int64)
        unsized |= _add_accesses(kernel, batch, rules, spaces or {}, memory)
    counted = counted_instructions(kernel, kept)
    lengths = np.array([len(each) for each in counted], np.int64)
    by_warps, by_threads = (Counter(dict(enumerate(c.tolist()))) for c in blocks.T)
    return TraceSummary(
        ctas=ctas,
        warps=warps,
        warp_instructions=int(blocks[:, 0] @ lengths),
        thread_instructions=int(blocks[:, 1] @ lengths),
        by_class=by_class(counted, by_warps),
        block_executions=tuple(blocks[:, 0].tolist()),
        accesses=tuple(_summed(key, memory[key], unsized) for key in sorted(memory)),
        warp_size=warp_size,
        threads_by_class=by_class(counted, by_threads),
        block_threads=tuple(blocks[:, 1].tolist()),
    )


def _add_accesses(
    kernel: Kernel,
    batch: EventBatch,
    rules: MemoryRules,
    spaces: Mapping[tuple[int, int], Space],
    memory: dict[tuple[int, int, int], Numbers],
) -> set[tuple[int, int, int]]:
    """Add the accesses of a batch to the sums of their instructions; give those of unknown size."""
    widths, ways = _point_facts(kernel, batch.tables, spaces)  # widths are 0 where not known
    point = batch.access_point
    unsized: set[tuple[int, int, int]] = set()
    if not point.size:
        return unsized
    accesses = WarpAccesses(
        batch.access_base, batch.access_pattern, batch.patterns, batch.access_mask, widths[point],
        ways[point],
    )  # fmt: skip
    costs = access_costs(accesses, rules).of_accesses
    lanes = np.bitwise_count(batch.access_mask).astype(np.int64)
    columns = (np.ones_like(lanes), lanes, lanes * widths[point], *costs.T)
    count = len(batch.tables.points)
    sums = np.stack([np.bincount(point, c, count).astype(np.int64) for c in columns], axis=1)
    for number, own in enumerate(sums):
        one = batch.tables.points[number]
        key = one.block, one.instruction, batch.tables.turns[number]
        if own[0]:
            memory[key] = memory[key] + own if key in memory else own
            if not widths[number]:
                unsized.add(key)
    return unsized


def _summed(
    key: tuple[int, int, int], sums: Numbers, unsized: set[tuple[int, int, int]]
) -> AccessSummary:
    executions, lanes, *known = sums.tolist()
    return AccessSummary(*key, executions, lanes, *([None] * 4 if key in unsized else known))


def _point_facts(
    kernel: Kernel, tables: EventTables, spaces: Mapping[tuple[int, int], Space]
) -> tuple[Numbers, npt.NDArray[np.uint8]]:
    """Each point's bytes of a lane, and the way of its accesses: LOCAL or MEMORY."""
    widths, ways = [], []
    for p in tables.points:
        instruction = kernel.blocks[p.block].instructions[p.instruction]
        widths.append(p.width_bytes or instruction.width_bytes or 0)
        space = spaces.get((p.block, p.instruction), instruction.operation.space)
        ways.append(LOCAL if space is Space.LOCAL else MEMORY)
    return np.array(widths, np.int64), np.array(ways, np.uint8)
