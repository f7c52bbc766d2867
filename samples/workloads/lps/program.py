"""Laplace's equation in three dimensions by Jacobi iterations, a launch each."""

import numpy as np
from scipy import ndimage

from warpmill.checks import close

TILE = (32, 4)  # points of a block's tile along x and y, as the kernel has it
ALIGNED = 32  # a row begins at a multiple of so many elements


def make(width, height, depth, iterations, seed):
    """Draw a grid of values from 0 to 1, those on its surface among them."""
    if min(width, height, depth, iterations) < 1:
        raise ValueError("width, height, depth and iterations are 1 or more")
    rng = np.random.default_rng(seed)
    return {"grid": rng.random((depth, height, width), np.float32), "iterations": iterations}


def run(device, modules, inputs):
    """Iterate between two arrays whose rows are padded; the grid at the end."""
    depth, height, width = inputs["grid"].shape
    pitch = -(-width // ALIGNED) * ALIGNED
    padded = np.zeros((depth, height, pitch), np.float32)
    padded[..., :width] = inputs["grid"]
    now = device.array(padded, name="values")
    then = device.zeros(padded.shape, np.float32, name="other values")
    grid = (-(-width // TILE[0]), -(-height // TILE[1]))
    for _ in range(inputs["iterations"]):
        arguments = [now, then, width, height, depth, pitch]
        device.launch(modules["lps"]["lps"], grid, TILE, arguments)
        now, then = then, now
    return {"grid": now.get()[..., :width]}


def check(inputs, results):
    """Convolve the whole grid in double precision.

    Values stay between 0 and 1. An iteration rounds the sums of two to six of them and a sixth of
    the last one, which together is less than 2.5e-7.
    """
    stencil = ndimage.generate_binary_structure(3, 1) / 6.0
    stencil[1, 1, 1] = 0
    expected = inputs["grid"].astype(np.float64)
    inner = (slice(1, -1),) * 3
    for _ in range(inputs["iterations"]):
        mean = ndimage.convolve(expected, stencil)
        expected[inner] = mean[inner]
    got, atol = results["grid"], 2.5e-7 * inputs["iterations"]
    against = "scipy.ndimage.convolve in double precision"
    yield close("grid", got, expected, against, rtol=0, atol=atol)
