"""Figures of two results of one kind, side by side: read off their fields, with what is between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Annotated, ClassVar

from warpmill.analyzer.base.metric import INTERNAL, Metric, derived
from warpmill.report.base import Mark, Part
from warpmill.report.read import Reader, Reading
from warpmill.report.sections import Shown

DiffValue = int | float | bool | str | tuple[int, ...] | None
"""Values that a side of a comparison may have."""

_ORDER = (Mark.EXACT, Mark.SAMPLED, Mark.ASSUMED, Mark.MODELLED)
"""From the strongest ground to the weakest."""

_BOTH_EXACT = (Mark.EXACT, Mark.EXACT)


class DiffFigure(Part):
    """One figure of both sides. ``of``: what it is a figure of, where the key alone does not say.

    ``reason`` says why a side is unknown; the two are then neither equal nor different.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    key: str
    metric: Annotated[Metric, INTERNAL]
    of: str | None = None
    a: DiffValue
    b: DiffValue
    reason: str | None = None
    sides: Annotated[tuple[Mark, Mark], INTERNAL] = _BOTH_EXACT

    @derived("Figure")
    def label(self) -> str:
        """Label for people."""
        return self.metric.label

    @derived("Unit")
    def unit(self) -> str:
        """The unit of both values; empty where they are plain numbers, or words."""
        return self.metric.unit

    @derived("b - a")
    def delta(self) -> int | float | None:
        """The difference; null where a side is no number."""
        a, b = _number(self.a), _number(self.b)
        return None if a is None or b is None else b - a

    @derived("Change", "%")
    def change_fraction(self) -> float | None:
        """The difference over ``a``; null where that is 0."""
        a, delta = _number(self.a), self.delta
        return delta / a if delta is not None and a else None

    @derived("Equal")
    def equal(self) -> bool | None:
        """Null where a side is unknown."""
        return None if self.reason is not None else _without_ones(self.a) == _without_ones(self.b)

    def mark_exceptions(self) -> dict[str, Mark]:
        """The marks of both sides; what is between rests on the weaker one."""
        weaker = max(self.sides, key=_ORDER.index)
        return {**dict(zip("ab", self.sides, strict=True)), "": weaker}


def _number(value: DiffValue) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value


def _without_ones(value: DiffValue) -> DiffValue:
    """Dimensions without the last ones: an input may leave them out."""
    while isinstance(value, tuple) and value[1:] and value[-1] == 1:
        value = value[:-1]
    return value


def compared(
    rows: Iterable[str] | Mapping[str, Shown],
    a: object,
    b: object,
    *,
    of: str | None = None,
    reason: str | None = None,
    sides: tuple[Mark, Mark] = _BOTH_EXACT,
) -> list[DiffFigure]:
    """Figures of two results, in the order of ``rows``: paths of fields, or fields as shown by key.

    Labels and units are those of the fields, marks too where they have any, else ``sides``. A
    mapping has a figure for each of its keys. ``a`` or ``b`` None: that side has nothing.
    """
    shown = rows if isinstance(rows, Mapping) else {_last(path): Shown(path) for path in rows}
    readers = [one if isinstance(one, Reader) else Reader(one) for one in (a, b)]
    found: list[DiffFigure] = []
    for key, row in shown.items():
        x, y = map(row.read, readers)
        metric = x.metric or y.metric
        assert metric is not None, f"{key} has no Metric"
        marks = (x.mark or sides[0], y.mark or sides[1])
        one = DiffFigure(
            key=key, metric=metric, of=of, a=x.value, b=y.value, reason=reason, sides=marks
        )
        is_counted = isinstance(x.value, Mapping) or isinstance(y.value, Mapping)
        found += _by_key(one, x, y) if is_counted else [one]
    return found


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def _by_key(one: DiffFigure, x: Reading, y: Reading) -> Iterator[DiffFigure]:
    """Counts by name, the most frequent first; what one side lacks counts 0 there."""
    a, b = x.value or {}, y.value or {}
    for name in sorted({*a, *b}, key=lambda n: (-max(a.get(n, 0), b.get(n, 0)), n)):
        metric = replace(one.metric, label=name)
        yield replace(one, key=name, metric=metric, a=a.get(name, 0), b=b.get(name, 0))


def sum_or_none(counts: Iterable[int | None]) -> int | None:
    """A sum, which one unknown count makes unknown."""
    total = 0
    for count in counts:
        if count is None:
            return None
        total += count
    return total
