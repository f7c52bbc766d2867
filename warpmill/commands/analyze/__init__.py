"""``warpmill analyze``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "analyze",
    "Show loops, branches and memory accesses of a kernel.",
    group="Read a kernel",
    place=2,
    examples={
        "": (
            "warpmill analyze samples/matmul/launch.toml",
            "warpmill analyze samples/spmv/spmv.bc --format json --output spmv.json",
            "warpmill analyze samples/matmul/matmul.sm_80.ptx --format dot",
        ),
    },
    kinds=(
        ResultKind(
            "analyze",
            "result:AnalyzeReport",
            page="page:PAGE",
            table="page:ANALYZE",
            graph="dot:analyze_dot",
        ),
    ),
)
