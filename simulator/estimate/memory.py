"""Traffic of a launch between L2 and DRAM, worked out by the wave and scaled to the launch.

The accesses of all CTAs that run at once go through L2 in step, after those of the wave before
where there is one: an LRU cache by stack distances, with the machine's sets and ways (hybrid
paper, §III-B-3). Long waves are shortened, and of many sets some stand for all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.traces.event_batch import EventBatch
from warpmill.analyzer.traces.layout import LaunchLayout
from warpmill.simulator.estimate.kernel import EstimateSubject
from warpmill.simulator.estimate.transactions import (
    ATOMIC,
    LOAD,
    OWN_WINDOW,
    STORE,
    Tally,
    Transactions,
    regions_of,
    rows_of_banks,
    some_sets,
    tally,
)
from warpmill.simulator.estimate.waves import Round, Rounds, Waves
from warpmill.simulator.gpu.shapes import LOCAL, MEMORY, TEXTURE
from warpmill.simulator.gpu.streams import StreamRules
from warpmill.simulator.machines.model import Machine, capability_of, l1_sector_bytes
from warpmill.simulator.memory.cache import l2_spec
from warpmill.simulator.memory.stack_distance import first_touches, first_touches_of, lru_hits

# What a wave finds in L2, which all SMs share, and what it moves to and from DRAM.

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
    """Traffic of a wave, by point of the kernel and by region of memory.

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
    named = MemoryRegions(layout, machine)
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

    Neighbouring pieces of memory are in different channels, and a row holds what comes to its
    channel of a range as long as all channels' rows.
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
    """How many CTAs of a wave go through L2: the first ones where there are too many."""
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
    """Hits, the sampled transactions, and how many each of them stands for."""
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


class MemoryRegions:
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
        """The number of the region that each sector lies in."""
        return regions_of(sectors, self._sector, self._starts, self._ends, OWN_WINDOW)


# The launch: what its waves move, scaled.

MOST_WAVE_CTAS = 2048
"""CTAs of a wave whose accesses go through the model of L2; of larger waves the first ones do."""

MOST_BEGUN_CTAS = 512
"""CTAs of a wave whose beginnings are executed, to see what they share."""

MOST_EXECUTED_EVENTS = 60_000
"""Events of a wave that are executed for it, about; of longer ones fewer CTAs are."""

MOST_EXECUTED_WORDS = 6 * MOST_EXECUTED_EVENTS
"""Words that the beginnings of all CTAs of a wave may take, about: two for a block and for an
access whose lanes lie as those of the last one there."""

MOST_WAVE_ACCESSES = 200_000
"""Accesses of a wave that do, about; where it has more, loops are cut short."""


class DramBytes(NamedTuple):
    """Bytes that loads and atomics read from DRAM, and all that go from and to it, by region."""

    missed: Floats
    moved: Floats


@dataclass(frozen=True, eq=False)
class Dram:
    """Sectors that each access of a warp moves from and to DRAM, by point of the kernel.

    ``waits`` is the share of the accesses that wait for what they read there.
    ``region_of`` has the region of each point, by number among ``regions``; ``footprint`` the bytes
    of each region that the launch touches, ``first_read`` those that the wave which was looked at
    reads before it writes them: the launch reads no fewer. ``of_a_cta`` are the sectors of each
    region that a CTA reads from DRAM in the mean. ``whole`` is the traffic of the launch where the
    wave is all of it and was looked at whole; None elsewhere.
    ``efficiency`` is what is left of DRAM's rate where it is read and written. ``atomic_cycles`` is
    how long the lane of an atomic holds what all SMs share of the atomic units.
    """

    reads: Floats
    waits: Floats
    writes: Floats
    efficiency: float
    regions: tuple[str, ...]
    region_of: npt.NDArray[np.int64]
    footprint: Floats
    first_read: Floats
    of_a_cta: Floats
    whole: DramBytes | None
    atomic_cycles: float


