"""Charts of ``profile``: what a launch executes, and with how many active threads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from warpmill.commands.profile.result import LaunchCounts
from warpmill.report.charts import BarChart, Series


def charts(launch: LaunchCounts) -> Iterator[BarChart]:
    """The charts of a launch; active threads where their number differs."""
    counts = {one.name: one.executions.warp_instruction_fraction for one in launch.classes}
    if counts:
        yield _bars("Executed warp instructions by class", "%", counts)
    lanes = launch.lanes or {}
    if len(lanes) > 1:
        by_lanes = {str(number): float(lanes[number]) for number in sorted(lanes)}
        yield _bars("Warp instructions by active threads", "inst", by_lanes)


def _bars(title: str, unit: str, found: Mapping[str, float | None]) -> BarChart:
    series = Series("warp instructions", tuple(found.values()))
    return BarChart(title, unit, tuple(found), (series,))
