"""Julia sets: frame by frame, from c = 0 to c = -2, into the picture at a point of the set."""

import numpy as np

from warpmill.checks import equal, holds

BLOCK = (16, 8)
ESCAPED, SHADES, SHADES_A_STEP = 16.0, 256, 8  # as in julia.cu
INSIDE = 0xFF000000  # the colour of points that do not escape
DISTANCE = 0.7885  # of c from 0: sets fall apart and grow together as it goes around
ENOUGH = 60  # steps after which no double is near the set and not on it
POINTS = 64  # of each frame that are followed in complex128


def make(width, height, frames, seed, **course):
    """Make c and view of each frame: first 0 and last -2, whose sets have closed forms."""
    if width < 2 or height < 2 or frames < 3 or course["most"] < 1:
        raise ValueError("width and height are 2 or more, frames 3, most is 1 or more")
    if not 0 < course["zoom"] <= 1 or course["more"] < 0:
        raise ValueError("zoom is above 0, up to 1; more is 0 or above")
    rng = np.random.default_rng(seed)
    number = np.arange(frames)
    turns = rng.random() + course["turn"] * number / frames
    c = (DISTANCE * np.exp(2j * np.pi * turns)).astype(np.complex64)
    c[0], c[-1] = 0, -2
    width_seen = 3.4 * course["zoom"] ** number
    # the fixed point that pushes away belongs to every set: there is something to see around it
    fixed = (1 + np.sqrt(1 - 4 * c.astype(np.complex128))) / 2
    return {
        "c": c,
        "centre": (fixed * (1 - course["zoom"] ** number)).astype(np.complex64),
        "pitch": (width_seen / width).astype(np.float32),
        "most": (course["most"] + course["more"] * number).astype(np.int32),
        "palette": palette(),
        "width": width,
        "height": height,
    }


def palette():
    """Make colours that come back; the red part is the shade itself."""
    shade = np.arange(SHADES)
    green, blue = (128 + 127 * np.cos(2 * np.pi * (shade / SHADES + off)) for off in (0.1, 0.6))
    return np.stack([shade, green, blue, np.full(SHADES, 255)], -1).astype(np.uint8).view("<u4")


def run(device, modules, inputs):
    """Compute a frame, wait for it and show it: the host copies each picture."""
    module, width, height = modules["julia"], inputs["width"], inputs["height"]
    module.symbol("palette", np.uint32, (SHADES,)).set(inputs["palette"].ravel())
    picture = device.zeros((height, width), np.uint32, name="picture")
    steps = device.zeros((height, width), np.int32, name="steps")
    grid = (-(-width // BLOCK[0]), -(-height // BLOCK[1]))
    pictures, taken = [], []
    frames = zip(inputs["c"], inputs["centre"], inputs["pitch"], inputs["most"], strict=True)
    for c, centre, pitch, most in frames:
        view = [centre.real, centre.imag, pitch, c.real, c.imag, most]
        args = [picture, steps, width, height, *view]
        device.launch(module["julia"], grid, BLOCK, args)
        device.synchronize()
        pictures.append(picture.get())
        taken.append(steps.get())
    return {"pictures": np.stack(pictures), "steps": np.stack(taken)}


def check(inputs, results):
    """Compare the first and the last frame with closed forms, and some points of all with NumPy.

    Rounding decides when points near the set escape: up to one in a hundred may differ.
    """
    pictures, steps = results["pictures"], results["steps"]
    for frame, c in ((0, 0), (-1, -2)):
        escape, shade = closed_form(inputs, frame)
        same = (steps[frame] == escape).mean()
        against = f"the closed form for c = {c}"
        yield holds(f"steps of 99 points in 100, c = {c}", [same > 0.99], against)
        outside = escape < inputs["most"][frame]
        if not outside.any():
            continue
        off = np.abs((pictures[frame] & 0xFF) - np.floor(shade)) % SHADES
        near = ((off <= 1) | (off >= SHADES - 1))[outside].mean()
        yield holds(f"shades of 99 points in 100, c = {c}", [near > 0.99], against)
    same = (steps.reshape(len(steps), -1)[:, some(inputs)] == followed(inputs)).mean()
    against = "numpy's complex128"
    yield holds("steps of 99 points in 100, some of each frame", [same > 0.99], against)
    inside = steps == inputs["most"][:, None, None]
    yield holds("points that escape have a colour", inside | (pictures != INSIDE), "the palette")
    by_symmetry = steps[0][::-1, ::-1]  # its centre is 0, and z and -z have one square
    yield equal("the first frame turned by half", steps[0], by_symmetry, "symmetry")


def points(inputs, frame):
    """Give the points of a frame."""
    y, x = np.mgrid[: inputs["height"], : inputs["width"]] + 0.5
    offset = x - inputs["width"] / 2 + 1j * (y - inputs["height"] / 2)
    return inputs["centre"][frame] + offset * float(inputs["pitch"][frame])


def closed_form(inputs, frame):
    """Give steps and shades: with c = 0 z is squared only; with c = -2 so is w of z = w + 1 / w.

    After n steps z is then 2 cosh(2^n log w).
    """
    z, most = points(inputs, frame), int(inputs["most"][frame])
    doubled = np.exp2(np.arange(min(most, ENOUGH) + 1))[:, None, None]
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        if frame == 0:
            logs = np.log(np.abs(z)) * doubled
        else:
            log_w = np.log(z / 2 + np.sqrt(z / 2 - 1) * np.sqrt(z / 2 + 1))
            logs = log_w * doubled
            # beyond 20 one of both terms is all there is
            large = np.abs(logs.real) > 20
            logs = np.where(large, np.abs(logs.real), np.log(np.abs(2 * np.cosh(logs))))
    far = logs > np.log(ESCAPED) / 2
    if frame:
        far[:, (z.imag == 0) & (np.abs(z.real) <= 2)] = False  # the set itself: never, unrounded
    escape = np.where(far.any(axis=0), far.argmax(axis=0), most)
    there = np.take_along_axis(logs, np.minimum(escape, len(logs) - 1)[None], axis=0)[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        return escape, SHADES_A_STEP * (escape + 1 - np.log2(there / np.log(2)))


def some(inputs):
    """Choose points, the same in each frame."""
    return np.random.default_rng(0).integers(0, inputs["width"] * inputs["height"], POINTS)


def followed(inputs):
    """Follow some points of all frames at once; how many steps they take."""
    frames = range(len(inputs["c"]))
    z = np.stack([points(inputs, frame).ravel()[some(inputs)] for frame in frames])
    c, most = inputs["c"].astype(np.complex128)[:, None], inputs["most"][:, None]
    steps = np.zeros(z.shape, int)
    for step in range(int(inputs["most"].max())):
        going = (np.abs(z) <= np.sqrt(ESCAPED)) & (step < most)
        z = np.where(going, z * z + c, z)
        steps += going
    return steps
