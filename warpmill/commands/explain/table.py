"""The CSV table of ``explain``: a row for each instruction that takes time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from warpmill.commands.explain.result import ExplainReport, InstructionTimeFacts
from warpmill.report.table import CsvTable

COLUMNS = (
    "kernel", "launch", "machine", "file", "line", "block", "instruction", "opcode",
    "time_fraction", "time_us", "warp_executions", "waits_for", "space", "buffer", "sectors",
    "wavefronts", "mark",
)  # fmt: skip


def explain_rows(report: ExplainReport) -> Iterator[Mapping[str, Any]]:
    """The instructions of each launch on each machine."""
    for launch in report.launches:
        names = {"kernel": launch.kernel.name, "launch": launch.launch.name}
        for one in launch.machines:
            mark = one.marks["instructions.time_us"].value
            for instruction in one.instructions:
                yield {**names, "machine": one.machine, "mark": mark, **_row(instruction)}


def _row(one: InstructionTimeFacts) -> Mapping[str, Any]:
    access = {} if one.access is None else one.access.flat()
    return {
        **one.flat(only=set(COLUMNS)),
        **access,
        "file": one.place.file,
        "line": one.place.line,
        "waits_for": [f"{place.file}:{place.line}" for place in one.after],
    }


EXPLAIN = CsvTable(COLUMNS, explain_rows)
