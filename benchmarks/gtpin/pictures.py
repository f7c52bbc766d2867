"""The pictures of docs/gtpin.md: Figures 5 to 8 of GT-Pin's paper."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from warpmill.benchmarks.gtpin import KINDS, NEAR, Application, GtpinResult, Sums
from warpmill.benchmarks.pictures import legend_beside, new_figure, save
from warpmill.report.pictures import COLOURS

SAMPLES = ("Graphics T-Rex", "Physics Ocean Surf", "Physics Part Sim 64K")
"""Applications of Figure 5: the first three of Table I. The paper's own three are not named."""
_LEAST_DRAWN = 1e-3
"""Percent: errors below are drawn as this, as an axis of logarithms has no 0."""


def draw(result: GtpinResult, folder: Path) -> None:
    """Draw all pictures of a result."""
    _figure_5(samples(result.rows), folder / "figure_5.png")
    _figure_6(result.rows, folder / "figure_6.png")
    _figure_7(result.thresholds, folder / "figure_7.png")
    _figure_8(result.rows, folder / "figure_8.png")


def samples(rows: Sequence[Application]) -> Sequence[Application]:
    """The rows of Figure 5; the first three where those of the paper's table are not there."""
    named = [row for row in rows if row.application in SAMPLES]
    return named if len(named) == len(SAMPLES) else rows[: len(SAMPLES)]


def _figure_5(rows: Sequence[Application], path: Path) -> None:
    features = list(dict.fromkeys(one.feature for one in rows[0].combinations))
    divisions = list(dict.fromkeys(one.division for one in rows[0].combinations))
    figure, axes = new_figure(11, 5, 2, len(rows), sharex=True)
    for place, row in enumerate(rows):
        both = axes[place], axes[len(rows) + place]
        for k, division in enumerate(divisions):
            own = [one for one in row.combinations if one.division == division]
            at = np.array([features.index(one.feature) for one in own]) + (k - 1) * 0.27
            values = [one.error for one in own], [100 * one.share for one in own]
            for axis, heights in zip(both, values, strict=True):
                axis.bar(at, heights, 0.27, color=COLOURS[k], label=division)
                axis.grid(alpha=0.3, axis="y")
        both[0].set_title(row.application)
        both[1].set_xticks(np.arange(len(features)), features, rotation=90)
    axes[0].set_ylabel("error, %")
    axes[len(rows)].set_ylabel("selected, % of warp instructions")
    axes[0].legend()
    save(figure, path)


def _figure_6(rows: Sequence[Application], path: Path) -> None:
    names = [f"{row.application}: {row.least_error.name}" for row in rows]
    figure, axes = new_figure(9, 7, 2, sharex=True)
    for axis, key, label in zip(axes, ("error", "speedup"), ("error, %", "speed-up"), strict=True):
        values = [getattr(row.least_error, key) for row in rows]
        axis.bar(np.arange(len(rows)), values, 0.7, color=COLOURS[0])
        axis.set_ylabel(label)
        axis.grid(alpha=0.3, axis="y")
    axes[1].set_yscale("log")
    axes[1].set_xticks(np.arange(len(rows)), names, rotation=90)
    save(figure, path)


def _figure_7(thresholds: Sequence[Sums], path: Path) -> None:
    figure, (axis,) = new_figure(6, 4)
    errors = [one["error"] for one in thresholds]
    drawn = (("speed-up", "mean", "o-"), ("geometric mean", "geometric mean", "s--"))
    for key, label, style in drawn:
        axis.plot(errors, [one[key] for one in thresholds], style, markersize=4, label=label)
    together: dict[tuple[float, float], list[str]] = {}
    for one in thresholds:  # those that choose alike would stand on one another
        words = one["what is chosen"].replace(" error", "").replace(" %", "")
        together.setdefault((one["error"], one["speed-up"]), []).append(words)
    for number, (place, names) in enumerate(together.items()):
        axis.annotate(", ".join(names), place, xytext=(4, -10 if number % 2 else 5),
                      textcoords="offset points")  # fmt: skip
    axis.set_xlabel("mean error, %, of what is chosen under each threshold")
    axis.set_ylabel("speed-up over applications")
    axis.grid(alpha=0.3)
    axis.legend()
    save(figure, path)


def _figure_8(rows: Sequence[Application], path: Path) -> None:
    figure, axes = new_figure(9, 8.5, len(KINDS), sharex=True)
    for axis, kind in zip(axes, KINDS, strict=True):
        found = [(k, one) for k, row in enumerate(rows)
                 for one in row.least_error.judged if one.kind == kind]  # fmt: skip
        labels = list(dict.fromkeys(one.run for _, one in found))
        for number, label in enumerate(labels):
            shift = (number - (len(labels) - 1) / 2) * 0.14
            known = [(k + shift, max(one.error, _LEAST_DRAWN)) for k, one in found
                     if one.run == label and one.error is not None]  # fmt: skip
            if known:
                axis.plot(*zip(*known, strict=True), "os^Dv"[number % 5], label=label,
                          color=COLOURS[number % 5], markersize=4)  # fmt: skip
        axis.axhline(NEAR, color="black", linewidth=0.6)
        axis.set_yscale("log")
        axis.set(title=kind, ylabel="error, %")
        axis.set_xticks(np.arange(len(rows)), [row.application for row in rows], rotation=90)
        axis.grid(alpha=0.3, axis="y")
        legend_beside(axis)
    save(figure, path)
