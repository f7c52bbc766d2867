"""Matrix product of halves: a launch for all tiles and slices, one that adds the slices."""

import numpy as np

from warpmill.checks import close

TALL, WIDE, DEEP, THREADS = 64, 64, 32, 128  # as the kernel has them
CHUNK = 8  # halves of one copy
HALF_ULP = 2.0**-24  # of float32, relative
HALF_ULP_16, SUBNORMAL_16 = 2.0**-11, 2.0**-25  # of float16; the second is absolute


def make(height, width, inner, slice, **others):
    """Draw two matrices with signs, rows and columns of different sizes."""
    if min(height, width, inner) < 1 or any(n % CHUNK for n in (height, width, inner)):
        raise ValueError(f"height, width and inner are multiples of {CHUNK}, at least {CHUNK}")
    if slice < 1 or slice % DEEP:
        raise ValueError(f"slice is a multiple of {DEEP}, at least {DEEP}")
    rng = np.random.default_rng(others["seed"])
    a = rng.normal(0, 1, (height, inner)) * rng.uniform(0.1, 2, (height, 1))
    b = rng.normal(0, 1, (inner, width)) * rng.uniform(0.1, 2, (1, width))
    halves = {"a": a.astype(np.float16), "b": b.astype(np.float16)}
    return {**halves, "slice": slice, "block": others["block"]}


def run(device, modules, inputs):
    """Multiply slices, and add them."""
    module = modules["matmul_async"]
    (height, inner), width = inputs["a"].shape, inputs["b"].shape[1]
    slices = -(-inner // inputs["slice"])
    a, b = device.array(inputs["a"], name="a"), device.array(inputs["b"], name="b")
    parts = device.empty((slices, height, width), np.float32, name="parts")
    grid = (-(-width // WIDE), -(-height // TALL), slices)
    sizes = [height, width, inner, inputs["slice"]]
    device.launch(module["matmul_async"], grid, THREADS, [a, b, parts, *sizes])
    c = device.zeros((height, width), np.float16, name="c")
    pairs, block = height * width // 2, inputs["block"]
    args = [parts, c, pairs, slices]
    device.launch(module["matmul_async_sum"], -(-pairs // block), block, args)
    return {"parts": parts.get(), "c": c.get()}


def check(inputs, results):
    """Multiply in double precision, slice by slice and whole.

    Products of halves are exact in float32; each addition to a sum is wrong by up to an ulp of the
    sum of sizes (tensor cores cut off instead of rounding), and the result is rounded to a half.
    """
    a, b = (inputs[name].astype(np.float64) for name in ("a", "b"))
    ends = range(inputs["slice"], a.shape[1], inputs["slice"])
    pairs = list(zip(np.split(a, ends, axis=1), np.split(b, ends), strict=True))
    expected = np.stack([left @ right for left, right in pairs])
    sizes = np.stack([np.abs(left) @ np.abs(right) for left, right in pairs])
    allowed = 2 * min(inputs["slice"], a.shape[1]) * HALF_ULP * sizes
    by, name = "numpy.matmul in float64", "parts, by what is allowed"
    yield close(name, results["parts"] / allowed, expected / allowed, by, rtol=0, atol=1)
    whole = a @ b
    allowed = allowed.sum(0) + len(pairs) * HALF_ULP * sizes.sum(0)
    allowed += HALF_ULP_16 * np.abs(whole) + SUBNORMAL_16
    name = "c, by what is allowed"
    yield close(name, results["c"] / allowed, whole / allowed, by, rtol=0, atol=1)
