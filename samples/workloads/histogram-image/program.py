"""A viewer's histograms: photo after photo becomes an image, is panned and zoomed."""

import numpy as np

from warpmill.checks import equal
from warpmill.samples.common.viewing import brightness, photo_views

TILE, ROWS, COUNTS = 64, 4, 4 * 256  # as the kernels have them


def make(**sizes):
    """Make photos, and what of each is in view, step by step."""
    return photo_views(**sizes)


def run(device, modules, inputs):
    """Count what is in view, two launches, and fetch the counts before the next view; all."""
    module, photos = modules["histogram"], inputs["photos"]
    _, height, width, _ = photos.shape
    most = -(-width // TILE) * -(-height // TILE)
    of_tiles = device.empty((most, COUNTS), np.uint32, name="of_tiles")
    histogram = device.empty(COUNTS, np.uint32, name="histogram")
    found = []
    for pixels, views in zip(photos, inputs["views"], strict=True):
        image = device.texture(pixels, channels=4, normalised_values=True)
        for left, top, wide, high in views:
            grid = (-(-wide // TILE), -(-high // TILE))
            args = [image, left, top, wide, high, of_tiles]
            device.launch(module["histogram_tiles"], grid, (TILE, ROWS), args)
            args = [of_tiles, grid[0] * grid[1], histogram]
            device.launch(module["histogram_sum"], COUNTS // 256, 256, args)
            device.synchronize()
            found.append(histogram.get())
    return {"histograms": np.array(found).reshape(-1, 4, 256)}


def check(inputs, results):
    """Count each view with NumPy."""
    expected = []
    for pixels, views in zip(inputs["photos"], inputs["views"], strict=True):
        for left, top, wide, high in views:
            seen = pixels[top : top + high, left : left + wide, :3].reshape(-1, 3)
            channels = [*seen.T, brightness(seen)]
            expected.append([np.bincount(channel, minlength=256) for channel in channels])
    yield equal("histograms", results["histograms"], expected, "numpy.bincount")
