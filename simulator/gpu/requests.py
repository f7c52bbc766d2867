"""Requests and replies between SMs and slices: where a sector is, and the records of requests."""

from __future__ import annotations

from typing import Any

from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.fields import (
    AT_HASH,
    AT_SLICE_PORT,
    AT_SM,
    AT_SM_COUNT,
    AT_SM_PORT,
    G_FREE_REQUEST,
    G_REQUESTS,
    G_UNUSED_REQUEST,
    G_WRITE_BACKS,
    HASH_POLYNOMIAL,
    HASHES,
    IN_FIELDS,
    L2_DELAY,
    N_PACKETS_OUT,
    NET_BUFFER,
    NONE,
    Q_AT_ONCE,
    Q_CACHE,
    Q_JOINED,
    Q_KIND,
    Q_NEXT,
    Q_PARTS,
    Q_REF,
    Q_SECTOR,
    Q_SM,
    Q_WORDS,
    QK_WRITE_BACK,
    REQUEST_FIELDS,
    SECTORS_AT_ONCE,
    SECTORS_OF_CHUNK,
    SECTORS_OF_LINE,
    SECTORS_OF_REQUEST,
    SLICES,
    SM_AT_ONCE,
    SM_COUNTS,
    SM_FIELDS,
    SM_OUT_FREE,
    SM_SEGMENT,
    SM_UNDER_WAY,
    SUBSLICES,
    TICKS,
)
from warpmill.simulator.gpu.network import enter, packet_ticks


@part
def slice_of(m: Any, sector: int) -> Any:
    """Give the slice of a sector: chunks go round the channels, lines round a channel's slices.

    Hashed, each turn round all slices takes them in another order, and slices share chunks evenly.
    """
    chunk = sector // m[SECTORS_OF_CHUNK]
    if m[HASHES] == HASH_POLYNOMIAL:
        channels, place = m[SLICES] // m[SUBSLICES], chunk % m[SLICES]
        rest, table = chunk // m[SLICES], m[AT_HASH]
        while rest != 0:
            place ^= m[table + (rest & 255)]
            rest, table = rest >> 8, table + 256
        return place % channels * m[SUBSLICES] + place // channels
    if m[HASHES] != 0:
        slices = m[SLICES]
        turn, place = chunk // slices, chunk % slices
        mixed = turn ^ (turn >> 3) ^ (turn >> 7) ^ (turn >> 12)
        if slices & (slices - 1) == 0:
            return place ^ (mixed % slices)
        return (place + mixed) % slices
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
def has_room(m: Any, sm: int) -> Any:
    """Tell whether the network takes another packet of an SM."""
    return m[m[AT_SM] + sm * SM_FIELDS + SM_UNDER_WAY] < m[NET_BUFFER]


@part
def new_request(m: Any) -> Any:
    """Take a request from those that are free; there is one, as what takes them is limited."""
    request = m[G_FREE_REQUEST]
    if request == NONE:
        request = m[G_UNUSED_REQUEST]
        m[G_UNUSED_REQUEST] += REQUEST_FIELDS
    else:
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
def written_back(m: Any, request: int) -> None:
    """End what an SM wrote back, of which it is told nothing."""
    m[G_WRITE_BACKS] -= 1
    free_request(m, request)


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
    parts: int,
) -> None:
    """Send a request of an SM to the slice of its sector, ready at a cycle, with room for it.

    Sectors of one access that lie in one segment, and on the way to one slice, are one request:
    those behind the first join it. Of what L2 takes at once the first one waits for all of it.
    """
    at = m[AT_SM] + sm * SM_FIELDS
    joined, at_once, slice_ = 0, 0, slice_of(m, sector)
    if kind != QK_WRITE_BACK:
        if m[SECTORS_AT_ONCE] > 1:
            place = sector // m[SECTORS_AT_ONCE]
            at_once = 1 if place == m[at + SM_AT_ONCE] else 0
            m[at + SM_AT_ONCE] = place
        segment = sector // m[SECTORS_OF_REQUEST] * m[SLICES] + slice_
        joined = 1 if segment == m[at + SM_SEGMENT] else 0
        m[at + SM_SEGMENT] = segment
    leaves = max(m[at + SM_OUT_FREE], ready * TICKS)
    m[at + SM_OUT_FREE] = leaves + packet_ticks(m, kind, joined, 0)
    request = new_request(m)
    m[request + Q_JOINED], m[request + Q_AT_ONCE] = joined, at_once
    m[request + Q_SECTOR], m[request + Q_KIND] = sector, kind
    m[request + Q_SM], m[request + Q_REF], m[request + Q_CACHE] = sm, ref, cache
    m[request + Q_WORDS], m[request + Q_PARTS] = words, parts
    m[m[AT_SM_COUNT] + sm * SM_COUNTS + N_PACKETS_OUT] += 1
    if kind == QK_WRITE_BACK:
        m[G_WRITE_BACKS] += 1
    else:
        m[at + SM_UNDER_WAY] += 1
    time = (leaves + TICKS - 1) // TICKS + 1
    enter(m, m[AT_SM_PORT] + sm * IN_FIELDS, request, slice_, time)


@part
def reply(m: Any, request: int, source: int, time: int) -> None:
    """Send a request back from a slice to its SM, from a cycle on: data, or word of a store.

    Slices work L2_DELAY cycles ahead: that long a reply takes beside its way through the network.
    """
    port = m[AT_SLICE_PORT] + source * IN_FIELDS
    enter(m, port, request, m[request + Q_SM], time + 1 + m[L2_DELAY])
