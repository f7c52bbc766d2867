"""Result of a simulation, and its assumptions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric, Tabled, derived
from warpmill.simulator.assembler.costs import UnmodelledClass
from warpmill.simulator.gpu.instruction_result import InstructionResult
from warpmill.simulator.gpu.result_parts import (
    Ctas,
    DramResult,
    LaunchResult,
    OperationsResult,
    SamplingUnits,
    SimulatedCache,
    SmResult,
    Spans,
    Tail,
    Throughput,
    Timeline,
    Totals,
    UnitResult,
    WarpState,
    per_cycle,
)
from warpmill.simulator.machines.model import AssumedValue, Machine
from warpmill.simulator.resources import (
    ISSUE_SLOTS,
    SERVERS,
    SIMULATED_STATES,
    WARP_STATES,
    Term,
    share_of,
)

MEMORY_OF_LAUNCHES = (
    "static traces give each launch memory from the same address on: it may find in caches what is "
    "another one's"
)
"""Assumption about caches where several launches have static traces."""

SIMPLIFICATIONS = (
    "the first CTAs begin as soon as an SM has room: setting them up is not modelled",
    "texels beside a lane's first one always hit; unless executed, all do",
    "matrices that are moved (ldmatrix, wmma.load) are on the SM, and no banks conflict",
    "address translation (TLB) is not modelled",
    "copies by the tensor memory accelerator are a thread's accesses; clusters are not modelled",
    "launch overhead is not part of the time",
)
"""What the model leaves out."""

_COUNTED = (
    "warp_instructions", "thread_instructions", "unmodelled", "unknown_accesses",
    "launches.warp_instructions", "launches.alone.warp_instructions",
    "launches.alone.thread_instructions",
)  # fmt: skip
"""Figures that traces decide, on a machine that issues their instructions as they are."""


@dataclass(frozen=True, repr=False)
class SimResult(Tabled):
    """A simulation of some launches on one machine.

    ``cycles`` are of the machine's cycle domain, from the first CTA's start to the last one's end,
    gaps between launches included; where waves were sampled they are continued in a line, and all
    else is of the ``simulated_cycles``. ``kernels`` are the kernels' names by number. ``stalls``
    sums those of all instructions by state. ``achieved_occupancy_fraction`` is resident warps
    over slots, over time and SMs that had any work. ``l2_reads`` to ``l2_write_backs`` are what L2
    was asked, in sectors, and what it wrote to DRAM. ``shared_requests`` are accesses of warps to
    shared memory, ``bank_conflicts`` the wavefronts beyond the first of each. ``events`` counts
    what an energy model needs, by class. ``assumptions`` are those of traces, ``unknown_accesses``
    accesses of warps whose addresses data decide and nobody knew, ``unmodelled`` executed
    instructions by class that the cost table lacks. ``instruction_units`` are of as many
    instructions each; one of ``cta_units`` begins when a CTA does and ends when it ends, the next
    is that of the first CTA to begin after (TBPoint, §IV-B-2). ``totals`` are those at the end of
    each launch, where launches do not run at the same time. ``units`` are those that did anything.
    ``beyond_machine`` says what contradicts the machine (``machine_limits``): the simulation is
    wrong. ``issues_as_traced``: what is issued are the traces' instructions, and no machine code.
    """

    mark: ClassVar[Mark] = Mark.MODELLED

    machine: Annotated[str, Metric("Machine")]
    machine_name: Annotated[str, Metric("GPU")]
    clock_mhz: Annotated[
        float, Metric("SM frequency", "MHz", ncu="sm__cycles_elapsed.avg.per_second")
    ]
    sms: Annotated[int, Metric("SMs")]
    cycles: Annotated[float, Metric("Elapsed cycles", "cycle", ncu="sm__cycles_elapsed.max")]
    sampled: Annotated[bool, Metric("Sampled")]
    warp_instructions: Annotated[
        int, Metric("Executed instructions", "inst", ncu="smsp__inst_executed.sum")
    ]
    thread_instructions: Annotated[
        int,
        Metric("Executed thread instructions", "thread inst", ncu="smsp__thread_inst_executed.sum"),
    ]
    issue_slots: Annotated[int, Metric("Issue slots")]
    issue_slots_used: Annotated[int, Metric("Issue slots with an issue")]
    achieved_occupancy_fraction: Annotated[
        float,
        Metric("Achieved occupancy", "%", ncu="sm__warps_active.avg.pct_of_peak_sustained_active"),
    ]
    warp_slots_per_sm: Annotated[int, Metric("Peak warps per SM", "warp", Mark.EXACT)]
    launches: tuple[LaunchResult, ...]
    kernels: Annotated[tuple[str, ...], INTERNAL]
    instructions: Annotated[tuple[InstructionResult, ...], INTERNAL]
    stalls: Annotated[tuple[int, ...], INTERNAL]
    caches: tuple[SimulatedCache, ...]
    l2_reads: Annotated[int, Metric("L2 sectors read", "sector")]
    l2_writes: Annotated[int, Metric("L2 sectors written", "sector")]
    l2_atomics: Annotated[int, Metric("L2 atomic sectors", "sector")]
    l2_write_backs: Annotated[int, Metric("L2 write-backs", "sector")]
    dram: DramResult
    read_sectors: Annotated[int, Metric("Sectors read", "sector")]
    write_sectors: Annotated[int, Metric("Sectors written", "sector")]
    atomic_sectors: Annotated[int, Metric("Atomic sectors", "sector")]
    sector_bytes: Annotated[int, Metric("Sector size", "B", Mark.EXACT)]
    shared_requests: Annotated[int, Metric("Shared memory requests")]
    shared_wavefronts: Annotated[
        int,
        Metric("Shared memory wavefronts", ncu="l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"),
    ]
    bank_conflicts: Annotated[
        int,
        Metric("Bank conflicts", ncu="l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"),
    ]
    packets_to_l2: Annotated[int, Metric("Packets to L2")]
    packets_from_l2: Annotated[int, Metric("Packets from L2")]
    tail: Tail
    instruction_units: SamplingUnits
    cta_units: SamplingUnits
    timeline: Timeline
    per_sm: tuple[SmResult, ...]
    ctas: Annotated[Ctas, INTERNAL]
    spans: Annotated[Spans, INTERNAL]
    events: Annotated[Mapping[str, int], Metric("Events")]
    unmodelled: tuple[UnmodelledClass, ...]
    unknown_accesses: Annotated[int, Metric("Accesses without an address")]
    assumptions: tuple[str, ...]
    simplifications: tuple[str, ...]
    assumed_values: Annotated[
        tuple[AssumedValue, ...], Metric("Assumed machine values", mark=Mark.ASSUMED)
    ]
    clock_assumed: Annotated[bool, INTERNAL] = False
    sms_assumed: Annotated[bool, INTERNAL] = False
    issues_as_traced: Annotated[bool, INTERNAL] = True
    throughputs: tuple[Throughput, ...] = ()
    totals: Annotated[tuple[Totals, ...], INTERNAL] = ()
    units: Annotated[tuple[UnitResult, ...], INTERNAL] = ()
    operations: Annotated[tuple[OperationsResult, ...], INTERNAL] = ()
    beyond_machine: tuple[str, ...] = ()

    @derived("Duration", "µs", ncu="gpu__time_duration.sum")
    def time_us(self) -> float:
        """The time of all launches, from the first CTA's start to the last one's end."""
        return self.cycles / self.clock_mhz

    @derived("Simulated cycles", "cycle")
    def simulated_cycles(self) -> int:
        """The cycles that all counts are of; fewer than ``cycles`` where waves were sampled."""
        begin = min((x.begin_cycle for x in self.launches), default=0)
        return max((x.end_cycle for x in self.launches), default=0) - begin

    @derived("Executed IPC, whole GPU", "inst/cycle")
    def warp_ipc(self) -> float:
        """Warp instructions a cycle, all SMs together."""
        return per_cycle(self.warp_instructions, self.simulated_cycles)

    @derived("Executed IPC per SM", "inst/cycle", ncu="sm__inst_executed.avg.per_cycle_elapsed")
    def warp_ipc_per_sm(self) -> float:
        """Warp instructions a cycle of an SM."""
        return self.warp_ipc / self.sms

    @derived("Thread instructions per cycle")
    def thread_ipc(self) -> float:
        """Thread instructions a cycle, all SMs together."""
        return per_cycle(self.thread_instructions, self.simulated_cycles)

    @derived(
        "Utilization of issue slots", "%", ncu="sm__inst_issued.avg.pct_of_peak_sustained_elapsed"
    )
    def issue_slot_fraction(self) -> float | None:
        """The part of the slots of schedulers, one a cycle each, in which one issued."""
        return share_of(self.issue_slots_used, self.issue_slots)

    @derived("Warp states")
    def warp_states(self) -> tuple[WarpState, ...]:
        """Cycles of resident warps by state."""
        whole = sum(self.stalls)
        named = zip(SIMULATED_STATES, self.stalls, strict=True)
        return tuple(WarpState(WARP_STATES[n], count, share_of(count, whole)) for n, count in named)

    @derived("Achieved active warps per SM", "warp", ncu="sm__warps_active.avg.per_cycle_active")
    def achieved_warps_per_sm(self) -> float:
        """Resident warps of an SM, over time and SMs that had any work."""
        return self.achieved_occupancy_fraction * self.warp_slots_per_sm

    @derived("Theoretical occupancy", "%", ncu="sm__maximum_warps_per_active_cycle_pct")
    def occupancy_fraction(self) -> float:
        """Theoretical occupancy: the mean over launches, weighted by their cycles."""
        weights = [max(1, one.simulated_cycles) for one in self.launches]
        shares = [one.occupancy.occupancy_fraction for one in self.launches]
        mean = sum(w * share for w, share in zip(weights, shares, strict=True))
        return mean / max(1, sum(weights))

    @derived("Limited by")
    def limiting(self) -> tuple[str, ...]:
        """The resources that allow no more."""
        return tuple(dict.fromkeys(x for one in self.launches for x in one.occupancy.limiting))

    @derived("L1/TEX hit rate", "%", ncu="l1tex__t_sector_hit_rate.pct")
    def l1_hit_fraction(self) -> float | None:
        """The part of L1's accesses that did not go on; null without any."""
        return self._hits("l1")

    @derived("L2 hit rate", "%", ncu="lts__t_sector_hit_rate.pct")
    def l2_hit_fraction(self) -> float | None:
        """The part of L2's accesses that did not go on; null without any."""
        return self._hits("l2")

    def _hits(self, level: str) -> float | None:
        found = self.cache(level)
        return None if found is None else found.hit_fraction

    @derived("L2 traffic", "B", ncu="lts__t_bytes.sum")
    def l2_bytes(self) -> int:
        """L2 traffic."""
        found = self.cache("l2")
        return 0 if found is None else found.accesses * self.sector_bytes

    @derived("DRAM traffic", "B", ncu="dram__bytes.sum")
    def dram_bytes(self) -> int:
        """DRAM traffic."""
        return (self.dram.reads + self.dram.writes) * self.sector_bytes

    @derived("DRAM throughput", "GB/s", ncu="dram__bytes.sum.per_second")
    def dram_gb_per_s(self) -> float:
        """DRAM traffic over the time that was simulated."""
        return self.gb_per_s(self.dram.reads + self.dram.writes)

    @derived("Wavefronts per shared memory request")
    def shared_wavefronts_per_request(self) -> float | None:
        """1 where no banks conflict."""
        return share_of(self.shared_wavefronts, self.shared_requests)

    @derived("Tail, share of the cycles", "%")
    def tail_fraction(self) -> float:
        """The part of the cycles in which SMs had run empty."""
        return per_cycle(self.tail.cycles, self.simulated_cycles)

    @property
    def modelled(self) -> Mark:
        """How far what the engine says can be trusted."""
        return Mark.SAMPLED if self.sampled else Mark.MODELLED

    @property
    def counted(self) -> Mark:
        """How far what the traces decide can be trusted."""
        if self.unknown_accesses or any(a != MEMORY_OF_LAUNCHES for a in self.assumptions):
            return Mark.ASSUMED
        return Mark.EXACT if self.issues_as_traced and not self.sampled else self.modelled

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """Marks of figures that traces decide, and of those that rest on assumed values."""
        given = any(one.registers.assumed for one in self.launches)
        registers = Mark.ASSUMED if given else Mark.EXACT
        return {
            "": self.modelled,
            "clock_mhz": Mark.ASSUMED if self.clock_assumed else Mark.EXACT,
            "sms": Mark.ASSUMED if self.sms_assumed else Mark.EXACT,
            **dict.fromkeys(_COUNTED, self.counted),
            **dict.fromkeys(
                ("occupancy_fraction", "launches.registers", "launches.occupancy"), registers
            ),
            "launches.occupancy.warps_per_cta": Mark.EXACT,
        }

    def cache(self, level: str) -> SimulatedCache | None:
        """A kind of cache by its level: l1, const, tex, icache, l2."""
        return next((c for c in self.caches if c.level == level), None)

    def gb_per_s(self, sectors: int) -> float:
        """The rate at which so many sectors moved in the time that was simulated."""
        if not self.simulated_cycles:
            return 0.0
        return sectors * self.sector_bytes * self.clock_mhz / self.simulated_cycles / 1e3


