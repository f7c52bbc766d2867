"""A compiled kernel run over a grid, by one thread or many, and what it did, counted."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from warpmill.analyzer.base.diagnostics import Span
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.types import Place
from warpmill.analyzer.launch.numbering import GLOBAL_BASE
from warpmill.executor.compile import CompiledKernel
from warpmill.executor.context import NO_LIMITS, Bytes, Grid, Progress, RunLimits
from warpmill.executor.cta_runs import TURN, Counts, CtaRun
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.faults import ExecutionFault
from warpmill.executor.independence.decisions import Decision, Dependence, Range
from warpmill.executor.native.events import Words
from warpmill.executor.native.layout import FaultKind
from warpmill.executor.native.observing import SUMS
from warpmill.executor.native.paths import CtaRows, LoopTally, cta_rows, loop_tallies


@dataclass(frozen=True)
class Execution:
    """Exact outcome of a launch. Counts by block are int64, in the order of the blocks.

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
    """Objects that a kernel reaches by name: constants' bytes, and what its module binds.

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
    runs all CTAs then, and where sanitizers watch the launch (``watch_address``). ``order`` above 0
    is a seed of another order: some CTAs take turns, warps and CTAs come in any order.
    """

    workers: int | None = 1
    progress: Progress | None = None
    resident_ctas: int = 1
    on_words: Callable[[Words], None] | None = None
    watch_address: int = 0
    order: int = 0


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
        watch_address=mode.watch_address,
    )
    run.on_words = mode.on_words
    all_runs: Sequence[CtaRun]
    if mode.order:
        run.shuffled(mode.order).together(mode.progress, begin, mode.resident_ctas)
        all_runs, used, dependence = (run,), 1, None
    elif mode.resident_ctas > 1:
        run.set_turns(TURN)
        run.together(mode.progress, begin, mode.resident_ctas)
        all_runs, used, dependence = (run,), 1, None
    else:
        all_runs, used, dependence = run_all(
            run,
            1 if mode.watch_address or mode.on_words is not None else mode.workers,
            mode.progress,
            begin,
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


# The CTAs of a launch taken by several threads, where no result can tell.
#
# Native code runs without Python's lock, so that threads gain what the processor has. Parts of the
# grid are handed out from the first CTA on; a fault lets all parts before it come to their end, so
# that the lowest CTA's fault is told, whatever the number of threads.

_FEWEST = 2  # threads that are worth the trouble
_PARTS = 8  # of the grid for each thread, so that none waits long for the last
ENOUGH = 1 << 27
"""Thread instructions after which it pays to decide whether several threads may go on."""


def available_workers() -> int:
    """Count the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_all(
    run: CtaRun, workers: int | None, progress: Progress | None, begin: float
) -> tuple[Sequence[CtaRun], int, Dependence | None]:
    """Run all CTAs of a launch, in order or by several threads.

    Gives the runs whose counts make up the launch's, how many threads there were, and why it was
    one where several were to be.
    """
    wanted = min(workers or available_workers(), run.launch.ctas)
    wanted = min(wanted, run.limits.max_bytes // max(1, run.cta_bytes))
    enough = ENOUGH if run.compiled.options.count_blocks else 0
    done = run.in_order(progress, begin, most=enough if wanted > 1 else math.inf)
    wanted = min(wanted, run.launch.ctas - done)
    if wanted < _FEWEST:
        run.in_order(progress, begin, done)
        return (run,), 1, None
    decision = _decided(run)
    if decision.dependence is None:
        pool = _worker_pool(run, decision, wanted, done)
        try:
            with _undone_if_violated(run.memory, decision):
                pool.work(progress, begin)
        except IndependenceViolated as violated:
            decision = Decision(violated.dependence)
        else:
            return pool.runs, wanted, None
    run.in_order(progress, begin, done)
    return (run,), 1, decision.dependence


def skippable_ctas(run: CtaRun) -> Mapping[Place, Range] | Dependence:
    """Whether CTAs may be skipped without any other one's noticing; else why not.

    That holds while instructions of those that do run stay inside the ranges that are given
    (``confine`` sees to it). They are loads: what a CTA that is skipped would have stored
    is known without running it.
    """
    decision = _decided(run, only_reads=True)
    if decision.dependence is None and not decision.only_loads:
        return Dependence("where it stores depends on data")
    return decision.dependence or decision.confined


def _decided(run: CtaRun, *, only_reads: bool = False) -> Decision:
    """Decide whether CTAs of a launch are independent; ``only_reads`` as ``decide`` has it."""
    from warpmill.executor.independence.affine import LaunchNumbers  # noqa: PLC0415 - only long launches
    from warpmill.executor.independence.deciding import decide  # noqa: PLC0415 - only long launches

    symbols = dict(zip(run.compiled.global_names, run.symbols, strict=True))
    facts = LaunchNumbers(run.launch.grid, run.launch.block, run.params, symbols)
    compiled = run.compiled
    launch = (compiled.module, compiled.kernel, facts, run.memory, run.textures)
    found = decide(*launch, only_reads=only_reads)
    if found.confined and sum(end - start for start, end in found.written) > run.limits.max_bytes:
        return Decision(Dependence("what it may write is too large to be kept"))
    return found


def _worker_pool(run: CtaRun, decision: Decision, workers: int, done: int) -> WorkerPool:
    """Make the runs of several threads, which go on from where a run stands."""
    compiled = run.compiled.for_threads
    runs = [
        replace(run, compiled=compiled, arrays={}, host=None, room=None) for _ in range(workers)
    ]
    for each in runs:
        confine(each, decision.confined)
    return WorkerPool((run, *runs), run.launch.ctas, done)


class IndependenceViolated(Exception):  # noqa: N818 - no error: the launch runs again, in order
    """An access left the memory that it is confined to, so that nothing is decided after all."""

    def __init__(self, span: Span | None) -> None:
        super().__init__()
        self.dependence = Dependence("it reached another buffer than it was to", span)


class _Halted(Exception):  # noqa: N818 - it never leaves this file
    """Work of this thread is no longer of use."""


@dataclass
class WorkerPool:
    """The runs of a launch, the first the one before, then one a thread, and how far they are."""

    runs: Sequence[CtaRun]
    ctas: int
    _next: int
    _done: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _faults: dict[int, ExecutionFault] = field(default_factory=dict)
    _halted: bool = False

    def work(self, progress: Progress | None, begin: float) -> None:
        """Run all CTAs left. ExecutionFault of the lowest CTA that has one; LimitError."""
        self._done = self._next
        members = self.runs[1:]
        step = -(-(self.ctas - self._next) // (len(members) * _PARTS))
        with ThreadPoolExecutor(len(members)) as pool, self._halting():
            ways = [pool.submit(self._take, run, step, progress, begin) for run in members]
            for way in ways:
                way.result()
        if self._faults:
            raise self._faults[min(self._faults)]

    @contextmanager
    def _halting(self) -> Iterator[None]:
        """Context at whose end all threads halt soon."""
        try:
            yield
        finally:
            self._halted = True

    def _take(self, run: CtaRun, step: int, progress: Progress | None, begin: float) -> None:
        try:
            while (first := self._first(step)) is not None:
                last = min(first + step, self.ctas)
                try:
                    run.part(first, last, self._watcher(run, first, begin))
                except ExecutionFault as fault:
                    self._faults[first] = fault
                self._tell(last - first, progress)
        except _Halted:
            return
        except BaseException:
            self._halted = True
            raise

    def _first(self, step: int) -> int | None:
        """Hand out the next part; none after a fault."""
        with self._lock:
            if self._faults or self._halted or self._next >= self.ctas:
                return None
            self._next += step
            return self._next - step

    def _watcher(self, run: CtaRun, first: int, begin: float) -> Callable[[], None]:
        def watch() -> None:
            if self._halted or any(first > other for other in tuple(self._faults)):
                raise _Halted
            run.watch(begin, self.runs)

        return watch

    def _tell(self, ctas: int, progress: Progress | None) -> None:
        with self._lock:
            self._done += ctas
            if progress is not None and not self._faults:
                progress(self._done, self.ctas)


# Accesses that are confined.


def confine(run: CtaRun, confined: Mapping[Place, Range]) -> None:
    """Confine instructions to one allocation."""
    if not confined:
        return
    numbers = {place: k for k, place in enumerate(run.compiled.lowered.sites)}
    tables = np.zeros(len(numbers), np.int64)
    hosts = {start: host for start, _, host in run.memory.table().tolist()}
    for place, (start, end) in confined.items():
        table = np.array([1, start, end, hosts[start]], np.int64)
        run.arrays[f"table of {place}"] = table
        tables[numbers[place]] = table.ctypes.data
    run.point("confined", tables)


@contextmanager
def _undone_if_violated(memory: DeviceMemory, decision: Decision) -> Iterator[None]:
    """Keep what may be written, and restore it before ``IndependenceViolated`` goes on its way."""
    written = decision.written if decision.confined else ()
    kept = [(start, memory.view(start, end - start).copy()) for start, end in written]
    try:
        yield
    except ExecutionFault as fault:
        if not may_violate_independence(fault, memory, decision.confined):
            raise
        for start, data in kept:
            memory.view(start, data.size)[:] = data
        raise IndependenceViolated(fault.fault.span) from None


def may_violate_independence(
    fault: ExecutionFault, memory: DeviceMemory, confined: Mapping[Place, Range]
) -> bool:
    """Whether a fault may be one only because an access is confined."""
    known = fault.fault
    if known.kind is not FaultKind.OUT_OF_BOUNDS or known.instruction not in confined:
        return False
    is_window = known.address is not None and known.address < GLOBAL_BASE
    return is_window or memory.find(known.address or 0) is not None
