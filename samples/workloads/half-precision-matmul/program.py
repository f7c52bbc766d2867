"""A network of layers, each a product of halves with a bias, and clipped but for the last one."""

from itertools import pairwise

import numpy as np

from warpmill.checks import close
from warpmill.samples.common.triton_launches import triton_kernel

ALIGN = 16  # that widths are multiples of, as the kernel was told
HALF_ULP = 2.0**-24  # of float32, relative
HALF_ULP_16, SUBNORMAL_16 = 2.0**-11, 2.0**-25  # of float16; the second is absolute


def make(rows, given, hidden, found, layers, seed):
    """Draw examples, many of whose values are 0, and weights that keep values' sizes."""
    if min(given, hidden, found) < 1 or any(n % ALIGN for n in (given, hidden, found)):
        raise ValueError(f"given, hidden and found are multiples of {ALIGN}, at least {ALIGN}")
    if min(rows, layers) < 1:
        raise ValueError("rows and layers are at least 1")
    rng = np.random.default_rng(seed)
    between = [max(int(hidden * 0.75**n) // ALIGN, 1) * ALIGN for n in range(layers - 1)]
    widths = [given, *between, found]
    examples = rng.random((rows, given)) * (rng.random((rows, given)) < 0.4)
    return {
        "examples": examples.astype(np.float16),
        "weights": [
            rng.normal(0, np.sqrt(2 / n), (n, m)).astype(np.float16) for n, m in pairwise(widths)
        ],
        "biases": [rng.normal(0, 0.1, m).astype(np.float32) for m in widths[1:]],
    }


def run(device, modules, inputs):
    """Launch a product a layer; its result is what the next one is given."""
    kernel = triton_kernel(device, modules, "matmul_half")
    tall, wide = (kernel.constants[name] for name in ("TALL", "WIDE"))
    rows, last = len(inputs["examples"]), len(inputs["weights"]) - 1
    values, results = device.array(inputs["examples"], name="examples"), {}
    for layer, weights in enumerate(inputs["weights"]):
        inner, width = weights.shape
        out = device.zeros((rows, width), np.float16, name=f"layer {layer}")
        bias = device.array(inputs["biases"][layer], name="bias")
        args = [out, values, device.array(weights, name="weights"), bias, rows, width, inner]
        kernel.launch(-(-rows // tall) * -(-width // wide), [*args, int(layer < last)])
        values = out
        results[f"layer {layer}"] = out.get()
    return results


def check(inputs, results):
    """Multiply in double precision what was stored before each layer.

    Products of halves are exact in float32; each addition to a sum is wrong by up to an ulp of the
    sum of sizes (tensor cores cut off instead of rounding), and the result is rounded to a half.
    """
    given, last = inputs["examples"].astype(np.float64), len(inputs["weights"]) - 1
    for layer, (halves, bias) in enumerate(zip(inputs["weights"], inputs["biases"], strict=True)):
        weights = halves.astype(np.float64)
        expected, sizes = given @ weights + bias, np.abs(given) @ np.abs(weights) + np.abs(bias)
        if layer < last:
            expected = np.maximum(expected, 0)
        allowed = HALF_ULP_16 * np.abs(expected) + SUBNORMAL_16
        allowed += 2 * (len(weights) + 1) * HALF_ULP * sizes
        got = results[f"layer {layer}"].astype(np.float64)
        name, by = f"layer {layer}, by what is allowed", "numpy.matmul in float64"
        yield close(name, got / allowed, expected / allowed, by, rtol=0, atol=1)
        given = got
