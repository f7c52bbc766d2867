"""The divergence flow statistics graph (DFSG) of a launch: GPGPU-MiniBench, §4.1.3 and Fig. 10.

It says what the threads did in each block, on each edge and in each loop.
The paper's words are its fields: ``ecount``, ``lcount`` and ``scount`` of a node, ``oecount``,
``iecount`` and ``tcount`` of an edge. All count threads, and counts of warps stand beside them.
Where the paper leaves a choice, docs/deviations.md says what is done. How threads divide at
branches follows from these counts alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from math import prod
from typing import Annotated, ClassVar

from warpmill.analyzer.analyses.cfg.graph import Loop
from warpmill.analyzer.base.diagnostics import SourcePlace
from warpmill.analyzer.base.metric import Id, Mark, Metric, derived
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.profile.counts import LoopProfile


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
    innermost loop around, by its number, null outside all. ``ecount_fraction`` is its share of the
    ECounts of all blocks. ``place`` is the source line where the compiler recorded one. A block
    that 64 threads go through 5 times in a loop: ``ecount`` 320, ``lcount`` 320, ``threads`` 64,
    ``iterations_per_thread`` 5.
    """

    block: Id
    label: Annotated[str, Metric("Block")]
    instructions: Annotated[int, Metric("Instructions")]
    ecount: Annotated[int, Metric("ECount")]
    warps: Annotated[int, Metric("Executed by warps")]
    threads: Annotated[int, Metric("Threads")]
    barriers: Annotated[int, Metric("Barriers")]
    scount: Annotated[int, Metric("SCount")]
    scount_warps: Annotated[int, Metric("SCount of warps")]
    loop: Id | None
    ecount_fraction: Annotated[float, Metric("Share of ECount", "%")]
    place: SourcePlace | None = None

    @derived("Area")
    def area(self) -> Area:
        """Whether the block lies in a loop."""
        return Area.OUTSIDE if self.loop is None else Area.INSIDE

    @derived("LCount")
    def lcount(self) -> int:
        """Iterations by all threads: a block of a loop iterates once an execution; 0 elsewhere."""
        return 0 if self.loop is None else self.ecount

    @derived("Iterations per thread")
    def iterations_per_thread(self) -> float | None:
        """``lcount`` over the threads that execute the block; null outside loops or without any."""
        return None if self.loop is None or not self.threads else self.ecount / self.threads


@dataclass(frozen=True, slots=True)
class Edge:
    """A jump from one block to another, or to the thread's end (``target`` null).

    ``oecount``: how often threads leave the source along it; ``tcount``: threads that cross it at
    least once; ``warps``: crossings by warps with any lane. ``closes_loop``: it jumps back.
    """

    source: Id
    target: Id | None
    oecount: Annotated[int, Metric("OECount")]
    warps: Annotated[int, Metric("Executed by warps")]
    tcount: Annotated[int, Metric("TCount")]
    closes_loop: bool = False

    @derived("IECount")
    def iecount(self) -> int:
        """How often control arrives at the target along this edge: as often as it leaves."""
        return self.oecount


class JumpCase(Enum):
    """How threads leave the jump point of a loop: the cases (i) and (ii) of "jump point"."""

    ALL = "i"
    """All threads that come to it jump back."""
    SOME = "ii"
    """Fewer threads jump back than come to it."""


@dataclass(frozen=True, slots=True)
class JumpPoint:
    """A block that jumps back to a loop's header; ``case`` null: no thread came to it.

    Threads are counted once however often they jump, as the paper counts them: a thread that jumps
    back nine times and then leaves is one that jumps back.
    """

    block: Id
    case: JumpCase | None


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


@dataclass(frozen=True, slots=True)
class LoopStatistics:
    """A natural loop with its iterations, which are the executions of its header.

    ``shape.latches`` are the jump points of §4.2.2 and ``shape.header`` is their target point.
    ``counts`` has the second sense of LCount: iterations a thread, of all its entries together,
    over the threads that entered. ``target_case`` null: no case fits, or no thread came.
    """

    shape: Loop
    counts: LoopProfile
    label: Annotated[str, Metric("Loop")]
    jump_points: tuple[JumpPoint, ...]
    target_case: TargetCase | None

    @derived("Pattern")
    def pattern(self) -> LoopPattern:
        """Pattern of the loop, of the paper's three."""
        if self.shape.children:
            return LoopPattern.NESTED
        return LoopPattern.SELF if len(self.shape.blocks) == 1 else LoopPattern.NORMAL


@dataclass(frozen=True)
class Branch:
    """A block with several successors. ``sides`` are its out-edges, the fall-through first.

    ``splits`` counts the sides beyond the first that warps took, over all executions by warps: 0
    where every warp went one way each time, 3 where a warp of 32 divided in two three times.
    """

    block: Id
    area: Annotated[Area, Metric("Area")]
    sides: tuple[Edge, ...]
    splits: Annotated[int, Metric("Divergent executions")]

    @derived("Divergent")
    def divergent(self) -> bool:
        """Whether lanes of one warp went different ways."""
        return self.splits > 0

    @derived("Taken", "%")
    def fractions(self) -> tuple[float | None, ...]:
        """The share of its executions by threads that goes each way; null without any."""
        whole = sum(side.oecount for side in self.sides)
        return tuple(side.oecount / whole if whole else None for side in self.sides)


@dataclass(frozen=True)
class DfsgLaunch:
    """A launch, by its number among those of its target, and its name there."""

    index: Id
    name: str
    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    warp_size: int

    @derived("Kernel")
    def demangled(self) -> str:
        """The kernel's name as its source has it."""
        return demangle(self.kernel)

    @derived("Threads")
    def threads(self) -> int:
        """Threads of the launch: each comes to the entry, block 0, once from outside."""
        return prod(self.grid) * prod(self.block)


@dataclass(frozen=True)
class Dfsg:
    """The divergence flow statistics graph of one launch.

    ``nodes`` stand by block id, ``edges`` by source and there in divergence order: the fall-through
    first, the thread's end last. ``loops`` are those of the kernel's loop forest, outer ones first;
    ``irreducible`` are the blocks of cycles with several entries, which are no loops: LCount is 0
    there unless a loop lies around them.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    launch: DfsgLaunch
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    loops: tuple[LoopStatistics, ...]
    irreducible: tuple[tuple[Id, ...], ...]

    @derived("ECount")
    def ecount(self) -> int:
        """Executions of all blocks by threads."""
        return sum(node.ecount for node in self.nodes)

    @derived("Branches")
    def branches(self) -> tuple[Branch, ...]:
        """Blocks with several successors, in the order of blocks."""
        pairs = zip(self.nodes, self.leaving, strict=True)
        return tuple(
            Branch(node.block, node.area, sides, sum(side.warps for side in sides) - node.warps)
            for node, sides in pairs
            if len(sides) > 1
        )

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

    @cached_property
    def labels(self) -> dict[int | None, str]:
        """The label of each block, and what stands for the thread's end."""
        return {None: END} | {node.block: node.label for node in self.nodes}


END = "(end)"
"""The thread's end among targets; labels have no parentheses."""
