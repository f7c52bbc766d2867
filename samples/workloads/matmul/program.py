"""Matrix product: one launch, a tile of the result a CTA."""

import numpy as np

from warpmill.checks import close

TILES = (16, 8)  # that the kernels were made for


def make(height, width, inner, tile, seed):
    """Draw two matrices from [0, 1): the sums have no cancellation, which the tolerance trusts."""
    sides = (height, width, inner)
    if tile not in TILES or min(sides) < 1 or any(side % tile for side in sides):
        raise ValueError("tile is 16 or 8; height, width and inner are multiples of it")
    rng = np.random.default_rng(seed)
    a = rng.random((height, inner), np.float32)
    b = rng.random((inner, width), np.float32)
    return {"a": a, "b": b, "tile": tile}


def run(device, modules, inputs):
    """Multiply with tiles of 16 x 16 or of 8 x 8."""
    tile = inputs["tile"]
    kernel = modules["matmul" if tile == 16 else f"matmul{tile}"]["matmul"]
    (height, inner), width = inputs["a"].shape, inputs["b"].shape[1]
    a, b = device.array(inputs["a"], name="a"), device.array(inputs["b"], name="b")
    c = device.zeros((height, width), np.float32, name="c")
    device.launch(kernel, (width // tile, height // tile), (tile, tile), [a, b, c, width, inner])
    return {"c": c.get()}


def check(inputs, results):
    """Compare with NumPy's product in double precision: some hundred roundings of 6e-8 each."""
    expected = inputs["a"].astype(np.float64) @ inputs["b"].astype(np.float64)
    yield close("c", results["c"], expected, "numpy.matmul in float64", rtol=1e-5)
