"""Lanes in a video: frames are searched for markings, and a lane is detected anew or tracked."""

import numpy as np
from scipy import ndimage

from warpmill.checks import close, equal, holds

SPAN = 2  # as in lane.cu
GRID = np.array([2.0**-6, 2.0**-10, 2.0**-14])  # of offset, slope and curve
SHARPNESS = 60.0
LEAST_WIDTH, LEAST_HEIGHT = 64, 16  # of a region: in a smaller one a lane is not told from noise
FEWEST = 100  # lanes that are drawn: of fewer, at times none is near the road's
LOWEST = 0.05  # a lane's mean mark, of 1
KEPT = 0.5  # of the detected lane's score: where less is left, the track is lost


def make(  # noqa: PLR0913 - the sizes of a preset, by name
    *,
    frame_width,
    frame_height,
    width,
    height,
    frames,
    candidates,
    particles,
    local,
    local_pre,
    seed,
):
    """Make a video of a road, and all that the host draws at random.

    Numbers of lanes are whole multiples of small powers of two, so that a row's place is computed
    without rounding, with and without fused operations.
    """
    if min(frames, particles, local, local_pre) < 1:
        raise ValueError("frames, particles, local and local_pre are at least 1")
    if width < LEAST_WIDTH or height < LEAST_HEIGHT or candidates < FEWEST:
        words = f"width is at least {LEAST_WIDTH}, height at least {LEAST_HEIGHT}"
        raise ValueError(f"{words}, candidates at least {FEWEST}")
    rng = np.random.default_rng(seed)
    left, top = (frame_width - width) // 2, frame_height - height - frame_height // 8
    reach = 5 + (height - 1) * 3 // 32  # of the nearest row's pixels, smoothed ones
    if left < reach or top < 1 or frame_height < 8:
        raise ValueError(
            f"frame_width leaves {reach} pixels to the left and right of a region of this height,"
            " frame_height is at least 8 and leaves a row above it"
        )
    region = {"left": left, "top": top, "width": width, "height": height}
    truth = true_lanes(frames, width)
    half = [float(rounded(0.4 * width, GRID[0])), float(rounded(0.3 * width / height, GRID[1]))]
    video = [
        road(rng, (frame_height, frame_width), region, lane, half, number)
        for number, lane in enumerate(truth)
    ]
    reach = np.array([0.2 * width, 0.5, 1.0 / width])[:, None]
    middle = np.array([width / 2, 0, 0])[:, None]
    spread = np.array([0.006 * width, 0.03, 0.1 / width])[:, None]
    drawn = middle + reach * rng.uniform(-1, 1, (frames, 3, candidates))
    moves = spread * rng.standard_normal((frames, 3, particles))
    return {
        "video": np.stack(video),
        "region": region,
        "truth": truth,
        "half": half,
        "candidates": rounded(drawn, GRID[:, None]).astype(np.float32),
        "moves": rounded(moves, GRID[:, None]).astype(np.float32),
        "chances": rng.random(frames),
        "local": local,
        "local_pre": local_pre,
    }


def run(device, modules, inputs):
    """Go through the video; the frame before says whether to detect the lane or to track it."""
    region, steps = inputs["region"], Steps(device, modules["lane"], inputs)
    most = 255.0 * 2 * (2 * SPAN + 1) * region["height"]
    found = {name: [] for name in ("markings", "detected", "lanes")}
    tracking, reference = False, 0.0
    for number, frame in enumerate(inputs["video"]):
        found["markings"].append(steps.find_markings(frame))
        found["detected"].append(not tracking)
        lane, score = steps.track(number) if tracking else steps.detect(number)
        found["lanes"].append(lane)
        reference = reference if tracking else score
        tracking = score >= max(KEPT * reference, LOWEST * most)
    return {name: np.stack(values) for name, values in {**found, **steps.seen}.items() if values}


