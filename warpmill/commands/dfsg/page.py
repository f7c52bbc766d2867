"""The pages of ``dfsg`` and of ``dfsg diff``, and their rows as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from warpmill.analyzer.profile.counts import WarpIterations
from warpmill.analyzer.profile.dfsg.distance import DfsgComparison, EdgePair, LoopPair, NodePair
from warpmill.analyzer.profile.dfsg.graph import (
    Branch,
    Dfsg,
    DfsgLaunch,
    Edge,
    LoopStatistics,
    Node,
)
from warpmill.commands.dfsg.result import DfsgDiffReport, DfsgReport
from warpmill.report.page import Page, figure, percent
from warpmill.report.read import Reader
from warpmill.report.sections import Charts, Comparison, Repeated, Shown, Special, Table
from warpmill.report.table import CsvRow, CsvTable, RowsOf
from warpmill.report.words import dimensions, place, plural

_FEW = 6
_ALL = 1 << 30
"""Rows of tables: a graph is shown whole."""


def launch_words(grid: Sequence[int], block: Sequence[int]) -> str:
    """How a kernel was launched, in words."""
    return f"grid {dimensions(grid)} ({plural(prod(grid), 'CTA')}), block {dimensions(block)}"


def _title(graph: Dfsg) -> str:
    name, mangled = graph.launch.demangled, graph.launch.kernel
    return f"dfsg: {name}" if name == mangled else f"dfsg: {name}  [{mangled}]"


def _empty(page: Page, report: DfsgReport) -> None:
    if not report.graphs:
        page.title(f"dfsg: {report.target}: no launches")


def _divergent(graph: Dfsg) -> str:
    return f"{len(graph.branches)}, {sum(branch.divergent for branch in graph.branches)} divergent"


def _label(reader: Reader) -> str:
    return str(reader.holder.labels[reader.subject.block])


def _loop(reader: Reader) -> str | None:
    node, graph = reader.subject, reader.holder
    return None if node.loop is None else str(graph.loops[node.loop].label)


def _target(reader: Reader) -> str:
    edge = reader.subject
    return f"{reader.holder.labels[edge.target]}{' (back)' if edge.closes_loop else ''}"


def _sides(reader: Reader) -> str:
    branch: Branch = reader.subject
    pairs = zip(branch.sides, branch.fractions, strict=True)
    return ", ".join(f"{reader.holder.labels[s.target]} {percent(part)}" for s, part in pairs)


def _irreducible(graph: Dfsg) -> str | None:
    cycles = [", ".join(graph.labels[block] for block in cycle) for cycle in graph.irreducible]
    return "; ".join(cycles) or None


def _by_warp(found: Sequence[WarpIterations]) -> str:
    known = sorted((one.iterations_per_thread, one.warps) for one in found)
    words = [f"{figure(mean)} in {plural(warps, 'warp')}" for mean, warps in known[:_FEW]]
    return ", ".join([*words, *(["..."] if len(known) > _FEW else [])])


def _jumps(reader: Reader) -> str:
    labels = reader.holder.labels
    pairs = [
        (labels[p.block], "none" if p.case is None else p.case.value)
        for p in reader.subject.jump_points
    ]
    return ", ".join(f"{label} ({case})" for label, case in pairs)


_SOURCE = Shown("source", "From", told=lambda edge: edge.holder.labels[edge.subject.source])
_TARGET = Shown("target", "To", told=_target)
_SIDES = Shown("fractions", "Successors", told=_sides)
_LINE = Shown("place", "Line", words=place)
_LOOP_COLUMNS = (
    "label", "pattern", "shape.depth", "counts.iterations", "counts.threads",
    Shown("counts.iterations_per_thread", "Per thread"), Shown("counts.iterations_min", "Least"),
    Shown("counts.iterations_max", "Most"),
)  # fmt: skip

GRAPH = (
    Charts("warpmill.commands.dfsg.dot:charts"),
    Comparison(
        "Launch",
        (
            Shown("launch", "Launch", words=lambda one: f"{one.index}: {one.name}"),
            Shown("launch", "Size", words=lambda one: launch_words(one.grid, one.block)),
            "launch.threads",
            "ecount",
            Shown("nodes", "Blocks", words=lambda nodes: f"{len(nodes)}"),
            Shown("edges", "Edges", words=lambda edges: f"{len(edges)}"),
            Shown("loops", "Loops", words=lambda loops: f"{len(loops)}"),
            Shown("", "Branches", words=_divergent),
            Shown("", "Cycles with several entries", words=_irreducible),
        ),
    ),
    Table(
        "Blocks",
        "nodes",
        ("label", Shown("loop", "In loop", told=_loop), "ecount", "lcount", "scount", "threads"),
        top=_ALL,
        left=(0, 1),
        wrap=(0, 1),
    ),
    Table(
        "Blocks by warps",
        "nodes",
        ("label", "instructions", "warps", "scount_warps", "ecount_fraction", _LINE),
        left=(0, 5),
        wrap=(0, 5),
        detail=True,
    ),
    Table(
        "Edges",
        "edges",
        (_SOURCE, _TARGET, "oecount", "iecount", "tcount", Shown("warps", detail=True)),
        top=_ALL,
        left=(0, 1),
        wrap=(0, 1),
    ),
    Table("Loops", "loops", _LOOP_COLUMNS, top=_ALL, left=(0, 1), wrap=(0,)),
    Table(
        "Loops by warps, jump points and target points",
        "loops",
        (
            "label",
            Shown("counts.by_warp", "Iterations per thread", words=_by_warp),
            Shown("jump_points", "Jump points", told=_jumps),
            Shown("target_case", "Target point"),
        ),
        left=range(4),
        wrap=range(3),
        below="cases (i) to (iii) as in section 4.2 of GPGPU-MiniBench",
        detail=True,
    ),
    Table(
        "Branches",
        "branches",
        (
            Shown("block", "Block", told=_label),
            "area",
            Shown("fractions", "Successors", told=_sides),
            "splits",
        ),
        top=_ALL,
        left=(0, 1, 2),
        wrap=(0, 2),
    ),
)

PAGE = (Special(_empty), Repeated("graphs", GRAPH, _title))

COLUMNS = (
    "launch", "name", "kernel", "kind", "block", "label", "target", "area", "loop", "ecount",
    "lcount", "scount", "oecount", "iecount", "tcount", "closes_loop", "threads", "warps",
    "scount_warps", "instructions", "barriers", "pattern", "depth", "entries", "iterations",
    "iterations_per_thread", "iterations_min", "iterations_max", "iterates_alike",
    "ecount_fraction", "file", "line", "mark",
)  # fmt: skip

_LAUNCH = {key: f".graphs.launch.{key}" for key in ("name", "kernel")} | {
    "launch": ".graphs.launch.index"
}

DFSG = CsvTable(
    COLUMNS,
    (
        RowsOf("graphs.nodes", _LAUNCH, {"kind": "block"}, mark="ecount"),
        RowsOf(
            "graphs.edges",
            {
                **_LAUNCH,
                "block": "source",
                "target": lambda edge: "end" if edge.target is None else edge.target,
            },
            {"kind": "edge"},
            mark="oecount",
        ),
        RowsOf(
            "graphs.loops",
            {**_LAUNCH, "block": "shape.header", "loop": "shape.id"},
            {"kind": "loop"},
            mark="counts.iterations",
        ),
    ),
)


# -- dfsg diff -------------------------------------------------------------------------------------

_TOP = 12
_MULTIPLE = 9
_LEAST = 0.001

Row = NodePair | EdgePair | LoopPair

_WORDS = {
    "ecount": "ECount", "lcount": "LCount", "scount": "SCount", "oecount": "OECount",
    "tcount": "TCount", "iterations_per_thread": "iterations per thread",
    "iterations_min": "least of a thread", "iterations_max": "most of a thread",
}  # fmt: skip


def _pair_title(launch: DfsgComparison) -> str:
    names = dict.fromkeys((launch.a.demangled, launch.b.demangled))
    return f"dfsg diff: {' and '.join(names)}"


def _side_a(reader: Reader) -> str:
    return f"{reader.holder.a}, {_launch(reader.subject.a)}"


def _side_b(reader: Reader) -> str:
    return f"{reader.holder.b}, {_launch(reader.subject.b)}"


def _launch(launch: DfsgLaunch) -> str:
    return f"launch {launch.index}: {launch_words(launch.grid, launch.block)}"


def _distance(value: float) -> str:
    if 0 < value < _LEAST:
        return f"<{figure(_LEAST)}"
    return figure(value or 0, digits=3 if value else None)


def _delta(delta: float) -> str:
    return f"+{figure(delta)}" if delta > 0 else figure(delta) if delta else ""


def _relative(fraction: float | None) -> str:
    """A difference in per cent, from ten times as much on as a multiple."""
    if not fraction:
        return ""
    return f"{fraction:+.1%}" if fraction < _MULTIPLE else f"x {fraction + 1:,.0f}"


def _row_name(reader: Reader) -> str:
    """The name of a block, edge or loop in both graphs."""
    row, graphs = reader.subject, reader.holder.graphs
    pairs = zip((row.a, row.b), graphs, strict=True)
    a, b = (None if one is None else _name(one, graph) for one, graph in pairs)
    if a is None or b is None:
        return f"{b}: only in B" if a is None else f"{a}: only in A"
    return a if a == b else f"{a} = {b}"


def _name(one: Node | Edge | LoopStatistics, graph: Dfsg) -> str:
    if isinstance(one, Edge):
        return f"{graph.labels[one.source]} → {graph.labels[one.target]}"
    return one.label if isinstance(one, Node) else f"{one.label}, {one.pattern.value}"


_CHANGE = (
    Shown("first_difference", "Count", words=lambda name: _WORDS.get(name, name)),
    "first_change.a",
    "first_change.b",
    Shown("first_change.delta", words=_delta),
    Shown("first_change.change_fraction", words=_relative),
)
_DISTANCE = Shown("distance_part", words=_distance)

DIFF_PAGE = (
    Repeated(
        "launches",
        (
            Comparison("", (Shown("", "A", told=_side_a), Shown("", "B", told=_side_b))),
            Comparison(
                "Distance, from 0 to 1",
                (
                    Shown("distance", words=_distance),
                    Shown("node_distance", words=_distance),
                    Shown("edge_distance", words=_distance),
                    "equal",
                    "paired_by",
                ),
            ),
            *(
                Table(
                    f"{kind} with differences",
                    of,
                    (Shown("", kind, told=_row_name), *_CHANGE, *part),
                    top=_TOP,
                    left=(0, 1),
                    wrap=(0,),
                )
                for kind, of, part in (
                    ("Blocks", "nodes", (_DISTANCE,)),
                    ("Edges", "edges", (_DISTANCE,)),
                    ("Loops", "loops", ()),
                )
            ),
        ),
        _pair_title,
    ),
)

DIFF_COLUMNS = (
    "launch_a", "launch_b", "kind", "block_a", "label_a", "target_a", "block_b", "label_b",
    "target_b", "key", "a", "b", "delta", "change_fraction", "equal", "distance_part", "mark",
)  # fmt: skip


def _table_rows(report: DfsgDiffReport) -> Iterator[CsvRow]:
    """A row for each figure of what is compared; the first rows are the distances."""
    for launch in report.launches:
        names = {
            "launch_a": launch.a.index,
            "launch_b": launch.b.index,
            "mark": Reader(launch).mark("distance"),
        }
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
