"""Which launches may overlap: those of different streams, as an application has launched them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from warpmill.executor.host.recording import (
    EventCall,
    LaunchCall,
    ReadCall,
    ReadTextureCall,
    RecordedCall,
    SynchronizeCall,
)
from warpmill.session.jobs import Job

Streams = Literal["recorded", "serial"]

ONE = "one after another"
"""How launches follow each other where they are all in one stream."""


def streams_of(jobs: Sequence[Job], choice: Streams = "recorded") -> tuple[tuple[int, ...], str]:
    """The stream of each launch, and in words how they follow each other.

    The order within a stream is all that a simulation knows. Where the host, or an event, makes
    launches of one stream wait for those of another, they all go one after another instead.
    """
    serial = (0,) * len(jobs)
    if choice == "serial":
        return serial, f"{ONE}, as asked for"
    launched = _launched(jobs)
    if len({call.stream for call in launched}) < 2:
        return serial, ONE
    assert jobs[0].recorded is not None
    between = range(launched[0].index + 1, launched[-1].index)
    calls = jobs[0].recorded.recording.calls
    if any(_joins(call) for call in calls if call.index in between):
        return serial, f"{ONE}: something waits in between for another stream"
    streams = tuple(call.stream for call in launched)
    return streams, f"in {len(set(streams))} streams, as recorded"


def _launched(jobs: Sequence[Job]) -> list[LaunchCall]:
    """The recorded calls of launches; none where not all of them were recorded together."""
    recorded = [job.recorded for job in jobs if job.recorded is not None]
    if len(recorded) < len(jobs) or len({id(r.recording) for r in recorded}) != 1:
        return []
    launches = recorded[0].recording.launches
    return [launches[one.number] for one in recorded]


def _joins(call: RecordedCall) -> bool:
    """Whether a call may make a launch wait for one of another stream."""
    if isinstance(call, EventCall):
        return call.action in ("wait", "synchronize")
    return isinstance(call, SynchronizeCall | ReadCall | ReadTextureCall)
