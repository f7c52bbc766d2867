"""Layer normalisation: layers one after the other, then their gradients in the other order."""

import numpy as np

from warpmill.checks import close
from warpmill.samples.common.triton_launches import triton_kernel

ALIGN = 16  # that columns are a multiple of, as the kernels were told
FEWEST, MOST = 32, 1024  # columns; more do not fit in a block of layer_norm_back
EPSILON = 1e-5
HALF_ULP = 2.0**-24  # of float32, relative
HALF_ULP_16, SUBNORMAL_16 = 2.0**-11, 2.0**-25  # of float16; the second is absolute
STEP = 1e-100  # of complex derivatives, which no difference cancels
NAMES = ("d_weights", "d_biases")
SAMPLED = 12  # rows whose derivatives are taken column by column


def make(rows, columns, layers, parts, seed):
    """Draw activations with a few large columns, as those of language models have them."""
    if columns % ALIGN or not FEWEST <= columns <= MOST:
        raise ValueError(f"columns is a multiple of {ALIGN} from {FEWEST} to {MOST}")
    if min(rows, layers, parts) < 1:
        raise ValueError("rows, layers and parts are at least 1")
    rng = np.random.default_rng(seed)
    given = rng.normal(0.3, 1, (rows, columns)) * rng.uniform(0.5, 2, (rows, 1))
    given[:, rng.integers(0, columns, 3)] *= 8
    return {
        "given": given.astype(np.float16),
        "d_out": (rng.normal(0, 1, (rows, columns)) / 4).astype(np.float16),
        "weights": rng.uniform(0.6, 1.4, (layers, columns)).astype(np.float32),
        "biases": rng.normal(0, 0.2, (layers, columns)).astype(np.float32),
        "parts": min(parts, rows),
    }


