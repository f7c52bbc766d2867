"""What ``doctor`` answers: whether warpmill can work here."""

from __future__ import annotations

from typing import Literal

from warpmill.commands.doctor.environment import Doctor
from warpmill.report.base import Part, Report


class EnvironmentCheckFacts(Part):
    """One thing that was looked at. What is missing is optional; what is broken is not."""

    group: str
    name: str
    status: Literal["ok", "missing", "broken"]
    found: str
    advice: str | None


class DoctorReport(Report):
    """What was looked at, in groups; it states no figures."""

    report: Literal["doctor"] = "doctor"
    is_healthy: bool
    checks: list[EnvironmentCheckFacts]


def doctor_report(doctor: Doctor) -> DoctorReport:
    """Report what was found."""
    return DoctorReport(
        is_healthy=doctor.is_healthy,
        checks=[
            EnvironmentCheckFacts(
                group=check.group,
                name=check.name,
                status=check.status.value,
                found=check.found,
                advice=check.advice,
            )
            for check in doctor.checks
        ],
    )
