"""A simulation as one picture: what the GPU did over time, and what its warps waited for.

Its rates over time are those that the timeline and the page show as well.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.naming import base_name
from warpmill.analyzer.base.whole_files import write_whole
from warpmill.report import bars
from warpmill.report.bars import BLUE, GREEN, ORANGE, VERMILION, drawable
from warpmill.report.pictures import METADATA, check_plot
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.gpu.result_parts import LaunchResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


Reals = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RatesOverTime:
    """Rates in stretches of time: stretch k lasts from ``edges[k]`` to ``edges[k + 1]``, in cycles.

    ``ipc`` are warp instructions, the ``…_sectors`` sectors, each a cycle and of the whole GPU;
    the ``resident_`` ones are means. ``edges`` is longer by one than the others.
    """

    edges: npt.NDArray[np.int64]
    ipc: Reals
    resident_ctas: Reals
    resident_warps: Reals
    l1_sectors: Reals
    l2_sectors: Reals
    dram_sectors: Reals


def rates(result: SimResult, bins_each: int = 1) -> RatesOverTime:
    """Counts over time, by the time that they were counted in, so many bins together.

    The last bin ends with the last launch, so its rates are over less than ``bin_cycles``.
    """
    line = result.timeline
    width, bins = line.bin_cycles, len(line.warp_instructions)
    firsts = np.arange(0, bins, bins_each, dtype=np.int64)
    edges = np.append(firsts, bins) * width
    if bins:
        last = max((launch.end_cycle for launch in result.launches), default=0)
        edges[-1] = min(max(last, edges[-2] + 1), edges[-1])
    cycles = np.diff(edges)

    def together(counts: npt.NDArray[np.int64] | Reals) -> Reals:
        return np.add.reduceat(counts, firsts) if bins else np.zeros(0)

    return RatesOverTime(
        edges=edges,
        ipc=together(line.warp_instructions) / cycles,
        resident_ctas=together(line.resident_ctas) * width / cycles,
        resident_warps=together(line.resident_warps) * width / cycles,
        l1_sectors=together(line.l1_sectors) / cycles,
        l2_sectors=together(line.l2_sectors) / cycles,
        dram_sectors=together(line.dram_sectors) / cycles,
    )


def gigabytes(result: SimResult, sectors: Reals) -> Reals:
    """GB/s (10**9 bytes a second) of sectors a cycle."""
    return sectors * (result.sector_bytes * result.clock_mhz / 1000)


def dram_peak(result: SimResult) -> float | None:
    """GB/s that DRAM moves with its data buses always in use; None where it moved nothing.

    It follows from what was moved and for which share of the time that kept the buses in use.
    """
    in_use = result.dram.busy_fraction * result.simulated_cycles
    if not in_use:
        return None
    sectors = (result.dram.reads + result.dram.writes) / in_use
    return float(gigabytes(result, np.array([sectors]))[0])


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
    draw_launches(top, result)
    drawing = (draw_ipc, draw_warps, draw_caches, draw_dram)
    for place, draw in enumerate(drawing, start=1):
        axis = figure.add_subplot(grid[place, :], sharex=top)
        draw(axis, result, over)
        finish(axis, result, over, labelled=place == len(drawing))
    bars.draw_stalls(figure.add_subplot(grid[-1, 0 if busiest else slice(None)]), result)
    if busiest:
        bars.draw_lines(figure.add_subplot(grid[-1, 1]), result, busiest)
    return figure


# The panels of a simulation's picture that show what happened over time.

_KERNELS = ("#56B4E9", ORANGE, "#CC79A7", GREEN, "#F0E442", VERMILION)
_LETTER = 0.0085
"""The width of a letter, as a share of a panel's."""

_TELLABLE = 150
"""Launches above which no lines are drawn between them: there would be nothing but lines."""


def draw_launches(axis: Axes, result: SimResult) -> None:
    """Draw each launch as a bar, a row a stream, and microseconds above them."""
    streams = sorted({launch.stream for launch in result.launches})
    edge = 0.0 if len(result.launches) > _TELLABLE else 0.5
    for (kernel, _), launches in _groups(result).items():
        for row, stream in enumerate(streams):
            bars = _spans([launch for launch in launches if launch.stream == stream])
            colour = _colours(result)[kernel]
            axis.broken_barh(bars, (row - 0.4, 0.8), fc=colour, ec="white", lw=edge)
    _name_launches(axis, result, streams)
    axis.set_yticks(range(len(streams)), [f"stream {stream}" for stream in streams])
    axis.invert_yaxis()
    axis.tick_params(axis="x", bottom=False, labelbottom=False)
    for side in ("top", "right", "bottom", "left"):
        axis.spines[side].set_visible(False)
    mhz = result.clock_mhz

    def microseconds(cycles: Any) -> Any:
        return cycles / mhz

    def cycles(microseconds: Any) -> Any:
        return microseconds * mhz

    axis.secondary_xaxis("top", functions=(microseconds, cycles)).set_xlabel("µs")


