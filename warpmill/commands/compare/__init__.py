"""``warpmill compare``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "compare",
    "Set variants of a kernel, or machines, side by side.",
    group="Choose between",
    place=0,
    examples={
        "": (
            "warpmill compare samples/matmul/launch.toml samples/matmul/launch.opencl.toml",
            "warpmill compare samples/reduce/launch.toml --machine a100,h100_sxm,b200",
        ),
    },
    kinds=(ResultKind("compare", "result:CompareReport", page="page:PAGE", table="page:COMPARE"),),
)
