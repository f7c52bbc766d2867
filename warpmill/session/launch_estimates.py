"""Launches estimated on several machines: their times, the answers, and sums of all launches.

Commands that are about where the time of launches goes hold these in their results.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, Self, TypeVar

from warpmill.analyzer.analyses.ranges.assumptions import Assumptions
from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity
from warpmill.analyzer.base.metric import INTERNAL, FigureRange, Mark, Metric, derived
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.traces.summary import TraceSummary
from warpmill.report.assumed import AssumedName, assumed_names
from warpmill.report.base import Id, Part
from warpmill.report.facts import (
    KernelIdentity,
    LaunchFacts,
    Remark,
    kernel_facts,
    launch_facts,
    remarks,
)
from warpmill.report.page import figure, size
from warpmill.session.error_bands import ErrorBand, error_band
from warpmill.session.error_bands import sentence as band_sentence
from warpmill.session.estimates import Estimator, with_ends
from warpmill.session.evidence import evidence_of_estimate
from warpmill.session.findings import Finding, answer_sentences, findings
from warpmill.session.jobs import Job
from warpmill.session.options import EstimateOptions, RegisterSources, TraceOptions
from warpmill.session.prepare import kernels_beside
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.estimate.memory import LeftInL2
from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.estimate.timeline import Timeline
from warpmill.simulator.machines.model import AssumedValue, Machine
from warpmill.simulator.resources import share_of

if TYPE_CHECKING:
    from warpmill.report.charts import TimelineChart

Made = TypeVar("Made")

_MOST_SHOWN = 3000
"""Kernels and copies that a timeline shows."""


class LaunchShare(Part):
    """A launch and its share of the time of all; ``number`` is that in an application, from 0.

    ``file`` is the launch file, program, recording or workload, where launches are of several.
    """

    file: str | None
    kernel: str
    launch: str
    number: Id | None
    time_us: Annotated[float, Metric("Duration", "µs")]
    fraction: Annotated[float | None, Metric("Share of the time", "%")]

    @property
    def title(self) -> str:
        """Title of the launch on pages."""
        title = self.launch if self.number is None else f"{self.number}: {self.kernel}"
        return title if self.file is None else f"{self.file}: {title}"


class KernelShare(Part):
    """The launches of one kernel and their share of the time of all."""

    kernel: str
    launches: Annotated[int, Metric("Launches", mark=Mark.EXACT)]
    time_us: Annotated[float, Metric("Duration", "µs")]
    fraction: Annotated[float | None, Metric("Share of the time", "%")]


class TotalEstimate(Part):
    """All launches on one machine, one after another: sums of their times.

    ``not_estimated`` launches have no estimate there, and are in no sum. ``time_range_us`` has both
    ends where a range was assumed of a launch; all other figures are of the low ends. ``kernels``
    and ``by_launch`` have those that take longest first.
    """

    mark: ClassVar[Mark] = Mark.MODELLED

    machine: str
    launches: Annotated[int, Metric("Launches", mark=Mark.EXACT)]
    not_estimated: Annotated[int, Metric("Launches not estimated", mark=Mark.EXACT)]
    time_us: Annotated[float, Metric("Duration", "µs")]
    time_range_us: Annotated[FigureRange | None, Metric("Duration, as assumed", "µs", Mark.ASSUMED)]
    execution_us: Annotated[float, Metric("Execution", "µs")]
    launch_us: Annotated[float, Metric("Launch overhead", "µs")]
    kernels: list[KernelShare]
    by_launch: list[LaunchShare]


class OperationTime(Part):
    """When a kernel or a copy runs; a copy of unknown time takes none. ``launch`` is its number."""

    kind: Annotated[str, Metric("Kind")]
    launch: Id | None
    kernel: str | None
    stream: Id
    bytes: Annotated[int | None, Metric("Size", "B", Mark.EXACT)]
    begin_us: Annotated[float, Metric("Begin", "µs")]
    time_us: Annotated[float, Metric("Duration", "µs")]


class CopyTotal(Part):
    """All copies of one kind, each alone; the time is null where the machine does not tell it."""

    kind: Annotated[str, Metric("Kind")]
    copies: Annotated[int, Metric("Copies", mark=Mark.EXACT)]
    bytes: Annotated[int, Metric("Size", "B", Mark.EXACT)]
    time_us: Annotated[float | None, Metric("Duration", "µs")]

    @property
    def told(self) -> str:
        """The copies in words."""
        time = "unknown" if self.time_us is None else f"{figure(self.time_us)} µs"
        return f"{self.copies:,}, {size(self.bytes)}, {time}"


class ApplicationTime(Part):
    """A whole application on one machine, from its first call to the end of its last.

    ``estimates`` are those that were made: equal launches that find as much in L2 share one.
    ``lacks`` says what the time is without; ``copies`` and ``operations`` are as in its calls.
    """

    mark: ClassVar[Mark] = Mark.MODELLED

    target: str
    machine: Annotated[str, Metric("Machine")]
    machine_name: Annotated[str, Metric("GPU")]
    launches: Annotated[int, Metric("Launches", mark=Mark.EXACT)]
    streams: Annotated[int, Metric("Streams", mark=Mark.EXACT)]
    estimates: Annotated[int, Metric("Estimates", mark=Mark.EXACT)]
    timeline: Timeline
    copies: list[CopyTotal]
    lacks: tuple[str, ...]
    operations: list[OperationTime]
    assumed_values: Annotated[
        tuple[AssumedValue, ...], Metric("Assumed machine values", mark=Mark.ASSUMED)
    ]

    @property
    def sentence(self) -> str:
        """The time, what it goes to, and what it is without."""
        found = self.timeline
        shares = ", ".join(
            f"{name} {share_of(us, found.time_us) or 0.0:.0%}"
            for name, us in sorted(found.parts, key=lambda part: -part[1])
        )
        lacks = f"; without {'; without '.join(self.lacks)}" if self.lacks else ""
        told = f"{self.target}: {figure(found.time_us)} µs on {self.machine_name}"
        return f"{told}, bound by {found.bound} ({shares}){lacks}."

    def chart(self) -> TimelineChart:
        """When its kernels and copies run, a lane a stream; of many the first ones."""
        from warpmill.report.charts import TimelineChart, TimeSpan  # noqa: PLC0415 - for HTML alone

        shown = self.operations[:_MOST_SHOWN]
        streams = sorted({one.stream for one in shown})
        spans = (
            TimeSpan(
                streams.index(one.stream),
                one.begin_us,
                one.begin_us + one.time_us,
                one.kind if one.kernel is None else f"{one.launch}: {one.kernel}",
                one.kind,
            )
            for one in shown
        )
        lanes = tuple(f"stream {number}" for number in streams)
        return TimelineChart(f"{self.target} on {self.machine}", "µs", lanes, tuple(spans))


class NotEstimated(Part):
    """A machine without an estimate, and why."""

    machine: str
    error: Annotated[InputError, INTERNAL]

    @derived("Reason")
    def reason(self) -> str:
        """Reason why there is no estimate."""
        return "; ".join(d.message for d in self.error.diagnostics)


class EstimateAnswer(Part):
    """Answer of an estimate in a few sentences, with its findings and how sure it is.

    ``findings`` are what to change, the greatest saving first. ``error_band`` says how far off
    estimates of kernels like this one were.
    """

    mark: ClassVar[Mark] = Mark.MODELLED

    sentences: tuple[str, ...]
    findings: tuple[Finding, ...]
    error_band: ErrorBand

    @property
    def text(self) -> str:
        """All that is said, as one paragraph."""
        return " ".join((*self.sentences, band_sentence(self.error_band)))


class LaunchEstimates(Part):
    """The estimates of one launch on some machines, in the order asked for.

    ``answers`` are by machine. ``assumed`` is what the user assumed of loops that data end.
    """

    kernel: KernelIdentity
    launch: LaunchFacts
    answers: Mapping[str, EstimateAnswer]
    assumed: list[AssumedName]
    estimates: list[Estimate]
    not_estimated: list[NotEstimated]
    remarks: list[Remark]

    @classmethod
    def of(
        cls,
        job: Job,
        assumed: Assumptions,
        found: Sequence[tuple[Estimate, EstimateAnswer]],
        not_estimated: Sequence[NotEstimated] = (),
        **more: Any,
    ) -> Self:
        """The estimates of a job's launch; ``more`` is what else a subclass has."""
        return cls(
            kernel=kernel_facts(job.loaded, job.kernel, kernels_beside(job.loaded)),
            launch=launch_facts(job.required_launch(), job.kernel),
            answers={estimate.machine: answer for estimate, answer in found},
            assumed=assumed_names(assumed),
            estimates=[estimate for estimate, _ in found],
            not_estimated=list(not_estimated),
            remarks=remarks(job.loaded.diagnostics, job.loaded),
            **more,
        )

    @property
    def problems(self) -> list[Diagnostic]:
        """Diagnostics of machines without an estimate, of the front-end, and of spills."""
        failed = [d for one in self.not_estimated for d in one.error.diagnostics]
        spilled = spill_warnings((one.machine, one.registers) for one in self.estimates)
        return [*failed, *(one.diagnostic for one in self.remarks), *spilled]


