"""What a result claims of a machine, beside what the machine can do.

A result that moves more bytes a second than the memory does, issues more than there are slots, or
computes above the roof contradicts itself: either its time or its counts are wrong. Where L2 was
empty at the beginning, what warps read for the first time comes from DRAM, whatever else is
modelled.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass

from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.estimate.shares import peak_gflops
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.machines.memory import l1_sector_bytes
from warpmill.simulator.machines.model import Machine

ROUNDING = 0.002
"""How far beyond a limit a figure is by rounding alone: ticks and bursts are whole numbers."""

STRICT = "WARPMILL_STRICT_LIMITS"
"""The environment variable that makes a result beyond its machine's limits an internal error."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A figure of a result that is beyond a limit of its machine.

    ``at_least``: the limit is a lower bound, and the figure is below it.
    """

    rate: str
    figure: float
    limit: float
    unit: str
    at_least: bool = False

    def __str__(self) -> str:
        """The figure and the limit, in words."""
        word = "below" if self.at_least else "above"
        figure, limit = (f"{value:,.4g}{self._unit}" for value in (self.figure, self.limit))
        return f"{self.rate}: {figure} is {word} the machine's {limit}"

    @property
    def _unit(self) -> str:
        return f" {self.unit}" if self.unit else ""


def _beyond(found: Iterator[Violation]) -> tuple[Violation, ...]:
    return tuple(one for one in found if _is_beyond(one))


def _is_beyond(one: Violation) -> bool:
    if not math.isfinite(one.figure):
        return True
    if one.at_least:
        return one.figure < one.limit * (1.0 - ROUNDING)
    return one.figure > one.limit * (1.0 + ROUNDING)


def estimate_violations(
    found: Estimate, machine: Machine, *, cold: bool = True
) -> tuple[Violation, ...]:
    """Rates of an estimate that exceed those of its machine.

    ``cold``: L2 was empty at the beginning. A rate is over the time of the execution.
    """
    return _beyond(_of_estimate(found, machine, cold))


def _of_estimate(found: Estimate, machine: Machine, cold: bool) -> Iterator[Violation]:
    own = _Rates(machine)
    time, cycles = found.execution_us, found.cycles
    if time <= 0.0:
        return
    yield Violation("DRAM", found.dram_bytes / time / 1e3, own.number("dram.measured_gbs"), "GB/s")
    l2 = math.fsum(one.l2_bytes for one in found.traffic)
    yield Violation("L2", l2 / cycles, own.l2_bytes, "B/clk")
    requested = math.fsum(one.requested_bytes for one in found.traffic)
    yield Violation("L1", requested / cycles, own.l1_bytes, "B/clk")
    yield Violation(
        "issue slots", found.warp_instructions / cycles, own.issue_slots, "warp instructions/clk"
    )
    for used in found.utilization:
        yield Violation(used.resource, used.fraction, 1.0, "of the time")
    roof = found.roofline
    if roof.kind is not None and roof.peak_gflops is not None and roof.roof_gflops is not None:
        peak = Violation(f"peak of {roof.kind}", roof.achieved_gflops, roof.peak_gflops, "GFLOP/s")
        yield peak
        yield Violation(f"roof of {roof.kind}", roof.achieved_gflops, roof.roof_gflops, "GFLOP/s")
    for share in (found.l1_hit_fraction, *(one.l2_hit_fraction for one in found.traffic)):
        yield Violation("hits", share or 0.0, 1.0, "of the sectors")
    if cold:
        for one in found.traffic:
            words = f"DRAM reads of {one.region}"
            yield Violation(words, one.dram_bytes, one.first_read_bytes, "B first read", True)


def simulation_violations(
    found: SimResult, machine: Machine, *, cold: bool = False
) -> tuple[Violation, ...]:
    """Rates of a simulation that exceed those of its machine.

    ``cold``: L2 was empty at the beginning, which one that goes on from others does not tell. Rates
    are over the cycles that were simulated.
    """
    return _beyond(_of_simulation(found, machine, cold))


def _of_simulation(found: SimResult, machine: Machine, cold: bool) -> Iterator[Violation]:
    own = _Rates(machine)
    cycles = found.simulated_cycles
    if cycles <= 0:
        return
    moved = found.dram.reads + found.dram.writes
    dram = found.gb_per_s(moved)
    yield Violation("DRAM", dram, own.number("dram.bandwidth_gbs"), "GB/s")
    yield Violation("DRAM data buses", found.dram.busy_fraction, 1.0, "of the time")
    sector = found.sector_bytes
    asked = found.l2_reads + found.l2_writes + found.l2_atomics
    yield Violation("L2", asked * sector / cycles, own.l2_rate, "B/clk")
    there, back = found.l2_writes + found.l2_atomics, found.l2_reads + found.l2_atomics
    for way, sectors in (("to", there), ("from", back)):
        yield Violation(f"ports {way} L2", sectors * sector / cycles, own.ports, "B/clk")
    l1 = found.cache("l1")
    if l1 is not None and machine.number("l1.size_bytes"):
        looked = l1.accesses * sector / cycles
        yield Violation("L1", looked, own.l1_bytes, "B/clk")
    issued = found.warp_instructions / cycles
    yield Violation("issue slots", issued, own.issue_slots, "warp instructions/clk")
    used = found.issue_slots_used / max(1, found.issue_slots)
    yield Violation("issue slots in use", used, 1.0, "of them")
    for unit in found.units:
        yield Violation(unit.name, unit.busy, 1.0 + unit.last, "of the time")
    yield from _operations(found, machine, cycles)
    wavefronts = found.shared_wavefronts / cycles
    yield Violation("shared memory", wavefronts, own.wavefronts, "wavefronts/clk")
    yield Violation("warps on SMs", found.achieved_occupancy_fraction, 1.0, "of the slots")
    for cache in found.caches:
        yield Violation(f"hits in {cache.level}", cache.hit_fraction or 0.0, 1.0, "of the sectors")
    if cold and found.l2_reads and not found.l2_writes and not found.l2_atomics:
        yield Violation("DRAM reads", found.dram.reads, 1.0, "sectors first read", True)


def _operations(found: SimResult, machine: Machine, cycles: int) -> Iterator[Violation]:
    """Rates of arithmetic by kind; the last instructions' may go on past the end."""
    time = cycles / found.clock_mhz
    for one in found.operations:
        peak = peak_gflops(machine, one.kind)
        parts = machine.integer("sm.count") * machine.integer("sm.subpartitions")
        most = peak + one.of_a_warp * parts / time / 1e3
        yield Violation(f"peak of {one.kind}", one.number / time / 1e3, most, "GFLOP/s")


