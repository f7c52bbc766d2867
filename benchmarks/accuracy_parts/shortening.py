"""Launches whose loops are cut short, as one round of them is too much to simulate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from benchmarks.accuracy_parts.measured_launch import COUNTED_CTAS, warp_instructions
from benchmarks.accuracy_parts.shortened_events import Shortened, ShortenedExecution
from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.analyzer.traces.model import Shortener, WarpTrace
from warpmill.analyzer.traces.source import TraceSource
from warpmill.analyzer.traces.summary import sampled_ctas
from warpmill.session.jobs import Job

Triple = tuple[int, int, int]

TOO_MUCH = 2.0
"""How much more than was asked for may be left of a launch whose loops were cut short."""

LESS = 0.75
"""How much of the longer one the shorter of two parts may have, for a line through both."""


class ShortenedSource(Shortened):
    """The traces of another source with fewer iterations of loops (a ``TraceSource``)."""

    def __init__(self, source: TraceSource, factor: float) -> None:
        super().__init__(source)
        self._shortener = Shortener(factor)

    def many(self, ctas: Iterable[Triple]) -> Iterator[tuple[WarpTrace, ...]]:
        """The traces of several CTAs, in order."""
        for warps in self._source.many(ctas):
            yield tuple(replace(warp, nodes=self._shortener.tree(warp.nodes)) for warp in warps)

    def batches(self, _ctas: Iterable[Triple]) -> None:
        """None: what is folded has no events one by one."""


@dataclass(frozen=True)
class Part:
    """Traces of which a ``share`` of the instructions is left, above 0."""

    source: TraceSource
    share: float


def shorter(job: Job, source: TraceSource, factor: float) -> tuple[Part, ...]:
    """Leave about the share ``factor`` of what is executed, and half of that where loops allow it.

    Errors as ``shortened``.
    """
    part = shortened(job, source, factor)
    half = _cut(job, source, factor / 2)
    share = part.share * instructions(job, half) / instructions(job, part.source)
    return (part, Part(half, share)) if share < LESS * part.share else (part,)


def shortened(job: Job, source: TraceSource, factor: float) -> Part:
    """Leave about the share ``factor`` of what is executed, by cutting loops short.

    LimitError where loops are too few.
    """
    short = _cut(job, source, factor)
    share = instructions(job, short) / instructions(job, source)
    if share > TOO_MUCH * factor:
        raise LimitError(f"one round is {share / factor:.2g} times too long with loops cut short")
    return Part(short, share)


def _cut(job: Job, source: TraceSource, factor: float) -> TraceSource:
    if source.kind == "static":
        return ShortenedSource(source, factor)
    return ShortenedExecution(source, job.analysis.structure.loops, factor)


def instructions(job: Job, source: TraceSource) -> float:
    """The instructions of all warps of a launch, from an even sample of its CTAs."""
    grid = job.required_launch().grid
    ctas = sampled_ctas(grid, COUNTED_CTAS)
    batches = source.batches(ctas)
    if batches is None:
        return warp_instructions(job, source)
    lengths = np.array([len(block.instructions) for block in job.kernel.blocks])
    counted = sum(int(lengths[batch.block].sum()) for batch in batches)
    return counted * prod(grid) / len(ctas)
