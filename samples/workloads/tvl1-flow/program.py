"""Optical flow of a video by the TV-L1 method, between each frame and the next."""

from math import ceil

import numpy as np
import scipy.sparse as sp
from scipy import ndimage

from warpmill.checks import close, equal, holds
from warpmill.samples.common.pictures import grey, photograph

TILE = (32, 8)  # threads of a CTA, but for sum_errors
SUMMED = 256  # as in flow.cu
TURNS = 4  # pixels of a thread of sum_errors
SMALLEST_SIDE = 12  # of a level
TAU, THETA, LAMBDA = 0.25, 0.3, 0.15  # as Zach, Pock and Bischof's successors choose them
FLOWS = ("flow_x", "flow_y")
DUALS = ("dual_xx", "dual_xy", "dual_yx", "dual_yy")
WARPED = ("warped_x", "warped_y", "off")


def make(  # noqa: PLR0913 - the sizes of a preset, by name
    *, width, height, frames, levels, warps, iterations, look, tolerance, speed, seed
):
    """Draw a video: the camera turns, zooms and moves over a picture, and so does an object.

    `speed` is how far it moves from frame to frame, in pixels, at most; it rests at times.
    """
    if min(levels, warps, iterations, look) < 1 or frames < 2:
        raise ValueError("levels, warps, iterations and look are at least 1, frames 2")
    if min(width, height) >> (levels - 1) < SMALLEST_SIDE:
        words = f"width and height of the smallest level are at least {SMALLEST_SIDE}"
        raise ValueError(f"{words}: larger frames, or fewer levels")
    if not (tolerance > 0 and speed >= 0):
        raise ValueError("tolerance is above 0, speed 0 or more")
    rng = np.random.default_rng(seed)
    moves = motions(rng, frames - 1, (width, height), speed)
    drift = speed * np.stack([np.cos(np.arange(frames) / 3), np.sin(np.arange(frames) / 2)], axis=1)
    video, truth = draw_video(rng, (width, height), moves, drift)
    return {
        "video": video.astype(np.float32),
        "truth": truth,
        "levels": levels,
        "warps": warps,
        "iterations": iterations,
        "look": look,
        "tolerance": tolerance,
    }


def motions(rng, count, size, speed):
    """Make the camera's moves, as 2 x 3 matrices: place in the next frame of a place in this one.

    It stands still for some frames and shakes in others.
    """
    time = np.arange(count)
    pace = speed * np.clip(0.7 + 0.9 * np.sin(time / 2.5 + rng.uniform(0, 6)), 0.02, 1)
    turn = 0.4 * pace / max(size) * np.sin(time / 4)
    zoom = 1 + 0.4 * pace / max(size) * np.cos(time / 5)
    way = rng.uniform(0, 2 * np.pi) + time / 6
    middle = np.array(size) / 2
    matrices = np.empty((count, 2, 3))
    for matrix, angle, factor, to, far in zip(matrices, turn, zoom, way, pace, strict=True):
        cos, sin = factor * np.cos(angle), factor * np.sin(angle)
        matrix[:, :2] = [[cos, -sin], [sin, cos]]
        there = middle + 0.6 * far * np.array([np.cos(to), np.sin(to)])
        matrix[:, 2] = there - matrix[:, :2] @ middle
    return matrices


def draw_video(rng, size, moves, drift):
    """Draw frames, and the true flow from each to the next, of shape (frames - 1, 2, ...)."""
    width, height = size
    scene = picture(rng, 2 * width, 2 * height)
    thing = picture(rng, width, height)
    places = np.stack(np.meshgrid(np.arange(width), np.arange(height))).astype(np.float64)
    to_scene = np.array([[1, 0, width / 2], [0, 1, height / 2]])
    middle = np.array([0.6 * width, 0.45 * height])
    frames, truth = [], []
    for number in range(len(moves) + 1):
        image = sampled(scene, moved(to_scene, places))
        own = places - middle[:, None, None]
        inside = np.hypot(*own) < 0.2 * min(size)
        image[inside] = sampled(thing, own + np.array([width, height])[:, None, None] / 2)[inside]
        frames.append(image + rng.normal(0, 0.5, image.shape))
        if number < len(moves):
            flow = moved(moves[number], places) - places
            truth.append(np.where(inside, (0.5 * drift[number])[:, None, None], flow))
            to_scene = after_inverse(to_scene, moves[number])
            middle = middle + 0.5 * drift[number]
    return np.stack(frames), np.stack(truth)


