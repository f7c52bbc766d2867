"""Particles in boxes: potentials and forces, found in one launch."""

from itertools import product

import numpy as np
from scipy.spatial.distance import cdist

from warpmill.checks import close

PARTICLES, BLOCK, MOST_NEIGHBOURS = 100, 128, 26  # as the kernel has them
EXACT = 1e-12  # of what all particles together do: a cancellation in the squares of distances


def make(width, height, depth, alpha, seed):
    """Draw places in each small box, and charges; list the boxes around each."""
    if min(width, height, depth) < 1 or alpha <= 0:
        raise ValueError("width, height and depth are at least 1, alpha is more than 0")
    rng = np.random.default_rng(seed)
    corners = np.array(list(product(range(width), range(height), range(depth))))
    boxes = np.zeros((len(corners), 2 + MOST_NEIGHBOURS), np.int32)
    for number, corner in enumerate(corners):
        near = np.flatnonzero(abs(corners - corner).max(axis=1) == 1)
        boxes[number, :2] = number * PARTICLES, len(near)
        boxes[number, 2 : 2 + len(near)] = near
    places = (corners[:, None] + rng.random((len(corners), PARTICLES, 3))).reshape(-1, 3)
    return {
        "boxes": boxes,
        "places": places,
        "charges": rng.uniform(0.1, 1.0, len(places)),
        "alpha": alpha,
    }


def run(device, modules, inputs):
    """Sum up what acts on each particle: potential and force."""
    places = inputs["places"]
    half_squares = (places**2).sum(axis=1) / 2
    boxes = device.array(inputs["boxes"], name="boxes")
    particles = device.array(np.column_stack([half_squares, places]), name="particles")
    charges = device.array(inputs["charges"], name="charges")
    sums = device.zeros((len(places), 4), np.float64, name="sums")
    arguments = [boxes, particles, charges, sums, inputs["alpha"]]
    device.launch(modules["lavamd"]["lavamd_forces"], len(inputs["boxes"]), BLOCK, arguments)
    return {"sums": sums.get()}


def check(inputs, results):
    """Compare with distances by SciPy, box by box; what acts from each side adds up to nothing."""
    places, charges, sums = inputs["places"], inputs["charges"], results["sums"]
    expected = np.empty_like(sums)
    for box, (first, around, *numbers) in enumerate(inputs["boxes"]):
        own = np.arange(first, first + PARTICLES)
        near = inputs["boxes"][[box, *numbers[:around]], 0]
        others = (near[:, None] + np.arange(PARTICLES)).ravel()
        distances = cdist(places[own], places[others], "sqeuclidean")
        weights = np.exp(-(inputs["alpha"] ** 2) * distances) * charges[others]
        expected[own, 0] = potential = weights.sum(axis=1)
        expected[own, 1:] = 2 * (potential[:, None] * places[own] - weights @ places[others])
    scale = expected[:, 0].max()
    names = ("potentials", "forces")
    against = "scipy.spatial.distance.cdist"
    for name, parts in zip(names, (slice(0, 1), slice(1, 4)), strict=True):
        found, right = sums[:, parts], expected[:, parts]
        yield close(name, found, right, against, rtol=EXACT, atol=EXACT * scale)
    total, nothing = charges @ sums[:, 1:], np.zeros(3)
    most = EXACT * scale * len(sums)
    yield close("sum of forces", total, nothing, "Newton's third law", rtol=0, atol=most)
