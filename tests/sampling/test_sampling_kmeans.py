"""k-means as SimPoint's: BIC beside figures of SimPoint and a twin, mixtures whose k is known."""

import math

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_info, threadpool_limits

from warpmill.simulator.sampling import clustering as kmeans
from warpmill.simulator.sampling.clustering import bic, choose_k, cluster_frequencies, projected


def with_distortions(sizes, distortions, dimensions=15):
    """Make clusters of so many points whose squared distances to their centres sum to that."""
    points, labels = [], []
    for cluster, (size, distortion) in enumerate(zip(sizes, distortions, strict=True)):
        rows = np.full((size, dimensions), 10.0 * cluster)
        rows[0, 0] += math.sqrt(distortion / 2)
        rows[1, 0] -= math.sqrt(distortion / 2)
        points.append(rows)
        labels += [cluster] * size
    return np.concatenate(points), np.array(labels)


# What SimPoint 3.2 prints for the sample it comes with and for gcc: points in each cluster (their
# shares are in its .weights file, or are distortion / variance + 1), distortions, BIC.
PRINTED = [
    ((500,), (285.249,), 1568.1),
    ((4692,), (5984.8,), -13200.2),
    ((108, 40, 307, 45), (50.282, 37.9563, 87.9128, 59.1114), 1616.79),
    (
        (10, 223, 108, 8, 73, 11, 43, 24),
        (16.2846, 48.5346, 35.5441, 4.82099, 29.8811, 21.9045, 27.3171, 20.4839),
        1684.51,
    ),
]


@pytest.mark.parametrize("sizes, distortions, printed", PRINTED)
def test_bic_is_what_simpoint_prints(sizes, distortions, printed):
    points, labels = with_distortions(sizes, distortions)
    assert bic(points, labels, np.ones(len(points))) == pytest.approx(printed, rel=1e-5)


def naive_bic(points, labels, weights):
    """Sum over points, one by one, the logarithm of how likely each is."""
    n, d, k = len(points), len(points[0]), max(labels) + 1
    counts = [w * n / sum(weights) for w in weights]
    totals = [sum(c for c, j in zip(counts, labels, strict=True) if j == of) for of in range(k)]
    rows = list(zip(points, labels, counts, strict=True))
    means = [
        [sum(c * x[axis] for x, j, c in rows if j == of) / totals[of] for axis in range(d)]
        for of in range(k)
    ]
    squares = [sum((x[a] - means[j][a]) ** 2 for a in range(d)) for x, j, _ in rows]
    variance = sum(c * s for (_, _, c), s in zip(rows, squares, strict=True)) / (d * n)
    likely = 0.0
    for (_, j, c), square in zip(rows, squares, strict=True):
        gaussian = -d / 2 * math.log(2 * math.pi * variance) - square / (2 * variance)
        likely += c * (math.log(totals[j] / n) + gaussian)
    return likely - (k + k * d) / 2 * math.log(n)


def test_bic_as_the_twin_for_points_of_any_weight():
    chance = np.random.default_rng(1)
    for k, d in ((1, 1), (2, 3), (5, 2)):
        points, labels = chance.random((40, d)), np.arange(40) % k
        weights = chance.uniform(0.1, 9, 40)
        counts = weights * 40 / weights.sum()
        expected = naive_bic(points.tolist(), labels.tolist(), weights.tolist())
        assert bic(points, labels, counts) == pytest.approx(expected, rel=1e-12)


def test_bic_of_a_point_that_counts_thrice_is_that_of_three_points():
    points, labels = np.array([[0.0], [1.0], [5.0], [7.0]]), np.array([0, 0, 1, 1])
    counts = np.array([3, 1, 2, 1])
    copies = np.repeat(np.arange(4), counts)
    assert bic(points, labels, counts.astype(float)) == pytest.approx(
        bic(points[copies], labels[copies], np.ones(7)), rel=1e-12
    )


def test_bic_of_clusters_of_equal_points_is_finite():
    points = np.array([[0.1, 0.9], [0.1, 0.9], [0.5, 0.5]])
    exact = bic(points, np.array([0, 0, 1]), np.ones(3))
    assert math.isfinite(exact)
    assert exact > bic(points, np.array([0, 0, 0]), np.ones(3))
    assert exact > bic(points, np.array([0, 1, 2]), np.ones(3))


@pytest.mark.parametrize(
    "scores, k",
    [
        ((5.0,), 1),
        ((0.0, 10.0), 2),
        ((0.0, 9.0, 10.0), 2),
        ((0.0, 8.9, 10.0), 3),
        ((-100.0, -200.0, -110.0), 1),
        ((-200.0, -112.0, -100.0, -105.0), 3),
        ((7.0, 7.0, 7.0), 1),
        ((0.1, 0.3, 0.1 + 0.2), 2),
    ],
)
def test_smallest_k_whose_bic_is_nine_tenths_up(scores, k):
    assert choose_k(scores) == k


