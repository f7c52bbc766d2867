"""Softmax: scores of a classifier, rows of one length, then rows of attention, each of its own."""

import numpy as np
from scipy.special import softmax

from warpmill.checks import close, holds
from warpmill.samples.common.triton_launches import triton_kernel

LONGEST = 1024  # that the block of `softmax` holds
ALIGN = 16  # floats that a row's start is a multiple of
HALF_ULP = 2.0**-24  # of float32, relative


def make(rows, columns, programs, ragged, mean_length, seed):
    """Draw scores with a few large ones a row; most ragged rows are short, some very long."""
    if not 1 <= columns <= LONGEST or min(rows, programs, ragged, mean_length) < 1:
        words = f"columns is from 1 to {LONGEST}"
        raise ValueError(f"{words}; rows, programs, ragged and mean_length are at least 1")
    rng = np.random.default_rng(seed)
    scores = np.full((rows, (columns // ALIGN + 1) * ALIGN), np.nan, np.float32)
    scores[:, :columns] = rng.normal(0, 2, (rows, columns)) + 3 * rng.random((rows, 1))
    lengths = rng.lognormal(np.log(mean_length) - 0.5, 1.0, ragged).astype(np.int32) + 1
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    halves = rng.standard_t(6, starts[-1]).clip(-12, 12).astype(np.float16)
    return {
        "scores": scores,
        "columns": columns,
        "programs": programs,
        "starts": starts,
        "halves": halves,
    }


def run(device, modules, inputs):
    """Launch both kernels; what lies between two rows stays as it was."""
    scores, starts = inputs["scores"], inputs["starts"]
    rows, pitch = scores.shape
    given = device.array(scores, name="scores")
    out = device.array(np.full_like(scores, -1), name="shares")
    whole = triton_kernel(device, modules, "softmax")
    whole.launch(min(inputs["programs"], rows), [out, given, pitch, rows, inputs["columns"]])
    halves = device.array(inputs["halves"], name="ragged scores")
    ragged_out = device.zeros(len(inputs["halves"]), np.float16, name="ragged shares")
    ragged = triton_kernel(device, modules, "softmax_ragged")
    ragged.launch(len(starts) - 1, [ragged_out, halves, device.array(starts, name="starts")])
    return {"shares": out.get(), "ragged": ragged_out.get()}


def check(inputs, results):
    """Compare with SciPy in double precision.

    A power's exponent d is rounded when it is taken, times log2(e), and that factor is rounded
    too: 3 |d| half ulps. Some ten more come from ex2.approx, the division and the sums' depth.
    """
    by, columns = "scipy.special.softmax in float64", inputs["columns"]
    scores = inputs["scores"][:, :columns].astype(np.float64)
    shares = results["shares"]
    yield close(
        "shares", shares[:, :columns], softmax(scores, 1), by, rtol=_bound(np.ptp(scores, 1).max())
    )
    yield holds("between rows", shares[:, columns:] == -1, "nothing is written there")
    rows = np.split(inputs["halves"].astype(np.float64), inputs["starts"][1:-1])
    expected = np.concatenate([softmax(row) for row in rows])
    spread = max(np.ptp(row) for row in rows)
    rtol = 2.0**-11 + _bound(spread)  # half an ulp of float16
    atol = 2.0**-25  # half of its smallest subnormal
    yield close("ragged", results["ragged"], expected, by, rtol=rtol, atol=atol)


def _bound(spread):
    """The relative error in float32 where scores are up to ``spread`` below the largest."""
    return (3 * spread + 40) * HALF_ULP
