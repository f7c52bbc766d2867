"""``warpmill calibrate``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "calibrate",
    "Measure a GPU by micro-benchmarks, and write its machine file.",
    group="The environment",
    place=2,
    examples={
        "": (
            "warpmill calibrate --on-model v100 --only shared,launch",
            "warpmill calibrate --on-model a100 --set shared.banks=16 --only shared "
            "--format csv --output a100.csv",
        ),
    },
    kinds=(
        ResultKind(
            "calibrate",
            "result:CalibrateReport",
            page="page:PAGE",
            table="page:CALIBRATE",
        ),
    ),
)
