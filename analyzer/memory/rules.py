"""How many transactions and bank conflicts a warp's access makes: pure functions of addresses.

The rules are numbers in a frozen MemoryRules, so that profiles, traces and both timing engines
count alike. Addresses are byte addresses of the lanes that are on, as a one-dimensional array.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from warpmill.analyzer.base.jit import jit, jit_part
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
"""Interleaving unit of local memory: a word of each thread of a warp beside the next thread's."""

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


Numbers = npt.NDArray[np.int64]

GLOBAL, LOCAL, GENERIC = 0, 1, 2
"""State spaces of an access's addresses."""

WORD_BYTES = 4
"""Interleaving unit of local memory: word k of all lanes of a warp lies together."""


@dataclass(frozen=True, eq=False)
class WarpAccesses:
    """Accesses of warps to memory outside the SM, as arrays of one length but for ``patterns``.

    ``space`` is GLOBAL, LOCAL or GENERIC. Addresses of local memory are those of one thread;
    ``local_start`` says where the memory of an access's warp begins. ``mask`` has bit k for lane k;
    ``patterns`` has the shape (patterns, lanes), 0 where a lane is off. Bytes.
    """

    base: Numbers
    pattern: npt.NDArray[np.int32]
    patterns: Numbers
    mask: npt.NDArray[np.uint64]
    width_bytes: Numbers
    space: npt.NDArray[np.uint8]
    local_start: Numbers

    def __len__(self) -> int:
        return len(self.base)


@dataclass(frozen=True)
class Windows:
    """Windows of generic addresses: from ``global_base`` on global memory, in the window local.

    Anything else, as shared memory, is on the SM and has no sectors. Bytes.
    """

    global_base: int
    local_base: int
    local_bytes: int


@dataclass(frozen=True, eq=False)
class TouchedSectors:
    """The sectors of access k are ``sectors[first[k]:first[k + 1]]``, by number.

    They are distinct within each group of lanes, in the order in which lanes first touch them.
    """

    first: Numbers
    sectors: Numbers


def touched_sectors(
    accesses: WarpAccesses, windows: Windows, rules: MemoryRules = DEFAULT_RULES
) -> TouchedSectors:
    """The sectors that each access touches, merged within each group of lanes of the rules.

    In global memory they are as many as ``rules.sectors`` counts, in local memory as many as
    it counts for the words of the access, one after another, of the interleaved addresses.
    """
    base, space = _resolved(accesses, windows)
    scalars = _Scalars(
        rules.sector_bytes,
        rules.lanes_per_group,
        windows.global_base,
        windows.local_base,
        windows.local_base + windows.local_bytes,
    )
    a = accesses
    columns = (base, a.pattern, a.patterns, a.mask, a.width_bytes, space, a.local_start)
    return TouchedSectors(*_touched(*columns, scalars))


def _resolved(accesses: WarpAccesses, windows: Windows) -> tuple[Numbers, npt.NDArray[np.uint8]]:
    """Bases and spaces, where generic accesses with all lanes in one space are to that one."""
    generic = np.flatnonzero(accesses.space == GENERIC)
    if not generic.size:
        return accesses.base, accesses.space
    base, space = accesses.base.copy(), accesses.space.copy()
    row = accesses.pattern[generic]
    low = base[generic] + accesses.patterns.min(axis=1)[row]
    high = base[generic] + accesses.patterns.max(axis=1)[row]
    space[generic[low >= windows.global_base]] = GLOBAL
    end = windows.local_base + windows.local_bytes
    local = generic[(low >= windows.local_base) & (high < end)]
    space[local] = LOCAL
    base[local] -= windows.local_base
    return base, space


class _Scalars(NamedTuple):
    """Constants for all accesses; ``group`` is that of lanes that merge."""

    sector_bytes: int
    group: int
    global_base: int
    local_base: int
    local_end: int


