"""The blocks of clone models: as a picture, and in Graphviz' language.

A block says how often a warp executes it, how many instructions of the original's the clone has in
it and who takes its branch; it is the darker the larger its share of what the clone executes.

In Graphviz' language loops have their factors, and what the original did not come to is grey. The
picture has a column a kernel, in the order of the code, and says how often the original executes a
block too; frames are loops, jumps forward run on the right, jumps back on the left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from warpmill.analyzer.analyses.cfg.graph import (
    LoopForest,
    cfg_from_successors,
    dominator_tree,
    find_loops,
)
from warpmill.analyzer.profile.behaviour.model import BehaviourScope
from warpmill.codegen.model import (
    ByThread,
    ByWarp,
    CloneBlock,
    CloneLoop,
    CloneModel,
    Constant,
    LoopExit,
    Random,
)
from warpmill.report.bars import BLUE, ORANGE, drawable
from warpmill.report.graphs import quoted, shade
from warpmill.report.pictures import write_figure
from warpmill.report.words import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_SCOPES = {
    BehaviourScope.GRID: "threads of the grid",
    BehaviourScope.CTA: "threads of a CTA",
    BehaviourScope.WARP: "lanes of a warp",
    BehaviourScope.CTAS: "CTAs",
}
_SELDOM = 0.001
"""A rate that is not worth words."""


def successors(model: CloneModel) -> list[list[int]]:
    """The blocks after each block, where it falls through to first; ``len`` is the end."""
    end = len(model.blocks)
    found = []
    for block in model.blocks:
        after = [] if block.fallthrough is None else [block.fallthrough]
        after += block.targets
        leaves = block.end is not None and not block.targets
        if leaves or not after:
            after.append(end)
        found.append(list(dict.fromkeys(after)))
    return found


def loop_forest(model: CloneModel) -> LoopForest:
    """Find the loops of a model's control flow."""
    cfg = cfg_from_successors([tuple(after) for after in successors(model)])
    return find_loops(cfg, dominator_tree(cfg))


def block_name(number: int) -> str:
    """Call a block as the clone's PTX does."""
    return f"B{number}"


def decision_words(block: CloneBlock) -> str | None:
    """Rule of a block's branch in words; None: it has none."""
    match block.decision:
        case None:
            return None
        case Constant(taken):
            return "always taken" if taken else "never taken"
        case ByThread(rule):
            who = "the first" if rule.taken_below else "all but the first"
            return f"taken by {who} {rule.count:,} {_SCOPES[rule.scope]}"
        case LoopExit(loop, leaves):
            return f"{'leaves' if leaves else 'goes on with'} loop {block_name(loop)}"
        case ByWarp(warps):
            taking = [str(k) for k in range(warps.bit_length()) if warps >> k & 1]
            return f"taken by warps {', '.join(taking)} of a CTA" if taking else "never taken"
        case Random() as chance:
            return _chance_words(chance)


def _chance_words(chance: Random) -> str:
    what = "threads" if chance.once else "executions"
    whose = "CTA" if chance.by_cta else "warp"
    words = f"random: {chance.all_taken:.1%} of {what} by a {whose}"
    if chance.split < _SELDOM:
        return words
    return f"{words}, {chance.split:.1%} by {chance.split_share:.0%} of its lanes"


def loop_words(loop: CloneLoop) -> str:
    """How often a loop iterates."""
    iterations = f"{loop.original:.4g} iterations"
    if loop.iterations >= loop.original:
        return f"loop {block_name(loop.header)}: {iterations}"
    name = block_name(loop.header)
    return f"loop {name}: {iterations}, {loop.iterations:,} in the clone (1/{loop.factor:.4g})"


def execution_words(block: CloneBlock) -> str:
    """How often a warp executes a block, in the original and in the clone."""
    if abs(block.original - block.expected) < 5e-4 * max(block.original, 1e-9):
        return f"{block.original:.4g} a warp"
    return f"{block.original:.4g} a warp, {block.expected:.4g} in the clone"


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


_MOST_KERNELS, _MOST_BLOCKS = 4, 60
"""Kernels, and blocks of each, that are drawn."""

_ROW, _BOX = 0.42, 0.3
"""The height of a block with what is between two, and of its box, in inches."""
_COLUMN = 6.5
_STEP = 0.025
"""How far in loops stand, as a share of the width."""


def write_models(models: Sequence[CloneModel], path: str | Path) -> None:
    """Draw models as .png, .svg or .pdf, whole or not at all. UsageError."""
    write_figure(lambda: _figure(models[:_MOST_KERNELS], len(models)), path)


