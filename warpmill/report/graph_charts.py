"""Graphs of kernels as charts: their control flow, and the flow of threads of a launch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from warpmill.analyzer.profile.dfsg.graph import END, Dfsg
from warpmill.report.charts import Chart, GraphChart, GraphEdge, GraphNode
from warpmill.report.page import figure, percent
from warpmill.report.words import plural
from warpmill.session.data import EXIT

if TYPE_CHECKING:
    from warpmill.commands.analyze.result import KernelAnalysis

_END = "end"


def analysis_charts(analysis: KernelAnalysis) -> Iterator[Chart]:
    """The basic blocks of a kernel; the darker, the more warp instructions a launch has of them."""
    done = [block.instructions * (block.warp_executions or 0) for block in analysis.blocks]
    most, whole = max(done, default=0), sum(done)
    nodes, edges = [], []
    known = {block.label: str(block.id) for block in analysis.blocks}
    rank = {block.label: number for number, block in enumerate(analysis.blocks)}
    headers = {loop.name for loop in analysis.loops}
    for block, work in zip(analysis.blocks, done, strict=True):
        words = [block.label, plural(block.instructions, "instruction")]
        if work:
            words.append(f"{percent(work / whole)} of warp instructions")
        nodes.append(GraphNode(known[block.label], "\n".join(words), work / most if most else 0.0))
        for target in block.successors:
            back = target in headers and rank.get(target, len(rank)) <= rank[block.label]
            edges.append(GraphEdge(known[block.label], known.get(target, _END), back=back))
    if any(edge.target == _END for edge in edges):
        nodes.append(GraphNode(_END, EXIT))
    yield GraphChart("Control flow", tuple(nodes), tuple(edges))


def dfsg_charts(graph: Dfsg) -> Iterator[Chart]:
    """The divergence flow statistics graph of a launch, with its counts."""
    nodes = [
        GraphNode(
            str(node.block),
            "\n".join(
                [
                    node.label,
                    f"ECount {figure(node.ecount)}",
                    *([f"LCount {figure(node.lcount)}"] if node.lcount else []),
                    *([f"SCount {figure(node.scount)}"] if node.scount else []),
                ]
            ),
            node.ecount_fraction,
        )
        for node in graph.nodes
    ]
    edges = [
        GraphEdge(
            str(edge.source),
            _END if edge.target is None else str(edge.target),
            f"{figure(edge.oecount)} / {figure(edge.tcount)}",
            edge.closes_loop,
        )
        for edge in graph.edges
    ]
    if any(edge.target == _END for edge in edges):
        nodes.append(GraphNode(_END, END))
    title = f"DFSG of {graph.launch.name}: executions / threads on edges"
    yield GraphChart(title, tuple(nodes), tuple(edges))
