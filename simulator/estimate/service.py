"""Service of each access of a round on a machine: how long it holds its servers, its latency.

Where L2 and DRAM are shared by all SMs, an SM has its share of them: the others ask as much.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.jit import jit
from warpmill.analyzer.memory.rules import CONST, LOCAL, MEMORY, SHARED, TEXTURE
from warpmill.simulator.estimate.pipeline import COSTS, LEVELS, SERVERS
from warpmill.simulator.estimate.transactions import (
    ATOMIC,
    LOAD,
    STORE,
    Transactions,
    askers,
    evenly,
    turns_behind,
)
from warpmill.simulator.machines.model import (
    CONSTANTS_APART,
    Machine,
    capability_of,
    l1_sector_bytes,
    l2_bytes_per_clk,
)
from warpmill.simulator.memory.cache import CacheSpec, l1_spec
from warpmill.simulator.memory.stack_distance import lru_hits

GOLDEN_RATIO = (1 + 5**0.5) / 2

_ROUNDING = 1e-9

Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_LATENCY, _LEVEL, _GROUP = range(len(SERVERS), COSTS)


@dataclass(frozen=True, eq=False)
class BeyondL1:
    """Shares of the sectors requested from L2 that go to DRAM, by point of the kernel.

    ``reads`` and ``writes`` are shares of the sectors that loads and stores ask L2 for; a store
    may move more than one, where DRAM is read to fill what it leaves. ``waits`` is the share of
    the accesses which ask L2 that wait for DRAM. ``efficiency`` is what
    turning the bus from reads to writes leaves of DRAM's rate. ``atomic_cycles`` is how long a lane
    of an atomic holds the SM's share of the atomic units.
    """

    reads: Floats
    waits: Floats
    writes: Floats
    efficiency: float
    atomic_cycles: float


@dataclass(frozen=True)
class Carriers:
    """Rates of a machine as one SM of ``active_sms`` has them: cycles a byte, and latencies.

    Where others ask for less, ``active_sms`` are as many as would ask for as much as this one.
    """

    machine: Machine
    active_sms: float

    def number(self, key: str) -> float:
        """A value of the machine."""
        return float(self.machine.number(key))

    @property
    def sector_bytes(self) -> int:
        """Bytes of a transaction."""
        return l1_sector_bytes(self.machine)

    @property
    def l2_cycles(self) -> float:
        """Cycles that a byte holds the SM's way to L2, or its share of L2."""
        way = 1 / self.number("icnt.bytes_per_clk_per_sm")
        rate = l2_bytes_per_clk(self.machine)
        return max(self.active_sms / rate, way) if rate else way

    @property
    def constants_apart(self) -> bool:
        """Whether loads of constants leave the load-store unit alone."""
        return (capability_of(self.machine) or 0) >= CONSTANTS_APART

    @property
    def dram_cycles(self) -> float:
        """Cycles that a byte holds the SM's share of DRAM."""
        rate = self.number("dram.measured_gbs") * 1e3 / self.number("clock.sm_mhz")
        return self.active_sms / rate


@dataclass(frozen=True, eq=False)
class Service:
    """Costs of each access, shape (accesses, COSTS), and the sectors that it moves.

    By point of the kernel, ``requested`` are the sectors that accesses ask for, ``l2_sectors``
    those that L2 is asked for, ``missed_sectors`` those that loads and atomics read from DRAM and
    ``dram_sectors`` all that go from and to it. ``l2_bytes`` are those that L2 would read in the
    time that it takes for them.
    """

    cost: Floats
    requested: Floats
    l2_sectors: Floats
    missed_sectors: Floats
    dram_sectors: Floats
    l2_bytes: Floats


class Rates(NamedTuple):
    """What an SM takes for accesses: cycles that they hold its servers, and latencies.

    ``texture`` and ``atomic`` are the latencies of a hit in the texture cache, and that of an
    atomic off the chip at least. ``lsu`` and ``constant_lsu`` are cycles of the load-store unit,
    and so is ``l1_fill``, for each sector that L1 takes in. ``stored`` says how many times as long
    L2 takes for stores. What is of atomics in shared memory is 0 where there are none.
    """

    lsu: float
    l1_fill: float
    constant_lsu: float
    shared_ports: float
    shared_atomic: float
    l1_lines: float
    l1_bytes: float
    sector_bytes: float
    stored: float
    l2_cycles: float
    dram_cycles: float
    efficiency: float
    atomic_cycles: float
    texture: float
    atomic: float


