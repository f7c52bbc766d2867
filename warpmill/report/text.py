"""Text for people: the page of a result."""

from __future__ import annotations

from warpmill.report.base import Report
from warpmill.report.manifest import shown
from warpmill.report.page import Page
from warpmill.report.style import Style


def text_pages(report: Report, style: Style) -> str:
    """A result as text for people, with what its marks mean below."""
    page = Page(style)
    shown(report.report, "page")(report, page)
    if report.report != "doctor" and not getattr(report, "is_silent", False):
        page.legend()
    return page.text()
