"""How long a call takes, and calls in processes of their own."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from statistics import median
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Timed:
    """Seconds that a call took: on the clock, and of CPU time of all threads of the process."""

    wall_s: float
    cpu_s: float


def timed(call: Callable[[], T]) -> tuple[T, Timed]:
    """Call; what it gave, and how long it took."""
    wall, cpu = time.perf_counter(), time.process_time()
    value = call()
    return value, Timed(time.perf_counter() - wall, time.process_time() - cpu)


def timed_median(call: Callable[[], T], rounds: int) -> tuple[T, Timed]:
    """Call some times; what the last one gave, and medians of the seconds, each by itself."""
    if rounds < 1:
        raise ValueError(f"a median needs a round, not {rounds}")
    each = [timed(call) for _ in range(rounds)]
    wall, cpu = (median(getattr(t, key) for _, t in each) for key in ("wall_s", "cpu_s"))
    return each[-1][0], Timed(wall, cpu)


def alone(call: Callable[[Mapping[str, Any]], T], inputs: Mapping[str, Any]) -> T:
    """Call a module's function in a new process, in which nothing was loaded before."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(call, inputs).result()
