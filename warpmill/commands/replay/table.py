"""The rows of ``replay`` as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.replay.result import ReplayReport
from warpmill.report.table import CsvRow, CsvTable

REPLAY_COLUMNS = (
    "kind", "call", "number", "kernel", "grid", "block", "dynamic_shared_bytes", "stream",
    "warp_instructions", "thread_instructions", "recorded_warp_instructions",
    "recorded_thread_instructions", "bytes", "sha256", "recorded_sha256", "equal", "mark",
)  # fmt: skip


def _replay(report: ReplayReport) -> Iterator[CsvRow]:
    for launch in report.launches:
        yield {**launch.flat(but={"marks"}), "kind": "launch", "mark": "exact"}
    for read in report.reads:
        yield {**read.flat(but={"marks"}), "kind": "read", "mark": "exact"}


REPLAY = CsvTable(REPLAY_COLUMNS, _replay)
