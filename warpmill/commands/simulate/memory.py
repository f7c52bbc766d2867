"""Parts of ``simulate``: what caches, shared memory and DRAM did, and how near their rates were.

Rates are over the time that was simulated, and peaks those of the machine's description.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from warpmill.report.base import Mark, Marks, Part, marks
from warpmill.simulator.gpu.result import SimResult, SimulatedCache
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.resources import ISSUE_SLOTS, SERVERS, Term


class RateFigures(Part):
    """How fast something went, beside the machine's most; nulls: it has no such rate.

    ``unit`` is GB/s, in steps of 1000, or warp instructions a cycle.
    """

    resource: Term
    rate: float
    peak: float | None
    fraction: float | None
    unit: str
    marks: Marks


class CacheFigures(Part):
    """A kind of cache, all of its copies together; null where it does not apply.

    ``accesses`` are reads and writes: sectors of data caches, accesses of warps to constants, lines
    of instructions. ``pending`` were on their way already, ``misses`` went on to the next level;
    ``hit_fraction`` is the share that did not. Writes are counted in ``accesses`` too.
    """

    level: str
    accesses: int
    hits: int
    pending: int
    misses: int
    hit_fraction: float | None
    write_accesses: int
    write_hits: int
    bytes: int | None
    gb_per_s: float | None


class DramFigures(Part):
    """DRAM: sectors read and written, and how often the row was open.

    ``busy_fraction`` is the share of time that data buses were in use, ``mean_wait_cycles`` the
    time from a request's coming to its data's going, on average.
    """

    reads: int
    writes: int
    bytes: int
    gb_per_s: float
    row_hits: int
    row_misses: int
    row_hit_fraction: float | None
    busy_fraction: float
    mean_wait_cycles: float | None


class SharedFigures(Part):
    """Shared memory: accesses of warps, passes over the banks, those beyond the first of each."""

    accesses: int
    passes: int
    bank_conflicts: int
    passes_per_access: float | None


class MovedFigures(Part):
    """What left the SMs: sectors that warps read, wrote and changed atomically, and packets.

    ``l2_reads`` to ``l2_write_backs`` are what L2 was asked, in sectors, and what it wrote to DRAM.
    """

    sector_bytes: int
    read_sectors: int
    write_sectors: int
    atomic_sectors: int
    packets_to_l2: int
    packets_from_l2: int
    l2_reads: int
    l2_writes: int
    l2_atomics: int
    l2_write_backs: int


_DATA = ("l1", "tex", "l2")
"""Caches whose accesses are sectors."""


@dataclass(frozen=True)
class MemoryRateFacts:
    """Turns counts into rates: by the cycles that were simulated, and the machine's clock."""

    result: SimResult
    machine: Machine

    @property
    def cycles(self) -> int:
        """Cycles that were simulated."""
        return self.result.simulated_cycles

    def gb_per_s(self, sectors: int) -> float:
        """Give the rate at which sectors moved."""
        if not self.cycles:
            return 0.0
        return sectors * self.result.sector_bytes * self.result.clock_mhz / self.cycles / 1e3

    def rows(self) -> list[RateFigures]:
        """Report what can be compared with a most of the machine, from the warps outwards."""
        result = self.result
        issued = self.ipc(result.warp_instructions)
        found = [self._row(ISSUE_SLOTS, issued, "IPC")]
        dram = result.dram.reads + result.dram.writes
        l1 = _asked(result, "l1") if self.machine.number("l1.size_bytes") else None
        for name, sectors in (("l1", l1), ("l2", _asked(result, "l2")), ("dram", dram)):
            if sectors is not None:
                found.append(self._row(SERVERS[name], self.gb_per_s(sectors), "GB/s"))
        return found

    def ipc(self, instructions: int) -> float:
        """Give instructions a cycle."""
        return instructions / self.cycles if self.cycles else 0.0

    def _row(self, resource: Term, rate: float, unit: str) -> RateFigures:
        keys, factor = PEAKS[resource.key]
        values = [self.machine.get(key) for key in keys]
        known = [float(self.machine.number(k)) for k, v in zip(keys, values, strict=True) if v]
        peak = math.prod(known) * factor if len(known) == len(keys) else 0.0
        is_assumed = any(value is not None and value.assumed for value in values)
        modelled = Mark.SAMPLED if self.result.sampled else Mark.MODELLED
        return RateFigures(
            resource=resource,
            rate=rate,
            peak=peak or None,
            fraction=rate / peak if peak else None,
            unit=unit,
            marks=marks(RateFigures, modelled, peak=Mark.ASSUMED if is_assumed else Mark.EXACT),
        )


PEAKS: dict[str, tuple[tuple[str, ...], float]] = {
    "issue_slots": (("sm.count", "sm.schedulers", "sm.issue_per_scheduler"), 1.0),
    "l1_bandwidth": (("sm.count", "l1.bytes_per_clk", "clock.sm_mhz"), 1e-3),
    "l2_bandwidth": (("l2.bytes_per_clk", "clock.sm_mhz"), 1e-3),
    "dram_bandwidth": (("dram.bandwidth_gbs",), 1.0),
}
"""Values of a machine that a peak is the product of, and the factor that makes it GB/s."""


def _asked(result: SimResult, name: str) -> int | None:
    cache = result.cache(name)
    return None if cache is None else cache.accesses


def cache_figures(rates: MemoryRateFacts) -> list[CacheFigures]:
    """Report the caches that were asked for anything."""
    return [_cache(cache, rates) for cache in rates.result.caches if cache.accesses]


def _cache(cache: SimulatedCache, rates: MemoryRateFacts) -> CacheFigures:
    is_data = cache.name in _DATA
    return CacheFigures(
        level=cache.name,
        accesses=cache.accesses,
        hits=cache.hits,
        pending=cache.pending,
        misses=cache.misses,
        hit_fraction=cache.hit_rate,
        write_accesses=cache.write_accesses,
        write_hits=cache.write_hits,
        bytes=cache.accesses * rates.result.sector_bytes if is_data else None,
        gb_per_s=rates.gb_per_s(cache.accesses) if is_data else None,
    )


def dram_figures(rates: MemoryRateFacts) -> DramFigures:
    """Report DRAM."""
    dram = rates.result.dram
    rows = dram.row_hits + dram.row_misses
    return DramFigures(
        reads=dram.reads,
        writes=dram.writes,
        bytes=(dram.reads + dram.writes) * rates.result.sector_bytes,
        gb_per_s=rates.gb_per_s(dram.reads + dram.writes),
        row_hits=dram.row_hits,
        row_misses=dram.row_misses,
        row_hit_fraction=dram.row_hits / rows if rows else None,
        busy_fraction=dram.busy,
        mean_wait_cycles=dram.mean_wait_cycles,
    )


def shared_figures(result: SimResult) -> SharedFigures:
    """Report shared memory."""
    accesses, passes = result.shared_accesses, result.shared_passes
    return SharedFigures(
        accesses=accesses,
        passes=passes,
        bank_conflicts=result.bank_conflicts,
        passes_per_access=passes / accesses if accesses else None,
    )


def moved_figures(result: SimResult) -> MovedFigures:
    """Report what left the SMs."""
    return MovedFigures(
        sector_bytes=result.sector_bytes,
        read_sectors=result.read_sectors,
        write_sectors=result.write_sectors,
        atomic_sectors=result.atomic_sectors,
        packets_to_l2=result.packets_out,
        packets_from_l2=result.packets_in,
        l2_reads=result.l2_reads,
        l2_writes=result.l2_writes,
        l2_atomics=result.l2_atomics,
        l2_write_backs=result.l2_write_backs,
    )
