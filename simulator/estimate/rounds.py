"""Rounds: some CTAs of a launch, and what their warps execute, event by event.

A round is made as short as asked: traces that are folded have fewer iterations of their loops,
others end early.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.launch.numbering import Places, places_of
from warpmill.analyzer.traces.event_batch import EventBatch, ManyWarps, Triple, joined
from warpmill.analyzer.traces.model import Shortener, weighted_visits
from warpmill.analyzer.traces.source import SupportsManyWarps, SupportsProbing, SupportsWalking
from warpmill.analyzer.traces.summary import sampled_ctas
from warpmill.analyzer.traces.unfolding import Unfolder
from warpmill.simulator.estimate.kernel import EstimateSubject
from warpmill.simulator.machines.model import KeptByValues
from warpmill.simulator.streams import StreamRules, WarpStreams, streams

if TYPE_CHECKING:
    from warpmill.simulator.assembler.spills import Spills

MOST_KEPT = 8
"""Rounds that are kept: machines have few numbers of SMs, and traces take memory."""

MOST_WAVES = 6
"""Waves and beginnings of waves that are kept; of a launch of one wave there are three."""

MOST_UNFOLDED = 1 << 20
"""Events and accesses of trees that stay unfolded for rounds to come."""

MOST_EVENTS = 20_000_000
"""Events of a CTA after shortening; beyond, there is no room for them."""

NEARLY_ALL = 0.95
"""The share of a grid that tells what all of it executes: what is left is its edges and corners,
whose walks would take longer than all others."""

MOST_EXECUTED = 4096
"""CTAs of a launch of several waves that are executed to count what each does; of more, some."""

MOST_COUNTED_INSTRUCTIONS = 1 << 32
"""Thread instructions that are executed for such counts, about, in a second or two; of launches
with more, some CTAs."""

MOST_TRANSACTIONS = 8
"""Rounds whose transactions are kept."""

MOST_COUNTED = 2048
"""CTAs of a launch of one wave that are all looked at: their walks are needed for L2 anyway."""

_IN_ORDER = itemgetter(2, 1, 0)
"""Sides of a CTA's place as they turn, the slowest first."""

_Key = TypeVar("_Key")
_Made = TypeVar("_Made")

_Executed = tuple[tuple[Triple, Mapping[int, int]], ...]
"""CTAs, each with how often its warps execute each block."""

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


class _PartialUnfolding:
    """Unfolding of trees of which a part is left: each is cut and unfolded once for all rounds."""

    def __init__(self, subject: EstimateSubject, part: _Part) -> None:
        self._shortener = Shortener(*part)
        self._unfolder = Unfolder(
            subject.source,
            grid=subject.launch.grid,
            warp_size=subject.facts.module.warp_size,
            max_events=MOST_EVENTS,
            accesses=subject.facts.known_accesses,
            most_kept=MOST_UNFOLDED,
        )

    def batch(self, warps: ManyWarps) -> tuple[EventBatch, Mapping[tuple[int, int], int]]:
        """The events that are left, and by (block, instruction) the accesses without address."""
        trees = tuple(map(self._shortener.tree, warps.trees))
        made = self._unfolder.together(replace(warps, trees=trees))
        return made, self._unfolder.take_unknown_accesses()


class _Unfoldings:
    """Unfoldings of a subject, of the parts that were asked for last.

    Rounds hold them, and they hold no rounds: what is not asked for any more goes at once.
    """

    def __init__(self, subject: EstimateSubject) -> None:
        self._subject = subject
        self._kept: dict[_Part, _PartialUnfolding] = {}

    def of(self, part: _Part) -> _PartialUnfolding:
        """The unfolding of a part."""
        return _of_last(self._kept, part, lambda: _PartialUnfolding(self._subject, part))


