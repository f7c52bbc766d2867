"""When the work of an application runs: kernels and copies of streams on one GPU.

The host asks for one piece of work after another, each after a time of its own, and waits where the
program says so. A piece begins when it was asked for and all that it comes after has ended, kernels
a gap later. What runs at once shares the GPU: each piece takes a part of some resources while it
executes, those that began first as much as they take alone, later ones what is left. So kernels
overlap as far as their CTAs leave slots and their traffic leaves DRAM, and copies run beside
kernels, one at a time each way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Annotated, ClassVar, NamedTuple

from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric, derived

ROUNDING = 1e-9
"""Microseconds that are none."""


@dataclass(frozen=True, slots=True)
class Work:
    """A kernel or a copy.

    Alone it takes ``lead_us``, in which nothing executes, and then ``us``; it ``takes`` these parts
    of resources meanwhile, from 0 to 1, by their names. It comes ``after`` others and ``gap_us``
    later; the host asks for it ``host_us`` after what it did before, once those of ``host_after``
    have ended. All are named by their places in the sequence.
    """

    us: float
    lead_us: float = 0.0
    gap_us: float = 0.0
    host_us: float = 0.0
    is_copy: bool = False
    after: tuple[int, ...] = ()
    host_after: tuple[int, ...] = ()
    takes: Mapping[str, float] = field(default_factory=dict)


class Span(NamedTuple):
    """When a piece of work runs, from the beginning of all, in microseconds."""

    begin_us: float
    end_us: float


@dataclass(frozen=True)
class Timeline:
    """When each piece of work runs, and what goes on meanwhile.

    ``kernels_us`` is the time in which a kernel executes, ``copies_us`` that in which none does and
    something is copied, ``gaps_us`` all other time: launching, and waiting for the host.
    """

    mark: ClassVar[Mark] = Mark.MODELLED

    spans: Annotated[tuple[Span, ...], INTERNAL]
    kernels_us: Annotated[float, Metric("Kernels", "µs")]
    copies_us: Annotated[float, Metric("Copies", "µs")]
    gaps_us: Annotated[float, Metric("Launch overhead", "µs")]

    @derived("Bound by")
    def bound(self) -> str:
        """The greatest of the three parts of the time."""
        return max(self.parts, key=lambda part: part[1])[0]

    @property
    def parts(self) -> tuple[tuple[str, float], ...]:
        """The three parts of the time, in words."""
        parts = ("kernels", self.kernels_us), ("copies", self.copies_us)
        return (*parts, ("launching and gaps", self.gaps_us))

    @derived("Duration", "µs")
    def time_us(self) -> float:
        """From when the host begins until the last piece has ended."""
        return max((span.end_us for span in self.spans), default=0.0)


def timeline(works: Sequence[Work]) -> Timeline:
    """Place work in time. What it waits for comes before it in the sequence (ValueError).

    >>> timeline([Work(5.0), Work(5.0, gap_us=1.0, after=(0,))]).time_us
    11.0
    """
    for place, work in enumerate(works):
        if any(not 0 <= other < place for other in (*work.after, *work.host_after)):
            raise ValueError(f"work {place} waits for what does not come before it")
    run = _Run(works)
    while run.step():
        pass
    return Timeline(
        tuple(Span(b, e) for b, e in zip(run.begins, run.ends, strict=True)),
        run.kernels_us,
        run.copies_us,
        run.gaps_us,
    )


@dataclass
class _Running:
    """Work that has begun: what is left of its lead and of its own time, and how fast that goes."""

    place: int
    lead: float
    left: float
    rate: float = 0.0

    @property
    def until(self) -> float:
        """The time until it goes on in another way, if nothing else changes."""
        if self.lead > ROUNDING:
            return self.lead
        return self.left / self.rate if self.rate > 0.0 else math.inf


class _Run:
    """A GPU and its host, from one change to the next."""

    def __init__(self, works: Sequence[Work]) -> None:
        self._works = works
        self.begins, self.ends = [math.nan] * len(works), [math.nan] * len(works)
        self.kernels_us = self.copies_us = self.gaps_us = 0.0
        self._now = self._host = 0.0
        self._asked = 0  # pieces that the host has asked for
        self._open = [1 + len(work.after) for work in works]  # what each still waits for
        self._followers: list[list[int]] = [[] for _ in works]
        for place, work in enumerate(works):
            for other in work.after:
                self._followers[other].append(place)
        self._ready: list[tuple[float, int]] = []  # when pieces can begin, a heap
        self._running: list[_Running] = []

    def step(self) -> bool:
        """Go on to the next change; False: there is none any more."""
        host = self._next_ask()
        begin = self._ready[0][0] if self._ready else math.inf
        then = min(host, begin, *(self._now + one.until for one in self._running))
        if then == math.inf:
            return False
        self._pass(max(0.0, then - self._now))
        self._now = max(self._now, then)
        for one in [one for one in self._running if one.lead + one.left <= ROUNDING]:
            self._running.remove(one)
            self.ends[one.place] = self._now
            for follower in self._followers[one.place]:
                self._come_nearer(follower)
        if host <= self._now:
            self._host = host
            self._come_nearer(self._asked)
            self._asked += 1
        while self._ready and self._ready[0][0] <= self._now + ROUNDING:
            place = heappop(self._ready)[1]
            self.begins[place] = self._now
            self._running.append(_Running(place, self._works[place].lead_us, self._works[place].us))
        self._share()
        return True

    def _next_ask(self) -> float:
        """When the host asks for the next piece; infinite where it has to wait, or is done."""
        if self._asked == len(self._works):
            return math.inf
        work = self._works[self._asked]
        ends = [self.ends[other] for other in work.host_after]
        return (
            math.inf if any(map(math.isnan, ends)) else max(self._host, *ends, 0.0) + work.host_us
        )

    def _come_nearer(self, place: int) -> None:
        """A piece waits for one thing less: what it comes after, or to be asked for."""
        self._open[place] -= 1
        if not self._open[place]:
            work = self._works[place]
            gaps = (self.ends[other] + work.gap_us for other in work.after)
            heappush(self._ready, (max(self._now, *gaps, 0.0), place))

    def _pass(self, us: float) -> None:
        executing = [one for one in self._running if one.lead <= ROUNDING and one.rate > 0.0]
        if any(not self._works[one.place].is_copy for one in executing):
            self.kernels_us += us
        elif executing:
            self.copies_us += us
        else:
            self.gaps_us += us
        for one in self._running:
            if one.lead > ROUNDING:
                one.lead = max(0.0, one.lead - us)
            else:
                one.left = max(0.0, one.left - us * one.rate)

    def _share(self) -> None:
        """Give each piece that executes what is left of what it takes, in the order of begins."""
        left: dict[str, float] = {}
        for one in self._running:
            if one.lead > ROUNDING:
                continue
            takes = {name: part for name, part in self._works[one.place].takes.items() if part > 0}
            one.rate = min((left.get(name, 1.0) / part for name, part in takes.items()), default=1)
            one.rate = min(1.0, one.rate)
            for name, part in takes.items():
                left[name] = max(0.0, left.get(name, 1.0) - one.rate * part)
