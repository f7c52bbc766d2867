"""The rows of ``dfsg`` and ``dfsg diff`` as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.dfsg.diff_result import (
    BlockDiff,
    BlockSide,
    DfsgDiffReport,
    EdgeDiff,
    EdgeSide,
    FigureChange,
    FlowDiff,
    FlowLoopDiff,
)
from warpmill.commands.dfsg.result import DfsgReport, LaunchFlow
from warpmill.report.table import CsvRow, CsvTable, place_columns

COLUMNS = (
    "launch", "name", "kernel", "kind", "block", "label", "target", "area", "loop", "ecount",
    "lcount", "scount", "oecount", "iecount", "tcount", "closes_loop", "threads", "warps",
    "scount_warps", "instructions", "barriers", "pattern", "depth", "entries", "iterations",
    "iterations_a_thread", "iterations_min", "iterations_max", "iterates_alike", "ecount_fraction",
    "file", "line", "mark",
)  # fmt: skip

DIFF_COLUMNS = (
    "launch_a", "launch_b", "kind", "block_a", "label_a", "target_a", "block_b", "label_b",
    "target_b", "key", "a", "b", "delta", "change_fraction", "equal", "distance_part", "mark",
)  # fmt: skip


def dfsg_rows(report: DfsgReport) -> Iterator[CsvRow]:
    """Give a row for each block, each edge and each loop of each launch."""
    for graph in report.graphs:
        names = {"launch": graph.index, "name": graph.name, "kernel": graph.kernel}
        for row in _graph(graph):
            yield {**names, **row, "mark": graph.marks["ecount"].value}


def _graph(graph: LaunchFlow) -> Iterator[CsvRow]:
    for block in graph.blocks:
        figures = block.flat(only=set(COLUMNS))
        where = place_columns(block.place)
        yield {"kind": "block", "block": block.id, **figures, **where}
    for edge in graph.edges:
        counts = edge.flat(only=set(COLUMNS))
        yield {"kind": "edge", "block": edge.source, **counts, "target": _target(edge.target)}
    for loop in graph.loops:
        figures = loop.flat(only=set(COLUMNS))
        yield {"kind": "loop", "block": loop.target_point, **figures, "loop": loop.parent}


def _target(block: int | None) -> int | str:
    return "end" if block is None else block


def dfsg_diff_rows(report: DfsgDiffReport) -> Iterator[CsvRow]:
    """Give a row for each figure of what is compared; the first rows are the distances."""
    for launch in report.launches:
        names = {"launch_a": launch.a.index, "launch_b": launch.b.index}
        mark = launch.marks["distance"].value
        for row in _launch(launch):
            yield {**names, **row, "mark": mark}


def _launch(launch: FlowDiff) -> Iterator[CsvRow]:
    for key in ("distance", "node_distance", "edge_distance"):
        yield {"kind": "graph", "key": key, "delta": getattr(launch, key), "equal": launch.equal}
    for block in launch.blocks:
        yield from _rows("block", block, {**_block("a", block.a), **_block("b", block.b)})
    for edge in launch.edges:
        yield from _rows("edge", edge, {**_edge("a", edge.a), **_edge("b", edge.b)})
    for loop in launch.loops:
        headers = (None if side is None else side.header for side in (loop.a, loop.b))
        a, b = (_block(name, header) for name, header in zip("ab", headers, strict=True))
        yield from _rows("loop", loop, {**a, **b})


def _rows(kind: str, row: BlockDiff | EdgeDiff | FlowLoopDiff, names: CsvRow) -> Iterator[CsvRow]:
    """Give a row for each figure; what the whole adds to the distance stands in each of them."""
    part = None if isinstance(row, FlowLoopDiff) else row.distance_part
    for key, change in vars(row).items():
        if isinstance(change, FigureChange):
            shared = {"kind": kind, **names, "distance_part": part, "key": key}
            yield {**shared, **change.flat(), "equal": change.a == change.b}


def _block(side: str, block: BlockSide | None) -> CsvRow:
    return {} if block is None else {f"block_{side}": block.id, f"label_{side}": block.label}


def _edge(side: str, edge: EdgeSide | None) -> CsvRow:
    if edge is None:
        return {}
    target = None if edge.target is None else edge.target.id
    return {**_block(side, edge.source), f"target_{side}": _target(target)}


DFSG = CsvTable(COLUMNS, dfsg_rows)

DFSG_DIFF = CsvTable(DIFF_COLUMNS, dfsg_diff_rows)