class Round:
    """Some CTAs of a launch. ``unfoldings`` are those that it shares with others."""

    def __init__(
        self,
        subject: EstimateSubject,
        ctas: tuple[Triple, ...],
        unfoldings: _Unfoldings | None = None,
    ) -> None:
        self.size, self._ctas, self._subject = len(ctas), ctas, subject
        self._unfoldings = unfoldings or _Unfoldings(subject)
        self._batches: dict[_Part, tuple[EventBatch, Mapping[tuple[int, int], int]]] = {}
        self._events: dict[tuple[StreamRules, _Part, Spills | None], Events] = {}

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
        if isinstance(self._ctas, Places):
            return self._ctas
        return tuple(sorted(self._ctas, key=_IN_ORDER))

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
        spills: Spills | None = None,
    ) -> Events:
        """The events; a ``factor`` below 1 leaves about that share of them.

        Of folded traces only events of ``blocks`` are left, where these are given. Accesses of the
        instructions ``without`` are left out, those of ``spills`` come on top.
        """
        part = factor, blocks, without
        key = rules, part, spills
        if key not in self._events:
            if part not in self._batches:
                self._batches[part] = self._batch(part)
            batch, unknown = self._batches[part]
            batch = batch if spills is None else spills.traced(batch)
            streamed = streams(batch, rules, self._subject.facts.spaces)
            self._events[key] = Events(batch, streamed, unknown, rules)
        return self._events[key]

    def _batch(self, part: _Part) -> tuple[EventBatch, Mapping[tuple[int, int], int]]:
        if self._given is not None:
            return without_accesses(beginning(self._given, part[0]), part[2]), {}
        return self._unfoldings.of(part).batch(self._warps)


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
    """The first events of each block of each warp, about the share ``factor`` of them.

    So loops that come one after another are all begun, and of what runs once all is left.
    """
    if factor >= 1:
        return batch
    which = _first_visits(batch, factor)
    events, kept = np.flatnonzero(which), np.add.reduceat(np.append(which, 0), batch.warps[:-1])
    kept = np.where(np.diff(batch.warps) > 0, kept, 0)
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


