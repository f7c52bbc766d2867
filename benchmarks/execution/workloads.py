"""The kernels whose execution is timed: inputs, launches, and the answer by NumPy or SciPy.

A workload makes its inputs for a size, runs its launches with a launcher, `launch(kernel, grid,
block, args)`, and says whether the results are right. Sizes are those that give 10^8 thread
instructions or more, and smaller ones for the NumPy executor.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

SEED = 20
Given = dict[str, Any]
Launch = Callable[..., Any]


@dataclass(frozen=True)
class Workload:
    """One kernel: how large it is timed, natively and in NumPy, and what it does."""

    name: str
    size: int
    numpy_size: int
    make: Callable[[int], Given]
    run: Callable[[Launch, Given], Any]
    right: Callable[[Given, Any], bool]


def generator() -> np.random.Generator:
    """A generator with the seed of all inputs."""
    return np.random.default_rng(SEED)


def uniform(*shape: int) -> Any:
    """Numbers of 32 bits below 1."""
    return generator().random(shape, np.float32)


# Stencil.


def make_stencil(n: int) -> Given:
    """A plate of n x n points."""
    return {"n": n, "plate": uniform(n, n)}


def run_stencil(launch: Launch, given: Given) -> Any:
    """Launch; one step."""
    n = given["n"]
    after = np.zeros((n, n), np.float32)
    launch(
        "stencil",
        (n // 16, n // 16),
        (16, 16),
        [given["plate"], after, np.int32(n), np.float32(0.2)],
    )
    return after


def stencil_is_right(given: Given, after: Any) -> bool:
    """Check by convolving."""
    from scipy.ndimage import convolve  # noqa: PLC0415 - for this check only

    weights = np.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]], np.float64)
    plate = given["plate"].astype(np.float64)
    exact = plate + 0.2 * convolve(plate, weights, mode="nearest")
    return np.allclose(after, exact, atol=1e-6)


# Matrix product.


def make_matmul(n: int) -> Given:
    """Two matrices."""
    both = uniform(2, n, n)
    return {"n": n, "a": both[0].copy(), "b": both[1].copy()}


def run_matmul(launch: Launch, given: Given) -> Any:
    """Launch; the product."""
    n = given["n"]
    product = np.zeros((n, n), np.float32)
    arguments = [given["a"], given["b"], product, np.int32(n)]
    launch("matmul", (n // 16, n // 16), (16, 16), arguments)
    return product


def matmul_is_right(given: Given, product: Any) -> bool:
    """Check by a product in double precision."""
    exact = given["a"].astype(np.float64) @ given["b"].astype(np.float64)
    return np.allclose(product, exact, rtol=1e-5)


# Mandelbrot.

MOST_STEPS = 256


def make_mandelbrot(n: int) -> Given:
    """A window of n x n points around the set."""
    return {
        "n": n,
        "pitch": np.float32(2.5 / n),
        "left": np.float32(-1.9),
        "top": np.float32(-1.25),
    }


def run_mandelbrot(launch: Launch, given: Given) -> Any:
    """Launch; the steps."""
    n = given["n"]
    steps = np.zeros((n, n), np.int32)
    window = [given["left"], given["top"], given["pitch"]]
    arguments = [steps, np.int32(n), np.int32(n), *window, np.int32(MOST_STEPS)]
    launch("mandelbrot", (-(-n // 32), -(-n // 8)), (32, 8), arguments)
    return steps


def mandelbrot_is_right(given: Given, steps: Any) -> bool:
    """Do it with NumPy for every 61st point; a handful may differ by the last bit of a product."""
    n = given["n"]
    points = np.arange(0, n * n, 61)
    double = np.float64
    real = (points % n * double(given["pitch"]) + given["left"]).astype(np.float32)
    imaginary = (points // n * double(given["pitch"]) + given["top"]).astype(np.float32)
    a, b = np.zeros((2, len(points)), np.float32)
    count = np.zeros(len(points), np.int32)
    inside = np.ones(len(points), bool)
    with np.errstate(all="ignore"):
        for _ in range(MOST_STEPS):
            inside &= a * a + b * b <= 4
            count += inside
            following = a * a - b * b + real
            b = ((a + a).astype(double) * b + imaginary).astype(np.float32)
            a = following
    return bool(np.mean(count == steps.ravel()[points]) > 0.999)


# Sparse matrix times vector.


def make_spmv(n: int) -> Given:
    """A matrix of n rows with 1 to 63 entries each."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415 - for this input only

    random = generator()
    rows = np.r_[0, np.cumsum(random.integers(1, 64, n))].astype(np.int32)
    columns = random.integers(0, n, rows[-1], np.int32)
    values = random.random(rows[-1], np.float32)
    return {
        "n": n, "rows": rows, "columns": columns, "values": values,
        "x": random.random(n, np.float32),
        "matrix": csr_matrix((values.astype(np.float64), columns, rows), (n, n)),
    }  # fmt: skip


