"""How many transactions and bank conflicts a warp's access makes: pure functions of addresses.

The rules are numbers in a frozen MemoryRules, so that profiles, traces and both timing engines
count alike. Addresses are byte addresses of the lanes that are on, as a one-dimensional array.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.base.metric import Metric

Addresses = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class MemoryRules:
    """The granules in which memory serves a warp.

    A transaction of global memory fetches one sector. ``lanes_per_group`` is the number of
    neighbouring lanes whose requests merge (32; 16 on GT200). ``packs_pairs``: two groups of lanes
    of a wide access to shared memory go at once where each lane reads what the one whose number
    differs in the last bit does, or in the last but one (compute capability 7.0 on: NVIDIA's
    developer forum, thread 77228).
    """

    sector_bytes: Annotated[int, Metric("Sector", "B")] = 32
    line_bytes: Annotated[int, Metric("Line", "B")] = 128
    lanes_per_group: Annotated[int, Metric("Lanes")] = 32
    banks: Annotated[int, Metric("Banks")] = 32
    bank_width_bytes: Annotated[int, Metric("Width of a bank", "B")] = 4
    packs_pairs: Annotated[bool, Metric("Pairs of lanes")] = False


WIDEST_WORDS = 4
"""Words that a lane accesses at once at most."""

DEFAULT_RULES = MemoryRules()

LOCAL_WORD_BYTES = 4
"""What local memory interleaves: a word of each thread of a warp lies beside the next thread's."""

_LOCAL_ROW_BYTES = 64 * LOCAL_WORD_BYTES
"""One word of each thread of the widest warp; a narrower warp touches as many granules in it."""


def distinct_granules(addresses: Addresses, width_bytes: int, granule_bytes: int) -> int:
    """Count the aligned granules that accesses of ``width_bytes`` at ``addresses`` touch."""
    if addresses.size == 0:
        return 0
    begins, last = addresses.tolist(), max(width_bytes, 1) - 1  # sets beat arrays of a warp's size
    if last < granule_bytes:
        touched = {begin // granule_bytes for begin in begins}
        touched.update([(begin + last) // granule_bytes for begin in begins])
        return len(touched)
    total, counted = 0, min(begins) // granule_bytes - 1  # bulk copies have too many to list
    for begin in sorted(begins):
        first, end = max(begin // granule_bytes, counted + 1), (begin + last) // granule_bytes
        total, counted = total + max(0, end - first + 1), max(counted, end)
    return total


def sectors(
    addresses: Addresses,
    width_bytes: int,
    rules: MemoryRules = DEFAULT_RULES,
    lanes: Addresses | None = None,
) -> int:
    """Count the sectors a warp access transfers, merged within each group of lanes.

    ``lanes`` are the lane numbers of the addresses; left out, they are 0, 1, 2 and so on.
    """
    if addresses.size == 0:
        return 0
    groups = _groups(addresses, lanes, rules.lanes_per_group)
    if groups is None:
        return distinct_granules(addresses, width_bytes, rules.sector_bytes)
    return sum(
        distinct_granules(addresses[groups == group], width_bytes, rules.sector_bytes)
        for group in np.unique(groups)
    )


def _groups(addresses: Addresses, lanes: Addresses | None, size: int) -> Addresses | None:
    """The group of neighbouring lanes that each address is of; None: all are of one."""
    numbers = np.arange(addresses.size) if lanes is None else lanes
    groups = numbers // size
    return None if groups[0] == groups[-1] and groups.min() == groups.max() else groups


def requests(addresses: Addresses, width_bytes: int) -> int:
    """Count the distinct 128 B lines a warp access touches, whatever the machine."""
    return distinct_granules(addresses, width_bytes, 128)


def bank_passes(
    addresses: Addresses,
    width_bytes: int,
    rules: MemoryRules = DEFAULT_RULES,
    lanes: Addresses | None = None,
) -> int:
    """Count the passes that shared memory needs: 1 is free of conflicts, 0 has no lane on.

    Lanes that read the same word share it. Accesses wider than a bank go in as many groups of
    neighbouring lanes as they are bank widths wide (8 B: half-warps, 16 B: quarter-warps).
    ``lanes`` are the lane numbers of the addresses; left out, they are 0, 1, 2 and so on.
    """
    if addresses.size == 0:
        return 0
    words_each = max(1, width_bytes // rules.bank_width_bytes)
    size = max(1, rules.banks // words_each)
    if rules.packs_pairs and 1 < words_each <= WIDEST_WORDS and _are_pairs(addresses, lanes):
        size *= 2
    groups = _groups(addresses, lanes, size)
    if groups is None:
        return _passes(addresses, words_each, rules)
    return sum(
        _passes(addresses[groups == group], words_each, rules) for group in np.unique(groups)
    )


def _are_pairs(addresses: Addresses, lanes: Addresses | None) -> bool:
    """Whether each lane reads what its neighbour does, or what the next but one does."""
    numbers = range(addresses.size) if lanes is None else lanes.tolist()
    at = dict(zip(numbers, addresses.tolist(), strict=True))
    return any(
        all(at.get(lane ^ distance, address) == address for lane, address in at.items())
        for distance in (1, 2)
    )


def _passes(addresses: Addresses, words_each: int, rules: MemoryRules) -> int:
    """Count the passes of a group of lanes: the most words that one bank has to give."""
    first = {begin // rules.bank_width_bytes for begin in addresses.tolist()}
    words = first if words_each == 1 else {w + k for w in first for k in range(words_each)}
    return max(Counter([word % rules.banks for word in words]).values())


def interleaved(
    addresses: Addresses, lanes: Addresses, width_bytes: int
) -> tuple[Addresses, Addresses]:
    """Place each word of accesses to local memory where it lies, and give the lane it belongs to.

    ``addresses`` are those of one thread's memory. The words are at most LOCAL_WORD_BYTES wide.
    """
    steps = np.arange(0, max(width_bytes, 1), LOCAL_WORD_BYTES)
    words, owners = (addresses[:, None] + steps).ravel(), np.repeat(lanes, steps.size)
    rows = words // LOCAL_WORD_BYTES * _LOCAL_ROW_BYTES
    return rows + owners * LOCAL_WORD_BYTES + words % LOCAL_WORD_BYTES, owners
