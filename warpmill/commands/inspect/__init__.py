"""``warpmill inspect``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "inspect",
    "Show what kernel files hold.",
    group="Read a kernel",
    place=1,
    examples={
        "": (
            "warpmill inspect samples/matmul/matmul.sm_80.ptx",
            "warpmill inspect samples/*/*.bc --format csv",
            "warpmill inspect samples/reduce/reduce.ll --verbose",
        ),
    },
    kinds=(
        ResultKind(
            "inspect",
            "result:InspectReport",
            page="page:PAGE",
            table="page:INSPECT",
        ),
    ),
)