def serve(t: Transactions, found: OnSm, beyond: BeyondL1, carriers: Carriers) -> Service:
    """Cost the accesses of a round.

    An access of a warp to n lines takes 1 + (n - 2) / l1.lines_per_clk for L1's tags (measured over
    strides: docs/machines.md). Constants at different addresses are read one after another. A
    sector that comes from L2 goes into L1 by the port that lanes read it by, a word a lane and
    cycle: half a cycle on an RTX A4000, where 0.7 fit the times of Kernel Tuner's dedispersion,
    which the load-store unit holds up.
    """
    number, points = carriers.number, len(beyond.reads)
    s, atomics = t.streams, t.kind == ATOMIC
    turns = np.where(t.as_one, 1, s.shape_lanes[s.access_shape]) if atomics.any() else _NONE
    shared = atomics & (s.access_way == SHARED)
    contending = np.where(t.as_one, 1, t.contention(shared)) if shared.any() else _NONE
    lanes = carriers.machine.integer("machine.warp_size") / number("lanes.ldst")
    rates = Rates(
        lsu=lanes,
        l1_fill=carriers.sector_bytes / (_WORD_BYTES * number("lanes.ldst")),
        constant_lsu=0.0 if carriers.constants_apart else lanes,
        shared_ports=number("shared.ports"),
        shared_atomic=number("interval.shared_atomic") if shared.any() else 0.0,
        l1_lines=number("l1.lines_per_clk"),
        l1_bytes=number("l1.bytes_per_clk"),
        sector_bytes=float(carriers.sector_bytes),
        stored=number("l2.write_cost"),
        l2_cycles=carriers.l2_cycles,
        dram_cycles=carriers.dram_cycles,
        efficiency=beyond.efficiency,
        atomic_cycles=beyond.atomic_cycles,
        texture=number("tex.latency"),
        atomic=number("latency.global_atomic"),
    )
    by_level = [0.0, 0.0, *map(number, _LEVEL_LATENCIES)]
    latencies = (np.array(by_level), *(np.array([number(k) for k in own]) for own in _LATENCIES))
    served = (s.access_way, t.kind, t.point, t.passes, t.shared_wavefronts, turns, contending)
    on_chip = found.lines, found.sectors, found.misses, found.asks_l1, found.asker, found.constant
    from_dram = _waits_for_dram(t, found.misses, beyond)
    made = np.zeros((len(t.count), COSTS)), np.zeros((5, points))
    l2_bytes = _l2_bytes(t, found, carriers)
    beyond_sm = from_dram, l2_bytes, beyond.reads, beyond.writes
    put_costs(rates, latencies, served, on_chip, beyond_sm, *made)
    return Service(made[0], *made[1])


_NONE = np.zeros(0, np.int64)
_WORD_BYTES = 4
_LEVEL_LATENCIES = "const.l1_latency", "l1.latency", "l2.latency", "dram.latency"
_LATENCIES = (
    ("latency.shared_load", "latency.shared_store", "latency.shared_atomic"),
    ("const.l1_latency", "const.l15_latency", "const.l2_latency"),
)
"""Latencies by LEVELS from constants on; those of shared memory by kind, of constants by cache."""

_L1, _L2, _DRAM, _SHARED, _CONSTANT = map(LEVELS.index, ("l1", "l2", "dram", "shared", "constant"))
_LSU, _BANKS, _TAGS, _TO_L2, _TO_DRAM, _ATOMICS = map(
    SERVERS.index, ("lsu", "shared", "l1", "l2", "dram", "atomic")
)


