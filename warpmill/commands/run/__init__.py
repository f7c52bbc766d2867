"""``warpmill run``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "run",
    "Run kernels and show what came out.",
    group="Run it",
    place=1,
    examples={
        "": (
            "warpmill run samples/vecadd/launch.toml --size n=1048576",
            "warpmill run bfs:tiny --size nodes=4096 --format json",
            "warpmill run samples/vecadd/vecadd.sm_80.ptx --grid 4 --block 256 "
            "--arg buffer=f32:1024:uniform --arg buffer=f32:1024:arange "
            "--arg buffer=f32:1024 --arg 1024",
        ),
    },
    kinds=(
        ResultKind(
            "run",
            "result:RunReport",
            page="page:PAGE",
            table="page:RUN",
        ),
    ),
)
