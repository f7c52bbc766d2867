"""``warpmill sample``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.opt import Default, Help, Opt, Without
from warpmill.analyzer.base.whole_files import check_files
from warpmill.cli.options import machines_given, read_together
from warpmill.cli.output import emit, tell
from warpmill.cli.running import complain_of
from warpmill.commands.clone.options import shown_stage
from warpmill.sampling.options import SampleOptions
from warpmill.session.options import (
    DEFAULT_MACHINE,
    LaunchOptions,
    MachineOptions,
    Output,
    SimulationSetup,
    TargetOptions,
    percent_of,
)

if TYPE_CHECKING:
    from warpmill.sampling.results import SampleReport
    from warpmill.sampling.saved_selections import SavedSelection


def _limit(text: str) -> float:
    return percent_of("--fail-over", text)


@dataclass(frozen=True)
class SelectionOptions:
    """Paths of a selection that is read or saved, and the largest true error that passes."""

    fail_over: Annotated[
        float | None,
        Opt(
            "With --compare: end with 1 where the true error is larger.",
            metavar="P%",
            text=str,
            read=_limit,
        ),
    ] = None
    save: Annotated[
        Path | None,
        Opt("Write the selection (.json), to be used again.", metavar="FILE", writes="later"),
    ] = None
    selection: Annotated[
        Path | None, Opt("Simulate what a selection of --save says.", metavar="FILE")
    ] = None
    simpoints: Annotated[
        Path | None,
        Opt(
            "Write the selection as SimPoint's files: PREFIX.bb, .simpoints, .weights.",
            metavar="PREFIX",
        ),
    ] = None


def sample(
    source: Annotated[TargetOptions, Without("strict")],
    machine: Annotated[MachineOptions, Default("machines", (DEFAULT_MACHINE,))],
    options: SampleOptions,
    selection: SelectionOptions,
    launch: Annotated[
        LaunchOptions, Help("launches", "Only this launch of TARGET, from 0; all without it.")
    ],
    simulation: SimulationSetup,
    output: Output,
) -> None:
    """Simulate a few launches of an application, and tell the cycles and time of the whole.

    It is run and counted once; what is chosen by that holds for every machine. Each figure has a
    95 % interval, by how unlike launches are that one stands for; --compare tells how far off.
    """
    from warpmill.sampling.runs import samples  # noqa: PLC0415 - slow to load, as all here
    from warpmill.sampling.saved_selections import load_selection, save_selection  # noqa: PLC0415
    from warpmill.sampling.simpoint_files import save_simpoints, simpoint_paths  # noqa: PLC0415
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415

    def chosen() -> tuple[SampleOptions, SavedSelection | None]:
        if selection.fail_over is not None and not options.compare:
            raise UsageError("--fail-over is about the true error, which needs --compare")
        saved = None if selection.selection is None else load_selection(selection.selection)
        made = _checked(options, saved)
        check_files({"--output": output.output, "--save": selection.save})
        if selection.simpoints is not None:
            simpoint_paths(selection.simpoints)
        return made, saved

    (wanted, saved), (machines, _) = read_together(
        source.target,
        lambda: prepare_all(source.target, source.kernel, launch),
        chosen,
        lambda: machines_given(machine.machines, machine.settings),
    )
    found = samples(
        source.target,
        machines,
        wanted,
        kernel=source.kernel,
        launch=launch,
        selection=None if saved is None else saved.of,
        simulation=simulation,
        stage=shown_stage,
    )
    app, made = found.application, found.selection
    complain_of(app.jobs)
    if selection.save is not None:
        save_selection(selection.save, app, made, inside=found.inside)
    if selection.simpoints is not None:
        save_simpoints(selection.simpoints, app.launches, made)
    _tell_of_times(found)
    file = None if saved is None else saved.source.name
    report = replace(found, limit=selection.fail_over, saved=file)
    emit(report, output)
    if report.exceeding:
        raise typer.Exit(1)


def _checked(options: SampleOptions, saved: SavedSelection | None) -> SampleOptions:
    """The options of a choice, or with them those of one that was saved. UsageError."""
    from warpmill.sampling.methods import check_options  # noqa: PLC0415 - slow to load

    if saved is None:
        check_options(options)
        return options
    if options.choices:
        words = f"--selection says what is simulated: leave out {', '.join(options.choices)}"
        raise UsageError(words)
    inside = saved.report.inside if options.inside is None else options.inside
    made = replace(options, method=saved.report.selection.method, inside=inside)
    made.check_stability()
    return made


def _tell_of_times(found: SampleReport) -> None:
    """Write the times, which no report holds, as they differ from run to run."""
    first = found.machines[0].taken
    parts = [f"profile {first['profile']:,.1f} s", f"choice {first['choice']:,.1f} s"]
    for one in found.machines:
        words = f"simulation on {one.machine} {one.taken['simulation']:,.1f} s"
        if one.whole is not None:
            words += f" (of all launches {one.whole.seconds_taken:,.1f} s)"
        parts.append(words)
    tell(f"CPU time: {', '.join(parts)}")
