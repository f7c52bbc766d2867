"""Divergence flow statistics graph of a profile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from warpmill.analyzer.analyses.cfg.graph import Cfg, Loop, LoopForest
from warpmill.analyzer.base.diagnostics import (
    Diagnostic,
    Severity,
    SourcePlace,
    UsageError,
)
from warpmill.analyzer.ir.kernel import Block
from warpmill.analyzer.profile.counts import BlockProfile, EdgeProfile, LoopProfile, Profile
from warpmill.analyzer.profile.dfsg.flow import flow_errors
from warpmill.analyzer.profile.dfsg.graph import (
    Dfsg,
    DfsgLaunch,
    Edge,
    JumpCase,
    JumpPoint,
    LoopStatistics,
    Node,
    TargetCase,
)


def make_dfsg(
    cfg: Cfg, loops: LoopForest, profile: Profile, index: int = 0, name: str = ""
) -> Dfsg:
    """The graph of a launch; ``cfg`` and ``loops`` are those of the profile's kernel.

    It has every block and edge of the kernel, those that no thread came to as well. ``index`` and
    ``name`` are the launch's. UsageError for a profile without edges, loops or distinct threads,
    which says what has to be collected. ValueError where its counts contradict each other.
    """
    edges, counts = _collected(profile)
    kernel = profile.kernel
    nodes = [
        _node(block, profile, found)
        for block, found in zip(kernel.blocks, profile.blocks, strict=True)
    ]
    launch = DfsgLaunch(index, name, kernel.name, profile.grid, profile.block, profile.warp_size)
    dfsg = dfsg_of_counts(launch, nodes, _edges(cfg, edges), loops, counts)
    errors = flow_errors(dfsg)
    if errors:
        raise ValueError(f"the profile of {kernel.name} contradicts itself: {errors[0]}")
    return dfsg


def dfsg_of_counts(
    launch: DfsgLaunch,
    nodes: Sequence[Node],
    edges: Sequence[Edge],
    loops: LoopForest,
    counts: Iterable[LoopProfile],
) -> Dfsg:
    """The graph of blocks and edges; what follows from their counts is filled in.

    A loop without counts was entered by no thread.
    """
    whole = sum(node.ecount for node in nodes) or 1
    back, inside = frozenset(loops.back_edges), loops.innermost_ids
    told = tuple(
        replace(node, loop=inside[node.block], ecount_fraction=node.ecount / whole)
        for node in nodes
    )
    found = tuple(replace(edge, closes_loop=(edge.source, edge.target) in back) for edge in edges)
    bare = Dfsg(launch, told, found, (), loops.irreducible)
    by_header = {each.header: each for each in counts}
    statistics = (
        _loop(bare, shape, by_header.get(shape.header, _never(shape.header)))
        for shape in loops.loops
    )
    return replace(bare, loops=tuple(statistics))


def _loop(dfsg: Dfsg, shape: Loop, counts: LoopProfile) -> LoopStatistics:
    return LoopStatistics(
        shape,
        counts,
        dfsg.nodes[shape.header].label,
        tuple(JumpPoint(latch, _jump_case(dfsg, shape, latch)) for latch in shape.latches),
        _target_case(dfsg, shape, counts),
    )


def _jump_case(dfsg: Dfsg, shape: Loop, latch: int) -> JumpCase | None:
    threads = dfsg.nodes[latch].threads
    if not threads:
        return None
    back = dfsg.by_pair[latch, shape.header]
    return JumpCase.ALL if back.tcount == threads else JumpCase.SOME


def _target_case(dfsg: Dfsg, shape: Loop, counts: LoopProfile) -> TargetCase | None:
    """The case of a loop's target point; None where no case fits, or no thread came to it.

    Directions are the out-edges that stay in the loop: one that leaves it is the loop's end. Where
    each thread keeps to a direction but the groups iterate differently, no case fits. A self-loop
    has none, as its iterations say all.
    """
    if len(shape.blocks) == 1:
        return None
    sides = [side for side in dfsg.leaving[shape.header] if side.target in shape.members]
    taken = [side for side in sides if side.tcount]
    if not taken:
        return None
    if len(taken) == 1:
        return TargetCase.ONE_WAY
    if sum(side.tcount for side in taken) > counts.threads:
        return TargetCase.CHANGING
    first, *others = taken
    alike = all(first.oecount * o.tcount == o.oecount * first.tcount for o in others)
    return TargetCase.GROUPS if alike else None


def _never(header: int) -> LoopProfile:
    return LoopProfile(header, 0, 0, 0, 0, 0, ())


def _collected(profile: Profile) -> tuple[Sequence[EdgeProfile], Sequence[LoopProfile]]:
    """Edges and loops of a profile. UsageError where something was not collected."""
    missing = []
    if any(each.distinct_threads is None for each in profile.blocks):
        missing.append("distinct threads by block")
    if profile.edges is None:
        missing.append("edges")
    elif any(each.distinct_threads is None for each in profile.edges):
        missing.append("distinct threads by edge")
    if profile.loops is None:
        missing.append("loops")
    if missing or profile.edges is None or profile.loops is None:
        words = f"the profile of {profile.kernel.name} has no {', no '.join(missing)}"
        hint = "a divergence flow graph needs blocks and edges with distinct threads, and loops"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=f"{hint}: collect them"))
    return profile.edges, profile.loops


def _node(block: Block, profile: Profile, counts: BlockProfile) -> Node:
    barriers = [
        place
        for place, instruction in enumerate(block.instructions)
        if "barrier" in instruction.operation.effects
    ]
    return Node(
        block=block.id,
        label=block.label,
        instructions=len(block.instructions),
        ecount=counts.threads,
        warps=counts.warps,
        threads=counts.distinct_threads or 0,
        barriers=len(barriers),
        scount=sum(profile.threads_on(block.id, place) for place in barriers),
        scount_warps=counts.warps * len(barriers),
        loop=None,
        ecount_fraction=0.0,
        place=_place(block),
    )


def _place(block: Block) -> SourcePlace | None:
    """The first line that the compiler recorded in a block."""
    for instruction in block.instructions:
        if instruction.debug is not None and instruction.debug.line:
            return instruction.debug.place
    return None


def _edges(cfg: Cfg, counts: Iterable[EdgeProfile]) -> tuple[Edge, ...]:
    known = {(each.source, each.target): each for each in counts}
    pairs = (
        (block, None if after == cfg.exit_id else after)
        for block in range(cfg.exit_id)
        for after in cfg.successors[block]
    )
    return tuple(_edge(source, target, known.get((source, target))) for source, target in pairs)


def _edge(source: int, target: int | None, counts: EdgeProfile | None) -> Edge:
    """An edge; one that the profile does not list was not crossed."""
    if counts is None:
        return Edge(source, target, 0, 0, 0)
    return Edge(source, target, counts.threads, counts.warps, counts.distinct_threads or 0)
