"""A launch's profile from what generated code counted."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from warpmill.analyzer.analyses.cfg.graph import Cfg, build_cfg
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.memory.rules import MemoryRules
from warpmill.analyzer.profile.counts import (
    AccessProfile,
    BlockProfile,
    CtaProfile,
    EdgeProfile,
    GuardProfile,
    LoopProfile,
    Profile,
    WarpIterations,
)
from warpmill.analyzer.profile.memory import OUTSIDE
from warpmill.executor.compile import CompiledKernel
from warpmill.executor.context import Grid
from warpmill.executor.launching import Execution
from warpmill.executor.native.observing import SUMS
from warpmill.executor.native.paths import CtaRows, LoopTally
from warpmill.executor.native.points import AccessSite


def profile_of(compiled: CompiledKernel, launch: Grid, execution: Execution) -> Profile:
    """The profile of a launch: what its kernel was compiled to count, no more."""
    kernel, options = compiled.kernel, compiled.options
    cfg = build_cfg(kernel)
    edges = tuple(_edges(compiled, cfg, execution)) if options.count_edges else None
    return Profile(
        kernel=kernel,
        grid=launch.grid,
        block=launch.block,
        dynamic_shared_bytes=launch.dynamic_shared_bytes,
        warp_size=compiled.lanes,
        blocks=tuple(_blocks(compiled, execution)),
        guards=tuple(_guards(compiled, execution)),
        edges=edges,
        loops=_loops(compiled, edges or (), execution) if options.count_paths else None,
        lanes=tuple(map(tuple, execution.lane_counts.tolist())) if options.count_lanes else None,
        accesses=None if options.memory_rules is None else _accesses(compiled, execution),
        rules=options.memory_rules,
        by_cta=None if execution.cta_rows is None else _by_cta(compiled, execution.cta_rows),
    )


def _blocks(compiled: CompiledKernel, execution: Execution) -> Iterator[BlockProfile]:
    counts = zip(execution.block_warps.tolist(), execution.block_threads.tolist(), strict=True)
    been = execution.distinct_blocks.tolist() if compiled.options.count_paths else None
    for block, (warps, threads) in enumerate(counts):
        yield BlockProfile(block, warps, threads, None if been is None else been[block])


def _guards(compiled: CompiledKernel, execution: Execution) -> Iterator[GuardProfile]:
    for (block, place), threads in zip(
        compiled.guards, execution.guard_lanes.tolist(), strict=True
    ):
        yield GuardProfile(block, place, threads)


def _edges(compiled: CompiledKernel, cfg: Cfg, execution: Execution) -> Iterator[EdgeProfile]:
    """All edges; a block's only way on is taken as often as the block is executed."""
    numbers = {edge: k for k, edge in enumerate(compiled.edges)}
    blocks = tuple(_blocks(compiled, execution))
    counted = compiled.options.count_paths
    for block in range(cfg.exit_id):
        for target in cfg.successors[block]:
            k = numbers.get((block, target))
            if k is None:
                of = blocks[block]
                counts = (of.warps, of.threads, of.distinct_threads)
            else:
                been = int(execution.distinct_edges[k]) if counted else None
                counts = (int(execution.edge_warps[k]), int(execution.edge_threads[k]), been)
            yield EdgeProfile(block, None if target == cfg.exit_id else target, *counts)


def _loops(
    compiled: CompiledKernel, edges: tuple[EdgeProfile, ...], execution: Execution
) -> tuple[LoopProfile, ...]:
    paths = compiled.lowered.counting.paths
    assert paths is not None
    bodies = {loop.header: set(loop.blocks) for loop in compiled.loops}
    found = []
    for header, tally in zip(paths.headers, execution.loops, strict=True):
        entering = (e for e in edges if e.target == header and e.source not in bodies[header])
        entries = sum(e.threads for e in entering)
        if header == 0:  # the launch itself enters
            entries += execution.threads
        found.append(_loop(header, entries, tally))
    return tuple(found)


def _loop(header: int, entries: int, tally: LoopTally) -> LoopProfile:
    ordered = sorted(tally.by_warp.items(), key=lambda item: Fraction(*item[0]))
    by_warp = tuple(WarpIterations(*each, warps) for each, warps in ordered)
    least = 0 if tally.least is None else tally.least
    return LoopProfile(header, entries, tally.threads, tally.iterations, least, tally.most, by_warp)


def _accesses(compiled: CompiledKernel, execution: Execution) -> tuple[AccessProfile, ...]:
    """The accesses of an instruction that are alike, added up; those that never happened are not.

    An access that may be to several spaces has only those that it met.
    """
    sums: dict[AccessSite, np.ndarray[tuple[int], np.dtype[np.int64]]] = {}
    for point, own in zip(compiled.lowered.counted, execution.point_sums, strict=True):
        sums[point] = sums[point] + own if point in sums else own
    order = {space: k for k, space in enumerate(Space)}
    places = sorted(sums, key=lambda p: (p.block, p.instruction, p.kind, order[p.space]))
    rules = compiled.options.memory_rules
    assert rules is not None
    return tuple(_access(p, sums[p].tolist(), rules) for p in places if sums[p][0])


def _access(point: AccessSite, sums: list[int], rules: MemoryRules) -> AccessProfile:
    of = dict(zip(SUMS, sums, strict=True))
    outside, inside = point.space in OUTSIDE, point.space is Space.SHARED
    return AccessProfile(
        block=point.block,
        instruction=point.instruction,
        kind=point.kind,
        space=point.space,
        width_bytes=point.width_bytes or 0,
        requests=of["warps"],
        threads=of["lanes"],
        lines=of["requests"] if outside else None,
        sectors=of["sectors"] if outside else None,
        bytes_transferred=of["sectors"] * rules.sector_bytes if outside else None,
        wavefronts=of["passes"] if inside else None,
        bank_conflicts=of["passes"] - of["free_passes"] if inside else None,
    )


def _by_cta(compiled: CompiledKernel, rows: CtaRows) -> CtaProfile:
    lengths = np.array([len(b.instructions) for b in compiled.kernel.blocks], np.int64)
    warps, threads = rows.block_warps @ lengths, rows.block_threads @ lengths
    return CtaProfile(
        warp_instructions=warps[rows.vectors],
        thread_instructions=threads[rows.vectors],
        memory_lines=None if compiled.options.memory_rules is None else rows.requests,
        vectors=rows.vectors,
        block_warps=rows.block_warps,
        block_threads=rows.block_threads,
    )
