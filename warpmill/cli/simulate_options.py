"""The options of ``simulate``, of which other commands that simulate take some."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

DEFAULT_MACHINE = "v100"
"""The machine that is simulated where none is named."""


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
L2 = Annotated[
    Literal["cold", "warm"] | None,
    typer.Option(
        "--l2",
        help="What L2 has at first: cold: nothing; warm: what fits of the launch's buffers.",
        show_default=False,
    ),
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
