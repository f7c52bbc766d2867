"""Mailboxes of SMs and slices: what is sent to them comes at its cycle, in the order of senders.

SMs and slices are moved one after the other through stretches of time. What they send each other is
put into the receiver's wheel, a list for each cycle ahead; at its cycle it joins what has come. In
a cycle the sender with the smallest number is first, so that nothing depends on who was moved first.
"""

from __future__ import annotations

from typing import Any

from simulator.gpu.compiled import part
from simulator.gpu.fields import (
    BX_COUNT,
    BX_FIRST,
    BX_LAST,
    BX_NEXT,
    G_WINDOW,
    NEVER,
    NONE,
    Q_FROM,
    Q_NEXT,
    Q_TIME,
    WHEEL,
)


@part
def post(m: Any, box: int, wheel: int, request: int, sender: int, time: int) -> None:
    """Let a request come to a mailbox at a cycle, which the receiver has not reached."""
    m[request + Q_TIME], m[request + Q_FROM] = time, sender
    reached = min(time, m[G_WINDOW] + WHEEL - 2)
    _insert(m, wheel + reached % WHEEL, request, sender)
    m[box + BX_COUNT] += 1
    m[box + BX_NEXT] = min(m[box + BX_NEXT], reached)


@part
def _insert(m: Any, head: int, request: int, sender: int) -> None:
    """Put a request into a list behind those of senders with numbers up to its own."""
    before, after = NONE, m[head]
    while after != NONE and m[after + Q_FROM] <= sender:
        before, after = after, m[after + Q_NEXT]
    m[request + Q_NEXT] = after
    if before == NONE:
        m[head] = request
    else:
        m[before + Q_NEXT] = request


@part
def collect(m: Any, box: int, wheel: int, now: int) -> None:
    """Let what comes at this cycle join what has come."""
    if m[box + BX_NEXT] > now:
        return
    request = m[wheel + now % WHEEL]
    m[wheel + now % WHEEL] = NONE
    while request != NONE:
        following = m[request + Q_NEXT]
        m[box + BX_COUNT] -= 1
        if m[request + Q_TIME] > now:
            post(m, box, wheel, request, m[request + Q_FROM], m[request + Q_TIME])
        else:
            _append(m, box, request)
        request = following
    m[box + BX_NEXT] = _next_after(m, box, wheel, now)


@part
def _append(m: Any, box: int, request: int) -> None:
    m[request + Q_NEXT] = NONE
    if m[box + BX_FIRST] == NONE:
        m[box + BX_FIRST] = request
    else:
        m[m[box + BX_LAST] + Q_NEXT] = request
    m[box + BX_LAST] = request


@part
def _next_after(m: Any, box: int, wheel: int, now: int) -> Any:
    """Give the next cycle at which something comes, NEVER where nothing will."""
    if m[box + BX_COUNT] == 0:
        return NEVER
    time = now + 1
    while m[wheel + time % WHEEL] == NONE:
        time += 1
    return time


@part
def take_first(m: Any, box: int) -> Any:
    """Take the first of what has come; there is one."""
    request = m[box + BX_FIRST]
    m[box + BX_FIRST] = m[request + Q_NEXT]
    return request
