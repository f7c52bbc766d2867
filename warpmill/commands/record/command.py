"""``warpmill record``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from warpmill.analyzer.base.writable import check_file
from warpmill.cli.options import (
    Arguments,
    Block,
    Format,
    FormatOption,
    Grid,
    Kernel,
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

Out = Annotated[
    Path,
    typer.Option(
        "--out",
        "--output",
        "-o",
        callback=written,
        metavar="FILE",
        help="Write the recording to this file, whole or not at all (.wmrec).",
        show_default=False,
    ),
]


def record(  # noqa: PLR0913, PLR0917 - one parameter for each option
    target: RunTarget,
    out: Out,
    kernel: Kernel = None,
    grid: Grid = None,
    block: Block = None,
    shared: Shared = None,
    arg: Arguments = None,
    symbol: Symbols = None,
    size: RunSizes = None,
    device: DeviceOption = "cpu",
    max_instructions: MaxInstructions = None,
    max_seconds: MaxSeconds = None,
    max_memory: MaxMemory = None,
    workers: Workers = 1,
    resident: Resident = 1,
    strict: Strict = False,
    format_: FormatOption = Format.TEXT,
    verbose: Verbose = False,
) -> None:
    """Run an application and keep every call of its device in a file, to be replayed.

    The file has modules, arguments, calls, and once for each content what was copied to the device.
    """
    from warpmill.commands.record.result import record_report  # noqa: PLC0415
    from warpmill.session.records import save_run  # noqa: PLC0415 - slow to load

    options = run_options(
        device,
        max_instructions=max_instructions,
        max_seconds=max_seconds,
        max_memory=max_memory,
        workers=workers,
        resident=resident,
    )
    launch = launch_options(grid, block, shared, arg, size, symbols=symbol)
    check_file(out)
    done = run_target(target, kernel, launch, replace(options, record=True), strict=strict)
    report = record_report(save_run(done, out))
    complain_of(done.jobs)
    emit(report, Destination(format_, None, verbose))
