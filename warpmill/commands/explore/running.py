"""Running explorations: what is told on the way, and what an interruption leaves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from warpmill.cli.output import tell
from warpmill.commands.sweep.running import refuse_empty, tell_of_others, told_progress
from warpmill.studies.model import LIMITS
from warpmill.studies.options import StudyOptions

if TYPE_CHECKING:
    from warpmill.exploring.backends import PointWorkers
    from warpmill.exploring.explored import ExplorationResult
    from warpmill.exploring.options import Sampling
    from warpmill.exploring.points import ExplorationConfig
    from warpmill.exploring.space import ExploredSpace
    from warpmill.exploring.workloads import ExploredWorkload

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

    _tell_of_many(space, sampling)
    with told_progress(f"explore: {space.name}", kept) as told:
        found = explore_space(
            space, workloads, sampling, how,
            store=kept.place, study=study, backend=backend, told=told,
        )  # fmt: skip
    tell_of_others(found.here, found.elsewhere, found.known)
    if not any(one.measured for one in found.workloads):
        failed = [one for own in found.workloads for one in own.failures]
        limits = (LIMITS in one.facts for one in failed)
        title = found.workloads[0].title
        refuse_empty(title, (one.problem or "" for one in failed), limits)
    return found


def _tell_of_many(space: ExploredSpace, sampling: Sampling) -> None:
    """Say that there are fewer points than asked for, and what takes long before the first one."""
    count, first = space.design.count, sampling.first(space.design)
    if (sampling.samples or 0) > count:
        tell(f"--samples {sampling.samples:,}: the space has {count:,} points, and all are taken")
    if first > _MANY:
        tell(f"making the machines of {first:,} points")
