"""Estimates of the launches of an application, each with what those before it left in L2.

Launches that are equal, and find as much in L2, are estimated once.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError
from warpmill.analyzer.launch.model import (
    Argument,
    BufferArgument,
    RefArgument,
    ScalarArgument,
    StructArgument,
)
from warpmill.analyzer.traces.layout import LaunchLayout
from warpmill.analyzer.traces.static.values import KnownNumbers
from warpmill.session.estimates import Estimator
from warpmill.session.jobs import Job
from warpmill.session.launch_estimates import L2OfMachine, LaunchEstimates
from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.estimate.wave_traffic import WaveSectors
from warpmill.simulator.machines.model import Machine, l1_sector_bytes

if TYPE_CHECKING:
    from warpmill.executor.host.recording import LaunchCall

Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# What launches one after another leave in L2, by buffer and by sector.
#
# A launch finds in L2 what was touched since not more than L2's bytes of other memory were: least
# recently used goes first, and launches that go over their buffers in the same order find a sector
# as long after its last use as all of them touch between. What a launch touches that needs more
# than all of L2 is found by none: it drops what it would read again before it comes to it.

MOST_PIECES = 1 << 20
"""Pieces that a buffer is kept in; those of larger buffers have several sectors each."""

NEARLY_ALL = 0.95
"""Share of a buffer that a launch touches of which a part was looked at, to touch all of it."""


class TouchedSectors(NamedTuple):
    """Sectors of a buffer, from its start, each once; those of ``read`` are read first.

    ``bytes`` are those that the launch touches: more where a part of it was looked at.
    """

    buffer: Hashable
    buffer_bytes: int
    sectors: Numbers
    read: Numbers
    bytes: float


class L2History:
    """An L2 of so many bytes from launch to launch."""

    def __init__(self, size_bytes: float, sector_bytes: int) -> None:
        self.sector_bytes = sector_bytes
        self._size = size_bytes
        self._last: dict[Hashable, npt.NDArray[np.int32]] = {}  # launch that touched each piece
        self._bytes: list[float] = []  # by launch: what none has touched since

    def share(self, of: TouchedSectors) -> float:
        """The share of the sectors that are read that L2 has; 0 of none."""
        if of.buffer not in self._last or not of.read.size:
            return 0.0
        last, shift = self._pieces(of.buffer, of.buffer_bytes)
        pieces = np.minimum(of.read >> shift, last.size - 1)
        return float((last[pieces] >= max(0, self._oldest_kept())).mean())

    def add(self, touched: Sequence[TouchedSectors]) -> None:
        """A launch has touched this."""
        number = len(self._bytes)
        self._bytes.append(0.0)
        for one in touched:
            last, shift = self._pieces(one.buffer, one.buffer_bytes)
            pieces = self._touched(one, last.size, shift)
            each = float(self.sector_bytes << shift)
            earlier = last[pieces]
            counts = np.bincount(earlier[earlier >= 0], minlength=number)
            for launch in np.flatnonzero(counts).tolist():
                self._bytes[launch] -= float(counts[launch]) * each
            self._bytes[number] += pieces.size * each
            last[pieces] = number

    def _touched(self, one: TouchedSectors, count: int, shift: int) -> Numbers:
        """The pieces of a buffer that a launch touches: evenly spread ones where not all is known.

        All of them where it is nearly all.
        """
        pieces = np.unique(np.minimum(one.sectors >> shift, count - 1))
        if one.bytes <= one.sectors.size * self.sector_bytes:
            return pieces
        share = min(1.0, one.bytes / max(1, one.buffer_bytes))
        if share >= NEARLY_ALL:
            return np.arange(count)
        wanted = max(pieces.size, round(share * count))
        return np.arange(wanted) * count // max(1, wanted)

    def _pieces(self, buffer: Hashable, buffer_bytes: int) -> tuple[npt.NDArray[np.int32], int]:
        sectors = max(1, -(-buffer_bytes // self.sector_bytes)) + 1  # its start may be inside one
        shift = max(0, (sectors - 1).bit_length() - (MOST_PIECES - 1).bit_length())
        pieces = (sectors >> shift) + 1
        if buffer not in self._last or self._last[buffer].size != pieces:
            self._last[buffer] = np.full(pieces, -1, np.int32)  # another one at its place
        return self._last[buffer], shift

    def _oldest_kept(self) -> int:
        """The first launch of those in a row, up to the last one, whose sectors L2 has room for."""
        since = np.cumsum(np.array(self._bytes[::-1]))
        return len(self._bytes) - int(np.searchsorted(since, self._size, side="right"))


class FoundInL2:
    """What one launch finds in L2 (``LeftInL2``), and, once it was estimated, what it touches.

    ``buffers`` tells the buffer that a region of the launch's memory is, by name, start and bytes;
    None: no other launch can have it.
    """

    def __init__(
        self, history: L2History, buffers: Callable[[str, int, int], Hashable | None]
    ) -> None:
        self._history, self._buffers = history, buffers
        self.touched: tuple[TouchedSectors, ...] = ()

    def shares(self, wave: WaveSectors, footprint: Floats, /) -> Floats:
        """As ``LeftInL2`` says."""
        regions, touched, found = wave.regions, [], np.zeros(len(wave.regions.names))
        all_of, read_of = (regions.split(s) for s in (wave.touched_sectors, wave.read_sectors))
        for number, (name, start) in enumerate(regions.starts):
            bytes_, first = int(regions.sizes[number]), start // self._history.sector_bytes
            buffer = self._buffers(name, start, bytes_) if all_of[number].size else None
            if buffer is not None:
                own, read = (each[number] - first for each in (all_of, read_of))
                one = TouchedSectors(buffer, bytes_, own, read, float(footprint[number]))
                found[number] = self._history.share(one)
                touched.append(one)
        self.touched = self.touched or tuple(touched)  # of the first machine that it is asked for
        return found


# Launches one after another on machines.

Shown = Callable[[Sequence[Estimator], L2OfMachine], LaunchEstimates]
"""Estimates of a launch that more is asked of, given its estimators of both ends."""

MOST_KINDS = 256
"""Kinds of launches that are told apart by all that they execute; of more, by about that."""

_STEP = math.log(1.1)
_STATES = 16
"""Steps in the shares that L2 has, between which estimates are told apart."""


@dataclass(frozen=True)
class Carried:
    """Estimates of launches in their order, by machine; None where there is none.

    ``made`` is how many they are from, by machine, and ``problems`` why some have none.
    """

    launches: tuple[Mapping[str, Estimate | None], ...]
    made: Mapping[str, int]
    problems: tuple[Diagnostic, ...]


@dataclass
class _Kind:
    """Launches that do the same: the estimator of the first, its pointers, what it touches.

    ``touched`` is by machine, and so are the estimates, by what was found in L2.
    """

    estimator: Estimator
    pointers: tuple[Hashable, ...]
    touched: dict[str, tuple[TouchedSectors, ...]] = field(default_factory=dict)
    estimates: dict[tuple[str, tuple[int, ...]], Estimate | None] = field(default_factory=dict)


def carried_estimates(
    jobs: Sequence[Job],
    machines: Sequence[Machine],
    ends: Callable[[Job], Sequence[Estimator]],
    shown: Shown | None = None,
    numbers: Collection[int] = (),
    *,
    carries: bool = True,
) -> Carried:
    """Estimate launches one after another on machines, those of ``numbers`` by ``shown``.

    ``carries``: they find in L2 what those before left, else what their options say.
    """
    walk = _Walk(jobs, machines, ends, carries)
    found = tuple(
        walk.launch(number, shown if number in numbers else None) for number in range(len(jobs))
    )
    return Carried(found, walk.made, tuple(walk.problems))


class _Walk:
    """Goes from launch to launch with an L2 of each machine."""

    def __init__(
        self,
        jobs: Sequence[Job],
        machines: Sequence[Machine],
        ends: Callable[[Job], Sequence[Estimator]],
        carries: bool,
    ) -> None:
        self._jobs, self._machines, self._ends = jobs, machines, ends
        self._histories = {
            m.name: L2History(float(m.number("l2.size_bytes")), l1_sector_bytes(m))
            for m in machines
            if carries
        }
        self._kinds = kinds(jobs)
        self._left = Counter(self._kinds)  # launches of each that are still to come
        self._known: dict[Hashable, _Kind] = {}
        self.made: Counter[str] = Counter()
        self.problems: list[Diagnostic] = []

    def launch(self, number: int, shown: Shown | None) -> Mapping[str, Estimate | None]:
        """Estimate the next launch, and have it leave in L2 what it touches."""
        job, name = self._jobs[number], self._kinds[number]
        self._left[name] -= 1
        kind = self._known.get(name)
        if shown is not None or kind is None:
            found = self._first(number, shown)
        else:
            found = {m.name: self._again(kind, job, m) for m in self._machines}
        if not self._left[name]:
            self._known.pop(name, None)  # its traces take memory
        return found

    def _first(self, number: int, shown: Shown | None) -> Mapping[str, Estimate | None]:
        job = self._jobs[number]
        ends = self._ends(job)
        kind = _Kind(ends[0], pointers(job))
        known = self._known.get(self._kinds[number])
        if known is not None:  # one that is not shown came before
            kind.estimates |= known.estimates
        buffers = _Buffers(ends[0])
        finds = {name: FoundInL2(history, buffers.of) for name, history in self._histories.items()}
        if shown is None:
            found = {m.name: self._on(ends[0], m, finds.get(m.name)) for m in self._machines}
        else:
            self.made.update(machine.name for machine in self._machines)
            own = shown(ends, lambda machine: finds.get(machine.name)).estimates
            made = {one.machine: one for one in own}
            found = {m.name: made.get(m.name) for m in self._machines}
        for machine in self._machines:
            name = machine.name
            touched = kind.touched[name] = finds[name].touched if finds else ()
            kind.estimates[name, self._state(name, touched)] = found[name]
            self._leave(name, touched)
        self._known[self._kinds[number]] = kind
        return found

    def _again(self, kind: _Kind, job: Job, machine: Machine) -> Estimate | None:
        """Estimate a launch like an earlier one, whose buffers may be others."""
        name, own = machine.name, dict(zip(kind.pointers, pointers(job), strict=True))
        touched = tuple(
            one._replace(buffer=own.get(one.buffer, one.buffer)) for one in kind.touched[name]
        )
        key = name, self._state(name, touched)
        if key not in kind.estimates:
            buffers = _Buffers(kind.estimator, own)
            l2 = FoundInL2(self._histories[name], buffers.of)
            kind.estimates[key] = self._on(kind.estimator, machine, l2)
        self._leave(name, touched)
        return kind.estimates[key]

    def _on(self, estimator: Estimator, machine: Machine, l2: FoundInL2 | None) -> Estimate | None:
        self.made[machine.name] += 1
        try:
            return estimator.finding(l2).on(machine)
        except InputError as error:
            self.problems += error.diagnostics
            return None

    def _state(self, machine: str, touched: Sequence[TouchedSectors]) -> tuple[int, ...]:
        history = self._histories.get(machine)
        return () if history is None else tuple(round(_STATES * history.share(x)) for x in touched)

    def _leave(self, machine: str, touched: Sequence[TouchedSectors]) -> None:
        if machine in self._histories:
            self._histories[machine].add(touched)


class _Buffers:
    """Which buffers of the application the regions of a launch's layout are."""

    def __init__(
        self, estimator: Estimator, moved: Mapping[Hashable, Hashable] | None = None
    ) -> None:
        self._estimator, self._moved = estimator, moved or {}
        self._by_start: dict[int, Hashable] | None = None

    def of(self, name: str, start: int, bytes_: int) -> Hashable | None:
        """The buffer of a region: by its pointer, else by its name and size."""
        if self._by_start is None:
            job = self._estimator.job
            starts = _starts(job, self._estimator.source.layout)
            self._by_start = dict(zip(starts, pointers(job), strict=True))
        buffer = self._by_start.get(start, (name, bytes_))
        return self._moved.get(buffer, buffer)


