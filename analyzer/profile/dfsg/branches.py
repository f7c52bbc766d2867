"""How threads divide at branches, as a code generator models it: GPGPU-MiniBench, §4.2.2.

Everything here follows from the counts of a divergence flow statistics graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from warpmill.analyzer.profile.dfsg.graph import Area, Dfsg, Edge, LoopStatistics, Pattern


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
    if loop.pattern is Pattern.SELF:
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
