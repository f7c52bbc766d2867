"""Pieces of pages about configurations: how one is written, columns of them, planes of two axes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from warpmill.analyzer.base.metric import Metric
from warpmill.commands.sweep.result import SweepAssumption
from warpmill.report.charts import Axis as ChartAxis
from warpmill.report.charts import HeatChart, HeatMark
from warpmill.report.fields import flat
from warpmill.report.page import Page
from warpmill.report.sections import Shown
from warpmill.report.table import CsvRow
from warpmill.report.words import plural
from warpmill.sweeps.space import Axis, Configuration, Value, shape_of
from warpmill.sweeps.summary import CommonChoice
from warpmill.sweeps.sweep import MeasuredConfiguration

_SAMPLED = "a part was simulated and continued in a line (--waves)"
_VALUES = 8
_MOST = 5
_FIGURE, _BOUND = 10, 14
"""Characters that a figure's column takes, and that of what bounds a launch."""


def configuration(values: Mapping[str, Value]) -> str:
    """A configuration as it is typed: ``block=256 n=4096``."""
    return " ".join(f"{name}={value}" for name, value in values.items())


def varied(axes: Sequence[Axis]) -> list[str]:
    """The names of axes that have more than one value: a column each."""
    return [axis.name for axis in axes if len(axis.values) > 1]


def axis_lines(axes: Sequence[Axis]) -> list[tuple[str, str]]:
    """Axes that are varied, and settings that are not."""
    lines = []
    for axis in axes:
        shown = ", ".join(map(str, axis.values[:_VALUES]))
        more = f", … ({len(axis.values):,} values)" if len(axis.values) > _VALUES else ""
        lines.append((axis.name, shown + more))
    return lines


def axis_columns(
    axes: Sequence[Axis], names: Sequence[str], room: int, of: str = ""
) -> list[Shown]:
    """A column for each of some axes of the configuration at ``of``.

    One column for all where they are wider than there is room for.
    """
    path = f"{of}configuration"
    widths = {axis.name: 2 + max(map(len, (axis.name, *map(str, axis.values)))) for axis in axes}
    if sum(widths[name] for name in names) > room:
        words = lambda own: configuration({name: own[name] for name in names})  # noqa: E731
        return [Shown(path, "Configuration", words=words)]
    return [Shown(path, name, words=partial(_value, name)) for name in names]


def _value(name: str, values: Mapping[str, Value]) -> str | None:
    return None if name not in values else str(values[name])


def figure_columns(
    figures: Mapping[str, Metric], names: Sequence[str], of: str = ""
) -> list[Shown]:
    """A column for each of some figures, or numbers of the configuration."""
    return [
        Shown(f"{of}figures.{name}", metric=figures[name])
        if name in figures
        else Shown(f"{of}configuration", name, words=partial(_value, name))
        for name in names
    ]


def bound_column(of: str = "") -> Shown:
    """A column with what bounds a launch, without how much it is used."""
    return Shown(f"{of}bound", words=lambda bound: bound and bound.partition(" (")[0])


def room_beside(width: int, figures: int) -> int:
    """The characters of a page that some figures, and what bounds a launch, leave."""
    return width - 2 - figures * _FIGURE - _BOUND


def reason_items(
    page: Page, reasons: Mapping[str, Sequence[MeasuredConfiguration]], axes: Sequence[str]
) -> None:
    """List why configurations have no figures, those of one reason together."""
    lines = []
    for reason, rows in reasons.items():
        values = rows[0].configuration
        first = configuration({name: values[name] for name in axes or values if name in values})
        such = first if len(rows) == 1 else f"{len(rows):,} such as {first}"
        lines.append(f"{such}: {reason}")
    page.items(lines, None if page.style.verbose else _MOST, " reasons (--verbose)")


def provenance(
    page: Page,
    rows: Iterable[MeasuredConfiguration],
    assumptions: Iterable[SweepAssumption],
    first: Sequence[str] = (),
) -> None:
    """The section of what figures rest on, with how many configurations where it is not all."""
    measured = [row for row in rows if row.problem is None]
    counts = Counter(f"traces are {row.trace}" for row in measured if row.trace is not None)
    counts[_SAMPLED] = sum(row.sampled for row in measured)
    counts.update({one.text: one.rows for one in assumptions})
    lines = [
        text if number == len(measured) else f"{plural(number, 'configuration')}: {text}"
        for text, number in counts.items()
        if number
    ]
    if lines or first:
        page.heading("Assumptions and provenance")
        page.items(first)
        page.items(lines, None if page.style.verbose else _MOST, " (--verbose)")


