"""``warpmill schema``."""

from warpmill.report.manifest import CommandEntry

COMMAND = CommandEntry(
    "schema",
    "Print the JSON schemas of the reports.",
    group="The environment",
    place=6,
    examples={
        "": (
            "warpmill schema estimate",
            "warpmill schema --output schemas.json",
        ),
    },
)
