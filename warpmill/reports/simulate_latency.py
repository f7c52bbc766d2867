"""Parts of ``simulate``: how long accesses of an instruction took, from the bins of the engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

from warpmill.reports.base import Id, Part
from warpmill.simulator.gpu.result import InstructionResult, latency_bin_ends


class LatencyBin(Part):
    """Accesses that took ``from_cycles`` and more, but less than ``to_cycles``."""

    from_cycles: Id
    to_cycles: Id
    accesses: int


class LatencyFigures(Part):
    """Cycles from the issue of an access until its results could be read, over all of its warps.

    ``accesses`` are those that have completed. Percentiles are taken from the histogram, in a line
    within a bin; it leaves out bins without accesses.
    """

    accesses: int
    mean_cycles: float
    p50_cycles: float
    p90_cycles: float
    p99_cycles: float
    histogram: list[LatencyBin]


def latency_figures(one: InstructionResult) -> LatencyFigures | None:
    """Report the latencies of an instruction; None: it has none, or none has completed."""
    if not one.completed:
        return None
    bins = one.latency_bins
    return LatencyFigures(
        accesses=one.completed,
        mean_cycles=one.latency_cycles / one.completed,
        p50_cycles=percentile(bins, 0.50),
        p90_cycles=percentile(bins, 0.90),
        p99_cycles=percentile(bins, 0.99),
        histogram=[
            LatencyBin(from_cycles=begin, to_cycles=end, accesses=count)
            for (begin, end), count in zip(_edges(), bins, strict=True)
            if count
        ],
    )


def percentile(bins: Sequence[int], share: float) -> float:
    """Give the latency that a share of accesses stays below, 0 < share < 1; 0 without accesses.

    >>> percentile([0, 0, 0, 10, *[0] * 44], 0.5)  # all in 4 to 6 cycles
    5.0
    """
    wanted = share * sum(bins)
    before = 0
    for (begin, end), count, upto in zip(_edges(), bins, accumulate(bins), strict=True):
        if count and upto >= wanted:
            return begin + (end - begin) * (wanted - before) / count
        before = upto
    return 0.0


def _edges() -> Iterator[tuple[int, int]]:
    return pairwise((0, *latency_bin_ends()))
