"""``warpmill sweep``."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from warpmill.analyzer.base.opt import Default, Help
from warpmill.cli.options import machine_choice, machines_given, read_together, with_machines_named
from warpmill.cli.output import emit, print_diagnostics, tell
from warpmill.cli.written_files import check_written
from warpmill.commands.sweep.options import (
    LAUNCHES,
    MACHINES,
    SweepOutput,
    axis_names,
    existing_target,
    machines_of,
    rankings,
)
from warpmill.commands.sweep.running import refuse_empty, tell_of_others, told_progress
from warpmill.session.options import EvaluationOptions, LaunchOptions, MachineOptions, TargetOptions
from warpmill.studies.options import SpaceOptions, StudyOptions


def sweep(
    source: TargetOptions,
    space: SpaceOptions,
    machine: Annotated[MachineOptions, Default("machines", ()), Help("machines", MACHINES)],
    how: EvaluationOptions,
    launch: Annotated[LaunchOptions, Help("launches", LAUNCHES)],
    study: StudyOptions,
    output: SweepOutput,
) -> None:
    """Estimate or simulate a launch in many configurations, and rank them.

    What was measured is kept: an interrupted sweep goes on where it was, and several processes
    may work on one store.
    """
    from warpmill.commands.sweep.result import SweepRequest, sweep_report  # noqa: PLC0415
    from warpmill.report.words import plural  # noqa: PLC0415
    from warpmill.sweeps.api import space_given, sweep_kept  # noqa: PLC0415 - slow to load
    from warpmill.sweeps.points import EvaluationConfig, on_machines  # noqa: PLC0415

    varied = existing_target(source, launch)
    check_written(output.output, output.plot)
    names = machine_choice(machine.machines) if machine.machines else None
    wanted, (_, overrides), _ = read_together(
        source.target,
        varied.jobs,
        lambda: with_machines_named(space_given(space)),
        lambda: machines_given(names, machine.settings),
        how.check,
    )
    config = EvaluationConfig(how, machines_of(wanted, names), overrides)
    axes = on_machines(wanted, config).axes
    first, *fronts = rankings(how.engine, axes, output.by, output.pareto)
    per = axis_names("--per", output.per, axes)
    with told_progress(f"{config.engine}: {source.target}", study) as told:
        found = sweep_kept(varied, wanted, config, replace(study, told=told))
    tell_of_others(found.here, found.elsewhere, found.known)
    if not found.measured:
        limits = (row.is_at_limit for row in found.rows)
        refuse_empty(source.target, (row.problem or "" for row in found.rows), limits)
    print_diagnostics(found.remarks)
    tell(f"{plural(len(found.rows), 'configuration')} in {found.seconds:,.1f} s")
    if output.plot is not None:
        from warpmill.commands.sweep.plot import write_sweep  # noqa: PLC0415 - only where asked for

        write_sweep(found, output.plot)
    report = sweep_report(found, SweepRequest(output.top, first, tuple(fronts), per))
    emit(report, output)
