"""``warpmill doctor``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "doctor",
    "Check the environment.",
    group="The environment",
    place=5,
    examples={
        "": (
            "warpmill doctor",
            "warpmill doctor --format json",
        ),
    },
    kinds=(
        ResultKind(
            "doctor",
            "warpmill.session.environment:DoctorReport",
            page="page:PAGE",
            table="page:DOCTOR",
        ),
    ),
)
