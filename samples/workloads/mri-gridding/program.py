"""MRI gridding: for each frame, bin the samples, sort them by bin, and gather them tile by tile."""

from itertools import product

import numpy as np
from scipy.special import i0

from warpmill.checks import close, equal

TILE = (8, 8, 4)  # of grid points; this and the next seven as in gridding.cu
REACH = 2
SCAN_THREADS = 256
SORT_THREADS, KEYS = 128, 4
DIGIT_BITS = 4
NUMERATOR, DENOMINATOR = 8, 3
SAMPLE = np.dtype([(name, np.float32) for name in ("real", "imaginary", "x", "y", "z", "density")])
GOLDEN = (0.4656, 0.6823)  # turns of the golden means in three dimensions


def make(  # noqa: PLR0913 - the sizes of a preset, by their names
    *, width, height, depth, trajectory, frames, arms, readout, cutoff, oversampling, seed
):
    """Draw the samples of all frames; a later frame has more arms than an earlier one."""
    size = (width, height, depth)
    if any(n <= 0 or n % side for n, side in zip(size, TILE, strict=True)):
        raise ValueError(f"width, height and depth are multiples of {TILE}")
    if not (0 < cutoff <= REACH and oversampling > 0.5 and 2 - 1 / oversampling >= 1 / cutoff):
        raise ValueError(f"`cutoff` is up to {REACH}; with little oversampling it has to be large")
    if trajectory not in PATHS or min(frames, arms, readout) < 1:
        words = f"`trajectory` is one of {', '.join(PATHS)}"
        raise ValueError(f"{words}; frames, arms and readout are 1 or more")
    rng = np.random.default_rng(seed)
    counts = [max(1, round(arms * (frames + 1 + 2 * f) / (2 * frames))) for f in range(frames)]
    first = np.concatenate([[0], np.cumsum(counts)])
    made = [
        samples_on(*PATHS[trajectory](first[f] + np.arange(counts[f]), readout), size, rng)
        for f in range(frames)
    ]
    beta = np.pi * np.sqrt((2 * cutoff / oversampling * (oversampling - 0.5)) ** 2 - 0.8)
    window = window_fit(beta)
    return {"frames": made, "size": size, "cutoff": cutoff, "beta": beta, "window": window}


def spokes(arm, readout):
    """Give points of straight lines through the centre, in all directions, and their density."""
    up = 2 * (arm * GOLDEN[0] % 1) - 1
    turn = 2 * np.pi * (arm * GOLDEN[1] % 1)
    flat = np.sqrt(1 - up**2)
    way = np.stack([flat * np.cos(turn), flat * np.sin(turn), up], axis=1)
    along = np.linspace(-1, 1, readout)
    points = along[None, :, None] * way[:, None, :]
    return points.reshape(-1, 3), np.tile(along**2 + 1 / readout**2, len(arm))


def spirals(arm, readout):
    """Give points of flat spirals at many heights, closer together inwards, and their density."""
    up = 2 * (arm * GOLDEN[0] % 1) - 1
    along = np.linspace(0, 1, readout)
    radius = along**2
    turn = 2 * np.pi * (6 * along[None, :] + (arm * GOLDEN[1] % 1)[:, None])
    points = [
        radius * np.cos(turn),
        radius * np.sin(turn),
        np.broadcast_to(up[:, None], turn.shape),
    ]
    return np.stack(points, axis=-1).reshape(-1, 3), np.tile(along**3 + 1 / readout**2, len(arm))


PATHS = {"radial": spokes, "spiral": spirals}


def samples_on(points, density, size, rng):
    """Give the samples at points from -1 to 1, in cells, in the order in which they are measured.

    Positions are multiples of 1/256 of a cell, as of a scanner's fixed-point table. Squared
    distances are exact in single precision then, so that there is no doubt about what is in reach.
    """
    samples = np.zeros(len(points), SAMPLE)
    for k, axis in enumerate("xyz"):
        cells = size[k] / 2 + points[:, k] * (size[k] / 2 - 1)
        samples[axis] = np.round(256 * cells) / 256
    samples["real"], samples["imaginary"] = rng.standard_normal((2, len(points)))
    samples["density"] = density / density.mean()
    return samples


