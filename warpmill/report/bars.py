"""The bars of a simulation's picture: warp cycles by state and by line of source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from warpmill.report.safe import escaped
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.gpu.result_parts import WarpState

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE, ORANGE, GREEN, VERMILION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
"""Colours of Okabe and Ito, which the colour-blind tell apart as well."""


def title(result: SimResult) -> str:
    """Title of a plot: the simulation, that it is modelled, and where it is sampled."""
    time = f"{result.cycles:,.0f} cycles, {result.time_us:,.1f} µs"
    words = f"{result.machine}: {time} (modelled)"
    sampled = sampled_words(result)
    return drawable(words if sampled is None else f"{words}\n{sampled}")


def stall_cycles(result: SimResult) -> list[WarpState]:
    """Warp states that have cycles, the most first."""
    found = [one for one in result.warp_states if one.warp_cycles]
    return sorted(found, key=lambda one: -one.warp_cycles)


def draw_stalls(axis: Axes, result: SimResult) -> None:
    """Draw warp cycles by state, those in which warps issued in a colour of their own."""
    states = stall_cycles(result)
    colours = [GREEN if one.state.key == "selected" else BLUE for one in states]
    _bars(axis, [(one.state, one.warp_cycles) for one in states], colours, sum(result.stalls))
    axis.set_xlabel("warp cycles by state")


def draw_lines(axis: Axes, result: SimResult, lines: Sequence[tuple[str, int]]) -> None:
    """Draw warp cycles by line of source."""
    _bars(axis, lines, [BLUE] * len(lines), sum(result.stalls))
    axis.set_xlabel("warp cycles by line of source")


def _bars(axis: Axes, rows: Sequence[tuple[str, int]], colours: Sequence[str], whole: int) -> None:
    from matplotlib.ticker import EngFormatter  # noqa: PLC0415 - slow to load

    bars = axis.barh(range(len(rows)), [cycles for _, cycles in rows], color=list(colours))
    shares = [cycles / whole if whole else 0.0 for _, cycles in rows]
    words = [f"{share:.1%}" if share >= 0.0005 else "<0.1%" for share in shares]
    axis.bar_label(bars, words, padding=3, fontsize=7)
    axis.set_yticks(range(len(rows)), [drawable(name) for name, _ in rows])
    axis.invert_yaxis()
    axis.margins(x=0.12)
    axis.xaxis.set_major_formatter(EngFormatter(sep=""))
    axis.grid(alpha=0.3, axis="x")
    axis.set_axisbelow(True)


def drawable(words: str) -> str:
    """A text that is not read as a formula, and without control characters."""
    return plain(words).replace("$", r"\$")


def plain(text: str) -> str:
    """A text without what neither a terminal nor a file in UTF-8 should have."""
    return escaped(text).encode("utf-8", "replace").decode()


def sampled_words(result: SimResult) -> str | None:
    """That not all CTAs are in a picture; None where they are."""
    if not result.sampled:
        return None
    done = sum(launch.ctas_simulated for launch in result.launches)
    whole = sum(launch.ctas for launch in result.launches)
    return f"sampled: {done:,} of {whole:,} CTAs were simulated, and are shown"
