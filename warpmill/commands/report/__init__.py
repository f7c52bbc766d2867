"""``warpmill report``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "report",
    "Write all that is known of a kernel into one page with charts.",
    group="Time it",
    place=0,
    examples={
        "": (
            "warpmill report samples/matmul/launch.toml --size n=128 -o report.html",
            "warpmill report samples/reduce/launch.toml --size n=65536 --machine a100,h100_sxm "
            "-o report.html",
            "warpmill report samples/vecadd/launch.toml --without simulate,dfsg -o report.md",
            "warpmill report samples/scan/launch.toml --machine a100 --measured "
            "samples/simulated_ncu.csv -o report.html",
        ),
    },
    kinds=(ResultKind("report", "result:TargetReport", page="page:PAGE", table="page:REPORT"),),
)
