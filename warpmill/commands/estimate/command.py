"""``warpmill estimate``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.base.opt import Opt
from warpmill.cli.options import machines_given, read_together
from warpmill.cli.output import Destination, emit, print_diagnostics, working
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
    from warpmill.commands.estimate.result import LaunchEstimates
    from warpmill.session.estimates import Estimator
    from warpmill.session.jobs import Job
    from warpmill.session.what_if import WhatIf
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
    from warpmill.commands.estimate.result import estimate_report  # noqa: PLC0415 - slow to load
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
        report = estimate_report(launches, overrides, options=model, pruned=trace.pruned)
    print_diagnostics(d for job in jobs for d in job.loaded.diagnostics)
    emit(report, Destination(output.format, output.output, output.verbose))


def _estimated(
    job: Job,
    ends: Sequence[Estimator],
    machines: Sequence[Machine],
    trace: TraceOptions,
    *,
    what_if: bool,
) -> LaunchEstimates:
    """Estimate on each machine. One that the launch does not fit on has a reason instead.

    InputError where there is no machine that it fits on.
    """
    from warpmill.commands.estimate.result import launch_estimates  # noqa: PLC0415 - slow to load

    found, failures = [], []
    for machine in machines:
        try:
            found.append((machine, [end.on(machine) for end in ends]))
        except InputError as error:
            failures.append((machine.name, error))
    if not found:
        raise InputError(*(d for _, problem in failures for d in problem.diagnostics))
    for _, problem in failures:
        print_diagnostics(problem.diagnostics)
    reasons = [(name, "; ".join(d.message for d in e.diagnostics)) for name, e in failures]
    return launch_estimates(
        job,
        [(machine, results[0]) for machine, results in found],
        reasons,
        assumed=trace.assumptions,
        high=[results[1] if len(results) > 1 else None for _, results in found],
        what_ifs=[_changes(ends[0], *one) for one in found] if what_if else None,
    )


def _changes(
    estimator: Estimator, machine: Machine, results: Sequence[Estimate]
) -> tuple[WhatIf, ...]:
    """Estimate changes of a machine; where ends of ranges were assumed, with the low ones."""
    from warpmill.session.what_if import what_if  # noqa: PLC0415 - slow to load

    return what_if(estimator, machine, results[0])
