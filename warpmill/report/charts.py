"""Charts and graphs of a page, as data: HTML draws them, text leaves them out.

A chart says what is drawn and in which units, not how; ``assets/report.js`` draws it. Each can be
read as a table too, for people who do not see it and for paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import ClassVar

from warpmill.report.page import capacity, figure, percent, size

Cells = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Axis:
    """Axis with a label and a unit; ``log``: of logarithms, with ticks at powers of ``base``."""

    label: str
    unit: str = ""
    log: bool = False
    base: int = 10

    @property
    def title(self) -> str:
        """The label with its unit."""
        return f"{self.label} ({self.unit})" if self.unit else self.label


_WIDE = 8.0
"""The factor between the greatest and the least value from which on an axis is of logarithms."""


def axis_of(label: str, values: Iterable[float], unit: str = "", base: int = 10) -> Axis:
    """The axis of some values: of logarithms where the greatest is many times the least."""
    known = list(values)
    log = bool(known) and min(known) > 0 and max(known) / min(known) >= _WIDE
    return Axis(label, unit, log, base)


@dataclass(frozen=True)
class Series:
    """Values of one thing, one a category; None where there is none."""

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class BarChart:
    """Bars: a category a row, a series a colour; ``stacked``: those of a row behind each other."""

    kind: ClassVar[str] = "bars"

    title: str
    unit: str
    categories: tuple[str, ...]
    series: tuple[Series, ...]
    stacked: bool = False

    def table(self) -> tuple[Sequence[str], Cells]:
        """A row a category, a column a series."""
        columns = [[_text(v, self.unit) for v in one.values] for one in self.series]
        rows = zip_longest(self.categories, *columns, fillvalue="")
        return ["", *(one.name for one in self.series)], [list(row) for row in rows]


@dataclass(frozen=True)
class Point:
    """A point of a series, with what it is called where that is shown.

    ``low`` and ``high`` are the ends of the interval of ``y``; None: there is none.
    """

    x: float
    y: float
    label: str = ""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class PointSeries:
    """Points under one name; ``line`` joins them, else each is marked."""

    name: str
    points: tuple[Point, ...]
    line: bool = False


@dataclass(frozen=True)
class XyChart:
    """Points and lines over two axes."""

    kind: ClassVar[str] = "xy"

    title: str
    x: Axis
    y: Axis
    series: tuple[PointSeries, ...]

    def table(self) -> tuple[Sequence[str], Cells]:
        """A row a point, with its interval where points have such."""
        points = [(one.name, p) for one in self.series for p in one.points]
        rows = [
            [name, p.label, _text(p.x, self.x.unit), _text(p.y, self.y.unit)] for name, p in points
        ]
        header = ["", "", self.x.title, self.y.title]
        if all(p.low is None for _, p in points):
            return header, rows
        ends = ([_text(p.low, self.y.unit), _text(p.high, self.y.unit)] for _, p in points)
        return [*header, "low", "high"], [[*row, *own] for row, own in zip(rows, ends, strict=True)]


@dataclass(frozen=True)
class HeatMark:
    """A cell of a heat chart that is outlined, by the names of its column and row."""

    x: str
    y: str
    name: str


@dataclass(frozen=True)
class HeatChart:
    """Values over two axes of names, as colours; ``values`` has a row for each of ``ys``.

    Cells of ``marks`` are outlined, each once: the best, the present one.
    """

    kind: ClassVar[str] = "heat"

    title: str
    unit: str
    x: Axis
    y: Axis
    xs: tuple[str, ...]
    ys: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    marks: tuple[HeatMark, ...] = ()

    def table(self) -> tuple[Sequence[str], Cells]:
        """The values, with the names of rows and columns."""
        names = {(one.x, one.y): one.name for one in self.marks}
        rows = [
            [y, *(self._cell(x, y, v, names) for x, v in zip(self.xs, row, strict=True))]
            for y, row in zip(self.ys, self.values, strict=True)
        ]
        return [f"{self.y.title} \\ {self.x.title}", *self.xs], rows

    def _cell(
        self, x: str, y: str, value: float | None, names: Mapping[tuple[str, str], str]
    ) -> str:
        text = _text(value, self.unit)
        return f"{text} ({names[x, y]})" if (x, y) in names else text


@dataclass(frozen=True)
class TimeSpan:
    """Span on a lane from ``begin`` to ``end``; spans of a ``group`` share a colour.

    Those that are there at once have ``slot`` 0, 1 … and lie below each other.
    """

    lane: int
    begin: float
    end: float
    name: str
    group: str
    slot: int = 0


@dataclass(frozen=True)
class TimelineChart:
    """Spans of time on lanes: CTAs on SMs, launches on streams, warps at instructions."""

    kind: ClassVar[str] = "timeline"

    title: str
    unit: str
    lanes: tuple[str, ...]
    spans: tuple[TimeSpan, ...]

    def table(self) -> tuple[Sequence[str], Cells]:
        """A row a span, in their order."""
        rows = [
            [self.lanes[s.lane], s.name, s.group, _text(s.begin, ""), _text(s.end, "")]
            for s in self.spans
        ]
        return ["", "", "", f"begin ({self.unit})", f"end ({self.unit})"], rows


@dataclass(frozen=True)
class TreeLeaf:
    """A part of a branch and its size."""

    name: str
    value: float


@dataclass(frozen=True)
class TreeBranch:
    """The parts that belong together."""

    name: str
    leaves: tuple[TreeLeaf, ...]


@dataclass(frozen=True)
class TreeChart:
    """Parts below what they belong to, as large as their values: launches below kernels."""

    kind: ClassVar[str] = "tree"

    title: str
    unit: str
    branches: tuple[TreeBranch, ...]

    def table(self) -> tuple[Sequence[str], Cells]:
        """A row a part."""
        rows = [
            [branch.name, leaf.name, _text(leaf.value, self.unit)]
            for branch in self.branches
            for leaf in branch.leaves
        ]
        return ["", "", self.unit], rows


@dataclass(frozen=True)
class Flow:
    """An amount that goes from one part of a machine to another."""

    source: str
    target: str
    amount: float


@dataclass(frozen=True)
class FlowChart:
    """Amounts between parts of a machine, as wide as they are great."""

    kind: ClassVar[str] = "flow"

    title: str
    unit: str
    flows: tuple[Flow, ...]

    def table(self) -> tuple[Sequence[str], Cells]:
        """A row a flow."""
        rows = [[f.source, f.target, _text(f.amount, self.unit)] for f in self.flows]
        return ["from", "to", "amount"], rows


@dataclass(frozen=True)
class GraphNode:
    """A node by its ``id``; ``heat`` from 0 to 1 is its shade."""

    id: str
    label: str
    heat: float = 0.0


@dataclass(frozen=True)
class GraphEdge:
    """An edge between nodes by their ids; ``back``: it closes a loop."""

    source: str
    target: str
    label: str = ""
    back: bool = False


@dataclass(frozen=True)
class GraphChart:
    """A graph that is laid out from above to below."""

    kind: ClassVar[str] = "graph"

    title: str
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]

    def table(self) -> tuple[Sequence[str], Cells]:
        """A row an edge, of nodes without any a row too."""
        names = {node.id: node.label.partition("\n")[0] for node in self.nodes}
        rows = [[names[e.source], names[e.target], e.label] for e in self.edges]
        joined = {end for e in self.edges for end in (e.source, e.target)}
        rows += [[names[node.id], "", ""] for node in self.nodes if node.id not in joined]
        return ["from", "to", ""], rows


Chart = BarChart | XyChart | HeatChart | TimelineChart | TreeChart | FlowChart | GraphChart


def _text(value: float | None, unit: str) -> str:
    """A value as pages write it."""
    if unit == "%":
        return percent(value)
    if unit == "B":
        return size(value)
    if unit == "B of memory":
        return capacity(None if value is None else round(value))
    return figure(value)
