"""``warpmill simulate``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "simulate",
    "Simulate launches on a whole GPU, cycle by cycle.",
    group="Time it",
    place=3,
    examples={
        "": (
            "warpmill simulate samples/vecadd/launch.toml --size n=65536",
            "warpmill simulate samples/reduce/launch.toml --size n=65536 --machine a100 "
            "--set l1.size_bytes=65536 --format json --output reduce.json",
            "warpmill simulate bfs:tiny --launch all --stats-format gpgpusim",
        ),
    },
    kinds=(
        ResultKind(
            "simulate",
            "result:SimulateReport",
            page="page:PAGE",
            table="table:SIMULATE",
        ),
    ),
)
