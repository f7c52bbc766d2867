"""Charts of times: what estimates and simulations of a launch have in common.

Each takes results of machines, or of variants, side by side, with the names that head them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from warpmill.report.charts import (
    Axis,
    BarChart,
    Chart,
    Flow,
    FlowChart,
    Point,
    PointSeries,
    Series,
    XyChart,
)
from warpmill.report.timelines import cta_timeline, launch_timeline
from warpmill.simulator.estimate.result import Estimate, Roofline
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.occupancy import Occupancy

if TYPE_CHECKING:
    from warpmill.session.launch_estimates import LaunchEstimates

_LEAST = 0.01
"""Shares below are put together."""


def side_by_side(
    title: str, unit: str, found: Mapping[str, Mapping[str, float | None]], *, ordered: bool = True
) -> BarChart | None:
    """Figures by name of several subjects as bars, the greatest first; None where there are none.

    ``found`` has the figures by subject. ``ordered`` False: in the order in which they stand.
    """
    names = list(dict.fromkeys(name for figures in found.values() for name in figures))
    if not names:
        return None
    if ordered:
        names.sort(key=lambda name: -max(figures.get(name) or 0.0 for figures in found.values()))
    series = (
        Series(subject, tuple(figures.get(name) for name in names))
        for subject, figures in found.items()
    )
    return BarChart(title, unit, tuple(names), tuple(series))


def breakdown(title: str, found: Mapping[str, Mapping[str, float]]) -> BarChart | None:
    """Shares of one whole, a bar a subject; causes of under 1 % of all are put together."""
    causes = dict.fromkeys(cause for shares in found.values() for cause in shares)
    great = [c for c in causes if max(shares.get(c, 0.0) for shares in found.values()) >= _LEAST]
    if not great:
        return None
    great.sort(key=lambda cause: -max(shares.get(cause, 0.0) for shares in found.values()))
    series = [Series(c, tuple(shares.get(c, 0.0) for shares in found.values())) for c in great]
    rest = [
        sum(shares.values()) - sum(shares.get(c, 0.0) for c in great) for shares in found.values()
    ]
    if max(rest) > _LEAST / 10:
        series.append(Series("all else", tuple(max(0.0, part) for part in rest)))
    return BarChart(title, "%", tuple(found), tuple(series), stacked=True)


def occupancy_chart(found: Mapping[str, Occupancy]) -> BarChart | None:
    """CTAs that an SM holds, and how many each resource alone would allow."""
    limits: dict[str, dict[str, float | None]] = {
        subject: {
            "resident": float(one.ctas_per_sm),
            **{
                name.replace("_", " "): None if most is None else float(most)
                for name, most in one.limits.items()
            },
        }
        for subject, one in found.items()
    }
    return side_by_side(
        "Occupancy: CTAs per SM, and as many as each resource allows", "CTA", limits, ordered=False
    )


def roofline_chart(found: Mapping[str, Roofline]) -> XyChart | None:
    """Arithmetic intensity against GFLOP/s, under the roof of each machine; None without both."""
    series = []
    for subject, one in found.items():
        if one.flops_per_dram_byte is None or one.peak_gflops is None or not one.achieved_gflops:
            continue
        ridge = one.peak_gflops / one.dram_gb_per_s
        ends = min(ridge, one.flops_per_dram_byte) / 8, max(ridge, one.flops_per_dram_byte) * 8
        roof = tuple(
            Point(x, min(one.peak_gflops, x * one.dram_gb_per_s)) for x in (ends[0], ridge, ends[1])
        )
        point = Point(one.flops_per_dram_byte, one.achieved_gflops, str(one.kind))
        series += [
            PointSeries(f"{subject}: {one.kind} roof", roof, line=True),
            PointSeries(subject, (point,)),
        ]
    if not series:
        return None
    x, y = Axis("Arithmetic intensity", "FLOP/B", log=True), Axis("Achieved", "GFLOP/s", log=True)
    return XyChart("Roofline: DRAM", x, y, tuple(series))


def memory_flow(
    subject: str, requested: float, l2_bytes: float, dram_bytes: float
) -> FlowChart | None:
    """Bytes that warps ask for, by the level that has them; None where there are none."""
    if not requested:
        return None
    flows = (
        Flow("warps", "L1 hits", requested - l2_bytes),
        Flow("warps", "L2", l2_bytes),
        Flow("L2", "L2 hits", l2_bytes - dram_bytes),
        Flow("L2", "DRAM", dram_bytes),
    )
    kept = tuple(flow for flow in flows if flow.amount > 0)
    return FlowChart(f"Memory traffic on {subject}: bytes by the level that has them", "B", kept)


def launch_charts(launch: LaunchEstimates) -> Iterator[Chart]:
    """The charts of a launch's estimates, machines side by side."""
    return estimate_charts([one.machine for one in launch.estimates], launch.estimates)


