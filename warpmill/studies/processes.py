"""Calls in processes of their own."""

from __future__ import annotations

import os
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class _EndingWith(Generic[T, R]):
    """A call, after which the process that makes it ends when its parent does.

    A killed process cannot tell its workers to stop, and they would go on with all that they have.
    """

    parent: int
    call: Callable[[T], R]

    def __call__(self, item: T) -> R:
        _watch(self.parent)
        return self.call(item)


@cache
def _watch(parent: int) -> None:
    """Watch the parent, in a worker of this computer; elsewhere it is nobody's parent."""
    if os.getppid() == parent:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_S)
    os._exit(1)


_LOOK_S = 0.5
"""Seconds between two looks whether the parent is there."""


@contextmanager
def in_processes(
    call: Callable[[T], R], items: Iterable[T], workers: int, *, ordered: bool = True
) -> Iterator[Iterator[R]]:
    """Results of ``call`` for each item, so many at a time; ``ordered``: in their order.

    Calls that are under way when the block is left are stopped, and so are those of a process that
    is killed. Errors of a call are raised as they are.
    """
    from joblib import Parallel, delayed  # noqa: PLC0415 - only where it is asked for

    kind = "generator" if ordered else "generator_unordered"
    pool: Any = Parallel(n_jobs=workers, return_as=kind, batch_size=1)
    ending = _EndingWith(os.getpid(), call)
    found = pool(delayed(ending)(item) for item in items)
    try:
        yield found
    finally:
        with warnings.catch_warnings():
            # joblib advises against dropping calls, which is what leaving early is for.
            warnings.simplefilter("ignore", UserWarning)
            found.close()