def run(device, modules, inputs):
    """Grid all frames; grids and weights, and the order of samples on the way there."""
    module = modules["gridding"]
    module.symbol("size", np.int32, (3,)).set(np.array(inputs["size"], np.int32))
    module.symbol("cutoff2", np.float32, (1,)).fill(inputs["cutoff"] ** 2)
    module.symbol("over_cutoff2", np.float32, (1,)).fill(1 / inputs["cutoff"] ** 2)
    for name, polynomial in zip(("numerator", "denominator"), inputs["window"], strict=True):
        module.symbol(name, np.float32, polynomial.shape).set(polynomial)
    results = {}
    for f, samples in enumerate(inputs["frames"]):
        frame = grid_frame(device, module, samples, inputs["size"])
        results |= {f"{name}_{f}": values for name, values in frame.items()}
    return results


def window_fit(beta):
    """Fit the window by a quotient of two polynomials in what the squared distance leaves of 1.

    Least squares of the relative error at Chebyshev's places, with the denominator multiplied out.
    The fit is within 3e-9 of the window for all cutoffs up to 2; rounding it in single precision
    makes that 1e-6.
    """
    left = 0.5 - 0.5 * np.cos(np.pi * (np.arange(400) + 0.5) / 400)
    above = np.vander(left, NUMERATOR + 1, increasing=True)
    below = np.vander(left, DENOMINATOR + 1, increasing=True)[:, 1:]
    exact = kaiser_bessel(1 - left, beta)
    columns = np.hstack([above / exact[:, None], -below])
    fitted = np.linalg.lstsq(columns, np.ones(len(left)))[0].astype(np.float32)
    over, under = np.split(fitted, [NUMERATOR + 1])
    return over, np.concatenate([np.ones(1, np.float32), under])


def kaiser_bessel(share, beta):
    """Give the window where the squared distance is this share of the squared radius."""
    return i0(beta * np.sqrt(1 - share)) / i0(beta)


