"""The page of ``dfsg diff``."""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.commands.dfsg.diff_result import (
    BlockDiff,
    BlockSide,
    DfsgDiffReport,
    EdgeDiff,
    EdgeSide,
    FigureChange,
    FlowDiff,
    FlowLoopDiff,
    FlowLoopSide,
    GraphSide,
)
from warpmill.commands.dfsg.page import END, launch_words
from warpmill.report.base import Mark
from warpmill.report.page import Page, figure

_FEW = 12
_MULTIPLE = 9


def dfsg_diff_page(report: DfsgDiffReport, page: Page) -> None:
    """Show how far graphs are apart, launch by launch."""
    for launch in report.launches:
        _launch(report, launch, page)


def _launch(report: DfsgDiffReport, launch: FlowDiff, page: Page) -> None:
    a, b = launch.a, launch.b
    other = "" if a.demangled == b.demangled else f" and {b.demangled}"
    page.title(f"dfsg diff: {a.demangled}{other}")
    page.facts(_heads(report, launch))
    mark = launch.marks["distance"]
    _rows(
        page,
        ("blocks", _both(a.blocks, b.blocks)),
        [(_block(row.a, row.b), _figures(row, page), row.distance_part) for row in launch.blocks],
        mark,
    )
    _rows(
        page,
        ("edges", _both(a.edges, b.edges)),
        [(_edge(row.a, row.b), _figures(row, page), row.distance_part) for row in launch.edges],
        mark,
    )
    _loops(page, launch.loops, _both(a.loops, b.loops), mark)


def _heads(report: DfsgDiffReport, launch: FlowDiff) -> list[tuple[str, str]]:
    mark = launch.marks["distance"]
    parts = f"blocks {_distance(launch.node_distance, mark)}"
    parts += f", edges {_distance(launch.edge_distance, mark)}"
    by = {
        "id": "id: both graphs have the same blocks and edges",
        "position": "position in loops and order: the graphs have different blocks or edges",
    }
    equal = "; all counts are equal" if launch.equal else ""
    return [
        ("a", f"{report.a}, {_graph(launch.a)}"),
        ("b", f"{report.b}, {_graph(launch.b)}"),
        ("distance", f"{_distance(launch.distance, mark)} of 1 ({parts}){equal}"),
        ("paired by", by[launch.paired_by]),
    ]


def _distance(value: float, mark: Mark) -> str:
    if 0 < value < _LEAST:
        return f"<{figure(_LEAST, mark)}"
    return figure(value or 0, mark, digits=3 if value else None)


_LEAST = 0.001


def _graph(side: GraphSide) -> str:
    return f"launch {side.index}: {launch_words(side.grid, side.block)}, ECount {side.ecount:,}"


def _both(a: int, b: int) -> str:
    return f"{a}" if a == b else f"{a} and {b}"


_Figures = list[tuple[str, FigureChange]]

_WORDS = {
    "ecount": "ECount", "lcount": "LCount", "scount": "SCount", "oecount": "OECount",
    "tcount": "TCount", "threads": "threads", "warps": "warps",
}  # fmt: skip


def _figures(row: BlockDiff | EdgeDiff, page: Page) -> _Figures:
    """Choose the figures of a row: the first that differs, or all that do; else the first."""
    changes = [(words, getattr(row, key)) for key, words in _WORDS.items() if hasattr(row, key)]
    different = [(words, change) for words, change in changes if change.a != change.b]
    return (different if page.style.verbose else different[:1]) or changes[:1]


def _rows(
    page: Page, names: tuple[str, str], rows: Sequence[tuple[str, _Figures, float]], mark: Mark
) -> None:
    """Show blocks or edges, those that count most for the distance first."""
    page.heading(f"{names[0]} that differ: {len(rows) or 'none'} of {names[1]}")
    shown = rows if page.style.verbose else rows[:_FEW]
    cells = []
    for name, figures, part in shown:
        for place, (words, change) in enumerate(figures):
            first = (name, _distance(part, mark)) if not place else ("", "")
            cells.append((first[0], words, *_change(change, mark), first[1]))
    if cells:
        header = (names[0][:-1], "figure", "a", "b", "b - a", "change", "distance")
        page.table(header, cells, left=(0, 1), wrap=(0,))
    if len(shown) < len(rows):
        page.line(f"and {len(rows) - len(shown)} more (--verbose)")


def _change(change: FigureChange, mark: Mark) -> tuple[str, ...]:
    delta = figure(change.delta, mark)
    return (
        figure(change.a),
        figure(change.b),
        f"+{delta}" if change.delta > 0 else delta if change.delta else "",
        _relative(change.change_fraction),
    )


def _relative(fraction: float | None) -> str:
    """Write a change in per cent, from ten times as much on as a multiple."""
    if not fraction:
        return ""
    return f"{fraction:+.1%}" if fraction < _MULTIPLE else f"x {fraction + 1:,.0f}"


def _block(a: BlockSide | None, b: BlockSide | None) -> str:
    return _names(None if a is None else a.label, None if b is None else b.label)


def _edge(a: EdgeSide | None, b: EdgeSide | None) -> str:
    return _names(*(None if side is None else _way(side) for side in (a, b)))


def _way(side: EdgeSide) -> str:
    return f"{side.source.label} → {END if side.target is None else side.target.label}"


def _loop(a: FlowLoopSide | None, b: FlowLoopSide | None) -> str:
    return _names(*(None if s is None else f"{s.header.label}, {s.pattern}" for s in (a, b)))


def _names(a: str | None, b: str | None) -> str:
    """Name something by its names in both graphs."""
    if a is None:
        return f"{b}: only in b"
    if b is None:
        return f"{a}: only in a"
    return a if a == b else f"{a} = {b}"


def _loops(page: Page, rows: Sequence[FlowLoopDiff], total: str, mark: Mark) -> None:
    page.heading(f"loops that differ: {len(rows) or 'none'} of {total}")
    for row in rows:
        page.line(_loop(row.a, row.b))
        changes = {
            "entries": row.entries,
            "threads that enter": row.threads,
            "iterations": row.iterations,
            "iterations a thread": row.iterations_a_thread,
            "least of a thread": row.iterations_min,
            "most of a thread": row.iterations_max,
        }
        different = {name: c for name, c in changes.items() if c.delta or page.style.verbose}
        if different:
            page.table(
                ("", "a", "b", "b - a", "change"),
                [(f"  {name}", *_change(c, mark)) for name, c in different.items()],
            )
