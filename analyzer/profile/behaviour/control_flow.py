"""How warps went at branches and round loops, read off the events of executed traces.

Which iteration of each loop around it an event is, a warp's stream of blocks tells. Each lane came
to an event from the event before that had it on. A header's event whose lanes came from outside the
loop starts a run, iteration 0; one whose lanes came from inside is the next iteration. Thereby
sides of a branch that a warp goes one after another do not disturb each other: a lane that breaks
out of a loop executes its block outside while the others are still inside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.analyses.cfg.graph import LoopForest
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.base.jit import jit
from warpmill.analyzer.profile.behaviour.model import (
    BehaviourScope,
    BranchBehaviour,
    FirstThreads,
    LoopBehaviour,
    Triple,
)
from warpmill.analyzer.traces.event_batch import EventBatch, Masks

# How warps went at branches, read off the events of executed traces.


Lanes = npt.NDArray[np.bool_]

_MOST_LANE_EVENTS = 16384
"""Executions that parted lanes, in one batch, whose lanes are counted one by one."""
_MOST_RULE_EVENTS = 4096
"""Executions of a branch in one batch that rules about thread numbers are tried on."""


def branch_behaviours(
    structure: Structure, block: Triple, batches: Iterable[EventBatch]
) -> tuple[BranchBehaviour, ...]:
    """Behaviour of warps at each executed branch with two sides.

    ``block`` is the shape of a CTA. A branch whose guard a launch never met is left out.
    """
    threads = block[0] * block[1] * block[2]
    found = {b: _Branch(b, structure, threads) for b in _branches(structure)}
    for batch in batches:
        after = _following(batch)
        for one in found.values():
            one.add(batch, after)
    return tuple(one.behaviour() for one in found.values() if one.executions)


def _branches(structure: Structure) -> list[int]:
    """The blocks that go on at two places, one of which may be the end."""
    cfg = structure.cfg
    return [b for b in sorted(cfg.reachable) if len(cfg.successors[b]) == 2]


@dataclass(frozen=True, eq=False)
class _Following:
    """For each event of a batch its warp, and the block and mask of the warp's next event.

    The block is -1 where the warp ends.
    """

    warp: Numbers
    block: Numbers
    mask: Masks


def _following(batch: EventBatch) -> _Following:
    events = batch.events
    lengths = np.diff(batch.warps)
    warp = np.repeat(np.arange(len(lengths)), lengths)
    block = np.full(events, -1, np.int64)
    mask = np.zeros(events, np.uint64)
    inside = np.flatnonzero(warp[1:] == warp[:-1])
    block[inside] = batch.block[inside + 1]
    mask[inside] = batch.mask[inside + 1]
    return _Following(warp, block, mask)


def taken_lanes(fallthrough: int, here: Masks, next_block: Numbers, next_mask: Masks) -> Masks:
    """The lanes that did not fall through a branch, from what its warp executed next.

    The fall-through side runs first; lanes that arrive where the sides meet may find others there.
    """
    fell = next_block == fallthrough
    return np.where(fell, here & ~next_mask, here)


@dataclass
class _Branch:
    """State of one branch so far."""

    block: int
    structure: Structure
    threads: int
    executions: int = 0
    counts: Numbers = field(default_factory=lambda: np.zeros(3, np.int64))
    split_share: float = 0.0
    by_cta: bool = True
    by_warp: bool = True
    extremes: dict[BehaviourScope, Numbers] = field(default_factory=dict)
    lanes_on: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))
    lanes_taken: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))
    each_on: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))
    each_taken: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))

    def add(self, batch: EventBatch, after: _Following) -> None:
        """Take the executions of a batch."""
        events = np.flatnonzero(batch.block == self.block)
        if not len(events):
            return
        successors = self.structure.cfg.successors[self.block]
        here = batch.mask[events].astype(np.uint64)
        taken = self._taken(successors, here, after.block[events], after.mask[events])
        on, went = np.bitwise_count(here), np.bitwise_count(taken)
        every, none = went == on, went == 0
        split = ~(every | none)
        self.executions += len(events)
        self.counts += [every.sum(), none.sum(), split.sum()]
        self.split_share += float((went[split] / on[split]).sum())
        way = np.where(every, 1, np.where(none, 0, 2))
        self.by_warp &= _alike(after.warp[events], way)
        ctas = after.warp[events] // batch.tables.warps_per_cta
        self.by_cta &= _alike(ctas, way)
        self._place(batch.tables.warps_per_cta, after.warp[events], on, went)
        self._part(batch.tables.warp_size, here[split], taken[split])
        self._note(batch, after.warp[events], here, taken)

    def _place(self, size: int, warps: Numbers, on: Numbers, went: Numbers) -> None:
        """Add up lanes by the place of their warp in its CTA."""
        position = warps % size
        if not len(self.lanes_on):
            self.lanes_on, self.lanes_taken = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self.lanes_on += np.bincount(position, on, size).astype(np.int64)
        self.lanes_taken += np.bincount(position, went, size).astype(np.int64)

    def _taken(
        self, successors: tuple[int, ...], here: Masks, block: Numbers, mask: Masks
    ) -> Masks:
        exit_id = self.structure.cfg.exit_id
        fall, other = successors
        if other != exit_id:  # a fall-through is a block
            lanes = taken_lanes(fall, here, block, mask)
            arrived = (block == other) & (block != fall)
            return np.where(arrived, here & mask, lanes)  # lanes that fell may wait
        stays = block == fall
        return np.where(stays, here & ~mask, here)

    def _part(self, size: int, here: Masks, taken: Masks) -> None:
        """Count for each lane how often it was there, and took the branch, where lanes parted."""
        if not len(self.each_on):
            self.each_on, self.each_taken = np.zeros(size, np.int64), np.zeros(size, np.int64)
        step = max(1, -(-len(here) // _MOST_LANE_EVENTS))
        lanes = np.arange(size, dtype=np.uint64)
        self.each_on += (here[::step, None] >> lanes & np.uint64(1)).sum(axis=0).astype(np.int64)
        self.each_taken += (
            (taken[::step, None] >> lanes & np.uint64(1)).sum(axis=0).astype(np.int64)
        )

    def _note(self, batch: EventBatch, warps: Numbers, here: Masks, taken: Masks) -> None:
        """Note the lowest and highest numbers of the threads that took it and that did not."""
        step = -(-len(warps) // _MOST_RULE_EVENTS)
        chosen = np.unique(np.r_[0 : len(warps) : step, len(warps) - 1])
        lanes = np.arange(batch.tables.warp_size, dtype=np.uint64)
        on = (here[chosen, None] >> lanes & np.uint64(1)).astype(bool)
        went = (taken[chosen, None] >> lanes & np.uint64(1)).astype(bool)
        each = batch.tables.warps_per_cta
        cta = batch.ctas[warps[chosen] // each][:, None]
        lane = lanes.astype(np.int64)[None, :]
        own = (warps[chosen] % each)[:, None] * batch.tables.warp_size + lane
        numbers = {
            BehaviourScope.GRID: cta * self.threads + own,
            BehaviourScope.CTA: own,
            BehaviourScope.WARP: np.broadcast_to(lane, own.shape),
            BehaviourScope.CTAS: np.broadcast_to(cta, own.shape),
        }
        for scope, number in numbers.items():
            now = _extremes(number, on & went, on & ~went)
            before = self.extremes.get(scope, _NOTHING)
            self.extremes[scope] = np.array(
                [min(before[0], now[0]), max(before[1], now[1]),
                 min(before[2], now[2]), max(before[3], now[3])]
            )  # fmt: skip

    def behaviour(self) -> BranchBehaviour:
        every, none, split = map(int, self.counts)
        share = self.split_share / split if split else 0.0
        return BranchBehaviour(
            self.block,
            self.executions,
            every,
            none,
            split,
            share,
            self._rule(),
            self.by_cta,
            self.by_warp,
            _shares(self.lanes_taken, self.lanes_on),
            _shares(self.each_taken, self.each_on),
        )

    def _rule(self) -> FirstThreads | None:
        """The rule that parts those who took the branch from the others; the widest first."""
        for scope in (
            BehaviourScope.CTAS,
            BehaviourScope.CTA,
            BehaviourScope.WARP,
            BehaviourScope.GRID,
        ):
            least, most, other_least, other_most = map(int, self.extremes[scope])
            if most < 0 or other_most < 0:
                return None  # all went one way
            if most < other_least:
                return FirstThreads(scope, other_least, taken_below=True)
            if other_most < least:
                return FirstThreads(scope, least, taken_below=False)
        return None


def _shares(parts: Numbers, wholes: Numbers) -> tuple[float | None, ...]:
    """Each part over its whole; None where that is 0."""
    pairs = zip(parts.tolist(), wholes.tolist(), strict=True)
    return tuple(part / whole if whole else None for part, whole in pairs)


_FAR = np.iinfo(np.int64).max
_NOTHING = np.array([_FAR, -1, _FAR, -1])


def _extremes(number: Numbers, taken: Lanes, fell: Lanes) -> Numbers:
    """The lowest and highest number of those that took a branch, and of those that did not."""
    return np.array([
        number[taken].min(initial=_FAR), number[taken].max(initial=-1),
        number[fell].min(initial=_FAR), number[fell].max(initial=-1),
    ])  # fmt: skip


def _alike(groups: Numbers, values: Numbers) -> bool:
    """Whether the members of each group have one value; groups ascend."""
    same = groups[1:] == groups[:-1]
    return bool((values[1:][same] == values[:-1][same]).all())


# How often warps went round loops, read off the events of executed traces.

Numbers = npt.NDArray[np.int64]


def loop_behaviours(
    structure: Structure, batches: Iterable[EventBatch]
) -> tuple[LoopBehaviour, ...]:
    """Trip counts of warps in each loop that was entered."""
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
    """State of one loop so far."""

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
        """The share of the variance between groups; ``between`` sums n mean^2 over them."""
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


Small = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class EventIterations:
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
        """Iteration of a loop that each event is in, from 0 on; -1 outside."""
        return self._of(self.numbers, loop)

    def run(self, loop: int) -> Small:
        """Run of a loop that each event is in, unique in the batch; -1 outside."""
        return self._of(self.runs, loop)

    def _of(self, levels: Small, loop: int) -> Small:
        level = self.loops.loops[loop].depth - 1
        inside = (self.chains[:, level] == loop)[self.block]
        return np.where(inside, levels[level], np.int32(-1))


def event_iterations(loops: LoopForest, batch: EventBatch) -> EventIterations:
    """Iterations of the loops around the events of a batch, whose warps are whole."""
    chains = _chains(loops)
    heads = np.full(len(chains), -1, np.int32)
    for loop in loops.loops:
        heads[loop.header] = loop.depth - 1
    numbers, runs = np.full((2, chains.shape[1], batch.events), -1, np.int32)
    if loops.loops and batch.events:
        lanes = batch.tables.warp_size
        _walk(batch.warps, batch.block, batch.mask, chains, heads, lanes, numbers, runs)
    return EventIterations(loops, batch.block, chains, numbers, runs)


def _chains(loops: LoopForest) -> Small:
    """The loops around each block, the outermost first, shape (blocks, levels)."""
    levels = max((loop.depth for loop in loops.loops), default=0)
    chains = np.full((len(loops.innermost_ids), levels), -1, np.int32)
    for loop in loops.loops:
        chains[list(loop.blocks), loop.depth - 1] = loop.id
    return chains


@jit
def _walk(
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
