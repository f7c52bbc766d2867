"""An exact set-associative cache: what never changes of it, what changes, and traces through it.

Memory is seen in sectors: sector ``s`` is the bytes ``s * sector_bytes`` and on, and a line is the
``line_bytes / sector_bytes`` sectors that follow a multiple of it. A line has one tag; each of its
sectors is there or not. What moves the state by one access is in ``cache_step``, for traces here
and for engines of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.simulator.memory.cache_step import (
    DIRTY,
    FIELDS,
    NEWER,
    NONE,
    OLDER,
    VALID,
    CacheScalars,
    run_trace,
)

Numbers = npt.NDArray[np.int64]

MOST_SECTORS = 62
"""Sectors of a line: as many as a whole number of 64 bits can tell apart, without its sign."""

MOST_LINES = 1 << 25
"""Lines of all caches that are stepped together; a line takes 64 B of this computer's memory."""


@dataclass(frozen=True)
class CacheSpec:
    """A cache. Sizes are in bytes; UsageError where they do not go together.

    ``sector_bytes`` None is a cache without sectors: they are lines. ``ways`` 0 is a fully
    associative one. A line is in the set of its number modulo their count, which may be any.

    ``replacement``: the line that was used (lru) or brought in (fifo) longest ago makes room.
    ``write``: a store is kept until its line has to go (back), or handed on at once (through).
    ``write_allocate``: a store brings in what it misses. Nothing is fetched for it: it is taken to
    write the whole sector. Without it a store that misses leaves the cache as it is.
    """

    size_bytes: int
    line_bytes: int = 128
    sector_bytes: int | None = None
    ways: int = 0
    replacement: Literal["lru", "fifo"] = "lru"
    write: Literal["back", "through"] = "back"
    write_allocate: bool = True

    def __post_init__(self) -> None:
        for problem in self._problems():
            raise UsageError(f"this cache cannot be: {problem}")

    def _problems(self) -> list[str]:
        """Say what does not go together; what comes first may be the cause of the rest."""
        sector, found = self.granule_bytes, []
        if self.size_bytes < 1 or self.line_bytes < 1 or sector < 1 or self.ways < 0:
            return ["its bytes are positive, and its ways 0 (fully associative) or more"]
        if self.line_bytes % sector:
            found.append(f"a line of {self.line_bytes} B is no number of sectors of {sector} B")
        if self.line_bytes // sector > MOST_SECTORS:
            found.append(f"a line has {self.line_bytes // sector} sectors, over {MOST_SECTORS}")
        if self.size_bytes % (self.line_bytes * max(1, self.ways)):
            unit = f"sets of {self.ways} lines" if self.ways else "lines"
            found.append(f"{self.size_bytes} B are no number of {unit} of {self.line_bytes} B")
        if self.replacement not in ("lru", "fifo"):
            found.append(f"replacement is lru or fifo, not {self.replacement}")
        if self.write not in ("back", "through"):
            found.append(f"write is back or through, not {self.write}")
        return found

    @property
    def granule_bytes(self) -> int:
        """Bytes that are fetched together."""
        return self.line_bytes if self.sector_bytes is None else self.sector_bytes

    @property
    def lines(self) -> int:
        """How many there are."""
        return self.size_bytes // self.line_bytes

    @property
    def sets(self) -> int:
        """How many there are: 1 where the cache is fully associative."""
        return self.lines // self.ways if self.ways else 1


@dataclass(frozen=True, eq=False)
class Outcomes:
    """What each access of a trace did, as arrays of one length.

    ``outcome`` is HIT, SECTOR_MISS (the line is there, the sector is not) or MISS, by their numbers
    in ``cache_step``; ``victim`` the number of the line that had to go, -1 where none did;
    ``written_back`` its sectors that were, bit k for its k-th.
    """

    outcome: npt.NDArray[np.uint8]
    victim: Numbers
    written_back: Numbers


@dataclass(eq=False)
class CacheState:
    """What ``count`` caches of one kind hold, side by side, as the L1s of several SMs are.

    ``words`` is the array that ``cache_step`` describes and steps. A new one is cold.
    """

    spec: CacheSpec
    count: int = 1
    scalars: CacheScalars = field(init=False, repr=False)
    words: Numbers = field(init=False, repr=False)

    def __post_init__(self) -> None:
        spec, rows = self.spec, self.count * self.spec.lines
        if self.count < 1:
            raise UsageError(f"there is at least one cache, not {self.count}")
        if rows > MOST_LINES:
            raise UsageError(f"caches of {rows} lines in all are more than {MOST_LINES}")
        bits = (spec.lines - 1).bit_length()
        self.scalars = CacheScalars(
            sets=spec.sets,
            sectors=spec.line_bytes // spec.granule_bytes,
            buckets=1 << bits,
            bucket_bits=bits,
            sets_at=rows * FIELDS,
            buckets_at=rows * FIELDS + 2 * self.count * spec.sets,
            fifo=spec.replacement == "fifo",
            write_back=spec.write == "back",
            write_allocate=spec.write_allocate,
        )
        self.words = np.empty(self.scalars.buckets_at + (self.count << bits), np.int64)
        self.empty()

    def empty(self) -> None:
        """Forget everything, dirty or not: each set has its rows in their order, without lines."""
        rows = self.rows
        ways = self.spec.lines // self.spec.sets
        places = np.arange(len(rows)).reshape(-1, ways) * FIELDS
        self.words[:] = NONE
        rows[:, [VALID, DIRTY]] = 0
        rows.reshape(-1, ways, FIELDS)[:, 1:, NEWER] = places[:, :-1]
        rows.reshape(-1, ways, FIELDS)[:, :-1, OLDER] = places[:, 1:]
        ends = self.words[self.scalars.sets_at : self.scalars.buckets_at].reshape(-1, 2)
        ends[:, 0], ends[:, 1] = places[:, 0], places[:, -1]

    @property
    def rows(self) -> Numbers:
        """The rows of lines, cache by cache and set by set: a view, shape (rows, FIELDS)."""
        return self.words[: self.scalars.sets_at].reshape(-1, FIELDS)

    @property
    def dirty_sectors(self) -> int:
        """Sectors that wait to be written back."""
        return int(np.bitwise_count(self.rows[:, DIRTY]).sum())

    def run(self, sectors: npt.ArrayLike, is_write: npt.ArrayLike, cache: int = 0) -> Outcomes:
        """Access sectors one after another. ``sectors`` are their numbers, 0 or more."""
        numbers = np.ascontiguousarray(sectors, np.int64)
        writes = np.ascontiguousarray(is_write, np.bool_)
        if numbers.ndim != 1 or writes.shape != numbers.shape:
            raise ValueError("sectors and is_write are two rows of one length")
        if numbers.size and numbers.min() < 0:
            raise ValueError("the numbers of sectors are 0 or more")
        if not 0 <= cache < self.count:
            raise ValueError(f"there are {self.count} caches, and none is {cache}")
        return Outcomes(*run_trace(self.words, self.scalars, cache, numbers, writes))
