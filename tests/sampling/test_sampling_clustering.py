"""Complete linkage and representatives, beside a twin that joins the two nearest clusters."""

from itertools import combinations

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import cdist, pdist

from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.simulator.sampling.clustering import by_distance, nearest_to_centre, numbered_by_first


def naive(points, threshold):
    """Join the two clusters whose furthest members are nearest, while they are near enough."""
    apart = cdist(points, points)
    clusters = [[k] for k in range(len(points))]

    def furthest(pair):
        return max(apart[a, b] for a in pair[0] for b in pair[1])

    while len(clusters) > 1:
        first, second = min(combinations(clusters, 2), key=furthest)
        if furthest((first, second)) > threshold:
            break
        clusters = [each for each in clusters if each not in (first, second)] + [first + second]
    return sorted(sorted(each) for each in clusters)


def members(labels):
    return [np.flatnonzero(labels == k).tolist() for k in range(max(labels, default=-1) + 1)]


@pytest.mark.parametrize("dimensions", [1, 2, 4])
@pytest.mark.parametrize("threshold", [0.02, 0.1, 0.4, 2.0])
def test_as_the_twin(dimensions, threshold):
    chance = np.random.default_rng(dimensions)
    for n in (2, 3, 9, 30):
        points = chance.random((n, dimensions))
        found = by_distance(points, threshold)
        assert sorted(members(found)) == naive(points, threshold)


def test_parting_at_gaps_changes_nothing():
    chance = np.random.default_rng(5)
    middles = chance.uniform(-3, 3, (60, 3))
    points = middles[chance.integers(0, 60, 900)] + chance.normal(0, 0.04, (900, 3))
    whole = fcluster(linkage(points, "complete"), 0.1, "distance")
    assert by_distance(points, 0.1).tolist() == numbered_by_first(whole).tolist()


def test_no_cluster_is_wider_than_the_threshold_and_none_could_be_joined():
    points = np.random.default_rng(2).lognormal(0, 1, (400, 3))
    found = members(by_distance(points, 0.5))
    assert 1 < len(found) < 400
    for each in found:
        assert pdist(points[each]).max(initial=0) <= 0.5
    for one, other in combinations(found, 2):
        assert cdist(points[one], points[other]).max() > 0.5


def test_a_distance_equal_to_the_threshold_is_near_enough():
    assert by_distance(np.array([[0.0], [0.5], [1.25]]), 0.5).tolist() == [0, 0, 1]
    assert by_distance(np.array([[0.0], [0.5]]), 0.49).tolist() == [0, 1]


def test_clusters_are_numbered_by_first_members_in_any_order_of_the_points():
    chance = np.random.default_rng(3)
    points = chance.random((80, 2))
    found = by_distance(points, 0.3)
    assert found.tolist() == numbered_by_first(found).tolist()
    order = chance.permutation(80)
    assert by_distance(points[order], 0.3).tolist() == numbered_by_first(found[order]).tolist()


def test_equal_points_are_one():
    chance = np.random.default_rng(4)
    few = chance.random((7, 4))
    rows = chance.integers(0, 7, 30_000)
    labels = by_distance(few, 0.2)
    assert by_distance(few[rows], 0.2).tolist() == numbered_by_first(labels[rows]).tolist()
    assert by_distance(few[rows], 0.0).tolist() == numbered_by_first(rows).tolist()


def test_nothing_to_tell_points_apart():
    assert by_distance(np.zeros((3, 0)), 0.1).tolist() == [0, 0, 0]
    assert by_distance(np.zeros((0, 4)), 0.1).tolist() == []
    assert by_distance(np.zeros((1, 4)), 0.1).tolist() == [0]


def test_limit_counts_unlike_points_that_hang_together():
    chain = np.arange(12.0)[:, None]
    with pytest.raises(LimitError, match=r"12 unlike points .* at most 10 are clustered at once"):
        by_distance(chain, 1.5, most=10)
    assert max(by_distance(chain, 0.5, most=1)) == 11
    assert max(by_distance(np.repeat(chain[:10], 5, axis=0), 1.5, most=10)) == 4


@pytest.mark.parametrize(
    "points, threshold, words",
    [
        ([[1.0], [np.nan]], 0.1, "not a number"),
        ([[1.0], [np.inf]], 0.1, "infinite"),
        ([1.0, 2.0], 0.1, "rows"),
        ([[1.0], [2.0]], -0.1, "distance of -0.1"),
        ([[1.0], [2.0]], np.nan, "distance of nan"),
    ],
)
def test_misuse(points, threshold, words):
    with pytest.raises(ValueError, match=words):
        by_distance(np.array(points), threshold)


def test_nearest_to_the_mean():
    points = np.array([[0.0, 0], [9, 9], [1, 0], [5, 0], [8, 9]])
    labels = np.array([0, 1, 0, 0, 1])
    assert nearest_to_centre(points, labels).tolist() == [2, 1]


def test_weights_move_the_mean():
    points = np.array([[0.0], [1], [5]])
    labels = np.zeros(3, dtype=np.int64)
    assert nearest_to_centre(points, labels).tolist() == [1]
    assert nearest_to_centre(points, labels, np.array([1.0, 1, 8])).tolist() == [2]
    assert nearest_to_centre(points, labels, np.array([50.0, 1, 1])).tolist() == [0]


def test_of_equally_near_members_the_one_of_mean_weight_stands_for_all():
    """Times a + b n of launches of n instructions add up as those of launches of the mean n do."""
    points, labels = np.zeros((6, 2)), np.zeros(6, dtype=np.int64)
    weights = np.array([1.0, 2, 30, 3, 60, 90])  # 31 on average
    assert nearest_to_centre(points, labels, weights).tolist() == [2]
    assert nearest_to_centre(points, labels).tolist() == [0]
    assert nearest_to_centre(points, labels, np.full(6, 4.0)).tolist() == [3]
    apart = np.array([[0.0], [0.0], [1.0], [1.0], [1.0], [9.0]])
    assert nearest_to_centre(apart, labels, np.ones(6)).tolist() == [3]


def test_of_equally_near_members_the_first_stands_for_the_cluster():
    chance = np.random.default_rng(6)
    for _ in range(200):
        pair = chance.random((2, 3)) * 10.0 ** chance.integers(-8, 8)
        assert nearest_to_centre(pair, np.zeros(2, dtype=np.int64)).tolist() == [0]


def test_representatives_as_a_plain_loop_finds_them():
    chance = np.random.default_rng(7)
    points, weights = chance.random((200, 3)), chance.uniform(0.1, 5, 200)
    labels = by_distance(points, 0.5)
    for cluster, chosen in enumerate(nearest_to_centre(points, labels, weights)):
        ours = [k for k in range(200) if labels[k] == cluster]
        mean = sum(weights[k] * points[k] for k in ours) / sum(weights[k] for k in ours)
        assert chosen == min(ours, key=lambda k: round(float(np.linalg.norm(points[k] - mean)), 12))
