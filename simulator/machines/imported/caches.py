"""What a configuration says of caches and of shared memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from warpmill.simulator.machines.imported.settings import Settings, Stated
from warpmill.simulator.machines.model import Machine

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
_HASHES = frozenset("HPX")


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
    has_hash = found["hash"] is not None and found["hash"] in _HASHES
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
    """Give the data L1 of an SM."""
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
    """Give size and ways; where L1 shares an array with shared memory, those of the whole array."""
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
    """Give the L2 of all slices together."""
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
    """Give the caches of constants, textures and instructions; ``base`` is the fallback."""
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
    """Give what a fetch that misses takes: nothing, or a trip to L2."""
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
    """Give the sizes of shared memory; ``base`` is what the machine falls back on."""
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
    """Give the sizes in KiB that shared memory can take; one where L1 has an array of its own."""
    key, option, size = "shared.carveout_kib", "gpgpu_shmem_option", "gpgpu_shmem_size"
    if not s.flag("gpgpu_adaptive_cache_config"):
        return s.stated(key, (most,), size)
    if s.says(option):
        sizes = {*s.counts(option, ","), most}
        return s.stated(key, tuple(sorted(sizes)), option, size)
    sizes = {*(kib for kib in base.integers(key) if kib < most), most}
    words = f"A as the machine that this one falls back on, up to {s.source_of(size)}"
    return Stated(key, tuple(sorted(sizes)), words, (size,))
