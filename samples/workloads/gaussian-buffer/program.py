"""Gaussian blur of a video whose focus is pulled: two passes a frame, with weights of its own."""

from math import ceil

import numpy as np
from scipy import ndimage

from warpmill.checks import close
from warpmill.samples.common.pictures import panning_video

MOST_RADIUS = 24  # as in gaussian.cu, as are the blocks' sizes
ROW_BLOCK = (64, 4)
COLUMN_BLOCK = (16, 16)


def make(*, width, height, frames, sharpest, softest, period, seed):
    """Make a camera's pan over a picture, and how far each frame is out of focus.

    `sharpest` and `softest` are standard deviations, in pixels; `period` is how many frames it
    takes from one sharp picture to the next. A hand pulls the focus: it does not come back to the
    same places.
    """
    if min(width, height, frames, period) < 1:
        raise ValueError("width, height, frames and period are at least 1")
    if not 0 < sharpest <= softest <= MOST_RADIUS / 3:
        raise ValueError(f"0 < sharpest <= softest, which is up to {MOST_RADIUS // 3} pixels")
    rng = np.random.default_rng(seed)
    swing = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(frames) / period)
    swing = np.clip(swing * rng.uniform(0.7, 1.1, frames), 0, 1)
    return {
        "video": panning_video(rng, width, height, frames),
        "deviations": sharpest + (softest - sharpest) * swing,
    }


def run(device, modules, inputs):
    """Blur frame by frame; each is copied to the device, and back when it is done."""
    height, width = inputs["video"].shape[1:3]
    module = modules["gaussian"]
    image = device.empty((height, width, 4), np.uint8, name="image")
    between = device.empty((height, width, 4), np.float32, name="blurred")
    result = device.empty((height, width, 4), np.uint8, name="result")
    if modules.is_opencl:
        weights = device.empty(2 * MOST_RADIUS + 1, np.float32, name="weights")
        more = [weights]
    else:
        weights, more = module.symbol("weights", np.float32), []
    blurred = []
    for frame, deviation in zip(inputs["video"], inputs["deviations"], strict=True):
        radius = radius_of(deviation)
        weights[: 2 * radius + 1].set(weights_of(deviation))
        image.set(frame)
        sizes = [width, height, radius, *more]
        launch(device, module["gaussian_rows"], ROW_BLOCK, [image, between, *sizes])
        launch(device, module["gaussian_columns"], COLUMN_BLOCK, [between, result, *sizes])
        device.synchronize()
        blurred.append(result.get())
    return {"blurred": np.stack(blurred), "rows": between.get()}


def launch(device, kernel, block, args):
    """Launch a thread for each pixel."""
    width, height = args[2:4]
    grid = (ceil(width / block[0]), ceil(height / block[1]))
    device.launch(kernel, grid, block, args)


def radius_of(deviation):
    """How far weights reach: three standard deviations."""
    return ceil(3 * deviation)


def weights_of(deviation):
    """Give the weights of a blur, whose sum is 1."""
    radius = radius_of(deviation)
    weights = np.exp(-0.5 * (np.arange(-radius, radius + 1) / deviation) ** 2)
    return (weights / weights.sum()).astype(np.float32)


def check(inputs, results):
    """Blur with SciPy in double precision; what is rounded to a byte is up to a half off."""
    got, against = results["blurred"], "scipy.ndimage.gaussian_filter1d in float64"
    expected = []
    for frame, deviation in zip(inputs["video"], inputs["deviations"], strict=True):
        how = {"sigma": deviation, "radius": radius_of(deviation), "mode": "nearest"}
        rows = ndimage.gaussian_filter1d(frame.astype(np.float64), axis=1, **how)
        expected.append(ndimage.gaussian_filter1d(rows, axis=0, **how))
    yield close("last frame's rows", results["rows"], rows, against, rtol=3e-6)
    yield close("blurred", got, np.stack(expected), against, rtol=0, atol=0.5005)