def _parts(job: Job) -> Iterator[tuple[int, int, BufferArgument | RefArgument]]:
    """The parameter of each pointer to memory, where in it the pointer stands, and the pointer."""
    for number, argument in enumerate(job.required_launch().arguments):
        parts: list[tuple[int, Argument]] = [(0, argument)]
        if isinstance(argument, StructArgument):
            parts = list(zip(argument.offsets, argument.fields, strict=True))
        for offset, part in parts:
            if isinstance(part, BufferArgument | RefArgument):
                yield number, offset, part


def _starts(job: Job, layout: LaunchLayout) -> Iterator[int]:
    """Where the buffer of each pointer starts in a layout."""
    for number, offset, part in _parts(job):
        name = job.kernel.parameters[number].name + (f"+{offset}" if offset else "")
        value = layout.arguments.get(name)
        at = value.base if isinstance(value, KnownNumbers) else -1
        yield int(at) - (part.offset_bytes if isinstance(part, RefArgument) else 0)


def pointers(job: Job) -> tuple[Hashable, ...]:
    """The buffer of each pointer that a launch is given, the same for all launches beside it.

    In a recording it is the address that it was recorded with, else the argument that makes it.
    """
    call = _recorded(job)
    found: list[Hashable] = []
    for number, offset, part in _parts(job):
        buffer = part.buffer if isinstance(part, RefArgument) else part
        if call is None:
            found.append(id(buffer))
            continue
        at = call.arguments[number].offset + offset
        address = int.from_bytes(call.params[at : at + 8], "little")
        found.append(address - (part.offset_bytes if isinstance(part, RefArgument) else 0))
    return tuple(found)


