"""Memory of a configuration: caches, shared memory, BookSim's network to L2, DRAM."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from warpmill.analyzer.base.diagnostics import InputError, Severity, Source, Span, at
from warpmill.simulator.machines.imported.settings import Settings, Stated, file_name, places, shown
from warpmill.simulator.machines.model import Machine

# Caches and shared memory.

SECTOR_BYTES = 32
_LINE_A_CYCLE = 128  # what an L1 whose banks are not named serves
_FORM = re.compile(
    r"(?:(?P<kind>[NS]):)?(?P<sets>\d{1,9}):(?P<line>\d{1,9}):(?P<ways>\d{1,9})"
    r",[A-Z]:(?P<write>[RBTEL]):[a-z](?::(?P<allocate>[NWFL])(?::(?P<hash>[A-Z]))?)?"
    r",[A-Z]:(?P<entries>\d{1,9}):(?P<merge>\d{1,9})"
    r"(?:,(?P<queue>\d{1,9})(?::\d{1,9})?(?:,\d{1,9})?)?,?"
)
_WRITES = {"T": "through", "E": "through", "R": "through", "B": "back", "L": "local_back"}
_READ_ONLY = {
    "const": "gpgpu_const_cache:l1",
    "tex": "gpgpu_tex_cache:l1",
    "icache": "gpgpu_cache:il1",
}
_HASHED_SETS = frozenset("HPX")


@dataclass(frozen=True)
class _Cache:
    """One cache as it is written; ``queue`` is None where none is named."""

    has_sectors: bool
    sets: int
    line: int
    ways: int
    write: str
    allocates: bool
    hash: str
    entries: int
    merge: int
    queue: int | None

    @property
    def size(self) -> int:
        return self.sets * self.line * self.ways


def _cache(s: Settings, option: str) -> _Cache | None:
    """Read a cache; None where there is none. InputError where it is not of the form."""
    if s.text(option) == "none":
        return None
    found = _FORM.fullmatch(s.text(option))
    words = (
        "SECTORS:SETS:LINE:WAYS,REPLACEMENT:WRITE:ALLOCATION:WRITE_ALLOCATION:HASH,MSHR:N:MERGE,…"
    )
    if found is None:
        hint = "such as S:4:128:64,L:T:m:L:L,A:512:8,16:0,32, or none"
        raise s.error(option, f"this is no cache, {words}", hint)
    numbers = [int(found[name]) for name in ("sets", "line", "ways", "entries", "merge")]
    if min(numbers) < 1 or (numbers[1] % SECTOR_BYTES and numbers[1] > SECTOR_BYTES):
        raise s.error(option, f"sizes of a cache are at least 1, lines whole {SECTOR_BYTES} B")
    sets, line, ways, entries, merge = numbers
    has_hash = found["hash"] is not None and found["hash"] in _HASHED_SETS
    return _Cache(
        found["kind"] == "S",
        sets,
        line,
        ways,
        _WRITES[found["write"]],
        (found["allocate"] or "N") != "N",
        "xor" if has_hash else "linear",
        entries,
        merge,
        int(found["queue"]) if found["queue"] else None,
    )


def l1(s: Settings) -> Iterator[Stated]:
    """The data L1 of an SM."""
    option, skip = "gpgpu_cache:dl1", "gpgpu_gmem_skip_L1D"
    cache = _cache(s, option)
    if cache is None:
        yield s.stated("l1.size_bytes", 0, option)
        yield s.stated("l1.caches_global", False, option)
        return
    yield from _l1_size(s, cache)
    yield from _common(s, "l1", cache, option)
    yield s.stated("l1.write", cache.write, option)
    yield s.stated("l1.write_allocate", cache.allocates, option)
    yield s.stated("l1.hash", cache.hash, option)
    if cache.queue:
        yield s.stated("l1.miss_queue", cache.queue, option)
    yield s.stated("l1.caches_global", not s.flag(skip), skip)
    yield from _banks(s, cache)


def _l1_size(s: Settings, cache: _Cache) -> Iterator[Stated]:
    """Size and ways; where L1 shares an array with shared memory, those of the whole array."""
    option = "gpgpu_cache:dl1"
    if not s.flag("gpgpu_adaptive_cache_config"):
        yield s.stated("l1.size_bytes", cache.size, option)
        yield s.stated("l1.ways", cache.ways, option)
        return
    unified = "gpgpu_unified_l1d_size"
    array = s.count(unified, 1) * 1024
    ways = array // (cache.sets * cache.line)
    if not ways:
        raise s.error(unified, f"the array is smaller than one way of L1, {cache.size} B")
    size = ways * cache.sets * cache.line
    yield s.stated("l1.size_bytes", size, unified, option)
    yield s.stated("l1.unified_bytes", array, unified)
    yield s.stated("l1.ways", ways, unified, option)


def _banks(s: Settings, cache: _Cache) -> Iterator[Stated]:
    option = "gpgpu_l1_banks"
    if option in s.given:
        banks = s.count(option, 1)
        yield s.stated("l1.banks", banks, option)
        width = SECTOR_BYTES if cache.has_sectors else cache.line
        yield s.stated("l1.bytes_per_clk", float(banks * width), option, "gpgpu_cache:dl1")
        return
    words = "C GPGPU-Sim: one bank where -gpgpu_l1_banks is absent"
    yield Stated("l1.banks", 1, words)
    yield Stated("l1.bytes_per_clk", float(_LINE_A_CYCLE), words)


def _common(s: Settings, group: str, cache: _Cache, option: str) -> Iterator[Stated]:
    yield s.stated(f"{group}.line_bytes", cache.line, option)
    sector = min(SECTOR_BYTES, cache.line) if cache.has_sectors else cache.line
    yield s.stated(f"{group}.sector_bytes", sector, option)
    yield s.stated(f"{group}.mshr_entries", cache.entries, option)
    yield s.stated(f"{group}.mshr_merge", cache.merge, option)


def l2(s: Settings) -> Iterator[Stated]:
    """The L2 of all slices together."""
    option, textures = "gpgpu_cache:dl2", "gpgpu_cache:dl2_texture_only"
    cache = _cache(s, option)
    if cache is None or (s.says(textures) and s.flag(textures)):
        used = (option,) if cache is None else (textures,)
        yield s.stated("l2.size_bytes", 0, *used)
        yield s.stated("l2.slices", 0, *used)
        yield s.stated("l2.bytes_per_clk", 0.0, *used)
        return
    parts = ("gpgpu_n_mem", "gpgpu_n_sub_partition_per_mchannel")
    slices = s.count(parts[0], 1) * s.count(parts[1], 1)
    yield s.stated("l2.size_bytes", cache.size * slices, option, *parts)
    yield s.stated("l2.slices", slices, *parts)
    yield s.stated("l2.ways", cache.ways, option)
    yield from _common(s, "l2", cache, option)
    core, _, clock, _ = s.numbers("gpgpu_clock_domains", ":", 4)
    rate = SECTOR_BYTES * slices * clock / core
    note = f"{SECTOR_BYTES} B a slice and clock of L2"
    yield s.stated("l2.bytes_per_clk", rate, *parts, "gpgpu_clock_domains", note=note)


def other_caches(s: Settings, base: Machine) -> Iterator[Stated]:
    """The caches of constants, textures and instructions; ``base`` is the fallback."""
    for group, option in _READ_ONLY.items():
        cache = _cache(s, option) if s.says(option) else None
        if cache is not None:
            yield s.stated(f"{group}.l1_bytes", cache.size, option)
            yield s.stated(f"{group}.line_bytes", cache.line, option)
            yield s.stated(f"{group}.ways", cache.ways, option)
    if s.says(_READ_ONLY["icache"]):
        ahead = "A GPGPU-Sim fetches the line that it needs"
        yield Stated("icache.prefetch_lines", 0, ahead, (_READ_ONLY["icache"],))
    yield from _misses_of_fetches(s, base)


def _misses_of_fetches(s: Settings, base: Machine) -> Iterator[Stated]:
    """Latency of a fetch that misses: nothing, or a trip to L2."""
    key, perfect = "icache.miss_latency", "gpgpu_perfect_inst_const_cache"
    if not s.says(perfect):
        return
    if s.flag(perfect):
        note = "instructions are always there, and so are constants"
        yield s.stated(key, 0.0, perfect, note=note)
    elif not base.number(key):
        words = f"A as l2.latency of {base.name}: fetched from L2, as {s.source_of(perfect)}"
        yield Stated(key, float(base.number("l2.latency")), words, (perfect,))


def shared_memory(s: Settings, base: Machine) -> Iterator[Stated]:
    """The sizes of shared memory; ``base`` is what the machine falls back on."""
    option, block = "gpgpu_shmem_size", "gpgpu_shmem_per_block"
    size = s.count(option)
    if s.says(block):
        yield s.stated("shared.per_block_bytes", min(s.count(block), size), block)
    elif base.integer("shared.per_block_bytes") > size:
        yield s.stated("shared.per_block_bytes", size, option, note="no CTA has more")
    note = "GPGPU-Sim limits a CTA by the shared memory of the SM alone"
    yield s.stated("shared.per_block_optin_bytes", size, option, note=note)
    yield _carve_outs(s, -(-size // 1024), base)


def _carve_outs(s: Settings, most: int, base: Machine) -> Stated:
    """The sizes in KiB that shared memory can take; one where L1 has an array of its own."""
    key, option, size = "shared.carveout_kib", "gpgpu_shmem_option", "gpgpu_shmem_size"
    if not s.flag("gpgpu_adaptive_cache_config"):
        return s.stated(key, (most,), size)
    if s.says(option):
        sizes = {*s.counts(option, ","), most}
        return s.stated(key, tuple(sorted(sizes)), option, size)
    sizes = {*(kib for kib in base.integers(key) if kib < most), most}
    words = f"A as the machine that this one falls back on, up to {s.source_of(size)}"
    return Stated(key, tuple(sorted(sizes)), words, (size,))


# The network between SMs and memory.

BOOKSIM, CROSSBAR = 1, 2
_PACKET_BYTES = 40  # a sector and its header
_TARGETS = 64  # more than a queue ever has packets for different targets ready


def network_mode(s: Settings) -> int:
    """Network that GPGPU-Sim takes: BOOKSIM or CROSSBAR."""
    mode = s.count("network_mode")
    if mode not in (BOOKSIM, CROSSBAR):
        raise s.error("network_mode", "1 (a network of booksim) or 2 (a crossbar) is needed")
    return mode


def network(s: Settings, file: Network | None) -> Iterator[Stated]:
    """The network; of a booksim network what its file says."""
    if network_mode(s) == CROSSBAR:
        yield from _crossbar(s)
        return
    if file is not None:
        yield from _booksim(file)
    if file is not None and file.flit_bytes is not None:
        yield Stated("icnt.flit_bytes", file.flit_bytes, f"C {file.file} flit_size")
        yield _rate(s, file.flit_bytes, f"C {file.file} flit_size")
    elif s.says("icnt_flit_size"):
        flit = s.count("icnt_flit_size", 1)
        yield s.stated("icnt.flit_bytes", flit, "icnt_flit_size")
        yield _rate(s, flit, f"C {s.source_of('icnt_flit_size')}")


def _crossbar(s: Settings) -> Iterator[Stated]:
    flit, buffer, subnets = "icnt_flit_size", "icnt_in_buffer_limit", "icnt_subnets"
    yield s.stated("icnt.topology", "crossbar", "network_mode")
    yield s.stated("icnt.latency", 1.0, "network_mode", note="a packet crosses in one cycle")
    yield s.stated("icnt.flit_bytes", s.count(flit, 1), flit)
    yield _rate(s, s.count(flit, 1), f"C {s.source_of(flit)}")
    note = "each target takes a packet a cycle, several of one sender's queue"
    yield s.stated("icnt.input_speedup", _TARGETS, "network_mode", note=note)
    if s.says(buffer):
        yield s.stated("icnt.buffer", s.count(buffer), buffer)
    if s.says(subnets):
        yield s.stated("icnt.subnets", s.count(subnets), subnets)


def _booksim(file: Network) -> Iterator[Stated]:
    """Values of a network file; its delays are those of one router, that is of a stage."""
    if file.topology is not None:
        yield Stated("icnt.topology", file.topology, f"C {file.file} topology, k, n")
    if file.radix is not None:
        yield Stated("icnt.radix", file.radix, f"C {file.file} k")
    if file.subnets is not None:
        yield Stated("icnt.subnets", file.subnets, f"C {file.file} subnets")
    cycles, words = file.latency_cycles, "delays of a router"
    if file.topology == "crossbar":
        cycles, words = cycles + _TO_AND_FROM, f"{words}, and {_TO_AND_FROM} to it and from it"
    yield Stated("icnt.latency", float(cycles), f"C {file.file}: {words}")


def _rate(s: Settings, flit_bytes: int, source: str) -> Stated:
    """The bytes that an SM gets in a cycle of its clock: a sector needs its packet's flits."""
    core, clock, _, _ = s.numbers("gpgpu_clock_domains", ":", 4)
    sharing = s.count("gpgpu_n_cores_per_cluster", 1)
    rate = SECTOR_BYTES / -(-_PACKET_BYTES // flit_bytes) * clock / core / sharing
    note = f"{SECTOR_BYTES} B of data and 8 B of header a packet, one port a cluster"
    return Stated("icnt.bytes_per_clk_per_sm", rate, f"{source}: {note}")


# DRAM: width, timing, and how addresses are dealt out.

_ORDER = ("nbk", "CCD", "RRD", "RCD", "RAS", "RP", "RC", "CL", "WL", "CDLR", "WR", "nbkgrp", "CCDL",
          "RTPL")  # fmt: skip
_LATER = {"nbkgrp": 1, "CCDL": 0, "RTPL": 0}  # what the first DRAM models of GPGPU-Sim lack
_KEYS = {"nbk": "dram.banks", "nbkgrp": "dram.timing.n_bank_groups"}
_MAPPING = re.compile(r"(?:dramid@(?P<start>\d{1,2});)?(?P<bits>[01DRBCSdrbcsX.|]+)")
_SCHEDULERS = {0: "FCFS", 1: "FR-FCFS"}
_NO_LIMIT = 65536  # what stands for a queue without an end: the most that a machine can have
_CHANNEL = ("gpgpu_dram_buswidth", "gpgpu_n_mem_per_ctrlr")


def dram(s: Settings) -> Iterator[Stated]:
    """Width, scheduler and timing of the DRAM."""
    width = s.count(_CHANNEL[0], 1) * s.count(_CHANNEL[1], 1)
    channels, length = "gpgpu_n_mem", "gpgpu_dram_burst_length"
    yield s.stated("dram.bus_bits", 8 * width * s.count(channels, 1), *_CHANNEL, channels)
    yield s.stated("dram.burst_bytes", width * s.count(length, 1), *_CHANNEL, length)
    yield from _scheduler(s)
    option = "gpgpu_dram_timing_opt"
    for name, clocks in _timing(s, option).items():
        key = _KEYS.get(name, f"dram.timing.{name.lower()}")
        yield s.stated(key, clocks, option)


def _scheduler(s: Settings) -> Iterator[Stated]:
    option, queue = "gpgpu_dram_scheduler", "gpgpu_frfcfs_dram_sched_queue_size"
    if s.says(option):
        if s.count(option) not in _SCHEDULERS:
            raise s.error(option, "0 (first come, first served) or 1 (FR-FCFS) is needed")
        yield s.stated("dram.scheduler", _SCHEDULERS[s.count(option)], option)
    if s.says(queue):
        note = "" if s.count(queue) else "0 is a queue without an end"
        yield s.stated("dram.queue", s.count(queue) or _NO_LIMIT, queue, note=note)


def _timing(s: Settings, option: str) -> dict[str, int]:
    """Read the timing, named or in order. InputError for what is neither."""
    parts = [part for part in s.text(option).split(":") if part]
    named = [part.partition("=") for part in parts]
    if not any(equals for _, equals, _ in named):
        named = [(name, "=", part) for name, part in zip(_ORDER, parts, strict=False)]
    words = f"a timing such as nbk=16:CCD=2:RRD=6 is needed, with {', '.join(_ORDER)}"
    found = dict(_LATER)
    for name, equals, value in named:
        if name not in _ORDER or not equals or not re.fullmatch("[0-9]{1,6}", value):
            raise s.error(option, f"{words}; not `{shown(name + equals + value)}`")
        found[name] = int(value)
    missing = [name for name in _ORDER if name not in found]
    if missing or len(parts) > len(_ORDER):
        raise s.error(option, f"{words}; {', '.join(missing) or 'nothing more'} is needed")
    return found


_SLICE_HASHES = {0: "linear", 2: "ipoly"}
"""Meanings of memory_partition_indexing here; its other values mix in other bits."""


def mapping(s: Settings) -> Iterator[Stated]:
    """How addresses are dealt out to channels and rows."""
    option, hashing = "gpgpu_mem_addr_mapping", "gpgpu_memory_partition_indexing"
    if s.says(hashing):
        yield s.stated("l2.hash", _SLICE_HASHES.get(s.count(hashing), "xor"), hashing)
    if option not in s.given:
        return
    found = _MAPPING.fullmatch(s.text(option))
    if found is None:
        hint = "such as dramid@8;00000000.00000000.0000RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS"
        raise s.error(option, "this is no mapping of addresses", hint)
    if found["start"]:
        yield s.stated("l2.interleave_bytes", 1 << int(found["start"]), option)
    columns = sum(found["bits"].upper().count(letter) for letter in "CS")
    if columns:
        note = f"{columns} bits of columns"
        yield s.stated("dram.page_bytes", 1 << columns, option, note=note)


# Reading the file of a booksim network: ``name = value;``, ``//`` comments.

_COMMENT = re.compile(r"//[^\n]*")
_STATEMENT = re.compile(r"[^;]+(;?)")
_SETTING = re.compile(r"(\w+)\s*=\s*(.+)", re.DOTALL)
_COUNT = re.compile(r"[0-9]{1,6}")
_STAGES = (
    "routing_delay",
    "vc_alloc_delay",
    "sw_alloc_delay",
    "st_prepare_delay",
    "st_final_delay",
)
_TO_AND_FROM = 3
"""Cycles to a router and from it to the other end: BookSim's statistics name a least latency of a
packet of 6 cycles where the delays of the one router are 3."""
_DELAYS = dict(zip(_STAGES, (1, 1, 1, 0, 1), strict=True))
_READ = ("topology", "k", "n", "flit_size", "subnets", *_STAGES)


@dataclass(frozen=True)
class Network:
    """Settings of a network file; None where it says nothing.

    ``radix`` are the ports of a switch of a butterfly of several stages. ``latency_cycles`` are
    cycles of the network's clock that a packet takes through one router, its own flits aside.
    """

    file: str
    topology: str | None
    radix: int | None
    flit_bytes: int | None
    subnets: int | None
    latency_cycles: int


def read_network(source: Source) -> Network:
    """Read a network file. InputError points at what is not of the form, and at wrong numbers."""
    values = {name: (text, span) for name, text, span in _settings(source) if name in _READ}
    numbers = {
        name: _count(source, name, *values[name])
        for name in _READ
        if name in values and name != "topology"
    }
    topology, radix = values.get("topology", (None,))[0], None
    if topology == "fly" and "k" in numbers:
        stages = numbers.get("n", 1)
        topology, radix = ("butterfly", numbers["k"]) if stages > 1 else ("crossbar", None)
    latency = sum(numbers.get(name, cycles) for name, cycles in _DELAYS.items())
    return Network(
        file_name(source),
        topology,
        radix,
        numbers.get("flit_size"),
        numbers.get("subnets"),
        latency,
    )


def _settings(source: Source) -> Iterator[tuple[str, str, Span]]:
    """Names and values with the places of the values."""
    text = _COMMENT.sub(lambda comment: " " * len(comment[0]), source.text)
    span = places(text)
    for found in _STATEMENT.finditer(text):
        body = found[0].rstrip(";").strip()
        start = found.start() + len(found[0]) - len(found[0].lstrip())
        setting = _SETTING.fullmatch(body)
        if setting is not None and found[1]:
            first_line = setting[2].split("\n")[0]
            yield setting[1], setting[2], span(start + setting.start(2), len(first_line))
        elif body:
            words = "settings of a network are written `name = value;`"
            place = span(start, len(body.split("\n")[0]))
            raise InputError(at(source, place, Severity.ERROR, words))


def _count(source: Source, name: str, text: str, span: Span) -> int:
    least = 0 if name in _STAGES else 1
    if _COUNT.fullmatch(text) and int(text) >= least:
        return int(text)
    words = f"{name}: a whole number of at least {least} is needed, not `{shown(text)}`"
    raise InputError(at(source, span, Severity.ERROR, words))
