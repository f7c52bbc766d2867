"""The page of ``cache``, and its rows as CSV."""

from __future__ import annotations

from warpmill.commands.cache.result import CacheReport
from warpmill.report.page import Page, size
from warpmill.report.sections import Special, Table
from warpmill.report.table import CsvTable, RowsOf
from warpmill.report.words import plural

_FOLDERS = 2
_COLUMNS = ("kind", "size_bytes", "files", "about")


def _title(page: Page, report: CacheReport) -> None:
    whole = sum(one.size_bytes for one in report.kept)
    page.title(f"cache: {size(whole)} in {plural(sum(one.files for one in report.kept), 'file')}")


def _folders(page: Page, report: CacheReport) -> None:
    for one in report.kept:
        folders = page.few(one.folders, _FOLDERS)
        names = ("" if place else one.kind for place in range(len(folders)))
        page.facts(zip(names, map(str, folders), strict=True))
        page.rest(one.folders, _FOLDERS)


PAGE = (
    Special(_title),
    Table("Removed", "removed", _COLUMNS, left=(0, 3), wrap=(3,)),
    Table("Cache", "kept", _COLUMNS, left=(0, 3), wrap=(3,)),
    Special(_folders),
)

CACHE = CsvTable(
    ("state", "kind", "about", "folders", "files", "size_bytes", "mark"),
    (
        RowsOf("kept", fixed={"state": "kept"}, mark="size_bytes"),
        RowsOf("removed", fixed={"state": "removed"}, mark="size_bytes"),
    ),
)
