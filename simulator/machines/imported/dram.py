"""What a configuration says of DRAM: width, timing, how addresses are dealt out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from warpmill.simulator.machines.imported.settings import Settings, Stated, shown

_ORDER = ("nbk", "CCD", "RRD", "RCD", "RAS", "RP", "RC", "CL", "WL", "CDLR", "WR", "nbkgrp", "CCDL",
          "RTPL")  # fmt: skip
_LATER = {"nbkgrp": 1, "CCDL": 0, "RTPL": 0}  # what the first DRAM models of GPGPU-Sim lack
_KEYS = {"nbk": "dram.banks", "nbkgrp": "dram.timing.n_bank_groups"}
_MAPPING = re.compile(r"(?:dramid@(?P<start>\d{1,2});)?(?P<bits>[01DRBCSdrbcsX.|]+)")
_SCHEDULERS = {0: "FCFS", 1: "FR-FCFS"}
_NO_LIMIT = 65536  # what stands for a queue without an end: the most that a machine can have
_CHANNEL = ("gpgpu_dram_buswidth", "gpgpu_n_mem_per_ctrlr")


def dram(s: Settings) -> Iterator[Stated]:
    """Give width, scheduler and timing of the DRAM."""
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


_HASHES = {0: "linear", 2: "ipoly"}
"""What memory_partition_indexing means here; its other values mix in other bits."""


def mapping(s: Settings) -> Iterator[Stated]:
    """Give how addresses are dealt out to channels and rows."""
    option, hashing = "gpgpu_mem_addr_mapping", "gpgpu_memory_partition_indexing"
    if s.says(hashing):
        yield s.stated("l2.hash", _HASHES.get(s.count(hashing), "xor"), hashing)
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
