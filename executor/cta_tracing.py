"""The events of chosen CTAs: a launch run as far as they need it, and written down where they are.

CTAs before a chosen one run too, plainly, unless no result can tell. What is written down is held
for some CTAs at a time only.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.analyzer.ir.places import Place
from warpmill.analyzer.traces.event_batch import EventBatch
from warpmill.executor.batches import Written, event_tables
from warpmill.executor.compile import CompiledKernel
from warpmill.executor.cta_runs import Counts, Run
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.entries import EntryReader
from warpmill.executor.faults import ExecutionFault
from warpmill.executor.grid import Grid, Limits
from warpmill.executor.independence.decisions import Dependence, Range
from warpmill.executor.native.events import Words
from warpmill.executor.residency import MOST_RESIDENT, TURN, CtaWaits
from warpmill.executor.workers import confine, may_have_strayed, passed_over

_MOST_WORDS = 1 << 20
"""Words that a batch of CTAs should write down, about."""

_MOST_CTAS = 1024


@dataclass(frozen=True)
class PreparedLaunch:
    """A launch that is ready to run: its kernel with and without writing down, and its memory."""

    plain: CompiledKernel
    recording: CompiledKernel
    memory: DeviceMemory
    grid: Grid
    params: bytes
    constants: npt.NDArray[np.uint8] | None
    symbols: tuple[int, ...]
    textures: npt.NDArray[np.int64] | None
    limits: Limits
    resident_ctas: int = 1

    def run(self, compiled: CompiledKernel, room: Words | None = None) -> Run:
        """Make what runs its CTAs; ``room`` is where they write down what they do."""
        constants, textures = self.constants, self.textures
        launch = (self.memory, self.grid, self.params, constants, self.symbols, textures)
        return Run(compiled, *launch, self.limits, room=room)


class CtaTracer:
    """Gives the events of CTAs by number, each as often as it is asked for.

    Memory is as before the launch whenever a pass over the CTAs begins, and undefined afterwards,
    unless the pass ``is_whole``.
    ExecutionFault and LimitError as running them gives.
    """

    def __init__(self, launch: PreparedLaunch) -> None:
        self.tables = event_tables(launch.recording, launch.grid)
        self._launch = launch
        self._before = [(a.address, a.data.copy()) for a in launch.memory.allocations]
        self._together = launch.resident_ctas > 1
        self._decided = False
        self._confined: Mapping[Place, Range] | None = None
        self._dependence: Dependence | None = None  # why no CTA may be passed over
        self._started = time.perf_counter()
        self._most = 1  # CTAs of the next batch
        self._room: Words | None = None
        self._runs: dict[str, Run] = {}
        self._start()
        self._runs.update(plain=self._plain, recording=self._recording)  # LimitError, now if ever

    def _start(self) -> None:
        """Begin a pass."""
        launch = self._launch
        self._next = 0  # CTAs below have run, or were passed over, or are of no more use
        self._ran = 0  # CTAs that have run
        self._runs = {}
        self._reader = EntryReader(launch.recording.lanes, launch.recording.lowered.recorded)

    @property
    def _plain(self) -> Run:
        """What runs CTAs of this pass without writing down; made when it is first asked for."""
        if "plain" not in self._runs:
            self._runs["plain"] = self._launch.run(self._launch.plain)
        return self._runs["plain"]

    @property
    def _recording(self) -> Run:
        """What runs CTAs of this pass and writes down what they do; as above."""
        if "recording" not in self._runs:
            made = self._runs["recording"] = self._launch.run(self._launch.recording, self._room)
            self._room = made.room
        return self._runs["recording"]

    def batches(self, numbers: Iterable[int]) -> Iterator[EventBatch]:
        """Give the events of CTAs in the order that is asked for, some CTAs at a time.

        CTAs of a batch ascend; unless they take turns, they follow one another.
        """
        self._most = 1  # those asked for last may have been light, these not
        waiting: list[int] = []
        for number in numbers:
            if waiting and not self._go_together(waiting, number):
                yield from self._all_of(waiting)
                waiting = []
            waiting.append(number)
        yield from self._all_of(waiting)

    def _go_together(self, waiting: Sequence[int], number: int) -> bool:
        """Tell whether a CTA may be of the batch of others; those that take turns run only once."""
        if self._together:
            return number > waiting[-1]
        return number == waiting[-1] + 1 and len(waiting) < self._most

    def _all_of(self, numbers: Sequence[int]) -> Iterator[EventBatch]:
        """Give the events of CTAs that should be one batch: more, where they write down much."""
        while numbers:
            batch = self._batch(numbers)
            yield batch
            numbers = numbers[len(batch.ctas) :]

    def _batch(self, numbers: Sequence[int]) -> EventBatch:
        """Give the events of the first of some CTAs, all if they do not write down too much."""
        if not self._together:
            try:
                return self._in_order(numbers)
            except CtaWaits:
                self._together = True
        return self._taking_turns(numbers)

    def _in_order(self, numbers: Sequence[int]) -> EventBatch:
        first, last = numbers[0], numbers[-1] + 1
        if first < self._next:
            self.restore()
        begin, self._next = self._next, last
        confined = self._passing_over if first > begin else None
        if confined is not None:
            confine(self._recording, confined)
        elif first > begin:
            with self._explained(first):
                self._part(self._plain, begin, first)
        run, written = self._recording, Written(self._reader)
        run.on_words = written.take
        try:
            self._part(run, first, last, written)
        except ExecutionFault as fault:
            strayed = may_have_strayed(fault, self._launch.memory, self._confined or {})
            if not strayed:
                raise
            self._confined = None
            self.restore()
            return self._in_order(numbers)
        self._next = run.next_cta
        done = numbers[: self._next - first]
        self._most = _grown(len(done), written.words)
        return written.batch(self.tables, done)

    def beginnings(self, numbers: Sequence[int], words: int) -> EventBatch | None:
        """Give what CTAs do first, until each has written down about so many words.

        ``numbers`` ascend. Warps take turns, so that all have come about as far. None where it may
        hang on what CTAs before them do.
        """
        confined = self._alone(numbers)
        if confined is None:
            return None
        run, written = self._recording, Written(self._reader)
        run.on_words = written.take
        run.set_turns(TURN)

        def begin(number: int) -> None:
            most, done = run.written_words + words, False
            run.take(number, number + 1)
            while not done and run.written_words < most:
                done = run.turn(0)
            run.abandon()
            run.watch(self._started, (run,))

        with run.in_large_pieces():
            if not self._each(run, confined, numbers, begin):
                return None
        return written.batch(self.tables, numbers)

    def executions(self, numbers: Sequence[int]) -> Counts | None:
        """Count how often warps of some CTAs execute each block, shape (CTAs, blocks).

        ``numbers`` ascend. None as above.
        """
        confined = self._alone(numbers)
        if confined is None:
            return None
        run = self._plain
        counts = [run.block_counts[::2].copy()]

        def count(number: int) -> None:
            self._part(run, number, number + 1)
            counts.append(run.block_counts[::2].copy())

        return np.diff(counts, axis=0) if self._each(run, confined, numbers, count) else None

    def _alone(self, numbers: Sequence[int]) -> Mapping[Place, Range] | None:
        """Begin a pass for CTAs without those before them; None: these may matter.

        Memory is of no use after it.
        """
        if self._together or not numbers:
            return None
        self.restore()
        confined = self._passing_over
        self._next = self._launch.grid.ctas
        return confined

    @staticmethod
    def _each(
        run: Run,
        confined: Mapping[Place, Range],
        numbers: Sequence[int],
        one: Callable[[int], None],
    ) -> bool:
        """Run CTAs one by one; False where one needs what others store, before it or with it."""
        confine(run, confined)
        try:
            for number in numbers:
                one(number)
        except CtaWaits:
            run.abandon()
            return False
        except ExecutionFault as fault:
            if may_have_strayed(fault, run.memory, confined):
                return False
            raise
        return True

    def _part(self, run: Run, first: int, last: int, written: Written | None = None) -> None:
        """Run CTAs, fewer where they have ``written`` down as much as a batch should have."""
        runs = tuple(self._runs.values())

        def watch() -> None:
            run.watch(self._started, runs)
            if written is not None and written.words > _MOST_WORDS:
                run.end_with_this_cta()

        run.part(first, last, watch, alone=False)
        self._ran += run.next_cta - first

    @property
    def _passing_over(self) -> Mapping[Place, Range] | None:
        """What loads are confined to so that CTAs may be passed over; None: they may not be."""
        if not self._decided:
            self._decided = True
            found = passed_over(self._plain)
            self._dependence = found if isinstance(found, Dependence) else None
            self._confined = None if isinstance(found, Dependence) else found
        return self._confined

    @contextmanager
    def _explained(self, chosen: int) -> Iterator[None]:
        """Say why CTAs before a chosen one run, where these reach a limit."""
        try:
            yield
        except LimitError as error:
            why = self._dependence or Dependence("a load reached what other CTAs may store")
            at = "" if why.span is None else f"line {why.span.line}: "
            words = f"CTAs before CTA {chosen} are executed too, {at}{why.reason}"
            raise LimitError(
                *(replace(d, hint=f"{d.hint}; {words}") for d in error.diagnostics)
            ) from None

    def restore(self) -> None:
        """Let memory be what it was before the launch, and the next pass begin there."""
        if not self._next:
            return  # it has only just begun
        for address, data in self._before:
            self._launch.memory.view(address, data.size)[:] = data
        self._start()

    def _taking_turns(self, numbers: Sequence[int]) -> EventBatch:
        """Run all CTAs, taking turns, and keep what the chosen ones have written down."""
        self.restore()
        launch = self._launch
        written = Written(self._reader, np.array(numbers, np.int64))
        run = self._recording
        run.on_words = written.take
        run.set_turns(TURN)
        run.together(None, self._started, max(launch.resident_ctas, MOST_RESIDENT))
        self._next = self._ran = launch.grid.ctas
        return written.batch(self.tables, numbers)

    @property
    def is_whole(self) -> bool:
        """Whether this pass has run all CTAs: memory is then as the launch leaves it."""
        return self._ran == self._launch.grid.ctas

    @property
    def thread_instructions(self) -> int:
        """Instructions by threads in this pass."""
        return sum(run.thread_instructions for run in self._runs.values())


def _grown(most: int, words: int) -> int:
    """Choose how many CTAs the next batch has, from what the last one took."""
    if words > _MOST_WORDS:
        return max(1, most // 2)
    if words < _MOST_WORDS // 8:
        return min(_MOST_CTAS, 4 * most)
    return min(_MOST_CTAS, 2 * most) if words < _MOST_WORDS // 2 else most
