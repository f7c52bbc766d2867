"""CSV: one flat table for each kind of result, with columns that docs/guide names."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from warpmill.report.base import Report
from warpmill.report.manifest import shown
from warpmill.report.safe import plain_text

if TYPE_CHECKING:
    from warpmill.report.facts import SourcePlace

CsvRow = Mapping[str, Any]


@dataclass(frozen=True)
class CsvTable:
    """The columns of a kind of result, in order, and its rows.

    A word in brackets stands for the columns that ``names`` gives for it, which depend on what a
    result has.
    """

    columns: tuple[str, ...]
    rows: Callable[[Any], Iterable[CsvRow]]
    names: Callable[[Any], Mapping[str, Sequence[str]]] | None = None

    def columns_of(self, report: Report) -> tuple[str, ...]:
        """The columns of a result's table, in order."""
        named = {} if self.names is None else self.names(report)
        return tuple(name for column in self.columns for name in named.get(column, (column,)))


def csv_text(report: Report) -> str:
    """Write a result's table: a header, then a line a row; what is unknown is empty.

    A text that a spreadsheet would compute begins with an apostrophe instead.
    """
    out = io.StringIO()
    table: CsvTable = shown(report.report, "table")
    columns = table.columns_of(report)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(plain_text, columns))
    for row in table.rows(report):
        writer.writerow([plain_text(_cell(row.get(column))) for column in columns])
    return out.getvalue()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "; ".join(_cell(v) for v in value)
    return str(value)


def place_columns(place: SourcePlace | None) -> CsvRow:
    """Where something stands in its source."""
    return {} if place is None else {"file": place.file, "line": place.line}
