"""The page of ``sweep``: the best configurations, what each axis does, fronts; its rows as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpmill.commands.sweep.page_parts import (
    axis_columns,
    axis_lines,
    bound_column,
    column_names,
    common_line,
    configuration,
    figure_columns,
    names_of_axes,
    provenance,
    reason_items,
    room_beside,
    row_of,
    varied,
)
from warpmill.commands.sweep.result import Front, SweepReport
from warpmill.report.page import Page, figure
from warpmill.report.read import Reader
from warpmill.report.sections import Charts, Shown, Special, Table
from warpmill.report.table import CsvRow, CsvTable
from warpmill.report.words import plural
from warpmill.sweeps.figures import TIME, Ranking
from warpmill.sweeps.sweep import MeasuredConfiguration

_SHOWN = {
    "estimate": ("time_us", "occupancy_fraction"),
    "simulate": ("time_us", "achieved_occupancy_fraction", "warp_ipc"),
}
"""The figures that every table of an engine's rows has."""

_PARTS = 12
"""Rows of a table that are shown without ``--verbose``."""


def _head(page: Page, report: SweepReport) -> None:
    page.title(f"sweep: {report.target}")
    if report.ranked:
        page.line(_answer(report, report.ranked[0]))


def _answer(report: SweepReport, best: MeasuredConfiguration) -> str:
    names = varied(report.axes) or list(best.configuration)
    words = configuration({name: best.configuration[name] for name in names})
    bound = "" if best.bound is None else f", bound by {best.bound.partition(' (')[0]}"
    return f"{_by(report.ranked_by).capitalize()}: {words}, {figure(best.figures[TIME])} µs{bound}."


def _facts(report: SweepReport) -> Iterator[tuple[str, str]]:
    yield plural(len(report.kernels), "kernel").partition(" ")[2], ", ".join(report.kernels)
    yield from axis_lines(report.axes)
    for condition in report.conditions:
        yield "where", condition
    if report.overrides:
        yield "set", ", ".join(f"{k} = {v}" for k, v in report.overrides.items())
    left = report.not_measured
    without = f"; {left:,} could not be measured" if left else ""
    yield "configurations", f"{report.configurations:,}, by {report.engine}{without}"


def _by(ranking: Ranking) -> str:
    if ranking == Ranking():
        return "fastest"
    return f"{'most' if ranking.larger_is_better else 'least'} {ranking.figure}"


def _columns(
    report: SweepReport, page: Page, axes: Sequence[str], asked: str, *more: Shown, of: str = ""
) -> tuple[Shown, ...]:
    """Columns of a table of configurations: axes, figures, and what bounds the time."""
    others = [] if asked in varied(report.axes) else [asked]
    figures = list(dict.fromkeys((*_SHOWN[report.engine], *others)))
    room = room_beside(page.style.width, len(figures) + len(more))
    return (
        *axis_columns(report.axes, axes, room, of),
        *figure_columns(report.figures, figures, of),
        *more,
        bound_column(of),
    )


def _table(title: str, of: str, columns: tuple[Shown, ...], top: int) -> Table:
    words = [n for n, one in enumerate(columns) if one.words is not None]
    return Table(title, of, columns, top, left=tuple(words), wrap=(0,))


def _best(page: Page, report: SweepReport) -> None:
    if not report.ranked:
        page.heading("Best configurations")
        page.line(f"{report.ranked_by.figure} is unknown of all configurations")
        return
    columns = _columns(
        report, page, varied(report.axes), report.ranked_by.figure, Shown("times_fastest")
    )
    title = f"Best configurations, {_by(report.ranked_by)} first"
    _table(title, "ranked", columns, len(report.best)).add(page, Reader(report))


