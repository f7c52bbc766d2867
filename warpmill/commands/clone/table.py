"""The figures of ``clone`` as CSV: a row for each of the whole target, and of each kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpmill.commands.clone.result import CloneFigure, CloneReport
from warpmill.report.table import CsvRow, CsvTable

COLUMNS = (
    "kind", "machine", "clone", "kernel", "name", "unit", "original", "cloned", "difference",
    "exceeds", "mark",
)  # fmt: skip


def clone_rows(report: CloneReport) -> Iterator[CsvRow]:
    """Give the loops of each kernel, then the figures of all launches and by kernel."""
    kernels = {one.clone: one.kernel for one in report.kernels}
    for one in report.kernels:
        for loop in one.loops:
            yield {
                "kind": "loop",
                "clone": one.clone,
                "kernel": one.kernel,
                "name": loop.loop,
                "unit": "iterations",
                "original": loop.original_iterations,
                "cloned": loop.clone_iterations,
                "mark": "exact",
            }
    yield from _rows(report.figures, {"mark": "exact"})
    for one in report.kernels:
        own = {"clone": one.clone, "kernel": one.kernel, "mark": "exact"}
        yield from _rows(one.figures, own)
    for machine in report.machines:
        shared = {"machine": machine.machine, "mark": "modelled"}
        yield from _rows(machine.figures, shared)
        for clone, figures in machine.by_clone.items():
            yield from _rows(figures, {**shared, "clone": clone, "kernel": kernels[clone]})


def _rows(figures: Sequence[CloneFigure], shared: CsvRow) -> Iterator[CsvRow]:
    for one in figures:
        yield {
            **shared,
            **one.flat(but={"what", "clone"}),
            "cloned": one.clone,
        }


CLONE = CsvTable(COLUMNS, clone_rows)
