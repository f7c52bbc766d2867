"""How long a user waits for a first answer: CPU seconds of whole processes, from start to end.

Each command runs once unmeasured, so that files and caches are warm, then in turn with the others;
the median counts. CPU seconds are those of user and system, which other programs do not change.
``python -c pass`` is what no program in Python gets below. The first estimate and the first
simulation after an installation run once each, with an empty cache of compiled code and without
tables of parsers.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Annotated, Any

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import ROOT, Benchmark, Goal, Request, column, say
from warpmill.report.base import Part
from warpmill.report.sections import Table

RUNS, QUICK_RUNS = 15, 5

# Warm means with Python's compiled files, as where warpmill is installed.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


@dataclass(frozen=True)
class Case:
    """A command as a user types it, and the name of its figure."""

    figure: str
    words: str

    @property
    def command(self) -> list[str]:
        """The command with this interpreter."""
        words = self.words.replace("warpmill", "python -m warpmill", 1)
        return [sys.executable, *words.split()[1:]]


CASES = (
    Case("interpreter_s", "python -c pass"),
    Case("help_s", "warpmill --help"),
    Case("inspect_s", "warpmill inspect samples/matmul/matmul.sm_80.ptx"),
    Case("estimate_s", "warpmill estimate samples/matmul/launch.toml"),
)
FIRST = (
    Case("first_estimate_s", "warpmill estimate samples/matmul/launch.toml"),
    Case("first_simulation_s", "warpmill simulate samples/vecadd/launch.toml --size n=65536"),
)
CLEAR = Case("", "warpmill cache --clear tables")


class StartedCommand(Part):
    """A command's median seconds, and how many bare interpreters fit into them."""

    words: Annotated[str, Metric("command")]
    cpu_s: Annotated[float, Metric("CPU time", "s")]
    elapsed_s: Annotated[float, Metric("on the clock", "s")]
    ratio: Annotated[float, Metric("bare interpreters")]


class StartupResult(Part):
    """Median CPU seconds of each command; ``elapsed_s`` has those on the clock, by figure."""

    runs: Annotated[int, Metric("runs")]
    interpreter_s: Annotated[float, Metric("bare interpreter", "s")]
    help_s: Annotated[float, Metric("warpmill --help", "s")]
    inspect_s: Annotated[float, Metric("warpmill inspect", "s")]
    estimate_s: Annotated[float, Metric("warpmill estimate", "s")]
    first_estimate_s: Annotated[float, Metric("first estimate after an installation", "s")]
    first_simulation_s: Annotated[float, Metric("first simulation after an installation", "s")]
    elapsed_s: Mapping[str, float]

    @derived("commands")
    def commands(self) -> tuple[StartedCommand, ...]:
        """Each as a row."""
        return tuple(
            StartedCommand(
                words="first " * (case in FIRST) + case.words,
                cpu_s=getattr(self, case.figure),
                elapsed_s=self.elapsed_s[case.figure],
                ratio=getattr(self, case.figure) / self.interpreter_s,
            )
            for case in (*CASES, *FIRST)
        )


def seconds(case: Case, environment: Mapping[str, str] = ENVIRONMENT) -> tuple[float, float]:
    """The CPU seconds of a command, and those on the clock, from its start to its end."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        case.command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    elapsed, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(f"{case.words}: exit code {done.returncode}\n{done.stderr}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, elapsed


def first_seconds(case: Case) -> tuple[float, float]:
    """The seconds of a command where nothing is kept of earlier ones."""
    seconds(CLEAR)
    with tempfile.TemporaryDirectory() as folder:
        return seconds(case, ENVIRONMENT | {"NUMBA_CACHE_DIR": folder})


def measure(request: Request) -> StartupResult:
    """Measure; the cases take turns, so that noise hits all alike."""
    runs = QUICK_RUNS if request.quick else RUNS
    for case in CASES:
        seconds(case)
    taken: dict[str, list[tuple[float, float]]] = {case.figure: [] for case in CASES}
    for number in range(runs):
        say(f"run {number + 1} of {runs}")
        for case in CASES:
            taken[case.figure].append(seconds(case))
    return result_of(runs, taken | {case.figure: [first_seconds(case)] for case in FIRST})


def result_of(runs: int, taken: Mapping[str, list[tuple[float, float]]]) -> StartupResult:
    """The medians of CPU seconds, and of those on the clock."""
    medians: dict[str, Any] = {f: median(cpu for cpu, _ in each) for f, each in taken.items()}
    clock = {figure: median(elapsed for _, elapsed in each) for figure, each in taken.items()}
    return StartupResult(runs=runs, elapsed_s=clock, **medians)


BENCHMARK: Benchmark[StartupResult] = Benchmark(
    name="startup",
    about="How long a user waits, beside a bare interpreter, and at first after an installation.",
    takes="2 minutes",
    result=":StartupResult",
    measure=":measure",
    sections=(
        Table("Commands", "commands",
              ("words", column("cpu_s", form="{:.3f}"), column("elapsed_s", form="{:.3f}"),
               column("ratio", form="{:.1f}x"))),
    ),
    goals=(Goal("help_s", 0.12), Goal("inspect_s", 0.8), Goal("estimate_s", 1.2),
           Goal("first_estimate_s", 8.0), Goal("first_simulation_s", 20.0)),
)  # fmt: skip
