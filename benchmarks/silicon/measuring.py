"""Workloads on a GPU: run, their results compared, every launch timed several times."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.benchmarks.benchmark import say
from warpmill.benchmarks.silicon.readings import STATES
from warpmill.benchmarks.silicon.subjects import Subject
from warpmill.benchmarks.silicon.timed import TimedBackend, TimedLaunch
from warpmill.executor.host.device import Device
from warpmill.session.options import RunOptions

PATIENCE_S = 5.0
"""Seconds of a workload after which no further run begins."""

MOST_LAUNCHES = 200
"""Launches of a kernel that get a row, evenly over all that there are."""

FLOOR_LAUNCHES = 51
NEAR_EMPTY = Path(__file__).with_name("near_empty.ptx")

Row = dict[str, Any]


@dataclass(frozen=True)
class Measured:
    """A workload or a clone on the GPU: its own row, and a row for each launch."""

    subject: Subject
    run: Row
    launches: tuple[Row, ...] = ()


def floor_ms(backend: TimedBackend, flushed_bytes: int) -> Mapping[str, float | None]:
    """The least that is timed, in each state of L2: the median of some launches of one warp.

    It adds 1 to a word. None where a GPU tells no times, or fails, which is said.
    """
    found: dict[str, float | None] = dict.fromkeys(STATES)
    try:
        for state in STATES:
            backend.flushed_bytes = flushed_bytes if state == "flushed" else 0
            device = Device(backend)
            kernel, words = device.load(NEAR_EMPTY)["near_empty"], device.zeros(64)
            for _ in range(FLOOR_LAUNCHES):
                device.launch(kernel, 1, 32, [words])
            found[state], _ = _middle(backend.taken())
    except WarpmillError as error:
        say(f"floor: {error}")
        backend.begin_anew()
    backend.flushed_bytes = 0
    return found


def _middle(launches: Sequence[TimedLaunch]) -> tuple[float | None, float | None]:
    """The median of times and the median deviation from it; None where none is known."""
    known = [one.ms for one in launches if one.ms is not None]
    if not known:
        return None, None
    middle = median(known)
    return middle, median(abs(value - middle) for value in known)


def measured(
    subject: Subject,
    backend: TimedBackend,
    flushed_bytes: int,
    runs: int,
    wanted: Mapping[str, str] | None,
) -> Measured:
    """Run a program once and look at its results, then again and again in both states.

    ``wanted`` are the hashes of the executor's results by name, where they are known.
    """
    begun = time.perf_counter()
    row: Row = dict(subject.names)
    try:
        row |= _of_results(subject, backend, wanted)
        times = _times(subject, backend, flushed_bytes, runs)
    except (WarpmillError, MemoryError) as error:
        backend.begin_anew()  # what a kernel does wrong ends its context
        return Measured(subject, row | {"error": str(error).splitlines()[0]})
    finally:
        backend.flushed_bytes = 0
    seconds, warm = round(time.perf_counter() - begun, 3), times["warm"]
    row |= {"launches": len(warm[0]), "runs": len(warm), "seconds": seconds}
    every = [[replace(one, ms=None) for one in run] for own in times.values() for run in own]
    if any(run != every[0] for run in every):
        return Measured(subject, row | {"error": "runs launch different kernels"})
    return Measured(subject, row, tuple(_rows(subject, times)))


def _of_results(subject: Subject, backend: TimedBackend, wanted: Mapping[str, str] | None) -> Row:
    """Whether results are right, and whether they are bit for bit those of the executor.

    Those that are need no check, which takes longer than most programs. Nobody knows whether other
    results of a clone are right.
    """
    options = RunOptions(device=backend)
    hashes, checks = subject.run(options, checked=wanted is None)
    backend.taken()
    if hashes == wanted:
        return {"right": True, "wrong": "", "equal": True, "unequal": ""}
    if wanted is not None:
        hashes, checks = subject.run(options, checked=True)
        backend.taken()
    known = wanted or {}
    others = sorted(n for n in hashes.keys() | known if hashes.get(n) != known.get(n))
    return {
        "right": all(check.passed for check in checks) if checks else None,
        "wrong": ", ".join(check.name for check in checks if not check.passed),
        "equal": None if wanted is None else False,
        "unequal": "" if wanted is None else ", ".join(others),
    }


def _times(
    subject: Subject, backend: TimedBackend, flushed_bytes: int, runs: int
) -> dict[str, list[tuple[TimedLaunch, ...]]]:
    """Run it in both states by turns: the launches of each run."""
    found: dict[str, list[tuple[TimedLaunch, ...]]] = {state: [] for state in STATES}
    begun = time.perf_counter()
    for number in range(runs):
        if number and time.perf_counter() - begun > PATIENCE_S:
            break
        for state in STATES:
            backend.flushed_bytes = flushed_bytes if state == "flushed" else 0
            subject.run(RunOptions(device=backend), checked=False)
            found[state].append(backend.taken())
    return found


def _rows(subject: Subject, times: Mapping[str, Sequence[Sequence[TimedLaunch]]]) -> list[Row]:
    """A row a launch, of those that get one."""
    first = times["warm"][0]
    rows = []
    for number in chosen(first):
        row = subject.names | {"launch": number} | first[number].row
        for state, runs in times.items():
            row[f"{state}_ms"], row[f"{state}_mad_ms"] = _middle([run[number] for run in runs])
        rows.append(row)
    return rows


def chosen(launches: Sequence[TimedLaunch], most: int = MOST_LAUNCHES) -> list[int]:
    """Up to so many launches of each kernel, evenly over all of its launches."""
    by_kernel: dict[str, list[int]] = {}
    for number, one in enumerate(launches):
        by_kernel.setdefault(one.kernel, []).append(number)
    return sorted(
        numbers[len(numbers) * k // min(most, len(numbers))]
        for numbers in by_kernel.values()
        for k in range(min(most, len(numbers)))
    )


def longest(rows: Sequence[Row]) -> list[int]:
    """Of each kernel the launch that took longest, by its number."""
    best: dict[str, Row] = {}
    for row in rows:
        known = best.setdefault(row["kernel"], row)
        if (row["flushed_ms"] or 0.0) > (known["flushed_ms"] or 0.0):
            best[row["kernel"]] = row
    return sorted(row["launch"] for row in best.values())
