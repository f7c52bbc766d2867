"""Scalar products of many pairs of vectors, all in one launch."""

import numpy as np

from warpmill.checks import close

SUMS = 1024  # partial sums of a pair, as the kernel has them


def make(vectors, elements, ctas, block, seed):
    """Draw the elements of all vectors from 0 to 1."""
    if block & (block - 1):
        raise ValueError("block is a power of two")
    if vectors < 1 or elements < SUMS or ctas < 1:
        raise ValueError(f"vectors and ctas are 1 or more, elements {SUMS} or more")
    rng = np.random.default_rng(seed)
    a, b = rng.random((2, vectors, elements), np.float32)
    return {"a": a, "b": b, "ctas": min(ctas, vectors), "block": block}


def run(device, modules, inputs):
    """Launch once; CTAs take pairs in turn."""
    vectors, elements = inputs["a"].shape
    a = device.array(inputs["a"], name="a")
    b = device.array(inputs["b"], name="b")
    products = device.zeros(vectors, np.float32, name="products")
    args = [a, b, products, vectors, elements]
    device.launch(modules["scalar"]["scalar_product"], inputs["ctas"], inputs["block"], args)
    device.synchronize()
    return {"products": products.get()}


def check(inputs, results):
    """Compare with products in double precision.

    All terms are positive: a sum's relative error is at most half an ulp for each addition on the
    way of a term, which are one for each 1,024 elements and ten in the tree.
    """
    a, b = inputs["a"].astype(np.float64), inputs["b"].astype(np.float64)
    additions = -(-a.shape[1] // SUMS) + 10
    expected = np.einsum("ve,ve->v", a, b)
    against = "numpy.einsum in float64"
    yield close("products", results["products"], expected, against, rtol=6e-8 * additions)
