"""Electron repulsion integrals: pairs of charges, bounds, then all integrals in batches."""

from itertools import pairwise

import numpy as np
from scipy.special import erf

from warpmill.checks import close, equal, holds

BLOCK = 64
MOST_SHELLS, MOST_GAUSSIANS = 64, 384  # as the kernels have them
PAIRS_BLOCK = 128
BOND = 1.4  # bohr, of the hydrogen molecule that the first two shells are
HYDROGEN = 1.24  # factor of its exponents' roots
# of that molecule: (11|11), (21|11), (21|21), (22|11), (22|21), (22|22)
TEXTBOOK = (0.7746, 0.4441, 0.2970, 0.5697, 0.4441, 0.7746)
# exponents and coefficients of Slater's 1s and 2s functions, as six and three Gaussians
SIX = (
    (23.10303149, 4.235915534, 1.185056519, 0.4070988982, 0.1580884151, 0.06510953954),
    (0.00916359628, 0.04936149294, 0.1685383049, 0.3705627997, 0.4164915298, 0.1303340841),
)
THREE = ((2.227660584, 0.4057711562, 0.1098175104), (0.15432897, 0.53532814, 0.44463454))
OUTER = ((0.9942027, 0.2310313, 0.0751386), (-0.09996723, 0.39951283, 0.70011547))
ONE = ((0.3,), (1.0,))
NEAR = 1e-3  # bounds so near to the threshold may lie on either side of it
CLOSE = 3e-6  # of the bound of an integral
# below, bounds are lost in float32; above, integrals of the hydrogen molecule would be left out
THRESHOLDS = (1e-15, 0.29)


def make(shells, distance, threshold, batch, seed):
    """Place a hydrogen molecule, then a chain of atoms with a core, an outer and a wide shell."""
    if not 2 <= shells <= MOST_SHELLS:
        raise ValueError(f"shells are 2 to {MOST_SHELLS}")
    if distance <= 0 or not 1 <= batch < 2**16:
        raise ValueError("distance is more than 0, batch is 1 to 65535")
    if not THRESHOLDS[0] <= threshold <= THRESHOLDS[1]:
        raise ValueError(f"threshold is from {THRESHOLDS[0]} to {THRESHOLDS[1]}")
    rng = np.random.default_rng(seed)
    centres, kinds = [np.zeros(3), np.array([BOND, 0, 0])], [(THREE, HYDROGEN)] * 2
    while len(kinds) < shells:
        step = rng.normal([1.0, 0.0, 0.0])
        place = centres[-1] + distance * step / np.linalg.norm(step)
        atom = [(SIX, rng.uniform(5, 8)), (OUTER, rng.uniform(1.6, 2.3)), (ONE, 1.0)]
        for kind in atom[: shells - len(kinds)]:
            kinds.append(kind)
            centres.append(place)
    exponents = [factor**2 * np.array(kind[0]) for kind, factor in kinds]
    norms = [np.array(kind[1]) for kind, _ in kinds]
    coefficients = [c * (2 * a / np.pi) ** 0.75 for a, c in zip(exponents, norms, strict=True)]
    pairs = every_two(shells)
    counts = np.array([len(one) for one in exponents])
    return {
        "centres": np.array(centres, np.float32),
        "gaussians": np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        "exponents": np.concatenate(exponents).astype(np.float32),
        "coefficients": np.concatenate(coefficients).astype(np.float32),
        "pairs": pairs,
        "terms": np.append(0, np.cumsum(counts[pairs].prod(axis=1))).astype(np.int32),
        "threshold": threshold,
        "batch": batch,
    }


