"""What a simulation says, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy.typing as npt
from numpy import float64, int64

from warpmill.simulator.gpu.fields import REASONS
from warpmill.simulator.machines.model import AssumedValue
from warpmill.simulator.occupancy import Occupancy

Numbers = npt.NDArray[int64]


@dataclass(frozen=True)
class LaunchResult:
    """One launch. Cycles are the simulation's, from 0 at its begin.

    ``ctas_simulated`` below ``ctas``: whole rounds were simulated, and ``cycles`` continues them in
    a line (sampled). ``registers`` are those of a thread.
    """

    kernel: str
    stream: int
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    ctas: int
    ctas_simulated: int
    begin_cycle: int
    end_cycle: int
    cycles: float
    warp_instructions: int
    registers: int
    occupancy: Occupancy
    trace: str
    trace_reason: str

    @property
    def sampled(self) -> bool:
        """Whether not all of its CTAs were simulated."""
        return self.ctas_simulated < self.ctas


@dataclass(frozen=True)
class InstructionResult:
    """What one instruction of a kernel did, over all warps.

    ``kernel`` is a number in the result's ``kernels``. ``stalls`` are cycles of warps by REASONS: a
    warp that waits for this instruction to issue counts in each of them; ``selected`` are its
    issues. Latencies are from issue until the results can be read, of those completed; bin
    ``2b - 1`` of ``latency_bins`` holds ``2**b`` to ``1.5 * 2**b`` cycles, bin ``2b`` those up to
    ``2**(b + 1)``, see ``latency_bin_ends``.
    """

    kernel: int
    block: int
    instruction: int
    issues: int
    thread_issues: int
    stalls: tuple[int, ...]
    sectors: int
    l1_hits: int
    shared_passes: int
    completed: int
    latency_cycles: int
    latency_bins: tuple[int, ...]


@dataclass(frozen=True)
class SmResult:
    """One SM. ``end_cycle`` is when its last warp ended, ``issue_cycles`` sums its schedulers'."""

    number: int
    ctas: int
    warp_instructions: int
    thread_instructions: int
    issue_cycles: int
    warp_cycles: int
    end_cycle: int


@dataclass(frozen=True)
class SimulatedCache:
    """What a kind of cache was asked, in sectors. ``pending``: what was on its way already."""

    name: str
    accesses: int
    hits: int
    pending: int
    misses: int
    write_accesses: int
    write_hits: int

    @property
    def hit_rate(self) -> float | None:
        """The share that did not go on to the next level; None without accesses."""
        return None if not self.accesses else 1.0 - self.misses / self.accesses


@dataclass(frozen=True)
class DramResult:
    """What DRAM did, in sectors. ``busy`` is the share of time that data buses were in use."""

    reads: int
    writes: int
    row_hits: int
    row_misses: int
    busy: float
    mean_wait_cycles: float | None


