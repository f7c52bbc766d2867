"""Traffic of a launch between L2 and DRAM, worked out by the wave and scaled to the launch.

The accesses of all CTAs that run at once go through L2 in step, after those of the wave before
where there is one (``wave_traffic``). Long waves are shortened.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.traces.event_batch import EventBatch, Triple
from warpmill.simulator.assembler.program import MachineProgram
from warpmill.simulator.estimate.kernel import EstimateSubject
from warpmill.simulator.estimate.rounds import Round, Rounds
from warpmill.simulator.estimate.service import turns_under_way
from warpmill.simulator.estimate.transactions import Transactions
from warpmill.simulator.estimate.wave_traffic import (
    MOST_TOUCHED,
    RowsOpened,
    WaveSectors,
    WaveTraffic,
    left_in_l2,
    lines_touched,
    misses_alone,
    off_chip_rules,
    wave_traffic,
)
from warpmill.simulator.estimate.waves import Waves
from warpmill.simulator.machines.model import (
    Machine,
    fetches_on_write,
    fills_parts,
    l1_sector_bytes,
)
from warpmill.simulator.memory.cache import l2_spec
from warpmill.simulator.memory.stack_distance import still_held
from warpmill.simulator.streams import StreamRules

Floats = npt.NDArray[np.float64]

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

MOST_ROW_ACCESSES = 100_000
"""Accesses of several waves in a row that do, about, where waves are small: neighbours differ in
what they share with those before."""


_SOME_GONE = 0.95
"""Share of what a wave stores to that L2 still has where it is not yet full of it."""


class LeftInL2(Protocol):
    """What L2 holds when a launch begins."""

    def shares(self, wave: WaveSectors, footprint: Floats, /) -> Floats:
        """The share that L2 has of the sectors that a wave reads, by region, from 0 to 1.

        ``footprint`` are the bytes of each region that the launch touches.
        """
        ...


class _Everything:
    """An L2 in which an equal launch before has left what fits (``LeftInL2``)."""

    def shares(self, _wave: WaveSectors, footprint: Floats, /) -> Floats:
        """All of all."""
        return np.ones_like(footprint)


WARM = _Everything()
"""What an equal launch, or copies of all that fits, leave."""


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
    ``hottest_stores`` are the launch's stores to the sector that is stored to most often.
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
    hottest_stores: float


def dram_traffic(
    subject: EstimateSubject,
    program: MachineProgram,
    rounds: Rounds,
    waves: Waves,
    machine: Machine,
    rules: StreamRules,
    *,
    middle: int,
    l2: LeftInL2 | None,
) -> Dram:
    """Send a wave of the launch through L2, the ``middle`` one, and tell what comes from DRAM.

    ``l2`` tells what it holds at the beginning; None: nothing.
    """
    own_rules, is_one_wave = off_chip_rules(rules), waves.ctas <= waves.size
    sectors = _SectorsOfRounds(
        subject, program, rounds, own_rules, machine, waves.size, in_step=is_one_wave
    )
    wave, before, factor = _waves(sectors, waves, middle)
    own = sectors.of(wave, factor)
    looked_at = own.ctas_looked_at

    def shared() -> _Sharing | None:
        ctas, regions = waves.of_wave(middle, MOST_BEGUN_CTAS), own.counts.region_of
        return _sharing(looked_at, ctas, factor, sectors, regions)

    def through_l2(sharing: _Sharing | None) -> WaveTraffic:
        share = min(1.0, looked_at / min(waves.size, waves.ctas))
        if sharing is not None:  # what others fetch as well takes less of L2 for each CTA
            share = min(1.0, share / max(share, sharing.lines))
        uncut = before if is_asked and factor == 1.0 else None
        earlier = None if uncut is None else sectors.of(uncut)
        share *= wave.size / looked_at
        found = wave_traffic(own, earlier, machine, share, turns, is_asked=is_asked)
        return found if sharing is None else found.left_by(sharing.left)

    warps = min(waves.per_sm, waves.most_per_sm) * own.warps_per_cta
    turns = turns_under_way(machine, warps, "dram.latency")
    sector, size = float(l1_sector_bytes(machine)), machine.number("l2.size_bytes")
    every, times = waves.ctas / looked_at, times_of(wave, own.transactions.events.batch)
    touched = _touched(own, times, every * sector)
    whole = float(touched.sum())
    new = 1.0 - (np.zeros_like(touched) if l2 is None else l2.shares(own, touched))
    is_asked = whole > size  # else what comes from DRAM is what begins
    traffic = through_l2(None if _is_cut(subject) else shared())
    if _is_cut(subject) and whole > size:  # else all comes once, whoever asks for it first
        sharing = shared()
        traffic = traffic if sharing is None else through_l2(sharing)
    moved = traffic.accesses * times
    is_whole = looked_at == waves.ctas
    read, left = None, 1.0
    if whole <= size:  # what comes from DRAM at all comes once
        most = touched * _read_share(traffic) * new
        read = np.minimum(most, traffic.region_read * sector * new)
        reads, waits = _once(traffic, times, most / (every * sector))
    else:
        of_wave = _touched(own, times, min(waves.size, waves.ctas) / looked_at * sector)
        earlier = None if before is None else sectors.of(before, factor)
        held = _held_by_next(float(of_wave.sum()), machine) if factor < 1.0 else None
        reads, waits = _read(traffic, own, earlier, None if l2 is WARM else every, held)
        in_whole_waves = factor == 1.0 and looked_at >= min(waves.size, waves.ctas)
        left = _left(own, machine, every, size / whole) if in_whole_waves else size / whole
        left *= l2 is not WARM  # else an equal launch before has left as much to be written back
    writes, fills = _written(traffic, own, machine, new, left)
    first = _by_region(traffic.begun, traffic)
    if read is None:
        read = _by_region(reads * moved, traffic) * sector
    elif is_whole:
        first = traffic.region_read
    also = _by_region((writes + fills) * moved, traffic) * sector
    return Dram(
        reads,
        waits,
        writes + fills,
        _efficiency(float((reads + fills) @ moved), float(writes @ moved), machine)
        * _open_rows(float((reads + fills) @ moved), float(writes @ moved), traffic.rows, machine),
        traffic.regions,
        traffic.region_of,
        touched,
        first * sector * (new if l2 is WARM or whole <= size else 1.0),
        _by_region(reads * moved, traffic) / looked_at,
        DramBytes(read, read + also) if is_whole else None,
        _atomic_cycles(traffic, machine),
        traffic.hottest_stores * every,
    )


def _held_by_next(wave_bytes: float, machine: Machine) -> float:
    """The share of what a wave has touched that L2 still has when the next one gets there."""
    spec = l2_spec(machine)
    if spec is None:
        return 0.0
    return still_held(wave_bytes / spec.line_bytes, spec.ways or spec.lines, spec.sets)


def _read(
    traffic: WaveTraffic,
    own: WaveSectors,
    before: WaveSectors | None,
    every: float | None,
    held: float | None,
) -> tuple[Floats, Floats]:
    """Sectors an access reads, and the share that waits, where L2 does not keep what comes.

    ``held`` is what L2 still has of the wave ``before`` where loops are cut; None where they are
    not.
    """
    accesses = np.maximum(traffic.accesses, 1)
    reads, waits = traffic.misses / accesses, traffic.waiting / accesses
    if before is None:
        return reads, waits
    beside = traffic, own, before, every
    kept = _beside_whole(*beside) if held is None else _beside_cut(*beside, held)
    return reads * kept[traffic.region_of], waits * kept[traffic.region_of]


def _beside_cut(
    traffic: WaveTraffic, own: WaveSectors, before: WaveSectors, every: float | None, held: float
) -> Floats:
    """Factors, by region, to what a wave with cut loops reads where the wave before left some.

    Both touch the same parts of what they share, as both are cut alike; L2 still has the share
    ``held`` of it. The factors are for a launch ``every`` times as large, whose first wave finds
    nothing; None: for a wave in the middle of one.
    """
    read = _by_region(traffic.misses, traffic)
    shared = np.maximum(0.0, traffic.region_read - own.fresh(before))
    found = held if every is None else held * (1.0 - 1.0 / max(1.0, every))
    return np.asarray(np.maximum(0.0, 1.0 - found * shared / np.maximum(read, 1e-12)))


def _once(traffic: WaveTraffic, times: Floats, most: Floats) -> tuple[Floats, Floats]:
    """Sectors an access reads, and the share that waits, where L2 keeps what came from DRAM.

    ``most`` are the sectors of each region that are read in the mean of a wave.
    """
    per_access = np.maximum(traffic.accesses, 1)
    reads, waits = traffic.begun / per_access, traffic.beginning / per_access
    read = _by_region(reads * traffic.accesses * times, traffic)
    kept = np.minimum(1.0, most / np.maximum(read, 1e-12))[traffic.region_of]
    return reads * kept, waits * kept


def _written(
    traffic: WaveTraffic, own: WaveSectors, machine: Machine, new: Floats, left: float
) -> tuple[Floats, Floats]:
    """Sectors that an access writes to DRAM, and that it has read there as it stores to a part.

    L2 keeps the share ``left`` of what is stored; where that is all of it, ``new`` is the share of
    each region that it lacks when the launch begins.
    """
    accesses = np.maximum(traffic.accesses, 1)
    writes, fills = traffic.writes / accesses, traffic.fills / accesses
    if fetches_on_write(machine):
        if left == 1.0:
            fills = own.begun_in_part / accesses * new[traffic.region_of]
    else:
        fills *= (1.0 - left) if fills_parts(machine) else 0.0
    return writes * (1.0 - left), fills


def _left(wave: WaveSectors, machine: Machine, every: float, evenly: float) -> float:
    """Share of the sectors that a launch stores to that L2 still has at its end.

    A wave is the launch but for a factor ``every``. Where it stores less than L2 has room for,
    L2 is taken to keep its share ``evenly`` of all sectors.
    """
    left = left_in_l2(wave, machine)
    return left / every if left < _SOME_GONE or every <= 1.0 else evenly


def _beside_whole(
    traffic: WaveTraffic, own: WaveSectors, before: WaveSectors, every: float | None
) -> Floats:
    """Factors, by region, to what a wave reads after the one before, as ``_beside_cut`` has them.

    A launch reads each sector once that waves do not have in common, and what L2 had to drop again
    in each wave but the first.
    """
    read = _by_region(traffic.misses, traffic)
    if every is None:
        return np.ones_like(read)
    fresh = own.fresh(before)
    once = traffic.region_read + fresh * (every - 1.0)
    sizes = own.regions.sizes / own.transactions.events.rules.sector_bytes
    once = np.where(sizes > 0, np.minimum(once, sizes), once)
    again = np.maximum(0.0, read - fresh)
    scaled = (once + again * (every - 1.0)) / np.maximum(read * every, 1e-12)
    return np.where(read > 0, scaled, 1.0)


def _efficiency(reads: float, writes: float, machine: Machine) -> float:
    """The share of DRAM's rate that is left where reads and writes take turns."""
    share = writes / (reads + writes) if writes else 0.0
    lost = 1.0 - float(machine.number("dram.mixed_efficiency"))  # of as many reads as writes
    return 1.0 - lost * 4.0 * share * (1.0 - share)


