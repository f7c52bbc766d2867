"""``warpmill trace``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "trace",
    "Show what the warps of a launch execute.",
    group="Read a kernel",
    place=4,
    examples={
        "": (
            "warpmill trace samples/transpose/launch.toml --size rows=512 --size columns=512",
            "warpmill trace samples/reduce/launch.toml --cta 0 --warp 0",
            "warpmill trace bfs:tiny --launch 4",
        ),
    },
    kinds=(
        ResultKind(
            "trace",
            "result:TraceReport",
            page="page:PAGE",
            table="table:TRACE",
        ),
    ),
)
