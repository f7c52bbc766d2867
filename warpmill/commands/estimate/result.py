"""What ``estimate`` answers: time on several machines side by side, and what it rests on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from warpmill.analyzer.analyses.ranges.assumptions import Assumptions
from warpmill.commands.estimate.parts import (
    EstimateRanges,
    MachineEstimate,
    MemoryFacts,
    OccupancyFacts,
    RegisterFacts,
    RooflineFacts,
    RoundFacts,
    ShareFacts,
    TrafficFacts,
    UnmodelledFacts,
    UtilisationFacts,
    WaitFacts,
    what_if_facts,
)
from warpmill.report.assumed import (
    AssumedName,
    FigureRange,
    assumed_names,
    assumed_value,
    shown_value,
)
from warpmill.report.base import Id, Mark, Marks, Part, Report, marks
from warpmill.report.facts import (
    KernelIdentity,
    LaunchFacts,
    Remark,
    kernel_facts,
    launch_facts,
    remarks,
)
from warpmill.session.estimates import PLAIN
from warpmill.session.jobs import Job
from warpmill.session.options import EstimateOptions
from warpmill.session.prepare import kernels_beside
from warpmill.session.what_if import WhatIf
from warpmill.simulator.estimate.result import Estimate, RegionTraffic
from warpmill.simulator.estimate.shares import Roofline
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.machines.schema import Scalar
from warpmill.simulator.occupancy import Occupancy

# Part of ``estimate``: all launches together, as they would run one after another.


class LaunchShare(Part):
    """A launch and its share of the time of all; ``number`` is that in an application, from 0."""

    kernel: str
    launch: str
    number: Id | None
    time_us: float
    fraction: float | None


class KernelShare(Part):
    """The launches of one kernel and their share of the time of all."""

    kernel: str
    launches: int
    time_us: float
    fraction: float | None


class TotalEstimate(Part):
    """All launches on one machine, one after another: sums of their times.

    ``not_estimated`` launches have no estimate there, and are in no sum. ``time_range_us`` has both
    ends where a range was assumed of a launch; all other figures are of the low ends. ``kernels``
    and ``by_launch`` have those that take longest first.
    """

    machine: str
    launches: int
    not_estimated: int
    time_us: float
    time_range_us: FigureRange | None
    execution_us: float
    launch_us: float
    kernels: list[KernelShare]
    by_launch: list[LaunchShare]
    marks: Marks


class _One(NamedTuple):
    """The estimate of a launch on the machine."""

    launch: LaunchEstimates
    estimate: MachineEstimate


def totals(launches: Sequence[LaunchEstimates]) -> list[TotalEstimate]:
    """Sum up the launches on each machine, in the order in which machines first come."""
    machines = dict.fromkeys(e.machine for launch in launches for e in launch.estimates)
    return [_total(machine, launches) for machine in machines]


def _total(machine: str, launches: Sequence[LaunchEstimates]) -> TotalEstimate:
    found = [
        _One(launch, estimate)
        for launch in launches
        for estimate in launch.estimates
        if estimate.machine == machine
    ]
    whole = math.fsum(one.estimate.time_us for one in found)
    return TotalEstimate(
        machine=machine,
        launches=len(found),
        not_estimated=len(launches) - len(found),
        time_us=whole,
        time_range_us=_range([one.estimate for one in found]),
        execution_us=math.fsum(one.estimate.execution_us for one in found),
        launch_us=math.fsum(one.estimate.launch_us for one in found),
        kernels=_kernels(found, whole),
        by_launch=sorted((_launch(one, whole) for one in found), key=lambda x: -x.time_us),
        marks=marks(
            TotalEstimate,
            Mark.MODELLED,
            launches=Mark.EXACT,
            not_estimated=Mark.EXACT,
            time_range_us=Mark.ASSUMED,
            kernels__launches=Mark.EXACT,
        ),
    )


def _range(estimates: Sequence[MachineEstimate]) -> FigureRange | None:
    """Add up both ends; a launch without a range has one time."""
    if all(one.ranges is None for one in estimates):
        return None
    times = [(e.time_us, e.time_us) if e.ranges is None else _ends(e.ranges) for e in estimates]
    return FigureRange(
        low=math.fsum(low for low, _ in times), high=math.fsum(high for _, high in times)
    )


def _ends(ranges: EstimateRanges) -> tuple[float, float]:
    return ranges.time_us.low, ranges.time_us.high


def _launch(one: _One, whole: float) -> LaunchShare:
    place, time = one.launch.launch.place, one.estimate.time_us
    return LaunchShare(
        kernel=one.launch.kernel.demangled,
        launch=one.launch.launch.name,
        number=None if place is None else place.number,
        time_us=time,
        fraction=_share(time, whole),
    )


def _kernels(found: Iterable[_One], whole: float) -> list[KernelShare]:
    times: dict[str, list[float]] = {}
    for one in found:
        times.setdefault(one.launch.kernel.demangled, []).append(one.estimate.time_us)
    kernels = (
        KernelShare(
            kernel=kernel,
            launches=len(each),
            time_us=math.fsum(each),
            fraction=_share(math.fsum(each), whole),
        )
        for kernel, each in times.items()
    )
    return sorted(kernels, key=lambda kernel: -kernel.time_us)


def _share(time: float, whole: float) -> float | None:
    return time / whole if whole else None


class NotEstimated(Part):
    """A machine without an estimate, and why."""

    machine: str
    reason: str


class LaunchEstimates(Part):
    """The estimates of one launch on some machines, in the order asked for.

    ``assumed`` is what the user assumed of loops that data end.
    """

    kernel: KernelIdentity
    launch: LaunchFacts
    assumed: list[AssumedName]
    estimates: list[MachineEstimate]
    not_estimated: list[NotEstimated]
    remarks: list[Remark]


class EstimateReport(Report):
    """Estimates of the launches of a launch file, or of one launch."""

    report: Literal["estimate"] = "estimate"
    overrides: dict[str, str]
    """Values of ``--set``, which hold for every machine."""
    mode: Literal["waves", "eq8"]
    """``waves``: CTAs wave by wave; ``eq8``: the hybrid paper's pipeline and its Equation 8."""
    l2: Literal["cold", "warm"]
    """What L2 has at the beginning: nothing, or what an equal launch before has left."""
    timed: Literal["kernel", "event", "back-to-back", "graph"]
    """How the time is taken, which decides what launching adds."""
    pruned: bool
    """Whether only the instructions that the hybrid paper keeps cost time."""
    launches: list[LaunchEstimates]
    totals: list[TotalEstimate]
    """All launches together, on each machine."""


