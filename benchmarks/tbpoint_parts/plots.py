"""The pictures of docs/tbpoint.md, drawn with matplotlib: Figures 8 to 13 of TBPoint's paper."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.tbpoint_parts.figures import geometric
from benchmarks.tbpoint_parts.goals import GOALS
from benchmarks.tbpoint_parts.machines import BASE
from benchmarks.tbpoint_parts.page_tables import relative
from benchmarks.workload_pages.plots import new_pyplot, save

_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7")
_COLUMNS = 3
_FULL = 100.0


def draw(result, folder):
    """Draw Figures 8 to 13 of a result; 12 and 13 where other machines were measured."""
    pyplot = new_pyplot()
    rows = sorted(result["rows"], key=lambda row: (row["type"], row["workload"]))
    _figure_8(pyplot, rows, folder / "figure_8.png")
    _figure_9(pyplot, rows, folder / "figure_9.png")
    _figure_10(pyplot, rows, folder / "figure_10.png")
    _figure_11(pyplot, rows, folder / "figure_11.png")
    if result["others"]:
        _figures_12_and_13(pyplot, rows, result["others"], folder)


def _figure_8(pyplot, rows, path):
    lines = math.ceil(len(rows) / _COLUMNS)
    figure, axes = pyplot.subplots(lines, _COLUMNS, figsize=(11, 2.1 * lines), squeeze=False)
    for axis, row in zip(axes.ravel(), rows, strict=False):
        own = row["sizes"]
        places, ratios = zip(*own["points"], strict=True)
        axis.plot(places, ratios, ".", color="tab:blue", markersize=1.5)
        axis.plot(own["starts"], np.zeros(len(own["starts"])), ".", color="tab:red", markersize=4)
        axis.set_title(f"{row['workload']} (type {row['type']})")
        axis.set_ylim(-0.05 * max(ratios), 1.1 * max(ratios))
        axis.locator_params(axis="x", nbins=5)
        axis.ticklabel_format(axis="x", style="plain")
    for axis in axes.ravel()[len(rows) :]:
        axis.set_visible(False)
    figure.supxlabel("CTA, launch after launch")
    figure.supylabel("thread instructions of a CTA over the mean")
    save(pyplot, figure, path)


def _bars(axis, names, columns, colours=_COLOURS):
    """Draw bars side by side, some for each name: words and values of each column."""
    width = 0.8 / len(columns)
    for k, ((words, values), colour) in enumerate(zip(columns.items(), colours, strict=False)):
        at = np.arange(len(names)) + (k - (len(columns) - 1) / 2) * width
        axis.bar(at, values, width, color=colour, label=words)
    axis.set_xticks(np.arange(len(names)), names, rotation=90)
    axis.set_axisbelow(True)
    axis.grid(alpha=0.3, axis="y")
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def _figure_9(pyplot, rows, path):
    full = np.array([row["ipc"][0] for row in rows])
    by_simpoint = full * (1 + np.array([row["simpoint"]["error"] for row in rows]) / 100)
    columns = {
        "full": full,
        "Random (± mean error)": full,
        "Ideal-SimPoint": by_simpoint,
        "TBPoint": [row["ipc"][1] for row in rows],
    }
    figure, axis = pyplot.subplots(figsize=(10, 4))
    _bars(axis, [row["workload"] for row in rows], columns)
    errors = full * np.array([row["random"]["error"] for row in rows]) / 100
    axis.errorbar(np.arange(len(rows)) - 0.1, full, errors, fmt="none", color="black", capsize=2)
    axis.set_ylabel("warp instructions a cycle")
    save(pyplot, figure, path)


def _figure_10(pyplot, rows, path):
    columns = {
        "Random": [row["random"]["share"] for row in rows],
        "Ideal-SimPoint": [row["simpoint"]["sample"] for row in rows],
        "TBPoint": [row["sample"] for row in rows],
    }
    means = {words: [*values, geometric(values)] for words, values in columns.items()}
    figure, axis = pyplot.subplots(figsize=(10, 4))
    names = [*(row["workload"] for row in rows), "geometric mean"]
    _bars(axis, names, means, _COLOURS[1:])
    axis.set_yscale("log")
    least = min(min(values) for values in columns.values())
    axis.set_ylim(10.0 ** math.floor(math.log10(least)), _FULL)  # bars begin at a whole decade
    axis.set_ylabel("simulated, % of warp instructions")
    save(pyplot, figure, path)


def _figure_11(pyplot, rows, path):
    parts = [relative(row) or (0.0, 0.0) for row in rows]
    inter, intra = np.array(parts).T
    figure, axis = pyplot.subplots(figsize=(9, 4))
    at = np.arange(len(rows))
    axis.bar(at, inter, 0.7, color=_COLOURS[0], label="between launches")
    axis.bar(at, intra, 0.7, bottom=inter, color=_COLOURS[1], label="inside of launches")
    axis.set_xticks(at, [row["workload"] for row in rows], rotation=90)
    axis.set_ylabel("% of what was left out")
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    save(pyplot, figure, path)


def _figures_12_and_13(pyplot, rows, others, folder):
    names = [row["workload"] for row in rows]
    of = {title: {row["workload"]: row for row in own} for title, own in others.items()}
    tables = {BASE: rows, **{title: [of[title][name] for name in names] for title in others}}
    kinds = ((12, "error", "error of the IPC, %"), (13, "sample", "simulated, % of instructions"))
    for number, key, label in kinds:
        columns = {title: [abs(row[key]) for row in own] for title, own in tables.items()}
        figure, axis = pyplot.subplots(figsize=(10, 4))
        _bars(axis, names, columns)
        if key == "error":
            axis.axhline(GOALS[-1][-1], color="black", linewidth=0.6)
        axis.set_ylabel(label)
        save(pyplot, figure, folder / f"figure_{number}.png")
