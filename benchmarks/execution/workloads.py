"""The kernels whose execution is timed: inputs, launches, and the answer by NumPy or SciPy.

Sizes are those that give 10^8 thread instructions or more, and smaller ones for the NumPy executor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.ndimage import convolve
from scipy.sparse import csr_matrix

from warpmill.benchmarks.execution.gpgpusim import levels, search

SEED = 20
SOFTENING = np.float32(1e-3)
MOST_STEPS = 256
CROSS = np.array([[0.0, 1, 0], [1, -4, 1], [0, 1, 0]])
Given = tuple[int, list[Any]]
Launch = Callable[..., Any]


def one_launch(workload: Workload, launch: Launch, n: int, arguments: list[Any]) -> Any:
    """Launch with new results; these."""
    result = arguments[workload.out].copy()
    own = [*arguments[: workload.out], result, *arguments[workload.out + 1 :]]
    launch(workload.name, workload.grid(n), workload.block, own)
    return result


def all_levels(_: Workload, launch: Launch, __: int, arguments: list[Any]) -> Any:
    """A search, level by level."""
    return search(launch, "bfs", *arguments)


@dataclass(frozen=True)
class Workload:
    """One kernel: how large it is timed, natively and in NumPy, its launch and its check.

    ``inputs`` makes the arguments for a size, the one at ``out`` for the results; ``check`` takes
    the results and the arguments.
    """

    name: str
    size: int
    numpy_size: int
    grid: Callable[[int], Any]
    block: Any
    inputs: Callable[[int, np.random.Generator], Sequence[Any]]
    out: int
    check: Callable[..., Any]
    launches: Callable[..., Any] = one_launch

    def make(self, n: int) -> Given:
        """A size, and the arguments for it."""
        return n, list(self.inputs(n, np.random.default_rng(SEED)))

    def run(self, launch: Launch, given: Given) -> Any:
        """Run with a launcher, ``launch(kernel, grid, block, args)``; the results."""
        return self.launches(self, launch, *given)

    def right(self, given: Given, result: Any) -> bool:
        """Whether results are right."""
        return bool(self.check(result, *given[1]))


def wide(values: Any) -> Any:
    """Numbers in double precision."""
    return values.astype(np.float64)


def zeros(*shape: int, dtype: Any = np.float32) -> Any:
    """Room for results."""
    return np.zeros(shape, dtype)


def tiles(side: int) -> Callable[[int], tuple[int, int]]:
    """The grid of square CTAs over n x n points."""
    return lambda n: (n // side, n // side)


def is_mandelbrot(steps: Any, _: Any, n: int, *window: Any) -> bool:
    """Check every 61st point with NumPy; a handful may differ by the last bit of a product."""
    left, top, pitch = window[1:4]
    points = np.arange(0, n * n, 61)
    real = (points % n * wide(pitch) + left).astype(np.float32)
    imaginary = (points // n * wide(pitch) + top).astype(np.float32)
    a, b = zeros(2, len(points))
    count, inside = zeros(len(points), dtype=np.int32), np.ones(len(points), bool)
    with np.errstate(all="ignore"):
        for _ in range(MOST_STEPS):
            inside &= a * a + b * b <= 4
            count += inside
            following = a * a - b * b + real
            b = (wide(a + a) * b + imaginary).astype(np.float32)
            a = following
    return bool(np.mean(count == steps.ravel()[points]) > 0.999)


def sparse(n: int, random: np.random.Generator) -> list[Any]:
    """A matrix of n rows with 1 to 63 entries each, and a vector."""
    rows = np.r_[0, np.cumsum(random.integers(1, 64, n))].astype(np.int32)
    columns = random.integers(0, n, rows[-1], np.int32)
    values = random.random(rows[-1], np.float32)
    return [rows, columns, values, random.random(n, np.float32), zeros(n), np.int32(n)]


def is_sparse_product(y: Any, rows: Any, columns: Any, values: Any, x: Any, *_: Any) -> bool:
    """Check by SciPy."""
    matrix = csr_matrix((wide(values), columns, rows), (len(y), len(y)))
    return np.allclose(y, matrix @ wide(x), rtol=1e-4)


def graph(n: int, random: np.random.Generator) -> list[Any]:
    """A graph of n vertices with 1 to 8 edges each."""
    rows = np.r_[0, np.cumsum(random.integers(1, 9, n))].astype(np.int32)
    return [rows, random.integers(0, n, rows[-1], np.int32)]


def are_accelerations(accelerations: Any, given: Any, *_: Any) -> bool:
    """Sum the pulls on every 17th body in double precision."""
    bodies = wide(given)
    for body in range(0, len(bodies), 17):
        way = bodies[:, :3] - bodies[body, :3]
        pull = bodies[:, 3] * ((way**2).sum(axis=1) + float(SOFTENING)) ** -1.5
        exact, most = pull @ way, 1e-3 * np.abs(pull[:, None] * way).sum()
        if np.abs(accelerations[body, :3] - exact).max() > most:
            return False
    return True


WORKLOADS = (
    Workload("stencil", 2048, 1024, tiles(16), (16, 16),
             lambda n, random: [random.random((n, n), np.float32), zeros(n, n), np.int32(n),
                                np.float32(0.2)], 1,
             lambda after, plate, *_: np.allclose(
                 after, plate + 0.2 * convolve(wide(plate), CROSS, mode="nearest"), atol=1e-6)),
    Workload("matmul", 384, 256, tiles(16), (16, 16),
             lambda n, random: [*random.random((2, n, n), np.float32), zeros(n, n), np.int32(n)], 2,
             lambda c, a, b, *_: np.allclose(c, wide(a) @ wide(b), rtol=1e-5)),
    Workload("mandelbrot", 512, 256, lambda n: (-(-n // 32), -(-n // 8)), (32, 8),
             lambda n, _: [zeros(n, n, dtype=np.int32), np.int32(n), np.int32(n), np.float32(-1.9),
                           np.float32(-1.25), np.float32(2.5 / n), np.int32(MOST_STEPS)], 0,
             is_mandelbrot),
    Workload("spmv", 3 << 17, 1 << 16, lambda n: -(-n // 128), 128, sparse, 4, is_sparse_product),
    Workload("reduction", 1 << 24, 1 << 21, lambda _: 128, 256,
             lambda n, random: [random.random(n, np.float32), zeros(128), np.int32(n)], 1,
             lambda sums, numbers, *_: np.isclose(
                 sums.sum(dtype=np.float64), numbers.sum(dtype=np.float64), rtol=1e-5, atol=0)),
    Workload("histogram", 5 << 20, 1 << 19, lambda _: 128, 256,
             lambda n, random: [random.integers(0, 1 << 32, n, np.uint32),
                                zeros(256, dtype=np.uint32), np.int32(n)], 1,
             lambda bins, words, *_: np.array_equal(
                 bins, np.bincount(words.view(np.uint8), minlength=256))),
    Workload("bfs", 1 << 19, 1 << 16, lambda n: -(-n // 256), 256, graph, 2,
             lambda found, *given: np.array_equal(found, levels(*given)), all_levels),
    Workload("nbody", 3072, 1024, lambda n: n // 128, 128,
             lambda n, random: [random.random((n, 4), np.float32), zeros(n, 4), np.int32(n),
                                SOFTENING], 1, are_accelerations),
)  # fmt: skip
