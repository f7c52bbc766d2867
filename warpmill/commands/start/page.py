"""The page of ``start``; and its commands as CSV."""

from __future__ import annotations

from warpmill.analyzer.base.naming import demangle
from warpmill.commands.start.result import StartReport
from warpmill.report.page import Page
from warpmill.report.sections import Items, Special, Table
from warpmill.report.table import CsvTable, RowsOf


def _title(page: Page, report: StartReport) -> None:
    page.title(f"{report.file}: {report.what}")


_SHORT = 60


def _next(page: Page, report: StartReport) -> None:
    """The first command whole; of others the word alone where the rest is the same, and long."""
    first, *others = report.commands
    about = f" for {demangle(report.kernel)}" if report.kernel is not None else ""
    page.line(f"Next{about}, {first.tells}:")
    page.command(first.command)
    for one in others:
        word, rest = one.command.split()[1], one.command.split(" ", 2)[2]
        is_same = first.command.endswith(rest) and len(one.command) > _SHORT
        page.line(f"Then {f'{word} with the same words' if is_same else one.command}: {one.tells}")


_COLUMNS = ("kernel", "instructions", "parameters")

PAGE = (
    Special(_title),
    Special(_next),
    Items("Assumed, for nobody has said it", "launch.assumed", 8),
    Table("Kernels", "kernels", _COLUMNS, 8, left=(0, 2), wrap=(2,)),
)

START = CsvTable(("command", "tells"), (RowsOf("commands"),))
