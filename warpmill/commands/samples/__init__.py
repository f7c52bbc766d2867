"""``warpmill samples``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "samples",
    "List, show and run the workloads of the papers.",
    examples={
        "": (
            "warpmill samples",
            "warpmill samples list --paper tbpoint",
            "warpmill samples run bfs --preset tiny",
        ),
        "list": (
            "warpmill samples list --area graphs",
            "warpmill samples list --format json",
        ),
        "show": (
            "warpmill samples show bfs",
            "warpmill samples show hotspot --format csv",
        ),
        "run": (
            "warpmill samples run bfs --preset tiny",
            "warpmill samples run bfs --preset tiny --build opencl --size nodes=4096 --format json",
        ),
    },
    kinds=(
        ResultKind(
            "samples",
            "result:SamplesReport",
            page="page:samples_page",
            table="table:SAMPLES",
        ),
        ResultKind(
            "samples-run",
            "result:SampleRunReport",
            page="page:sample_run_page",
            table="table:SAMPLES_RUN",
        ),
    ),
)
