"""Workloads on a GPU: run, their results compared, every launch timed several times."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.benchmarks.silicon.subjects import Results, Subject
from warpmill.benchmarks.silicon.timed import TimedBackend, TimedLaunch
from warpmill.session.options import RunOptions

STATES = ("warm", "flushed")
"""What L2 holds before a launch: what was used last, or nothing of it."""

MOST_LAUNCHES = 200
"""Launches of a kernel that get a row, evenly over all that there are."""

Row = dict[str, Any]


@dataclass(frozen=True)
class Patience:
    """How often programs run beside the first time, and the seconds after which no run begins."""

    runs: int = 7
    seconds: float = 10.0


@dataclass(frozen=True)
class Measured:
    """A workload or a clone on the GPU: its own row, and a row for each launch."""

    subject: Subject
    run: Row
    launches: tuple[Row, ...] = ()


def measured(
    subject: Subject,
    backend: TimedBackend,
    flushed_bytes: int,
    patience: Patience,
    wanted: Mapping[str, str] | None,
) -> Measured:
    """Run a program once and look at its results, then again and again in both states.

    ``wanted`` are the hashes of the executor's results by name, where they are known.
    """
    begun = time.perf_counter()
    row: Row = dict(subject.names)
    try:
        row |= _of_results(subject, backend, wanted)
        times, rounds = _times(subject, backend, flushed_bytes, patience)
    except (WarpmillError, MemoryError) as error:
        backend.begin_anew()  # what a kernel does wrong ends its context
        return Measured(subject, row | {"error": str(error).splitlines()[0]})
    finally:
        backend.flushed_bytes = 0
    seconds = round(time.perf_counter() - begun, 3)
    row |= {"launches": len(times["warm"][0]), "runs": rounds, "seconds": seconds}
    return Measured(subject, row, tuple(_rows(row, times)))


def _run(subject: Subject, backend: TimedBackend, *, checked: bool) -> Results:
    return subject.run(RunOptions(device=backend), checked=checked)


def _of_results(subject: Subject, backend: TimedBackend, wanted: Mapping[str, str] | None) -> Row:
    """Whether results are right, and whether they are bit for bit those of the executor.

    Those that are need no check, which takes longer than most programs. Nobody knows whether other
    results of a clone are right.
    """
    done = _run(subject, backend, checked=wanted is None)
    backend.taken()
    hashes = done.hashes
    if hashes == wanted:
        return {"right": True, "wrong": "", "equal": True, "unequal": ""}
    if wanted is not None:
        done = _run(subject, backend, checked=True)
        backend.taken()
    known = wanted or {}
    others = sorted(n for n in hashes.keys() | known if hashes.get(n) != known.get(n))
    return {
        "right": all(check.passed for check in done.checks) if done.checks else None,
        "wrong": ", ".join(check.name for check in done.checks if not check.passed),
        "equal": None if wanted is None else False,
        "unequal": "" if wanted is None else ", ".join(others),
    }


def _times(
    subject: Subject, backend: TimedBackend, flushed_bytes: int, patience: Patience
) -> tuple[dict[str, list[tuple[TimedLaunch, ...]]], int]:
    """Run it in both states by turns: the launches of each run."""
    found: dict[str, list[tuple[TimedLaunch, ...]]] = {state: [] for state in STATES}
    begun, rounds = time.perf_counter(), 0
    while not rounds or (rounds < patience.runs and time.perf_counter() - begun < patience.seconds):
        for state in STATES:
            backend.flushed_bytes = flushed_bytes if state == "flushed" else 0
            _run(subject, backend, checked=False)
            found[state].append(backend.taken())
        rounds += 1
    return found, rounds


def _rows(of: Row, times: Mapping[str, Sequence[Sequence[TimedLaunch]]]) -> list[Row]:
    """Give a row a launch. Programs launch the same in every run, or their rows say nothing."""
    first = times["warm"][0]
    alike = [
        [_shape(one) for one in run] == [_shape(one) for one in first]
        for runs in times.values()
        for run in runs
    ]
    if not all(alike):
        of["error"] = "runs launch different kernels"
        return []
    rows = []
    for number in chosen(first):
        one = first[number]
        row = {key: of[key] for key in ("workload", "preset", "build")} | {
            "launch": number, "kernel": one.kernel,
            "grid": "x".join(map(str, one.grid)), "block": "x".join(map(str, one.block)),
            "dynamic_shared": one.dynamic_shared, "static_shared": one.static_shared,
            "registers": one.registers, "local": one.local,
        }  # fmt: skip
        for state, runs in times.items():
            ms = [run[number].ms for run in runs]
            known = [value for value in ms if value is not None]
            middle = median(known) if known else None
            row[f"{state}_ms"] = middle
            row[f"{state}_mad_ms"] = (
                None if middle is None else median(abs(value - middle) for value in known)
            )
        rows.append(row)
    return rows


def _shape(one: TimedLaunch) -> tuple[object, ...]:
    return one.kernel, one.grid, one.block, one.dynamic_shared


def chosen(launches: Sequence[TimedLaunch], most: int = MOST_LAUNCHES) -> list[int]:
    """Choose up to so many launches of each kernel, evenly over all of its launches."""
    by_kernel: dict[str, list[int]] = {}
    for number, one in enumerate(launches):
        by_kernel.setdefault(one.kernel, []).append(number)
    taken = [
        numbers[len(numbers) * k // min(most, len(numbers))]
        for numbers in by_kernel.values()
        for k in range(min(most, len(numbers)))
    ]
    return sorted(taken)


def longest(rows: Sequence[Row]) -> list[int]:
    """Of each kernel the launch that took longest, by its number."""
    best: dict[str, Row] = {}
    for row in rows:
        known = best.get(row["kernel"])
        if known is None or (row["flushed_ms"] or 0.0) > (known["flushed_ms"] or 0.0):
            best[row["kernel"]] = row
    return sorted(row["launch"] for row in best.values())
