"""The options of ``simulate``, of which other commands that simulate take some."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from warpmill.cli.written_files import written

DEFAULT_MACHINE = "v100"
"""The machine that is simulated where none is named."""


class StreamsChoice(StrEnum):
    """How launches of several streams follow each other."""

    RECORDED = "recorded"
    SERIAL = "serial"


class StatsFormat(StrEnum):
    """The words that text is written in."""

    WARPMILL = "warpmill"
    GPGPUSIM = "gpgpusim"


Machines = Annotated[
    list[str] | None,
    typer.Option(
        "--machine",
        "-m",
        metavar="NAME[,NAME]",
        help=f"Machines by name, or machine files (.toml); without it {DEFAULT_MACHINE}.",
        show_default=False,
    ),
]
Launches = Annotated[
    str | None,
    typer.Option(
        "--launch",
        metavar="N|all",
        help="Which launch, from 0, or all of them in a row; without it all of a launch file, and "
        "of a program, a recording or a workload of each kernel the one that executes most.",
        show_default=False,
    ),
]
Assume = Annotated[
    list[str] | None,
    typer.Option(
        "--assume",
        metavar="NAME=N",
        help="Trip count of a loop that data decide; analyze names the loops.",
        show_default=False,
    ),
]
KeepL1 = Annotated[
    bool, typer.Option("--keep-l1", help="Let L1 keep what it holds from launch to launch.")
]
FlushL2 = Annotated[bool, typer.Option("--flush-l2", help="Empty L2 between launches.")]
WarmL2 = Annotated[
    bool,
    typer.Option(
        "--warm-l2", help="Let L2 hold what it can of the buffers at first, as copies leave it."
    ),
]
StreamsOption = Annotated[
    StreamsChoice,
    typer.Option("--streams", help="Whether launches of different streams may overlap."),
]
Rounds = Annotated[
    int | None,
    typer.Option(
        "--rounds",
        metavar="N",
        min=1,
        help="Simulate N rounds of CTAs of each launch and continue them in a line; a round is as "
        "many as all SMs hold.",
        show_default=False,
    ),
]
Workers = Annotated[
    int,
    typer.Option(
        "--workers",
        metavar="N",
        min=1,
        help="Machines that are simulated at a time, each in a process of its own.",
    ),
]
MaxCycles = Annotated[
    int | None,
    typer.Option(
        "--max-cycles", metavar="N", min=1, help="Most cycles to simulate.", show_default=False
    ),
]
MaxMemory = Annotated[
    int | None,
    typer.Option(
        "--max-memory",
        metavar="BYTES",
        min=1,
        help="Most bytes that a simulation takes; 4294967296 without it.",
        show_default=False,
    ),
]
MaxTraceEvents = Annotated[
    int | None,
    typer.Option(
        "--max-trace-events",
        metavar="N",
        min=1,
        help="Most events of the traces of one CTA; 50000000 without it.",
        show_default=False,
    ),
]
UnitInstructions = Annotated[
    int | None,
    typer.Option(
        "--unit-instructions",
        metavar="N",
        min=1,
        help="Warp instructions of a sampling unit; 1000000 without it.",
        show_default=False,
    ),
]
StatsFormatOption = Annotated[
    StatsFormat,
    typer.Option("--stats-format", help="Words of the text: warpmill's, or GPGPU-Sim's names."),
]
Timeline = Annotated[
    Path | None,
    typer.Option(
        "--timeline",
        callback=written,
        metavar="FILE",
        help="Write a timeline for Perfetto (.json, .json.gz).",
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot", callback=written, metavar="FILE", help="Draw what happened (.png, .svg, .pdf)."
    ),
]
Until = Annotated[
    int | None,
    typer.Option(
        "--until",
        metavar="CYCLE",
        min=1,
        help="Stop at this cycle and put the simulation away; needs --checkpoint.",
        show_default=False,
    ),
]
Checkpoint = Annotated[
    Path | None,
    typer.Option(
        "--checkpoint",
        callback=written,
        metavar="FILE",
        help="Where --until puts the simulation away.",
    ),
]
Resume = Annotated[
    Path | None,
    typer.Option(
        "--resume", metavar="FILE", help="Go on from a checkpoint of the same simulation."
    ),
]
