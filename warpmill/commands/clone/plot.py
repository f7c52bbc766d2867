"""The blocks of clone models as a picture: a column a kernel, in the order of the code.

A box is a block, the darker the larger its share of what the clone executes; in it stands how often
a warp executes it, in the original and in the clone, how many instructions it has, and who takes
its branch. Frames are loops. Jumps forward run on the right, jumps back on the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

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
from warpmill.report.bars import BLUE, ORANGE, drawable
from warpmill.report.graphs import shade
from warpmill.report.pictures import write_figure
from warpmill.report.words import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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
