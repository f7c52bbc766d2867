"""Clusters whose points lie within a distance of each other, and which point stands for a cluster.

TBPoint, §III and §IV: hierarchical clustering by complete linkage, in which the threshold is the
largest distance between two points of a cluster, so that the number of clusters follows from it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import LimitError

Points = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

MOST_POINTS = 20_000
"""So many unlike points are clustered at once: their distances take 3.2 GB."""

_SAME_DISTANCE = 1e-9


def by_distance(points: Points, threshold: float, most: int = MOST_POINTS) -> Numbers:
    """Give the cluster of each point (a row), by complete linkage up to ``threshold``.

    Clusters are numbered by their first points: the first point is in cluster 0. No two points of
    a cluster are further apart than ``threshold`` (Euclidean), and no two clusters could be joined
    without that. LimitError where more than ``most`` unlike points hang together.
    """
    _check(points)
    if not threshold >= 0:
        raise ValueError(f"a distance of {threshold} is none")
    if points.size == 0:  # no points, or nothing that tells them apart
        return np.zeros(len(points), dtype=np.int64)
    unlike, where = np.unique(points, axis=0, return_inverse=True)
    labels = np.empty(len(unlike), dtype=np.int64)
    used = 0
    for piece in _pieces(unlike, threshold):
        found = _linked(unlike[piece], threshold, most)
        labels[piece] = used + found
        used += int(found.max()) + 1
    return numbered_by_first(labels[where.reshape(-1)])


def nearest_to_centre(
    points: Points, labels: Numbers, weights: npt.NDArray[np.float64] | None = None
) -> Numbers:
    """Give for each cluster the number of the member nearest to the mean of its members.

    Of members that are equally near, but for rounding, it is the first. ``weights`` weigh the mean,
    not the distances; with them, of members that are equally near it is the one whose weight is
    nearest to the mean of all members', and the middle one where several are.
    """
    each = np.ones(len(points)) if weights is None else weights
    distances = np.sqrt(np.square(points - centres(points, labels, each)[labels]).sum(axis=1))
    slack = _SAME_DISTANCE * np.abs(points).max(initial=0.0) * 1e-3
    chosen = []
    for cluster in range(int(labels.max(initial=-1)) + 1):
        members = np.flatnonzero(labels == cluster)
        near = distances[members]
        alike = members[near <= near.min() * (1 + _SAME_DISTANCE) + slack]
        if weights is not None:
            off = np.abs(weights[alike] - weights[members].mean())
            alike = alike[off <= off.min() + _SAME_DISTANCE * weights[members].mean()]
        chosen.append(alike[0 if weights is None else len(alike) // 2])
    return np.array(chosen, dtype=np.int64)


def centres(points: Points, labels: Numbers, weights: npt.NDArray[np.float64]) -> Points:
    """Give the weighted mean of each cluster's members. Each cluster has one that weighs."""
    totals = np.bincount(labels, weights)
    sums = [np.bincount(labels, weights * column, len(totals)) for column in points.T]
    return np.reshape(sums, (points.shape[1], len(totals))).T / totals[:, None]


def numbered_by_first(labels: Numbers) -> Numbers:
    """Number clusters anew: 0 is that of the first point, 1 that of the first that is not in 0."""
    _, first, where = np.unique(labels, return_index=True, return_inverse=True)
    number = np.empty(len(first), dtype=np.int64)
    number[np.argsort(first)] = np.arange(len(first))
    return number[where.reshape(-1)]


def _check(points: Points) -> None:
    if points.ndim != 2:
        raise ValueError("points are the rows of a table")
    if not np.isfinite(points).all():
        raise ValueError("a coordinate is infinite or not a number")


def _pieces(points: Points, threshold: float) -> Iterator[Numbers]:
    """Part the points, which leaves the clusters as they are.

    Along some axis, a gap that is wider than the threshold lies between any two pieces. Distances
    are needed within pieces only, which saves most of the time and memory where points lie far
    apart.
    """
    waiting = [np.arange(len(points))]
    while waiting:
        piece = waiting.pop()
        parts = _parted(points, piece, threshold)
        if len(parts) == 1:
            yield np.sort(piece)
        waiting.extend(parts if len(parts) > 1 else ())


def _parted(points: Points, piece: Numbers, threshold: float) -> list[Numbers]:
    if len(piece) == 1:
        return [piece]
    for column in points.T:
        order = piece[np.argsort(column[piece], kind="stable")]
        gaps = np.flatnonzero(np.diff(column[order]) > threshold)
        if gaps.size:
            return np.split(order, gaps + 1)
    return [piece]


def _linked(points: Points, threshold: float, most: int) -> Numbers:
    """Cluster unlike points by complete linkage; clusters count from 0 in no special order."""
    if len(points) == 1:
        return np.zeros(1, dtype=np.int64)
    if len(points) > most:
        raise LimitError(
            f"{len(points)} unlike points are not parted by gaps wider than the threshold of "
            f"{threshold:g}; at most {most} are clustered at once"
        )
    from scipy.cluster.hierarchy import fcluster, linkage  # noqa: PLC0415 - slow to load

    flat = fcluster(linkage(points, "complete"), threshold, "distance")
    return np.asarray(flat, dtype=np.int64) - 1
