"""``warpmill doctor``."""

from warpmill.report.manifest import Command, Kind

COMMAND = Command(
    "doctor",
    "Say whether warpmill can work here.",
    examples={
        "": (
            "warpmill doctor",
            "warpmill doctor --format json",
        ),
    },
    kinds=(
        Kind(
            "doctor",
            "result:DoctorReport",
            page="page:doctor_page",
            table="table:DOCTOR",
        ),
    ),
)
