"""What a wave of CTAs finds in L2, which all SMs share, and what it moves to and from DRAM.

The accesses of all CTAs that run at once go through L2 in step, after those of the wave before
where there is one: an LRU cache by stack distances, with the machine's sets and ways (hybrid
paper, §III-B-3). Long waves are shortened, and of many sets some stand for all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.traces.layout import LaunchLayout
from warpmill.simulator.estimate.passes import Tally, regions_of, rows_of_banks, some_sets, tally
from warpmill.simulator.estimate.transactions import ATOMIC, LOAD, OWN_WINDOW, STORE, Transactions
from warpmill.simulator.gpu.shapes import LOCAL, MEMORY, TEXTURE
from warpmill.simulator.machines.memory import l1_sector_bytes
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.memory.of_machine import l2_spec
from warpmill.simulator.memory.stack_distance import first_touches, first_touches_of, lru_hits

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

MOST_TOUCHED = 1_000_000
"""Transactions of a wave that are looked at; of more, those of the first CTAs are."""

MOST_TRANSACTIONS = 100_000
"""Transactions that go through the model of L2; of more, those of some sets stand for all."""

LOCAL_MEMORY, ELSEWHERE = "local memory", "unknown"
"""Regions of the threads' own memory, and of addresses that lie in no buffer."""


@dataclass(frozen=True, eq=False)
class WaveTraffic:
    """What a wave does, by point of the kernel and by region of memory.

    ``accesses`` are warps' accesses at each point; ``misses`` the sectors that they read from
    DRAM, ``writes`` those that they write there for the first time in the wave, ``sectors`` all
    that they touch: arrays (points,). ``waiting`` are accesses that DRAM has a part of: misses come
    by whole accesses as a rule. ``begun`` are sectors that a load or an atomic is the first in the
    wave to touch, ``beginning`` the accesses that have such. ``region_touched`` has the sectors of
    each region that are touched, ``region_read`` those of them that are read first;
    ``region_of`` is the region that most accesses of a point are to. ``pages`` are
    rows of DRAM banks that are opened for all these: once to read and once to write what the wave
    touches of a row. ``fills`` are
    sectors that stores to a part of them read from DRAM. ``atomic_lanes`` are the lanes of
    atomics, ``hottest_lanes`` those of them that the busiest slice takes.
    """

    accesses: Numbers
    sectors: Floats
    misses: Floats
    waiting: Floats
    begun: Floats
    beginning: Floats
    fills: Floats
    writes: Floats
    pages: float
    regions: tuple[str, ...]
    region_touched: Floats
    region_read: Floats
    region_of: Numbers
    atomic_lanes: float
    hottest_lanes: float


def wave_traffic(
    wave: Transactions,
    before: Transactions | None,
    machine: Machine,
    layout: LaunchLayout,
    share: float = 1.0,
) -> WaveTraffic:
    """Send a wave through L2; ``before`` has gone through it already, where there is one.

    ``share`` is the part of the wave's CTAs that is given, which has that part of the cache.
    """
    named = Regions(layout, machine)
    points = len(wave.events.batch.tables.points)

    off_chip = wave.of_way(MEMORY, LOCAL, TEXTURE)
    some, share = _some(wave, off_chip, share)
    found = wave.sectors(off_chip & some)
    earlier = None if before is None else before.sectors(before.of_way(MEMORY, LOCAL, TEXTURE))
    past = np.zeros(0, np.int64) if earlier is None else earlier.granule
    granule = np.concatenate([past, found.granule])
    hits, kept, weight = _through(granule, machine, share)
    kind = wave.kind[found.owner]
    stored = kind != LOAD
    first, first_stored = first_touches_of(found.granule, stored)
    sums = Tally(
        *tally(
            wave.point,
            wave.kind == STORE,
            found.owner,
            named.of(found.granule),
            found.whole,
            kept[len(past) :],
            hits[len(past) :],
            first,
            first_stored,
            points,
            len(named.names),
        )
    )
    accesses = np.bincount(wave.point[some], minlength=points)
    missing = (sums.missed + sums.filled).sum() * weight / max(1, sums.readable)
    read = (kind != STORE) | ~found.whole
    missed = sums.missed * weight
    if before is None:  # a first touch misses, also of lines whose sets do not stand for all
        missed = np.maximum(missed, sums.begun)
    return WaveTraffic(
        accesses,
        sums.touched.astype(np.float64),
        np.asarray(missed, np.float64),
        sums.waiting / np.maximum(sums.looked_at, 1) * accesses,
        sums.begun.astype(np.float64),
        sums.beginning.astype(np.float64),
        np.asarray(sums.filled * weight, np.float64),
        sums.written.astype(np.float64),
        _pages(found.granule, read, missing, machine) + _pages(found.granule, stored, 1.0, machine),
        named.names,
        sums.region_first.astype(np.float64),
        sums.region_read.astype(np.float64),
        sums.region_of,
        *_atomics(wave, machine),
    )


