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
    from warpmill.session.jobs import Job

Top = Annotated[int, Opt("Lines that the text shows.", metavar="N", least=1)]


def explain(
    source: TargetOptions,
    machine: Annotated[MachineOptions, Default("machines", (DEFAULT_MACHINE,))],
    launch: LaunchOptions,
    registers: RegisterSources,
    trace: Annotated[TraceOptions, Without("pruned")],
    model: Annotated[EstimateOptions, Without("flush_l2")],
    output: Output,
    top: Top = 10,
) -> None:
    """Show the lines of a kernel by the time that an estimate says warps spend there."""
    from warpmill.commands.explain.result import (  # noqa: PLC0415 - slow to load
        ExplainReport,
        explained_launch,
        total_lines,
    )
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
            explained_launch(estimators(job, registers, trace, model), machines, trace.assumptions)
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
