"""Stress of arithmetic: each kernel with one step, then with twice as many, then repeated."""

import numpy as np
from scipy.special import ellipkm1

from warpmill.checks import close, equal

BLOCK, CHAINS = 256, 4  # CHAINS as in stress.cu
FACTOR, TERM = 1664525, 1013904223
LONG_FACTOR, LONG_TERM = 6364136223846793005, 1442695040888963407
EXTRA = {  # arguments after the number of steps
    "stress_int": [np.uint32(FACTOR), np.uint32(TERM)],
    "stress_long": [np.uint64(LONG_FACTOR), np.uint64(LONG_TERM)],
}
KERNELS = (
    "stress_float", "stress_double", "stress_int", "stress_long", "stress_logic", "stress_roots",
)  # fmt: skip


def make(threads, steps, repeats, seed):
    """Draw where the chains begin."""
    if min(threads, steps, repeats) < 1:
        raise ValueError("threads, steps and repeats are 1 or more")
    rng = np.random.default_rng(seed)
    points = rng.uniform(0.5, 1, (threads, 2))
    angle = rng.uniform(0.01, 3, threads)
    turns = np.stack([points[:, 0], points[:, 1], np.cos(angle), np.sin(angle)], axis=1)
    return {
        "stress_float": turns.astype(np.float32),
        "stress_double": turns,
        "stress_int": rng.integers(0, 2**32, threads, np.uint32),
        "stress_long": rng.integers(0, 2**64, threads, np.uint64),
        "stress_logic": rng.integers(1, 2**32 - CHAINS, threads, np.uint32),
        "stress_roots": rng.uniform(0.4, 1, threads).astype(np.float32),
        "steps": steps,
        "repeats": repeats,
    }


def run(device, modules, inputs):
    """Launch kernel by kernel, with 1, 2, 4 steps and so on up to all; these are repeated."""
    module, results = modules["stress"], {}
    for name in KERNELS:
        start = device.array(inputs[name], name=f"start of {name}")
        threads = len(inputs[name])
        shape = {1: (CHAINS, threads), 2: (CHAINS, threads, 2)}[inputs[name].ndim]
        if name == "stress_roots":
            shape = (threads,)
        out = device.zeros(shape, inputs[name].dtype, name=f"results of {name}")
        series = doubled(inputs["steps"]) + [inputs["steps"]] * inputs["repeats"]
        for number, steps in enumerate(series):
            args = [out, start, threads, steps, *EXTRA.get(name, [])]
            device.launch(module[name], -(-threads // BLOCK), BLOCK, args)
            device.synchronize()  # the time of each launch is taken
            if number == len(series) // 2:
                results[f"{name}, {steps} steps"] = out.get()
        results[f"{name}, {series[-1]} steps"] = out.get()
    return results


def doubled(most):
    """Give 1, 2, 4 and so on, below a number."""
    return [1 << bits for bits in range(most.bit_length()) if 1 << bits < most]


def check(inputs, results):
    """Compare with closed forms."""
    for title, got in results.items():
        name, steps = title.split(", ")
        steps = int(steps.split()[0])
        start = inputs[name]
        if name in ("stress_float", "stress_double"):
            # a step rounds three times, and turns what was rounded before
            tolerance = 4 * steps * float(np.finfo(start.dtype).eps)
            expected = rotated(start.astype(np.float64), steps)
            against = "powers of complex numbers"
            yield close(title, got, expected, against, rtol=0, atol=max(8 * tolerance, 1e-13))
        elif name == "stress_roots":
            sums = means(start.astype(np.float64), steps)
            yield close(title, got, sums, "scipy.special.ellipkm1", rtol=1e-6 + steps * 6e-8)
        elif name == "stress_logic":
            yield equal(title, got, mapped(begun(start), steps), "a power of a matrix of bits")
        else:
            expected = counted(begun(start), steps, *EXTRA[name])
            yield equal(title, got, expected, "powers of integers, a geometric sum")


def begun(start):
    """Give where the chains begin."""
    return start[None] + np.arange(CHAINS, dtype=start.dtype)[:, None]


def rotated(start, steps):
    """Turn all points at once: a power of the turn, as a complex number."""
    point, turn = start[:, 0] + 1j * start[:, 1], start[:, 2] + 1j * start[:, 3]
    ends = np.arange(1, CHAINS + 1)[:, None] * (point * turn**steps)
    return np.stack([ends.real, ends.imag], axis=-1)


def counted(begin, steps, factor, term):
    """Take all steps of x a + b at once: a^n x + b (a^n - 1) / (a - 1), modulo 2^bits."""
    modulus, a = 1 << 8 * begin.itemsize, int(factor)
    grown = pow(a, steps, modulus * (a - 1))
    total = (grown - 1) // (a - 1) * int(term) % modulus
    return begin * begin.dtype.type(grown % modulus) + begin.dtype.type(total)


def mapped(begin, steps):
    """Take all steps at once: a power of the matrix that a step is of the 32 bits of a word."""
    one = np.eye(32, dtype=np.int64)
    # column j has a 1 where bit j goes: a shift by n is a diagonal n places off the middle
    step = (one + np.eye(32, k=-5)) @ (one + np.eye(32, k=17)) @ (one + np.eye(32, k=-13)) % 2
    power, square = one, step.astype(np.int64)
    while steps:
        power = power @ square % 2 if steps & 1 else power
        square, steps = square @ square % 2, steps >> 1
    bits = begin[..., None] >> np.arange(32, dtype=np.uint32) & 1
    ends = bits.astype(np.int64) @ power.T % 2
    return (ends.astype(np.uint64) << np.arange(32, dtype=np.uint64)).sum(axis=-1)


def means(start, steps):
    """Sum arithmetic-geometric means of 1 and x: pi / 2 over the elliptic integral of 1 - x^2."""
    x = start * (1 - np.arange(steps)[:, None] * (0.5 / steps))
    return (np.pi / 2 / ellipkm1(x**2)).sum(axis=0)