_PEAKS: dict[str, tuple[tuple[str, ...], float]] = {
    "issue_slots": (("sm.count", "sm.schedulers", "sm.issue_per_scheduler"), 1.0),
    "l1_bandwidth": (("sm.count", "l1.bytes_per_clk", "clock.sm_mhz"), 1e-3),
    "l2_bandwidth": (("l2.bytes_per_clk", "clock.sm_mhz"), 1e-3),
    "dram_bandwidth": (("dram.bandwidth_gbs",), 1.0),
}
"""Values of a machine that a peak is the product of, and the factor that makes it GB/s."""


def throughputs(result: SimResult, machine: Machine) -> tuple[Throughput, ...]:
    """Throughputs that have a peak on the machine, from the warps outwards.

    Rates are over the time that was simulated, and peaks those of the machine's description.
    """
    l1, l2 = result.cache("l1"), result.cache("l2")
    sectors = {
        "l1": None if l1 is None or not machine.number("l1.size_bytes") else l1.accesses,
        "l2": None if l2 is None else l2.accesses,
        "dram": result.dram.reads + result.dram.writes,
    }
    moved = {SERVERS[x]: result.gb_per_s(n) for x, n in sectors.items() if n is not None}
    return (
        _throughput(result, machine, ISSUE_SLOTS, result.warp_ipc, "IPC"),
        *(_throughput(result, machine, name, rate, "GB/s") for name, rate in moved.items()),
    )


def _throughput(
    result: SimResult, machine: Machine, resource: Term, rate: float, unit: str
) -> Throughput:
    keys, factor = _PEAKS[resource.key]
    values = [machine.get(key) for key in keys]
    known = [float(machine.number(k)) for k, v in zip(keys, values, strict=True) if v]
    peak = math.prod(known) * factor if len(known) == len(keys) else 0.0
    assumed = any(value is not None and value.assumed for value in values)
    return Throughput(resource, rate, peak or None, unit, assumed, result.sampled)