def _name_launches(axis: Axes, result: SimResult, streams: Sequence[int]) -> None:
    """Write the names of kernels into those bars that have room for them."""
    end = max((launch.end_cycle for launch in result.launches), default=0)
    for launch in result.launches:
        name = drawable(base_name(launch.kernel))
        if len(name) * _LETTER * end < launch.end_cycle - launch.begin_cycle:
            middle, row = (launch.begin_cycle + launch.end_cycle) / 2, streams.index(launch.stream)
            axis.text(middle, row, name, ha="center", va="center", fontsize=7)


def draw_ipc(axis: Axes, result: SimResult, over: RatesOverTime) -> None:
    """Draw warp instructions a cycle of the whole GPU."""
    axis.set_ylabel("warp instructions\na cycle")
    _curve(axis, over, over.ipc, BLUE)
    cycles = result.simulated_cycles
    _limit(axis, over.ipc, result.issue_slots / cycles if cycles else None, "issue slots a cycle")


def draw_warps(axis: Axes, result: SimResult, over: RatesOverTime) -> None:
    """Draw how many warps are on all SMs together."""
    axis.set_ylabel("resident warps")
    _curve(axis, over, over.resident_warps, BLUE)
    _limit(axis, over.resident_warps, result.warp_slots_per_sm * result.sms, "slots for warps")


def draw_caches(axis: Axes, result: SimResult, over: RatesOverTime) -> None:
    """Draw what L1 and L2 were asked for."""
    axis.set_ylabel("L1 and L2, GB/s")
    l1, l2 = gigabytes(result, over.l1_sectors), gigabytes(result, over.l2_sectors)
    _curve(axis, over, l1, ORANGE, "L1")
    if result.cache("l2") is not None:
        _curve(axis, over, l2, BLUE, "L2")
    axis.legend(loc="lower right", bbox_to_anchor=(1, 0.96), ncols=2, frameon=False, fontsize=7)
    _limit(axis, np.maximum(l1, l2), None, "")


def draw_dram(axis: Axes, result: SimResult, over: RatesOverTime) -> None:
    """Draw what DRAM moved, beside the most that it can where that is known."""
    axis.set_ylabel("DRAM, GB/s")
    moved = gigabytes(result, over.dram_sectors)
    _curve(axis, over, moved, VERMILION)
    _limit(axis, moved, dram_peak(result), "peak, GB/s")


def finish(axis: Axes, result: SimResult, over: RatesOverTime, *, labelled: bool) -> None:
    """Shade the launches behind a panel over time, and let the lowest panel say the cycles."""
    behind = axis.get_xaxis_transform()
    for (kernel, odd), launches in _groups(result).items():
        colour, alpha = _colours(result)[kernel], 0.08 if odd else 0.2
        bars = _spans(launches)
        axis.broken_barh(bars, (0, 1), fc=colour, alpha=alpha, lw=0, transform=behind, zorder=0)
    axis.set_xlim(0, float(over.edges[-1]))
    axis.grid(alpha=0.3)
    axis.tick_params(axis="x", labelbottom=labelled)
    axis.xaxis.set_major_formatter(_number)
    axis.yaxis.set_major_formatter(_number)
    if labelled:
        axis.set_xlabel("cycles")


def _curve(
    axis: Axes, over: RatesOverTime, values: Reals, colour: str, label: str | None = None
) -> None:
    axis.stairs(values, over.edges, baseline=None, color=colour, lw=1.1, label=label)


def _limit(axis: Axes, values: Reals, limit: float | None, words: str) -> None:
    """The height of a panel: over its curve, and over the most that there can be.

    Where that is far above the curve, it is only said.
    """
    top = float(values.max(initial=0)) or 1.0
    if limit is not None:
        far = limit > 3 * top
        axis.set_title(f"{words}: {limit:,.0f}{' (above)' if far else ''}", loc="right", pad=2)
        if not far:
            axis.axhline(limit, color="black", lw=0.8, ls="--")
            top = max(top, limit)
    axis.set_ylim(0, 1.05 * top)


def _number(value: float, _: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 10 else f"{value:.4g}"


def _groups(result: SimResult) -> dict[tuple[str, bool], list[LaunchResult]]:
    """The launches by kernel, and by turns: so that those that follow can be told apart."""
    found: dict[tuple[str, bool], list[LaunchResult]] = {}
    for number, launch in enumerate(result.launches):
        found.setdefault((launch.kernel, number % 2 == 1), []).append(launch)
    return found


def _spans(launches: Sequence[LaunchResult]) -> list[tuple[float, float]]:
    return [(x.begin_cycle, x.end_cycle - x.begin_cycle) for x in launches]


def _colours(result: SimResult) -> dict[str, str]:
    kernels = dict.fromkeys(launch.kernel for launch in result.launches)
    return {name: _KERNELS[k % len(_KERNELS)] for k, name in enumerate(kernels)}
