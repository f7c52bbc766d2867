"""Numbers that the engine reads of a machine: what each is, and how it follows from its file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from warpmill.simulator.assembler.costs import cost_table
from warpmill.simulator.gpu import constants as c
from warpmill.simulator.gpu.slice_hash import can_divide
from warpmill.simulator.machines.model import (
    CONSTANTS_APART,
    Machine,
    capability_of,
    fetches_on_write,
    fills_parts,
    l1_sector_bytes,
    l2_bytes_per_clk,
    moved_sector_bytes,
)
from warpmill.simulator.memory.cache import CacheSpec, cache_of, l1_spec

_POLICIES = {
    "rr": c.POLICY_LRR,
    "lrr": c.POLICY_LRR,
    "gto": c.POLICY_GTO,
    "two_level": c.POLICY_TWO_LEVEL,
}
_WRITES = {"through": c.WRITE_THROUGH, "back": c.WRITE_BACK, "local_back": c.WRITE_LOCAL_BACK}
_HEADER_BYTES = 8
"""Header of a packet: address and command; a flit of 40 B is it and a sector (GPGPU-Sim)."""
_AWAY = 7  # cycles to L2 and back that are no delay of either: see lsu.py, requests.py
_MEASURED_WITH = 10
"""Instructions of the CTA that launch.block_cycles was measured with."""
_MOST_WAITERS = 4096
"""Sectors that the accesses of an SM wait for in its caches together, each counted for itself."""
_LOCAL_BYTES = 16
"""Unit in which a thread has local memory: the widest access of a lane."""
_LOCAL_SECTORS = 1 << 12
"""Sectors of a warp slot's local memory where kernels do not say how much a thread has."""
_STREAMED = 0.96
"""Share of a channel's rate that this model moves of a stream that is only read."""
_CARRIED = 0.58
"""Share of its ports' rate that a crossbar carries whose queues block behind their first packet."""

_MOST_PORTS = 640
"""Ports of the network to L2 at the most, beside those that a machine states.

GPUs need 300 for what was measured of them. Each is a slice of its own, and very many small ones
would take longer, and keep less, than they carry.
"""


