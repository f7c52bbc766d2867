"""Numbers that the engine reads of a machine, with the hash that spreads addresses."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from warpmill.simulator.assembler.costs import cost_table
from warpmill.simulator.gpu import fields as f
from warpmill.simulator.machines.model import (
    CONSTANTS_APART,
    Machine,
    capability_of,
    l1_sector_bytes,
    l2_bytes_per_clk,
)
from warpmill.simulator.memory.cache import CacheSpec, cache_of, l1_spec

_POLICIES = {
    "rr": f.POLICY_LRR,
    "lrr": f.POLICY_LRR,
    "gto": f.POLICY_GTO,
    "two_level": f.POLICY_TWO_LEVEL,
}
_WRITES = {"through": f.WRITE_THROUGH, "back": f.WRITE_BACK, "local_back": f.WRITE_LOCAL_BACK}
_HEADER_BYTES = 8
"""Header of a packet: address and command; a flit of 40 B is it and a sector (GPGPU-Sim)."""
_AWAY = 7  # cycles to L2 and back that are no delay of either: see lsu.py, requests.py
_MEASURED_WITH = 10
"""Instructions of the CTA that launch.block_cycles was measured with."""
_MOST_WAITERS = 4096
"""Sectors that the accesses of an SM wait for in its caches together, each counted for itself."""
_STREAMED = 0.96
"""Share of a channel's rate that this model moves of a stream that is only read."""
_CARRIED = 0.58
"""Share of its ports' rate that a crossbar carries whose queues block behind their first packet."""

_MOST_PORTS = 640
"""Ports of the network to L2 at the most, beside those that a machine states.

GPUs need 300 for what was measured of them. Each is a slice of its own, and very many small ones
would take longer, and keep less, than they carry.
"""


@dataclass(frozen=True)
class Spec:
    """Constants of a simulation: numbers by their place in ``fields``, and the caches.

    ``caches`` stand by the place of their numbers: how many of a kind there are, and what each is.
    """

    numbers: dict[int, int]
    caches: dict[int, tuple[int, CacheSpec, bool]]


def specify(machine: Machine, carveout_bytes: int) -> Spec:
    """Read a machine. ``carveout_bytes`` is the shared memory that its L1 gives up."""
    own = _Reader(machine)
    numbers: dict[int, int] = {}
    numbers |= own.sm() | own.units()
    caches = own.caches(carveout_bytes)
    numbers |= own.l1(f.L1_CACHE in caches)
    numbers |= own.network()
    numbers |= own.l2(numbers)
    numbers |= own.dram(numbers)
    numbers |= _CACHE_PLACES
    if not numbers[f.HAS_L2]:  # what takes the way of a reply takes it from DRAM
        numbers[f.L2_DELAY], numbers[f.DRAM_DELAY] = numbers[f.DRAM_DELAY], 0
    reach = numbers[f.L2_DELAY] + numbers[f.NET_LATENCY] + 1
    numbers[f.LOOKAHEAD] = reach
    return Spec(numbers, caches)


