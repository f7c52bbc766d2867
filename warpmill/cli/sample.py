"""``warpmill sample``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.clone_options import shown_stage
from warpmill.cli.options import (
    Arguments,
    Block,
    Format,
    FormatOption,
    Grid,
    Kernel,
    MaxTraceInstructions,
    Output,
    Registers,
    Settings,
    Shared,
    Sizes,
    Symbols,
    Target,
    Verbose,
    launch_options,
    machine_choice,
    percent_of,
)
from warpmill.cli.output import Destination, emit, tell
from warpmill.cli.running import complain_of
from warpmill.cli.sample_options import (
    Check,
    FailOver,
    Features,
    Inside,
    IntervalsOption,
    Launches,
    MethodOption,
    Save,
    Seed,
    SelectionFile,
    Share,
    SimPoints,
    StabilityOption,
    TargetError,
    WarmUp,
    sample_options,
)
from warpmill.cli.simulate_options import (
    DEFAULT_MACHINE,
    Machines,
    MaxCycles,
    MaxMemory,
    MaxTraceEvents,
)
from warpmill.simulator.gpu.options import Options
from warpmill.writable import check_files

if TYPE_CHECKING:
    from pathlib import Path

    from warpmill.sampling.results import Sampled


def sample(  # noqa: PLR0913, PLR0917 - one parameter for each option
    target: Target,
    machine: Machines = None,
    method: MethodOption = None,
    target_error: TargetError = None,
    share: Share = None,
    intervals: IntervalsOption = None,
    features: Features = None,
    inside: Inside = None,
    stability: StabilityOption = None,
    warm_up: WarmUp = None,
    seed: Seed = None,
    check: Check = False,
    fail_over: FailOver = None,
    save: Save = None,
    selection: SelectionFile = None,
    simpoints: SimPoints = None,
    set_: Settings = None,
    kernel: Kernel = None,
    grid: Grid = None,
    block: Block = None,
    shared: Shared = None,
    arg: Arguments = None,
    symbol: Symbols = None,
    size: Sizes = None,
    launch: Launches = None,
    regs: Registers = None,
    max_cycles: MaxCycles = None,
    max_memory: MaxMemory = None,
    max_trace_events: MaxTraceEvents = None,
    max_instructions: MaxTraceInstructions = None,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Simulate a few launches of an application, and tell the cycles and time of the whole.

    It is run and counted once; what is chosen by that holds for every machine. Each figure has a
    95 % interval, by how unlike launches are that one stands for; --check tells how far off it is.
    """
    from warpmill.registers import RegisterSources  # noqa: PLC0415 - as above
    from warpmill.reports.sample import sample_report  # noqa: PLC0415
    from warpmill.sampling.runs import samples  # noqa: PLC0415
    from warpmill.sampling.selection_files import load_selection  # noqa: PLC0415
    from warpmill.simulator.machines import load_machine, parse_overrides  # noqa: PLC0415 - slow to load

    limit = _limit(fail_over, check)
    saved = None if selection is None else load_selection(selection)
    options = sample_options(
        method,
        saved=saved,
        share=share,
        target_error=target_error,
        intervals=intervals,
        features=features,
        inside=inside,
        stability=stability,
        warm_up=warm_up,
        seed=seed,
    )
    _check_written(output, save, simpoints)
    overrides = parse_overrides(set_ or ())
    machines = [load_machine(m, overrides) for m in machine_choice(machine or (DEFAULT_MACHINE,))]
    found = samples(
        target,
        machines,
        options,
        kernel=kernel,
        launch=launch_options(grid, block, shared, arg, size, symbols=symbol, launch=launch),
        selection=None if saved is None else saved.of,
        simulate_options=_options(
            max_cycles=max_cycles, max_memory_bytes=max_memory, max_trace_events=max_trace_events
        ),
        registers=RegisterSources(regs),
        max_instructions=max_instructions,
        check=check,
        stage=shown_stage,
    )
    complain_of(found.application.jobs)
    _save(found, save, simpoints)
    _tell_of_times(found)
    report = sample_report(
        target, found, limit=limit, saved=None if selection is None else str(selection)
    )
    emit(report, Destination(format_, output, verbose))
    if report.exceeding:
        raise typer.Exit(1)


def _limit(fail_over: str | None, check: bool) -> float | None:
    if fail_over is None:
        return None
    if not check:
        raise UsageError("--fail-over is about the true error, which needs --check")
    return percent_of("--fail-over", fail_over)


def _check_written(output: Path | None, save: Path | None, simpoints: Path | None) -> None:
    """Refuse, before anything is run, what could not be written. UsageError."""
    from warpmill.sampling.simpoint_output import simpoint_paths  # noqa: PLC0415 - slow to load

    check_files({"--output": output, "--save": save})
    if simpoints is not None:
        simpoint_paths(simpoints)


def _options(**given: int | None) -> Options:
    """Put the options of simulations together; what is None stays as it is without them."""
    named: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    return Options(**named)


def _save(found: Sampled, save: Path | None, simpoints: Path | None) -> None:
    """Write what was chosen, as it was asked for."""
    from warpmill.sampling.selection_files import save_selection  # noqa: PLC0415 - slow to load
    from warpmill.sampling.simpoint_output import save_simpoints  # noqa: PLC0415 - as above

    app, selection = found.application, found.selection
    if save is not None:
        save_selection(save, app, selection, inside=found.options.passes_over)
    if simpoints is not None:
        save_simpoints(simpoints, app.launches, selection)


def _tell_of_times(found: Sampled) -> None:
    """Say what it took, which no report holds, as it differs from run to run."""
    first = found.samples[0].taken
    parts = [f"profile {first['profile']:,.1f} s", f"choice {first['choice']:,.1f} s"]
    for one in found.samples:
        words = f"simulation on {one.machine.name} {one.taken['simulation']:,.1f} s"
        if one.whole is not None:
            words += f" (of all launches {one.whole.seconds_taken:,.1f} s)"
        parts.append(words)
    tell(f"CPU time: {', '.join(parts)}")
