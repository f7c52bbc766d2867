"""The page of ``dfsg``, and its rows as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from warpmill.analyzer.profile.dfsg.graph import (
    Branch,
    Dfsg,
    LoopStatistics,
    TargetCase,
)
from warpmill.commands.dfsg.result import DfsgReport
from warpmill.report.page import Page, figure, percent
from warpmill.report.read import Reader
from warpmill.report.sections import Repeated, Shown, Special, Table
from warpmill.report.table import CsvTable, RowsOf
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


def _head(page: Page, graph: Dfsg) -> None:
    launch = graph.launch
    inside = sum(node.loop is not None for node in graph.nodes)
    divergent = sum(branch.divergent for branch in graph.branches)
    page.facts(
        [
            ("launch", f"{launch.index}: {launch.name}"),
            ("threads", f"{launch.threads:,}; {launch_words(launch.grid, launch.block)}"),
            ("ECount", f"{figure(graph.ecount)} executions of blocks by threads"),
            ("blocks", f"{len(graph.nodes)}, {inside} in loops"),
            ("edges", f"{len(graph.edges)}"),
            ("loops", f"{len(graph.loops) or 'none'}"),
            ("branches", f"{len(graph.branches)}, {divergent} divergent"),
        ]
    )


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


def _loop_notes(page: Page, graph: Dfsg) -> None:
    """How iterations spread over warps; and where threads jump back, where all is asked for."""
    for loop in graph.loops:
        if len(loop.counts.by_warp) > 1:
            page.line(f"{loop.label}: iterations per thread of a warp: {_spread(loop)}")
        if page.style.verbose:
            _modelled(page, graph, loop)
    for cycle in graph.irreducible:
        names = ", ".join(graph.labels[block] for block in cycle)
        page.line(f"a cycle with several entries, which is no loop: {names}")


def _modelled(page: Page, graph: Dfsg, loop: LoopStatistics) -> None:
    page.line(f"{loop.label}: blocks {', '.join(graph.labels[b] for b in loop.shape.blocks)}")
    for point in loop.jump_points:
        how = {"i": "all threads jump back (i)", "ii": "fewer jump back than come (ii)"}
        words = "no thread comes" if point.case is None else how[point.case.value]
        page.line(f"{loop.label}: jump point {graph.labels[point.block]}: {words}")
    if loop.target_case is not None:
        case = loop.target_case
        page.line(f"{loop.label}: target point: {_TARGETS[case]} ({case.value})")


_TARGETS = {
    TargetCase.ONE_WAY: "all threads go on in one direction",
    TargetCase.GROUPS: "each thread always takes the same of several directions, all iterate alike",
    TargetCase.CHANGING: "threads change their direction",
}


def _spread(loop: LoopStatistics) -> str:
    """The histogram over warps: as it is where it is short, else in a few equal steps."""
    known = sorted((w.iterations_per_thread, w.warps) for w in loop.counts.by_warp)
    if len(known) <= _FEW:
        return ", ".join(f"{figure(mean)} in {plural(warps, 'warp')}" for mean, warps in known)
    least, most = known[0][0], known[-1][0]
    counts = [0] * _FEW
    for mean, warps in known:
        counts[min(_FEW - 1, int((mean - least) / (most - least) * _FEW))] += warps
    ends = [least + (most - least) * k / _FEW for k in range(_FEW + 1)]
    return ", ".join(
        f"{figure(ends[k])} to {figure(ends[k + 1])} in {plural(count, 'warp')}"
        for k, count in enumerate(counts)
    )


_SOURCE = Shown("source", "from", told=lambda edge: edge.holder.labels[edge.subject.source])
_TARGET = Shown("target", "to", told=_target)
_SIDES = Shown("fractions", "successors", told=_sides)
_LINE = Shown("place", "line", words=place)
_LOOP_COLUMNS = (
    "label", "pattern", "shape.depth", "counts.iterations", "counts.threads",
    Shown("counts.iterations_per_thread", "per thread"), Shown("counts.iterations_min", "least"),
    Shown("counts.iterations_max", "most"),
)  # fmt: skip

GRAPH = (
    Special(_head),
    Table(
        "Blocks",
        "nodes",
        ("label", Shown("loop", "in loop", told=_loop), "ecount", "lcount", "scount", "threads"),
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
    Special(_loop_notes),
    Table(
        "Branches",
        "branches",
        (
            Shown("block", "block", told=_label),
            "area",
            Shown("fractions", "successors", told=_sides),
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
