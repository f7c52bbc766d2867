"""The rows of ``doctor`` as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.doctor.result import DoctorReport
from warpmill.report.table import CsvRow, CsvTable

DOCTOR_COLUMNS = ("group", "name", "status", "found", "advice")  # fmt: skip


def _doctor(report: DoctorReport) -> Iterator[CsvRow]:
    for check in report.checks:
        yield check.model_dump()


DOCTOR = CsvTable(DOCTOR_COLUMNS, _doctor)
