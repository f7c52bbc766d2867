"""The L1s of some SMs before one L2 before DRAM: what accesses of warps find where.

There is no time in it: accesses come one after another, and each is served before the next.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields

import numpy as np
import numpy.typing as npt

from analyzer.diagnostics import UsageError
from analyzer.memory_rules_batch import TouchedSectors
from simulator.memory.cache import CacheSpec, CacheState
from simulator.memory.cache_step import (
    COLUMNS,
    DIRTY,
    DRAM_READS,
    DRAM_WRITES,
    EVICTIONS,
    L1,
    L2,
    L2_ASKED,
    NONE,
    STORE,
    TAG,
    WARPS,
    run_levels,
)

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class LevelCounts:
    """What happened at a level: accesses to sectors, and what they found.

    ``sector_misses`` found the line and not its sector, ``misses`` not even the line. ``evictions``
    are lines that made room, ``write_backs`` the dirty sectors of those.
    """

    accesses: int
    hits: int
    sector_misses: int
    misses: int
    evictions: int
    write_backs: int

    @property
    def hit_rate(self) -> float | None:
        """Hits by accesses; None without accesses."""
        return self.hits / self.accesses if self.accesses else None


@dataclass(frozen=True, slots=True)
class MemoryCounts:
    """What accesses of warps did beyond the SM.

    ``warp_accesses`` are those with a sector beyond it. ``l2_reads``, ``l2_writes`` and ``l2_atomics``
    are the sectors that L2 was asked for (DRAM, where there is no L2), ``dram_reads`` and
    ``dram_writes`` those that DRAM was. Bytes count each of them as a whole sector.
    """

    warp_accesses: int
    l1: LevelCounts
    l2: LevelCounts
    l2_reads: int
    l2_writes: int
    l2_atomics: int
    dram_reads: int
    dram_writes: int
    sector_bytes: int

    @classmethod
    def of(cls, row: Numbers, sector_bytes: int) -> MemoryCounts:
        """Read a row of counts, or a sum of some."""
        n = [int(count) for count in row]
        l1, l2 = (LevelCounts(*n[start : start + EVICTIONS + 2]) for start in (L1, L2))
        asked = n[L2_ASKED : L2_ASKED + 3]
        return cls(n[WARPS], l1, l2, *asked, n[DRAM_READS], n[DRAM_WRITES], sector_bytes)

    @property
    def l2_bytes(self) -> int:
        """Bytes between the SMs and L2."""
        return (self.l2_reads + self.l2_writes + self.l2_atomics) * self.sector_bytes

    @property
    def dram_bytes(self) -> int:
        """Bytes to and from DRAM."""
        return (self.dram_reads + self.dram_writes) * self.sector_bytes


@dataclass(frozen=True, eq=False)
class LevelAccesses:
    """Accesses of warps in their order, as arrays of one length.

    ``kind`` is LOAD, STORE or ATOMIC of ``cache_step``; ``cache`` the number of the L1, NONE for
    those that go past it; ``row`` where it is counted.
    """

    touched: TouchedSectors
    kind: npt.NDArray[np.uint8]
    cache: Numbers
    row: Numbers


@dataclass(eq=False)
class Levels:
    """The caches of a GPU, ``sms`` of L1; None: there is none. All are cold first.

    UsageError where sectors of the two are not alike.
    """

    l1: CacheSpec | None
    l2: CacheSpec | None
    sms: int = 1
    sector_bytes: int = field(init=False)

    def __post_init__(self) -> None:
        sizes = {spec.granule_bytes for spec in (self.l1, self.l2) if spec is not None}
        if len(sizes) != 1:
            words = f"of {' and '.join(f'{size} B' for size in sorted(sizes))}" if sizes else "none"
            raise UsageError(f"L1 and L2, as far as there are any, have equal sectors, not {words}")
        self.sector_bytes = sizes.pop()
        self._l1 = CacheState(self.l1 or _NOTHING, self.sms if self.l1 else 1)
        self._l2 = CacheState(self.l2 or _NOTHING)

    def run(self, accesses: LevelAccesses, counts: Numbers) -> None:
        """Send accesses through, and add what they do to their rows of ``counts``."""
        a, has_l1 = accesses, self.l1 is not None
        cache = a.cache if has_l1 else np.full(len(a.cache), NONE)
        run_levels(self._l1.words, self._l1.scalars, self._l2.words, self._l2.scalars,
                   self.l2 is not None, a.touched.first, a.touched.sectors, a.kind, cache, a.row,
                   counts)  # fmt: skip

    def empty_l1(self, counts: Numbers, row: int) -> None:
        """Empty the L1s; what is dirty there goes to L2, and is counted in a row."""
        sectors = _dirty(self._l1)
        n = len(sectors)
        touched = TouchedSectors(np.arange(n + 1), sectors)
        kind, past = np.full(n, STORE, np.uint8), np.full(n, NONE)
        before = counts[row, WARPS]
        self.run(LevelAccesses(touched, kind, past, np.full(n, row)), counts)
        counts[row, WARPS] = before
        counts[row, L1 + EVICTIONS + 1] += n
        self._l1.empty()

    def empty_l2(self, counts: Numbers, row: int) -> None:
        """Empty L2; what is dirty there goes to DRAM, and is counted in a row."""
        n = self._l2.dirty_sectors
        counts[row, L2 + EVICTIONS + 1] += n
        counts[row, DRAM_WRITES] += n
        self._l2.empty()

    @property
    def waiting_bytes(self) -> int:
        """Bytes of sectors that are dirty, and that DRAM has yet to get."""
        return (self._l1.dirty_sectors + self._l2.dirty_sectors) * self.sector_bytes


def new_counts(rows: int) -> Numbers:
    """Give counts of nothing, ready to be added to."""
    return np.zeros((rows, COLUMNS), np.int64)


_NOTHING = CacheSpec(size_bytes=1, line_bytes=1)


def _dirty(state: CacheState) -> Numbers:
    """Give the numbers of the sectors that are dirty, line by line."""
    rows, sectors = state.rows, state.scalars.sectors
    rows = rows[rows[:, DIRTY] != 0]
    bits = (rows[:, DIRTY, None] >> np.arange(sectors)) & 1
    numbers = rows[:, TAG, None] * sectors + np.arange(sectors)
    return np.ascontiguousarray(numbers[bits.astype(bool)])
