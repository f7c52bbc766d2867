"""``warpmill explain``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

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
    from collections.abc import Sequence

    from warpmill.analyzer.analyses.ranges.assumptions import Assumptions
    from warpmill.commands.explain.result import LaunchExplanation, MachineExplanation
    from warpmill.session.estimates import Estimator
    from warpmill.session.jobs import Job
    from warpmill.session.launch_estimates import EstimateAnswer
    from warpmill.simulator.estimate.result import Estimate
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
    from warpmill.commands.explain.result import ExplainReport, total_lines  # noqa: PLC0415
    from warpmill.report.assumed import shown_settings  # noqa: PLC0415
    from warpmill.session.launch_estimates import estimators, totals  # noqa: PLC0415 - slow to load
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415 - slow to load

    def prepared() -> tuple[Job, ...]:
        return prepare_all(source.target, source.kernel, launch, strict=source.strict)

    ((machines, overrides),) = read_together(
        source.target, prepared, lambda: machines_given(machine.machines, machine.settings)
    )
    with working(f"explaining {source.target}"):
        launches = [
            _explained(estimators(job, registers, trace, model), machines, trace.assumptions)
            for job in prepared()
        ]
        report = ExplainReport(
            overrides=shown_settings(overrides),
            options=model,
            top=top,
            launches=launches,
            totals=totals(launches),
            total_lines=total_lines(launches),
        )
    print_diagnostics(d for one in launches for d in one.problems)
    emit(report, output)


def _explained(
    ends: Sequence[Estimator], machines: Sequence[Machine], assumed: Assumptions
) -> LaunchExplanation:
    """A launch on each machine that it fits on. InputError where it fits on none."""
    from warpmill.commands.explain.result import (  # noqa: PLC0415 - slow to load
        LaunchExplanation,
        machine_explanation,
    )
    from warpmill.session.estimates import explain as explained  # noqa: PLC0415 - slow to load
    from warpmill.session.estimates import with_ends  # noqa: PLC0415
    from warpmill.session.launch_estimates import answer_of, on_each  # noqa: PLC0415

    job = ends[0].job

    def made(machine: Machine) -> tuple[tuple[Estimate, EstimateAnswer], MachineExplanation]:
        low, *high = (explained(end, machine) for end in ends)
        whole = with_ends(low.estimate, *(one.estimate for one in high))
        answer = answer_of(ends[0], machine, whole, low.counts)
        return (whole, answer), machine_explanation(job.loaded, low, *high)

    found, failures = on_each(machines, made)
    estimates, explanations = zip(*found, strict=True)
    return LaunchExplanation.of(job, assumed, estimates, failures, explanations=list(explanations))
