"""Lattice Boltzmann: one launch a time step, between two lattices that take turns."""

import numpy as np

from warpmill.checks import close

OMEGA, LID_VELOCITY = 1.95, (0.005, 0.002, 0.0)
OBSTACLE, LID = 1, 2
SLAB = 10  # planes of a large lattice that the check computes again
MARGIN = 2  # planes before and behind the lattice
STEPS = np.array(
    [
        (x, y, z)
        for z in (-1, 0, 1)
        for y in (-1, 0, 1)
        for x in (-1, 0, 1)
        if abs(x) + abs(y) + abs(z) <= 2
    ]
)
WEIGHTS = np.array([1 / 3, 1 / 18, 1 / 36])[np.abs(STEPS).sum(axis=1)]
FIELDS = len(STEPS) + 1


def make(ball, steps, seed, **sides):
    """Make a cavity with walls, two lids and a ball, at rest, with a density that wobbles."""
    shape = tuple(sides[name] for name in ("depth", "height", "width"))
    if min(shape) < 3 or shape[-1] > 1024 or steps < 1 or ball < 0:
        words = "width, height and depth are at least 3, width at most 1024"
        raise ValueError(f"{words}, steps is at least 1, ball 0 or more")
    flags = _flags(shape, ball)
    if (flags == OBSTACLE).all():
        raise ValueError("ball is too large: no cell is left for the fluid")
    noise = np.random.default_rng(seed).random(shape, np.float32)
    density = np.float32(0.9) + np.float32(0.2) * noise
    return {"flags": flags, "density": density, "steps": steps}


def run(device, modules, inputs):
    """Let the steps follow each other; the populations of all cells after the last."""
    flags, density = inputs["flags"], inputs["density"]
    depth, height, width = flags.shape
    row = -(-width // 32) * 32
    plane = height * row
    field = plane * (depth + 2 * MARGIN)
    source = device.array(_lattice(flags, density, row), name="lattice 0")
    target = device.empty((FIELDS, field), np.float32, name="lattice 1")
    device.copy(target, source)
    kernel = modules["lbm"]["lbm_step"]
    for _ in range(inputs["steps"]):
        device.launch(kernel, (height, depth), width, [source, target, row, plane, field])
        source, target = target, source
    target.free()
    got = source.get().reshape(FIELDS, depth + 2 * MARGIN, height, row)
    return {"populations": got[:-1, MARGIN:-MARGIN, :, :width]}


def check(inputs, results):
    """Compute the whole lattice or its lower planes again, and add up the mass of all."""
    got, flags, steps = results["populations"], inputs["flags"], inputs["steps"]
    # what lies above reaches one plane further down with each step
    is_large = len(flags) > 2 * (SLAB + steps)
    part = slice(SLAB + steps) if is_large else slice(None)
    sound = slice(SLAB) if is_large else slice(None)
    start = WEIGHTS[:, None, None, None] * inputs["density"][part]
    expected = _stepped(start, flags[part], steps)
    known = _from_fluid(flags)
    mask = known[:, sound]
    # weights are rounded to a sum of 1 + 1.5e-8 in the kernel, of which a collision adds OMEGA
    gained = 3e-8 * steps
    # a population is a sum of some twenty terms, each rounded, in each step
    yield close(
        "populations",
        got[:, sound][mask],
        expected[:, sound][mask],
        "NumPy, by moments",
        rtol=1e-5 + gained,
    )
    sums = [inputs["density"].sum(where=there, dtype=np.float64) for there in known]
    mass = got.sum(where=known, dtype=np.float64)
    yield close("mass", mass, WEIGHTS @ sums, "conservation of mass", rtol=1e-6 + gained)


def _flags(shape, ball):
    """Mark walls all around, a lid below the upper and above the lower one, and the ball."""
    flags = np.zeros(shape, np.int32)
    flags[[1, -2], 2:-2, 2:-2] = LID
    middle = (np.array(shape) - 1) / 2
    z, y, x = (at - half for at, half in zip(np.ogrid[*map(slice, shape)], middle, strict=True))
    flags[z**2 + y**2 + x**2 < ball**2] = OBSTACLE
    for axis in range(3):
        np.moveaxis(flags, axis, 0)[[0, -1]] = OBSTACLE
    return flags


def _lattice(flags, density, row):
    """Lay out all fields with padding and margin, which hold fluid of density 1."""
    depth, height, width = flags.shape
    fields = np.empty((FIELDS, depth + 2 * MARGIN, height, row), np.float32)
    inside = fields[:, MARGIN:-MARGIN, :, :width]
    for weight, whole, part in zip(WEIGHTS, fields, inside, strict=False):
        whole[...] = weight
        part[...] = np.float32(weight) * density
    fields[-1] = 0
    inside[-1] = flags.view(np.float32)
    return fields.reshape(FIELDS, -1)


def _stepped(populations, flags, steps):
    """Take the steps with whole lattices, in float64."""
    velocities, is_obstacle, is_lid = STEPS.astype(np.float64), flags == OBSTACLE, flags == LID
    for _ in range(steps):
        density = populations.sum(axis=0)
        u = np.tensordot(velocities.T, populations, axes=1) / density
        u[:, is_lid] = np.array(LID_VELOCITY)[:, None]
        along = np.tensordot(velocities, u, axes=1)
        settled = 1 + 3 * along + 4.5 * along**2 - 1.5 * (u**2).sum(axis=0)
        settled *= WEIGHTS[:, None, None, None] * density
        relaxed = populations + OMEGA * (settled - populations)
        collided = np.where(is_obstacle, populations[::-1], relaxed)
        populations = np.stack(
            [
                np.roll(one, tuple(step[::-1]), axis=(0, 1, 2))
                for one, step in zip(collided, STEPS, strict=True)
            ]
        )
    return populations


def _from_fluid(flags):
    """Tell which populations are fluid: all of fluid cells, of obstacles those that just came."""
    is_fluid = flags != OBSTACLE
    came = [np.roll(is_fluid, tuple(step[::-1]), axis=(0, 1, 2)) for step in STEPS]
    return np.stack(came) | is_fluid
