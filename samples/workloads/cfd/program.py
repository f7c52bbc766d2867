"""Euler equations in a mesh of tetrahedra: three Runge-Kutta stages an iteration."""

import numpy as np
from scipy.spatial import Delaunay

from warpmill.checks import close, holds

WALL, FAR_FIELD = -1, -2
GAMMA, DISSIPATION, STAGES = 1.4, 0.2, 3
SLOWEST = 0.05  # of the gas: what flows is to be seen beside rounding
BLOCK = 192  # threads that the kernels are compiled for
WHOLE_RUN = 100_000  # elements times iterations that are all computed again
CENTRE, RADIUS = np.array([0.4, 0.5, 0.5]), 0.15  # of the ball, in a cube of side 1


def make(elements, mach, iterations, block, seed):
    """Make a mesh around a ball, and the gas far away: density 1.4, pressure 1, along x."""
    if elements < 100 or iterations < 1:  # fewer may have no wall, and hardly any flow
        raise ValueError("elements is at least 100, iterations at least 1")
    if abs(mach) < SLOWEST or block > BLOCK:
        raise ValueError(f"mach is at least {SLOWEST}, either way; block is up to {BLOCK}")
    far = np.array([1.4, 1.4 * mach, 0, 0, 1 / (GAMMA - 1) + 0.5 * 1.4 * mach**2], np.float32)
    neighbours, normals = mesh(elements, seed)
    return {
        "neighbours": neighbours,
        "normals": normals,
        "far": far,
        "iterations": iterations,
        "block": block,
    }


def mesh(elements, seed):
    """Join random points to tetrahedra outside the ball: neighbours and normals of their faces.

    Four rows of neighbours, or kinds of boundary; for each of x, y, z four rows of normals.
    """
    points = _points(int(0.18 * elements) + 40, seed)
    tetrahedra = Delaunay(points)
    corners, beside = np.array(tetrahedra.simplices), np.array(tetrahedra.neighbors)
    # those that have the ball's centre for a corner, which is point 0, are the ball
    outside = np.flatnonzero((corners != 0).all(axis=1))
    # along a curve through the cube, so that most neighbours are near in memory too
    centres = points[corners[outside]].mean(axis=1)
    chosen = outside[np.argsort(_curve(centres), kind="stable")][:elements]
    if len(chosen) < elements:
        raise ValueError(f"{len(points)} points make {len(chosen)} elements of {elements}")
    number = np.full(len(corners) + 1, -1)
    number[chosen] = np.arange(elements)
    neighbours = number[beside[chosen]].T
    vectors, middles = _faces(points[corners[chosen]])
    at_ball = np.linalg.norm(middles - CENTRE, axis=-1) < 1.5 * RADIUS
    neighbours = np.where(neighbours >= 0, neighbours, np.where(at_ball, WALL, FAR_FIELD))
    normals = np.moveaxis(vectors, -1, 0).reshape(12, elements)
    return neighbours.astype(np.int32), normals.astype(np.float32)


