"""A simulation as one picture: what the GPU did over time, and what its warps waited for."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from warpmill.analyzer.base.whole_files import write_whole
from warpmill.commands.simulate import panels
from warpmill.commands.simulate.rates import rates
from warpmill.report import bars
from warpmill.report.pictures import METADATA, check_plot
from warpmill.simulator.gpu.result import SimResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STYLE = {"font.size": 8, "axes.titlesize": 7, "svg.hashsalt": "warpmill", "savefig.dpi": 130}
_WIDTH, _PANEL, _ROW = 10.0, 1.35, 0.17  # inches: the picture, a panel over time, a line of text
_SHOWN_LINES = 15


def write_plot(
    result: SimResult, path: str | Path, busiest: Sequence[tuple[str, int]] = ()
) -> None:
    """Draw a simulation as .png, .svg or .pdf, whole or not at all: same result, same bytes.

    ``busiest`` are lines of source with the cycles that warps spent on them, by the most first; the
    first of them are drawn beside what warps waited for. UsageError for other kinds of picture, and
    where the file cannot be written.
    """
    path = Path(path)
    check_plot(path)
    kind = path.suffix.lower()
    write_whole(path, _drawn(result, kind, busiest[:_SHOWN_LINES]))


def _drawn(result: SimResult, kind: str, busiest: Sequence[tuple[str, int]]) -> bytes:
    import matplotlib.style  # noqa: PLC0415 - slow to load

    held = io.BytesIO()
    with matplotlib.style.context(["default", _STYLE]), warnings.catch_warnings():
        # names are the user's: a sign that the font lacks is drawn as a box
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        figure = _figure(result, busiest)
        figure.savefig(held, format=kind[1:], metadata=METADATA[kind])
    return held.getvalue()


def _figure(result: SimResult, busiest: Sequence[tuple[str, int]]) -> Figure:
    from matplotlib.figure import Figure  # noqa: PLC0415

    over = rates(result)
    streams = len({launch.stream for launch in result.launches})
    heights = [_ROW * max(1, streams) + 0.1, _PANEL, _PANEL, _PANEL, _PANEL]
    heights.append(_ROW * max(4, len(bars.stall_cycles(result)), len(busiest)))
    # labels between the panels need an inch and a half in all
    figure = Figure(figsize=(_WIDTH, sum(heights) + 2.2), layout="constrained")
    figure.suptitle(bars.title(result), fontsize=9)
    grid = figure.add_gridspec(len(heights), 2, height_ratios=heights)
    top = figure.add_subplot(grid[0, :])
    panels.draw_launches(top, result)
    drawing = (panels.draw_ipc, panels.draw_warps, panels.draw_caches, panels.draw_dram)
    for place, draw in enumerate(drawing, start=1):
        axis = figure.add_subplot(grid[place, :], sharex=top)
        draw(axis, result, over)
        panels.finish(axis, result, over, labelled=place == len(drawing))
    bars.draw_stalls(figure.add_subplot(grid[-1, 0 if busiest else slice(None)]), result)
    if busiest:
        bars.draw_lines(figure.add_subplot(grid[-1, 1]), result, busiest)
    return figure
