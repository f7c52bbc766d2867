"""Times of configurations in the order of their size: Figure 3 of the hybrid paper (§V).

Configurations stand side by side, sorted by their global work size first (threads of the grid), by
their local one second (threads of a block), and by what else was varied last; each machine is a
line. The paper draws measured times beside estimated ones; here there are as many lines as there
are machines, and a panel below shows both sizes, so that the order can be seen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from warpmill.report.bars import drawable
from warpmill.report.pictures import look, write_figure
from warpmill.report.words import plural
from warpmill.sweeps.figures import TIME
from warpmill.sweeps.space import Axis, Value
from warpmill.sweeps.summary import MACHINE
from warpmill.sweeps.sweep import MeasuredConfiguration, Swept

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH, _HEIGHT = 8.0, 5.0  # inches
_FEW = 200
"""Configurations up to which each has a marker; beyond that lines are thinner, too."""

_TOP = (1.0, 1.0)
"""Legends stand beside their panel, where they hide no line."""

_SPAN = 100.0
"""The factor between the longest and the shortest from which on an axis is one of logarithms."""


@dataclass(frozen=True)
class Curves:
    """Times in µs by what a line stands for, over configurations in order; None: not measured.

    ``grid_threads`` and ``block_threads`` are the sizes that the order is by.
    """

    title: str
    time_label: str
    grid_threads: tuple[int, ...]
    block_threads: tuple[int, ...]
    times: Mapping[str, Sequence[float | None]]


def write_sweep(found: Swept, path: str | Path) -> None:
    """Draw a sweep as .png, .svg or .pdf, whole or not at all: same rows, same bytes.

    UsageError for other kinds of picture, and where the file cannot be written.
    """
    write_curves(curves_of(found), path)


def write_curves(curves: Curves, path: str | Path) -> None:
    """Draw curves. UsageError as ``write_sweep``."""
    write_figure(lambda: figure_of(curves), path)


def curves_of(found: Swept) -> Curves:
    """Order what was measured, and part it by machines. One that was nowhere measured is left out.

    Of several launches in a row the shapes of the first decide the order.
    """
    axes = found.axes
    others = [axis for axis in axes if axis.name != MACHINE]
    order = ordered(found.measured, others)
    machines = next(axis for axis in axes if axis.name == MACHINE)
    times: dict[str, list[float | None]] = {str(m): [None] * len(order) for m in machines.values}
    for row in found.measured:
        machine = str(row.configuration[MACHINE])
        times[machine][order[key_of(row, others)]] = row.figures[TIME]
    shapes = {order[key_of(row, others)]: threads_of(row) for row in found.measured}
    grids, blocks = zip(*(shapes[place] for place in range(len(order))), strict=True)
    return Curves(
        f"{_named(found.kernels)}: {plural(len(order), 'configuration')} of {found.target.path}",
        f"{found.how.engine}d time, µs (modelled)",
        grids,
        blocks,
        {name: line for name, line in times.items() if any(t is not None for t in line)},
    )


def _named(kernels: Sequence[str]) -> str:
    return kernels[0] if len(kernels) == 1 else plural(len(kernels), "kernel")


def ordered(
    rows: Sequence[MeasuredConfiguration], axes: Sequence[Axis]
) -> dict[tuple[Value, ...], int]:
    """The place of each configuration, by the values that it has of some axes."""
    at = [{value: n for n, value in enumerate(axis.values)} for axis in axes]
    sizes = {key_of(row, axes): threads_of(row) for row in rows}

    def by(key: tuple[Value, ...]) -> tuple[int, int, list[int]]:
        return *sizes[key], [places[value] for places, value in zip(at, key, strict=True)]

    return {key: place for place, key in enumerate(sorted(sizes, key=by))}


def key_of(row: MeasuredConfiguration, axes: Sequence[Axis]) -> tuple[Value, ...]:
    """The values that a configuration has of some axes."""
    return tuple(row.configuration[axis.name] for axis in axes)


def threads_of(row: MeasuredConfiguration) -> tuple[int, int]:
    """The threads of the grid and of a block: the global and the local work size."""
    block = math.prod(row.facts["block"])
    return math.prod(row.facts["grid"]) * block, block


def figure_of(curves: Curves) -> Figure:
    """Make the picture, not yet written.

    Times that span more than two orders of magnitude are on an axis of logarithms.
    """
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to load

    figure = Figure(figsize=(_WIDTH, _HEIGHT), layout="constrained")
    top, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    _draw_times(top, curves)
    _draw_sizes(below, curves)
    top.set_title(drawable(curves.title))
    return figure


def _draw_times(axis: Axes, curves: Curves) -> None:
    few = len(curves.grid_threads) <= _FEW
    numbers = range(1, len(curves.grid_threads) + 1)
    for number, (name, line) in enumerate(curves.times.items()):
        colour, marker = look(number)
        axis.plot(
            numbers,
            [math.nan if time is None else time for time in line],
            color=colour,
            marker=marker if few else None,
            ms=3,
            lw=1.0 if few else 0.6,
            label=drawable(name),
        )
    known = [time for line in curves.times.values() for time in line if time is not None]
    axis.set_yscale("log" if is_wide(known) else "linear")
    if not is_wide(known):
        axis.set_ylim(bottom=0)
    axis.set_ylabel(curves.time_label)
    axis.grid(alpha=0.3)
    axis.legend(loc="upper left", bbox_to_anchor=_TOP, fontsize=7)


def is_wide(times: Sequence[float]) -> bool:
    """Whether times span more than two orders of magnitude."""
    least = min(times)
    return least > 0 and max(times) / least > _SPAN


def _draw_sizes(axis: Axes, curves: Curves) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator  # noqa: PLC0415 - slow to load

    numbers = range(1, len(curves.grid_threads) + 1)
    width = 0.8 if len(numbers) <= _FEW else 0.5
    for name, sizes, colour in (
        ("of a block", curves.block_threads, "0.65"),
        ("of the grid", curves.grid_threads, "0.15"),
    ):
        axis.plot(numbers, sizes, color=colour, lw=width, drawstyle="steps-mid", label=name)
    axis.set_yscale("log", base=2)
    axis.yaxis.set_major_formatter(FuncFormatter(lambda threads, _: f"{threads:,.0f}"))
    axis.set_ylabel("threads")
    axis.set_xlabel("configurations, by threads of the grid and then of a block")
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.grid(alpha=0.3)
    axis.legend(loc="upper left", bbox_to_anchor=_TOP, fontsize=7)