def run(device, modules, inputs):
    """Make the pairs, bound them by their integrals with themselves, find all integrals."""
    module, pairs, terms = modules["rpes"], inputs["pairs"], inputs["terms"]
    set_constants(module, inputs)
    count = int(terms[-1])
    pair_of = np.repeat(np.arange(len(pairs), dtype=np.int32), np.diff(terms))
    starts = device.array(terms, name="terms")
    places = device.zeros((count, 4), np.float32, name="places")
    factors = device.zeros(count, np.float32, name="factors")
    given = [device.array(pairs, name="shells_of"), device.array(pair_of, name="pair_of"), starts]
    grid = -(-count // PAIRS_BLOCK)
    device.launch(module["rpes_pairs"], grid, PAIRS_BLOCK, [*given, places, factors, count])

    charges = [starts, places, factors]
    none = device.zeros(len(pairs), np.float32, name="no bounds")
    itself = np.repeat(np.arange(len(pairs), dtype=np.int32)[:, None], 2, axis=1)
    bounds = device.array(integrals(device, module, itself, [*charges, none], 0.0, len(pairs)))
    threshold, batch = inputs["threshold"], inputs["batch"]
    wanted = every_two(len(pairs))
    found = integrals(device, module, wanted, [*charges, bounds], threshold, batch)
    return {"bounds": bounds.get(), "integrals": found}


def integrals(device, module, wanted, given, threshold, batch):
    """Find the wanted integrals, `batch` of them a launch."""
    found = []
    for first in range(0, len(wanted), batch):
        part = device.array(wanted[first : first + batch], name="wanted")
        result = device.zeros(part.shape[0], np.float32, name="integrals")
        arguments = [part, *given, threshold, result]
        device.launch(module["rpes_integrals"], result.size, BLOCK, arguments)
        found.append(result.get())
        part.free()
        result.free()
    return np.concatenate(found)


def every_two(count):
    """List every two of a number of things once: each with those up to itself."""
    one, other = np.tril_indices(count)
    return np.column_stack([one, other]).astype(np.int32)


def set_constants(module, inputs):
    """Fill the constant memory of the kernels."""
    centres = np.pad(inputs["centres"], [(0, 0), (0, 1)]).ravel()
    values = {name: inputs[name] for name in ("gaussians", "exponents", "coefficients")}
    for name, array in {**values, "centres": centres}.items():
        module.symbol(name, array.dtype)[: array.size].set(array)


def check(inputs, results):
    """Sum up over all pairs of Gaussians with SciPy's error function, in double precision."""
    table = repulsion(inputs)
    own = np.diagonal(table)
    against = "scipy.special.erf in double precision"
    yield close("bounds", results["bounds"], own, against, rtol=2 * CLOSE, atol=1e-12)
    one, other = every_two(len(own)).T
    expected, bound = table[one, other], np.sqrt(own[one] * own[other])
    threshold, found = inputs["threshold"], results["integrals"]
    above = bound > threshold * (1 + NEAR)
    scaled = (found / np.maximum(bound, 1e-30))[above]
    right = (expected / np.maximum(bound, 1e-30))[above]
    yield close("integrals, of their bounds", scaled, right, against, rtol=0, atol=CLOSE)
    below = bound < threshold * (1 - NEAR)
    if below.any():
        yield equal("integrals left out", found[below], np.zeros(below.sum()), "Schwarz's bounds")
    yield holds("no integral above its bound", abs(right) < 1 + CLOSE, "Schwarz's inequality")
    first = found[: len(TEXTBOOK)]
    yield close("hydrogen molecule", first, TEXTBOOK, "textbook values", rtol=0, atol=5.1e-5)


def repulsion(inputs):
    """Give the integrals of all pairs of shells with all others."""
    pairs, terms = inputs["pairs"], inputs["terms"]
    centres = inputs["centres"].astype(np.float64)
    numbers = [np.arange(a, b) for a, b in pairwise(inputs["gaussians"])]
    meshes = [np.meshgrid(numbers[i], numbers[j], indexing="ij") for i, j in pairs]
    a, b = (np.concatenate([mesh[side].ravel() for mesh in meshes]) for side in (0, 1))
    at_a, at_b = (np.repeat(centres[pairs[:, side]], np.diff(terms), axis=0) for side in (0, 1))
    exponents, weights = (inputs[n].astype(np.float64) for n in ("exponents", "coefficients"))
    both = exponents[a] + exponents[b]
    places = (exponents[a, None] * at_a + exponents[b, None] * at_b) / both[:, None]
    apart = ((at_a - at_b) ** 2).sum(axis=1)
    factors = weights[a] * weights[b] * np.exp(-exponents[a] * exponents[b] / both * apart)
    rows = []
    for start, end in pairwise(terms):
        mine = slice(start, end)
        squares = ((places[mine, None] - places) ** 2).sum(axis=2)
        product, together = both[mine, None] * both, both[mine, None] + both
        root = np.sqrt(np.maximum(product / together * squares, 1e-14))
        boys = np.sqrt(np.pi) / 2 * erf(root) / root
        scale = 2 * np.pi**2.5 / (product * np.sqrt(together))
        rows.append(np.add.reduceat(factors[mine] @ (scale * boys) * factors, terms[:-1]))
    return np.array(rows)
