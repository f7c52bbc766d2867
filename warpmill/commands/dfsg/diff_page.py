"""The page of ``dfsg diff``, and its rows as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.analyzer.profile.dfsg.distance import (
    CountChange,
    DfsgComparison,
    EdgePair,
    LoopPair,
    NodePair,
)
from warpmill.analyzer.profile.dfsg.graph import Dfsg, DfsgLaunch, Edge, LoopStatistics, Node
from warpmill.commands.dfsg.page import launch_words
from warpmill.commands.dfsg.result import DfsgDiffReport
from warpmill.report.base import Mark
from warpmill.report.page import Page, figure
from warpmill.report.read import Reader
from warpmill.report.sections import Special
from warpmill.report.table import CsvRow, CsvTable

_FEW = 12
_MULTIPLE = 9
_LEAST = 0.001

Row = NodePair | EdgePair | LoopPair

_WORDS = {
    "ecount": "ECount", "lcount": "LCount", "scount": "SCount", "oecount": "OECount",
    "tcount": "TCount", "threads": "threads", "warps": "warps", "entries": "entries",
    "iterations": "iterations", "iterations_per_thread": "iterations per thread",
    "iterations_min": "least of a thread", "iterations_max": "most of a thread",
}  # fmt: skip


_PAIRED = {
    "id": "id: both graphs have the same blocks and edges",
    "position": "position in loops and order: the graphs have different blocks or edges",
}


def _launch(page: Page, report: DfsgDiffReport, launch: DfsgComparison) -> None:
    names = dict.fromkeys((launch.a.demangled, launch.b.demangled))
    page.title(f"dfsg diff: {' and '.join(names)}")
    mark = _mark(launch)
    parts = f"blocks {_distance(launch.node_distance, mark)}"
    parts += f", edges {_distance(launch.edge_distance, mark)}"
    equal = "; all counts are equal" if launch.equal else ""
    ecount = launch.changes["ecount"]
    page.facts(
        [
            ("A", f"{report.a}, {_launch_words(launch.a, ecount.a)}"),
            ("B", f"{report.b}, {_launch_words(launch.b, ecount.b)}"),
            ("distance", f"{_distance(launch.distance, mark)} of 1 ({parts}){equal}"),
            ("diff by", _PAIRED[launch.paired_by]),
        ]
    )
    for rows, words in ((launch.nodes, "nodes"), (launch.edges, "edges"), (launch.loops, "loops")):
        _rows(page, launch, rows, words)


def _launch_words(launch: DfsgLaunch, ecount: int | float | None) -> str:
    shape = launch_words(launch.grid, launch.block)
    return f"launch {launch.index}: {shape}, ECount {figure(ecount)}"


def _mark(launch: DfsgComparison) -> Mark | None:
    return Reader(launch).mark("distance")


def _distance(value: float, mark: Mark | None) -> str:
    if 0 < value < _LEAST:
        return f"<{figure(_LEAST, mark)}"
    return figure(value or 0, mark, digits=3 if value else None)


def _rows(page: Page, launch: DfsgComparison, rows: tuple[Row, ...], kind: str) -> None:
    """Blocks, edges or loops; those that count most for the distance first."""
    of, mark = launch.changes[kind], _mark(launch)
    words = "blocks" if kind == "nodes" else kind
    every = f"{of.a}" if of.a == of.b else f"{of.a} and {of.b}"
    page.heading(f"{words.capitalize()} with differences: {len(rows) or 'none'} of {every}")
    cells: list[tuple[str, ...]] = []
    for row in page.few(rows, _FEW):
        part = None if isinstance(row, LoopPair) else _distance(row.distance_part, mark)
        for place, (key, change) in enumerate(_figures(row, verbose=page.style.verbose)):
            name = "" if place else row_name(launch, row)
            cells.append((name, _WORDS[key], *_change(change, mark), "" if place else part or ""))
    if cells:
        header = (words[:-1], "", "A", "B", "B - A", "difference", "distance")
        page.table(header, cells, left=(0, 1), wrap=(0,))
    page.rest(rows, _FEW)


def _figures(row: Row, *, verbose: bool) -> list[tuple[str, CountChange]]:
    """The counts of a row that are shown: the first that differs, of loops all; else the first."""
    changes = list(row.changes.items())
    different = [(key, change) for key, change in changes if change.a != change.b]
    is_whole = verbose or isinstance(row, LoopPair)
    return (different if is_whole else different[:1]) or changes[:1]


def _change(change: CountChange, mark: Mark | None) -> tuple[str, ...]:
    delta = figure(change.delta, mark)
    return (
        figure(change.a),
        figure(change.b),
        f"+{delta}" if change.delta > 0 else delta if change.delta else "",
        _relative(change.change_fraction),
    )


def _relative(fraction: float | None) -> str:
    """A difference in per cent, from ten times as much on as a multiple."""
    if not fraction:
        return ""
    return f"{fraction:+.1%}" if fraction < _MULTIPLE else f"x {fraction + 1:,.0f}"


def row_name(launch: DfsgComparison, row: Row) -> str:
    """What a block, edge or loop is called in both graphs."""
    a, b = (
        None if one is None else _name(one, graph)
        for one, graph in zip((row.a, row.b), launch.graphs, strict=True)
    )
    if a is None:
        return f"{b}: only in B"
    if b is None:
        return f"{a}: only in A"
    return a if a == b else f"{a} = {b}"


def _name(one: Node | Edge | LoopStatistics, graph: Dfsg) -> str:
    if isinstance(one, Edge):
        return f"{graph.labels[one.source]} → {graph.labels[one.target]}"
    return one.label if isinstance(one, Node) else f"{one.label}, {one.pattern.value}"


def _launches(page: Page, report: DfsgDiffReport) -> None:
    for launch in report.launches:
        _launch(page, report, launch)


DIFF_PAGE = (Special(_launches),)

DIFF_COLUMNS = (
    "launch_a", "launch_b", "kind", "block_a", "label_a", "target_a", "block_b", "label_b",
    "target_b", "key", "a", "b", "delta", "change_fraction", "equal", "distance_part", "mark",
)  # fmt: skip


def _table_rows(report: DfsgDiffReport) -> Iterator[CsvRow]:
    """A row for each figure of what is compared; the first rows are the distances."""
    for launch in report.launches:
        names = {"launch_a": launch.a.index, "launch_b": launch.b.index, "mark": _mark(launch)}
        for key in ("distance", "node_distance", "edge_distance"):
            distance = {"delta": getattr(launch, key), "equal": launch.equal}
            yield {**names, "kind": "graph", "key": key, **distance}
        kinds: dict[str, tuple[Row, ...]] = {
            "block": launch.nodes,
            "edge": launch.edges,
            "loop": launch.loops,
        }
        for kind, rows in kinds.items():
            for row in rows:
                yield from ({**names, "kind": kind, **one} for one in _row(launch, row))


def _row(launch: DfsgComparison, row: Row) -> Iterator[CsvRow]:
    """A row for each figure; what the whole adds to the distance stands in each of them."""
    names = _side("a", row.a, launch.graphs[0]) | _side("b", row.b, launch.graphs[1])
    part = None if isinstance(row, LoopPair) else row.distance_part
    for key, change in row.changes.items():
        values = {"a": change.a, "b": change.b, "delta": change.delta}
        told = {"change_fraction": change.change_fraction, "equal": change.a == change.b}
        yield {**names, "distance_part": part, "key": key, **values, **told}


def _side(side: str, one: Node | Edge | LoopStatistics | None, graph: Dfsg) -> dict[str, object]:
    if one is None:
        return {}
    if isinstance(one, LoopStatistics):
        return {f"block_{side}": one.shape.header, f"label_{side}": one.label}
    if isinstance(one, Node):
        return {f"block_{side}": one.block, f"label_{side}": one.label}
    target = "end" if one.target is None else one.target
    label = graph.labels[one.source]
    return {f"block_{side}": one.source, f"label_{side}": label, f"target_{side}": target}


DFSG_DIFF = CsvTable(DIFF_COLUMNS, _table_rows)
