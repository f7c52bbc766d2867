"""Pictures that are drawn by matplotlib: their looks, and how they are written."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.extras import need
from warpmill.analyzer.base.whole_files import check_file, write_whole
from warpmill.report.bars import BLUE, GREEN, ORANGE, VERMILION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

METADATA: dict[str, dict[str, Any]] = {
    ".pdf": {"CreationDate": None},
    ".png": {"Software": None},
    ".svg": {"Date": None},
}
"""The kinds of picture, with what must not be written into them: it differs from run to run."""

COLOURS = (BLUE, ORANGE, GREEN, VERMILION, "#56B4E9", "#CC79A7", "#000000")
MARKERS = "osD^vP*"
"""Each thing of a picture has a colour, and once there are no more, another marker too."""

_STYLE = {
    "font.size": 8,
    "axes.titlesize": 8,
    "svg.hashsalt": "warpmill",
    "savefig.dpi": 130,
    "agg.path.chunksize": 10_000,  # lines of many thousand points are more than it takes at once
}


def look(number: int) -> tuple[str, str]:
    """The colour and the marker of a thing by its number."""
    return COLOURS[number % len(COLOURS)], MARKERS[number // len(COLOURS) % len(MARKERS)]


def check_plot(path: str | Path) -> None:
    """See that a plot could be written, before there is something to draw. UsageError."""
    path = Path(path)
    if path.suffix.lower() not in METADATA:
        *others, last = METADATA
        raise UsageError(f"{path} cannot be drawn: its name ends in {', '.join(others)} or {last}")
    check_file(path)
    need("matplotlib", why="a plot")


def write_figure(make: Callable[[], Figure], path: str | Path) -> None:
    """Draw a figure as .png, .svg or .pdf, whole or not at all: same figure, same bytes.

    ``make`` makes it, whatever the style of the user is. UsageError for other kinds of picture, and
    where the file cannot be written.
    """
    import matplotlib.style  # noqa: PLC0415 - slow to load

    path = Path(path)
    check_plot(path)
    kind, held = path.suffix.lower(), io.BytesIO()
    with matplotlib.style.context(["default", _STYLE]), warnings.catch_warnings():
        # names are the user's: a sign that the font lacks is drawn as a box
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        make().savefig(held, format=kind[1:], metadata=METADATA[kind])
    write_whole(path, held.getvalue())
