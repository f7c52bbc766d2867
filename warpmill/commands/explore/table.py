"""The samples of ``explore`` as CSV: a column for each parameter, and one for each figure."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.explore.result import ExploreReport
from warpmill.exploring.evaluation import FIGURES
from warpmill.report.table import CsvRow, CsvTable

COLUMNS = (
    "workload",
    "number",
    "<parameter>",
    *FIGURES,
    "predicted",
    "low",
    "high",
    "reason",
    "mark",
)
"""``<parameter>`` stands for as many columns as a space has parameters."""


def explore_names(report: ExploreReport) -> dict[str, list[str]]:
    """Name the columns that the word in brackets stands for."""
    return {"<parameter>": list(_columns(report).values())}


def _columns(report: ExploreReport) -> dict[str, str]:
    """Give each parameter's column: its name, or ``parameter.NAME`` where another has that name."""
    names = [each.name for each in report.parameters]
    return {name: f"parameter.{name}" if name in COLUMNS else name for name in names}


def explore_rows(report: ExploreReport) -> Iterator[CsvRow]:
    """Give a row for each sample of each workload."""
    columns = _columns(report)
    for one in report.workloads:
        for row in one.rows:
            yield {
                "workload": one.workload,
                "number": row.number,
                **{columns[name]: value for name, value in row.point.items()},
                **row.figures,
                "predicted": row.predicted,
                "low": row.low,
                "high": row.high,
                "reason": row.reason,
                "mark": "modelled" if row.reason is None else "exact",
            }


EXPLORE = CsvTable(COLUMNS, explore_rows, explore_names)
