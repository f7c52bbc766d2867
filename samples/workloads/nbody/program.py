"""N bodies: a launch a step, places back and forth between two arrays."""

import numpy as np
from scipy.spatial.distance import cdist, pdist

from warpmill.checks import close

FLOATS = 16  # bytes of shared memory for a thread
ROUNDING = 3e-7  # of velocities and places, in a step: sums of many terms in float32
CANCELLED = 0.1  # of that, where it is summed up over all bodies
ENERGY = 1e-3  # share of it that may change, as steps have a length
LONGEST = 0.01  # step that keeps it so
SOFTENED = 0.001  # with less, bodies that meet turn rounding into other ways


def make(*, bodies, steps, seconds, softening, damping, block, seed):
    """Draw a cluster as Plummer has it, about in equilibrium, of bodies with uneven masses."""
    if bodies < 2 or steps < 1:
        raise ValueError("bodies are at least 2, steps at least 1")
    if not 0 < seconds <= LONGEST or softening < SOFTENED or not 0 < damping <= 1:
        words = f"seconds are above 0 and up to {LONGEST}, softening is {SOFTENED} or more"
        raise ValueError(f"{words}, damping is above 0 and up to 1")
    rng = np.random.default_rng(seed)
    masses = rng.pareto(2.5, bodies) + 0.2
    masses /= masses.sum()
    radii = np.minimum((rng.random(bodies) ** (-2 / 3) - 1) ** -0.5, 10.0)
    escape = np.sqrt(2) * (1 + radii**2) ** -0.25
    # a velocity is a share q of that of escape, q distributed as q^2 (1 - q^2)^3.5
    shares = np.sqrt(rng.beta(1.5, 4.5, bodies))
    places = radii[:, None] * directions(rng, bodies)
    velocities = (shares * escape)[:, None] * directions(rng, bodies)
    return {
        "places": np.column_stack([places, masses]).astype(np.float32),
        "velocities": np.column_stack([velocities, np.zeros(bodies)]).astype(np.float32),
        "steps": steps,
        "seconds": seconds,
        "softening": softening,
        "damping": damping,
        "block": block,
    }


def directions(rng, count):
    """Draw unit vectors."""
    drawn = rng.standard_normal((count, 3))
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def run(device, modules, inputs):
    """Move all bodies on, step by step."""
    module, block, bodies = modules["nbody"], inputs["block"], len(inputs["places"])
    softening = np.array([inputs["softening"] ** 2], np.float32)
    module.symbol("softening_squared", np.float32, 1).set(softening)
    now = device.array(inputs["places"], name="places")
    then = device.empty((bodies, 4), np.float32, name="other places")
    velocities = device.array(inputs["velocities"], name="velocities")
    constants = [bodies, inputs["seconds"], inputs["damping"]]
    for _ in range(inputs["steps"]):
        arguments = [now, then, velocities, *constants]
        grid = -(-bodies // block)
        device.launch(module["nbody_step"], grid, block, arguments, shared=FLOATS * block)
        now, then = then, now
    return {"places": now.get(), "velocities": velocities.get()}


def check(inputs, results):
    """Step on with SciPy's distances in double precision; look at what nature conserves."""
    masses = inputs["places"][:, 3].astype(np.float64)
    places, velocities = (inputs[n][:, :3].astype(np.float64) for n in ("places", "velocities"))
    start = conserved(masses, places, velocities, inputs["softening"])
    for _ in range(inputs["steps"]):
        squares = cdist(places, places, "sqeuclidean") + inputs["softening"] ** 2
        weights = masses * squares**-1.5
        pull = weights @ places - weights.sum(axis=1, keepdims=True) * places
        velocities = (velocities + pull * inputs["seconds"]) * inputs["damping"]
        places = places + velocities * inputs["seconds"]
    atol = ROUNDING * (1 + inputs["steps"])
    against = "scipy.spatial.distance.cdist in double precision"
    got = [results[name][:, :3].astype(np.float64) for name in ("places", "velocities")]
    yield close("velocities", got[1], velocities, against, rtol=ROUNDING, atol=atol)
    yield close("places", got[0], places, against, rtol=ROUNDING, atol=atol)
    yield close("masses", results["places"][:, 3], masses, "those of the beginning", rtol=0)
    if inputs["damping"] == 1:
        end = conserved(masses, *got, inputs["softening"])
        momenta, energy = np.append(start[0], start[1]), start[2]
        found, most = np.append(end[0], end[1]), CANCELLED * atol
        yield close("momenta", found, momenta, "conservation of momentum", rtol=0, atol=most)
        yield close("energy", end[2], energy, "conservation of energy", rtol=ENERGY)


def conserved(masses, places, velocities, softening):
    """Give momentum, angular momentum and energy."""
    momenta = masses[:, None] * velocities
    weights = np.multiply.outer(masses, masses)[np.triu_indices(len(masses), 1)]
    potential = -(weights / np.sqrt(pdist(places, "sqeuclidean") + softening**2)).sum()
    energy = (momenta * velocities).sum() / 2 + potential
    return momenta.sum(axis=0), np.cross(places, momenta).sum(axis=0), energy