def _open_rows(read: float, written: float, rows: RowsOpened, machine: Machine) -> float:
    """The share of DRAM's rate that is left where rows take longer to open than to read.

    A channel opens a row every dram.timing.rrd, and a bank one every dram.timing.rc.
    """
    sectors, opened = read + written, read * rows.read + written * rows.written
    if not sectors or not opened:
        return 1.0

    def number(key: str) -> float:
        return float(machine.number(key))

    data_us = sectors * l1_sector_bytes(machine) / number("dram.measured_gbs") / 1e3
    clocks = max(number("dram.timing.rrd"), number("dram.timing.rc") / number("dram.banks"))
    rows_us = opened * clocks / number("clock.mem_mhz") / number("dram.channels")
    return min(1.0, data_us / rows_us) if rows_us else 1.0


def _waves(
    sectors: _SectorsOfRounds, waves: Waves, middle: int
) -> tuple[Round, Round | None, float]:
    """A wave in the middle, the one before, and to which share loops are cut.

    Of small waves it is several in a row, all of them where they are few. Loops that are cut short
    touch less than whole ones, so that what the wave before has left in L2 would be found there too
    often: ``_beside_cut`` sees to that. Executed traces are not cut: they have no loops that could
    be, and their ends would be missing.
    """
    most, rounds, subject = MOST_WAVE_CTAS, sectors.rounds, sectors.subject
    if not _is_cut(subject):
        one = rounds.of(waves.of_sm(middle, min(waves.per_sm, waves.most_per_sm)))
        each = sum(one.executions.values()) / one.size
        most = max(one.size, min(most, int(MOST_EXECUTED_EVENTS / max(1.0, each))))
    wave = rounds.wave(waves.of_wave(middle, most))
    accesses = sum(n * wave.executions.get(b, 0) for b, n in sectors.off_chip.items())
    factor = min(1.0, MOST_WAVE_ACCESSES / max(1, accesses)) if _is_cut(subject) else 1.0
    first = middle
    if factor == 1.0 and wave.size >= min(waves.size, waves.ctas):
        each = MOST_ROW_ACCESSES / max(1, accesses)
        start, count = waves.around(middle, max(1, int(min(most / wave.size, each))))
        several = rounds.wave(waves.of_wave(start, most, count)) if count > 1 else wave
        if count > 1 and sectors.of(several).touched <= MOST_TOUCHED:
            first, wave = start, several
    touched = sectors.of(wave, factor).touched
    if _is_cut(subject) and touched > MOST_TOUCHED:
        factor *= MOST_TOUCHED / touched
    before = rounds.wave(waves.of_wave(first - 1, most)) if first > 0 else None
    return wave, before, factor


