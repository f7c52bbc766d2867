"""A network of four layers that recognises digits, one launch a layer for all images."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from scipy import ndimage

from warpmill.checks import close, holds

IMAGE, FIRST, SECOND = 29, 13, 5  # a side, as in network.cu
FIRST_MAPS, SECOND_MAPS, THIRD, DIGITS = 6, 50, 100, 10
TRAINED_WITH = 800  # images that the last layer's weights are fitted to
ENOUGH = 20  # images to tell whether the network recognises digits
STEP = 1 / 1024  # of these weights: the same ones come out on every computer

GLYPHS = """
.###. ..#.. .###. ####. ...#. ##### .###. ##### .###. .###.
#...# .##.. #...# ....# ..##. #.... #.... ....# #...# #...#
#...# ..#.. ....# ....# .#.#. ####. #.... ...#. #...# #...#
#...# ..#.. ...#. .###. #..#. ....# ####. ...#. .###. .####
#...# ..#.. ..#.. ....# ##### ....# #...# ..#.. #...# ....#
#...# ..#.. .#... ....# ...#. #...# #...# ..#.. #...# ....#
.###. .###. ##### ####. ...#. .###. .###. ..#.. .###. .###.
"""


def make(images, seed):
    """Draw digits that lean and lie askew, weights, and fit those of the last layer."""
    if images < 1:
        raise ValueError("images are 1 or more")
    rng = np.random.default_rng(seed)
    digits = rng.integers(0, DIGITS, images)
    weights = {
        "first": _weights(rng, FIRST_MAPS, 25),
        "second": _weights(rng, SECOND_MAPS, 25 * FIRST_MAPS),
        "third": _weights(rng, THIRD, SECOND_MAPS * SECOND * SECOND),
    }
    known = rng.integers(0, DIGITS, TRAINED_WITH)
    weights["fourth"] = _fitted(_hidden(_drawn(rng, known), weights)[-1], known)
    return {"pixels": _drawn(rng, digits), "digits": digits, "weights": weights}


def run(device, modules, inputs):
    """Launch the layers one after the other; the neurons of all of them."""
    images = len(inputs["pixels"])
    sizes = {
        "first": (FIRST_MAPS, FIRST, FIRST),
        "second": (SECOND_MAPS, SECOND, SECOND),
        "third": (THIRD, 1, 1),
        "fourth": (DIGITS, 1, 1),
    }
    weights = {n: device.array(w, name=f"{n} weights") for n, w in inputs["weights"].items()}
    before = device.array(inputs["pixels"], name="pixels")
    layers = {}
    for name, (maps, height, width) in sizes.items():
        neurons = device.empty((images, maps, height, width), np.float32, name=f"{name} layer")
        kernel = modules["network"][f"{name}_layer"]
        args = [before, weights[name], neurons]
        device.launch(kernel, (maps, images), (width, height), args)
        layers[name] = before = neurons
    device.synchronize()
    return {name: layer.get() for name, layer in layers.items()}


def check(inputs, results):
    """Compare each layer with the network in double precision, and the digits with those drawn.

    A layer's sums are of up to 1,251 terms that add up to a few units; rounding is carried on from
    layer to layer. About 19 of 20 digits are recognised; of a few it cannot be told.
    """
    weights, against = inputs["weights"], "numpy.tensordot over windows, float64"
    layers = _hidden(inputs["pixels"], weights)
    layers.append(_joined(layers[-1], weights["fourth"]))
    for name, expected in zip(results, layers, strict=True):
        got = results[name].reshape(expected.shape)
        yield close(f"{name} layer", got, expected, against, rtol=0, atol=1e-5)
    recognised = results["fourth"].reshape(-1, DIGITS).argmax(axis=1) == inputs["digits"]
    if len(recognised) >= ENOUGH:
        yield holds("7 of 10 digits recognised", [recognised.mean() >= 0.7], "digits drawn")


def _weights(rng, neurons, inputs):
    """Draw a bias and weights for each neuron, so that sums are about as large as inputs."""
    drawn = rng.standard_normal((neurons, 1 + inputs), np.float32)
    return drawn / np.float32(inputs) ** np.float32(0.5)


def _drawn(rng, digits):
    """Draw images of digits, 1 for paper and -1 for ink, with noise."""
    rows = [line.split() for line in GLYPHS.split("\n") if line]
    glyphs = np.array([[[c == "#" for c in row[d]] for row in rows] for d in range(DIGITS)])
    images = np.empty((len(digits), IMAGE, IMAGE), np.float32)
    for image, glyph in zip(images, glyphs[digits].astype(np.float64), strict=True):
        angle, lean = rng.normal(0, 0.1, 2)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        scale = np.diag(rng.uniform(0.27, 0.33, 2))  # pixels of a glyph in one of the image
        matrix = scale @ turn @ np.array([[1, 0], [lean, 1]])
        middle = (IMAGE - 1) / 2 + rng.uniform(-1.5, 1.5, 2)
        offset = np.array([3, 2]) - matrix @ middle
        ink = ndimage.affine_transform(glyph, matrix, offset, (IMAGE, IMAGE), order=1)
        image[:] = 1 - 2 * np.clip(ink + rng.normal(0, 0.05, ink.shape), 0, 1)
    return images


def _hidden(pixels, weights):
    """Give the neurons of the first three layers, in double precision."""
    first = _convolved(pixels[:, None], weights["first"])
    second = _convolved(first, weights["second"])
    third = _joined(second.reshape(len(pixels), -1), weights["third"])
    return [first, second, third]


def _convolved(before, weights):
    """Give a layer of convolutions, with steps of two: 5 x 5 inputs of each map before a neuron."""
    weights = weights.astype(np.float64)
    windows = sliding_window_view(before.astype(np.float64), (5, 5), axis=(2, 3))[:, :, ::2, ::2]
    by_place = weights[:, 1:].reshape(len(weights), 5, 5, -1)
    sums = np.tensordot(windows, by_place, axes=((4, 5, 1), (1, 2, 3)))
    return _activated(np.moveaxis(sums + weights[:, 0], -1, 1))


def _joined(before, weights):
    weights = weights.astype(np.float64)
    return _activated(before @ weights[:, 1:].T + weights[:, 0])


def _activated(sums):
    return 1.7159 * np.tanh(0.66666667 * sums)


def _fitted(neurons, digits):
    """Fit the last layer's weights by least squares, to sums of 1 for the digit, else -1."""
    inputs = np.column_stack([np.ones(len(neurons)), neurons])
    wanted = np.where(np.arange(DIGITS) == digits[:, None], 1.0, -1.0)
    damped = inputs.T @ inputs + 3.0 * np.eye(inputs.shape[1])
    weights = np.linalg.solve(damped, inputs.T @ wanted).T
    return (STEP * np.round(weights / STEP)).astype(np.float32)
