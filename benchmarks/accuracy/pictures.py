"""The pictures of accuracy: predicted over measured times, and ranks of tuned configurations."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from warpmill.benchmarks.accuracy import Accuracy, Group
from warpmill.benchmarks.accuracy.selecting import TUNED
from warpmill.benchmarks.pictures import new_figure, save

_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#7F6000", "#7B3294")


def draw(result: Accuracy, folder: Path) -> None:
    """Draw the pictures of a result into a folder."""
    _times(result, folder / "times.png")
    _ranks(result, folder / "ranks.png")


def times_of(
    groups: Iterable[Group], *, ranked: bool = False
) -> dict[str, npt.NDArray[np.float64]]:
    """Measured and predicted times by data set, a row each; those with errors, or all."""
    found: dict[str, list[tuple[float, float]]] = {}
    for one in groups:
        own = [point[:2] for point in one.points if ranked or point[2]]
        found.setdefault(one.dataset, []).extend(own)
    return {name: np.array(own, float).reshape(-1, 2) for name, own in found.items()}


def _times(result: Accuracy, path: Path) -> None:
    """Draw predicted over measured times; a line is what is exact."""
    figure, (axis,) = new_figure(6, 4.6)
    for (name, own), colour in zip(times_of(result.headline).items(), _COLOURS, strict=False):
        axis.scatter(own[:, 0], own[:, 1], s=6, alpha=0.5, linewidths=0, c=colour, label=name)
    axis.axline((1, 1), (10, 10), color="#000000", linewidth=0.8)
    axis.set(xscale="log", yscale="log", xlabel="measured (ms)", ylabel="predicted (ms)")
    axis.legend(fontsize="small", markerscale=3)
    save(figure, path)


def _ranks(result: Accuracy, path: Path) -> None:
    """Draw ranks of predicted over those of measured times, a tuned kernel beside the other."""
    every = times_of(result.headline, ranked=True)
    own = {name: every.get(name, np.empty((0, 2))) for name in TUNED}
    figure, axes = new_figure(4 * len(own), 3.8, 1, len(own))
    for axis, (name, times) in zip(axes, own.items(), strict=True):
        measured, predicted = (rankdata(times[:, k]) for k in (0, 1))
        axis.scatter(measured, predicted, s=4, alpha=0.4, linewidths=0, c=_COLOURS[0])
        axis.set(title=name, xlabel="rank measured (1: fastest)")
    axes[0].set_ylabel("rank predicted")
    save(figure, path)
