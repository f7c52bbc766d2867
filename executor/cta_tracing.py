"""The events of chosen CTAs: a launch run as far as they need it, and written down where they are.

CTAs before a chosen one run too, plainly, unless no result can tell. What is written down is held
for some CTAs at a time only.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Diagnostic, LimitError, Severity
from warpmill.analyzer.base.whole_files import most_event_bytes
from warpmill.analyzer.ir.types import Place, Space
from warpmill.analyzer.launch.numbering import CONSTANT_BASE, GLOBAL_BASE, WINDOW_BYTES, WINDOWS
from warpmill.analyzer.traces.event_batch import AccessPoint, EventBatch, EventTables
from warpmill.analyzer.traces.static.plan import known_widths
from warpmill.executor.compile import CompiledKernel
from warpmill.executor.context import Grid, RunLimits
from warpmill.executor.cta_runs import MOST_RESIDENT, TURN, Counts, CtaBlocked, CtaRun
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.entries import Entries, EntryReader
from warpmill.executor.faults import ExecutionFault
from warpmill.executor.independence.decisions import Dependence, Range
from warpmill.executor.launching import confine, may_violate_independence, skippable_ctas
from warpmill.executor.native.events import ACCESS, BLOCK, GUARD, Words

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
    limits: RunLimits
    resident_ctas: int = 1

    def run(self, compiled: CompiledKernel, room: Words | None = None) -> CtaRun:
        """Make what runs its CTAs; ``room`` is where they write down what they do."""
        constants, textures = self.constants, self.textures
        launch = (self.memory, self.grid, self.params, constants, self.symbols, textures)
        return CtaRun(compiled, *launch, self.limits, room=room)


class CtaTracer:
    """Events of CTAs by number, each as often as it is asked for.

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
        self._dependence: Dependence | None = None  # why no CTA may be skipped
        self._started = time.perf_counter()
        self._most = 1  # CTAs of the next batch
        self._room: Words | None = None
        self._runs: dict[str, CtaRun] = {}
        self._start()
        self._runs.update(plain=self._plain, recording=self._recording)  # LimitError, now if ever

    def _start(self) -> None:
        """Begin a pass."""
        launch = self._launch
        self._next = 0  # CTAs below have run, or were skipped, or are of no more use
        self._ran = 0  # CTAs that have run
        self._runs = {}
        self._reader = EntryReader(launch.recording.lanes, launch.recording.lowered.recorded)

    @property
    def _plain(self) -> CtaRun:
        """Run that executes CTAs of this pass without recording; made on first use."""
        if "plain" not in self._runs:
            self._runs["plain"] = self._launch.run(self._launch.plain)
        return self._runs["plain"]

    @property
    def _recording(self) -> CtaRun:
        """Run that executes CTAs of this pass and records what they do; made on first use."""
        if "recording" not in self._runs:
            made = self._runs["recording"] = self._launch.run(self._launch.recording, self._room)
            self._room = made.room
        return self._runs["recording"]

    def batches(self, numbers: Iterable[int]) -> Iterator[EventBatch]:
        """The events of CTAs in the order that is asked for, some CTAs at a time.

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
        """Whether a CTA may be of the batch of others; those that take turns run only once."""
        if self._together:
            return number > waiting[-1]
        return number == waiting[-1] + 1 and len(waiting) < self._most

    def _all_of(self, numbers: Sequence[int]) -> Iterator[EventBatch]:
        """The events of CTAs that should be one batch: more, where they write down much."""
        while numbers:
            batch = self._batch(numbers)
            yield batch
            numbers = numbers[len(batch.ctas) :]

    def _batch(self, numbers: Sequence[int]) -> EventBatch:
        """The events of the first of some CTAs, all if they do not write down too much."""
        if not self._together:
            try:
                return self._in_order(numbers)
            except CtaBlocked:
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
            violated = may_violate_independence(fault, self._launch.memory, self._confined or {})
            if not violated:
                raise
            self._confined = None
            self.restore()
            return self._in_order(numbers)
        self._next = run.next_cta
        done = numbers[: self._next - first]
        self._most = _grown(len(done), written.words)
        return written.batch(self.tables, done)

    def beginnings(self, numbers: Sequence[int], words: int) -> EventBatch | None:
        """First events of CTAs, until each has recorded about so many words.

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

        ``numbers`` ascend. None as above, but for the first CTAs of a launch, which have none or
        each other before them.
        """
        confined = self._alone(numbers)
        if confined is None and not self._together and [*numbers] == [*range(len(numbers))]:
            self.restore()
            self._next, confined = self._launch.grid.ctas, {}
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
        run: CtaRun,
        confined: Mapping[Place, Range],
        numbers: Sequence[int],
        one: Callable[[int], None],
    ) -> bool:
        """Run CTAs one by one; False where one needs what others store, before it or with it."""
        confine(run, confined)
        try:
            for number in numbers:
                one(number)
        except CtaBlocked:
            run.abandon()
            return False
        except ExecutionFault as fault:
            if may_violate_independence(fault, run.memory, confined):
                return False
            raise
        return True

    def _part(self, run: CtaRun, first: int, last: int, written: Written | None = None) -> None:
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
        """Ranges that loads are confined to so that CTAs may be skipped; None: they may not be."""
        if not self._decided:
            self._decided = True
            found = skippable_ctas(self._plain)
            self._dependence = found if isinstance(found, Dependence) else None
            self._confined = None if isinstance(found, Dependence) else found
        return self._confined

    @contextmanager
    def _explained(self, chosen: int) -> Iterator[None]:
        """Context in which a limit's error explains why CTAs before a chosen one run."""
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
        """Restore memory as it was before the launch, where the next pass begins."""
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


