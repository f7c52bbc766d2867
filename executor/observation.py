"""Counts that a run's collectors want, compiled into its kernels, and reported to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.memory.rules import DEFAULT_RULES, MemoryRules
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
    from warpmill.executor.entries import Entries
    from warpmill.executor.host.backend import LaunchRequest
    from warpmill.executor.launching import Execution
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
        from warpmill.executor.profiling import profile_of  # noqa: PLC0415 - as above

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
