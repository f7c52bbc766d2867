"""The rows of ``sweep`` as CSV: a column for each axis, and one for each figure of the engine."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.sweep.page_parts import axis_columns, column_names
from warpmill.commands.sweep.result import SweepReport
from warpmill.report.table import CsvRow, CsvTable

COLUMNS = (
    "<axis>", "rank", "<figure>", "times_fastest", "bound", "trace", "launch_grid",
    "launch_block", "launches", "sampled", "reason", "mark",
)  # fmt: skip
"""``<axis>`` and ``<figure>`` stand for as many columns as a sweep has axes and figures."""


def sweep_names(report: SweepReport) -> dict[str, list[str]]:
    """Name the columns that the words in brackets stand for."""
    return column_names(report, COLUMNS)


def sweep_rows(report: SweepReport) -> Iterator[CsvRow]:
    """Give a row for each configuration, in the order of the space."""
    columns = axis_columns(report, COLUMNS)
    mark = report.marks["rows.figures.time_us"].value
    for row in report.rows:
        yield {
            **row.flat(only=set(COLUMNS)),
            **row.figures,
            **{columns[name]: value for name, value in row.configuration.items()},
            "launch_grid": row.grid,
            "launch_block": row.block,
            "mark": mark if row.reason is None else "exact",
        }


SWEEP = CsvTable(COLUMNS, sweep_rows, sweep_names)
