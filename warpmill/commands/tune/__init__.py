"""``warpmill tune``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "tune",
    "Find the fastest block, size or variant of a launch.",
    group="Choose between",
    place=2,
    examples={
        "": (
            "warpmill tune samples/vecadd/launch.toml --machine a100,v100 --compare-size n=65536",
            "warpmill tune samples/matmul/launch.toml --keep-block --size n=128 "
            "--machine a100 --variant clang=samples/matmul/matmul.sm_80.clang.ptx "
            "--variant plain=samples/matmul/matmul.O0.ll",
            "warpmill tune samples/vecadd/launch.toml --over block=64,128,256 --size n=16384 "
            "--machine t4 --refine 2 --no-store --format csv --output vecadd.csv",
        ),
    },
    kinds=(
        ResultKind(
            "tune",
            "result:TuneReport",
            page="page:PAGE",
            table="page:TUNE",
        ),
    ),
)
