"""Timelines of charts: CTAs on SMs, warps at instructions, launches; and launches by kernel."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from warpmill.analyzer.base.naming import base_name
from warpmill.analyzer.frontends.load import LoadedModule
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.report.charts import (
    Chart,
    TimelineChart,
    TimeSpan,
    TreeBranch,
    TreeChart,
    TreeLeaf,
)
from warpmill.report.facts import instruction_place
from warpmill.report.words import place
from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.resources import TERMS

if TYPE_CHECKING:
    from warpmill.executor.host.recording import LaunchCall
    from warpmill.session.launch_estimates import TotalEstimate

_MOST_CTAS = 3000
"""CTAs that a timeline shows; of more, those of some SMs."""


def cta_timeline(subject: str, result: SimResult) -> TimelineChart | None:
    """When each CTA ran on which SM; of many CTAs those of some SMs, evenly spread."""
    ctas = result.ctas
    sms = sorted({int(sm) for sm in ctas.sm})
    if not sms:
        return None
    every = -(-len(ctas.sm) // _MOST_CTAS)
    shown = {sm: lane for lane, sm in enumerate(sms[::every])}
    found = zip(
        ctas.begin_cycle.tolist(), ctas.end_cycle.tolist(), ctas.sm.tolist(),
        ctas.launch.tolist(), ctas.number.tolist(), strict=True,
    )  # fmt: skip
    ends: dict[int, list[int]] = {sm: [] for sm in shown}
    spans = []
    for begin, end, sm, launch, number in sorted(found):
        if sm not in shown:
            continue
        slots = ends[sm]
        slot = next((n for n, last in enumerate(slots) if last <= begin), len(slots))
        slots[slot : slot + 1] = [end]
        kernel = result.launches[launch].name
        spans.append(TimeSpan(shown[sm], begin, end, f"CTA {number}", kernel, slot))
    some = "" if every == 1 else f", {len(shown)} of {len(sms)} SMs"
    title = f"CTAs on SMs of {subject}{some}"
    return TimelineChart(title, "cycle", tuple(f"SM {sm}" for sm in shown), tuple(spans))


_MOST_LAUNCHES = 3000
"""Launches of an application that a timeline shows."""

_BARRIER = str(TERMS["barrier"])
"""The reason of waits at barriers."""


def warp_timeline(loaded: LoadedModule, kernel: Kernel, found: Estimate) -> TimelineChart | None:
    """Warps of a sub-partition at the beginning of a wave: waits by reason, and what they issue.

    It is Figure 2 of the hybrid paper, drawn of a launch.
    """
    if not found.warp_spans:
        return None
    warps = sorted({one.warp for one in found.warp_spans})
    lanes, per_cta = {warp: lane for lane, warp in enumerate(warps)}, found.occupancy.warps_per_cta
    spans = []
    for one in found.warp_spans:
        instruction = kernel.blocks[one.block].instructions[one.instruction]
        line = place(instruction_place(loaded, instruction), loaded.path)
        name = f"{instruction.operation.opcode}, line {line}"
        lane = lanes[one.warp]
        if one.issued > one.begin:
            spans.append(TimeSpan(lane, one.begin, one.issued, name, str(one.reason)))
        if str(one.reason) != _BARRIER:
            done = f"{name}; result {one.done - one.issued:,.0f} later"
            spans.append(TimeSpan(lane, one.issued, one.issued + 1.0, done, "issue"))
    names = tuple(f"CTA {warp // per_cta}, warp {warp % per_cta}" for warp in warps)
    title = f"Warps of one SM sub-partition on {found.machine}: issue, and reasons of waits"
    return TimelineChart(title, "cycle", names, tuple(spans))


def launch_timeline(found: SimResult) -> TimelineChart | None:
    """When each launch ran, a lane a kernel; None of a single one."""
    if len(found.launches) < 2:
        return None
    kernels = list(dict.fromkeys(one.kernel for one in found.launches))
    spans = (
        TimeSpan(
            kernels.index(one.kernel),
            float(one.begin_cycle),
            float(one.begin_cycle + one.cycles),
            f"{one.number if one.place is None else one.place}: {base_name(one.kernel)}",
            f"stream {one.stream}",
        )
        for one in found.launches
    )
    title = f"Launches on {found.machine}"
    return TimelineChart(title, "cycle", tuple(map(base_name, kernels)), tuple(spans))


def application_timeline(
    calls: Sequence[LaunchCall], looked_at: Collection[int]
) -> TimelineChart | None:
    """All launches of an application, a lane a kernel, those marked that were ``looked_at``.

    The axis is the warp instructions that were executed before; launches that nobody counted are
    one long each. None of a single launch; of many the first ones.
    """
    if len(calls) < 2:
        return None
    shown = calls[:_MOST_LAUNCHES]
    kernels = list(dict.fromkeys(call.demangled for call in shown))
    counted = all(call.warp_instructions is not None for call in shown)
    begin, spans = 0.0, []
    for number, call in enumerate(shown):
        end = begin + float(call.warp_instructions or 0 if counted else 1)
        group = "looked at here" if number in looked_at else "not looked at"
        lane = kernels.index(call.demangled)
        spans.append(TimeSpan(lane, begin, end, f"launch {number}", group))
        begin = end
    some = "" if len(shown) == len(calls) else f", the first {len(shown):,} of {len(calls):,}"
    unit = "warp instructions before" if counted else "launches before"
    return TimelineChart(f"Launches of the application{some}", unit, tuple(kernels), tuple(spans))


def launch_tree(found: TotalEstimate) -> TreeChart | None:
    """Launches below their kernels, as large as their times; None of a single one."""
    if len(found.by_launch) < 2:
        return None
    branches = (
        TreeBranch(
            one.kernel,
            tuple(
                TreeLeaf(launch.title, launch.time_us)
                for launch in found.by_launch
                if launch.kernel == one.kernel
            ),
        )
        for one in found.kernels
    )
    return TreeChart(f"Time of launches by kernel on {found.machine}", "µs", tuple(branches))


def total_charts(report: Any) -> Iterator[Chart]:
    """Timelines of a report's applications, and the trees of all launches, one a machine."""
    yield from (one.chart() for one in getattr(report, "applications", []))
    yield from (chart for total in report.totals if (chart := launch_tree(total)) is not None)
