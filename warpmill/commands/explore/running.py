"""Running explorations: what is told on the way, and what an interruption leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, none_answered
from warpmill.cli.output import tell
from warpmill.commands.sweep.progress import sweep_bar
from warpmill.commands.sweep.running import tell_of_others
from warpmill.studies.model import LIMITS
from warpmill.studies.options import StudyOptions

if TYPE_CHECKING:
    from warpmill.exploring.backends import PointWorkers
    from warpmill.exploring.explored import ExplorationResult
    from warpmill.exploring.points import ExplorationConfig
    from warpmill.exploring.sampling import Sampling
    from warpmill.exploring.space import ExploredSpace
    from warpmill.exploring.workloads import ExploredWorkload
    from warpmill.studies.running import Progress

_MANY = 1000
"""Points from which on it takes seconds to make their machines."""


def run_exploration(
    space: ExploredSpace,
    workloads: Sequence[ExploredWorkload],
    sampling: Sampling,
    how: ExplorationConfig,
    *,
    study: str | None,
    backend: PointWorkers,
    kept: StudyOptions,
) -> ExplorationResult:
    """Explore, and tell how far it is. KeyboardInterrupt passes, once what is left was told.

    InputError where nothing could be simulated, others as ``explore``.
    """
    from warpmill.exploring.exploration import explore as explore_space  # noqa: PLC0415
    from warpmill.exploring.running import ExplorationInterrupted  # noqa: PLC0415

    _tell_of_many(space, sampling)
    try:
        with sweep_bar(f"explore: {space.name}") as bar:
            found = explore_space(
                space, workloads, sampling, how,
                store=kept.place, study=study, backend=backend, told=_told(kept, bar),
            )  # fmt: skip
    except ExplorationInterrupted as end:
        tell(_interrupted(kept, end.over, end.all))
        raise
    except KeyboardInterrupt:
        tell("interrupted before anything was simulated")
        raise
    tell_of_others(found.here, found.elsewhere, found.known)
    _refuse_empty(found)
    return found


def _tell_of_many(space: ExploredSpace, sampling: Sampling) -> None:
    """Say that there are fewer points than asked for, and what takes long before the first one."""
    count, first = space.design.count, sampling.first(space.design)
    if (sampling.samples or 0) > count:
        tell(f"--samples {sampling.samples:,}: the space has {count:,} points, and all are taken")
    if first > _MANY:
        tell(f"making the machines of {first:,} points")


def _told(kept: StudyOptions, bar: Callable[[Progress], None] | None) -> Callable[[Progress], None]:
    def told(done: Progress) -> None:
        if bar is not None:
            bar(done)
        if not done.measured:
            left = done.all - done.over
            where = f"kept in {kept.shown}" if kept.shown is not None else "nothing is kept"
            tell(f"{done.over:,} points known, {left:,} to simulate; {where}")

    return told


def _interrupted(kept: StudyOptions, over: int, all_: int) -> str:
    if kept.shown is None:
        return f"interrupted with {over:,} of {all_:,} simulated; nothing is kept (--no-store)"
    return (
        f"interrupted: {over:,} of {all_:,} are kept in {kept.shown}; the same command goes on "
        "from there"
    )


def _refuse_empty(found: ExplorationResult) -> None:
    if any(one.measured for one in found.workloads):
        return
    failed = [one for own in found.workloads for one in own.samples if one.problem]
    reasons = dict.fromkeys(one.problem for one in failed if one.problem)
    words = f"no point could be simulated: {'; '.join(list(reasons)[:3])}"
    limits = (LIMITS in one.facts for one in failed)
    raise none_answered(limits, Diagnostic(Severity.ERROR, words, found.workloads[0].title))
