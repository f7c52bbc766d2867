"""Calls in processes of their own."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")


@contextmanager
def in_processes(
    call: Callable[[T], R], items: Iterable[T], workers: int, *, ordered: bool = True
) -> Iterator[Iterator[R]]:
    """Give what ``call`` gives for each item, so many at a time; ``ordered``: in their order.

    Calls that are under way when the block is left are stopped. Errors of a call are raised as
    they are.
    """
    from joblib import Parallel, delayed  # noqa: PLC0415 - only where it is asked for

    kind = "generator" if ordered else "generator_unordered"
    pool: Any = Parallel(n_jobs=workers, return_as=kind, batch_size=1)
    found = pool(delayed(call)(item) for item in items)
    try:
        yield found
    finally:
        with warnings.catch_warnings():
            # joblib advises against dropping calls, which is what leaving early is for.
            warnings.simplefilter("ignore", UserWarning)
            found.close()
