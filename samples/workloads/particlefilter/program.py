"""Particle filter: motion, likelihood and weights on the host; resampling on the device."""

import numpy as np

from warpmill.checks import close, equal

RADIUS, STEP = 5, (1.0, -2.0)  # of the disk in pixels: its size, what it moves each frame
DARK, BRIGHT, NOISE = 100.0, 228.0, 30.0
SPREAD = 2.0  # of the particles in pixels, each frame
FEWEST = 20  # particles that can follow the disk
LEAST = 2 * RADIUS + 3  # pixels of a picture in which the disk can move
DISK = np.mgrid[-RADIUS : RADIUS + 1, -RADIUS : RADIUS + 1]
DISK = DISK[:, np.hypot(*DISK) <= RADIUS]
ARRAYS = ("from_x", "from_y", "distribution", "draws", "to_x", "to_y")
GIVEN = ("particles", "distribution", "draws")
RESULTS = (*GIVEN, "track", "chosen")


def make(*, width, height, frames, particles, block, offset, seed):
    """Draw a video of a disk that moves through noise, and the numbers that the filter draws."""
    if frames < 2 or particles < FEWEST or min(width, height) < LEAST:
        words = f"frames are 2 or more, particles {FEWEST} or more"
        raise ValueError(f"{words}, width and height {LEAST} or more, so that the disk can move")
    rng = np.random.default_rng(seed)
    path = _path(width, height, frames)
    y, x = np.mgrid[:height, :width]
    inside = [np.hypot(x - at[0], y - at[1]) <= RADIUS for at in path]
    video = np.where(inside, BRIGHT, DARK) + NOISE * rng.standard_normal((frames, height, width))
    draws = np.full(frames, offset) if offset else rng.random(frames)
    steps = np.diff(path, axis=0, prepend=path[:1])
    moves = steps[:, None] + SPREAD * rng.standard_normal((frames, particles, 2))
    return {"video": video, "path": path, "draws": draws, "moves": moves, "block": block}


def run(device, modules, inputs):
    """Follow the disk frame by frame; keep what each launch was given and gave."""
    kernel, block = modules["particlefilter"]["particle_naive"], inputs["block"]
    frames, count, _ = inputs["moves"].shape
    particles = np.repeat(inputs["path"][:1], count, axis=0)
    arrays = [device.zeros(count, np.float64, name=name) for name in ARRAYS]
    grid = -(-count // block)
    steps = []
    for frame in range(1, frames):
        particles = particles + inputs["moves"][frame]
        weights = _weights(inputs["video"][frame], particles)
        distribution = np.cumsum(weights)
        draws = (np.arange(count) + inputs["draws"][frame]) / count
        given = [*np.ascontiguousarray(particles.T), distribution, draws]
        for array, values in zip(arrays, given, strict=False):
            array.set(values)
        device.launch(kernel, grid, block, [*arrays, count])
        chosen = np.stack([array.get() for array in arrays[4:]], axis=1)
        steps.append((particles, distribution, draws, weights @ particles, chosen))
        particles = chosen
    return dict(zip(RESULTS, map(np.stack, zip(*steps, strict=True)), strict=True))


def check(inputs, results):
    """Search the distributions by bisection; compare the track with the way of the disk."""
    expected = []
    for particles, distribution, draws in zip(*(results[name] for name in GIVEN), strict=True):
        found = np.searchsorted(distribution, draws)
        expected.append(particles[np.minimum(found, len(draws) - 1)])
    yield equal("chosen particles", results["chosen"], expected, "numpy.searchsorted")
    path = inputs["path"][1:]
    yield close("track", results["track"], path, "the way of the disk", rtol=0, atol=2.0)


def _path(width, height, frames):
    """Move the disk straight on from the middle; it bounces where it would leave the picture."""
    room = np.array([width, height]) - 1 - 2 * RADIUS
    way = np.array([width, height]) / 2 - RADIUS + np.arange(frames)[:, None] * STEP
    return RADIUS + room - abs(room - way % (2 * room))


def _weights(picture, particles):
    """Weigh particles by how much more the pixels of a disk around them look bright than dark."""
    x, y = np.rint(particles.T).astype(np.int64)
    rows = np.clip(y[:, None] + DISK[0], 0, picture.shape[0] - 1)
    columns = np.clip(x[:, None] + DISK[1], 0, picture.shape[1] - 1)
    pixels = picture[rows, columns]
    gain = ((pixels - DARK) ** 2 - (pixels - BRIGHT) ** 2) / (2 * NOISE**2)
    # the mean, not the sum: neighbouring pixels are no independent witnesses
    likelihood = gain.mean(axis=1)
    weights = np.exp(likelihood - likelihood.max())
    return weights / weights.sum()
