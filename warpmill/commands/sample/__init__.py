"""``warpmill sample``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "sample",
    "Simulate a few launches and extrapolate to the application.",
    group="The papers",
    place=3,
    examples={
        "": (
            "warpmill sample bfs:tiny --machine v100,a100 --method tbpoint --compare",
            "warpmill sample kmeans:tiny --method gtpin --intervals kernel "
            "--features KN-ARGS-GWS --save kmeans.json",
            "warpmill sample bfs:tiny --method random --target-error 20% --seed 7 --format csv",
        ),
    },
    kinds=(
        ResultKind(
            "sample",
            "warpmill.sampling.results:SampleReport",
            page="page:PAGE",
            table="page:SAMPLE",
        ),
        ResultKind("selection", "warpmill.sampling.saved_selections:SelectionReport"),
    ),
)
