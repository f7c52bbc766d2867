"""Values of a result by dotted path, each with its label, its unit and its mark."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any

from warpmill.analyzer.base.metric import FigureRange, Mark, Metric
from warpmill.report.fields import field_of, has_fields, is_marked, marks_of
from warpmill.report.page import UNKNOWN, capacity, figure, percent, size

IN_CELLS: dict[str, Callable[[Any, Mark | None], str]] = {
    "%": percent, "B": size, "B of memory": capacity,
}  # fmt: skip
"""Units that stand behind each figure, and what writes them; the others stand behind labels."""

SIGN_OF_EXACT = "="
"""What stands behind an exact figure where the others of its section are not."""

SAID_UNITS = frozenset({"µs", "s", "MHz", "GB/s", "GFLOP/s", "FLOP/B", "inst/cycle"})
"""Units that a label says, as neither its words nor its figure do."""


@dataclass(frozen=True)
class Reading:
    """A value of a result; ``metric`` and ``mark`` None: it says none."""

    value: Any
    metric: Metric | None = None
    mark: Mark | None = None

    @property
    def label(self) -> str:
        """The label with its unit, as it heads a row or a column."""
        if self.metric is None:
            return ""
        return labelled(self.metric)

    def text(self, *, sign: bool = False) -> str:
        """The value for people; ``sign``: with the sign of its mark."""
        text = written(self.value, self.metric, self.mark if sign else None)
        return f"{text}{SIGN_OF_EXACT}" if sign and self.mark is Mark.EXACT else text


def labelled(metric: Metric) -> str:
    """A label with its unit, where neither the label nor its figures say that."""
    return f"{metric.label} ({metric.unit})" if metric.unit in SAID_UNITS else metric.label


def written(value: Any, metric: Metric | None = None, mark: Mark | None = None) -> str:
    """A value as people read it: figures by their unit, lists one after another, nothing as -."""
    unit = "" if metric is None else metric.unit
    if value is None:
        return UNKNOWN
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, FigureRange):
        return f"{written(value.low, metric)} .. {written(value.high, metric, mark)}"
    if isinstance(value, int | float):
        return IN_CELLS.get(unit, figure)(value, mark)
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {written(each)}" for key, each in value.items()) or UNKNOWN
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(written, value)) or UNKNOWN
    return str(value)


class Reader:
    """Reads a result by dotted paths; a mark is that of the nearest result that says marks."""

    def __init__(self, subject: Any, base: Reader | None = None, path: str = "") -> None:
        self.subject = subject
        self._base, self._path = base, path

    @property
    def holder(self) -> Any:
        """The result that holds this one, where it was read from one."""
        return None if self._base is None else self._base.subject

    def above(self, name: str) -> Any:
        """Value of the nearest result with a field of that name, from this one outwards."""
        if is_field(self.subject, name):
            return getattr(self.subject, name)
        assert self._base is not None, f"nothing here has {name}"
        return self._base.above(name)

    @cached_property
    def _marks(self) -> Mapping[str, Mark]:
        if is_marked(type(self.subject)):
            return marks_of(self.subject)
        found: Mapping[str, Mark] = getattr(self.subject, "marks", {})
        return found

    def mark(self, path: str) -> Mark | None:
        """How far a figure at a path can be trusted; None where nothing says it."""
        parts = path.split(".")
        for end in range(len(parts), 0, -1):
            found = self._marks.get(".".join(parts[:end]))
            if found is not None:
                return found
        if self._marks:
            inner = {m for key, m in self._marks.items() if key.startswith(f"{path}.")}
            return inner.pop() if len(inner) == 1 else None
        return None if self._base is None else self._base.mark(f"{self._path}.{path}")

    def at(self, path: str) -> Reading:
        """Reading at a path. Beyond what is not there, nothing is."""
        reader, owner, metric = self, self.subject, None
        names = path.split(".")
        for place, name in enumerate(names):
            if owner is None:
                return Reading(None, metric)
            if is_marked(type(owner)) and owner is not reader.subject:
                return Reader(owner).at(".".join(names[place:]))
            if isinstance(owner, Mapping):
                owner, metric = owner.get(name), None
                continue
            kind: Any = type(owner)
            metric = field_of(kind, name).metric if is_field(owner, name) else None
            owner = getattr(owner, name)
        return Reading(owner, metric, self.mark(path) or (metric.mark if metric else None))

    def each(self, path: str) -> list[Reader]:
        """A reader for each element of a list, through lists; none where there is no list."""
        names = path.split(".")
        for end in range(1, len(names)):
            outer, inner = ".".join(names[:end]), ".".join(names[end:])
            if isinstance(self.at(outer).value, list | tuple):
                return [one for each in self.each(outer) for one in each.each(inner)]
        holder, below = self._holder(path)
        return [Reader(one, holder, below) for one in self.at(path).value or ()]

    def _holder(self, path: str) -> tuple[Reader, str]:
        """The nearest result on the way to a path that says marks, and the path from there."""
        holder, owner, names, start = self, self.subject, path.split("."), 0
        for place, name in enumerate(names[:-1], 1):
            owner = getattr(owner, name, None)
            if is_marked(type(owner)):
                holder, start = Reader(owner, holder, ".".join(names[start:place])), place
        return holder, ".".join(names[start:])


def is_field(owner: Any, name: str) -> bool:
    """Whether a result shows something of that name."""
    if not has_fields(owner):
        return False
    kind: Any = type(owner)
    try:
        field_of(kind, name)
    except KeyError:
        return False
    return True
