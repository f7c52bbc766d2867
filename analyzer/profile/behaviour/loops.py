"""How often warps went round loops, read off the events of executed traces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.profile.behaviour.iterations import event_iterations
from warpmill.analyzer.profile.behaviour.model import LoopBehaviour
from warpmill.analyzer.traces.event_batch import EventBatch

Numbers = npt.NDArray[np.int64]


def loop_behaviours(
    structure: Structure, batches: Iterable[EventBatch]
) -> tuple[LoopBehaviour, ...]:
    """Say for each loop that was entered how long the runs of warps in it were."""
    found = {loop.id: _Loop(loop.header) for loop in structure.loops.loops}
    for batch in batches:
        iterations = event_iterations(structure.loops, batch)
        lengths = np.diff(batch.warps)
        warps = np.repeat(np.arange(len(lengths)), lengths)
        ctas = warps // batch.tables.warps_per_cta
        for loop in structure.loops.loops:
            at = np.flatnonzero(batch.block == loop.header)
            if len(at):
                runs = iterations.run(loop.id)[at].astype(np.int64)
                found[loop.id].add(batch, at, runs, warps[at], ctas[at])
    return tuple(one.behaviour() for one in found.values() if one.runs)


@dataclass
class _Loop:
    """What is known of one loop so far."""

    header: int
    runs: int = 0
    iterations: int = 0
    lanes: int = 0
    by_cta: bool = True
    between: float = 0.0
    in_step: float = 0.0
    histogram: Counter[int] = field(default_factory=Counter)

    def add(
        self, batch: EventBatch, at: Numbers, runs: Numbers, warps: Numbers, ctas: Numbers
    ) -> None:
        """Take the executions of the header in a batch, in order, with their runs."""
        _, begins, lengths = np.unique(runs, return_index=True, return_counts=True)
        self.runs += len(begins)
        self.iterations += len(at)
        masks = batch.mask[at[begins]].astype(np.uint64)
        self.lanes += int(np.bitwise_count(masks).sum())
        values, counts = np.unique(lengths, return_counts=True)
        self.histogram.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))
        of_warp = np.bincount(warps[begins], lengths)
        own_runs = np.bincount(warps[begins])
        self.between += float((of_warp**2 / np.maximum(own_runs, 1)).sum())
        self.in_step += _alike_in_step(warps[begins], ctas[begins], lengths)
        own = ctas[begins]
        same = own[1:] == own[:-1]
        self.by_cta &= bool((lengths[1:][same] == lengths[:-1][same]).all())

    def behaviour(self) -> LoopBehaviour:
        return LoopBehaviour(
            self.header,
            self.runs,
            self.iterations,
            tuple(sorted(self.histogram.items())),
            self.by_cta,
            self._share(self.between),
            self._share(self.in_step),
            self.lanes / self.runs,
        )

    def _share(self, between: float) -> float:
        """Give the share of the variance between groups; ``between`` sums n mean^2 over them."""
        centre = self.iterations**2 / self.runs
        whole = sum(length**2 * n for length, n in self.histogram.items()) - centre
        return 1.0 if whole <= 0 else min(1.0, max(0.0, (between - centre) / whole))


def _alike_in_step(warps: Numbers, ctas: Numbers, lengths: Numbers) -> float:
    """Sum n mean^2 over groups of runs: the k-th ones of the warps of a CTA."""
    order = np.argsort(warps, kind="stable")
    warps, ctas, lengths = warps[order], ctas[order], lengths[order]
    first = np.flatnonzero(np.diff(warps, prepend=-1))
    number = np.arange(len(warps)) - np.repeat(first, np.diff(first, append=len(warps)))
    _, groups = np.unique(ctas * (number.max() + 1) + number, return_inverse=True)
    summed = np.bincount(groups, lengths)
    return float((summed**2 / np.bincount(groups)).sum())
