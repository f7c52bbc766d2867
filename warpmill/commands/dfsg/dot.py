"""The divergence flow statistics graph in Graphviz' language, drawn as Fig. 10 of GPGPU-MiniBench.

A block is a box with its name, ECount, LCount and SCount, the darker the larger its share of all
executions. On an edge a dashed frame has OECount and TCount, which the paper draws at its start,
and a plain one IECount, which it draws at the end. Loops are frames around their blocks, with
pattern and iterations a thread. What no thread came to is grey.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from warpmill.commands.dfsg.result import BlockFlow, DfsgReport, EdgeFlow, LaunchFlow, LoopFlow
from warpmill.report.graphs import Graphs, quoted, shade
from warpmill.report.page import figure
from warpmill.report.safe import escaped
from warpmill.report.words import dimensions

_GREY = "#999999"
_OF_RECORDS = re.compile(r'([\\{}|<>" ])')


def dfsg_dot(report: DfsgReport) -> Graphs:
    """The graph of each launch."""
    texts = ["\n".join(_graph(graph)) + "\n" for graph in report.graphs]
    return Graphs([graph.name for graph in report.graphs], texts, "--launch N")


def _graph(graph: LaunchFlow) -> Iterator[str]:
    launch = f"grid {dimensions(graph.grid)}, block {dimensions(graph.block)}"
    yield f"digraph {quoted(graph.demangled)} {{"
    title = f"{graph.demangled}, launch {graph.index}: {launch}, {graph.threads:,} threads"
    yield f'  label={quoted(title)}; labelloc=t; fontname="monospace";'
    yield '  node [shape=record, fontname="monospace", style=filled, fillcolor=white];'
    yield '  edge [fontname="monospace", fontsize=9];'
    inside: dict[int | None, list[BlockFlow]] = {}
    for block in graph.blocks:
        inside.setdefault(block.loop, []).append(block)
    yield from (f"  {_node(block)}" for block in inside.get(None, ()))
    yield from _clusters(graph.loops, inside)
    end = quoted(f"end\n{graph.threads:,} threads")
    yield f"  exit [shape=oval, label={end}];"
    yield from (f"  {_edge(edge)}" for edge in graph.edges)
    yield "}"


def _node(block: BlockFlow) -> str:
    fields = [f"ECount {block.ecount:,}", f"LCount {block.lcount:,}", f"SCount {block.scount:,}"]
    label = "|".join(_field(text) for text in (block.label, *fields))
    looks = [f'label="{{{label}}}"', f'fillcolor="{shade(block.ecount_fraction)}"']
    if not block.ecount:
        looks.append(f'color="{_GREY}", fontcolor="{_GREY}"')
    return f"b{block.id} [{', '.join(looks)}];"


def _field(text: str) -> str:
    """Write a text into a field of a record, where some characters have meanings."""
    return _OF_RECORDS.sub(r"\\\1", escaped(text).replace("\n", " "))


def _clusters(
    loops: Sequence[LoopFlow], inside: Mapping[int | None, Sequence[BlockFlow]]
) -> Iterator[str]:
    """Draw loops as frames, inner ones in those around them, without recursion."""
    children: dict[int | None, list[LoopFlow]] = {}
    for loop in reversed(loops):
        children.setdefault(loop.parent, []).append(loop)
    stack: list[LoopFlow | None] = [*children.get(None, ())]  # None: a frame ends
    depth = 1
    while stack:
        top = stack.pop()
        if top is None:
            depth -= 1
            yield f"{'  ' * depth}}}"
            continue
        lead = "  " * depth
        yield f"{lead}subgraph cluster{top.target_point} {{"
        yield f"{lead}  label={quoted(_loop_words(top))};"
        yield from (f"{lead}  {_node(block)}" for block in inside.get(top.target_point, ()))
        stack += [None, *children.get(top.target_point, ())]
        depth += 1


def _loop_words(loop: LoopFlow) -> str:
    words = f"{loop.pattern} {loop.label}, {figure(loop.iterations_a_thread)} iterations a thread"
    if loop.iterates_alike is False:
        words += f" ({loop.iterations_min:,} to {loop.iterations_max:,})"
    return words


def _edge(edge: EdgeFlow) -> str:
    looks = ["style=bold, constraint=false"] if edge.closes_loop else []
    looks.append(f"label={_counts(edge)}" if edge.oecount else f'color="{_GREY}"')
    target = "exit" if edge.target is None else f"b{edge.target}"
    return f"b{edge.source} -> {target} [{', '.join(looks)}];"


def _counts(edge: EdgeFlow) -> str:
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
