"""The page of ``reproduce``: items with what makes them, or the rows behind one; and CSV."""

from __future__ import annotations

from warpmill.commands.reproduce.result import ReproduceReport
from warpmill.report.page import Page
from warpmill.report.sections import Shown, Special, Table
from warpmill.report.table import CsvTable, RowsOf


def _head(page: Page, report: ReproduceReport) -> None:
    if report.measured is None:
        page.title("reproduce: the figures and tables of the papers")
        return
    (item,) = report.items
    page.title(f"reproduce: {item.item} of {item.paper}")
    page.line(item.description)
    page.line(report.measured)
    if item.note is not None:
        page.line(item.note)


def _rows(page: Page, report: ReproduceReport) -> None:
    if report.rows:
        page.table(report.columns, (row.cells for row in report.rows))
    if report.picture is not None:
        page.line(f"The picture is {report.picture}.")


PAGE = (
    Special(_head),
    Special(_rows),
    Table(
        "",
        "items",
        (
            "paper",
            "item",
            "description",
            Shown("", "Command", words=lambda one: one.command or one.note),
        ),
        999,
        left=range(4),
        wrap=(2, 3),
        once=(0,),
        when=lambda report: report.measured is None,
    ),
)

REPRODUCE = CsvTable(("paper", "item", "description", "command", "note"), (RowsOf("items"),))
