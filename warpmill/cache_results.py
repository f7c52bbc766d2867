"""What caches did while launches ran: in total, by launch, by instruction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from simulator.machines.model import Value
from simulator.memory.cache import CacheSpec
from simulator.memory.counts import LevelCounts, MemoryCounts

Keep = Literal["all", "l2", "nothing"]
"""What is still in the caches when the next launch begins."""


@dataclass(frozen=True)
class InstructionCaches:
    """What the accesses of one kind of one instruction did. ``line`` is that of the source."""

    block: int
    instruction: int
    line: int
    opcode: str
    kind: str
    counts: MemoryCounts


@dataclass(frozen=True)
class LaunchCaches:
    """What a launch did: in total, and by those instructions that left the SM, in their order.

    ``total`` has beside them what was written back when caches were emptied after the launch.
    """

    index: int
    kernel: str
    total: MemoryCounts
    instructions: tuple[InstructionCaches, ...]


@dataclass(frozen=True)
class CacheResult:
    """What launches did to caches. All counts are modelled: exact for these caches, in this order.

    ``waiting_bytes`` are dirty at the end, and are not in ``dram_writes``. ``machine`` is where the
    caches come from, and ``assumed`` what nobody states of it.
    """

    l1: CacheSpec | None
    l2: CacheSpec | None
    sms: int
    keep: Keep
    launches: tuple[LaunchCaches, ...]
    total: MemoryCounts
    waiting_bytes: int
    machine: str | None = None
    assumed: tuple[tuple[str, Value], ...] = ()


def as_dict(result: CacheResult) -> dict[str, object]:
    """Put a result into texts, numbers, lists and dicts, with hit rates (null without accesses)."""
    return {
        "mark": "modelled",
        "machine": result.machine,
        "assumed": [f"{key} = {value.value}" for key, value in result.assumed],
        "sms": result.sms,
        "kept between launches": result.keep,
        "l1": _words(result.l1),
        "l2": _words(result.l2),
        "bytes not yet written back": result.waiting_bytes,
        "total": _counts(result.total),
        "launches": [_launch(one) for one in result.launches],
    }


def _words(spec: CacheSpec | None) -> str:
    if spec is None:
        return "none"
    ways = f"{spec.ways} ways" if spec.ways else "fully associative"
    sizes = f"{spec.size_bytes} B, lines of {spec.line_bytes} B, sectors of {spec.granule_bytes} B"
    stores = "allocated" if spec.write_allocate else "not allocated"
    return f"{sizes}, {ways}, {spec.replacement}, write-{spec.write}, stores {stores}"


def _launch(one: LaunchCaches) -> dict[str, object]:
    found = [
        {"block": i.block, "instruction": i.instruction, "line": i.line, "opcode": i.opcode,
         "kind": i.kind, **_counts(i.counts)}
        for i in one.instructions
    ]  # fmt: skip
    return {
        "index": one.index,
        "kernel": one.kernel,
        **_counts(one.total),
        "instructions": found,
    }


def _counts(counts: MemoryCounts) -> dict[str, object]:
    return {
        "warp accesses": counts.warp_accesses,
        "l1": _level(counts.l1),
        "l2": _level(counts.l2),
        "l2 reads": counts.l2_reads,
        "l2 writes": counts.l2_writes,
        "l2 atomics": counts.l2_atomics,
        "l2 bytes": counts.l2_bytes,
        "dram reads": counts.dram_reads,
        "dram writes": counts.dram_writes,
        "dram bytes": counts.dram_bytes,
    }


def _level(level: LevelCounts) -> dict[str, object]:
    return {
        "accesses": level.accesses,
        "hits": level.hits,
        "sector misses": level.sector_misses,
        "misses": level.misses,
        "evictions": level.evictions,
        "write-backs": level.write_backs,
        "hit rate": level.hit_rate,
    }