def picture(rng, width, height):
    """Draw a picture in grey that is smooth enough for flow between pixels."""
    fine = ndimage.gaussian_filter(rng.normal(0, 1, (height, width)), 1.5)
    image = grey(photograph(rng, width, height)).astype(np.float64)
    return ndimage.gaussian_filter(image, 0.8) * 0.6 + 40 + 120 * fine


def sampled(image, places):
    """Interpolate a picture smoothly; beyond it, it is mirrored."""
    return ndimage.map_coordinates(image, places[::-1], order=3, mode="mirror")


def moved(matrix, places):
    """Map places by a matrix."""
    return np.tensordot(matrix[:, :2], places, 1) + matrix[:, 2, None, None]


def after_inverse(matrix, move):
    """Give the matrix for places that have been moved: undone first."""
    back = np.linalg.inv(move[:, :2])
    linear = matrix[:, :2] @ back
    return np.column_stack([linear, matrix[:, 2] - linear @ move[:, 2]])


def run(device, modules, inputs):
    """Find the flow between each two frames; pyramids are made once a frame."""
    solver = Solver(device, modules["flow"], inputs)
    flows, counts = [], []
    solver.take(inputs["video"][0])
    for number, frame in enumerate(inputs["video"][1:], start=2):
        solver.take(frame)
        solver.is_last = number == len(inputs["video"])
        counts.append(solver.solve())
        flows.append(np.stack([solver.arrays[name].get() for name in FLOWS]))
    solver.keep_last()
    seen = {**solver.seen, "first": inputs["video"][-2]}
    return {"flow": np.stack(flows), "iterations": np.array(counts), **seen}


class Solver:
    """The device's arrays for all levels, and the method's steps."""

    def __init__(self, device, module, inputs):
        """Make the arrays: two pyramids that change places, and fields as large as a frame."""
        self.device, self.module, self.inputs = device, module, inputs
        height, width = inputs["video"].shape[1:]
        self.sizes = [(width, height)]
        for _ in range(inputs["levels"] - 1):
            width, height = (width + 1) // 2, (height + 1) // 2
            self.sizes.append((width, height))
        self.before, self.after = ([self.field(size) for size in self.sizes] for _ in range(2))
        names = ("slope_x", "slope_y", *WARPED, *FLOWS, *DUALS, "errors", "spare")
        self.levels = [{name: self.field(size) for name in names} for size in self.sizes]
        self.sums = device.empty(ceil(self.pixels(0) / (SUMMED * TURNS)), np.float32, name="sums")
        self.seen, self.is_last = {}, False

    def field(self, size):
        """Make an array of a level."""
        return self.device.zeros(size[::-1], np.float32, name=f"field of {size[0]} x {size[1]}")

    def pixels(self, level):
        """Count the pixels of a level."""
        return self.sizes[level][0] * self.sizes[level][1]

    def launch(self, kernel, size, args):
        """Launch a thread for each pixel."""
        grid = tuple(ceil(side / of) for side, of in zip(size, TILE, strict=True))
        self.device.launch(self.module[kernel], grid, TILE, args)

    def take(self, frame):
        """Copy the next frame to the device, and make its pyramid."""
        self.before, self.after = self.after, self.before
        self.after[0].set(frame)
        for level in range(1, len(self.sizes)):
            args = [self.after[level - 1], self.after[level]]
            args += [*self.sizes[level - 1], *self.sizes[level]]
            self.launch("halve", self.sizes[level], args)
        self.device.synchronize()

    def solve(self):
        """Go from the coarsest level to the finest; iterations of each level."""
        counts = []
        for level in reversed(range(len(self.sizes))):
            self.arrays, size = self.levels[level], self.sizes[level]
            self.begin(level)
            args = [self.after[level], self.arrays["slope_x"], self.arrays["slope_y"], *size]
            self.launch("gradient", size, args)
            for name in DUALS:
                self.arrays[name].fill(0)
            counts.append(sum(self.warp_and_solve(level) for _ in range(self.inputs["warps"])))
        return counts

    def begin(self, level):
        """Begin with no flow, or with that of the coarser level."""
        for name in FLOWS:
            if level == len(self.sizes) - 1:
                self.arrays[name].fill(0)
                continue
            args = [self.levels[level + 1][name], self.arrays[name]]
            args += [*self.sizes[level + 1], *self.sizes[level]]
            self.launch("enlarge", self.sizes[level], args)
        self.keep("begun", FLOWS)

    def warp_and_solve(self, level):
        """Warp, iterate until the flow rests, and filter; how many iterations it has taken."""
        arrays, size = self.arrays, self.sizes[level]
        self.keep("warped from", FLOWS)
        args = [self.before[level], self.after[level], arrays["slope_x"], arrays["slope_y"]]
        args += [*(arrays[name] for name in (*FLOWS, *WARPED)), *size]
        self.launch("warp", size, args)
        done = self.iterate(level)
        self.keep("unfiltered", FLOWS)
        for name in FLOWS:
            self.launch("median", size, [arrays[name], arrays["spare"], *size])
            arrays[name], arrays["spare"] = arrays["spare"], arrays[name]
        return done

    def iterate(self, level):
        """Solve by turns; the host looks every few turns whether the flow still moves."""
        arrays, size, pixels = self.arrays, self.sizes[level], self.pixels(level)
        fields = [arrays[name] for name in (*WARPED, *DUALS, *FLOWS, "errors")]
        duals = [arrays[name] for name in (*FLOWS, *DUALS)]
        most = self.inputs["iterations"]
        for turn in range(1, most + 1):
            looks = turn % self.inputs["look"] == 0 or turn == most
            if looks:
                self.keep("before the last turn", (*FLOWS, *DUALS))
            self.launch("solve_flow", size, [*fields, *size, LAMBDA * THETA, THETA])
            self.launch("solve_dual", size, [*duals, *size, TAU / THETA])
            if looks and self.error(level) < self.inputs["tolerance"] ** 2 * pixels:
                break
        return turn

    def error(self, level):
        """Add up how far the flow has moved: blocks on the device, their sums on the host."""
        blocks = ceil(self.pixels(level) / (SUMMED * TURNS))
        args = [self.arrays["errors"], self.sums, self.pixels(level), TURNS]
        self.device.launch(self.module["sum_errors"], blocks, SUMMED, args)
        total = float(self.sums[:blocks].get().sum(dtype=np.float64))
        self.seen["error"] = np.array(total)
        return total

    def keep(self, when, names):
        """Copy fields to the host for the check: of the finest level, between the last frames."""
        if self.is_last and self.arrays is self.levels[0]:
            for name in names:
                self.seen[f"{name} {when}"] = self.arrays[name].get()

    def keep_last(self):
        """Copy what there is at the end, and the last frame's pyramid, to the host."""
        self.keep("at last", ("slope_x", "slope_y", *WARPED, *FLOWS, *DUALS, "errors"))
        for level, image in enumerate(self.after):
            self.seen[f"level {level}"] = image.get()
        for name in FLOWS if len(self.sizes) > 1 else ():
            self.seen[f"{name} coarser"] = self.levels[1][name].get()


