"""The page of ``run``; and its rows as CSV."""

from __future__ import annotations

from warpmill.commands.run.result import RunReport
from warpmill.report.sections import Comparison, Items, Section, Shown, Special, Table
from warpmill.report.table import CsvTable, RowsOf
from warpmill.report.words import dimensions, duration
from warpmill.session.runs import Buffer, LaunchRun

FEW = 16
"""Launches that are shown one by one, unless everything is asked for."""

KERNELS = (
    "demangled",
    "module",
    "launches",
    Shown("warp_instructions", "Warp inst"),
    Shown("thread_instructions", "Thread inst"),
)
"""Columns of launches by kernel."""


def _name(one: LaunchRun) -> str:
    return one.launched.kernel.demangled if one.name.startswith("launch ") else one.name


def _array(buffer: Buffer) -> str:
    return f"{buffer.element}[{' x '.join(map(str, buffer.shape))}]"


def _some(count: int) -> str | None:
    return f"{count:,}" if count else None


def _are_many(report: RunReport) -> bool:
    return len(report.launches) > FEW


PAGE: tuple[Section, ...] = (
    Special(lambda page, report: page.title(f"run: {report.target}")),
    Comparison(
        "",
        (
            "device",
            "totals.launches",
            "totals.warp_instructions",
            "totals.thread_instructions",
            "thread_instructions_per_second",
            Shown("seconds", "Execution time", words=lambda s: None if s is None else duration(s)),
        ),
    ),
    Table("Launches by kernel", "kernels", KERNELS, left=(0, 1), wrap=(0, 1), when=_are_many),
    Table(
        "Launches",
        "launches",
        (
            Shown("", "Launch", words=_name),
            Shown("launched.grid", "Grid", words=dimensions),
            Shown("launched.block", "Block", words=dimensions),
            Shown("launched.counts.warp_instructions", "Warp inst"),
            Shown("launched.counts.thread_instructions", "Thread inst"),
            Shown("launched.lane_utilization", "Lanes"),
            Shown("launched.counts.seconds", "Time", words=duration),
        ),
        top=FEW,
        wrap=(0,),
    ),
    Items("Output of printf", "printed", top=FEW),
    Table(
        "Buffers after the run",
        "buffers",
        (
            "name",
            Shown("", "Elements", words=_array),
            "changed",
            "min",
            "max",
            "mean",
            Shown("nans", words=_some),
            Shown("infinities", words=_some),
            Shown("sha256", words=lambda digest: digest[:8]),
        ),
        top=FEW,
        left=(0, 1, 2, 8),
        wrap=(0, 1),
    ),
    Comparison("", (Shown("saved", "Saved to"), Shown("recorded", "Recorded to"))),
)

_COUNTS = (
    "warp_instructions", "thread_instructions", "seconds", "thread_instructions_per_second",
)  # fmt: skip

RUN = CsvTable(
    (
        "kind", "name", "launch", "kernel", "grid", "block", "dynamic_shared_bytes", "stream",
        "warp_instructions", "thread_instructions", "lane_utilization", "seconds",
        "thread_instructions_per_second", "argument", "element", "shape", "bytes", "changed", "min",
        "max", "mean", "nans", "infinities", "sha256", "mark",
    ),
    (
        RowsOf(
            "launches",
            {
                "launch": lambda _: None,
                "kernel": "launched.kernel.name",
                **{name: f"launched.counts.{name}" for name in _COUNTS},
            },
            fixed={"kind": "launch"},
        ),
        RowsOf("buffers", fixed={"kind": "buffer"}),
    ),
)  # fmt: skip
