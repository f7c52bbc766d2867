"""The pictures of docs/accuracy.md: predicted over measured times, and ranks of configurations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import rankdata

from benchmarks.accuracy_parts.selecting import TUNED
from benchmarks.workload_pages.plots import new_pyplot, save

ENGINES = ("estimate", "simulate")
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#7F6000", "#7B3294")

Result = Mapping[str, Any]


def draw(result: Result, folder: Path) -> None:
    """Draw the pictures of a result into a folder."""
    pyplot = new_pyplot()
    _times(pyplot, result, folder / "times.png")
    _ranks(pyplot, result["estimate"]["groups"], folder / "ranks.png")


def times_of(groups: Any, *, ranked: bool = False) -> dict[str, np.ndarray]:
    """Measured and predicted times by data set, a row each; those with errors, or all."""
    found: dict[str, list[list[float]]] = {}
    for one in groups:
        if not one["apart"]:
            own = [point[:2] for point in one["points"] if ranked or point[2]]
            found.setdefault(one["dataset"], []).extend(own)
    return {name: np.array(own, float).reshape(-1, 2) for name, own in found.items()}


def _times(pyplot: Any, result: Result, path: Path) -> None:
    """Draw predicted over measured times, an engine beside the other; a line is what is exact."""
    engines = [name for name in ENGINES if name in result]
    figure, axes = pyplot.subplots(
        1, len(engines), figsize=(5 * len(engines), 4.6), squeeze=False, sharex=True, sharey=True
    )
    for axis, engine in zip(axes[0], engines, strict=True):
        for (name, own), colour in zip(
            times_of(result[engine]["groups"]).items(), _COLOURS, strict=False
        ):
            axis.scatter(own[:, 0], own[:, 1], s=6, alpha=0.5, linewidths=0, c=colour, label=name)
        axis.axline((1, 1), (10, 10), color="#000000", linewidth=0.8)
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_title(engine)
        axis.set_xlabel("measured (ms)")
    axes[0][0].set_ylabel("predicted (ms)")
    axes[0][0].legend(fontsize="small", markerscale=3)
    save(pyplot, figure, path)


def _ranks(pyplot: Any, groups: Any, path: Path) -> None:
    """Draw ranks of predicted over those of measured times, a tuned kernel beside the other."""
    own = {n: t for n, t in times_of(groups, ranked=True).items() if n in TUNED and len(t)}
    names = list(own) or ["nothing was ranked"]
    figure, axes = pyplot.subplots(1, len(names), figsize=(4 * len(names), 3.8), squeeze=False)
    for axis, name in zip(axes[0], names, strict=True):
        if name in own:
            measured, predicted = (rankdata(own[name][:, k]) for k in (0, 1))
            axis.scatter(measured, predicted, s=4, alpha=0.4, linewidths=0, c=_COLOURS[0])
        axis.set_title(name)
        axis.set_xlabel("rank measured (1: fastest)")
    axes[0][0].set_ylabel("rank estimated")
    save(pyplot, figure, path)
