"""``warpmill check``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "check",
    "Find what a kernel does that a GPU leaves undefined; hold its figures.",
    group="Run it",
    place=5,
    examples={
        "": (
            "warpmill check samples/reduce/launch.toml --size n=4096",
            "warpmill check samples/reduce/launch.toml --budget samples/reduce/budget.toml",
            "warpmill check samples/scan/launch.toml --size n=4096 --output check.sarif",
            "warpmill check samples/vecadd/vecadd.sm_80.ptx --grid 4 --block 256 "
            "--arg buffer=f32:1024:uniform --arg buffer=f32:1024:arange "
            "--arg buffer=f32:1024 --arg 1024",
        ),
    },
    kinds=(
        ResultKind(
            "check",
            "result:CheckReport",
            page="page:PAGE",
            table="page:CHECK",
            issues="issues:issues_of",
        ),
        ResultKind("baseline", "warpmill.gates.baseline:BaselineReport"),
    ),
)
