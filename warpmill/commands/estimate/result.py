"""What ``estimate`` answers: the time of launches on several machines."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, ClassVar, Literal, NamedTuple

from warpmill.analyzer.analyses.ranges.assumptions import Assumptions
from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.base.metric import FigureRange, Mark, Metric
from warpmill.report.assumed import AssumedName, assumed_names
from warpmill.report.base import Id, Part, Report
from warpmill.report.facts import (
    KernelIdentity,
    LaunchFacts,
    Remark,
    kernel_facts,
    launch_facts,
    remarks,
)
from warpmill.session.error_bands import ErrorBand
from warpmill.session.error_bands import sentence as band_sentence
from warpmill.session.findings import Finding
from warpmill.session.jobs import Job
from warpmill.session.options import EstimateOptions
from warpmill.session.prepare import kernels_beside
from warpmill.simulator.estimate.result import Estimate, share_of


class LaunchShare(Part):
    """A launch and its share of the time of all; ``number`` is that in an application, from 0."""

    kernel: str
    launch: str
    number: Id | None
    time_us: Annotated[float, Metric("Duration", "µs")]
    fraction: Annotated[float | None, Metric("Share of the time", "%")]

    @property
    def title(self) -> str:
        """What the launch is called on pages."""
        return self.launch if self.number is None else f"{self.number}: {self.kernel}"


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
    reason: str


class EstimateAnswer(Part):
    """What an estimate comes to in a few sentences, what costs time, and how sure it is.

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


class EstimateReport(Report):
    """Estimates of the launches of a launch file, or of one launch.

    ``overrides`` are the values of ``--set``, which hold for every machine. ``pruned``: only the
    instructions that the hybrid paper keeps cost time. ``totals`` are of all launches together, on
    each machine.
    """

    report: Literal["estimate"] = "estimate"
    overrides: dict[str, str]
    options: EstimateOptions
    pruned: bool
    launches: list[LaunchEstimates]
    totals: list[TotalEstimate]


def launch_estimates(
    job: Job,
    assumed: Assumptions | None,
    estimates: Sequence[Estimate],
    failures: Sequence[tuple[str, InputError]] = (),
    answers: Mapping[str, EstimateAnswer] | None = None,
) -> LaunchEstimates:
    """One launch's estimates; ``failures`` are machines that it does not fit on."""
    return LaunchEstimates(
        kernel=kernel_facts(job.loaded, job.kernel, kernels_beside(job.loaded)),
        launch=launch_facts(job.required_launch(), job.kernel),
        answers=answers or {},
        assumed=assumed_names(assumed or Assumptions()),
        estimates=list(estimates),
        not_estimated=[
            NotEstimated(machine=name, reason="; ".join(d.message for d in error.diagnostics))
            for name, error in failures
        ],
        remarks=remarks(job.loaded.diagnostics, job.loaded),
    )


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
    )


def _range(estimates: Sequence[Estimate]) -> FigureRange | None:
    """Both ends added up; a launch without a range has one time."""
    if all(one.ranges is None for one in estimates):
        return None
    times = [
        FigureRange(e.time_us, e.time_us) if e.ranges is None else e.ranges.time_us
        for e in estimates
    ]
    return FigureRange(math.fsum(t.low for t in times), math.fsum(t.high for t in times))


def _launch(one: _One, whole: float) -> LaunchShare:
    place, time = one.launch.launch.place, one.estimate.time_us
    return LaunchShare(
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
