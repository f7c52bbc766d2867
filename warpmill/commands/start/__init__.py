"""``warpmill start``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "start",
    "Say what a file is, and how to go on with it.",
    group="Read a kernel",
    place=0,
    examples={
        "": (
            "warpmill samples/matmul/matmul.sm_80.ptx",
            "warpmill start samples/vecadd/vecadd.sm_80.ptx",
            "warpmill start bfs:tiny",
        ),
    },
    kinds=(ResultKind("start", "result:StartReport", page="page:PAGE", table="page:START"),),
)