def spill_warnings(counts: Iterable[tuple[str, RegisterCount]]) -> list[Diagnostic]:
    """A warning for each of what registers do not hold on machines."""
    told = {(machine, count.spilled): None for machine, count in counts if count.spilled}
    return [
        Diagnostic(Severity.WARNING, f"{machine}: {spilled.sentence.removesuffix('.')}")
        for machine, spilled in told
        if spilled is not None
    ]


def estimators(
    job: Job, registers: RegisterSources, traces: TraceOptions, options: EstimateOptions
) -> tuple[Estimator, ...]:
    """A launch with the low ends of what was assumed, and with the high ones if these differ."""
    return tuple(
        Estimator(job, registers=registers, trace_options=end, options=options)
        for end in traces.ends()
    )


def on_each(
    machines: Sequence[Machine], made: Callable[[Machine], Made]
) -> tuple[list[Made], list[NotEstimated]]:
    """Results on machines, and the machines that a launch does not fit on.

    InputError where there is no machine that it fits on.
    """
    found, failures = [], []
    for machine in machines:
        try:
            found.append(made(machine))
        except InputError as error:
            failures.append(NotEstimated(machine=machine.name, error=error))
    if not found:
        raise InputError(*(d for one in failures for d in one.error.diagnostics))
    return found, failures


