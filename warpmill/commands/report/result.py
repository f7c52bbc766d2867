"""Result of ``report``: the results of the commands that look at a kernel, in one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal, TypeVar

from warpmill.analyzer.base.diagnostics import NO_ANSWER, InputError, WarpmillError
from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric, derived
from warpmill.commands.analyze.result import AnalyzeReport, analyze_report
from warpmill.commands.check.result import CheckReport
from warpmill.commands.correlate.result import CorrelateReport, correlate_report
from warpmill.commands.explain.result import ExplainReport, explained_launch, total_lines
from warpmill.commands.simulate.result import SimulateReport, simulate_report
from warpmill.measurements.correlated_rows import EngineChoices
from warpmill.measurements.correlations import correlation
from warpmill.measurements.reading import Measurements
from warpmill.report.assumed import shown_settings
from warpmill.report.base import Part, Report
from warpmill.session.checking import checked
from warpmill.session.dfsgs import DfsgReport, collect_dfsgs
from warpmill.session.jobs import Job, sample_word
from warpmill.session.launch_estimates import estimators, totals
from warpmill.session.options import (
    EstimateOptions,
    EvaluationOptions,
    LaunchOptions,
    RegisterSources,
    RunOptions,
    TargetOptions,
    TraceOptions,
)
from warpmill.session.run import run
from warpmill.session.runs import Run
from warpmill.session.simulation_plans import plan
from warpmill.session.simulations import simulated
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.machines.schema import Scalar

Made = TypeVar("Made")


@dataclass(frozen=True, kw_only=True)
class ReportRequest:
    """What a report is asked for: the target, how its parts are made, and those it is without.

    ``measured`` are launches of the target that its estimates are put beside.
    """

    source: TargetOptions
    launch: LaunchOptions
    registers: RegisterSources
    traces: TraceOptions
    model: EstimateOptions
    simulation: Options
    without: frozenset[str]
    measured: Measurements | None = None


class MissingPart(Part):
    """A part that a report has not, by its command, and why."""

    part: Annotated[str, Metric("Part")]
    reason: Annotated[str, Metric("Reason")]


class TargetReport(Report):
    """A kernel, or the launches of an application, as each command sees it.

    ``time`` is always there, ``measured`` where there were measurements. Other parts are null
    where they were left out, or where ``missing`` says why there is none.
    """

    mark: ClassVar[Mark] = Mark.MODELLED

    report: Literal["report"] = "report"
    asked: Annotated[ReportRequest, INTERNAL]
    jobs: Annotated[tuple[Job, ...], INTERNAL]
    time: ExplainReport
    simulation: SimulateReport | None
    analysis: AnalyzeReport | None
    execution: DfsgReport | None
    check: CheckReport | None
    measured: CorrelateReport | None
    missing: list[MissingPart]

    @derived("Target")
    def target(self) -> str:
        """What was reported on."""
        return self.asked.source.target

    @derived("Summary")
    def answer(self) -> tuple[str, ...]:
        """Answers of the parts: what could not be made, estimates, simulations, the code."""
        found = [f"There is no {one.part}: {one.reason}." for one in self.missing]
        found += _estimated(self.time)
        if self.simulation is not None:
            told = (" ".join(one.answer) for one in self.simulation.simulations)
            found += [f"Simulated, without launch overhead: {words}" for words in told]
        if self.analysis is not None and len(self.analysis.analyses) == 1:
            found.append(f"The code: {' '.join(self.analysis.analyses[0].answer)}")
        if self.check is not None:
            found.append(f"Checked: {self.check.sentence}")
        if self.measured is not None:
            found.append(f"Correlated: {self.measured.answer}")
        return tuple(found)


def _estimated(time: ExplainReport) -> list[str]:
    if len(time.launches) == 1:
        return [f"Estimated: {one.text}" for one in time.launches[0].answers.values()]
    places = [one.launch.place for one in time.launches]
    whole = max((place.launches for place in places if place is not None), default=0)
    some = f" of {whole:,}" if whole > len(places) else ""
    every = "; --launch all takes all" if some else ""
    words = []
    for total in time.totals:
        longest = total.kernels[0]
        words.append(
            f"Estimated: {total.launches:,}{some} launches, one after another, take about "
            f"{total.time_us:,.4g} µs on {total.machine}; {longest.kernel} takes "
            f"{longest.fraction or 0.0:.0%} of it in {longest.launches:,}{every}."
        )
    return words


def target_report(
    asked: ReportRequest,
    jobs: Sequence[Job],
    machines: Sequence[Machine],
    overrides: Mapping[str, Scalar],
) -> TargetReport:
    """The report of a target's launches on machines. InputError where one fits on none."""
    missing: list[MissingPart] = []

    def made(part: str, make: Callable[[], Made]) -> Made | None:
        if part in asked.without:
            return None
        try:
            return make()
        except WarpmillError as error:
            words = "; ".join(d.message for d in error.diagnostics)
            missing.append(MissingPart(part=part, reason=words))
            return None

    time = _time(asked, jobs, machines, overrides)
    return TargetReport(
        asked=asked,
        jobs=tuple(jobs),
        time=time,
        simulation=made("simulate", lambda: _simulation(asked, jobs, machines, overrides)),
        analysis=made("analyze", lambda: analyze_report(jobs, asked.traces.assumptions)),
        execution=made("dfsg", lambda: _execution(asked, jobs)),
        check=made("check", lambda: _check(asked, jobs)),
        measured=made("measured", lambda: _measured(asked, overrides)),
        missing=missing,
    )