@dataclass(frozen=True)
class UnitResult:
    """What one kind of unit did: a pipe, two that do the same, the load-store unit.

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
class Tail:
    """Stargazer §7.2: the tail begins when no CTA waits and the first SM has run empty.

    ``adjusted_cycles`` are the cycles before it and, over it, busy SMs over all SMs.
    """

    begin_cycle: int
    cycles: int
    adjusted_cycles: float


@dataclass(frozen=True)
class SamplingUnit:
    """A stretch of time with what was issued in it (by warps, on all SMs)."""

    begin_cycle: int
    end_cycle: int
    warp_instructions: int

    @property
    def ipc(self) -> float | None:
        """Warp instructions a cycle; None where no cycle passed."""
        cycles = self.end_cycle - self.begin_cycle
        return self.warp_instructions / cycles if cycles else None


@dataclass(frozen=True)
class Timeline:
    """What happened over time, in bins of ``bin_cycles``; arrays of one length.

    ``resident_warps`` is the mean over a bin, the others are sums.
    """

    bin_cycles: int
    warp_instructions: Numbers
    l1_accesses: Numbers
    l2_accesses: Numbers
    dram_sectors: Numbers
    resident_warps: npt.NDArray[float64]


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


@dataclass(frozen=True)
class Totals:
    """What the whole GPU had done when so many of the launches were done, from the begin on.

    Stores that were still on their way to memory then are not among the accesses of L2 and DRAM.
    """

    launches: int
    warp_instructions: int
    thread_instructions: int
    warp_cycles: int
    caches: tuple[SimulatedCache, ...]
    dram_reads: int
    dram_writes: int

    def cache(self, name: str) -> SimulatedCache | None:
        """Give a kind of cache by its name, as ``SimResult.cache``."""
        return next((c for c in self.caches if c.name == name), None)


@dataclass(frozen=True)
class SimResult:
    """A simulation of some launches on one machine.

    ``cycles`` are of the machine's cycle domain, from the first CTA's start to the last one's end,
    gaps between launches included; where rounds were sampled they are continued. ``kernels`` are
    the kernels' names by number. ``stalls`` sums those of all instructions by REASONS.
    ``achieved_occupancy`` is resident warps over slots, over time and SMs that had any work.
    ``events`` counts what an energy model needs, by class. ``assumptions`` are those of traces,
    ``unknown_accesses`` accesses of warps whose addresses were made up, ``unmodelled`` executed
    instructions by class that the cost table lacks. ``totals`` are those at the end of each launch,
    where launches do not run at the same time. ``units`` are those that did anything.
    ``beyond`` says what contradicts the machine (``machine_limits``).
    """

    machine: str
    clock_mhz: float
    sms: int
    launches: tuple[LaunchResult, ...]
    kernels: tuple[str, ...]
    cycles: float
    microseconds: float
    warp_instructions: int
    thread_instructions: int
    instructions: tuple[InstructionResult, ...]
    per_sm: tuple[SmResult, ...]
    achieved_occupancy: float
    issue_slots: int
    issue_slots_used: int
    stalls: tuple[int, ...]
    caches: tuple[SimulatedCache, ...]
    l2_reads: int
    l2_writes: int
    l2_atomics: int
    l2_write_backs: int
    dram: DramResult
    read_sectors: int
    write_sectors: int
    atomic_sectors: int
    sector_bytes: int
    shared_accesses: int
    shared_passes: int
    bank_conflicts: int
    packets_out: int
    packets_in: int
    tail: Tail
    timeline: Timeline
    cta_units: tuple[SamplingUnit, ...]
    instruction_units: tuple[SamplingUnit, ...]
    ctas: Ctas
    spans: Spans
    events: Mapping[str, int]
    sampled: bool
    assumptions: tuple[str, ...]
    unknown_accesses: int
    unmodelled: tuple[tuple[str, int], ...]
    simplifications: tuple[str, ...]
    assumed_values: tuple[AssumedValue, ...]
    totals: tuple[Totals, ...] = ()
    units: tuple[UnitResult, ...] = ()
    operations: tuple[OperationsResult, ...] = ()
    beyond: tuple[str, ...] = ()

    @property
    def simulated_cycles(self) -> int:
        """The cycles that all counts are of; fewer than ``cycles`` where rounds were sampled."""
        begin = min((x.begin_cycle for x in self.launches), default=0)
        return max((x.end_cycle for x in self.launches), default=0) - begin

    @property
    def ipc(self) -> float:
        """Warp instructions a cycle, all SMs together."""
        return self.warp_instructions / self.simulated_cycles if self.simulated_cycles else 0.0

    @property
    def thread_ipc(self) -> float:
        """Thread instructions a cycle, all SMs together."""
        return self.thread_instructions / self.simulated_cycles if self.simulated_cycles else 0.0

    def cache(self, name: str) -> SimulatedCache | None:
        """Give a kind of cache by its name: l1, const, tex, icache, l2."""
        return next((c for c in self.caches if c.name == name), None)

    def bandwidth_gbs(self, sectors: int) -> float:
        """Give the rate in GB/s at which so many sectors moved."""
        microseconds = self.simulated_cycles / self.clock_mhz
        return sectors * self.sector_bytes / microseconds / 1e3 if microseconds else 0.0


def latency_bin_ends() -> tuple[int, ...]:
    """Give the first cycle beyond each bin of latencies: 2, 3, 4, 6, 8, 12, 16 and so on."""
    ends = [2]
    while len(ends) < 48:
        half = ends[-1] & (ends[-1] - 1) == 0
        ends.append(ends[-1] * 3 // 2 if half else ends[-1] * 4 // 3)
    return tuple(ends)


__all__ = ["REASONS", "SimResult"]
