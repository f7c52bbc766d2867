"""Faces in a video: a pyramid of levels a frame, whose windows go through a boosted cascade."""

from math import ceil

import numpy as np
from scipy import fft, ndimage
from scipy.sparse.csgraph import connected_components

from warpmill.checks import equal, holds
from warpmill.samples.common.cascades import train_cascade
from warpmill.samples.common.faces import draw_crowd, draw_faces, draw_others

WINDOW = 24  # as in face.cu, as are the next ones
SCAN = 128
MOST_STAGES = 18  # whose stumps fit into MOST_STUMPS of face.cu
LEAST_SPREAD = 25
TILE = (32, 4)  # threads of a CTA of shrink and cascade_begin
LINE = 64  # and of integral_columns and cascade_rest
CHECKED = 1  # frames whose levels are kept and compared, the first ones
NEIGHBOURS = 2  # windows around a face that have to be found
FEWEST = 100  # features or examples, with fewer of which a cascade learns little
ENOUGH = 30  # faces in a video, from which on it is said how many of them are found


def make(  # noqa: PLR0913 - the sizes of a preset, by name
    *,
    width,
    height,
    frames,
    faces,
    scale,
    apart,
    stages,
    first_stages,
    features,
    examples,
    seed,
):
    """Draw the video, and learn the cascade from other faces."""
    if min(width, height) < 2 * WINDOW or min(frames, faces) < 1:
        raise ValueError(f"width and height are at least {2 * WINDOW}, frames and faces at least 1")
    if not (1.05 <= scale <= 1.6 and 1 <= apart <= 4):
        raise ValueError("scale is from 1.05 to 1.6, apart from 1 to 4")
    if not 1 <= first_stages < stages <= MOST_STAGES:
        raise ValueError(f"stages are up to {MOST_STAGES}, first_stages fewer, from 1")
    if min(features, examples) < FEWEST:
        raise ValueError(f"features and examples are at least {FEWEST}")
    rng = np.random.default_rng(seed)
    shown, others = draw_faces(rng, examples, WINDOW), draw_others(rng, 8 * examples, WINDOW)
    cascade = train_cascade(rng, shown, others, stages, features)
    return {
        "cascade": cascade,
        "crowd": draw_crowd(rng, width, height, frames, faces, WINDOW),
        "levels": levels_of(width, height, scale),
        "apart": apart,
        "first_stages": first_stages,
    }


