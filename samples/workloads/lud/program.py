"""LU decomposition: three launches a step along the diagonal, on grids that shrink."""

import numpy as np
from scipy.linalg import lu_factor

from warpmill.checks import close, equal

TILE = 16


def make(size, seed):
    """Draw a matrix whose columns are dominated by the diagonal: pivoting would change nothing."""
    if size < TILE or size % TILE:
        raise ValueError(f"size is a multiple of {TILE}, from {TILE} on")
    rng = np.random.default_rng(seed)
    matrix = rng.random((size, size), np.float32) - np.float32(0.5)
    np.fill_diagonal(matrix, np.abs(matrix).sum(axis=0) * rng.uniform(1.1, 2.0, size))
    return {"matrix": matrix}


def run(device, modules, inputs):
    """Decompose step by step; the last tile on the diagonal has nothing beyond it."""
    module, size = modules["lud"], len(inputs["matrix"])
    matrix = device.array(inputs["matrix"], name="matrix")
    for first in range(0, size, TILE):
        args = [matrix, size, first]
        beyond = (size - first) // TILE - 1
        device.launch(module["lud_diagonal"], 1, TILE, args)
        if beyond:
            device.launch(module["lud_perimeter"], beyond, 2 * TILE, args)
            device.launch(module["lud_internal"], (beyond, beyond), (TILE, TILE), args)
    return {"factors": matrix.get()}


def check(inputs, results):
    """Compare with LAPACK's factors, which need no pivots here, and multiply the factors back."""
    matrix, factors = inputs["matrix"].astype(np.float64), results["factors"].astype(np.float64)
    expected, pivots = lu_factor(matrix)
    by = "scipy.linalg.lu_factor"
    yield equal(
        "pivots, the matrix is dominated by its diagonal", pivots, np.arange(len(matrix)), by
    )
    lower, upper = np.tril(factors, -1) + np.eye(len(factors)), np.triu(factors)
    # sums of `size` products cancel down to elements of 0.5; errors scale with the sums
    scale = np.abs(lower) @ np.abs(upper)
    yield close(
        "L @ U / scale", lower @ upper / scale, matrix / scale, "the matrix", rtol=0, atol=1e-6
    )
    yield close("factors", factors, expected, by, rtol=1e-5, atol=1e-6)
