"""The rows of ``correlate`` as CSV: those of the table, with their estimates or the reason."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.correlate.result import CorrelateReport
from warpmill.report.table import CsvRow, CsvTable

COLUMNS = (
    "line", "target", "kernel", "launch", "grid", "block", "sizes", "gpu", "machine",
    "measured_us", "measured_cycles", "estimated_us", "estimated_cycles", "error_fraction",
    "ratio", "sampled", "reason", "mark",
)  # fmt: skip


def correlate_rows(report: CorrelateReport) -> Iterator[CsvRow]:
    """Give a row for each of the table, the largest error first, those without estimate last."""
    for row in report.rows:
        yield {
            **row.flat(but={"marks", "sizes"}),
            "sizes": [f"{name} {value}" for name, value in row.sizes.items()],
            "mark": row.marks["estimated_us"].value,
        }
    for missing in report.not_estimated:
        yield {**missing.flat(), "mark": "exact"}


CORRELATE = CsvTable(COLUMNS, correlate_rows)
