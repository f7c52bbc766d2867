"""What caches did while launches ran: in total, by launch, by instruction."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from warpmill.simulator.machines.model import Value
from warpmill.simulator.memory.cache import CacheSpec
from warpmill.simulator.memory.counts import MemoryCounts

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

    @property
    def l1_load_hit_rate(self) -> float | None:
        """Hits of loads in L1 by their accesses to it; None without any."""
        loads = [i.counts.l1 for one in self.launches for i in one.instructions if i.kind == "load"]
        accesses = sum(level.accesses for level in loads)
        return sum(level.hits for level in loads) / accesses if accesses else None


def as_dict(result: CacheResult) -> dict[str, object]:
    """Put a result into texts, numbers, lists and dicts; a hit rate is None without accesses."""
    total = result.total
    return {
        "l1_hit_rate": total.l1.hit_rate,
        "l1_load_hit_rate": result.l1_load_hit_rate,
        "l2_hit_rate": total.l2.hit_rate,
        "l2_bytes": total.l2_bytes,
        "dram_bytes": total.dram_bytes,
        "waiting_bytes": result.waiting_bytes,
        "machine": result.machine,
        "sms": result.sms,
        "l1": _words(result.l1),
        "l2": _words(result.l2),
        "kept_between_launches": result.keep,
        "mark": "modelled",
        "assumed": [f"{key} = {value.value}" for key, value in result.assumed],
        "total": _counts(total),
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
    counts = _counts(one.total)
    instructions = [_instruction(i) for i in one.instructions]
    return {"index": one.index, "kernel": one.kernel, **counts, "instructions": instructions}


def _instruction(one: InstructionCaches) -> dict[str, object]:
    named = asdict(one)
    return {**named, "counts": _counts(one.counts)}


def _counts(counts: MemoryCounts) -> dict[str, object]:
    own = asdict(counts)
    l1, l2 = ({**own.pop(n), "hit_rate": getattr(counts, n).hit_rate} for n in ("l1", "l2"))
    return {**own, "l2_bytes": counts.l2_bytes, "dram_bytes": counts.dram_bytes, "l1": l1, "l2": l2}
