"""GT-Pin's Figures 3 and 4 of the applications that stand for its Table I."""

from __future__ import annotations

from collections import Counter

import numpy as np

from benchmarks.workload_parts.groups import GROUPS, group_of
from warpmill.analyzer.ir.types import Space
from warpmill.executor.collectors import Collector
from warpmill.executor.host.recording import LaunchCall, ends_interval, sync_intervals
from warpmill.session.options import RunOptions
from warpmill.session.workload_runs import run_workload
from warpmill.session.workloads import WorkloadTarget, workloads

LANES = ((1, 1), (2, 8), (9, 16), (17, 31), (32, 64))
"""Lanes that are on, from and to, as the paper has lengths of vectors."""

DIFFERENT = 0.2
"""Launches of one kernel that differ by more than this in work are not alike."""


class _Collector(Collector):
    """Adds up what GT-Pin's figures show."""

    counts = frozenset({"memory", "lanes"})

    def __init__(self):
        self.groups, self.lanes = Counter(), np.zeros(65, np.int64)
        self.read = self.written = self.block_executions = 0
        self.blocks, self.work = {}, {}

    def on_profile(self, profile):
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


def applications():
    """List GT-Pin's applications: the paper's name, workload, preset, its second input."""
    for name, workload in workloads().items():
        facts = workload.form.paper.gtpin
        for preset, application in (facts.applications if facts else {}).items():
            yield application, name, preset


def characterised(application, name, preset):
    """Run an application with both of its inputs; its row."""
    first, second = (_run(name, one) for one in (preset, f"{preset}-b"))
    return {"application": application, "workload": name, "preset": preset, **first,
            "second": second}  # fmt: skip


def _run(name, preset):
    collector = _Collector()
    options = RunOptions(collectors=[collector])
    done = run_workload(WorkloadTarget(workloads()[name], preset), options=options)
    calls = done.run.recording.calls
    launches = sum(isinstance(call, LaunchCall) for call in calls)
    synchronisations = sum(map(ends_interval, calls))
    total = sum(collector.groups.values())
    lanes = collector.lanes[1:].sum()
    return {
        "passed": done.passed,
        "calls": {
            "kernel": launches,
            "synchronisation": synchronisations,
            "other": len(calls) - launches - synchronisations,
        },
        "intervals": len(sync_intervals(done.run.recording)),
        "kernels": len(collector.blocks),
        "static_blocks": sum(collector.blocks.values()),
        "block_executions": collector.block_executions,
        "warp_instructions": total,
        "groups": {group: collector.groups[group] / total for group in GROUPS},
        "lanes": [float(collector.lanes[a : b + 1].sum() / lanes) for a, b in LANES],
        "bytes_read": collector.read,
        "bytes_written": collector.written,
        "differing_kernels": sorted(k for k, w in collector.work.items() if _differ(w)),
    }


def _differ(work):
    """Whether launches of a kernel differ in work: the least by a share of the largest."""
    return (max(work) - min(work)) / max(work) > DIFFERENT if max(work) else False


def summary(rows):
    """How the applications meet what was asked of them."""

    def within(row):
        return all(0.5e8 <= one["warp_instructions"] <= 2e8 for one in (row, row["second"]))

    return {
        "applications": len(rows),
        "right": sum(row["passed"] and row["second"]["passed"] for row in rows),
        "within_size": sum(map(within, rows)),
        "with_differing_launches": sum(bool(row["differing_kernels"]) for row in rows),
        "fewest_launches": min((row["calls"]["kernel"] for row in rows), default=0),
    }
