"""Petri nets: one launch simulates one net many times, each time with other random numbers."""

import numpy as np
import scipy.sparse as sp

from warpmill.checks import equal, holds

BLOCK, BATCH, MOST_SIDE = 256, 624 - 397, 32  # as the kernel has them
OBSERVED = ("sum", "squares", "most", "fired")


def make(side, steps, simulations, ctas, seed):
    """Make a network of stations: some small, some large, some slow; jobs crowd in places."""
    if not 2 <= side <= MOST_SIDE:
        raise ValueError(f"side is from 2 to {MOST_SIDE}")
    if not 1 <= steps < 2**16 or simulations < 1 or ctas < 1:
        raise ValueError("steps are 1 to 65,535; simulations and ctas are 1 or more")
    rng = np.random.default_rng(seed)
    stations = side * side
    capacity = np.minimum(255, 1 + rng.geometric(0.08, stations))
    crowded = rng.random(stations) < 0.3
    share = np.where(crowded, rng.uniform(0.7, 1.0, stations), rng.uniform(0, 0.4, stations))
    jobs = np.round(capacity * share)
    return {
        "marking": np.concatenate([jobs, capacity - jobs]).astype(np.uint8),
        "rates": rng.integers(32, 256, stations).astype(np.uint8),
        "watched": int(np.argmax(capacity)),
        "seed": int(rng.integers(0, 2**31)),
        "side": side,
        "steps": steps,
        "simulations": simulations,
        "ctas": min(ctas, simulations),
    }


def run(device, modules, inputs):
    """Simulate; the last marking of each simulation, and what was seen on the way."""
    count = inputs["simulations"]
    first = device.array(inputs["marking"], name="first_marking")
    rates = device.array(inputs["rates"], name="rates")
    places = device.empty((count, len(inputs["marking"])), np.uint8, name="places")
    observed = device.empty((count, len(OBSERVED)), np.uint32, name="observed")
    sizes = [inputs[name] for name in ("side", "steps", "simulations", "seed", "watched")]
    args = [first, rates, places, *sizes, observed]
    device.launch(modules["pns"]["petri_net"], inputs["ctas"], BLOCK, args)
    return {"markings": places.get(), "observed": observed.get()}


def check(inputs, results):
    """Look for what the net keeps, and simulate all at once by its incidence matrices.

    A station's jobs and slots together stay what they are, as do all jobs together: these are the
    invariants of places that the matrix has. Random numbers are NumPy's.
    """
    first, markings = inputs["marking"].astype(int), results["markings"].astype(int)
    stations = len(first) // 2
    capacity = first[:stations] + first[stations:]
    kept = markings[:, :stations] + markings[:, stations:] == capacity
    yield holds("jobs and slots of a station", kept, "an invariant of the net")
    all_jobs = markings[:, :stations].sum(axis=1)
    yield equal("jobs", all_jobs, np.full(len(markings), first[:stations].sum()), "an invariant")
    expected, observed = simulated(inputs)
    by = "NumPy, by incidence matrices"
    yield equal("markings", markings, expected, by)
    for name, got, wanted in zip(OBSERVED, results["observed"].T, observed, strict=True):
        yield equal(name, got, wanted, by)


def net(side):
    """Give the net's matrices, transitions by places: what they take, and what they change.

    Transition 4 * s + w moves a job of station s to its neighbour w: right, left, below, above.
    """
    station = np.arange(side * side).reshape(side, side)
    turned = [np.roll(station, by, axis) for by, axis in ((-1, 1), (1, 1), (-1, 0), (1, 0))]
    to = np.stack(turned, axis=2).ravel()
    source, slots = np.repeat(station.ravel(), 4), side * side
    shape = (len(to), 2 * slots)
    number, ones = np.arange(len(to)), np.ones(len(to), int)

    def places(*columns):
        parts = [sp.csr_matrix((ones, (number, column)), shape=shape) for column in columns]
        return sum(parts[1:], parts[0])

    taken = places(source, slots + to)
    return taken, places(to, slots + source) - taken, np.stack([source, to], axis=1)


def simulated(inputs):
    """Simulate all nets step by step; their last markings, and what is to be seen of each."""
    side, count, steps = inputs["side"], inputs["simulations"], inputs["steps"]
    taken, change, needed = net(side)
    needs = taken.indices.reshape(-1, 2)
    seeds = [inputs["seed"] + i for i in range(count)]
    drawn = np.stack([numbers(seed, steps * BATCH) for seed in seeds]).reshape(count, steps, BATCH)
    markings = np.tile(inputs["marking"].astype(int), (count, 1))
    seen, fired = [], np.zeros(count, int)
    each = np.arange(count)[:, None]
    for step in range(steps):
        seen.append(markings[:, inputs["watched"]].copy())
        draw = drawn[:, step]
        column, row = (draw >> 24) * side >> 8, (draw >> 16 & 255) * side >> 8
        station = row * side + column
        transition = 4 * station + (draw & 3)
        enabled = (markings[each[:, :, None], needs[transition]] > 0).all(axis=2)
        enabled &= (draw >> 8 & 255) < inputs["rates"][station]
        won = winners(enabled, needed[transition], side * side)
        flat = sp.csr_matrix(
            (np.ones(np.count_nonzero(won), int), (np.nonzero(won)[0], transition[won])),
            shape=(count, change.shape[0]),
        )
        markings += (flat @ change).toarray()
        fired += won.sum(axis=1)
    seen = np.array(seen)
    return markings, (seen.sum(axis=0), (seen**2).sum(axis=0), seen.max(axis=0), fired)


def winners(enabled, stations, count):
    """Say which transitions are the first that are enabled at both stations that they need."""
    first = np.full((len(enabled), count), BATCH)
    net_number, order = np.nonzero(enabled)
    for end in range(2):
        np.minimum.at(first, (net_number, stations[net_number, order, end]), order)
    own = np.arange(enabled.shape[1])
    each = np.arange(len(enabled))[:, None]
    return enabled & (first[each, stations[..., 0]] == own) & (first[each, stations[..., 1]] == own)


def numbers(seed, count):
    """Draw 32-bit words of the Mersenne twister MT19937, seeded as its authors do."""
    twister = np.random.RandomState(seed)  # the generator that the kernel has
    return twister.randint(0, 2**32, count, dtype=np.uint32).astype(np.int64)