MACHINE_NUMBERS = (
    # Streaming multiprocessors.
    "sm_count",
    "schedulers_per_sm",
    "subpartitions_per_sm",
    "warps_per_sm",
    "ctas_per_sm",
    "warp_size",
    "cta_ticks",  # from the start of a CTA to that of the next one, on the whole GPU
    "cta_turnaround_cycles",  # from the end of a CTA to the first instruction of one in its place
    "start_cycles",  # from the start of a CTA to its first instruction
    # Issue.
    "scheduler_policy",
    "active_warps",  # of two-level scheduling
    "issue_ticks",
    "issue_width",
    "paired_issue_ticks",  # an instruction, of those that issue in one cycle
    "refill_cycles",  # of the front end, after a jump
    "branch_cycles",
    "barrier_cycles",
    "fetch_miss_cycles",
    "prefetched_lines",
    "fetches_from_l2",  # else a fetch that misses takes ``fetch_miss_cycles``
    "code_sectors",  # of a line of instructions
    # Units.
    "pipes_per_subpartition",
    "busy_pipes_stall",  # whether a warp does not issue to a busy pipe; else collectors take it
    "collectors_per_scheduler",
    "pending_per_sm",  # memory accesses
    "lsu_queue_size",
    "lsu_cycles",  # from the issue of an access to the load-store unit
    "lsu_ticks",  # for an access, at least
    "result_cycles",  # from the load-store unit to the registers
    "shared_ports",
    "shared_wavefront_ticks",
    "shared_atomic_ticks",
    "const_ports",
    "const_latency",
    "const_bypasses_lsu",
    "tex_ports",
    "tex_latency",
    # L1.
    "l1_holds_data",  # else its rows are the registers of misses alone
    "l1_latency",
    "l1_miss_cycles",  # from the begin of a look-up that misses to the network's port
    "l1_bypass_cycles",  # the same of loads that do not look into L1
    "l1_fill",  # sectors that L1 looks up and fills at once: those of a request
    "l1_sector_ticks",  # for what it looks up at once
    "l1_mshrs",
    "l1_merges",  # accesses that wait for a sector at most
    "l1_miss_queue",
    "l1_write_policy",
    "l1_write_allocates",
    "loads_per_warp",  # under way at most, 0: any number
    "most_waiters",  # accesses of an SM that wait for sectors in its caches
    "sectors_per_request",  # of one access that may travel together
    "sector_bytes",
    "local_sectors",  # of the local memory that each warp slot has
    # The network.
    "network_latency",
    "network_stages",  # of a butterfly, 0: a crossbar
    "network_radix",
    "links_per_stage",
    "network_speedup",  # packets of a sender that may go in a turn
    "network_turns",  # in a cycle
    "packets_per_sm",  # under way at most
    "header_ticks",  # of a packet without a sector
    "packet_ticks",  # of one with a sector
    "joined_ticks",  # of a sector that travels with another one
    # L2.
    "has_l2",
    "slice_count",
    "slices_per_channel",
    "slice_ticks",
    "slice_write_ticks",
    "atomic_ticks",  # for each lane on a word
    "atomic_first_ticks",
    "sectors_per_l2_access",
    "l2_delay",  # cycles that it answers later than it is served
    "l2_mshrs",
    "l2_merges",
    "l2_writes_back",
    "l2_partial_writes",  # what is known of sectors written in part
    "sectors_per_chunk",  # that lie in one slice
    "sectors_per_line",
    "slice_hash",
    # DRAM.
    "channel_count",
    "banks_per_channel",
    "bank_groups",
    "dram_queue",  # requests that compete
    "dram_delay",  # cycles from L2 to the queue
    "dram_first_ready",  # FR-FCFS, else FCFS
    "dram_mixed_loss",  # ticks of the bus that turnarounds take, of TICKS bursts
    "sectors_per_page",
    "t_ccd",  # ticks between column commands, of one group of banks the next one
    "t_ccdl",
    "t_rrd",  # between activates of two banks
    "t_rcd",  # activate to column command
    "t_ras",  # activate to precharge
    "t_rp",  # precharge to activate
    "t_rc",  # between activates of a bank
    "t_cl",  # read to data
    "t_wl",  # write to data
    "t_cdlr",  # written data to read
    "t_wr",  # written data to precharge
    "t_rtpl",  # read to precharge
    "t_burst",
    "lookahead",  # cycles of a window: the shortest way from L2 to an SM
)

CACHES = ("l1", "const", "tex", "icache", "l2")
"""Kinds of caches."""


@dataclass(frozen=True)
class Spec:
    """Constants of a simulation: the machine's numbers, and its caches.

    A number is an attribute too: ``spec.l1_latency``. ``caches`` has of each kind that there is
    how many there are, what each is, and whether its lines are spread over sets.
    """

    numbers: Mapping[str, int]
    caches: Mapping[str, tuple[int, CacheSpec, bool]]

    def __getattr__(self, name: str) -> int:
        """A number by its name."""
        try:
            return self.__dict__["numbers"][name]  # type: ignore[no-any-return] # it is one
        except KeyError:
            raise AttributeError(name) from None


def specify(machine: Machine, carveout_bytes: int, local_bytes: int | None = None) -> Spec:
    """Read a machine. ``carveout_bytes`` is the shared memory that its L1 gives up.

    ``local_bytes`` is the local memory of a thread; None: it is not known.
    """
    own = _Reader(machine)
    numbers = own.sm() | own.units()
    numbers["local_sectors"] = own.local_sectors(local_bytes)
    caches = own.caches(carveout_bytes)
    numbers |= own.l1("l1" in caches)
    numbers |= own.network()
    numbers |= own.l2(numbers)
    numbers |= own.dram(numbers)
    if not numbers["has_l2"]:  # what takes the way of a reply takes it from DRAM
        numbers["l2_delay"], numbers["dram_delay"] = numbers["dram_delay"], 0
    numbers["lookahead"] = numbers["l2_delay"] + numbers["network_latency"] + 1
    assert numbers.keys() == set(MACHINE_NUMBERS), numbers.keys() ^ set(MACHINE_NUMBERS)
    return Spec(numbers, caches)


