"""The page of ``record``; and its rows as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.record.result import (
    BufferTotals,
    FileFigures,
    IntervalFigures,
    KernelCount,
    RecordReport,
)
from warpmill.report.page import UNKNOWN, Page, figure, size
from warpmill.report.table import CsvRow, CsvTable

_FEW = 16


def record_page(report: RecordReport, page: Page) -> None:
    """Show what a recording holds."""
    page.title(f"record: {report.target}")
    page.facts(
        [
            ("device", report.device),
            ("buffers", _buffers(report.buffers)),
            ("contents", _contents(report.file)),
            ("recorded", f"{report.recorded}, {_file(report.file)}"),
        ]
    )
    page.heading(f"calls: {sum(one.count for one in report.calls):,}")
    page.table(("call", "n"), [(one.call, figure(one.count)) for one in report.calls])
    page.heading(f"launches: {figure(report.launches) if report.launches else 'none'}")
    if report.kernels:
        _kernels(report.kernels, page)
    _intervals(report, page)


def _buffers(made: BufferTotals) -> str:
    return f"{made.count:,} made, {size(made.bytes)}; at most {size(made.most_bytes)} at a time"


def _contents(file: FileFigures) -> str:
    return f"{file.contents:,}, {size(file.content_bytes)}; each is kept once, compressed"


def _file(file: FileFigures) -> str:
    ratio = file.bytes_per_buffer_byte
    words = size(file.file_bytes)
    return words if ratio is None else f"{words}, {figure(ratio)} times the buffers at a time"


def _kernels(kernels: list[KernelCount], page: Page) -> None:
    page.table(
        ("kernel", "module", "launches", "by warps", "by threads"),
        [
            (
                one.demangled,
                one.module,
                figure(one.launches),
                figure(one.warp_instructions),
                figure(one.thread_instructions),
            )
            for one in kernels
        ],
        left=(0, 1),
        wrap=(0, 1),
    )
    page.line("by warps, by threads: instructions")


def _intervals(report: RecordReport, page: Page) -> None:
    totals = report.interval_totals
    page.heading(
        f"intervals between synchronizations: {figure(totals.count) if totals.count else 'none'}"
    )
    if not report.intervals:
        return
    mean = figure(totals.launches_mean)
    page.line(f"launches: {totals.launches_min:,} to {totals.launches_max:,}, {mean} on average")
    if totals.is_last_open:
        page.line("the last one is open: nothing synchronises after it")
    shown = report.intervals if page.style.verbose else report.intervals[:_FEW]
    page.table(
        ("calls", "launches", "n", "by warps", "by threads", "ended by"),
        [_interval(one) for one in shown],
        left=(0, 1, 5),
    )
    if len(shown) < totals.count:
        page.line(f"and {totals.count - len(shown):,} more (--verbose)")


def _interval(one: IntervalFigures) -> tuple[str, ...]:
    last_launch = one.first_launch + one.launches - 1
    return (
        f"{one.first_call}-{one.last_call}",
        f"{one.first_launch}-{last_launch}" if one.launches > 1 else str(one.first_launch),
        figure(one.launches),
        figure(one.warp_instructions),
        figure(one.thread_instructions),
        one.ended_by or UNKNOWN,
    )


RECORD_COLUMNS = (
    "kind", "name", "module", "count", "bytes", "first_call", "last_call", "first_launch",
    "launches", "warp_instructions", "thread_instructions", "mark",
)  # fmt: skip


def _record(report: RecordReport) -> Iterator[CsvRow]:
    file, buffers = report.file, report.buffers
    for name, count, held in (
        ("buffers", buffers.count, buffers.bytes),
        ("buffers at one time", None, buffers.most_bytes),
        ("contents", file.contents, file.content_bytes),
        ("file", None, file.file_bytes),
    ):
        yield {"kind": "total", "name": name, "count": count, "bytes": held, "mark": "exact"}
    for one in report.calls:
        yield {"kind": "call", "name": one.call, "count": one.count, "mark": "exact"}
    for kernel in report.kernels:
        figures = kernel.flat()
        yield {"kind": "kernel", "name": kernel.kernel, **figures, "mark": "exact"}
    for interval in report.intervals:
        figures = interval.flat()
        yield {"kind": "interval", "name": interval.ended_by, **figures, "mark": "exact"}


RECORD = CsvTable(RECORD_COLUMNS, _record)
