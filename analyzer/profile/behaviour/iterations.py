"""Which iteration of each loop around it an event is: what a warp's stream of blocks tells.

Each lane came to an event from the event before that had it on. A header's event whose lanes came
from outside the loop starts a run, iteration 0; one whose lanes came from inside is the next
iteration. Thereby sides of a branch that a warp goes one after another do not disturb each other: a
lane that breaks out of a loop executes its block outside while the others are still inside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.analyses.cfg.loops import LoopForest
from warpmill.analyzer.base.jit import jit
from warpmill.analyzer.traces.event_batch import EventBatch

Small = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Iterations:
    """The iterations and runs of the loops around each event of a batch.

    ``numbers`` and ``runs`` have the shape (levels, events): level k is that of the loop of depth
    k + 1 around the event, -1 where there is none. ``chains`` has the loops around each block by
    level, -1 where there is none, and ``block`` the block of each event. Runs are numbered in the
    order in which they begin, over all loops and warps of the batch.
    """

    loops: LoopForest
    block: Small
    chains: Small
    numbers: Small
    runs: Small

    def iteration(self, loop: int) -> Small:
        """Give for each event which iteration of a loop it is, from 0 on; -1 outside."""
        return self._of(self.numbers, loop)

    def run(self, loop: int) -> Small:
        """Give for each event which run of a loop it is in, unique in the batch; -1 outside."""
        return self._of(self.runs, loop)

    def _of(self, levels: Small, loop: int) -> Small:
        level = self.loops.loops[loop].depth - 1
        inside = (self.chains[:, level] == loop)[self.block]
        return np.where(inside, levels[level], np.int32(-1))


def event_iterations(loops: LoopForest, batch: EventBatch) -> Iterations:
    """Tell the iterations of the loops around the events of a batch, whose warps are whole."""
    chains = _chains(loops)
    heads = np.full(len(chains), -1, np.int32)
    for loop in loops.loops:
        heads[loop.header] = loop.depth - 1
    numbers, runs = np.full((2, chains.shape[1], batch.events), -1, np.int32)
    if loops.loops and batch.events:
        lanes = batch.tables.warp_size
        _walk(batch.warps, batch.block, batch.mask, chains, heads, lanes, numbers, runs)
    return Iterations(loops, batch.block, chains, numbers, runs)


def _chains(loops: LoopForest) -> Small:
    """Give the loops around each block, the outermost first, shape (blocks, levels)."""
    levels = max((loop.depth for loop in loops.loops), default=0)
    chains = np.full((len(loops.innermost_ids), levels), -1, np.int32)
    for loop in loops.loops:
        chains[list(loop.blocks), loop.depth - 1] = loop.id
    return chains


@jit
def _walk(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    warps: Any,
    block: Any,
    mask: Any,
    chains: Any,
    heads: Any,
    lanes: int,
    numbers: Any,
    runs: Any,
) -> None:
    """Follow the lanes of each warp: the block each was in, and by level iteration and run."""
    levels, begun = chains.shape[1], 0
    last = np.empty(lanes, np.int32)
    now, within = np.empty((lanes, levels), np.int32), np.empty((lanes, levels), np.int32)
    for warp in range(warps.size - 1):
        last[:], now[:], within[:] = -1, -1, -1
        for event in range(warps[warp], warps[warp + 1]):
            here, on, lead = block[event], mask[event], -1
            level = heads[here]
            number = run = 0
            for lane in range(lanes):
                if not (on >> np.uint64(lane)) & np.uint64(1):
                    continue
                if lead < 0:
                    lead = lane
                    if level >= 0:
                        came = last[lane]
                        if came >= 0 and chains[came, level] == chains[here, level]:
                            number, run = now[lane, level] + 1, within[lane, level]
                        else:
                            number, run = 0, begun
                            begun += 1
                if level >= 0:
                    now[lane, level], within[lane, level] = number, run
                last[lane] = here
            if lead < 0:
                continue
            for k in range(levels):
                if chains[here, k] < 0:
                    break
                numbers[k, event], runs[k, event] = now[lead, k], within[lead, k]
