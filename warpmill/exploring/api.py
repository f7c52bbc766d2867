"""Explorations in a few lines of Python: a design space sampled, modelled and asked.

::

    found = warpmill.explore("stargazer", "hotspot:tiny", Sampling(100), study=StudyOptions("s.db"))
    told = warpmill.exploring.answers.answers(found)
    for best in told.workloads[0].best:
        print(best.point, best.predicted)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from warpmill.exploring.backends import PointWorkers
from warpmill.exploring.exploration import explore as explore_space
from warpmill.exploring.explored import ExplorationResult
from warpmill.exploring.options import Sampling
from warpmill.exploring.points import ExplorationConfig
from warpmill.exploring.space import ExploredSpace
from warpmill.exploring.space_file import space_called
from warpmill.exploring.workloads import ExploredWorkload
from warpmill.studies.options import NOT_KEPT, StudyOptions


def explore(
    space: str | Path | ExploredSpace,
    workloads: str | Path | ExploredWorkload | Sequence[str | Path | ExploredWorkload],
    sampling: Sampling | None = None,
    *,
    sizes: Mapping[str, int | str] | None = None,
    how: ExplorationConfig | None = None,
    study: StudyOptions = NOT_KEPT,
    name: str | None = None,
    scheduler: str | None = None,
) -> ExplorationResult:
    """Simulate samples of a space of machines for workloads.

    ``space`` is a name (stargazer, modern), a file or one that was read. ``sampling`` is of 300
    points where nothing else is said. ``name`` is the exploration's, as its space without it.
    ``scheduler`` is the address of a Dask scheduler. ``warpmill.exploring.answers.answers`` makes
    models.

    Errors as ``warpmill.exploring.exploration.explore``.
    """
    drawn = sampling or Sampling()
    read = space if isinstance(space, ExploredSpace) else space_called(space)
    given = (
        (workloads,) if isinstance(workloads, str | Path | ExploredWorkload) else tuple(workloads)
    )
    each = [
        w if isinstance(w, ExploredWorkload) else ExploredWorkload(str(w), dict(sizes or {}))
        for w in given
    ]
    return explore_space(
        read,
        each,
        replace(drawn, retry=drawn.retry or study.retry),
        how,
        store=study.place,
        study=name,
        backend=PointWorkers(study.workers, scheduler),
        told=study.told,
    )
