"""The rows of ``run`` as CSV."""

from __future__ import annotations

from warpmill.report.table import CsvTable, RowsOf

RUN_COLUMNS = (
    "kind", "name", "launch", "kernel", "grid", "block", "dynamic_shared_bytes", "stream",
    "warp_instructions", "thread_instructions", "lane_utilization", "seconds",
    "thread_instructions_per_second", "argument", "element", "shape", "bytes", "changed", "min",
    "max", "mean", "nans", "infinities", "sha256", "mark",
)  # fmt: skip

RUN = CsvTable(
    RUN_COLUMNS,
    (RowsOf("launches", fixed={"kind": "launch"}), RowsOf("buffers", fixed={"kind": "buffer"})),
)