def dram_traffic(
    subject: EstimateSubject,
    rounds: Rounds,
    waves: Waves,
    machine: Machine,
    rules: StreamRules,
    *,
    middle: int,
    warm: bool,
) -> Dram:
    """Send a wave of the launch through L2, the ``middle`` one, and tell what comes from DRAM.

    ``warm``: L2 holds at the beginning what an equal launch before has left there.
    """
    wave, before, factor = _waves(rounds, waves, subject, middle)
    transactions = _Transactions(subject, rules, capability_of(machine))
    own = transactions.of(wave, factor)
    if _is_cut(subject) and touched_sectors(own) > MOST_TOUCHED:
        before, factor = None, factor * MOST_TOUCHED / touched_sectors(own)
        own = transactions.of(wave, factor)
    looked_at = ctas_looked_at(own)
    share = looked_at / min(waves.size, waves.ctas)
    sharing = _sharing(looked_at, rounds, waves, middle, subject, machine, transactions)
    if sharing is not None:  # what others fetch as well takes less of L2 for each CTA
        share = min(1.0, share / max(share, sharing.whole))
    traffic = wave_traffic(
        own,
        None if before is None else transactions.of(before),
        machine,
        subject.source.layout,
        share * wave.size / looked_at,
    )
    if sharing is not None:
        missed = float(traffic.misses.sum())
        named = ("misses", "waiting", "begun", "beginning")
        shared = {name: getattr(traffic, name) * sharing.left for name in named}
        left = float(shared["misses"].sum()) / max(1.0, missed)
        traffic = replace(traffic, pages=traffic.pages * left, **shared)
    sector = float(l1_sector_bytes(machine))
    size = machine.number("l2.size_bytes")
    every = waves.ctas / looked_at
    times = times_of(wave, own.events.batch)
    per_access = np.maximum(traffic.accesses, 1)
    reads, writes = traffic.misses / per_access, traffic.writes / per_access
    waits = traffic.waiting / per_access
    fills = traffic.fills / per_access if fills_parts(machine) else np.zeros_like(writes)
    moved = traffic.accesses * times
    read = None
    touched = _touched(subject, machine, traffic, times, every * sector)
    whole = float(touched.sum())
    if whole <= size:  # what comes from DRAM at all comes once
        writes, fills = writes * 0.0, fills * (0.0 if warm else 1.0)
        reads, waits = traffic.begun / per_access, traffic.beginning / per_access
        most = np.zeros_like(touched) if warm else touched * _read_share(traffic)
        read = np.minimum(most, traffic.region_read * sector)
        launch_reads = _by_region(reads * moved, traffic) * every * sector
        kept = np.minimum(1.0, most / np.maximum(launch_reads, 1.0))
        reads, waits = (each * kept[traffic.region_of] for each in (reads, waits))
    else:
        writes = writes * (1.0 - size / whole)
    is_whole = looked_at == waves.ctas
    is_exact = is_whole and read is not None
    first = traffic.region_read if is_exact else _by_region(traffic.begun, traffic)
    if read is None:
        read = _by_region(reads * moved, traffic) * sector
    also = _by_region((writes + fills) * moved, traffic) * sector
    return Dram(
        reads,
        waits,
        writes + fills,
        _efficiency(float((reads + fills) @ moved), float(writes @ moved), machine)
        * _open_rows(traffic, machine),
        traffic.regions,
        traffic.region_of,
        touched,
        first * (0.0 if warm else sector),
        _by_region(reads * moved, traffic) / looked_at,
        DramBytes(read, read + also) if is_whole else None,
        _atomic_cycles(traffic, machine),
    )


def fills_parts(machine: Machine) -> bool:
    """Whether a store to a part of a sector has the sector read from DRAM.

    Memory that corrects errors, and GDDR, whose bursts carry a checksum, takes whole sectors; plain
    HBM takes single bytes.
    """
    return not machine.text("dram.type").startswith("HBM")


def _efficiency(reads: float, writes: float, machine: Machine) -> float:
    """The share of DRAM's rate that is left where reads and writes take turns."""
    share = writes / (reads + writes) if writes else 0.0
    lost = 1.0 - float(machine.number("dram.mixed_efficiency"))  # of as many reads as writes
    return 1.0 - lost * 4.0 * share * (1.0 - share)


def _open_rows(traffic: WaveTraffic, machine: Machine) -> float:
    """The share of DRAM's rate that is left where rows take longer to open than to read.

    A channel opens a row every dram.timing.rrd, and a bank one every dram.timing.rc.
    """
    sectors = float((traffic.misses + traffic.fills + traffic.writes).sum())
    if not sectors or not traffic.pages:
        return 1.0

    def number(key: str) -> float:
        return float(machine.number(key))

    data_us = sectors * l1_sector_bytes(machine) / number("dram.measured_gbs") / 1e3
    clocks = max(number("dram.timing.rrd"), number("dram.timing.rc") / number("dram.banks"))
    rows_us = traffic.pages * clocks / number("clock.mem_mhz") / number("dram.channels")
    return min(1.0, data_us / rows_us) if rows_us else 1.0


