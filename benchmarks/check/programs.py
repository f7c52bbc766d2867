"""Kernels of here, each with a launch and what NumPy says of its results.

Their sources stand in ``kernels``; ``build.py`` compiles them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.executor.host.device import Device
from warpmill.executor.host.modules import DeviceModule

KERNELS = Path(__file__).parent / "kernels"
Array = npt.NDArray[Any]
SEED = 7


@dataclass(frozen=True)
class Program:
    """A launch of a kernel of a file in ``kernels``.

    ``arguments`` are arrays and numbers in their order: an ``Empty`` one is what nobody has
    written. ``expected`` gives what arguments hold afterwards, by their places; where ``in_order``
    is false a set of them in any order.
    """

    module: str
    kernel: str
    grid: int | tuple[int, int]
    block: int
    arguments: Callable[[np.random.Generator], Sequence[Any]]
    expected: Callable[..., Mapping[int, Any]]
    in_order: bool = True

    @property
    def name(self) -> str:
        """Its name among the subjects."""
        return f"{self.module}:{self.kernel}"

    @property
    def file(self) -> Path:
        """Its PTX."""
        return KERNELS / f"{self.module}.ptx"

    def run(self, device: Device, module: DeviceModule) -> dict[str, Array]:
        """Launch it; the arrays that are expected."""
        given = self.arguments(np.random.default_rng(SEED))
        args = [_on_device(device, one) for one in given]
        device.launch(module[self.kernel], self.grid, self.block, args)
        return {str(place): args[place].get() for place in self._expected()}

    def _expected(self) -> Mapping[int, Any]:
        return self.expected(*self.arguments(np.random.default_rng(SEED)))

    def check(self, results: Mapping[str, Array]) -> None:
        """ValueError where results are not what NumPy says."""
        for place, values in self._expected().items():
            given = results[str(place)]
            found = given if self.in_order else np.sort(given, axis=None)
            if not np.allclose(found, values, rtol=1e-5, atol=1e-5):
                raise ValueError(f"{self.name}: argument {place} is wrong")


@dataclass(frozen=True)
class Empty:
    """An array of a type that the host leaves undefined."""

    size: int
    dtype: str = "int32"


def _on_device(device: Device, value: Any) -> Any:
    if isinstance(value, Empty):
        return device.empty(value.size, value.dtype)
    return device.array(value) if isinstance(value, np.ndarray) and value.ndim else value


def floats(rng: np.random.Generator, size: int) -> Array:
    """Numbers from 0 to 1."""
    return rng.random(size, np.float32)


def integers(rng: np.random.Generator, size: int, most: int = 100) -> Array:
    """Whole numbers from 0."""
    return rng.integers(0, most, size, np.int32)


def zeros(size: int, dtype: str = "int32") -> Array:
    """An array of zeros."""
    return np.zeros(size, dtype)


INT = np.int32

# Copies under way: tiles of 128 elements.

T = 128


def _neighbours(given: Array, *_: Any) -> dict[int, Any]:
    tiles = given.reshape(-1, T)
    return {1: (tiles + np.roll(tiles, -1, axis=1)).ravel()}


def _four(given: Array, *_: Any) -> dict[int, Any]:
    tiles = given.reshape(-1, 4, T // 2, 2)[..., ::-1].reshape(-1, 4, T)
    return {1: (tiles * np.array([27, 9, 3, 1])[:, None]).sum(axis=1).ravel()}


def _windows(given: Array, *_: Any) -> dict[int, Any]:
    return {1: np.lib.stride_tricks.sliding_window_view(given, 9).mean(axis=1)[: 3 * T - 5]}


COPIES = (
    Program("copies", "neighbour_sums", 3, T,
            lambda rng: [floats(rng, 3 * 5 * T), Empty(3 * 5 * T, "float32"), INT(5)], _neighbours),
    Program("copies", "rows_times_vector", 3, T,
            lambda rng: [floats(rng, 3 * 6 * T), floats(rng, 6 * T), Empty(3, "float32"),
                         INT(6 * T)],
            lambda a, x, *_: {2: a.reshape(3, -1) @ x}),
    Program("copies", "window_means", 3, T,
            lambda rng: [floats(rng, 3 * T + 8), Empty(3 * T - 5, "float32"), INT(3 * T - 5)],
            _windows),
    Program("copies", "tile_products", (3, 3), 64,
            lambda rng: [floats(rng, 48 * 48), floats(rng, 48 * 48), Empty(48 * 48, "float32"),
                         INT(48)],
            lambda a, b, *_: {2: (a.reshape(48, 48) @ b.reshape(48, 48)).ravel()}),
    Program("copies", "four_stages", 2, T, lambda rng: [integers(rng, 8 * T), Empty(2 * T)], _four),
    Program("copies", "own_copies", 2, T,
            lambda rng: [floats(rng, 10 * T), Empty(10 * T, "float32"), INT(10 * T)],
            lambda given, *_: {1: 2 * given}),
)  # fmt: skip

# Barrier objects and bulk copies: tiles of 64 elements, or of 32 of a warp.

S = 64


def _written(*_: Any) -> dict[int, Any]:
    parts = np.arange(S) + np.arange(2)[:, None] + np.arange(3)[:, None, None]
    return {0: parts.ravel(), 1: parts[:, 0, 5] + parts[:, 1, 7]}


def _swapped_lanes(given: Array, lanes: Callable[[Array], Array], size: int) -> Array:
    tiles: Array = given.reshape(-1, size)
    return tiles[:, lanes(np.arange(size))].ravel()


OBJECTS = (
    Program("objects", "copies_arrive", 2, S,
            lambda rng: [integers(rng, 8 * S), Empty(8 * S), INT(4)],
            lambda given, *_: {1: 2 * _swapped_lanes(given, lambda t: t ^ 3, S)}),
    Program("objects", "bulk_tiles", 2, S, lambda rng: [integers(rng, 8 * S), Empty(8 * S), INT(4)],
            lambda given, *_: {1: 1 + _swapped_lanes(given, lambda t: S - 1 - t, S)}),
    Program("objects", "copying_warp", 2, S,
            lambda rng: [integers(rng, 2 * 6 * 32), Empty(2 * 6 * 32), INT(6)],
            lambda given, *_: {1: _swapped_lanes(given, lambda t: 31 - t, 32)}),
    Program("objects", "handed_over", 1, S,
            lambda rng: [integers(rng, 6 * 32), Empty(6 * 32), INT(6)],
            lambda given, *_: {1: 3 * _swapped_lanes(given, lambda t: t ^ 5, 32)}),
    Program("objects", "bulk_both_ways", 2, S,
            lambda rng: [integers(rng, 6 * S), Empty(6 * S), INT(3)],
            lambda given, *_: {1: given ^ 0x55}),
    Program("objects", "written_and_read", 3, S, lambda _: [Empty(6 * S), Empty(3)], _written),
)  # fmt: skip

# CTAs that work together: 5 of 64 threads.

N = 5


def _binned(given: Array, *_: Any) -> dict[int, Any]:
    bits = [np.bitwise_or.reduce(1 << (given[given % 4 == k] // 8 % 32).astype(np.uint64))
            for k in range(4)]  # fmt: skip
    return {1: np.bincount(given % 8, minlength=8), 2: given.max(), 3: np.array(bits)}


def _queued(given: Array, *_: Any) -> dict[int, Any]:
    return {1: np.sort(np.r_[given[given % 3 == 0], np.zeros((given % 3 != 0).sum(), int)])}


def _least(given: Array, *_: Any) -> dict[int, Any]:
    kept = ~np.bitwise_or.reduce(1 << given.astype(int) % 32).astype(INT)
    columns = np.minimum(given.reshape(N, S).min(axis=0).astype(int), 1000)
    return {1: np.array([given.sum()]).view(np.uint64), 2: np.r_[columns, kept]}


def _taken(given: Array, *_: Any) -> dict[int, Any]:
    rows = given.reshape(N, S)[:, np.arange(S) ^ 1] * np.arange(N)[:, None]
    return {3: np.r_[np.zeros(S, int), rows[1:].ravel()]}


def _grid(given: Array, *_: Any) -> dict[int, Any]:
    n, doubled = given.size, 2 * given
    out = doubled[(np.arange(n) + S) % n] + doubled[::-1]
    return {2: out, 1: out[(np.arange(n) + 5 * S // 2) % n]}


def _scanned(given: Array, *_: Any) -> dict[int, Any]:
    return {1: given.cumsum()}


def _scanned_sums(given: Array, *_: Any) -> dict[int, Any]:
    rows = given.reshape(N, S)
    before = np.r_[0, rows.sum(axis=1).cumsum()[:-1]]
    return {1: (rows + before[:, None]).ravel()}


MEETINGS = (
    Program("meetings", "last_block", N, S,
            lambda rng: [integers(rng, N * S), Empty(N), zeros(1), Empty(1)],
            lambda given, *_: {3: given.sum()}),
    Program("meetings", "last_block_wide", N, S,
            lambda rng: [floats(rng, N * S), Empty(N * S, "float32"), zeros(1),
                         Empty(S, "float32")],
            lambda given, *_: {3: 2 * given.reshape(N, S).max(axis=0)}),
    Program("meetings", "ordering_ticket", N, 32,
            lambda rng: [integers(rng, N), Empty(N), zeros(1), Empty(1)],
            lambda given, *_: {3: 7 * given.sum()}),
    Program("meetings", "look_back", N, S,
            lambda rng: [integers(rng, N * S), Empty(N * S), Empty(N), zeros(N)], _scanned),
    Program("meetings", "look_back_fences", N, S,
            lambda rng: [integers(rng, N * S), Empty(N * S), Empty(N), zeros(N)], _scanned_sums),
    Program("meetings", "packed_state", N, 32,
            lambda rng: [integers(rng, N), zeros(N, "uint64"), Empty(N)],
            lambda given, *_: {2: np.r_[0, given.cumsum()[:-1]]}),
    Program("meetings", "made_and_taken", N, S,
            lambda rng: [integers(rng, N * S), Empty(N * S), zeros(N), zeros(N * S)], _taken),
    Program("meetings", "whole_grid", N, S,
            lambda rng: [integers(rng, N * S), Empty(N * S), Empty(N * S), INT(N * S)], _grid),
    Program("meetings", "counted", N, S,
            lambda rng: [integers(rng, N * S, 256).astype(np.uint32), zeros(8, "uint32"),
                         zeros(1, "uint32"), zeros(4, "uint32")], _binned),
    Program("meetings", "appended", N, S,
            lambda rng: [integers(rng, N * S), zeros(N * S), zeros(1)], _queued, in_order=False),
    Program("meetings", "swapped", N, S,
            lambda rng: [integers(rng, N * S).astype(np.float64), zeros(1, "uint64"),
                         np.r_[np.full(S, 1000), -1].astype(INT)], _least),
    Program("meetings", "locked", N, 32, lambda rng: [integers(rng, N), zeros(1), zeros(1)],
            lambda given, *_: {2: given.sum()}),
    Program("meetings", "locked_in_order", N, 32,
            lambda rng: [integers(rng, N), zeros(1), zeros(1)],
            lambda given, *_: {2: 2 * given.sum()}),
)  # fmt: skip

# Lanes that exchange values.


def _halves(given: Array, *_: Any) -> dict[int, Any]:
    rows = given.reshape(-1, 2, 16)
    sums = rows.sum(axis=2)
    low = np.where(sums[:, 0] > 1000, -sums[:, 0], sums[:, 0])
    high = sums[:, 1] + np.where(sums[:, 1] & 1, 16, 0)
    return {1: np.repeat(np.stack([low, high], axis=1).ravel(), 16)}


def _left(given: Array, _: Any, n: int) -> dict[int, Any]:
    values = np.zeros((2, 80), int)
    values[:, :n] = given.reshape(2, n)
    found = []
    for row in values:
        for warp in (row[:32], row[32:64], row[64:]):
            after = np.maximum(warp, warp[np.arange(warp.size) ^ 1])
            found.append(after + after.sum())
    return {1: np.concatenate(found)}


def _passed(given: Array, *_: Any) -> dict[int, Any]:
    out = np.full(given.size, -1)
    for begin in range(0, given.size, 32):
        lanes = begin + np.flatnonzero(given[begin : begin + 32] % 3)
        own = given[lanes]
        same = (own[:, None] % 5 == own % 5).sum(axis=1)
        out[lanes] = own[0] + same + (own < 1000).all()
    return {1: out}


def _keyed(keys: Array, given: Array, *_: Any) -> dict[int, Any]:
    out = np.zeros(given.size, int)
    for begin in range(0, given.size, 32):
        for key in np.unique(keys[begin : begin + 32]):
            own = begin + np.flatnonzero(keys[begin : begin + 32] == key)
            out[own] = given[own].min() + 2 * given[own[0]]
    return {2: out}


def _rows(given: Array, *_: Any) -> dict[int, Any]:
    values = given.reshape(-1, 32)[:, ::-1]
    sums = 3 * values.reshape(-1, 8, 4).sum(axis=2)
    return {1: (values + np.pad(sums[:, ::-1], ((0, 0), (0, 24)))).ravel()}


def _scanned_warps(given: Array, *_: Any) -> dict[int, Any]:
    sums = given.reshape(-1, 32).cumsum(axis=1)
    odd = np.cumsum(sums & 1, axis=1) - (sums & 1)
    return {1: (sums + odd + 1).ravel()}


LANES = (
    Program("lanes", "half_sums", 2, S, lambda rng: [integers(rng, 2 * S), Empty(2 * S)], _halves),
    Program("lanes", "left_over", 2, 80, lambda rng: [integers(rng, 2 * 75), Empty(160), INT(75)],
            _left),
    Program("lanes", "passing", 2, S, lambda rng: [integers(rng, 2 * S), Empty(2 * S)], _passed),
    Program("lanes", "by_key", 2, S,
            lambda rng: [integers(rng, 2 * S, 5), integers(rng, 2 * S), Empty(2 * S)], _keyed),
    Program("lanes", "exchanged_rows", 2, S, lambda rng: [integers(rng, 2 * S), Empty(2 * S)],
            _rows),
    Program("lanes", "warp_scan", 2, S, lambda rng: [integers(rng, 2 * S), Empty(2 * S)],
            _scanned_warps),
)  # fmt: skip

PROGRAMS = (*COPIES, *OBJECTS, *MEETINGS, *LANES)
"""All of them."""
