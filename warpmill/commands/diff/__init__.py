"""``warpmill diff``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "diff",
    "Compare two builds of a kernel.",
    group="Read a kernel",
    place=3,
    examples={
        "": (
            "warpmill diff samples/matmul/matmul.sm_80.ptx samples/matmul/matmul.sm_80.clang.ptx",
            "warpmill diff samples/trisolve/trisolve.O0.ll samples/trisolve/trisolve.ll "
            "--kernel trisolve_forward --all",
            "warpmill diff samples/reduce/launch.toml samples/reduce/launch.opencl.toml "
            "--format json",
        ),
    },
    kinds=(
        ResultKind(
            "diff",
            "result:DiffReport",
            page="page:PAGE",
            table="page:DIFF",
        ),
    ),
)
