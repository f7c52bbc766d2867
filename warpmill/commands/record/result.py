"""What ``record`` answers: what a recording holds, and where host and device align in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import ClassVar, Literal

from warpmill.analyzer.base.naming import demangle
from warpmill.executor.host.recording import (
    AllocateCall,
    FreeCall,
    LaunchCall,
    LoadCall,
    Recording,
    SyncInterval,
    sync_intervals,
)
from warpmill.report.base import Id, Mark, Part, Report
from warpmill.session.records import RecordedRun
from warpmill.session.runs import summed


class CallCount(Part):
    """How many calls of a kind there are; ``call`` is the kind's word in the file."""

    mark: ClassVar[Mark] = Mark.EXACT

    call: str
    count: int


class KernelCount(Part):
    """A kernel's launches together. Counts are null where the device does not tell them."""

    mark: ClassVar[Mark] = Mark.EXACT

    module: str
    kernel: str
    demangled: str
    launches: int
    warp_instructions: int | None
    thread_instructions: int | None


class BufferTotals(Part):
    """Device memory that was made: how often, bytes of all of it, most bytes at one time."""

    mark: ClassVar[Mark] = Mark.EXACT

    count: int
    bytes: int
    most_bytes: int


class FileFigures(Part):
    """The file: its bytes, and how many bytes of what contents it keeps, each once.

    Contents are what was copied to the device, and the texts of modules. ``bytes_per_buffer_byte``
    is the file's size over ``most_bytes`` of the buffers; null where there are none.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    contents: int
    content_bytes: int
    file_bytes: int
    bytes_per_buffer_byte: float | None


class IntervalFigures(Part):
    """Launches between two synchronisations (GT-Pin, §II).

    ``first_call`` to ``last_call`` are places in the recording, ``first_launch`` is a launch's
    number, from 0. ``ended_by`` is the word of the last call; null where the recording ends first.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    first_call: Id
    last_call: Id
    first_launch: Id
    launches: int
    warp_instructions: int | None
    thread_instructions: int | None
    ended_by: str | None


class IntervalTotals(Part):
    """All intervals together; launches of one are null where there is none.

    ``is_last_open``: whether the recording ends before the last one does.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    count: int
    launches_min: int | None
    launches_mean: float | None
    launches_max: int | None
    is_last_open: bool


class RecordReport(Report):
    """What an application did on a device, as its recording holds it.

    ``recorded`` is where that was written. Counts are exact; there are no times in it, so that the
    same program gives the same report.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["record"] = "record"
    target: str
    device: str
    recorded: str
    launches: int
    calls: list[CallCount]
    kernels: list[KernelCount]
    buffers: BufferTotals
    file: FileFigures
    interval_totals: IntervalTotals
    intervals: list[IntervalFigures]


def record_report(recorded: RecordedRun) -> RecordReport:
    """Report what was recorded."""
    recording = recorded.recording
    launches = recording.launches
    buffers = _buffers(recording)
    found = sync_intervals(recording)
    return RecordReport(
        target=recorded.run.target,
        device=recording.device,
        recorded=str(recorded.path),
        launches=len(launches),
        calls=_calls(recording),
        kernels=_kernels(recording),
        buffers=buffers,
        file=_file(recording, recorded.file_bytes, buffers.most_bytes),
        interval_totals=_interval_totals(found),
        intervals=[_interval(one, launches) for one in found],
    )


def _calls(recording: Recording) -> list[CallCount]:
    """Count calls by kind, in the order in which the kinds first come."""
    counted = Counter(call.call for call in recording.calls)
    return [CallCount(call=word, count=count) for word, count in counted.items()]


def _kernels(recording: Recording) -> list[KernelCount]:
    modules = {c.module: c.name for c in recording.calls if isinstance(c, LoadCall)}
    groups: dict[tuple[int, str], list[LaunchCall]] = {}
    for launch in recording.launches:
        groups.setdefault((launch.module, launch.kernel), []).append(launch)
    return [
        KernelCount(
            module=modules[module],
            kernel=kernel,
            demangled=demangle(kernel),
            launches=len(launches),
            **_instructions(launches),
        )
        for (module, kernel), launches in groups.items()
    ]


def _instructions(launches: Iterable[LaunchCall]) -> dict[str, int | None]:
    held = tuple(launches)
    return {
        "warp_instructions": summed(one.warp_instructions for one in held),
        "thread_instructions": summed(one.thread_instructions for one in held),
    }


def _buffers(recording: Recording) -> BufferTotals:
    made = [c for c in recording.calls if isinstance(c, AllocateCall)]
    live: dict[int, int] = {}
    now = most = 0
    for call in recording.calls:
        if isinstance(call, AllocateCall):
            live[call.address] = call.bytes
            now += call.bytes
        elif isinstance(call, FreeCall):
            now -= live.pop(call.address, 0)
        most = max(most, now)
    total = sum(call.bytes for call in made)
    return BufferTotals(count=len(made), bytes=total, most_bytes=most)


def _file(recording: Recording, size: int, buffer_bytes: int) -> FileFigures:
    return FileFigures(
        contents=len(recording.contents),
        content_bytes=sum(map(len, recording.contents.values())),
        file_bytes=size,
        bytes_per_buffer_byte=size / buffer_bytes if buffer_bytes else None,
    )


def _interval_totals(found: Sequence[SyncInterval]) -> IntervalTotals:
    lengths = [len(one.launches) for one in found]
    return IntervalTotals(
        count=len(found),
        launches_min=min(lengths, default=None),
        launches_mean=sum(lengths) / len(lengths) if lengths else None,
        launches_max=max(lengths, default=None),
        is_last_open=bool(found) and found[-1].ended_by is None,
    )


def _interval(one: SyncInterval, launches: Sequence[LaunchCall]) -> IntervalFigures:
    return IntervalFigures(
        first_call=one.calls[0],
        last_call=one.calls[-1],
        first_launch=one.launches[0],
        launches=len(one.launches),
        **_instructions(launches[n] for n in one.launches),
        ended_by=one.ended_by,
    )
