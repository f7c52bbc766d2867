"""``warpmill calibrate``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.analyzer.base.diagnostics import Faults, UsageError
from warpmill.analyzer.base.opt import Opt
from warpmill.cli.output import emit, write
from warpmill.cli.progress import Spinner
from warpmill.commands.calibrate.options import CalibrationFiles, CalibrationOptions
from warpmill.session.options import Output

if TYPE_CHECKING:
    from warpmill.calibration.api import Calibrated
    from warpmill.calibration.calibrate import Progress
    from warpmill.simulator.machines.model import Machine

ExitCode = Annotated[bool, Opt("Exit with 1 where a value differs by more than 5 % and one cycle.")]


def calibrate(
    options: CalibrationOptions,
    files: CalibrationFiles,
    output: Output,
    exit_code: ExitCode = False,
) -> None:
    """Measure a GPU, or the model of a machine, by micro-benchmarks, and write its machine file.

    The report has what was found beside what the machine's file says.
    """
    from warpmill.commands.calibrate.result import CalibrateReport  # noqa: PLC0415

    file, machine = _checked(options, files, output)
    found = _found(options, machine)
    if file is not None:
        write(found.text(), file)
    if files.ptx is not None:
        _write_benches(found, files.ptx)
    if files.plot is not None:
        from warpmill.commands.calibrate.plot import write_calibration  # noqa: PLC0415 - if asked for

        curves = found.calibration.part.curves
        write_calibration(found.calibration.target.name, curves, files.plot)
    emit(CalibrateReport(calibrated=found, written=None if file is None else str(file)), output)
    if exit_code and found.differing:
        raise typer.Exit(1)


def _checked(
    options: CalibrationOptions, files: CalibrationFiles, output: Output
) -> tuple[Path | None, Machine | None]:
    """The machine file that is written, and the machine whose model is measured.

    What is wrong with any option is said with all others that are. UsageError and InputError.
    """
    from warpmill.calibration.api import check_like  # noqa: PLC0415 - slow to load
    from warpmill.calibration.calibrate import chosen_groups  # noqa: PLC0415
    from warpmill.simulator.machines import load_machine, parse_overrides  # noqa: PLC0415

    faults, model = Faults(), options.on_model
    file = faults.of(lambda: files.machine_file(options.name))
    faults.of(lambda: files.check(file, output.output))
    faults.of(lambda: chosen_groups(options.groups))
    faults.of(lambda: check_like(options.like))
    machine = None
    if model is not None:
        machine = faults.of(lambda: load_machine(model, parse_overrides(options.settings)))
    faults.check()
    return file, machine


def _found(one: CalibrationOptions, machine: Machine | None) -> Calibrated:
    """Findings on the model of a machine, or on the GPU."""
    from warpmill.calibration.api import calibrate_gpu, calibrate_model  # noqa: PLC0415 - slow

    with _groups(one.on_model) as progress:
        if machine is None:
            return calibrate_gpu(
                groups=one.groups,
                like=one.like,
                name=one.name,
                repeats=one.repeats,
                progress=progress,
            )
        return calibrate_model(
            machine,
            groups=one.groups,
            like=one.like,
            name=one.name,
            workers=one.workers,
            progress=progress,
        )


@contextmanager
def _groups(on_model: str | None) -> Iterator[Progress | None]:
    """Progress callback of groups, before each is measured; None where nobody looks."""
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
