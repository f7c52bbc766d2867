"""Explorations in a few lines of Python: a design space sampled, modelled and asked.

::

    found = warpmill.explore("stargazer", "hotspot:tiny", samples=100, store="studies.db")
    told = warpmill.exploring.answers.answers(found)
    for best in told.workloads[0].best:
        print(best.point, best.predicted)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from warpmill.exploring.backends import PointWorkers
from warpmill.exploring.exploration import explore as explore_space
from warpmill.exploring.explored import ExplorationResult
from warpmill.exploring.fitting import Fitting
from warpmill.exploring.points import ExplorationConfig
from warpmill.exploring.sampling import Sampling
from warpmill.exploring.space import ExploredSpace
from warpmill.exploring.space_file import space_called
from warpmill.exploring.workloads import ExploredWorkload
from warpmill.session.options import TraceOptions
from warpmill.simulator.gpu.options import Options
from warpmill.studies.running import ProgressListener


def explore(  # noqa: PLR0913 - each option by its name
    space: str | Path | ExploredSpace,
    workloads: str | Path | ExploredWorkload | Sequence[str | Path | ExploredWorkload],
    *,
    samples: int | None = None,
    fraction: float | Fraction | None = None,
    fraction_of_each: float | Fraction | None = None,
    until_error: float | None = None,
    fitting: Fitting | None = None,
    method: str = "random",
    seed: int = 0,
    sizes: Mapping[str, int | str] | None = None,
    trace_options: TraceOptions | None = None,
    simulation: Options | None = None,
    store: str | Path | None = None,
    study: str | None = None,
    workers: int = 1,
    scheduler: str | None = None,
    retry: bool = False,
    told: ProgressListener | None = None,
) -> ExplorationResult:
    """Simulate samples of a space of machines for workloads.

    ``space`` is a name (stargazer, modern), a file or one that was read. ``samples`` (300 where
    nothing else is said), ``fraction``, ``fraction_of_each`` and ``until_error`` (percent, of
    models as ``fitting`` says) are as for ``Sampling``. ``scheduler`` is the address of a Dask
    scheduler. Without ``store``, a file or a URL, nothing is kept.
    ``warpmill.exploring.answers.answers`` makes models.

    Errors as ``warpmill.exploring.exploration.explore``.
    """
    read = space if isinstance(space, ExploredSpace) else space_called(space)
    given = (
        (workloads,) if isinstance(workloads, str | Path | ExploredWorkload) else tuple(workloads)
    )
    each = [
        w if isinstance(w, ExploredWorkload) else ExploredWorkload(str(w), dict(sizes or {}))
        for w in given
    ]
    sampling = Sampling(
        samples, fraction, until_error, fitting or Fitting(), method, seed,
        fraction_of_each=fraction_of_each,
    )  # fmt: skip
    return explore_space(
        read,
        each,
        sampling,
        ExplorationConfig(trace_options or TraceOptions(), simulation),
        store=store,
        study=study,
        backend=PointWorkers(workers, scheduler),
        retry=retry,
        told=told,
    )
