"""What results are in Python beside their fields: a page, a table in a notebook, plain data."""

from __future__ import annotations

from html import escape
from importlib import import_module
from typing import Any

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError

_SECTIONS, _LINES = 2, 30
"""Sections, and lines, of a page that a result prints where it stands alone."""


class InPython:
    """How a result looks where Python shows it, and what else it can be had as.

    ``str`` has the whole page, ``repr`` its beginning, a notebook its beginning as HTML.
    """

    def __str__(self) -> str:
        if not _has_page(self):
            return f"{type(self).__name__}: a file for other commands; to_dict() has its data"
        return str(_of("render:render")(self, "text")).rstrip("\n")

    def __repr__(self) -> str:
        if not _has_page(self):
            return str(self)
        lines = _of("text:page_text")(_beginning(self)).splitlines()[:_LINES]
        whole = str(self).splitlines()
        more = [f"... print() shows all {len(whole)} lines"] if len(whole) > len(lines) else []
        return "\n".join([*lines, *more])

    def _repr_html_(self) -> str:
        if not _has_page(self):
            return f"<p>{escape(str(self))}</p>"
        return str(_of("html:fragment")(_beginning(self).blocks))

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data: what its JSON has."""
        found: dict[str, Any] = _of("fields:plain")(self)
        return found

    def to_json(self) -> str:
        """The result as JSON, as ``--format json`` writes it."""
        report: Any = self
        return str(_of("base:json_text")(report))

    def to_pandas(self) -> Any:
        """The table of ``--format csv`` as a ``pandas.DataFrame``. UsageError without pandas."""
        try:
            pandas: Any = import_module("pandas")
        except ImportError:
            words = "to_pandas() needs pandas, which is not installed"
            hint = "pip install pandas, or take to_dict()"
            raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint)) from None
        report: Any = self
        table = _of("manifest:shown")(report.report, "table")
        columns = table.columns_of(report)
        rows = [[row.get(column) for column in columns] for row in table.rows_of(report)]
        return pandas.DataFrame(rows, columns=list(columns))


def _has_page(result: Any) -> bool:
    return _of("manifest:shown")(result.report, "page") is not None


def _beginning(result: Any) -> Any:
    """The page of a result up to the end of its first sections."""
    page = _of("text:page_of")(result, _of("style:Style")())
    headings = [n for n, block in enumerate(page.blocks) if type(block).__name__ == "Heading"]
    page.blocks = page.blocks[: next(iter(headings[_SECTIONS:]), None)]
    return page


def _of(place: str) -> Any:
    """What stands at ``module:name`` of this room: what shows results, above this module."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"warpmill.report.{module}"), name)
