"""The page of ``cache``, and its rows as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.cache.result import CacheReport
from warpmill.report.page import Page, size
from warpmill.report.table import CsvRow, CsvTable
from warpmill.report.words import plural

_FOLDERS = 2


def cache_page(report: CacheReport, page: Page) -> None:
    """Show what is kept, the whole first."""
    whole = sum(one.size_bytes for one in report.kept)
    files = sum(one.files for one in report.kept)
    page.title(f"cache: {size(whole)} in {plural(files, 'file')}")
    removed = sum(one.removed_files for one in report.kept)
    if removed:
        gone = sum(one.removed_bytes for one in report.kept)
        page.line(f"removed: {size(gone)} in {plural(removed, 'file')}")
    for one in report.kept:
        page.heading(one.kind)
        page.facts([("what", one.about), ("size", f"{size(one.size_bytes)}, {one.files} files")])
        folders = page.few(one.folders, _FOLDERS)
        page.facts(("where" if not place else "", folder) for place, folder in enumerate(folders))
        page.rest(one.folders, _FOLDERS)


def _rows(report: CacheReport) -> Iterator[CsvRow]:
    for one in report.kept:
        yield {**one.flat(but={"marks"}), "mark": one.marks["size_bytes"].value}


CACHE = CsvTable(
    (
        "kind", "about", "folders", "files", "size_bytes", "removed_files", "removed_bytes", "mark",
    ),
    _rows,
)  # fmt: skip
