"""The pictures of docs/gtpin.md, drawn with matplotlib: Figures 5 to 8 of GT-Pin's paper."""

from __future__ import annotations

import numpy as np

from benchmarks.gtpin_parts.figures import LEAST
from benchmarks.gtpin_parts.validation import NEAR
from benchmarks.workload_pages.plots import new_pyplot, save

SAMPLES = ("Graphics T-Rex", "Physics Ocean Surf", "Physics Part Sim 64K")
"""Applications of Figure 5: the first three of Table I. The paper's own three are not named."""
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7")
_LEAST_DRAWN = 1e-3
"""Percent: errors below are drawn as this, as an axis of logarithms has no 0."""
_NONE = (np.nan, np.nan)
_TITLES = {"trials": "other data", "clocks": "clocks", "machines": "other machines"}


def draw(result, folder):
    """Draw all pictures of a result."""
    pyplot = new_pyplot()
    _figure_5(pyplot, result, folder / "figure_5.png")
    _figure_6(pyplot, result["rows"], folder / "figure_6.png")
    _figure_7(pyplot, result["thresholds"], folder / "figure_7.png")
    _figure_8(pyplot, result["rows"], folder / "figure_8.png")


def samples(result):
    """The rows of Figure 5; the first three where those of the paper's table are not there."""
    named = [row for row in result["rows"] if row["application"] in SAMPLES]
    return named if len(named) == len(SAMPLES) else result["rows"][: len(SAMPLES)]


def _figure_5(pyplot, result, path):
    rows, combinations = samples(result), result["combinations"]
    features = list(dict.fromkeys(feature for _, feature in combinations))
    divisions = list(dict.fromkeys(division for division, _ in combinations))
    figure, axes = pyplot.subplots(2, len(rows), figsize=(11, 5), sharex=True, squeeze=False)
    for column, row in enumerate(rows):
        of = dict(zip(map(tuple, combinations), row["combinations"], strict=True))
        for k, division in enumerate(divisions):
            at = np.arange(len(features)) + (k - 1) * 0.27
            for line, part in enumerate((0, 1)):
                values = [of.get((division, feature), _NONE)[part] for feature in features]
                values = [100 * v for v in values] if part else values
                axes[line, column].bar(at, values, 0.27, color=_COLOURS[k], label=division)
        axes[0, column].set_title(row["application"])
        axes[1, column].set_xticks(np.arange(len(features)), features, rotation=90)
        for axis in axes[:, column]:
            axis.grid(alpha=0.3, axis="y")
    axes[0, 0].set_ylabel("error, %")
    axes[1, 0].set_ylabel("selected, % of warp instructions")
    axes[0, 0].legend()
    save(pyplot, figure, path)


def _figure_6(pyplot, rows, path):
    names = [f"{r['application']}: {r[LEAST]['division']} x {r[LEAST]['feature']}" for r in rows]
    figure, axes = pyplot.subplots(2, 1, figsize=(9, 7), sharex=True)
    for axis, key, label in zip(axes, ("error", "speedup"), ("error, %", "speed-up"), strict=True):
        axis.bar(np.arange(len(rows)), [r[LEAST][key] for r in rows], 0.7, color=_COLOURS[0])
        axis.set_ylabel(label)
        axis.grid(alpha=0.3, axis="y")
    axes[1].set_yscale("log")
    axes[1].set_xticks(np.arange(len(rows)), names, rotation=90)
    save(pyplot, figure, path)


def _figure_7(pyplot, thresholds, path):
    figure, axis = pyplot.subplots(figsize=(6, 4))
    errors = [one["error"] for one in thresholds]
    drawn = (("speedup", "mean", "o-"), ("speedup_geomean", "geometric mean", "s--"))
    for key, label, style in drawn:
        axis.plot(errors, [one[key] for one in thresholds], style, markersize=4, label=label)
    together = {}  # thresholds that choose alike would stand on one another
    for one in thresholds:
        words = "least" if one["threshold"] is None else f"{one['threshold']:g}"
        together.setdefault((one["error"], one["speedup"]), []).append(words)
    for number, (place, words) in enumerate(together.items()):
        axis.annotate(", ".join(words), place, xytext=(4, -10 if number % 2 else 5),
                      textcoords="offset points")  # fmt: skip
    axis.set_xlabel("mean error, %, of what is chosen under each threshold")
    axis.set_ylabel("speed-up over applications")
    axis.grid(alpha=0.3)
    axis.legend()
    save(pyplot, figure, path)


def _figure_8(pyplot, rows, path):
    names = [row["application"] for row in rows]
    figure, axes = pyplot.subplots(len(_TITLES), 1, figsize=(9, 8.5), sharex=True)
    for axis, (kind, title) in zip(axes, _TITLES.items(), strict=True):
        labels = list(dict.fromkeys(k for row in rows for k in row[LEAST]["validation"][kind]))
        for number, label in enumerate(labels):
            found = [row[LEAST]["validation"][kind].get(label, {}) for row in rows]
            values = [one.get("error", np.nan) for one in found]
            at = np.arange(len(rows)) + (number - (len(labels) - 1) / 2) * 0.14
            drawn = np.maximum(values, _LEAST_DRAWN)
            axis.plot(at, drawn, "os^Dv"[number % 5], color=_COLOURS[number % 5], markersize=4,
                      label=label)  # fmt: skip
            if any("found" in one for one in found):
                loose = np.maximum([one.get("found", np.nan) for one in found], _LEAST_DRAWN)
                axis.plot(at, loose, "x", color="gray", markersize=5,
                          label=f"{label}, other launches")  # fmt: skip
        axis.axhline(NEAR, color="black", linewidth=0.6)
        axis.set_yscale("log")
        axis.set(title=title, ylabel="error, %")
        axis.set_xticks(np.arange(len(names)), names, rotation=90)
        axis.grid(alpha=0.3, axis="y")
        axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    save(pyplot, figure, path)