def estimate_report(
    launches: Sequence[LaunchEstimates],
    overrides: Mapping[str, Scalar],
    *,
    options: EstimateOptions = PLAIN,
    pruned: bool = False,
) -> EstimateReport:
    """Put the estimates of some launches together, which were made with ``options``."""
    return EstimateReport(
        overrides={key: shown_value(value) for key, value in sorted(overrides.items())},
        mode=options.mode,
        l2=options.l2,
        timed=options.timed,
        pruned=pruned,
        launches=list(launches),
        totals=totals(launches),
    )


def launch_estimates(
    job: Job,
    estimates: Sequence[tuple[Machine, Estimate]],
    failures: Sequence[tuple[str, str]] = (),
    *,
    assumed: Assumptions | None = None,
    high: Sequence[Estimate | None] | None = None,
    what_ifs: Sequence[Sequence[WhatIf] | None] | None = None,
) -> LaunchEstimates:
    """Report one launch's estimates; ``failures`` are machines with the reason for none.

    ``assumed`` is what the user assumed. Where a range is in it, ``estimates`` are made with the
    low ends and ``high``, one for each, with the high ones. ``what_ifs`` are changes of each
    machine, where they were asked for.
    """
    each = zip(
        estimates,
        high or [None] * len(estimates),
        what_ifs or [None] * len(estimates),
        strict=True,
    )
    return LaunchEstimates(
        kernel=kernel_facts(job.loaded, job.kernel, kernels_beside(job.loaded)),
        launch=launch_facts(job.required_launch(), job.kernel),
        assumed=assumed_names(assumed or Assumptions()),
        estimates=[_estimate(m, e, end, changes) for (m, e), end, changes in each],
        not_estimated=[NotEstimated(machine=name, reason=reason) for name, reason in failures],
        remarks=remarks(job.loaded.diagnostics, job.loaded),
    )


