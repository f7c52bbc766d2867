"""CTAs run by native code: the context that it reads and writes, its turns, what it noted.

A ``CtaRun`` takes CTAs one after another; ``ResidentCtas`` lets several have turns.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn, Self

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Diagnostic, LimitError, Severity
from warpmill.executor.compile import CompiledKernel
from warpmill.executor.context import (
    FIELDS,
    Bytes,
    Grid,
    Progress,
    RunLimits,
    address_of,
    aligned,
    first_masks,
    thread_ids,
)
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.faults import Noted, report
from warpmill.executor.host_calls import Host
from warpmill.executor.native.driver import BARRIER_BYTES, BARRIERS, FAULTED, FINISHED
from warpmill.executor.native.events import Words
from warpmill.executor.native.layout import CONTEXT_BYTES, FaultKind
from warpmill.executor.native.observing import row_words
from warpmill.executor.native.paths import Lines, PathLayout
from warpmill.executor.native.translation import SITE_BYTES
from warpmill.executor.sanitizers.findings import Tool

Counts = npt.NDArray[np.int64]

_SLICE = 4096  # back edges that a warp takes before the others have a turn
_TURN_LENGTHS = (0, 1, 4, 32, _SLICE)  # of orders that are drawn
_SLICE_OF_LANES = 64  # where lanes of a warp may wait for one another too
_FUEL = 1 << 17  # back edges and turns before control returns to Python
RECORD_WORDS = 1 << 20
"""Words of what warps do that are written down before the host takes them."""

RESERVED_BYTES = 1024
"""Shared memory that CUDA keeps for itself, as for groups of warps; only where a kernel asks."""
_RESERVED_ALIGN = 128
_CHUNKS = 64  # a grid is run in at least so many pieces, to tell of progress


@dataclass
class CtaRun:
    """One worker's memory and its context.

    ``room`` is where warps write down what they do, where they do; it is made where none is given.
    ``watch_address`` is what sanitizers watch the launch with, 0 where none do. ``random`` is what
    the order of warps and CTAs is drawn from; None: that of their numbers.
    """

    compiled: CompiledKernel
    memory: DeviceMemory
    launch: Grid
    params: bytes
    constants: Bytes | None
    symbols: tuple[int, ...]
    textures: Counts | None
    limits: RunLimits
    on_words: Callable[[Words], None] | None = None
    turn_length: int = _SLICE
    arrays: dict[str, npt.NDArray[Any]] = field(default_factory=dict)
    host: Host | None = None
    room: Words | None = None
    watch_address: int = 0
    random: np.random.Generator | None = None

    def __post_init__(self) -> None:
        compiled, launch = self.compiled, self.launch
        if compiled.options.independent_lanes:
            self.turn_length = min(self.turn_length, _SLICE_OF_LANES)
        self.block_counts = np.zeros(2 * max(1, len(compiled.kernel.blocks)), np.int64)
        self.guard_counts = np.zeros(len(compiled.guards), np.int64)
        self.edge_counts = np.zeros(2 * max(1, len(compiled.edges)), np.int64)
        lowered, blocks, lanes = compiled.lowered, len(compiled.kernel.blocks), compiled.lanes
        self.lane_counts = np.zeros((blocks, lanes + 1), np.int64)
        self.points = np.zeros((len(lowered.counted) + 1, row_words(lanes)), np.int64)
        self.paths = lowered.counting.paths or PathLayout(lanes, 0, (), ())
        self.distinct_counts = np.zeros(self.paths.places, np.int64)
        self.warps = -(-launch.threads_per_cta // compiled.lanes)
        self.lines: Lines | None = None
        own = compiled.static_shared_bytes + launch.dynamic_shared_bytes
        self.reserved_shared = -(-own // _RESERVED_ALIGN) * _RESERVED_ALIGN
        self.shared_bytes = own
        if compiled.reads_reserved_shared:
            self.shared_bytes = self.reserved_shared + RESERVED_BYTES
        self._check_size()
        self.context = np.zeros(CONTEXT_BYTES, np.uint8)
        self._context_address = address_of(self.context)
        self._context_bytes = memoryview(self.context)  # type: ignore[arg-type] # no Buffer in 3.11
        self._spin = SpinWatch()
        self._taken_words = self._most_waiting = 0
        self._native = compiled.entry
        self.companions: Sequence[CtaRun] = ()
        self._fill()

    def _check_size(self) -> None:
        compiled = self.compiled
        record = compiled.lowered.record.bytes + compiled.local_bytes * compiled.lanes
        needed = record * self.warps + self.shared_bytes
        self.cta_bytes = needed
        if needed > self.limits.max_bytes:
            words = f"a CTA needs {needed} bytes, over the limit of {self.limits.max_bytes}"
            raise LimitError(Diagnostic(Severity.ERROR, words, hint="--max-memory moves the limit"))

    def _fill(self) -> None:
        compiled, launch = self.compiled, self.launch
        lanes, warps = compiled.lanes, self.warps
        table = self.memory.table()
        numbers = {
            "params_bytes": len(self.params),
            "constants_bytes": 0 if self.constants is None else self.constants.size,
            "shared_bytes": self.shared_bytes,
            "reserved_shared": self.reserved_shared,
            "local_bytes": compiled.local_bytes,
            "allocation_count": len(table),
            "record_at": 0,
            "record_end": 0,
            "texture_count": 0 if self.textures is None else len(self.textures),
            "warp_count": warps,
            "lanes": lanes,
            "sanitizer": self.watch_address,
            "dynamic_shared_bytes": launch.dynamic_shared_bytes,
            "slice": self.turn_length,
        }
        for axis, size, count in zip("xyz", launch.block, launch.grid, strict=True):
            numbers[f"ntid.{axis}"], numbers[f"nctaid.{axis}"] = size, count
        for name, number in numbers.items():
            self.set(name, number)
        record_bytes = compiled.lowered.record.bytes
        self.records = aligned(record_bytes * warps)
        self.barriers = aligned(BARRIERS * BARRIER_BYTES)
        arrays = {
            "params": np.frombuffer(self.params + bytes(64), np.uint8).copy(),
            "constants": self.constants,
            "shared": aligned(self.shared_bytes),
            "local": aligned(compiled.local_bytes * lanes * warps),
            "allocations": table,
            "symbols": np.array(self.symbols or (0,), np.int64),
            "sites": np.zeros((len(compiled.lowered.sites) + 1) * SITE_BYTES, np.uint8),
            "textures": self.textures,
            "thread_ids": thread_ids(launch.block, warps, lanes),
            "warps": self.records,
            "segment_order": compiled.lowered.segment_order,
            "warp_order": np.arange(warps, dtype=np.int64),
            "first_masks": first_masks(launch.threads_per_cta, warps, lanes),
            "block_counts": self.block_counts,
            "guard_counts": self.guard_counts,
            "edge_counts": self.edge_counts,
            "lane_counts": self.lane_counts,
            "points": self.points,
            "paths": aligned(self.paths.row_bytes * warps),
            "distinct_counts": self.distinct_counts,
            "barriers": self.barriers,
            "group_values": np.zeros(2 * warps * lanes, np.int64),
        }
        for name, array in arrays.items():
            if array is not None:
                self.point(name, array)
        self._shuffle_warps()
        if compiled.options.count_ctas or self.paths.headers:
            self.lines = Lines(warps, len(self.paths.headers), len(compiled.kernel.blocks))
            self._begin_lines()
        if compiled.options.record_events:
            self._make_records()
        if compiled.has_calls:
            self.host = Host(self)
        if Tool.RACECHECK in compiled.options.tools:
            self._watch_races()
        if Tool.SYNCCHECK in compiled.options.tools:
            self._watch_syncs()
        if Tool.INITCHECK in compiled.options.tools:
            for name in ("shared", "local"):
                self.point(f"{name}_shadow", aligned(self.arrays[name].size))
            self.point("shadow_allocations", self.memory.shadow_table())

    def _watch_races(self) -> None:
        from warpmill.executor.sanitizers.race_records import (  # noqa: PLC0415 - numba
            CtaRaces,
        )

        self._races = CtaRaces.of(
            self.shared_bytes, self.get("shared"), self.warps, self.compiled.lanes
        )
        self.point("cta_races", self._races.words)

    def _watch_syncs(self) -> None:
        from warpmill.executor.sanitizers.sync_records import (  # noqa: PLC0415 - numba
            cta_words,
        )

        self.point("cta_sync", cta_words(self.warps))

    def _begin_lines(self) -> None:
        assert self.lines is not None
        for name, words in (("loop", self.lines.loop_words), ("cta", self.lines.cta_words)):
            self.set(f"{name}_lines_at", words.ctypes.data)
            self.set(f"{name}_lines_end", words.ctypes.data + words.nbytes)

    def _take_lines(self) -> None:
        """Add up the lines that warps and CTAs have left, and make room for more."""
        assert self.lines is not None
        starts = {"loop": self.lines.loop_words, "cta": self.lines.cta_words}
        left = [(self.get(f"{n}_lines_at") - words.ctypes.data) // 8 for n, words in starts.items()]
        if any(left):
            self.lines.take(*left)
            self._begin_lines()
            self._check_lines(self.lines.ctas.size_bytes)

    def _check_lines(self, size: int) -> None:
        if size > self.limits.max_bytes:
            words = f"counts by CTA take {size} bytes, over the limit of {self.limits.max_bytes}"
            hint = "--max-memory moves the limit, --count leaves `ctas` out"
            raise LimitError(Diagnostic(Severity.ERROR, words, hint=hint))

    def _make_records(self) -> None:
        """Make room for what warps write down, and for the last access of each point."""
        points = len(self.compiled.lowered.recorded) + 1
        self.point("patterns", np.zeros((points, 1 + self.compiled.lanes), np.int64))
        if self.room is None:
            self.room = np.empty(max(RECORD_WORDS, 4 * self.compiled.most_words), np.int64)
        self._begin_records(self.room)

    def share_records(self, other: CtaRun) -> None:
        """Go on from the accesses of another run, whose turns come between, in whose room this is.

        Readers see one order.
        """
        if self.compiled.options.record_events:
            assert self.room is other.room
            self.point("patterns", other.arrays["patterns"])

    def _begin_records(self, room: Words) -> None:
        self._records_begin = room.ctypes.data
        self._empty_records()
        end = self._records_begin + room.nbytes
        self.set("record_end", end - 8 * 4 * (self.warps + 1))  # each warp's turn, and its end

    def _empty_records(self) -> None:
        self.set("record_at", self._records_begin)

    def _take_records(self) -> None:
        """Hand over what warps have written down, and begin anew."""
        count = self._waiting_words
        if self.on_words is not None and self.room is not None and count:
            self.on_words(self.room[:count])
        self._taken_words += count
        self._empty_records()

    @property
    def _waiting_words(self) -> int:
        """Words that were written down and not handed over."""
        return (self.get("record_at") - self._records_begin) // 8

    @property
    def written_words(self) -> int:
        """Words that were written down so far."""
        return self._taken_words + self._waiting_words

    @contextmanager
    def in_large_pieces(self) -> Iterator[None]:
        """Hand over what is written down when there is much of it, and at the end."""
        self._most_waiting = RECORD_WORDS // 2
        try:
            yield
        finally:
            self._most_waiting = 0
            self._take_records()

    def set_turns(self, length: int) -> None:
        """Set how often warps take turns: after going back in loops so many times."""
        self.turn_length = length
        self.set("slice", length)

    def shuffled(self, seed: int) -> Self:
        """The run, with warps in another order, and turns of another length; CTAs follow suit."""
        self.random = np.random.default_rng(seed)
        self.set_turns(int(self.random.choice(_TURN_LENGTHS)))
        self._shuffle_warps()
        return self

    def _shuffle_warps(self) -> None:
        if self.random is not None:
            self.point("warp_order", self.random.permutation(self.warps).astype(np.int64))

    def point(self, name: str, array: npt.NDArray[Any]) -> None:
        """Set a field of the context to an array, which is kept until another is there."""
        whole = np.ascontiguousarray(array)
        self.arrays[name] = whole
        self.set(name, address_of(whole))

    def renew_allocations(self) -> None:
        """Show native code the allocations as they are now, and let it forget the old ones."""
        table = self.memory.table()
        self.point("allocations", table)
        self.set("allocation_count", len(table))
        if Tool.INITCHECK in self.compiled.options.tools:
            self.point("shadow_allocations", self.memory.shadow_table())
        self.arrays["sites"][:] = 0

    def set(self, name: str, number: int) -> None:
        """Write a field of the context."""
        own = FIELDS[name]
        own.unsigned.pack_into(self._context_bytes, own.place, number & own.mask)

    def get(self, name: str) -> int:
        """Read a field of the context; signed."""
        own = FIELDS[name]
        number: int = own.signed.unpack_from(self._context_bytes, own.place)[0]
        return number

    def in_order(
        self, progress: Progress | None, begin: float, first: int = 0, most: float = math.inf
    ) -> int:
        """Run CTAs from ``first`` on, to the end or until so many instructions have been executed.

        Gives how many CTAs are done.
        """
        total = self.launch.ctas
        told = progress is not None or most < math.inf
        step = max(1, min(-(-total // _CHUNKS) if told else total, 1 << 14))
        for start in range(first, total, step):
            if most < math.inf and self.thread_instructions >= most:
                return start
            last = min(start + step, total)
            try:
                self.part(start, last, lambda: self.watch(begin, (self,)), alone=False)
            except CtaBlocked:
                self.together(progress, begin, MOST_RESIDENT)
                return total
            if progress is not None:
                progress(last, total)
        return total

    def together(self, progress: Progress | None, begin: float, most: int) -> None:
        """Run the CTA that this run is in, if any, and all after it, so many at a time."""
        busy = not self.is_idle
        first = self.get("cta") if busy else 0
        if busy:
            self.set("last_cta", first + 1)
        resident = ResidentCtas.begin(self, first + busy, most)
        self.companions = resident.runs[1:]

        def tell(ended: int) -> None:
            if progress is not None:
                progress(first + ended, self.launch.ctas)

        resident.work(lambda: self.watch(begin, resident.runs), tell)

    def part(self, first: int, last: int, watch: Callable[[], None], *, alone: bool = True) -> None:
        """Run CTAs from ``first`` to before ``last``, coming back now and then to ``watch``.

        Where a CTA waits for what it will not do itself: a fault, or, not ``alone``, CtaBlocked.
        """
        self.take(first, last)
        is_done = False
        while not is_done:
            is_done = self.turn(_FUEL)
            if not is_done and self._is_spinning():
                if not alone and self.get("cta") + 1 < self.launch.ctas:
                    raise CtaBlocked
                self.fail_spinning()
            watch()

    def take(self, first: int, last: int) -> None:
        """Set the next CTAs to those from ``first`` to before ``last``."""
        self.set("cta", first - 1)
        self.set("last_cta", last)

    def end_with_this_cta(self) -> None:
        """End with the CTA that is under way, the last of those that were taken."""
        self.set("last_cta", self.next_cta)

    @property
    def next_cta(self) -> int:
        """The CTA after the one that is under way, or that was the last to end."""
        return self.get("cta") + 1

    def abandon(self) -> None:
        """Leave the CTA that is under way, if any, where it is: the next one can begin."""
        self.set("live_warps", 0)

    def turn(self, fuel: int) -> bool:
        """Run for a while, and tell whether all CTAs that were taken are done."""
        self.set("fuel", fuel)
        if self.host is not None and self.arrays["allocations"] is not self.memory.table():
            self.renew_allocations()  # another run's threads have taken or given back memory
        code = self._native(self._context_address)
        if self.compiled.options.record_events and self._waiting_words > self._most_waiting:
            self._take_records()
        if self.lines is not None:
            self._take_lines()
        if self.host is not None and self.host.error is not None:
            raise self.host.error
        if code == FAULTED:
            raise report(self.compiled, self.memory, self._noted())
        return bool(code == FINISHED)

    @property
    def is_idle(self) -> bool:
        """Whether no CTA is under way."""
        return self.get("live_warps") == 0

    @property
    def changes(self) -> int:
        """Counts what shows that something goes on: changes of memory, and clocks that are read."""
        return self.get("stores") + self.get("clock")

    def fail_spinning(self) -> NoReturn:
        """Report that the CTA's warps wait for what will never happen."""
        self.set("fault", FaultKind.SPIN)
        raise report(self.compiled, self.memory, self._noted())

    def _is_spinning(self) -> bool:
        """Whether the CTA's warps wait for what they will not do themselves."""
        return self._spin.is_spinning(self.get("cta"), self.changes, self.records.tobytes())

    def _noted(self) -> Noted:
        """Read what went wrong."""
        record_bytes = self.compiled.lowered.record.bytes
        records = self.records[: record_bytes * self.warps].view(np.int64)
        return Noted(
            kind=FaultKind(self.get("fault")),
            site=self.get("fault_site"),
            lanes=self.get("fault_lanes") & ((1 << 64) - 1),
            address=self.get("fault_address"),
            warp=self.get("fault_warp"),
            cta=(self.get("ctaid.x"), self.get("ctaid.y"), self.get("ctaid.z")),
            block=self.launch.block,
            shared_bytes=self.shared_bytes,
            records=records.reshape(self.warps, -1),
            barriers=self.barriers[: BARRIERS * BARRIER_BYTES].view(np.int64).reshape(BARRIERS, -1),
        )

    @property
    def thread_instructions(self) -> int:
        """Instructions by threads so far."""
        blocks = self.block_counts.reshape(-1, 2)[: len(self.compiled.lengths), 1]
        return int(blocks @ self.compiled.lengths)

    def watch(self, begin: float, runs: Sequence[CtaRun]) -> None:
        """Watch the limits of a launch that several runs do together."""
        limits = self.limits
        if limits.max_instructions is not None:
            threads = sum(run.thread_instructions for run in runs)
            if threads > limits.max_instructions:
                self._stop("--max-instructions", f"{threads} thread instructions")
        if limits.max_seconds is not None:
            seconds = time.perf_counter() - begin
            if seconds > limits.max_seconds:
                self._stop("--max-seconds", f"{seconds:.1f} s")

    def _stop(self, flag: str, used: str) -> None:
        cta = self.get("cta")
        words = f"{self.compiled.kernel.name} ran for {used} and stood in CTA {cta}"
        raise LimitError(
            Diagnostic(
                Severity.ERROR, words, self.compiled.module.name, hint=f"{flag} moves the limit"
            )
        )


