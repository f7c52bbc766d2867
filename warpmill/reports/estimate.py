"""What ``estimate`` answers: time on several machines side by side, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from analyzer.analyses.assumptions import Assumptions
from simulator.estimate.result import Estimate
from simulator.machines.model import Machine, Value
from simulator.machines.schema import Scalar, schema
from simulator.occupancy import Occupancy
from warpmill.api import Job, kernels_beside
from warpmill.reports.assumed import AssumedName, FigureRange, assumed_names
from warpmill.reports.base import Mark, Marks, Part, Report, marks
from warpmill.reports.facts import (
    KernelFacts,
    LaunchFacts,
    Remark,
    kernel_facts,
    launch_facts,
    remarks,
)


class OccupancyFacts(Part):
    """CTAs that one SM holds at once; ``limits`` are those that each resource alone allows."""

    ctas_per_sm: int
    warps_per_cta: int
    warps_per_sm: int
    occupancy_fraction: float
    limits: dict[str, int | None]
    limiting: list[str]
    shared_carveout_bytes: int
    notes: list[str]


class RegisterFacts(Part):
    """Registers of a thread and where the number comes from."""

    registers_per_thread: int
    source: str


class RoundFacts(Part):
    """One round of CTAs on one SM, and how often it happens (Equation 8)."""

    cycles: float
    ctas: int
    rounds: float
    operations: int
    extrapolated: bool


class UtilisationFacts(Part):
    """How busy a resource of the SM is, from 0 to 1."""

    resource: str
    fraction: float


class WaitFacts(Part):
    """Share of all waiting of warps that has one reason, from 0 to 1."""

    reason: str
    fraction: float


class TrafficFacts(Part):
    """Bytes of one buffer over the whole launch, and how much of it hits in L2."""

    region: str
    requested_bytes: float
    footprint_bytes: float
    l2_hit_fraction: float


class UnmodelledFacts(Part):
    """Executed instructions of a class that the pipeline does not know, in one round."""

    op_class: str
    warp_instructions: int


class AssumedValue(Part):
    """A value of the machine that the estimate read and that nobody states for this machine."""

    key: str
    value: str
    unit: str
    status: str
    origin: str
    source: str


class EstimateRanges(Part):
    """The estimate where a range was assumed. All other figures are of the low ends."""

    estimated_cycles: FigureRange
    time_us: FigureRange


class MachineEstimate(Part):
    """The estimate on one machine."""

    machine: str
    machine_name: str
    clock_mhz: float
    estimated_cycles: float
    time_us: float
    bound: str
    occupancy: OccupancyFacts
    registers: RegisterFacts
    shared_bytes: int
    """Shared memory of a CTA, static and dynamic."""
    round: RoundFacts
    utilisation: list[UtilisationFacts]
    waits: list[WaitFacts]
    traffic: list[TrafficFacts]
    unmodelled: list[UnmodelledFacts]
    simplifications: list[str]
    trace: str
    trace_reason: str
    assumptions: list[str]
    assumed_values: list[AssumedValue]
    ranges: EstimateRanges | None
    marks: Marks


class NotEstimated(Part):
    """A machine without an estimate, and why."""

    machine: str
    reason: str


class LaunchEstimates(Part):
    """The estimates of one launch on some machines, in the order asked for.

    ``assumed`` is what the user assumed of loops that data end.
    """

    kernel: KernelFacts
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
    paper_pipeline: bool
    pruned: bool
    """Whether only the instructions that the hybrid paper keeps cost time."""
    """Whether a warp waits for each result before its next operation."""
    launches: list[LaunchEstimates]


def estimate_report(
    launches: Sequence[LaunchEstimates],
    overrides: Mapping[str, Scalar],
    *,
    blocking: bool,
    pruned: bool = False,
) -> EstimateReport:
    """Put the estimates of some launches together."""
    shown = {key: shown_value(value) for key, value in sorted(overrides.items())}
    return EstimateReport(
        overrides=shown, paper_pipeline=blocking, pruned=pruned, launches=list(launches)
    )


def launch_estimates(
    job: Job,
    estimates: Sequence[tuple[Machine, Estimate]],
    failures: Sequence[tuple[str, str]] = (),
    *,
    assumed: Assumptions | None = None,
    high: Sequence[Estimate | None] | None = None,
) -> LaunchEstimates:
    """Report one launch's estimates; ``failures`` are machines with the reason for none.

    ``assumed`` is what the user assumed. Where a range is in it, ``estimates`` are made with the
    low ends and ``high``, one for each, with the high ones.
    """
    ends = high or [None] * len(estimates)
    return LaunchEstimates(
        kernel=kernel_facts(job.loaded, job.kernel, kernels_beside(job.loaded)),
        launch=launch_facts(job.required_launch(), job.kernel),
        assumed=assumed_names(assumed or Assumptions()),
        estimates=[_estimate(m, e, end) for (m, e), end in zip(estimates, ends, strict=True)],
        not_estimated=[NotEstimated(machine=name, reason=reason) for name, reason in failures],
        remarks=remarks(job.loaded.diagnostics, job.loaded),
    )


def _estimate(machine: Machine, estimate: Estimate, high: Estimate | None) -> MachineEstimate:
    return MachineEstimate(
        machine=estimate.machine,
        machine_name=machine.text("machine.name"),
        clock_mhz=float(machine.number("clock.sm_mhz")),
        estimated_cycles=estimate.cycles,
        time_us=estimate.microseconds,
        bound=estimate.bound,
        occupancy=occupancy_facts(estimate.occupancy),
        registers=RegisterFacts(
            registers_per_thread=estimate.registers.registers, source=estimate.registers.source
        ),
        shared_bytes=estimate.shared_bytes,
        round=RoundFacts(
            cycles=estimate.round_cycles,
            ctas=estimate.round_ctas,
            rounds=estimate.rounds,
            operations=estimate.operations,
            extrapolated=estimate.extrapolated,
        ),
        utilisation=[
            UtilisationFacts(resource=u.resource, fraction=u.fraction) for u in estimate.utilisation
        ],
        waits=[WaitFacts(reason=w.reason, fraction=w.fraction) for w in estimate.waits],
        traffic=[
            TrafficFacts(
                region=t.region,
                requested_bytes=t.requested_bytes,
                footprint_bytes=t.footprint_bytes,
                l2_hit_fraction=t.l2_hit_fraction,
            )
            for t in estimate.traffic
        ],
        unmodelled=[
            UnmodelledFacts(op_class=name, warp_instructions=count)
            for name, count in estimate.unmodelled
        ],
        simplifications=list(estimate.simplifications),
        trace=estimate.trace,
        trace_reason=estimate.trace_reason,
        assumptions=list(estimate.assumptions),
        assumed_values=[assumed_value(key, value) for key, value in estimate.assumed_values],
        ranges=None if high is None else _ranges(estimate, high),
        marks=_marks(machine, estimate),
    )


def _ranges(low: Estimate, high: Estimate) -> EstimateRanges:
    return EstimateRanges(
        estimated_cycles=FigureRange(low=low.cycles, high=high.cycles),
        time_us=FigureRange(low=low.microseconds, high=high.microseconds),
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
        round__rounds=registers,
        round__operations=counted,
        traffic__requested_bytes=counted,
        traffic__footprint_bytes=counted,
        unmodelled=counted,
        ranges=Mark.ASSUMED,
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


def assumed_value(key: str, value: Value) -> AssumedValue:
    """Report a value of a machine that nobody states for it."""
    return AssumedValue(
        key=key,
        value=shown_value(value.value),
        unit=schema().keys[key].unit,
        status=value.status,
        origin=value.origin,
        source=value.source,
    )


def shown_value(value: Scalar) -> str:
    """Write a value of a machine."""
    from simulator.machines.describe import value_words  # noqa: PLC0415 - the tables are slow

    return value_words(value)
