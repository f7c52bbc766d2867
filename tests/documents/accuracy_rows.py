"""Measured rows for tests of benchmarks/accuracy, with as little said as a test needs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from warpmill.benchmarks.accuracy.building import compiler_of, tools
from warpmill.benchmarks.accuracy.model import Case, Prediction, Program, Row

PLAIN = Case(
    table="table", dataset="simple16", gpu="TITAN_V", kernel="copy", row=0, config={}, time_ms=1.0,
    headline=True, program=Program("copy.cu", (), (), 70, 70), entry="copy", grid=(1, 1, 1),
    block=(32, 1, 1), args=(),
)  # fmt: skip
TOLD = Prediction(1.0, None, "table", 0.5)

needs_compiler = pytest.mark.skipif(
    compiler_of(75, tools()) is None, reason="there is no compiler of CUDA"
)


def case(row: int, time_ms: float, **more: object) -> Case:
    """A measured row."""
    return replace(PLAIN, row=row, time_ms=time_ms, **more)  # type: ignore[arg-type] # by names


def row(number: int, measured_ms: float, predicted_ms: float | None, **more: object) -> Row:
    """Give a row with what was predicted; None: nothing, as it failed."""
    problem = str(more.pop("problem", "failed"))
    told = {name: more.pop(name) for name in ("own_instructions", "share") if name in more}
    own = case(number, measured_ms, **more)
    if predicted_ms is None:
        return Row(own, "nvcc 12.9 sm_70", None, problem)
    told["warp_instructions"] = told.pop("own_instructions", None)
    return Row(own, "nvcc 12.9 sm_70", replace(TOLD, ms=predicted_ms, **told))  # type: ignore[arg-type]
