"""A DRAM channel's cycle: one column command at a time, and what it brings back to L2."""

from __future__ import annotations

from typing import Any

from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.dram import choose, issue_column, take_out
from warpmill.simulator.gpu.fields import (
    AT_CHANNEL,
    AT_SLICE,
    C_SECTORS,
    CH_BACK,
    CH_BACK_LAST,
    CH_BUS,
    CH_FIRST,
    CH_NEXT,
    CH_TIME,
    CHANNEL_FIELDS,
    HAS_L2,
    L2_CACHE,
    NEVER,
    NONE,
    Q_KIND,
    Q_NEXT,
    Q_REF,
    Q_SM,
    Q_TIME,
    Q_WORDS,
    QK_LOAD,
    QK_WRITE_BACK,
    SL_TIME,
    SLICE_FIELDS,
    SUBSLICES,
    T_BURST,
    TICKS,
)
from warpmill.simulator.gpu.requests import free_request, reply, written_back
from warpmill.simulator.gpu.slices import fill, step_slice, unstick


@part
def step_partition(m: Any, number: int, end: int) -> None:
    """Move a channel with its slices up to a cycle; in a cycle slices are before their channel."""
    first, channel = number * m[SUBSLICES], m[AT_CHANNEL] + number * CHANNEL_FIELDS
    while True:
        now = next_of(m, number)
        if now >= end:
            break
        for k in range(first, first + m[SUBSLICES]):
            if m[m[AT_SLICE] + k * SLICE_FIELDS + SL_TIME] <= now:
                step_slice(m, k, now)
        if m[channel + CH_TIME] <= now:
            step_channel(m, number, now)


@part
def next_of(m: Any, number: int) -> Any:
    """Give the next cycle at which a channel or one of its slices has anything to do."""
    time = m[m[AT_CHANNEL] + number * CHANNEL_FIELDS + CH_TIME]
    for k in range(number * m[SUBSLICES], (number + 1) * m[SUBSLICES]):
        time = min(time, m[m[AT_SLICE] + k * SLICE_FIELDS + SL_TIME])
    return time


@part
def step_channel(m: Any, number: int, now: int) -> None:
    """Bring back what DRAM has read by now, and issue the next column command if it is time."""
    channel = m[AT_CHANNEL] + number * CHANNEL_FIELDS
    _bring_back(m, channel, now)
    while m[channel + CH_NEXT] <= now:
        request = choose(m, channel, now)
        if request == NONE:
            break
        time = issue_column(m, number, channel, request)
        take_out(m, channel, request)
        _under_way(m, channel, request)
        following = now if m[T_BURST] < TICKS else now + 1  # fast channels: several in a cycle
        m[channel + CH_NEXT] = max(following, time // TICKS)
        for k in range(m[SUBSLICES]):
            unstick(m, number * m[SUBSLICES] + k, now + 1)
    soonest = NEVER
    if m[channel + CH_BACK] != NONE:
        soonest = m[m[channel + CH_BACK] + Q_TIME]
    if m[channel + CH_FIRST] != NONE:
        time = max(m[m[channel + CH_FIRST] + Q_TIME], m[channel + CH_NEXT])
        soonest = min(soonest, time)
    m[channel + CH_TIME] = max(now + 1, soonest)


@part
def _under_way(m: Any, channel: int, request: int) -> None:
    """Put a request whose command was issued behind those before it; writes are over."""
    has_l2 = m[HAS_L2] != 0
    if m[request + Q_KIND] != QK_LOAD and has_l2:
        free_request(m, request)
        return
    m[request + Q_TIME] = -(-m[channel + CH_BUS] // TICKS) + 1
    m[request + Q_NEXT] = NONE
    if m[channel + CH_BACK] == NONE:
        m[channel + CH_BACK] = request
    else:
        m[m[channel + CH_BACK_LAST] + Q_NEXT] = request
    m[channel + CH_BACK_LAST] = request


@part
def _bring_back(m: Any, channel: int, now: int) -> None:
    """Fill L2 with the data that have come, or answer the SM where there is no L2.

    What was read for the rest of a sector that is written back goes there with it.
    """
    while m[channel + CH_BACK] != NONE and m[m[channel + CH_BACK] + Q_TIME] <= now:
        request = m[channel + CH_BACK]
        m[channel + CH_BACK] = m[request + Q_NEXT]
        slice_, ref = m[request + Q_SM], m[request + Q_REF]
        if m[HAS_L2] != 0 and ref != NONE:
            fill(m, slice_, ref, m[request + Q_WORDS] % m[L2_CACHE + C_SECTORS], now)
        elif m[HAS_L2] == 0 and m[request + Q_KIND] != QK_WRITE_BACK:
            reply(m, ref, slice_, now)
        elif m[HAS_L2] == 0:
            written_back(m, ref)
        free_request(m, request)
