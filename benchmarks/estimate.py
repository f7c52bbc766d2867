"""How long estimates take: the largest launch of each kernel of the workloads, small presets.

The host program runs before, and its time is not counted, nor is loading the kernel's module. What
is: analysing the kernel, its traces (static where they are the default) and the estimate. Each is
the median of three of its CPU times, each of a fresh job; an estimate before these compiles what is
compiled.
"""

from __future__ import annotations

import time
from statistics import median
from typing import Annotated

from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import Benchmark, Goal, Request, column, mean, say
from warpmill.report.base import Part
from warpmill.report.sections import Table
from warpmill.session.applications import Application, application, largest_of_each_kernel
from warpmill.session.estimates import estimate
from warpmill.session.workloads import workloads

ROUNDS = 3
MACHINE = "v100"
QUICK = 4
"""Workloads that a look takes."""


class EstimateTime(Part):
    """A launch; ``trace`` is where its traces are from."""

    workload: Annotated[str, Metric("workload")]
    launch: Annotated[int, Metric("launch")]
    trace: Annotated[str, Metric("traces")]
    ms: Annotated[float, Metric("ms an estimate")]


class Failed(Part):
    """A workload without estimates."""

    workload: Annotated[str, Metric("workload")]
    problem: Annotated[str, Metric("why it has none")]


class EstimateTimes(Part):
    """All launches."""

    rows: tuple[EstimateTime, ...]
    failures: tuple[Failed, ...] = ()

    @derived("ms an estimate, median")
    def median_ms(self) -> float | None:
        """None without rows."""
        return mean((row.ms for row in self.rows), median)

    @derived("ms an estimate, 95th percentile")
    def p95_ms(self) -> float | None:
        """None without rows."""
        each = sorted(row.ms for row in self.rows)
        return each[int(0.95 * len(each))] if each else None

    @derived("ms a workload, median")
    def workload_ms(self) -> float | None:
        """Of the sums over a workload's kernels; None without rows."""
        sums: dict[str, float] = {}
        for row in self.rows:
            sums[row.workload] = sums.get(row.workload, 0.0) + row.ms
        return mean(sums.values(), median)

    @derived("workloads without an estimate")
    def failed(self) -> int:
        """How many."""
        return len(self.failures)


def timed(app: Application, number: int, machine: str) -> tuple[float, str]:
    """Estimate a launch, with no analysis or traces kept; milliseconds, where traces are from."""
    job = Application(app.title, app.recording).job(number)
    began = time.process_time()
    result = estimate(job, machine)
    return (time.process_time() - began) * 1e3, result.trace


def measured(name: str, machine: str) -> list[EstimateTime]:
    """Measure the launches of a workload that are the largest of their kernels: a row each."""
    app = application(f"{name}:small")
    rows = []
    for number in largest_of_each_kernel(app.launches):
        timed(app, number, machine)
        each = [timed(app, number, machine) for _ in range(ROUNDS)]
        ms = median(one for one, _ in each)
        rows.append(EstimateTime(workload=name, launch=number, trace=each[0][1], ms=ms))
    return rows


def measure(request: Request) -> EstimateTimes:
    """Measure workloads, a few for a look; what has no estimate is told."""
    names = request.chosen(workloads())
    rows: list[EstimateTime] = []
    failures: list[Failed] = []
    for name in names[:QUICK] if request.quick else names:
        say(name)
        try:
            rows += measured(name, MACHINE)
        except WarpmillError as error:
            failures.append(Failed(workload=name, problem=str(error)))
    return EstimateTimes(rows=tuple(rows), failures=tuple(failures))


BENCHMARK: Benchmark[EstimateTimes] = Benchmark(
    name="estimate",
    about="CPU time of estimates with nothing kept: the largest launch of each kernel.",
    takes="3 minutes",
    result=":EstimateTimes",
    measure=":measure",
    sections=(
        Table("Launches", "rows", ("workload", "launch", "trace", column("ms", form="{:.1f}")),
              left=(0, 2), order=lambda row: row.ms),
        Table("Without an estimate", "failures", ("workload", "problem"), left=(0, 1)),
    ),
    goals=(
        Goal("median_ms", 25.0), Goal("p95_ms", 120.0), Goal("workload_ms"), Goal("failed", 0.0),
    ),
    parts="workloads",
    data=(
        "analyzer/**/*.toml", "grammars/*.lark", "simulator/**/*.toml",
        "samples/workloads/*/*.ptx*", "samples/workloads/*/*.toml",
    ),
)  # fmt: skip
