"""What reports say of ``--assume``: the names with their values, and figures that range."""

from __future__ import annotations

from typing import ClassVar

from warpmill.analyzer.analyses.ranges.assumptions import Assumptions
from warpmill.report.base import Mark, Marks, Part, marks


class AssumedName(Part):
    """What the user assumed of a name: a number, where ``low`` is ``high``, or a range."""

    name: str
    low: int
    high: int
    marks: Marks


class CountRange(Part):
    """A count with everything at the low ends of what was assumed, and at the high ends."""

    marked_as_one: ClassVar[bool] = True

    low: int
    high: int


class FigureRange(Part):
    """A figure with everything at the low ends of what was assumed, and at the high ends."""

    marked_as_one: ClassVar[bool] = True

    low: float
    high: float


def assumed_names(assumed: Assumptions) -> list[AssumedName]:
    """List what was assumed, in the order given."""
    mark = marks(AssumedName, Mark.ASSUMED)
    return [AssumedName(name=n, low=i.low, high=i.high, marks=mark) for n, i in assumed.items()]