def run_spmv(launch: Launch, given: Given) -> Any:
    """Launch; the product."""
    n, y = given["n"], np.zeros(given["n"], np.float32)
    parts = [given[k] for k in ("rows", "columns", "values", "x")]
    launch("spmv", -(-n // 128), 128, [*parts, y, np.int32(n)])
    return y


def spmv_is_right(given: Given, y: Any) -> bool:
    """Check by SciPy."""
    return np.allclose(y, given["matrix"] @ given["x"].astype(np.float64), rtol=1e-4)


# Reduction.


def make_reduction(n: int) -> Given:
    """N numbers."""
    return {"n": n, "numbers": uniform(n)}


def run_reduction(launch: Launch, given: Given) -> Any:
    """Launch; the partial sums."""
    sums = np.zeros(128, np.float32)
    launch("reduction", 128, 256, [given["numbers"], sums, np.int32(given["n"])])
    return sums


def reduction_is_right(given: Given, sums: Any) -> bool:
    """Check by a sum."""
    exact = given["numbers"].sum(dtype=np.float64)
    return bool(abs(sums.sum(dtype=np.float64) - exact) < 1e-5 * exact)


# Histogram.


def make_histogram(n: int) -> Given:
    """N words of four bytes."""
    return {"n": n, "words": generator().integers(0, 1 << 32, n, np.uint32)}


def run_histogram(launch: Launch, given: Given) -> Any:
    """Launch; the bins."""
    bins = np.zeros(256, np.uint32)
    launch("histogram", 128, 256, [given["words"], bins, np.int32(given["n"])])
    return bins


def histogram_is_right(given: Given, bins: Any) -> bool:
    """Check by counting."""
    return np.array_equal(bins, np.bincount(given["words"].view(np.uint8), minlength=256))


# Breadth-first search.


def make_bfs(n: int) -> Given:
    """A graph of n vertices with 1 to 8 edges each."""
    random = generator()
    rows = np.r_[0, np.cumsum(random.integers(1, 9, n))].astype(np.int32)
    return {"n": n, "rows": rows, "columns": random.integers(0, n, rows[-1], np.int32)}


def run_bfs(launch: Launch, given: Given) -> Any:
    """Launch; the levels."""
    n, level = given["n"], 0
    levels, found = np.full(n, -1, np.int32), np.ones(1, np.int32)
    levels[0] = 0
    while found[0]:
        found[0] = 0
        arguments = [given["rows"], given["columns"], levels, found, np.int32(level), np.int32(n)]
        launch("bfs", -(-n // 256), 256, arguments)
        level += 1
    return levels


def bfs_is_right(given: Given, levels: Any) -> bool:
    """Search with SciPy."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415 - for this check only
    from scipy.sparse.csgraph import dijkstra  # noqa: PLC0415 - for this check only

    n = given["n"]
    edges = csr_matrix((np.ones(len(given["columns"])), given["columns"], given["rows"]), (n, n))
    exact = dijkstra(edges, unweighted=True, indices=[0])[0]
    return np.array_equal(np.where(np.isinf(exact), -1, exact), levels)


# Bodies.

SOFTENING = np.float32(1e-3)


def make_nbody(n: int) -> Given:
    """N bodies: place and mass."""
    return {"n": n, "bodies": uniform(n, 4)}


def run_nbody(launch: Launch, given: Given) -> Any:
    """Launch; the accelerations."""
    n = given["n"]
    accelerations = np.zeros((n, 4), np.float32)
    launch("nbody", n // 128, 128, [given["bodies"], accelerations, np.int32(n), SOFTENING])
    return accelerations


def nbody_is_right(given: Given, accelerations: Any) -> bool:
    """Sum the pulls on every 17th body in double precision."""
    bodies = given["bodies"].astype(np.float64)
    for body in range(0, given["n"], 17):
        way = bodies[:, :3] - bodies[body, :3]
        pull = bodies[:, 3] * ((way**2).sum(axis=1) + float(SOFTENING)) ** -1.5
        exact = pull @ way
        if np.abs(accelerations[body, :3] - exact).max() > 1e-3 * np.abs(pull[:, None] * way).sum():
            return False
    return True


WORKLOADS = (
    Workload("stencil", 2048, 1024, make_stencil, run_stencil, stencil_is_right),
    Workload("matmul", 384, 256, make_matmul, run_matmul, matmul_is_right),
    Workload("mandelbrot", 512, 256, make_mandelbrot, run_mandelbrot, mandelbrot_is_right),
    Workload("spmv", 3 << 17, 1 << 16, make_spmv, run_spmv, spmv_is_right),
    Workload("reduction", 1 << 24, 1 << 21, make_reduction, run_reduction, reduction_is_right),
    Workload("histogram", 5 << 20, 1 << 19, make_histogram, run_histogram, histogram_is_right),
    Workload("bfs", 1 << 19, 1 << 16, make_bfs, run_bfs, bfs_is_right),
    Workload("nbody", 3072, 1024, make_nbody, run_nbody, nbody_is_right),
)