def _waves(
    rounds: Rounds, waves: Waves, subject: EstimateSubject, middle: int
) -> tuple[Round, Round | None, float]:
    """A wave in the middle, the one before, and to which share loops are cut.

    Loops that are cut short touch less than whole ones, so that what the wave before has left in
    L2 would be found there too often: then it is left out. Executed traces are not cut: they have
    no loops that could be, and their ends would be missing.
    """
    most = MOST_WAVE_CTAS
    if not _is_cut(subject):
        one = rounds.of(waves.of_sm(middle, min(waves.per_sm, waves.most_per_sm)))
        each = sum(one.executions.values()) / one.size
        most = max(one.size, min(most, int(MOST_EXECUTED_EVENTS / max(1.0, each))))
    wave = rounds.of(waves.of_wave(middle, most))
    accesses = sum(n * wave.executions.get(b, 0) for b, n in subject.facts.off_chip.items())
    factor = min(1.0, MOST_WAVE_ACCESSES / max(1, accesses)) if _is_cut(subject) else 1.0
    before = None
    if middle > 0 and factor == 1.0:
        before = rounds.of(waves.of_wave(middle - 1, most))
    return wave, before, factor


def _is_cut(subject: EstimateSubject) -> bool:
    """Whether long waves have their loops cut short."""
    return subject.source.kind != "executed"


@dataclass(frozen=True)
class _Transactions:
    """Transactions of rounds that may leave the SMs."""

    subject: EstimateSubject
    rules: StreamRules
    capability: int | None

    def of(self, one: Round, factor: float = 1.0) -> Transactions:
        """Transactions of a round."""
        facts = self.subject.facts
        gone = facts.on_chip.union(facts.in_registers(self.capability))
        events = one.events(self.rules, factor, frozenset(facts.off_chip), gone)
        return Transactions(events, self.subject.kernel, one.size, self.subject.facts.aggregated)


@dataclass(frozen=True, eq=False)
class _Sharing:
    """Shares that CTAs leave for others of their wave to fetch, 0 to 1: by point, and of all."""

    left: Floats
    whole: float


def _sharing(
    looked_at: int,
    rounds: Rounds,
    waves: Waves,
    middle: int,
    subject: EstimateSubject,
    machine: Machine,
    transactions: _Transactions,
) -> _Sharing | None:
    """Sharing of data through L2 with a wave's CTAs that are not looked at.

    It is what the beginnings of all miss in a whole L2 beside what those of the few miss. None
    where all are looked at, or beginnings cannot be told.
    """
    ctas = waves.of_wave(middle, MOST_BEGUN_CTAS)
    if _is_cut(subject) or looked_at >= len(ctas):
        return None
    words = max(1, MOST_EXECUTED_WORDS // len(ctas))
    found = []
    for own in (ctas, ctas[:looked_at]):
        begun = rounds.beginnings(own, words)
        if begun is None:
            return None
        one = wave_traffic(transactions.of(begun), None, machine, subject.source.layout)
        found.append((one.misses, np.maximum(one.accesses, 1)))
    (beside, accesses), (alone, own_accesses) = found
    rate, own_rate = beside / accesses, alone / own_accesses
    left = np.minimum(1.0, np.divide(rate, own_rate, out=np.ones_like(rate), where=own_rate > 0))
    whole = float(left @ alone) / max(1e-9, float(alone.sum())) if alone.any() else 1.0
    return _Sharing(left, whole)


def times_of(one: Round, batch: EventBatch) -> Floats:
    """Executions of a point's block in a round for each event of it that is left."""
    left = np.bincount(batch.block, minlength=max(one.executions, default=0) + 1)
    blocks = np.array([p.block for p in batch.tables.points], np.int64)
    whole = np.array([one.executions.get(block, 0) for block in blocks.tolist()], np.float64)
    there = np.append(left, 0)[np.minimum(blocks, len(left))]
    return np.asarray(np.divide(whole, there, out=np.zeros_like(whole), where=there > 0))


def _by_region(sectors: Floats, traffic: WaveTraffic) -> Floats:
    return np.asarray(np.bincount(traffic.region_of, sectors, minlength=len(traffic.regions)))


def _read_share(traffic: WaveTraffic) -> Floats:
    """Share of the sectors touched that are read before they are written, by region."""
    return np.asarray(traffic.region_read / np.maximum(traffic.region_touched, 1.0))


def _touched(
    subject: EstimateSubject, machine: Machine, traffic: WaveTraffic, times: Floats, scale: float
) -> Floats:
    """The bytes of each region that the launch touches: at most the region.

    What is left of loops that were cut short touches as much less as it is less.
    """
    sizes = MemoryRegions(subject.source.layout, machine).sizes.astype(np.float64)
    left = np.maximum(_by_region(traffic.sectors, traffic), 1.0)
    whole = np.maximum(_by_region(traffic.sectors * times, traffic), left)
    grown = traffic.region_touched * scale * whole / left
    return np.where(sizes > 0, np.minimum(grown, sizes), grown)


def _atomic_cycles(traffic: WaveTraffic, machine: Machine) -> float:
    """The cycles that a lane takes of what all SMs share: the busiest slice sets the pace."""
    if not traffic.atomic_lanes:
        return 0.0
    each = float(machine.number("l2.atomic_cycles"))
    return each * traffic.hottest_lanes / traffic.atomic_lanes
