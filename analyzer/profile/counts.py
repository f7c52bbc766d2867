"""Exact counts of a launch: the data that features, the DFSG and clones are read off.

Everything is counted by block, by edge, by loop and by memory access; classes, opcodes and totals
follow from these and the kernel's instructions (``analyzer.profile.mix``). A count that was not
asked for is None or empty, never zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.metric import INTERNAL, Id, Metric, derived
from warpmill.analyzer.ir.kernel import Instruction, Kernel
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.memory.rules import MemoryRules

Numbers = npt.NDArray[np.int64]
Dim3 = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class BlockProfile:
    """How often a block was executed: by warps, and by the threads that were on in them.

    ``distinct_threads`` are the threads that executed it at least once; None: not counted.
    """

    block: Id
    warps: Annotated[int, Metric("Warps")]
    threads: Annotated[int, Metric("Threads")]
    distinct_threads: Annotated[int | None, Metric("Distinct threads")] = None


@dataclass(frozen=True, slots=True)
class EdgeProfile:
    """How often control went from one block to another, or to the end (``target`` None).

    ``warps`` counts the crossings by warps with any lane, ``distinct_threads`` the threads that
    crossed at least once; None: not counted.
    """

    source: Id
    target: Id | None
    warps: Annotated[int, Metric("Warps")]
    threads: Annotated[int, Metric("Threads")]
    distinct_threads: Annotated[int | None, Metric("Distinct threads")] = None


@dataclass(frozen=True, slots=True)
class WarpIterations:
    """Warps whose threads iterated ``iterations`` over ``threads`` times each, in lowest terms."""

    iterations: int
    threads: int
    warps: Annotated[int, Metric("Warps", "warp")]

    @property
    def iterations_per_thread(self) -> float:
        """Iterations of the warp over those of its threads that entered."""
        return self.iterations / self.threads


@dataclass(frozen=True, slots=True)
class LoopProfile:
    """Iterations of a natural loop, which are the executions of its header.

    ``threads`` entered it at least once, ``entries`` times in all (crossings of edges from outside
    by threads), and executed the header ``iterations`` times in all. ``iterations_min`` and
    ``iterations_max`` are those of one thread, of all its entries together, over the threads that
    entered. ``by_warp`` is a histogram over the warps that entered, ascending by iterations a
    thread.
    """

    header: Id
    entries: Annotated[int, Metric("Entries")]
    threads: Annotated[int, Metric("Threads")]
    iterations: Annotated[int, Metric("Iterations")]
    iterations_min: Annotated[int, Metric("Least of a thread")]
    iterations_max: Annotated[int, Metric("Most of a thread")]
    by_warp: tuple[WarpIterations, ...]

    @derived("Iterations per thread")
    def iterations_per_thread(self) -> float | None:
        """The mean over the threads that entered; null where none did."""
        return self.iterations / self.threads if self.threads else None

    @derived("Warps", "warp")
    def warps(self) -> int:
        """Warps of which a thread entered."""
        return sum(one.warps for one in self.by_warp)

    @derived("Thread-independent")
    def iterates_alike(self) -> bool | None:
        """Whether all threads that entered iterate equally often; null where none did.

        The paper calls such a loop thread-independent.
        """
        return self.iterations_min == self.iterations_max if self.threads else None


@dataclass(frozen=True, slots=True)
class GuardProfile:
    """The lanes that a guarded instruction, no branch, was switched on for, over all executions."""

    block: int
    instruction: int
    threads: int


@dataclass(frozen=True, slots=True)
class AccessProfile:
    """A memory access of an instruction to one space, over all executions with any lane on.

    ``kind`` is load, store or atomic; a copy has a load and a store, and an access through a
    generic address one entry for each space that it met. ``width_bytes`` are those of a lane.
    ``requests`` are executions by warps, ``threads`` their lanes. What a space has not is None:
    only global and local memory have distinct 128-byte ``lines`` and ``sectors``, only shared
    memory has ``wavefronts``, of which ``bank_conflicts`` are those beyond what the same lanes need
    without conflicts. ``bytes_transferred`` are whole sectors.
    """

    block: Id
    instruction: Id
    kind: Annotated[str, Metric("Access")]
    space: Annotated[Space, Metric("Memory")]
    width_bytes: Annotated[int, Metric("Bytes a thread")]
    requests: Annotated[int, Metric("Requests")]
    threads: Annotated[int, Metric("Threads")]
    lines: Annotated[int | None, Metric("128 B lines")] = None
    sectors: Annotated[int | None, Metric("Sectors", "sector")] = None
    bytes_transferred: Annotated[int | None, Metric("Transferred", "B")] = None
    wavefronts: Annotated[int | None, Metric("Wavefronts")] = None
    bank_conflicts: Annotated[int | None, Metric("Bank conflicts")] = None

    @derived("Requested", "B")
    def bytes_requested(self) -> int:
        """Bytes that the threads asked for."""
        return self.threads * self.width_bytes

    @derived("Threads a request")
    def threads_a_request(self) -> float:
        """Lanes that are on in a request, in the mean."""
        return self.threads / self.requests


@dataclass(frozen=True, eq=False)
class CtaProfile:
    """Counts by CTA, in dispatch order (x fastest): int64 arrays of the grid's length.

    ``block_warps`` and ``block_threads`` are the distinct vectors of block executions, shape
    (vectors, blocks), and ``vectors`` says which each CTA has. ``memory_lines`` are 128-byte lines
    that requests touch; None: not counted.
    """

    warp_instructions: Numbers
    thread_instructions: Numbers
    memory_lines: Numbers | None
    vectors: Numbers
    block_warps: Numbers
    block_threads: Numbers

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CtaProfile):
            return NotImplemented
        return all(map(_are_equal, self._arrays, other._arrays))

    __hash__ = None  # type: ignore[assignment] # arrays are compared, not hashed

    @property
    def _arrays(self) -> tuple[Numbers | None, ...]:
        return (
            self.warp_instructions,
            self.thread_instructions,
            self.memory_lines,
            self.vectors,
            self.block_warps,
            self.block_threads,
        )


def _are_equal(a: Numbers | None, b: Numbers | None) -> bool:
    return a is b if a is None or b is None else np.array_equal(a, b)


@dataclass(frozen=True)
class Profile:
    """The exact counts of one launch. Thread instructions count lanes active in the mask.

    ``lanes`` is, by block, the number of executions by warps with so many lanes on, from 0 to the
    warp size; None where it was not asked for, as ``loops``, ``edges``, ``accesses``, ``by_cta``.
    ``rules`` are those that sectors and bank conflicts were counted by. What follows from a count
    that was not asked for is null.
    """

    kernel: Annotated[Kernel, INTERNAL]
    grid: Annotated[Dim3, Metric("Grid", ncu="launch__grid_size")]
    block: Annotated[Dim3, Metric("Block", ncu="launch__block_size")]
    dynamic_shared_bytes: Annotated[int, Metric("Dynamic shared memory per CTA", "B")]
    warp_size: Annotated[int, Metric("Threads of a warp")]
    blocks: Annotated[tuple[BlockProfile, ...], INTERNAL]
    guards: Annotated[tuple[GuardProfile, ...], INTERNAL] = ()
    edges: tuple[EdgeProfile, ...] | None = None
    loops: Annotated[tuple[LoopProfile, ...] | None, INTERNAL] = None
    lanes: Annotated[tuple[tuple[int, ...], ...] | None, INTERNAL] = None
    accesses: Annotated[tuple[AccessProfile, ...] | None, INTERNAL] = None
    rules: Annotated[MemoryRules | None, INTERNAL] = None
    by_cta: Annotated[CtaProfile | None, INTERNAL] = None

    @derived("CTAs", "CTA")
    def ctas(self) -> int:
        """CTAs of the grid."""
        return prod(self.grid)

    @derived("Threads per CTA")
    def threads_per_cta(self) -> int:
        """Threads of a block."""
        return prod(self.block)

    @derived("Instructions of the code")
    def static_instructions(self) -> int:
        """Instructions of the code, executed or not."""
        return self.kernel.instruction_count

    @derived("Blocks of the code")
    def static_blocks(self) -> int:
        """Basic blocks of the code."""
        return len(self.kernel.blocks)

    @derived("Executed instructions", "inst", ncu="smsp__inst_executed.sum")
    def warp_instructions(self) -> int:
        """Instructions by warps: each execution by a warp counts once."""
        return sum(c.warps * len(b.instructions) for c, b in self._pairs)

    @derived("Executed thread instructions", "thread inst", ncu="smsp__thread_inst_executed.sum")
    def thread_instructions(self) -> int:
        """Instructions by threads: each counts as often as it has active lanes."""
        return sum(c.threads * len(b.instructions) for c, b in self._pairs)

    @derived(
        "Thread instructions, predicated on",
        "thread inst",
        ncu="smsp__thread_inst_executed_pred_on.sum",
    )
    def predicated_on(self) -> int:
        """Thread instructions whose guard held, where there is one; branches count all lanes."""
        return sum(self.threads_on(*place) for place in self._places)

    @derived("Active threads of a warp", "%")
    def lane_utilization(self) -> float | None:
        """Lanes on in the mask of an instruction, of those that a warp has; null without any."""
        whole = self.warp_instructions * self.warp_size
        return self.thread_instructions / whole if whole else None

    def threads_on(self, block: int, instruction: int) -> int:
        """How often threads executed an instruction with its guard, where it has one, on."""
        return self._guarded.get((block, instruction), self.blocks[block].threads)

    @derived("Block executions")
    def block_executions(self) -> int:
        """Executions of blocks by warps."""
        return sum(block.warps for block in self.blocks)

    @derived("Barriers")
    def barriers(self) -> int:
        """Executions of barriers of a CTA by warps."""
        return sum(self.blocks[block].warps for block, _ in self._barriers)

    @derived("Barriers by threads")
    def barrier_threads(self) -> int:
        """Executions of barriers of a CTA by threads whose guard held."""
        return sum(self.threads_on(*place) for place in self._barriers)

    @derived("128 B lines of requests")
    def memory_lines(self) -> int | None:
        """Distinct 128-byte lines of global and local memory that each request touches, summed.

        TBPoint's memory requests.
        """
        return self._total("lines")

    @derived("Sectors", "sector", ncu="l1tex__t_sectors.sum")
    def sectors(self) -> int | None:
        """Sectors of global and local memory that requests touch."""
        return self._total("sectors")

    @derived("Transferred to and from the SMs", "B", ncu="l1tex__t_bytes.sum")
    def bytes_transferred(self) -> int | None:
        """Bytes of these sectors."""
        return self._total("bytes_transferred")

    @derived("Bank conflicts", ncu="l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum")
    def bank_conflicts(self) -> int | None:
        """Shared-memory wavefronts beyond what the same lanes need without conflicts."""
        return self._total("bank_conflicts")

    @derived("Read by threads", "B")
    def bytes_read(self) -> int | None:
        """Bytes that threads read, in all spaces: those of loads and of atomics."""
        return None if self.accesses is None else bytes_read(self.accesses)

    @derived("Written by threads", "B")
    def bytes_written(self) -> int | None:
        """Bytes that threads wrote, in all spaces: those of stores and of atomics."""
        return None if self.accesses is None else bytes_written(self.accesses)

    def _total(self, key: str) -> int | None:
        if self.accesses is None:
            return None
        return sum(getattr(access, key) or 0 for access in self.accesses)

    @property
    def placed(self) -> Iterator[tuple[int, int, Instruction]]:
        """Each instruction with its block and its place there."""
        for block in self.kernel.blocks:
            for place, instruction in enumerate(block.instructions):
                yield block.id, place, instruction

    @property
    def _barriers(self) -> list[tuple[int, int]]:
        return [(b, i) for b, i, each in self.placed if "barrier" in each.operation.effects]

    @property
    def _places(self) -> Iterator[tuple[int, int]]:
        return ((b, i) for b, i, _ in self.placed)

    @property
    def _pairs(self) -> Iterator[tuple[BlockProfile, Any]]:
        return zip(self.blocks, self.kernel.blocks, strict=True)

    @cached_property
    def _guarded(self) -> dict[tuple[int, int], int]:
        return {(g.block, g.instruction): g.threads for g in self.guards}


def bytes_read(accesses: Iterable[AccessProfile]) -> int:
    """Bytes that threads read, in all spaces: those of loads and of atomics."""
    return sum(a.bytes_requested for a in accesses if a.kind != "store")


def bytes_written(accesses: Iterable[AccessProfile]) -> int:
    """Bytes that threads wrote, in all spaces: those of stores and of atomics."""
    return sum(a.bytes_requested for a in accesses if a.kind != "load")
