"""Separable convolution: rows to a buffer, then columns of the buffer."""

import numpy as np
from scipy.ndimage import convolve1d

from warpmill.checks import close

RADIUS = 8
ROW_BLOCK, COLUMN_BLOCK = (16, 4), (16, 8)
STEPS = 8  # pixels of a thread, in both kernels


def make(width, height, repeats, seed):
    """Make an image and a filter without symmetry."""
    columns, rows = STEPS * ROW_BLOCK[0], STEPS * COLUMN_BLOCK[1]
    if min(width, height, repeats) < 1 or width % columns or height % rows:
        raise ValueError(f"width is a multiple of {columns}, height of {rows}; repeats from 1 on")
    rng = np.random.default_rng(seed)
    return {
        "image": rng.random((height, width), np.float32),
        "taps": rng.random(2 * RADIUS + 1, np.float32),
        "repeats": repeats,
    }


def run(device, modules, inputs):
    """Convolve the image, as often as is asked for; the result and the rows alone."""
    image, module = inputs["image"], modules["conv"]
    height, width = image.shape
    source = device.array(image, name="input")
    rows = device.empty(image.shape, np.float32, name="rows")
    output = device.empty(image.shape, np.float32, name="output")
    if modules.is_opencl:
        taps = [device.array(inputs["taps"], name="taps")]
    else:
        module.symbol("taps", np.float32, inputs["taps"].shape).set(inputs["taps"])
        taps = []
    row_grid = (width // (STEPS * ROW_BLOCK[0]), height // ROW_BLOCK[1])
    column_grid = (width // COLUMN_BLOCK[0], height // (STEPS * COLUMN_BLOCK[1]))
    for _ in range(inputs["repeats"]):
        arguments = [rows, source, width, width, *taps]
        device.launch(module["convolution_rows"], row_grid, ROW_BLOCK, arguments)
        arguments = [output, rows, height, width, *taps]
        device.launch(module["convolution_columns"], column_grid, COLUMN_BLOCK, arguments)
    return {"rows": rows.get(), "output": output.get()}


def check(inputs, results):
    """Compare with SciPy's convolution in float64."""
    taps, expected = inputs["taps"].astype(np.float64), inputs["image"].astype(np.float64)
    for axis, name in ((1, "rows"), (0, "output")):
        expected = convolve1d(expected, taps, axis, mode="constant")
        # sums of 17 positive terms, twice
        yield close(name, results[name], expected, "scipy.ndimage.convolve1d", rtol=4e-6)
