"""A calibration as a picture: latency over footprint, throughput over warps, costs over strides."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from warpmill.calibration.findings import CalibrationCurve
from warpmill.report.bars import drawable
from warpmill.report.pictures import look, write_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH, _HEIGHT = 7.0, 3.2  # inches, of a panel
PANELS = {
    "footprint": "latency over footprint",
    "warps": "throughput over warps of an SM",
    "bandwidth": "bandwidth over warps of an SM",
    "stride": "cost over the stride of lanes",
}
"""Titles of panels by the kind of curves, from the top."""

LOGARITHMIC = frozenset({"footprint", "bandwidth", "stride"})
"""Kinds of curves whose values are on an axis of logarithms, as what is varied always is."""


def write_calibration(name: str, curves: Sequence[CalibrationCurve], path: str | Path) -> None:
    """Draw the curves of a calibration as .png, .svg or .pdf, whole or not at all.

    UsageError for other kinds of picture, and where the file cannot be written.
    """
    write_figure(lambda: figure_of(name, curves), path)


def figure_of(name: str, curves: Sequence[CalibrationCurve]) -> Figure:
    """Make the picture, not yet written: a panel for each kind of curve that there is."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to load

    kinds = [kind for kind in PANELS if any(c.kind == kind for c in curves)]
    figure = Figure(figsize=(_WIDTH, _HEIGHT * max(1, len(kinds))), layout="constrained")
    figure.suptitle(drawable(name))
    panels = figure.subplots(max(1, len(kinds)), 1, squeeze=False)
    for axis, kind in zip(panels[:, 0], kinds, strict=False):
        _panel(axis, kind, [c for c in curves if c.kind == kind])
    return figure


def _panel(axis: Axes, kind: str, curves: Sequence[CalibrationCurve]) -> None:
    """Draw curves of one kind, each in a look of its own, named beside the panel."""
    for number, curve in enumerate(curves):
        colour, marker = look(number)
        xs, ys = zip(*curve.points, strict=True) if curve.points else ((), ())
        axis.plot(
            xs,
            ys,
            color=colour,
            marker=marker,
            ms=3,
            lw=1.0,
            label=drawable(curve_label(curve, curves)),
        )
    axis.set_xscale("log", base=2)
    if kind in LOGARITHMIC:
        axis.set_yscale("log")
    axis.set_title(PANELS[kind])
    axis.set_xlabel(curves[0].x)
    axis.set_ylabel(", ".join(dict.fromkeys(c.y for c in curves)))
    axis.legend(
        loc="upper left", bbox_to_anchor=(1.01, 1.0), fontsize=6, ncols=1 + len(curves) // 20
    )


def curve_label(curve: CalibrationCurve, curves: Sequence[CalibrationCurve]) -> str:
    """Name a curve; with its unit where others have another one."""
    return curve.name if len({c.y for c in curves}) == 1 else f"{curve.name}, {curve.y}"
