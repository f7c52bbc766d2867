"""The divergence flow statistics graph in Graphviz' language, drawn as Fig. 10 of GPGPU-MiniBench.

A block is a box with its name, ECount, LCount and SCount, the darker the larger its share of all
executions. On an edge a dashed frame has OECount and TCount, which the paper draws at its start,
and a plain one IECount, which it draws at the end. Loops are frames around their blocks, with
pattern and iterations a thread. What no thread came to is grey.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from warpmill.analyzer.profile.dfsg.graph import END, Dfsg, Edge, LoopStatistics, Node
from warpmill.commands.dfsg.result import DfsgReport
from warpmill.report.charts import Chart, GraphChart, GraphEdge, GraphNode
from warpmill.report.graphs import Graphs, quoted, shade
from warpmill.report.page import figure
from warpmill.report.safe import escaped
from warpmill.report.words import dimensions

_GREY = "#999999"
_OF_RECORDS = re.compile(r'([\\{}|<>" ])')


def dfsg_dot(report: DfsgReport) -> Graphs:
    """The graph of each launch."""
    texts = ["\n".join(_graph(graph)) + "\n" for graph in report.graphs]
    return Graphs([graph.launch.name for graph in report.graphs], texts, "--launch N")


def _graph(graph: Dfsg) -> Iterator[str]:
    launch = graph.launch
    shape = f"grid {dimensions(launch.grid)}, block {dimensions(launch.block)}"
    yield f"digraph {quoted(launch.demangled)} {{"
    title = f"{launch.demangled}, launch {launch.index}: {shape}, {launch.threads:,} threads"
    yield f'  label={quoted(title)}; labelloc=t; fontname="monospace";'
    yield '  node [shape=record, fontname="monospace", style=filled, fillcolor=white];'
    yield '  edge [fontname="monospace", fontsize=9];'
    inside: dict[int | None, list[Node]] = {}
    for block in graph.nodes:
        inside.setdefault(block.loop, []).append(block)
    yield from (f"  {_node(block)}" for block in inside.get(None, ()))
    yield from _clusters(graph.loops, inside)
    end = quoted(f"end\n{launch.threads:,} threads")
    yield f"  exit [shape=oval, label={end}];"
    yield from (f"  {_edge(edge)}" for edge in graph.edges)
    yield "}"


def _node(block: Node) -> str:
    fields = [f"ECount {block.ecount:,}", f"LCount {block.lcount:,}", f"SCount {block.scount:,}"]
    label = "|".join(_field(text) for text in (block.label, *fields))
    looks = [f'label="{{{label}}}"', f'fillcolor="{shade(block.ecount_fraction)}"']
    if not block.ecount:
        looks.append(f'color="{_GREY}", fontcolor="{_GREY}"')
    return f"b{block.block} [{', '.join(looks)}];"


def _field(text: str) -> str:
    """Write a text into a field of a record, where some characters have meanings."""
    return _OF_RECORDS.sub(r"\\\1", escaped(text).replace("\n", " "))


def _clusters(
    loops: Sequence[LoopStatistics], inside: Mapping[int | None, Sequence[Node]]
) -> Iterator[str]:
    """Draw loops as frames, inner ones in those around them, without recursion."""
    children: dict[int | None, list[LoopStatistics]] = {}
    for loop in reversed(loops):
        children.setdefault(loop.shape.parent, []).append(loop)
    stack: list[LoopStatistics | None] = [*children.get(None, ())]  # None: a frame ends
    depth = 1
    while stack:
        top = stack.pop()
        if top is None:
            depth -= 1
            yield f"{'  ' * depth}}}"
            continue
        lead = "  " * depth
        yield f"{lead}subgraph cluster{top.shape.header} {{"
        yield f"{lead}  label={quoted(_loop_words(top))};"
        yield from (f"{lead}  {_node(block)}" for block in inside.get(top.shape.id, ()))
        stack += [None, *children.get(top.shape.id, ())]
        depth += 1


def _loop_words(loop: LoopStatistics) -> str:
    mean = figure(loop.counts.iterations_per_thread)
    words = f"{loop.pattern.value} {loop.label}, {mean} iterations per thread"
    if loop.counts.iterates_alike is False:
        words += f" ({loop.counts.iterations_min:,} to {loop.counts.iterations_max:,})"
    return words


def _edge(edge: Edge) -> str:
    looks = ["style=bold, constraint=false"] if edge.closes_loop else []
    looks.append(f"label={_counts(edge)}" if edge.oecount else f'color="{_GREY}"')
    target = "exit" if edge.target is None else f"b{edge.target}"
    return f"b{edge.source} -> {target} [{', '.join(looks)}];"


def _counts(edge: Edge) -> str:
    """Write the counts of an edge in two frames, that of its start above that of its end.

    Graphviz keeps room for a label in the middle only, so that both stand there.
    """
    start = _framed((f"OECount {edge.oecount:,}", f"TCount {edge.tcount:,}"), "dashed")
    end = _framed((f"IECount {edge.iecount:,}",), "solid")
    rows = "".join(f"<tr><td>{frame}</td></tr>" for frame in (start, end))
    return f'<<table border="0" cellborder="0" cellspacing="1" cellpadding="0">{rows}</table>>'


def _framed(lines: Sequence[str], style: str) -> str:
    cells = "".join(f"<tr><td>{line}</td></tr>" for line in lines)
    looks = f'border="1" cellborder="0" cellspacing="0" cellpadding="1" style="{style}"'
    return f"<table {looks}>{cells}</table>"


# The same as a chart of HTML pages.


def charts(graph: Dfsg) -> Iterator[Chart]:
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
            END if edge.target is None else str(edge.target),
            f"{figure(edge.oecount)} / {figure(edge.tcount)}",
            edge.closes_loop,
        )
        for edge in graph.edges
    ]
    if any(edge.target == END for edge in edges):
        nodes.append(GraphNode(END, END))
    title = f"DFSG of {graph.launch.name}: executions / threads on edges"
    yield GraphChart(title, tuple(nodes), tuple(edges))
