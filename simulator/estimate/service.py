"""Service of each access of a round on a machine: how long it holds its servers, its latency.

Where L2 and DRAM are shared by all SMs, an SM has its share of them: the others ask as much.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.memory.rules import CONST, SHARED, TEXTURE
from warpmill.simulator.estimate.pipeline import COSTS, LEVELS, SERVERS
from warpmill.simulator.estimate.transactions import (
    ATOMIC,
    LOAD,
    OFF_CHIP,
    STORE,
    Transactions,
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

_LATENCY, _LEVEL = len(SERVERS), len(SERVERS) + 1


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

    ``missed_sectors`` are those that loads and atomics read from DRAM, ``dram_sectors`` all that go
    from and to it, both means over the accesses of a point. ``l2_bytes`` are those that L2 would
    read in the time that it takes for each access.
    """

    cost: Floats
    l2_sectors: Numbers
    missed_sectors: Floats
    dram_sectors: Floats
    l2_bytes: Floats


def serve(t: Transactions, found: OnSm, beyond: BeyondL1, carriers: Carriers) -> Service:
    """Cost the accesses of a round."""
    cost = np.zeros((len(t.count), COSTS))
    columns = {name: cost[:, place] for place, name in enumerate(SERVERS)}
    way = t.streams.access_way
    passes = t.passes
    columns["lsu"][:] = np.where(
        (way == CONST) & carriers.constants_apart,
        0.0,
        carriers.machine.integer("machine.warp_size") / carriers.number("lanes.ldst"),
    )
    columns["shared"][:] = np.where(way == SHARED, _shared_cycles(t, passes, carriers), 0.0)
    columns["l1"][:] = _l1_cycles(t, found, passes, carriers)
    l2_sectors = found.misses.astype(np.int64)
    missed = np.where(t.kind == STORE, 0.0, l2_sectors * beyond.reads[t.point])
    # Atomics do both.
    to_dram = missed + np.where(t.kind == LOAD, 0.0, l2_sectors * beyond.writes[t.point])
    size = carriers.sector_bytes
    stored = np.where(t.kind == STORE, carriers.number("l2.write_cost"), 1.0)
    l2_bytes = _l2_bytes(t, found, carriers) * stored
    columns["l2"][:] = l2_bytes * carriers.l2_cycles
    columns["dram"][:] = to_dram * size * carriers.dram_cycles / beyond.efficiency
    atomics = np.where(t.as_one, 1, t.streams.shape_lanes[t.streams.access_shape])
    atomic = (t.kind == ATOMIC) & t.of_way(*OFF_CHIP)
    columns["atomic"][:] = np.where(atomic, atomics * beyond.atomic_cycles, 0.0)
    from_dram = _waits_for_dram(t, l2_sectors, found.pending, beyond)
    cost[:, _LEVEL] = level = _levels(t, found, l2_sectors, from_dram)
    cost[:, _LATENCY] = _latencies(t, found, level, carriers)
    return Service(cost, l2_sectors, missed, to_dram, l2_bytes)


def _shared_cycles(t: Transactions, passes: Numbers, carriers: Carriers) -> Floats:
    """How long each access holds shared memory: its passes; atomics wait for each other."""
    cycles = passes / carriers.number("shared.ports")
    atomic = (t.kind == ATOMIC) & (t.streams.access_way == SHARED)
    if not atomic.any():
        return cycles
    contending = np.where(t.as_one, 1, t.contention(atomic))
    contending = contending * carriers.number("interval.shared_atomic")
    return np.where(atomic, np.maximum(cycles, contending), cycles)


def _l1_cycles(t: Transactions, found: OnSm, passes: Numbers, carriers: Carriers) -> Floats:
    """How long each access holds L1: its banks, its tags or its bytes.

    An access of a warp to n lines takes 1 + (n - 2) / l1.lines_per_clk for its tags (measured over
    strides: docs/machines.md). Constants at different addresses are read one after another.
    """
    number = carriers.number
    tags = 1.0 + np.maximum(found.lines - 2, 0) / number("l1.lines_per_clk")
    data = found.sectors * carriers.sector_bytes / number("l1.bytes_per_clk")
    held = np.maximum(np.maximum(tags, data), t.shared_wavefronts)
    off_chip = t.of_way(*OFF_CHIP)
    constant = t.streams.access_way == CONST
    return np.where(constant, np.maximum(passes - 1, 0), np.where(off_chip, held, 0.0))


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
    t: Transactions, l2_sectors: Numbers, pending: Flags, beyond: BeyondL1
) -> npt.NDArray[np.bool_]:
    """Choose the accesses that DRAM answers last: as many of each point as wait for it.

    They are spread evenly by steps of the golden ratio, without a period: that might be that of the
    warps, and one of these would wait for all.
    """
    asks = ((l2_sectors > 0) | pending) & (t.kind != STORE)
    return evenly(t.order, t.point, asks, beyond.waits, GOLDEN_RATIO, _ROUNDING)


