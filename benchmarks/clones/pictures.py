"""The pictures of docs/clones.md: Figures 2 and 16 to 21 of GPGPU-MiniBench's paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from warpmill.benchmarks.clones import (
    FRACTIONS,
    MACHINES,
    SHORTENED_ON,
    WAYS,
    ClonesResult,
    Pair,
    Workload,
)
from warpmill.benchmarks.pictures import bars, new_figure, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLUMNS = 6
_LINES = ("-", "--", ":")


def draw(result: ClonesResult, folder: Path) -> None:
    """Draw all pictures that a result has the figures of."""
    rows = result.rows
    machines = [m for m in MACHINES if any(m in row.on for row in rows)]
    _bars(rows, machines, "speedup", folder / "figure_18.png")
    own = SHORTENED_ON if SHORTENED_ON in machines else machines[0]
    _bars(rows, [own], "error", folder / "figure_19.png")
    _ipcs(rows, machines, folder / "figure_20.png")
    series = [row for row in rows if len(row.series) > 1]
    if series:
        _over_factor(series, "speedup", "speed-up", folder / "figure_16.png")
        _over_factor(series, "error", "IPC error, %", folder / "figure_17.png")
    short = [row for row in rows if row.one_iteration is not None]
    if short:
        _one_iteration(short, folder / "figure_21.png")
    spaces = [row for row in rows if row.space is not None]
    if spaces:
        _space(spaces, folder / "figure_2.png")


def _value(pair: Pair | None, key: str) -> float:
    return math.nan if pair is None else float(getattr(pair, key))


def _bars(rows: Sequence[Workload], machines: Sequence[str], key: str, path: Path) -> None:
    figure, (axis,) = new_figure(11, 3.5)
    columns = {m: [_value(row.on.get(m), key) for row in rows] for m in machines}
    bars(axis, [row.name for row in rows], columns)
    if key == "speedup":
        axis.set_yscale("log")
    axis.axhline(1.0 if key == "speedup" else 0.0, color="black", linewidth=0.6)
    axis.set_ylabel("speed-up" if key == "speedup" else "IPC error, %")
    save(figure, path)


def _ipcs(rows: Sequence[Workload], machines: Sequence[str], path: Path) -> None:
    lines = -(-len(rows) // _COLUMNS)
    figure, axes = new_figure(11, 1.9 * lines, lines, _COLUMNS)
    place = range(len(machines))
    for axis, row in zip(axes, rows, strict=False):
        for words, key, style in (("original", "ipc", "o-"), ("clone", "clone_ipc", "s-")):
            values = [_value(row.on.get(m), key) for m in machines]
            axis.plot(place, values, style, markersize=3, label=words)
        axis.set_title(row.name)
        axis.set_ylim(bottom=0.0)
        axis.set_xticks(place, [m.removeprefix("minibench_") for m in machines])
    axes[0].legend()
    for axis in axes[len(rows) :]:
        axis.set_visible(False)
    figure.supylabel("thread instructions a cycle")
    save(figure, path)


def _over_factor(rows: Sequence[Workload], key: str, label: str, path: Path) -> None:
    figure, (axis,) = new_figure(8, 4.5)
    for number, row in enumerate(rows):
        values = [getattr(step, key) for step in row.series]
        axis.plot([step.factor for step in row.series], values, _LINES[number // 10 % 3],
                  marker="o", markersize=3, label=row.name)  # fmt: skip
    axis.set_xscale("log", base=2)
    if key == "speedup":
        axis.set_yscale("log")
    axis.set_xlabel("reduction factor of all loops")
    _beside(axis, label)
    save(figure, path)


def _beside(axis: Axes, label: str) -> None:
    axis.set_ylabel(label)
    axis.grid(alpha=0.3)
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def _one_iteration(rows: Sequence[Workload], path: Path) -> None:
    figure, (axis,) = new_figure(9, 3.2)
    bars(axis, [row.name for row in rows], {
        "loops of one iteration": [row.one_iteration or 0.0 for row in rows],
        "clone": [_value(row.on.get(SHORTENED_ON), "error") for row in rows],
    })  # fmt: skip
    axis.axhline(0.0, color="black", linewidth=0.6)
    axis.set_ylabel("IPC error, %")
    save(figure, path)


def _space(rows: Sequence[Workload], path: Path) -> None:
    figure, axes = new_figure(11, 4, 1, len(WAYS), sharey=True)
    for axis, way in zip(axes, WAYS, strict=True):
        for number, row in enumerate(rows):
            values = [row.shares[f"{way} {part}"] for part in FRACTIONS]
            axis.plot(FRACTIONS, values, _LINES[number // 10 % 3], label=row.name)
        axis.set_xlabel(f"part of {way}")
        axis.grid(alpha=0.3)
    axes[0].plot([0, 1], [0, 1], color="black", linewidth=0.6)
    axes[0].set_ylabel("IPC over that of all")
    axes[-1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    save(figure, path)
