"""Estimating the configurations of design spaces, and how long that takes.

An estimate takes all that a new launch takes: the launch is resolved and checked, its warps are
traced, and the traces timed on the GPU. A kernel is read and analysed once, and that time is told
apart. It is CPU time of this process, with compiled code loaded. Traces are static, as the paper's:
where data decide, all that may run does. Some tens of configurations are a point of a study, as
many single points would take longer to keep than to estimate.
"""

from __future__ import annotations

import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from warpmill.analyzer.base.diagnostics import InputError, WarpmillError
from warpmill.analyzer.base.toml_source import TomlDocument, read_toml_file
from warpmill.analyzer.launch import Launch, check_launch
from warpmill.analyzer.launch.read import resolve_launches
from warpmill.analyzer.traces.model import weighted_visits
from warpmill.analyzer.traces.source import TraceSource
from warpmill.benchmarks.benchmark import Request, mean, say
from warpmill.benchmarks.estimate_table import EstimateTable, GpuTimes, KernelEstimates
from warpmill.benchmarks.estimate_table.spaces import GPUS, Line, TableKernel, table_kernels
from warpmill.benchmarks.keeping import measured, results
from warpmill.session.estimates import Estimator
from warpmill.session.jobs import Job
from warpmill.session.options import TraceOptions
from warpmill.session.prepare import prepare
from warpmill.simulator.machines import load_machine
from warpmill.studies.model import PointOutcome, StudyPoint
from warpmill.studies.places import default_store
from warpmill.studies.sources import sources_digest

STUDY = "benchmarks.estimate_table"
SOURCES = ("analyzer", "grammars", "simulator", "warpmill", "benchmarks/estimate_table")
NOT_SOURCES = (
    *(f"simulator/{name}/" for name in ("regression", "sampling")),
    *(f"warpmill/{name}/" for name in ("calibration", "exploring", "sampling")),
    *(f"benchmarks/estimate_table/{name}" for name in ("build", "spaces.toml")),
)
"""Files that no figure of a point follows from; what spaces.toml has of one is in its inputs."""
MOST_VALUES = 32
"""Configurations of a point."""
QUICK_PAIRS = 3
"""Pairs of neighbours of a line that a quick run has."""
MOST_REASONS = 3
"""Reasons of a kernel why it has no estimate that are listed, most frequent first."""
SAME = 1e-9
"""Share of a time by which rounding may part two that are equal."""


def measure(request: Request) -> EstimateTable:
    """Estimate the design spaces of kernels, or an even few of each."""
    known = table_kernels()
    parts = {}
    for name in request.chosen(known):
        say(f"{name}: {known[name].configurations:,} configurations")
        parts[name] = of_kernel(known[name], stretches(known[name], request))
    return EstimateTable(parts=parts)


# --------------------------------------------------------------------------------- one estimate


@dataclass(frozen=True)
class Prepared:
    """A kernel of the table, read and analysed; ``ms`` is how long that took."""

    kernel: TableKernel
    job: Job
    document: TomlDocument
    ms: float

    def launch(self, sizes: Mapping[str, int]) -> Launch:
        """Resolve the launch of a configuration. InputError for what cannot be launched."""
        folder = self.kernel.launch_file.parent
        (launch,) = resolve_launches(self.document, folder, dict(sizes))
        check_launch(launch, self.job.loaded.module, self.job.kernel)
        return launch


@dataclass(frozen=True)
class Estimated:
    """What came of one configuration on a GPU.

    ``us`` is the time that is predicted, ``ms`` that of the estimate. ``trace`` are instructions of
    a warp, in the mean over those of a CTA in the middle of the grid, ``kept`` those that the
    paper's pruning leaves (§III-A). All are None where ``cannot_run`` says why the GPU cannot hold
    a CTA of it, or ``problem`` what else was wrong.
    """

    us: float | None = None
    ms: float | None = None
    trace: float | None = None
    kept: float | None = None
    cannot_run: str = ""
    problem: str = ""


