"""The rows of ``record`` as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.record.result import RecordReport
from warpmill.report.table import CsvRow, CsvTable

RECORD_COLUMNS = (
    "kind", "name", "module", "count", "bytes", "first_call", "last_call", "first_launch",
    "launches", "warp_instructions", "thread_instructions", "mark",
)  # fmt: skip


def _record(report: RecordReport) -> Iterator[CsvRow]:
    file, buffers = report.file, report.buffers
    for name, count, size in (
        ("buffers", buffers.count, buffers.bytes),
        ("buffers at one time", None, buffers.most_bytes),
        ("contents", file.contents, file.content_bytes),
        ("file", None, file.file_bytes),
    ):
        yield {"kind": "total", "name": name, "count": count, "bytes": size, "mark": "exact"}
    for one in report.calls:
        yield {"kind": "call", "name": one.call, "count": one.count, "mark": "exact"}
    for kernel in report.kernels:
        figures = kernel.model_dump(exclude={"marks"})
        yield {"kind": "kernel", "name": kernel.kernel, **figures, "mark": "exact"}
    for interval in report.intervals:
        figures = interval.model_dump(exclude={"marks"})
        yield {"kind": "interval", "name": interval.ended_by, **figures, "mark": "exact"}


RECORD = CsvTable(RECORD_COLUMNS, _record)
