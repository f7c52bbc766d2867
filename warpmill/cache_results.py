"""What caches did while launches ran: in total, by launch, by instruction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from simulator.machines.model import Value
from simulator.memory.cache import CacheSpec
from simulator.memory.counts import MemoryCounts

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
