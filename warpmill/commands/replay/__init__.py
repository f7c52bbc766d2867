"""``warpmill replay``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "replay",
    "Run a recorded application again, or chosen launches of it.",
    group="Run it",
    place=4,
    examples={
        "": (
            "warpmill replay scan.wmrec",
            "warpmill replay scan.wmrec --launches 1-2 --format json",
        ),
    },
    kinds=(
        ResultKind(
            "replay",
            "result:ReplayReport",
            page="page:PAGE",
            table="page:REPLAY",
        ),
    ),
)
