"""``warpmill samples``."""

from warpmill.report.manifest import CommandEntry, ResultKind, SubCommands

COMMAND = CommandEntry(
    "samples",
    "List, show and run the workloads of the papers.",
    group="The environment",
    place=3,
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
            page="page:PAGE",
            table="page:SAMPLES",
        ),
        ResultKind(
            "samples-run",
            "warpmill.session.workload_runs:WorkloadRun",
            page="page:RUN_PAGE",
            table="page:SAMPLES_RUN",
        ),
    ),
    subcommands=SubCommands(
        "List, show and run the workloads that come with warpmill.\n\n`warpmill samples` is "
        "`warpmill samples list`. A workload's name is taken wherever a launch file is: NAME, "
        "NAME:PRESET, NAME:PRESET:BUILD, such as `warpmill trace bfs:tiny:opencl`.",
        {
            "list": "List the workloads.",
            "show": "Show all of one workload.",
            "run": "Run a workload and check its results.",
        },
        lists=True,
    ),
)
