"""What a recorded application launches between two synchronisations (GT-Pin, §II and §V-B).

GT-Pin cuts a program at the seven calls of OpenCL at which work of host and device is known to
align. Here they are, with their counterparts:

================================  ===================================================
``clFinish``                      ``synchronize``, of a stream or of the device
``clEnqueueReadBuffer``           ``array.get()``, any copy to the host
``clEnqueueReadImage``            ``texture.get()``
``clEnqueueCopyBuffer``           ``device.copy(array, array)``
``clEnqueueCopyImageToBuffer``    ``device.copy(array, texture)``
``clWaitForEvents``               ``event.synchronize()``: the host waits
``clFlush``                       ``flush``, of a stream or of the device
================================  ===================================================

No other call ends an interval: launches and copies from the host do not, nor does making a texture
of an array (``clEnqueueCopyBufferToImage`` is not among the seven). A stream that waits for an
event (``stream.wait``) orders work on the device, and the host goes on: it ends none either. A call
ends the interval whichever stream it is for, as the paper cuts the one sequence of a program's
calls.
"""

from __future__ import annotations

from dataclasses import dataclass

from warpmill.executor.host.recording import (
    CopyCall,
    CopyTextureCall,
    EventCall,
    FlushCall,
    LaunchCall,
    ReadCall,
    ReadTextureCall,
    RecordedCall,
    Recording,
    SynchronizeCall,
)

_ENDS = (SynchronizeCall, ReadCall, ReadTextureCall, CopyCall, CopyTextureCall, FlushCall)


@dataclass(frozen=True)
class SyncInterval:
    """Calls that follow one another up to one that ends the interval, with their launches.

    ``calls`` are places in the recording, the call that ends the interval among them; ``launches``
    are numbers of launches, from 0 in their order, never none. ``ended_by`` is the word of the call
    that ends it; None where the recording ends first.
    """

    calls: range
    launches: range
    ended_by: str | None


def sync_intervals(recording: Recording) -> tuple[SyncInterval, ...]:
    """Cut a recording into the intervals between its synchronisations, in their order.

    An interval is of launches: where a call would end one without any, as the second of two copies
    to the host does, the interval goes on to the first such call after a launch. So each launch is
    in one interval; only calls after the last end, without a launch among them, are in none.
    """
    found: list[SyncInterval] = []
    first_call = first_launch = launches = 0
    for place, call in enumerate(recording.calls):
        launches += isinstance(call, LaunchCall)
        if launches > first_launch and ends_interval(call):
            calls = range(first_call, place + 1)
            found.append(SyncInterval(calls, range(first_launch, launches), _word(call)))
            first_call, first_launch = place + 1, launches
    if launches > first_launch:
        calls = range(first_call, len(recording.calls))
        found.append(SyncInterval(calls, range(first_launch, launches), None))
    return tuple(found)


def ends_interval(call: RecordedCall) -> bool:
    """Whether a call is one of those at which host and device align."""
    if isinstance(call, EventCall):
        return call.action == "synchronize"
    return isinstance(call, _ENDS)


def _word(call: RecordedCall) -> str:
    return f"event {call.action}" if isinstance(call, EventCall) else call.call