def _is_cut(subject: EstimateSubject) -> bool:
    """Whether long waves have their loops cut short."""
    return subject.source.kind != "executed"


@dataclass(frozen=True)
class _SectorsOfRounds:
    """The sectors that rounds touch beyond the SMs; those of the last few are kept.

    ``in_step``: all CTAs begin together, as those of a launch of one wave do.
    """

    subject: EstimateSubject
    program: MachineProgram
    rounds: Rounds
    rules: StreamRules
    machine: Machine
    wave_ctas: int
    in_step: bool

    @cached_property
    def off_chip(self) -> Mapping[int, int]:
        """How many accesses of each block may leave the SM, by block, of those that have any."""
        spills = self.program.spills
        own = Counter(self.subject.facts.off_chip)
        return own + Counter({} if spills is None else spills.by_block)

    def of(self, one: Round, factor: float = 1.0) -> WaveSectors:
        """The sectors of a round, of which about the share ``factor`` is left."""
        at_once = min(one.size, self.wave_ctas)
        key = one, self.rules, factor, self.program.access_facts, at_once, self.in_step
        made: WaveSectors = self.rounds.waves.of(key, lambda: self._made(one, factor, at_once))
        return made

    def _made(self, one: Round, factor: float, at_once: int) -> WaveSectors:
        program = self.program
        gone = self.subject.facts.on_chip.union(program.kept)
        events = one.events(self.rules, factor, frozenset(self.off_chip), gone, program.spills)
        made = Transactions(events, program.kernel, at_once, program.as_one)
        return WaveSectors(made, self.subject.source.layout, in_step=self.in_step)


