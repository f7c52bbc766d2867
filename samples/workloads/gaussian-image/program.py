"""Gaussian blur of photographs: each comes into focus step by step, as when a gallery loads it."""

from math import ceil

import numpy as np
from scipy import ndimage

from warpmill.checks import close
from warpmill.samples.common.pictures import photograph

MOST_RADIUS = 24  # as in gaussian.cu
BLOCK = (16, 16)


def make(*, width, height, photographs, steps, sharpest, softest, seed):
    """Draw photographs of different sizes, and how far each is out of focus at each step.

    `width` and `height` are those of the largest one, `sharpest` and `softest` are standard
    deviations in pixels; the blur of a photograph begins anywhere in the softer half, and shrinks
    by about the same factor each step.
    """
    if min(photographs, steps) < 1 or min(width, height) < 4:
        raise ValueError("photographs and steps are at least 1, width and height at least 4")
    if not 0 < sharpest <= softest <= MOST_RADIUS / 3:
        raise ValueError(f"0 < sharpest <= softest, which is up to {MOST_RADIUS // 3} pixels")
    rng = np.random.default_rng(seed)
    shares = rng.uniform(0.55, 1.0, (photographs, 2))
    shares[0] = 1.0
    begin = softest * rng.uniform(0.5, 1.0, (photographs, 1))
    powers = np.linspace(1.0, 0.0, steps) + rng.uniform(-0.02, 0.02, (photographs, steps))
    deviations = sharpest * (begin / sharpest) ** powers
    return {
        "photographs": [
            photograph(rng, int(width * across), int(height * down)) for across, down in shares
        ],
        "deviations": deviations.clip(sharpest, softest),
    }


def run(device, modules, inputs):
    """Blur each photograph at all steps; it stays on the device, in a texture."""
    passes = Passes(device, modules)
    blurred, rows = [], []
    for photo, deviations in zip(inputs["photographs"], inputs["deviations"], strict=True):
        passes.take(photo)
        blurred.extend(passes.blur(deviation).ravel() for deviation in deviations)
        rows.append(passes.rows_written.get().ravel())
    return {"blurred": np.concatenate(blurred), "last rows": np.concatenate(rows)}


class Passes:
    """Both passes over one photograph: its images, and the weights."""

    def __init__(self, device, modules):
        """Find the weights: constant memory in CUDA, an argument in OpenCL."""
        self.device, self.module = device, modules["gaussian"]
        self.is_opencl = modules.is_opencl
        if self.is_opencl:
            self.weights = device.empty(2 * MOST_RADIUS + 1, np.float32, name="weights")
        else:
            self.weights = self.module.symbol("weights", np.float32)

    def take(self, photo):
        """Make the images: the photograph, what lies between the passes, what comes out."""
        self.shape = photo.shape[:2]
        self.photo = self.device.texture(photo, channels=4)
        self.rows_written = self.device.surface(np.zeros(photo.shape, np.float32), channels=4)
        self.rows_read = self.device.texture(self.rows_written, channels=4)
        self.result = self.device.surface(np.zeros_like(photo), channels=4)

    def blur(self, deviation):
        """Blur it, wait, and copy it back."""
        (height, width), radius = self.shape, radius_of(deviation)
        self.weights[: 2 * radius + 1].set(weights_of(deviation))
        sizes = [width, height, radius]
        if self.is_opencl:
            sizes += [self.weights, self.photo]  # the sampler is that of the texture
        grid = (ceil(width / BLOCK[0]), ceil(height / BLOCK[1]))
        args = [self.photo, self.rows_written, *sizes]
        self.device.launch(self.module["gaussian_rows"], grid, BLOCK, args)
        args = [self.rows_read, self.result, *sizes]
        self.device.launch(self.module["gaussian_columns"], grid, BLOCK, args)
        self.device.synchronize()
        return self.result.get()


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
    rows_wanted, wanted = [], []
    for photo, deviations in zip(inputs["photographs"], inputs["deviations"], strict=True):
        for deviation in deviations:
            how = {"sigma": deviation, "radius": radius_of(deviation), "mode": "nearest"}
            rows = ndimage.gaussian_filter1d(photo.astype(np.float64), axis=1, **how)
            wanted.append(ndimage.gaussian_filter1d(rows, axis=0, **how).ravel())
        rows_wanted.append(rows.ravel())
    against = "scipy.ndimage.gaussian_filter1d in float64"
    for name, expected, most in (("last rows", rows_wanted, 0.0), ("blurred", wanted, 0.5005)):
        values = np.concatenate(expected)
        rtol = 0.0 if most else 3e-6
        yield close(name, results[name], values, against, rtol=rtol, atol=most)
