"""Ocean surface: frame by frame, patches of waves of different lengths."""

import numpy as np

from warpmill.checks import close, holds

MOST, TILE, BLOCK = 256, 16, (16, 16)  # as in ocean.cu
PRESSED = 0.7  # as in ocean.cu
GRAVITY = 9.81
LARGEST = 400.0  # metres a side of the largest patch
SMALLER = 5.3  # times smaller is each further one: no whole number, so that patches do not line up
CHOPPINESS = 1.6
SECONDS = 1 / 15  # of a frame
PHILLIPS = 0.0081  # his constant
ACROSS = 0.15  # cosine of the angle to the wind below which there are no waves
LEAST_HEIGHT = 1.2e-3  # metres, on average: of less wind a patch shows no waves
AGAINST = 0.07  # of the amplitude have waves that run against the wind


def make(side, patches, frames, seed, **weather):
    """Draw the first amplitudes of each patch: Phillips' spectrum, of its own range of lengths."""
    if patches < 1 or not TILE <= side >> patches - 1 <= side <= MOST or side & side - 1:
        words = f"side is a power of two up to {MOST}, patches are 1 or more"
        raise ValueError(f"{words}, and the last one has {TILE} points a side or more")
    if frames < 1 or not weather["wind"] > 0:
        raise ValueError("frames are 1 or more, and there is some wind")
    rng = np.random.default_rng(seed)
    found, longest = [], np.inf
    for number in range(patches):
        points, length = side >> number, LARGEST / SMALLER**number
        next_length = length / SMALLER if number + 1 < patches else 0
        # two waves of the next patch fit: what is shorter belongs there, or is cut off
        shortest = max(next_length / 2, 4 * length / points)
        power = energies(waves(points, length), (shortest, longest), **weather)
        first = rng.standard_normal((points, points)) + 1j * rng.standard_normal((points, points))
        first *= np.sqrt(PHILLIPS / 4 * power) * 2 * np.pi / length
        if np.sqrt(2 * (np.abs(first) ** 2).sum()) < LEAST_HEIGHT:
            raise ValueError(f"wind of {weather['wind']} m/s makes no waves in patch {number}")
        found.append({"first": first.astype(np.complex64), "length": np.float32(length)})
        longest = shortest
    return {"patches": found, "frames": frames}


def waves(points, length):
    """Give the wave vectors of a patch, as the transform orders them: x, y, and their length."""
    along = 2 * np.pi * np.fft.fftfreq(points, 1 / points) / length
    x, y = np.meshgrid(along, along)
    return x, y, np.hypot(x, y)


