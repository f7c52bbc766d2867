"""``warpmill correlate``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from warpmill.analyzer.base.opt import Arg, Opt, Without
from warpmill.cli.options import read_together
from warpmill.cli.output import emit, print_diagnostics, tell
from warpmill.cli.progress import progress_bar
from warpmill.cli.written_files import check_written
from warpmill.measurements.options import ErrorLimits, TableOptions
from warpmill.session.options import EvaluationOptions, MachineOptions, Output, Ptxas

Measurements = Annotated[
    Path,
    Arg(
        "A table with a row for each measured launch, or a page of ncu --csv (or .ncu-rep).",
        metavar="FILE.csv",
    ),
]
Workers = Annotated[int, Opt("Processes that estimate launches.", metavar="N", least=1)]


@dataclass(frozen=True)
class CorrelateOutput(Output):
    """Paths of the comparison and its plot."""

    plot: Annotated[
        Path | None,
        Opt("Draw estimated against measured (.png, .svg, .pdf).", metavar="FILE", writes="later"),
    ] = None


def correlate(
    file: Measurements,
    table: TableOptions,
    how: Annotated[EvaluationOptions, Without("registers", "assume")],
    machine: Annotated[MachineOptions, Without("machines")],
    fail_over: ErrorLimits,
    output: CorrelateOutput,
    ptxas: Ptxas = None,
    workers: Workers = 1,
) -> None:
    """Compare measured times of launches with estimated ones, and say how they agree.

    Of pages that Nsight Compute exports (ncu --csv --page raw), counters as well.
    """
    from warpmill.commands.correlate.result import correlate_report  # noqa: PLC0415
    from warpmill.measurements.correlated_rows import EngineChoices  # noqa: PLC0415
    from warpmill.measurements.correlations import correlation, table_choices  # noqa: PLC0415
    from warpmill.measurements.reading import read_measurements  # noqa: PLC0415
    from warpmill.simulator.machines import parse_overrides  # noqa: PLC0415 - slow to load

    check_written(output.output, output.plot)
    choices, overrides, _ = read_together(
        str(file),
        lambda: None,
        lambda: table_choices(table),
        lambda: parse_overrides(machine.settings),
        how.check,
    )
    measurements = read_measurements(file, choices)
    for line in measurements.columns.guesses():
        tell(line)
    with progress_bar(f"{how.engine}: {file.name}") as progress:
        config = EngineChoices(how, overrides, ptxas)
        found = correlation(
            measurements, config, progress, workers=workers, limits=fail_over.limits
        )
    for line in found.guesses():
        tell(line)
    if found.left_out:
        left, all_ = len(found.left_out), len(measurements.rows)
        tell(f"{left:,} of {all_:,} rows have no estimate; the report says why")
    print_diagnostics(found.remarks)
    if output.plot is not None:
        from warpmill.commands.correlate.plot import write_correlation  # noqa: PLC0415 - if asked for

        write_correlation(found, output.plot)
    emit(correlate_report(found), output)
    if found.exceeding:
        raise typer.Exit(1)
