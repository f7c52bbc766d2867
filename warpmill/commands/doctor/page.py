"""The page of ``doctor``; and its rows as CSV."""

from __future__ import annotations

from warpmill.report.page import Page
from warpmill.report.sections import Shown, Special, Table
from warpmill.report.table import CsvTable, RowsOf
from warpmill.session.environment import DoctorReport, EnvironmentCheck


def _title(page: Page, report: DoctorReport) -> None:
    page.title(f"doctor: {'ok' if report.is_healthy else 'broken'}")


def _details(check: EnvironmentCheck) -> str:
    return check.found if check.advice is None else f"{check.found}; {check.advice}"


_COLUMNS = ("group", "name", "status", Shown("", "Details", words=_details))

PAGE = (Special(_title), Table("", "checks", _COLUMNS, 100, left=range(4), wrap=(3,), once=(0,)))

DOCTOR = CsvTable(("group", "name", "status", "found", "advice"), (RowsOf("checks"),))
