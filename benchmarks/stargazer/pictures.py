"""The pictures of docs/stargazer.md: Figures 3 to 7 of Stargazer's paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from warpmill.benchmarks.pictures import bar_picture, legend_beside, new_figure, save, stacks
from warpmill.benchmarks.stargazer import (
    ADJUSTED,
    BLOCKS,
    DEFAULTS,
    MOST,
    TAILED,
    WIDE,
    Along,
    StargazerResult,
    Workload,
    sampled_blocks,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEAST_DRAWN = 0.01
"""Percent; nw is as good as exact from 60 samples on."""
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#7F6000",
            "#F0E442", "#7B3294", "#A6761D", "#66A61E")  # fmt: skip
_MARKERS = "osv^D<>pPX*"
_REST = "#BBBBBB"
_NAMED = 10
_OTHERS = "others"


def draw(result: StargazerResult, folder: Path) -> None:
    """Draw Figures 3 to 7 of a result; 4 and 7 where their workloads were measured."""
    _figure_3(result.rows, folder / "figure_3.png")
    if result.figure_4:
        _figure_4(result.by_name, folder / "figure_4.png")
    _figure_5(result.rows, folder / "figure_5.png")
    errors = {
        "terms chosen by Algorithm 1": [row.most.mean for row in result.rows],
        "simd, #blk, simd:#blk": [row.three_factors.mean for row in result.rows],
    }
    names, label = [row.name for row in result.rows], f"mean error, {MOST} samples, %"
    bar_picture(folder / "figure_6.png", (9, 3.8), names, errors, label)
    curves = [row for row in result.rows if row.along and row.along.simulated is None]
    if curves:
        _figure_7(curves, folder / "figure_7.png")


def canonical(term: str) -> str:
    """A term by one name, whichever of two parameters entered first: ``#blk:simd``."""
    places = list(DEFAULTS)
    return ":".join(sorted(term.split(":"), key=places.index))


def important(rows: Sequence[Workload], most: int = _NAMED) -> tuple[str, ...]:
    """The terms that add most to R² in both pictures, over all workloads, the most first."""
    sums: dict[str, float] = {}
    for row in rows:
        for one in (*row.terms.terms, *row.wide.terms):
            sums[canonical(one.name)] = sums.get(canonical(one.name), 0.0) + one.gain
    return tuple(sorted(sums, key=lambda term: (-sums[term], term))[:most])


def by_term(rows: Sequence[Workload], key: str, named: Sequence[str]) -> dict[str, list[float]]:
    """What each of the named terms, and all others, add to R² of each workload."""
    found = {term: [0.0] * len(rows) for term in (*named, _OTHERS)}
    for k, row in enumerate(rows):
        for one in getattr(row, key).terms:
            called = canonical(one.name)
            found[called if called in named else _OTHERS][k] += one.gain
    return found


def _figure_3(rows: Sequence[Workload], path: Path) -> None:
    named = important(rows)
    figure, axes = new_figure(9, 6.4, 2, sharex=True)
    titles = {"terms": "(a) all samples", "wide": f"(b) simd = {WIDE}"}
    for axis, (key, title) in zip(axes, titles.items(), strict=True):
        colours = (*_COLOURS[: len(named)], _REST)
        stacks(axis, by_term(rows, key, named), colours, edgecolor="white", linewidth=0.4)
        axis.set_xticks(range(len(rows)), [row.name for row in rows])
        axis.set(ylim=(0, 1.02), ylabel="what terms add to R²")
        axis.set_title(title, loc="left")
    axes[0].legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    axes[1].tick_params(axis="x", rotation=90)
    save(figure, path)


def _figure_4(rows: Mapping[str, Workload], path: Path) -> None:
    figure, axes = new_figure(6.5, 6, 2, sharex=True)
    titles = {TAILED: "(a) as it is", ADJUSTED: "(b) tail adjusted"}
    for axis, (name, title) in zip(axes, titles.items(), strict=True):
        along = rows[name].along
        assert along is not None
        assert along.simulated is not None
        axis.plot(BLOCKS, along.simulated, "-", color=_COLOURS[0], label="simulated")
        _predicted(axis, along, 1.0, _COLOURS[3], "predicted")
        axis.set_ylim(bottom=0)
        axis.set_title(title, loc="left")
        axis.set_ylabel(f"{name}: time, µs")
        axis.grid(alpha=0.3)
    axes[0].legend(loc="lower left")
    axes[1].set_xlabel("#blk")
    save(figure, path)


def _predicted(axis: Axes, along: Along, unit: float, colour: str, label: str) -> None:
    """Draw what a model says, with a dot at each value of #blk that samples can have."""
    values, low, high = (np.array(own) / unit for own in (along.values, along.low, along.high))
    axis.plot(BLOCKS, values, "--", color=colour, label=label)
    inner = [k for k, own in enumerate(BLOCKS) if own in sampled_blocks()]
    axis.plot([BLOCKS[k] for k in inner], values[inner], "o", color=colour, markersize=4)
    axis.fill_between(BLOCKS, low, high, color=colour, alpha=0.12, linewidth=0)


def _figure_7(rows: Sequence[Workload], path: Path) -> None:
    figure, (axis,) = new_figure(6.5, 3.6)
    for row, colour in zip(rows, _COLOURS, strict=False):
        assert row.along is not None
        _predicted(axis, row.along, row.along.values[0], colour, row.name)
    axis.set_ylim(bottom=0)
    axis.set_xlabel("#blk")
    axis.set_ylabel("predicted time over that of one block")
    axis.grid(alpha=0.3)
    axis.legend()
    save(figure, path)


def _figure_5(rows: Sequence[Workload], path: Path) -> None:
    figure, axes = new_figure(11, 4.6, 1, 2)
    names = [row.name for row in rows if row.name != ADJUSTED]
    titles = {"mean": "(a) mean error, %", "max": "(b) largest error, %"}
    for axis, (key, title) in zip(axes, titles.items(), strict=True):
        for row in rows:
            place = 0 if row.name == ADJUSTED else names.index(row.name) % len(_COLOURS)
            axis.plot(
                [one.samples for one in row.accuracy],
                [max(LEAST_DRAWN, getattr(one, key)) for one in row.accuracy],
                "--" if row.name == ADJUSTED else "-", marker=_MARKERS[place], markersize=4,
                color=_COLOURS[place], linewidth=1, label=f"{row.name} {row.most.terms}",
            )  # fmt: skip
        axis.set_yscale("log")
        axis.yaxis.set_major_formatter("{x:g}")
        axis.set_title(title, loc="left")
        axis.set_xlabel("training samples")
        axis.set_xticks(range(30, MOST + 1, 30))
        axis.grid(alpha=0.3, which="both")
    legend_beside(axes[1])
    save(figure, path)
