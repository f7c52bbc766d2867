"""The control flow of kernels in Graphviz' language.

Loops are boxes around blocks. With a launch a block is the darker the more warp instructions it
executes; a divergent branch has a double frame, and blocks that run while lanes are apart
have a dashed frame in colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from warpmill.commands.analyze.result import AnalyzeReport, KernelAnalysis
from warpmill.report.charts import Chart, GraphChart, GraphEdge, GraphNode
from warpmill.report.graphs import Graphs, quoted, shade
from warpmill.report.page import percent
from warpmill.report.words import place, plural
from warpmill.session.data import EXIT
from warpmill.session.kernel_analysis import BlockFacts, LoopFacts


def analyze_dot(report: AnalyzeReport) -> Graphs:
    """The control flow of each kernel."""
    names = [analysis.kernel.demangled for analysis in report.analyses]
    return Graphs(names, [_graph(analysis) for analysis in report.analyses], "--kernel NAME")


def _graph(analysis: KernelAnalysis) -> str:
    lines = [f"digraph {quoted(analysis.kernel.demangled)} {{"]
    lines.append('  node [shape=box, fontname="monospace", style=filled, fillcolor=white];')
    blocks = {block.label: block for block in analysis.blocks}
    nodes = {block.label: node for block, node in _nodes(analysis)}
    inside: dict[str | None, list[str]] = {}
    for block in analysis.blocks:
        inside.setdefault(block.loop, []).append(nodes[block.label])
    lines += [f"  {node}" for node in inside.get(None, [])]
    loops = {loop.name: loop for loop in analysis.loops}
    for loop in analysis.loops:
        if loop.parent is None:
            lines += _cluster(loop, loops, inside, 1)
    if any(EXIT in block.successors for block in analysis.blocks):
        lines.append("  exit [shape=oval];")
    lines += [f"  {edge}" for edge in _edges(analysis, blocks)]
    return "\n".join([*lines, "}"]) + "\n"


def _name(label: str, blocks: Mapping[str, BlockFacts]) -> str:
    return f"b{blocks[label].id}" if label in blocks else "exit"


def _nodes(analysis: KernelAnalysis) -> Iterator[tuple[BlockFacts, str]]:
    """Each block: what it is, how much of the work is done in it, and whether it is divergent."""
    apart = {label for branch in analysis.branches for label in branch.region}
    parts = {branch.block for branch in analysis.branches if branch.may_diverge}
    work = [b.instructions * (b.warp_executions or 0) for b in analysis.blocks]
    for block, done in zip(analysis.blocks, work, strict=True):
        where = "no line" if block.place is None else f"line {place(block.place, block.place.file)}"
        words = [block.label, plural(block.instructions, "instruction")]
        looks = []
        if block.warp_executions is not None:
            share = done / (sum(work) or 1)
            words.append(f"{block.warp_executions:,} executions, {share:.0%} of instructions")
            looks.append(f'fillcolor="{shade(share)}"')
        if block.label in parts:
            words.append("divergent branch")
            looks.append("peripheries=2")
        if block.label in apart:
            looks += ['style="filled,dashed"', 'color="#b03a2e"']
        if not block.reachable:
            looks.append('style="dashed"')
        label = quoted("\n".join([*words, where]))
        yield block, f"b{block.id} [{', '.join([f'label={label}', *looks])}];"


def _cluster(
    loop: LoopFacts,
    loops: Mapping[str, LoopFacts],
    inside: Mapping[str | None, list[str]],
    depth: int,
) -> Iterator[str]:
    lead = "  " * depth
    trips = loop.bound.trip_count or f"unknown: {loop.bound.reason}"
    yield f"{lead}subgraph {quoted(f'cluster {loop.name}')} {{"
    yield f"{lead}  label={quoted(f'loop {loop.name}, depth {loop.depth}, trip count {trips}')};"
    yield from (f"{lead}  {node}" for node in inside.get(loop.name, []))
    for inner in loops.values():
        if inner.parent == loop.name:
            yield from _cluster(inner, loops, inside, depth + 1)
    yield f"{lead}}}"


def _edges(analysis: KernelAnalysis, blocks: Mapping[str, BlockFacts]) -> Iterator[str]:
    conditions = {branch.block: branch for branch in analysis.branches}
    headers = {loop.name for loop in analysis.loops}
    for block in analysis.blocks:
        for after in block.successors:
            branch = conditions.get(block.label)
            words = "" if branch is None else branch.condition
            taken = branch is not None and after in branch.taken
            label = [f"label={quoted(words)}"] if taken and len(words) <= 60 else []
            back = after in headers and _is_back(block, after, analysis)
            style = ["style=bold", "constraint=false"] if back else []
            extra = f" [{', '.join([*label, *style])}]" if label or style else ""
            yield f"b{block.id} -> {_name(after, blocks)}{extra};"


def _is_back(block: BlockFacts, header: str, analysis: KernelAnalysis) -> bool:
    """Whether an edge closes a loop: its source lies in the header's loop or in one inside it."""
    parents = {loop.name: loop.parent for loop in analysis.loops}
    loop = block.loop
    while loop is not None:
        if loop == header:
            return True
        loop = parents[loop]
    return False


# The same as a chart of HTML pages.


def charts(analysis: KernelAnalysis) -> Iterator[Chart]:
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
            edges.append(GraphEdge(known[block.label], known.get(target, EXIT), back=back))
    if any(edge.target == EXIT for edge in edges):
        nodes.append(GraphNode(EXIT, EXIT))
    yield GraphChart("Control flow", tuple(nodes), tuple(edges))
