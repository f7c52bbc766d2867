"""The options that ``correlate`` has alone, and how their texts are read."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.options import pair
from warpmill.cli.written_files import written

if TYPE_CHECKING:
    from warpmill.measurements.machines import MachineChoices


class Unit(StrEnum):
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
    Unit | None,
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
