"""Three convolutions, each by both kernels: of three colours, with a step of two, and of points."""

import numpy as np
from scipy.signal import correlate

from warpmill.checks import close, equal

TILE = 16  # as in conv2d.cu
CAPACITY = 16384
COLOURS = 3
LAYERS = {"first": (7, 1), "second": (5, 2), "third": (3, 1)}  # side of the window, stride


def make(height, width, seed, **channels):
    """Draw an image with smooth parts and edges, and weights of every layer."""
    if min(height, width) < 1 or min(channels.values()) < 1:
        raise ValueError("height, width, first, second and third are 1 or more")
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:height, :width]
    waves = [np.sin(x / (9.0 + c)) * np.cos(y / (7.0 + c)) for c in range(COLOURS)]
    image = np.array(waves) + 0.2 * rng.standard_normal((COLOURS, height, width))
    image[:, height // 3 : height // 2, width // 4 :] = 1.5
    filters, before = {}, COLOURS
    for name, (side, _) in LAYERS.items():
        shape = (channels[name], before, side, side)
        if np.prod(shape) > CAPACITY:
            raise ValueError(f"the {name} layer has more than {CAPACITY} weights")
        drawn = rng.standard_normal(shape, np.float32)
        filters[name] = drawn / np.float32(before * side * side) ** np.float32(0.5)
        before = channels[name]
    return {"image": image.astype(np.float32), "filters": filters}


def run(device, modules, inputs):
    """Convolve layer by layer; what is below zero is cut off between them."""
    module = modules["conv2d"]
    weights = module.symbol("filters", np.float32, CAPACITY)
    values, results = inputs["image"], {}
    for name, filters in inputs["filters"].items():
        side, stride = LAYERS[name]
        weights[: filters.size].set(filters.ravel())
        given = device.array(values, name=f"{name} input")
        channels, height, width = values.shape
        shape = (len(filters), -(-height // stride), -(-width // stride))
        grid = (-(-shape[2] // TILE), -(-shape[1] // TILE), shape[0])
        results[f"{name} input"] = values
        for kernel in ("direct", "tiled"):
            output = device.empty(shape, np.float32, name=f"{name} output, {kernel}")
            args = [given, output, channels, height, width, side, stride, *shape[1:]]
            device.launch(module[f"conv2d_{kernel}"], grid, (TILE, TILE), args)
            results[f"{name} {kernel}"] = output.get()
        values = np.maximum(results[f"{name} tiled"], 0)
    return results


def check(inputs, results):
    """Compare each layer with SciPy's correlation of what it was given, in double precision.

    Sums are of up to 400 terms and about as large as one; rounding is at most half an ulp a term.
    """
    image = results["first input"]
    yield equal("image", image, inputs["image"], "the input")
    for name, filters in inputs["filters"].items():
        side, stride = LAYERS[name]
        border = side // 2
        given = np.pad(results[f"{name} input"].astype(np.float64), ((0, 0), *[(border,) * 2] * 2))
        weights = filters.astype(np.float64)
        whole = np.array([correlate(given, w, "valid", method="direct")[0] for w in weights])
        expected = whole[:, ::stride, ::stride]
        for kernel in ("direct", "tiled"):
            got, against = results[f"{name} {kernel}"], "scipy.signal.correlate in float64"
            yield close(f"{name}, {kernel}", got, expected, against, rtol=0, atol=5e-6)