@lru_cache(2)
def prepared(name: str) -> Prepared:
    """Read a kernel of the table twice, and its launch once: the second time has all loaded."""
    kernel = table_kernels()[name]
    prepare(kernel.launch_file)
    begin = time.process_time()
    job = prepare(kernel.launch_file)
    _ = job.analysis
    ms = 1e3 * (time.process_time() - begin)
    _ = job.pruned  # which goes along to other launches
    found = Prepared(kernel, job, read_toml_file(kernel.launch_file), ms)
    for gpu in GPUS:  # the engine's code is compiled
        estimated(found, dict(job.required_launch().sizes), gpu)
    return found


def estimated(one: Prepared, sizes: Mapping[str, int], gpu: str) -> Estimated:
    """Estimate a configuration on a GPU."""
    machine = _machine(gpu)
    begin = time.process_time()
    try:
        job = one.job.with_launch(one.launch(sizes))
        options = TraceOptions("static", assume=one.kernel.trips(sizes))
        estimator = Estimator(job, trace_options=options)
        us = estimator.on(machine).time_us
    except InputError as error:
        return Estimated(cannot_run=error.diagnostics[0].message)
    except WarpmillError as error:
        return Estimated(problem=error.diagnostics[0].message)
    ms = 1e3 * (time.process_time() - begin)
    return Estimated(us, ms, *trace_lengths(job, estimator.source))


_machine = cache(load_machine)


