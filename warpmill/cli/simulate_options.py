"""The options of ``simulate``, of which other commands that simulate take some."""

from __future__ import annotations

from typing import Annotated

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
