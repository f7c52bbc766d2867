"""Which launches stand for others: TBPoint's inter-launch sampling (§III), kernel by kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.ir.distinct_names import distinct_names
from warpmill.analyzer.profile.ctas import spread
from warpmill.simulator.sampling.clustering import by_distance, nearest_to_centre
from warpmill.simulator.sampling.model import LaunchCounts, Selection, Stratum, units_of_launches

Floats = npt.NDArray[np.float64]

METHOD = "tbpoint-inter"

THRESHOLD = 0.1
"""The largest distance between two launches of a cluster (§V-A)."""

FEATURES = ("thread instructions", "warp instructions", "memory requests", "variation of CTA sizes")
"""Equation 2: size, control flow divergence, memory divergence, differences between CTAs."""


@dataclass(frozen=True, eq=False)
class InterFeatures:
    """Launches (rows) by their features (columns, which ``names`` names).

    ``dropped`` are those of ``FEATURES`` that are zero in all launches and so have no column.
    """

    values: Floats
    names: tuple[str, ...]
    dropped: tuple[str, ...]


def inter_features(launches: Sequence[LaunchCounts]) -> InterFeatures:
    """Give TBPoint's features of launches of one kernel (§III, Equation 2).

    Thread instructions, warp instructions and memory requests are each over their mean of these
    launches, which must be one or more. The fourth is the coefficient of variation of CTA sizes in
    thread instructions (of the whole population, 0 where nothing is executed), not normalised.
    Example: launches of 100 and 300 thread instructions have 0.5 and 1.5.

    UsageError where CTAs or memory accesses of a launch were not counted.
    """
    rows = np.array([_row(each) for each in launches], dtype=np.float64)
    means = rows.mean(axis=0)
    kept = np.flatnonzero(means)  # a feature that is nowhere, and so tells nothing, is no column
    scale = np.append(means[:3], 1.0)
    return InterFeatures(
        values=rows[:, kept] / scale[kept],
        names=tuple(FEATURES[k] for k in kept),
        dropped=tuple(name for k, name in enumerate(FEATURES) if k not in kept),
    )


def _row(launch: LaunchCounts) -> tuple[float, ...]:
    """Give the features of a launch, none of them over its mean yet."""
    requests = launch.profile.memory_requests
    if requests is None:
        raise _uncounted(launch, "memory accesses")
    return (
        launch.profile.thread_instructions,
        launch.warp_instructions,
        requests,
        _variation(launch),
    )


def _variation(launch: LaunchCounts) -> float:
    if launch.profile.ctas is None:
        raise _uncounted(launch, "CTAs")
    return spread(launch.profile.ctas.thread_instructions).variation or 0.0


def _uncounted(launch: LaunchCounts, what: str) -> UsageError:
    words = f"the profile of launch {launch.number}, {launch.kernel}, has no {what}"
    hint = "TBPoint needs memory requests and counts by CTA: collect them"
    return UsageError(Diagnostic(Severity.ERROR, words, hint=hint))


def inter_launch(launches: Sequence[LaunchCounts], threshold: float = THRESHOLD) -> Selection:
    """Choose the launches that stand for others (§III), by exact counts alone.

    Launches of a kernel whose features are no further apart than ``threshold`` are a stratum; the
    one nearest to its centre is chosen. Strata are in the order of kernels by first launch, then of
    their own first launch. Features are normalised, and launches clustered, kernel by kernel, as
    the paper samples each kernel by itself: launches of different kernels never stand for each
    other. UsageError as ``inter_features``, and where nothing is executed.
    """
    whole = sum(each.warp_instructions for each in launches)
    if not whole:
        raise UsageError("there is nothing to sample: no launch executes an instruction")
    kernels: dict[str, list[int]] = {}
    for place, name in enumerate(distinct_names([one.profile.kernel for one in launches])):
        kernels.setdefault(name, []).append(place)
    strata = [
        _stratum(launches, members, chosen, whole)
        for places in kernels.values()
        for members, chosen in _clusters(launches, places, threshold)
    ]
    options = (("threshold", f"{threshold:g}"),)
    return Selection(METHOD, units_of_launches(launches), tuple(strata), options)


def _clusters(
    launches: Sequence[LaunchCounts], places: Sequence[int], threshold: float
) -> list[tuple[tuple[int, ...], int]]:
    """Give the clusters among launches of a kernel: members, and the one that stands for them."""
    points = inter_features([launches[place] for place in places]).values
    labels = by_distance(points, threshold)
    members: dict[int, list[int]] = {}
    for place, label in zip(places, labels.tolist(), strict=True):
        members.setdefault(label, []).append(place)
    chosen = [places[k] for k in nearest_to_centre(points, labels)]
    return [(tuple(members[label]), one) for label, one in enumerate(chosen)]


def _stratum(
    launches: Sequence[LaunchCounts], members: tuple[int, ...], chosen: int, whole: int
) -> Stratum:
    weight = sum(launches[place].warp_instructions for place in members) / whole
    return Stratum(members, (chosen,), weight)
