"""Nearest neighbours: distances on the device, the nearest records picked by the host."""

import numpy as np
from scipy.spatial import cKDTree

from warpmill.checks import close, equal

PLACE = np.dtype([("latitude", np.float32), ("longitude", np.float32)])
POSITIONS = 28  # of a storm on its way, on average


def make(*, records, targets, nearest, grid_width, block, seed):
    """Make the places where storms were: they start in a few regions and drift in steps."""
    if not 1 <= nearest <= records or targets < 1:
        raise ValueError("nearest is from 1 to the number of records, targets is at least 1")
    if grid_width < 1 or not 1 <= block <= 1024:
        raise ValueError("grid_width is at least 1, block is from 1 to 1024")
    rng = np.random.default_rng(seed)
    storms = max(1, records // POSITIONS)
    storm = np.sort(rng.integers(0, storms, records))
    regions = np.array([[14.0, 30.0], [16.0, 100.0], [12.0, 55.0], [25.0, 85.0]])
    start = regions[rng.integers(0, len(regions), storms)] + rng.normal(0, 4, (storms, 2))
    course = rng.normal([0.5, 0.7], 0.3, (storms, 2))
    step = np.arange(records) - np.searchsorted(storm, storm)
    place = start[storm] + step[:, None] * course[storm] + rng.normal(0, 0.2, (records, 2))
    places = np.round(place, 1).astype(np.float32)
    wanted = np.vstack([[30, 90], rng.uniform([5, 20], [45, 110], (targets - 1, 2))])
    return {
        "places": places,
        "targets": wanted.astype(np.float32),
        "nearest": nearest,
        "grid_width": grid_width,
        "block": block,
    }


def run(device, modules, inputs):
    """Find the nearest records of each target, nearest first; all distances of each, too."""
    kernel, block = modules["nn"]["nearest_neighbor"], inputs["block"]
    count, nearest = len(inputs["places"]), inputs["nearest"]
    places = device.array(inputs["places"].view(PLACE).ravel(), name="places")
    distances = device.zeros(count, np.float32, name="distances")
    ctas = -(-count // block)
    width = min(ctas, inputs["grid_width"])
    chosen, computed = [], []
    for latitude, longitude in inputs["targets"]:
        given = [places, distances, count, latitude, longitude]
        device.launch(kernel, (width, -(-ctas // width)), block, given)
        found = distances.get()
        chosen.append(np.argsort(found, kind="stable")[:nearest])
        computed.append(found)
    return {"nearest": np.array(chosen), "distances": np.array(computed)}


def check(inputs, results):
    """Compare with a tree's answers and with distances in double precision.

    Records may lie in the same place: those found need not be the tree's, their distances are.
    """
    places = inputs["places"].astype(np.float64)
    targets = inputs["targets"].astype(np.float64)
    expected = np.hypot(*(targets[:, None] - places[None]).transpose(2, 0, 1))
    # two roundings of differences, two of squares, a sum and a root: below 4 of 2**-24 each
    yield close("distances", results["distances"], expected, "numpy.hypot, in float64", rtol=1e-6)
    of_tree, _ = cKDTree(places).query(targets, k=range(1, inputs["nearest"] + 1))
    picked = np.take_along_axis(expected, results["nearest"], axis=1)
    yield close("nearest", picked, of_tree, "scipy.spatial.cKDTree", rtol=1e-6)
    kinds = [len(np.unique(row)) for row in results["nearest"]]
    yield equal("different records", kinds, [inputs["nearest"]] * len(kinds), "their number")
