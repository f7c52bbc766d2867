"""From a report to a text in one of the formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.gc_pause import gc_paused
from warpmill.report.safe import printable
from warpmill.report.style import Style

if TYPE_CHECKING:
    from warpmill.report.base import Report


def render(report: Report, format_: str, style: Style | None = None) -> str:
    """Write a report as ``text``, ``json``, ``csv`` or, where it has a graph, ``dot`` or ``svg``.

    The text ends with a newline. UsageError for a format that the report does not have.
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
    if format_ != "text":
        raise UsageError(f"there is no format {format_}")
    from warpmill.report.text import text_pages  # noqa: PLC0415 - rich takes its time

    return printable(text_pages(report, style or Style()))
