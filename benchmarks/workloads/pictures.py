"""The pictures of docs/workloads.md, those of the papers among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from warpmill.benchmarks.pictures import bars, new_figure, save
from warpmill.benchmarks.workloads import (
    CALLS,
    GROUPS,
    LANES,
    MINIBENCH,
    SMALL,
    Application,
    Run,
    WorkloadsResult,
)
from warpmill.report.pictures import COLOURS

_AREAS = ("graphs", "stencils", "dense", "finance", "physics", "graphics", "cryptography",
          "modern", "others")  # fmt: skip
_NAMED = 0.95
"""Lanes that are on, as a share: workloads with more have no name in the picture."""
_MINIBENCH = (
    ("Figure 4: static basic blocks", "linear", lambda row: row.static_blocks),
    ("Figure 5: instructions a thread", "log", lambda row: row.per_thread),
    ("Figure 6: branches, % of warp instructions", "linear", lambda row: 100 * row.branch_share),
    ("Figure 15: thread instructions in all", "log", lambda row: row.thread_instructions),
)
_GTPIN = {
    "gtpin_figure_3": {
        "Figure 3a: calls of the device, %": {kind: f"calls.{kind}" for kind in CALLS},
        "Figure 3b: static structures": {"kernels": "kernels", "basic blocks": "static_blocks"},
        "Figure 3c: executed": {
            "launches": "launches", "blocks": "block_executions",
            "warp instructions": "warp_instructions",
        },
    },
    "gtpin_figure_4": {
        "Figure 4a: warp instructions by group, %": {name: f"groups.{name}" for name in GROUPS},
        "Figure 4b: warp instructions by lanes that are on, %":
            {words: f"lanes.{words}" for words in LANES},
        "Figure 4c: bytes that threads read and write":
            {"read": "bytes_read", "written": "bytes_written"},
    },
}  # fmt: skip


def draw(result: WorkloadsResult, folder: Path) -> None:
    """Draw all pictures that a result has the figures of."""
    small = [row for row in result.rows if row.preset == SMALL]
    mini = sorted((r for r in result.rows if r.preset == MINIBENCH), key=lambda r: r.name or "")
    _divergence(small, folder / "divergence.png")
    _shares(small, folder / "shares.png")
    _minibench(mini, folder / "minibench.png")
    _figure_7(result, folder / "minibench_figure_7.png")
    for name, panels in _GTPIN.items():
        _gtpin(result.applications, panels, folder / f"{name}.png")


def _divergence(rows: Sequence[Run], path: Path) -> None:
    """Draw lane utilization beside memory divergence, a point a workload."""
    figure, (axis,) = new_figure(9, 6)
    together: dict[tuple[float, float], list[str]] = {}
    for area, colour in zip(_AREAS, (*COLOURS, "tab:pink", "tab:gray"), strict=True):
        known = [(row.memory_divergence, row.lane_utilization, row.workload) for row in rows
                 if row.area == area and row.memory_divergence is not None]  # fmt: skip
        axis.plot([lines for lines, _, _ in known], [lanes for _, lanes, _ in known], "o",
                  color=colour, markersize=4, label=area)  # fmt: skip
        for lines, lanes, name in known:
            if lanes <= _NAMED:  # above are too many to tell apart
                together.setdefault((round(lines, 2), round(lanes, 2)), []).append(name)
    for place, names in together.items():
        axis.annotate(", ".join(names), place, xytext=(4, 3), textcoords="offset points")
    axis.set(xlabel="lines of 128 B that a warp's access to global memory touches",
             ylabel="lanes that are on, share of all", ylim=(0, 1.05))  # fmt: skip
    axis.set_xscale("log", base=2)
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
    figure, axes = new_figure(9, 9, len(_MINIBENCH), sharex=True)
    for axis, (title, scale, height) in zip(axes, _MINIBENCH, strict=True):
        axis.bar(range(len(rows)), list(map(height, rows)), color=COLOURS[0])
        axis.set(title=title, yscale=scale)
        axis.grid(alpha=0.3, axis="y")
    axes[-1].set_xticks(range(len(rows)), [row.name or "" for row in rows], rotation=90)
    save(figure, path)


def _figure_7(result: WorkloadsResult, path: Path) -> None:
    figure, (axis,) = new_figure(5, 3.2)
    for name in dict.fromkeys(one.workload for one in result.figure_7):
        own = [one for one in result.figure_7 if one.workload == name]
        axis.plot([one.threads for one in own], [one.ipc for one in own], "o-", label=name)
    axis.set(xlabel="threads of the largest launch", ylabel="warp instructions a cycle")
    axis.set_xscale("log", base=2)
    axis.grid(alpha=0.3)
    axis.legend()
    save(figure, path)


def _gtpin(
    rows: Sequence[Application], panels: Mapping[str, Mapping[str, str]], path: Path
) -> None:
    """Draw the panels of a figure: shares on each other, other columns side by side."""
    figure, axes = new_figure(9, 9, len(panels), sharex=True)
    for axis, (title, columns) in zip(axes, panels.items(), strict=True):
        values = {label: [_value(row, place) for row in rows] for label, place in columns.items()}
        axis.set_title(title)
        if not title.endswith("%"):
            bars(axis, [row.application for row in rows], values)
            axis.set_yscale("log")
            continue
        bottom = np.zeros(len(rows))
        for (label, shares), colour in zip(values.items(), COLOURS, strict=False):
            heights = 100 * np.array(shares)
            axis.bar(range(len(rows)), heights, bottom=bottom, color=colour, label=label)
            bottom += heights
        axis.set_ylim(0, 100)
        axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    save(figure, path)


def _value(row: Application, place: str) -> Any:
    """A figure of an application, or the share of a kind."""
    name, _, kind = place.partition(".")
    value = getattr(row, name)
    return value[kind] if kind else value
