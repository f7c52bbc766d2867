"""``warpmill estimate``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.base.opt import Opt
from warpmill.cli.options import machines_given, read_together
from warpmill.cli.output import emit, print_diagnostics, working
from warpmill.session.options import (
    EstimateOptions,
    LaunchOptions,
    MachineOptions,
    Output,
    RegisterSources,
    TargetOptions,
    TraceOptions,
)

if TYPE_CHECKING:
    from warpmill.commands.estimate.result import EstimateAnswer, LaunchEstimates
    from warpmill.session.estimates import Estimator
    from warpmill.session.jobs import Job
    from warpmill.simulator.estimate.result import Estimate
    from warpmill.simulator.machines.model import Machine

WhatIfs = Annotated[bool, Opt("Estimate on machines with twice and half of one thing at a time.")]


def estimate(
    source: TargetOptions,
    machine: MachineOptions,
    launch: LaunchOptions,
    registers: RegisterSources,
    trace: TraceOptions,
    model: EstimateOptions,
    output: Output,
    what_if: WhatIfs = False,
) -> None:
    """Estimate the time of a launch on several machines, and say what bounds it."""
    from warpmill.commands.estimate.result import (  # noqa: PLC0415 - slow to load
        EstimateReport,
        totals,
    )
    from warpmill.report.assumed import shown_settings  # noqa: PLC0415
    from warpmill.session.estimates import Estimator  # noqa: PLC0415
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415

    def prepared() -> tuple[Job, ...]:
        return prepare_all(source.target, source.kernel, launch, strict=source.strict)

    ((machines, overrides),) = read_together(
        source.target, prepared, lambda: machines_given(machine.machines, machine.settings)
    )
    with working(f"estimating {source.target}"):
        jobs, launches = prepared(), []
        for job in jobs:
            ends = [
                Estimator(job, registers=registers, trace_options=end, options=model)
                for end in trace.ends()
            ]
            launches.append(_estimated(job, ends, machines, trace, what_if=what_if))
        report = EstimateReport(
            overrides=shown_settings(overrides),
            options=model,
            pruned=trace.pruned,
            launches=launches,
            totals=totals(launches),
        )
    print_diagnostics(d for job in jobs for d in job.loaded.diagnostics)
    emit(report, output)


def _estimated(
    job: Job,
    ends: Sequence[Estimator],
    machines: Sequence[Machine],
    trace: TraceOptions,
    *,
    what_if: bool,
) -> LaunchEstimates:
    """The estimates on each machine. One that the launch does not fit on has a reason instead.

    InputError where there is no machine that it fits on.
    """
    from warpmill.commands.estimate.result import launch_estimates  # noqa: PLC0415 - slow to load

    found, answers, failures = [], {}, []
    for machine in machines:
        try:
            found.append(_estimate(ends, machine, what_if=what_if))
            answers[machine.name] = _answer(ends[0], machine, found[-1])
        except InputError as error:
            failures.append((machine.name, error))
    if not found:
        raise InputError(*(d for _, problem in failures for d in problem.diagnostics))
    for _, problem in failures:
        print_diagnostics(problem.diagnostics)
    return launch_estimates(job, trace.assumptions, found, failures, answers)


def _estimate(ends: Sequence[Estimator], machine: Machine, *, what_if: bool) -> Estimate:
    """An estimate; where ranges were assumed with the low ends, and what the high ones make."""
    from warpmill.session.estimates import with_high_end  # noqa: PLC0415 - slow to load

    low, *high = (end.on(machine) for end in ends)
    found = with_high_end(low, high[0]) if high else low
    if not what_if:
        return found
    from warpmill.session.what_if import what_if as changes  # noqa: PLC0415 - slow to load

    return replace(found, what_if=changes(ends[0], machine, low))


def _answer(estimator: Estimator, machine: Machine, found: Estimate) -> EstimateAnswer:
    """What an estimate comes to, what to change, and how sure it is."""
    from warpmill.commands.estimate.result import EstimateAnswer  # noqa: PLC0415 - slow to load
    from warpmill.session.error_bands import error_band  # noqa: PLC0415
    from warpmill.session.evidence import evidence_of_estimate  # noqa: PLC0415
    from warpmill.session.findings import answer_sentences, findings  # noqa: PLC0415

    evidence = evidence_of_estimate(estimator, machine, found)
    told = findings(evidence)
    return EstimateAnswer(
        sentences=answer_sentences(evidence, told, found.what_if or ()),
        findings=told,
        error_band=error_band(found, machine),
    )