def trace_lengths(job: Job, source: TraceSource) -> tuple[float, float]:
    """The instructions of a warp's trace, and those of them that the paper's pruning keeps.

    In the mean over the warps of a CTA in the middle of the grid.
    """
    x, y, z = (side // 2 for side in job.required_launch().grid)
    warps = source.warps((x, y, z))
    every = kept = 0
    for visit, times in (each for warp in warps for each in weighted_visits(warp.nodes)):
        every += times * len(job.kernel.blocks[visit.block].instructions)
        kept += times * len(job.kept[visit.block])
    return every / len(warps), kept / len(warps)


# ----------------------------------------------------------------------------- points of a study


@dataclass(frozen=True)
class Stretch:
    """Some configurations of a line, in order, and what came of each.

    ``prepare_ms`` is what reading and analysing the kernel took.
    """

    line: Line
    values: tuple[int, ...]
    prepare_ms: float
    rows: tuple[Estimated, ...]


def stretches(kernel: TableKernel, request: Request) -> list[Stretch]:
    """Estimate a design space, or an even few of it. SystemExit with what could not be."""
    todo = list(few(kernel) if request.quick else all_of(kernel))
    points = [point_of(kernel, *one) for one in todo]
    store = request.store or default_store()
    rows = results(measured(STUDY, store, points, evaluate, workers=request.workers, say=say))
    return [
        Stretch(line, values, found["prepare_ms"], tuple(Estimated(**row) for row in found["rows"]))
        for (line, values), found in zip(todo, rows, strict=True)
    ]


def all_of(kernel: TableKernel) -> Iterator[tuple[Line, tuple[int, ...]]]:
    """The lines of a space, in parts."""
    values = kernel.values
    for line in kernel.lines():
        for begin in range(0, len(values), MOST_VALUES):
            yield line, values[begin : begin + MOST_VALUES]


def few(kernel: TableKernel) -> Iterator[tuple[Line, tuple[int, ...]]]:
    """A line of each GPU, at even places among all, and pairs of neighbours spread over it."""
    values, lines = kernel.values, list(kernel.lines())
    pairs = {(2 * k + 1) * (len(values) - 1) // (2 * QUICK_PAIRS) for k in range(QUICK_PAIRS)}
    for place, gpu in enumerate(GPUS):
        own = [line for line in lines if line.gpu == gpu]
        for begin in sorted(pairs) if own else ():
            yield own[(2 * place + 1) * len(own) // (2 * len(GPUS))], values[begin : begin + 2]


def point_of(kernel: TableKernel, line: Line, values: Sequence[int]) -> StudyPoint:
    """Make the point of a stretch; stretches of a kernel are estimated one after another."""
    inputs = {
        "kernel": kernel.name,
        "held": dict(line.held),
        "along": {kernel.along: list(values)},
        "gpu": line.gpu,
        "assume": dict(kernel.assume),
        "code": _code(kernel.launch_file),
        "sources": sources_digest(*SOURCES, without=NOT_SOURCES),
    }
    return StudyPoint(inputs, kernel.name)


@cache
def _code(launch: Path) -> str:
    """Hash a launch file and its module. SHA-256, hexadecimal."""
    text = launch.read_bytes()
    (one,) = tomllib.loads(text.decode("utf-8"))["launch"]
    return sha256(text + (launch.parent / one["module"]).read_bytes()).hexdigest()


def evaluate(inputs: Mapping[str, Any]) -> PointOutcome:
    """Estimate the configurations of a point."""
    one = prepared(inputs["kernel"])
    ((size, values),) = inputs["along"].items()
    sizes = [{**inputs["held"], size: value} for value in values]
    rows = [asdict(estimated(one, each, inputs["gpu"])) for each in sizes]
    return PointOutcome({}, {"result": {"prepare_ms": one.ms, "rows": rows}})


# --------------------------------------------------------------------------- figures of a kernel


def of_kernel(kernel: TableKernel, own: Sequence[Stretch]) -> KernelEstimates:
    """The figures of a kernel; stretches are in the order of lines and values."""
    rows = [row for one in own for row in one.rows]
    each = [row.ms for row in rows if row.ms is not None]
    refused = Counter(row.cannot_run for row in rows if row.cannot_run)
    problems = Counter(row.problem for row in rows if row.problem)
    return KernelEstimates(
        application=kernel.application,
        name=kernel.name,
        configurations=len(rows),
        estimates=len(each),
        cannot_run=refused.total(),
        problems=problems.total(),
        reasons=dict([*problems.most_common(MOST_REASONS), *refused.most_common(MOST_REASONS)]),
        trace=mean(row.trace for row in rows),
        kept_trace=mean(row.kept for row in rows),
        cpu_s=1e-3 * (median(one.prepare_ms for one in own) + sum(each)),
        p95_ms=quantiles(each, n=20)[-1] if len(each) > 1 else None,
        most_ms=max(each, default=None),
        gpus={gpu: _of_gpu([one for one in own if one.line.gpu == gpu]) for gpu in GPUS},
        **growth(kernel, own),
    )


def _of_gpu(own: Sequence[Stretch]) -> GpuTimes:
    times = [row.us for one in own for row in one.rows if row.us is not None]
    return GpuTimes(
        estimates=len(times),
        least_us=min(times, default=None),
        median_us=median(times) if times else None,
        most_us=max(times, default=None),
    )


def growth(kernel: TableKernel, own: Sequence[Stretch]) -> dict[str, Any]:
    """In how many of the pairs of neighbours of a line the larger one takes as long or longer.

    ``largest_fall`` is the most by which one that is larger is predicted to be shorter, in percent.
    """
    places = {value: place for place, value in enumerate(kernel.values)}
    each = [(one.line, places[value], row.us) for one in own
            for value, row in zip(one.values, one.rows, strict=True)]  # fmt: skip
    found = [
        (small, large)
        for (line, place, small), (other, next_, large) in pairwise(each)
        if line == other and next_ == place + 1 and small is not None and large is not None
    ]
    return {
        "pairs": len(found),
        "grows": sum(large >= small * (1 - SAME) for small, large in found),
        "largest_fall": max((100 * max(0.0, 1 - b / a) for a, b in found), default=None),
    }
