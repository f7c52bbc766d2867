"""What workloads and GT-Pin's applications execute, run by run."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np

from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.analyzer.profile.counts import Profile, bytes_read, bytes_written
from warpmill.analyzer.profile.mix import executions_by, lane_histogram
from warpmill.benchmarks.benchmark import Request, say
from warpmill.benchmarks.workloads import (
    CALLS,
    GROUPS,
    LANES,
    MACHINE,
    MINIBENCH,
    SMALL,
    Application,
    Run,
    Size,
    Target,
    WorkloadsResult,
)
from warpmill.executor.collectors import Collector
from warpmill.executor.host.recording import LaunchCall, ends_interval, sync_intervals
from warpmill.report.base import Part
from warpmill.session.applications import application_jobs
from warpmill.session.dfsgs import dfsgs
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.session.simulations import simulate
from warpmill.session.workload_runs import WorkloadRun, kernel_totals, run_workload
from warpmill.session.workloads import DEFAULT_BUILD, WorkloadTarget, workloads

SIZES_7 = {
    "nw": [{"symbols": n} for n in (128, 256, 512, 1024)],
    "hotspot": [{"columns": n, "rows": n} for n in (64, 128, 256, 512)],
}
"""MiniBench's two workloads of Figure 7, over sizes of their inputs."""
LIMITS = {"tbpoint": 0.10, "stargazer": 0.25}
"""How far launches and CTAs (tbpoint), thread instructions (stargazer) may be off, as a share."""
DIFFERENT = 0.2
"""Launches of one kernel that differ by more than this in work are not alike."""
OUTSIDE = (Space.GLOBAL, Space.LOCAL)
Point = tuple[Callable[..., Part], tuple[Any, ...]]


def measure(request: Request) -> WorkloadsResult:
    """Run workloads; with `quick` their tiny presets alone."""
    names = request.chosen(workloads())
    todo = list(points(names, quick=request.quick))
    found = []
    with ProcessPoolExecutor(request.workers) as pool:
        for number, one in enumerate(pool.map(_done, todo), 1):
            found.append(one)
            say(f"{number} of {len(todo)}: {', '.join(map(str, todo[number - 1][1]))}")
    runs = tuple(one for one in found if isinstance(one, Run))
    applications = [one for one in found if isinstance(one, Application)]
    return WorkloadsResult(
        rows=runs,
        targets=tuple(one for name in names for one in targets(name, runs)),
        figure_7=tuple(one for one in found if isinstance(one, Size)),
        figure_13=figure_13() if "kmeans" in names and not request.quick else None,
        applications=tuple(sorted(applications, key=lambda one: one.application)),
    )


def points(names: Sequence[str], *, quick: bool) -> Iterator[Point]:
    """All that is measured: a function and what it is given."""
    for name in names:
        own = workloads()[name]
        presets = [p for p in own.presets if p == SMALL or p.startswith("paper-")]
        for preset in ["tiny"] if quick else presets:
            if not preset.startswith("paper-gtpin"):
                yield executed, (name, preset)
        if not quick:
            gtpin = own.form.paper.gtpin
            for preset, called in gtpin.applications.items() if gtpin is not None else ():
                yield characterised, (called, name, preset)
            for sizes in SIZES_7.get(name, ()):
                yield simulated, (name, sizes)


def _done(point: Point) -> Part:
    function, arguments = point
    return function(*arguments)


OF_CLASS = {
    "move": ("MOVE", "CONVERT", "SELECT", "ADDRESS", "SHUFFLE"),
    "logic": ("LOGIC", "SHIFT", "COMPARE", "BIT"),
    "control": ("BRANCH", "CALL", "RETURN", "CONTROL", "VOTE"),
    "computation": ("ADD", "MUL", "FMA", "DIV", "MINMAX", "SPECIAL", "VIDEO", "MMA", "UNKNOWN"),
    "send": (
        "LOAD", "STORE", "ATOMIC", "PREFETCH", "ASYNC_COPY", "TEXTURE", "SURFACE", "MATRIX_MOVE",
        "BARRIER", "FENCE",
    ),
}  # fmt: skip
"""GT-Pin's groups of opcodes. The paper's ISA sends messages for all memory operations, barriers
and fences; its arguments of kernels are in registers."""
_GROUP_OF = {OpClass[name]: group for group, names in OF_CLASS.items() for name in names}


