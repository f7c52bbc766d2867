"""The picture of docs/lane-detection.md: Figure 4 of the hybrid paper, with predicted times."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.workload_pages.plots import new_pyplot, save

_COLOURS = ("#0072B2", "#D55E00", "#009E73")
_COLUMNS = 2

Result = Mapping[str, Any]


def draw(result: Result, path: Path) -> None:
    """Draw times over designs, a panel for each machine and a colour for each kernel.

    Designs stand in Table VI's order: kernels one after another, sorted by global and local size.
    """
    pyplot = new_pyplot()
    machines = result["machines"]
    lines = -(-len(machines) // _COLUMNS)
    figure, axes = pyplot.subplots(
        lines, _COLUMNS, figsize=(9, 3 * lines), squeeze=False, sharex=True, sharey=True
    )
    for axis, machine in zip(axes.ravel(), machines, strict=False):
        _panel(axis, result["kernels"], machine)
        axis.set_title(machine)
    for axis in axes.ravel()[len(machines) :]:
        axis.set_visible(False)
    axes[0][0].legend(fontsize="small")
    figure.supxlabel("design: local sizes within global sizes, smallest first")
    figure.supylabel("estimated time of a frame, µs")
    save(pyplot, figure, path)


def _panel(axis: Any, kernels: Any, machine: str) -> None:
    first = 1
    for kernel, colour in zip(kernels, _COLOURS, strict=False):
        designs = kernel["designs"]
        places = range(first, first + len(designs))
        times = [row["us"][machine] for row in designs]
        axis.plot(places, times, "o-", color=colour, markersize=2.5, linewidth=0.9,
                  label=f"{kernel['paper']} ({kernel['kernel']})")  # fmt: skip
        _marks(axis, designs, first)
        first += len(designs)
    axis.set_yscale("log")
    axis.grid(alpha=0.3, axis="y")


def _marks(axis: Any, designs: Any, first: int) -> None:
    """Draw a line where a kernel begins, a thin one where its global size changes."""
    if first > 1:
        axis.axvline(first - 0.5, color="#000000", linewidth=0.8)
    for place, (before, after) in enumerate(pairwise(designs), start=first):
        if before["global"] != after["global"]:
            axis.axvline(place + 0.5, color="#000000", linewidth=0.3, linestyle=":")
