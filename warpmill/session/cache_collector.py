"""A collector that sends the accesses of launches through simulated caches.

What is exact and what is not: docs/guide/cache-simulation.md. In short: the addresses, their order
in a CTA, and what caches of this kind make of them are exact. CTAs run one after another on the
executor, so that warps of different CTAs never compete for a cache as they do on a GPU; and there
is no time:
nothing is on its way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.operation import goes_past_l1
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import GLOBAL_BASE, LOCAL_WINDOW, WINDOW_BYTES
from warpmill.analyzer.memory.batches import Windows, touched_sectors
from warpmill.analyzer.memory.rules import (
    DEFAULT_RULES,
    GENERIC,
    LOCAL,
    MEMORY,
    MemoryRules,
    WarpAccesses,
)
from warpmill.executor.collectors import AccessEvents, Collector, ObservedLaunch
from warpmill.simulator.machines.model import AssumedValue, Machine, memory_rules, with_recording
from warpmill.simulator.memory.cache import (
    CacheLevels,
    CacheSpec,
    LevelAccesses,
    MemoryCounts,
    l1_spec,
    l2_spec,
    new_counts,
)
from warpmill.simulator.memory.cache_step import ATOMIC, LOAD, NONE, STORE, WARPS

Numbers = npt.NDArray[np.int64]

LOCAL_START = 0x4_0000_0000_00
"""Start of all warps' local memory, above what launches allocate."""

KINDS = {"load": LOAD, "store": STORE, "atomic": ATOMIC}
WAYS = {"global": MEMORY, "local": LOCAL, "generic": GENERIC}


class CacheCollector(Collector):
    """Simulates an L1 in each of ``sms`` SMs and one L2 behind them; None: there is none.

    CTAs go to SMs in turn by their linear number, and are simulated in the order in which the
    executor runs them, one after another. Accesses to global and local memory go through; those to
    shared, constant and param memory and fetches of textures do not. Atomics and what is told to
    go past L1 (``.cg``, ``.cv``, ``.volatile``, order beyond the CTA) go to L2.

    ``keep`` says what is still in the caches when the next launch begins: ``l2``, as GPUs empty L1s
    there, which are not coherent; ``all``, or ``nothing``. ``rules`` merge the lanes of a warp, in
    sectors of the caches. Without ``caches_global`` loads of global memory go past L1 but for
    ``.ca`` and ``.nc``.
    """

    def __init__(
        self,
        l1: CacheSpec | None,
        l2: CacheSpec | None,
        sms: int = 1,
        *,
        keep: Keep = "l2",
        rules: MemoryRules = DEFAULT_RULES,
        caches_global: bool = True,
    ) -> None:
        if keep not in ("all", "l2", "nothing"):
            raise UsageError(f"caches keep all, l2 or nothing between launches, not `{keep}`")
        if sms < 1:
            raise UsageError(f"there is at least one SM, not {sms}")
        self.sms, self.keep, self.caches_global = sms, keep, caches_global
        self.levels = CacheLevels(l1, l2, sms, rules.sector_bytes)
        self.rules = replace(rules, sector_bytes=self.levels.sector_bytes)
        self.machine: str | None = None
        self.assumed: tuple[AssumedValue, ...] = ()
        self._launches: list[_Launch] = []

    @classmethod
    def for_machine(
        cls, machine: Machine, *, carveout_bytes: int = 0, keep: Keep = "l2"
    ) -> CacheCollector:
        """Make the collector of a machine; its result lists the values that are assumed.

        ``carveout_bytes`` is what shared memory takes of L1, where the two share an array:
        ``occupancy`` tells it for a kernel. L1 is as large as it can be where none is given.
        """
        recorded, used = with_recording(machine)
        made = cls(
            l1_spec(recorded, carveout_bytes),
            l2_spec(recorded),
            recorded.integer("sm.count"),
            keep=keep,
            rules=memory_rules(recorded),
            caches_global=recorded.flag("l1.caches_global"),
        )
        made.machine, made.assumed = machine.name, used.assumed()
        return made

    def on_launch(self, launch: ObservedLaunch) -> None:
        """Empty what is not kept, and begin to count anew."""
        self._empty_between()
        self._launches.append(_Launch.of(launch, self.caches_global, self._line_bytes))

    def _empty_between(self) -> None:
        if not self._launches:
            return
        counts = self._launches[-1].counts
        if self.keep != "all":
            self.levels.empty_l1(counts, len(counts) - 1)
        if self.keep == "nothing":
            self.levels.empty_l2(counts, len(counts) - 1)

    @property
    def _line_bytes(self) -> int:
        specs = (self.levels.l1, self.levels.l2)
        return max((s.line_bytes for s in specs if s is not None), default=self.rules.line_bytes)

    def on_accesses(self, accesses: AccessEvents) -> None:
        """Send accesses through the caches."""
        launch = self._launches[-1]
        way = _codes(accesses.space, WAYS)
        chosen = accesses[way >= 0]
        kind, sm = _codes(chosen.kind, KINDS), chosen.cta % self.sms
        own = WarpAccesses(
            base=chosen.base,
            pattern=chosen.pattern,
            patterns=chosen.patterns,
            mask=chosen.mask,
            width_bytes=chosen.width_bytes,
            way=way[way >= 0].astype(np.uint8),
            local_start=launch.local_start(sm, chosen.warp),
        )
        flat = launch.first[chosen.block] + chosen.instruction
        past = launch.past_l1[flat] | (kind == ATOMIC)
        touched = touched_sectors(own, WINDOWS, self.rules)
        sent = LevelAccesses(touched, kind, np.where(past, NONE, sm), flat * len(KINDS) + kind)
        self.levels.run(sent, launch.counts)

    def result(self) -> dict[str, object]:
        """Counts of launches so far, as reports show them."""
        return as_dict(self.simulated)

    @property
    def simulated(self) -> CountedCache:
        """Counts of launches so far."""
        sector, everything = self.levels.sector_bytes, new_counts(1)[0]
        for launch in self._launches:
            everything += launch.counts.sum(axis=0)
        return CountedCache(
            self.levels.l1,
            self.levels.l2,
            self.sms,
            self.keep,
            tuple(launch.result(k, sector) for k, launch in enumerate(self._launches)),
            MemoryCounts.of(everything, sector),
            self.levels.waiting_bytes,
            self.machine,
            self.assumed,
        )


