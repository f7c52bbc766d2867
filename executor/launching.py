"""A compiled kernel run over a grid, by one or many runs, and what it did, counted."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from warpmill.analyzer.ir.kernel import Kernel
from warpmill.executor.compile import CompiledKernel
from warpmill.executor.context import Bytes
from warpmill.executor.cta_runs import TURN, Counts, CtaRun
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.grid import NO_LIMITS, Grid, Progress, RunLimits
from warpmill.executor.independence.decisions import Dependence
from warpmill.executor.native.events import Words
from warpmill.executor.native.observing import SUMS
from warpmill.executor.tallies import CtaRows, LoopTally, cta_rows, loop_tallies
from warpmill.executor.workers import run_all


@dataclass(frozen=True)
class Execution:
    """What a launch did, exactly. Counts by block are int64, in the order of the blocks.

    ``guard_lanes`` counts the lanes that each guarded instruction was on for (``guards`` of the
    compiled kernel), ``edge_warps`` and ``edge_threads`` the crossings of each edge (``edges`` of
    the compiled kernel). ``lane_counts`` are executions by block and number of lanes,
    ``distinct_blocks`` and ``distinct_edges`` threads that have been there, ``loops`` what they did
    in each loop (``headers``), ``point_sums`` the sums of each point by ``SUMS``, ``cta_rows`` what
    each CTA did; where that was asked for. ``printed`` is
    what threads printed. ``workers`` is how many threads of the CPU took CTAs; ``dependence`` says
    why it was one where several were to.
    """

    kernel: Kernel
    ctas: int
    threads: int
    block_warps: Counts
    block_threads: Counts
    guard_lanes: Counts
    edge_warps: Counts
    edge_threads: Counts
    lane_counts: Counts
    distinct_blocks: Counts
    distinct_edges: Counts
    loops: tuple[LoopTally, ...]
    point_sums: Counts
    cta_rows: CtaRows | None
    seconds: float
    compile_seconds: float
    printed: str = ""
    workers: int = 1
    dependence: Dependence | None = None

    @cached_property
    def _lengths(self) -> Counts:
        return np.array([len(b.instructions) for b in self.kernel.blocks], np.int64)

    @property
    def warp_instructions(self) -> int:
        """Instructions by warps: each execution by a warp counts once."""
        return int(self.block_warps @ self._lengths)

    @property
    def thread_instructions(self) -> int:
        """Instructions by threads: each counts as often as it has active lanes."""
        return int(self.block_threads @ self._lengths)


@dataclass(frozen=True)
class Bindings:
    """What a kernel reaches by name: constants' bytes, and what its module binds.

    ``symbols`` are the addresses of the module's global variables that the kernel names.
    """

    constants: Bytes | None = None
    symbols: Sequence[int] = ()
    textures: Counts | None = None


@dataclass(frozen=True)
class RunMode:
    """How a grid is gone through.

    ``workers`` of None or 0 are as many as there are processors. With ``resident_ctas`` above 1 so
    many CTAs take turns, as on a GPU. ``on_words`` is given what warps write down
    (``record_events``, see ``events.py``), piece after piece, valid until it returns; one thread
    runs all CTAs then.
    """

    workers: int | None = 1
    progress: Progress | None = None
    resident_ctas: int = 1
    on_words: Callable[[Words], None] | None = None


def execute(
    compiled: CompiledKernel,
    memory: DeviceMemory,
    launch: Grid,
    params: bytes,
    bindings: Bindings = Bindings(),
    limits: RunLimits = NO_LIMITS,
    mode: RunMode = RunMode(),
) -> Execution:
    """Run a kernel over a grid, with several threads where no result can tell.

    ``params`` are the bytes of all parameters. CTAs run one after another unless ``mode`` has them
    take turns; where one waits for others, all of them do.
    ExecutionFault for what the kernel does wrong in the first CTA that does, LimitError where a
    limit is reached; what memory holds then is undefined. ValueError where instructions are limited
    and not counted.
    """
    if limits.max_instructions is not None and not compiled.options.count_blocks:
        raise ValueError("a limit of instructions needs count_blocks")
    begin = time.perf_counter()
    run = CtaRun(
        compiled,
        memory,
        launch,
        params,
        bindings.constants,
        tuple(bindings.symbols),
        bindings.textures,
        limits,
    )
    run.on_words = mode.on_words
    all_runs: Sequence[CtaRun]
    if mode.resident_ctas > 1:
        run.set_turns(TURN)
        run.together(mode.progress, begin, mode.resident_ctas)
        all_runs, used, dependence = (run,), 1, None
    else:
        all_runs, used, dependence = run_all(
            run, mode.workers if mode.on_words is None else 1, mode.progress, begin
        )
    runs = (*all_runs, *run.companions)
    blocks = _added([r.block_counts for r in runs]).reshape(-1, 2)
    edges = _added([r.edge_counts for r in runs]).reshape(-1, 2)
    distinct = _added([r.distinct_counts for r in runs])
    lines = [r.lines for r in runs if r.lines is not None]
    return Execution(
        kernel=compiled.kernel,
        ctas=launch.ctas,
        threads=launch.ctas * launch.threads_per_cta,
        block_warps=blocks[:, 0].copy(),
        block_threads=blocks[:, 1].copy(),
        guard_lanes=_added([r.guard_counts for r in runs]),
        edge_warps=edges[: len(compiled.edges), 0].copy(),
        edge_threads=edges[: len(compiled.edges), 1].copy(),
        lane_counts=_added([r.lane_counts for r in runs]),
        distinct_blocks=distinct[: run.paths.blocks].copy(),
        distinct_edges=distinct[run.paths.blocks :].copy(),
        loops=tuple(loop_tallies(lines)),
        point_sums=_added([r.points[:-1, : len(SUMS)] for r in runs]),
        cta_rows=cta_rows([own.ctas for own in lines], len(blocks))
        if compiled.options.count_ctas
        else None,
        printed="".join(r.host.printed for r in runs if r.host is not None),
        seconds=time.perf_counter() - begin,
        compile_seconds=compiled.seconds,
        workers=used,
        dependence=dependence,
    )


def _added(counts: Sequence[Counts]) -> Counts:
    """Add up what several runs have counted; mostly there is one."""
    return counts[0].copy() if len(counts) == 1 else np.sum(counts, axis=0)


__all__ = ["Bindings", "Execution", "Grid", "Progress", "RunLimits", "RunMode", "execute"]
