"""One row a workload and preset: what it executes, how it diverges, how long it takes here."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.executor.collectors import Collector
from warpmill.session.options import RunOptions
from warpmill.session.workload_runs import kernel_totals, run_workload

OUTSIDE = (Space.GLOBAL, Space.LOCAL)


@dataclass
class _Sums:
    """Sums over the launches of a kernel."""

    blocks: int
    launches: int = 0
    warps: int = 0
    branches: int = 0
    lanes: int = 0
    threads: int = 0
    accesses: int = 0
    requests: int = 0
    shared_wavefronts: int = 0
    shared_conflicts: int = 0
    barriers: int = 0
    cta_sizes: list[np.ndarray] = field(default_factory=list)


class WorkloadCollector(Collector):
    """Adds launches up by kernel, and keeps the thread instructions of each CTA."""

    counts = frozenset({"memory", "ctas"})

    def __init__(self):
        self.kernels = {}

    def on_profile(self, profile):
        """Add a launch to its kernel's sums."""
        name = profile.kernel.name
        sums = self.kernels.setdefault(name, _Sums(len(profile.kernel.blocks)))
        sums.launches += 1
        sums.warps += profile.warp_instructions
        sums.threads += profile.thread_instructions
        sums.lanes += profile.warp_instructions * profile.warp_size
        sums.branches += sum(
            profile.blocks[block].warps
            for block, _, one in profile.placed
            if one.operation.op_class is OpClass.BRANCH
        )
        sums.barriers += profile.barriers
        for access in profile.accesses:
            if access.space in OUTSIDE:
                sums.accesses += access.requests
                sums.requests += access.lines
            elif access.space is Space.SHARED:
                sums.shared_wavefronts += access.wavefronts
                sums.shared_conflicts += access.bank_conflicts
        sums.cta_sizes.append(np.asarray(profile.by_cta.thread_instructions))


def measured(target):
    """Run a workload with its profile; its row, and the CTA sizes of its main kernel."""
    collector = WorkloadCollector()
    done = run_workload(target, options=RunOptions(collectors=[collector]))
    figures = kernel_totals(done.run.launches)
    form = target.workload.form
    row = {
        "workload": target.workload.name,
        "preset": target.preset,
        "build": target.build,
        "area": form.area,
        "passed": done.passed,
        "checks": [
            {"name": c.name, "against": c.against, "elements": c.elements, "wrong": c.wrong,
             "worst": c.worst, "tolerance": c.tolerance} for c in done.checks
        ],
        "kernels": len(figures.kernels),
        **_totals(figures.total),
        **_shares(collector.kernels.values()),
        "main_kernel": {
            "kernel": form.main_kernel,
            **_totals(figures.of_kernel(form.main_kernel)),
            "threads_per_cta": next(math.prod(one.launched.block) for one in done.run.launches
                                    if one.launched.kernel.name == form.main_kernel),
        },
        "seconds": {name: round(value, 3) for name, value in done.seconds.items()},
    }  # fmt: skip
    main = collector.kernels.get(form.main_kernel)
    return row, [] if main is None else main.cta_sizes


def _totals(totals):
    each = totals.thread_instructions / totals.threads if totals.threads else None
    return {
        "launches": totals.launches,
        "ctas": totals.ctas,
        "threads": totals.threads,
        "warp_instructions": totals.warp_instructions,
        "thread_instructions": totals.thread_instructions,
        "instructions_per_thread": each,
    }


def _shares(kernels: Iterable[_Sums]):
    """Shares over all kernels; None where there is nothing to share."""
    kernels = list(kernels)

    def ratio(over, under):
        whole = sum(getattr(k, under) for k in kernels)
        return sum(getattr(k, over) for k in kernels) / whole if whole else None

    return {
        "static_blocks": sum(k.blocks for k in kernels),
        "branch_share": ratio("branches", "warps"),
        "lane_utilization": ratio("threads", "lanes"),
        "memory_divergence": ratio("requests", "accesses"),
        "memory_share": ratio("accesses", "warps"),
        "bank_conflict_share": ratio("shared_conflicts", "shared_wavefronts"),
        "barriers_by_warps": sum(k.barriers for k in kernels),
    }


def variation(sizes):
    """The coefficient of variation of CTA sizes in a launch, averaged by instructions.

    TBPoint's inter-launch feature, for all launches of a kernel together.
    """
    sums = np.array([one.sum() for one in sizes], float)
    each = np.array([one.std() / one.mean() if one.mean() else 0.0 for one in sizes])
    return float((sums * each).sum() / sums.sum()) if sums.sum() else None
