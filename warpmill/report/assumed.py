"""What reports say of ``--assume``: the names with their values, and figures that range."""

from __future__ import annotations

from typing import ClassVar

from warpmill.analyzer.analyses.ranges.assumptions import Assumptions
from warpmill.report.base import Mark, Marks, Part, marks
from warpmill.simulator.machines.model import SourcedValue
from warpmill.simulator.machines.schema import Scalar, schema


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


class AssumedValue(Part):
    """A value of the machine that the estimate read and that nobody states for this machine."""

    key: str
    value: str
    unit: str
    status: str
    origin: str
    source: str


def assumed_value(key: str, value: SourcedValue) -> AssumedValue:
    """Report a value of a machine that nobody states for it."""
    return AssumedValue(
        key=key,
        value=shown_value(value.value),
        unit=schema().keys[key].unit,
        status=value.status,
        origin=value.origin,
        source=value.source,
    )


def shown_value(value: Scalar) -> str:
    """Write a value of a machine."""
    from warpmill.simulator.machines.describe import value_words  # noqa: PLC0415 - the tables are slow

    return value_words(value)
