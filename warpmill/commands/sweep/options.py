"""Options of what tries many configurations, and how their texts are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.opt import Opt
from warpmill.cli.options import machine_choice
from warpmill.session.jobs import is_workload
from warpmill.session.options import DEFAULT_MACHINES, LaunchOptions, Output, TargetOptions

if TYPE_CHECKING:
    from warpmill.sweeps.figures import Ranking
    from warpmill.sweeps.launches import SweepTarget
    from warpmill.sweeps.space import Axis, SweepSpace

LAUNCHES = """Which launch, from 0; without it all of a launch file, and of an application of each \
kernel the one that executes most."""

_DEFAULT = ", ".join(DEFAULT_MACHINES)
MACHINES = f"Machines by name, or machine files (.toml); without it {_DEFAULT}."


@dataclass(frozen=True)
class SweepOutput(Output):
    """Parts of a sweep that are shown, and their paths."""

    top: Annotated[int, Opt("How many of the best are shown.", metavar="N", least=1)] = 10
    by: Annotated[
        str,
        Opt(
            "What the best is by. More is better of occupancies, ctas_per_sm, warp_ipc, "
            "issue_slot_fraction and hit rates, less of others; :max and :min say it.",
            metavar="FIGURE[:max|:min]",
        ),
    ] = "time_us"
    pareto: Annotated[
        Sequence[str],
        Opt(
            "Show what nothing beats in both time and this figure.",
            metavar="FIGURE[:max|:min]",
            text=list[str],
            read=tuple,
        ),
    ] = ()
    per: Annotated[
        str | None,
        Opt(
            "Show the best for each value of these axes; without it machines and sizes.",
            metavar="NAME[,NAME]",
        ),
    ] = None
    plot: Annotated[
        Path | None,
        Opt("Draw the times in order of size (.png, .svg, .pdf).", metavar="FILE", writes="later"),
    ] = None


def existing_target(source: TargetOptions, launch: LaunchOptions) -> SweepTarget:
    """Target that is varied. One that is not there is refused first, whatever else is wrong.

    Errors as of ``SweepTarget.jobs``.
    """
    from warpmill.sweeps.launches import sweep_target  # noqa: PLC0415 - slow to load

    target, path = sweep_target(source, launch), source.target
    if path != "-" and not is_workload(path) and not Path(path).exists():
        target.jobs()
    return target


def machines_of(space: SweepSpace, given: Sequence[str] | None) -> tuple[str, ...]:
    """The machines: an axis of them, or those of --machine. UsageError where both say them."""
    axis = next((axis for axis in space.axes if axis.name == "machine"), None)
    if axis is None:
        return machine_choice(given)
    if given:
        raise UsageError("machines are varied already: give --machine, or --over machine=…")
    return tuple(map(str, axis.values))


def rankings(engine: str, axes: Sequence[Axis], by: str, fronts: Sequence[str]) -> list[Ranking]:
    """By what is ranked, and fronts behind it. UsageError for figures that there are not."""
    from warpmill.sweeps.figures import (  # noqa: PLC0415 - slow to load
        FIGURES,
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
    """Names of axes, read with commas between them; None for none. UsageError."""
    if text is None:
        return None
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    there = [axis.name for axis in axes]
    wrong = next((name for name in names if name not in there), None)
    if wrong is not None or not names:
        raise UsageError(f"{option} {text}: write names of what is varied: {', '.join(there)}")
    return names
