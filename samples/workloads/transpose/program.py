"""Transpose: the same matrix with each of two kernels."""

import numpy as np

from warpmill.checks import equal

TILE = 16  # as the kernels have it
KERNELS = ("transpose_naive", "transpose")


def make(width, height, launches, seed):
    """Draw a matrix; sides need not be multiples of the tile."""
    if min(width, height, launches) < 1:
        raise ValueError("width, height and launches are 1 or more")
    rng = np.random.default_rng(seed)
    return {"matrix": rng.random((height, width), np.float32), "launches": launches}


def run(device, modules, inputs):
    """Transpose with one kernel, then with the other; both results."""
    height, width = inputs["matrix"].shape
    matrix = device.array(inputs["matrix"], name="matrix")
    grid = (-(-width // TILE), -(-height // TILE))
    results = {}
    for kernel in KERNELS:
        turned = device.zeros((width, height), np.float32, name=kernel)
        for _ in range(inputs["launches"]):
            args = [matrix, turned, width, height]
            device.launch(modules["transpose"][kernel], grid, (TILE, TILE), args)
        results[kernel] = turned.get()
    return results


def check(inputs, results):
    """Compare with NumPy's transposes, to the bit."""
    for kernel in KERNELS:
        yield equal(kernel, results[kernel], inputs["matrix"].T, "numpy.transpose")
