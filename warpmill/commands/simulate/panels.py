"""The panels of a simulation's picture that show what happened over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from warpmill.analyzer.base.naming import base_name
from warpmill.commands.simulate.rates import (
    Rates,
    Reals,
    dram_peak,
    gigabytes,
    most_warps,
    simulated_cycles,
)
from warpmill.report.bars import BLUE, GREEN, ORANGE, VERMILION, drawable
from warpmill.simulator.gpu.result import LaunchResult, SimResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
    end = max((launch.end_cycle for launch in result.launches), default=1)
    for launch in result.launches:
        name = drawable(base_name(launch.kernel))
        share = (launch.end_cycle - launch.begin_cycle) / max(end, 1)
        if len(name) * _LETTER < share:
            middle, row = (launch.begin_cycle + launch.end_cycle) / 2, streams.index(launch.stream)
            axis.text(middle, row, name, ha="center", va="center", fontsize=7)


def draw_ipc(axis: Axes, result: SimResult, over: Rates) -> None:
    """Draw warp instructions a cycle of the whole GPU."""
    axis.set_ylabel("warp instructions\na cycle")
    _curve(axis, over, over.ipc, BLUE)
    cycles = simulated_cycles(result)
    _limit(axis, over.ipc, result.issue_slots / cycles if cycles else None, "issue slots a cycle")


def draw_warps(axis: Axes, result: SimResult, over: Rates) -> None:
    """Draw how many warps are on all SMs together."""
    axis.set_ylabel("resident warps")
    _curve(axis, over, over.resident_warps, BLUE)
    _limit(axis, over.resident_warps, most_warps(result), "slots for warps")


def draw_caches(axis: Axes, result: SimResult, over: Rates) -> None:
    """Draw what L1 and L2 were asked for."""
    axis.set_ylabel("L1 and L2, GB/s")
    l1, l2 = gigabytes(result, over.l1_sectors), gigabytes(result, over.l2_sectors)
    _curve(axis, over, l1, ORANGE, "L1")
    if result.cache("l2") is not None:
        _curve(axis, over, l2, BLUE, "L2")
    axis.legend(loc="lower right", bbox_to_anchor=(1, 0.96), ncols=2, frameon=False, fontsize=7)
    _limit(axis, np.maximum(l1, l2), None, "")


def draw_dram(axis: Axes, result: SimResult, over: Rates) -> None:
    """Draw what DRAM moved, beside the most that it can where that is known."""
    axis.set_ylabel("DRAM, GB/s")
    moved = gigabytes(result, over.dram_sectors)
    _curve(axis, over, moved, VERMILION)
    _limit(axis, moved, dram_peak(result), "peak, GB/s")


def finish(axis: Axes, result: SimResult, over: Rates, *, labelled: bool) -> None:
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


def _curve(axis: Axes, over: Rates, values: Reals, colour: str, label: str | None = None) -> None:
    axis.stairs(values, over.edges, baseline=None, color=colour, lw=1.1, label=label)


def _limit(axis: Axes, values: Reals, limit: float | None, words: str) -> None:
    """Set how high a panel reaches: over its curve, and over the most that there can be.

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
    """Give the launches by kernel, and by turns: so that those that follow can be told apart."""
    found: dict[tuple[str, bool], list[LaunchResult]] = {}
    for number, launch in enumerate(result.launches):
        found.setdefault((launch.kernel, number % 2 == 1), []).append(launch)
    return found


def _spans(launches: Sequence[LaunchResult]) -> list[tuple[float, float]]:
    return [(x.begin_cycle, x.end_cycle - x.begin_cycle) for x in launches]


def _colours(result: SimResult) -> dict[str, str]:
    kernels = dict.fromkeys(launch.kernel for launch in result.launches)
    return {name: _KERNELS[k % len(_KERNELS)] for k, name in enumerate(kernels)}
