"""One access to a cache, and traces of them: the jitted part, over arrays and a tuple of scalars.

The arrays of a CacheState. ``lines`` has a row for each line that it can hold: which one it is
(TAG), bit masks of the sectors that are there and of those that are dirty, the rows that were used
after and before it in its set, and the next row of its bucket. ``sets`` has the newest and the
oldest row of each set; ``buckets`` the first row of each chain, in which a line is found by its
number, so that a step takes as long for a set of a thousand ways as for one of four.

A jitted function of another file may call ``step``, but numba's cache does not see when this file
changes: everything that warpmill keeps compiled and that steps caches stands here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from analyzer.jit import jit

TAG, VALID, DIRTY, NEWER, OLDER, CHAIN = range(6)
"""Columns of ``lines``."""

FIELDS = 6
NEWEST, OLDEST = 0, 1
"""Columns of ``sets``."""

NONE = -1
HIT, SECTOR_MISS, MISS = 0, 1, 2
"""What an access found: its sector, only its line, neither."""

LOAD, STORE, ATOMIC = 0, 1, 2
"""What an access to the two levels is; others (-1) are left out."""

GOLDEN = -7046029254386353131  # 2^64 over the golden ratio: spreads neighbours evenly (Knuth, 6.4)


class CacheScalars(NamedTuple):
    """Numbers and switches of one cache; ``sectors`` are those of a line, ``buckets`` 2^n."""

    sets: int
    sectors: int
    buckets: int
    fifo: bool
    write_back: bool
    write_allocate: bool


@jit
def find(lines: Any, buckets: Any, scalars: Any, cache: int, line: int) -> Any:
    """Give the row that holds a line, -1 where none does. Nothing changes."""
    row = buckets[bucket_of(scalars, cache, line)]
    while row != NONE and lines[row, TAG] != line:
        row = lines[row, CHAIN]
    return row


@jit
def bucket_of(scalars: Any, cache: int, line: int) -> Any:
    """Give the bucket that a line is looked for in."""
    return cache * scalars.buckets + (((line * GOLDEN) >> 32) & (scalars.buckets - 1))


@jit
def touch(lines: Any, sets: Any, group: int, row: int) -> None:
    """Make a row the newest of its set."""
    newer, older = lines[row, NEWER], lines[row, OLDER]
    if newer == NONE:
        return
    lines[newer, OLDER] = older
    if older == NONE:
        sets[group, OLDEST] = newer
    else:
        lines[older, NEWER] = newer
    first = sets[group, NEWEST]
    lines[first, NEWER] = row
    lines[row, NEWER], lines[row, OLDER] = NONE, first
    sets[group, NEWEST] = row


@jit
def replace(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    lines: Any, sets: Any, buckets: Any, scalars: Any, cache: int, line: int
) -> Any:
    """Bring a line in, without sectors, for the oldest of its set.

    Gives its row, the line that had to go or -1, and the sectors of that one that were dirty.
    """
    group = cache * scalars.sets + line % scalars.sets
    row = sets[group, OLDEST]
    victim, dirty = lines[row, TAG], lines[row, DIRTY]
    if victim != NONE:
        bucket, rest = bucket_of(scalars, cache, victim), lines[row, CHAIN]
        before = buckets[bucket]
        if before == row:
            buckets[bucket] = rest
        else:
            while lines[before, CHAIN] != row:
                before = lines[before, CHAIN]
            lines[before, CHAIN] = rest
    bucket = bucket_of(scalars, cache, line)
    lines[row, TAG], lines[row, VALID], lines[row, DIRTY] = line, 0, 0
    lines[row, CHAIN] = buckets[bucket]
    buckets[bucket] = row
    touch(lines, sets, group, row)
    return row, victim, dirty


@jit
def step(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    lines: Any, sets: Any, buckets: Any, scalars: Any, cache: int, sector: int, is_write: bool
) -> Any:
    """Access a sector of the ``cache``-th of the caches.

    Gives what was found, the line that had to go or -1, and its dirty sectors, to be written back.
    """
    line = sector // scalars.sectors
    bit = 1 << (sector - line * scalars.sectors)
    row = find(lines, buckets, scalars, cache, line)
    outcome = MISS if row == NONE else HIT if lines[row, VALID] & bit else SECTOR_MISS
    victim, dirty = NONE, 0
    if outcome != HIT and is_write and not scalars.write_allocate:
        return outcome, victim, dirty
    if outcome == MISS:
        row, victim, dirty = replace(lines, sets, buckets, scalars, cache, line)
    elif not scalars.fifo:
        touch(lines, sets, cache * scalars.sets + line % scalars.sets, row)
    lines[row, VALID] |= bit
    if is_write and scalars.write_back:
        lines[row, DIRTY] |= bit
    return outcome, victim, dirty


@jit
def goes_on(scalars: Any, outcome: int, is_write: bool) -> Any:
    """Tell whether an access asks the next level: to fetch its sector, or to take a store."""
    if not is_write:
        return outcome != HIT
    return not scalars.write_back or (outcome != HIT and not scalars.write_allocate)


@jit
def run_trace(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    lines: Any, sets: Any, buckets: Any, scalars: Any, cache: int, sectors: Any, is_write: Any
) -> Any:
    """Step through a trace; gives outcomes, victims and what was written back."""
    n = sectors.size
    outcomes, victims, dirty = np.empty(n, np.uint8), np.empty(n, np.int64), np.empty(n, np.int64)
    for k in range(n):
        outcomes[k], victims[k], dirty[k] = step(
            lines, sets, buckets, scalars, cache, sectors[k], is_write[k]
        )
    return outcomes, victims, dirty
