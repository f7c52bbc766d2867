"""The page of ``doctor``; and its rows as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.doctor.result import DoctorReport, EnvironmentCheckFacts
from warpmill.report.page import Page
from warpmill.report.table import CsvRow, CsvTable


def doctor_page(report: DoctorReport, page: Page) -> None:
    """Show what was looked at, group by group, and what to do."""
    page.title("doctor: all is well" if report.is_healthy else "doctor: something is broken")
    groups = dict.fromkeys(check.group for check in report.checks)
    for group in groups:
        page.heading(group)
        page.table(
            ("", "", ""),
            [_row(check) for check in report.checks if check.group == group],
            left=(0, 1, 2),
            has_header=False,
        )


def _row(check: EnvironmentCheckFacts) -> tuple[str, ...]:
    advice = "" if check.advice is None else f"; {check.advice}"
    return check.name, check.status, f"{check.found}{advice}"


DOCTOR_COLUMNS = ("group", "name", "status", "found", "advice")  # fmt: skip


def _doctor(report: DoctorReport) -> Iterator[CsvRow]:
    for check in report.checks:
        yield check.flat()


DOCTOR = CsvTable(DOCTOR_COLUMNS, _doctor)