def group_of(operation: Any) -> str:
    """The group of an operation; reading a kernel's argument is a move."""
    if operation.op_class is OpClass.LOAD and operation.space is Space.PARAM:
        return "move"
    return _GROUP_OF[operation.op_class]


class Totals(Collector):
    """Launches added up: sums by name, opcodes by group, lanes that are on, work by kernel."""

    counts = frozenset({"memory", "lanes"})

    def __init__(self) -> None:
        self.sums: Counter[str] = Counter()
        self.groups: Counter[str] = Counter()
        self.lanes = np.zeros(65, np.int64)
        self.blocks: dict[str, int] = {}
        self.work: dict[str, list[int]] = {}

    def on_profile(self, profile: Profile) -> None:
        """Add a launch."""
        name, warps = profile.kernel.name, profile.warp_instructions
        self.blocks[name] = profile.static_blocks
        self.work.setdefault(name, []).append(warps)
        for group, found in executions_by(profile, lambda i: group_of(i.operation)).items():
            self.groups[group] += found.warp_instructions
        lanes = lane_histogram(profile) or ()
        self.lanes[: len(lanes)] += lanes
        branches = executions_by(profile, lambda i: i.operation.op_class).get(OpClass.BRANCH)
        outside = [one for one in profile.accesses or () if one.space in OUTSIDE]
        shared = [one for one in profile.accesses or () if one.space is Space.SHARED]
        self.sums.update(
            warps=warps,
            threads=profile.thread_instructions,
            slots=warps * profile.warp_size,
            branches=branches.warp_instructions if branches else 0,
            blocks=profile.block_executions,
            requests=sum(one.requests for one in outside),
            lines=sum(one.lines or 0 for one in outside),
            read=bytes_read(outside),
            written=bytes_written(outside),
            wavefronts=sum(one.wavefronts or 0 for one in shared),
            conflicts=sum(one.bank_conflicts or 0 for one in shared),
        )

    def ratio(self, over: str, under: str) -> float | None:
        """A quotient of sums; None of nothing."""
        return self.sums[over] / self.sums[under] if self.sums[under] else None


def _run(name: str, preset: str) -> tuple[WorkloadRun, Totals]:
    totals = Totals()
    target = WorkloadTarget(workloads()[name], preset, DEFAULT_BUILD)
    return run_workload(target, options=RunOptions(collectors=[totals])), totals


def executed(name: str, preset: str) -> Run:
    """A workload at a preset: what it executes, and how it diverges."""
    done, totals = _run(name, preset)
    figures, form = kernel_totals(done.run.launches), workloads()[name].form
    own, whole = figures.of_kernel(form.main_kernel), figures.total
    block = next(one.launched.block for one in done.run.launches
                 if one.launched.kernel.name == form.main_kernel)  # fmt: skip
    fact = form.paper.minibench if preset == MINIBENCH else None
    return Run(
        workload=name,
        preset=preset,
        area=form.area,
        right=done.passed,
        launches=whole.launches,
        ctas=whole.ctas,
        threads=whole.threads,
        warp_instructions=whole.warp_instructions,
        thread_instructions=whole.thread_instructions,
        static_blocks=sum(totals.blocks.values()),
        branch_share=totals.ratio("branches", "warps") or 0.0,
        memory_share=totals.ratio("requests", "warps") or 0.0,
        lane_utilization=totals.ratio("threads", "slots") or 0.0,
        memory_divergence=totals.ratio("lines", "requests"),
        bank_conflict_share=totals.ratio("conflicts", "wavefronts"),
        main={"launches": own.launches, "ctas": own.ctas, "threads_per_cta": math.prod(block)},
        name=None if fact is None else fact.name,
    )


