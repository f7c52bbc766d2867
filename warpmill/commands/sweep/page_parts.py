"""Pieces of pages about configurations: how one is written, and tables of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from warpmill.commands.sweep.configurations import (
    AxisFacts,
    ConfigurationFacts,
    FigureFacts,
    ReasonFacts,
    Scalar,
)
from warpmill.commands.sweep.result import SweepReport
from warpmill.commands.tune.result import TuneReport
from warpmill.report.base import Mark
from warpmill.report.page import UNKNOWN, Page, figure, percent, size
from warpmill.report.words import plural

HEADS = {
    "time_us": "time µs",
    "occupancy": "occupancy",
    "ctas_per_sm": "CTAs an SM",
    "shared_bytes": "shared",
    "l2_requested_bytes": "L2 bytes",
    "issue_slots_used": "issue",
    "ipc": "IPC",
    "l1_hit_rate": "L1 hits",
    "l2_hit_rate": "L2 hits",
    "dram_bytes": "DRAM",
}
"""What heads the columns of figures; others are headed by their names."""

_VALUES = 8
_REASONS = 5


def configuration(values: Mapping[str, Scalar]) -> str:
    """Write a configuration as it is typed: ``block=256 n=4096``."""
    return " ".join(f"{name}={value}" for name, value in values.items())


def varied(axes: Sequence[AxisFacts]) -> list[str]:
    """Name the axes that have more than one value: a column each."""
    return [axis.name for axis in axes if len(axis.values) > 1]


def axis_lines(axes: Sequence[AxisFacts]) -> list[tuple[str, str]]:
    """Say what is varied, and what is not."""
    lines = []
    for axis in axes:
        shown = ", ".join(map(str, axis.values[:_VALUES]))
        more = f", … ({len(axis.values):,} values)" if len(axis.values) > _VALUES else ""
        lines.append((axis.name, shown + more))
    return lines


def value_of(row: ConfigurationFacts, name: str, figures: Mapping[str, FigureFacts]) -> str:
    """Write a figure of a row with its mark, or a number of its configuration."""
    if name not in figures:
        return str(row.configuration.get(name, UNKNOWN))
    return written(row.figures.get(name), figures[name].unit, figures[name].mark)


def written(value: float | None, unit: str, mark: Mark) -> str:
    """Write a figure by its unit: shares in percent, bytes in steps of 1000."""
    if unit == "fraction":
        return percent(value, mark)
    if unit == "bytes":
        return size(value, mark)
    return figure(value, mark)


def bound_words(bound: str | None) -> str:
    """Name what bounds a launch, without how much it is used."""
    return UNKNOWN if bound is None else bound.partition(" (")[0]


def row_table(
    page: Page,
    rows: Sequence[ConfigurationFacts],
    axes: Sequence[str],
    shown: Sequence[str],
    *,
    figures: Sequence[FigureFacts],
    more: Sequence[tuple[str, Callable[[ConfigurationFacts], str]]] = (),
) -> None:
    """Add a table of configurations: a column for each axis, the ``shown`` figures, and more."""
    named = {one.name: one for one in figures}
    header = [*(HEADS.get(name, name) for name in shown), *(name for name, _ in more)]
    cells = [
        [*(value_of(row, name, named) for name in shown), *(write(row) for _, write in more)]
        for row in rows
    ]
    values = [{name: row.configuration[name] for name in axes} for row in rows]
    configuration_table(page, values, header, cells, [row.bound for row in rows])


def configuration_table(
    page: Page,
    values: Sequence[Mapping[str, Scalar]],
    header: Sequence[str],
    cells: Sequence[Sequence[str]],
    bounds: Sequence[str | None],
) -> None:
    """Add a table with a column for each axis, then figures, then what bounds a launch, if known.

    Where the page is too narrow for that, configurations are written into one column.
    """
    names = list(values[0])
    bounded = any(bound is not None for bound in bounds)
    first = [[str(value) for value in own.values()] for own in values]
    width = _width(names, first) + _width(header, cells) + (_BOUND if bounded else 0)
    if width > page.style.width - 2 and names:
        first, names = [[configuration(own)] for own in values], ["configuration"]
    words = [*range(len(names)), *([len(names) + len(header)] if bounded else [])]
    page.table(
        [*names, *header, *(["bound by"] if bounded else [])],
        [
            [*own, *figures, *([bound_words(bound)] if bounded else [])]
            for own, figures, bound in zip(first, cells, bounds, strict=True)
        ],
        left=words,
        wrap=words if names == ["configuration"] else words[len(names) :] or (0,),
    )


_BOUND = 12
"""Characters that the widest word of what bounds a launch takes, with the space beside it."""


def _width(header: Sequence[str], cells: Sequence[Sequence[str]]) -> int:
    columns = zip(header, *cells, strict=True)
    return sum(max(map(len, column)) + 2 for column in columns)


def reason_items(
    page: Page,
    reasons: Sequence[ReasonFacts],
    rows: Sequence[ConfigurationFacts],
    axes: Sequence[str],
) -> None:
    """List why configurations have no figures, those of one reason together."""
    lines = []
    for one in reasons:
        values = rows[one.rows[0]].configuration
        first = configuration({name: values[name] for name in axes or values})
        such = first if len(one.rows) == 1 else f"{len(one.rows):,} such as {first}"
        lines.append(f"{such}: {one.reason}")
    page.items(lines, None if page.style.verbose else _REASONS, " reasons (--verbose)")


def assumption_items(page: Page, texts: Sequence[tuple[str, int]], rows: int) -> None:
    """List what figures rest on, with how many configurations where it is not all."""
    lines = [
        text if number == rows else f"{plural(number, 'configuration')}: {text}"
        for text, number in texts
    ]
    page.items(lines, None if page.style.verbose else _REASONS, " (--verbose)")


def column_names(report: SweepReport | TuneReport, columns: Sequence[str]) -> dict[str, list[str]]:
    """Name the columns that the words in brackets among ``columns`` stand for."""
    return {
        "<axis>": list(axis_columns(report, columns).values()),
        "<figure>": [figure.name for figure in report.figures],
    }


def axis_columns(report: SweepReport | TuneReport, columns: Sequence[str]) -> dict[str, str]:
    """Give each axis' column: its name, or ``axis.NAME`` where another column has that name."""
    taken = {*columns, *(figure.name for figure in report.figures)}
    names = [axis.name for axis in report.axes]
    return {name: f"axis.{name}" if name in taken else name for name in names}
