"""``warpmill explain``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.base.opt import Default, Opt, Without
from warpmill.cli.options import machines_given, read_together
from warpmill.cli.output import emit, print_diagnostics, working
from warpmill.session.options import (
    DEFAULT_MACHINE,
    EstimateOptions,
    LaunchOptions,
    MachineOptions,
    Output,
    RegisterSources,
    TargetOptions,
    TraceOptions,
)

if TYPE_CHECKING:
    from warpmill.commands.explain.result import ExplainAnswer, LaunchExplanation
    from warpmill.session.estimates import Estimator, Explained
    from warpmill.session.jobs import Job
    from warpmill.simulator.machines.model import Machine

Top = Annotated[int, Opt("Lines that the text shows.", metavar="N", least=1)]


def explain(
    source: TargetOptions,
    machine: Annotated[MachineOptions, Default("machines", (DEFAULT_MACHINE,))],
    launch: LaunchOptions,
    registers: RegisterSources,
    trace: Annotated[TraceOptions, Without("pruned")],
    model: EstimateOptions,
    output: Output,
    top: Top = 10,
) -> None:
    """Show the lines of a kernel by the time that an estimate says warps spend there."""
    from warpmill.commands.explain.result import explain_report  # noqa: PLC0415
    from warpmill.session.estimates import Estimator  # noqa: PLC0415 - slow to load
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415 - slow to load

    def prepared() -> tuple[Job, ...]:
        return prepare_all(source.target, source.kernel, launch, strict=source.strict)

    ((machines, overrides),) = read_together(
        source.target, prepared, lambda: machines_given(machine.machines, machine.settings)
    )
    launches = []
    with working(f"explaining {source.target}"):
        jobs = prepared()
        for job in jobs:
            ends = [
                Estimator(job, registers=registers, trace_options=end, options=model)
                for end in trace.ends()
            ]
            launches.append(_explained(ends, machines))
        report = explain_report(
            launches, overrides, options=model, assumed=trace.assumptions, top=top
        )
    print_diagnostics(d for job in jobs for d in job.loaded.diagnostics)
    emit(report, output)


def _explained(ends: Sequence[Estimator], machines: Sequence[Machine]) -> LaunchExplanation:
    """Explain a launch on each machine. One that it does not fit on has a reason instead.

    ``ends`` are the launch, with the low ends of what was assumed and with the high ones where
    these differ. InputError where there is no machine that it fits on.
    """
    from warpmill.commands.explain.result import launch_explanation  # noqa: PLC0415
    from warpmill.session.estimates import explain as explained  # noqa: PLC0415 - slow to load

    found, answers, failures = [], [], []
    for machine in machines:
        try:
            found.append([explained(end, machine) for end in ends])
            answers.append(_answer(ends[0], found[-1][0]))
        except InputError as error:
            failures.append((machine.name, error))
    if not found:
        raise InputError(*(d for _, problem in failures for d in problem.diagnostics))
    for _, problem in failures:
        print_diagnostics(problem.diagnostics)
    reasons = [(name, "; ".join(d.message for d in e.diagnostics)) for name, e in failures]
    low, *high = zip(*found, strict=True)
    return launch_explanation(ends[0].job, low, reasons, high[0] if high else (), answers)


def _answer(estimator: Estimator, found: Explained) -> ExplainAnswer:
    """How long, what bounds it, what to try first, and what else costs time."""
    from warpmill.commands.explain.result import ExplainAnswer  # noqa: PLC0415 - slow to load
    from warpmill.session.evidence import evidence_of_estimate  # noqa: PLC0415
    from warpmill.session.findings import answer_sentences, findings  # noqa: PLC0415

    evidence = evidence_of_estimate(estimator, found.machine, found.estimate, found.counts)
    told = findings(evidence)
    return ExplainAnswer(answer_sentences(evidence, told), told)
