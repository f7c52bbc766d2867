"""``warpmill estimate``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from warpmill.analyzer.base.opt import Opt
from warpmill.cli.options import machines_given, read_all
from warpmill.cli.output import emit, print_diagnostics, working
from warpmill.session.options import (
    EstimateOptions,
    LaunchOptions,
    MachineOptions,
    Output,
    RegisterSources,
    SeveralTargets,
    TraceOptions,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from warpmill.session.estimates import Estimator
    from warpmill.session.jobs import Job
    from warpmill.session.launch_estimates import L2OfMachine, LaunchEstimates

WhatIfs = Annotated[bool, Opt("Estimate on machines with twice and half of one thing at a time.")]


def estimate(
    source: SeveralTargets,
    machine: MachineOptions,
    launch: LaunchOptions,
    registers: RegisterSources,
    trace: TraceOptions,
    model: EstimateOptions,
    output: Output,
    what_if: WhatIfs = False,
) -> None:
    """Estimate the time of launches on several machines, and say what bounds them."""
    from warpmill.commands.estimate.result import EstimateReport  # noqa: PLC0415 - slow to load
    from warpmill.report.assumed import shown_settings  # noqa: PLC0415
    from warpmill.session import launch_estimates as made  # noqa: PLC0415
    from warpmill.session.prepare import TargetLaunches, launches_of  # noqa: PLC0415

    def prepared(target: str) -> tuple[TargetLaunches, ...]:
        return (launches_of(target, source.kernel, launch, strict=source.strict),)

    def ends(job: Job) -> tuple[Estimator, ...]:
        return made.estimators(job, registers, trace, model)

    launches: list[LaunchEstimates] = []

    def shown(own: Sequence[Estimator], finds: L2OfMachine) -> LaunchEstimates:
        launches.append(
            made.estimated_launch(own, machines, trace.assumptions, finds, what_if=what_if)
        )
        return launches[-1]

    with working(f"estimating {', '.join(source.targets)}"):
        targets, (machines, overrides) = read_all(
            source.targets, prepared, lambda: machines_given(machine.machines, machine.settings)
        )
        whole = made.EstimatedTargets()
        for one in targets:
            if one.are_all:
                from warpmill.session.application_times import add_application  # noqa: PLC0415

                add_application(whole, one, machines, ends, shown, model)
                continue
            for job in one.jobs:
                whole.add(shown(ends(job), lambda _: None))
        report = EstimateReport(
            overrides=shown_settings(overrides),
            options=model,
            traces=trace,
            applications=whole.times,
            launches=launches,
            totals=made.totals_of(whole.timed, sum(len(one.jobs) for one in targets)),
        )
    print_diagnostics([*(d for one in launches for d in one.problems), *whole.problems])
    emit(report, output)