@dataclass(frozen=True, eq=False)
class _Sharing:
    """What CTAs share with the others of their wave.

    ``left`` is, by point, the share of what CTAs miss that the others of their wave leave to them,
    0 to 1. ``lines`` are the lines of L2 that a CTA takes beside all others, of those that it takes
    beside the ones that are looked at, 0 to 1: lines that are shared take their room once.
    """

    left: Floats
    lines: float


def _sharing(
    looked_at: int,
    ctas: tuple[Triple, ...],
    factor: float,
    sectors: _SectorsOfRounds,
    region_of: npt.NDArray[np.int64],
) -> _Sharing | None:
    """Sharing of data through L2 with those of a wave's ``ctas`` that are not looked at.

    It is what all miss and take in a whole L2 beside what the few do, both with loops that are cut
    until all can be looked at, or with the beginnings of executed traces. A point that misses
    nothing there is like all others of its region (``region_of``): it is not come to, or comes to
    what another has brought in. None where all are looked at, or beginnings cannot be told.
    """
    if looked_at >= len(ctas):
        return None
    found, lines, rounds = [], [], sectors.rounds
    for own in (ctas, ctas[:looked_at]):
        if _is_cut(sectors.subject):
            one, before = sectors.of(rounds.of(own), factor), math.inf
            while MOST_TOUCHED < one.touched < before:  # until no loop can be cut further
                factor, before = factor * 0.9 * MOST_TOUCHED / one.touched, one.touched
                one = sectors.of(rounds.of(own), factor)
        else:
            begun = rounds.beginnings(own, max(1, MOST_EXECUTED_WORDS // len(ctas)))
            if begun is None:
                return None
            one = sectors.of(begun)
        found.append((misses_alone(one, sectors.machine), one.accesses.astype(np.float64)))
        lines.append(lines_touched(one, sectors.machine) / len(own))
    left = np.ones(len(region_of))
    for place in (region_of, np.arange(len(region_of))):  # of a region where a point does not tell
        beside, asked, alone, asked_alone = (
            np.bincount(place, each)[place] for each in (*found[0], *found[1])
        )
        rate, own_rate = beside / np.maximum(asked, 1), alone / np.maximum(asked_alone, 1)
        left = np.divide(rate, own_rate, out=left, where=own_rate > 0)
    left = np.minimum(1.0, left)
    return _Sharing(left, min(1.0, lines[0] / lines[1]) if lines[1] else 1.0)


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


def _touched(own: WaveSectors, times: Floats, scale: float) -> Floats:
    """The bytes of each region that the launch touches: at most the region.

    What is left of loops that were cut short touches as much less as it is less.
    """
    counts, sizes = own.counts, own.regions.sizes.astype(np.float64)
    each = (counts.touched, counts.touched * times)
    left, whole = (np.bincount(counts.region_of, x, len(sizes)) for x in each)
    left = np.maximum(left, 1.0)
    grown = counts.region_first * scale * np.maximum(whole, left) / left
    return np.where(sizes > 0, np.minimum(grown, sizes), grown)


def _atomic_cycles(traffic: WaveTraffic, machine: Machine) -> float:
    """The cycles that a lane takes of what all SMs share: the busiest slice sets the pace."""
    if not traffic.atomic_lanes:
        return 0.0
    each = float(machine.number("l2.atomic_cycles"))
    return each * traffic.hottest_lanes / traffic.atomic_lanes