def characterised(application: str, name: str, preset: str) -> Application:
    """An application of GT-Pin's Table I, of the workload that stands for it."""
    done, totals = _run(name, preset)
    calls = done.run.recording.calls
    launches = sum(isinstance(call, LaunchCall) for call in calls)
    synchronisations = sum(map(ends_interval, calls))
    counts = (launches, synchronisations, len(calls) - launches - synchronisations)
    work, lanes = totals.sums["warps"], totals.lanes[1:].sum()
    return Application(
        application=application,
        target=f"{name}:{preset}",
        right=done.passed,
        launches=launches,
        kernels=len(totals.blocks),
        intervals=len(sync_intervals(done.run.recording)),
        calls={kind: n / len(calls) for kind, n in zip(CALLS, counts, strict=True)},
        static_blocks=sum(totals.blocks.values()),
        block_executions=totals.sums["blocks"],
        warp_instructions=work,
        groups={group: totals.groups[group] / work for group in GROUPS},
        lanes={words: float(totals.lanes[a : b + 1].sum() / lanes)
               for words, (a, b) in LANES.items()},
        bytes_read=totals.sums["read"],
        bytes_written=totals.sums["written"],
        differing=tuple(sorted(k for k, own in totals.work.items() if differ(own))),
    )  # fmt: skip


def differ(work: Sequence[int]) -> bool:
    """Whether launches of a kernel differ in work: the least by a share of the largest."""
    return (max(work) - min(work)) / max(work) > DIFFERENT if max(work) else False


def simulated(workload: str, sizes: Mapping[str, int]) -> Size:
    """All launches of a workload in a row, simulated with inputs of some size."""
    options = LaunchOptions(sizes=dict(sizes), launches="all")
    jobs = application_jobs(f"{workload}:{MINIBENCH}", None, options)
    return Size(
        workload=workload,
        sizes=", ".join(f"{name} {value:,}" for name, value in sizes.items()),
        threads=max(one.cta_count * one.threads_per_cta for job in jobs if (one := job.launch)),
        ipc=simulate(jobs, MACHINE).warp_ipc,
    )


def targets(name: str, runs: Sequence[Run]) -> Iterator[Target]:
    """Compare the paper presets of a workload with what the papers state."""
    paper = workloads()[name].form.paper
    of = {one.preset: one for one in runs if one.workload == name}

    def target(which: str, figure: str, here: int, theirs: int, most: float) -> Target:
        within = abs(here / theirs - 1) <= most
        return Target(workload=name, paper=which, figure=figure, theirs=theirs, here=here,
                      within=within)  # fmt: skip

    own = of.get("paper-tbpoint")
    if paper.tbpoint is not None and own is not None:
        most = LIMITS["tbpoint"]
        yield target("TBPoint", "launches", own.main["launches"], paper.tbpoint.launches, most)
        yield target("TBPoint", "CTAs", own.main["ctas"], paper.tbpoint.ctas, most)
    own, facts = of.get("paper-stargazer"), paper.stargazer
    if facts is not None and own is not None:
        yield target("Stargazer", "thread instructions", own.thread_instructions,
                     facts.thread_instructions, LIMITS["stargazer"])  # fmt: skip
        yield target("Stargazer", "threads a CTA", own.main["threads_per_cta"],
                     facts.threads_per_block, 0.0)  # fmt: skip


def figure_13() -> tuple[int, ...]:
    """The entry of kmeans: threads that come, and both their ways."""
    graph = next(g for g in dfsgs("kmeans:paper-minibench") if g.launch.kernel == "kmeans_c")
    ways = sorted((edge.tcount for edge in graph.edges if edge.source == 0), reverse=True)
    return (graph.nodes[0].ecount, *ways)
