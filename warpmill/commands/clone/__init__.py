"""``warpmill clone``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "clone",
    "Write a small benchmark that behaves like a target.",
    group="The papers",
    place=2,
    examples={
        "": (
            "warpmill clone samples/spmv/launch.toml --size rows=512 --size cols=512 "
            "--out spmv-clone",
            "warpmill clone samples/matmul/launch.toml --size n=64 --machine a100 "
            "--reduction auto --max-error 20% --out matmul-clone",
            "warpmill clone samples/reduce/launch.toml --size n=65536 --no-compare "
            "--target sm_90 --seed 7 --out reduce-clone",
        ),
    },
    kinds=(
        ResultKind(
            "clone",
            "warpmill.cloning.api:WrittenClone",
            page="page:PAGE",
            table="page:CLONE",
        ),
    ),
)
