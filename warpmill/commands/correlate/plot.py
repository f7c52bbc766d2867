"""A correlation as a picture: estimated against measured times, on axes of logarithms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from warpmill.measurements.correlation_figures import TimePair
from warpmill.measurements.correlations import Correlation
from warpmill.report.bars import drawable
from warpmill.report.pictures import look, write_figure
from warpmill.report.words import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SIDE = 5.0  # inches
_MARGIN = 1.6
"""The factor that is left free around the points."""

FACTORS = ((1.0, "equal"), (2.0, "2 x"), (0.5, "0.5 x"))
"""Lines of estimated over measured times, with their names."""


def write_correlation(found: Correlation, path: str | Path) -> None:
    """Draw a correlation as .png, .svg or .pdf, whole or not at all: same rows, same bytes.

    Each machine has a colour and a marker of its own. UsageError for other kinds of picture, and
    where the file cannot be written.
    """
    write_figure(lambda: figure_of(found), path)


def figure_of(found: Correlation) -> Figure:
    """Make the picture, not yet written."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to load

    figure = Figure(figsize=(_SIDE, _SIDE), layout="constrained")
    axis = figure.add_subplot()
    low, high = limits([row.pair for row in found.rows])
    _lines(axis, low, high)
    for number, group in enumerate(found.groups):
        pairs = [row.pair for row in group.rows]
        error = group.agreement.mean_absolute_error_fraction
        colour, marker = look(number)
        axis.scatter(
            [pair.measured for pair in pairs],
            [pair.estimated for pair in pairs],
            s=14,
            color=colour,
            marker=marker,
            label=drawable(f"{group.machine}: {plural(len(pairs), 'row')}, MAPE {error:.1%}"),
            zorder=3,
        )
    axis.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high), aspect="equal")
    axis.set_xlabel("measured, µs")
    axis.set_ylabel(f"{found.how.engine}d, µs (modelled)")
    axis.set_title(drawable(Path(found.measurements.table.source.name).name))
    axis.legend(loc="upper left", fontsize=7)
    return figure


def limits(pairs: Sequence[TimePair]) -> tuple[float, float]:
    """The ends of both axes, so that all points are inside."""
    values = [value for pair in pairs for value in (pair.measured, pair.estimated)]
    low, high = min(values) / _MARGIN, max(values) * _MARGIN
    if high / low < 10.0:  # a decade at least, or an axis of logarithms has no ticks
        middle = math.sqrt(low * high)
        low, high = middle / math.sqrt(10.0), middle * math.sqrt(10.0)
    return low, high


def _lines(axis: Axes, low: float, high: float) -> None:
    """Draw where estimates are right, and where they are twice and half of what was measured."""
    (equal, _), *others = FACTORS
    axis.plot([low, high], [equal * low, equal * high], color="0.3", lw=0.8)
    for (factor, _), label in zip(others, ("factor of 2", None), strict=True):
        ends = [factor * low, factor * high]
        axis.plot([low, high], ends, "--", color="0.6", lw=0.8, label=label)