def _measured(asked: ReportRequest, overrides: Mapping[str, Scalar]) -> CorrelateReport | None:
    if asked.measured is None:
        return None
    simulation = replace(Options(), l2=asked.model.l2)
    how = EvaluationOptions("estimate", asked.registers.registers, asked.traces, simulation)
    choices = EngineChoices(how, overrides, asked.registers.ptxas)
    return correlate_report(correlation(asked.measured, choices))


def _time(
    asked: ReportRequest,
    jobs: Sequence[Job],
    machines: Sequence[Machine],
    overrides: Mapping[str, Scalar],
) -> ExplainReport:
    launches = [
        explained_launch(
            estimators(job, asked.registers, asked.traces, asked.model),
            machines,
            asked.traces.assumptions,
            what_if="what-if" not in asked.without,
        )
        for job in jobs
    ]
    return ExplainReport(
        overrides=shown_settings(overrides),
        options=asked.model,
        top=10,
        launches=launches,
        totals=totals(launches),
        total_lines=total_lines(launches),
    )


def _simulation(
    asked: ReportRequest,
    jobs: Sequence[Job],
    machines: Sequence[Machine],
    overrides: Mapping[str, Scalar],
) -> SimulateReport:
    """The launches in a row on each machine that they fit on. InputError where on none."""
    done, failures = [], []
    for machine in machines:
        try:
            made = plan(
                jobs,
                machine,
                options=asked.simulation,
                registers=asked.registers,
                trace_options=asked.traces,
            )
            done.append(simulated(made))
        except NO_ANSWER as error:
            failures.append((machine.name, "; ".join(d.message for d in error.diagnostics)))
    if not done:
        raise InputError("; ".join(f"{name}: {reason}" for name, reason in failures))
    return simulate_report(
        asked.source.target,
        done,
        failures,
        overrides=overrides,
        assumed=asked.traces.assumptions,
    )


def _execution(asked: ReportRequest, jobs: Sequence[Job]) -> DfsgReport:
    """The graphs of a run; of an application those of the launches that are looked at."""
    source = asked.source
    found, _ = collect_dfsgs(source.target, source.kernel, asked.launch, strict=source.strict)
    places = {job.recorded.number for job in jobs if job.recorded is not None}
    return replace(
        found, graphs=tuple(g for n, g in enumerate(found.graphs) if not places or n in places)
    )


def _check(asked: ReportRequest, jobs: Sequence[Job]) -> CheckReport:
    """The findings of a run by all sanitizers; of an application in all of its launches."""
    source = asked.source

    def watched(options: RunOptions) -> Run:
        return run(source.target, source.kernel, asked.launch, options, strict=source.strict)

    found = checked((), RunOptions(), watched, lambda: jobs)
    return CheckReport(target=sample_word(str(source.target)), checked=found)
