"""The divergence flow statistics graph (DFSG) of a launch: GPGPU-MiniBench, §4.1.3 and Fig. 10.

It says what the threads did in each block, on each edge and in each loop.
The paper's words are properties: ``ecount``, ``lcount`` and ``scount`` of a node, ``oecount``,
``iecount`` and ``tcount`` of an edge. All count threads, and counts of warps stand beside them.
Where the paper leaves a choice, docs/deviations.md says what is done.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from math import prod

from warpmill.analyzer.analyses.cfg.loops import Loop
from warpmill.analyzer.base.source import DebugLocation
from warpmill.analyzer.profile.counts import Dim3, LoopCounts


class Area(Enum):
    """The two parts of a kernel, §4.2.2: blocks in no loop, and blocks in one."""

    OUTSIDE = "outside-loop"
    INSIDE = "inside-loop"


class Pattern(Enum):
    """The loop patterns of §4.2.1, Fig. 11.

    A self-loop is one block that jumps to itself, a normal loop several blocks with a jump back to
    one that dominates the jump's; nested is their combination, a loop with loops inside.
    """

    SELF = "self-loop"
    NORMAL = "normal-loop"
    NESTED = "nested"


@dataclass(frozen=True, slots=True)
class Node:
    """A basic block: executions by all threads, the threads among them, and synchronisations.

    ``threads`` execute it at least once. ``scount`` counts executions of its ``barriers`` barrier
    instructions by threads whose guard held, ``scount_warps`` those by warps. ``loop`` is the
    innermost loop around, None outside all. ``place`` is the source line where the compiler
    recorded one. A block that 64 threads go through 5 times in a loop: ``ecount`` 320, ``lcount``
    320, ``threads`` 64, ``iterations_a_thread`` 5.
    """

    block: int
    label: str
    instructions: int
    ecount: int
    warps: int
    threads: int
    barriers: int
    scount: int
    scount_warps: int
    loop: int | None
    place: DebugLocation | None = None

    @property
    def area(self) -> Area:
        """Whether the block lies in a loop."""
        return Area.OUTSIDE if self.loop is None else Area.INSIDE

    @property
    def lcount(self) -> int:
        """Iterations by all threads: a block of a loop iterates once an execution; 0 elsewhere."""
        return 0 if self.loop is None else self.ecount

    @property
    def iterations_a_thread(self) -> float | None:
        """``lcount`` over the threads that execute the block; None outside loops or without any."""
        return None if self.loop is None or not self.threads else self.ecount / self.threads


@dataclass(frozen=True, slots=True)
class Edge:
    """A jump from one block to another, or to the thread's end (``target`` None).

    ``crossings`` are those by threads, ``warps`` those by warps with any lane, and ``threads`` the
    threads that crossed at least once.
    """

    source: int
    target: int | None
    crossings: int
    warps: int
    threads: int

    @property
    def oecount(self) -> int:
        """How often control leaves the source along this edge."""
        return self.crossings

    @property
    def iecount(self) -> int:
        """How often control arrives at the target along this edge: as often as it leaves."""
        return self.crossings

    @property
    def tcount(self) -> int:
        """Threads that cross the edge at least once."""
        return self.threads


@dataclass(frozen=True, slots=True)
class LoopStatistics:
    """A natural loop with its iterations, which are the executions of its header.

    ``shape.latches`` are the jump points of §4.2.2 and ``shape.header`` is their target point.
    ``counts`` has the second sense of LCount: iterations a thread, of all its entries together,
    over the threads that entered.
    """

    shape: Loop
    counts: LoopCounts

    @property
    def pattern(self) -> Pattern:
        """Which of the paper's three patterns the loop is."""
        if self.shape.children:
            return Pattern.NESTED
        return Pattern.SELF if len(self.shape.blocks) == 1 else Pattern.NORMAL

    @property
    def mean(self) -> float | None:
        """Iterations a thread, over those that entered; None where no thread did."""
        return self.counts.iterations / self.counts.threads if self.counts.threads else None

    @property
    def warps(self) -> int:
        """Warps of which a thread entered."""
        return sum(warps for _, warps in self.counts.by_warp)

    @property
    def iterates_alike(self) -> bool | None:
        """Whether all threads that entered iterate equally often; None where no thread did.

        The paper calls such a loop thread-independent.
        """
        return self.counts.least == self.counts.most if self.counts.threads else None


@dataclass(frozen=True)
class Dfsg:
    """The graph of one launch.

    ``nodes`` stand by block id, ``edges`` by source and there in divergence order: the fall-through
    first, the thread's end last. ``loops`` are those of the kernel's loop forest, outer ones first;
    ``irreducible`` are the blocks of cycles with several entries, which are no loops: LCount is 0
    there unless a loop lies around them.
    """

    kernel: str
    grid: Dim3
    block: Dim3
    warp_size: int
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    loops: tuple[LoopStatistics, ...]
    irreducible: tuple[tuple[int, ...], ...]

    @property
    def threads(self) -> int:
        """Threads of the launch: each comes to the entry, block 0, once from outside."""
        return prod(self.grid) * prod(self.block)

    @cached_property
    def leaving(self) -> tuple[tuple[Edge, ...], ...]:
        """The edges that leave each block."""
        found: list[list[Edge]] = [[] for _ in self.nodes]
        for edge in self.edges:
            found[edge.source].append(edge)
        return tuple(map(tuple, found))

    @cached_property
    def arriving(self) -> tuple[tuple[Edge, ...], ...]:
        """The edges that arrive at each block; those of the thread's end stand last."""
        found: list[list[Edge]] = [[] for _ in range(len(self.nodes) + 1)]
        for edge in self.edges:
            found[-1 if edge.target is None else edge.target].append(edge)
        return tuple(map(tuple, found))

    @cached_property
    def by_pair(self) -> dict[tuple[int, int | None], Edge]:
        """The edges by source and target."""
        return {(edge.source, edge.target): edge for edge in self.edges}
