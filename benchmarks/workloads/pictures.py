"""The pictures of docs/workloads.md, those of the papers among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from warpmill.benchmarks.pictures import bars, new_figure, save
from warpmill.benchmarks.workloads import (
    CALLS,
    GROUPS,
    MINIBENCH,
    SMALL,
    Application,
    Run,
    Size,
    WorkloadsResult,
)
from warpmill.benchmarks.workloads.measuring import LANES, lanes_words
from warpmill.report.pictures import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_AREAS = ("graphs", "stencils", "dense", "finance", "physics", "graphics", "cryptography",
          "modern", "others")  # fmt: skip
_NAMED = 0.95
"""Lanes that are on, as a share: workloads with more have no name in the picture."""


def draw(result: WorkloadsResult, folder: Path) -> None:
    """Draw all pictures that a result has the figures of."""
    small = [row for row in result.rows if row.preset == SMALL]
    mini = sorted((r for r in result.rows if r.preset == MINIBENCH), key=lambda r: r.name or "")
    _divergence(small, folder / "divergence.png")
    _shares(small, folder / "shares.png")
    _minibench(mini, folder / "minibench.png")
    _figure_7(result.figure_7, folder / "minibench_figure_7.png")
    _structure(result.applications, folder / "gtpin_figure_3.png")
    _work(result.applications, folder / "gtpin_figure_4.png")


def _divergence(rows: Sequence[Run], path: Path) -> None:
    """Draw lane utilization beside memory divergence, a point a workload."""
    figure, (axis,) = new_figure(9, 6)
    together: dict[tuple[float, float], list[str]] = {}
    for area, colour in zip(_AREAS, (*COLOURS, "tab:pink", "tab:gray"), strict=True):
        own = [(row, row.memory_divergence) for row in rows if row.area == area]
        known = [(row, lines) for row, lines in own if lines is not None]
        axis.plot([lines for _, lines in known], [row.lane_utilization for row, _ in known], "o",
                  color=colour, markersize=4, label=area)  # fmt: skip
        for row, lines in known:  # above are too many to tell apart
            if row.lane_utilization > _NAMED:
                continue
            place = round(lines, 2), round(row.lane_utilization, 2)
            together.setdefault(place, []).append(row.workload)
    for place, names in together.items():
        axis.annotate(", ".join(names), place, xytext=(4, 3), textcoords="offset points")
    axis.set_xlabel("lines of 128 B that a warp's access to global memory touches")
    axis.set_ylabel("lanes that are on, share of all")
    axis.set_xscale("log", base=2)
    axis.set_ylim(0, 1.05)
    axis.grid(alpha=0.3)
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    save(figure, path)


def _shares(rows: Sequence[Run], path: Path) -> None:
    figure, (axis,) = new_figure(11, 4)
    bars(axis, [row.workload for row in rows], {
        "branches": [100 * row.branch_share for row in rows],
        "accesses to global and local memory": [100 * row.memory_share for row in rows],
    })  # fmt: skip
    axis.set_ylabel("% of warp instructions")
    axis.legend(loc="upper right")
    save(figure, path)


def _minibench(rows: Sequence[Run], path: Path) -> None:
    """Figures 4, 5, 6 and 15: static blocks, instructions a thread and in all, branches."""
    panels: dict[str, tuple[str, list[float]]] = {
        "Figure 4: static basic blocks": ("linear", [row.static_blocks for row in rows]),
        "Figure 5: instructions a thread": ("log", [row.per_thread for row in rows]),
        "Figure 6: branches, % of warp instructions":
            ("linear", [100 * row.branch_share for row in rows]),
        "Figure 15: thread instructions in all":
            ("log", [row.thread_instructions for row in rows]),
    }  # fmt: skip
    figure, axes = new_figure(9, 9, 4, sharex=True)
    for axis, (title, (scale, heights)) in zip(axes, panels.items(), strict=True):
        axis.bar(range(len(rows)), heights, color=COLOURS[0])
        axis.set(title=title, yscale=scale)
        axis.grid(alpha=0.3, axis="y")
    axes[-1].set_xticks(range(len(rows)), [row.name or "" for row in rows], rotation=90)
    save(figure, path)


def _figure_7(points: Sequence[Size], path: Path) -> None:
    figure, (axis,) = new_figure(5, 3.2)
    for name in dict.fromkeys(one.workload for one in points):
        own = [one for one in points if one.workload == name]
        axis.plot([one.threads for one in own], [one.ipc for one in own], "o-", label=name)
    axis.set(xlabel="threads of the largest launch", ylabel="warp instructions a cycle")
    axis.set_xscale("log", base=2)
    axis.grid(alpha=0.3)
    axis.legend()
    save(figure, path)


def _structure(rows: Sequence[Application], path: Path) -> None:
    """GT-Pin's Figure 3: calls by kind, static structures, what was executed."""
    figure, axes = new_figure(9, 9, 3, sharex=True)
    _stacked(axes[0], rows, {kind: [row.calls[kind] for row in rows] for kind in CALLS})
    axes[0].set_title("Figure 3a: calls of the device, %")
    _grouped(axes[1], rows, {
        "kernels": [row.kernels for row in rows],
        "basic blocks": [row.static_blocks for row in rows],
    }, "Figure 3b: static structures")  # fmt: skip
    _grouped(axes[2], rows, {
        "launches": [row.launches for row in rows],
        "blocks": [row.block_executions for row in rows],
        "warp instructions": [row.warp_instructions for row in rows],
    }, "Figure 3c: executed")  # fmt: skip
    save(figure, path)


def _work(rows: Sequence[Application], path: Path) -> None:
    """GT-Pin's Figure 4: groups of opcodes, lanes that are on, bytes read and written."""
    figure, axes = new_figure(9, 9, 3, sharex=True)
    _stacked(axes[0], rows, {group: [row.groups[group] for row in rows] for group in GROUPS})
    axes[0].set_title("Figure 4a: warp instructions by group, %")
    words = [lanes_words(a, b) for a, b in LANES]
    _stacked(axes[1], rows, {own: [row.lanes[own] for row in rows] for own in words})
    axes[1].set_title("Figure 4b: warp instructions by lanes that are on, %")
    _grouped(axes[2], rows, {
        "read": [row.bytes_read for row in rows],
        "written": [row.bytes_written for row in rows],
    }, "Figure 4c: bytes that threads read and write")  # fmt: skip
    save(figure, path)


def _stacked(axis: Axes, rows: Sequence[Application], parts: Mapping[str, Sequence[float]]) -> None:
    bottom = np.zeros(len(rows))
    for (label, shares), colour in zip(parts.items(), COLOURS, strict=False):
        axis.bar(range(len(rows)), 100 * np.array(shares), bottom=bottom, color=colour, label=label)
        bottom += 100 * np.array(shares)
    axis.set_ylim(0, 100)
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def _grouped(
    axis: Axes, rows: Sequence[Application], columns: Mapping[str, Sequence[float]], title: str
) -> None:
    bars(axis, [row.application for row in rows], columns)
    axis.set(title=title, yscale="log")