class _Reader:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.depth = round(self.number("sm.pipeline_cycles"))
        self.per_clock = self.number("clock.sm_mhz") / self._network_mhz()
        self.sector = l1_sector_bytes(machine)

    def number(self, key: str) -> float:
        return float(self.machine.number(key))

    def whole(self, key: str) -> int:
        return round(self.number(key))

    def _network_mhz(self) -> float:
        found = self.machine.get("clock.l2_mhz")
        return self.number("clock.sm_mhz" if found is None else "clock.l2_mhz")

    def sm(self) -> dict[int, int]:
        """Resources of an SM, and how it issues."""
        width = self.number("sm.issue_per_scheduler")
        return {
            f.SMS: self.whole("sm.count"),
            f.SCHEDULERS: self.whole("sm.schedulers"),
            f.PARTS: min(self.whole("sm.subpartitions"), self.whole("sm.schedulers")),
            f.WARPS: self.whole("sm.max_warps"),
            f.CTAS: self.whole("sm.max_blocks"),
            f.WARP_SIZE: self.whole("machine.warp_size"),
            f.POLICY: _POLICIES[self.machine.text("scheduler.policy")],
            f.ACTIVE_WARPS: self.whole("scheduler.active_warps"),
            f.ISSUE_TICKS: round(f.TICKS / min(1.0, width)),
            f.ISSUE_WIDTH: max(1, min(math.ceil(width), self.whole("front_end.fetch_width"))),
            f.PAIRED_TICKS: round(f.TICKS / max(1.0, width)),
            f.REFILL: max(1, self.whole("front_end.decode_cycles")),
            f.BRANCH_CYCLES: max(1, self.whole("latency.branch")),
            f.BARRIER_CYCLES: max(1, self.whole("latency.barrier")),
            f.START_CYCLES: 1 + self.whole("front_end.decode_cycles"),
            f.FETCH_MISS: self.whole("icache.miss_latency"),
            f.FETCH_AHEAD: self.whole("icache.prefetch_lines"),
            f.CTA_TICKS: round(f.TICKS / self.number("launch.blocks_per_clk")),
            f.CTA_TURN_CYCLES: self._turn(),
        }

    def _turn(self) -> int:
        """The cycles from the end of a CTA to the first instruction of one in its place.

        launch.block_cycles was measured with a CTA of some ten instructions, which it holds.
        """
        if self.depth:
            return 0
        own = _MEASURED_WITH * self.number("latency.int_add")
        return max(0, round(self.number("launch.block_cycles") - own))

    def units(self) -> dict[int, int]:
        """Queues and units of instructions."""
        schedulers = self.whole("sm.schedulers")
        collectors = self.whole("sm.collector_units") + 1  # and the latch before them
        reach = max(1, self.depth - 2)
        return {
            f.PIPES: len(cost_table().pipes),
            f.PIPES_HOLD: int(not self.depth),
            f.COLLECTORS: collectors,
            f.LSU_QUEUE: schedulers * collectors,
            f.PENDING_ACCESSES: 12 * self.whole("sm.max_warps"),
            f.LSU_CYCLES: reach,
            f.RESULT_CYCLES: self.depth - reach,
            f.LSU_TICKS: round(
                f.TICKS * self.number("interval.ldst") / self.whole("sm.subpartitions")
            ),
            f.SHARED_PORTS: max(1, self.whole("shared.ports")),
            f.SHARED_PASS_TICKS: round(f.TICKS / min(1.0, self.number("shared.ports"))),
            f.CONST_PORTS: self.whole("const.ports"),
            f.CONST_APART: int(self._constants_apart()),
            f.TEX_PORTS: self.whole("tex.ports"),
        }

    def _constants_apart(self) -> bool:
        """Whether loads of constants leave the load-store unit alone."""
        return not self.depth and (capability_of(self.machine) or 0) >= CONSTANTS_APART

    def to_unit(self, latency: float) -> int:
        """Rest of a hit's latency once the access has come to the unit."""
        whole = latency + max(0, self.depth - 1)
        return max(0, round(whole) - max(1, self.depth - 2) - 1)

    def caches(self, carveout: int) -> dict[int, tuple[int, CacheSpec, bool]]:
        """The caches that there are; each with how many, and whether its sets are hashed."""
        found: dict[int, tuple[int, CacheSpec, bool]] = {}
        sms = self.whole("sm.count")
        l1 = l1_spec(self.machine, carveout)
        if l1 is not None:
            with cache_of(self.machine, "l1"):
                spec = CacheSpec(l1.size_bytes, l1.line_bytes, self.sector, l1.ways)
            found[f.L1_CACHE] = sms, spec, self.machine.text("l1.hash") == "xor"
        else:
            line = self.whole("l1.line_bytes")
            entries = self._thread_mshrs()
            with cache_of(self.machine, "l1"):
                spec = CacheSpec(entries * line, line, self.sector, 0)
            found[f.L1_CACHE] = sms, spec, False
        for place, group, key in (
            (f.CONST_CACHE, "const", "const.l1_bytes"),
            (f.TEX_CACHE, "tex", "tex.l1_bytes"),
            (f.FETCH_CACHE, "icache", "icache.l1_bytes"),
        ):
            if place == f.FETCH_CACHE and self.number("icache.miss_latency") == 0:
                continue
            sector = self.whole("icache.line_bytes") if place == f.FETCH_CACHE else self.sector
            line, ways = self.whole(f"{group}.line_bytes"), self.whole(f"{group}.ways")
            with cache_of(self.machine, group):
                spec = self._cache(self.whole(key), line, sector, ways)
            found[place] = sms, spec, False
        slices = self._slices()
        if self.whole("l2.size_bytes") and self.whole("l2.slices"):
            size = self.whole("l2.size_bytes") // slices
            line = max(self.whole("l2.line_bytes"), self.sector)
            with cache_of(self.machine, "l2"):
                spec = self._cache(size, line, self.sector, self.whole("l2.ways"))
            found[f.L2_CACHE] = slices, spec, True
        return found

    @staticmethod
    def _cache(size: int, line: int, sector: int, ways: int) -> CacheSpec:
        """Make a cache of about a size: of whole sets, and of whole sectors."""
        line = max(line // sector, 1) * sector
        lines = max(1, size // line)
        ways = min(ways, lines)
        return CacheSpec(lines // ways * ways * line, line, sector, ways)

    def l1(self, there: bool) -> dict[int, int]:
        """Settings of L1; where there is none, registers for misses stand before the network."""
        real = there and self.whole("l1.size_bytes") > 0
        per_thread = self.whole("mshr.per_thread")
        bypass = not real or not self.machine.flag("l1.caches_global")
        latency = self.to_unit(self.number("l1.latency")) if real else 0
        past, missed = 1, latency + f.ISSUE_TO_NETWORK
        if real and not self.depth:  # what L2 takes is stated of the usual way there
            past = missed = past if bypass else missed
        return {
            f.L1_KEEPS: int(real),
            f.L1_LATENCY: latency,
            f.MISS_CYCLES: missed,
            f.PAST_L1_CYCLES: past,
            f.L1_SECTOR_TICKS: self._l1_sector_ticks(),
            f.SHARED_ATOMIC_TICKS: 0
            if self.depth
            else round(f.TICKS * self.number("interval.shared_atomic")),
            f.L1_MSHRS: self._l1_mshrs() if real else self._thread_mshrs(),
            f.L1_MERGE: self._merges("l1.mshr_merge") if real else self.whole("coalesce.inter"),
            f.SECTORS_OF_REQUEST: self.whole("coalesce.intra"),
            f.WAITERS: _MOST_WAITERS,
            f.L1_QUEUE: self.whole("l1.miss_queue"),
            f.L1_WRITE: _WRITES[self.machine.text("l1.write")],
            f.L1_ALLOCATES: int(self.machine.flag("l1.write_allocate")),
            f.CONST_LATENCY: self.to_unit(self.number("const.l1_latency")),
            f.TEX_LATENCY: self.to_unit(self.number("tex.latency")),
            f.LOADS_PER_WARP: per_thread if bypass else 0,
            f.SECTOR_BYTES: self.sector,
        }

    def _l1_sector_ticks(self) -> int:
        """The ticks that L1 takes for a sector; simulators move whole sectors a cycle."""
        rate = self.number("l1.bytes_per_clk") / self.sector
        if self.depth:
            rate = max(1, int(rate))
        return max(1, round(f.TICKS / rate))

    def _thread_mshrs(self) -> int:
        """How many misses all threads of an SM may have under way where L1 is none."""
        return self.whole("mshr.per_thread") * self.whole("sm.max_threads")

    def _merges(self, key: str) -> int:
        """How many accesses wait for a sector at most: simulators have a limit.

        L1 of Volta and later takes any number of misses, and of hits to what is on its way (V100
        whitepaper: a streaming cache); of older ones and of L2 only limits of simulators are known.
        """
        return self.whole(key) if self.depth else _MOST_WAITERS

    def _l1_mshrs(self) -> int:
        """The sectors that may be under way: entries are lines, in simulators sectors."""
        sectors = 1 if self.depth else self.whole("l1.line_bytes") // self.sector
        return self.whole("l1.mshr_entries") * max(1, sectors)

    def network(self) -> dict[int, int]:
        """The network: switches in stages for a butterfly, else a crossbar."""
        sms, slices = self.whole("sm.count"), max(1, self._slices())
        stages = 0
        ends = max(sms, slices)
        if self.machine.text("icnt.topology").startswith("butterfly"):
            stages = max(1, math.ceil(math.log(ends, self.whole("icnt.radix")) - 1e-9))
        return {
            f.NET_STAGES: stages,
            f.NET_RADIX: self.whole("icnt.radix"),
            f.LINKS: self.whole("icnt.radix") ** stages if stages else 1,
            f.NET_LATENCY: max(1, self.whole("icnt.latency")),
            f.NET_TICKS_HEAD: self._packet(0),
            f.NET_TICKS_DATA: self._packet(self.sector),
            f.NET_TICKS_JOINED: self._joined(),
            f.NET_BUFFER: self._under_way(),
            f.NET_SPEEDUP: self.whole("icnt.input_speedup"),
            f.NET_TURNS: self._turns(),
        }

    def _under_way(self) -> int:
        """The packets of an SM under way at most: in hardware, as many as L1 may miss."""
        most = self.whole("icnt.buffer")
        return most if self.depth else max(most, self._l1_mshrs())

    def _turns(self) -> int:
        """The turns of the network in a cycle: its own cycles, or what a port's rate needs."""
        rate = 1 / self.per_clock
        if self.depth == 0:
            rate = self.number("icnt.bytes_per_clk_per_sm") / self.sector
        return max(1, math.ceil(rate - 1e-9))

    def _packet(self, payload: int) -> int:
        """The ticks that a packet takes: by its flits, and by the rate of the port."""
        rate = payload / self.number("icnt.bytes_per_clk_per_sm")
        if self.depth == 0:
            return max(1, round(f.TICKS * max(rate, self._head())))
        flits = -(-(payload + _HEADER_BYTES) // self.whole("icnt.flit_bytes"))
        return round(f.TICKS * max(flits * self.per_clock, rate))

    def _head(self) -> float:
        """The cycles of a packet without a sector: a quarter, or those of a sector."""
        return min(0.25, self.sector / self.number("icnt.bytes_per_clk_per_sm"))

    def _joined(self) -> int:
        """The ticks of a sector beside another's: its flits without an address, or bytes."""
        flits = self._packet(self.sector) - self._packet(0)
        rate = self.sector / self.number("icnt.bytes_per_clk_per_sm")
        return max(flits, round(f.TICKS * rate))

    def _slices(self) -> int:
        """How many slices there are, as many for each channel.

        One takes a packet a cycle, and a crossbar whose queues block carries less than that: of a
        measured rate that is more than it carries there have to be more of them.
        """
        channels = self._channels()
        if not self.whole("l2.size_bytes"):
            return channels
        slices = self.whole("l2.slices")
        if self.depth:
            return max(channels, slices // channels * channels)
        needed = min(self._ports_needed(), _MOST_PORTS)
        return max(1, math.ceil(max(slices, needed) / channels)) * channels

    def _ports_needed(self) -> float:
        """How many ports a crossbar needs that carries what L2 is said to give."""
        return self.number("l2.bytes_per_clk") / (_CARRIED * self.sector)

    def _channels(self) -> int:
        """The channels; one whose bursts leave gaps on its bus is several narrower ones."""
        return self.whole("dram.channels") * self._split()

    def _split(self) -> int:
        """2 for a channel of double width, as those of DDR memory on many boards, else 1."""
        if self.depth or "DDR" not in self.machine.text("dram.type"):
            return 1
        moved = self.number("dram.timing.ccd") * self.number("dram.bytes_per_clk_per_channel")
        return 2 if moved >= 2 * max(self.whole("dram.burst_bytes"), self.sector) else 1

    def l2(self, known: dict[int, int]) -> dict[int, int]:
        """The slices of L2; without it a channel has one place where its requests come in."""
        slices, channels = self._slices(), self._channels()
        has_l2 = self.whole("l2.size_bytes") > 0 and self.whole("l2.slices") > 0
        rate = l2_bytes_per_clk(self.machine) / slices if has_l2 else 0
        at_once = self._at_once()
        ticks = f.TICKS * self.sector * at_once / rate if rate else f.TICKS * self.per_clock
        if self.depth:
            delay = self.whole("l2.pipeline_latency") if has_l2 else 0
        else:
            way = self._way(known) + (max(1, round(ticks)) - 1) // f.TICKS
            delay = max(0, self.whole("l2.latency") - way) if has_l2 else 0
        return {
            f.HAS_L2: int(has_l2),
            f.SLICES: slices,
            f.SUBSLICES: slices // channels,
            f.SLICE_TICKS: max(1, round(ticks)),
            f.WRITE_TICKS: max(1, round(ticks * self._write_cost())),
            f.L2_PARTS: self._parts(),
            f.ATOMIC_TICKS: round(f.TICKS * self.number("l2.atomic_cycles")),
            f.SECTORS_AT_ONCE: at_once,
            f.ATOMIC_FIRST_TICKS: self._atomic_first(max(1, round(ticks))),
            f.L2_DELAY: delay,
            f.L2_MSHRS: self.whole("l2.mshr_entries"),
            f.L2_MERGE: self._merges("l2.mshr_merge"),
            f.L2_WRITE_BACK: 1,
            f.SECTORS_OF_CHUNK: max(1, self.whole("l2.interleave_bytes") // self.sector),
            f.SECTORS_OF_LINE: max(1, self.whole("l2.line_bytes") // self.sector),
            f.HASHES: self._hash(slices),
        }

    def _at_once(self) -> int:
        """The sectors that L2 takes at once; simulators' take one after the other."""
        return 1 if self.depth else max(1, self.whole("l2.access_bytes") // self.sector)

    def _write_cost(self) -> float:
        """How many turns of a slice a store takes; simulators' take one."""
        return 1.0 if self.depth else self.number("l2.write_cost")

    def _atomic_first(self, of_slice: int) -> int:
        """Time of an atomic of one lane: a turn of a slice, of those that there are.

        ``of_slice`` are the ticks of those that the model has (see ``_slices``).
        """
        rate = self.number("l2.bytes_per_clk")
        if self.depth or not self.whole("l2.slices") or not rate:
            return of_slice
        return max(1, round(f.TICKS * self.sector * self.whole("l2.slices") / rate))

    def _parts(self) -> int:
        """State of sectors written in part in L2; simulators know only that they are.

        Memory that corrects errors, and GDDR, whose bursts carry a checksum, takes whole sectors;
        plain HBM takes single bytes.
        """
        if self.depth:
            return f.PARTS_NONE
        return f.PARTS_KEPT if self.machine.text("dram.type").startswith("HBM") else f.PARTS_FILLED

    def _hash(self, slices: int) -> int:
        name = self.machine.text("l2.hash")
        if name == "linear":
            return 0
        polynomial = name == "ipoly" and can_divide(slices)
        return f.HASH_POLYNOMIAL if polynomial else f.HASH_XOR

    def _way(self, known: dict[int, int]) -> int:
        """Latency of a load to L2 and back beside L2's own delay."""
        return known[f.LSU_CYCLES] + known[f.MISS_CYCLES] + _AWAY + 2 * known[f.NET_LATENCY]

    def dram(self, known: dict[int, int]) -> dict[int, int]:
        """The DRAM channels, their times in ticks of the SM's clock."""
        clock = f.TICKS * self.number("clock.sm_mhz") / self.number("clock.mem_mhz")
        burst = self.whole("dram.burst_bytes")
        moved = -(-self.sector // burst) * burst
        times = {
            place: round(clock * self.number(f"dram.timing.{key}"))
            for place, key in _TIMING.items()
        }
        rate = self.number("dram.bytes_per_clk_per_channel") / self._split()
        data = clock * moved / rate * self._slower()
        if self.depth:
            delay = self.whole("dram.pipeline_latency")
        else:
            taken = (times[f.T_RCD] + times[f.T_CL] + data) / f.TICKS + 3
            before = known[f.L2_DELAY] + self._way(known)
            delay = max(0, round(self.number("dram.latency") - before - taken))
        queue = self.whole("dram.queue")
        if known[f.HAS_L2] and not self.depth:  # what is on its way there does not wait in it yet
            queue += round(delay * f.TICKS / data)
        page = self.whole("dram.page_bytes") * self.whole("dram.chips_per_channel")
        return times | {
            f.CHANNELS: self._channels(),
            f.BANKS: self.whole("dram.banks"),
            f.BANK_GROUPS: self.whole("dram.timing.n_bank_groups"),
            f.DRAM_QUEUE: queue,
            f.DRAM_DELAY: delay,
            f.DRAM_FIRST_READY: int(self.machine.text("dram.scheduler") == "FR-FCFS"),
            f.PAGE_SECTORS: max(1, page // self.sector),
            f.T_BURST: max(1, round(data)),
            f.MIXED_LOSS: self._mixed_loss(),
        }

    def _slower(self) -> float:
        """How much longer a burst takes than its bus says, where less was measured of reads.

        That is refresh, checks and gaps; this model's own gaps leave _STREAMED of the bus's rate.
        """
        if self.depth:
            return 1.0
        share = self.number("dram.measured_gbs") / self.number("dram.bandwidth_gbs")
        return max(1.0, _STREAMED / share)

    def _mixed_loss(self) -> int:
        """Cost of the bus turnarounds for a write among reads alone, in parts of a burst."""
        return 0 if self.depth else round(4 * f.TICKS * (1 - self.number("dram.mixed_efficiency")))


_CACHE_PLACES = {
    f.OF_L1: f.L1_CACHE, f.OF_CONST: f.CONST_CACHE, f.OF_TEX: f.TEX_CACHE,
    f.OF_FETCH: f.FETCH_CACHE, f.OF_L2: f.L2_CACHE,
}  # fmt: skip

_TIMING = {
    f.T_CCD: "ccd", f.T_CCDL: "ccdl", f.T_RRD: "rrd", f.T_RCD: "rcd", f.T_RAS: "ras",
    f.T_RP: "rp", f.T_RC: "rc", f.T_CL: "cl", f.T_WL: "wl", f.T_CDLR: "cdlr", f.T_WR: "wr",
    f.T_RTPL: "rtpl",
}  # fmt: skip


# Polynomial hashing of slices: a table of remainders, one look-up for each byte of an address.
#
# The number of a chunk of memory, read as a polynomial over two elements, leaves its slice as the
# remainder by an irreducible polynomial (Rau, "Pseudo-randomly interleaved memory", ISCA 1991), so
# that chunks a power of two apart meet in no slice more often than others.

TABLE_BYTES = 6
"""Bytes of a turn round the slices that the table knows; no address has more."""

_POLYNOMIALS = (
    1, 0b11, 0b111, 0b1011, 0b10011, 0b100101, 0b1000011, 0b10000011, 0b100011101, 0b1000010001,
    0b10000001001, 0b100000000101, 0b1000001010011,
)  # fmt: skip
"""An irreducible polynomial of each degree."""


def can_divide(slices: int) -> bool:
    """Whether a number of slices has a polynomial: powers of two, up to 4096."""
    return slices & (slices - 1) == 0 and slices.bit_length() <= len(_POLYNOMIALS)


def remainders(slices: int) -> npt.NDArray[np.int64]:
    """Contribution of each byte of a turn to the remainder, shape (TABLE_BYTES * 256,).

    Remainders add up bit by bit. A turn begins where the bits of one round of slices end.
    """
    degree = slices.bit_length() - 1
    bits, value = [], int(slices > 1)
    for _ in range(degree + 8 * TABLE_BYTES):
        bits.append(value)
        value <<= 1
        if value >> degree & 1:
            value ^= _POLYNOMIALS[degree]
    table = np.zeros((TABLE_BYTES, 256), np.int64)
    for byte in range(TABLE_BYTES):
        for bit in range(8):
            on = np.arange(256) >> bit & 1 != 0
            table[byte, on] ^= bits[degree + 8 * byte + bit]
    return table.reshape(-1)
