"""The pictures of docs/stargazer.md, drawn with matplotlib: Figures 3 to 7 of Stargazer's paper."""

from __future__ import annotations

import numpy as np

from benchmarks.stargazer_parts.accuracy import MOST
from benchmarks.stargazer_parts.beside import accuracy_of
from benchmarks.stargazer_parts.measuring import AS_PRINTED
from benchmarks.stargazer_parts.page_tables import pair
from benchmarks.stargazer_parts.page_words import sampled_blocks
from benchmarks.stargazer_parts.samples import ADJUSTED, DEFAULTS, TAILED, WHOLE, WITHOUT_TAIL
from benchmarks.workload_pages.plots import new_pyplot, save

LEAST_DRAWN = 0.01
"""Percent; nw is as good as exact from 60 samples on."""
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#7F6000",
            "#F0E442", "#7B3294", "#A6761D", "#66A61E")  # fmt: skip
_MARKERS = "osv^D<>pPX*"
_REST = "#BBBBBB"
_NAMED = 10
_OTHERS = "others"


def draw(result, folder):
    """Draw Figures 3 to 7 of a result; 4 and 7 where their workloads were measured."""
    pyplot = new_pyplot()
    _figure_3(pyplot, result, folder / "figure_3.png")
    if "figure_4" in result["figures"]:
        _figure_4(pyplot, result["figures"]["figure_4"], folder / "figure_4.png")
    _figure_5(pyplot, result, folder / "figure_5.png")
    _figure_6(pyplot, result, folder / "figure_6.png")
    if result["figures"].get("figure_7"):
        _figure_7(pyplot, result["figures"]["figure_7"], folder / "figure_7.png")


# -- Figure 3 --------------------------------------------------------------------------------------


def stacks(result, key, named):
    """A stack for each series: what each of the named terms adds to R², and all others."""
    found = {}
    for name, row in result["rows"].items():
        own = dict.fromkeys((*named, _OTHERS), 0.0)
        for term, gain in row[key][f"{AS_PRINTED:g}"]["terms"]:
            called = canonical(term)
            own[called if called in named else _OTHERS] += gain
        found[name] = own
    return found


def canonical(term):
    """Name a term by one name, whichever of two parameters entered first: ``#blk:simd``."""
    places = list(DEFAULTS)
    return ":".join(sorted(term.split(":"), key=places.index))


def important(result, most=_NAMED):
    """Name the terms that add most to R² in both pictures, over all series, the most first."""
    sums = {}
    for row in result["rows"].values():
        for key in ("contributions", "contributions_of_wide"):
            for term, gain in row[key][f"{AS_PRINTED:g}"]["terms"]:
                sums[canonical(term)] = sums.get(canonical(term), 0.0) + gain
    return tuple(sorted(sums, key=lambda term: (-sums[term], term))[:most])


def _figure_3(pyplot, result, path):
    named = important(result)
    figure, axes = pyplot.subplots(2, 1, figsize=(9, 6.4), sharex=True)
    titles = {"contributions": "(a) all samples", "contributions_of_wide": "(b) simd = 32"}
    for axis, (key, title) in zip(axes, titles.items(), strict=True):
        _stacked(axis, stacks(result, key, named), (*named, _OTHERS))
        axis.set_title(title, loc="left")
    axes[0].legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    axes[1].tick_params(axis="x", rotation=90)
    save(pyplot, figure, path)


def _stacked(axis, columns, terms):
    at, bottom = np.arange(len(columns)), np.zeros(len(columns))
    for term, colour in zip(terms, (*_COLOURS[: len(terms) - 1], _REST), strict=True):
        values = np.array([own[term] for own in columns.values()])
        axis.bar(at, values, 0.7, bottom=bottom, color=colour, edgecolor="white",
                 linewidth=0.4, label=term)  # fmt: skip
        bottom += values
    axis.set_xticks(at, list(columns))
    axis.set_ylim(0, 1.02)
    axis.set_ylabel("what terms add to R²")
    axis.set_axisbelow(True)
    axis.grid(alpha=0.3, axis="y")


# -- Figures 4 and 7 -------------------------------------------------------------------------------


