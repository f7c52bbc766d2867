"""Anisotropic diffusion: sums are made on the device, the host tells how much speckle there is."""

import numpy as np

from warpmill.checks import close

BLOCK = 512  # threads of a CTA, as in srad.cu
LOOKS = 12  # of the image's speckle: more of them, less of it


def make(rows, columns, iterations, rate, seed):
    """Draw dark and bright ellipses, multiply by speckle, and take logarithms from 0 to 255."""
    if min(rows, columns) < 2 or iterations < 1:
        raise ValueError("rows and columns are 2 or more, iterations 1 or more")
    if not 0 < rate <= 1:
        raise ValueError("rate is above 0 and up to 1")
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[: 1 : rows * 1j, : 1 : columns * 1j]
    brightness = np.full((rows, columns), 20.0)
    for _ in range(12):
        middle_y, middle_x, radius_y, radius_x = rng.uniform([0, 0, 0.05, 0.05], [1, 1, 0.3, 0.3])
        inside = ((y - middle_y) / radius_y) ** 2 + ((x - middle_x) / radius_x) ** 2 < 1
        brightness[inside] = rng.uniform(5, 60)
    speckled = brightness * rng.gamma(LOOKS, 1 / LOOKS, brightness.shape)
    logarithm = 255 * np.log1p(speckled) / np.log1p(speckled.max())
    return {
        "image": np.round(logarithm).astype(np.float32),
        "iterations": iterations,
        "rate": np.float32(rate),
    }


def run(device, modules, inputs):
    """Diffuse; the image of each iteration's beginning gives the speckle that it works with."""
    image = Image(device, modules["srad"], inputs["image"])
    rows, pixels = image.rows, image.pixels
    north, south = (image.neighbours(rows, step) for step in (-1, 1))
    west, east = (image.neighbours(pixels // rows, step) for step in (-1, 1))
    names = ("to north", "to south", "to west", "to east", "coefficients")
    *differences, coefficient = (device.empty(pixels, np.float32, name=name) for name in names)
    image.launch("srad_extract", [image.values, pixels])
    sums = []
    for _ in range(inputs["iterations"]):
        total, squares = image.sums()
        sums.append([total, squares])
        mean = total / pixels
        speckle = np.float32((squares / pixels - mean**2) / mean**2)
        args = [image.values, north, south, west, east, *differences, coefficient]
        image.launch("srad_coefficients", [*args, rows, pixels, speckle])
        args = [image.values, south, east, *differences, coefficient]
        image.launch("srad_update", [*args, rows, pixels, inputs["rate"]])
        device.synchronize()
    diffused = image.values.get()
    image.launch("srad_compress", [image.values, pixels])
    shape = inputs["image"].shape[::-1]
    return {
        "sums": np.array(sums),
        "diffused": diffused.reshape(shape).T,
        "image": image.values.get().reshape(shape).T,
    }


def check(inputs, results):
    """Compare with the diffusion in double precision, and look whether brightness is conserved.

    What flows out of a pixel flows into its neighbour. Diffusion makes errors no larger.
    """
    against = "numpy.diff in double precision, in flux form"
    image = np.exp(inputs["image"].astype(np.float64) / 255)
    sums, before = [], image.sum()
    for _ in range(inputs["iterations"]):
        sums.append([image.sum(), (image**2).sum()])
        image = diffused(image, float(inputs["rate"]))
    yield close("sums", results["sums"], sums, against, rtol=1e-5)
    yield close("diffused", results["diffused"], image, against, rtol=2e-5)
    yield close("image", results["image"], np.log(image) * 255, against, rtol=0, atol=6e-3)
    after = results["diffused"].sum(dtype=np.float64)
    yield close("brightness", [after], [before], "conservation", rtol=1e-6)


def diffused(image, rate):
    """Take one step, from what flows over the sides between neighbours."""
    down, right = np.diff(image, axis=0), np.diff(image, axis=1)
    north, south = np.pad(-down, ((1, 0), (0, 0))), np.pad(down, ((0, 1), (0, 0)))
    west, east = np.pad(-right, ((0, 0), (1, 0))), np.pad(right, ((0, 0), (0, 1)))
    slope = sum(side**2 for side in (north, south, west, east)) / image**2
    curvature = (north + south + west + east) / image
    variation = (slope / 2 - curvature**2 / 16) / (1 + curvature / 4) ** 2
    speckle = image.var() / image.mean() ** 2
    coefficient = 1 / (1 + (variation - speckle) / (speckle * (1 + speckle)))
    coefficient = coefficient.clip(0, 1)
    flow_down = np.pad(coefficient[1:] * down, ((1, 1), (0, 0)))
    flow_right = np.pad(coefficient[:, 1:] * right, ((0, 0), (1, 1)))
    return image + rate / 4 * (np.diff(flow_down, axis=0) + np.diff(flow_right, axis=1))


class Image:
    """An image on the device, pixels down the columns, with what its sums are made in."""

    def __init__(self, device, module, image):
        self.device, self.module = device, module
        self.rows, self.pixels = image.shape[0], image.size
        self.values = device.array(image.T.ravel(), name="image")
        names = ("sums", "squares")
        self.partial = [device.empty(self.pixels, np.float32, name=name) for name in names]

    def neighbours(self, count, step):
        """Give the number of the next row or column for each; the last one is its own."""
        places = np.clip(np.arange(count) + step, 0, count - 1).astype(np.int32)
        return self.device.array(places)

    def launch(self, kernel, args, count=None):
        """Launch with a thread for each pixel, or for so many values."""
        grid = -(-(count or self.pixels) // BLOCK)
        self.device.launch(self.module[kernel], grid, BLOCK, args)

    def sums(self):
        """Sum pixels and their squares up, in as many launches as it takes."""
        self.launch("srad_prepare", [self.values, *self.partial, self.pixels])
        values, apart = self.pixels, 1
        while values > 1:
            self.launch("srad_reduce", [*self.partial, values, apart], values)
            values, apart = -(-values // BLOCK), apart * BLOCK
        return [float(one[:1].get()[0]) for one in self.partial]
