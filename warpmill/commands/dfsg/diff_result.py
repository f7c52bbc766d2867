"""What ``dfsg diff`` answers: how far the divergence flow of two launches is apart, and where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.profile.dfsg.distance import DfsgComparison, GraphPair, compare_dfsgs
from warpmill.analyzer.profile.dfsg.graph import Dfsg, Edge, LoopStatistics, Node
from warpmill.commands.dfsg.result import LaunchDfsg
from warpmill.report.base import Id, Mark, Marks, Part, Report, figures, marks

T = TypeVar("T")
Number = int | float | None


class FigureChange(Part):
    """A figure of both graphs; null where there is no such block, edge or loop, or no thread.

    ``delta`` is b - a, what is missing counting 0; ``change_fraction`` is that over a, null where a
    is 0 or missing.
    """

    a: Number
    b: Number
    delta: int | float
    change_fraction: float | None


class BlockSide(Part):
    """A block in one of the graphs."""

    id: Id
    label: str


class BlockDiff(Part):
    """A block of both graphs, or of one where the other side is null.

    ``distance_part`` is what it adds to the distance of nodes: equal counts may be unequal shares.
    """

    a: BlockSide | None
    b: BlockSide | None
    equal: bool
    distance_part: float
    ecount: FigureChange
    lcount: FigureChange
    scount: FigureChange
    threads: FigureChange
    warps: FigureChange


class EdgeSide(Part):
    """An edge in one of the graphs; ``target`` null is the thread's end."""

    source: BlockSide
    target: BlockSide | None


class EdgeDiff(Part):
    """An edge of both graphs, or of one where the other side is null.

    ``distance_part`` is what it adds to the distance of edges. IECounts are the OECounts.
    """

    a: EdgeSide | None
    b: EdgeSide | None
    equal: bool
    distance_part: float
    oecount: FigureChange
    tcount: FigureChange
    warps: FigureChange


class FlowLoopSide(Part):
    """A loop in one of the graphs, by its header."""

    header: BlockSide
    pattern: str
    depth: int


class FlowLoopDiff(Part):
    """A loop of both graphs, or of one where the other side is null. Iterations are a thread's."""

    a: FlowLoopSide | None
    b: FlowLoopSide | None
    equal: bool
    entries: FigureChange
    threads: FigureChange
    iterations: FigureChange
    iterations_a_thread: FigureChange
    iterations_min: FigureChange
    iterations_max: FigureChange


class GraphSide(Part):
    """The launch whose graph it is."""

    index: Id
    name: str
    kernel: str
    demangled: str
    grid: list[int]
    block: list[int]
    threads: int
    ecount: int
    blocks: int
    edges: int
    loops: int


class FlowDiff(Part):
    """Two graphs. Its lists hold what differs, or all where that is asked for.

    ``distance`` is the mean of ``node_distance`` and ``edge_distance``, each from 0 to 1: half the
    sum of the differences between the shares that the counts of one graph and of the other have in
    their sums. Blocks are paired by id where both graphs have one structure; else by position, and
    what rests on that is marked assumed. ``equal``: everything has a partner with the same counts.
    """

    a: GraphSide
    b: GraphSide
    paired_by: Literal["id", "position"]
    equal: bool
    distance: float
    node_distance: float
    edge_distance: float
    blocks: list[BlockDiff]
    edges: list[EdgeDiff]
    loops: list[FlowLoopDiff]
    marks: Marks


class DfsgDiffReport(Report):
    """The graphs of two targets, launch by launch. ``rows``: whether equal rows are left out."""

    report: Literal["dfsg-diff"] = "dfsg-diff"
    a: str
    b: str
    rows: Literal["differing", "all"]
    equal: bool
    launches: list[FlowDiff]


def dfsg_diff_report(
    names: tuple[str, str],
    pairs: Iterable[tuple[LaunchDfsg, LaunchDfsg]],
    *,
    all_rows: bool = False,
) -> DfsgDiffReport:
    """Compare graphs pair by pair."""
    launches = [_flow(a, b, all_rows=all_rows) for a, b in pairs]
    return DfsgDiffReport(
        a=names[0],
        b=names[1],
        rows="all" if all_rows else "differing",
        equal=all(launch.equal for launch in launches),
        launches=launches,
    )


def _flow(a: LaunchDfsg, b: LaunchDfsg, *, all_rows: bool) -> FlowDiff:
    compared = compare_dfsgs(a.dfsg, b.dfsg)
    rows = _rows(a.dfsg, b.dfsg, compared)
    by_id = compared.pairing.same_structure
    return FlowDiff(
        a=_side(a),
        b=_side(b),
        paired_by="id" if by_id else "position",
        equal=all(row.equal for each in vars(rows).values() for row in each),
        distance=float(compared.distance),
        node_distance=float(compared.node_distance),
        edge_distance=float(compared.edge_distance),
        **vars(rows if all_rows else rows.differing()),
        marks=_marks(Mark.EXACT if by_id else Mark.ASSUMED),
    )


