"""CTAs of a launch as waves on SMs, and what those that stand for it execute, event by event.

A round is made as short as asked: traces that are folded have fewer iterations of their loops,
others end early.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.launch.numbering import places_of, ravel_index, unravel_index
from warpmill.analyzer.traces.event_batch import EventBatch, ManyWarps, Triple, joined
from warpmill.analyzer.traces.model import Shortener, weighted_visits
from warpmill.analyzer.traces.source import SupportsManyWarps, SupportsProbing, SupportsWalking
from warpmill.analyzer.traces.summary import sampled_ctas
from warpmill.analyzer.traces.unfolding import Unfolder
from warpmill.simulator.estimate.kernel import EstimateSubject
from warpmill.simulator.gpu.streams import StreamRules, WarpStreams, streams
from warpmill.simulator.machines.model import KeptByValues

MOST_KEPT = 8
"""Rounds that are kept: machines have few numbers of SMs, and traces take memory."""

MOST_WAVES = 4
"""Waves whose sectors are kept: one, the wave before, and beginnings of two."""

MOST_EVENTS = 20_000_000
"""Events of a CTA after shortening; beyond, there is no room for them."""

NEARLY_ALL = 0.95
"""The share of a grid that tells what all of it executes: what is left is its edges and corners,
whose walks would take longer than all others."""

MOST_COUNTED = 2048
"""CTAs of a launch of one wave that are all looked at: their walks are needed for L2 anyway."""

_Part = tuple[float, frozenset[int] | None, frozenset[tuple[int, int]]]
"""Rest of a round: a share of its loops, some blocks of the kernel or all, and accesses
that are none, by (block, instruction)."""


@dataclass(frozen=True, eq=False)
class Events:
    """The events of a round with their transactions.

    ``unknown`` counts, by (block, instruction), accesses whose addresses no trace tells.
    """

    batch: EventBatch
    streams: WarpStreams
    unknown: Mapping[tuple[int, int], int]
    rules: StreamRules


class Round:
    """Some CTAs of a launch."""

    def __init__(self, subject: EstimateSubject, ctas: tuple[Triple, ...]) -> None:
        self.size, self._ctas, self._subject = len(ctas), ctas, subject
        self._batches: dict[_Part, tuple[EventBatch, Mapping[tuple[int, int], int]]] = {}
        self._events: dict[tuple[StreamRules, _Part], Events] = {}

    @cached_property
    def executions(self) -> Mapping[int, int]:
        """How often warps execute each block, nothing shortened."""
        given = self._given
        if given is not None:
            return dict(enumerate(np.bincount(given.block).tolist()))
        return _executions(self._warps, self._warps.which)

    @property
    def each(self) -> Sequence[Mapping[int, int]]:
        """The same of each CTA, in the order of their numbers; of folded traces alone."""
        many = self._warps
        rows = many.which.reshape(len(many.ctas), -1)
        alike = {row.tobytes(): row for row in rows}
        found = {key: _executions(many, row) for key, row in alike.items()}
        return [found[row.tobytes()] for row in rows]

    @property
    def made(self) -> EventBatch | None:
        """The events, where the source has given them already: all of them, nothing shortened."""
        found: EventBatch | None = self.__dict__.get("_given")
        return found

    @cached_property
    def _given(self) -> EventBatch | None:
        """The events, where the source of the traces has them as arrays."""
        batches = self._subject.source.batches(self._ascending)
        return None if batches is None else joined(list(batches))

    @cached_property
    def _ascending(self) -> tuple[Triple, ...]:
        return tuple(sorted(self._ctas, key=lambda cta: cta[::-1]))

    @cached_property
    def _warps(self) -> ManyWarps:
        """The warps, folded."""
        source = self._subject.source
        if isinstance(source, SupportsManyWarps):
            return source.grouped(self._ascending)
        return ManyWarps.of(source.many(self._ascending))

    def events(
        self,
        rules: StreamRules,
        factor: float = 1.0,
        blocks: frozenset[int] | None = None,
        without: frozenset[tuple[int, int]] = frozenset(),
    ) -> Events:
        """The events; a ``factor`` below 1 leaves about that share of them.

        Of folded traces only events of ``blocks`` are left, where these are given. Accesses of the
        instructions ``without`` are left out.
        """
        part = factor, blocks, without
        key = rules, part
        if key not in self._events:
            if part not in self._batches:
                self._batches[part] = self._batch(part)
            batch, unknown = self._batches[part]
            streamed = streams(batch, rules, self._subject.facts.spaces)
            self._events[key] = Events(batch, streamed, unknown, rules)
        return self._events[key]

    def _batch(self, part: _Part) -> tuple[EventBatch, Mapping[tuple[int, int], int]]:
        if self._given is not None:
            return without_accesses(beginning(self._given, part[0]), part[2]), {}
        subject = self._subject
        unfolder = Unfolder(
            subject.source,
            grid=subject.launch.grid,
            warp_size=subject.facts.module.warp_size,
            max_events=MOST_EVENTS,
            accesses=subject.facts.known_accesses,
        )
        shortener = Shortener(*part)
        trees = tuple(map(shortener.tree, self._warps.trees))
        batch = unfolder.together(replace(self._warps, trees=trees))
        return batch, dict(unfolder.unknown_accesses)


def _executions(many: ManyWarps, which: NDArray[np.int64]) -> Mapping[int, int]:
    """Count how often warps execute each block, by the numbers of their trees."""
    found: Counter[int] = Counter()
    number = np.bincount(which, minlength=len(many.trees)).tolist()
    for nodes, warps in zip(many.trees, number, strict=True):
        if warps:
            for visit, times in weighted_visits(nodes):
                found[visit.block] += warps * times
    return found


def beginning(batch: EventBatch, factor: float) -> EventBatch:
    """The first events of each warp, about the share ``factor`` of them."""
    if factor >= 1:
        return batch
    counts = np.diff(batch.warps)
    kept = np.ceil(counts * factor).astype(np.int64)
    events = _concatenated_ranges(batch.warps[:-1], kept)
    guards = np.diff(batch.event_guards)[events]
    accesses = np.diff(batch.event_accesses)[events]
    guard = _concatenated_ranges(batch.event_guards[:-1][events], guards)
    access = _concatenated_ranges(batch.event_accesses[:-1][events], accesses)
    return replace(
        batch,
        warps=_firsts(kept),
        block=batch.block[events],
        mask=batch.mask[events],
        event_guards=_firsts(guards),
        guard_number=batch.guard_number[guard],
        guard_mask=batch.guard_mask[guard],
        event_accesses=_firsts(accesses),
        access_point=batch.access_point[access],
        access_mask=batch.access_mask[access],
        access_base=batch.access_base[access],
        access_pattern=batch.access_pattern[access],
        _known={},
    )


def without_accesses(batch: EventBatch, gone: frozenset[tuple[int, int]]) -> EventBatch:
    """Leave out the accesses of some instructions, by (block, instruction)."""
    if not gone:
        return batch
    left = np.array([(p.block, p.instruction) not in gone for p in batch.tables.points], np.bool_)
    stays = left[batch.access_point]
    return replace(
        batch,
        event_accesses=np.append(0, np.cumsum(stays))[batch.event_accesses],
        access_point=batch.access_point[stays],
        access_mask=batch.access_mask[stays],
        access_base=batch.access_base[stays],
        access_pattern=batch.access_pattern[stays],
        _known={},
    )


def _firsts(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])


def _concatenated_ranges(
    starts: NDArray[np.int64], lengths: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The numbers from each start on, as many as its length, one range after another."""
    ends = np.cumsum(lengths)
    whole = int(ends[-1]) if lengths.size else 0
    return np.asarray(np.arange(whole) + np.repeat(starts - (ends - lengths), lengths))


