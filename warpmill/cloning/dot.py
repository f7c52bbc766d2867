"""Clone models in Graphviz' language: blocks with what is left of them, loops with their factors.

A block says how often a warp executes it, how many instructions of the original's the clone has in
it and who takes its branch; it is the darker the larger its share of what the clone executes. What
the original did not come to is grey.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from warpmill.analyzer.analyses.cfg.graph import LoopForest
from warpmill.cloning.words import (
    block_name,
    decision_words,
    execution_words,
    loop_forest,
    loop_words,
    successors,
)
from warpmill.codegen.model import CloneBlock, CloneModel
from warpmill.report.graphs import quoted, shade
from warpmill.report.words import plural

_GREY = "#999999"


def models_dot(models: Sequence[CloneModel]) -> str:
    """Draw the control flow of each model."""
    return "".join("\n".join(_graph(model)) + "\n" for model in models)


def _graph(model: CloneModel) -> Iterator[str]:
    forest = loop_forest(model)
    inside: dict[int | None, list[CloneBlock]] = {}
    for block in model.blocks:
        innermost = forest.innermost(block.id)
        inside.setdefault(None if innermost is None else innermost.header, []).append(block)
    work = [len(block.slots) * block.expected for block in model.blocks]
    shares = {b.id: own / (sum(work) or 1.0) for b, own in zip(model.blocks, work, strict=True)}
    yield f"digraph {quoted(model.name)} {{"
    yield f'  label={quoted(model.name)}; labelloc=t; fontname="monospace";'
    yield '  node [shape=box, fontname="monospace", style=filled, fillcolor=white];'
    yield from (f"  {_node(block, shares)}" for block in inside.get(None, ()))
    yield from _clusters(model, forest, inside, shares)
    yield from _edges(model)
    yield "}"


def _node(block: CloneBlock, shares: Mapping[int, float]) -> str:
    words = [block_name(block.id), execution_words(block), plural(len(block.slots), "instruction")]
    decided = decision_words(block)
    label = "\n".join(words if decided is None else [*words, decided])
    looks = [f"label={quoted(label)}", f'fillcolor="{shade(shares[block.id])}"']
    if not block.original:
        looks.append(f'color="{_GREY}", fontcolor="{_GREY}"')
    return f"b{block.id} [{', '.join(looks)}];"


def _clusters(
    model: CloneModel,
    forest: LoopForest,
    inside: Mapping[int | None, Sequence[CloneBlock]],
    shares: Mapping[int, float],
) -> Iterator[str]:
    """Draw loops as frames, inner ones in those around them, without recursion."""
    known = {loop.header: loop for loop in model.loops}
    children: dict[int | None, list[int]] = {}
    for loop in reversed(forest.loops):
        parent = None if loop.parent is None else forest.loops[loop.parent].header
        children.setdefault(parent, []).append(loop.header)
    stack: list[int | None] = [*children.get(None, ())]  # None: a frame ends
    depth = 1
    while stack:
        header = stack.pop()
        if header is None:
            depth -= 1
            yield f"{'  ' * depth}}}"
            continue
        lead = "  " * depth
        own = known.get(header)
        words = f"loop {block_name(header)}, not executed" if own is None else loop_words(own)
        yield f"{lead}subgraph cluster{header} {{"
        yield f"{lead}  label={quoted(words)};"
        yield from (f"{lead}  {_node(block, shares)}" for block in inside.get(header, ()))
        stack += [None, *children.get(header, ())]
        depth += 1


def _edges(model: CloneModel) -> Iterator[str]:
    end = len(model.blocks)
    yield '  exit [shape=oval, label="end"];'
    for block, after in zip(model.blocks, successors(model), strict=True):
        for target in after:
            name = "exit" if target == end else f"b{target}"
            looks = " [style=bold, constraint=false]" if target <= block.id else ""
            yield f"  b{block.id} -> {name}{looks};"
