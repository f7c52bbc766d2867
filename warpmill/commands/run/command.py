"""``warpmill run``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.writable import check_files
from warpmill.cli.options import (
    Arguments,
    Block,
    Format,
    FormatOption,
    Grid,
    Kernel,
    Output,
    Shared,
    Strict,
    Symbols,
    Verbose,
    launch_options,
)
from warpmill.cli.output import Destination, emit
from warpmill.cli.running import (
    DeviceOption,
    MaxInstructions,
    MaxMemory,
    MaxSeconds,
    Resident,
    RunSizes,
    RunTarget,
    Workers,
    complain_of,
    run_options,
    run_target,
)
from warpmill.cli.written_files import written

if TYPE_CHECKING:
    from warpmill.session.runs import Run

Save = Annotated[
    Path | None,
    typer.Option(
        "--save",
        callback=written,
        metavar="DIR|FILE.npz",
        help="Write the buffers after the run, whole or not at all.",
    ),
]
Record = Annotated[
    Path | None,
    typer.Option(
        "--record",
        callback=written,
        metavar="FILE",
        help="Keep every call of the device with its data, as warpmill record does.",
    ),
]
CheckShared = Annotated[
    bool,
    typer.Option(
        "--check-shared", help="Flag a read of shared memory that nothing has written: exit code 1."
    ),
]


def run(  # noqa: PLR0913, PLR0917 - one parameter for each option
    target: RunTarget,
    kernel: Kernel = None,
    grid: Grid = None,
    block: Block = None,
    shared: Shared = None,
    arg: Arguments = None,
    symbol: Symbols = None,
    size: RunSizes = None,
    device: DeviceOption = "cpu",
    save: Save = None,
    record: Record = None,
    check_shared: CheckShared = False,
    max_instructions: MaxInstructions = None,
    max_seconds: MaxSeconds = None,
    max_memory: MaxMemory = None,
    workers: Workers = 1,
    resident: Resident = 1,
    strict: Strict = False,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Run kernels for real, on this computer's CPU or on a GPU, and show what came out."""
    from warpmill.commands.run.result import run_report  # noqa: PLC0415
    from warpmill.commands.run.saving import check_place  # noqa: PLC0415
    from warpmill.session.records import save_run  # noqa: PLC0415 - slow to load

    options = run_options(
        device,
        max_instructions=max_instructions,
        max_seconds=max_seconds,
        max_memory=max_memory,
        workers=workers,
        resident=resident,
    )
    options = replace(options, check_shared=check_shared, record=record is not None)
    launch = launch_options(grid, block, shared, arg, size, symbols=symbol)
    if save is not None:
        check_place(save)
    check_files({"--output": output, "--record": record})
    done = run_target(target, kernel, launch, options, strict=strict)
    if save is not None:
        _save(done, save)
    if record is not None:
        save_run(done, record)
    report = run_report(done, _name(save), _name(record))
    complain_of(done.jobs)
    emit(report, Destination(format_, output, verbose))


def _name(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _save(run: Run, path: Path) -> None:
    from warpmill.commands.run.saving import save_arrays  # noqa: PLC0415 - only where it is asked for

    if not run.buffers:
        raise UsageError(f"--save {path}: the run has left no buffers to save")
    save_arrays(run.outputs, path)