@partial(jit, arrays=False)
def put_costs(
    rates: Any,
    latencies: Any,
    served: Any,
    on_chip: Any,
    beyond_sm: Any,
    cost: Any,
    sums: Any,
) -> None:
    """Write down the costs of accesses, and by point the ``sums`` of what they move.

    All are arrays by access but latencies and shares of points, and are empty where there are no
    atomics to ask them for.
    """
    by_level, by_kind, by_cache = latencies
    ways, kinds, points, passes, wavefronts, turns, contending = served
    lines, sectors, misses, asks_l1, asker, constant = on_chip
    from_dram, l2_bytes, reads, writes = beyond_sm
    for a in range(ways.size):
        way, kind, point = ways[a], kinds[a], points[a]
        off_chip = way in (MEMORY, LOCAL, TEXTURE)
        cost[a, _LSU] = rates.constant_lsu if way == CONST else rates.lsu
        missed = 0.0 if kind == STORE else misses[a] * reads[point]
        moved = missed if kind == LOAD else missed + misses[a] * writes[point]
        read = l2_bytes[a] * (rates.stored if kind == STORE else 1.0)
        cost[a, _TO_L2] = read * rates.l2_cycles
        cost[a, _TO_DRAM] = moved * rates.sector_bytes * rates.dram_cycles / rates.efficiency
        sums[0, point] += sectors[a]
        sums[1, point] += misses[a]
        sums[2, point] += missed
        sums[3, point] += moved
        sums[4, point] += read
        by = a if asker[a] < 0 else asker[a]
        level = _L2 if misses[by] > 0 else _L1
        if from_dram[by]:
            level = _DRAM
        cost[a, _GROUP] = asker[a]
        if kind == LOAD and asks_l1[a]:
            cost[a, _LSU] += misses[a] * rates.l1_fill
        if way == SHARED:
            level = _SHARED
            cost[a, _BANKS] = passes[a] / rates.shared_ports
            if kind == ATOMIC:  # they wait for each other
                held = contending[a] * rates.shared_atomic
                cost[a, _BANKS] = max(cost[a, _BANKS], held)
        if way == CONST:
            level = _L2 if constant[a] > 1 else _CONSTANT
            cost[a, _TAGS] = max(passes[a] - 1, 0)
        if off_chip:
            tags = 1.0 + max(lines[a] - 2, 0) / rates.l1_lines
            data = sectors[a] * rates.sector_bytes / rates.l1_bytes
            cost[a, _TAGS] = max(tags, data, float(wavefronts[a]))
        latency = by_level[level]
        if way == SHARED:
            latency = by_kind[kind]
        if way == CONST:
            latency = by_cache[constant[a]]
        if way == TEXTURE and level == _L1:
            latency = rates.texture
        if kind == ATOMIC and off_chip:
            cost[a, _ATOMICS] = turns[a] * rates.atomic_cycles
            latency = max(latency, rates.atomic)
        cost[a, _LATENCY], cost[a, _LEVEL] = latency, level


