"""The page of ``replay``; and its rows as CSV."""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.commands.replay.result import ReplayCount
from warpmill.report.sections import Comparison, Section, Shown, Special, Table
from warpmill.report.table import CsvTable, RowsOf
from warpmill.report.words import dimensions

_FEW = 16


def _of(count: ReplayCount) -> str:
    return f"{count.made:,} of {count.recorded:,}"


def _few(places: Sequence[int] | None) -> str | None:
    if not places:
        return None
    listed = ", ".join(map(str, places[:_FEW]))
    return f"{listed}, ..." if len(places) > _FEW else listed


def _digest(sha256: str) -> str:
    return sha256[:8]


PAGE: tuple[Section, ...] = (
    Special(lambda page, report: page.title(f"replay: {report.recording}")),
    Comparison(
        "",
        (
            Shown("device", "Device"),
            "recorded_on",
            Shown("totals.calls", "Calls", words=_of),
            Shown("totals.launches", "Launches", words=_of),
            Shown("chosen", "Chosen launches", words=_few),
            Shown("totals.reads", "Copies to the host", words=_of),
            "equal",
            Shown("differing", words=_few),
        ),
    ),
    Table(
        "Launches",
        "launches",
        (
            Shown("number", "Launch"),
            "recorded.demangled",
            Shown("recorded.grid", "Grid", words=dimensions),
            Shown("recorded.block", "Block", words=dimensions),
            Shown("warp_instructions", "Warp inst"),
            Shown("thread_instructions", "Thread inst"),
            "equal",
        ),
        top=_FEW,
        left=(1, 6),
        wrap=(1,),
        order=lambda one: float(one.equal is False),
    ),
    Table(
        "Copies to the host",
        "reads",
        (
            Shown("recorded.index", "Call"),
            "recorded.bytes",
            Shown("sha256", words=_digest),
            Shown("recorded.content", words=_digest),
            "equal",
        ),
        top=_FEW,
        left=(2, 3, 4),
        main=lambda read: not read.equal,
    ),
)

REPLAY = CsvTable(
    (
        "kind", "call", "number", "kernel", "grid", "block", "dynamic_shared_bytes", "stream",
        "warp_instructions", "thread_instructions", "recorded_warp_instructions",
        "recorded_thread_instructions", "bytes", "sha256", "recorded_sha256", "equal", "mark",
    ),
    (
        RowsOf(
            "launches",
            {
                "call": "recorded.index",
                "recorded_warp_instructions": "recorded.warp_instructions",
                "recorded_thread_instructions": "recorded.thread_instructions",
            },
            fixed={"kind": "launch"},
        ),
        RowsOf(
            "reads",
            {"call": "recorded.index", "recorded_sha256": "recorded.content"},
            fixed={"kind": "read"},
        ),
    ),
)  # fmt: skip
