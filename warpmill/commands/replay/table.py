"""The rows of ``replay`` as CSV."""

from __future__ import annotations

from warpmill.report.table import CsvTable, RowsOf

REPLAY_COLUMNS = (
    "kind", "call", "number", "kernel", "grid", "block", "dynamic_shared_bytes", "stream",
    "warp_instructions", "thread_instructions", "recorded_warp_instructions",
    "recorded_thread_instructions", "bytes", "sha256", "recorded_sha256", "equal", "mark",
)  # fmt: skip

REPLAY = CsvTable(
    REPLAY_COLUMNS,
    (RowsOf("launches", fixed={"kind": "launch"}), RowsOf("reads", fixed={"kind": "read"})),
)
