"""Measured rows for tests of benchmarks/accuracy.py, with as little said as a test needs."""

from __future__ import annotations

from dataclasses import replace

from warpmill.benchmarks.accuracy.model import Case, Prediction, Program, Row

PLAIN = Case(
    table="table", dataset="simple16", gpu="TITAN_V", kernel="copy", row=0, config=(), time_ms=1.0,
    headline=True, reasons_not="", program=Program("copy.cu", (), (), 70, 70), entry="copy",
    grid=(1, 1, 1), block=(32, 1, 1), dynamic_shared_bytes=0, args=(),
)  # fmt: skip
TOLD = Prediction(1.0, None, "DRAM", "static", 16, "table", 0.5)


def case(row: int, time_ms: float, **more: object) -> Case:
    """A measured row."""
    return replace(PLAIN, row=row, time_ms=time_ms, **more)  # type: ignore[arg-type] # by names


def row(number: int, measured_ms: float, predicted_ms: float | None, **more: object) -> Row:
    """Give a row with what was predicted; None: nothing, as it failed."""
    has_error, problem = bool(more.pop("has_error", True)), str(more.pop("problem", "failed"))
    told = {name: more.pop(name) for name in ("warp_instructions", "share") if name in more}
    own = case(number, measured_ms, **more)
    if predicted_ms is None:
        return Row(own, "nvcc 12.9 sm_70", None, problem, has_error)
    found = replace(TOLD, ms=predicted_ms, **told)  # type: ignore[arg-type] # by names
    return Row(own, "nvcc 12.9 sm_70", found, "", has_error)