def check(inputs, results):
    """Compare the parts with SciPy's, the solutions with what they have to fulfil.

    Between the last frames, on the finest level; flows between all frames with the true ones.
    """
    seen = {name: np.asarray(values, np.float64) for name, values in results.items()}
    yield from check_images(inputs, seen)
    yield from check_warp(seen)
    yield from check_flow(seen)
    yield from check_dual(seen)
    against = "scipy.ndimage.median_filter"
    for name in FLOWS:
        filtered = ndimage.median_filter(results[f"{name} unfiltered"], 3, mode="nearest")
        yield equal(f"{name}, filtered", results[f"{name} at last"], filtered, against)
    away = np.hypot(*np.moveaxis(results["flow"] - inputs["truth"], 1, 0))
    far = np.hypot(*np.moveaxis(inputs["truth"], 1, 0))
    near = np.median(away, axis=(1, 2)) < 0.1 + 0.15 * far.mean(axis=(1, 2))
    yield holds("flows are near the true ones", near, "the moves of the video")


def check_images(inputs, seen):
    """Check the pyramid, the gradient, and the flow taken over from the coarser level."""
    weights = np.outer([1, 4, 6, 4, 1], [1, 4, 6, 4, 1]) / 256
    for level in range(1, inputs["levels"]):
        smooth = ndimage.correlate(seen[f"level {level - 1}"], weights, mode="nearest")
        name, got = f"level {level}", seen[f"level {level}"]
        yield close(name, got, smooth[::2, ::2], "scipy.ndimage.correlate", rtol=1e-6)
    for axis, name in ((1, "slope_x"), (0, "slope_y")):
        slope = ndimage.correlate1d(seen["level 0"], [-0.5, 0, 0.5], axis, mode="nearest")
        against = "scipy.ndimage.correlate1d"
        yield close(name, seen[f"{name} at last"], slope, against, rtol=1e-6, atol=1e-6)
    for name in FLOWS if inputs["levels"] > 1 else ():
        got = seen[f"{name} begun"]
        places = np.indices(got.shape) / 2
        fine = 2 * ndimage.map_coordinates(seen[f"{name} coarser"], places, order=1, mode="nearest")
        against = "scipy.ndimage.map_coordinates"
        yield close(f"{name}, enlarged", got, fine, against, rtol=1e-6, atol=1e-6)


