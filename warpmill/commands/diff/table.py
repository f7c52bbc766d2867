"""The rows of ``diff`` as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from warpmill.commands.diff.accesses import BufferDiff, ShapeCount
from warpmill.commands.diff.figures import DiffFigure
from warpmill.commands.diff.loops import LoopDiff
from warpmill.commands.diff.result import DiffReport, KernelDiff
from warpmill.report.table import CsvRow, CsvTable

COLUMNS = (
    "kernel", "section", "name", "key", "unit", "a", "b", "delta", "change_fraction", "equal",
    "matched_by", "reason", "mark_a", "mark_b",
)  # fmt: skip


def diff_rows(report: DiffReport) -> Iterator[CsvRow]:
    """A row for each figure, access and lone kernel."""
    for kernel in report.kernels:
        for row in _kernel(kernel):
            yield {"kernel": kernel.a.name, **row}
    for name in report.only_in_a:
        yield {"kernel": name, "section": "kernel", "a": name, "equal": False, **_EXACT}
    for name in report.only_in_b:
        yield {"kernel": name, "section": "kernel", "b": name, "equal": False, **_EXACT}


def _kernel(kernel: KernelDiff) -> Iterator[CsvRow]:
    yield from _figures("figure", kernel.figures)
    yield from _figures("class", kernel.classes)
    yield from _figures("opcode", kernel.opcodes)
    for loop in kernel.loops:
        yield from _loop(loop)
    for buffer in kernel.buffers:
        yield from _buffer(buffer)
    for address in kernel.addresses:
        words = f"{address.op_class} {address.space} {address.width_bytes or '?'} B"
        row = address.flat(only={"a", "b", "equal"})
        yield {**row, "section": "address", "name": words, "key": address.address, **_EXACT}
    if kernel.run is not None:
        yield from _figures("launch", kernel.run.figures)
        yield from _figures("launch class", kernel.run.classes)
        yield from _figures("launch access", kernel.run.accesses)


_EXACT = {"mark_a": "exact", "mark_b": "exact"}


def _figures(section: str, rows: Iterable[DiffFigure]) -> Iterator[CsvRow]:
    for row in rows:
        shown = row.flat(but={"marks", "of"})
        signs = {"mark_a": row.marks["a"].value, "mark_b": row.marks["b"].value}
        yield {**shown, "section": section, "name": row.of, **signs}


def _loop(loop: LoopDiff) -> Iterator[CsvRow]:
    names = [None if side is None else side.name for side in (loop.a, loop.b)]
    shared = {"name": " = ".join(n for n in names if n), "matched_by": loop.matched_by}
    yield {**shared, "section": "loop", "key": "name", "a": names[0], "b": names[1], **_EXACT}
    ratio = loop.iterations_of_a
    if ratio is not None:
        yield {**shared, "section": "loop", "key": "iterations_of_a", "a": 1, "b": ratio, **_EXACT}
    for row in _figures("loop", loop.figures):
        yield {**row, **shared}


def _buffer(buffer: BufferDiff) -> Iterator[CsvRow]:
    name = f"{buffer.op_class} {buffer.space} {buffer.buffer or 'unknown'}"
    shapes = {"a": _shapes(buffer.a), "b": _shapes(buffer.b), "equal": buffer.equal}
    yield {**shapes, "section": "buffer", "name": name, "key": "shapes", **_EXACT}
    for row in _figures("buffer", buffer.figures):
        yield {**row, "name": name}


def _shapes(shapes: Iterable[ShapeCount]) -> list[str]:
    return [f"{s.count} x {s.width_bytes or '?'} B {s.pattern}" for s in shapes]


DIFF = CsvTable(COLUMNS, diff_rows)
