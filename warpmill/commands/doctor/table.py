"""The rows of ``doctor`` as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.doctor.result import DoctorReport
from warpmill.report.table import Row, Table

DOCTOR_COLUMNS = ("group", "name", "status", "found", "advice")  # fmt: skip


def _doctor(report: DoctorReport) -> Iterator[Row]:
    for check in report.checks:
        yield check.model_dump()


DOCTOR = Table(DOCTOR_COLUMNS, _doctor)
