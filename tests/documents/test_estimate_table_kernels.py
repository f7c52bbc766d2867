"""The kernels that benchmarks/estimate_table.py has of its own compute what they are to.

They are executed at local sizes that are no power of two, beside NumPy.
"""

import numpy as np
import pytest

from warpmill.benchmarks.estimate_table import build
from warpmill.executor.host.device import Device

F32, I32 = np.float32, np.int32


class Kernels:
    """Kernels of one module on the executor: arrays go in, and come back as they are then."""

    def __init__(self, name):
        self.device = Device()
        self.module = self.device.load(build.KERNELS / f"{name}.ll")

    def __call__(self, name, grid, block, *args, shared=0):
        """Launch, and give all arrays."""
        held = [self.device.array(a) if isinstance(a, np.ndarray) else a for a in args]
        self.device.launch(self.module[name], grid, block, held, shared)
        pairs = zip(args, held, strict=True)
        return [one.get() for given, one in pairs if isinstance(given, np.ndarray)]


@pytest.fixture
def rng():
    return np.random.default_rng(4)


@pytest.mark.parametrize("height", [1, 5, 16])
def test_layerforward_sums_the_inputs_of_each_cta(rng, height):
    ctas, hidden = 3, 16
    inputs = rng.random(1 + ctas * height).astype(F32)
    weights = rng.random((1 + ctas * height, hidden + 1)).astype(F32)
    made = Kernels("backprop")(
        "bpnn_layerforward", (1, ctas), (hidden, height), inputs, weights,
        np.zeros((ctas, hidden), F32), hidden, shared=4 * 17 * height,
    )  # fmt: skip
    products = (inputs[:, None] * weights)[1:, 1:].reshape(ctas, height, hidden)
    np.testing.assert_allclose(made[2], products.sum(axis=1), rtol=1e-5)


def test_adjust_weights_moves_by_gradient_and_last_change(rng):
    height, ctas, hidden = 5, 3, 16
    rows = 1 + ctas * height
    deltas, inputs = rng.random(hidden + 1).astype(F32), rng.random(rows).astype(F32)
    inputs[0] = 1
    weights, changes = rng.random((2, rows, hidden + 1)).astype(F32)
    made = Kernels("backprop")(
        "bpnn_adjust_weights", (1, ctas), (hidden, height), deltas, inputs, weights, changes, hidden
    )
    change = 0.3 * np.outer(inputs, deltas) + 0.3 * changes
    change[:, 0] = 0
    np.testing.assert_allclose(made[2], weights + change, rtol=1e-5)
    np.testing.assert_allclose(made[3][:, 1:], change[:, 1:], rtol=1e-5)


def tree(order):
    """Keys and indices of a root with full leaves of even keys; the root's children follow."""
    stored = 2 * np.arange(order * order)
    leaves = stored.reshape(order, order)
    keys = np.full((order + 1, order + 1), 1 << 30, I32)
    indices = np.zeros((order + 1, order + 1), I32)
    keys[0, :order], indices[0, :order] = leaves[:, 0], 1 + np.arange(order)
    keys[1:, :order], indices[1:, :order] = leaves, stored.reshape(order, order) // 2
    return stored, keys, indices


@pytest.mark.parametrize("order", [5, 40])
def test_find_k_finds_each_key_that_there_is(rng, order):
    stored, keys, indices = tree(order)
    records = rng.permutation(len(stored)).astype(I32)
    wanted = np.r_[stored[::3], stored[1] + 1].astype(I32)
    zeros = np.zeros(len(wanted), I32)
    made = Kernels("btree")(
        "findK", len(wanted), order, 1, keys, indices, order + 1, records, zeros, zeros, wanted,
        np.full(len(wanted), -1, I32),
    )  # fmt: skip
    np.testing.assert_array_equal(made[-1], np.r_[records[::3], -1])


def test_find_range_k_gives_first_record_and_number():
    order = 5
    stored, keys, indices = tree(order)
    first, last = np.array([stored[2], stored[6], 3], I32), np.array([stored[9], stored[6], 8], I32)
    zeros, none = np.zeros(3, I32), np.full(3, -1, I32)
    made = Kernels("btree")(
        "findRangeK", 3, order, 1, keys, indices, order + 1, zeros, zeros, zeros, zeros, first,
        last, none, np.zeros(3, I32),
    )  # fmt: skip
    np.testing.assert_array_equal(made[-2], [2, 6, -1])
    np.testing.assert_array_equal(made[-1], [8, 1, 0])