def run(device, modules, inputs):
    """Fill the mesh with the gas far away, then iterate; what all elements hold at the end."""
    block, far, module = inputs["block"], inputs["far"], modules["cfd"]
    count = inputs["neighbours"].shape[1]
    padded = -(-count // block) * block
    grid = padded // block
    constants = _constants(device, modules.is_opencl, module, far)
    # the last element stands for those that fill up the last CTA
    filled = ((0, 0), (0, padded - count))
    neighbours = np.pad(inputs["neighbours"], filled, "edge")
    normals = np.pad(inputs["normals"], filled, "edge")
    surfaces = device.array(_surfaces(normals).astype(np.float32), name="surfaces")
    neighbours = device.array(neighbours, name="neighbours")
    normals = device.array(normals, name="normals")
    variables, old, fluxes = (
        device.empty((5, padded), np.float32, name=name) for name in ("variables", "old", "fluxes")
    )
    factors = device.empty(padded, np.float32, name="step_factors")

    for array in (variables, old, fluxes):
        arguments = [array, padded, *constants[:1]]
        device.launch(module["initialize_variables"], grid, block, arguments)
    for array in (factors, fluxes):
        arguments = [array.view(np.int8), 0, array.nbytes]
        device.launch(module["cfd_memset"], array.nbytes // block, block, arguments)
    cleared = fluxes.get()
    for _ in range(inputs["iterations"]):
        device.copy(old, variables)
        arguments = [variables, surfaces, factors, padded]
        device.launch(module["compute_step_factor"], grid, block, arguments)
        for stage in range(STAGES):
            arguments = [neighbours, normals, variables, fluxes, padded, *constants]
            device.launch(module["compute_flux"], grid, block, arguments)
            arguments = [stage, old, variables, factors, fluxes, padded]
            device.launch(module["time_step"], grid, block, arguments)
    held = {"variables": variables, "fluxes": fluxes, "old": old}
    return {name: array.get()[:, :count] for name, array in held.items()} | {"cleared": cleared}


def check(inputs, results):
    """Compute the last iteration again, from where it began; small runs from the start too."""
    steps, work = inputs["iterations"], inputs["iterations"] * inputs["neighbours"].shape[1]
    against = "NumPy, face by face in float64"
    got, scale = results["variables"], np.abs(inputs["far"]).max()
    if work <= WHOLE_RUN:
        start = np.repeat(inputs["far"][:, None], got.shape[1], axis=1)
        state, _, _ = _expected(inputs, start, steps)
        # rounding adds up over the stages; some momenta are near zero
        yield close("variables", got, state, against, rtol=1e-5, atol=1e-5 * scale)
    state, fluxes, inflow = _expected(inputs, results["old"], 1)
    yield close("last iteration", got, state, against, rtol=2e-6, atol=2e-6 * scale)
    # what flows in and out nearly cancels: rounding is that of the whole surface's flow
    size = _surfaces(inputs["normals"]) * scale
    yield close("fluxes", results["fluxes"] / size, fluxes / size, against, rtol=0.0, atol=2e-6)
    mass, turnover = results["fluxes"][0].sum(dtype=np.float64), np.abs(fluxes[0]).sum()
    yield close("mass", mass, inflow, "conservation of mass", rtol=0.0, atol=1e-5 * turnover)
    yield holds("cleared", results["cleared"] == 0, "zeros")
    pressure = _pressure(got)
    yield holds("positive", (got[0] > 0) & (pressure > 0), "density and pressure are positive")


def _constants(device, is_opencl, module, far):
    """Give the gas far away to the kernels: arguments in OpenCL, symbols in CUDA."""
    flux = np.stack([_flux_along(far[:, None], axis)[1:, 0] for axis in np.eye(3)[:, :, None]])
    flux = np.ascontiguousarray(flux.T, np.float32).ravel()
    if is_opencl:
        return [device.array(far, name="far_state"), device.array(flux, name="far_flux")]
    module.symbol("far_state", np.float32, (5,)).set(far)
    module.symbol("far_flux", np.float32, (12,)).set(flux)
    return []


def _points(count, seed):
    """Draw points outside the ball, after its centre and points that cover its surface evenly."""
    rng = np.random.default_rng(seed)
    gap = count ** (-1 / 3)
    drawn = rng.random((count, 3))
    drawn = drawn[np.linalg.norm(drawn - CENTRE, axis=1) > RADIUS + 0.5 * gap]
    turn = np.arange(0.5, 4 * np.pi * (RADIUS / gap) ** 2 + 20)
    height = 1 - 2 * turn / (len(turn) + 0.5)
    angle = turn * np.pi * (3 - np.sqrt(5))  # a golden section of the circle at each step
    ring = np.sqrt(1 - height**2)
    surface = np.stack([ring * np.cos(angle), ring * np.sin(angle), height], axis=1)
    return np.concatenate([[CENTRE], CENTRE + RADIUS * surface, drawn])


def _curve(points):
    """Order points along Morton's curve: the digits of their coordinates take turns."""
    cells = (points * 1024).astype(np.int64)
    bits = (cells[:, :, None] >> np.arange(10)) & 1
    return (bits << (3 * np.arange(10) + np.arange(3)[:, None])).sum(axis=(1, 2))


def _faces(corners):
    """Compute the outward normals, as long as the faces are large, and the middles of all faces.

    Face k is the one opposite to corner k.
    """
    vectors, middles = [], []
    for k in range(4):
        a, b, c = (corners[:, j] for j in range(4) if j != k)
        vector = 0.5 * np.cross(b - a, c - a)
        inwards = np.einsum("ij,ij->i", vector, corners[:, k] - a) > 0
        vectors.append(np.where(inwards[:, None], -vector, vector))
        middles.append((a + b + c) / 3)
    return np.stack(vectors), np.stack(middles)


def _surfaces(normals):
    """Add up the faces of each element, from any layout of the twelve rows of normals."""
    return np.linalg.norm(normals.reshape(3, 4, -1), axis=0).sum(axis=0)


def _flux_along(state, normal):
    """Compute what flows through faces with these normals, one a column."""
    through = (state[1:4] * normal).sum(axis=0) / state[0]
    pressure = _pressure(state)
    flux = state * through
    flux[1:4] += pressure * normal
    flux[4] += pressure * through
    return flux


def _pressure(state):
    return (GAMMA - 1) * (state[4] - 0.5 * (state[1:4] ** 2).sum(axis=0) / state[0])


def _waves(state):
    """Compute the speed of flow and sound together."""
    return np.linalg.norm(state[1:4] / state[0], axis=0) + np.sqrt(
        GAMMA * _pressure(state) / state[0]
    )


def _expected(inputs, start, iterations):
    """Iterate face by face: the end, the fluxes of the last stage, the mass that flows in then."""
    normals = inputs["normals"].astype(np.float64).reshape(3, 4, -1)
    neighbours, far = inputs["neighbours"], inputs["far"].astype(np.float64)[:, None]
    count = neighbours.shape[1]
    surfaces = _surfaces(normals)
    face, left = np.nonzero(neighbours > np.arange(count))
    right, inner = neighbours[face, left], normals[:, face, left]
    area = np.linalg.norm(inner, axis=0)
    face, wall = np.nonzero(neighbours == WALL)
    wall_normals = normals[:, face, wall]
    face, edge = np.nonzero(neighbours == FAR_FIELD)
    edge_normals = normals[:, face, edge]
    state = start.astype(np.float64)
    for _ in range(iterations):
        old, factor = state, 0.5 / (surfaces * _waves(state))
        for stage in range(STAGES):
            a, b = state[:, left], state[:, right]
            between = 0.5 * (_flux_along(a, inner) + _flux_along(b, inner))
            between -= 0.5 * DISSIPATION * area * (_waves(a) + _waves(b)) * (b - a)
            pushed = np.zeros((5, len(wall)))
            pushed[1:4] = _pressure(state[:, wall]) * wall_normals
            through = 0.5 * (
                _flux_along(state[:, edge], edge_normals) + _flux_along(far, edge_normals)
            )
            fluxes = _sums(right, between, count) - _sums(left, between, count)
            fluxes -= _sums(wall, pushed, count) + _sums(edge, through, count)
            state = old + factor / (STAGES - stage) * fluxes
    return state, fluxes, -through[0].sum()


def _sums(elements, values, count):
    return np.stack([np.bincount(elements, row, count) for row in values])