def _pages(sectors: Numbers, chosen: Flags, share: float, machine: Machine) -> float:
    """Count the rows of DRAM banks that some sectors lie in, of which a share is moved.

    Neighbouring stretches of memory are in different channels, and a row holds what comes to its
    channel of a stretch as long as all channels' rows.
    """
    keys = ("l2.interleave_bytes", "dram.channels", "dram.page_bytes")
    sizes = (l1_sector_bytes(machine), *(machine.integer(key) for key in keys))
    rows = rows_of_banks(sectors, chosen, *sizes)
    return float(first_touches(rows).sum()) * min(1.0, share)


def _some(wave: Transactions, off_chip: Flags, share: float) -> tuple[Flags, float]:
    """Choose the accesses of the first CTAs where all have too many transactions."""
    ctas, kept = _ctas(wave), ctas_looked_at(wave)
    if kept == ctas:
        return np.ones(len(off_chip), np.bool_), share
    return wave.warp < kept * wave.events.batch.tables.warps_per_cta, share * kept / ctas


def ctas_looked_at(wave: Transactions) -> int:
    """Tell how many CTAs of a wave go through L2: the first ones where there are too many."""
    total, ctas = touched_sectors(wave), _ctas(wave)
    return ctas if total <= MOST_TOUCHED else max(1, ctas * MOST_TOUCHED // total)


def touched_sectors(wave: Transactions) -> int:
    """Count the transactions of a wave that may leave the SMs."""
    return int(wave.count[wave.of_way(MEMORY, LOCAL, TEXTURE)].sum())


def _ctas(wave: Transactions) -> int:
    return (len(wave.streams.warp_events) - 1) // wave.events.batch.tables.warps_per_cta


def _through(
    granule: Numbers, machine: Machine, share: float
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_], float]:
    """Tell what hits, which transactions were looked at, and how many each stands for."""
    spec = l2_spec(machine)
    if spec is None:
        return np.zeros(len(granule), np.bool_), np.ones(len(granule), np.bool_), 1.0
    per_line = spec.line_bytes // spec.granule_bytes
    every = max(1, min(-(-len(granule) // MOST_TRANSACTIONS), spec.sets))
    stream, kept = some_sets(granule, per_line, every)
    sets = max(1, round(spec.sets * share / every))
    hits = np.zeros(len(granule), np.bool_)
    hits[kept] = lru_hits(stream, spec.ways, sets, per_line)
    share = float(kept.mean()) if len(kept) else 1.0
    return hits, kept, 1.0 / share if share else 1.0


def _atomics(wave: Transactions, machine: Machine) -> tuple[float, float]:
    """Count the lanes of atomics, and those of the slice of L2 that takes most of them.

    A slice takes one lane after another; neighbouring lines are in different slices.
    """
    found = wave.ordered((wave.kind == ATOMIC) & wave.of_way(MEMORY))
    if not len(found.granule):
        return 0.0, 0.0
    lanes = np.where(wave.as_one[found.owner], 1, found.lanes).astype(np.float64)
    slices = max(1, machine.integer("l2.slices"))
    per_line = max(1, machine.integer("l2.line_bytes") // l1_sector_bytes(machine))
    slice_ = found.granule // per_line % slices
    return float(lanes.sum()), float(np.bincount(slice_, lanes).max())


class Regions:
    """Regions of memory by number: those of the layout in order, local memory, what has none.

    ``sizes`` are bytes of the sectors that they lie in; 0 of the last two.
    """

    def __init__(self, layout: LaunchLayout, machine: Machine) -> None:
        self._sector = l1_sector_bytes(machine)
        own = sorted((r for r in layout.regions if r.size_bytes), key=lambda r: r.start)
        self.names = (*(r.name for r in own), LOCAL_MEMORY, ELSEWHERE)
        self._starts = np.array([r.start for r in own], np.int64)
        self._ends = np.array([r.start + r.size_bytes for r in own], np.int64)
        sectors = -(-self._ends // self._sector) - self._starts // self._sector
        self.sizes = np.append(sectors * self._sector, [0, 0])

    def of(self, sectors: Numbers) -> Numbers:
        """Give the number of the region that each sector lies in."""
        return regions_of(sectors, self._sector, self._starts, self._ends, OWN_WINDOW)
