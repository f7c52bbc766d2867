"""Requests and replies between SMs and slices: the network, and the queues at its ends."""

from __future__ import annotations

from typing import Any

from simulator.gpu.compiled import part
from simulator.gpu.fields import (
    AT_LINK,
    AT_SLICE,
    AT_SM,
    AT_SM_COUNT,
    G_FREE_REQUEST,
    G_REQUESTS,
    HASHES,
    L2_DELAY,
    LINKS,
    N_PACKETS_IN,
    N_PACKETS_OUT,
    NET_BUFFER,
    NET_LATENCY,
    NET_RADIX,
    NET_STAGES,
    NET_TICKS_DATA,
    NET_TICKS_HEAD,
    NONE,
    Q_CACHE,
    Q_FULL,
    Q_KIND,
    Q_NEXT,
    Q_REF,
    Q_ROW,
    Q_SECTOR,
    Q_SM,
    Q_TIME,
    Q_WORDS,
    QK_LOAD,
    QK_STORE,
    SECTORS_OF_CHUNK,
    SECTORS_OF_LINE,
    SL_COUNT,
    SL_FIRST,
    SL_LAST,
    SLICE_FIELDS,
    SLICES,
    SM_COUNTS,
    SM_FIELDS,
    SM_IN_FREE,
    SM_OUT_FREE,
    SM_REPLY_FIRST,
    SM_REPLY_LAST,
    SMS,
    SUBSLICES,
    TICKS,
)
from simulator.gpu.heap import wake


@part
def slice_of(m: Any, sector: int) -> Any:
    """Give the slice that a sector is in: chunks go round the channels, lines round a channel's slices.

    Hashed, the number of a chunk is mixed with its upper bits first, and slices share chunks evenly.
    """
    chunk = sector // m[SECTORS_OF_CHUNK]
    if m[HASHES] != 0:
        mixed = chunk ^ (chunk >> 5) ^ (chunk >> 9) ^ (chunk >> 14) ^ (chunk >> 20)
        return mixed % m[SLICES]
    channels = m[SLICES] // m[SUBSLICES]
    sub = sector // m[SECTORS_OF_LINE] % m[SUBSLICES]
    return chunk % channels * m[SUBSLICES] + sub


