"""What reports say of ``--assume``: the names with their values, and figures that range."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from warpmill.analyzer.analyses.ranges.assumptions import Assumptions
from warpmill.report.base import Mark, Part
from warpmill.simulator.machines.schema import Scalar


class AssumedName(Part):
    """What the user assumed of a name: a number, where ``low`` is ``high``, or a range."""

    mark: ClassVar[Mark] = Mark.ASSUMED

    name: str
    low: int
    high: int


def assumed_names(assumed: Assumptions) -> list[AssumedName]:
    """List what was assumed, in the order given."""
    return [AssumedName(name=n, low=i.low, high=i.high) for n, i in assumed.items()]


def shown_value(value: Scalar) -> str:
    """Write a value of a machine."""
    from warpmill.simulator.machines.model import value_words  # noqa: PLC0415 - the tables are slow

    return value_words(value)


def shown_settings(overrides: Mapping[str, Scalar]) -> dict[str, str]:
    """The values of ``--set`` as text, by key."""
    return {key: shown_value(value) for key, value in sorted(overrides.items())}
