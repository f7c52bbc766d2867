"""Explorations in a few lines of Python: a design space sampled, modelled and asked.

::

    found = warpmill.explore("stargazer", "hotspot:tiny", Sampling(100), study=StudyOptions("s.db"))
    told = warpmill.exploring.answers.answers(found)
    for best in told.workloads[0].best:
        print(best.point, best.predicted)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from warpmill.exploring.backends import PointWorkers
from warpmill.exploring.exploration import explore as explore_space
from warpmill.exploring.explored import ExplorationResult
from warpmill.exploring.measured import measured_points, with_measured
from warpmill.exploring.options import Sampling
from warpmill.exploring.points import ExplorationConfig
from warpmill.exploring.space import ExploredSpace
from warpmill.exploring.space_file import space_called
from warpmill.exploring.workloads import ExploredWorkload, explored_workload
from warpmill.session.options import KernelKeywords, launch_with
from warpmill.studies.options import NOT_KEPT, StudyOptions


def explore(
    space: str | Path | ExploredSpace,
    workloads: str | Path | ExploredWorkload | Sequence[str | Path | ExploredWorkload] = (),
    sampling: Sampling | None = None,
    *,
    how: ExplorationConfig | None = None,
    study: StudyOptions = NOT_KEPT,
    name: str | None = None,
    scheduler: str | None = None,
    measured: str | Path | None = None,
    **launch: Unpack[KernelKeywords],
) -> ExplorationResult:
    """Simulate, or estimate, samples of a space of machines and launches for workloads.

    ``space`` is a name (stargazer, modern), a file or one that was read. ``sampling`` is of 300
    points where nothing else is said. ``launch`` are keywords as of ``warpmill.prepare``:
    ``sizes={"n": 512}``, of a kernel file ``grid=64, block=256, args=[...]``. ``name`` is the
    exploration's, as its space without it. ``scheduler`` is the address of a Dask scheduler.
    ``measured`` is a table of measured points: without workloads they are all, with one they stand
    before its own. ``warpmill.exploring.answers.answers`` makes
    models.

    Errors as ``warpmill.exploring.exploration.explore``.
    """
    drawn = sampling or Sampling()
    read = space if isinstance(space, ExploredSpace) else space_called(space)
    kernel = launch.pop("kernel", None)
    options = launch_with(None, launch)
    given = (
        (workloads,) if isinstance(workloads, str | Path | ExploredWorkload) else tuple(workloads)
    )
    each = [
        w if isinstance(w, ExploredWorkload) else explored_workload(str(w), kernel, options)
        for w in given
    ]
    rows = None if measured is None else measured_points(read, Path(measured))[0]
    if rows is not None and not each:
        return rows
    found = explore_space(
        read,
        each,
        replace(drawn, retry=drawn.retry or study.retry),
        how,
        store=study.place,
        study=name,
        backend=PointWorkers(study.workers, scheduler),
        told=study.told,
    )
    return found if rows is None else with_measured(found, rows)
