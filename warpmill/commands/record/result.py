"""Result of ``record``: contents of a recording, and where host and device align in it."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric, derived
from warpmill.executor.host.recording import (
    AllocateCall,
    FreeCall,
    LoadCall,
    Recording,
    SyncInterval,
    sync_intervals,
)
from warpmill.report.base import Part, Report
from warpmill.session.records import RecordedRun
from warpmill.session.runs import KernelLaunches, LaunchTotals, by_kernel


class CallCount(Part):
    """How many calls of a kind there are; ``call`` is the kind's word in the file."""

    call: Annotated[str, Metric("Call")]
    count: Annotated[int, Metric("Calls")]


class BufferTotals(Part):
    """Device memory that was made: how often, bytes of all of it, most bytes at one time."""

    count: Annotated[int, Metric("Buffers")]
    bytes: Annotated[int, Metric("Size of all buffers", "B")]
    most_bytes: Annotated[int, Metric("Most at a time", "B")]


class FileFigures(Part):
    """The file: its bytes, and how many bytes of what contents it keeps, each once.

    Contents are what was copied to the device, and the texts of modules. ``bytes_per_buffer_byte``
    is the file's size over ``most_bytes`` of the buffers; null where there are none.
    """

    contents: Annotated[int, Metric("Contents")]
    content_bytes: Annotated[int, Metric("Size of contents", "B")]
    file_bytes: Annotated[int, Metric("File size", "B")]
    bytes_per_buffer_byte: Annotated[float | None, Metric("Size of the file to buffers", "x")]


class Interval(Part):
    """Launches between two synchronisations (GT-Pin, §II).

    ``calls`` has places in the recording and the number of the first launch, from 0; ``ended_by``
    is the word of the last call, null where the recording ends first.
    """

    calls: SyncInterval
    launches: LaunchTotals


class IntervalTotals(Part):
    """All intervals together; launches of one are null where there is none.

    ``is_last_open``: whether the recording ends before the last one does.
    """

    count: Annotated[int, Metric("Intervals")]
    launches_min: Annotated[int | None, Metric("Min launches")]
    launches_mean: Annotated[float | None, Metric("Mean launches")]
    launches_max: Annotated[int | None, Metric("Max launches")]
    is_last_open: Annotated[bool, Metric("Last interval without an end")]


class RecordReport(Report):
    """Calls and launches of an application on a device, as its recording holds them.

    Counts are exact; there are no times in it, so that the same program gives the same report.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["record"] = "record"
    made: Annotated[RecordedRun, INTERNAL]
    calls: list[CallCount]
    kernels: list[KernelLaunches]
    totals: LaunchTotals
    buffers: BufferTotals
    file: FileFigures
    interval_totals: IntervalTotals
    intervals: list[Interval]

    @derived("Target")
    def target(self) -> str:
        """Target that was run."""
        return self.made.run.target

    @derived("Device")
    def device(self) -> str:
        """Device that it was run on."""
        return self.made.recording.device

    @derived("Recorded to")
    def recorded(self) -> str:
        """The file that was written."""
        return str(self.made.path)


def record_report(made: RecordedRun) -> RecordReport:
    """The report of what was recorded."""
    recording = made.recording
    launches, buffers = recording.launches, _buffers(recording)
    modules = {c.module: c.name for c in recording.calls if isinstance(c, LoadCall)}
    intervals = [
        Interval(calls=one, launches=LaunchTotals(tuple(launches[n] for n in one.launches)))
        for one in sync_intervals(recording)
    ]
    counted = Counter(call.call for call in recording.calls)  # in the order of the first of each
    return RecordReport(
        made=made,
        calls=[CallCount(call=word, count=count) for word, count in counted.items()],
        kernels=by_kernel((modules[one.module], one.kernel, one) for one in launches),
        totals=LaunchTotals(launches),
        buffers=buffers,
        file=_file(recording, made.file_bytes, buffers.most_bytes),
        interval_totals=_interval_totals(intervals),
        intervals=intervals,
    )


def _buffers(recording: Recording) -> BufferTotals:
    sizes: list[int] = []
    live: dict[int, int] = {}
    now = most = 0
    for call in recording.calls:
        if isinstance(call, AllocateCall):
            live[call.address] = call.bytes
            sizes.append(call.bytes)
            now += call.bytes
        elif isinstance(call, FreeCall):
            now -= live.pop(call.address, 0)
        most = max(most, now)
    return BufferTotals(count=len(sizes), bytes=sum(sizes), most_bytes=most)


def _file(recording: Recording, size: int, buffer_bytes: int) -> FileFigures:
    return FileFigures(
        contents=len(recording.contents),
        content_bytes=sum(map(len, recording.contents.values())),
        file_bytes=size,
        bytes_per_buffer_byte=size / buffer_bytes if buffer_bytes else None,
    )


def _interval_totals(found: list[Interval]) -> IntervalTotals:
    lengths = [one.launches.launches for one in found]
    return IntervalTotals(
        count=len(found),
        launches_min=min(lengths, default=None),
        launches_mean=sum(lengths) / len(lengths) if lengths else None,
        launches_max=max(lengths, default=None),
        is_last_open=bool(found) and found[-1].calls.ended_by is None,
    )