# CTAs that run at the same time, taking turns, as they do on a GPU.
#
# It is needed where CTAs wait for one another: barriers of a whole grid, queues between CTAs. The
# turns are always the same, so that the results are.

MOST_RESIDENT = 4096
"""CTAs that run at the same time at most: as many as the largest GPUs hold."""

_MOST_SHUFFLED = 9  # CTAs that run at the same time in an order that is drawn, fewer than that

TURN = 4
"""Times that a warp goes back in loops before the others have a turn, where CTAs run together."""

_MOST_BYTES = (
    2 << 30
)  # of all resident CTAs: they are touched, as a device's own memory need not be
_LOOK_EVERY = 64  # rounds between looks at whether all of them wait in vain


class CtaBlocked(Exception):  # noqa: N818 - no error: others may do what it waits for
    """A CTA that runs alone waits for what it will not do itself."""


@dataclass
class ResidentCtas:
    """The runs of the CTAs that are resident, each with a CTA of its own.

    ``numbers`` are those of all CTAs in the order in which they begin; with ``random`` each round
    goes through those that are resident in another order.
    """

    runs: list[CtaRun]
    numbers: Sequence[int]
    random: np.random.Generator | None = None
    _handed: int = 0

    @classmethod
    def begin(cls, run: CtaRun, first: int, most: int) -> ResidentCtas:
        """Resident CTAs started from ``first`` on, as many as fit; ``run`` may be in one."""
        room = min(_MOST_BYTES, run.limits.max_bytes) // max(1, run.cta_bytes)
        begun = 0 if run.is_idle else 1
        numbers: Sequence[int] = range(first, run.launch.ctas)
        if run.random is not None:
            most = max(most, int(run.random.integers(1, _MOST_SHUFFLED)))
            numbers = run.random.permutation(numbers).tolist()
        count = max(1, min(most, room, run.launch.ctas - first + begun))
        others = [replace(run, arrays={}, host=None) for _ in range(count - 1)]
        for other in others:
            other.share_records(run)
        return cls([run, *others], numbers, run.random)

    def work(self, watch: Callable[[], None], told: Callable[[int], None]) -> None:
        """Run all CTAs that are left, with ``told`` of how many have come to their end.

        ExecutionFault, also where all that are resident wait in vain.
        """
        active = [run for run in self.runs if not run.is_idle or self._hand(run)]
        spin, rounds, ended = SpinWatch(), 0, 0
        while active:
            if self.random is not None:
                active = [active[k] for k in self.random.permutation(len(active))]
            still = []
            for run in active:
                if not run.turn(0):
                    still.append(run)
                    continue
                ended += 1
                told(ended)
                if self._hand(run):
                    still.append(run)
            active = still
            rounds += 1
            watch()
            if rounds % _LOOK_EVERY == 0 and active and self._in_vain(spin, active, ended):
                active[0].fail_spinning()

    def _hand(self, run: CtaRun) -> bool:
        """Assign the next CTA to a run; returns whether there is one."""
        if self._handed == len(self.numbers):
            return False
        number = self.numbers[self._handed]
        run.take(number, number + 1)
        self._handed += 1
        return True

    @staticmethod
    def _in_vain(spin: SpinWatch, active: list[CtaRun], ended: int) -> bool:
        """Whether no CTA has moved and nothing has changed since some look before."""
        changes = sum(run.changes for run in active)
        digest = hashlib.blake2b()  # the records themselves may be gigabytes
        for run in active:
            digest.update(run.records.data)
        return spin.is_spinning(ended, changes, digest.digest())


# Warps that wait in loops for what will never happen.
#
# A CTA is a deterministic machine: where the registers and stacks of all its warps are what they
# were before, and no memory has changed in between, it goes round for ever. Snapshots are compared
# as Brent's method for cycles has it: with one kept, which is renewed at every power of two.


@dataclass
class SpinWatch:
    """Looks at a CTA each time that it has run for a while."""

    _key: tuple[int, int] | None = None
    _records: bytes = b""
    _looks: int = 0
    _renew: int = 1

    def is_spinning(self, cta: int, stores: int, records: bytes) -> bool:
        """Whether the CTA is where it was, ``stores`` counting the changes of memory."""
        if self._key == (cta, stores):
            if records == self._records:
                return True
            self._looks += 1
            if self._looks < self._renew:
                return False
            self._renew *= 2
        else:
            self._looks, self._renew = 0, 1
        self._key, self._records, self._looks = (cta, stores), records, 0
        return False
