"""``warpmill cache``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "cache",
    "Show what is kept to be quick the next time, and clear it.",
    group="The environment",
    place=4,
    examples={
        "": (
            "warpmill cache",
            "warpmill cache --clear studies",
        ),
    },
    kinds=(
        ResultKind(
            "cache",
            "result:CacheReport",
            page="page:PAGE",
            table="page:CACHE",
        ),
    ),
)
