"""How warps went at branches, read off the events of executed traces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.profile.behaviour.model import BranchBehaviour, FirstThreads, Scope, Triple
from warpmill.analyzer.traces.event_batch import EventBatch, Masks

Numbers = npt.NDArray[np.int64]
Lanes = npt.NDArray[np.bool_]

_MOST_LANE_EVENTS = 16384
"""Executions that parted lanes, in one batch, whose lanes are counted one by one."""
_MOST_RULE_EVENTS = 4096
"""Executions of a branch in one batch that rules about thread numbers are tried on."""


def branch_behaviours(
    structure: Structure, block: Triple, batches: Iterable[EventBatch]
) -> tuple[BranchBehaviour, ...]:
    """Say for each branch with two sides that was executed how warps went there.

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
    """Give the blocks that go on at two places, one of which may be the end."""
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
    """Give the lanes that did not fall through a branch, from what its warp executed next.

    The fall-through side runs first; lanes that arrive where the sides meet may find others there.
    """
    fell = next_block == fallthrough
    return np.where(fell, here & ~next_mask, here)


@dataclass
class _Branch:
    """What is known of one branch so far."""

    block: int
    structure: Structure
    threads: int
    executions: int = 0
    counts: Numbers = field(default_factory=lambda: np.zeros(3, np.int64))
    split_share: float = 0.0
    by_cta: bool = True
    by_warp: bool = True
    extremes: dict[Scope, Numbers] = field(default_factory=dict)
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
            Scope.GRID: cta * self.threads + own,
            Scope.CTA: own,
            Scope.WARP: np.broadcast_to(lane, own.shape),
            Scope.CTAS: np.broadcast_to(cta, own.shape),
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
        """Give the rule that parts those who took the branch from the others; the widest first."""
        for scope in (Scope.CTAS, Scope.CTA, Scope.WARP, Scope.GRID):
            least, most, other_least, other_most = map(int, self.extremes[scope])
            if most < 0 or other_most < 0:
                return None  # all went one way
            if most < other_least:
                return FirstThreads(scope, other_least, taken_below=True)
            if other_most < least:
                return FirstThreads(scope, least, taken_below=False)
        return None


def _shares(parts: Numbers, wholes: Numbers) -> tuple[float | None, ...]:
    """Give each part over its whole; None where that is 0."""
    pairs = zip(parts.tolist(), wholes.tolist(), strict=True)
    return tuple(part / whole if whole else None for part, whole in pairs)


_FAR = np.iinfo(np.int64).max
_NOTHING = np.array([_FAR, -1, _FAR, -1])


def _extremes(number: Numbers, taken: Lanes, fell: Lanes) -> Numbers:
    """Give the lowest and highest number of those that took a branch, and of those that did not."""
    return np.array([
        number[taken].min(initial=_FAR), number[taken].max(initial=-1),
        number[fell].min(initial=_FAR), number[fell].max(initial=-1),
    ])  # fmt: skip


def _alike(groups: Numbers, values: Numbers) -> bool:
    """Whether the members of each group have one value; groups ascend."""
    same = groups[1:] == groups[:-1]
    return bool((values[1:][same] == values[:-1][same]).all())
