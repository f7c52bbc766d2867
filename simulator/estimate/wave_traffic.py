"""Traffic between L2 and DRAM of a wave of CTAs, all of whose accesses go through L2 in step.

An LRU cache by stack distances, with the machine's sets and ways (hybrid paper, §III-B-3). Of many
sets some stand for all. What no cache decides is worked out once for all machines whose sectors are
as large: machines that hold a launch in one wave have that wave in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.jit import jit
from warpmill.analyzer.memory.rules import MEMORY
from warpmill.analyzer.traces.layout import LaunchLayout
from warpmill.simulator.estimate.transactions import (
    ATOMIC,
    LOAD,
    OFF_CHIP,
    OWN_WINDOW,
    STORE,
    Ordered,
    Transactions,
    turns_behind,
)
from warpmill.simulator.machines.model import Machine, fetches_on_write, l1_sector_bytes
from warpmill.simulator.memory.cache import l2_spec
from warpmill.simulator.memory.stack_distance import first_touches, lru_hits
from warpmill.simulator.streams import StreamRules

Numbers = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

# Passes over the transactions of a wave that would take many each in NumPy.
#
# Everything jitted for them stands in this file, as numba's cache does not see changes in another
# one.


class TouchCounts(NamedTuple):
    """Transactions of a wave, counted.

    By point of the kernel: ``touched`` all, ``written`` first stores to a sector; ``begun`` sectors
    that are touched for the first time, by a load or an atomic, ``beginning`` the accesses that
    have some; ``region_of`` has the region of most transactions. ``region_first`` are by region the
    sectors that are touched for the first time, ``region_read`` those of them by a load or an
    atomic.
    """

    touched: Numbers
    written: Numbers
    begun: Numbers
    beginning: Numbers
    region_of: Numbers
    region_first: Numbers
    region_read: Numbers


class MissCounts(NamedTuple):
    """Transactions that L2 was asked for and did not have.

    By point of the kernel: ``missed`` those that are read from DRAM, ``filled`` stores to a part of
    a sector that DRAM is asked for: those that bring it in, at once or where a part stays unknown
    for as long as L2 has it; ``looked_at`` accesses that L2
    was asked for, ``waiting`` those of them that miss something.
    """

    missed: Numbers
    filled: Numbers
    looked_at: Numbers
    waiting: Numbers


def regions_of(sectors: Numbers, bytes_: int, starts: Numbers, ends: Numbers, own: int) -> Small:
    """The number of the region that each sector lies in, of so many bytes each.

    Regions ascend; behind them comes that of local memory, from sector ``own`` on, and what lies
    in none.
    """
    found = np.empty(sectors.size, np.int32)
    put_regions(sectors, bytes_, starts, ends, own, found)
    return found


@partial(jit, arrays=False)
def put_regions(sectors: Any, bytes_: int, starts: Any, ends: Any, own: int, found: Any) -> None:
    """Write down the regions of sectors."""
    count = starts.size
    last = -1  # neighbours mostly lie in one region
    for k in range(sectors.size):
        if sectors[k] >= own:
            found[k] = count
            continue
        low = sectors[k] * bytes_
        high = low + bytes_ - 1
        if last < 0 or starts[last] > high or (last + 1 < count and starts[last + 1] <= high):
            last, beyond = -1, count  # the last that starts at ``high`` or before it
            while beyond - last > 1:
                middle = (last + beyond) // 2
                if starts[middle] > high:
                    beyond = middle
                else:
                    last = middle
        found[k] = last if last >= 0 and low < ends[last] else count + 1


def some_sets(granules: Numbers, per_line: int, every: int) -> tuple[Numbers, Numbers]:
    """The granules of every so many lines, mixed as ``service.mixed`` does; and their places.

    Their lines are numbered anew, one after another.
    """
    stream, kept = np.empty(granules.size, np.int64), np.empty(granules.size, np.int64)
    n = put_sets(granules, per_line, every, stream, kept)
    return stream[:n], kept[:n]


@partial(jit, arrays=False)
def put_sets(granules: Any, per_line: int, every: int, stream: Any, kept: Any) -> Any:
    """Write down the granules of some lines; gives how many there are."""
    n, shift = 0, 0  # a division takes as long as all else here
    while 1 << shift < per_line:
        shift += 1
    shifts = 1 << shift == per_line
    for k in range(granules.size):
        line = granules[k] >> shift if shifts else granules[k] // per_line
        sector = granules[k] - line * per_line
        line ^= (line >> 5) ^ (line >> 11) ^ (line >> 23)
        number = line if every == 1 else line // every
        if number * every == line:
            stream[n], kept[n] = number * per_line + sector, k
            n += 1
    return n


_NUMBERS = (1 << 52) - 1
"""Numbers that stay apart: rows are fewer by far, but those of addresses that go round."""


def rows_of_banks(
    sectors: Numbers, bytes_: int, channel_interleave: int, channels: int, page: int, waiting: int
) -> Numbers:
    """A number for the row of a DRAM bank that each sector lies in.

    It is another one for each ``waiting`` sectors, in turn. Of neighbours in one interleaved piece
    the first alone.
    """
    found = np.empty(sectors.size, np.int64)
    sizes = bytes_, channel_interleave, channels, page, waiting
    return found[: put_rows(sectors, *sizes, found)].copy()


@partial(jit, arrays=False)
def put_rows(
    sectors: Any,
    bytes_: int,
    channel_interleave: int,
    channels: int,
    page: int,
    waiting: int,
    found: Any,
) -> Any:
    """Write down the rows of sectors; gives how many there are."""
    turns = sectors.size // waiting + 1
    n, last = 0, np.int64(-1)
    whole_rows = page * channels % channel_interleave == 0  # a piece lies in one row then
    for k in range(sectors.size):
        address = sectors[k] * bytes_
        piece = address // channel_interleave
        if whole_rows and piece == last:
            continue
        last = piece
        row = address // (page * channels) * channels + piece % channels
        found[n] = (row * turns + k // waiting) & _NUMBERS
        n += 1
    return n


TOUCHED, STORED, READ = 1, 2, 4
"""What a transaction may be the first of: all, stores and atomics, those that may be read."""


@partial(jit, arrays=False)
def put_first(previous: Any, owner: Any, kind: Any, whole: Any, met: Any, found: Any) -> None:
    """Write down what transactions are the first of, for their sectors.

    ``met`` has what there was of each sector up to a transaction. ``kind`` is that of each access;
    ``whole`` are transactions that touch every byte.
    """
    for k in range(owner.size):
        own = TOUCHED
        if kind[owner[k]] != LOAD:
            own |= STORED
        if kind[owner[k]] != STORE or not whole[k]:
            own |= READ
        had = 0
        if previous[k] >= 0:
            had = met[previous[k]]
        found[k] = own & ~had
        met[k] = own | had


def count_touches(
    point: Any,
    stores: Flags,
    owner: Numbers,
    region: Small,
    first: Any,
    points: int,
    regions: int,
) -> Any:
    """Count the transactions of a wave (``TouchCounts``).

    ``point`` is that of each access, and ``stores`` whether it does nothing but store. All else is
    of transactions: ``first`` is what each is the first of (TOUCHED, STORED).
    """
    of_both, begins = np.zeros((points, regions), np.int64), np.zeros(point.size, np.bool_)
    written, begun = np.zeros(points, np.int64), np.zeros(points, np.int64)
    region_first, region_read = np.zeros(regions, np.int64), np.zeros(regions, np.int64)
    put_touches(point, stores, owner, region, first, of_both, begins, written, begun, region_first,
                region_read)  # fmt: skip
    beginning = np.bincount(point[begins], minlength=points)
    touched, region_of = of_both.sum(axis=1), of_both.argmax(axis=1)
    return touched, written, begun, beginning, region_of, region_first, region_read


@partial(jit, arrays=False)
def put_touches(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    point: Any,
    stores: Any,
    owner: Any,
    region: Any,
    first: Any,
    of_both: Any,
    begins: Any,
    written: Any,
    begun: Any,
    region_first: Any,
    region_read: Any,
) -> None:
    """Count by point and region, and tell which accesses are the first to read a sector."""
    for k in range(owner.size):
        access = owner[k]
        at, where = point[access], region[k]
        of_both[at, where] += 1
        if first[k] == 0:
            continue
        if first[k] & 2:
            written[at] += 1
        if first[k] & 1:
            region_first[where] += 1
            if not stores[access]:
                region_read[where] += 1
                begun[at] += 1
                begins[access] = True


_WHOLE = 255
"""All eighths of a sector."""


def count_misses(
    point: Any,
    stores: Flags,
    found: Ordered,
    looked_at: Numbers,
    hits: Flags,
    late: Flags,
    points: int,
    *,
    fetches: bool,
) -> Any:
    """Count what L2 does not have (``MissCounts``), of the transactions ``found`` at some places.

    ``hits`` tells which of these hit, ``late`` the accesses that wait for what is under way; stores
    to parts of sectors may have them read at once (``fetches``). All else is as ``count_touches``
    has it.
    """
    missed, filled = np.zeros(points, np.int64), np.zeros(points, np.int64)
    asked, waits = np.zeros(point.size, np.bool_), np.zeros(point.size, np.bool_)
    owner, rows = found.owner, 0
    if (stores[owner] & ~found.whole).any():
        rows = 1 << (2 * looked_at.size).bit_length()
    table = np.tile(np.array([-1, 0, _WHOLE]), (rows, 1))
    of_transactions = owner, found.granule, found.parts
    counts = missed, filled, asked, waits
    put_misses(point, stores, *of_transactions, looked_at, hits, table, fetches, *counts)
    if late.size:
        waits |= late
    asked_at, waiting = (np.bincount(point[which], minlength=points) for which in (asked, waits))
    return missed, filled, asked_at, waiting


@partial(jit, arrays=False)
def put_misses(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    point: Any,
    stores: Any,
    owner: Any,
    granule: Any,
    parts: Any,
    looked_at: Any,
    hits: Any,
    table: Any,
    fetches: Any,
    missed: Any,
    filled: Any,
    asked: Any,
    waits: Any,
) -> None:
    """Count by point, and tell which accesses ask L2 and which wait for DRAM.

    L2 takes stores to parts of a sector, and reads the rest at once where it ``fetches``, else
    where something loads the sector, or where it has to go without all of it having been stored
    to. ``table`` has of sectors the number, the access that brought it in, and the eighths that
    are known; no rows where all stores are to whole sectors.
    """
    mask = table.shape[0] - 1
    for n in range(looked_at.size):
        k = looked_at[n]
        access = owner[k]
        asked[access] = True
        reads = not stores[access]
        misses = not hits[n]
        if mask >= 0:
            place = (granule[k] * 0x9E3779B1 >> 8) & mask
            while table[place, 0] >= 0 and table[place, 0] != granule[k]:
                place = (place + 1) & mask
            table[place, 0] = granule[k]
            if misses:
                filled[point[table[place, 1]]] += table[place, 2] != _WHOLE
                table[place, 1], table[place, 2] = access, 0
                if fetches and not reads and parts[k] != _WHOLE:
                    filled[point[access]] += 1
                    table[place, 2] = _WHOLE
            misses |= table[place, 2] != _WHOLE
            table[place, 2] |= _WHOLE if reads else parts[k]
        if misses and reads:
            missed[point[access]] += 1
            waits[access] = True
    for place in range(table.shape[0]):
        filled[point[table[place, 1]]] += table[place, 2] != _WHOLE


# The sectors of a wave, and what of them no cache decides.

MOST_TOUCHED = 1_000_000
"""Transactions of a wave that are looked at; of more, those of the first CTAs are."""

MOST_TRANSACTIONS = 100_000
"""Transactions that go through the model of L2; of more, those of some sets stand for all."""

LOCAL_MEMORY, ELSEWHERE = "local memory", "unknown"
"""Regions of the threads' own memory, and of addresses that lie in no buffer."""

