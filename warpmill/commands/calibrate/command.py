"""``warpmill calibrate``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.opt import Opt
from warpmill.cli.output import emit, write
from warpmill.cli.progress import Spinner
from warpmill.commands.calibrate.options import CalibrationFiles, CalibrationOptions
from warpmill.session.options import Output

if TYPE_CHECKING:
    from warpmill.calibration.api import Calibrated
    from warpmill.calibration.calibrate import Progress

Check = Annotated[bool, Opt("Exit with 1 where a value differs by more than 5 % and one cycle.")]


def calibrate(
    options: CalibrationOptions, files: CalibrationFiles, output: Output, check: Check = False
) -> None:
    """Measure a GPU, or the model of a machine, by micro-benchmarks, and write its machine file.

    The report has what was found beside what the machine's file says.
    """
    from warpmill.commands.calibrate.result import calibrate_report, shown_overrides  # noqa: PLC0415

    file = files.machine_file(options.name)
    files.check(file, output.output)
    found = _found(options)
    if file is not None:
        write(found.text(), file)
    if files.ptx is not None:
        _write_benches(found, files.ptx)
    if files.plot is not None:
        from warpmill.commands.calibrate.plot import write_calibration  # noqa: PLC0415 - if asked for

        curves = found.calibration.part.curves
        write_calibration(found.calibration.target.name, curves, files.plot)
    written = None if file is None else str(file)
    report = calibrate_report(found, shown_overrides(found.machine), written)
    emit(report, output)
    if check and report.differing:
        raise typer.Exit(1)


def _found(options: CalibrationOptions) -> Calibrated:
    """What is found on the GPU, or on the model."""
    from warpmill.calibration.api import calibrate_gpu, calibrate_model  # noqa: PLC0415 - slow
    from warpmill.simulator.machines import parse_overrides  # noqa: PLC0415

    one = options
    with _groups(one.on_model) as progress:
        if one.on_model is None:
            return calibrate_gpu(
                groups=one.groups,
                like=one.like,
                name=one.name,
                repeats=one.repeats,
                progress=progress,
            )
        return calibrate_model(
            one.on_model,
            overrides=parse_overrides(one.settings),
            groups=one.groups,
            like=one.like,
            name=one.name,
            workers=one.workers,
            progress=progress,
        )


@contextmanager
def _groups(on_model: str | None) -> Iterator[Progress | None]:
    """What is told each group before it is measured; None where nobody looks."""
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