def answer_of(
    estimator: Estimator, machine: Machine, found: Estimate, counts: TraceSummary | None = None
) -> EstimateAnswer:
    """The answer of an estimate: the time, its bound, findings, and the error band."""
    evidence = evidence_of_estimate(estimator, machine, found, counts)
    told = findings(evidence)
    return EstimateAnswer(
        sentences=answer_sentences(evidence, told, found.what_if or ()),
        findings=told,
        error_band=error_band(found, machine),
    )


def with_what_if(
    estimator: Estimator, machine: Machine, found: Estimate, low: Estimate
) -> Estimate:
    """An estimate, of the low end ``low``, with times on machines with twice or half of a thing."""
    from warpmill.session.what_if import what_if  # noqa: PLC0415 - slow to load, and seldom needed

    return replace(found, what_if=what_if(estimator, machine, low))


L2OfMachine = Callable[[Machine], LeftInL2 | None]
"""What a launch finds in the L2 of each machine; None: what the options say."""


def estimated_launch(
    ends: Sequence[Estimator],
    machines: Sequence[Machine],
    assumed: Assumptions,
    finds: L2OfMachine,
    *,
    what_if: bool,
) -> LaunchEstimates:
    """A launch on each machine that it fits on, by estimators of the ends of what is assumed.

    InputError where it fits on none.
    """

    def estimated(machine: Machine) -> tuple[Estimate, EstimateAnswer]:
        own = [end.finding(finds(machine)) for end in ends]
        low, *high = (end.on(machine) for end in own)
        found = with_ends(low, *high)
        if what_if:
            found = with_what_if(own[0], machine, found, low)
        return found, answer_of(own[0], machine, found)

    return LaunchEstimates.of(ends[0].job, assumed, *on_each(machines, estimated))


