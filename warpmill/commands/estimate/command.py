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

    from warpmill.analyzer.analyses.ranges.assumptions import Assumptions
    from warpmill.session.estimates import Estimator
    from warpmill.session.jobs import Job
    from warpmill.session.launch_estimates import EstimateAnswer, LaunchEstimates
    from warpmill.simulator.estimate.result import Estimate
    from warpmill.simulator.machines.model import Machine

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
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415

    def prepared(target: str) -> tuple[Job, ...]:
        return prepare_all(target, source.kernel, launch, strict=source.strict)

    with working(f"estimating {', '.join(source.targets)}"):
        jobs, (machines, overrides) = read_all(
            source.targets, prepared, lambda: machines_given(machine.machines, machine.settings)
        )
        launches = [
            _estimated(
                made.estimators(job, registers, trace, model),
                machines,
                trace.assumptions,
                what_if=what_if,
            )
            for job in jobs
        ]
        report = EstimateReport(
            overrides=shown_settings(overrides),
            options=model,
            traces=trace,
            launches=launches,
            totals=made.totals(launches),
        )
    print_diagnostics(d for one in launches for d in one.problems)
    emit(report, output)


def _estimated(
    ends: Sequence[Estimator], machines: Sequence[Machine], assumed: Assumptions, *, what_if: bool
) -> LaunchEstimates:
    """A launch on each machine that it fits on. InputError where it fits on none."""
    from warpmill.session.estimates import with_ends  # noqa: PLC0415 - slow to load
    from warpmill.session.launch_estimates import (  # noqa: PLC0415
        LaunchEstimates,
        answer_of,
        on_each,
        with_what_if,
    )

    def estimated(machine: Machine) -> tuple[Estimate, EstimateAnswer]:
        low, *high = (end.on(machine) for end in ends)
        found = with_ends(low, *high)
        if what_if:
            found = with_what_if(ends[0], machine, found, low)
        return found, answer_of(ends[0], machine, found)

    return LaunchEstimates.of(ends[0].job, assumed, *on_each(machines, estimated))
