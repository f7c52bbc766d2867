"""The rows of ``run`` as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.run.result import RunReport
from warpmill.report.table import CsvRow, CsvTable

RUN_COLUMNS = (
    "kind", "name", "launch", "kernel", "grid", "block", "dynamic_shared_bytes", "stream",
    "warp_instructions", "thread_instructions", "lane_utilization", "seconds",
    "thread_instructions_per_second", "argument", "element", "shape", "bytes", "changed", "min",
    "max", "mean", "nans", "infinities", "sha256", "mark",
)  # fmt: skip


def _run(report: RunReport) -> Iterator[CsvRow]:
    for launch in report.launches:
        yield {**launch.flat(but={"marks"}), "kind": "launch", "mark": "exact"}
    for buffer in report.buffers:
        yield {**buffer.flat(but={"marks"}), "kind": "buffer", "mark": "exact"}


RUN = CsvTable(RUN_COLUMNS, _run)
