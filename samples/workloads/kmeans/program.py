"""Clustering by k-means: one launch an iteration, until few points change their cluster."""

from math import ceil, sqrt

import numpy as np
from scipy.spatial.distance import cdist

from warpmill.checks import close, equal, holds

CAPACITY = 32 * 34  # features of all centres, as in kmeans.cu
NEAR = 1e-4  # squared distances that are so near to each other may be told apart wrongly


def make(points, clusters, features, seed, **others):
    """Draw points around more places than there are clusters, around some more often."""
    if not 2 <= clusters <= points or features < 1 or clusters * features > CAPACITY:
        raise ValueError(
            f"clusters is from 2 to the points; with features, up to {CAPACITY} values"
        )
    if others["iterations"] < 1:
        raise ValueError("iterations is at least 1")
    rng = np.random.default_rng(seed)
    places = 3 * clusters
    at = rng.uniform(0, 10, (places, features))
    spread = rng.uniform(0.5, 2.5, places)
    place = rng.choice(places, points, p=rng.dirichlet(np.full(places, 4.0)))
    drawn = rng.standard_normal((points, features), np.float32)
    drawn *= spread[place, None].astype(np.float32)
    drawn += at[place].astype(np.float32)
    return {"points": drawn, "clusters": clusters, **others}


def run(device, modules, inputs):
    """Begin with the first points as centres; then the host moves them to their members' means."""
    points, block, clusters = inputs["points"], inputs["block"], inputs["clusters"]
    count, features = points.shape
    module, side = modules["kmeans"], ceil(sqrt(ceil(count / block)))
    by_point = device.array(points, name="by_point")
    by_feature = device.empty(points.size, np.float32, name="by_feature")
    swap = [by_point, by_feature, count, features]
    device.launch(module["kmeans_swap"], side * side, block, swap)
    by_point.free()
    swapped = by_feature.get()

    nearest = device.empty(count, np.int32, name="membership")
    sizes = [nearest, count, clusters, features]
    if modules.is_opencl:
        centres = device.empty(clusters * features, np.float32, name="centres")
        args = [by_feature, *sizes, centres]
    else:
        centres = module.symbol("centres", np.float32)[: clusters * features]
        args = [device.texture(by_feature, linear_memory=True), *sizes]
        by_feature.free()
    membership, moved, changed = np.full(count, -1, np.int32), points[:clusters], []
    for _ in range(inputs["iterations"]):
        used, before = moved, membership
        centres.set(used.ravel())
        device.launch(module["kmeans_c"], (side, side), block, args)
        membership = nearest.get()
        moved = _means(points, membership, used)
        changed.append(np.count_nonzero(membership != before))
        if changed[-1] < inputs["threshold"] * count:
            break
    return {
        "by_feature": swapped,
        "membership": membership,
        "used": used,
        "centres": moved,
        "changed": np.array(changed),
    }


def check(inputs, results):
    """Compare the last assignment with SciPy's distances, and the centres with members' means."""
    points, membership = inputs["points"], results["membership"]
    yield equal("by_feature", results["by_feature"], points.T.ravel(), "numpy.transpose")
    by = "scipy.spatial.distance.cdist in float64"
    distances = cdist(points, results["used"], "sqeuclidean")
    least, second = np.partition(distances, 1, axis=1)[:, :2].T
    clear = second - least > NEAR * second
    yield holds(
        "points that are clearly nearer to one centre, in 1,000", [clear.mean() > 0.999], by
    )
    name = f"membership, without {np.count_nonzero(~clear)} points near a tie"
    yield equal(name, membership[clear], distances.argmin(axis=1)[clear], by)
    one_hot = (membership == np.arange(inputs["clusters"])[:, None]).astype(np.float64)
    members = one_hot.sum(axis=1, keepdims=True)
    means = np.where(members > 0, one_hot @ points / np.maximum(members, 1), results["used"])
    by = "product with a matrix of memberships in float64"
    yield close("centres", results["centres"], means, by, rtol=1e-6, atol=1e-6)


def _means(points, membership, before):
    """The means of the clusters' members; a cluster without members stays where it was."""
    means = before.copy()
    for cluster in range(len(before)):
        members = points[membership == cluster]
        if len(members):
            means[cluster] = members.mean(axis=0, dtype=np.float64)
    return means
