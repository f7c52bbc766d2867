"""``warpmill clone``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from warpmill.analyzer.base.diagnostics import UsageError
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
    trace_options,
)
from warpmill.cli.output import Destination, emit, tell
from warpmill.cli.running import complain_of
from warpmill.cli.simulate_options import (
    DEFAULT_MACHINE,
    Machines,
    MaxCycles,
    MaxMemory,
    MaxTraceEvents,
)
from warpmill.commands.clone.options import (
    Check,
    Chip,
    FailOver,
    Force,
    Launches,
    LeastInstructions,
    MaxError,
    Out,
    Plot,
    Reduction,
    Seed,
    chip_of,
    limits_of,
    reduction_of,
    shown_stage,
)
from warpmill.simulator.gpu.options import Options

if TYPE_CHECKING:
    from pathlib import Path

    from warpmill.cloning.api import WrittenClone
    from warpmill.session.options import LaunchOptions


def clone(  # noqa: PLR0913, PLR0917 - one parameter for each option
    target: Target,
    out: Out = None,
    machine: Machines = None,
    reduction: Reduction = "max",
    max_error: MaxError = None,
    chip: Chip = None,
    seed: Seed = 0,
    least_instructions: LeastInstructions = None,
    check: Check = True,
    fail_over: FailOver = None,
    force: Force = False,
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
    plot: Plot = None,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Write a small benchmark that behaves like a kernel and has none of its code, names or data.

    It is read back, profiled and simulated beside the original, which says how like it is.
    """
    from warpmill.cloning.api import MAX_ERROR  # noqa: PLC0415 - as above
    from warpmill.cloning.api import clone as make_clone  # noqa: PLC0415
    from warpmill.commands.clone.result import clone_report  # noqa: PLC0415
    from warpmill.simulator.machines import parse_overrides  # noqa: PLC0415 - slow to load

    limits = limits_of(fail_over)
    _check_choices(check, out, limits, plot, output)
    wanted = reduction_of(reduction, max_error)
    made = make_clone(
        target,
        out,
        kernel,
        _launches(
            target,
            launch_options(grid, block, shared, arg, size, symbols=symbol, launch=launch),
            launch,
        ),
        machines=machine_choice(machine or (DEFAULT_MACHINE,)),
        reduction=wanted,
        max_error=MAX_ERROR if max_error is None else percent_of("--max-error", max_error),
        chip=chip_of(chip),
        seed=seed,
        least_instructions=least_instructions,
        check=check,
        registers=regs,
        overrides=parse_overrides(set_ or ()),
        simulation=_options(
            max_cycles=max_cycles, max_memory_bytes=max_memory, max_trace_events=max_trace_events
        ),
        trace_options=trace_options("auto", None, None, max_instructions=max_instructions),
        force=force,
        stage=shown_stage,
    )
    complain_of(made.cloned.studied.jobs)
    _tell_of_search(made)
    report = clone_report(
        target,
        made,
        out=None if out is None else str(out),
        reduction=reduction,
        limits=limits,
    )
    if plot is not None:
        from warpmill.commands.clone.plot import write_models  # noqa: PLC0415 - only where asked for

        write_models(made.cloned.models, plot)
    emit(report, Destination(format_, output, verbose))
    if report.exceeding or (report.search is not None and not report.search.met):
        raise typer.Exit(1)


def _check_choices(
    check: bool,
    out: Path | None,
    limits: dict[str, float],
    plot: Path | None,
    output: Path | None,
) -> None:
    """Refuse what does not go together, and files that could not be written. UsageError."""
    from warpmill.cli.engine_options import check_written  # noqa: PLC0415 - slow to load

    if not check and limits:
        raise UsageError("--fail-over is about what --no-check leaves out")
    if not check and out is None and plot is None:
        raise UsageError("--no-check without --out makes nothing: give --out DIR")
    check_written(output, plot)


def _launches(target: str, options: LaunchOptions, given: str | None) -> LaunchOptions:
    """Take all launches where none is named."""
    from warpmill.cloning.api import launches_of  # noqa: PLC0415 - slow to load

    return options if given is not None else launches_of(target, options)


def _options(**given: int | None) -> Options:
    """Put the options of simulations together; what is None stays as it is without them."""
    named: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    return Options(**named)


def _tell_of_search(made: WrittenClone) -> None:
    """Say what the search took, which no report holds, as it differs from run to run."""
    if made.search is not None:
        from warpmill.report.words import plural  # noqa: PLC0415 - slow to load

        tried = plural(len(made.search.trials), "reduction")
        tell(f"{tried} tried in {made.search.cpu_seconds:,.1f} s of CPU time")
