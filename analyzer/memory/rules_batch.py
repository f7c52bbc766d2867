"""The sectors that many accesses of warps touch, worked out together; as ``rules`` does.

Accesses are given as collectors are told of them: a base address, the lanes' distances from it as
a row of patterns, and the lanes that are on. Most accesses are alike but for where they begin, so
what a pattern touched last is kept and moved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.jit import jit, jit_part
from warpmill.analyzer.memory.rules import DEFAULT_RULES, MemoryRules

Numbers = npt.NDArray[np.int64]

GLOBAL, LOCAL, GENERIC = 0, 1, 2
"""What the addresses of an access mean."""

WORD_BYTES = 4
"""What local memory interleaves: word k of all lanes of a warp lies together, lane by lane."""


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
    """What generic addresses mean: from ``global_base`` on global memory, in the window local.

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
    """What is the same for all accesses; ``group`` is that of lanes that merge."""

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
    """Put the sectors of one access from ``end`` on; gives where they end."""
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
