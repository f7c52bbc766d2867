"""``warpmill profile``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "profile",
    "Run kernels and count exactly what they do.",
    group="Run it",
    place=2,
    examples={
        "": (
            "warpmill profile samples/reduce/launch.toml --size n=65536",
            "warpmill profile samples/transpose/launch.toml --machine v100 --count memory,lanes",
            "warpmill profile samples/spmv/launch.toml --per-cta --format csv --output spmv.csv",
        ),
    },
    kinds=(
        ResultKind(
            "profile",
            "result:ProfileReport",
            page="page:PAGE",
            table="page:PROFILE",
        ),
    ),
)
