"""The options that ``calibrate`` has alone, and what they may be together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.opt import Opt
from warpmill.analyzer.base.whole_files import check_files, check_new_folder
from warpmill.session.options import Settings


@dataclass(frozen=True)
class CalibrationOptions:
    """Subject of a calibration: the model of a machine, or a GPU; by which groups, and how."""

    on_model: Annotated[
        str | None,
        Opt(
            "Calibrate on the whole-GPU model of this machine, or machine file (.toml), and not "
            "on a GPU.",
            metavar="NAME",
            completes="machine",
        ),
    ] = None
    settings: Settings = ()
    groups: Annotated[
        tuple[str, ...] | None,
        Opt(
            "Measure these groups: latency, interval, shared, caches, constant, texture, code, "
            "bandwidth, launch.",
            names=("--only",),
            metavar="GROUP[,GROUP]",
            text=list[str],
            read=tuple,
        ),
    ] = None
    name: Annotated[
        str | None,
        Opt(
            "What the new machine is called; without --out its file is NAME.toml.",
            names=("--machine", "-m"),
            metavar="NAME",
        ),
    ] = None
    like: Annotated[
        str | None,
        Opt(
            "The machine that has what is not measured; without it the one of the GPU's name, or "
            "the model's.",
            metavar="MACHINE",
        ),
    ] = None
    repeats: Annotated[int, Opt("Launches of each on a GPU; the median.", metavar="N", least=1)] = 7
    workers: Annotated[int, Opt("Processes that simulate launches.", metavar="N", least=1)] = 1

    def __post_init__(self) -> None:
        if self.on_model is None and self.settings:
            raise UsageError("--set changes the machine of --on-model; a GPU is as it is")


@dataclass(frozen=True)
class CalibrationFiles:
    """Files that are written beside the report."""

    out: Annotated[
        Path | None, Opt("Write the machine file here (.toml).", metavar="FILE", writes="later")
    ] = None
    ptx: Annotated[
        Path | None,
        Opt("Write the micro-benchmarks here, a .ptx file each.", metavar="FOLDER"),
    ] = None
    plot: Annotated[
        Path | None,
        Opt(
            "Draw latency over footprint and throughput over warps (.png, .svg, .pdf).",
            metavar="FILE",
            writes="later",
        ),
    ] = None

    def machine_file(self, name: str | None) -> Path | None:
        """Path of the machine file; None: it is not written.

        UsageError for a name with a path in it, and for a file that no --machine would take.
        """
        if self.out is not None:
            check_toml("--out", self.out)
        if self.out is not None or name is None:
            return self.out
        is_plain = bool(name) and name.isprintable() and Path(name).name == name
        if not is_plain or name.startswith("."):
            shown = name or "''"
            raise UsageError(f"--machine {shown}: this is no name of a file; --out FILE says where")
        return Path(f"{name}.toml")

    def check(self, file: Path | None, output: Path | None) -> None:
        """Refuse, before anything is measured, what could not be written. UsageError."""
        from warpmill.report.pictures import check_plot  # noqa: PLC0415 - slow to load

        if self.plot is not None:
            check_plot(self.plot)
        if self.ptx is not None:
            check_new_folder(self.ptx)
        check_files({"--out": file, "--output": output, "--plot": self.plot})


def check_toml(option: str, path: Path) -> None:
    """Refuse the name of a machine file that no --machine would take. UsageError."""
    if path.suffix != ".toml":
        raise UsageError(f"{option} {path}: the name of a machine file ends in .toml")
