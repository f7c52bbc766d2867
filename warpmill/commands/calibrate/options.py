"""The options that ``calibrate`` has alone, and what they may be together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.writable import check_files, check_new_folder
from warpmill.cli.written_files import written

OnModel = Annotated[
    str | None,
    typer.Option(
        "--on-model",
        metavar="NAME",
        help="Calibrate on the whole-GPU model of this machine, or machine file (.toml), and not "
        "on a GPU.",
        show_default=False,
    ),
]
Only = Annotated[
    list[str] | None,
    typer.Option(
        "--only",
        metavar="GROUP[,GROUP]",
        help="Measure these groups: latency, interval, shared, caches, constant, texture, code, "
        "bandwidth, launch.",
        show_default=False,
    ),
]
MachineName = Annotated[
    str | None,
    typer.Option(
        "--machine",
        "-m",
        metavar="NAME",
        help="What the new machine is called; without --out its file is NAME.toml.",
        show_default=False,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out", callback=written, metavar="FILE", help="Write the machine file here (.toml)."
    ),
]
Like = Annotated[
    str | None,
    typer.Option(
        "--like",
        metavar="MACHINE",
        help="The machine that has what is not measured; without it the one of the GPU's name, or "
        "the model's.",
        show_default=False,
    ),
]
Repeats = Annotated[
    int,
    typer.Option("--repeats", metavar="N", min=1, help="Launches of each on a GPU; the median."),
]
Workers = Annotated[
    int,
    typer.Option("--workers", metavar="N", min=1, help="Processes that simulate launches."),
]
Ptx = Annotated[
    Path | None,
    typer.Option(
        "--ptx", metavar="FOLDER", help="Write the micro-benchmarks here, a .ptx file each."
    ),
]
Check = Annotated[
    bool,
    typer.Option(
        "--check", help="Exit with 1 where a value differs by more than 5 % and one cycle."
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        callback=written,
        metavar="FILE",
        help="Draw latency over footprint and throughput over warps (.png, .svg, .pdf).",
    ),
]


def file_of(machine: str | None, out: Path | None) -> Path | None:
    """Give where the machine file goes; None: nowhere.

    UsageError for a name with a path in it, and for a file that no --machine would take.
    """
    if out is not None:
        check_toml("--out", out)
    if out is not None or machine is None:
        return out
    is_plain = bool(machine) and machine.isprintable() and Path(machine).name == machine
    if not is_plain or machine.startswith("."):
        shown = machine or "''"
        raise UsageError(f"--machine {shown}: this is no name of a file; --out FILE says where")
    return Path(f"{machine}.toml")


def check_toml(option: str, path: Path) -> None:
    """Refuse the name of a machine file that no --machine would take. UsageError."""
    if path.suffix != ".toml":
        raise UsageError(f"{option} {path}: the name of a machine file ends in .toml")


def check_places(
    file: Path | None, output: Path | None, plot: Path | None, folder: Path | None
) -> None:
    """Refuse, before anything is measured, what could not be written. UsageError."""
    from warpmill.report.pictures import check_plot  # noqa: PLC0415 - slow to load

    if plot is not None:
        check_plot(plot)
    if folder is not None:
        check_new_folder(folder)
    check_files({"--out": file, "--output": output, "--plot": plot})