def _side(launch: LaunchDfsg) -> GraphSide:
    dfsg = launch.dfsg
    return GraphSide(
        index=launch.index,
        name=launch.name,
        kernel=dfsg.kernel,
        demangled=demangle(dfsg.kernel),
        grid=list(dfsg.grid),
        block=list(dfsg.block),
        threads=dfsg.threads,
        ecount=sum(node.ecount for node in dfsg.nodes),
        blocks=len(dfsg.nodes),
        edges=len(dfsg.edges),
        loops=len(dfsg.loops),
    )


def _marks(paired: Mark) -> dict[str, Mark]:
    """Mark counts exact; distances and changes are as good as the pairing."""
    rest = [key for key in figures(FlowDiff) if key.rpartition(".")[2] in _PAIRED]
    return marks(FlowDiff, Mark.EXACT, **{key.replace(".", "__"): paired for key in rest})


_PAIRED = {
    "distance", "node_distance", "edge_distance", "distance_part", "delta", "change_fraction",
}  # fmt: skip
"""Keys of figures that depend on which block is paired with which."""


@dataclass(frozen=True)
class _Rows:
    blocks: list[BlockDiff]
    edges: list[EdgeDiff]
    loops: list[FlowLoopDiff]

    def differing(self) -> _Rows:
        """Leave out what is equal."""
        return _Rows(
            [row for row in self.blocks if not row.equal],
            [row for row in self.edges if not row.equal],
            [row for row in self.loops if not row.equal],
        )


def _rows(a: Dfsg, b: Dfsg, compared: DfsgComparison) -> _Rows:
    loops = [_loop(a, b, pair) for pair in compared.loops]
    return _Rows(
        [_block(pair) for pair in compared.nodes],
        [_edge(a, b, pair) for pair in compared.edges],
        sorted(loops, key=lambda loop: -abs(loop.iterations.delta)),
    )


def _change(pair: GraphPair[T], value: Callable[[T], Number]) -> FigureChange:
    a = None if pair.a is None else value(pair.a)
    b = None if pair.b is None else value(pair.b)
    delta = (b or 0) - (a or 0)
    return FigureChange(a=a, b=b, delta=delta, change_fraction=delta / a if a else None)


def _is_equal(pair: GraphPair[T], changes: Sequence[FigureChange]) -> bool:
    return pair.a is not None and pair.b is not None and all(c.a == c.b for c in changes)


def _named(dfsg: Dfsg, block: int) -> BlockSide:
    return BlockSide(id=block, label=dfsg.nodes[block].label)


def _block(pair: GraphPair[Node]) -> BlockDiff:
    a, b = (
        None if node is None else BlockSide(id=node.block, label=node.label)
        for node in (pair.a, pair.b)
    )
    changes = {
        "ecount": _change(pair, lambda node: node.ecount),
        "lcount": _change(pair, lambda node: node.lcount),
        "scount": _change(pair, lambda node: node.scount),
        "threads": _change(pair, lambda node: node.threads),
        "warps": _change(pair, lambda node: node.warps),
    }
    equal = _is_equal(pair, [*changes.values()])
    return BlockDiff(a=a, b=b, equal=equal, distance_part=float(pair.contribution), **changes)


def _edge(a: Dfsg, b: Dfsg, pair: GraphPair[Edge]) -> EdgeDiff:
    changes = {
        "oecount": _change(pair, lambda edge: edge.oecount),
        "tcount": _change(pair, lambda edge: edge.tcount),
        "warps": _change(pair, lambda edge: edge.warps),
    }
    return EdgeDiff(
        a=None if pair.a is None else _edge_side(a, pair.a),
        b=None if pair.b is None else _edge_side(b, pair.b),
        equal=_is_equal(pair, [*changes.values()]),
        distance_part=float(pair.contribution),
        **changes,
    )


def _edge_side(dfsg: Dfsg, edge: Edge) -> EdgeSide:
    target = None if edge.target is None else _named(dfsg, edge.target)
    return EdgeSide(source=_named(dfsg, edge.source), target=target)


def _loop(a: Dfsg, b: Dfsg, pair: GraphPair[LoopStatistics]) -> FlowLoopDiff:
    changes = {
        "entries": _change(pair, lambda loop: loop.counts.entries),
        "threads": _change(pair, lambda loop: loop.counts.threads),
        "iterations": _change(pair, lambda loop: loop.counts.iterations),
        "iterations_a_thread": _change(pair, lambda loop: loop.mean),
        "iterations_min": _change(pair, lambda loop: loop.counts.iterations_min),
        "iterations_max": _change(pair, lambda loop: loop.counts.iterations_max),
    }
    by_warp = [None if loop is None else loop.counts.by_warp for loop in (pair.a, pair.b)]
    return FlowLoopDiff(
        a=None if pair.a is None else _loop_side(a, pair.a),
        b=None if pair.b is None else _loop_side(b, pair.b),
        equal=_is_equal(pair, [*changes.values()]) and by_warp[0] == by_warp[1],
        **changes,
    )


def _loop_side(dfsg: Dfsg, loop: LoopStatistics) -> FlowLoopSide:
    header = _named(dfsg, loop.shape.header)
    return FlowLoopSide(header=header, pattern=loop.pattern.value, depth=loop.shape.depth)