@part
def local_sector(m: Any, sector: int) -> Any:
    """Give the number of a sector among those of its slice, so that they lie close together."""
    size = m[SECTORS_OF_CHUNK]
    chunk, inside = sector // size, sector % size
    if m[HASHES] != 0:
        return chunk // m[SLICES] * size + inside
    channels = m[SLICES] // m[SUBSLICES]
    line = m[SECTORS_OF_LINE]
    lines = max(1, size // line)
    subs = m[SUBSLICES]
    if lines >= subs:
        place = inside // line // subs * line + inside % line
        return chunk // channels * (size // subs) + place
    return chunk // channels * size + inside


@part
def has_room(m: Any, sector: int) -> Any:
    """Tell whether the slice of a sector takes another packet."""
    slice_ = m[AT_SLICE] + slice_of(m, sector) * SLICE_FIELDS
    return m[slice_ + SL_COUNT] < m[NET_BUFFER] and m[G_FREE_REQUEST] != NONE


@part
def new_request(m: Any) -> Any:
    """Take a request from those that are free. There is one: ``has_room``."""
    request = m[G_FREE_REQUEST]
    m[G_FREE_REQUEST] = m[request + Q_NEXT]
    m[G_REQUESTS] += 1
    return request


@part
def free_request(m: Any, request: int) -> None:
    """Give a request back."""
    m[request + Q_NEXT] = m[G_FREE_REQUEST]
    m[G_FREE_REQUEST] = request
    m[G_REQUESTS] -= 1


@part
def through_stages(m: Any, time: int, source: int, target: int, ticks: int) -> Any:
    """Give the time in ticks at which a packet has gone through the switches of a butterfly.

    Between two stages lies one link for each pair of the target's leading digits and the source's
    trailing ones; packets that share a link go one after the other.
    """
    span = 1
    for _ in range(m[NET_STAGES] - 1):
        span *= m[NET_RADIX]
    for stage in range(m[NET_STAGES]):
        number = target // span * span + source % span
        link = m[AT_LINK] + stage * m[LINKS] + number % m[LINKS]
        time = max(time + m[NET_LATENCY] * TICKS, m[link])
        m[link] = time + ticks
        span = max(1, span // m[NET_RADIX])
    return time


@part
def send(
    m: Any,
    sm: int,
    ready: int,
    sector: int,
    kind: int,
    ref: int,
    cache: int,
    words: int,
    full: int,
) -> None:
    """Send a request of an SM to the slice of its sector, ready to go at a cycle. ``has_room`` holds."""
    at = m[AT_SM] + sm * SM_FIELDS
    ticks = m[NET_TICKS_HEAD] if kind == QK_LOAD else m[NET_TICKS_DATA]
    leaves = max(m[at + SM_OUT_FREE], ready * TICKS)
    m[at + SM_OUT_FREE] = leaves + ticks
    target = slice_of(m, sector)
    if m[NET_STAGES] > 0:
        arrives = through_stages(m, leaves, sm, target, ticks)
    else:
        arrives = leaves + m[NET_LATENCY] * TICKS
    time = (arrives + TICKS - 1) // TICKS + m[L2_DELAY] + 2
    request = new_request(m)
    m[request + Q_TIME], m[request + Q_SECTOR], m[request + Q_KIND] = time, sector, kind
    m[request + Q_SM], m[request + Q_REF], m[request + Q_CACHE] = sm, ref, cache
    m[request + Q_WORDS], m[request + Q_FULL], m[request + Q_ROW] = words, full, NONE
    m[m[AT_SM_COUNT] + sm * SM_COUNTS + N_PACKETS_OUT] += 1
    _queue(m, target, request)


@part
def _queue(m: Any, target: int, request: int) -> None:
    """Put a request into a slice's queue, by its time and behind those of the same time.

    ``Q_ROW`` is the way back while a request is in a queue.
    """
    slice_ = m[AT_SLICE] + target * SLICE_FIELDS
    time = m[request + Q_TIME]
    before = m[slice_ + SL_LAST]
    while before != NONE and m[before + Q_TIME] > time:
        before = m[before + Q_ROW]
    after = m[slice_ + SL_FIRST] if before == NONE else m[before + Q_NEXT]
    m[request + Q_NEXT], m[request + Q_ROW] = after, before
    if before == NONE:
        m[slice_ + SL_FIRST] = request
        wake(m, m[SMS] + target, time)
    else:
        m[before + Q_NEXT] = request
    if after == NONE:
        m[slice_ + SL_LAST] = request
    else:
        m[after + Q_ROW] = request
    m[slice_ + SL_COUNT] += 1


@part
def reply(m: Any, request: int, source: int, time: int) -> None:
    """Send a request back from a slice to its SM, from a cycle on: data, or word of a store."""
    sm = m[request + Q_SM]
    at = m[AT_SM] + sm * SM_FIELDS
    ticks = m[NET_TICKS_HEAD] if m[request + Q_KIND] == QK_STORE else m[NET_TICKS_DATA]
    leaves = (time + 1) * TICKS
    if m[NET_STAGES] > 0:
        arrives = through_stages(m, leaves, source, sm, ticks)
    else:
        arrives = leaves + m[NET_LATENCY] * TICKS
    arrives = max(arrives, m[at + SM_IN_FREE])
    m[at + SM_IN_FREE] = arrives + ticks
    m[request + Q_TIME] = (arrives + TICKS - 1) // TICKS
    m[request + Q_NEXT] = NONE
    last = m[at + SM_REPLY_LAST]
    if last == NONE:
        m[at + SM_REPLY_FIRST] = request
    else:
        m[last + Q_NEXT] = request
    m[at + SM_REPLY_LAST] = request
    m[m[AT_SM_COUNT] + sm * SM_COUNTS + N_PACKETS_IN] += 1
    if last == NONE:
        wake(m, sm, m[request + Q_TIME])
