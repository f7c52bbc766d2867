"""The rows of ``trace`` as CSV."""

from __future__ import annotations

from typing import Any

from warpmill.report.table import CsvTable, RowsOf

TRACE_COLUMNS = (
    "kernel", "launch", "kind", "name", "block", "instruction", "space", "buffer", "file",
    "line", "ctas", "ctas_total", "warp_executions", "thread_executions", "bytes_requested",
    "sectors", "sectors_per_request", "lines", "wavefronts", "reason", "mark",
)  # fmt: skip

_OF_LAUNCH: dict[str, Any] = {
    "kernel": ".launches.kernel.name",
    "launch": ".launches.launch.name",
    "ctas": ".launches.traced.summary.ctas",
    "ctas_total": ".launches.traced.ctas_total",
}


def _total(name: str, warps: str, threads: str) -> RowsOf:
    """The instructions of a launch, and nothing else of it."""
    counts = {"warp_executions": warps, "thread_executions": threads}
    fixed = {"kind": "total", "name": name}
    return RowsOf("launches.traced", {**_OF_LAUNCH, **counts, "reason": _nothing}, fixed, warps)


def _nothing(_: Any) -> None:
    """Empty cell of a row of totals."""


TRACE = CsvTable(
    TRACE_COLUMNS,
    (
        _total("instructions", "summary.warp_instructions", "summary.thread_instructions"),
        _total(
            "instructions of the whole launch", "grid_warp_instructions", "grid_thread_instructions"
        ),
        RowsOf(
            "launches.traced.summary.classes",
            {
                **_OF_LAUNCH,
                "name": "op_class",
                "warp_executions": "warp_instructions",
                "thread_executions": "thread_instructions",
            },
            {"kind": "class"},
            mark="warp_instructions",
        ),
        RowsOf(
            "launches.accesses",
            {**_OF_LAUNCH, "name": "opcode", "file": "place.file", "line": "place.line"},
            {"kind": "access"},
            mark="sectors",
        ),
    ),
)
