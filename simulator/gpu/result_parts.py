"""Parts of a simulation's result: launches, SMs, caches, DRAM, and what happened over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, ClassVar

import numpy as np
import numpy.typing as npt
from numpy import float64, int64

from warpmill.analyzer.base.metric import INTERNAL, Id, Mark, Metric, derived
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.occupancy import Occupancy
from warpmill.simulator.resources import Term, share_of

Numbers = npt.NDArray[int64]


@dataclass(frozen=True)
class SimulatedCache:
    """Requests to a kind of cache, all of its copies together.

    ``accesses`` are reads and writes: sectors of data caches, accesses of warps to constants, lines
    of instructions. ``pending`` were on their way already, ``misses`` went on to the next level: in
    L2 no stores, which are hits there as in Nsight Compute. ``write_hits`` are stores whose sector
    was there.
    ``sector_bytes`` None: its accesses are no sectors.
    """

    level: str
    accesses: Annotated[int, Metric("Requests")]
    hits: Annotated[int, Metric("Hits")]
    pending: Annotated[int, Metric("Pending hits")]
    misses: Annotated[int, Metric("Misses")]
    write_accesses: Annotated[int, Metric("Written")]
    write_hits: Annotated[int, Metric("Hits, written")]
    sector_bytes: Annotated[int | None, INTERNAL] = None

    def since(self, early: SimulatedCache) -> SimulatedCache:
        """Requests after an earlier state."""
        return replace(
            self,
            accesses=self.accesses - early.accesses,
            hits=self.hits - early.hits,
            pending=self.pending - early.pending,
            misses=self.misses - early.misses,
            write_accesses=self.write_accesses - early.write_accesses,
            write_hits=self.write_hits - early.write_hits,
        )

    @derived("Hit rate", "%")
    def hit_fraction(self) -> float | None:
        """The share that did not go on to the next level; null without accesses."""
        return None if not self.accesses else 1.0 - self.misses / self.accesses

    @derived("Traffic", "B")
    def bytes(self) -> int | None:
        """Bytes requested of a data cache; null of others."""
        return None if self.sector_bytes is None else self.accesses * self.sector_bytes


@dataclass(frozen=True)
class Totals:
    """Totals of the whole GPU until so many of the launches were done, or in one launch alone.

    Stores that were still on their way to memory then are not among the accesses of L2 and DRAM.
    """

    launches: Annotated[int, INTERNAL]
    warp_instructions: Annotated[int, Metric("Executed instructions", "inst")]
    thread_instructions: Annotated[int, Metric("Executed thread instructions", "thread inst")]
    warp_cycles: Annotated[int, Metric("Warp cycles", "cycle")]
    caches: tuple[SimulatedCache, ...]
    dram_reads: Annotated[int, Metric("DRAM sectors read", "sector")]
    dram_writes: Annotated[int, Metric("DRAM sectors written", "sector")]

    def cache(self, level: str) -> SimulatedCache | None:
        """A kind of cache by its level, as ``SimResult.cache``."""
        return next((c for c in self.caches if c.level == level), None)

    def since(self, early: Totals) -> Totals:
        """Totals after earlier launches."""
        return Totals(
            launches=self.launches - early.launches,
            warp_instructions=self.warp_instructions - early.warp_instructions,
            thread_instructions=self.thread_instructions - early.thread_instructions,
            warp_cycles=self.warp_cycles - early.warp_cycles,
            caches=tuple(late.since(c) for late, c in zip(self.caches, early.caches, strict=True)),
            dram_reads=self.dram_reads - early.dram_reads,
            dram_writes=self.dram_writes - early.dram_writes,
        )


@dataclass(frozen=True)
class LaunchResult:
    """One launch. Cycles are the simulation's, from 0 at its begin.

    ``ctas_simulated`` below ``ctas``: whole waves were simulated, and ``cycles`` continues them in
    a line (sampled); all else is of the CTAs that were simulated. ``shared_bytes`` are of a CTA.
    ``alone`` is what was done between its begin and its end, null where launches ran at the same
    time; accesses of L2 and DRAM that were still to come when it ended count with the next one.
    ``place`` is its number in an application.
    """

    number: Id
    name: Annotated[str, Metric("Launch")]
    kernel: Annotated[str, Metric("Kernel")]
    stream: Id
    grid: Annotated[tuple[int, int, int], INTERNAL]
    block: Annotated[tuple[int, int, int], INTERNAL]
    ctas: Annotated[int, INTERNAL]
    ctas_simulated: Annotated[int, Metric("Simulated CTAs", "CTA", Mark.EXACT)]
    begin_cycle: Annotated[int, Metric("Begin", "cycle")]
    end_cycle: Annotated[int, Metric("End", "cycle")]
    cycles: Annotated[float, Metric("Cycles", "cycle")]
    time_us: Annotated[float, Metric("Duration", "µs")]
    warp_instructions: Annotated[int, Metric("Executed instructions", "inst")]
    registers: RegisterCount
    shared_bytes: Annotated[int, Metric("Shared memory per CTA", "B", Mark.EXACT)]
    occupancy: Occupancy
    trace: str
    trace_reason: str
    alone: Totals | None = None
    place: Annotated[int | None, INTERNAL] = None

    @property
    def sampled(self) -> bool:
        """Whether not all of its CTAs were simulated."""
        return self.ctas_simulated < self.ctas

    @property
    def simulated_cycles(self) -> int:
        """Cycles from its begin to its end in the simulation."""
        return self.end_cycle - self.begin_cycle

    @derived("IPC", "inst/cycle")
    def warp_ipc(self) -> float | None:
        """Warp instructions a cycle, all SMs together."""
        return share_of(self.warp_instructions, self.simulated_cycles)

    @derived("Thread instructions per cycle")
    def thread_ipc(self) -> float | None:
        """Thread instructions a cycle; null where it did not run alone."""
        if self.alone is None:
            return None
        return share_of(self.alone.thread_instructions, self.simulated_cycles)

    @derived("Resident warps", "warp")
    def resident_warps(self) -> float | None:
        """The mean number of resident warps, all SMs together; null where it did not run alone."""
        return (
            None if self.alone is None else share_of(self.alone.warp_cycles, self.simulated_cycles)
        )


@dataclass(frozen=True)
class SmResult:
    """One SM. ``end_cycle`` is when its last warp ended, ``issue_cycles`` sums its schedulers'."""

    sm: Id
    ctas: Annotated[int, Metric("CTAs", "CTA")]
    warp_instructions: Annotated[int, Metric("Executed instructions", "inst")]
    thread_instructions: Annotated[int, Metric("Executed thread instructions", "thread inst")]
    issue_cycles: Annotated[int, Metric("Cycles with an issue", "cycle")]
    warp_cycles: Annotated[int, Metric("Warp cycles", "cycle")]
    end_cycle: Annotated[int, Metric("End", "cycle")]
    simulated_cycles: Annotated[int, INTERNAL]

    @derived("IPC", "inst/cycle")
    def warp_ipc(self) -> float:
        """Warp instructions a cycle of the whole simulation."""
        return per_cycle(self.warp_instructions, self.simulated_cycles)

    @derived("Resident warps", "warp")
    def resident_warps(self) -> float:
        """The mean number of resident warps."""
        return per_cycle(self.warp_cycles, self.simulated_cycles)


