"""``warpmill sweep``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "sweep",
    "Estimate or simulate a launch in many configurations.",
    group="Choose between",
    place=1,
    examples={
        "": (
            "warpmill sweep samples/spmv/launch.toml --over 'block=64..1024*2' --machine a100,v100",
            "warpmill sweep samples/vecadd/launch.toml --over 'block=32..1024*2' "
            "--over 'n=65536..1048576*2' --where 'n >= 256 * block' --pareto occupancy_fraction "
            "--format csv --output vecadd.csv",
            "warpmill sweep samples/vecadd/launch.toml --over sm.count=40..80+20 "
            "--size n=65536 --machine v100 --engine simulate --no-store",
        ),
    },
    kinds=(
        ResultKind(
            "sweep",
            "result:SweepReport",
            page="page:PAGE",
            table="page:SWEEP",
        ),
    ),
)
