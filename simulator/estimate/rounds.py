"""Rounds of CTAs as events and transactions; what does not depend on the machine is made once.

A round is made as short as asked: traces that are folded have fewer iterations of their loops,
others end early.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from analyzer.ir.kernel import Kernel
from analyzer.trace.event_batch import EventBatch, Triple, joined
from analyzer.trace.layout import Layout
from analyzer.trace.model import WarpTrace, weighted_visits
from analyzer.trace.shortened import Shortener
from analyzer.trace.source import TraceSource
from analyzer.trace.unfolding import Unfolder
from simulator.estimate.subject import Subject
from simulator.gpu.streams import StreamRules, Streams, streams

MOST_KEPT = 8
"""Rounds that are kept: machines have few numbers of SMs, and traces take memory."""

MOST_EVENTS = 20_000_000
"""Events of a CTA after shortening; beyond, there is no room for them."""


@dataclass(frozen=True, eq=False)
class Events:
    """The events of a round with their transactions.

    ``unknown`` counts, by (block, instruction), accesses whose addresses no trace tells.
    """

    batch: EventBatch
    streams: Streams
    unknown: Mapping[tuple[int, int], int]
    rules: StreamRules


class Round:
    """Some CTAs of a launch."""

    def __init__(self, subject: Subject, ctas: tuple[Triple, ...]) -> None:
        self.size, self._ctas, self._subject = len(ctas), ctas, subject
        self._batches: dict[float, tuple[EventBatch, Mapping[tuple[int, int], int]]] = {}
        self._events: dict[tuple[StreamRules, float], Events] = {}

    @cached_property
    def executions(self) -> Mapping[int, int]:
        """How often warps execute each block, nothing shortened."""
        given = self._given
        if given is not None:
            return dict(enumerate(np.bincount(given.block).tolist()))
        found: Counter[int] = Counter()
        warps = [warp for own in self._traces for warp in own]
        number = Counter(id(warp.nodes) for warp in warps)
        for key, warp in {id(w.nodes): w for w in warps}.items():
            for visit, times in weighted_visits(warp.nodes):
                found[visit.block] += number[key] * times
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
    def _traces(self) -> Sequence[tuple[WarpTrace, ...]]:
        return tuple(self._subject.source.many(self._ascending))

    def events(self, rules: StreamRules, factor: float = 1.0) -> Events:
        """Give the events; a ``factor`` below 1 leaves about that share of them."""
        key = rules, factor
        if key not in self._events:
            if factor not in self._batches:
                self._batches[factor] = self._batch(factor)
            batch, unknown = self._batches[factor]
            made = streams(batch, rules, self._subject.facts.spaces)
            self._events[key] = Events(batch, made, unknown, rules)
        return self._events[key]

    def _batch(self, factor: float) -> tuple[EventBatch, Mapping[tuple[int, int], int]]:
        if self._given is not None:
            return beginning(self._given, factor), {}
        subject = self._subject
        unfolder = Unfolder(
            _Shortened(subject.source, self._traces, factor),
            grid=subject.launch.grid,
            warp_size=subject.facts.module.warp_size,
            max_events=MOST_EVENTS,
            accesses=subject.facts.known_accesses,
        )
        batch = joined(list(unfolder.batches(self._ascending)))
        return batch, dict(unfolder.unknown_accesses)


class _Shortened:
    """A source of traces that hands out some that are there already, shortened."""

    kind, reason, data = "static", "", ""
    ctas = None
    assumptions = ()

    def __init__(
        self, source: TraceSource, traces: Sequence[tuple[WarpTrace, ...]], factor: float
    ) -> None:
        self._source, self._traces, self._shortener = source, traces, Shortener(factor)

    @property
    def kernel(self) -> Kernel:
        return self._source.kernel

    @property
    def layout(self) -> Layout:
        return self._source.layout

    def warps(self, cta: Triple) -> tuple[WarpTrace, ...]:
        return next(iter(self.many([cta])))

    def many(self, _ctas: Iterable[Triple]) -> Iterator[tuple[WarpTrace, ...]]:
        return self._shortener.traces(self._traces)

    def batches(self, _ctas: Iterable[Triple]) -> None:
        return None


def beginning(batch: EventBatch, factor: float) -> EventBatch:
    """Give the first events of each warp, about the share ``factor`` of them."""
    if factor >= 1:
        return batch
    counts = np.diff(batch.warps)
    kept = np.ceil(counts * factor).astype(np.int64)
    events = _stretches(batch.warps[:-1], kept)
    guards = np.diff(batch.event_guards)[events]
    accesses = np.diff(batch.event_accesses)[events]
    guard = _stretches(batch.event_guards[:-1][events], guards)
    access = _stretches(batch.event_accesses[:-1][events], accesses)
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


def _firsts(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])


def _stretches(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the numbers from each start on, as many as its length, one stretch after another."""
    ends = np.cumsum(lengths)
    whole = int(ends[-1]) if lengths.size else 0
    return np.asarray(np.arange(whole) + np.repeat(starts - (ends - lengths), lengths))


class Rounds:
    """The rounds of a subject; those that were asked for last are kept."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._kept: dict[tuple[Triple, ...], Round] = {}

    def of(self, ctas: tuple[Triple, ...]) -> Round:
        """Give the round of some CTAs. Errors as the source's, when it is looked at."""
        found = self._kept.pop(ctas, None) or Round(self._subject, ctas)
        self._kept[ctas] = found
        if len(self._kept) > MOST_KEPT:
            self._kept.pop(next(iter(self._kept)))
        return found