def energies(vectors, lengths, wind, direction):
    """Give Phillips' spectrum of waves, those whose length is in a range."""
    x, y, k = vectors
    points = len(k)
    k[0, 0] = 1
    shortest, longest = (2 * np.pi / one if one else np.inf for one in lengths)
    within = (k < shortest) & (k >= longest)
    largest = wind**2 / GRAVITY
    facing = (x * np.cos(np.radians(direction)) + y * np.sin(np.radians(direction))) / k
    power = np.exp(-1 / (k * largest) ** 2) / k**4 * facing**2
    power *= np.where(facing < 0, AGAINST**2, 1.0) * (np.abs(facing) > ACROSS)
    power[~within] = 0
    power[0, 0] = 0
    power[points // 2], power[:, points // 2] = 0, 0  # waves that have no mirrored ones
    return power


def run(device, modules, inputs):
    """Compute all frames; of each, the host reads the row of heights that a ship swims on."""
    module = modules["ocean"]
    patches = [new_patch(device, patch) for patch in inputs["patches"]]
    rows = []
    for frame in range(inputs["frames"]):
        if frame == inputs["frames"] - 1:
            foam = [patch["foam"].get() for patch in patches]
        for patch in patches:
            compute(device, module, patch, np.float32(frame * SECONDS))
        device.synchronize()
        rows.append([patch["heights"][0].get() for patch in patches])
    results = {}
    for number, patch in enumerate(patches):
        results |= {f"{name} {number}": patch[name].get() for name in OUTPUTS}
        results[f"rows {number}"] = np.stack([row[number] for row in rows])
        results[f"foam before {number}"] = foam[number]
    return results


OUTPUTS = ("heights", "normals", "foam")


def new_patch(device, patch):
    """Make the arrays of a patch."""
    points = len(patch["first"])
    roots = np.exp(2j * np.pi * np.arange(points // 2) / points).astype(np.complex64)
    square = (points, points)
    return {
        "length": patch["length"],
        "first": device.array(patch["first"], name="first amplitudes"),
        "roots": device.array(roots, name="roots of one"),
        "spectra": [device.zeros(square, np.complex64, name=n) for n in ("height", "shift")],
        "turned": [device.zeros(square, np.complex64, name=f"turned {n}") for n in "hs"],
        "normals": device.zeros((*square, 4), np.float32, name="normals"),
        "heights": device.zeros(square, np.float32, name="heights"),
        "foam": device.zeros(square, np.float32, name="foam"),
    }


def compute(device, module, patch, seconds):
    """Launch the kernels of a frame of a patch."""
    points, length = len(patch["first"]), patch["length"]
    levels, tiles = points.bit_length() - 1, (points // TILE, points // TILE)
    args = [patch["first"], *patch["spectra"], points, length, seconds]
    device.launch(module["ocean_spectrum"], tiles, BLOCK, args)
    for spectrum, turned in zip(patch["spectra"], patch["turned"], strict=True):
        args = [patch["roots"], points, levels]
        device.launch(module["ocean_rows"], points, points // 2, [spectrum, *args])
        device.launch(module["ocean_transpose"], tiles, BLOCK, [turned, spectrum, points])
        device.launch(module["ocean_rows"], points, points // 2, [turned, *args])
    surface = [patch["normals"], patch["heights"], patch["foam"]]
    args = [*surface, *patch["turned"], points, length, np.float32(CHOPPINESS)]
    device.launch(module["ocean_surface"], tiles, BLOCK, args)


def check(inputs, results):
    """Compare with NumPy's inverse transform of the spectrum, in float64."""
    against, last = "numpy.fft.ifft2 in float64", inputs["frames"] - 1
    for number, patch in enumerate(inputs["patches"]):
        surface = {name: results[f"{name} {number}"] for name in (*OUTPUTS, "rows", "foam before")}
        expected = [fields(patch, frame)[0][0] for frame in range(last + 1)]
        scale = np.abs(expected).max()
        name = f"patch {number}"
        atol = 2e-5 * float(scale)
        got = surface["rows"]
        yield close(f"{name}, a row of each frame", got, expected, against, rtol=0, atol=atol)
        height, east, north = fields(patch, last)
        yield close(f"{name}, heights", surface["heights"], height, against, rtol=0, atol=atol)
        normals, folded = normals_and_folding(patch, height, east, north)
        got = surface["normals"]
        yield close(f"{name}, normals", got[..., :3], normals, against, rtol=0, atol=1e-4)
        yield close(f"{name}, folding", got[..., 3], folded, against, rtol=0, atol=1e-4)
        yield holds(f"{name}, waves are there", [height.std() > 1e-3], "height above a millimetre")
        before = surface["foam before"]
        foam = np.where(before > 0.01, 0.9 * before, 0)
        foam = np.maximum(foam, -np.expm1(2 * np.minimum(folded - PRESSED, 0)))
        yield close(f"{name}, foam", surface["foam"], foam, against, rtol=0, atol=2e-4)


def fields(patch, frame):
    """Give heights and both shifts of a patch, x in rows, as the kernels leave them."""
    points, length = len(patch["first"]), float(patch["length"])
    x, y, k = waves(points, length)
    first = patch["first"].astype(np.complex128)
    mirrored = np.roll(first[::-1, ::-1], (1, 1), (0, 1)).conj()
    turn = np.exp(1j * np.sqrt(GRAVITY * k) * float(np.float32(frame * SECONDS)))
    spectrum = first * turn + mirrored / turn
    k[0, 0] = 1
    found = (spectrum, -1j * x / k * spectrum, -1j * y / k * spectrum)
    return [np.fft.ifft2(one, norm="forward").real.T for one in found]


def normals_and_folding(patch, height, east, north):
    """Take differences between neighbours; the determinant of the shifted surface's matrix."""
    step = 2 * float(patch["length"]) / len(height)
    (rise_x, rise_y), *shifts = (
        [(np.roll(field, -1, axis) - np.roll(field, 1, axis)) / step for axis in (0, 1)]
        for field in (height, CHOPPINESS * east, CHOPPINESS * north)
    )
    normals = np.stack([-rise_x, -rise_y, np.ones_like(rise_x)], axis=-1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    matrix = np.moveaxis(np.array(shifts), (0, 1), (-2, -1)) + np.eye(2)
    return normals, np.linalg.det(matrix)
