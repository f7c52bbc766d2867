"""The pictures of docs/clones.md: Figures 2 and 16 to 21 of GPGPU-MiniBench's paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from warpmill.benchmarks.clones import (
    FRACTIONS,
    MACHINES,
    SHORTENED_ON,
    WAYS,
    ClonesResult,
    Workload,
)
from warpmill.benchmarks.pictures import bar_picture, legend_beside, new_figure, panels, save

ERROR = "IPC error, %"
_LINES = ("-", "--", ":")


def draw(result: ClonesResult, folder: Path) -> None:
    """Draw all pictures that a result has the figures of."""
    rows = result.rows
    machines = [m for m in MACHINES if any(m in row.on for row in rows)]
    own = SHORTENED_ON if SHORTENED_ON in machines else machines[0]
    names, size = [row.name for row in rows], (11, 3.5)
    speedups = {m: _values(rows, m, "speedup") for m in machines}
    bar_picture(folder / "figure_18.png", size, names, speedups, "speed-up", log=True, line=1.0)
    errors = {own: _values(rows, own, "error")}
    bar_picture(folder / "figure_19.png", size, names, errors, ERROR, line=0.0)
    _ipcs(rows, machines, folder / "figure_20.png")
    series = [row for row in rows if len(row.series) > 1]
    if series:
        _over_factor(series, "speedup", "speed-up", folder / "figure_16.png")
        _over_factor(series, "error", ERROR, folder / "figure_17.png")
    short = [row for row in rows if row.one_iteration is not None]
    if short:
        both = {
            "loops of one iteration": [row.one_iteration or 0.0 for row in short],
            "clone": _values(short, SHORTENED_ON, "error"),
        }
        names = [row.name for row in short]
        bar_picture(folder / "figure_21.png", (9, 3.2), names, both, ERROR, line=0.0)
    spaces = [row for row in rows if row.space is not None]
    if spaces:
        _space(spaces, folder / "figure_2.png")


def _values(rows: Sequence[Workload], machine: str, key: str) -> list[float]:
    """A figure of workloads on a machine, NaN where it was not measured."""
    return [getattr(row.on.get(machine), key, math.nan) for row in rows]


def _ipcs(rows: Sequence[Workload], machines: Sequence[str], path: Path) -> None:
    figure, axes = panels(len(rows), 6, 11, 1.9)
    place = range(len(machines))
    for axis, row in zip(axes, rows, strict=True):
        for words, key, style in (("original", "ipc", "o-"), ("clone", "clone_ipc", "s-")):
            values = [getattr(row.on.get(m), key, math.nan) for m in machines]
            axis.plot(place, values, style, markersize=3, label=words)
        axis.set_title(row.name)
        axis.set_ylim(bottom=0.0)
        axis.set_xticks(place, [m.removeprefix("minibench_") for m in machines])
    axes[0].legend()
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
    axis.set_ylabel(label)
    axis.grid(alpha=0.3)
    legend_beside(axis)
    save(figure, path)


def _space(rows: Sequence[Workload], path: Path) -> None:
    figure, axes = new_figure(11, 4, 1, len(WAYS), sharey=True)
    for axis, way in zip(axes, WAYS, strict=True):
        for number, row in enumerate(rows):
            values = [row.shares[f"{way} {part:.0%}"] for part in FRACTIONS]
            axis.plot(FRACTIONS, values, _LINES[number // 10 % 3], label=row.name)
        axis.set_xlabel(f"part of {way}")
        axis.grid(alpha=0.3)
    axes[0].plot([0, 1], [0, 1], color="black", linewidth=0.6)
    axes[0].set_ylabel("IPC over that of all")
    legend_beside(axes[-1])
    save(figure, path)
