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
