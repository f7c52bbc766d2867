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
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
