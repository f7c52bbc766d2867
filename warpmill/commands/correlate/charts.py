"""Charts of ``correlate``: estimated over measured times, and the largest errors."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.correlate.page import launch_words
from warpmill.commands.correlate.plot import FACTORS, limits
from warpmill.commands.correlate.result import CorrelateReport
from warpmill.report.charts import Axis, BarChart, Chart, Point, PointSeries, Series, XyChart

_MOST = 20
"""Rows that have a bar."""


def charts(report: CorrelateReport) -> Iterator[Chart]:
    """The charts of a correlation."""
    yield _scatter(report)
    yield _errors(report)


def _scatter(report: CorrelateReport) -> XyChart:
    """A point a row, between lines of equal times and of factors of 2."""
    low, high = limits([row.pair for row in report.rows])
    lines = (
        PointSeries(name, (Point(low, factor * low), Point(high, factor * high)), line=True)
        for factor, name in FACTORS
    )
    groups = (
        PointSeries(
            group.machine,
            tuple(
                Point(
                    row.pair.measured,
                    row.pair.estimated,
                    f"{launch_words(row)}, line {row.measured.line}",
                )
                for row in group.rows
            ),
        )
        for group in report.groups
        if group.machine is not None
    )
    engine = report.correlation.how.engine
    names = ("Measured", f"{engine.capitalize()}d")
    x, y = (Axis(name, "µs", log=True, base=2) for name in names)
    return XyChart(f"{y.label} times against measured ones", x, y, (*groups, *lines))


def _errors(report: CorrelateReport) -> BarChart:
    """A bar a row, in the order of the report: the largest absolute error first."""
    rows = report.rows[:_MOST]
    several = len(report.correlation.groups) > 1
    names = (f"{launch_words(r)} on {r.machine}" if several else launch_words(r) for r in rows)
    more = f", of {len(report.rows):,} rows" if len(rows) < len(report.rows) else ""
    errors = Series("error", tuple(row.error_fraction for row in rows))
    return BarChart(f"Error of each row, largest first{more}", "%", tuple(names), (errors,))
