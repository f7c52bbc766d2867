"""The L1s of some SMs before one L2 before DRAM: what accesses of warps find where.

There is no time in it: accesses come one after another, and each is served before the next.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.memory.rules import DEFAULT_RULES
from warpmill.analyzer.memory.rules_batch import TouchedSectors
from warpmill.simulator.memory.cache import CacheSpec, CacheState
from warpmill.simulator.memory.cache_step import (
    DIRTY,
    DRAM_WRITES,
    L1,
    L2,
    NONE,
    STORE,
    TAG,
    WARPS,
    WRITE_BACKS,
    run_levels,
)

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LevelAccesses:
    """Accesses of warps in their order, as arrays of one length.

    ``kind`` is LOAD, STORE or ATOMIC of ``cache_step``; ``cache`` the number of the L1, NONE for
    those that go past it; ``row`` where it is counted.
    """

    touched: TouchedSectors
    kind: npt.NDArray[np.int8]
    cache: Numbers
    row: Numbers


@dataclass(eq=False)
class Levels:
    """The caches of a GPU, ``sms`` of L1; None: there is none. All are cold first.

    ``sector_bytes`` are those of the caches; what is given counts where there are none. UsageError
    where sectors of the two are not alike.
    """

    l1: CacheSpec | None
    l2: CacheSpec | None
    sms: int = 1
    sector_bytes: int = DEFAULT_RULES.sector_bytes

    def __post_init__(self) -> None:
        sizes = {spec.granule_bytes for spec in (self.l1, self.l2) if spec is not None}
        if len(sizes) > 1:
            words = " and ".join(f"{size} B" for size in sorted(sizes))
            raise UsageError(f"L1 and L2 have sectors of one size, not of {words}")
        self.sector_bytes = sizes.pop() if sizes else self.sector_bytes
        self._l1 = CacheState(self.l1 or _NOTHING, self.sms if self.l1 else 1)
        self._l2 = CacheState(self.l2 or _NOTHING)

    def run(self, accesses: LevelAccesses, counts: Numbers) -> None:
        """Send accesses through, and add what they do to their rows of ``counts``."""
        first = accesses.touched.first
        own = accesses.row[first[1:] > first[:-1]]
        counts[:, WARPS] += np.bincount(own, minlength=len(counts))
        self._send(accesses, counts)

    def _send(self, accesses: LevelAccesses, counts: Numbers) -> None:
        a = accesses
        cache = a.cache if self.l1 is not None else np.full(len(a.cache), NONE)
        run_levels(self._l1.words, self._l1.scalars, self._l2.words, self._l2.scalars,
                   self.l2 is not None, a.touched.first, a.touched.sectors, a.kind, cache, a.row,
                   counts)  # fmt: skip

    def empty_l1(self, counts: Numbers, row: int) -> None:
        """Empty the L1s; what is dirty there goes to L2, and is counted in a row."""
        sectors = _dirty(self._l1)
        n = len(sectors)
        touched = TouchedSectors(np.arange(n + 1), sectors)
        kind, past = np.full(n, STORE, np.int8), np.full(n, NONE)
        self._send(LevelAccesses(touched, kind, past, np.full(n, row)), counts)
        counts[row, L1 + WRITE_BACKS] += n
        self._l1.empty()

    def empty_l2(self, counts: Numbers, row: int) -> None:
        """Empty L2; what is dirty there goes to DRAM, and is counted in a row."""
        n = self._l2.dirty_sectors
        counts[row, L2 + WRITE_BACKS] += n
        counts[row, DRAM_WRITES] += n
        self._l2.empty()

    @property
    def waiting_bytes(self) -> int:
        """Bytes of sectors that are dirty, and that DRAM has yet to get."""
        return (self._l1.dirty_sectors + self._l2.dirty_sectors) * self.sector_bytes


_NOTHING = CacheSpec(size_bytes=1, line_bytes=1)


def _dirty(state: CacheState) -> Numbers:
    """Give the numbers of the sectors that are dirty, line by line."""
    rows, sectors = state.rows, state.scalars.sectors
    rows = rows[rows[:, DIRTY] != 0]
    bits = (rows[:, DIRTY, None] >> np.arange(sectors)) & 1
    numbers = rows[:, TAG, None] * sectors + np.arange(sectors)
    return np.ascontiguousarray(numbers[bits.astype(bool)])
