"""Products of a sparse matrix with a vector: each result, divided by its norm, is the next one."""

import numpy as np

from warpmill.checks import close
from warpmill.samples.common.matrices import mesh_matrix, power_law_matrix

KERNELS = {
    "scalar": ["spmv_csr_scalar"],
    "vector": ["spmv_csr_vector"],
    "both": [*["spmv_csr_scalar"] * 3, "spmv_csr_vector"],
}
VECTOR_BLOCK, WARP = 192, 32


def make(*, rows, matrix, nonzeros_per_row, reach, kernels, block, products, seed):
    """Make a matrix of one of two kinds, that of a mesh for a square of nodes, and a vector."""
    if min(rows, nonzeros_per_row, products) < 1 or reach < 0:
        raise ValueError("rows, nonzeros_per_row and products are at least 1, reach at least 0")
    if matrix not in ("power-law", "mesh") or kernels not in KERNELS:
        raise ValueError("matrix is power-law or mesh; kernels is scalar, vector or both")
    side = int(rows**0.5)
    made = {
        "power-law": lambda: power_law_matrix(rows, nonzeros_per_row, seed),
        "mesh": lambda: mesh_matrix(side, side, reach, seed),
    }[matrix]()
    start = np.random.default_rng(seed + 1).standard_normal(made.shape[0]).astype(np.float32)
    chosen = [KERNELS[kernels][i % len(KERNELS[kernels])] for i in range(products)]
    return {"matrix": made, "start": unit(start), "kernels": chosen, "block": block}


def run(device, modules, inputs):
    """Multiply again and again; all the products."""
    matrix, block = inputs["matrix"], inputs["block"]
    rows = matrix.shape[0]
    first = device.array(matrix.indptr, name="first")
    columns = device.array(matrix.indices, name="columns")
    values = device.array(matrix.data, name="values")
    y = device.zeros(rows, np.float32, name="y")
    shapes = {
        "spmv_csr_scalar": (-(-rows // block), block),
        "spmv_csr_vector": (-(-rows * WARP // VECTOR_BLOCK), VECTOR_BLOCK),
    }
    x, products = inputs["start"], []
    for kernel in inputs["kernels"]:
        # a texture keeps a copy of its elements, so that each vector needs a new one
        if modules.is_opencl:
            bound = device.array(x, name="x")
        else:
            bound = device.texture(x, linear_memory=True)
        grid, threads = shapes[kernel]
        given = [first, columns, values, bound, y, rows]
        device.launch(modules["spmv_csr"][kernel], grid, threads, given)
        products.append(y.get())
        x = unit(products[-1])
        if modules.is_opencl:
            bound.free()
    return {"products": np.array(products)}


def unit(vector):
    """Divide a vector by its norm."""
    return (vector / np.linalg.norm(vector.astype(np.float64))).astype(np.float32)


def check(inputs, results):
    """Compare each product with SciPy's in double precision.

    A row's error is taken relative to the sum of its absolute terms, which is what rounding is
    bounded by: a sum itself may cancel to nearly nothing.
    """
    products = results["products"]
    vectors = np.array([inputs["start"], *map(unit, products[:-1])], np.float64).T
    matrix = inputs["matrix"].astype(np.float64)
    terms = abs(matrix) @ abs(vectors)
    got, expected = products.T / terms, (matrix @ vectors) / terms
    yield close("products", got, expected, "scipy.sparse, in float64", rtol=0.0, atol=1e-5)