_BUCKETS = 4096
"""Buckets that sectors are counted in: the one with the most has the sector stored to most."""


def off_chip_rules(rules: StreamRules) -> StreamRules:
    """Those of a machine's rules that decide what leaves an SM; all others are the same."""
    return StreamRules(
        sector_bytes=rules.sector_bytes,
        lanes_per_group=rules.lanes_per_group,
        tex_line_bytes=rules.tex_line_bytes,
    )


class MemoryRegions:
    """Regions of memory by number: those of the layout in order, local memory, what has none.

    ``sizes`` are bytes of the sectors that they lie in; 0 of the last two.
    """

    def __init__(self, layout: LaunchLayout, sector_bytes: int) -> None:
        self._sector = sector_bytes
        own = sorted((r for r in layout.regions if r.size_bytes), key=lambda r: r.start)
        self.names = (*(r.name for r in own), LOCAL_MEMORY, ELSEWHERE)
        self._starts = np.array([r.start for r in own], np.int64)
        self._ends = np.array([r.start + r.size_bytes for r in own], np.int64)
        sectors = -(-self._ends // self._sector) - self._starts // self._sector
        self.sizes = np.append(sectors * self._sector, [0, 0])

    def of(self, sectors: Numbers) -> Small:
        """The number of the region that each sector lies in."""
        return regions_of(sectors, self._sector, self._starts, self._ends, OWN_WINDOW)

    @property
    def starts(self) -> tuple[tuple[str, int], ...]:
        """Name and address of each region of the layout, in order."""
        return tuple(zip(self.names, self._starts.tolist(), strict=False))

    def split(self, sectors: Numbers) -> list[Numbers]:
        """The sectors of each region of the layout, in the order in which they are given."""
        own = self.of(sectors)
        return [sectors[own == number] for number in range(len(self._starts))]


class RowsOpened(NamedTuple):
    """Rows of DRAM banks that are opened for each sector that is read, and that is written."""

    read: float
    written: float


def _rows_opened(sectors: Numbers, sizes: Sequence[int]) -> float:
    """Rows that are opened for each of some sectors; ``sizes`` as ``rows_of_banks`` has them."""
    if not len(sectors):
        return 0.0
    return float(first_touches(rows_of_banks(sectors, *sizes)).sum()) / len(sectors)


class WaveSectors:
    """The sectors that a wave touches beyond its SMs, in the order in which its warps do.

    Of a wave that has too many those of its first CTAs are looked at. ``in_step``: its CTAs begin
    together and do all at once; else CTAs drift apart.
    """

    def __init__(
        self, transactions: Transactions, layout: LaunchLayout, *, in_step: bool = False
    ) -> None:
        self.transactions = transactions
        self._in_step = in_step
        self.regions = MemoryRegions(layout, transactions.events.rules.sector_bytes)
        self._sets: dict[tuple[int, int], tuple[Numbers, Numbers]] = {}
        self._rows: dict[tuple[int, ...], RowsOpened] = {}

    @property
    def points(self) -> int:
        """Points of the kernel at which memory is accessed."""
        return len(self.transactions.events.batch.tables.points)

    @cached_property
    def touched(self) -> int:
        """How many transactions of the wave may leave the SMs."""
        return int(self.transactions.count[self._off_chip].sum())

    @cached_property
    def ctas_looked_at(self) -> int:
        """How many of the wave's CTAs go through L2: the first ones where there are too many."""
        ctas = self._ctas
        return ctas if self.touched <= MOST_TOUCHED else max(1, ctas * MOST_TOUCHED // self.touched)

    def looked_at(self, share: float) -> float:
        """The part of all CTAs that is looked at, of a wave that is this ``share`` of them."""
        is_whole = self.ctas_looked_at == self._ctas
        return share if is_whole else share * self.ctas_looked_at / self._ctas

    @property
    def warps_per_cta(self) -> int:
        """Warps of a CTA."""
        return self.transactions.events.batch.tables.warps_per_cta

    @property
    def _ctas(self) -> int:
        warps = len(self.transactions.streams.warp_events) - 1
        return warps // self.transactions.events.batch.tables.warps_per_cta

    @cached_property
    def _off_chip(self) -> Flags:
        return self.transactions.of_way(*OFF_CHIP)

    @cached_property
    def _chosen(self) -> Flags:
        """The accesses of the CTAs that are looked at."""
        wave = self.transactions
        if self.ctas_looked_at == self._ctas:
            return np.ones(len(wave.point), np.bool_)
        return wave.warp < self.ctas_looked_at * wave.events.batch.tables.warps_per_cta

    @cached_property
    def accesses(self) -> Numbers:
        """Accesses of warps at each point."""
        return np.bincount(self.transactions.point[self._chosen], minlength=self.points)

    @cached_property
    def sectors(self) -> Ordered:
        """The transactions that are looked at."""
        return self.transactions.sectors(self._off_chip & self._chosen)

    @cached_property
    def every_sector(self) -> Numbers:
        """Sectors of all transactions."""
        whole = self.ctas_looked_at == self._ctas
        return (self.sectors if whole else self.transactions.sectors(self._off_chip)).granule

    @cached_property
    def stores(self) -> Flags:
        """Accesses that do nothing but store."""
        return np.asarray(self.transactions.kind == STORE)

    @cached_property
    def first(self) -> npt.NDArray[np.uint8]:
        """What each transaction is the first of, for its sector: TOUCHED, STORED, READ."""
        asked = self.sectors
        found, met = np.empty((2, len(asked.granule)), np.uint8)
        put_first(asked.previous, asked.owner, self.transactions.kind, asked.whole, met, found)
        return found

    @cached_property
    def begun_in_part(self) -> Numbers:
        """Sectors by point that a store to a part of them is the first to touch."""
        begun = self.first == (TOUCHED | STORED | READ)
        owner = self.sectors.owner[begun]
        point = self.transactions.point[owner[self.stores[owner]]]
        return np.bincount(point, minlength=self.points)

    def turns_behind(self, missed: Flags, which: Numbers | None = None) -> Numbers:
        """Turns that accesses come after others that asked DRAM for the same (``turns_behind``).

        ``missed`` are the transactions that are asked for there, of all or of ``which``.
        """
        wave, asked = self.transactions, self.sectors
        together = np.zeros_like(wave.cta) if self._in_step else wave.cta
        of_accesses = self.stores, asked.owner, wave.turn, wave.step, together
        return turns_behind(asked.previous, missed, *of_accesses, which)

    def beginning(self, turns: int) -> Numbers:
        """Accesses by point that are the first to touch a sector, or come while it is under way."""
        begins = self._behind_first <= turns
        return np.bincount(self.transactions.point[begins], minlength=self.points)

    @cached_property
    def _behind_first(self) -> Numbers:
        """Turns that accesses come after the first ones to touch their sectors; 0 of these."""
        first = self.first & TOUCHED != 0
        behind = self.turns_behind(first)
        begins = self.sectors.owner[first]
        behind[begins[~self.stores[begins]]] = 0
        return behind

    @property
    def touched_sectors(self) -> Numbers:
        """Sectors that are touched, each once."""
        return np.asarray(self.sectors.granule[self.first & TOUCHED != 0])

    @cached_property
    def read_sectors(self) -> Numbers:
        """Sectors that may be read, each once."""
        return np.asarray(self.sectors.granule[self.first & READ != 0])

    @cached_property
    def stored_sectors(self) -> Numbers:
        """Sectors that are stored to, each once."""
        return np.asarray(self.sectors.granule[self.first & STORED != 0])

    @cached_property
    def counts(self) -> TouchCounts:
        """Transactions by point and region."""
        wave, found, names = self.transactions, self.sectors, self.regions.names
        region = self.regions.of(found.granule)
        of_sectors = found.owner, region, self.first
        return TouchCounts(
            *count_touches(wave.point, self.stores, *of_sectors, self.points, len(names))
        )

    def after(
        self, before: WaveSectors | None, per_line: int, every: int
    ) -> tuple[Numbers, Numbers]:
        """The sectors of some sets that come through L2, with their places (``some_sets``).

        Those of a wave before come first.
        """
        own, key = self.sectors.granule, (per_line, every)
        if before is not None:  # there are two waves: on most machines they are others
            return some_sets(np.concatenate([before.every_sector, own]), *key)
        if key not in self._sets:
            self._sets[key] = some_sets(own, *key)
        return self._sets[key]

    def rows_opened(self, machine: Machine) -> RowsOpened:
        """Count the rows of DRAM banks that are opened for each sector that comes in order.

        Neighbouring pieces of memory are in different channels, and a row holds what comes to its
        channel of a range as long as all channels' rows. FR-FCFS serves what waits in its queues
        row by row: a row is opened once for the requests that wait at a time. FCFS looks at one of
        each.
        """
        both = self.read_sectors, self.stored_sectors
        if not any(map(len, both)):
            return RowsOpened(0.0, 0.0)
        keys = ("l2.interleave_bytes", "dram.channels", "dram.page_bytes")
        queue = machine.integer("dram.queue") if machine.text("dram.scheduler") == "FR-FCFS" else 1
        waiting = queue * machine.integer("dram.channels")
        sizes = l1_sector_bytes(machine), *(machine.integer(key) for key in keys), waiting
        if sizes not in self._rows:
            self._rows[sizes] = RowsOpened(*(_rows_opened(sectors, sizes) for sectors in both))
        return self._rows[sizes]

    def fresh(self, before: WaveSectors) -> Numbers:
        """Sectors by region that are read first, and that the wave before does not touch."""
        past, own = before.every_sector, self.sectors
        new = first_touches(np.concatenate([past, own.granule]))[len(past) :]
        found = own.granule[new & ~self.stores[own.owner]]
        return np.bincount(self.regions.of(found), minlength=len(self.regions.names))

    @cached_property
    def hottest_stores(self) -> int:
        """How often the sector is stored to that is stored to most often."""
        found = self.sectors
        stored = found.granule[self.stores[found.owner]]
        if not len(stored):
            return 0
        buckets = stored & (_BUCKETS - 1)
        fullest = np.argmax(np.bincount(buckets, minlength=_BUCKETS))
        return int(np.unique(stored[buckets == fullest], return_counts=True)[1].max())

    @cached_property
    def _atomics(self) -> tuple[Ordered, Floats]:
        """Transactions of atomics, and how many lanes of each take turns."""
        wave = self.transactions
        found = wave.ordered((wave.kind == ATOMIC) & wave.of_way(MEMORY))
        return found, np.where(wave.as_one[found.owner], 1, found.lanes).astype(np.float64)

    def atomics(self, machine: Machine) -> tuple[float, float]:
        """Count the lanes of atomics, and those of the slice of L2 that takes most of them.

        A slice takes one lane after another; neighbouring lines are in different slices.
        """
        found, lanes = self._atomics
        if not len(found.granule):
            return 0.0, 0.0
        slices = max(1, machine.integer("l2.slices"))
        per_line = max(1, machine.integer("l2.line_bytes") // l1_sector_bytes(machine))
        slice_ = found.granule // per_line % slices
        return float(lanes.sum()), float(np.bincount(slice_, lanes).max())


# What a wave finds in L2, which all SMs share, and what it moves to and from DRAM.


@dataclass(frozen=True, eq=False)
class WaveTraffic:
    """Traffic of a wave, by point of the kernel and by region of memory.

    ``accesses`` are warps' accesses at each point; ``misses`` the sectors that they read from
    DRAM, ``writes`` those that they write there for the first time in the wave, ``sectors`` all
    that they touch: arrays (points,). ``waiting`` are accesses that DRAM has a part of: misses come
    by whole accesses as a rule. ``begun`` are sectors that a load or an atomic is the first in the
    wave to touch, ``beginning`` the accesses that have such. ``region_touched`` has the sectors of
    each region that are touched, ``region_read`` those of them that are read first;
    ``region_of`` is the region that most accesses of a point are to. ``rows`` are rows of DRAM
    banks that are opened for each sector. ``fills`` are
    sectors that stores to a part of them read from DRAM. ``atomic_lanes`` are the lanes of
    atomics, ``hottest_lanes`` those of them that the busiest slice takes, ``hottest_stores`` the
    stores to the sector that is stored to most often.
    """

    accesses: Numbers
    sectors: Floats
    misses: Floats
    waiting: Floats
    begun: Floats
    beginning: Floats
    fills: Floats
    writes: Floats
    rows: RowsOpened
    regions: tuple[str, ...]
    region_touched: Floats
    region_read: Floats
    region_of: Numbers
    atomic_lanes: float
    hottest_lanes: float
    hottest_stores: int

    def left_by(self, left: Floats) -> WaveTraffic:
        """The traffic where others fetch a part of it: ``left``, by point, is not theirs."""
        return replace(
            self,
            misses=self.misses * left,
            waiting=self.waiting * left,
            begun=self.begun * left,
            beginning=self.beginning * left,
        )


def wave_traffic(
    wave: WaveSectors,
    before: WaveSectors | None,
    machine: Machine,
    share: float = 1.0,
    turns: int = 0,
    *,
    is_asked: bool = True,
) -> WaveTraffic:
    """Send a wave through L2; ``before`` has gone through it already, where there is one.

    ``share`` is the part of the wave's CTAs that is given, which has that part of the cache. What
    is asked for is under way from DRAM for so many ``turns`` of accesses. What misses and waits
    is not looked for where L2 is not ``is_asked``.
    """
    looked_for = _missed if is_asked else _none_missed
    counts, (found, weight) = wave.counts, looked_for(wave, before, machine, share, turns)
    return WaveTraffic(
        wave.accesses,
        counts.touched.astype(np.float64),
        _misses(wave, before, found, weight),
        found.waiting / np.maximum(found.looked_at, 1) * wave.accesses,
        counts.begun.astype(np.float64),
        wave.beginning(turns).astype(np.float64),
        np.asarray(found.filled * weight, np.float64),
        counts.written.astype(np.float64),
        wave.rows_opened(machine),
        wave.regions.names,
        counts.region_first.astype(np.float64),
        counts.region_read.astype(np.float64),
        counts.region_of,
        *wave.atomics(machine),
        wave.hottest_stores,
    )


def _none_missed(
    wave: WaveSectors, _before: WaveSectors | None, machine: Machine, _share: float, _turns: int
) -> tuple[MissCounts, float]:
    """The counts of a cache that is not asked; it is of the machine nevertheless."""
    l2_spec(machine)
    nothing = np.zeros(wave.points, np.int64)
    return MissCounts(nothing, nothing, nothing, nothing), 1.0


def lines_touched(wave: WaveSectors, machine: Machine) -> int:
    """How many lines of L2 a wave touches; 0 where there is no L2."""
    spec = l2_spec(machine)
    if spec is None:
        return 0
    return len(np.unique(wave.touched_sectors // (spec.line_bytes // spec.granule_bytes)))


def misses_alone(wave: WaveSectors, machine: Machine) -> Floats:
    """Sectors that a wave reads from DRAM where it has all of L2, by point of the kernel.

    Where there is room for all its lines, these are the first touches, and no set stands for
    others.
    """
    spec = l2_spec(machine)
    if spec is not None and lines_touched(wave, machine) <= spec.lines:
        return np.asarray(wave.counts.begun, np.float64)
    return _misses(wave, None, *_missed(wave, None, machine, 1.0))


def _misses(
    wave: WaveSectors, before: WaveSectors | None, found: MissCounts, weight: float
) -> Floats:
    missed = found.missed * weight
    if before is None:  # a first touch misses, also of lines whose sets do not stand for all
        missed = np.maximum(missed, wave.counts.begun)
    return np.asarray(missed, np.float64)


def _missed(
    wave: WaveSectors,
    before: WaveSectors | None,
    machine: Machine,
    share: float,
    turns: int | None = None,
) -> tuple[MissCounts, float]:
    """What L2 does not have of the sampled transactions; and how many each of them stands for.

    Without ``turns`` only what misses is counted as waiting.
    """
    own, spec = wave.sectors, l2_spec(machine)
    past = 0 if before is None else len(before.every_sector)
    whole, weight = past + len(own.granule), 1.0
    if spec is None:
        kept = np.arange(past, whole)
        hits = np.zeros(len(kept), np.bool_)
    else:
        per_line = spec.line_bytes // spec.granule_bytes
        every = max(1, min(-(-whole // MOST_TRANSACTIONS), spec.sets))
        stream, kept = wave.after(before, per_line, every)
        sets = max(1, round(spec.sets * wave.looked_at(share) / every))
        hits = lru_hits(stream, spec.ways, sets, per_line)
        weight = 1.0 / (len(kept) / whole) if len(kept) else 1.0
        first = int(np.searchsorted(kept, past))
        kept, hits = kept[first:], hits[first:]
    kept = kept - past
    late = np.zeros(0, np.bool_)
    if turns is not None:
        late = wave.turns_behind(~hits, kept) <= turns
    found = wave.transactions.point, wave.stores, own, kept, hits, late, wave.points
    return MissCounts(*count_misses(*found, fetches=fetches_on_write(machine))), weight


def left_in_l2(wave: WaveSectors, machine: Machine) -> float:
    """Share of the sectors stored to that L2 still has at the end of a wave that has all of it."""
    spec = l2_spec(machine)
    own = wave.sectors.granule
    if spec is None or not len(wave.stored_sectors):
        return 0.0
    per_line = spec.line_bytes // spec.granule_bytes
    every = max(1, min(-(-len(own) // MOST_TRANSACTIONS), spec.sets))
    stream, _ = wave.after(None, per_line, every)
    stored, _ = some_sets(wave.stored_sectors, per_line, every)
    sets = max(1, round(spec.sets / every))
    lines = stream // per_line
    distinct = lines[first_touches(lines)]
    if np.bincount(distinct % sets).max(initial=0) <= spec.ways:  # all have room
        return float(len(stored) > 0)
    # Looked up from the line that was used last: one that has gone takes the place of none that
    # has not.
    lines, last = np.unique(lines[::-1], return_index=True)
    stored = stored[np.argsort(last[np.searchsorted(lines, stored // per_line)], kind="stable")]
    looked_up = np.concatenate([stream, stored])
    hits = lru_hits(looked_up, spec.ways, sets, per_line)
    return float(hits[len(stream) :].mean()) if len(stored) else 0.0
