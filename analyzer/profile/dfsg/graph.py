"""The divergence flow statistics graph (DFSG) of a launch: GPGPU-MiniBench, §4.1.3 and Fig. 10.

It says what the threads did in each block, on each edge and in each loop.
The paper's words are properties: ``ecount``, ``lcount`` and ``scount`` of a node, ``oecount``,
``iecount`` and ``tcount`` of an edge. All count threads, and counts of warps stand beside them.
Where the paper leaves a choice, docs/deviations.md says what is done. How threads divide at
branches follows from these counts alone (``branches``).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from math import prod

from warpmill.analyzer.analyses.cfg.loops import Loop
from warpmill.analyzer.base.source import DebugLocation
from warpmill.analyzer.profile.counts import Dim3, LoopProfile


class Area(Enum):
    """The two parts of a kernel, §4.2.2: blocks in no loop, and blocks in one."""

    OUTSIDE = "outside-loop"
    INSIDE = "inside-loop"


class LoopPattern(Enum):
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
    counts: LoopProfile

    @property
    def pattern(self) -> LoopPattern:
        """Which of the paper's three patterns the loop is."""
        if self.shape.children:
            return LoopPattern.NESTED
        return LoopPattern.SELF if len(self.shape.blocks) == 1 else LoopPattern.NORMAL

    @property
    def mean(self) -> float | None:
        """Iterations a thread, over those that entered; None where no thread did."""
        return self.counts.iterations_per_thread

    @property
    def warps(self) -> int:
        """Warps of which a thread entered."""
        return self.counts.warps

    @property
    def iterates_alike(self) -> bool | None:
        """Whether all threads that entered iterate equally often; None where no thread did.

        The paper calls such a loop thread-independent.
        """
        return self.counts.iterates_alike


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


# How threads divide at branches, as a code generator models it: GPGPU-MiniBench, §4.2.2.
#
# Everything here follows from the counts of a divergence flow statistics graph.


@dataclass(frozen=True)
class Branch:
    """A block with several successors. ``sides`` are its out-edges, the fall-through first.

    ``splits`` counts the sides beyond the first that warps took, over all executions by warps: 0
    where every warp went one way each time, 3 where a warp of 32 parted in two three times.
    """

    block: int
    area: Area
    sides: tuple[Edge, ...]
    splits: int

    @property
    def parts_warps(self) -> bool:
        """Whether lanes of one warp went different ways."""
        return self.splits > 0


def branches(dfsg: Dfsg) -> tuple[Branch, ...]:
    """Give every branch of a graph, in the order of blocks."""
    pairs = zip(dfsg.nodes, dfsg.leaving, strict=True)
    return tuple(
        Branch(node.block, node.area, sides, sum(side.warps for side in sides) - node.warps)
        for node, sides in pairs
        if len(sides) > 1
    )


class JumpCase(Enum):
    """How threads leave the jump point of a loop: the cases (i) and (ii) of "jump point"."""

    ALL = "i"
    """All threads that come to it jump back."""
    SOME = "ii"
    """Fewer threads jump back than come to it."""


def jump_case(dfsg: Dfsg, loop: LoopStatistics, latch: int) -> JumpCase | None:
    """Tell the case of a jump point; None where no thread came to it.

    Threads are counted once however often they jump, as the paper counts them: a thread that jumps
    back nine times and then leaves is one that jumps back.
    """
    threads = dfsg.nodes[latch].threads
    if not threads:
        return None
    back = dfsg.by_pair[latch, loop.shape.header]
    return JumpCase.ALL if back.tcount == threads else JumpCase.SOME


class TargetCase(Enum):
    """How threads go on from the header of a loop: the cases (i) to (iii) of "target point".

    Case (iv), directions by a result that the thread computed, shows in no count.
    """

    ONE_WAY = "i"
    """All threads take the same direction."""
    GROUPS = "ii"
    """Each thread always takes the same direction; all groups iterate equally often."""
    CHANGING = "iii"
    """More threads take the directions, added up, than come to it: some change theirs."""


def target_case(dfsg: Dfsg, loop: LoopStatistics) -> TargetCase | None:
    """Tell the case of a loop's target point; None where no case fits, or no thread came to it.

    Directions are the out-edges that stay in the loop: one that leaves it is the loop's end. Where
    each thread keeps to a direction but the groups iterate differently, no case fits. A self-loop
    has none, as its iterations say all.
    """
    if loop.pattern is LoopPattern.SELF:
        return None
    inside = frozenset(loop.shape.blocks)
    sides = [side for side in dfsg.leaving[loop.shape.header] if side.target in inside]
    taken = [side for side in sides if side.tcount]
    if not taken:
        return None
    if len(taken) == 1:
        return TargetCase.ONE_WAY
    if sum(side.tcount for side in taken) > loop.counts.threads:
        return TargetCase.CHANGING
    first, *others = taken
    alike = all(first.oecount * o.tcount == o.oecount * first.tcount for o in others)
    return TargetCase.GROUPS if alike else None
