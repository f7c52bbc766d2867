"""Cheapest ways through a grid: some rows a launch, rows of sums back and forth."""

import numpy as np

from warpmill.checks import equal

BLOCK = 256  # cells of a block's piece of a row, as the kernel has it


def make(columns, rows, pyramid, seed):
    """Draw a cost from 0 to 9 for each cell."""
    if not 1 <= pyramid < BLOCK // 2:
        raise ValueError(f"pyramid is 1 to {BLOCK // 2 - 1}, a launch stores {BLOCK} - 2 * pyramid")
    if rows < 2 or columns < 1:
        raise ValueError("rows are 2 or more, columns 1 or more")
    rng = np.random.default_rng(seed)
    return {"costs": rng.integers(0, 10, (rows, columns), dtype=np.int32), "pyramid": pyramid}


def run(device, modules, inputs):
    """Go down from the first row, `pyramid` rows a launch; the sums in the last row."""
    rows, columns = inputs["costs"].shape
    costs = device.array(inputs["costs"][1:], name="costs")
    now = device.array(inputs["costs"][0], name="sums")
    then = device.zeros(columns, np.int32, name="other sums")
    for row in range(0, rows - 1, inputs["pyramid"]):
        steps = min(inputs["pyramid"], rows - 1 - row)
        grid = -(-columns // (BLOCK - 2 * steps))
        arguments = [steps, costs, now, then, columns, row]
        device.launch(modules["pathfinder"]["dynproc"], grid, BLOCK, arguments)
        now, then = then, now
    return {"sums": now.get()}


def check(inputs, results):
    """Go through whole rows with NumPy, a sum that no way has around them."""
    first, *others = inputs["costs"]
    sums = first
    for costs in others:
        padded = np.pad(sums, 1, constant_values=np.iinfo(np.int32).max)
        sums = costs + np.lib.stride_tricks.sliding_window_view(padded, 3).min(axis=1)
    yield equal("sums", results["sums"], sums, "dynamic programming over whole rows in NumPy")
