"""The rows of ``trace`` as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.trace.result import LaunchTrace, TraceReport
from warpmill.report.table import CsvRow, CsvTable, place_columns

TRACE_COLUMNS = (
    "kernel", "launch", "kind", "name", "block", "instruction", "space", "buffer", "file",
    "line", "ctas", "ctas_total", "warp_executions", "thread_executions", "bytes_requested",
    "sectors", "sectors_per_access", "requests", "bank_passes", "reason", "mark",
)  # fmt: skip


def _trace(report: TraceReport) -> Iterator[CsvRow]:
    for launch in report.launches:
        shared = {
            "kernel": launch.kernel.name,
            "launch": launch.launch.name,
            "ctas": launch.ctas,
            "ctas_total": launch.ctas_total,
            "mark": launch.marks["warp_instructions"].value,
        }
        for row in _counts(launch):
            yield {**shared, **row}


def _counts(launch: LaunchTrace) -> Iterator[CsvRow]:
    yield {
        "kind": "total",
        "name": "instructions",
        "warp_executions": launch.warp_instructions,
        "thread_executions": launch.thread_instructions,
    }
    yield {
        "kind": "total",
        "name": "instructions of the whole launch",
        "warp_executions": launch.grid_warp_instructions,
        "thread_executions": launch.grid_thread_instructions,
        "mark": launch.marks["grid_warp_instructions"].value,
    }
    for one in launch.by_class:
        yield {
            "kind": "class",
            "name": one.op_class,
            "warp_executions": one.warp_instructions,
            "thread_executions": one.thread_instructions,
        }
    for access in launch.accesses:
        counts = access.flat(only=set(TRACE_COLUMNS))
        yield {"kind": "access", "name": access.opcode, **counts, **place_columns(access.place)}


TRACE = CsvTable(TRACE_COLUMNS, _trace)
