"""The three products of a layer in training: its outputs, and what flows back to both operands."""

import numpy as np

from warpmill.checks import close

MOST_THREADS = 1024


def make(batch, inputs, outputs, seed, **block):
    """Draw a batch of inputs, a layer's weights, and slopes of its outputs."""
    if min(batch, inputs, outputs) < 1:
        raise ValueError("batch, inputs and outputs are 1 or more")
    width, height = block["block_width"], block["block_height"]
    if min(width, height) < 1 or width * height > MOST_THREADS:
        raise ValueError(f"block_width x block_height are 1 to {MOST_THREADS} threads")
    rng = np.random.default_rng(seed)
    return {
        "x": rng.standard_normal((batch, inputs), np.float32),
        "weights": rng.standard_normal((inputs, outputs), np.float32),
        "slopes": rng.standard_normal((batch, outputs), np.float32),
        "block": (width, height),
    }


def run(device, modules, inputs):
    """Multiply: outputs = x w, slopes of x = slopes w', slopes of w = x' slopes."""
    module, block = modules["naive"], inputs["block"]
    x, weights, slopes = (
        device.array(inputs[name], name=name) for name in ("x", "weights", "slopes")
    )
    batch, ins = inputs["x"].shape
    outs = inputs["weights"].shape[1]
    products = {
        "outputs": ("matmul_nn", x, weights, batch, outs, ins),
        "slopes_of_x": ("matmul_nt", slopes, weights, batch, ins, outs),
        "slopes_of_weights": ("matmul_tn", x, slopes, ins, outs, batch),
    }
    results = {}
    for name, (kernel, a, b, rows, columns, inner) in products.items():
        c = device.empty((rows, columns), np.float32, name=name)
        grid = (-(-columns // block[0]), -(-rows // block[1]))
        device.launch(module[kernel], grid, block, [a, b, c, rows, columns, inner])
        results[name] = c.get()
    return results


def check(inputs, results):
    """Compare with products in double precision, beside the products of absolute values.

    Each of the additions rounds by at most half an ulp, 6e-8, of a sum that is no larger than that.
    """
    x, weights, slopes = (inputs[n].astype(np.float64) for n in ("x", "weights", "slopes"))
    products = {
        "outputs": (x, weights),
        "slopes_of_x": (slopes, weights.T),
        "slopes_of_weights": (x.T, slopes),
    }
    for name, (a, b) in products.items():
        scale, additions = np.abs(a) @ np.abs(b), a.shape[1]
        against, atol = "numpy.matmul in float64", 6e-8 * additions
        yield close(name, results[name] / scale, a @ b / scale, against, rtol=0, atol=atol)