def _recorded(job: Job) -> LaunchCall | None:
    if job.recorded is None:
        return None
    return job.recorded.recording.launches[job.recorded.number]


def kinds(jobs: Sequence[Job]) -> list[Hashable]:
    """The kind of each launch: those of one kind execute as much, over buffers that are as large.

    Where nobody counted what they execute, each is a kind.
    """
    found: list[Hashable] = [_kind(job, number, exact=True) for number, job in enumerate(jobs)]
    if len(set(found)) > MOST_KINDS:
        found = [_kind(job, number, exact=False) for number, job in enumerate(jobs)]
    return found


def _kind(job: Job, number: int, *, exact: bool) -> Hashable:
    call = _recorded(job)
    if call is None or call.warp_instructions is None:
        return number
    executed: Hashable = (call.warp_instructions, call.thread_instructions)
    if not exact:
        executed = round(math.log(max(1, call.warp_instructions)) / _STEP)
    launch, seen = job.required_launch(), list[Hashable]()
    given: list[Hashable] = [a for a in launch.arguments if isinstance(a, ScalarArgument) and exact]
    for pointer, (_, _, part) in zip(pointers(job), _parts(job), strict=True):
        if pointer not in seen:
            seen.append(pointer)
        into = part if isinstance(part, RefArgument) else RefArgument(part)
        given.append((seen.index(pointer), into.buffer.bytes, into.offset_bytes))
    of = call.module, call.kernel, launch.grid, launch.block, launch.dynamic_shared_bytes
    return (*of, executed, tuple(given))