class _Reader:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.depth = round(self.number("sm.pipeline_cycles"))
        self.per_clock = self.number("clock.sm_mhz") / self._network_mhz()
        self.sector = moved_sector_bytes(machine)
        self.fill = l1_sector_bytes(machine) // self.sector

    def number(self, key: str) -> float:
        return float(self.machine.number(key))

    def whole(self, key: str) -> int:
        return round(self.number(key))

    def local_sectors(self, bytes_: int | None) -> int:
        """Sectors of a warp slot's local memory; slots lie one behind the other."""
        if not bytes_:
            return _LOCAL_SECTORS
        whole = -(-bytes_ // _LOCAL_BYTES) * _LOCAL_BYTES * self.whole("machine.warp_size")
        return -(-whole // self.sector)

    def _network_mhz(self) -> float:
        found = self.machine.get("clock.l2_mhz")
        return self.number("clock.sm_mhz" if found is None else "clock.l2_mhz")

    def sm(self) -> dict[str, int]:
        """Resources of an SM, and how it issues."""
        width = self.number("sm.issue_per_scheduler")
        return {
            "sm_count": self.whole("sm.count"),
            "schedulers_per_sm": self.whole("sm.schedulers"),
            "subpartitions_per_sm": min(
                self.whole("sm.subpartitions"), self.whole("sm.schedulers")
            ),
            "warps_per_sm": self.whole("sm.max_warps"),
            "ctas_per_sm": self.whole("sm.max_blocks"),
            "warp_size": self.whole("machine.warp_size"),
            "scheduler_policy": _POLICIES[self.machine.text("scheduler.policy")],
            "active_warps": self.whole("scheduler.active_warps"),
            "issue_ticks": round(c.TICKS / min(1.0, width)),
            "issue_width": max(1, min(math.ceil(width), self.whole("front_end.fetch_width"))),
            "paired_issue_ticks": round(c.TICKS / max(1.0, width)),
            "refill_cycles": max(1, self.whole("front_end.decode_cycles")),
            "branch_cycles": max(1, self.whole("latency.branch")),
            "barrier_cycles": max(1, self.whole("latency.barrier")),
            "start_cycles": 1 + self.whole("front_end.decode_cycles"),
            "fetch_miss_cycles": self.whole("icache.miss_latency"),
            "prefetched_lines": self.whole("icache.prefetch_lines"),
            "fetches_from_l2": int(self._fetches()),
            "code_sectors": max(1, self.whole("icache.line_bytes") // self.sector),
            "cta_ticks": self._cta_ticks(),
            "cta_turnaround_cycles": self._turn(),
        }

    def _fetches(self) -> bool:
        """Whether what misses in the instruction cache is a request to L2."""
        return self.machine.flag("icache.fetches_from_l2") and self.whole("icache.miss_latency") > 0

    def _cta_ticks(self) -> int:
        """The ticks from one CTA's start to the next one's; in simulators SMs take one a cycle."""
        ticks = c.TICKS / self.number("launch.blocks_per_clk")
        return int(ticks) if self.depth else round(ticks)

    def _turn(self) -> int:
        """The cycles from the end of a CTA to the first instruction of one in its place.

        launch.block_cycles was measured with a CTA of some ten instructions, which it holds.
        """
        if self.depth:
            return 0
        own = _MEASURED_WITH * self.number("latency.int_add")
        return max(0, round(self.number("launch.block_cycles") - own))

    def units(self) -> dict[str, int]:
        """Queues and units of instructions."""
        schedulers = self.whole("sm.schedulers")
        collectors = self.whole("sm.collector_units") + 1  # and the latch before them
        reach = max(1, self.depth - 2)
        return {
            "pipes_per_subpartition": len(cost_table().pipes),
            "busy_pipes_stall": int(not self.depth),
            "collectors_per_scheduler": collectors,
            "lsu_queue_size": schedulers * collectors,
            "pending_per_sm": 12 * self.whole("sm.max_warps"),
            "lsu_cycles": reach,
            "result_cycles": self.depth - reach,
            "lsu_ticks": round(
                c.TICKS * self.number("interval.ldst") / self.whole("sm.subpartitions")
            ),
            "shared_ports": max(1, self.whole("shared.ports")),
            "shared_wavefront_ticks": round(c.TICKS / min(1.0, self.number("shared.ports"))),
            "const_ports": self.whole("const.ports"),
            "const_bypasses_lsu": int(self._constants_apart()),
            "tex_ports": self.whole("tex.ports"),
        }

    def _constants_apart(self) -> bool:
        """Whether loads of constants leave the load-store unit alone."""
        return not self.depth and (capability_of(self.machine) or 0) >= CONSTANTS_APART

    def to_unit(self, latency: float) -> int:
        """Rest of a hit's latency once the access has come to the unit."""
        whole = latency + max(0, self.depth - 1)
        return max(0, round(whole) - max(1, self.depth - 2) - 1)

    def caches(self, carveout: int) -> dict[str, tuple[int, CacheSpec, bool]]:
        """The caches that there are; each with how many, and whether its sets are hashed."""
        found: dict[str, tuple[int, CacheSpec, bool]] = {}
        sms = self.whole("sm.count")
        l1 = l1_spec(self.machine, carveout)
        if l1 is not None:
            with cache_of(self.machine, "l1"):
                spec = CacheSpec(l1.size_bytes, l1.line_bytes, self.sector, l1.ways)
            found["l1"] = sms, spec, self.machine.text("l1.hash") == "xor"
        else:
            line = self.whole("l1.line_bytes")
            entries = self._thread_mshrs()
            with cache_of(self.machine, "l1"):
                spec = CacheSpec(entries * line, line, self.sector, 0)
            found["l1"] = sms, spec, False
        for group in ("const", "tex", "icache"):
            if group == "icache" and self.number("icache.miss_latency") == 0:
                continue
            sector = self.whole("icache.line_bytes") if group == "icache" else self.sector
            line, ways = self.whole(f"{group}.line_bytes"), self.whole(f"{group}.ways")
            with cache_of(self.machine, group):
                spec = self._cache(self.whole(f"{group}.l1_bytes"), line, sector, ways)
            found[group] = sms, spec, False
        slices = self._slices()
        if self.whole("l2.size_bytes") and self.whole("l2.slices"):
            size = self.whole("l2.size_bytes") // slices
            line = max(self.whole("l2.line_bytes"), self.sector)
            with cache_of(self.machine, "l2"):
                spec = self._cache(size, line, self.sector, self.whole("l2.ways"))
            found["l2"] = slices, spec, True
        return found

    @staticmethod
    def _cache(size: int, line: int, sector: int, ways: int) -> CacheSpec:
        """Make a cache of about a size: of whole sets, and of whole sectors."""
        line = max(line // sector, 1) * sector
        lines = max(1, size // line)
        ways = min(ways, lines)
        return CacheSpec(lines // ways * ways * line, line, sector, ways)

    def l1(self, there: bool) -> dict[str, int]:
        """Settings of L1; where there is none, registers for misses stand before the network."""
        real = there and self.whole("l1.size_bytes") > 0
        per_thread = self.whole("mshr.per_thread")
        bypass = not real or not self.machine.flag("l1.caches_global")
        latency = self.to_unit(self.number("l1.latency")) if real else 0
        past, missed = 1, latency + c.ISSUE_TO_NETWORK
        if real and not self.depth:  # what L2 takes is stated of the usual way there
            past = missed = past if bypass else missed
        return {
            "l1_holds_data": int(real),
            "l1_latency": latency,
            "l1_miss_cycles": missed,
            "l1_bypass_cycles": past,
            "l1_fill": self.fill if real else 1,
            "l1_sector_ticks": self._l1_sector_ticks(),
            "shared_atomic_ticks": 0
            if self.depth
            else round(c.TICKS * self.number("interval.shared_atomic")),
            "l1_mshrs": self._l1_mshrs() if real else self._thread_mshrs(),
            "l1_merges": self._merges("l1.mshr_merge") if real else self.whole("coalesce.inter"),
            "sectors_per_request": self.whole("coalesce.intra"),
            "most_waiters": _MOST_WAITERS,
            "l1_miss_queue": self.whole("l1.miss_queue"),
            "l1_write_policy": _WRITES[self.machine.text("l1.write")],
            "l1_write_allocates": int(self.machine.flag("l1.write_allocate")),
            "const_latency": self.to_unit(self.number("const.l1_latency")),
            "tex_latency": self.to_unit(self.number("tex.latency")),
            "loads_per_warp": per_thread if bypass else 0,
            "sector_bytes": self.sector,
        }

    def _l1_sector_ticks(self) -> int:
        """The ticks that L1 takes for a sector; simulators move whole sectors a cycle."""
        rate = self.number("l1.bytes_per_clk") / (self.sector * self.fill)
        if self.depth:
            rate = max(1, int(rate))
        return max(1, round(c.TICKS / rate))

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

    def network(self) -> dict[str, int]:
        """The network: switches in stages for a butterfly, else a crossbar."""
        sms, slices = self.whole("sm.count"), max(1, self._slices())
        stages = 0
        ends = max(sms, slices)
        if self.machine.text("icnt.topology").startswith("butterfly"):
            stages = max(1, math.ceil(math.log(ends, self.whole("icnt.radix")) - 1e-9))
        return {
            "network_stages": stages,
            "network_radix": self.whole("icnt.radix"),
            "links_per_stage": self.whole("icnt.radix") ** stages if stages else 1,
            "network_latency": max(1, self.whole("icnt.latency")),
            "header_ticks": self._packet(0),
            "packet_ticks": self._packet(self.sector),
            "joined_ticks": self._joined(),
            "packets_per_sm": self._under_way(),
            "network_speedup": self.whole("icnt.input_speedup"),
            "network_turns": self._turns(),
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
            return max(1, round(c.TICKS * max(rate, self._head())))
        flits = -(-(payload + _HEADER_BYTES) // self.whole("icnt.flit_bytes"))
        return round(c.TICKS * max(flits * self.per_clock, rate))

    def _head(self) -> float:
        """The cycles of a packet without a sector: a quarter, or those of a sector."""
        return min(0.25, self.sector / self.number("icnt.bytes_per_clk_per_sm"))

    def _joined(self) -> int:
        """The ticks of a sector beside another's: its flits without an address, or bytes."""
        flits = self._packet(self.sector) - self._packet(0)
        rate = self.sector / self.number("icnt.bytes_per_clk_per_sm")
        return max(flits, round(c.TICKS * rate))

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

    def l2(self, known: dict[str, int]) -> dict[str, int]:
        """The slices of L2; without it a channel has one place where its requests come in."""
        slices, channels = self._slices(), self._channels()
        has_l2 = self.whole("l2.size_bytes") > 0 and self.whole("l2.slices") > 0
        rate = l2_bytes_per_clk(self.machine) / slices if has_l2 else 0
        at_once = self._at_once()
        ticks = c.TICKS * self.sector * at_once / rate if rate else c.TICKS * self.per_clock
        if self.depth:
            delay = self.whole("l2.pipeline_latency") if has_l2 else 0
        else:
            way = self._way(known) + (max(1, round(ticks)) - 1) // c.TICKS
            delay = max(0, self.whole("l2.latency") - way) if has_l2 else 0
        return {
            "has_l2": int(has_l2),
            "slice_count": slices,
            "slices_per_channel": slices // channels,
            "slice_ticks": max(1, round(ticks)),
            "slice_write_ticks": max(1, round(ticks * self._write_cost())),
            "l2_partial_writes": self._parts(),
            "atomic_ticks": round(c.TICKS * self.number("l2.atomic_cycles")),
            "sectors_per_l2_access": at_once,
            "atomic_first_ticks": self._atomic_first(max(1, round(ticks))),
            "l2_delay": delay,
            "l2_mshrs": self.whole("l2.mshr_entries"),
            "l2_merges": self._merges("l2.mshr_merge"),
            "l2_writes_back": 1,
            "sectors_per_chunk": max(1, self.whole("l2.interleave_bytes") // self.sector),
            "sectors_per_line": max(1, self.whole("l2.line_bytes") // self.sector),
            "slice_hash": self._hash(slices),
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
        return max(1, round(c.TICKS * self.sector * self.whole("l2.slices") / rate))

    def _parts(self) -> int:
        """State of sectors written in part in L2; simulators know only that they are."""
        if self.depth:
            return c.PARTS_NONE
        if fetches_on_write(self.machine):
            return c.PARTS_FETCHED
        return c.PARTS_FILLED if fills_parts(self.machine) else c.PARTS_KEPT

    def _hash(self, slices: int) -> int:
        name = self.machine.text("l2.hash")
        if name == "linear":
            return c.HASH_LINEAR
        polynomial = name == "ipoly" and can_divide(slices)
        return c.HASH_POLYNOMIAL if polynomial else c.HASH_XOR

    def _way(self, known: dict[str, int]) -> int:
        """Latency of a load to L2 and back beside L2's own delay."""
        return known["lsu_cycles"] + known["l1_miss_cycles"] + _AWAY + 2 * known["network_latency"]

    def dram(self, known: dict[str, int]) -> dict[str, int]:
        """The DRAM channels, their times in ticks of the SM's clock."""
        clock = c.TICKS * self.number("clock.sm_mhz") / self.number("clock.mem_mhz")
        burst = self.whole("dram.burst_bytes")
        moved = -(-self.sector // burst) * burst
        times = {f"t_{x}": round(clock * self.number(f"dram.timing.{x}")) for x in _TIMING}
        rate = self.number("dram.bytes_per_clk_per_channel") / self._split()
        data = clock * moved / rate * self._slower()
        if self.depth:
            delay = self.whole("dram.pipeline_latency")
        else:
            taken = (times["t_rcd"] + times["t_cl"] + data) / c.TICKS + 3
            before = known["l2_delay"] + self._way(known)
            delay = max(0, round(self.number("dram.latency") - before - taken))
        queue = self.whole("dram.queue")
        if known["has_l2"] and not self.depth:  # what is on its way there does not wait in it yet
            queue += round(delay * c.TICKS / data)
        page = self.whole("dram.page_bytes") * self.whole("dram.chips_per_channel")
        return times | {
            "channel_count": self._channels(),
            "banks_per_channel": self.whole("dram.banks"),
            "bank_groups": self.whole("dram.timing.n_bank_groups"),
            "dram_queue": queue,
            "dram_delay": delay,
            "dram_first_ready": int(self.machine.text("dram.scheduler") == "FR-FCFS"),
            "sectors_per_page": max(1, page // self.sector),
            "t_burst": max(1, round(data)),
            "dram_mixed_loss": self._mixed_loss(),
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
        return 0 if self.depth else round(4 * c.TICKS * (1 - self.number("dram.mixed_efficiency")))


_TIMING = (
    "ccd", "ccdl", "rrd", "rcd", "ras", "rp", "rc", "cl", "wl", "cdlr", "wr", "rtpl",
)  # fmt: skip
