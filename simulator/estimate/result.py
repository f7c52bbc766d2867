"""Estimate of a launch, and its assumptions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from warpmill.analyzer.base.metric import (
    INTERNAL,
    FigureRange,
    Mark,
    Metric,
    Named,
    Tabled,
    derived,
)
from warpmill.simulator.assembler.costs import UnmodelledClass
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.machines.model import AssumedValue
from warpmill.simulator.machines.schema import Scalar
from warpmill.simulator.occupancy import Occupancy
from warpmill.simulator.resources import Term, share_of


@dataclass(frozen=True, slots=True)
class Share:
    """The part of the time of a launch that has one cause; all causes make 1."""

    cause: Term
    fraction: Annotated[float, Metric("Share of the time", "%")]


@dataclass(frozen=True, slots=True)
class Utilization:
    """How busy one resource is in a wave."""

    resource: Term
    fraction: Annotated[float, Metric("Utilization", "%")]


@dataclass(frozen=True, slots=True)
class Stall:
    """Share of all waiting of warps that has one reason."""

    reason: Term
    fraction: Annotated[float, Metric("Share of stalls", "%")]


@dataclass(frozen=True, slots=True)
class RegionTraffic:
    """Bytes of one buffer over the whole launch.

    ``requested_bytes`` are those that warps ask their SMs for, in sectors, ``l2_bytes`` those that
    SMs ask L2 for, ``l2_missed_bytes`` those of them that loads and atomics read from DRAM,
    ``dram_bytes`` all that come from DRAM or go there, ``footprint_bytes`` those that are touched
    at all. ``first_read_bytes`` are distinct ones that loads read before anything
    writes them, as far as the trace was looked at.
    """

    region: str
    requested_bytes: Annotated[float, Metric("Requested by warps", "B")]
    l2_bytes: Annotated[float, Metric("L2 traffic", "B")]
    l2_missed_bytes: Annotated[float, Metric("L2 misses", "B")]
    dram_bytes: Annotated[float, Metric("DRAM traffic", "B")]
    footprint_bytes: Annotated[float, Metric("Footprint", "B")]
    first_read_bytes: Annotated[float, Metric("Read before written", "B")]

    @derived("L2 hit rate", "%")
    def l2_hit_fraction(self) -> float | None:
        """The part of the L2 traffic that L2 has, stores all; null where there is none."""
        return l2_hits([self])


def l2_hits(traffic: Sequence[RegionTraffic]) -> float | None:
    """The part of the L2 traffic that does not wait for DRAM; None where there is none.

    Stores always hit, as in Nsight Compute: L2 takes them without reading what they write over.
    """
    asked = math.fsum(one.l2_bytes for one in traffic)
    missed = math.fsum(one.l2_missed_bytes for one in traffic)
    return max(0.0, 1.0 - missed / asked) if asked else None


@dataclass(frozen=True, slots=True)
class InstructionTime:
    """Time that warps spent at one instruction, waiting for its operands included.

    ``fraction`` is its share of the time of all warps, from 0 to 1.
    """

    block: int
    instruction: int
    fraction: float


@dataclass(frozen=True, slots=True)
class Roofline:
    """Arithmetic against traffic: where a launch lies under the roofs of its machine.

    ``flops`` are arithmetic operations of all threads, a fused multiply-add two, of the ``kind``
    that takes longest: f16, f32, f64, or tensor with the bits of the factors, integers too
    (tensor8), and f32acc where the sums are FP32 (tensor16_f32acc); it, the peak and the roof are
    null where there are no such operations. ``flops_per_dram_byte`` is null where nothing moves to
    or from DRAM. ``roof_gflops`` is what the machine allows there: the peak of the kind, or what
    DRAM's bandwidth feeds.
    """

    kind: Annotated[str | None, Metric("Kind of operations")]
    flops: Annotated[float, Metric("Operations", "FLOP")]
    flops_per_dram_byte: Annotated[float | None, Metric("Arithmetic intensity", "FLOP/B")]
    achieved_gflops: Annotated[float, Metric("Achieved", "GFLOP/s")]
    peak_gflops: Annotated[float | None, Metric("Peak", "GFLOP/s")]
    roof_gflops: Annotated[float | None, Metric("Attainable", "GFLOP/s")]
    dram_gb_per_s: Annotated[float, Metric("DRAM bandwidth", "GB/s", Mark.EXACT)]

    @derived("Achieved of attainable", "%")
    def roof_fraction(self) -> float | None:
        """How much of the roof is reached in the time of the execution."""
        return share_of(self.achieved_gflops, self.roof_gflops)


@dataclass(frozen=True, slots=True)
class ChangedValue:
    """A value of a machine before a change and after it; ``before`` is null where it had none."""

    marked_as_one: ClassVar[bool] = True

    key: str
    unit: str
    before: Scalar | None
    after: Scalar


_FACTORS = {2.0: "twice", 0.5: "half"}


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Time of a launch with ``factor`` times as much of one thing of the machine.

    ``time_us`` is that of the launch, of which ``execution_us`` is not launching; ``ratio`` is over
    that on the machine as it is. All are null where there is no estimate; ``problem`` then says
    why. ``noise`` is the part of the time by which estimates of such changes differ for no cause
    but the order of warps; one figure for all changes of a machine.
    """

    name: Named
    factor: Annotated[float, Metric("Factor", "x", Mark.EXACT)]
    settings: tuple[ChangedValue, ...]
    execution_us: Annotated[float | None, Metric("Execution", "µs")]
    time_us: Annotated[float | None, Metric("Duration", "µs")]
    ratio: Annotated[float | None, Metric("Of the duration now", "x")]
    problem: str = ""
    noise: Annotated[float, INTERNAL] = 0.0

    @property
    def title(self) -> str:
        """The change in words: ``twice the SMs``."""
        return f"{_FACTORS.get(self.factor, f'{self.factor:g} times')} the {self.name}"

    @derived("Launch overhead", "µs")
    def launch_us(self) -> float | None:
        """Launch overhead."""
        if self.time_us is None or self.execution_us is None:
            return None
        return self.time_us - self.execution_us

    @derived("Within noise")
    def within_noise(self) -> bool:
        """Whether the change makes no difference that the estimate resolves."""
        return self.ratio is not None and abs(self.ratio - 1.0) <= self.noise


