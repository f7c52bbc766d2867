"""Dyadic convolution: two signals are transformed, multiplied, and transformed back."""

import numpy as np
from scipy.linalg import hadamard

from warpmill.checks import close

LOG_PART = 11  # parts of so many levels are transformed in shared memory
STEP_BLOCK = 256
MULTIPLY_GRID, MULTIPLY_BLOCK = 128, 256
LEAST, MOST = 2, 24


def make(log_data, log_kernel, seed):
    """Draw a signal and a shorter one, from 0 to 1."""
    if not LEAST <= log_data <= MOST or not 0 <= log_kernel <= log_data:
        raise ValueError(f"log_data is from {LEAST} to {MOST}, log_kernel from 0 to log_data")
    rng = np.random.default_rng(seed)
    kernel = np.zeros(1 << log_data, np.float32)
    kernel[: 1 << log_kernel] = rng.random(1 << log_kernel, np.float32)
    data = rng.random(1 << log_data, np.float32)
    return {"data": data, "kernel": kernel, "taps": 1 << log_kernel}


def run(device, modules, inputs):
    """Transform both signals, keep their transforms, multiply and transform the product."""
    module, size = modules["walsh"], len(inputs["data"])
    data = device.array(inputs["data"], name="data")
    kernel = device.array(inputs["kernel"], name="kernel")
    transform(device, module, kernel, size)
    transform(device, module, data, size)
    transforms = {"data_transform": data.get(), "kernel_transform": kernel.get()}
    threads = min(MULTIPLY_BLOCK, size)
    grid = min(MULTIPLY_GRID, size // threads)
    device.launch(module["walsh_multiply"], grid, threads, [data, kernel, size])
    transform(device, module, data, size)
    device.synchronize()
    return {**transforms, "convolved": data.get()}


def check(inputs, results):
    """Compare transforms with products by Hadamard matrices, the result with shifted signals.

    An error of a transform is to be seen beside the sum of the absolute values: at most half an
    ulp, 6e-8, for each level; they are of both signs, and half of that is allowed.
    """
    atol = 3e-8 * (len(inputs["data"]).bit_length() - 1)
    for name in ("data", "kernel"):
        given = inputs[name].astype(np.float64)
        expected, scale = transformed(given), np.abs(given).sum()
        got, against = results[f"{name}_transform"] / scale, "scipy.linalg.hadamard in float64"
        yield close(f"{name} transform", got, expected / scale, against, rtol=0, atol=atol)
    data, kernel = inputs["data"].astype(np.float64), inputs["kernel"].astype(np.float64)
    places = np.arange(len(data))
    expected = sum(kernel[tap] * data[places ^ tap] for tap in range(inputs["taps"]))
    against = "numpy: sum over taps of signals with places XOR the tap"
    scale = kernel.sum()  # the errors of both transforms are beside it, of small sums too
    got = results["convolved"] / scale
    yield close("convolved", got, expected / scale, against, rtol=0, atol=2 * atol)


def transform(device, module, values, size):
    """Transform where the values are: through global memory until parts are small enough."""
    level = size.bit_length() - 1
    while level > LOG_PART:
        block = min(STEP_BLOCK, size // 4)
        args = [values, values, 1 << (level - 2)]
        device.launch(module["walsh_step"], size // 4 // block, block, args)
        level -= 2
    part = 1 << level
    args = [values, values, level]
    device.launch(module["walsh_part"], size >> level, part // 4, args, shared=4 * part)


def transformed(values):
    """Multiply by a Hadamard matrix, as the two halves of the places' bits on their own."""
    level = len(values).bit_length() - 1
    high, low = (hadamard(1 << bits).astype(np.float64) for bits in (level // 2, -(-level // 2)))
    return (high @ values.reshape(len(high), len(low)) @ low).ravel()
