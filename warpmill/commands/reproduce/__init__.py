"""``warpmill reproduce``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "reproduce",
    "Show a figure or a table of the papers that warpmill follows.",
    group="The papers",
    place=9,
    examples={
        "": (
            "warpmill reproduce",
            "warpmill reproduce tbpoint --figure 8 --plot sizes.png",
            "warpmill reproduce hybrid --table V --format json",
        ),
    },
    kinds=(
        ResultKind(
            "reproduce",
            "result:ReproduceReport",
            page="page:PAGE",
            table="page:REPRODUCE",
        ),
    ),
)