@jit
def _touched(
    base: Any,
    pattern: Any,
    patterns: Any,
    mask: Any,
    width: Any,
    space: Any,
    local_start: Any,
    scalars: Any,
) -> Any:
    """The first sector of each access, and the sectors."""
    n, lanes = base.size, patterns.shape[1]
    first, found, end = np.zeros(n + 1, np.int64), np.empty(4 * n + 64, np.int64), 0
    # What each pattern touched last: mask, width, what its start is alike in, and where it stands.
    masks, last = np.zeros(len(patterns), np.uint64), np.full((len(patterns), 5), -1, np.int64)
    for k in range(n):
        row, wide = pattern[k], max(width[k], 1)
        origin, rest = base[k], 0
        if space[k] == LOCAL:
            origin = local_start[k] + base[k] // WORD_BYTES * (WORD_BYTES * lanes)
            rest = base[k] % WORD_BYTES
        sector = origin // scalars.sector_bytes
        alike = (origin - sector * scalars.sector_bytes) * 8 + rest * 2 + (space[k] == LOCAL)
        known = space[k] != GENERIC and masks[row] == mask[k]
        known = known and last[row, 0] == wide and last[row, 1] == alike
        needed = last[row, 3] if known else lanes * (wide + WORD_BYTES)
        if end + needed > found.size:
            found = np.concatenate((found, np.empty(found.size + needed, np.int64)))
        if known:
            start, moved = last[row, 2], sector - last[row, 4]
            for j in range(needed):
                found[end + j] = found[start + j] + moved
            end += needed
        else:
            start = end
            end = _work_out(found, end, patterns[row], mask[k], wide, space[k], origin, rest,
                            local_start[k], scalars)  # fmt: skip
            masks[row] = mask[k]
            last[row, 0], last[row, 1], last[row, 2] = wide, alike, start
            last[row, 3], last[row, 4] = end - start, sector
            if space[k] == GENERIC:
                last[row, 0] = -1
        first[k + 1] = end
    return first, found[:end].copy()


@jit_part
def _work_out(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    found: Any,
    end: int,
    steps: Any,
    mask: int,
    wide: int,
    space: int,
    origin: int,
    rest: int,
    local_start: int,
    scalars: Any,
) -> Any:
    """Write the sectors of one access from ``end`` on; returns where they end."""
    row_bytes, sector_bytes = steps.size * WORD_BYTES, scalars.sector_bytes
    start, left = end, scalars.group
    least = most = 0
    for lane in range(steps.size):
        if left == 0:
            start, left = end, scalars.group
        left -= 1
        if not (mask >> np.uint64(lane)) & np.uint64(1):
            continue
        place, pieces, each, here = origin + steps[lane], 1, wide, rest + steps[lane]
        is_local, begin = space == LOCAL, origin
        if space == GENERIC and place < scalars.global_base:
            if not scalars.local_base <= place < scalars.local_end:
                continue
            is_local, begin, here = True, local_start, place - scalars.local_base
        if is_local:
            word = here // WORD_BYTES
            place = begin + word * row_bytes + lane * WORD_BYTES + here - word * WORD_BYTES
            pieces, each = (wide + WORD_BYTES - 1) // WORD_BYTES, min(wide, WORD_BYTES)
        for piece in range(pieces):
            at = place + piece * row_bytes
            low = high = at // sector_bytes
            if at + each > (low + 1) * sector_bytes:
                high = (at + each - 1) // sector_bytes
            for sector in range(low, high + 1):
                if start < end and least <= sector <= most and _is_in(found, start, end, sector):
                    continue
                least = sector if start == end else min(least, sector)
                most = sector if start == end else max(most, sector)
                found[end] = sector
                end += 1
    return end


@jit_part
def _is_in(numbers: Any, start: int, end: int, number: int) -> Any:
    """Whether a number stands in a part of an array; what was put there last is seen first."""
    while end > start:
        end -= 1
        if numbers[end] == number:
            return True
    return False