def _levels(
    t: Transactions, found: OnSm, l2_sectors: Numbers, from_dram: npt.NDArray[np.bool_]
) -> Numbers:
    """Level that answers each access last."""
    way = t.streams.access_way
    level = np.full(len(way), LEVELS.index("l1"))
    level[(l2_sectors > 0) | found.pending] = LEVELS.index("l2")
    level[from_dram] = LEVELS.index("dram")
    level[way == SHARED] = LEVELS.index("shared")
    level[way == CONST] = LEVELS.index("constant")
    level[(way == CONST) & (found.constant > 1)] = LEVELS.index("l2")
    return level


def _latencies(t: Transactions, found: OnSm, level: Numbers, carriers: Carriers) -> Floats:
    """The cycles from an access to its result, nothing else in the way."""
    number, way = carriers.number, t.streams.access_way
    shared = ("latency.shared_load", "latency.shared_store", "latency.shared_atomic")
    by_level = [0.0, 0.0, number("const.l1_latency"), number("l1.latency"), number("l2.latency"),
                number("dram.latency")]  # fmt: skip
    latency = np.array(by_level)[level]
    latency = np.where(way == SHARED, np.array([number(k) for k in shared])[t.kind], latency)
    constants = [number(f"const.{k}_latency") for k in ("l1", "l15", "l2")]
    latency = np.where(way == CONST, np.array(constants)[found.constant], latency)
    on_texture = (way == TEXTURE) & (level == LEVELS.index("l1"))
    latency = np.where(on_texture, number("tex.latency"), latency)
    atomic = (t.kind == ATOMIC) & t.of_way(*OFF_CHIP)
    slow = np.maximum(latency, number("latency.global_atomic"))
    return np.asarray(np.where(atomic, slow, latency))


# What the accesses of a round find in the caches of their SM: L1, constant and texture caches.

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class OnSm:
    """Hits of each access on its SM, and its requests to L2.

    ``lines`` are lines of L1 (or of the texture cache) that it looks for, ``misses`` the sectors
    that go to L2, ``asks_l1`` whether L1 is looked into. Those that are ``pending`` ask for nothing
    and wait for what others have asked L2 for just before. ``constant`` is 0 where an access to
    constants hits in the SM's cache, 1 in the second one, 2 in neither.
    """

    lines: Numbers
    sectors: Numbers
    misses: Numbers
    asks_l1: Flags
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
    pending = np.zeros(len(t.count), np.bool_)
    if spec is not None and asks.any():
        turns = turns_under_way(machine, t.resident_warps, "l2.latency")
        hits, pending = _l1_hits(t, spec, asks, machine.flag("l1.write_allocate"), hashed, turns)
        misses -= hits
    textures = t.of_way(TEXTURE)
    if textures.any():
        misses -= _texture_hits(t, machine, textures)
    lines = np.where(off_chip, np.where(textures, t.count, t.lines(per_line)), 0)
    sectors = np.where(off_chip, t.count, 0)
    for counts in (sectors, misses):
        counts[textures] *= t.sectors_of_texel_line
    return OnSm(lines, sectors, misses, asks, pending, _constants(t, machine))


def turns_under_way(machine: Machine, warps: int, latency: str) -> int:
    """Turns of accesses for which what so many warps of an SM ask for is under way.

    In a turn each warp makes an access, which the load-store unit takes one after another.
    """
    a_turn = max(1, warps) * machine.integer("machine.warp_size") / machine.number("lanes.ldst")
    return int(machine.number(latency) / a_turn)


def _l1_hits(
    t: Transactions, spec: CacheSpec, asks: Flags, allocates: bool, hashed: bool, turns: int
) -> tuple[Numbers, Flags]:
    """Count the sectors of loads that are in L1, and tell the loads that wait for some of them.

    Stores bring lines in where they do so at all.
    """
    seen = asks & (t.kind != ATOMIC)
    if not allocates:
        seen &= t.kind == LOAD
    found = t.ordered(seen)
    per_line = spec.line_bytes // spec.granule_bytes
    sectors = mixed(found.granule, per_line) if hashed else found.granule
    hits = lru_hits(sectors, spec.ways or spec.lines, spec.sets, per_line)
    pending = (
        turns_behind(found.previous, ~hits, t.kind != LOAD, found.owner, t.turn, t.step) <= turns
    )
    hits &= t.kind[found.owner] == LOAD
    return np.bincount(found.owner[hits], minlength=len(t.count)), pending


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
    when = none, each, t.turn[found.owner], t.step[found.owner]
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
