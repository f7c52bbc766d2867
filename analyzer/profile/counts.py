"""What a launch did, counted exactly: the data that features, the DFSG and clones are read off.

Everything is counted by block, by edge, by loop and by memory access; classes, opcodes and totals
follow from these and the kernel's instructions (``analyzer.profile.mix``). A count that was not
asked for is None or empty, never zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.metric import Id, Metric, derived
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

    block: int
    warps: int
    threads: int
    distinct_threads: int | None = None


@dataclass(frozen=True, slots=True)
class EdgeProfile:
    """How often control went from one block to another, or to the end (``target`` None).

    ``warps`` counts the crossings by warps with any lane, ``distinct_threads`` the threads that
    crossed at least once; None: not counted.
    """

    source: int
    target: int | None
    warps: int
    threads: int
    distinct_threads: int | None = None


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
    ``requests`` are distinct 128 B lines, ``transactions`` sectors, both outside the SM;
    ``bank_passes`` are those of shared memory, and ``bank_conflicts`` the passes beyond what the
    same lanes need without conflicts. What a space has not is 0.
    """

    block: int
    instruction: int
    kind: str
    space: Space
    width_bytes: int
    warps: int
    threads: int
    requests: int
    transactions: int
    bank_passes: int
    bank_conflicts: int

    @property
    def bytes_requested(self) -> int:
        """Bytes that the threads asked for."""
        return self.threads * self.width_bytes


@dataclass(frozen=True, eq=False)
class CtaProfile:
    """Counts by CTA, in dispatch order (x fastest): int64 arrays of the grid's length.

    ``block_warps`` and ``block_threads`` are the distinct vectors of block executions, shape
    (vectors, blocks), and ``vectors`` says which each CTA has.
    """

    warp_instructions: Numbers
    thread_instructions: Numbers
    memory_requests: Numbers
    vectors: Numbers
    block_warps: Numbers
    block_threads: Numbers

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CtaProfile):
            return NotImplemented
        return all(np.array_equal(a, b) for a, b in zip(self._arrays, other._arrays, strict=True))

    __hash__ = None  # type: ignore[assignment] # arrays are compared, not hashed

    @property
    def _arrays(self) -> tuple[Numbers, ...]:
        return (
            self.warp_instructions,
            self.thread_instructions,
            self.memory_requests,
            self.vectors,
            self.block_warps,
            self.block_threads,
        )


@dataclass(frozen=True)
class Profile:
    """The exact counts of one launch. Thread instructions count lanes active in the mask.

    ``lanes`` is, by block, the number of executions by warps with so many lanes on, from 0 to the
    warp size; None where it was not asked for, as ``loops``, ``edges``, ``accesses`` and ``ctas``.
    ``rules`` are those that transactions and bank conflicts were counted by.
    """

    kernel: Kernel
    grid: Dim3
    block: Dim3
    dynamic_shared_bytes: int
    warp_size: int
    blocks: tuple[BlockProfile, ...]
    guards: tuple[GuardProfile, ...] = ()
    edges: tuple[EdgeProfile, ...] | None = None
    loops: tuple[LoopProfile, ...] | None = None
    lanes: tuple[tuple[int, ...], ...] | None = None
    accesses: tuple[AccessProfile, ...] | None = None
    rules: MemoryRules | None = None
    ctas: CtaProfile | None = None

    @property
    def warp_instructions(self) -> int:
        """Instructions by warps: each execution by a warp counts once."""
        return sum(c.warps * len(b.instructions) for c, b in self._pairs)

    @property
    def thread_instructions(self) -> int:
        """Instructions by threads: each counts as often as it has active lanes."""
        return sum(c.threads * len(b.instructions) for c, b in self._pairs)

    @property
    def predicated_on(self) -> int:
        """Thread instructions whose guard held, where there is one; branches count all lanes."""
        return sum(self.threads_on(*place) for place in self._places)

    @property
    def lane_utilization(self) -> float | None:
        """Lanes on in the mask of an instruction, of those that a warp has; None without any."""
        whole = self.warp_instructions * self.warp_size
        return self.thread_instructions / whole if whole else None

    def threads_on(self, block: int, instruction: int) -> int:
        """Give how often threads executed an instruction with its guard, where it has one, on."""
        return self._guarded.get((block, instruction), self.blocks[block].threads)

    @property
    def barriers(self) -> tuple[int, int]:
        """Executions of barriers of a CTA: by warps, and by threads whose guard held."""
        places = [(b, i) for b, i, each in self.placed if "barrier" in each.operation.effects]
        warps = sum(self.blocks[b].warps for b, _ in places)
        return warps, sum(self.threads_on(*place) for place in places)

    @property
    def memory_requests(self) -> int | None:
        """Distinct 128 B lines of global and local memory that warp accesses touched, summed."""
        if self.accesses is None:
            return None
        return sum(a.requests for a in self.accesses if a.space in (Space.GLOBAL, Space.LOCAL))

    @property
    def placed(self) -> Iterator[tuple[int, int, Instruction]]:
        """Give each instruction with its block and its place there."""
        for block in self.kernel.blocks:
            for place, instruction in enumerate(block.instructions):
                yield block.id, place, instruction

    @property
    def _places(self) -> Iterator[tuple[int, int]]:
        return ((b, i) for b, i, _ in self.placed)

    @property
    def _pairs(self) -> Iterator[tuple[BlockProfile, Any]]:
        return zip(self.blocks, self.kernel.blocks, strict=True)

    @cached_property
    def _guarded(self) -> dict[tuple[int, int], int]:
        return {(g.block, g.instruction): g.threads for g in self.guards}
