"""Running points: through workers that end and are started again."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.exploring.backends import PointWorkers, entered
from warpmill.studies.model import Evaluate, StudyPoint
from warpmill.studies.running import Progress, ProgressListener, run
from warpmill.studies.store import Study

MOST_DEATHS = 3
"""Times in a row that workers may end without a point having been measured in between."""


class ExplorationInterrupted(KeyboardInterrupt):
    """An exploration was interrupted when ``over`` of its ``all`` points were measured."""

    def __init__(self, over: int, all_: int) -> None:
        super().__init__(f"{over:,} of {all_:,} points were measured")
        self.over, self.all = over, all_


def run_points(
    study: Study,
    points: Sequence[StudyPoint],
    evaluate: Evaluate,
    backend: PointWorkers,
    told: ProgressListener | None = None,
) -> int:
    """Measure the points that are not known yet, wherever ``backend`` says.

    Gives how many were measured by this process and its workers, those that were killed too.

    Where a worker is killed, others are started, and go on with what it had not finished; its
    points are measured again. LimitError where workers end one after another and nothing comes of
    it, and where a cluster's scheduler is gone.
    """
    keys = list(dict.fromkeys(point.key for point in points))
    study.add(points)
    deaths, left = 0, len(study.unfinished(keys))
    here, now_here = 0, 0

    def counted(done: Progress) -> None:
        nonlocal now_here
        now_here = done.measured
        if told is not None:
            told(done)

    if told is not None:
        told(Progress(len(keys) - left, len(keys), 0, 0.0))
    while left:
        try:
            with entered(backend) as workers:
                return here + run(study, points, evaluate, workers=workers, told=counted)
        except _worker_deaths() as error:
            here, now_here = here + now_here, 0
            now = len(study.unfinished(keys))
            deaths, left = (0 if now < left else deaths + 1), now
            if deaths >= MOST_DEATHS:
                raise _too_many(error, left) from None
    return here


def _worker_deaths() -> tuple[type[BaseException], ...]:
    """Exceptions where a worker ends before its work: it was killed, or has crashed."""
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415 - slow to load

    from joblib.externals.loky.process_executor import TerminatedWorkerError  # noqa: PLC0415

    found: list[type[BaseException]] = [BrokenProcessPool, TerminatedWorkerError]
    with suppress(ImportError):  # an extra
        found.append(import_module("distributed.scheduler").KilledWorker)
    return tuple(found)


def _too_many(error: BaseException, left: int) -> LimitError:
    return LimitError(
        f"workers ended {MOST_DEATHS} times before a point was measured, with {left:,} left "
        f"({type(error).__name__}); is there memory enough? --workers N takes fewer at a time, "
        "--max-memory BYTES makes a point that needs more one that failed"
    )
