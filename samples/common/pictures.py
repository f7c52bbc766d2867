"""Pictures and videos, made from a seed: smooth parts, edges and noise, as photographs have."""

import numpy as np
from scipy import ndimage


def photograph(rng, width, height):
    """Make a picture of shape (height, width, 4) in bytes: a sky, hills, houses, grain.

    The fourth byte says how opaque a pixel is; most are wholly.
    """
    y, x = np.mgrid[:height, :width]
    sky = 1.0 - y / (1.3 * height)
    image = np.stack([90 + 70 * sky, 120 + 80 * sky, 150 + 95 * sky], axis=2)
    for hill in range(3):
        waves = sum(
            rng.uniform(0.02, 0.06) * np.sin(rng.uniform(2, 9) * x[0] / width + rng.uniform(0, 6))
            for _ in range(3)
        )
        below = y > height * (0.35 + 0.15 * hill + waves)
        image[below] = rng.uniform(30, 170, 3) * (0.6 + 0.2 * hill)
    for _ in range(6 + width * height // 2000):
        wide, high = rng.integers(2, max(3, width // 12)), rng.integers(2, max(3, height // 8))
        left, top = rng.integers(0, width), rng.integers(height // 3, height)
        image[top : top + high, left : left + wide] = rng.uniform(0, 255, 3)
    grain = ndimage.gaussian_filter(rng.normal(0, 30, (height, width)), 0.7)
    image += grain[:, :, None]
    opaque = np.where(ndimage.gaussian_filter(rng.random((height, width)), 4) < 0.47, 160, 255)
    return np.dstack([image.clip(0, 255), opaque]).astype(np.uint8)


def grey(image):
    """Give the brightness of a picture, in bytes."""
    return (image[..., :3] @ np.array([0.299, 0.587, 0.114])).astype(np.uint8)


def panning_video(rng, width, height, frames):
    """Make frames of shape (frames, height, width, 4): a camera sways over a larger picture."""
    more = max(2, width // 4), max(2, height // 4)
    scene = photograph(rng, width + more[0], height + more[1])
    turn = 2 * np.pi * (np.arange(frames) / max(frames, 60) + rng.random())
    left = np.round(more[0] * (0.5 + 0.5 * np.sin(2 * turn))).astype(int)
    top = np.round(more[1] * (0.5 + 0.5 * np.sin(3 * turn + 1))).astype(int)
    return np.stack([scene[y : y + height, x : x + width] for x, y in zip(left, top, strict=True)])
