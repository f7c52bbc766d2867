"""Clusters whose points lie within a distance of each other, and which point stands for a cluster.

TBPoint, §III and §IV: hierarchical clustering by complete linkage, in which the threshold is the
largest distance between two points of a cluster, so that the number of clusters follows from it.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import LimitError

if TYPE_CHECKING:
    from scipy.sparse import csr_array


Points = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

MOST_POINTS = 20_000
"""Most unlike points that are clustered at once: their distances take 3.2 GB."""

_SAME_DISTANCE = 1e-9


def by_distance(points: Points, threshold: float, most: int = MOST_POINTS) -> Numbers:
    """The cluster of each point (a row), by complete linkage up to ``threshold``.

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
    """Member of each cluster nearest to the mean of its members.

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
    """The weighted mean of each cluster's members. Each cluster has one that weighs."""
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


# k-means as SimPoint 3.0 uses it: projected frequency vectors, k chosen by BIC, weighted points.
#
# An interval is a vector of frequencies, such as the instructions of each block. Intervals may be
# of any length: each weighs what it executes (SimPoint's variable-length intervals).
#
# Hamerly, Perelman, Lau, Calder: SimPoint 3.0: Faster and More Flexible Program Phase Analysis,
# Journal of Instruction-Level Parallelism 7, 2005. What differs here:
#
# - Initial centres are drawn by k-means++, where SimPoint draws any points: of five phases that
# are equally long, five points hit each in 4 cases of 100 only, and some stay unseen. - All k from
# 1 to the most are tried, where SimPoint searches by halves. - Frequencies of 15 dimensions or
# fewer are not projected; SimPoint always does. - The variance in the BIC has a floor
# (``VARIANCE_FLOOR``), where SimPoint takes the logarithm of 0.

Weights = npt.NDArray[np.float64]

DIMENSIONS = 15
MOST_CLUSTERS = 10
STARTS = 5
ITERATIONS = 100
BIC_SHARE = 0.9
VARIANCE_FLOOR = 1e-12
"""Per dimension. Frequencies that differ by a millionth of their sum are taken for equal."""


@dataclass(frozen=True)
class KMeansClustering:
    """Intervals in clusters. Clusters are numbered by their first intervals.

    ``labels`` is the cluster of each interval. Of each cluster, ``representatives`` has the number
    of the interval nearest to its centre, and ``weights`` its share of what all intervals weigh.
    There are no more clusters than unlike intervals.
    """

    labels: tuple[int, ...]
    representatives: tuple[int, ...]
    weights: tuple[float, ...]

    @property
    def k(self) -> int:
        """The number of clusters."""
        return len(self.representatives)


def cluster_frequencies(
    vectors: npt.NDArray[np.float64] | csr_array,
    weights: Weights | None = None,
    *,
    most: int = MOST_CLUSTERS,
    seed: int = 0,
    starts: int = STARTS,
) -> KMeansClustering:
    """Cluster intervals by their frequency vectors, the rows of ``vectors``, dense or sparse.

    ``weights`` are the instructions of each interval; without them, an interval weighs the sum of
    its frequencies, as in SimPoint. The result depends on vectors, weights and seed only, on any
    number of threads. An interval without frequencies is unlike all others that have some.
    ValueError where one has no weight, or a frequency is negative.
    """
    from threadpoolctl import threadpool_limits  # noqa: PLC0415 - only here

    frequencies, sums = _normalised(vectors)
    counts = _point_counts(sums if weights is None else weights, len(sums))
    points = projected(frequencies, seed)
    # equal intervals are one point of more weight: k-means starts from k unlike ones
    unlike, where = np.unique(points, axis=0, return_inverse=True)
    where = where.reshape(-1)
    joined = np.asarray(np.bincount(where, counts), dtype=np.float64)
    with threadpool_limits(limits=1):  # partial sums of several threads are rounded differently
        tried = [
            _best_of_starts(unlike, joined, k, seed, starts)
            for k in range(1, min(most, len(unlike)) + 1)
        ]
    scores = tuple(score for score, _ in tried)
    labels = numbered_by_first(tried[choose_k(scores) - 1][1][where])
    weighed = np.bincount(labels, counts)
    return KMeansClustering(
        tuple(labels.tolist()),
        tuple(nearest_to_centre(points, labels, counts).tolist()),
        tuple((weighed / weighed.sum()).tolist()),
    )


