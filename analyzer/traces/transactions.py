"""Transactions of folded accesses, exact over all iterations without unfolding them.

What an access costs depends on its base address only through the remainder by a line's size. Loop
strides move that remainder around a short cycle, so the executions are counted by remainder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import gcd

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.memory.rules import (
    DEFAULT_RULES,
    LOCAL_WORD_BYTES,
    MemoryRules,
    bank_passes,
    interleaved,
    requests,
    sectors,
)
from warpmill.analyzer.traces.counts import Count, executions
from warpmill.analyzer.traces.model import Access, Pattern, UnknownAddresses, lanes_of

_Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class AccessTotals:
    """Sums over all executions of one access of one warp.

    ``sectors`` and ``requests`` count granules of memory outside the SM; ``bank_passes`` are those
    of shared memory. None where the addresses are not known.
    """

    executions: int
    lanes: int
    sectors: int | None
    requests: int | None
    bank_passes: int | None


def totals_over_warps(  # noqa: PLR0913, PLR0917 - what is counted, where, and by which rules
    access: Access,
    warps: int,
    starts: Mapping[int, int],
    width_bytes: int,
    counts: tuple[Count, ...],
    rules: MemoryRules = DEFAULT_RULES,
    *,
    in_local: bool = False,
) -> AccessTotals:
    """Sum what an access costs in ``warps`` warps that share a tree, over the Repeats around it.

    ``starts`` has the number of warps by their base address, or by its remainder by ``modulus_of``
    the rules. ``in_local``: it is to local memory, whose addresses are those of one thread; the
    words of a warp's threads lie interleaved.
    """
    executed = executions(counts) * warps
    lanes = executed * access.mask.bit_count()
    where = access.addresses
    if isinstance(where, UnknownAddresses):
        return AccessTotals(executed, lanes, None, None, None)
    modulus = modulus_of(rules)
    moved = remainders(where.loop_strides, counts, modulus)
    total = [0, 0, 0]
    for start, shared_by in starts.items():
        for remainder, times in moved.items():
            place = (start + remainder) % modulus
            once = _once(where.pattern, access.mask, width_bytes, place, rules, in_local)
            total = [t + shared_by * times * int(o) for t, o in zip(total, once, strict=True)]
    return AccessTotals(executed, lanes, *total)


def modulus_of(rules: MemoryRules) -> int:
    """Give the bytes after which an access costs the same again."""
    return max(128, rules.line_bytes, rules.banks * rules.bank_width_bytes)


_MOST_EXACT = 1 << 62
"""Executions that 64-bit numbers count; of more, Python's do."""


@lru_cache(maxsize=1 << 14)
def remainders(
    strides: tuple[int, ...], counts: tuple[Count, ...], modulus: int
) -> Mapping[int, int]:
    """Count executions by the remainder of the distance from the base, over all iterations."""
    once = np.zeros(modulus, dtype=np.int64 if executions(counts) < _MOST_EXACT else object)
    once[0] = 1
    histogram = _around(strides, counts, (), once)
    return {int(r): int(histogram[r]) for r in np.flatnonzero(histogram)}


def _around(
    strides: tuple[int, ...],
    counts: tuple[Count, ...],
    iteration: tuple[int, ...],
    once: _Numbers,
) -> _Numbers:
    """Give the histogram of all that happens from one level inwards.

    ``iteration`` are those of the levels around, ``once`` is the histogram of one execution. A
    level that no inner count depends on moves the histogram of one iteration around a short cycle;
    the others are gone through.
    """
    level, modulus = len(iteration), len(once)
    if level == len(counts):
        return once
    count, stride = counts[level].at(iteration), strides[level]
    depending = [c for c in counts[level + 1 :] if c.strides and c.strides[level]]
    if not depending:
        inner = _around(strides, counts, (*iteration, 0), once)
        return _moved_around(inner, stride, count, modulus)
    if level == len(counts) - 2:
        return _innermost(strides, counts, iteration, modulus).astype(once.dtype)
    total = np.zeros_like(once)
    for i in range(count):
        total += np.roll(_around(strides, counts, (*iteration, i), once), stride * i % modulus)
    return total


def _moved_around(inner: _Numbers, stride: int, count: int, modulus: int) -> _Numbers:
    cycle = modulus // gcd(stride, modulus)
    whole, rest = divmod(count, cycle)
    total = np.zeros_like(inner)
    for step in range(min(cycle, count)):
        total += np.roll(inner, step * stride % modulus) * (whole + (step < rest))
    return total


def _innermost(
    strides: tuple[int, ...],
    counts: tuple[Count, ...],
    iteration: tuple[int, ...],
    modulus: int,
) -> _Numbers:
    """Two levels at once, the inner count a number for each iteration of the outer one."""
    outer, inner = counts[-2], counts[-1]
    n, stride = outer.at(iteration), strides[-1]
    cycle = modulus // gcd(stride, modulus)
    first, grows = inner.at((*iteration, 0)), inner.strides[-1]
    total = np.zeros(modulus, dtype=np.int64)
    steps = np.arange(cycle)
    for start in range(0, n, _CHUNK):
        i = np.arange(start, min(n, start + _CHUNK))
        whole, rest = np.divmod(first + grows * i, cycle)
        times = whole[:, None] + (steps < rest[:, None])
        places = (strides[-2] * i[:, None] + stride * steps) % modulus
        total += np.bincount(places.ravel(), times.ravel(), modulus).astype(np.int64)
    return total


_CHUNK = 1 << 14
"""Outer iterations at a time: their weights stay exact as floating-point numbers."""


@lru_cache(maxsize=1 << 16)
def _once(  # noqa: PLR0913, PLR0917 - the key of the cache
    pattern: Pattern,
    mask: int,
    width_bytes: int,
    remainder: int,
    rules: MemoryRules,
    in_local: bool,
) -> tuple[int, int, int]:
    """(sectors, requests, bank passes) of one execution."""
    offsets = np.array(pattern.offsets(mask), dtype=np.int64)
    addresses = offsets + remainder
    lanes = np.array(lanes_of(mask), dtype=np.int64)
    if in_local:
        addresses, lanes = interleaved(addresses, lanes, width_bytes)
        width_bytes = min(width_bytes, LOCAL_WORD_BYTES)
    return (
        sectors(addresses, width_bytes, rules, lanes),
        requests(addresses, width_bytes),
        bank_passes(addresses, width_bytes, rules, lanes),
    )