def _first_visits(batch: EventBatch, factor: float) -> NDArray[np.bool_]:
    """Which events are among the first of their warp and block, a share of these."""
    warp = np.repeat(np.arange(len(batch.warps) - 1), np.diff(batch.warps))
    which = warp * (int(batch.block.max(initial=0)) + 1) + batch.block
    order = np.argsort(which, kind="stable")
    starts = np.flatnonzero(np.diff(which[order], prepend=-1))
    counts = np.diff(np.append(starts, len(order)))
    visit = np.arange(len(order)) - np.repeat(starts, counts)
    found = np.empty(len(order), np.bool_)
    found[order] = visit < np.repeat(np.ceil(counts * factor), counts)
    return found


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
    """The rounds of a subject; those of SMs that were asked for last are kept, and some of waves.

    Estimates on other machines also find here what they would make alike: DRAM traffic of waves
    in ``dram``, their sectors in ``waves``, transactions of rounds, and which of them miss in L1.
    """

    def __init__(self, subject: EstimateSubject) -> None:
        self._subject = subject
        self.dram: KeptByValues[Any] = KeptByValues()
        self.waves: MostUsed[Any, Any] = MostUsed(MOST_WAVES)
        self.transactions: MostUsed[Any, Any] = MostUsed(MOST_TRANSACTIONS)
        self.on_sm: KeptByValues[Any] = KeptByValues()
        self._kept: dict[tuple[Triple, ...], Round] = {}
        self._of_waves: MostUsed[tuple[tuple[Triple, ...], int], Round | None]
        self._of_waves = MostUsed(MOST_WAVES)
        self._unfoldings = _Unfoldings(subject)
        self._executed: dict[tuple[Triple, ...], _Executed | None] = {}

    def of(self, ctas: tuple[Triple, ...]) -> Round:
        """The round of CTAs that an SM runs. Errors as the source's, when it is looked at."""
        of_wave = self._of_waves.get((ctas, 0))
        return of_wave or _of_last(self._kept, ctas, lambda: self._made(ctas))

    def wave(self, ctas: tuple[Triple, ...]) -> Round:
        """The round of the CTAs of a wave; machines that hold the launch in one have it in common.

        Errors as ``of``.
        """
        of_sm = self._kept.get(ctas)
        found = self._of_waves.of((ctas, 0), lambda: of_sm or self._made(ctas))
        assert found is not None
        return found

    def _made(self, ctas: tuple[Triple, ...]) -> Round:
        return Round(self._subject, ctas, self._unfoldings)

    def beginnings(self, ctas: tuple[Triple, ...], words: int) -> Round | None:
        """First events of a wave's CTAs; ``words`` and None are those of ``SupportsProbing``."""
        return self._of_waves.of((ctas, words), lambda: self._begun(ctas, words))

    def given(self) -> EventBatch | None:
        """The events of the most CTAs that their source gave already; None: it gave none."""
        rounds = (*self._of_waves.values(), *self._kept.values())
        found = [one.made for one in rounds if one is not None]
        batches = [batch for batch in found if batch is not None]
        return max(batches, key=lambda batch: len(batch.ctas), default=None)

    def _begun(self, ctas: tuple[Triple, ...], words: int) -> Round | None:
        source = self._subject.source
        batch = source.beginnings(ctas, words) if isinstance(source, SupportsProbing) else None
        return None if batch is None else Beginnings(self._subject, ctas, batch)

    def each(self, count: int) -> _Executed | None:
        """Count executions of blocks by single CTAs of the launch, in dispatch order.

        So many or one more, spread over the grid; one is of its last row, which may be the one that
        has less to do. Fewer where walks of some stand for nearly all the grid, and all of those
        that are executed, where they are not more than MOST_EXECUTED and do not take long. None
        where a source has others, or cannot tell.
        """
        subject = self._subject
        x, y, z = subject.launch.grid
        chosen = {*sampled_ctas(subject.launch.grid, count), (x // 2, y - 1, z - 1)}
        ctas = tuple(sorted(chosen, key=_IN_ORDER))
        if isinstance(subject.source, SupportsProbing) and x * y * z <= MOST_EXECUTED:
            return self._all_or(ctas)
        if isinstance(subject.source, SupportsWalking):
            ctas = subject.source.standing(ctas, NEARLY_ALL)
        return self._counted(ctas)

    def all_or_some(self, count: int) -> _Executed | None:
        """Count executions of blocks by every CTA of a launch that is one wave, in dispatch order.

        By about MOST_COUNTED of them and the first and the last where there are more to walk, and
        by about ``count`` where CTAs can be neither walked nor run alone, or run for long. None as
        ``each``.
        """
        x, y, z = grid = self._subject.launch.grid
        source, most = self._subject.source, count
        if isinstance(source, SupportsWalking):
            most = MOST_COUNTED
        if x * y * z <= most:
            return self._counted(places_of(np.arange(x * y * z), grid))
        chosen = {*sampled_ctas(grid, most), (0, 0, 0), (x - 1, y - 1, z - 1)}
        ctas = tuple(sorted(chosen, key=_IN_ORDER))
        is_run = isinstance(source, SupportsProbing) and not isinstance(source, SupportsWalking)
        return self._all_or(ctas) if is_run else self._counted(ctas)

    def _all_or(self, some: tuple[Triple, ...]) -> _Executed | None:
        """Count executions of blocks by all CTAs, or by some where all would run for long."""
        grid, kernel = self._subject.launch.grid, self._subject.kernel
        found, every = self._counted(some), prod(grid)
        if found is not None:
            lanes = self._subject.facts.module.warp_size
            length = [len(block.instructions) * lanes for block in kernel.blocks]
            ran = sum(length[block] * times for _, own in found for block, times in own.items())
            if ran * every > MOST_COUNTED_INSTRUCTIONS * len(found):
                return found
        return self._counted(places_of(np.arange(every), grid))

    def _counted(self, ctas: tuple[Triple, ...]) -> _Executed | None:
        return _of_last(self._executed, ctas, lambda: self._count(ctas))

    def _count(self, ctas: tuple[Triple, ...]) -> _Executed | None:
        subject = self._subject
        if isinstance(subject.source, SupportsProbing):
            found = subject.source.executions(ctas)
        else:
            walks = isinstance(subject.source, SupportsWalking)
            found = Round(subject, ctas).each if walks else None
        return None if found is None else tuple(zip(ctas, found, strict=True))


def _of_last(kept: dict[_Key, _Made], key: _Key, make: Callable[[], _Made]) -> _Made:
    """What is kept under a key, or is made and kept; those that were asked for last stay."""
    found = kept.pop(key) if key in kept else make()
    kept[key] = found
    if len(kept) > MOST_KEPT:
        kept.pop(next(iter(kept)))
    return found


class MostUsed(Generic[_Key, _Made]):
    """What was made under keys; those that were asked for most often stay."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[_Key, _Made] = {}
        self._uses: Counter[_Key] = Counter()

    def of(self, key: _Key, make: Callable[[], _Made]) -> _Made:
        """What is kept under a key, or is made and kept."""
        if key not in self._kept:
            made = make()
            if len(self._kept) == self._most:
                least = min(self._kept, key=self._uses.__getitem__)  # of several the oldest
                del self._kept[least], self._uses[least]
            self._kept[key] = made
        self._uses[key] += 1
        return self._kept[key]

    def get(self, key: _Key) -> _Made | None:
        """What is kept under a key; it is not asked for by that."""
        return self._kept.get(key)

    def values(self) -> Iterable[_Made]:
        """All that is kept, in the order in which it was made."""
        return self._kept.values()
