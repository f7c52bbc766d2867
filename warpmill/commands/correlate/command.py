"""``warpmill correlate``."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.engine_options import Engine, EngineOption, check_written, simulation_options
from warpmill.cli.options import (
    Format,
    FormatOption,
    MaxTraceInstructions,
    MaxTraceVisits,
    Output,
    Ptxas,
    Settings,
    TraceChoice,
    Verbose,
    trace_options,
)
from warpmill.cli.output import Destination, complain, emit, tell
from warpmill.cli.progress import progress_bar
from warpmill.cli.simulate_options import L2, MaxCycles, MaxMemory, MaxTraceEvents, Rounds
from warpmill.cli.written_files import written
from warpmill.session.options import pair

if TYPE_CHECKING:
    from warpmill.measurements.machines import MachineChoices


def correlate(  # noqa: PLR0913, PLR0917 - one parameter for each option
    file: Measurements,
    column: ColumnNames = None,
    unit: UnitOption = None,
    target: TargetOption = None,
    machine: MachinesOption = None,
    engine: EngineOption = Engine.ESTIMATE,
    set_: Settings = None,
    kernel: KernelOption = None,
    size: SizeOption = None,
    arg: ArgumentsOption = None,
    ptxas: Ptxas = False,
    source: TraceChoice = "auto",
    max_trace_visits: MaxTraceVisits = None,
    max_instructions: MaxTraceInstructions = None,
    rounds: Rounds = None,
    l2: L2 = None,
    max_cycles: MaxCycles = None,
    max_memory: MaxMemory = None,
    max_trace_events: MaxTraceEvents = None,
    workers: Workers = 1,
    plot: Plot = None,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Put measured times of launches beside estimated ones, and say how they agree."""
    from warpmill.commands.correlate.result import correlate_report  # noqa: PLC0415
    from warpmill.measurements.correlated_rows import EngineChoices  # noqa: PLC0415
    from warpmill.measurements.correlations import correlation  # noqa: PLC0415
    from warpmill.measurements.launches import SharedParts  # noqa: PLC0415
    from warpmill.measurements.reading import TableChoices, read_measurements  # noqa: PLC0415
    from warpmill.session.options import RegisterSources  # noqa: PLC0415
    from warpmill.simulator.machines import parse_overrides  # noqa: PLC0415 - slow to load

    check_written(output, plot)
    sizes = dict(pair("--size", text, "n=4096") for text in size or ())
    choices = TableChoices(
        column_names(column),
        None if unit is None else unit.value,
        machine_choices(machine),
        SharedParts(target, kernel, sizes, tuple(arg or ())),
    )
    how = EngineChoices(
        engine.value,
        parse_overrides(set_ or ()),
        RegisterSources(ptxas=ptxas),
        trace_options(source, None, max_trace_visits, max_instructions=max_instructions),
        simulation_options(
            engine,
            rounds=rounds,
            l2=l2,
            max_cycles=max_cycles,
            max_memory_bytes=max_memory,
            max_trace_events=max_trace_events,
        ),
    )
    measurements = read_measurements(file, choices)
    for line in measurements.columns.guesses():
        tell(line)
    with progress_bar(f"{how.engine}: {file.name}") as progress:
        found = correlation(measurements, how, progress, workers=workers)
    for line in found.guesses():
        tell(line)
    if found.left_out:
        left, all_ = len(found.left_out), len(measurements.rows)
        tell(f"{left:,} of {all_:,} rows have no estimate; the report says why")
    complain(found.remarks)
    if plot is not None:
        from warpmill.commands.correlate.plot import write_correlation  # noqa: PLC0415 - if asked for

        write_correlation(found, plot)
    emit(correlate_report(found), Destination(format_, output, verbose))


# The options that ``correlate`` has alone, and how their texts are read.


class TimeUnit(StrEnum):
    """Units of a measured time."""

    S = "s"
    MS = "ms"
    US = "us"
    NS = "ns"
    CYCLES = "cycles"


Measurements = Annotated[
    Path,
    typer.Argument(
        metavar="FILE.csv",
        help="A table with a header, and a row for each measured launch.",
        show_default=False,
    ),
]
ColumnNames = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="WHAT=NAME",
        help="Which column has time, unit, machine, target, kernel, launch, grid, block, shared, "
        "registers, args, or a size of the targets; others are guessed by their headers. WHAT= "
        "says that none has it.",
        show_default=False,
    ),
]
UnitOption = Annotated[
    TimeUnit | None,
    typer.Option("--unit", help="Unit of the times.", show_default=False),
]
TargetOption = Annotated[
    str | None,
    typer.Option(
        "--target",
        metavar="TARGET",
        help="What all rows launch, where no column says it: a launch file (.toml), a kernel file "
        "(.ptx, .ll, .bc), a program (.py), a recording (.wmrec), a workload (bfs:tiny).",
        show_default=False,
    ),
]
KernelOption = Annotated[
    str | None,
    typer.Option("--kernel", "-k", metavar="NAME", help="Which kernel, where no column says it."),
]
SizeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--size",
        metavar="NAME=VALUE",
        help="Replace a size of the targets in all rows that do not say it.",
        show_default=False,
    ),
]
ArgumentsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--arg",
        metavar="VALUE",
        help="The next argument, where targets are kernel files: 5, f32=0.5, buffer=f32:1024.",
        show_default=False,
    ),
]
MachinesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--machine",
        "-m",
        metavar="NAME|GPU=NAME",
        help="The machine of all rows, where no column says it, by name or as a file (.toml); or "
        "which one stands for a GPU of the table.",
        show_default=False,
    ),
]
Workers = Annotated[
    int,
    typer.Option("--workers", metavar="N", min=1, help="Processes that estimate launches."),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        callback=written,
        metavar="FILE",
        help="Draw estimated against measured (.png, .svg, .pdf).",
    ),
]


def machine_choices(given: Sequence[str] | None) -> MachineChoices:
    """Read machines: one for all rows, and those that stand for GPUs. UsageError."""
    from warpmill.measurements.machines import MachineChoices  # noqa: PLC0415 - slow to load

    every: str | None = None
    named: dict[str, str] = {}
    for text in given or ():
        if "=" in text:
            gpu, machine = pair("--machine", text, "'Tesla V100=v100'")
            if named.setdefault(gpu, machine) != machine:
                raise UsageError(f"--machine {text}: {gpu} is {named[gpu]} too")
        elif every is not None and every != text:
            raise UsageError(f"--machine {text}: all rows are of {every} already")
        elif not text.strip():
            raise UsageError("--machine names no machine")
        else:
            every = text
    return MachineChoices(every, named)


def column_names(given: Sequence[str] | None) -> dict[str, str]:
    """Read which column is what; ``kernel=`` says that none is the kernel. UsageError."""
    found: dict[str, str] = {}
    for text in given or ():
        what, name = text.strip().removesuffix("="), ""
        if not what or what == text.strip() or "=" in what:
            what, name = pair("--column", text, "time=duration_ms")
        if found.setdefault(what, name) != name:
            raise UsageError(f"--column {text}: {what} is column `{found[what]}` already")
    return found
