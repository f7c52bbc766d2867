"""From a report to a text in one of the formats."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.many_objects import gc_paused
from warpmill.report.page import Style
from warpmill.report.safe import printable

if TYPE_CHECKING:
    from warpmill.report.base import Report


def render(report: Report, format_: str, style: Style | None = None) -> str:
    """A report as ``text``, ``md``, ``html``, ``json`` or ``csv``.

    A graph as ``dot`` or ``svg`` too, what has issues as ``sarif``, ``junit`` or ``github``. The
    text ends with a newline. UsageError for a format that the report does not have.
    """
    with gc_paused():
        return _rendered(report, format_, style)


def _rendered(report: Report, format_: str, style: Style | None) -> str:
    if format_ == "json":
        from warpmill.report.base import json_text  # noqa: PLC0415 - only what is asked for

        return json_text(report)
    if format_ == "csv":
        from warpmill.report.table import csv_text  # noqa: PLC0415 - only what is asked for

        return csv_text(report)
    if format_ == "dot":
        from warpmill.report.graphs import dot_text  # noqa: PLC0415 - only what is asked for

        return dot_text(report)
    if format_ == "svg":
        from warpmill.report.graphs import svg_text  # noqa: PLC0415 - only what is asked for

        return svg_text(report)
    if format_ in {"sarif", "junit", "github"}:
        from warpmill.report.issues import issues_text  # noqa: PLC0415 - only what is asked for

        return issues_text(report, format_)
    if format_ not in {"text", "md", "html"}:
        raise UsageError(f"there is no format {format_}")
    from warpmill.report.sections import page_of  # noqa: PLC0415 - only once there is a report

    page = page_of(report, replace(style or Style(), charts=format_ == "html"))
    if format_ == "md":
        from warpmill.report.text import markdown  # noqa: PLC0415

        return markdown(page, report)
    if format_ == "html":
        from warpmill.report.html import html  # noqa: PLC0415 - only what is asked for

        return html(page, report)
    from warpmill.report.text import page_text  # noqa: PLC0415

    return printable(page_text(page))
