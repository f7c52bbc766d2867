"""The control-flow graph of ``analyze`` in Graphviz' language, loops as boxes around blocks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from analyzer.diagnostics import UsageError
from warpmill.reports.analyze import EXIT, AnalyzeReport, BlockFacts, KernelAnalysis, LoopFacts
from warpmill.reports.base import Report
from warpmill.views.safe import escaped
from warpmill.views.words import place


def dot_text(report: Report) -> str:
    """Draw each kernel's control flow. UsageError for a report without any."""
    if not isinstance(report, AnalyzeReport):
        raise UsageError("--format dot is for analyze: it draws the control flow")
    return "".join(_graph(analysis) for analysis in report.analyses)


def _graph(analysis: KernelAnalysis) -> str:
    lines = [f"digraph {_quoted(analysis.kernel.demangled)} {{"]
    lines.append('  node [shape=box, fontname="monospace"];')
    blocks = {block.label: block for block in analysis.blocks}
    inside: dict[str | None, list[BlockFacts]] = {}
    for block in analysis.blocks:
        inside.setdefault(block.loop, []).append(block)
    lines += [f"  {_node(block)}" for block in inside.get(None, [])]
    loops = {loop.name: loop for loop in analysis.loops}
    for loop in analysis.loops:
        if loop.parent is None:
            lines += _cluster(loop, loops, inside, 1)
    if any(EXIT in block.successors for block in analysis.blocks):
        lines.append("  exit [shape=oval];")
    lines += [f"  {edge}" for edge in _edges(analysis, blocks)]
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(escaped(text), ensure_ascii=False)


def _name(label: str, blocks: Mapping[str, BlockFacts]) -> str:
    return f"b{blocks[label].id}" if label in blocks else "exit"


def _node(block: BlockFacts) -> str:
    where = "no line" if block.place is None else f"line {place(block.place, block.place.file)}"
    words = f"{block.label}\n{block.instructions} instructions\n{where}"
    style = "" if block.reachable else ", style=dashed"
    return f"b{block.id} [label={_quoted(words)}{style}];"


def _cluster(
    loop: LoopFacts,
    loops: Mapping[str, LoopFacts],
    inside: Mapping[str | None, list[BlockFacts]],
    depth: int,
) -> Iterator[str]:
    lead = "  " * depth
    trips = loop.formula or f"unknown: {loop.reason}"
    yield f"{lead}subgraph {_quoted(f'cluster {loop.name}')} {{"
    yield f"{lead}  label={_quoted(f'loop {loop.name}, depth {loop.depth}, trips {trips}')};"
    yield from (f"{lead}  {_node(block)}" for block in inside.get(loop.name, []))
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
            label = [f"label={_quoted(words)}"] if taken and len(words) <= 60 else []
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
