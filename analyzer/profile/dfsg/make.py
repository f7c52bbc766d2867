"""From a profile to its divergence flow statistics graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from warpmill.analyzer.analyses.cfg.graph import Cfg
from warpmill.analyzer.analyses.cfg.loops import LoopForest
from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.source import DebugLocation
from warpmill.analyzer.ir.kernel import Block
from warpmill.analyzer.profile.counts import BlockProfile, EdgeProfile, LoopProfile, Profile
from warpmill.analyzer.profile.dfsg.flow import flow_errors
from warpmill.analyzer.profile.dfsg.graph import Dfsg, Edge, LoopStatistics, Node


def make_dfsg(cfg: Cfg, loops: LoopForest, profile: Profile) -> Dfsg:
    """Make the graph of a launch; ``cfg`` and ``loops`` are those of the profile's kernel.

    It has every block and edge of the kernel, those that no thread came to as well. UsageError for
    a profile without edges, loops or distinct threads, which says what has to be collected.
    ValueError where its counts contradict each other.
    """
    edges, counts = _collected(profile)
    kernel = profile.kernel
    nodes = [
        _node(block, profile, loops.innermost_ids[block.id], found)
        for block, found in zip(kernel.blocks, profile.blocks, strict=True)
    ]
    dfsg = Dfsg(
        kernel.name,
        profile.grid,
        profile.block,
        profile.warp_size,
        tuple(nodes),
        _edges(cfg, edges),
        loop_statistics(loops, counts),
        loops.irreducible,
    )
    errors = flow_errors(dfsg)
    if errors:
        raise ValueError(f"the profile of {kernel.name} contradicts itself: {errors[0]}")
    return dfsg


def loop_statistics(loops: LoopForest, counts: Iterable[LoopProfile]) -> tuple[LoopStatistics, ...]:
    """Join the shapes of loops with their counts; one without counts was entered by no thread."""
    by_header = {each.header: each for each in counts}
    return tuple(
        LoopStatistics(shape, by_header.get(shape.header, _never(shape.header)))
        for shape in loops.loops
    )


def _never(header: int) -> LoopProfile:
    return LoopProfile(header, 0, 0, 0, 0, 0, ())


def _collected(profile: Profile) -> tuple[Sequence[EdgeProfile], Sequence[LoopProfile]]:
    """Give edges and loops of a profile. UsageError where something was not collected."""
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


def _node(block: Block, profile: Profile, loop: int | None, counts: BlockProfile) -> Node:
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
        loop=loop,
        place=_place(block),
    )


def _place(block: Block) -> DebugLocation | None:
    """Give the first line that the compiler recorded in a block; column 0 is unknown."""
    for instruction in block.instructions:
        if instruction.debug is not None and instruction.debug.line:
            file, line, column, _ = instruction.debug
            return DebugLocation(file, line, column)
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
    """Give an edge; one that the profile does not list was not crossed."""
    if counts is None:
        return Edge(source, target, 0, 0, 0)
    return Edge(source, target, counts.threads, counts.warps, counts.distinct_threads or 0)
