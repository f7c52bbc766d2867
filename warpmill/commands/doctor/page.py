"""The page of ``doctor``; and its rows as CSV."""

from __future__ import annotations

from warpmill.commands.doctor.environment import DoctorReport, EnvironmentCheck
from warpmill.report.page import Page
from warpmill.report.sections import Special
from warpmill.report.table import CsvTable, RowsOf


def _groups(page: Page, report: DoctorReport) -> None:
    """What was looked at, group by group, and what to do."""
    page.title(f"doctor: {'ok' if report.is_healthy else 'broken'}")
    for group in dict.fromkeys(check.group for check in report.checks):
        page.heading(group)
        rows = [_row(check) for check in report.checks if check.group == group]
        page.table(("", "", ""), rows, left=(0, 1, 2), has_header=False)


def _row(check: EnvironmentCheck) -> tuple[str, ...]:
    advice = "" if check.advice is None else f"; {check.advice}"
    return check.name, check.status.value, f"{check.found}{advice}"


PAGE = (Special(_groups),)

DOCTOR = CsvTable(("group", "name", "status", "found", "advice"), (RowsOf("checks"),))
