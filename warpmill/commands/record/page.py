"""The page of ``record``; and its rows as CSV."""

from __future__ import annotations

from warpmill.commands.record.result import Interval
from warpmill.report.sections import Comparison, Section, Shown, Special, Table
from warpmill.report.table import CsvTable, RowsOf

_FEW = 16


def _numbers(first: int, last: int) -> str:
    return f"{first}-{last}" if last > first else str(first)


def _calls(one: Interval) -> str:
    return _numbers(one.calls.first_call, one.calls.last_call)


def _launches(one: Interval) -> str:
    return _numbers(one.calls.first_launch, one.calls.launches[-1])


PAGE: tuple[Section, ...] = (
    Special(lambda page, report: page.title(f"record: {report.target}")),
    Comparison(
        "",
        (
            "device",
            "recorded",
            "file.file_bytes",
            "file.bytes_per_buffer_byte",
            "file.contents",
            "file.content_bytes",
            "buffers.count",
            "buffers.bytes",
            "buffers.most_bytes",
        ),
    ),
    Table("Calls", "calls", ("call", "count"), top=_FEW),
    Table(
        "Launches by kernel",
        "kernels",
        (
            "demangled",
            "module",
            "launches",
            Shown("warp_instructions", "Warp inst"),
            Shown("thread_instructions", "Thread inst"),
        ),
        top=_FEW,
        left=(0, 1),
        wrap=(0, 1),
    ),
    Comparison(
        "Intervals between synchronizations",
        tuple(
            f"interval_totals.{name}"
            for name in ("count", "launches_min", "launches_mean", "launches_max", "is_last_open")
        ),
    ),
    Table(
        "",
        "intervals",
        (
            Shown("", "Calls", words=_calls),
            Shown("", "Launches", words=_launches),
            Shown("launches.launches", "n"),
            Shown("launches.warp_instructions", "Warp inst"),
            Shown("launches.thread_instructions", "Thread inst"),
            "calls.ended_by",
        ),
        top=_FEW,
        left=(0, 1, 5),
    ),
)

_TOTALS = {
    "buffers": ("buffers", "count", "bytes"),
    "buffers at one time": ("buffers", "", "most_bytes"),
    "contents": ("file", "contents", "content_bytes"),
    "file": ("file", "", "file_bytes"),
}
"""Rows of totals by name: where they stand, the count, the bytes."""

RECORD = CsvTable(
    (
        "kind", "name", "module", "count", "bytes", "first_call", "last_call", "first_launch",
        "launches", "warp_instructions", "thread_instructions", "mark",
    ),
    (
        *(
            RowsOf(of, {"count": count, "bytes": held}, fixed={"kind": "total", "name": name})
            for name, (of, count, held) in _TOTALS.items()
        ),
        RowsOf("calls", {"name": "call"}, fixed={"kind": "call"}),
        RowsOf("kernels", {"name": "kernel"}, fixed={"kind": "kernel"}),
        RowsOf(
            "intervals",
            {"name": "calls.ended_by", "launches": "launches.launches"},
            fixed={"kind": "interval"},
        ),
    ),
)  # fmt: skip
