"""Backends that measure points: processes of this computer, or a Dask cluster.

joblib hands parts of the points out in both cases. Workers claim points in the store and write to
it what came of them, so that all that a cluster needs to have in common is the store, and the files
of workloads and machines at the same paths. Points are measured through workers that end and are
started again.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from warpmill.analyzer.base.diagnostics import LimitError, UsageError
from warpmill.studies.model import Evaluate, StudyPoint
from warpmill.studies.running import Progress, ProgressListener, run
from warpmill.studies.store import Study

CONNECT_S = 30
"""How long a scheduler is waited for."""
CLOSE_S = 5
"""How long it is waited for when one takes leave of it."""


@dataclass(frozen=True)
class PointWorkers:
    """``scheduler`` is the address of a Dask scheduler; None: ``workers`` processes, here."""

    workers: int = 1
    scheduler: str | None = None


@contextmanager
def entered(backend: PointWorkers) -> Iterator[int]:
    """Number of workers of a backend, on which joblib works within the block.

    UsageError where there is no Dask, no scheduler at the address, or no worker; LimitError where
    the scheduler goes away within the block.
    """
    if backend.scheduler is None:
        yield backend.workers
        return
    client = _client(backend.scheduler)
    with _quiet():
        try:
            with _joblib_on(client, backend.scheduler) as parts:
                yield parts
        except (CancelledError, _lost()) as error:
            raise LimitError(
                f"the scheduler at {backend.scheduler} is gone ({type(error).__name__}); the same "
                "command goes on from what is kept"
            ) from None
        finally:
            client.close(timeout=CLOSE_S)


@contextmanager
def _joblib_on(client: Any, address: str) -> Iterator[int]:
    import joblib  # noqa: PLC0415 - only where it is asked for

    cores = sum(client.ncores().values())
    if not cores:
        raise UsageError(f"the scheduler at {address} has no workers; start some")
    parts = max(2, cores)
    with joblib.parallel_config(backend="dask", client=client):
        active: Any = joblib.parallel.get_active_backend()[0]
        active.effective_n_jobs = lambda _jobs: parts  # of one, joblib would make calls here
        yield parts


def _client(address: str) -> Any:
    try:
        distributed = import_module("distributed")  # an extra
    except ImportError:
        raise UsageError("--backend dask needs `pip install 'warpmill[dask]'`") from None
    try:
        return distributed.Client(address, timeout=CONNECT_S, set_as_default=True)
    except (OSError, TimeoutError, ValueError, TypeError) as error:
        raise UsageError(f"there is no Dask scheduler at {address} ({error})") from None


def _lost() -> type[BaseException]:
    """Exception where a scheduler does not answer; calls that it had are cancelled."""
    found: type[BaseException] = import_module("distributed.comm").CommClosedError
    return found


@contextmanager
def _quiet() -> Iterator[None]:
    """Context without Dask's own account of a lost connection beside ours."""
    logs = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    before = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for log, level in zip(logs, before, strict=True):
            log.setLevel(level)


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
