"""The rows of ``calibrate`` as CSV: a key of machines each."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.calibrate.result import CalibrateReport
from warpmill.report.table import CsvRow, CsvTable

COLUMNS = (
    "key", "unit", "file_value", "fitted_value", "spread", "difference_fraction", "bound",
    "verdict", "how", "why", "mark",
)  # fmt: skip


def calibrate_rows(report: CalibrateReport) -> Iterator[CsvRow]:
    """Give a row for each key, in the order of the schema; the mark is that of what was fitted."""
    for one in report.keys:
        yield {**one.flat(but={"marks"}), "mark": one.marks["fitted_value"].value}


CALIBRATE = CsvTable(COLUMNS, calibrate_rows)