def test_hotspot_advances_tiles_with_their_borders_held(rng):
    rows, columns, width, tall, steps = 11, 10, 4, 3, 3
    before, power = rng.random((2, rows, columns)).astype(F32)
    factors = 0.1, 0.5, 0.25, 0.125
    grid = -(-columns // width), -(-rows // tall)
    made = Kernels("hotspot")(
        "hotspot", grid, (width, tall), steps, power, before, np.zeros_like(before), columns, rows,
        *(F32(one) for one in factors), shared=4 * (width + 2) * (tall + 2),
    )  # fmt: skip
    expected = np.zeros((rows, columns))
    for top in range(0, rows, tall):
        for left in range(0, columns, width):
            tile = slice(top, top + tall), slice(left, left + width)
            now = before.astype(float)
            for _ in range(steps):
                now[tile] = _heated(now, power, *factors)[tile]
            expected[tile] = now[tile]
    np.testing.assert_allclose(made[2], expected, rtol=1e-4)


def _heated(now, power, rate, across, along, out):
    """Advance all cells by a step; a cell beyond the edge is the edge's."""
    around = np.pad(now, 1, mode="edge")
    from_along = around[2:, 1:-1] + around[:-2, 1:-1] - 2 * now
    from_across = around[1:-1, 2:] + around[1:-1, :-2] - 2 * now
    return now + rate * (power + from_along * along + from_across * across + (80 - now) * out)


@pytest.mark.parametrize("tile", [3, 16])
def test_lud_internal_takes_the_products_off(rng, tile):
    size = 3 * tile
    matrix = rng.random((size, size)).astype(F32)
    (made,) = Kernels("lud")(
        "lud_internal", (2, 2), (tile, tile), matrix, size, 0, shared=8 * tile * tile
    )
    expected = matrix.astype(float)
    expected[tile:, tile:] -= expected[tile:, :tile] @ expected[:tile, tile:]
    np.testing.assert_allclose(made, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("tile", [2, 5])
def test_nw_fills_all_scores_by_both_kernels(rng, tile):
    n, penalty = 4 * tile, 3
    similarity = rng.integers(-4, 6, (n, n)).astype(I32)
    scores = np.zeros((n + 1, n + 1), I32)
    scores[0], scores[:, 0] = -penalty * np.arange(n + 1), -penalty * np.arange(n + 1)
    expected = scores.copy()
    for y in range(1, n + 1):
        for x in range(1, n + 1):
            gap = max(expected[y, x - 1], expected[y - 1, x]) - penalty
            expected[y, x] = max(expected[y - 1, x - 1] + similarity[y - 1, x - 1], gap)
    kernels, shared = Kernels("nw"), 4 * ((tile + 1) ** 2 + tile**2)
    launches = [("nw_kernel1", d, d + 1) for d in range(4)]
    launches += [("nw_kernel2", d, 4 - d) for d in range(1, 4)]
    for name, diagonal, ctas in launches:
        scores, _ = kernels(
            name, ctas, tile, scores, similarity, n, penalty, diagonal, shared=shared
        )
    np.testing.assert_array_equal(scores, expected)


def test_dynproc_goes_through_rows(rng):
    columns, piece, steps = 50, 11, 3
    costs = rng.integers(0, 10, (5, columns)).astype(I32)
    before = rng.integers(0, 10, columns).astype(I32)
    grid = -(-columns // (piece - 2 * steps))
    made = Kernels("pathfinder")(
        "dynproc", grid, piece, steps, costs, before, np.zeros(columns, I32), columns, 1,
        shared=8 * piece,
    )  # fmt: skip
    expected = before
    for row in costs[1 : 1 + steps]:
        around = np.pad(expected, 1, mode="edge")
        expected = row + np.minimum(np.minimum(around[2:], around[:-2]), expected)
    np.testing.assert_array_equal(made[2], expected)


def test_modules_are_those_that_were_built():
    assert build.changed() == []