def _estimate(
    machine: Machine, found: Estimate, high: Estimate | None, changes: Sequence[WhatIf] | None
) -> MachineEstimate:
    return MachineEstimate(
        machine=found.machine,
        machine_name=machine.text("machine.name"),
        clock_mhz=float(machine.number("clock.sm_mhz")),
        time_us=found.total_microseconds,
        execution_us=found.microseconds,
        launch_us=found.launch_microseconds,
        estimated_cycles=found.cycles,
        warp_instructions=found.warp_instructions,
        warp_ipc=_over(found.warp_instructions, found.cycles),
        bound=found.bound,
        shares=[ShareFacts(cause=s.cause, fraction=s.fraction) for s in found.shares],
        occupancy=occupancy_facts(found.occupancy),
        achieved_occupancy_fraction=found.achieved_occupancy,
        registers=RegisterFacts(
            registers_per_thread=found.registers.registers, source=found.registers.source
        ),
        shared_bytes=found.shared_bytes,
        round=_round(found),
        utilisation=[
            UtilisationFacts(resource=u.resource, fraction=u.fraction) for u in found.utilisation
        ],
        waits=[WaitFacts(reason=w.reason, fraction=w.fraction) for w in found.waits],
        roofline=_roofline(found.roofline),
        memory=_memory(found),
        traffic=[_traffic(one) for one in found.traffic],
        unmodelled=[
            UnmodelledFacts(op_class=name, warp_instructions=count)
            for name, count in found.unmodelled
        ],
        simplifications=list(found.simplifications),
        trace=found.trace,
        trace_reason=found.trace_reason,
        assumptions=list(found.assumptions),
        assumed_values=[assumed_value(key, value) for key, value in found.assumed_values],
        beyond_machine=list(found.beyond),
        ranges=None if high is None else _ranges(found, high),
        what_if=None if changes is None else [what_if_facts(one) for one in changes],
        what_if_noise_fraction=changes[0].noise if changes else None,
        marks=_marks(machine, found),
    )


def _over(count: float, whole: float) -> float | None:
    return count / whole if whole else None


def _round(found: Estimate) -> RoundFacts:
    return RoundFacts(
        cycles=found.round_cycles,
        ctas=found.round_ctas,
        rounds=found.rounds,
        operations=found.operations,
        extrapolated=found.extrapolated,
    )


def _roofline(roofline: Roofline) -> RooflineFacts:
    return RooflineFacts(
        kind=roofline.kind,
        flops=roofline.flops,
        flops_per_dram_byte=roofline.intensity,
        achieved_gflops=roofline.achieved_gflops,
        peak_gflops=roofline.peak_gflops,
        roof_gflops=roofline.roof_gflops,
        roof_fraction=_over(roofline.achieved_gflops, roofline.roof_gflops or 0.0),
    )


def _memory(found: Estimate) -> MemoryFacts:
    l2, dram = (
        math.fsum(getattr(one, f"{level}_bytes") for one in found.traffic)
        for level in ("l2", "dram")
    )
    return MemoryFacts(
        l1_hit_fraction=found.l1_hit_fraction,
        l2_hit_fraction=None if not l2 else max(0.0, 1.0 - dram / l2),
        l2_bytes=l2,
        dram_bytes=dram,
        dram_gb_per_s=_over(dram, found.microseconds * 1e3),
    )


def _traffic(one: RegionTraffic) -> TrafficFacts:
    return TrafficFacts(
        region=one.region,
        requested_bytes=one.requested_bytes,
        l2_bytes=one.l2_bytes,
        dram_bytes=one.dram_bytes,
        footprint_bytes=one.footprint_bytes,
        l2_hit_fraction=one.l2_hit_fraction,
    )


def _ranges(low: Estimate, high: Estimate) -> EstimateRanges:
    return EstimateRanges(
        estimated_cycles=FigureRange(low=low.cycles, high=high.cycles),
        time_us=FigureRange(low=low.total_microseconds, high=high.total_microseconds),
    )


def _marks(machine: Machine, estimate: Estimate) -> dict[str, Mark]:
    """Mark what the model says, what is counted, and what rests on an assumed register count."""
    registers = Mark.ASSUMED if estimate.registers.assumed else Mark.EXACT
    counted = Mark.ASSUMED if estimate.assumptions else Mark.SAMPLED
    clock = Mark.ASSUMED if machine["clock.sm_mhz"].assumed else Mark.EXACT
    return marks(
        MachineEstimate,
        Mark.MODELLED,
        clock_mhz=clock,
        registers=registers,
        occupancy=registers,
        occupancy__warps_per_cta=Mark.EXACT,
        shared_bytes=Mark.EXACT,
        round__ctas=registers,
        round__operations=counted,
        warp_instructions=counted,
        roofline__flops=counted,
        traffic__requested_bytes=counted,
        traffic__footprint_bytes=counted,
        unmodelled=counted,
        ranges=Mark.ASSUMED,
        what_if__factor=Mark.EXACT,
    )


def occupancy_facts(fit: Occupancy) -> OccupancyFacts:
    """Report how many CTAs an SM holds, and why not more."""
    return OccupancyFacts(
        ctas_per_sm=fit.blocks_per_sm,
        warps_per_cta=fit.warps_per_block,
        warps_per_sm=fit.warps_per_sm,
        occupancy_fraction=fit.fraction,
        limits=dict(fit.limits),
        limiting=list(fit.limiting),
        shared_carveout_bytes=fit.carveout_bytes,
        notes=list(fit.notes),
    )
