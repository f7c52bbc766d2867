"""Racecheck: accesses to the same memory that nothing orders, in shared and in global memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Severity
from warpmill.analyzer.ir.kernel import Instruction, Kernel, Module
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.executor.native.watching import is_copy, synchronises
from warpmill.executor.sanitizers import race_checks  # noqa: F401 - its callbacks
from warpmill.executor.sanitizers.findings import Finding, FindingKind, FoundAccess, Tool
from warpmill.executor.sanitizers.race_notes import (
    COPY,
    HAS_OTHER,
    HAS_VALUE,
    IN_SHARED,
    NARROW_SCOPE,
    PROXY,
    RACE,
    SAME_VALUE,
)
from warpmill.executor.sanitizers.race_records import (
    ACCESS_FLAGS,
    AGENT_BITS,
    MEMORY,
    RACES,
    STAMP_BITS,
    STRONG,
    WRITES,
    Shadow,
    node_tables,
)

if TYPE_CHECKING:
    from warpmill.executor.compile import CompiledKernel
    from warpmill.executor.context import Grid
    from warpmill.executor.sanitizers.watch import LaunchWatch

TOOL = Tool.RACECHECK

KINDS = {
    RACE: (FindingKind.RACE, Severity.ERROR),
    SAME_VALUE: (FindingKind.SAME_VALUE, Severity.WARNING),
    COPY: (FindingKind.COPY, Severity.ERROR),
    PROXY: (FindingKind.RACE, Severity.ERROR),
    NARROW_SCOPE: (FindingKind.NARROW_SCOPE, Severity.ERROR),
}
"""Kind and severity of each kind of row."""

_LOCKSTEP_BELOW = 70  # the chip from which on lanes of a warp have program counters of their own


@dataclass
class RaceWatch:
    """What racecheck keeps of one launch."""

    record: npt.NDArray[Any]
    memories: npt.NDArray[Any]
    caches: npt.NDArray[np.int64]
    skips: npt.NDArray[np.uint8]  # by instruction: 1 where its loads race with nothing
    shadows: list[Shadow] = field(default_factory=list)
    tables: dict[str, npt.NDArray[np.int64]] = field(default_factory=dict)

    @classmethod
    def of(cls, watch: LaunchWatch) -> RaceWatch:
        """Make it for a launch: cells for all allocations, and the places of a stamp's parts."""
        compiled, grid = watch.compiled, watch.grid
        sites = compiled.lowered.sites
        allocations = watch.memory.allocations
        made = cls(
            record=np.zeros(1, RACES),
            memories=np.zeros(max(1, len(allocations)), MEMORY),
            caches=np.zeros(max(1, len(sites)), np.int64),
            skips=np.zeros(max(1, len(sites)), np.uint8),
        )
        for row, one in zip(made.memories, allocations, strict=False):
            made.shadows.append(Shadow(one.bytes))
            made.shadows[-1].describe(row, one.address, one.end, one.data.ctypes.data)
        made._leave_out(watch)
        made._set(compiled, grid, len(sites), len(allocations))
        return made

    def _leave_out(self, watch: LaunchWatch) -> None:
        """Mark the memory that no instruction means to write, and the loads that stay in it."""
        if watch.grid.ctas * watch.grid.threads_per_cta < _WORTH_LOOKING:
            return
        from warpmill.executor.independence.deciding import reached_allocations  # noqa: PLC0415

        compiled = watch.compiled
        found = reached_allocations(compiled.module, compiled.kernel, watch.facts, watch.memory)
        if found.written is None:
            return
        for row, one in zip(self.memories, watch.memory.allocations, strict=False):
            row["unwritten"] = (one.address, one.end) not in found.written
        for site, place in enumerate(compiled.lowered.sites):
            self.skips[site] = place in found.loaded and found.loaded[place] not in found.written

    def _set(self, compiled: CompiledKernel, grid: Grid, sites: int, allocations: int) -> None:
        own, model = self.record, RaceModel.of(compiled.module, compiled.kernel)
        if model.syncs:
            self.tables = node_tables()
            for name, table in self.tables.items():
                own[name] = table.ctypes.data
        warps = -(-grid.threads_per_cta // compiled.lanes)
        thread_shift = ACCESS_FLAGS + sites.bit_length()
        cta_shift = thread_shift + (warps * compiled.lanes - 1).bit_length() + AGENT_BITS
        time_shift = cta_shift + grid.ctas.bit_length()
        numbers = {
            "memories": self.memories.ctypes.data,
            "memory_count": allocations,
            "caches": self.caches.ctypes.data,
            "thread_shift": thread_shift,
            "cta_shift": cta_shift,
            "time_shift": time_shift,
            "now": 1,
            "last": (1 << max(0, STAMP_BITS - time_shift)) - 1,
            "within": model.within,
            "between": model.between,
            "lockstep": model.lockstep,
            "has_copies": model.copies,
            "syncs": model.syncs,
        }
        for name, number in numbers.items():
            own[name] = number

    @property
    def address(self) -> int:
        """Address of the record that callbacks find everything from."""
        return self.record.ctypes.data

    @property
    def is_complete(self) -> bool:
        """Whether there was room for all times that there were."""
        return bool(self.record["now"][0] <= self.record["last"][0])


_WORTH_LOOKING = 1 << 10
"""Threads of a launch from which on it is looked for what it writes: that takes milliseconds."""


# What of a kernel is modelled.


@dataclass(frozen=True)
class RaceModel:
    """Which accesses of a kernel are compared: of one CTA, of different CTAs, of one warp.

    ``lockstep``: lanes of a warp are taken to go together, instruction by instruction.
    ``missing`` are words for what is not modelled.
    """

    within: bool
    between: bool
    lockstep: bool
    copies: bool
    syncs: bool
    missing: tuple[str, ...]

    @classmethod
    def of(cls, module: Module, kernel: Kernel) -> RaceModel:
        """Look at all instructions of a kernel."""
        found = dict.fromkeys(_unmodelled(kernel))
        words = [word for _, word in found]
        return cls(
            within="within" not in words,
            between="between" not in words,
            lockstep=_goes_in_lockstep(module),
            syncs=any(synchronises(i.operation) for i in kernel.instructions),
            copies=any(is_copy(i.operation) for i in kernel.instructions),
            missing=tuple(text for text, _ in found),
        )


def _unmodelled(kernel: Kernel) -> Iterator[tuple[str, str]]:
    """What a kernel does that is not modelled, in words, and which accesses that concerns."""
    for instruction in kernel.instructions:
        operation = instruction.operation
        concerns = _concerns(instruction)
        if concerns:
            yield operation.opcode, concerns
        if operation.op_class is OpClass.SURFACE and "writes" in operation.effects:
            yield operation.opcode, "texels"


def _concerns(instruction: Instruction) -> str | None:
    """Whether an instruction orders accesses in a way that is not modelled: of which threads."""
    name, words = instruction.operation.name, instruction.operation.modifiers
    if name.startswith("tensormap") or "tensor" in words:
        return "within"
    return None


def _goes_in_lockstep(module: Module) -> bool:
    """Whether lanes of a warp go together on the target: on chips before Volta, and on AMD's."""
    digits = module.target.removeprefix("sm_").rstrip("abcdefghijklmnopqrstuvwxyz")
    if digits.isdigit():
        return int(digits) < _LOCKSTEP_BELOW
    return module.target.startswith("amdgcn")


def begin(watch: LaunchWatch) -> None:
    """Make room for what is kept of a launch."""
    races = RaceWatch.of(watch)
    watch.states[TOOL] = races
    watch.log.watch["races"] = races.address
    watch.log.watch["skips"] = races.skips.ctypes.data


def not_modelled(watch: LaunchWatch) -> tuple[str, ...]:
    """What a launch did that racecheck does not know the meaning of."""
    compiled, races = watch.compiled, watch.states[TOOL]
    found = list(RaceModel.of(compiled.module, compiled.kernel).missing)
    if not races.is_complete:
        found.append("what came after more synchronisation than stamps have room for")
    if races.record["between"][0] != RaceModel.of(compiled.module, compiled.kernel).between:
        found.append("what came after more releases than there is room for")
    if races.record["surprised"][0]:
        found.append("loads before a store that left the buffer it is counted from")
    if races.record["parted"][0]:
        found.append("bar.warp.sync to which lanes of its mask came apart")
    return tuple(found)


# Rows read into findings.


def finding(watch: LaunchWatch, row: Any) -> Finding | None:
    """The finding of a row; None where it is another tool's."""
    if int(row["kind"]) not in KINDS:
        return None
    kind, severity = KINDS[int(row["kind"])]
    known = int(row["extra"])
    later = _access(watch, row, "", known & HAS_VALUE)
    earlier = _access(watch, row, "other_", known & HAS_OTHER)
    address = int(row["address"])
    shared = bool(known & IN_SHARED)
    where = f"{address} B into shared memory" if shared else watch.memory.nearest(address)
    return Finding(
        tool=Tool.RACECHECK,
        kind=kind,
        severity=severity,
        kernel=watch.compiled.kernel.name,
        launch=watch.number,
        message=_message(int(row["kind"]), later, earlier, where),
        access=later,
        other=earlier,
        space=Space.SHARED if shared else Space.GLOBAL,
        address=address,
        nearest=where,
        count=int(row["count"]),
        hint=_HINTS[kind],
    )


_HINTS = {
    FindingKind.RACE: None,
    FindingKind.COPY: "cp.async.wait_group, or the wait for its barrier object, orders the thread "
    "that waits; a barrier after it the others",
    FindingKind.SAME_VALUE: "it writes what is there already: harmless where all writers do",
    FindingKind.NARROW_SCOPE: "scope .gpu holds the threads of all CTAs, .cta those of one",
}


def _access(watch: LaunchWatch, row: Any, which: str, has_value: int) -> FoundAccess:
    """One of the two accesses of a row."""
    number = int(row[f"{which}site"])
    width = int(row["bytes"])
    value = int(row[f"{which}value"]) & (1 << 8 * min(width, 8)) - 1
    what = "store" if number & WRITES else "load"
    block, place = watch.compiled.lowered.sites[number >> ACCESS_FLAGS]
    if is_copy(watch.compiled.kernel.blocks[block].instructions[place].operation):
        what = "copy"
    if number & STRONG and number & WRITES:
        what = "atomic"
    return watch.access(
        what,
        number >> ACCESS_FLAGS,
        int(row[f"{which}cta"]),
        int(row[f"{which}thread"]),
        bytes_=width,
        value=value if has_value else None,
    )


def _message(kind: int, later: FoundAccess, earlier: FoundAccess, where: str) -> str:
    words = f"the {later.what} races with a {earlier.what} of {_who(later, earlier)}"
    if kind == SAME_VALUE:
        return f"{words}, which leaves the same value; {where}"
    if kind == COPY:
        return f"the {later.what} does not wait for the copy that it meets; {where}"
    if kind == PROXY:
        return f"{words}: no fence.proxy.async lies between them; {where}"
    if kind == NARROW_SCOPE:
        return f"{words}: a scope does not hold both threads; {where}"
    return f"{words}: nothing orders them; {where}"


def _who(later: FoundAccess, earlier: FoundAccess) -> str:
    if later.cta != earlier.cta:
        return "another CTA"
    return "another warp" if later.warp != earlier.warp else "another lane of its warp"
