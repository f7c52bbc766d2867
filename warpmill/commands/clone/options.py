"""Options that ``clone`` has alone, and how their texts are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from warpmill.analyzer.base.opt import Opt
from warpmill.session.options import limits_by_figure

if TYPE_CHECKING:
    from warpmill.session.simulations import Done


def limits_of(texts: Sequence[str]) -> dict[str, float]:
    """Read limits of figures by name; ``*`` is that of all others. UsageError."""
    from warpmill.cloning.figures import NAMES  # noqa: PLC0415 - slow to load

    return limits_by_figure("--fail-over", texts, NAMES, "*")


@dataclass(frozen=True)
class CloneFiles:
    """Paths of a clone and its pictures, and how far off figures may be, by name."""

    out: Annotated[
        Path | None,
        Opt(
            "Write the clone to this folder, whole or not at all; without it, only compare.",
            metavar="DIR",
        ),
    ] = None
    plot: Annotated[
        Path | None,
        Opt("Draw the clone's blocks (.png, .svg, .pdf).", metavar="FILE", writes="later"),
    ] = None
    limits: Annotated[
        Mapping[str, float],
        Opt(
            "End with 1 where a figure, or any, is further off; --fail-over ipc=3%.",
            names=("--fail-over",),
            metavar="[FIGURE=]P%",
            text=list[str],
            read=limits_of,
        ),
    ] = field(default_factory=dict)


@contextmanager
def shown_stage(what: str, simulating: bool) -> Iterator[Callable[[Done], None] | None]:
    """Show on a terminal what is done, and how far a simulation is."""
    from warpmill.cli.output import working  # noqa: PLC0415 - as below
    from warpmill.cli.progress import simulation_bar  # noqa: PLC0415 - only once there is work

    if simulating:
        with simulation_bar(what) as progress:
            yield progress
        return
    with working(what):
        yield None
