"""The rows of ``inspect`` as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.inspect.result import InspectReport
from warpmill.report.table import CsvRow, CsvTable

INSPECT_COLUMNS = (
    "file", "format", "target", "kernel", "demangled", "line", "parameters", "registers",
    "shared_bytes", "local_bytes", "blocks", "instructions", "instructions_known",
    "instructions_by_nearest_rule", "mark",
)  # fmt: skip


def _inspect(report: InspectReport) -> Iterator[CsvRow]:
    for file in report.files:
        for kernel in file.kernels:
            yield {
                **file.model_dump(include={"file", "format", "target"}),
                **kernel.model_dump(include=set(INSPECT_COLUMNS) - {"parameters"}),
                "kernel": kernel.name,
                "line": kernel.place.line,
                "parameters": len(kernel.parameters),
                "mark": "exact",
            }


INSPECT = CsvTable(INSPECT_COLUMNS, _inspect)
