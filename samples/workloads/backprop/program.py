"""Backpropagation: one step of training, the big layer on the device, the small one on the host."""

import numpy as np

from warpmill.checks import close

HIDDEN = 16
HEIGHTS = (16, 32)  # that the kernels were made for
RATE, MOMENTUM = np.float32(0.3), np.float32(0.3)


def make(inputs, height, seed):
    """Draw inputs and weights so that no unit is saturated; unit 0 of each layer is constant."""
    if height not in HEIGHTS or inputs < 1 or inputs % height:
        raise ValueError("height is 16 or 32, inputs a multiple of it")
    rng = np.random.default_rng(seed)
    drawn = {
        "values": np.r_[1.0, rng.random(inputs)],
        "weights": rng.standard_normal((inputs + 1, HIDDEN + 1)) / np.sqrt(inputs),
        "changes": rng.standard_normal((inputs + 1, HIDDEN + 1)) / inputs,
        "output_weights": rng.standard_normal(HIDDEN + 1),
    }
    made = {name: array.astype(np.float32) for name, array in drawn.items()}
    return {**made, "target": np.float32(0.9), "height": height}


def run(device, modules, inputs):
    """Go forward to the output, then back: deltas of both layers and the weights of the first."""
    height = inputs["height"]
    module = modules["backprop" if height == 16 else f"backprop{height}"]
    grid, block = (1, (len(inputs["values"]) - 1) // height), (HIDDEN, height)
    values = device.array(inputs["values"], name="values")
    weights = device.array(inputs["weights"], name="weights")
    partial = device.zeros((grid[1], HIDDEN), np.float32, name="partial")
    device.launch(module["layerforward"], grid, block, [values, weights, partial, HIDDEN])
    sums = partial.get()
    hidden = np.r_[np.float32(1), _squash(sums.sum(axis=0) + inputs["weights"][0, 1:])]
    deltas, output = _deltas(hidden, inputs["output_weights"], inputs["target"])

    weights.set(inputs["weights"])  # products are in their place
    changes = device.array(inputs["changes"], name="changes")
    back = [device.array(deltas, name="deltas"), values, weights, changes, HIDDEN]
    device.launch(module["adjust_weights"], grid, block, back)
    return {
        "partial": sums,
        "hidden": hidden[1:],
        "output": output,
        "weights": weights.get(),
        "changes": changes.get(),
    }


def check(inputs, results):
    """Train the network in float64, with derivatives that are taken of its error as a whole."""
    values, weights, changes = (
        inputs[name].astype(np.float64) for name in ("values", "weights", "changes")
    )
    by = "NumPy matrices in float64"
    blocks = np.arange(1, len(values), inputs["height"])
    partial = np.add.reduceat(values[:, None] * weights, blocks)[:, 1:]
    yield close("partial", results["partial"], partial, by, rtol=1e-5, atol=1e-6)
    sums = (values @ weights)[1:]
    yield close("hidden", results["hidden"], _squash(sums), by)
    yield close("output", results["output"], _output(sums, inputs), by)

    gradient = np.r_[0.0, [_slope(sums, unit, inputs) for unit in range(HIDDEN)]]
    change = -RATE * np.outer(values, gradient) + MOMENTUM * changes
    change[:, 0] = changes[:, 0]  # the constant has no weights
    weights[:, 1:] += change[:, 1:]
    by = "complex-step derivative in float64"
    scale = float(np.abs(gradient).max())
    yield close("changes", results["changes"], change, by, rtol=1e-5, atol=1e-5 * scale)
    yield close("weights", results["weights"], weights, by, rtol=1e-5, atol=1e-5 * scale)


def _squash(sums):
    """The logistic function."""
    return 1 / (1 + np.exp(-sums))


def _deltas(hidden, output_weights, target):
    """The host's part: the output, and what each hidden unit contributes to its error."""
    output = _squash(hidden @ output_weights)
    delta = output * (1 - output) * (target - output)
    return hidden * (1 - hidden) * delta * output_weights, output


def _output(sums, inputs):
    """The output as a function of the hidden units' weighted sums."""
    weights = inputs["output_weights"].astype(np.float64)
    return _squash(weights[0] + _squash(sums) @ weights[1:])


def _slope(sums, unit, inputs):
    """The derivative of half the squared error by a weighted sum: the part that is imaginary."""
    moved = sums + 1e-30j * (np.arange(HIDDEN) == unit)
    return ((float(inputs["target"]) - _output(moved, inputs)) ** 2 / 2).imag / 1e-30
