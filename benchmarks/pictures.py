"""The pictures of benchmarks' pages: figures of matplotlib, bars side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from warpmill.report.pictures import COLOURS, write_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def new_figure(
    width: float, height: float, rows: int = 1, columns: int = 1, **options: Any
) -> tuple[Figure, list[Axes]]:
    """A figure of so many inches, and its axes, row by row."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to load

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, **options)
    return figure, list(axes.ravel())


def save(figure: Figure, path: Path) -> None:
    """Write a figure: the same bytes for the same figure."""
    write_figure(lambda: figure, path)


def bars(
    axis: Axes,
    names: Sequence[str],
    columns: Mapping[str, Sequence[float]],
    colours: Sequence[str] = COLOURS,
) -> None:
    """Draw bars side by side, some for each name, and a legend beside the axis."""
    width = 0.8 / len(columns)
    for k, ((words, values), colour) in enumerate(zip(columns.items(), colours, strict=False)):
        at = np.arange(len(names)) + (k - (len(columns) - 1) / 2) * width
        axis.bar(at, values, width, color=colour, label=words)
    axis.set_xticks(np.arange(len(names)), names, rotation=90)
    axis.set_axisbelow(True)
    axis.grid(alpha=0.3, axis="y")
    legend_beside(axis)


def bar_picture(
    path: Path,
    size: tuple[float, float],
    names: Sequence[str],
    columns: Mapping[str, Sequence[float]],
    label: str,
    *,
    log: bool = False,
    line: float | None = None,
) -> None:
    """Draw bars side by side as a picture of so many inches, with a line across it."""
    figure, (axis,) = new_figure(*size)
    bars(axis, names, columns)
    if log:
        axis.set_yscale("log")
    if line is not None:
        axis.axhline(line, color="black", linewidth=0.6)
    axis.set_ylabel(label)
    save(figure, path)


def stacks(
    axis: Axes, columns: Mapping[str, Sequence[float]], colours: Sequence[str], **look: Any
) -> None:
    """Draw bars that stand on one another."""
    bottom = np.zeros(len(next(iter(columns.values()))))
    for (words, values), colour in zip(columns.items(), colours, strict=False):
        at = np.arange(len(bottom))
        axis.bar(at, values, 0.7, bottom=bottom, color=colour, label=words, **look)
        bottom += values


def panels(number: int, columns: int, width: float, height: float) -> tuple[Figure, list[Axes]]:
    """A figure of so many panels, row by row, each row so high."""
    rows = -(-number // columns)
    figure, axes = new_figure(width, height * rows, rows, columns)
    for axis in axes[number:]:
        axis.set_visible(False)
    return figure, axes[:number]


def legend_beside(axis: Axes) -> None:
    """Put the legend to the right of an axis."""
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
