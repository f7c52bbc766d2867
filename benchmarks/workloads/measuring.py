"""What workloads and GT-Pin's applications execute, run by run."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any

import numpy as np

from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.benchmarks.benchmark import Request, say
from warpmill.benchmarks.keeping import measured, results
from warpmill.benchmarks.workloads import (
    CALLS,
    GROUPS,
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
from warpmill.session.applications import application_jobs
from warpmill.session.dfsgs import dfsgs
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.session.simulations import simulate
from warpmill.session.workload_runs import kernel_totals, run_workload
from warpmill.session.workloads import DEFAULT_BUILD, WorkloadTarget, workloads
from warpmill.studies.model import PointOutcome, StudyPoint
from warpmill.studies.places import default_store
from warpmill.studies.sources import sources_digest

STUDY = "benchmarks.workloads"
SOURCES = ("analyzer", "executor", "simulator", "grammars", "warpmill")
VERSION = 2
"""One more where this file measures something else: it is not hashed."""
RUN, APPLICATION, SIZE = "run", "application", "size"
SIZES_7 = {
    "nw": [{"symbols": n} for n in (128, 256, 512, 1024)],
    "hotspot": [{"columns": n, "rows": n} for n in (64, 128, 256, 512)],
}
"""MiniBench's two workloads of Figure 7, over sizes of their inputs."""
MACHINE = "minibench_28sm"
FIGURE_13 = (57600, 51200, 6400)
"""Threads that come to kmeans' entry, go on and leave, in MiniBench's Figure 13."""
LIMITS = {"tbpoint": 0.10, "stargazer": 0.25}
"""How far launches and CTAs (tbpoint), thread instructions (stargazer) may be off, as a share."""
DIFFERENT = 0.2
"""Launches of one kernel that differ by more than this in work are not alike."""
LANES = ((1, 1), (2, 8), (9, 16), (17, 31), (32, 64))
"""Lanes that are on, from and to, as the paper has lengths of vectors."""

Row = dict[str, Any]


def measure(request: Request) -> WorkloadsResult:
    """Run workloads; with `quick` their tiny presets alone."""
    known = workloads()
    names = request.chosen(known)
    wanted = list(_points(names, quick=request.quick))
    store = request.store or default_store()
    found = results(measured(STUDY, store, wanted, evaluate, workers=request.workers, say=say))
    each: dict[str, list[Row]] = {kind: [] for kind in (RUN, APPLICATION, SIZE)}
    for point, row in zip(wanted, found, strict=True):
        each[point.inputs["kind"]].append(row)
    runs = tuple(Run(**row) for row in each[RUN])
    with_kmeans = "kmeans" in names and not request.quick
    return WorkloadsResult(
        rows=runs,
        targets=tuple(one for name in names for one in targets(name, runs)),
        figure_7=tuple(Size(**row) for row in each[SIZE]),
        figure_13=figure_13() if with_kmeans else None,
        applications=tuple(
            sorted((Application(**{**row, "differing": tuple(row["differing"])})
                    for row in each[APPLICATION]),
                   key=lambda one: one.application)
        ),
    )  # fmt: skip


def _points(names: Sequence[str], *, quick: bool) -> Iterator[StudyPoint]:
    """All that is measured."""
    for name in names:
        own = workloads()[name]
        presets = [p for p in own.presets if p == SMALL or p.startswith("paper-")]
        for preset in ["tiny"] if quick else presets:
            if not preset.startswith("paper-gtpin"):
                yield point(RUN, name, preset=preset)
        if not quick:
            gtpin = own.form.paper.gtpin
            for preset, called in gtpin.applications.items() if gtpin is not None else ():
                yield point(APPLICATION, name, preset=preset, application=called)
            for sizes in SIZES_7.get(name, ()):
                yield point(SIZE, name, sizes=sizes)


