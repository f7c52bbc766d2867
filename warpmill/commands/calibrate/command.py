"""``warpmill calibrate``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.options import Format, FormatOption, Output, Settings, Verbose
from warpmill.cli.output import Destination, emit, write
from warpmill.cli.progress import Spinner
from warpmill.commands.calibrate.options import (
    Check,
    Like,
    MachineName,
    Only,
    OnModel,
    Out,
    Plot,
    Ptx,
    Repeats,
    Workers,
    check_places,
    file_of,
)

if TYPE_CHECKING:
    from warpmill.calibration.api import Calibrated
    from warpmill.calibration.calibrate import Progress


def calibrate(  # noqa: PLR0913, PLR0917 - one parameter for each option
    on_model: OnModel = None,
    set_: Settings = None,
    only: Only = None,
    machine: MachineName = None,
    like: Like = None,
    out: Out = None,
    repeats: Repeats = 7,
    workers: Workers = 1,
    ptx: Ptx = None,
    plot: Plot = None,
    check: Check = False,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Measure a GPU, or the model of a machine, by micro-benchmarks, and write its machine file.

    The report has what was found beside what the machine's file says.
    """
    from warpmill.calibration.api import calibrate_gpu, calibrate_model  # noqa: PLC0415 - slow
    from warpmill.commands.calibrate.result import calibrate_report, shown_overrides  # noqa: PLC0415

    file = file_of(machine, out)
    check_places(file, output, plot, ptx)
    if on_model is None and set_:
        raise UsageError("--set changes the machine of --on-model; a GPU is as it is")
    with _groups(on_model) as progress:
        if on_model is None:
            found = calibrate_gpu(
                groups=only, like=like, name=machine, repeats=repeats, progress=progress
            )
        else:
            from warpmill.simulator.machines import parse_overrides  # noqa: PLC0415 - slow to load

            found = calibrate_model(
                on_model,
                overrides=parse_overrides(set_ or ()),
                groups=only,
                like=like,
                name=machine,
                workers=workers,
                progress=progress,
            )
    if file is not None:
        write(found.text(), file)
    if ptx is not None:
        _write_benches(found, ptx)
    if plot is not None:
        from warpmill.commands.calibrate.plot import write_calibration  # noqa: PLC0415 - if asked for

        write_calibration(found.calibration.target.name, found.calibration.part.curves, plot)
    written = None if file is None else str(file)
    report = calibrate_report(found, shown_overrides(found.machine), written)
    emit(report, Destination(format_, output, verbose))
    if check and report.differing:
        raise typer.Exit(1)


@contextmanager
def _groups(on_model: str | None) -> Iterator[Progress | None]:
    """Give what is told each group before it is measured; None where nobody looks."""
    if not sys.stderr.isatty():
        yield None
        return
    what = f"calibrating {on_model or 'the GPU'}"
    spinner = Spinner(what)
    try:
        yield lambda name, number, of: spinner.say(f"{what}: {name}, group {number + 1} of {of}")
    finally:
        spinner.stop()


def _write_benches(found: Calibrated, folder: Path) -> None:
    """Write each micro-benchmark to a file of its own."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror or error}") from None
    for bench in found.benches:
        write(bench.text, folder / f"{bench.name}.ptx")
