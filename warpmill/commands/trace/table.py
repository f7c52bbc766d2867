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
    "ctas": ".launches.ctas",
    "ctas_total": ".launches.ctas_total",
}
_TOTALS = {
    name: (lambda _: None) for name in ("file", "line", "instruction", "block", "space", "reason")
} | {"kernel": "kernel.name", "launch": "launch.name"}

TRACE = CsvTable(
    TRACE_COLUMNS,
    (
        RowsOf(
            "launches",
            {
                **_TOTALS,
                "warp_executions": "warp_instructions",
                "thread_executions": "thread_instructions",
            },
            {"kind": "total", "name": "instructions"},
            mark="warp_instructions",
        ),
        RowsOf(
            "launches",
            {
                **_TOTALS,
                "warp_executions": "grid_warp_instructions",
                "thread_executions": "grid_thread_instructions",
            },
            {"kind": "total", "name": "instructions of the whole launch"},
            mark="grid_warp_instructions",
        ),
        RowsOf(
            "launches.by_class",
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
