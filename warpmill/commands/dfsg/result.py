"""What ``dfsg`` answers: the divergence flow statistics graph of each launch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.profile.counts import WarpIterations
from warpmill.analyzer.profile.dfsg.graph import (
    Branch,
    Dfsg,
    Edge,
    LoopStatistics,
    Node,
    branches,
    jump_case,
    target_case,
)
from warpmill.report.base import Id, Mark, Marks, Part, Report, marks
from warpmill.report.facts import SourcePlace

Count = Annotated[int, Field(ge=0, lt=1 << 63)]
"""A count of threads, warps or executions."""

AreaName = Literal["outside-loop", "inside-loop"]


class BlockFlow(Part):
    """A basic block. ``loop`` is the header of the innermost loop around.

    ``ecount``: executions by all threads; ``lcount``: those inside a loop, 0 outside loops;
    ``scount``: executions of its barriers by threads whose guard held. ``threads`` execute the
    block at least once, ``iterations_a_thread`` is LCount over them. ``ecount_fraction`` is the
    block's share of the ECounts of all blocks.
    """

    id: Id
    label: str
    area: AreaName
    loop: Id | None
    instructions: Count
    barriers: Count
    ecount: Count
    lcount: Count
    scount: Count
    threads: Count
    warps: Count
    scount_warps: Count
    iterations_a_thread: float | None
    ecount_fraction: float
    place: SourcePlace | None


class EdgeFlow(Part):
    """A jump between blocks; ``target`` null is the thread's end. ``closes_loop``: it jumps back.

    ``oecount``: how often threads leave the source along it; ``iecount``: how often they arrive at
    the target, which is the same; ``tcount``: threads that cross it at least once; ``warps``:
    crossings by warps.
    """

    source: Id
    target: Id | None
    closes_loop: bool
    oecount: Count
    iecount: Count
    tcount: Count
    warps: Count


class JumpPoint(Part):
    """A block that jumps back to a loop's header.

    ``case`` i: all threads that come to it jump back; ii: fewer; null: no thread came.
    """

    block: Id
    case: Literal["i", "ii"] | None


class LoopFlow(Part):
    """A natural loop. Its iterations are the executions of its header, the target point.

    ``jump_points`` jump back to it; ``parent`` is the header of the loop around. ``target_case`` i:
    all threads go on in one direction; ii: each always in the same, and all iterate alike; iii:
    some change theirs; null: none of these, no thread came, or a self-loop.

    ``threads`` entered the loop, ``entries`` times in all. Iterations a thread are of all its
    entries together: their mean, least, most, and in ``by_warp`` a histogram over warps.
    ``iterates_alike``: all threads equally often; null where none entered.
    """

    target_point: Id
    label: str
    pattern: Literal["self-loop", "normal-loop", "nested"]
    depth: Count
    parent: Id | None
    blocks: list[Id]
    jump_points: list[JumpPoint]
    target_case: Literal["i", "ii", "iii"] | None
    entries: Count
    threads: Count
    warps: Count
    iterations: Count
    iterations_a_thread: float | None
    iterations_min: Count
    iterations_max: Count
    iterates_alike: bool | None
    by_warp: tuple[WarpIterations, ...]


class BranchSide(Part):
    """A way out of a branch. ``fraction`` is its share of the branch's executions by threads."""

    target: Id | None
    tcount: Count
    fraction: float | None


class BranchFlow(Part):
    """A block with several successors, the fall-through first.

    ``splits`` counts the ways beyond the first that warps took at once, over all executions.
    """

    block: Id
    area: AreaName
    parts_warps: bool
    splits: Count
    sides: list[BranchSide]


class LaunchFlow(Part):
    """The graph of one launch, the ``index``-th that the target made.

    Edges and branches stand by block. ``irreducible`` are the blocks of cycles with several
    entries, which are no loops.
    """

    index: Id
    name: str
    kernel: str
    demangled: str
    grid: list[Count]
    block: list[Count]
    warp_size: Count
    threads: Count
    ecount: Count
    blocks: list[BlockFlow]
    edges: list[EdgeFlow]
    loops: list[LoopFlow]
    branches: list[BranchFlow]
    irreducible: list[list[Id]]
    marks: Marks


class DfsgReport(Report):
    """The divergence flow statistics graphs of a launch file, a kernel or a host program."""

    report: Literal["dfsg"] = "dfsg"
    target: str
    graphs: list[LaunchFlow]


