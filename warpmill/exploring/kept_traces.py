"""Traces of a workload that are kept from point to point, as machines do not change them.

Executing a workload again for its traces takes a fifth of the time of a point with millions of
warp instructions, and most of it where there are few. Kept are traces that come in batches
(executed ones), of whole launches, up to ``MOST_BYTES`` in a process; others are made anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from warpmill.analyzer.traces.event_batch import EventBatch
from warpmill.analyzer.traces.source import TraceSource
from warpmill.session.simulation_plans import SimulationPlan

MOST_BYTES = 1 << 29

Triple = tuple[int, int, int]


class KeptTraces:
    """Traces of a workload's launches in this process, by their numbers."""

    def __init__(self) -> None:
        self._sources: dict[int, _KeptSource] = {}
        self.bytes = 0

    def plan(self, made: SimulationPlan) -> SimulationPlan:
        """A plan whose launches take traces that are kept, where there are any."""
        if made.options.waves is not None:  # then it depends on the machine how many are traced
            return made
        works = tuple(
            replace(work, traces=self._traces(number, work.traces, work.launch.cta_count))
            for number, work in enumerate(made.works)
        )
        return replace(made, works=works)

    def _traces(
        self, number: int, make: Callable[[], TraceSource], ctas: int
    ) -> Callable[[], TraceSource]:
        def traces() -> TraceSource:
            known = self._sources.get(number)
            if known is None or not known.full:
                known = self._sources[number] = _KeptSource(self, make(), ctas)
            found: Any = known
            return found  # type: ignore[no-any-return] # it hands on what it does not do itself

        return traces


class _KeptSource:
    """A source (a ``TraceSource``) that keeps batches of a whole launch once they were made."""

    def __init__(self, kept: KeptTraces, source: TraceSource, ctas: int) -> None:
        self._kept, self._source, self._ctas = kept, source, ctas
        self._batches: list[EventBatch] = []
        self.full = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def batches(self, ctas: Iterable[Triple]) -> Iterator[EventBatch] | None:
        """The events of all CTAs of the launch."""
        if self.full:
            return iter(self._batches)
        made = self._source.batches(ctas)
        return None if made is None else self._keeping(made)

    def _keeping(self, made: Iterator[EventBatch]) -> Iterator[EventBatch]:
        found: list[EventBatch] | None = []
        taken = traced = 0
        for batch in made:
            traced, taken = traced + len(batch.ctas), taken + bytes_of(batch)
            if self._kept.bytes + taken > MOST_BYTES:
                found = None
            if found is not None:
                found.append(batch)
                if traced == self._ctas:  # nobody may ask for what comes behind the last one
                    self._batches, self.full = found, True
                    self._kept.bytes += taken
            yield batch


def bytes_of(batch: EventBatch) -> int:
    """The memory that a batch takes, about."""
    return sum(int(getattr(v, "nbytes", 0)) for v in vars(batch).values())