@dataclass(frozen=True)
class _Rates:
    """Rates of a whole machine, all SMs together."""

    machine: Machine

    def number(self, key: str) -> float:
        return float(self.machine.number(key))

    @property
    def sms(self) -> float:
        return self.number("sm.count")

    @property
    def issue_slots(self) -> float:
        each = self.number("sm.schedulers") * self.number("sm.issue_per_scheduler")
        return self.sms * each

    @property
    def l1_bytes(self) -> float:
        return self.sms * max(self.number("l1.bytes_per_clk"), float(l1_sector_bytes(self.machine)))

    @property
    def l2_bytes(self) -> float:
        """What L2 moves in a cycle: at most what all SMs' ports carry."""
        return min(self.ports, self.l2_rate)

    @property
    def ports(self) -> float:
        """What the ports of all SMs carry one way in a cycle."""
        return self.sms * self.number("icnt.bytes_per_clk_per_sm")

    @property
    def l2_rate(self) -> float:
        """What L2 moves in a cycle; without one, memory behind the ports says what comes.

        Stores may take less of it than loads.
        """
        rate = self.number("l2.bytes_per_clk") / min(1.0, self.number("l2.write_cost"))
        return rate if rate and self.number("l2.size_bytes") else math.inf

    @property
    def wavefronts(self) -> float:
        return self.sms * self.number("shared.ports")


class BeyondMachineError(Exception):
    """A result contradicts its machine: an error of this program, not of its input."""


def told(found: tuple[Violation, ...]) -> tuple[str, ...]:
    """Violations in words, for a result to carry; BeyondMachineError where STRICT is set."""
    if found and os.environ.get(STRICT, "0") not in ("", "0"):
        raise BeyondMachineError("; ".join(map(str, found)))
    return tuple(map(str, found))
