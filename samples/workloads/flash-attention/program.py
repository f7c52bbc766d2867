"""Attention over a batch of sequences: causal as in a decoder, then full as in an encoder."""

import numpy as np
from scipy.special import logsumexp, softmax

from warpmill.checks import close
from warpmill.samples.common.triton_launches import triton_kernel

WIDTH = 64  # of a head
HALF_ULP = 2.0**-24  # of float32, relative
HALF_ULP_16, SUBNORMAL_16 = 2.0**-11, 2.0**-25  # of float16; the second is absolute
LONGEST = 8192
KERNELS = {"causal": "attention_causal", "full": "attention"}


def make(sequences, mean_length, heads, key_heads, seed):
    """Draw tokens in sequences one after the other; queries like some of the keys."""
    if min(sequences, mean_length, heads, key_heads) < 1 or heads % key_heads:
        words = "sequences, mean_length, heads and key_heads are at least 1"
        raise ValueError(f"{words}, and key_heads divides heads")
    rng = np.random.default_rng(seed)
    lengths = rng.lognormal(np.log(mean_length) - 0.2, 0.65, sequences).astype(int) + 1
    lengths = np.minimum(lengths, LONGEST)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    tokens = int(starts[-1])
    keys = rng.normal(0, 1, (tokens, key_heads, WIDTH))
    queries = rng.normal(0, 1, (tokens, heads, WIDTH))
    queries += 0.5 * np.repeat(rng.permutation(keys), heads // key_heads, axis=1)
    return {
        "queries": queries.astype(np.float16),
        "keys": keys.astype(np.float16),
        "values": rng.normal(0.2, 1, keys.shape).astype(np.float16),
        "starts": starts,
    }


def run(device, modules, inputs):
    """Launch both kernels over all sequences, heads and blocks of queries."""
    tokens, heads, _ = inputs["queries"].shape
    key_heads = inputs["keys"].shape[1]
    names = ("queries", "keys", "values", "starts")
    given = [device.array(inputs[name], name=name) for name in names]
    scale = np.float32(np.log2(np.e) / np.sqrt(WIDTH))  # powers are those of 2
    longest, sequences = np.diff(inputs["starts"]).max(), len(inputs["starts"]) - 1
    results = {}
    for way, name in KERNELS.items():
        kernel = triton_kernel(device, modules, name)
        out = device.zeros((tokens, heads, WIDTH), np.float16, name=f"{way} out")
        sums = device.zeros((heads, tokens), np.float32, name=f"{way} sums")
        grid = (-(-int(longest) // kernel.constants["M"]), heads, sequences)
        sizes = [tokens, heads * WIDTH, key_heads * WIDTH, heads // key_heads, scale]
        kernel.launch(grid, [out, sums, *given, *sizes])
        results |= {f"{way} out": out.get(), f"{way} sums": sums.get()}
    return results


def check(inputs, results):
    """Compare with SciPy's softmax of all scores, sequence by sequence, in double precision.

    A score is a sum of 64 products in float32, whose error is that of the weight. Weights are
    rounded to halves, each by half an ulp or half of the smallest subnormal; the result once more.
    """
    for way in KERNELS:
        out, sums = (results[f"{way} {name}"].astype(np.float64) for name in ("out", "sums"))
        parts = [_sequence(inputs, span, way) for span in _spans(inputs)]
        expected, sizes, logs, error = (
            np.concatenate(part, axis=1) for part in zip(*parts, strict=True)
        )
        allowed = HALF_ULP_16 * np.abs(expected) + (HALF_ULP_16 + 2 * error) * sizes
        allowed += SUBNORMAL_16 * np.abs(inputs["values"]).max() * np.diff(inputs["starts"]).max()
        by, got = "scipy.special.softmax in float64", out.swapaxes(0, 1) / allowed
        name = f"{way} out, by what is allowed"
        yield close(name, got, expected / allowed, by, rtol=0, atol=1)
        by, got = "scipy.special.logsumexp in float64", sums * np.log(2) / error[..., 0]
        name = f"{way} sums, by what is allowed"
        yield close(name, got, logs / error[..., 0], by, rtol=0, atol=1)


def _spans(inputs):
    """The tokens of each sequence."""
    return [slice(*pair) for pair in zip(inputs["starts"][:-1], inputs["starts"][1:], strict=True)]


def _sequence(inputs, span, way):
    """By head and token: the result, the same of values' sizes, the scores' sum, their error."""
    heads, key_heads = inputs["queries"].shape[1], inputs["keys"].shape[1]
    queries, keys, values = (
        inputs[name][span].astype(np.float64).swapaxes(0, 1)
        for name in ("queries", "keys", "values")
    )
    keys, values = (np.repeat(part, heads // key_heads, axis=0) for part in (keys, values))
    scores = queries @ keys.swapaxes(1, 2) / np.sqrt(WIDTH)
    sizes = np.abs(queries) @ np.abs(keys).swapaxes(1, 2) / np.sqrt(WIDTH)
    if way == "causal":
        scores = np.where(np.tri(scores.shape[1], dtype=bool), scores, -np.inf)
    weights = softmax(scores, -1)
    # roundings of a score's sum, of its scale and exponent, and some of the power and the norm
    error = ((WIDTH + 4) * sizes.max(-1, keepdims=True) + 40) * HALF_ULP
    return weights @ values, weights @ np.abs(values), logsumexp(scores, -1), error