def mixture(k, n=600, dimensions=200, seed=0):
    """Intervals of k kinds, of 1,000 to 100,000 instructions, and the kind of each."""
    chance = np.random.default_rng(seed)
    kinds = chance.dirichlet(np.full(dimensions, 0.1), k)
    of = np.concatenate([np.arange(k), chance.integers(0, k, n - k)])
    lengths = chance.integers(1_000, 100_000, n)
    return chance.poisson(kinds[of] * lengths[:, None]).astype(float), of


@pytest.mark.one_in(3)
@pytest.mark.parametrize("k", [2, 3, 5, 8])
@pytest.mark.parametrize("dimensions", [12, 200])
def test_known_kinds_are_found(k, dimensions):
    vectors, of = mixture(k, dimensions=dimensions, seed=k)
    found = cluster_frequencies(vectors)
    assert found.k == k
    assert found.labels == tuple(of.tolist())  # kinds are numbered by first intervals, too
    executed = vectors.sum(axis=1)
    shares = [executed[of == kind].sum() / executed.sum() for kind in range(k)]
    assert found.weights == pytest.approx(shares)
    assert [of[chosen] for chosen in found.representatives] == list(range(k))


def test_noise_is_one_kind():
    noise = np.random.default_rng(0).random((600, 200))
    found = cluster_frequencies(noise)
    assert found.k == 1


def test_each_interval_is_in_the_cluster_of_the_nearest_centre():
    chance = np.random.default_rng(8)
    vectors = chance.dirichlet(np.ones(6), 300) * chance.integers(10, 1000, 300)[:, None]
    vectors[::3] += [4000, 0, 0, 0, 0, 0]
    found = cluster_frequencies(vectors, most=4)
    labels, executed = np.array(found.labels), vectors.sum(axis=1)
    assert found.k > 1
    points = vectors / executed[:, None]
    means = np.array(
        [
            np.average(points[labels == j], axis=0, weights=executed[labels == j])
            for j in range(found.k)
        ]
    )
    apart = np.linalg.norm(points[:, None] - means[None], axis=2)
    assert labels.tolist() == apart.argmin(axis=1).tolist()
    for cluster, chosen in enumerate(found.representatives):
        assert apart[chosen, cluster] == apart[labels == cluster, cluster].min()


def test_weights_decide_what_stands_for_a_cluster_and_whether_it_is_worth_one():
    chance = np.random.default_rng(9)
    shares = np.full((90, 8), 0.1) + chance.normal(0, 0.01, (90, 8))
    shares[np.arange(90), np.arange(90) % 3] += 0.2
    even = cluster_frequencies(shares, np.ones(90))
    assert even.k == 3
    rare = np.where(np.arange(90) % 3 == 1, 1e-5, 1.0)
    assert cluster_frequencies(shares, rare).k == 2
    long = np.ones(90)
    long[42] = 1e6
    assert 42 in cluster_frequencies(shares, long).representatives
    assert 42 not in even.representatives


def test_weights_decide_which_intervals_share_a_cluster():
    x = np.array([0.0, 0.4, 1.0])[np.arange(30) % 3]
    vectors = np.column_stack([x, 1 - x])
    assert cluster_frequencies(vectors, np.ones(30), most=2).labels == (0, 0, 1) * 10
    rare = np.where(x == 1, 0.01, 1.0)
    assert cluster_frequencies(vectors, rare, most=2).labels == (0, 1, 1) * 10


def test_an_interval_weighs_its_frequencies_unless_told():
    vectors, _ = mixture(3, n=60, dimensions=20)
    assert cluster_frequencies(vectors) == cluster_frequencies(vectors, vectors.sum(axis=1))
    assert cluster_frequencies(vectors) == cluster_frequencies(vectors, 8 * vectors.sum(axis=1))
    lengths = np.random.default_rng(1).integers(1, 50, (60, 1))
    stretched = cluster_frequencies(vectors * lengths, vectors.sum(axis=1))
    assert stretched == cluster_frequencies(vectors)
    assert cluster_frequencies(vectors * lengths).weights != stretched.weights


def test_order_of_dimensions_does_not_matter_where_none_is_projected():
    vectors, _ = mixture(4, n=80, dimensions=15)
    order = np.random.default_rng(2).permutation(15)
    one, other = cluster_frequencies(vectors), cluster_frequencies(vectors[:, order])
    assert (one.labels, one.representatives) == (other.labels, other.representatives)


def test_dimensions_that_nothing_uses_do_not_matter():
    vectors, _ = mixture(4, n=80, dimensions=40)
    wide = np.zeros((80, 120))
    wide[:, 2::3] = vectors
    assert cluster_frequencies(wide) == cluster_frequencies(vectors)


def test_sparse_vectors_as_dense_ones():
    vectors, _ = mixture(4, n=80, dimensions=40)
    assert cluster_frequencies(csr_array(vectors)) == cluster_frequencies(vectors)
    halves = csr_array(  # each place is given twice
        (np.full(4, 0.5), np.array([1, 1, 0, 0]), np.array([0, 2, 4])), shape=(2, 2)
    )
    assert cluster_frequencies(halves) == cluster_frequencies(np.array([[0.0, 1], [1, 0]]))
    assert halves.nnz == 4


