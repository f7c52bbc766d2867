"""How IPC varies as warps interleave, by setting: Figure 5 of TBPoint (§IV-A)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from warpmill.report.bars import BLUE, ORANGE, VERMILION
from warpmill.report.pictures import write_figure
from warpmill.report.words import plural
from warpmill.simulator.sampling.interleaving import NEAR, PERCENTILES, Interleavings, Variation

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_HEIGHT, _SETTING, _MARGIN = 4.0, 0.14, 1.0  # inches: the picture, a setting, what else is beside

_SPREADS = (
    (0.0, 100.0, 0.8, BLUE, "all samples"),
    (2.5, 97.5, 2.5, BLUE, "95% of them"),
    (25.0, 75.0, 5.0, ORANGE, "half of them"),
)
"""Between which percentiles a line goes, how thick it is, its colour and its words."""


def write_interleavings(found: Interleavings, path: str | Path) -> None:
    """Draw the spread of IPC as .png, .svg or .pdf, whole or not at all: same draws, same bytes.

    UsageError for other kinds of picture, and where the file cannot be written.
    """
    write_figure(lambda: figure_of(found), path)


def figure_of(found: Interleavings) -> Figure:
    """Make the picture, not yet written: a panel for each number of warps."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to load

    panels: dict[int, list[Variation]] = {}
    for each in found.variations:
        panels.setdefault(each.setting.warps, []).append(each)
    widths = [len(each) for each in panels.values()]
    size = (_MARGIN * (1 + 0.2 * len(widths)) + _SETTING * sum(widths), _HEIGHT)
    figure = Figure(figsize=(max(size[0], 4.0), _HEIGHT), layout="constrained")
    axes = figure.subplots(1, len(panels), sharey=True, squeeze=False, width_ratios=widths)[0]
    for axis, (warps, variations) in zip(axes, panels.items(), strict=True):
        _panel(axis, variations)
        axis.set_title(f"N = {plural(warps, 'warp')}")
    axes[0].set_ylabel("IPC over its mean (modelled)")
    axes[-1].legend(loc="upper right", fontsize=6)
    figure.suptitle(_title(found), fontsize=8)
    return figure


def _panel(axis: Axes, variations: Sequence[Variation]) -> None:
    """Draw settings side by side: lines between percentiles, and where 10 % from the mean is."""
    places = range(len(variations))
    for low, high, width, colour, words in _SPREADS:
        ends = [PERCENTILES.index(low), PERCENTILES.index(high)]
        lows, highs = ([each.relative[k] for each in variations] for k in ends)
        axis.vlines(places, lows, highs, lw=width, color=colour, label=words)
    middle = [each.relative[PERCENTILES.index(50.0)] for each in variations]
    axis.plot(places, middle, "k_", ms=5, label="median")  # seen where lines are too short
    for side, label in ((1.0 - NEAR, f"{NEAR:.0%} from the mean"), (1.0 + NEAR, None)):
        axis.axhline(side, ls="--", lw=0.8, color=VERMILION, label=label)
    names = [
        f"p{s.stall_probability:g} M{s.stall_cycles:g}" for s in (v.setting for v in variations)
    ]
    axis.set_xticks(places, names, rotation=90, fontsize=6)
    axis.set_xlim(-0.7, len(variations) - 0.3)
    axis.grid(alpha=0.3, axis="y")
    axis.set_axisbelow(True)


def _title(found: Interleavings) -> str:
    """How many samples there are, and how many at least are near the mean."""
    least = found.least_near
    samples = f"{plural(least.samples, 'sample')} a setting, seed {found.seed}"
    near = f"{least.near:.2%} at least ({least.setting.name})"
    return f"{samples}; within {NEAR:.0%} of the mean: {near}"
