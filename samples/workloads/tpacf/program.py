"""Two-point angular correlation: all pairs of all catalogues in one launch."""

import numpy as np
from scipy.spatial import cKDTree

from warpmill.checks import equal, holds

BLOCK, BINS = 256, 20  # as the kernel has them
NARROWEST, WIDEST = 10.0, 10_000.0  # angles at the outer edges of the bins, in minutes of arc
CLUSTER = 0.01  # radians: how far the galaxies of a cluster stand from its middle
CLEARLY = 30  # galaxies in clusters that show, however the random points fall
ROUNDING = 4e-7  # of a cosine: three products and two sums in float32, of coordinates that are too


def make(sets, points, clustered, seed):
    """Draw the galaxies, some of them in clusters, and the random catalogues, as unit vectors."""
    if sets < 1 or points < 2:
        raise ValueError("sets are 1 or more, points of each catalogue 2 or more")
    if not 0 <= clustered <= 1:
        raise ValueError("clustered is a share, from 0 to 1")
    rng = np.random.default_rng(seed)
    sky = rng.standard_normal((sets + 1, points, 3))
    in_clusters = int(clustered * points)
    middles = rng.standard_normal((max(1, points // 25), 3))
    middles /= np.linalg.norm(middles, axis=1, keepdims=True)
    sizes = rng.dirichlet(np.ones(len(middles)))
    around = middles[rng.choice(len(middles), in_clusters, p=sizes)]
    sky[0, :in_clusters] = around + CLUSTER * rng.standard_normal((in_clusters, 3))
    sky /= np.linalg.norm(sky, axis=2, keepdims=True)
    angles = np.radians(np.geomspace(NARROWEST, WIDEST, BINS + 1) / 60)
    return {
        "sky": sky.astype(np.float32),
        "edges": np.cos(angles).astype(np.float32),
        "clustered": clustered,
    }


def run(device, modules, inputs):
    """Count the pairs, sum up the random catalogues' histograms, estimate the correlation."""
    module, sky = modules["tpacf"], inputs["sky"]
    catalogues, points, _ = sky.shape
    sets = catalogues - 1
    module.symbol("edges", np.float32, BINS + 1).set(inputs["edges"])
    axes = [device.array(sky[:, :, i].ravel(), name="xyz"[i]) for i in range(3)]
    counts = device.zeros((2 * sets + 1, BINS + 2), np.uint32, name="histograms")
    arguments = [*axes, counts, sets, points]
    device.launch(module["tpacf_histograms"], 2 * sets + 1, BLOCK, arguments)
    histograms = counts.get()
    return {"histograms": histograms, "correlation": correlation(histograms, sets)}


def correlation(histograms, sets):
    """Estimate it as Landy and Szalay do, by bin: 0 where galaxies stand as random points do.

    The first value is that of all pairs nearer than the first edge. NaN where no random ones are.
    """
    share = histograms / histograms.sum(axis=1, keepdims=True)
    random = share[1 : sets + 1].mean(axis=0)
    mixed = share[sets + 1 :].mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return (share[0] - 2 * mixed + random) / random


def check(inputs, results):
    """Count neighbours in k-d trees, at each edge within what rounding of a cosine can do."""
    sky, histograms = inputs["sky"].astype(np.float64), results["histograms"]
    sets, points = len(sky) - 1, sky.shape[1]
    trees = [cKDTree(catalogue) for catalogue in sky]
    edges = inputs["edges"].astype(np.float64)
    # of unit vectors at an angle the ends are sqrt(2 - 2 cos) apart
    near, far = (np.sqrt(np.maximum(2 - 2 * (edges + off), 0)) for off in (ROUNDING, -ROUNDING))
    least, most = (_cumulative(trees, distances) for distances in (near, far))
    narrower = histograms[:, : BINS + 1].cumsum(axis=1)
    against = "scipy.spatial.cKDTree.count_neighbors"
    inside = (least <= narrower) & (narrower <= most)
    yield holds("pairs up to each edge, give or take those that lie on it", inside, against)
    on_edges = (most - least).sum() / histograms.sum()
    yield holds("pairs on edges are less than 1 in 50", [on_edges < 0.02], against)
    pairs = np.full(2 * sets + 1, points * points)
    pairs[: sets + 1] = points * (points - 1) // 2
    yield equal("pairs of each CTA", histograms.sum(axis=1), pairs, "n (n - 1) / 2 and n * n")
    # of all directions, this part is nearer than each edge to a given one
    part = (1 - edges) / 2
    counted, drawn = narrower[1 : sets + 1].sum(axis=0), pairs[1 : sets + 1].sum()
    scatter = np.sqrt(drawn * part * (1 - part))
    as_spread = abs(counted - drawn * part) <= 5 * scatter + 5
    yield holds("random points are spread evenly", as_spread, "areas on a sphere, 5 deviations")
    if inputs["clustered"] * points >= CLEARLY:
        near = np.searchsorted(-edges, -np.cos(2 * CLUSTER))
        together = narrower[0, near] > 3 * pairs[0] * part[near]
        yield holds("galaxies stand in clusters", [together], "areas on a sphere")


def _cumulative(trees, distances):
    """Count the pairs of each CTA that are no further from each other than each distance."""
    own = [(tree.count_neighbors(tree, distances) - tree.n) // 2 for tree in trees]
    mixed = [trees[0].count_neighbors(tree, distances) for tree in trees[1:]]
    return np.array([*own, *mixed])