WINDOWS = Windows(GLOBAL_BASE, LOCAL_WINDOW, WINDOW_BYTES)


def _codes(words: npt.NDArray[np.str_], table: dict[str, int]) -> npt.NDArray[np.int8]:
    """The numbers of words; NONE for those that the table does not have."""
    found = np.full(len(words), NONE, np.int8)
    for word, code in table.items():
        found[words == word] = code
    return found


@dataclass(frozen=True, eq=False)
class _Launch:
    """A launch that is being counted.

    ``first`` is the number of each block's first instruction, ``past_l1`` whether each goes past
    L1. ``counts`` has a row for each instruction and kind, and one for what caches that are emptied
    write back. ``apart_bytes`` lie from the local memory of one warp to that of the next.
    """

    kernel: Kernel
    first: Numbers
    past_l1: npt.NDArray[np.bool_]
    counts: Numbers
    warps: int
    apart_bytes: int

    @classmethod
    def of(cls, launch: ObservedLaunch, caches_global: bool, line_bytes: int) -> _Launch:
        kernel, lanes = launch.kernel, launch.warp_size
        sizes = [len(block.instructions) for block in kernel.blocks]
        past = [goes_past_l1(i.operation, caches_global) for i in kernel.instructions]
        x, y, z = launch.block
        return cls(
            kernel,
            np.cumsum([0, *sizes]),
            np.array(past, np.bool_),
            new_counts(sum(sizes) * len(KINDS) + 1),
            -(-(x * y * z) // lanes),
            WINDOW_BYTES * lanes + _rounded(_local_bytes(kernel) * lanes, line_bytes),
        )

    def local_start(self, sm: Numbers, warp: Numbers) -> Numbers:
        """Start of each warp's local memory: CTAs of one SM have the same, in turn.

        The windows of two warps do not overlap, and begin in sets as if their variables stood one
        after another.
        """
        return LOCAL_START + (sm * self.warps + warp) * self.apart_bytes

    def result(self, index: int, sector_bytes: int) -> LaunchCaches:
        """Counts of the launch."""
        total = MemoryCounts.of(self.counts.sum(axis=0), sector_bytes)
        return LaunchCaches(index, self.kernel.name, total, tuple(self._instructions(sector_bytes)))

    def _instructions(self, sector_bytes: int) -> Iterator[InstructionCaches]:
        words = {code: word for word, code in KINDS.items()}
        for row in np.flatnonzero(self.counts[:-1, WARPS]):
            flat, kind = divmod(int(row), len(KINDS))
            block = int(np.searchsorted(self.first, flat, side="right")) - 1
            place = flat - int(self.first[block])
            one = self.kernel.blocks[block].instructions[place]
            line, opcode = one.span.line, one.operation.opcode
            counts = MemoryCounts.of(self.counts[row], sector_bytes)
            yield InstructionCaches(block, place, line, opcode, words[kind], counts)


def _local_bytes(kernel: Kernel) -> int:
    """The bytes of a thread's declared variables."""
    own = (v for v in kernel.variables if v.space in (Space.LOCAL, Space.PARAM))
    return sum(_rounded(v.size_bytes or 0, 16) for v in own)


def _rounded(size: int, unit: int) -> int:
    return -(-size // unit) * unit


# What caches did while launches ran: in total, by launch, by instruction.

Keep = Literal["all", "l2", "nothing"]
"""Cache contents that remain when the next launch begins."""


@dataclass(frozen=True)
class InstructionCaches:
    """Accesses of one kind of one instruction. ``line`` is that of the source."""

    block: int
    instruction: int
    line: int
    opcode: str
    kind: str
    counts: MemoryCounts


@dataclass(frozen=True)
class LaunchCaches:
    """Counts of a launch: in total, and by those instructions that left the SM, in their order.

    ``total`` has beside them what was written back when caches were emptied after the launch.
    """

    index: int
    kernel: str
    total: MemoryCounts
    instructions: tuple[InstructionCaches, ...]


@dataclass(frozen=True)
class CountedCache:
    """Effects of launches on caches. All counts are modelled: exact for these caches and order.

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
    assumed: tuple[AssumedValue, ...] = ()

    @property
    def l1_load_hit_rate(self) -> float | None:
        """Hits of loads in L1 by their accesses to it; None without any."""
        loads = [i.counts.l1 for one in self.launches for i in one.instructions if i.kind == "load"]
        accesses = sum(level.accesses for level in loads)
        return sum(level.hits for level in loads) / accesses if accesses else None


def as_dict(result: CountedCache) -> dict[str, object]:
    """Result as texts, numbers, lists and dicts; a hit rate is None without accesses."""
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
        "assumed": [f"{one.key} = {one.value}" for one in result.assumed],
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
