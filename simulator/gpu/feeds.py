"""The CTAs of launches on their way to the engine: in what order they are traced, and how far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from warpmill.analyzer.base.linear import place_of
from warpmill.analyzer.traces.event_batch import EventBatch
from warpmill.analyzer.traces.unfolding import Unfolder

Triple = tuple[int, int, int]


@dataclass
class CtaOrder:
    """The CTAs of a launch in the order in which they are traced, from ``next`` to before ``end``.

    What is asked for next may be moved on.
    """

    grid: Triple
    next: int
    end: int

    def __iter__(self) -> CtaOrder:
        return self

    def __next__(self) -> Triple:
        if self.next >= self.end:
            raise StopIteration
        self.next += 1
        return place_of(self.next - 1, self.grid)


@dataclass
class Feed:
    """The CTAs of one launch to be traced; those below ``loaded`` are, or were passed over."""

    batches: Iterator[EventBatch]
    unfolder: Unfolder
    order: CtaOrder
    loaded: int = 0
    over: bool = False
