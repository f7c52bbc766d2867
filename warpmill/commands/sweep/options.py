"""Options of what tries many configurations, and how their texts are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.options import launch_options, machine_choice
from warpmill.cli.written_files import written
from warpmill.session.targets import is_application, is_workload

if TYPE_CHECKING:
    from warpmill.sweeps.figures import Ranking
    from warpmill.sweeps.launches import SweepTarget
    from warpmill.sweeps.space import Axis, SweepSpace

Over = Annotated[
    list[str] | None,
    typer.Option(
        "--over",
        metavar="NAME=VALUES",
        help="Vary a size of the launch file, block, grid, shared, regs, machine, or a value of "
        "machines (sm.count): block=64,128 or 'n=1024..65536*2' or rows=1000..9000+500.",
        show_default=False,
    ),
]
Where = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="CONDITION",
        help="Only configurations that meet this, such as 'n >= 4 * block' or 'block_x <= 32'.",
        show_default=False,
    ),
]
SpaceFile = Annotated[
    Path | None,
    typer.Option(
        "--space", metavar="FILE.toml", help="A file with [over] and where.", show_default=False
    ),
]
LaunchNumber = Annotated[
    str | None,
    typer.Option(
        "--launch",
        metavar="N|all",
        help="Which launch, from 0; without it all of a launch file, and of an application of each "
        "kernel the one that executes most.",
        show_default=False,
    ),
]
StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="FILE|URL",
        help="Where configurations are kept once they are measured: an SQLite file, or a database "
        "(postgresql+psycopg://…); without it warpmill/studies.db in the user's cache folder "
        "(~/.cache, or XDG_CACHE_HOME).",
        show_default=False,
    ),
]
NoStore = Annotated[bool, typer.Option("--no-store", help="Keep nothing, and know nothing.")]
Workers = Annotated[
    int,
    typer.Option("--workers", metavar="N", min=1, help="Processes that measure configurations."),
]
Retry = Annotated[
    bool,
    typer.Option("--retry", help="Try configurations again that could not be measured before."),
]
MaxPoints = Annotated[
    int | None,
    typer.Option(
        "--max-points",
        metavar="N",
        min=1,
        help="Most configurations; 1000000 without it.",
        show_default=False,
    ),
]
Top = Annotated[
    int, typer.Option("--top", metavar="N", min=1, help="How many of the best are shown.")
]
By = Annotated[
    str,
    typer.Option(
        "--by",
        metavar="FIGURE[:max|:min]",
        help="What the best is by. More is better of occupancy, ctas_per_sm, ipc, "
        "issue_slots_used and hit rates, less of others; :max and :min say it.",
    ),
]
Pareto = Annotated[
    list[str] | None,
    typer.Option(
        "--pareto",
        metavar="FIGURE[:max|:min]",
        help="Show what nothing beats in both time and this figure.",
        show_default=False,
    ),
]
Per = Annotated[
    str | None,
    typer.Option(
        "--per",
        metavar="NAME[,NAME]",
        help="Show the best for each value of these axes; without it machines and sizes.",
        show_default=False,
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        callback=written,
        metavar="FILE",
        help="Draw the times in order of size (.png, .svg, .pdf).",
    ),
]


def sweep_target(  # noqa: PLR0913 - each option by its name
    path: str,
    kernel: str | None,
    *,
    grid: str | None,
    block: str | None,
    shared: int | None,
    arguments: Sequence[str] | None,
    symbols: Sequence[str] | None,
    sizes: Sequence[str] | None,
    launch: str | None,
    strict: bool,
) -> SweepTarget:
    """Say what is varied. UsageError for options that are none.

    A target that is not there is refused first, whatever else is wrong. Errors as of
    ``SweepTarget.jobs``.
    """
    from warpmill.sweeps.launches import SweepTarget  # noqa: PLC0415 - slow to load

    options = launch_options(grid, block, shared, arguments, sizes, symbols=symbols, launch=launch)
    if is_application(path):
        return _there(SweepTarget(path, kernel, options, strict=strict))
    number = options.launches if isinstance(options.launches, int) else None
    return _there(SweepTarget(path, kernel, replace(options, launches="largest"), number, strict))


def _there(target: SweepTarget) -> SweepTarget:
    path = target.path
    if path != "-" and not is_workload(path) and not Path(path).exists():
        target.jobs()
    return target


def machines_of(space: SweepSpace, given: Sequence[str] | None) -> tuple[str, ...]:
    """List the machines: an axis of them, or those of --machine. UsageError where both say them."""
    axis = next((axis for axis in space.axes if axis.name == "machine"), None)
    if axis is None:
        return machine_choice(given)
    if given:
        raise UsageError("machines are varied already: give --machine, or --over machine=…")
    return tuple(map(str, axis.values))


def rankings(engine: str, axes: Sequence[Axis], by: str, fronts: Sequence[str]) -> list[Ranking]:
    """Read by what is ranked, and fronts behind it. UsageError for figures that there are not."""
    from warpmill.sweeps.evaluation import FIGURES  # noqa: PLC0415 - slow to load
    from warpmill.sweeps.figures import (  # noqa: PLC0415
        TIME,
        check_ranking,
        names_of,
        parse_ranking,
    )

    names, found = names_of(FIGURES[engine], axes), []
    for option, text in (("--by", by), *(("--pareto", text) for text in fronts)):
        ranking = parse_ranking(option, text)
        check_ranking(option, ranking, names)
        if option == "--pareto" and ranking.figure == TIME:
            raise UsageError(f"--pareto {text}: a front is of the time against another figure")
        found.append(ranking)
    return found


def axis_names(option: str, text: str | None, axes: Sequence[Axis]) -> tuple[str, ...] | None:
    """Read names of axes with commas between them; None for none. UsageError."""
    if text is None:
        return None
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    there = [axis.name for axis in axes]
    wrong = next((name for name in names if name not in there), None)
    if wrong is not None or not names:
        raise UsageError(f"{option} {text}: write names of what is varied: {', '.join(there)}")
    return names
