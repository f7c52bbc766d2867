"""What ``replay`` answers: what launches did this time, and whether it is what was recorded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal

from warpmill.analyzer.base.naming import demangle
from warpmill.executor.host.backend import LaunchOutcome
from warpmill.executor.host.recording import (
    LaunchCall,
    ReadCall,
    ReadTextureCall,
    Recording,
)
from warpmill.executor.host.replay import Replayed
from warpmill.report.base import Id, Mark, Part, Report


class ReplayedLaunch(Part):
    """A launch that was run again: what it did, and what it had done when it was recorded.

    ``number`` is its place among the launches, from 0, ``call`` that among all calls. Counts are
    null where a device does not tell them; ``equal`` is null then.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    number: Id
    call: Id
    kernel: str
    demangled: str
    grid: list[int]
    block: list[int]
    dynamic_shared_bytes: int
    stream: Id
    warp_instructions: int | None
    thread_instructions: int | None
    recorded_warp_instructions: int | None
    recorded_thread_instructions: int | None
    equal: bool | None


class ReplayedRead(Part):
    """A copy to the host: the SHA-256 of its bytes, now and as recorded.

    ``stream`` is null for the copy of a texture or surface.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    call: Id
    stream: Id | None
    bytes: int
    sha256: str
    recorded_sha256: str
    equal: bool


class ReplayTotals(Part):
    """What was done of the recording: calls, launches, copies to the host, each of how many.

    ``chosen`` counts the launches that were asked for: those that are listed. The launches before
    them that they need ran too.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    calls: int
    calls_recorded: int
    launches: int
    launches_recorded: int
    chosen: int
    reads: int
    reads_recorded: int
    differing: int


class ReplayReport(Report):
    """A recording run again, whole or up to the last of the launches that were chosen.

    ``differing`` are the places of calls that are not as recorded: launches, also those that were
    not chosen, by their counts, copies to the host by their bytes. ``chosen`` is null where all
    calls were made.
    """

    report: Literal["replay"] = "replay"
    recording: str
    device: str
    recorded_on: str
    chosen: list[Id] | None
    equal: bool
    totals: ReplayTotals
    launches: list[ReplayedLaunch]
    reads: list[ReplayedRead]
    differing: list[Id]


def replay_report(
    path: str,
    device: str,
    recording: Recording,
    replayed: Replayed,
    chosen: Sequence[int] | None = None,
) -> ReplayReport:
    """Report a replay of the recording in a file on a device."""
    launches = recording.launches
    reads = list(_reads(recording, replayed))
    return ReplayReport(
        recording=path,
        device=device,
        recorded_on=recording.device,
        chosen=None if chosen is None else list(chosen),
        equal=not replayed.differing,
        totals=_totals(recording, replayed),
        launches=[_launch(n, launches[n], counts) for n, counts in replayed.launches.items()],
        reads=reads,
        differing=list(replayed.differing),
    )


def _totals(recording: Recording, replayed: Replayed) -> ReplayTotals:
    return ReplayTotals(
        calls=replayed.calls,
        calls_recorded=len(recording.calls),
        launches=replayed.executed,
        launches_recorded=len(recording.launches),
        chosen=len(replayed.launches),
        reads=len(replayed.hashes),
        reads_recorded=sum(isinstance(c, ReadCall | ReadTextureCall) for c in recording.calls),
        differing=len(replayed.differing),
    )


def _launch(number: int, call: LaunchCall, counts: LaunchOutcome) -> ReplayedLaunch:
    now = (counts.warp_instructions, counts.thread_instructions)
    recorded = (call.warp_instructions, call.thread_instructions)
    return ReplayedLaunch(
        number=number,
        call=call.index,
        kernel=call.kernel,
        demangled=demangle(call.kernel),
        grid=list(call.grid),
        block=list(call.block),
        dynamic_shared_bytes=call.dynamic_shared_bytes,
        stream=call.stream,
        warp_instructions=now[0],
        thread_instructions=now[1],
        recorded_warp_instructions=recorded[0],
        recorded_thread_instructions=recorded[1],
        equal=None if None in (*now, *recorded) else now == recorded,
    )


def _reads(recording: Recording, replayed: Replayed) -> Iterator[ReplayedRead]:
    for place, digest in replayed.hashes.items():
        call = recording.calls[place]
        assert isinstance(call, ReadCall | ReadTextureCall)
        yield ReplayedRead(
            call=place,
            stream=call.stream if isinstance(call, ReadCall) else None,
            bytes=call.bytes,
            sha256=digest,
            recorded_sha256=call.content,
            equal=digest == call.content,
        )
