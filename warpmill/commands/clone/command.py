"""``warpmill clone``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.opt import Default, Help, Without
from warpmill.cli.options import machines_given, read_together
from warpmill.cli.output import emit, tell
from warpmill.cli.running import complain_of
from warpmill.cli.written_files import check_written
from warpmill.cloning.options import CloneOptions
from warpmill.commands.clone.options import CloneFiles, shown_stage
from warpmill.session.options import (
    DEFAULT_MACHINE,
    LaunchOptions,
    MachineOptions,
    Output,
    SimulationSetup,
    TargetOptions,
)

if TYPE_CHECKING:
    from warpmill.cloning.api import WrittenClone

_LAUNCH = "Which launch of a program, a recording or a workload, from 0; all without it."


def clone(
    source: Annotated[TargetOptions, Without("strict")],
    machine: Annotated[MachineOptions, Default("machines", (DEFAULT_MACHINE,))],
    options: CloneOptions,
    files: CloneFiles,
    launch: Annotated[LaunchOptions, Help("launches", _LAUNCH)],
    simulation: SimulationSetup,
    output: Output,
) -> None:
    """Write a small benchmark that behaves like a kernel and has none of its code, names or data.

    It is read back, profiled and simulated beside the original, which says how like it is.
    """
    from warpmill.cloning.api import clone as make_clone  # noqa: PLC0415 - slow to load
    from warpmill.cloning.api import launches_of  # noqa: PLC0415
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415

    def checked() -> bool:
        if not options.compare and files.limits:
            raise UsageError("--fail-over is about what --no-compare leaves out")
        if not options.compare and files.out is None and files.plot is None:
            raise UsageError("--no-compare without --out makes nothing: give --out DIR")
        check_written(output.output, files.plot)
        return True

    _, (machines, _) = read_together(
        source.target,
        lambda: prepare_all(source.target, source.kernel, launch),
        checked,
        lambda: machines_given(machine.machines, machine.settings),
    )
    if launch.launches == "largest":  # as where none is named
        launch = launches_of(source.target, launch)
    made = make_clone(
        source.target,
        files.out,
        options,
        kernel=source.kernel,
        launch=launch,
        machines=machines,
        simulation=simulation,
        stage=shown_stage,
    )
    complain_of(made.cloned.studied.jobs)
    _tell_of_search(made)
    report = made.limited(files.limits)
    if files.plot is not None:
        from warpmill.cloning.pictures import write_models  # noqa: PLC0415 - only where asked for

        write_models(made.cloned.models, files.plot)
    emit(report, output)
    if report.exceeding or (report.search is not None and not report.search.met):
        raise typer.Exit(1)


def _tell_of_search(made: WrittenClone) -> None:
    """Write the search's time, which no report holds, as it differs from run to run."""
    if made.search is not None:
        from warpmill.report.words import plural  # noqa: PLC0415 - slow to load

        tried = plural(len(made.search.trials), "reduction")
        tell(f"{tried} tried in {made.search.cpu_seconds:,.1f} s of CPU time")
