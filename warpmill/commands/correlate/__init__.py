"""``warpmill correlate``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "correlate",
    "Put measured times beside estimated ones.",
    group="Choose between",
    place=3,
    examples={
        "": (
            "warpmill correlate samples/simulated_times.csv",
            "warpmill correlate samples/simulated_times.csv --column time=time_us "
            "--set sm.count=100 --format json --output errors.json",
            "warpmill correlate samples/simulated_ncu.csv --target samples/scan/launch.toml "
            "--fail-over 50%,registers=0%",
        ),
    },
    kinds=(
        ResultKind(
            "correlate",
            "result:CorrelateReport",
            page="page:PAGE",
            table="page:CORRELATE",
        ),
    ),
)
