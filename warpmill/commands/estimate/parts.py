"""Parts of ``estimate``: what one launch is said to do on one machine."""

from __future__ import annotations

from warpmill.report.assumed import AssumedValue, FigureRange
from warpmill.report.base import Marks, Part
from warpmill.session.what_if import ChangedValue, WhatIf
from warpmill.simulator.machines.schema import Scalar, schema

# Part of ``estimate``: what a launch would take on machines with more or less of one thing.


class SettingFacts(Part):
    """A value of a machine before a change and after it; ``before`` is null where it had none."""

    key: str
    unit: str
    before: str | None
    after: str


class WhatIfFacts(Part):
    """The estimate on a machine with ``factor`` times as much of one thing.

    ``time_us`` is that of the launch, of which ``execution_us`` and ``launch_us`` are the parts;
    ``ratio`` is its over that on the machine as it is. All are null where there is no estimate;
    ``problem`` then says why, and is empty otherwise. ``within_noise``: the difference is no more
    than ``what_if_noise_fraction``.
    """

    name: str
    factor: float
    time_us: float | None
    execution_us: float | None
    launch_us: float | None
    ratio: float | None
    within_noise: bool
    problem: str
    settings: list[SettingFacts]


def what_if_facts(found: WhatIf) -> WhatIfFacts:
    """Report one change."""
    whole, alone = found.microseconds, found.execution_microseconds
    return WhatIfFacts(
        name=found.name,
        factor=found.factor,
        time_us=whole,
        execution_us=alone,
        launch_us=None if whole is None or alone is None else whole - alone,
        ratio=found.ratio,
        within_noise=found.within_noise,
        problem=found.problem,
        settings=[_setting(one) for one in found.settings],
    )


def _setting(one: ChangedValue) -> SettingFacts:
    before = None if one.before is None else _words(one.before)
    unit = schema().keys[one.key].unit
    return SettingFacts(key=one.key, unit=unit, before=before, after=_words(one.after))


def _words(value: Scalar) -> str:
    from warpmill.simulator.machines.describe import value_words  # noqa: PLC0415 - the tables are slow

    return value_words(value)


# What one launch is said to do on one machine.


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
    """What was timed: CTAs of one SM, as many as are resident or of up to three waves of these.

    ``rounds`` of them take as long as the launch executes; below 1 where the last wave has few.
    ``operations`` are warp instructions that take an issue slot, in one round.
    """

    cycles: float
    ctas: int
    rounds: float
    operations: int
    extrapolated: bool


class ShareFacts(Part):
    """The part of the time that has one cause, from 0 to 1; all causes make 1."""

    cause: str
    fraction: float


class UtilisationFacts(Part):
    """How busy a resource of the SM is, from 0 to 1."""

    resource: str
    fraction: float


class WaitFacts(Part):
    """Share of all waiting of warps that has one reason, from 0 to 1."""

    reason: str
    fraction: float


class RooflineFacts(Part):
    """Where the launch lies under the roofs of its machine.

    ``flops`` are arithmetic operations of all threads, a fused multiply-add two, of the ``kind``
    that takes longest: f16, f32, f64, or tensor with the bits of the factors, integers too
    (tensor8), and f32acc where the sums are FP32 (tensor16_f32acc); it, the peak and the roof are
    null where there are no such operations.
    ``flops_per_dram_byte`` is null where nothing moves to or from DRAM. ``roof_gflops`` is what the
    machine allows there: the peak of the kind, or what DRAM's bandwidth feeds. ``roof_fraction`` is
    how much of it is reached in the time of the execution.
    """

    kind: str | None
    flops: float
    flops_per_dram_byte: float | None
    achieved_gflops: float
    peak_gflops: float | None
    roof_gflops: float | None
    roof_fraction: float | None


class MemoryFacts(Part):
    """What caches have, over all buffers, and what moves to and from DRAM.

    Fractions are of sectors: of those that loads ask L1 for, and of those that SMs ask L2 for. They
    are null where nothing is asked. ``dram_gb_per_s`` is over the time of the execution.
    """

    l1_hit_fraction: float | None
    l2_hit_fraction: float | None
    l2_bytes: float
    dram_bytes: float
    dram_gb_per_s: float | None


class TrafficFacts(Part):
    """Bytes of one buffer over the whole launch.

    ``requested_bytes`` are those that warps ask their SMs for, in sectors, ``l2_bytes`` those that
    SMs ask L2 for, ``dram_bytes`` those that come from DRAM or go there, ``footprint_bytes`` those
    that are touched at all. ``l2_hit_fraction`` is null where L2 is asked for nothing.
    """

    region: str
    requested_bytes: float
    l2_bytes: float
    dram_bytes: float
    footprint_bytes: float
    l2_hit_fraction: float | None


class UnmodelledFacts(Part):
    """Executed instructions of a class that the pipeline does not know, in one round."""

    op_class: str
    warp_instructions: int


class EstimateRanges(Part):
    """The estimate where a range was assumed. All other figures are of the low ends."""

    estimated_cycles: FigureRange
    time_us: FigureRange


class MachineEstimate(Part):
    """The estimate on one machine.

    ``time_us`` is that of the launch: ``execution_us``, in which its CTAs run, and ``launch_us``,
    which launching adds. ``estimated_cycles`` are of the execution. ``achieved_occupancy_fraction``
    is warps that reside on SMs over the slots there are, in the mean over time and SMs;
    ``occupancy`` has what an SM can hold.
    """

    machine: str
    machine_name: str
    clock_mhz: float
    time_us: float
    execution_us: float
    launch_us: float
    estimated_cycles: float
    warp_instructions: float
    warp_ipc: float | None
    bound: str
    shares: list[ShareFacts]
    occupancy: OccupancyFacts
    achieved_occupancy_fraction: float
    registers: RegisterFacts
    shared_bytes: int
    """Shared memory of a CTA, static and dynamic."""
    round: RoundFacts
    utilisation: list[UtilisationFacts]
    waits: list[WaitFacts]
    roofline: RooflineFacts
    memory: MemoryFacts
    traffic: list[TrafficFacts]
    unmodelled: list[UnmodelledFacts]
    simplifications: list[str]
    trace: str
    trace_reason: str
    assumptions: list[str]
    assumed_values: list[AssumedValue]
    beyond_machine: list[str]
    """Figures that contradict the machine: the estimate is wrong, and what of it in words."""
    ranges: EstimateRanges | None
    what_if: list[WhatIfFacts] | None
    """Changes of the machine, one thing at a time; null where nobody asked for them."""
    what_if_noise_fraction: float | None
    """The part of the time below which differences to ``what_if`` say nothing: 1%, or as much as a
    change goes the way that it cannot by itself, as a faster pipe that makes a launch slower."""
    marks: Marks