def levels_of(width, height, scale):
    """List the levels: width, height, and how far pixels are apart in the frame, in 65536ths."""
    levels, factor = [], 1.0
    while min(width, height) / factor >= WINDOW:
        step = round(65536 * factor)
        sizes = [((size - 1 << 16) // step) + 1 for size in (width, height)]
        if min(sizes) >= WINDOW:
            levels.append((*sizes, step))
        factor *= scale
    return levels


def run(device, modules, inputs):
    """Look for faces frame by frame and level by level."""
    detector = Detector(device, modules, inputs)
    found, kept = [], {"levels": [], "sums": [], "squares": [], "passed": []}
    for number, frame in enumerate(inputs["crowd"].video):
        detector.frame.set(frame)
        hits = []
        for level in inputs["levels"]:
            passed = detector.look(level)
            hits.append(windows_at(passed, level, inputs))
            if number < CHECKED:
                for name, values in detector.seen(level).items():
                    kept[name].append(values)
                kept["passed"].append(passed.ravel())
        faces = together(np.concatenate(hits))
        found.append(np.column_stack([np.full(len(faces), number), faces]))
    return {"found": np.concatenate(found), **{k: np.concatenate(v) for k, v in kept.items()}}


class Detector:
    """The kernels with their arrays, which are as large as the largest level needs."""

    def __init__(self, device, modules, inputs):
        """Make the arrays, and give the device the cascade."""
        self.device, self.module = device, modules["face"]
        self.apart, self.first_stages = inputs["apart"], inputs["first_stages"]
        cascade = inputs["cascade"]
        self.stages = len(cascade.stages)
        _, height, width = inputs["crowd"].video.shape
        self.frame = device.empty((height, width), np.uint8, name="frame")
        self.level = device.empty(height * width, np.uint8, name="level")
        pixels = (height + 1) * (width + 1)
        self.sums = device.empty(pixels, np.uint32, name="sums")
        self.squares = device.empty(pixels, np.uint32, name="squares")
        self.passed = device.empty(height * width, np.uint8, name="passed")
        self.windows = device.empty(height * width, np.int32, name="windows")
        self.more = []
        for name in ("stumps", "stages"):
            table = getattr(cascade, name).view(np.uint8)
            if modules.is_opencl:
                self.more.append(device.array(table, name=name))
            else:
                self.module.symbol(name, np.uint8)[: len(table)].set(table)

    def launch(self, kernel, threads, block, args):
        """Launch so many threads, across and down."""
        grid = tuple(ceil(size / of) for size, of in zip(threads, block, strict=True))
        self.device.launch(self.module[kernel], grid, block, args)

    def look(self, level):
        """Take the windows of a level through the cascade; how many stages each has passed."""
        width, height, step = level
        args = [self.frame, self.level, self.frame.shape[1], width, height, step]
        self.launch("shrink", (width, height), TILE, args)
        args = [self.level, self.sums, self.squares, width]
        self.launch("integral_rows", (height * SCAN,), (SCAN,), args)
        args = [self.sums, self.squares, width, height]
        self.launch("integral_columns", (width + 1,), (LINE,), args)
        across, down = windows_of(level, self.apart)
        args = [self.sums, self.squares, self.passed, width, across, down, self.apart]
        args += [self.first_stages, *self.more]
        self.launch("cascade_begin", (across, down), TILE, args)
        passed = self.passed[: across * down]
        left = np.flatnonzero(passed.get() == self.first_stages).astype(np.int32)
        if len(left):
            self.windows[: len(left)].set(left)
            args = [self.sums, self.squares, self.windows, self.passed, len(left), width, across]
            args += [self.apart, self.first_stages, self.stages, *self.more]
            self.launch("cascade_rest", (len(left),), (LINE,), args)
            self.device.synchronize()
        return passed.get().reshape(down, across)

    def seen(self, level):
        """Copy back what has been made of a level."""
        width, height, _ = level
        pixels = (width + 1) * (height + 1)
        sums, squares = self.sums[:pixels].get(), self.squares[:pixels].get()
        return {"levels": self.level[: width * height].get(), "sums": sums, "squares": squares}


def windows_of(level, apart):
    """How many windows a level has across and down."""
    return tuple((size - WINDOW) // apart + 1 for size in level[:2])


def windows_at(passed, level, inputs):
    """Say where in the frame those windows are that have passed all: x, y of middle, side."""
    down, across = np.nonzero(passed == len(inputs["cascade"].stages))
    scale = level[2] / 65536
    middle = WINDOW / 2 + inputs["apart"] * np.stack([across, down], axis=1)
    return np.column_stack([scale * middle, np.full(len(down), scale * WINDOW)])


def together(hits):
    """Join windows that overlap by much: x, y, side of their mean, and how many they are."""
    away = np.abs(hits[:, None, :2] - hits[None, :, :2]).max(axis=2)
    size = hits[:, 2]
    smaller, larger = np.minimum(size[:, None], size), np.maximum(size[:, None], size)
    count, group = connected_components((away < 0.35 * smaller) & (larger < 1.6 * smaller))
    members = [hits[group == number] for number in range(count)]
    joined = [[*own.mean(axis=0), len(own)] for own in members if len(own) >= NEIGHBOURS]
    return np.array(joined, np.float64).reshape(-1, 4)


def check(inputs, results):
    """Compare levels, integral images and windows with SciPy's, and what was found with faces.

    All windows go through all stages there, whose features are convolutions; they are sums of
    whole numbers, which transforms give to far less than a half.
    """
    crowd = inputs["crowd"]
    wanted = {"levels": [], "sums": [], "squares": [], "passed": []}
    for frame in crowd.video[:CHECKED]:
        for level in inputs["levels"]:
            image = level_by_scipy(frame, level)
            wanted["levels"].append(image.ravel())
            for name, power in (("sums", 1), ("squares", 2)):
                wanted[name].append(integral(image.astype(np.uint32) ** power).ravel())
            passed = passed_by_transforms(image, inputs["cascade"])
            wanted["passed"].append(passed[:: inputs["apart"], :: inputs["apart"]].ravel())
    for name, against in (
        ("levels", "scipy.ndimage.map_coordinates"),
        ("sums", "numpy.cumsum"),
        ("squares", "numpy.cumsum"),
        ("passed", "scipy.fft, all stages for all windows"),
    ):
        yield equal(name, results[name], np.concatenate(wanted[name]), against)
    found, faces = results["found"], crowd.faces
    against = "the faces that were drawn"
    if len(faces) >= ENOUGH:
        seen = [any_near(face, found) for face in faces]
        true = [any_near(one, faces) for one in found]
        yield holds("half of the faces are found", [2 * sum(seen) >= len(seen)], against)
        yield holds("half of what is found is a face", [2 * sum(true) >= len(true)], against)


def level_by_scipy(frame, level):
    """Interpolate with SciPy, at places in 256ths of a pixel: all numbers are exact."""
    width, height, step = level
    x, y = (np.arange(size) * step // 256 / 256 for size in (width, height))
    places = np.meshgrid(y, x, indexing="ij")
    values = ndimage.map_coordinates(frame.astype(np.float64), places, order=1, mode="nearest")
    return np.floor(values + 0.5).astype(np.uint8)


def integral(image):
    """Sum up from the first corner, with zeros before."""
    sums = image.cumsum(axis=0, dtype=np.uint32).cumsum(axis=1, dtype=np.uint32)
    return np.pad(sums, ((1, 0), (1, 0)))


def passed_by_transforms(image, cascade):
    """Count the stages that each window passes, up to the first that it does not."""
    shape = [fft.next_fast_len(size, real=True) for size in image.shape]
    whole = slice(0, image.shape[0] - WINDOW + 1), slice(0, image.shape[1] - WINDOW + 1)

    def spectrum(values):
        return fft.rfft2(values.astype(np.float64), shape)

    def sums(of, mask):
        """Sum up under a mask at all windows; no place wraps around, as those are inside."""
        return np.rint(fft.irfft2(of * spectrum(mask).conj(), shape)[whole]).astype(np.int64)

    values, ones = spectrum(image), np.ones((WINDOW, WINDOW))
    total, squares = sums(values, ones), sums(spectrum(image.astype(np.int64) ** 2), ones)
    variance = WINDOW**2 * squares - total**2
    spread = np.sqrt(variance.astype(np.float32))
    passed = np.zeros(variance.shape, np.uint8)
    going = variance >= LEAST_SPREAD * WINDOW**4
    for first, count, least in cascade.stages.tolist():
        votes = np.zeros(variance.shape, np.int64)
        for stump in cascade.stumps[first : first + count]:
            below = sums(values, mask_of(stump)).astype(np.float32) < stump["threshold"] * spread
            votes += np.where(below, stump["below"], stump["above"])
        going &= votes >= least
        passed += going
    return passed


def mask_of(stump):
    """Give the weight of each pixel of a window in a stump's sum."""
    mask = np.zeros((WINDOW, WINDOW))
    corners = stump["place"][:, None] >> np.array([0, 8, 16, 24], np.uint32) & 255
    for (left, top, wide, high), weight in zip(corners, stump["weight"], strict=True):
        mask[top : top + high, left : left + wide] += weight
    return mask


def any_near(one, others):
    """Whether one of the others is in the same frame, at the same place, and about as large."""
    frame, x, y, side = one[:4]
    same = others[others[:, 0] == frame]
    near = np.abs(same[:, 1:3] - (x, y)).max(axis=1, initial=0) < 0.3 * side
    return bool((near & (np.abs(np.log(same[:, 3] / side)) < 0.5)).any())