def per_cycle(count: float, cycles: int) -> float:
    """A count over cycles; 0 where none passed."""
    return count / cycles if cycles else 0.0


@dataclass(frozen=True)
class DramResult:
    """DRAM's activity, in sectors.

    ``busy_fraction`` is the share of time that data buses were in use, ``mean_wait_cycles`` the
    time from a request's coming to its data's going, on average.
    """

    reads: Annotated[int, Metric("DRAM sectors read", "sector", ncu="dram__sectors_read.sum")]
    writes: Annotated[int, Metric("DRAM sectors written", "sector", ncu="dram__sectors_write.sum")]
    row_hits: Annotated[int, Metric("Hits of DRAM rows")]
    row_misses: Annotated[int, Metric("Misses of DRAM rows")]
    busy_fraction: Annotated[float, Metric("DRAM bandwidth utilization", "%")]
    mean_wait_cycles: Annotated[float | None, Metric("DRAM latency, mean", "cycle")]

    @derived("DRAM row hit rate", "%")
    def row_hit_fraction(self) -> float | None:
        """The share of accesses that found their row open."""
        return share_of(self.row_hits, self.row_hits + self.row_misses)


@dataclass(frozen=True)
class UnitResult:
    """Activity of one kind of unit: a pipe, two that do the same, the load-store unit.

    ``busy`` is the share of time that instructions held it, over all units of the kind. ``last`` is
    that of those at the most that it may still do when the last warp has ended.
    """

    name: str
    busy: float
    last: float


