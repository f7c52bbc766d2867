"""``warpmill explain``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "explain",
    "Show which lines of a kernel take the time.",
    group="Time it",
    place=2,
    examples={
        "": (
            "warpmill explain samples/scan/launch.toml --machine a100",
            "warpmill explain samples/matmul/launch.toml --size n=256 --top 5",
            "warpmill explain samples/spmv/launch.toml --assume '$L__BB0_7=4..64'",
            "warpmill explain samples/spmv/launch.toml --machine v100,a100 --format csv "
            "--output spmv.csv",
        ),
    },
    kinds=(
        ResultKind(
            "explain",
            "result:ExplainReport",
            page="page:PAGE",
            table="page:EXPLAIN",
        ),
    ),
)
