"""What ``benchmarks.silicon`` has written of a GPU, read back."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.benchmarks.silicon.subjects import CLONE
from warpmill.session.workloads import WorkloadTarget, workloads

COUNTED = frozenset({"workload", "preset", "build", "launch", "kernel"})
"""Columns of counters that are none."""


@dataclass(frozen=True)
class TimedRow:
    """A launch that was timed: in milliseconds, None where the GPU told none.

    ``number`` is its place among the program's launches, from 0.
    """

    workload: str
    preset: str
    build: str
    number: int
    kernel: str
    ctas: int
    ms: Mapping[str, float | None]

    @property
    def is_clone(self) -> bool:
        """Whether it is of a clone."""
        return self.build == CLONE

    @property
    def target(self) -> str:
        """What commands call the workload: ``bfs:small:sm_90``."""
        return WorkloadTarget(workloads()[self.workload], self.preset, self.build).title


@dataclass(frozen=True)
class CountedRow:
    """A launch that a profiler looked at; ``values`` are its counters by column."""

    workload: str
    preset: str
    build: str
    number: int
    values: Mapping[str, float]


@dataclass(frozen=True)
class Silicon:
    """The GPU, its launches, and how programs ended."""

    about: Mapping[str, Any]
    timed: tuple[TimedRow, ...]
    counted: tuple[CountedRow, ...]
    runs: tuple[Mapping[str, str], ...]
    cuda_clones: tuple[Mapping[str, str], ...]

    @property
    def gpu(self) -> str:
        """The name that the driver has for it."""
        return str(self.about["name"])

    def floor_us(self, state: str) -> float | None:
        """What a kernel takes that does next to nothing."""
        ms = self.about.get("floor_ms", {}).get(state)
        return None if ms is None else 1e3 * float(ms)

    @cached_property
    def by_target(self) -> Mapping[str, tuple[TimedRow, ...]]:
        """The launches of workloads, none of clones, by what commands call these."""
        found: dict[str, list[TimedRow]] = {}
        for row in self.timed:
            if not row.is_clone:
                found.setdefault(row.target, []).append(row)
        return {target: tuple(rows) for target, rows in found.items()}

    def mismatch(self, target: str, predicted: int) -> str | None:
        """Where a program made other launches on the GPU than were predicted; None: it did not.

        Of programs whose host decides by what kernels wrote, one is wrong or their order matters.
        """
        there = self.launches(target)
        if there == predicted:
            return None
        return f"the GPU made {there:,} launches, and {predicted:,} were predicted"

    def launches(self, target: str) -> int:
        """How many launches a program makes, those without a row too."""
        first = self.by_target[target][0]
        wanted = (first.workload, first.preset, first.build)
        keys = ("workload", "preset", "build")
        return next(int(r["launches"]) for r in self.runs if tuple(r[k] for k in keys) == wanted)


def read_silicon(folder: Path) -> Silicon:
    """Read a folder. InputError where it is none; files that were not written are empty."""
    about = folder / "gpu.json"
    if not about.is_file():
        words = f"{folder} has no gpu.json: benchmarks.silicon --out writes such a folder"
        raise InputError(words)
    return Silicon(
        json.loads(about.read_text("utf-8")),
        tuple(_timed(row) for row in _rows(folder / "launches.csv")),
        tuple(_counted(row) for row in _rows(folder / "counters.csv") if row.get("workload")),
        tuple(_rows(folder / "runs.csv")),
        tuple(_rows(folder / "cuda_clones.csv")),
    )


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _timed(row: Mapping[str, str]) -> TimedRow:
    x, y, z = map(int, row["grid"].split("x"))
    times = {state: row[f"{state}_ms"] for state in ("warm", "flushed")}
    return TimedRow(
        row["workload"],
        row["preset"],
        row["build"],
        int(row["launch"]),
        row["kernel"],
        x * y * z,
        {state: float(ms) if ms else None for state, ms in times.items()},
    )


def _counted(row: Mapping[str, str]) -> CountedRow:
    values = {name: float(text) for name, text in row.items() if name not in COUNTED and text}
    return CountedRow(row["workload"], row["preset"], row["build"], int(row["launch"]), values)
