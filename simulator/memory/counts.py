"""What caches did, in numbers: rows of counts as ``cache_step`` fills them, and what they say."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from warpmill.simulator.memory.cache_step import (
    ATOMIC,
    COLUMNS,
    DRAM_READS,
    DRAM_WRITES,
    EVICTIONS,
    HIT,
    L1,
    L2,
    L2_ASKED,
    LEVEL_COLUMNS,
    LOAD,
    MISS,
    SECTOR_MISS,
    STORE,
    WARPS,
    WRITE_BACKS,
)

Numbers = npt.NDArray[np.int64]


def new_counts(rows: int) -> Numbers:
    """Give counts of nothing, ready to be added to."""
    return np.zeros((rows, COLUMNS), np.int64)


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

    ``warp_accesses`` are those with a sector beyond it. ``l2_reads``, ``l2_writes`` and
    ``l2_atomics`` are the sectors that L2 was asked for (DRAM, where there is no L2),
    ``dram_reads`` and ``dram_writes`` those that DRAM was. Bytes count them as whole sectors.
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
        l1, l2 = (_level(n[start : start + LEVEL_COLUMNS]) for start in (L1, L2))
        return cls(
            warp_accesses=n[WARPS],
            l1=l1,
            l2=l2,
            l2_reads=n[L2_ASKED + LOAD],
            l2_writes=n[L2_ASKED + STORE],
            l2_atomics=n[L2_ASKED + ATOMIC],
            dram_reads=n[DRAM_READS],
            dram_writes=n[DRAM_WRITES],
            sector_bytes=sector_bytes,
        )

    @property
    def l2_bytes(self) -> int:
        """Bytes between the SMs and L2."""
        return (self.l2_reads + self.l2_writes + self.l2_atomics) * self.sector_bytes

    @property
    def dram_bytes(self) -> int:
        """Bytes to and from DRAM."""
        return (self.dram_reads + self.dram_writes) * self.sector_bytes


def _level(n: list[int]) -> LevelCounts:
    """Read the columns of a level; each access is what it found."""
    found = n[HIT], n[SECTOR_MISS], n[MISS]
    return LevelCounts(sum(found), *found, n[EVICTIONS], n[WRITE_BACKS])