def check_warp(seen):
    """Interpolate with SciPy where the flow leads; places at the very edge may be out or in."""
    shape = seen["level 0"].shape
    x, y = (np.indices(shape)[1 - k] + seen[f"{FLOWS[k]} warped from"] for k in range(2))
    out = np.maximum(np.maximum(-x, x - shape[1] + 1), np.maximum(-y, y - shape[0] + 1))
    clear, inside = np.abs(out) > 1e-4, out < 0

    def at_places(image):
        return ndimage.map_coordinates(image, (y, x), order=1, mode="nearest")

    gx, gy = (at_places(seen[f"slope_{axis} at last"]) for axis in "xy")
    parts = gx * seen["flow_x warped from"] + gy * seen["flow_y warped from"]
    off = at_places(seen["level 0"]) - parts - seen["first"]
    for name, values in zip(WARPED, (gx, gy, off), strict=True):
        got, wanted = seen[f"{name} at last"][clear], np.where(inside, values, 0.0)[clear]
        yield close(name, got, wanted, "scipy.ndimage.map_coordinates", rtol=2e-5, atol=4e-4)


def check_flow(seen):
    """Check the last turn's solution: no other one is better.

    It minimises LAMBDA * THETA * |difference| + |move|^2 / 2, for each pixel: where a difference is
    left the move is the full one against it, elsewhere up to that; all moves are along gradients.
    Then the divergence of the dual field is added; it is the gradient's negative adjoint.
    """
    gradient = gradients(seen["level 0"].shape)
    old, new = (
        np.stack([seen[f"{name} {when}"].ravel() for name in FLOWS])
        for when in ("before the last turn", "unfiltered")
    )
    dual = [
        np.concatenate([seen[f"{name} before the last turn"].ravel() for name in pair])
        for pair in (DUALS[:2], DUALS[2:])
    ]
    solved = new + THETA * np.stack([gradient.T @ part for part in dual])
    slope = np.stack([seen[f"{name} at last"].ravel() for name in WARPED[:2]])
    difference = seen["off at last"].ravel() + (slope * solved).sum(axis=0)
    steep = (slope**2).sum(axis=0)
    share = ((old - solved) * slope).sum(axis=0) / (LAMBDA * THETA * np.maximum(steep, 1e-9))
    along = old - solved - LAMBDA * THETA * share * slope
    against = "optimality of the solution"
    yield close("moves are along gradients", along, 0 * along, against, rtol=0, atol=1e-5)
    clear = steep > 0.01
    left = clear & (np.abs(difference) > 2e-3)
    sign = np.sign(difference[left])
    yield close("moves where differences are left", share[left], sign, against, rtol=2e-3)
    within = np.abs(share[clear & ~left]) <= 1 + 2e-3
    yield holds("moves where none is left", within, against)
    moved_by = ((new - old) ** 2).sum(axis=0)
    wanted, got = moved_by.reshape(seen["level 0"].shape), seen["errors at last"]
    yield close("errors", got, wanted, "NumPy in float64", rtol=1e-3, atol=1e-9)
    yield close("their sum", seen["error"], got.sum(), "numpy.sum", rtol=1e-5)


def check_dual(seen):
    """Check the last turn's dual fields, by a matrix of differences."""
    gradient = gradients(seen["level 0"].shape)
    for name, pair in zip(FLOWS, (DUALS[:2], DUALS[2:]), strict=True):
        before, got = (
            np.stack([seen[f"{part} {when}"].ravel() for part in pair])
            for when in ("before the last turn", "at last")
        )
        step = TAU / THETA * (gradient @ seen[f"{name} unfiltered"].ravel()).reshape(2, -1)
        wanted = (before + step) / (1 + np.hypot(*step))
        against = "differences as a matrix of scipy.sparse"
        yield close(f"dual of {name}", got, wanted, against, rtol=1e-4, atol=1e-5)
        short = np.hypot(*got) <= 1 + 1e-6
        yield holds(f"dual of {name} is at most 1 long", short, "the dual problem")


def gradients(shape):
    """Make the matrix of forward differences, across and then down; 0 at the last pixel."""
    across, down = (
        sp.diags([np.r_[-np.ones(size - 1), 0.0], np.ones(size - 1)], [0, 1])
        for size in (shape[1], shape[0])
    )
    ones = [sp.eye(size) for size in shape]
    return sp.vstack([sp.kron(ones[0], across), sp.kron(down, ones[1])]).tocsr()
