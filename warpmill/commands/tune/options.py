"""Options that ``tune`` has alone, and what does not go together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.engine_options import Engine, simulation_options
from warpmill.cli.options import with_machines_named
from warpmill.cli.written_files import written
from warpmill.session.options import pair
from warpmill.simulator.gpu.options import Options

if TYPE_CHECKING:
    from warpmill.sweeps.launches import SweepTarget
    from warpmill.sweeps.space import SweepSpace
    from warpmill.tuning.checking import Checker

Variants = Annotated[
    list[str] | None,
    typer.Option(
        "--variant",
        metavar="[NAME=]FILE[:KERNEL]",
        help="Another way to do the same: a kernel file with other code for the launch, or a "
        "launch file of its own.",
        show_default=False,
    ),
]
Over = Annotated[
    list[str] | None,
    typer.Option(
        "--over",
        metavar="NAME=VALUES",
        help="What is chosen: block, a size of the launch file, grid, shared, regs: block=64,128 "
        "or 'tile=8..32*2'; without it blocks that are worth a try.",
        show_default=False,
    ),
]
KeepBlock = Annotated[
    bool, typer.Option("--keep-block", help="Leave the block as it is: variants alone.")
]
KeepGrid = Annotated[
    bool,
    typer.Option(
        "--keep-grid",
        help="Leave the grid as it is where the block changes: a CTA has the same work.",
    ),
]
Refine = Annotated[
    int,
    typer.Option(
        "--refine",
        metavar="N",
        min=0,
        help="Simulate the N best and the default on the whole GPU, and rank them by that.",
    ),
]
Check = Annotated[
    bool,
    typer.Option(
        "--check/--no-check", help="Execute the best, and compare what they leave in memory."
    ),
]
CheckSizes = Annotated[
    list[str] | None,
    typer.Option(
        "--check-size",
        metavar="NAME=VALUE",
        help="A size of the launch file for what is executed; small ones are quick.",
        show_default=False,
    ),
]
MaxCheckInstructions = Annotated[
    int | None,
    typer.Option(
        "--max-check-instructions",
        metavar="N",
        min=1,
        help="Most thread instructions of one execution; 2000000000 without it.",
        show_default=False,
    ),
]
Top = Annotated[
    int,
    typer.Option("--top", metavar="N", min=1, help="How many of the best are executed and shown."),
]
Workers = Annotated[
    int,
    typer.Option(
        "--workers", metavar="N", min=1, help="Processes that measure, threads that execute."
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        callback=written,
        metavar="FILE",
        help="Draw the best beside the default (.png, .svg, .pdf).",
    ),
]


def space_wanted(
    over: Sequence[str] | None, where: Sequence[str] | None, file: Path | None
) -> SweepSpace:
    """Put together what is varied; nothing at all is a space, too. UsageError, InputError."""
    from warpmill.sweeps.space import SweepSpace, space_of  # noqa: PLC0415 - slow to load

    if over or file is not None:
        return with_machines_named(space_of(over or (), where or (), file))
    return SweepSpace((), tuple(where or ()))


def checker_of(
    target: SweepTarget,
    sizes: Sequence[str] | None,
    most: int | None,
    *,
    check: bool,
    workers: int,
) -> Checker | None:
    """Make what executes choices. UsageError for its options where nothing is executed."""
    from warpmill.tuning.checking import MOST_INSTRUCTIONS, Checker  # noqa: PLC0415 - slow to load

    if not check:
        for option, value in (("--check-size", sizes), ("--max-check-instructions", most)):
            if value:
                raise UsageError(f"{option} is for what --no-check leaves out")
        return None
    named = dict(pair("--check-size", text, "n=4096") for text in sizes or ())
    return Checker(target, named, MOST_INSTRUCTIONS if most is None else most, workers)


def refining_options(
    engine: Engine, refine: int, **given: int | bool | str | None
) -> Options | None:
    """Give the options of simulations. UsageError where nothing is, or all is simulated anyway."""
    if refine and engine is Engine.SIMULATE:
        raise UsageError(
            "--refine simulates what --engine simulate has simulated: give one of them"
        )
    return simulation_options(Engine.SIMULATE if refine else engine, **given)
