"""What reports say of ``--assume``: the names with their values, and figures that range."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

from warpmill.analyzer.analyses.ranges.assumptions import AssumedRange, Assumptions
from warpmill.analyzer.base.metric import INTERNAL, derived
from warpmill.report.base import Mark, Part
from warpmill.simulator.machines.schema import Scalar


class AssumedName(Part):
    """What the user assumed of a name: a number, where ``low`` is ``high``, or a range."""

    mark: ClassVar[Mark] = Mark.ASSUMED

    name: str
    range: Annotated[AssumedRange, INTERNAL]

    @derived("Least")
    def low(self) -> int:
        """The low end."""
        return self.range.low

    @derived("Most")
    def high(self) -> int:
        """The high end."""
        return self.range.high


def assumed_names(assumed: Assumptions) -> list[AssumedName]:
    """What was assumed, in the order given."""
    return [AssumedName(name=name, range=one) for name, one in assumed.items()]


def shown_value(value: Scalar) -> str:
    """A value of a machine as text."""
    from warpmill.simulator.machines.model import value_words  # noqa: PLC0415 - the tables are slow

    return value_words(value)


def shown_settings(overrides: Mapping[str, Scalar]) -> dict[str, str]:
    """The values of ``--set`` as text, by key."""
    return {key: shown_value(value) for key, value in sorted(overrides.items())}
