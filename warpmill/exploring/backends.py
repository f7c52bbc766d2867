"""Where points are measured: in processes of this computer, or on a Dask cluster.

joblib hands parts of the points out in both cases. Workers claim points in the store and write to
it what came of them, so that all that a cluster needs to have in common is the store, and the
files of workloads and machines at the same paths.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from analyzer.diagnostics import UsageError

CONNECT_S = 30
"""How long a scheduler is waited for."""


@dataclass(frozen=True)
class Backend:
    """``scheduler`` is the address of a Dask scheduler; None: ``workers`` processes, here."""

    workers: int = 1
    scheduler: str | None = None


@contextmanager
def entered(backend: Backend) -> Iterator[int]:
    """Let joblib work on a backend within the block; give how many parts at a time.

    UsageError where there is no Dask, no scheduler at the address, or no worker.
    """
    if backend.scheduler is None:
        yield backend.workers
        return
    import joblib  # noqa: PLC0415 - only where it is asked for

    client = _client(backend.scheduler)
    try:
        cores = sum(client.ncores().values())
        if not cores:
            raise UsageError(f"the scheduler at {backend.scheduler} has no workers; start some")
        with joblib.parallel_config(backend="dask", client=client):
            yield max(2, cores)  # one would measure here
    finally:
        client.close()


def _client(address: str) -> Any:
    try:
        distributed = import_module("distributed")  # an extra
    except ImportError:
        raise UsageError("--backend dask needs `pip install 'warpmill[dask]'`") from None
    try:
        return distributed.Client(address, timeout=CONNECT_S, set_as_default=True)
    except (OSError, TimeoutError, ValueError, TypeError) as error:
        raise UsageError(f"there is no Dask scheduler at {address} ({error})") from None