# Entries that warps wrote down, put in the order of CTAs and warps, as batches of events.

Numbers = npt.NDArray[np.int64]


def event_tables(compiled: CompiledKernel, grid: Grid) -> EventTables:
    """Meaning of the numbers in a kernel's events."""
    recorded = compiled.lowered.recorded
    unsized = {(p.block, p.instruction) for p in recorded if p.width_bytes is None}
    widths = known_widths(compiled.kernel, unsized) if unsized else {}
    points = tuple(
        AccessPoint(
            p.block,
            p.instruction,
            p.kind,
            p.space,
            widths.get((p.block, p.instruction)) if p.width_bytes is None else p.width_bytes,
        )
        for p in recorded
    )
    warps = -(-grid.threads_per_cta // compiled.lanes)
    return EventTables(grid.grid, compiled.lanes, warps, points, compiled.guards)


@dataclass
class Written:
    """Entries of one batch; ``chosen`` are the CTAs wanted, all where it is None."""

    reader: EntryReader
    chosen: Numbers | None = None
    words: int = 0
    _parts: list[Entries] = field(default_factory=list)

    def take(self, words: Words) -> None:
        """Take a piece. LimitError where all together take more memory than they may."""
        self.words += words.size
        if 8 * self.words > (most := most_event_bytes()):
            said = f"the events of the CTAs that are held at once take more than {most:,} bytes"
            hint = "--max-event-bytes moves the limit"
            raise LimitError(Diagnostic(Severity.ERROR, said, hint=hint))
        entries = self.reader.read(words)
        self._parts.append(entries if self.chosen is None else entries.of_ctas(self.chosen))

    def batch(self, tables: EventTables, numbers: Sequence[int]) -> EventBatch:
        """The events of CTAs, which have all ended."""
        entries = joined(self._parts, tables.warp_size)
        ctas = np.array(numbers, np.int64)
        place = np.searchsorted(ctas, entries.cta)
        warp = place * tables.warps_per_cta + entries.warp
        return _batch(entries.sorted_by(warp), np.sort(warp, kind="stable"), tables, ctas)


def joined(parts: Sequence[Entries], lanes: int) -> Entries:
    """Entries of several parts, one after another."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return Entries.none(lanes)
    starts = np.cumsum([0, *(len(p.patterns) for p in parts)])
    moved = [p.pattern + start for p, start in zip(parts, starts, strict=False)]
    names = ("kind", "cta", "warp", "number", "mask", "base")
    columns = {n: np.concatenate([getattr(p, n) for p in parts]) for n in names}
    patterns = np.concatenate([p.patterns for p in parts])
    return Entries(**columns, pattern=np.concatenate(moved).astype(np.int32), patterns=patterns)


def _batch(entries: Entries, warp: Numbers, tables: EventTables, ctas: Numbers) -> EventBatch:
    """Cut entries, sorted by warp, into events with their guards and accesses."""
    begins = entries.kind == BLOCK
    event = np.cumsum(begins) - 1  # the event that an entry is of
    block, mask = entries.number[begins], entries.mask[begins]
    warps = np.searchsorted(warp[begins], np.arange(len(ctas) * tables.warps_per_cta + 1))
    guards = np.flatnonzero(entries.kind == GUARD)
    guards = guards[entries.mask[guards] != mask[event[guards]]]
    accesses = np.flatnonzero(entries.kind == ACCESS)
    steps = np.arange(len(block) + 1)
    return EventBatch(
        tables=tables,
        ctas=ctas,
        warps=warps,
        block=block,
        mask=mask,
        event_guards=np.searchsorted(event[guards], steps),
        guard_number=entries.number[guards],
        guard_mask=entries.mask[guards],
        event_accesses=np.searchsorted(event[accesses], steps),
        access_point=entries.number[accesses],
        access_mask=entries.mask[accesses],
        access_base=_placed(entries, accesses, tables),
        access_pattern=entries.pattern[accesses],
        patterns=entries.patterns,
    )


_NUMBERS = {space: number for number, space in enumerate(Space)}


def _placed(entries: Entries, accesses: Numbers, tables: EventTables) -> Numbers:
    """Bases as traces have them: a generic address as one of the space that it means.

    Where lanes of one access mean several spaces, it stays as it is.
    """
    base = entries.base[accesses].copy()
    spaces = np.array([_NUMBERS[p.space] for p in tables.points], np.int64)
    space = spaces[entries.number[accesses]] if len(spaces) else np.zeros(0, np.int64)
    generic = np.flatnonzero(space == _NUMBERS[Space.GENERIC])
    if generic.size:
        rows = entries.patterns[entries.pattern[accesses[generic]]]
        low, high = base[generic] + rows.min(axis=1), base[generic] + rows.max(axis=1)
        for own, start in WINDOWS.items():
            inside = generic[(low >= start) & (high < start + WINDOW_BYTES)]
            base[inside] -= start
            if own is Space.CONST:
                base[inside] += CONSTANT_BASE
    constants = (space == _NUMBERS[Space.CONST]) & (base < GLOBAL_BASE)
    base[constants] += CONSTANT_BASE  # a buffer that is passed as constant memory stays where it is
    return base
