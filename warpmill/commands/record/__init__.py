"""``warpmill record``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "record",
    "Run an application and keep every call of its device.",
    group="Run it",
    place=3,
    examples={
        "": (
            "warpmill record samples/scan/launch.toml --out scan.wmrec",
            "warpmill record samples/vecadd/vecadd.sm_80.ptx --out vecadd.wmrec --grid 4 "
            "--block 256 --arg buffer=f32:1024:uniform --arg buffer=f32:1024:arange "
            "--arg buffer=f32:1024 --arg 1024 --format json",
        ),
    },
    kinds=(
        ResultKind(
            "record",
            "result:RecordReport",
            page="page:PAGE",
            table="page:RECORD",
        ),
    ),
)
