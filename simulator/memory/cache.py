"""Exact set-associative caches: one of them, and the L1s of some SMs before one L2 before DRAM.

Memory is seen in sectors: sector ``s`` is the bytes ``s * sector_bytes`` and on, and a line is the
``line_bytes / sector_bytes`` sectors that follow a multiple of it. A line has one tag; each of its
sectors is there or not. What moves the state by one access is in ``cache_step``, for traces here
and for engines of their own. There is no time in it: accesses come one after another, and each is
served before the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.memory.rules import DEFAULT_RULES, TouchedSectors
from warpmill.simulator.machines.model import Machine, l1_sector_bytes
from warpmill.simulator.memory.cache_step import (
    ATOMIC,
    COLUMNS,
    DIRTY,
    DRAM_READS,
    DRAM_WRITES,
    EVICTIONS,
    FIELDS,
    HIT,
    L1,
    L2,
    L2_ASKED,
    LEVEL_COLUMNS,
    LOAD,
    MISS,
    NEWER,
    NONE,
    OLDER,
    SECTOR_MISS,
    STORE,
    TAG,
    VALID,
    WARPS,
    WRITE_BACKS,
    CacheScalars,
    run_levels,
    run_trace,
)
from warpmill.simulator.occupancy import l1_bytes_beside

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
        """Contradictions; the first may be the cause of the rest."""
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
class CacheOutcomes:
    """Outcome of each access of a trace, as arrays of one length.

    ``outcome`` is HIT, SECTOR_MISS (the line is there, the sector is not) or MISS, by their numbers
    in ``cache_step``; ``victim`` the number of the line that had to go, -1 where none did;
    ``written_back`` its sectors that were, bit k for its k-th.
    """

    outcome: npt.NDArray[np.uint8]
    victim: Numbers
    written_back: Numbers


@dataclass(eq=False)
class CacheState:
    """State of ``count`` caches of one kind, side by side, as the L1s of several SMs are.

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

    def run(self, sectors: npt.ArrayLike, is_write: npt.ArrayLike, cache: int = 0) -> CacheOutcomes:
        """Access sectors one after another. ``sectors`` are their numbers, 0 or more."""
        numbers = np.ascontiguousarray(sectors, np.int64)
        writes = np.ascontiguousarray(is_write, np.bool_)
        if numbers.ndim != 1 or writes.shape != numbers.shape:
            raise ValueError("sectors and is_write are two rows of one length")
        if numbers.size and numbers.min() < 0:
            raise ValueError("the numbers of sectors are 0 or more")
        if not 0 <= cache < self.count:
            raise ValueError(f"there are {self.count} caches, and none is {cache}")
        return CacheOutcomes(*run_trace(self.words, self.scalars, cache, numbers, writes))


# Two levels: what accesses of warps find in the L1s of some SMs, in L2, and in DRAM.


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
class CacheLevels:
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
    """The numbers of the sectors that are dirty, line by line."""
    rows, sectors = state.rows, state.scalars.sectors
    rows = rows[rows[:, DIRTY] != 0]
    bits = (rows[:, DIRTY, None] >> np.arange(sectors)) & 1
    numbers = rows[:, TAG, None] * sectors + np.arange(sectors)
    return np.ascontiguousarray(numbers[bits.astype(bool)])


# What the levels did, in numbers: rows of counts as ``cache_step`` fills them.


def new_counts(rows: int) -> Numbers:
    """Counts of nothing, ready to be added to."""
    return np.zeros((rows, COLUMNS), np.int64)


@dataclass(frozen=True, slots=True)
class LevelCounts:
    """Counts of a level: accesses to sectors, and their outcomes.

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
    """Counts of warps' accesses beyond the SM.

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


# The caches that a machine file describes.


def l1_spec(machine: Machine, carveout_bytes: int = 0) -> CacheSpec | None:
    """Make the L1 of an SM: written through, without allocation; None where there is none.

    ``carveout_bytes`` is what shared memory takes of the array that both have. The L1 that is left
    keeps its sets and has fewer ways; where that does not come out even, it has as many ways as do,
    up to those of the whole. The replacement is LRU, which no vendor says.
    """
    size = l1_bytes_beside(machine, carveout_bytes)
    if size == 0:
        return None
    line, sets = machine.integer("l1.line_bytes"), machine.integer("l1.sets")
    lines, most = size // line, machine.integer("l1.ways")
    ways = lines // sets if sets and lines % sets == 0 else _even(lines, most)
    sector = l1_sector_bytes(machine)
    with cache_of(machine, "l1"):
        return CacheSpec(size, line, sector, ways, write="through", write_allocate=False)


def _even(lines: int, most: int) -> int:
    """The most ways of which so many lines are a whole number of sets."""
    return next(ways for ways in range(min(lines, most), 0, -1) if lines % ways == 0)


def l2_spec(machine: Machine) -> CacheSpec | None:
    """Make the L2, its slices as one: written back, with allocation; None where there is none."""
    size = machine.integer("l2.size_bytes")
    if size == 0 or machine.integer("l2.slices") == 0:
        return None
    with cache_of(machine, "l2"):
        return CacheSpec(
            size,
            machine.integer("l2.line_bytes"),
            machine.integer("l2.sector_bytes"),
            machine.integer("l2.ways"),
        )


@contextmanager
def cache_of(machine: Machine, group: str) -> Iterator[None]:
    """Name the machine's values where they do not go together. UsageError."""
    try:
        yield
    except UsageError as error:
        values = dict(machine.values)
        parts = ("size_bytes", "l1_bytes", "line_bytes", "sector_bytes", "ways")
        names = [name for part in parts if (name := f"{group}.{part}") in values]
        told = ", ".join(f"{name} = {values[name].value}" for name in names)
        words = f"the {group.upper()} of {machine.name}: {error.diagnostics[0].message}"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=f"it has {told}")) from None
