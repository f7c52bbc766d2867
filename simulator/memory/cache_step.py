"""One access to a cache, and traces of them: the jitted part, over an array and a few scalars.

All that changes of a cache is one array of 64-bit words. It begins with the rows of lines, set by
set, each of FIELDS words: which line it is, bit masks of its sectors that are there and that are
dirty, the places of the rows that were used after and before it in its set, and of the next one in
its chain. At ``sets_at`` stand the places of the newest and of the oldest row of each set; at
``buckets_at`` that of the first row of each chain, in which a line is found by its number, so that
a step takes as long for a set of a thousand ways as for one of four.

numba's cache does not see when a file changes that another one calls into, so everything that
warpmill keeps compiled and that steps caches stands here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from warpmill.analyzer.base.jit import jit, jit_part

TAG, VALID, DIRTY, NEWER, OLDER, CHAIN = range(6)
"""Words of a row."""

FIELDS = 6
NONE = -1
"""No line, and no row."""

HIT, SECTOR_MISS, MISS = 0, 1, 2
"""Outcomes of an access: its sector, only its line, neither."""


LOAD, STORE, ATOMIC = 0, 1, 2
"""Kinds of accesses through two levels."""

EVICTIONS, WRITE_BACKS = 3, 4
"""Further counts of a level: lines that had to go, dirty sectors."""

LEVEL_COLUMNS = 5
WARPS, L1, L2, L2_ASKED, DRAM_READS, DRAM_WRITES = 0, 1, 6, 11, 14, 15
"""Columns of counts: accesses of warps; from L1 and L2 on those of a level; what L2 is asked as
LOAD, STORE and ATOMIC; sectors of DRAM."""

COLUMNS = 16


class CacheScalars(NamedTuple):
    """Numbers and switches of one cache; ``sectors`` are those of a line, ``buckets`` 2^n."""

    sets: int
    sectors: int
    buckets: int
    bucket_bits: int
    sets_at: int
    buckets_at: int
    fifo: bool
    write_back: bool
    write_allocate: bool


@jit_part
def bucket_of(scalars: Any, cache: int, line: int) -> Any:
    """The place of the bucket that a line is looked for in: neighbours are in neighbours."""
    folded = (line ^ (line >> scalars.bucket_bits)) & (scalars.buckets - 1)
    return scalars.buckets_at + cache * scalars.buckets + folded


@jit_part
def set_of(scalars: Any, cache: int, line: int) -> Any:
    """The place where the newest row of a line's set stands; the oldest follows."""
    return scalars.sets_at + 2 * (cache * scalars.sets + line % scalars.sets)


@jit_part
def find(state: Any, scalars: Any, cache: int, line: int) -> Any:
    """The row that holds a line, NONE where none does. Nothing changes."""
    row = state[bucket_of(scalars, cache, line)]
    while row != NONE and state[row + TAG] != line:
        row = state[row + CHAIN]
    return row


@jit_part
def touch(state: Any, group: int, row: int) -> None:
    """Make a row the newest of its set, which is at the place ``group``."""
    newer, older = state[row + NEWER], state[row + OLDER]
    if newer == NONE:
        return
    state[newer + OLDER] = older
    if older == NONE:
        state[group + 1] = newer
    else:
        state[older + NEWER] = newer
    first = state[group]
    state[first + NEWER], state[group] = row, row
    state[row + NEWER], state[row + OLDER] = NONE, first


@jit_part
def unchain(state: Any, scalars: Any, cache: int, row: int) -> None:
    """Take a row that holds a line out of its chain: the line is no longer found."""
    bucket = bucket_of(scalars, cache, state[row + TAG])
    before = state[bucket]
    if before == row:
        state[bucket] = state[row + CHAIN]
        return
    while state[before + CHAIN] != row:
        before = state[before + CHAIN]
    state[before + CHAIN] = state[row + CHAIN]


@jit_part
def replace(state: Any, scalars: Any, cache: int, line: int) -> Any:
    """Bring a line in, as yet without sectors, for the oldest of its set.

    Gives its row, the line that had to go or NONE, and the dirty sectors of that one.
    """
    group = set_of(scalars, cache, line)
    row = state[group + 1]
    victim, dirty = state[row + TAG], state[row + DIRTY]
    if victim != NONE:
        unchain(state, scalars, cache, row)
    bucket = bucket_of(scalars, cache, line)
    state[row + TAG], state[row + VALID], state[row + DIRTY] = line, 0, 0
    state[row + CHAIN], state[bucket] = state[bucket], row
    touch(state, group, row)
    return row, victim, dirty