@dataclass(frozen=True, slots=True)
class EstimateRanges:
    """The estimate where a range was assumed. All other figures are of the low ends."""

    cycles: Annotated[FigureRange, Metric("Elapsed cycles, as assumed", "cycle")]
    execution_us: Annotated[FigureRange, Metric("Execution, as assumed", "µs")]
    time_us: Annotated[FigureRange, Metric("Duration, as assumed", "µs")]
    bound_high: Annotated[str, Metric("Bound by, at the high ends")]


@dataclass(frozen=True)
class WarpSpan:
    """A warp at an instruction, in cycles of a wave (hybrid paper, Figure 2).

    It waits from ``begin`` until the instruction is ``issued``, longest for ``reason``; the result
    is there when it is ``done``. Warps are numbered over the CTAs of the wave.
    """

    warp: int
    block: int
    instruction: int
    reason: Term | None
    begin: float
    issued: float
    done: float


@dataclass(frozen=True, repr=False)
class Estimate(Tabled):
    """Time of one launch on one machine (hybrid estimation, §IV).

    ``time_us`` is that of the launch: ``execution_us``, in which its CTAs run, and ``launch_us``,
    which launching adds; ``cycles`` are of the execution.
    ``wave_cycles`` is the time of one wave of ``wave_ctas`` CTAs on one SM: as many as are
    resident, or of up to three waves of these; ``waves`` of them take as long as the launch
    executes, below 1 where the last one has few. ``wave_instructions`` are warp instructions that
    take an issue slot, in one wave; ``extrapolated``: loops were cut short and the wave's time
    continued in a line.
    ``bound`` says in words what limits the kernel: the greatest of ``shares``, the time breakdown.
    ``unmodelled`` names what the trace holds and the pipeline does not know; ``simplifications``
    what the model leaves out; ``assumptions`` are those of the trace and of addresses that data
    decide. ``beyond_machine`` says what of it contradicts the machine: the estimate is wrong.
    ``what_if`` are changes of the machine, one thing at a time, null where nobody asked for them.
    """

    mark: ClassVar[Mark] = Mark.MODELLED

    machine: Annotated[str, Metric("Machine")]
    machine_name: Annotated[str, Metric("GPU")]
    mode: Annotated[str, INTERNAL]
    clock_mhz: Annotated[
        float, Metric("SM frequency", "MHz", ncu="sm__cycles_elapsed.avg.per_second")
    ]
    clock_assumed: Annotated[bool, INTERNAL]
    execution_us: Annotated[float, Metric("Execution", "µs", ncu="gpu__time_duration.sum")]
    launch_us: Annotated[float, Metric("Launch overhead", "µs")]
    cycles: Annotated[float, Metric("Elapsed cycles", "cycle", ncu="sm__cycles_elapsed.max")]
    wave_cycles: Annotated[float, Metric("Cycles of a wave", "cycle")]
    wave_ctas: Annotated[int, Metric("CTAs of a wave per SM", "CTA")]
    waves: Annotated[float, Metric("Waves per SM", ncu="launch__waves_per_multiprocessor")]
    wave_instructions: Annotated[int, Metric("Warp instructions of a wave", "inst")]
    extrapolated: Annotated[bool, Metric("Loops extrapolated")]
    warp_instructions: Annotated[
        float, Metric("Executed instructions", "inst", ncu="smsp__inst_executed.sum")
    ]
    bound: Annotated[str, Metric("Bound by")]
    shares: tuple[Share, ...]
    occupancy: Occupancy
    achieved_occupancy_fraction: Annotated[
        float,
        Metric("Achieved occupancy", "%", ncu="sm__warps_active.avg.pct_of_peak_sustained_active"),
    ]
    registers: RegisterCount
    shared_bytes: Annotated[int, Metric("Shared memory per CTA", "B", Mark.EXACT)]
    utilization: tuple[Utilization, ...]
    stalls: tuple[Stall, ...]
    roofline: Roofline
    traffic: tuple[RegionTraffic, ...]
    l1_hit_fraction: Annotated[
        float | None,
        Metric("L1/TEX hit rate", "%", ncu="l1tex__t_sector_hit_rate.pct"),
    ]
    instruction_times: Annotated[tuple[InstructionTime, ...], INTERNAL]
    unmodelled: tuple[UnmodelledClass, ...]
    simplifications: tuple[str, ...]
    trace: Annotated[str, Metric("Trace")]
    trace_reason: str
    assumptions: tuple[str, ...]
    assumed_values: Annotated[
        tuple[AssumedValue, ...], Metric("Assumed machine values", mark=Mark.ASSUMED)
    ]
    beyond_machine: tuple[str, ...] = ()
    ranges: Annotated[EstimateRanges | None, Metric("As assumed", mark=Mark.ASSUMED)] = None
    what_if: tuple[WhatIf, ...] | None = None
    warp_spans: Annotated[tuple[WarpSpan, ...] | None, INTERNAL] = field(
        default=None, compare=False, repr=False
    )

    @derived("Duration", "µs")
    def time_us(self) -> float:
        """The time of the launch: execution, and what launching adds."""
        return self.execution_us + self.launch_us

    @derived("Executed IPC, whole GPU", "inst/cycle")
    def warp_ipc(self) -> float | None:
        """Warp instructions a cycle of the execution, over all SMs."""
        return share_of(self.warp_instructions, self.cycles)

    @derived("L2 traffic", "B", ncu="lts__t_bytes.sum")
    def l2_bytes(self) -> float:
        """L2 traffic over all buffers."""
        return math.fsum(one.l2_bytes for one in self.traffic)

    @derived("L2 hit rate", "%", ncu="lts__t_sector_hit_rate.pct")
    def l2_hit_fraction(self) -> float | None:
        """The part of the L2 traffic that L2 has, stores all; null where there is none."""
        return l2_hits(self.traffic)

    @derived("DRAM traffic", "B", ncu="dram__bytes.sum")
    def dram_bytes(self) -> float:
        """DRAM traffic over all buffers."""
        return math.fsum(one.dram_bytes for one in self.traffic)

    @derived("DRAM throughput", "GB/s", ncu="dram__bytes.sum.per_second")
    def dram_gb_per_s(self) -> float | None:
        """DRAM traffic over the time of the execution."""
        return share_of(self.dram_bytes, self.execution_us * 1e3)

    @derived("Noise of what-ifs", "%")
    def what_if_noise_fraction(self) -> float | None:
        """The part of the time below which differences to ``what_if`` say nothing.

        1 %, or as much as a change goes the way that it cannot by itself, as a faster pipe that
        makes a launch slower.
        """
        return self.what_if[0].noise if self.what_if else None

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """Marks of counts, and of figures that rest on an assumed register count or clock."""
        registers = Mark.ASSUMED if self.registers.assumed else Mark.EXACT
        counted = Mark.ASSUMED if self.assumptions else Mark.SAMPLED
        by_registers = ("registers", "occupancy", "wave_ctas")
        by_trace = (
            "wave_instructions", "warp_instructions", "roofline.flops", "unmodelled",
            "traffic.requested_bytes", "traffic.footprint_bytes", "traffic.first_read_bytes",
        )  # fmt: skip
        return {
            "clock_mhz": Mark.ASSUMED if self.clock_assumed else Mark.EXACT,
            **dict.fromkeys(by_registers, registers),
            "occupancy.warps_per_cta": Mark.EXACT,
            **dict.fromkeys(by_trace, counted),
        }
