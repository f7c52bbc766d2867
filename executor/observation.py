"""Counts that a run's collectors want, compiled into its kernels, and reported to them.

A launch's profile is made here from what generated code counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.analyses.cfg.graph import Cfg, build_cfg
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.memory.rules import DEFAULT_RULES, MemoryRules
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
from warpmill.executor.collectors import (
    COUNTS,
    AccessEvents,
    BlockEvents,
    Collector,
    ObservedLaunch,
    wants,
)

if TYPE_CHECKING:
    from warpmill.executor.compile import CompiledKernel, CompileOptions
    from warpmill.executor.context import Grid
    from warpmill.executor.entries import Entries
    from warpmill.executor.host.backend import LaunchRequest
    from warpmill.executor.launching import Execution
    from warpmill.executor.native.paths import CtaRows, LoopTally
    from warpmill.executor.native.points import AccessSite


OnWords = Callable[[npt.NDArray[np.int64]], None]


@dataclass(eq=False)
class Observation:
    """Notifier of collectors of a device's launches; ``rules`` are those that count memory.

    ValueError where a collector wants counts that there are not.
    """

    collectors: Sequence[Collector]
    rules: MemoryRules = DEFAULT_RULES
    _launches: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._counts = frozenset[str]().union(*(c.counts for c in self.collectors))
        unknown = sorted(self._counts - set(COUNTS))
        if unknown:
            raise ValueError(f"there are no counts `{unknown[0]}`; counts are {', '.join(COUNTS)}")
        self._on_blocks = [c for c in self.collectors if wants(c, "on_blocks")]
        self._on_accesses = [c for c in self.collectors if wants(c, "on_accesses")]

    def options(self, plain: CompileOptions) -> CompileOptions:
        """The options that kernels are compiled with: what somebody wants, and no more."""
        wanted = self._counts
        return replace(
            plain,
            count_edges="edges" in wanted or "paths" in wanted,
            count_lanes="lanes" in wanted,
            count_paths="paths" in wanted,
            count_ctas="ctas" in wanted,
            memory_rules=self.rules if "memory" in wanted else None,
            record_events=bool(self._on_blocks or self._on_accesses),
            record_addresses=bool(self._on_accesses),
        )

    def begin(self, request: LaunchRequest, compiled: CompiledKernel) -> OnWords | None:
        """Announce a launch that is about to run; returns the consumer of its warps' records."""
        launch = ObservedLaunch(
            self._launches,
            request.kernel,
            request.grid,
            request.block,
            request.dynamic_shared_bytes,
            compiled.lanes,
        )
        self._launches += 1
        for collector in self.collectors:
            collector.on_launch(launch)
        if not compiled.options.record_events:
            return None
        from warpmill.executor.entries import EntryReader  # noqa: PLC0415 - numba is slow to load

        points = compiled.lowered.recorded
        reader, told = EntryReader(compiled.lanes, points), _Points.of(points)

        def take(words: npt.NDArray[np.int64]) -> None:
            self._tell(reader.read(words), told)

        return take

    def _tell(self, entries: Entries, points: _Points) -> None:
        if self._on_blocks:
            blocks = _block_events(entries)
            for collector in self._on_blocks:
                collector.on_blocks(blocks)
        if self._on_accesses:
            accesses = _access_events(entries, points)
            for collector in self._on_accesses:
                collector.on_accesses(accesses)

    def end(self, request: LaunchRequest, compiled: CompiledKernel, execution: Execution) -> None:
        """Report a launch's outcome."""
        from warpmill.executor.context import Grid  # noqa: PLC0415 - with what needs LLVM

        grid = Grid(request.grid, request.block, request.dynamic_shared_bytes)
        wanting = [c for c in self.collectors if wants(c, "on_profile")]
        if wanting:
            profile = profile_of(compiled, grid, execution)
            for collector in wanting:
                collector.on_profile(profile)


@dataclass(frozen=True, eq=False)
class _Points:
    """The points of a kernel as columns, to be indexed with points."""

    block: npt.NDArray[np.int64]
    instruction: npt.NDArray[np.int64]
    kind: npt.NDArray[np.str_]
    space: npt.NDArray[np.str_]
    width_bytes: npt.NDArray[np.int64]

    @classmethod
    def of(cls, points: Sequence[AccessSite]) -> _Points:
        return cls(
            np.array([p.block for p in points], np.int64),
            np.array([p.instruction for p in points], np.int64),
            np.array([p.kind for p in points], np.str_),
            np.array([p.space.value for p in points], np.str_),
            np.array([-1 if p.width_bytes is None else p.width_bytes for p in points], np.int64),
        )

    @property
    def columns(self) -> Iterator[npt.NDArray[Any]]:
        return iter((self.block, self.instruction, self.kind, self.space, self.width_bytes))


def _block_events(entries: Entries) -> BlockEvents:
    """The executions of blocks, those that are alike and follow one another together."""
    from warpmill.executor.native.events import BLOCK  # noqa: PLC0415 - with what needs LLVM

    chosen = entries.kind == BLOCK
    columns = [c[chosen] for c in (entries.cta, entries.warp, entries.number, entries.mask)]
    if not chosen.any():
        starts = np.zeros(0, np.int64)
    else:
        changes = np.logical_or.reduce([c[1:] != c[:-1] for c in columns])
        starts = np.flatnonzero(np.r_[True, changes])
    counts = np.diff(np.r_[starts, len(columns[0])])
    cta, warp, block, mask = (c[starts] for c in columns)
    return BlockEvents(cta, warp.astype(np.int64), block.astype(np.int64), mask, counts)


def _access_events(entries: Entries, points: _Points) -> AccessEvents:
    from warpmill.executor.native.events import ACCESS  # noqa: PLC0415 - with what needs LLVM

    chosen = entries.kind == ACCESS
    number = entries.number[chosen]
    block, instruction, kind, space, width = (c[number] for c in points.columns)
    return AccessEvents(
        entries.cta[chosen], entries.warp[chosen].astype(np.int64), block, instruction, kind,
        space, width, entries.mask[chosen], entries.base[chosen], entries.pattern[chosen],
        entries.patterns,
    )  # fmt: skip


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
    from warpmill.executor.native.observing import SUMS  # noqa: PLC0415 - with what needs LLVM

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