class TimedLaunch(NamedTuple):
    """A launch with its estimate on a machine; ``file`` is what it is of, ``number`` as there."""

    file: str | None
    kernel: str
    launch: str
    number: int | None
    estimate: Estimate

    @classmethod
    def of(cls, job: Job, estimate: Estimate) -> TimedLaunch:
        """The launch of a job."""
        launch = launch_facts(job.required_launch(), job.kernel)
        number = None if launch.place is None else launch.place.number
        file = launch.file or str(job.loaded.path)
        return cls(file, demangle(job.kernel.name), launch.name, number, estimate)

    @classmethod
    def each(cls, launch: LaunchEstimates) -> Iterator[TimedLaunch]:
        """A launch with each of its estimates."""
        place, kernel = launch.launch.place, launch.kernel
        number = None if place is None else place.number
        for estimate in launch.estimates:
            file = launch.launch.file or kernel.file
            yield cls(file, kernel.demangled, launch.launch.name, number, estimate)


@dataclass
class EstimatedTargets:
    """Times of targets: of applications by machine, of every launch; and why some have none."""

    times: list[ApplicationTime] = field(default_factory=list)
    timed: list[TimedLaunch] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)

    def add(self, launch: LaunchEstimates) -> None:
        """A launch that is of no application."""
        self.timed += TimedLaunch.each(launch)


def totals(launches: Sequence[LaunchEstimates]) -> list[TotalEstimate]:
    """The launches on each machine together, in the order in which machines first come."""
    timed = [one for launch in launches for one in TimedLaunch.each(launch)]
    return totals_of(timed, len(launches))


def totals_of(timed: Sequence[TimedLaunch], launches: int) -> list[TotalEstimate]:
    """The same of so many launches, those that have estimates on some machine."""
    machines = dict.fromkeys(one.estimate.machine for one in timed)
    return [
        _total(machine, [one for one in timed if one.estimate.machine == machine], launches)
        for machine in machines
    ]


def _total(machine: str, found: Sequence[TimedLaunch], launches: int) -> TotalEstimate:
    whole = math.fsum(one.estimate.time_us for one in found)
    are_of_several = len({one.file for one in found}) > 1
    return TotalEstimate(
        machine=machine,
        launches=len(found),
        not_estimated=launches - len(found),
        time_us=whole,
        time_range_us=time_range([one.estimate for one in found]),
        execution_us=math.fsum(one.estimate.execution_us for one in found),
        launch_us=math.fsum(one.estimate.launch_us for one in found),
        kernels=_kernels(found, whole),
        by_launch=sorted(
            (_launch(one, whole, of_several=are_of_several) for one in found),
            key=lambda x: -x.time_us,
        ),
    )


def time_range(parts: Sequence[Any]) -> FigureRange | None:
    """The times of estimates, or of lines, added up at both ends; None where none has a range."""
    if all(one.ranges is None for one in parts):
        return None
    times = [
        FigureRange(one.time_us, one.time_us) if one.ranges is None else one.ranges.time_us
        for one in parts
    ]
    return FigureRange(math.fsum(t.low for t in times), math.fsum(t.high for t in times))


def _launch(one: TimedLaunch, whole: float, *, of_several: bool) -> LaunchShare:
    time = one.estimate.time_us
    return LaunchShare(
        file=one.file if of_several else None,
        kernel=one.kernel,
        launch=one.launch,
        number=one.number,
        time_us=time,
        fraction=share_of(time, whole),
    )


def _kernels(found: Iterable[TimedLaunch], whole: float) -> list[KernelShare]:
    times: dict[str, list[float]] = {}
    for one in found:
        times.setdefault(one.kernel, []).append(one.estimate.time_us)
    kernels = (
        KernelShare(
            kernel=kernel,
            launches=len(each),
            time_us=math.fsum(each),
            fraction=share_of(math.fsum(each), whole),
        )
        for kernel, each in times.items()
    )
    return sorted(kernels, key=lambda kernel: -kernel.time_us)
