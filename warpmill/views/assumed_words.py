"""How pages show what the user assumed."""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.reports.assumed import AssumedName, CountRange, FigureRange
from warpmill.reports.base import Mark
from warpmill.views.page import UNKNOWN, figure, percent


def assumed_lines(assumed: Sequence[AssumedName]) -> list[tuple[str, str]]:
    """Echo what was assumed: ``loop = 4 .. 16``; nothing where nothing was."""
    if not assumed:
        return []
    text = ", ".join(f"{a.name} = {_value(a)}" for a in assumed)
    ranges = any(a.low != a.high for a in assumed)
    return [("assumed", f"{text}; one figure: of the low ends" if ranges else text)]


def _value(assumed: AssumedName) -> str:
    if assumed.low == assumed.high:
        return figure(assumed.low)
    return f"{figure(assumed.low)} .. {figure(assumed.high)}"


def ends(
    low: float | None, high: float | None, mark: Mark | None = None, digits: int | None = None
) -> str:
    """Write a figure at both ends of what was assumed: ``12.3 .. 45.6?``."""
    if low is None or high is None:
        return UNKNOWN
    return f"{figure(low, digits=digits)} .. {figure(high, mark, digits=digits)}"


def percents(range_: FigureRange, mark: Mark) -> str:
    """Write a share at both ends: ``1.2% .. 34.5%?``."""
    return f"{percent(range_.low)} .. {percent(range_.high, mark)}"


def counts(range_: CountRange | None, mark: Mark) -> str:
    """Write a count at both ends."""
    return UNKNOWN if range_ is None else ends(range_.low, range_.high, mark)