def bic(points: Points, labels: Numbers, counts: Weights) -> float:
    """The Bayesian information criterion of a clustering: the higher, the better.

    Points are taken for draws from k spherical Gaussians of one variance (Pelleg and Moore,
    X-means, 2000), as SimPoint 3 computes it for intervals of any length: ``counts`` are the
    weights scaled to sum to the number of points n. With d dimensions, cluster j of share
    W_j = (sum of its counts) / n, and c(i) the centre of point i's cluster::

        variance   = sum_i counts_i |x_i - c(i)|^2 / (d n)
        likelihood = n (sum_j W_j ln W_j - d/2 (ln(2 pi variance) + 1))
        BIC        = likelihood - ((k - 1) + k d + 1)/2 ln n

    The parameters are k - 1 shares, k centres and one variance.
    """
    n, d = float(counts.sum()), points.shape[1]
    shares = np.bincount(labels, counts) / n
    squares = np.square(points - centres(points, labels, counts)[labels]).sum(axis=1)
    variance = max(float(counts @ squares) / (d * n), VARIANCE_FLOOR)
    of_shares = math.fsum(share * math.log(share) for share in shares.tolist())
    likelihood = n * (of_shares - d / 2 * (math.log(2 * math.pi * variance) + 1))
    parameters = (len(shares) - 1) + len(shares) * d + 1
    return float(likelihood - parameters / 2 * math.log(n))


def choose_k(scores: tuple[float, ...]) -> int:
    """The smallest k whose BIC is 90 % of the way from the lowest to the highest.

    ``scores`` are those of k = 1, 2, …
    """
    low, high = min(scores), max(scores)
    enough = min(low + BIC_SHARE * (high - low), high)  # not above the highest by rounding
    return next(k for k, score in enumerate(scores, 1) if score >= enough)


def projected(frequencies: csr_array, seed: int) -> Points:
    """Project rows to 15 dimensions by a matrix drawn evenly from -1 to 1; fewer are left alone.

    Dimensions that no row uses are left out before.
    """
    used = np.unique(frequencies.indices)
    if len(used) == 0:
        return np.zeros((frequencies.shape[0], 1))
    if len(used) <= DIMENSIONS:
        return np.asarray(frequencies[:, used].toarray(), dtype=np.float64)
    matrix = np.random.default_rng(seed).uniform(-1.0, 1.0, (len(used), DIMENSIONS))
    # a sparse product sums each row by itself, so that equal rows stay equal
    return np.asarray(frequencies[:, used] @ matrix, dtype=np.float64)


def sparse_rows(vectors: npt.NDArray[np.float64] | csr_array) -> csr_array:
    """A table as sparse rows of their own, each place once and without zeros."""
    from scipy.sparse import csr_array  # noqa: PLC0415 - slow to load

    table: csr_array = csr_array(vectors, copy=True)
    table.sum_duplicates()
    table.eliminate_zeros()
    return table.astype(np.float64)


def _normalised(vectors: npt.NDArray[np.float64] | csr_array) -> tuple[csr_array, Weights]:
    """Each row divided by its sum, and the sums."""
    table = sparse_rows(vectors)
    if table.shape[0] == 0:
        raise ValueError("there are no intervals")
    if not (np.isfinite(table.data).all() and (table.data >= 0).all()):
        raise ValueError("a frequency is negative, infinite or not a number")
    sums = np.asarray(table.sum(axis=1), dtype=np.float64)
    table.data /= np.repeat(sums, np.diff(table.indptr))
    return table, sums


def _point_counts(weights: Weights, n: int) -> Weights:
    """Scale weights so that their sum is the number of intervals."""
    if weights.shape != (n,) or not (np.isfinite(weights).all() and (weights > 0).all()):
        raise ValueError("each interval needs a weight above 0")
    return np.asarray(weights * (n / weights.sum()), dtype=np.float64)


def _best_of_starts(
    points: Points, counts: Weights, k: int, seed: int, starts: int
) -> tuple[float, Numbers]:
    """The highest BIC of k-means with k clusters from several starts, and its labels."""
    if k == 1 or k == len(points):
        labels = np.arange(len(points)) % k
        return bic(points, labels, counts), labels
    best: tuple[float, Numbers] | None = None
    for start in range(starts):
        labels = _k_means(points, counts, k, (seed, k, start))
        score = bic(points, labels, counts)
        if best is None or score > best[0]:
            best = score, labels
    assert best is not None
    return best


def _k_means(points: Points, counts: Weights, k: int, seeds: tuple[int, ...]) -> Numbers:
    from sklearn.cluster import KMeans  # noqa: PLC0415 - slow to load
    from sklearn.exceptions import ConvergenceWarning  # noqa: PLC0415 - as above

    state = int(np.random.SeedSequence(seeds).generate_state(1)[0])
    method = KMeans(k, init="k-means++", n_init=1, max_iter=ITERATIONS, tol=0, random_state=state)
    with warnings.catch_warnings():
        # points that differ by rounding only may end in fewer clusters, which BIC then counts
        warnings.simplefilter("ignore", ConvergenceWarning)
        labels = method.fit(points, sample_weight=counts).labels_
    return numbered_by_first(np.asarray(labels, dtype=np.int64))