class Steps:
    """The three steps on the device: their arrays, and what they gave."""

    def __init__(self, device, module, inputs):
        """Make the arrays; particles are there twice, before and after a frame."""
        self.device, self.module, self.inputs = device, module, inputs
        region = inputs["region"]
        self.size = region["width"], region["height"]
        candidates, particles = inputs["candidates"].shape[2], inputs["moves"].shape[2]
        self.frame = device.zeros(inputs["video"].shape[1:], np.uint8, name="frame")
        self.markings = device.zeros(self.size[::-1], np.uint8, name="markings")
        self.candidates = device.zeros((3, candidates), np.float32, name="candidates")
        self.candidate_scores = device.zeros(candidates, np.int32, name="candidate_scores")
        self.before = device.zeros((3, particles), np.float32, name="before")
        self.after = device.zeros((3, particles), np.float32, name="after")
        self.moves = device.zeros((3, particles), np.float32, name="moves")
        self.ancestors = device.zeros(particles, np.int32, name="ancestors")
        self.scores = device.zeros(particles, np.int32, name="scores")
        self.weights = device.zeros(particles, np.float32, name="weights")
        self.next_ancestors = None
        names = ("candidate_scores", "ancestors", "states", "scores", "weights")
        self.seen = {name: [] for name in names}

    def launch(self, kernel, count, local, arguments):
        """Launch so many threads."""
        self.device.launch(self.module[kernel], -(-count // local), local, arguments)

    def find_markings(self, frame):
        """Find the pixels of markings in a frame."""
        region = self.inputs["region"]
        self.frame.set(frame)
        place = [frame.shape[1], region["left"], region["top"], *self.size]
        arguments = [self.frame, self.markings, *place]
        self.launch("lane_pre", self.size[0] * self.size[1], self.inputs["local_pre"], arguments)
        return self.markings.get()

    def detect(self, number):
        """Take the best of the lanes that were drawn; all particles start there."""
        drawn = self.inputs["candidates"][number]
        count = drawn.shape[1]
        self.candidates.set(drawn)
        arguments = [self.markings, *self.size, self.candidates, self.candidate_scores, count]
        arguments += self.inputs["half"]
        self.launch("lane_detect", count, self.inputs["local"], arguments)
        scores = self.candidate_scores.get()
        self.seen["candidate_scores"].append(scores)
        best = int(np.argmax(scores))
        particles = self.before.shape[1]
        self.before.set(np.repeat(drawn[:, best : best + 1], particles, axis=1))
        self.next_ancestors = np.arange(particles, dtype=np.int32)
        return drawn[:, best].astype(np.float64), int(scores[best])

    def track(self, number):
        """Move the particles, and take their mean by weight; some of them have descendants."""
        count = self.before.shape[1]
        self.ancestors.set(self.next_ancestors)
        self.moves.set(self.inputs["moves"][number])
        arguments = [self.markings, *self.size, self.before, self.ancestors, self.moves]
        arguments += [self.after, self.scores, self.weights, count]
        arguments += [*self.inputs["half"], SHARPNESS]
        self.launch("lane_track", count, self.inputs["local"], arguments)
        states, scores, weights = self.after.get(), self.scores.get(), self.weights.get()
        for name, values in (("states", states), ("scores", scores), ("weights", weights)):
            self.seen[name].append(values)
        self.seen["ancestors"].append(self.next_ancestors)
        shares = weights.astype(np.float64) / weights.sum(dtype=np.float64)
        self.next_ancestors = drawn_evenly(shares, self.inputs["chances"][number])
        self.before, self.after = self.after, self.before
        return states.astype(np.float64) @ shares, int(scores.max())


def drawn_evenly(shares, chance):
    """Draw as many particles as there are by their shares, at even distances of the sum."""
    count = len(shares)
    at = (np.arange(count) + chance) / count
    return np.searchsorted(np.cumsum(shares), at).clip(0, count - 1).astype(np.int32)


def check(inputs, results):
    """Compare with SciPy's filters and NumPy's sums over all lanes, and with the true lanes."""
    expected = np.stack([expected_markings(frame, inputs["region"]) for frame in inputs["video"]])
    yield equal("markings", results["markings"], expected, "scipy.ndimage")

    detected = results["detected"]
    sums = [
        expected_scores(inputs["candidates"][number], expected[number], inputs["half"])
        for number in np.flatnonzero(detected)
    ]
    yield equal("candidates' scores", results["candidate_scores"], sums, "scipy.ndimage, NumPy")
    if not detected.all():
        yield from check_particles(inputs, results, expected)

    # the lane of the frame in which the car changes lanes is lost there, and found in the next
    frames = np.arange(len(detected))
    jump = len(frames) // 2
    yield equal("detected", detected, (frames == 0) | (frames == jump + 1), "the road's lanes")
    far = np.arange(inputs["region"]["height"])
    powers = np.stack([far**0, far, far**2])
    missed = np.abs((results["lanes"] - inputs["truth"]) @ powers).mean(axis=1)
    kept = detected | (frames != jump)
    near = missed[kept] < 0.02 * inputs["region"]["width"]
    yield holds("lanes are near the road's", near, "the road's lanes")


def check_particles(inputs, results, markings):
    """Compare particles with their ancestors, their scores and weights with NumPy's."""
    tracked = np.flatnonzero(~results["detected"])
    most = 255.0 * 2 * (2 * SPAN + 1) * inputs["region"]["height"]
    places, sums = [], []
    for i, number in enumerate(tracked):
        after_detection = results["detected"][number - 1]
        lane = results["lanes"][number - 1][:, None]
        before = lane if after_detection else results["states"][i - 1][:, results["ancestors"][i]]
        places.append(before + inputs["moves"][number])
        sums.append(expected_scores(places[i], markings[number], inputs["half"], leaves=True))
    yield equal("particles", results["states"], places, "NumPy")
    yield equal("particles' scores", results["scores"], sums, "scipy.ndimage, NumPy")
    # the exponent is up to 60 and rounded three times, each by up to 6e-8 of it
    weights = np.exp(SHARPNESS * (np.array(sums) / most - 1))
    yield close("particles' weights", results["weights"], weights, "numpy.exp", rtol=2e-5)


def expected_markings(frame, region):
    """Find markings in all of the frame, one step of the measured width after the other."""
    weights = np.outer([1, 2, 1], [1, 2, 1])
    smooth = ndimage.correlate(frame.astype(np.int32), weights) >> 4
    rows = np.arange(region["height"])[:, None]
    columns = region["left"] + np.arange(region["width"])[None, :]
    reach = 4 + rows * 3 // 32
    smooth = smooth[region["top"] : region["top"] + region["height"]]
    here, before, behind = (smooth[rows, columns + by] for by in (0, -reach, reach))
    contrast = here - np.maximum(before, behind)
    brighter = contrast > 8 + (before + behind) // 16
    edge = here - np.maximum(contrast, 0) // 2
    width = np.zeros_like(here)
    for side in (-1, 1):
        inside = np.ones(here.shape, bool)
        for step in range(1, reach.max() + 1):
            width += inside
            inside &= (step < reach) & (smooth[rows, columns + side * step] > edge)
    marked = brighter & (width <= reach + 2)
    return np.where(marked, np.minimum(255, 2 * contrast), 0).astype(np.uint8)


def expected_scores(lanes, markings, half, *, leaves=False):
    """Add up the marks along lanes; with ``leaves`` from afar to where one leaves the region."""
    height, width = markings.shape
    offset, slope, curve = (values[:, None] for values in lanes.astype(np.float64))
    far = np.arange(height)[None, :]
    centre = offset + slope * far + curve * far**2
    apart = half[0] - half[1] * far
    lines = np.floor(np.stack([centre - apart, centre + apart]) + 0.5).astype(int)
    inside = (lines >= SPAN) & (lines < width - SPAN)
    if leaves:
        inside &= np.logical_and.accumulate(inside.all(axis=0)[:, ::-1], axis=1)[:, ::-1]
    sums = ndimage.correlate1d(markings.astype(np.int32), np.ones(2 * SPAN + 1), mode="constant")
    marks = sums[height - 1 - far, lines.clip(0, width - 1)]
    return (marks * inside).sum(axis=(0, 2))


def true_lanes(frames, width):
    """Say where the lane is in each frame: it sways, and in the middle the car changes lanes."""
    time = np.arange(frames)
    changed = np.where(time >= frames // 2, 0.12, 0.0)
    offset = width * (0.46 + changed + 0.02 * np.sin(time / 3.0))
    slope = 0.15 * np.sin(0.5 + time / 6.0) - changed
    curve = 0.4 / width * np.cos(time / 5.0)
    return np.stack([offset, slope, curve], axis=1)


def road(rng, shape, region, lane, half, number):
    """Draw a frame: dashes that move, an arrow, lighter ground beside, a shadow, and noise."""
    y, x = np.mgrid[: shape[0], : shape[1]]
    row = y - region["top"]
    far = region["height"] - 1 - row
    centre = region["left"] + lane[0] + far * (lane[1] + far * lane[2])
    apart = half[0] - half[1] * far
    image = np.where(row < 0, 190.0, 85.0 + 0.1 * x)
    image[(row >= 0) & (np.abs(x - centre) > 1.6 * apart + 6)] = 130.0
    distance = 1.0 / (1.0 - 0.85 * far.clip(0, region["height"] - 1) / region["height"])
    dashed = (1.2 * distance + 0.3 * number) % 1.0 < 0.6
    thickness = (4 + row * 3 / 32) / 2
    for side in (-1, 1):
        line = np.abs(x - centre - side * apart) < thickness / 2 + 0.5
        image[line & dashed & (row >= 0)] = 210.0
    # an arrow ahead: its tip is as wide as a marking, the rest is too wide for one
    in_arrow = (distance - 1.5 - 0.2 * (number % 3)) / 0.8
    arrow = (np.abs(x - centre) < (4 + row * 3 / 32) * in_arrow) & (in_arrow < 1) & (row >= 0)
    image[arrow] = 200.0
    shadow = (np.abs(row - region["height"] // 3) < region["height"] // 10) & (row >= 0)
    image[shadow] *= 0.6
    return (image + rng.normal(0.0, 13.0, shape)).clip(0, 255).astype(np.uint8)


def rounded(values, steps):
    """Round to whole multiples of the steps."""
    return np.round(np.asarray(values) / steps) * steps
