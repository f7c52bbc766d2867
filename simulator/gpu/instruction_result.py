"""Counts of a simulation by instruction: warp states, accesses, latencies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Annotated, Literal

from warpmill.analyzer.base.metric import INTERNAL, Id, Metric, derived
from warpmill.simulator.resources import SIMULATED_STATES

SELECTED = SIMULATED_STATES.index("selected")


@dataclass(frozen=True)
class LatencyBin:
    """Accesses that took ``from_cycles`` and more, but less than ``to_cycles``."""

    from_cycles: Id
    to_cycles: Id
    accesses: int


@dataclass(frozen=True)
class Latency:
    """Cycles from the issue of an access until its results could be read, over all warps.

    ``accesses`` are those that have completed. Percentiles are taken from the histogram, in a line
    within a bin; it leaves out bins without accesses.
    """

    accesses: Annotated[int, Metric("Accesses")]
    cycles: Annotated[int, INTERNAL]
    bins: Annotated[tuple[int, ...], INTERNAL]

    @derived("Mean", "cycle")
    def mean_cycles(self) -> float:
        """The mean over accesses."""
        return self.cycles / self.accesses

    @derived("p50", "cycle")
    def p50_cycles(self) -> float:
        """The median."""
        return percentile(self.bins, 0.50)

    @derived("p90", "cycle")
    def p90_cycles(self) -> float:
        """Latency that nine in ten accesses stay below."""
        return percentile(self.bins, 0.90)

    @derived("p99", "cycle")
    def p99_cycles(self) -> float:
        """Latency that 99 in 100 accesses stay below."""
        return percentile(self.bins, 0.99)

    @derived("Distribution")
    def histogram(self) -> tuple[LatencyBin, ...]:
        """The bins that have accesses."""
        counted = zip(_edges(), self.bins, strict=True)
        return tuple(LatencyBin(begin, end, count) for (begin, end), count in counted if count)


def latency_bin_ends() -> tuple[int, ...]:
    """The first cycle beyond each bin of latencies: 2, 3, 4, 6, 8, 12, 16 and so on."""
    ends = [2]
    while len(ends) < 48:
        half = ends[-1] & (ends[-1] - 1) == 0
        ends.append(ends[-1] * 3 // 2 if half else ends[-1] * 4 // 3)
    return tuple(ends)


def percentile(bins: Sequence[int], share: float) -> float:
    """The latency that a share of accesses stays below, 0 < share < 1; 0 without accesses.

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


@dataclass(frozen=True)
class InstructionResult:
    """Figures of one instruction of a kernel, over all warps.

    ``kernel`` is a number in the result's ``kernels``. ``stalls`` are cycles of warps by state: a
    warp that waits for this instruction to issue counts in each of them; ``selected`` are its
    issues. ``predicated_on`` are the thread instructions whose predicate holds: what a branch or a
    guard skips is issued under one. ``sectors`` are those that it asked L1 for, or what lies
    behind. Latencies are from issue until the results can be read, of those completed; bin
    ``2b - 1`` of ``latency_bins`` holds ``2**b`` to ``1.5 * 2**b`` cycles, bin ``2b`` those up to
    ``2**(b + 1)``, see ``latency_bin_ends``.
    """

    kernel: Id
    block: Id
    instruction: Id
    warp_instructions: Annotated[int, Metric("Issued", "inst", ncu="inst_executed")]
    thread_instructions: Annotated[
        int, Metric("Thread instructions", "thread inst", ncu="thread_inst_executed")
    ]
    predicated_on: Annotated[
        int,
        Metric(
            "Predicated-on thread instructions", "thread inst", ncu="thread_inst_executed_pred_on"
        ),
    ]
    stalls: Annotated[tuple[int, ...], INTERNAL]
    sectors: Annotated[int, Metric("Sectors", "sector")]
    l1_hits: Annotated[int, Metric("L1 hits", "sector")]
    wavefronts: Annotated[int, Metric("Shared-memory wavefronts")]
    completed: Annotated[int, INTERNAL]
    latency_cycles: Annotated[int, INTERNAL]
    latency_bins: Annotated[tuple[int, ...], INTERNAL]
    spill: Annotated[Literal["load", "store"] | None, INTERNAL] = None
    """It is not the instruction itself, but what it spills or loads again."""

    @derived("Stall cycles", "cycle")
    def stall_cycles(self) -> int:
        """Cycles of warps that waited to issue it."""
        return sum(self.stalls) - self.stalls[SELECTED]

    @derived("Stall cycles by reason", "cycle")
    def stalls_by_reason(self) -> Mapping[str, int]:
        """The same by reason; those that did not occur are left out."""
        return by_reason(self.stalls)

    @derived("Latency")
    def latency(self) -> Latency | None:
        """Its latencies; null where none was measured."""
        if not self.completed:
            return None
        return Latency(self.completed, self.latency_cycles, self.latency_bins)


def by_reason(stalls: Sequence[int]) -> Mapping[str, int]:
    """Stall cycles by reason, those that are none left out."""
    named = zip(SIMULATED_STATES, stalls, strict=True)
    return {name: count for name, count in named if count and name != SIMULATED_STATES[SELECTED]}