def _figure_4(pyplot, found, path):
    figure, axes = pyplot.subplots(2, 1, figsize=(6.5, 6), sharex=True)
    blocks = found["simulated"]["blocks"]
    parts = ((TAILED, WHOLE, "(a) as it is"), (ADJUSTED, WITHOUT_TAIL, "(b) tail adjusted"))
    for axis, (name, key, title) in zip(axes, parts, strict=True):
        own, predicted = found["simulated"][key], found["predicted"][name]
        axis.plot(blocks, own, "-", color=_COLOURS[0], label="simulated")
        _predicted(axis, predicted, 1.0, _COLOURS[3], "predicted")
        axis.set_ylim(bottom=0)
        axis.set_title(title, loc="left")
        axis.set_ylabel(f"{name}: time, µs")
        axis.grid(alpha=0.3)
    axes[0].legend(loc="lower left")
    axes[1].set_xlabel("#blk")
    save(pyplot, figure, path)


def _predicted(axis, curve, unit, colour, label):
    """Draw what a model says, with a dot at each value of #blk that samples can have."""
    blocks, values = curve["blocks"], np.array(curve["values"]) / unit
    axis.plot(blocks, values, "--", color=colour, label=label)
    inner = [k for k, own in enumerate(blocks) if own in sampled_blocks()]
    axis.plot([blocks[k] for k in inner], values[inner], "o", color=colour, markersize=4)
    low, high = (np.array(curve[key]) / unit for key in ("low", "high"))
    axis.fill_between(blocks, low, high, color=colour, alpha=0.12, linewidth=0)


def _figure_7(pyplot, curves, path):
    figure, axis = pyplot.subplots(figsize=(6.5, 3.6))
    for (name, curve), colour in zip(curves.items(), _COLOURS, strict=False):
        _predicted(axis, curve, curve["values"][0], colour, name)
    axis.set_ylim(bottom=0)
    axis.set_xlabel("#blk")
    axis.set_ylabel("predicted time over that of one block")
    axis.grid(alpha=0.3)
    axis.legend()
    save(pyplot, figure, path)


# -- Figures 5 and 6 -------------------------------------------------------------------------------


def _figure_5(pyplot, result, path):
    figure, axes = pyplot.subplots(1, 2, figsize=(11, 4.6))
    number = 0
    for name, row in result["rows"].items():
        each = row["accuracy"][f"{AS_PRINTED:g}"]
        style = _style(number, name)
        number += name != ADJUSTED
        for axis, key in zip(axes, ("mean", "max"), strict=True):
            axis.plot([one["samples"] for one in each],
                      [max(LEAST_DRAWN, one[key]) for one in each],
                      label=f"{name} {pair(accuracy_of(result, name))}", **style)  # fmt: skip
    for axis, title in zip(axes, ("(a) mean error, %", "(b) largest error, %"), strict=True):
        axis.set_yscale("log")
        axis.yaxis.set_major_formatter("{x:g}")
        axis.set_title(title, loc="left")
        axis.set_xlabel("training samples")
        axis.set_xticks(range(30, MOST + 1, 30))
        axis.grid(alpha=0.3, which="both")
    axes[1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    save(pyplot, figure, path)


def _style(number, name):
    """Give each workload a colour and a marker; the adjusted series has those of its workload."""
    if name == ADJUSTED:
        return {"color": _COLOURS[0], "marker": _MARKERS[0], "linestyle": "--", "markersize": 4,
                "markerfacecolor": "white"}  # fmt: skip
    place = number % len(_COLOURS)
    return {"color": _COLOURS[place], "marker": _MARKERS[place], "markersize": 4, "linewidth": 1}


def _figure_6(pyplot, result, path):
    names = list(result["rows"])
    columns = {
        "terms chosen by Algorithm 1": [accuracy_of(result, name)["mean"] for name in names],
        "simd, #blk, simd:#blk": [result["rows"][name]["three_factors"]["mean"] for name in names],
    }
    figure, axis = pyplot.subplots(figsize=(9, 3.8))
    at = np.arange(len(names))
    for side, (words, values) in zip((-0.2, 0.2), columns.items(), strict=True):
        bars = axis.bar(at + side, values, 0.4, color=_COLOURS[0 if side < 0 else 1], label=words)
        axis.bar_label(bars, fmt="%.1f", fontsize=6, padding=1)
    axis.set_xticks(at, names, rotation=90)
    axis.set_ylabel(f"mean error, {MOST} samples, %")
    axis.set_axisbelow(True)
    axis.grid(alpha=0.3, axis="y")
    axis.legend()
    save(pyplot, figure, path)