def _best_of_each(page: Page, report: SweepReport) -> None:
    """The best of each machine and size, where there is more than one and a choice."""
    parts = report.best_of_each
    if len(parts) < 2 or all(one.rows == 1 for one in parts):
        return
    *most, last = report.given
    names = f"{', '.join(most)} and {last}" if most else last
    choices = [name for name in varied(report.axes) if name not in report.given]
    columns = _columns(
        report, page, [*report.given, *choices], report.ranked_by.figure, Shown("worst_ratio"),
        of="best.",
    )  # fmt: skip
    title = f"Best for each {names}: {_by(report.ranked_by)}"
    _table(title, "best_of_each", columns, _PARTS).add(page, Reader(report))
    if report.common_choice is not None:
        common_line(page, report.common_choice, configuration(report.common_choice.choice))


def _effects(page: Page, report: SweepReport) -> None:
    """Effect of each value of an axis, axes of few values only."""
    most = max(map(len, (axis.values for axis in report.axes)), default=0)
    few = most if page.style.verbose else _PARTS
    long = [axis.name for axis in report.axes if len(axis.values) > few]
    best_in = Shown("", "Best in", words=lambda one: f"{one.best_in:,} of {one.groups:,}")
    Table(
        "Effect of each axis on the time",
        "effects",
        (
            "axis",
            Shown("", "Value", words=lambda one: str(one.value)),
            "geometric_mean_ratio",
            best_in,
        ),
        len(report.effects),
        left=(0, 1),
        wrap=(0, 1),
        chosen=lambda one: one.axis not in long,
    ).add(page, Reader(report))
    if any(one.axis not in long for one in report.effects):
        page.line("geometric mean of the time over that of the best value, all else equal")
    if long:
        page.line(f"not shown: {', '.join(long)}, with more than {_PARTS} values (--verbose)")


def _fronts(page: Page, report: SweepReport) -> None:
    for front in report.fronts:
        _front(page, report, front)


def _front(page: Page, report: SweepReport, front: Front) -> None:
    way = "more" if front.by.larger_is_better else "less"
    title = f"Pareto front of time and {front.by.figure} ({way} is better)"
    if front.reason is not None:
        page.heading(title)
        page.line(front.reason)
        return
    columns = _columns(report, page, varied(report.axes), front.by.figure, Shown("times_fastest"))
    _table(title, "found", columns, _PARTS).add(page, Reader(front))


def _reasons(page: Page, report: SweepReport) -> None:
    for title, reasons in (
        ("Not measured", report.reasons), ("Out of bounds", report.out_of_bounds),
    ):  # fmt: skip
        rows = {one.reason: [report.rows[number] for number in one.rows] for one in reasons}
        if rows:
            page.heading(f"{title}: {plural(sum(map(len, rows.values())), 'configuration')}")
            reason_items(page, rows, varied(report.axes))


_NOT_COMPARED = "results were not compared: `warpmill tune` says which shapes compute the same"


def _rests_on(page: Page, report: SweepReport) -> None:
    """Assumptions of the times, and the varied axes."""
    launches = any(axis.kind == "launch" for axis in report.axes)
    provenance(page, report.rows, report.assumptions, [_NOT_COMPARED] if launches else [])
    page.heading("Launch and axes")
    page.facts(_facts(report))


PAGE = (
    Special(_head),
    Charts("warpmill.commands.sweep.charts:charts"),
    Special(_best),
    Special(_best_of_each),
    Special(_effects),
    Special(_fronts),
    Special(_reasons),
    Special(_rests_on),
)

COLUMNS = (
    "<axis>", "rank", "<figure>", "times_fastest", "bound", "trace", "launch_grid",
    "launch_block", "launches", "sampled", "reason", "mark",
)  # fmt: skip
"""``<axis>`` and ``<figure>`` stand for as many columns as a sweep has axes and figures."""


def _names(report: SweepReport) -> dict[str, list[str]]:
    return column_names(report, COLUMNS)


def _rows(report: SweepReport) -> Iterator[CsvRow]:
    axes, mark = names_of_axes(report, COLUMNS), report.figures[TIME].mark
    for row in report.rows:
        yield {**row_of(row, axes), "mark": mark if row.problem is None else "exact"}


SWEEP = CsvTable(COLUMNS, _rows, _names)
