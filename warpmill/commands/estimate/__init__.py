"""``warpmill estimate``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "estimate",
    "Estimate the time of a launch on several machines.",
    group="Time it",
    place=1,
    examples={
        "": (
            "warpmill estimate samples/matmul/launch.toml",
            "warpmill estimate samples/vecadd/launch.toml --machine a100 --set sm.count=132 "
            "--what-if",
            "warpmill estimate samples/vecadd/vecadd.sm_80.ptx --grid 4096 --block 256 "
            "--arg buffer=f32:1048576 --arg buffer=f32:1048576 --arg buffer=f32:1048576 "
            "--arg 1048576 --regs 16",
        ),
    },
    kinds=(
        ResultKind(
            "estimate",
            "result:EstimateReport",
            page="page:PAGE",
            table="page:ESTIMATE",
        ),
    ),
)
