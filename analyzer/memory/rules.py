"""How many transactions and bank conflicts a warp's access makes: pure functions of addresses.

The rules are numbers in a frozen MemoryRules, so that profiles, traces and both timing engines
count alike. Addresses are byte addresses of the lanes that are on, as a one-dimensional array.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import lcm
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

    @property
    def period_bytes(self) -> int:
        """Moving all lanes by so many bytes changes no cost; in shared memory a bank's width."""
        return lcm(LINE_BYTES, self.sector_bytes, self.bank_width_bytes)

    def words_of(self, width_bytes: int) -> int:
        """The words of banks that a lane's access is wide."""
        return max(1, width_bytes // self.bank_width_bytes)

    def lanes_at_once(self, width_bytes: int, *, in_pairs: bool = False) -> int:
        """The neighbouring lanes that shared memory serves together.

        Those whose words fill the banks once, and twice as many where wide accesses of lanes that
        read ``in_pairs`` are packed.
        """
        once = max(1, self.banks // self.words_of(width_bytes))
        return 2 * once if in_pairs and self.may_pack(width_bytes) else once

    def may_pack(self, width_bytes: int) -> bool:
        """Whether lanes that read in pairs are served with twice as many others."""
        return self.packs_pairs and 1 < self.words_of(width_bytes) <= WIDEST_WORDS


LINE_BYTES = 128
"""Granule of requests, whatever the machine."""

WIDEST_WORDS = 4
"""Words that a lane accesses at once at most."""

DEFAULT_RULES = MemoryRules()

LOCAL_WORD_BYTES = 4
"""Interleaving unit of local memory: a word of each thread of a warp beside the next thread's."""

WIDEST_WARP = 64
"""Lanes of the widest warp; a narrower one touches as many granules of its local memory in rows of
so many words."""

MEMORY, LOCAL, CONST, TEXTURE, SHARED, GENERIC = range(6)
"""Ways that an access goes. SHARED is on the SM and has no transactions; of a GENERIC one its
addresses tell which of the others."""


@dataclass(frozen=True, eq=False)
class WarpAccesses:
    """Accesses of warps, as arrays of one length but for ``patterns``. Bytes.

    Lane k of an access is at ``base + patterns[pattern, k]`` where bit k of ``mask`` is set;
    ``patterns`` has the shape (patterns, lanes), 0 where a lane is off. ``way`` is MEMORY, LOCAL
    and so on. Addresses of local memory are those of one thread; ``local_start`` says where the
    memory of an access's warp begins, at 0 where it is left out.
    """

    base: Addresses
    pattern: NDArray[np.int32]
    patterns: Addresses
    mask: NDArray[np.uint64]
    width_bytes: Addresses
    way: NDArray[np.uint8]
    local_start: Addresses | None = None

    def __len__(self) -> int:
        return len(self.base)


@dataclass(frozen=True, eq=False)
class TouchedSectors:
    """The sectors of access k are ``sectors[first[k]:first[k + 1]]``, by number.

    They are distinct within each group of lanes, in the order in which lanes first touch them.
    """

    first: Addresses
    sectors: Addresses


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
    """Count the distinct lines of LINE_BYTES that a warp access touches."""
    return distinct_granules(addresses, width_bytes, LINE_BYTES)


def shared_wavefronts(
    addresses: Addresses,
    width_bytes: int,
    rules: MemoryRules = DEFAULT_RULES,
    lanes: Addresses | None = None,
) -> int:
    """Wavefronts that shared memory takes: 1 is free of conflicts, 0 has no lane on.

    Lanes that read the same word share it. Accesses wider than a bank go in as many groups of
    neighbouring lanes as they are bank widths wide (8 B: half-warps, 16 B: quarter-warps).
    ``lanes`` are the lane numbers of the addresses; left out, they are 0, 1, 2 and so on.
    """
    if addresses.size == 0:
        return 0
    words_each = rules.words_of(width_bytes)
    in_pairs = rules.may_pack(width_bytes) and _are_pairs(addresses, lanes)
    size = rules.lanes_at_once(width_bytes, in_pairs=in_pairs)
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
    addresses: Addresses, lanes: Addresses, width_bytes: int, warp_size: int = WIDEST_WARP
) -> tuple[Addresses, Addresses]:
    """Place each byte of accesses to local memory where it lies, and give the lane it belongs to.

    ``addresses`` are those of one thread's memory.
    """
    steps = np.arange(max(width_bytes, 1))
    own, owners = (addresses[:, None] + steps).ravel(), np.repeat(lanes, steps.size)
    rows = own // LOCAL_WORD_BYTES * (warp_size * LOCAL_WORD_BYTES)
    return rows + owners * LOCAL_WORD_BYTES + own % LOCAL_WORD_BYTES, owners


def access_cost(
    addresses: Addresses,
    lanes: Addresses,
    width_bytes: int,
    rules: MemoryRules = DEFAULT_RULES,
    *,
    in_local: bool = False,
) -> tuple[int, int, int]:
    """Sectors, lines and wavefronts of a warp access, as if its memory had each of them.

    ``in_local``: ``addresses`` are those of one thread's memory, which has no wavefronts (0).
    """
    if in_local:
        places, owners = interleaved(addresses, lanes, width_bytes)
        return sectors(places, 1, rules, owners), requests(places, 1), 0
    return (
        sectors(addresses, width_bytes, rules, lanes),
        requests(addresses, width_bytes),
        shared_wavefronts(addresses, width_bytes, rules, lanes),
    )