def estimate_charts(names: Sequence[str], found: Sequence[Estimate]) -> Iterator[Chart]:
    """The charts of estimates side by side."""
    by_name = dict(zip(names, found, strict=True))
    utilization = {
        n: {str(u.resource): u.fraction for u in e.utilization} for n, e in by_name.items()
    }
    stalls = {n: {str(s.reason): s.fraction for s in e.stalls} for n, e in by_name.items()}
    shares = {n: {str(s.cause): s.fraction for s in e.shares} for n, e in by_name.items()}
    used = {n: {k: v for k, v in one.items() if v >= _LEAST / 10} for n, one in utilization.items()}
    yield from _there(
        breakdown("Time breakdown", shares),
        side_by_side("Utilization, % of wave", "%", used),
        roofline_chart({n: e.roofline for n, e in by_name.items()}),
        breakdown("Warp stall reasons, share of all stalls", stalls),
        occupancy_chart({n: e.occupancy for n, e in by_name.items()}),
        *(memory_flow(n, _requested(e), e.l2_bytes, e.dram_bytes) for n, e in by_name.items()),
        what_if_chart(by_name),
    )


def what_if_chart(found: Mapping[str, Estimate]) -> BarChart | None:
    """Times with twice or half of one thing, over that of now; those beyond noise, least first."""
    ratios = {
        subject: {
            change.title: change.ratio
            for change in one.what_if or ()
            if change.ratio is not None and not change.within_noise
        }
        for subject, one in found.items()
    }
    names = list(dict.fromkeys(name for changes in ratios.values() for name in changes))
    if not names:
        return None
    names.sort(key=lambda name: min(changes.get(name, 1.0) for changes in ratios.values()))
    series = (Series(one, tuple(map(changes.get, names))) for one, changes in ratios.items())
    return BarChart("What if: duration over that of now", "x", tuple(names), tuple(series))


def _requested(found: Estimate) -> float:
    return sum(one.requested_bytes for one in found.traffic)


def _there(*charts: Chart | None) -> Iterable[Chart]:
    return (chart for chart in charts if chart is not None)


# Charts of simulations.


def simulation_charts(names: Sequence[str], found: Sequence[SimResult]) -> Iterator[Chart]:
    """The charts of simulations side by side."""
    by_name = dict(zip(names, found, strict=True))
    states = {n: _states(r) for n, r in by_name.items()}
    units = {n: {u.name: u.busy for u in r.units if u.busy} for n, r in by_name.items()}
    yield from _there(
        breakdown("Warp states, share of warp cycles", states),
        side_by_side("Pipe utilization", "%", units),
        *(
            memory_flow(n, _simulated_bytes(r), r.l2_bytes, r.dram_bytes)
            for n, r in by_name.items()
        ),
        *(_ipc(n, r) for n, r in by_name.items()),
        *map(launch_timeline, found),
        *(cta_timeline(n, r) for n, r in by_name.items()),
    )


def _states(result: SimResult) -> dict[str, float]:
    whole = sum(one.warp_cycles for one in result.warp_states) or 1
    return {str(one.state): one.warp_cycles / whole for one in result.warp_states}


def _simulated_bytes(result: SimResult) -> float:
    return float(sum(one.sectors for one in result.instructions) * result.sector_bytes)


def _ipc(subject: str, result: SimResult) -> XyChart | None:
    """Warp instructions a cycle and resident warps, over the cycles that were simulated."""
    over = result.timeline
    if not len(over.warp_instructions):
        return None
    issued = tuple(
        Point(float(number * over.bin_cycles), float(count) / over.bin_cycles)
        for number, count in enumerate(over.warp_instructions)
    )
    x, y = Axis("Time", "cycle"), Axis("Executed IPC, whole GPU", "inst/cycle")
    return XyChart(f"Issue over time on {subject}", x, y, (PointSeries("IPC", issued, line=True),))