@dataclass(frozen=True)
class OperationsResult:
    """Arithmetic operations of one kind (``shares.KINDS``); ``of_a_warp`` at the most at once."""

    kind: str
    number: float
    of_a_warp: float


@dataclass(frozen=True)
class Throughput:
    """How fast something went, beside the machine's most; nulls: it has no such rate.

    ``unit`` is GB/s, in steps of 1000, or IPC: warp instructions a cycle.
    """

    mark: ClassVar[Mark] = Mark.MODELLED

    resource: Term
    rate: Annotated[float, Metric("Rate")]
    peak: Annotated[float | None, Metric("Peak")]
    unit: Annotated[str, Metric("Unit")]
    peak_assumed: Annotated[bool, INTERNAL]
    sampled: Annotated[bool, INTERNAL]

    @derived("Share of the peak", "%")
    def fraction(self) -> float | None:
        """The rate over the peak."""
        return share_of(self.rate, self.peak)

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """A peak is what the machine's description says."""
        own = {"": Mark.SAMPLED} if self.sampled else {}
        return {**own, "peak": Mark.ASSUMED if self.peak_assumed else Mark.EXACT}


@dataclass(frozen=True)
class WarpState:
    """Cycles of resident warps in one state, and their share of all.

    The names are those of Nsight Compute; ``selected`` is no stall: the warp issues.
    """

    state: Term
    warp_cycles: Annotated[int, Metric("Warp cycles", "cycle")]
    fraction: Annotated[float | None, Metric("Share", "%")]


@dataclass(frozen=True)
class Tail:
    """Stargazer §7.2: the tail begins when no CTA waits and the first SM has run empty.

    ``adjusted_cycles`` are the cycles before it and, over it, busy SMs over all SMs.
    """

    begin_cycle: Annotated[int, Metric("Tail begin", "cycle")]
    cycles: Annotated[int, Metric("Tail cycles", "cycle")]
    adjusted_cycles: Annotated[float, Metric("Cycles without the tail", "cycle")]


@dataclass(frozen=True)
class SamplingUnits:
    """Time cut into units, with what was issued in each by warps, on all SMs.

    Lists of one length. ``mean_ipc`` and its coefficient of variation are over the units.
    """

    begin_cycle: Annotated[tuple[int, ...], Metric("Begin", "cycle")]
    end_cycle: Annotated[tuple[int, ...], Metric("End", "cycle")]
    warp_instructions: Annotated[tuple[int, ...], Metric("Executed instructions", "inst")]

    @derived("Number")
    def units(self) -> int:
        """How many there are."""
        return len(self.begin_cycle)

    @derived("IPC, mean", "inst/cycle")
    def mean_ipc(self) -> float | None:
        """The mean over units in which a cycle passed."""
        rates = self._rates()
        return float(np.mean(rates)) if rates else None

    @derived("Variation")
    def ipc_coefficient_of_variation(self) -> float | None:
        """The standard deviation over the mean."""
        mean = self.mean_ipc
        return float(np.std(self._rates())) / mean if mean else None

    def _rates(self) -> list[float]:
        rows = zip(self.begin_cycle, self.end_cycle, self.warp_instructions, strict=True)
        return [issued / (end - begin) for begin, end, issued in rows if end > begin]