def _l2_bytes(t: Transactions, found: OnSm, carriers: Carriers) -> Floats:
    """The bytes that L2 takes as long for as for each access.

    Where it reads more at once than a sector, neighbouring sectors come together, and single ones
    take as long.
    """
    size, at_once = carriers.sector_bytes, carriers.machine.integer("l2.access_bytes")
    if at_once <= size:
        return np.asarray(found.misses * float(size))
    parts = t.lines(at_once // size) * found.misses / np.maximum(found.sectors, 1)
    return np.asarray(parts * float(at_once))


def _waits_for_dram(
    t: Transactions, l2_sectors: Numbers, beyond: BeyondL1
) -> npt.NDArray[np.bool_]:
    """Choose the accesses that DRAM answers last: as many of each point as wait for it.

    They are spread evenly by steps of the golden ratio, without a period: that might be that of the
    warps, and one of these would wait for all.
    """
    asks = (l2_sectors > 0) & (t.kind != STORE)
    return evenly(t.order, t.point, asks, beyond.waits, GOLDEN_RATIO, _ROUNDING)


# What the accesses of a round find in the caches of their SM: L1, constant and texture caches.

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class OnSm:
    """Hits of each access on its SM, and its requests to L2.

    ``lines`` are lines of L1 (or of the texture cache) that it looks for, ``misses`` the sectors
    that go to L2, ``asks_l1`` whether L1 is looked into. ``asker`` is the load that has asked L2
    last for what a load wants, which may be itself; -1: none has. Those that are ``pending`` ask
    for nothing, and another has just asked for it. ``constant`` is 0 where an access to constants
    hits in the SM's cache, 1 in the second one, 2 in neither.
    """

    lines: Numbers
    sectors: Numbers
    misses: Numbers
    asks_l1: Flags
    asker: Numbers
    pending: Flags
    constant: npt.NDArray[np.int8]


def on_sm(transactions: Transactions, machine: Machine, carveout_bytes: int) -> OnSm:
    """Send a round through the caches of its SM, cold at first."""
    t = transactions
    spec = l1_spec(machine, carveout_bytes)
    caches_global = machine.flag("l1.caches_global")
    asks = t.asks_l1(caches_global) if spec is not None else np.zeros(len(t.count), np.bool_)
    sector = l1_sector_bytes(machine)
    per_line = max(1, machine.integer("l1.line_bytes") // sector)
    off_chip = t.of_way(0, 1, TEXTURE)
    misses = np.where(off_chip, t.count, 0)
    hashed = machine.text("l1.hash") == "xor"
    pending, asker = np.zeros(len(t.count), np.bool_), np.full(len(t.count), -1)
    if spec is not None and asks.any():
        turns = turns_under_way(machine, t.resident_warps, "l2.latency")
        allocates = machine.flag("l1.write_allocate")
        hits, asker, pending = _l1_hits(t, spec, asks, allocates, hashed, turns)
        misses -= hits
    textures = t.of_way(TEXTURE)
    if textures.any():
        misses -= _texture_hits(t, machine, textures)
    lines = np.where(off_chip, np.where(textures, t.count, t.lines(per_line)), 0)
    sectors = np.where(off_chip, t.count, 0)
    for counts in (sectors, misses):
        counts[textures] *= t.sectors_of_texel_line
    return OnSm(lines, sectors, misses, asks, asker, pending, _constants(t, machine))


def turns_under_way(machine: Machine, warps: int, latency: str) -> int:
    """Turns of accesses for which what so many warps of an SM ask for is under way.

    In a turn each warp makes an access, which the load-store unit takes one after another.
    """
    a_turn = max(1, warps) * machine.integer("machine.warp_size") / machine.number("lanes.ldst")
    return int(machine.number(latency) / a_turn)


def _l1_hits(
    t: Transactions, spec: CacheSpec, asks: Flags, allocates: bool, hashed: bool, turns: int
) -> tuple[Numbers, Numbers, Flags]:
    """Count the sectors of loads that are in L1; who asked for them, and which that was just now.

    Stores bring lines in where they do so at all.
    """
    seen = asks & (t.kind != ATOMIC)
    if not allocates:
        seen &= t.kind == LOAD
    found = t.ordered(seen)
    per_line = spec.line_bytes // spec.granule_bytes
    sectors = mixed(found.granule, per_line) if hashed else found.granule
    hits = lru_hits(sectors, spec.ways or spec.lines, spec.sets, per_line)
    of_accesses = t.kind != LOAD, found.owner, t.turn, t.step, t.cta
    pending = turns_behind(found.previous, ~hits, *of_accesses) <= turns
    asker = askers(found.previous, ~hits, t.kind == LOAD, found.owner, t.turn)
    hits &= t.kind[found.owner] == LOAD
    return np.bincount(found.owner[hits], minlength=len(t.count)), asker, pending


def _texture_hits(t: Transactions, machine: Machine, textures: Flags) -> Numbers:
    found = t.ordered(textures)
    lines = machine.integer("tex.l1_bytes") // machine.integer("tex.line_bytes")
    ways = min(machine.integer("tex.ways"), lines)
    if not lines:
        return np.zeros(len(t.count), np.int64)
    hits = lru_hits(found.granule, ways, max(1, lines // ways))
    return np.bincount(found.owner[hits], minlength=len(t.count))


def _constants(t: Transactions, machine: Machine) -> npt.NDArray[np.int8]:
    """Constant cache that answers each access: that of the farthest of its lines."""
    level = np.zeros(len(t.count), np.int8)
    chosen = t.of_way(CONST)
    if not chosen.any():
        return level
    found = t.ordered(chosen)
    line = machine.integer("const.line_bytes")
    each = np.arange(len(found.granule))  # as if each were an access
    none = np.zeros(len(each), np.bool_)
    when = none, each, t.turn[found.owner], t.step[found.owner], t.cta[found.owner]
    turns = turns_under_way(machine, t.resident_warps, "const.l2_latency")
    far = np.zeros(len(found.granule), np.int8)
    for key, ways in (("const.l1_bytes", machine.integer("const.ways")), ("const.l15_bytes", 0)):
        lines = machine.integer(key) // line
        if lines:
            used = min(ways, lines) if ways else lines
            misses = ~lru_hits(found.granule, used, max(1, lines // used))
            far += misses | (turns_behind(found.previous, misses, *when) <= turns)
        else:
            far += 1
    np.maximum.at(level, found.owner, far)
    return level


def mixed(sectors: Numbers, per_line: int) -> Numbers:
    """Sectors other numbers, so that lines that lie a power of two apart are in other sets.

    Each line has a number of its own again.
    """
    if per_line & (per_line - 1):
        line, sector = np.divmod(sectors, per_line)
    else:  # several times as fast
        line, sector = sectors >> per_line.bit_length() - 1, sectors & (per_line - 1)
    line = line ^ (line >> 5) ^ (line >> 11) ^ (line >> 23)
    return np.asarray(line * per_line + sector)
