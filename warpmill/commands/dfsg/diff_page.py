"""The page of ``dfsg diff``, and its rows as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.analyzer.profile.dfsg.distance import DfsgComparison, EdgePair, LoopPair, NodePair
from warpmill.analyzer.profile.dfsg.graph import Dfsg, DfsgLaunch, Edge, LoopStatistics, Node
from warpmill.commands.dfsg.page import launch_words
from warpmill.commands.dfsg.result import DfsgDiffReport
from warpmill.report.page import figure
from warpmill.report.read import Reader
from warpmill.report.sections import Comparison, Repeated, Shown, Table
from warpmill.report.table import CsvRow, CsvTable

_FEW = 12
_MULTIPLE = 9
_LEAST = 0.001

Row = NodePair | EdgePair | LoopPair

_WORDS = {
    "ecount": "ECount", "lcount": "LCount", "scount": "SCount", "oecount": "OECount",
    "tcount": "TCount", "iterations_per_thread": "iterations per thread",
    "iterations_min": "least of a thread", "iterations_max": "most of a thread",
}  # fmt: skip


def _title(launch: DfsgComparison) -> str:
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
                    top=_FEW,
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
        _title,
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
