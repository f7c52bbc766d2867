"""The best choices of each machine as bars of their times, beside the default.

A panel a machine, the best on top; a dashed line is the default's time. What was executed and
leaves the same in memory is blue, what nobody knows of is grey; what computes something else is not
shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from warpmill.analyzer.base.naming import demangle
from warpmill.report.bars import BLUE, ORANGE, drawable
from warpmill.report.pictures import write_figure
from warpmill.report.words import plural
from warpmill.sweeps.figures import TIME
from warpmill.sweeps.summary import varied
from warpmill.tuning.model import VARIANT, Choice, MachineTuning, Tuned

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH = 7.0  # inches
_BAR, _AROUND, _TOP = 0.19, 0.75, 0.4
"""The height of a bar, of what stands around those of a panel, and of the title, in inches."""

_MOST, _FEW = 40, 12
"""Bars of a panel, where there are up to three machines and where there are more."""

_GREY = "0.6"


@dataclass(frozen=True)
class Bar:
    """A choice: its time by the engine in µs, and the simulated one where it has it."""

    label: str
    microseconds: float
    simulated: float | None
    is_known: bool
    is_default: bool


@dataclass(frozen=True)
class Panel:
    """The bars of a machine, the best first, and the default's times where it has them."""

    title: str
    bars: tuple[Bar, ...]
    default: float | None
    simulated: float | None


def write_tuned(found: Tuned, path: str | Path) -> None:
    """Draw what tuning came to as .png, .svg or .pdf, whole or not at all.

    UsageError for other kinds of picture, and where the file cannot be written.
    """
    write_figure(lambda: figure_of(found), path)


def panels_of(found: Tuned) -> list[Panel]:
    """A panel for each machine that has choices."""
    most = _MOST if len(found.machines) <= 3 else _FEW
    return [panel_of(one, found, most) for one in found.machines if one.choices]


def panel_of(one: MachineTuning, found: Tuned, most: int) -> Panel:
    """The first bars of a machine, so many, and the default behind where it is none of them."""
    names = [axis.name for axis in varied(found.axes) if axis.name != "machine"]
    shown = list(one.choices[:most])
    if not any(choice.is_default for choice in shown) and one.default.row.problem is None:
        shown.append(one.default)
    left = [choice for choice in one.choices if choice not in shown]
    more = [f"{len(left):,} more are slower"] if left else []
    if one.different:
        more.append(f"{plural(len(one.different), 'other')} compute something else")
    title = "; ".join([one.machine, *more])
    default = one.default
    return Panel(
        title,
        tuple(_bar(choice, names) for choice in shown),
        default.row.figures.get(TIME),
        default.microseconds if default.is_simulated else None,
    )


def _bar(choice: Choice, names: Sequence[str]) -> Bar:
    configuration = choice.row.configuration
    own = [
        str(configuration[name]) if name == VARIANT else f"{name}={configuration[name]}"
        for name in names
        if name in configuration
    ]
    return Bar(
        " ".join(own) or choice.variant,
        choice.row.figures[TIME],
        choice.microseconds if choice.is_simulated else None,
        choice.verdict is not None and choice.verdict.same is True,
        choice.is_default,
    )


def figure_of(found: Tuned) -> Figure:
    """Make the picture, not yet written."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to load

    panels = panels_of(found)
    heights = [_BAR * len(panel.bars) + _AROUND for panel in panels]
    figure = Figure(figsize=(_WIDTH, sum(heights) + _TOP), layout="constrained")
    left = "" if panels else ": none is left"
    figure.suptitle(drawable(f"{_title(found)}{left}"), fontsize=8)
    if not panels:
        return figure
    axes = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)[:, 0]
    for axis, panel in zip(axes, panels, strict=True):
        _draw(axis, panel)
    axes[-1].set_xlabel(f"{found.wanted.how.engine}d time, µs (modelled)")
    return figure


def _title(found: Tuned) -> str:
    kernels = list(dict.fromkeys(demangle(job.kernel.name) for job in found.kernels))
    name = kernels[0] if len(kernels) == 1 else plural(len(kernels), "kernel")
    return f"{name}: choices of {found.wanted.variants[0].target.path}"


def _draw(axis: Axes, panel: Panel) -> None:
    places = range(len(panel.bars))
    for known, colour, label in ((True, BLUE, "same result"), (False, _GREY, "result unknown")):
        own = [place for place in places if panel.bars[place].is_known is known]
        if own:
            times = [panel.bars[place].microseconds for place in own]
            axis.barh(own, times, height=0.7, color=colour, label=label)
    both = [(place, bar.simulated) for place, bar in enumerate(panel.bars) if bar.simulated]
    if both:
        numbers, simulated = zip(*both, strict=True)
        axis.plot(simulated, numbers, "D", color=ORANGE, ms=4, label="simulated")
    if panel.default is not None:
        axis.axvline(panel.default, color="black", ls="--", lw=0.8, label="the default")
    if panel.simulated is not None:
        kind = "the default, simulated"
        axis.axvline(panel.simulated, color=ORANGE, ls="--", lw=0.8, label=kind)
    labels = [f"{bar.label} (default)" if bar.is_default else bar.label for bar in panel.bars]
    axis.set_yticks(list(places), [drawable(label) for label in labels], fontsize=6)
    axis.invert_yaxis()
    axis.set_ylim(len(panel.bars) - 0.4, -0.6)
    axis.set_xlim(left=0)
    axis.set_title(drawable(panel.title), loc="left")
    axis.grid(axis="x", alpha=0.3)
    axis.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=6)
