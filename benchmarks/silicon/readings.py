"""What ``benchmarks.silicon`` has written of a GPU, read back."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.benchmarks.silicon.subjects import CLONE
from warpmill.session.workloads import WorkloadTarget, workloads

STATES = ("warm", "flushed")
"""What L2 holds before a launch: what was used last, or nothing of it."""
_TEXTS = frozenset({"workload", "preset", "build", "launch", "kernel", "grid", "block"})
"""Columns that are no figures."""


@dataclass(frozen=True)
class LaunchRow:
    """A launch that was timed, or that a profiler looked at.

    ``number`` is its place among the program's launches, from 0; ``values`` are its figures by
    column, those that are known: times in milliseconds, or counters.
    """

    workload: str
    preset: str
    build: str
    number: int
    kernel: str
    ctas: int
    values: Mapping[str, float]

    @property
    def ms(self) -> Mapping[str, float | None]:
        """Its time in each state; None where the GPU told none."""
        return {state: self.values.get(f"{state}_ms") for state in STATES}

    @property
    def is_clone(self) -> bool:
        """Whether it is of a clone."""
        return self.build == CLONE

    @property
    def target(self) -> str:
        """What commands call the workload: ``bfs:small:sm_90``."""
        return WorkloadTarget(workloads()[self.workload], self.preset, self.build).title


@dataclass(frozen=True)
class Silicon:
    """The GPU, its launches, and how programs ended."""

    about: Mapping[str, Any]
    timed: tuple[LaunchRow, ...]
    counted: tuple[LaunchRow, ...]
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
    def by_target(self) -> Mapping[str, list[LaunchRow]]:
        """The launches of workloads, none of clones, by what commands call these."""
        found: dict[str, list[LaunchRow]] = {}
        for row in self.timed:
            if not row.is_clone:
                found.setdefault(row.target, []).append(row)
        return found

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
    timed, counted = (
        tuple(_launch(row) for row in _rows(folder / name) if row.get("workload"))
        for name in ("launches.csv", "counters.csv")
    )
    runs, clones = (tuple(_rows(folder / name)) for name in ("runs.csv", "cuda_clones.csv"))
    return Silicon(json.loads(about.read_text("utf-8")), timed, counted, runs, clones)


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _launch(row: Mapping[str, str]) -> LaunchRow:
    return LaunchRow(
        row["workload"],
        row["preset"],
        row["build"],
        int(row["launch"]),
        row["kernel"],
        prod(map(int, row.get("grid", "1").split("x"))),
        {name: float(text) for name, text in row.items() if name not in _TEXTS and text},
    )