def run(device, modules, inputs):
    """Go forward through the layers and back; each keeps its activations."""
    rows, columns = inputs["given"].shape
    weights = [device.array(w, name="weights") for w in inputs["weights"]]
    biases = [device.array(b, name="biases") for b in inputs["biases"]]
    kept = [_Activations(device, inputs["given"])]
    forward = triton_kernel(device, modules, "layer_norm")
    for weight, bias in zip(weights, biases, strict=True):
        here = kept[-1]
        kept.append(_Activations(device, np.zeros_like(inputs["given"])))
        args = [kept[-1].values, here.values, weight, bias, here.means, here.scales]
        forward.launch(rows, [*args, columns, EPSILON])
    back, total = (triton_kernel(device, modules, f"layer_norm_{n}") for n in ("back", "sum"))
    parts, slopes = inputs["parts"], [device.array(inputs["d_out"], name="gradients")]
    of_parts = [device.empty((parts, columns), np.float32, name=f"parts of {n}") for n in NAMES]
    sums = []
    for weight, here in zip(reversed(weights), reversed(kept[:-1]), strict=True):
        slopes.append(device.zeros((rows, columns), np.float16, name="gradients"))
        args = [slopes[-1], *of_parts, slopes[-2], here.values, weight, here.means, here.scales]
        back.launch(parts, [*args, rows, columns])
        sums.append([device.empty(columns, np.float32, name=name) for name in NAMES])
        grid = -(-columns // total.constants["COLUMNS"])
        total.launch(grid, [*sums[-1], *of_parts, parts, columns])
    return {
        "values": np.stack([each.values.get() for each in kept]),
        "means": np.stack([each.means.get() for each in kept[:-1]]),
        "scales": np.stack([each.scales.get() for each in kept[:-1]]),
        "slopes": np.stack([each.get() for each in reversed(slopes)]),
        **{n: np.stack([each[i].get() for each in sums[::-1]]) for i, n in enumerate(NAMES)},
    }


class _Activations:
    """The activations before a layer, with what the layer finds of each row."""

    def __init__(self, device, values):
        self.values = device.array(values, name="activations")
        self.means = device.zeros(len(values), np.float32, name="means")
        self.scales = device.zeros(len(values), np.float32, name="scales")


def check(inputs, results):
    """Take each layer by what was stored before it, in double precision.

    A sum of float32 is wrong by half an ulp of the sum of sizes for each level of its tree, some
    20 here; halves are rounded once more.
    """
    kept = results["values"].astype(np.float64)
    values, out = kept[:-1], kept[1:]
    weights = inputs["weights"].astype(np.float64)[:, None]
    biases = inputs["biases"].astype(np.float64)[:, None]
    by, atol = "numpy.mean in float64", 20 * HALF_ULP * np.abs(values).mean(-1).max()
    yield close("means", results["means"], values.mean(-1), by, rtol=0, atol=atol)
    scales = (values.var(-1) + EPSILON) ** -0.5
    by = "numpy.var in float64"
    yield close("scales", results["scales"], scales, by, rtol=30 * HALF_ULP)
    moved = _normal(values) * weights
    rtol, atol = _bounds(moved)
    by = "numpy.mean and numpy.var in float64"
    yield close("values", out, moved + biases, by, rtol=rtol, atol=atol)
    yield from _gradients(values, weights, inputs["parts"], results)


def _gradients(values, weights, parts, results):
    """Compare the gradients with derivatives of the loss sum(slope * out) of each layer."""
    slopes = results["slopes"].astype(np.float64)
    given, slope = slopes[:-1], slopes[1:]
    by = "complex steps in NumPy"
    rows = np.unique(np.linspace(0, values.shape[1] - 1, SAMPLED).astype(int))
    expected = [
        [_slopes_of_row(layer[row], loss[row]) for row in rows]
        for layer, loss in zip(values, weights * slope, strict=True)
    ]
    rtol, atol = _bounds(expected)
    name = f"gradients of {len(rows)} rows"
    yield close(name, given[:, rows], expected, by, rtol=rtol, atol=atol)
    # in every row, along a direction of signs: roundings of all columns may add up
    signs = np.sign(np.random.default_rng(values.size).normal(size=values.shape))
    along = np.imag(_normal(values + 1j * STEP * signs) * weights * slope).sum(-1) / STEP
    allowed = (rtol * np.abs(given) + atol).sum(-1)
    got = (given * signs).sum(-1) / allowed
    name = "gradients of all rows, by what is allowed"
    yield close(name, got, along / allowed, by, rtol=0, atol=1)
    # a part adds rows one by one; every 32nd part is added to a lane, then lanes as a tree
    depth, normal = values.shape[1] / parts + parts / 32 + 5, _normal(values)
    terms = {"d_weights": slope * normal, "d_biases": slope}
    # a normalised value has the error of the mean too, however small it is itself
    sizes = {"d_weights": np.abs(slope) * (1 + np.abs(normal)), "d_biases": np.abs(slope)}
    for name in NAMES:
        size = sizes[name].sum(1)
        got, expected = results[name] / size, terms[name].sum(1) / size
        by, atol = "the chain rule in float64", (depth + 40) * HALF_ULP
        yield close(f"{name}, by sums of sizes", got, expected, by, rtol=0, atol=atol)


def _bounds(sizes):
    """The relative and the absolute bound for a half, rounded from what sums of float32 give."""
    return HALF_ULP_16 + 4 * HALF_ULP, SUBNORMAL_16 + 60 * HALF_ULP * np.abs(sizes).max()


def _normal(values):
    """Normalise rows, of complex numbers too: squares are no absolute ones."""
    off = values - values.mean(-1, keepdims=True)
    return off / np.sqrt((off * off).mean(-1, keepdims=True) + EPSILON)


def _slopes_of_row(values, slopes):
    """Derive a row's loss by each of its columns: the imaginary part of a step along it."""
    steps = values + 1j * STEP * np.eye(len(values))
    return np.imag(_normal(steps) @ slopes) / STEP