def point(kind: str, workload: str, **more: Any) -> StudyPoint:
    """What is measured: anew where the workload's files or the sources of warpmill changed."""
    inputs = {"kind": kind, "workload": workload, **more, "files": _files(workload),
              "sources": sources_digest(*SOURCES), "version": VERSION}  # fmt: skip
    return StudyPoint(inputs, workload)


@cache
def _files(workload: str) -> str:
    """Hash all files of a workload, and the generators that workloads share."""
    folder = workloads()[workload].folder
    digest = sha256()
    for path in sorted([*folder.iterdir(), *(folder.parents[1] / "common").glob("*.*")]):
        digest.update(path.name.encode() + sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def evaluate(inputs: Mapping[str, Any]) -> PointOutcome:
    """Measure a point."""
    kind, name = inputs["kind"], inputs["workload"]
    if kind == APPLICATION:
        found = characterised(inputs["application"], name, inputs["preset"])
    elif kind == SIZE:
        found = simulated(name, inputs["sizes"])
    else:
        found = executed(name, inputs["preset"])
    return PointOutcome(facts={"result": found})


# A workload at a preset: what it executes, how it diverges, how long it takes here.


class _Totals(Collector):
    """Adds launches up."""

    counts = frozenset({"memory"})

    def __init__(self) -> None:
        self.sums: Counter[str] = Counter()
        self.blocks: dict[str, int] = {}

    def on_profile(self, profile: Any) -> None:
        """Add a launch."""
        self.blocks[profile.kernel.name] = len(profile.kernel.blocks)
        self.sums["warps"] += profile.warp_instructions
        self.sums["threads"] += profile.thread_instructions
        self.sums["lanes"] += profile.warp_instructions * profile.warp_size
        self.sums["branches"] += sum(
            profile.blocks[block].warps
            for block, _, one in profile.placed
            if one.operation.op_class is OpClass.BRANCH
        )
        for access in profile.accesses:
            if access.space in (Space.GLOBAL, Space.LOCAL):
                self.sums["accesses"] += access.requests
                self.sums["lines"] += access.lines
            elif access.space is Space.SHARED:
                self.sums["wavefronts"] += access.wavefronts
                self.sums["conflicts"] += access.bank_conflicts

    def ratio(self, over: str, under: str) -> float | None:
        """A quotient of sums; None of nothing."""
        return self.sums[over] / self.sums[under] if self.sums[under] else None


def executed(name: str, preset: str) -> Row:
    """Run a workload with its profile."""
    target, totals = WorkloadTarget(workloads()[name], preset, DEFAULT_BUILD), _Totals()
    done = run_workload(target, options=RunOptions(collectors=[totals]))
    figures, form = kernel_totals(done.run.launches), target.workload.form
    own, whole = figures.of_kernel(form.main_kernel), figures.total
    block = next(one.launched.block for one in done.run.launches
                 if one.launched.kernel.name == form.main_kernel)  # fmt: skip
    fact = form.paper.minibench if preset == MINIBENCH else None
    return {
        "workload": name,
        "preset": preset,
        "area": form.area,
        "right": done.passed,
        "launches": whole.launches,
        "ctas": whole.ctas,
        "threads": whole.threads,
        "warp_instructions": whole.warp_instructions,
        "thread_instructions": whole.thread_instructions,
        "static_blocks": sum(totals.blocks.values()),
        "branch_share": totals.ratio("branches", "warps"),
        "memory_share": totals.ratio("accesses", "warps"),
        "lane_utilization": totals.ratio("threads", "lanes"),
        "memory_divergence": totals.ratio("lines", "accesses"),
        "bank_conflict_share": totals.ratio("conflicts", "wavefronts"),
        "main": {"launches": own.launches, "ctas": own.ctas, "threads_per_cta": math.prod(block)},
        "name": None if fact is None else fact.name,
    }


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


def simulated(workload: str, sizes: Mapping[str, int]) -> Row:
    """Simulate all launches of a workload in a row: warp instructions a cycle, and threads."""
    options = LaunchOptions(sizes=dict(sizes), launches="all")
    jobs = application_jobs(f"{workload}:{MINIBENCH}", None, options)
    return {
        "workload": workload,
        "sizes": ", ".join(f"{name} {value:,}" for name, value in sizes.items()),
        "threads": max(one.cta_count * one.threads_per_cta for job in jobs if (one := job.launch)),
        "ipc": simulate(jobs, MACHINE).warp_ipc,
    }


# GT-Pin's Figures 3 and 4 of the applications that stand for its Table I.

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
"""The paper's ISA sends messages for all memory operations, barriers and fences; its arguments of
kernels are in registers."""
_GROUP_OF = {OpClass[name]: group for group, names in OF_CLASS.items() for name in names}


def group_of(operation: Any) -> str:
    """The group of an operation; reading a kernel's argument is a move."""
    if operation.op_class is OpClass.LOAD and operation.space is Space.PARAM:
        return "move"
    return _GROUP_OF[operation.op_class]


class _Collector(Collector):
    """Adds up what GT-Pin's figures show."""

    counts = frozenset({"memory", "lanes"})

    def __init__(self) -> None:
        self.groups: Counter[str] = Counter()
        self.lanes = np.zeros(65, np.int64)
        self.read = self.written = self.block_executions = 0
        self.blocks: dict[str, int] = {}
        self.work: dict[str, list[int]] = {}

    def on_profile(self, profile: Any) -> None:
        """Add a launch."""
        name = profile.kernel.name
        self.blocks[name] = len(profile.kernel.blocks)
        self.work.setdefault(name, []).append(profile.warp_instructions)
        self.block_executions += sum(block.warps for block in profile.blocks)
        for block, _, one in profile.placed:
            self.groups[group_of(one.operation)] += profile.blocks[block].warps
        for block, own in zip(profile.kernel.blocks, profile.lanes, strict=True):
            self.lanes[: len(own)] += np.array(own, np.int64) * len(block.instructions)
        for access in profile.accesses:
            if access.space in (Space.GLOBAL, Space.LOCAL):
                self.read += access.bytes_requested * (access.kind != "store")
                self.written += access.bytes_requested * (access.kind != "load")


def characterised(application: str, name: str, preset: str) -> Row:
    """Run an application."""
    collector = _Collector()
    target = WorkloadTarget(workloads()[name], preset)
    done = run_workload(target, options=RunOptions(collectors=[collector]))
    calls = done.run.recording.calls
    launches = sum(isinstance(call, LaunchCall) for call in calls)
    synchronisations = sum(map(ends_interval, calls))
    counts = (launches, synchronisations, len(calls) - launches - synchronisations)
    total, lanes = sum(collector.groups.values()), collector.lanes[1:].sum()
    return {
        "application": application,
        "target": f"{name}:{preset}",
        "right": done.passed,
        "launches": launches,
        "kernels": len(collector.blocks),
        "intervals": len(sync_intervals(done.run.recording)),
        "calls": {kind: n / len(calls) for kind, n in zip(CALLS, counts, strict=True)},
        "static_blocks": sum(collector.blocks.values()),
        "block_executions": collector.block_executions,
        "warp_instructions": total,
        "groups": {group: collector.groups[group] / total for group in GROUPS},
        "lanes": {
            lanes_words(a, b): float(collector.lanes[a : b + 1].sum() / lanes) for a, b in LANES
        },
        "bytes_read": collector.read,
        "bytes_written": collector.written,
        "differing": sorted(k for k, work in collector.work.items() if differ(work)),
    }  # fmt: skip


def lanes_words(first: int, last: int) -> str:
    """A range of lanes for people."""
    return f"{first} lane" if first == last else f"{first} to {last} lanes"


def differ(work: Sequence[int]) -> bool:
    """Whether launches of a kernel differ in work: the least by a share of the largest."""
    return (max(work) - min(work)) / max(work) > DIFFERENT if max(work) else False