def grid_frame(device, module, samples, size):
    """Grid one frame."""
    count, bins = len(samples), int(np.prod(size))
    chunk = SORT_THREADS * KEYS
    slots = -(-count // chunk) * chunk
    passes = -(-bins.bit_length() // DIGIT_BITS)
    given = device.array(samples.view(np.float32), name="samples")
    keys, values = (device.empty(slots, np.uint32, name=name) for name in ("keys", "values"))
    starts = device.zeros(bins + 1, np.uint32, name="starts")
    filler = (1 << passes * DIGIT_BITS) - 1
    bin_ = [given, count, keys, values, starts, filler]
    device.launch(module["gridding_bin"], slots // SORT_THREADS, SORT_THREADS, bin_)
    scan(device, module, starts)
    keys, values = sort(device, module, keys, values, passes)
    sorted_values = device.empty((count, 2), np.float32, name="sorted_values")
    sorted_places = device.empty((count, 4), np.float32, name="sorted_places")
    reorder = [given, values, sorted_values, sorted_places, count]
    blocks = -(-count // SORT_THREADS)
    device.launch(module["gridding_reorder"], blocks, SORT_THREADS, reorder)
    shape = size[::-1]
    grid = device.empty((*shape, 2), np.float32, name="grid")
    weights = device.empty(shape, np.float32, name="weights")
    tiles = [n // side for n, side in zip(size, TILE, strict=True)]
    gather = [sorted_values, sorted_places, starts, grid, weights]
    device.launch(module["gridding_gather"], tiles, TILE[:2], gather)
    results = {
        "starts": starts.get(),
        "order": values.get()[:count],
        "grid": grid.get().view(np.complex64)[..., 0],
        "weights": weights.get(),
    }
    for array in (given, keys, values, sorted_values, sorted_places, starts, grid, weights):
        array.free()
    return results


def sort(device, module, keys, values, passes):
    """Sort keys, and values with them, digit by digit from the lowest; equal keys stay in order."""
    parts = len(keys) // (SORT_THREADS * KEYS)
    digits = 1 << DIGIT_BITS
    new_keys = device.empty(len(keys), np.uint32, name="new_keys")
    new_values = device.empty(len(keys), np.uint32, name="new_values")
    counts = device.empty(digits * parts, np.uint32, name="counts")
    begins = device.empty(digits * parts, np.uint32, name="begins")
    for shift in range(0, passes * DIGIT_BITS, DIGIT_BITS):
        within = [keys, values, shift, counts, begins]
        device.launch(module["gridding_sort_parts"], parts, SORT_THREADS, within)
        scan(device, module, counts)
        scatter = [keys, values, new_keys, new_values, shift, counts, begins]
        device.launch(module["gridding_sort_scatter"], parts, SORT_THREADS, scatter)
        keys, values, new_keys, new_values = new_keys, new_values, keys, values
    for array in (new_keys, new_values, counts, begins):
        array.free()
    return keys, values


def scan(device, module, data):
    """Make exclusive prefix sums of an array: those of its parts, and a tree over the parts' sums.

    The tree has as many levels as it takes to come to one node; each is a launch up and one down.
    """
    leaves = 2 * SCAN_THREADS
    parts = -(-len(data) // leaves)
    nodes = 1 << (parts - 1).bit_length()
    sums = device.zeros(nodes, np.uint32, name="sums")
    device.launch(module["gridding_scan_parts"], parts, SCAN_THREADS, [data, sums, len(data)])
    levels = []
    stride = 1
    while stride < nodes:
        together = min(leaves, nodes // stride)
        levels.append((nodes // stride // together, together // 2, stride))
        stride *= together
    for blocks, threads, stride in levels:
        device.launch(module["gridding_scan_up"], blocks, threads, [sums, stride])
    for blocks, threads, stride in reversed(levels):
        top = int(stride == levels[-1][2])
        device.launch(module["gridding_scan_down"], blocks, threads, [sums, stride, top])
    if levels:
        device.launch(module["gridding_scan_add"], parts, SCAN_THREADS, [data, sums, len(data)])
    sums.free()


def check(inputs, results):
    """Compare with a scatter of each sample to the points in reach, in double precision.

    Values cancel: differences are relative to what the sum has without signs. The window is wrong
    by 1e-6 in single precision (see ``window_fit``); rounding of a sum over thousands of samples
    adds a few times that.
    """
    size = inputs["size"]
    for f, samples in enumerate(inputs["frames"]):
        bins = np.ravel_multi_index([samples[k].astype(int) for k in "zyx"], size[::-1])
        counts = np.bincount(bins, minlength=np.prod(size))
        starts = np.concatenate([[0], np.cumsum(counts)])
        yield equal(f"starts of bins {f}", results[f"starts_{f}"], starts, "numpy.bincount")
        order = np.argsort(bins, kind="stable")
        yield equal(f"order {f}", results[f"order_{f}"], order, "numpy.argsort")
        grid, weights, most = scattered(samples, size, inputs["cutoff"], inputs["beta"])
        against = "numpy.add.at, scipy.special.i0"
        got = results[f"weights_{f}"]
        yield equal(f"points in reach {f}", got > 0, weights > 0, against)
        yield close(f"weights {f}", got, weights, against, rtol=1e-5)
        yield close(f"total weight {f}", got.sum(dtype=float), weights.sum(), against, rtol=1e-6)
        scale = np.where(most > 0, most, 1)
        for part in ("real", "imag"):
            ours, theirs = (getattr(g, part) / scale for g in (results[f"grid_{f}"], grid))
            yield close(f"{part} {f}", ours, theirs, against, rtol=0.0, atol=3e-6)


def scattered(samples, size, cutoff, beta):
    """Add each sample to all points in reach: values, weights, and the values' absolute sums."""
    shape = size[::-1]
    place = np.stack([samples[k] for k in "zyx"]).astype(np.float64)
    value = (samples["real"] + 1j * samples["imaginary"].astype(np.float64)) * samples["density"]
    grid, weights, most = np.zeros(shape, complex), np.zeros(shape), np.zeros(shape)
    low, around = np.floor(place).astype(int), int(np.ceil(cutoff))
    for offset in product(range(1 - around, around + 1), repeat=3):
        point = low + np.array(offset)[:, None]
        share = ((point - place) ** 2).sum(axis=0) / cutoff**2
        near = (
            (share < 1) & (point >= 0).all(axis=0) & (point < np.array(shape)[:, None]).all(axis=0)
        )
        at, window = tuple(point[:, near]), kaiser_bessel(share[near], beta)
        np.add.at(grid, at, window * value[near])
        np.add.at(weights, at, window)
        np.add.at(most, at, window * np.abs(value[near]))
    return grid, weights, most