def common_line(page: Page, found: CommonChoice, name: str) -> None:
    """How far the one choice for all is behind the best of each."""
    if found.worst_ratio == 1.0:
        page.line(f"{name} is the best for each of them")
        return
    page.line(
        f"{name} takes {found.geometric_mean_ratio:.3f} times the best in the geometric mean, "
        f"{found.worst_ratio:.3f} at worst ({configuration(found.worst_of)})"
    )


# CSV: columns of axes and figures, as many as there are.


def column_names(report: Any, columns: Sequence[str]) -> dict[str, list[str]]:
    """The columns that the words in brackets among ``columns`` stand for."""
    axes = names_of_axes(report, columns)
    return {"<axis>": list(axes.values()), "<figure>": list(report.figures)}


def names_of_axes(report: Any, columns: Sequence[str]) -> dict[str, str]:
    """Each axis' column: its name, or ``axis.NAME`` where another column has that name."""
    taken = {*columns, *report.figures}
    names = [axis.name for axis in report.axes]
    return {name: f"axis.{name}" if name in taken else name for name in names}


def row_of(row: MeasuredConfiguration, axes: Mapping[str, str]) -> CsvRow:
    """Cells of a configuration."""
    own = flat(row, but=("grid", "block"))
    own |= {axes[name]: value for name, value in row.configuration.items() if name in axes}
    return {
        **own,
        **row.figures,
        "launch_grid": row.grid,
        "launch_block": row.block,
        "reason": row.problem,
    }


# -- heat charts -----------------------------------------------------------------------------------

BEST = "best"

_MOST_CELLS, _MOST_VALUES = 1500, 60
"""Cells of a heat chart and values on a side of it; more are drawn as lines."""


@dataclass(frozen=True)
class HeatPlane:
    """Columns and rows of a heat chart: two axes, or the sides of the shapes on one."""

    x: Axis
    y: Axis
    sides_of: str | None = None

    def place(self, of: Configuration) -> tuple[str, str]:
        """The column and the row of a configuration."""
        if self.sides_of is None:
            return str(of[self.x.name]), str(of[self.y.name])
        x, y, _ = _sides(of[self.sides_of])
        return str(x), str(y)

    def chart(
        self,
        title: str,
        unit: str,
        values: Iterable[tuple[Configuration, float | None]],
        marks: Iterable[tuple[Configuration, str]],
    ) -> HeatChart:
        """The chart of values by configuration, some of which are marked; no row is empty."""
        cells = {self.place(of): value for of, value in values}
        xs, ys = (
            tuple(name for name in map(str, axis.values) if any(at[side] == name for at in cells))
            for side, axis in enumerate((self.x, self.y))
        )
        names: dict[tuple[str, str], str] = {}
        for of, name in marks:
            at = self.place(of)
            if at in cells:
                names[at] = f"{names[at]}, {name}" if at in names else name
        return HeatChart(
            title, unit, ChartAxis(self.x.name), ChartAxis(self.y.name), xs, ys,
            tuple(tuple(cells.get((x, y)) for x in xs) for y in ys),
            tuple(HeatMark(*at, name) for at, name in names.items()),
        )  # fmt: skip


def plane_of(axes: Sequence[Axis]) -> HeatPlane | None:
    """The plane that axes span, rows first; None where they are not two, or have many values."""
    if len(axes) == 1:
        found = _plane_of_sides(axes[0])
    else:
        found = HeatPlane(axes[1], axes[0]) if len(axes) == 2 else None
    if found is None:
        return None
    sides = len(found.x.values), len(found.y.values)
    return found if sides[0] * sides[1] <= _MOST_CELLS and max(sides) <= _MOST_VALUES else None


def _plane_of_sides(axis: Axis) -> HeatPlane | None:
    """The plane of an axis of two-dimensional shapes, such as blocks: width and height."""
    try:
        sides = [_sides(value) for value in axis.values]
    except ValueError:
        return None
    xs, ys, depths = (tuple(sorted(set(each))) for each in zip(*sides, strict=True))
    if min(len(xs), len(ys)) < 2 or len(depths) > 1:
        return None
    return HeatPlane(Axis(f"{axis.name} x", xs), Axis(f"{axis.name} y", ys), axis.name)


def _sides(shape: Value) -> tuple[int, int, int]:
    x, y, z, *_ = (*shape_of(shape), 1, 1)
    return x, y, z