class Beginnings(Round):
    """First events of some CTAs."""

    def __init__(
        self, subject: EstimateSubject, ctas: tuple[Triple, ...], batch: EventBatch
    ) -> None:
        super().__init__(subject, ctas)
        self._beginning = batch

    @property
    def _given(self) -> EventBatch:
        return self._beginning


class Rounds:
    """The rounds of a subject; those that were asked for last are kept.

    Estimates on other machines also find here what they would make alike: DRAM traffic of waves
    in ``dram``, their sectors in ``waves``, transactions of rounds, and which of them miss in L1.
    """

    def __init__(self, subject: EstimateSubject) -> None:
        self._subject = subject
        self.dram: KeptByValues[Any] = KeptByValues()
        self.waves: KeptByValues[Any] = KeptByValues(MOST_WAVES)
        self.transactions: KeptByValues[Any] = KeptByValues()
        self.on_sm: KeptByValues[Any] = KeptByValues()
        self._kept: dict[tuple[tuple[Triple, ...], int], Round | None] = {}

    def of(self, ctas: tuple[Triple, ...]) -> Round:
        """The round of some CTAs. Errors as the source's, when it is looked at."""
        found = self._of((ctas, 0), lambda: Round(self._subject, ctas))
        assert found is not None
        return found

    def beginnings(self, ctas: tuple[Triple, ...], words: int) -> Round | None:
        """First events of CTAs; ``words`` and None are those of ``SupportsProbing``."""
        return self._of((ctas, words), lambda: self._begun(ctas, words))

    def given(self) -> EventBatch | None:
        """The events of the most CTAs that their source gave already; None: it gave none."""
        found = [one.made for one in self._kept.values() if one is not None]
        batches = [batch for batch in found if batch is not None]
        return max(batches, key=lambda batch: len(batch.ctas), default=None)

    def _begun(self, ctas: tuple[Triple, ...], words: int) -> Round | None:
        source = self._subject.source
        batch = source.beginnings(ctas, words) if isinstance(source, SupportsProbing) else None
        return None if batch is None else Beginnings(self._subject, ctas, batch)

    def each(self, count: int) -> tuple[tuple[Triple, Mapping[int, int]], ...] | None:
        """Count executions of blocks by single CTAs of the launch, in dispatch order.

        So many or one more, spread over the grid; one is of its last row, which may be the one that
        has less to do. Fewer where walks of some stand for nearly all the grid. None where a source
        has others, or cannot tell.
        """
        subject = self._subject
        x, y, z = subject.launch.grid
        chosen = {*sampled_ctas(subject.launch.grid, count), (x // 2, y - 1, z - 1)}
        ctas = tuple(sorted(chosen, key=lambda cta: cta[::-1]))
        if isinstance(subject.source, SupportsWalking):
            ctas = subject.source.standing(ctas, NEARLY_ALL)
        return self._counted(ctas)

    def all_or_some(self, count: int) -> tuple[tuple[Triple, Mapping[int, int]], ...] | None:
        """Count executions of blocks by every CTA of a launch that is one wave, in dispatch order.

        By about ``count`` of them and the first and the last where traces are executed, or there
        are more than MOST_COUNTED. None as ``each``.
        """
        x, y, z = grid = self._subject.launch.grid
        most = MOST_COUNTED if isinstance(self._subject.source, SupportsWalking) else count
        if x * y * z <= most:
            return self._counted(places_of(np.arange(x * y * z), grid))
        chosen = {*sampled_ctas(grid, most), (0, 0, 0), (x - 1, y - 1, z - 1)}
        return self._counted(tuple(sorted(chosen, key=lambda cta: cta[::-1])))

    def _counted(
        self, ctas: tuple[Triple, ...]
    ) -> tuple[tuple[Triple, Mapping[int, int]], ...] | None:
        subject = self._subject
        if isinstance(subject.source, SupportsProbing):
            found = subject.source.executions(ctas)
        else:
            walks = isinstance(subject.source, SupportsWalking)
            found = Round(subject, ctas).each if walks else None
        return None if found is None else tuple(zip(ctas, found, strict=True))

    def _of(
        self, key: tuple[tuple[Triple, ...], int], make: Callable[[], Round | None]
    ) -> Round | None:
        found = self._kept.pop(key) if key in self._kept else make()
        self._kept[key] = found
        if len(self._kept) > MOST_KEPT:
            self._kept.pop(next(iter(self._kept)))
        return found


# The CTAs of a launch as waves on SMs, and which of them stand for the launch.
#
# Hybrid paper, §IV-B, Equation 8 takes every SM to run ⌈CTAs / SMs⌉ CTAs in rounds that may be
# fractions; hardware hands out whole CTAs, and the last wave takes as long as its CTAs do. Where
# CTAs differ in what they execute, some of each kind stand for theirs.


@dataclass(frozen=True)
class Waves:
    """CTAs of a launch on ``sms`` SMs of which each holds ``per_sm`` at once."""

    grid: Triple
    sms: int
    per_sm: int

    @property
    def ctas(self) -> int:
        """CTAs of the launch."""
        x, y, z = self.grid
        return x * y * z

    @property
    def size(self) -> int:
        """CTAs of a full wave."""
        return self.sms * self.per_sm

    @property
    def full(self) -> int:
        """Waves that fill the GPU."""
        return self.ctas // self.size

    @property
    def rest(self) -> int:
        """CTAs of the last wave, where it does not fill the GPU."""
        return self.ctas % self.size

    @property
    def rest_per_sm(self) -> int:
        """CTAs of the last wave on the SMs that have the most of them."""
        return -(-self.rest // self.sms)

    @property
    def rest_sms(self) -> int:
        """SMs that have CTAs of the last wave."""
        return min(self.rest, self.sms)

    @property
    def active_sms(self) -> int:
        """SMs that have CTAs at all."""
        return min(self.ctas, self.sms)

    @property
    def most_per_sm(self) -> int:
        """CTAs that an SM runs in all (Equation 8)."""
        return -(-self.ctas // self.sms)

    def of_sm(self, wave: int, count: int, active: int | None = None) -> tuple[Triple, ...]:
        """``count`` CTAs that an SM in the middle runs from a wave on.

        CTAs go to SMs in turn, so those of one SM are as far apart as there are SMs.
        """
        step = active or self.active_sms
        start = min(wave * self.size, max(0, self.ctas - count * step)) + step // 2
        ids = (min(start + k * step, self.ctas - 1 - (count - 1 - k)) for k in range(count))
        return tuple(self._cta(max(0, i)) for i in ids)

    def beside(self, number: int, before: int, count: int) -> tuple[Triple, ...]:
        """``count`` CTAs that the SM of a CTA runs, from ``before`` waves before it on.

        ``number`` is the CTA's (see ``number``); it is the first of its wave there.
        """
        step = self.active_sms
        wave, place = divmod(number, self.size)
        start = max(0, wave - before) * self.size + place % step
        start = max(place % step, min(start, self.ctas - 1 - (count - 1) * step))
        ids = (min(start + k * step, self.ctas - 1 - (count - 1 - k)) for k in range(count))
        return tuple(self._cta(max(0, i)) for i in ids)

    def wave_of(self, number: int | None) -> int:
        """The wave that a CTA runs in; without one, that in the middle."""
        return self.full // 2 if number is None else number // self.size

    def number(self, cta: Triple) -> int:
        """A CTA's number in the order in which they go to SMs."""
        return ravel_index(cta, self.grid)

    def of_wave(self, wave: int, most: int) -> tuple[Triple, ...]:
        """The CTAs of a wave on all SMs, at most so many."""
        start = wave * self.size
        end = min(self.ctas, start + min(self.size, most))
        return places_of(np.arange(start, end), self.grid)

    def _cta(self, index: int) -> Triple:
        return unravel_index(index, self.grid)


# Which CTAs stand for a launch, where these differ in what they execute.
#
# The wave in the middle stands for all, as long as its CTAs have about as much to do as those all
# over the launch. Where a grid does not divide what there is to do, the CTAs at its end have
# little of it, and what these take says nothing of the others: then a wave of those that execute
# most does.

CTAS_LOOKED_AT = 16
"""CTAs all over the launch that tell what its waves execute in the mean."""

MOST_KINDS = 3

APART = 1.5
"""CTAs of different kinds: these times as many instructions, without others between."""

_WAVES_THAT_DIFFER = 2

Count = Callable[[Mapping[int, float]], float]
"""Counts instructions from executions of blocks."""


@dataclass(frozen=True)
class CtaKind:
    """CTAs that execute about as much.

    ``share`` is theirs of all CTAs, ``cta`` the number of one in the middle of them and
    ``looked_at`` those of all that were looked at. ``instructions`` are those of one in the mean.
    """

    share: float
    cta: int
    instructions: float
    looked_at: tuple[int, ...]


@dataclass(frozen=True)
class Typical:
    """Representative of a launch's CTAs.

    ``cta`` is the number of one of those that do; None: the wave in the middle does.
    ``instructions`` are those of a CTA in the mean over the launch, ``executions`` how often its
    warps execute each block; None: unknown. ``beside`` is what CTAs that run beside these do, as a
    share of what these do.
    """

    cta: int | None = None
    instructions: float | None = None
    executions: Mapping[int, float] | None = None
    beside: float = 1.0


def typical(rounds: Rounds, waves: Waves, count: Count, most: int = CTAS_LOOKED_AT) -> Typical:
    """Representative of a launch's CTAs, by about so many of them.

    Where there is one full wave at most, it takes as long as its CTAs that execute most. Nothing is
    known where single CTAs cannot be looked at.
    """
    few = waves.full < _WAVES_THAT_DIFFER
    found = rounds.all_or_some(most) if few else rounds.each(most)
    if found is None:
        return Typical()
    executed = {waves.number(cta): executions for cta, executions in found}
    counts = {key: count(executions) for key, executions in _different(executed).items()}
    each = kinds({n: counts[id(executions)] for n, executions in executed.items()}, waves)
    mean = fsum(kind.share * kind.instructions for kind in each)
    if few:
        middle = rounds.of(waves.of_sm(0, max(1, min(waves.per_sm, waves.most_per_sm))))
        other = max(each, key=lambda kind: kind.instructions)
        wanted, beside = other.instructions, mean / max(1.0, other.instructions)
    else:
        middle = rounds.of(waves.of_sm(waves.full // 2, waves.per_sm))
        other = max(each, key=lambda kind: kind.share * kind.instructions)
        wanted, beside = mean, 1.0
    whole = Typical(None, mean, _mean_executions(each, executed))
    if count(middle.executions) / middle.size * APART >= wanted:
        return whole
    return replace(whole, cta=other.cta, beside=beside)


def _mean_executions(
    each: Sequence[CtaKind], executed: Mapping[int, Mapping[int, int]]
) -> Mapping[int, float]:
    """How often a CTA in the mean executes each block, by the share of each kind."""
    mean: defaultdict[int, float] = defaultdict(float)
    different = _different(executed)
    for kind in each:
        found: Counter[int] = Counter()
        alike = Counter(id(executed[number]) for number in kind.looked_at)
        for key, ctas in alike.items():
            for block, times in different[key].items():
                found[block] += ctas * times
        for block, times in found.items():
            mean[block] += kind.share * times / len(kind.looked_at)
    return dict(mean)


def _different(executed: Mapping[int, Mapping[int, int]]) -> Mapping[int, Mapping[int, int]]:
    """Executions by their identity: CTAs that do the same share them, as a rule."""
    return {id(executions): executions for executions in executed.values()}


def kinds(counts: Mapping[int, float], waves: Waves) -> tuple[CtaKind, ...]:
    """Kinds of CTAs by the instructions of some, by number; those that execute least first."""
    alike_runs = _alike_runs(sorted((n, number) for number, n in counts.items()))
    kind_of = {number: kind for kind, own in enumerate(alike_runs) for _, number in own}
    shares = _shares(sorted(kind_of.items()), waves)
    return tuple(
        CtaKind(
            shares[kind],
            sorted(number for _, number in own)[len(own) // 2],
            fsum(n for n, _ in own) / len(own),
            tuple(number for _, number in own),
        )
        for kind, own in enumerate(alike_runs)
    )


def _alike_runs(counted: Sequence[tuple[float, int]]) -> list[Sequence[tuple[float, int]]]:
    """Cut ascending counts where they grow most."""
    if counted[-1][0] < APART * max(counted[0][0], 1.0):
        return [counted]
    steps = [
        (more / max(less, 1.0), place)
        for place, ((less, _), (more, _)) in enumerate(pairwise(counted), 1)
    ]
    wide = sorted((step for step in steps if step[0] >= APART), reverse=True)[: MOST_KINDS - 1]
    cuts = [0, *sorted(place for _, place in wide), len(counted)]
    return [counted[a:b] for a, b in pairwise(cuts)]


def _shares(ascending: Sequence[tuple[int, int]], waves: Waves) -> Mapping[int, float]:
    """The share of all CTAs that is of each kind, by some CTAs and their kinds.

    Each stands for those around it: up to the middle between two, and of two kinds up to where a
    row of the grid ends; the last of such ends, as what is left over comes last.
    """
    row, total = waves.grid[0], waves.ctas
    found: Counter[int] = Counter()
    begin = 0
    for (number, kind), (following, other) in pairwise(ascending):
        end = (number + following + 1) // 2
        if kind != other and number // row < following // row:
            end = following // row * row
        found[kind] += end - begin
        begin = end
    found[ascending[-1][1]] += total - begin
    return {kind: ctas / total for kind, ctas in found.items()}
