"""How pages show what was assumed: by the user, and of machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

from warpmill.analyzer.analyses.ranges.assumptions import AssumedRange, Assumptions
from warpmill.analyzer.base.metric import INTERNAL, CountRange, FigureRange, derived
from warpmill.report.base import Mark, Part
from warpmill.report.page import UNKNOWN, Page, figure, percent
from warpmill.report.words import plural
from warpmill.simulator.machines.model import AssumedValue
from warpmill.simulator.machines.schema import Scalar


class AssumedName(Part):
    """Assumption of a name: a number, where ``low`` is ``high``, or a range."""

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
    """Assumptions, in the order given."""
    return [AssumedName(name=name, range=one) for name, one in assumed.items()]


def shown_value(value: Scalar) -> str:
    """A value of a machine as text."""
    from warpmill.simulator.machines.model import value_words  # noqa: PLC0415 - the tables are slow

    return value_words(value)


def shown_settings(overrides: Mapping[str, Scalar]) -> dict[str, str]:
    """The values of ``--set`` as text, by key."""
    return {key: shown_value(value) for key, value in sorted(overrides.items())}


_FEW = 3


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


def add_assumed_values(machine: str, found: Sequence[AssumedValue], page: Page) -> None:
    """List values of a machine that no source states: the first few, or all with their sources."""
    page.line(f"{machine}: {plural(len(found), 'machine value')} assumed")
    if page.style.verbose:
        page.table(
            ("key", "value", "unit", "from", "source"),
            [
                (v.key, shown_value(v.value), v.unit, f"{v.origin} ({v.status})", v.source)
                for v in found
            ],
            left=(0, 2, 3, 4),
        )
        return
    lines = [
        f"{v.key} = {shown_value(v.value)} {v.unit}".rstrip() + f" ({v.source})" for v in found
    ]
    page.items(lines, _FEW, " (--verbose)")
