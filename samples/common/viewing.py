"""A photo viewer: photos from a seed, and what of each is in view as one pans and zooms."""

import numpy as np

from warpmill.samples.common.pictures import photograph

LEAST_VIEW = 16  # pixels a side


def photo_views(*, photos, width, height, views, zoom, seed):
    """Make "photos" of shape (photos, height, width, 4), and "views" of each: left, top, sides.

    A photo is shown whole at first. Then one zooms in and out, up to ``zoom`` times, mostly by
    little, and wanders; what is in view is within the photo.
    """
    if photos < 1 or views < 1:
        raise ValueError("photos and views are 1 or more")
    if not 1 <= zoom <= min(width, height) / LEAST_VIEW:
        words = f"zoom is 1 or more, and leaves {LEAST_VIEW} pixels of width and height in view"
        raise ValueError(words)
    rng = np.random.default_rng(seed)
    made = np.stack([photograph(rng, width, height) for _ in range(photos)])
    seen = [list(_wandering(rng, width, height, views, zoom)) for _ in range(photos)]
    return {"photos": made, "views": seen}


def brightness(pixels):
    """Give the brightness of red, green and blue (the last axis), as the kernels weigh them."""
    return (pixels.astype(np.int32) @ [77, 150, 29] + 128) >> 8


def _wandering(rng, width, height, views, zoom):
    sides = np.array([width, height])
    power, centre = 0.0, sides / 2
    for view in range(views):
        if view:
            step = rng.normal(0, 0.35) if rng.random() < 0.8 else rng.normal(0, 2.0)
            power = float(np.clip(power + step, 0, np.log2(zoom)))
            centre = centre + rng.normal(0, 0.15, 2) * sides / 2**power
        shown = np.maximum(LEAST_VIEW, np.round(sides / 2**power)).astype(int)
        corner = np.clip(np.round(centre - shown / 2), 0, sides - shown).astype(int)
        centre = corner + shown / 2
        yield (*map(int, corner), *map(int, shown))