def _figure(models: Sequence[CloneModel], every: int) -> Figure:
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to load

    rows = max(min(len(m.blocks), _MOST_BLOCKS) for m in models)
    figure = Figure(figsize=(_COLUMN * len(models), _ROW * rows + 0.9), layout="constrained")
    for number, model in enumerate(models):
        axes = figure.add_subplot(1, len(models), number + 1)
        title = model.name
        if len(model.blocks) > _MOST_BLOCKS:
            title += f": the first {_MOST_BLOCKS} of {len(model.blocks)} blocks"
        if number + 1 == len(models) < every:
            title += f" (and {plural(every - len(models), 'kernel')} more)"
        axes.set_title(title, loc="left")
        _draw(axes, model, rows)
    return figure


def _draw(axes: Axes, model: CloneModel, rows: int) -> None:
    axes.set_xlim(-0.14, 1.14)
    axes.set_ylim(rows - 0.4, -0.6)
    axes.axis("off")
    forest = loop_forest(model)
    shown = model.blocks[:_MOST_BLOCKS]
    _draw_loops(axes, model, forest, len(shown))
    work = [len(block.slots) * block.expected for block in model.blocks]
    for block in shown:
        _draw_block(axes, block, work[block.id] / (sum(work) or 1.0), _inset(forest, block.id))
    _draw_jumps(axes, model, forest, len(shown))


def _inset(forest: LoopForest, block: int) -> float:
    return 2 * _STEP * len(forest.containing(block))


def _draw_loops(axes: Axes, model: CloneModel, forest: LoopForest, shown: int) -> None:
    from matplotlib.patches import Rectangle  # noqa: PLC0415 - slow to load

    known = {loop.header: loop for loop in model.loops}
    for loop in forest.loops:
        inside = [block for block in loop.blocks if block < shown]
        if not inside:
            continue
        left = 2 * _STEP * loop.depth - _STEP
        top, bottom = min(inside) - 0.48 + 0.02 * loop.depth, max(inside) + 0.46
        frame = Rectangle(
            (left, top), 1.0 - 2 * left, bottom - top, fill=False, edgecolor=BLUE, linewidth=0.8
        )
        axes.add_patch(frame)
        own = known.get(loop.header)
        if own is not None:
            axes.text(
                0.985 - left - _STEP, loop.header - 0.16, loop_words(own), fontsize=5.5,
                color=BLUE, horizontalalignment="right", verticalalignment="center", zorder=3,
            )  # fmt: skip


def _draw_block(axes: Axes, block: CloneBlock, share: float, inset: float) -> None:
    from matplotlib.patches import Rectangle  # noqa: PLC0415 - slow to load

    height = _BOX / _ROW
    grey = not block.original
    box = Rectangle(
        (inset, block.id - height / 2),
        1.0 - 2 * inset,
        height,
        facecolor=shade(share),
        edgecolor="0.6" if grey else "black",
        linewidth=0.6,
    )
    axes.add_patch(box)
    first = f"{block_name(block.id)}: {plural(len(block.slots), 'instruction')}"
    words = [f"{first}, {execution_words(block)}"]
    decided = decision_words(block)
    if decided is not None:
        words.append(decided)
    axes.text(
        inset + 0.015, block.id, drawable("\n".join(words)), fontsize=5.5,
        color="0.6" if grey else "black", verticalalignment="center",
    )  # fmt: skip


def _draw_jumps(axes: Axes, model: CloneModel, forest: LoopForest, shown: int) -> None:
    """Draw what does not just go on to the next block, the longer the further out."""
    for block, after in zip(model.blocks[:shown], successors(model), strict=False):
        for target in after:
            if target == block.id + 1 and target < len(model.blocks):
                axes.annotate(
                    "", (0.5, target - _BOX / _ROW / 2), (0.5, block.id + _BOX / _ROW / 2),
                    arrowprops={"arrowstyle": "-|>", "linewidth": 0.6, "shrinkA": 0, "shrinkB": 0},
                )  # fmt: skip
                continue
            if target >= len(model.blocks):
                continue
            back = target <= block.id
            ends = [_inset(forest, b) if back else 1.0 - _inset(forest, b)
                    for b in (block.id, min(target, shown - 1))]  # fmt: skip
            out = 0.02 + 0.1 * min(1.0, abs(target - block.id) / 24)
            far = -out if back else 1.0 + out
            rows = [block.id + 0.1, block.id + 0.1, min(target, shown - 0.6) - 0.1]
            axes.plot([ends[0], far, far], rows, color=ORANGE if back else "0.4", linewidth=0.7)
            axes.annotate(
                "", (ends[1], rows[2]), (far, rows[2]),
                arrowprops={
                    "arrowstyle": "-|>", "linewidth": 0.7, "shrinkA": 0, "shrinkB": 0,
                    "color": ORANGE if back else "0.4",
                },
            )  # fmt: skip
