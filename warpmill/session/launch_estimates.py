"""Launches estimated on several machines: their times, the answers, and sums of all launches.

Commands that are about where the time of launches goes hold these in their results.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, NamedTuple, Self, TypeVar

from warpmill.analyzer.analyses.ranges.assumptions import Assumptions
from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity
from warpmill.analyzer.base.metric import INTERNAL, FigureRange, Mark, Metric, derived
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
from warpmill.session.error_bands import ErrorBand, error_band
from warpmill.session.error_bands import sentence as band_sentence
from warpmill.session.estimates import Estimator
from warpmill.session.evidence import evidence_of_estimate
from warpmill.session.findings import Finding, answer_sentences, findings
from warpmill.session.jobs import Job
from warpmill.session.options import EstimateOptions, RegisterSources, TraceOptions
from warpmill.session.prepare import kernels_beside
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.resources import share_of

Made = TypeVar("Made")


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


class _One(NamedTuple):
    """The estimate of a launch on the machine."""

    launch: LaunchEstimates
    estimate: Estimate


def totals(launches: Sequence[LaunchEstimates]) -> list[TotalEstimate]:
    """The launches on each machine together, in the order in which machines first come."""
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
    are_of_several = len({one.launch.launch.file for one in found}) > 1
    return TotalEstimate(
        machine=machine,
        launches=len(found),
        not_estimated=len(launches) - len(found),
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


def _launch(one: _One, whole: float, *, of_several: bool) -> LaunchShare:
    place, time = one.launch.launch.place, one.estimate.time_us
    return LaunchShare(
        file=(one.launch.launch.file or one.launch.kernel.file) if of_several else None,
        kernel=one.launch.kernel.demangled,
        launch=one.launch.launch.name,
        number=None if place is None else place.number,
        time_us=time,
        fraction=share_of(time, whole),
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
            fraction=share_of(math.fsum(each), whole),
        )
        for kernel, each in times.items()
    )
    return sorted(kernels, key=lambda kernel: -kernel.time_us)
