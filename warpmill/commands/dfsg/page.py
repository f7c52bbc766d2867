"""The page of ``dfsg``, and its rows as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from warpmill.analyzer.profile.counts import WarpIterations
from warpmill.analyzer.profile.dfsg.graph import Branch, Dfsg
from warpmill.commands.dfsg.result import DfsgReport
from warpmill.report.page import Page, figure, percent
from warpmill.report.read import Reader
from warpmill.report.sections import Charts, Comparison, Repeated, Shown, Special, Table
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