def test_projection_is_linear_seeded_and_drawn_from_minus_one_to_one():
    rows = csr_array(np.eye(400))
    matrix = projected(rows, 1)
    assert matrix.shape == (400, 15)
    assert -1 <= matrix.min() < -0.99 and 0.99 < matrix.max() <= 1
    assert abs(matrix.mean()) < 0.03
    assert matrix.var() == pytest.approx(1 / 3, abs=0.02)
    mixed = np.random.default_rng(0).random((5, 400))
    assert projected(csr_array(mixed), 1) == pytest.approx(mixed @ matrix)
    assert not np.array_equal(projected(rows, 2), matrix)
    assert np.array_equal(projected(csr_array(np.eye(15)), 1), np.eye(15))


def test_no_more_clusters_than_unlike_intervals():
    three = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0.5, 0.5]])
    rows = np.arange(50) % 3
    found = cluster_frequencies(three[rows] * np.arange(1, 51)[:, None])
    assert found.k == 3
    assert found.labels == tuple(rows.tolist())
    assert found.representatives == (24, 25, 26)  # of 1, 4, … 49 instructions 25, and so on
    alone = cluster_frequencies(three[:1])
    assert (alone.labels, alone.representatives, alone.weights) == ((0,), (0,), (1.0,))
    assert cluster_frequencies(np.ones((9, 4))).k == 1


def test_intervals_that_differ_by_rounding_only():
    base = np.array([[0.2, 0.3, 0.5], [0.6, 0.2, 0.2]])
    vectors = base[np.arange(40) % 2] * (1 + 1e-16 * np.arange(120).reshape(40, 3))
    vectors = vectors + 1e-16 * np.random.default_rng(0).random((40, 3))
    found = cluster_frequencies(vectors, np.ones(40))
    assert found.k == 2
    assert found.labels == (0, 1) * 20


def test_most_clusters():
    vectors, _ = mixture(8, n=100, dimensions=30)
    found = cluster_frequencies(vectors, most=3)
    assert found.k == 3
    assert sum(found.weights) == pytest.approx(1)


def test_intervals_without_frequencies_are_alike():
    vectors = np.array([[1.0, 2], [0, 0], [2, 4], [0, 0]])
    assert cluster_frequencies(vectors, np.ones(4)).labels == (0, 1, 0, 1)
    assert cluster_frequencies(np.zeros((3, 2)), np.ones(3)).labels == (0, 0, 0)


@pytest.mark.parametrize(
    "vectors, weights, words",
    [
        ([[1.0, -1.0]], None, "negative"),
        ([[1.0, np.nan]], None, "not a number"),
        ([[1.0, np.inf]], None, "infinite"),
        ([[1.0], [0.0]], None, "weight above 0"),
        ([[1.0], [1.0]], [1.0, 0.0], "weight above 0"),
        ([[1.0], [1.0]], [1.0, np.nan], "weight above 0"),
        ([[1.0], [1.0]], [1.0], "weight above 0"),
        (np.zeros((0, 3)), None, "no intervals"),
    ],
)
def test_misuse(vectors, weights, words):
    with pytest.raises(ValueError, match=words):
        cluster_frequencies(np.array(vectors), None if weights is None else np.array(weights))


def test_the_same_again_on_any_number_of_threads(monkeypatch):
    vectors, _ = mixture(6, n=2000, dimensions=60)
    once = cluster_frequencies(vectors, seed=3)
    threads = set()
    fit = KMeans.fit

    def watched(*given, **named):
        threads.update(pool["num_threads"] for pool in threadpool_info())
        return fit(*given, **named)

    monkeypatch.setattr(KMeans, "fit", watched)
    with threadpool_limits(limits=4):
        assert cluster_frequencies(vectors, seed=3) == once
        assert max(pool["num_threads"] for pool in threadpool_info()) == 4
    assert threads == {1}


def test_seeds_and_starts(monkeypatch):
    seen = []
    kept = kmeans._k_means

    def watched(points, counts, k, seeds):
        seen.append(seeds)
        return kept(points, counts, k, seeds)

    monkeypatch.setattr(kmeans, "_k_means", watched)
    vectors, _ = mixture(3, n=30, dimensions=20)
    cluster_frequencies(vectors, most=4, seed=11, starts=2)
    assert seen == [(11, k, start) for k in (2, 3, 4) for start in (0, 1)]
    monkeypatch.setattr(kmeans, "_k_means", lambda *given: answers[given[3][2]])
    middle = np.arange(6) // 3
    answers = [np.arange(6) % 2, middle, np.array([0, 0, 1, 1, 1, 1])]
    points = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.3]])
    score, labels = kmeans._best_of_starts(points, np.ones(6), 2, 0, 3)
    assert labels is middle
    assert score == bic(points, middle, np.ones(6))