@dataclass(frozen=True)
class Timeline:
    """Activity in each bin of ``bin_cycles``, from cycle 0 on; lists of one length.

    ``resident_`` figures are means over a bin and all SMs together, the others are sums.
    """

    bin_cycles: Annotated[int, Metric("Cycles each", "cycle", Mark.EXACT)]
    warp_instructions: Numbers
    l1_sectors: Numbers
    l2_sectors: Numbers
    dram_sectors: Numbers
    resident_warps: npt.NDArray[float64]
    resident_ctas: npt.NDArray[float64]


@dataclass(frozen=True)
class Ctas:
    """Every CTA that was simulated.

    Launch, number in its grid, SM, first and last cycle, and its warp instructions;
    ``issued_before`` and ``issued_after`` are those of the whole GPU until its
    begin and its end. Arrays of one length.
    """

    launch: Numbers
    number: Numbers
    sm: Numbers
    begin_cycle: Numbers
    end_cycle: Numbers
    warp_instructions: Numbers
    issued_before: Numbers
    issued_after: Numbers


@dataclass(frozen=True)
class Spans:
    """Lives of warps: SM, slot on it, the CTA's number in its grid, first and last cycle, launch.

    ``complete`` tells whether every warp is there; arrays of one length.
    """

    sm: Numbers
    slot: Numbers
    cta: Numbers
    begin_cycle: Numbers
    end_cycle: Numbers
    launch: Numbers
    complete: bool


# What follows from what was counted, and from the CTAs that were simulated.


def alone(totals: Sequence[Totals], launches: int) -> Sequence[Totals | None]:
    """Totals of each launch alone: those at its end less those at its begin.

    None for all where launches ran at the same time.
    """
    if [total.launches for total in totals] != list(range(1, launches + 1)):
        return [None] * launches
    return [*totals[:1], *(late.since(early) for early, late in pairwise(totals))]


def resident(ctas: Ctas, warps: Numbers, bins: int, width: int) -> npt.NDArray[float64]:
    """The mean number of resident warps in each bin, from when CTAs begin and end.

    What begins in a bin is there for the rest of it, and for every later one until it ends.
    """
    whole, rest = np.zeros(bins + 1), np.zeros(bins + 1)
    for times, sign in ((ctas.begin_cycle, 1), (ctas.end_cycle, -1)):
        at = np.minimum(times // width, bins - 1)
        np.add.at(rest, at, sign * warps * ((at + 1) * width - times))
        np.add.at(whole, at + 1, sign * warps * width)
    mean: npt.NDArray[float64] = (np.cumsum(whole) + rest)[:bins] / width
    return mean


def tail_of(ctas: Ctas, sms: tuple[SmResult, ...], begin: int, end: int, count: int) -> Tail:
    """The tail of a simulation from ``begin`` to ``end`` on so many SMs."""
    if not len(ctas.begin_cycle):
        return Tail(end, 0, float(end - begin))
    last_dispatch = int(ctas.begin_cycle.max())
    empty = min(sm.end_cycle for sm in sms)
    start = min(end, max(begin, last_dispatch, empty))
    busy = sum(max(0, sm.end_cycle - start) for sm in sms)
    return Tail(start, end - start, start - begin + busy / count)


def cta_units(ctas: Ctas) -> SamplingUnits:
    """Cut time into units each as long as one CTA lives: the next begins with the next CTA.

    TBPoint §IV-B-2: when the CTA that bounds a unit retires, the one that was dispatched next
    bounds the following unit.
    """
    order = np.lexsort((ctas.number, ctas.launch, ctas.begin_cycle))
    begins, ends = ctas.begin_cycle[order], ctas.end_cycle[order]
    before, after = ctas.issued_before[order], ctas.issued_after[order]
    units, k = [], 0
    while k < len(order):
        units.append(k)
        k = max(k + 1, int(np.searchsorted(begins, ends[k])))
    issued = (after - before)[units]
    return SamplingUnits(*(tuple(of.tolist()) for of in (begins[units], ends[units], issued)))
