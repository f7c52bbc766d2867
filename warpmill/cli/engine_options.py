"""Which engine says how long launches take, with its options; what is written is checked first."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.writable import check_files
from warpmill.simulator.gpu.options import Options


class Engine(StrEnum):
    """What estimates times."""

    ESTIMATE = "estimate"
    SIMULATE = "simulate"


EngineOption = Annotated[Engine, typer.Option("--engine", help="What says how long launches take.")]


def simulation_options(engine: Engine, **given: int | bool | str | None) -> Options | None:
    """Put the options of simulations together. UsageError where nothing is simulated."""
    named: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if engine is Engine.SIMULATE:
        return Options(**named)
    if named:
        option = next(iter(named)).removesuffix("_bytes").replace("_", "-")
        raise UsageError(f"--{option} is for --engine simulate")
    return None


def check_written(output: Path | None, plot: Path | None) -> None:
    """Refuse, before anything is estimated, what could not be written. UsageError."""
    check_files({"--output": output, "--plot": plot})
    if plot is not None:
        from warpmill.report.pictures import check_plot  # noqa: PLC0415 - slow to load

        check_plot(plot)
