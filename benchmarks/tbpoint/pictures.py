"""The pictures of docs/tbpoint.md: Figures 5 and 8 to 13 of TBPoint's paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from statistics import geometric_mean
from typing import TYPE_CHECKING

import numpy as np

from warpmill.benchmarks.pictures import (
    bar_picture,
    bars,
    legend_beside,
    new_figure,
    panels,
    save,
    stacks,
)
from warpmill.benchmarks.tbpoint import (
    BASE,
    BENCHMARK,
    Interleaving,
    Kernel,
    TbpointResult,
)
from warpmill.report.bars import BLUE, ORANGE, VERMILION
from warpmill.report.pictures import COLOURS
from warpmill.simulator.sampling.interleaving import NEAR, PERCENTILES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FULL = 100.0
_SPREADS = (
    (0.0, 100.0, 0.8, BLUE, "all samples"),
    (2.5, 97.5, 2.5, BLUE, "95% of them"),
    (25.0, 75.0, 5.0, ORANGE, "half of them"),
)
"""Between which percentiles a line goes, how thick it is, its colour and its words."""


def draw(result: TbpointResult, folder: Path) -> None:
    """Draw all figures; 12 and 13 where other machines were measured."""
    rows = sorted(result.rows, key=lambda row: (row.type, row.workload))
    interleaving(result.interleavings, folder / "figure_5.png")
    _cta_sizes(rows, folder / "figure_8.png")
    _ipc(rows, folder / "figure_9.png")
    _samples(rows, folder / "figure_10.png")
    _left_out(rows, folder / "figure_11.png")
    if any(row.elsewhere for row in rows):
        _elsewhere(rows, folder)


def interleaving(found: Sequence[Interleaving], path: Path) -> None:
    """Draw the spread of IPC, modelled: a panel for each number of warps."""
    panels: dict[int, list[Interleaving]] = {}
    for each in found:
        panels.setdefault(each.warps, []).append(each)
    widths = [len(each) for each in panels.values()]
    figure, axes = new_figure(
        max(1 + 0.2 * len(widths) + 0.14 * sum(widths), 4.0), 4.0, 1, len(panels),
        sharey=True, width_ratios=widths,
    )  # fmt: skip
    for axis, (warps, own) in zip(axes, panels.items(), strict=True):
        _spread_panel(axis, own)
        axis.set_title(f"N = {warps}")
    axes[0].set_ylabel("IPC over its mean (modelled)")
    axes[-1].legend(loc="upper right", fontsize=6)
    least = min(found, key=lambda one: one.near)
    figure.suptitle(
        f"{least.samples:,} samples a setting; within {NEAR:.0%} of the mean: {least.near:.2%} at "
        f"least ({least.setting})",
        fontsize=8,
    )
    save(figure, path)


def _spread_panel(axis: Axes, each: Sequence[Interleaving]) -> None:
    """Draw settings side by side: lines between percentiles, and where 10 % from the mean is."""
    places = range(len(each))
    for low, high, width, colour, words in _SPREADS:
        ends = [PERCENTILES.index(low), PERCENTILES.index(high)]
        lows, highs = ([one.relative[k] for one in each] for k in ends)
        axis.vlines(places, lows, highs, lw=width, color=colour, label=words)
    middle = [one.relative[PERCENTILES.index(50.0)] for one in each]
    axis.plot(places, middle, "k_", ms=5, label="median")  # seen where lines are too short
    for side, label in ((1.0 - NEAR, f"{NEAR:.0%} from the mean"), (1.0 + NEAR, None)):
        axis.axhline(side, ls="--", lw=0.8, color=VERMILION, label=label)
    names = [f"p{one.stall_probability:g} M{one.stall_cycles:g}" for one in each]
    axis.set_xticks(places, names, rotation=90, fontsize=6)
    axis.set_xlim(-0.7, len(each) - 0.3)
    axis.grid(alpha=0.3, axis="y")
    axis.set_axisbelow(True)


def _cta_sizes(rows: Sequence[Kernel], path: Path) -> None:
    figure, axes = panels(len(rows), 3, 11, 2.1)
    for axis, row in zip(axes, rows, strict=True):
        places, ratios = zip(*row.sizes.points, strict=True)
        axis.plot(places, ratios, ".", color="tab:blue", markersize=1.5)
        axis.plot(row.sizes.starts, np.zeros(len(row.sizes.starts)), ".", color="tab:red", ms=4)
        axis.set_title(f"{row.workload} (type {row.type})")
        axis.set_ylim(-0.05 * max(ratios), 1.1 * max(ratios))
        axis.locator_params(axis="x", nbins=5)
        axis.ticklabel_format(axis="x", style="plain")
    figure.supxlabel("CTA, launch after launch")
    figure.supylabel("thread instructions of a CTA over the mean")
    save(figure, path)


def _ipc(rows: Sequence[Kernel], path: Path) -> None:
    full = np.array([row.ipc for row in rows])
    columns: dict[str, Sequence[float]] = {
        "full": list(full),
        "Random (± mean error)": list(full),
        "Ideal-SimPoint": [row.ipc * (1 + row.simpoint.error / 100) for row in rows],
        "TBPoint": [row.sampled_ipc for row in rows],
    }
    figure, (axis,) = new_figure(10, 4)
    bars(axis, [row.workload for row in rows], columns)
    errors = full * np.array([row.random.error for row in rows]) / 100
    axis.errorbar(np.arange(len(rows)) - 0.1, full, errors, fmt="none", color="black", capsize=2)
    axis.set_ylabel("warp instructions a cycle")
    save(figure, path)


def _samples(rows: Sequence[Kernel], path: Path) -> None:
    columns = {
        "Random": [row.random.sample for row in rows],
        "Ideal-SimPoint": [row.simpoint.sample for row in rows],
        "TBPoint": [row.sample for row in rows],
    }
    means = {words: [*values, geometric_mean(values)] for words, values in columns.items()}
    figure, (axis,) = new_figure(10, 4)
    bars(axis, [*(row.workload for row in rows), "geometric mean"], means, COLOURS[1:])
    axis.set_yscale("log")
    least = min(min(values) for values in columns.values())
    axis.set_ylim(10.0 ** math.floor(math.log10(least)), _FULL)  # bars begin at a whole decade
    axis.set_ylabel("simulated, % of warp instructions")
    save(figure, path)


def _left_out(rows: Sequence[Kernel], path: Path) -> None:
    between, inside = zip(*(row.parts or (0.0, 0.0) for row in rows), strict=True)
    figure, (axis,) = new_figure(9, 4)
    stacks(axis, {"between launches": between, "inside of launches": inside}, COLOURS)
    axis.set_xticks(np.arange(len(rows)), [row.workload for row in rows], rotation=90)
    axis.set_ylabel("% of what was left out")
    legend_beside(axis)
    save(figure, path)


def _elsewhere(rows: Sequence[Kernel], folder: Path) -> None:
    bar = next(goal.bar for goal in BENCHMARK.goals if goal.path == "worst_sensitivity")
    for number, key, label, line in (
        (12, "error", "error of the IPC, %", bar),
        (13, "sample", "simulated, % of instructions", None),
    ):
        columns = {
            title: [abs(getattr(row.elsewhere.get(title, row), key)) for row in rows]
            for title in (BASE, *rows[0].elsewhere)
        }
        names = [row.workload for row in rows]
        bar_picture(folder / f"figure_{number}.png", (10, 4), names, columns, label, line=line)