@jit_part
def step(state: Any, scalars: Any, cache: int, sector: int, is_write: bool) -> Any:
    """Access a sector of the ``cache``-th of the caches that stand side by side.

    Gives what was found, the line that had to go or NONE, and the dirty sectors of that one.
    """
    line = sector // scalars.sectors
    bit = 1 << (sector - line * scalars.sectors)
    row = find(state, scalars, cache, line)
    outcome = MISS if row == NONE else HIT if state[row + VALID] & bit else SECTOR_MISS
    victim, dirty = NONE, 0
    if outcome != HIT and is_write and not scalars.write_allocate:
        return outcome, victim, dirty
    if outcome == MISS:
        row, victim, dirty = replace(state, scalars, cache, line)
    elif not scalars.fifo:
        touch(state, set_of(scalars, cache, line), row)
    state[row + VALID] |= bit
    if is_write and scalars.write_back:
        state[row + DIRTY] |= bit
    return outcome, victim, dirty


@jit_part
def hands_on(scalars: Any, outcome: int) -> Any:
    """Whether the next level is told of a store: at once, or as it was not taken here."""
    return not scalars.write_back or (outcome != HIT and not scalars.write_allocate)


@jit
def run_trace(state: Any, scalars: Any, cache: int, sectors: Any, is_write: Any) -> Any:
    """Step through a trace; gives outcomes, victims and what was written back."""
    n = sectors.size
    outcomes, victims, dirty = np.empty(n, np.uint8), np.empty(n, np.int64), np.empty(n, np.int64)
    for k in range(n):
        outcomes[k], victims[k], dirty[k] = step(state, scalars, cache, sectors[k], is_write[k])
    return outcomes, victims, dirty


@jit_part
def count_level(counts: Any, row: int, level: int, outcome: int, victim: int, dirty: int) -> Any:
    """Count an access to a level; gives the sectors that it wrote back."""
    counts[row, level + outcome] += 1
    written = 0
    if victim != NONE:
        while dirty:
            written += dirty & 1
            dirty >>= 1
        counts[row, level + EVICTIONS] += 1
        counts[row, level + WRITE_BACKS] += written
    return written


@jit_part
def ask_l2(
    l2: Any, l2_scalars: Any, has_l2: bool, sector: int, kind: int, counts: Any, row: int
) -> None:
    """Serve a sector from L2, and from DRAM what L2 does not have; from DRAM alone without L2."""
    counts[row, L2_ASKED + kind] += 1
    reads, writes = kind != STORE, kind != LOAD
    if has_l2:
        outcome, victim, dirty = step(l2, l2_scalars, 0, sector, writes)
        written = count_level(counts, row, L2, outcome, victim, dirty)
        if written:
            counts[row, DRAM_WRITES] += written
        reads, writes = reads and outcome != HIT, writes and hands_on(l2_scalars, outcome)
    if reads:
        counts[row, DRAM_READS] += 1
    if writes:
        counts[row, DRAM_WRITES] += 1


@jit
def run_levels(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    l1: Any,
    l1_scalars: Any,
    l2: Any,
    l2_scalars: Any,
    has_l2: bool,
    first: Any,
    sectors: Any,
    kind: Any,
    cache: Any,
    row: Any,
    counts: Any,
) -> None:
    """Send accesses of warps through L1 and L2; what they do is added to their rows of ``counts``.

    Access k is to the sectors from ``first[k]`` on; ``cache`` is its L1, NONE to go past L1.
    """
    for k in range(kind.size):
        for place in range(first[k], first[k + 1]):
            sector = sectors[place]
            if cache[k] != NONE:
                is_write = kind[k] != LOAD
                outcome, victim, dirty = step(l1, l1_scalars, cache[k], sector, is_write)
                count_level(counts, row[k], L1, outcome, victim, dirty)
                back = victim * l1_scalars.sectors
                while dirty:
                    if dirty & 1:
                        ask_l2(l2, l2_scalars, has_l2, back, STORE, counts, row[k])
                    dirty >>= 1
                    back += 1
                served = not hands_on(l1_scalars, outcome) if is_write else outcome == HIT
                if served:
                    continue
            ask_l2(l2, l2_scalars, has_l2, sector, kind[k], counts, row[k])