@dataclass(frozen=True)
class LaunchDfsg:
    """The graph of a launch, with its place among those of its target, and its name."""

    index: int
    name: str
    dfsg: Dfsg


def dfsg_report(target: str, graphs: Iterable[LaunchDfsg]) -> DfsgReport:
    """Report the graphs of a target's launches."""
    return DfsgReport(target=target, graphs=[launch_flow(each) for each in graphs])


def launch_flow(launch: LaunchDfsg) -> LaunchFlow:
    """Report the graph of one launch."""
    dfsg = launch.dfsg
    total = sum(node.ecount for node in dfsg.nodes)
    return LaunchFlow(
        index=launch.index,
        name=launch.name,
        kernel=dfsg.kernel,
        demangled=demangle(dfsg.kernel),
        grid=list(dfsg.grid),
        block=list(dfsg.block),
        warp_size=dfsg.warp_size,
        threads=dfsg.threads,
        ecount=total,
        blocks=[_block(dfsg, node, total) for node in dfsg.nodes],
        edges=_edges(dfsg),
        loops=[_loop(dfsg, loop) for loop in dfsg.loops],
        branches=[_branch(dfsg, branch) for branch in branches(dfsg)],
        irreducible=[list(blocks) for blocks in dfsg.irreducible],
        marks=marks(LaunchFlow, Mark.EXACT),
    )


def _block(dfsg: Dfsg, node: Node, total: int) -> BlockFlow:
    where = node.place
    return BlockFlow(
        id=node.block,
        label=node.label,
        area=node.area.value,
        loop=None if node.loop is None else dfsg.loops[node.loop].shape.header,
        instructions=node.instructions,
        barriers=node.barriers,
        ecount=node.ecount,
        lcount=node.lcount,
        scount=node.scount,
        threads=node.threads,
        warps=node.warps,
        scount_warps=node.scount_warps,
        iterations_a_thread=node.iterations_a_thread,
        ecount_fraction=node.ecount / (total or 1),
        place=None
        if where is None
        else SourcePlace(
            file=where.file, line=where.line, column=where.column or None, of="source"
        ),
    )


def _edges(dfsg: Dfsg) -> list[EdgeFlow]:
    back = {(latch, loop.shape.header) for loop in dfsg.loops for latch in loop.shape.latches}
    return [
        EdgeFlow(
            source=edge.source,
            target=edge.target,
            closes_loop=(edge.source, edge.target) in back,
            oecount=edge.oecount,
            iecount=edge.iecount,
            tcount=edge.tcount,
            warps=edge.warps,
        )
        for edge in dfsg.edges
    ]


def _loop(dfsg: Dfsg, loop: LoopStatistics) -> LoopFlow:
    shape, counts = loop.shape, loop.counts
    target = target_case(dfsg, loop)
    return LoopFlow(
        target_point=shape.header,
        label=dfsg.nodes[shape.header].label,
        pattern=loop.pattern.value,
        depth=shape.depth,
        parent=None if shape.parent is None else dfsg.loops[shape.parent].shape.header,
        blocks=list(shape.blocks),
        jump_points=[_jump_point(dfsg, loop, latch) for latch in shape.latches],
        target_case=None if target is None else target.value,
        entries=counts.entries,
        threads=counts.threads,
        warps=loop.warps,
        iterations=counts.iterations,
        iterations_a_thread=loop.mean,
        iterations_min=counts.iterations_min,
        iterations_max=counts.iterations_max,
        iterates_alike=loop.iterates_alike,
        by_warp=counts.by_warp,
    )


def _jump_point(dfsg: Dfsg, loop: LoopStatistics, latch: int) -> JumpPoint:
    case = jump_case(dfsg, loop, latch)
    return JumpPoint(block=latch, case=None if case is None else case.value)


def _branch(dfsg: Dfsg, branch: Branch) -> BranchFlow:
    return BranchFlow(
        block=branch.block,
        area=branch.area.value,
        parts_warps=branch.parts_warps,
        splits=branch.splits,
        sides=_sides(branch.sides, dfsg.nodes[branch.block].ecount),
    )


def _sides(sides: Sequence[Edge], executions: int) -> list[BranchSide]:
    return [
        BranchSide(
            target=side.target,
            tcount=side.tcount,
            fraction=side.oecount / executions if executions else None,
        )
        for side in sides
    ]
