"""Part of ``explain``: where a range was assumed, both ends of it, line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpmill.reports.assumed import FigureRange
from warpmill.reports.base import Part

if TYPE_CHECKING:
    from warpmill.reports.explain import LineTime, MachineExplanation


class ExplanationRanges(Part):
    """A machine's times where a range was assumed. Other figures are of the low ends.

    ``bound_high`` is what the launch is bound by at the high ends.
    """

    time_us: FigureRange
    execution_us: FigureRange
    bound_high: str


class LineRanges(Part):
    """A line where a range was assumed: an end at which it does not execute has zeros."""

    time_fraction: FigureRange
    time_us: FigureRange
    warp_instructions: FigureRange


def with_ranges(low: MachineExplanation, high: MachineExplanation) -> MachineExplanation:
    """Give what is explained of the low ends the ranges up to the high ends.

    Lines that only the high ends execute come with zeros. First is what takes most at either end.
    """
    lines = {_key(line): line for line in low.lines}
    ends = {_key(line): line for line in high.lines}
    both = [
        _line(lines.get(key) or _unexecuted(ends[key]), ends.get(key))
        for key in dict.fromkeys((*lines, *ends))
    ]
    ranges = ExplanationRanges(
        time_us=FigureRange(low=low.time_us, high=high.time_us),
        execution_us=FigureRange(low=low.execution_us, high=high.execution_us),
        bound_high=high.bound,
    )
    return low.model_copy(update={"ranges": ranges, "lines": sorted(both, key=_rank)})


def _key(line: LineTime) -> tuple[str, int]:
    return line.place.file, line.place.line


def _unexecuted(line: LineTime) -> LineTime:
    zeros = {"time_fraction": 0.0, "time_us": 0.0, "warp_instructions": 0.0}
    return line.model_copy(update=zeros)


def _line(low: LineTime, high: LineTime | None) -> LineTime:
    high = high or _unexecuted(low)
    ranges = LineRanges(
        time_fraction=FigureRange(low=low.time_fraction, high=high.time_fraction),
        time_us=FigureRange(low=low.time_us, high=high.time_us),
        warp_instructions=FigureRange(low=low.warp_instructions, high=high.warp_instructions),
    )
    return low.model_copy(update={"ranges": ranges})


def _rank(line: LineTime) -> float:
    assert line.ranges is not None
    return -max(line.ranges.time_fraction.low, line.ranges.time_fraction.high)
