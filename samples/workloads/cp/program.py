"""Coulomb potential: a launch for each chunk of atoms that constant memory holds."""

import numpy as np
from scipy.spatial.distance import cdist

from warpmill.checks import close

BLOCK = (16, 8)
SPACING = 0.125  # a power of two: positions of grid points are exact
CAPACITY = 4000  # as in cp.cu
POINTS = (2, 8)  # that the kernels were made for


def make(side, points, atoms, chunk, seed):
    """Draw atoms in a box around the slice, which is halfway up; charges are of both signs."""
    if points not in POINTS or side < 1 or side % (BLOCK[0] * points) or min(atoms, chunk) < 1:
        raise ValueError("points is 2 or 8, side a multiple of 16 * points; 1 or more atoms, chunk")
    rng = np.random.default_rng(seed)
    edge = side * SPACING
    box = np.column_stack([edge * rng.random((atoms, 3)), rng.standard_normal(atoms)])
    return {
        "atoms": box.astype(np.float32),
        "level": np.float32(edge / 2),
        "side": side,
        "points": points,
        "chunk": min(chunk, CAPACITY),
    }


def run(device, modules, inputs):
    """Add up the potential, chunk by chunk; the slice, row by row."""
    side, points = inputs["side"], inputs["points"]
    module = modules["cp" if points == 2 else f"cp{points}"]
    constant = module.symbol("atoms", np.float32, (CAPACITY, 4))
    potential = device.zeros((side, side), np.float32, name="potential")
    grid = (side // (BLOCK[0] * points), side // BLOCK[1])
    for start in range(0, len(inputs["atoms"]), inputs["chunk"]):
        part = inputs["atoms"][start : start + inputs["chunk"]].copy()
        part[:, 2] = (part[:, 2] - inputs["level"]) ** 2
        constant[: len(part)].set(part)
        device.launch(module["cp_potential"], grid, BLOCK, [len(part), SPACING, potential, side])
    return {"potential": potential.get()}


def check(inputs, results):
    """Compare with distances in double precision, relative to what the sum has without signs.

    Charges cancel, so that rounding is to be seen beside the sum of absolute values. Each term has
    an error of up to 4e-7: differences of positions are rounded once, squares and rsqrt.approx
    add the rest. These and the roundings of the sum are of both signs and mostly cancel.
    """
    side = inputs["side"]
    atoms = inputs["atoms"].astype(np.float64)
    signed, absolute = [], []
    for row in range(side):
        x = SPACING * np.arange(side)
        points = np.column_stack([x, np.full(side, SPACING * row), np.full(side, inputs["level"])])
        inverse = 1.0 / cdist(points, atoms[:, :3])
        signed.append(inverse @ atoms[:, 3])
        absolute.append(inverse @ np.abs(atoms[:, 3]))
    got, expected = results["potential"] / np.array(absolute), np.array(signed) / absolute
    against = "scipy.spatial.distance.cdist"
    yield close("potential", got, expected, against, rtol=0.0, atol=1e-6)
